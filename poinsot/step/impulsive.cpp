// SPDX-License-Identifier: MIT
#include "poinsot/step/impulsive.hpp"

#include "poinsot/integrate/joint_chart.hpp"
#include "poinsot/integrate/joint_system.hpp"
#include "poinsot/integrate/kick.hpp"
#include "poinsot/model/velocity_dependence.hpp"
#include "poinsot/solve/impact.hpp"
#include "poinsot/step/impulsive_parts.hpp"
#include "poinsot/step/overlaps.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

// Of mid-kick: of the largest speed, found in so many rounds, or the part is too long.
constexpr double settled = 1e-12;
constexpr int most_rounds_of_kick = 12;
constexpr double least_part_that_turns = 1e-4; // of a step

std::size_t at(int i)
{
    return static_cast<std::size_t>(i);
}

/// J · V of row r, which is the k-th of its block.
double speed_of(const Rows& rows, const Block& block, int k, const Placed& placed)
{
    double speed = rows.row(block, k).rate_t;
    for (int i = 0; i < block.bodies; ++i)
        speed += power(rows.J_of(block, k, i), placed.bodies[at(block.body[at(i)])].twist());
    return speed;
}
void speeds_of(const Rows& rows, const Placed& placed, Eigen::VectorXd& out)
{
    out.resize(rows.count());
    for (const Block& block : rows.blocks)
        for (int k = 0; k < block.rows; ++k)
            out(block.first_row + k) = speed_of(rows, block, k, placed);
}

} // namespace

Impulsive::Impulsive(const Model& model)
    : model_(model), drives_(model), parts_(std::make_unique<Parts>())
{
    for (const Skin& skin : model.skins()) {
        shapes_.push_back(&skin.collider);
        filters_.push_back(skin.filter);
        owners_.push_back(skin.body);
        if (skin.collider.bounded())
            largest_ = std::max(largest_, norm(skin.collider.bounds().size()));
    }
    poses_.resize(shapes_.size());
    for (const auto& [a, b] : model.skins_apart())
        broadphase_.never(a, b);
    usual_within_ = touch_within(model, {});
    for (const Joint& joint : model.joints())
        for (const CoordinateLaw& law : joint.laws)
            drives_weigh_ = drives_weigh_ || law.armature > 0;
    loads_depend_ = depends_on_velocity(model, true);
}
Impulsive::~Impulsive() = default;

void Impulsive::find_contacts(const System& system, const StepSettings& settings, double h)
{
    const auto& skins = model_.skins();
    // A load that takes a body farther in a step is one that the step does not resolve.
    const double near =
        within(settings) + std::min(reach_ahead(system, settings, h), 0.25 * largest_);
    pairs_.clear();
    contacts_.clear(); // nothing but the state may say how the next step goes
    if (settings.contact.response == ContactResponse::penalty) // which is among the loads
        return;
    place_skins(model_, system.placed, poses_);
    for (const auto& pair : broadphase_.pairs(shapes_, poses_, filters_, near))
        if (skins[at(pair.first)].body != skins[at(pair.second)].body)
            pairs_.push_back(pair);
    contacts_.find(pairs_, shapes_, poses_, near, owners_);
}

// ---- a kick -------------------------------------------------------------------------------------

/// Speeds before anything acts, friction that holds, and what was solved for the same points.
void Impulsive::begin_at(const State& state, const Placed& placed)
{
    Parts& p = *parts_;
    speeds_of(rows_, placed, p.before);
    p.start.setZero(rows_.count());
    for (TouchRows& rows : points_) {
        const Manifold& m = contacts_.manifolds()[at(rows.manifold)];
        const ContactPoint& point = m.point[at(rows.point)];
        const Vec3<double> t_1 = m.tangent, t_2 = cross(m.normal, t_1);
        // Of the same pair, the nearest: features of faces that lie on each other are as they fall.
        const Touched* known = nullptr;
        double least = std::numeric_limits<double>::infinity();
        for (auto old = std::lower_bound(
                 state.touched.begin(), state.touched.end(), key_of(m),
                 [](const Touched&a, const std::array<int, 4>&b) { return a.pair < b; });
             old != state.touched.end() && old->pair == key_of(m); ++old) {
            const double far = norm(old->point - 0.5 * (point.on_a + point.on_b));
            known = far < least ? &*old : known;
            least = std::min(least, far);
        }
        int r = rows.first;
        const bool stands = rows.tangents > 0 && std::hypot(p.before(r + 1), p.before(r + 2)) <=
                                                     1e-8 * std::abs(p.before(r));
        if (known ? !known->slides : stands)
            rows.law.friction = rows.law.static_friction;
        if (!known)
            continue;
        p.start(r++) = known->normal;
        if (rows.tangents > 0) {
            p.start(r++) = dot(known->friction, t_1);
            p.start(r++) = dot(known->friction, t_2);
        }
        if (rows.twists > 0)
            p.start(r++) = known->torsion;
        if (rows.rolls > 0) {
            p.start(r++) = dot(known->rolling, t_1);
            p.start(r++) = dot(known->rolling, t_2);
        }
    }
}

/// How do the bonds reply? Reactions of every island. Returns why there are none.
const char* Impulsive::reply(const StepSettings& settings, std::size_t bodies,
                             const JointRows* linkage)
{
    Parts& p = *parts_;
    p.r.setZero(rows_.count());
    p.restored.setZero(rows_.count());
    p.after = p.freely;
    ImpactSettings how;
    how.law = settings.contact.law;
    how.order = settings.contact.order;
    how.exact = settings.contact.exact;
    how.cone.tolerance = how.sweeps.tolerance = settings.contact.tolerance;
    how.sweeps.sweeps = settings.contact.sweeps;
    how.cone.stop = how.sweeps.stop = stop_;
    const bool dense =
        linkage || how.law == ImpactLaw::poisson || how.order == ImpactOrder::in_sequence;
    drives_.measure(span_of(p.freely));
    divide(model_, rows_, points_, p.stops, drives_.all(), bodies, linkage != nullptr, p.islands,
           p.used);
    aim();
    for (std::size_t k = 0; k < p.used; ++k) {
        Island& island = p.islands[k];
        if (foresees_ && island.touches())
            continue;
        const Eigen::Index n = island.rows.count();
        if (dense && n > most_dense_rows)
            return too_many_rows;
        if (linkage) {
            const auto m = static_cast<std::size_t>(rows_.count());
            island.problem.rows = nullptr;
            island.problem.W.resize(n, n);
            for (Eigen::Index i = 0; i < n; ++i)
                for (Eigen::Index j = 0; j < n; ++j)
                    island.problem.W(i, j) =
                        linkage->A()[at(island.row[static_cast<std::size_t>(i)]) * m +
                                     at(island.row[static_cast<std::size_t>(j)])];
        } else {
            island.problem.rows = &island.rows;
            island.problem.masses = masses_;
        }
        island.problem.q.resize(n);
        island.before.resize(n);
        island.start.resize(n);
        for (Eigen::Index i = 0; i < n; ++i) {
            const int r = island.row[static_cast<std::size_t>(i)];
            island.problem.q(i) = p.freely(r) - p.aim(r); // speeds are counted from there
            island.before(i) = p.before(r) - p.aim(r);
            island.start(i) = p.start(r);
        }
        const auto answer = answer_of(island, how);
        if (!answer)
            return "what touches makes no sense: a number is none, or nothing moves";
        if (how.exact && presses_too_much(island, *answer))
            return pressed_.c_str();
        residual_ = std::max(residual_, answer->contact.residual);
        unsolved_ += !answer->contact.solved;
        record_gains(island, *answer);
        for (Eigen::Index i = 0; i < n; ++i) {
            const int r = island.row[static_cast<std::size_t>(i)];
            p.r(r) = answer->contact.r(i) + p.guessed(r);
            p.restored(r) = answer->restored(i);
            p.after(r) = answer->contact.u(i);
        }
    }
    return nullptr;
}

/// The replies as loads for a time h. What throws back is known from what holds, and what holds
/// points that are open yet has an account of its own.
void Impulsive::add_replies(System& system, double h)
{
    const Parts& p = *parts_;
    std::size_t points = 0;
    for (const Block& block : rows_.blocks) {
        const bool normal = block.cause == Cause::contact_normal;
        points += normal;
        const TouchRows* point =
            block.origin == Block::Origin::contact ? &points_[points - 1] : nullptr;
        if (point && point->left_out)
            continue;
        const Cause cause = point && point->ahead > 0 ? Cause::contact_speculative : block.cause;
        for (int i = 0; i < block.bodies; ++i) {
            Wrench<double> held{zero3<double>(), zero3<double>()}, thrown = held;
            for (int k = 0; k < block.rows; ++k) {
                const int r = block.first_row + k;
                const Wrench<double>& J = rows_.J_of(block, k, i);
                const double back = normal ? p.restored(r) : 0; // limits have one account
                held = held + ((p.r(r) - back) / h) * J;
                thrown = thrown + (back / h) * J;
            }
            system.loads.add(block.body[at(i)], cause, held);
            if (normal && p.restored(block.first_row) != 0)
                system.loads.add(block.body[at(i)], Cause::contact_restitution, thrown);
        }
    }
}

/// What binds, at this place?
void Impulsive::bind(const State& state, System& system, double t, double h)
{
    bind_joints(model_, system.placed, t, rows_, stops_);
    leave_out(system.bonds.solver.decided(), rows_);
    drives_.bind(system.placed, rows_);
    bind_contacts(model_, system.placed, contacts_.manifolds(), rows_, points_);
    begin_at(state, system.placed);
    masses_of(system.placed, masses_);
    drives_.follow(span_of(parts_->before), masses_, t, h, rows_);
}

/// How does it reply to the loads of a time h?
const char* Impulsive::answer(const StepSettings& settings, System& system, double h)
{
    auto& bodies = system.placed.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        push(bodies[i], system.loads.total[i], h);
    speeds_of(rows_, system.placed, parts_->freely);
    if (guess_drives()) {
        std::vector<Wrench<double>>& guessed = parts_->guesses;
        guessed.assign(bodies.size(), {zero3<double>(), zero3<double>()});
        add_multipliers(rows_, span_of(parts_->guessed), guessed);
        for (std::size_t i = 0; i < bodies.size(); ++i)
            push(bodies[i], guessed[i], 1);
        speeds_of(rows_, system.placed, parts_->freely);
    }
    bodies = system.before;
    look_ahead(system.placed, settings, h);
    return reply(settings, bodies.size(), nullptr);
}

const char* Impulsive::kick(State& state, const StepSettings& settings, double t, double h,
                            Workspace& w)
{
    System& system = w.system;
    system.before = system.placed.bodies;
    gather(system, t, h);               // what acts?
    find_contacts(system, settings, h); // what touches?
    find_stops(system, settings, h);
    bind(state, system, t, h); // what binds?
    if (const char* failure = foresee(settings, system, t, h))
        return failure;
    if (const char* failure = answer(settings, system, h)) // how do the bonds reply?
        return failure;
    add_replies(system, h);
    remember(state);
    record_blows(h);
    poinsot::kick(system, h, w.postings); // where does it go?
    return nullptr;
}

/// Velocities in axes that turn are loads, and depend on velocity: those of mid-kick, as it comes
/// out. So the kick is its own mirror image, and what turns fast gains nothing. False: it turns too
/// fast to be found.
template <class Coast>
bool Impulsive::settle(const JointMotion& y, double h, const Coast& coast)
{
    Parts& p = *parts_;
    p.v = y.v;
    coast(0.5);
    coast(1);
    for (int round = 0; round < most_rounds_of_kick; ++round) {
        p.u = p.v;
        double change = 0, most = norm(model_.gravity().uniform) * h;
        for (std::size_t i = 0; i < p.v.size(); ++i)
            p.v[i] = 0.5 * (y.v[i] + p.v[i]);
        coast(1);
        for (std::size_t i = 0; i < p.v.size(); ++i) {
            change = std::max(change, std::abs(p.v[i] - p.u[i]));
            most = std::max(most, std::abs(p.v[i]));
        }
        if (!(change > settled * most))
            return true;
    }
    return false;
}

const char* Impulsive::kick(JointMotion& y, State& state, const StepSettings& settings, double t,
                            double h, Workspace& w)
{
    JointSystem& joints = *w.joints;
    System& system = w.system;
    Parts& p = *parts_;
    const std::size_t n = y.v.size();
    p.v_dot.resize(n);
    p.bends.clear();
    const auto coast = [&](double part) { // with what depends on velocity at p.v
        p.felt = p.v;
        const WithoutDrives loads(system.loads);
        joints.evaluate_tree(y.q, p.v, t, p.v_dot);
        p.floating->accelerate(system.placed.bodies, system.loads.total, p.v_dot);
        for (std::size_t i = 0; i < n; ++i)
            p.v[i] = y.v[i] + part * h * p.v_dot[i];
    };
    if (!settle(y, h, coast) && h > least_part_that_turns * settings.h) {
        p.unsettled = true;
        return nullptr;
    }
    joints.place(y.q, y.v);
    find_contacts(system, settings, h);
    find_stops(system, settings, h);
    bind_loops(model_, system.placed, t, rows_, stops_);
    leave_out(joints.rows_left_out(), rows_);
    drives_.bind(system.placed, rows_);
    bind_contacts(model_, system.placed, contacts_.manifolds(), rows_, points_);
    begin_at(state, system.placed);
    masses_of(system.placed, masses_);
    drives_.follow(span_of(p.before), masses_, t, h, rows_);
    if (rows_.count() > most_dense_rows)
        return too_many_rows;
    factor_inertia<double>(joints.linkage, joints.inertias, joints.space);
    p.linkage.assemble(joints.linkage, rows_, system.placed.bodies, joints.space);
    p.linkage.part_unmoved(rows_, system.placed.bodies);
    for (bool again = rows_.count() > 0 && points_.empty() && stops_.empty();; again = false) {
        joints.place_bodies(y.q, p.v);
        speeds_of(rows_, system.placed, p.freely);
        if (guess_drives()) {
            p.u = p.v;
            p.linkage.add_change(span_of(p.guessed), p.u);
            joints.place_bodies(y.q, p.u);
            speeds_of(rows_, system.placed, p.freely);
        }
        joints.place_bodies(y.q, y.v);
        look_ahead(system.placed, settings, h);
        if (const char* failure = reply(settings, system.placed.bodies.size(), &p.linkage))
            return failure;
        p.linkage.add_change(span_of(p.r), p.v);
        if (!again) // where something strikes, the mean of before and after is no better
            break;
        for (std::size_t i = 0; i < n; ++i)
            p.v[i] = 0.5 * (y.v[i] + p.v[i]);
        coast(1); // mid-kick as loops and motors have it
    }
    remember(state);
    record_blows(h);

    // Work belongs to the middle of the kick; what joints carry, to the velocities that it felt.
    // Then they do none: (v⁻ + v⁺)/2 is along them, and M (v⁺ − v⁻)/h + c(felt) is what loads and
    // contacts give.
    for (std::size_t i = 0; i < n; ++i) {
        p.v_dot[i] = (p.v[i] - y.v[i]) / h;
        y.v[i] += 0.5 * h * p.v_dot[i];
    }
    if (!w.postings.off() || p.floating->any()) {
        joints.place(y.q, y.v);
        add_replies(system, h);
        p.floating->push(system.placed.bodies, system.loads.total, h);
    }
    if (!w.postings.off())
        joints.post_reactions(y.q, p.felt, p.v_dot, y.v, h, w.postings);
    y.v = p.v;
    return nullptr;
}

// ---- the step -----------------------------------------------------------------------------------

void Impulsive::begin_step()
{
    records_.clear();
    driven_.clear();
    struck_.clear();
    gains_.clear();
    residual_ = 0;
    unsolved_ = most_taken_ = 0;
    unlooked_ = false;
}

/// Flies to the kick of a part and kicks; where another hit follows before the part ends, or what
/// turns goes too far in it, takes both back and a shorter part instead.
template <class Motion, class Fly, class Kick>
const char* Impulsive::reach_kick(Motion& y, State& state, const StepSettings& settings,
                                  double& part, Workspace& w, const Fly& fly, const Kick& kick)
{
    constexpr bool turns = std::is_same_v<Motion, JointMotion>;
    Motion& begin = parts_->begin_of<Motion>();
    if (looks_ || turns) {
        begin = y;
        keep(state, w);
    }
    for (;;) {
        fly(0.5 * part);
        parts_->unsettled = false;
        if (const char* failure = kick(part))
            return failure;
        const double fits =
            parts_->unsettled ? 0.5 * part : part_that_fits(settings, w.system.placed, part);
        if (fits == part)
            return nullptr;
        part = fits;
        y = begin;
        take_back(state, w);
    }
}

template <class Form>
StepReport Impulsive::pass(std::vector<Form>& bodies, State& state, const StepSettings& settings,
                           double t, double h, Workspace& w)
{
    System& system = w.system;
    auto& placed = system.placed.bodies;
    place(model_, std::span<const Form>(bodies), system.placed);
    taken_ = 0;
    stop_ = system.stop;
    for (double done = 0; done < h;) {
        begin_part(system);
        double part = part_of_step(settings, system.placed, h - done);
        const auto fly_for = [&](double time) { fly(bodies, placed, time); };
        const auto kick_for = [&](double time) {
            return kick(state, settings, t + done + 0.5 * time, time, w);
        };
        if (const char* failure = reach_kick(bodies, state, settings, part, w, fly_for, kick_for))
            return {taken_, failure};
        fly_for(0.5 * part);
        done = part < h - done ? done + part : h;
        if (overlaps(settings, part))
            part_overlaps(bodies, w);
        if (system.stopped()) // solvers may have ended early
            return interrupted_after(taken_);
    }

    keep_motion(placed, bodies);
    most_taken_ = std::max(most_taken_, taken_);
    return {taken_, nullptr};
}

StepReport Impulsive::pass(JointMotion& y, State& state, const StepSettings& settings, double t,
                           double h, Workspace& w)
{
    JointSystem& joints = *w.joints;
    Parts& p = *parts_;
    if (const std::vector<char>& released = w.system.placed.released;
        !p.floating || p.floating_without != released) {
        p.floating = std::make_unique<Floating>(model_, joints.linkage, released);
        p.floating_without = released;
    }
    Floating& floating = *p.floating;
    // A floating tree moves, then turns; after the kick it turns, then moves: so the step is its
    // own mirror image, and of second order. One body alone flies as it would without joints.
    const auto displaced = [&](bool places, double by) {
        p.u.assign(y.v.size(), 0.0);
        for (std::size_t i = 0; i < joints.linkage.size(); ++i) {
            const Link& link = joints.linkage.links[i];
            for (int k = 0; k < freedoms_of(link.op) && !floating.alone(static_cast<int>(i)); ++k)
                if ((link.op == LinkOp::free && k < 3) == places)
                    p.u[at(link.v + k)] = by * y.v[at(link.v + k)];
        }
        displace<double>(joints.linkage, y.q, std::span<const double>(p.u), y.q);
    };
    const auto centred = [&](double by) { // what floats is where its centre of mass flies to
        renormalise(joints.linkage, y.q);
        if (!floating.any())
            return;
        joints.place_bodies(y.q, y.v);
        floating.fly(by, w.system.placed.bodies, y.q, y.v);
    };
    taken_ = 0;
    stop_ = w.system.stop;
    for (double done = 0; done < h;) {
        if (settings.contact.continuous || floating.any() || drives_weigh_)
            joints.place_bodies(y.q, y.v);
        begin_part(w.system);
        double part = part_of_step(settings, w.system.placed, h - done);
        const auto fly_for = [&](double time) {
            floating.begin(w.system.placed.bodies, y.stages);
            displaced(true, time);
            displaced(false, time);
            centred(time);
        };
        const auto kick_for = [&](double time) {
            const char* failure = kick(y, state, settings, t + done + 0.5 * time, time, w);
            if (looks_ && !failure)
                joints.place_bodies(y.q, y.v);
            return failure;
        };
        if (const char* failure = reach_kick(y, state, settings, part, w, fly_for, kick_for))
            return {2 * taken_, failure};
        displaced(false, 0.5 * part);
        displaced(true, 0.5 * part);
        centred(0.5 * part);
        if (floating.any()) {
            joints.place_bodies(y.q, y.v);
            floating.settle(joints, y.v);
        }
        floating.keep(y.stages);
        done = part < h - done ? done + part : h;
        if (overlaps(settings, part))
            part_overlaps(y, w);
        if (w.system.stopped())
            return interrupted_after(2 * taken_);
    }
    most_taken_ = std::max(most_taken_, taken_);
    return {2 * taken_, nullptr};
}

template StepReport Impulsive::pass(std::vector<MomentumForm<double>>&, State&, const StepSettings&,
                                    double, double, Workspace&);
template StepReport Impulsive::pass(std::vector<VelocityForm<double>>&, State&, const StepSettings&,
                                    double, double, Workspace&);
template StepReport Impulsive::pass(std::vector<MatrixForm<double>>&, State&, const StepSettings&,
                                    double, double, Workspace&);

} // namespace poinsot
