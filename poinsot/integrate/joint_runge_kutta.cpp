// SPDX-License-Identifier: MIT
#include "poinsot/integrate/joint_runge_kutta.hpp"

#include "poinsot/integrate/joint_chart.hpp"
#include "poinsot/integrate/step_control.hpp"
#include "poinsot/integrate/tableau.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

/// out = from + h Σ_j w_j k_j
template <std::size_t S>
void combine(const std::vector<double>& from, const std::vector<std::vector<double>>& k,
             const std::array<double, S>& w, double h, std::vector<double>& out)
{
    out = from;
    for (std::size_t j = 0; j < S; ++j)
        if (w[j] != 0)
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = mul_add(h * w[j], k[j][i], out[i]);
}

/// Evaluates all stages and posts each with its weight.
template <std::size_t S>
void evaluate_stages(const Tableau<S>& method, JointSystem& system, const JointMotion& y, double t,
                     double h, Postings& postings)
{
    const std::size_t n = system.freedoms();
    system.x.assign(n, 0.0);
    system.q.resize(y.q.size());
    if (system.u_dot.size() < S) {
        system.u_dot.resize(S);
        system.v_dot.resize(S);
    }
    for (std::size_t s = 0; s < S; ++s) {
        system.u_dot[s].resize(n);
        system.v_dot[s].resize(n);
        combine(system.x, system.u_dot, method.a[s], h, system.u);
        combine(y.v, system.v_dot, method.a[s], h, system.v);
        at_chart(system.linkage, y.q, system.u, system.q);
        const bool posts = !postings.off() && method.b[s] != 0;
        system.evaluate(system.q, system.v, t + method.c[s] * h, system.v_dot[s], posts);
        if (posts)
            postings.post(system.world.loads, system.world.placed, h * method.b[s]);
        chart_rates(system.linkage, system.q, system.u, system.v, system.u_dot[s]);
    }
}

template <std::size_t S>
void advance(const Tableau<S>& method, JointSystem& system, JointMotion& y, double h)
{
    combine(system.x, system.u_dot, method.b, h, system.u);
    at_chart(system.linkage, y.q, system.u, y.q);
    if (system.world.renormalise)
        renormalise(system.linkage, y.q);
    for (std::size_t s = 0; s < S; ++s)
        for (std::size_t i = 0; i < y.v.size(); ++i)
            y.v[i] = mul_add(h * method.b[s], system.v_dot[s][i], y.v[i]);
}

template <std::size_t S>
StepReport explicit_step(const Tableau<S>& method, JointSystem& system, JointMotion& y, double t,
                         double h, Postings& postings)
{
    evaluate_stages(method, system, y, t, h, postings);
    advance(method, system, y, h);
    return {static_cast<int>(S), nullptr};
}

double error_of(JointSystem& system, const JointMotion& y, double h, const Tolerance& tol)
{
    combine(system.x, system.u_dot, dormand_prince_error, h, system.u);
    combine(system.x, system.v_dot, dormand_prince_error, h, system.v);
    double worst = 0;
    for (std::size_t i = 0; i < y.v.size(); ++i)
        worst = std::max({worst, std::abs(system.u[i]) / tol.relative,
                          std::abs(system.v[i]) /
                              (tol.absolute + tol.relative * std::abs(y.v[i]) + tol.relative)});
    return worst;
}

} // namespace

StepReport explicit_euler(JointSystem& system, JointMotion& y, double t, double h,
                          Postings& postings)
{
    return explicit_step(euler_tableau, system, y, t, h, postings);
}

StepReport symplectic_euler(JointSystem& system, JointMotion& y, double t, double h,
                            Postings& postings)
{
    evaluate_stages(euler_tableau, system, y, t, h, postings);
    for (std::size_t i = 0; i < y.v.size(); ++i)
        y.v[i] = mul_add(h, system.v_dot[0][i], y.v[i]);
    chart_rates(system.linkage, y.q, system.x, y.v, system.u_dot[0]);
    combine(system.x, system.u_dot, euler_tableau.b, h, system.u);
    at_chart(system.linkage, y.q, system.u, y.q);
    if (system.world.renormalise)
        renormalise(system.linkage, y.q);
    return {1, nullptr};
}

StepReport runge_kutta4(JointSystem& system, JointMotion& y, double t, double h, Postings& postings)
{
    return explicit_step(classical_tableau, system, y, t, h, postings);
}

StepReport dormand_prince(JointSystem& system, JointMotion& y, double t, double h, double& substep,
                          const Tolerance& tolerance, Postings& postings)
{
    const auto attempt = [&](double done, double step, Postings& tried) {
        evaluate_stages(dormand_prince_tableau, system, y, t + done, step, tried);
        return error_of(system, y, step, tolerance);
    };
    const auto accept = [&](double, double step) {
        advance(dormand_prince_tableau, system, y, step);
    };
    return adaptive_steps(system.world, h, substep, tolerance, postings, attempt, accept);
}

} // namespace poinsot
