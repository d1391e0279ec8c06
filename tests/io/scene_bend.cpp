// SPDX-License-Identifier: MIT
// Bushings and beams in scene files.

#include "poinsot/model/beam.hpp"
#include "refused.hpp"

using namespace poinsot;

namespace {

const std::string two = "bodies:\n  - {name: car, box: [4, 2, 1], mass: 900, position: [0, 0, 1], "
                        "velocity: [3, 0, 0], angular_velocity: [0, 0, 1]}\n"
                        "  - {name: engine, box: [1, 1, 1], mass: 100, position: [1, 0, 1]}\n";
std::string mounted(const std::string& keys)
{
    return two + "bushings:\n  - {bodies: [car, engine], " + keys + "}\n";
}
std::string beam_with(const std::string& old, const std::string& now)
{
    std::string keys =
        "name: wing, root: car, at: [0, 1, 1], axis: [0, 1, 0], second_axis: [1, 0, 0], "
        "length: 2, segments: 4, section: {rectangle: [0.2, 0.05]}, "
        "young_modulus: 1e9, poisson_ratio: 0.25, density: 500";
    const auto at = keys.find(old);
    REQUIRE(at != std::string::npos);
    keys.replace(at, old.size(), now);
    return two + "beams:\n  - {" + keys + "}\n";
}

} // namespace

TEST_CASE("Bushings and beams are read as written, and written and read again to the same bits")
{
    const std::string text =
        mounted(
            "name: mount, at: [1, 0.5, 1], axis: [0, 1, 0], second_axis: [0, 0, 1], "
            "stiffness: [1, 2, 3, 4, 5, 6], damping: [[1, 0, 0, 0, 0.5, 0], [0, 1, 0, 0, 0, 0], "
            "[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0.5, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]]") +
        beam_with("segments: 4", "segments: 3").substr(two.size());
    const Scene scene = scene_from(text);
    REQUIRE(scene.model->bushings().size() == 4);
    const auto named = [&](const char* name) {
        for (const Bushing& b : scene.model->bushings())
            if (b.name == name)
                return b;
        FAIL(name);
        return Bushing{};
    };
    const Bushing mount = named("mount");
    CHECK(mount.a == 0);
    CHECK(mount.b == 1);
    CHECK(norm(mount.frame_a.x - Vec3<double>{1, 0.5, 0}) < 1e-15);
    CHECK(norm(mount.frame_b.x - Vec3<double>{0, 0.5, 0}) < 1e-15);
    CHECK(norm(rotate(mount.frame_a.q, {0, 0, 1}) - Vec3<double>{0, 1, 0}) < 1e-15);
    CHECK(norm(rotate(mount.frame_b.q, {1, 0, 0}) - Vec3<double>{0, 0, 1}) < 1e-15);
    CHECK(mount.stiffness == six_of(std::array<double, 6>{1, 2, 3, 4, 5, 6}));
    CHECK(mount.damping.mixed.r0.y == 0.5);

    const Bushing seam = named("wing/seam 1");
    const double s = 2.0 / 3;
    CHECK(seam.stiffness.push.zz == doctest::Approx(1e9 * 0.01 / s).epsilon(1e-12));
    CHECK(seam.stiffness.turn.zz ==
          doctest::Approx(4e8 * rectangle(0.2, 0.05).torsion / s).epsilon(1e-12));
    CHECK(named("wing/root").a == 0);
    // It moves with the car, as one rigid body.
    const Body& tip = scene.model->bodies()[4];
    CHECK(tip.name == "wing/3");
    CHECK(norm(tip.velocity - Vec3<double>{3 - tip.pose.x.y, 0, 0}) < 1e-14);
    CHECK(norm(tip.angular_velocity - Vec3<double>{0, 0, 1}) == 0);

    const Scene again = scene_from(write_scene(scene));
    CHECK(identity_of(again) == identity_of(scene));
    REQUIRE(again.model->bushings().size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        const Bushing &a = scene.model->bushings()[i], &b = again.model->bushings()[i];
        CHECK(a.name == b.name);
        CHECK(a.stiffness == b.stiffness);
        CHECK(a.damping == b.damping);
        CHECK(a.frame_b.x == b.frame_b.x);
        CHECK(a.frame_b.q == b.frame_b.q);
    }
}

TEST_CASE("Segments of a beam that touch do not push each other")
{
    const Scene scene = scene_from(beam_with("at: [0, 1, 1]", "at: [0, 1.2, 1]") +
                                   "contact: {}\napart: [[car, engine]]\n");
    // Car and engine, the root with the car, and three seams.
    CHECK(scene.model->skins_apart().size() == 5);
}

TEST_CASE("Bushings and beams that are wrong are named with their place and a remedy")
{
    is_refused(mounted("at: [0, 0, 0]"), "f:5:5", "needs 'stiffness' or 'damping'");
    is_refused(mounted("at: [0, 0, 0], stiffness: [1, 2, 3]"), "f:5", "six numbers");
    is_refused(mounted("at: [0, 0, 0], stiffness: [1, 2, 3, 4, 5, -6]"), "f:5",
               "must take energy whichever way");
    is_refused(mounted("stiffness: [1, 2, 3, 4, 5, 6]"), "f:5:5", "needs 'at'");
    is_refused(
        mounted("frame_a: {position: [0, 0, 0]}, at: [0, 0, 0], stiffness: [1, 2, 3, 4, 5, 6]"),
        "f:5", "has no effect");
    is_refused(
        mounted("at: [0, 0, 0], stiffness: [[1, 2, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, "
                "0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]]"),
        "f:5", "symmetric");
    is_refused(
        two + "bushings: [{bodies: [car, motor], at: [0, 0, 0], damping: [1, 1, 1, 1, 1, 1]}]\n",
        "f:4", "there is no body 'motor'");
    is_refused(two +
                   "bushings: [{bodies: [car, car], at: [0, 0, 0], damping: [1, 1, 1, 1, 1, 1]}]\n",
               "f:4", "same body");
    is_refused(two + "bushings: [{bodies: [car], at: [0, 0, 0], damping: [1, 1, 1, 1, 1, 1]}]\n",
               "f:4", "list of two names");

    is_refused(beam_with("length: 2", "length: 0"), "f:5", "length must be positive");
    is_refused(beam_with("segments: 4", "segments: 0"), "f:5", "at most 10000, is 0");
    is_refused(beam_with("segments: 4", "segments: 20000"), "f:5", "at most 10000, is 20000");
    is_refused(beam_with("root: car", "root: bus"), "f:5", "there is no body 'bus'");
    is_refused(beam_with("{rectangle: [0.2, 0.05]}", "{rectangle: [0.2, -1]}"), "f:5",
               "sides greater than zero");
    is_refused(beam_with("{rectangle: [0.2, 0.05]}", "{tube: [0.1, 0.2]}"), "f:5",
               "outer one the larger");
    is_refused(beam_with("{rectangle: [0.2, 0.05]}", "{area: 1, I_x: 1}"), "f:5", "must be one of");
    is_refused(beam_with("{rectangle: [0.2, 0.05]}", "{disc: 1, area: 2}"), "f:5",
               "must be one of");
    is_refused(beam_with("poisson_ratio: 0.25", "poisson_ratio: 0.7"), "f:5", "not above 0.5");
    is_refused(beam_with("poisson_ratio: 0.25, ", ""), "f:5:5", "one of the two");
    is_refused(beam_with("second_axis: [1, 0, 0]", "second_axis: [1, 1, 0]"), "f:5",
               "square to axis");
    is_refused(beam_with("density: 500", "density: .nan"), "f:5", "density");
    is_refused(beam_with("name: wing", "name: car"), "f:5", "names must be unique");
    // What speaks of the segments of a beam that is not known is not told that there are none.
    is_refused(beam_with("length: 2", "length: -2") + "drag: [{body: wing/2, linear: 1}]\n", "f:5",
               "length must be positive");
    is_refused(beam_with("length: 2", "length: 2") + "drag: [{body: wing/9, linear: 1}]\n", "f:6",
               "there is no body 'wing/9'");
}
