// SPDX-License-Identifier: MIT
#pragma once

// The plain memory of an ensemble, shared by the copies of its kernels for each instruction set. It
// includes nothing of ours: such a copy may not meet a function that was compiled for another
// machine.

#include <cstddef>

namespace poinsot {

/// A tree as it is handed to a copy.
struct EnsembleTree {
    const void* links; // the bytes of Links::links, which all copies read alike
    std::size_t count;
    const int* angles;
    std::size_t angle_count;
    int nq, nv, balls, frees;
    const double (*inertias)[10]; // per link: m, mc, (xx, yy, zz), (xy, yz, zx)
    double gravity[3];
};

/// What differs from world to world: for each a row of ten numbers per link, and one of armatures
/// along the velocities. Null: all have the tree's.
struct EnsembleOwn {
    const double *inertias, *armatures;
};

/// Rows of numbers, one per world, and one per step where there are several.
template <class Number>
struct EnsembleRows {
    Number* at;
    std::size_t to_next_world, to_next_step; // in numbers
};

/// Some steps of some worlds.
struct EnsembleRun {
    bool symplectic; // Euler; else classical Runge-Kutta
    bool unit_length;
    double h;
    std::size_t worlds, steps;
    EnsembleOwn own;
    EnsembleRows<const double> q0, v0;
    EnsembleRows<const double> tau; // at null: no forces
    EnsembleRows<double> q, v;      // after each step; a zero step keeps the last one only
};

/// One copy of the kernels. Scratch serves one thread.
struct EnsembleKernels {
    const char* name;
    int width; // worlds at a time
    bool needs_avx512;
    void* (*make_scratch)(const EnsembleTree&);
    void (*drop_scratch)(void*);
    void (*forward)(void* scratch, std::size_t worlds, const EnsembleOwn&, const double* q,
                    const double* v, const double* tau, double* v_dot);
    void (*inverse)(void* scratch, std::size_t worlds, const EnsembleOwn&, const double* q,
                    const double* v, const double* v_dot, double* tau);
    void (*run)(void* scratch, const EnsembleRun&);
    void (*transpose)(void* scratch, std::size_t worlds, const double* q, const double* v,
                      const double* tau, double* v_dot); // all of forward but its arithmetic
};
extern const EnsembleKernels ensemble_as_built, ensemble_avx512;

} // namespace poinsot
