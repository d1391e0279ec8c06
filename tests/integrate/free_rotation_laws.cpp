// SPDX-License-Identifier: MIT
// Laws of free rotation, its special cases, and its limits.
#include "free_rotation.hpp"

#include <rapidcheck.h>

#include <csignal>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

using namespace poinsot;
using namespace poinsot::free_rotation_tests;

TEST_CASE("Free rotation: a symmetric body spins about its axis while the axis goes round L")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const double along = dice.in(0.1, 3), across = dice.in(0.5 * along, 3 + along);
        const V L = dice.in(0.1, 5) * dice.direction();
        const Q q = dice.turn();
        const double h = dice.in(-20, 20) * along / norm(L);
        const int axis = static_cast<int>(dice.in(0, 3));
        const auto place = [&](double c, double a, double b) {
            return axis == 0 ? V{c, a, b} : axis == 1 ? V{b, c, a} : V{a, b, c};
        };
        const V I = place(along, across, across);
        // ω = L/across + (1/along − 1/across) L_c c: two turns that are each uniform
        const double L_c = axis == 0 ? L.x : axis == 1 ? L.y : L.z;
        const double spin = (1 / along - 1 / across) * L_c * h;
        const Q expected = exp_quat((h / across) * rotate(q, L)) * q * exp_quat(place(spin, 0, 0));
        const V L_b = rotate(exp_quat(place(-spin, 0, 0)), L);
        const Rotated y = rotate_freely(I, q, L, h);
        const double allowed = 1e-14 * (1 + std::abs(h) * norm(L) / std::min(along, across));
        RC_ASSERT(apart(y.q, expected) < allowed);
        RC_ASSERT(norm(y.L_b - L_b) < allowed * norm(L));
    }));
}

TEST_CASE("Free rotation: on the separatrix the momentum is a hyperbolic secant")
{
    // 1/I = 1/2, 1/3, 1/6: equal gaps d = 1/6, so L_x = ±L_z is on it, exactly
    const V I{2, 3, 6}, L{1, 3, 1};
    const FreeMotion motion(I, no_turn, L);
    CHECK(std::isinf(motion.period()));
    const double size = norm(L), rate = size / 6; // λ = d |L|
    const double u = std::atanh(3 / size);
    for (const double t : {-1e9, -2000.0, -30.0, -1.0, 0.0, 1e-9, 2.5, 10.0, 40.0, 1000.0, 1e6}) {
        CAPTURE(t);
        const Rotated y = motion.at(t);
        CHECK(near(y.L_b.y, size * std::tanh(rate * t + u), 4e-15, size));
        const double small =
            size / std::cosh(std::clamp(rate * t + u, -400.0, 400.0)) / std::sqrt(2.0);
        CHECK(near(y.L_b.x, small, 1e-14 * (1 + std::abs(t)), std::abs(t) > 600 ? 1e-140 : 0));
        if (std::abs(t) < 600)
            CHECK(near(y.L_b.x, y.L_b.z, 1e-14));
        CHECK(near(norm2(y.q), 1, 1e-15));
        CHECK(near(norm(rotate(y.q, y.L_b) - L), 0, 2e-15, size));
        if (std::abs(t) < 50)
            CHECK(error(y, by_taylor(I, {no_turn, L}, t)).worst() < 1e-14 * (1 + std::abs(t)));
    }
    // At the end it turns about the middle axis at |L|/I for ever.
    const Rotated late = motion.at(5000), later = motion.at(5000 + 0.7);
    CHECK(apart(later.q, late.q * exp_quat(V{0, 0.7 * size / 3, 0})) < 1e-12);
}

// ---- laws ---------------------------------------------------------------------------------------

TEST_CASE("Free rotation: a, then b, is a + b; and back is where it began")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Start start(dice);
        const double a = dice.in(-30, 30) / start.rate(), b = dice.in(-30, 30) / start.rate();
        const Rotated middle = start.after(a),
                      end = rotate_freely(start.I, middle.q, middle.L_b, b);
        // 60 radians; near the separatrix the middle's rounding grows
        RC_ASSERT(error(end, start.after(a + b)).worst() < 1e-11);
        const Rotated back = rotate_freely(start.I, middle.q, middle.L_b, -a);
        RC_ASSERT(error(back, start.rotated()).worst() < 1e-11);
    }));
}

TEST_CASE("Free rotation: L stays in space, on its sphere and on its energy ellipsoid in the body")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Start start(dice);
        const Rotated y = start.after(dice.in(-1000, 1000) / start.rate());
        const V L = rotate(start.q, start.L);
        RC_ASSERT(near(norm(rotate(y.q, y.L_b) - L), 0, 4e-15, norm(L)));
        RC_ASSERT(near(norm(y.L_b), norm(start.L), 1e-15));
        RC_ASSERT(near(energy(start.I, y.L_b), energy(start.I, start.L), 1e-15));
    }));
}

TEST_CASE("Poinsot: the energy ellipsoid rolls on the invariable plane")
{
    const V I{1, 2, 3}, L{0.5, 4, 2.1};
    const FreeMotion motion(I, no_turn, L);
    const double distance = 2 * energy(I, L) / norm(L); // of the plane from the centre, on L
    for (double t = 0; t < 20; t += 0.3) {
        const Rotated y = motion.at(t);
        const V omega_b = rates(I, y.L_b), omega = rotate(y.q, omega_b);
        // the tip of ω touches the plane: on it, and with the normal I ω along L
        CHECK(near(dot(omega, L) / norm(L), distance, 1e-14));
        CHECK(near(norm(cross(rotate(y.q, momentum(I, omega_b)), L)), 0, 1e-14, norm2(L)));
        // without slipping: the point of the body that touches is at rest, as ω × ω = 0, and the
        // attitude does turn with this ω (central difference, error h²)
        const double h = 1e-4;
        const Q step = motion.at(t + h).q * conjugate(motion.at(t - h).q);
        CHECK(near(norm((0.5 / h) * log_quat(step) - omega), 0, 1e-7, norm(omega)));
    }
}

TEST_CASE("Dzhanibekov: turning about the middle axis, the body flips every half period")
{
    const Reference body("dzhanibekov_123");
    const Rotated y = body.start();
    const FreeMotion motion(body.I, y.q, y.L_b);
    const double half = 0.5 * motion.period();
    for (int flip = 0; flip < 20; ++flip) {
        const V L = motion.at(flip * half).L_b;
        CHECK(near(L.y, flip % 2 ? -10 : 10, 1e-6));
        CHECK(near(norm(rotate(motion.at(flip * half).q, L) - y.L_b), 0, 1e-14, 10));
    }
}

TEST_CASE("Free rotation: unmoved by a turn of the world")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Start start(dice);
        const Q turn = dice.turn();
        const double h = dice.in(-30, 30) / start.rate();
        const Rotated here = start.after(h),
                      there = rotate_freely(start.I, turn * start.q, start.L, h);
        RC_ASSERT(apart(turn * here.q, there.q) < 2e-15);
        RC_ASSERT(here.L_b == there.L_b); // to the bit: the body does not know where it is
    }));
}

TEST_CASE("Free rotation: unmoved by the names and directions of the axes")
{
    const double s = std::sqrt(0.5);
    const Q renamings[] = {{0.5, 0.5, 0.5, 0.5}, {0.5, -0.5, -0.5, -0.5},
                           {s, s, 0, 0},         {s, 0, s, 0},
                           {s, 0, 0, -s},        {0, 1, 0, 0},
                           {0, 0, 1, 0},         {0, s, s, 0}};
    CHECK(rc::check([&](unsigned seed) {
        Dice dice(seed);
        const Start start(dice);
        const double h = dice.in(-30, 30) / start.rate();
        const Rotated here = start.after(h);
        for (const Q& p : renamings) {
            const V moved = rotate(p, V{1, 2, 3});
            const auto renamed = [&](const V& a) {
                const double part[] = {a.x, a.y, a.z};
                const auto pick = [&](double m) {
                    const auto i = static_cast<std::size_t>(std::lround(std::abs(m))) - 1;
                    return std::copysign(1.0, m) * part[i];
                };
                return V{pick(moved.x), pick(moved.y), pick(moved.z)};
            };
            const V I = renamed(start.I);
            const V positive{std::abs(I.x), std::abs(I.y), std::abs(I.z)};
            const Rotated there =
                rotate_freely(positive, start.q * conjugate(p), renamed(start.L), h);
            RC_ASSERT(apart(there.q * p, here.q) < 2e-14); // 30 radians
            RC_ASSERT(norm(there.L_b - renamed(here.L_b)) < 2e-14 * norm(start.L));
        }
    }));
}

TEST_CASE("Free rotation: units do not matter, powers of two to the bit")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Start start(dice);
        const double h = dice.in(-30, 30) / start.rate();
        const Rotated here = start.after(h);
        for (const double big : {0x1p-200, 0x1p-1, 0x1p8, 0x1p300}) {
            const Rotated slow = rotate_freely(start.I, start.q, big * start.L, h / big);
            RC_ASSERT(slow.q == here.q);
            RC_ASSERT(slow.L_b == big * here.L_b);
            const Rotated heavy = rotate_freely(big * start.I, start.q, big * start.L, h);
            RC_ASSERT(heavy.q == here.q);
            RC_ASSERT(heavy.L_b == big * here.L_b);
        }
        const Rotated feet = rotate_freely(3.3 * start.I, start.q, 3.3 * start.L, h);
        RC_ASSERT(apart(feet.q, here.q) < 1e-12); // 30 radians, and the rounding of the moments
    }));
}

TEST_CASE("Free rotation: in world axes it is the same motion")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Start start(dice);
        const double h = dice.in(-30, 30) / start.rate();
        const V L = rotate(start.q, start.L);
        RC_ASSERT(apart(turned_freely(start.I, start.q, L, h), start.after(h).q) < 1e-12);
    }));
}

// ---- corners ------------------------------------------------------------------------------------

TEST_CASE("Free rotation: about a principal axis it is steady, stable or not")
{
    const Q q = normalised(Q{1, 2, 3, 4});
    for (const V& I : {V{1, 2, 3}, V{3, 1, 2}, V{2, 2, 1}, V{1, 2, 2}, V{5, 5, 5}, V{1, 1.5, 2.5}})
        for (const V& L : {V{2, 0, 0}, V{0, -2, 0}, V{0, 0, 2}})
            for (const double h : {-1000.0, -0.3, 0.0, 1e-9, 0.7, 1e4}) {
                const Rotated y = rotate_freely(I, q, L, h);
                CHECK(y.L_b == L);
                CHECK(near(apart(y.q, q * exp_quat(h * rates(I, L))), 0, 4e-16 * (1 + std::abs(h)),
                           1));
            }
}

TEST_CASE("Free rotation: a ball turns about L, whatever its direction")
{
    const V L{0.3, -0.4, 1.2}, I{2, 2, 2};
    const Rotated y = rotate_freely(I, no_turn, L, 3.0);
    CHECK(y.L_b == L);
    CHECK(apart(y.q, exp_quat(1.5 * L)) < 4e-16);
    // two equal moments, and L in their plane
    const Rotated flat = rotate_freely({2, 5, 2}, no_turn, {0.3, 0, 1.2}, 3.0);
    CHECK(flat.L_b == V{0.3, 0, 1.2});
    CHECK(apart(flat.q, exp_quat(1.5 * V{0.3, 0, 1.2})) < 4e-16);
}

TEST_CASE("Free rotation: no time and no momentum change nothing")
{
    const Q q = normalised(Q{1, 2, 3, 4});
    const Rotated still = rotate_freely({1, 2, 3}, q, {0, 0, 0}, 7.0);
    CHECK(still.L_b == V{0, 0, 0});
    CHECK(apart(still.q, q) < 2e-16);
    CHECK(apart(turned_freely({1, 2, 3}, q, {0, 0, 0}, 7.0), q) < 2e-16);
    const Rotated now = rotate_freely({1, 2, 3}, q, {0.3, 0.4, 0.5}, 0.0);
    CHECK(now.L_b == V{0.3, 0.4, 0.5});
    CHECK(apart(now.q, q) < 4e-16);
}

TEST_CASE("Free rotation: a lamina, and moments of any ratio")
{
    const Rotated start{no_turn, {0.7, -0.4, 0.9}};
    for (const V& I : {V{1, 2, 3}, V{1, 1, 2}, V{1e-3, 1, 1.001}, V{1e-8, 1, 1},
                       V{1e-6, 1, 1 + 1e-6}, V{1, 1e-4, 1}, V{1e10, 1.3e10, 0.4e10}})
        for (const double turns : {1e-6, 0.1, 2.0}) {
            const double h = turns * std::min({I.x, I.y, I.z});
            CAPTURE(I.x);
            CAPTURE(h);
            const Rotated4 truth = by_taylor(I, start, h);
            CHECK(error(rotate_freely(I, start.q, start.L_b, h), truth).worst() < 4e-15);
        }
}

TEST_CASE("Free rotation: continuous from three different moments to two, in every family")
{
    for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 0.0})
        for (const V& I :
             {V{1, 1 + gap, 2}, V{2, 1, 1 + gap}, V{1 + gap, 0.6, 1}, V{1, 1 + gap, 1 + 3 * gap}})
            for (const V& L :
                 {V{0.3, 0.4, 1}, V{1, 1e-3, 1e-5}, V{1e-5, 1, 1e-7}, V{1e-7, 1e-5, 1}})
                for (const double h : {1e-3, 1.0, 50.0, 1e4}) {
                    CAPTURE(gap);
                    CAPTURE(h);
                    const Rotated y = rotate_freely(I, no_turn, L, h);
                    const Rotated4 truth = exactly(wide(I), wide(Rotated{no_turn, L}), Quad(h));
                    const double rate = norm(L) / std::min({I.x, I.y, I.z});
                    CHECK(error(y, truth).worst() < 1e-14 + 4 * eps * rate * h);
                }
    // the limit itself: the gap turns the axes by no more than gap times the angle
    const V L{0.3, 0.4, 1};
    const Rotated two = rotate_freely({1, 1, 2}, no_turn, L, 10);
    for (const double gap : {1e-6, 1e-9, 1e-12})
        CHECK(error(rotate_freely({1, 1 + gap, 2}, no_turn, L, 10), two).worst() < 20 * gap);
}

TEST_CASE("Free rotation: continuous across the separatrix")
{
    const V I{2, 3, 6};
    const Rotated on = rotate_freely(I, no_turn, {1, 3, 1}, 5);
    for (const double off : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15, -1e-15, -1e-12, -1e-9, -1e-6, -1e-3}) {
        const V L{1 + off, 3, 1};
        const Rotated y = rotate_freely(I, no_turn, L, 5);
        CAPTURE(off);
        CHECK(error(y, on).worst() < 1e-14 + 10 * std::abs(off));
        CHECK(error(y, by_taylor(I, {no_turn, L}, 5)).worst() < 1e-14);
    }
}

TEST_CASE("Free rotation: tiny steps add one rounding each and no noise")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Start start(dice);
        for (const double turn : {1e-3, 1e-6, 1e-9, 1e-12, 1e-300}) {
            const double h = turn / start.rate();
            const Rotated4 truth = by_taylor(start.I, start.rotated(), h);
            const Error e = error(start.after(h), truth);
            RC_ASSERT(e.attitude < 4 * eps);
            RC_ASSERT(e.momentum < 2 * eps);
        }
    }));
    // a thousand steps of 1e-9: the sum is there
    const V I{1, 2, 3}, L{0.5, 4, 2.1};
    const Rotated y = in_steps(I, {no_turn, L}, 1e-6, 1000);
    const Rotated4 truth = by_taylor(I, {no_turn, L}, 1e-6);
    CHECK(error(y, truth).worst() < 3e-14); // 1000 roundings, in one direction at worst 1e-13
}

TEST_CASE("Free rotation: a million revolutions in one step")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Start start(dice);
        const double angle = 1e6 * 2 * std::numbers::pi, h = angle / start.rate();
        const Rotated4 truth = exactly(wide(start.I), wide(start.rotated()), Quad(h));
        // the angle is known to a few roundings of itself
        RC_ASSERT(error(start.after(h), truth).worst() < 30 * eps * angle);
    }));
}

TEST_CASE("Free rotation: never a NaN from finite numbers")
{
    const double sizes[] = {0, 1e-300, 1e-170, 1e-150, 1e-139, 1e-30, 1e-8, 1, -1};
    const V bodies[] = {{1, 2, 3},         {2, 3, 6}, {1, 1, 2}, {1, 1, 1},
                        {1, 1 + 1e-15, 2}, {3, 1, 2}, {1, 2, 2}, {1e-12, 1, 1 + 1e-12}};
    int wrong = 0;
    for (const V& I : bodies)
        for (const double x : sizes)
            for (const double y : sizes)
                for (const double z : sizes)
                    for (const double h :
                         {0.0, 1e-300, -1e-9, 1.0, -100.0, 1e3, 1e9, 1e18, -1e300}) {
                        const V L{x, y, z};
                        const Rotated after = rotate_freely(I, no_turn, L, h);
                        const double size = norm(after.L_b) - norm(L);
                        if (!(std::abs(norm2(after.q) - 1) < 1e-15) || !(std::abs(size) < 1e-15))
                            ++wrong;
                        const Q q = turned_freely(I, no_turn, L, h);
                        if (!(std::abs(norm2(q) - 1) < 1e-15))
                            ++wrong;
                    }
    CHECK(wrong == 0);
    // and a NaN that comes in goes out
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(rotate_freely({1, 2, 3}, no_turn, {1, 1, 1}, nan).q.w));
    CHECK(std::isnan(rotate_freely({1, 2, 3}, no_turn, {1, nan, 1}, 1).q.w));
}

TEST_CASE("Free rotation: a body without moments is a broken promise")
{
    for (const V& I :
         {V{0, 1, 1}, V{1, -1, 1}, V{1, 1, std::numeric_limits<double>::quiet_NaN()}}) {
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            std::signal(SIGABRT, SIG_DFL); // not doctest's report of it
            [[maybe_unused]] const auto* quiet = std::freopen("/dev/null", "w", stderr);
            rotate_freely(I, no_turn, {1, 2, 3}, 0.1);
            _exit(0); // the check let it pass
        }
        int status = 0;
        waitpid(child, &status, 0);
        CHECK(WIFSIGNALED(status));
    }
}
