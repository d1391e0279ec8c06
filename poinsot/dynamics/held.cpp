// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/held.hpp"

#include "poinsot/dynamics/newton_euler.hpp"

namespace poinsot {

namespace {

/// The projector across the line, 1 − d dᵀ; 1 for a fixed point.
Sym3<double> across(const Held& held)
{
    const Sym3<double> one = diagonal(1.0, 1.0, 1.0);
    return held.along ? one - square(normalised(*held.along)) : one;
}

Vec3<double> reaction(const Held& held, const PlacedBody& body, const Wrench<double>& W)
{
    const Vec3<double> r = body.lever(held.point);
    const Vec3<double> alpha =
        angular_acceleration(body.R, body.mass.I_b, body.mass.inv_I_b, body.omega, W.tau);
    const Vec3<double> a_A =
        body.mass.inv_m * W.F + cross(alpha, r) + cross(body.omega, cross(body.omega, r));

    // K = 1/m − [r×] I⁻¹ [r×].  Along the line K is replaced by 1, so that P K P + (1 − P) has an
    // inverse, and f comes out across the line.
    const Sym3<double> rIr =
        congruent(skew(r), congruent(body.R, body.mass.inv_I_b)); // −[r×] I⁻¹ [r×]
    const Sym3<double> one = diagonal(1.0, 1.0, 1.0), P = across(held);
    const Sym3<double> A = congruent(full(P), body.mass.inv_m * one + rIr) + (one - P);
    return P * (inverse(A) * -(P * a_A));
}

} // namespace

std::vector<Vec3<double>> held_places(const Model& model)
{
    std::vector<Vec3<double>> places;
    for (const Body& body : model.bodies())
        places.push_back(body.held ? place(body.pose, body.held->point) : zero3<double>());
    return places;
}

void add_reactions(const Model& model, const Placed& placed, Loads& loads)
{
    if (!model.any_held())
        return;
    for (std::size_t i = 0; i < placed.bodies.size(); ++i)
        if (const auto& held = model.bodies()[i].held) {
            const PlacedBody& body = placed.bodies[i];
            loads.add_force(static_cast<int>(i), Cause::joint, body.lever(held->point),
                            reaction(*held, body, loads.total[i]));
        }
}

std::vector<Correction> corrections(const Model& model, const Placed& placed,
                                    const std::vector<Vec3<double>>& places)
{
    std::vector<Correction> made;
    for (std::size_t i = 0; i < placed.bodies.size(); ++i)
        if (const auto& held = model.bodies()[i].held) {
            const PlacedBody& body = placed.bodies[i];
            const Vec3<double> r = body.lever(held->point);
            const Sym3<double> P = across(*held);
            made.push_back({static_cast<int>(i), P * (places[i] - (body.x + r)),
                            -(P * (body.v + cross(body.omega, r)))});
        }
    return made;
}

} // namespace poinsot
