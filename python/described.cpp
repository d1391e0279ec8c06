// SPDX-License-Identifier: MIT
#include "python/described.hpp"

#include "poinsot/io/number.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace py = pybind11;

namespace {

template <class Named>
std::vector<std::string_view> all_names(const std::vector<Named>& list)
{
    std::vector<std::string_view> names;
    for (const Named& one : list)
        names.push_back(one.name);
    return names;
}

template <class Named>
std::size_t index_of(const std::vector<Named>& list, const std::string& name, const char* what)
{
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const Named& one) { return one.name == name; });
    if (found == list.end())
        throw py::key_error(
            text_of("there is no ", what, " '", name, "'", did_you_mean(name, all_names(list))));
    return static_cast<std::size_t>(found - list.begin());
}

std::vector<std::string> texts_of(const std::string& file, const std::vector<UrdfRemark>& remarks)
{
    std::vector<std::string> texts;
    for (const UrdfRemark& r : remarks)
        texts.push_back(text_of(file, ":", r.line, ":", r.column, ": ", r.about, ": ", r.what));
    return texts;
}

} // namespace

std::string did_you_mean(const std::string& name, const std::vector<std::string_view>& known)
{
    const std::string near = nearest_word(name, known);
    return near.empty() ? "" : text_of("; did you mean '", near, "'?");
}

Described::Described(Scene read) : scene(std::move(read))
{
    for (std::size_t i = 0; i < model().bodies().size(); ++i)
        frames.push_back({model().bodies()[i].name, {static_cast<int>(i)}});
    prepare();
}

Described::Described(UrdfRobot robot, std::shared_ptr<const Model> model)
{
    scene.title = robot.name;
    scene.file = robot.file;
    scene.description = std::move(robot.description);
    scene.model = std::move(model);
    scene.run.step.method = Method::runge_kutta4;
    scene.run.step.formulation = Formulation::reduced;
    for (const UrdfLink& link : robot.links)
        if (link.frame)
            frames.push_back({link.name, *link.frame});
        else
            left_out[link.name] = link.why;
    warnings = texts_of(robot.file, robot.warnings);
    not_used = texts_of(robot.file, robot.not_used);
    prepare();
}

void Described::prepare()
{
    linkage = linkage_of(model());
    inertias = link_inertias(linkage, model());
    for (std::size_t i = 0; i < linkage.size(); ++i) {
        const Link& link = linkage.links[i];
        const bool joint = link.joint != Tree::none;
        const bool goes_on = joint && i > 0 && linkage.links[i - 1].joint == link.joint;
        if (!goes_on) {
            std::string name;
            if (joint)
                name = model().joints()[static_cast<std::size_t>(link.joint)].name;
            else
                for (std::size_t b = 0; b < linkage.bodies.size(); ++b)
                    if (model().tree().carrier[b] == Tree::none &&
                        linkage.bodies[b].link == static_cast<int>(i))
                        name = model().bodies()[b].name;
            movers.push_back({name, joint, link.q, 0, link.v, 0});
        }
        movers.back().nq += coordinates_of(link.op);
        movers.back().nv += freedoms_of(link.op);
    }
}

namespace {

std::string kind_and_name(const Mover& mover)
{
    return text_of(mover.joint ? "joint '" : "body '", mover.name, "'");
}

} // namespace

std::string Described::owner_of_q(std::size_t index) const
{
    const auto at = static_cast<int>(index % nq());
    for (const Mover& mover : movers)
        if (at < mover.q + mover.nq)
            return kind_and_name(mover);
    return {};
}
std::string Described::owner_of_v(std::size_t index) const
{
    const auto at = static_cast<int>(index % nv());
    for (const Mover& mover : movers)
        if (at < mover.v + mover.nv)
            return kind_and_name(mover);
    return {};
}

std::string Described::bad_quaternion(std::span<const double> q) const
{
    for (const Link& link : linkage.links) {
        if (link.op != LinkOp::ball && link.op != LinkOp::free)
            continue;
        const auto first = static_cast<std::size_t>(link.q + (link.op == LinkOp::free ? 3 : 0));
        const double n2 = norm2(Quat<double>{q[first], q[first + 1], q[first + 2], q[first + 3]});
        // Rotations are good to the square of what |q|² lacks of 1 (rotation.hpp): 1e-16.
        if (!(std::abs(n2 - 1) < 1e-8))
            return poinsot::text_of("the quaternion q[", first, ":", first + 4, "] of ",
                                    owner_of_q(first), " has length ", std::sqrt(n2),
                                    n2 > 0 ? "; divide it by that" : "; 1, 0, 0, 0 is no turn");
    }
    return {};
}

std::size_t Described::body(const std::string& name) const
{
    return index_of(model().bodies(), name, "body");
}
std::size_t Described::joint(const std::string& name) const
{
    return index_of(model().joints(), name, "joint");
}
const NamedFrame& Described::frame(const std::string& name) const
{
    if (const auto gone = left_out.find(name); gone != left_out.end())
        throw py::key_error(
            poinsot::text_of("link '", name, "' is not in the model: ", gone->second));
    return frames[index_of(frames, name, "body or link")];
}
const Mover& Described::mover(const std::string& name) const
{
    // A joint that has no coordinates of its own is told from one that is not there.
    for (const Joint& joint : model().joints())
        if (joint.name == name && std::none_of(movers.begin(), movers.end(), [&](const Mover& one) {
                return one.joint && one.name == name;
            }))
            throw py::key_error(poinsot::text_of(
                "joint '", name, "' has no coordinates: it is a weld, or closes a loop"));
    return movers[index_of(movers, name, "joint or floating body")];
}

std::shared_ptr<Described> load(const std::filesystem::path& path, const LoadOptions& options)
{
    if (!is_urdf(path)) {
        if (options.base || !options.locks.empty() || options.merge_fixed || options.ignore_mimic ||
            !options.package_paths.empty() || options.gravity)
            throw py::value_error("base, lock, merge_fixed, ignore_mimic, package_paths and "
                                  "gravity are for URDF files; a scene says these things itself");
        auto scene = read_scene(path);
        if (!scene)
            throw Unreadable(scene.problems());
        return std::make_shared<Described>(std::move(*scene));
    }
    if (!options.base || (*options.base != "fixed" && *options.base != "floating"))
        throw py::value_error(poinsot::text_of(
            "base must be 'fixed' or 'floating': a URDF file does not say it",
            options.base ? poinsot::text_of("; it is '", *options.base, "'") : std::string()));
    UrdfOptions urdf(*options.base == "floating" ? UrdfBase::floating : UrdfBase::fixed);
    urdf.merge_fixed = options.merge_fixed;
    urdf.ignore_mimic = options.ignore_mimic;
    urdf.locks = options.locks;
    urdf.package_paths = options.package_paths;
    auto robot = read_urdf(path, urdf);
    if (!robot)
        throw Unreadable(robot.problems());
    robot->description.gravity.uniform = options.gravity.value_or(Vec3<double>{0, 0, -9.81});
    auto model = robot->description.build();
    if (!model)
        throw Unreadable(model.problems());
    auto shared = std::make_shared<const Model>(std::move(*model));
    return std::make_shared<Described>(std::move(*robot), std::move(shared));
}

} // namespace poinsot
