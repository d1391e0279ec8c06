// SPDX-License-Identifier: MIT
#pragma once

// Bodies for the tests of mass properties: random ones, and surfaces of triangles around the
// solids.

#include "near.hpp"
#include "poinsot/geometry/surface_mesh.hpp"
#include "poinsot/mass/inertia.hpp"
#include "poinsot/mass/points.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <numbers>
#include <optional>
#include <random>
#include <vector>

namespace poinsot {

inline Vec3<double> vec3_of(const nlohmann::json& v)
{
    return {v[0].get<double>(), v[1].get<double>(), v[2].get<double>()};
}
inline Sym3<double> sym3_of(const nlohmann::json& rows)
{
    return symmetric(Mat3<double>{vec3_of(rows[0]), vec3_of(rows[1]), vec3_of(rows[2])});
}

// ---- distances ----------------------------------------------------------------------------------

inline double largest(const Sym3<double>& a)
{
    return std::max({std::abs(a.xx), std::abs(a.yy), std::abs(a.zz), std::abs(a.xy), std::abs(a.xz),
                     std::abs(a.yz)});
}
/// The largest difference of two inertias, as a fraction of the larger trace.
inline double difference(const Sym3<double>& a, const Sym3<double>& b)
{
    return largest(a - b) / std::max(std::abs(trace(a)), std::abs(trace(b)));
}
/// The largest relative difference of mass, centre (over the radius of gyration) and inertia.
inline double difference(const MassProperties& a, const MassProperties& b)
{
    const double radius = std::sqrt(trace(b.inertia) / b.mass);
    const double of_mass = std::abs(a.mass - b.mass) / b.mass;
    const double of_center = radius > 0 ? norm(a.center - b.center) / radius : 0;
    return std::max({of_mass, of_center, difference(a.inertia, b.inertia)});
}

// ---- random numbers -----------------------------------------------------------------------------

/// Numbers for a property, from one seed that RapidCheck chooses and prints when it fails.
class Dice {
  public:
    explicit Dice(unsigned seed) : engine_(seed) {}
    double in(double lo, double hi)
    {
        return lo + (hi - lo) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
    }
    int whole(int lo, int hi) { return lo + static_cast<int>(in(0, 1) * (hi - lo + 1)); }
    Vec3<double> vec(double size) { return {in(-size, size), in(-size, size), in(-size, size)}; }
    Quat<double> turn() { return exp_quat(vec(2)); }
    std::vector<PointMass> cloud(int n, double size = 1)
    {
        std::vector<PointMass> points;
        for (int i = 0; i < n; ++i)
            points.push_back({in(0.1, 2), vec(size), vec(3)});
        return points;
    }

  private:
    std::mt19937_64 engine_;
};

// ---- surfaces -----------------------------------------------------------------------------------

inline void add_quad(Surface& s, int a, int b, int c, int d)
{
    s.faces.push_back({a, b, c});
    s.faces.push_back({a, c, d});
}

inline Surface box_surface(const Vec3<double>& lo, const Vec3<double>& hi)
{
    Surface s;
    for (const double z : {lo.z, hi.z})
        for (const double y : {lo.y, hi.y})
            for (const double x : {lo.x, hi.x})
                s.vertices.push_back({x, y, z});
    add_quad(s, 0, 2, 3, 1);
    add_quad(s, 4, 5, 7, 6);
    add_quad(s, 0, 1, 5, 4);
    add_quad(s, 2, 6, 7, 3);
    add_quad(s, 0, 4, 6, 2);
    add_quad(s, 1, 3, 7, 5);
    return s;
}

struct ProfilePoint {
    double r, z;
};

/// A profile that starts and ends on the axis, turned about z in n steps. Going up, it faces
/// outwards.
inline Surface revolved(const std::vector<ProfilePoint>& profile, int n)
{
    Surface s;
    std::vector<int> before;
    for (const auto& [r, z] : profile) {
        std::vector<int> ring;
        for (int i = 0; i < (r > 0 ? n : 1); ++i) {
            const double phi = 2 * std::numbers::pi * i / n;
            ring.push_back(static_cast<int>(s.vertices.size()));
            s.vertices.push_back({r * std::cos(phi), r * std::sin(phi), z});
        }
        const auto at = [n](const std::vector<int>& of, int i) {
            return of[of.size() == 1 ? 0 : static_cast<std::size_t>(i % n)];
        };
        for (int i = 0; i < n && !before.empty(); ++i) {
            if (before.size() > 1)
                s.faces.push_back({at(before, i), at(before, i + 1), at(ring, i)});
            if (ring.size() > 1)
                s.faces.push_back({at(before, i + 1), at(ring, i + 1), at(ring, i)});
        }
        before = ring;
    }
    return s;
}

inline std::vector<ProfilePoint> arc(double r, double z, double from, double to, int n)
{
    std::vector<ProfilePoint> points;
    for (int i = 0; i <= n; ++i) {
        const double a = from + (to - from) * i / n;
        points.push_back({std::abs(a) > 1.5707 ? 0 : r * std::cos(a), z + r * std::sin(a)});
    }
    return points;
}

inline Surface ball_surface(double r, int n)
{
    const double quarter = std::numbers::pi / 2;
    return revolved(arc(r, 0, -quarter, quarter, n), 2 * n);
}
inline Surface cylinder_surface(double r, double h, int n)
{
    return revolved({{0, -h / 2}, {r, -h / 2}, {r, h / 2}, {0, h / 2}}, n);
}
inline Surface frustum_surface(double a, double b, double h, int n)
{
    if (b == 0)
        return revolved({{0, 0}, {a, 0}, {0, h}}, n);
    return revolved({{0, 0}, {a, 0}, {b, h}, {0, h}}, n);
}
inline Surface capsule_surface(double r, double h, int n)
{
    const double quarter = std::numbers::pi / 2;
    auto profile = arc(r, -h / 2, -quarter, 0, n);
    const auto upper = arc(r, h / 2, 0, quarter, n);
    profile.insert(profile.end(), upper.begin(), upper.end());
    return revolved(profile, 2 * n);
}
inline Surface torus_surface(double R, double r, int n)
{
    Surface s;
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            const double phi = 2 * std::numbers::pi * i / n, theta = 2 * std::numbers::pi * k / n;
            const double rho = R + r * std::cos(theta);
            s.vertices.push_back({rho * std::cos(phi), rho * std::sin(phi), r * std::sin(theta)});
            const auto at = [n](int a, int b) { return a % n * n + b % n; };
            add_quad(s, at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1));
        }
    return s;
}

inline Surface moved(Surface s, const Pose<double>& pose)
{
    for (Vec3<double>& r : s.vertices)
        r = place(pose, r);
    return s;
}
inline Surface stretched(Surface s, const Vec3<double>& by)
{
    for (Vec3<double>& r : s.vertices)
        r = {by.x * r.x, by.y * r.y, by.z * r.z};
    return s;
}
inline Surface reversed(Surface s)
{
    for (auto& face : s.faces)
        std::swap(face[1], face[2]);
    return s;
}
/// Both surfaces in one, as a file with two parts would have them.
inline Surface together(Surface a, const Surface& b)
{
    const int n = static_cast<int>(a.vertices.size());
    a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
    for (const auto& [i, j, k] : b.faces)
        a.faces.push_back({i + n, j + n, k + n});
    return a;
}

// ---- outside truth ------------------------------------------------------------------------------

/// The meshes that the reference has vertices for. STL coordinates are printed to 9 digits, and are
// the float32 numbers next to them; OBJ coordinates are doubles.
inline std::optional<Surface> outside_mesh(const nlohmann::json& meshes, const std::string& name)
{
    if (!meshes.contains(name))
        return std::nullopt;
    const bool stl = name.find(".obj") == std::string::npos;
    Surface surface;
    for (const auto& v : meshes[name]["v"]) {
        const Vec3<double> r = vec3_of(v);
        surface.vertices.push_back(stl ? Vec3<double>{static_cast<float>(r.x),
                                                      static_cast<float>(r.y),
                                                      static_cast<float>(r.z)}
                                       : r);
    }
    for (const auto& f : meshes[name]["f"])
        surface.faces.push_back({f[0].get<int>(), f[1].get<int>(), f[2].get<int>()});
    return surface;
}

} // namespace poinsot
