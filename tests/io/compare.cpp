// SPDX-License-Identifier: MIT
#include "poinsot/io/compare.hpp"

#include "recorded.hpp"

using namespace poinsot;

namespace {

std::string thrown(double step, const std::string& more = "")
{
    return text_of(R"(title: Thrown
bodies:
  - {name: wheel, box: [1, 1, 1], mass: 2, velocity: [1, 2, 3], angular_velocity: [0, 3, 0]}
particles:
  - {name: stone, mass: 1, position: [0, 0, 3], velocity: [1, 0, 0]}
gravity: [0, 0, -9.81]
)",
                   more, "run: {until: 1, step: ", step, "}\n");
}

Comparison compared(const std::filesystem::path& a, const std::filesystem::path& b,
                    const CompareOptions& options = {})
{
    const TrajectoryReader first = opened(a), second = opened(b);
    auto made = compare_runs(first, second, options);
    if (!made)
        FAIL(made.problems().text());
    return std::move(*made);
}
std::string refused(const std::filesystem::path& a, const std::filesystem::path& b)
{
    const TrajectoryReader first = opened(a), second = opened(b);
    const auto made = compare_runs(first, second);
    return made ? "" : made.problems().text();
}

} // namespace

TEST_CASE("A run agrees with itself in every bit")
{
    const RecordFolder folder("compare_same");
    record(folder.path / "a.h5", thrown(0.01));
    const Comparison made = compared(folder.path / "a.h5", folder.path / "a.h5", {0.0});
    CHECK(made.bodies == std::vector<std::string>{"wheel", "stone"});
    CHECK(made.times == 101);
    CHECK(!made.interpolated);
    CHECK(made.with_stores);
    CHECK(!made.parting);
    for (const Difference* d : {&made.differences.position, &made.differences.attitude,
                                &made.differences.velocity, &made.differences.angular_velocity,
                                &made.differences.energy, &made.differences.p, &made.differences.L})
        CHECK(d->largest == 0);
}

TEST_CASE("Parabolas and uniform spin are the same at any frames: cubics hold them exactly")
{
    const RecordFolder folder("compare_grids");
    record(folder.path / "a.h5", thrown(0.01));
    record(folder.path / "b.h5", thrown(0.0625)); // 0.01 s and 1/16 s meet at few times
    const Comparison made = compared(folder.path / "a.h5", folder.path / "b.h5", {1e-11});
    CHECK(made.interpolated);
    CHECK(made.times_of_second); // which has fewer frames
    CHECK(made.times == 17);
    CHECK(made.from == 0);
    CHECK(made.until == 1);
    if (made.parting)
        FAIL(made.parting->quantity << " at " << made.parting->time);
    CHECK(made.differences.position.largest < 1e-12 * 10);
    CHECK(made.differences.attitude.largest < 1e-12);
}

TEST_CASE("Interpolation is off by the fourth power of the distance of frames")
{
    const RecordFolder folder("compare_order");
    const char* text = R"(bodies:
  - {name: nut, mass: 1, inertia: [1, 2, 3], angular_velocity: [1, 2, 0.5]}
particles:
  - {name: bob, mass: 1, position: [2, 0, 0], velocity: [0, 2.5, 0]}
springs:
  - {name: rubber, from: {world: [0, 0, 0]}, to: bob, stiffness: 4, rest_length: 1}
run:
  until: 6.4
  step: 0.01
  integrator: adaptive
  tolerance: {relative: 1.0e-12, absolute: 1.0e-12}
)";
    // Frames of one motion at 0, 0.16, 0.32 … and at 0, 0.1, 0.2 …, then twice as many.
    std::array<Comparison, 2> made;
    for (std::size_t i = 0; i < 2; ++i) {
        record(folder.path / "few.h5", text, Formulation::maximal, i == 0 ? 16 : 8);
        record(folder.path / "more.h5", text, Formulation::maximal, i == 0 ? 10 : 5);
        made[i] = compared(folder.path / "few.h5", folder.path / "more.h5", {1e-11});
        CHECK(made[i].interpolated);
        CHECK(!made[i].times_of_second);
        if (made[i].parting) // what interpolation alone does is no reason
            FAIL(made[i].parting->quantity << " at " << made[i].parting->time);
    }
    const auto order = [&](Difference Differences::*of) {
        return std::log2((made[0].differences.*of).largest / (made[1].differences.*of).largest);
    };
    for (auto of : {&Differences::position, &Differences::attitude, &Differences::velocity,
                    &Differences::angular_velocity}) {
        INFO((made[1].differences.*of).largest);
        CHECK(order(of) > 3.5);
        CHECK(order(of) < 4.7);
    }
    // The estimate is of the size of the error.
    CHECK(made[1].interpolation.position < 8 * made[1].differences.position.largest);
    CHECK(made[1].interpolation.attitude < 8 * made[1].differences.attitude.largest);
    CHECK(made[1].interpolation.velocity < 8 * made[1].differences.velocity.largest);
}

TEST_CASE("Where two runs part is said: when, which body, by what")
{
    const RecordFolder folder("compare_part");
    record(folder.path / "a.h5", thrown(0.01));
    record(folder.path / "b.h5",
           thrown(0.01, "loads:\n  - {name: push, body: stone, force: [0, 1, 0], "
                        "from: 0.5}\n"));
    const Comparison made = compared(folder.path / "a.h5", folder.path / "b.h5");
    REQUIRE(made.parting);
    CHECK(made.parting->body == "stone");
    CHECK(near(made.parting->time, 0.51, 1e-12)); // the first frame after the push begins
    CHECK(made.parting->step == 51);
    CHECK(made.parting->difference > made.parting->allowed);
    // F = 1 N on 1 kg for half a second.
    CHECK(near(made.differences.position.largest, 0.125, 1e-9));
    CHECK(near(made.differences.velocity.largest, 0.5, 1e-9));
    CHECK(near(made.differences.p.largest, 0.5, 1e-9));
    CHECK(made.differences.position.body == 1);
    CHECK(made.differences.position.time == 1);
    CHECK(!compared(folder.path / "a.h5", folder.path / "b.h5", {1.0}).parting);
}

TEST_CASE("Only what both runs have is compared, and nothing in common is refused by name")
{
    const RecordFolder folder("compare_common");
    record(folder.path / "a.h5", thrown(0.01));
    record(folder.path / "b.h5",
           "particles:\n"
           "  - {name: other, mass: 1}\n"
           "  - {name: stone, mass: 1, position: [0, 0, 3], velocity: [1, 0, 0]}\n"
           "gravity: [0, 0, -9.81]\nrun: {until: 0.5, step: 0.01}\n");
    const Comparison made = compared(folder.path / "a.h5", folder.path / "b.h5");
    CHECK(made.bodies == std::vector<std::string>{"stone"});
    CHECK(made.only_first == std::vector<std::string>{"wheel"});
    CHECK(made.only_second == std::vector<std::string>{"other"});
    CHECK(made.times == 51);
    CHECK(made.until == 0.5);
    CHECK(!made.with_stores);
    CHECK(!made.parting);
    record(folder.path / "c.h5", "particles: [{name: stranger, mass: 1}]\n"
                                 "run: {until: 0.5, step: 0.01}\n");
    CHECK(has_words(refused(folder.path / "a.h5", folder.path / "c.h5"), "no body in common"));
}
