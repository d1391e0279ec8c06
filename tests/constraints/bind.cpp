// SPDX-License-Identifier: MIT
// Rows of every kind of joint: they vanish where they should, their rates are those of the motion,
// and their pairs obey the third law.

#include "joined.hpp"
#include "poinsot/constraints/reaction.hpp"

#include <Eigen/Dense>

using namespace poinsot;

namespace {

/// The bodies of a model after a time t of constant acceleration A.
Placed moved(const Bound& at, const std::vector<Twist<double>>& A, double t)
{
    Placed there = at.placed;
    for (std::size_t i = 0; i < there.bodies.size(); ++i) {
        PlacedBody& body = there.bodies[i];
        body.x += t * body.v + (0.5 * t * t) * A[i].v;
        // exp(ω t + α t²/2) turns with ω + α t, up to t²
        body.R = exp_matrix(t * body.omega + (0.5 * t * t) * A[i].omega) * body.R;
        body.v += t * A[i].v;
        body.omega += t * A[i].omega;
    }
    std::vector<double> last;
    for (const JointStart& start : at.model->joint_starts())
        last.insert(last.end(), start.q.begin(), start.q.end());
    place_joints(*at.model, last, there);
    return there;
}

std::vector<Twist<double>> some_accelerations(const Bound& at, std::uint64_t seed)
{
    Dice dice(seed);
    std::vector<Twist<double>> A;
    for (std::size_t i = 0; i < at.placed.bodies.size(); ++i)
        A.push_back(
            {dice.vector(3), at.model->bodies()[i].particle ? zero3<double>() : dice.vector(3)});
    return A;
}

/// Σ J · A of one row.
double along(const Bound& at, const Block& block, int k, const std::vector<Twist<double>>& A)
{
    double sum = 0;
    for (int i = 0; i < block.bodies; ++i)
        sum += power(at.rows.J_of(block, k, i),
                     A[static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)])]);
    return sum;
}

/// ġ and g̈ of every row against differences of g and ġ along a motion; t is the time at the start.
void check_rates(const Bound& at, std::uint64_t seed, double t)
{
    const auto A = some_accelerations(at, seed);
    const double h = 1e-4;
    Rows ahead, behind;
    bind_joints(*at.model, moved(at, A, h), t + h, ahead);
    bind_joints(*at.model, moved(at, A, -h), t - h, behind);
    for (const Block& block : at.rows.blocks)
        for (int k = 0; k < block.rows; ++k) {
            INFO("row ", k, " of block ", block.first_row);
            const Row& row = at.rows.row(block, k);
            if (row.softness > 0)
                continue;
            const auto r = static_cast<std::size_t>(block.first_row + k);
            const double g_dot = (ahead.rows[r].g - behind.rows[r].g) / (2 * h);
            const double g_ddot = (ahead.rows[r].g_dot - behind.rows[r].g_dot) / (2 * h);
            // Central differences: h² times a third derivative below 1e3, and rounding 1e-16/h.
            const bool nonholonomic =
                block.origin == Block::Origin::joint && k > 0 &&
                at.model->joints()[static_cast<std::size_t>(block.index)].kind ==
                    JointKind::rolling;
            if (!nonholonomic)
                CHECK(near(g_dot, row.g_dot, 1e-5, 1));
            CHECK(near(g_ddot, along(at, block, k, A) + row.gamma, 1e-5, 1));
        }
}

Eigen::MatrixXd jacobian(const Bound& at)
{
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(
        at.rows.count(), 6 * static_cast<Eigen::Index>(at.placed.bodies.size()));
    for (const Block& block : at.rows.blocks)
        for (int k = 0; k < block.rows; ++k)
            for (int i = 0; i < block.bodies; ++i) {
                const Wrench<double>& W = at.rows.J_of(block, k, i);
                const int c = 6 * block.body[static_cast<std::size_t>(i)];
                const double numbers[] = {W.F.x, W.F.y, W.F.z, W.tau.x, W.tau.y, W.tau.z};
                for (int d = 0; d < 6; ++d)
                    J(block.first_row + k, c + d) = numbers[d];
            }
    return J;
}

} // namespace

TEST_CASE("Rows of every kind of joint vanish, with their rates, where the joint is assembled")
{
    for (const JointFacts& facts : joint_kinds)
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            INFO(facts.name, " ", seed);
            const Bound at(built(joined_pair(facts.kind, seed, seed % 4 == 0)));
            REQUIRE(at.rows.count() == facts.rows);
            for (const Row& row : at.rows.rows) {
                // a few roundings in the places of two frames, and in the speeds of two bodies
                CHECK(std::abs(row.g) <= 4e-15 * row.scale);
                CHECK(std::abs(row.g_dot) <= 2e-14);
            }
        }
}

TEST_CASE("Rows of every kind are independent")
{
    for (const JointFacts& facts : joint_kinds)
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            INFO(facts.name, " ", seed);
            const Bound at(built(joined_pair(facts.kind, seed, seed % 2 == 0)));
            if (facts.rows > 0)
                CHECK(jacobian(at).fullPivLu().rank() == facts.rows);
        }
}

TEST_CASE("Rates of the rows of every kind are those of a motion that the joint allows")
{
    for (const JointFacts& facts : joint_kinds)
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            INFO(facts.name, " ", seed);
            check_rates(Bound(built(joined_pair(facts.kind, seed, seed % 4 == 0))), seed, 0);
        }
}

TEST_CASE("Joints the other way round, with the world as their second body, are rows as well")
{
    for (const JointFacts& facts : joint_kinds) {
        if (facts.kind == JointKind::rolling) // only a body can roll
            continue;
        INFO(facts.name);
        Builder builder = joined_pair(facts.kind, 3);
        Joint& joint = builder.joints[0];
        // Frame b stays where it is in the world; body b is gone, and a rests.
        Body& a = builder.bodies[0];
        const Body& b = builder.bodies[1];
        joint.frame_b = b.pose * joint.frame_b;
        joint.b = world;
        a.velocity = a.angular_velocity = zero3<double>();
        builder.bodies.pop_back();
        const Bound at(built(builder));
        REQUIRE(at.rows.count() == facts.rows);
        for (const Row& row : at.rows.rows)
            CHECK(std::abs(row.g) <= 1e-14 * row.scale);
        check_rates(at, 5, 0);
    }
}

TEST_CASE("Rates of rows whose frame is moved are those of a motion, at any time")
{
    for (const JointKind kind : {JointKind::weld, JointKind::point})
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            INFO(facts_of(kind).name, " ", seed);
            Builder builder = joined_pair(kind, seed, true);
            Dice dice(seed + 40);
            FrameMotion motion;
            for (Course& course : motion.shift)
                course = {dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1), 0.4, 0.3};
            motion.axis = dice.vector(1);
            if (kind == JointKind::weld)
                motion.turn = {0.2, dice.uniform(-1, 1), 0.5, 0.3, dice.uniform(0, 3)};
            builder.joints[0].motion = motion;
            builder.bodies[0].velocity = zero3<double>(); // its point says it
            // Put where its motion begins, with its velocity.
            const auto model = built(builder);
            const Bound start(model);
            for (const Row& row : start.rows.rows) {
                CHECK(std::abs(row.g) <= 1e-14 * row.scale);
                CHECK(std::abs(row.g_dot) <= 1e-13);
            }
            check_rates(start, seed, 0);
        }
}

TEST_CASE("Third law: each row pushes its two bodies with opposite forces and torques about O")
{
    for (const JointFacts& facts : joint_kinds)
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            INFO(facts.name);
            const Bound at(built(joined_pair(facts.kind, seed)));
            for (const Block& block : at.rows.blocks)
                for (int k = 0; k < block.rows; ++k) {
                    V3 F = zero3<double>(), tau = zero3<double>();
                    double size = 0;
                    for (int i = 0; i < 2; ++i) {
                        const Wrench<double>& J = at.rows.J_of(block, k, i);
                        const V3 x = at.placed.bodies[static_cast<std::size_t>(i)].x;
                        F += J.F;
                        tau += J.tau + cross(x, J.F);
                        size += norm(J.tau) + norm(x) * norm(J.F);
                    }
                    CHECK(norm(F) == 0);
                    CHECK(norm(tau) <= 4e-16 * size);
                }
        }
}

TEST_CASE("Reactions of ideal joints do no work, and the opposite acts on the other body")
{
    for (const JointFacts& facts : joint_kinds)
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            INFO(facts.name);
            const Bound at(built(joined_pair(facts.kind, seed)));
            Dice dice(seed + 77);
            std::vector<double> lambda;
            for (int r = 0; r < at.rows.count(); ++r)
                lambda.push_back(dice.uniform(-1, 1));
            Loads loads;
            loads.clear(2);
            add_reactions(at.rows, lambda, loads);
            double work = 0;
            for (std::size_t i = 0; i < 2; ++i)
                work += power(loads.total[i], at.placed.bodies[i].twist());
            CHECK(std::abs(work) < 1e-13);
            const V3 A = dice.vector(2);
            const Wrench<double> on_b = reaction_of(*at.model, at.rows, 0, lambda, at.placed, A);
            const Wrench<double> direct_b = shift(loads.total[1], A - at.placed.bodies[1].x);
            const Wrench<double> direct_a = shift(loads.total[0], A - at.placed.bodies[0].x);
            CHECK(norm(on_b.F - direct_b.F) == 0);
            CHECK(norm(on_b.tau - direct_b.tau) < 1e-15);
            CHECK(norm(on_b.F + direct_a.F) < 1e-15);
            CHECK(norm(on_b.tau + direct_a.tau) < 1e-14);
        }
}

TEST_CASE("A screw counts the turn that is nearest to its slide")
{
    Builder builder = joined_pair(JointKind::screw, 4);
    Joint& joint = builder.joints[0];
    joint.start = {25.0}; // almost four turns
    joint.start_speed = {1.5};
    Bound at(built(builder));
    for (const Row& row : at.rows.rows)
        CHECK(std::abs(row.g) <= 1e-14 * row.scale);
    // a state that has forgotten the turns: the same rows
    const std::vector<double> none{0.0};
    place_joints(*at.model, none, at.placed);
    CHECK(std::abs(at.placed.joints[0].q[0] - 25.0) > 6);
    Rows again;
    bind_joints(*at.model, at.placed, 0, again);
    CHECK(std::abs(again.rows[4].g) <= 1e-14 * again.rows[4].scale);
}

namespace {

/// Wheel on the world, slider on the world, and a link on the wheel: all that has a coordinate.
Builder geared()
{
    Dice dice(11);
    Builder builder;
    const auto join = [&](const char* name, JointKind kind, int a) {
        Joint joint;
        joint.name = name;
        joint.kind = kind;
        joint.a = a;
        joint.b = builder.add(some_body(text_of("body of ", name), dice));
        joint.frame_a = some_pose(dice);
        joint.frame_b = some_pose(dice);
        joint.laws.resize(static_cast<std::size_t>(facts_of(kind).coordinates));
        for (std::size_t k = 0; k < joint.laws.size(); ++k) {
            joint.start.push_back(dice.uniform(-2, 2));
            joint.start_speed.push_back(dice.uniform(-2, 2));
        }
        return builder.add(joint);
    };
    const int wheel = join("wheel", JointKind::revolute, world);
    const int rack = join("rack", JointKind::prismatic, world);
    const int link = join("link", JointKind::cylindrical, 0);
    const int cardan = join("cardan", JointKind::universal, 2);
    const int table = join("table", JointKind::planar, 3);
    const auto speed = [&](int j, std::size_t k) -> double& {
        return builder.joints[static_cast<std::size_t>(j)].start_speed[k];
    };
    const auto mesh = [&](const char* name, int j_1, int k_1, int j_2, int k_2, double ratio) {
        builder.gears.push_back({name, j_1, k_1, j_2, k_2, ratio});
        speed(j_1, static_cast<std::size_t>(k_1)) =
            ratio * speed(j_2, static_cast<std::size_t>(k_2));
    };
    mesh("rack and pinion", rack, 0, wheel, 0, 0.3);
    mesh("epicyclic", link, 0, wheel, 0, -2);
    mesh("lead", link, 1, link, 0, 0.1);
    mesh("cross", cardan, 0, cardan, 1, 1.5);
    mesh("far", table, 2, wheel, 0, 0.7);
    mesh("sideways", table, 0, table, 1, -1);
    return builder;
}

} // namespace

TEST_CASE("Gears: rows vanish at the start, and their rates are those of the motion")
{
    const Bound at(built(geared()));
    int gears = 0;
    for (const Block& block : at.rows.blocks)
        if (block.origin == Block::Origin::gear) {
            ++gears;
            CHECK(block.bodies <= 4);
            CHECK(std::abs(at.rows.row(block, 0).g) < 1e-14);
            CHECK(std::abs(at.rows.row(block, 0).g_dot) < 1e-13);
        }
    CHECK(gears == 6);
    check_rates(at, 3, 0);
}

TEST_CASE("Prescribed coordinates and armatures: rows of their own, with the rates of the course")
{
    Builder builder = geared();
    builder.gears.clear();
    for (Joint& joint : builder.joints)
        for (std::size_t k = 0; k < joint.laws.size(); ++k) {
            joint.laws[k].prescribed = course_from(joint.start[k], joint.start_speed[k]);
            joint.laws[k].armature = 0.5;
        }
    const Bound at(built(builder));
    int prescribed = 0, armatures = 0;
    for (const Block& block : at.rows.blocks) {
        const Row& row = at.rows.row(block, 0);
        if (block.origin == Block::Origin::prescribed) {
            ++prescribed;
            CHECK(block.cause == Cause::motor);
            CHECK(std::abs(row.g) < 1e-14);
            CHECK(std::abs(row.g_dot) < 1e-13);
        }
        if (block.origin == Block::Origin::armature) {
            ++armatures;
            CHECK(block.cause == Cause::rotor);
            CHECK(row.softness == 2);
            CHECK(row.g == 0);
            CHECK(row.g_dot == 0);
        }
    }
    CHECK(prescribed == 9);
    CHECK(armatures == 9);
    check_rates(at, 4, 0);
}

TEST_CASE("A particle takes no torque from its joints")
{
    Builder builder;
    Dice dice(5);
    builder.add(some_body("body", dice));
    builder.bodies[0].angular_velocity = builder.bodies[0].velocity = zero3<double>();
    Joint point;
    point.name = "point";
    point.kind = JointKind::point;
    point.a = 0;
    point.frame_a.x = {0.3, 0.2, -0.5};
    point.b = builder.add_particle("bead", 0.3, place(builder.bodies[0].pose, point.frame_a.x),
                                   zero3<double>());
    builder.add(point);
    Joint rod;
    rod.name = "rod";
    rod.kind = JointKind::distance;
    rod.a = 0;
    rod.b = builder.add_particle("weight", 0.4, {2, 1, 0}, zero3<double>());
    rod.length = norm(builder.bodies[2].pose.x - builder.bodies[0].pose.x);
    builder.add(rod);
    const Bound at(built(builder));
    for (const Block& block : at.rows.blocks)
        for (int k = 0; k < block.rows; ++k)
            CHECK(norm(at.rows.J_of(block, k, 1).tau) == 0);
    check_rates(at, 2, 0);
}
