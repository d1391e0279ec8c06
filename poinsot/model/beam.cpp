// SPDX-License-Identifier: MIT
#include "poinsot/model/beam.hpp"

#include "poinsot/math/exp_log.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace poinsot {

namespace {

Problems problems_of(const Builder& builder, const Beam& beam)
{
    Problems found;
    const auto positive = [&](const char* key, const char* what, double value, const char* unit) {
        if (!(value > 0) || !std::isfinite(value))
            found.add_at(beam.name, key, what, " must be positive and finite, is ", value,
                         "; give it in ", unit);
    };
    positive("length", "length", beam.length, "m");
    positive("young_modulus", "Young's modulus", beam.young_modulus, "Pa");
    positive("shear_modulus", "shear modulus", beam.shear_modulus, "Pa");
    positive("density", "density", beam.density, "kg/m³");
    positive("section", "area of the section", beam.section.area, "m²");
    positive("section", "second moment of area about x", beam.section.I_x, "m⁴");
    positive("section", "second moment of area about y", beam.section.I_y, "m⁴");
    positive("section", "torsion constant of the section", beam.section.torsion, "m⁴");
    if (!(beam.damping_time >= 0) || !std::isfinite(beam.damping_time))
        found.add_at(beam.name, "damping_time", "damping time must be finite and not negative, is ",
                     beam.damping_time, "; give it in s");
    if (beam.segments < 1 || beam.segments > most_segments)
        found.add_at(beam.name, "segments", "a beam has 1 to ", most_segments, " segments, not ",
                     beam.segments);
    const int count = static_cast<int>(builder.bodies.size());
    for (const auto& [key, end] : {std::pair("root", beam.root), std::pair("tip", beam.tip)}) {
        if (!end || *end == world)
            continue;
        if (*end < 0 || *end >= count)
            found.add_at(beam.name, key, "is clamped to a body that does not exist");
        else if (builder.bodies[static_cast<std::size_t>(*end)].particle)
            found.add_at(beam.name, key,
                         "a particle has no attitude to hold; clamp the beam to a body");
    }
    if (beam.root && beam.tip && *beam.root == *beam.tip && *beam.root != world)
        found.add_at(beam.name, "tip", "both ends are clamped to the same body");
    return found;
}

/// A segment, which moves with what the beam is clamped to as one rigid body.
Body segment_of(const Builder& builder, const Beam& beam, int i)
{
    const double l = beam.length / beam.segments;
    const Section& s = beam.section;
    const double m = beam.density * s.area * l, rod = m * l * l / 12, rho_l = beam.density * l;
    Body body;
    body.name = text_of(beam.name, "/", i + 1);
    body.mass_properties = {
        m, zero3<double>(),
        diagonal(rod + rho_l * s.I_x, rod + rho_l * s.I_y, rho_l * (s.I_x + s.I_y))};
    body.shape = s.drawn;
    if (Box* box = std::get_if<Box>(&body.shape))
        box->size.z = l;
    if (Cylinder* cylinder = std::get_if<Cylinder>(&body.shape))
        cylinder->height = l;
    body.pose = beam.pose;
    body.pose.x = place(beam.pose, Vec3<double>{0, 0, (i + 0.5) * l});
    const std::optional<int> carrier = beam.root ? beam.root : beam.tip;
    if (carrier && *carrier != world) {
        const Body& by = builder.bodies[static_cast<std::size_t>(*carrier)];
        const Vec3<double> r = body.pose.x - place(by.pose, by.mass_properties.center);
        body.velocity = by.velocity + cross(by.angular_velocity, r);
        body.angular_velocity = by.angular_velocity;
    }
    return body;
}

/// What a piece of length s does, seen from its middle.
std::array<double, 6> stiffness_of_piece(const Beam& beam, double s)
{
    const double E = beam.young_modulus, G = beam.shear_modulus;
    const Section& c = beam.section;
    const double across = 12 * E / (s * s * s);
    return {across * c.I_y, across * c.I_x, E * c.area / s,
            E * c.I_x / s,  E * c.I_y / s,  G * c.torsion / s};
}

} // namespace

Section rectangle(double a, double b)
{
    Section s;
    s.area = a * b;
    s.I_x = a * b * b * b / 12;
    s.I_y = a * a * a * b / 12;
    // J = a b³ (1/3 − 64/π⁵ (b/a) Σ tanh(n π a/2b)/n⁵), n odd, b the shorter side. [Timoshenko and
    // Goodier, Theory of Elasticity, §109]
    const double wide = std::max(a, b), thin = std::min(a, b);
    double sum = 0;
    for (int n = 999; n >= 1; n -= 2) { // the first left out is below 1e-15; smallest first
        const double x = n * std::numbers::pi * wide / (2 * thin);
        const double e = x < 20 ? exponential(-2 * x) : 0; // tanh x = 1 to the last digit beyond
        sum += (1 - e) / (1 + e) / (static_cast<double>(n) * n * n * n * n);
    }
    const double pi5 = std::numbers::pi * std::numbers::pi * std::numbers::pi * std::numbers::pi *
                       std::numbers::pi;
    s.torsion = wide * thin * thin * thin * (1.0 / 3 - 64 / pi5 * (thin / wide) * sum);
    s.drawn = Box{{a, b, 1}};
    return s;
}

Section disc(double radius)
{
    return tube(radius, 0);
}

Section tube(double outer, double inner)
{
    Section s;
    const double o2 = outer * outer, i2 = inner * inner;
    s.area = std::numbers::pi * (o2 - i2);
    s.I_x = s.I_y = std::numbers::pi / 4 * (o2 * o2 - i2 * i2);
    s.torsion = 2 * s.I_x;
    s.drawn = Cylinder{outer, 1};
    return s;
}

Problems add(Builder& builder, const Beam& beam)
{
    Problems found = problems_of(builder, beam);
    if (found.any())
        return found;
    const int n = beam.segments;
    const double l = beam.length / n;
    const int first = static_cast<int>(builder.bodies.size());
    for (int i = 0; i < n; ++i)
        builder.add(segment_of(builder, beam, i));

    // A bushing at height z of the beam, of a piece of length s.
    const auto join = [&](std::string name, int a, int b, double z, double s) {
        Bushing bushing;
        bushing.name = std::move(name);
        bushing.a = a;
        bushing.b = b;
        const Pose<double> at{place(beam.pose, Vec3<double>{0, 0, z}), beam.pose.q};
        const auto in_body = [&](int body) {
            return body == world
                       ? at
                       : inverse(builder.bodies[static_cast<std::size_t>(body)].pose) * at;
        };
        bushing.frame_a = in_body(a);
        bushing.frame_b = in_body(b);
        std::array<double, 6> k = stiffness_of_piece(beam, s);
        bushing.stiffness = six_of(k);
        for (double& c : k)
            c *= beam.damping_time;
        bushing.damping = six_of(k);
        builder.bushings.push_back(std::move(bushing));
    };
    if (beam.root)
        join(beam.name + "/root", *beam.root, first, l / 4, l / 2);
    for (int i = 0; i + 1 < n; ++i)
        join(text_of(beam.name, "/seam ", i + 1), first + i, first + i + 1, (i + 1) * l, l);
    if (beam.tip)
        join(beam.name + "/tip", first + n - 1, *beam.tip, beam.length - l / 4, l / 2);
    return found;
}

} // namespace poinsot
