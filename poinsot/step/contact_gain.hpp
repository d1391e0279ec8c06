// SPDX-License-Identifier: MIT
#pragma once

// Contacts whose law made energy (solve/impact.hpp: Newton's law and Poisson's may), each with the
// work that its reactions did on what they join:
//
//     r · (u⁺ + u⁻)/2 > 0,    in an impact whose contacts together did more than nothing

#include "poinsot/model/joint.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace poinsot {

struct ContactGain {
    int a = -1, b = -1;       // skins, or none:
    std::optional<Stop> stop; // a limit of a joint
    double time = 0;          // s
    double energy = 0;        // J
};

/// What one contact made is one gain, of the first time.
void add_gain(std::vector<ContactGain>& gains, const ContactGain& one);

/// How contact was answered in a run: what those should know who read its numbers.
struct ContactQuality {
    double residual = 0;       // the largest natural residual of a step by impulses or of an impact
    std::int64_t unsolved = 0; // steps in which one was above the tolerance
    std::int64_t divided = 0;  // steps taken in parts, since something fast was hit in between
    std::int64_t unlooked = 0; // steps in which something fast may have passed through another
    std::vector<ContactGain> gains; // by contact: all that it made; the time is that of the first
};

} // namespace poinsot
