// SPDX-License-Identifier: MIT
#include "geometry/pairs.hpp"
#include "poinsot/geometry/patch.hpp"
#include "poinsot/geometry/sweep.hpp"

#include <cstring>

using namespace poinsot;

TEST_CASE("Bits: gaps, patches and times of touch are the same with every compiler")
{
    // FNV-1a over the bits of every answer. The number was found with g++ 12 and clang 14,
    // optimised and not; one that differs from build to build would differ from it.
    std::uint64_t hash = 1469598103934665603ull;
    const auto mix = [&](double value) {
        std::uint64_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        hash = (hash ^ bits) * 1099511628211ull;
    };
    Dice dice(99);
    DepthSearch search;
    for (int trial = 0; trial < 4000; ++trial) {
        // not hulls: Qhull is compiled by others
        const auto A = random_shape(dice, static_cast<std::size_t>(dice.whole(0, 6)));
        const auto B = random_shape(dice, static_cast<std::size_t>(dice.whole(0, 6)));
        const Pose<double> pa{dice.vec(1), dice.turn()}, pb{dice.vec(1), dice.turn()};
        const Gap gap = gap_between(A.shape, pa, B.shape, pb);
        mix(gap.distance);
        mix(gap.normal.x);
        mix(gap.on_b.z);
        const Patch patch = patch_between(A.shape, pa, B.shape, pb, gap, 0.1);
        for (int k = 0; k < patch.count; ++k) {
            mix(patch.spot[static_cast<std::size_t>(k)].on_a.y);
            hash ^= patch.spot[static_cast<std::size_t>(k)].feature;
        }
        const Passage a{pa, dice.vec(3), dice.vec(2), zero3<double>()}, b{pb};
        mix(first_touch(A.shape, a, B.shape, b, 1, search).time);
    }
    CHECK(hash == 14857965389297327343ull);
}
