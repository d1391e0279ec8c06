// SPDX-License-Identifier: MIT
// The tree as links: every joint does as a chain of links what it does as described.

#include "linkages.hpp"

using namespace poinsot;

TEST_CASE("Every joint, either way round, moves its body as the model describes it")
{
    for (const JointKind kind : carrying_kinds)
        for (const bool reversed : {false, true})
            for (std::uint64_t seed = 1; seed <= 20; ++seed) {
                INFO(facts_of(kind).name, std::string(reversed ? " reversed " : " "), seed);
                Dice dice(seed);
                Builder b;
                b.add(random_body(dice, "parent"));
                b.add(random_body(dice, "child"));
                hang(b, dice, JointKind::ball, world, 0, false);
                hang(b, dice, kind, 0, 1, reversed);
                Rig rig(b, seed);
                CHECK(rig.linkage.nv == 3 + 6 - facts_of(kind).rows);
                // what the bodies do, seen by the joint as described, is what the coordinates say
                const Placed placed = rig.bodies();
                const Coordinates back =
                    coordinates_from_poses(rig.linkage, *rig.model, placed, rig.q);
                for (const Link& link : rig.linkage.links) {
                    const auto q = static_cast<std::size_t>(link.q);
                    const auto v = static_cast<std::size_t>(link.v);
                    for (std::size_t k = 0; k < static_cast<std::size_t>(freedoms_of(link.op)); ++k)
                        CHECK(near(back.v[v + k], rig.v[v + k], 1e-13, 10));
                    if (freedoms_of(link.op) == 1)
                        CHECK(near(back.q[q], rig.q[q], 1e-13, 10));
                }
                std::vector<Body> there = rig.model->bodies();
                for (std::size_t i = 0; i < there.size(); ++i) {
                    const PlacedBody& body = placed.bodies[i];
                    there[i].pose = {body.x - body.R * body.mass.center, quat_of(body.R)};
                    there[i].velocity = body.v;
                    there[i].angular_velocity = body.omega;
                }
                const Joint& joint = rig.model->joints()[1];
                const Pose<double> X = relative_pose(joint, there);
                const Twist<double> V = relative_twist(joint, there);
                std::vector<double> q = coordinates_of(kind, X);
                if (kind == JointKind::screw) // a pose does not tell the turn, a slide does
                    q[0] = rig.q[static_cast<std::size_t>(rig.linkage.links[1].q)];
                const std::vector<double> speed = speeds_of(kind, q, V);
                const Pose<double> J = joint_pose(joint, q);
                const Twist<double> U = joint_twist(joint, q, speed);
                if (kind != JointKind::free)
                    CHECK(norm(X.x - J.x) < 1e-13);
                if (kind != JointKind::free)
                    CHECK(norm(V.v - U.v) < 2e-13 * 10);
                if (kind != JointKind::free && kind != JointKind::ball) {
                    CHECK(angle_between(X.q, J.q) < 1e-13);
                    CHECK(norm(V.omega - U.omega) < 1e-13 * 10);
                }
            }
}

TEST_CASE("A model starts in reduced coordinates where its bodies stand, whole turns kept")
{
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        INFO(seed);
        Builder b = random_tree(seed, 8);
        for (Joint& joint : b.joints)
            for (std::size_t k = 0; k < joint.start.size(); ++k)
                if (is_angle(joint.kind, static_cast<int>(k)) && joint.kind != JointKind::screw)
                    joint.start[k] += 4 * 3.14159265358979323846 * 2;
        const auto model = built(b);
        const Linkage linkage = linkage_of(*model);
        const Coordinates start = start_coordinates(linkage, *model);
        LinkageSpace<double> w(linkage);
        Placed placed;
        place_bodies(linkage, *model, start.q, start.v, placed, w);
        for (std::size_t i = 0; i < placed.bodies.size(); ++i) {
            const Body& body = model->bodies()[i];
            CHECK(norm(placed.bodies[i].x - place(body.pose, body.mass_properties.center)) < 1e-13);
            const Mat3<double> d = placed.bodies[i].R - matrix_of(body.pose.q);
            CHECK(norm(d.r0) + norm(d.r1) + norm(d.r2) < 1e-13);
            CHECK(norm(placed.bodies[i].v - body.velocity) < 1e-13);
        }
        for (const Link& link : linkage.links)
            if (link.joint != Tree::none && freedoms_of(link.op) == 1)
                CHECK(start.q[static_cast<std::size_t>(link.q)] ==
                      model->joint_starts()[static_cast<std::size_t>(link.joint)]
                          .q[static_cast<std::size_t>(link.coordinate)]);
        // and back from the bodies, with the turns
        const Coordinates back = coordinates_from_poses(linkage, *model, placed);
        for (const Link& link : linkage.links)
            if (freedoms_of(link.op) == 1)
                CHECK(near(back.q[static_cast<std::size_t>(link.q)],
                           start.q[static_cast<std::size_t>(link.q)], 1e-14, 30));
    }
}

TEST_CASE("Welded bodies share a link, and bodies welded to the world have none")
{
    Dice dice(3);
    Builder b;
    for (int i = 0; i < 4; ++i)
        b.add(random_body(dice, text_of("body", i)));
    hang(b, dice, JointKind::weld, world, 0, false);
    hang(b, dice, JointKind::revolute, 0, 1, false);
    hang(b, dice, JointKind::weld, 1, 2, true);
    hang(b, dice, JointKind::weld, 0, 3, true);
    const Rig rig(b, 1);
    REQUIRE(rig.linkage.size() == 1);
    CHECK(rig.linkage.bodies[0].link == world);
    CHECK(rig.linkage.bodies[3].link == world);
    CHECK(rig.linkage.bodies[1].link == 0);
    CHECK(rig.linkage.bodies[2].link == 0);
    CHECK(near(rig.inertias[0].m, rig.model->masses()[1].m + rig.model->masses()[2].m, 1e-15));
}
