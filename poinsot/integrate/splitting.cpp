// SPDX-License-Identifier: MIT
#include "poinsot/integrate/splitting.hpp"

#include "poinsot/integrate/free_rotation.hpp"

namespace poinsot {

namespace {

/// The motion of a placed body after an impulse, at a frozen configuration.
void push(PlacedBody& at, const Wrench<double>& W, double h)
{
    set_motion(at, at.p + h * W.F, at.L + h * W.tau);
}

/// Kicks the bodies in `system.placed` for a time h and posts what each cause did.
void kick(System& system, double t, double h, Postings& postings)
{
    auto& bodies = system.placed.bodies;
    auto& before = system.before;
    before = bodies;
    system.evaluate_placed(t);
    // A user's force may depend on velocity; nobody but the user knows.
    if (system.model.velocity_dependent() || system.input.user_force) { // loads at mid-kick
        for (std::size_t i = 0; i < bodies.size(); ++i)
            push(bodies[i], system.loads.total[i], 0.5 * h);
        system.evaluate_placed(t);
        bodies = before;
    }
    for (std::size_t i = 0; i < bodies.size(); ++i)
        push(bodies[i], system.loads.total[i], h);
    if (postings.off())
        return;
    for (const LoadPart& part : system.loads.parts) {
        const auto i = static_cast<std::size_t>(part.body);
        postings.post(part.body, part.cause, h * part.wrench, bodies[i].x,
                      0.5 * (before[i].twist() + bodies[i].twist()));
    }
}

/// The turn in world axes that free flight makes in a time h.
Quat<double> free_turn(const BodyMass& mass, const Quat<double>& q, const Vec3<double>& L, double h)
{
    const Quat<double> start = q * mass.principal_axes;
    return turned_freely(mass.principal, start, L, h) * conjugate(start);
}
Quat<double> flown(const Quat<double>& q, const BodyMass& mass, const Vec3<double>& L, double h)
{
    return normalised(free_turn(mass, q, L, h) * q);
}
Mat3<double> flown(const Mat3<double>& R, const BodyMass& mass, const Vec3<double>& L, double h)
{
    return matrix_of(normalised(free_turn(mass, quat_of(R), L, h))) * R;
}

} // namespace

template <class Form>
StepReport splitting(System& system, std::vector<Form>& bodies, double t, double h,
                     Postings& postings)
{
    auto& at = system.placed.bodies;
    place(system.model, std::span<const Form>(bodies), system.placed);
    kick(system, t, 0.5 * h, postings);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        Form& y = bodies[i];
        y.x += h * at[i].v;
        if (at[i].mass.inv_I_b.xx > 0)
            y.attitude = flown(y.attitude, at[i].mass, at[i].L, h);
        const Vec3<double> p = at[i].p, L = at[i].L;
        at[i].x = y.x;
        at[i].R = matrix_of(y.attitude);
        set_motion(at[i], p, L);
    }
    kick(system, t + h, 0.5 * h, postings);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if constexpr (std::same_as<Form, VelocityForm<double>>) {
            first(bodies[i]) = at[i].v;
            second(bodies[i]) = angular_velocity_of(at[i].R, at[i].mass, at[i].L);
        } else {
            first(bodies[i]) = at[i].p;
            second(bodies[i]) = at[i].L;
        }
    }
    return {2, nullptr};
}

template StepReport splitting(System&, std::vector<MomentumForm<double>>&, double, double,
                              Postings&);
template StepReport splitting(System&, std::vector<VelocityForm<double>>&, double, double,
                              Postings&);
template StepReport splitting(System&, std::vector<MatrixForm<double>>&, double, double, Postings&);

} // namespace poinsot
