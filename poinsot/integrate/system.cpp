// SPDX-License-Identifier: MIT
#include "poinsot/integrate/system.hpp"

#include "poinsot/contacts/press.hpp"
#include "poinsot/forces/gyrostat.hpp"

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
}

System::~System() = default;

void System::gather(double t)
{
    if (!model.rotors().empty())
        carry_on(*this, t, placed.rotors);
    gather_loads(model, placed, input, t, active_at, loads);
    if (press)
        press->add_loads(placed, loads);
}

void System::start_rotors(std::span<const double> momenta, double t)
{
    rotors.assign(momenta.begin(), momenta.end());
    rotors_at = t;
}

void System::advance_rotors(double t)
{
    carry_on(*this, t, rotors);
    rotors_at = t;
}

} // namespace poinsot
