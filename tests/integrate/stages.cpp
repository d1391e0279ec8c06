// SPDX-License-Identifier: MIT
// What a stage of a step knows of joints.

#include "joined.hpp"

using namespace poinsot;

namespace {

/// Three hinges in a row that hang on the world.
Builder hinges()
{
    Builder b;
    b.gravity.uniform = {0, -9.81, 0};
    for (int i = 0; i < 3; ++i) {
        b.add(body_with(text_of("rod ", i).c_str(), 1, diagonal(0.1, 0.1, 0.1), zero3<double>(),
                        zero3<double>()));
        Joint joint = hinge(text_of("hinge ", i), i - 1, {0, i == 0 ? 0 : -0.5, 0}, i, {0, 0.5, 0});
        joint.start = {0.3 + i};
        b.add(joint);
    }
    return b;
}
std::array<double, 3> in_stage(const Builder& b)
{
    const auto model = built(b);
    const State start = start_of<MomentumForm<double>>(*model);
    Placed placed = place(*model, start);
    place_joints_in_stage(*model, start.joint_coordinates, placed);
    return {placed.joints[0].q[0], placed.joints[1].q[0], placed.joints[2].q[0]};
}

} // namespace

TEST_CASE("A stage knows the coordinates that something goes by; of the others it has no number")
{
    const auto known = [](const Builder& b) {
        std::array<bool, 3> found{};
        const auto q = in_stage(b);
        for (std::size_t i = 0; i < 3; ++i) {
            found[i] = !std::isnan(q[i]);
            if (found[i])
                CHECK(near(q[i], 0.3 + static_cast<double>(i), 1e-14));
        }
        return found;
    };
    Builder b = hinges();
    CHECK(known(b) == std::array{false, false, false});
    b.joints[1].laws.resize(1);
    CHECK(known(b) == std::array{false, true, false});
    b.gears.push_back({.name = "gear", .joint_1 = 0, .joint_2 = 2, .ratio = 1});
    CHECK(known(b) == std::array{true, true, true});
}

TEST_CASE("A user's force sees the coordinates of every joint")
{
    Builder sprung = hinges();
    sprung.joints[1].laws.resize(1);
    sprung.joints[1].laws[0].stiffness = 4;
    const auto with_law = built(sprung), without = built(hinges());
    Input by_hand;
    by_hand.user_force = [](const Placed& placed, double, Loads& loads) {
        const PlacedJoint& at = placed.joints[1];
        const V3 tau = (-4 * at.q[0]) * at.axis_a({0, 0, 1});
        loads.add(0, Cause::applied, {zero3<double>(), -tau});
        loads.add(1, Cause::applied, {zero3<double>(), tau});
    };
    for (const Formulation f : {Formulation::maximal, Formulation::reduced})
        for (const Method method : {Method::runge_kutta4, Method::impulsive}) {
            RunSettings run = run_with(method, 1e-3, 0.2);
            run.step.formulation = f;
            CHECK(difference(ran(with_law, run).placed(), ran(without, run, by_hand).placed()) <
                  1e-12);
        }
}
