// SPDX-License-Identifier: MIT
// Controls in scene files: every key, written back, and what is refused.

#include "poinsot/io/scene.hpp"

#include "near.hpp"

using namespace poinsot;

namespace {

// Controls begin on line 3.
const std::string flyer = "bodies: [{name: flyer, mass: 1, inertia: [1, 1, 1]}]\n"
                          "air: standard\n";
const std::string followed = "aerodynamics: [{body: flyer, area: 2, chord: 1, pitch: {alpha: -1, "
                             "controls: {elevator: -1.1}}}]\n";

Scene scene_of_text(const std::string& text)
{
    auto scene = read_scene_text(text, "test.yaml");
    REQUIRE_MESSAGE(scene, (scene ? "" : scene.problems().text()));
    return std::move(*scene);
}
void not_taken(const std::string& text, const std::string& place, const std::string& words)
{
    const auto scene = read_scene_text(text, "f");
    std::string told = "nothing";
    if (!scene) {
        const auto& list = scene.problems().list();
        told = list.size() == 1 ? list[0].place + ": " + list[0].what : scene.problems().text();
    }
    CHECK_MESSAGE((told.starts_with(place) && told.find(words) != std::string::npos), told,
                  " should be at ", place, " and say: ", words);
}
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
    const Scene scene = scene_of_text(everything);
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
    const Scene again = scene_of_text(written);
    CHECK(write_scene(again) == written);
    CHECK(identity_of(again) == identity_of(scene));
    for (const auto& [old, changed] : std::initializer_list<std::pair<const char*, const char*>>{
             {"1.5", "1.25"}, {"-1.1", "-1.2"}, {"value: 0.4", "value: 0.5"}, {"0.3", "0.35"}}) {
        std::string other = everything;
        other.replace(other.find(old), std::string(old).size(), changed);
        CHECK(identity_of(scene_of_text(other)) != identity_of(scene));
    }
}

TEST_CASE("Controls that cannot be are refused where they are written, with the remedy")
{
    not_taken(with("{value: 0}"), "f:3:12", "name");
    not_taken(with("{name: elevator}"), "f:3:12", "needs a value, or a schedule");
    not_taken(with("{name: elevator, value: 0, schedule: {time: [0], value: [0]}}"), "f:3:12",
              "needs a value, or a schedule");
    not_taken(with("{name: elevator, value: 0, limits: 3}"), "f:3:47", "[lower, upper]");
    not_taken(with("{name: elevator, value: 0, limits: [1, -1]}"), "f:3:47", "exchange them");
    not_taken(with("{name: elevator, value: 0.5, limits: [-1 deg, 1 deg]}"), "f:3:36",
              "is 0.5 at t = 0 s, outside its limits");
    not_taken(with("{name: elevator, schedule: {time: [0, 1]}}"), "f:3:", "value");
    not_taken(with("{name: elevator, schedule: {time: [0, 1], value: [1]}}"), "f:3:39",
              "one value at each of its 2 times");
    not_taken(with("{name: elevator, schedule: {time: [1, 0], value: [1, 2]}}"), "f:3:39",
              "must increase, 0 follows 1");
    not_taken(with("{name: elevator, schedule: {time: [], value: []}}"), "f:3:", "list of numbers");
    not_taken(with("{name: elevator, value: 0, trim: 1}"), "f:3:", "trim");
    not_taken(with("{name: elevator, value: 0}, {name: flap, value: 0}"),
              "f:3:", "nothing follows it");
    not_taken(flyer + followed, "f:3:", "there is no control 'elevator'");
    not_taken(with("{name: elevater, value: 0}"), "f:", "did you mean 'elevater'");
    not_taken(with("{name: elevator, value: 0}") +
                  "loads: [{body: flyer, force: [1, 0, 0], control: throttle}]\n",
              "f:5:", "there is no control 'throttle'");
}
