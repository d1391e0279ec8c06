// SPDX-License-Identifier: MIT
#pragma once

// The first moment of touch of two shapes that move and turn, never late.
//
//     x(t) = c(t) − R(t) c_b,   c(t) = c(0) + v t,   R(t) = exp(ω t) R(0)       v, ω constant
//
// Conservative advancement [Mirtich 1996, §2.3]: let n be the direction of the gap d at time t. A
// point r from the turning centre of a body moves along n at
//
//     n · (v + ω × r) = n · v + r · (n × ω) ≤ n · v + ρ |n × ω|,      ρ = reach of the shape
//
// at this and every later time, since |r| does not change and n is held. So the gap along n, and
// with it the distance, is not closed before
//
//     t + d/μ,     μ = n · (v_a − v_b) + ρ_a |n × ω_a| + ρ_b |n × ω_b|
//
// and the search goes there with a new n. Each d is the lower bound that planes across n prove,
// less what rounding does to the poses: the time reported is never after the touch. If μ ≤ 0 or the
// end comes first, they do not touch. The search ends at the touch to within `tolerance`; one that
// runs out of steps, as where a shape rolls along another just above it, says so and reports the
// time up to which all is clear.
//
// A body that tumbles does not turn at a constant rate. Where |ω̇| ≤ α its points are off this
// course by ½ α ρ t² at most, and so much is taken off the gap: the time is early, never late.
//
// What touches already has no first touch. It may turn in deeper: the same search with the signed
// distance, of which planes across n prove as much, finds when.

#include "poinsot/geometry/part_pairs.hpp"

namespace poinsot {

/// How a body moves through a step: centre and attitude at constant rates.
struct Passage {
    Pose<double> start;
    Vec3<double> velocity = zero3<double>();         // of the centre
    Vec3<double> angular_velocity = zero3<double>(); // world axes
    Vec3<double> centre = zero3<double>();           // in the body: what it turns about
    double wobble = 0; // α: its angular velocity changes no faster, rad/s²
};
Pose<double> pose_at(const Passage& course, double t);

struct FirstTouch {
    bool touch = false;   // within the time asked for, or not to be excluded
    bool resolved = true; // false: steps ran out; up to `time` they are apart
    double time = 0;      // no touch before it
    double gap = 0;       // what is left at that time
    Gap at = {};          // as they stand then
    int steps = 0;
    int part_a = 0, part_b = 0;
};

/// More steps than this are not taken. A gap shrinks by the same share in each, and a share below
/// 3 % would need more: then the shapes hardly approach.
inline constexpr int sweep_steps = 1000;

/// When do two convex shapes touch, from now to `duration`? `tolerance` is the gap that counts as
/// touch; 0 takes 1e-9 of the reach of the smaller shape. Never less than what rounding hides.
FirstTouch first_touch(const Convex& a, const Passage& course_a, const Convex& b,
                       const Passage& course_b, double duration, DepthSearch& search,
                       double tolerance = 0);

/// The same for all parts of two colliders. None for two without bounds.
FirstTouch first_touch(const Collider& a, const Passage& course_a, const Collider& b,
                       const Passage& course_b, double duration, PartWorkspace& w,
                       double tolerance = 0);

/// When are two that touch already in each other by an eighth of what both are thick, in some pair
/// of parts, or where they are so deep now, deeper by an eighth of that? Far from the middle, from
/// where the way out leads across.
FirstTouch first_sinking(const Collider& a, const Passage& course_a, const Collider& b,
                         const Passage& course_b, double duration, PartWorkspace& w,
                         double tolerance = 0);

/// The box that a shape does not leave on its course up to `duration`.
Bounds swept_bounds(const Convex& shape, const Pose<double>& in_body, const Passage& course,
                    double duration);

} // namespace poinsot
