// SPDX-License-Identifier: MIT
#pragma once

// What `poinsot.load` gives: a model with its linkage, its names and how it wants to be run.

#include "poinsot/dynamics/kinematics.hpp"
#include "poinsot/io/scene.hpp"
#include "poinsot/io/urdf.hpp"

#include <pybind11/pybind11.h>

#include <map>
#include <stdexcept>

namespace poinsot {

/// A file that cannot be used: poinsot.SceneError, with every problem.
struct Unreadable : std::runtime_error {
    explicit Unreadable(Problems found)
        : std::runtime_error(found.text()), problems(std::move(found))
    {
    }
    Problems problems;
};

/// A frame of a body: a body's own, or that of a link of a URDF file.
struct NamedFrame {
    std::string name;
    UrdfFrame at;
};

/// A part of the coordinates that has a name: a joint of the tree, or a body that floats.
struct Mover {
    std::string name;
    bool joint; // else a body
    int q, nq, v, nv;
};

struct Described {
    explicit Described(Scene read);
    Described(UrdfRobot robot, std::shared_ptr<const Model> model);

    Scene scene; // of a robot: its description, to be run in reduced coordinates
    Linkage linkage;
    std::vector<LinkInertia<double>> inertias;
    std::vector<Mover> movers; // in the order of the coordinates
    std::vector<NamedFrame> frames;
    std::map<std::string, std::string> left_out; // links that are nowhere, and why
    std::vector<std::string> warnings, not_used;

    const Model& model() const { return *scene.model; }
    std::size_t nq() const { return static_cast<std::size_t>(linkage.nq); }
    std::size_t nv() const { return static_cast<std::size_t>(linkage.nv); }

    /// "joint 'elbow'", "body 'base'": whose number of q and of v it is. For rows of many worlds
    /// too.
    std::string owner_of_q(std::size_t index) const;
    std::string owner_of_v(std::size_t index) const;
    /// Whose quaternion in q is not of unit length, in a sentence; empty if all are.
    std::string bad_quaternion(std::span<const double> q) const;

    // Each throws a KeyError that offers the nearest name.
    std::size_t body(const std::string& name) const;
    std::size_t joint(const std::string& name) const;
    const NamedFrame& frame(const std::string& name) const;
    const Mover& mover(const std::string& name) const;

  private:
    void prepare();
};

/// The options that only a URDF file has.
struct LoadOptions {
    std::optional<std::string> base;
    std::vector<UrdfLock> locks;
    bool merge_fixed = false, ignore_mimic = false;
    std::vector<std::string> package_paths;
    std::optional<Vec3<double>> gravity; // none: 9.81 m/s² downwards along z
};
std::shared_ptr<Described> load(const std::filesystem::path& path, const LoadOptions& options);

/// "; did you mean 'elbow'?", or nothing.
std::string did_you_mean(const std::string& name, const std::vector<std::string_view>& known);

} // namespace poinsot
