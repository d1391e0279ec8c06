// SPDX-License-Identifier: MIT
// import poinsot: arrays in, arrays out. poinsot.pyi says what everything is.
#include "python/bind_shapes.hpp"
#include "python/bindings.hpp"

#include "poinsot/base/version.hpp"

#include <pybind11/stl.h>

namespace poinsot {

std::filesystem::path path_in(const py::handle& path)
{
    PyObject* bytes = nullptr;
    if (!PyUnicode_FSConverter(path.ptr(), &bytes))
        throw py::error_already_set();
    return std::string(py::reinterpret_steal<py::bytes>(bytes));
}

namespace {

/// {joint: coordinate}, or names of joints that are locked at zero.
std::vector<UrdfLock> locks_in(const py::object& lock)
{
    std::vector<UrdfLock> locks;
    if (lock.is_none())
        return locks;
    if (py::isinstance<py::str>(lock))
        return {{lock.cast<std::string>(), 0}};
    const bool placed = py::isinstance<py::dict>(lock);
    for (const py::handle& name : lock) {
        if (!py::isinstance<py::str>(name))
            throw py::value_error(
                "lock must be a dict of joint names and coordinates, or a list of joint names");
        locks.push_back({name.cast<std::string>(), 0});
        if (!placed)
            continue;
        const double q = PyFloat_AsDouble(lock[name].ptr());
        if (PyErr_Occurred())
            throw py::error_already_set();
        if (!std::isfinite(q))
            throw py::value_error(
                text_of("lock of joint '", locks.back().joint, "' is ", q, "; it must be finite"));
        locks.back().q = q;
    }
    return locks;
}

std::shared_ptr<Described> load_file(const py::object& path, std::optional<std::string> base,
                                     const py::object& lock, bool merge_fixed, bool ignore_mimic,
                                     const py::object& package_paths, const py::object& gravity)
{
    LoadOptions options;
    options.base = std::move(base);
    options.locks = locks_in(lock);
    options.merge_fixed = merge_fixed;
    options.ignore_mimic = ignore_mimic;
    if (py::isinstance<py::str>(package_paths))
        throw py::value_error("package_paths must be a list of folders or name=folder");
    for (const py::handle& one : package_paths)
        options.package_paths.push_back(path_in(one).string());
    if (!gravity.is_none())
        options.gravity = vector_in(gravity, "gravity");
    const std::filesystem::path file = path_in(path);
    const py::gil_scoped_release free;
    return load(file, options);
}

} // namespace

} // namespace poinsot

PYBIND11_MODULE(poinsot, module)
{
    using namespace poinsot;
    module.doc() = "Rigid- and multibody dynamics whose every number can be audited.";
    module.attr("__version__") = version();

    static py::exception<Unreadable> scene_error(module, "SceneError", PyExc_ValueError);
    static py::exception<CannotStep> step_error(module, "StepError", PyExc_RuntimeError);
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            std::rethrow_exception(thrown);
        } catch (const Unreadable& found) {
            const py::object error = py::object(scene_error)(found.what());
            py::list problems;
            for (const Problem& p : found.problems.list())
                problems.append(py::make_tuple(p.place, p.what));
            error.attr("problems") = problems;
            PyErr_SetObject(scene_error.ptr(), error.ptr());
        } catch (const CannotStep& failed) {
            step_error(failed.what());
        }
    });

    bind_shapes(module);
    bind_model(module);
    bind_simulation(module);
    module.def("load", &load_file, py::arg("path"), py::arg("base") = py::none(), py::kw_only(),
               py::arg("lock") = py::none(), py::arg("merge_fixed") = false,
               py::arg("ignore_mimic") = false, py::arg("package_paths") = py::tuple(),
               py::arg("gravity") = py::none(),
               "A model from a scene (.yaml, .json) or from a robot (.urdf).");
}
