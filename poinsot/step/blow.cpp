// SPDX-License-Identifier: MIT
#include "poinsot/step/blow.hpp"

#include "poinsot/integrate/joint_chart.hpp"
#include "poinsot/integrate/kick.hpp"
#include "poinsot/math/dense.hpp"
#include "poinsot/solve/unit_scale.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

std::size_t blow_at(int i)
{
    return static_cast<std::size_t>(i);
}

} // namespace

void Blow::bind(const State& y, double t, std::span<const Stop> stops,
                std::span<const Manifold> points, bool reduced, Workspace& w)
{
    System& system = w.system;
    reduced_ = reduced;
    system.joint_coordinates = y.joint_coordinates;
    if (reduced) {
        w.joints->place(y.joints.q, y.joints.v);
        bind_loops(model_, system.placed, t, rows_, stops);
    } else {
        place(model_, y, system.placed);
        bind_joints(model_, system.placed, t, rows_, stops);
    }
    joint_rows_ = rows_.count() - static_cast<int>(stops.size());
    bind_contacts(model_, system.placed, points, rows_, points_);
    if (reduced) {
        JointSystem& joints = *w.joints;
        factor_inertia<double>(joints.linkage, joints.inertias, joints.space);
        linkage_.assemble(joints.linkage, rows_, system.placed.bodies, joints.space);
        linkage_.part_unmoved(rows_, system.placed.bodies);
        const Eigen::Index n = rows_.count();
        W_.resize(n, n);
        for (Eigen::Index i = 0; i < n; ++i)
            for (Eigen::Index j = 0; j < n; ++j)
                W_(i, j) = linkage_.A()[static_cast<std::size_t>(i * n + j)];
    } else {
        masses_of(system.placed, masses_);
        ContactProblem all;
        all.rows = &rows_;
        all.masses = masses_;
        W_ = delassus_of(all);
    }
    measure(system.placed);
}

void Blow::measure(const Placed& placed)
{
    measure_speeds(placed, rows_);
    terms_.resize(rows_.rows.size());
    for (const Block& block : rows_.blocks)
        for (int k = 0; k < block.rows; ++k) {
            double sum = 0;
            for (int i = 0; i < block.bodies; ++i) {
                const Wrench<double>& J = rows_.J_of(block, k, i);
                const PlacedBody& body = placed.bodies[blow_at(block.body[blow_at(i)])];
                sum += norm(J.F) * norm(body.v) + norm(J.tau) * norm(body.omega);
            }
            terms_[blow_at(block.first_row + k)] = sum;
        }
}

// ---- a push -------------------------------------------------------------------------------------

void Blow::push(State& y, const Eigen::VectorXd& r, const Eigen::VectorXd& restored, Workspace& w,
                Postings& postings)
{
    Loads& loads = w.system.loads;
    loads.clear(w.system.placed.bodies.size());
    for (const Block& block : rows_.blocks) {
        const bool throws = block.cause == Cause::contact_normal && restored(block.first_row) != 0;
        for (int i = 0; i < block.bodies; ++i) {
            Wrench<double> held{zero3<double>(), zero3<double>()};
            for (int k = 0; k < block.rows; ++k) {
                const int row = block.first_row + k;
                held = held + (r(row) - (throws ? restored(row) : 0)) * rows_.J_of(block, k, i);
            }
            loads.add(block.body[blow_at(i)], block.cause, held);
            if (throws)
                loads.add(block.body[blow_at(i)], Cause::contact_restitution,
                          restored(block.first_row) * rows_.J_of(block, 0, i));
        }
    }
    take(y, r, w, postings);
}

void Blow::push(State& y, const Eigen::VectorXd& r, Cause cause, Workspace& w, Postings& postings)
{
    Loads& loads = w.system.loads;
    loads.clear(w.system.placed.bodies.size());
    add_reactions(rows_, {r.data(), static_cast<std::size_t>(r.size())}, cause, loads);
    take(y, r, w, postings);
}

/// The impulses are in the loads.
void Blow::take(State& y, const Eigen::VectorXd& r, Workspace& w, Postings& postings)
{
    System& system = w.system;
    auto& bodies = system.placed.bodies;
    before_ = bodies;
    if (reduced_) {
        JointSystem& joints = *w.joints;
        v_change_.assign(y.joints.v.size(), 0.0);
        linkage_.add_change({r.data(), static_cast<std::size_t>(r.size())}, v_change_);
        if (!postings.off()) { // of a linkage at rest the change is the acceleration
            rest_.assign(y.joints.v.size(), 0.0);
            joints.place(y.joints.q, rest_);
            joints.add_tree_reactions(rest_, v_change_);
        }
        for (std::size_t i = 0; i < v_change_.size(); ++i)
            y.joints.v[i] += v_change_[i];
        joints.place(y.joints.q, y.joints.v);
        follow_bodies(bodies, y);
    } else {
        std::visit(
            [&](auto& forms) {
                for (std::size_t i = 0; i < forms.size(); ++i) {
                    poinsot::push(forms[i], system.loads.total[i], bodies[i].mass);
                    bodies[i] = placed(forms[i], bodies[i].mass);
                }
            },
            y.bodies);
        place_joints(model_, y.joint_coordinates, system.placed);
    }
    if (!postings.off())
        for (const LoadPart& part : system.loads.parts) {
            const std::size_t i = blow_at(part.body);
            postings.post(part.body, part.cause, part.wrench, before_[i].x,
                          0.5 * (before_[i].twist() + bodies[i].twist()));
        }
    measure(system.placed);
}

// ---- a displacement -----------------------------------------------------------------------------

void Blow::displace(State& y, const Eigen::VectorXd& r, Cause cause, Workspace& w,
                    Postings& postings)
{
    System& system = w.system;
    auto& bodies = system.placed.bodies;
    before_ = bodies;
    const Stores stored = postings.off() ? Stores{} : stores_of(model_, system.placed);
    if (reduced_) {
        JointSystem& joints = *w.joints;
        v_change_.assign(y.joints.v.size(), 0.0);
        linkage_.add_change({r.data(), static_cast<std::size_t>(r.size())}, v_change_);
        poinsot::displace<double>(joints.linkage, y.joints.q, std::span<const double>(v_change_),
                                  y.joints.q);
        renormalise(joints.linkage, y.joints.q);
        joints.place(y.joints.q, y.joints.v);
        follow_bodies(bodies, y);
    } else {
        change_.assign(bodies.size(), {zero3<double>(), zero3<double>()});
        for (const Block& block : rows_.blocks)
            for (int k = 0; k < block.rows; ++k)
                for (int i = 0; i < block.bodies; ++i) {
                    const std::size_t body = blow_at(block.body[blow_at(i)]);
                    change_[body] =
                        change_[body] + masses_[body].inverse_times(r(block.first_row + k) *
                                                                    rows_.J_of(block, k, i));
                }
        std::visit(
            [&](auto& forms) {
                for (std::size_t i = 0; i < forms.size(); ++i) {
                    forms[i].x += change_[i].v;
                    forms[i].attitude = turned(forms[i].attitude, change_[i].omega);
                    bodies[i].x = forms[i].x;
                    bodies[i].R = matrix_of(forms[i].attitude);
                    set_motion(bodies[i], before_[i].p, before_[i].L);
                }
                keep_motion(bodies, forms);
            },
            y.bodies);
        place_joints(model_, y.joint_coordinates, system.placed);
    }
    if (postings.off())
        return;
    postings.shift_stores(stores_of(model_, system.placed) - stored);
    for (std::size_t i = 0; i < bodies.size(); ++i)
        postings.post(static_cast<int>(i), cause,
                      {bodies[i].p - before_[i].p, bodies[i].L - before_[i].L,
                       cross(bodies[i].x, bodies[i].p) - cross(before_[i].x, before_[i].p),
                       bodies[i].kinetic_energy() - before_[i].kinetic_energy()});
}

// ---- the least push -----------------------------------------------------------------------------

Eigen::VectorXd Blow::least(const std::vector<int>& rows, const Eigen::VectorXd& b) const
{
    // With d² ≈ 1/W_ii all rows are of one size: (d W d) (r/d) = d b.
    const auto n = static_cast<Eigen::Index>(rows.size());
    Eigen::MatrixXd A(n, n);
    Eigen::VectorXd scaled(n);
    const auto row = [&](Eigen::Index i) { return rows[static_cast<std::size_t>(i)]; };
    const auto scale = [&](Eigen::Index i) { return unit_scale(W_(row(i), row(i))); };
    for (Eigen::Index i = 0; i < n; ++i) {
        scaled(i) = scale(i) * b(row(i));
        for (Eigen::Index j = 0; j < n; ++j)
            A(i, j) = scale(i) * scale(j) * W_(row(i), row(j));
    }
    CompleteOrthogonal solver;
    solver.factorise(A, JointRows::rank_tolerance);
    const Eigen::VectorXd x = solver.solve(scaled);
    Eigen::VectorXd r = Eigen::VectorXd::Zero(W_.rows());
    for (Eigen::Index i = 0; i < n; ++i)
        r(row(i)) = scale(i) * x(i);
    return r;
}

} // namespace poinsot
