// SPDX-License-Identifier: MIT
#include "poinsot/forces/postings.hpp"

namespace poinsot {

void Postings::clear(std::size_t bodies)
{
    totals_ = {};
    sizes_ = {};
    shifted_ = {};
    if (detail_ == Detail::bodies)
        bodies_.assign(bodies, {});
}

void Postings::post(int body, Cause cause, const Wrench<double>& impulse, const Vec3<double>& x,
                    const Twist<double>& V)
{
    post(body, cause, {impulse.F, impulse.tau, cross(x, impulse.F), power(impulse, V)});
}

void Postings::post(int body, Cause cause, const Posting& posting)
{
    totals_[index_of(cause)] += posting;
    sizes_.grow(posting);
    if (detail_ == Detail::bodies)
        bodies_[static_cast<std::size_t>(body)][index_of(cause)] += posting;
}

void Postings::post(const Loads& loads, const Placed& placed, double weight)
{
    if (off())
        return;
    for (const LoadPart& part : loads.parts) {
        const PlacedBody& body = placed.bodies[static_cast<std::size_t>(part.body)];
        post(part.body, part.cause, weight * part.wrench, body.x, body.twist());
    }
    for (const LoadPart& part : loads.carried) {
        const PlacedBody& body = placed.bodies[static_cast<std::size_t>(part.body)];
        post(part.body, part.cause, weight * part.wrench, body.x, body.twist());
    }
    post_drives(loads, weight);
    post_changes(loads, weight);
}

void Postings::post_changes(const Loads& loads, double weight)
{
    for (const MassChange& change : loads.changes) {
        Posting one;
        one.K = weight * change.K;
        one.work = weight * change.power;
        one.mass = weight * change.mass;
        post(change.body, Cause::thrust, one);
        Stores shift;
        shift.gravity = weight * change.gravity;
        shift_stores(shift);
    }
}

void Postings::post_drives(const Loads& loads, double weight)
{
    for (const DrivePart& drive : loads.drives) {
        Posting given;
        given.work = weight * drive.power;
        post(drive.body, Cause::motor, given);
        given.work = -given.work;
        post(drive.body, Cause::rotor, given);
    }
}

void Postings::merge(const Postings& more)
{
    for (std::size_t c = 0; c < cause_count; ++c)
        totals_[c] += more.totals_[c];
    sizes_.grow(more.sizes_);
    shifted_ += more.shifted_;
    for (std::size_t i = 0; i < more.bodies_.size(); ++i)
        for (std::size_t c = 0; c < cause_count; ++c)
            bodies_[i][c] += more.bodies_[i][c];
}

} // namespace poinsot
