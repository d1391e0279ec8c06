// SPDX-License-Identifier: MIT
#include "python/views.hpp"

#include <pybind11/stl.h>

namespace poinsot {

namespace {

Array array_of_symmetric(const Sym3<double>& I)
{
    return array_of(std::array{I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}, {3, 3});
}

} // namespace

void bind_views(py::module_& module)
{
    py::class_<BodyView>(module, "Body")
        .def_property_readonly("name", [](const BodyView& b) { return b.body().name; })
        .def_property_readonly("mass", [](const BodyView& b) { return b.mass().m; })
        .def_property_readonly("center",
                               [](const BodyView& b) { return array_of(b.mass().center); })
        .def_property_readonly("inertia",
                               [](const BodyView& b) { return array_of_symmetric(b.mass().I_b); })
        .def_property_readonly("particle", [](const BodyView& b) { return b.body().particle; })
        .def("__repr__", [](const BodyView& b) {
            return text_of("<poinsot.Body '", b.body().name, "', ", b.mass().m, " kg>");
        });
    py::class_<JointView>(module, "Joint")
        .def_property_readonly("name", [](const JointView& j) { return j.joint().name; })
        .def_property_readonly(
            "kind", [](const JointView& j) { return std::string(facts_of(j.joint().kind).name); })
        .def_property_readonly("a", [](const JointView& j) { return j.name_of(j.joint().a); })
        .def_property_readonly("b", [](const JointView& j) { return j.name_of(j.joint().b); })
        .def_property_readonly("lower",
                               [](const JointView& j) { return j.limits(&CoordinateLaw::lower); })
        .def_property_readonly("upper",
                               [](const JointView& j) { return j.limits(&CoordinateLaw::upper); })
        .def_property_readonly(
            "restitution", [](const JointView& j) { return j.limits(&CoordinateLaw::restitution); })
        .def("__repr__", [](const JointView& j) {
            return text_of("<poinsot.Joint '", j.joint().name, "', ", facts_of(j.joint().kind).name,
                           ">");
        });
    py::class_<FrameView>(module, "Frame")
        .def_property_readonly("name", [](const FrameView& f) { return f.frame.name; })
        .def_property_readonly(
            "body",
            [](const FrameView& f) -> std::optional<std::string> {
                if (f.frame.at.body == world)
                    return std::nullopt;
                return f.model->model().bodies()[static_cast<std::size_t>(f.frame.at.body)].name;
            })
        .def_property_readonly("position",
                               [](const FrameView& f) { return array_of(f.frame.at.pose.x); })
        .def_property_readonly("orientation",
                               [](const FrameView& f) { return array_of(f.frame.at.pose.q); })
        .def("__repr__",
             [](const FrameView& f) { return text_of("<poinsot.Frame '", f.frame.name, "'>"); });
    py::class_<BodyArrays>(module, "Bodies")
        .def_readonly("position", &BodyArrays::position)
        .def_readonly("orientation", &BodyArrays::orientation)
        .def_readonly("center", &BodyArrays::center)
        .def_readonly("velocity", &BodyArrays::velocity)
        .def_readonly("angular_velocity", &BodyArrays::angular_velocity)
        .def("__len__", [](const BodyArrays& b) { return b.position.shape(0); });
}

} // namespace poinsot
