// SPDX-License-Identifier: MIT
#pragma once

// Vectors, symmetric and full 3×3 matrices.
//
//     dot(a, b)   = a · b              fused: one rounding per term
//     cross(a, b) = a × b              not fused, so that a × a = 0 and a × b = −(b × a) to the bit
//     skew(a) b   = a × b              the star of the slides, [a×] elsewhere
//
// What is a few products long is inlined wherever it is used, however little is optimised there:
// of several copies of a function the linker keeps any, for all.
//
// Run-time sizes are Eigen's business; these are the small fixed ones that kernels are templates
// over.

#include "poinsot/math/trig.hpp"

namespace poinsot {

template <Scalar T>
struct Vec3 {
    T x, y, z;

    constexpr Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
    constexpr Vec3& operator-=(const Vec3& b) { return *this = *this - b; }
    [[gnu::always_inline]] friend constexpr Vec3 operator+(const Vec3& a, const Vec3& b)
    {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    [[gnu::always_inline]] friend constexpr Vec3 operator-(const Vec3& a, const Vec3& b)
    {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    [[gnu::always_inline]] friend constexpr Vec3 operator-(const Vec3& a)
    {
        return {-a.x, -a.y, -a.z};
    }
    [[gnu::always_inline]] friend constexpr Vec3 operator*(const T& s, const Vec3& a)
    {
        return {s * a.x, s * a.y, s * a.z};
    }
    [[gnu::always_inline]] friend constexpr Vec3 operator*(const Vec3& a, const T& s)
    {
        return s * a;
    }
    [[gnu::always_inline]] friend constexpr Vec3 operator/(const Vec3& a, const T& s)
    {
        return {a.x / s, a.y / s, a.z / s};
    }
    friend constexpr bool operator==(const Vec3& a, const Vec3& b) requires std::floating_point<T>
    {
        return a.x == b.x && a.y == b.y && a.z == b.z;
    }
};

template <Scalar T>
[[gnu::always_inline]] inline T dot(const Vec3<T>& a, const Vec3<T>& b)
{
    return mul_add(a.x, b.x, mul_add(a.y, b.y, a.z * b.z));
}
template <Scalar T>
[[gnu::always_inline]] constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// a × b + c, fused: for kernels that add the product to something anyway.
template <Scalar T>
[[gnu::always_inline]] inline Vec3<T> cross_add(const Vec3<T>& a, const Vec3<T>& b,
                                                const Vec3<T>& c)
{
    return {mul_add(a.y, b.z, mul_add(-a.z, b.y, c.x)), mul_add(a.z, b.x, mul_add(-a.x, b.z, c.y)),
            mul_add(a.x, b.y, mul_add(-a.y, b.x, c.z))};
}
template <Scalar T>
[[gnu::always_inline]] inline T norm2(const Vec3<T>& a)
{
    return dot(a, a);
}
template <Scalar T>
[[gnu::always_inline]] inline T norm(const Vec3<T>& a)
{
    return sqrt(norm2(a));
}
template <Scalar T>
Vec3<T> normalised(const Vec3<T>& a)
{
    return a / norm(a);
}
/// s a + b, fused.
template <Scalar T>
[[gnu::always_inline]] inline Vec3<T> mul_add(const T& s, const Vec3<T>& a, const Vec3<T>& b)
{
    return {mul_add(s, a.x, b.x), mul_add(s, a.y, b.y), mul_add(s, a.z, b.z)};
}
template <Scalar T, class Truth>
constexpr Vec3<T> select(const Truth& mask, const Vec3<T>& yes, const Vec3<T>& no)
{
    return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z)};
}
template <Scalar T>
constexpr Vec3<T> zero3()
{
    return {constant<T>(0.0), constant<T>(0.0), constant<T>(0.0)};
}

/// Three numbers of a list as a vector, and a vector into a list.
template <Scalar T>
Vec3<T> vector_at(const T* v)
{
    return {v[0], v[1], v[2]};
}
template <Scalar T>
void put_at(T* out, const Vec3<T>& a)
{
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

/// A full 3×3 matrix by rows.
template <Scalar T>
struct Mat3 {
    Vec3<T> r0, r1, r2;

    friend constexpr Mat3 operator+(const Mat3& a, const Mat3& b)
    {
        return {a.r0 + b.r0, a.r1 + b.r1, a.r2 + b.r2};
    }
    friend constexpr Mat3 operator-(const Mat3& a, const Mat3& b)
    {
        return {a.r0 - b.r0, a.r1 - b.r1, a.r2 - b.r2};
    }
    friend constexpr Mat3 operator*(const T& s, const Mat3& a)
    {
        return {s * a.r0, s * a.r1, s * a.r2};
    }
    [[gnu::always_inline]] friend Vec3<T> operator*(const Mat3& a, const Vec3<T>& b)
    {
        return {dot(a.r0, b), dot(a.r1, b), dot(a.r2, b)};
    }
    friend Mat3 operator*(const Mat3& a, const Mat3& b)
    {
        return {transpose_times(b, a.r0), transpose_times(b, a.r1), transpose_times(b, a.r2)};
    }
};

template <std::floating_point T>
constexpr bool operator==(const Mat3<T>& a, const Mat3<T>& b)
{
    return a.r0 == b.r0 && a.r1 == b.r1 && a.r2 == b.r2;
}
template <Scalar T>
constexpr Mat3<T> transpose(const Mat3<T>& a)
{
    return {{a.r0.x, a.r1.x, a.r2.x}, {a.r0.y, a.r1.y, a.r2.y}, {a.r0.z, a.r1.z, a.r2.z}};
}
/// Aᵀ b, without forming Aᵀ.
template <Scalar T>
[[gnu::always_inline]] inline Vec3<T> transpose_times(const Mat3<T>& a, const Vec3<T>& b)
{
    return mul_add(b.x, a.r0, mul_add(b.y, a.r1, b.z * a.r2));
}
template <Scalar T>
constexpr Mat3<T> identity3()
{
    const T o = constant<T>(0.0), l = constant<T>(1.0);
    return {{l, o, o}, {o, l, o}, {o, o, l}};
}
template <Scalar T>
constexpr Mat3<T> skew(const Vec3<T>& a)
{
    const T o = constant<T>(0.0);
    return {{o, -a.z, a.y}, {a.z, o, -a.x}, {-a.y, a.x, o}};
}
/// a bᵀ
template <Scalar T>
constexpr Mat3<T> outer(const Vec3<T>& a, const Vec3<T>& b)
{
    return {a.x * b, a.y * b, a.z * b};
}
template <Scalar T>
T determinant(const Mat3<T>& a)
{
    return dot(a.r0, cross(a.r1, a.r2));
}
template <Scalar T>
constexpr T trace(const Mat3<T>& a)
{
    return a.r0.x + a.r1.y + a.r2.z;
}
/// The cross product hidden in a matrix: cr(a bᵀ) = a × b.
template <Scalar T>
constexpr Vec3<T> cr(const Mat3<T>& a)
{
    return {a.r1.z - a.r2.y, a.r2.x - a.r0.z, a.r0.y - a.r1.x};
}

/// A symmetric 3×3 matrix by its six numbers: inertia, second moments.
template <Scalar T>
struct Sym3 {
    T xx, yy, zz, xy, xz, yz;

    friend constexpr Sym3 operator+(const Sym3& a, const Sym3& b)
    {
        return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
    }
    friend constexpr Sym3 operator-(const Sym3& a, const Sym3& b)
    {
        return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
    }
    friend constexpr Sym3 operator*(const T& s, const Sym3& a)
    {
        return {s * a.xx, s * a.yy, s * a.zz, s * a.xy, s * a.xz, s * a.yz};
    }
    [[gnu::always_inline]] friend Vec3<T> operator*(const Sym3& a, const Vec3<T>& b)
    {
        return {mul_add(a.xx, b.x, mul_add(a.xy, b.y, a.xz * b.z)),
                mul_add(a.xy, b.x, mul_add(a.yy, b.y, a.yz * b.z)),
                mul_add(a.xz, b.x, mul_add(a.yz, b.y, a.zz * b.z))};
    }
    friend constexpr bool operator==(const Sym3& a, const Sym3& b) requires std::floating_point<T>
    {
        return a.xx == b.xx && a.yy == b.yy && a.zz == b.zz && a.xy == b.xy && a.xz == b.xz &&
               a.yz == b.yz;
    }
};

template <Scalar T>
constexpr Sym3<T> diagonal(const T& xx, const T& yy, const T& zz)
{
    const T o = constant<T>(0.0);
    return {xx, yy, zz, o, o, o};
}
template <Scalar T>
constexpr T trace(const Sym3<T>& a)
{
    return a.xx + a.yy + a.zz;
}
template <Scalar T>
constexpr Mat3<T> full(const Sym3<T>& a)
{
    return {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
}
/// The symmetric part (A + Aᵀ)/2.
template <Scalar T>
constexpr Sym3<T> symmetric(const Mat3<T>& a)
{
    const T half = constant<T>(0.5);
    return {a.r0.x,
            a.r1.y,
            a.r2.z,
            half * (a.r0.y + a.r1.x),
            half * (a.r0.z + a.r2.x),
            half * (a.r1.z + a.r2.y)};
}
/// a aᵀ
template <Scalar T>
constexpr Sym3<T> square(const Vec3<T>& a)
{
    return {a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z};
}
template <Scalar T>
T determinant(const Sym3<T>& a)
{
    return determinant(full(a));
}
/// The inverse by cofactors; the caller promises that it exists.
template <Scalar T>
Sym3<T> inverse(const Sym3<T>& a)
{
    const T cxx = a.yy * a.zz - a.yz * a.yz, cxy = a.xz * a.yz - a.xy * a.zz,
            cxz = a.xy * a.yz - a.xz * a.yy;
    const T inv_det = constant<T>(1.0) / mul_add(a.xx, cxx, mul_add(a.xy, cxy, a.xz * cxz));
    return {inv_det * cxx,
            inv_det * (a.xx * a.zz - a.xz * a.xz),
            inv_det * (a.xx * a.yy - a.xy * a.xy),
            inv_det * cxy,
            inv_det * cxz,
            inv_det * (a.xy * a.xz - a.xx * a.yz)};
}
/// A S Aᵀ: a symmetric tensor seen from other axes.
template <Scalar T>
Sym3<T> congruent(const Mat3<T>& a, const Sym3<T>& s)
{
    const Vec3<T> p0 = s * a.r0, p1 = s * a.r1, p2 = s * a.r2;
    return {dot(a.r0, p0), dot(a.r1, p1), dot(a.r2, p2),
            dot(a.r0, p1), dot(a.r0, p2), dot(a.r1, p2)};
}

inline bool finite(const Vec3<double>& a)
{
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}
inline bool finite(const Mat3<double>& a)
{
    return finite(a.r0) && finite(a.r1) && finite(a.r2);
}

} // namespace poinsot
