// SPDX-License-Identifier: MIT
#include "poinsot/step/overlaps.hpp"

#include "poinsot/contacts/broadphase.hpp"
#include "poinsot/contacts/contact_row.hpp"
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

Overlaps overlaps_at_start(const Model& model, double within, std::size_t most,
                           std::size_t most_rows)
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
        if (found.count == most || found.rows > most_rows) {
            found.counted = false;
            break;
        }
        contacts.clear();
        double depth = 0;
        int points = 0;
        for (const Manifold& m : contacts.find(pairs.subspan(i, 1), shapes, poses, 0)) {
            points += m.count;
            for (int k = 0; k < m.count; ++k)
                depth = std::max(depth, -m.point[static_cast<std::size_t>(k)].gap);
        }
        if (!(depth > within))
            continue;
        found.rows += static_cast<std::size_t>(
            points * most_rows_of(model.contact_law(pairs[i].first, pairs[i].second)));
        if (found.first.size() < 10)
            found.first.push_back({pairs[i].first, pairs[i].second, depth});
        ++found.count;
    }
    found.counted = found.counted && found.rows <= most_rows;
    return found;
}

OverlapsBorne overlaps_borne(const StepSettings& settings)
{
    const ContactSettings& contact = settings.contact;
    // Springs have no problem to solve, but each pair takes its time: a thousand boxes in one place
    // are a minute a step.
    if (contact.response == ContactResponse::penalty)
        return {100'000};
    // Through the bodies a hundred of them in one place take seconds a step.
    OverlapsBorne borne{5000};
    // Events ask for forces of one dense matrix; measured: 3312 rows are 2.5 s a step.
    if (settings.method != Method::impulsive)
        borne.rows = 3000;
    // Impulses of one, by Newton's method from nothing: 336 rows are 2.3 s a step, 792 are 80 s.
    else if (settings.formulation == Formulation::reduced || contact.law == ImpactLaw::poisson ||
             contact.order == ImpactOrder::in_sequence)
        borne.rows = 400;
    return borne;
}

} // namespace poinsot
