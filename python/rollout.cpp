// SPDX-License-Identifier: MIT
#include "python/rollout.hpp"

#include "poinsot/dynamics/joint_forces.hpp"
#include "poinsot/integrate/joint_system.hpp"
#include "poinsot/step/ensemble.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

namespace poinsot {

namespace {

using Clock = std::chrono::steady_clock;

/// Asks the caller, from the caller's own thread, a few times a second whether to stop.
class Patience {
  public:
    explicit Patience(const std::function<bool()>& stop) : stop_(stop) {}
    bool over()
    {
        if (std::this_thread::get_id() == caller_ && Clock::now() - asked_ > pause) {
            asked_ = Clock::now();
            if (stop_())
                over_ = true;
        }
        return over_.load(std::memory_order_relaxed);
    }

  private:
    static constexpr std::chrono::milliseconds pause{50};
    const std::function<bool()>& stop_;
    const std::thread::id caller_ = std::this_thread::get_id();
    Clock::time_point asked_ = Clock::now();
    std::atomic<bool> over_ = false;
};

/// Can packs of worlds take these steps, with the bits that a Simulation would give each?
bool in_packs(const Model& model, const StepSettings& settings)
{
    const bool method =
        settings.method == Method::runge_kutta4 || settings.method == Method::symplectic_euler;
    return method && settings.formulation == Formulation::reduced && falls_freely(model);
}

/// Worlds that may have to end before the last step, with numbers that are none or nearly so, or in
/// which a joint may touch its limits. Their Simulation says what happens. It looks into a step by
/// the cubic of the gap c and its speed at both ends, which is nowhere below
///
///     min(c₀, c₁) − 4/27 h (|ċ₀| + |ċ₁|)
std::vector<std::size_t> worlds_in_doubt(const Described& described, const RolloutShape& shape,
                                         double h, std::span<const double> q,
                                         std::span<const double> v)
{
    constexpr double touch = 1e-9; // wider than what a step takes for a touch
    const std::size_t nq = described.nq(), nv = described.nv(), rows = shape.steps + 1;
    std::vector<double> lower(nq, -1e100), upper(nq, 1e100);
    std::vector<std::pair<std::size_t, std::size_t>> limited; // where of q, where of v
    for (const Link& link : described.linkage.links) {
        if (link.joint == Tree::none || freedoms_of(link.op) > 1)
            continue;
        const auto& laws = described.model().joints()[static_cast<std::size_t>(link.joint)].laws;
        if (laws.empty())
            continue;
        const CoordinateLaw& law = laws[static_cast<std::size_t>(link.coordinate)];
        const auto at = static_cast<std::size_t>(link.q);
        lower[at] = std::max(lower[at], law.lower);
        upper[at] = std::min(upper[at], law.upper);
        if (std::isfinite(law.lower) || std::isfinite(law.upper))
            limited.emplace_back(at, static_cast<std::size_t>(link.v));
    }
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < shape.worlds; ++i) {
        bool good = true;
        for (std::size_t k = i * rows; k < (i + 1) * rows; ++k) {
            for (std::size_t j = 0; j < nq; ++j)
                good &= q[k * nq + j] > lower[j] && q[k * nq + j] < upper[j];
            for (std::size_t j = 0; j < nv; ++j)
                good &= std::abs(v[k * nv + j]) < 1e100;
            for (const auto& [j, s] : limited) {
                const double x = q[k * nq + j], near = std::min(x - lower[j], upper[j] - x);
                const double before = k > i * rows ? std::abs(v[(k - 1) * nv + s]) : 0.0;
                const double after = k + 1 < (i + 1) * rows ? std::abs(v[(k + 1) * nv + s]) : 0.0;
                const double moves = std::abs(v[k * nv + s]) + std::max(before, after);
                good &= near > touch + 4.0 / 27 * h * moves;
            }
        }
        if (!good)
            found.push_back(i);
    }
    return found;
}

/// What the links of every world weigh.
std::vector<LinkInertia<double>> inertias_of_worlds(const Described& described,
                                                    std::span<const double> masses)
{
    const std::vector<BodyMass>& model = described.model().masses();
    std::vector<LinkInertia<double>> all;
    std::vector<BodyMass> of_world = model;
    for (std::size_t first = 0; first < masses.size(); first += model.size()) {
        for (std::size_t i = 0; i < model.size(); ++i) {
            of_world[i].m = masses[first + i];
            of_world[i].I_b = (masses[first + i] / model[i].m) * model[i].I_b;
        }
        const auto links = link_inertias(described.linkage, of_world);
        all.insert(all.end(), links.begin(), links.end());
    }
    return all;
}

} // namespace

OwnNumbers OwnNumbers::of_world(std::size_t world, const Described& described) const
{
    const auto row = [&](std::span<const double> all, std::size_t count) {
        return all.empty() ? all : all.subspan(world * count, count);
    };
    const Model& model = described.model();
    return {row(masses, model.bodies().size()), row(contents, model.tanks().size()),
            row(armatures, described.nv())};
}

Result<Model> loaded_with(const Described& described, const OwnNumbers& own)
{
    const std::span<const double> masses = own.masses, contents = own.contents;
    Builder other = described.scene.description;
    Problems found;
    for (std::size_t i = 0; i < masses.size(); ++i) {
        Body& body = other.bodies[i];
        double held = 0; // by its tanks, as described
        for (const Tank& tank : other.tanks)
            held += tank.body == static_cast<int>(i) ? tank.content : 0;
        const double dry = masses[i] - held;
        if (!(dry > 0)) {
            found.add(body.name, "its mass of ", masses[i], " kg is no more than the ", held,
                      " kg in its tanks");
            continue;
        }
        MassProperties& given = body.mass_properties;
        given.inertia = (dry / given.mass) * given.inertia;
        given.mass = dry;
    }
    for (std::size_t i = 0; i < contents.size(); ++i)
        other.tanks[i].content = contents[i];
    for (const Link& link : described.linkage.links) {
        if (own.armatures.empty() || link.joint == Tree::none || freedoms_of(link.op) != 1)
            continue;
        Joint& joint = other.joints[static_cast<std::size_t>(link.joint)];
        joint.laws.resize(static_cast<std::size_t>(facts_of(joint.kind).coordinates));
        joint.laws[static_cast<std::size_t>(link.coordinate)].armature =
            own.armatures[static_cast<std::size_t>(link.v)];
    }
    if (found.any())
        return found;
    return other.build();
}

std::string roll_out(const Described& described, const StepSettings& settings,
                     const RolloutShape& shape, std::span<const double> q0,
                     std::span<const double> v0, std::span<const double> tau, const OwnNumbers& own,
                     std::span<double> q, std::span<double> v, int threads,
                     const std::function<bool()>& stop)
{
    const std::size_t nq = described.nq(), nv = described.nv(), rows = shape.steps + 1;
    const JointForces forces(described.linkage);
    RunSettings run;
    run.step = settings;
    run.until = settings.h * static_cast<double>(std::max<std::size_t>(shape.steps, 1));
    run.ledger.detail = Postings::Detail::off;

    Patience patience(stop);
    std::mutex mutex;
    std::map<std::size_t, std::string> failed; // by world

    const auto one_world = [&](Simulation& simulation, std::size_t world_index) {
        const auto row = [&](std::size_t step) { return world_index * rows + step; };
        const auto keep = [&](std::size_t step, std::span<const double> q_now,
                              std::span<const double> v_now) {
            std::ranges::copy(q_now, q.begin() + static_cast<std::ptrdiff_t>(row(step) * nq));
            std::ranges::copy(v_now, v.begin() + static_cast<std::ptrdiff_t>(row(step) * nv));
        };
        const auto q_start = q0.subspan(world_index * nq, nq);
        const auto v_start = v0.subspan(world_index * nv, nv);
        simulation.set_input({});
        simulation.resume({state_at(simulation.model(), described.linkage, settings.form,
                                    settings.formulation, q_start, v_start),
                           {},
                           Postings(Postings::Detail::off)});
        keep(0, q_start, v_start);
        for (std::size_t step = 0; step < shape.steps && !patience.over(); ++step) {
            if (!tau.empty())
                simulation.set_input(
                    forces.input_of(tau.subspan((world_index * shape.steps + step) * nv, nv)));
            if (const auto why = simulation.step()) {
                const std::lock_guard lock(mutex);
                failed[world_index] = *why;
                return;
            }
            const JointMotion& now = simulation.state().joints;
            keep(step + 1, now.q, now.v);
        }
    };
    std::vector<std::size_t> alone; // worlds that are not in packs
    if (in_packs(described.model(), settings)) {
        for (std::size_t i = 0; i < shape.worlds; ++i) {
            const auto first = static_cast<std::ptrdiff_t>(i * rows);
            std::ranges::copy(q0.subspan(i * nq, nq), q.begin() + first * std::ptrdiff_t(nq));
            std::ranges::copy(v0.subspan(i * nv, nv), v.begin() + first * std::ptrdiff_t(nv));
        }
        Ensemble ensemble(described.model(), threads);
        const Ensemble::Step step{settings.h,
                                  settings.method == Method::symplectic_euler
                                      ? Ensemble::Method::symplectic_euler
                                      : Ensemble::Method::runge_kutta4,
                                  settings.renormalise};
        if (!own.masses.empty())
            ensemble.set_inertias(inertias_of_worlds(described, own.masses));
        if (!own.armatures.empty())
            ensemble.set_armatures(own.armatures);
        if (!ensemble.roll_out(step, shape.steps, q, v, tau, [&] { return patience.over(); }))
            return {};
        alone = worlds_in_doubt(described, shape, settings.h, q, v);
    } else
        for (std::size_t i = 0; i < shape.worlds; ++i)
            alone.push_back(i);

    // One scratch serves a block of worlds; blocks are the same for any number of threads.
    const std::size_t block = alone.size() < 256 ? 1 : 16;
    const auto compute = [&] {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, alone.size(), block),
            [&](const tbb::blocked_range<std::size_t>& range) {
                std::optional<Simulation> simulation;
                const auto begin = [&](std::shared_ptr<const Model> model) {
                    auto started = Simulation::start(std::move(model), run);
                    check(static_cast<bool>(started), "settings were found fit");
                    simulation.emplace(std::move(*started));
                };
                for (std::size_t i = range.begin(); i < range.end() && !patience.over(); ++i) {
                    if (own.any()) {
                        auto other = loaded_with(described, own.of_world(alone[i], described));
                        if (!other) {
                            const std::lock_guard lock(mutex);
                            failed[alone[i]] = other.problems().text();
                            continue;
                        }
                        begin(std::make_shared<const Model>(std::move(*other)));
                    } else if (!simulation)
                        begin(described.scene.model);
                    one_world(*simulation, alone[i]);
                }
            },
            tbb::simple_partitioner());
    };
    if (threads > 0)
        tbb::task_arena(threads).execute(compute);
    else
        compute();

    std::string text;
    constexpr std::size_t most = 5;
    for (std::size_t told = 0; const auto& [index, why] : failed) {
        if (told++ == most) {
            text += text_of("and ", failed.size() - most, " worlds more\n");
            break;
        }
        text += text_of("world ", index, ", ", why, "\n");
    }
    return text;
}

} // namespace poinsot
