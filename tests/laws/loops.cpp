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

/// The same with laws of its own along the closing joint: `change(law, q)` makes each, q being
/// where the coordinate starts.
template <class Change>
std::shared_ptr<const Model> closed_with(JointKind kind, std::uint64_t seed, const Change& change)
{
    Builder b = closed_by(kind, seed);
    const auto starts = built(b)->joint_starts()[3].q;
    std::vector<CoordinateLaw>& laws = b.joints[3].laws;
    for (std::size_t i = 0; i < laws.size(); ++i) {
        laws[i] = {};
        change(laws[i], starts[i]);
    }
    return built(b);
}

/// Both formulations at the end of a run, and the work of a cause in each.
struct Ends {
    std::array<Placed, 2> placed;
    std::array<double, 2> work;

    Ends(const std::shared_ptr<const Model>& model, double h, double until, Cause cause)
    {
        for (std::size_t i = 0; i < 2; ++i) {
            const Simulation sim = ran(model, run_in(both[i], Method::runge_kutta4, h, until));
            placed[i] = sim.placed();
            work[i] = sim.ledger().books().total.posted[index_of(cause)].work;
        }
    }
    double apart() const { return difference(placed[0], placed[1]); }
};

/// The kinds of joints that have coordinates.
std::vector<JointFacts> kinds_with_coordinates()
{
    std::vector<JointFacts> found;
    for (const JointFacts& facts : joint_kinds)
        if (facts.coordinates > 0)
            found.push_back(facts);
    return found;
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

TEST_CASE("Motors of every kind on the joint that closes a loop act alike, bounded or not")
{
    for (const JointFacts& facts : kinds_with_coordinates())
        for (const Motor::Kind kind :
             {Motor::Kind::force, Motor::Kind::velocity, Motor::Kind::position}) {
            std::array<Placed, 2> reached; // without and with a bound
            for (const bool bounded : {false, true}) {
                INFO(facts.name, " ", static_cast<int>(kind), bounded ? " bounded" : "");
                const auto model = closed_with(facts.kind, 8, [&](CoordinateLaw& law, double) {
                    law.motor = Motor{kind, {1.5, 0, 0.5, 1.5, 0.1}, 4, 0.3};
                    if (bounded)
                        law.motor->most = 0.8;
                });
                const Ends coarse(model, 2e-3, 0.2, Cause::motor),
                    fine(model, 1e-3, 0.2, Cause::motor);
                CAPTURE(coarse.apart());
                CAPTURE(fine.apart());
                CHECK(fine.apart() < 1e-7);
                // Order four, down to rounding; a bound that is reached within a step leaves two.
                CHECK((coarse.apart() / fine.apart() > (bounded ? 2 : 8) || fine.apart() < 1e-12));
                CHECK(near(fine.work[0], fine.work[1], 1e-7, 1.0));
                CHECK(std::abs(fine.work[0]) > 1e-4);
                reached[bounded] = fine.placed[0];
            }
            CHECK(difference(reached[0], reached[1]) > 1e-4); // the bound is reached
        }
}

TEST_CASE("A coordinate of the joint that closes a loop stops at its limits, alike in both")
{
    for (const JointFacts& facts : kinds_with_coordinates())
        for (const double restitution : {0.0, 0.5}) {
            INFO(facts.name, " ", restitution);
            std::vector<double> starts;
            const double room = 0.02;
            const auto model = closed_with(facts.kind, 3, [&](CoordinateLaw& law, double q) {
                law.lower = q - room;
                law.upper = q + room;
                law.restitution = restitution;
                starts.push_back(q);
            });
            const Ends ends(model, 5e-4, 0.3, Cause::limit);
            CHECK(ends.apart() < 1e-6); // RK4 from impact to impact
            for (const Placed& placed : ends.placed)
                for (std::size_t i = 0; i < starts.size(); ++i)
                    CHECK(std::abs(placed.joints[3].q[i] - starts[i]) < room + 1e-10);
            CHECK(ends.work[0] < -1e-5); // it struck
            CHECK(near(ends.work[0], ends.work[1], 1e-6, 1.0));
        }
}

TEST_CASE("A coordinate of the joint that closes a loop follows what is prescribed, alike in both")
{
    for (const JointFacts& facts : kinds_with_coordinates()) {
        INFO(facts.name);
        std::vector<Course> courses; // of the first coordinate; it starts at rest
        const auto model = closed_with(facts.kind, 3, [&](CoordinateLaw& law, double q) {
            if (courses.empty())
                law.prescribed = courses.emplace_back(Course{q - 0.1, 0, 0.1, 1.5, M_PI / 2});
        });
        const Ends coarse(model, 2e-3, 0.2, Cause::motor), fine(model, 1e-3, 0.2, Cause::motor);
        CAPTURE(coarse.apart());
        CAPTURE(fine.apart());
        CHECK(fine.apart() < 1e-7);
        CHECK((coarse.apart() / fine.apart() > 8 || fine.apart() < 1e-12));
        for (const Placed& placed : fine.placed)
            CHECK(near(placed.joints[3].q[0], courses[0].at(0.2), 1e-12, 1.0));
        CHECK(near(fine.work[0], fine.work[1], 1e-7, 1.0));
        CHECK(std::abs(fine.work[0]) > 1e-4);
    }
}
