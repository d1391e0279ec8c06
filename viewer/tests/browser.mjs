// SPDX-License-Identifier: MIT
// Debian's Chromium without a window, on a profile of its own, drawing in software.

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

export const executable = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);

export const launch = () => chromium.launch({ // Playwright makes and removes a fresh profile
    executablePath: executable,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
           "--disable-sync", "--no-first-run", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

/** Opens a file; keeps what went wrong and what was asked of the network. */
export async function open(browser, file, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    const page = await context.newPage();
    const seen = { errors: [], requests: [], dialogs: [] };
    page.on("console", (m) => m.type() === "error" && seen.errors.push(m.text()));
    page.on("pageerror", (e) => seen.errors.push(e.message));
    page.on("request", (r) => seen.requests.push(r.url()));
    page.on("dialog", (d) => { seen.dialogs.push(d.message()); d.dismiss(); });
    const begin = performance.now();
    await page.goto(`file://${file}`);
    await page.waitForFunction(() => window.poinsot || document.querySelector("#opening.failed"), null, { timeout: 60000 });
    return { page, seen, context, loaded: performance.now() - begin };
}
