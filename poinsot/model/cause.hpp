// SPDX-License-Identifier: MIT
#pragma once

// Who may post to the ledger. A cause that owns a store (gravity: potential, spring: elastic,
// rotor: what turns with no body) gives back what it takes; the others do not.

#include <array>
#include <cstddef>
#include <string_view>

namespace poinsot {

enum class Cause : unsigned char {
    gravity,
    applied,
    spring,
    damper,
    drag,
    thrust,
    rotor,
    joint,
    motor,
    limit,
    contact_normal,
    contact_friction,
    contact_restitution, // what of the normal impulse throws back
    contact_speculative,
    contact_correction, // what puts apart that overlaps, and takes away what has drifted at rest
    stabilisation,
};

inline constexpr std::array<std::string_view, 16> cause_names{"gravity",
                                                              "applied",
                                                              "spring",
                                                              "damper",
                                                              "drag",
                                                              "thrust",
                                                              "rotor",
                                                              "joint",
                                                              "motor",
                                                              "limit",
                                                              "contact_normal",
                                                              "contact_friction",
                                                              "contact_restitution",
                                                              "contact_speculative",
                                                              "contact_correction",
                                                              "stabilisation"};
inline constexpr std::size_t cause_count = cause_names.size();

constexpr std::size_t index_of(Cause cause)
{
    return static_cast<std::size_t>(cause);
}
constexpr std::string_view name_of(Cause cause)
{
    return cause_names[index_of(cause)];
}

} // namespace poinsot
