// SPDX-License-Identifier: MIT
#include "poinsot/geometry/bounds_tree.hpp"
#include "math/kernels.hpp"
#include "near.hpp"

#include <rapidcheck.h>

#include <set>

using namespace poinsot;

namespace {

Bounds random_box(Dice& dice, double place, double size)
{
    const Vec3<double> r = dice.vec(place);
    return {r, r + Vec3<double>{dice.in(0, size), dice.in(0, size), dice.in(0, size)}};
}

std::vector<BoundsTree::Pair> brute_force(const BoundsTree& tree, int items)
{
    std::vector<BoundsTree::Pair> found;
    for (int i = 0; i < items; ++i)
        for (int j = i + 1; j < items; ++j)
            if (tree.has(i) && tree.has(j) && overlap(tree.box_of(i), tree.box_of(j)))
                found.push_back({i, j});
    return found;
}

} // namespace

TEST_CASE("Tree of boxes: its answers are those of comparing all, whatever happened before")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const int items = dice.whole(1, 150);
        const double place = dice.in(0.5, 20), size = dice.in(0, 3);
        BoundsTree tree(dice.whole(0, 1) ? 0.1 : 0.0);
        std::vector<BoundsTree::Pair> pairs;
        for (int step = 0; step < 8; ++step) {
            for (int i = 0; i < items; ++i) {
                const int what = dice.whole(0, 9);
                if (what == 0)
                    tree.remove(i);
                else if (what < 4 || !tree.has(i))
                    tree.set(i, random_box(dice, place, size));
                else { // a small move
                    Bounds box = tree.box_of(i);
                    const Vec3<double> d = dice.vec(0.1 * size);
                    tree.set(i, {box.lo + d, box.hi + d});
                }
            }
            RC_ASSERT(tree.sound());
            tree.pairs(pairs);
            RC_ASSERT(pairs == brute_force(tree, items));

            const Bounds asked = random_box(dice, place, 2 * size);
            std::set<int> seen, truth;
            tree.each_overlap(asked, [&](int i) { return seen.insert(i).second; });
            for (int i = 0; i < items; ++i)
                if (tree.has(i) && overlap(tree.box_of(i), asked))
                    truth.insert(i);
            RC_ASSERT(seen == truth);

            const Vec3<double> from = dice.vec(place), d = dice.unit();
            const double until = dice.in(0, 2 * place);
            seen.clear();
            truth.clear();
            tree.each_on_line(from, d, until, zero3<double>(), [&](int i) { seen.insert(i); });
            for (int i = 0; i < items; ++i)
                if (tree.has(i) && BoundsTree::line_meets(tree.box_of(i), from, d, until))
                    truth.insert(i);
            RC_ASSERT(seen == truth);

            double least = 1e300, best = 1e300;
            tree.each_nearer(asked, least, [&](int i) {
                least = std::min(least, distance_between(tree.box_of(i), asked));
            });
            for (int i = 0; i < items; ++i)
                if (tree.has(i))
                    best = std::min(best, distance_between(tree.box_of(i), asked));
            RC_ASSERT(least == best);
        }
    }));
}

TEST_CASE("Tree of boxes: never deeper than 3.6 log n, also for a row, a nest and one place")
{
    const int items = 4096;
    for (int kind = 0; kind < 4; ++kind) {
        BoundsTree tree;
        for (int i = 0; i < items; ++i) {
            const double x = i;
            Bounds box{{x, 0, 0}, {x + 0.5, 1, 1}}; // a row
            if (kind == 1)
                box = {{-x, -x, -x}, {x, x, x}}; // a nest
            if (kind == 2)
                box = {{1, 2, 3}, {1, 2, 3}}; // one place, of no size
            if (kind == 3)
                box = {{std::ldexp(1.0, i % 1000), 0, 0}, {std::ldexp(1.5, i % 1000), 1, 1}};
            tree.set(i, box);
        }
        CHECK(tree.sound());
        CHECK(tree.height() <= static_cast<int>(3.6 * std::log2(items)));
        tree.rebuild();
        CHECK(tree.sound());
        CHECK(tree.height() == 13);
    }
}

TEST_CASE("Tree of boxes: a thousand boxes in one place are all pairs, and end")
{
    BoundsTree tree;
    for (int i = 0; i < 1000; ++i)
        tree.set(i, {{0, 0, 0}, {1, 1, 1}});
    std::vector<BoundsTree::Pair> pairs;
    tree.pairs(pairs);
    CHECK(pairs.size() == 499500);
    for (int i = 0; i < 1000; ++i)
        tree.remove(i);
    CHECK(tree.count() == 0);
    CHECK(tree.height() == 0);
    tree.pairs(pairs);
    CHECK(pairs.empty());
}

TEST_CASE("Tree of boxes: a small move leaves the tree as it is")
{
    BoundsTree tree;
    Dice dice(2);
    for (int i = 0; i < 100; ++i)
        tree.set(i, random_box(dice, 10, 1));
    const int height = tree.height();
    Bounds box = tree.box_of(7);
    box.lo.x += 1e-3;
    box.hi.x += 1e-3;
    tree.set(7, box);
    CHECK(tree.height() == height);
    CHECK(tree.box_of(7).lo == box.lo);
}
