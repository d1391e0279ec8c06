// SPDX-License-Identifier: MIT
#pragma once

// Arrays of the caller, read and written in place.
//
// What is float64 and contiguous is never copied; lists, other numbers and slices are converted
// once. What does not fit is a ValueError that says what was expected.

#include "poinsot/base/result.hpp"
#include "poinsot/math/rotation.hpp"

#include <pybind11/numpy.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace poinsot {

namespace py = pybind11;

using Array = py::array_t<double, py::array::c_style>;
using Extents = std::vector<py::ssize_t>;

/// "(3,)", "(2, 100, 7)"
std::string text_of_shape(std::span<const py::ssize_t> shape);

/// The numbers of the caller in a shape. `expected` explains it: "q must have shape (nq,) = (7,)".
Array numbers_in(const py::handle& given, const char* name, const Extents& shape,
                 const char* expected);

/// A new array, or the one that the caller wants filled, which may share no memory with what is
/// read.
Array filled_by(const py::object& out, const Extents& shape, std::initializer_list<Array> read);

/// Numbers must be numbers. `whose(i)` names what number i belongs to: "joint 'elbow'".
template <class Whose>
void want_finite(const Array& numbers, const char* name, const Whose& whose)
{
    const double* const at = numbers.data();
    for (py::ssize_t i = 0; i < numbers.size(); ++i)
        if (!std::isfinite(at[i])) {
            std::string index;
            py::ssize_t rest = i, all = numbers.size();
            for (py::ssize_t axis = 0; axis < numbers.ndim(); ++axis) {
                all /= numbers.shape(axis);
                index += text_of(axis ? ", " : "", rest / all);
                rest %= all;
            }
            const std::string owner = whose(static_cast<std::size_t>(i));
            throw py::value_error(text_of(name, "[", index, "]", owner.empty() ? "" : " of ", owner,
                                          " is ", at[i], "; it must be finite"));
        }
}
inline std::string nobody(std::size_t)
{
    return {};
}

inline std::span<const double> span_of(const Array& a)
{
    return {a.data(), static_cast<std::size_t>(a.size())};
}
inline std::span<double> span_in(Array& a)
{
    return {a.mutable_data(), static_cast<std::size_t>(a.size())};
}

Array array_of(std::span<const double> numbers, Extents shape = {});
Array array_of(const Vec3<double>& a);
Array array_of(const Quat<double>& q); // w, x, y, z
/// Three numbers of the caller.
Vec3<double> vector_in(const py::handle& given, const char* name);

} // namespace poinsot
