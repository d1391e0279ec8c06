// SPDX-License-Identifier: MIT
// What overlaps at the end of a part is moved out of each other:
//
//     min ½ Δᵀ M Δ   with   gap + J Δ ≥ 0
#include "poinsot/integrate/joint_chart.hpp"
#include "poinsot/integrate/joint_system.hpp"
#include "poinsot/integrate/kick.hpp"
#include "poinsot/solve/impact.hpp"
#include "poinsot/step/impulsive_parts.hpp"

#include <algorithm>

namespace poinsot {

namespace {

std::size_t apart_at(int i)
{
    return static_cast<std::size_t>(i);
}

constexpr int most_sweeps_apart = 1000;

} // namespace

bool Impulsive::overlaps(const StepSettings& settings, double h)
{
    if (settings.stabilisation != Stabilisation::projection || settings.contact.keep_overlaps)
        return false;
    Parts& p = *parts_;
    const double allowed = within(settings);
    p.apart.setZero(rows_.count());
    bool any = false;
    for (std::size_t k = 0; k < p.used; ++k) {
        Island& island = p.islands[k];
        // Gaps at the end of the step, by the speeds of the kick; of joints none is asked for.
        bool deep = false;
        island.problem.q.setZero(island.rows.count());
        for (const Block& block : island.rows.blocks) {
            const bool one_sided =
                block.cause == Cause::contact_normal || block.origin == Block::Origin::limit;
            if (one_sided) {
                const double speed = p.after(island.row[apart_at(block.first_row)]);
                const double gap = island.rows.row(block, 0).g + 0.5 * h * speed;
                const bool leaves = gap + h * speed > 0;
                island.problem.q(block.first_row) = leaves ? std::max(gap, 0.0) : gap;
                deep = deep || (!leaves && gap < -allowed);
            }
        }
        if (!deep)
            continue;
        for (ContactBlock& block : island.problem.blocks) { // nothing rubs or drives meanwhile
            block.mu = block.twist = block.roll = 0;
            if (block.law == ContactBlock::Law::bounded)
                block.lower = block.upper = 0;
        }
        ConeSettings cone;
        SweepSettings sweeps;
        cone.tolerance = sweeps.tolerance = 1e-9;
        // The kick starts from the answer of the step before, this from nothing: it takes more.
        sweeps.sweeps = std::min(sweeps.sweeps, 10 * settings.contact.sweeps);
        cone.stop = sweeps.stop = stop_;
        // Things that are in each other from two sides have no way out: that is not looked for
        // long. What is near enough is told by sweeps, and tried again in the next step.
        cone.thorough = false;
        auto answer = settings.contact.exact ? solve_cones(island.problem, cone)
                                             : gauss_seidel(island.problem, sweeps);
        if (!answer)
            continue;
        if (settings.contact.exact && !answer->solved) {
            sweeps.sweeps = most_sweeps_apart;
            if (auto swept = gauss_seidel(island.problem, sweeps);
                swept && swept->residual < answer->residual)
                answer = std::move(swept);
        }
        any = true;
        for (Eigen::Index i = 0; i < answer->r.size(); ++i)
            p.apart(island.row[static_cast<std::size_t>(i)]) = answer->r(i);
    }
    return any;
}

/// What is put apart is contact's, unless limits of joints alone are passed.
Cause Impulsive::cause_of_parting() const
{
    for (const TouchRows& rows : points_)
        if (parts_->apart(rows.first) != 0)
            return Cause::contact_correction;
    return Cause::stabilisation;
}

/// Moves the bodies out of each other, and posts what that did.
template <class Form>
void Impulsive::part_overlaps(std::vector<Form>& bodies, Workspace& w)
{
    System& system = w.system;
    auto& placed = system.placed.bodies;
    const Stores stored = w.postings.off() ? Stores{} : stores_of(model_, system.placed);
    auto& moves = parts_->moves;
    moves.assign(bodies.size(), {zero3<double>(), zero3<double>()});
    for (const Block& block : rows_.blocks)
        for (int k = 0; k < block.rows; ++k)
            for (int i = 0; i < block.bodies; ++i) {
                const std::size_t body = apart_at(block.body[apart_at(i)]);
                const Wrench<double> push =
                    parts_->apart(block.first_row + k) * rows_.J_of(block, k, i);
                moves[body] = moves[body] + masses_[body].inverse_times(push);
            }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const PlacedBody before = placed[i];
        bodies[i].x += moves[i].v;
        bodies[i].attitude = turned(bodies[i].attitude, moves[i].omega);
        placed[i].x = bodies[i].x;
        placed[i].R = matrix_of(bodies[i].attitude);
        set_motion(placed[i], before.p, before.L);
        if (!w.postings.off())
            w.postings.post(static_cast<int>(i), cause_of_parting(),
                            {zero3<double>(), zero3<double>(),
                             cross(placed[i].x - before.x, before.p),
                             placed[i].kinetic_energy() - before.kinetic_energy()});
    }
    if (!w.postings.off())
        w.postings.shift_stores(stores_of(model_, system.placed) - stored);
}

/// The same along the joints.
void Impulsive::part_overlaps(JointMotion& y, Workspace& w)
{
    JointSystem& joints = *w.joints;
    System& system = w.system;
    Parts& p = *parts_;
    p.u.assign(y.v.size(), 0.0);
    p.linkage.add_change(span_of(p.apart), p.u);
    joints.place(y.q, y.v);
    system.before = system.placed.bodies;
    const Stores stored = w.postings.off() ? Stores{} : stores_of(model_, system.placed);
    displace<double>(joints.linkage, y.q, std::span<const double>(p.u), y.q);
    renormalise(joints.linkage, y.q);
    if (p.floating->any()) {
        joints.place_bodies(y.q, y.v);
        p.floating->settle(joints, y.v);
    }
    if (w.postings.off())
        return;
    joints.place(y.q, y.v);
    w.postings.shift_stores(stores_of(model_, system.placed) - stored);
    for (std::size_t i = 0; i < system.before.size(); ++i) {
        const PlacedBody &before = system.before[i], &after = system.placed.bodies[i];
        w.postings.post(static_cast<int>(i), cause_of_parting(),
                        {after.p - before.p, after.L - before.L,
                         cross(after.x, after.p) - cross(before.x, before.p),
                         after.kinetic_energy() - before.kinetic_energy()});
    }
}

template void Impulsive::part_overlaps(std::vector<MomentumForm<double>>&, Workspace&);
template void Impulsive::part_overlaps(std::vector<VelocityForm<double>>&, Workspace&);
template void Impulsive::part_overlaps(std::vector<MatrixForm<double>>&, Workspace&);

} // namespace poinsot
