// SPDX-License-Identifier: MIT
#pragma once

// A beam that bends, made of n rigid segments of length ℓ = L/n and of bushings between them.
//
// Between the middles of two neighbours lies a piece of beam of length s. Seen from its own middle,
// the stiffness of Euler and Bernoulli's beam is diagonal [Przemieniecki 1968, §5.6, moved there]:
//
//     across x   12 E I_y/s³       about x   E I_x/s          I_x = ∫ y² dA
//     across y   12 E I_x/s³       about y   E I_y/s          I_y = ∫ x² dA
//     along z    E A/s             about z   G J/s
//
// so a bushing there with these numbers is that piece, exactly for small bending: s = ℓ where two
// segments meet, and s = ℓ/2, a quarter of a segment from the end, where a beam is clamped. What is
// lumped is mass alone. Deflection under a force at the tip is then off by (1/2n)³, under its own
// weight and in natural frequencies by something that falls with 1/n².

#include "poinsot/model/builder.hpp"

namespace poinsot {

/// What the beam looks like across: z runs along it.
struct Section {
    double area = 0;    // m²
    double I_x = 0;     // m⁴, bending about x: ∫ y² dA
    double I_y = 0;     // m⁴, bending about y: ∫ x² dA
    double torsion = 0; // m⁴: J of G J
    Shape drawn = {};   // of one metre, for those who look: box or cylinder
};
/// Sides along x and y. The torsion constant is Saint-Venant's series to the last digit.
Section rectangle(double a, double b);
Section disc(double radius);
Section tube(double outer_radius, double inner_radius);

inline constexpr int most_segments = 10000;
struct Beam {
    std::string name;
    Pose<double> pose = identity_pose<double>(); // of its root, z along it, in the world
    double length = 1;                           // m
    int segments = 8;                            // at most most_segments
    Section section = {};
    double young_modulus = 0, shear_modulus = 0; // Pa
    double density = 0;                          // kg/m³
    double damping_time = 0; // s: damping is stiffness times this, ζ = ½ ω damping_time of a mode

    std::optional<int> root = {}; // what its root is clamped to: a body, or the world
    std::optional<int> tip = {};  // and its tip
};

/// Adds the segments, `name/1` … `name/n` from the root on, and what joins them; or says all
/// that is wrong with the beam, and adds nothing. The bodies that it is clamped to are where
/// they start; it moves with them.
Problems add(Builder& builder, const Beam& beam);

} // namespace poinsot
