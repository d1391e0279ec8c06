// SPDX-License-Identifier: MIT
// Controls in scene files: every key, written back, and what is refused.

#include "refused.hpp"

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
