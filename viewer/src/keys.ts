// SPDX-License-Identifier: MIT
// Every action has a key; the list of them is the help.

import { el } from "./dom";

export interface Key {
    keys: string[]; // values of KeyboardEvent.key, with "Shift+" before arrows
    text: string;
    group: string;
    act: () => void;
}

const names: Record<string, string> = {
    " ": "space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", PageUp: "page up", PageDown: "page down",
    "Shift+ArrowLeft": "⇧ ←", "Shift+ArrowRight": "⇧ →", "Shift+ArrowUp": "⇧ ↑", "Shift+ArrowDown": "⇧ ↓",
    "Ctrl+ArrowLeft": "ctrl ←", "Ctrl+ArrowRight": "ctrl →", "Ctrl+ArrowUp": "ctrl ↑", "Ctrl+ArrowDown": "ctrl ↓",
};

export class Keys {
    private readonly dialog: HTMLDialogElement;

    constructor(private readonly keys: Key[]) {
        const groups = [...new Set(keys.map((k) => k.group))];
        this.dialog = el("dialog", { id: "help", "aria-label": "Keys" },
            el("h2", {}, "Keys"),
            el("div", { class: "columns" }, ...groups.map((g) => el("section", {}, el("h3", {}, g),
                el("dl", {}, ...keys.filter((k) => k.group === g).flatMap((k) => [
                    el("dt", {}, ...k.keys.map((name) => el("kbd", {}, names[name] ?? name))), el("dd", {}, k.text)]))))),
            el("form", { method: "dialog" }, el("button", { class: "tool wide" }, "Close")));
        document.body.append(this.dialog);
        addEventListener("keydown", (e) => this.press(e));
    }

    help(): void {
        if (this.dialog.open) this.dialog.close();
        else this.dialog.showModal();
    }

    private press(e: KeyboardEvent): void {
        if (e.altKey || e.metaKey) return;
        const target = e.target as HTMLElement;
        const typing = target instanceof HTMLInputElement && !["checkbox", "radio", "range"].includes(target.type);
        const choosing = target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && ["range", "radio"].includes(target.type) && e.key.startsWith("Arrow"));
        if (typing || choosing || (this.dialog.open && e.key !== "?")) return;
        // Space and Enter belong to the control that has the focus.
        if (e.key === " " && target.closest("button, input, [role=tab], a, summary")) return;
        const arrow = e.key.startsWith("Arrow");
        if (e.ctrlKey && !arrow) return;
        const name = arrow && e.ctrlKey ? `Ctrl+${e.key}` : arrow && e.shiftKey ? `Shift+${e.key}` : e.key;
        const found = this.keys.find((k) => k.keys.includes(name));
        if (!found) return;
        e.preventDefault();
        found.act();
    }
}
