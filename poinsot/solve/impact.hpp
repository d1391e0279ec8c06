// SPDX-License-Identifier: MIT
#pragma once

#include "poinsot/solve/cone.hpp"
#include "poinsot/solve/gauss_seidel.hpp"
#include "poinsot/solve/impact_law.hpp"

#include <optional>
#include <string_view>

namespace poinsot {

struct ImpactSettings {
    ImpactLaw law = ImpactLaw::energetic;
    ImpactOrder order = ImpactOrder::together;
    bool exact = true;
    ConeSettings cone;
    SweepSettings sweeps;
};
struct ImpactAnswer {
    ContactAnswer contact;
    Eigen::VectorXd restored;
    double work = 0;
    std::vector<int> gaining;
    bool eased = false;
};
Result<ImpactAnswer> solve_impact(const ContactProblem& problem, const Eigen::VectorXd& u_before,
                                  std::span<const double> restitution,
                                  const ImpactSettings& settings = {},
                                  const Eigen::VectorXd& start = {});

} // namespace poinsot
