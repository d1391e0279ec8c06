// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/joint_forces.hpp"
#include "linkages.hpp"
#include "poinsot/dynamics/aba.hpp"

using namespace poinsot;

TEST_CASE("Forces along the velocities of any linkage do the same work as the loads they become")
{
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        INFO(seed);
        Rig rig(random_tree(seed, 3 + static_cast<int>(seed % 9)), seed);
        Placed placed = rig.bodies();
        const std::vector<double> turns(static_cast<std::size_t>(rig.model->coordinates()), 0.0);
        place_joints(*rig.model, turns, placed);
        const Input input = JointForces(rig.linkage).input_of(rig.tau);
        Loads loads;
        gather_loads(*rig.model, placed, input, 0, 0, loads);

        // Jᵀ W = τ; a torque of size 5 at levers of some metres, summed along the tree
        std::vector<Wrench<double>> on_links(rig.linkage.size());
        std::vector<double> tau(rig.nv());
        link_loads(rig.linkage, placed.bodies, loads.total, on_links, rig.w);
        joint_forces<double>(rig.linkage, on_links, tau, rig.w);
        double size = 1;
        for (const Wrench<double>& W : loads.total)
            size += norm(W.F) + norm(W.tau);
        CHECK(apart(tau, rig.tau) < 1e-14 * size);
    }
}

TEST_CASE("Forces between bodies push both: what floats freely keeps its momentum")
{
    Dice dice(3);
    Builder b;
    for (int i = 0; i < 4; ++i)
        b.add(random_body(dice, text_of("body", i)));
    hang(b, dice, JointKind::ball, 0, 1, false);
    hang(b, dice, JointKind::free, 1, 2, true);
    hang(b, dice, JointKind::planar, 1, 3, false);
    Rig rig(b, 4);
    Placed placed = rig.bodies();
    place_joints(*rig.model, std::vector<double>(3, 0.0), placed);
    std::fill(rig.tau.begin(), rig.tau.begin() + 6, 0.0); // of the base
    Loads loads;
    gather_loads(*rig.model, placed, JointForces(rig.linkage).input_of(rig.tau), 0, 0, loads);
    Wrench<double> sum{zero3<double>(), zero3<double>()};
    for (std::size_t i = 0; i < placed.bodies.size(); ++i)
        sum = sum + shift(loads.total[i], -placed.bodies[i].x);
    CHECK(largest(rig.tau) > 1);
    CHECK(norm(sum.F) < 1e-14 * 20);
    CHECK(norm(sum.tau) < 1e-14 * 100);
}
