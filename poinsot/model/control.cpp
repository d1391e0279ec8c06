// SPDX-License-Identifier: MIT
#include "poinsot/model/control.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

double Control::at(double t) const
{
    if (!(t > times.front()))
        return values.front();
    if (t >= times.back())
        return values.back();
    const auto above = std::upper_bound(times.begin(), times.end(), t);
    const auto i = static_cast<std::size_t>(above - times.begin()) - 1;
    const double s = (t - times[i]) / (times[i + 1] - times[i]);
    return (1 - s) * values[i] + s * values[i + 1];
}

void inspect_controls(const std::vector<Control>& controls, const std::vector<char>& used,
                      Problems& found)
{
    for (std::size_t i = 0; i < controls.size(); ++i) {
        const Control& c = controls[i];
        if (!(c.lower < c.upper))
            found.add_at(c.name, "limits", "its limits must be [lower, upper], are ", c.lower,
                         " and ", c.upper,
                         c.lower > c.upper    ? "; exchange them"
                         : c.lower == c.upper ? "; leave a range between them, or leave limits out "
                                                "where its value never changes"
                                              : "; give two numbers");
        if (c.times.empty() || c.times.size() != c.values.size()) {
            found.add_at(c.name, "schedule", "a schedule needs one value at each of its ",
                         c.times.size(), " times, has ", c.values.size());
            continue;
        }
        const auto finite = [](double x) { return std::isfinite(x); };
        if (!std::all_of(c.times.begin(), c.times.end(), finite) ||
            !std::all_of(c.values.begin(), c.values.end(), finite)) {
            found.add_at(c.name, "schedule", "times and values of a schedule must be finite");
            continue;
        }
        for (std::size_t k = 0; k + 1 < c.times.size(); ++k)
            if (!(c.times[k] < c.times[k + 1])) {
                found.add_at(c.name, "schedule", "times of a schedule must increase, ",
                             c.times[k + 1], " follows ", c.times[k],
                             "; leave a moment between two values");
                break;
            }
        for (std::size_t k = 0; k < c.times.size(); ++k)
            if (c.lower < c.upper && !c.within_limits(c.values[k])) {
                found.add_at(c.name, c.times.size() == 1 ? "value" : "schedule", "is ", c.values[k],
                             " at t = ", c.times[k], " s, outside its limits ", c.lower, " to ",
                             c.upper, "; ask for less, or widen limits");
                break;
            }
        if (!used[i])
            found.add_at(c.name, "name",
                         "nothing follows it; name it under controls of a coefficient, as an axis "
                         "of a table or as control of a load or a flow, or leave it out");
    }
}

} // namespace poinsot
