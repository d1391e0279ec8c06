// SPDX-License-Identifier: MIT
#include "poinsot/integrate/midpoint.hpp"

#include "poinsot/base/flatten.hpp"

#include <cmath>

namespace poinsot {

namespace {

constexpr int most_halved = 10;

/// A x = b for a full 3×3 matrix, by cofactors.
Vec3<double> solve(const Mat3<double>& A, const Vec3<double>& b)
{
    const Vec3<double> c0 = cross(A.r1, A.r2), c1 = cross(A.r2, A.r0), c2 = cross(A.r0, A.r1);
    const double inv_det = 1 / dot(A.r0, c0);
    return inv_det * mul_add(b.x, c0, mul_add(b.y, c1, b.z * c2));
}

/// A vector after half of the turn cay(a): by a quarter of the tangent's angle twice,
/// t = tan(θ/4) n = (a/2)/(1 + √(1 + a²/4)).
Vec3<double> half_turned(const Vec3<double>& a, const Vec3<double>& s)
{
    const Vec3<double> t = (0.5 / (1 + std::sqrt(1 + 0.25 * norm2(a)))) * a;
    const Vec3<double> once = cross(t, s);
    return s + (2 / (1 + norm2(t))) * (once + cross(t, once));
}

/// ω_b of the middle of the step, from L_b at the start and Λ_b, by Newton's method. Rotors turn
/// the body by −ω × s with s as it is halfway; that torque is not in Λ_b: left to the repetition of
/// loads, it would take a sweep over all bodies for every few digits.
POINSOT_FLATTEN Vec3<double> middle_rate(const BodyMass& mass, const Vec3<double>& L_b,
                                         const Vec3<double>& Lambda_b, RotorSpin* spin, double h,
                                         Vec3<double> omega)
{
    Vec3<double> change = L_b - Lambda_b, mean = 0.5 * (L_b + Lambda_b);
    const Vec3<double> change_0 = change, mean_0 = mean;
    double last = INFINITY;
    for (int i = 0; i < 30; ++i) {
        if (spin) {
            if (!spin->turned)
                spin->halfway = half_turned(h * omega, spin->s);
            const Vec3<double> taken = h * cross(omega, spin->halfway); // from Λ_b
            change = change_0 + taken;
            mean = mean_0 - 0.5 * taken;
        }
        const Vec3<double> Iw =
            mass.flows ? mass.I_b * omega + mass.flow_L : mass.I_b * omega; // L_b halfway
        const Vec3<double> g =
            Iw + (0.5 * h) * cross(omega, Iw) - (0.25 * h) * cross(omega, change) - mean;
        Mat3<double> J = full(mass.I_b) + (0.5 * h) * (skew(omega) * full(mass.I_b) - skew(Iw)) +
                         (0.25 * h) * skew(change);
        if (spin)
            J = J - (0.5 * h) * skew(spin->halfway);
        const Vec3<double> d = solve(J, g);
        const double size = norm(d);
        if (!(size < last)) // rounding is reached: the next step would only stir the last digit
            break;
        omega -= d;
        last = size;
        if (spin) // is turned by less than rounding more
            spin->turned = 0.5 * h * size < 1e-17;
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
    copy_mass(mass, at.mass);
    at.p = start.p + (0.5 * h) * m.a;
    at.R = start.R * matrix_of(half);
    at.v = mass.inv_m * (mass.flows ? at.p - at.R * mass.flow_p : at.p);
    at.x = start.x + (0.5 * h) * at.center_velocity();
    at.omega = start.R * m.u; // turning about ω leaves it where it is
    at.L = start.L + (0.5 * h) * m.b;
}

/// How much of the largest momentum a newton and a newton metre take in a step.
struct Takes {
    double force = 0, torque = 0;
};
Takes takes_in(const std::vector<PlacedBody>& bodies, double h)
{
    double p = 0, L = 0;
    for (const PlacedBody& body : bodies) {
        p = std::max(p, norm(body.p));
        L = std::max(L, norm(body.L));
    }
    return {h / p, h / L};
}

/// Takes the loads that act in the middle for those that lead there, until they repeat themselves.
/// One that jumps where the middle is never does: in the smallest part of a step, which is told
/// what loads take there, the jump is left once it takes no more than 1e-5 of the momenta.
template <class Respond>
bool repeat_loads(System& system, std::vector<BodyDelta>& middle, const Takes* smallest,
                  const Respond& respond)
{
    double first = INFINITY, last = INFINITY, least = INFINITY;
    int stays = 0;
    for (int sweep = 0; sweep < 200; ++sweep) {
        respond(sweep == 0);
        double change = 0, size = 0, jump = 0;
        for (std::size_t i = 0; i < middle.size(); ++i) {
            const Wrench<double>& W = system.loads.total[i];
            const double off = norm(W.F - middle[i].a), off_tau = norm(W.tau - middle[i].b);
            change = std::max({change, off, off_tau});
            if (smallest)
                jump = std::max({jump, off * smallest->force, off_tau * smallest->torque});
            size = std::max({size, norm(W.F), norm(W.tau)});
            middle[i].a = W.F;
            middle[i].b = W.tau;
        }
        if (!std::isfinite(change) || !std::isfinite(size))
            return false;
        // Converged when the loads repeat themselves, or when they have stopped coming closer.
        const bool repeats = change <= 4e-16 * size;
        const bool stalled = change <= 1e-13 * size && change >= 0.5 * last;
        // A stiff pull makes more of the rounding of places: loads then flicker between two values.
        const bool flickers = change <= 1e-11 * size && change >= last;
        // So much of it, where places are far away, that only what no longer comes closer tells.
        stays = change < 0.5 * least ? 0 : stays + 1;
        least = std::min(least, change);
        const bool jumps = smallest && jump <= 1e-5;
        if (repeats || stalled || flickers || (stays == 6 && (change <= 1e-8 * size || jumps)))
            return true;
        if (sweep == 1)
            first = change;
        if (change > 1e3 * first) // they run away
            return false;
        last = change;
    }
    return false;
}

/// The same loads by Newton's method. Unknown are accelerations, of turning times the radius of
/// gyration, so that all are of one kind.
template <class Respond>
bool solve_loads(System& system, std::vector<BodyDelta>& middle, double h, const Respond& respond)
{
    const std::size_t n = middle.size();
    const auto scales = [&](std::size_t i) {
        const BodyMass& mass = system.before[i].mass;
        const double turns = (mass.inv_I_b.xx + mass.inv_I_b.yy + mass.inv_I_b.zz) / 3;
        return std::pair(mass.inv_m, std::sqrt(mass.inv_m * turns));
    };
    const auto put = [](double* to, const Vec3<double>& a) {
        to[0] = a.x, to[1] = a.y, to[2] = a.z;
    };
    double reach = 1e-3;
    for (const PlacedBody& body : system.before)
        reach = std::max(reach, norm(body.x));
    respond(true); // rotors are turned
    const auto g = [&](const std::vector<double>& x, std::vector<double>& made) {
        for (std::size_t i = 0; i < n; ++i) {
            const auto [a, b] = scales(i);
            const double* const at = &x[6 * i];
            middle[i].a = (1 / a) * Vec3<double>{at[0], at[1], at[2]};
            middle[i].b = b > 0 ? (1 / b) * Vec3<double>{at[3], at[4], at[5]} : zero3<double>();
        }
        if (system.stopped())
            return false;
        respond(false);
        for (std::size_t i = 0; i < n; ++i) {
            const auto [a, b] = scales(i);
            put(&made[6 * i], a * system.loads.total[i].F);
            put(&made[6 * i + 3], b * system.loads.total[i].tau);
        }
        return true;
    };
    std::vector<double>& x = system.accelerations;
    x.assign(6 * n, 0.0);
    // Places are known to 1e-16 of how far away they are: they are moved by 1e-8 of it or more.
    if (!system.newton.solve(x, 4e-8 / (h * h) * reach, g))
        return false;
    for (std::size_t i = 0; i < n; ++i) {
        middle[i].a = system.loads.total[i].F;
        middle[i].b = system.loads.total[i].tau;
    }
    return true;
}

/// A step, or a part of one that was halved so often.
template <class Form>
StepReport take(System& system, std::vector<Form>& bodies, double t, double h, Postings& postings,
                int halvings)
{
    const std::size_t n = bodies.size();
    system.weigh(t);
    place(system.model, std::span<const Form>(bodies), system.placed);
    system.weigh(t + 0.5 * h);
    const std::vector<BodyMass>& masses =
        system.model.vessels().empty() ? system.model.masses() : system.placed.weighed.masses;
    auto& start = system.before;
    start = system.placed.bodies;
    const std::span<RotorSpin> spins = system.spins_at(t + 0.5 * h);
    auto& middle = system.reached; // a: F, b: τ, u: ω_b
    middle.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        middle[i] = {zero3<double>(), transpose_times(start[i].R, start[i].omega), zero3<double>(),
                     zero3<double>()};

    StepReport report{0, nullptr};
    // Places all as the loads in `middle` bring them there, and asks what acts there then.
    const auto respond = [&](bool first) {
        for (std::size_t i = 0; i < n; ++i) {
            const Vec3<double> L_b = transpose_times(start[i].R, start[i].L);
            Vec3<double> Lambda_b = transpose_times(start[i].R, start[i].L + h * middle[i].b);
            RotorSpin* const spin =
                spins.empty() || spins[i].s == zero3<double>() ? nullptr : &spins[i];
            if (spin && !first) // what rotors did is in the loads
                Lambda_b += h * cross(middle[i].u, spin->halfway);
            if (start[i].mass.inv_I_b.xx > 0)
                middle[i].u = middle_rate(masses[i], L_b, Lambda_b, spin, h, middle[i].u);
            place_middle(system.placed.bodies[i], start[i], masses[i], middle[i], h);
        }
        system.evaluate_placed(t + 0.5 * h);
        ++report.evaluations;
    };
    const Takes takes = takes_in(start, h);
    if (!repeat_loads(system, middle, halvings == most_halved ? &takes : nullptr, respond)) {
        for (std::size_t i = 0; i < n; ++i)
            middle[i] = {zero3<double>(), transpose_times(start[i].R, start[i].omega),
                         zero3<double>(), zero3<double>()};
        if (!solve_loads(system, middle, h, respond))
            report.failure = system.stopped()
                                 ? "interrupted"
                                 : "the midpoint iteration did not converge; take a smaller step";
        report.interrupted = report.failure && system.stopped();
    }
    if (report.failure && !report.interrupted && halvings < most_halved) {
        report.failure = nullptr;
        for (int half = 0; half < 2 && !report.failure; ++half) {
            const StepReport part =
                take(system, bodies, t + 0.5 * half * h, 0.5 * h, postings, halvings + 1);
            report.evaluations += part.evaluations;
            report.failure = part.failure;
            report.interrupted = part.interrupted;
        }
        return report;
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

} // namespace

template <class Form>
StepReport midpoint(System& system, std::vector<Form>& bodies, double t, double h,
                    Postings& postings)
{
    return take(system, bodies, t, h, postings, 0);
}

template StepReport midpoint(System&, std::vector<MomentumForm<double>>&, double, double,
                             Postings&);
template StepReport midpoint(System&, std::vector<VelocityForm<double>>&, double, double,
                             Postings&);
template StepReport midpoint(System&, std::vector<MatrixForm<double>>&, double, double, Postings&);

} // namespace poinsot
