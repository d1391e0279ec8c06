// SPDX-License-Identifier: MIT
#pragma once

// A spring and damper in six directions, K and C in the axes of the frame on a.
//
//     d = R_aᵀ (x_b − x_a)         exp θ = R_aᵀ R_b         ξ = (d, θ)
//     (f, m) = K ξ + C ξ̇           V = ½ ξᵀ K ξ
//
//     F_b = −R_a f  at x_b         τ_b = −R_a E(θ)ᵀ m       θ̇ = E(θ) R_aᵀ (ω_b − ω_a)
//
// and the opposite on a, the force at the same point x_b. The force is the slope of V to the last
// digit, however far the bushing is bent: −V̇ = F_b · (v_b − v_a) + τ_b · (ω_b − ω_a), with v_a that
// of a at x_b. What the damper takes is ξ̇ᵀ C ξ̇ ≥ 0. θ is the short way round: a bushing that is
// turned by half a turn snaps over.

#include "poinsot/forces/gather.hpp"

namespace poinsot {

template <Scalar T>
struct SixVector {
    Vec3<T> push, turn;
};
template <Scalar T>
struct Blocks6 {
    Sym3<T> push;
    Mat3<T> mixed;
    Sym3<T> turn;

    SixVector<T> operator*(const SixVector<T>& a) const
    {
        return {push * a.push + mixed * a.turn, transpose_times(mixed, a.push) + turn * a.turn};
    }
};

/// How far b is from a, and how fast it leaves: all in the axes of a.
template <Scalar T>
struct Bent {
    SixVector<T> xi, xi_dot;
};
/// `d`, `theta` as above; `V` the twist of b against a at x_b; all in the axes of a.
template <Scalar T>
Bent<T> bent(const Vec3<T>& d, const Vec3<T>& theta, const Twist<T>& V)
{
    return {{d, theta}, {V.v, rotation_vector_rate(theta, V.omega)}};
}
/// The wrench on b about x_b, in the axes of a, of what pushes with K along s.
template <Scalar T>
Wrench<T> bushing_wrench(const Blocks6<T>& K, const SixVector<T>& s, const Vec3<T>& theta)
{
    const SixVector<T> g = K * s;
    return {-g.push, -rotation_vector_rate(-theta, g.turn)}; // E(θ)ᵀ = E(−θ)
}
template <Scalar T>
T bushing_energy(const Blocks6<T>& K, const SixVector<T>& xi)
{
    const SixVector<T> g = K * xi;
    return constant<T>(0.5) * (dot(xi.push, g.push) + dot(xi.turn, g.turn));
}

/// The loads of all bushings of a model.
void add_bushings(const Model& model, const Placed& placed, Loads& out);
/// What they hold.
double bushing_store(const Model& model, const Placed& placed);

/// What one of them carries: the wrench on b at its end of it, world axes, and where that is.
struct BushingLoad {
    Wrench<double> on_b;
    Vec3<double> at;
    Mat3<double> R; // the axes of its frame on a
};
BushingLoad bushing_load(const Bushing& bushing, const Placed& placed);

} // namespace poinsot
