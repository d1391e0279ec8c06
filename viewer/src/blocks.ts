// SPDX-License-Identifier: MIT
// From the text of the page to arrays of numbers: base64, deflate, differences.

import type { Block, NumberType, Page } from "./format";

export type Numbers =
    | Float64Array | Float32Array | Uint32Array | Int32Array | Uint16Array | Int16Array | Uint8Array;

const digits = (() => {
    const table = new Uint8Array(128).fill(255);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (let i = 0; i < 64; ++i) table[alphabet.charCodeAt(i)] = i;
    return table;
})();

/** Base64 without white space inside; white space around it is passed over. */
export function base64Bytes(text: string): Uint8Array<ArrayBuffer> {
    const native = Uint8Array as unknown as { fromBase64?: (t: string) => Uint8Array<ArrayBuffer> };
    if (native.fromBase64) return native.fromBase64(text);
    let begin = 0, end = text.length;
    while (begin < end && text.charCodeAt(begin) <= 32) ++begin;
    while (end > begin && (text.charCodeAt(end - 1) <= 32 || text[end - 1] === "=")) --end;
    const bytes = new Uint8Array(Math.floor(((end - begin) * 3) / 4));
    let bits = 0, held = 0, at = 0;
    for (let i = begin; i < end; ++i) {
        const digit = digits[text.charCodeAt(i) & 127]!;
        if (digit === 255) throw new Error("the data of this page are damaged: not base64");
        bits = (bits << 6) | digit;
        held += 6;
        if (held >= 8) bytes[at++] = (bits >> (held -= 8)) & 255;
    }
    return bytes;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The data of a page, chunk after chunk; `chunk` gives the text of one. */
export async function readData(data: Page["data"], chunk: (i: number) => string): Promise<ArrayBuffer> {
    const all = new Uint8Array(data.bytes);
    for (let i = 0; i < data.chunks; ++i) {
        const packed = base64Bytes(chunk(i));
        const bytes = data.compression === "deflate" ? await inflate(packed) : packed;
        const begin = i * data.chunk_bytes;
        if (bytes.length !== Math.min(data.chunk_bytes, data.bytes - begin))
            throw new Error(`the data of this page are damaged: chunk ${i} has ${bytes.length} bytes`);
        all.set(bytes, begin);
    }
    return all.buffer;
}

// The filter stores, for u16 values k along the first axis, the byte planes (all low bytes, then
// all high bytes) of the zigzag code of the second difference
//
//     d_i = k_i − 2 k_(i−1) + k_(i−2)   mod 2¹⁶,  k_(−1) = k_(−2) = 0
//
// A smooth motion leaves numbers of two or three bits, which deflate packs to about that.
export function unfilter(bytes: Uint8Array, count: number, row: number): Uint16Array {
    const k = new Uint16Array(count);
    for (let i = 0; i < count; ++i) {
        const z = bytes[i]! | (bytes[count + i]! << 8);
        const d = (z >>> 1) ^ -(z & 1);
        const before = i >= row ? k[i - row]! : 0;
        const twice = i >= 2 * row ? k[i - 2 * row]! : 0;
        k[i] = d + 2 * before - twice;
    }
    return k;
}

const kinds: Record<NumberType, { new (b: ArrayBuffer, o: number, n: number): Numbers; BYTES_PER_ELEMENT: number }> = {
    f64: Float64Array, f32: Float32Array, u32: Uint32Array, i32: Int32Array,
    u16: Uint16Array, i16: Int16Array, u8: Uint8Array,
};

/** The numbers of a block, in place where they are not filtered. */
export function numbersOf(data: ArrayBuffer, block: Block): Numbers {
    const count = block.shape.reduce((a, b) => a * b, 1);
    const kind = kinds[block.type];
    if (!kind) throw new Error(`block of unknown type ${String(block.type)}`);
    if (block.offset % 8 || block.offset + count * kind.BYTES_PER_ELEMENT > data.byteLength)
        throw new Error(`block at ${block.offset} does not lie in the data`);
    if (block.filter === "second_difference")
        return unfilter(new Uint8Array(data, block.offset, 2 * count), count, count / (block.shape[0] || 1));
    return new kind(data, block.offset, count);
}
