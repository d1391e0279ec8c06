// SPDX-License-Identifier: MIT
#include "poinsot/integrate/midpoint.hpp"

#include <cmath>

namespace poinsot {

namespace {

/// A x = b for a full 3×3 matrix, by cofactors.
Vec3<double> solve(const Mat3<double>& A, const Vec3<double>& b)
{
    const Vec3<double> c0 = cross(A.r1, A.r2), c1 = cross(A.r2, A.r0), c2 = cross(A.r0, A.r1);
    const double inv_det = 1 / dot(A.r0, c0);
    return inv_det * mul_add(b.x, c0, mul_add(b.y, c1, b.z * c2));
}

/// ω_b of the middle of the step, from L_b at the start and Λ_b, by Newton's method.
Vec3<double> middle_rate(const BodyMass& mass, const Vec3<double>& L_b,
                         const Vec3<double>& Lambda_b, double h, Vec3<double> omega)
{
    const Vec3<double> change = L_b - Lambda_b, mean = 0.5 * (L_b + Lambda_b);
    double last = INFINITY;
    for (int i = 0; i < 30; ++i) {
        const Vec3<double> Iw =
            mass.flows ? mass.I_b * omega + mass.flow_L : mass.I_b * omega; // L_b halfway
        const Vec3<double> g =
            Iw + (0.5 * h) * cross(omega, Iw) - (0.25 * h) * cross(omega, change) - mean;
        const Mat3<double> J = full(mass.I_b) +
                               (0.5 * h) * (skew(omega) * full(mass.I_b) - skew(Iw)) +
                               (0.25 * h) * skew(change);
        const Vec3<double> d = solve(J, g);
        const double size = norm(d);
        if (!(size < last)) // rounding is reached: the next step would only stir the last digit
            break;
        omega -= d;
        last = size;
    }
    return omega;
}

/// The rotation cay(a) as a quaternion: (1; a/2), of unit length.
Quat<double> cayley(const Vec3<double>& a)
{
    return normalised(Quat<double>{1, 0.5 * a.x, 0.5 * a.y, 0.5 * a.z});
}
Quat<double> times(const Quat<double>& q, const Quat<double>& turn)
{
    return normalised(q * turn);
}
Mat3<double> times(const Mat3<double>& R, const Quat<double>& turn)
{
    return R * matrix_of(turn);
}

/// Puts a placed body at the middle of its step; m holds the loads there and the rate:
/// F in a, τ in b, ω_b in u.
/// `mass` is that of the middle.
void place_middle(PlacedBody& at, const PlacedBody& start, const BodyMass& mass, const BodyDelta& m,
                  double h)
{
    // Half of cay(h ω) turns by half its angle: (c; s n) with c = cos of a quarter.
    const Quat<double> whole = cayley(h * m.u);
    const Quat<double> half = normalised(whole + identity_quat<double>());
    at.mass = mass;
    at.p = start.p + (0.5 * h) * m.a;
    at.R = start.R * matrix_of(half);
    at.v = mass.inv_m * (mass.flows ? at.p - at.R * mass.flow_p : at.p);
    at.x = start.x + (0.5 * h) * at.center_velocity();
    at.omega = start.R * m.u; // turning about ω leaves it where it is
    at.L = start.L + (0.5 * h) * m.b;
}

} // namespace

template <class Form>
StepReport midpoint(System& system, std::vector<Form>& bodies, double t, double h,
                    Postings& postings)
{
    const std::size_t n = bodies.size();
    system.weigh(t);
    place(system.model, std::span<const Form>(bodies), system.placed);
    system.weigh(t + 0.5 * h);
    const std::vector<BodyMass>& masses =
        system.model.vessels().empty() ? system.model.masses() : system.placed.weighed.masses;
    auto& start = system.before;
    start = system.placed.bodies;
    auto& middle = system.reached; // a: F, b: τ, u: ω_b
    middle.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        middle[i] = {zero3<double>(), transpose_times(start[i].R, start[i].omega), zero3<double>(),
                     zero3<double>()};

    StepReport report{0, "the midpoint iteration did not converge; take a smaller step"};
    double last = INFINITY;
    for (int sweep = 0; sweep < 200; ++sweep) {
        for (std::size_t i = 0; i < n; ++i) {
            const Vec3<double> L_b = transpose_times(start[i].R, start[i].L);
            const Vec3<double> Lambda_b = transpose_times(start[i].R, start[i].L + h * middle[i].b);
            if (start[i].mass.inv_I_b.xx > 0)
                middle[i].u = middle_rate(masses[i], L_b, Lambda_b, h, middle[i].u);
            place_middle(system.placed.bodies[i], start[i], masses[i], middle[i], h);
        }
        system.evaluate_placed(t + 0.5 * h);
        ++report.evaluations;
        double change = 0, size = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const Wrench<double>& W = system.loads.total[i];
            change = std::max({change, norm(W.F - middle[i].a), norm(W.tau - middle[i].b)});
            size = std::max({size, norm(W.F), norm(W.tau)});
            middle[i].a = W.F;
            middle[i].b = W.tau;
        }
        if (!std::isfinite(change) || !std::isfinite(size))
            break;
        // Converged when the loads repeat themselves, or when they have stopped coming closer.
        const bool repeats = change <= 4e-16 * size;
        const bool stalled = change <= 1e-13 * size && change >= 0.5 * last;
        // A stiff pull makes more of the rounding of places: loads then flicker between two values.
        const bool flickers = change <= 1e-11 * size && change >= last;
        if (repeats || stalled || flickers) {
            report.failure = nullptr;
            break;
        }
        last = change;
    }
    if (report.failure)
        return report;

    postings.post(system.loads, system.placed, h);
    system.weigh(t + h, system.weighed_at_end);
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3<double> p = start[i].p + h * middle[i].a;
        const Vec3<double> L = start[i].L + h * middle[i].b;
        Form& y = bodies[i];
        const bool varies = start[i].mass.varies;
        y.x += varies ? h * system.placed.bodies[i].center_velocity()
                      : (0.5 * h * start[i].mass.inv_m) * (start[i].p + p);
        y.attitude = times(y.attitude, cayley(h * middle[i].u));
        if constexpr (std::same_as<Form, VelocityForm<double>>) {
            const BodyMass& mass = varies ? system.weighed_at_end.masses[i] : start[i].mass;
            const Mat3<double> R = matrix_of(y.attitude);
            y.v = mass.inv_m * (varies ? p - R * mass.flow_p : p);
            y.omega = angular_velocity_of(R, mass, L);
        } else {
            y.p = p;
            y.L = L;
        }
    }
    return report;
}

template StepReport midpoint(System&, std::vector<MomentumForm<double>>&, double, double,
                             Postings&);
template StepReport midpoint(System&, std::vector<VelocityForm<double>>&, double, double,
                             Postings&);
template StepReport midpoint(System&, std::vector<MatrixForm<double>>&, double, double, Postings&);

} // namespace poinsot
