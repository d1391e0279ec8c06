// SPDX-License-Identifier: MIT
#include "poinsot/io/scene_lines.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>

namespace poinsot {

namespace {

std::string beyond_text(Beyond beyond)
{
    return beyond == Beyond::hold ? "hold" : "refuse";
}
/// Lists of lists, one level for each axis.
std::string nested(const Table& table, std::size_t axis, std::span<const double> values)
{
    if (axis + 1 == table.axes.size())
        return list_of(values);
    const std::size_t n = table.axes[axis].size(), part = values.size() / n;
    std::string out;
    for (std::size_t i = 0; i < n; ++i)
        out += (i > 0 ? ", " : "") + nested(table, axis + 1, values.subspan(i * part, part));
    return "[" + out + "]";
}
/// The axes of tables in files are in the order of `Over`; those of a description in any. `axes`
/// are those of the description.
Table in_order(const Tabled& c, std::vector<std::size_t>& axes)
{
    std::vector<std::size_t> from(c.over.size()), stride(c.over.size(), 1);
    std::iota(from.begin(), from.end(), std::size_t(0));
    std::stable_sort(from.begin(), from.end(),
                     [&](std::size_t a, std::size_t b) { return c.over[a] < c.over[b]; });
    axes = from;
    for (std::size_t k = c.over.size(); k-- > 1;)
        stride[k - 1] = stride[k] * c.table.axes[k].size();
    Table made{{}, {}, c.table.beyond};
    for (const std::size_t k : from)
        made.axes.push_back(c.table.axes[k]);
    for (std::size_t node = 0; node < c.table.values.size(); ++node) {
        std::size_t rest = node, at = 0;
        for (std::size_t k = made.axes.size(); k-- > 0;) {
            at += rest % made.axes[k].size() * stride[from[k]];
            rest /= made.axes[k].size();
        }
        made.values.push_back(c.table.values[at]);
    }
    return made;
}
std::string table_text(const Builder& d, const Tabled& c)
{
    std::vector<std::size_t> axes;
    const Table table = in_order(c, axes);
    constexpr std::array names{"alpha", "beta", "mach"};
    std::string out, over_controls;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        const std::string nodes = list_of(table.axes[k]);
        if (const int control = c.control_of(axes[k]); control >= 0)
            over_controls +=
                fmt::format("{}{}: {}", over_controls.empty() ? "" : ", ",
                            quoted(d.controls[static_cast<std::size_t>(control)].name), nodes);
        else
            out += fmt::format("{}: {}, ", names[static_cast<std::size_t>(c.over[axes[k]])], nodes);
    }
    if (!over_controls.empty())
        out += fmt::format("controls: {{{}}}, ", over_controls);
    return fmt::format("table: {{{}values: {}, beyond: {}}}", out, nested(table, 0, table.values),
                       beyond_text(table.beyond));
}
std::string rate_text(const Builder& d, double number, const Tabled& c)
{
    return c.over.empty() ? exact(number)
                          : fmt::format("{{constant: {}, {}}}", exact(number), table_text(d, c));
}
std::string coefficient_text(const Builder& d, const Coefficient& c)
{
    std::string out =
        fmt::format("constant: {}, alpha: {}, beta: {}, p: {}, q: {}, r: {}", exact(c.constant),
                    exact(c.alpha), exact(c.beta), rate_text(d, c.p, c.p_table),
                    rate_text(d, c.q, c.q_table), rate_text(d, c.r, c.r_table));
    if (!c.controls.empty())
        out += ", controls: " + slopes_text(d, c);
    if (!c.over.empty())
        out += ", " + table_text(d, c);
    return "{" + out + "}";
}

} // namespace

std::vector<std::string> flight_lines(const Builder& d)
{
    std::vector<std::string> lines;
    if (const Planet& p = d.planet; !p.flat) {
        std::string J2;
        if (p.J2 != 0)
            J2 = fmt::format(", J2: {}, J2_radius: {}", exact(p.J2), exact(p.J2_radius));
        lines.push_back(
            fmt::format("planet: {{radius: {}, flattening: {}, rotation: {}, mu: {}{}}}",
                        exact(p.radius), exact(p.flattening), exact(p.rotation), exact(p.mu), J2));
    }
    if (const Air& air = d.air; air.kind != Air::Kind::none) {
        lines.emplace_back("air:");
        if (air.kind == Air::Kind::uniform) {
            lines.emplace_back("  model: uniform");
            lines.push_back("  density: " + exact(air.density));
            lines.push_back("  speed_of_sound: " + exact(air.speed_of_sound));
        } else
            lines.emplace_back("  model: standard");
        if (air.vacuum_above)
            lines.emplace_back("  above: vacuum");
        lines.push_back("  wind: " + list_of(air.wind));
        if (const WindProfile& profile = air.profile; !profile.altitude.empty()) {
            std::string winds;
            for (const Vec3<double>& v : profile.velocity)
                winds += (winds.empty() ? "" : ", ") + list_of(v);
            lines.push_back(fmt::format("  profile: {{altitude: {}, wind: [{}], beyond: {}}}",
                                        list_of(profile.altitude), winds,
                                        beyond_text(profile.beyond)));
        }
        if (!air.gusts.empty())
            lines.emplace_back("  gusts:");
        for (const Gust& gust : air.gusts)
            lines.push_back(fmt::format("    - {{name: {}, peak: {}, start: {}, duration: {}}}",
                                        quoted(gust.name), list_of(gust.peak), exact(gust.start),
                                        exact(gust.duration)));
    }
    if (!d.aerodynamics.empty())
        lines.emplace_back("aerodynamics:");
    for (const Aerodynamics& a : d.aerodynamics) {
        lines.push_back("  - name: " + quoted(a.name));
        lines.push_back("    body: " + quoted(d.bodies[static_cast<std::size_t>(a.body)].name));
        lines.push_back("    at: " + list_of(a.frame.x));
        lines.push_back("    orientation: " + text_of_quat(a.frame.q));
        lines.push_back("    area: " + exact(a.area));
        lines.push_back("    span: " + exact(a.span));
        lines.push_back("    chord: " + exact(a.chord));
        for (const auto& [key, c] :
             std::initializer_list<std::pair<const char*, const Coefficient*>>{{"drag", &a.drag},
                                                                               {"side", &a.side},
                                                                               {"lift", &a.lift},
                                                                               {"roll", &a.roll},
                                                                               {"pitch", &a.pitch},
                                                                               {"yaw", &a.yaw}})
            lines.push_back(fmt::format("    {}: {}", key, coefficient_text(d, *c)));
    }
    return lines;
}

} // namespace poinsot
