// SPDX-License-Identifier: MIT
#pragma once

// The exact motion of a torque-free body, by Jacobi's elliptic functions.
//
//     ℓ̇ = ℓ × ω,  ω = I⁻¹ ℓ                 ℓ is L in body axes. L is fixed in space; the tip of ℓ
//                                          follows the curve where the sphere |L| meets the
//                                          ellipsoid of energy
//     c the axis that this curve encircles, b the middle axis, a the third
//     j = 1/I,  d_ab = |j_a − j_b|, …
//     E_a = ℓ_b² d_ab + ℓ_c² d_ac          |j_a L² − 2T| without a difference of large numbers
//     E_b = ℓ_c² d_bc − ℓ_a² d_ab ≥ 0      |j_b L² − 2T|, zero on the separatrix
//     E_c = ℓ_a² d_ac + ℓ_b² d_bc          |2T − j_c L²|
//     λ² = d_bc E_a,   k'² = d_ac E_b/λ²,   v = ±λ h
//
// With s, c, d = sn, cn, dn of v the addition theorem carries the momentum over the time h:
//
//     ℓ_a' = (ℓ_a c   − (d_bc/λ) ℓ_b ℓ_c s d)/D
//     ℓ_b' = (ℓ_b c d + (d_ac/λ) ℓ_c ℓ_a s  )/D        D = c² + s² ℓ_c² d_ac/E_a             (12.9)
//     ℓ_c' = (ℓ_c d   − (d_ab/λ) ℓ_a ℓ_b s c)/D
//
// No phase has to be found first, and nothing cancels when h is small. The attitude follows because
// L does not move: the axis c goes round it by
//
//     Δφ = ½ (j_a + j_b) |L| h − ½ v Σ_{n≥1} κₙ + A' − A                                    (12.15)
//
// with κ and the wave A of elliptic.hpp; ℓ and ℓ' say how the body is turned about c.
//
// Cost of a call: about 0.5 µs when three moments differ, half of it with two, a fifth with one.
// (Theta functions [van Zon & Schofield 2007] and splitting off Legendre's integrals
// [Celledoni et al. 2008] need the phase at the start, and a case of their own near m = 1.)

#include "poinsot/base/check.hpp"
#include "poinsot/math/elliptic.hpp"
#include "poinsot/math/rotation.hpp"

#include <array>
#include <optional>
#include <utility>

namespace poinsot {

/// An attitude (principal axes to world, unit) and the angular momentum in body axes.
template <Scalar T>
struct RotatedOf {
    Quat<T> q;
    Vec3<T> L_b;
};
using Rotated = RotatedOf<double>;

/// One free rotation, for many instants: built once, each instant costs one evaluation.
/// (The library uses double. Tests run the same template with 113 bits.)
template <Scalar T>
class FreeMotionOf {
  public:
    /// I principal moments in any order, positive; q and L_b at time zero.
    FreeMotionOf(const Vec3<T>& I, const Quat<T>& q, const Vec3<T>& L_b);

    /// The motion at a time of either sign and any length.
    RotatedOf<T> at(const T& t) const;

    /// After this time L_b repeats itself; infinite on the separatrix, zero where L_b stays.
    T period() const;

  private:
    enum class Kind { uniform, periodic, separatrix }; // uniform: L_b and ω_b stay

    Quat<T> q_;
    Vec3<T> L_b_;
    Kind kind_;
    T clock_, inv_scale_; // powers of two that take |L| and the moments to about one

    // uniform: half the rate, and the axis in the body
    // otherwise: half the mean rate of φ; the axis is L itself
    T half_rate_;
    Vec3<T> axis_;

    std::size_t a_, b_, c_;   // which body axis is which: 0, 1 or 2
    T sign_b_, sign_c_;       // directions that make a, b, c right-handed and ℓ_c positive
    T L_, La_, Lb_, Lc_;      // |L|, and the parts of ℓ
    T d_ab_, d_bc_, d_ac_;    // d_ac is the sum of the others
    T d_ac_rest_;             // what its rounding left over
    T lambda_, inv_lambda_;   // λ with the sign of j_a − j_c; 1/λ without
    T to_sn_, to_cn_, to_dn_; // sn u = ℓ_b to_sn, cn u = ℓ_a to_cn, dn u = ℓ_c to_dn
    T dn2_;                   // dn² u at the start
    T half_rate_b_;           // half of j_b |L|
    std::optional<Ladder<T>> ladder_;
    std::optional<ThirdKind<T>> third_;
    typename ThirdKind<T>::Slopes slopes_; // at the start

    void keep_invariants(T& La, T& Lb, T& Lc) const;
};

using FreeMotion = FreeMotionOf<double>;

/// The motion after a time h of any sign and length, from the attitude q and momentum L_b (body
/// axes) at the start. The principal moments I come in any order.
Rotated rotate_freely(const Vec3<double>& I, const Quat<double>& q, const Vec3<double>& L_b,
                      double h);

/// The same with the angular momentum in world axes, which stays: only the attitude changes.
Quat<double> turned_freely(const Vec3<double>& I, const Quat<double>& q, const Vec3<double>& L,
                           double h);

// ---- kernel -------------------------------------------------------------------------------------

/// 2⁻ⁿ with n the exponent of x; a factor that costs no digit.
template <Scalar T>
T unit_scale(const T& x)
{
    return constant<T>(std::ldexp(1.0, -std::ilogb(static_cast<double>(x))));
}

template <Scalar T>
FreeMotionOf<T>::FreeMotionOf(const Vec3<T>& I, const Quat<T>& q, const Vec3<T>& L_b)
    : q_(q), L_b_(L_b), kind_(Kind::uniform)
{
    const T zero = constant<T>(0.0), one = constant<T>(1.0), half = constant<T>(0.5);
    check(I.x > zero && I.y > zero && I.z > zero,
          "free rotation: the principal moments must be positive");
    const T largest = max(abs(L_b.x), max(abs(L_b.y), abs(L_b.z)));
    if (largest == zero) {
        clock_ = inv_scale_ = half_rate_ = zero;
        axis_ = zero3<T>();
        return;
    }
    const T scale_L = unit_scale(largest), scale_I = unit_scale(max(I.x, max(I.y, I.z)));
    clock_ = scale_I / scale_L, inv_scale_ = one / scale_L;
    const std::array<T, 3> moment{scale_I * I.x, scale_I * I.y, scale_I * I.z};
    const std::array<T, 3> L{scale_L * L_b.x, scale_L * L_b.y, scale_L * L_b.z};

    std::size_t low = 0, middle = 1, high = 2; // by moment
    const auto order = [&](std::size_t& i, std::size_t& k) {
        if (moment[k] < moment[i])
            std::swap(i, k);
    };
    order(low, middle), order(middle, high), order(low, middle);

    // |1/I_i − 1/I_k|: the difference of the moments is exact where they are close
    const auto d = [&](std::size_t i, std::size_t k) {
        return (moment[k] - moment[i]) / (moment[i] * moment[k]);
    };
    const T d_low = d(low, middle), d_high = d(middle, high);

    // What is below 1e-140 of |L| has no square to compute with, and none that matters.
    const auto part = [&](std::size_t i) { return abs(L[i]) < constant<T>(1e-140) ? zero : L[i]; };
    const T L_low = part(low), L_middle = part(middle), L_high = part(high);

    // The sign of 2 T I_middle − L² says which axis the curve encircles.
    const T E = L_high * L_high * d_high - L_low * L_low * d_low;
    const bool round_high = E >= zero;
    a_ = round_high ? low : high, b_ = middle, c_ = round_high ? high : low;
    d_ab_ = round_high ? d_low : d_high, d_bc_ = round_high ? d_high : d_low;
    d_ac_ = d_ab_ + d_bc_;
    d_ac_rest_ = min(d_ab_, d_bc_) - (d_ac_ - max(d_ab_, d_bc_));
    sign_c_ = L[c_] < zero ? -one : one;
    sign_b_ = (a_ + 1) % 3 == b_ ? sign_c_ : -sign_c_;
    L_ = norm(Vec3<T>{L[0], L[1], L[2]});
    La_ = round_high ? L_low : L_high;
    Lb_ = sign_b_ * L_middle;
    Lc_ = abs(round_high ? L_high : L_low);

    const T E_a = Lb_ * Lb_ * d_ab_ + Lc_ * Lc_ * d_ac_;
    const T E_b = abs(E);
    const T E_c = La_ * La_ * d_ac_ + Lb_ * Lb_ * d_bc_;
    const T lambda2 = d_bc_ * E_a;
    if (!(lambda2 > zero) || !(E_c > zero) || (La_ == zero && Lc_ == zero)) {
        // a ball, a principal axis, or a plane of equal moments: L_b and ω_b stay
        const Vec3<T> omega{L[0] / moment[0], L[1] / moment[1], L[2] / moment[2]};
        const T rate = norm(omega);
        half_rate_ = half * rate;
        axis_ = omega / rate;
        return;
    }

    kind_ = E_b > zero ? Kind::periodic : Kind::separatrix;
    const T lambda = sqrt(lambda2);
    lambda_ = round_high ? lambda : -lambda;
    inv_lambda_ = one / lambda;
    // ℓ_a = √(E_c/d_ac) cn u,  ℓ_b = ±√(E_c/d_bc) sn u,  ℓ_c = √(E_a/d_ac) dn u
    to_sn_ = sqrt(d_bc_ / E_c), to_cn_ = sqrt(d_ac_ / E_c), to_dn_ = sqrt(d_ac_ / E_a);
    dn2_ = Lc_ * Lc_ * (d_ac_ / E_a);

    // On the separatrix itself k' = 0 and K is infinite: a k' that is small enough differs in no
    // digit while |v| stays below ln 1/k'.
    ladder_.emplace(E_b > zero ? sqrt(d_ac_ * E_b / lambda2) : constant<T>(1e-300));
    third_.emplace(*ladder_, d_ac_ / d_bc_, d_ab_ * L_ * inv_lambda_);
    third_->slopes(Lb_ * to_sn_, La_ * to_cn_, Lc_ * to_dn_, slopes_);
    const T mean = half * (one / moment[a_] + one / moment[b_]) * L_; // ½ (j_a + j_b) |L|
    half_rate_ = half * (mean - half * lambda_ * third_->sum_after_first());
    half_rate_b_ = half * L_ / moment[b_];
}

template <Scalar T>
T FreeMotionOf<T>::period() const
{
    if (kind_ == Kind::uniform)
        return constant<T>(0.0);
    if (kind_ == Kind::separatrix)
        return constant<T>(std::numeric_limits<double>::infinity());
    return constant<T>(4.0) * ladder_->quarter_period() * inv_lambda_ / clock_;
}

/// Σ wᵢ (xᵢ² − yᵢ²) to the digits of the sum, not of its terms: each product and each sum carries
/// what its rounding left over, as w does in w_rest.
template <Scalar T>
T difference_of_squares(const std::array<T, 3>& w, const std::array<T, 3>& w_rest,
                        const std::array<T, 3>& x, const std::array<T, 3>& y)
{
    T sum = constant<T>(0.0), rest = sum;
    const auto add = [&](const T& weight, const T& weight_rest, const T& z) {
        const T square = z * z, term = weight * square;
        const T total = sum + term, part = total - sum;
        rest = rest + ((sum - (total - part)) + (term - part)) + mul_add(weight, square, -term) +
               mul_add(weight, mul_add(z, z, -square), weight_rest * square);
        sum = total;
    };
    for (std::size_t i = 0; i < 3; ++i) {
        add(w[i], w_rest[i], x[i]);
        add(-w[i], -w_rest[i], y[i]);
    }
    return sum + rest;
}

/// Puts the momentum back on the sphere and the ellipsoid of the start, from a few roundings away:
/// a million steps would add them up. The correction is the shortest one,
///
///     δᵢ = ℓᵢ (α + β wᵢ)      with Σ ℓᵢ δᵢ and Σ wᵢ ℓᵢ δᵢ given,      wᵢ = ±(jᵢ − j_k)
///
/// where k is the axis that ℓ is nearest to: its large component then stays out of Σ w ℓ².
template <Scalar T>
void FreeMotionOf<T>::keep_invariants(T& La, T& Lb, T& Lc) const
{
    const T zero = constant<T>(0.0), one = constant<T>(1.0), half = constant<T>(0.5);
    const std::array<T, 3> before{La_, Lb_, Lc_}, now{La, Lb, Lc};
    std::array<T, 3> w, w_rest{zero, zero, zero};
    if (Lc >= abs(Lb) && Lc >= abs(La))
        w = {d_ac_, d_bc_, zero}, w_rest[0] = d_ac_rest_; // E_c
    else if (abs(Lb) >= abs(La))
        w = {-d_ab_, zero, d_bc_}; // E_b
    else
        w = {zero, d_ab_, d_ac_}, w_rest[2] = d_ac_rest_; // E_a
    const T r1 = difference_of_squares<T>({one, one, one}, {zero, zero, zero}, before, now);
    const T r2 = difference_of_squares<T>(w, w_rest, before, now);
    T s0 = zero, s1 = zero, s2 = zero; // Σ ℓ², Σ w ℓ², Σ w² ℓ²
    for (std::size_t i = 0; i < 3; ++i) {
        const T x2 = now[i] * now[i];
        s0 = s0 + x2, s1 = mul_add(w[i], x2, s1), s2 = mul_add(w[i] * w[i], x2, s2);
    }
    const T det = s0 * s2 - s1 * s1; // at least a third of s0 s2
    if (!(det > constant<T>(1e-280) * d_ac_ * d_ac_))
        return; // on a principal axis for all that squares can tell
    const T over = half / det;
    const T alpha = over * (r1 * s2 - r2 * s1), beta = over * (r2 * s0 - r1 * s1);
    La = mul_add(La, mul_add(beta, w[0], alpha), La);
    Lb = mul_add(Lb, mul_add(beta, w[1], alpha), Lb);
    Lc = mul_add(Lc, mul_add(beta, w[2], alpha), Lc);
}

template <Scalar T>
RotatedOf<T> FreeMotionOf<T>::at(const T& time) const
{
    const T zero = constant<T>(0.0), one = constant<T>(1.0), half = constant<T>(0.5);
    const T t = clock_ * time;
    if (kind_ == Kind::uniform) {
        const HalfTurns<T> turns(half_rate_, t);
        const auto [s, c] = sin_cos(turns.rest);
        const Quat<T> r{c, s * axis_.x, s * axis_.y, s * axis_.z};
        return {normalised(q_ * (turns.odd() ? -one * r : r)), L_b_};
    }

    // The momentum (12.9).
    T v = lambda_ * t, tail = zero;
    if (kind_ == Kind::separatrix) {
        const T most = constant<T>(680.0); // e^−680: from here on it turns about the middle axis
        v = max(-most, min(most, v));
        tail = abs(v) < most ? zero : t - v / lambda_;
    }
    const auto [s, c, d] = ladder_->at(v);
    const T over = one / mul_add(c, c, s * s * dn2_), s_lambda = s * inv_lambda_;
    T La = over * mul_add(La_, c, -(d_bc_ * s_lambda * d * (Lb_ * Lc_)));
    T Lb = over * mul_add(Lb_, c * d, d_ac_ * s_lambda * (Lc_ * La_));
    T Lc = over * mul_add(Lc_, d, -(d_ab_ * s_lambda * c * (La_ * Lb_)));
    const T least = constant<T>(1e-200);
    if (kind_ == Kind::separatrix && Lc < least) { // their ratio stays, but they may underflow
        Lc = least;
        La = (La_ < zero ? -least : least) * sqrt(d_bc_ / d_ab_);
    }
    keep_invariants(La, Lb, Lc);

    // The attitude (12.15): r = M⁻¹ R_c(Δφ + ψ' − ψ) M', where M is the shortest turn that brings
    // ℓ to the axis c, and ψ the angle of (ℓ_b, ℓ_a).
    typename ThirdKind<T>::Slopes slopes;
    third_->slopes(Lb * to_sn_, La * to_cn_, Lc * to_dn_, slopes);
    const HalfTurns<T> turns(half_rate_, t - tail);
    T angle = mul_add(half, third_->rise(slopes_, slopes), turns.rest);
    if (tail != zero)
        angle = angle + HalfTurns<T>(half_rate_b_, tail).rest;
    const auto [sine, cosine] = sin_cos(angle);
    // half of ψ' − ψ, the angle of (x, y), without a difference
    const T k = to_cn_ * to_cn_; // a scale, so that squares do not vanish
    const T xa = k * La_, xb = k * Lb_;
    const T re = mul_add(Lb, xb, La * xa), im = mul_add(La, xb, -(Lb * xa));
    const T inv_size = one / sqrt(mul_add(re, re, im * im)), x = re * inv_size, y = im * inv_size;
    const T px = re >= zero ? one + x : abs(y);
    const T py = re >= zero ? y : (im < zero ? x - one : one - x);
    const Quat<T> z{cosine * px - sine * py, zero, zero, sine * px + cosine * py};
    const Quat<T> m0{L_ + Lc_, -Lb_, La_, zero}, m1{L_ + Lc, Lb, -La, zero};
    const Quat<T> r = m0 * z * m1;

    // Back to the order and direction of the body's own axes.
    const T sign = turns.odd() ? -one : one;
    std::array<T, 3> L, turn;
    L[a_] = La, L[b_] = sign_b_ * Lb, L[c_] = sign_c_ * Lc;
    turn[a_] = r.x, turn[b_] = sign_b_ * r.y, turn[c_] = sign_c_ * r.z;
    return {normalised(q_ * (sign * Quat<T>{r.w, turn[0], turn[1], turn[2]})),
            {inv_scale_ * L[0], inv_scale_ * L[1], inv_scale_ * L[2]}};
}

extern template class FreeMotionOf<double>;

} // namespace poinsot
