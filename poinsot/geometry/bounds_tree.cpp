// SPDX-License-Identifier: MIT
#include "poinsot/geometry/bounds_tree.hpp"

#include <algorithm>

namespace poinsot {

const Bounds& BoundsTree::box_of(int item) const
{
    check(has(item), "box_of an item that is in the tree");
    return exact_[at(item)];
}

int BoundsTree::take_node()
{
    if (free_ < 0) {
        nodes_.push_back({});
        return static_cast<int>(nodes_.size()) - 1;
    }
    const int n = free_;
    free_ = nodes_[at(n)].parent;
    return n;
}

void BoundsTree::set(int item, const Bounds& box)
{
    check(item >= 0, "items of a tree of boxes are numbered from 0");
    check(finite(box.lo) && finite(box.hi) && box.lo.x <= box.hi.x && box.lo.y <= box.hi.y &&
              box.lo.z <= box.hi.z,
          "a box of a tree is finite and not inside out");
    if (at(item) >= leaf_of_.size()) {
        leaf_of_.resize(at(item) + 1, -1);
        exact_.resize(at(item) + 1);
    }
    exact_[at(item)] = box;
    const Vec3<double> s = box.size();
    const double more = slack_ * max(s.x, max(s.y, s.z));
    int leaf = leaf_of_[at(item)];
    if (leaf >= 0) {
        // It stays if it still fits, and if the leaf is not far too large for it.
        const Bounds& now = nodes_[at(leaf)].box;
        if (holds(now, box) && holds(grown(box, 4 * more), now))
            return;
        if (overlap(now, box)) {
            nodes_[at(leaf)].box = grown(box, more);
            widen_upwards(nodes_[at(leaf)].parent);
            return;
        }
        remove_leaf(leaf);
    } else {
        leaf = take_node();
        leaf_of_[at(item)] = leaf;
        ++count_;
    }
    nodes_[at(leaf)] = {grown(box, more), -1, {-1, -1}, item, 0};
    insert_leaf(leaf);
}

void BoundsTree::remove(int item)
{
    if (!has(item))
        return;
    const int leaf = leaf_of_[at(item)];
    remove_leaf(leaf);
    nodes_[at(leaf)].parent = free_;
    free_ = leaf;
    leaf_of_[at(item)] = -1;
    --count_;
}

void BoundsTree::insert_leaf(int leaf)
{
    if (root_ < 0) {
        root_ = leaf;
        nodes_[at(leaf)].parent = -1;
        return;
    }
    // Down the side whose surface, and that of all above it, grows least.
    const Bounds box = nodes_[at(leaf)].box;
    int sibling = root_;
    while (nodes_[at(sibling)].item < 0) {
        const Node& node = nodes_[at(sibling)];
        const double here = half_surface(node.box), with = half_surface(joined(node.box, box));
        const double stay = 2 * with, inherited = 2 * (with - here);
        double cost[2];
        for (int k = 0; k < 2; ++k) {
            const Node& child = nodes_[at(node.child[k])];
            const double grows = half_surface(joined(child.box, box));
            cost[k] = inherited + (child.item >= 0 ? grows : grows - half_surface(child.box));
        }
        if (stay < cost[0] && stay < cost[1])
            break;
        // Boxes in one place cost the same on both sides: the lower side takes it.
        const bool lower = nodes_[at(node.child[0])].height <= nodes_[at(node.child[1])].height;
        sibling = node.child[cost[0] < cost[1] || (cost[0] == cost[1] && lower) ? 0 : 1];
    }
    const int parent = take_node(), above = nodes_[at(sibling)].parent;
    nodes_[at(parent)] = {{}, above, {sibling, leaf}, -1, 0};
    nodes_[at(sibling)].parent = parent;
    nodes_[at(leaf)].parent = parent;
    if (above < 0)
        root_ = parent;
    else
        nodes_[at(above)].child[nodes_[at(above)].child[0] == sibling ? 0 : 1] = parent;
    mend_upwards(parent);
}

void BoundsTree::remove_leaf(int leaf)
{
    const int parent = nodes_[at(leaf)].parent;
    if (parent < 0) {
        root_ = -1;
        return;
    }
    const Node& p = nodes_[at(parent)];
    const int sibling = p.child[p.child[0] == leaf ? 1 : 0], above = p.parent;
    nodes_[at(sibling)].parent = above;
    if (above < 0)
        root_ = sibling;
    else
        nodes_[at(above)].child[nodes_[at(above)].child[0] == parent ? 0 : 1] = sibling;
    nodes_[at(parent)].parent = free_;
    free_ = parent;
    mend_upwards(above);
}

void BoundsTree::refresh(int node)
{
    Node& n = nodes_[at(node)];
    const Node &a = nodes_[at(n.child[0])], &b = nodes_[at(n.child[1])];
    n.height = 1 + std::max(a.height, b.height);
    n.box = joined(a.box, b.box);
}

void BoundsTree::mend_upwards(int node)
{
    while (node >= 0) {
        refresh(node);
        node = balanced(node);
        node = nodes_[at(node)].parent;
    }
}

// Boxes above a leaf that has moved, up to the first that stays as it is.
void BoundsTree::widen_upwards(int node)
{
    for (; node >= 0; node = nodes_[at(node)].parent) {
        Node& n = nodes_[at(node)];
        const Bounds box = joined(nodes_[at(n.child[0])].box, nodes_[at(n.child[1])].box);
        if (box.lo == n.box.lo && box.hi == n.box.hi)
            return;
        n.box = box;
    }
}

// If one child is higher than the other by more than the lean allowed, it takes the place of the
// node, which becomes its child and takes over the lower of its two: a join of trees of heights h
// and H, as AVL trees have it with a lean of one. Siblings have no order here, so one kind of turn
// is enough; the node that went down is seen to in the same way, at most H − h deep, and then the
// one that rose is in balance. The fewest items N(h) of height h obey N(h) = N(h − 1) + N(h − 9),
// which grows by 1.213 a level: h ≤ 3.6 log₂ n.
constexpr int lean_allowed = 8;

int BoundsTree::balanced(int node)
{
    Node& top = nodes_[at(node)];
    const int lean = nodes_[at(top.child[1])].height - nodes_[at(top.child[0])].height;
    if (lean >= -lean_allowed && lean <= lean_allowed)
        return node;
    const int side = lean > 0 ? 1 : 0, rising = top.child[side];
    Node& up = nodes_[at(rising)];
    // The higher grandchild stays with the one that rises; of two as high, the one that leaves less
    // surface below.
    const int h0 = nodes_[at(up.child[0])].height, h1 = nodes_[at(up.child[1])].height;
    const Bounds& other = nodes_[at(top.child[1 - side])].box;
    bool keep_first = h0 > h1;
    if (h0 == h1)
        keep_first = half_surface(joined(other, nodes_[at(up.child[1])].box)) <
                     half_surface(joined(other, nodes_[at(up.child[0])].box));
    const int stays = up.child[keep_first ? 0 : 1], moves = up.child[keep_first ? 1 : 0];

    up.parent = top.parent;
    if (top.parent < 0)
        root_ = rising;
    else
        nodes_[at(top.parent)].child[nodes_[at(top.parent)].child[0] == node ? 0 : 1] = rising;
    top.parent = rising;
    top.child[side] = moves;
    nodes_[at(moves)].parent = node;
    up.child[0] = node;
    up.child[1] = stays;
    refresh(node);
    balanced(node);
    refresh(rising);
    return rising;
}

// The items [first, last) as a tree: halves by the middles of their boxes along the side in which
// those spread most. Equal ones keep the order of their numbers.
int BoundsTree::build(int* first, int* last, int parent)
{
    const int node = static_cast<int>(nodes_.size());
    if (last - first == 1) {
        const int leaf = leaf_of_[at(*first)];
        nodes_.push_back(old_nodes_[at(leaf)]);
        nodes_.back().parent = parent;
        leaf_of_[at(*first)] = node;
        return node;
    }
    const auto middle = [&](int item) { return exact_[at(item)].lo + exact_[at(item)].hi; };
    Bounds spread{middle(*first), middle(*first)};
    for (const int* i = first; i != last; ++i)
        spread.include(middle(*i));
    const Vec3<double> s = spread.size();
    double Vec3<double>::*const axis = s.x >= s.y && s.x >= s.z ? &Vec3<double>::x
                                       : s.y >= s.z             ? &Vec3<double>::y
                                                                : &Vec3<double>::z;
    int* const half = first + (last - first) / 2;
    std::nth_element(first, half, last, [&](int a, int b) {
        const double m = exact_[at(a)].lo.*axis + exact_[at(a)].hi.*axis,
                     n = exact_[at(b)].lo.*axis + exact_[at(b)].hi.*axis;
        return m < n || (m == n && a < b);
    });
    nodes_.push_back({{}, parent, {-1, -1}, -1, 0});
    const int left = build(first, half, node), right = build(half, last, node);
    nodes_[at(node)].child[0] = left;
    nodes_[at(node)].child[1] = right;
    refresh(node);
    return node;
}

void BoundsTree::rebuild()
{
    order_.clear();
    for (std::size_t item = 0; item < leaf_of_.size(); ++item)
        if (leaf_of_[item] >= 0)
            order_.push_back(static_cast<int>(item));
    std::swap(nodes_, old_nodes_);
    nodes_.clear();
    free_ = -1;
    root_ = order_.empty() ? -1 : build(order_.data(), order_.data() + order_.size(), -1);
    usual_work_ = 0;
    mixed_ = false;
}

void BoundsTree::pairs(std::vector<Pair>& found)
{
    found.clear();
    waiting_.clear();
    // A tree that grew item by item is mixed from the start.
    if (mixed_ || usual_work_ == 0)
        rebuild();
    double work = 0;
    if (root_ >= 0)
        waiting_.push_back({root_, root_});
    while (!waiting_.empty()) {
        const auto [a, b] = waiting_.back();
        waiting_.pop_back();
        work += 1;
        const Node &na = nodes_[at(a)], &nb = nodes_[at(b)];
        if (a == b) {
            if (na.item < 0) {
                waiting_.push_back({na.child[0], na.child[0]});
                waiting_.push_back({na.child[1], na.child[1]});
                waiting_.push_back({na.child[0], na.child[1]});
            }
            continue;
        }
        if (!overlap(na.box, nb.box))
            continue;
        if (na.item >= 0 && nb.item >= 0) {
            if (overlap(exact_[at(na.item)], exact_[at(nb.item)]))
                found.push_back(std::minmax(na.item, nb.item));
        } else if (nb.item >= 0 || (na.item < 0 && na.height >= nb.height)) {
            waiting_.push_back({na.child[0], b});
            waiting_.push_back({na.child[1], b});
        } else {
            waiting_.push_back({a, nb.child[0]});
            waiting_.push_back({a, nb.child[1]});
        }
    }
    work /= 1 + count_ + static_cast<double>(found.size());
    if (usual_work_ == 0)
        usual_work_ = work;
    mixed_ = work > 1.5 * usual_work_;
    std::sort(found.begin(), found.end());
}

bool BoundsTree::line_meets(const Bounds& box, const Vec3<double>& from, const Vec3<double>& d,
                            double until)
{
    double first = 0, last = until;
    const double o[] = {from.x, from.y, from.z}, v[] = {d.x, d.y, d.z};
    const double lo[] = {box.lo.x, box.lo.y, box.lo.z}, hi[] = {box.hi.x, box.hi.y, box.hi.z};
    for (std::size_t i = 0; i < 3; ++i) {
        if (v[i] == 0) {
            if (o[i] < lo[i] || o[i] > hi[i])
                return false;
            continue;
        }
        const double t0 = (lo[i] - o[i]) / v[i], t1 = (hi[i] - o[i]) / v[i];
        // two roundings each, of the difference and of the quotient
        first = max(first, min(t0, t1) * (1 - 4e-16) - 4e-16 * abs(min(t0, t1)));
        last = min(last, max(t0, t1) * (1 + 4e-16) + 4e-16 * abs(max(t0, t1)));
    }
    return first <= last;
}

bool BoundsTree::sound() const
{
    int leaves = 0;
    for (std::size_t item = 0; item < leaf_of_.size(); ++item) {
        const int leaf = leaf_of_[item];
        if (leaf < 0)
            continue;
        ++leaves;
        if (nodes_[at(leaf)].item != static_cast<int>(item) ||
            !holds(nodes_[at(leaf)].box, exact_[item]))
            return false;
        for (int n = leaf; nodes_[at(n)].parent >= 0; n = nodes_[at(n)].parent) {
            const Node& p = nodes_[at(nodes_[at(n)].parent)];
            if ((p.child[0] != n && p.child[1] != n) || !holds(p.box, nodes_[at(n)].box))
                return false;
            const int h0 = nodes_[at(p.child[0])].height, h1 = nodes_[at(p.child[1])].height;
            if (p.height != 1 + std::max(h0, h1) || h0 - h1 > lean_allowed ||
                h1 - h0 > lean_allowed)
                return false;
        }
    }
    return leaves == count_;
}

} // namespace poinsot
