// SPDX-License-Identifier: MIT
#pragma once

// Threads that stay where they are put, as long as one of these lives: the caller on the first
// core it may use, the n-th worker of TBB on the n-th after it. Left alone, a system often wakes a
// worker on the core of the thread that woke it and moves it only after some milliseconds, longer
// than a call here lasts; the ratio of one thread to two would then be a matter of luck. TBB counts
// cores when it is first asked: that must be before any thread is bound to one of them.

#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#include <sched.h>

#include <vector>

namespace poinsot {

class Pinned : private tbb::task_scheduler_observer {
  public:
    Pinned()
    {
        sched_getaffinity(0, sizeof before_, &before_);
        for (int core = 0; core < CPU_SETSIZE; ++core)
            if (CPU_ISSET(core, &before_))
                cores_.push_back(core);
        tbb::this_task_arena::max_concurrency();
        put(0);
        observe(true);
    }
    ~Pinned()
    {
        observe(false);
        sched_setaffinity(0, sizeof before_, &before_);
    }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;

    /// Puts the thread that calls on the core of the given number, from 0.
    void put(int number) const
    {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cores_[static_cast<std::size_t>(number) % cores_.size()], &one);
        sched_setaffinity(0, sizeof one, &one);
    }

  private:
    void on_scheduler_entry(bool) override { put(tbb::this_task_arena::current_thread_index()); }

    cpu_set_t before_{};
    std::vector<int> cores_;
};

} // namespace poinsot
