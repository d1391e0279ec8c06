// SPDX-License-Identifier: MIT
// Springs that swing many times within a step: implicit methods find the end of it all the same.

#include "formulations.hpp"

#include <complex>

using namespace poinsot;

namespace {

/// Two masses on a spring, stretched by `stretch`; they swing with √(2 k/m).
Builder pair(double omega, double stretch)
{
    Builder b;
    const double m = 0.5, k = 0.5 * m * omega * omega;
    for (const double side : {-1.0, 1.0})
        b.add_particle(side < 0 ? "left" : "right", m, {side * 0.5 * (1 + stretch), 0.2, 0},
                       {0, 0, 0.1});
    b.springs.push_back({"spring", {0, zero3<double>()}, {1, zero3<double>()}, k, 0, 1});
    return b;
}

/// A cube of eight masses, all of them tied to all, that drifts and spins.
Builder cube(double k, double damping, const V3& drift, const V3& omega)
{
    Builder b;
    std::vector<V3> at;
    for (int i = 0; i < 8; ++i)
        at.push_back({i & 1 ? 0.05 : -0.05, i & 2 ? 0.05 : -0.05, i & 4 ? 0.05 : -0.05});
    for (std::size_t i = 0; i < 8; ++i) {
        b.add_particle(text_of("m", i), 0.01, at[i], drift + cross(omega, at[i]));
        for (std::size_t j = 0; j < i; ++j)
            b.springs.push_back({text_of("s", i, " ", j),
                                 {static_cast<int>(j), zero3<double>()},
                                 {static_cast<int>(i), zero3<double>()},
                                 k,
                                 damping,
                                 norm(at[i] - at[j])});
    }
    return b;
}

struct Way {
    Formulation formulation;
    Method method;
};
constexpr Way ways[] = {{Formulation::maximal, Method::midpoint},
                        {Formulation::reduced, Method::midpoint},
                        {Formulation::reduced, Method::gauss}};

} // namespace

TEST_CASE("Masses on a spring that swings a hundred times in a step go on as the method's own "
          "rotation says, with all of their energy")
{
    // Of q̈ = −ω² q the midpoint rule makes a turn by 2 atan(h ω/2), Gauss' method of eighth order
    // one by the angle of P(i h ω)/P(−i h ω), P the numerator of Padé's approximant of the
    // exponential. Loads that are merely repeated grow by (h ω)²/4 each time.
    const double h = 0.01, stretch = 1e-3;
    for (const double h_omega : {1.0, 30.0, 600.0})
        for (const Way& way : ways) {
            const auto model = built(pair(h_omega / h, stretch));
            const int steps = 20;
            const Simulation sim = ran(model, run_in(way.formulation, way.method, h, steps * h));
            const std::complex<double> z(0, h_omega);
            const auto P = [](std::complex<double> x) {
                return 1.0 + x * (0.5 + x * (3.0 / 28 + x * (1.0 / 84 + x / 1680.0)));
            };
            const double turn =
                way.method == Method::gauss ? std::arg(P(z) / P(-z)) : 2 * std::atan(0.5 * h_omega);
            const Placed placed = sim.placed();
            const double length = norm(placed.bodies[1].x - placed.bodies[0].x);
            CAPTURE(h_omega);
            CAPTURE(static_cast<int>(way.method));
            // A place is rounded at 1e-16, of which a step makes up to (h ω)² as much.
            CHECK(std::abs(length - 1 - stretch * std::cos(steps * turn)) <
                  1e-12 + 1e-15 * h_omega * h_omega);
            const Books& books = sim.ledger().books();
            // A force F + δ, with δ the rounding of a place times k, makes h² F δ/2m of energy.
            const double rounding = steps * 0.25 * h_omega * h_omega * 2.2e-16 / stretch;
            CHECK(std::abs(books.total.residual.E()) < (1e-12 + rounding) * books.scale_E);
            CHECK_MESSAGE(sim.ledger().balanced(), sim.ledger().verdict());
        }
}

TEST_CASE("A lattice of point masses on stiff springs drifts and spins in steps of the implicit "
          "methods that are far longer than its swings")
{
    // Each mass hangs on seven springs of 10⁷ N/m: more than 60000 rad/s, 60 in a step of 1 ms.
    const V3 drift{0.3, -0.1, 0.2}, omega{0, 0, 2};
    const Builder b = cube(1e7, 100, drift, omega);
    const auto model = built(b);
    for (const Way& way : ways) {
        CAPTURE(static_cast<int>(way.method));
        const double until = 0.5;
        const Simulation sim = ran(model, run_in(way.formulation, way.method, 1e-3, until));
        CHECK_MESSAGE(sim.ledger().balanced(), sim.ledger().verdict());
        const Placed placed = sim.placed();
        V3 p = zero3<double>(), L = p, L_start = p;
        double off = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            const V3& start = b.bodies[i].pose.x;
            p += placed.bodies[i].p;
            L += cross(placed.bodies[i].x - until * drift, placed.bodies[i].p - 0.01 * drift);
            L_start += 0.01 * cross(start, cross(omega, start));
            off = std::max(
                off, norm(placed.bodies[i].x - until * drift - exp_matrix(until * omega) * start));
        }
        CHECK(norm(p - 0.08 * drift) < 1e-13);
        // Both methods keep L; what is left is how well their equations are solved.
        CHECK(norm(L - L_start) < 1e-9 * norm(L_start));
        // Springs are kept where the middle of a step is, and its ends lie beyond them: radius and
        // rate are off by parts of (h Ω)².
        CHECK(off < 0.5 * 4e-6 * (2 * until) * norm(b.bodies[0].pose.x));
    }
}
