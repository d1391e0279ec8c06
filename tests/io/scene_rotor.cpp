// SPDX-License-Identifier: MIT
// Rotors in scene files, checkpoints and trajectories.

#include "resumed.hpp"

#include <unistd.h>

using namespace poinsot;

namespace {

using V3 = Vec3<double>;

const std::string hull = "bodies: [{name: hull, mass: 2, inertia: [1, 1.2, 1.4], "
                         "angular_velocity: [0.3, 1, -0.2]}]\n";
std::string spinning(const std::string& keys)
{
    return hull + "rotors: [{body: hull, axis: [0, 0, 1], " + keys + "}]\n";
}
const std::string everything =
    hull + "rotors:\n"
           "  - {name: wheel, body: hull, axis: [0, 3, 4], inertia: 0.02, spin: 100, "
           "torque: {value: 0.1, rate: 0.2, amplitude: 0.3, frequency: 0.4, phase: 0.5}, "
           "from: 0.25, until: 3}\n"
           "  - {body: hull, axis: [1, 0, 0], inertia: 0.01, speed: {value: 90 deg, rate: 2}}\n"
           "  - {body: hull, axis: [1, 0, 0], inertia: 0.01, torque: -0.05}\n";

struct TemporaryFile {
    std::filesystem::path path = std::filesystem::temp_directory_path() /
                                 ("poinsot_rotor_" + std::to_string(::getpid()) + ".json");
    ~TemporaryFile() { std::filesystem::remove(path); }
};

} // namespace

TEST_CASE("Rotors are read as written, and written and read again to the same bits")
{
    const Scene scene = scene_from(everything);
    REQUIRE(scene.model->rotors().size() == 3);
    const Rotor& wheel = scene.model->rotors()[0];
    CHECK(wheel.name == "wheel");
    CHECK(wheel.body == 0);
    CHECK(norm(wheel.axis - V3{0, 0.6, 0.8}) < 1e-15);
    CHECK(wheel.inertia == 0.02);
    CHECK(wheel.spin == 100);
    CHECK(wheel.torque.value == 0.1);
    CHECK(wheel.torque.phase == 0.5);
    CHECK(wheel.from == 0.25);
    CHECK(wheel.until == 3);
    CHECK(!wheel.prescribed());
    const Rotor& kept = scene.model->rotors()[1];
    REQUIRE(kept.prescribed());
    CHECK(near(kept.speed->value, two_pi / 4, 1e-15));
    CHECK(kept.speed->rate == 2);
    CHECK(scene.model->rotors()[2].torque.value == -0.05);
    CHECK(scene.model->rotors()[2].from == 0);

    const std::string written = write_scene(scene);
    const Scene again = scene_from(written);
    CHECK(write_scene(again) == written);
    CHECK(identity_of(again) == identity_of(scene));
    for (const auto& [old, changed] : std::initializer_list<std::pair<const char*, const char*>>{
             {"spin: 100", "spin: 101"},
             {"until: 3", "until: 4"},
             {"rate: 2}", "rate: 1}"},
             {"torque: -0.05", "torque: -0.06"}}) {
        std::string other = everything;
        other.replace(other.find(old), std::string(old).size(), changed);
        CHECK(identity_of(scene_from(other)) != identity_of(scene));
    }
}

TEST_CASE("Rotors that cannot be are refused where they are written")
{
    is_refused(hull + "rotors: [{axis: [0, 0, 1], inertia: 1}]\n", "f:2:10", "body");
    is_refused(hull + "rotors: [{body: hull, inertia: 0.1}]\n", "f:2:10", "axis");
    is_refused(hull + "rotors: [{body: hull, axis: [0, 0, 1]}]\n", "f:2:10", "inertia");
    is_refused(hull + "rotors: [{body: hill, axis: [0, 0, 1], inertia: 9}]\n", "f:2:17", "hill");
    is_refused(spinning("inertia: 0.1, sping: 1"), "f:2:54", "sping");
    is_refused(spinning("inertia: -0.1"), "f:2:49", "inertia must be finite and positive");
    is_refused(spinning("inertia: 1.4"), "f:2:49", "part of it");
    is_refused(spinning("inertia: 0.1, until: 3"), "f:2:61",
               "when a torque acts, and there is none");
    is_refused(spinning("inertia: 0.1, torque: 1, from: 3, until: 2"), "f:2:71", "begin before");
    is_refused(spinning("inertia: 0.1, torque: 1, speed: 3"), "f:2:62", "leave torque out");
    is_refused(spinning("inertia: 0.1, spin: 1, speed: 3"), "f:2:60", "leave spin out");
    is_refused("particles: [{name: dust, mass: 1}]\n"
               "rotors: [{body: dust, axis: [0, 0, 1], inertia: 1}]\n",
               "f:2:17", "a particle has no attitude");
}

TEST_CASE("A run with rotors that is stopped and resumed has the bits of the unbroken one")
{
    const TemporaryFile file;
    for (const char* settings :
         {"integrator: splitting", "integrator: runge_kutta4, state_form: velocity",
          "integrator: adaptive", "integrator: gauss, formulation: reduced",
          "integrator: midpoint, formulation: reduced"}) {
        INFO(settings);
        const Scene scene =
            scene_from(everything + "run: {until: 1, step: 0.01, " + settings + "}\n");
        const auto [whole, second] = resumed_after(37, scene, file.path);
        CHECK(second.ledger().books().closing_stores.rotor ==
              whole.ledger().books().closing_stores.rotor);

        Checkpoint wrong = whole.checkpoint();
        wrong.state.rotors.pop_back();
        is_refused(wrong, scene, file.path, "another number of rotors");
    }
}

TEST_CASE("A trajectory has the momenta and spins of rotors in every frame")
{
    const RecordFolder folder("rotors");
    const auto file = folder.path / "run.h5";
    record(file, spinning("inertia: 0.1, spin: 20, torque: 0.5") +
                     "run: {until: 1, step: 0.01, integrator: runge_kutta4}\n");
    const TrajectoryReader run = opened(file);
    const auto momentum = series_of(run, "rotors/momentum"), spin = series_of(run, "rotors/spin");
    const auto omega = series_of(run, "bodies/angular_velocity");
    const auto q = series_of(run, "bodies/orientation");
    REQUIRE(momentum.size() == 101);
    for (const std::size_t frame : {0u, 50u, 100u}) {
        const double t = 0.01 * static_cast<double>(frame);
        CHECK(near(momentum[frame], 0.1 * (20 - 0.2) + 0.5 * t, 1e-13));
        const Quat<double> at{q[4 * frame], q[4 * frame + 1], q[4 * frame + 2], q[4 * frame + 3]};
        const double along = dot(rotate(at, V3{0, 0, 1}), vec_from(omega, frame));
        CHECK(near(spin[frame], momentum[frame] / 0.1 - along, 1e-13));
    }
}
