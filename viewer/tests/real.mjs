// SPDX-License-Identifier: MIT
// Pages made by the program itself, in a browser, beside the numbers of their HDF5 files. tests/viewer/real_pages.py
// makes both; POINSOT_PAGES names the file with what it expects.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch, open } from "./browser.mjs";

const expected = JSON.parse(readFileSync(process.env.POINSOT_PAGES, "utf8"));
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

// Five digits are shown, four beside a power of ten: half a unit of the last one, and a little for what is rounded twice.
const shown = (text, value, what) => {
    const number = Number(text.replaceAll("−", "-"));
    assert.ok(Math.abs(number - value) <= (text.includes("e") ? 6e-4 : 6e-5) * Math.abs(value), `${what}: ${text} is shown for ${value}`);
};
const near = (a, b, tolerance, what) => {
    const [x, y] = [[a].flat(), [b].flat()];
    assert.equal(x.length, y.length, what);
    x.forEach((k, i) => assert.ok(Math.abs(k - y[i]) <= tolerance, `${what}: ${k} is not ${y[i]} within ${tolerance}`));
};
const drawn = (page) => page.waitForFunction(() => window.poinsot.drawn > 0 && window.poinsot.settled, null, { polling: 30 });
const get = (page, f, ...a) => page.evaluate(new Function("a", `return (${f})(window.poinsot, ...a)`), a);
const scrub = async (page, s) => {
    const box = await page.locator("#slider").boundingBox();
    await page.mouse.click(box.x + box.width * s, box.y + box.height / 2);
    await drawn(page);
};
const opened = async (name, body, options) => {
    const e = expected[name];
    const { page, seen, context } = await open(browser, e.file, options);
    await drawn(page);
    await body(page, e);
    assert.deepEqual(seen.errors, []);
    assert.deepEqual(seen.requests.filter((u) => u !== `file://${e.file}` && !u.startsWith("data:")), [], "asks nobody for anything");
    assert.deepEqual(seen.dialogs, []);
    await context.close();
};
// Rows of the tables of the ledger: {caption: {row: [texts]}}.
const tables = (page) => page.evaluate(() => Object.fromEntries([...document.querySelectorAll("#panel-ledger table")].map((t) =>
    [t.querySelector("caption").firstChild.textContent, Object.fromEntries([...t.querySelectorAll("tbody tr")].map((r) =>
        [r.querySelector("th").textContent.replaceAll("\u00a0", " "), [...r.querySelectorAll("td")].map((d) => d.textContent)]))])));
const sameBook = (got, book, what) => {
    for (const [caption, rows] of Object.entries(book))
        for (const [row, values] of Object.entries(rows)) {
            if (values.every((k) => k === 0) && row.startsWith("+ ") && row !== "+ residual") continue; // those who posted nothing have no row
            assert.ok(got[caption]?.[row], `${what}: no row "${row}" under ${caption}: ${JSON.stringify(got[caption])}`);
            values.forEach((k, i) => k !== null && shown(got[caption][row][i], k, `${what}, ${caption}, ${row}, ${i}`));
        }
};

test("bodies are where the file says, at times scrubbed and stepped to", async () => {
    await opened("chain", async (page, e) => {
        for (const [s, sample] of [[0, 0], [0.5, (e.time.length - 1) / 2], [1, e.time.length - 1]]) {
            await scrub(page, s === 0 ? 0.0001 : s === 1 ? 0.9999 : s);
            assert.equal(await get(page, "(p) => p.time"), e.time[sample]);
            for (const [i, name] of e.names.entries()) {
                const pose = await get(page, "(p, n) => p.pose(n)", name);
                assert.ok(Math.hypot(...pose.position.map((k, c) => k - e.position[sample][i][c])) <= e.position_error * (1 + 1e-9), `${name} at ${s}`);
                const cosine = Math.abs(pose.orientation.reduce((sum, k, c) => sum + k * e.orientation[sample][i][c], 0));
                assert.ok(2 * Math.acos(Math.min(1, cosine)) <= e.angle_error + 1e-7, `${name} at ${s}: turned`);
            }
        }
        await page.keyboard.press("Home");
        for (let k = 0; k < 3; ++k) await page.keyboard.press("ArrowRight");
        assert.equal(await get(page, "(p) => p.time"), e.time[3]);
        assert.match(await page.locator("#clock").innerText(), new RegExp(`^${e.time[3].toFixed(2)}`));
    });
});

test("the ledger shows the numbers of the file: since the start, of the last frame, about a point, of a body", async () => {
    await opened("chain", async (page, e) => {
        await scrub(page, 0.5);
        sameBook(await tables(page), e.book, "since the start");
        await page.getByLabel("last frame alone").check();
        sameBook(await tables(page), e.frame, "last frame");
        await page.getByLabel("since the start").check();
        await page.fill("#about", e.about.join(", "));
        await page.press("#about", "Enter");
        sameBook(await tables(page), e.about_book, "about a point");
        await page.selectOption("#books-of", { label: e.body });
        sameBook(await tables(page), e.body_book, "of one body, about a point");
    });
});

test("books about a point that moves are shown as kept, with what its motion did", async () => {
    await opened("moving", async (page, e) => {
        await scrub(page, 0.5);
        assert.equal(await page.locator("#about").count(), 0, "no point can be chosen");
        assert.ok((await page.locator("#panel-ledger").innerText()).includes(`L about ${e.about}, which moves`), e.about);
        sameBook(await tables(page), e.book, "of all, about a moving point");
        await page.selectOption("#books-of", { label: e.body });
        assert.ok(e.body_book["Angular momentum L"]["+ motion of the point"].some((k) => Math.abs(k) > 1e-3), "the motion of the point matters here");
        sameBook(await tables(page), e.body_book, "of one body, about a moving point");
    });
});

test("plots have the numbers of the file, to the last digit, and give them back", async () => {
    await opened("chain", async (page, e) => {
        for (const [name, values] of Object.entries(e.signals)) {
            const got = await get(page, "(p, n) => p.values(n)", name);
            assert.equal(got.length, values.length, name);
            // Positions are rounded poses; sums of stores may differ in their last digit.
            const tolerance = name.includes("/ position") ? e.position_error : 4e-16 * Math.max(...values.map(Math.abs));
            near(got, values, tolerance, name);
        }
        const first = page.locator(".plot").first();
        await first.locator("input.add").fill("link 3 / velocity y");
        await first.locator("input.add").press("Enter");
        await first.locator("input.add").blur();
        await scrub(page, 0.5);
        const sample = (e.time.length - 1) / 2;
        const value = e.signals["link 3 / velocity y"][sample];
        shown(await first.locator("li", { hasText: "link 3 / velocity y" }).locator("output").innerText(), value, "beside the name");
        const [csv] = await Promise.all([page.waitForEvent("download"), first.getByLabel("Download the numbers of this plot").click()]);
        const lines = readFileSync(await csv.path(), "utf8").trim().split("\n");
        assert.equal(lines.length, e.time.length + 1);
        assert.equal(Number(lines[sample + 1].split(",").at(-1)), value);
        const [png] = await Promise.all([page.waitForEvent("download"), first.getByLabel("Download this plot as a picture").click()]);
        assert.deepEqual([...readFileSync(await png.path()).subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
        const plots = await get(page, "(p) => p.plots()");
        assert.ok(plots[1].log && plots[1].names.includes("residual / energy"));
        const head = await page.evaluate(() => [...document.querySelectorAll(".plot")].map((plot) => {
            const over = plot.querySelector(".u-over").getBoundingClientRect();
            return (plot.querySelector(".playhead").getBoundingClientRect().left + 0.5 - over.left) / over.width;
        }));
        for (const h of head) near(h, 0.5, 0.004, "the cursor of every plot stands where the time does");
    });
});

test("checkboxes draw vectors of the file", async () => {
    await opened("chain", async (page, e) => {
        await scrub(page, 0.5);
        await page.click("#tab-show");
        await page.selectOption("#body", { label: e.body });
        await page.locator("#about-show").fill(e.about.join(" "));
        await page.locator("#about-show").press("Enter");
        for (const [mark, { text, value, tolerance }] of Object.entries(e.vectors)) {
            const box = page.locator(`[data-mark="${mark}"]`);
            await box.check();
            await drawn(page);
            const vectors = await get(page, "(p) => p.vectors");
            const found = vectors.find((v) => v.text === text);
            assert.ok(found, `${mark}: ${JSON.stringify(vectors)}`);
            near(found.value, value, tolerance, mark);
            assert.ok((await page.locator("#overlay .label:visible").allInnerTexts()).includes(text), `${mark} has its word`);
            await box.uncheck();
            await drawn(page);
            assert.ok(!(await get(page, "(p) => p.vectors")).some((v) => v.text === text), `${mark} is gone`);
        }
        await page.locator('[data-cause="gravity"]').check();
        await drawn(page);
        near((await get(page, "(p) => p.vectors")).find((v) => v.text === "gravity").value, e.forces.gravity, 1e-12, "weight");
        await page.locator('[data-mark="reactions"]').check();
        await drawn(page);
        for (const [name, values] of Object.entries(e.plotted)) near(await get(page, "(p, n) => p.values(n)", name), values, 1e-15 * Math.max(...values.map(Math.abs)), name);
        for (const [text, value] of Object.entries(e.reactions))
            near((await get(page, "(p) => p.vectors")).find((v) => v.text === text).value, value, 1e-12, `reaction ${text}`);
        for (const mark of ["center", "inertia", "axes", "trails", "names", "joints", "ground", "grid"]) {
            const box = page.locator(`[data-mark="${mark}"]`), was = await box.isChecked();
            await box.setChecked(!was);
            await drawn(page);
            assert.equal((await get(page, "(p) => p.shown")).includes(mark), !was, mark);
        }
    });
});

test("Poinsot's picture has the energy and the momentum of the file", async () => {
    await opened("polhode", async (page, e) => {
        assert.ok((await get(page, "(p) => p.shown")).includes("picture"));
        for (const s of [0.25, 0.5, 0.75]) {
            await scrub(page, s);
            const c = await get(page, "(p) => p.construction");
            // 2T = L · ω of the file; the residual of its energy is 1e-13 J.
            near(c.twoT, e.twoT, 1e-12 * e.twoT, "2T");
            near(c.L, e.L, 1e-12 * e.L, "|L|");
            near(c.distance, e.twoT / e.L, 1e-12 * (e.twoT / e.L), "the plane");
        }
    });
});

test("the facts of the run are those of the file", async () => {
    await opened("chain", async (page, e) => {
        await page.click("#tab-run");
        const text = await page.locator("#panel-run").innerText();
        for (const fact of e.facts) assert.ok(text.includes(fact), `${fact} in ${text}`);
    });
});

test("impacts and the worst residual are ticks to jump to", async () => {
    await opened("knee", async (page, e) => {
        const events = await get(page, "(p) => p.events");
        near(events.filter((v) => v.kind === "impact").map((v) => v.time), e.impacts, 1e-12, "impacts");
        near([events.find((v) => v.kind === "worst residual" && v.text.startsWith("energy")).time], [e.worst], 1e-12, "worst residual");
        assert.equal(await page.locator(".tick").count(), events.length);
        await page.keyboard.press("Home");
        await page.keyboard.press(".");
        assert.equal(await get(page, "(p) => p.time"), events[0].time);
        await page.locator('.tick[data-kind="impact"]').last().click();
        assert.equal(await get(page, "(p) => p.time"), e.impacts.at(-1));
        assert.match(await page.locator("#event").innerText(), /impact: joint 'knee' strikes its upper limit 0 with/);
        // A tick stands at its moment, and what is shown there is the moment: the knee is straight, between frames too.
        const bar = await page.locator("#slider").boundingBox(), end = e.frames.at(-1);
        for (const [i, box] of (await Promise.all((await page.locator('.tick[data-kind="impact"]').all()).map((t) => t.boundingBox()))).entries())
            near(box.x + box.width / 2, bar.x + (bar.width * e.impacts[i]) / end, 0.6, "place of a tick, px");
        const first = e.impacts[0];
        assert.ok(!e.frames.some((t) => Math.abs(t - first) < 1e-3), "it lies between frames");
        const bent = async (t) => {
            await page.evaluate((time) => window.poinsot.go(time), t);
            const [a, b] = await Promise.all(["thigh", "shank"].map((n) => get(page, "(p, n) => p.pose(n).orientation", n)));
            return 2 * Math.acos(Math.min(1, Math.abs(a.reduce((s, k, c) => s + k * b[c], 0))));
        };
        // It turns at several rad/s and frames are 0.05 s apart: a straight turn between them would leave it bent by a tenth.
        assert.ok((await bent(first)) < 0.03, `bent by ${await bent(first)} rad where it strikes`);
        assert.ok((await bent(first - 0.02)) > 0.05, "and before that it is");
    });
});

test("everything can be reached and named without a mouse, and a tree of names is all that is needed", async () => {
    await opened("knee", async (page, e) => {
        const stops = [];
        for (let i = 0; i < 100; ++i) {
            await page.keyboard.press("Tab");
            const stop = await page.evaluate(() => (document.activeElement === document.body ? null : document.activeElement.className || document.activeElement.id || document.activeElement.tagName));
            if (!stop) break;
            stops.push(stop);
        }
        assert.ok(stops.length < 60, `${stops.length} stops of the tabulator key`);
        assert.equal(stops.filter((s) => s === "tick").length, 1, "one for all events");
        // From event to event with the arrow keys; with shift they turn the view, on a tab too.
        await page.locator(".tick").first().focus();
        const events = await get(page, "(p) => p.events");
        for (const event of events.slice(1, 4)) {
            await page.keyboard.press("ArrowRight");
            assert.equal(await get(page, "(p) => p.time"), event.time);
        }
        const eye = await get(page, "(p) => p.eye");
        await page.locator("#tab-ledger").focus();
        await page.keyboard.press("Shift+ArrowRight");
        await drawn(page);
        assert.equal(await page.locator("#tab-ledger").getAttribute("aria-selected"), "true");
        assert.notDeepEqual(await get(page, "(p) => p.eye"), eye);
        await page.keyboard.press("ArrowRight");
        assert.equal(await page.locator("#tab-show").getAttribute("aria-selected"), "true");
        // A signal that is none is said to be none.
        const add = page.getByLabel("Add a signal to this plot").first();
        await add.fill("no such thing");
        await add.press("Enter");
        assert.equal(await add.getAttribute("aria-invalid"), "true");
        assert.match(await page.locator("#live").innerText(), /There is no signal no such thing/);
        // What a screen reader gets: every control and every plot has a name.
        const session = await page.context().newCDPSession(page);
        const { nodes } = await session.send("Accessibility.getFullAXTree");
        const said = nodes.filter((n) => !n.ignored && ["button", "checkbox", "textbox", "combobox", "slider", "radio", "tab", "tabpanel", "image", "figure", "group", "table"].includes(n.role?.value));
        assert.deepEqual(said.filter((n) => !n.name?.value).map((n) => n.role.value), []);
        assert.ok(said.some((n) => n.role.value === "figure" && n.name.value.startsWith("Plot: energy / total")), said.map((n) => n.name.value).join("; "));
        assert.ok(said.some((n) => n.name.value.includes("joint 'knee' strikes its upper limit")));
    });
});

// Pixels of the picture that differ from those kept before; keeps these where it is told to.
const changed = (page, keep = false) => page.evaluate((keep) => {
    const from = document.querySelector("#canvas"), c = document.createElement("canvas");
    c.width = from.width, c.height = from.height;
    const g = c.getContext("2d");
    g.drawImage(from, 0, 0);
    const now = g.getImageData(0, 0, c.width, c.height).data, before = window.kept ?? now;
    if (keep) window.kept = now;
    let n = 0;
    for (let i = 0; i < now.length; i += 4)
        if (Math.abs(now[i] - before[i]) + Math.abs(now[i + 1] - before[i + 1]) + Math.abs(now[i + 2] - before[i + 2]) > 24) ++n;
    return n;
}, keep);

test("springs, dampers, bushings, planes and surfaces of bodies are drawn where they are, in dark and light, and listed by name", async () => {
    for (const colorScheme of ["dark", "light"])
        await opened("parts", async (page, e) => {
            const names = async (what) => (await get(page, "(p) => p.signs"))[what].map((s) => s.name);
            assert.deepEqual(await names("springs"), ["coil", "shock"]);
            assert.deepEqual(await names("joints"), ["hinge"]);
            assert.deepEqual((await names("bushings")).sort(), ["mast/root", "mast/seam 1", "mast/seam 2", "mount <b>x</b>", "seam"]);
            assert.deepEqual(await names("planes"), ["wall"]);
            assert.deepEqual(await names("surfaces"), ["table"]);
            assert.deepEqual(await names("fixed"), ["bumper"]); // what has no shape looks like its surfaces
            const mount = (await get(page, "(p) => p.signs")).bushings.find((s) => s.name.startsWith("mount"));
            near(mount.at, [1.2, 0, 2], 1e-3, "where the bushing is at the start");
            // Each changes the picture where it is switched off.
            await page.click("#tab-show");
            await changed(page, true);
            for (const [mark, gone] of [["joints", ["joints", "bushings"]], ["springs", ["springs"]], ["ground", ["planes", "surfaces"]], ["skins", ["fixed"]]]) {
                await page.locator(`[data-mark="${mark}"]`).uncheck();
                await drawn(page);
                for (const what of gone) assert.deepEqual(await names(what), [], what);
                const pixels = await changed(page);
                assert.ok(pixels > 150, `${mark}, ${colorScheme}: ${pixels} pixels`);
                await page.locator(`[data-mark="${mark}"]`).check();
                await drawn(page);
            }
            assert.equal(await changed(page), 0, "and comes back");
            // By name, as text.
            await page.locator(".bonds summary").click();
            const listed = await page.locator(".bonds li").allInnerTexts();
            for (const text of ["hinge revolute, with a spring: the world to cart", "coil spring: block to cart", "shock damper: block to cart", "mount <b>x</b> bushing: block to cart"])
                assert.ok(listed.includes(text), `${text} in ${listed}`);
            await page.locator('[data-mark="names"]').check();
            await drawn(page);
            assert.ok((await page.locator("#overlay .label:visible").allInnerTexts()).includes("mount <b>x</b>"));
            // They move with their bodies; what has let go is gone.
            await page.keyboard.press("End");
            await drawn(page);
            assert.ok(!(await names("bushings")).includes("seam"));
            near((await get(page, "(p) => p.signs")).fixed[0].at, e.block.at(-1), 2 * e.position_error + 1e-12, "the bumper is where its body is");
            // From the keyboard.
            await page.locator("#canvas").focus();
            await page.keyboard.press("U");
            await drawn(page);
            assert.deepEqual(await names("fixed"), []);
        }, { colorScheme });
});

// The picture in so many rows and columns of its lightness.
const lightness = (page) => page.evaluate(() => {
    const c = document.createElement("canvas");
    [c.width, c.height] = [160, 90];
    const g = c.getContext("2d");
    g.drawImage(document.querySelector("#canvas"), 0, 0, c.width, c.height);
    const d = g.getImageData(0, 0, c.width, c.height).data;
    return Array.from({ length: d.length / 4 }, (_, i) => (d[4 * i] + d[4 * i + 1] + d[4 * i + 2]) / 3);
});

test("what is a planet's radius away is drawn as what is near: bodies, springs, bushings, paths, arrows and marks", async () => {
    const pictures = [];
    for (const name of ["near", "far"])
        await opened(name, async (page) => {
            await page.click("#tab-show");
            await page.locator('[data-mark="grid"]').uncheck(); // it lies by the level of the origin
            for (const mark of ["trails", "center", "velocity", "inertia"]) await page.locator(`[data-mark="${mark}"]`).check();
            await page.keyboard.press("End");
            await drawn(page);
            pictures.push(await lightness(page));
        });
    const [near, far] = pictures;
    const seen = near.filter((k) => Math.abs(k - near[0]) > 8).length;
    assert.ok(seen > 500, `${seen} of 14400 show anything`);
    // Places are rounded differently by a nanometre: an edge may fall on another pixel.
    const off = near.filter((k, i) => Math.abs(k - far[i]) > 8).length;
    assert.ok(off < 0.02 * seen, `${off} of ${seen} differ`);
});

test("over a round planet the page has its body in the picture, up against gravity, and height, latitude and Mach as curves", async () => {
    await opened("planet", async (page, e) => {
        assert.ok(e.x > 4e6);
        const picture = await lightness(page);
        assert.ok(picture.filter((k) => Math.abs(k - picture[0]) > 8).length > 100);
        assert.match(await page.locator("#corner").innerText(), /against gravity is up/);
        const signals = await get(page, "(p) => p.signals");
        for (const name of ["ball / latitude", "ball / altitude", "ball / Mach", "whole / height", "whole / load factor"]) assert.ok(signals.includes(name), name);
        near((await get(page, "(p) => p.values('ball / altitude')"))[0], 36000, 1e-8, "altitude");
        near((await get(page, "(p) => p.values('whole / height')"))[0], 36000, 1e-8, "height");
    });
});

test("cuts show the numbers of the file: curves, panel, rings; limits and breaks are ticks to jump to", async () => {
    await opened("breaks", async (page, e) => {
        for (const [name, values] of Object.entries(e.signals)) {
            near(await get(page, "(p, n) => p.values(n)", name), values, 0, name);
        }
        const plots = await get(page, "(p) => p.plots()");
        assert.ok(plots.some((p) => p.names.includes("left root / utilisation") && p.names.includes("right root / utilisation")), "utilisation is plotted");
        const events = await get(page, "(p) => p.events");
        for (const event of e.events) {
            const found = events.find((v) => v.kind === event.kind && v.time === event.time);
            assert.ok(found, `${event.kind} at ${event.time}: ${JSON.stringify(events)}`);
            assert.deepEqual([found.name, found.load, found.utilisation, found.text], [event.name, event.load, event.utilisation, event.text]);
        }
        assert.deepEqual(e.events.map((v) => v.kind), ["overload", "break"]);
        // Before it breaks: the panel and the words beside the rings.
        await page.click("#tab-cuts");
        await page.evaluate((t) => window.poinsot.go(t), e.time[e.before]);
        await drawn(page);
        for (const name of ["left root", "right root"]) {
            const used = e.signals[`${name} / utilisation`][e.before];
            const text = await page.locator(`[data-cut="${name}"] .state`).innerText();
            const percent = /^([\d.]+)\s*%/.exec(text);
            assert.ok(percent && Math.abs(Number(percent[1]) - 100 * used) <= 0.051, `${text} is shown for ${used}`);
            assert.match(text, /by bending/);
            const cells = await page.locator(`[data-cut="${name}"] tbody td`).allInnerTexts();
            [...e.force[name], ...e.moment[name]].forEach((value, k) => shown(cells[k], value, `${name}, load ${k}`));
            const width = await page.locator(`[data-cut="${name}"] .used`).evaluate((m) => m.getBoundingClientRect().width / m.parentElement.clientWidth);
            near(width, used, 0.01, "the bar is as long as the part that is used");
            const labels = await page.locator("#overlay .label:visible").allInnerTexts();
            assert.ok(labels.some((l) => l.startsWith(`${name} ${percent[1]}`)), `${name} in ${labels}`);
        }
        // To the break and beyond.
        await page.locator('.tick[data-kind="break"]').click();
        await drawn(page);
        const broke = e.events.find((v) => v.kind === "break");
        assert.equal(await get(page, "(p) => p.time"), broke.time);
        await page.locator('.tick[data-kind="overload"]').click();
        assert.equal(await get(page, "(p) => p.time"), broke.time);
        assert.match(await page.locator("#event").innerText(), /overload|break/);
        await page.evaluate((t) => window.poinsot.go(t), e.time[e.before + 4]);
        await drawn(page);
        assert.equal(await page.locator('[data-cut="right root"] .state').innerText(), "has let go");
        assert.ok((await page.locator("#overlay .label:visible").allInnerTexts()).includes("right root: gone"));
        await page.keyboard.press("End");
        await drawn(page);
        const [wing, fuselage] = await Promise.all(["right wing/1", "fuselage"].map((n) => get(page, "(p, n) => p.pose(n)", n)));
        near(Math.hypot(...wing.position.map((k, c) => k - fuselage.position[c])), e.apart, 2 * e.position_error, "the wing is away");
        assert.ok(e.apart > 5, "they part");
        await page.locator("#tab-show").click();
        await page.locator('[data-mark="cuts"]').uncheck();
        await drawn(page);
        assert.ok(!(await page.locator("#overlay .label:visible").allInnerTexts()).some((l) => l.includes("root")), "no word without its ring");
        await page.locator("#tab-cuts").click();
        await page.getByRole("button", { name: "Plot moments of left root" }).click();
        assert.ok((await get(page, "(p) => p.plots()")).some((p) => p.names.includes("left root / bending x")));
    });
});

test("what cuts carry in two runs is compared, and a run without cuts is a ghost all the same", async () => {
    await opened("breaks", async (page, e) => {
        for (const file of [e.coarse, e.calm]) {
            await page.evaluate(() => window.poinsot.go(1));
            await page.locator("input[type=file]").setInputFiles(file);
            await page.waitForFunction(() => window.poinsot.comparison);
            await drawn(page);
            if (file === e.calm) continue;
            const plot = page.locator(".plot", { hasText: "left root / utilisation" });
            await plot.getByLabel("Difference from the second run").click();
            const rows = (await get(page, "(p) => p.plots()")).find((p) => p.names.includes("left root / utilisation")).csv.trim().split("\n");
            assert.match(rows[0], /Δ left root \/ utilisation/);
            const column = rows[0].split(",").findIndex((name) => name.includes("left root / utilisation"));
            near(rows.slice(1).map((r) => Number(r.split(",")[column])), e.difference, 1e-9, "the difference of the files"); // times are rounded
            assert.ok(e.difference.some((d) => Math.abs(d) > 1e-6));
        }
    });
});

test("numbers of the table of energies do not touch each other", async () => {
    for (const viewport of [{ width: 1440, height: 900 }, { width: 1000, height: 700 }])
        await opened("breaks", async (page) => {
            await page.keyboard.press("End");
            const measured = () => page.evaluate(() => [...document.querySelectorAll("#panel-ledger table")].flatMap((table) => [...table.querySelectorAll("tbody tr")].flatMap((row) => {
                const boxes = [...row.children].filter((c) => c.textContent).map((cell) => {
                    const range = document.createRange();
                    range.selectNodeContents(cell);
                    return range.getBoundingClientRect();
                });
                return boxes.slice(1).map((b, i) => ({ gap: b.left - boxes[i].right, text: row.textContent, beyond: b.right - table.getBoundingClientRect().right }));
            })));
            const gaps = await measured();
            assert.ok(gaps.length > 20);
            for (const { gap, text, beyond } of gaps) assert.ok(gap >= 3 && beyond <= 1, `${gap} px, ${beyond} beyond: ${text}`);
            if (viewport.width > 1300) return; // a wide page has room anyway
            await page.evaluate(() => document.querySelectorAll("table.many").forEach((t) => t.classList.remove("many")));
            assert.ok((await measured()).some(({ gap }) => gap < 3), "without its own layout they would");
        }, { viewport });
});

test("a stage that separates and impacts that are located are ticks at their moments", async () => {
    await opened("staged", async (page, e) => {
        const event = (await get(page, "(p) => p.events")).find((v) => v.kind === "release");
        assert.deepEqual([event.time, event.text], [e.release, e.text]);
        await page.locator('.tick[data-kind="release"]').click();
        assert.equal(await get(page, "(p) => p.time"), e.release);
    });
    await opened("struck", async (page, e) => {
        const impacts = (await get(page, "(p) => p.events")).filter((v) => v.kind === "impact").map((v) => v.time);
        assert.ok(e.impacts.length > 2);
        near(impacts, e.impacts, 0, "impacts of the file, and no others");
        // Where it strikes, the ball touches: off by what it falls in the time between two frames, at most.
        for (const [i, t] of e.impacts.entries()) {
            await page.evaluate((time) => window.poinsot.go(time), t);
            const { position } = await get(page, "(p, n) => p.pose(n)", e.struck[i]);
            near(position[2], e.radius, 0.5 * 9.81 * e.apart ** 2 + 2 * e.position_error, `${e.struck[i]} at ${t}`);
        }
    });
});

test("a second run is a ghost; where the two part is found", async () => {
    await opened("chain", async (page, e) => {
        await page.locator("input[type=file]").setInputFiles(expected.other.file);
        await page.waitForFunction(() => window.poinsot.comparison);
        await drawn(page);
        const c = await get(page, "(p) => p.comparison");
        const { early, late, by, apart, position_error } = expected.other;
        const rounding = e.position_error + position_error;
        const sample = e.time.indexOf(c.first.time), body = e.names.indexOf(c.first.name);
        assert.ok(early <= sample && sample <= late, `${sample} is from ${early} to ${late}`);
        assert.ok(by[sample][body] > 0.5 && by[sample][body] > Math.max(...by[sample]) - 1, "the body that is farthest off");
        near(c.first.distance, apart[sample][body], rounding, "apart by");
        near(c.largest.distance, Math.max(...apart.flat()), rounding, "most apart");
        const signal = await get(page, "(p) => p.values('difference / largest distance')");
        near(signal, apart.map((row) => Math.max(...row)), rounding, "difference over time");
        await page.click("#parting");
        assert.deepEqual([await get(page, "(p) => p.time"), await get(page, "(p) => p.selected")], [c.first.time, c.first.name]);
        await page.getByLabel("Difference from the second run").nth(1).click();
        const csv = (await get(page, "(p) => p.plots()"))[1].csv.split("\n");
        assert.match(csv[0], /Δ energy/);
        assert.ok((await get(page, "(p) => p.plots()")).some((p) => p.names.includes("difference / largest distance") && p.log));
        const ghost = await get(page, "(p, n) => p.ghost(n)", c.first.name);
        assert.ok(ghost);
    });
});

test("a page of two runs says when and where they part as the program found it", async () => {
    await opened("compared", async (page, e) => {
        await page.waitForFunction(() => window.poinsot.comparison);
        const c = await get(page, "(p) => p.comparison");
        assert.deepEqual([c.fromPoses, c.first.time, c.first.name], [false, e.time, e.body]);
        const signal = await get(page, "(p) => p.values('difference / largest distance')");
        assert.equal(Math.max(...signal), e.largest);
        await page.click("#tab-run");
        assert.match(await page.locator("#panel-run, [role=tabpanel]:visible").first().innerText(), /Found by the program/);
    });
});

test("markup in names of a scene is text everywhere", async () => {
    await opened("markup", async (page, e) => {
        await page.keyboard.press("n");
        await page.keyboard.press(".");
        for (const tab of ["run", "show", "ledger"]) await page.click(`#tab-${tab}`);
        const input = page.locator(".plot input.add").first();
        await input.fill(`${e.name} / position x`);
        await input.press("Enter");
        await input.blur();
        await page.selectOption("#books-of", { index: 1 });
        await page.keyboard.press("q");
        await drawn(page);
        assert.equal(await page.locator("img").count(), 0);
        assert.equal(await page.locator("h1 b").count(), 0);
        for (const where of ["#overlay", "#plots", "#body", "#books-of", "#panel-run .story"])
            assert.ok((await page.locator(where).evaluate((el) => el.textContent)).includes(e.name), `${where} has the name as text`);
        assert.equal(await page.locator("h1").innerText(), e.title);
        assert.equal(await page.title(), `${e.title} · Poinsot`);
    });
});

test("every flagship scene opens, draws and plays without an error", async () => {
    for (const name of Object.keys(expected).filter((n) => n.startsWith("scene: ")))
        await opened(name, async (page) => {
            await page.keyboard.press(" ");
            await page.waitForFunction(() => window.poinsot.time > 0, null, { polling: 30 });
            await page.keyboard.press(" ");
            for (const key of "eanvwplAqQPLctir") await page.keyboard.press(key);
            await drawn(page);
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name}: nothing sticks out to the side`);
        }, { viewport: { width: 1000, height: 700 } });
});
