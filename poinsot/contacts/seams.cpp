// SPDX-License-Identifier: MIT
#include "poinsot/contacts/seams.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace poinsot {

namespace {

// A normal is that of a face within this angle, and a point on a part within this part of its size.
constexpr double square_on = 1e-5, on_it = 1e-9;

const Collider::Part& seam_part(const Collider& c, int i)
{
    return c.parts()[static_cast<std::size_t>(i)];
}
int face_of(const Collider& c, int part)
{
    return c.bounded() ? seam_part(c, part).face : part;
}

/// The normal of a triangle, unit; zero for what is none.
Vec3<double> normal_of_face(const Collider& c, const Pose<double>& pose, int part)
{
    if (!c.bounded() || seam_part(c, part).convex.core != Core::triangle)
        return zero3<double>();
    const Convex& t = seam_part(c, part).convex;
    const Vec3<double> m = cross(t.b - t.size, t.c - t.size);
    const double length = norm(m);
    if (!(length > 0))
        return zero3<double>();
    return rotate(pose_of(seam_part(c, part), pose).q, (1 / length) * m);
}

/// The point of a part farthest along n, and how far that is.
Vec3<double> farthest_along(const Collider& c, const Pose<double>& pose, int part,
                            const Vec3<double>& n)
{
    const Collider::Part& of = seam_part(c, part);
    const Pose<double> at = pose_of(of, pose);
    return place(at, support(of.convex, rotate(conjugate(at.q), n)).r) + of.convex.radius * n;
}

double least_gap_of(const Manifold& m)
{
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < m.count; ++i)
        least = min(least, m.point[static_cast<std::size_t>(i)].gap);
    return least;
}

/// Does the other touch the inside of the face that these parts are of? Then m, of the nearest of
/// them, has the normal of the face. Each part knows its own shortest way out; that of the face has
/// to part all of them, and is along its normal if the way of the nearest is no shorter for all.
bool touches_face(const Collider& a, const Pose<double>& pose_a, const Collider& b,
                  const Pose<double>& pose_b, std::span<const Manifold> near, Manifold& m)
{
    const std::array normals{normal_of_face(a, pose_a, m.part_a),
                             normal_of_face(b, pose_b, m.part_b)};
    const auto along = [&](const Vec3<double>& n) {
        return norm2(n) > 0 && norm(cross(n, m.normal)) <= square_on;
    };
    if (!a.bounded() || !b.bounded()) // all have the normal of the plane
        return along(normals[0]) || along(normals[1]);
    const auto depth = [&](const Vec3<double>& n) {
        double most = -std::numeric_limits<double>::infinity();
        for (const Manifold& one : near)
            most = max(most, dot(n, farthest_along(a, pose_a, one.part_a, n) -
                                        farthest_along(b, pose_b, one.part_b, -n)));
        return most;
    };
    const double size = min(norm(a.bounds().size()), norm(b.bounds().size()));
    const double own = depth(m.normal);
    double least = own + square_on * abs(own) + on_it * size;
    bool found = false;
    Vec3<double> best = m.normal;
    for (const Vec3<double>& normal : normals)
        for (const double sign : {1.0, -1.0})
            if (const Vec3<double> n = sign * normal; norm2(n) > 0)
                if (const double d = depth(n); d <= least) {
                    least = d;
                    best = n;
                    found = true;
                }
    if (!found)
        return false;
    if (!along(best) || dot(best, m.normal) < 0) {
        m.normal = best;
        m.tangent = tangent_of(best);
    }
    return true;
}

/// All points that these parts have in common along the normal of m.
void gather_spots(const Collider& a, const Pose<double>& pose_a, const Collider& b,
                  const Pose<double>& pose_b, std::span<const Manifold> near, const Manifold& m,
                  double margin, std::vector<Spot>& spots)
{
    spots.clear();
    const bool planes = !a.bounded() || !b.bounded(); // along whose normal all is already
    const auto triangle = [](const Collider& c, int part) {
        return !c.bounded() || seam_part(c, part).convex.core == Core::triangle;
    };
    // Triangles number their corners alike: those of several are told apart by their parts.
    const bool alike = triangle(a, m.part_a) && triangle(b, m.part_b);
    for (const Manifold& one : near) {
        const std::size_t begin = spots.size();
        for (int i = 0; i < one.count && (planes || one.normal == m.normal); ++i) {
            const ContactPoint& p = one.point[static_cast<std::size_t>(i)];
            spots.push_back({p.on_a, p.on_b, p.gap, p.feature});
        }
        if (!planes) {
            const Collider::Part &in_a = seam_part(a, one.part_a), &in_b = seam_part(b, one.part_b);
            corners_along(in_a.convex, pose_of(in_a, pose_a), in_b.convex, pose_of(in_b, pose_b),
                          m.normal, margin, spots);
        }
        for (std::size_t i = begin; alike && i < spots.size(); ++i)
            for (const int part : {one.part_a, one.part_b})
                spots[i].feature = 0x9e3779b1u * (spots[i].feature ^ static_cast<unsigned>(part));
    }
    if (!spots.empty())
        return;
    // Nothing faces the face but a corner: that which is in deepest.
    const bool face_is_a = norm2(normal_of_face(a, pose_a, near[0].part_a)) > 0;
    const Vec3<double>&n = m.normal, on_a = farthest_along(a, pose_a, near[0].part_a, n),
          on_b = farthest_along(b, pose_b, near[0].part_b, -n);
    const double gap = dot(n, on_b - on_a);
    if (face_is_a)
        spots.push_back({on_b - gap * n, on_b, gap, 0xffffffff});
    else
        spots.push_back({on_a, on_a + gap * n, gap, 0xffffffff});
}

} // namespace

void unite_faces(const Collider& a, const Pose<double>& pose_a, const Collider& b,
                 const Pose<double>& pose_b, double margin, SeamSearch& w,
                 std::vector<Manifold>& out)
{
    const auto faces = [&](const Manifold& m) {
        return std::pair{face_of(a, m.part_a), face_of(b, m.part_b)};
    };
    const auto first_of_all = static_cast<std::ptrdiff_t>(out.size());
    std::sort(w.parts.begin(), w.parts.end(), [&](const Manifold& l, const Manifold& r) {
        return std::pair{faces(l), key_of(l)} < std::pair{faces(r), key_of(r)};
    });
    for (std::size_t first = 0, end = 0; first < w.parts.size(); first = end) {
        std::size_t nearest = first;
        for (; end < w.parts.size() && faces(w.parts[end]) == faces(w.parts[first]); ++end)
            if (least_gap_of(w.parts[end]) < least_gap_of(w.parts[nearest]))
                nearest = end;
        const std::span<const Manifold> near{&w.parts[first], end - first};
        Manifold m = w.parts[nearest];
        if (!touches_face(a, pose_a, b, pose_b, near, m)) {
            out.insert(out.end(), near.begin(), near.end());
            continue;
        }
        std::tie(m.part_a, m.part_b) = faces(m);
        if (near.size() > 1 || m.normal != w.parts[nearest].normal) {
            gather_spots(a, pose_a, b, pose_b, near, m, margin, w.spots);
            set_points(m, outermost(w.spots, m.normal));
        }
        out.push_back(m);
    }
    std::sort(out.begin() + first_of_all, out.end(),
              [](const Manifold& l, const Manifold& r) { return key_of(l) < key_of(r); });
}

// ---- what is hidden -----------------------------------------------------------------------------

namespace {

/// One side of a contact: the body that may hide it, and the part of the other that it touches.
struct ContactSide {
    const Collider& shape;
    const Pose<double>& pose;
    int part;
    std::array<int, 2> other; // skin and part
    Vec3<double> outwards;
    bool is_a;

    Vec3<double> point(const Manifold& m, int i) const
    {
        const ContactPoint& p = m.point[static_cast<std::size_t>(i)];
        return is_a ? p.on_a : p.on_b;
    }
};

/// Calls visit for the parts of the side's face that hold a point; false from it ends the search.
template <class Visit>
void each_part_at(const ContactSide& side, const Vec3<double>& p, double off, DepthSearch& search,
                  Visit visit)
{
    const Collider& c = side.shape;
    const Vec3<double> local = rotate(conjugate(side.pose.q), p - side.pose.x);
    const auto look = [&](int i) {
        const Collider::Part& part = seam_part(c, i);
        if (part.face != seam_part(c, side.part).face)
            return true;
        SearchCache cache;
        const Gap gap = gap_between({}, {local, identity_quat<double>()}, part.convex, part.pose,
                                    search, cache, off);
        return !gap.beyond && gap.distance <= off ? visit(part) : true;
    };
    if (c.parts().size() == 1)
        look(0);
    else
        c.tree().each_overlap(grown(Bounds{local, local}, off), look);
}

bool holds(const ContactSide& side, const Vec3<double>& p, double off, DepthSearch& search)
{
    if (!side.shape.bounded()) {
        const double z = rotate(conjugate(side.pose.q), p - side.pose.x).z - side.shape.margin();
        return z <= off && (side.shape.kind() == Collider::Kind::half_space || z >= -off);
    }
    bool found = false;
    each_part_at(side, p, off, search, [&](const Collider::Part&) {
        found = true;
        return false;
    });
    return found;
}

/// The plane n · r = top in which a side touches: that of its face which is turned to the other
/// within 3°, since where the two overlap the normal may be the other's; else that of the contact.
struct TouchPlane {
    Vec3<double> n;
    double top;
};
TouchPlane plane_of(const ContactSide& side, const Manifold& m)
{
    TouchPlane plane{side.outwards, -std::numeric_limits<double>::infinity()};
    if (side.shape.bounded()) {
        const Collider::Part& part = seam_part(side.shape, side.part);
        const Pose<double> pose = pose_of(part, side.pose);
        const Facet facet = facet_towards(part.convex, rotate(conjugate(pose.q), plane.n));
        if (facet.count >= 3) {
            plane.n = rotate(pose.q, facet.normal);
            plane.top = dot(plane.n, place(pose, facet.r[0])) + part.convex.radius;
            return plane;
        }
    }
    for (int i = 0; i < m.count; ++i)
        plane.top = max(plane.top, dot(plane.n, side.point(m, i)));
    return plane;
}

/// Can `m` on this side be reached only through where `by` touches?
bool hidden_by(const Manifold& m, const ContactSide& side, const Manifold& by,
               const ContactSide& hides, DepthSearch& search)
{
    if (!side.shape.bounded() || side.other != hides.other)
        return false;
    const double off = on_it * norm(side.shape.bounds().size());
    const auto [n, top] = plane_of(hides, by);
    for (int i = 0; i < m.count; ++i) {
        const Vec3<double> p = side.point(m, i);
        bool beneath = dot(n, p) <= top + off && holds(hides, p, off, search);
        if (beneath)
            each_part_at(side, p, off, search, [&, up = n, most = top + off](const auto& part) {
                const Pose<double> pose = pose_of(part, side.pose);
                const Extreme highest = support(part.convex, rotate(conjugate(pose.q), up));
                beneath = dot(up, place(pose, highest.r)) + part.convex.radius <= most;
                return beneath;
            });
        if (!beneath)
            return false;
    }
    return m.count > 0;
}

} // namespace

void leave_out_hidden(std::span<const Collider* const> shapes, std::span<const Pose<double>> poses,
                      std::span<const int> owners, SeamSearch& w, std::vector<Manifold>& all)
{
    const auto owner = [&](int skin) {
        return owners.empty() ? skin : owners[static_cast<std::size_t>(skin)];
    };
    w.order.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto [low, high] = std::minmax({owner(all[i].a), owner(all[i].b)});
        w.order.push_back({low, high, static_cast<int>(i)});
    }
    std::sort(w.order.begin(), w.order.end());
    w.hidden.assign(all.size(), 0);
    const auto side_of = [&](const Manifold& m, bool is_a) {
        const auto own = static_cast<std::size_t>(is_a ? m.a : m.b);
        return ContactSide{*shapes[own],
                           poses[own],
                           is_a ? m.part_a : m.part_b,
                           is_a ? std::array{m.b, m.part_b} : std::array{m.a, m.part_a},
                           is_a ? m.normal : -m.normal,
                           is_a};
    };
    const auto same_bodies = [](const std::array<int, 3>& x, const std::array<int, 3>& y) {
        return x[0] == y[0] && x[1] == y[1];
    };
    for (std::size_t first = 0, end = 0; first < w.order.size(); first = end) {
        double unit = 0; // gaps are as near as each other in steps of it
        for (; end < w.order.size() && same_bodies(w.order[end], w.order[first]); ++end)
            for (const bool is_a : {true, false}) {
                const Manifold& m = all[static_cast<std::size_t>(w.order[end][2])];
                unit = max(unit, on_it * norm(side_of(m, is_a).shape.bounds().size()));
            }
        for (std::size_t i = first; i < end && end - first > 1; ++i)
            for (std::size_t j = first;
                 j < end && !w.hidden[static_cast<std::size_t>(w.order[i][2])]; ++j) {
                const Manifold &m = all[static_cast<std::size_t>(w.order[i][2])],
                               &by = all[static_cast<std::size_t>(w.order[j][2])];
                for (const bool is_a : {true, false}) {
                    const ContactSide side = side_of(m, is_a);
                    const bool same = owner(is_a ? m.a : m.b) == owner(by.a);
                    const ContactSide hides = side_of(by, same);
                    // The nearer hides; of two as near the one with more points, or the first.
                    const double here = std::floor(least_gap_of(m) / unit + 0.5),
                                 there = std::floor(least_gap_of(by) / unit + 0.5);
                    if (i == j || there > here || !hidden_by(m, side, by, hides, w.depth))
                        continue;
                    if (there < here || j < i || !hidden_by(by, hides, m, side, w.depth))
                        w.hidden[static_cast<std::size_t>(w.order[i][2])] = 1;
                }
            }
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!w.hidden[i])
            all[kept++] = all[i];
    all.resize(kept);
}

} // namespace poinsot
