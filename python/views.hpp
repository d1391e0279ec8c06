// SPDX-License-Identifier: MIT
#pragma once

// Bodies, joints and frames of a model as Python sees them: each holds on to the model it is of.

#include "python/bindings.hpp"

namespace poinsot {

using Ptr = std::shared_ptr<Described>;

struct BodyView {
    Ptr model;
    std::size_t index;

    const Body& body() const { return model->model().bodies()[index]; }
    const BodyMass& mass() const { return model->model().masses()[index]; }
};

struct JointView {
    Ptr model;
    std::size_t index;

    const Joint& joint() const { return model->model().joints()[index]; }
    std::optional<std::string> name_of(int body) const
    {
        if (body == world)
            return std::nullopt;
        return model->model().bodies()[static_cast<std::size_t>(body)].name;
    }
    /// One number per coordinate.
    Array limits(double CoordinateLaw::*limit) const
    {
        const auto count = static_cast<std::size_t>(facts_of(joint().kind).coordinates);
        std::vector<double> numbers(count, CoordinateLaw{}.*limit);
        for (std::size_t k = 0; k < joint().laws.size(); ++k)
            numbers[k] = joint().laws[k].*limit;
        return array_of(numbers);
    }
};

struct FrameView {
    Ptr model;
    NamedFrame frame;
};

/// Body, Joint, Frame and Bodies.
void bind_views(py::module_& module);

} // namespace poinsot
