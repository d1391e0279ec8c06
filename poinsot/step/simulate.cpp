// SPDX-License-Identifier: MIT
#include "poinsot/step/simulate.hpp"

#include "poinsot/contacts/press.hpp"
#include "poinsot/forces/aero.hpp"
#include "poinsot/model/throttle.hpp"
#include "poinsot/step/contact_events.hpp"
#include "poinsot/step/cut_watch.hpp"
#include "poinsot/step/declared.hpp"
#include "poinsot/step/edges.hpp"
#include "poinsot/step/floating.hpp"
#include "poinsot/step/impulsive.hpp"
#include "poinsot/step/stops.hpp"

#include <algorithm>
#include <cmath>
#include <new>

namespace poinsot {

namespace {

bool finite(const Quat<double>& q)
{
    return std::isfinite(q.w + q.x + q.y + q.z);
}
template <class Form>
bool finite(const Form& y)
{
    auto copy = y;
    return finite(y.x) && finite(y.attitude) && finite(first(copy)) && finite(second(copy));
}

bool finite(const State& state)
{
    return std::visit(
        [](const auto& bodies) {
            return std::all_of(bodies.begin(), bodies.end(),
                               [](const auto& y) { return finite(y); });
        },
        state.bodies);
}

} // namespace

Simulation::Simulation(std::shared_ptr<const Model> model, RunSettings settings, Input input)
    : model_(std::move(model)), settings_(std::move(settings)),
      input_(std::make_unique<Input>(std::move(input))),
      state_(start_of(*model_, settings_.step.form, settings_.step.formulation)),
      pending_(settings_.ledger.detail)
{
    const MethodFacts& facts = facts_of(settings_.step.method);
    // In reduced coordinates p and L are derived: their residual is the integrator's error. But of
    // trees that float, steps by impulses keep the momentum as a whole.
    const bool maximal = settings_.step.formulation == Formulation::maximal;
    const bool momenta = maximal && settings_.step.form != FormKind::velocity;
    const bool floats = !maximal && settings_.step.method == Method::impulsive &&
                        Floating(*model_, linkage_of(*model_)).bodies() == model_->bodies().size();
    settings_.ledger.promises_momentum = facts.promises_momentum && (momenta || floats);
    settings_.ledger.promises_spin = facts.promises_momentum && momenta;
    settings_.ledger.promises_L = facts.promises_L && (momenta || floats);
    ledger_ = Ledger(settings_.ledger, *model_, placed());
    pending_.clear(model_->bodies().size());
    w_ = std::make_unique<Workspace>(*model_, *input_, settings_.ledger.detail);
    if (!model_->cuts().empty()) {
        cuts_ = std::make_unique<CutWatch>(*model_, settings_.step, *input_);
        measure_cuts();
        judge_cuts();
    }
}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

void Simulation::measure_cuts()
{
    cuts_->measure(state_, time(), right_after(*model_, time(), settings_.step.h), answered());
}

void Simulation::judge_cuts()
{
    const Stores lost = cuts_->judge(state_, time(), happenings_);
    if (!pending_.off())
        pending_.shift_stores(lost);
}

void Simulation::keep_part(const State& before, const State& after)
{
    if (!pending_.off())
        pending_.merge(w_->postings);
    tell(before, after);
}

std::span<const CutRecord> Simulation::cuts() const
{
    return cuts_ ? cuts_->records() : std::span<const CutRecord>();
}

Result<Simulation> Simulation::start(std::shared_ptr<const Model> model, RunSettings settings,
                                     Input input)
{
    Problems found = unfit(*model, settings.step);
    if (!(settings.until > 0) || !std::isfinite(settings.until))
        found.add_at("run", "until", "until must be positive and finite, is ", settings.until);
    else if (settings.step.h > 0 && settings.until / settings.step.h > 1e12)
        found.add_at("run", "step", "step asks for ", settings.until / settings.step.h,
                     " steps; more than 1e12 would not end");
    else if (settings.step.h > settings.until * (1 + 1e-9))
        found.add_at("run", "step", "step is longer than the whole run: ", settings.step.h,
                     " s of ", settings.until, " s");
    if (const std::string wrong = wrong_controls(model->controls(), input); !wrong.empty())
        found.add_at("run", "input", wrong);
    if (settings.ledger_every < 1)
        found.add_at("ledger", "every", "ledger_every must be at least 1, is ",
                     settings.ledger_every);
    if (found.any())
        return found;
    return Simulation(std::move(model), std::move(settings), std::move(input));
}

std::int64_t Simulation::steps_in_all() const
{
    // A duration of 10 and a step of 0.1 are 100 steps, whatever 0.1 is in binary.
    return static_cast<std::int64_t>(std::ceil(settings_.until / settings_.step.h * (1 - 1e-12)));
}

std::optional<std::string> Simulation::step()
{
    if (const std::string wrong = wrong_controls(model_->controls(), *input_); !wrong.empty())
        return text_of("step ", state_.step + 1, ": ", wrong);
    StepReport report;
    try {
        report = smooth_step(state_, settings_.step, *w_);
    } catch (const std::bad_alloc&) { // the step was made beside the state
        return text_of(
            "step ", state_.step + 1,
            ": there is not enough memory for it; the last good state is at t = ", time(), " s");
    }
    evaluations_ += report.evaluations;
    interrupted_ = report.interrupted;
    if (report.failure) {
        if (interrupted_)
            return text_of("step ", state_.step + 1, ": interrupted");
        if (const auto bad = bad_number(state_)) // did a load at the last good state fail?
            return bad;
        if (report.failure == beyond_numbers)
            if (const auto bad = bad_number(w_->next))
                return bad;
        return text_of("step ", state_.step + 1, ": ", report.failure);
    }
    steps_by_impulses_ += w_->events && w_->events->by_impulses() != ContactEvents::ByImpulses::no;
    if (const auto wrong = unusable())
        return wrong;
    if (cuts_)
        measure_cuts();
    const double h = settings_.step.h;
    if (cuts_ && breaks_within() && (cuts_->passes() || edge_within(*model_, time() - h, h))) {
        if (const auto wrong = break_within())
            return wrong;
        measure_cuts();
    } else
        keep_part(w_->next, state_);
    if (cuts_)
        judge_cuts();
    if (!pending_.off()) {
        if (state_.step % settings_.ledger_every == 0)
            close_books();
    }
    return std::nullopt;
}

std::optional<std::string> Simulation::unusable()
{
    if (!finite(state_)) {
        w_->placed_at_end = false;
        std::swap(state_, w_->next); // back to the last good state; the bad one is in w_->next
        return bad_number(w_->next);
    }
    if (const auto beyond = limit_passed()) {
        w_->placed_at_end = false;
        std::swap(state_, w_->next);
        return beyond;
    }
    return std::nullopt;
}

std::string Simulation::why_not_stopped(const CoordinateLaw& law, double began) const
{
    if (law.prescribed)
        return "its prescribed motion leads there";
    if (model_->any_held())
        return "what happens there is an impact, which a body that is held cannot take: replace "
               "held by a ball joint with the world";
    if (w_->stops && takes_stops(settings_.step))
        return text_of("it was at ", began,
                       " before this step: a limit stops what comes from "
                       "inside, so begin there");
    StepSettings other = settings_.step;
    std::string fit;
    for (const MethodFacts& facts : methods) {
        other.method = facts.method;
        if (takes_stops(other) && !unfit(*model_, other).any())
            fit += text_of(fit.empty() ? "" : ", ", facts.name);
    }
    return text_of("what happens there is an impact, which integrator ",
                   facts_of(settings_.step.method).name, " does not take in ",
                   name_of(settings_.step.formulation), " coordinates: use one of ", fit);
}

std::optional<std::string> Simulation::limit_passed() const
{
    if (settings_.step.method == Method::impulsive) // which pushes back what is beyond
        return std::nullopt;
    constexpr double typed = 1e-6; // a joint may be beside its limit as far as digits are typed
    for (std::size_t j = 0; j < model_->joints().size(); ++j) {
        const Joint& joint = model_->joints()[j];
        for (std::size_t k = 0; k < joint.laws.size() && w_->system.placed.holds(j); ++k) {
            const auto at = static_cast<std::size_t>(model_->first_coordinate(j)) + k;
            const double q = state_.joint_coordinates[at];
            const CoordinateLaw& law = joint.laws[k];
            const bool stopped = w_->stops && takes_stops(settings_.step) && !law.prescribed;
            const double beside = stopped ? stopped_within(settings_.step) : typed;
            // Where stops are taken, one that leaves may be outside by the error of the method.
            const double soon =
                stopped ? q + settings_.step.h * w_->system.placed.joints[j].speed[k] : q;
            if (std::max(q, soon) < law.lower - beside || std::min(q, soon) > law.upper + beside)
                return text_of("step ", state_.step, ": joint '", joint.name,
                               "' has reached its limit ", q < law.lower ? law.lower : law.upper,
                               " (coordinate ", k + 1, " would be ", q, "); ",
                               why_not_stopped(law, w_->next.joint_coordinates[at]),
                               "; the last good state is at t = ",
                               static_cast<double>(state_.step - 1) * settings_.step.h, " s");
        }
    }
    return std::nullopt;
}

void Simulation::place_for_books()
{
    Placed& placed = w_->system.placed;
    weigh(*model_, state_.tanks, state_.flowing, state_.shares, placed.weighed);
    std::visit(
        [&](const auto& bodies) {
            using Form = typename std::decay_t<decltype(bodies)>::value_type;
            place(*model_, std::span<const Form>(bodies), placed);
        },
        state_.bodies);
    if (model_->joints_have_stores() || settings_.ledger.about)
        place_joints(*model_, state_.joint_coordinates, placed);
    placed.rotors = state_.rotors;
    mark_released(*model_, state_.released, placed);
}

void Simulation::close_books()
{
    if (pending_.off())
        return;
    if (!w_->placed_at_end || cuts_)
        place_for_books();
    const double strayed = ledger_.books().total.residual.E();
    ledger_.book(*model_, pending_, w_->system.placed);
    if (w_->events) { // forces of rest that change within a step are beyond what its order resolves
        const Books& books = ledger_.books();
        const double more = books.total.residual.E() - strayed;
        if (std::abs(more) > std::abs(quality_.strayed)) {
            quality_.strayed = more;
            quality_.strayed_at = time();
        }
        quality_.strayed_part = books.scale_E > 0 ? std::abs(quality_.strayed) / books.scale_E : 0;
    }
    pending_.clear(model_->bodies().size());
}

Ledger Simulation::ledger_now() const
{
    Ledger now = ledger_;
    if (!pending_.off())
        now.book(*model_, pending_, placed());
    return now;
}

namespace {

/// The body whose motion is the largest number.
std::size_t fastest(const Placed& placed)
{
    std::size_t found = 0;
    double most = -1;
    for (std::size_t i = 0; i < placed.bodies.size(); ++i) {
        const PlacedBody& body = placed.bodies[i];
        for (const Vec3<double>& part : {body.x, body.v, body.omega, body.p, body.L})
            for (const double one : {part.x, part.y, part.z})
                if (std::abs(one) > most) {
                    most = std::abs(one);
                    found = i;
                }
    }
    return found;
}

} // namespace

std::optional<std::string> Simulation::bad_number(const State& reached)
{
    const std::size_t count = model_->bodies().size();
    std::vector<char> suspects(count, 0); // joints carry on to others what one has
    std::visit(
        [&](const auto& bodies) {
            for (std::size_t i = 0; i < bodies.size(); ++i)
                suspects[i] = !finite(bodies[i]);
        },
        reached.bodies);
    auto bad =
        static_cast<std::size_t>(std::find(suspects.begin(), suspects.end(), 1) - suspects.begin());
    if (bad == count && &reached != &state_) { // beyond numbers, though it is one itself
        bad = fastest(place(*model_, reached));
        suspects.assign(count, 1);
    }
    if (model_->joints().empty())
        suspects.assign(count, 0);

    // A load that is no number is the cause, wherever in the step it shows; else the largest is.
    std::optional<Cause> guilty;
    bool not_a_number = false;
    double largest = 0;
    for (const double part_of_step : {0.0, 0.5, 1.0}) {
        w_->system.placed = placed();
        w_->system.evaluate_placed(time() + part_of_step * settings_.step.h);
        for (const LoadPart& part : w_->system.loads.parts) {
            const bool is_bad = !finite(part.wrench.F) || !finite(part.wrench.tau);
            const double size = norm(part.wrench.F) + norm(part.wrench.tau);
            if (is_bad && !not_a_number) {
                not_a_number = true;
                guilty = part.cause;
                bad = static_cast<std::size_t>(part.body);
            } else if (const auto body = static_cast<std::size_t>(part.body);
                       !not_a_number && (body == bad || suspects[body]) &&
                       part.cause != Cause::joint && size > largest) {
                largest = size;
                guilty = part.cause;
                bad = body;
            }
        }
    }
    for (std::size_t r = 0; r < state_.rotors.size() && !not_a_number; ++r)
        if (!std::isfinite(state_.rotors[r] * state_.rotors[r])) { // no load, but what turns all
            bad = static_cast<std::size_t>(model_->rotors()[r].body);
            guilty = Cause::rotor;
        }
    if (bad == count)
        return std::nullopt;
    std::string refused; // by the air: it may reach as far as here and not as far as the step goes
    for (const Aerodynamics& a : model_->aerodynamics())
        for (const double part_of_step : {0.0, 0.5, 1.0}) {
            const double later = part_of_step * settings_.step.h;
            PlacedBody body = placed().bodies[static_cast<std::size_t>(a.body)];
            body.x += later * body.v;
            if (refused.empty() && static_cast<std::size_t>(a.body) == bad)
                refused = why_no_load(a, model_->planet(), model_->air(), body, time() + later,
                                      {&model_->controls(), input_.get(), time() + later});
        }
    if (!refused.empty()) {
        guilty = Cause::drag;
        refused = " (" + refused + ")";
    }
    return text_of("step ", state_.step + 1, ": the motion of body '", model_->bodies()[bad].name,
                   "' is not a number; cause: ",
                   guilty ? name_of(*guilty) : std::string_view("the integration itself"), refused,
                   "; the last good state is at t = ", time(), " s");
}

std::span<const TouchRecord> Simulation::touches() const
{
    if (w_->system.press)
        return w_->system.press->touches();
    if (w_->events)
        return w_->events->touches();
    if (!w_->impulsive)
        return {};
    return w_->impulsive->touches();
}

std::span<const DriveRecord> Simulation::drives() const
{
    const bool rows = settings_.step.method == Method::impulsive && w_->impulsive;
    return rows ? w_->impulsive->drives() : std::span<const DriveRecord>();
}

Answered Simulation::answered() const
{
    return {touches(), drives()};
}

Checkpoint Simulation::checkpoint() const
{
    const std::span<const CutRecord> records = cuts();
    return {state_, ledger_.books(), pending_, {records.begin(), records.end()}, happenings_};
}

void Simulation::resume(Checkpoint from)
{
    state_ = std::move(from.state);
    bushing_turns_.clear();
    w_->placed_at_end = false;
    ledger_.restore(std::move(from.books));
    pending_ = std::move(from.pending);
    if (cuts_) {
        cuts_ = std::make_unique<CutWatch>(*model_, settings_.step, *input_);
        if (from.cuts.empty()) { // what is too much was let go, and told, when this was reached
            cuts_->measure(state_, time(), right_after(*model_, time(), settings_.step.h), {});
            cuts_->judge(state_, time(), happenings_);
        } else
            cuts_->restore(std::move(from.cuts));
    }
    happenings_ = std::move(from.happenings);
}

} // namespace poinsot
