// SPDX-License-Identifier: MIT
#include "poinsot/solve/problem.hpp"

namespace poinsot {

void masses_of(const Placed& placed, std::vector<MovingMass>& out)
{
    out.resize(placed.bodies.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const PlacedBody& body = placed.bodies[i];
        out[i] = {body.mass.m, body.mass.inv_m, congruent(body.R, body.mass.I_b),
                  congruent(body.R, body.mass.inv_I_b)};
    }
}

void unbound_forces(const Placed& placed, std::span<const Wrench<double>> loads,
                    std::vector<Wrench<double>>& out)
{
    out.resize(placed.bodies.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const PlacedBody& body = placed.bodies[i];
        const Vec3<double> L = apply_in_body(body.R, body.mass.I_b, body.omega);
        out[i] = {loads[i].F, loads[i].tau - cross(body.omega, L)};
    }
}

double missing(const Rows& rows, std::span<const MovingMass> masses,
               std::span<const Wrench<double>> f_given, std::span<const double> b_given,
               const Answer& answer, std::vector<Wrench<double>>& f, std::vector<double>& b)
{
    const std::size_t n = masses.size();
    f.resize(n);
    b.resize(rows.rows.size());
    thread_local std::vector<std::array<double, 2>> size; // of the terms of each body
    size.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Wrench<double> Mu = masses[i].times(answer.u[i]);
        f[i] = {f_given[i].F - Mu.F,
                masses[i].particle() ? zero3<double>() : f_given[i].tau - Mu.tau};
        size[i] = {norm(f_given[i].F) + norm(Mu.F), norm(f_given[i].tau) + norm(Mu.tau)};
    }
    double worst = 0;
    for (const Block& block : rows.blocks)
        for (int k = 0; k < block.rows; ++k) {
            const auto r = static_cast<std::size_t>(block.first_row + k);
            const double lambda = answer.lambda[r], s = rows.rows[r].softness;
            double lack = b_given[r] - s * lambda, terms = abs(b_given[r]) + s * abs(lambda);
            for (int i = 0; i < block.bodies; ++i) {
                const auto at = static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)]);
                const Wrench<double>& J = rows.J_of(block, k, i);
                const Twist<double>& u = answer.u[at];
                lack -= power(J, u);
                const double J_F = norm(J.F), J_tau = norm(J.tau);
                terms += J_F * norm(u.v) + J_tau * norm(u.omega);
                f[at] = f[at] + lambda * J;
                size[at][0] += abs(lambda) * J_F;
                size[at][1] += abs(lambda) * J_tau;
            }
            b[r] = lack;
            if (lack != 0)
                worst = max(worst, abs(lack) / terms);
        }
    for (std::size_t i = 0; i < n; ++i) {
        if (norm(f[i].F) > 0)
            worst = max(worst, norm(f[i].F) / size[i][0]);
        if (norm(f[i].tau) > 0)
            worst = max(worst, norm(f[i].tau) / size[i][1]);
    }
    return worst;
}

void add_multipliers(const Rows& rows, std::span<const double> lambda,
                     std::span<Wrench<double>> out)
{
    for (const Block& block : rows.blocks)
        for (int k = 0; k < block.rows; ++k)
            for (int i = 0; i < block.bodies; ++i) {
                Wrench<double>& W =
                    out[static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)])];
                W = W +
                    lambda[static_cast<std::size_t>(block.first_row + k)] * rows.J_of(block, k, i);
            }
}

} // namespace poinsot
