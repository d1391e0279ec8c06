// SPDX-License-Identifier: MIT
#include "poinsot/solve/direct.hpp"

#include "poinsot/math/dense.hpp"

#include <Eigen/Cholesky>

namespace poinsot {

namespace {

Eigen::Vector3d vector_of(const Vec3<double>& a)
{
    return {a.x, a.y, a.z};
}
Vec3<double> vector_of(const Eigen::Vector3d& a)
{
    return {a[0], a[1], a[2]};
}

/// inv_I = C Cᵀ
Eigen::Matrix3d root_of(const Sym3<double>& A)
{
    Eigen::Matrix3d full;
    full << A.xx, A.xy, A.xz, A.xy, A.yy, A.yz, A.xz, A.yz, A.zz;
    if (A.xx == 0)
        return Eigen::Matrix3d::Zero();
    return full.llt().matrixL();
}

} // namespace

struct Direct::Parts {
    const Rows* rows = nullptr;
    std::span<const MovingMass> masses;
    std::vector<Eigen::Matrix3d> C;   // per body
    Eigen::MatrixXd G;                // scaled
    Eigen::VectorXd scale;            // per row
    CompleteOrthogonal decomposition; // of Gᵀ
    std::vector<bool> unique;
    std::vector<Wrench<double>> f;
    std::vector<double> b;

    Eigen::Index columns() const { return 6 * static_cast<Eigen::Index>(masses.size()); }

    /// Adds the answer to f and b to `out`.
    void add_solution(std::span<const Wrench<double>> f_in, std::span<const double> b_in,
                      Answer& out) const
    {
        Eigen::VectorXd y = Eigen::VectorXd::Zero(G.cols());
        for (std::size_t i = 0; i < masses.size(); ++i) {
            const auto at = 6 * static_cast<Eigen::Index>(i);
            y.segment<3>(at) = std::sqrt(masses[i].inv_m) * vector_of(f_in[i].F);
            y.segment<3>(at + 3) = C[i].transpose() * vector_of(f_in[i].tau);
        }
        if (G.rows() > 0) {
            const Eigen::Map<const Eigen::VectorXd> given(b_in.data(), G.rows());
            const Eigen::VectorXd lack = scale.cwiseProduct(given) - G * y;
            const Eigen::VectorXd change = decomposition.solve_transposed(lack);
            const Eigen::VectorXd lambda = scale.cwiseProduct(decomposition.solve(change));
            y += change;
            for (Eigen::Index r = 0; r < G.rows(); ++r)
                out.lambda[static_cast<std::size_t>(r)] += lambda[r];
        }
        for (std::size_t i = 0; i < masses.size(); ++i) {
            const auto at = 6 * static_cast<Eigen::Index>(i);
            const Eigen::Vector3d v = std::sqrt(masses[i].inv_m) * y.segment<3>(at);
            const Eigen::Vector3d w = C[i] * y.segment<3>(at + 3);
            out.u[i] = out.u[i] + Twist<double>{vector_of(v), vector_of(w)};
        }
    }
};

Direct::Direct() : parts_(std::make_unique<Parts>()) {}
Direct::~Direct() = default;
Direct::Direct(Direct&&) noexcept = default;
Direct& Direct::operator=(Direct&&) noexcept = default;

void Direct::factorise(const Rows& rows, std::span<const MovingMass> masses)
{
    Parts& p = *parts_;
    p.rows = &rows;
    p.masses = masses;
    p.C.clear();
    for (const MovingMass& mass : masses)
        p.C.push_back(root_of(mass.inv_I));
    const auto m = static_cast<Eigen::Index>(rows.rows.size());
    Eigen::Index soft = 0;
    for (const Row& row : rows.rows)
        soft += row.softness > 0;
    p.G = Eigen::MatrixXd::Zero(m, p.columns() + soft);
    p.scale = Eigen::VectorXd::Ones(m);
    soft = p.columns();
    for (const Block& block : rows.blocks)
        for (int k = 0; k < block.rows; ++k) {
            const Eigen::Index r = block.first_row + k;
            for (int i = 0; i < block.bodies; ++i) {
                const auto body = static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)]);
                const Wrench<double>& J = rows.J_of(block, k, i);
                const auto at = 6 * static_cast<Eigen::Index>(body);
                p.G.row(r).segment<3>(at) = std::sqrt(masses[body].inv_m) * vector_of(J.F);
                p.G.row(r).segment<3>(at + 3) = p.C[body].transpose() * vector_of(J.tau);
            }
            if (rows.row(block, k).softness > 0)
                p.G(r, soft++) = std::sqrt(rows.row(block, k).softness);
        }
    for (Eigen::Index r = 0; r < m; ++r)
        if (const double size = p.G.row(r).norm(); size > 0) {
            p.scale[r] = 1 / size;
            p.G.row(r) /= size;
        }
    p.unique.assign(static_cast<std::size_t>(m), true);
    if (m == 0)
        return;
    p.decomposition.factorise(p.G.transpose(), rank_tolerance);
    if (p.decomposition.rank() == m)
        return;
    const Eigen::MatrixXd idle = p.decomposition.null_space(); // multipliers that move nothing
    for (Eigen::Index r = 0; r < m; ++r)
        p.unique[static_cast<std::size_t>(r)] = idle.row(r).norm() < 1e-8;
}

void Direct::solve(std::span<const Wrench<double>> f, std::span<const double> b, Answer& out)
{
    Parts& p = *parts_;
    out.u.assign(p.masses.size(), {zero3<double>(), zero3<double>()});
    out.lambda.assign(p.rows->rows.size(), 0.0);
    p.add_solution(f, b, out);
    missing(*p.rows, p.masses, f, b, out, p.f, p.b);
    const std::vector<Wrench<double>> f_lacks = p.f;
    const std::vector<double> b_lacks = p.b;
    p.add_solution(f_lacks, b_lacks, out);
    out.residual = missing(*p.rows, p.masses, f, b, out, p.f, p.b);
}

int Direct::rank() const
{
    return parts_->G.rows() == 0 ? 0 : static_cast<int>(parts_->decomposition.rank());
}
const std::vector<bool>& Direct::unique() const
{
    return parts_->unique;
}
std::vector<double> Direct::gram() const
{
    const Eigen::MatrixXd A = parts_->G * parts_->G.transpose();
    return {A.data(), A.data() + A.size()};
}

} // namespace poinsot
