// SPDX-License-Identifier: MIT
#include "poinsot/step/overlaps.hpp"

#include "poinsot/contacts/broadphase.hpp"
#include "poinsot/contacts/contact_row.hpp"
#include "poinsot/contacts/manifold.hpp"
#include "poinsot/geometry/ray.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

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

namespace {

/// Meshes whose every edge has two faces, which pass along it in opposite directions.
class ClosedMeshes {
  public:
    explicit ClosedMeshes(const std::vector<const Collider*>& shapes) : shapes_(shapes) {}

    /// Is a mesh that is closed, and is the point in it? A ray from there leaves through an odd
    /// number of faces; along two lines, so that an edge that is met does not decide.
    bool holds(int mesh, const Pose<double>& pose, const Vec3<double>& point)
    {
        const Collider& shape = *shapes_[static_cast<std::size_t>(mesh)];
        if (!closed(mesh))
            return false;
        for (const Vec3<double>& d :
             {Vec3<double>{0.3141, 0.5926, 0.7417}, Vec3<double>{-0.6180, 0.3398, -0.7089}}) {
            int met = 0;
            for (const Collider::Part& part : shape.parts())
                met += meet(Ray{point, d}, part.convex, pose_of(part, pose)).has_value();
            if (met % 2 == 0)
                return false;
        }
        return true;
    }

  private:
    bool closed(int mesh)
    {
        const auto [known, fresh] = closed_.try_emplace(mesh, false);
        if (!fresh)
            return known->second;
        using Corner = std::array<double, 3>;
        const auto corner = [](const Vec3<double>& r) { return Corner{r.x, r.y, r.z}; };
        std::map<std::pair<Corner, Corner>, int> edges;
        for (const Collider::Part& part : shapes_[static_cast<std::size_t>(mesh)]->parts()) {
            const Convex& face = part.convex;
            if (face.core != Core::triangle)
                return false;
            const std::array<Corner, 3> at{corner(face.size), corner(face.b), corner(face.c)};
            for (std::size_t k = 0; k < 3; ++k) {
                ++edges[{at[k], at[(k + 1) % 3]}];
                --edges[{at[(k + 1) % 3], at[k]}];
            }
        }
        known->second = std::all_of(edges.begin(), edges.end(),
                                    [](const auto& edge) { return edge.second == 0; });
        return known->second;
    }

    const std::vector<const Collider*>& shapes_;
    std::map<int, bool> closed_;
};

/// A point of a skin.
Vec3<double> point_in(const Collider& shape, const Pose<double>& pose)
{
    const Collider::Part& part = shape.parts().front();
    return place(pose_of(part, pose), middle_of(part.convex));
}

} // namespace

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
    ClosedMeshes closed(shapes);
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
        bool inside = false;
        if (points == 0 || !(depth > 0)) {
            const auto [a, b] = pairs[i];
            const auto within_mesh = [&](int mesh, int other) {
                const auto m = static_cast<std::size_t>(mesh), o = static_cast<std::size_t>(other);
                return shapes[m]->bounded() && shapes[o]->bounded() &&
                       shapes[m]->parts().size() > 3 &&
                       closed.holds(mesh, poses[m], point_in(*shapes[o], poses[o]));
            };
            inside = within_mesh(a, b) || within_mesh(b, a);
        }
        if (!(depth > within) && !inside)
            continue;
        found.rows += static_cast<std::size_t>(
            points * most_rows_of(model.contact_law(pairs[i].first, pairs[i].second)));
        if (found.first.size() < 10)
            found.first.push_back({pairs[i].first, pairs[i].second, depth, inside});
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
