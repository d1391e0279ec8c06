// SPDX-License-Identifier: MIT
#pragma once

// Runge-Kutta methods by their coefficients: rows of a, weights b, nodes c.

#include <array>
#include <cstddef>

namespace poinsot {

template <std::size_t S>
struct Tableau {
    std::array<std::array<double, S>, S> a;
    std::array<double, S> b, c;
};

inline constexpr Tableau<1> euler_tableau{{{{0}}}, {1}, {0}};

inline constexpr Tableau<4> classical_tableau{
    {{{0, 0, 0, 0}, {0.5, 0, 0, 0}, {0, 0.5, 0, 0}, {0, 0, 1, 0}}},
    {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
    {0, 0.5, 0.5, 1}};

// [Dormand, Prince 1980]; the last stage stands at the end of the step.
inline constexpr Tableau<7> dormand_prince_tableau{
    {{{0, 0, 0, 0, 0, 0, 0},
      {1.0 / 5, 0, 0, 0, 0, 0, 0},
      {3.0 / 40, 9.0 / 40, 0, 0, 0, 0, 0},
      {44.0 / 45, -56.0 / 15, 32.0 / 9, 0, 0, 0, 0},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729, 0, 0, 0},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656, 0, 0},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0}}},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
    {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1}};
// b − b̂: what the fourth-order companion differs by.
inline constexpr std::array<double, 7> dormand_prince_error{
    71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

// Gauss: collocation at the zeros of Legendre's polynomials, order 2S, symplectic.
inline constexpr Tableau<1> gauss2_tableau{{{{0.5}}}, {1}, {0.5}};
inline constexpr double sqrt15 = 3.8729833462074168851792653997824;
inline constexpr Tableau<3> gauss6_tableau{
    {{{5.0 / 36, 2.0 / 9 - sqrt15 / 15, 5.0 / 36 - sqrt15 / 30},
      {5.0 / 36 + sqrt15 / 24, 2.0 / 9, 5.0 / 36 - sqrt15 / 24},
      {5.0 / 36 + sqrt15 / 30, 2.0 / 9 + sqrt15 / 15, 5.0 / 36}}},
    {5.0 / 18, 4.0 / 9, 5.0 / 18},
    {0.5 - sqrt15 / 10, 0.5, 0.5 + sqrt15 / 10}};

} // namespace poinsot
