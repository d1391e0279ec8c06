// SPDX-License-Identifier: MIT
// What works without a browser window, for tests and tools.
export * from "./blocks";
export * from "./contact_words";
export * from "./ledger";
export * from "./maths";
export * from "./poses";
export * from "./polhode";
export * from "./run";
export * from "./signals";
