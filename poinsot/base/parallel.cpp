// SPDX-License-Identifier: MIT
#include "poinsot/base/parallel.hpp"

#include "poinsot/base/check.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <vector>

// TBB as Debian builds it tells a thread sanitizer nothing, which then sees races everywhere; so
// under one the same pieces run on plain threads.
#if defined(__SANITIZE_THREAD__)
#define POINSOT_PLAIN_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define POINSOT_PLAIN_THREADS 1
#endif
#endif
#ifdef POINSOT_PLAIN_THREADS
#include <atomic>
#include <thread>
#endif

namespace poinsot {

struct Threads::Arena {
    tbb::task_arena arena;
};

Threads::Threads(int count) : count_(count > 0 ? count : tbb::this_task_arena::max_concurrency())
{
    check(count >= 0, "a number of threads is not negative");
    if (count_ > 1)
        arena_ = std::make_unique<Arena>(Arena{tbb::task_arena(count_)});
}
Threads::~Threads() = default;
Threads::Threads(Threads&&) noexcept = default;
Threads& Threads::operator=(Threads&&) noexcept = default;

void Threads::run(std::size_t n, std::size_t piece,
                  const std::function<void(std::size_t, std::size_t, std::size_t)>& work)
{
    check(piece > 0, "a piece of work is not empty");
    if (!arena_ || n <= piece) {
        for (std::size_t first = 0; first < n; first += piece)
            work(first, std::min(first + piece, n), 0);
        return;
    }
    const std::size_t pieces = (n + piece - 1) / piece;
#ifdef POINSOT_PLAIN_THREADS
    std::atomic<std::size_t> next{0};
    std::vector<std::jthread> threads;
    for (std::size_t worker = 0; worker < static_cast<std::size_t>(count_); ++worker)
        threads.emplace_back([&, worker] {
            for (std::size_t i; (i = next++) < pieces;)
                work(i * piece, std::min((i + 1) * piece, n), worker);
        });
#else
    arena_->arena.execute([&] {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, pieces, 1),
            [&](const tbb::blocked_range<std::size_t>& range) {
                const auto worker =
                    static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
                for (std::size_t i = range.begin(); i < range.end(); ++i)
                    work(i * piece, std::min((i + 1) * piece, n), worker);
            },
            tbb::simple_partitioner());
    });
#endif
}

} // namespace poinsot
