// SPDX-License-Identifier: MIT
#include "poinsot/io/drawn.hpp"

#include <cmath>
#include <numbers>

namespace poinsot {

namespace {

constexpr int around = 32; // corners of a circle

void put_vec(std::vector<float>& to, const Vec3<double>& a)
{
    to.insert(to.end(),
              {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)});
}

/// A point of a profile in the plane of r and z, with the normal there.
struct ProfilePoint {
    double r, z, normal_r, normal_z;
};

/// What a profile that runs upwards sweeps about z. A corner is two points with two normals.
Drawn swept(const std::vector<ProfilePoint>& profile)
{
    Drawn out;
    for (const ProfilePoint& p : profile)
        for (int k = 0; k <= around; ++k) {
            const double angle = 2 * std::numbers::pi * (k % around) / around;
            const double c = std::cos(angle), s = std::sin(angle);
            put_vec(out.positions, {p.r * c, p.r * s, p.z});
            put_vec(out.normals, {p.normal_r * c, p.normal_r * s, p.normal_z});
        }
    for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
        const ProfilePoint &low = profile[i], &high = profile[i + 1];
        if (low.r == high.r && low.z == high.z)
            continue;
        for (int k = 0; k < around; ++k) {
            const auto a = static_cast<std::uint32_t>(i * (around + 1)) +
                           static_cast<std::uint32_t>(k),
                       b = a + 1, d = a + around + 1, c = d + 1;
            if (low.r > 0)
                out.triangles.insert(out.triangles.end(), {a, b, c});
            if (high.r > 0)
                out.triangles.insert(out.triangles.end(), {a, c, d});
        }
    }
    return out;
}

/// The arc of a ball about (0, z) from one latitude to another.
void add_arc(std::vector<ProfilePoint>& to, double radius, double z, double from, double until)
{
    constexpr int steps = around / 4;
    for (int i = 0; i <= steps; ++i) {
        const double latitude = from + (until - from) * i / steps;
        const bool pole = std::abs(std::abs(latitude) - std::numbers::pi / 2) < 1e-12;
        const double c = pole ? 0 : std::cos(latitude), s = std::sin(latitude);
        to.push_back({radius * c, z + radius * s, c, s});
    }
}

Drawn ellipsoid(const Vec3<double>& half)
{
    std::vector<ProfilePoint> profile;
    add_arc(profile, 1, 0, -std::numbers::pi / 2, 0);
    profile.pop_back();
    add_arc(profile, 1, 0, 0, std::numbers::pi / 2);
    Drawn out = swept(profile);
    const double h[3] = {half.x, half.y, half.z};
    for (std::size_t i = 0; i < out.positions.size(); i += 3) {
        Vec3<double> n{out.normals[i] / h[0], out.normals[i + 1] / h[1], out.normals[i + 2] / h[2]};
        n = (1 / norm(n)) * n;
        const double unit[3] = {n.x, n.y, n.z};
        for (std::size_t k = 0; k < 3; ++k) {
            out.positions[i + k] = static_cast<float>(out.positions[i + k] * h[k]);
            out.normals[i + k] = static_cast<float>(unit[k]);
        }
    }
    return out;
}

} // namespace

Drawn drawn_box(const Vec3<double>& sides, const Pose<double>& at)
{
    Drawn out;
    const Vec3<double> axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double half[3] = {sides.x / 2, sides.y / 2, sides.z / 2};
    for (std::size_t k = 0; k < 3; ++k)
        for (const double side : {-1.0, 1.0}) {
            const std::size_t l = (k + 1) % 3, m = (k + 2) % 3;
            const auto first = static_cast<std::uint32_t>(out.positions.size() / 3);
            for (const auto& [u, v] : {std::pair(-1., -1.), {1., -1.}, {1., 1.}, {-1., 1.}}) {
                put_vec(out.positions,
                        place(at, side * half[k] * axes[k] + side * u * half[l] * axes[l] +
                                      v * half[m] * axes[m]));
                put_vec(out.normals, rotate(at.q, side * axes[k]));
            }
            out.triangles.insert(out.triangles.end(),
                                 {first, first + 1, first + 2, first, first + 2, first + 3});
        }
    return out;
}

Drawn drawn_surface(const Surface& surface)
{
    Drawn out;
    for (const Vec3<double>& v : surface.vertices)
        put_vec(out.positions, v);
    for (const auto& face : surface.faces)
        for (const int corner : face)
            out.triangles.push_back(static_cast<std::uint32_t>(corner));
    return out;
}

Drawn drawn_shape(std::string_view kind, const Vec3<double>& size)
{
    const double r = size.x, h = size.y;
    if (kind == "box" && size.x > 0 && size.y > 0 && size.z > 0)
        return drawn_box(size, identity_pose<double>());
    if (kind == "ball" && r > 0)
        return ellipsoid({r, r, r});
    if (kind == "ellipsoid" && size.x > 0 && size.y > 0 && size.z > 0)
        return ellipsoid(size);
    if (!(r > 0 && h > 0))
        return {};
    if (kind == "cylinder")
        return swept({{0, -h / 2, 0, -1},
                      {r, -h / 2, 0, -1},
                      {r, -h / 2, 1, 0},
                      {r, h / 2, 1, 0},
                      {r, h / 2, 0, 1},
                      {0, h / 2, 0, 1}});
    if (kind == "cone") {
        const double slant = std::sqrt(r * r + h * h);
        return swept({{0, 0, 0, -1},
                      {r, 0, 0, -1},
                      {r, 0, h / slant, r / slant},
                      {0, h, h / slant, r / slant}});
    }
    if (kind == "capsule") {
        std::vector<ProfilePoint> profile;
        add_arc(profile, r, -h / 2, -std::numbers::pi / 2, 0);
        add_arc(profile, r, h / 2, 0, std::numbers::pi / 2);
        return swept(profile);
    }
    return {};
}

} // namespace poinsot
