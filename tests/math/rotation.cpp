// SPDX-License-Identifier: MIT
#include "poinsot/math/rotation.hpp"
#include "math/kernels.hpp"

using namespace poinsot;

namespace {

constexpr double rounding = 16 * eps; // a few dozen operations on numbers of size one

Quat<double> minus(const Quat<double>& q)
{
    return -1.0 * q;
}
Quat<double> pure(const Vec3<double>& v)
{
    return {0, v.x, v.y, v.z};
}
/// The nearer of q and −q, which are one rotation.
double apart(const Quat<double>& a, const Quat<double>& b)
{
    return std::min(distance(a, b), distance(a, minus(b)));
}
/// The rotation nearest to a matrix.
Mat3<double> polar(Mat3<double> m)
{
    for (int i = 0; i < 10; ++i)
        m = orthonormalised(m);
    return m;
}

} // namespace

// ---- exp and log --------------------------------------------------------------------------------

TEST_CASE("Exp then log: the rotation vector comes back, from nothing to half a turn")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        for (const double size : {0.0, 1e-300, 1e-160, 1e-9, 1.9999e-4, 2.0001e-4, 1e-2, 1.0, 3.0,
                                  pi - 1e-3, pi - 1e-9, pi - 1e-14, dice.in(0, pi)}) {
            const Vec3<double> u = size * dice.unit();
            // relative to u: small turns keep all their digits
            RC_ASSERT(distance(log_quat(exp_quat(u)), u) <= rounding * size);
        }
    }));
}

TEST_CASE("Exp: a turn beyond the half comes back as the short way round")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Vec3<double> axis = dice.unit();
        const double angle = dice.in(pi + 1e-9, 3 * pi - 1e-9);
        const Vec3<double> u = log_quat(exp_quat(angle * axis));
        RC_ASSERT(distance(u, (angle - 2 * pi) * axis) <= rounding * angle);
        RC_ASSERT(norm(u) <= pi * (1 + eps));
    }));
}

TEST_CASE("Exp: exactly half a turn has length π and the axis up to its sign")
{
    Dice dice(1);
    for (int i = 0; i < 100; ++i) {
        const Vec3<double> axis = dice.unit();
        for (const double w : {0.0, -0.0, 1e-17, -1e-17, 1e-300}) {
            const Vec3<double> u = log_quat(Quat<double>{w, axis.x, axis.y, axis.z});
            CHECK(near(norm(u), pi, 2 * eps));
            CHECK(near(std::abs(dot(u, axis)), pi, 2 * eps));
        }
        const Quat<double> q = exp_quat(pi * axis);
        CHECK(std::abs(q.w) <= rounding);
        CHECK(distance(rotate(q, axis), axis) <= rounding);
        const Vec3<double> across = normalised(cross(axis, dice.unit()));
        CHECK(distance(rotate(q, across), -across) <= rounding);
    }
}

TEST_CASE("Log then exp: the quaternion comes back, or its negative")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Quat<double> q = dice.turn();
        const Quat<double> back = exp_quat(log_quat(q));
        RC_ASSERT(distance(back, q.w < 0 ? minus(q) : q) <= rounding);
    }));
}

TEST_CASE("Exp: turns about one axis add, and the axis stays where it is")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Vec3<double> axis = dice.unit();
        const double a = dice.in(-3, 3), b = dice.in(-3, 3);
        const Quat<double> both = exp_quat(a * axis) * exp_quat(b * axis);
        RC_ASSERT(distance(both, exp_quat((a + b) * axis)) <= rounding);
        RC_ASSERT(distance(rotate(both, axis), axis) <= rounding);
    }));
}

TEST_CASE("Exp is Rodrigues' formula")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Vec3<double> u = dice.vec(4);
        const double angle = norm(u);
        const auto [s, c] = sin_cos(angle);
        const Mat3<double> K = skew(u / angle);
        const Mat3<double> R = identity3<double>() + s * K + (1 - c) * (K * K);
        RC_ASSERT(distance(exp_matrix(u), R) <= rounding);
        RC_ASSERT(distance(exp_matrix(log_matrix(R)), R) <= rounding);
    }));
}

TEST_CASE("Exp turns by the right hand: a quarter turn about z takes x to y")
{
    const Quat<double> q = exp_quat(Vec3<double>{0, 0, pi / 2});
    CHECK(distance(rotate(q, Vec3<double>{1, 0, 0}), Vec3<double>{0, 1, 0}) <= 2 * eps);
    CHECK(distance(rotate(q, Vec3<double>{0, 1, 0}), Vec3<double>{-1, 0, 0}) <= 2 * eps);
}

// ---- quaternion and matrix ----------------------------------------------------------------------

TEST_CASE("A quaternion and its negative are one rotation, to the bit")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Quat<double> q = dice.turn();
        const Vec3<double> r = dice.vec();
        RC_ASSERT(rotate(q, r) == rotate(minus(q), r));
        RC_ASSERT(matrix_of(q) == matrix_of(minus(q)));
        RC_ASSERT(log_quat(q) == log_quat(minus(q)));
    }));
}

TEST_CASE("A quaternion times its conjugate is real to the bit: no turn comes from nothing")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Quat<double> q = dice.turn(), one = q * conjugate(q);
        RC_ASSERT((one.x == 0 && one.y == 0 && one.z == 0));
        RC_ASSERT(near(one.w, 1, 4 * eps));
        RC_ASSERT(identity_quat<double>() * q == q);
        RC_ASSERT(q * identity_quat<double>() == q);
    }));
}

TEST_CASE("Quaternion to matrix and back: the same rotation, near half turns too")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Vec3<double> axis = dice.unit();
        // an axis in a coordinate plane or along a coordinate axis has components that vanish
        const Vec3<double> plane = normalised(Vec3<double>{axis.x, 1e-12 * axis.y, axis.z});
        const Vec3<double> line = normalised(Vec3<double>{1e-9 * axis.x, 1e-14 * axis.y, axis.z});
        for (const double from_half :
             {0.0, 1e-16, 1e-12, 1e-8, 1e-4, 0.1, 1.0, pi, dice.in(0, 2 * pi)})
            for (const Vec3<double>& a : {axis, plane, line}) {
                const Quat<double> q = exp_quat((pi - from_half) * a);
                const Mat3<double> R = matrix_of(q);
                const Quat<double> back = quat_of(R);
                RC_ASSERT(apart(back, q) <= rounding);
                RC_ASSERT(distance(matrix_of(back), R) <= rounding);
                RC_ASSERT(near(norm2(back), 1, 4 * eps));
                // the sign is the one that makes the largest component positive
                const double most = std::max({back.w, back.x, back.y, back.z});
                const double least = std::min({back.w, back.x, back.y, back.z});
                RC_ASSERT(most >= -least - rounding);
            }
    }));
}

TEST_CASE("Composition: first b, then a, is the product, as quaternions and as matrices")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Quat<double> a = dice.turn(), b = dice.turn(), c = dice.turn();
        const Vec3<double> r = dice.vec();
        RC_ASSERT(distance(rotate(a * b, r), rotate(a, rotate(b, r))) <= rounding);
        RC_ASSERT(distance(matrix_of(a * b), matrix_of(a) * matrix_of(b)) <= rounding);
        RC_ASSERT(distance((a * b) * c, a * (b * c)) <= rounding);
        RC_ASSERT(distance(conjugate(a * b), conjugate(b) * conjugate(a)) <= rounding);
        RC_ASSERT(distance(matrix_of(conjugate(a)), transpose(matrix_of(a))) <= rounding);
        // r_world = q r q*
        const Quat<double> sandwich = a * pure(r) * conjugate(a);
        RC_ASSERT(distance(sandwich, pure(rotate(a, r))) <= rounding);
        RC_ASSERT(distance(matrix_of(a) * r, rotate(a, r)) <= rounding);
    }));
}

TEST_CASE("A rotation keeps lengths, angles and handedness")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Quat<double> q = dice.turn();
        const Vec3<double> a = dice.vec(), b = dice.vec();
        const Vec3<double> Ra = rotate(q, a), Rb = rotate(q, b);
        RC_ASSERT(near(norm(Ra), norm(a), rounding));
        RC_ASSERT(near(dot(Ra, Rb), dot(a, b), rounding, norm(a) * norm(b)));
        RC_ASSERT(distance(cross(Ra, Rb), rotate(q, cross(a, b))) <= rounding);
        RC_ASSERT(near(determinant(matrix_of(q)), 1, rounding));
        RC_ASSERT(orthonormality_error(matrix_of(q)) <= rounding);
        RC_ASSERT(distance(rotate(conjugate(q), Ra), a) <= rounding);
    }));
}

TEST_CASE("Change of view: a turn in world axes on the left is the same turn in body axes on the "
          "right")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Quat<double> q = dice.turn();
        const Mat3<double> R = matrix_of(q);
        const Vec3<double> u = dice.vec(3), u_b = transpose_times(R, u);
        RC_ASSERT(distance(turned(q, u), turned_body(q, u_b)) <= rounding);
        RC_ASSERT(distance(turned(R, u), turned_body(R, u_b)) <= rounding);
        RC_ASSERT(distance(matrix_of(turned(q, u)), turned(R, u)) <= rounding);
        // the rates: ½ (0; ω) q = ½ q (0; ω_b), [ω×] R = R [ω_b×]
        RC_ASSERT(distance(pure(u) * q, q * pure(u_b)) <= rounding * norm(u));
        RC_ASSERT(distance(skew(u) * R, R * skew(u_b)) <= rounding * norm(u));
    }));
}

TEST_CASE("The rate of a quaternion is half of ω q: the quotient of a small turn converges to it")
{
    Dice dice(6);
    const Quat<double> q = dice.turn();
    const Vec3<double> omega = dice.vec(2);
    const auto error = [&](double h) {
        const Quat<double> there = exp_quat(h * omega) * q, back = exp_quat(-h * omega) * q;
        return distance((0.5 / h) * (there + minus(back)), 0.5 * (pure(omega) * q));
    };
    CHECK(error(1e-3) <= 1e-6); // second order
    CHECK(near(std::log2(error(2e-3) / error(1e-3)), 2, 0.01));
}

// ---- the rotation vector ------------------------------------------------------------------------

TEST_CASE("Rotation vector: its rate is the difference quotient of log(exp(t ω) exp(u))")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        for (const double size : {0.0, 1e-8, 1e-3, 0.0999, 0.1001, 1.0, 2.0, 3.0}) {
            const Vec3<double> u = size * dice.unit(), omega = dice.vec();
            const auto at = [&](double t) { return log_quat(exp_quat(t * omega) * exp_quat(u)); };
            const double h = 1e-3; // fourth order: 1e-12 of truncation, 1e-12 of rounding
            const Vec3<double> quotient =
                (8.0 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
            RC_ASSERT(distance(rotation_vector_rate(u, omega), quotient) <= 1e-10);
        }
    }));
}

TEST_CASE("Rotation vector: u moving at its rate turns exp(u) with ω, up to a whole turn")
{
    using D = Dual<double>;
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        for (const double size : {0.0, 1e-9, 0.05, 0.0999, 0.1001, 1.0, 3.0, pi, 4.0, 6.0}) {
            const Vec3<double> u = size * dice.unit(), omega = dice.vec();
            const Vec3<double> u_dot = rotation_vector_rate(u, omega);
            const Quat<D> q = exp_quat(Vec3<D>{{u.x, u_dot.x}, {u.y, u_dot.y}, {u.z, u_dot.z}});
            const Quat<double> q_dot{q.w.d, q.x.d, q.y.d, q.z.d};
            // the rate grows as 1/(2π − |u|) towards the whole turn: 22 at 6.0
            RC_ASSERT(distance(q_dot, 0.5 * (pure(omega) * exp_quat(u))) <= 30 * rounding);
        }
    }));
}

TEST_CASE("Rotation vector: about its own axis the rate is ω")
{
    Dice dice(8);
    for (const double size : {0.01, 1.0, 3.0, 6.0}) {
        const Vec3<double> u = size * dice.unit();
        CHECK(distance(rotation_vector_rate(u, u), u) <= rounding * size);
    }
}

// ---- renormalisation and drift ------------------------------------------------------------------

TEST_CASE("Renormalisation: the norm is one to the last digit and the rotation does not change")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Quat<double> q = dice.turn();
        const Quat<double> back = normalised(std::exp2(dice.in(-400, 400)) * q);
        RC_ASSERT(near(norm2(back), 1, 4 * eps));
        RC_ASSERT(distance(back, q) <= 4 * eps);
    }));
}

TEST_CASE("Orthonormalisation: the error E of RᵀR becomes −¾E² + ¼E³")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const double size = std::exp2(dice.in(-20, -2));
        const Mat3<double> m = matrix_of(dice.turn()) + (0.3 * size) * dice.matrix();
        const auto error = [](const Mat3<double>& a) {
            return transpose(a) * a - identity3<double>();
        };
        const Mat3<double> E = error(m), E2 = E * E;
        const Mat3<double> expected = -0.75 * E2 + 0.25 * (E2 * E);
        RC_ASSERT(distance(error(orthonormalised(m)), expected) <= rounding);
        const double before = orthonormality_error(m);
        RC_ASSERT(orthonormality_error(orthonormalised(m)) <= before * before + rounding);
    }));
}

TEST_CASE("Orthonormalisation converges to the nearest rotation, the polar factor")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Mat3<double> R = matrix_of(dice.turn());
        // R S with S symmetric, positive and near one: R is what polar decomposition returns
        const Sym3<double> S = diagonal(1.0, 1.0, 1.0) + 0.05 * (dice.positive() - dice.positive());
        RC_ASSERT(distance(polar(R * full(S)), R) <= rounding);
    }));
}

// What the documents say about drift: a quaternion has "less numerical drift" than a matrix. What
// holds for 10⁶ products without repair (measured 2026-11-15, twelve axes, three sizes of step):
//
//     one rotation repeated     | |q|² − 1 | ≤ 9e-11      ‖RᵀR − 1‖ ≤ 2e-10       both as n
//     a new rotation each step  | |q|² − 1 | ≈ 1e-13      ‖RᵀR − 1‖ ≈ 2e-13       both as √n
//
// The repeated step brings its own rounding each time: |Δq| is off by up to ε/2, and so is the
// product after every step. Neither loses its attitude: what is left after repair is the rounding
// of the total angle. The quaternion is not more accurate; its drift has one dimension where the
// matrix's has six, and the repair is a division.
TEST_CASE("Drift: a million equal turns cost quaternion and matrix no more than ε each per turn")
{
    Dice dice(7);
    const int n = 1'000'000;
    for (const double step : {1e-3, 1e-2, 0.1}) {
        const Vec3<double> u = step * dice.unit();
        const Quat<double> dq = exp_quat(u);
        const Mat3<double> dR = exp_matrix(u);
        Quat<double> q = identity_quat<double>(), repaired = q;
        Mat3<double> R = identity3<double>();
        double tenth_of_q = 0;
        for (int i = 0; i < n; ++i) {
            q = dq * q;
            R = dR * R;
            repaired = turned(repaired, u);
            if (i + 1 == n / 10)
                tenth_of_q = norm2(q) - 1;
        }
        CHECK(std::abs(norm2(q) - 1) <= n * eps);
        CHECK(near(norm2(q) - 1, 10 * tenth_of_q, 0.3)); // it grows with n, give or take √n
        CHECK(orthonormality_error(R) <= 2 * n * eps);
        CHECK(near(norm2(repaired), 1, 4 * eps));

        // The attitude: the turn by n u, whose half angle long double still knows.
        const long double half = static_cast<long double>(norm(u)) * n / 2;
        const Quat<double> exact{static_cast<double>(std::cos(half)),
                                 static_cast<double>(std::sin(half)) * u.x / norm(u),
                                 static_cast<double>(std::sin(half)) * u.y / norm(u),
                                 static_cast<double>(std::sin(half)) * u.z / norm(u)};
        // ε of the angle, and n roundings of either sign (measured: at most a third of it)
        const double allowed = eps * (n * step + 30 * std::sqrt(n));
        CHECK(angle_between(normalised(q), exact) <= allowed);
        CHECK(angle_between(quat_of(polar(R)), exact) <= allowed);
        CHECK(angle_between(repaired, exact) <= allowed);
    }
}

TEST_CASE("Drift: a million different turns cost quaternion and matrix √n roundings each")
{
    Dice dice(9);
    const int n = 1'000'000;
    Quat<double> q = identity_quat<double>();
    Mat3<double> R = identity3<double>();
    for (int i = 0; i < n; ++i) {
        const Quat<double> dq = exp_quat(dice.vec(0.01));
        q = dq * q;
        R = matrix_of(dq) * R;
    }
    const double random_walk = 4 * eps * std::sqrt(n); // measured: at most half of it
    CHECK(std::abs(norm2(q) - 1) <= random_walk);
    CHECK(orthonormality_error(R) <= random_walk);
    CHECK(angle_between(normalised(q), quat_of(polar(R))) <= random_walk);
}

// q + ½h ω q has |q|² grow by the factor 1 + h²ω²/4 and turn by 2 atan(hω/2); R + h[ω×]R stretches
// what is across the axis by √(1 + h²ω²) and turns by atan(hω). After the time T:
//
//     |q|² − 1 = T h ω²/4         ‖RᵀR − 1‖ = √2 T h ω²                first order
//     angle:  T h² ω³/12                 T h² ω³/3                     second order, after repair
TEST_CASE("Drift: explicit Euler stretches with the first power of the step, the quaternion a "
          "quarter as much")
{
    const Vec3<double> omega{0.3, -0.5, 0.81};
    const double w2 = norm2(omega), w3 = w2 * norm(omega), T = 2;
    for (const double h : {1e-2, 1e-3}) {
        const int n = static_cast<int>(std::lround(T / h));
        Quat<double> q = identity_quat<double>();
        Mat3<double> R = identity3<double>();
        for (int i = 0; i < n; ++i) {
            q = q + (h / 2) * (pure(omega) * q);
            R = R + h * (skew(omega) * R);
        }
        // the next order is relatively T h ω²
        CHECK(near(norm2(q) - 1, T * h * w2 / 4, 2 * T * h * w2));
        CHECK(near(orthonormality_error(R), std::sqrt(2) * T * h * w2, 2 * T * h * w2));
        const Quat<double> exact = exp_quat(T * omega);
        CHECK(near(angle_between(normalised(q), exact), T * h * h * w3 / 12, 2 * T * h * w2));
        CHECK(near(angle_between(quat_of(polar(R)), exact), T * h * h * w3 / 3, 2 * T * h * w2));
    }
}
