// SPDX-License-Identifier: MIT
#pragma once

// The parts of the module, and what they share.

#include "python/arrays.hpp"
#include "python/described.hpp"

namespace poinsot {

/// A run that cannot go on: poinsot.StepError.
struct CannotStep : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Where the bodies are and how they move, one row per body.
struct BodyArrays {
    Array position, orientation; // of the body frames; quaternions w, x, y, z
    Array center, velocity;      // of the centres of mass
    Array angular_velocity;      // world axes
};
BodyArrays arrays_of(const Placed& placed);

/// q and v of the caller: their shape, numbers and quaternions are good.
Array coordinates_in(const Described& model, const py::handle& q);
Array velocities_in(const Described& model, const py::handle& v, const char* name);

/// What a pilot reads of a body.
py::dict flight_dict(const Model& model, const Placed& placed, std::size_t body, double t);
/// From a place in the world to latitude, longitude and altitude, and back.
Array geodetic_of(const Model& model, const py::object& position, double time);
Array cartesian_of(const Model& model, double latitude, double longitude, double altitude,
                   double time);
/// How the air is and moves at a place of the world, and what gravity does to a mass there.
py::dict air_dict(const Model& model, const py::object& position, double time);
Array gravitation_at(const Model& model, const py::object& position);

std::filesystem::path path_in(const py::handle& path);

/// The one of a few words that an option must be.
template <class Named>
auto chosen(const std::string& name, const char* option, const Named& named,
            const std::vector<std::string_view>& known)
{
    const auto one = named(name);
    if (one)
        return *one;
    std::string all;
    for (const std::string_view word : known)
        all += text_of(all.empty() ? "" : ", ", word);
    const std::string near = did_you_mean(name, known);
    throw py::value_error(text_of("there is no ", option, " '", name, "'",
                                  near.empty() ? "." : near, " Known are: ", all));
}

void bind_model(py::module_& module);
void bind_simulation(py::module_& module);

} // namespace poinsot
