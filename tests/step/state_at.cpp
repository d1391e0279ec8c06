// SPDX-License-Identifier: MIT
// A state at coordinates: the same place and motion in every form and formulation.

#include "dynamics/linkages.hpp"
#include "poinsot/step/smooth.hpp"

using namespace poinsot;

TEST_CASE("A state at coordinates is where the linkage has its bodies, with whole turns")
{
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        INFO(seed);
        Rig rig(random_tree(seed, 6), seed);
        for (const Link& link : rig.linkage.links)
            if (link.joint != Tree::none && freedoms_of(link.op) == 1)
                rig.q[static_cast<std::size_t>(link.q)] += 12.5; // two turns, or a slide
        const Placed wanted = rig.bodies();
        for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix})
            for (const Formulation formulation : {Formulation::maximal, Formulation::reduced}) {
                const State state =
                    state_at(*rig.model, rig.linkage, form, formulation, rig.q, rig.v);
                CHECK(state.step == 0);
                CHECK(state.joints.q ==
                      (formulation == Formulation::reduced ? rig.q : std::vector<double>{}));
                const Placed placed = place(*rig.model, state);
                for (std::size_t i = 0; i < placed.bodies.size(); ++i) {
                    const PlacedBody &mine = placed.bodies[i], &theirs = wanted.bodies[i];
                    // Chains of slides of 12.5 m: rounding of some 1e-15 of that, a few times.
                    CHECK(norm(mine.x - theirs.x) < 1e-13);
                    CHECK(norm(mine.v - theirs.v) < 1e-12 * (1 + norm(theirs.v)));
                    CHECK(norm(mine.omega - theirs.omega) < 1e-12 * (1 + norm(theirs.omega)));
                }
                for (const Link& link : rig.linkage.links) {
                    if (link.joint == Tree::none || freedoms_of(link.op) != 1)
                        continue;
                    const auto joint = static_cast<std::size_t>(link.joint);
                    const auto at = static_cast<std::size_t>(rig.model->first_coordinate(joint) +
                                                             link.coordinate);
                    CHECK(std::abs(state.joint_coordinates[at] -
                                   rig.q[static_cast<std::size_t>(link.q)]) < 1e-12);
                }
            }
    }
}
