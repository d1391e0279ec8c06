// SPDX-License-Identifier: MIT
#pragma once

// Contacts that made energy, each with the work that its reactions did on what they join:
//
//     r · (u⁺ + u⁻)/2 > 0,    in an impact whose contacts together did more than nothing
//
// Either their law did (solve/impact.hpp: Newton's law and Poisson's may), or they were not solved
// to the tolerance: then no law says what the reactions do. What is rounding of the energies of
// what touches is no gain.

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
    bool unsolved = false;    // made by what is left of the residual, not by the law
};

/// What one contact made in one way is one gain, of the first time.
void add_gain(std::vector<ContactGain>& gains, const ContactGain& one);

/// Steps that were taken by impulses for one reason, and the first of them.
struct ByImpulsesTold {
    std::int64_t steps = 0;
    double time = 0;    // s
    int a = -1, b = -1; // skins
};

/// How far springs let two surfaces into each other, beside the smallest side of either.
struct SunkIn {
    double depth = 0, side = 0; // m
    double time = 0;            // s
    int a = -1, b = -1;         // skins
    double part() const { return side > 0 ? depth / side : 0; }
    /// From this part on what touches is not where it should be, and may be let through.
    static constexpr double too_far = 0.25;
};

/// How contact was answered in a run: what those should know who read its numbers.
struct ContactQuality {
    double residual = 0;       // the largest natural residual of a step by impulses or of an impact
    std::int64_t unsolved = 0; // steps in which one was above the tolerance
    std::int64_t divided = 0;  // steps taken in parts, since something fast was hit in between
    std::int64_t unlooked = 0; // steps in which something fast may have passed through another
    std::vector<ContactGain> gains; // by contact: all that it made; the time is that of the first
    // Where forces of rest have no solution, where none was found, and where events had no end.
    ByImpulsesTold no_forces, none_found, endless;
    // Where events are found in time: the largest energy that the integrator made or lost while one
    // booking was kept, J, at the end of it, and what part of the largest energy that is.
    double strayed = 0, strayed_at = 0, strayed_part = 0;
    SunkIn sunk; // with penalty contact: the largest part, at the ends of steps
};

} // namespace poinsot
