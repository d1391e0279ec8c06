// SPDX-License-Identifier: MIT
#include "poinsot/io/number.hpp"
#include "poinsot/io/scene_lines.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace poinsot {

namespace {

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

std::string frame(const Pose<double>& X)
{
    return fmt::format("{{position: {}, orientation: {}}}", list_of(X.x), text_of_quat(X.q));
}
std::string course(const Course& c)
{
    return fmt::format("{{value: {}, rate: {}, amplitude: {}, frequency: {}, phase: {}}}",
                       exact(c.value), exact(c.rate), exact(c.amplitude), exact(c.frequency),
                       exact(c.phase));
}
std::string motor(const Motor& m)
{
    const bool position = m.kind == Motor::Kind::position;
    std::string out = fmt::format("{{type: {}, target: {}",
                                  position                          ? "position"
                                  : m.kind == Motor::Kind::velocity ? "velocity"
                                                                    : "force",
                                  course(m.target));
    if (m.kind != Motor::Kind::force)
        out += ", gain: " + exact(m.gain);
    if (position)
        out += ", damping: " + exact(m.damping);
    if (std::isfinite(m.most))
        out += ", most: " + exact(m.most);
    return out + "}";
}

std::string motion(const FrameMotion& m)
{
    return fmt::format("{{shift: [{}, {}, {}], axis: {}, turn: {}}}", course(m.shift[0]),
                       course(m.shift[1]), course(m.shift[2]), list_of(m.axis), course(m.turn));
}

/// The keys of what acts along a coordinate, each with its value.
std::vector<std::string> law_lines(const CoordinateLaw& law)
{
    const auto bound = [](double limit) {
        return std::isfinite(limit) ? exact(limit) : std::string("~");
    };
    std::vector<std::string> lines{
        "stiffness: " + exact(law.stiffness),   "rest: " + exact(law.rest),
        "damping: " + exact(law.damping),       "friction: " + exact(law.friction),
        "slip_speed: " + exact(law.slip_speed), "armature: " + exact(law.armature)};
    if (std::isfinite(law.lower) || std::isfinite(law.upper)) {
        lines.push_back("limits: [" + bound(law.lower) + ", " + bound(law.upper) + "]");
        lines.push_back("restitution: " + exact(law.restitution));
    }
    if (law.motor)
        lines.push_back("motor: " + motor(*law.motor));
    if (law.prescribed)
        lines.push_back("prescribed: " + course(*law.prescribed));
    return lines;
}

/// A joint as the lines of an item, the first of them its name.
std::vector<std::string> joint_lines(const Joint& joint, const std::vector<Body>& bodies)
{
    const auto name = [&](int body) {
        return body == world ? "world" : quoted(bodies[static_cast<std::size_t>(body)].name);
    };
    std::vector<std::string> lines{
        "name: " + quoted(joint.name), "type: " + std::string(facts_of(joint.kind).name),
        "bodies: [" + name(joint.a) + ", " + name(joint.b) + "]",
        "frame_a: " + frame(joint.frame_a), "frame_b: " + frame(joint.frame_b)};
    if (joint.kind == JointKind::screw)
        lines.push_back("pitch: " + exact(joint.pitch));
    if (joint.kind == JointKind::distance)
        lines.push_back("length: " + exact(joint.length));
    if (joint.kind == JointKind::rolling)
        lines.push_back("radius: " + exact(joint.radius));
    if (joint.closes_loop)
        lines.push_back("closes_loop: true");
    if (joint.motion)
        lines.push_back("motion: " + motion(*joint.motion));
    if (!joint.start.empty())
        lines.push_back("start: " + list_of(joint.start));
    if (!joint.start_speed.empty())
        lines.push_back("speed: " + list_of(joint.start_speed));
    if (joint.turn) {
        lines.push_back("stiffness: " + list_of(joint.turn->stiffness));
        lines.push_back("damping: " + list_of(joint.turn->damping));
        lines.push_back("rest: " + text_of_quat(joint.turn->rest));
    }
    if (joint.laws.size() == 1)
        for (std::string& line : law_lines(joint.laws[0]))
            lines.push_back(std::move(line));
    else if (!joint.laws.empty()) {
        lines.push_back("coordinates:");
        for (const CoordinateLaw& law : joint.laws)
            lines.push_back(fmt::format("  - {{{}}}", fmt::join(law_lines(law), ", ")));
    }
    return lines;
}

/// What of a law the response of the scene knows.
std::string law(const ContactLaw& law, const ContactSettings& contact)
{
    const bool penalty = contact.response == ContactResponse::penalty;
    std::string out = fmt::format("friction: {}, static_friction: {}", exact(law.friction),
                                  exact(law.static_friction));
    if (!penalty || contact.press.law != PressLaw::hertz)
        out += ", restitution: " + exact(law.restitution);
    if (!penalty)
        out += fmt::format(", rolling: {}, torsion: {}", exact(law.rolling), exact(law.torsion));
    return out;
}

/// The groups of these bits, by name.
std::string group_list(const Scene& scene, std::uint32_t bits)
{
    std::string out = "[";
    for (std::size_t i = 0; i < scene.groups.size(); ++i)
        if (bits >> i & 1u)
            out += (out.size() > 1 ? ", " : "") + quoted(scene.groups[i]);
    return out + "]";
}

/// The lines that all things which touch have.
std::vector<std::string> touch_lines(const Scene& scene, const Skin& skin)
{
    const auto& materials = scene.description.materials;
    std::vector<std::string> lines{
        "material: " + quoted(materials[static_cast<std::size_t>(skin.material)].name),
        "groups: " + group_list(scene, skin.filter.groups)};
    if (skin.filter.meets != Filter().meets)
        lines.push_back("meets: " + group_list(scene, skin.filter.meets));
    return lines;
}

/// What a body says of touch.
std::vector<std::string> body_touch(const Scene& scene, const Body& body,
                                    const std::vector<int>& own_skin, std::size_t i)
{
    if (!scene.contact)
        return {};
    const int own = own_skin[i];
    const bool has_shape = !std::holds_alternative<std::monostate>(body.shape);
    if (own < 0)
        return has_shape ? std::vector<std::string>{"collides: false"} : std::vector<std::string>{};
    const auto& source = scene.skins[static_cast<std::size_t>(own)];
    std::vector<std::string> lines;
    if (const auto* ball = std::get_if<Ball>(&source.shape); ball && body.particle)
        lines.push_back("radius: " + exact(ball->radius));
    else
        lines.push_back(source.kind == Scene::SkinSource::Kind::hull ? "collides: hull"
                                                                     : "collides: true");
    for (std::string& line :
         touch_lines(scene, scene.description.skins[static_cast<std::size_t>(own)]))
        lines.push_back(std::move(line));
    return lines;
}

/// A surface as the lines of an item.
std::vector<std::string> surface_lines(const Scene& scene, const Skin& skin,
                                       const Scene::SkinSource& source)
{
    using Kind = Scene::SkinSource::Kind;
    std::vector<std::string> lines{"name: " + quoted(skin.name)};
    if (skin.body != world)
        lines.push_back("body: " +
                        quoted(scene.description.bodies[static_cast<std::size_t>(skin.body)].name));
    if (source.kind == Kind::half_space || source.kind == Kind::plane)
        lines.push_back(source.kind == Kind::plane ? "plane: true" : "half_space: true");
    else
        lines.push_back(std::visit(ShapeLine{}, source.shape));
    if (source.kind == Kind::hull)
        lines.push_back("hull: true");
    if (std::holds_alternative<MeshShape>(source.shape))
        lines.push_back("scale: " + list_of(source.scale));
    lines.push_back("position: " + list_of(skin.pose.x));
    lines.push_back("orientation: " + text_of_quat(skin.pose.q));
    lines.push_back("margin: " + exact(skin.collider.margin()));
    for (std::string& line : touch_lines(scene, skin))
        lines.push_back(std::move(line));
    return lines;
}

std::string impulse_text(const ContactSettings& c)
{
    return fmt::format(
        "law: {}, order: {}, solver: {}, {}tolerance: {}, continuous: {}, ahead: {}, within: {}",
        name_of(c.law), name_of(c.order), c.exact ? "exact" : "sweeps",
        c.exact ? "" : fmt::format("sweeps: {}, ", c.sweeps), exact(c.tolerance), c.continuous,
        c.ahead, exact(c.within));
}
std::string press_text(const PressSettings& press)
{
    std::string out = fmt::format("response: penalty, law: {}", name_of(press.law));
    if (press.law == PressLaw::spring)
        out += ", steps: " + exact(press.steps);
    if (press.law == PressLaw::hunt_crossley)
        out += ", impact_speed: " + exact(press.impact_speed);
    return out;
}
std::string elasticity(const Material& m)
{
    std::string out = ", poisson_ratio: " + exact(m.poisson_ratio);
    if (m.young_modulus > 0)
        out += ", young_modulus: " + exact(m.young_modulus);
    if (m.contact_radius > 0)
        out += ", contact_radius: " + exact(m.contact_radius);
    return out;
}

/// All of `contact` but what the bodies themselves say.
std::string contact_text(const Scene& scene)
{
    const Builder& d = scene.description;
    const ContactSettings& c = scene.run.step.contact;
    const bool penalty = c.response == ContactResponse::penalty;
    const bool elastic = penalty && c.press.law != PressLaw::spring;
    std::string out =
        fmt::format("contact: {{material: {}, {}, overlaps: {}}}\n", quoted(scene.contact_material),
                    penalty ? press_text(c.press) : impulse_text(c), word_of(scene.overlaps));
    if (!d.materials.empty())
        out += "materials:\n";
    for (const Material& m : d.materials)
        out += fmt::format("  - {{name: {}, {}{}}}\n", quoted(m.name), law(m.law, c),
                           elastic ? elasticity(m) : "");
    if (!d.material_pairs.empty())
        out += "material_pairs:\n";
    for (const MaterialPair& pair : d.material_pairs)
        out += fmt::format("  - {{materials: [{}, {}], {}}}\n",
                           quoted(d.materials[static_cast<std::size_t>(pair.a)].name),
                           quoted(d.materials[static_cast<std::size_t>(pair.b)].name),
                           law(pair.law, c));
    bool any = false;
    for (std::size_t i = 0; i < d.skins.size(); ++i) {
        if (scene.skins[i].of_body)
            continue;
        if (!std::exchange(any, true))
            out += "surfaces:\n";
        const char* before = "  - ";
        for (const std::string& line : surface_lines(scene, d.skins[i], scene.skins[i]))
            out += std::exchange(before, "    ") + line + "\n";
    }
    if (!d.apart.empty())
        out += "apart:\n";
    for (const Apart& pair : d.apart)
        out +=
            fmt::format("  - [{}, {}]\n", quoted(d.bodies[static_cast<std::size_t>(pair.a)].name),
                        quoted(d.bodies[static_cast<std::size_t>(pair.b)].name));
    return out;
}

std::vector<std::string> bushing_lines(const Builder& d)
{
    std::vector<std::string> lines;
    if (!d.bushings.empty())
        lines.emplace_back("bushings:");
    const auto name = [&](int body) {
        return body == world ? std::string("world")
                             : quoted(d.bodies[static_cast<std::size_t>(body)].name);
    };
    const auto frame = [](const Pose<double>& at) {
        return "{position: " + list_of(at.x) + ", orientation: " + text_of_quat(at.q) + "}";
    };
    const auto matrix = [](const Six& six) {
        std::string rows;
        for (const auto& row : rows_of(six)) {
            rows += rows.empty() ? "[[" : ", [";
            for (std::size_t j = 0; j < 6; ++j)
                rows += (j ? ", " : "") + exact(row[j]);
            rows += "]";
        }
        return rows + "]";
    };
    for (const Bushing& b : d.bushings) {
        lines.push_back("  - name: " + quoted(b.name));
        lines.push_back("    bodies: [" + name(b.a) + ", " + name(b.b) + "]");
        lines.push_back("    frame_a: " + frame(b.frame_a));
        lines.push_back("    frame_b: " + frame(b.frame_b));
        if (!b.stiffness.none())
            lines.push_back("    stiffness: " + matrix(b.stiffness));
        if (!b.damping.none())
            lines.push_back("    damping: " + matrix(b.damping));
    }
    return lines;
}

std::vector<std::string> rotor_lines(const Builder& d)
{
    std::vector<std::string> lines;
    if (!d.rotors.empty())
        lines.emplace_back("rotors:");
    for (const Rotor& r : d.rotors) {
        lines.push_back("  - name: " + quoted(r.name));
        lines.push_back("    body: " + quoted(d.bodies[static_cast<std::size_t>(r.body)].name));
        lines.push_back("    axis: " + list_of(r.axis));
        lines.push_back("    inertia: " + exact(r.inertia));
        if (r.at)
            lines.push_back("    at: " + list_of(*r.at));
        if (r.speed) {
            lines.push_back("    speed: " + course(*r.speed));
            continue;
        }
        lines.push_back("    spin: " + exact(r.spin));
        lines.push_back("    torque: " + course(r.torque));
        lines.push_back("    from: " + exact(r.from));
        if (std::isfinite(r.until))
            lines.push_back("    until: " + exact(r.until));
    }
    return lines;
}

std::string text_of_about(const LedgerAbout& about)
{
    if (const auto* at = std::get_if<AboutPoint>(&about))
        return list_of(at->point);
    if (const auto* body = std::get_if<AboutBody>(&about))
        return body->at ? text_of("{body: ", quoted(body->name), ", at: ", list_of(*body->at), "}")
                        : quoted(body->name);
    return std::holds_alternative<AboutCenterOfMass>(about) ? "center_of_mass" : "origin";
}

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

    std::vector<int> own_skin(d.bodies.size(), -1);
    for (std::size_t i = 0; i < scene.skins.size(); ++i)
        if (scene.skins[i].of_body)
            own_skin[static_cast<std::size_t>(d.skins[i].body)] = static_cast<int>(i);

    // Bodies and particles are numbered together, bodies first; the order is part of the model.
    const auto write_bodies = [&](bool particles) {
        bool any = false;
        for (std::size_t i = 0; i < d.bodies.size(); ++i) {
            const Body& b = d.bodies[i];
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
            for (const std::string& text : body_touch(scene, b, own_skin, i))
                line("    ", text);
            if (particles)
                continue;
            if (const std::string shape = std::visit(ShapeLine{}, b.shape); !shape.empty())
                line("    ", shape);
            const Sym3<double>& I = m.inertia;
            line(fmt::format("    inertia: {{xx: {}, yy: {}, zz: {}, xy: {}, xz: {}, yz: {}}}",
                             exact(I.xx), exact(I.yy), exact(I.zz), exact(I.xy), exact(I.xz),
                             exact(I.yz)));
            line("    center_of_mass: ", list_of(m.center));
            line("    orientation: ", text_of_quat(b.pose.q));
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
    for (const std::string& text : bushing_lines(d))
        line(text);
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
        if (g.point)
            line("    at: ", list_of(*g.point));
    }
    for (const std::string& text : control_lines(d))
        line(text);
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
        if (l.control >= 0)
            line("    control: ", quoted(d.controls[static_cast<std::size_t>(l.control)].name));
    }

    for (const std::string& text : flight_lines(d))
        line(text);
    for (const std::string& text : rotor_lines(d))
        line(text);
    for (const std::string& text : tank_lines(d))
        line(text);
    for (const std::string& text : cut_lines(d))
        line(text);
    for (const std::string& text : event_lines(d))
        line(text);

    if (!d.joints.empty())
        line("joints:");
    for (const Joint& joint : d.joints) {
        const char* before = "  - ";
        for (const std::string& text : joint_lines(joint, d.bodies))
            line(std::exchange(before, "    "), text);
    }
    if (!d.gears.empty())
        line("gears:");
    for (const Gear& g : d.gears) {
        const auto name_of_joint = [&](int j) {
            return quoted(d.joints[static_cast<std::size_t>(j)].name);
        };
        line("  - name: ", quoted(g.name));
        line("    joints: [", name_of_joint(g.joint_1), ", ", name_of_joint(g.joint_2), "]");
        line(fmt::format("    coordinates: [{}, {}]", g.coordinate_1, g.coordinate_2));
        line("    ratio: ", exact(g.ratio));
    }

    if (scene.contact)
        out += contact_text(scene);

    const RunSettings& run = scene.run;
    line("run:");
    line("  until: ", exact(run.until));
    line("  step: ", exact(run.step.h));
    line("  integrator: ", std::string(facts_of(run.step.method).name));
    line("  state_form: ", std::string(name_of(run.step.form)));
    line("  formulation: ", std::string(name_of(run.step.formulation)));
    if (!d.joints.empty()) // nothing else is stabilised
        line("  stabilisation: ", std::string(name_of(run.step.stabilisation)));
    if (run.step.stabilisation == Stabilisation::baumgarte)
        line("  baumgarte_time: ", exact(run.step.baumgarte_time));
    if (run.step.stabilisation == Stabilisation::baumgarte && run.step.baumgarte_damping != 1)
        line("  baumgarte_damping: ", exact(run.step.baumgarte_damping));
    line("  renormalise: ", run.step.renormalise ? "true" : "false");
    if (chooses_its_steps(run.step.method)) // the others have no use for one
        line(fmt::format("  tolerance: {{relative: {}, absolute: {}, most_substeps: {}}}",
                         exact(run.step.tolerance.relative), exact(run.step.tolerance.absolute),
                         run.step.tolerance.most_substeps));
    const bool kept = run.ledger.detail != Postings::Detail::off; // else nothing has an effect
    if (run.ledger.energy_tolerance && kept)
        line("  energy_tolerance: ", exact(*run.ledger.energy_tolerance));
    line("ledger:");
    line("  detail: ", name_of(run.ledger.detail));
    if (kept) {
        line("  every: ", std::to_string(run.ledger_every));
        line("  about: ", text_of_about(scene.about));
    }
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
