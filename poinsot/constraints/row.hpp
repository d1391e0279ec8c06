// SPDX-License-Identifier: MIT
#pragma once

// J, bias, softness: the one form all constraints take.
//
// A block (a joint, a gear, a prescribed coordinate, a motor, a point of touch) has up to six rows
// and touches up to four bodies. A row holds per body the wrench J, about that body's centre of
// mass and in world axes, that a multiplier λ = 1 puts on it, so that
//
//     ġ = Σ J · V + ∂g/∂t           V = (v_C, ω) of each body, J · V its power
//     g̈ = Σ J · V̇ + γ               γ: what is left of g̈ when nothing accelerates
//     M V̇ = f + Jᵀ λ                the reaction is λ J
//     J V̇ + s λ = −γ                s: softness; 0: rigid
//
// A soft row with s = 1/A is an inertia A felt along the row: λ = −A g̈.
//
// Between two bodies a row is a force F at one world point P and a torque on b, and the opposite of
// both on a at the same P: so each row obeys the third law, for p and for L.

#include "poinsot/math/spatial.hpp"
#include "poinsot/model/cause.hpp"

#include <array>
#include <span>
#include <vector>

namespace poinsot {

struct Row {
    double gamma = 0;
    double rate_t = 0; // ∂g/∂t
    double g = 0;      // how far off
    double g_dot = 0;  // and how fast
    double softness = 0;
    double scale = 1; // size of the terms that were subtracted to make g: its rounding is ε scale
};

struct Block {
    enum class Origin : unsigned char {
        joint,
        gear,
        prescribed,
        limit,
        armature,
        motor,
        friction, // of a coordinate
        contact,
    };
    static constexpr int most_bodies = 4, most_rows = 6;

    Origin origin = Origin::joint;
    Cause cause = Cause::joint;
    int index = 0;      // which joint, or which gear
    int coordinate = 0; // of the joint, where the block is about one
    int bodies = 0;     // how many it touches; the world does not count
    std::array<int, most_bodies> body{};
    int rows = 0, first_row = 0;
    int first_J = 0; // wrenches of its rows, row by row
};

/// All that binds, at one moment. The blocks of a model are the same at every moment, but for the
/// stops at which coordinates stand.
struct Rows {
    std::vector<Block> blocks;
    std::vector<Row> rows;
    std::vector<Wrench<double>> J;

    int count() const { return static_cast<int>(rows.size()); }
    void clear()
    {
        blocks.clear();
        rows.clear();
        J.clear();
    }
    Row& row(const Block& block, int k)
    {
        return rows[static_cast<std::size_t>(block.first_row + k)];
    }
    const Row& row(const Block& block, int k) const
    {
        return rows[static_cast<std::size_t>(block.first_row + k)];
    }
    /// What row k of a block does to the i-th of its bodies.
    Wrench<double>& J_of(const Block& block, int k, int i)
    {
        return J[static_cast<std::size_t>(block.first_J + k * block.bodies + i)];
    }
    const Wrench<double>& J_of(const Block& block, int k, int i) const
    {
        return J[static_cast<std::size_t>(block.first_J + k * block.bodies + i)];
    }
};

/// Takes rows out that are marked, and blocks that have none left. Rows behind the last mark stay.
void leave_out(std::span<const char> marked, Rows& rows);

/// One end of a row: the centre of mass of its body and how the body moves. The world rests at O.
template <Scalar T>
struct End {
    Vec3<T> x, v, omega;

    Vec3<T> velocity_at(const Vec3<T>& point) const { return v + cross(omega, point - x); }
    /// Of the particle of the body at a point, when the body does not accelerate.
    Vec3<T> centripetal_at(const Vec3<T>& point) const
    {
        return cross(omega, cross(omega, point - x));
    }
};
template <Scalar T>
constexpr End<T> ground()
{
    return {zero3<T>(), zero3<T>(), zero3<T>()};
}

/// A row between bodies a and b: force F at P and torque tau on b, the opposite on a.
template <Scalar T>
struct PairRow {
    Vec3<T> P, F, tau;
    T g, gamma, scale;
};
/// What it does to an end, about the centre of mass.
template <Scalar T>
Wrench<T> wrench_on(const PairRow<T>& row, const Vec3<T>& center)
{
    return {row.F, row.tau + cross(row.P - center, row.F)};
}

} // namespace poinsot
