// SPDX-License-Identifier: MIT
#include "poinsot/forces/postings.hpp"

#include "poinsot/math/triple.hpp"

namespace poinsot {

namespace {

/// The largest of many, place by place.
struct Most {
    Pack<double, 4> size{0.0};
    void add(const Triple<double>& one)
    {
        size = max(size, max(Pack<double, 4>::of(one.v), -Pack<double, 4>::of(one.v)));
    }
    double of_all() const { return max(size[0], max(size[1], size[2])); }
};
struct MostOfParts {
    Most J, S, K, power;
    PostingSizes sizes(double weight) const
    {
        return {weight * J.of_all(), weight * S.of_all(), weight * K.of_all(),
                weight * power.of_all()};
    }
};

// Parts of one cause come one after another: they are summed before they go to their account.
struct PartsOfCause {
    Triple<double> J = zero_triple<double>(), S = J, K = J, power = J;

    void add(const Wrench<double>& W, const Vec3<double>& x, const Twist<double>& V,
             MostOfParts& most)
    {
        const Triple<double> F = triple_of(W.F), tau = triple_of(W.tau);
        const Triple<double> lever = cross(triple_of(x), F);
        const Triple<double> rate =
            sum_of(mul_add(F, triple_of(V.v), tau * triple_of(V.omega))); // in all places
        J = J + F;
        S = S + tau;
        K = K + lever;
        power = power + rate;
        most.J.add(F);
        most.S.add(tau);
        most.K.add(lever);
        most.power.add(rate);
    }
    Posting posting(double weight) const
    {
        return {weight * vec_of(J), weight * vec_of(S), weight * vec_of(K),
                weight * vec_of(power).x};
    }
};

} // namespace

void Postings::clear(std::size_t bodies)
{
    for_causes([&](std::size_t c) { totals_[c] = {}; });
    posted_ = 0;
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
    total_of(cause) += posting;
    sizes_.grow(posting);
    if (detail_ == Detail::bodies)
        bodies_[static_cast<std::size_t>(body)][index_of(cause)] += posting;
}

template <class Motion>
void Postings::post_parts(const std::vector<LoadPart>& parts, const Placed& placed, double weight,
                          const Motion& motion)
{
    if (detail_ == Detail::bodies) {
        for (const LoadPart& part : parts) {
            const auto i = static_cast<std::size_t>(part.body);
            post(part.body, part.cause, weight * part.wrench, placed.bodies[i].x, motion(i));
        }
        return;
    }
    if (parts.empty())
        return;
    MostOfParts most;
    for (auto part = parts.begin(); part != parts.end();) {
        const Cause cause = part->cause;
        PartsOfCause sum;
        for (; part != parts.end() && part->cause == cause; ++part) {
            const auto i = static_cast<std::size_t>(part->body);
            sum.add(part->wrench, placed.bodies[i].x, motion(i), most);
        }
        total_of(cause) += sum.posting(weight);
    }
    sizes_.grow(most.sizes(std::abs(weight)));
}

void Postings::post(const Loads& loads, const Placed& placed, double weight)
{
    if (off())
        return;
    const auto motion = [&](std::size_t i) { return placed.bodies[i].twist(); };
    post_parts(loads.parts, placed, weight, motion);
    post_parts(loads.carried, placed, weight, motion);
    post_drives(loads, weight);
    post_changes(loads, weight);
}

void Postings::post_kick(const Loads& loads, const Placed& placed,
                         std::span<const PlacedBody> before, double h)
{
    const auto motion = [&](std::size_t i) {
        return 0.5 * (before[i].twist() + placed.bodies[i].twist());
    };
    post_parts(loads.parts, placed, h, motion);
    post_parts(loads.carried, placed, h, motion);
    post_drives(loads, h);
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
    more.for_causes([&](std::size_t c) { totals_[c] += more.totals_[c]; });
    posted_ |= more.posted_;
    sizes_.grow(more.sizes_);
    shifted_ += more.shifted_;
    for (std::size_t i = 0; i < more.bodies_.size(); ++i)
        for (std::size_t c = 0; c < cause_count; ++c)
            bodies_[i][c] += more.bodies_[i][c];
}

} // namespace poinsot
