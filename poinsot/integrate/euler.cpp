// SPDX-License-Identifier: MIT
#include "poinsot/integrate/euler.hpp"

#include "poinsot/forces/thrust.hpp"

namespace poinsot {

namespace {

/// q + ½ h (0; ω) q: the straight line, which leaves the unit sphere at second order.
Quat<double> straight(const Quat<double>& q, const Vec3<double>& omega, double h)
{
    const double k = 0.5 * h;
    return q + Quat<double>{0, k * omega.x, k * omega.y, k * omega.z} * q;
}
/// R + h [ω×] R
Mat3<double> straight(const Mat3<double>& R, const Vec3<double>& omega, double h)
{
    return R + h * (skew(omega) * R);
}

/// Explicit Euler with x⁺ = x + h v + s h² a: s = 0, or ½ for the better position.
template <class Form>
StepReport explicit_step(System& system, std::vector<Form>& bodies, double t, double h, double s,
                         Postings& postings)
{
    system.evaluate(std::span<const Form>(bodies), t);
    postings.post(system.loads, system.placed, h);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const PlacedBody& at = system.placed.bodies[i];
        const Wrench<double>& W = system.loads.total[i];
        const BodyRate<double> rate = rate_of<Form>(at, W);
        Form& y = bodies[i];
        y.x += h * rate.x_dot + (s * h * h * at.mass.inv_m) * W.F;
        y.attitude = straight(y.attitude, rate.omega, h);
        if (system.renormalise)
            y.attitude = renormalised(y.attitude);
        first(y) += h * rate.a;
        second(y) += h * rate.b;
    }
    return {};
}

} // namespace

template <class Form>
StepReport explicit_euler(System& system, std::vector<Form>& bodies, double t, double h,
                          Postings& postings)
{
    return explicit_step(system, bodies, t, h, 0.0, postings);
}

template <class Form>
StepReport second_order_position(System& system, std::vector<Form>& bodies, double t, double h,
                                 Postings& postings)
{
    return explicit_step(system, bodies, t, h, 0.5, postings);
}

// Where mass varies, the new motion and the flight are those of the mass at the end of the step:
// then (x' − x) × p' is what that mass carries off, and the books of L close.
template <class Form>
StepReport symplectic_euler(System& system, std::vector<Form>& bodies, double t, double h,
                            Postings& postings)
{
    system.evaluate(std::span<const Form>(bodies), t);
    auto& before = system.before;
    auto& at = system.placed.bodies;
    before = at;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const BodyRate<double> rate = rate_of<Form>(at[i], system.loads.total[i]);
        Form& y = bodies[i];
        first(y) += h * rate.a;
        second(y) += h * rate.b;
        place_body(y, before[i].mass, at[i]); // the new motion at the old place
    }
    // At a frozen configuration the work of an impulse is J · (u + u')/2.
    if (!postings.off())
        postings.post_kick(system.loads, system.placed, before, h);
    if (system.anything_flows()) {
        system.weigh(t + h);
        place(system.model, std::span<const Form>(bodies), system.placed);
        if (!postings.off()) {
            system.loads.changes.clear();
            add_mass_changes(system.model, system.placed, system.loads);
            postings.post_changes(system.loads, h);
        }
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies[i].x += h * at[i].center_velocity();
        bodies[i].attitude = turned(bodies[i].attitude, h * at[i].omega);
    }
    return {};
}

StepReport body_frame_procedure(System& system, std::vector<VelocityForm<double>>& bodies, double t,
                                double h, Postings& postings)
{
    using Form = VelocityForm<double>;
    system.evaluate(std::span<const Form>(bodies), t);
    postings.post(system.loads, system.placed, h);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const PlacedBody& at = system.placed.bodies[i];
        const Wrench<double>& W = system.loads.total[i];
        Form& y = bodies[i];
        const Vec3<double> omega_b = transpose_times(at.R, at.omega);
        const Vec3<double> tau_b = transpose_times(at.R, W.tau);
        const Vec3<double> omega_b_new =
            omega_b + h * (at.mass.inv_I_b * (tau_b - cross(omega_b, at.mass.I_b * omega_b)));
        y.x += h * at.center_velocity();
        y.v += (h * at.mass.inv_m) * W.F;
        if (at.mass.flows) // v is taken where the centre of mass is, which moves in the body
            y.v += h * cross(at.omega, at.center_velocity() - at.v);
        y.attitude = turned_body(y.attitude, h * omega_b);
        y.omega = rotate(y.attitude, omega_b_new);
    }
    return {};
}

#define POINSOT_INSTANTIATE(Form)                                                                  \
    template StepReport explicit_euler(System&, std::vector<Form>&, double, double, Postings&);    \
    template StepReport symplectic_euler(System&, std::vector<Form>&, double, double, Postings&);  \
    template StepReport second_order_position(System&, std::vector<Form>&, double, double,         \
                                              Postings&);
POINSOT_INSTANTIATE(MomentumForm<double>)
POINSOT_INSTANTIATE(VelocityForm<double>)
POINSOT_INSTANTIATE(MatrixForm<double>)
#undef POINSOT_INSTANTIATE

} // namespace poinsot
