// SPDX-License-Identifier: MIT
#pragma once

// Which boxes overlap: a tree of boxes that survives from step to step.
//
// Leaves hold a box that is a little larger than asked for, so that an item that moves a little
// costs nothing. One that leaves its box takes the boxes above it along; one that jumps is taken
// out and put in again where the surface grows least. Motion mixes items that were neighbours once,
// and the boxes above them grow into each other: finding all pairs counts its own work, and when
// that is half as much again as it was after the tree was last built, it is built anew, by halves
// along the longest side, in the order in which it is read. (Rotations that keep every sibling as
// high as the other, as in AVL trees, were tried instead: in a crowd of 10⁵ they join what is far
// apart, and pairs took ten times as long.)
//
// Siblings whose heights differ by more than eight are turned until they do not: the tree is never
// deeper than 3.6 log₂ n, whatever is put in, a thousand boxes in one place included.
//
// What the tree looks like depends on the past; what it answers does not: leaves are asked for
// their exact box, and pairs come in ascending order. Cost: O(log n) to move an item, O(n log n +
// pairs) for all pairs of items of like size.

#include "poinsot/base/check.hpp"
#include "poinsot/geometry/surface_mesh.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace poinsot {

inline bool overlap(const Bounds& a, const Bounds& b)
{
    return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y &&
           a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}
inline bool holds(const Bounds& outer, const Bounds& inner)
{
    return outer.lo.x <= inner.lo.x && inner.hi.x <= outer.hi.x && outer.lo.y <= inner.lo.y &&
           inner.hi.y <= outer.hi.y && outer.lo.z <= inner.lo.z && inner.hi.z <= outer.hi.z;
}
inline Bounds joined(const Bounds& a, const Bounds& b)
{
    return {{min(a.lo.x, b.lo.x), min(a.lo.y, b.lo.y), min(a.lo.z, b.lo.z)},
            {max(a.hi.x, b.hi.x), max(a.hi.y, b.hi.y), max(a.hi.z, b.hi.z)}};
}
inline Bounds grown(const Bounds& a, double by)
{
    const Vec3<double> d{by, by, by};
    return {a.lo - d, a.hi + d};
}
/// Half the surface of the box: the chance that a plane or a line through something meets it.
inline double half_surface(const Bounds& a)
{
    const Vec3<double> s = a.hi - a.lo;
    return s.x * s.y + s.y * s.z + s.z * s.x;
}
/// The distance between two boxes; zero where they overlap.
inline double distance_between(const Bounds& a, const Bounds& b)
{
    return norm(Vec3<double>{max(0.0, max(a.lo.x - b.hi.x, b.lo.x - a.hi.x)),
                             max(0.0, max(a.lo.y - b.hi.y, b.lo.y - a.hi.y)),
                             max(0.0, max(a.lo.z - b.hi.z, b.lo.z - a.hi.z))});
}

class BoundsTree {
  public:
    using Pair = std::pair<int, int>; // the lesser first

    /// Boxes of leaves are larger than asked for by this share of their size on each side.
    explicit BoundsTree(double slack = 0.1) : slack_(slack) {}

    /// Puts the item in, or moves it. Numbers from 0 on; the box must be finite and not inside out.
    void set(int item, const Bounds& box);
    void remove(int item);
    bool has(int item) const
    {
        return item >= 0 && static_cast<std::size_t>(item) < leaf_of_.size() &&
               leaf_of_[static_cast<std::size_t>(item)] >= 0;
    }
    const Bounds& box_of(int item) const;
    int count() const { return count_; }
    int height() const { return root_ < 0 ? 0 : nodes_[at(root_)].height + 1; }

    /// Builds the tree anew from the items it has: O(n log n). `pairs` does so by itself.
    void rebuild();

    /// All pairs of items whose boxes overlap or touch, in ascending order.
    void pairs(std::vector<Pair>& found);

    /// Calls visit(item) for every item whose box overlaps or touches this one. `visit` returns
    /// false to end.
    template <class Visit>
    void each_overlap(const Bounds& box, Visit&& visit) const
    {
        Stack stack;
        stack.push(root_);
        while (!stack.empty()) {
            const int n = stack.pop();
            if (n < 0)
                continue;
            const Node& node = nodes_[at(n)];
            if (!overlap(node.box, box))
                continue;
            if (node.item >= 0) {
                if (overlap(exact_[at(node.item)], box) && !visit(node.item))
                    return;
            } else {
                stack.push(node.child[1]);
                stack.push(node.child[0]);
            }
        }
    }

    /// Calls visit(item) for items no farther from the box than `limit`, which visit may lower, the
    /// nearer side of each fork first.
    template <class Visit>
    void each_nearer(const Bounds& box, const double& limit, Visit&& visit) const
    {
        Stack stack;
        stack.push(root_);
        while (!stack.empty()) {
            const int n = stack.pop();
            if (n < 0)
                continue;
            const Node& node = nodes_[at(n)];
            if (distance_between(node.item >= 0 ? exact_[at(node.item)] : node.box, box) > limit)
                continue;
            if (node.item >= 0) {
                visit(node.item);
            } else {
                const double d0 = distance_between(nodes_[at(node.child[0])].box, box);
                const double d1 = distance_between(nodes_[at(node.child[1])].box, box);
                stack.push(node.child[d0 <= d1 ? 1 : 0]);
                stack.push(node.child[d0 <= d1 ? 0 : 1]);
            }
        }
    }

    /// Calls visit(item) for items whose box, grown by `margin`, the line from `from` along d meets
    /// before `until` times d. `visit` may lower `until`.
    template <class Visit>
    void each_on_line(const Vec3<double>& from, const Vec3<double>& d, const double& until,
                      const Vec3<double>& margin, Visit&& visit) const
    {
        Stack stack;
        stack.push(root_);
        while (!stack.empty()) {
            const int n = stack.pop();
            if (n < 0)
                continue;
            const Node& node = nodes_[at(n)];
            const Bounds& box = node.item >= 0 ? exact_[at(node.item)] : node.box;
            if (!line_meets({box.lo - margin, box.hi + margin}, from, d, until))
                continue;
            if (node.item >= 0) {
                visit(node.item);
            } else {
                stack.push(node.child[1]);
                stack.push(node.child[0]);
            }
        }
    }

    /// Whether the line meets the box between 0 and until, rounded towards yes.
    static bool line_meets(const Bounds& box, const Vec3<double>& from, const Vec3<double>& d,
                           double until);

    /// For tests: every promise the tree makes about its shape.
    bool sound() const;

  private:
    struct Node {
        Bounds box;
        int parent, child[2], item, height;
    };
    // Deep enough for 2³¹ items: 3.6 · 31 levels, one sibling waiting on each.
    class Stack {
      public:
        void push(int n) { at_[size_++] = n; }
        int pop() { return at_[--size_]; }
        bool empty() const { return size_ == 0; }

      private:
        std::array<int, 128> at_;
        std::size_t size_ = 0;
    };

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    int take_node();
    void insert_leaf(int leaf);
    void remove_leaf(int leaf);
    void mend_upwards(int node);
    void widen_upwards(int node);
    int balanced(int node);
    void refresh(int node);
    int build(int* first, int* last, int parent);

    double slack_;
    int root_ = -1, free_ = -1, count_ = 0;
    double usual_work_ = 0; // of pairs per item and pair found, when the tree was new
    bool mixed_ = false;    // it has become half as much again
    std::vector<Node> nodes_, old_nodes_;
    std::vector<int> order_;    // scratch of rebuild
    std::vector<int> leaf_of_;  // of item
    std::vector<Bounds> exact_; // of item
    std::vector<Pair> waiting_; // scratch of pairs
};

} // namespace poinsot
