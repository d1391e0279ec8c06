// SPDX-License-Identifier: MIT
#pragma once

// Jacobi's elliptic functions and the elliptic integral of the third kind, by Gauss's mean.
//
//     u = ∫₀^φ dθ/Δ        Δ² = a² cos²θ + b² sin²θ, a = 1, b = k'       φ = am u
//     sn u = sin φ,   cn u = cos φ,   dn u = Δ(φ),   K = u at φ = π/2
//
// The modulus is given by its complement k' = √(1 − m), which keeps its digits where m is close to
// one. Each step a, b ← (a + b)/2, √(ab) makes the two more alike, and after four to six of them Δ
// is a constant M. Two chains run along these steps:
//
//     yₙ = yₙ₊₁ dₙ₊₁,   dₙ = (yₙ₊₁² + aₙ₊₁ bₙ)/(yₙ₊₁² + aₙ₊₁ aₙ)   down; y = a cn/sn  (12.10)
//     sin φₙ₊₁ = (aₙ + bₙ) sin φₙ cos φₙ/Δₙ                      up; the angles double
//
// Nothing is subtracted in the first: small sn, cn and dn have as many good digits as large ones.
// The second gives the third integral as a straight line minus a wave,
//
//     ρ ∫₀ᵘ ν sn²/(1 + ν sn²) du = ½ u Σ κₙ − Σ 2⁻ⁿ⁻¹ atan(κₙ sin φₙ cos φₙ/Δₙ)          (12.14)
//     p² = 1 + ν,  κ₀² = (p² − a²)(p² − b²)/p²,  ρ = (p² − b²)/κ₀
//     pₙ₊₁ = (p² + ab)/(2p),   κₙ₊₁ = ½ κₙ (p² − ab)/(p² + ab)
//
// The wave has the period 2K and depends on the point alone: any number of turns costs the same.
// (Theta functions do it too; near m = 1 they need a second set of series and an exponential.)
//
// The library uses double. The templates branch on T, so T is a plain real number: tests run them
// with 113 bits.

#include "poinsot/math/trig.hpp"

#include <array>
#include <limits>

namespace poinsot {

template <Scalar T>
struct Jacobi {
    T sn, cn, dn;
};

/// a b = n π + rest with n the nearest whole number; the product keeps all its digits. Beyond 2^50
/// radians a double does not know the fraction of a turn, and zero is as good as any other.
template <Scalar T>
struct HalfTurns {
    T n, rest;

    HalfTurns(const T& a, const T& b)
    {
        const T x = a * b;
        if (abs(x) >= constant<T>(0x1p50)) {
            n = rest = constant<T>(0.0);
            return;
        }
        n = nearest(x * constant<T>(0.31830988618379067154));
        rest = mul_add(-n, constant<T>(0x1.921fb54442d18p+1), x);
        rest = mul_add(-n, constant<T>(0x1.1a62633145c07p-53), rest);
        rest = mul_add(-n, constant<T>(-0x1.f1976b7ed8fbcp-109), rest);
        rest = rest + mul_add(a, b, -x);
    }
    bool odd() const
    {
        const T half = constant<T>(0.5);
        return abs(n * half - nearest(n * half)) > constant<T>(0.25);
    }
};

/// The arithmetic–geometric ladder of one modulus, 0 < k' ≤ 1.
template <Scalar T>
class Ladder {
  public:
    explicit Ladder(const T& k_complement)
    {
        const T half = constant<T>(0.5);
        const T eps = std::numeric_limits<T>::epsilon();
        a_[0] = constant<T>(1.0), b_[0] = k_complement;
        last_ = 0;
        // The difference goes to its square: below √ε one more step makes it vanish.
        for (bool more = true; more && last_ + 1 < size;) {
            const T a = a_[last_], b = b_[last_], gap = a - b;
            if (abs(gap) <= eps * a)
                break;
            more = gap * gap > constant<T>(4.0) * eps * a * a;
            ++last_;
            a_[last_] = half * (a + b), b_[last_] = sqrt(a * b);
        }
    }

    /// The common limit M of a and b; K = π/2M.
    T mean() const { return a_[last_]; }
    T a(std::size_t n) const { return a_[n < last_ ? n : last_]; }
    T b(std::size_t n) const { return n < last_ ? b_[n] : a_[last_]; }
    T quarter_period() const
    {
        const T half_pi =
            constant<T>(0x1.921fb54442d18p+0) +
            (constant<T>(0x1.1a62633145c07p-54) + constant<T>(-0x1.f1976b7ed8fbcp-110));
        return half_pi / mean();
    }

    /// sn, cn and dn of any real u.
    Jacobi<T> at(const T& u) const
    {
        const T zero = constant<T>(0.0), one = constant<T>(1.0);
        const HalfTurns<T> turns(mean(), u);
        const T x = turns.rest; // u less whole half periods, times M: |x| ≤ π/2
        Jacobi<T> f{u, one, one};
        if (abs(x) < constant<T>(1e-100)) { // y would overflow
            f.sn = x / mean();
        } else {
            const auto [s, c] = sin_cos(x);
            T y = mean() * c / s, d = one;
            for (std::size_t n = last_; n-- > 0;) {
                const T next = y * d, y2 = y * y;
                d = mul_add(a_[n + 1], b_[n], y2) / mul_add(a_[n + 1], a_[n], y2);
                y = next;
            }
            const T sn = one / sqrt(mul_add(y, y, one));
            f.sn = s < zero ? -sn : sn;
            f.cn = y * f.sn;
            f.dn = d;
        }
        return turns.odd() ? Jacobi<T>{-f.sn, -f.cn, f.dn} : f;
    }

  private:
    static constexpr std::size_t size = 24;
    std::array<T, size> a_, b_;
    std::size_t last_;
};

/// The integral of the third kind on a ladder, for ν ≥ 0, as a straight line minus a wave (12.14).
template <Scalar T>
class ThirdKind {
    static constexpr std::size_t size = 64;

  public:
    /// κₙ sin φₙ cos φₙ/Δₙ for each n: all that the wave asks of a point.
    using Slopes = std::array<T, size>;

    /// p² = 1 + ν; κ₀ is passed in because the caller knows it without a difference.
    ThirdKind(const Ladder<T>& ladder, const T& p_squared, const T& kappa_0)
    {
        const T half = constant<T>(0.5), quarter = constant<T>(0.25);
        const T negligible = constant<T>(0.125) * std::numeric_limits<T>::epsilon();
        T p2 = p_squared, kappa = kappa_0;
        sum_after_first_ = constant<T>(0.0);
        for (count_ = 0; count_ < size && kappa > negligible; ++count_) {
            const T a = ladder.a(count_), b = ladder.b(count_), sum = p2 + a * b;
            a_[count_] = a, b_[count_] = b;
            scale_[count_] = kappa / (a + b);
            if (count_ > 0)
                sum_after_first_ = sum_after_first_ + kappa;
            kappa = half * kappa * max(constant<T>(0.0), p2 - a * b) / sum;
            p2 = quarter * sum * sum / p2;
        }
    }

    /// Σ κₙ without the first: the caller may know κ₀ u better than as a product.
    T sum_after_first() const { return sum_after_first_; }

    /// The slopes at a point given by its sn, cn and dn.
    void slopes(T sn, T cn, T dn, Slopes& slope) const
    {
        const T one = constant<T>(1.0), half = constant<T>(0.5);
        for (std::size_t n = 0; n < count_; ++n) {
            const T a = a_[n], b = b_[n], x = a * cn * cn, y = b * sn * sn, over = one / dn;
            sn = (a + b) * (sn * cn) * over;
            cn = (x - y) * over;
            dn = half * (a + b) * (x + y) * over;
            slope[n] = scale_[n] * sn;
        }
    }

    /// By how much the wave Σ 2⁻ⁿ⁻¹ atan(slopeₙ) is higher at one point than at another.
    T rise(const Slopes& from, const Slopes& to) const
    {
        const T half = constant<T>(0.5), one = constant<T>(1.0);
        T total = constant<T>(0.0);
        for (std::size_t n = count_; n-- > 0;)
            total = half * (total + angle(to[n] - from[n], mul_add(from[n], to[n], one)));
        return total;
    }

  private:
    std::size_t count_;
    std::array<T, size> a_, b_, scale_; // scale = κ/(a + b)
    T sum_after_first_;

    /// atan2, with a short series for the small angles that most terms are.
    static T angle(const T& y, const T& x)
    {
        if constexpr (std::same_as<T, double>) {
            if (abs(y) < 0.03 * x) { // the next term is below 3e-19 of the first
                const double t = y / x, z = t * t;
                double p = mul_add(z, -1.0 / 11.0, 1.0 / 9.0);
                p = mul_add(z, p, -1.0 / 7.0);
                p = mul_add(z, p, 1.0 / 5.0);
                p = mul_add(z, p, -1.0 / 3.0);
                return mul_add(z * p, t, t);
            }
        }
        return atan2(y, x);
    }
};

/// ∫₀ᵘ du/(1 + ν sn² u) for ν ≥ 0 and any real u: Legendre's third kind, Π(−ν; am u).
template <Scalar T>
T third_integral(const T& u, const T& k_complement, const T& nu)
{
    const T one = constant<T>(1.0), half = constant<T>(0.5);
    const T b2 = k_complement * k_complement, p2 = one + nu;
    const T kappa = sqrt(nu * (nu + (one - b2)) / p2);
    if (!(kappa > constant<T>(0.0)))
        return u; // ν = 0
    const Ladder<T> ladder(k_complement);
    const ThirdKind<T> third(ladder, p2, kappa);
    typename ThirdKind<T>::Slopes start, end;
    third.slopes(constant<T>(0.0), one, one, start);
    const auto [sn, cn, dn] = ladder.at(u);
    third.slopes(sn, cn, dn, end);
    const T rho = (nu + (one - b2)) / kappa;
    return u - (half * u * (kappa + third.sum_after_first()) - third.rise(start, end)) / rho;
}

} // namespace poinsot
