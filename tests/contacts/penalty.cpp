// SPDX-License-Identifier: MIT
#include "poinsot/contacts/penalty.hpp"
#include "near.hpp"
#include "poinsot/math/dual.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>

using namespace poinsot;

namespace {

using V3 = Vec3<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A mass flies with speed v into a contact and out of it: m ẍ = −F, by Runge and Kutta's method
/// until the force has ended, the last step by halving.
struct Bounce {
    double lasted = 0, depth = 0, restitution = 0, heat = 0, worst = 0; // least F, and balance

    template <class Push>
    Bounce(double m, double v, double h, Push push)
    {
        using Three = std::array<double, 3>; // x, ẋ, heat
        const auto rate = [&](const Three& s) -> Three {
            const NormalPush<double> p = push(-s[0], -s[1]);
            return {s[1], -p.force / m, p.dissipated};
        };
        const auto next = [&](const Three& s, double by) {
            const auto add = [](Three y, const Three& f, double part) {
                for (std::size_t i = 0; i < 3; ++i)
                    y[i] += part * f[i];
                return y;
            };
            const Three k1 = rate(s), k2 = rate(add(s, k1, by / 2)), k3 = rate(add(s, k2, by / 2)),
                        k4 = rate(add(s, k3, by));
            return add(add(add(add(s, k1, by / 6), k2, by / 3), k3, by / 3), k4, by / 6);
        };
        Three s{1e-13 * v * h, v, 0}; // just inside: the damper pushes from there
        for (int i = 0; i < 10000000; ++i) {
            const Three y = next(s, h);
            const auto ended = [&](const Three& z) {
                return z[1] < 0 && !(push(-z[0], -z[1]).force > 0);
            };
            if (ended(y)) {
                double low = 0, high = h;
                for (int k = 0; k < 60; ++k) {
                    const double middle = 0.5 * (low + high);
                    (ended(next(s, middle)) ? high : low) = middle;
                }
                s = next(s, low);
                lasted += low;
                break;
            }
            // The deepest point is between two steps: a parabola through its top.
            if (s[1] > 0 && y[1] <= 0) {
                const double a = push(-s[0], -s[1]).force / m;
                depth = s[0] + 0.5 * s[1] * s[1] / a;
            }
            s = y;
            lasted += h;
            const NormalPush<double> p = push(-s[0], -s[1]);
            const double energy = 0.5 * m * s[1] * s[1] + p.stored + s[2];
            worst = std::max(worst, std::abs(energy / (0.5 * m * v * v) - 1));
        }
        restitution = -s[1] / v;
        heat = s[2];
    }
};

} // namespace

TEST_CASE("Penalty: a contact of spring and damper lasts as asked and returns with e")
{
    // Over four orders of step and mass, and down to the least restitution.
    for (const double h : {1e-4, 1e-2})
        for (const double m : {0.01, 10.0})
            for (const double e : {1.0, 0.9, 0.5, 0.2, 0.13, 0.05, 0.01}) {
                CAPTURE(e);
                const auto spring = penalty_spring(m, m, e, h, 20);
                REQUIRE(spring);
                CHECK(spring->restitution == e);
                const Bounce bounce(m, 3, h / 500, [&](double gap, double speed) {
                    return spring_push(gap, speed, spring->k, spring->c);
                });
                // 10 000 steps of order four; the force begins with a jump c v, which is exact.
                CHECK(near(bounce.restitution, e, 1e-9, 1));
                CHECK(near(bounce.lasted, 20 * h, 1e-9));
                CHECK(bounce.worst < 1e-10);
            }
    // Nothing bounces less: the damper would leave no spring. What is reached is said.
    CHECK(penalty_spring(1, 1, 0, 0.01)->restitution == PenaltySpring::least_restitution);
    // Twice the mass, twice the spring; half the step, four times.
    const auto one = penalty_spring(1, 3, 0.5, 0.01), two = penalty_spring(2, 3, 0.5, 0.005);
    CHECK(near(two->k, 8 * one->k, 1e-14));
    CHECK(near(two->c, 4 * one->c, 1e-14));
    CHECK(near(one->friction_k, 3 * one->k, 1e-14));
}

TEST_CASE("Penalty: with steps of h itself the contact is stable and returns nearly as asked")
{
    // Symplectic Euler with 20 steps a contact: an error of the order of a step.
    for (const double e : {1.0, 0.7, 0.3}) {
        CAPTURE(e);
        const double h = 0.01, m = 2;
        const auto spring = penalty_spring(m, m, e, h, 20);
        double x = 1e-12, v = 1;
        int steps = 0;
        for (; steps < 100 && x > 0; ++steps) {
            v -= h * spring_push(-x, -v, spring->k, spring->c).force / m;
            x += h * v;
        }
        CHECK(steps >= 18);
        CHECK(steps <= 60); // after F = 0 it drifts out
        CHECK(near(-v, e, 0.1, 1));
    }
}

TEST_CASE("Hertz: contact time and depth of two elastic spheres")
{
    // Steel spheres of 10 mm and 15 mm at 0.5 m/s.
    const double E = *effective_modulus(206e9, 0.29, 206e9, 0.29);
    CHECK(near(E, 206e9 / (2 * (1 - 0.29 * 0.29)), 1e-15));
    const double R = *effective_radius(0.010, 0.015);
    CHECK(near(R, 0.006, 1e-14));
    const double k = *hertz_stiffness(E, R);
    const auto mass = [](double r) { return 7830 * 4.0 / 3 * std::numbers::pi * r * r * r; };
    const double m = 1 / (1 / mass(0.010) + 1 / mass(0.015)), v = 0.5;
    // ½ m v² = ⅖ k d^{5/2};  t = 2 (d/v) ∫₀¹ dξ/√(1 − ξ^{5/2}) = 2.943 d/v
    const double d = std::pow(5 * m * v * v / (4 * k), 0.4);
    const double factor =
        4 * std::sqrt(std::numbers::pi) * std::tgamma(0.4) / (5 * std::tgamma(0.9));
    CHECK(near(factor, 2.9432750, 1e-7)); // as textbooks print it
    const double t = factor * d / v;
    const Bounce bounce(m, v, t / 20000, [&](double gap, double speed) {
        return hunt_crossley_push(gap, speed, k, 0.0);
    });
    // x^{3/2} has no second derivative where contact begins and ends: order 2.5 there.
    CHECK(near(bounce.depth, d, 1e-8));
    CHECK(near(bounce.lasted, t, 1e-8));
    CHECK(near(bounce.restitution, 1, 1e-9));
    CHECK(bounce.heat == 0);
    CHECK(bounce.worst < 1e-9);
    // A plane is a sphere without end, a rigid body one without softness.
    CHECK(*effective_radius(0.01, infinity) == 0.01);
    CHECK(near(*effective_modulus(1e9, 0.3, infinity, 0.3), 1e9 / 0.91, 1e-15));
}

TEST_CASE("Hunt and Crossley: restitution is 1 − α v to first order, and as asked exactly")
{
    const double m = 0.3, k = 1e7;
    const auto bounced = [&](double alpha, double v) {
        const double d = std::pow(5 * m * v * v / (4 * k), 0.4);
        return Bounce(m, v, d / v / 4000, [&](double gap, double speed) {
            return hunt_crossley_push(gap, speed, k, alpha);
        });
    };
    const auto off = [&](double v) { return bounced(0.1, v).restitution - (1 - 0.1 * v); };
    CHECK(std::abs(off(0.1)) < 1e-4);
    CHECK(near(off(0.2) / off(0.1), 4, 0.02)); // the rest is of second order

    for (const double e : {0.99, 0.8, 0.4, 0.1, 0.02}) {
        CAPTURE(e);
        const double v = 2, alpha = *hunt_crossley_damping(e, v);
        CHECK(near(hunt_crossley_restitution(alpha, v), e, 1e-12));
        const Bounce bounce = bounced(alpha, v);
        CHECK(near(bounce.restitution, e, 1e-6));
        CHECK(near(bounce.heat, 0.5 * m * v * v * (1 - e * e), 1e-6));
        CHECK(bounce.worst < 1e-6);
    }
    CHECK(*hunt_crossley_damping(1, 3) == 0);
    CHECK(near(*hunt_crossley_damping(1 - 1e-6, 2), 0.5e-6, 1e-5));
    CHECK(hunt_crossley_restitution(0, 5) == 1);
}

TEST_CASE("Penalty: a contact never pulls, friction keeps to its cone, and nothing makes energy")
{
    std::mt19937 dice(5);
    const auto some = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(dice()) / 4294967296.0;
    };
    int cut = 0, slid = 0, stuck = 0, damped = 0;
    for (int i = 0; i < 100000; ++i) {
        const double gap = some(-1, 0.5), speed = some(-3, 3), k = some(0, 10), c = some(0, 10);
        for (const NormalPush<double>& p :
             {spring_push(gap, speed, k, c), hunt_crossley_push(gap, speed, k, c)}) {
            CHECK(p.force >= 0);
            CHECK(p.stored >= 0);
            CHECK(p.dissipated >= 0);
            if (gap >= 0) {
                CHECK(p.force == 0);
                CHECK(p.stored == 0);
                CHECK(p.dissipated == 0);
            }
            cut += gap < 0 && p.force == 0;
        }
        const double N = some(-1, 5), mu = some(0, 1.5), h = some(0, 0.5);
        const V3 s{some(-1, 1), some(-1, 1), 0}, v{some(-2, 2), some(-2, 2), 0};
        const FrictionPull<double> f = spring_friction(N, mu, k, c, s, v, h);
        const double bound = mu * std::max(0.0, N), pull = k * norm(s + h * v);
        CHECK(norm(f.force) <= bound * (1 + 1e-14) + 1e-300);
        CHECK(f.dissipated >= -1e-13 * (k + c) * 10);
        (pull > bound ? slid : stuck) += 1;
        if (pull > bound && dot(s + h * v, v) > 0) // it slides on
            CHECK(near(norm(f.force), bound, 1e-14));
        else
            damped += norm(f.force + k * f.stretch) > 1e-3;
        // Where it begins to slide the force does not jump, on or back.
        const double edge = bound / (k * norm(s));
        if (N > 0 && edge > 0) {
            const auto below = spring_friction(N, mu, k, c, edge * (1 - 1e-12) * s, v, 0.0),
                       above = spring_friction(N, mu, k, c, edge * (1 + 1e-12) * s, v, 0.0);
            // φ is a root of what the cone leaves, 1e-12 of its square.
            CHECK(norm(below.force - above.force) < 1e-5 * bound);
        }
        // h W = −F·v h = change of store + heat
        const double before = 0.5 * k * dot(s, s);
        CHECK(near(f.stored - before + f.dissipated, -h * dot(f.force, v), 1e-13, 100));

        const SlidingPull<double> g = smooth_friction(N, mu, v, 0.01);
        CHECK(norm(g.force) <= bound);
        CHECK(g.dissipated >= 0);
    }
    CHECK(cut > 1000);
    CHECK(slid > 1000);
    CHECK(stuck > 1000);
    CHECK(damped > 1000);
}

TEST_CASE("Penalty: a block on a slope stays below the angle of friction and slides above it")
{
    // One contact along the plane: m v̇ = m g sin θ + F, F_n = m g cos θ.
    const double h = 1e-3, m = 2, g = 9.81, mu = 0.5;
    const auto spring = penalty_spring(m, m, 0.5, h);
    for (const double angle : {0.4, 0.6}) { // tan: 0.42 and 0.68
        CAPTURE(angle);
        double v = 0, x = 0, heat = 0, stored = 0, work = 0, early = 0;
        V3 stretch = zero3<double>();
        const int steps = 10000;
        for (int i = 0; i < steps; ++i) {
            const auto f = spring_friction(m * g * std::cos(angle), mu, spring->friction_k,
                                           spring->friction_c, stretch, V3{v, 0, 0}, h);
            const double pull = m * g * std::sin(angle), after = v + h * (pull + f.force.x) / m;
            // Heat and store go with h v, the change of kinetic energy with the mean speed.
            work += h * pull * v + 0.5 * m * (after - v) * (after - v);
            stretch = f.stretch;
            stored = f.stored;
            heat += f.dissipated;
            v = after;
            x += h * v;
            early = i == steps / 2 ? x : early;
        }
        CHECK(near(0.5 * m * v * v + stored + heat, work, 1e-11));
        if (std::tan(angle) < mu) {
            // It hangs in its spring, m g sin θ/k, and does not creep.
            CHECK(near(x, m * g * std::sin(angle) / spring->friction_k, 1e-9));
            CHECK(std::abs(x - early) < 1e-15);
        } else {
            const double a = g * (std::sin(angle) - mu * std::cos(angle)), t = steps * h;
            CHECK(near(v, a * t, 1e-3)); // the spring fills first
        }
    }
}

TEST_CASE("Penalty: laws are kernels, with derivatives where a root has none")
{
    using D = Dual<double>;
    const D k{10.0, 0.0}, alpha{0.1, 0.0}, speed{-0.5, 0.0};
    for (const double gap : {-0.2, 0.0, 0.3}) {
        const auto p = hunt_crossley_push(D{gap, 1.0}, speed, k, alpha);
        const auto at = [&](double x) { return hunt_crossley_push(x, -0.5, 10.0, 0.1).force; };
        CHECK(p.force.v == at(gap));
        CHECK(near(p.force.d, gap < 0 ? (at(gap + 1e-6) - at(gap - 1e-6)) / 2e-6 : 0, 1e-8));
    }
}

TEST_CASE("Penalty: numbers that make no contact are named")
{
    const auto says = [](const auto& made, const char* what) {
        REQUIRE_FALSE(made);
        const std::string text = made.problems().text();
        CAPTURE(text);
        CHECK(text.find(what) != std::string::npos);
    };
    const double nan = std::nan("");
    says(penalty_spring(0, 1, 0.5, 0.01), "m: effective mass must be positive, is 0");
    says(penalty_spring(1, nan, 0.5, 0.01), "m_t: effective mass must be positive, is nan");
    says(penalty_spring(1, 1, 1.5, 0.01), "restitution: must be between 0 and 1, is 1.5");
    says(penalty_spring(1, 1, 0.5, -1), "h: step must be positive, is -1");
    says(penalty_spring(1, 1, 0.5, 0.01, 2), "steps: a contact must last 4 steps or more");
    says(effective_modulus(-1, 0.3, 1e9, 0.3), "modulus: must be positive, is -1");
    says(effective_modulus(1e9, 0.6, 1e9, 0.3), "Poisson's ratio: must be above -1");
    says(effective_modulus(infinity, 0.3, infinity, 0.3), "two rigid bodies");
    says(effective_radius(0, 1), "radius: must be a number other than 0");
    says(effective_radius(1, -0.5), "do not touch in a point");
    says(hertz_stiffness(nan, 1), "modulus: must be positive, is nan");
    says(hertz_stiffness(1, infinity), "radius: must be positive, is inf");
    says(hunt_crossley_damping(0, 1), "restitution: must be above 0");
    says(hunt_crossley_damping(0.5, 0), "speed: must be positive, is 0");
}
