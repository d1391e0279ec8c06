// SPDX-License-Identifier: MIT
// Many free bodies in one loop: the same bits as alone, the order it promises, the books it keeps.

#include "poinsot/step/flock.hpp"
#include "poinsot/integrate/free_flight.hpp"
#include "poinsot/integrate/free_rotation.hpp"
#include "worlds.hpp"

using namespace poinsot;

namespace {

std::vector<Flock::Member> members(std::size_t count)
{
    Dice dice(17);
    std::vector<Flock::Member> made;
    for (std::size_t i = 0; i < count; ++i) {
        const double a = dice.uniform(0.1, 1), b = dice.uniform(0.1, 1), c = dice.uniform(0.1, 1);
        made.push_back({{dice.vector(5), dice.rotation(), dice.vector(2), dice.vector(1)},
                        dice.uniform(0.5, 3),
                        {b + c, a + c, a + b}});
    }
    return made;
}

} // namespace

TEST_CASE("A body in a flock gets the bits it would get alone")
{
    const auto bodies = members(37); // no multiple of eight
    Flock flock(bodies);
    for (int i = 0; i < 100; ++i)
        flock.step(0.01);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Flock::Member& m = bodies[i];
        FreeBody<double> alone{m.state.x,  m.state.attitude,
                               m.state.p,  m.state.L,
                               1 / m.mass, {1 / m.moments.x, 1 / m.moments.y, 1 / m.moments.z}};
        for (int k = 0; k < 100; ++k)
            fly_freely(alone, 0.01);
        const MomentumForm<double> there = flock.state_of(i);
        CHECK(there.x == alone.x);
        CHECK(there.attitude == alone.q);
        CHECK(there.L == m.state.L);
    }
}

TEST_CASE(
    "Free flight of a flock: the error of the attitude falls with the fourth power of the step")
{
    const auto bodies = members(8);
    const auto error = [&](int steps) {
        Flock flock(bodies);
        for (int i = 0; i < steps; ++i)
            flock.step(1.0 / steps);
        double worst = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const auto& m = bodies[i];
            const Quat<double> exact = turned_freely(m.moments, m.state.attitude, m.state.L, 1);
            worst = std::max(worst, angle_between(exact, flock.state_of(i).attitude));
        }
        return worst;
    };
    CHECK(near(std::log2(error(32) / error(64)), 4, 0.05));
}

TEST_CASE("The totals that a flock finds on its way are the sums over its bodies")
{
    const auto bodies = members(10000);
    Flock flock(bodies);
    FlockTotals sum;
    for (const auto& m : bodies) {
        sum.mass += m.mass;
        sum.p += m.state.p;
        sum.L += cross(m.state.x, m.state.p) + m.state.L;
        const V3 L_b = rotate(conjugate(m.state.attitude), m.state.L);
        sum.T += 0.5 * (norm2(m.state.p) / m.mass + L_b.x * L_b.x / m.moments.x +
                        L_b.y * L_b.y / m.moments.y + L_b.z * L_b.z / m.moments.z);
    }
    const FlockTotals first = flock.step_booked(0.01);
    CHECK(near(first.mass, sum.mass, 1e-13));
    CHECK(norm(first.p - sum.p) < 1e-13 * 1e4 * 2);
    CHECK(norm(first.L - sum.L) < 1e-13 * 1e4 * 20);
    CHECK(near(first.T, sum.T, 1e-12));
    // and what they close to after a hundred steps: p to the bit, L to rounding, T to fourth order
    for (int i = 0; i < 99; ++i)
        flock.step(0.01);
    const FlockTotals last = flock.step_booked(0.01);
    CHECK(last.p == first.p);
    CHECK(norm(last.L - first.L) < 1e-12 * 1e4 * 20);
    CHECK(near(last.T, first.T, 1e-7)); // (|ω| h)⁴ per radian
    // booking does not change the motion
    Flock other(bodies);
    for (int i = 0; i < 101; ++i)
        other.step(0.01);
    CHECK(other.state_of(1234) == flock.state_of(1234));
}
