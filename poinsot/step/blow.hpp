// SPDX-License-Identifier: MIT
#pragma once

// Impulses at a frozen place: the rows of the joints, of stops and of points of touch, in this
// order, what a push along each does to all, in either coordinates, and the books of it.
//
//     V⁺ − V⁻ = M⁻¹ Jᵀ r,    W = J M⁻¹ Jᵀ,    work of r: r · (u⁻ + u⁺)/2

#include "poinsot/contacts/contact_row.hpp"
#include "poinsot/integrate/joint_system.hpp"
#include "poinsot/solve/contact_problem.hpp"
#include "poinsot/step/smooth.hpp"

namespace poinsot {

class Blow {
  public:
    explicit Blow(const Model& model) : model_(model) {}

    /// At the place of y, which is that of w.system; the motion is that of y.
    void bind(const State& y, double t, std::span<const Stop> stops,
              std::span<const Manifold> points, bool reduced, Workspace& w);

    const Rows& rows() const { return rows_; }
    Rows& rows() { return rows_; }
    const Eigen::MatrixXd& W() const { return W_; }
    std::span<const TouchRows> points() const { return points_; }
    /// Rows of joints come first, then one of each stop.
    int joint_rows() const { return joint_rows_; }
    int stop_row(std::size_t stop) const { return joint_rows_ + static_cast<int>(stop); }
    /// u of a row, and the size of the terms that make it.
    double speed(int row) const { return rows_.rows[static_cast<std::size_t>(row)].g_dot; }
    double terms(int row) const { return terms_[static_cast<std::size_t>(row)]; }

    /// Pushes y and the bodies of w.system by r. Of a normal row, `restored` is what throws back.
    /// Rows change their speeds.
    void push(State& y, const Eigen::VectorXd& r, const Eigen::VectorXd& restored, Workspace& w,
              Postings& postings);
    /// The same, all under one cause.
    void push(State& y, const Eigen::VectorXd& r, Cause cause, Workspace& w, Postings& postings);
    /// Moves y by M⁻¹ Jᵀ r. Momenta stay, in joint coordinates speeds.
    void displace(State& y, const Eigen::VectorXd& r, Cause cause, Workspace& w,
                  Postings& postings);

    /// The least r, measured by the inertias, with W r = b for some rows and r = 0 for the others.
    Eigen::VectorXd least(const std::vector<int>& rows, const Eigen::VectorXd& b) const;

  private:
    void take(State& y, const Eigen::VectorXd& r, Workspace& w, Postings& postings);
    void measure(const Placed& placed);

    const Model& model_;
    bool reduced_ = false;
    Rows rows_;
    std::vector<TouchRows> points_;
    std::vector<double> terms_;
    int joint_rows_ = 0;
    std::vector<MovingMass> masses_;
    JointRows linkage_;
    Eigen::MatrixXd W_;
    std::vector<double> v_after_, v_change_, rest_;
    std::vector<PlacedBody> before_;
    std::vector<Twist<double>> change_;
};

} // namespace poinsot
