// SPDX-License-Identifier: MIT
// The picture in space: bodies, marks and ground of a run, and its ghost.

import {
    AmbientLight, Color, DirectionalLight, Group, InstancedMesh, Matrix4, MeshBasicMaterial, MeshStandardMaterial, PerspectiveCamera,
    Quaternion, Raycaster, Scene, SphereGeometry, Vector2, Vector3, WebGLRenderer,
} from "three";
import { Arrows, type Arrow } from "./arrows";
import { BodiesView, type Sight } from "./bodies";
import { contactsAt, ContactsView } from "./contacts";
import { CutsView } from "./cuts";
import { el } from "./dom";
import type { FixedSurface, Vec3 } from "./format";
import { Ground } from "./ground";
import { JointsView } from "./joints";
import { Labels, type Label } from "./labels";
import { add, dot, locate, norm, scale, sub, times, turn } from "./maths";
import type { Options } from "./options";
import { Orbit } from "./orbit";
import { near, origin } from "./origin";
import { PoinsotPicture } from "./picture";
import type { Run } from "./run";
import { SpringsView } from "./springs";
import { standsForBody, SurfacesView } from "./surfaces";
import { css, currentTheme, onTheme } from "./theme";
import { Trails } from "./trails";
import { Vectors } from "./vectors";

const apart = 1.8; // so many times as large as at the start: parts have parted

type Renderer = Pick<WebGLRenderer, "render" | "setClearColor" | "setPixelRatio" | "getPixelRatio" | "setSize">;

// Without WebGL the rest of the page still has its use.
function rendererOf(canvas: HTMLCanvasElement): Renderer {
    try {
        return new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true, powerPreference: "high-performance" });
    } catch {
        const nothing = () => {};
        return { render: nothing, setClearColor: nothing, setPixelRatio: nothing, getPixelRatio: () => 1, setSize: nothing };
    }
}

export class Stage {
    readonly camera = new PerspectiveCamera(32, 1, 0.01, 1000);
    readonly orbit: Orbit;
    readonly bodies: BodiesView;
    readonly picture: PoinsotPicture;
    readonly ground: Ground;
    readonly vectors: Vectors;
    readonly radius: number;
    readonly center: Vec3;
    readonly travels: boolean; // goes much farther than it is large
    private readonly strays: Set<number>;
    dirty = true;
    drawn = 0; // frames drawn
    private readonly renderer: Renderer;
    private readonly scene = new Scene();
    private readonly joints: JointsView;
    private readonly springs: SpringsView;
    private readonly arrows = new Arrows();
    private readonly labels: Labels;
    private readonly trails: Trails;
    private readonly contacts = new ContactsView();
    private readonly cuts: CutsView;
    private readonly surfaces: SurfacesView;
    private readonly sun = new DirectionalLight(0xffffff, 2.2);
    private readonly ambient = new AmbientLight(0xffffff, 1.1);
    private readonly centers: InstancedMesh;
    private readonly ellipsoids: InstancedMesh;
    private readonly marks = new Group();
    private ghost: { view: BodiesView; run: Run } | null = null;
    private followed: Vector3 | null = null;
    private pictured = false;
    private shownTime: number;
    private width = 1;
    private height = 1;

    constructor(readonly run: Run, private readonly options: Options, readonly canvas: HTMLCanvasElement, overlay: HTMLElement) {
        this.shownTime = run.begin;
        this.renderer = rendererOf(canvas);
        if (!(this.renderer instanceof WebGLRenderer))
            overlay.parentElement!.append(el("p", { class: "absent", role: "alert" }, "This browser offers no WebGL, so there is no picture here. Plots, ledger and facts are complete."));
        this.orbit = new Orbit(this.camera, canvas);
        this.labels = new Labels(overlay);
        const bounds = this.bounds();
        const spread = Math.hypot(...sub(bounds.high, bounds.low)) / 2;
        this.bodies = new BodiesView(run, false, Math.max(1e-6, (spread || 1) * 0.02));
        const most = this.bodies.radius.reduce((a, b) => Math.max(a, b), 0);
        this.center = scale(add(bounds.low, bounds.high), 0.5);
        this.strays = this.findStrays();
        const { size, path } = this.journey();
        const tied = (run.d.joints ?? []).some((j) => Math.min(j.a, j.b) < 0 && !["free", "rolling", "planar", "parallel", "swing"].includes(j.kind))
            || (run.d.springs ?? []).some((s) => Math.min(s.a, s.b) < 0);
        this.travels = !tied && path > 4 * size && Array.from(run.particle).some((p) => !p);
        this.radius = Math.max(this.travels ? 4 * size : spread + most, 1e-6) || 1;
        this.joints = new JointsView(run, this.markSize(most));
        this.springs = new SpringsView(run, this.markSize(most), this.bodies.radius);
        this.trails = new Trails(run);
        this.cuts = new CutsView(run);
        this.surfaces = new SurfacesView(run, this.radius);
        this.vectors = new Vectors(run, this.bodies.radius);
        this.picture = new PoinsotPicture(run);
        // Above a path that climbs the eye is far from the grid below it, which then reaches farther.
        const climb = Math.abs(dot(run.up, sub(bounds.high, bounds.low)));
        const aloft = this.aloft(bounds.low, bounds.high, most);
        this.ground = new Ground(this.groundPoint(bounds.low, bounds.high, most), this.groundUp(), aloft ? Math.max(this.radius, 1.5 * climb) : this.radius);
        const few = Math.max(1, Math.min(run.count, 5000));
        this.centers = new InstancedMesh(new SphereGeometry(1, 12, 8), new MeshBasicMaterial({ depthTest: false }), few);
        this.ellipsoids = new InstancedMesh(new SphereGeometry(1, 48, 32),
            new MeshStandardMaterial({ transparent: true, opacity: 0.32, depthWrite: false, roughness: 0.5 }), few);
        for (const mesh of [this.centers, this.ellipsoids]) mesh.frustumCulled = false;
        this.centers.renderOrder = 8;
        this.marks.add(this.centers, this.ellipsoids);
        this.scene.add(this.ambient, this.sun, this.bodies.group, this.joints.group, this.springs.springs, this.springs.bushings, this.arrows.group,
                       this.trails.group, this.contacts.group, this.cuts.group, this.surfaces.group, this.surfaces.fixed, this.picture.group, this.ground.mesh, this.marks);
        run.poses.go(run.begin);
        this.home();
        this.orbit.jump();
        onTheme(() => this.retheme());
        this.retheme();
    }

    private markSize(most: number): number {
        const solid = Array.from(this.run.particle).some((p) => !p);
        const seen = this.travels ? this.radius / 3 : this.radius; // what travels is looked at from nearer
        return solid ? Math.min(0.045 * seen, 0.35 * (most || seen)) : 0.03 * seen;
    }

    // Some frames of the run, evenly spread.
    private someFrames(most: number): number[] {
        const last = this.run.poses.time.length - 1;
        const count = Math.min(last + 1, Math.max(2, Math.floor(most / Math.max(1, this.run.count))));
        return Array.from({ length: count }, (_, k) => (count > 1 ? Math.round((k * last) / (count - 1)) : 0));
    }

    private centerIn(frame: number): Vec3 {
        let m = 0;
        const sum: Vec3 = [0, 0, 0], at: number[] = [0, 0, 0];
        for (let b = 0; b < this.run.count; ++b) {
            this.run.poses.placeAt(frame, b, at);
            const weight = this.run.mass[b]! || 1e-300;
            m += weight;
            for (let k = 0; k < 3; ++k) sum[k]! += weight * at[k]!;
        }
        return m > 0 ? scale(sum, 1 / m) : sum;
    }

    private extentIn(frame: number, about: Vec3 = this.centerIn(frame), of: Set<number> | null = null): number {
        const c = about, at: number[] = [0, 0, 0];
        let most = 0;
        for (let b = 0; b < this.run.count; ++b) {
            this.run.poses.placeAt(frame, b, at);
            if (!this.strays.has(b) && (!of || of.has(b))) most = Math.max(most, norm(sub(at as Vec3, c)) + this.bodies.radius[b]!);
        }
        return most;
    }

    // How large the whole is at any moment, and how far its centre of mass goes.
    private journey(): { size: number; path: number } {
        let size = 0;
        const low: Vec3 = [Infinity, Infinity, Infinity], high: Vec3 = [-Infinity, -Infinity, -Infinity];
        const at: number[] = [0, 0, 0];
        for (const frame of this.someFrames(20000)) {
            const c = this.centerIn(frame);
            for (let k = 0; k < 3; ++k) {
                low[k] = Math.min(low[k]!, c[k]!);
                high[k] = Math.max(high[k]!, c[k]!);
            }
            for (let b = 0; b < this.run.count; ++b) {
                this.run.poses.placeAt(frame, b, at);
                size = Math.max(size, norm(sub(at as Vec3, c)) + this.bodies.radius[b]!);
            }
        }
        size = Math.min(size, apart * this.extentIn(0)); // what comes apart is as large as it was
        return { size: size || 1, path: this.run.count ? norm(sub(high, low)) : 0 };
    }

    // Light bodies that leave the others far behind: the view is not made for them.
    private findStrays(): Set<number> {
        const { run } = this;
        if (run.count < 3) return new Set();
        const reach = new Float64Array(run.count), first = new Float64Array(run.count), at: number[] = [0, 0, 0];
        for (const frame of this.someFrames(20000)) {
            const c = this.centerIn(frame);
            for (let b = 0; b < run.count; ++b) {
                run.poses.placeAt(frame, b, at);
                if (frame === 0) first[b] = norm(sub(at as Vec3, c));
                reach[b] = Math.max(reach[b]!, norm(sub(at as Vec3, c)));
            }
        }
        const order = Array.from(reach.keys()).sort((a, b) => reach[b]! - reach[a]!);
        let left = 0.05 * Array.from(run.mass).reduce((a, b) => a + b, 0), k = 0;
        while (k < order.length && (left -= run.mass[order[k]!]!) >= 0) ++k;
        if (k >= order.length || reach[order[k]!]! >= 0.5 * reach[order[0]!]!) return new Set();
        // One that was as far in the beginning has its place there: the foot of a tower that is heavy above.
        return new Set(order.slice(0, k).filter((b) => reach[b]! >= 2 * first[b]!));
    }

    // All that is to be seen, as balls (x, y, z, radius); relative to what is followed, placed where that is now.
    // What travels and comes apart is seen as large as it was, unless the whole is asked for; one body alone, with ground around it.
    private crowd(whole: boolean): number[] {
        const { run, options } = this;
        const one = options.follow === "body"; // then it is seen with all that is joined to it
        const group = one && this.travels ? run.assembly(options.selected) : null;
        const middle = (frame: number): Vec3 => (one ? ([...Array.from(run.poses.placeAt(frame, options.selected))] as Vec3) : this.centerIn(frame));
        const most = this.travels && !whole ? apart * this.extentIn(0, middle(0), group) : Infinity;
        const out: number[] = [], at: number[] = [0, 0, 0];
        const followed = this.followedPlace(this.shownTime);
        for (const frame of this.someFrames(30000)) {
            const from = followed ? middle(frame) : null;
            if (frame > 0 && from && this.extentIn(frame, from, group) > most) continue;
            const shift: Vec3 = from ? sub(followed!, from) : [0, 0, 0];
            for (let b = 0; b < run.count; ++b) {
                if ((group && !group.has(b)) || this.strays.has(b)) continue;
                run.poses.placeAt(frame, b, at);
                out.push(at[0]! + shift[0], at[1]! + shift[1], at[2]! + shift[2], (followed && run.count === 1 && !whole ? 2.5 : 1) * this.bodies.radius[b]!);
            }
        }
        if (!followed)
            for (const joint of run.d.joints ?? []) if (joint.a < 0) out.push(...joint.frame_a.position, 0);
        return out.length ? out : [0, 0, 0, 1];
    }

    private bounds(): { low: Vec3; high: Vec3 } {
        const { poses } = this.run;
        const low: Vec3 = [Infinity, Infinity, Infinity], high: Vec3 = [-Infinity, -Infinity, -Infinity];
        const frames = Math.min(poses.time.length, this.run.count > 1000 ? 12 : 400);
        const at: number[] = [0, 0, 0];
        for (let k = 0; k < frames; ++k) {
            const frame = frames > 1 ? Math.round((k * (poses.time.length - 1)) / (frames - 1)) : 0;
            for (let b = 0; b < this.run.count; ++b) {
                poses.placeAt(frame, b, at);
                for (let c = 0; c < 3; ++c) {
                    if (at[c]! < low[c]!) low[c] = at[c]!;
                    if (at[c]! > high[c]!) high[c] = at[c]!;
                }
            }
        }
        for (const joint of this.run.d.joints ?? [])
            if (joint.a < 0)
                for (let c = 0; c < 3; ++c) {
                    low[c] = Math.min(low[c]!, joint.frame_a.position[c]!);
                    high[c] = Math.max(high[c]!, joint.frame_a.position[c]!);
                }
        return Number.isFinite(low[0]) ? { low, high } : { low: [-1, -1, -1], high: [1, 1, 1] };
    }

    private groundUp(): Vec3 {
        return this.run.d.ground?.normal ?? this.rolledOn()?.normal ?? this.run.up;
    }

    // The plane that discs roll on.
    private rolledOn(): { point: Vec3; normal: Vec3 } | null {
        const joint = (this.run.d.joints ?? []).find((j) => j.kind === "rolling" && j.a < 0);
        return joint ? { point: joint.frame_a.position, normal: turn(joint.frame_a.orientation, [0, 0, 1]) } : null;
    }

    // The lowest place of a centre of mass, along up.
    private least(low: Vec3, high: Vec3): number {
        const { up } = this.run;
        return [0, 1, 2].reduce((s, k) => s + (up[k]! > 0 ? up[k]! * low[k]! : up[k]! * high[k]!), 0);
    }

    // Far above the origin: in the air.
    private aloft(low: Vec3, high: Vec3, most: number): boolean {
        return !this.run.d.ground && this.least(low, high) - most > 4 * this.radius;
    }

    // Without a ground in the scene the grid lies below everything, or through the origin where that is lower.
    private groundPoint(low: Vec3, high: Vec3, most: number): Vec3 {
        if (this.run.d.ground) return this.run.d.ground.point;
        const rolled = this.rolledOn();
        if (rolled) return rolled.point;
        const { up } = this.run, least = this.least(low, high);
        // Where all centres are above the origin, things most likely stand or roll on its level; what flies
        // high above it has the grid below its path, as something to pass over.
        const height = this.aloft(low, high, most) ? least - most - this.radius : least > 0 && least - most > -0.7 * this.radius ? 0 : Math.min(0, least - most);
        const across = sub(this.center, scale(up, dot(this.center, up)));
        const snap = (v: number) => Math.round(v / this.radius) * this.radius;
        return add(scale(up, height), [snap(across[0]), snap(across[1]), snap(across[2])] as Vec3);
    }

    get time(): number {
        return this.shownTime;
    }
    /** How high the grid lies, along up; of a ground that belongs to the scene, of the level of the origin, and over a round planet: 0. */
    get groundHeight(): number {
        return this.run.d.ground || this.run.d.round ? 0 : dot(this.run.up, this.ground.mesh.position.toArray() as Vec3);
    }

    setGhost(run: Run | null): void {
        if (this.ghost) this.scene.remove(this.ghost.view.group);
        this.ghost = run ? { run, view: new BodiesView(run, true, this.radius * 0.012) } : null;
        if (this.ghost) this.scene.add(this.ghost.view.group);
        this.dirty = true;
    }

    /** All of it in the picture; what travels and comes apart, before it is far apart, or the whole of that too. */
    home(whole = false): void {
        if (this.options.on.has("picture") && this.picture.now) {
            const v = this.picture.view();
            this.orbit.setUp(v.up);
            this.orbit.goal.height = 0.36;
            this.orbit.fit(v.balls);
        } else {
            this.orbit.setUp(this.run.up);
            this.orbit.goal.height = 0.3;
            this.orbit.goal.azimuth = this.flat() ? 0.35 : -0.9;
            this.orbit.fit(this.crowd(whole));
        }
        const place = this.followedPlace(this.shownTime);
        this.followed = place && new Vector3(...place);
        this.dirty = true;
    }

    // A motion in the plane z = 0 with y up is looked at from z.
    private flat(): boolean {
        return Math.abs(this.run.up[1]) > 0.9;
    }

    /** Along a world axis (0, 1, 2). */
    look(axis: number): void {
        const directions: [number, number][] = this.flat() ? [[Math.PI / 2, 0], [0, 1.55], [0, 0]] : [[0, 0], [Math.PI / 2, 0], [0, 1.55]];
        [this.orbit.goal.azimuth, this.orbit.goal.height] = directions[axis]!;
        this.dirty = true;
    }

    private retheme(): void {
        const light = currentTheme() === "light";
        this.renderer.setClearColor(new Color(css("--stage")));
        this.sun.intensity = light ? 2.3 : 2.0;
        this.ambient.intensity = light ? 1.7 : 1.0;
        (this.ellipsoids.material as MeshStandardMaterial).color.set(light ? "#8a6fb0" : "#c9b3ec");
        (this.centers.material as MeshBasicMaterial).color.set(css("--text"));
        this.bodies.recolour(this.options.selected);
        this.ghost?.view.recolour();
        this.joints.recolour();
        this.springs.recolour();
        this.cuts.recolour();
        this.surfaces.recolour();
        this.picture.recolour();
        this.dirty = true;
    }

    select(body: number): void {
        this.bodies.recolour(body);
        this.followed = null;
        this.dirty = true;
    }

    resize(width: number, height: number): void {
        this.width = Math.max(1, width);
        this.height = Math.max(1, height);
        this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
        this.renderer.setSize(this.width, this.height, false);
        this.camera.aspect = this.width / this.height;
        this.dirty = true;
    }

    /** The body at a point of the canvas, or −1. */
    pick(x: number, y: number): number {
        const ray = new Raycaster();
        ray.setFromCamera(new Vector2((x / this.width) * 2 - 1, 1 - (y / this.height) * 2), this.camera);
        return this.bodies.pick(ray);
    }

    draw(t: number, seconds: number): void {
        const { run, options } = this;
        const on = options.on;
        run.poses.go(t);
        this.shownTime = t;
        this.follow(t);
        origin.copy(this.followed ?? this.orbit.goal.target);
        const picture = on.has("picture") && this.picture.possible(options.selected);
        const shapeless = picture && run.shapeOf(options.selected).kind === "none";
        this.bodies.hide(shapeless ? options.selected : -1);
        this.joints.group.visible = on.has("joints");
        this.springs.bushings.visible = on.has("joints");
        this.springs.springs.visible = on.has("springs");
        this.surfaces.group.visible = on.has("ground");
        this.surfaces.fixed.visible = on.has("skins");
        this.joints.update(t);
        this.springs.update(t);
        const arrows: Arrow[] = [], labels: Label[] = [];
        const span = this.orbit.goal.distance * Math.tan((this.camera.fov * Math.PI) / 360);
        this.vectors.sceneSize = span;
        this.vectors.collect(t, options, arrows, labels);
        this.picture.group.visible = picture;
        if (picture) this.picture.update(t, options.selected, Math.max(this.bodies.radius[options.selected]!, this.radius * 0.15), arrows, labels);
        if (picture !== this.pictured) {
            this.pictured = picture;
            this.home();
            if (this.drawn === 0) this.orbit.jump();
        }
        if (run.d.contacts) {
            const touching = contactsAt(run, run.sampleAt(t));
            this.contacts.update(touching, span * (touching.length > 12 ? 0.008 : 0.014), on.has("contacts"), on.has("cones")); // many have less room
        }
        this.cuts.update(run.sampleAt(t), span, on.has("cuts"), labels);
        this.arrows.set(arrows, span * 0.0085);
        this.drawMarks(t);
        this.trails.group.visible = on.has("trails");
        if (on.has("trails")) this.trails.update(t, this.vectors.bodies(options).slice(0, 200));
        if (on.has("names")) this.nameBodies(labels);

        const around = this.followed ? (this.followed.toArray() as Vec3) : this.center;
        this.ground.reach(around);
        this.surfaces.update(around, on.has("grid"));
        const quiet = picture && !run.d.gravity;
        this.ground.look(css("--grid"), css("--ground"), on.has("ground") && run.d.gravity && !quiet ? (currentTheme() === "light" ? 0.55 : 0.5) : 0, on.has("grid") && !quiet && !(this.travels && !run.d.gravity && !run.d.ground));

        this.dirty = this.orbit.update(seconds);
        this.sun.position.copy(this.camera.position).sub(this.orbit.goal.target).normalize()
            .multiplyScalar(0.6).add(new Vector3(...run.up).multiplyScalar(0.9)).add(new Vector3(0.35, 0.15, 0.1));
        const sight = {
            camera: this.camera, sun: this.sun.position, sunny: this.sun.intensity, ambient: this.ambient.intensity,
            pixels: (this.height * this.renderer.getPixelRatio()) / (2 * Math.tan((this.camera.fov * Math.PI) / 360)),
        };
        this.bodies.update(sight);
        this.drawGhost(t, sight);
        this.renderer.render(this.scene, this.camera);
        this.labels.set(labels, this.camera, this.width, this.height);
        ++this.drawn;
    }

    // Poinsot's picture is about its body, so the eye stays with that.
    private followedPlace(t: number): Vec3 | null {
        const { run, options } = this;
        const chosen = options.selected >= 0 && options.selected < run.count;
        if (chosen && (options.follow === "body" || (options.on.has("picture") && this.picture.possible(options.selected))))
            return run.poses.poseAt(t, options.selected).x;
        return options.follow === "all" && run.count ? run.systemCenter() : null;
    }

    private follow(t: number): void {
        const place = this.followedPlace(t);
        const x = place && new Vector3(...place);
        if (x && this.followed) this.orbit.carry(x.clone().sub(this.followed));
        else if (x) this.orbit.goal.target.copy(x);
        this.followed = x;
    }

    private drawGhost(t: number, sight: Sight): void {
        if (!this.ghost) return;
        this.ghost.view.group.visible = this.options.on.has("ghost");
        const { poses } = this.ghost.run;
        const { i } = locate(poses.time, t);
        poses.go(Math.min(t, poses.time[poses.time.length - 1] ?? i));
        this.ghost.view.update(sight);
    }

    private drawMarks(t: number): void {
        const { run, options } = this;
        const list = this.vectors.bodies(options);
        const m = new Matrix4(), at = new Vector3(), q = new Quaternion(), s = new Vector3();
        this.centers.visible = options.on.has("center");
        this.ellipsoids.visible = options.on.has("inertia");
        if (!this.centers.visible && !this.ellipsoids.visible) return;
        this.marks.position.copy(origin);
        const dotSize = this.vectors.sceneSize * 0.013;
        let count = 0, solid = 0;
        for (const b of list) {
            const pose = run.poses.poseAt(t, b);
            at.set(...near(pose.x));
            this.centers.setMatrixAt(count++, m.compose(at, q.identity(), s.setScalar(dotSize)));
            const I = run.momentsOf(b);
            if (run.particle[b] || !(I[0] > 0)) continue;
            // x · I x = const: half axes in proportion to 1/√Iᵢ, the longest one a little beyond the body.
            const longest = Math.max(this.bodies.radius[b]!, 1e-9) * 1.15;
            const frame = times(pose.q, run.principalOf(b));
            q.set(frame[1], frame[2], frame[3], frame[0]);
            this.ellipsoids.setMatrixAt(solid++, m.compose(at, q, s.set(longest, longest * Math.sqrt(I[0] / I[1]), longest * Math.sqrt(I[0] / I[2]))));
        }
        this.centers.count = count;
        this.ellipsoids.count = solid;
        this.centers.instanceMatrix.needsUpdate = this.ellipsoids.instanceMatrix.needsUpdate = true;
    }

    private nameBodies(labels: Label[]): void {
        const { x } = this.run.poses;
        const put = (b: number) => labels.push({ at: [x[3 * b]!, x[3 * b + 1]!, x[3 * b + 2]!], text: this.run.names[b]! });
        if (this.options.selected >= 0 && this.options.selected < this.run.count) put(this.options.selected);
        for (let b = 0; b < Math.min(this.run.count, 100); ++b) if (b !== this.options.selected) put(b);
        (this.run.d.joints ?? []).slice(0, 40).forEach((joint, i) => {
            if (this.shownTime < (joint.until ?? Infinity)) labels.push({ at: this.joints.placeOf(i).x, text: joint.name, quiet: true });
        });
        (this.run.d.bushings ?? []).slice(0, 40).forEach((bushing, i) => {
            if (this.shownTime < (bushing.until ?? Infinity)) labels.push({ at: this.springs.placeOf(i), text: bushing.name, quiet: true });
        });
    }

    /** What binds and what can be touched, as far as it is drawn now. */
    signs(): Record<"joints" | "springs" | "bushings" | "surfaces" | "fixed" | "planes", { name: string; at: Vec3 }[]> {
        const { d } = this.run, t = this.shownTime;
        const holds = (one: { until?: number }) => t < (one.until ?? Infinity);
        const when = <T>(shown: boolean, list: T[] = []) => (shown ? list : []);
        const surface = (s: FixedSurface) => ({ name: s.name, at: this.run.placed(s.body ?? -1, s.position).x });
        return {
            joints: when(this.joints.group.visible, d.joints).flatMap((j, i) => (holds(j) ? [{ name: j.name, at: this.joints.placeOf(i).x }] : [])),
            springs: when(this.springs.springs.visible, d.springs).map((s) => ({ name: s.name, at: this.run.placed(s.a, s.at_a).x })),
            bushings: when(this.springs.bushings.visible, d.bushings).flatMap((b, i) => (holds(b) ? [{ name: b.name, at: this.springs.placeOf(i) }] : [])),
            surfaces: when(this.surfaces.group.visible, d.surfaces).filter((s) => (s.body ?? -1) < 0).map(surface),
            fixed: when(this.surfaces.fixed.visible, d.surfaces).filter((s) => (s.body ?? -1) >= 0 && !standsForBody(this.run, s)).map(surface),
            planes: when(this.surfaces.group.visible, d.planes).map((p) => ({ name: p.name ?? "", at: p.point })),
        };
    }

    /** What is drawn, as a file. */
    png(): Promise<Blob | null> {
        return new Promise((done) => this.canvas.toBlob(done, "image/png"));
    }
}
