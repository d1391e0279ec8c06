// SPDX-License-Identifier: MIT
#include "poinsot/solve/strike.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace poinsot {

namespace {

using BallPair = std::array<double, 2>;
using StrikeVector = std::array<double, ContactBlock::most_rows>;

double length_in_strike(const double* x, int rows)
{
    double square = 0;
    for (int i = 0; i < rows; ++i)
        square += x[i] * x[i];
    return std::sqrt(square);
}

// d with ½ d·A d + b·d least in |d| ≤ c, A = (a₀₀ a₀₁; a₀₁ a₁₁). In the axes of A
//
//     d_i = −b_i/(λ_i + β),   β = 0 or |d(β)| = c
//
// by Newton's method on 1/|d|, from the left: it is concave there and cannot overshoot. Axes with
// λ_i ≤ none have b_i = 0, since W is semidefinite, and no d_i.
BallPair least_in_ball(double a00, double a01, double a11, const BallPair& b, double c, int rows,
                       double none)
{
    if (rows == 1) {
        const double d = a00 > none ? -b[0] / a00 : 0;
        return {std::clamp(d, -c, c), 0};
    }
    const double half = 0.5 * (a00 - a11), root = std::sqrt(half * half + a01 * a01);
    const double mean = 0.5 * (a00 + a11);
    BallPair axis = half >= 0 ? BallPair{half + root, a01} : BallPair{a01, root - half};
    const double length = length_in_strike(axis.data(), 2);
    axis = length > 0 ? BallPair{axis[0] / length, axis[1] / length} : BallPair{1, 0};
    const double lambda[2] = {mean + root, mean - root};
    const double along[2] = {axis[0] * b[0] + axis[1] * b[1], axis[0] * b[1] - axis[1] * b[0]};

    const auto at = [&](double beta) {
        BallPair d{};
        for (std::size_t i = 0; i < 2; ++i)
            d[i] = lambda[i] > none ? -along[i] / (lambda[i] + beta) : 0;
        return d;
    };
    BallPair d = at(0);
    if (length_in_strike(d.data(), 2) > c) {
        double beta = std::max(0.0, length_in_strike(along, 2) / c - lambda[0]);
        for (int i = 0; i < 100; ++i) {
            d = at(beta);
            const double now = length_in_strike(d.data(), 2);
            double slope = 0; // −|d| d|d|/dβ
            for (std::size_t k = 0; k < 2; ++k)
                slope += lambda[k] > none ? d[k] * d[k] / (lambda[k] + beta) : 0;
            const double by = slope > 0 ? (now / c - 1) * now * now / slope : 0;
            if (!(by > 1e-16 * (beta + lambda[0])))
                break;
            beta += by;
        }
        const double now = length_in_strike(d.data(), 2);
        for (double& x : d)
            x *= c / now;
    }
    return {axis[0] * d[0] - axis[1] * d[1], axis[1] * d[0] + axis[0] * d[1]};
}

class Strike {
  public:
    Strike(const ContactBlock& block, const Eigen::MatrixXd& W, const Eigen::VectorXd& u, double e)
        : rows_(block.rows), given_back_(e * e)
    {
        double most = 0, trace = 0;
        for (int i = 0; i < rows_; ++i) {
            now_.u[at(i)] = u(i);
            for (int j = 0; j < rows_; ++j)
                W_[at(i)][at(j)] = W(i, j);
            trace += W(i, i);
            if (W(i, i) > 0)
                most = std::max(most, std::abs(u(i)) / std::sqrt(W(i, i)));
        }
        none_ = 1e-14 * trace;
        size_ = most; // a speed, over the root of its W: √energy
        for (const FrictionGroup& group : groups_of(block)) {
            double own = 0;
            for (int i = group.first; i < group.first + group.rows; ++i)
                own += W(i, i);
            if (group.rows == 0 || !(group.bound > 0) || !(own > none_))
                continue;
            Group& made = groups_[at(count_++)];
            made.first = group.first;
            made.rows = group.rows;
            made.bound = group.bound;
            made.unit = size_ * std::sqrt(own);
            made.slides = slip(made, now_.u) > small_ * made.unit;
        }
        double fastest = 0;
        for (int g = 0; g < count_; ++g) {
            double rate = 0;
            for (int i = 0; i < group(g).rows; ++i) {
                const StrikeVector& row = W_[at(group(g).first + i)];
                rate += std::abs(row[0]);
                for (int k = 0; k < count_; ++k)
                    for (int j = 0; j < group(k).rows; ++j)
                        rate += group(k).bound * std::abs(row[at(group(k).first + j)]);
            }
            fastest = std::max(fastest, rate);
        }
        longest_ = fastest > 0 ? 1 / fastest : 0;
    }

    StrikeEnd run()
    {
        StrikeEnd end;
        end.r = Eigen::VectorXd::Zero(rows_);
        const double W_nn = W_[0][0];
        if (now_.u[0] < 0 && W_nn > none_) {
            impulse_unit_ = size_ / std::sqrt(W_nn);
            speed_unit_ = size_ * std::sqrt(W_nn);
            end.finished = false;
            for (int piece = 1; piece <= most_pieces && !end.finished; ++piece) {
                go_on(end);
                if (piece % patience == 0)
                    small_ = std::min(piece < long_enough ? at_last : at_worst, 10 * small_);
            }
            if (!end.finished) // what still approaches, or comes back
                end.off = std::max(
                    {end.off, std::abs(now_.u[0]) / speed_unit_, std::sqrt(store(now_)) / size_});
        }
        for (int i = 0; i < rows_; ++i)
            end.r(i) = now_.r[at(i)];
        return end;
    }

  private:
    // Slip below this part of the speeds has ended. Where all of friction just holds it, it hovers
    // there: then the bound grows, up to what a slip that starts is given, and in the end beyond.
    static constexpr double at_first = 1e-13, at_last = 1e-9, at_worst = 1e-6;
    static constexpr int patience = 2000; // pieces
    static constexpr double never = std::numeric_limits<double>::infinity();
    static constexpr int long_enough = 100000, most_pieces = 120000;
    struct Group {
        int first = 0, rows = 0;
        double bound = 0;
        double unit = 1; // of its speeds
        bool slides = false;
    };
    // Speeds are kept beside impulses, not made of them: slip that ends is far below the rounding
    // of what it is the sum of, and would hang there.
    struct State {
        StrikeVector r{}, u{};
        double work = 0; // ∫ u_n ds since the contact began to be compressed, or to expand
    };
    static State sum(const State& x, const State& by, double h = 1)
    {
        State y = x;
        for (std::size_t i = 0; i < y.r.size(); ++i) {
            y.r[i] += h * by.r[i];
            y.u[i] += h * by.u[i];
        }
        y.work += h * by.work;
        return y;
    }

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    Group& group(int i) { return groups_[at(i)]; }
    const Group& group(int i) const { return groups_[at(i)]; }
    static double slip(const Group& g, const StrikeVector& u)
    {
        return length_in_strike(u.data() + g.first, g.rows);
    }

    StrikeVector times_W(const StrikeVector& x) const
    {
        StrikeVector y{};
        for (int i = 0; i < rows_; ++i)
            for (int j = 0; j < rows_; ++j)
                y[at(i)] += W_[at(i)][at(j)] * x[at(j)];
        return y;
    }
    // dr/ds at speeds u.
    StrikeVector direction(const StrikeVector& u) const
    {
        StrikeVector d{};
        d[0] = 1;
        int stuck = 0;
        for (int g = 0; g < count_; ++g) {
            const Group& own = group(g);
            stuck += !own.slides;
            const double rho = slip(own, u);
            for (int i = own.first; own.slides && i < own.first + own.rows; ++i)
                d[at(i)] = rho > 0 ? -own.bound * u[at(i)] / rho : 0;
        }
        // Several balls: one after the other, a convex problem in each.
        for (int pass = 0; pass < (stuck > 1 ? 1000 : stuck); ++pass) {
            double change = 0;
            for (int g = 0; g < count_; ++g) {
                const Group& own = group(g);
                if (own.slides)
                    continue;
                BallPair b{};
                for (int i = 0; i < own.rows; ++i)
                    for (int j = 0; j < rows_; ++j)
                        if (j < own.first || j >= own.first + own.rows)
                            b[at(i)] += W_[at(own.first + i)][at(j)] * d[at(j)];
                const BallPair next = solve(own, b, own.bound);
                for (int i = 0; i < own.rows; ++i) {
                    double& old = d[at(own.first + i)];
                    change = std::max(change, std::abs(next[at(i)] - old) / own.bound);
                    old = next[at(i)];
                }
            }
            if (!(change > 1e-16))
                break;
        }
        return d;
    }
    BallPair solve(const Group& g, const BallPair& b, double radius) const
    {
        const bool two = g.rows == 2;
        const std::size_t i = at(g.first), j = two ? i + 1 : i;
        return least_in_ball(W_[i][i], two ? W_[i][j] : 0, two ? W_[j][j] : 0, b, radius, g.rows,
                             none_);
    }
    // Does a group that sticks begin to slide? It is on the edge of its ball and accelerates.
    bool starts(const Group& g, const StrikeVector& d, const StrikeVector& a) const
    {
        double size = 0;
        for (int i = g.first; i < g.first + g.rows; ++i)
            for (int j = 0; j < rows_; ++j)
                size += std::abs(W_[at(i)][at(j)] * d[at(j)]);
        return !g.slides && length_in_strike(d.data() + g.first, g.rows) >= (1 - 1e-12) * g.bound &&
               length_in_strike(a.data() + g.first, g.rows) > 1e-12 * size;
    }
    // Does W d keep the directions of slip?
    bool straight(const StrikeVector& u, const StrikeVector& a) const
    {
        for (int g = 0; g < count_; ++g) {
            const Group& own = group(g);
            if (!own.slides || own.rows == 1)
                continue;
            const double* const v = u.data() + own.first;
            const double* const by = a.data() + own.first;
            if (std::abs(v[0] * by[1] - v[1] * by[0]) >
                1e-15 * length_in_strike(v, 2) * length_in_strike(by, 2))
                return false;
        }
        return true;
    }

    // Work that expansion may still do.
    double store(const State& x) const { return store_ - (expanding_ ? 1 : given_back_) * x.work; }
    void turn(StrikeEnd& end)
    {
        store_ = store(now_);
        if (!expanding_)
            end.stored -= now_.work;
        now_.work = 0;
        expanding_ = !expanding_;
    }

    // One piece: straight to the next event, or a step of extrapolation.
    void go_on(StrikeEnd& end)
    {
        const StrikeVector u = now_.u, d = direction(u), a = times_W(d);
        const bool line = straight(u, a);
        double furthest = never;
        for (int g = 0; g < count_; ++g)
            if (starts(group(g), d, a)) {
                // While others turn: as far as directions do not, to rounding.
                const double by = length_in_strike(a.data() + group(g).first, group(g).rows);
                const double given = std::max(1e-8, 10 * small_);
                furthest = std::min(furthest, given * group(g).unit / by);
                group(g).slides = true;
            }
        const double before = now_.r[0];
        const bool expanded = expanding_;
        if (line || furthest < never)
            follow_line(u, d, a, line ? never : furthest, end);
        else
            extrapolate(end);
        if (expanded)
            end.restored += now_.r[0] - before;

        if (!expanding_ && now_.u[0] >= -1e-15 * speed_unit_)
            turn(end);
        if (expanding_ && !(store(now_) > 1e-30 * size_ * size_))
            end.finished = true;
        for (int g = 0; g < count_; ++g)
            if (group(g).slides && slip(group(g), now_.u) <= small_ * group(g).unit)
                stop(group(g), end);
    }
    // Takes the last of its slip away.
    void stop(Group& g, StrikeEnd& end)
    {
        if (const double part = slip(g, now_.u) / g.unit; part > at_last)
            end.off = std::max(end.off, part);
        g.slides = false;
        BallPair b{};
        for (int i = 0; i < g.rows; ++i)
            b[at(i)] = now_.u[at(g.first + i)];
        const BallPair found = solve(g, b, impulse_unit_);
        State by;
        for (int i = 0; i < g.rows; ++i)
            by.r[at(g.first + i)] = found[at(i)];
        by.u = times_W(by.r);
        now_ = sum(now_, by);
    }

    void follow_line(const StrikeVector& u, const StrikeVector& d, const StrikeVector& a,
                     double furthest, StrikeEnd& end)
    {
        const double u_n = expanding_ ? std::max(0.0, u[0]) : u[0], a_n = a[0];
        const double left = store(now_);
        double s = furthest;
        enum class Event { none, turned, spent } event = Event::none;
        const auto offer = [&](double when, Event what) {
            if (when < s) {
                s = when;
                event = what;
            }
        };
        if (!expanding_ && a_n > none_)
            offer(-u_n / a_n, Event::turned);
        if (expanding_) {
            // u_n s + ½ a_n s² = left
            const double square = u_n * u_n + 2 * a_n * left;
            if (square >= 0 && (a_n > none_ || u_n > 0))
                offer(2 * left / (u_n + std::sqrt(square)), Event::spent);
            else if (u_n > 0)
                offer(-u_n / a_n, Event::turned);
        }
        for (int g = 0; g < count_; ++g) {
            const Group& own = group(g);
            const double rho = slip(own, u);
            if (!own.slides || !(rho > small_ * own.unit))
                continue;
            double rate = 0;
            for (int i = own.first; i < own.first + own.rows; ++i)
                rate += u[at(i)] * a[at(i)] / rho;
            if (rate < 0)
                offer(rho / -rate, Event::none);
        }
        if (!(s < never)) {
            end.finished = end.wedged = true;
            return;
        }
        const double work = event == Event::spent ? left : s * (u_n + 0.5 * a_n * s);
        now_ = sum(now_, {d, a, s > 0 ? work / s : 0.0}, s); // an event may be at once
        if (event == Event::turned)
            turn(end);
    }

    // By τ.
    State rate(const State& x) const
    {
        double inverse = 0;
        for (int g = 0; g < count_; ++g)
            if (group(g).slides)
                inverse += 1 / std::max(slip(group(g), x.u), 1e-300);
        const double sigma = 1 / inverse;
        State made{direction(x.u), {}, x.u[0] * sigma};
        for (double& x_dot : made.r)
            x_dot *= sigma;
        made.u = times_W(made.r);
        return made;
    }
    // Modified midpoint of 2, 4, … steps, extrapolated: what is added to the state, and the error
    // it admits in units of the blow.
    double leap(double h, State& result) const
    {
        constexpr std::size_t columns = 8;
        std::array<State, columns> table;
        double error = std::numeric_limits<double>::infinity();
        const State first = rate(now_);
        for (std::size_t k = 0; k < columns; ++k) {
            const int n = 2 * static_cast<int>(k + 1);
            const double part = h / n;
            State last, x = sum({}, first, part);
            for (int i = 1; i < n; ++i) {
                const State next = sum(last, rate(sum(now_, x)), 2 * part);
                last = x;
                x = next;
            }
            State entry = sum(last, rate(sum(now_, x)), part); // ½ (x_n + x_{n−1} + h f_n)
            entry = sum(sum({}, x, 0.5), entry, 0.5);
            // table[j]: extrapolated j times.
            for (std::size_t j = 0; j < k; ++j) {
                const double ratio = static_cast<double>(k + 1) / static_cast<double>(k - j);
                const double weight = 1 / (ratio * ratio - 1);
                const State better = sum(entry, sum(entry, table[j], -1), weight);
                table[j] = entry;
                entry = better;
            }
            if (k > 0) {
                const State off = sum(entry, table[k - 1], -1);
                error = std::abs(off.work) / (size_ * size_);
                for (const double r : off.r)
                    error = std::max(error, std::abs(r) / impulse_unit_);
                for (int g = 0; g < count_; ++g) // it has to come below `small_`
                    error = std::max(error, slip(group(g), off.u) / group(g).unit);
            }
            table[k] = entry;
            result = entry;
            if (k > 2 && error <= 1e-15)
                break;
        }
        return error;
    }
    // Positive while the piece goes on.
    double before_event(const State& x) const
    {
        const StrikeVector &u = x.u, d = direction(u), a = times_W(d);
        for (int g = 0; g < count_; ++g)
            if (starts(group(g), d, a))
                return -1;
        const double speed = u[0] / speed_unit_;
        if (!expanding_)
            return -speed;
        return speed < -1e-15 ? -1 : store(x) / (size_ * size_);
    }
    void extrapolate(StrikeEnd& end)
    {
        State by;
        double h = std::max(longest_, length_);
        for (int i = 0; i < 60 && !(leap(h, by) <= 1e-14); ++i)
            h *= 0.5;
        length_ = 2 * h;
        State next = sum(now_, by);
        if (double past = before_event(next); past < 0) {
            // Regula falsi, every third time by halves.
            double low = 0, high = h, left = before_event(now_);
            for (int i = 0; i < 100 && high - low > 1e-15 * h && past < -1e-16; ++i) {
                double middle = (low * past - high * left) / (past - left);
                if (i % 3 == 2 || !(middle > low && middle < high))
                    middle = 0.5 * (low + high);
                leap(middle, by);
                const State tried = sum(now_, by);
                const double here = before_event(tried);
                if (here < 0) {
                    high = middle;
                    past = here;
                    next = tried;
                } else {
                    low = middle;
                    left = here;
                }
            }
        }
        now_ = next;
        if (expanding_ && now_.u[0] < 0 && store(now_) > 1e-15 * size_ * size_)
            turn(end);
    }

    int rows_, count_ = 0;
    double given_back_; // e²
    std::array<StrikeVector, ContactBlock::most_rows> W_{};
    std::array<Group, 3> groups_{};
    double none_ = 0, size_ = 0, impulse_unit_ = 0, speed_unit_ = 0;
    double longest_ = 0,
           length_ = 0; // of a piece in τ: within which nothing changes much, and found
    double store_ = 0;  // at the last turn
    double small_ = at_first;
    State now_;
    bool expanding_ = false;
};

} // namespace

StrikeEnd strike(const ContactBlock& block, const Eigen::MatrixXd& W, const Eigen::VectorXd& u,
                 double restitution)
{
    return Strike(block, W, u, restitution).run();
}

} // namespace poinsot
