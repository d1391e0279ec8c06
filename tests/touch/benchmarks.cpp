// SPDX-License-Identifier: MIT
// Problems that others have published with their errors: SimBenchmark, Siconos.
#include "poinsot/step/impulsive.hpp"

#include "touching.hpp"

using namespace poinsot;

TEST_CASE("SimBenchmark, bouncing: energy of elastic balls stays")
{
    TouchingWorld w(0, 1);
    w.ground();
    for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 7; ++j)
            w.ball(text_of("ball ", i, j), 0.1, 10, {2.0 * i, 2.0 * j, 5});
    const std::clock_t clock = std::clock();
    Simulation run = w.start(1e-3, 20);
    const double begin = energy_of(run);
    double sum = 0;
    while (!run.done()) {
        take_step(run);
        const double off = energy_of(run) - begin;
        sum += off * off;
    }
    measured({{"table", "contact"},
              {"case", "bouncing"},
              {"error", sum / 20000},
              {"seconds", static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC}});
    CHECK(sum / 20000 < 1e-12);
}

TEST_SUITE("slow")
{
    TEST_CASE("SimBenchmark, rolling: twenty-five balls on a box that is pulled, in any direction")
    {
        const auto c = reference_items("contact_closed_forms.json").at("simbenchmark_rolling");
        const double angles[] = {M_PI / 3, M_PI / 2};
        for (const double angle : angles) {
            TouchingWorld w(0.4);
            Material ball;
            ball.name = "ball";
            ball.law.friction = ball.law.static_friction = 0.8;
            const int of_balls = w.builder.add(ball);
            w.builder.material_pairs.push_back({0, of_balls, {0.8, 0.8, 0, 0, 0}});
            w.ground();
            const int box = w.box("box", {20, 20, 1}, 10, {{0, 0, 0.5}, identity_quat<double>()});
            for (int i = -2; i <= 2; ++i)
                for (int j = -2; j <= 2; ++j) {
                    w.ball(text_of("ball ", i, " ", j), 0.5, 1, {2.0 * i, 2.0 * j, 1.5});
                    w.builder.skins.back().material = of_balls;
                }
            AppliedLoad pull;
            pull.name = "pull";
            pull.body = box;
            pull.force = V3{150 * std::cos(angle), 150 * std::sin(angle), 0};
            w.builder.loads.push_back(pull);
            const std::clock_t clock = std::clock();
            Simulation run = w.start(1e-3, 4);
            const V3 along = normalised(pull.force);
            double sum = 0;
            while (!run.done()) {
                take_step(run);
                const Placed at = run.placed();
                const V3 of_box = c.at("box_accel").get<double>() * run.time() * along;
                const V3 of_ball = c.at("ball_accel").get<double>() * run.time() * along;
                const V3 off_box = at.bodies[0].v - of_box, off_ball = at.bodies[13].v - of_ball;
                sum += dot(off_box, off_box) + dot(off_ball, off_ball);
            }
            run.close_books();
            const double error = sum / 4000;
            measured({{"table", "contact"},
                      {"case", angle < M_PI / 2 ? "rolling, 60°" : "rolling, 90°"},
                      {"error", error},
                      {"seconds", static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC}});
            CHECK(error < 1e-8);
            CHECK(run.ledger().balanced());
        }
    }
}

TEST_CASE("Siconos' bouncing ball: the same steps by Moreau's law")
{
    const auto file = outside("siconos_bouncing_ball_moreau_jean.json");
    if (!file)
        SKIP_TEST("the outcome of Siconos is not beside the checkout");
    const auto rows = read_json(*file).at("items").at("rows");
    TouchingWorld w(0, 0.9);
    w.ground();
    w.ball("ball", 0.1, 1, {0, 0, 1.1});
    w.stabilisation = Stabilisation::none; // Siconos leaves what overlaps where it is
    ContactSettings contact;
    contact.law = ImpactLaw::moreau;
    contact.ahead = false; // and goes on hopping
    Simulation run = w.start(0.005, 10, contact);
    double far = 0;
    for (const auto& row : rows) {
        const double t = row.at(0);
        while (run.time() < t - 1e-9)
            take_step(run);
        const PlacedBody ball = run.placed().bodies[0];
        const double off = std::max(std::abs(ball.x.z - 0.1 - row.at(1).get<double>()),
                                    std::abs(ball.v.z - row.at(2).get<double>()));
        far = std::max(far, off);
    }
    measured_truth("siconos_bouncing_ball_moreau_jean", "rows",
                   "impulsive, Moreau's law, step 5 ms, 10 s", far, "m, m/s");
    CHECK(far < 1e-12); // its own tolerance
}
