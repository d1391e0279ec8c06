// SPDX-License-Identifier: MIT
#include "poinsot/integrate/runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace poinsot {

namespace {

BodyDelta mul_add(double s, const BodyDelta& d, const BodyDelta& to)
{
    return {poinsot::mul_add(s, d.x, to.x), poinsot::mul_add(s, d.u, to.u),
            poinsot::mul_add(s, d.a, to.a), poinsot::mul_add(s, d.b, to.b)};
}
constexpr BodyDelta nothing{zero3<double>(), zero3<double>(), zero3<double>(), zero3<double>()};

/// A method by its coefficients. Rows of `a` are the stages after the first.
template <std::size_t S>
struct Tableau {
    std::array<std::array<double, S>, S> a;
    std::array<double, S> b, c;
};

constexpr Tableau<4> classical{{{{0, 0, 0, 0}, {0.5, 0, 0, 0}, {0, 0.5, 0, 0}, {0, 0, 1, 0}}},
                               {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
                               {0, 0.5, 0.5, 1}};

// [Dormand, Prince 1980]; the last stage stands at the end of the step.
constexpr Tableau<7> pair{
    {{{0, 0, 0, 0, 0, 0, 0},
      {1.0 / 5, 0, 0, 0, 0, 0, 0},
      {3.0 / 40, 9.0 / 40, 0, 0, 0, 0, 0},
      {44.0 / 45, -56.0 / 15, 32.0 / 9, 0, 0, 0, 0},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729, 0, 0, 0},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656, 0, 0},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0}}},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
    {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1}};
// b − b̂: what the fourth-order companion differs by.
constexpr std::array<double, 7> pair_error{
    71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
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
            sum = mul_add(h * w[j], k[j][body], sum);
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
        const BodyDelta e = combined(system.stages, i, pair_error, h);
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
        const BodyDelta d = combined(k, i, pair.b, h);
        const BodyDelta k1 = mul_add(h, k[0][i], nothing), k7 = mul_add(h, k[6][i], nothing);
        const BodyDelta bspl = mul_add(-1, d, k1);
        const BodyDelta tail = mul_add(-1, bspl, mul_add(-1, k7, d));
        made.coefficients.push_back({nothing, d, bspl, tail, combined(k, i, pair_dense, h)});
    }
    return made;
}

} // namespace

template <class Form>
StepReport runge_kutta4(System& system, std::vector<Form>& bodies, double t, double h,
                        Postings& postings)
{
    evaluate_stages(classical, system, bodies, t, h, postings);
    for (std::size_t i = 0; i < bodies.size(); ++i)
        advance(system, bodies, combined(system.stages, i, classical.b, h), i);
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
        BodyDelta sum = mul_add(rest, c[4], c[3]);
        sum = mul_add(theta, sum, c[2]);
        sum = mul_add(rest, sum, c[1]);
        sum = mul_add(theta, sum, nothing);
        made.push_back(moved(start[i], sum));
    }
    return made;
}

template <class Form>
StepReport dormand_prince(System& system, std::vector<Form>& bodies, double t, double h,
                          double& substep, const Tolerance& tolerance, Postings& postings,
                          const std::function<void(const DenseStep<Form>&)>& dense)
{
    StepReport report{0, nullptr};
    double done = 0;
    double trial = substep > 0 ? substep : 0.01 * h;
    for (int tries = 0; done < h; ++tries) {
        if (tries == tolerance.most_substeps) {
            report.failure = "the tolerance asks for too many sub-steps";
            return report;
        }
        if (system.stopped())
            return interrupted_after(report.evaluations);
        // The last sub-step ends on the grid; one that would leave a sliver is shortened to half.
        const double left = h - done;
        const bool last = trial >= left;
        const double step = last ? left : (trial > 0.5 * left ? 0.5 * left : trial);
        Postings tried(postings.detail());
        tried.clear(bodies.size());
        evaluate_stages(pair, system, bodies, t + done, step, tried);
        report.evaluations += 7;
        const double error = error_of(system, bodies, step, tolerance);
        if (!std::isfinite(error)) {
            report.failure = "a rate is not a number";
            return report;
        }
        const double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.2), 0.2, 5.0);
        if (error <= 1) {
            std::optional<DenseStep<Form>> inside;
            if (dense)
                inside = dense_step(system, bodies, t + done, step);
            for (std::size_t i = 0; i < bodies.size(); ++i)
                advance(system, bodies, combined(system.stages, i, pair.b, step), i);
            if (inside) // the step is complete: whoever is called may use the system
                dense(*inside);
            postings.merge(tried);
            done = last ? h : done + step;
            // A step cut short by the grid says nothing about the length to try next.
            trial = (last || step < trial) ? std::max(trial, step * factor) : step * factor;
        } else {
            trial = step * std::min(factor, 1.0);
            if (!(trial > 1e-14 * h)) {
                report.failure = "the tolerance asks for sub-steps below rounding";
                return report;
            }
        }
    }
    substep = trial;
    return report;
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
