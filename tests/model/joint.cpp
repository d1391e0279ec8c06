// SPDX-License-Identifier: MIT
// Joints as described: coordinates mean what they say, bodies stand where the joints put them, and
// what cannot be is named.

#include "worlds.hpp"

using namespace poinsot;

namespace {

Body some_body(Dice& dice, const std::string& name)
{
    Body body =
        body_with("", 1 + dice.uniform(0, 1), dice.inertia(), zero3<double>(), zero3<double>());
    body.name = name;
    body.mass_properties.center = dice.vector(0.5);
    return body;
}
Joint some_joint(Dice& dice, JointKind kind, int a, int b)
{
    Joint joint;
    joint.name = text_of(facts_of(kind).name, " of ", b);
    joint.kind = kind;
    joint.a = a;
    joint.b = b;
    joint.frame_a = {dice.vector(1), dice.rotation()};
    joint.frame_b = {dice.vector(1), dice.rotation()};
    joint.pitch = 0.3;
    for (int k = 0; k < facts_of(kind).coordinates; ++k) {
        joint.start.push_back(dice.uniform(-3, 3));
        joint.start_speed.push_back(dice.uniform(-3, 3));
    }
    return joint;
}
constexpr JointKind with_coordinates[] = {JointKind::revolute,    JointKind::prismatic,
                                          JointKind::cylindrical, JointKind::universal,
                                          JointKind::planar,      JointKind::screw};
std::string problems_of(const Builder& b)
{
    const auto made = b.build();
    return made ? "" : made.problems().text();
}
bool names(const std::string& text, const char* what)
{
    INFO(text);
    return text.find(what) != std::string::npos;
}

} // namespace

TEST_CASE("Coordinates of a joint are those that made its pose")
{
    Dice dice(1);
    for (const JointKind kind : with_coordinates)
        for (int i = 0; i < 50; ++i) {
            const Joint joint = some_joint(dice, kind, world, 0);
            const auto q = coordinates_of(kind, joint_pose(joint, joint.start));
            const auto V = joint_twist(joint, joint.start, joint.start_speed);
            const auto speed = speeds_of(kind, joint.start, V);
            for (std::size_t k = 0; k < q.size(); ++k) {
                // A few roundings of numbers of size three.
                CHECK(near(q[k], joint.start[k], 1e-15, 4.0));
                CHECK(near(speed[k], joint.start_speed[k], 1e-15, 4.0));
            }
        }
}

TEST_CASE("Bodies of a tree stand and move as their joints say, whichever end is carried")
{
    Dice dice(2);
    for (const JointKind kind : with_coordinates)
        for (const bool reversed : {false, true}) {
            Builder b;
            Body base = some_body(dice, "base");
            base.pose = {dice.vector(2), dice.rotation()};
            base.velocity = dice.vector(1);
            base.angular_velocity = dice.vector(1);
            b.add(base);
            b.add(some_body(dice, "child"));
            b.add(some_joint(dice, kind, reversed ? 1 : 0, reversed ? 0 : 1));
            const auto model = b.build();
            REQUIRE(model);
            CHECK(model->tree().reversed[1] == reversed);

            // The base is where it was, and the joint measures what it was given.
            CHECK(norm(model->bodies()[0].pose.x - base.pose.x) == 0.0);
            State state = start_of<MomentumForm<double>>(*model);
            const Placed placed = place(*model, state);
            for (std::size_t k = 0; k < b.joints[0].start.size(); ++k) {
                CHECK(near(placed.joints[0].q[k], b.joints[0].start[k], 1e-14, 1.0));
                CHECK(near(placed.joints[0].speed[k], b.joints[0].start_speed[k], 3e-14, 1.0));
            }

            // Velocities are rates of poses: central differences, error h².
            const double h = 1e-5;
            const auto moved_by = [&](double t) {
                Builder later = b;
                Body& root = later.bodies[0];
                const V3 c = place(root.pose, root.mass_properties.center) + t * base.velocity;
                root.pose.q = turned(root.pose.q, t * base.angular_velocity);
                root.pose.x = c - rotate(root.pose.q, root.mass_properties.center);
                for (std::size_t k = 0; k < b.joints[0].start.size(); ++k)
                    later.joints[0].start[k] += t * b.joints[0].start_speed[k];
                return *later.build();
            };
            const Model after = moved_by(h), before = moved_by(-h);
            const auto center = [](const Model& m) {
                return place(m.bodies()[1].pose, m.masses()[1].center);
            };
            const V3 v = (center(after) - center(before)) / (2 * h);
            const V3 omega =
                log_quat(after.bodies()[1].pose.q * conjugate(before.bodies()[1].pose.q)) / (2 * h);
            CHECK(near(norm(v - model->bodies()[1].velocity), 0, 2e-8, 1.0));
            CHECK(near(norm(omega - model->bodies()[1].angular_velocity), 0, 2e-8, 1.0));
        }
}

TEST_CASE("Whole turns of an angle are kept")
{
    Dice dice(3);
    Builder b;
    b.add(some_body(dice, "wheel"));
    Joint axle = some_joint(dice, JointKind::revolute, world, 0);
    axle.start = {100.0};
    b.add(axle);
    const auto model = b.build();
    REQUIRE(model);
    CHECK(model->joint_starts()[0].q[0] == 100.0);
    CHECK(near(place(*model, start_of<MomentumForm<double>>(*model)).joints[0].q[0], 100, 1e-15));
}

TEST_CASE("A loop has one joint that closes it, halfway round")
{
    Dice dice(4);
    Builder b;
    for (int i = 0; i < 5; ++i)
        b.add(some_body(dice, text_of("link ", i)));
    for (int i = 0; i < 6; ++i) {
        Joint ring;
        ring.name = text_of("hinge ", i);
        ring.kind = JointKind::ball;
        ring.a = i == 0 ? world : i - 1;
        ring.b = i == 5 ? world : i;
        b.add(ring);
    }
    const auto model = b.build();
    REQUIRE(model);
    const Tree& tree = model->tree();
    CHECK(tree.rows == std::vector<int>{3});
    CHECK(tree.order == std::vector<int>{0, 4, 1, 3, 2});
    CHECK(tree.parent == std::vector<int>{world, 0, 1, 4, world});
    CHECK(tree.reversed == std::vector<bool>{false, false, false, true, true});
}

TEST_CASE("A joint that cannot be is named with the reason")
{
    Dice dice(5);
    Builder good;
    good.add(some_body(dice, "one"));
    good.add(some_body(dice, "two"));
    good.add(some_joint(dice, JointKind::revolute, 0, 1));
    CHECK(problems_of(good).empty());

    const auto with = [&](auto change) {
        Builder b = good;
        change(b.joints[0]);
        return problems_of(b);
    };
    CHECK(names(with([](Joint& j) { j.b = 7; }), "does not exist"));
    CHECK(names(with([](Joint& j) { j.b = 0; }), "joins a body to itself"));
    CHECK(names(with([](Joint& j) { j.a = j.b = world; }), "joins the world to itself"));
    CHECK(names(with([](Joint& j) { j.frame_a.q = {1, 1, 0, 0}; }), "unit quaternion"));
    CHECK(names(with([](Joint& j) { j.frame_b.x.y = NAN; }), "frames must be finite"));
    CHECK(names(with([](Joint& j) { j.start = {1, 2}; }), "needs 1 numbers"));
    CHECK(names(with([](Joint& j) { j.start_speed = {NAN}; }), "must be finite"));
    CHECK(names(with([](Joint& j) { j.start_speed = {1e308}; }),
                "puts body 'two' or its velocity beyond the largest numbers"));
    CHECK(names(with([](Joint& j) { j.laws.resize(2); }), "1 coordinates to act on, not 2"));
    CHECK(names(with([](Joint& j) {
                    j.laws.resize(1);
                    j.laws[0].stiffness = -1;
                }),
                "stiffness must be finite and not negative"));
    CHECK(names(with([](Joint& j) {
                    j.laws.resize(1);
                    j.laws[0].lower = 2;
                    j.laws[0].upper = 1;
                }),
                "limits must leave room"));
    CHECK(names(with([](Joint& j) { j.name = ""; }), "needs a name"));
    CHECK(names(with([](Joint& j) { j.kind = JointKind::distance; }), "length must be positive"));

    Builder twice = good;
    twice.add(good.joints[0]);
    CHECK(names(problems_of(twice), "two joints have this name"));

    // Bodies that stand elsewhere than the joint says, and bodies that it does not let move so.
    CHECK(names(with([](Joint& j) { j.start = j.start_speed = {}; }), "is not assembled"));
    Builder moving = good;
    const auto fits = good.build();
    REQUIRE(fits);
    moving.bodies = fits->bodies();
    moving.joints[0].start = moving.joints[0].start_speed = {};
    CHECK(problems_of(moving).empty());
    moving.bodies[1].velocity.x += 0.1;
    CHECK(names(problems_of(moving), "do not move as it lets them"));
    CHECK(names(problems_of(moving), "give the joint a speed instead of the body"));

    // One that closes a loop takes neither start nor speed: the remedy is with the others.
    Builder loop = good;
    Joint rod;
    rod.name = "rod";
    rod.kind = JointKind::distance;
    rod.a = 0;
    rod.b = 1;
    rod.closes_loop = true;
    rod.length = norm(fits->bodies()[1].pose.x - fits->bodies()[0].pose.x);
    loop.add(rod);
    CHECK(names(problems_of(loop), "give the other joints of its loop speeds that keep it closed"));
    loop.joints[1].length *= 1.1;
    CHECK(names(problems_of(loop), "give the other joints of its loop starts that close it"));

    Builder geared = good;
    geared.gears.push_back({"gear", 0, 0, 3, 0, 2.0});
    CHECK(names(problems_of(geared), "relates a coordinate that does not exist"));
    geared.gears[0] = {"gear", 0, 0, 0, 0, 2.0};
    CHECK(names(problems_of(geared), "relates a coordinate to itself"));

    Builder grain;
    grain.add_particle("grain", 1, {1, 0, 0}, {0, 0, 0});
    Joint thread;
    thread.name = "thread";
    thread.kind = JointKind::revolute;
    thread.b = 0;
    grain.add(thread);
    CHECK(names(problems_of(grain), "a particle has no attitude"));
    grain.joints[0].kind = JointKind::distance;
    grain.joints[0].length = 1;
    CHECK(problems_of(grain).empty());
    grain.joints[0].length = 2;
    CHECK(names(problems_of(grain), "is not assembled"));
}

TEST_CASE("A gear whose joints start at speeds that contradict it is refused, and told what fits")
{
    const auto wheels = [](JointKind kind, double first, double second, double ratio) {
        Builder b;
        for (const double speed : {first, second}) {
            Joint joint;
            joint.name = b.joints.empty() ? "one" : "two";
            joint.kind = b.joints.empty() ? kind : JointKind::revolute;
            joint.b = b.add(
                body_with(joint.name.c_str(), 1, diagonal(0.1, 0.1, 0.1), {0, 0, 0}, {0, 0, 0}));
            joint.start = {b.joints.empty() ? 1.0 : -3.0}; // gears count from where they start
            joint.start_speed = {speed};
            b.add(joint);
        }
        b.gears.push_back({"pair", 0, 0, 1, 0, ratio});
        return b;
    };
    const auto told = [](const Builder& b) {
        const auto made = b.build();
        return made ? std::string() : made.problems().text();
    };
    for (const JointKind kind : {JointKind::revolute, JointKind::prismatic}) {
        CHECK(told(wheels(kind, 10, 5, 2)) == "");
        CHECK(told(wheels(kind, 0, 0, 2)) == "");
        CHECK(told(wheels(kind, 10 + 1e-6, 5, 2)) == ""); // typed with seven digits
        const std::string unit = kind == JointKind::revolute ? " rad/s" : " m/s";
        CHECK(told(wheels(kind, 10, 0, 2)) ==
              "pair: its joints do not start in its ratio 2: 'one' at 10" + unit +
                  ", 'two' at 0 rad/s; give 'two' a speed of 5 rad/s, or 'one' one of 0" + unit +
                  "\n");
        CHECK(told(wheels(kind, 10, 5, -2)).find("a speed of -5 rad/s, or 'one' one of -10") !=
              std::string::npos);
    }
    // Speeds that bodies have, where their joints have none given.
    Builder still = wheels(JointKind::revolute, 0, 0, 2);
    for (Joint& joint : still.joints)
        joint.start = joint.start_speed = {};
    still.bodies[0].angular_velocity = {0, 0, 3};
    CHECK(told(still).find("'one' at 3 rad/s, 'two' at 0 rad/s; give 'two' a speed of 1.5") !=
          std::string::npos);
    still.bodies[1].angular_velocity = {0, 0, 1.5};
    CHECK(told(still) == "");
}
