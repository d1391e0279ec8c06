// SPDX-License-Identifier: MIT
#include "poinsot/io/scene_lines.hpp"

#include <cmath>
#include <utility>

namespace poinsot {

std::vector<std::string> tank_lines(const Builder& d)
{
    std::vector<std::string> lines;
    const auto tank_name = [&](int i) { return quoted(d.tanks[static_cast<std::size_t>(i)].name); };
    if (!d.tanks.empty())
        lines.emplace_back("tanks:");
    for (const Tank& t : d.tanks) {
        lines.push_back("  - name: " + quoted(t.name));
        lines.push_back("    body: " + quoted(d.bodies[static_cast<std::size_t>(t.body)].name));
        lines.push_back("    content: " + exact(t.content));
        if (std::isfinite(t.capacity))
            lines.push_back("    capacity: " + exact(t.capacity));
        lines.push_back("    at: " + list_of(t.frame.x));
        if (t.room == Tank::Room::point)
            continue;
        lines.push_back("    orientation: " + text_of_quat(t.frame.q));
        lines.push_back("    " + (t.room == Tank::Room::box
                                      ? "box: " + list_of(t.size)
                                      : fmt::format("cylinder: {{radius: {}, height: {}}}",
                                                    exact(t.radius), exact(t.height))));
        lines.push_back(t.filling == Tank::Filling::in_place ? "    filling: in_place"
                                                             : "    filling: from_bottom");
    }
    for (const Flow::Kind kind :
         {Flow::Kind::thruster, Flow::Kind::dump, Flow::Kind::pump, Flow::Kind::inlet}) {
        bool first = true;
        for (const Flow& f : d.flows) {
            if (f.kind != kind)
                continue;
            if (std::exchange(first, false))
                lines.push_back(fmt::format("{}s:", name_of(kind)));
            lines.push_back("  - name: " + quoted(f.name));
            if (kind == Flow::Kind::pump) {
                lines.push_back("    source: " + tank_name(f.sources[0]));
                lines.push_back("    target: " + tank_name(f.target));
            } else {
                std::string names;
                for (const int source : f.sources)
                    names += (names.empty() ? "" : ", ") + tank_name(source);
                lines.push_back("    tank: " + (kind == Flow::Kind::inlet ? tank_name(f.target)
                                                                          : "[" + names + "]"));
                lines.push_back("    at: " + list_of(f.point));
            }
            lines.push_back("    mass_flow: " + exact(f.mass_flow));
            for (const auto& [key, control] : {std::pair("    control: ", f.control),
                                               std::pair("    speed_control: ", f.speed_control)})
                if (control >= 0)
                    lines.push_back(key +
                                    quoted(d.controls[static_cast<std::size_t>(control)].name));
            if (kind == Flow::Kind::thruster) {
                lines.push_back("    direction: " + list_of(f.direction));
                lines.push_back("    exhaust_speed: " + exact(f.exhaust_speed));
                lines.push_back("    radius: " + exact(f.radius));
            }
            if (kind == Flow::Kind::inlet)
                lines.push_back("    velocity: " + list_of(f.velocity));
            lines.push_back("    from: " + exact(f.from));
            if (std::isfinite(f.until))
                lines.push_back("    until: " + exact(f.until));
        }
    }
    return lines;
}

std::vector<std::string> event_lines(const Builder& d)
{
    std::vector<std::string> lines;
    if (!d.releases.empty())
        lines.emplace_back("events:");
    for (const Release& r : d.releases) {
        lines.push_back("  - name: " + quoted(r.name));
        if (r.when_over >= 0)
            lines.push_back("    when_over: " +
                            quoted(d.cuts[static_cast<std::size_t>(r.when_over)].name));
        else if (r.when_empty >= 0)
            lines.push_back("    when_empty: " +
                            quoted(d.tanks[static_cast<std::size_t>(r.when_empty)].name));
        else
            lines.push_back("    at: " + exact(r.at));
        lines.push_back("    release: " +
                        quoted(r.bushing >= 0 ? d.bushings[static_cast<std::size_t>(r.bushing)].name
                                              : d.joints[static_cast<std::size_t>(r.joint)].name));
    }
    return lines;
}

std::vector<std::string> cut_lines(const Builder& d)
{
    std::vector<std::string> lines;
    if (!d.cuts.empty())
        lines.emplace_back("cuts:");
    for (const Cut& c : d.cuts) {
        const auto i = static_cast<std::size_t>(c.index);
        lines.push_back("  - name: " + quoted(c.name));
        if (c.of == Cut::Of::joint)
            lines.push_back("    joint: " + quoted(d.joints[i].name));
        else if (c.of == Cut::Of::bushing)
            lines.push_back("    bushing: " + quoted(d.bushings[i].name));
        else {
            const Sym3<double>& I = c.beyond.inertia;
            lines.push_back("    body: " + quoted(d.bodies[i].name));
            lines.push_back("    at: " + list_of(c.frame.x));
            lines.push_back("    orientation: " + text_of_quat(c.frame.q));
            lines.push_back(
                fmt::format("    beyond: {{mass: {}, center_of_mass: {}, inertia: {{xx: {}, yy: "
                            "{}, zz: {}, xy: {}, xz: {}, yz: {}}}}}",
                            exact(c.beyond.mass), list_of(c.beyond.center), exact(I.xx),
                            exact(I.yy), exact(I.zz), exact(I.xy), exact(I.xz), exact(I.yz)));
        }
        for (const auto& [key, limit] :
             {std::pair("tension", c.strength.tension),
              std::pair("compression", c.strength.compression),
              std::pair("shear", c.strength.shear), std::pair("bending", c.strength.bending),
              std::pair("torsion", c.strength.torsion)})
            if (std::isfinite(limit))
                lines.push_back(fmt::format("    {}: {}", key, exact(limit)));
    }
    return lines;
}

} // namespace poinsot
