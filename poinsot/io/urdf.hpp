// SPDX-License-Identifier: MIT
#pragma once

// A robot from a URDF file, and an account of what became of everything in it.
//
// A link with mass becomes a body whose frame is the link's. A joint becomes a joint whose z is the
// axis of the file, with the coordinate and the sign of the file, zero at the file's zero pose:
//
//     X_child = X_parent T exp(a q) = X_parent (T A) J_z(q) A⁻¹        A z = a
//
//     URDF                    here
//     revolute, continuous    revolute, with limits and without
//     prismatic               prismatic
//     planar                  planar: x and y are those of A, the shortest turn from z to the axis
//     floating                free
//     fixed                   weld
//
// What has no mass needs care, since nothing without mass can be moved by a force:
//
//   - A link without mass that is fixed to others is a frame on the body next to it.
//   - One that moves and carries nothing with mass is left out together with its joint.
//   - One that moves and carries mass is a problem. Two joints with nothing between them could be
//     written as one for some pairs of kinds only, and the names would then fit no coordinate.
//
// Links whose inertia no body has (placeholders, points) are joined with the link they are fixed
// to, where the whole has an inertia that can exist: a rigid whole knows only the sum. Where there
// is none, they are a problem. No number of the file is repaired.
//
// Nothing is ignored in silence: `not_used` lists every element and attribute that has no effect.

#include "poinsot/model/builder.hpp"

#include <filesystem>
#include <string_view>

namespace poinsot {

enum class UrdfBase : unsigned char {
    fixed,   // the root is the world, or is welded to it
    floating // the root floats
};

struct UrdfLock {
    std::string joint;
    double q = 0;
};

struct UrdfOptions {
    explicit UrdfOptions(UrdfBase how) : base(how) {} // a file does not say it: the caller must

    UrdfBase base;
    bool merge_fixed = false;    // links fixed to one another become one body, not welded ones
    bool ignore_mimic = false;   // joints that mimic another move freely
    std::vector<UrdfLock> locks; // joints that become fixed, each at its coordinate
    /// Where package://name/... leads: "name=folder", or a folder that holds packages. After these
    /// the folders above the file are tried.
    std::vector<std::string> package_paths;
};

/// Kept for those who draw and touch; it has no mass.
struct UrdfGeometry {
    std::string name;
    Shape shape;                                 // a mesh: its path as found, else as written
    Pose<double> pose = identity_pose<double>(); // in the link frame
    Vec3<double> scale = {1, 1, 1};              // of a mesh
    bool missing = false;                        // a mesh whose file was not found
    int line = 0, column = 0;
};

struct UrdfFrame {
    int body = world;
    Pose<double> pose = identity_pose<double>(); // of the link frame, in the frame of the body
};

struct UrdfLink {
    enum class Fate : unsigned char {
        body,    // it is one
        joined,  // its mass is part of another body
        frame,   // no mass: a frame of a body, or of the world
        left_out // no mass, and moved by a joint that moves nothing else
    };
    std::string name;
    int line = 0, column = 0;
    Fate fate = Fate::left_out;
    std::string why;                            // of a fate other than body
    std::optional<UrdfFrame> frame;             // where it is; none for what was left out
    MassProperties own{};                       // as the file has it, in the link frame
    int inertial_line = 0, inertial_column = 0; // 0: none
    std::vector<UrdfGeometry> visual, collision;
};

struct UrdfMimic {
    std::string joint;
    double multiplier = 1, offset = 0; // q = multiplier q_joint + offset
};

struct UrdfJoint {
    enum class Type : unsigned char { revolute, continuous, prismatic, fixed, floating, planar };
    static constexpr int none = -1;

    std::string name;
    int line = 0, column = 0;
    Type type = Type::fixed;
    int parent = 0, child = 0;                     // into `links`
    Pose<double> origin = identity_pose<double>(); // of the child in the parent at the zero pose
    Vec3<double> axis = {1, 0, 0};                 // of unit length, in the child's frame
    std::optional<double> lower, upper;            // all four as the file has them
    std::optional<double> effort, velocity;        // known, not enforced
    double damping = 0, friction = 0;
    std::optional<UrdfMimic> mimic;
    std::optional<double> locked; // at this coordinate
    double start = 0;             // zero, or what its mimic asks for
    int joint = none;             // into `description.joints`
    std::string why;              // of what it became, where that is not plain
};
std::string_view name_of(UrdfJoint::Type type);
std::string_view name_of(UrdfLink::Fate fate);

struct UrdfRemark {
    int line = 0, column = 0;
    std::string about; // "link 'hand'"
    std::string what;
};

struct UrdfRobot {
    std::string name, file;
    UrdfBase base;
    Builder description; // bodies and joints from the root, breadth first, in the file's order
    int root = 0;        // into `links`
    std::vector<UrdfLink> links;      // in the order of the file
    std::vector<UrdfJoint> joints;    // in the order of the file
    std::vector<UrdfRemark> warnings; // what can be, and is rarely meant
    std::vector<UrdfRemark> not_used;

    /// None if there is no such name.
    const UrdfLink* link(std::string_view called) const;
    const UrdfJoint* joint(std::string_view called) const;
    /// Carries the whole robot along: its root link is then at a pose and moves with a twist (of
    /// its origin, world axes), which is zero for a fixed base. Coordinates stay what `start` and
    /// `start_speed` of the joints say.
    void put_base(const Pose<double>& root_pose, const Twist<double>& V);
    /// Lets a joint with one coordinate that follows no other start at a coordinate with a speed;
    /// what mimics it starts accordingly. The builder puts the bodies where the joints want them.
    void start_at(const UrdfJoint& joint, double q, double speed);
    /// Why `start_at` cannot be asked of a joint, with the remedy; empty if it can.
    std::string why_no_start(const UrdfJoint& joint) const;
    /// Coordinates that are free to move: six of a floating base included, geared ones not.
    int degrees_of_freedom() const;
};

/// Whether a file is a robot's by its name.
bool is_urdf(const std::filesystem::path& file);

/// The robot, or every problem of the file, each with file:line:column and a remedy. The
/// description of a robot that is given builds.
Result<UrdfRobot> read_urdf(const std::filesystem::path& path, const UrdfOptions& options);
/// `file` is the name that problems begin with; meshes are looked for beside it.
Result<UrdfRobot> read_urdf_text(const std::string& text, const std::string& file,
                                 const UrdfOptions& options);

} // namespace poinsot
