// SPDX-License-Identifier: MIT
#pragma once

// What binds it, and how do the bonds reply? The joints of a model, bound and solved at one moment
// after another in the same scratch.

#include "poinsot/constraints/stabilise.hpp"
#include "poinsot/solve/tree_direct.hpp"

namespace poinsot {

template <class Solver>
class BondsWith {
  public:
    Rows rows;
    std::vector<double> b;
    Answer answer;
    Answer pull; // the share of Baumgarte's pull
    Solver solver;

    /// Binds the joints at time t, and the stops at which coordinates stand, and adds their
    /// reactions to the loads, after all else that acts.
    void reply(const Model& model, const Placed& placed, double t,
               const std::optional<Baumgarte>& stabilised, Loads& loads,
               std::span<const Stop> standing = {})
    {
        bind_joints(model, placed, t, rows, standing);
        masses_of(placed, masses_);
        unbound_forces(placed, loads.total, f_);
        b.resize(rows.rows.size());
        for (std::size_t r = 0; r < b.size(); ++r)
            b[r] = -rows.rows[r].gamma;
        solver.factorise(rows, masses_);
        solver.solve(f_, b, answer);
        add_reactions(rows, answer.lambda, loads);
        if (!stabilised)
            return;
        baumgarte_pull(rows, *stabilised, b);
        clear_forces(placed);
        solver.solve(f_, b, pull);
        add_reactions(rows, pull.lambda, Cause::stabilisation, loads);
    }
    /// Which rows repeat others, where the bodies are? Decided for all replies to come.
    void decide(const Model& model, const Placed& placed, double t, double tolerance,
                std::span<const Stop> standing)
    {
        bind_joints(model, placed, t, rows, standing);
        masses_of(placed, masses_);
        solver.decide(rows, masses_, tolerance);
    }
    /// Lets every reply decide for itself again; true if anything was decided.
    bool decide_anew()
    {
        if constexpr (requires { solver.forget(); })
            return solver.forget();
        else
            return false;
    }
    /// The answer to b alone, for rows that are bound already.
    void reply_to_lack(const Placed& placed)
    {
        masses_of(placed, masses_);
        solver.factorise(rows, masses_);
        reply_again(placed);
    }
    /// The answer to another b, where rows and places are those of the last reply.
    void reply_again(const Placed& placed)
    {
        clear_forces(placed);
        solver.solve(f_, b, answer);
    }

  private:
    void clear_forces(const Placed& placed)
    {
        f_.assign(placed.bodies.size(), {zero3<double>(), zero3<double>()});
    }
    std::vector<MovingMass> masses_;
    std::vector<Wrench<double>> f_;
};

using Bonds = BondsWith<TreeDirect>;

} // namespace poinsot
