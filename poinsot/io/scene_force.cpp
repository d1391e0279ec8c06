// SPDX-License-Identifier: MIT
// What acts on the bodies of a scene: gravity, springs, drag, loads.
#include "poinsot/io/scene_draft.hpp"

#include <algorithm>

namespace poinsot {

namespace {

/// An end of a spring: a body, a point of one, or a place in the world.
Anchor read_end(const SceneDraft& draft, const Value& value)
{
    Anchor end;
    if (value.node().is_scalar()) {
        end.body = draft.body_named(value);
        end.point = draft.center_of(end.body);
        return end;
    }
    Fields f(value, "end");
    const auto body = f.find("body"), at = f.find("at"), place = f.find("world");
    if (!f.ok())
        return end;
    if (!body == !place) {
        f.problem(f.what(), " needs either body (and at, in its frame) or world: [x, y, z]");
        return end;
    }
    if (place) {
        if (at)
            at->problem(f.what(), " is in the world: 'at' belongs to a body");
        end.point = place->vector();
        return end;
    }
    end.body = draft.body_named(*body);
    end.point = at ? at->vector() : draft.center_of(end.body);
    return end;
}

} // namespace

void read_gravity(SceneDraft& draft, const Value& value)
{
    const Value named = value.named("gravity");
    draft.gravity = named;
    Gravity& gravity = draft.scene.description.gravity;
    if (value.node().is_list()) {
        gravity.uniform = named.vector();
        return;
    }
    if (!value.node().is_map()) {
        named.must("be [x, y, z] in m/s², such as [0, 0, -9.81], or a map with uniform: or G:, is ",
                   named.shown());
        return;
    }
    Fields f(named, "gravity");
    f.read("uniform", gravity.uniform);
    f.read("G", gravity.G);
    if (f.ok() && value.node().keys.empty())
        f.problem("gravity is empty: give uniform: [0, 0, -9.81] or G, or leave it out");
}

void read_spring(SceneDraft& draft, const YamlNode& node)
{
    Fields f(draft.item(node, "spring", draft.springs.size() + 1), "spring");
    const std::size_t before = draft.text.problems();
    Spring spring;
    spring.name = draft.name_of(f, "spring", false);
    const auto from = f.need("from", "{world: [0, 0, 0]}");
    const auto to = f.need("to", "{body: name, at: [0, 0, 0]}");
    if (from)
        spring.a = read_end(draft, *from);
    if (to)
        spring.b = read_end(draft, *to);
    if (!f.ok() || draft.text.problems() != before) {
        // Whatever its ends are, its numbers are looked at.
        spring.a = {world, zero3<double>()};
        spring.b = {0, zero3<double>()};
    }
    const bool stiff = f.read("stiffness", spring.stiffness);
    const bool damped = f.read("damping", spring.damping);
    if (!stiff && !damped && f.ok())
        f.problem(f.what(), " needs 'stiffness' or 'damping', or it does nothing");
    f.read("rest_length", spring.rest_length);
    draft.scene.description.springs.push_back(std::move(spring));
    draft.springs.push_back(f.value());
}

void read_drag(SceneDraft& draft, const YamlNode& node)
{
    Fields f(draft.item(node, "drag", draft.drags.size() + 1), "drag");
    Drag drag;
    drag.name = draft.name_of(f, "drag", false);
    if (const auto body = f.need("body", "name"))
        drag.body = std::max(0, draft.body_named(*body));
    const bool linear = f.read("linear", drag.linear);
    const bool quadratic = f.read("quadratic", drag.quadratic);
    if (!linear && !quadratic && f.ok())
        f.problem(f.what(), " needs 'linear' or 'quadratic', or it does nothing");
    if (const auto at = f.find("at"))
        drag.point = at->vector();
    draft.scene.description.drags.push_back(std::move(drag));
    draft.drags.push_back(f.value());
}

void read_load(SceneDraft& draft, const YamlNode& node)
{
    Fields f(draft.item(node, "load", draft.loads.size() + 1), "load");
    AppliedLoad load;
    load.name = draft.name_of(f, "load", false);
    int body = world;
    if (const auto named = f.need("body", "name"))
        body = draft.body_named(*named);
    load.body = std::max(0, body);
    const bool force = f.read("force", load.force);
    const bool torque = f.read("torque", load.torque);
    if (!force && !torque && f.ok())
        f.problem(f.what(), " needs 'force' or 'torque', or it does nothing");
    load.point = draft.center_of(body);
    f.read("at", load.point);
    if (const auto at = f.find("at"); at && !force)
        at->problem(at->what(), " is where a force acts, and there is none; a torque has no place");
    if (const auto axes = f.find("axes")) {
        const std::string which = axes->word();
        if (which != "world" && which != "body")
            axes->must("be world or body, is '", which, "'");
        load.body_axes = which == "body";
    }
    f.read("from", load.from);
    f.read("until", load.until);
    if (const auto control = f.find("control"))
        load.control = draft.control_named(*control).value_or(-1);
    const auto& bodies = draft.scene.description.bodies;
    if (body == world && !bodies.empty() && bodies[0].particle)
        load.torque = load.point = zero3<double>(); // its body is unknown: judge the rest of it
    draft.scene.description.loads.push_back(std::move(load));
    draft.loads.push_back(f.value());
}

} // namespace poinsot
