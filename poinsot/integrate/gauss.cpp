// SPDX-License-Identifier: MIT
#include "poinsot/integrate/gauss.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

using Lanes = StageSweep::Lanes;

constexpr int most_sweeps = 100;
constexpr int most_halvings = 10;

/// Lagrange's polynomial through values at `nodes`, at t: the weight of each value.
std::vector<double> lagrange(std::span<const double> nodes, double t)
{
    std::vector<double> weights(nodes.size(), 1.0);
    for (std::size_t a = 0; a < nodes.size(); ++a)
        for (std::size_t b = 0; b < nodes.size(); ++b)
            if (a != b)
                weights[a] *= (t - nodes[b]) / (nodes[a] - nodes[b]);
    return weights;
}

/// From the stages of the last one or two steps to those of the next.
template <std::size_t S>
struct Extrapolation {
    std::vector<Lanes> weight; // of each stage there, the latest step first

    Extrapolation(const Tableau<S>& method, std::size_t steps) : weight(S * steps, Lanes(0.0))
    {
        std::vector<double> nodes;
        for (std::size_t k = 0; k < steps; ++k)
            for (const double c : method.c)
                nodes.push_back(c - static_cast<double>(k + 1));
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const auto weights = lagrange(nodes, method.c[std::min(lane, S - 1)]);
            for (std::size_t j = 0; j < nodes.size(); ++j)
                weight[j].set(static_cast<int>(lane), weights[j]);
        }
    }
};

/// One step. Of it the state remembers, in `stages`, the momenta that the next begins with, and
/// for the guess the velocities of the stages of this step and of the one before it.
template <std::size_t S>
class Step {
  public:
    Step(const Tableau<S>& method, JointSystem& system, JointMotion& y, double t, double h)
        : method_(method), system_(system), stages_(*system.stages), y_(y), t_(t), h_(h),
          n_(system.freedoms()), varies_(!system.world.model.vessels().empty())
    {
    }

    StepReport take(Postings& postings, int halvings)
    {
        if (y_.stages.empty()) {
            y_.stages.resize(n_);
            weigh_all(t_);
            stages_.momenta_of(y_.q, y_.v, y_.stages);
        }
        begin();
        rough_ = halvings == most_halvings ? 1e-5 : 1e-9;
        if (!find_stages())
            return take_halves(postings, halvings);
        if (!postings.off())
            post(postings);
        end();
        return {evaluations_, nullptr};
    }

  private:
    /// Where mass varies, every stage has that of its moment.
    void weigh(double t, std::size_t lane)
    {
        system_.weigh(t);
        stages_.set_inertias(static_cast<int>(lane), system_.inertias);
    }
    void weigh_all(double t)
    {
        for (std::size_t lane = 0; lane < 4 && varies_; ++lane)
            weigh(t, lane);
    }

    void begin()
    {
        for (std::size_t lane = 0; lane < 4 && varies_; ++lane)
            weigh(t_ + method_.c[std::min(lane, S - 1)] * h_, lane);
        stages_.set_method(method_, h_);
        stages_.start(y_.q, std::span(y_.stages).first(n_));
    }

    /// From the best guess to the worst.
    bool find_stages()
    {
        if (remembered() == 0) {
            stages_.go_on(y_.v);
            return converge(INFINITY) || solve(); // from rest all momenta are to be found
        }
        for (std::size_t steps = remembered(); steps > 0; --steps) {
            extrapolate(steps);
            if (converge(0.1))
                return true;
        }
        return solve();
    }

    /// Where loads are stiff, sweeps run away from the stages that they have; Newton's method finds
    /// them, from where the motion goes on as it is.
    bool solve()
    {
        if (system_.only_weight())
            return false;
        stages_.go_on(y_.v);
        stages_.integrate_places();
        read(system_.at);
        double reach = 1e-3; // places are known to 1e-16 of it
        for (const double q : y_.q)
            reach = std::max(reach, std::abs(q));
        return system_.newton.solve(system_.at, 1e-8 * reach,
                                    [&](const std::vector<double>& x, std::vector<double>& made) {
                                        put(x);
                                        load();
                                        const double off = stages_.sweep(true).off;
                                        evaluations_ += static_cast<int>(S);
                                        read(made);
                                        return std::isfinite(off) && !system_.world.stopped();
                                    });
    }

    std::size_t remembered() const { return (y_.stages.size() / n_ - 1) / S; }
    /// Velocity i at stage s, of a number of steps ago.
    static double& kept(std::vector<double>& stages, std::size_t n, std::size_t ago, std::size_t i,
                        std::size_t s)
    {
        return stages[n + S * (ago * n + i) + s];
    }

    void extrapolate(std::size_t steps)
    {
        static const Extrapolation<S> one(method_, 1), two(method_, 2);
        const Extrapolation<S>& by = steps == 1 ? one : two;
        for (std::size_t i = 0; i < n_; ++i) {
            Lanes sum(0.0);
            for (std::size_t j = S * steps; j-- > 0;)
                sum = mul_add(by.weight[j], Lanes(kept(y_.stages, n_, j / S, i, j % S)), sum);
            stages_.v[i] = sum;
        }
    }

    /// Motion that a step is too long to follow is followed by two of half the length. What the
    /// state then remembers are the stages that the step would have had.
    StepReport take_halves(Postings& postings, int halvings)
    {
        if (halvings == most_halvings)
            return {evaluations_,
                    "the stages of the implicit step did not converge; take a smaller step"};
        std::vector<double> remembered = y_.stages, found(S * n_, 0.0);
        y_.stages.resize(n_);
        for (int half = 0; half < 2; ++half) {
            Step<S> step(method_, system_, y_, t_ + 0.5 * half * h_, 0.5 * h_);
            const StepReport report = step.take(postings, halvings + 1);
            evaluations_ += report.evaluations;
            if (report.failure)
                return {evaluations_, report.failure};
            for (std::size_t s = 0; s < S; ++s) {
                if ((method_.c[s] < 0.5) != (half == 0))
                    continue;
                const auto weights = lagrange(method_.c, 2 * method_.c[s] - half);
                for (std::size_t i = 0; i < n_; ++i)
                    for (std::size_t j = 0; j < S; ++j)
                        found[S * i + s] =
                            mul_add(weights[j], kept(y_.stages, n_, 0, i, j), found[S * i + s]);
            }
        }
        std::copy_n(y_.stages.begin(), n_, remembered.begin());
        y_.stages = std::move(remembered);
        remember(found);
        return {evaluations_, nullptr};
    }

    /// Sweeps until rounding is all that is left of the residual, relative to the momenta. Gives up
    /// where the guess is worse than `worst`, and where sweeps do not help while it is far off.
    bool converge(double worst)
    {
        constexpr double near = 1e-3, rounding = 1e-16;
        stages_.integrate_places();
        place();
        double last = INFINITY;
        int stalled = 0;
        bool creeps = false;
        for (int sweep = 0; sweep < most_sweeps; ++sweep) {
            if (creeps)
                read(system_.at);
            const auto [off, size] = stages_.sweep(last > near);
            evaluations_ += static_cast<int>(S);
            const double now = size > 0 ? off / size : off;
            const double rate = now / last;
            if (!(now <= worst) || !std::isfinite(now) || (now > near && rate > 0.5))
                return false;
            // What a sweep finds it also takes off, up to the factor that the last one left.
            if (now <= 2 * rounding || (sweep > 0 && now * rate <= rounding))
                return true;
            // Loads may be rougher than rounding, and M worse conditioned. One that jumps where a
            // stage is leaves the jump, in the smallest part of a step.
            stalled = rate > 0.5 ? stalled + 1 : 0;
            if (stalled > 0 && now < (stalled > 3 ? rough_ : 1e-13))
                return true;
            if (creeps)
                accelerate();
            else if (rate > 0.2 && now < near) {
                creeps = true;
                system_.anderson.restart(2 * 4 * n_);
            }
            load();
            last = now;
        }
        return false;
    }

    /// All unknowns in one list.
    void read(std::vector<double>& x) const
    {
        x.resize(2 * 4 * n_);
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t lane = 0; lane < 4; ++lane) {
                x[8 * i + lane] = stages_.u[i][static_cast<int>(lane)];
                x[8 * i + 4 + lane] = h_ * stages_.v[i][static_cast<int>(lane)];
            }
    }
    void accelerate()
    {
        std::vector<double>& x = system_.made;
        read(x);
        system_.anderson.accelerate(system_.at, x);
        put(x);
    }
    void put(const std::vector<double>& x)
    {
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t lane = 0; lane < 4; ++lane) {
                stages_.u[i].set(static_cast<int>(lane), x[8 * i + lane]);
                stages_.v[i].set(static_cast<int>(lane), x[8 * i + 4 + lane] / h_);
            }
        stages_.place(system_.gravity());
    }

    void place()
    {
        stages_.place(system_.gravity());
        load();
    }
    void load()
    {
        if (system_.only_weight())
            return;
        for (std::size_t s = 0; s < S; ++s) {
            read_stage(s);
            const auto loads = system_.loads_of(system_.q, system_.v, t_ + method_.c[s] * h_);
            const auto rates = system_.inertia_rates();
            stages_.add_loads(static_cast<int>(s), loads, rates);
            if (s + 1 == S)
                for (std::size_t lane = S; lane < 4; ++lane)
                    stages_.add_loads(static_cast<int>(lane), loads, rates);
        }
    }
    void read_stage(std::size_t s)
    {
        system_.q.resize(y_.q.size());
        system_.v.resize(n_);
        stages_.read(static_cast<int>(s), system_.q, system_.v);
    }
    void post(Postings& postings)
    {
        const bool falls = system_.posts_falling(postings);
        system_.x.resize(n_);
        for (std::size_t s = 0; s < S; ++s) {
            read_stage(s);
            const double weight = h_ * method_.b[s];
            if (falls)
                system_.post_falling(system_.q, system_.v, {}, weight);
            else
                system_.evaluate_and_post(system_.q, system_.v, t_ + method_.c[s] * h_, system_.x,
                                          weight, postings);
        }
        system_.post_stages(postings);
    }

    void remember(std::span<const double> speeds)
    {
        const std::size_t steps = std::min<std::size_t>(2, remembered() + 1);
        y_.stages.resize(n_ + S * n_ * steps);
        if (steps == 2)
            std::copy_n(&kept(y_.stages, n_, 0, 0, 0), S * n_, &kept(y_.stages, n_, 1, 0, 0));
        std::copy(speeds.begin(), speeds.end(), &kept(y_.stages, n_, 0, 0, 0));
    }
    void end()
    {
        std::vector<double>& speeds = system_.x;
        speeds.resize(S * n_);
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t s = 0; s < S; ++s)
                speeds[S * i + s] = stages_.v[i][static_cast<int>(s)];
        remember(speeds);
        weigh_all(t_ + h_);
        stages_.finish();
        stages_.read_momenta(std::span(y_.stages).first(n_));
        stages_.read(0, y_.q, y_.v);
    }

    const Tableau<S>& method_;
    JointSystem& system_;
    StageSweep& stages_;
    JointMotion& y_;
    double t_, h_;
    std::size_t n_;
    bool varies_;
    double rough_ = 1e-9; // what loads that cannot be met better may leave
    int evaluations_ = 0;
};

template <std::size_t S>
StepReport collocate(const Tableau<S>& method, JointSystem& system, JointMotion& y, double t,
                     double h, Postings& postings)
{
    if (system.freedoms() == 0) { // all stands; what it carries may vary
        for (std::size_t s = 0; s < S && !postings.off(); ++s) {
            system.evaluate(y.q, y.v, t + method.c[s] * h, {}, true);
            postings.post(system.world.loads, system.world.placed, h * method.b[s]);
        }
        return {0, nullptr};
    }
    // Its axes are those of the model, however much is in tanks by now.
    if (!system.stages)
        system.stages = std::make_unique<StageSweep>(
            system.linkage, link_inertias(system.linkage, system.world.model));
    // What another method remembers of its last step is not this one's.
    const std::size_t n = system.freedoms();
    if (y.stages.size() != (1 + S) * n && y.stages.size() != (1 + 2 * S) * n)
        y.stages.clear();
    return Step<S>(method, system, y, t, h).take(postings, 0);
}

} // namespace

StepReport gauss8(JointSystem& system, JointMotion& y, double t, double h, Postings& postings)
{
    return collocate(gauss8_tableau, system, y, t, h, postings);
}
StepReport gauss2(JointSystem& system, JointMotion& y, double t, double h, Postings& postings)
{
    return collocate(gauss2_tableau, system, y, t, h, postings);
}

} // namespace poinsot
