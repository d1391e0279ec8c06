// SPDX-License-Identifier: MIT
#pragma once

// What follows from a state: where every body is, how it moves, and the mass it has there. Forces
// and kernels read this and never the Model's masses: mass may vary, and differ between worlds.
//
//     ω = R I_b⁻¹ Rᵀ L         v = p/m
//
// v is the velocity of the body at its centre of mass. Where mass varies, what flows inside has a
// share of the momenta, and the centre moves in the body (weighed.hpp):
//
//     L = I ω + L_flow         p = m v + p_flow          ẋ = v + R ċ

#include "poinsot/math/spatial.hpp"
#include "poinsot/model/model.hpp"
#include "poinsot/state/state.hpp"
#include "poinsot/state/weighed.hpp"

#include <array>
#include <concepts>
#include <span>

namespace poinsot {

/// R A_b Rᵀ a: a tensor given in body axes acts on a vector given in world axes.
template <Scalar T>
Vec3<T> apply_in_body(const Mat3<T>& R, const Sym3<T>& A_b, const Vec3<T>& a)
{
    return R * (A_b * transpose_times(R, a));
}

struct PlacedBody {
    Vec3<double> x;        // centre of mass
    Mat3<double> R;        // body to world
    Vec3<double> v, omega; // of the body at its centre of mass; world axes
    Vec3<double> p, L;     // momentum, and angular momentum about the centre of mass
    BodyMass mass;

    Twist<double> twist() const { return {v, omega}; }
    /// With what flows inside taken to move as the body does.
    double kinetic_energy() const
    {
        if (mass.flows)
            return 0.5 * (dot(p - R * mass.flow_p, v) + dot(L - R * mass.flow_L, omega));
        return 0.5 * (dot(p, v) + dot(L, omega));
    }
    /// ẋ
    Vec3<double> center_velocity() const { return mass.flows ? v + R * mass.center_rate : v; }
    Sym3<double> inertia() const { return congruent(R, mass.I_b); }
    /// The world place of a point given in the body frame, from the centre of mass.
    Vec3<double> lever(const Vec3<double>& point) const { return R * (point - mass.center); }
};

/// Where the two frames of a joint are, and how b moves against a.
struct PlacedJoint {
    Vec3<double> x_a, x_b;          // origins of the frames
    Mat3<double> R_a, R_b;          // frame to world
    Twist<double> V;                // of b against a, both taken at x_b, world axes
    std::array<double, 3> q, speed; // coordinates, as many as the kind has

    /// Axes of the frames in the world.
    Vec3<double> axis_a(const Vec3<double>& e) const { return R_a * e; }
    Vec3<double> axis_b(const Vec3<double>& e) const { return R_b * e; }
};

struct Placed {
    std::vector<PlacedBody> bodies;
    std::vector<PlacedJoint> joints;
    std::vector<double> rotors; // axial momentum h of each (forces/gyrostat.hpp)
    Weighed weighed;            // of a model with tanks
    std::vector<char> released; // per joint, where any lets go
    std::vector<char> parted;   // per bushing, likewise

    /// Does joint j still hold?
    bool holds(std::size_t j) const { return released.empty() || !released[j]; }
    bool whole(std::size_t bushing) const { return parted.empty() || !parted[bushing]; }
};

/// Lets go of a joint or a bushing, and of the stops that it stands at.
void let_go(const Model& model, std::size_t release, State& state);
/// Which joints and bushings have let go, of those that do.
void mark_released(const Model& model, std::span<const char> releases, Placed& out);

/// The h of every rotor with the spin of the model, in bodies that turn with these ω.
std::vector<double> rotors_at_start(const Model& model, std::span<const PlacedBody> bodies);

/// Fills in the joints of `placed` from its bodies. `last` holds the coordinates of all joints as
/// they were a moment ago: an angle is the one nearest to it of those that differ by whole turns.
void place_joints(const Model& model, std::span<const double> last, Placed& placed);
/// The same for those who want to know what acts and what binds: with the coordinates alone that
/// this goes by. The others are not a number: an arctangent is a third of the work.
void place_joints_in_stage(const Model& model, std::span<const double> last, Placed& placed);

/// The direction of coordinate k: Q along it is a torque Q n on b, or a force Q n on b at x_b; the
/// opposite acts on a, a force at the same point x_b.
struct CoordinateAxis {
    Vec3<double> n;
    bool turns;
};
CoordinateAxis coordinate_axis(JointKind kind, const PlacedJoint& at, int k);

template <Scalar T>
Vec3<T> angular_velocity(const Mat3<T>& R, const Sym3<T>& inv_I_b, const Vec3<T>& L)
{
    return apply_in_body(R, inv_I_b, L);
}

/// The ω whose angular momentum, as `placed` computes it, is L: one correction by what is missing.
/// A state kept as ω turns into L and back in every step; without the correction the last digit of
/// that round trip leans one way, and |L| drifts by it.
inline Vec3<double> angular_velocity_of(const Mat3<double>& R, const BodyMass& mass,
                                        const Vec3<double>& L)
{
    const Vec3<double> turning = mass.flows ? L - R * mass.flow_L : L;
    const Vec3<double> omega = angular_velocity(R, mass.inv_I_b, turning);
    const Vec3<double> missing = turning - apply_in_body(R, mass.I_b, omega);
    return omega + angular_velocity(R, mass.inv_I_b, missing);
}

/// Fills the motion of one body from each form of its state. R and mass are set already.
inline void set_motion(PlacedBody& body, const Vec3<double>& p, const Vec3<double>& L)
{
    body.p = p;
    body.L = L;
    if (body.mass.flows) {
        body.v = body.mass.inv_m * (p - body.R * body.mass.flow_p);
        body.omega = body.R * (body.mass.inv_I_b * (transpose_times(body.R, L) - body.mass.flow_L));
        return;
    }
    body.v = body.mass.inv_m * p;
    body.omega = angular_velocity(body.R, body.mass.inv_I_b, L);
}
/// Where a body is whose state is y, filled in where it stands: it is large.
template <class Form>
inline void place_body(const Form& y, const BodyMass& mass, PlacedBody& out)
{
    out.x = y.x;
    if constexpr (std::same_as<Form, MatrixForm<double>>)
        out.R = y.attitude;
    else
        out.R = matrix_of(y.attitude);
    copy_mass(mass, out.mass);
    if constexpr (std::same_as<Form, VelocityForm<double>>) {
        out.v = y.v;
        out.omega = y.omega;
        out.p = mass.m * y.v;
        out.L = apply_in_body(out.R, mass.I_b, y.omega);
        if (mass.flows) {
            out.p += out.R * mass.flow_p;
            out.L += out.R * mass.flow_L;
        }
    } else
        set_motion(out, y.p, y.L);
}
template <class Form>
inline PlacedBody placed(const Form& y, const BodyMass& mass)
{
    PlacedBody body;
    place_body(y, mass, body);
    return body;
}

/// Where is everything? The bodies weigh what `out.weighed` has; of a model without tanks, what
/// they always do.
template <class Form>
void place(const Model& model, std::span<const Form> bodies, Placed& out)
{
    const std::vector<BodyMass>& masses =
        model.vessels().empty() ? model.masses() : out.weighed.masses;
    out.bodies.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i)
        place_body(bodies[i], masses[i], out.bodies[i]);
}
Placed place(const Model& model, const State& state);
void place(const Model& model, const State& state, Placed& out);

/// The state a model starts from, in the form asked for.
template <class Form>
State start_of(const Model& model);

} // namespace poinsot
