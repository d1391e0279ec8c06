// SPDX-License-Identifier: MIT
#include "poinsot/solve/cone_bodies.hpp"

#include "poinsot/math/block_lu.hpp"
#include "poinsot/math/wide.hpp"
#include "poinsot/solve/cone_map.hpp"
#include "poinsot/solve/gauss_seidel.hpp"
#include "poinsot/solve/unit_scale.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

using Six = BlockLu::Six;
using ConeSquare = ConeSlopes::Square;

/// C X = (B, b) of a few rows, rows exchanged for the largest pivot; false where C has no inverse.
bool solve_few(ConeSquare C, std::size_t n, ConeSquare& B, std::array<double, 6>& b)
{
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t best = k;
        for (std::size_t i = k + 1; i < n; ++i)
            best = std::abs(C[i][k]) > std::abs(C[best][k]) ? i : best;
        std::swap(C[k], C[best]);
        std::swap(B[k], B[best]);
        std::swap(b[k], b[best]);
        if (!(std::abs(C[k][k]) > 0))
            return false;
        for (std::size_t i = k + 1; i < n; ++i) {
            const double part = C[i][k] / C[k][k];
            if (part == 0)
                continue;
            for (std::size_t j = k + 1; j < n; ++j)
                C[i][j] -= part * C[k][j];
            for (std::size_t j = 0; j < n; ++j)
                B[i][j] -= part * B[k][j];
            b[i] -= part * b[k];
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) {
            for (std::size_t j = 0; j < n; ++j)
                B[i][j] -= C[i][k] * B[k][j];
            b[i] -= C[i][k] * b[k];
        }
        for (std::size_t j = 0; j < n; ++j)
            B[i][j] /= C[i][i];
        b[i] /= C[i][i];
    }
    return true;
}

/// Scaled rows on scaled bodies, and Newton's method on them.
class RowsOnBodies {
  public:
    RowsOnBodies(const ContactProblem& problem, StopFlag stop);

    Eigen::VectorXd scaled(const Eigen::VectorXd& r) const { return r.cwiseQuotient(d_); }
    Eigen::VectorXd unscaled(const Eigen::VectorXd& r) const { return r.cwiseProduct(d_); }
    /// The solution x for r₀ = x as it is given, to |Φ| = `enough` of |q| or as near as rounding
    /// lets it come; false where |Φ| did not fall to almost nothing.
    bool ease(Eigen::VectorXd& x, double alpha, double enough, int steps, int& taken);

    /// From x along the path of rounded corners (cone_map.hpp), as far as it goes.
    void follow(Eigen::VectorXd& x, double alpha, const ConeSettings& settings, int& taken);

    /// A part of Newton's step from x for r₀ = x, whether |Φ| falls or not; false: there is none.
    bool walk(Eigen::VectorXd& x, double alpha, double part);

  private:
    struct Span { // the bodies of a block, and J of each of its rows for each of them
        std::size_t first_node = 0, nodes = 0, first_J = 0;
    };
    const Six& J(const Span& own, std::size_t row, std::size_t node) const
    {
        return J_[own.first_J + row * own.nodes + node];
    }
    std::size_t node(const Span& own, std::size_t k) const { return nodes_[own.first_node + k]; }
    double along(const Span& own, std::size_t row, const std::vector<Six>& motion) const
    {
        double sum = 0;
        for (std::size_t k = 0; k < own.nodes; ++k) {
            const Six &a = J(own, row, k), &v = motion[node(own, k)];
            sum += ((a[0] * v[0] + a[1] * v[1]) + a[2] * v[2]) +
                   ((a[3] * v[3] + a[4] * v[4]) + a[5] * v[5]);
        }
        return sum;
    }
    void push(const Span& own, std::size_t row, double by, std::vector<Six>& f) const
    {
        for (std::size_t k = 0; k < own.nodes; ++k) {
            const Six& a = J(own, row, k);
            Six& on = f[node(own, k)];
            mul_add(by, Wide(a), Wide(on)).store(on);
        }
    }
    /// u = W x + q + α (x − r₀) and Φ; returns |Φ|².
    double evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& r_0, double alpha);
    void map(std::size_t b, const Eigen::VectorXd& x, ConeSlopes* slopes = nullptr)
    {
        if (epsilon_ > 0)
            smooth_cone_map(blocks_[b], epsilon_, held_.empty() ? nullptr : &held_[b], x, u_, phi_,
                            slopes);
        else
            cone_map(blocks_[b], x, u_, phi_, slopes);
    }
    /// Newton's step from where `evaluate` was last.
    bool step(const Eigen::VectorXd& x, double alpha, Eigen::VectorXd& by);
    /// Newton's steps from x for r₀ = x, shortened until |Φ| falls; returns |Φ|² where it ends: at
    /// `enough`, or where |Φ| does not fall.
    double descend(Eigen::VectorXd& x, double alpha, double enough, int steps, int& taken);
    /// The same, and whether it was enough.
    bool reach(Eigen::VectorXd& x, double alpha, int steps, int& taken)
    {
        const double enough = 0.01 * epsilon_ * epsilon_ * static_cast<double>(x.size());
        return descend(x, alpha, enough, steps, taken) <= enough;
    }

    StopFlag stop_ = nullptr;
    std::vector<ContactBlock> blocks_;
    std::vector<Span> spans_;         // by block
    std::vector<std::size_t> nodes_;  // of the spans
    std::vector<Six> J_;              // of the spans
    std::vector<BlockLu::Part> mass_; // by node
    std::vector<BlockLu::Part> inverse_;
    Eigen::VectorXd d_, q_, softness_, u_, phi_;
    double size_ = 0;          // |q|²
    double epsilon_ = 0;       // how round corners are
    std::vector<double> held_; // by block: the slip where it is held
    std::vector<Six> f_, motion_;
    std::vector<ConeSquare> springs_;          // C⁻¹ B by block
    std::vector<std::array<double, 6>> loads_; // C⁻¹ Φ
    BlockLu lu_;
};

RowsOnBodies::RowsOnBodies(const ContactProblem& problem, StopFlag stop)
    : stop_(stop), q_(problem.q)
{
    const Rows& rows = *problem.rows;
    const Eigen::Index n = q_.size();
    std::vector<const Block*> block_of(static_cast<std::size_t>(n));
    for (const Block& block : rows.blocks)
        for (int k = 0; k < block.rows; ++k)
            block_of[static_cast<std::size_t>(block.first_row + k)] = &block;

    Eigen::VectorXd diagonal(n);
    softness_.resize(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const Block& block = *block_of[static_cast<std::size_t>(i)];
        softness_(i) = rows.rows[static_cast<std::size_t>(i)].softness;
        diagonal(i) = softness_(i);
        for (int k = 0; k < block.bodies; ++k) {
            const Wrench<double>& J = rows.J_of(block, static_cast<int>(i) - block.first_row, k);
            const auto body = static_cast<std::size_t>(block.body[static_cast<std::size_t>(k)]);
            diagonal(i) += power(J, problem.masses[body].inverse_times(J));
        }
    }
    d_ = cone_scales(problem.blocks, diagonal);
    blocks_ = scaled_blocks(problem.blocks, d_);
    for (Eigen::Index i = 0; i < n; ++i) {
        q_(i) *= d_(i);
        softness_(i) *= d_(i) * d_(i);
    }
    size_ = sum_of_squares(q_);

    // Bodies by the units of their mass and inertia: all numbers of M near one.
    std::vector<std::size_t> node_of(problem.masses.size(), problem.masses.size());
    std::vector<Six> unit;
    const auto node_for = [&](std::size_t body) {
        std::size_t& node = node_of[body];
        if (node < node_of.size())
            return node;
        node = unit.size();
        const MovingMass& mass = problem.masses[body];
        const double s = unit_scale(mass.m);
        const bool turns = !mass.particle();
        const double t =
            turns ? unit_scale((mass.I.xx + mass.I.yy + mass.I.zz) / 3) : 0; // 0: J of torque is
        unit.push_back({s, s, s, t, t, t});
        BlockLu::Part M{}, inverse{};
        const double one = turns ? 0 : 1;
        const std::array<std::array<double, 3>, 3> I{{{mass.I.xx, mass.I.xy, mass.I.xz},
                                                      {mass.I.xy, mass.I.yy, mass.I.yz},
                                                      {mass.I.xz, mass.I.yz, mass.I.zz}}};
        const std::array<std::array<double, 3>, 3> inv{
            {{mass.inv_I.xx, mass.inv_I.xy, mass.inv_I.xz},
             {mass.inv_I.xy, mass.inv_I.yy, mass.inv_I.yz},
             {mass.inv_I.xz, mass.inv_I.yz, mass.inv_I.zz}}};
        for (std::size_t i = 0; i < 3; ++i) {
            M[i][i] = mass.m * s * s;
            inverse[i][i] = mass.inv_m / (s * s);
            for (std::size_t j = 0; j < 3; ++j) {
                M[3 + i][3 + j] = turns ? I[i][j] * t * t : (i == j ? one : 0);
                inverse[3 + i][3 + j] = turns ? inv[i][j] / (t * t) : 0;
            }
        }
        mass_.push_back(M);
        inverse_.push_back(inverse);
        return node;
    };

    std::vector<std::pair<int, int>> pairs;
    for (const ContactBlock& block : blocks_) {
        Span own;
        own.first_node = nodes_.size();
        own.first_J = J_.size();
        for (int i = 0; i < block.rows; ++i) {
            const Block& source = *block_of[static_cast<std::size_t>(block.first + i)];
            for (int k = 0; k < source.bodies; ++k) {
                const std::size_t at =
                    node_for(static_cast<std::size_t>(source.body[static_cast<std::size_t>(k)]));
                const auto begin = nodes_.begin() + static_cast<std::ptrdiff_t>(own.first_node);
                if (std::find(begin, nodes_.end(), at) == nodes_.end())
                    nodes_.push_back(at);
            }
        }
        own.nodes = nodes_.size() - own.first_node;
        J_.resize(J_.size() + static_cast<std::size_t>(block.rows) * own.nodes, Six{});
        for (int i = 0; i < block.rows; ++i) {
            const int row = block.first + i;
            const Block& source = *block_of[static_cast<std::size_t>(row)];
            for (int k = 0; k < source.bodies; ++k) {
                const Wrench<double>& given = rows.J_of(source, row - source.first_row, k);
                const std::size_t at =
                    node_for(static_cast<std::size_t>(source.body[static_cast<std::size_t>(k)]));
                std::size_t place = 0;
                while (node(own, place) != at)
                    ++place;
                Six& J = J_[own.first_J + static_cast<std::size_t>(i) * own.nodes + place];
                const Six plain{given.F.x,   given.F.y,   given.F.z,
                                given.tau.x, given.tau.y, given.tau.z};
                for (std::size_t j = 0; j < 6; ++j)
                    J[j] += d_(row) * unit[at][j] * plain[j];
            }
        }
        for (std::size_t a = 0; a < own.nodes; ++a)
            for (std::size_t b = a + 1; b < own.nodes; ++b)
                pairs.emplace_back(static_cast<int>(node(own, a)), static_cast<int>(node(own, b)));
        spans_.push_back(own);
    }
    lu_.analyse(static_cast<int>(unit.size()), pairs);
    springs_.resize(blocks_.size());
    loads_.resize(blocks_.size());
    u_.resize(n);
    phi_.resize(n);
}

double RowsOnBodies::evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& r_0, double alpha)
{
    f_.assign(mass_.size(), Six{});
    motion_.assign(mass_.size(), Six{});
    for (std::size_t b = 0; b < blocks_.size(); ++b)
        for (int i = 0; i < blocks_[b].rows; ++i)
            push(spans_[b], static_cast<std::size_t>(i), x(blocks_[b].first + i), f_);
    for (std::size_t k = 0; k < mass_.size(); ++k)
        for (std::size_t i = 0; i < 6; ++i)
            for (std::size_t j = 0; j < 6; ++j)
                motion_[k][i] += inverse_[k][i][j] * f_[k][j];
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        for (int i = 0; i < blocks_[b].rows; ++i) {
            const int row = blocks_[b].first + i;
            u_(row) = q_(row) + along(spans_[b], static_cast<std::size_t>(i), motion_) +
                      softness_(row) * x(row) + alpha * (x(row) - r_0(row));
        }
        map(b, x);
    }
    return sum_of_squares(phi_);
}

bool RowsOnBodies::step(const Eigen::VectorXd& x, double alpha, Eigen::VectorXd& by)
{
    lu_.begin();
    for (std::size_t k = 0; k < mass_.size(); ++k)
        lu_.part(static_cast<int>(k), static_cast<int>(k)) = mass_[k];
    f_.assign(mass_.size(), Six{});
    std::vector<Six> pulled; // C⁻¹ B J
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const ContactBlock& block = blocks_[b];
        const Span& own = spans_[b];
        const auto rows = static_cast<std::size_t>(block.rows);
        ConeSlopes slopes;
        map(b, x, &slopes);
        ConeSquare C = slopes.A;
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t k = 0; k < rows; ++k)
                C[i][k] += slopes.B[i][k] * (alpha + softness_(block.first + static_cast<int>(k)));
            loads_[b][i] = phi_(block.first + static_cast<int>(i));
        }
        springs_[b] = slopes.B;
        if (!solve_few(C, rows, springs_[b], loads_[b]))
            return false;

        // K += Jᵀ C⁻¹ B J
        pulled.assign(rows * own.nodes, Six{});
        bool any = false;
        for (std::size_t i = 0; i < rows; ++i) {
            push(own, i, -loads_[b][i], f_);
            for (std::size_t k = 0; k < rows; ++k) {
                const double S = springs_[b][i][k];
                if (S == 0)
                    continue;
                any = true;
                for (std::size_t a = 0; a < own.nodes; ++a) {
                    Six& sum = pulled[i * own.nodes + a];
                    mul_add(S, Wide(J(own, k, a)), Wide(sum)).store(sum);
                }
            }
        }
        for (std::size_t a = 0; any && a < own.nodes; ++a)
            for (std::size_t c = 0; c < own.nodes; ++c) {
                BlockLu::Part& K =
                    lu_.part(static_cast<int>(node(own, a)), static_cast<int>(node(own, c)));
                for (std::size_t j = 0; j < 6; ++j) {
                    Wide row(K[j]);
                    for (std::size_t i = 0; i < rows; ++i)
                        row = mul_add(J(own, i, a)[j], Wide(pulled[i * own.nodes + c]), row);
                    row.store(K[j]);
                }
            }
    }
    if (!lu_.factorise())
        return false;
    lu_.solve(f_); // now y
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const auto rows = static_cast<std::size_t>(blocks_[b].rows);
        std::array<double, 6> moved{};
        for (std::size_t k = 0; k < rows; ++k)
            moved[k] = along(spans_[b], k, f_);
        for (std::size_t i = 0; i < rows; ++i) {
            double sum = loads_[b][i];
            for (std::size_t k = 0; k < rows; ++k)
                sum += springs_[b][i][k] * moved[k];
            by(blocks_[b].first + static_cast<int>(i)) = -sum;
            if (!std::isfinite(sum))
                return false;
        }
    }
    return true;
}

double RowsOnBodies::descend(Eigen::VectorXd& x, double alpha, double enough, int steps, int& taken)
{
    const Eigen::VectorXd r_0 = x;
    Eigen::VectorXd by(x.size()), next(x.size());
    double now = evaluate(x, r_0, alpha);
    for (int k = 0; k < steps && now > enough && !is_set(stop_); ++k) {
        if (!step(x, alpha, by))
            break;
        ++taken;
        // Below, rounding says how |Φ| goes: long steps, or none.
        const double least = now > 1e-24 * size_ ? 1e-3 : 0.2;
        double part = 1, then = now;
        for (; part >= least; part *= 0.5) {
            for (Eigen::Index i = 0; i < x.size(); ++i)
                next(i) = x(i) + part * by(i);
            then = evaluate(next, r_0, alpha);
            if (then < (1 - 1e-4 * part) * now)
                break;
        }
        if (!(part >= least))
            break;
        x = next;
        now = then;
    }
    return now;
}

bool RowsOnBodies::ease(Eigen::VectorXd& x, double alpha, double enough, int steps, int& taken)
{
    const double begun = evaluate(x, x, alpha);
    const double now = descend(x, alpha, enough * enough * size_, steps, taken);
    return now <= 1e-24 * size_ || now <= 1e-12 * begun;
}

void RowsOnBodies::follow(Eigen::VectorXd& x, double alpha, const ConeSettings& settings,
                          int& taken)
{
    // Corners as wide as the speeds themselves at first, at last as rounding. Strides grow where
    // Newton's method finds the next place soon, and are shortened where it does not.
    constexpr double plain = 0.4, shortest = 0.9, longest = 0.1;
    const double unit = std::sqrt(size_ / static_cast<double>(std::max<Eigen::Index>(1, x.size())));
    double stride = plain;
    const int begun = taken;
    int lost = 0;
    for (double reached = unit / plain; reached > 1e-9 * unit && lost < 4 && !is_set(stop_);) {
        epsilon_ = stride * reached;
        const int before = taken;
        Eigen::VectorXd next = x;
        if (reach(next, alpha, settings.steps / 3, taken)) {
            x = next;
            reached = epsilon_;
            if (taken - before <= 5)
                stride = std::max(longest, stride * stride);
            continue;
        }
        if (taken - begun > 40 * settings.steps)
            break;
        if (stride < shortest) {
            stride = std::sqrt(stride);
            continue;
        }
        // The path turns back. What slips is held as it slips now, again and again, which leads to
        // where the path goes on, or near to it.
        stride = plain;
        reached *= stride;
        epsilon_ = reached;
        bool found = false;
        for (int times = 1; times <= 8 && !found; ++times) {
            for (int k = 0; k < times; ++k) {
                evaluate(x, x, alpha);
                held_.resize(blocks_.size());
                for (std::size_t b = 0; b < blocks_.size(); ++b)
                    held_[b] = rounded_slip(blocks_[b], epsilon_, u_);
                reach(x, alpha, settings.steps, taken);
            }
            held_.clear();
            next = x;
            found = reach(next, alpha, settings.steps / 3, taken);
        }
        if (found)
            x = next;
        lost += !found;
    }
    epsilon_ = 0;
}

bool RowsOnBodies::walk(Eigen::VectorXd& x, double alpha, double part)
{
    Eigen::VectorXd by(x.size());
    evaluate(x, x, alpha);
    if (!step(x, alpha, by))
        return false;
    for (Eigen::Index i = 0; i < x.size(); ++i)
        x(i) += part * by(i);
    return true;
}

} // namespace

ContactAnswer solve_through_bodies(const ContactProblem& problem, const ConeSettings& settings,
                                   const Eigen::VectorXd& start)
{
    // Rounding of u in redundant rows comes into r as 1/α of it, and may open a contact that bears
    // nothing: nearby no α is less than the first.
    constexpr double least_alpha = 1e-7, nearby_alpha = 1e-5, most_alpha = 0.5;

    RowsOnBodies rows(problem, settings.stop);
    ContactAnswer best;
    best.residual = std::numeric_limits<double>::infinity();
    const auto offer = [&](const Eigen::VectorXd& r) { keep_nearer(best, judged(problem, r)); };
    if (start.size() != 0)
        offer(start);
    // Where rows that repeat each other ask for speeds that differ a little, each problem moves the
    // answer by that little over α, always the same way, until some contact lets go: all at once.
    Eigen::VectorXd drift = Eigen::VectorXd::Zero(problem.q.size());
    const auto move_on = [&](Eigen::VectorXd& x, const Eigen::VectorXd& next, double alpha) {
        const Eigen::VectorXd by = next - x, speed = alpha * by;
        const bool steady = sum_of_squares(speed - drift) < 1e-3 * sum_of_squares(speed);
        x = next;
        drift = speed;
        if (!steady || best.residual <= settings.tolerance)
            return;
        drift.setZero();
        double times = std::numeric_limits<double>::infinity();
        for (const ContactBlock& block : problem.blocks)
            if (block.law == ContactBlock::Law::contact && by(block.first) < 0)
                times = std::min(times, x(block.first) / -by(block.first));
        for (Eigen::Index i = 0; std::isfinite(times) && i < x.size(); ++i)
            x(i) += times * by(i);
    };

    SweepSettings sweep;
    sweep.sweeps = settings.sweeps;
    sweep.tolerance = 0;
    sweep.stop = settings.stop;
    const int rounds = problem.count() > settings.dense_rows ? settings.rounds : 1;
    for (int round = 0; round < rounds && (round == 0 || !is_set(settings.stop));
         ++round, sweep.sweeps *= 2) {
        // Close by, a step of Newton's is worth more than any number of sweeps.
        const bool close = round == 0 && best.residual < 1e-3;
        if (!close) {
            const ContactAnswer swept =
                *gauss_seidel(problem, sweep, best.r.size() != 0 ? best.r : start);
            best.sweeps += swept.sweeps;
            offer(swept.r);
        }
        Eigen::VectorXd x = rows.scaled(best.r);
        double alpha = close ? nearby_alpha : 1e-2;
        int failed = 0, idle = 0;
        const double enough = std::max(1e-14, natural_rounding(problem, best.r) / 32);
        for (int k = 0; k < 4 * settings.eased && failed < 8 && idle < 2; ++k) {
            Eigen::VectorXd next = x;
            const bool eased = rows.ease(next, alpha, 0.3 * enough, settings.steps, best.steps);
            const double before = best.residual;
            offer(rows.unscaled(next));
            if (best.residual <= enough)
                break;
            if (best.residual <= settings.tolerance)
                idle = best.residual < 0.5 * before ? 0 : idle + 1;
            if (eased) {
                move_on(x, next, alpha);
                alpha = std::max(least_alpha, 0.1 * alpha);
            } else {
                ++failed;
                alpha = std::min(most_alpha, 5 * alpha);
            }
        }
        if (best.residual <= settings.tolerance)
            break;
        // Far from the answer |Φ| has valleys that do not lead to it. The path of rounded corners
        // begins in the middle of all cones, or at what sweeps have found, and goes around most of
        // them; where it ends, α is found that takes each next problem.
        x = round == 0 ? Eigen::VectorXd::Zero(problem.q.size()) : rows.scaled(best.r);
        rows.follow(x, 1e-6, settings, best.steps);
        offer(rows.unscaled(x));
        alpha = nearby_alpha;
        for (int k = 0; k < 5 * settings.eased && best.residual > 1e-13; ++k) {
            Eigen::VectorXd next = x;
            const bool eased = rows.ease(next, alpha, 1e-15, settings.steps, best.steps);
            offer(rows.unscaled(next));
            if (eased)
                move_on(x, next, alpha);
            alpha = eased ? std::max(least_alpha, 0.1 * alpha) : std::min(2.0, 3 * alpha);
            if (best.residual <= settings.tolerance && alpha == least_alpha && eased)
                break;
        }
        if (best.residual <= settings.tolerance)
            break;
    }
    // Where all of these end in valleys, steps that do not ask whether |Φ| falls walk out of them;
    // half ones then come to an answer with each half as far from it. Which do is not known before.
    if (best.residual > settings.tolerance && problem.count() > settings.dense_rows) {
        const Eigen::VectorXd from = rows.scaled(best.r);
        for (const auto& [part, alpha] : {std::pair{0.5, 1e-5},
                                          {0.5, 1e-6},
                                          {1.0, 1e-5},
                                          {0.5, 1e-4},
                                          {1.0, 1e-4},
                                          {0.25, 1e-5}}) {
            Eigen::VectorXd x = from;
            for (int k = 0; k < 8 * settings.steps && !is_set(settings.stop); ++k) {
                const double before = best.residual;
                if (!rows.walk(x, alpha, part))
                    break;
                ++best.steps;
                offer(rows.unscaled(x));
                if (best.residual <= settings.tolerance && best.residual > 0.7 * before)
                    break;
            }
            if (best.residual <= settings.tolerance)
                break;
        }
    }
    best.solved = best.residual <= settings.tolerance;
    return best;
}

} // namespace poinsot
