// SPDX-License-Identifier: MIT
#pragma once

// The controls of a model at one moment: as their schedules say, or as the input of the step does.

#include "poinsot/model/control.hpp"
#include "poinsot/model/input.hpp"

namespace poinsot {

struct ControlsNow {
    const std::vector<Control>* controls = nullptr;
    const Input* input = nullptr;
    double t = 0;

    double operator[](int control) const
    {
        if (input)
            for (const StepControl& set : input->controls)
                if (set.control == control)
                    return set.value;
        return (*controls)[static_cast<std::size_t>(control)].at(t);
    }
};

} // namespace poinsot
