// SPDX-License-Identifier: MIT
#include "poinsot/solve/joint_rows.hpp"

#include "poinsot/math/cholesky.hpp"
#include "poinsot/math/dense.hpp"

namespace poinsot {

/// One row after another as forces along the joints.
struct RowForces {
    std::vector<Wrench<double>> on_bodies, on_links;
    std::vector<double> force;

    const std::vector<double>& of(const Linkage& linkage, const Rows& rows, const Block& block,
                                  int k, std::span<const PlacedBody> bodies,
                                  LinkageSpace<double>& w)
    {
        on_bodies.assign(bodies.size(), {zero3<double>(), zero3<double>()});
        on_links.resize(linkage.size());
        force.resize(static_cast<std::size_t>(linkage.nv));
        for (int i = 0; i < block.bodies; ++i) {
            auto& on = on_bodies[static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)])];
            on = on + rows.J_of(block, k, i); // a gear may touch a body twice
        }
        link_loads(linkage, bodies, on_bodies, on_links, w);
        joint_forces<double>(linkage, on_links, force, w);
        return force;
    }
};

void joint_jacobian(const Linkage& linkage, const Rows& rows, std::span<const PlacedBody> bodies,
                    std::vector<double>& J, LinkageSpace<double>& w)
{
    RowForces forces;
    const auto n = static_cast<std::size_t>(linkage.nv);
    J.resize(rows.rows.size() * n);
    for (const Block& block : rows.blocks)
        for (int k = 0; k < block.rows; ++k) {
            const auto& row = forces.of(linkage, rows, block, k, bodies, w);
            double size = 0, most = 0;
            for (int i = 0; i < block.bodies; ++i)
                size = max(size, norm(rows.J_of(block, k, i).F) + norm(rows.J_of(block, k, i).tau));
            for (const double x : row)
                most = max(most, std::abs(x));
            const auto out = J.begin() + static_cast<std::ptrdiff_t>(
                                             static_cast<std::size_t>(block.first_row + k) * n);
            if (most > 1e-10 * size) // the root of `unmoved`
                std::copy(row.begin(), row.end(), out);
            else
                std::fill_n(out, n, 0.0);
        }
}

struct JointRows::Parts {
    Eigen::MatrixXd J, X; // Jᵀ and M⁻¹ Jᵀ: a column for each row
    Eigen::MatrixXd A;
    Eigen::VectorXd scale, inverse, change_of_rows;
    LeastAnswer cholesky;
    SymmetricEigen eigen;
    bool clear = false; // the rank, and factorised by Cholesky
    int rank = 0;
    RowForces forces;
    std::vector<double> change;
};

namespace {

/// Column i of A times column k of B.
double product(const Eigen::MatrixXd& A, Eigen::Index i, const Eigen::MatrixXd& B, Eigen::Index k)
{
    double sum = 0;
    for (Eigen::Index r = 0; r < A.rows(); ++r)
        sum += A(r, i) * B(r, k);
    return sum;
}

/// J M⁻¹ Jᵀ of a row if no joint held its bodies.
double free_response(const Rows& rows, const Block& block, int k,
                     std::span<const PlacedBody> bodies)
{
    double sum = 0;
    for (int i = 0; i < block.bodies; ++i) {
        const Wrench<double>& J = rows.J_of(block, k, i);
        const PlacedBody& body =
            bodies[static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)])];
        sum +=
            power(J, {body.mass.inv_m * J.F, angular_velocity(body.R, body.mass.inv_I_b, J.tau)});
    }
    return sum;
}

/// A row that the joints of the tree leave no motion responds with the square of rounding, 1e-32 of
/// what free bodies would; the least that a chain of masses from 1 to 10⁶ leaves is far above.
constexpr double unmoved = 1e-20;

} // namespace

JointRows::JointRows() : parts_(std::make_unique<Parts>()) {}
JointRows::~JointRows() = default;
JointRows::JointRows(JointRows&&) noexcept = default;
JointRows& JointRows::operator=(JointRows&&) noexcept = default;

int JointRows::rank() const
{
    return parts_->rank;
}

std::span<const double> JointRows::A() const
{
    return {parts_->A.data(), static_cast<std::size_t>(parts_->A.size())};
}

void JointRows::add_change(std::span<const double> lambda, std::span<double> out) const
{
    for (std::size_t r = 0; r < lambda.size(); ++r)
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] +=
                parts_->X(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(r)) * lambda[r];
}

void JointRows::assemble(const Linkage& linkage, const Rows& rows,
                         std::span<const PlacedBody> bodies, LinkageSpace<double>& w)
{
    Parts& p = *parts_;
    const Eigen::Index m = rows.count(), n = linkage.nv;
    p.J.resize(n, m);
    p.X.resize(n, m);
    p.change.resize(static_cast<std::size_t>(n));
    for (const Block& block : rows.blocks)
        for (int k = 0; k < block.rows; ++k) {
            const auto& force = p.forces.of(linkage, rows, block, k, bodies, w);
            solve_inertia<double>(linkage, force, p.change, w);
            const Eigen::Index r = block.first_row + k;
            for (Eigen::Index i = 0; i < n; ++i) {
                p.J(i, r) = force[static_cast<std::size_t>(i)];
                p.X(i, r) = p.change[static_cast<std::size_t>(i)];
            }
        }
    p.A.resize(m, m);
    for (Eigen::Index r = 0; r < m; ++r) {
        p.A(r, r) = product(p.J, r, p.X, r) + rows.rows[static_cast<std::size_t>(r)].softness;
        for (Eigen::Index c = 0; c < r; ++c)
            p.A(r, c) = p.A(c, r) = 0.5 * (product(p.J, r, p.X, c) + product(p.J, c, p.X, r));
    }
}

void JointRows::part_unmoved(const Rows& rows, std::span<const PlacedBody> bodies)
{
    Parts& p = *parts_;
    for (const Block& block : rows.blocks)
        for (int k = 0; k < block.rows; ++k) {
            const Eigen::Index r = block.first_row + k;
            const double free = free_response(rows, block, k, bodies);
            if (!(p.A(r, r) <= unmoved * free) || !(free > 0))
                continue;
            for (Eigen::Index c = 0; c < p.A.rows(); ++c)
                p.A(r, c) = p.A(c, r) = 0;
            p.A(r, r) = free;
            for (Eigen::Index i = 0; i < p.X.rows(); ++i)
                p.X(i, r) = 0;
        }
}

void JointRows::factorise(const Linkage& linkage, const Rows& rows,
                          std::span<const PlacedBody> bodies, LinkageSpace<double>& w)
{
    assemble(linkage, rows, bodies, w);
    Parts& p = *parts_;
    const Eigen::Index m = rows.count();
    p.scale.resize(m);
    for (const Block& block : rows.blocks) // a row that nothing can move is no row
        for (int k = 0; k < block.rows; ++k) {
            const Eigen::Index r = block.first_row + k;
            const double moved = p.A(r, r), free = free_response(rows, block, k, bodies);
            p.scale(r) = moved > 0 && moved > unmoved * free ? 1 / std::sqrt(moved) : 0;
        }
    for (Eigen::Index r = 0; r < m; ++r) {
        p.A(r, r) *= p.scale(r) * p.scale(r);
        for (Eigen::Index c = 0; c < r; ++c)
            p.A(r, c) = p.A(c, r) = p.A(r, c) * p.scale(r) * p.scale(c);
    }
    p.clear = p.cholesky.factorise(p.A, clear_pivot, clear_rest);
    if (p.clear) {
        p.rank = static_cast<int>(p.cholesky.rank());
        return;
    }
    p.eigen.factorise(p.A);
    const double least = m > 0 ? rank_tolerance * p.eigen.values()(m - 1) : 0;
    p.inverse.resize(m);
    p.rank = 0;
    for (Eigen::Index r = 0; r < m; ++r) {
        const double value = p.eigen.values()(r);
        p.inverse(r) = value > least ? 1 / value : 0;
        p.rank += value > least;
    }
}

void JointRows::reply(std::span<const double> lack, std::span<double> lambda, std::span<double> out)
{
    Parts& p = *parts_;
    // λ += S A⁺ S lack, A⁺ by Cholesky or as Q D⁺ Qᵀ, and x += Xᵀ of that.
    const Eigen::Index m = p.A.rows();
    p.change_of_rows.setZero(m);
    if (p.clear) {
        for (Eigen::Index r = 0; r < m; ++r)
            p.change_of_rows(r) = p.scale(r) * lack[static_cast<std::size_t>(r)];
        p.cholesky.solve(p.change_of_rows);
    }
    for (Eigen::Index k = 0; k < m && !p.clear; ++k) {
        const Eigen::MatrixXd& Q = p.eigen.vectors();
        double along = 0;
        for (Eigen::Index r = 0; r < m; ++r)
            along += Q(r, k) * p.scale(r) * lack[static_cast<std::size_t>(r)];
        along *= p.inverse(k);
        for (Eigen::Index r = 0; r < m; ++r)
            p.change_of_rows(r) += Q(r, k) * along;
    }
    for (Eigen::Index r = 0; r < m; ++r) {
        const double change = p.scale(r) * p.change_of_rows(r);
        lambda[static_cast<std::size_t>(r)] += change;
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] += p.X(static_cast<Eigen::Index>(i), r) * change;
    }
}

} // namespace poinsot
