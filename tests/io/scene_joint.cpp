// SPDX-License-Identifier: MIT
// Joints and gears in scene files: every kind and key, written back, and what is refused.

#include "poinsot/io/scene.hpp"

#include "near.hpp"

#include <algorithm>

using namespace poinsot;

namespace {

using V3 = Vec3<double>;

Scene read(const std::string& text)
{
    auto scene = read_scene_text(text, "test.yaml");
    REQUIRE_MESSAGE(scene, (scene ? "" : scene.problems().text()));
    return std::move(*scene);
}

/// The places and first lines of all that is wrong with a text.
std::vector<std::string> wrong(const std::string& text)
{
    std::vector<std::string> found;
    const auto scene = read_scene_text(text, "f");
    if (!scene)
        for (const Problem& p : scene.problems().list())
            found.push_back(p.place + ": " + p.what.substr(0, p.what.find('\n')));
    return found;
}
/// Is there one problem, at this place and with these words?
bool one(const std::vector<std::string>& found, const std::string& begin, const char* words)
{
    const bool as_expected = found.size() == 1 && found[0].starts_with(begin) &&
                             found[0].find(words) != std::string::npos;
    for (const std::string& problem : found)
        if (!as_expected)
            MESSAGE(problem);
    return as_expected;
}

// Two blocks, the second turned and with its centre of mass off its origin; line 4 is the first
// of what follows.
const std::string two = "bodies:\n"
                        "  - {name: base, box: [1, 2, 3], mass: 2, position: [0.3, 0.1, -0.2]}\n"
                        "  - {name: arm, mass: 1, inertia: [1, 1, 1], center_of_mass: [0.1, 0, 0], "
                        "position: [1, 2, 3], orientation: {axis: [1, 2, 3], angle: 40 deg}}\n";
std::string joined(const std::string& keys)
{
    return two + "joints:\n  - {name: j, bodies: [base, arm], " + keys + "}\n";
}
Joint joint(const std::string& keys)
{
    return read(joined(keys)).model->joints()[0];
}

/// Where a frame of a joint is in the world, with the bodies as the model has them.
Pose<double> in_world(const Scene& scene, const Joint& joint, bool first)
{
    const int body = first ? joint.a : joint.b;
    const Pose<double>& frame = first ? joint.frame_a : joint.frame_b;
    return body == world ? frame
                         : scene.model->bodies()[static_cast<std::size_t>(body)].pose * frame;
}
bool same(const V3& a, const V3& b)
{
    return norm(a - b) < 1e-14 * (1 + norm(a));
}

} // namespace

TEST_CASE("Every kind of joint is read with its frames where at and axis say")
{
    struct Case {
        const char* keys;
        JointKind kind;
        V3 at, z;
    };
    const V3 at{0.5, -1, 2}, n = normalised(V3{1, -2, 0.5});
    const V3 center = read(two).model->bodies()[1].pose.x + // of the arm, in the world
                      rotate(read(two).model->bodies()[1].pose.q, V3{0.1, 0, 0});
    const V3 up{0, 0, 1};
    const std::vector<Case> cases{
        {"type: weld, at: [0.5, -1, 2]", JointKind::weld, at, up},
        {"type: weld", JointKind::weld, center, up},
        {"type: weld, at: [0.5, -1, 2], axis: [1, -2, 0.5], second_axis: [2, 1, 0]",
         JointKind::weld, at, n},
        {"type: revolute, at: [0.5, -1, 2], axis: [1, -2, 0.5]", JointKind::revolute, at, n},
        {"type: prismatic, at: [0.5, -1, 2], axis: [1, -2, 0.5]", JointKind::prismatic, at, n},
        {"type: prismatic, axis: [1, -2, 0.5]", JointKind::prismatic, center, n},
        {"type: cylindrical, at: [0.5, -1, 2], axis: [1, -2, 0.5]", JointKind::cylindrical, at, n},
        {"type: universal, at: [0.5, -1, 2], axis: [1, -2, 0.5], second_axis: [2, 1, 0]",
         JointKind::universal, at, n},
        {"type: ball, at: [0.5, -1, 2]", JointKind::ball, at, up},
        {"type: planar, at: [0.5, -1, 2], axis: [1, -2, 0.5], second_axis: [2, 1, 0]",
         JointKind::planar, at, n},
        {"type: screw, at: [0.5, -1, 2], axis: [0, 0, -2], pitch: 0.1", JointKind::screw, at, -up},
        {"type: free, at: [0.5, -1, 2]", JointKind::free, at, up},
        {"type: point, at: [0.5, -1, 2]", JointKind::point, at, up},
        {"type: parallel, axis: [1, -2, 0.5]", JointKind::parallel, center, n},
    };
    for (const Case& c : cases) {
        INFO(c.keys);
        const Scene scene = read(joined(c.keys));
        const Joint& made = scene.model->joints()[0];
        CHECK(made.kind == c.kind);
        CHECK(made.a == 0);
        CHECK(made.b == 1);
        for (const bool first : {true, false}) {
            const Pose<double> frame = in_world(scene, made, first);
            CHECK(same(frame.x, c.at));
            CHECK(same(rotate(frame.q, up), c.z));
        }
        for (const double q : scene.model->joint_starts()[0].q)
            CHECK(std::abs(q) < 1e-14); // where the frames coincide
        if (std::string(c.keys).find("second_axis") != std::string::npos)
            CHECK(
                same(rotate(in_world(scene, made, true).q, V3{1, 0, 0}), normalised(V3{2, 1, 0})));
    }
}

TEST_CASE("A distance joint goes from point to point, as long as it is at the start")
{
    const Joint given = joint("type: distance, at_a: [0.3, 0.1, 0], at_b: [0.3, 0.1, 2]");
    CHECK(near(given.length, 2, 1e-15));
    CHECK(same(given.frame_a.x, {0, 0, 0.2}));
    // centres of mass, if nothing is said
    const Joint centres = joint("type: distance");
    CHECK(same(centres.frame_a.x, {0, 0, 0}));
    CHECK(same(centres.frame_b.x, {0.1, 0, 0}));
    // particles at their own place, and the world where told
    const Scene scene =
        read("particles: [{name: a, mass: 1, position: [3, 4, 0]}]\njoints:\n"
             "  - {name: l, type: distance, bodies: [world, a], at_a: [0, 0, 0]}\n");
    CHECK(scene.model->joints()[0].length == 5);
    // The length is measured where the joints of the tree have put the bodies.
    const Scene moved = read("bodies: [{name: b, ball: 1, mass: 1, position: [1, 0, 0]}]\njoints:\n"
                             "  - {name: l, type: distance, bodies: [world, b], at_a: [3, 0, 0]}\n"
                             "  - {name: s, type: prismatic, bodies: [world, b], at: [0, 0, 0], "
                             "axis: [1, 0, 0], start: 1.5}\n");
    CHECK(near(moved.model->joints()[0].length, 0.5, 1e-15));
    CHECK(near(moved.model->bodies()[0].pose.x.x, 2.5, 1e-15));
}

TEST_CASE("A strut measures from point to point, a swing between axes, from where they are")
{
    const Scene rope = read(joined("type: strut, at_a: [0.3, 0.1, 0.8], at_b: [1, 2, 3], limits: "
                                   "[~, 9]"));
    CHECK(near(rope.model->joint_starts()[0].q[0], norm(V3{0.7, 1.9, 2.2}), 1e-14));
    const Scene cone = read(joined("type: swing, axis: [1, 2, 3], coordinates: [{}, {}]"));
    CHECK(near(cone.model->joint_starts()[0].q[0], 0, 1e-14, 1));
    CHECK(near(cone.model->joint_starts()[0].q[1], 0, 1e-14, 1));
    CHECK(one(wrong(joined("type: strut, length: 2")), "f:5:", "only a distance joint has one"));
    CHECK(one(wrong(joined("type: strut, at: [0, 0, 0]")), "f:5:", "has two points"));
    CHECK(one(wrong(joined("type: swing, at: [0, 0, 0], axis: [0, 0, 1]")), "f:5:", "is the same"));
    CHECK(one(wrong(joined("type: swing")), "f:5:", "needs 'axis'"));
    CHECK(one(wrong(joined("type: strut, limits: [~, 1]")),
              "f:5:", "place its bodies so that it is between them"));
}

TEST_CASE("A particle is joined at its own place")
{
    const std::string grain = two + "particles: [{name: g, mass: 1, position: [1, 1, 1]}]\n";
    const Scene scene = read(grain + "joints: [{type: point, bodies: [base, g]}]\n");
    CHECK(same(in_world(scene, scene.model->joints()[0], true).x, {1, 1, 1}));
    CHECK(scene.model->joints()[0].name == "joint 1");
    CHECK(one(wrong(grain + "joints: [{type: point, bodies: [base, g], at: [1, 1, 2]}]\n"),
              "f:5:47: ", "must be where particle 'g' is"));
    CHECK(one(wrong(grain + "joints: [{type: ball, bodies: [base, g]}]\n"),
              "f:5:31: joint 1: ", "a particle has no attitude"));
}

TEST_CASE("A rolling disc stands on its plane")
{
    const std::string disc = "bodies: [{name: d, cylinder: {radius: 0.5, height: 0.1}, mass: 1, "
                             "position: [1, 2, 0.5], orientation: {axis: [1, 0, 0], angle: 90 deg}"
                             "}]\njoints:\n  - {name: r, type: rolling, bodies: [world, d], ";
    const Scene scene = read(disc + "radius: 0.5, disc_axis: [0, 1, 0]}\n");
    const Joint& made = scene.model->joints()[0];
    CHECK(made.radius == 0.5);
    CHECK(same(made.frame_a.x, {0, 0, 0}));
    CHECK(same(rotate(made.frame_a.q, V3{0, 0, 1}), {0, 0, 1}));
    CHECK(same(in_world(scene, made, false).x, {1, 2, 0.5}));
    CHECK(same(rotate(in_world(scene, made, false).q, V3{0, 0, 1}), {0, 1, 0}));
    CHECK(one(wrong(disc + "radius: 0.4, disc_axis: [0, 1, 0]}\n"),
              "f:3:5: joint 'r': ", "is not assembled"));
    CHECK(one(wrong(disc + "radius: 0.5}\n"), "f:3:5: ", "needs 'disc_axis'"));
}

TEST_CASE("Frames may be given in the axes of the bodies")
{
    const Joint made = read(two + "joints:\n  - name: j\n    type: ball\n    bodies: [world, arm]\n"
                                  "    frame_a: {position: [1, 2, 3]}\n"
                                  "    frame_b: {orientation: {axis: [0, 0, 1], angle: 90 deg}}\n")
                           .model->joints()[0];
    CHECK(made.a == world);
    CHECK(same(made.frame_a.x, {1, 2, 3}));
    CHECK(same(rotate(made.frame_b.q, V3{1, 0, 0}), {0, 1, 0}));
}

TEST_CASE("A start moves the body, and all that hangs on it goes along")
{
    const std::string chain =
        "bodies:\n  - {name: upper, ball: 0.1, mass: 1, position: [1, 0, 0]}\n"
        "  - {name: lower, ball: 0.1, mass: 1, position: [2, 0, 0]}\n"
        "  - {name: tip, ball: 0.1, mass: 1, position: [3, 0, 0]}\njoints:\n"
        "  - {name: top, type: revolute, bodies: [world, upper], at: [0, 0, 0], axis: [0, 0, 1]";
    const std::string rest =
        "}\n  - {name: elbow, type: revolute, bodies: [upper, lower], at: [1, 0, 0], axis: [0, 0, "
        "1]}\n  - {name: hand, type: ball, bodies: [lower, tip], at: [2, 0, 0]}\n";
    const Scene scene = read(chain + ", start: 90 deg, speed: -60 deg" + rest);
    const auto& bodies = scene.model->bodies();
    CHECK(same(bodies[0].pose.x, {0, 1, 0}));
    CHECK(same(bodies[1].pose.x, {0, 2, 0}));
    CHECK(same(bodies[2].pose.x, {0, 3, 0}));
    CHECK(same(rotate(bodies[2].pose.q, V3{1, 0, 0}), {0, 1, 0}));
    const double rate = -1.0471975511965976;
    CHECK(near(bodies[1].velocity.x, -2 * rate, 1e-14));
    CHECK(near(bodies[2].angular_velocity.z, rate, 1e-14));
    CHECK(near(scene.model->joint_starts()[1].q[0], 0, 1e-15, 1));
}

TEST_CASE("Everything that acts along a coordinate is read, in degrees where it is an angle")
{
    const double deg = 0.017453292519943295;
    const CoordinateLaw law =
        joint("type: revolute, at: [0, 0, 0], axis: [0, 0, 1], stiffness: 1, rest: 10 deg, "
              "damping: 2, friction: 3, slip_speed: 1 deg, armature: 4, limits: [-90 deg, ~], "
              "restitution: 0.25, motor: {type: position, target: {value: 1 deg, rate: 2 deg, "
              "amplitude: 3 deg, "
              "frequency: 4, phase: 5 deg}, gain: 6, damping: 7, most: 8}, "
              "prescribed: {rate: 0, amplitude: 1}")
            .laws.at(0);
    CHECK(law.stiffness == 1);
    CHECK(near(law.rest, 10 * deg, 1e-15));
    CHECK(law.damping == 2);
    CHECK(law.friction == 3);
    CHECK(near(law.slip_speed, deg, 1e-15));
    CHECK(law.armature == 4);
    CHECK(near(law.lower, -90 * deg, 1e-15));
    CHECK(law.upper == std::numeric_limits<double>::infinity());
    CHECK(law.restitution == 0.25);
    REQUIRE(law.motor);
    CHECK(law.motor->kind == Motor::Kind::position);
    CHECK(near(law.motor->target.value, deg, 1e-15));
    CHECK(near(law.motor->target.rate, 2 * deg, 1e-15));
    CHECK(near(law.motor->target.amplitude, 3 * deg, 1e-15));
    CHECK(law.motor->target.frequency == 4);
    CHECK(near(law.motor->target.phase, 5 * deg, 1e-15));
    CHECK(law.motor->gain == 6);
    CHECK(law.motor->damping == 7);
    CHECK(law.motor->most == 8);
    REQUIRE(law.prescribed);
    CHECK(law.prescribed->amplitude == 1);

    const CoordinateLaw slide =
        joint("type: prismatic, axis: [0, 0, 1], motor: {type: force, target: 3.5}, start: 0.25, "
              "speed: 0, prescribed: 0.25")
            .laws.at(0);
    CHECK(slide.motor->kind == Motor::Kind::force);
    CHECK(slide.motor->target.value == 3.5);
    CHECK(slide.prescribed->value == 0.25);

    const Joint several =
        joint("type: cylindrical, at: [0, 0, 0], axis: [0, 0, 1], start: [90 deg, "
              "2], speed: [1, 3], coordinates: [{motor: {type: velocity, target: "
              "1, gain: 2}}, {stiffness: 5}]");
    REQUIRE(several.laws.size() == 2);
    CHECK(several.laws[0].motor->kind == Motor::Kind::velocity);
    CHECK(several.laws[1].stiffness == 5);
    CHECK(near(several.start[0], 90 * deg, 1e-15));
    CHECK(several.start_speed[1] == 3);
    CHECK_FALSE(several.closes_loop);
    CHECK(joint("type: ball, at: [0, 0, 0], closes_loop: true").closes_loop);

    const Joint ball = joint("type: ball, at: [0, 0, 0], stiffness: 2, damping: [1, 2, 3], rest: "
                             "{axis: [0, 0, 1], angle: 90 deg}");
    REQUIRE(ball.turn);
    CHECK(same(ball.turn->stiffness, {2, 2, 2}));
    CHECK(same(ball.turn->damping, {1, 2, 3}));
    CHECK(same(rotate(ball.turn->rest, V3{1, 0, 0}), {0, 1, 0}));
    CHECK_FALSE(joint("type: ball, at: [0, 0, 0]").turn);
}

TEST_CASE("Gears relate joints by name")
{
    const std::string wheels =
        two + "joints:\n  - {name: a, type: revolute, bodies: [world, base], at: [0, 0, 0], axis: "
              "[0, 0, 1]}\n  - {name: b, type: cylindrical, bodies: [world, arm], at: [0, 0, 0], "
              "axis: [0, 0, 1]}\n";
    const Gear gear =
        read(wheels + "gears: [{name: g, joints: [a, b], ratio: -2, coordinates: [0, 1]}]\n")
            .model->gears()[0];
    CHECK(gear.joint_1 == 0);
    CHECK(gear.joint_2 == 1);
    CHECK(gear.coordinate_2 == 1);
    CHECK(gear.ratio == -2);
    CHECK(one(wrong(wheels + "gears: [{joints: [a, c], ratio: 1}]\n"),
              "f:7:22: joints of gear 1: ", "there is no joint 'c'"));
    CHECK(one(wrong(wheels + "gears: [{joints: [a, b], ratio: 0}]\n"),
              "f:7:33: gear 1: ", "ratio must be"));
    CHECK(one(wrong(wheels + "gears: [{joints: [a, b], ratio: 1, coordinates: [1, 0]}]\n"),
              "f:7:49: gear 1: ", "relates a coordinate that does not exist"));
    CHECK(one(wrong(wheels + "gears: [{joints: [a, a], ratio: 1}]\n"),
              "f:7:18: gear 1: ", "to itself"));
    CHECK(one(wrong(wheels + "gears: [{joints: [a, b]}]\n"), "f:7:9: ", "needs 'ratio'"));
    std::string turning = wheels;
    turning.insert(turning.find("}\n  - {name: b"), ", speed: 10");
    CHECK(one(wrong(turning + "gears: [{joints: [a, b], ratio: 2, coordinates: [0, 1]}]\n"),
              "f:7:9: gear 1: ",
              "'a' at 10 rad/s, coordinate 2 of 'b' at 0 m/s; give coordinate 2 "
              "of 'b' a speed of 5 m/s, or 'a' one of 0 rad/s"));
    CHECK(one(wrong(wheels + "gears: [{joints: [a, b], ratio: 1, coordinates: [0.5, 0]}]\n"),
              "f:7:49: ", "whole numbers"));
}

TEST_CASE("Joints of every kind are written and read again to the same bits")
{
    const std::vector<const char*> cases{
        "type: weld",
        "type: revolute, at: [0.5, -1, 2], axis: [1, -2, 0.5], start: 0.3, speed: -0.1, stiffness: "
        "1, rest: 10 deg, damping: 2, friction: 3, slip_speed: 1 deg, armature: 4, limits: [-90 "
        "deg, ~], restitution: 0.3, motor: {type: position, target: {value: 1 deg, rate: 2, "
        "amplitude: 3, frequency: "
        "4, phase: 5 deg}, gain: 6, damping: 7, most: 8}",
        "type: prismatic, axis: [1, -2, 0.5], prescribed: {rate: 1, amplitude: 2}, speed: 1",
        "type: cylindrical, at: [0.5, -1, 2], axis: [1, -2, 0.5], coordinates: [{}, {limits: [~, "
        "2], motor: {type: velocity, target: 1, gain: 2}}]",
        "type: universal, at: [0.5, -1, 2], axis: [1, -2, 0.5], second_axis: [2, 1, 0]",
        "type: ball, at: [0.5, -1, 2], closes_loop: true",
        "type: planar, axis: [1, -2, 0.5], start: [1, 2, 30 deg]",
        "type: screw, at: [0.5, -1, 2], axis: [0, 0, -2], pitch: 0.1, motor: {type: force, target: "
        "1}",
        "type: free",
        "type: point, at: [0.5, -1, 2]",
        "type: ball, at: [0.5, -1, 2], stiffness: [1, 0.3, 2], damping: 0.1, rest: {axis: [1, 2, "
        "3], angle: 20 deg}",
        "type: point, at: [0.5, -1, 2], damping: [0.1, 0, 0.7]",
        "type: distance",
        "type: parallel, axis: [1, -2, 0.5]",
        "type: strut, limits: [~, 9], restitution: 0.3, stiffness: 2, rest: 1, motor: {type: "
        "velocity, target: 1, gain: 2}",
        "type: swing, axis: [1, -2, 0.5], coordinates: [{limits: [~, 170 deg]}, {damping: 0.1}]",
    };
    for (const char* keys : cases) {
        INFO(keys);
        const Scene scene = read(joined(keys));
        const std::string written = write_scene(scene);
        const Scene again = read(written);
        CHECK(write_scene(again) == written);
        CHECK(identity_of(again) == identity_of(scene));
        for (const Formulation formulation : {Formulation::maximal, Formulation::reduced})
            CHECK(hash_of(start_of(*again.model, FormKind::momentum, formulation)) ==
                  hash_of(start_of(*scene.model, FormKind::momentum, formulation)));
        CHECK(again.model->joint_starts()[0].q == scene.model->joint_starts()[0].q);
        CHECK(again.model->joints()[0].length == scene.model->joints()[0].length);
    }
}

TEST_CASE("How joints are kept is part of the settings and of the identity")
{
    const std::string text = joined("type: ball, at: [0, 0, 0]");
    const Scene plain = read(text);
    CHECK(plain.run.step.formulation == Formulation::reduced); // there are joints
    CHECK(plain.run.step.method == Method::runge_kutta4);
    CHECK(plain.run.step.stabilisation == Stabilisation::projection);
    CHECK(read(text + "run: {integrator: bdf}\n").run.step.formulation == Formulation::reduced);
    CHECK(read(text + "run: {integrator: splitting}\n").run.step.formulation ==
          Formulation::maximal);
    CHECK(read(two).run.step.formulation == Formulation::maximal);
    CHECK(read(two).run.step.method == Method::splitting);
    const Scene pulled = read(text + "run: {formulation: maximal, stabilisation: baumgarte, "
                                     "baumgarte_time: 0.05}\n");
    CHECK(pulled.run.step.formulation == Formulation::maximal);
    CHECK(pulled.run.step.stabilisation == Stabilisation::baumgarte);
    CHECK(pulled.run.step.baumgarte_time == 0.05);
    CHECK(identity_of(read(write_scene(pulled))) == identity_of(pulled));
    const Scene swings = read(text + "run: {stabilisation: baumgarte, baumgarte_damping: 0.7}\n");
    CHECK(swings.run.step.baumgarte_damping == 0.7);
    CHECK(identity_of(read(write_scene(swings))) == identity_of(swings));
    std::vector<std::uint64_t> identities;
    for (const char* run : {"", "run: {formulation: maximal}\n", "run: {stabilisation: none}\n",
                            "run: {stabilisation: baumgarte}\n",
                            "run: {stabilisation: baumgarte, baumgarte_time: 0.05}\n",
                            "run: {stabilisation: baumgarte, baumgarte_damping: 0.7}\n"})
        identities.push_back(identity_of(read(text + run)));
    identities.push_back(identity_of(read(joined("type: ball, at: [0, 0, 0.1]"))));
    identities.push_back(identity_of(read(joined("type: point, at: [0, 0, 0]"))));
    std::sort(identities.begin(), identities.end());
    CHECK(std::adjacent_find(identities.begin(), identities.end()) == identities.end());

    CHECK(one(wrong(two + "run: {stabilisation: none}\n"), "f:4:22: ", "no joints"));
    CHECK(one(wrong(text + "run: {baumgarte_time: 1}\n"), "f:6:23: ", "has no effect"));
    CHECK(one(wrong(text + "run: {baumgarte_damping: 2}\n"), "f:6:26: ", "has no effect"));
    CHECK(one(wrong(text + "run: {stabilisation: baumgarte, baumgarte_damping: 0}\n"),
              "f:6:52: ", "baumgarte_damping must be positive"));
    CHECK(one(wrong(text + "run: {formulation: minimal}\n"),
              "f:6:20: ", "did you mean 'maximal'? Known are: maximal, reduced"));
    CHECK(one(wrong(text + "run: {stabilisation: projecton}\n"), "f:6:22: ", "'projection'"));
    CHECK(one(wrong(text + "run: {formulation: reduced, integrator: splitting}\n"),
              "f:6:41: ", "does not work in reduced coordinates"));
    CHECK(one(wrong(text + "run: {formulation: maximal, integrator: gauss}\n"),
              "f:6:41: ", "use one of"));
}

TEST_CASE("The motion of a body is read as written, and written and read again to the same bits")
{
    const auto moved = [](const std::string& keys) {
        return two + "joints:\n  - {name: j, type: weld, bodies: [world, arm], " + keys + "}\n";
    };
    const Scene scene =
        read(moved("at: [1, 0, 0], motion: {shift: [0.5, {rate: 2}, {amplitude: 0.1, "
                   "frequency: 3, phase: 90 deg}], axis: [0, 2, 0], turn: 30 deg}"));
    const FrameMotion& motion = *scene.model->joints()[0].motion;
    CHECK(motion.shift[0].value == 0.5);
    CHECK(motion.shift[1].rate == 2);
    CHECK(near(motion.shift[2].phase, M_PI / 2, 1e-15));
    CHECK(same(motion.axis, {0, 1, 0}));
    CHECK(near(motion.turn.value, M_PI / 6, 1e-15));
    // The body is put where the motion begins, about the joint's place.
    const Body& arm = scene.model->bodies()[1];
    const V3 from{0, 2, 3}; // of its origin, from there
    CHECK(same(arm.pose.x, V3{1.5, 0, 0.1} + rotate(exp_quat(V3{0, M_PI / 6, 0}), from)));
    CHECK(same(arm.velocity, {0, 2, 0}));
    const Scene again = read(write_scene(scene));
    CHECK(write_scene(again) == write_scene(scene));
    CHECK(identity_of(again) == identity_of(scene));
    CHECK(again.model->bodies()[1].pose.x.x == arm.pose.x.x);

    const auto bad = [&](const std::string& keys) { return wrong(moved(keys)); };
    CHECK(one(bad("motion: {}"), "f:5:57: ", "needs shift or turn"));
    CHECK(one(bad("motion: {shift: [0, 1]}"), "f:5:65: ", "must be a list of 3"));
    CHECK(one(bad("motion: {turn: 1}"), "f:5:57: ", "needs 'axis'"));
    CHECK(one(bad("motion: {shift: [0, 1, 2], axis: [0, 0, 1]}"), "f:5:82: ", "give turn"));
    CHECK(one(bad("motion: {shift: [0, 1, 2], turns: 1}"), "f:5:76: ", "did you mean 'turn'?"));
    CHECK(one(bad("motion: {turn: 1, axis: [0, 0, 0]}"), "f:5:73: joint 'j': ", "a direction"));
    CHECK(one(bad("motion: 3"), "f:5:57: ", "must be a map"));
    const auto ball = wrong(joined("type: ball, at: [0, 0, 0], motion: {shift: [1, 0, 0]}"));
    REQUIRE(ball.size() == 2);
    CHECK(one({ball[0]}, "f:5:71: joint 'j': ", "only a weld or a point follows a motion"));
    CHECK(one({ball[1]}, "f:5:71: joint 'j': ", "is seen from the world"));
}

TEST_CASE("What is wrong with a joint is told where it is written")
{
    const auto bad = [](const std::string& keys) { return wrong(joined(keys)); };
    // the text of the joint begins in line 5, its keys in column 36
    CHECK(one(bad("type: hinge, at: [0, 0, 0]"), "f:5:42: ", "there is no type of joint 'hinge'"));
    CHECK(one(bad("type: revolut, axis: [0, 0, 1]"), "f:5:42: ", "did you mean 'revolute'?"));
    CHECK(one(bad("at: [0, 0, 0]"), "f:5:5: joint 'j' needs 'type'", ""));
    CHECK(
        one(bad("type: ball, at: [0, 0, 0], axes: [0, 0, 1]"), "f:5:63: ", "did you mean 'axis'?"));
    CHECK(one(bad("type: revolute, axis: [0, 0, 1]"), "f:5:5: ", "needs 'at'"));
    CHECK(one(bad("type: revolute, at: [0, 0, 0]"), "f:5:5: ", "needs 'axis'"));
    CHECK(
        one(bad("type: revolute, at: [0, 0, 0], axis: [0, 0, 0]"), "f:5:73: ", "have a direction"));
    CHECK(one(bad("type: universal, at: [0, 0, 0], axis: [0, 0, 1]"),
              "f:5:5: ", "needs 'second_axis'"));
    CHECK(one(bad("type: universal, at: [0, 0, 0], axis: [0, 0, 1], second_axis: [0, 1, 1]"),
              "f:5:98: ", "square to axis; the angle between them is 45 deg"));
    CHECK(one(bad("type: ball, at: [0, 0, 0], axis: [0, 0, 1]"), "f:5:69: ", "has no effect"));
    CHECK(one(bad("type: ball, at: [0, 0, 0], pitch: 1"), "f:5:70: ", "only a screw has one"));
    CHECK(one(bad("type: ball, at: [0, 0, 0], frame_a: {}"), "f:5:52: ", "say already"));
    CHECK(one(bad("type: screw, at: [0, 0, 0], axis: [0, 0, 1]"), "f:5:5: ", "needs 'pitch'"));
    CHECK(one(bad("type: distance, length: -1"), "f:5:60: joint 'j': ", "length must be positive"));
    CHECK(one(bad("type: distance, length: 1"), "f:5:5: joint 'j': ", "is not assembled"));
    CHECK(one(bad("type: ball, frame_a: {position: [0, 0, 0]}, frame_b: {position: [0, 0, 0], "
                  "orientation: [1, 1, 0, 0]}"),
              "f:5:124: joint 'j': ", "unit quaternion"));
    CHECK(one(bad("type: revolute, at: [0, 0, 0], axis: [0, 0, 1], start: [1, 2]"),
              "f:5:91: joint 'j': ", "start needs 1 numbers"));
    CHECK(one(bad("type: ball, at: [0, 0, 0], start: 1"), "f:5:70: joint 'j': ", "start needs 0"));
    CHECK(one(bad("type: revolute, at: [0, 0, 0], axis: [0, 0, 1], stiffness: -1"),
              "f:5:95: joint 'j': ", "stiffness must be"));
    CHECK(one(bad("type: revolute, at: [0, 0, 0], axis: [0, 0, 1], limits: [1, -1]"),
              "f:5:92: joint 'j': ", "limits must leave room"));
    CHECK(one(bad("type: revolute, at: [0, 0, 0], axis: [0, 0, 1], limits: [1, 2]"),
              "f:5:92: joint 'j': ", "outside its limits"));
    CHECK(
        one(bad("type: revolute, at: [0, 0, 0], axis: [0, 0, 1], limits: [-1, 1], restitution: 2"),
            "f:5:114: joint 'j': ", "restitution must lie between 0 and 1, is 2"));
    CHECK(one(bad("type: revolute, at: [0, 0, 0], axis: [0, 0, 1], restitution: 0.5"),
              "f:5:97: restitution of joint 'j'", "there are no limits to be thrown back from"));
    CHECK(one(bad("type: revolute, at: [0, 0, 0], axis: [0, 0, 1], limits: 1"),
              "f:5:92: ", "must be [lower, upper]"));
    CHECK(one(bad("type: revolute, at: [0, 0, 0], axis: [0, 0, 1], motor: {type: velocity, "
                  "target: 1, gain: -1}"),
              "f:5:125: joint 'j': ", "motor gain must be"));
    CHECK(one(bad("type: revolute, at: [0, 0, 0], axis: [0, 0, 1], motor: {type: velocity, "
                  "target: 1}"),
              "f:5:91: ", "needs 'gain'"));
    CHECK(one(bad("type: revolute, at: [0, 0, 0], axis: [0, 0, 1], motor: {type: force, "
                  "target: 1, gain: 1}"),
              "f:5:122: ", "has no effect"));
    CHECK(one(bad("type: revolute, at: [0, 0, 0], axis: [0, 0, 1], motor: {type: forse, "
                  "target: 1}"),
              "f:5:98: ", "did you mean 'force'?"));
    CHECK(one(bad("type: cylindrical, at: [0, 0, 0], axis: [0, 0, 1], stiffness: 1"),
              "f:5:98: ", "has 2 coordinates; say which"));
    CHECK(one(bad("type: cylindrical, at: [0, 0, 0], axis: [0, 0, 1], coordinates: [{}, "
                  "{damping: -1}]"),
              "f:5:115: joint 'j': ", "(coordinate 2 of 2)"));
    CHECK(one(bad("type: cylindrical, at: [0, 0, 0], axis: [0, 0, 1], coordinates: [{}]"),
              "f:5:100: ", "list of 2 maps"));
    CHECK(one(bad("type: ball, at: [0, 0, 0], friction: 1"),
              "f:5:73: ", "a ball joint takes stiffness, rest and damping"));
    CHECK(one(bad("type: ball, at: [0, 0, 0], damping: -1"),
              "f:5:72: joint 'j': ", "damping must be finite and not negative, is -1"));
    CHECK(one(bad("type: point, at: [0, 0, 0], stiffness: [1, 2]"),
              "f:5:75: ", "must be a list of 3 numbers"));
    CHECK(one(bad("type: ball, at: [0, 0, 0], damping: 1, rest: [1, 0, 0, 0]"),
              "f:5:81: ", "there is no stiffness that would pull it there"));
    CHECK(one(bad("type: free, damping: 1"), "f:5:57: ", "a bushing is a spring and damper"));
    CHECK(one(bad("type: distance, damping: 1"),
              "f:5:61: ", "a strut between the same points takes what acts"));
    CHECK(one(bad("type: revolute, at: [0, 0, 0], axis: [0, 0, 1], coordinates: [{}]"),
              "f:5:97: ", "has one coordinate"));
}

TEST_CASE("Bodies of a joint are looked for by name")
{
    const std::string ball = "type: ball, at: [0, 0, 0]}]\n";
    CHECK(one(wrong(two + "joints: [{bodies: [bse, arm], " + ball), "f:4:20: bodies of joint 1: ",
              "there is no body 'bse'; did you mean 'base'? Bodies here: arm, base"));
    CHECK(one(wrong(two + "joints: [{bodies: [world], " + ball), "f:4:19: ", "list of two names"));
    CHECK(one(wrong(two + "joints: [{bodies: [arm, arm], " + ball),
              "f:4:19: joint 1: ", "joins a body to itself"));
    CHECK(one(wrong(two + "joints: [{bodies: [world, world], " + ball),
              "f:4:19: joint 1: ", "joins the world to itself"));
    CHECK(one(wrong(two + "joints: [{" + ball), "f:4:10: joint 1 needs 'bodies'", ""));
    // A second mistake is told beside the first; that it does not fit is not, while that is open.
    CHECK(wrong(two + "joints: [{bodies: [bse, arm], type: revolute, at: [0, 0, 0], axis: [0, 0, "
                      "1], stiffness: -1}]\n")
              .size() == 2);
    CHECK(wrong("joints: [{bodies: [a, b], type: distance}]\n").size() == 3);
}
