// SPDX-License-Identifier: MIT
#pragma once

// The tree of joints as a list of links, each with one elementary motion.
//
// The frame of a link stands on its joint, z along the axis, and moves with the link. Constants
// absorb all orientations, so there is one op-code per kind of motion:
//
//     X_link = X_parent (R, r) J(q)            (R, r): where the frame is at q = 0
//
//     op          J(q)                     coordinates q       velocities v
//     revolute    turn about z             angle               rate
//     prismatic   slide along z            slide               rate
//     screw       both, by the pitch       angle               rate
//     ball        turn any way             quaternion          ω against the parent, link axes
//     free        anything                 place, quaternion   velocity of the link's origin, then
//                                                              ω, against the parent, link axes
//     translate   move without turning     place               velocity, parent's axes
//
// Joints with several named coordinates become chains with links between that have no mass:
//
//     cylindrical = revolute, prismatic
//     universal   = revolute, revolute about x
//     planar      = prismatic along x, prismatic along y, revolute
//
// A body that no joint carries floats: `free`, its link's frame at the centre of mass and in body
// axes; a particle has `translate`. A weld makes no link: the body adds to the link it hangs on.
//
// Where the child is body a of its joint, the motion is J(q)⁻¹. With F the half turn about x,
// J(q)⁻¹ = F J(q) F for every elementary motion: a chain runs backwards with turned frames, and
// each coordinate keeps its meaning.

#include "poinsot/dynamics/link.hpp"
#include "poinsot/model/model.hpp"

#include <span>
#include <vector>

namespace poinsot {

struct LinkedBody {
    int link = world;
    Mat3<double> R{};      // body axes to link axes
    Vec3<double> x{};      // origin of the body frame, in the link's frame
    Vec3<double> center{}; // of mass, in the link's frame, at the start
};
/// Where it is now.
inline Vec3<double> center_in_link(const LinkedBody& body, const BodyMass& mass)
{
    return mass.varies ? body.x + body.R * mass.center : body.center;
}

/// Made once from a model and const after that. It knows no mass: kernels take link inertias.
struct Linkage {
    std::vector<Link> links; // parents before children, branch after branch
    std::vector<LinkedBody> bodies;
    int nq = 0, nv = 0;
    int balls = 0, frees = 0;
    std::vector<int> angles; // the coordinates whose sine and cosine are asked for

    std::size_t size() const { return links.size(); }
    operator Links() const { return {links, angles.data(), angles.size(), nq, nv, balls, frees}; }
};

Linkage linkage_of(const Model& model);

/// What one body adds to its link.
LinkInertia<double> link_inertia(const LinkedBody& body, const BodyMass& mass);
/// What the bodies of every link weigh together; links between have none.
std::vector<LinkInertia<double>> link_inertias(const Linkage& linkage,
                                               std::span<const BodyMass> masses);
std::vector<LinkInertia<double>> link_inertias(const Linkage& linkage, const Model& model);

/// The same numbers in any scalar, the same in every lane.
template <Scalar T>
std::vector<LinkInertia<T>> link_inertias(const Linkage& linkage, const Model& model)
{
    std::vector<LinkInertia<T>> made;
    for (const LinkInertia<double>& I : link_inertias(linkage, model))
        made.push_back(
            {constant<T>(I.m), in_scalar<T>(I.mc), {in_scalar<T>(I.I.d), in_scalar<T>(I.I.o)}});
    return made;
}

} // namespace poinsot
