// SPDX-License-Identifier: MIT
#include "poinsot/step/rests.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

std::size_t rest_at(int i)
{
    return static_cast<std::size_t>(i);
}

/// The rows of a group of a point, and the world axis of each.
struct GroupRows {
    int first = 0, rows = 0;
    std::array<Vec3<double>, 2> axis{};
};
std::array<GroupRows, 3> group_rows(const TouchRows& touch, const Manifold& m)
{
    const Vec3<double> t_1 = m.tangent, t_2 = cross(m.normal, t_1);
    const int twist = touch.first + 1 + touch.tangents, roll = twist + touch.twists;
    return {GroupRows{touch.first + 1, touch.tangents, {t_1, t_2}},
            GroupRows{twist, touch.twists, {m.normal, zero3<double>()}},
            GroupRows{roll, touch.rolls, {t_1, t_2}}};
}

} // namespace

/// The points of the contacts at this place.
void Rests::find(const Placed& placed)
{
    pairs_.clear();
    for (const Rest& rest : all)
        if (pairs_.empty() || pairs_.back() != std::pair{rest.at.a, rest.at.b})
            pairs_.emplace_back(rest.at.a, rest.at.b);
    surfaces_.place(placed);
    // A stage may be off by the error of a method: what is farther has left.
    surfaces_.find(pairs_, 1e-3 * surfaces_.size(), found_);
    points_.clear();
    for (Rest& rest : all) {
        const int i = same_point(found_, rest.at);
        rest.index = i < 0 ? -1 : static_cast<int>(points_.size());
        if (i >= 0)
            points_.push_back(rest.now = found_[rest_at(i)]);
    }
}

/// Adds their rows to those that are there, and says what each group does.
void Rests::bind(const Placed& placed, std::size_t stops)
{
    const int joints = rows_.count(); // and stops, which are the last of them
    bind_contacts(model_, placed, points_, rows_, touch_);
    surfaces_.measure_gamma(placed, points_, touch_, rows_);
    contacts_.resize(stops);
    at_stops.resize(stops);
    for (std::size_t i = 0; i < stops; ++i) {
        contacts_[i] = {};
        contacts_[i].normal = joints - static_cast<int>(stops - i);
    }
    start_.setZero(rows_.count());
    if (joint_start_.size() == static_cast<std::size_t>(joints))
        for (int r = 0; r < joints; ++r)
            start_(r) = joint_start_[rest_at(r)];
    for (Rest& rest : all) {
        if (rest.index < 0)
            continue;
        const TouchRows& touch = touch_[rest_at(rest.index)];
        const auto groups = group_rows(touch, points_[rest_at(rest.index)]);
        RestingContact made;
        made.normal = touch.first;
        start_(touch.first) = rest.normal;
        const std::array<double, 3> bounds{rest.law.friction, rest.law.torsion, rest.law.rolling};
        const std::array<Vec3<double>, 3> before{
            rest.friction, rest.torsion * points_[rest_at(rest.index)].normal, rest.rolling};
        for (std::size_t g = 0; g < groups.size(); ++g) {
            const GroupRows& rows = groups[g];
            Rest::Slip& slip = rest.slips[g];
            RestingContact::Group& group = made.groups[g];
            group.first = rows.first;
            group.rows = rows.rows;
            group.bound = bounds[g];
            group.slides = slip.slides;
            rest.slip[g] = zero3<double>();
            for (int k = 0; k < rows.rows; ++k) {
                const Vec3<double>& axis = rows.axis[rest_at(k)];
                rest.slip[g] += rows_.rows[rest_at(rows.first + k)].g_dot * axis;
                start_(rows.first + k) = dot(before[g], axis);
            }
            // Beyond the place where it stops the law goes on as it was: an end of the part will be
            // found there, and until it is, nothing may jump.
            const double speed = norm(rest.slip[g]);
            const bool goes_on = speed > slip.noise && dot(rest.slip[g], slip.direction) > 0;
            const Vec3<double> along = goes_on ? (1 / speed) * rest.slip[g] : slip.direction;
            for (int k = 0; k < rows.rows; ++k)
                group.direction[rest_at(k)] = dot(along, rows.axis[rest_at(k)]);
        }
        contacts_.push_back(made);
    }
}

void Rests::solve()
{
    answer_ = solve_rest(W_, b_, contacts_, tolerance, start_, stop);
    residual_ = std::max(residual_, answer_.residual);
    if (answer_.end != RestAnswer::End::solved && worst_ != RestAnswer::End::none)
        worst_ = answer_.end;
}

void Rests::keep()
{
    const int joints = touch_.empty() ? rows_.count() : touch_.front().first;
    joint_start_.assign(answer_.f.data(), answer_.f.data() + joints);
    for (std::size_t i = 0; i < at_stops.size(); ++i) {
        const int row = contacts_[i].normal;
        at_stops[i] = {answer_.f(row), answer_.a(row), until_open(contacts_[i], W_, answer_),
                       W_(row, row)};
    }
    for (Rest& rest : all) {
        rest.normal = rest.torsion = rest.opening = 0;
        rest.friction = rest.rolling = zero3<double>();
        rest.until_open = 0;
        if (rest.index < 0)
            continue;
        const RestingContact& contact = contacts_[at_stops.size() + rest_at(rest.index)];
        const TouchRows& touch = touch_[rest_at(rest.index)];
        const auto groups = group_rows(touch, points_[rest_at(rest.index)]);
        rest.normal = answer_.f(touch.first);
        rest.opening = answer_.a(touch.first);
        rest.until_open = until_open(contact, W_, answer_);
        std::array<Vec3<double>, 3> on_b{zero3<double>(), zero3<double>(), zero3<double>()};
        for (std::size_t g = 0; g < groups.size(); ++g) {
            const GroupRows& rows = groups[g];
            rest.slip_dot[g] = zero3<double>();
            for (int k = 0; k < rows.rows; ++k) {
                on_b[g] += answer_.f(rows.first + k) * rows.axis[rest_at(k)];
                rest.slip_dot[g] += answer_.a(rows.first + k) * rows.axis[rest_at(k)];
            }
            rest.until_slip[g] =
                rows.rows > 0 ? until_slip(contact, contact.groups[g], W_, answer_) : 0;
        }
        rest.friction = on_b[0];
        rest.torsion = dot(on_b[1], points_[rest_at(rest.index)].normal);
        rest.rolling = on_b[2];
    }
}

void Rests::reply(System& system, double t)
{
    const Placed& placed = system.placed;
    find(placed);
    rows_.clear();
    bind_joints(model_, placed, t, rows_, system.standing);
    if (system.standing.empty()) // else what a stop repeats may have been left out, and stops open
        leave_out(system.bonds.solver.decided(), rows_);
    bind(placed, system.standing.size());
    // V̇ before anything binds, and what the rows make of it.
    masses_of(placed, masses_);
    unbound_forces(placed, system.loads.total, unbound_);
    b_.resize(rows_.count());
    for (const Block& block : rows_.blocks)
        for (int k = 0; k < block.rows; ++k) {
            double a = rows_.row(block, k).gamma;
            for (int i = 0; i < block.bodies; ++i) {
                const std::size_t body = rest_at(block.body[rest_at(i)]);
                a += power(rows_.J_of(block, k, i), masses_[body].inverse_times(unbound_[body]));
            }
            b_(block.first_row + k) = a;
        }
    ContactProblem all_rows;
    all_rows.rows = &rows_;
    all_rows.masses = masses_;
    W_ = delassus_of(all_rows);
    solve();
    keep();
    add_reactions(rows_, {answer_.f.data(), static_cast<std::size_t>(answer_.f.size())},
                  system.loads);
}

void Rests::reply(JointSystem& system, std::span<const double> v, double t, std::span<double> v_dot)
{
    const Placed& placed = system.world.placed;
    find(placed);
    rows_.clear();
    bind_loops(model_, placed, t, rows_, system.world.standing);
    if (system.world.standing.empty())
        leave_out(system.rows_left_out(), rows_);
    bind(placed, system.world.standing.size());
    linkage_.assemble(system.linkage, rows_, placed.bodies, system.space);
    linkage_.part_unmoved(rows_, placed.bodies);
    const Eigen::Index n = rows_.count();
    W_.resize(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < n; ++j)
            W_(i, j) = linkage_.A()[static_cast<std::size_t>(i * n + j)];
    link_accelerations<double>(system.linkage, v, v_dot, system.space);
    b_.resize(n);
    for (const Block& block : rows_.blocks)
        for (int k = 0; k < block.rows; ++k) {
            double a = rows_.row(block, k).gamma;
            for (int i = 0; i < block.bodies; ++i)
                a += power(rows_.J_of(block, k, i),
                           system.acceleration_of(rest_at(block.body[rest_at(i)])));
            b_(block.first_row + k) = a;
        }
    solve();
    keep();
    const std::span<const double> f{answer_.f.data(), static_cast<std::size_t>(answer_.f.size())};
    linkage_.add_change(f, v_dot);
    add_reactions(rows_, f, system.world.loads);
}

} // namespace poinsot
