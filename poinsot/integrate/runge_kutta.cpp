// SPDX-License-Identifier: MIT
#include "poinsot/integrate/runge_kutta.hpp"

#include "poinsot/integrate/step_control.hpp"
#include "poinsot/integrate/tableau.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace poinsot {

namespace {

BodyDelta times_plus(double s, const BodyDelta& d, const BodyDelta& to)
{
    return {mul_add(s, d.x, to.x), mul_add(s, d.u, to.u), mul_add(s, d.a, to.a),
            mul_add(s, d.b, to.b)};
}
constexpr BodyDelta nothing{zero3<double>(), zero3<double>(), zero3<double>(), zero3<double>()};

// Weights of the dense output's last coefficient [Shampine 1986].
constexpr std::array<double, 7> pair_dense{
    -12715105075.0 / 11282082432,  0,
    87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
    701980252875.0 / 199316789632, -1453857185.0 / 822651844,
    69997945.0 / 29380423};

/// Σ_j w_j k_j of one body.
template <std::size_t S>
BodyDelta combined(const std::vector<std::vector<BodyDelta>>& k, std::size_t body,
                   const std::array<double, S>& w, double h)
{
    BodyDelta sum = nothing;
    for (std::size_t j = 0; j < S; ++j)
        if (w[j] != 0)
            sum = times_plus(h * w[j], k[j][body], sum);
    return sum;
}

/// Evaluates all stages; posts each with its weight when `postings` is given.
template <class Form, std::size_t S>
void evaluate_stages(const Tableau<S>& method, System& system, const std::vector<Form>& bodies,
                     double t, double h, Postings& postings)
{
    auto& k = system.stages;
    if (k.size() < S)
        k.resize(S);
    auto& stage = std::get<std::vector<Form>>(system.stage_bodies);
    auto& reached = system.reached;
    stage.resize(bodies.size());
    reached.resize(bodies.size());
    for (std::size_t s = 0; s < S; ++s) {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            reached[i] = combined(k, i, method.a[s], h);
            stage[i] = s == 0 ? bodies[i] : moved(bodies[i], reached[i]);
        }
        system.evaluate(std::span<const Form>(stage), t + method.c[s] * h);
        if (method.b[s] != 0)
            postings.post(system.loads, system.placed, h * method.b[s]);
        k[s].resize(bodies.size());
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const auto rate = rate_of<Form>(system.placed.bodies[i], system.loads.total[i]);
            k[s][i] = {rate.x_dot, rotation_vector_rate(reached[i].u, rate.omega), rate.a, rate.b};
        }
    }
}

/// Length of a vector's error against its own size.
double relative_error(const Vec3<double>& error, const Vec3<double>& value, const Tolerance& tol)
{
    return norm(error) / (tol.absolute + tol.relative * norm(value));
}

template <class Form>
double error_of(System& system, std::vector<Form>& bodies, double h, const Tolerance& tol)
{
    double worst = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const BodyDelta e = combined(system.stages, i, dormand_prince_error, h);
        worst = std::max({worst, relative_error(e.x, bodies[i].x, tol), norm(e.u) / tol.relative,
                          relative_error(e.a, first(bodies[i]), tol),
                          relative_error(e.b, second(bodies[i]), tol)});
    }
    return worst;
}

template <class Form>
void advance(System& system, std::vector<Form>& bodies, const BodyDelta& d, std::size_t i)
{
    bodies[i] = moved(bodies[i], d);
    if (system.renormalise)
        bodies[i].attitude = renormalised(bodies[i].attitude);
}

template <class Form>
DenseStep<Form> dense_step(const System& system, const std::vector<Form>& start, double t, double h)
{
    DenseStep<Form> made{t, h, start, {}};
    for (std::size_t i = 0; i < start.size(); ++i) {
        const auto& k = system.stages;
        const BodyDelta d = combined(k, i, dormand_prince_tableau.b, h);
        const BodyDelta k1 = times_plus(h, k[0][i], nothing), k7 = times_plus(h, k[6][i], nothing);
        const BodyDelta bspl = times_plus(-1, d, k1);
        const BodyDelta tail = times_plus(-1, bspl, times_plus(-1, k7, d));
        made.coefficients.push_back({nothing, d, bspl, tail, combined(k, i, pair_dense, h)});
    }
    return made;
}

} // namespace

template <class Form>
StepReport runge_kutta4(System& system, std::vector<Form>& bodies, double t, double h,
                        Postings& postings)
{
    evaluate_stages(classical_tableau, system, bodies, t, h, postings);
    for (std::size_t i = 0; i < bodies.size(); ++i)
        advance(system, bodies, combined(system.stages, i, classical_tableau.b, h), i);
    return {4, nullptr};
}

template <class Form>
std::vector<Form> DenseStep<Form>::at(double time) const
{
    // y(θ) = y₀ ⊕ θ(d + (1−θ)(bspl + θ(tail + (1−θ) last)))
    const double theta = (time - t) / h, rest = 1 - theta;
    std::vector<Form> made;
    for (std::size_t i = 0; i < start.size(); ++i) {
        const auto& c = coefficients[i];
        BodyDelta sum = times_plus(rest, c[4], c[3]);
        sum = times_plus(theta, sum, c[2]);
        sum = times_plus(rest, sum, c[1]);
        sum = times_plus(theta, sum, nothing);
        made.push_back(moved(start[i], sum));
    }
    return made;
}

template <class Form>
StepReport dormand_prince(System& system, std::vector<Form>& bodies, double t, double h,
                          double& substep, const Tolerance& tolerance, Postings& postings,
                          const std::function<void(const DenseStep<Form>&)>& dense)
{
    const auto attempt = [&](double done, double step, Postings& tried) {
        system.decide_rows(std::span<const Form>(bodies), t + done);
        evaluate_stages(dormand_prince_tableau, system, bodies, t + done, step, tried);
        return error_of(system, bodies, step, tolerance);
    };
    const auto accept = [&](double done, double step) {
        std::optional<DenseStep<Form>> inside;
        if (dense)
            inside = dense_step(system, bodies, t + done, step);
        for (std::size_t i = 0; i < bodies.size(); ++i)
            advance(system, bodies, combined(system.stages, i, dormand_prince_tableau.b, step), i);
        if (inside) // the step is complete: whoever is called may use the system
            dense(*inside);
    };
    return adaptive_steps(system, h, substep, tolerance, postings, attempt, accept);
}

#define POINSOT_INSTANTIATE(Form)                                                                  \
    template StepReport runge_kutta4(System&, std::vector<Form>&, double, double, Postings&);      \
    template StepReport dormand_prince(System&, std::vector<Form>&, double, double, double&,       \
                                       const Tolerance&, Postings&,                                \
                                       const std::function<void(const DenseStep<Form>&)>&);        \
    template std::vector<Form> DenseStep<Form>::at(double) const;
POINSOT_INSTANTIATE(MomentumForm<double>)
POINSOT_INSTANTIATE(VelocityForm<double>)
POINSOT_INSTANTIATE(MatrixForm<double>)
#undef POINSOT_INSTANTIATE

} // namespace poinsot
