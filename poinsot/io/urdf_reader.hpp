// SPDX-License-Identifier: MIT
#pragma once
// What the parts of the reader of URDF files share: elements as they are written
// (urdf_elements.cpp), the tree of links (urdf_tree.cpp), the model made of it (urdf_model.cpp).

#include "poinsot/io/urdf.hpp"
#include "poinsot/io/xml_tree.hpp"
#include "poinsot/io/yaml_tree.hpp"

#include <array>
#include <initializer_list>
#include <map>

namespace poinsot::urdf {

using Type = UrdfJoint::Type;
using Fate = UrdfLink::Fate;

struct TypeFacts {
    Type type;
    std::string_view name;
    JointKind kind;
    bool has_axis, one_coordinate, needs_limits;
};
inline constexpr std::array<TypeFacts, 6> types{{
    {Type::revolute, "revolute", JointKind::revolute, true, true, true},
    {Type::continuous, "continuous", JointKind::revolute, true, true, false},
    {Type::prismatic, "prismatic", JointKind::prismatic, true, true, true},
    {Type::fixed, "fixed", JointKind::weld, false, false, false},
    {Type::floating, "floating", JointKind::free, false, false, false},
    {Type::planar, "planar", JointKind::planar, true, false, false},
}};
constexpr const TypeFacts& facts_of(Type type)
{
    return types[static_cast<std::size_t>(type)];
}

/// The entry of an index that is an int.
template <class List>
decltype(auto) of(List& list, int i)
{
    return list[static_cast<std::size_t>(i)];
}

// ---- frames -------------------------------------------------------------------------------------

/// Turns about the fixed axes x, y, z in that order: R = R_z(yaw) R_y(pitch) R_x(roll).
inline Quat<double> rotation_of_rpy(const Vec3<double>& rpy)
{
    const auto r = sin_cos(0.5 * rpy.x), p = sin_cos(0.5 * rpy.y), y = sin_cos(0.5 * rpy.z);
    return normalised(Quat<double>{y.cos, 0, 0, y.sin} * Quat<double>{p.cos, 0, p.sin, 0} *
                      Quat<double>{r.cos, r.sin, 0, 0});
}

/// The motion of the child's frame at a coordinate, for kinds that have one.
inline Pose<double> motion(const UrdfJoint& joint, double q)
{
    if (joint.type == Type::prismatic)
        return {q * joint.axis, identity_quat<double>()};
    return {zero3<double>(), exp_quat(q * joint.axis)};
}
/// The child's frame in the parent's.
inline Pose<double> child_pose(const UrdfJoint& joint, double q)
{
    return q == 0 ? joint.origin : joint.origin * motion(joint, q);
}

// ---- reading ------------------------------------------------------------------------------------

// Names are said with every problem and remark: one as long as the file would fill the memory.
inline constexpr std::size_t longest_name = 200;

/// The nearest known name, where looking for it is no labour: a file is written by anybody.
std::string near_name(std::string_view name, const std::vector<std::string_view>& known);

/// Reads a robot in three steps: what is written, the tree it makes, the model of it.
class Reader {
  public:
    Reader(const std::string& text, std::string file, const UrdfOptions& options)
        : lines_(text), file_(std::move(file)), options_(options)
    {
    }

    Result<UrdfRobot> read(const XmlNode& root);

  private:
    struct At {
        int line, column;
    };
    template <class... Parts>
    void problem(At at, const Parts&... parts)
    {
        tell(at, text_of(parts...));
    }
    void tell(At at, const std::string& what)
    {
        const std::string quote = lines_.quoted(at.line, at.column);
        found_.add(place_of(file_, at.line, at.column), visible(what), quote.empty() ? "" : "\n",
                   quote);
    }
    template <class Thing>
    static At at(const Thing& thing)
    {
        return {thing.line, thing.column};
    }
    static At inertial_of(const UrdfLink& link)
    {
        return {link.inertial_line, link.inertial_column};
    }
    template <class... Parts>
    void warn(At at, std::string about, const Parts&... parts)
    {
        robot_.warnings.push_back({at.line, at.column, std::move(about), text_of(parts...)});
    }

    // ---- elements and attributes ----

    using Names = std::initializer_list<std::string_view>;
    /// Lists what stands in an element beside what is known there.
    void only(const XmlNode& node, const std::string& owner, Names attributes, Names children);
    const XmlNode* child(const XmlNode& node, std::string_view name, const std::string& owner);
    std::optional<double> number(const XmlNode& node, std::string_view name,
                                 const std::string& owner);
    double needed(const XmlNode& node, std::string_view name, const std::string& owner,
                  std::string_view example);
    Vec3<double> vector(const XmlNode& node, std::string_view name, const std::string& owner,
                        const Vec3<double>& otherwise);
    std::string named(const XmlNode& node, std::string_view kind);
    Pose<double> origin_of(const XmlNode& node, const std::string& owner);

    /// Name and place of a link or joint, which no other of `known` may have; how it is spoken of.
    template <class Thing>
    std::string begin(const XmlNode& node, const char* kind,
                      std::map<std::string, int, std::less<>>& index,
                      const std::vector<Thing>& known, Thing& thing)
    {
        thing.name = named(node, kind);
        thing.line = node.line;
        thing.column = node.column;
        std::string owner = text_of(kind, " '", thing.name, "'");
        const auto [twin, fresh] = index.try_emplace(thing.name, static_cast<int>(known.size()));
        if (!fresh && !thing.name.empty())
            problem(at(node), owner, ": there is a ", kind, " of this name in line ",
                    of(known, twin->second).line, "; names must be unique");
        return owner;
    }
    void read_link(const XmlNode& node);
    void read_inertial(const XmlNode& node, UrdfLink& link, const std::string& owner);
    void read_geometry(const XmlNode& node, UrdfLink& link, const std::string& owner);
    void read_mesh(const XmlNode& node, UrdfGeometry& geometry, const std::string& owner);
    void read_joint(const XmlNode& node);
    bool read_type(const XmlNode& node, UrdfJoint& joint, const std::string& owner);
    bool read_end(const XmlNode& node, std::string_view which, const std::string& owner,
                  std::string& name, At& place);
    void read_axis(const XmlNode& node, bool usable, UrdfJoint& joint, const std::string& owner);
    void read_limits(const XmlNode& node, UrdfJoint& joint, const std::string& owner);
    void read_dynamics(const XmlNode& node, bool usable, UrdfJoint& joint,
                       const std::string& owner);
    void read_mimic(const XmlNode& node, bool usable, UrdfJoint& joint, const std::string& owner);
    /// What a joint of this type has no use for.
    void unused(const XmlNode& what, const UrdfJoint& joint, const std::string& owner);

    // ---- the tree ----

    bool find_tree();
    void lock_joints();
    void follow_mimics();
    void find_clusters();
    void find_groups();
    void find_frames();
    void add_bodies();
    void add_joints();
    void add_movable(UrdfJoint& joint);
    void add_gears();
    void look_for_the_unlikely();

    std::string why_no_body(const MassProperties& mass) const;
    bool rigid(const UrdfJoint& joint) const
    {
        return joint.type == Type::fixed || joint.locked.has_value();
    }

    Lines lines_;
    std::string file_;
    const UrdfOptions& options_;
    Problems found_;
    UrdfRobot robot_{};

    std::map<std::string, int, std::less<>> link_index_, joint_index_;
    struct Ends {
        std::string parent, child;
        At parent_at, child_at;
    };
    std::vector<Ends> ends_;   // of each joint, by name
    std::vector<bool> usable_; // of each joint: it has a type and both its links

    static constexpr int none = -1;
    std::vector<int> order_;   // links, breadth first
    std::vector<int> carrier_; // of each link: the joint above it
    std::vector<bool> heavy_;  // of each link: it or something it carries has mass

    // Links fixed to one another are a cluster; of a cluster, each group becomes a body.
    std::vector<int> cluster_;         // of each link: the topmost link of its cluster
    std::vector<Pose<double>> placed_; // of each link, in its cluster's topmost
    std::vector<int> above_; // of each link: the nearest above it in its cluster that has mass
    std::vector<std::vector<int>> members_; // of each topmost: its links with mass, breadth first
    std::vector<int> group_;                // of each link with mass: the first link of its group
    std::vector<MassProperties> whole_; // of each first link: the mass of its group, in its frame
};

} // namespace poinsot::urdf
