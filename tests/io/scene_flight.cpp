// SPDX-License-Identifier: MIT
// Planet, air and aerodynamics in scene files: every key, written back, and what is refused.

#include "poinsot/forces/aero.hpp"
#include "refused.hpp"

using namespace poinsot;

namespace {

using V3 = Vec3<double>;

// Its first line is line 1; what follows begins on line 2.
const std::string glider = "bodies: [{name: glider, mass: 1, inertia: [1, 1, 1], "
                           "center_of_mass: [0.1, 0.2, 0.3]}]\n";
std::string flown(const std::string& keys)
{
    return glider + "air: standard\naerodynamics: [{name: wing, body: glider, area: 2, " + keys +
           "}]\n";
}

const std::string everything =
    glider + "planet: {like: wgs84, rotation: 0, J2: 0.001, J2_radius: 6000000}\n"
             "air:\n"
             "  model: standard\n"
             "  wind: [1, 2, 3]\n"
             "  profile: {altitude: [0, 1000.5], wind: [[0, 0, 0], [8, -1, 0.5]], beyond: hold}\n"
             "  gusts: [{name: bump, peak: [0, 0, -6], start: 2, duration: 1.5}, "
             "{peak: [1, 0, 0], duration: 3}]\n"
             "aerodynamics:\n"
             "  - name: wing\n"
             "    body: glider\n"
             "    at: [0.1, 0, 0]\n"
             "    orientation: {axis: [1, 0, 0], angle: 180 deg}\n"
             "    area: 12\n"
             "    span: 15\n"
             "    chord: 0.8\n"
             "    drag: {table: {alpha: [-5 deg, 5 deg], mach: [0, 0.5, 1], "
             "values: [[1, 2, 3], [4, 5, 6]], beyond: refuse}}\n"
             "    side: {beta: -0.3, table: {beta: [-0.1, 0.1], values: [0.1, 0.2], "
             "beyond: hold}}\n"
             "    lift: {constant: 0.3, alpha: 5.5}\n"
             "    pitch: {alpha: -0.9, q: -12}\n"
             "    roll: {p: -0.5, beta: -0.1}\n"
             "    yaw: {r: -0.1}\n"
             "  - {body: glider, area: 1, drag: 0.02}\n";

} // namespace

TEST_CASE("Planet, air and aerodynamics are read as written")
{
    const Scene scene = scene_from(everything);
    const Model& model = *scene.model;
    const Planet& planet = model.planet();
    CHECK(!planet.flat);
    CHECK(planet.radius == wgs84.radius);
    CHECK(planet.flattening == wgs84.flattening);
    CHECK(planet.mu == wgs84.mu);
    CHECK(planet.rotation == 0);
    CHECK(planet.J2 == 0.001);
    CHECK(planet.J2_radius == 6e6);

    const Air& air = model.air();
    CHECK(air.kind == Air::Kind::standard);
    CHECK(air.wind == V3{1, 2, 3});
    CHECK(air.profile.altitude == std::vector<double>{0, 1000.5});
    CHECK(air.profile.velocity == std::vector<V3>{{0, 0, 0}, {8, -1, 0.5}});
    CHECK(air.profile.beyond == Beyond::hold);
    REQUIRE(air.gusts.size() == 2);
    CHECK(air.gusts[0].name == "bump");
    CHECK(air.gusts[0].peak == V3{0, 0, -6});
    CHECK(air.gusts[0].start == 2);
    CHECK(air.gusts[0].duration == 1.5);
    CHECK(air.gusts[1].start == 0);

    REQUIRE(model.aerodynamics().size() == 2);
    const Aerodynamics& wing = model.aerodynamics()[0];
    CHECK(wing.name == "wing");
    CHECK(wing.body == 0);
    CHECK(wing.frame.x == V3{0.1, 0, 0});
    CHECK(norm(rotate(wing.frame.q, V3{0, 0, 1}) + V3{0, 0, 1}) < 1e-15);
    CHECK(V3{wing.area, wing.span, wing.chord} == V3{12, 15, 0.8});
    using Over = Coefficient::Over;
    CHECK(wing.drag.over == std::vector{Over::alpha, Over::mach});
    REQUIRE(wing.drag.table.axes.size() == 2);
    CHECK(near(wing.drag.table.axes[0][1], 5 * two_pi / 360, 1e-15));
    CHECK(wing.drag.table.values == std::vector<double>{1, 2, 3, 4, 5, 6});
    CHECK(wing.drag.table.beyond == Beyond::refuse);
    CHECK(wing.side.beta == -0.3);
    CHECK(wing.side.table.beyond == Beyond::hold);
    CHECK(wing.lift.constant == 0.3);
    CHECK(wing.lift.alpha == 5.5);
    CHECK(wing.pitch.q == -12);
    CHECK(wing.roll.p == -0.5);
    CHECK(wing.roll.beta == -0.1);
    CHECK(wing.yaw.r == -0.1);
    // Without `at` the air acts at the centre of mass; a number is a constant.
    CHECK(model.aerodynamics()[1].frame.x == V3{0.1, 0.2, 0.3});
    CHECK(model.aerodynamics()[1].drag.constant == 0.02);
}

TEST_CASE("What rates are multiplied by may be tables, and above the atmosphere a vacuum")
{
    const std::string text =
        glider + "air: {model: standard, above: vacuum}\n"
                 "aerodynamics:\n  - body: glider\n    area: 12\n    span: 15\n    chord: 0.8\n"
                 "    pitch: {q: {constant: -12, table: {alpha: [0, 10 deg], mach: [0, 1], values: "
                 "[[0, 1], [2, 3]], beyond: hold}}}\n"
                 "    roll: {p: {table: {beta: [0, 1], values: [-0.4, -0.5], beyond: refuse}}}\n"
                 "    yaw: {r: {constant: -0.1}}\n";
    const auto check = [](const Scene& scene) {
        const Aerodynamics& wing = scene.model->aerodynamics()[0];
        using Over = Tabled::Over;
        CHECK(wing.pitch.q == -12);
        CHECK(wing.pitch.q_table.over == std::vector{Over::alpha, Over::mach});
        CHECK(wing.pitch.q_table.table.values == std::vector<double>{0, 1, 2, 3});
        CHECK(wing.pitch.q_table.table.beyond == Beyond::hold);
        CHECK(wing.roll.p == 0);
        CHECK(wing.roll.p_table.over == std::vector{Over::beta});
        CHECK(wing.yaw.r == -0.1);
        CHECK(wing.yaw.r_table.over.empty());
        CHECK(scene.model->air().vacuum_above);
        CHECK(air_at(scene.model->air(), 9e4).density == 0);
    };
    const Scene scene = scene_from(text);
    check(scene);
    check(scene_from(write_scene(scene))); // as it is written back
    // A body may start there, and flies on as if there were no air.
    PlacedBody body = place(*scene.model, start_of(*scene.model, FormKind::momentum)).bodies[0];
    body.x.z = 1e5;
    body.v = {7000, 0, 0};
    CHECK(
        norm(aerodynamic_load(scene.model->aerodynamics()[0], {}, scene.model->air(), body, 0).F) ==
        0);
    CHECK(why_no_load(scene.model->aerodynamics()[0], {}, scene.model->air(), body, 0).empty());
    Air ends = scene.model->air();
    ends.vacuum_above = false;
    CHECK(why_no_load(scene.model->aerodynamics()[0], {}, ends, body, 0)
              .find("the standard atmosphere reaches from -5000 m to 86000 m") !=
          std::string::npos);
}

TEST_CASE("Planets and airs by name, and what is not given")
{
    CHECK(scene_from(glider + "planet: wgs84\n").model->planet().J2 == wgs84.J2);
    CHECK(scene_from(glider + "planet: round_earth\n").model->planet().flattening == 0);
    CHECK(scene_from(glider).model->planet().flat);
    CHECK(scene_from(glider).model->air().kind == Air::Kind::none);
    const Planet own =
        scene_from(glider + "planet: {radius: 100, mu: 5, J2: 0.1}\n").model->planet();
    CHECK(own.J2_radius == 100);
    CHECK(own.rotation == 0);
    CHECK(scene_from(glider + "air: uniform\n").model->air().density == 1.225);
    const Air thin = scene_from(glider + "air: {density: 0.5, speed_of_sound: 300}\n").model->air();
    CHECK(thin.kind == Air::Kind::uniform);
    CHECK(thin.density == 0.5);
    CHECK(thin.speed_of_sound == 300);
}

TEST_CASE("Planet, air and aerodynamics are written and read again to the same bits")
{
    for (const std::string& text :
         {everything, glider + "planet: {radius: 100, mu: 5, J2: 0.1}\n",
          glider + "planet: wgs84\nair: {density: 0.5}\n", glider + "air: uniform\n"}) {
        const Scene scene = scene_from(text);
        const std::string written = write_scene(scene);
        const Scene again = scene_from(written);
        CHECK(write_scene(again) == written);
        CHECK(identity_of(again) == identity_of(scene));
    }
    // A changed number is another scene: a checkpoint of one does not go on in the other.
    for (const auto& [old, changed] :
         std::initializer_list<std::pair<const char*, const char*>>{{"rotation: 0", "rotation: 1"},
                                                                    {"1000.5", "1000.25"},
                                                                    {"duration: 3", "duration: 4"},
                                                                    {"[4, 5, 6]", "[4, 5, 7]"},
                                                                    {"p: -0.5", "p: -0.25"}}) {
        std::string other = everything;
        other.replace(other.find(old), std::string(old).size(), changed);
        CHECK(identity_of(scene_from(other)) != identity_of(scene_from(everything)));
    }
}

TEST_CASE("What cannot be flown is refused where it is written, with the remedy")
{
    // What stands wrongly in the file
    is_refused(glider + "planet: mars\n", "f:2:9", "Known are: wgs84, round_earth");
    is_refused(glider + "planet: {mu: 1}\n", "f:2:9", "radius");
    is_refused(glider + "planet: {like: wgs84, spin: 1}\n", "f:2:23", "spin");
    is_refused(glider + "air: thick\n", "f:2:6", "Known are: standard, uniform");
    is_refused(glider + "air: {model: standard, density: 1}\n", "f:2:33",
               "the standard atmosphere has its own");
    is_refused(glider + "air: {profile: {altitude: [0, 1], wind: [[0, 0, 0], [1, 0, 0]]}}\n",
               "f:2:16", "beyond");
    is_refused(glider + "air: {gusts: [{peak: [0, 0, 1]}]}\n", "f:2:15", "duration");
    is_refused(flown("drag: {}"), "f:3:58", "is empty: give a number, or constant");
    is_refused(flown("span: 1"), "f:3:16", "needs one of drag, side, lift");
    is_refused(flown("drag: {table: {values: [1], beyond: hold}}"), "f:3:", "as its axes");
    is_refused(flown("drag: {table: {mach: [0, 1], values: [1, 2, 3], beyond: hold}}"),
               "f:3:", "be a list of 2 numbers, one for each node");
    is_refused(flown("drag: {table: {mach: [0, 1], values: [1, 2]}}"), "f:3:", "beyond");
    is_refused(glider + "air: standard\naerodynamics: [{body: sparrow, area: 1, drag: 1}]\n",
               "f:3:23", "sparrow");
    // What the model finds: told at the key that says it
    is_refused(glider + "planet: wgs84\ngravity: [0, 0, -1]\n", "f:3:10", "a round planet");
    is_refused(glider + "planet: {like: wgs84, flattening: 0.9}\n", "f:2:35", "flattening must be");
    is_refused(glider + "air: {density: -1}\n", "f:2:16", "density must be");
    is_refused(glider + "air: {gusts: [{peak: [0, 0, 1], duration: -1}]}\n", "f:2:43",
               "duration must be");
    is_refused(glider + "aerodynamics: [{body: glider, area: 1, drag: 1}]\n", "f:2:23",
               "there is no air");
    is_refused(glider + "air: standard\naerodynamics: [{body: glider, area: 0, drag: 1}]\n",
               "f:3:37", "area must be");
    is_refused(flown("drag: {table: {mach: [1, 0], values: [1, 2], beyond: hold}}"),
               "f:3:", "must increase");
    is_refused(flown("roll: 1"), "f:3:", "need a span");
    is_refused(flown("lift: {q: 1}"), "f:3:", "need a chord");
}
