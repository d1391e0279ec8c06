// SPDX-License-Identifier: MIT
// What happens at an event: who strikes, who rests from now on.
#include "poinsot/solve/impact.hpp"
#include "poinsot/step/contact_events.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

// Points that are reached within this part of a step are reached together.
constexpr double reached_together = 1e-9;
// Speeds after an impact are rounded at 1e-15 of the fastest, times what the masses make of it.
constexpr double impact_rounding = 1e-12;
// What rested keeps resting, and what stood standing, while its gap or its slip changes by less
// than this part of what loads do in a step: it is the error of the method.
constexpr double rest_slack = 1e-3;
// A force this much smaller than the largest is none; or ten times what forces were solved for.
constexpr double no_force = 1e-9;
constexpr int most_rounds = 10;
// Blows that follow each other within this part of a step are a clatter from the sixth on.
constexpr double quickly = 0.01;
constexpr int most_quick = 5;

std::size_t touch_at(int i)
{
    return static_cast<std::size_t>(i);
}

} // namespace

/// What happens where y touches. Returns why nothing can.
const char* ContactEvents::meet(State& y, double t, const Step& step)
{
    rests_.all.clear();
    rests_.begin();
    place(y, step);
    surfaces_.place(step.w.system.placed);
    find_touches(y, step);
    find_stops(y, step);
    if (touches_.empty() && touching_.empty()) {
        y.touched.clear();
        return nullptr;
    }
    int rows = static_cast<int>(touching_.size());
    for (const Touch& touch : touches_)
        rows += most_rows_of(touch.law);
    if (rows > most_dense_rows)
        return too_many_rows;
    // What would the loads do to the gaps, if nothing rested?
    blow_.bind(y, t, touching_, points_, step.reduced(), step.w);
    surfaces_.measure_gamma(step.w.system.placed, points_, blow_.points(), blow_.rows());
    loads_ = spins_ = turns_ = 0;
    evaluate(y, t, step, false);
    for (std::size_t k = 0, b = 0; b < blow_.rows().blocks.size(); ++b) {
        const Block& block = blow_.rows().blocks[b];
        if (is_stop(block.first_row))
            turns_ = std::max(turns_, std::abs(acceleration_of_row(block, 0, step)));
        if (block.origin != Block::Origin::contact)
            continue;
        k += block.cause == Cause::contact_normal;
        const TouchRows& touch = blow_.points()[k - 1];
        for (int i = 0; i < block.rows; ++i) {
            const bool turns = block.first_row + i > touch.first + touch.tangents;
            double& most = turns ? spins_ : loads_;
            most = std::max(most, std::abs(acceleration_of_row(block, i, step)));
        }
    }

    before_ = y;
    now_ = t;
    const int impacts = impacts_;
    const std::size_t struck = struck_.size();
    const std::vector<ContactGain> gains = gains_;
    const std::vector<TouchRecord> records = records_;
    each_meeting([&](Meeting& one, int, std::pair<int, int> who) {
        if (clatters(who, t))
            one.restitution = 0;
    });
    for (bool again = true; again;) {
        impact_.clear(model_.bodies().size());
        if (const char* failure = collide(y, t, step))
            return failure;
        Back back = Back::captured;
        while (back == Back::captured && rests_.worst() == RestAnswer::End::solved &&
               !step.w.system.stopped()) {
            settle(y, t, step);
            back = who_returns(step);
        }
        again = back == Back::thrown && rests_.worst() == RestAnswer::End::solved;
        if (again) {
            y = before_;
            impacts_ = impacts;
            struck_.resize(struck);
            gains_ = gains;
            records_ = records;
        }
    }
    each_meeting([&](Meeting& one, int, std::pair<int, int> who) {
        if (one.bounced)
            count_blow(who, t);
    });
    kept_.merge(impact_);
    if (rests_.worst() == RestAnswer::End::solved) {
        impact_.clear(model_.bodies().size());
        put_back(y, step);
        kept_.merge(impact_);
        remember(y);
    }
    return nullptr;
}

void ContactEvents::find_touches(const State& y, const Step& step)
{
    const Placed& placed = step.w.system.placed;
    double far = 0;
    for (const PlacedBody& body : placed.bodies)
        far = std::max({far, std::abs(body.x.x), std::abs(body.x.y), std::abs(body.x.z)});
    gap_noise_ = 4 * depth_accuracy * surfaces_.largest() + 0x1p-48 * far;
    const double soon = reached_together * h_;
    surfaces_.find(std::max({within_, gap_noise_, 2 * surfaces_.fastest(placed) * soon}), found_);
    // Who rested takes the nearest point of the same parts.
    claimed_.assign(found_.size(), false);
    stood_ = claimed_;
    for (const Touched& known : y.touched) {
        int nearest = -1;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < found_.size(); ++i) {
            const double away = norm(place_of(found_[i]) - known.point);
            if (key_of(found_[i]) == known.pair && !claimed_[i] && away < least) {
                least = away;
                nearest = static_cast<int>(i);
            }
        }
        if (nearest >= 0 && known.normal > 0) {
            claimed_[touch_at(nearest)] = true;
            stood_[touch_at(nearest)] = !known.slides;
        }
    }
    touches_.clear();
    points_.clear();
    for (std::size_t i = 0; i < found_.size(); ++i) {
        const Manifold& m = found_[i];
        const double speed = surfaces_.approach(m, placed), gap = m.point[0].gap;
        if (!claimed_[i] && gap > std::max(gap_noise_, -speed * soon))
            continue;
        Touch touch{{claimed_[i]}, m, model_.contact_law(m.a, m.b), stood_[i]};
        touch.restitution = touch.law.restitution;
        touches_.push_back(touch);
        points_.push_back(m);
    }
}

// ---- impact -------------------------------------------------------------------------------------

/// Below this the speed of a row is rounding.
double ContactEvents::noise_of(int row) const
{
    return 1e-14 * blow_.terms(row) + impact_rounding * fastest_ +
           still_ * h_ * (is_stop(row) ? turns_ : loads_);
}

template <class Visit>
void ContactEvents::each_meeting(Visit visit)
{
    for (std::size_t k = 0; k < at_stop_.size(); ++k) {
        const Stop& stop = touching_[k]; // numbers that no two skins have
        visit(stops_[at_stop_[k]].meeting, blow_.stop_row(k),
              {-1 - stop.joint, 2 * stop.coordinate + (stop.upper ? 1 : 0)});
    }
    for (std::size_t k = 0; k < touches_.size(); ++k) {
        Touch& touch = touches_[k];
        visit(touch, blow_.points()[k].first, {touch.at.a, touch.at.b});
    }
}

/// Strikes until nobody approaches.
const char* ContactEvents::collide(State& y, double t, const Step& step)
{
    fastest_ = 0;
    each_meeting([](Meeting& one, int, std::pair<int, int>) {
        one.bounced = one.rests = one.captured = false;
    });
    blow_.bind(y, t, touching_, points_, step.reduced(), step.w);
    for (int round = 0; round <= most_rounds; ++round) {
        bool any = false;
        each_meeting([&](Meeting& one, int row, std::pair<int, int>) {
            one.speed = blow_.speed(row);
            const double loads = is_stop(row) ? turns_ : loads_;
            const bool rested = round == 0 && one.rested && -one.speed <= rest_slack * h_ * loads;
            any = any || (!rested && one.speed < -noise_of(row));
        });
        if (!any)
            return nullptr;
        each_meeting([&](Meeting& one, int, std::pair<int, int>) {
            fastest_ = std::max(fastest_, -one.speed);
        });
        if (!strike(y, round == most_rounds, step))
            return "what touches makes no sense: a number is none, or nothing moves";
    }
    bool goes_on = false;
    each_meeting([&](Meeting& one, int row, std::pair<int, int>) {
        one.speed = blow_.speed(row);
        goes_on = goes_on || (is_stop(row) && one.speed < -1e-6 * fastest_);
    });
    return goes_on ? "a joint is driven through its limit by what else binds it: a prescribed "
                     "motion, or limits that contradict each other"
                   : nullptr;
}

/// The impulses of one impact, done to y and booked. The last makes an end: nobody comes back.
bool ContactEvents::strike(State& y, bool last, const Step& step)
{
    const ContactSettings& contact = step.settings.contact;
    ImpactSettings how;
    how.law = contact.law;
    how.order = contact.order;
    how.exact = contact.exact;
    how.cone.tolerance = how.sweeps.tolerance = contact.tolerance;
    how.sweeps.sweeps = contact.sweeps;
    how.cone.stop = how.sweeps.stop = step.w.system.stop;
    std::vector<TouchRows> laws(blow_.points().begin(), blow_.points().end());
    for (std::size_t k = 0; k < laws.size(); ++k) {
        laws[k].law = touches_[k].law;
        laws[k].law.restitution = last ? 0 : touches_[k].restitution;
    }
    std::vector<StopLaw> stops(at_stop_.size());
    for (std::size_t k = 0; k < stops.size(); ++k)
        stops[k].restitution = last ? 0 : stops_[at_stop_[k]].meeting.restitution;
    std::size_t used = 0;
    divide(model_, blow_.rows(), laws, stops, {}, model_.bodies().size(), step.reduced(), islands_,
           used);
    const Eigen::Index all = blow_.rows().count();
    Eigen::VectorXd r = Eigen::VectorXd::Zero(all), restored = r;
    for (std::size_t i = 0; i < used; ++i) {
        Island& island = islands_[i];
        const Eigen::Index n = island.rows.count();
        ContactProblem& problem = island.problem;
        problem.rows = nullptr;
        problem.W.resize(n, n);
        problem.q.resize(n);
        bool any = false;
        for (Eigen::Index a = 0; a < n; ++a) {
            const int row = island.row[static_cast<std::size_t>(a)];
            problem.q(a) = row < blow_.joint_rows() ? 0 : blow_.speed(row); // joints keep theirs
            for (Eigen::Index b = 0; b < n; ++b)
                problem.W(a, b) = blow_.W()(row, island.row[static_cast<std::size_t>(b)]);
        }
        for (const ContactBlock& block : problem.blocks)
            any = any || (block.law == ContactBlock::Law::contact &&
                          problem.q(block.first) < -noise_of(island.row[touch_at(block.first)]));
        if (!any)
            continue;
        island.before = problem.q;
        const auto answer = solve_impact(problem, island.before, island.restitution, how);
        if (!answer)
            return false;
        residual_ = std::max(residual_, answer->contact.residual);
        unsolved_ += !answer->contact.solved;
        for (const int named : answer->gaining) {
            const ContactBlock& block = problem.blocks[touch_at(named)];
            const int row = island.row[touch_at(block.first)];
            ContactGain made;
            made.time = now_;
            made.energy = work_of(block, island.before, *answer);
            made.unsolved = !answer->contact.solved;
            if (!(made.energy > work_rounding(problem, island.before, *answer)))
                continue;
            if (is_stop(row))
                made.stop = touching_[touch_at(row - blow_.joint_rows())];
            for (std::size_t k = 0; k < touches_.size(); ++k)
                if (blow_.points()[k].first == row) {
                    made.a = touches_[k].at.a;
                    made.b = touches_[k].at.b;
                }
            add_gain(gains_, made);
        }
        for (Eigen::Index a = 0; a < n; ++a) {
            r(island.row[static_cast<std::size_t>(a)]) = answer->contact.r(a);
            restored(island.row[static_cast<std::size_t>(a)]) = answer->restored(a);
        }
    }
    blow_.push(y, r, restored, step.w, impact_);
    for (int row = blow_.joint_rows(); is_stop(row); ++row)
        if (r(row) > 0) {
            Meeting& one = stops_[at_stop_[touch_at(row - blow_.joint_rows())]].meeting;
            if (one.speed < -noise_of(row)) // one that stands bears what others do
                record_blow({-1, -1, touching_[touch_at(row - blow_.joint_rows())], now_, r(row)});
            one.bounced = blow_.speed(row) > noise_of(row) && !last && one.restitution > 0;
        }
    for (std::size_t k = 0; k < touches_.size(); ++k) {
        Touch& touch = touches_[k];
        const TouchRows& rows = blow_.points()[k];
        if (!(r(rows.first) > 0))
            continue;
        ++impacts_;
        record_blow({touch.at.a, touch.at.b, std::nullopt, now_, r(rows.first)});
        const bool comes_back = blow_.speed(rows.first) > noise_of(rows.first);
        touch.bounced = comes_back && laws[k].law.restitution > 0;
        const Vec3<double> n = touch.at.normal, t_1 = touch.at.tangent, t_2 = cross(n, t_1);
        Vec3<double> impulse = r(rows.first) * n, moment = zero3<double>();
        int row = rows.first + 1;
        double slip = 0;
        if (rows.tangents > 0) {
            impulse += r(row) * t_1 + r(row + 1) * t_2;
            slip = std::hypot(blow_.speed(row), blow_.speed(row + 1));
            row += 2;
        }
        if (rows.twists > 0)
            moment += r(row++) * n;
        if (rows.rolls > 0)
            moment += r(row) * t_1 + r(row + 1) * t_2;
        record(touch.at, impulse, moment, slip);
    }
    return true;
}

/// In rounds of one event the same two may strike each other again: that is one impact.
void ContactEvents::record_blow(const Struck& blow)
{
    for (auto one = struck_.rbegin(); one != struck_.rend() && one->time == blow.time; ++one)
        if (one->a == blow.a && one->b == blow.b && one->stop == blow.stop) {
            one->impulse += blow.impulse;
            return;
        }
    struck_.push_back(blow);
}

// ---- rest ---------------------------------------------------------------------------------------

/// How a touch would rest, by its speeds now.
Rest ContactEvents::rest_at(std::size_t k, const State& y) const
{
    const Touch& touch = touches_[k];
    const TouchRows& rows = blow_.points()[k];
    const Vec3<double> n = touch.at.normal, t_1 = touch.at.tangent, t_2 = cross(n, t_1);
    Rest made;
    made.at = made.now = touch.at;
    made.law = touch.law;
    int row = rows.first + 1;
    const double W_n = blow_.W()(rows.first, rows.first);
    const auto slip = [&](Rest::Slip& out, int count, const Vec3<double>& e_1,
                          const Vec3<double>& e_2, double loads, double bound) {
        Vec3<double> u = zero3<double>();
        for (int i = 0; i < count; ++i, ++row) {
            u += blow_.speed(row) * (i == 0 ? e_1 : e_2);
            // Friction itself is a load: c f_n, with the f_n that stops the gap.
            loads = std::max(loads, bound * loads_ * blow_.W()(row, row) / W_n);
            out.noise = std::max(out.noise, impact_rounding * (blow_.terms(row) + fastest_));
        }
        out.noise = std::max(out.noise, still_ * h_ * loads);
        // What stood goes on standing while it slips by no more than the error of the method.
        const bool stood = touch.stood && fastest_ == 0 && &out == &made.slips[0];
        out.slides = norm(u) > (stood ? std::max(out.noise, rest_slack * h_ * loads) : out.noise);
        if (out.slides)
            out.direction = (1 / norm(u)) * u;
    };
    slip(made.slips[0], rows.tangents, t_1, t_2, loads_, touch.law.friction);
    slip(made.slips[1], rows.twists, n, zero3<double>(), spins_, touch.law.torsion);
    slip(made.slips[2], rows.rolls, t_1, t_2, spins_, touch.law.rolling);
    if (!made.slips[0].slides)
        made.law.friction = made.law.static_friction;
    for (const Touched& known : y.touched) // where the solver begins
        if (known.pair == key_of(touch.at) &&
            norm(known.point - place_of(touch.at)) < 0.01 * surfaces_.size()) {
            made.normal = known.normal / h_;
            made.torsion = known.torsion / h_;
            made.friction = (1 / h_) * known.friction;
            made.rolling = (1 / h_) * known.rolling;
        }
    return made;
}

/// Who rests from now on?
void ContactEvents::settle(State& y, double t, const Step& step)
{
    rests_.all.clear();
    rests_.at_stops.clear();
    rests_.begin();
    resting_.clear();
    each_meeting([&](Meeting& one, int row, std::pair<int, int>) {
        const double loads = is_stop(row) ? turns_ : loads_;
        const double slack = one.rested && fastest_ == 0 ? rest_slack * h_ * loads : 0;
        one.rests = !one.bounced && (one.captured || one.speed <= noise_of(row) + slack);
    });
    for (std::size_t k = 0; k < touches_.size(); ++k) {
        if (!touches_[k].rests)
            continue;
        rests_.all.push_back(rest_at(k, y));
        resting_.push_back(k);
    }
    stand_at(y);
    force_ = strength_ = 0;
    if (!holds(y)) {
        evaluate(y, t, step, false);
        return;
    }
    do {
        evaluate(y, t, step, true);
        if (rests_.worst() != RestAnswer::End::solved)
            return;
        for (const Rest& rest : rests_.all)
            force_ = std::max(force_, rest.normal);
        weigh_forces();
    } while (begin_slips());
    drop_stops(y);
    // Those that open leave without a force.
    const double none = std::max(no_force, 10 * rests_.residual()) * force_;
    std::size_t kept = 0;
    for (std::size_t r = 0; r < rests_.all.size(); ++r) {
        const Rest& rest = rests_.all[r];
        Touch& touch = touches_[resting_[r]];
        touch.rests =
            rest.index >= 0 && (force_ > 0 ? rest.until_open >= -none : !(rest.opening > 0));
        if (touch.rests)
            rests_.all[kept++] = rest;
    }
    rests_.all.resize(kept);
}

/// What stood and cannot stand slides from now on. False: nothing changes.
bool ContactEvents::begin_slips()
{
    const double none = std::max(no_force, 10 * rests_.residual()) * force_;
    bool any = false;
    for (Rest& rest : rests_.all)
        for (std::size_t g = 0; g < rest.slips.size(); ++g) {
            Rest::Slip& slip = rest.slips[g];
            const double bound = g == 0   ? rest.law.friction
                                 : g == 1 ? rest.law.torsion
                                          : rest.law.rolling;
            const double speeds_up = norm(rest.slip_dot[g]);
            if (slip.slides || rest.index < 0 || !(bound > 0) || !(speeds_up > 0) ||
                !(rest.until_slip[g] < -bound * none))
                continue;
            slip.slides = any = true;
            slip.direction = (1 / speeds_up) * rest.slip_dot[g];
            if (g == 0)
                rest.law.friction = model_.contact_law(rest.at.a, rest.at.b).friction;
        }
    return any;
}

/// Those that leave and would be back within a step come to rest.
ContactEvents::Back ContactEvents::who_returns(const Step& step)
{
    const auto leaves = [&](const Meeting& one, int row) {
        return !one.rests && one.speed > noise_of(row);
    };
    bool any = false;
    each_meeting(
        [&](Meeting& one, int row, std::pair<int, int>) { any = any || leaves(one, row); });
    if (!any || rests_.worst() != RestAnswer::End::solved)
        return Back::none;
    surfaces_.place(step.w.system.placed);
    surfaces_.measure_gamma(step.w.system.placed, points_, blow_.points(), blow_.rows());
    Back back = Back::none;
    std::size_t next = 0; // block: those of meetings come in their order
    const auto& blocks = blow_.rows().blocks;
    each_meeting([&](Meeting& one, int row, std::pair<int, int>) {
        while (blocks[next].first_row != row)
            ++next;
        if (!leaves(one, row))
            return;
        double back_by = acceleration_of_row(blocks[next], 0, step);
        // What spins brings one point back as it turns, and within the step another is lowest: of
        // one that bounced that is no reason to keep it there.
        if (one.bounced)
            back_by = std::max(back_by, back_by - blow_.rows().row(blocks[next], 0).gamma);
        if (!(2 * one.speed + h_ * back_by < 0))
            return;
        if (one.bounced) {
            one.restitution = 0;
            back = Back::thrown;
        } else if (!one.captured) {
            one.captured = true;
            back = back == Back::none ? Back::captured : back;
        }
    });
    return back;
}

bool ContactEvents::clatters(std::pair<int, int> who, double t) const
{
    return std::any_of(blows_.begin(), blows_.end(), [&](const Blows& known) {
        return known.who == who && known.quick >= most_quick && t - known.last < quickly * h_;
    });
}
void ContactEvents::count_blow(std::pair<int, int> who, double t)
{
    for (Blows& known : blows_)
        if (known.who == who) {
            known.quick = t - known.last < quickly * h_ ? known.quick + (t > known.last) : 0;
            known.last = t;
            return;
        }
    blows_.push_back({who, t, 0});
}

/// Takes the speeds that what rests should not have, and gaps that have drifted.
void ContactEvents::put_back(State& y, const Step& step)
{
    if (!holds(y))
        return;
    bound_rows_.clear();
    const Eigen::Index all = blow_.rows().count();
    Eigen::VectorXd lack = Eigen::VectorXd::Zero(all), gaps = lack;
    for (int row = 0; row < blow_.joint_rows(); ++row)
        bound_rows_.push_back(row);
    std::vector<int> normal_rows = bound_rows_;
    bool moves = false, drifted = false;
    const auto bind = [&](int row) {
        bound_rows_.push_back(row);
        lack(row) = -blow_.speed(row);
        moves = moves || std::abs(lack(row)) > 1e-14 * blow_.terms(row);
    };
    for (std::size_t i = 0; i < at_stop_.size(); ++i) {
        const AtStop& at = stops_[at_stop_[i]];
        if (!at.meeting.rests)
            continue;
        const int row = blow_.stop_row(i);
        bind(row);
        normal_rows.push_back(row);
        gaps(row) = -at.of.gap;
        drifted = drifted || std::abs(at.of.gap) > stop_gap_rounding;
    }
    std::size_t k = 0, r = 0;
    for (const Block& block : blow_.rows().blocks) {
        if (block.cause != Cause::contact_normal)
            continue;
        const Touch& touch = touches_[k];
        const TouchRows& rows = blow_.points()[k++];
        if (!touch.rests)
            continue;
        const Rest& rest = rests_.all[r++];
        bind(rows.first);
        normal_rows.push_back(rows.first);
        gaps(rows.first) = -touch.at.point[0].gap;
        drifted = drifted || std::abs(gaps(rows.first)) > gap_noise_;
        int row = rows.first + 1;
        const std::array<int, 3> counts{rows.tangents, rows.twists, rows.rolls};
        for (std::size_t g = 0; g < counts.size(); ++g)
            for (int i = 0; i < counts[g]; ++i, ++row)
                if (!rest.slips[g].slides)
                    bind(row);
    }
    const Cause cause = rests_.all.empty() ? Cause::stabilisation : Cause::contact_correction;
    if (moves)
        blow_.push(y, blow_.least(bound_rows_, lack), cause, step.w, impact_);
    if (drifted && step.settings.stabilisation == Stabilisation::projection &&
        !step.settings.contact.keep_overlaps)
        blow_.displace(y, blow_.least(normal_rows, gaps), cause, step.w, impact_);
}

/// For the next part, and for the next step.
void ContactEvents::remember(State& y) const
{
    y.touched.clear();
    for (const Rest& rest : rests_.all) {
        Touched made;
        made.pair = key_of(rest.at);
        made.point = place_of(rest.at);
        made.slides = rest.slips[0].slides;
        made.normal = h_ * rest.normal;
        made.torsion = h_ * rest.torsion;
        made.friction = h_ * rest.friction;
        made.rolling = h_ * rest.rolling;
        y.touched.push_back(made);
    }
}

} // namespace poinsot
