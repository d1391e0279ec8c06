// SPDX-License-Identifier: MIT
// Cuts: where a structure is looked into, and what it may carry there.
#include "poinsot/io/scene_draft.hpp"
#include "poinsot/model/breaking.hpp"

#include <algorithm>

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
                              " has no effect: a joint or a bushing is cut where it is, across "
                              "the z of its frame, which it says itself by its axis; remove it");
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

namespace {

/// Keeps in step what the scene knows of the skins of a body that broke: the last ones are what
/// lies beyond of those that were cut in two. Skins of bodies stand before all others.
void follow_skins(SceneDraft& draft, const std::vector<std::size_t>& halved)
{
    Builder& d = draft.scene.description;
    auto& sources = draft.scene.skins;
    const std::size_t before = d.skins.size() - halved.size();
    for (std::size_t k = 0; k < halved.size(); ++k) {
        sources.push_back(sources[halved[k]]);
        draft.skins.push_back(draft.skins[halved[k]]);
        sources[halved[k]].shape = shape_in_two(d.skins[halved[k]].collider);
        sources.back().shape = shape_in_two(d.skins[before + k].collider);
    }
    const auto first_other =
        std::find_if(sources.begin(), sources.end(), [](const auto& one) { return !one.of_body; });
    auto to = first_other - sources.begin(); // the end, where there are no others
    for (std::size_t i = before; i < d.skins.size(); ++i)
        if (const auto from = static_cast<std::ptrdiff_t>(i); sources[i].of_body && from > to) {
            const auto move = [&](auto& list) {
                std::rotate(list.begin() + to, list.begin() + from, list.begin() + from + 1);
            };
            move(d.skins);
            move(sources);
            move(draft.skins);
            ++to;
        }
}

/// Is the shape of the body that a cut goes through a mesh that touches? That has no parts.
bool touches_as_mesh(const Scene& scene, const Cut& cut)
{
    for (std::size_t i = 0; i < scene.skins.size(); ++i)
        if (scene.skins[i].of_body && scene.description.skins[i].body == cut.index &&
            std::holds_alternative<MeshShape>(scene.skins[i].shape))
            return true;
    return false;
}

} // namespace

void break_bodies(SceneDraft& draft)
{
    if (draft.text.found().any())
        return;
    Builder& description = draft.scene.description;
    for (const auto& [cut, part] : draft.breaking) {
        const Value at = draft.cuts[cut];
        if (!description.build()) // what is wrong with the whole is told of the whole
            return;
        if (touches_as_mesh(draft.scene, description.cuts[cut])) {
            at.problem(at.what(), ": the mesh of a body that breaks cannot be shared out; write "
                                  "'collides: false' there, and give the parts of the body as "
                                  "surfaces");
            return;
        }
        std::vector<std::size_t> halved;
        if (const Problems wrong = break_at(description, cut, part, &halved); wrong.any()) {
            draft.tell(wrong, {{description.cuts[cut].name, at}});
            return;
        }
        draft.bodies.push_back(at);
        draft.touch.emplace_back();
        draft.joints.push_back(at);
        draft.kind_known.push_back(true);
        draft.events.push_back(at);
        follow_skins(draft, halved);
    }
}

} // namespace poinsot
