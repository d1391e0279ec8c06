// SPDX-License-Identifier: MIT
#pragma once

// Collisions that tests of impact share, and what they ask of the answers.

#include "poinsot/solve/impact.hpp"
#include "solve/contacts.hpp"

namespace poinsot {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr ImpactLaw all_laws[] = {ImpactLaw::energetic, ImpactLaw::moreau, ImpactLaw::newton,
                                         ImpactLaw::poisson};

inline ImpactSettings by(ImpactLaw law, ImpactOrder order = ImpactOrder::together)
{
    ImpactSettings made;
    made.law = law;
    made.order = order;
    return made;
}
/// Without loads: q is what was before.
inline ImpactAnswer hit(const ContactProblem& problem, const std::vector<double>& e,
                        const ImpactSettings& settings = {})
{
    const auto made = solve_impact(problem, problem.q, e, settings);
    REQUIRE(made);
    return *made;
}
inline ImpactAnswer hit(const ContactProblem& problem, double e,
                        const ImpactSettings& settings = {})
{
    std::vector<double> all;
    for (const ContactBlock& block : problem.blocks)
        all.push_back(block.law == ContactBlock::Law::contact ? e : 0);
    return hit(problem, all, settings);
}

inline double kinetic_energy(const MovingMass& mass, const Twist<double>& V)
{
    return 0.5 * (mass.m * dot(V.v, V.v) + dot(V.omega, mass.I * V.omega));
}
/// Of all bodies, before and after reactions r.
inline std::pair<double, double> energies(const Touching& world, const Eigen::VectorXd& r)
{
    double before = 0, after = 0;
    for (std::size_t i = 0; i < world.masses.size(); ++i) {
        before += kinetic_energy(world.masses[i], world.free_motion[i]);
        after += kinetic_energy(world.masses[i], world.motion(static_cast<int>(i), r));
    }
    return {before, after};
}
inline bool near_vec(const V3& a, const V3& b, double allowed)
{
    return norm(a - b) <= allowed;
}

/// A body of random shape that hits another, or the world, at one point or several.
inline Touching some_collision(Dice& dice, int contacts, double mu)
{
    Touching made;
    const int bodies = 1 + static_cast<int>(dice.uniform(0, 3));
    for (int i = 0; i < bodies; ++i)
        made.add(dice.uniform(0.2, 5), dice.inertia(), dice.vector(1),
                 {dice.vector(2), dice.vector(2)});
    for (int i = 0; i < contacts; ++i) {
        const V3 n = dice.vector(1);
        const int a = static_cast<int>(dice.uniform(0, bodies)) - 1;
        const int b = a + 1 + static_cast<int>(dice.uniform(0, bodies - a - 1));
        made.touch(a, b, dice.vector(1), (1 / norm(n)) * n, dice.uniform(0, mu));
    }
    return made;
}
/// The same motion, with the first contact approaching.
inline void let_approach(ContactProblem& problem, Touching& world)
{
    if (problem.q(0) <= 0)
        return;
    for (Twist<double>& V : world.free_motion)
        V = {-V.v, -V.omega};
    problem = world.problem();
}

} // namespace poinsot
