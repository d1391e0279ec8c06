// SPDX-License-Identifier: MIT
// What a section of a rigid body carries: the body is cut there and glued again with a weld, whose
// reaction is the load. The same in both formulations.

#include "formulations.hpp"

using namespace poinsot;

namespace {

/// A slender rod of some mass per length from one place on the z axis of its body to another.
Body rod(const char* name, double per_length, double from, double to)
{
    const double m = per_length * (to - from), I = m * (to - from) * (to - from) / 12;
    Body body = body_with(name, m, diagonal(I, I, 1e-3 * I), zero3<double>(), zero3<double>());
    body.mass_properties.center = {0, 0, 0.5 * (from + to)};
    return body;
}
/// Bodies 0 and 1 are glued at a place on their z axes.
Joint glue(double at)
{
    Joint weld = hinge("glue", 0, {0, 0, at}, 1, {0, 0, at});
    weld.kind = JointKind::weld;
    return weld;
}
/// A hinge on the world about y.
Joint pin()
{
    Joint joint = hinge("pin", world, zero3<double>(), 0, zero3<double>());
    joint.frame_a.q = joint.frame_b.q = exp_quat(V3{-M_PI / 2, 0, 0});
    return joint;
}

/// The worst relative error of a case in a formulation, and its line of the page.
struct Worst {
    const char* name;
    Formulation f;
    double error = 0;

    void see(double made, double truth, double scale)
    {
        error = std::max(error, std::abs(made - truth) / scale);
    }
    void judge() const
    {
        measured(
            {{"table", "loads"}, {"case", name}, {"formulation", name_of(f)}, {"error", error}});
        CHECK(error < 2e-14); // 15 digits in the file; measured: 2.3e-15
    }
};

} // namespace

TEST_CASE("A falling chimney bends most at a third of its height, and carries what statics says")
{
    const auto c = reference_items("structural_loads.json").at("falling_chimney");
    const double m = c.at("m"), L = c.at("L"), g = c.at("g"),
                 theta = c.at("theta_from_vertical_deg").get<double>() * M_PI / 180;
    for (const Formulation f : both) {
        INFO(name_of(f));
        Worst worst{"falling chimney", f};
        for (const auto& section : c.at("sections")) {
            const double x = section.at("x");
            Builder b;
            b.gravity.uniform = {0, 0, -g};
            b.add(rod("lower", m / L, 0, x));
            b.add(rod("upper", m / L, x, L));
            b.add(pin());
            b.add(glue(x));
            b.joints[0].start = {theta}; // from upright, towards +x
            b.joints[0].start_speed = {c.at("omega").get<double>()};
            const auto model = built(b);
            const JointLoads at(*model, f);
            const V3 along = at.placed().bodies[1].R * V3{0, 0, 1},
                     across = at.placed().bodies[1].R * V3{1, 0, 0};
            const Wrench<double> W = at.on(1, Cause::joint, at.placed().joints[1].x_b);
            // Tension pulls the upper part down; shear is what that part does to the lower one.
            worst.see(-dot(W.F, along), section.at("axial_tension"), m * g);
            worst.see(-dot(W.F, across), section.at("shear"), m * g);
            worst.see(W.tau.y, section.at("bending"), m * g * L / 27);
        }
        worst.judge();
        CHECK(near(c.at("max_bending"), m * g * L * std::sin(theta) / 27, 1e-14));
    }
}

TEST_CASE("A spinning rod pulls itself apart with the square of the distance")
{
    const auto c = reference_items("structural_loads.json").at("spinning_rod_tension");
    const double m = c.at("m"), L = c.at("L"), w = c.at("w");
    for (const Formulation f : both) {
        INFO(name_of(f));
        Worst worst{"spinning rod", f};
        for (const auto& sample : c.at("samples")) {
            const double r = sample.at("r");
            Builder b;
            for (const auto& end : {std::pair(-L, r), {r, L}}) {
                Body part =
                    rod(end.second > r ? "outer" : "inner", 0.5 * m / L, end.first, end.second);
                part.angular_velocity = {0, w, 0};
                part.velocity = cross(part.angular_velocity, part.mass_properties.center);
                b.add(part);
            }
            b.add(glue(r));
            const auto model = built(b);
            const JointLoads at(*model, f);
            const Wrench<double> W = at.on(1, Cause::joint, {0, 0, r});
            worst.see(-W.F.z, sample.at("N"), c.at("samples")[0].at("N"));
            worst.see(norm(W.tau), 0, m * w * w * L * L);
        }
        worst.judge();
    }
}

TEST_CASE("A rod weighs two and a half times its weight when it swings through, a quarter at first")
{
    const auto c = reference_items("structural_loads.json").at("rod_pendulum_reaction");
    const double m = c.at("m"), L = c.at("L"), g = c.at("g");
    for (const Formulation f : both) {
        INFO(name_of(f));
        Worst worst{"swinging rod", f};
        const auto support = [&](double from_up, double rate) {
            Builder b;
            b.gravity.uniform = {0, 0, -g};
            b.add(rod("rod", m / L, 0, L));
            b.add(pin());
            b.joints[0].start = {from_up};
            b.joints[0].start_speed = {rate};
            const auto model = built(b);
            return JointLoads(*model, f).on(0, Cause::joint, zero3<double>()).F;
        };
        const V3 bottom = support(M_PI, std::sqrt(3 * g / L)), release = support(M_PI / 2, 0);
        worst.see(bottom.z, c.at("bottom"), m * g);
        worst.see(bottom.x, 0, m * g);
        worst.see(release.z, c.at("release"), m * g);
        worst.judge();
    }
}

TEST_CASE("The glue between two spinning boxes carries what Euler's equations ask for")
{
    const auto c = reference_items("structural_loads.json").at("weld_two_boxes");
    const V3 size_1 = vec(c.at("box1")), size_2 = vec(c.at("box2")),
             omega = vec(c.at("omega_body"));
    Builder b;
    const auto box = [&](const char* name, double m, const V3& s, double x) {
        Body body = body_with(name, m,
                              (m / 12) * diagonal(s.y * s.y + s.z * s.z, s.x * s.x + s.z * s.z,
                                                  s.x * s.x + s.y * s.y),
                              cross(omega, V3{x, 0, 0}), omega);
        body.pose.x = {x, 0, 0};
        b.add(body);
    };
    const V3 interface {
        0.5 * size_1.x, 0, 0
    };
    box("one", c.at("m1"), size_1, 0);
    box("two", c.at("m2"), size_2, interface.x + 0.5 * size_2.x);
    Joint weld = hinge("glue", 0, interface, 1, {-0.5 * size_2.x, 0, 0});
    weld.kind = JointKind::weld;
    b.add(weld);
    const V3 F = vec(c.at("force_on_box2_body_axes")),
             tau = vec(c.at("moment_on_box2_at_interface_centre"));
    const auto model = built(b);
    for (const Formulation f : both) {
        INFO(name_of(f));
        const Wrench<double> W = JointLoads(*model, f).on(1, Cause::joint, interface);
        Worst worst{"glued boxes", f};
        worst.see(norm(W.F - F), 0, norm(F));
        worst.see(norm(W.tau - tau), 0, norm(F) * 0.5 * size_2.x);
        worst.judge();
    }
}
