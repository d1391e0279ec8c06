// SPDX-License-Identifier: MIT
// Writes pages in the format of FORMAT.md: the reference for other writers.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const arrays = {
    f64: Float64Array, f32: Float32Array, u32: Uint32Array, i32: Int32Array, u16: Uint16Array, i16: Int16Array, u8: Uint8Array,
};

/** The data of a page: blocks one after another, each on a multiple of eight bytes. */
export class Data {
    parts = [];
    bytes = 0;

    /** Puts an array of numbers and gives its block. */
    put(type, shape, values) {
        const array = values instanceof arrays[type] ? values : arrays[type].from(values);
        const count = shape.reduce((a, b) => a * b, 1);
        if (array.length !== count) throw new Error(`block of ${array.length} numbers with shape ${shape}`);
        return this.raw({ type, shape }, new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    }

    /** The same for u16 by second differences along the first axis. */
    putDifferences(shape, k) {
        const count = k.length, row = count / (shape[0] || 1);
        const bytes = new Uint8Array(2 * count);
        for (let i = 0; i < count; ++i) {
            let d = k[i] - 2 * (i >= row ? k[i - row] : 0) + (i >= 2 * row ? k[i - 2 * row] : 0);
            d = (d << 16) >> 16; // modulo 2¹⁶, signed
            const zigzag = ((d << 1) ^ (d >> 31)) & 65535;
            bytes[i] = zigzag & 255;
            bytes[count + i] = zigzag >> 8;
        }
        return this.raw({ type: "u16", shape, filter: "second_difference" }, bytes);
    }

    raw(block, bytes) {
        const offset = this.bytes;
        const padded = Math.ceil(bytes.length / 8) * 8;
        this.parts.push({ bytes, padded });
        this.bytes += padded;
        return { ...block, offset };
    }

    all() {
        const out = new Uint8Array(this.bytes);
        let at = 0;
        for (const { bytes, padded } of this.parts) {
            out.set(bytes, at);
            at += padded;
        }
        return out;
    }
}

/** Smallest three in 3 × 15 bits; see FORMAT.md. */
export function packOrientation(q, out, at) {
    let largest = 0;
    for (let i = 1; i < 4; ++i) if (Math.abs(q[i]) > Math.abs(q[largest])) largest = i;
    const sign = q[largest] < 0 ? -1 : 1;
    let word = 0;
    for (let i = 0; i < 4; ++i) {
        if (i === largest) continue;
        const k = Math.round((sign * q[i] * Math.SQRT2 + 1) * 16383);
        out[at + word++] = Math.max(0, Math.min(32766, k));
    }
    out[at] |= (largest >> 1) << 15;
    out[at + 1] |= (largest & 1) << 15;
}

/** Poses f × n: x(f, i) and q(f, i) give them. Quantised, or as f64. */
export function posesOf(data, f, n, x, q, exact = false) {
    if (exact) {
        const xs = new Float64Array(f * n * 3), qs = new Float64Array(f * n * 4);
        for (let k = 0; k < f; ++k)
            for (let i = 0; i < n; ++i) {
                xs.set(x(k, i), 3 * (k * n + i));
                qs.set(q(k, i), 4 * (k * n + i));
            }
        return { position: { values: data.put("f64", [f, n, 3], xs), error: 0 }, orientation: { values: data.put("f64", [f, n, 4], qs), error: 0 } };
    }
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let k = 0; k < f; ++k)
        for (let i = 0; i < n; ++i) {
            const p = x(k, i);
            for (let c = 0; c < 3; ++c) {
                low[c] = Math.min(low[c], p[c]);
                high[c] = Math.max(high[c], p[c]);
            }
        }
    if (n === 0 || f === 0) low.fill(0), high.fill(0);
    const grain = low.map((l, c) => (high[c] - l) / 65535);
    const xs = new Uint16Array(f * n * 3), qs = new Uint16Array(f * n * 3);
    for (let k = 0; k < f; ++k)
        for (let i = 0; i < n; ++i) {
            const at = 3 * (k * n + i), p = x(k, i);
            for (let c = 0; c < 3; ++c) xs[at + c] = grain[c] > 0 ? Math.round((p[c] - low[c]) / grain[c]) : 0;
            packOrientation(q(k, i), qs, at);
        }
    return {
        position: { values: data.putDifferences([f, n, 3], xs), low, high, error: Math.hypot(...grain) / 2 },
        orientation: { values: data.putDifferences([f, n, 3], qs), error: 1.5e-4 },
    };
}

export const escapeJson = (value) => JSON.stringify(value).replaceAll("<", "\\u003c");

const escapeHtml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** The page with these runs, as text. */
export function pageOf(runs, data, { compress = true, chunkBytes = 1 << 23, compare = undefined } = {}) {
    const all = data.all();
    const chunks = Math.ceil(all.length / chunkBytes);
    const page = {
        format: "poinsot page", version: [1, 3],
        data: { bytes: all.length, chunk_bytes: chunkBytes, chunks, compression: compress ? "deflate" : "none" },
        runs, compare,
    };
    const scripts = [`<script type="application/json" id="poinsot-run">${escapeJson(page)}</script>`];
    for (let i = 0; i < chunks; ++i) {
        const raw = all.subarray(i * chunkBytes, Math.min(all.length, (i + 1) * chunkBytes));
        const packed = Buffer.from(compress ? deflateSync(raw, { level: 6 }) : raw).toString("base64");
        scripts.push(`<script type="application/octet-stream;base64" id="poinsot-data-${i}">${packed}</script>`);
    }
    const template = readFileSync(join(here, "../dist/page.html"), "utf8");
    return template
        .replace("<title>Poinsot</title>", () => `<title>${escapeHtml(runs[0]?.title ?? "")} · Poinsot</title>`)
        .replace("<!--poinsot:data-->", () => scripts.join("\n"));
}

export function writePage(file, runs, data, options) {
    const text = pageOf(runs, data, options);
    writeFileSync(file, text);
    return text.length;
}
