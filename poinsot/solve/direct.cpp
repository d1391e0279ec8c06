// SPDX-License-Identifier: MIT
#include "poinsot/solve/direct.hpp"

#include "poinsot/math/dense.hpp"

namespace poinsot {

namespace {

/// A = C Cᵀ by Cholesky, C lower triangular.
Mat3<double> root_of(const Sym3<double>& A)
{
    if (A.xx == 0)
        return {zero3<double>(), zero3<double>(), zero3<double>()};
    const double xx = std::sqrt(A.xx), yx = A.xy / xx, zx = A.xz / xx;
    const double yy = std::sqrt(A.yy - yx * yx), zy = (A.yz - zx * yx) / yy;
    return {{xx, 0, 0}, {yx, yy, 0}, {zx, zy, std::sqrt(A.zz - zx * zx - zy * zy)}};
}

} // namespace

struct Direct::Parts {
    const Rows* rows = nullptr;
    std::span<const MovingMass> masses;
    std::vector<Mat3<double>> C;      // per body
    Eigen::MatrixXd Gt;               // Gᵀ, scaled: a column for each row
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
        Eigen::VectorXd y = Eigen::VectorXd::Zero(Gt.rows());
        for (std::size_t i = 0; i < masses.size(); ++i) {
            const auto at = 6 * static_cast<Eigen::Index>(i);
            put_at(y.data() + at, std::sqrt(masses[i].inv_m) * f_in[i].F);
            put_at(y.data() + at + 3, transpose(C[i]) * f_in[i].tau);
        }
        if (Gt.cols() > 0) {
            Eigen::VectorXd lack(Gt.cols());
            for (Eigen::Index r = 0; r < Gt.cols(); ++r)
                lack[r] = scale[r] * b_in[static_cast<std::size_t>(r)] - Gt.col(r).dot(y);
            const Eigen::VectorXd change = decomposition.solve_transposed(lack);
            const Eigen::VectorXd lambda = decomposition.solve(change);
            y += change;
            for (Eigen::Index r = 0; r < Gt.cols(); ++r)
                out.lambda[static_cast<std::size_t>(r)] += scale[r] * lambda[r];
        }
        for (std::size_t i = 0; i < masses.size(); ++i) {
            const auto at = 6 * static_cast<Eigen::Index>(i);
            out.u[i] = out.u[i] + Twist<double>{std::sqrt(masses[i].inv_m) * vector_at(&y[at]),
                                                C[i] * vector_at(&y[at + 3])};
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
    p.Gt = Eigen::MatrixXd::Zero(p.columns() + soft, m);
    p.scale = Eigen::VectorXd::Ones(m);
    soft = p.columns();
    for (const Block& block : rows.blocks)
        for (int k = 0; k < block.rows; ++k) {
            const Eigen::Index r = block.first_row + k;
            for (int i = 0; i < block.bodies; ++i) {
                const auto body = static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)]);
                const Wrench<double>& J = rows.J_of(block, k, i);
                double* at = p.Gt.col(r).data() + 6 * body;
                put_at(at, std::sqrt(masses[body].inv_m) * J.F);
                put_at(at + 3, transpose(p.C[body]) * J.tau);
            }
            if (rows.row(block, k).softness > 0)
                p.Gt(soft++, r) = std::sqrt(rows.row(block, k).softness);
        }
    for (Eigen::Index r = 0; r < m; ++r)
        if (const double size = p.Gt.col(r).norm(); size > 0) {
            p.scale[r] = 1 / size;
            p.Gt.col(r) /= size;
        }
    p.unique.assign(static_cast<std::size_t>(m), true);
    if (m == 0)
        return;
    p.decomposition.factorise(p.Gt, rank_tolerance);
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
    return parts_->Gt.cols() == 0 ? 0 : static_cast<int>(parts_->decomposition.rank());
}
const std::vector<bool>& Direct::unique() const
{
    return parts_->unique;
}
std::vector<double> Direct::gram() const
{
    const Eigen::MatrixXd A = parts_->Gt.transpose().lazyProduct(parts_->Gt);
    return {A.data(), A.data() + A.size()};
}

} // namespace poinsot
