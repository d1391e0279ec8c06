// SPDX-License-Identifier: MIT
#pragma once

// What strikes its stops: a block, a pendulum, an arm, and trees with limits everywhere.

#include "joined.hpp"
#include "poinsot/step/stops.hpp"

namespace poinsot::stop_tests {

inline constexpr double g = 9.81;
inline constexpr std::array formulations{Formulation::maximal, Formulation::reduced};

inline RunSettings run_in(Formulation f, Method method, double h, double until)
{
    RunSettings run = run_with(method, h, until);
    run.step.formulation = f;
    return run;
}

/// A block of 2 kg on a vertical slide, at 0, with a stop below.
inline Builder block(double lower, double restitution = 0)
{
    Builder b;
    b.gravity.uniform = {0, 0, -g};
    b.add(body_with("block", 2, diagonal(1.0, 2.0, 2.5), zero3<double>(), zero3<double>()));
    Joint slide;
    slide.name = "slide";
    slide.kind = JointKind::prismatic;
    slide.b = 0;
    slide.laws.resize(1);
    slide.laws[0].lower = lower;
    slide.laws[0].restitution = restitution;
    b.add(slide);
    return b;
}

/// A rod of 1.5 kg and 0.8 m that hangs from a hinge about z, gravity along −y; at zero it hangs.
inline Builder pendulum(double angle, double lower, double restitution)
{
    Builder b;
    b.gravity.uniform = {0, -g, 0};
    const double m = 1.5, l = 0.8, I = m * l * l / 12;
    b.add(body_with("rod", m, diagonal(I, 0.01 * I, I), zero3<double>(), zero3<double>()));
    Joint hinge;
    hinge.name = "hinge";
    hinge.b = 0;
    hinge.frame_b.x = {0, l / 2, 0};
    hinge.start = {angle};
    hinge.laws.resize(1);
    hinge.laws[0].lower = lower;
    hinge.laws[0].restitution = restitution;
    b.add(hinge);
    return b;
}

/// Two rods on hinges about z, the second with limits.
inline Builder arm(double q_1, double q_2, double speed_1, double speed_2)
{
    Builder b;
    const double m[] = {1.2, 0.7}, l[] = {0.5, 0.6};
    for (const std::size_t i : {0u, 1u}) {
        const double I = m[i] * l[i] * l[i] / 12;
        b.add(body_with(i == 0 ? "upper" : "lower", m[i], diagonal(I, 0.01 * I, I), zero3<double>(),
                        zero3<double>()));
        Joint hinge;
        hinge.name = i == 0 ? "shoulder" : "elbow";
        hinge.a = static_cast<int>(i) - 1;
        hinge.b = static_cast<int>(i);
        hinge.frame_a.x = {0, i == 0 ? 0 : -l[0] / 2, 0};
        hinge.frame_b.x = {0, l[i] / 2, 0};
        hinge.start = {i == 0 ? q_1 : q_2};
        hinge.start_speed = {i == 0 ? speed_1 : speed_2};
        hinge.laws.resize(1);
        b.add(hinge);
    }
    return b;
}

inline double q_of(const Simulation& sim, std::size_t joint = 0)
{
    return sim.placed().joints[joint].q[0];
}
inline double speed_of(const Simulation& sim, std::size_t joint = 0)
{
    return sim.placed().joints[joint].speed[0];
}
inline const Posting& posted(const Simulation& sim, Cause cause)
{
    return sim.ledger().books().total.posted[index_of(cause)];
}

/// p and spin close to rounding in maximal coordinates; in reduced ones they are derived, and close
/// as L and E do, by the error of the integrator.
inline void check_books(const Simulation& sim, double error)
{
    const Books& books = sim.ledger().books();
    const bool maximal = sim.settings().step.formulation == Formulation::maximal;
    CHECK(books.worst_p < (maximal ? 1e-12 : error));
    CHECK(books.worst_spin < (maximal ? 1e-12 : error));
    CHECK(books.worst_L < error);
    CHECK(std::abs(books.total.residual.E()) <= error * books.scale_E);
}

/// Some tree with limits near to where it starts, on every coordinate.
inline Builder limited_tree(std::uint64_t seed)
{
    Builder b = some_tree(5, seed);
    Dice dice(seed + 100);
    const auto start = built(b)->joint_starts();
    for (std::size_t j = 0; j < b.joints.size(); ++j)
        for (const double q : start[j].q) {
            CoordinateLaw& law = b.joints[j].laws.emplace_back();
            law.lower = q - dice.uniform(0.02, 0.3);
            law.upper = q + dice.uniform(0.02, 0.3);
            law.restitution = dice.uniform(0, 1) < 0.4 ? 0 : dice.uniform(0, 1);
            law.armature = dice.uniform(0, 1) < 0.3 ? 0.1 : 0;
        }
    return b;
}

} // namespace poinsot::stop_tests
