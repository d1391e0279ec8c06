// SPDX-License-Identifier: MIT
// Bundles src/ to one script and puts it, with the style, into dist/page.html: the page without data.
// dist/core.mjs is what works without a window, for tests and tools.

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const common = { bundle: true, absWorkingDir: here, target: "es2022", logLevel: "warning", legalComments: "inline" };

mkdirSync(join(here, "dist"), { recursive: true });
await build({ ...common, entryPoints: ["src/core.ts"], format: "esm", outfile: "dist/core.mjs" });
const page = await build({
    ...common, entryPoints: ["src/main.ts"], format: "iife", minify: true, write: false, outdir: "dist",
    loader: { ".css": "css" },
});
const text = (end) => page.outputFiles.find((f) => f.path.endsWith(end))?.text ?? "";

// Inside a script element the parser must not meet its end tag or the start of a comment. In our own
// bundle both can stand in strings only, where the backslash changes nothing.
const script = text(".js").replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const style = text(".css").replaceAll("</style", "<\\/style");
const html = readFileSync(join(here, "page.html"), "utf8")
    .replace("/*style*/", () => style)
    .replace("/*script*/", () => script)
    // Only this script runs: markup in a name that reached the page would still be dead.
    .replace("script-src 'unsafe-inline'", `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`);
writeFileSync(join(here, "dist/page.html"), html);
console.log(`dist/page.html: ${(html.length / 1024).toFixed(0)} kB`);
