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
inline constexpr Tableau<4> gauss8_tableau{
    {{{0.08696371128436346, -0.026604180084998794, 0.012627462689404725, -0.0035551496857956833},
      {0.18811811749986806, 0.16303628871563652, -0.027880428602470895, 0.006735500594538156},
      {0.16719192197418878, 0.35395300603374397, 0.16303628871563652, -0.014190694931141144},
      {0.1774825722545226, 0.31344511474186837, 0.35267675751627187, 0.08696371128436346}}},
    {0.17392742256872692, 0.32607257743127305, 0.32607257743127305, 0.17392742256872692},
    {0.06943184420297371, 0.33000947820757187, 0.6699905217924281, 0.9305681557970263}};

} // namespace poinsot
