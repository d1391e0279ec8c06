// SPDX-License-Identifier: MIT
#pragma once

// Fixed points x = g(x) where repeating g runs away: stiff loads in an implicit step. Newton's
// method, the linear equations by GMRES [Saad, Schultz 1986], which asks for g alone:
//
//     (1 − g′(x)) d = f,   f = g(x) − x           g′ v ≈ (g(x + ε v) − g(x))/ε
//     x ← x + s d                                 s = 1, ½, … until f is smaller
//
// It goes on until rounding is all that is left: d is small against x, or f is what the steepest
// direction of g makes of the rounding of places.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace poinsot {

class NewtonKrylov {
  public:
    static constexpr std::size_t most_directions = 300;
    static constexpr int most_iterations = 40;

    /// From x on. `g(x, made)` says whether it could be evaluated; `grain` is the size of a change
    /// of x that moves places by 1e-8 of how far away they are, so that g answers with eight
    /// digits. The last x that g was asked for is the answer.
    template <class Map>
    bool solve(std::vector<double>& x, double grain, Map&& g)
    {
        const std::size_t n = x.size();
        for (auto* list : {&f_, &trial_, &made_, &d_})
            list->resize(n);
        if (!residual(x, f_, g))
            return false;
        double size = norm(f_), last = INFINITY;
        for (int i = 0; i < most_iterations; ++i) {
            const double scale = norm(x);
            if (size <= 1e-15 * scale || size == 0)
                return true;
            const double steepest = find_direction(x, size, std::max(1e-7 * scale, grain), g);
            const double step = norm(d_);
            constexpr double rounding = 30 * 2.2e-8; // of a grain; sums have several terms
            const bool near = step <= 1e-9 * scale || size <= rounding * steepest * grain;
            if (i > 0 && (step <= 1e-14 * scale || (near && size > 0.5 * last)))
                return residual(x, f_, g);
            last = size;
            bool better = false;
            for (double s = 1; s > 1e-3 && !better; s *= 0.5) {
                for (std::size_t k = 0; k < n; ++k)
                    trial_[k] = x[k] + s * d_[k];
                better = residual(trial_, made_, g) && norm(made_) < size;
            }
            if (!better) // nowhere near is less left: rounding, or no way from here
                return residual(x, f_, g) && near;
            x = trial_;
            std::swap(f_, made_);
            size = norm(f_);
        }
        return false;
    }

  private:
    static double dot(const std::vector<double>& a, const std::vector<double>& b)
    {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            sum += a[i] * b[i];
        return sum;
    }
    static double norm(const std::vector<double>& a) { return std::sqrt(dot(a, a)); }

    /// f = g(x) − x
    template <class Map>
    static bool residual(const std::vector<double>& x, std::vector<double>& f, Map& g)
    {
        if (!g(x, f))
            return false;
        for (std::size_t i = 0; i < x.size(); ++i)
            f[i] -= x[i];
        return std::isfinite(norm(f));
    }

    /// d, to a thousandth of f: Arnoldi's basis, and Givens' rotations of its coefficients. Returns
    /// how large 1 − g′ makes a direction at most, of those that were tried.
    template <class Map>
    double find_direction(const std::vector<double>& x, double size, double step, Map& g)
    {
        const std::size_t n = x.size(), most = std::min(n, most_directions);
        basis_.resize(most + 1);
        H_.assign((most + 1) * most, 0.0);
        cos_.assign(most, 0.0);
        sin_.assign(most, 0.0);
        rest_.assign(most + 1, 0.0);
        basis_[0].resize(n);
        for (std::size_t i = 0; i < n; ++i)
            basis_[0][i] = f_[i] / size;
        rest_[0] = size;
        std::size_t used = 0;
        double steepest = 0;
        const auto H = [&](std::size_t row, std::size_t col) -> double& {
            return H_[row * most + col];
        };
        for (std::size_t j = 0; j < most; ++j) {
            std::vector<double>& w = basis_[j + 1];
            w.resize(n);
            for (std::size_t i = 0; i < n; ++i)
                trial_[i] = x[i] + step * basis_[j][i];
            if (!g(trial_, made_))
                break;
            for (std::size_t i = 0; i < n; ++i) // v − (g(x + ε v) − g(x))/ε, with g(x) = f + x
                w[i] = basis_[j][i] - (made_[i] - (f_[i] + x[i])) / step;
            const double made = norm(w);
            if (!std::isfinite(made))
                break;
            steepest = std::max(steepest, made);
            for (std::size_t i = 0; i <= j; ++i) {
                H(i, j) = dot(w, basis_[i]);
                for (std::size_t k = 0; k < n; ++k)
                    w[k] -= H(i, j) * basis_[i][k];
            }
            const double left = norm(w);
            H(j + 1, j) = left;
            for (std::size_t i = 0; i < j; ++i) {
                const double a = H(i, j), b = H(i + 1, j);
                H(i, j) = cos_[i] * a + sin_[i] * b;
                H(i + 1, j) = cos_[i] * b - sin_[i] * a;
            }
            const double a = H(j, j), r = std::hypot(a, left);
            if (r == 0)
                break;
            cos_[j] = a / r;
            sin_[j] = left / r;
            H(j, j) = r;
            rest_[j + 1] = -sin_[j] * rest_[j];
            rest_[j] *= cos_[j];
            used = j + 1;
            if (std::abs(rest_[j + 1]) <= 1e-3 * size || left <= 1e-14 * r)
                break;
            for (double& k : w)
                k /= left;
        }
        for (std::size_t j = used; j-- > 0;) {
            for (std::size_t k = j + 1; k < used; ++k)
                rest_[j] -= H(j, k) * rest_[k];
            rest_[j] /= H(j, j);
        }
        std::fill(d_.begin(), d_.end(), 0.0);
        for (std::size_t j = 0; j < used; ++j)
            for (std::size_t i = 0; i < n; ++i)
                d_[i] += rest_[j] * basis_[j][i];
        return steepest;
    }

    std::vector<double> f_, trial_, made_, d_, H_, cos_, sin_, rest_;
    std::vector<std::vector<double>> basis_;
};

} // namespace poinsot
