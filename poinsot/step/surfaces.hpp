// SPDX-License-Identifier: MIT
#pragma once

// The skins of a model where its bodies are: which points are how near each other, how fast gaps
// change, and what of their acceleration is left when nothing accelerates.
//
//     u = v_b − v_a at P,   P(q) the point of contact, n(q) the normal
//     γ = d/dt (n · u)      along V = constant
//
// P and n wander over curved surfaces, so γ is not that of two particles: a ball that rolls on a
// plane has γ = 0. Here it is a difference of four places, ahead and behind by up to 1e-3 of the
// size of the skins,
//
//     12 e g' = 8 (g(e) − g(−e)) − (g(2e) − g(−2e))
//
// rounding and the fifth derivative are then both about 1e-12 of u²/size. One body is followed, so
// that a common velocity changes nothing.
//
// Searches begin anew at every look: nothing but the state may say how a step goes.

#include "poinsot/contacts/broadphase.hpp"
#include "poinsot/contacts/contact_row.hpp"
#include "poinsot/contacts/first_hit.hpp"

namespace poinsot {

class Surfaces {
  public:
    explicit Surfaces(const Model& model);

    /// Where is everything?
    void place(const Placed& placed);
    /// Points nearer than `margin`, one to a manifold, pairs ascending.
    void find(double margin, std::vector<Manifold>& out);
    /// The same for some pairs of skins alone.
    void find(std::span<const std::pair<int, int>> pairs, double margin,
              std::vector<Manifold>& out);

    /// n · u of a point; below zero the surfaces approach.
    double approach(const Manifold& at, const Placed& placed) const;
    /// γ of the rows of these points.
    void measure_gamma(const Placed& placed, std::span<const Manifold> at,
                       std::span<const TouchRows> points, Rows& rows);

    /// How long from now until something fast has hit, and is in by no more than a quarter of its
    /// smallest side, within `duration`; or `duration`, if nothing fast hits.
    double until_inside(const Placed& placed, std::span<const Manifold> near, double duration,
                        double within);

    /// Of the smallest and of the largest skin.
    double size() const { return smallest_; }
    double largest() const { return largest_; }
    /// No surface moves faster.
    double fastest(const Placed& placed) const;

  private:
    struct Mover {
        Vec3<double> x, v, omega;
    };
    Mover mover_of(int skin, const Placed& placed) const;
    double reach(std::size_t skin, const Placed& placed) const;
    /// Of points that are seen ahead or behind.
    double farthest_look(std::span<const Manifold> at) const;

    const Model& model_;
    double smallest_ = 0, largest_ = 0;
    std::vector<const Collider*> shapes_;
    std::vector<Filter> filters_;
    std::vector<int> owners_; // bodies
    std::vector<bool> rims_;  // has it round edges?
    std::vector<Pose<double>> poses_;
    std::vector<std::pair<int, int>> pairs_;
    std::vector<Passage> courses_;
    std::array<std::vector<Manifold>, 4> looks_; // behind and ahead
    Broadphase broadphase_;
    FirstHit first_hit_;
    Contacts contacts_;
};

/// Which of `points` is `at`, elsewhere: of the same parts that of the same features, if it is
/// nearer than `near`; else the nearest. −1: there is none.
int same_point(std::span<const Manifold> points, const Manifold& at,
               double near = std::numeric_limits<double>::infinity());
/// Where the reactions of a point act.
inline Vec3<double> place_of(const Manifold& at)
{
    return 0.5 * (at.point[0].on_a + at.point[0].on_b);
}

} // namespace poinsot
