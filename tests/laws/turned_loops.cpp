// SPDX-License-Identifier: MIT
// Space has no directions: loops that hold more than they need move alike however they are turned.
// Along the axes of the world, rows that repeat others are zero; elsewhere they are rounding.

#include "formulations.hpp"

using namespace poinsot;

namespace {

const std::array turns{V3{0, 0.785398, 0}, V3{0.3, -1.1, 0.7}, V3{-2, 0.4, 1.3}};

/// A door on two hinges, one above the other, that turns with 1 rad/s.
Builder door(JointKind second)
{
    Builder b;
    Body leaf = body_with("door", 20, diagonal(6.67, 8.02, 1.35), {0, 0.45, 0}, {0, 0, 1});
    leaf.pose.x = {0.75, 0.2, 1.1};
    b.add(leaf);
    Joint low = hinge("low", world, {0.3, 0.2, 0.2}, 0, {-0.45, 0, -0.9});
    low.start_speed = {1};
    Joint high = hinge("high", world, {0.3, 0.2, 1.8}, 0, {-0.45, 0, 0.7});
    high.kind = second;
    b.add(low);
    b.add(high);
    return b;
}

} // namespace

TEST_CASE("A door on two hinges turns as on one, whichever way the hinges point")
{
    for (const JointKind second : {JointKind::revolute, JointKind::ball, JointKind::cylindrical})
        for (const V3& by : turns)
            for (const Formulation f : both) {
                CAPTURE(norm(by));
                INFO(name_of(f));
                const auto model = built(turned(door(second), exp_quat(by)));
                const Simulation sim = ran(model, run_in(f, Method::runge_kutta4, 1e-3, 3));
                const PlacedBody leaf = sim.placed().bodies[0];
                const Mat3<double> R = matrix_of(exp_quat(by));
                const V3 lever{0.45, 0, 0}, axis{0.3, 0.2, 1.1};
                const Mat3<double> opened = matrix_of(exp_quat(V3{0, 0, 3}));
                // Three thousand steps of fourth order: seen were 1e-13 of 1.5 m.
                CHECK(norm(leaf.x - R * (axis + opened * lever)) < 1e-11);
                CHECK(norm(leaf.omega - R * V3{0, 0, 1}) < 1e-12);
            }
}

TEST_CASE("Mechanisms that hold more than they need move alike however they are turned in space")
{
    const std::array<std::pair<const char*, Builder>, 3> worlds{
        {{"parallelogram", parallelogram()},
         {"four_bar", scene_description("four_bar")},
         {"slider_crank", scene_description("slider_crank")}}};
    for (const auto& one : worlds)
        for (const Formulation f : both) {
            INFO(one.first, " ", name_of(f));
            const Builder& straight = one.second;
            const RunSettings how = run_in(f, Method::runge_kutta4, 1e-3, 0.5);
            const Placed as_it_was = ran(built(straight), how).placed();
            for (const V3& by : turns) {
                CAPTURE(norm(by));
                const Quat<double> q = exp_quat(by);
                Placed now = ran(built(turned(straight, q)), how).placed();
                const Mat3<double> R = matrix_of(q);
                for (std::size_t i = 0; i < now.bodies.size(); ++i) {
                    const PlacedBody &a = as_it_was.bodies[i], &b = now.bodies[i];
                    // What rounding grows to in half a second of motion.
                    CHECK(norm(b.x - R * a.x) < 1e-10);
                    CHECK(norm(b.v - R * a.v) < 1e-9);
                    CHECK(norm(b.omega - R * a.omega) < 1e-9);
                }
            }
        }
}
