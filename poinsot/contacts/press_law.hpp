// SPDX-License-Identifier: MIT
#pragma once

// Which law presses (press.hpp), and with what.

#include <array>
#include <optional>
#include <string_view>

namespace poinsot {

enum class PressLaw { spring, hertz, hunt_crossley };
inline constexpr std::array<std::string_view, 3> press_law_names{"spring", "hertz",
                                                                 "hunt_crossley"};
std::optional<PressLaw> press_law_named(std::string_view name);
std::string_view name_of(PressLaw law);

struct PressSettings {
    PressLaw law = PressLaw::spring;
    double steps = 20;       // of h: how long a contact lasts; spring
    double impact_speed = 1; // m/s, at which the restitution holds; hunt_crossley

    friend bool operator==(const PressSettings&, const PressSettings&) = default;
};

} // namespace poinsot
