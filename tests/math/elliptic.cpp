// SPDX-License-Identifier: MIT
#include "poinsot/math/elliptic.hpp"
#include "near.hpp"

#include <rapidcheck.h>

#include <numbers>
#include <random>

using namespace poinsot;

namespace {

/// ∫ f from 0 to x by Gauss–Legendre with five points on 400 intervals, in long double.
template <class F>
double integral(F f, double x)
{
    constexpr long double node[] = {0, 0.538469310105683091036314420700208805L,
                                    0.906179845938663992797626878299392965L};
    constexpr long double weight[] = {0.568888888888888888888888888888888889L,
                                      0.478628670499366468041291514835638193L,
                                      0.236926885056189087514264040719917362L};
    constexpr int pieces = 400;
    const long double h = static_cast<long double>(x) / pieces;
    long double sum = 0;
    for (int i = 0; i < pieces; ++i) {
        const long double middle = (i + 0.5L) * h;
        sum += weight[0] * f(middle);
        for (int k = 1; k < 3; ++k)
            sum += weight[k] * (f(middle - 0.5L * h * node[k]) + f(middle + 0.5L * h * node[k]));
    }
    return static_cast<double>(0.5L * h * sum);
}

/// A complement k' from 1e-8 to 1 and an argument of up to ten quarter periods.
struct Case {
    double kc, u;

    explicit Case(unsigned seed)
    {
        std::mt19937_64 random(seed);
        std::uniform_real_distribution<double> unit(0, 1);
        kc = std::pow(10.0, -8 * unit(random) * unit(random));
        u = 10 * Ladder<double>(kc).quarter_period() * (2 * unit(random) - 1);
    }
};

} // namespace

TEST_CASE("Elliptic: the quarter period K has its known values")
{
    const auto K = [](double m) { return Ladder<double>(std::sqrt(1 - m)).quarter_period(); };
    CHECK(K(0) == std::numbers::pi / 2);
    CHECK(near(K(0.5), 1.85407467730137191843, 1e-15)); // the lemniscate
    CHECK(near(K(0.25), 1.68575035481259604287, 1e-15));
    CHECK(near(K(0.99), 3.69563736298987468, 1e-14)); // 1 − 0.99 is rounded
    // K = ln(4/k') (1 + k'²/4 …)
    for (const double kc : {1e-8, 1e-30, 1e-150, 1e-300})
        CHECK(near(Ladder<double>(kc).quarter_period(), std::log(4.0) - std::log(kc), 1e-14));
}

TEST_CASE("Elliptic: sn, cn and dn at half a quarter period are square roots of k'")
{
    for (const double kc : {1.0, 0.9, 0.5, 0.01, 1e-6, 1e-100}) {
        const Ladder<double> ladder(kc);
        const auto [sn, cn, dn] = ladder.at(0.5 * ladder.quarter_period());
        // K/2 itself is rounded: small values move by K ε
        const double allowed = 4e-16 * (1 + ladder.quarter_period());
        CHECK(near(sn, 1 / std::sqrt(1 + kc), allowed));
        CHECK(near(cn, std::sqrt(kc / (1 + kc)), allowed));
        CHECK(near(dn, std::sqrt(kc), allowed));
    }
}

TEST_CASE("Elliptic: a circle at one end, hyperbolic functions at the other")
{
    for (double u = -9; u < 9; u += 0.37) {
        const auto round = Ladder<double>(1.0).at(u);
        CHECK(near(round.sn, std::sin(u), 1e-15, 1));
        CHECK(near(round.cn, std::cos(u), 1e-15, 1));
        CHECK(round.dn == 1);
        const auto flat = Ladder<double>(1e-300).at(u);
        CHECK(near(flat.sn, std::tanh(u), 2e-15));
        CHECK(near(flat.cn, 1 / std::cosh(u), 2e-14)); // M u has the rounding of 690 M
        CHECK(near(flat.dn, 1 / std::cosh(u), 2e-14));
    }
}

TEST_CASE("Elliptic: sn^2 + cn^2 = 1 and dn^2 + m sn^2 = 1")
{
    CHECK(rc::check([](unsigned seed) {
        const Case at(seed);
        const auto [sn, cn, dn] = Ladder<double>(at.kc).at(at.u);
        RC_ASSERT(near(sn * sn + cn * cn, 1, 1e-15));
        // dn² = k'² sn² + cn²: the form that does not cancel
        RC_ASSERT(near(dn * dn, at.kc * at.kc * sn * sn + cn * cn, 2e-13));
    }));
}

TEST_CASE("Elliptic: periods, and parity")
{
    CHECK(rc::check([](unsigned seed) {
        const Case at(seed);
        const Ladder<double> ladder(at.kc);
        const double K = ladder.quarter_period();
        const auto f = ladder.at(at.u), g = ladder.at(at.u + 2 * K), h = ladder.at(-at.u);
        const double allowed = 2e-15 * (1 + std::abs(at.u) + 2 * K); // rounding of the argument
        RC_ASSERT(near(g.sn, -f.sn, allowed, 1));
        RC_ASSERT(near(g.cn, -f.cn, allowed, 1));
        RC_ASSERT(near(g.dn, f.dn, allowed, 1));
        RC_ASSERT(h.sn == -f.sn);
        RC_ASSERT(h.cn == f.cn);
        RC_ASSERT(h.dn == f.dn);
    }));
}

TEST_CASE("Elliptic: the addition theorem")
{
    CHECK(rc::check([](unsigned seed) {
        const Case at(seed);
        const Ladder<double> ladder(at.kc);
        const double v = 0.3 * at.u;
        const auto f = ladder.at(at.u), g = ladder.at(v), sum = ladder.at(at.u + v);
        const double D = g.cn * g.cn + g.sn * g.sn * f.dn * f.dn;
        const double allowed = 4e-15 * (1 + std::abs(at.u)) * (1 + 1 / std::sqrt(D));
        RC_ASSERT(near((f.sn * g.cn * g.dn + g.sn * f.cn * f.dn) / D, sum.sn, allowed, 1));
        RC_ASSERT(near((f.cn * g.cn - f.sn * f.dn * g.sn * g.dn) / D, sum.cn, allowed, 1));
        const double m = (1 - at.kc) * (1 + at.kc);
        RC_ASSERT(near((f.dn * g.dn - m * f.sn * f.cn * g.sn * g.cn) / D, sum.dn, allowed, 1));
    }));
}

TEST_CASE("Elliptic: the integral of the first kind undoes sn")
{
    for (const double kc : {1.0, 0.8, 0.3, 0.05})
        for (const double share : {-0.9, 1e-8, 0.1, 0.5, 0.8}) {
            const Ladder<double> ladder(kc);
            const double u = share * ladder.quarter_period();
            const auto [sn, cn, dn] = ladder.at(u);
            const double phi = std::atan2(sn, cn), b2 = kc * kc;
            const auto f = [&](long double x) {
                const long double s = std::sin(x), c = std::cos(x);
                return 1 / std::sqrt(c * c + b2 * s * s);
            };
            CHECK(near(integral(f, phi), u, 4e-15));
        }
}

TEST_CASE("Elliptic: small and large arguments keep their digits")
{
    const Ladder<double> ladder(0.4);
    for (const double u : {1e-300, 1e-120, 1e-20, 1e-9})
        CHECK(near(ladder.at(u).sn, u, 2e-16));
    CHECK(ladder.at(0.0).sn == 0);
    CHECK(ladder.at(0.0).cn == 1);
    // a million periods: the argument is exact, so only M's rounding counts
    const double u = 1e6;
    const Jacobi<double> far = ladder.at(u);
    CHECK(near(far.sn * far.sn + far.cn * far.cn, 1, 1e-15));
    for (const double absurd : {1e20, 1e308, std::numeric_limits<double>::infinity()}) {
        const Jacobi<double> f = ladder.at(absurd);
        CHECK(near(f.sn * f.sn + f.cn * f.cn, 1, 1e-15));
    }
    CHECK(std::isnan(ladder.at(std::numeric_limits<double>::quiet_NaN()).dn));
}

TEST_CASE("Elliptic: the integral of the third kind is what quadrature gives")
{
    for (const double kc : {1.0, 0.8, 0.3, 0.05})
        for (const double nu : {1e-12, 1e-3, 0.3, 1.0, 7.0, 40.0})
            for (const double share : {-0.9, 1e-3, 0.5, 1.0, 2.7}) {
                const Ladder<double> ladder(kc);
                const double u = share * ladder.quarter_period();
                const auto f = [&](long double x) {
                    const double sn = ladder.at(static_cast<double>(x)).sn;
                    return 1 / (1 + static_cast<long double>(nu) * sn * sn);
                };
                CHECK(near(third_integral(u, kc, nu), integral(f, u), 1e-13));
            }
}

TEST_CASE("Elliptic: the integral of the third kind in closed form for a circle")
{
    for (const double nu : {0.0, 1e-6, 0.5, 100.0, 1e8})
        for (const double u : {-1.5, 0.1, 1.2}) {
            const double p = std::sqrt(1 + nu);
            CHECK(near(third_integral(u, 1.0, nu), std::atan(p * std::tan(u)) / p, 3e-15 * p));
        }
}

TEST_CASE("Elliptic: a half turn of the wave costs the same however many there are")
{
    const double kc = 0.2, nu = 1.7;
    const double K = Ladder<double>(kc).quarter_period();
    const double half = third_integral(2 * K, kc, nu);
    for (const double n : {1.0, 10.0, 1e6})
        CHECK(near(third_integral(2 * n * K, kc, nu), n * half, 1e-14));
}
