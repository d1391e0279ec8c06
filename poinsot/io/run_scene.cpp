// SPDX-License-Identifier: MIT
#include "poinsot/io/run_scene.hpp"

#include "poinsot/io/mesh.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace poinsot {

RunScene scene_of(const TrajectoryReader& run)
{
    const TrajectoryHead& head = run.head();
    std::filesystem::path beside = head.scene_file;
    std::error_code error;
    if (!std::filesystem::exists(beside, error)) // meshes are looked for beside the scene
        beside = run.file();
    Result<Scene> read = read_scene_text(head.scene_as_read, beside.string());
    if (!read)
        return {{},
                fmt::format("the scene in the file cannot be read any more ({})",
                            read.problems().list().front().what)};
    const std::vector<Body>& bodies = read->model->bodies();
    bool same = bodies.size() == run.bodies();
    for (std::size_t i = 0; same && i < bodies.size(); ++i)
        same = bodies[i].name == head.names[i];
    if (!same)
        return {{}, "the scene in the file has other bodies than its frames"};
    return {std::move(*read), ""};
}

Result<Surface> mesh_of(const RunScene& scene, const std::string& path)
{
    Problems found;
    if (!scene.scene) {
        found.add(path, "its scene cannot be read");
        return found;
    }
    auto mesh = read_mesh(std::filesystem::path(scene.scene->file).parent_path() / path);
    if (!mesh)
        return mesh.problems();
    return std::move(mesh->surface);
}

CoordinateSignals::CoordinateSignals(const Model& model, const TrajectoryReader& run)
    : model_(model), head_(run.head())
{
    const auto signal = [&](std::string name, const char* unit) {
        while (std::any_of(names_.begin(), names_.end(),
                           [&](const Named& s) { return s.name == name; }))
            name += " again";
        names_.push_back({std::move(name), unit});
    };
    for (const Joint& j : model.joints()) {
        const int count = facts_of(j.kind).coordinates;
        for (int k = 0; k < count; ++k) {
            const bool angle = is_angle(j.kind, k);
            signal(fmt::format("{} / {}{}", j.name, angle ? "angle" : "slide",
                               count > 1 ? fmt::format(" {}", k + 1) : ""),
                   angle ? "rad" : "m");
        }
    }
    for (const Spring& s : model.springs())
        signal(s.name + " / length", "m");
    values_.resize(names_.size());
}

const std::vector<double>& CoordinateSignals::at(const PoseRow& row)
{
    const auto pose_of = [&](int body) {
        if (body == world)
            return identity_pose<double>();
        const auto i = static_cast<std::size_t>(body);
        const Quat<double> q = row_quat(row.q + 4 * i);
        const Vec3<double> center = row_vec(head_.center_of_mass.data() + 3 * i);
        return Pose<double>{row_vec(row.x + 3 * i) - rotate(q, center), q};
    };
    std::size_t at = 0;
    for (const Joint& j : model_.joints()) {
        const auto q =
            coordinates_of(j.kind, inverse(pose_of(j.a) * j.frame_a) * (pose_of(j.b) * j.frame_b));
        for (std::size_t k = 0; k < q.size(); ++k, ++at) {
            constexpr double turn = 2 * std::numbers::pi;
            const bool angle = is_angle(j.kind, static_cast<int>(k));
            values_[at] =
                q[k] + (angle && begun_ ? turn * std::round((values_[at] - q[k]) / turn) : 0.0);
        }
    }
    for (const Spring& s : model_.springs())
        values_[at++] =
            norm(place(pose_of(s.a.body), s.a.point) - place(pose_of(s.b.body), s.b.point));
    begun_ = true;
    return values_;
}

} // namespace poinsot
