// SPDX-License-Identifier: MIT
#pragma once

// Free rotation beside truth: the same motion in 113 bits, by its Taylor series, and as tabulated.

#include "near.hpp"
#include "poinsot/integrate/free_rotation.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

// ---- a number with 113 bits ---------------------------------------------------------------------

namespace poinsot {

/// __float128 as a Scalar: a class, so that templates find its functions by the namespace.
struct Quad {
    __float128 v;

    Quad() = default;
    constexpr Quad(double x) : v(x) {}
    static constexpr Quad of(__float128 x)
    {
        Quad r(0.0);
        r.v = x;
        return r;
    }
    explicit operator double() const { return static_cast<double>(v); }
    friend constexpr Quad operator+(Quad a, Quad b) { return of(a.v + b.v); }
    friend constexpr Quad operator-(Quad a, Quad b) { return of(a.v - b.v); }
    friend constexpr Quad operator*(Quad a, Quad b) { return of(a.v * b.v); }
    friend constexpr Quad operator/(Quad a, Quad b) { return of(a.v / b.v); }
    friend constexpr Quad operator-(Quad a) { return of(-a.v); }
    friend constexpr bool operator<(Quad a, Quad b) { return a.v < b.v; }
    friend constexpr bool operator>(Quad a, Quad b) { return a.v > b.v; }
    friend constexpr bool operator<=(Quad a, Quad b) { return a.v <= b.v; }
    friend constexpr bool operator>=(Quad a, Quad b) { return a.v >= b.v; }
    friend constexpr bool operator==(Quad a, Quad b) { return a.v == b.v; }
};

constexpr Quad select(bool mask, Quad yes, Quad no)
{
    return mask ? yes : no;
}
constexpr Quad min(Quad a, Quad b)
{
    return b < a ? b : a;
}
constexpr Quad max(Quad a, Quad b)
{
    return a < b ? b : a;
}
constexpr Quad abs(Quad a)
{
    return a.v < 0 ? -a : a;
}
constexpr Quad mul_add(Quad a, Quad b, Quad c)
{
    return a * b + c;
}
constexpr Quad nearest(Quad a)
{
    const __float128 shift = static_cast<__float128>(0x1.8p+112);
    return Quad::of((a.v + shift) - shift);
}
inline Quad sqrt(Quad a)
{
    __float128 x = std::sqrt(static_cast<double>(a.v));
    if (!(x > 0))
        return Quad(0.0);
    for (int i = 0; i < 2; ++i) // Newton: 53 digits, 106, 113
        x = (x + a.v / x) / 2;
    return Quad::of(x);
}
inline SinCos<Quad> sin_cos(Quad x)
{
    // π/2 in three doubles, then Taylor to r³⁷
    const __float128 parts[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54,
                                -0x1.f1976b7ed8fbcp-110};
    const Quad n = nearest(Quad::of(x.v / (parts[0] + (parts[1] + parts[2]))));
    const __float128 r = ((x.v - n.v * parts[0]) - n.v * parts[1]) - n.v * parts[2];
    __float128 s = 0, c = 0, sine = r, cosine = 1;
    for (int k = 0; k < 18; ++k) {
        s += sine, c += cosine;
        sine *= -r * r / ((2 * k + 2) * (2 * k + 3));
        cosine *= -r * r / ((2 * k + 1) * (2 * k + 2));
    }
    switch (static_cast<long long>(n.v) & 3) {
    case 0:
        return {Quad::of(s), Quad::of(c)};
    case 1:
        return {Quad::of(c), Quad::of(-s)};
    case 2:
        return {Quad::of(-s), Quad::of(-c)};
    default:
        return {Quad::of(-c), Quad::of(s)};
    }
}
inline Quad atan2(Quad y, Quad x)
{
    Quad angle = std::atan2(static_cast<double>(y), static_cast<double>(x));
    const Quad r = sqrt(x * x + y * y);
    for (int i = 0; i < 3; ++i) { // Newton
        const auto [s, c] = sin_cos(angle);
        angle = angle + (y * c - x * s) / r;
    }
    return angle;
}

} // namespace poinsot

template <>
struct std::numeric_limits<poinsot::Quad> {
    static constexpr poinsot::Quad epsilon() { return poinsot::Quad(0x1p-112); }
};

// ---- helpers ------------------------------------------------------------------------------------

namespace poinsot::free_rotation_tests {

using V = Vec3<double>;
using Q = Quat<double>;
using V4 = Vec3<Quad>; // four words a number
using Q4 = Quat<Quad>;
using Rotated4 = RotatedOf<Quad>;

inline constexpr double eps = 0x1p-52;

inline V4 wide(const V& a)
{
    return {a.x, a.y, a.z};
}
inline Q4 wide(const Q& q)
{
    return {q.w, q.x, q.y, q.z};
}
inline Rotated4 wide(const Rotated& y)
{
    return {wide(y.q), wide(y.L_b)};
}
inline Rotated rounded(const Rotated4& y)
{
    const auto d = [](Quad a) { return static_cast<double>(a); };
    return {{d(y.q.w), d(y.q.x), d(y.q.y), d(y.q.z)}, {d(y.L_b.x), d(y.L_b.y), d(y.L_b.z)}};
}
template <class T>
Vec3<T> rates(const Vec3<T>& I, const Vec3<T>& L)
{
    return {L.x / I.x, L.y / I.y, L.z / I.z};
}
template <class T>
Vec3<T> momentum(const Vec3<T>& I, const Vec3<T>& omega)
{
    return {I.x * omega.x, I.y * omega.y, I.z * omega.z};
}
inline double energy(const V& I, const V& L)
{
    return 0.5 * dot(L, rates(I, L));
}
/// m of sn(u | m) for the motion of a free body of three different moments.
inline double modulus_squared(const V& I, const V& L_b)
{
    double i[] = {I.x, I.y, I.z}, l[] = {L_b.x, L_b.y, L_b.z};
    for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {0, 1}}) // ascending moments
        if (i[a] > i[b]) {
            std::swap(i[a], i[b]);
            std::swap(l[a], l[b]);
        }
    // m = A/B where L_b circles the axis of the largest moment, with
    //     A = (I2 − I1)(2T I3 − L²),   B = (I3 − I2)(L² − 2T I1),
    // and B/A otherwise; both as sums of what is positive
    const double toward_3 = l[0] * l[0] * (i[2] / i[0] - 1) + l[1] * l[1] * (i[2] / i[1] - 1);
    const double toward_1 = l[1] * l[1] * (1 - i[0] / i[1]) + l[2] * l[2] * (1 - i[0] / i[2]);
    const double A = (i[1] - i[0]) * toward_3, B = (i[2] - i[1]) * toward_1;
    return std::min(A, B) / std::max(A, B);
}

/// Away from the separatrix, where the start itself is known to a double only.
inline bool well_conditioned(const V& I, const V& L_b)
{
    return modulus_squared(I, L_b) <= 0.9;
}
inline Rotated4 exactly(const V4& I, const Rotated4& y, Quad h)
{
    return FreeMotionOf<Quad>(I, y.q, y.L_b).at(h);
}

/// How far two attitudes are apart (up to the sign of the quaternion).
inline double apart(const Q4& a, const Q4& b)
{
    const auto size = [](const Q4& q) { return static_cast<double>(sqrt(norm2(q))); };
    return std::min(size(a + b), size(a + Quad(-1.0) * b));
}
inline double apart(const Q& a, const Q& b)
{
    return apart(wide(a), wide(b));
}
inline double apart(const V4& a, const V4& b)
{
    return static_cast<double>(norm(a - b));
}

/// Attitude, and momentum as a share of |L|.
struct Error {
    double attitude, momentum;

    double worst() const { return std::max(attitude, momentum); }
};
inline Error error(const Rotated4& a, const Rotated4& b)
{
    return {apart(a.q, b.q), apart(a.L_b, b.L_b) / static_cast<double>(norm(b.L_b))};
}
inline Error error(const Rotated& a, const Rotated4& b)
{
    return error(wide(a), b);
}
inline Error error(const Rotated& a, const Rotated& b)
{
    return error(wide(a), wide(b));
}

/// The other road: Taylor series of the equations of motion, L̇ = L × ω and q̇ = ½ q ω.
template <class T>
RotatedOf<T> by_taylor(const Vec3<T>& I, RotatedOf<T> y, const T& h, int pieces)
{
    constexpr int order = 32;
    const T k = h / T(static_cast<double>(pieces));
    for (int piece = 0; piece < pieces; ++piece) {
        std::vector<Vec3<T>> L{y.L_b}, w;
        std::vector<Quat<T>> q{y.q};
        for (int n = 0; n < order; ++n) {
            w.push_back(rates(I, L.back()));
            Vec3<T> a = zero3<T>();
            Quat<T> b{T(0.0), T(0.0), T(0.0), T(0.0)};
            for (std::size_t i = 0; i < w.size(); ++i) {
                const Vec3<T>& u = w[w.size() - 1 - i];
                a += cross(L[i], u);
                b = b + q[i] * Quat<T>{T(0.0), u.x, u.y, u.z};
            }
            L.push_back((k / T(n + 1.0)) * a);
            q.push_back((T(0.5) * k / T(n + 1.0)) * b);
        }
        y = {q.back(), L.back()};
        for (std::size_t n = order; n-- > 0;)
            y = {q[n] + y.q, L[n] + y.L_b};
    }
    return y;
}
inline Rotated4 by_taylor(const V& I, const Rotated& y, double h)
{
    const double turn = std::abs(h) * norm(y.L_b) / std::min({I.x, I.y, I.z});
    const int pieces = 1 + static_cast<int>(4 * turn); // a quarter radian each: 4⁻³³ is 1e-20
    return by_taylor(wide(I), wide(y), Quad(h), 2 * pieces);
}

struct Dice {
    std::mt19937_64 random;

    explicit Dice(unsigned seed) : random(seed) {}
    double in(double low, double high)
    {
        return std::uniform_real_distribution<double>(low, high)(random);
    }
    V direction() { return normalised(V{in(-1, 1), in(-1, 1), in(-1, 1)}); }
    Q turn() { return normalised(Q{in(-1, 1), in(-1, 1), in(-1, 1), in(-1, 1)}); }
    V moments() // of three masses on the axes, so they can exist
    {
        const double x = in(0.1, 2), y = in(0.1, 2), z = in(0.1, 2);
        return {y + z, x + z, x + y};
    }
};

/// A body and its motion at the start.
struct Start {
    V I;
    Q q;
    V L;

    explicit Start(Dice& dice)
        : I(dice.moments()), q(dice.turn()), L(dice.in(0.1, 5) * dice.direction())
    {
    }
    Rotated rotated() const { return {q, L}; }
    Rotated after(double h) const { return rotate_freely(I, q, L, h); }
    /// |ω| at most: what a time is measured by
    double rate() const { return norm(L) / std::min({I.x, I.y, I.z}); }
};

/// A body of tests/reference/free_rigid_body.json.
struct Reference {
    nlohmann::json item;
    V I, omega;

    explicit Reference(const std::string& name)
    {
        item = read_json(reference("free_rigid_body.json"))["items"][name];
        I = vec3(item["I"]);
        if (item.contains("omega0_body"))
            omega = vec3(item["omega0_body"]);
    }
    static V vec3(const nlohmann::json& v)
    {
        return {v[0].get<double>(), v[1].get<double>(), v[2].get<double>()};
    }
    static Q quat(const nlohmann::json& q)
    {
        return {q[0].get<double>(), q[1].get<double>(), q[2].get<double>(), q[3].get<double>()};
    }
    Rotated start() const { return {identity_quat<double>(), momentum(I, omega)}; }
    Rotated4 exact_start() const { return {wide(start().q), momentum(wide(I), wide(omega))}; }

    /// Errors of attitude and rates against row i of a table ("" or "long_").
    void check(const std::string& table, std::size_t i, const Rotated& y, double allowed) const
    {
        const V got = rates(I, y.L_b), expected = vec3(item[table + "omega_body"][i]);
        CAPTURE(item[table + "t"][i].get<double>());
        CHECK(near(norm(got - expected), 0, allowed, norm(omega)));
        CHECK(near(apart(y.q, quat(item[table + "quat_wxyz"][i])), 0, allowed, 1));
    }
};

inline Rotated in_steps(const V& I, Rotated y, double t, int steps)
{
    for (int i = 0; i < steps; ++i)
        y = rotate_freely(I, y.q, y.L_b, t / steps);
    return y;
}

inline const Q no_turn = identity_quat<double>();

} // namespace poinsot::free_rotation_tests
