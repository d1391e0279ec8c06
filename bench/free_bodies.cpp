// SPDX-License-Identifier: MIT
// How fast does one core move a million free bodies, and is it the arithmetic or the memory that
// says so? What do the books cost?
//
// Prints bodies × steps per second, the traffic the loop needs per body and step, the bandwidth
// that is, and beside it the bandwidth of a plain copy of the same size measured in the same run.

#include "measure.hpp"
#include "poinsot/integrate/free_rotation.hpp"
#include "poinsot/step/flock.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>

using namespace poinsot;

namespace {

std::vector<Flock::Member> bodies(std::size_t count)
{
    std::vector<Flock::Member> made;
    made.reserve(count);
    std::uint64_t s = 1;
    const auto random = [&] {
        s = s * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<double>(s >> 11) * 0x1p-53 - 0.5;
    };
    for (std::size_t i = 0; i < count; ++i) {
        const double a = 0.6 + random(), b = 0.6 + random(), c = 0.6 + random();
        made.push_back({{{random(), random(), random()},
                         exp_quat<double>({random(), random(), random()}),
                         {random(), random(), random()},
                         {random(), random(), random()}},
                        1,
                        {b + c, a + c, a + b}});
    }
    return made;
}

/// Largest attitude error of a thousand bodies after one second of such steps.
double error_of(const std::vector<Flock::Member>& members, double h)
{
    const std::vector<Flock::Member> few(members.begin(), members.begin() + 1000);
    Flock flock(few);
    const int steps = static_cast<int>(std::lround(1 / h));
    for (int i = 0; i < steps; ++i)
        flock.step(h);
    double worst = 0;
    for (std::size_t i = 0; i < few.size(); ++i) {
        const Quat<double> exact =
            turned_freely(few[i].moments, few[i].state.attitude, few[i].state.L, 1);
        worst = std::max(worst,
                         norm(log_quat(normalised(exact * conjugate(flock.state_of(i).attitude)))));
    }
    return worst;
}

} // namespace

int main()
{
    const double h = 0.01;
    std::printf("bodies,kernel,steps_per_second_and_core,bytes_per_body_and_step,bandwidth_GB_s,"
                "copy_GB_s,books_cost_percent,attitude_error_after_1_s\n");
    for (const std::size_t count : {std::size_t{1000}, std::size_t{30000}, std::size_t{1000000}}) {
        const auto members = bodies(count);
        Flock flock(members), booked(members);
        const int steps = static_cast<int>(std::max<std::size_t>(1, 4000000 / count));
        // read 17 numbers; x and q are written back
        const double bytes = 8.0 * (17 + 7);
        std::vector<double> from(count * 12, 1.0), to(count * 12);
        double sum = 0;
        const auto t = least_in_turns(
            15,
            [&] {
                for (int i = 0; i < steps; ++i)
                    flock.step(h);
            },
            [&] {
                for (int i = 0; i < steps; ++i)
                    sum += booked.step_booked(h).T;
            },
            [&] {
                for (int i = 0; i < steps; ++i) {
                    std::memcpy(to.data(), from.data(), to.size() * sizeof(double));
                    from[static_cast<std::size_t>(i)] = to[7];
                }
            });
        const double per = t[0] / static_cast<double>(steps) / static_cast<double>(count);
        const double copied = 2 * 8.0 * static_cast<double>(to.size()) * steps / t[2];
        std::printf("%zu,%s,%.3e,%.0f,%.2f,%.2f,%.1f,%.2e\n", count, Flock::kernel(), 1 / per,
                    bytes, 1e-9 * bytes / per, 1e-9 * copied, 100 * (t[1] / t[0] - 1),
                    error_of(members, h));
        if (!(sum > 0))
            return 1;
    }
}
