// SPDX-License-Identifier: MIT
#pragma once

// What is inside something else: a scene in which things overlap before anything has moved is
// rarely meant.

#include "poinsot/step/smooth.hpp"

namespace poinsot {

/// A gap that counts as touch: what the settings say, else a millionth of the smallest skin.
double touch_within(const Model& model, const ContactSettings& settings);

struct Overlap {
    int a, b; // skins, a < b
    double depth;
};
struct Overlaps {
    std::vector<Overlap> first; // ascending by (a, b)
    std::size_t count = 0;      // of pairs of skins, those beyond `first` included
    bool counted = true;        // false: there are at least so many
};

/// Pairs of skins that are deeper inside each other than `within`, where the bodies of a model
/// start. After `most` of them the search ends: a thousand bodies in one place make half a million
/// pairs, and nobody reads them.
Overlaps overlaps_at_start(const Model& model, double within, std::size_t most = 1000);

} // namespace poinsot
