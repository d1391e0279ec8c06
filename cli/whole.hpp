// SPDX-License-Identifier: MIT
#pragma once

// All bodies of a model as one, where they start.

#include "poinsot/model/model.hpp"

namespace poinsot {

struct Whole {
    MassProperties mass;
    /// Its moments; none where the bodies are so far apart that numbers overflow.
    std::optional<Vec3<double>> moments;
    static constexpr const char* overflow =
        "overflow: the bodies are too far apart for numbers of their whole";
};
Whole whole_of(const Model& model);

} // namespace poinsot
