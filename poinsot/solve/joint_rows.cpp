// SPDX-License-Identifier: MIT
#include "poinsot/solve/joint_rows.hpp"

#include "poinsot/math/cholesky.hpp"
#include "poinsot/math/dense.hpp"

#include <algorithm>
#include <limits>

namespace poinsot {

/// One row after another as forces along the joints. A row is felt in the branches that its bodies
/// are in, and nowhere else.
struct RowForces {
    struct Branch { // the links on one joint with the world, and their velocities
        int first, last;
        int v, v_end;
    };
    std::vector<Branch> branches;
    std::vector<int> branch_of; // every link
    std::vector<double> force;  // zero but in the branches of the row

    void take(const Linkage& linkage)
    {
        branches.clear();
        branch_of.resize(linkage.size());
        force.assign(static_cast<std::size_t>(linkage.nv), 0.0);
        for (int i = 0; i < static_cast<int>(linkage.size()); ++i) {
            const Link& link = linkage.links[static_cast<std::size_t>(i)];
            if (link.parent == world)
                branches.push_back({i, i, link.v, link.v});
            branches.back().last = i + 1;
            branches.back().v_end = link.v + freedoms_of(link.op);
            branch_of[static_cast<std::size_t>(i)] = static_cast<int>(branches.size()) - 1;
        }
    }
    /// The branches of a block, each once and in their order.
    void find(const Linkage& linkage, const Block& block, std::vector<int>& found) const
    {
        found.clear();
        for (int i = 0; i < block.bodies; ++i) {
            const auto body = static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)]);
            const int link = linkage.bodies[body].link;
            if (link != world)
                found.push_back(branch_of[static_cast<std::size_t>(link)]);
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
    }
    /// Row k of a block in these branches.
    const std::vector<double>& of(const Linkage& linkage, const Rows& rows, const Block& block,
                                  int k, std::span<const int> felt,
                                  std::span<const PlacedBody> bodies, LinkageSpace<double>& w)
    {
        for (const int b : felt)
            for (int i = at(b).first; i < at(b).last; ++i)
                w[i].f = {zero3<double>(), zero3<double>()};
        for (int i = 0; i < block.bodies; ++i) {
            const auto body = static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)]);
            const int link = linkage.bodies[body].link;
            if (link == world)
                continue;
            const LinkPlace<double>& frame = w.world_place[static_cast<std::size_t>(link)];
            const Wrench<double> W = shift(rows.J_of(block, k, i), frame.x - bodies[body].x);
            w[link].f = w[link].f + Wrench<double>{transpose_times(frame.R, W.F),
                                                   transpose_times(frame.R, W.tau)};
        }
        for (const int b : felt)
            for (int i = at(b).last; i-- > at(b).first;) {
                const Link& link = linkage.links[static_cast<std::size_t>(i)];
                along_joint(link, w[i].f, force.data() + link.v);
                if (link.parent != world)
                    hand_down(w[i], w[i].f, w[link.parent].f);
            }
        return force;
    }
    /// Sets what the row has left to zero again.
    void clear(std::span<const int> felt)
    {
        for (const int b : felt)
            std::fill(force.begin() + at(b).v, force.begin() + at(b).v_end, 0.0);
    }
    const Branch& at(int b) const { return branches[static_cast<std::size_t>(b)]; }
};

void joint_jacobian(const Linkage& linkage, const Rows& rows, std::span<const PlacedBody> bodies,
                    std::vector<double>& J, LinkageSpace<double>& w)
{
    RowForces forces;
    forces.take(linkage);
    std::vector<int> felt;
    const auto n = static_cast<std::size_t>(linkage.nv);
    J.resize(rows.rows.size() * n);
    for (const Block& block : rows.blocks) {
        forces.find(linkage, block, felt);
        for (int k = 0; k < block.rows; ++k) {
            const auto& row = forces.of(linkage, rows, block, k, felt, bodies, w);
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
        forces.clear(felt);
    }
}

struct JointRows::Parts {
    Eigen::MatrixXd J, X; // Jᵀ and M⁻¹ Jᵀ: a column for each row
    Eigen::MatrixXd A;
    std::vector<std::vector<int>> felt; // the branches of every block, outside which J and X vanish
    std::vector<int> block_of;          // every row
    Eigen::VectorXd scale;
    std::vector<Eigen::Index> kept; // rows that something can move
    Eigen::MatrixXd among_kept;     // A of these, scaled
    Eigen::VectorXd inverse, change_of_rows;
    LeastAnswer cholesky;
    SymmetricEigen eigen;
    bool clear = false; // the rank, and factorised by Cholesky
    int rank = 0;
    std::vector<char> decided; // rows that are left out until it is forgotten
    Eigen::MatrixXd among_all; // of that decision: A of all rows that something can move, scaled
    PivotedCholesky pivots;
    RowForces forces;
    std::vector<double> change;

    /// A of the rows that something can move, with a unit diagonal. A row whose response is below
    /// `still` of what it would be if its bodies were free is one that nothing moves.
    void scale_rows(const Rows& rows, std::span<const PlacedBody> bodies, double still,
                    Eigen::MatrixXd& scaled);

    const std::vector<int>& felt_by(Eigen::Index row) const
    {
        return felt[static_cast<std::size_t>(block_of[static_cast<std::size_t>(row)])];
    }
    /// Row r of J times column c of M⁻¹ Jᵀ.
    double product(Eigen::Index r, Eigen::Index c) const
    {
        double sum = 0;
        for (const int b : felt_by(r))
            for (Eigen::Index i = forces.at(b).v; i < forces.at(b).v_end; ++i)
                sum += J(i, r) * X(i, c);
        return sum;
    }
    bool share_a_branch(Eigen::Index r, Eigen::Index c) const
    {
        const std::vector<int>&a = felt_by(r), &b = felt_by(c);
        return std::any_of(a.begin(), a.end(),
                           [&](int one) { return std::find(b.begin(), b.end(), one) != b.end(); });
    }
    void add_column(Eigen::Index r, double times, std::span<double> out) const
    {
        for (const int b : felt_by(r))
            for (Eigen::Index i = forces.at(b).v; i < forces.at(b).v_end; ++i)
                out[static_cast<std::size_t>(i)] += X(i, r) * times;
    }
};

namespace {

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
/// The same where rows are told that repeat others, against the tolerance of that: the place may be
/// off by more than rounding, and heavy bodies behind light ones leave more than nothing.
constexpr double still_share = 1e-2;

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
        parts_->add_column(static_cast<Eigen::Index>(r), lambda[r], out);
}

void JointRows::assemble(const Linkage& linkage, const Rows& rows,
                         std::span<const PlacedBody> bodies, LinkageSpace<double>& w)
{
    Parts& p = *parts_;
    const Eigen::Index m = rows.count(), n = linkage.nv;
    p.forces.take(linkage);
    p.J.setZero(n, m);
    p.X.setZero(n, m);
    p.change.assign(static_cast<std::size_t>(n), 0.0);
    p.felt.resize(rows.blocks.size());
    p.block_of.resize(static_cast<std::size_t>(m));
    for (std::size_t at = 0; at < rows.blocks.size(); ++at) {
        const Block& block = rows.blocks[at];
        const std::vector<int>& felt = p.felt[at];
        p.forces.find(linkage, block, p.felt[at]);
        for (int k = 0; k < block.rows; ++k) {
            const Eigen::Index r = block.first_row + k;
            p.block_of[static_cast<std::size_t>(r)] = static_cast<int>(at);
            const auto& force = p.forces.of(linkage, rows, block, k, felt, bodies, w);
            for (const int b : felt) {
                const RowForces::Branch& branch = p.forces.at(b);
                solve_inertia_of(linkage, branch.first, branch.last, force, p.change, w);
                for (Eigen::Index i = branch.v; i < branch.v_end; ++i) {
                    p.J(i, r) = force[static_cast<std::size_t>(i)];
                    p.X(i, r) = p.change[static_cast<std::size_t>(i)];
                }
            }
        }
        p.forces.clear(felt);
    }
    p.A.setZero(m, m);
    for (Eigen::Index r = 0; r < m; ++r) {
        p.A(r, r) = p.product(r, r) + rows.rows[static_cast<std::size_t>(r)].softness;
        for (Eigen::Index c = 0; c < r; ++c)
            if (p.share_a_branch(r, c))
                p.A(r, c) = p.A(c, r) = 0.5 * (p.product(r, c) + p.product(c, r));
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

void JointRows::Parts::scale_rows(const Rows& rows, std::span<const PlacedBody> bodies,
                                  double still, Eigen::MatrixXd& scaled)
{
    if (decided.size() != rows.rows.size())
        decided.clear();
    scale.resize(rows.count());
    kept.clear();
    for (const Block& block : rows.blocks) // a row that nothing can move is no row
        for (int k = 0; k < block.rows; ++k) {
            const Eigen::Index r = block.first_row + k;
            const double moved = A(r, r), free = free_response(rows, block, k, bodies);
            const bool out = !decided.empty() && decided[static_cast<std::size_t>(r)];
            scale(r) = !out && moved > 0 && moved > still * free ? 1 / std::sqrt(moved) : 0;
            if (scale(r) > 0)
                kept.push_back(r);
        }
    const auto count = static_cast<Eigen::Index>(kept.size());
    scaled.resize(count, count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const Eigen::Index r = kept[static_cast<std::size_t>(i)];
        scaled(i, i) = A(r, r) * (scale(r) * scale(r));
        for (Eigen::Index k = 0; k < i; ++k) {
            const Eigen::Index c = kept[static_cast<std::size_t>(k)];
            scaled(i, k) = scaled(k, i) = A(r, c) * scale(r) * scale(c);
        }
    }
}

void JointRows::decide(const Linkage& linkage, const Rows& rows, std::span<const PlacedBody> bodies,
                       LinkageSpace<double>& w, double tolerance)
{
    Parts& p = *parts_;
    p.decided.clear();
    assemble(linkage, rows, bodies, w);
    p.scale_rows(rows, bodies, still_share * tolerance, p.among_all);
    p.pivots.factorise(p.among_all, tolerance, std::numeric_limits<double>::infinity());
    const auto count = static_cast<Eigen::Index>(p.kept.size());
    if (count == rows.count() && p.pivots.rank() == count)
        return;
    p.decided.assign(rows.rows.size(), 1);
    for (Eigen::Index k = 0; k < p.pivots.rank(); ++k)
        p.decided[static_cast<std::size_t>(p.kept[static_cast<std::size_t>(p.pivots.row(k))])] = 0;
}
bool JointRows::forget()
{
    const bool any = !parts_->decided.empty();
    parts_->decided.clear();
    return any;
}
std::span<const char> JointRows::decided() const
{
    return parts_->decided;
}

void JointRows::factorise(const Linkage& linkage, const Rows& rows,
                          std::span<const PlacedBody> bodies, LinkageSpace<double>& w)
{
    assemble(linkage, rows, bodies, w);
    Parts& p = *parts_;
    p.scale_rows(rows, bodies, unmoved, p.among_kept);
    const auto count = static_cast<Eigen::Index>(p.kept.size());
    p.clear = p.cholesky.factorise(p.among_kept, clear_pivot, clear_rest);
    if (p.clear) {
        p.rank = static_cast<int>(p.cholesky.rank());
        return;
    }
    p.eigen.factorise(p.among_kept);
    const double least = count > 0 ? rank_tolerance * p.eigen.values()(count - 1) : 0;
    p.inverse.resize(count);
    p.rank = 0;
    for (Eigen::Index r = 0; r < count; ++r) {
        const double value = p.eigen.values()(r);
        p.inverse(r) = value > least ? 1 / value : 0;
        p.rank += value > least;
    }
}

void JointRows::reply(std::span<const double> lack, std::span<double> lambda, std::span<double> out)
{
    Parts& p = *parts_;
    // λ += S A⁺ S lack, A⁺ by Cholesky or as Q D⁺ Qᵀ, and x += Xᵀ of that.
    const auto count = static_cast<Eigen::Index>(p.kept.size());
    const auto scaled_lack = [&](Eigen::Index i) {
        const Eigen::Index r = p.kept[static_cast<std::size_t>(i)];
        return p.scale(r) * lack[static_cast<std::size_t>(r)];
    };
    p.change_of_rows.setZero(count);
    if (p.clear) {
        for (Eigen::Index i = 0; i < count; ++i)
            p.change_of_rows(i) = scaled_lack(i);
        p.cholesky.solve(p.change_of_rows);
    }
    for (Eigen::Index k = 0; k < count && !p.clear; ++k) {
        const Eigen::MatrixXd& Q = p.eigen.vectors();
        double along = 0;
        for (Eigen::Index i = 0; i < count; ++i)
            along += Q(i, k) * scaled_lack(i);
        along *= p.inverse(k);
        for (Eigen::Index i = 0; i < count; ++i)
            p.change_of_rows(i) += Q(i, k) * along;
    }
    for (Eigen::Index i = 0; i < count; ++i) {
        const Eigen::Index r = p.kept[static_cast<std::size_t>(i)];
        const double change = p.scale(r) * p.change_of_rows(i);
        lambda[static_cast<std::size_t>(r)] += change;
        p.add_column(r, change, out);
    }
}

} // namespace poinsot
