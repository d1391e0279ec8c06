// SPDX-License-Identifier: MIT
#include "poinsot/step/acting.hpp"

#include "poinsot/constraints/reaction.hpp"
#include "poinsot/contacts/press.hpp"
#include "poinsot/integrate/joint_system.hpp"
#include "poinsot/solve/redundancy.hpp"
#include "poinsot/step/edges.hpp"

#include <algorithm>

namespace poinsot {

struct Acting::Parts {
    Parts(const Model& model, const StepSettings& settings, const Input& given)
        : settings(settings), given(given), input(given), system(model, input)
    {
        make_press(system, settings);
        system.shows_loads = true;
        // Where reactions are not unique both formulations tell the least, and rows of all joints
        // tell it.
        const bool reduced = settings.formulation == Formulation::reduced;
        repeats = rows_repeat(model);
        if (reduced && !repeats)
            joints = std::make_unique<JointSystem>(system);
        if (!model.joints().empty() && settings.stabilisation == Stabilisation::baumgarte &&
            !reduced)
            system.baumgarte = settings.baumgarte();
    }
    const StepSettings settings;
    const Input& given;
    Input input; // and what touches
    System system;
    std::unique_ptr<JointSystem> joints; // in reduced coordinates
    bool repeats = false;                // does any row say what others do?
    std::vector<double> v_dot;
    std::vector<MovingMass> masses;
};

Acting::Acting(const Model& model, const StepSettings& settings, const Input& input)
    : parts_(std::make_unique<Parts>(model, settings, input))
{
}
Acting::Acting(Acting&&) noexcept = default;
Acting::~Acting() = default;

/// What touches and what drives joins the input as forces of a step.
void Acting::press(const Answered& answered)
{
    Parts& p = *parts_;
    p.input = p.given;
    p.system.loads.drives_bind = !answered.drives.empty();
    const auto drives = answered.drives;
    const auto touches =
        p.system.press ? std::span<const TouchRecord>() : answered.touches; // it presses by itself
    if (touches.empty() && drives.empty())
        return;
    p.input.user_force = [&p, touches, drives](const Placed& placed, double t, Loads& loads) {
        if (p.given.user_force)
            p.given.user_force(placed, t, loads);
        for (const DriveRecord& drive : drives)
            add_along(p.system.model, placed, static_cast<std::size_t>(drive.joint),
                      drive.coordinate, drive.cause, drive.impulse / p.settings.h, loads);
        const auto& skins = p.system.model.skins();
        for (const TouchRecord& touch : touches) {
            const Vec3<double> F = (1 / p.settings.h) * touch.impulse;
            const Vec3<double> normal = dot(F, touch.normal) * touch.normal;
            const Vec3<double> moment = (1 / p.settings.h) * touch.moment;
            for (const int side : {-1, 1}) {
                const int body = skins[static_cast<std::size_t>(side < 0 ? touch.a : touch.b)].body;
                if (body == world)
                    continue;
                const Vec3<double> r =
                    touch.point - placed.bodies[static_cast<std::size_t>(body)].x;
                loads.add_force(body,
                                touch.ahead ? Cause::contact_speculative : Cause::contact_normal, r,
                                side * normal);
                Wrench<double> rubs = force_at(r, side * (F - normal));
                rubs.tau += side * moment;
                loads.add(body, touch.ahead ? Cause::contact_speculative : Cause::contact_friction,
                          rubs, r);
            }
        }
    };
}

void Acting::look(const State& state, const Answered& answered)
{
    const double t = static_cast<double>(state.step) * parts_->settings.h;
    look_at(state, t, right_after(parts_->system.model, t, parts_->settings.h), answered);
}

void Acting::look_at(const State& state, double t, double active_at, const Answered& answered)
{
    press(answered);
    System& system = parts_->system;
    const Model& model = system.model;
    system.active_at = active_at;
    system.joint_coordinates = state.joint_coordinates;
    system.standing = state.standing;
    system.start_rotors(state.rotors, t);
    system.start_tanks(state.tanks, state.flowing, t);
    system.start_joints(state.released);
    if (system.press) {
        place(model, state, system.placed);
        system.press->begin(system.placed, state.pressed);
    }
    joints_.resize(model.joints().size());
    if (parts_->joints) {
        JointSystem& joints = *parts_->joints;
        parts_->v_dot.resize(joints.freedoms());
        joints.evaluate(state.joints.q, state.joints.v, t, parts_->v_dot, true);
        for (std::size_t j = 0; j < joints_.size(); ++j)
            joints_[j] = joints.reaction_of(static_cast<int>(j), system.placed.joints[j].x_b);
    } else {
        place(model, state, system.placed);
        Bonds& bonds = system.bonds;
        if (parts_->repeats) { // the state may be one that drifts
            place_joints(model, system.joint_coordinates, system.placed);
            bonds.decide(model, system.placed, t, TreeDirect::drift_tolerance, system.standing);
        }
        system.evaluate_placed(t);
        if (!joints_.empty() && bonds.solver.rank() < bonds.rows.count()) {
            masses_of(system.placed, parts_->masses);
            share_least(bonds.rows, parts_->masses, bonds.solver, bonds.answer.lambda);
        }
        for (std::size_t j = 0; j < joints_.size(); ++j)
            joints_[j] = reaction_of(model, bonds.rows, static_cast<int>(j), bonds.answer.lambda,
                                     system.placed, system.placed.joints[j].x_b);
    }
    sum_up();
    if (system.loads.keep_points)
        find_points();
}

void Acting::find_points()
{
    const System& system = parts_->system;
    const Model& model = system.model;
    const Placed& placed = system.placed;
    points_.clear();
    for (std::size_t k = 0; k < system.loads.parts.size(); ++k)
        if (const auto& r = system.loads.points[k]) {
            const LoadPart& part = system.loads.parts[k];
            points_.push_back({part.body, part.cause, *r, part.wrench});
        }
    through_.resize(model.joints().size());
    for (std::size_t j = 0; j < model.joints().size(); ++j) {
        const Vec3<double> x = placed.joints[j].x_b;
        const Wrench<double> W =
            parts_->joints
                ? parts_->joints->reaction_of(static_cast<int>(j), x, ReactionOf::joint_and_drive)
                : reaction_of(model, system.bonds.rows, static_cast<int>(j),
                              system.bonds.answer.lambda, placed, x, ReactionOf::joint_and_drive);
        through_[j] = W;
        for (const auto& [body, sign] :
             {std::pair(model.joints()[j].a, -1.0), std::pair(model.joints()[j].b, 1.0)}) {
            if (body == world)
                continue;
            const Vec3<double> r = x - placed.bodies[static_cast<std::size_t>(body)].x;
            points_.push_back({body, Cause::joint, r, sign * shift(W, -r)});
        }
    }
    for (const AlongPart& part : system.loads.along)
        through_[part.joint] = through_[part.joint] + part.on_b;
}

void Acting::keep_points()
{
    parts_->system.loads.keep_points = true;
}
const Placed& Acting::placed() const
{
    return parts_->system.placed;
}

void Acting::sum_up()
{
    const System& system = parts_->system;
    const std::vector<Body>& bodies = system.model.bodies();
    on_.assign(bodies.size() * cause_count, {zero3<double>(), zero3<double>()});
    held_.assign(bodies.size(), zero3<double>());
    std::vector<bool> seen(bodies.size(), false);
    for (const LoadPart& part : system.loads.parts) {
        const auto i = static_cast<std::size_t>(part.body);
        Wrench<double>& sum = on_[i * cause_count + index_of(part.cause)];
        sum = sum + part.wrench;
        // What holds a body is added before what joins it.
        if (part.cause == Cause::joint && bodies[i].held && !seen[i]) {
            held_[i] = part.wrench.F;
            seen[i] = true;
        }
    }
}

std::vector<Cause> causes_of(const Model& model, const StepSettings& settings, const Input& input)
{
    std::array<bool, cause_count> acts{};
    acts.fill(static_cast<bool>(input.user_force));
    const auto add = [&](Cause cause, bool does) {
        acts[index_of(cause)] = acts[index_of(cause)] || does;
    };
    add(Cause::gravity, model.gravity().G != 0 || model.gravity().uniform != zero3<double>() ||
                            model.planet().mu > 0);
    add(Cause::applied, !model.loads().empty() || !input.loads.empty());
    add(Cause::drag, !model.drags().empty() || !model.aerodynamics().empty());
    for (const Spring& spring : model.springs()) {
        add(Cause::spring, spring.stiffness > 0);
        add(Cause::damper, spring.damping > 0);
    }
    for (const Bushing& bushing : model.bushings()) {
        add(Cause::spring, !bushing.stiffness.none());
        add(Cause::damper, !bushing.damping.none());
    }
    add(Cause::joint, !model.joints().empty() || model.any_held());
    add(Cause::contact_normal, !model.skins().empty());
    add(Cause::contact_friction, !model.skins().empty());
    add(Cause::contact_speculative, !model.skins().empty() && settings.method == Method::impulsive);
    add(Cause::motor, !input.joint_forces.empty() || !input.tau.empty());
    for (const Rotor& rotor : model.rotors())
        add(rotor.prescribed() ? Cause::motor : Cause::rotor, true);
    add(Cause::rotor, !model.rotors().empty());
    add(Cause::thrust, !model.flows().empty());
    add(Cause::stabilisation,
        !model.joints().empty() && settings.stabilisation == Stabilisation::baumgarte);
    for (const Joint& joint : model.joints()) {
        add(Cause::motor, joint.motion.has_value());
        for (const CoordinateLaw& law : joint.laws) {
            add(Cause::spring, law.stiffness > 0);
            add(Cause::damper, law.damping > 0 || law.friction > 0);
            add(Cause::motor, law.motor || law.prescribed);
            add(Cause::rotor, law.armature > 0);
            add(Cause::limit, std::isfinite(law.lower) || std::isfinite(law.upper));
        }
    }
    std::vector<Cause> all;
    for (std::size_t c = 0; c < cause_count; ++c)
        if (acts[c])
            all.push_back(static_cast<Cause>(c));
    return all;
}

std::vector<bool> reactions_unique(const Model& model)
{
    std::vector<bool> unique(model.joints().size(), true);
    if (unique.empty())
        return unique;
    const Placed placed = place(model, start_of(model, FormKind::momentum));
    Rows rows;
    bind_joints(model, placed, 0, rows);
    std::vector<MovingMass> masses;
    masses_of(placed, masses);
    TreeDirect solver;
    solver.factorise(rows, masses);
    for (const std::vector<double>& idle : idle_multipliers(rows, solver)) {
        double most = 0;
        for (const double nu : idle)
            most = std::max(most, std::abs(nu));
        for (const Block& block : rows.blocks)
            for (int k = 0; k < block.rows && block.origin == Block::Origin::joint; ++k)
                if (std::abs(idle[static_cast<std::size_t>(block.first_row + k)]) > 1e-9 * most)
                    unique[static_cast<std::size_t>(block.index)] = false;
    }
    return unique;
}

} // namespace poinsot
