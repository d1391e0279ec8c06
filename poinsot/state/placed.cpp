// SPDX-License-Identifier: MIT
#include "poinsot/state/placed.hpp"

namespace poinsot {

Placed place(const Model& model, const State& state)
{
    Placed out;
    std::visit(
        [&](const auto& bodies) {
            using Form = typename std::decay_t<decltype(bodies)>::value_type;
            place(model, std::span<const Form>(bodies), out);
        },
        state.bodies);
    return out;
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
    return state;
}

template State start_of<MomentumForm<double>>(const Model&);
template State start_of<VelocityForm<double>>(const Model&);
template State start_of<MatrixForm<double>>(const Model&);

} // namespace poinsot
