// SPDX-License-Identifier: MIT
#pragma once

// One link of a linkage as the kernels read it: plain numbers, no containers, so that a kernel can
// be compiled once per instruction set. linkage.hpp says what the numbers mean and makes them.

#include "poinsot/math/triple.hpp"
#include "poinsot/model/force.hpp"

#include <span>

namespace poinsot {

enum class LinkOp : unsigned char { revolute, prismatic, screw, ball, free, translate };

/// How many numbers place a link of each kind, and how many move it.
constexpr int coordinates_of(LinkOp op)
{
    return op == LinkOp::ball ? 4 : op == LinkOp::free ? 7 : op == LinkOp::translate ? 3 : 1;
}
constexpr int freedoms_of(LinkOp op)
{
    return op == LinkOp::ball || op == LinkOp::translate ? 3 : op == LinkOp::free ? 6 : 1;
}

struct Link {
    int parent = world; // an earlier link, or the world
    LinkOp op = LinkOp::revolute;
    int q = 0, v = 0;    // first index of its coordinates and of its velocities
    double pitch = 0;    // screw: metres per radian
    double armature = 0; // of a drive, felt by its one velocity; worlds of a pack may have others
    Mat3<double> R{};    // the joint's frame at q = 0, in the parent's frame
    Vec3<double> r{};
    Turn<double> turn{}; // R and r again, as the kernels read them
    Triple<double> shift{};
    int joint = -1, coordinate = 0; // what it realises; no joint: a body that floats
    int block = 0;                  // its place among balls, among frees, among those with an angle
    bool leaf = true;               // no link hangs on it
    bool arrives_first = false;     // of the links on its parent, on the way in
};

/// Mass of a link about the origin of its frame, in its axes.
template <Scalar T>
struct LinkInertia {
    T m;
    Triple<T> mc; // mass times the place of its centre
    SymTriple<T> I;

    friend LinkInertia operator+(const LinkInertia& a, const LinkInertia& b)
    {
        return {a.m + b.m, a.mc + b.mc, a.I + b.I};
    }
};

/// What kernels read of a linkage, which outlives it.
struct Links {
    std::span<const Link> links; // parents before children
    const int* angles;           // the coordinates whose sine and cosine are asked for
    std::size_t angle_count;
    int nq, nv, balls, frees;

    std::size_t size() const { return links.size(); }
};

} // namespace poinsot
