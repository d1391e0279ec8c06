// SPDX-License-Identifier: MIT
// Elements from code. Texts of a scene reach the page through textContent and attributes only, so
// markup in a name stays text.

type Attributes = Record<string, string | number | boolean | ((e: never) => void)>;

export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K, attributes: Attributes = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") element.addEventListener(name, value as EventListener);
        else if (name === "class") element.className = String(value);
        else if (value === true) element.setAttribute(name, "");
        else if (value !== false) element.setAttribute(name, String(value));
    }
    for (const child of children) element.append(child); // a string becomes a text node
    return element;
}

export const byId = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

/** A number in at most `digits` significant digits, with a true minus sign. */
export function show(value: number, digits = 5): string {
    if (!Number.isFinite(value)) return Number.isNaN(value) ? "—" : value > 0 ? "∞" : "−∞";
    if (value === 0) return "0";
    const size = Math.abs(value);
    const text = size >= 1e5 || size < 1e-3
        ? value.toExponential(Math.max(1, digits - 2)).replace("e+", "e").replace(/\.?0+e/, "e")
        : String(Number(value.toPrecision(digits)));
    return text.replaceAll("-", "−");
}

let live: HTMLElement | null = null;
/** Says something to readers of the screen. */
export function say(text: string): void {
    live ??= byId("live");
    if (live) live.textContent = text;
}

export function download(name: string, content: Blob): void {
    const url = URL.createObjectURL(content);
    const link = el("a", { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export const fileName = (text: string): string =>
    text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 60) || "poinsot";
