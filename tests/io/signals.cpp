// SPDX-License-Identifier: MIT
#include "poinsot/io/signals.hpp"

#include "recorded.hpp"

#include <sstream>

using namespace poinsot;

namespace {

constexpr const char* swinging = R"(title: Swinging
bodies:
  - {name: "rod, long", box: [1, 0.1, 0.1], mass: 2, position: [0.5, 0, 0]}
particles:
  - {name: bob, mass: 1, position: [0, 0, 3], velocity: [1, 0, 0]}
joints:
  - {name: hinge, type: revolute, bodies: [world, "rod, long"], at: [0, 0, 0], axis: [0, 0, 1]}
gravity: [0, -9.81, 0]
run: {until: 1, step: 0.0625}
)";

} // namespace

TEST_CASE("Chosen signals are written as they were recorded, to the bit")
{
    const RecordFolder folder("signals");
    record(folder.path / "a.h5", swinging);
    const TrajectoryReader run = opened(folder.path / "a.h5");
    const RunSignals signals(run);
    const auto chosen = signals.chosen({"bob / position x, hinge / angle,energy / total",
                                        "rod, long / velocity size", "hinge / reaction force y",
                                        "bob / gravity force y"});
    REQUIRE_MESSAGE(chosen, (chosen ? "" : chosen.problems().text()));
    REQUIRE(chosen->size() == 6);
    const Problems wrong = signals.write_csv(*chosen, folder.path / "a.csv");
    REQUIRE_MESSAGE(!wrong.any(), wrong.text());
    std::istringstream in(contents(folder.path / "a.csv"));
    std::string line;
    std::getline(in, line);
    CHECK(line == "time [s],bob / position x [m],hinge / angle [rad],energy / total [J],"
                  "\"rod, long / velocity size [m/s]\",hinge / reaction force y [N],"
                  "bob / gravity force y [N]");
    const auto x = series_of(run, "bodies/position"), v = series_of(run, "bodies/velocity"),
               T = series_of(run, "ledger/kinetic_energy"),
               V = series_of(run, "ledger/gravity_store"),
               R = series_of(run, "joints/reaction_force");
    for (std::size_t i = 0; i < 17; ++i) {
        REQUIRE(std::getline(in, line));
        std::vector<double> row;
        std::istringstream numbers(line);
        for (std::string number; std::getline(numbers, number, ',');)
            row.push_back(std::stod(number));
        REQUIRE(row.size() == 7);
        CHECK(row[0] == run.head().time[i]);
        CHECK(row[1] == x[6 * i + 3]);
        CHECK(near(row[2], std::atan2(x[6 * i + 1], x[6 * i]), 1e-12, 1)); // it hangs at 0
        CHECK(near(row[3], T[i] + V[i], 1e-15, 20));
        CHECK(row[4] == norm(vec_from(v, 2 * i)));
        CHECK(row[5] == R[3 * i + 1]);
        CHECK(row[6] == -9.81);
    }
    CHECK(!std::getline(in, line));
}

TEST_CASE("Contact by pair: what presses and what rubs is the sum over the points of two surfaces")
{
    // A block of 2 kg stands on ground that rises by 0.5 along x: it slides, mu = 0.3 < 0.5.
    const double rise = std::atan(0.5);
    const RecordFolder folder("signals_pairs");
    record(folder.path / "a.h5",
           text_of("gravity: [", -10 * std::sin(rise), ", 0, ", -10 * std::cos(rise), "]\n",
                   "bodies: [{name: block, box: [1, 1, 0.2], mass: 2, position: [0, 0, 0.1]}]\n"
                   "materials: [{name: m, friction: 0.3}]\n"
                   "surfaces: [{name: ground, half_space: true}]\n"
                   "contact: {material: m}\nrun: {until: 0.1, step: 0.01}\n"));
    const TrajectoryReader run = opened(folder.path / "a.h5");
    const RunSignals signals(run);
    const auto chosen =
        signals.chosen({"block and ground / normal force", "block and ground / friction force"});
    REQUIRE_MESSAGE(chosen, (chosen ? "" : chosen.problems().text()));
    REQUIRE(!signals.write_csv(*chosen, folder.path / "a.csv").any());
    std::istringstream in(contents(folder.path / "a.csv"));
    std::string line, last;
    while (std::getline(in, line))
        last = line;
    double t = 0, normal = 0, friction = 0;
    char comma = 0;
    std::istringstream(last) >> t >> comma >> normal >> comma >> friction;
    CHECK(near(normal, 20 * std::cos(rise), 1e-9)); // contact is solved to 1e-10
    CHECK(near(friction, 0.3 * 20 * std::cos(rise), 1e-9));
}

TEST_CASE("An unknown signal is refused with the nearest name, and nothing is written")
{
    const RecordFolder folder("signals_unknown");
    record(folder.path / "a.h5", swinging);
    const TrajectoryReader run = opened(folder.path / "a.h5");
    const RunSignals signals(run);
    const auto wrong = signals.chosen({"hinge / angel,bob / position x,nonsense"});
    REQUIRE(!wrong);
    CHECK(wrong.problems().list().size() == 2);
    CHECK(has_words(wrong.problems().text(),
                    "no signal 'hinge / angel'; did you mean 'hinge / angle'?"));
    CHECK(has_words(wrong.problems().text(), "no signal 'nonsense' `poinsot export"));
    CHECK(signals.write_csv({0}, folder.path / "none" / "a.csv").any());
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& one : std::filesystem::directory_iterator(folder.path))
        ++files;
    CHECK(files == 1);
}
