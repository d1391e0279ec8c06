// SPDX-License-Identifier: MIT
#pragma once

// Surfaces that rest on each other while a step is taken: at every evaluation the problem of
// solve/rest.hpp is solved for them and the joints together, so that any integrator sees forces.
//
// Coordinates that stand at their stops are part of it, each as a contact without friction: the
// world's `standing` says which.
//
// The contacts are those that were found when the part of the step began. Where a surface is curved
// their points wander: at every place they are looked for anew, the nearest of the same parts.

#include "poinsot/integrate/joint_system.hpp"
#include "poinsot/solve/rest.hpp"
#include "poinsot/step/surfaces.hpp"

namespace poinsot {

/// How a contact rests.
struct Rest {
    /// Tangential, torsional and rolling: world axes.
    struct Slip {
        bool slides = false;
        Vec3<double> direction = zero3<double>(); // to begin with; then that of the slip itself
        double noise = 0;                         // a slip below this has no direction of its own
    };
    Manifold at = {};  // when the part began
    Manifold now = {}; // at the last evaluation
    ContactLaw law = {};
    std::array<Slip, 3> slips{};

    // Of the last evaluation.
    int index = -1;                 // in the rows; −1: its surfaces are apart
    double normal = 0, torsion = 0; // N, N m on b
    Vec3<double> friction = zero3<double>(), rolling = zero3<double>();
    double until_open = 0;                  // see solve/rest.hpp
    std::array<double, 3> until_slip{};     // of groups that stand
    std::array<Vec3<double>, 3> slip{};     // speeds of the groups
    std::array<Vec3<double>, 3> slip_dot{}; // and how they change
    double opening = 0;                     // acceleration of the gap
};

/// What a coordinate that stands at its stop did at the last evaluation.
struct RestAtStop {
    double push = 0, opening = 0; // f, a
    double until_open = 0;        // see solve/rest.hpp
    double W = 0;                 // how readily the coordinate gives way
};

class Rests : public Holding {
  public:
    Rests(const Model& model, Surfaces& surfaces) : model_(model), surfaces_(surfaces) {}

    std::vector<Rest> all;
    std::vector<RestAtStop> at_stops; // in the order of the world's `standing`
    double tolerance = 1e-10;
    StopFlag stop = nullptr;

    void reply(System& system, double t) override;
    void reply(JointSystem& system, std::span<const double> v, double t,
               std::span<double> v_dot) override;

    /// How the worst of all evaluations since `begin` ended, and the largest residual.
    RestAnswer::End worst() const { return worst_; }
    double residual() const { return residual_; }
    /// The normal row of what rests, at the last evaluation: how readily it gives way.
    double W_of(const Rest& rest) const
    {
        const int row = touch_[static_cast<std::size_t>(rest.index)].first;
        return W_(row, row);
    }
    /// A step begins: nothing but the state may say how it goes.
    void forget() { joint_start_.clear(); }
    void begin()
    {
        worst_ = RestAnswer::End::solved;
        residual_ = 0;
    }

  private:
    void find(const Placed& placed);
    void bind(const Placed& placed, std::size_t stops);
    void solve();
    void keep();

    const Model& model_;
    Surfaces& surfaces_;
    std::vector<std::pair<int, int>> pairs_;
    std::vector<Manifold> found_, points_;
    Rows rows_;
    std::vector<TouchRows> touch_;
    std::vector<RestingContact> contacts_;
    std::vector<MovingMass> masses_;
    std::vector<Wrench<double>> unbound_;
    std::vector<double> joint_start_;
    JointRows linkage_;
    Eigen::MatrixXd W_;
    Eigen::VectorXd b_, start_;
    RestAnswer answer_;
    RestAnswer::End worst_ = RestAnswer::End::solved;
    double residual_ = 0;
};

} // namespace poinsot
