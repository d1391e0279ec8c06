// SPDX-License-Identifier: MIT
#include "poinsot/forces/gyrostat.hpp"

namespace poinsot {

namespace {

const PlacedBody& carrier_of(const Rotor& rotor, const Placed& placed)
{
    return placed.bodies[static_cast<std::size_t>(rotor.body)];
}

} // namespace

double input_torque(const Input& input, std::size_t rotor)
{
    double sum = 0;
    for (const StepRotorTorque& torque : input.rotor_torques)
        if (static_cast<std::size_t>(torque.rotor) == rotor)
            sum += torque.torque;
    return sum;
}

double rotor_momentum(const Rotor& rotor, double h, double from, double t, double active_at,
                      double extra_torque)
{
    if (rotor.prescribed())
        return rotor.inertia * rotor.speed->at(t);
    const bool on = active_at >= rotor.from && active_at < rotor.until;
    return h + (on ? rotor.torque.sum(from, t) : 0) + extra_torque * (t - from);
}

double rotor_spin(const Rotor& rotor, double h, const PlacedBody& body)
{
    const double Omega = h / rotor.inertia;
    return rotor.prescribed() ? Omega : Omega - dot(body.R * rotor.axis, body.omega);
}

void add_rotors(const Model& model, const Placed& placed, const Input& input, double t,
                double active_at, Loads& out)
{
    const auto& rotors = model.rotors();
    check(placed.rotors.size() == rotors.size(), "every rotor has its momentum");
    const Vec3<double> none = zero3<double>();
    const bool undriven = input.rotor_torques.empty();
    for (std::size_t i = 0; i < rotors.size(); ++i) {
        const Rotor& rotor = rotors[i];
        const PlacedBody& body = carrier_of(rotor, placed);
        const Vec3<double> a = body.R * rotor.axis;
        const double h = placed.rotors[i];
        const Vec3<double> r = out.keep_points && rotor.at ? body.lever(*rotor.at) : none;
        out.add(rotor.body, Cause::rotor, {none, -h * cross(body.omega, a)}, r);
        if (undriven && rotor.coasts())
            continue;
        if (rotor.prescribed()) {
            check(input_torque(input, i) == 0, "an input drives rotors that keep no speed");
            if (const double rate = rotor.speed->rate_at(t); rate != 0)
                out.add(rotor.body, Cause::motor, {none, -rotor.inertia * rate * a}, r);
            continue;
        }
        const double T = rotor.torque_at(t, active_at) + input_torque(input, i);
        if (T == 0)
            continue;
        out.add(rotor.body, Cause::rotor, {none, -T * a}, r);
        out.drives.push_back({rotor.body, T * rotor_spin(rotor, h, body)});
    }
}

double rotor_energy(const Model& model, const Placed& placed)
{
    double sum = 0;
    for (std::size_t i = 0; i < model.rotors().size(); ++i)
        if (const Rotor& rotor = model.rotors()[i]; !rotor.prescribed())
            sum += 0.5 * placed.rotors[i] * placed.rotors[i] / rotor.inertia;
    return sum;
}

Vec3<double> rotor_momentum_of(const Model& model, const Placed& placed, int body)
{
    Vec3<double> sum = zero3<double>();
    for (std::size_t i = 0; i < model.rotors().size(); ++i)
        if (const Rotor& rotor = model.rotors()[i]; rotor.body == body)
            sum += placed.rotors[i] * (carrier_of(rotor, placed).R * rotor.axis);
    return sum;
}

} // namespace poinsot
