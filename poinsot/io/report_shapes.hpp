// SPDX-License-Identifier: MIT
#pragma once

// Shapes on the page of a run: those of bodies, and what can be touched beside them. For .cpp files
// of io only.

#include "poinsot/io/report_data.hpp"
#include "poinsot/io/run_scene.hpp"

#include <map>

namespace poinsot {

/// The plane without end that things stand on, as a number of a skin: of several the one that looks
/// most against gravity, the first of equals.
std::optional<std::size_t> ground_of(const Model& model);
/// It, as the page has it.
PageJson described_plane(const Skin& skin);

class ShapesOnPage {
  public:
    ShapesOnPage(const TrajectoryReader& run, const RunScene& scene, PageData& data,
                 std::vector<std::string>& remarks);

    /// For each body the number of its shape in the list.
    std::vector<std::uint32_t> of_bodies();
    /// What stands in the world beside the ground, and what is fixed to bodies and is not their
    /// own shape: other shapes, hulls of meshes.
    PageJson surfaces();
    /// Planes without end, but for the ground.
    PageJson planes() const;
    /// All shapes so far; at least one.
    PageJson list() &&;

  private:
    PageJson of_body(std::size_t i);
    PageJson json_of(std::monostate) const { return {{"kind", "none"}}; }
    PageJson json_of(const Box& s) const;
    PageJson json_of(const Ball& s) const;
    PageJson json_of(const Ellipsoid& s) const;
    PageJson json_of(const Cylinder& s) const;
    PageJson json_of(const Capsule& s) const;
    PageJson json_of(const Cone& s) const;
    PageJson json_of(const MeshShape& s) { return of_mesh(s.path); }
    PageJson of_mesh(const std::string& path);
    PageJson of_hull(const Polytope& hull);
    bool is_its_own_hull(const Shape& shape, const Polytope& hull) const;
    PageJson of_triangles(const std::vector<Vec3<double>>& vertices,
                          std::vector<std::uint32_t> triangles);
    std::uint32_t number_of(const std::string& key, const std::function<PageJson()>& make);

    const TrajectoryHead& head_;
    const RunScene& scene_;
    PageData& data_;
    std::vector<std::string>& remarks_;
    PageJson list_ = PageJson::array();
    std::map<std::string, std::uint32_t> known_;   // the same shape is there once
    std::map<std::size_t, double> touching_;       // particles that touch as balls: their radii
    mutable std::map<std::string, bool> own_hull_; // by the path of a mesh
};

} // namespace poinsot
