// SPDX-License-Identifier: MIT
#pragma once

// Spinning parts and their gyroscopic torque: the gyrostat.
//
// A rotor of axial inertia J spins with Ω against its body about an axis a that is fixed there.
// Across the axis it turns with the body; along it, it has a momentum of its own.
//
//     driven by a torque T        h = J (Ω + a · ω)      ḣ = T             τ = −T a − ω × h a
//     driven to a speed Ω(t)      h = J Ω                ḣ = J Ω̇           τ = −ḣ a − ω × h a
//
// τ is what the body feels: the rotor's momentum h a turns with the body and grows by ḣ. In the
// first case the body's inertia is without J a aᵀ, since J a · ω is in h; in the second it is with
// it. h is part of the state, and known at any moment of a step: drives do not ask how the body
// moves.
//
// On the books the torque is the rotor's. −ω × h a does no work. Of a rotor driven by a torque the
// store is h²/2J; it takes T (Ω + a · ω), of which the body gives T a · ω and the drive T Ω, a line
// of `motor`. The drive that keeps a speed is an engine whose balance is its own: all that it does
// to the body is work of `motor`, and nothing is stored.

#include "poinsot/forces/gather.hpp"

namespace poinsot {

/// h at time t of a rotor that had h at time `from`; its drive is on or off by `active_at`.
double rotor_momentum(const Rotor& rotor, double h, double from, double t, double active_at,
                      double extra_torque = 0);
/// What an input drives a rotor with.
double input_torque(const Input& input, std::size_t rotor);
/// Ω, in rad/s.
double rotor_spin(const Rotor& rotor, double h, const PlacedBody& body);

/// What the rotors do to their bodies at time t. `placed` has their momenta.
void add_rotors(const Model& model, const Placed& placed, const Input& input, double t,
                double active_at, Loads& out);
/// What rotors hold in store.
double rotor_energy(const Model& model, const Placed& placed);

/// Σ h a of the rotors of one body, world axes: what its L does not have.
Vec3<double> rotor_momentum_of(const Model& model, const Placed& placed, int body);

} // namespace poinsot
