// SPDX-License-Identifier: MIT
#include "poinsot/model/contact.hpp"

#include "poinsot/model/body.hpp"

#include <cmath>
#include <map>
#include <set>

namespace poinsot {

ContactLaw mean_of(const ContactLaw& a, const ContactLaw& b)
{
    return {std::sqrt(a.friction * b.friction), std::sqrt(a.static_friction * b.static_friction),
            std::max(a.restitution, b.restitution), std::max(a.rolling, b.rolling),
            std::max(a.torsion, b.torsion)};
}

namespace {

void inspect_law(const std::string& place, const ContactLaw& law, Problems& found)
{
    // Squares of them are compared with 1: beyond, nothing of 1 is left.
    constexpr double most = 1e6;
    const auto not_negative = [&](const char* key, double value, const char* remedy) {
        if (!(value >= 0 && value <= most))
            found.add_at(place, key, key, " must be between 0 and ", most, ", is ", value, "; ",
                         remedy);
    };
    not_negative("friction", law.friction, "give the ratio of friction to normal force");
    not_negative("rolling", law.rolling, "give a length in m: moment over normal force");
    not_negative("torsion", law.torsion, "give a length in m: moment over normal force");
    if (law.static_friction > most && law.friction <= most)
        not_negative("static_friction", law.static_friction,
                     "give the ratio of friction to normal force");
    else if (!(law.static_friction >= law.friction))
        found.add_at(place, "static_friction", "static_friction must not be below friction, ",
                     law.friction, ", is ", law.static_friction,
                     "; what does not slide holds at least as well");
    if (!(law.restitution >= 0 && law.restitution <= 1))
        found.add_at(place, "restitution", "restitution must be between 0 and 1, is ",
                     law.restitution, "; a surface gives back no more than it took");
}

void inspect_elasticity(const Material& material, Problems& found)
{
    const auto wrong = [&](const char* key, const auto&... parts) {
        found.add_at(material.name, key, key, parts...);
    };
    if (!(material.young_modulus >= 0) || !std::isfinite(material.young_modulus))
        wrong("young_modulus", " must be positive and finite, is ", material.young_modulus,
              "; steel has 2e11 Pa");
    if (!(material.poisson_ratio > -1 && material.poisson_ratio <= 0.5))
        wrong("poisson_ratio", " must be above -1 and at most 0.5, is ", material.poisson_ratio,
              "; of most metals it is near 0.3");
    if (!(material.contact_radius >= 0) || !std::isfinite(material.contact_radius))
        wrong("contact_radius", " must be positive and finite, is ", material.contact_radius,
              "; give the radius in m by which edges and tips are rounded");
}

} // namespace

void inspect_contact(const std::vector<Body>& bodies, const std::vector<Skin>& skins,
                     const std::vector<Material>& materials, const std::vector<MaterialPair>& pairs,
                     const std::vector<Apart>& apart, Problems& found)
{
    const auto among = [](int i, std::size_t count) {
        return i >= 0 && i < static_cast<int>(count);
    };
    std::set<std::string> names;
    for (const Material& material : materials) {
        if (material.name.empty())
            found.add_at("material", "name", "needs a name");
        else if (!names.insert(material.name).second)
            found.add_at(material.name, "name",
                         "two materials have this name; names must be unique");
        inspect_law(material.name, material.law, found);
        inspect_elasticity(material, found);
    }
    std::set<std::pair<int, int>> seen;
    for (const MaterialPair& pair : pairs) {
        if (!among(pair.a, materials.size()) || !among(pair.b, materials.size())) {
            found.add("material pair", "is about a material that does not exist");
            continue;
        }
        const std::string place = text_of(materials[static_cast<std::size_t>(pair.a)].name, " and ",
                                          materials[static_cast<std::size_t>(pair.b)].name);
        if (!seen.insert(std::minmax(pair.a, pair.b)).second)
            found.add(place, "two laws are given for this pair of materials; leave one out");
        inspect_law(place, pair.law, found);
    }
    std::set<std::string> skin_names;
    for (const Skin& skin : skins) {
        if (skin.name.empty())
            found.add_at("surface", "name", "needs a name");
        else if (!skin_names.insert(skin.name).second)
            found.add_at(skin.name, "name", "two surfaces have this name; names must be unique");
        if (skin.body != world && !among(skin.body, bodies.size()))
            found.add_at(skin.name, "body", "is fixed to a body that does not exist");
        else if (skin.body != world && !skin.collider.bounded())
            found.add_at(skin.name, "body",
                         "a plane or half-space has no end: fix it to the world, or give the body "
                         "a box");
        if (!among(skin.material, materials.size()))
            found.add_at(skin.name, "material", "is made of a material that does not exist");
        const double n = std::sqrt(norm2(skin.pose.q));
        if (!finite(skin.pose.x) || !(std::abs(n - 1) <= 1e-6))
            found.add_at(skin.name, "orientation",
                         "its place must be finite and its orientation a unit quaternion");
        else if (!std::isfinite(norm2(skin.pose.x))) // nothing there could be measured
            found.add_at(
                skin.name, "position",
                "is beyond the largest numbers, where nothing can touch it: put it nearer");
    }
    for (const Apart& pair : apart)
        if (!among(pair.a, bodies.size()) || !among(pair.b, bodies.size()) || pair.a == pair.b)
            found.add("apart", "names bodies that do not exist, or one body twice");
}

} // namespace poinsot
