// SPDX-License-Identifier: MIT
#include "poinsot/geometry/simplex.hpp"

#include <limits>

namespace poinsot {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

// A face of the simplex with the point of it nearest to the origin.
struct Nearest {
    int count;
    std::array<int, 4> at;
    std::array<double, 4> lambda;
    Vec3<double> v;
    double d2;
};

void keep_nearer(Nearest& best, const Nearest& other)
{
    if (other.d2 < best.d2)
        best = other;
}

Nearest nearest_corner(const Simplex& s, int i)
{
    const Vec3<double>& w = s.corner[static_cast<std::size_t>(i)].w;
    return {1, {i}, {1}, w, norm2(w)};
}

Nearest nearest_on_edge(const Simplex& s, int i, int j)
{
    const Vec3<double>& wi = s.corner[static_cast<std::size_t>(i)].w;
    const Vec3<double>& wj = s.corner[static_cast<std::size_t>(j)].w;
    const Vec3<double> t = wj - wi;
    const double tt = norm2(t);
    const double along = -dot(wi, t);
    if (!(along > 0)) // also where the edge has no length
        return nearest_corner(s, i);
    if (!(along < tt))
        return nearest_corner(s, j);
    const double u = along / tt;
    const Vec3<double> v = mul_add(u, t, wi);
    return {2, {i, j}, {1 - u, u}, v, norm2(v)};
}

// The normal is the product of the two shorter edges, and the plane is held at the corner between
// them: of a thin triangle, as curved shapes make them, two long edges have lost in their product
// what the short one still knows.
Nearest nearest_on_triangle(const Simplex& s, int i, int j, int k)
{
    const auto corner = [&](int c) -> const Vec3<double>& {
        return s.corner[static_cast<std::size_t>(c)].w;
    };
    const double ij = norm2(corner(j) - corner(i)), jk = norm2(corner(k) - corner(j)),
                 ki = norm2(corner(i) - corner(k));
    std::array<int, 3> at{i, j, k}; // the first is across from the longest
    if (ki > jk && ki >= ij)
        at = {j, k, i};
    else if (ij > jk)
        at = {k, i, j};
    const Vec3<double> w[] = {corner(at[0]), corner(at[1]), corner(at[2])};
    const Vec3<double> e1 = w[1] - w[0], e2 = w[2] - w[0];
    const Vec3<double> n = cross(e1, e2);
    const double nn = norm2(n), size = max(norm2(e1), norm2(e2));
    // |n| is twice the area; below rounding of the products it is made of, it says nothing.
    const bool flat = !(nn > 64 * rounding * rounding * size * size);

    std::array<double, 3> part{-1, -1, -1};
    Vec3<double> p = zero3<double>();
    if (!flat) {
        p = (dot(w[0], n) / nn) * n;
        // Twice the areas that p cuts off, as seen along n: λᵢ = n · ((wⱼ − p) × (wₖ − p))/n²
        for (std::size_t c = 0; c < 3; ++c)
            part[c] = dot(n, cross(w[(c + 1) % 3] - p, w[(c + 2) % 3] - p));
        if (part[0] > 0 && part[1] > 0 && part[2] > 0) {
            const double sum = part[0] + part[1] + part[2];
            return {3,
                    {at[0], at[1], at[2]},
                    {part[0] / sum, part[1] / sum, part[2] / sum},
                    p,
                    norm2(p)};
        }
    }
    Nearest best{0, {}, {}, p, std::numeric_limits<double>::infinity()};
    for (std::size_t c = 0; c < 3; ++c)
        if (!(part[c] > 0))
            keep_nearer(best, nearest_on_edge(s, at[(c + 1) % 3], at[(c + 2) % 3]));
    return best;
}

Nearest nearest_in_tetrahedron(const Simplex& s)
{
    const auto& c = s.corner;
    const Vec3<double> w[] = {c[0].w, c[1].w, c[2].w, c[3].w};
    const Vec3<double> e1 = w[1] - w[0], e2 = w[2] - w[0], e3 = w[3] - w[0];
    // Six times the volume, and of the four parts that the origin makes of it.
    const double whole = dot(e1, cross(e2, e3));
    const double part[] = {dot(w[1], cross(w[2] - w[1], w[3] - w[1])), -dot(w[0], cross(e2, e3)),
                           -dot(w[0], cross(e3, e1)), -dot(w[0], cross(e1, e2))};
    const double edge2 = max(norm2(e1), max(norm2(e2), norm2(e3)));
    const double far = max(max(norm2(w[0]), norm2(w[1])), max(norm2(w[2]), norm2(w[3])));
    const double doubt = 16 * rounding * edge2 * sqrt(max(far, edge2));
    const bool flat = !(abs(whole) > doubt);

    Nearest best{0, {}, {}, zero3<double>(), std::numeric_limits<double>::infinity()};
    bool inside = !flat;
    for (std::size_t i = 0; i < 4; ++i)
        inside = inside && (whole > 0 ? part[i] > 0 : part[i] < 0);
    if (inside) {
        best = {4, {0, 1, 2, 3}, {}, zero3<double>(), 0};
        for (std::size_t i = 0; i < 4; ++i)
            best.lambda[i] = part[i] / (part[0] + part[1] + part[2] + part[3]);
        return best;
    }
    // A part within rounding of zero may have either sign: its face is looked at too.
    const int face[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    for (std::size_t i = 0; i < 4; ++i)
        if (flat || (whole > 0 ? part[i] <= doubt : part[i] >= -doubt))
            keep_nearer(best, nearest_on_triangle(s, face[i][0], face[i][1], face[i][2]));
    return best;
}

Vec3<double> weighted(const Simplex& s, Vec3<double> Corner::*part)
{
    Vec3<double> sum = zero3<double>();
    for (std::size_t i = 0; i < static_cast<std::size_t>(s.count); ++i)
        sum = mul_add(s.lambda[i], s.corner[i].*part, sum);
    return sum;
}

} // namespace

Vec3<double> Simplex::point_a() const
{
    return weighted(*this, &Corner::a);
}
Vec3<double> Simplex::point_b() const
{
    return weighted(*this, &Corner::b);
}

Vec3<double> reduce_to_nearest(Simplex& simplex)
{
    Nearest best{};
    switch (simplex.count) {
    case 1:
        best = nearest_corner(simplex, 0);
        break;
    case 2:
        best = nearest_on_edge(simplex, 0, 1);
        break;
    case 3:
        best = nearest_on_triangle(simplex, 0, 1, 2);
        break;
    default:
        best = nearest_in_tetrahedron(simplex);
    }
    const std::array<Corner, 4> before = simplex.corner;
    simplex.count = best.count;
    for (std::size_t i = 0; i < static_cast<std::size_t>(best.count); ++i) {
        simplex.corner[i] = before[static_cast<std::size_t>(best.at[i])];
        simplex.lambda[i] = best.lambda[i];
    }
    return best.v;
}

} // namespace poinsot
