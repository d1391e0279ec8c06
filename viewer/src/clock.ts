// SPDX-License-Identifier: MIT
// The time shown: it plays, steps, repeats a range and tells whoever listens.

import { locate } from "./maths";

export class Clock {
    t: number;
    playing = false;
    speed = 1;
    loop = true;
    from: number; // the range that plays
    to: number;
    private readonly listeners: (() => void)[] = [];

    constructor(readonly times: ArrayLike<number>) {
        this.t = this.from = this.begin;
        this.to = this.end;
    }

    get begin(): number {
        return this.times.length ? this.times[0]! : 0;
    }
    get end(): number {
        return this.times.length ? this.times[this.times.length - 1]! : 0;
    }

    listen(f: () => void): void {
        this.listeners.push(f);
    }
    tell(): void {
        for (const f of this.listeners) f();
    }

    go(t: number): void {
        this.t = Math.min(this.end, Math.max(this.begin, t));
        this.tell();
    }

    play(on = !this.playing): void {
        if (on && this.end <= this.begin) on = false;
        if (on && (this.t >= this.to || this.t < this.from)) this.t = this.from;
        this.playing = on;
        this.tell();
    }

    /** The sample nearest to t, where samples are dense: a pixel is wider than their distance. */
    nearest(t: number): number {
        if (this.times.length < 100) return t;
        const { i, s } = locate(this.times, t);
        return this.times[s > 0.5 ? i + 1 : i]!;
    }

    /** To the sample k after this one; stops the play. */
    step(k: number): void {
        this.playing = false;
        const { i, s } = locate(this.times, this.t);
        const at = k < 0 && s > 1e-9 ? i + 1 : i; // half-way: back goes to the sample before
        const next = Math.min(this.times.length - 1, Math.max(0, at + k));
        this.go(this.times[next] ?? this.begin);
    }

    range(from: number, to: number): void {
        this.from = Math.max(this.begin, Math.min(from, to));
        this.to = Math.min(this.end, Math.max(from, to));
        this.tell();
    }
    ranged(): boolean {
        return this.from > this.begin || this.to < this.end;
    }

    /** Some seconds of the wall have gone by. */
    advance(seconds: number): void {
        if (!this.playing) return;
        let t = this.t + seconds * this.speed;
        if (t >= this.to) {
            if (this.loop) t = this.from + ((t - this.from) % Math.max(1e-12, this.to - this.from));
            else {
                t = this.to;
                this.playing = false;
            }
        }
        this.go(t);
    }
}
