// SPDX-License-Identifier: MIT
#pragma once

// How what strikes comes back, and what of several impacts comes first (impact.hpp solves them).

namespace poinsot {

/// Who says how much comes back.
enum class ImpactLaw : unsigned char { energetic, moreau, newton, poisson };
/// Contacts that touch at once are struck all together, or one after the other.
enum class ImpactOrder : unsigned char { together, in_sequence };

} // namespace poinsot
