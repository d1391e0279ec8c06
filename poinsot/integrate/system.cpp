// SPDX-License-Identifier: MIT
#include "poinsot/integrate/system.hpp"

#include "poinsot/contacts/press.hpp"
#include "poinsot/forces/gyrostat.hpp"
#include "poinsot/model/throttle.hpp"

#include <algorithm>

namespace poinsot {

namespace {

void carry_on(const System& system, double t, std::vector<double>& momenta)
{
    const auto& rotors = system.model.rotors();
    momenta.resize(rotors.size());
    for (std::size_t i = 0; i < rotors.size(); ++i)
        momenta[i] = rotor_momentum(rotors[i], system.rotors[i], system.rotors_at, t,
                                    system.active_at, input_torque(system.input, i));
}

/// What is in the tanks some time after the step began.
inline ContentsAfter contents_after(const System& system, double passed)
{
    const Flowing& flowing = system.flowing;
    return {system.tanks.data(), flowing.rates.data(),
            flowing.shares.empty() ? nullptr : flowing.changes.data(), passed};
}

/// Other flows than before, or flows that follow a control.
[[gnu::noinline]] void turn_valves(System& system, std::span<const char> on, double t)
{
    Flowing& flowing = system.flowing;
    const Model& model = system.model;
    shares_at(model.flows(), model.controls(), &system.input, t, system.active_at, flowing.shares);
    flowing.on.assign(on.begin(), on.end());
    find_rates(model.tanks(), model.flows(), flowing);
}

} // namespace

System::System(const Model& model, const Input& input) : model(model), input(input)
{
    if (!model.rotors().empty())
        rotors = start_of<MomentumForm<double>>(model).rotors;
    rotors_coast_ = std::all_of(model.rotors().begin(), model.rotors().end(),
                                [](const Rotor& rotor) { return rotor.coasts(); });
    throttled_ = std::any_of(model.flows().begin(), model.flows().end(),
                             [](const Flow& flow) { return flow.control >= 0; });
    if (!model.tanks().empty()) {
        const State start = start_of<MomentumForm<double>>(model);
        start_tanks(start.tanks, start.flowing, 0);
        weigh(0);
    }
}

System::~System() = default;

void System::gather(double t)
{
    if (rotors_coast())
        placed.rotors = rotors;
    else
        carry_on(*this, t, placed.rotors);
    gather_loads(model, placed, input, t, active_at, loads);
    if (press)
        press->add_loads(placed, loads);
}

std::span<RotorSpin> System::spins_at(double t)
{
    if (rotors.empty())
        return {};
    if (!rotors_coast())
        carry_on(*this, t, placed.rotors);
    const std::vector<double>& momenta = rotors_coast() ? rotors : placed.rotors;
    spins.assign(model.bodies().size(), {});
    for (std::size_t i = 0; i < momenta.size(); ++i) {
        const Rotor& rotor = model.rotors()[i];
        spins[static_cast<std::size_t>(rotor.body)].s += momenta[i] * rotor.axis;
    }
    return spins;
}

void System::start_tanks(std::span<const double> contents, std::span<const char> on, double t)
{
    tanks_at = t;
    if (contents.empty())
        return;
    // Most steps begin where the step before has ended, with the same flows.
    Weighed& last = placed.weighed;
    const bool same_flows =
        !throttled_ && flowing.rates.size() == contents.size() && same_list(on, flowing.on);
    const bool ended_here =
        last.moment.of == this && last.moment.term == term_ && same_list(contents, last.contents);
    ++term_;
    copy_list(contents, tanks);
    if (same_flows) {
        if (ended_here) {
            last.moment.term = term_;
            last.moment.t = t;
        }
        return;
    }
    turn_valves(*this, on, t);
    anything_flows_ = std::any_of(on.begin(), on.end(), [](char is) { return is; });
}

void System::start_joints(std::span<const char> released)
{
    mark_released(model, released, placed);
    mark_released(model, released, ahead);
}

void System::contents_at(double t, std::vector<double>& contents) const
{
    if (!anything_flows_) {
        contents = tanks;
        return;
    }
    if (placed.weighed.moment == moment(t))
        return copy_list<double>(placed.weighed.contents, contents);
    contents.resize(tanks.size());
    const ContentsAfter now = contents_after(*this, t - tanks_at);
    for (std::size_t i = 0; i < tanks.size(); ++i)
        contents[i] = now[static_cast<int>(i)];
}

void System::shares_now(double t, std::vector<FlowShare>& shares) const
{
    if (flowing.shares.empty()) { // as all of a model
        shares.clear();
        return;
    }
    shares = flowing.shares;
    for (FlowShare& share : shares)
        share.now = max(0.0, share.now + share.rate * (t - tanks_at)); // likewise
}

void System::weigh_anew(double t, Weighed& out)
{
    const bool steady = out.moment.of == this && out.moment.term == term_ && !throttled_;
    if (steady) {
        out.moment.t = t;
        return weigh_again(model, tanks.data(), t - tanks_at, out);
    }
    weigh_as_in_step(t, out);
    out.moment = moment(t);
}

[[gnu::noinline]] void System::weigh_as_in_step(double t, Weighed& out)
{
    const ContentsAfter now = contents_after(*this, t - tanks_at);
    contents.resize(tanks.size());
    for (std::size_t i = 0; i < tanks.size(); ++i)
        contents[i] = now[static_cast<int>(i)];
    if (throttled_)
        shares_now(t, shares);
    poinsot::weigh(model, contents, flowing.on, shares, out);
}

void System::start_rotors(std::span<const double> momenta, double t)
{
    rotors.assign(momenta.begin(), momenta.end());
    rotors_at = t;
}

void System::advance_rotors(double t)
{
    if (!rotors_coast())
        carry_on(*this, t, rotors);
    rotors_at = t;
}

} // namespace poinsot
