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

namespace {

/// |x| + |y| + |z|
double size_of(const Vec3<double>& a)
{
    return abs(a.x) + abs(a.y) + abs(a.z);
}

} // namespace

double missing(const Rows& rows, std::span<const MovingMass> masses,
               std::span<const Wrench<double>> f_given, std::span<const double> b_given,
               const Answer& answer, std::vector<Wrench<double>>& f, std::vector<double>& b)
{
    const std::size_t n = masses.size();
    f.resize(n);
    b.resize(rows.rows.size());
    double F_size = 0, tau_size = 0, row_size = 0, F_lack = 0, tau_lack = 0, row_lack = 0;
    double v_size = 0, omega_size = 0; // of what the forces given would make
    for (std::size_t i = 0; i < n; ++i) {
        const MovingMass& mass = masses[i];
        const Twist<double>& u = answer.u[i];
        const Wrench<double>& given = f_given[i];
        f[i] = {given.F - mass.m * u.v,
                mass.particle() ? zero3<double>() : given.tau - mass.I * u.omega};
        F_size = max(F_size, size_of(given.F) + mass.m * size_of(u.v));
        tau_size = max(tau_size, size_of(given.tau) + size_of(mass.I * u.omega));
        v_size = max(v_size, size_of(u.v) + mass.inv_m * size_of(given.F));
        omega_size = max(omega_size, size_of(u.omega) + size_of(mass.inv_I * given.tau));
    }
    for (const Block& block : rows.blocks) {
        const auto first = static_cast<std::size_t>(block.first_row);
        const auto count = static_cast<std::size_t>(block.rows);
        std::array<double, Block::most_rows> lack{}, terms{};
        for (std::size_t k = 0; k < count; ++k) {
            const double soft = rows.rows[first + k].softness * answer.lambda[first + k];
            lack[k] = b_given[first + k] - soft;
            terms[k] = abs(b_given[first + k]) + abs(soft);
        }
        for (int i = 0; i < block.bodies; ++i) {
            const auto at = static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)]);
            const Twist<double> u = answer.u[at];
            Wrench<double> sum = f[at];
            for (std::size_t k = 0; k < count; ++k) {
                const Wrench<double>& J = rows.J_of(block, static_cast<int>(k), i);
                const double lambda = answer.lambda[first + k];
                lack[k] -= power(J, u);
                sum = {mul_add(lambda, J.F, sum.F), mul_add(lambda, J.tau, sum.tau)};
                const double J_F = size_of(J.F), J_tau = size_of(J.tau);
                F_size = max(F_size, abs(lambda) * J_F);
                tau_size = max(tau_size, abs(lambda) * J_tau);
                terms[k] += J_F * v_size + J_tau * omega_size;
            }
            f[at] = sum;
        }
        for (std::size_t k = 0; k < count; ++k) {
            b[first + k] = lack[k];
            row_size = max(row_size, terms[k]);
            row_lack = abs(lack[k]) <= row_lack ? row_lack : abs(lack[k]); // a NaN stays
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        F_lack = max(F_lack, size_of(f[i].F));
        tau_lack = max(tau_lack, size_of(f[i].tau));
    }
    const auto ratio = [](double lack, double size) { return lack == 0 ? 0 : lack / size; };
    return max(ratio(F_lack, F_size), max(ratio(tau_lack, tau_size), ratio(row_lack, row_size)));
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
