// SPDX-License-Identifier: MIT
#include "poinsot/base/parallel.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <vector>

using namespace poinsot;

TEST_SUITE("threads")
{
    TEST_CASE("Threads: every piece of work is done once, whatever their number")
    {
        for (const int threads : {1, 2, 3, 8})
            for (const std::size_t n : {0u, 1u, 7u, 64u, 1000u})
                for (const std::size_t piece : {1u, 3u, 64u, 2000u}) {
                    Threads workers(threads);
                    std::vector<int> done(n, 0); // not atomic: pieces do not meet
                    std::atomic<bool> right = true;
                    workers.run(n, piece, [&](std::size_t first, std::size_t last, std::size_t) {
                        if (first % piece != 0 || last <= first || last - first > piece || last > n)
                            right = false;
                        for (std::size_t i = first; i < last; ++i)
                            ++done[i];
                    });
                    CHECK(right);
                    CHECK(done == std::vector<int>(n, 1));
                }
    }

    TEST_CASE(
        "Threads: two that work at the same time have different numbers, each below the count")
    {
        for (const int threads : {1, 2, 4}) {
            Threads workers(threads);
            CHECK(workers.count() == threads);
            const auto count = static_cast<std::size_t>(threads);
            std::vector<std::atomic<int>> busy(count);
            std::vector<double> scratch(count, 0); // what a worker may use without asking
            std::atomic<bool> right = true;
            workers.run(500, 1, [&](std::size_t first, std::size_t, std::size_t worker) {
                if (worker >= count || ++busy[worker] != 1) {
                    right = false;
                    return;
                }
                for (int k = 0; k < 1000; ++k)
                    scratch[worker] += static_cast<double>(first + 1);
                --busy[worker];
            });
            CHECK(right);
            double sum = 0;
            for (const double part : scratch)
                sum += part;
            CHECK(sum == 1000.0 * 500 * 501 / 2);
        }
    }
}
