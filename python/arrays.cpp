// SPDX-License-Identifier: MIT
#include "python/arrays.hpp"

#include <algorithm>

namespace poinsot {

std::string text_of_shape(std::span<const py::ssize_t> shape)
{
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += text_of(i ? ", " : "", shape[i]);
    return text + (shape.size() == 1 ? ",)" : ")");
}

namespace {

std::span<const py::ssize_t> shape_of(const py::array& a)
{
    return {a.shape(), static_cast<std::size_t>(a.ndim())};
}

} // namespace

Array numbers_in(const py::handle& given, const char* name, const Extents& shape,
                 const char* expected)
{
    const auto refuse = [&](const std::string& why) {
        throw py::value_error(text_of(name, " must have shape ", expected, " = ",
                                      text_of_shape(shape), " and hold float64 numbers; ", why));
    };
    const auto fits = [&](const py::array& a) { return std::ranges::equal(shape_of(a), shape); };
    if (py::isinstance<Array>(given)) { // float64 and contiguous: the common case, read in place
        Array numbers = py::reinterpret_borrow<Array>(given);
        if (!fits(numbers))
            refuse("its shape is " + text_of_shape(shape_of(numbers)));
        return numbers;
    }
    const py::array any = py::array::ensure(given);
    if (!any) {
        PyErr_Clear();
        refuse("this is no array");
    }
    if (std::string_view("fiu").find(any.dtype().kind()) == std::string_view::npos)
        refuse("its numbers are of type " + std::string(py::str(any.dtype())));
    if (!fits(any))
        refuse("its shape is " + text_of_shape(shape_of(any)));
    Array numbers = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(any);
    if (!numbers)
        throw py::error_already_set();
    return numbers;
}

Array filled_by(const py::object& out, const Extents& shape, std::initializer_list<Array> read)
{
    if (out.is_none())
        return Array(shape);
    const auto refuse = [&](const std::string& why) {
        throw py::value_error(
            text_of("out must be a writeable, C-contiguous float64 array of shape ",
                    text_of_shape(shape), why));
    };
    if (!py::isinstance<Array>(out)) // also looks at the layout
        refuse("");
    Array given = py::reinterpret_borrow<Array>(out);
    if (!given.writeable() || !std::ranges::equal(shape_of(given), shape))
        refuse("; its shape is " + text_of_shape(shape_of(given)) +
               (given.writeable() ? "" : " and it is read-only"));
    const double* const begin = given.data();
    const double* const end = begin + given.size();
    for (const Array& other : read)
        if (std::less<>()(other.data(), end) && std::less<>()(begin, other.data() + other.size()))
            throw py::value_error("out shares memory with an argument; give it its own");
    return given;
}

Array array_of(std::span<const double> numbers, Extents shape)
{
    if (shape.empty())
        shape = {static_cast<py::ssize_t>(numbers.size())};
    Array made(shape);
    std::ranges::copy(numbers, made.mutable_data());
    return made;
}
Array array_of(const Vec3<double>& a)
{
    return array_of(std::array{a.x, a.y, a.z});
}
Array array_of(const Quat<double>& q)
{
    return array_of(std::array{q.w, q.x, q.y, q.z});
}
Vec3<double> vector_in(const py::handle& given, const char* name)
{
    const Array numbers = numbers_in(given, name, {3}, "(3,)");
    want_finite(numbers, name, nobody);
    return {numbers.at(0), numbers.at(1), numbers.at(2)};
}

} // namespace poinsot
