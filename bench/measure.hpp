// SPDX-License-Identifier: MIT
#pragma once

// How long a piece of work takes on the CPU. Machines are shared and clocks drift, so alternatives
// are measured in turns and the least of many is taken; only ratios are worth reading.

#include <algorithm>
#include <ctime>
#include <limits>
#include <vector>

namespace poinsot {

inline double cpu_seconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double time_of(Work&& work)
{
    const double start = cpu_seconds();
    work();
    return cpu_seconds() - start;
}

/// The least time of each of several alternatives, taken in turns.
template <class... Works>
std::vector<double> least_in_turns(int turns, Works&&... works)
{
    std::vector<double> least(sizeof...(works), std::numeric_limits<double>::infinity());
    for (int i = 0; i < turns; ++i) {
        std::size_t k = 0;
        ((least[k] = std::min(least[k], time_of(works)), ++k), ...);
    }
    return least;
}

/// The least time of a few runs; short ones are repeated more often.
template <class Work>
double least_of_runs(Work&& work)
{
    double best = time_of(work);
    for (double spent = best; spent < 0.05; spent += best)
        best = std::min(best, time_of(work));
    return best;
}

} // namespace poinsot
