// SPDX-License-Identifier: MIT
// The page in a browser: it shows the numbers of its file, obeys keys, and asks nobody for anything.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Data, writePage } from "../tools/write.mjs";
import { makeSample, parting, pendulum, tumbling } from "../tools/sample.mjs";
import { executable, launch, open, processorSeconds } from "./browser.mjs";

const options = { skip: executable ? false : "no Chromium here (Debian: apt-get install chromium)" };
let browser, folder;

before(async () => {
    if (!executable) return;
    folder = mkdtempSync(join(tmpdir(), "poinsot-page-"));
    browser = await launch();
});
after(async () => {
    await browser?.close();
    if (folder) rmSync(folder, { recursive: true });
});

const near = (a, b, tolerance, what = "") => assert.ok(Math.abs(a - b) <= tolerance, `${what} ${a} is not ${b} within ${tolerance}`);
const sample = (name) => makeSample(folder, name).file;
const quiet = (seen, file) => {
    assert.deepEqual(seen.errors, []);
    assert.deepEqual(seen.requests.filter((u) => u !== `file://${file}` && !u.startsWith("data:")), []);
};
// Until all that was asked for is drawn, and the eye stands still.
const drawn = (page) => page.waitForFunction(() => window.poinsot.drawn > 0 && window.poinsot.settled, null, { polling: 30 });
const scrub = async (page, s) => {
    const box = await page.locator("#slider").boundingBox();
    await page.mouse.click(box.x + box.width * s, box.y + box.height / 2);
};
const poinsot = (page, f, ...a) => page.evaluate(new Function("a", `return (${f})(window.poinsot, ...a)`), a);
const number = (text) => Number(text.replaceAll("−", "-"));
// Share of pixels of the canvas that differ from its corner.
const painted = (page) => page.evaluate(() => {
    const from = document.querySelector("#canvas");
    const c = document.createElement("canvas");
    c.width = 320, c.height = 160;
    const g = c.getContext("2d");
    g.drawImage(from, 0, 0, 320, 160);
    const d = g.getImageData(0, 0, 320, 160).data;
    let k = 0;
    for (let i = 0; i < d.length; i += 4) if (Math.abs(d[i] - d[0]) + Math.abs(d[i + 1] - d[1]) + Math.abs(d[i + 2] - d[2]) > 40) ++k;
    return k / (320 * 160);
});

test("a free body: Poinsot's picture, its numbers, no error, no request", options, async () => {
    const file = sample("tumbling");
    const { page, seen, context } = await open(browser, file);
    await drawn(page);
    assert.ok((await poinsot(page, "(p) => p.shown")).includes("picture"));
    const c = await poinsot(page, "(p) => p.construction");
    near(c.twoT, 0.3 ** 2 + 2 * 4.6 ** 2 + 3 * 1.1 ** 2, 1e-9, "2T");
    near(c.L, Math.hypot(0.3, 9.2, 3.3), 1e-9, "L");
    near(c.distance, c.twoT / c.L, 1e-12, "plane");
    assert.ok(c.free);
    await scrub(page, 0.6);
    await drawn(page);
    const later = await poinsot(page, "(p) => p.construction");
    near(later.distance, c.distance, 1e-9, "the plane stays");
    assert.ok((await painted(page)) > 0.08, "the ellipsoid is drawn");
    assert.match(await page.locator("#readout").innerText(), /invariable plane/);
    assert.match(await page.locator("#overlay").innerText(), /ω[\s\S]*L[\s\S]*axis 1/);
    await page.keyboard.press("o");
    await drawn(page);
    assert.equal(await page.locator("#readout").isVisible(), false);
    quiet(seen, file);
    await context.close();
});

test("a known body is where it should be at a known time", options, async () => {
    const file = sample("pendulum");
    const { page, seen, context } = await open(browser, file);
    const start = await poinsot(page, "(p) => p.pose('link 2')");
    near(start.position[0], 1.5, 4e-5, "x at the start"); // the page states 3.4e-5 m
    near(start.position[1], 0, 4e-5, "y at the start");
    await scrub(page, 0.5);
    assert.equal(await poinsot(page, "(p) => p.time"), 3);
    // The same moment from the numbers themselves.
    const data = new Data();
    const exact = pendulum(data, { exact: true });
    const view = new DataView(data.all().buffer);
    const at = exact.bodies.position.values.offset + 8 * (150 * 6 + 3);
    const shown = await poinsot(page, "(p) => p.pose('link 2')");
    for (let k = 0; k < 3; ++k) near(shown.position[k], view.getFloat64(at + 8 * k, true), 4e-5, "position");
    assert.match(await page.locator("#clock").innerText(), /^3\.000/);
    quiet(seen, file);
    await context.close();
});

test("the ledger panel shows the numbers of the file, about any point", options, async () => {
    const file = sample("pendulum");
    const { page, seen, context } = await open(browser, file);
    await scrub(page, 0.5);
    const book = await poinsot(page, "(p) => p.ledger()");
    const cell = async (table, row, column) => number(await page.locator("#panel-ledger table").nth(table)
        .locator("tbody tr", { has: page.locator(`th:text-is("${row}")`) }).locator("td").nth(column).innerText());
    near(await cell(0, "+ gravity", 1), -2 * 9.81 * 3, 5e-3, "impulse of gravity"); // five digits are shown
    near(await cell(0, "+ gravity", 1), book.lines.find((l) => l.cause === "gravity").p[1], 5e-3);
    near(await cell(2, "= closing", 0), book.closing.T, 1e-3);
    near(await cell(0, "+ residual", 1), book.residual.p[1], 1e-3 * Math.abs(book.residual.p[1]));
    await page.fill("#about", "1, 2, 0");
    await page.press("#about", "Enter");
    await page.locator("#about").blur();
    const shifted = await poinsot(page, "(p) => p.ledger()");
    const p = book.closing.p;
    near(shifted.closing.L[2], book.closing.L[2] - (1 * p[1] - 2 * p[0]), 1e-12, "L_A = L − A × p");
    near(await cell(1, "= closing", 2), shifted.closing.L[2], 1e-3);
    await page.fill("#about", "1, two");
    await page.locator("#about").blur();
    assert.match(await page.locator(".ledger .wrong").innerText(), /three numbers/);
    assert.deepEqual(await poinsot(page, "(p) => p.about"), [1, 2, 0]);
    await page.getByLabel("last frame alone").check();
    const last = await poinsot(page, "(p) => p.ledger()");
    near(last.lines.find((l) => l.cause === "gravity").p[1], -2 * 9.81 * 0.02, 1e-9, "gravity over one frame");
    quiet(seen, file);
    await context.close();
});

test("keys: play, pause, step, ends, events, range, speed, body, help", options, async () => {
    const file = sample("pendulum");
    const { page, seen, context } = await open(browser, file);
    const get = (f) => poinsot(page, f);
    await page.keyboard.press("ArrowRight");
    near(await get("(p) => p.time"), 0.02, 1e-12);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    near(await get("(p) => p.time"), 0.02, 1e-12);
    await page.keyboard.press("End");
    near(await get("(p) => p.time"), 6, 1e-12);
    await page.keyboard.press("Home");
    await page.keyboard.press("."); // the first event
    const event = await get("(p) => p.time");
    assert.ok(event > 0 && event < 6);
    assert.match(await page.locator("#event").innerText(), /straight down/);
    await page.keyboard.press("[");
    await page.keyboard.press("PageDown");
    await page.keyboard.press("]");
    const range = await get("(p) => p.range");
    near(range[0], event, 1e-12);
    near(range[1], event + 0.6, 1e-12);
    await page.keyboard.press("\\");
    assert.deepEqual(await get("(p) => p.range"), [0, 6]);
    await page.keyboard.press("+");
    assert.equal(await get("(p) => p.speed"), 2);
    await page.keyboard.press("s");
    assert.equal(await get("(p) => p.selected"), "link 2");
    const eye = await get("(p) => p.eye");
    await page.keyboard.press("Shift+ArrowLeft");
    await drawn(page);
    assert.notDeepEqual(await get("(p) => p.eye"), eye);
    await page.keyboard.press("Home");
    await page.keyboard.press(" ");
    assert.equal(await get("(p) => p.playing"), true);
    await page.waitForFunction(() => window.poinsot.time > 0.2);
    await page.keyboard.press(" ");
    assert.equal(await get("(p) => p.playing"), false);
    await page.keyboard.press("?");
    assert.ok(await page.locator("#help").isVisible());
    assert.match(await page.locator("#help").innerText(), /play or pause[\s\S]*turn left/);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#help").isVisible(), false);
    await page.keyboard.press("?");
    await page.getByRole("button", { name: "Close", exact: true }).click();
    assert.equal(await page.locator("#help").isVisible(), false);
    await page.keyboard.press("d");
    const themes = await page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(themes, "dark"); // the browser begins light
    quiet(seen, file);
    await context.close();
});

test("checkboxes draw what they name; keys and boxes agree", options, async () => {
    const file = sample("pendulum");
    const { page, seen, context } = await open(browser, file);
    await scrub(page, 0.4);
    await page.click("#tab-show");
    const words = () => page.locator("#overlay .label:visible").allInnerTexts();
    const expected = { names: "link 1", axes: "I₃", velocity: "v", p: "p", omega: "ω", L: "L", LA: "L about A",
                       wholeP: "p of the whole", wholeL: "L of the whole about A", reactions: "on link 1" };
    for (const [mark, word] of Object.entries(expected)) {
        const box = page.locator(`[data-mark="${mark}"]`);
        await box.check();
        await drawn(page);
        assert.ok((await words()).some((w) => w.startsWith(word)), `${mark}: ${await words()}`);
        await box.uncheck();
        await drawn(page);
        assert.ok(!(await words()).includes(word), mark);
    }
    await page.locator('[data-cause="gravity"]').check();
    await drawn(page);
    assert.ok((await words()).includes("gravity"));
    await page.locator('[data-cause="joint"]').check();
    await drawn(page);
    assert.ok((await words()).includes("joint"));
    const before = await painted(page);
    await page.locator('[data-mark="inertia"]').check();
    await page.locator('[data-mark="trails"]').check();
    await page.locator('[data-mark="center"]').check();
    await drawn(page);
    assert.ok((await painted(page)) > before);
    await page.locator("#canvas").focus();
    await page.keyboard.press("t");
    assert.equal(await page.locator('[data-mark="trails"]').isChecked(), false);
    quiet(seen, file);
    await context.close();
});

test("every checkbox has a key that flips it, and every control can be reached by Tab", options, async () => {
    const file = sample("sliding");
    const { page, seen, context } = await open(browser, file);
    await page.click("#tab-show");
    const boxes = await page.locator("#panel-show input[type=checkbox]:visible").evaluateAll((list) => list.map((e) => [e.dataset.mark ?? e.dataset.follow ?? e.dataset.cause ?? e.dataset.which, e.closest("label").querySelector("kbd")?.textContent]));
    assert.ok(boxes.length >= 18, `${boxes.length}`);
    for (const [name, key] of boxes) {
        assert.ok(key, `${name} has a key`);
        const box = page.locator(`#panel-show :is([data-mark="${name}"], [data-follow="${name}"], [data-cause="${name}"], [data-which="${name}"])`);
        const was = await box.isChecked();
        await page.locator("#canvas").focus();
        await page.keyboard.press(key);
        assert.equal(await box.isChecked(), !was, `${key} flips ${name}`);
    }
    const lost = await page.evaluate(() => [...document.querySelectorAll("button, input, select, [role=slider], #canvas")]
        .filter((e) => e.getClientRects().length && e.tabIndex < 0 && e.getAttribute("role") !== "tab").map((e) => e.outerHTML.slice(0, 80)));
    assert.deepEqual(lost, []);
    quiet(seen, file);
    await context.close();
});

test("plots: signals by name, cursor in step, log, PNG and CSV", options, async () => {
    const file = sample("pendulum");
    const { page, seen, context } = await open(browser, file);
    const first = page.locator(".plot").first();
    await first.locator("input.add").fill("hinge 1 / angle");
    await first.locator("input.add").press("Enter");
    await first.locator("input.add").blur();
    await scrub(page, 0.5);
    const values = await poinsot(page, "(p) => p.values('hinge 1 / angle')");
    const shown = first.locator("li", { hasText: "hinge 1 / angle" }).locator("output");
    near(number(await shown.innerText()), values[150], 1e-5);
    // The cursor stands in the middle of the axis of time when the time does.
    const [head, over] = await page.evaluate(() => {
        const plot = document.querySelector(".plot");
        return [plot.querySelector(".playhead").getBoundingClientRect().left, plot.querySelector(".u-over").getBoundingClientRect().toJSON()];
    });
    near(head, over.left + over.width / 2, 1.5, "cursor");
    await page.mouse.click(over.left + over.width / 4, over.top + over.height / 2);
    near(await poinsot(page, "(p) => p.time"), 1.5, 0.02, "a click in a plot goes there");
    const [csv] = await Promise.all([page.waitForEvent("download"), first.getByLabel("Download the numbers of this plot").click()]);
    const lines = readFileSync(await csv.path(), "utf8").trim().split("\n");
    assert.equal(lines.length, 302);
    assert.match(lines[0], /"time \[s\]","energy \/ total \[J\]"/);
    assert.equal(Number(lines[151].split(",").at(-1)), values[150], "every digit");
    const [png] = await Promise.all([page.waitForEvent("download"), first.getByLabel("Download this plot as a picture").click()]);
    assert.deepEqual([...readFileSync(await png.path()).subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    const plots = await poinsot(page, "(p) => p.plots()");
    assert.ok(plots[1].log && plots[1].names.includes("residual / energy"));
    quiet(seen, file);
    await context.close();
});

test("a second run is a ghost, in the file or picked beside it", options, async () => {
    const file = sample("compare");
    const { page, seen, context } = await open(browser, file);
    await scrub(page, 0.3);
    const [a, b] = [await poinsot(page, "(p) => p.pose('link 2')"), await poinsot(page, "(p) => p.ghost('link 2')")];
    assert.ok(Math.hypot(...a.position.map((k, i) => k - b.position[i])) > 0.005);
    await page.getByLabel("Difference from the second run").nth(1).click();
    const csv = (await poinsot(page, "(p) => p.plots()"))[1].csv.split("\n");
    assert.match(csv[0], /Δ energy/);
    near(Number(csv[1].split(",")[3]), -9.81 * 2 * Math.sin(0.02), 1e-9, "difference of potential energy at the start");
    quiet(seen, file);
    await context.close();

    const alone = await open(browser, sample("pendulum"));
    assert.equal(await poinsot(alone.page, "(p) => p.ghost('link 2')"), null);
    await alone.page.locator("input[type=file]").setInputFiles(file);
    await alone.page.waitForFunction(() => window.poinsot.ghost("link 2"));
    await alone.page.click("#tab-run");
    assert.match(await alone.page.locator("#panel-run").innerText(), /B, the ghost/);
    quiet(alone.seen, join(folder, "pendulum.html"));
    await alone.context.close();
});

test("what the writer found of two runs goes before what the page would find", options, async () => {
    const file = join(folder, "parting.html");
    parting(new Data(), file);
    const { page, seen, context } = await open(browser, file);
    await drawn(page);
    const c = await poinsot(page, "(p) => p.comparison");
    assert.deepEqual([c.first.time, c.first.name, c.fromPoses], [0.22, "block", false]); // from poses it would be 0.02
    near(c.first.distance, 0.05 * 9.81 * 0.22 ** 2 / 2, 1e-12, "½ Δμ g t²");
    assert.match(await page.locator("#parting").innerText(), /A and B part at 0.22 s: block/);
    await page.keyboard.press("D");
    assert.equal(await poinsot(page, "(p) => p.time"), 0.22);
    const values = await poinsot(page, "(p) => p.values('difference / largest distance')");
    near(values[11], c.first.distance, 1e-12, "signal");
    assert.equal(await page.locator('.tick[data-kind="parted"]').count(), 1);
    await page.click("#tab-run");
    assert.match(await page.locator("#panel-run").innerText(), /A and B[\s\S]*0.22 s[\s\S]*Found by the program/);
    quiet(seen, file);
    await context.close();
});

test("contacts with forces and cones; torques of forces", options, async () => {
    const file = sample("sliding");
    const { page, seen, context } = await open(browser, file);
    await page.click("#tab-show");
    await scrub(page, 0.4);
    const vectors = async () => { await drawn(page); return poinsot(page, "(p) => p.vectors"); };
    const before = await painted(page);
    await page.locator('[data-mark="contacts"]').check();
    const at = (await vectors()).filter((v) => v.text === "on block by the world");
    assert.equal(at.length, 4);
    near(at.reduce((s, v) => s + v.value[2], 0), 2 * 9.81, 1e-12, "the corners carry the weight");
    near(at.reduce((s, v) => s + v.value[0], 0), -0.3 * 2 * 9.81, 1e-12, "and resist");
    for (const v of at) near(-v.value[0] / v.value[2], 0.3, 1e-12, "on the edge of the cone");
    await page.locator('[data-mark="cones"]').check();
    await page.locator('[data-cause="contact_friction"]').check();
    const torque = (await vectors()).find((v) => v.text === "contact friction torque");
    near(torque.value[1], 0.3 * 2 * 9.81 * 0.1, 1e-12, "friction acts below the centre of mass");
    assert.ok((await painted(page)) > before, "cones and arrows are seen");
    await scrub(page, 0.9); // at rest
    assert.ok(!(await vectors()).some((v) => v.text === "contact friction torque" && v.value[1] !== 0));
    quiet(seen, file);
    await context.close();
});

test("markup in names is inert", options, async () => {
    const file = sample("markup");
    const { page, seen, context } = await open(browser, file);
    await page.keyboard.press("n");
    await page.keyboard.press(".");
    for (const tab of ["run", "show", "ledger"]) await page.click(`#tab-${tab}`);
    const input = page.locator(".plot input.add").first();
    await input.fill((await poinsot(page, "(p) => p.signals"))[0]);
    await input.blur();
    await drawn(page);
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator("img").count(), 0);
    assert.match(await page.locator("h1").innerText(), /^<img src=x/);
    assert.match((await page.locator("#overlay").innerText()), /<img src=x/);
    quiet(seen, file);
    // The policy of the page would stop it even if it had become an element.
    await page.evaluate(() => { document.body.append(document.createRange().createContextualFragment("<img src=x onerror='window.broken=1'>")); });
    await page.waitForTimeout(200);
    assert.equal(await page.evaluate(() => window.broken), undefined);
    await context.close();
});

test("a run of no steps, every kind of shape, and a file cut short", options, async () => {
    for (const name of ["zero", "shapes"]) {
        const file = sample(name);
        const { page, seen, context } = await open(browser, file);
        await drawn(page);
        await page.keyboard.press(" ");
        await page.keyboard.press("ArrowRight");
        if (name === "shapes") for (const key of "eacivwplt") await page.keyboard.press(key);
        await drawn(page);
        assert.ok((await painted(page)) > 0.01, name);
        quiet(seen, file);
        await context.close();
    }
    const broken = join(folder, "broken.html");
    writeFileSync(broken, readFileSync(join(folder, "zero.html"), "utf8").replace(/(id="poinsot-data-0">.{40})[^<]*/, "$1"));
    const { page, context } = await open(browser, broken);
    assert.match(await page.locator("#opening").innerText(), /cannot be shown/);
    await context.close();
});

test("without WebGL plots and ledger are still there", options, async () => {
    const file = sample("pendulum");
    const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
    await context.addInitScript(() => {
        const real = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind.startsWith("webgl") ? null : real.call(this, kind, ...rest); };
    });
    const page = await context.newPage();
    await page.goto(`file://${file}`);
    await page.waitForFunction(() => window.poinsot, null, { polling: 100 });
    await scrub(page, 0.5);
    assert.equal(await poinsot(page, "(p) => p.time"), 3);
    assert.match(await page.locator("#stage").innerText(), /no WebGL/);
    assert.match(await page.locator("#panel-ledger").innerText(), /gravity/);
    await context.close();
});

test("nothing sticks out to the side of a narrow window", options, async () => {
    for (const name of ["pendulum", "compare"]) {
        const { page, seen, context } = await open(browser, sample(name), { viewport: { width: 390, height: 800 } });
        for (const tab of ["run", "show", "ledger"]) {
            await page.click(`#tab-${tab}`);
            assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("body *")].filter((e) => e.getClientRects().length
                && !e.closest(".list, #overlay, .unseen, dialog, .ticks") && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML.slice(0, 90))), [], tab);
        }
        quiet(seen, join(folder, `${name}.html`));
        await context.close();
    }
});

test("everything has a name for readers of the screen", options, async () => {
    const { page, context } = await open(browser, sample("pendulum"));
    for (const tab of ["run", "show", "ledger"]) await page.click(`#tab-${tab}`);
    const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, input, select, [role=slider], canvas")]
        .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label")?.textContent.trim() || e.title)).map((e) => e.outerHTML));
    assert.deepEqual(unnamed, []);
    assert.match(await page.locator("#slider").getAttribute("aria-valuetext"), /of 6 s/);
    assert.equal(await page.locator("[role=tab][aria-selected=true]").count(), 1);
    await context.close();
});

// Contrast of W3C: (L₁ + 0.05)/(L₂ + 0.05), at least 4.5 for text.
test("text is legible in dark and in light", options, async () => {
    for (const colorScheme of ["dark", "light"]) {
        const { page, context } = await open(browser, sample("pendulum"), { colorScheme });
        const low = await page.evaluate(() => {
            const rgb = (c) => c.match(/[\d.]+/g).slice(0, 3).map(Number);
            const luminance = (c) => rgb(c).map((k) => k / 255).map((k) => (k <= 0.04045 ? k / 12.92 : ((k + 0.055) / 1.055) ** 2.4))
                .reduce((s, k, i) => s + [0.2126, 0.7152, 0.0722][i] * k, 0);
            const page = luminance(getComputedStyle(document.body).backgroundColor);
            return [...document.querySelectorAll("th, td, dt, dd, .note, .unit, button, legend, label, h1, .badge, .frame, #clock, kbd")]
                .filter((e) => e.textContent.trim() && e.offsetParent).map((e) => {
                    const l = luminance(getComputedStyle(e).color);
                    return [(Math.max(l, page) + 0.05) / (Math.min(l, page) + 0.05), e.className, e.textContent.slice(0, 20)];
                }).filter((r) => r[0] < 4.5);
        });
        assert.deepEqual(low, [], colorScheme);
        await context.close();
    }
});

test("10,000 bodies: size, time to load, pictures per second", options, async (t) => {
    const { file, bytes } = makeSample(folder, "balls");
    const { page, seen, context, loaded } = await open(browser, file);
    const taken = await processorSeconds(page);
    await drawn(page);
    assert.equal((await poinsot(page, "(p) => p.values('ball 9999 / position z')")).length, 1001);
    await page.keyboard.press("Home");
    await page.keyboard.press(" ");
    await page.waitForTimeout(4000);
    const rate = await poinsot(page, "(p) => p.rate");
    const work = await page.evaluate(() => window.poinsot.work);
    t.diagnostic(`${(bytes / 1e6).toFixed(1)} MB, open after ${(loaded / 1000).toFixed(1)} s (own part ${(await poinsot(page, "(p) => p.loadMilliseconds") / 1000).toFixed(1)} s), `
        + `${rate.toFixed(1)} pictures per second in software, ${work?.toFixed(1)} ms of script each`);
    assert.ok(bytes < 150e6);
    assert.ok(taken < 10, `${taken} s of work to load`);
    assert.ok(rate > 0);
    quiet(seen, file);
    await context.close();
});

test("a free body with rounded poses still rolls on its plane", options, async () => {
    const data = new Data(), file = join(folder, "rounded.html");
    writePage(file, [tumbling(data, { until: 4, exact: false, shape: true })], data);
    const { page, seen, context } = await open(browser, file);
    await drawn(page);
    const distances = [];
    for (const s of [0.1, 0.5, 0.9]) {
        await scrub(page, s);
        await drawn(page);
        distances.push((await poinsot(page, "(p) => p.construction")).distance);
    }
    for (const d of distances) near(d, distances[0], 1e-3, "the plane stays within the rounding of attitudes"); // ω of 5 rad/s × 1.5e-4 rad
    quiet(seen, file);
    await context.close();
});
