// SPDX-License-Identifier: MIT
#pragma once

// Shapes as triangles to look at, in floats: with normals, so that what is round looks round. For
// .cpp files of io only.

#include "poinsot/geometry/surface_mesh.hpp"
#include "poinsot/math/pose.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace poinsot {

struct Drawn {
    std::vector<float> positions, normals; // three for each vertex; normals may be left out
    std::vector<std::uint32_t> triangles;  // three vertices each, counter-clockwise from outside
};

/// A shape as trajectory files have it (kind and three sizes), in the body frame; empty for one
/// that is none or has no size.
Drawn drawn_shape(std::string_view kind, const Vec3<double>& size);
Drawn drawn_box(const Vec3<double>& sides, const Pose<double>& at);
Drawn drawn_surface(const Surface& surface);

} // namespace poinsot
