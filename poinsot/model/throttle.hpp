// SPDX-License-Identifier: MIT
#pragma once

// Flows that follow a control: a throttle.
//
//     μ(t) = c(t) μ_full,      c ≥ 0                      of what is given as mass_flow
//
// A schedule is linear between its nodes and an input keeps a control for a whole step, so between
// two bends c grows with a constant rate and what is in a tank is known at any moment:
//
// A control may also scale the speed of what leaves or comes in; that is a force, and has no part
// in what tanks hold.
//
//     c(t) = c₀ + ċ (t − t₀)      m(t) = m₀ + ṁ₀ (t − t₀) + ½ m̈ (t − t₀)²

#include "poinsot/model/control.hpp"
#include "poinsot/model/input.hpp"
#include "poinsot/model/tank.hpp"

namespace poinsot {

/// Of every flow at time t, by the piece of its schedule that holds at `within`. Empty where no
/// flow follows a control: all have the whole.
void shares_at(const std::vector<Flow>& flows, const std::vector<Control>& controls,
               const Input* input, double t, double within, std::vector<FlowShare>& out);
/// How long it is until a schedule bends that a flow follows.
double time_to_bend(const std::vector<Flow>& flows, const std::vector<Control>& controls, double t,
                    double slack);

/// Names what is wrong with the controls that flows follow, for the Builder.
void inspect_throttles(const std::vector<Flow>& flows, const std::vector<Control>& controls,
                       Problems& found);
/// What is wrong with the controls that an input sets: one that does not exist, or a value that is
/// outside the limits. Empty if nothing is.
std::string wrong_controls(const std::vector<Control>& controls, const Input& input);

} // namespace poinsot
