// SPDX-License-Identifier: MIT
#include "poinsot/integrate/joint_system.hpp"

#include "poinsot/constraints/stabilise.hpp"
#include "poinsot/integrate/joint_chart.hpp"

#include <algorithm>

namespace poinsot {

namespace {

bool pushes(const CoordinateLaw& law)
{
    return law.stiffness > 0 || law.damping > 0 || law.friction > 0 || law.motor;
}
/// Does nothing act but uniform gravity, rotors and what leaves tanks?
bool only_gravity_and_parts(const Model& model)
{
    const auto& joints = model.joints();
    return model.gravity().G == 0 && model.planet().mu == 0 && model.springs().empty() &&
           model.bushings().empty() && model.drags().empty() && model.aerodynamics().empty() &&
           model.loads().empty() && std::none_of(joints.begin(), joints.end(), [](const Joint& j) {
               // The limits of a joint of the tree are for those who ask; others push bodies.
               return std::any_of(j.laws.begin(), j.laws.end(), pushes) ||
                      (only_measures(j.kind) && !j.laws.empty());
           });
}
/// What of a mass varies; principal axes are found for those alone who ask for them.
[[gnu::always_inline]] inline void copy_varying(const BodyMass& from, BodyMass& to)
{
    to.m = from.m;
    to.inv_m = from.inv_m;
    to.center = from.center;
    to.I_b = from.I_b;
    to.inv_I_b = from.inv_I_b;
    to.varies = from.varies;
    to.flows = from.flows;
    to.center_rate = from.center_rate;
    to.flow_p = from.flow_p;
    to.flow_L = from.flow_L;
}
bool only_uniform_gravity(const Model& model)
{
    return only_gravity_and_parts(model) && model.rotors().empty() && model.tanks().empty();
}

} // namespace

bool falls_freely(const Model& model)
{
    return only_uniform_gravity(model) && !has_loops(model) && !model.any_held() &&
           model.skins().empty();
}

JointSystem::JointSystem(System& world)
    : world(world), linkage(linkage_of(world.model)), inertias(link_inertias(linkage, world.model)),
      space(linkage), sums_(linkage, world.model.masses()), mx_on_world_(zero3<double>())
{
    const Model& model = world.model;
    has_armatures_ = std::any_of(linkage.links.begin(), linkage.links.end(),
                                 [](const Link& link) { return link.armature != 0; });
    floats_ = std::any_of(linkage.links.begin(), linkage.links.end(),
                          [](const Link& link) { return link.joint == Tree::none; });
    const std::vector<int>& carrier = model.tree().carrier;
    carries_ = std::any_of(carrier.begin(), carrier.end(), [](int j) { return j != Tree::none; });
    for (std::size_t i = 0; i < linkage.bodies.size(); ++i) {
        const BodyMass& mass = model.masses()[i];
        m_ += mass.m;
        if (linkage.bodies[i].link != poinsot::world)
            continue;
        on_world_.push_back(i);
        m_on_world_ += mass.m;
        mx_on_world_ += mass.m * linkage.bodies[i].center;
    }
    only_gravity_ = only_uniform_gravity(model) && !world.press;
    gravity_and_parts_ = only_gravity_and_parts(model) && !world.press;
    has_loops_ = has_loops(model);
    no_forces_.assign(freedoms(), 0.0);
    external_.resize(linkage.size());
    carried_.resize(model.bodies().size());
    std::vector<char> carries(linkage.size(), 0); // a body with tanks
    for (const Vessel& vessel : model.vessels()) {
        steered_ = steered_ || vessel.steered;
        const int link = linkage.bodies[static_cast<std::size_t>(vessel.body)].link;
        if (link != poinsot::world)
            carries[static_cast<std::size_t>(link)] = 1;
    }
    for (std::size_t i = 0; i < linkage.bodies.size(); ++i)
        if (const LinkedBody& at = linkage.bodies[i];
            at.link != poinsot::world && carries[static_cast<std::size_t>(at.link)]) {
            const bool first = std::none_of(in_vessels_.begin(), in_vessels_.end(), [&](auto& in) {
                return linkage.bodies[in.body].link == at.link;
            });
            in_vessels_.push_back({i, at.R == identity3<double>(), first});
        }
    velocity_.assign(static_cast<std::size_t>(model.coordinates()), -1);
    for (const Link& link : linkage.links)
        if (link.joint != Tree::none && freedoms_of(link.op) == 1)
            velocity_[static_cast<std::size_t>(
                model.first_coordinate(static_cast<std::size_t>(link.joint)) + link.coordinate)] =
                link.v;
}

void JointSystem::weigh(double t)
{
    if (world.model.vessels().empty())
        return;
    world.weigh(t);
    const Weighed& weighed = world.placed.weighed;
    if (weighed.moment == taken_moment_)
        return;
    // In one term nothing but time goes on; flows that follow a control do so in time.
    const bool same_term = weighed.moment.of == taken_moment_.of &&
                           weighed.moment.term == taken_moment_.term &&
                           weighed.flowing.shares.empty();
    taken_moment_ = weighed.moment;
    if (same_term)
        return take_contents();
    if (world.placed.bodies.empty() || !same_list<char>(taken_flows_, weighed.flowing.on) ||
        !same_list<FlowShare>(taken_shares_, weighed.flowing.shares))
        return take_masses();
    if (!same_list<double>(taken_contents_, weighed.contents))
        take_contents();
}

void JointSystem::take_masses()
{
    const Weighed& weighed = world.placed.weighed;
    std::vector<PlacedBody>& bodies = world.placed.bodies;
    if (bodies.empty()) {
        bodies.resize(weighed.masses.size());
        for (std::size_t i = 0; i < bodies.size(); ++i)
            bodies[i].mass = weighed.masses[i];
    }
    taken_flows_ = weighed.flowing.on;
    taken_shares_ = weighed.flowing.shares;
    take_contents();
}

void JointSystem::take_contents()
{
    const Weighed& weighed = world.placed.weighed;
    const BodyMass* const masses = weighed.masses.data();
    PlacedBody* const bodies = world.placed.bodies.data();
    for (const Vessel& vessel : world.model.vessels())
        copy_varying(masses[vessel.body], bodies[vessel.body].mass);
    copy_list<double>(weighed.contents, taken_contents_);
    for (const InVessel& in : in_vessels_) {
        const LinkedBody& at = linkage.bodies[in.body];
        const BodyMass& mass = masses[in.body];
        LinkInertia<double>& sum = inertias[static_cast<std::size_t>(at.link)];
        if (in.aligned && mass.varies) { // most do: nothing is to be turned
            const Triple<double> c = triple_of(at.x) + triple_of(mass.center), m = same_of(mass.m);
            const LinkInertia<double> one{mass.m, m * c,
                                          about_displaced<double>(sym_triple_of(mass.I_b), m, c)};
            sum = in.first ? one : sum + one;
        } else
            sum = in.first ? link_inertia(at, mass) : sum + link_inertia(at, mass);
    }
    if (gravity_and_parts_ && !steered_)
        take_flows();
}

// What a body feels about its centre of mass, (F_0 + 2 p_flow × ω, τ_0 − B ω + L_flow × ω), is
// about the origin of its link, from which the centre has the lever c,
//
//     τ = τ_0 + c × F_0 + (−B + [L_flow ×] + a cᵀ − a·c 1) ω         a = 2 p_flow
void JointSystem::take_flows()
{
    const OwnLoad<double> none{zero3<double>(), zero3<double>(), zero3<double>(),
                               Mat3<double>{zero3<double>(), zero3<double>(), zero3<double>()}};
    flows_.assign(linkage.size(), none);
    const Weighed& weighed = world.placed.weighed;
    for (std::size_t k = 0; k < world.model.vessels().size(); ++k) {
        const auto i = static_cast<std::size_t>(world.model.vessels()[k].body);
        const LinkedBody& at = linkage.bodies[i];
        if (at.link == poinsot::world || !weighed.masses[i].flows)
            continue;
        const MassRate& rate = weighed.rates[k];
        const Vec3<double> c = center_in_link(at, weighed.masses[i]);
        const Vec3<double> F = at.R * vec_of(rate.push_F), a = at.R * vec_of(rate.coriolis);
        const double ac = dot(a, c);
        OwnLoad<double>& sum = flows_[static_cast<std::size_t>(at.link)];
        sum.F += F;
        sum.tau += at.R * vec_of(rate.push_tau) + cross(c, F);
        sum.a += a;
        sum.M = sum.M + skew(at.R * vec_of(rate.L)) -
                full(congruent(at.R, sym3_of(rate.damping)) + diagonal(ac, ac, ac)) +
                Mat3<double>{a.x * c, a.y * c, a.z * c};
    }
}

std::span<const LinkInertia<double>> JointSystem::inertia_rates()
{
    if (!world.anything_flows())
        return {};
    // What a tank gains is a layer at its surface: ṁ of mass, at s, with G about its middle.
    const Weighed& weighed = world.placed.weighed;
    const Triple<double> none = zero_triple<double>();
    inertia_rates_.assign(linkage.size(), {0.0, none, {none, none}});
    for (const Vessel& vessel : world.model.vessels()) {
        const LinkedBody& at = linkage.bodies[static_cast<std::size_t>(vessel.body)];
        if (at.link == poinsot::world)
            continue;
        LinkInertia<double>& sum = inertia_rates_[static_cast<std::size_t>(at.link)];
        for (const int tank : vessel.tanks) {
            const auto t = static_cast<std::size_t>(tank);
            const TankShape& shape = world.model.tank_shapes()[t];
            const double rate = weighed.flowing.rates[t];
            const Vec3<double> s = at.x + at.R * shape.surface(weighed.contents[t]);
            sum =
                sum + LinkInertia<double>{
                          rate, triple_of(rate * s),
                          sym_triple_of(about_displaced(rate * congruent(at.R, shape.G), rate, s))};
        }
    }
    return inertia_rates_;
}

void JointSystem::push(std::span<const double> q, std::span<const Wrench<double>> impulses,
                       double t, std::span<double> v)
{
    x.assign(freedoms(), 0.0);
    u.assign(freedoms(), 0.0);
    place_bodies(q, x);
    link_loads(linkage, world.placed.bodies, impulses, external_, space);
    forward_dynamics<double>(linkage, inertias, q, x, no_forces_, external_, zero3<double>(), u,
                             space);
    for (std::size_t i = 0; i < v.size(); ++i)
        v[i] += u[i];
    if (!has_rows())
        return;
    place(q, v);
    bind_loops(world.model, world.placed, t, rows_, world.standing);
    factor_inertia<double>(linkage, inertias, space);
    solver_.factorise(linkage, rows_, world.placed.bodies, space);
    lambda_.assign(rows_.rows.size(), 0.0);
    speed_lacks(rows_, lack_);
    solver_.reply(lack_, lambda_, v);
}

void JointSystem::place_bodies(std::span<const double> q, std::span<const double> v)
{
    poinsot::place_bodies(linkage, world.model, q, v, world.placed, space);
}
void JointSystem::place(std::span<const double> q, std::span<const double> v)
{
    place_bodies(q, v);
    world.place_joints();
}

void JointSystem::gather(double t)
{
    world.loads.carries = world.loads.booked ? Loads::Carried::apart : Loads::Carried::left_out;
    world.gather(t);
}

std::optional<std::span<const double>> JointSystem::forces_along_joints()
{
    const Input& input = world.input;
    // A tank from which nothing flows is mass, and a rotor that coasts a term of the motion.
    // What flows is a load that links have of themselves.
    const bool falls = only_gravity_ || (gravity_and_parts_ && world.rotors_coast() &&
                                         !(steered_ && world.anything_flows()));
    if (!falls || has_rows() || world.holding || !input.loads.empty())
        return std::nullopt;
    if (!input.tau.empty()) {
        check(input.tau.size() == freedoms(), "tau has a force per velocity");
        return input.tau;
    }
    if (input.user_force)
        return std::nullopt;
    tau_.assign(freedoms(), 0.0);
    for (const StepJointForce& force : input.joint_forces) {
        const int first = world.model.first_coordinate(static_cast<std::size_t>(force.joint));
        tau_[static_cast<std::size_t>(
            velocity_[static_cast<std::size_t>(first + force.coordinate)])] += force.Q;
    }
    return tau_;
}

std::span<const Vec3<double>> JointSystem::spin_of_links()
{
    const auto& rotors = world.model.rotors();
    if (taken_rotors_ == world.rotors)
        return spin_;
    taken_rotors_ = world.rotors;
    spin_.assign(linkage.size(), zero3<double>());
    for (std::size_t i = 0; i < rotors.size(); ++i) {
        const LinkedBody& at = linkage.bodies[static_cast<std::size_t>(rotors[i].body)];
        if (at.link != poinsot::world)
            spin_[static_cast<std::size_t>(at.link)] += world.rotors[i] * (at.R * rotors[i].axis);
    }
    return spin_;
}

std::span<const OwnLoad<double>> JointSystem::flows_of_links() const
{
    return world.anything_flows() ? std::span<const OwnLoad<double>>(flows_)
                                  : std::span<const OwnLoad<double>>();
}

bool JointSystem::answer(std::span<const double> q, std::span<const double> v, double t,
                         std::span<double> v_dot, bool gathers)
{
    weigh(t);
    const auto along = forces_along_joints();
    if (!along || gathers) {
        place(q, v);
        gather(t);
    }
    if (along) {
        forward_dynamics<double>(linkage, inertias, q, v, *along, {}, world.model.gravity().uniform,
                                 v_dot, space, spin_of_links(), flows_of_links());
        return true;
    }
    link_loads(linkage, world.placed.bodies, world.loads.total, external_, space);
    forward_dynamics<double>(linkage, inertias, q, v, no_forces_, external_, zero3<double>(), v_dot,
                             space);
    if (world.holding)
        world.holding->reply(*this, v, t, v_dot);
    else if (has_rows())
        close_loops(v, t, v_dot);
    return false;
}

void JointSystem::evaluate(std::span<const double> q, std::span<const double> v, double t,
                           std::span<double> v_dot, bool reactions)
{
    answer(q, v, t, v_dot, reactions);
    if (reactions)
        add_tree_reactions(v, v_dot);
}

void JointSystem::evaluate_tree(std::span<const double> q, std::span<const double> v, double t,
                                std::span<double> v_dot)
{
    const std::span<const Wrench<double>> loads = loads_of(q, v, t);
    forward_dynamics<double>(linkage, inertias, q, v, no_forces_, loads, zero3<double>(), v_dot,
                             space);
}

void JointSystem::lack_of_acceleration(std::span<const double> v, std::span<const double> v_dot)
{
    link_accelerations<double>(linkage, v, v_dot, space);
    for (const Block& block : rows_.blocks)
        for (int k = 0; k < block.rows; ++k) {
            const Row& row = rows_.row(block, k);
            const auto r = static_cast<std::size_t>(block.first_row + k);
            lack_[r] = -row.gamma - row.softness * lambda_[r];
            for (int i = 0; i < block.bodies; ++i) {
                const auto body = static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)]);
                const Twist<double> V_dot = point_acceleration(linkage.bodies[body].link,
                                                               world.placed.bodies[body].x, space);
                lack_[r] -= power(rows_.J_of(block, k, i), V_dot);
            }
        }
}

void JointSystem::close_loops(std::span<const double> v, double t, std::span<double> v_dot)
{
    bind_loops(world.model, world.placed, t, rows_, world.standing);
    solver_.factorise(linkage, rows_, world.placed.bodies, space);
    lambda_.assign(rows_.rows.size(), 0.0);
    lack_.resize(rows_.rows.size());
    for (int twice = 0; twice < 2; ++twice) { // the second time takes off the rounding of the first
        lack_of_acceleration(v, v_dot);
        solver_.reply(lack_, lambda_, v_dot);
    }
    poinsot::add_reactions(rows_, lambda_, world.loads);
}

void JointSystem::decide_rows(std::span<const double> q, std::span<const double> v, double t)
{
    solver_.forget();
    if (world.repeat_tolerance == 0 || !has_rows())
        return;
    weigh(t);
    place(q, v);
    bind_loops(world.model, world.placed, t, rows_, world.standing);
    factor_inertia<double>(linkage, inertias, space);
    solver_.decide(linkage, rows_, world.placed.bodies, space, world.repeat_tolerance);
}

const char* JointSystem::project(JointMotion& y, double t, Postings& postings)
{
    if (!has_rows())
        return nullptr;
    x.resize(freedoms());
    double error = 0, last = INFINITY;
    bool looks_again = false;
    place(y.q, y.v);
    world.before = world.placed.bodies;
    const Stores stored = postings.off() ? Stores{} : stores_of(world.model, world.placed);
    const auto factorise = [&] {
        factor_inertia<double>(linkage, inertias, space);
        solver_.factorise(linkage, rows_, world.placed.bodies, space);
        lambda_.assign(rows_.rows.size(), 0.0);
    };
    for (int iteration = 0; iteration < 50; ++iteration) {
        bind_loops(world.model, world.placed, t, rows_, world.standing);
        error = place_error(rows_);
        const bool slow = !(error < 0.5 * last);
        if (!(error > place_rounding))
            break;
        const bool stuck = slow && (error < 1e-3 || iteration > 10);
        if (stuck && error > place_met && solver_.forget())
            looks_again = true; // stabilise.hpp says why
        else if (slow && error < 1e-9)
            break;
        if (looks_again)
            free_velocities(world.model, rows_);
        last = error;
        factorise();
        place_lacks(rows_, lack_);
        std::fill(x.begin(), x.end(), 0.0);
        solver_.reply(lack_, lambda_, x);
        displace<double>(linkage, y.q, std::span<const double>(x), y.q);
        place(y.q, y.v);
    }
    if (!(error < run_away))
        return beyond_numbers;
    if (!(error < 1e-6))
        return "the loops cannot all be closed: a mechanism that is stretched too far, or "
               "prescribed motions that contradict each other";
    renormalise(linkage, y.q);
    place(y.q, y.v);
    bind_loops(world.model, world.placed, t, rows_, world.standing);
    factorise();
    speed_lacks(rows_, lack_);
    solver_.reply(lack_, lambda_, y.v);
    if (postings.off())
        return nullptr;
    place_bodies(y.q, y.v);
    if (joints_have_stores(world.model))
        place_joints(world.model, world.joint_coordinates, world.placed);
    postings.shift_stores(stores_of(world.model, world.placed) - stored);
    for (std::size_t i = 0; i < world.before.size(); ++i) {
        const PlacedBody &before = world.before[i], &after = world.placed.bodies[i];
        postings.post(static_cast<int>(i), Cause::stabilisation,
                      {after.p - before.p, after.L - before.L,
                       cross(after.x, after.p) - cross(before.x, before.p),
                       after.kinetic_energy() - before.kinetic_energy()});
    }
    return nullptr;
}

bool JointSystem::only_gravity() const
{
    const Input& input = world.input;
    return only_gravity_ && input.loads.empty() && input.joint_forces.empty() &&
           input.tau.empty() && !input.user_force;
}

bool JointSystem::only_weight() const
{
    const Input& input = world.input;
    return only_gravity() || (gravity_and_parts_ && world.model.rotors().empty() &&
                              !world.anything_flows() && input.loads.empty() &&
                              input.joint_forces.empty() && input.tau.empty() && !input.user_force);
}

Vec3<double> JointSystem::gravity() const
{
    return only_weight() ? world.model.gravity().uniform : zero3<double>();
}

void JointSystem::named_coordinates(std::span<const double> q, std::span<double> out) const
{
    for (const Link& link : linkage.links)
        if (link.joint != Tree::none && freedoms_of(link.op) == 1) {
            const int first = world.model.first_coordinate(static_cast<std::size_t>(link.joint));
            out[static_cast<std::size_t>(first + link.coordinate)] =
                q[static_cast<std::size_t>(link.q)];
        }
}

std::span<const Wrench<double>> JointSystem::loads_of(std::span<const double> q,
                                                      std::span<const double> v, double t)
{
    weigh(t);
    place(q, v);
    gather(t);
    link_loads(linkage, world.placed.bodies, world.loads.total, external_, space);
    return external_;
}

Twist<double> JointSystem::acceleration_of(std::size_t body) const
{
    return point_acceleration(linkage.bodies[body].link, world.placed.bodies[body].x, space);
}

void JointSystem::strike(std::span<const double> v, double t, std::span<const double> jump,
                         std::span<double> v_after)
{
    bind_loops(world.model, world.placed, t, rows_, world.standing);
    factor_inertia<double>(linkage, inertias, space);
    solver_.factorise(linkage, rows_, world.placed.bodies, space);
    lambda_.assign(rows_.rows.size(), 0.0);
    lack_.assign(rows_.rows.size(), 0.0);
    std::copy(jump.begin(), jump.end(), lack_.end() - static_cast<std::ptrdiff_t>(jump.size()));
    std::copy(v.begin(), v.end(), v_after.begin());
    solver_.reply(lack_, lambda_, v_after);
}

void JointSystem::impulses_of_strike(std::span<const PlacedBody> after,
                                     std::span<const double> v_change)
{
    const auto& before = world.placed.bodies;
    world.loads.clear(before.size());
    poinsot::add_reactions(rows_, lambda_, world.loads);
    add_armatures(v_change);
    for (std::size_t i = 0; i < before.size(); ++i)
        carried_[i] = Wrench<double>{after[i].p - before[i].p, after[i].L - before[i].L} -
                      world.loads.total[i];
    hand_down();
}

} // namespace poinsot
