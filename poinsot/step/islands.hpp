// SPDX-License-Identifier: MIT
#pragma once

// Bodies that joints and contacts connect are solved together; others apart. What touches the world
// alone is not connected by it.

#include "poinsot/contacts/contact_row.hpp"
#include "poinsot/solve/contact_problem.hpp"
#include "poinsot/step/drives.hpp"

namespace poinsot {

/// What is asked of a limit of a joint that is reached, or that may be in a step.
struct StopLaw {
    double restitution = 0;
    double by_loads = 0; // how much loads may change its speed in a step
    double ahead = 0;    // gap/h of one that may be; 0: it is reached
    bool left_out = false;
};

/// Rows that share bodies, with their laws; vectors of the problem are for the caller to fill.
struct Island {
    Rows rows;
    std::vector<int> row;            // of all rows, for each of these
    std::vector<double> restitution; // per block of the problem
    std::vector<double> ahead;       // and gap/h of a contact that is open, else 0
    ContactProblem problem;
    std::vector<std::pair<int, int>> drives; // a row of it, and which drive that is
    Eigen::VectorXd before, start;

    /// Is there a contact, or a limit, in it?
    bool touches() const
    {
        for (const ContactBlock& block : problem.blocks)
            if (block.law == ContactBlock::Law::contact)
                return true;
        return false;
    }
};

/// All rows with their laws, in groups that share no body; where joints are coordinates, in groups
/// that share no tree. `points` are the contacts among the rows and `stops` the limits, in their
/// order; those that are left out are in no island. `drives` are what drives coordinates; the law
/// of these is that of what their guess leaves. Islands keep their memory; `used` says how many
/// there are.
void divide(const Model& model, const Rows& rows, std::span<const TouchRows> points,
            std::span<const StopLaw> stops, std::span<const Drive> drives, std::size_t bodies,
            bool by_trees, std::vector<Island>& islands, std::size_t& used);

} // namespace poinsot
