// SPDX-License-Identifier: MIT
#pragma once

// Lines of a scene file, for those who write one.

#include "poinsot/io/number.hpp"
#include "poinsot/io/scene.hpp"

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

namespace poinsot {

inline std::string list_of(const Vec3<double>& a)
{
    return fmt::format("[{}, {}, {}]", exact(a.x), exact(a.y), exact(a.z));
}

inline std::string list_of(std::span<const double> numbers)
{
    std::string out = "[";
    for (const double number : numbers)
        out += (out.size() > 1 ? ", " : "") + exact(number);
    return out + "]";
}

/// Text in double quotes, as YAML and JSON read it.
inline std::string quoted(const std::string& text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (c == '\r')
            out += "\\r";
        else if (static_cast<unsigned char>(c) < 0x20)
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out + "\"";
}

inline std::string text_of_quat(const Quat<double>& q)
{
    return fmt::format("[{}, {}, {}, {}]", exact(q.w), exact(q.x), exact(q.y), exact(q.z));
}

/// Planet, air and aerodynamics.
std::vector<std::string> flight_lines(const Builder& d);
/// Tanks, and what flows.
std::vector<std::string> tank_lines(const Builder& d);
/// Controls, and what of a coefficient grows with them.
std::vector<std::string> control_lines(const Builder& d);
std::string slopes_text(const Builder& d, const Coefficient& c);
/// What is cut.
std::vector<std::string> cut_lines(const Builder& d);
/// Joints that let go.
std::vector<std::string> event_lines(const Builder& d);

} // namespace poinsot
