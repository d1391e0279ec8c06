// SPDX-License-Identifier: MIT
#pragma once

// Three numbers side by side, and matrices made of them, for kernels that live on 3×3 products.
//
// Everything is element by element: of doubles three sit in one register (the fourth lane is idle),
// of any other scalar they are three numbers, and both round alike. Matrices are kept by cyclic
// diagonals, so that products need no transposing and a symmetric one has six numbers:
//
//     A.d0 = (xx, yy, zz),   A.d1 = (xy, yz, zx),   A.d2 = (xz, yx, zy)        S.d, S.o alike
//
//     (A Bᵀ).ds = Σ_k A_k ∘ turned^s(B_k)         A_k, B_k: columns; turned(x, y, z) = (y, z, x)
//
// `Same` is one number for all three places. The vocabulary of the rest of the library is Vec3.

#include "poinsot/math/pack.hpp"
#include "poinsot/math/vec3.hpp"

#include <type_traits>

namespace poinsot {

template <Scalar T>
struct Triple {
    T x, y, z;

    friend constexpr Triple operator+(const Triple& a, const Triple& b)
    {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    friend constexpr Triple operator-(const Triple& a, const Triple& b)
    {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    friend constexpr Triple operator-(const Triple& a) { return {-a.x, -a.y, -a.z}; }
    friend constexpr Triple operator*(const Triple& a, const Triple& b)
    {
        return {a.x * b.x, a.y * b.y, a.z * b.z};
    }
    friend constexpr Triple operator*(const T& s, const Triple& a)
    {
        return {s * a.x, s * a.y, s * a.z};
    }
    friend Triple mul_add(const Triple& a, const Triple& b, const Triple& c)
    {
        return {mul_add(a.x, b.x, c.x), mul_add(a.y, b.y, c.y), mul_add(a.z, b.z, c.z)};
    }
    friend Triple mul_add(const T& s, const Triple& a, const Triple& b)
    {
        return {mul_add(s, a.x, b.x), mul_add(s, a.y, b.y), mul_add(s, a.z, b.z)};
    }
    friend constexpr Triple yzx(const Triple& a) { return {a.y, a.z, a.x}; }
    friend constexpr Triple zxy(const Triple& a) { return {a.z, a.x, a.y}; }
    friend constexpr Triple yxz(const Triple& a) { return {a.y, a.x, a.z}; }
    friend constexpr Triple pick(const Triple& a, const Triple& b, const Triple& c)
    {
        return {a.x, b.y, c.z};
    }
    friend constexpr T all_x(const Triple& a) { return a.x; }
    friend constexpr T all_y(const Triple& a) { return a.y; }
    friend constexpr T all_z(const Triple& a) { return a.z; }
    friend constexpr Triple plus_z(const Triple& a, const T& s) { return {a.x, a.y, a.z + s}; }
    friend constexpr Vec3<T> vec_of(const Triple& a) { return {a.x, a.y, a.z}; }
    /// (x + y) + z, everywhere.
    friend constexpr T sum_of(const Triple& a) { return (a.x + a.y) + a.z; }
};

template <>
struct Triple<double> {
    using V = typename Pack<double, 4>::Vector;
    V v;

    friend Triple operator+(const Triple& a, const Triple& b) { return {a.v + b.v}; }
    friend Triple operator-(const Triple& a, const Triple& b) { return {a.v - b.v}; }
    friend Triple operator-(const Triple& a) { return {-a.v}; }
    friend Triple operator*(const Triple& a, const Triple& b) { return {a.v * b.v}; }
    friend Triple operator/(const Triple& a, const Triple& b) { return {a.v / b.v}; }
    friend Triple mul_add(const Triple& a, const Triple& b, const Triple& c)
    {
        using P = Pack<double, 4>;
        return {mul_add(P::of(a.v), P::of(b.v), P::of(c.v)).v};
    }
    friend Triple yzx(const Triple& a) { return {__builtin_shufflevector(a.v, a.v, 1, 2, 0, 3)}; }
    friend Triple zxy(const Triple& a) { return {__builtin_shufflevector(a.v, a.v, 2, 0, 1, 3)}; }
    friend Triple yxz(const Triple& a) { return {__builtin_shufflevector(a.v, a.v, 1, 0, 2, 3)}; }
    friend Triple pick(const Triple& a, const Triple& b, const Triple& c)
    {
        const V ab = __builtin_shufflevector(a.v, b.v, 0, 5, 2, 3);
        return {__builtin_shufflevector(ab, c.v, 0, 1, 6, 3)};
    }
    friend Triple all_x(const Triple& a) { return {__builtin_shufflevector(a.v, a.v, 0, 0, 0, 0)}; }
    friend Triple all_y(const Triple& a) { return {__builtin_shufflevector(a.v, a.v, 1, 1, 1, 1)}; }
    friend Triple all_z(const Triple& a) { return {__builtin_shufflevector(a.v, a.v, 2, 2, 2, 2)}; }
    /// s on top of z alone.
    friend Triple plus_z(const Triple& a, const Triple& s)
    {
        return {__builtin_shufflevector(a.v, a.v + s.v, 0, 1, 6, 3)};
    }
    friend Vec3<double> vec_of(const Triple& a) { return {a.v[0], a.v[1], a.v[2]}; }
    friend Triple sum_of(const Triple& a) { return all_x((a + yzx(a)) + zxy(a)); }
};

template <Scalar T>
using Same = std::conditional_t<std::same_as<T, double>, Triple<double>, T>;

template <Scalar T>
Same<T> same_of(const T& s)
{
    if constexpr (std::same_as<T, double>)
        return {Pack<double, 4>(s).v};
    else
        return s;
}
template <Scalar T>
Same<T> same_constant(double s)
{
    return same_of<T>(constant<T>(s));
}
/// The number that all places have.
template <Scalar T>
T value_of(const Same<T>& s)
{
    if constexpr (std::same_as<T, double>)
        return s.v[0];
    else
        return s;
}
template <Scalar T>
Triple<T> triple(const T& x, const T& y, const T& z)
{
    if constexpr (std::same_as<T, double>)
        return {typename Triple<double>::V{x, y, z, 0}};
    else
        return {x, y, z};
}
template <Scalar T>
Triple<T> triple_of(const Vec3<T>& a)
{
    return triple(a.x, a.y, a.z);
}
template <Scalar T>
Triple<T> spread(const Same<T>& s)
{
    if constexpr (std::same_as<T, double>)
        return s;
    else
        return {s, s, s};
}
template <Scalar T>
Triple<T> zero_triple()
{
    return triple_of(zero3<T>());
}
/// A constant of the linkage in another scalar.
template <Scalar T>
Triple<T> in_scalar(const Triple<double>& a)
{
    if constexpr (std::same_as<T, double>)
        return a;
    else
        return {constant<T>(a.v[0]), constant<T>(a.v[1]), constant<T>(a.v[2])};
}

/// a × b. Its lane z holds a_z b_x − a_x b_z before the last turn, and so on around.
template <Scalar T>
Triple<T> cross(const Triple<T>& a, const Triple<T>& b)
{
    return yzx(mul_add(a, yzx(b), -(yzx(a) * b)));
}
/// a × b + c, where c is known early.
template <Scalar T>
Triple<T> cross_add(const Triple<T>& a, const Triple<T>& b, const Triple<T>& c)
{
    return yzx(mul_add(a, yzx(b), mul_add(-yzx(a), b, zxy(c))));
}

/// A rotation by its columns and its rows. Doubles keep both; they are short of shuffles, not of
/// memory.
template <Scalar T>
struct Turn {
    Mat3<T> m;

    Triple<T> c0() const { return {m.r0.x, m.r1.x, m.r2.x}; }
    Triple<T> c1() const { return {m.r0.y, m.r1.y, m.r2.y}; }
    Triple<T> c2() const { return {m.r0.z, m.r1.z, m.r2.z}; }
    Triple<T> r0() const { return {m.r0.x, m.r0.y, m.r0.z}; }
    Triple<T> r1() const { return {m.r1.x, m.r1.y, m.r1.z}; }
    Triple<T> r2() const { return {m.r2.x, m.r2.y, m.r2.z}; }
    const Mat3<T>& matrix() const { return m; }
};
template <>
struct Turn<double> {
    Triple<double> column_0, column_1, column_2, row_0, row_1, row_2;

    const Triple<double>& c0() const { return column_0; }
    const Triple<double>& c1() const { return column_1; }
    const Triple<double>& c2() const { return column_2; }
    const Triple<double>& r0() const { return row_0; }
    const Triple<double>& r1() const { return row_1; }
    const Triple<double>& r2() const { return row_2; }
    Mat3<double> matrix() const { return {vec_of(row_0), vec_of(row_1), vec_of(row_2)}; }
};
template <Scalar T>
Turn<T> turn_of(const Mat3<T>& R)
{
    if constexpr (std::same_as<T, double>)
        return {triple(R.r0.x, R.r1.x, R.r2.x),
                triple(R.r0.y, R.r1.y, R.r2.y),
                triple(R.r0.z, R.r1.z, R.r2.z),
                triple_of(R.r0),
                triple_of(R.r1),
                triple_of(R.r2)};
    else
        return {R};
}
/// R b, and Rᵀ b.
template <Scalar T>
Triple<T> operator*(const Turn<T>& R, const Triple<T>& b)
{
    return mul_add(all_x(b), R.c0(), mul_add(all_y(b), R.c1(), all_z(b) * R.c2()));
}
template <Scalar T>
Triple<T> back(const Turn<T>& R, const Triple<T>& b)
{
    return mul_add(all_x(b), R.r0(), mul_add(all_y(b), R.r1(), all_z(b) * R.r2()));
}

// For single vectors three numbers one by one are quicker: the way through a shuffle is longer than
// that through three products, and chains of links are as long as their longest way.
// A rotation of one world may act on vectors of several: S is T, or a pack where T is double.
template <Scalar S, Scalar T>
Vec3<S> spread_over(const Vec3<T>& a)
{
    if constexpr (std::same_as<S, T>)
        return a;
    else
        return {S(a.x), S(a.y), S(a.z)};
}
template <Scalar S, Scalar T>
Mat3<S> spread_over(const Mat3<T>& a)
{
    return {spread_over<S>(a.r0), spread_over<S>(a.r1), spread_over<S>(a.r2)};
}
template <Scalar T, Scalar S>
Vec3<S> operator*(const Turn<T>& R, const Vec3<S>& b)
{
    const auto row = [&](const Triple<T>& r) { return dot(spread_over<S>(vec_of(r)), b); };
    return {row(R.r0()), row(R.r1()), row(R.r2())};
}
template <Scalar T, Scalar S>
Vec3<S> back(const Turn<T>& R, const Vec3<S>& b)
{
    const auto row = [](const Triple<T>& r) { return spread_over<S>(vec_of(r)); };
    return mul_add(b.x, row(R.r0()), mul_add(b.y, row(R.r1()), b.z * row(R.r2())));
}
template <Scalar T>
Turn<T> operator*(const Turn<T>& a, const Turn<T>& b)
{
    if constexpr (std::same_as<T, double>) {
        const auto row = [&](const Triple<double>& r) {
            return mul_add(all_x(r), b.row_0, mul_add(all_y(r), b.row_1, all_z(r) * b.row_2));
        };
        return {a * b.column_0, a * b.column_1, a * b.column_2,
                row(a.row_0),   row(a.row_1),   row(a.row_2)};
    } else
        return {a.m * b.m};
}

/// A symmetric matrix: (xx, yy, zz) and (xy, yz, zx).
template <Scalar T>
struct SymTriple {
    Triple<T> d, o;

    friend SymTriple operator+(const SymTriple& a, const SymTriple& b)
    {
        return {a.d + b.d, a.o + b.o};
    }
    friend Triple<T> operator*(const SymTriple& a, const Triple<T>& b)
    {
        return mul_add(a.d, b, mul_add(a.o, yzx(b), zxy(a.o * b)));
    }
};
template <Scalar T>
SymTriple<T> sym_triple_of(const Sym3<T>& a)
{
    return {triple(a.xx, a.yy, a.zz), triple(a.xy, a.yz, a.xz)};
}
template <Scalar T>
Sym3<T> sym3_of(const SymTriple<T>& a)
{
    const Vec3<T> d = vec_of(a.d), o = vec_of(a.o);
    return {d.x, d.y, d.z, o.x, o.z, o.y};
}
template <Scalar T>
Triple<T> column_z(const SymTriple<T>& a)
{
    return pick(zxy(a.o), a.o, a.d);
}
/// A − g uᵀ, of which only the symmetric part is there.
template <Scalar T>
SymTriple<T> less_outer(const SymTriple<T>& a, const Triple<T>& g, const Triple<T>& u)
{
    return {mul_add(-g, u, a.d), mul_add(-g, yzx(u), a.o)};
}
/// A + m (d·d 1 − d dᵀ): what a mass at d adds to an inertia.
template <Scalar T>
SymTriple<T> about_displaced(const SymTriple<T>& a, const Same<T>& m, const Triple<T>& d)
{
    const Triple<T> d2 = d * d;
    return {mul_add(m, yzx(d2) + zxy(d2), a.d), mul_add(-m, d * yzx(d), a.o)};
}
/// A⁻¹, by cofactors.
template <Scalar T>
SymTriple<T> inverse(const SymTriple<T>& a)
{
    const Triple<T> yz = yzx(a.o);
    const Triple<T> d = mul_add(-yz, yz, yzx(a.d) * zxy(a.d));
    const Triple<T> o = mul_add(-a.o, zxy(a.d), yz * zxy(a.o));
    // the first row times its cofactors
    const auto det =
        mul_add(all_x(a.d), all_x(d), mul_add(all_x(a.o), all_x(o), all_z(a.o) * all_z(o)));
    const auto inv_det = same_constant<T>(1) / det;
    return {inv_det * d, inv_det * o};
}
/// R S Rᵀ.
template <Scalar T>
SymTriple<T> turned(const Turn<T>& R, const SymTriple<T>& S)
{
    const Triple<T> c0 = R.c0(), c1 = R.c1(), c2 = R.c2();
    const auto xy = all_x(S.o), yz = all_y(S.o), zx = all_z(S.o);
    const Triple<T> a0 = mul_add(all_x(S.d), c0, mul_add(xy, c1, zx * c2));
    const Triple<T> a1 = mul_add(xy, c0, mul_add(all_y(S.d), c1, yz * c2));
    const Triple<T> a2 = mul_add(zx, c0, mul_add(yz, c1, all_z(S.d) * c2));
    return {mul_add(a0, c0, mul_add(a1, c1, a2 * c2)),
            mul_add(a0, yzx(c0), mul_add(a1, yzx(c1), a2 * yzx(c2)))};
}
/// The same for a tensor that has nothing along z.
template <Scalar T>
SymTriple<T> turned_flat(const Turn<T>& R, const SymTriple<T>& S)
{
    const Triple<T> c0 = R.c0(), c1 = R.c1();
    const auto xy = all_x(S.o);
    const Triple<T> a0 = mul_add(all_x(S.d), c0, xy * c1);
    const Triple<T> a1 = mul_add(xy, c0, all_y(S.d) * c1);
    return {mul_add(a0, c0, a1 * c1), mul_add(a0, yzx(c0), a1 * yzx(c1))};
}

/// A full matrix by cyclic diagonals: (xx, yy, zz), (xy, yz, zx), (xz, yx, zy).
template <Scalar T>
struct MatTriple {
    Triple<T> d0, d1, d2;

    friend MatTriple operator+(const MatTriple& a, const MatTriple& b)
    {
        return {a.d0 + b.d0, a.d1 + b.d1, a.d2 + b.d2};
    }
    friend Triple<T> operator*(const MatTriple& a, const Triple<T>& b)
    {
        return mul_add(a.d0, b, mul_add(a.d1, yzx(b), a.d2 * zxy(b)));
    }
};
/// Aᵀ b: the diagonals of Aᵀ are those of A, turned.
template <Scalar T>
Triple<T> back(const MatTriple<T>& a, const Triple<T>& b)
{
    return mul_add(a.d0, b, mul_add(yzx(a.d2), yzx(b), zxy(a.d1) * zxy(b)));
}
template <Scalar T>
Triple<T> column_x(const MatTriple<T>& a)
{
    return pick(a.d0, a.d2, a.d1);
}
template <Scalar T>
Triple<T> column_y(const MatTriple<T>& a)
{
    return pick(a.d1, a.d0, a.d2);
}
template <Scalar T>
Triple<T> column_z(const MatTriple<T>& a)
{
    return pick(a.d2, a.d1, a.d0);
}
template <Scalar T>
Triple<T> row_x(const MatTriple<T>& a)
{
    return pick(a.d0, zxy(a.d1), yzx(a.d2));
}
template <Scalar T>
Triple<T> row_y(const MatTriple<T>& a)
{
    return pick(yzx(a.d2), a.d0, zxy(a.d1));
}
template <Scalar T>
Triple<T> row_z(const MatTriple<T>& a)
{
    return pick(zxy(a.d1), yzx(a.d2), a.d0);
}
/// A − u gᵀ.
template <Scalar T>
MatTriple<T> less_outer(const MatTriple<T>& a, const Triple<T>& u, const Triple<T>& g)
{
    return {mul_add(-u, g, a.d0), mul_add(-u, yzx(g), a.d1), mul_add(-u, zxy(g), a.d2)};
}
/// R A Rᵀ.
template <Scalar T>
MatTriple<T> turned(const Turn<T>& R, const MatTriple<T>& A)
{
    const Triple<T> c0 = R.c0(), c1 = R.c1(), c2 = R.c2();
    const Triple<T> a0 = R * column_x(A), a1 = R * column_y(A), a2 = R * column_z(A);
    return {mul_add(a0, c0, mul_add(a1, c1, a2 * c2)),
            mul_add(a0, yzx(c0), mul_add(a1, yzx(c1), a2 * yzx(c2))),
            mul_add(a0, zxy(c0), mul_add(a1, zxy(c1), a2 * zxy(c2)))};
}

} // namespace poinsot
