// SPDX-License-Identifier: MIT
// Graphics cards count in single precision: a metre that is a planet's radius away is lost. What is put into
// their buffers is therefore counted from here, a place near what is looked at, and what holds the buffers
// stands here; from there to the eye three.js counts in double precision.

import { Vector3 } from "three";
import type { Vec3 } from "./format";

export const origin = new Vector3();

/** A place of the world, counted from the origin. */
export const near = (x: Vec3): Vec3 => [x[0] - origin.x, x[1] - origin.y, x[2] - origin.z];
