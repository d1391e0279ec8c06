// SPDX-License-Identifier: MIT
// Pictures of pages, for the README: node pictures.mjs FOLDER_OF_PAGES FOLDER_OF_PICTURES. scripts/pictures makes the pages.

import { statSync } from "node:fs";
import { join } from "node:path";
import { launch, open } from "../tests/browser.mjs";

const most = 240e3; // bytes of a picture
const pictures = [
    { name: "polhode", page: "dzhanibekov", time: 22.6, colorScheme: "dark" },
    { name: "chain", page: "five_link_chain", time: 1.04, colorScheme: "light", body: "link 3", keys: ["t", "v", "q", "c"], tab: "ledger" },
    { name: "bicycle", page: "bicycle", time: 1.5, colorScheme: "dark", body: "front wheel", keys: ["l", "w", "n", ...Array(5).fill("Shift+ArrowLeft")], tab: "show" },
    { name: "compare", page: "double_pendulum", with: "double_pendulum_coarse", time: 2.4, colorScheme: "light", keys: ["t"], tab: "run" },
    { name: "breaks", page: "small_aircraft_breaks", time: 1.74, colorScheme: "dark", tab: "cuts" },
    { name: "touch", page: "arch", time: 1.75, colorScheme: "light", keys: ["h", "H"], tab: "ledger" },
];

const [pages, out, ...only] = process.argv.slice(2);
const browser = await launch();
let failed = false;
for (const picture of pictures.filter((p) => !only.length || only.includes(p.name))) {
    const { page, seen, context } = await open(browser, join(pages, `${picture.page}.html`), {
        viewport: { width: 1080, height: 680 }, colorScheme: picture.colorScheme, reducedMotion: "reduce" });
    if (picture.with) {
        await page.locator("input[type=file]").setInputFiles(join(pages, `${picture.with}.html`));
        await page.waitForFunction(() => window.poinsot.comparison);
    }
    if (picture.tab) await page.click(`#tab-${picture.tab}`);
    if (picture.body) await page.locator("#body").evaluate((select, name) => {
        select.value = [...select.options].find((o) => o.text === name).value;
        select.dispatchEvent(new Event("change"));
    }, picture.body);
    for (const key of picture.keys ?? []) await page.keyboard.press(key);
    await page.evaluate((t) => { document.activeElement?.blur(); window.poinsot.go(t); }, picture.time);
    await page.waitForFunction(() => window.poinsot.settled, null, { polling: 50 });
    await page.waitForTimeout(200);
    const file = join(out, `${picture.name}.png`);
    await page.screenshot({ path: file });
    const bytes = statSync(file).size;
    console.log(`${file}: ${Math.round(bytes / 1000)} kB`);
    for (const error of [...seen.errors, ...(bytes > most ? [`larger than ${most / 1000} kB`] : [])]) {
        console.error(`${picture.name}: ${error}`);
        failed = true;
    }
    await context.close();
}
await browser.close();
process.exit(failed ? 1 : 0);
