// SPDX-License-Identifier: MIT
// What a step by impulses leaves behind: for the next step, and for those who look.
#include "poinsot/solve/impact.hpp"
#include "poinsot/step/impulsive_parts.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

std::size_t part_at(int i)
{
    return static_cast<std::size_t>(i);
}

} // namespace

/// For the next step, and for those who look.
void Impulsive::remember(State& state)
{
    const Parts& p = *parts_;
    state.touched.clear();
    for (const TouchRows& rows : points_) {
        if (rows.ahead > 0 && !(p.r(rows.first) > 0))
            continue; // it neither touches nor came so near that it was held
        const Manifold& m = contacts_.manifolds()[part_at(rows.manifold)];
        const ContactPoint& point = m.point[part_at(rows.point)];
        const Vec3<double> t_1 = m.tangent, t_2 = cross(m.normal, t_1);
        Touched made;
        made.pair = key_of(m);
        made.point = 0.5 * (point.on_a + point.on_b);
        int r = rows.first;
        made.normal = p.r(r++);
        double slip = 0;
        if (rows.tangents > 0) {
            slip = std::hypot(p.after(r), p.after(r + 1));
            double fastest = 0; // of what was solved for: what stands has its rounding
            for (int k = rows.first; k < rows.first + 3; ++k)
                fastest = std::max({fastest, std::abs(p.before(k)), std::abs(p.freely(k))});
            // One that slides has all the friction there is; one that stands may slip by what
            // sweeps have left unsolved.
            const double rubs = std::hypot(p.r(r), p.r(r + 1));
            made.slides = slip > std::max(1e-8, 10 * residual_) * fastest &&
                          rubs >= (1 - 1e-6) * rows.law.friction * made.normal;
            made.friction = p.r(r) * t_1 + p.r(r + 1) * t_2;
            r += 2;
        }
        if (rows.twists > 0)
            made.torsion = p.r(r++);
        if (rows.rolls > 0)
            made.rolling = p.r(r) * t_1 + p.r(r + 1) * t_2;
        state.touched.push_back(made);
        records_.push_back({m.a, m.b, made.point, m.normal, point.gap,
                            made.normal * m.normal + made.friction,
                            made.torsion * m.normal + made.rolling, slip, rows.ahead > 0});
    }
    for (const Drive& drive : drives_.all())
        driven_.push_back({drive.joint, drive.coordinate,
                           drive.origin == Block::Origin::motor ? Cause::motor : Cause::damper,
                           p.r(drive.row)});
}

// A row is struck where u⁻ < −2 max(|q − u⁻|, h g), but for rounding: what rests has u⁻ = 0, and
// what left by chance and came back within a step has the speed that loads gave it once. Two that
// fall together have q − u⁻ = 0, so weight counts by itself.
void Impulsive::record_blows(double h)
{
    const Parts& p = *parts_;
    double fastest = 0;
    for (Eigen::Index i = 0; i < p.before.size(); ++i)
        fastest = std::max(fastest, std::abs(p.before(i)));
    const double by_weight = h * norm(model_.gravity().uniform);
    const auto struck = [&](int r, double at_least) {
        const double by_loads = std::max(std::abs(p.freely(r) - p.before(r)), at_least);
        return p.r(r) > 0 && p.before(r) < -std::max(slow * by_loads, 1e-8 * fastest);
    };
    std::size_t stop = 0; // of those that are reached
    for (const Block& block : rows_.blocks)
        if (block.origin == Block::Origin::limit) {
            const Stop& one = stops_[stop++]; // their blocks stand in this order
            if (struck(block.first_row, 0))
                struck_.push_back({-1, -1, one, p.r(block.first_row)});
        }
    const std::size_t begin = struck_.size();
    for (const TouchRows& rows : points_) {
        const Manifold& m = contacts_.manifolds()[part_at(rows.manifold)];
        if (!struck(rows.first, by_weight))
            continue;
        const bool same = struck_.size() > begin && struck_.back().a == m.a &&
                          struck_.back().b == m.b; // pairs are in order
        if (same)
            struck_.back().impulse += p.r(rows.first);
        else
            struck_.push_back({m.a, m.b, std::nullopt, p.r(rows.first)});
    }
}

void Impulsive::record_gains(const Island& island, const ImpactAnswer& answer)
{
    for (const int named : answer.gaining) {
        const ContactBlock& block = island.problem.blocks[part_at(named)];
        const int row = island.row[part_at(block.first)];
        ContactGain made;
        made.energy = work_of(block, island.before, answer);
        made.unsolved = !answer.contact.solved;
        if (!(made.energy > work_rounding(island.problem, island.before, answer)))
            continue;
        for (const TouchRows& rows : points_)
            if (rows.first == row) {
                const Manifold& m = contacts_.manifolds()[part_at(rows.manifold)];
                made.a = m.a;
                made.b = m.b;
            }
        std::size_t stop = 0;
        for (const Block& one : rows_.blocks)
            if (one.origin == Block::Origin::limit) {
                if (one.first_row == row)
                    made.stop = stops_[stop];
                ++stop;
            }
        add_gain(gains_, made);
    }
}

// What moves as told moves whatever that takes; what it presses against something that stands has
// nowhere to go. Such a problem has no solution, and the best there is leaves half of the speeds.
bool Impulsive::presses_too_much(const Island& island, const ImpactAnswer& answer)
{
    constexpr double no_solution = 0.1; // what is hard to solve is left at 1e-8
    const auto told = [](const Row& row) { return row.rate_t != 0; };
    if (answer.contact.solved || !(answer.contact.residual > no_solution) ||
        std::none_of(island.rows.rows.begin(), island.rows.rows.end(), told))
        return false;
    const auto name = [&](int skin) -> const std::string& {
        return model_.skins()[part_at(skin)].name;
    };
    pressed_ =
        "what moves as told presses things together that cannot give way, and no force is enough:";
    std::pair<int, int> last{-1, -1};
    for (const TouchRows& rows : points_) {
        const Manifold& m = contacts_.manifolds()[part_at(rows.manifold)];
        const auto here = std::find(island.row.begin(), island.row.end(), rows.first);
        if (here == island.row.end() || !(answer.contact.r(here - island.row.begin()) > 0) ||
            std::pair(m.a, m.b) == last)
            continue;
        pressed_ += (last.first < 0 ? " '" : ", '") + name(m.a) + "' and '" + name(m.b) + "'";
        last = {m.a, m.b};
    }
    pressed_ += "; let a motor with a bound (most) move it, or end its motion sooner";
    return true;
}

} // namespace poinsot
