// SPDX-License-Identifier: MIT
#include "poinsot/geometry/collider.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace poinsot {

// Puts a collider together and keeps it consistent.
class ColliderMaker {
  public:
    static void add(Collider& c, const Convex& convex, const Pose<double>& pose, int face = -1)
    {
        c.parts_.push_back({convex, pose, face < 0 ? static_cast<int>(c.parts_.size()) : face});
    }
    static void keep(Collider& c, std::shared_ptr<const Polytope> polytope)
    {
        c.held_.push_back(std::move(polytope));
    }
    static void keep_all(Collider& c, const Collider& from)
    {
        c.held_.insert(c.held_.end(), from.held_.begin(), from.held_.end());
    }
    static Collider unbounded(Collider::Kind kind, double margin)
    {
        Collider c;
        c.kind_ = kind;
        c.margin_ = margin;
        return c;
    }
    static Collider finished(Collider c, double margin)
    {
        c.margin_ = margin;
        for (std::size_t i = 0; i < c.parts_.size(); ++i) {
            c.parts_[i].convex.radius += margin;
            const Bounds box = bounds_of(c.parts_[i].convex, c.parts_[i].pose);
            c.bounds_ = i == 0 ? box : joined(c.bounds_, box);
            if (c.parts_.size() > 1)
                c.tree_.set(static_cast<int>(i), box);
        }
        c.tree_.rebuild();
        return c;
    }
};

namespace {

constexpr double least_size = 1e-30, most_size = 1e30;

class SizeCheck {
  public:
    SizeCheck(const std::string& place, Problems& found) : place_(place), found_(found) {}
    void positive(const char* what, double size) const
    {
        if (!(size >= least_size && size <= most_size))
            found_.add(place_, what, " must be between ", least_size, " and ", most_size, ", is ",
                       size);
    }
    void not_negative(const char* what, double size) const
    {
        if (!(size >= 0 && size <= most_size))
            found_.add(place_, what, " must be zero or more, and at most ", most_size, ", is ",
                       size);
    }

  private:
    const std::string& place_;
    Problems& found_;
};

// A mesh comes from a file of single precision: a plane is one to this part of the mesh's size, and
// of a right angle.
constexpr double one_plane = 1e-7, one_normal = 1e-6;

/// Which triangles are one face: from the first that has none, across edges that two have in common
/// (by their places, since files repeat vertices), as far as its plane goes.
std::vector<int> faces_of(const Surface& mesh)
{
    const auto& r = mesh.vertices;
    std::vector<int> order(r.size()), place(r.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](int i) {
        const Vec3<double>& at = r[static_cast<std::size_t>(i)];
        return std::array<double, 3>{at.x, at.y, at.z};
    };
    std::sort(order.begin(), order.end(), [&](int i, int j) { return key(i) < key(j); });
    for (std::size_t k = 0; k < order.size(); ++k)
        place[static_cast<std::size_t>(order[k])] =
            k > 0 && key(order[k - 1]) == key(order[k])
                ? place[static_cast<std::size_t>(order[k - 1])]
                : order[k];

    struct Side {
        std::array<int, 2> ends;
        int triangle;
    };
    const int count = static_cast<int>(mesh.faces.size());
    std::vector<Side> sides;
    const auto at = [&](int f, std::size_t i) {
        return static_cast<std::size_t>(mesh.faces[static_cast<std::size_t>(f)][i % 3]);
    };
    for (int f = 0; f < count; ++f)
        for (std::size_t i = 0; i < 3; ++i) {
            const int from = place[at(f, i)], to = place[at(f, i + 1)];
            sides.push_back({{std::min(from, to), std::max(from, to)}, f});
        }
    const auto before = [](const Side& a, const Side& b) { return a.ends < b.ends; };
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return a.ends != b.ends ? a.ends < b.ends : a.triangle < b.triangle;
    });
    const auto normal = [&](int f) {
        const Vec3<double> n = cross(r[at(f, 1)] - r[at(f, 0)], r[at(f, 2)] - r[at(f, 0)]);
        const double length = norm(n);
        return length > 0 && std::isfinite(length) ? (1 / length) * n : zero3<double>();
    };
    const double off = one_plane * norm(bounds_of(r).size());
    std::vector<int> face(mesh.faces.size(), -1), waiting;
    for (int first = 0; first < count; ++first) {
        if (face[static_cast<std::size_t>(first)] >= 0)
            continue;
        face[static_cast<std::size_t>(first)] = first;
        const Vec3<double> n = normal(first), origin = r[at(first, 0)];
        waiting.assign(norm2(n) > 0 ? 1 : 0, first);
        while (!waiting.empty()) {
            const int f = waiting.back();
            waiting.pop_back();
            for (std::size_t i = 0; i < 3; ++i) {
                const int from = place[at(f, i)], to = place[at(f, i + 1)];
                const Side shared{{std::min(from, to), std::max(from, to)}, f};
                const auto [begin, end] =
                    std::equal_range(sides.begin(), sides.end(), shared, before);
                for (auto side = begin; side != end; ++side) {
                    const int next = side->triangle;
                    int& of_next = face[static_cast<std::size_t>(next)];
                    const Vec3<double> m = normal(next);
                    bool flat = of_next < 0 && norm2(m) > 0 && norm(cross(n, m)) <= one_normal;
                    for (std::size_t k = 0; flat && k < 3; ++k)
                        flat = abs(dot(n, r[at(next, k)] - origin)) <= off;
                    if (!flat)
                        continue;
                    of_next = first;
                    waiting.push_back(next);
                }
            }
        }
    }
    return face;
}

} // namespace

Result<Collider> collider_of(const Shape& shape, double margin, const std::string& place)
{
    Problems found;
    const SizeCheck size(place, found);
    size.not_negative("the margin", margin);
    Convex made;
    if (const auto* box = std::get_if<Box>(&shape)) {
        size.positive("the side along x of a box", box->size.x);
        size.positive("the side along y of a box", box->size.y);
        size.positive("the side along z of a box", box->size.z);
        made.core = Core::box;
        made.size = 0.5 * box->size;
    } else if (const auto* ball = std::get_if<Ball>(&shape)) {
        size.positive("the radius of a ball", ball->radius);
        made.radius = ball->radius;
    } else if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape)) {
        const Vec3<double>& s = ellipsoid->semi_axes;
        size.positive("the half axis x of an ellipsoid", s.x);
        size.positive("the half axis y of an ellipsoid", s.y);
        size.positive("the half axis z of an ellipsoid", s.z);
        made.core = Core::ellipsoid;
        made.size = s;
        if (s.x == s.y && s.y == s.z) { // a ball, and exact as one
            made = {};
            made.radius = s.x;
        }
    } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
        size.positive("the radius of a cylinder", cylinder->radius);
        size.positive("the height of a cylinder", cylinder->height);
        made.core = Core::cylinder;
        made.size = {cylinder->radius, 0, 0.5 * cylinder->height};
    } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
        size.positive("the radius of a capsule", capsule->radius);
        size.not_negative("the height of a capsule", capsule->height);
        made.core = capsule->height > 0 ? Core::segment : Core::point;
        made.radius = capsule->radius;
        made.size = {0, 0, 0.5 * capsule->height};
    } else if (const auto* cone = std::get_if<Cone>(&shape)) {
        size.positive("the radius of a cone", cone->radius);
        size.positive("the height of a cone", cone->height);
        made.core = Core::cone;
        made.size = {cone->radius, 0, cone->height};
    } else if (const auto* mesh = std::get_if<MeshShape>(&shape)) {
        found.add(place, "the mesh ", mesh->path,
                  " must be read before it can touch anything: use collider_of_mesh");
    } else {
        found.add(place, "a body without a shape touches nothing: give it one");
    }
    if (found.any())
        return found;
    Collider collider;
    ColliderMaker::add(collider, made, identity_pose<double>());
    return ColliderMaker::finished(std::move(collider), margin);
}

Result<Collider> collider_of_hull(std::span<const Vec3<double>> points, double margin,
                                  const std::string& place)
{
    Problems found;
    const SizeCheck size(place, found);
    size.not_negative("the margin", margin);
    auto polytope = polytope_around(points, place);
    if (!polytope)
        found.add(polytope.problems());
    else
        size.positive("the radius of the points of a hull", polytope->radius);
    if (found.any())
        return found;
    auto held = std::make_shared<const Polytope>(std::move(*polytope));
    Collider collider;
    Convex made;
    made.core = Core::polytope;
    made.polytope = held.get();
    ColliderMaker::add(collider, made, identity_pose<double>());
    ColliderMaker::keep(collider, std::move(held));
    return ColliderMaker::finished(std::move(collider), margin);
}

Result<Collider> collider_of_mesh(const Surface& mesh, double margin, const std::string& place)
{
    Problems found;
    const SizeCheck size(place, found);
    size.not_negative("the margin", margin);
    if (mesh.faces.empty())
        found.add(place, "the mesh has no faces");
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
        if (const Vec3<double>& r = mesh.vertices[i];
            !finite(r) || max(abs(r.x), max(abs(r.y), abs(r.z))) > most_size)
            found.add(place, "vertex ", i, " has a coordinate that is not a number up to ",
                      most_size);
    const int count = static_cast<int>(mesh.vertices.size());
    for (std::size_t f = 0; f < mesh.faces.size(); ++f)
        for (const int i : mesh.faces[f])
            if (i < 0 || i >= count)
                found.add(place, "face ", f, " has the vertex ", i, "; the mesh has vertices 0 to ",
                          count - 1);
    if (found.any())
        return found;
    Collider collider;
    const std::vector<int> faces = faces_of(mesh);
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        const auto& [a, b, c] = mesh.faces[f];
        Convex made;
        made.core = Core::triangle;
        made.size = mesh.vertices[static_cast<std::size_t>(a)];
        made.b = mesh.vertices[static_cast<std::size_t>(b)];
        made.c = mesh.vertices[static_cast<std::size_t>(c)];
        ColliderMaker::add(collider, made, identity_pose<double>(), faces[f]);
    }
    return ColliderMaker::finished(std::move(collider), margin);
}

Result<Collider> compound_of(const std::vector<PlacedCollider>& parts, const std::string& place)
{
    Problems found;
    if (parts.empty())
        found.add(place, "a compound needs at least one part");
    Collider collider;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto& [part, pose] = parts[i];
        const double q2 = norm2(pose.q);
        if (!part.bounded())
            found.add(place, "part ", i, " is a half-space or a plane: give it a body of its own");
        if (!finite(pose.x) || !(q2 > 0) || !std::isfinite(q2))
            found.add(place, "part ", i, " has a pose that is not finite");
        const int before = static_cast<int>(collider.parts().size());
        for (const Collider::Part& p : part.parts())
            ColliderMaker::add(collider, p.convex, pose_of(p, pose), before + p.face);
        ColliderMaker::keep_all(collider, part);
    }
    if (found.any())
        return found;
    // The parts have brought their margins along.
    return ColliderMaker::finished(std::move(collider), 0);
}

Collider half_space(double margin)
{
    return ColliderMaker::unbounded(Collider::Kind::half_space, margin);
}
Collider plane(double margin)
{
    return ColliderMaker::unbounded(Collider::Kind::plane, margin);
}

std::optional<Bounds> bounds_of(const Collider& collider, const Pose<double>& pose)
{
    if (!collider.bounded())
        return std::nullopt;
    if (collider.parts().size() == 1)
        return bounds_of(collider.parts().front().convex, pose_of(collider.parts().front(), pose));
    // The box around the turned box of all parts: O(1), and a little larger than need be.
    Convex box;
    box.core = Core::box;
    box.size = 0.5 * collider.bounds().size();
    return bounds_of(box, {place(pose, collider.bounds().middle()), pose.q});
}

} // namespace poinsot
