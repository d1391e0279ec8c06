// SPDX-License-Identifier: MIT
// Free rotation against references, over many revolutions and many steps.
#include "free_rotation.hpp"

#include <rapidcheck.h>

#include <csignal>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

using namespace poinsot;
using namespace poinsot::free_rotation_tests;

// ---- reference data -----------------------------------------------------------------------------

TEST_CASE("Free rotation: rates and attitude of the reference bodies, to the digits of the start")
{
    for (const std::string name : {"tumble_123", "dzhanibekov_123", "boxes_complex"}) {
        CAPTURE(name);
        const Reference body(name);
        const Rotated y = body.start();
        const FreeMotion motion(body.I, y.q, y.L_b);
        for (std::size_t i = 0; i < body.item["t"].size(); ++i) // 1e-14: a few roundings of L
            body.check("", i, motion.at(body.item["t"][i]), 2e-14);
        // 15 digits are printed
        CHECK(norm(rotate(y.q, y.L_b) - Reference::vec3(body.item["L_world"])) <
              3e-14 * norm(y.L_b));
        CHECK(near(energy(body.I, y.L_b), body.item["T"], 3e-14));
        if (body.item.contains("period_of_rates")) {
            CHECK(near(motion.period(), body.item["period_of_rates"], 3e-14));
            // The parameter of the elliptic functions; what is small is what is missing from one.
            const double m = body.item["modulus_m"], ours = modulus_squared(body.I, y.L_b);
            CHECK(near(1 - ours, 1 - m, 1e-12, 2e-15 / 1e-12));
        }
    }
    const Reference box("boxes_simple");
    const V omega = Reference::vec3(box.item["omega0"]);
    const Rotated y = rotate_freely(box.I, no_turn, momentum(box.I, omega), 10);
    const double half = 0.5 * box.item["rotation_angle_10s"].get<double>();
    CHECK(near(apart(y.q, Q{std::cos(half), std::sin(half), 0, 0}), 0, 1e-15, 1));
}

TEST_CASE("Free rotation: 1000 revolutions in one step and from one motion asked at many instants")
{
    for (const std::string name : {"tumble_123", "dzhanibekov_123", "boxes_complex"}) {
        CAPTURE(name);
        const Reference body(name);
        const Rotated y = body.start();
        const FreeMotion motion(body.I, y.q, y.L_b);
        for (std::size_t i = 0; i < body.item["long_t"].size(); ++i) {
            // 1e-11: three units in the last place of ω₀, by the file's own measure
            body.check("long_", i, motion.at(body.item["long_t"][i]), 1e-11);
        }
    }
}

TEST_CASE("Free rotation: 1000 revolutions in 1, 100 and 10000 steps to 1e-10")
{
    const Reference tumble("tumble_123");
    for (const int steps : {1, 100, 10000})
        for (std::size_t i = 0; i < tumble.item["long_t"].size(); ++i)
            tumble.check("long_", i,
                         in_steps(tumble.I, tumble.start(), tumble.item["long_t"][i], steps),
                         1e-10);

    // boxes_complex, m = 0.99986, is near the separatrix: by the file's one_ulp_in_omega0 it is as
    // ill-conditioned as dzhanibekov_123. With ten thousand steps the rounding of the state alone,
    // once per step, comes to 1.7e-9 (the test below), so its bound is that one.
    const Reference boxes("boxes_complex");
    for (std::size_t i = 0; i < boxes.item["long_t"].size(); ++i) {
        boxes.check("long_", i, in_steps(boxes.I, boxes.start(), boxes.item["long_t"][i], 1),
                    1e-10);
        // 2e-10 is what exact steps in 113 bits leave too, where each is rounded to a double: from
        // 1e-12 to 3e-10 for speeds next to this one. One step, which rounds once, leaves 2e-12.
        boxes.check("long_", i, in_steps(boxes.I, boxes.start(), boxes.item["long_t"][i], 100),
                    2e-10);
    }
}

TEST_CASE("Free rotation: random bodies, 1000 revolutions in 1, 100, 10000 steps to 1e-10")
{
    int counted = 0;
    Error worst[3] = {};
    for (unsigned seed = 1; seed <= 120; ++seed) {
        Dice dice(seed);
        const Start start(dice);
        if (!well_conditioned(start.I, start.L))
            continue;
        ++counted;
        CAPTURE(seed);
        const double t = 1000 * 2 * std::numbers::pi / norm(rates(start.I, start.L));
        const Rotated4 truth = exactly(wide(start.I), wide(start.rotated()), Quad(t));
        int k = 0;
        for (const int steps : {1, 100, 10000}) {
            CAPTURE(steps);
            const Error made = error(in_steps(start.I, start.rotated(), t, steps), truth);
            CHECK(made.attitude <= 1e-10);
            CHECK(made.momentum <= 1e-10);
            worst[k].attitude = std::max(worst[k].attitude, made.attitude);
            worst[k].momentum = std::max(worst[k].momentum, made.momentum);
            ++k;
        }
    }
    MESSAGE(counted << " bodies; attitude and momentum in 1 step " << worst[0].attitude << ", "
                    << worst[0].momentum << ", in 100 " << worst[1].attitude << ", "
                    << worst[1].momentum << ", in 10000 " << worst[2].attitude << ", "
                    << worst[2].momentum);
    CHECK(counted >= 80);
}

TEST_SUITE("slow")
{
    TEST_CASE(
        "Free rotation: near the separatrix the error is that of rounding the state once per step")
    {
        for (const std::string name : {"dzhanibekov_123", "boxes_complex"})
            for (const int steps : {1, 100, 10000}) {
                CAPTURE(name);
                CAPTURE(steps);
                const Reference body(name);
                const V4 I = wide(body.I);
                const double t = body.item["long_t"].back();
                double ours_q = 0, ours_L = 0, rounding_q = 0, rounding_L = 0;
                // Some starts round to themselves, which says nothing: speeds with full digits.
                for (const double speed :
                     {0.99913, 0.9971828, 0.9998123, 1.0003141592, 1.00271828, 1.00141}) {
                    Rotated4 start = body.exact_start();
                    start.L_b = Quad(speed) * start.L_b;
                    const Rotated4 truth = exactly(I, start, Quad(t));
                    Rotated once = rounded(start); // exact steps, rounded after each
                    for (int i = 0; i < steps; ++i)
                        once = rounded(exactly(I, wide(once), Quad(t) / Quad(steps)));
                    const Error of_rounding = error(once, truth);
                    const Error ours = error(in_steps(body.I, rounded(start), t, steps), truth);
                    rounding_q = std::max(rounding_q, of_rounding.attitude);
                    rounding_L = std::max(rounding_L, of_rounding.momentum);
                    ours_q = std::max(ours_q, ours.attitude);
                    ours_L = std::max(ours_L, ours.momentum);
                    if (steps == 10000)
                        break; // 10000 steps in 113 bits take seconds, and round in many ways
                }
                MESSAGE(name << ", " << steps << " steps: attitude " << ours_q
                             << " (rounding alone " << rounding_q << "), momentum " << ours_L
                             << " (" << rounding_L << ")");
                CHECK(ours_q <= 100 * rounding_q);
                CHECK(ours_L <= 100 * rounding_L);
            }
    }

    TEST_CASE("Free rotation: energy and |L| keep twelve digits over a million steps")
    {
        struct Case {
            V I, omega;
            double h;
        };
        for (const auto& [I, omega, h] :
             {Case{{1, 2, 3}, {0.5, 2, 0.7}, 0.01}, Case{{1, 2, 3}, {0.5, 2, 0.7}, 1.3},
              Case{{1, 2, 3}, {0.001, 5, 0.001}, 0.01}, Case{{0.8, 0.7, 0.15}, {0.1, 5, 0.1}, 0.9},
              Case{{1, 1, 1.9}, {0.31, 0.41, 1.1}, 0.02}}) {
            const V L = momentum(I, omega);
            Rotated y{no_turn, L};
            Q q = no_turn;
            for (int i = 0; i < 1000000; ++i) {
                y = rotate_freely(I, y.q, y.L_b, h);
                q = turned_freely(I, q, L, h);
            }
            CHECK(near(norm(y.L_b), norm(L), 1e-12));
            CHECK(near(energy(I, y.L_b), energy(I, L), 1e-12));
            CHECK(near(norm(rotate(y.q, y.L_b) - L), 0, 1e-12, norm(L)));
            CHECK(near(energy(I, rotate(conjugate(q), L)), energy(I, L), 1e-12));
        }
    }
}

// ---- two roads ----------------------------------------------------------------------------------

TEST_CASE("Free rotation: the closed form in 113 bits is the Taylor series, digit for digit" *
          doctest::test_suite("slow"))
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Start start(dice);
        const double h = dice.in(-6, 6) / start.rate();
        Rotated4 y = wide(start.rotated());
        y.q = normalised(y.q); // a unit quaternion in 113 bits
        const int pieces = 64;
        const Rotated4 closed = exactly(wide(start.I), y, Quad(h));
        RC_ASSERT(error(closed, by_taylor(wide(start.I), y, Quad(h), pieces)).worst() < 1e-28);
    }));
}

TEST_CASE("Free rotation: random bodies agree with the Taylor series to rounding")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Start start(dice);
        const double h = dice.in(-6, 6) / start.rate();
        const Rotated4 truth = by_taylor(start.I, start.rotated(), h);
        RC_ASSERT(error(start.after(h), truth).worst() < 1e-14);
        const V L = rotate(start.q, start.L);
        RC_ASSERT(apart(wide(turned_freely(start.I, start.q, L, h)), truth.q) < 1e-14);
    }));
}

TEST_CASE("Free rotation: a precession of the wrong sense is seen to disagree")
{
    // The fault: the body turned as it should be, but about L the other way.
    const auto faulty = [](const V& I, const Rotated& y, double h) {
        const Rotated good = rotate_freely(I, y.q, y.L_b, h);
        const V axis = normalised(rotate(y.q, y.L_b));
        const double phi = h * norm(y.L_b) / I.x;
        return Rotated{exp_quat((-2 * phi) * axis) * good.q, good.L_b};
    };
    const V I{1, 2, 3};
    const Rotated start{no_turn, {0.5, 4, 2.1}};
    for (const double h : {1e-3, 0.1, 0.5}) {
        const Rotated4 truth = by_taylor(I, start, h);
        CHECK(error(rotate_freely(I, start.q, start.L_b, h), truth).worst() < 1e-15);
        CHECK(error(faulty(I, start, h), truth).attitude > h);
        CHECK(error(faulty(I, start, h), truth).momentum < 1e-15); // the rates do not show it
    }
}
