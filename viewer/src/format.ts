// SPDX-License-Identifier: MIT
// The description of a page's data, as FORMAT.md states it. Letters: n bodies, f frames of poses,
// s samples of signals and ledger, c causes.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number]; // w, x, y, z

export type NumberType = "f64" | "f32" | "u32" | "i32" | "u16" | "i16" | "u8";

/** An array in the data, rows first. */
export interface Block {
    type: NumberType;
    shape: number[];
    offset: number; // bytes from the start of the data, a multiple of 8
    filter?: "second_difference"; // u16 only
}

export interface Page {
    format: "poinsot page";
    version: [number, number];
    data: { bytes: number; chunk_bytes: number; chunks: number; compression: "none" | "deflate" };
    runs: RunDescription[]; // the run shown, then perhaps the one it is compared with
    compare?: CompareRecord;
}

export interface CompareRecord {
    tolerance?: { position: number; angle: number };
    first_part?: { time: number; body: number; distance?: number; angle?: number } | null;
    signals?: { name: string; unit: string; values: Block }[]; // [s] of the first run
}

export interface RunDescription {
    title: string;
    story?: string;
    facts: { name: string; value: string }[];
    outcome?: { ended?: string; balanced?: string; verdict?: string };
    gravity?: Vec3; // over a round planet: that at the start
    round?: boolean; // the origin is in the middle of a planet
    ground?: Plane;
    planes?: Plane[]; // more of them
    frames: { time: Block };
    samples: { time: Block; step?: Block };
    bodies: Bodies;
    shapes: Shape[];
    joints?: Joint[];
    springs?: Spring[];
    bushings?: Bushing[];
    forces?: Force[];
    contacts?: Contacts;
    cuts?: Cut[];
    surfaces?: FixedSurface[];
    signals?: { name: string; unit: string; values: Block; mass_of?: number }[];
    impacts_listed?: boolean; // all impacts are events
    events?: { time: number; kind: string; text: string; name?: string; load?: string; utilisation?: number }[];
    ledger?: LedgerDescription;
}

export interface Bodies {
    names: string[];
    particle: Block; // u8 [n]
    mass: Block; // f64 [n]
    center_of_mass: Block; // f64 [n, 3], body frame, at the first sample
    center_moves?: { body: number; values: Block }[]; // f64 [s, 3], body frame
    moments: Block; // f64 [n, 3], ascending
    principal: Block; // f64 [n, 4], principal to body
    shape: Block; // u32 [n], into shapes
    position: { values: Block; low?: Vec3; high?: Vec3; error: number };
    orientation: { values: Block; error: number };
    velocity?: Block; // [s, n, 3]
    angular_velocity?: Block;
    momentum?: Block;
    angular_momentum?: Block;
}

export type Shape =
    | { kind: "none" }
    | { kind: "box"; sides: Vec3 }
    | { kind: "ball"; radius: number }
    | { kind: "ellipsoid"; half_axes: Vec3 }
    | { kind: "cylinder" | "capsule" | "cone"; radius: number; height: number }
    | { kind: "mesh"; vertices: Block; triangles: Block }
    | { kind: "group"; parts: { shape: number; position: Vec3; orientation: Quat }[] };

export interface Frame {
    position: Vec3;
    orientation: Quat;
}

export interface Joint {
    name: string;
    kind: string;
    a: number; // body, or −1 for the world
    b: number;
    frame_a: Frame; // in the frame of body a, z along the axis
    frame_b: Frame;
    reaction?: { force: Block; torque?: Block }; // [s, 3], on b, at the origin of frame b, world axes
    until?: number; // when it let go or broke
    elastic?: boolean; // has a spring of its own
    radius?: number; // of a disc that rolls
}

/** A spring in all six directions between two frames. */
export interface Bushing {
    name: string;
    a: number; // body, or −1 for the world
    b: number;
    frame_a: Frame;
    frame_b: Frame;
    until?: number;
}

/** A plane without end that can be touched. */
export interface Plane {
    name?: string;
    point: Vec3;
    normal: Vec3;
}

/** Something that can be touched: it stands in the world, or is fixed to a body and is not its own shape. */
export interface FixedSurface {
    name: string;
    body?: number; // −1 or left out: the world
    shape: number; // in shapes
    position: Vec3; // in the frame of the body, or in the world
    orientation: Quat;
    scale?: Vec3;
}

/** Where a structure is looked into, and what it carries there. */
export interface Cut {
    name: string;
    of: string; // body, joint, bushing
    body: number; // in whose frame the section is, or −1 for the world
    frame: Frame; // z across the cut
    limits: Partial<Record<"tension" | "compression" | "shear" | "bending" | "torsion", number>>;
    force: Block; // [s, 3]: shear x, shear y, tension, in the axes of the cut
    moment: Block; // [s, 3]: bending x, bending y, torsion
    utilisation: Block; // [s]
    largest: Block; // [s], so far
    gone: Block; // u8 [s]
}

export interface Spring {
    name: string;
    a: number;
    b: number;
    at_a: Vec3;
    at_b: Vec3;
    stiffness?: number; // left out: it is a spring
    damping?: number;
}

export interface Force {
    cause: string;
    body: number;
    force: Block; // [s, 3]
    torque?: Block; // [s, 3]
    at?: Block; // [s, 3], world; the centre of mass without it
}

/** Contacts of sample i are the rows start[i] … start[i + 1] − 1. */
export interface Contacts {
    start: Block; // u32 [s + 1]
    a: Block; // i32 [k]
    b: Block; // i32 [k]
    point: Block; // [k, 3]
    normal: Block; // [k, 3], from a to b
    force: Block; // [k, 3], on b
    friction?: Block; // [k]
}

export const scalarStores = [
    "kinetic_energy",
    "gravity_store",
    "spring_store",
    "rotor_store",
] as const;
export type Store = (typeof scalarStores)[number];

export interface Accounts {
    mass?: Block; // [s] or [s, n], as the next ones
    p: Block;
    L: Block;
    spin?: Block;
    kinetic_energy: Block;
    gravity_store?: Block;
    spring_store?: Block;
    rotor_store?: Block;
    impulse: Block; // [s, c, 3] or [s, n, c, 3]
    angular_impulse: Block;
    spin_impulse?: Block;
    work: Block; // [s, c] or [s, n, c]
    moving_point?: Block;
    residual_mass?: Block;
    residual_p: Block;
    residual_L: Block;
    residual_spin?: Block;
    residual_kinetic_energy: Block;
    residual_gravity_store?: Block;
    residual_spring_store?: Block;
    residual_rotor_store?: Block;
}

export interface Opening {
    mass: number;
    p: Vec3;
    L: Vec3;
    spin?: Vec3;
    kinetic_energy: number;
    gravity_store?: number;
    spring_store?: number;
    rotor_store?: number;
}

export interface LedgerDescription {
    about: { kind: "point"; point: Vec3 } | { kind: "moving"; text: string };
    every?: number;
    causes: string[];
    opening: Opening;
    total: Accounts;
    bodies?: Accounts;
}
