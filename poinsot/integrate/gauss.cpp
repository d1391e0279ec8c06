// SPDX-License-Identifier: MIT
#include "poinsot/integrate/gauss.hpp"

#include "poinsot/integrate/joint_chart.hpp"
#include "poinsot/integrate/tableau.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

constexpr int most_sweeps = 100;

/// Lagrange's polynomials on the nodes c and 1, at 1 + c_i: from one step to the next.
template <std::size_t S>
std::array<std::array<double, S + 1>, S> extrapolation(const Tableau<S>& method)
{
    std::array<double, S + 1> node{};
    std::copy(method.c.begin(), method.c.end(), node.begin());
    node[S] = 1;
    std::array<std::array<double, S + 1>, S> weights{};
    for (std::size_t i = 0; i < S; ++i)
        for (std::size_t j = 0; j <= S; ++j) {
            weights[i][j] = 1;
            for (std::size_t k = 0; k <= S; ++k)
                if (k != j)
                    weights[i][j] *= (1 + method.c[i] - node[k]) / (node[j] - node[k]);
        }
    return weights;
}

/// y + h Σ_j w_j k_j of one number.
template <std::size_t S, class Rate>
double advanced(double y, double h, const std::array<double, S>& w, const Rate& rate)
{
    double sum = 0;
    for (std::size_t j = 0; j < S; ++j)
        sum = mul_add(w[j], rate(j), sum);
    return mul_add(h, sum, y);
}

/// Stages of one step; see gauss.hpp. What the state remembers: the momenta now, and velocities and
/// momenta of the last stages.
template <std::size_t S>
class Collocation {
  public:
    Collocation(const Tableau<S>& method, JointSystem& system, JointMotion& y, double t, double h)
        : method_(method), system_(system), linkage_(system.linkage), y_(y), t_(t), h_(h),
          n_(system.freedoms())
    {
        while (system.stages.size() < S)
            system.stages.emplace_back(linkage_);
        stage_ = system.stages.data();
    }

    void begin()
    {
        std::vector<double>& P0 = system_.P0;
        P0.resize(n_);
        system_.zero.assign(n_, 0.0);
        system_.x.resize(n_);
        const std::vector<double>& zero = system_.zero;
        const bool fresh = y_.stages.size() != (1 + 2 * S) * n_;
        if (fresh) {
            y_.stages.resize((1 + 2 * S) * n_);
            place_links<double>(linkage_, y_.q, system_.space);
            times_inertia<double>(linkage_, system_.inertias, y_.v, remembered(0), system_.space);
        }
        chart_momenta(linkage_, y_.q, zero, zero, zero, remembered(0), zero, P0, system_.x);

        static const auto weights = extrapolation(method_);
        for (std::size_t s = 0; s < S; ++s) {
            JointStage& stage = stage_[s];
            for (std::size_t i = 0; i < n_; ++i) {
                stage.v[i] = y_.v[i];
                stage.mu[i] = remembered(0)[i];
                if (fresh)
                    continue;
                stage.v[i] *= weights[s][S];
                stage.mu[i] *= weights[s][S];
                for (std::size_t j = 0; j < S; ++j) {
                    stage.v[i] = mul_add(weights[s][j], remembered(1 + j)[i], stage.v[i]);
                    stage.mu[i] = mul_add(weights[s][j], remembered(1 + S + j)[i], stage.mu[i]);
                }
            }
            std::fill(stage.u.begin(), stage.u.end(), 0.0);
        }
        for (int twice = 0; twice < 2; ++twice) { // the rate of u depends on u
            for (std::size_t s = 0; s < S; ++s)
                rates_of_place(stage_[s]);
            integrate_places();
        }
        for (std::size_t s = 0; s < S; ++s)
            chart_momenta(linkage_, stage_[s].q, stage_[s].u, zero, zero, stage_[s].mu, zero,
                          stage_[s].P, system_.x);
    }

    /// New momenta from the rates at all stages, then new places. Returns how much either changed,
    /// against its size.
    double sweep()
    {
        for (std::size_t s = 0; s < S; ++s) {
            JointStage& stage = stage_[s];
            place_links<double>(linkage_, stage.q, stage.space);
            factor_inertia<double>(linkage_, system_.inertias, stage.space);
            solve_velocities(stage);
            const auto loads = system_.loads_of(stage.q, stage.v, t_ + method_.c[s] * h_);
            momentum_rates<double>(linkage_, system_.inertias, stage.v, {}, loads,
                                   system_.gravity(), system_.x, stage.mu_dot, stage.space);
            rates_of_place(stage);
            chart_momenta(linkage_, stage.q, stage.u, stage.u_dot, stage.v, stage.mu, stage.mu_dot,
                          system_.x, stage.P_dot);
        }
        double change = integrate_momenta();
        for (std::size_t s = 0; s < S; ++s) {
            solve_velocities(stage_[s]);
            rates_of_place(stage_[s]);
        }
        return std::max(change, integrate_places());
    }

    /// All unknowns in one list, places and momenta each by their own size.
    void read(std::vector<double>& x)
    {
        x.resize(2 * S * n_);
        double size_u = 0, size_P = 0;
        for (std::size_t s = 0; s < S; ++s)
            for (std::size_t i = 0; i < n_; ++i) {
                size_u = std::max(size_u, std::abs(stage_[s].u[i]));
                size_P = std::max(size_P, std::abs(stage_[s].P[i]));
            }
        if (scale_u_ == 0) {
            scale_u_ = size_u > 0 ? size_u : 1;
            scale_P_ = size_P > 0 ? size_P : 1;
        }
        for (std::size_t s = 0; s < S; ++s)
            for (std::size_t i = 0; i < n_; ++i) {
                x[(2 * s) * n_ + i] = stage_[s].u[i] / scale_u_;
                x[(2 * s + 1) * n_ + i] = stage_[s].P[i] / scale_P_;
            }
    }
    void write(const std::vector<double>& x)
    {
        for (std::size_t s = 0; s < S; ++s) {
            for (std::size_t i = 0; i < n_; ++i) {
                stage_[s].u[i] = x[(2 * s) * n_ + i] * scale_u_;
                stage_[s].P[i] = x[(2 * s + 1) * n_ + i] * scale_P_;
            }
            at_chart(linkage_, y_.q, stage_[s].u, stage_[s].q);
        }
    }

    /// Posts what acted at the stages.
    void post(Postings& postings)
    {
        for (std::size_t s = 0; s < S; ++s) {
            system_.evaluate(stage_[s].q, stage_[s].v, t_ + method_.c[s] * h_, system_.x, true);
            postings.post(system_.world.loads, system_.world.placed, h_ * method_.b[s]);
        }
    }

    void end()
    {
        std::vector<double>&P0 = system_.P0, &u = system_.u;
        u.resize(n_);
        for (std::size_t i = 0; i < n_; ++i) {
            u[i] = advanced(0, h_, method_.b, [&](std::size_t j) { return stage_[j].u_dot[i]; });
            P0[i] =
                advanced(P0[i], h_, method_.b, [&](std::size_t j) { return stage_[j].P_dot[i]; });
        }
        at_chart(linkage_, y_.q, u, y_.q);
        renormalise(linkage_, y_.q);
        own_momenta(linkage_, y_.q, u, P0, remembered(0));
        place_links<double>(linkage_, y_.q, system_.space);
        factor_inertia<double>(linkage_, system_.inertias, system_.space);
        solve_inertia<double>(linkage_, remembered(0), y_.v, system_.space);
        for (std::size_t s = 0; s < S; ++s) {
            std::copy(stage_[s].v.begin(), stage_[s].v.end(), remembered(1 + s).begin());
            std::copy(stage_[s].mu.begin(), stage_[s].mu.end(), remembered(1 + S + s).begin());
        }
    }

  private:
    std::span<double> remembered(std::size_t k)
    {
        return std::span<double>(y_.stages).subspan(k * n_, n_);
    }
    void solve_velocities(JointStage& stage)
    {
        own_momenta(linkage_, stage.q, stage.u, stage.P, stage.mu);
        solve_inertia<double>(linkage_, stage.mu, stage.v, stage.space);
    }
    void rates_of_place(JointStage& stage)
    {
        chart_rates(linkage_, stage.q, stage.u, stage.v, stage.u_dot);
    }
    /// Replaces a number of every stage by what the rates make of it; the largest change so far.
    template <class Place, class Rate>
    double integrate(const std::vector<double>& from, const Place& place, const Rate& rate)
    {
        double change = 0, size = 0, sum = 0; // a maximum does not see what is not a number
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t s = 0; s < S; ++s) {
                const double made = advanced(from[i], h_, method_.a[s],
                                             [&](std::size_t j) { return rate(stage_[j])[i]; });
                double& at = place(stage_[s])[i];
                change = std::max(change, std::abs(made - at));
                size = std::max(size, std::abs(made));
                sum += made;
                at = made;
            }
        return std::isfinite(sum) ? (size > 0 ? change / size : 0) : INFINITY;
    }
    double integrate_momenta()
    {
        return integrate(
            system_.P0, [](JointStage & s) -> auto& { return s.P; },
            [](JointStage & s) -> auto& { return s.P_dot; });
    }
    double integrate_places()
    {
        const double change = integrate(
            system_.zero, [](JointStage & s) -> auto& { return s.u; },
            [](JointStage & s) -> auto& { return s.u_dot; });
        for (std::size_t s = 0; s < S; ++s)
            at_chart(linkage_, y_.q, stage_[s].u, stage_[s].q);
        return change;
    }

    const Tableau<S>& method_;
    JointSystem& system_;
    const Linkage& linkage_;
    JointMotion& y_;
    double t_, h_;
    std::size_t n_;
    JointStage* stage_;
    double scale_u_ = 0, scale_P_ = 0;
};

template <std::size_t S>
StepReport collocate(const Tableau<S>& method, JointSystem& system, JointMotion& y, double t,
                     double h, Postings& postings)
{
    Collocation<S> step(method, system, y, t, h);
    StepReport report{0, "the stages of the implicit step did not converge; take a smaller step"};
    step.begin();
    double last = INFINITY;
    bool creeps = false;
    for (int sweep = 0; sweep < most_sweeps && report.failure; ++sweep) {
        if (creeps)
            step.read(system.at);
        const double change = step.sweep();
        report.evaluations += static_cast<int>(S);
        if (!std::isfinite(change))
            return report;
        // Rounding of the momenta, grown by the condition of M, is what can be had: the iteration
        // ends when it no longer comes closer. One that does not come close at all has failed.
        const bool repeats = change <= 2e-16;
        const bool stalled = change <= 1e-9 && change >= 0.5 * last;
        if (repeats || stalled) {
            report.failure = nullptr;
            break;
        }
        if (creeps) {
            step.read(system.made);
            system.anderson.accelerate(system.at, system.made);
            step.write(system.made);
        } else if (change > 0.1 * last) {
            creeps = true;
            system.anderson.restart(2 * S * system.freedoms());
        }
        last = change;
    }
    if (report.failure)
        return report;
    if (!postings.off())
        step.post(postings);
    step.end();
    return report;
}

} // namespace

StepReport gauss6(JointSystem& system, JointMotion& y, double t, double h, Postings& postings)
{
    return collocate(gauss6_tableau, system, y, t, h, postings);
}
StepReport gauss2(JointSystem& system, JointMotion& y, double t, double h, Postings& postings)
{
    return collocate(gauss2_tableau, system, y, t, h, postings);
}

} // namespace poinsot
