// SPDX-License-Identifier: MIT
// Which contacts have words beside their forces: where there are many, words on all of them say nothing.

import type { Vec3 } from "./format";

interface Forced {
    a: number;
    b: number;
    force: Vec3;
}

const mostWords = 12, mostOfOne = 60;

/** Which contacts have words, by their place in the list: the largest forces, and all on the body that is selected. */
export function contactsNamed(contacts: Forced[], selected: number): Set<number> {
    const size = ({ force }: Forced) => Math.hypot(...force);
    const order = contacts.map((_, i) => i).sort((i, j) => size(contacts[j]!) - size(contacts[i]!));
    const own = order.filter((i) => selected >= 0 && (contacts[i]!.a === selected || contacts[i]!.b === selected));
    return new Set([...order.slice(0, mostWords), ...own.slice(0, mostOfOne)]);
}
