// SPDX-License-Identifier: MIT
#pragma once

// Fixed points found faster: Anderson's acceleration [Walker, Ni 2011].
//
//     f_k = g(x_k) − x_k                          how far the map moves what it is given
//     γ = argmin |f_k − ΔF γ|                     ΔF, ΔX: the last few differences
//     x_{k+1} = x_k + f_k − (ΔX + ΔF) γ
//
// It needs nothing but the map, converges where the map alone creeps or runs away in a few
// directions, and ends at the same point: the rounding of the answer is the map's own.

#include <cmath>
#include <cstddef>
#include <vector>

namespace poinsot {

class Anderson {
  public:
    static constexpr std::size_t most = 8; // differences kept

    void restart(std::size_t n)
    {
        n_ = n;
        kept_ = 0;
        first_ = true;
        for (auto* list : {&x_, &f_})
            list->resize(n);
        for (auto& d : dx_)
            d.resize(n);
        for (auto& d : df_)
            d.resize(n);
    }

    /// Replaces `made` = g(x) by where to look next.
    void accelerate(const std::vector<double>& x, std::vector<double>& made)
    {
        if (!first_) {
            const std::size_t slot = kept_ % most;
            for (std::size_t i = 0; i < n_; ++i) {
                dx_[slot][i] = x[i] - x_[i];
                df_[slot][i] = (made[i] - x[i]) - f_[i];
            }
            ++kept_;
        }
        first_ = false;
        for (std::size_t i = 0; i < n_; ++i) {
            x_[i] = x[i];
            f_[i] = made[i] - x[i];
        }
        const std::size_t m = kept_ < most ? kept_ : most;
        if (m == 0)
            return;
        solve(m);
        for (std::size_t k = 0; k < m; ++k)
            for (std::size_t i = 0; i < n_; ++i)
                made[i] -= gamma_[k] * (dx_[k][i] + df_[k][i]);
    }

  private:
    /// The normal equations by Cholesky; a direction that adds nothing is left out.
    void solve(std::size_t m)
    {
        double A[most][most];
        for (std::size_t a = 0; a < m; ++a) {
            gamma_[a] = dot(df_[a], f_);
            for (std::size_t b = 0; b <= a; ++b)
                A[a][b] = dot(df_[a], df_[b]);
        }
        bool live[most];
        for (std::size_t a = 0; a < m; ++a) {
            const double size = A[a][a];
            for (std::size_t b = 0; b < a; ++b) {
                if (!live[b]) {
                    A[a][b] = 0;
                    continue;
                }
                for (std::size_t c = 0; c < b; ++c)
                    A[a][b] -= A[a][c] * A[b][c];
                A[a][b] /= A[b][b];
                A[a][a] -= A[a][b] * A[a][b];
            }
            live[a] = A[a][a] > 1e-14 * size;
            A[a][a] = live[a] ? std::sqrt(A[a][a]) : 1;
            if (!live[a])
                for (std::size_t b = 0; b < a; ++b)
                    A[a][b] = 0;
        }
        for (std::size_t a = 0; a < m; ++a) {
            for (std::size_t b = 0; b < a; ++b)
                gamma_[a] -= A[a][b] * gamma_[b];
            gamma_[a] = live[a] ? gamma_[a] / A[a][a] : 0;
        }
        for (std::size_t a = m; a-- > 0;) {
            for (std::size_t b = a + 1; b < m; ++b)
                gamma_[a] -= A[b][a] * gamma_[b];
            gamma_[a] = live[a] ? gamma_[a] / A[a][a] : 0;
        }
    }
    double dot(const std::vector<double>& a, const std::vector<double>& b) const
    {
        double sum = 0;
        for (std::size_t i = 0; i < n_; ++i)
            sum += a[i] * b[i];
        return sum;
    }

    std::size_t n_ = 0, kept_ = 0;
    bool first_ = true;
    std::vector<double> x_, f_;
    std::vector<double> dx_[most], df_[most];
    double gamma_[most] = {};
};

} // namespace poinsot
