// SPDX-License-Identifier: MIT
#include "poinsot/solve/tree_direct.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace poinsot {

namespace {

constexpr int none = -1;

/// Which block binds each body to which other, for those who walk from the roots down.
struct BondTree {
    std::vector<int> order;  // bodies, each after the one it hangs on
    std::vector<int> bond;   // per body: the block it hangs by, or none
    std::vector<int> parent; // per body: what it hangs on; none: the world, or nothing
    std::vector<int> depth;

    /// The body at which the branches of two bodies meet, or none.
    int meet(int a, int b) const
    {
        while (a != b && a != none && b != none) {
            const auto d_a = depth[static_cast<std::size_t>(a)],
                       d_b = depth[static_cast<std::size_t>(b)];
            if (d_a >= d_b)
                a = parent[static_cast<std::size_t>(a)];
            if (d_b >= d_a)
                b = parent[static_cast<std::size_t>(b)];
        }
        return a == b ? a : none;
    }
};

BondTree tree_of(const Rows& rows, std::size_t bodies)
{
    BondTree tree;
    tree.bond.assign(bodies, none);
    tree.parent.assign(bodies, none);
    tree.depth.assign(bodies, 0);
    std::vector<std::vector<int>> at(bodies);
    std::vector<bool> reached(bodies, false);
    std::vector<int> queue;
    const auto hang = [&](int body, int block, int parent) {
        const auto i = static_cast<std::size_t>(body);
        if (reached[i])
            return;
        reached[i] = true;
        tree.bond[i] = block;
        tree.parent[i] = parent;
        tree.depth[i] = parent == none ? 0 : tree.depth[static_cast<std::size_t>(parent)] + 1;
        tree.order.push_back(body);
        queue.push_back(body);
    };
    for (std::size_t j = 0; j < rows.blocks.size(); ++j) {
        const Block& block = rows.blocks[j];
        if (block.origin != Block::Origin::joint)
            continue;
        if (block.bodies == 1)
            hang(block.body[0], static_cast<int>(j), none);
        else
            for (int i = 0; i < block.bodies; ++i)
                at[static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)])].push_back(
                    static_cast<int>(j));
    }
    const auto grow = [&] { // breadth first: the two halves of a loop come out of equal length
        for (std::size_t head = 0; head < queue.size(); ++head)
            for (const int j : at[static_cast<std::size_t>(queue[head])]) {
                const Block& block = rows.blocks[static_cast<std::size_t>(j)];
                hang(block.body[block.body[0] == queue[head] ? 1 : 0], j, queue[head]);
            }
        queue.clear();
    };
    grow();
    for (std::size_t i = 0; i < bodies; ++i) {
        hang(static_cast<int>(i), none, none);
        grow();
    }
    return tree;
}

/// The graph of what is still coupled while nodes are eliminated.
class Coupled {
  public:
    explicit Coupled(std::size_t nodes) : next_(nodes) {}
    void join(int a, int b)
    {
        next_[static_cast<std::size_t>(a)].insert(b);
        next_[static_cast<std::size_t>(b)].insert(a);
    }
    void eliminate(int v)
    {
        const std::set<int> mine = std::move(next_[static_cast<std::size_t>(v)]);
        for (const int a : mine) {
            next_[static_cast<std::size_t>(a)].erase(v);
            for (const int b : mine)
                if (a < b)
                    join(a, b);
        }
    }
    std::size_t degree(int v) const { return next_[static_cast<std::size_t>(v)].size(); }

  private:
    std::vector<std::set<int>> next_;
};

/// What the pivots of a block would be without other rows, times the tolerance.
Vec6 least_pivots(const Rows& rows, const Block& block, std::span<const MovingMass> masses,
                  double tolerance)
{
    Vec6 least{};
    for (int k = 0; k < block.rows; ++k) {
        double alone = rows.row(block, k).softness;
        for (int i = 0; i < block.bodies; ++i) {
            const Wrench<double>& J = rows.J_of(block, k, i);
            const auto body = static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)]);
            alone += power(J, masses[body].inverse_times(J));
        }
        least[static_cast<std::size_t>(k)] = tolerance * alone;
    }
    return least;
}

/// Calls work(k) for the rows of a block. Unrolled: a loop costs as much as what is done in it.
template <class Work>
[[gnu::always_inline]] inline void each_row(const Block& block, const Work& work)
{
#pragma GCC unroll 6
    for (std::size_t k = 0; k < Block::most_rows; ++k) {
        if (k == static_cast<std::size_t>(block.rows))
            return;
        work(k);
    }
}

} // namespace

bool TreeDirect::planned_for(const Rows& rows, std::size_t bodies) const
{
    if (bodies != bodies_ || shape_.size() != rows.blocks.size())
        return false;
    for (std::size_t j = 0; j < shape_.size(); ++j)
        if (shape_[j].rows != rows.blocks[j].rows || shape_[j].bodies != rows.blocks[j].bodies ||
            shape_[j].body != rows.blocks[j].body)
            return false;
    return true;
}

void TreeDirect::plan(const Rows& rows, std::size_t bodies)
{
    bodies_ = bodies;
    decided_.clear();
    shape_.clear();
    const int n = static_cast<int>(bodies);
    const std::size_t blocks = rows.blocks.size();
    const BondTree tree = tree_of(rows, bodies);
    std::vector<std::array<int, 2>> pairs;
    Coupled coupled(bodies + blocks);
    for (std::size_t j = 0; j < blocks; ++j) {
        const Block& block = rows.blocks[j];
        shape_.push_back({block.rows, block.bodies, block.body});
        for (int i = 0; i < block.bodies; ++i) {
            const int body = block.body[static_cast<std::size_t>(i)];
            pairs.push_back({body, n + static_cast<int>(j)});
            coupled.join(body, n + static_cast<int>(j));
        }
    }

    // What is eliminated after each body: the blocks that wait for it, its own bond, and what
    // drives that bond.
    std::vector<bool> may_repeat(blocks, true);
    std::vector<std::vector<int>> waits(bodies + 1), drives(bodies);
    for (const int bond : tree.bond)
        if (bond != none)
            may_repeat[static_cast<std::size_t>(bond)] = false;
    for (std::size_t j = 0; j < blocks; ++j) {
        const Block& block = rows.blocks[j];
        if (!may_repeat[j])
            continue;
        const bool drive = block.origin == Block::Origin::prescribed ||
                           block.origin == Block::Origin::limit ||
                           block.origin == Block::Origin::armature;
        int child = none;
        if (drive)
            for (int i = 0; i < block.bodies; ++i) {
                const auto body = static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)]);
                const int bond = tree.bond[body];
                if (bond != none &&
                    rows.blocks[static_cast<std::size_t>(bond)].index == block.index)
                    child = static_cast<int>(body);
            }
        if (child != none) {
            drives[static_cast<std::size_t>(child)].push_back(n + static_cast<int>(j));
            continue;
        }
        int top = block.bodies == 1 ? none : block.body[0];
        for (int i = 1; i < block.bodies; ++i)
            top = tree.meet(top, block.body[static_cast<std::size_t>(i)]);
        waits[top == none ? bodies : static_cast<std::size_t>(top)].push_back(n +
                                                                              static_cast<int>(j));
    }
    std::vector<int> order;
    const auto take = [&](int node) {
        order.push_back(node);
        coupled.eliminate(node);
    };
    const auto take_all = [&](std::vector<int>& group) { // the least coupled first
        while (!group.empty()) {
            const auto least = std::min_element(group.begin(), group.end(), [&](int a, int b) {
                return coupled.degree(a) < coupled.degree(b);
            });
            const int node = *least;
            group.erase(least);
            take(node);
        }
    };
    for (std::size_t k = bodies; k-- > 0;) {
        const int body = tree.order[k];
        const auto i = static_cast<std::size_t>(body);
        take(body);
        take_all(waits[i]);
        if (tree.bond[i] != none)
            take(n + tree.bond[i]);
        take_all(drives[i]);
    }
    take_all(waits[bodies]);

    std::vector<int> sizes(bodies, 6);
    for (const Block& block : rows.blocks)
        sizes.push_back(block.rows);
    matrix_ = BlockSparse(order, pairs, sizes);
    couplings_.assign(blocks, {});
    for (std::size_t j = 0; j < blocks; ++j)
        for (std::size_t i = 0; i < static_cast<std::size_t>(rows.blocks[j].bodies); ++i) {
            const int body = rows.blocks[j].body[i], node = n + static_cast<int>(j);
            const bool body_first = matrix_.before(body, node);
            couplings_[j][i] = {body_first ? matrix_.slot(body, node) : matrix_.slot(node, body),
                                body_first};
        }
    x_.assign(bodies + blocks, {});
    doubtful_.clear();
    for (std::size_t j = 0; j < blocks; ++j)
        if (may_repeat[j])
            doubtful_.push_back(j);
    repeats_.assign(rows.rows.size(), false);
}

void TreeDirect::factorise(const Rows& rows, std::span<const MovingMass> masses)
{
    if (!planned_for(rows, masses.size()))
        plan(rows, masses.size());
    rows_ = &rows;
    masses_ = masses;
    matrix_.begin();
    const int n = static_cast<int>(masses.size());
    for (int i = 0; i < n; ++i) {
        const MovingMass& mass = masses[static_cast<std::size_t>(i)];
        // Nothing turns a particle: any inertia will do.
        const Sym3<double> I = mass.particle() ? diagonal(1.0, 1.0, 1.0) : mass.I;
        const double m = mass.m;
        const Vec3<double> o = zero3<double>();
        Mat6<double>& K = matrix_.pivot(i); // its upper triangle, at least
        Wide({m, 0, 0}, o).store(K[0]);
        Wide({0, m, 0}, o).store(K[1]);
        Wide({0, 0, m}, o).store(K[2]);
        Wide(o, {I.xx, I.xy, I.xz}).store(K[3]);
        Wide(o, {0, I.yy, I.yz}).store(K[4]);
        Wide(o, {0, 0, I.zz}).store(K[5]);
    }
    for (std::size_t j = 0; j < rows.blocks.size(); ++j) {
        const Block& block = rows.blocks[j];
        Mat6<double>& pivot = matrix_.pivot(n + static_cast<int>(j));
        pivot = Mat6<double>{};
        const Row* const row = &rows.row(block, 0);
        each_row(block, [&](std::size_t k) { pivot[k][k] = -row[k].softness; });
        for (std::size_t i = 0; i < static_cast<std::size_t>(block.bodies); ++i) {
            const Wrench<double>* J = &rows.J_of(block, 0, static_cast<int>(i));
            if (couplings_[j][i].body_first)
                matrix_.give_columns(couplings_[j][i].slot, J, block.bodies);
            else
                matrix_.give_rows(couplings_[j][i].slot, J, block.bodies);
        }
    }
    for (const std::size_t j : doubtful_) {
        const Block& block = rows.blocks[j];
        Vec6 least = least_pivots(rows, block, masses, tolerance_);
        if (!decided_.empty())
            for (std::size_t k = 0; k < static_cast<std::size_t>(block.rows); ++k)
                if (decided_[static_cast<std::size_t>(block.first_row) + k])
                    least[k] = std::numeric_limits<double>::max();
        matrix_.set_threshold(n + static_cast<int>(j), least);
    }
    matrix_.factorise();

    rank_ = rows.count();
    if (!doubtful_.empty()) // else none is, from the plan on
        repeats_.assign(rows.rows.size(), false);
    for (const std::size_t j : doubtful_)
        for (std::size_t k = 0; k < static_cast<std::size_t>(rows.blocks[j].rows); ++k)
            if (matrix_.left_out(n + static_cast<int>(j), k)) {
                repeats_[static_cast<std::size_t>(rows.blocks[j].first_row) + k] = true;
                --rank_;
            }
}

void TreeDirect::decide(const Rows& rows, std::span<const MovingMass> masses, double tolerance)
{
    decided_.clear();
    tolerance_ = tolerance;
    factorise(rows, masses);
    tolerance_ = repeat_tolerance;
    if (rank_ < rows.count())
        decided_.assign(repeats_.begin(), repeats_.end());
}
bool TreeDirect::forget()
{
    const bool any = !decided_.empty();
    decided_.clear();
    return any;
}

/// The answer to f and b, in x_.
void TreeDirect::solve_once(std::span<const Wrench<double>> f, std::span<const double> b)
{
    const std::size_t n = masses_.size();
    for (std::size_t i = 0; i < n; ++i)
        if (masses_[i].particle())
            Wide(f[i].F, zero3<double>()).store(x_[i]);
        else
            Wide(f[i]).store(x_[i]);
    Vec6* x = x_.data() + n;
    for (const Block& block : rows_->blocks) {
        const double* const given = b.data() + block.first_row;
        each_row(block, [&](std::size_t k) { (*x)[k] = given[k]; });
        ++x;
    }
    matrix_.solve(x_);
}

void TreeDirect::solve(std::span<const Wrench<double>> f, std::span<const double> b, Answer& out)
{
    const std::size_t n = masses_.size();
    out.u.resize(n);
    out.lambda.resize(rows_->rows.size());
    const auto each = [&](const auto& take_u, const auto& take_lambda) {
        for (std::size_t i = 0; i < n; ++i)
            take_u(out.u[i], Wide(x_[i]));
        const Vec6* x = x_.data() + n;
        for (const Block& block : rows_->blocks) {
            double* const lambda = out.lambda.data() + block.first_row;
            each_row(block, [&](std::size_t k) { take_lambda(lambda[k], -(*x)[k]); });
            ++x;
        }
    };
    solve_once(f, b);
    each([](Twist<double>& u, const Wide& x) { x.store(u); },
         [](double& lambda, double x) { lambda = x; });
    out.residual = missing(*rows_, masses_, f, b, out, f_, b_);
    if (out.residual > 1e-14) {
        solve_once(f_, b_);
        each([](Twist<double>& u, const Wide& x) { (Wide(u) + x).store(u); },
             [](double& lambda, double x) { lambda += x; });
        out.residual = missing(*rows_, masses_, f, b, out, f_, b_);
    }
}

} // namespace poinsot
