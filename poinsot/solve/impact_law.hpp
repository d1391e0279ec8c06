// SPDX-License-Identifier: MIT
#pragma once

// How what strikes comes back, and what of several impacts comes first (impact.hpp solves them).

#include <array>
#include <optional>
#include <string_view>

namespace poinsot {

/// Who says how much comes back.
enum class ImpactLaw : unsigned char { energetic, moreau, newton, poisson };
/// Contacts that touch at once are struck all together, or one after the other.
enum class ImpactOrder : unsigned char { together, in_sequence };

/// As scenes write them.
inline constexpr std::array<std::string_view, 4> impact_law_names = {"energetic", "moreau",
                                                                     "newton", "poisson"};
inline constexpr std::array<std::string_view, 2> impact_order_names = {"together", "in_sequence"};
std::optional<ImpactLaw> impact_law_named(std::string_view name);
std::optional<ImpactOrder> impact_order_named(std::string_view name);
std::string_view name_of(ImpactLaw law);
std::string_view name_of(ImpactOrder order);

} // namespace poinsot
