// SPDX-License-Identifier: MIT
#pragma once

// Small motions about a motion of a model, in joint coordinates.
//
// Beside a motion q(t), v(t) let another motion run that is displaced by u from it, in the
// directions of v, and faster by w; both are small. Seen from the moving model
//
//     u̇ = w − ω × u                            ball
//     u̇_x = w_x + u × v − ω × u_x              free, with u its turn and v, ω the motion's own
//     u̇ = w                                    all others
//     ẇ = ∂v̇/∂q u + ∂v̇/∂v w + ∂v̇/∂τ f           f: forces along the freedoms
//
// Equations between coordinates leave fewer: with g(q) = 0 and J v + ∂g/∂t = 0, of which rolling
// without slip has only the second,
//
//     G u = 0            J w + (∂(J v)/∂q) u = 0
//
// so x = (independent u, independent w), and ẋ = A x + B f. Independent are the coordinates that
// are left when those with the most effect on the equations are taken out, one by one: so the ones
// taken out follow from the rest with little error.
//
// A is constant in time, and its eigenvalues are those of the motion, where it is steady: at rest,
// or v̇ = 0 along coordinates that nothing depends on, as when a bicycle rolls on. Elsewhere they
// are those of a moment. A body that floats is seen from axes that turn with it. Where its
// velocities turn in them, but are constant in axes that turn against it with ν,
//
//     ν × v = v̇,   ν × ω = ω̇                   a disc that rolls: ν is its spin, turned round
//
// it is seen from those: −ν × is added to the rates of its u, w and velocities.
//
// Derivatives. A tree on which gravity alone acts has closed forms, exact to rounding. All else is
// differentiated along paths that keep the equations, by central differences over sixteen points,
//
//     f' ≈ Σ_k c_k (f(kh) − f(−kh))/h,   c_k = (−1)^(k+1) m!²/(k (m−k)! (m+k)!),   m = 8
//
// exact for polynomials of degree sixteen: h can be as large as 1/8 rad, and rounding, ε/h, is a
// few of the last digit. The difference to m = 6 is the estimate of the error; of several h the
// one with the least is taken.

#include "poinsot/base/result.hpp"
#include "poinsot/model/input.hpp"
#include "poinsot/model/model.hpp"
#include "poinsot/state/state.hpp"
#include "poinsot/step/spectrum.hpp"

namespace poinsot {

struct Linearisation {
    std::vector<double> q, v;          // of the linkage: the motion it is about
    std::vector<double> v_dot;         // its accelerations, in the axes of A
    std::vector<std::string> freedoms; // the name of every velocity of the linkage
    std::vector<int> places, speeds;   // the independent ones
    int place_equations = 0, speed_equations = 0;

    std::vector<double> A; // order() rows of order() numbers: places, then speeds
    std::vector<double> B; // order() rows, one number for each freedom
    double error = 0;      // estimate for A, relative
    Spectrum spectrum;

    std::size_t order() const { return places.size() + speeds.size(); }
    /// The largest acceleration, relative to the largest rate of change in A: zero if steady.
    double unsteadiness() const;
};

/// About a state at time t; its loops are closed first. Or every reason why it cannot be done.
Result<Linearisation> linearise(const Model& model, const State& state, double t,
                                const Input& input = {});

} // namespace poinsot
