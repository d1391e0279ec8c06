// SPDX-License-Identifier: MIT
#pragma once

// What each cause did in one step, with the integrator's own weights: never what is missing.
//
//     J = Σ w F          impulse                     S = Σ w τ_C       angular impulse about C
//     K = Σ w x × F      lever part about O          W = Σ w (F · v + τ_C · ω)      work
//
// and mass that came. About O the angular impulse is K + S; about a fixed point A, K + S − A × J.

#include "poinsot/forces/gather.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace poinsot {

struct Posting {
    Vec3<double> J = zero3<double>(), S = zero3<double>(), K = zero3<double>();
    double work = 0;
    double mass = 0;

    Posting& operator+=(const Posting& b)
    {
        J += b.J;
        S += b.S;
        K += b.K;
        work += b.work;
        mass += b.mass;
        return *this;
    }
};

/// The largest component of each part of a posting so far: what rounding is measured by, where
/// postings cancel each other.
struct PostingSizes {
    double J = 0, S = 0, K = 0, work = 0;

    void grow(const PostingSizes& b)
    {
        J = max(J, b.J);
        S = max(S, b.S);
        K = max(K, b.K);
        work = max(work, b.work);
    }
    void grow(const Posting& b)
    {
        grow(PostingSizes{largest(b.J), largest(b.S), largest(b.K), std::abs(b.work)});
    }

    static double largest(const Vec3<double>& a)
    {
        return max(std::abs(a.x), max(std::abs(a.y), std::abs(a.z)));
    }
};

using PostingsByCause = std::array<Posting, cause_count>;

class Postings {
  public:
    enum class Detail { off, totals, bodies };
    explicit Postings(Detail detail = Detail::totals) : detail_(detail) {}

    Detail detail() const { return detail_; }
    bool off() const { return detail_ == Detail::off; }
    void clear(std::size_t bodies);

    /// An impulse on one body: `impulse` about its centre of mass x, on the motion V.
    void post(int body, Cause cause, const Wrench<double>& impulse, const Vec3<double>& x,
              const Twist<double>& V);
    void post(int body, Cause cause, const Posting& posting);
    /// What a cause did to all bodies together, where nobody asks for each. Of its sizes the
    /// impulse alone is taken: the others are those of the totals.
    void post_sum(Cause cause, const Posting& sum)
    {
        total_of(cause) += sum;
        sizes_.J = max(sizes_.J, PostingSizes::largest(sum.J));
    }
    /// Every part of the loads of one evaluation, with its weight in the step.
    void post(const Loads& loads, const Placed& placed, double weight);
    /// The same of a kick for a time h: work is done on the mean of the motions before and after.
    void post_kick(const Loads& loads, const Placed& placed, std::span<const PlacedBody> before,
                   double h);
    /// What drives give to rotors: work of `motor`, taken by the store of `rotor`.
    void post_drives(const Loads& loads, double weight);
    /// What changes of mass do while momenta stay.
    void post_changes(const Loads& loads, double weight);

    /// What a stabilisation did to the stores by moving bodies, or mass that came or went: no cause
    /// worked for it.
    void shift_stores(const Stores& change) { shifted_ += change; }
    const Stores& shifted() const { return shifted_; }

    /// Adds all of another step's postings: a sub-step that was accepted.
    void merge(const Postings& more);
    /// Takes up what was posted in an earlier run: part of a checkpoint.
    void restore(const PostingsByCause& totals, std::vector<PostingsByCause> bodies,
                 const Stores& shifted, const PostingSizes& sizes)
    {
        totals_ = totals;
        posted_ = all;
        sizes_ = sizes;
        shifted_ = shifted;
        bodies_ = std::move(bodies);
    }

    const PostingsByCause& totals() const { return totals_; }
    /// For the number of every cause that has posted anything; the totals of others are zero.
    template <class F>
    void for_causes(F&& f) const
    {
        for (std::uint32_t left = posted_; left != 0; left &= left - 1)
            f(static_cast<std::size_t>(std::countr_zero(left)));
    }
    const std::vector<PostingsByCause>& bodies() const { return bodies_; }
    const PostingSizes& sizes() const { return sizes_; }

  private:
    static constexpr std::uint32_t all = (std::uint32_t{1} << cause_count) - 1;
    static_assert(cause_count < 32);
    Posting& total_of(Cause cause)
    {
        posted_ |= std::uint32_t{1} << index_of(cause);
        return totals_[index_of(cause)];
    }
    template <class Motion>
    void post_parts(const std::vector<LoadPart>& parts, const Placed& placed, double weight,
                    const Motion& motion);

    Detail detail_;
    std::uint32_t posted_ = 0; // a bit for each cause
    PostingsByCause totals_{};
    PostingSizes sizes_;
    Stores shifted_;
    std::vector<PostingsByCause> bodies_;
};

} // namespace poinsot
