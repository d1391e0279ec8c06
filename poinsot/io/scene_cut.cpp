// SPDX-License-Identifier: MIT
// Cuts: where a structure is looked into, and what it may carry there.
#include "poinsot/io/scene_draft.hpp"
#include "poinsot/model/breaking.hpp"

namespace poinsot {

namespace {

/// The part of a body beyond a cut, where its shape does not say it.
MassProperties read_part(const Value& value)
{
    Fields f(value, "part");
    MassProperties part{1, zero3<double>(), diagonal(1.0, 1.0, 1.0)};
    if (const auto mass = f.need("mass", "2.0"))
        part.mass = mass->number(1);
    if (const auto center = f.need("center_of_mass", "[0, 0, 0.5]"))
        part.center = center->vector();
    if (const auto inertia = f.need("inertia", "[0.1, 0.1, 0.02]"))
        part.inertia = read_inertia(*inertia);
    return part;
}

void read_body_cut(SceneDraft& draft, Fields& f, const Value& body, Cut& cut)
{
    const int index = draft.body_named(body);
    const auto at = f.need("at", "[0, 0, 0.5]"), turned = f.find("orientation");
    const auto second = f.find("second_axis");
    const auto axis = turned ? f.find("axis") : f.need("axis", "[0, 0, 1]");
    if (turned && (axis || second))
        turned->problem(f.what(), " has axis and orientation; keep one of them");
    cut.frame.q = turned ? read_orientation(*turned) : read_axes(axis, second);
    if (at)
        cut.frame.x = at->vector();
    const auto beyond = f.find("beyond");
    if (beyond)
        cut.beyond = read_part(*beyond);
    if (index == world || draft.text.told_in(f.value().node()))
        return;
    cut.index = index;
    if (beyond)
        return;
    const auto part =
        part_beyond(draft.scene.description.bodies[static_cast<std::size_t>(index)], cut.frame);
    if (part)
        cut.beyond = *part;
    else
        f.problem(f.what(),
                  ": what lies beyond the cut follows from the shape only for an even box, "
                  "and for an even cylinder that is cut square to its axis; give beyond: "
                  "{mass, center_of_mass, inertia} of that part, in the body frame");
}

} // namespace

void read_cut(SceneDraft& draft, const YamlNode& node)
{
    Fields f(draft.item(node, "cut", draft.cuts.size() + 1), "cut");
    Cut cut;
    cut.name = draft.name_of(f, "cut", true);
    const auto body = f.find("body"), joint = f.find("joint"), bushing = f.find("bushing");
    if (f.ok() && body.has_value() + joint.has_value() + bushing.has_value() != 1)
        f.problem(f.what(), " needs one thing to cut: a body, a joint or a bushing");
    if (body)
        read_body_cut(draft, f, *body, cut);
    else
        for (const char* key : {"at", "axis", "second_axis", "orientation", "beyond"})
            if (const auto idle = f.find(key))
                idle->problem(idle->what(),
                              " has no effect: a joint or a bushing is cut where it is; "
                              "remove it");
    if (joint) {
        cut.of = Cut::Of::joint;
        cut.index = draft.joint_named(*joint).value_or(0);
    }
    if (bushing) {
        cut.of = Cut::Of::bushing;
        cut.index = draft.bushing_named(*bushing).value_or(0);
    }
    f.read("tension", cut.strength.tension);
    f.read("compression", cut.strength.compression);
    f.read("shear", cut.strength.shear);
    f.read("bending", cut.strength.bending);
    f.read("torsion", cut.strength.torsion);
    const auto breaks = f.find("breaks");
    std::string part;
    if (breaks && !body)
        breaks->problem(breaks->what(),
                        " is for a body; for a joint or a bushing write an event "
                        "{when_over: ",
                        cut.name, ", release: NAME}");
    else if (breaks)
        part = breaks->word();
    if (!part.empty()) {
        draft.take_name(*breaks, "body", part);
        draft.take_name(*breaks, "joint", part + "/root");
        draft.take_name(*breaks, "event", part + "/breaks");
    }
    if (draft.text.told_in(node) || !f.ok() || cut.name.empty()) {
        if (!cut.name.empty())
            draft.doubt(cut.name);
        return;
    }
    if (!part.empty())
        draft.breaking.emplace_back(draft.cuts.size(), part);
    draft.scene.description.cuts.push_back(std::move(cut));
    draft.cuts.push_back(f.value());
}

void break_bodies(SceneDraft& draft)
{
    if (draft.text.found().any())
        return;
    Builder& description = draft.scene.description;
    for (const auto& [cut, part] : draft.breaking) {
        const Value at = draft.cuts[cut];
        if (!description.build()) // what is wrong with the whole is told of the whole
            return;
        if (const Problems wrong = break_at(description, cut, part); wrong.any()) {
            draft.tell(wrong, {{description.cuts[cut].name, at}});
            return;
        }
        draft.bodies.push_back(at);
        draft.touch.emplace_back();
        draft.joints.push_back(at);
        draft.kind_known.push_back(true);
        draft.events.push_back(at);
    }
}

} // namespace poinsot
