// SPDX-License-Identifier: MIT
#include "poinsot/contacts/press.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace poinsot {

namespace {

constexpr double without_end = std::numeric_limits<double>::infinity();
constexpr double most_turn = 0.5; // ω h of a contact of eight steps: Hertz's lasts 4.03/ω

/// Radius of curvature of a skin: of a ball its own, else what its material says; infinite where
/// all is flat. None: it is curved, and not in one way.
std::optional<double> radius_of(const Model& model, const Skin& skin)
{
    const Collider& collider = skin.collider;
    const auto& parts = collider.parts();
    if (collider.bounded() && parts.size() == 1 && parts[0].convex.core == Core::point)
        return parts[0].convex.radius;
    const double given = model.materials()[static_cast<std::size_t>(skin.material)].contact_radius;
    if (given > 0)
        return given;
    const bool flat =
        !collider.bounded() ||
        std::all_of(parts.begin(), parts.end(), [](const Collider::Part& part) {
            const Core core = part.convex.core;
            return core == Core::box || core == Core::triangle || core == Core::polytope;
        });
    return flat ? std::optional(without_end) : std::nullopt;
}

double shear_modulus(const Material& a, const Material& b)
{
    const auto softness = [](const Material& m) { // (2 − ν)/G
        return (2 - m.poisson_ratio) * 2 * (1 + m.poisson_ratio) / m.young_modulus;
    };
    return 1 / (softness(a) + softness(b));
}

/// A vector of the plane across one normal, as long, in the plane across another.
Vec3<double> laid_into(const Vec3<double>& s, const Vec3<double>& n)
{
    const Vec3<double> flat = s - dot(s, n) * n;
    const double length = norm(flat);
    return length > 0 ? (norm(s) / length) * flat : flat;
}

/// What a force at a lever does to a body that answers only for itself.
double answer(const PlacedBody& body, const Vec3<double>& r, const Vec3<double>& d,
              const Vec3<double>& e)
{
    const Vec3<double> turned =
        angular_velocity(body.R, body.mass.inv_I_b, cross(r, e)); // ω by a unit impulse along e
    return body.mass.inv_m * dot(d, e) + dot(cross(r, d), turned);
}

} // namespace

std::optional<PressLaw> press_law_named(std::string_view name)
{
    for (std::size_t i = 0; i < press_law_names.size(); ++i)
        if (press_law_names[i] == name)
            return static_cast<PressLaw>(i);
    return std::nullopt;
}
std::string_view name_of(PressLaw law)
{
    return press_law_names[static_cast<std::size_t>(law)];
}

Press::Press(const Model& model, const PressSettings& settings, double h, bool steps_of_h)
    : model_(model), settings_(settings), h_(h), steps_of_h_(steps_of_h)
{
    for (const Skin& skin : model.skins()) {
        shapes_.push_back(&skin.collider);
        filters_.push_back(skin.filter);
        owners_.push_back(skin.body);
        radius_.push_back(radius_of(model, skin).value_or(without_end));
    }
    poses_.resize(shapes_.size());
    for (const auto& [a, b] : model.skins_apart())
        broadphase_.never(a, b);

    const auto& materials = model.materials();
    for (std::size_t a = 0; a < materials.size(); ++a)
        for (std::size_t b = 0; b < materials.size(); ++b) {
            Pair pair;
            const double e =
                model.material_law(static_cast<int>(a), static_cast<int>(b)).restitution;
            if (settings_.law == PressLaw::spring) {
                if (const auto spring = penalty_spring(1, 1, e, h, settings_.steps))
                    pair = {spring->k, spring->c, spring->friction_k, spring->friction_c};
            } else if (materials[a].young_modulus > 0 && materials[b].young_modulus > 0) {
                const auto E =
                    effective_modulus(materials[a].young_modulus, materials[a].poisson_ratio,
                                      materials[b].young_modulus, materials[b].poisson_ratio);
                pair.modulus = E ? *E : 0;
                pair.shear = shear_modulus(materials[a], materials[b]);
                if (settings_.law == PressLaw::hunt_crossley)
                    if (const auto alpha = hunt_crossley_damping(e, settings_.impact_speed))
                        pair.alpha = *alpha;
            }
            pairs_.push_back(pair);
        }
}

void Press::begin(const Placed& start, const std::vector<Pressed>& kept)
{
    start_ = start.bodies;
    kept_ = kept;
    too_stiff_.clear();
}

/// What touches?
void Press::find(const Placed& placed)
{
    const auto& skins = model_.skins();
    points_.clear();
    bodies_.clear();
    for (std::size_t i = 0; i < skins.size(); ++i) {
        poses_[i] = skins[i].pose;
        if (skins[i].body == world)
            continue;
        const PlacedBody& body = placed.bodies[static_cast<std::size_t>(skins[i].body)];
        const Pose<double> frame{body.x - body.R * body.mass.center, quat_of(body.R)};
        poses_[i] = frame * skins[i].pose;
        const Quat<double>& q = poses_[i].q;
        if (!finite(poses_[i].x) || !std::isfinite(q.w + q.x + q.y + q.z))
            return; // a number that is none: the end of the step will say so
    }
    near_.clear();
    for (const auto& pair : broadphase_.pairs(shapes_, poses_, filters_, 0))
        if (owner(pair.first) != owner(pair.second))
            near_.push_back(pair);
    contacts_.clear(); // nothing but the state may say how the next step goes
    contacts_.find(near_, shapes_, poses_, 0, owners_);
    for (const Manifold& m : contacts_.manifolds())
        for (int i = 0; i < m.count; ++i) {
            const ContactPoint& at = m.point[static_cast<std::size_t>(i)];
            if (!(at.gap < 0))
                continue;
            points_.push_back({&m, &at, nullptr});
            bodies_.push_back(std::minmax(owner(m.a), owner(m.b)));
        }
    std::sort(bodies_.begin(), bodies_.end());
    match();
}

/// Each point takes what is remembered nearest to it in its pair, if it is nearest to that too:
/// a corner that comes down does not take over what another one has stretched.
void Press::match()
{
    const auto far = [](const Point& p, const Pressed& old) {
        return norm(old.point - 0.5 * (p.at->on_a + p.at->on_b));
    };
    const auto before = [](const Pressed& a, const std::array<int, 4>& key) {
        return a.pair < key;
    };
    for (std::size_t first = 0, last = 0; first < points_.size(); first = last) {
        const Manifold* m = points_[first].manifold;
        while (last < points_.size() && points_[last].manifold == m)
            ++last;
        const auto key = key_of(*m);
        for (auto old = std::lower_bound(kept_.begin(), kept_.end(), key, before);
             old != kept_.end() && old->pair == key; ++old) {
            std::size_t nearest = first;
            for (std::size_t i = first; i < last; ++i)
                if (far(points_[i], *old) < far(points_[nearest], *old))
                    nearest = i;
            Point& p = points_[nearest];
            if (!p.old || far(p, *old) < far(p, *p.old))
                p.old = &*old;
        }
    }
}

/// How far the spring of friction is stretched that was so far when the step began.
Vec3<double> Press::stretch_of(const Point& point, const Vec3<double>& P,
                               const Placed& placed) const
{
    const Pressed& old = *point.old;
    const Vec3<double>& n = point.manifold->normal;
    Vec3<double> slipped = zero3<double>();
    double spun = 0; // about the normal, both bodies' mean
    for (const int side : {-1, 1}) {
        const int skin = side < 0 ? point.manifold->a : point.manifold->b;
        if (owner(skin) == world)
            continue;
        const auto i = static_cast<std::size_t>(owner(skin));
        const PlacedBody &now = placed.bodies[i], &then = start_[i];
        const Vec3<double> phi = log_matrix(now.R * transpose(then.R));
        const Vec3<double> lever = 0.5 * ((P - now.x) + (old.point - then.x));
        slipped += side * (now.x - then.x + cross(phi, lever));
        spun += 0.5 * dot(phi, n);
    }
    const Vec3<double> carried = rotate(exp_quat(spun * n), laid_into(old.stretch, n));
    return carried + (slipped - dot(slipped, n) * n);
}

/// The masses that a new point has to stop.
void Press::weigh(const Point& point, const Vec3<double>& P, const Placed& placed,
                  Pressed& out) const
{
    const Manifold& m = *point.manifold;
    const Vec3<double> n = m.normal, t_1 = m.tangent, t_2 = cross(n, t_1);
    double W_n = 0, W_11 = 0, W_12 = 0, W_22 = 0, W_bar = 0;
    for (const int skin : {m.a, m.b}) {
        if (owner(skin) == world)
            continue;
        const PlacedBody& body = placed.bodies[static_cast<std::size_t>(owner(skin))];
        const Vec3<double> r = P - body.x;
        W_n += answer(body, r, n, n);
        W_11 += answer(body, r, t_1, t_1);
        W_12 += answer(body, r, t_1, t_2);
        W_22 += answer(body, r, t_2, t_2);
        W_bar += body.mass.inv_m;
    }
    // Across the normal the direction that yields most.
    const double half = 0.5 * (W_11 - W_22);
    const double W_t = 0.5 * (W_11 + W_22) + std::sqrt(half * half + W_12 * W_12);
    const std::pair<int, int> both = std::minmax(owner(m.a), owner(m.b));
    const auto share = std::equal_range(bodies_.begin(), bodies_.end(), both);
    const double carried = W_bar * static_cast<double>(share.second - share.first);
    out.mass = 1 / std::max(W_n, carried);
    out.slip_mass = 1 / std::max(W_t, carried);
}

void Press::check_step(const Manifold& m, double stiffness, double mass)
{
    const double turn = h_ * std::sqrt(stiffness / mass);
    if (!steps_of_h_ || !(turn > most_turn) || !too_stiff_.empty())
        return;
    const auto& skins = model_.skins();
    too_stiff_ = text_of("the contact of '", skins[static_cast<std::size_t>(m.a)].name, "' and '",
                         skins[static_cast<std::size_t>(m.b)].name,
                         "' is too stiff for the step: take one of at most ", h_ * most_turn / turn,
                         " s, or the integrator adaptive");
}

/// How does one point answer?
Press::Reply Press::reply(const Point& point, const Placed& placed)
{
    const Manifold& m = *point.manifold;
    const Vec3<double>& n = m.normal;
    const auto& skins = model_.skins();
    const auto material = [&](int skin) {
        return static_cast<std::size_t>(skins[static_cast<std::size_t>(skin)].material);
    };
    const Pair& pair = pairs_[material(m.a) * model_.materials().size() + material(m.b)];
    const ContactLaw& law = model_.contact_law(m.a, m.b);

    Reply made;
    const Vec3<double> P = made.P = 0.5 * (point.at->on_a + point.at->on_b);
    Vec3<double> v = zero3<double>(); // of b against a
    for (const int side : {-1, 1}) {
        const int body = owner(side < 0 ? m.a : m.b);
        if (body == world)
            continue;
        const PlacedBody& at = placed.bodies[static_cast<std::size_t>(body)];
        v += side * (at.v + cross(at.omega, P - at.x));
    }
    const double gap = point.at->gap, gap_speed = dot(n, v);
    const Vec3<double> slip = v - gap_speed * n;
    made.slip = norm(slip);

    Pressed& next = made.next;
    next.pair = key_of(m);
    next.point = P;
    if (point.old) {
        next.mass = point.old->mass;
        next.slip_mass = point.old->slip_mass;
        next.stretch = stretch_of(point, P, placed);
    } else
        weigh(point, P, placed, next);

    double F = 0, slip_k = 0, slip_c = 0;
    if (settings_.law == PressLaw::spring) {
        F = spring_push(gap, gap_speed, next.mass * pair.k, next.mass * pair.c).force;
        slip_k = next.slip_mass * pair.slip_k;
        slip_c = next.slip_mass * pair.slip_c;
    } else {
        const double R_a = radius_[static_cast<std::size_t>(m.a)],
                     R_b = radius_[static_cast<std::size_t>(m.b)];
        const double R = 1 / (1 / R_a + 1 / R_b), a = std::sqrt(R * -gap); // radius of the patch
        F = hunt_crossley_push(gap, gap_speed, 4.0 / 3 * pair.modulus * std::sqrt(R), pair.alpha)
                .force;
        slip_k = 8 * pair.shear * a;
        slip_c = 2 * std::sqrt(slip_k * next.slip_mass);
        check_step(m, 2 * pair.modulus * a, next.mass); // dF/dx
        if (law.friction > 0)
            check_step(m, slip_k, next.slip_mass);
    }
    const double mu = point.old && !point.old->slides ? law.static_friction : law.friction;
    next.slides = slip_k * norm(next.stretch) > mu * F;
    const auto pull = spring_friction(F, mu, slip_k, slip_c, next.stretch, slip, 0.0);
    made.normal = F * n;
    made.friction = pull.force;
    next.stretch = pull.stretch;
    return made;
}

void Press::add_loads(const Placed& placed, Loads& loads)
{
    find(placed);
    for (const Point& point : points_) {
        const Reply made = reply(point, placed);
        for (const int side : {-1, 1}) {
            const int body = owner(side < 0 ? point.manifold->a : point.manifold->b);
            if (body == world)
                continue;
            const Vec3<double> r = made.P - placed.bodies[static_cast<std::size_t>(body)].x;
            loads.add_force(body, Cause::contact_normal, r, side * made.normal);
            loads.add_force(body, Cause::contact_friction, r, side * made.friction);
        }
    }
}

void Press::end(const Placed& placed, std::vector<Pressed>& kept)
{
    find(placed);
    kept.clear();
    records_.clear();
    for (const Point& point : points_) {
        const Reply made = reply(point, placed);
        kept.push_back(made.next);
        records_.push_back({point.manifold->a, point.manifold->b, made.P, point.manifold->normal,
                            point.at->gap, h_ * (made.normal + made.friction), zero3<double>(),
                            made.slip});
    }
}

// ---- what is asked of a model -------------------------------------------------------------------

namespace {

constexpr std::size_t most_told = 10;

void inspect_springs(const Model& model, const std::set<std::pair<int, int>>& met,
                     const PressSettings& settings, double h, Problems& found)
{
    double needed = 0, bounce = 0;
    for (const auto& [a, b] : met) {
        const double e = model.material_law(a, b).restitution;
        // With steps of h and ω, ζ of the spring both of these must be small enough for places and
        // speeds that are taken in turn: (ω h)² + 4 ζ ω h < 4, half of it left for neighbours.
        const auto stable = [&](double steps) {
            const auto spring = penalty_spring(1, 1, e, h, steps);
            return spring && h * h * spring->k + 2 * h * spring->c <= 2;
        };
        double steps = settings.steps;
        while (!stable(steps) && steps < 1000)
            steps = std::floor(steps) + 1;
        if (steps > std::max(settings.steps, needed)) {
            needed = steps;
            bounce = e;
        }
    }
    if (needed > 0)
        found.add_at("run", "contact.steps", "contacts of ", settings.steps,
                     " steps are unstable where restitution is ", bounce, ": let them last ",
                     needed, " or more");
}

void inspect_hertz(const Model& model, const std::set<std::pair<int, int>>& met,
                   const PressSettings& settings, Problems& found)
{
    std::set<int> used;
    for (const auto& [a, b] : met) {
        used.insert(a);
        used.insert(b);
        if (settings.law != PressLaw::hunt_crossley || model.material_law(a, b).restitution > 0)
            continue;
        const auto& name = [&](int i) {
            return model.materials()[static_cast<std::size_t>(i)].name;
        };
        found.add_at("run", "contact.law", "law hunt_crossley needs a restitution above 0 ",
                     a == b ? text_of("of '", name(a), "'")
                            : text_of("between '", name(a), "' and '", name(b), "'"),
                     ": no damper takes all");
    }
    for (const int i : used) {
        const Material& material = model.materials()[static_cast<std::size_t>(i)];
        if (!(material.young_modulus > 0))
            found.add_at("run", "contact.law", "law ", name_of(settings.law),
                         " needs young_modulus of material '", material.name,
                         "', in Pa; steel has 2e11");
    }
}

} // namespace

void inspect_press(const Model& model, const PressSettings& settings, double h, bool steps_of_h,
                   Problems& found)
{
    const bool spring = settings.law == PressLaw::spring;
    if (!(settings.steps >= 4) || !std::isfinite(settings.steps))
        found.add_at("run", "contact.steps", "a contact must last 4 steps or more to be seen, is ",
                     settings.steps);
    if (!(settings.impact_speed > 0) || !std::isfinite(settings.impact_speed))
        found.add_at("run", "contact.impact_speed", "impact_speed must be positive and finite, is ",
                     settings.impact_speed);
    if (found.any() || !(h > 0))
        return;
    const auto& skins = model.skins();
    const auto& apart = model.skins_apart();
    std::set<std::pair<int, int>> met; // materials
    std::size_t told = 0;
    for (std::size_t a = 0; a < skins.size(); ++a)
        for (std::size_t b = a + 1; b < skins.size(); ++b) {
            const std::pair<int, int> pair(static_cast<int>(a), static_cast<int>(b));
            if (skins[a].body == skins[b].body || !may_touch(skins[a].filter, skins[b].filter) ||
                std::binary_search(apart.begin(), apart.end(), pair))
                continue;
            met.insert(std::minmax(skins[a].material, skins[b].material));
            if (spring || told == most_told)
                continue;
            const auto R_a = radius_of(model, skins[a]), R_b = radius_of(model, skins[b]);
            if (R_a == without_end && R_b == without_end && ++told)
                found.add_at("run", "contact.law", "'", skins[a].name, "' and '", skins[b].name,
                             "' meet flat on flat, where law ", name_of(settings.law),
                             " has no radius: give contact_radius in the material of one, or "
                             "choose law spring");
        }
    for (const Skin& skin : skins)
        if (!spring && told < most_told && !radius_of(model, skin) && ++told)
            found.add_at("run", "contact.law", "'", skin.name,
                         "' is curved in more than one way, and law ", name_of(settings.law),
                         " wants one radius: give contact_radius in its material");
    if (spring && steps_of_h)
        inspect_springs(model, met, settings, h, found);
    else if (!spring)
        inspect_hertz(model, met, settings, found);
}

} // namespace poinsot
