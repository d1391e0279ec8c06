// SPDX-License-Identifier: MIT
#pragma once

// Resting contact: the forces between surfaces that touch and do not part, at one instant.
//
//     a = W f + b,    W = J M⁻¹ Jᵀ + s,    b: accelerations of the rows without these forces
//
//     joints     a = 0                                     f any
//     normal     0 ≤ f_n ⊥ a_n ≥ 0
//     stands     |f_s| ≤ c f_n,  f_s · a_s → min           friction of what does not slip, yet
//     slides     f_s = −c f_n d                            d: the direction of slip
//
// A group s of rows (tangential, torsional, rolling) stands or slides. What slides is put in: of
// its contact one unknown is left, f = (1, −c d) f_n, and the matrix is no longer symmetric. Where
// nothing stands that could slip, the problem is one of pivoting (lcp.hpp), which tells a problem
// without solution, as Painlevé's rod is one, from one that it lost. Else it is one of cones
// (cone.hpp).
//
// Where contacts repeat each other f is not unique; a is. So whether a contact opens, or a group
// begins to slip, is told by a, and by
//
//     z = f_n − a_n/W_nn        z = c f_n − |f_s − a_s/W_ss|
//
// which are negative where it does, and continuous.

#include "poinsot/solve/contact_problem.hpp"

namespace poinsot {

/// One contact among the rows: the normal one first, then its groups.
struct RestingContact {
    struct Group {
        int first = 0; // row
        int rows = 0;  // 0: there is none
        double bound = 0;
        bool slides = false;
        std::array<double, 2> direction{}; // of slip, unit, along its rows
    };
    int normal = 0; // row
    std::array<Group, 3> groups{};
};

struct RestAnswer {
    enum class End : unsigned char {
        solved,
        none, // there is no solution
        lost, // none was found
    };
    static constexpr double enough = 1e-7; // a residual that is taken where no better one is found

    End end = End::lost;
    Eigen::VectorXd f, a; // of all rows
    double residual = 0;  // of the solver
};

/// Rows that belong to no contact are joints. `start`: forces to begin with, or none.
RestAnswer solve_rest(const Eigen::MatrixXd& W, const Eigen::VectorXd& b,
                      std::span<const RestingContact> contacts, double tolerance,
                      const Eigen::VectorXd& start = {}, StopFlag stop = nullptr);

/// How far a contact is from opening, and a group that stands from slipping (N, N m): negative
/// where it does.
double until_open(const RestingContact& contact, const Eigen::MatrixXd& W, const RestAnswer& at);
double until_slip(const RestingContact& contact, const RestingContact::Group& group,
                  const Eigen::MatrixXd& W, const RestAnswer& at);

} // namespace poinsot
