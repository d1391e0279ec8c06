// SPDX-License-Identifier: MIT
#pragma once

// The stages of an explicit Runge-Kutta step in the local coordinates of a linkage, for numbers of
// every kind. The methods of one world and of a pack of worlds are made of these, so they have the
// same bits.
//
//     u_s = h Σ_j a_sj u̇_j,   v_s = v₀ + h Σ_j a_sj v̇_j,   q_s = q₀ ⊕ u_s
//     v̇_s = evaluate(q_s, v_s),   u̇_s = chart_rates(q_s, u_s, v_s)

#include "poinsot/integrate/joint_chart.hpp"
#include "poinsot/integrate/tableau.hpp"

namespace poinsot {

/// Memory of the stages: lists of nq or nv numbers, of which `zero` is and stays so.
template <Scalar T>
struct StageSpace {
    T *zero, *u, *v, *q;
    T *const *u_dot, *const *v_dot; // one list per stage
};

/// out = from + h Σ_j w_j k_j
template <Scalar T, std::size_t S>
void combine(std::size_t n, const T* from, T* const* k, const std::array<double, S>& w, double h,
             T* out)
{
    for (std::size_t i = 0; i < n; ++i)
        out[i] = from[i];
    for (std::size_t j = 0; j < S; ++j) {
        if (w[j] == 0)
            continue;
        const T weight = constant<T>(h * w[j]);
        for (std::size_t i = 0; i < n; ++i)
            out[i] = mul_add(weight, k[j][i], out[i]);
    }
}

/// All stages from (q0, v0). `evaluate(s, q, v, v_dot)` fills the accelerations of stage s.
template <Scalar T, std::size_t S, class Evaluate>
void evaluate_stages(const Tableau<S>& method, const Links& linkage, const T* q0, const T* v0,
                     double h, const StageSpace<T>& w, Evaluate&& evaluate)
{
    const auto nq = static_cast<std::size_t>(linkage.nq), nv = static_cast<std::size_t>(linkage.nv);
    using In = std::span<const T>;
    for (std::size_t s = 0; s < S; ++s) {
        combine(nv, static_cast<const T*>(w.zero), w.u_dot, method.a[s], h, w.u);
        combine(nv, v0, w.v_dot, method.a[s], h, w.v);
        at_chart<T>(linkage, In(q0, nq), In(w.u, nv), {w.q, nq});
        evaluate(s, In(w.q, nq), In(w.v, nv), std::span<T>(w.v_dot[s], nv));
        chart_rates<T>(linkage, In(w.q, nq), In(w.u, nv), In(w.v, nv), {w.u_dot[s], nv});
    }
}

/// Goes from (q, v) to the end of the step.
template <Scalar T, std::size_t S>
void take_step(const Tableau<S>& method, const Links& linkage, double h, bool unit_length,
               const StageSpace<T>& w, T* q, T* v)
{
    const auto nq = static_cast<std::size_t>(linkage.nq), nv = static_cast<std::size_t>(linkage.nv);
    combine(nv, static_cast<const T*>(w.zero), w.u_dot, method.b, h, w.u);
    at_chart<T>(linkage, std::span<const T>(q, nq), std::span<const T>(w.u, nv), {q, nq});
    if (unit_length)
        renormalise<T>(linkage, {q, nq});
    combine(nv, static_cast<const T*>(v), w.v_dot, method.b, h, v);
}

/// Symplectic Euler from the one stage that was evaluated: motion first, then place.
template <Scalar T>
void take_symplectic_step(const Links& linkage, double h, bool unit_length, const StageSpace<T>& w,
                          T* q, T* v)
{
    const auto nq = static_cast<std::size_t>(linkage.nq), nv = static_cast<std::size_t>(linkage.nv);
    using In = std::span<const T>;
    combine(nv, static_cast<const T*>(v), w.v_dot, euler_tableau.b, h, v);
    chart_rates<T>(linkage, In(q, nq), In(w.zero, nv), In(v, nv), {w.u_dot[0], nv});
    combine(nv, static_cast<const T*>(w.zero), w.u_dot, euler_tableau.b, h, w.u);
    at_chart<T>(linkage, In(q, nq), In(w.u, nv), {q, nq});
    if (unit_length)
        renormalise<T>(linkage, {q, nq});
}

} // namespace poinsot
