// SPDX-License-Identifier: MIT
// Controls in scene files: every key, written back, and what is refused.

#include "poinsot/io/signals.hpp"
#include "recorded.hpp"

#include <cmath>
#include <fstream>

using namespace poinsot;

namespace {

// Controls begin on line 3.
const std::string flyer = "bodies: [{name: flyer, mass: 1, inertia: [1, 1, 1]}]\n"
                          "air: standard\n";
const std::string followed = "aerodynamics: [{body: flyer, area: 2, chord: 1, pitch: {alpha: -1, "
                             "controls: {elevator: -1.1}}}]\n";

std::string with(const std::string& control)
{
    return flyer + "controls: [" + control + "]\n" + followed;
}

const std::string everything =
    flyer +
    "controls:\n"
    "  - {name: elevator, limits: [-25 deg, 0.3], schedule: {time: [0, 1.5], "
    "value: [0, -5 deg]}}\n"
    "  - {name: throttle, limits: [0, ~], value: 0.4}\n" +
    followed + "loads: [{name: thrust, body: flyer, force: [100, 0, 0], control: throttle}]\n";

} // namespace

TEST_CASE("Controls are read as written, and written and read again to the same bits")
{
    const Scene scene = scene_from(everything);
    const auto& controls = scene.model->controls();
    REQUIRE(controls.size() == 2);
    CHECK(controls[0].name == "elevator");
    CHECK(near(controls[0].lower, -25 * two_pi / 360, 1e-15));
    CHECK(controls[0].upper == 0.3);
    CHECK(controls[0].times == std::vector<double>{0, 1.5});
    CHECK(near(controls[0].values[1], -5 * two_pi / 360, 1e-15));
    CHECK(controls[1].lower == 0);
    CHECK(std::isinf(controls[1].upper));
    CHECK(controls[1].at(7) == 0.4);
    const auto& slopes = scene.model->aerodynamics()[0].pitch.controls;
    REQUIRE(slopes.size() == 1);
    CHECK(slopes[0].control == 0);
    CHECK(slopes[0].slope == -1.1);
    CHECK(scene.model->loads()[0].control == 1);

    const std::string written = write_scene(scene);
    const Scene again = scene_from(written);
    CHECK(write_scene(again) == written);
    CHECK(identity_of(again) == identity_of(scene));
    for (const auto& [old, changed] : std::initializer_list<std::pair<const char*, const char*>>{
             {"1.5", "1.25"}, {"-1.1", "-1.2"}, {"value: 0.4", "value: 0.5"}, {"0.3", "0.35"}}) {
        std::string other = everything;
        other.replace(other.find(old), std::string(old).size(), changed);
        CHECK(identity_of(scene_from(other)) != identity_of(scene));
    }
}

TEST_CASE("Tables over controls are read as written, and written and read again to the same bits")
{
    const std::string text =
        flyer +
        "controls: [{name: flap, limits: [0, 40 deg], value: 10 deg}, {name: spoiler, value: 0}]\n"
        "aerodynamics: [{body: flyer, area: 2, lift: {table: {alpha: [0, 0.1], controls: "
        "{spoiler: [-1, 0, 1], flap: [0, 40 deg]}, values: [[[1, 2], [3, 4], [5, 6]], [[7, 8], "
        "[9, 10], [11, 12]]], beyond: refuse}}}]\n";
    const Scene scene = scene_from(text);
    const Coefficient& lift = scene.model->aerodynamics()[0].lift;
    using Over = Coefficient::Over;
    CHECK(lift.over == std::vector{Over::alpha, Over::control, Over::control});
    CHECK(lift.over_controls == std::vector{1, 0});
    CHECK(near(lift.table.axes[2][1], 40 * two_pi / 360, 1e-15));
    CHECK(lift.table.values[8] == 9);
    const std::string written = write_scene(scene);
    const Scene again = scene_from(written);
    CHECK(write_scene(again) == written);
    CHECK(identity_of(again) == identity_of(scene));
    const auto refused = [&](const std::string& old, const std::string& changed, const char* what) {
        std::string other = text;
        other.replace(other.find(old), old.size(), changed);
        is_refused(other, "f:", what);
    };
    refused("spoiler: [", "slat: [", "there is no control 'slat'");
    refused("{spoiler: [-1, 0, 1], flap: [0, 40 deg]}", "[flap]", "map from controls");
    refused("spoiler: [-1, 0, 1]", "spoiler: [-1, 1, 0]", "increas");
    refused("alpha: [0, 0.1]", "alpha: [0, 0.1], mach: [0, 1], beta: [0, 1]", "values");
}

TEST_CASE("Controls are in every frame of files, as signals, and in columns")
{
    const RecordFolder folder("controls");
    const std::string text =
        everything + "run: {until: 2, step: 0.125, integrator: runge_kutta4}\n";
    record(folder.path / "run.h5", text);
    const TrajectoryReader run = opened(folder.path / "run.h5");
    CHECK(run.head().controls == std::vector<std::string>{"elevator", "throttle"});
    CHECK(run.head().layout_minor == layout_minor);
    const auto value = series_of(run, "controls/value");
    REQUIRE(value.size() == 34);
    const double lowest = -5 * two_pi / 360;
    for (std::size_t frame = 0; frame < 17; ++frame) {
        CHECK(near(value[2 * frame],
                   lowest * std::min(1.0, 0.125 * static_cast<double>(frame) / 1.5), 1e-14, 1));
        CHECK(value[2 * frame + 1] == 0.4);
    }
    const RunSignals signals(run);
    const auto chosen = signals.named({"elevator / setting", "throttle / setting"});
    REQUIRE(chosen);
    CHECK(!signals.write_csv(*chosen, folder.path / "chosen.csv").any());
    const auto lines_of = [](const std::filesystem::path& file) {
        std::ifstream in(file);
        std::vector<std::string> lines;
        for (std::string line; std::getline(in, line);)
            lines.push_back(line);
        return lines;
    };
    const auto exported = lines_of(folder.path / "chosen.csv");
    REQUIRE(exported.size() == 18);
    CHECK(exported[1] == "0.0,0.0,0.4");
    record(folder.path / "run.csv", text);
    const auto written = lines_of(folder.path / "run.csv");
    REQUIRE(written.size() == 18);
    CHECK(written[0].find(",elevator.setting,throttle.setting") != std::string::npos);
    CHECK(written[1].substr(written[1].size() - 8) == ",0.0,0.4");
}

TEST_CASE("An input is held to the controls there are and to their limits")
{
    const Scene scene = scene_from(everything + "run: {until: 2, step: 0.125}\n");
    const auto told = [&](int control, double value) {
        Input input;
        input.controls = {{control, value}};
        const auto run = Simulation::start(scene.model, scene.run, input);
        return run ? "" : run.problems().text();
    };
    CHECK(told(1, 0.5) == "");
    CHECK(told(2, 0).find("sets control 2, and the model has those from 0 to 1") !=
          std::string::npos);
    CHECK(told(-1, 0).find("sets control -1") != std::string::npos);
    CHECK(told(0, 0.4).find("'elevator' to 0.4, outside its limits") != std::string::npos);
    CHECK(told(1, std::nan("")).find("'throttle'") != std::string::npos);
    auto run = Simulation::start(scene.model, scene.run);
    REQUIRE(run);
    REQUIRE(!run->step());
    Input input;
    input.controls = {{7, 0.0}};
    run->set_input(input);
    const auto ended = run->step();
    REQUIRE(ended);
    CHECK(ended->find("step 2: the input sets control 7") != std::string::npos);
    CHECK(run->state().step == 1); // the last good one
}

TEST_CASE("Controls that cannot be are refused where they are written, with the remedy")
{
    is_refused(with("{value: 0}"), "f:3:12", "name");
    is_refused(with("{name: elevator}"), "f:3:12", "needs a value, or a schedule");
    is_refused(with("{name: elevator, value: 0, schedule: {time: [0], value: [0]}}"), "f:3:12",
               "needs a value, or a schedule");
    is_refused(with("{name: elevator, value: 0, limits: 3}"), "f:3:47", "[lower, upper]");
    is_refused(with("{name: elevator, value: 0, limits: [1, -1]}"), "f:3:47", "exchange them");
    is_refused(with("{name: elevator, value: 0.5, limits: [-1 deg, 1 deg]}"), "f:3:36",
               "is 0.5 at t = 0 s, outside its limits");
    is_refused(with("{name: elevator, schedule: {time: [0, 1]}}"), "f:3:", "value");
    is_refused(with("{name: elevator, schedule: {time: [0, 1], value: [1]}}"), "f:3:39",
               "one value at each of its 2 times");
    is_refused(with("{name: elevator, schedule: {time: [1, 0], value: [1, 2]}}"), "f:3:39",
               "must increase, 0 follows 1");
    is_refused(with("{name: elevator, schedule: {time: [], value: []}}"),
               "f:3:", "list of numbers");
    is_refused(with("{name: elevator, value: 0, trim: 1}"), "f:3:", "trim");
    is_refused(with("{name: elevator, value: 0}, {name: flap, value: 0}"),
               "f:3:", "nothing follows it");
    is_refused(flyer + followed, "f:3:", "there is no control 'elevator'");
    is_refused(with("{name: elevater, value: 0}"), "f:", "did you mean 'elevater'");
    is_refused(with("{name: elevator, value: 0}") +
                   "loads: [{body: flyer, force: [1, 0, 0], control: throttle}]\n",
               "f:5:", "there is no control 'throttle'");
}
