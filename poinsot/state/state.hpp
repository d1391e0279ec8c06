// SPDX-License-Identifier: MIT
#pragma once

// All that is needed to resume: how many steps were taken, and placement and motion of every body.
//
// Three forms of the same thing, as the textbooks offer them; x is the centre of mass, angular
// quantities are in world axes and about the centre of mass:
//
//     MomentumForm   x, q, p, L      what the engine prefers: loads change it directly
//     VelocityForm   x, q, v, ω
//     MatrixForm     x, R, p, L      attitude as nine numbers that drift from a rotation
//
// Time is the number of steps times their length, not a running sum.

#include "poinsot/math/rotation.hpp"
#include "poinsot/model/joint.hpp"
#include "poinsot/model/tank.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

namespace poinsot {

template <Scalar T = double>
struct MomentumForm {
    static constexpr std::string_view name = "momentum";
    Vec3<T> x;
    Quat<T> attitude;
    Vec3<T> p, L;
    friend bool operator==(const MomentumForm&, const MomentumForm&) = default;
};
template <Scalar T = double>
struct VelocityForm {
    static constexpr std::string_view name = "velocity";
    Vec3<T> x;
    Quat<T> attitude;
    Vec3<T> v, omega;
    friend bool operator==(const VelocityForm&, const VelocityForm&) = default;
};
template <Scalar T = double>
struct MatrixForm {
    static constexpr std::string_view name = "matrix";
    Vec3<T> x;
    Mat3<T> attitude;
    Vec3<T> p, L;
    friend bool operator==(const MatrixForm&, const MatrixForm&) = default;
};

using MomentumBodies = std::vector<MomentumForm<double>>;
using VelocityBodies = std::vector<VelocityForm<double>>;
using MatrixBodies = std::vector<MatrixForm<double>>;

/// Coordinates and speeds of a linkage (dynamics/linkage.hpp): what moves in reduced coordinates.
struct JointMotion {
    std::vector<double> q, v;
    // Where an implicit method found its last stages: it begins there; or, by impulses, the momenta
    // of what floats (step/floating.hpp).
    std::vector<double> stages;

    friend bool operator==(const JointMotion&, const JointMotion&) = default;
};

/// What was solved at a point of touch in the last step: where the next begins, and whether the
/// friction of what slides holds or that of what stands.
struct Touched {
    std::array<int, 4> pair{};            // skins a and b, and a part of each
    Vec3<double> point = zero3<double>(); // in the world: the next step looks for the nearest
    bool slides = false;
    double normal = 0, torsion = 0;          // N s, N m s: on b
    Vec3<double> friction = zero3<double>(); // world axes
    Vec3<double> rolling = zero3<double>();

    friend bool operator==(const Touched&, const Touched&) = default;
};

/// What a point of penalty contact keeps from step to step (contacts/press.hpp): how far the spring
/// of its friction is stretched, and the masses that its springs were made for when it was new.
struct Pressed {
    std::array<int, 4> pair{}; // skins a and b, and a part of each
    Vec3<double> point = zero3<double>();
    Vec3<double> stretch = zero3<double>(); // of b against a, in the plane of contact
    double mass = 0, slip_mass = 0;         // along the normal and across it, kg
    bool slides = false;

    friend bool operator==(const Pressed&, const Pressed&) = default;
};

struct State {
    std::int64_t step = 0;
    double substep = 0; // what an adaptive method will try next; 0: it has not begun
    std::variant<MomentumBodies, VelocityBodies, MatrixBodies> bodies;
    std::vector<double> joint_coordinates; // as last measured, angles with their whole turns
    JointMotion joints; // reduced coordinates: the motion itself, from which `bodies` follows
    std::vector<Stop> standing;    // the stops at which coordinates rest, by joint and coordinate
    std::vector<Touched> touched;  // pairs ascending
    std::vector<Pressed> pressed;  // likewise
    std::vector<double> rotors;    // axial momentum h of each (forces/gyrostat.hpp)
    std::vector<double> tanks;     // what is in each, kg
    std::vector<char> flowing;     // per flow: was it on in the step that led here?
    std::vector<FlowShare> shares; // per flow, where any follows a control (model/throttle.hpp)
    std::vector<char> released;    // per release: has its joint let go?

    friend bool operator==(const State&, const State&) = default;
};

/// The 64-bit FNV-1a hash of every number of the state: equal bits, equal hash.
std::uint64_t hash_of(const State& state);

} // namespace poinsot
