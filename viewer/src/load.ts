// SPDX-License-Identifier: MIT
// Runs from a document of this kind: the one that is open, or another file that the reader picks.

import type { CompareRecord, Page } from "./format";
import { readRuns, type Run } from "./run";

export async function runsOf(doc: Document, clear: boolean): Promise<{ runs: Run[]; compare: CompareRecord | null }> {
    const text = doc.getElementById("poinsot-run")?.textContent;
    if (!text) throw new Error("there is no run in this page");
    const page = JSON.parse(text) as Page;
    const runs = await readRuns(page, (i) => {
        const chunk = doc.getElementById(`poinsot-data-${i}`);
        if (!chunk) throw new Error(`chunk ${i} of the data is missing`);
        const data = chunk.textContent ?? "";
        if (clear) chunk.textContent = ""; // the text would be kept beside the numbers
        return data;
    });
    return { runs, compare: page.compare ?? null };
}

/** The first run of another page. Parsing for data runs no script of it. */
export async function runOfFile(file: File): Promise<Run> {
    const doc = new DOMParser().parseFromString(await file.text(), "text/html");
    const { runs } = await runsOf(doc, false);
    return runs[0]!;
}
