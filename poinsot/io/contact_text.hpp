// SPDX-License-Identifier: MIT
#pragma once

// How well contact was solved in a run, as text.

#include "poinsot/step/simulate.hpp"

#include <string>

namespace poinsot {

/// Of both surfaces, or of the joint at its limit.
std::string name_of_gain(const Model& model, const ContactGain& one);

/// ContactQuality as one JSON object.
std::string contact_quality_json(const Simulation& run);

} // namespace poinsot
