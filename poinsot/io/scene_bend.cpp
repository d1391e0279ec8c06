// SPDX-License-Identifier: MIT
// What bends: springs in six directions between bodies, and beams of rigid segments.
#include "poinsot/io/scene_draft.hpp"
#include "poinsot/model/beam.hpp"

namespace poinsot {

namespace {

/// Six numbers, along x, y, z and about them, or six rows of six.
Six read_six(const Value& value)
{
    const auto& items = value.node().items;
    if (!value.node().is_list() || items.size() != 6) {
        value.must("be six numbers, along x, y, z and about them, or six rows of six; is ",
                   value.shown());
        return {};
    }
    std::array<double, 6> diagonal{};
    if (!items[0].is_list()) {
        const auto numbers = value.numbers(6);
        std::copy(numbers.begin(), numbers.end(), diagonal.begin());
        return six_of(diagonal);
    }
    std::array<std::array<double, 6>, 6> rows{};
    for (std::size_t i = 0; i < 6; ++i) {
        const auto numbers = value.part(items[i], value.what()).numbers(6);
        if (numbers.empty())
            return {};
        std::copy(numbers.begin(), numbers.end(), rows[i].begin());
    }
    const auto six = six_of(rows);
    if (!six)
        value.must("be symmetric: what is in row i and column j is also in row j and column i");
    return six.value_or(Six{});
}

std::optional<Section> read_section(const Value& value)
{
    Fields f(value, "section");
    const auto sides = f.find("rectangle"), radius = f.find("disc"), radii = f.find("tube");
    Section own;
    bool all = true;
    int given = 0;
    for (const auto& [key, into] :
         {std::pair("area", &own.area), std::pair("I_x", &own.I_x), std::pair("I_y", &own.I_y),
          std::pair("torsion", &own.torsion)}) {
        const bool there = f.read(key, *into);
        given += there;
        all = all && there;
    }
    if (!f.ok())
        return std::nullopt;
    if (sides.has_value() + radius.has_value() + radii.has_value() + (given > 0) != 1 ||
        (given > 0 && !all)) {
        f.problem(f.what(), " must be one of {rectangle: [a, b]}, {disc: radius}, {tube: [outer, "
                            "inner]} and {area, I_x, I_y, torsion}");
        return std::nullopt;
    }
    if (radius)
        return disc(radius->positive());
    if (!sides && !radii)
        return own;
    const Value& two = sides ? *sides : *radii;
    const auto numbers = two.numbers(2);
    if (numbers.empty())
        return std::nullopt;
    const bool fits =
        sides ? numbers[0] > 0 && numbers[1] > 0 : numbers[0] > numbers[1] && numbers[1] >= 0;
    if (!fits) {
        two.must(sides ? "be two sides greater than zero, m"
                       : "be the outer and the inner radius, m, the outer one the larger");
        return std::nullopt;
    }
    return sides ? rectangle(numbers[0], numbers[1]) : tube(numbers[0], numbers[1]);
}

} // namespace

void read_bushing(SceneDraft& draft, const YamlNode& node)
{
    Fields f(draft.item(node, "bushing", draft.bushings.size() + 1), "bushing");
    Bushing bushing;
    bushing.name = draft.name_of(f, "bushing", false);
    bool known = false;
    if (const auto pair = f.need("bodies", "[world, engine]")) {
        if (!pair->node().is_list() || pair->node().items.size() != 2)
            pair->must("be a list of two names such as [world, engine], is ", pair->shown());
        else {
            const auto a = draft.body_or_world(pair->part(pair->node().items[0], pair->what()));
            const auto b = draft.body_or_world(pair->part(pair->node().items[1], pair->what()));
            known = a && b;
            if (known)
                bushing.a = *a, bushing.b = *b;
        }
    }
    const auto at = f.find("at"), axis = f.find("axis"), second = f.find("second_axis");
    const auto frame_a = f.find("frame_a"), frame_b = f.find("frame_b");
    if (frame_a || frame_b) {
        for (const auto* idle : {&at, &axis, &second})
            if (*idle)
                (*idle)->problem((*idle)->what(), " has no effect: frame_a and frame_b say already "
                                                  "where the bushing is; remove it");
        if (frame_a)
            bushing.frame_a = read_frame(*frame_a);
        if (frame_b)
            bushing.frame_b = read_frame(*frame_b);
    } else if (const auto place = f.need("at", "[0, 0, 1]")) {
        const Pose<double> frame{place->vector(), read_axes(axis, second)};
        bushing.frame_a = seen_from(draft, bushing.a, frame);
        bushing.frame_b = seen_from(draft, bushing.b, frame);
    } else
        read_axes(axis, second);
    const auto stiffness = f.find("stiffness"), damping = f.find("damping");
    if (stiffness)
        bushing.stiffness = read_six(*stiffness);
    if (damping)
        bushing.damping = read_six(*damping);
    if (!stiffness && !damping && f.ok()) {
        f.problem(f.what(), " needs 'stiffness' or 'damping', or it does nothing");
        known = false;
    }
    if (!known || draft.text.told_in(node))
        return; // what it is, is not known
    draft.scene.description.bushings.push_back(std::move(bushing));
    draft.bushings.push_back(f.value());
}

void read_beam(SceneDraft& draft, const YamlNode& node)
{
    Fields f(draft.item(node, "beam", draft.beams.size() + 1), "beam");
    draft.beams.push_back(f.value());
    Beam beam;
    beam.name = draft.name_of(f, "beam", true);
    for (const auto& [key, end] : {std::pair("root", &beam.root), std::pair("tip", &beam.tip)})
        if (const auto name = f.find(key))
            *end = draft.body_or_world(*name);
    const auto axis = f.need("axis", "[0, 1, 0]");
    const auto second = f.find("second_axis");
    beam.pose.q = read_axes(axis, second);
    if (const auto at = f.need("at", "[0, 0, 0]"))
        beam.pose.x = at->vector();
    const auto number = [&](const char* key, const char* example, double& into) {
        if (const auto value = f.need(key, example))
            into = value->number(1);
    };
    number("length", "2.0", beam.length);
    if (const auto segments = f.need("segments", "8"))
        beam.segments = segments->count(1, most_segments);
    std::optional<Section> section;
    if (const auto given = f.need("section", "{rectangle: [0.05, 0.005]}"))
        section = read_section(*given);
    beam.section = section.value_or(rectangle(1, 1));
    number("young_modulus", "7e10", beam.young_modulus);
    const auto shear = f.find("shear_modulus"), poisson = f.find("poisson_ratio");
    if (f.ok() && shear.has_value() == poisson.has_value())
        f.problem(f.what(), " needs shear_modulus or poisson_ratio, one of the two");
    if (shear)
        beam.shear_modulus = shear->number(1);
    else if (poisson) {
        const double nu = poisson->number(0.3);
        if (!(nu > -1 && nu <= 0.5))
            poisson->must("be above -1 and not above 0.5, is ", nu);
        beam.shear_modulus = beam.young_modulus / (2 * (1 + nu));
    }
    number("density", "2700", beam.density);
    f.read("damping_time", beam.damping_time);
    if (draft.text.told_in(node) || !f.ok() || beam.name.empty()) {
        if (!beam.name.empty())
            draft.doubt(beam.name);
        return;
    }

    Builder made;
    made.bodies = draft.scene.description.bodies;
    const std::size_t before = made.bodies.size();
    if (const Problems found = add(made, beam); found.any()) {
        draft.tell(found, {{beam.name, f.value()}});
        draft.doubt(beam.name);
        return;
    }
    for (std::size_t i = before; i < made.bodies.size(); ++i) {
        draft.take_name(f.value(), "body", made.bodies[i].name);
        draft.keep_body(f.value(), std::move(made.bodies[i]));
    }
    for (Bushing& seam : made.bushings) {
        draft.take_name(f.value(), "bushing", seam.name);
        draft.scene.description.bushings.push_back(std::move(seam));
        draft.bushings.push_back(f.value());
    }
}

} // namespace poinsot
