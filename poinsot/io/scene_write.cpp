// SPDX-License-Identifier: MIT
#include "poinsot/io/number.hpp"
#include "poinsot/io/scene.hpp"

#include <fmt/format.h>

#include <cmath>

namespace poinsot {

namespace {

std::string list_of(const Vec3<double>& a)
{
    return fmt::format("[{}, {}, {}]", exact(a.x), exact(a.y), exact(a.z));
}

/// Text in double quotes, as YAML and JSON read it.
std::string quoted(const std::string& text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (c == '\r')
            out += "\\r";
        else if (static_cast<unsigned char>(c) < 0x20)
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out + "\"";
}

struct ShapeLine {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(const Box& s) const { return "box: " + list_of(s.size); }
    std::string operator()(const Ball& s) const { return "ball: " + exact(s.radius); }
    std::string operator()(const Ellipsoid& s) const
    {
        return "ellipsoid: " + list_of(s.semi_axes);
    }
    std::string operator()(const Cylinder& s) const
    {
        return round("cylinder", s.radius, s.height);
    }
    std::string operator()(const Capsule& s) const { return round("capsule", s.radius, s.height); }
    std::string operator()(const Cone& s) const { return round("cone", s.radius, s.height); }
    std::string operator()(const MeshShape& s) const { return "mesh: " + quoted(s.path); }

    static std::string round(const char* kind, double radius, double height)
    {
        return fmt::format("{}: {{radius: {}, height: {}}}", kind, exact(radius), exact(height));
    }
};

} // namespace

std::string write_scene(const Scene& scene)
{
    std::string out;
    const auto line = [&](const auto&... parts) { ((out += parts), ...) += "\n"; };
    const Builder& d = scene.description;
    if (!scene.title.empty())
        line("title: ", quoted(scene.title));
    if (!scene.story.empty())
        line("story: ", quoted(scene.story));
    line("gravity: {uniform: ", list_of(d.gravity.uniform), ", G: ", exact(d.gravity.G), "}");

    // Bodies and particles are numbered together, bodies first; the order is part of the model.
    const auto write_bodies = [&](bool particles) {
        bool any = false;
        for (const Body& b : d.bodies) {
            if (b.particle != particles)
                continue;
            if (!any)
                line(particles ? "particles:" : "bodies:");
            any = true;
            const MassProperties& m = b.mass_properties;
            line("  - name: ", quoted(b.name));
            line("    mass: ", exact(m.mass));
            line("    position: ", list_of(b.pose.x));
            line("    velocity: ", list_of(b.velocity));
            if (particles)
                continue;
            if (const std::string shape = std::visit(ShapeLine{}, b.shape); !shape.empty())
                line("    ", shape);
            const Sym3<double>& I = m.inertia;
            line(fmt::format("    inertia: {{xx: {}, yy: {}, zz: {}, xy: {}, xz: {}, yz: {}}}",
                             exact(I.xx), exact(I.yy), exact(I.zz), exact(I.xy), exact(I.xz),
                             exact(I.yz)));
            line("    center_of_mass: ", list_of(m.center));
            const Quat<double>& q = b.pose.q;
            line(fmt::format("    orientation: [{}, {}, {}, {}]", exact(q.w), exact(q.x),
                             exact(q.y), exact(q.z)));
            line("    angular_velocity: ", list_of(b.angular_velocity));
            if (b.held)
                line("    held: {point: ", list_of(b.held->point),
                     b.held->along ? ", along: " + list_of(*b.held->along) : "", "}");
        }
    };
    write_bodies(false);
    write_bodies(true);

    const auto end = [&](const Anchor& at) {
        if (at.body == world)
            return "{world: " + list_of(at.point) + "}";
        return "{body: " + quoted(d.bodies[static_cast<std::size_t>(at.body)].name) +
               ", at: " + list_of(at.point) + "}";
    };
    if (!d.springs.empty())
        line("springs:");
    for (const Spring& s : d.springs) {
        line("  - name: ", quoted(s.name));
        line("    from: ", end(s.a));
        line("    to: ", end(s.b));
        line("    stiffness: ", exact(s.stiffness));
        line("    damping: ", exact(s.damping));
        line("    rest_length: ", exact(s.rest_length));
    }
    const auto name_of_body = [&](int body) {
        return quoted(d.bodies[static_cast<std::size_t>(body)].name);
    };
    if (!d.drags.empty())
        line("drag:");
    for (const Drag& g : d.drags) {
        line("  - name: ", quoted(g.name));
        line("    body: ", name_of_body(g.body));
        line("    linear: ", exact(g.linear));
        line("    quadratic: ", exact(g.quadratic));
    }
    if (!d.loads.empty())
        line("loads:");
    for (const AppliedLoad& l : d.loads) {
        line("  - name: ", quoted(l.name));
        line("    body: ", name_of_body(l.body));
        line("    force: ", list_of(l.force));
        line("    torque: ", list_of(l.torque));
        line("    at: ", list_of(l.point));
        line("    axes: ", l.body_axes ? "body" : "world");
        line("    from: ", exact(l.from));
        if (std::isfinite(l.until))
            line("    until: ", exact(l.until));
    }

    const RunSettings& run = scene.run;
    line("run:");
    line("  until: ", exact(run.until));
    line("  step: ", exact(run.step.h));
    line("  integrator: ", std::string(facts_of(run.step.method).name));
    line("  state_form: ", std::string(name_of(run.step.form)));
    line("  renormalise: ", run.step.renormalise ? "true" : "false");
    if (chooses_its_steps(run.step.method)) // the others have no use for one
        line(fmt::format("  tolerance: {{relative: {}, absolute: {}, most_substeps: {}}}",
                         exact(run.step.tolerance.relative), exact(run.step.tolerance.absolute),
                         run.step.tolerance.most_substeps));
    if (run.ledger.energy_tolerance)
        line("  energy_tolerance: ", exact(*run.ledger.energy_tolerance));
    line("ledger:");
    line("  detail: ", run.ledger.detail == Postings::Detail::off      ? "off"
                       : run.ledger.detail == Postings::Detail::totals ? "totals"
                                                                       : "bodies");
    line("  every: ", std::to_string(run.ledger_every));
    if (const auto* at = std::get_if<AboutPoint>(&scene.about))
        line("  about: ", list_of(at->point));
    else if (const auto* body = std::get_if<AboutBody>(&scene.about))
        line("  about: ", quoted(body->name));
    else
        line("  about: ",
             std::holds_alternative<AboutCenterOfMass>(scene.about) ? "center_of_mass" : "origin");
    line("output: {every: ", std::to_string(scene.output_every), "}");
    return out;
}

std::uint64_t identity_of(const Scene& scene)
{
    Scene essence = scene;
    essence.title = essence.story = "";
    essence.run.until = 1;
    essence.run.ledger.energy_tolerance = {};
    essence.output_every = 1;
    std::uint64_t h = 14695981039346656037ull; // FNV-1a
    for (const char c : write_scene(essence))
        h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    return h;
}

} // namespace poinsot
