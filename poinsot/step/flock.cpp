// SPDX-License-Identifier: MIT
#include "poinsot/step/flock.hpp"

#include "poinsot/base/check.hpp"
#include "poinsot/integrate/free_flight.hpp"
#include "poinsot/math/pack.hpp"

#include <algorithm>

namespace poinsot {

namespace {
#include "poinsot/step/flock_kernel.inc"

/// Is the wide copy of the kernel both built and allowed here?
bool wide()
{
    static const bool yes = __builtin_cpu_supports("avx512f") &&
                            __builtin_cpu_supports("avx512dq") &&
                            __builtin_cpu_supports("avx512vl");
    return yes;
}

double sum_of(const double* lanes)
{
    double sum = 0;
    for (std::size_t i = 0; i < FlockBlock::lanes; ++i)
        sum += lanes[i];
    return sum;
}

} // namespace

void fly_blocks(FlockBlock* blocks, std::size_t count, double h, FlockSums* sums)
{
    fly<4>(blocks, count, h, sums);
}

Flock::Flock(std::span<const Member> members)
    : size_(members.size()), mass_(0), blocks_((members.size() + 7) / 8)
{
    for (std::size_t i = 0; i < 8 * blocks_.size(); ++i) {
        FlockBlock& block = blocks_[i / 8];
        const std::size_t k = i % 8;
        Member m{{zero3<double>(), identity_quat<double>(), zero3<double>(), zero3<double>()},
                 1,
                 {1, 1, 1}};
        if (i < members.size()) {
            m = members[i];
            mass_ += m.mass;
        }
        check(m.mass > 0 && std::min({m.moments.x, m.moments.y, m.moments.z}) > 0,
              "mass and moments of a free body must be positive");
        const auto put = [k](double(*to)[8], const Vec3<double>& a) {
            to[0][k] = a.x;
            to[1][k] = a.y;
            to[2][k] = a.z;
        };
        put(block.x, m.state.x);
        put(block.p, m.state.p);
        put(block.L, m.state.L);
        put(block.inv_I, {1 / m.moments.x, 1 / m.moments.y, 1 / m.moments.z});
        block.q[0][k] = m.state.attitude.w;
        put(block.q + 1, {m.state.attitude.x, m.state.attitude.y, m.state.attitude.z});
        block.inv_m[k] = 1 / m.mass;
    }
}

void Flock::step(double h)
{
    const auto kernel = wide() ? fly_blocks_avx512 : fly_blocks;
    kernel(blocks_.data(), blocks_.size(), h, nullptr);
}

FlockTotals Flock::step_booked(double h)
{
    const auto kernel = wide() ? fly_blocks_avx512 : fly_blocks;
    FlockTotals totals{mass_, zero3<double>(), zero3<double>(), 0};
    for (std::size_t first = 0; first < blocks_.size(); first += blocks_per_sum) {
        FlockSums sums{};
        kernel(blocks_.data() + first, std::min(blocks_per_sum, blocks_.size() - first), h, &sums);
        totals.p += {sum_of(sums.p[0]), sum_of(sums.p[1]), sum_of(sums.p[2])};
        totals.L += {sum_of(sums.L[0]), sum_of(sums.L[1]), sum_of(sums.L[2])};
        totals.T += sum_of(sums.T);
    }
    return totals;
}

MomentumForm<double> Flock::state_of(std::size_t body) const
{
    check(body < size_, "no such body in the flock");
    const FlockBlock& block = blocks_[body / 8];
    const std::size_t k = body % 8;
    const auto get = [k](const double(*from)[8]) {
        return Vec3<double>{from[0][k], from[1][k], from[2][k]};
    };
    return {get(block.x),
            {block.q[0][k], block.q[1][k], block.q[2][k], block.q[3][k]},
            get(block.p),
            get(block.L)};
}

const char* Flock::kernel()
{
    return wide() ? "avx512" : "as built";
}

} // namespace poinsot
