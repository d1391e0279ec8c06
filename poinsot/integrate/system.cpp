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

} // namespace

System::System(const Model& model, const Input& input) : model(model), input(input)
{
    if (!model.rotors().empty())
        rotors = start_of<MomentumForm<double>>(model).rotors;
    rotors_coast_ = std::all_of(model.rotors().begin(), model.rotors().end(),
                                [](const Rotor& rotor) { return rotor.coasts(); });
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
    tanks.assign(contents.begin(), contents.end());
    flowing.on.assign(on.begin(), on.end());
    tanks_at = t;
    anything_flows_ = std::any_of(on.begin(), on.end(), [](char is) { return is; });
    if (tanks.empty())
        return;
    shares_at(model.flows(), model.controls(), &input, t, active_at, flowing.shares);
    find_rates(model.tanks(), model.flows(), flowing);
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
    contents.resize(tanks.size());
    const double passed = t - tanks_at;
    const bool steady = flowing.shares.empty();
    for (std::size_t i = 0; i < tanks.size(); ++i) {
        const double rate =
            steady ? flowing.rates[i] : flowing.rates[i] + 0.5 * flowing.changes[i] * passed;
        // A step ends where a tank does: this is rounding.
        contents[i] = max(0.0, tanks[i] + rate * passed);
    }
}

void System::shares_now(double t, std::vector<FlowShare>& shares) const
{
    shares = flowing.shares;
    for (FlowShare& share : shares)
        share.now = max(0.0, share.now + share.rate * (t - tanks_at)); // likewise
}

void System::weigh(double t, Weighed& out)
{
    if (tanks.empty())
        return;
    contents_at(t, contents);
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
