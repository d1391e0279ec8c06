// SPDX-License-Identifier: MIT
#include "poinsot/step/islands.hpp"

#include <algorithm>
#include <numeric>

namespace poinsot {

namespace {

std::size_t place_of(int i)
{
    return static_cast<std::size_t>(i);
}

/// Which bodies hang together: each points to another of its group, at last to the lowest.
class Groups {
  public:
    explicit Groups(std::size_t count) : next_(count) { std::iota(next_.begin(), next_.end(), 0); }
    int root(int i)
    {
        while (next_[place_of(i)] != i)
            i = next_[place_of(i)] = next_[place_of(next_[place_of(i)])];
        return i;
    }
    void join(int a, int b)
    {
        a = root(a);
        b = root(b);
        next_[place_of(std::max(a, b))] = std::min(a, b);
    }

  private:
    std::vector<int> next_;
};

} // namespace

void divide(const Model& model, const Rows& rows, std::span<const TouchRows> points,
            std::span<const StopLaw> stops, std::span<const Drive> drives, std::size_t bodies,
            bool by_trees, std::vector<Island>& islands, std::size_t& used)
{
    Groups groups(bodies);
    if (by_trees) // a push on one body of a tree moves all of them
        for (const Joint& joint : model.joints())
            if (joint.a != world && joint.b != world)
                groups.join(joint.a, joint.b);
    // What is left out connects nothing, and its blocks are nowhere.
    std::size_t point = 0, limit = 0, drive = 0;
    std::vector<bool> left_out;
    for (const Block& block : rows.blocks) {
        bool out = block.cause == Cause::contact_normal && points[point++].left_out;
        out = out || (block.origin == Block::Origin::limit && stops[limit++].left_out);
        out = out || (block.cause == Cause::contact_friction && left_out.back());
        left_out.push_back(out);
        for (int i = 1; !out && i < block.bodies; ++i)
            groups.join(block.body[0], block.body[place_of(i)]);
    }
    point = limit = 0;
    std::vector<int> island_of(bodies, -1);
    used = 0;
    for (std::size_t k = 0; k < rows.blocks.size(); ++k) {
        const Block& block = rows.blocks[k];
        if (left_out[k]) {
            point += block.cause == Cause::contact_normal;
            limit += block.origin == Block::Origin::limit;
            continue;
        }
        int& number = island_of[place_of(groups.root(block.body[0]))];
        if (number < 0) {
            number = static_cast<int>(used++);
            if (islands.size() < used)
                islands.emplace_back();
            Island& fresh = islands[place_of(number)];
            fresh.rows.clear();
            fresh.row.clear();
            fresh.restitution.clear();
            fresh.ahead.clear();
            fresh.problem.blocks.clear();
            fresh.drives.clear();
        }
        Island& island = islands[place_of(number)];
        const int first = island.rows.count();
        double ahead = 0;
        if (block.origin == Block::Origin::motor || block.origin == Block::Origin::friction) {
            const Drive& own = drives[drive];
            island.problem.blocks.push_back(
                bounded_row(first, own.lower - own.guess, own.upper - own.guess));
            island.restitution.push_back(0);
            island.drives.emplace_back(first, static_cast<int>(drive++));
        } else if (block.origin == Block::Origin::limit) {
            const StopLaw& stop = stops[limit++];
            island.problem.blocks.push_back(contact_rows(first, 0, 0));
            island.restitution.push_back(stop.restitution);
            ahead = stop.ahead;
        } else if (block.origin != Block::Origin::contact) {
            island.problem.blocks.push_back(free_rows(first, block.rows));
            island.restitution.push_back(0);
        } else if (block.cause == Cause::contact_normal) {
            const TouchRows& touch = points[point++];
            ContactBlock made = contact_rows(first, touch.law.friction, touch.tangents);
            made.rows = touch.rows();
            made.twists = touch.twists;
            made.twist = touch.law.torsion;
            made.rolls = touch.rolls;
            made.roll = touch.law.rolling;
            island.problem.blocks.push_back(made);
            island.restitution.push_back(touch.law.restitution);
            ahead = touch.ahead;
        }
        if (island.problem.blocks.size() > island.ahead.size())
            island.ahead.push_back(ahead);
        Block copy = block;
        copy.first_row = first;
        copy.first_J = static_cast<int>(island.rows.J.size());
        island.rows.blocks.push_back(copy);
        for (int r = 0; r < block.rows; ++r) {
            island.rows.rows.push_back(rows.row(block, r));
            island.row.push_back(block.first_row + r);
            for (int i = 0; i < block.bodies; ++i)
                island.rows.J.push_back(rows.J_of(block, r, i));
        }
    }
}

} // namespace poinsot
