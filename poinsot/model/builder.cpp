// SPDX-License-Identifier: MIT
#include "poinsot/model/builder.hpp"

#include "poinsot/mass/principal.hpp"
#include "poinsot/model/velocity_dependence.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace poinsot {

namespace {

const char* kind_of(const Body& body)
{
    return body.particle ? "particle" : "body";
}

void inspect(const Body& body, Problems& found)
{
    const auto wrong = [&](const char* key, const auto&... parts) {
        found.add_at(body.name, key, parts...);
    };
    const MassProperties& mass = body.mass_properties;
    if (!(mass.mass > 0) || !std::isfinite(mass.mass)) // catches NaN as well
        wrong("mass", "mass must be positive and finite, is ", mass.mass,
              "; give the mass in kg, greater than zero");
    if (!finite(mass.center))
        wrong("center_of_mass", "centre of mass must be finite");
    if (!body.particle) {
        const std::string why = why_cannot_exist(mass.inertia);
        if (!why.empty())
            wrong("inertia", "no body has this inertia: ", why,
                  "; give moments about the centre of mass, in kg m²; none may exceed the sum of "
                  "the other two");
        else if (!std::isfinite(trace(mass.inertia)))
            wrong("inertia", "inertia is too large to reckon with; give it in kg m²");
        else if (!(principal_axes(mass.inertia).moments.x > 1e-12 * trace(mass.inertia)))
            wrong("inertia", "the inertia about one axis is ",
                  principal_axes(mass.inertia).moments.x > 0
                      ? text_of("less than 1e-12 of the others (",
                                principal_axes(mass.inertia).moments.x,
                                " kg m²), so any torque would turn it there without bound; ")
                      : std::string("zero, so no torque could turn it there; "),
                  "give the body some thickness, or make it a particle");
        else if (!std::isfinite(trace(inverse(mass.inertia))))
            wrong("inertia", "inertia is too small to reckon with; give it in kg m², or make it a "
                             "particle");
    }
    if (body.particle && (norm(body.angular_velocity) > 0 || trace(mass.inertia) != 0))
        wrong(trace(mass.inertia) != 0 ? "inertia" : "angular_velocity",
              "a particle has no extent: it takes neither inertia nor angular velocity");
    if (!finite(body.pose.x))
        wrong("position", "position must be finite");
    // A unit quaternion typed with 7 digits is 1e-7 off; more than 1e-6 is a mistake.
    const double n = std::sqrt(norm2(body.pose.q));
    if (!(std::abs(n - 1) <= 1e-6))
        wrong("orientation", "orientation must be a unit quaternion, its norm is ", n,
              "; divide by its norm");
    if (!finite(body.velocity))
        wrong("velocity", "velocity must be finite");
    if (!finite(body.angular_velocity))
        wrong("angular_velocity", "angular velocity must be finite");
    if (body.held) {
        if (body.particle)
            wrong("held", "a particle cannot be held: it would not move");
        if (!finite(body.held->point))
            wrong("held.point", "held point must be finite");
        if (body.held->along && !(norm(*body.held->along) > 0 && finite(*body.held->along)))
            wrong("held.along", "the line it is held on needs a direction that is not zero; give "
                                "along as a direction such as [0, 1, 0]");
        else {
            // The held point may move along its line and no other way; 1e-6 is a typed velocity's
            // slip.
            const Vec3<double> r = rotate(normalised(body.pose.q), body.held->point - mass.center);
            const Vec3<double> v = body.velocity + cross(body.angular_velocity, r);
            const Vec3<double> across =
                body.held->along
                    ? v - dot(v, normalised(*body.held->along)) * normalised(*body.held->along)
                    : v;
            if (!(norm(across) <=
                  1e-6 * (norm(body.velocity) + norm(body.angular_velocity) * norm(r))))
                wrong("velocity",
                      "velocity must leave the held point where it is held; there it would move "
                      "with ",
                      norm(across), " m/s");
        }
    }
}

/// Forces along a line need two places: a direction is not there where springs that push and masses
/// that attract each other begin in one.
void inspect_distances(const std::vector<Body>& bodies, const std::vector<Spring>& springs,
                       const Gravity& gravity, const std::vector<Joint>& joints, Problems& found)
{
    constexpr double rounding = 1e-14; // of places, which turns and sums leave
    const auto body = [&](int i) -> const Body& { return bodies[static_cast<std::size_t>(i)]; };
    const auto place_of = [&](int i, const Vec3<double>& point) {
        return i == world ? point : place(body(i).pose, point);
    };
    for (const Spring& s : springs) {
        const Vec3<double> a = place_of(s.a.body, s.a.point), b = place_of(s.b.body, s.b.point);
        if (s.stiffness > 0 && s.rest_length > 0 &&
            norm(b - a) <= rounding * (norm(a) + norm(b) + s.rest_length))
            found.add_at(s.name, "rest_length",
                         "both ends are in one place at the start, so a spring with a rest length "
                         "has no direction to push in; move one end towards where it is to go, or "
                         "give rest_length: 0");
    }
    if (!(gravity.G > 0))
        return;
    // What joints hold in one place is not pulled apart by what is between its parts.
    std::vector<int> group(bodies.size());
    std::iota(group.begin(), group.end(), 0);
    const auto root = [&](int i) {
        while (group[static_cast<std::size_t>(i)] != i)
            i = group[static_cast<std::size_t>(i)];
        return i;
    };
    for (const Joint& joint : joints)
        if (joint.a != world && joint.b != world && !only_measures(joint.kind))
            group[static_cast<std::size_t>(root(joint.a))] = root(joint.b);
    std::vector<std::pair<Vec3<double>, int>> centers;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        centers.emplace_back(place(bodies[i].pose, bodies[i].mass_properties.center),
                             static_cast<int>(i));
    std::stable_sort(centers.begin(), centers.end(),
                     [](const auto& a, const auto& b) { return a.first.x < b.first.x; });
    for (std::size_t i = 0; i < centers.size(); ++i)
        for (std::size_t j = i + 1; j < centers.size(); ++j) {
            const auto& [a, first] = centers[i];
            const auto& [b, second] = centers[j];
            const double same = rounding * (norm(a) + norm(b));
            if (b.x - a.x > same)
                break;
            if (norm(b - a) <= same && root(first) != root(second))
                found.add_at(body(std::max(first, second)).name, "position", "is where '",
                             body(std::min(first, second)).name,
                             "' is, and masses in one place attract each other without bound; move "
                             "one of them, or leave G out of gravity");
        }
}

BodyMass constants_of(const Body& body)
{
    const MassProperties& mass = body.mass_properties;
    BodyMass made{mass.mass,       1 / mass.mass,          mass.center, {}, {},
                  zero3<double>(), identity_quat<double>()};
    if (body.particle)
        return made;
    made.I_b = mass.inertia;
    made.inv_I_b = inverse(mass.inertia);
    const PrincipalAxes principal = principal_axes(mass.inertia);
    made.principal = principal.moments;
    made.principal_axes = principal.rotation();
    return made;
}

/// What every two materials do, row by row.
std::vector<ContactLaw> laws_of(const std::vector<Material>& materials,
                                const std::vector<MaterialPair>& pairs)
{
    const std::size_t count = materials.size();
    std::vector<ContactLaw> laws;
    for (const Material& a : materials)
        for (const Material& b : materials)
            laws.push_back(mean_of(a.law, b.law));
    for (const MaterialPair& pair : pairs) {
        const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
        laws[a * count + b] = laws[b * count + a] = pair.law;
    }
    return laws;
}

/// Pairs of skins that never meet, ascending.
std::vector<std::pair<int, int>> skins_apart(const std::vector<Skin>& skins,
                                             const std::vector<Joint>& joints,
                                             const std::vector<Bushing>& bushings,
                                             const std::vector<Apart>& declared)
{
    std::set<std::pair<int, int>> bodies;
    for (const Joint& joint : joints)
        if (joint.a != world && joint.b != world && !only_measures(joint.kind))
            bodies.insert(std::minmax(joint.a, joint.b));
    for (const Bushing& bushing : bushings)
        if (bushing.a != world && bushing.b != world)
            bodies.insert(std::minmax(bushing.a, bushing.b));
    for (const Apart& pair : declared)
        bodies.insert(std::minmax(pair.a, pair.b));
    std::vector<std::pair<int, int>> found;
    if (skins.empty())
        return found;
    std::map<int, std::vector<int>> of_body; // which have skins
    for (std::size_t i = 0; i < skins.size(); ++i)
        of_body[skins[i].body].push_back(static_cast<int>(i));
    for (const auto& [a, b] : bodies)
        for (const int i : of_body[a])
            for (const int j : of_body[b])
                found.push_back(std::minmax(i, j));
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

int Builder::add(Body body)
{
    bodies.push_back(std::move(body));
    return static_cast<int>(bodies.size()) - 1;
}

int Builder::add(Joint joint)
{
    joints.push_back(std::move(joint));
    return static_cast<int>(joints.size()) - 1;
}

int Builder::add(Material material)
{
    materials.push_back(std::move(material));
    return static_cast<int>(materials.size()) - 1;
}

int Builder::add(Skin skin)
{
    skins.push_back(std::move(skin));
    return static_cast<int>(skins.size()) - 1;
}

int Builder::add_particle(std::string name, double mass, const Vec3<double>& x,
                          const Vec3<double>& v)
{
    Body body;
    body.name = std::move(name);
    body.particle = true;
    body.mass_properties.mass = mass;
    body.pose.x = x;
    body.velocity = v;
    return add(std::move(body));
}

std::vector<Joint> Builder::joints_as_bound() const
{
    std::vector<Joint> bound = joints;
    for (const Release& release : releases)
        if (release.joint >= 0 && release.joint < static_cast<int>(bound.size()))
            if (Joint& joint = bound[static_cast<std::size_t>(release.joint)];
                facts_of(joint.kind).carries && joint.kind != JointKind::free)
                joint.closes_loop = true;
    return bound;
}

Model Model::held_together() const
{
    Model made = *this;
    for (const Release& release : releases_)
        if (release.joint >= 0)
            made.joints_[static_cast<std::size_t>(release.joint)].closes_loop = false;
    made.releases_.clear();
    made.tree_ = tree_of(static_cast<int>(bodies_.size()), made.joints_);
    return made;
}

void Builder::load_tanks(Model& model) const
{
    model.tanks_ = tanks;
    model.flows_ = flows;
    std::vector<double> contents;
    for (Tank& tank : model.tanks_) {
        tank.frame.q = normalised(tank.frame.q);
        contents.push_back(tank.content);
        model.tank_shapes_.push_back(shape_of(tank));
    }
    for (Flow& flow : model.flows_)
        if (norm(flow.direction) > 0)
            flow.direction = normalised(flow.direction);
    model.vessels_ = vessels_of(model.tanks_, model.flows_);
    for (Vessel& vessel : model.vessels_) {
        BodyMass& mass = model.masses_[static_cast<std::size_t>(vessel.body)];
        const Vec3<double> dry_center = mass.center;
        vessel.dry = {mass.m, triple_of(mass.center), sym_triple_of(mass.I_b)};
        LoadedMass(vessel.dry, vessel.fills, contents).put_into(mass);
        find_principal(mass);
        // Described is how the centre of mass of the empty body moves.
        Body& body = model.bodies_[static_cast<std::size_t>(vessel.body)];
        const Vec3<double> shift = mass.center - dry_center;
        body.velocity += cross(body.angular_velocity, rotate(body.pose.q, shift));
    }
}

Result<Model> Builder::build() const
{
    Problems found;
    if (bodies.empty())
        found.add("model", "there is no body and no particle: add at least one");

    std::map<std::string, const Body*> seen; // null: named as a problem already
    for (const Body& body : bodies) {
        const auto [first, fresh] = seen.try_emplace(body.name, &body);
        if (body.name.empty())
            found.add_at(text_of(kind_of(body), " ", &body - bodies.data()), "name",
                         "needs a name");
        else if (!fresh && first->second) {
            found.add_at(body.name, "name",
                         first->second->particle != body.particle
                             ? "a body and a particle have this name"
                         : body.particle ? "two particles have this name"
                                         : "two bodies have this name",
                         "; names must be unique");
            first->second = nullptr;
        }
        inspect(body, found);
    }
    if (!finite(gravity.uniform))
        found.add_at("gravity", "uniform", "must be finite");
    if (!(gravity.G >= 0) || !std::isfinite(gravity.G))
        found.add_at("gravity", "G", "G must be finite and not negative, is ", gravity.G,
                     "; give it in N m²/kg²; 6.674e-11 is nature's");

    const int count = static_cast<int>(bodies.size());
    const auto exists = [&](int body) { return body >= 0 && body < count; };
    const auto at = [&](int body) -> const Body& { return bodies[static_cast<std::size_t>(body)]; };
    const auto not_negative = [&](const std::string& place, const char* key, const char* what,
                                  double value, const char* unit) {
        if (!(value >= 0) || !std::isfinite(value))
            found.add_at(place, key, what, " must be finite and not negative, is ", value,
                         "; give it in ", unit);
    };
    for (const Spring& s : springs) {
        const auto anchor = [&](const char* key, const Anchor& end) {
            if (end.body != world && !exists(end.body))
                found.add_at(s.name, key, "is fixed to a body that does not exist");
            else if (end.body != world && at(end.body).particle && norm(end.point) > 0)
                found.add_at(s.name, key,
                             "a particle has no extent: fix the spring at its own place");
            if (!finite(end.point))
                found.add_at(s.name, key, "its end points must be finite");
        };
        anchor("from", s.a);
        anchor("to", s.b);
        if (s.a.body == s.b.body && (s.a.body == world || exists(s.a.body)))
            found.add_at(
                s.name, "to",
                s.a.body == world
                    ? std::string("both ends are fixed to the world; fix one end to a body")
                    : text_of("both ends are on the same ", kind_of(at(s.a.body)),
                              "; fix one end to another, or to the world"));
        not_negative(s.name, "stiffness", "stiffness", s.stiffness, "N/m");
        not_negative(s.name, "damping", "damping", s.damping, "N s/m");
        not_negative(s.name, "rest_length", "rest length", s.rest_length, "m");
    }
    for (const Drag& d : drags) {
        if (!exists(d.body))
            found.add_at(d.name, "body", "acts on a body that does not exist");
        not_negative(d.name, "linear", "linear drag coefficient", d.linear, "N s/m");
        not_negative(d.name, "quadratic", "quadratic drag coefficient", d.quadratic, "N s²/m²");
        if (d.point && !finite(*d.point))
            found.add_at(d.name, "at", "the point it acts at must be finite");
        else if (d.point && exists(d.body) && at(d.body).particle && norm(*d.point) > 0)
            found.add_at(d.name, "at", "a particle has no extent: leave at out");
    }
    for (const AppliedLoad& l : loads) {
        if (!exists(l.body))
            found.add_at(l.name, "body", "acts on a body that does not exist");
        else if (at(l.body).particle && (norm(l.torque) > 0 || norm(l.point) > 0))
            found.add_at(l.name, norm(l.torque) > 0 ? "torque" : "at",
                         "a particle feels no torque: give a force alone, at its own place");
        if (!finite(l.force))
            found.add_at(l.name, "force", "force must be finite");
        if (!finite(l.torque))
            found.add_at(l.name, "torque", "torque must be finite");
        if (!finite(l.point))
            found.add_at(l.name, "at", "the point it acts at must be finite");
        if (!(l.from < l.until))
            found.add_at(l.name, "from", "must begin before it ends: from ", l.from, " until ",
                         l.until, "; exchange from and until, or leave until out");
    }
    // Steps end at these times, which must not be one for rounding (step/edges.hpp).
    const auto lasts = [&](const std::string& name, double from, double until) {
        const double digits = 16 * std::numeric_limits<double>::epsilon() * until;
        if (from < until && until - from < digits)
            found.add_at(name, "until", "lasts for ", until - from, " s, and times near ", until,
                         " s are rounded by more; let it last for ", digits, " s or longer");
    };
    for (const AppliedLoad& l : loads)
        lasts(l.name, l.from, l.until);
    for (const Rotor& rotor : rotors)
        lasts(rotor.name, rotor.from, rotor.until);
    for (const AppliedLoad& l : loads)
        if (l.control < -1 || l.control >= static_cast<int>(controls.size()))
            found.add_at(l.name, "control", "is scaled by a control that does not exist");
    inspect_flight(bodies, gravity, planet, air, aerodynamics, controls, found);
    inspect_controls(controls, controls_used(controls.size(), aerodynamics, loads, flows), found);
    inspect_bushings(bodies, bushings, found);
    inspect_rotors(bodies, rotors, found);
    inspect_cuts(bodies, tanks, flows, joints.size(), bushings.size(), cuts, found);
    inspect_tanks(bodies, tanks, flows, controls, found);
    inspect_releases(joints, gears, tanks, flows, bushings.size(), cuts.size(), releases, found);
    const std::vector<Joint> bound = joints_as_bound();
    inspect_joints(bodies, bound, gears, found);
    inspect_contact(bodies, skins, materials, material_pairs, apart, found);
    if (found.any())
        return found;

    Model model;
    model.bodies_ = bodies;
    for (Body& body : model.bodies_)
        body.pose.q = normalised(body.pose.q);
    model.joints_ = bound;
    for (Joint& joint : model.joints_) {
        joint.frame_a.q = normalised(joint.frame_a.q);
        joint.frame_b.q = normalised(joint.frame_b.q);
        if (joint.motion)
            joint.motion->axis = normalised(joint.motion->axis);
        model.joint_mounts_.push_back(mount_of(joint));
    }
    model.gears_ = gears;
    for (const Gear& gear : gears)
        for (const int j : {gear.joint_1, gear.joint_2})
            model.joint_mounts_[static_cast<std::size_t>(j)].asked = true;
    model.offsets_ = coordinate_offsets(joints);
    model.tree_ = tree_of(count, bound);
    model.joint_starts_ = assemble(model.bodies_, model.joints_, model.tree_, found);
    inspect_distances(model.bodies_, springs, gravity, bound, found);
    if (!found.any())
        found = off_their_ratio(model.bodies_, model.joints_, gears, model.joint_starts_);
    if (found.any())
        return found;
    for (const Body& body : bodies) {
        Body carrier = body;
        carrier.mass_properties.inertia = carried_inertia(body.mass_properties.inertia, rotors,
                                                          static_cast<int>(&body - bodies.data()));
        model.masses_.push_back(constants_of(carrier));
        model.any_held_ = model.any_held_ || body.held.has_value();
    }
    load_tanks(model);
    model.releases_ = releases;
    model.skins_ = skins;
    for (Skin& skin : model.skins_)
        skin.pose.q = normalised(skin.pose.q);
    model.materials_ = materials;
    model.laws_ = laws_of(materials, material_pairs);
    model.skins_apart_ = skins_apart(skins, joints, bushings, apart);
    model.gravity_ = gravity;
    model.springs_ = springs;
    model.bushings_ = bushings;
    for (std::size_t j = 0; j < joints.size(); ++j)
        if (joints[j].turn) {
            model.bushings_.push_back(bushing_of(joints[j], *joints[j].turn));
            model.turned_joints_.push_back(static_cast<int>(j));
        }
    for (Bushing& bushing : model.bushings_) {
        bushing.frame_a.q = normalised(bushing.frame_a.q);
        bushing.frame_b.q = normalised(bushing.frame_b.q);
    }
    model.drags_ = drags;
    model.loads_ = loads;
    model.planet_ = planet;
    model.air_ = air;
    model.aerodynamics_ = aerodynamics;
    for (Aerodynamics& a : model.aerodynamics_)
        a.frame.q = normalised(a.frame.q);
    model.controls_ = controls;
    model.cuts_ = cuts;
    for (Cut& cut : model.cuts_)
        cut.frame.q = normalised(cut.frame.q);
    model.rotors_ = rotors;
    for (Rotor& rotor : model.rotors_)
        rotor.axis = normalised(rotor.axis);
    for (const AppliedLoad& load : loads)
        model.edges_.insert(model.edges_.end(), {load.from, load.until});
    for (const Control& control : controls)
        model.edges_.insert(model.edges_.end(), control.times.begin(), control.times.end());
    for (const Rotor& rotor : rotors)
        model.edges_.insert(model.edges_.end(), {rotor.from, rotor.until});
    for (const Gust& gust : air.gusts)
        model.edges_.insert(model.edges_.end(), {gust.start, gust.start + gust.duration});
    std::erase_if(model.edges_, [](double t) { return !(t > 0 && std::isfinite(t)); });
    std::sort(model.edges_.begin(), model.edges_.end());
    model.edges_.erase(std::unique(model.edges_.begin(), model.edges_.end()), model.edges_.end());
    model.velocity_dependent_ = depends_on_velocity(model, false);
    return model;
}

} // namespace poinsot
