// SPDX-License-Identifier: MIT
// What does it cost to look for hits between the steps?
//
// Balls in a box of half-spaces, without gravity, at speeds from a hundredth of a radius to four
// radii in a step. Prints the time of a step with hits looked for and without, their ratio, how
// many steps of a thousand were taken in parts, and how many balls each has lost: those that are
// outside of the box at the end. Exits with 1 if any was lost while hits were looked for.
//
// usage: bench_between_steps [BALLS RADII_PER_STEP LOOKS STEPS]
//
// With arguments it takes so many steps, looking (1) or not (0), and measures nothing: for
// `valgrind --tool=callgrind`, which counts instructions. The difference of two runs is that of
// their steps.

#include "measure.hpp"
#include "poinsot/mass/solids.hpp"
#include "poinsot/model/builder.hpp"
#include "poinsot/step/simulate.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace poinsot;

namespace {

constexpr double radius = 0.05, h = 1e-3;

struct Room {
    std::shared_ptr<const Model> model;
    double half;

    Room(int count, double speed) : half(0.11 * std::cbrt(static_cast<double>(count)))
    {
        Builder builder;
        Material elastic;
        elastic.name = "elastic";
        elastic.law.restitution = 1;
        builder.add(elastic);
        using V = Vec3<double>;
        const auto skin = [&](const std::string& name, int body, const Result<Collider>& collider,
                              const Pose<double>& pose) {
            Skin made;
            made.name = name;
            made.body = body;
            made.collider = *collider;
            made.pose = pose;
            builder.add(made);
        };
        const double quarter = std::acos(0.0);
        const std::pair<V, V> walls[] = {
            {{0, 0, -1}, {0, 0, 0}},        {{0, 0, 1}, {2 * quarter, 0, 0}},
            {{-1, 0, 0}, {0, quarter, 0}},  {{1, 0, 0}, {0, -quarter, 0}},
            {{0, -1, 0}, {-quarter, 0, 0}}, {{0, 1, 0}, {quarter, 0, 0}}};
        int wall = 0;
        for (const auto& [at, turn] : walls)
            skin("wall " + std::to_string(wall++), world, half_space(),
                 {half * at, exp_quat(turn)});
        std::uint64_t s = 1;
        const auto random = [&s] {
            s = s * 6364136223846793005ull + 1442695040888963407ull;
            return static_cast<double>(s >> 11) * 0x1p-52 - 1;
        };
        const int side = static_cast<int>(std::ceil(std::cbrt(static_cast<double>(count))));
        const double pitch = 2 * (half - radius) / side;
        for (int i = 0; i < count; ++i) {
            Body ball;
            ball.name = "ball " + std::to_string(i);
            ball.shape = Ball{radius};
            const double I = 0.4 * radius * radius;
            ball.mass_properties = {1, zero3<double>(), diagonal(I, I, I)};
            const auto place = [&](int k) { return (k + 0.5) * pitch - (half - radius); };
            ball.pose = {{place(i % side), place(i / side % side), place(i / side / side)},
                         identity_quat<double>()};
            const V way{random(), random(), random()};
            ball.velocity = (speed / norm(way)) * way;
            skin(ball.name, builder.add(ball), collider_of(Ball{radius}), identity_pose<double>());
        }
        model = std::make_shared<const Model>(*builder.build());
    }
    int lost(const Simulation& run) const
    {
        int count = 0;
        for (const PlacedBody& ball : run.placed().bodies)
            count += std::max({std::abs(ball.x.x), std::abs(ball.x.y), std::abs(ball.x.z)}) > half;
        return count;
    }
};

} // namespace

int main(int argc, char** argv)
{
    if (argc == 5) {
        const Room room(std::atoi(argv[1]), std::atof(argv[2]) * radius / h);
        RunSettings settings;
        settings.step.h = h;
        settings.step.method = Method::impulsive;
        settings.step.contact.continuous = std::atoi(argv[3]) != 0;
        settings.until = std::atoi(argv[4]) * h;
        auto run = Simulation::start(room.model, settings);
        while (!run->done())
            if (const auto failure = run->step()) {
                std::printf("%s\n", failure->c_str());
                return 1;
            }
        return 0;
    }
    std::printf("balls,radii_per_step,microseconds_looking,microseconds_not_looking,ratio,"
                "divided_of_1000,lost_looking,lost_not_looking\n");
    bool kept = true;
    for (const int count : {27, 216})
        for (const double radii : {0.01, 0.1, 1.0, 4.0}) {
            const Room room(count, radii * radius / h);
            const int steps = count > 100 ? 20 : 100;
            int lost[2] = {0, 0};
            double divided = 0;
            const auto measure = [&](bool looks) {
                return [&, looks] {
                    RunSettings settings;
                    settings.step.h = h;
                    settings.step.method = Method::impulsive;
                    settings.step.contact.continuous = looks;
                    settings.until = steps * h;
                    auto run = Simulation::start(room.model, settings);
                    while (!run->done())
                        if (const auto failure = run->step()) {
                            std::printf("%s\n", failure->c_str());
                            return;
                        }
                    lost[looks ? 0 : 1] = room.lost(*run);
                    if (looks)
                        divided =
                            1000.0 * static_cast<double>(run->contact_quality().divided) / steps;
                };
            };
            const auto took = least_in_turns(3, measure(true), measure(false));
            std::printf("%d,%g,%.1f,%.1f,%.2f,%.0f,%d,%d\n", count, radii, 1e6 * took[0] / steps,
                        1e6 * took[1] / steps, took[0] / took[1], divided, lost[0], lost[1]);
            std::fflush(stdout);
            kept = kept && lost[0] == 0;
        }
    return kept ? 0 : 1;
}
