// SPDX-License-Identifier: MIT
#include "python/rollout.hpp"

#include "poinsot/dynamics/joint_forces.hpp"

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

} // namespace

std::string roll_out(const Described& described, const StepSettings& settings,
                     const RolloutShape& shape, std::span<const double> q0,
                     std::span<const double> v0, std::span<const double> tau, std::span<double> q,
                     std::span<double> v, int threads, const std::function<bool()>& stop)
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
        simulation.resume({state_at(described.model(), described.linkage, settings.form,
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
    // One scratch serves a block of worlds; blocks are the same for any number of threads.
    const std::size_t block = shape.worlds < 256 ? 1 : 16;
    const auto compute = [&] {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, shape.worlds, block),
            [&](const tbb::blocked_range<std::size_t>& range) {
                auto simulation = Simulation::start(described.scene.model, run);
                check(static_cast<bool>(simulation), "settings were found fit");
                for (std::size_t i = range.begin(); i < range.end() && !patience.over(); ++i)
                    one_world(*simulation, i);
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
