// SPDX-License-Identifier: MIT
#include "poinsot/integrate/joint_runge_kutta.hpp"

#include "poinsot/integrate/joint_stages.hpp"
#include "poinsot/integrate/step_control.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

/// The memory of a JointSystem as the stages read it; nothing allocates once it is warm.
class Stages {
  public:
    Stages(JointSystem& system, std::size_t count)
    {
        const std::size_t nv = system.freedoms();
        const auto nq = static_cast<std::size_t>(system.linkage.nq);
        system.x.assign(nv, 0.0);
        system.u.resize(nv);
        system.v.resize(nv);
        system.q.resize(nq);
        if (system.u_dot.size() < count) {
            system.u_dot.resize(count);
            system.v_dot.resize(count);
        }
        for (std::size_t s = 0; s < count; ++s) {
            system.u_dot[s].resize(nv);
            system.v_dot[s].resize(nv);
            u_dot_[s] = system.u_dot[s].data();
            v_dot_[s] = system.v_dot[s].data();
        }
        space = {system.x.data(), system.u.data(), system.v.data(),
                 system.q.data(), u_dot_.data(),   v_dot_.data()};
    }
    Stages(const Stages&) = delete; // it points into itself
    StageSpace<double> space;

  private:
    std::array<double*, 7> u_dot_{}, v_dot_{};
};

/// Evaluates all stages and posts each with its weight.
template <std::size_t S>
void evaluate_stages(const Tableau<S>& method, JointSystem& system, const JointMotion& y, double t,
                     double h, Postings& postings)
{
    const auto evaluate = [&](std::size_t s, std::span<const double> q, std::span<const double> v,
                              std::span<double> v_dot) {
        if (!postings.off() && method.b[s] != 0)
            system.evaluate_and_post(q, v, t + method.c[s] * h, v_dot, h * method.b[s], postings);
        else
            system.evaluate(q, v, t + method.c[s] * h, v_dot, false);
    };
    const Stages stages(system, S);
    evaluate_stages(method, system.linkage, y.q.data(), y.v.data(), h, stages.space, evaluate);
    system.post_stages(postings);
}

template <std::size_t S>
void advance(const Tableau<S>& method, JointSystem& system, JointMotion& y, double h)
{
    const Stages stages(system, S);
    take_step(method, system.linkage, h, system.world.renormalise, stages.space, y.q.data(),
              y.v.data());
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
    const Stages stages(system, 7);
    const StageSpace<double>& w = stages.space;
    const double* const zero = w.zero;
    combine(y.v.size(), zero, w.u_dot, dormand_prince_error, h, w.u);
    combine(y.v.size(), zero, w.v_dot, dormand_prince_error, h, w.v);
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
    const Stages stages(system, 1);
    take_symplectic_step(system.linkage, h, system.world.renormalise, stages.space, y.q.data(),
                         y.v.data());
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
        system.decide_rows(y.q, y.v, t + done);
        evaluate_stages(dormand_prince_tableau, system, y, t + done, step, tried);
        return error_of(system, y, step, tolerance);
    };
    const auto accept = [&](double, double step) {
        advance(dormand_prince_tableau, system, y, step);
    };
    return adaptive_steps(system.world, h, substep, tolerance, postings, attempt, accept);
}

} // namespace poinsot
