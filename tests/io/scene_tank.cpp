// SPDX-License-Identifier: MIT
// Tanks and flows in scene files, checkpoints and trajectories.

#include "resumed.hpp"

#include <unistd.h>

using namespace poinsot;

namespace {

using V3 = Vec3<double>;

const std::string hull = "bodies: [{name: hull, mass: 2, inertia: [1, 1.2, 1.4], "
                         "angular_velocity: [0.3, 1, -0.2]}]\n";
const std::string everything =
    hull + "tanks:\n"
           "  - {name: a, body: hull, content: 1, at: [0.1, 0.2, 0.3]}\n"
           "  - {name: b, body: hull, content: 0.5, capacity: 2, at: [0, 0, -0.5], "
           "cylinder: {radius: 0.2, height: 0.8}}\n"
           "  - {name: c, body: hull, content: 0.75, capacity: 3, box: [0.2, 0.3, 0.4], "
           "orientation: {axis: [1, 0, 0], angle: 30 deg}, filling: in_place}\n"
           "thrusters:\n"
           "  - {name: main, tank: [a, c], mass_flow: 0.5, at: [0, 0, -1], direction: [0, 0, -2], "
           "exhaust_speed: 3, radius: 0.1, from: 0.25, until: 1.5}\n"
           "  - {tank: b, mass_flow: 0.1, at: [0.3, 0, 0], direction: [0, 1, 0], "
           "exhaust_speed: 2}\n"
           "dumps: [{name: drain, tank: c, mass_flow: 0.05, at: [0, 0.1, 0], until: 2}]\n"
           "pumps: [{name: pump, source: a, target: b, mass_flow: 0.2, from: 1, until: 2}]\n"
           "inlets: [{name: rain, tank: b, mass_flow: 0.02, at: [0, 0, 1], "
           "velocity: [0, 0, -5], until: 5}]\n";

std::string with_tank(const std::string& keys)
{
    return hull + "tanks: [{name: t, body: hull, " + keys + "}]\n";
}
/// A thruster of a tank with a kilogram.
std::string burning(const std::string& keys)
{
    return with_tank("content: 1") + "thrusters: [{tank: t, " + keys + "}]\n";
}
const std::string jet = "at: [0, 0, -1], direction: [0, 0, -1], exhaust_speed: 10, ";

struct TemporaryFile {
    std::filesystem::path path = std::filesystem::temp_directory_path() /
                                 ("poinsot_tank_" + std::to_string(::getpid()) + ".json");
    ~TemporaryFile() { std::filesystem::remove(path); }
};

} // namespace

TEST_CASE("Tanks and flows are read as written, and written and read again to the same bits")
{
    const Scene scene = scene_from(everything);
    const Model& model = *scene.model;
    REQUIRE(model.tanks().size() == 3);
    CHECK(model.tanks()[0].room == Tank::Room::point);
    CHECK(norm(model.tanks()[0].frame.x - V3{0.1, 0.2, 0.3}) == 0);
    const Tank& b = model.tanks()[1];
    CHECK(b.room == Tank::Room::cylinder);
    CHECK(b.filling == Tank::Filling::from_bottom);
    CHECK(b.content == 0.5);
    CHECK(b.capacity == 2);
    CHECK(near(level_of(b, 0.5), 0.2, 1e-15));
    CHECK(model.tanks()[2].filling == Tank::Filling::in_place);
    CHECK(model.tanks()[2].size.y == 0.3);
    REQUIRE(model.flows().size() == 5);
    const Flow& main = model.flows()[0];
    CHECK(main.sources == std::vector<int>{0, 2});
    CHECK(norm(main.direction - V3{0, 0, -1}) == 0);
    CHECK(main.exhaust_speed == 3);
    CHECK(main.radius == 0.1);
    CHECK(main.from == 0.25);
    CHECK(main.until == 1.5);
    CHECK(model.flows()[2].kind == Flow::Kind::dump);
    CHECK(model.flows()[3].target == 1);
    CHECK(model.flows()[4].velocity.z == -5);
    // A body weighs what it holds too.
    CHECK(model.masses()[0].m == 2 + 1 + 0.5 + 0.75);
    CHECK(model.vessels()[0].dry.m == 2);

    const std::string written = write_scene(scene);
    const Scene again = scene_from(written);
    CHECK(write_scene(again) == written);
    CHECK(identity_of(again) == identity_of(scene));
    for (const auto& [old, changed] : std::initializer_list<std::pair<const char*, const char*>>{
             {"content: 0.5", "content: 0.6"},
             {"height: 0.8", "height: 0.9"},
             {"filling: in_place", "filling: from_bottom"},
             {"exhaust_speed: 3", "exhaust_speed: 4"},
             {"radius: 0.1,", "radius: 0.2,"},
             {"velocity: [0, 0, -5]", "velocity: [0, 0, -4]"},
             {"mass_flow: 0.2", "mass_flow: 0.25"}}) {
        std::string other = everything;
        other.replace(other.find(old), std::string(old).size(), changed);
        CHECK(identity_of(scene_from(other)) != identity_of(scene));
    }
}

TEST_CASE("Tanks and flows that cannot be are refused where they are written")
{
    is_refused(hull + "tanks: [{body: hull, content: 1}]\n", "f:2:9", "name");
    is_refused(hull + "tanks: [{name: t, content: 1}]\n", "f:2:9", "body");
    is_refused(hull + "tanks: [{name: t, body: hull}]\n", "f:2:9", "content");
    is_refused(hull + "tanks: [{name: t, body: hill, content: 1}]\n", "f:2:25", "hill");
    is_refused(with_tank("content: -1"), "f:2:40", "not negative");
    is_refused(with_tank("content: 3, capacity: 2"), "f:2:40", "more than its capacity");
    is_refused(with_tank("content: 3, capacity: 0"), "f:2:53", "capacity must be positive");
    is_refused(with_tank("content: 3, box: [1, 1, 1]"), "f:2:9", "needs a capacity");
    is_refused(with_tank("content: 3, box: [1, 0, 1]"), "f:2:48", "greater than zero");
    is_refused(with_tank("content: 3, ball: 1"), "f:2:43", "ball");
    is_refused(with_tank("content: 3, filling: in_place"), "f:2:52", "needs a room");
    is_refused(with_tank("content: 3, capacity: 3, box: [1, 1, 1], filling: fast"), "f:2:81",
               "fast");
    is_refused(burning("mass_flow: 1, at: [0, 0, -1], exhaust_speed: 10"), "f:3:13", "direction");
    is_refused(burning("mass_flow: 1, at: [0, 0, -1], direction: [0, 0, 0], exhaust_speed: 10"),
               "f:3:64", "needs a direction");
    is_refused(burning("mass_flow: 1, at: [0, 0, -1], direction: [0, 0, 1], exhaust_speed: 0"),
               "f:3:90", "a dump");
    is_refused(burning(jet + "mass_flow: -1"), "f:3:92", "mass_flow must be finite and positive");
    is_refused(burning(jet + "mass_flow: 0.1, from: 3, until: 2"), "f:3:103", "begin before");
    is_refused(burning(jet + "mass_flow: 0.1, radius: -1"), "f:3:105", "radius");
    is_refused(burning(jet + "mass_flow: 0.1, until: 20"), "f:3:104", "would be empty at t = 10 s");
    is_refused(with_tank("content: 1") + "thrusters: [{tank: u, " + jet + "mass_flow: 1}]\n",
               "f:3:20", "'u'");
    const std::string two = hull + "tanks: [{name: t, body: hull, content: 1}, "
                                   "{name: u, body: hull, content: 0, capacity: 0.5}]\n";
    is_refused(two + "pumps: [{source: t, target: u, mass_flow: 0.1}]\n", "f:3:9",
               "would run over at t = 5 s");
    is_refused(two + "pumps: [{source: t, target: t, mass_flow: 0.1}]\n", "f:3:29", "another tank");
    is_refused(two + "dumps: [{tank: [t, t], at: [0, 0, 0], mass_flow: 0.1}]\n", "f:3:16", "twice");
    is_refused("bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: "
               "[1, 1, 1]}]\ntanks: [{name: t, body: a, content: 1}, {name: u, body: b, content: "
               "1}]\npumps: [{source: t, target: u, mass_flow: 0.1}]\n",
               "f:3:29", "within one body");
    is_refused("particles: [{name: dust, mass: 1}]\ntanks: [{name: t, body: dust, content: 1}]\n",
               "f:2:25", "a particle has no room");
    // A tank that is fed more slowly than it is drawn upon.
    is_refused(hull + "tanks: [{name: t, body: hull, content: 1}]\n"
                      "dumps: [{tank: t, at: [0, 0, 0], mass_flow: 0.3}]\n"
                      "inlets: [{tank: t, at: [0, 0, 1], mass_flow: 0.1}]\n",
               "f:3:45", "filled more slowly");
}

TEST_CASE("Flows that follow a control are read as written, and refused where they cannot")
{
    const std::string throttle = "controls: [{name: throttle, limits: [0, 1], value: 0.5}]\n";
    const std::string text = with_tank("content: 1") + "thrusters: [{tank: t, " + jet +
                             "mass_flow: 0.1, control: throttle}]\n" + throttle;
    const Scene scene = scene_from(text);
    CHECK(scene.model->flows()[0].control == 0);
    const std::string written = write_scene(scene);
    const Scene again = scene_from(written);
    CHECK(write_scene(again) == written);
    CHECK(identity_of(again) == identity_of(scene));
    const auto refused = [&](const std::string& old, const std::string& changed, const char* where,
                             const char* what) {
        std::string other = text;
        other.replace(other.find(old), old.size(), changed);
        is_refused(other, where, what);
    };
    refused("control: throttle", "control: thrust", "f:3:", "there is no control 'thrust'");
    refused("limits: [0, 1]", "limits: [-1, 1]", "f:3:", "can go negative");
    refused(", limits: [0, 1]", "", "f:3:", "can go negative");
    refused(", control: throttle", "", "f:4:", "nothing follows it");
    // At half throttle the tank lasts twice as long.
    refused("control: throttle", "control: throttle, until: 25",
            "f:3:", "would be empty at t = 20 s");
    for (const char* method : {"explicit_euler", "symplectic_euler"}) {
        const auto euler = read_scene_text(
            text + "run: {until: 1, step: 0.01, integrator: " + method + "}\n", "f");
        REQUIRE(!euler);
        CHECK(euler.problems().text().find("follows a control: use runge_kutta4") !=
              std::string::npos);
    }
}

TEST_CASE("Speeds that follow a control: what is wrong is named, and what is right comes back")
{
    const std::string text = "bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n"
                             "tanks: [{name: a, body: b, content: 1, capacity: 9}]\n"
                             "thrusters: [{name: f, tank: a, mass_flow: 0.1, at: [0, 0, 1], "
                             "direction: [0, 0, 1], exhaust_speed: 3, speed_control: grid}]\n"
                             "inlets: [{name: g, tank: a, mass_flow: 0.1, at: [0, 0, 1], velocity: "
                             "[0, 0, -2], speed_control: rain, until: 5}]\n"
                             "controls: [{name: grid, limits: [0, 1], value: 0.5}, {name: rain, "
                             "limits: [-1, 1], value: 0.5}]\n";
    const auto scene = read_scene_text(text, "f");
    REQUIRE_MESSAGE(scene, (scene ? "" : scene.problems().text()));
    CHECK(scene->description.flows[0].speed_control == 0);
    CHECK(scene->description.flows[1].speed_control == 1);
    const auto again = read_scene_text(write_scene(*scene), "again");
    REQUIRE_MESSAGE(again, (again ? "" : again.problems().text()));
    CHECK(again->description.flows[0].speed_control == 0);
    CHECK(again->description.flows[1].speed_control == 1);

    const auto refused = [&](const std::string& from, const std::string& to,
                             const std::string& place, const std::string& why) {
        std::string changed = text;
        changed.replace(changed.find(from), from.size(), to);
        const auto wrong = read_scene_text(changed, "f");
        REQUIRE(!wrong);
        CHECK_MESSAGE(wrong.problems().text().find(why) != std::string::npos,
                      wrong.problems().text());
        CHECK_MESSAGE(wrong.problems().text().find(place) != std::string::npos,
                      wrong.problems().text());
    };
    refused("speed_control: grid", "speed_control: grit", "f:3:", "grit");
    refused("limits: [0, 1]", "limits: [-1, 1]", "f:3:", "does not leave backwards");
    refused(", speed_control: rain", "", "f:5:", "nothing follows it");
    refused("inlets: [{name: g, tank: a, mass_flow: 0.1, at: [0, 0, 1], velocity: [0, 0, -2], "
            "speed_control: rain",
            "dumps: [{name: g, tank: a, mass_flow: 0.1, at: [0, 0, 1], speed_control: rain",
            "f:4:", "unknown key 'speed_control'");
    Builder b = scene->description;
    b.flows[0].speed_control = 7;
    CHECK(b.build().problems().text().find("control that does not exist") != std::string::npos);
    b.flows[0].speed_control = 0;
    b.flows[1].kind = Flow::Kind::dump;
    b.flows[1].sources = {0};
    b.flows[1].target = -1;
    CHECK(b.build().problems().text().find("no speed of its own") != std::string::npos);
}

TEST_CASE("Methods that take masses that stay refuse tanks by name")
{
    for (const char* settings : {"integrator: second_order", "integrator: impulsive",
                                 "integrator: impulsive, formulation: reduced"}) {
        const auto scene =
            read_scene_text(everything + "run: {until: 1, step: 0.01, " + settings + "}\n", "f");
        REQUIRE(!scene);
        CHECK_MESSAGE(scene.problems().text().find("tank 'a' lets one vary") != std::string::npos,
                      scene.problems().text());
        CHECK(scene.problems().text().find("runge_kutta4") != std::string::npos);
    }
}

TEST_CASE("A run with tanks that is stopped and resumed has the bits of the unbroken one")
{
    const TemporaryFile file;
    std::string throttled = everything;
    throttled.insert(throttled.find("at: [0.3"), "control: throttle, ");
    throttled += "controls: [{name: throttle, limits: [0, 2], schedule: {time: [0, 0.4, 1.3, 1.7], "
                 "value: [0.2, 1.5, 0, 0.9]}}]\n";
    for (const std::string& text : {everything, throttled})
        for (const char* settings :
             {"integrator: splitting", "integrator: runge_kutta4, state_form: velocity",
              "integrator: adaptive", "integrator: midpoint, state_form: matrix",
              "integrator: runge_kutta4, formulation: reduced",
              "integrator: gauss, formulation: reduced"}) {
            INFO(settings);
            const Scene scene =
                scene_from(text + "run: {until: 2, step: 0.03, " + settings + "}\n");
            const auto [whole, second] = resumed_after(37, scene, file.path);
            const auto mass = [](const Simulation& run) {
                return run.ledger().books().total.posted[index_of(Cause::thrust)].mass;
            };
            CHECK(mass(second) == mass(whole));

            Checkpoint wrong = whole.checkpoint();
            if (wrong.state.shares.empty())
                wrong.state.tanks.pop_back();
            else
                wrong.state.shares.pop_back();
            is_refused(wrong, scene, file.path, "another number of tanks");
        }
}

TEST_CASE("A trajectory has the contents and levels of tanks in every frame")
{
    const RecordFolder folder("tanks");
    const auto file = folder.path / "run.h5";
    record(file, with_tank("content: 1, capacity: 2, cylinder: {radius: 0.2, height: 0.8}") +
                     "dumps: [{tank: t, at: [0, 0, 0], mass_flow: 0.5, from: 0.5}]\n"
                     "run: {until: 3, step: 0.01, integrator: runge_kutta4}\n");
    const TrajectoryReader run = opened(file);
    CHECK(run.head().tanks == std::vector<std::string>{"t"});
    const auto content = series_of(run, "tanks/content"), level = series_of(run, "tanks/level");
    const auto mass = series_of(run, "ledger/mass");
    REQUIRE(content.size() == 301);
    for (std::size_t frame = 0; frame <= 300; ++frame) {
        const double t = 0.01 * static_cast<double>(frame);
        const double expected = std::clamp(1 - 0.5 * (t - 0.5), 0.0, 1.0);
        CHECK(near(content[frame], expected, 1e-13, 1));
        CHECK(near(level[frame], 0.4 * expected, 1e-13, 1));
        CHECK(near(mass[frame], 2 + expected, 1e-13));
    }
}
