// SPDX-License-Identifier: MIT
#include "poinsot/step/overlaps.hpp"

#include "poinsot/contacts/broadphase.hpp"
#include "poinsot/contacts/manifold.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace poinsot {

double touch_within(const Model& model, const ContactSettings& settings)
{
    if (settings.within > 0)
        return settings.within;
    double smallest = std::numeric_limits<double>::infinity();
    for (const Skin& skin : model.skins())
        if (skin.collider.bounded())
            smallest = std::min(smallest, norm(skin.collider.bounds().size()));
    return std::isfinite(smallest) ? 1e-6 * smallest : 0;
}

Overlaps overlaps_at_start(const Model& model, double within, std::size_t most)
{
    const auto& skins = model.skins();
    std::vector<const Collider*> shapes;
    std::vector<Pose<double>> poses;
    std::vector<Filter> filters;
    Broadphase broadphase;
    for (const Skin& skin : skins) {
        shapes.push_back(&skin.collider);
        filters.push_back(skin.filter);
        poses.push_back(skin.body == world
                            ? skin.pose
                            : model.bodies()[static_cast<std::size_t>(skin.body)].pose * skin.pose);
    }
    for (const auto& [a, b] : model.skins_apart())
        broadphase.never(a, b);
    const auto body = [&](int skin) { return skins[static_cast<std::size_t>(skin)].body; };

    Overlaps found;
    Contacts contacts;
    const auto pairs = broadphase.pairs(shapes, poses, filters, 0);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (body(pairs[i].first) == body(pairs[i].second))
            continue;
        if (found.count == most) {
            found.counted = false;
            break;
        }
        contacts.clear();
        double depth = 0;
        for (const Manifold& m : contacts.find(pairs.subspan(i, 1), shapes, poses, 0))
            for (int k = 0; k < m.count; ++k)
                depth = std::max(depth, -m.point[static_cast<std::size_t>(k)].gap);
        if (!(depth > within))
            continue;
        if (found.first.size() < 10)
            found.first.push_back({pairs[i].first, pairs[i].second, depth});
        ++found.count;
    }
    return found;
}

} // namespace poinsot
