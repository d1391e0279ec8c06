// SPDX-License-Identifier: MIT
#include "poinsot/geometry/convex.hpp"

#include <limits>

namespace poinsot {

namespace {

// Up to this many corners all are looked at; a climb pays beyond.
constexpr std::size_t few_corners = 32;

// sin and cos of 3°: a face, edge or side that is turned from the direction by less counts as
// facing it. Anything between what rounding makes of parallel (1e-8 in a step) and what looks
// tilted does.
constexpr double sin_facing = 0.05233595624294383, cos_facing = 0.99862953475457383;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

Extreme extreme_corner(const Polytope& p, const Vec3<double>& d, int hint)
{
    const auto at = [&](int i) { return dot(d, p.vertices[static_cast<std::size_t>(i)]); };
    if (p.vertices.size() <= few_corners) {
        int best = 0;
        double most = at(0);
        for (int i = 1; i < static_cast<int>(p.vertices.size()); ++i)
            if (const double h = at(i); h > most) {
                most = h;
                best = i;
            }
        return {p.vertices[static_cast<std::size_t>(best)], best};
    }
    // On a convex body a corner that no neighbour exceeds is the farthest. Each step climbs, so no
    // corner is visited twice.
    int best = hint >= 0 && hint < static_cast<int>(p.vertices.size()) ? hint : 0;
    double most = at(best);
    for (bool climbs = true; climbs;) {
        climbs = false;
        for (const int i : p.neighbours(best))
            if (const double h = at(i); h > most) {
                most = h;
                best = i;
                climbs = true;
                break;
            }
    }
    return {p.vertices[static_cast<std::size_t>(best)], best};
}

void put_corner(Facet& f, const Vec3<double>& r, int number)
{
    const auto i = static_cast<std::size_t>(f.count++);
    f.r[i] = r;
    f.number[i] = static_cast<std::uint16_t>(number);
}

void put_octagon(Facet& f, double radius, double z, int first)
{
    const double c = 0.70710678118654752440;
    const double x[] = {1, c, 0, -c, -1, -c, 0, c};
    f.normal = {0, 0, z > 0 ? 1.0 : -1.0};
    for (int k = 0; k < 8; ++k) { // the lower cap runs the other way
        const int i = z > 0 ? k : (8 - k) % 8;
        put_corner(f, {radius * x[i], radius * x[(i + 6) % 8], z}, first + i);
    }
}

// The longest edge at the corner that lies within 3° of the plane across n.
void put_edge(Facet& f, const Polytope& p, const Vec3<double>& n)
{
    const Extreme top = extreme_corner(p, n, 0);
    int other = -1;
    double longest = 0;
    for (const int i : p.neighbours(top.corner)) {
        const Vec3<double> e = p.vertices[static_cast<std::size_t>(i)] - top.r;
        if (const double length = norm(e); - dot(n, e) <= sin_facing * length && length > longest) {
            longest = length;
            other = i;
        }
    }
    put_corner(f, top.r, top.corner);
    if (other >= 0)
        put_corner(f, p.vertices[static_cast<std::size_t>(other)], other);
}

} // namespace

Extreme support(const Convex& shape, const Vec3<double>& d, int hint)
{
    const Vec3<double>& s = shape.size;
    switch (shape.core) {
    case Core::point:
        return {zero3<double>(), 0};
    case Core::segment:
        return dot(d, s) >= 0 ? Extreme{s, 0} : Extreme{-s, 1};
    case Core::triangle: {
        const double h0 = dot(d, s), h1 = dot(d, shape.b), h2 = dot(d, shape.c);
        if (h0 >= h1 && h0 >= h2)
            return {s, 0};
        return h1 >= h2 ? Extreme{shape.b, 1} : Extreme{shape.c, 2};
    }
    case Core::box:
        return {{d.x >= 0 ? s.x : -s.x, d.y >= 0 ? s.y : -s.y, d.z >= 0 ? s.z : -s.z},
                (d.x >= 0 ? 0 : 1) + (d.y >= 0 ? 0 : 2) + (d.z >= 0 ? 0 : 4)};
    case Core::ellipsoid: {
        // r = D² d/|D d|, with D the half axes
        const Vec3<double> e{s.x * d.x, s.y * d.y, s.z * d.z};
        const double size = norm(e);
        if (!(size > 0))
            return {{s.x, 0, 0}, -1};
        return {{s.x * (e.x / size), s.y * (e.y / size), s.z * (e.z / size)}, -1};
    }
    case Core::cylinder: {
        const double across = sqrt(mul_add(d.x, d.x, d.y * d.y)), z = d.z >= 0 ? s.z : -s.z;
        if (!(across > 0))
            return {{0, 0, z}, -1};
        return {{s.x * (d.x / across), s.x * (d.y / across), z}, -1};
    }
    case Core::cone: {
        const double across = sqrt(mul_add(d.x, d.x, d.y * d.y));
        if (d.z * s.z >= s.x * across)
            return {{0, 0, s.z}, -1};
        if (!(across > 0))
            return {zero3<double>(), -1};
        return {{s.x * (d.x / across), s.x * (d.y / across), 0}, -1};
    }
    case Core::polytope:
        return extreme_corner(*shape.polytope, d, hint);
    }
    return {zero3<double>(), -1};
}

Vec3<double> middle_of(const Convex& shape)
{
    switch (shape.core) {
    case Core::triangle:
        return (shape.size + shape.b + shape.c) / 3.0;
    case Core::cone:
        return {0, 0, 0.25 * shape.size.z};
    case Core::polytope:
        return shape.polytope->middle;
    default:
        return zero3<double>();
    }
}

double reach_of(const Convex& shape, const Vec3<double>& from)
{
    const Vec3<double>& s = shape.size;
    const Vec3<double> f{abs(from.x), abs(from.y), abs(from.z)};
    const double across = s.x + sqrt(mul_add(f.x, f.x, f.y * f.y));
    double core = 0;
    switch (shape.core) {
    case Core::point:
        core = norm(from);
        break;
    case Core::segment:
        core = max(norm(s - from), norm(s + from));
        break;
    case Core::triangle:
        core = max(norm(s - from), max(norm(shape.b - from), norm(shape.c - from)));
        break;
    case Core::box:
        core = norm(s + f);
        break;
    case Core::ellipsoid:
        core = max(s.x, max(s.y, s.z)) + norm(from);
        break;
    case Core::cylinder:
        core = norm(Vec3<double>{across, 0, s.z + f.z});
        break;
    case Core::cone:
        core = max(norm(Vec3<double>{across, 0, from.z}), norm(Vec3<double>{0, 0, s.z} - from));
        break;
    case Core::polytope:
        for (const Vec3<double>& r : shape.polytope->vertices)
            core = max(core, norm(r - from));
        break;
    }
    return (core + shape.radius) * (1 + 8 * epsilon);
}

Bounds bounds_of(const Convex& shape, const Pose<double>& pose)
{
    const Mat3<double> R = matrix_of(pose.q);
    const auto reach = [&](const Vec3<double>& row, double x) {
        // e · (x + R r) = x + (Rᵀ e) · r, and the same backwards; outwards by what was rounded
        const Vec3<double> high = support(shape, row).r, low = support(shape, -row).r;
        const double up = dot(row, high), down = dot(row, low);
        const double slack = 16 * epsilon * (abs(x) + norm(high) + norm(low) + shape.radius);
        return std::pair{x + down - shape.radius - slack, x + up + shape.radius + slack};
    };
    const auto [x0, x1] = reach(R.r0, pose.x.x);
    const auto [y0, y1] = reach(R.r1, pose.x.y);
    const auto [z0, z1] = reach(R.r2, pose.x.z);
    return {{x0, y0, z0}, {x1, y1, z1}};
}

std::uint16_t rim_at(const Convex& round, const Vec3<double>& point)
{
    if (round.core == Core::cylinder)
        return point.z > 0 ? 16 : 17;
    return point.z > 0 ? 9 : 8;
}

Facet facet_towards(const Convex& shape, const Vec3<double>& n)
{
    Facet f;
    const Vec3<double>& s = shape.size;
    switch (shape.core) {
    case Core::point:
    case Core::ellipsoid:
        put_corner(f, support(shape, n).r, 0);
        break;
    case Core::segment: {
        const bool lies = abs(dot(n, s)) <= sin_facing * norm(s);
        const Extreme top = support(shape, n);
        put_corner(f, top.r, top.corner);
        if (lies)
            put_corner(f, -top.r, 1 - top.corner);
        break;
    }
    case Core::triangle: {
        const Vec3<double> corner[] = {s, shape.b, shape.c};
        const Vec3<double> across = cross(shape.b - s, shape.c - s);
        const double size = norm(across), along = dot(n, across);
        if (size > 0 && abs(along) >= cos_facing * size) {
            f.normal = along > 0 ? across / size : -(across / size);
            for (int i = 0; i < 3; ++i) {
                const int k = along > 0 ? i : 2 - i;
                put_corner(f, corner[k], k);
            }
            break;
        }
        const Extreme top = support(shape, n);
        put_corner(f, top.r, top.corner);
        int other = -1;
        double longest = 0;
        for (int i = 0; i < 3; ++i) {
            const Vec3<double> e = corner[i] - top.r;
            if (const double length = norm(e);
                - dot(n, e) <= sin_facing * length && length > longest) {
                longest = length;
                other = i;
            }
        }
        if (other >= 0)
            put_corner(f, corner[other], other);
        break;
    }
    case Core::box: {
        // An axis that lies across n is free: no such axis a corner, one an edge, two a face.
        const double part[] = {n.x, n.y, n.z};
        const double half[] = {s.x, s.y, s.z};
        int free[3], count = 0, fixed = 0;
        double at[3] = {};
        for (int i = 0; i < 3; ++i) {
            if (abs(part[i]) <= sin_facing && count < 2)
                free[count++] = i;
            else
                fixed = i;
            at[i] = part[i] >= 0 ? half[i] : -half[i];
        }
        const auto put = [&](const double* r) {
            put_corner(f, {r[0], r[1], r[2]},
                       (r[0] >= 0 ? 0 : 1) + (r[1] >= 0 ? 0 : 2) + (r[2] >= 0 ? 0 : 4));
        };
        if (count < 2) {
            put(at);
            if (count == 1) {
                at[free[0]] = -at[free[0]];
                put(at);
            }
            break;
        }
        const double sign = part[fixed] >= 0 ? 1 : -1;
        f.normal = {fixed == 0 ? sign : 0, fixed == 1 ? sign : 0, fixed == 2 ? sign : 0};
        const int u = (fixed + 1) % 3, w = (fixed + 2) % 3;
        const double a[] = {1, -1, -1, 1}, b[] = {1, 1, -1, -1};
        for (int k = 0; k < 4; ++k) {
            const int i = sign > 0 ? k : 3 - k;
            at[u] = a[i] * half[u];
            at[w] = b[i] * half[w];
            put(at);
        }
        break;
    }
    case Core::cylinder: {
        if (abs(n.z) >= cos_facing) {
            put_octagon(f, s.x, n.z > 0 ? s.z : -s.z, n.z > 0 ? 0 : 8);
            break;
        }
        const Vec3<double> top = support(shape, n).r;
        put_corner(f, top, rim_at(shape, top));
        if (abs(n.z) <= sin_facing) {
            const Vec3<double> other{top.x, top.y, -top.z};
            put_corner(f, other, rim_at(shape, other));
        }
        break;
    }
    case Core::cone: {
        if (n.z <= -cos_facing) {
            put_octagon(f, s.x, -0.0, 0);
            break;
        }
        // The side's normal leans up by the slope: (h cos φ, h sin φ, r)/√(h² + r²).
        const double across = sqrt(mul_add(n.x, n.x, n.y * n.y));
        const double slope = sqrt(mul_add(s.x, s.x, s.z * s.z));
        if (across > 0 && (s.z * across + s.x * n.z) >= cos_facing * slope) {
            const Vec3<double> low{s.x * (n.x / across), s.x * (n.y / across), 0};
            const Vec3<double> tip{0, 0, s.z};
            put_corner(f, low, rim_at(shape, low));
            put_corner(f, tip, rim_at(shape, tip));
            break;
        }
        const Vec3<double> top = support(shape, n).r;
        put_corner(f, top, rim_at(shape, top));
        break;
    }
    case Core::polytope: {
        const Polytope& p = *shape.polytope;
        const Polytope::Face* best = nullptr;
        double most = cos_facing;
        for (const Polytope::Face& face : p.faces)
            if (const double along = dot(face.normal, n); along >= most) {
                most = along;
                best = &face;
            }
        if (!best) {
            put_edge(f, p, n);
            break;
        }
        f.normal = best->normal;
        const auto loop = p.corners(*best);
        // A face of more corners than a facet holds gives every k-th of them.
        const std::size_t stride = (loop.size() + f.r.size() - 1) / f.r.size();
        for (std::size_t i = 0; i < loop.size(); i += stride)
            put_corner(f, p.vertices[static_cast<std::size_t>(loop[i])], loop[i]);
        break;
    }
    }
    return f;
}

} // namespace poinsot
