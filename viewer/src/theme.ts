// SPDX-License-Identifier: MIT
// Dark and light, and the colours that code needs. Colours come from Okabe and Ito's set, which
// readers who confuse red and green tell apart; every use of one is named in words as well.

import { Color } from "three";

export type Theme = "dark" | "light";

const bodyColours = {
    dark: ["#8fb3d9", "#e0b066", "#7fc4a8", "#cf9bbd", "#d98c6a", "#a9b4c2", "#c9c27a", "#85a0e0"],
    light: ["#5f8fc0", "#cf922f", "#3f9f7c", "#b0719b", "#c66a3f", "#7d8998", "#a89d38", "#5b78c7"],
};
const lineColours = {
    dark: ["#6db3f2", "#f0b04a", "#4fcfa0", "#e58fc0", "#f2795a", "#c8cfd8"],
    light: ["#1f6fb5", "#b36b00", "#00815a", "#a83f7f", "#c23b12", "#3c4550"],
};

export const arrowColours: Record<string, { dark: string; light: string }> = {
    velocity: { dark: "#5cc8f0", light: "#0d7fae" },
    omega: { dark: "#f2d25a", light: "#997600" },
    p: { dark: "#5fd6a5", light: "#00805a" },
    L: { dark: "#f08a6b", light: "#c0431b" },
    force: { dark: "#e79ac8", light: "#a83b82" },
    reaction: { dark: "#c3a6f2", light: "#6b46b8" },
};

let theme: Theme = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
const listeners: (() => void)[] = [];

export const currentTheme = (): Theme => theme;
export function setTheme(next: Theme): void {
    theme = next;
    document.documentElement.dataset.theme = next;
    for (const f of listeners) f();
}
export const onTheme = (f: () => void): void => void listeners.push(f);

export const css = (name: string): string =>
    getComputedStyle(document.documentElement).getPropertyValue(name).trim();
export const bodyColour = (i: number): Color => new Color(bodyColours[theme][i % bodyColours[theme].length]);
export const lineColour = (i: number): string => lineColours[theme][i % lineColours[theme].length]!;
export const arrowColour = (kind: string): Color => new Color((arrowColours[kind] ?? arrowColours.force!)[theme]);
export const dashes: number[][] = [[], [7, 4], [2, 3], [10, 3, 2, 3], [5, 2], [1, 4]];
