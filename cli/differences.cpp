// SPDX-License-Identifier: MIT
#include "cli/differences.hpp"

#include "poinsot/io/yaml_tree.hpp"

#include <fmt/format.h>

#include <array>

namespace poinsot {

namespace {

struct DifferenceLine {
    const char *name, *key, *unit;
    Difference Differences::*of;
};
constexpr std::array<DifferenceLine, 7> difference_lines{{
    {"position", "position", "m", &Differences::position},
    {"attitude", "attitude", "rad", &Differences::attitude},
    {"velocity", "velocity", "m/s", &Differences::velocity},
    {"angular velocity", "angular_velocity", "rad/s", &Differences::angular_velocity},
    {"energy", "energy", "J", &Differences::energy},
    {"p", "p", "N s", &Differences::p},
    {"L about the origin", "L", "N m s", &Differences::L},
}};

} // namespace

std::string table(const Differences& differences, const std::vector<std::string>& bodies)
{
    std::string out = "Largest differences of the two\n";
    for (const DifferenceLine& line : difference_lines) {
        const Difference& d = differences.*line.of;
        out += fmt::format("  {:<20}{:>12.5g} {:<6}", line.name, d.largest, line.unit);
        if (d.largest > 0)
            out += fmt::format(" at t = {:.6g} s", d.time);
        if (d.body != Difference::whole)
            out += fmt::format(", body '{}'", visible(bodies[static_cast<std::size_t>(d.body)]));
        out += "\n";
    }
    return out;
}

nlohmann::ordered_json json_of(const Differences& differences,
                               const std::vector<std::string>& bodies)
{
    auto made = nlohmann::ordered_json::object();
    for (const DifferenceLine& line : difference_lines) {
        const Difference& d = differences.*line.of;
        made[line.key] = {{"largest", d.largest}, {"time", d.time}};
        if (d.body != Difference::whole)
            made[line.key]["body"] = bodies[static_cast<std::size_t>(d.body)];
    }
    return made;
}

} // namespace poinsot
