// SPDX-License-Identifier: MIT
// Steps of first order are what the texts print, line by line, with inertia and loads built anew in
// every step.

#include "poinsot/integrate/euler.hpp"
#include "worlds.hpp"

using namespace poinsot;

namespace {

constexpr double m = 2, k = 0.8, h = 0.05;
constexpr V3 g{0.3, -9.8, 0.2}, F_1{0.4, -0.7, 0.1}, r_1{0.1, 0.2, -0.3};
constexpr Sym3<double> I_b{1.1, 2, 2.7, 0.1, -0.2, 0.15};

/// A stone that falls through a medium: F = m g − k v.
std::shared_ptr<const Model> stone()
{
    Builder b;
    b.add_particle("stone", m, {1, 2, 3}, {10, 20, 10});
    b.gravity.uniform = g;
    b.drags.push_back({"air", 0, k, 0});
    return built(b);
}
/// A body that tumbles in it, and has a jet.
std::shared_ptr<const Model> craft()
{
    Body body = body_with("craft", m, I_b, {3, -1, 2}, {1, 2, -1.5});
    body.pose = {{1, 2, 3}, exp_quat(V3{0.5, -0.2, 0.9})};
    Builder b;
    b.add(body);
    b.gravity.uniform = g;
    b.drags.push_back({"air", 0, k, 0});
    b.loads.push_back({"jet", 0, F_1, zero3<double>(), r_1, true});
    return built(b);
}

/// What acts on either: F = m g − k v + R F_1 and τ = R r_1 × R F_1.
Wrench<double> load(const Mat3<double>& R, const V3& v)
{
    const V3 F_1w = R * F_1;
    return {m * g - k * v + F_1w, cross(R * r_1, F_1w)};
}
/// q + ½ h (0; ω) q, brought back to unit length.
Quat<double> turned_straight(const Quat<double>& q, const V3& omega)
{
    const Quat<double> there = q + (0.5 * h) * (Quat<double>{0, omega.x, omega.y, omega.z} * q);
    return (1 / std::sqrt(norm2(there))) * there;
}

/// The body after each of a few steps of a method, beside what `by_hand` makes of its start.
template <class Form, class Step, class Hand>
void step_beside(const std::shared_ptr<const Model>& model, Step step, Form y, Hand by_hand,
                 bool renormalise = true)
{
    const Input nothing;
    System system(*model, nothing);
    system.renormalise = renormalise;
    std::vector<Form> bodies{y};
    Postings none(Postings::Detail::off);
    const auto same = [](const V3& a, const V3& b) { // some forty roundings in a step
        return norm(a - b) < 1e-14 * (1 + norm(b));
    };
    for (int i = 0; i < 8; ++i) {
        step(system, bodies, i * h, h, none);
        by_hand(y);
        CHECK(same(bodies[0].x, y.x));
        CHECK(same(first(bodies[0]), first(y)));
        CHECK(same(second(bodies[0]), second(y)));
        const Mat3<double> R = [](const auto& attitude) {
            if constexpr (std::same_as<Form, MatrixForm<double>>)
                return attitude;
            else
                return matrix_of(attitude);
        }(bodies[0].attitude);
        const Mat3<double> expected = placed(y, model->masses()[0]).R;
        CHECK(same(R.r0, expected.r0));
        CHECK(same(R.r1, expected.r1));
        CHECK(same(R.r2, expected.r2));
        y = bodies[0]; // so that roundings do not add up
    }
}
template <class Form>
Form start(const Model& model, FormKind kind)
{
    return std::get<std::vector<Form>>(start_of(model, kind).bodies)[0];
}

} // namespace

TEST_CASE("The notes' particle: F = m g − k v, then p + h v and v + h F/m, with or without h² a/2")
{
    using Form = VelocityForm<double>;
    for (const double s : {0.0, 0.5}) {
        const auto by_hand = [s](Form& y) {
            const V3 a = (m * g - k * y.v) / m;
            y.x = y.x + h * y.v + s * h * h * a; // with the old v
            y.v = y.v + h * a;
        };
        step_beside(stone(), s == 0 ? explicit_euler<Form> : second_order_position<Form>,
                    start<Form>(*stone(), FormKind::velocity), by_hand);
    }
}

TEST_CASE("The notes' loop: p, q, v and ω by the rates of the start, in world axes")
{
    using Form = VelocityForm<double>;
    for (const double s : {0.0, 0.5}) {
        const auto by_hand = [s](Form& y) {
            const Mat3<double> R = matrix_of(y.attitude);
            const Sym3<double> I_w = congruent(R, I_b); // of this step's R
            const Wrench<double> W = load(R, y.v);
            const V3 a = W.F / m, alpha = inverse(I_w) * (W.tau - cross(y.omega, I_w * y.omega));
            y.x = y.x + h * y.v + s * h * h * a;
            y.v = y.v + h * a;
            y.attitude = turned_straight(y.attitude, y.omega);
            y.omega = y.omega + h * alpha;
        };
        step_beside(craft(), s == 0 ? explicit_euler<Form> : second_order_position<Form>,
                    start<Form>(*craft(), FormKind::velocity), by_hand);
    }
}

TEST_CASE("The notes' other loop: P + h F and L + h τ, with v = P/m and ω = I⁻¹ L")
{
    using Form = MomentumForm<double>;
    for (const double s : {0.0, 0.5}) {
        const auto by_hand = [s](Form& y) {
            const Mat3<double> R = matrix_of(y.attitude);
            const V3 v = y.p / m, omega = inverse(congruent(R, I_b)) * y.L;
            const Wrench<double> W = load(R, v);
            y.x = y.x + h * v + s * h * h / m * W.F;
            y.attitude = turned_straight(y.attitude, omega);
            y.p = y.p + h * W.F;
            y.L = y.L + h * W.tau;
        };
        step_beside(craft(), s == 0 ? explicit_euler<Form> : second_order_position<Form>,
                    start<Form>(*craft(), FormKind::momentum), by_hand);
    }
}

TEST_CASE("The slides' equation of motion: (x, R, P, L) + h (v, [ω×] R, F, τ)")
{
    using Form = MatrixForm<double>;
    const auto by_hand = [](Form& y) {
        const Mat3<double> R = y.attitude;
        // I⁻¹ = R I_b⁻¹ Rᵀ, which is what the slides mean; R itself is off a rotation by h²
        const V3 v = y.p / m, omega = R * (inverse(I_b) * transpose_times(R, y.L));
        const Wrench<double> W = load(R, v);
        y.x = y.x + h * v;
        y.attitude = R + h * (skew(omega) * R);
        y.p = y.p + h * W.F;
        y.L = y.L + h * W.tau;
    };
    step_beside(craft(), explicit_euler<Form>, start<Form>(*craft(), FormKind::matrix), by_hand,
                false);
}

TEST_CASE("The complex-objects step: ω in body axes, q from the right, V and X in the world's")
{
    using Form = VelocityForm<double>;
    const auto by_hand = [](Form& y) {
        const Mat3<double> R = matrix_of(y.attitude);
        const Wrench<double> W = load(R, y.v);
        const V3 omega = transpose_times(R, y.omega), T = transpose_times(R, W.tau);
        const V3 omega_after = omega + h * (inverse(I_b) * (T - cross(omega, I_b * omega)));
        const double half = 0.5 * h * norm(omega), sine = std::sin(half) / norm(omega);
        y.x = y.x + h * y.v;
        y.v = y.v + (h / m) * W.F;
        y.attitude = y.attitude *
                     Quat<double>{std::cos(half), sine * omega.x, sine * omega.y, sine * omega.z};
        y.omega = matrix_of(y.attitude) * omega_after;
    };
    step_beside(craft(), body_frame_procedure, start<Form>(*craft(), FormKind::velocity), by_hand);
}
