// SPDX-License-Identifier: MIT
// Every kind of joint closes a loop, with all that acts along its coordinates.

#include "formulations.hpp"
#include "poinsot/constraints/stabilise.hpp"

using namespace poinsot;

namespace {

/// Three bodies that hang on the world one below the other, by a ball, a universal joint and a
/// ball: eight freedoms. A joint of some kind binds the last to the world again, wherever its
/// frames must be for that; nothing moves at the start.
Builder closed_by(JointKind kind, std::uint64_t seed)
{
    Dice dice(seed);
    Builder b;
    b.gravity.uniform = {0, 0, -9.81};
    const std::array kinds{JointKind::ball, JointKind::universal, JointKind::ball};
    for (int i = 0; i < 3; ++i) {
        Joint joint;
        joint.name = text_of("joint ", i);
        joint.kind = kinds[static_cast<std::size_t>(i)];
        joint.a = i - 1;
        Body body = some_body(text_of("body ", i), dice);
        body.velocity = body.angular_velocity = zero3<double>();
        joint.b = b.add(body);
        joint.frame_a = some_pose(dice);
        joint.frame_b = some_pose(dice);
        Allowed as = allowed(joint, dice);
        as.twist = {zero3<double>(), zero3<double>()};
        put(b, joint, as);
        b.add(joint);
    }
    Joint closing;
    closing.name = "closing";
    closing.kind = kind;
    closing.b = 2;
    closing.pitch = 0.3;
    closing.closes_loop = true;
    closing.frame_b = some_pose(dice);
    closing.frame_a = b.bodies[2].pose * closing.frame_b * inverse(allowed(closing, dice).pose);
    closing.frame_a.q = normalised(closing.frame_a.q);
    closing.laws.resize(static_cast<std::size_t>(facts_of(kind).coordinates));
    for (CoordinateLaw& law : closing.laws) {
        law.stiffness = 3;
        law.rest = 0.2;
        law.damping = 0.4;
        law.friction = 0.3;
        law.slip_speed = 0.5;
        law.armature = 0.2;
        law.motor = Motor{Motor::Kind::position, {0.3, 0, 0.5, 1.5, 0.1}, 4.0, 0.3, 1.5};
    }
    b.add(closing);
    return b;
}

double off(const Simulation& sim)
{
    Rows rows;
    bind_joints(sim.model(), sim.placed(), sim.time(), rows);
    return place_error(rows);
}

} // namespace

TEST_CASE("Every kind of joint may close a loop, and the loop moves alike in both formulations")
{
    for (const JointFacts& facts : joint_kinds)
        for (const std::uint64_t seed : {3u, 8u}) {
            INFO(facts.name, " ", seed);
            const auto model = built(closed_by(facts.kind, seed));
            REQUIRE(model->tree().rows == std::vector<int>{3});
            const auto apart = [&](double h) {
                std::array<Placed, 2> end;
                for (const Formulation f : both) {
                    INFO(name_of(f));
                    const Simulation sim = ran(model, run_in(f, Method::runge_kutta4, h, 0.2));
                    CHECK(off(sim) < 2 * place_rounding); // it was rounded into the state since
                    end[f == both[0] ? 0 : 1] = sim.placed();
                }
                CHECK(norm(end[0].bodies[0].omega) > 0.1); // it falls
                return difference(end[0], end[1]);
            };
            const double coarse = apart(2e-3), fine = apart(1e-3);
            CAPTURE(coarse);
            CAPTURE(fine);
            CHECK(fine < 1e-7);
            CHECK((coarse / fine > 8 || fine < 1e-12)); // order four, down to rounding
        }
}
