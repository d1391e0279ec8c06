// SPDX-License-Identifier: MIT
#include "poinsot/solve/problem.hpp"

#include "poinsot/math/wide.hpp"

namespace poinsot {

namespace {

// An inertia and its inverse side by side.
using Two = Pack<double, 2>;
Vec3<Two> pairs_of(const Vec3<double>& a)
{
    return {a.x, a.y, a.z};
}
Mat3<Two> pairs_of(const Mat3<double>& a)
{
    return {pairs_of(a.r0), pairs_of(a.r1), pairs_of(a.r2)};
}
Two pair_of(double a, double b)
{
    return Two::of(Two::Vector{a, b});
}
Sym3<Two> pairs_of(const Sym3<double>& a, const Sym3<double>& b)
{
    return {pair_of(a.xx, b.xx), pair_of(a.yy, b.yy), pair_of(a.zz, b.zz),
            pair_of(a.xy, b.xy), pair_of(a.xz, b.xz), pair_of(a.yz, b.yz)};
}
Sym3<double> lane(const Sym3<Two>& a, int i)
{
    return {a.xx[i], a.yy[i], a.zz[i], a.xy[i], a.xz[i], a.yz[i]};
}

} // namespace

void masses_of(const Placed& placed, std::vector<MovingMass>& out)
{
    out.resize(placed.bodies.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const PlacedBody& body = placed.bodies[i];
        const auto both = congruent(pairs_of(body.R), pairs_of(body.mass.I_b, body.mass.inv_I_b));
        out[i] = {body.mass.m, body.mass.inv_m, lane(both, 0), lane(both, 1)};
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

/// The largest of the first three, and of the last three.
std::array<double, 2> largest_of(const Wide& a)
{
    Vec6 numbers;
    a.store(numbers);
    return {max(numbers[0], max(numbers[1], numbers[2])),
            max(numbers[3], max(numbers[4], numbers[5]))};
}

/// What the rows of a block lack, and the sizes of what they add up.
struct Lacks {
    double size = 0, lack = 0;
    double sum = 0; // a comparison drops what is not a number, a sum does not
};

/// Puts the answer into the rows of a block, which touches so many bodies, and its reactions on
/// them.
template <std::size_t bodies>
inline Lacks put_in(const Rows& rows, const Block& block, std::span<const double> b_given,
                    const Answer& answer, const Wide& u_size, std::vector<Wrench<double>>& f,
                    std::vector<double>& b, Wide& f_size)
{
    const auto first = static_cast<std::size_t>(block.first_row),
               end = first + static_cast<std::size_t>(block.rows);
    const Wrench<double>* J_of_row = rows.J.data() + block.first_J;
    std::array<Wide, bodies> u, sum;
    for (std::size_t i = 0; i < bodies; ++i) {
        const auto body = static_cast<std::size_t>(block.body[i]);
        u[i] = Wide(answer.u[body]);
        sum[i] = Wide(f[body]);
    }
    Lacks lacks;
    Wide reactions(0.0);
    for (std::size_t r = first; r < end; ++r) {
        const double lambda = answer.lambda[r];
        Wide along, J_size; // J u, and |J| of all bodies
        for (std::size_t i = 0; i < bodies; ++i) {
            const Wide J(J_of_row[(r - first) * bodies + i]);
            sum[i] = mul_add(lambda, J, sum[i]);
            along = i == 0 ? J * u[i] : mul_add(J, u[i], along);
            J_size = i == 0 ? abs(J) : J_size + abs(J);
        }
        reactions = max(reactions, std::abs(lambda) * J_size);
        const Pack<double, 2> both = sums(along, J_size * u_size);
        const double soft = rows.rows[r].softness * lambda, lack = b_given[r] - soft - both[0];
        b[r] = lack;
        lacks.sum += lack;
        lacks.lack = max(lacks.lack, std::abs(lack));
        lacks.size = max(lacks.size, both[1] + std::abs(b_given[r]) + std::abs(soft));
    }
    for (std::size_t i = 0; i < bodies; ++i)
        sum[i].store(f[static_cast<std::size_t>(block.body[i])]);
    f_size = max(f_size, reactions);
    return lacks;
}

} // namespace

double missing(const Rows& rows, std::span<const MovingMass> masses,
               std::span<const Wrench<double>> f_given, std::span<const double> b_given,
               const Answer& answer, std::vector<Wrench<double>>& f, std::vector<double>& b)
{
    const std::size_t n = masses.size();
    f.resize(n);
    b.resize(rows.rows.size());
    Wide f_size(0.0), u_most(0.0); // what the forces given would make counts too
    for (std::size_t i = 0; i < n; ++i) {
        const MovingMass& mass = masses[i];
        const Vec3<double>&F = f_given[i].F, &v = answer.u[i].v, &omega = answer.u[i].omega;
        const Vec3<double> tau = mass.particle() ? zero3<double>() : f_given[i].tau;
        const Wide given(F, tau), needed(mass.m * v, mass.I * omega),
            alone(mass.inv_m * F, mass.inv_I * tau);
        (given - needed).store(f[i]);
        f_size = max(f_size, abs(given) + abs(needed));
        u_most = max(u_most, abs(Wide(answer.u[i])) + abs(alone));
    }
    const auto [v_most, omega_most] = largest_of(u_most);
    const Wide u_size({v_most, v_most, v_most}, {omega_most, omega_most, omega_most});
    Lacks rows_lack;
    const auto put = [&](const Block& block) {
        switch (block.bodies) {
        case 1:
            return put_in<1>(rows, block, b_given, answer, u_size, f, b, f_size);
        case 2:
            return put_in<2>(rows, block, b_given, answer, u_size, f, b, f_size);
        case 3:
            return put_in<3>(rows, block, b_given, answer, u_size, f, b, f_size);
        default:
            return put_in<4>(rows, block, b_given, answer, u_size, f, b, f_size);
        }
    };
    for (const Block& block : rows.blocks) {
        const Lacks lacks = put(block);
        rows_lack.size = max(rows_lack.size, lacks.size);
        rows_lack.lack = max(rows_lack.lack, lacks.lack);
        rows_lack.sum += lacks.sum;
    }
    Wide f_lack(0.0), sum(0.0);
    for (std::size_t i = 0; i < n; ++i) {
        sum = sum + Wide(f[i]);
        f_lack = max(f_lack, abs(Wide(f[i])));
    }
    const double all = rows_lack.sum + sums(sum, sum)[0];
    if (!std::isfinite(all))
        return all - all;
    const auto ratio = [](double lack, double size) { return lack == 0 ? 0 : lack / size; };
    const auto [F_lack, tau_lack] = largest_of(f_lack);
    const auto [F_size, tau_size] = largest_of(f_size);
    return max(ratio(F_lack, F_size),
               max(ratio(tau_lack, tau_size), ratio(rows_lack.lack, rows_lack.size)));
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
