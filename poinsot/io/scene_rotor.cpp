// SPDX-License-Identifier: MIT
// The spinning parts of bodies.
#include "poinsot/io/scene_draft.hpp"

#include <algorithm>

namespace poinsot {

void read_rotor(SceneDraft& draft, const YamlNode& node)
{
    Fields f(draft.item(node, "rotor", draft.rotors.size() + 1), "rotor");
    Rotor rotor;
    rotor.name = draft.name_of(f, "rotor", false);
    int body = world;
    if (const auto named = f.need("body", "name"))
        body = draft.body_named(*named);
    rotor.body = std::max(0, body);
    if (const auto axis = f.need("axis", "[0, 0, 1]"))
        rotor.axis = axis->vector();
    rotor.inertia = 1;
    const auto inertia = f.need("inertia", "0.02");
    if (inertia)
        rotor.inertia = inertia->number(1);
    if (const auto at = f.find("at"))
        rotor.at = at->vector();
    if (const auto spin = f.find("spin"))
        rotor.spin = read_amount(*spin, true);
    const auto torque = f.find("torque");
    if (torque)
        rotor.torque = read_course(*torque, false);
    for (const auto& [key, into] : std::initializer_list<std::pair<const char*, double*>>{
             {"from", &rotor.from}, {"until", &rotor.until}})
        if (const auto edge = f.find(key)) {
            *into = edge->number(*into);
            if (!torque && !f.find("speed"))
                edge->problem(edge->what(), " is when a torque acts, and there is none");
        }
    if (const auto speed = f.find("speed"))
        rotor.speed = read_course(*speed, true);
    const auto& bodies = draft.scene.description.bodies;
    if (body == world && (bodies.empty() || bodies[0].particle))
        return; // its body is unknown, and would be told that it has no attitude
    if (body == world || !inertia)
        rotor.speed = Course{}; // not judged against the inertia of its body
    draft.scene.description.rotors.push_back(std::move(rotor));
    draft.rotors.push_back(f.value());
}

} // namespace poinsot
