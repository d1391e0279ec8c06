// SPDX-License-Identifier: MIT
// A field for the point A, three numbers. All such fields show the same point.

import { el } from "./dom";
import type { Vec3 } from "./format";
import type { Options } from "./options";

export function pointField(options: Options, id: string, disabled = false): HTMLElement {
    const field = el("input", { id, class: "point", "aria-label": "Point A, three numbers in metres", spellcheck: false, disabled });
    const wrong = el("span", { class: "wrong", role: "alert" });
    const update = () => {
        if (document.activeElement !== field || wrong.textContent === "") field.value = options.about.map((k) => Number(k.toPrecision(6))).join(", ");
    };
    field.addEventListener("change", () => {
        const numbers = field.value.replace(/[()[\]]/g, " ").split(/[\s,;]+/).filter(Boolean).map((s) => Number(s.replace("−", "-")));
        const good = numbers.length === 3 && numbers.every(Number.isFinite);
        wrong.textContent = good ? "" : "three numbers, such as 0, 1.5, 0";
        if (!good) return;
        options.about = numbers as Vec3;
        options.tell();
    });
    options.listen(update);
    update();
    return el("span", { class: "row" }, el("label", { for: id }, "A ="), field, el("span", { class: "unit" }, "m"), wrong);
}
