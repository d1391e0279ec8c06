// SPDX-License-Identifier: MIT
#include "poinsot/state/placed.hpp"

#include "poinsot/model/throttle.hpp"

#include <limits>

namespace poinsot {

namespace {

/// Where a frame of a body is: its origin and axes. Returns its motion, at the origin.
[[gnu::always_inline]] inline Twist<double> mount(const Placed& placed, int body,
                                                  const Vec3<double>& x_b, const Mat3<double>& R_b,
                                                  Vec3<double>& x, Mat3<double>& R)
{
    if (body == world) {
        x = x_b;
        R = R_b;
        return {zero3<double>(), zero3<double>()};
    }
    const PlacedBody& on = placed.bodies[static_cast<std::size_t>(body)];
    const Vec3<double> r = on.lever(x_b);
    x = on.x + r;
    R = on.R * R_b;
    return shift(on.twist(), r);
}

} // namespace

CoordinateAxis coordinate_axis(JointKind kind, const PlacedJoint& at, int k)
{
    constexpr Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    switch (kind) {
    case JointKind::universal:
        return {k == 0 ? at.axis_a(z) : at.axis_b(x), true};
    case JointKind::planar:
        return {at.axis_a(k == 0 ? x : k == 1 ? y : z), k == 2};
    case JointKind::strut:
    case JointKind::swing:
        return {measured_along(kind, k, at.x_b - at.x_a, at.axis_a(x), at.axis_a(z), at.axis_b(z)),
                kind == JointKind::swing};
    default:
        return {at.axis_a(z), is_angle(kind, k)};
    }
}

namespace {

template <bool asked_alone>
[[gnu::always_inline]] inline void place_all(const Model& model, std::span<const double> last,
                                             Placed& placed)
{
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    placed.joints.resize(model.joints().size());
    for (std::size_t j = 0; j < placed.joints.size(); ++j) {
        const JointMount& joint = model.joint_mounts()[j];
        PlacedJoint& at = placed.joints[j];
        const Twist<double> V_a = mount(placed, joint.a, joint.x_a, joint.R_a, at.x_a, at.R_a);
        const Twist<double> V_b = mount(placed, joint.b, joint.x_b, joint.R_b, at.x_b, at.R_b);
        const Vec3<double> d = at.x_b - at.x_a;
        at.V = V_b - shift(V_a, d);
        if (asked_alone && !joint.asked) {
            at.q = at.speed = {nan, nan, nan};
            continue;
        }
        at.q = coordinates_of(joint.kind, transpose_times(at.R_a, d), transpose(at.R_a) * at.R_b);
        const auto first = static_cast<std::size_t>(model.first_coordinate(j));
        at.speed = {0, 0, 0};
        for (std::size_t k = 0; k < static_cast<std::size_t>(joint.coordinates); ++k) {
            const CoordinateAxis axis = coordinate_axis(joint.kind, at, static_cast<int>(k));
            at.speed[k] = dot(axis.n, axis.turns ? at.V.omega : at.V.v);
            if (axis.turns)
                at.q[k] += two_pi * nearest((last[first + k] - at.q[k]) / two_pi);
        }
    }
}

} // namespace

void place_joints(const Model& model, std::span<const double> last, Placed& placed)
{
    place_all<false>(model, last, placed);
}
void place_joints_in_stage(const Model& model, std::span<const double> last, Placed& placed)
{
    place_all<true>(model, last, placed);
}

void let_go(const Model& model, std::size_t release, State& state)
{
    state.released[release] = 1;
    std::erase_if(state.standing,
                  [&](const Stop& stop) { return stop.joint == model.releases()[release].joint; });
}

void mark_released(const Model& model, std::span<const char> releases, Placed& out)
{
    if (releases.empty())
        return;
    out.released.assign(model.joints().size(), 0);
    out.parted.assign(model.bushings().size(), 0);
    for (std::size_t i = 0; i < releases.size(); ++i) {
        const Release& release = model.releases()[i];
        if (release.bushing >= 0)
            out.parted[static_cast<std::size_t>(release.bushing)] = releases[i];
        else
            out.released[static_cast<std::size_t>(release.joint)] = releases[i];
    }
    for (std::size_t i = 0; i < model.turned_joints().size(); ++i)
        out.parted[model.described_bushings() + i] =
            out.released[static_cast<std::size_t>(model.turned_joints()[i])];
}

Placed place(const Model& model, const State& state)
{
    Placed out;
    place(model, state, out);
    return out;
}

void place(const Model& model, const State& state, Placed& out)
{
    weigh(model, state.tanks, state.flowing, state.shares, out.weighed);
    mark_released(model, state.released, out);
    std::visit(
        [&](const auto& bodies) {
            using Form = typename std::decay_t<decltype(bodies)>::value_type;
            place(model, std::span<const Form>(bodies), out);
        },
        state.bodies);
    place_joints(model, state.joint_coordinates, out);
    out.rotors = state.rotors;
}

std::vector<double> rotors_at_start(const Model& model, std::span<const PlacedBody> bodies)
{
    std::vector<double> made;
    for (const Rotor& rotor : model.rotors()) {
        const PlacedBody& body = bodies[static_cast<std::size_t>(rotor.body)];
        made.push_back(rotor.inertia * (rotor.prescribed()
                                            ? rotor.speed->at(0)
                                            : rotor.spin + dot(body.R * rotor.axis, body.omega)));
    }
    return made;
}

template <class Form>
State start_of(const Model& model)
{
    std::vector<Form> made;
    for (std::size_t i = 0; i < model.bodies().size(); ++i) {
        const Body& body = model.bodies()[i];
        const BodyMass& mass = model.masses()[i];
        const Vec3<double> x = place(body.pose, mass.center);
        const Vec3<double> p = mass.m * body.velocity;
        const Mat3<double> R = matrix_of(body.pose.q);
        const Vec3<double> L = apply_in_body(R, mass.I_b, body.angular_velocity);
        if constexpr (std::same_as<Form, MomentumForm<double>>)
            made.push_back({x, body.pose.q, p, L});
        else if constexpr (std::same_as<Form, VelocityForm<double>>)
            made.push_back({x, body.pose.q, body.velocity, body.angular_velocity});
        else
            made.push_back({x, R, p, L});
    }
    State state;
    state.bodies = std::move(made);
    for (const Tank& tank : model.tanks())
        state.tanks.push_back(tank.content);
    state.flowing.assign(model.flows().size(), 0);
    shares_at(model.flows(), model.controls(), nullptr, 0, 0, state.shares);
    state.released.assign(model.releases().size(), 0);
    Placed placed;
    weigh(model, state.tanks, state.flowing, state.shares, placed.weighed);
    place(model, std::span<const Form>(std::get<std::vector<Form>>(state.bodies)), placed);
    state.rotors = rotors_at_start(model, placed.bodies);
    for (const JointStart& start : model.joint_starts())
        state.joint_coordinates.insert(state.joint_coordinates.end(), start.q.begin(),
                                       start.q.end());
    return state;
}

template State start_of<MomentumForm<double>>(const Model&);
template State start_of<VelocityForm<double>>(const Model&);
template State start_of<MatrixForm<double>>(const Model&);

} // namespace poinsot
