// SPDX-License-Identifier: MIT
#include "poinsot/contacts/penalty.hpp"

#include "poinsot/math/exp_log.hpp"
#include "poinsot/math/trig.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace poinsot {

namespace {

bool positive_number(double x)
{
    return x > 0 && std::isfinite(x);
}

// Where a rising f is zero, between low and high.
template <class F>
double risen_to_zero(F f, double low, double high)
{
    for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high))
            break;
        (f(middle) < 0 ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

double log_of_1_plus(double y)
{
    const double sum = 1 + y; // what it lost of y is made good by the ratio
    return sum == 1 ? y : logarithm(sum) * (y / (sum - 1));
}

// y − ln(1 + y), right for small y: its series where the difference has lost half its digits.
double beyond_log(double y)
{
    if (std::abs(y) > 0.02)
        return y - log_of_1_plus(y);
    double sum = 0, power = 1;
    for (int n = 2; n <= 10; ++n) {
        sum += power / n;
        power *= -y;
    }
    return y * y * sum;
}

double tangent(double x)
{
    const SinCos<double> of_x = sin_cos(x);
    return of_x.sin / of_x.cos;
}
// x coth x; its series where the difference in tanh would lose digits.
double times_coth(double x)
{
    const double E = exponential(2 * x);
    return x < 1e-3 ? 1 + x * x / 3 : x * (E + 1) / (E - 1);
}

} // namespace

Result<PenaltySpring> penalty_spring(double m, double m_t, double restitution, double h,
                                     double steps)
{
    Problems found;
    if (!positive_number(m))
        found.add("m", "effective mass must be positive, is ", m);
    if (!positive_number(m_t))
        found.add("m_t", "effective mass must be positive, is ", m_t);
    if (!(restitution >= 0 && restitution <= 1))
        found.add("restitution", "must be between 0 and 1, is ", restitution);
    if (!positive_number(h))
        found.add("h", "step must be positive, is ", h);
    if (!(steps >= 4 && std::isfinite(steps)))
        found.add("steps", "a contact must last 4 steps or more to be seen, is ", steps);
    if (found.any())
        return found;

    using std::numbers::pi;
    PenaltySpring made;
    made.restitution = std::max(restitution, PenaltySpring::least_restitution);
    const double loss = -logarithm(made.restitution), lasts = steps * h;
    if (loss < 2) {
        // (π − 2β) tan β grows from 0 to 2.
        const double beta =
            risen_to_zero([&](double b) { return (pi - 2 * b) * tangent(b) - loss; }, 0, pi / 2);
        const SinCos<double> of_beta = sin_cos(beta);
        made.zeta = of_beta.sin;
        made.omega = (pi - 2 * beta) / (of_beta.cos * lasts);
    } else {
        const double gamma =
            risen_to_zero([&](double g) { return 2 * times_coth(g) - loss; }, 0, loss);
        const double grown = exponential(gamma), cosh = 0.5 * (grown + 1 / grown);
        made.zeta = cosh;
        made.omega = 2 * times_coth(gamma) / (cosh * lasts); // γ/sinh γ = γ coth γ / cosh γ
    }
    made.k = m * made.omega * made.omega;
    made.c = 2 * made.zeta * m * made.omega;
    made.friction_k = m_t * made.omega * made.omega;
    made.friction_c = 2 * m_t * made.omega;
    return made;
}

Result<double> effective_modulus(double E1, double nu1, double E2, double nu2)
{
    Problems found;
    for (const double E : {E1, E2})
        if (!(E > 0))
            found.add("modulus", "must be positive, is ", E);
    for (const double nu : {nu1, nu2})
        if (!(nu > -1 && nu <= 0.5))
            found.add("Poisson's ratio", "must be above -1 and at most 0.5, is ", nu);
    const double softness = (1 - nu1 * nu1) / E1 + (1 - nu2 * nu2) / E2;
    if (!found.any() && !(softness > 0))
        found.add("modulus", "two rigid bodies have no stiffness of contact: one must yield");
    if (found.any())
        return found;
    return 1 / softness;
}

Result<double> effective_radius(double R1, double R2)
{
    Problems found;
    for (const double R : {R1, R2})
        if (std::isnan(R) || R == 0)
            found.add("radius", "must be a number other than 0, is ", R);
    const double curvature = 1 / R1 + 1 / R2;
    if (!found.any() && !(curvature > 0))
        found.add("radius", "bodies of radius ", R1, " and ", R2,
                  " do not touch in a point: 1/R1 + 1/R2 must be positive, is ", curvature);
    if (found.any())
        return found;
    return 1 / curvature;
}

Result<double> hertz_stiffness(double E, double R)
{
    Problems found;
    if (!positive_number(E))
        found.add("modulus", "must be positive, is ", E);
    if (!positive_number(R))
        found.add("radius", "must be positive, is ", R);
    if (found.any())
        return found;
    return 4.0 / 3 * E * std::sqrt(R);
}

Result<double> hunt_crossley_damping(double restitution, double speed)
{
    Problems found;
    if (!(restitution > 0 && restitution <= 1))
        found.add("restitution", "must be above 0, which no damper reaches, and at most 1, is ",
                  restitution);
    if (!positive_number(speed))
        found.add("speed", "must be positive, is ", speed);
    if (found.any())
        return found;
    if (restitution == 1)
        return 0.0;
    // In w = e z, between 0 and 1: the right side is below the left at first and rises to ∞.
    const double e = restitution;
    const double w =
        risen_to_zero([&](double y) { return beyond_log(-y) - beyond_log(y / e); }, 0, 1);
    return 2.0 / 3 * (w / e) / speed;
}

double hunt_crossley_restitution(double alpha, double speed)
{
    const double z = 1.5 * alpha * speed;
    if (!(z > 0))
        return 1;
    const double went_in = beyond_log(z);
    return risen_to_zero([&](double w) { return beyond_log(-w) - went_in; }, 0, std::min(1.0, z)) /
           z;
}

} // namespace poinsot
