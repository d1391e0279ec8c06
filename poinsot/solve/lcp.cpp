// SPDX-License-Identifier: MIT
#include "poinsot/solve/lcp.hpp"

#include "poinsot/math/dense.hpp"
#include "poinsot/math/trig.hpp"
#include "poinsot/solve/unit_scale.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace poinsot {

const char* name_of(LcpAnswer::End end)
{
    switch (end) {
    case LcpAnswer::End::solved:
        return "solved";
    case LcpAnswer::End::none:
        return "there is no solution";
    case LcpAnswer::End::ray:
        return "no solution found: pivoting ended on a ray";
    case LcpAnswer::End::lost:
        break;
    }
    return "no solution found: pivoting lost its way";
}

namespace {

// A complementarity problem without free rows, in units in which A has diagonal 1.
struct PlainLcp {
    Eigen::MatrixXd A;
    Eigen::VectorXd b;

    Eigen::Index size() const { return b.size(); }
    Eigen::VectorXd w(const Eigen::VectorXd& f) const
    {
        Eigen::VectorXd made = b;
        for (Eigen::Index j = 0; j < size(); ++j)
            for (Eigen::Index i = 0; i < size(); ++i)
                made(i) += A(i, j) * f(j);
        return made;
    }
    double lack(const Eigen::VectorXd& f) const
    {
        const Eigen::VectorXd made = w(f);
        double most = 0;
        for (Eigen::Index i = 0; i < size(); ++i)
            most = std::max(most, std::abs(std::min(f(i), made(i))));
        return most;
    }
};

// f from the rows that push: A f = −b there and on the rows `also`, 0 elsewhere, once refined.
std::optional<Eigen::VectorXd> pushed_by(const PlainLcp& plain,
                                         const std::vector<Eigen::Index>& push,
                                         const std::vector<Eigen::Index>& also)
{
    const auto n = static_cast<Eigen::Index>(push.size());
    const auto m = static_cast<Eigen::Index>(push.size() + also.size());
    const auto row = [&](Eigen::Index i) {
        return i < n ? push[static_cast<std::size_t>(i)] : also[static_cast<std::size_t>(i - n)];
    };
    Eigen::VectorXd f = Eigen::VectorXd::Zero(plain.size());
    if (n == 0)
        return f;
    Eigen::MatrixXd part(m, n);
    for (Eigen::Index j = 0; j < n; ++j)
        for (Eigen::Index i = 0; i < m; ++i)
            part(i, j) = plain.A(row(i), row(j));
    const PivotedQr qr(part);
    if (qr.rank(1e-13) < n)
        return std::nullopt;
    for (int round = 0; round < 2; ++round) {
        const Eigen::VectorXd w = plain.w(f);
        Eigen::VectorXd missing(m);
        for (Eigen::Index i = 0; i < m; ++i)
            missing(i) = -w(row(i));
        const Eigen::VectorXd more = qr.solve(missing);
        for (Eigen::Index i = 0; i < n; ++i)
            f(row(i)) += more(i);
    }
    return f;
}

// Rows w − A f − z = b as a tableau: columns w, f, z and the right-hand side.
class Lemke {
  public:
    explicit Lemke(const PlainLcp& plain)
        : n_(plain.size()), table_(n_, 2 * n_ + 2), basis_(static_cast<std::size_t>(n_))
    {
        table_.setZero();
        for (Eigen::Index i = 0; i < n_; ++i) {
            table_(i, i) = 1;
            for (Eigen::Index j = 0; j < n_; ++j)
                table_(i, n_ + j) = -plain.A(i, j);
            table_(i, 2 * n_) = -1;
            table_(i, 2 * n_ + 1) = plain.b(i);
            basis_[static_cast<std::size_t>(i)] = i;
            scale_ = std::max(scale_, std::abs(plain.b(i)));
        }
    }
    // True if z has left the basis, false on a ray; nothing if there were too many pivots, or
    // it was stopped.
    std::optional<bool> run(int& pivots, StopFlag stop)
    {
        const Eigen::Index z = 2 * n_;
        Eigen::Index row = 0;
        bool done = true;
        for (Eigen::Index i = 0; i < n_; ++i) {
            done = done && table_(i, z + 1) >= 0;
            if (table_(i, z + 1) < table_(row, z + 1))
                row = i;
        }
        if (done)
            return true;
        Eigen::Index enters = z;
        const int most = 100 * static_cast<int>(n_) + 1000;
        while (pivots < most && !is_set(stop)) {
            const Eigen::Index leaves = basis_[static_cast<std::size_t>(row)];
            pivot(row, enters);
            ++pivots;
            if (leaves == z)
                return true;
            enters = leaves < n_ ? leaves + n_ : leaves - n_;
            const std::optional<Eigen::Index> next = blocking(enters);
            if (!next)
                return false;
            row = *next;
        }
        return std::nullopt;
    }
    Eigen::VectorXd f() const
    {
        Eigen::VectorXd made = Eigen::VectorXd::Zero(n_);
        for (Eigen::Index i = 0; i < n_; ++i)
            if (const Eigen::Index k = basis_[static_cast<std::size_t>(i)]; k >= n_ && k < 2 * n_)
                made(k - n_) = std::max(0.0, table_(i, 2 * n_ + 1));
        return made;
    }
    std::vector<Eigen::Index> pushing() const
    {
        std::vector<Eigen::Index> made;
        for (const Eigen::Index k : basis_)
            if (k >= n_ && k < 2 * n_)
                made.push_back(k - n_);
        std::sort(made.begin(), made.end());
        return made;
    }

  private:
    // The row that reaches zero first; of several, the lexicographically smallest of
    // (right-hand side, B⁻¹) over the pivot; z before all.
    std::optional<Eigen::Index> blocking(Eigen::Index column) const
    {
        double largest = 0;
        for (Eigen::Index i = 0; i < n_; ++i)
            largest = std::max(largest, std::abs(table_(i, column)));
        const double least = 1e-11 * std::max(1.0, largest);
        std::optional<Eigen::Index> best;
        for (Eigen::Index i = 0; i < n_; ++i)
            if (table_(i, column) > least && (!best || before(i, *best, column)))
                best = i;
        return best;
    }
    bool before(Eigen::Index a, Eigen::Index b, Eigen::Index column) const
    {
        const double by_a = table_(a, column), by_b = table_(b, column);
        const auto order = [&](Eigen::Index k, double size) {
            const double x = table_(a, k) / by_a, y = table_(b, k) / by_b;
            const double rounding = 1e-13 * std::max({std::abs(x), std::abs(y), size});
            return x < y - rounding ? -1 : x > y + rounding ? 1 : 0;
        };
        if (const int by_rate = order(2 * n_ + 1, scale_ / std::max(by_a, by_b)))
            return by_rate < 0;
        if (basis_[static_cast<std::size_t>(b)] == 2 * n_)
            return false;
        if (basis_[static_cast<std::size_t>(a)] == 2 * n_)
            return true;
        for (Eigen::Index k = 0; k < n_; ++k)
            if (const int by_rate = order(k, 0))
                return by_rate < 0;
        return false;
    }
    void pivot(Eigen::Index row, Eigen::Index column)
    {
        const double by = table_(row, column);
        for (Eigen::Index j = 0; j < table_.cols(); ++j)
            table_(row, j) /= by;
        table_(row, column) = 1;
        for (Eigen::Index j = 0; j < table_.cols(); ++j) {
            const double own = table_(row, j);
            if (j == column || own == 0)
                continue;
            for (Eigen::Index i = 0; i < n_; ++i)
                if (i != row)
                    table_(i, j) -= table_(i, column) * own;
        }
        for (Eigen::Index i = 0; i < n_; ++i)
            if (i != row)
                table_(i, column) = 0;
        basis_[static_cast<std::size_t>(row)] = column;
    }

    Eigen::Index n_;
    Eigen::MatrixXd table_;
    std::vector<Eigen::Index> basis_;
    double scale_ = 0;
};

// Every set of pushing rows, and where it does not determine f every set of others that neither
// push nor part: the vertices of all solutions are among these.
class Combinations {
  public:
    Combinations(const PlainLcp& plain, double allowed) : plain_(plain), allowed_(allowed) {}

    std::optional<Eigen::VectorXd> find(int& tried)
    {
        const auto n = static_cast<unsigned>(plain_.size());
        for (unsigned set = 0; set < 1u << n; ++set) {
            std::vector<Eigen::Index> push, rest;
            for (unsigned i = 0; i < n; ++i)
                (set >> i & 1u ? push : rest).push_back(static_cast<Eigen::Index>(i));
            ++tried;
            const auto f = pushed_by(plain_, push, {});
            if (f && fits(*f))
                return f;
            for (unsigned more = 1; !f && more < 1u << rest.size(); ++more) {
                std::vector<Eigen::Index> also;
                for (std::size_t i = 0; i < rest.size(); ++i)
                    if (more >> i & 1u)
                        also.push_back(rest[i]);
                ++tried;
                const auto tight = pushed_by(plain_, push, also);
                if (tight && fits(*tight))
                    return tight;
            }
        }
        return std::nullopt;
    }

  private:
    bool fits(const Eigen::VectorXd& f) const { return plain_.lack(f) <= allowed_; }

    const PlainLcp& plain_;
    double allowed_;
};

double lcp_largest(const Eigen::VectorXd& x)
{
    double most = 0;
    for (Eigen::Index i = 0; i < x.size(); ++i)
        most = std::max(most, std::abs(x(i)));
    return most;
}

// The part of (A, b) with rows a and columns b of it.
Eigen::MatrixXd lcp_part(const Eigen::MatrixXd& A, const std::vector<Eigen::Index>& rows,
                         const std::vector<Eigen::Index>& columns)
{
    Eigen::MatrixXd made(static_cast<Eigen::Index>(rows.size()),
                         static_cast<Eigen::Index>(columns.size()));
    for (std::size_t j = 0; j < columns.size(); ++j)
        for (std::size_t i = 0; i < rows.size(); ++i)
            made(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
                A(rows[i], columns[j]);
    return made;
}

Eigen::VectorXd without_negative(Eigen::VectorXd f)
{
    for (Eigen::Index i = 0; i < f.size(); ++i)
        f(i) = std::max(0.0, f(i));
    return f;
}

} // namespace

Result<LcpAnswer> solve_lcp(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                            const std::vector<bool>& free, const LcpSettings& settings)
{
    Problems found;
    const Eigen::Index n = b.size();
    if (A.rows() != n || A.cols() != n)
        found.add("A", "must have ", n, " rows and columns, as many as b, has ", A.rows(), " and ",
                  A.cols());
    if (!free.empty() && static_cast<Eigen::Index>(free.size()) != n)
        found.add("free", "must be empty or say it of ", n, " rows, says it of ", free.size());
    for (Eigen::Index i = 0; i < n; ++i)
        if (!std::isfinite(b(i)))
            found.add(text_of("b, row ", i), "must be a number, is ", b(i));
    for (Eigen::Index j = 0; j < A.cols(); ++j)
        for (Eigen::Index i = 0; i < A.rows(); ++i)
            if (!std::isfinite(A(i, j)))
                found.add(text_of("A, row ", i, ", column ", j), "must be a number, is ", A(i, j));
    if (found.any())
        return found;

    // f = d f', w' = d w: powers of two round nothing.
    Eigen::VectorXd d = Eigen::VectorXd::Ones(n);
    PlainLcp all{A, b};
    for (Eigen::Index i = 0; i < n; ++i)
        if (A(i, i) > 0)
            d(i) = unit_scale(A(i, i));
    for (Eigen::Index j = 0; j < n; ++j) {
        all.b(j) *= d(j);
        for (Eigen::Index i = 0; i < n; ++i)
            all.A(i, j) *= d(i) * d(j);
    }
    std::vector<Eigen::Index> bound, loose;
    for (Eigen::Index i = 0; i < n; ++i)
        (!free.empty() && free[static_cast<std::size_t>(i)] ? loose : bound).push_back(i);
    const auto nb = static_cast<Eigen::Index>(bound.size());
    const auto nl = static_cast<Eigen::Index>(loose.size());

    // Free rows: f_l = −A_ll⁺ (b_l + A_lb f), the least of all where they repeat each other.
    PlainLcp plain{lcp_part(all.A, bound, bound), Eigen::VectorXd(nb)};
    for (Eigen::Index i = 0; i < nb; ++i)
        plain.b(i) = all.b(bound[static_cast<std::size_t>(i)]);
    CompleteOrthogonal parts;
    const Eigen::MatrixXd lb = lcp_part(all.A, loose, bound), bl = lcp_part(all.A, bound, loose);
    const auto subtract_loose = [&](const Eigen::VectorXd& right, Eigen::VectorXd out) {
        const Eigen::VectorXd x = parts.solve(right);
        for (Eigen::Index j = 0; j < nl; ++j)
            for (Eigen::Index i = 0; i < nb; ++i)
                out(i) -= bl(i, j) * x(j);
        return out;
    };
    Eigen::VectorXd bl_given(nl);
    if (nl > 0) {
        parts.factorise(lcp_part(all.A, loose, loose), 1e-12);
        for (Eigen::Index i = 0; i < nl; ++i)
            bl_given(i) = all.b(loose[static_cast<std::size_t>(i)]);
        plain.b = subtract_loose(bl_given, plain.b);
        for (Eigen::Index j = 0; j < nb; ++j)
            plain.A.col(j) = subtract_loose(lb.col(j), plain.A.col(j));
    }

    LcpAnswer made;
    made.residual = std::numeric_limits<double>::infinity();
    const double size = std::max(lcp_largest(all.b), std::numeric_limits<double>::min());
    const auto offer = [&](const Eigen::VectorXd& f) {
        Eigen::VectorXd whole = Eigen::VectorXd::Zero(n);
        for (Eigen::Index i = 0; i < nb; ++i)
            whole(bound[static_cast<std::size_t>(i)]) = f(i);
        for (int round = 0; nl > 0 && round < 2; ++round) { // the second refines the first
            const Eigen::VectorXd w = all.w(whole);
            Eigen::VectorXd missing(nl);
            for (Eigen::Index i = 0; i < nl; ++i)
                missing(i) = -w(loose[static_cast<std::size_t>(i)]);
            const Eigen::VectorXd more = parts.solve(missing);
            for (Eigen::Index i = 0; i < nl; ++i)
                whole(loose[static_cast<std::size_t>(i)]) += more(i);
        }
        const Eigen::VectorXd w = all.w(whole);
        double lack = 0;
        for (const Eigen::Index i : bound)
            lack = std::max(lack, std::abs(std::min(whole(i), w(i))));
        for (const Eigen::Index i : loose)
            lack = std::max(lack, std::abs(w(i)));
        if (!(lack / size < made.residual))
            return;
        made.residual = lack / size;
        made.f = whole;
        made.w = w;
        for (Eigen::Index i = 0; i < n; ++i) {
            made.f(i) *= d(i);
            made.w(i) /= d(i);
        }
    };

    Lemke lemke(plain);
    const std::optional<bool> end = lemke.run(made.pivots, settings.stop);
    offer(lemke.f());
    if (const auto again = pushed_by(plain, lemke.pushing(), {}))
        offer(without_negative(*again));
    made.end = !end ? LcpAnswer::End::lost : *end ? LcpAnswer::End::solved : LcpAnswer::End::ray;
    if (made.residual > settings.tolerance && nb <= settings.most_combined) {
        if (const auto f = Combinations(plain, settings.tolerance * size).find(made.combinations))
            offer(without_negative(*f));
        else
            made.end = LcpAnswer::End::none;
    }
    if (made.residual <= settings.tolerance)
        made.end = LcpAnswer::End::solved;
    else if (made.end == LcpAnswer::End::solved)
        made.end = LcpAnswer::End::lost;
    return made;
}

Result<ContactAnswer> solve_pyramids(const ContactProblem& problem, int edges,
                                     const LcpSettings& settings)
{
    using Law = ContactBlock::Law;
    Problems found = faults_of(problem);
    if (edges < 2 || edges % 2 != 0)
        found.add_at("pyramid", "edges", "must be even and at least two, is ", edges);
    for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
        const ContactBlock& block = problem.blocks[b];
        if (block.law == Law::bounded &&
            (block.lower != 0 || block.upper != std::numeric_limits<double>::infinity()))
            found.add(text_of("block ", b), "pivoting knows the bounds 0 and infinity alone");
        if (block.law == Law::contact && block.twists + block.rolls > 0)
            found.add(text_of("block ", b), "a pyramid has no torsional and rolling rows");
        if (block.law == Law::contact && block.tangents == 2 && edges < 4)
            found.add(text_of("block ", b),
                      "a pyramid on two tangential rows has four edges or more");
    }
    if (found.any())
        return found;

    // r = H f; the unknown after the edges of a contact is its speed of slip λ:
    //     edge   w = h · u_t + λ ≥ 0         λ   w = μ r_n − Σ f ≥ 0
    struct Unknown {
        int row = -1; // of the problem, or of the first tangential row
        std::array<double, 2> along{1, 0};
        int rows = 1;
        int slip = -1; // of an edge
        bool loose = false;
    };
    std::vector<Unknown> unknowns;
    struct Slip {
        int at, normal, edges;
        double mu;
    };
    std::vector<Slip> slips;
    for (const ContactBlock& block : problem.blocks) {
        if (block.law != Law::contact) {
            for (int i = 0; i < block.rows; ++i) {
                Unknown row;
                row.row = block.first + i;
                row.loose = block.law == Law::free;
                unknowns.push_back(row);
            }
            continue;
        }
        const int normal = static_cast<int>(unknowns.size());
        Unknown push;
        push.row = block.first;
        unknowns.push_back(push);
        if (block.tangents == 0 || block.mu == 0)
            continue;
        const int count = block.tangents == 1 ? 2 : edges, slip = normal + 1 + count;
        for (int e = 0; e < count; ++e) {
            Unknown edge;
            edge.row = block.first + 1;
            edge.rows = block.tangents;
            const auto [sine, cosine] = sin_cos(two_pi * e / count);
            edge.along = {block.tangents == 1 ? 1.0 - 2 * e : cosine, sine};
            edge.slip = slip;
            unknowns.push_back(edge);
        }
        slips.push_back({slip, normal, count, block.mu});
        unknowns.push_back({});
    }
    const auto size = static_cast<Eigen::Index>(unknowns.size());
    const Eigen::MatrixXd W = delassus_of(problem);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(size);
    std::vector<bool> loose(unknowns.size(), false);
    for (Eigen::Index i = 0; i < size; ++i) {
        const Unknown& own = unknowns[static_cast<std::size_t>(i)];
        loose[static_cast<std::size_t>(i)] = own.loose;
        if (own.row < 0)
            continue;
        if (own.slip >= 0)
            A(i, own.slip) = 1;
        for (int k = 0; k < own.rows; ++k) {
            const double part = own.along[static_cast<std::size_t>(k)];
            b(i) += part * problem.q(own.row + k);
            for (Eigen::Index j = 0; j < size; ++j) {
                const Unknown& other = unknowns[static_cast<std::size_t>(j)];
                for (int l = 0; other.row >= 0 && l < other.rows; ++l)
                    A(i, j) += part * W(own.row + k, other.row + l) *
                               other.along[static_cast<std::size_t>(l)];
            }
        }
    }
    for (const Slip& slip : slips) {
        A(slip.at, slip.normal) = slip.mu;
        for (int e = 1; e <= slip.edges; ++e)
            A(slip.at, slip.normal + e) = -1;
    }
    const auto lcp = solve_lcp(A, b, loose, settings);
    if (!lcp)
        return lcp.problems();

    ContactAnswer made;
    made.r = Eigen::VectorXd::Zero(problem.q.size());
    for (Eigen::Index i = 0; i < size; ++i) {
        const Unknown& own = unknowns[static_cast<std::size_t>(i)];
        for (int k = 0; own.row >= 0 && k < own.rows; ++k)
            made.r(own.row + k) += own.along[static_cast<std::size_t>(k)] * lcp->f(i);
    }
    made.u = speeds_of(problem, made.r);
    made.residual = natural_residual(problem, made.r, made.u);
    made.solved = lcp->solved();
    made.steps = lcp->pivots;
    return made;
}

} // namespace poinsot
