// SPDX-License-Identifier: MIT
#include "poinsot/step/stops.hpp"

#include "poinsot/integrate/event.hpp"
#include "poinsot/integrate/joint_system.hpp"
#include "poinsot/step/edges.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace poinsot {

namespace {

constexpr double gap_rounding = stop_gap_rounding;
// Stops that are reached within this part of a step are reached together.
constexpr double together = 1e-9;
constexpr double time_tolerance = 1e-12; // of a step
// Speeds after an impact are rounded at 1e-15 of the fastest, times what the masses make of it.
constexpr double speed_rounding = 1e-12;
constexpr int most_events = 100, rounds_apart = 10;

/// J · V of the only row of block k.
double row_rate(const Rows& rows, std::size_t k, std::span<const Twist<double>> V)
{
    const Block& block = rows.blocks[k];
    double rate = 0;
    for (int i = 0; i < block.bodies; ++i)
        rate += power(rows.J_of(block, 0, i),
                      V[static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)])]);
    return rate;
}

} // namespace

bool has_stops(const Model& model)
{
    if (model.any_held()) // a held point has no row, so it does not answer impulses
        return false;
    for (const Joint& joint : model.joints())
        for (const CoordinateLaw& law : joint.laws)
            if (!law.prescribed && (std::isfinite(law.lower) || std::isfinite(law.upper)))
                return true;
    return false;
}

bool takes_stops(const StepSettings& settings)
{
    if (settings.method == Method::impulsive) // limits are rows of its own
        return false;
    if (settings.formulation == Formulation::reduced)
        return settings.method != Method::gauss && settings.method != Method::midpoint;
    return settings.method != Method::splitting;
}

double stopped_within(const StepSettings& settings)
{
    const bool put_back = settings.formulation == Formulation::reduced
                              ? settings.stabilisation != Stabilisation::none
                              : settings.stabilisation == Stabilisation::projection;
    if (!put_back)
        return std::numeric_limits<double>::infinity();
    constexpr double typed = 1e-6;
    return facts_of(settings.method).order > 1 ? typed : std::max(typed, 0.1 * settings.h);
}

Stops::Stops(const Model& model, Postings::Detail detail)
    : model_(model), kept_(detail), impact_(detail)
{
    for (const StopGap& gap : stop_gaps_of(model))
        all_.push_back({gap});
}

StepReport Stops::pass(State& y, const StepSettings& settings, double t, Workspace& w)
{
    const double h = settings.h;
    const Step step{settings, w};
    StepReport all{0, nullptr};
    kept_.clear(model_.bodies().size());
    struck_.clear();
    double done = 0;
    for (int events = 0; done < h;) {
        const double all_left = h - done, rest = until_edge(model_, t + done, all_left);
        w.system.active_at = t + done + 0.5 * rest;
        all.failure = meet(y, t + done, step);
        if (all.failure)
            return all;
        double length = rest;
        if (const double next = y.substep > 0 ? y.substep : 0.01 * h;
            settings.method == Method::adaptive && next < rest)
            length = next > 0.5 * rest ? 0.5 * rest : next;
        const double wanted = length;
        const StepReport one = part(y, t + done, length, step);
        all.evaluations += one.evaluations;
        all.failure = one.failure;
        all.interrupted = one.interrupted;
        if (length < wanted && ++events == most_events && !all.failure)
            all.failure = "joints meet their limits more than a hundred times in one step; take a "
                          "smaller step";
        if (all.failure)
            return all;
        kept_.merge(w.postings);
        if (length == rest && rest < all_left)
            y.substep = 0; // what acted before says nothing
        done = length == all_left ? h : done + length;
    }
    std::swap(w.postings, kept_);
    return all;
}

// ---- a part of a step ---------------------------------------------------------------------------

/// Takes y over `length`, or up to the first event in it: `length` is then shorter.
StepReport Stops::part(State& y, double t, double& length, const Step& step)
{
    begin_ = y;
    begin_part(y, step);
    StepReport report = attempt(y, t, length, step);
    const auto margin_at = [&](double end) {
        const StepReport one = attempt(y, t, end, step);
        report.evaluations += one.evaluations;
        report.failure = one.failure;
        report.interrupted = one.interrupted;
        return one.failure ? std::nan("") : least_margin();
    };
    if (report.failure)
        return report;
    double end = length;
    if (!(least_margin() < 0)) {
        end = dip(length);
        if (end == length)
            return report;
        if (!(margin_at(end) < 0)) { // the cubic was wrong
            if (!report.failure)
                margin_at(length);
            return report;
        }
    }
    for (One& one : all_) // margins of different kinds are compared by what they are in this part
        one.size = std::max({std::abs(one.begin_margin), std::abs(one.margin()), gap_rounding});
    double begin = std::numeric_limits<double>::infinity();
    for (const One& one : all_)
        begin = std::min(begin, one.begin_margin / one.size);
    length = crossing(margin_at, 0.0, std::max(begin, 0.0), end, least_margin(),
                      time_tolerance * step.settings.h);
    if (!report.failure)
        margin_at(length);
    return report;
}

void Stops::begin_part(const State& y, const Step& step)
{
    const double lost = stopped_within(step.settings);
    for (One& one : all_) {
        one.stands = std::find(y.standing.begin(), y.standing.end(), one.stop) != y.standing.end();
        // One that begins at its stop may stay as far outside as it is, but for rounding.
        one.allowance = one.gap < -lost          ? std::numeric_limits<double>::infinity()
                        : one.gap < gap_rounding ? 2 * gap_rounding - std::min(one.gap, 0.0)
                                                 : 0;
        one.begin_gap = one.gap;
        one.begin_speed = one.speed;
        one.begin_margin = one.margin();
        one.size = 1;
    }
}

StepReport Stops::attempt(State& y, double t, double length, const Step& step)
{
    y = begin_;
    const StepReport report = flow(y, step.settings, t, length, step.w);
    if (report.failure)
        return report;
    measure(step.w.system.placed);
    if (!y.standing.empty())
        accelerate(y, t + length, step);
    return report;
}

double Stops::least_margin() const
{
    double least = std::numeric_limits<double>::infinity();
    for (const One& one : all_)
        least = std::min(least, one.margin() / one.size);
    return least;
}

/// Where, by the cubic, a free gap is closed first though it is open at both ends; or `length`.
double Stops::dip(double length) const
{
    double first = 1;
    for (const One& one : all_) {
        if (one.stands || !(one.begin_speed < 0 && one.speed > 0))
            continue;
        first = std::min(first, dip_of(one.begin_gap, length * one.begin_speed, one.gap,
                                       length * one.speed, one.allowance));
    }
    return first * length;
}

// ---- an event -----------------------------------------------------------------------------------

/// What happens at the stops that y touches. Returns why nothing can.
const char* Stops::meet(State& y, double t, const Step& step)
{
    look(y, step);
    find_touches(y, step);
    if (touches_.empty())
        return nullptr;
    before_ = y;
    const std::size_t struck = struck_.size();
    for (bool again = true; again;) {
        impact_.clear(model_.bodies().size());
        struck_.resize(struck);
        if (const char* failure = collide(y, t, step))
            return failure;
        settle(y, t, step);
        if (capture(y, t, step))
            settle(y, t, step);
        again = false;
        for (Touch& touch : touches_)
            if (touch.bounced && touch.excess < 0) { // it would be back within a step
                touch.restitution = 0;
                again = true;
            }
        if (again) {
            y = before_;
            place(y, step);
        }
    }
    kept_.merge(impact_);
    measure(step.w.system.placed);
    return nullptr;
}

void Stops::find_touches(const State& y, const Step& step)
{
    touches_.clear();
    const double lost = stopped_within(step.settings);
    for (std::size_t i = 0; i < all_.size(); ++i) {
        One& one = all_[i];
        one.stands = std::find(y.standing.begin(), y.standing.end(), one.stop) != y.standing.end();
        const double soon = std::max(gap_rounding, -one.speed * together * step.settings.h);
        if (one.stands || (one.gap <= soon && one.gap >= -lost)) {
            Touch touch{};
            touch.one = i;
            touch.restitution = one.restitution;
            touches_.push_back(touch);
        }
    }
    order_.resize(touches_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
        return touches_[a].restitution > touches_[b].restitution;
    });
}

/// Strikes until nobody approaches.
const char* Stops::collide(State& y, double t, const Step& step)
{
    fastest_ = 0;
    for (Touch& touch : touches_)
        touch.bounced = false;
    for (int round = 0; round <= rounds_apart; ++round) {
        const bool last = round == rounds_apart;
        bind_touches(step.w.system.placed);
        bool any = false;
        for (Touch& touch : touches_) {
            const bool stands = all_[touch.one].stands && round == 0;
            const double noise = noise_of(touch);
            const bool approaches = !stands && touch.speed < -noise;
            any = any || approaches;
            touch.target = approaches && !last ? -touch.restitution * touch.speed : 0;
            touch.takes_part = last || stands || touch.speed <= noise;
            touch.active = false;
        }
        if (!any)
            return nullptr;
        for (const Touch& touch : touches_)
            fastest_ = std::max(fastest_, -touch.speed);
        tried_.clear();
        do
            strike(y, t, step);
        while (next_set(speed_rounding * fastest_));
        bool goes_on = !(residual_ < 1e-6);
        for (const Touch& touch : touches_)
            goes_on =
                goes_on || (touch.takes_part && touch.excess + touch.target < -1e-6 * fastest_);
        if (goes_on)
            return "a joint is driven through its limit by what else binds it: a prescribed "
                   "motion, or limits that contradict each other";
        take_impulses(y, step);
        record_blows(t);
        for (Touch& touch : touches_)
            if (touch.active)
                touch.bounced = touch.target > 0;
    }
    bind_touches(step.w.system.placed);
    return nullptr;
}

/// Below this a speed of a touch is rounding.
double Stops::noise_of(const Touch& touch) const
{
    return touch.noise + speed_rounding * fastest_;
}

/// The impulses at the active touches, and the motion after them; y stays as it is.
void Stops::strike(const State& y, double t, const Step& step)
{
    System& system = step.w.system;
    const std::size_t bodies = model_.bodies().size();
    stand(system.standing);
    jumps_.clear();
    for (const Touch& touch : touches_)
        if (touch.active)
            jumps_.push_back(touch.target - touch.speed);
    change_.assign(bodies, {zero3<double>(), zero3<double>()});
    residual_ = 0;
    std::span<const double> lambda;
    if (!jumps_.empty() && step.reduced()) {
        JointSystem& joints = *step.w.joints;
        v_after_.resize(y.joints.v.size());
        v_change_.resize(y.joints.v.size());
        joints.strike(y.joints.v, t, jumps_, v_after_);
        place_bodies(joints.linkage, model_, y.joints.q, v_after_, after_, joints.space);
        for (std::size_t i = 0; i < bodies; ++i)
            change_[i] = after_.bodies[i].twist() - system.placed.bodies[i].twist();
        lambda = joints.multipliers();
    } else if (!jumps_.empty()) {
        Bonds& bonds = system.bonds;
        bind_joints(model_, system.placed, t, bonds.rows, system.standing);
        bonds.b.assign(bonds.rows.rows.size(), 0.0);
        std::copy(jumps_.begin(), jumps_.end(),
                  bonds.b.end() - static_cast<std::ptrdiff_t>(jumps_.size()));
        bonds.reply_to_lack(system.placed);
        change_ = bonds.answer.u;
        lambda = bonds.answer.lambda;
        residual_ = bonds.answer.residual;
    }
    std::size_t next = lambda.size() - jumps_.size();
    for (std::size_t k = 0; k < touches_.size(); ++k) {
        Touch& touch = touches_[k];
        touch.push = touch.active ? lambda[next++] : 0;
        touch.excess = touch.speed + row_rate(rows_, k, change_) - touch.target;
    }
}

/// What was found by the last strike is done to y, and booked.
void Stops::take_impulses(State& y, const Step& step)
{
    if (jumps_.empty())
        return;
    System& system = step.w.system;
    auto& bodies = system.placed.bodies;
    if (step.reduced()) {
        for (std::size_t i = 0; i < v_after_.size(); ++i)
            v_change_[i] = v_after_[i] - y.joints.v[i];
        y.joints.v = v_after_;
        step.w.joints->impulses_of_strike(after_.bodies, v_change_);
        follow_bodies(after_.bodies, y);
    } else {
        system.loads.clear(bodies.size());
        add_reactions(system.bonds.rows, system.bonds.answer.lambda, system.loads);
        after_.bodies = bodies;
        std::visit(
            [&](auto& forms) {
                for (std::size_t i = 0; i < forms.size(); ++i) {
                    push(forms[i], system.loads.total[i], bodies[i].mass);
                    after_.bodies[i] = placed(forms[i], bodies[i].mass);
                }
            },
            y.bodies);
    }
    if (!impact_.off()) // at a frozen place the work of an impulse is Λ · (V⁻ + V⁺)/2
        for (const LoadPart& part : system.loads.parts) {
            const auto i = static_cast<std::size_t>(part.body);
            impact_.post(part.body, part.cause, part.wrench, bodies[i].x,
                         0.5 * (bodies[i].twist() + after_.bodies[i].twist()));
        }
    bodies = after_.bodies;
    place_joints(model_, y.joint_coordinates, system.placed);
}

/// In rounds of one event the same stop may be struck again: that is one impact.
void Stops::record_blows(double t)
{
    for (const Touch& touch : touches_) {
        if (!touch.active || !(touch.push > 0) || !(touch.speed < -touch.noise))
            continue; // one that stands bears what others do, and is not struck
        const Stop& stop = all_[touch.one].stop;
        const auto known = std::find_if(struck_.begin(), struck_.end(), [&](const Struck& one) {
            return one.time == t && one.stop == stop;
        });
        if (known != struck_.end())
            known->impulse += touch.push;
        else
            struck_.push_back({stop, t, touch.push});
    }
}

/// Who stands from now on?
void Stops::settle(State& y, double t, const Step& step)
{
    for (Touch& touch : touches_) {
        const bool stays = all_[touch.one].stands && fastest_ == 0;
        touch.takes_part = !touch.bounced;
        touch.active = !touch.bounced && (stays || touch.speed <= noise_of(touch));
    }
    tried_.clear();
    do {
        stand(y.standing);
        accelerate(y, t, step);
        for (std::size_t k = 0; k < touches_.size(); ++k) {
            Touch& touch = touches_[k];
            touch.push = touch.active ? all_[touch.one].push : 0;
            touch.excess = rows_.rows[k].gamma + row_rate(rows_, k, change_) +
                           2 * touch.speed / step.settings.h;
        }
    } while (next_set(0));
}

/// Takes the speed of those that stand from now on though they were leaving. False if none were.
bool Stops::capture(State& y, double t, const Step& step)
{
    const bool any = std::any_of(touches_.begin(), touches_.end(), [&](const Touch& touch) {
        return touch.active && touch.speed > noise_of(touch);
    });
    if (!any)
        return false;
    for (Touch& touch : touches_)
        touch.target = 0;
    strike(y, t, step);
    take_impulses(y, step);
    bind_touches(step.w.system.placed);
    return true;
}

/// Murty's rule: the first stop that is wrong changes sides. False if none is.
bool Stops::next_set(double tolerance)
{
    const auto set = [&] {
        std::vector<bool> active;
        for (const Touch& touch : touches_)
            active.push_back(touch.active);
        return active;
    };
    tried_.push_back(set());
    for (const std::size_t k : order_) {
        Touch& touch = touches_[k];
        const bool wrong = touch.active ? touch.push < 0 : touch.excess < -tolerance;
        if (!touch.takes_part || !wrong)
            continue;
        touch.active = !touch.active;
        if (std::find(tried_.begin(), tried_.end(), set()) == tried_.end())
            return true;
        touch.takes_part = false;
        if (!touch.active)
            return true;
        touch.active = false;
    }
    return false;
}

// ---- what both ask ------------------------------------------------------------------------------

void Stops::place(const State& y, const Step& step)
{
    System& system = step.w.system;
    system.joint_coordinates = y.joint_coordinates;
    system.start_joints(y.released);
    if (step.reduced()) {
        if (!model_.tanks().empty()) {
            weigh(model_, y.tanks, y.flowing, y.shares, system.placed.weighed);
            step.w.joints->take_masses();
        }
        step.w.joints->place(y.joints.q, y.joints.v);
    } else
        poinsot::place(model_, y, system.placed);
}

void Stops::look(const State& y, const Step& step)
{
    place(y, step);
    measure(step.w.system.placed);
}

void Stops::measure(const Placed& placed)
{
    for (One& one : all_)
        one.measure(placed);
}

/// Pushes of the stops where y stands, and the accelerations of all bodies.
void Stops::accelerate(const State& y, double t, const Step& step)
{
    System& system = step.w.system;
    system.standing = y.standing;
    system.start_rotors(y.rotors, t);
    system.start_tanks(y.tanks, y.flowing, t);
    place(y, step);
    change_.resize(model_.bodies().size());
    std::span<const double> lambda;
    if (step.reduced()) {
        JointSystem& joints = *step.w.joints;
        v_after_.resize(y.joints.v.size());
        joints.evaluate(y.joints.q, y.joints.v, t, v_after_, true);
        for (std::size_t i = 0; i < change_.size(); ++i)
            change_[i] = joints.acceleration_of(i);
        lambda = joints.multipliers();
    } else {
        system.evaluate_placed(t);
        change_ = system.bonds.answer.u;
        lambda = system.bonds.answer.lambda;
    }
    if (y.standing.empty())
        return;
    std::size_t next = lambda.size() - y.standing.size();
    for (const Stop& stop : y.standing)
        for (One& one : all_)
            if (one.stop == stop)
                one.push = lambda[next++];
}

/// Rows of the touches, and their speeds.
void Stops::bind_touches(const Placed& placed)
{
    touching_.clear();
    for (const Touch& touch : touches_)
        touching_.push_back(all_[touch.one].stop);
    bind_stops(model_, placed, touching_, rows_);
    for (std::size_t k = 0; k < touches_.size(); ++k) {
        const Block& block = rows_.blocks[k];
        double terms = 0;
        for (int i = 0; i < block.bodies; ++i) {
            const Wrench<double>& J = rows_.J_of(block, 0, i);
            const PlacedBody& body =
                placed.bodies[static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)])];
            terms += norm(J.F) * norm(body.v) + norm(J.tau) * norm(body.omega);
        }
        touches_[k].speed = rows_.rows[k].g_dot;
        touches_[k].noise = 1e-14 * terms;
    }
}

/// The active touches as stops that bind.
void Stops::stand(std::vector<Stop>& out) const
{
    out.clear();
    for (const Touch& touch : touches_)
        if (touch.active)
            out.push_back(all_[touch.one].stop);
}

} // namespace poinsot
