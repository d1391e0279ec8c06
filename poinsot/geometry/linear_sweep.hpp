// SPDX-License-Identifier: MIT
#pragma once

// Do a vertex and a triangle, or two edges, meet while their corners move along straight lines?
// Never "no" where the true answer is yes.
//
//     vertex, face    F(t, u, v) = p(t) − (1 − u − v) a(t) − u b(t) − v c(t),   u, v ≥ 0, u + v ≤ 1
//     edge, edge      F(t, u, v) = (1 − u) a(t) + u b(t) − (1 − v) c(t) − v d(t)
//
// They meet where F = 0 in the unit cube. F is linear in each variable alone, so on a box of the
// cube it stays within the hull of its eight corners [Snyder 1992; Wang et al. 2021]: a box whose
// corner values leave zero outside of their bounds, grown by what rounding may do, has no meeting
// and is dropped; others are halved where F varies most, the earliest first. The first box in which
// F varies by less than the tolerance is reported as a meeting, at its lower time. Corners of boxes
// are sums of powers of two and exact. What is reported though the truth is no, is closer than the
// tolerance, or the boxes ran out.

#include "poinsot/math/vec3.hpp"

#include <array>

namespace poinsot {

struct LinearTouch {
    bool touch = false;
    bool resolved = true; // false: boxes ran out, and touch is not excluded from `time` on
    double time = 1;      // none before it; 0 to 1
    int boxes = 0;        // looked at
};

/// `tolerance` is a length; 0 takes 1e-10 of the largest distance between corners.
LinearTouch vertex_face_touch(const Vec3<double>& p0, const std::array<Vec3<double>, 3>& face0,
                              const Vec3<double>& p1, const std::array<Vec3<double>, 3>& face1,
                              double tolerance = 0, int most_boxes = 100000);
LinearTouch edge_edge_touch(const std::array<Vec3<double>, 2>& a0,
                            const std::array<Vec3<double>, 2>& b0,
                            const std::array<Vec3<double>, 2>& a1,
                            const std::array<Vec3<double>, 2>& b1, double tolerance = 0,
                            int most_boxes = 100000);

} // namespace poinsot
