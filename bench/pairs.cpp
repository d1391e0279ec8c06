// SPDX-License-Identifier: MIT
// How does finding pairs grow with the number of moving bodies? As n log n, to a hundred thousand.
//
// Bodies of one size move at random in a space that grows with their number, so that each has the
// same number of neighbours. Prints the time of a step (every box moved, all pairs found), the same
// over n log₂ n, which must not grow, how deep the tree is, how many pairs there are, and how many
// of them differ from those of sorting and sweeping along x, written here as a second road.

#include "measure.hpp"
#include "poinsot/geometry/bounds_tree.hpp"

#include <cmath>
#include <cstdio>
#include <numeric>

using namespace poinsot;

namespace {

struct Crowd {
    std::vector<Vec3<double>> x, v;
    double side;
    std::uint64_t s = 1;

    explicit Crowd(std::size_t count) : side(1.6 * std::cbrt(static_cast<double>(count)))
    {
        for (std::size_t i = 0; i < count; ++i) {
            x.push_back({side * random(), side * random(), side * random()});
            v.push_back({random() - 0.5, random() - 0.5, random() - 0.5});
        }
    }
    double random()
    {
        s = s * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<double>(s >> 11) * 0x1p-53;
    }
    Bounds box(std::size_t i) const { return grown({x[i], x[i]}, 0.5); }
    void move(double h)
    {
        const auto bounce = [&](double& r, double& speed) {
            r += h * speed;
            if ((r < 0 && speed < 0) || (r > side && speed > 0))
                speed = -speed;
        };
        for (std::size_t i = 0; i < x.size(); ++i) {
            bounce(x[i].x, v[i].x);
            bounce(x[i].y, v[i].y);
            bounce(x[i].z, v[i].z);
        }
    }
};

std::vector<BoundsTree::Pair> swept_pairs(const Crowd& crowd)
{
    std::vector<int> order(crowd.x.size());
    std::iota(order.begin(), order.end(), 0);
    const auto at = [&](int i) { return crowd.box(static_cast<std::size_t>(i)); };
    std::sort(order.begin(), order.end(), [&](int a, int b) { return at(a).lo.x < at(b).lo.x; });
    std::vector<BoundsTree::Pair> found;
    for (std::size_t k = 0; k < order.size(); ++k)
        for (std::size_t m = k + 1; m < order.size() && at(order[m]).lo.x <= at(order[k]).hi.x; ++m)
            if (overlap(at(order[k]), at(order[m])))
                found.push_back(std::minmax(order[k], order[m]));
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

int main()
{
    std::printf("bodies,step,microseconds_per_step,ns_per_n_log2_n,height,pairs,pairs_wrong\n");
    for (const std::size_t count : {1000u, 3000u, 10000u, 30000u, 100000u})
        for (const double h : {0.01, 0.5}) { // most stay in their leaves; most leave them
            Crowd crowd(count);
            BoundsTree tree;
            std::vector<BoundsTree::Pair> pairs;
            const auto step = [&] {
                crowd.move(h);
                for (std::size_t i = 0; i < count; ++i)
                    tree.set(static_cast<int>(i), crowd.box(i));
                tree.pairs(pairs);
            };
            for (int i = 0; i < 20; ++i) // the tree as it is after a while, not as it was built
                step();
            // ten steps at a time: now and then the tree is built anew, and that counts
            const double best = least_in_turns(3,
                                               [&] {
                                                   for (int i = 0; i < 10; ++i)
                                                       step();
                                               })[0] /
                                10;
            const auto truth = swept_pairs(crowd);
            std::vector<BoundsTree::Pair> wrong;
            std::set_symmetric_difference(pairs.begin(), pairs.end(), truth.begin(), truth.end(),
                                          std::back_inserter(wrong));
            const double n = static_cast<double>(count);
            std::printf("%zu,%g,%.0f,%.1f,%d,%zu,%zu\n", count, h, 1e6 * best,
                        1e9 * best / (n * std::log2(n)), tree.height(), pairs.size(), wrong.size());
            if (!wrong.empty())
                return 1;
        }
}
