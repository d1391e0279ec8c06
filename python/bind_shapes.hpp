// SPDX-License-Identifier: MIT
#pragma once

// What touches, for Python.

#include "python/bindings.hpp"

#include "poinsot/contacts/skin_set.hpp"

namespace poinsot {

struct TouchRecord;

/// The surfaces of a model where its bodies are: a poinsot.Shapes.
py::object shapes_of(std::shared_ptr<Described> described, const Placed& placed);
/// Points of touch as arrays: a poinsot.Contacts.
py::object contacts_of(const Model& model, std::span<const TouchRecord> touches);

void bind_shapes(py::module_& module);

} // namespace poinsot
