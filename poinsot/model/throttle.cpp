// SPDX-License-Identifier: MIT
#include "poinsot/model/throttle.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

FlowShare share_at(const Control& control, double t, double within)
{
    const std::vector<double>&times = control.times, &values = control.values;
    if (within < times.front())
        return {values.front(), 0};
    if (within >= times.back())
        return {values.back(), 0};
    const auto above = std::upper_bound(times.begin(), times.end(), within);
    const auto i = static_cast<std::size_t>(above - times.begin()) - 1;
    const double rate = (values[i + 1] - values[i]) / (times[i + 1] - times[i]);
    return {std::max(0.0, values[i] + rate * (t - times[i])), rate}; // below zero is rounding
}

} // namespace

void shares_at(const std::vector<Flow>& flows, const std::vector<Control>& controls,
               const Input* input, double t, double within, std::vector<FlowShare>& out)
{
    out.clear();
    if (std::none_of(flows.begin(), flows.end(), [](const Flow& f) { return f.control >= 0; }))
        return;
    for (const Flow& flow : flows) {
        FlowShare share;
        if (flow.control >= 0) {
            share = share_at(controls[static_cast<std::size_t>(flow.control)], t, within);
            if (input)
                for (const StepControl& set : input->controls)
                    if (set.control == flow.control) {
                        share = {set.value, 0};
                        break;
                    }
        }
        out.push_back(share);
    }
}

double time_to_bend(const std::vector<Flow>& flows, const std::vector<Control>& controls, double t,
                    double slack)
{
    double next = std::numeric_limits<double>::infinity();
    for (const Flow& flow : flows)
        for (const int control : {flow.control, flow.speed_control})
            if (control >= 0)
                for (const double bend : controls[static_cast<std::size_t>(control)].times)
                    if (bend > t + slack)
                        next = std::min(next, bend - t);
    return next;
}

void inspect_throttles(const std::vector<Flow>& flows, const std::vector<Control>& controls,
                       Problems& found)
{
    const auto exists = [&](int control) {
        return control >= 0 && control < static_cast<int>(controls.size());
    };
    for (const Flow& flow : flows) {
        if (flow.speed_control != -1) {
            const bool thrusts = flow.kind == Flow::Kind::thruster;
            if (!thrusts && flow.kind != Flow::Kind::inlet)
                found.add_at(flow.name, "speed_control",
                             "has no speed of its own that a control could scale: thrusters and "
                             "inlets have; leave speed_control out");
            else if (!exists(flow.speed_control))
                found.add_at(flow.name, "speed_control", "follows a control that does not exist");
            else if (const double lower =
                         controls[static_cast<std::size_t>(flow.speed_control)].lower;
                     thrusts && !(lower >= 0))
                found.add_at(flow.name, "speed_control",
                             "follows a control that can go negative, down to ", lower,
                             ", and an exhaust does not leave backwards; give the control limits "
                             "such as [0, 1]");
        }
        if (flow.control == -1)
            continue;
        if (!exists(flow.control)) {
            found.add_at(flow.name, "control", "follows a control that does not exist");
            continue;
        }
        const Control& control = controls[static_cast<std::size_t>(flow.control)];
        if (!(control.lower >= 0))
            found.add_at(flow.name, "control", "follows a control that can go negative, down to ",
                         control.lower,
                         ", and a flow does not run backwards; give the control limits such as "
                         "[0, 1]");
    }
}

std::string wrong_controls(const std::vector<Control>& controls, const Input& input)
{
    for (const StepControl& set : input.controls) {
        if (set.control < 0 || static_cast<std::size_t>(set.control) >= controls.size())
            return text_of("the input sets control ", set.control, ", and the model has ",
                           controls.empty() ? text_of("none")
                                            : text_of("those from 0 to ", controls.size() - 1));
        const Control& control = controls[static_cast<std::size_t>(set.control)];
        if (!std::isfinite(set.value) || !control.within_limits(set.value))
            return text_of("the input sets control '", control.name, "' to ", set.value,
                           ", outside its limits ", control.lower, " to ", control.upper);
    }
    return {};
}

} // namespace poinsot
