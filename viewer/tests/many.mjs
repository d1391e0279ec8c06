// SPDX-License-Identifier: MIT
// The page of 10,000 bodies in 1,001 frames, made by the program: how long it takes to open, and how it plays.
// tests/viewer/many_bodies.py makes it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { launch, open, processorSeconds } from "./browser.mjs";

test("10,000 bodies: time to load, pictures per second", async (t) => {
    const e = JSON.parse(readFileSync(process.env.POINSOT_PAGES, "utf8"));
    const browser = await launch();
    const { page, seen, context, loaded } = await open(browser, e.file);
    const taken = await processorSeconds(page);
    await page.waitForFunction(() => window.poinsot.drawn > 0 && window.poinsot.settled, null, { polling: 30 });
    await page.keyboard.press(" ");
    const [from, begin] = [await page.evaluate(() => window.poinsot.drawn), performance.now()];
    await page.waitForTimeout(6000);
    const rate = (1000 * ((await page.evaluate(() => window.poinsot.drawn)) - from)) / (performance.now() - begin);
    await page.keyboard.press(" ");
    const renderer = await page.evaluate(() => {
        const gl = document.createElement("canvas").getContext("webgl2");
        return gl.getParameter(gl.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER);
    });
    const software = /swiftshader|llvmpipe|software/i.test(renderer);
    t.diagnostic(`${(e.bytes / 1e6).toFixed(1)} MB, open after ${(loaded / 1000).toFixed(1)} s, ${taken.toFixed(1)} s of processor; `
        + `${rate.toFixed(1)} pictures per second, ${(await page.evaluate(() => window.poinsot.work)).toFixed(1)} ms of script each, drawn ${software ? "in software" : `by ${renderer}`}`);
    assert.ok(e.bytes < 150e6);
    assert.ok(taken < 10, `${taken} s of processor to load`);
    assert.ok(await page.evaluate(() => window.poinsot.time) > 0.1, "it plays");
    // Software on a shared machine: two pictures a second still play; a graphics card must reach thirty.
    assert.ok(rate > (software ? 2 : 30), `${rate} pictures per second`);
    for (const [t0, name, place] of e.places) {
        await page.evaluate((s) => window.poinsot.go(s), t0);
        const pose = await page.evaluate((n) => window.poinsot.pose(n), name);
        assert.ok(Math.hypot(...pose.position.map((k, c) => k - place[c])) <= e.error * (1 + 1e-9), `${name} at ${t0} s`);
    }
    assert.deepEqual(seen.errors, []);
    await context.close();
    await browser.close();
});
