// SPDX-License-Identifier: MIT
#pragma once

// Unit quaternions, rotation matrices, exp and log.
//
//     q = (w; x, y, z) maps body to world:      r_world = q r_body q*
//     exp(u)  = (cos |u|/2; u/|u| sin |u|/2)    the turn by the rotation vector u
//     q̇ = ½ (0; ω) q = ½ q (0; ω_b)             ω in world axes on the left, in body axes on the
// right
//     Ṙ = [ω×] R = R [ω_b×]
//
// exp and log have no branch: near zero they `select` a series, on arguments that are safe.

#include "poinsot/math/vec3.hpp"

namespace poinsot {

template <Scalar T>
struct Quat {
    T w, x, y, z;

    // Not fused, and in pairs: q q* is then real to the bit, and a body at rest stays at rest.
    friend constexpr Quat operator*(const Quat& a, const Quat& b)
    {
        return {(a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z),
                (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y),
                (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
                (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x)};
    }
    friend constexpr Quat operator+(const Quat& a, const Quat& b)
    {
        return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
    }
    friend constexpr Quat operator*(const T& s, const Quat& a)
    {
        return {s * a.w, s * a.x, s * a.y, s * a.z};
    }
    friend constexpr bool operator==(const Quat& a, const Quat& b) requires std::floating_point<T>
    {
        return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z;
    }
};

template <Scalar T>
constexpr Quat<T> identity_quat()
{
    const T o = constant<T>(0.0);
    return {constant<T>(1.0), o, o, o};
}
template <Scalar T>
constexpr Quat<T> conjugate(const Quat<T>& q)
{
    return {q.w, -q.x, -q.y, -q.z};
}
template <Scalar T>
T norm2(const Quat<T>& q)
{
    return mul_add(q.w, q.w, mul_add(q.x, q.x, mul_add(q.y, q.y, q.z * q.z)));
}
/// The unit quaternion of the same direction: what keeps a drifting attitude a rotation.
template <Scalar T>
inline Quat<T> normalised(const Quat<T>& q)
{
    return (constant<T>(1.0) / sqrt(norm2(q))) * q;
}
/// 2/|q|² for a quaternion that is of unit length up to rounding: 2(2 − |q|²), whose error is the
/// square of what |q|² lacks of 1. Rotations by it are length-preserving without bias; with plain 2
/// the last digit of |q| leans one way, and a million steps lose six digits of |L|.
template <Scalar T>
T two_over_norm2(const Quat<T>& q)
{
    return mul_add(constant<T>(-2.0), norm2(q), constant<T>(4.0));
}
template <Scalar T>
inline Vec3<T> rotate(const Quat<T>& q, const Vec3<T>& r)
{
    // r + 2 w (v × r) + 2 v × (v × r)
    const Vec3<T> v{q.x, q.y, q.z};
    const Vec3<T> t = two_over_norm2(q) * cross(v, r);
    return mul_add(q.w, t, r) + cross(v, t);
}

/// sin(x)/x from x²: a series where x² is tiny, the closed form elsewhere.
template <Scalar T>
T sin_over(const T& x2, const T& sin_x, const T& x)
{
    const auto tiny = x2 < constant<T>(1e-8); // the next term, x⁶/5040, is below 2e-28
    const T series = mul_add(x2, mul_add(x2, constant<T>(1.0 / 120.0), constant<T>(-1.0 / 6.0)),
                             constant<T>(1.0));
    return select(tiny, series, sin_x / select(tiny, constant<T>(1.0), x));
}

/// The quaternion of the rotation vector u (axis times angle).
template <Scalar T>
inline Quat<T> exp_quat(const Vec3<T>& u)
{
    const T half = constant<T>(0.5);
    const T a2 = half * half * norm2(u); // (|u|/2)²
    const auto tiny = a2 < constant<T>(1e-8);
    // sqrt of a safe argument: its derivative at zero is infinite, and a Dual would carry it on
    const T a = sqrt(select(tiny, constant<T>(1.0), a2));
    const auto [s, c] = sin_cos(a);
    const T cosine = select(
        tiny,
        mul_add(a2, mul_add(a2, constant<T>(1.0 / 24.0), constant<T>(-0.5)), constant<T>(1.0)), c);
    const T k = half * sin_over(a2, s, a);
    return {cosine, k * u.x, k * u.y, k * u.z};
}

/// The rotation vector of a unit quaternion, of length at most π.
template <Scalar T>
inline Vec3<T> log_quat(const Quat<T>& q)
{
    const Vec3<T> v{q.x, q.y, q.z};
    const auto flip = q.w < constant<T>(0.0); // q and −q are one rotation: take the short way
    const T w = select(flip, -q.w, q.w);
    const Vec3<T> s = select(flip, -v, v);
    const T n2 = norm2(s);
    const auto tiny = n2 < constant<T>(1e-8);
    const T n = sqrt(select(tiny, constant<T>(1.0), n2));
    // angle/|v|: 2 atan2(n, w)/n, or its series (2/w)(1 − (n/w)²/3 + (n/w)⁴/5)
    const T safe_w = select(tiny, w, constant<T>(1.0));
    const T r2 = n2 / (safe_w * safe_w);
    const T series =
        constant<T>(2.0) *
        mul_add(r2, mul_add(r2, constant<T>(0.2), constant<T>(-1.0 / 3.0)), constant<T>(1.0)) /
        safe_w;
    const T k = select(tiny, series, constant<T>(2.0) * atan2(n, w) / n);
    return k * s;
}

template <Scalar T>
inline Mat3<T> matrix_of(const Quat<T>& q)
{
    const T two = two_over_norm2(q), one = constant<T>(1.0);
    const T xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const T xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const T wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{one - two * (yy + zz), two * (xy - wz), two * (xz + wy)},
            {two * (xy + wz), one - two * (xx + zz), two * (yz - wx)},
            {two * (xz - wy), two * (yz + wx), one - two * (xx + yy)}};
}
/// The rotation matrix of the rotation vector u (Rodrigues, by way of the quaternion).
template <Scalar T>
Mat3<T> exp_matrix(const Vec3<T>& u)
{
    return matrix_of(exp_quat(u));
}
/// The unit quaternion of a rotation matrix: of q and −q the one whose largest component is
/// positive. That component is the divisor, so nothing is lost near half a turn.
template <Scalar T>
inline Quat<T> quat_of(const Mat3<T>& m)
{
    const T one = constant<T>(1.0);
    const T xx = m.r0.x, yy = m.r1.y, zz = m.r2.z;
    const T w4 = one + xx + yy + zz, x4 = one + xx - yy - zz, y4 = one - xx + yy - zz,
            z4 = one - xx - yy + zz;                                       // 4w², 4x², 4y², 4z²
    const T a = m.r2.y - m.r1.z, b = m.r0.z - m.r2.x, c = m.r1.x - m.r0.y; // 4wx, 4wy, 4wz
    const T d = m.r1.x + m.r0.y, e = m.r2.x + m.r0.z, f = m.r2.y + m.r1.z; // 4xy, 4xz, 4yz
    const auto w_first = (w4 >= x4) && (w4 >= y4) && (w4 >= z4);
    const auto x_first = (x4 >= y4) && (x4 >= z4);
    const auto y_first = y4 >= z4;
    const auto pick = [&](const T& w, const T& x, const T& y, const T& z) {
        return select(w_first, w, select(x_first, x, select(y_first, y, z)));
    };
    const Quat<T> q{pick(w4, a, b, c), pick(a, x4, d, e), pick(b, d, y4, f), pick(c, e, f, z4)};
    return normalised(q);
}
/// The rotation vector of a rotation matrix.
template <Scalar T>
Vec3<T> log_matrix(const Mat3<T>& m)
{
    return log_quat(quat_of(m));
}

/// The rotation nearest to a matrix that has drifted, by one Newton step of the polar
/// decomposition R ← R (3 − RᵀR)/2: the error ‖RᵀR − 1‖ goes to its square.
template <Scalar T>
Mat3<T> orthonormalised(const Mat3<T>& m)
{
    const Mat3<T> g = transpose(m) * m;
    return constant<T>(0.5) * (m * (constant<T>(3.0) * identity3<T>() - g));
}
/// How far a matrix is from a rotation: the Frobenius norm of RᵀR − 1.
template <Scalar T>
T orthonormality_error(const Mat3<T>& m)
{
    const Mat3<T> e = transpose(m) * m - identity3<T>();
    return sqrt(norm2(e.r0) + norm2(e.r1) + norm2(e.r2));
}

// The two attitudes a state may use share three questions: turn it, rotate by it, read it.

/// The attitude turned by the rotation vector u given in world axes: exp(u) R.
template <Scalar T>
Quat<T> turned(const Quat<T>& q, const Vec3<T>& u)
{
    return normalised(exp_quat(u) * q);
}
template <Scalar T>
Mat3<T> turned(const Mat3<T>& m, const Vec3<T>& u)
{
    return exp_matrix(u) * m;
}
/// The attitude turned by the rotation vector u given in body axes: R exp(u).
template <Scalar T>
Quat<T> turned_body(const Quat<T>& q, const Vec3<T>& u)
{
    return normalised(q * exp_quat(u));
}
template <Scalar T>
Mat3<T> turned_body(const Mat3<T>& m, const Vec3<T>& u)
{
    return m * exp_matrix(u);
}
template <Scalar T>
constexpr Mat3<T> matrix_of(const Mat3<T>& m)
{
    return m;
}

/// The rate u̇ of the rotation vector for which exp(u) R₀ turns with ω (world axes):
///
///     u̇ = ω − ½ u × ω + c u × (u × ω)        c = (1 − ½|u| cot ½|u|)/|u|²
///
/// Closed at every order: the series of c is taken only where its next term is below rounding.
template <Scalar T>
inline Vec3<T> rotation_vector_rate(const Vec3<T>& u, const Vec3<T>& omega)
{
    const T u2 = norm2(u);
    const auto small = u2 < constant<T>(0.01); // the term after the last is below 2e-17 relative
    T series = constant<T>(1.0 / 47900160.0);
    series = mul_add(series, u2, constant<T>(1.0 / 1209600.0));
    series = mul_add(series, u2, constant<T>(1.0 / 30240.0));
    series = mul_add(series, u2, constant<T>(1.0 / 720.0));
    series = mul_add(series, u2, constant<T>(1.0 / 12.0));
    const T safe = select(small, constant<T>(1.0), u2);
    const T half = constant<T>(0.5) * sqrt(safe);
    const auto [s, c] = sin_cos(half);
    const T closed = (constant<T>(1.0) - half * c / s) / safe;
    const Vec3<T> a = cross(u, omega);
    return omega - constant<T>(0.5) * a + select(small, series, closed) * cross(u, a);
}

/// The other way: the ω (world axes) with which exp(u) R₀ turns when u changes at the rate u̇.
///
///     ω = u̇ + a u × u̇ + b u × (u × u̇)        a = (1 − cos|u|)/|u|²,  b = (|u| − sin|u|)/|u|³
template <Scalar T>
inline Vec3<T> rotation_rate(const Vec3<T>& u, const Vec3<T>& u_dot)
{
    const T u2 = norm2(u);
    const auto small = u2 < constant<T>(0.01); // the terms after the last are below 1e-18 relative
    T a = constant<T>(1.0 / 3628800.0);
    a = mul_add(-a, u2, constant<T>(1.0 / 40320.0));
    a = mul_add(-a, u2, constant<T>(1.0 / 720.0));
    a = mul_add(-a, u2, constant<T>(1.0 / 24.0));
    a = mul_add(-a, u2, constant<T>(0.5));
    T b = constant<T>(1.0 / 39916800.0);
    b = mul_add(-b, u2, constant<T>(1.0 / 362880.0));
    b = mul_add(-b, u2, constant<T>(1.0 / 5040.0));
    b = mul_add(-b, u2, constant<T>(1.0 / 120.0));
    b = mul_add(-b, u2, constant<T>(1.0 / 6.0));
    const T safe = select(small, constant<T>(1.0), u2);
    const T angle = sqrt(safe);
    const T s = sin_cos(angle).sin;
    const T half = sin_cos(constant<T>(0.5) * angle).sin; // 1 − cos without cancellation
    const T closed_a = constant<T>(2.0) * half * half / safe;
    const T closed_b = (angle - s) / (safe * angle);
    const Vec3<T> d = cross(u, u_dot);
    return u_dot + select(small, a, closed_a) * d + select(small, b, closed_b) * cross(u, d);
}

/// The shortest turn from z to a unit vector; for one that points down, half a turn about x first,
/// so that nothing is lost near −z.
inline Quat<double> turned_from_z(const Vec3<double>& axis)
{
    const bool down = axis.z < 0;
    const Vec3<double> z{0, 0, down ? -1.0 : 1.0};
    const Vec3<double> n = cross(z, axis);
    const Quat<double> turn = normalised(Quat<double>{1 + dot(z, axis), n.x, n.y, n.z});
    return down ? turn * Quat<double>{0, 1, 0, 0} : turn;
}

extern template Quat<double> normalised(const Quat<double>&);
extern template Vec3<double> rotate(const Quat<double>&, const Vec3<double>&);
extern template Quat<double> exp_quat(const Vec3<double>&);
extern template Vec3<double> log_quat(const Quat<double>&);
extern template Mat3<double> matrix_of(const Quat<double>&);
extern template Quat<double> quat_of(const Mat3<double>&);
extern template Vec3<double> rotation_vector_rate(const Vec3<double>&, const Vec3<double>&);
extern template Vec3<double> rotation_rate(const Vec3<double>&, const Vec3<double>&);

} // namespace poinsot
