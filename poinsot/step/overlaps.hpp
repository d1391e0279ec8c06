// SPDX-License-Identifier: MIT
#pragma once

// What is inside something else: a scene in which things overlap before anything has moved is
// rarely meant.

#include "poinsot/step/smooth.hpp"

#include <limits>

namespace poinsot {

/// A gap that counts as touch: what the settings say, else a millionth of the smallest skin.
double touch_within(const Model& model, const ContactSettings& settings);

struct Overlap {
    int a, b; // skins, a < b
    double depth;
    bool inside = false; // b is wholly within a, a closed mesh, or a within b: no surfaces meet
};
struct Overlaps {
    std::vector<Overlap> first; // ascending by (a, b)
    std::size_t count = 0;      // of pairs of skins, those beyond `first` included
    bool counted = true;        // false: there are at least so many
    std::size_t rows = 0;       // of their points together
};

/// Pairs of skins that are deeper inside each other than `within`, where the bodies of a model
/// start, or of which one is wholly inside a closed mesh and meets no face of it. After `most` of
/// them, or `most_rows`, the search ends: a thousand bodies in one place make half a million pairs,
/// and nobody reads them.
Overlaps overlaps_at_start(const Model& model, double within, std::size_t most = 1000,
                           std::size_t most_rows = std::numeric_limits<std::size_t>::max());

/// How many pairs that overlap, and rows of them, a step of this kind takes: some seconds a step.
struct OverlapsBorne {
    std::size_t pairs = 0;
    std::size_t rows = std::numeric_limits<std::size_t>::max();
};
OverlapsBorne overlaps_borne(const StepSettings& settings);

} // namespace poinsot
