// SPDX-License-Identifier: MIT
#include "poinsot/io/urdf.hpp"

#include "poinsot/io/number.hpp"
#include "poinsot/io/xml_tree.hpp"
#include "poinsot/io/yaml_tree.hpp"
#include "poinsot/mass/principal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <map>
#include <numeric>
#include <set>

namespace poinsot {

namespace {

using Type = UrdfJoint::Type;
using Fate = UrdfLink::Fate;

struct TypeFacts {
    Type type;
    std::string_view name;
    JointKind kind;
    bool has_axis, one_coordinate, needs_limits;
};
constexpr std::array<TypeFacts, 6> types{{
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
Quat<double> rotation_of_rpy(const Vec3<double>& rpy)
{
    const auto r = sin_cos(0.5 * rpy.x), p = sin_cos(0.5 * rpy.y), y = sin_cos(0.5 * rpy.z);
    return normalised(Quat<double>{y.cos, 0, 0, y.sin} * Quat<double>{p.cos, 0, p.sin, 0} *
                      Quat<double>{r.cos, r.sin, 0, 0});
}

/// The motion of the child's frame at a coordinate, for kinds that have one.
Pose<double> motion(const UrdfJoint& joint, double q)
{
    if (joint.type == Type::prismatic)
        return {q * joint.axis, identity_quat<double>()};
    return {zero3<double>(), exp_quat(q * joint.axis)};
}
/// The child's frame in the parent's.
Pose<double> child_pose(const UrdfJoint& joint, double q)
{
    return q == 0 ? joint.origin : joint.origin * motion(joint, q);
}

// ---- reading ------------------------------------------------------------------------------------

// Names are said with every problem and remark: one as long as the file would fill the memory.
constexpr std::size_t longest_name = 200;

/// The nearest known name, where looking for it is no labour: a file is written by anybody.
std::string near_name(std::string_view name, const std::vector<std::string_view>& known)
{
    if (name.size() > longest_name || known.size() > 1000)
        return {};
    return nearest_word(name, known);
}

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

    void read_link(const XmlNode& node);
    void read_inertial(const XmlNode& node, UrdfLink& link, const std::string& owner);
    void read_geometry(const XmlNode& node, UrdfLink& link, const std::string& owner);
    void read_mesh(const XmlNode& node, UrdfGeometry& geometry, const std::string& owner);
    void read_joint(const XmlNode& node);
    void read_limits(const XmlNode& node, UrdfJoint& joint, const std::string& owner);

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

// ---- elements and attributes --------------------------------------------------------------------

bool contains(std::initializer_list<std::string_view> names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

void Reader::only(const XmlNode& node, const std::string& owner, Names attributes, Names children)
{
    for (const XmlAttribute& a : node.attributes)
        if (!contains(attributes, a.name) && !a.name.starts_with("xmlns"))
            robot_.not_used.push_back(
                {a.line, a.column, owner,
                 "<" + node.name + " " + a.name + "=\"" + a.value.substr(0, 40) + "\">"});
    for (const XmlNode& c : node.children) {
        if (c.name.starts_with("xacro:"))
            problem(at(c), owner, ": <", c.name,
                    "> is a macro, and this file is the source of a URDF file; write one with "
                    "`xacro FILE > robot.urdf`");
        else if (!contains(children, c.name))
            robot_.not_used.push_back({c.line, c.column, owner, "<" + c.name + ">"});
    }
    if (!node.text.empty())
        robot_.not_used.push_back(
            {node.line, node.column, owner,
             "the text '" + node.text.substr(0, 40) + "' in <" + node.name + ">"});
}

const XmlNode* Reader::child(const XmlNode& node, std::string_view name, const std::string& owner)
{
    const XmlNode* first = nullptr;
    for (const XmlNode& c : node.children)
        if (c.name == name) {
            if (first)
                problem(at(c), owner, ": a second <", name, ">; leave one out");
            else
                first = &c;
        }
    return first;
}

std::optional<double> Reader::number(const XmlNode& node, std::string_view name,
                                     const std::string& owner)
{
    const XmlAttribute* a = node.attribute(name);
    if (!a)
        return std::nullopt;
    std::string_view text = a->value;
    const std::size_t first = text.find_first_not_of(' ');
    text = first == std::string_view::npos
               ? std::string_view()
               : text.substr(first, text.find_last_not_of(' ') + 1 - first);
    const ParsedNumber parsed = parse_number(text);
    if (!parsed.value)
        problem(at(*a), owner, ": ", name, " '", a->value, "' ", parsed.problem);
    return parsed.value ? parsed.value : 0.0; // harmless while the rest is looked at
}

double Reader::needed(const XmlNode& node, std::string_view name, const std::string& owner,
                      std::string_view example)
{
    if (!node.attribute(name))
        problem(at(node), owner, ": <", node.name, "> needs ", name, "; write <", node.name, " ",
                example, "/>");
    return number(node, name, owner).value_or(0.0);
}

Vec3<double> Reader::vector(const XmlNode& node, std::string_view name, const std::string& owner,
                            const Vec3<double>& otherwise)
{
    const XmlAttribute* a = node.attribute(name);
    if (!a)
        return otherwise;
    std::vector<double> parts;
    std::string_view rest = a->value;
    bool good = true;
    while (!rest.empty()) {
        if (rest.front() == ' ') {
            rest.remove_prefix(1);
            continue;
        }
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(word.size());
        const ParsedNumber parsed = parse_number(word);
        if (!parsed.value && good)
            problem(at(*a), owner, ": '", word, "' in ", name, "=\"", a->value, "\" ",
                    parsed.problem);
        good = good && parsed.value.has_value();
        parts.push_back(parsed.value.value_or(0.0));
    }
    if (good && parts.size() != 3)
        problem(at(*a), owner, ": ", name, " needs 3 numbers with blanks between them, has ",
                parts.size());
    return good && parts.size() == 3 ? Vec3<double>{parts[0], parts[1], parts[2]} : otherwise;
}

std::string Reader::named(const XmlNode& node, std::string_view kind)
{
    const XmlAttribute* name = node.attribute("name");
    if (!name || name->value.empty()) {
        problem(name ? At{name->line, name->column} : at(node), "this ", kind, " needs a name");
        return {};
    }
    if (first_bad_byte(name->value)) // by way of &#27; and the like
        problem(at(*name), "the name of a ", kind, " has a control character in it; leave it out");
    if (name->value.size() > longest_name)
        problem(at(*name), "the name of a ", kind, " has more than ", longest_name,
                " characters; shorten it");
    return name->value.substr(0, longest_name);
}

Pose<double> Reader::origin_of(const XmlNode& node, const std::string& owner)
{
    const XmlNode* origin = child(node, "origin", owner);
    if (!origin)
        return identity_pose<double>();
    only(*origin, owner, {"xyz", "rpy"}, {});
    const Vec3<double> o = zero3<double>();
    return {vector(*origin, "xyz", owner, o), rotation_of_rpy(vector(*origin, "rpy", owner, o))};
}

// ---- links --------------------------------------------------------------------------------------

void Reader::read_link(const XmlNode& node)
{
    UrdfLink link;
    link.name = named(node, "link");
    link.line = node.line;
    link.column = node.column;
    const std::string owner = "link '" + link.name + "'";
    const auto [twin, fresh] =
        link_index_.try_emplace(link.name, static_cast<int>(robot_.links.size()));
    if (!fresh && !link.name.empty())
        problem(at(node), owner, ": there is a link of this name in line ",
                of(robot_.links, twin->second).line, "; names must be unique");
    only(node, owner, {"name"}, {"inertial", "visual", "collision"});
    if (const XmlNode* inertial = child(node, "inertial", owner))
        read_inertial(*inertial, link, owner);
    for (const XmlNode& c : node.children)
        if (c.name == "visual" || c.name == "collision")
            read_geometry(c, link, owner);
    robot_.links.push_back(std::move(link));
}

void Reader::read_inertial(const XmlNode& node, UrdfLink& link, const std::string& owner)
{
    only(node, owner, {}, {"origin", "mass", "inertia"});
    const Pose<double> origin = origin_of(node, owner);
    const XmlNode* mass = child(node, "mass", owner);
    const XmlNode* inertia = child(node, "inertia", owner);
    if (!mass)
        problem(at(node), owner, ": <inertial> needs a <mass value=\"...\"/>");
    if (!inertia)
        problem(at(node), owner,
                ": <inertial> needs an <inertia ixx= ixy= ixz= iyy= iyz= izz=/>; `poinsot mass` "
                "gives those of a mesh");
    if (!mass || !inertia)
        return;
    only(*mass, owner, {"value"}, {});
    only(*inertia, owner, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {});
    const std::size_t before = found_.list().size();
    const double m = needed(*mass, "value", owner, "value=\"1.5\"");
    const auto moment = [&](std::string_view name) {
        return needed(*inertia, name, owner, text_of(name, "=\"0\""));
    };
    Sym3<double> I{};
    I.xx = moment("ixx");
    I.yy = moment("iyy");
    I.zz = moment("izz");
    I.xy = moment("ixy");
    I.xz = moment("ixz");
    I.yz = moment("iyz");
    if (found_.list().size() != before)
        return; // what could not be read is no mass
    if (m < 0) {
        problem(at(*mass), owner, ": mass must not be negative, is ", m,
                "; give what the part weighs");
        return;
    }
    if (m == 0 && (I.xx != 0 || I.yy != 0 || I.zz != 0 || I.xy != 0 || I.xz != 0 || I.yz != 0)) {
        problem(at(*inertia), owner,
                ": it has an inertia but no mass; give it its mass, or leave <inertial> out");
        return;
    }
    // The file gives the inertia about the centre of mass in axes of its own; ours are the link's.
    link.own = moved({m, zero3<double>(), I}, origin);
    link.inertial_line = node.line;
    link.inertial_column = node.column;
}

void Reader::read_geometry(const XmlNode& node, UrdfLink& link, const std::string& owner)
{
    only(node, owner, {"name"}, {"origin", "geometry"});
    UrdfGeometry made;
    made.line = node.line;
    made.column = node.column;
    if (const XmlAttribute* name = node.attribute("name"))
        made.name = name->value;
    made.pose = origin_of(node, owner);
    const XmlNode* geometry = child(node, "geometry", owner);
    const auto unused = [&](const XmlNode& at, const char* why) {
        robot_.not_used.push_back({at.line, at.column, owner, "<" + node.name + ">: " + why});
    };
    if (!geometry || geometry->children.empty()) {
        unused(node, "it has no geometry");
        return;
    }
    only(*geometry, owner, {}, {"box", "cylinder", "sphere", "capsule", "mesh"});
    const XmlNode& shape = geometry->children.front();
    if (geometry->children.size() > 1)
        unused(geometry->children[1], "a geometry has one shape, this is one more");
    const auto size = [&](std::string_view name, std::string_view example) {
        const std::size_t before = found_.list().size();
        const double value = needed(shape, name, owner, example);
        if (found_.list().size() == before && !(value > 0))
            problem(at(shape), owner, ": the ", name, " of a ", shape.name,
                    " must be positive, is ", value);
        return value;
    };
    if (shape.name == "box") {
        only(shape, owner, {"size"}, {});
        if (!shape.attribute("size"))
            problem(at(shape), owner, ": <box> needs size; write <box size=\"1 1 1\"/>");
        const Vec3<double> s = vector(shape, "size", owner, {1, 1, 1});
        if (!(s.x > 0 && s.y > 0 && s.z > 0))
            problem(at(shape), owner, ": the three sizes of a box must be positive");
        made.shape = Box{s};
    } else if (shape.name == "cylinder" || shape.name == "capsule") {
        only(shape, owner, {"radius", "length"}, {});
        const double radius = size("radius", "radius=\"0.1\" length=\"1\"");
        const double length = size("length", "radius=\"0.1\" length=\"1\"");
        if (shape.name == "cylinder")
            made.shape = Cylinder{radius, length};
        else
            made.shape = Capsule{radius, length};
    } else if (shape.name == "sphere") {
        only(shape, owner, {"radius"}, {});
        made.shape = Ball{size("radius", "radius=\"0.1\"")};
    } else if (shape.name == "mesh") {
        read_mesh(shape, made, owner);
    } else {
        return; // listed by `only`
    }
    (node.name == "visual" ? link.visual : link.collision).push_back(std::move(made));
}

void Reader::read_mesh(const XmlNode& node, UrdfGeometry& geometry, const std::string& owner)
{
    namespace fs = std::filesystem;
    only(node, owner, {"filename", "scale"}, {});
    geometry.scale = vector(node, "scale", owner, {1, 1, 1});
    const XmlAttribute* name = node.attribute("filename");
    if (!name || name->value.empty()) {
        problem(name ? at(*name) : at(node), owner, ": <mesh> needs filename");
        return;
    }
    const std::string_view written = name->value;
    const fs::path beside = fs::path(file_).parent_path();
    std::vector<fs::path> tried;
    if (const std::size_t scheme = written.find("://"); scheme == std::string_view::npos) {
        tried.push_back(beside / fs::path(written));
    } else if (written.starts_with("file://")) {
        tried.emplace_back(written.substr(scheme + 3));
    } else if (written.starts_with("package://") || written.starts_with("model://")) {
        const std::string_view path = written.substr(scheme + 3);
        const std::size_t slash = path.find('/');
        const std::string_view package = path.substr(0, slash);
        const fs::path rest(slash == std::string_view::npos ? "" : path.substr(slash + 1));
        for (const std::string& given : options_.package_paths) {
            const std::size_t equals = given.find('=');
            if (equals == std::string::npos)
                tried.push_back(fs::path(given) / package / rest);
            else if (std::string_view(given).substr(0, equals) == package)
                tried.push_back(fs::path(given.substr(equals + 1)) / rest);
        }
        std::error_code error;
        fs::path folder = fs::absolute(beside, error).lexically_normal();
        while (!error) {
            if (folder.filename() == fs::path(package))
                tried.push_back(folder / rest);
            tried.push_back(folder / package / rest);
            if (folder == folder.parent_path())
                break;
            folder = folder.parent_path();
        }
    }
    geometry.shape = MeshShape{std::string(written)};
    geometry.missing = true;
    for (const fs::path& path : tried) {
        std::error_code error;
        if (fs::is_regular_file(path, error)) {
            geometry.shape = MeshShape{path.string()};
            geometry.missing = false;
            return;
        }
    }
}

// ---- joints -------------------------------------------------------------------------------------

void Reader::read_joint(const XmlNode& node)
{
    UrdfJoint joint;
    joint.name = named(node, "joint");
    joint.line = node.line;
    joint.column = node.column;
    const std::string owner = "joint '" + joint.name + "'";
    const auto [twin, fresh] =
        joint_index_.try_emplace(joint.name, static_cast<int>(robot_.joints.size()));
    if (!fresh && !joint.name.empty())
        problem(at(node), owner, ": there is a joint of this name in line ",
                of(robot_.joints, twin->second).line, "; names must be unique");
    only(node, owner, {"name", "type"},
         {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"});

    bool usable = true;
    std::vector<std::string_view> known;
    for (const TypeFacts& facts : types)
        known.push_back(facts.name);
    const XmlAttribute* type = node.attribute("type");
    const auto which = type ? std::find(known.begin(), known.end(), type->value) : known.end();
    if (which != known.end()) {
        joint.type = types[static_cast<std::size_t>(which - known.begin())].type;
    } else {
        usable = false;
        const std::string near = type ? near_name(type->value, known) : std::string();
        problem(type ? at(*type) : at(node), owner, ": ",
                type ? "there is no type '" + type->value + "'" : std::string("it needs a type"),
                near.empty() ? "" : "; did you mean '" + near + "'?",
                " Types are revolute, continuous, prismatic, fixed, floating and planar");
    }

    Ends ends{"", "", at(node), at(node)};
    const auto end = [&](std::string_view which_end, std::string& name, At& place) {
        const XmlNode* e = child(node, which_end, owner);
        const XmlAttribute* link = e ? e->attribute("link") : nullptr;
        if (e)
            only(*e, owner, {"link"}, {});
        if (!link || link->value.empty()) {
            usable = false;
            problem(e ? at(*e) : at(node), owner, ": it needs a <", which_end, " link=\"...\"/>");
            return;
        }
        name = link->value;
        place = at(*link);
    };
    end("parent", ends.parent, ends.parent_at);
    end("child", ends.child, ends.child_at);

    const TypeFacts& facts = facts_of(joint.type);
    joint.origin = origin_of(node, owner);
    const auto unused = [&](const XmlNode& what) {
        robot_.not_used.push_back({what.line, what.column, owner,
                                   text_of("<", what.name, "> of a ", facts.name, " joint")});
    };
    if (const XmlNode* axis = child(node, "axis", owner)) {
        only(*axis, owner, {"xyz"}, {});
        const Vec3<double> given = vector(*axis, "xyz", owner, {1, 0, 0});
        const double length = norm(given);
        if (usable && !facts.has_axis)
            unused(*axis);
        else if (!(length > 0) || !std::isfinite(length))
            problem(at(*axis), owner, ": the axis has no direction; give a vector of length 1");
        else {
            joint.axis = 1 / length * given;
            if (std::abs(length - 1) > 1e-6) // more than the rounding of six digits
                warn(at(*axis), owner, "its axis has length ", length,
                     "; the direction alone is used");
        }
    } else if (usable && facts.has_axis) {
        warn(at(node), owner, "no axis is given; it is (1 0 0), as URDF has it");
    }
    if (const XmlNode* limit = child(node, "limit", owner)) {
        if (usable && !facts.one_coordinate)
            unused(*limit);
        else if (usable)
            read_limits(*limit, joint, owner);
    } else if (usable && facts.needs_limits) {
        problem(at(node), owner, ": a ", facts.name,
                " joint needs a <limit lower= upper= effort= velocity=/>",
                joint.type == Type::revolute ? "; one without limits is continuous" : "");
    }
    if (const XmlNode* dynamics = child(node, "dynamics", owner)) {
        only(*dynamics, owner, {"damping", "friction"}, {});
        for (const auto& [name, value] :
             {std::pair("damping", &joint.damping), {"friction", &joint.friction}}) {
            *value = number(*dynamics, name, owner).value_or(0.0);
            if (*value < 0) {
                problem(at(*dynamics), owner, ": ", name, " must not be negative, is ", *value);
                *value = 0;
            }
        }
        if (usable && !facts.one_coordinate)
            unused(*dynamics);
    }
    if (const XmlNode* mimic = child(node, "mimic", owner)) {
        only(*mimic, owner, {"joint", "multiplier", "offset"}, {});
        const XmlAttribute* master = mimic->attribute("joint");
        UrdfMimic made;
        made.multiplier = number(*mimic, "multiplier", owner).value_or(1.0);
        made.offset = number(*mimic, "offset", owner).value_or(0.0);
        if (!master || master->value.empty())
            problem(at(*mimic), owner, ": <mimic> needs joint; name the joint it follows");
        else if (usable && !facts.one_coordinate)
            unused(*mimic);
        else {
            made.joint = master->value;
            joint.mimic = made;
        }
    }
    usable_.push_back(usable);
    ends_.push_back(std::move(ends));
    robot_.joints.push_back(std::move(joint));
}

void Reader::read_limits(const XmlNode& node, UrdfJoint& joint, const std::string& owner)
{
    only(node, owner, {"lower", "upper", "effort", "velocity"}, {});
    const std::size_t before = found_.list().size();
    joint.lower = number(node, "lower", owner);
    joint.upper = number(node, "upper", owner);
    joint.effort = number(node, "effort", owner);
    joint.velocity = number(node, "velocity", owner);
    if (found_.list().size() != before)
        return;
    for (const auto& [name, value] :
         {std::pair("effort", joint.effort), {"velocity", joint.velocity}}) {
        if (!value)
            warn(at(node), owner, "no limit of ", name, " is given");
        else if (*value < 0)
            problem(at(node), owner, ": the limit of ", name, " must not be negative, is ", *value);
    }
    if (joint.type == Type::continuous) {
        if (joint.lower || joint.upper)
            robot_.not_used.push_back({node.line, node.column, owner,
                                       "lower and upper of a continuous joint, which has none"});
        return;
    }
    // One that is missing is zero, by the format.
    const double lower = joint.lower.value_or(0.0), upper = joint.upper.value_or(0.0);
    if (lower > upper)
        problem(at(node), owner, ": the limits are the wrong way round: lower ", lower, ", upper ",
                upper, "; exchange them");
}

// ---- the tree -----------------------------------------------------------------------------------

/// Parents, children and an order from the root down; false where links and joints are no tree.
bool Reader::find_tree()
{
    std::vector<UrdfLink>& links = robot_.links;
    std::vector<UrdfJoint>& joints = robot_.joints;
    std::vector<std::string_view> names;
    for (const UrdfLink& link : links)
        names.push_back(link.name);
    carrier_.assign(links.size(), none);
    std::vector<std::vector<int>> below(links.size());
    bool whole = link_index_.size() == links.size(); // else a name stands for two
    std::size_t offers = 0;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        UrdfJoint& joint = joints[j];
        const std::string owner = "joint '" + joint.name + "'";
        const auto find = [&](const std::string& name, At place, const char* which) {
            const auto found = link_index_.find(name);
            if (found != link_index_.end())
                return found->second;
            whole = false;
            if (!name.empty()) {
                const std::string near = ++offers <= 20 ? near_name(name, names) : "";
                problem(place, owner, ": there is no link '", name, "' to be its ", which,
                        near.empty() ? "; add it or correct the name"
                                     : "; did you mean '" + near + "'?");
            }
            return none;
        };
        joint.parent = find(ends_[j].parent, ends_[j].parent_at, "parent");
        joint.child = find(ends_[j].child, ends_[j].child_at, "child");
        if (joint.parent == none || joint.child == none)
            continue;
        int& above = of(carrier_, joint.child);
        if (joint.parent == joint.child) {
            whole = false;
            problem(at(joint), owner, ": it joins link '", ends_[j].child,
                    "' to itself; name another parent");
        } else if (above != none) {
            whole = false;
            problem(ends_[j].child_at, owner, ": link '", ends_[j].child,
                    "' is the child of joint '", of(joints, above).name, "' (line ",
                    of(joints, above).line,
                    ") already; a link has one parent. Loops cannot be written in URDF");
        } else {
            above = static_cast<int>(j);
            of(below, joint.parent).push_back(joint.child);
        }
    }
    if (!whole) // roots and cycles would be echoes of what is said already
        return false;

    std::vector<int> roots;
    for (std::size_t i = 0; i < links.size(); ++i)
        if (carrier_[i] == none)
            roots.push_back(static_cast<int>(i));
    for (std::size_t k = 1; k < roots.size() && k <= 20; ++k)
        problem(at(of(links, roots[k])), "link '", of(links, roots[k]).name,
                "' has no parent, and nor has '", of(links, roots[0]).name,
                "'; a robot has one root: join it to another link (type fixed, if it does not "
                "move)");
    order_ = roots;
    for (std::size_t head = 0; head < order_.size(); ++head) {
        const auto& next = of(below, order_[head]);
        order_.insert(order_.end(), next.begin(), next.end());
    }
    if (order_.size() < links.size()) {
        // What no root reaches hangs on a cycle. Going up from any of it leads there.
        std::vector<bool> reached(links.size(), false);
        for (const int i : order_)
            of(reached, i) = true;
        const auto lost =
            static_cast<int>(std::find(reached.begin(), reached.end(), false) - reached.begin());
        const auto up = [&](int i) {
            const int j = of(carrier_, i);
            return of(joints, j).parent;
        };
        int i = lost;
        for (std::size_t n = 0; n < links.size(); ++n)
            i = up(i);
        std::string round = "'" + of(links, i).name + "'";
        int shown = 0;
        for (int k = up(i); k != i && shown < 10; k = up(k), ++shown)
            round = "'" + of(links, k).name + "' carries " + round;
        const UrdfJoint& joint = of(joints, of(carrier_, i));
        problem(at(joint), roots.empty() ? "there is no root: " : "",
                "links carry each other in a "
                "circle: ",
                round, shown < 10 ? ", which carries the first" : ", and so on",
                "; take one of these joints out");
        return false;
    }
    robot_.root = roots.front();
    heavy_.assign(links.size(), false);
    for (auto i = order_.rbegin(); i != order_.rend(); ++i) {
        const auto here = static_cast<std::size_t>(*i);
        heavy_[here] = heavy_[here] || links[here].own.mass > 0;
        if (carrier_[here] != none && heavy_[here])
            of(heavy_, of(joints, carrier_[here]).parent) = true;
    }
    return roots.size() == 1;
}

void Reader::lock_joints()
{
    std::vector<std::string_view> names;
    for (const UrdfJoint& joint : robot_.joints)
        names.push_back(joint.name);
    for (const UrdfLock& lock : options_.locks) {
        const std::string place = visible("lock '" + lock.joint + "'");
        const auto index = joint_index_.find(lock.joint);
        if (index == joint_index_.end()) {
            const std::string near = near_name(lock.joint, names);
            found_.add(place, "there is no joint of this name",
                       near.empty() ? "" : "; did you mean '" + visible(near) + "'?");
            continue;
        }
        UrdfJoint& joint = of(robot_.joints, index->second);
        const TypeFacts& facts = facts_of(joint.type);
        if (joint.type == Type::fixed)
            found_.add(place, "this joint is fixed in the file; take the lock away");
        else if (!std::isfinite(lock.q))
            found_.add(place, "it must be locked at a finite coordinate");
        else if (!facts.one_coordinate && lock.q != 0)
            found_.add(place, "a ", facts.name, " joint has no single coordinate; lock it at 0");
        else
            joint.locked = lock.q;
    }
}

/// Where each joint starts: zero, or where the joint it mimics asks it to.
void Reader::follow_mimics()
{
    std::vector<UrdfJoint>& joints = robot_.joints;
    std::vector<std::string_view> names;
    for (const UrdfJoint& joint : joints)
        names.push_back(joint.name);
    std::size_t offers = 0;
    std::vector<int> master(joints.size(), none);
    for (std::size_t j = 0; j < joints.size(); ++j) {
        UrdfJoint& joint = joints[j];
        if (joint.locked) {
            joint.start = *joint.locked;
            joint.why = text_of("locked at ", *joint.locked);
        }
        if (!joint.mimic)
            continue;
        const std::string owner = "joint '" + joint.name + "'";
        const auto found = joint_index_.find(joint.mimic->joint);
        if (found == joint_index_.end()) {
            const std::string near = ++offers <= 20 ? near_name(joint.mimic->joint, names) : "";
            problem(at(joint), owner, ": it mimics '", joint.mimic->joint,
                    "', and there is no such joint",
                    near.empty() ? "; correct the name" : "; did you mean '" + near + "'?");
        } else if (!facts_of(of(joints, found->second).type).one_coordinate) {
            problem(at(joint), owner, ": it mimics '", joint.mimic->joint,
                    "', which has no single coordinate to follow");
        } else if (options_.ignore_mimic) {
            joint.why = "its mimic of '" + joint.mimic->joint + "' is ignored, as asked";
        } else if (joint.locked) {
            joint.why += "; its mimic of '" + joint.mimic->joint + "' has no effect";
        } else {
            master[j] = found->second;
        }
    }
    // Chains of mimics, each from its free end back. No recursion: a chain may be long.
    constexpr int unseen = 0, on_the_way = 1, seen = 2;
    std::vector<int> marks(joints.size(), unseen);
    for (std::size_t first = 0; first < joints.size(); ++first) {
        std::vector<std::size_t> chain;
        std::size_t j = first;
        while (marks[j] == unseen) {
            marks[j] = on_the_way;
            chain.push_back(j);
            if (master[j] == none)
                break;
            j = static_cast<std::size_t>(master[j]);
        }
        if (!chain.empty() && marks[j] == on_the_way && master[j] != none && j != chain.back()) {
            problem(at(joints[j]), "joint '", joints[j].name,
                    "': it mimics itself by way of others; let one of them move freely");
        } else if (!chain.empty() && master[chain.back()] == static_cast<int>(chain.back())) {
            problem(at(joints[j]), "joint '", joints[j].name,
                    "': it mimics itself; name another joint");
        } else {
            for (auto k = chain.rbegin(); k != chain.rend(); ++k) {
                UrdfJoint& joint = joints[*k];
                if (master[*k] == none)
                    continue;
                const UrdfJoint& leader = of(joints, master[*k]);
                const UrdfMimic& mimic = *joint.mimic;
                joint.start = mimic.multiplier * leader.start + mimic.offset;
                if (mimic.multiplier == 0) {
                    joint.locked = joint.start;
                    joint.why =
                        text_of("locked at ", joint.start, ": its mimic has the multiplier 0");
                } else if (leader.locked) {
                    joint.locked = joint.start;
                    joint.why = text_of("locked at ", joint.start, ": it mimics '", leader.name,
                                        "', which is locked");
                }
            }
        }
        for (const std::size_t k : chain)
            marks[k] = seen;
    }
}

// ---- what is rigid ------------------------------------------------------------------------------

void Reader::find_clusters()
{
    const std::size_t count = robot_.links.size();
    cluster_.assign(count, none);
    placed_.assign(count, identity_pose<double>());
    above_.assign(count, none);
    members_.assign(count, {});
    for (const int i : order_) {
        const auto here = static_cast<std::size_t>(i);
        cluster_[here] = i;
        if (carrier_[here] != none) {
            const UrdfJoint& joint = of(robot_.joints, carrier_[here]);
            if (rigid(joint)) {
                const auto above = static_cast<std::size_t>(joint.parent);
                cluster_[here] = cluster_[above];
                above_[here] = robot_.links[above].own.mass > 0 ? joint.parent : above_[above];
                placed_[here] = placed_[above] * child_pose(joint, joint.locked.value_or(0.0));
                placed_[here].q = normalised(placed_[here].q);
            }
        }
        if (robot_.links[here].own.mass > 0)
            of(members_, cluster_[here]).push_back(i);
    }
}

/// Why the builder would not take it as a body.
std::string Reader::why_no_body(const MassProperties& mass) const
{
    const std::string why = why_cannot_exist(mass.inertia);
    if (!why.empty())
        return "no body has its inertia: " + why;
    const Vec3<double> moments = principal_axes(mass.inertia).moments;
    if (moments.z == 0)
        return "it is a point: its inertia is zero";
    if (!(moments.x > 1e-12 * trace(mass.inertia))) // as Builder::build sees it
        return text_of("its inertia about one axis is zero: principal moments ", moments.x, ", ",
                       moments.y, ", ", moments.z);
    return {};
}

void Reader::find_groups()
{
    std::vector<UrdfLink>& links = robot_.links;
    group_.assign(links.size(), none);
    whole_.assign(links.size(), MassProperties{});
    for (const int top : order_) {
        const std::vector<int>& all = of(members_, top);
        if (all.empty())
            continue;
        for (const int i : all) {
            of(group_, i) = i;
            of(whole_, i) = of(links, i).own;
        }
        const auto join = [&](int a, int b) { // the group of b becomes part of that of a
            const auto first = static_cast<std::size_t>(a), second = static_cast<std::size_t>(b);
            const Pose<double> relative = inverse(placed_[first]) * placed_[second];
            whole_[first] = joined(whole_[first], moved(whole_[second], relative));
            group_[second] = a;
        };
        const auto first_of = [&](int i) { // of its group
            while (of(group_, i) != i)
                i = of(group_, i) = of(group_, of(group_, i));
            return i;
        };
        if (options_.merge_fixed) {
            for (std::size_t k = 1; k < all.size(); ++k)
                join(all.front(), all[k]);
            for (std::size_t k = 1; k < all.size(); ++k)
                of(links, all[k]).why =
                    "fixed to '" + of(links, all.front()).name + "' and joined with it, as asked";
        } else {
            const auto bad = [&](int i) {
                return of(group_, i) == i && !why_no_body(of(whole_, i)).empty();
            };
            const auto say = [&](int guilty, int with) {
                UrdfLink& link = of(links, guilty);
                const std::string why = why_no_body(link.own);
                if (!why.empty())
                    warn(inertial_of(link), "link '" + link.name + "'", why, "; it is fixed to '",
                         of(links, with).name, "' and taken together with it, which can exist");
            };
            // From the leaves up, each that cannot stand alone goes to the one it hangs on; what is
            // at the top takes in the next below until it can stand.
            for (auto i = all.rbegin(); i != all.rend(); ++i)
                if (bad(*i)) {
                    const int to = of(above_, *i);
                    if (to == none)
                        continue;
                    say(*i, to);
                    of(links, *i).why = "joined with '" + of(links, to).name +
                                        "', to which it is fixed: alone it cannot be a body";
                    join(to, *i);
                }
            for (std::size_t k = 0; k < all.size(); ++k) {
                if (!bad(all[k]))
                    continue;
                for (std::size_t n = k + 1; n < all.size() && bad(all[k]); ++n)
                    if (of(group_, all[n]) == all[n]) {
                        say(all[k], all[n]);
                        of(links, all[n]).why =
                            "joined with '" + of(links, all[k]).name +
                            "', which is fixed to it and alone cannot be a body";
                        join(all[k], all[n]);
                    }
                if (bad(all[k]) && first_of(all.front()) != all[k]) {
                    const int to = first_of(all.front());
                    say(all[k], to);
                    of(links, all[k]).why = "joined with '" + of(links, to).name +
                                            "', to which it is fixed: alone it cannot be a body";
                    join(to, all[k]);
                }
            }
        }
        for (const int i : all) {
            const auto here = static_cast<std::size_t>(i);
            group_[here] = first_of(i);
            const std::string why = group_[here] == i ? why_no_body(whole_[here]) : std::string();
            if (!why.empty())
                problem(inertial_of(links[here]), "link '", links[here].name, "': ", why,
                        "; give it the inertia of its shape (`poinsot mass` gives that of a mesh)",
                        all.size() == 1 ? ", or fix it to a link that has one" : "");
        }
    }
}

/// Where every link is: a body, a frame of one, or nowhere.
void Reader::find_frames()
{
    std::vector<UrdfLink>& links = robot_.links;
    std::vector<int> body_of(links.size(), none); // by first link of a group
    int bodies = 0;
    for (const int i : order_)
        if (of(group_, i) == i)
            of(body_of, i) = bodies++;
    for (const int i : order_) {
        const auto here = static_cast<std::size_t>(i);
        UrdfLink& link = links[here];
        const auto top = static_cast<std::size_t>(cluster_[here]);
        const auto put = [&](int first_link) {
            const auto first = static_cast<std::size_t>(first_link);
            link.frame = first_link == i
                             ? UrdfFrame{body_of[first], identity_pose<double>()}
                             : UrdfFrame{body_of[first], inverse(placed_[first]) * placed_[here]};
        };
        if (group_[here] != none) {
            link.fate = group_[here] == i ? Fate::body : Fate::joined;
            put(group_[here]);
            continue;
        }
        // No mass. On the body above it in its cluster, else on the world, else on the first below.
        const bool is_top = here == top;
        const UrdfJoint* joint =
            carrier_[here] == none ? nullptr : &of(robot_.joints, carrier_[here]);
        const bool grounded = cluster_[here] == robot_.root && options_.base == UrdfBase::fixed;
        const std::string no_mass = link.inertial_line ? "its mass is 0" : "it has no <inertial>";
        if (!is_top) {
            const UrdfLink& parent = of(links, joint->parent);
            if (parent.frame) {
                link.fate = Fate::frame;
                const Pose<double> q = child_pose(*joint, joint->locked.value_or(0.0));
                link.frame = UrdfFrame{parent.frame->body, parent.frame->pose * q};
                link.why = no_mass + "; a frame fixed to '" + parent.name + "'";
            } else {
                link.why = no_mass + "; fixed to '" + parent.name + "', which is left out";
            }
        } else if (grounded) {
            link.fate = Fate::frame;
            link.frame = UrdfFrame{world, identity_pose<double>()};
            link.why = no_mass + "; a frame of the world";
        } else if (!members_[top].empty()) {
            link.fate = Fate::frame;
            put(of(group_, members_[top].front()));
            link.why = no_mass + "; a frame of '" + of(links, members_[top].front()).name +
                       "', which is fixed to it";
        } else if (heavy_[here]) {
            problem(at(link), "link '", link.name, "' has no mass (", no_mass, "), ",
                    joint ? "moves by joint '" + joint->name + "'" : std::string("floats"),
                    " and carries links that have mass: no force could move it. Give it the mass "
                    "of the part it stands for",
                    joint ? ", or make the joint fixed" : ", or take a fixed base");
        } else {
            link.why = no_mass + ", and it moves nothing that has mass";
        }
    }
}

// ---- the model ----------------------------------------------------------------------------------

void Reader::add_bodies()
{
    // Where the links are at the start.
    std::vector<Pose<double>> X(robot_.links.size(), identity_pose<double>());
    for (const int i : order_) {
        const auto here = static_cast<std::size_t>(i);
        if (carrier_[here] != none) {
            const UrdfJoint& joint = of(robot_.joints, carrier_[here]);
            X[here] = of(X, joint.parent) * child_pose(joint, joint.start);
            X[here].q = normalised(X[here].q);
        }
        const UrdfLink& link = robot_.links[here];
        if (link.fate != Fate::body)
            continue;
        Body body;
        body.name = link.name;
        body.mass_properties = whole_[here];
        body.pose = X[here];
        robot_.description.add(std::move(body));
    }
}

void Reader::add_movable(UrdfJoint& joint)
{
    const UrdfLink& parent = of(robot_.links, joint.parent);
    const UrdfLink& child = of(robot_.links, joint.child);
    if (!child.frame || !parent.frame) {
        joint.why = "left out: it moves nothing that has mass";
        return;
    }
    const TypeFacts& facts = facts_of(joint.type);
    const Pose<double> A{zero3<double>(),
                         facts.has_axis ? turned_from_z(joint.axis) : identity_quat<double>()};
    Joint made;
    made.name = joint.name;
    made.kind = facts.kind;
    made.a = parent.frame->body;
    made.b = child.frame->body;
    made.frame_a = parent.frame->pose * joint.origin * A;
    made.frame_b = child.frame->pose * A;
    const auto coordinates = static_cast<std::size_t>(poinsot::facts_of(made.kind).coordinates);
    made.start.assign(coordinates, 0.0);
    if (facts.one_coordinate) {
        made.start.front() = joint.start;
        CoordinateLaw law;
        law.damping = joint.damping;
        law.friction = joint.friction;
        if (facts.needs_limits) {
            law.lower = joint.lower.value_or(0.0);
            law.upper = joint.upper.value_or(0.0);
            if (!(law.lower < law.upper))
                problem(at(joint), "joint '", joint.name, "': its limits leave no room: lower ",
                        law.lower, ", upper ", law.upper,
                        " (one that is missing is 0); widen them, make it fixed, or lock it");
            if (!(law.lower <= joint.start && joint.start <= law.upper))
                warn(at(joint), "joint '" + joint.name + "'", "it starts at ", joint.start,
                     ", outside of its limits ", law.lower, " to ", law.upper);
        }
        made.laws = {law};
    }
    joint.joint = robot_.description.add(std::move(made));
}

void Reader::add_joints()
{
    Builder& builder = robot_.description;
    // A weld is added where it holds together what no other weld does.
    std::vector<int> held(builder.bodies.size() + 1); // the last is the world
    std::iota(held.begin(), held.end(), 0);
    const auto leader = [&](int body) {
        auto i = body == world ? held.size() - 1 : static_cast<std::size_t>(body);
        while (static_cast<std::size_t>(held[i]) != i) {
            held[i] = of(held, held[i]);
            i = static_cast<std::size_t>(held[i]);
        }
        return static_cast<int>(i);
    };
    const UrdfLink& root = of(robot_.links, robot_.root);
    if (options_.base == UrdfBase::fixed && root.frame && root.frame->body != world) {
        Joint weld;
        weld.kind = JointKind::weld;
        weld.name = "world to " + root.name;
        while (joint_index_.contains(weld.name))
            weld.name += "'";
        weld.b = root.frame->body;
        weld.frame_b = root.frame->pose;
        of(held, leader(weld.b)) = leader(world);
        builder.add(std::move(weld));
    }
    for (const int i : order_) {
        const int above = of(carrier_, i);
        if (above == none)
            continue;
        UrdfJoint& joint = of(robot_.joints, above);
        if (!rigid(joint)) {
            add_movable(joint);
            continue;
        }
        const auto& a = of(robot_.links, joint.parent).frame;
        const auto& b = of(robot_.links, joint.child).frame;
        const std::string locked = joint.locked ? joint.why + "; " : std::string();
        if (!a || !b) {
            joint.why = locked + "left out: it carries nothing that has mass";
        } else if (leader(a->body) == leader(b->body)) {
            joint.why = locked + "both its links are parts of one body, or of the world";
        } else {
            Joint weld;
            weld.kind = JointKind::weld;
            weld.name = joint.name;
            weld.a = a->body;
            weld.b = b->body;
            weld.frame_a = a->pose * child_pose(joint, joint.locked.value_or(0.0));
            weld.frame_b = b->pose;
            of(held, leader(weld.b)) = leader(weld.a);
            joint.joint = builder.add(std::move(weld));
        }
    }
}

void Reader::add_gears()
{
    for (UrdfJoint& joint : robot_.joints) {
        if (!joint.mimic || options_.ignore_mimic || joint.locked || joint.joint == none)
            continue;
        const auto found = joint_index_.find(joint.mimic->joint);
        if (found == joint_index_.end())
            continue;
        const UrdfJoint& leader = of(robot_.joints, found->second);
        if (leader.joint == none) {
            joint.why = "moves freely: it mimics '" + leader.name + "', which is left out";
            continue;
        }
        robot_.description.gears.push_back(
            {"mimic of " + joint.name, joint.joint, 0, leader.joint, 0, joint.mimic->multiplier});
        joint.why = text_of("q = ", joint.mimic->multiplier, " q('", leader.name, "') + ",
                            joint.mimic->offset);
    }
}

// ---- what can be, and is rarely meant -----------------------------------------------------------

/// A bound of the distance from a point to any point of a shape; none for a mesh.
std::optional<double> reach(const UrdfGeometry& geometry, const Vec3<double>& from)
{
    const double away = norm(geometry.pose.x - from);
    if (const auto* box = std::get_if<Box>(&geometry.shape))
        return away + 0.5 * norm(box->size);
    if (const auto* ball = std::get_if<Ball>(&geometry.shape))
        return away + ball->radius;
    if (const auto* cylinder = std::get_if<Cylinder>(&geometry.shape))
        return away + std::hypot(cylinder->radius, 0.5 * cylinder->height);
    if (const auto* capsule = std::get_if<Capsule>(&geometry.shape))
        return away + capsule->radius + 0.5 * capsule->height;
    return std::nullopt;
}

void Reader::look_for_the_unlikely()
{
    double total = 0;
    for (const UrdfLink& link : robot_.links)
        total += link.own.mass;
    for (const UrdfLink& link : robot_.links) {
        const std::string owner = "link '" + link.name + "'";
        for (const auto* list : {&link.visual, &link.collision})
            for (const UrdfGeometry& g : *list)
                if (g.missing) {
                    const std::string& path = std::get<MeshShape>(g.shape).path;
                    const std::size_t scheme = path.find("://");
                    if (path.starts_with("package://") || path.starts_with("model://"))
                        warn(at(g), owner, "meshes of package '",
                             path.substr(scheme + 3, path.find('/', scheme + 3) - scheme - 3),
                             "' were not found; say where it is");
                    else
                        warn(at(g), owner, "there is no mesh file '", path, "'");
                }
        if (!(link.own.mass > 0))
            continue;
        const At here = inertial_of(link);
        const MassProperties& own = link.own;
        if (own.mass < 1e-6 * total)
            warn(here, owner, "its mass of ", own.mass,
                 " kg is less than a millionth of all: a "
                 "placeholder?");
        if (own.inertia == diagonal(1.0, 1.0, 1.0))
            warn(here, owner, "its inertia is 1 kg m² about every axis: a placeholder?");
        // No part of a body is farther from its centre of mass than ρ, so no moment exceeds m ρ².
        // Collision shapes are simplified: one that is half as large as the part is let pass.
        double rho = 0;
        bool bounded = !link.collision.empty();
        for (const UrdfGeometry& g : link.collision) {
            const auto far = reach(g, own.center);
            bounded = bounded && far.has_value();
            rho = std::max(rho, far.value_or(0.0));
        }
        const double most = own.mass * rho * rho;
        const double largest = principal_axes(own.inertia).moments.z;
        if (bounded && largest > 4 * most)
            warn(here, owner, "its largest moment is ", largest,
                 " kg m²; a body of this mass inside its collision shapes has ", most, " at most");
    }
}

// ---- all of it ----------------------------------------------------------------------------------

Result<UrdfRobot> Reader::read(const XmlNode& root)
{
    robot_.file = file_;
    robot_.base = options_.base;
    if (root.name != "robot") {
        problem(at(root), "the root is <", root.name, ">, and that of a URDF file is <robot>",
                root.name == "sdf" || root.name == "mujoco" ? "; this is a file of another format"
                                                            : "");
        return found_;
    }
    robot_.name = named(root, "robot");
    only(root, "robot '" + robot_.name + "'", {"name", "version"}, {"link", "joint"});
    if (const XmlAttribute* version = root.attribute("version");
        version && version->value != "1.0" && version->value != "1")
        problem(at(*version), "this is URDF of version '", version->value,
                "'; version 1.0 is read");
    for (const XmlNode& child : root.children)
        if (child.name == "link")
            read_link(child);
        else if (child.name == "joint")
            read_joint(child);
    if (robot_.links.empty())
        problem(at(root), "there is no <link> in this robot; it needs one at least");
    const bool readable = std::all_of(usable_.begin(), usable_.end(), [](bool u) { return u; });
    const bool tree = !robot_.links.empty() && find_tree();
    if (tree && readable) {
        lock_joints();
        follow_mimics();
        // A mass that could not be read would look like none, and a body be missed.
        if (!found_.any()) {
            if (!of(heavy_, robot_.root))
                problem(at(root), "no link has mass; give one at least an <inertial>");
            find_clusters();
            find_groups();
            find_frames();
        }
    }
    if (!found_.any()) {
        add_bodies();
        add_joints();
        add_gears();
        look_for_the_unlikely();
    }
    if (!found_.any()) {
        // The builder has the last word; what it finds is named after a link or a joint.
        const auto built = robot_.description.build();
        if (!built)
            for (const Problem& p : built.problems().list()) {
                if (const auto link = link_index_.find(p.place); link != link_index_.end())
                    problem(at(of(robot_.links, link->second)), "link '", p.place, "': ", p.what);
                else if (const auto joint = joint_index_.find(p.place); joint != joint_index_.end())
                    problem(at(of(robot_.joints, joint->second)), "joint '", p.place,
                            "': ", p.what);
                else
                    problem(at(root), p.place, ": ", p.what);
            }
    }
    if (found_.any())
        return found_;
    const auto by_line = [](const UrdfRemark& a, const UrdfRemark& b) { return a.line < b.line; };
    std::stable_sort(robot_.warnings.begin(), robot_.warnings.end(), by_line);
    std::stable_sort(robot_.not_used.begin(), robot_.not_used.end(), by_line);
    return std::move(robot_);
}

} // namespace

std::string_view name_of(UrdfJoint::Type type)
{
    return facts_of(type).name;
}
std::string_view name_of(UrdfLink::Fate fate)
{
    switch (fate) {
    case Fate::body:
        return "body";
    case Fate::joined:
        return "joined";
    case Fate::frame:
        return "frame";
    case Fate::left_out:
        break;
    }
    return "left out";
}

const UrdfLink* UrdfRobot::link(std::string_view called) const
{
    const auto found = std::find_if(links.begin(), links.end(),
                                    [&](const UrdfLink& l) { return l.name == called; });
    return found == links.end() ? nullptr : &*found;
}
const UrdfJoint* UrdfRobot::joint(std::string_view called) const
{
    const auto found = std::find_if(joints.begin(), joints.end(),
                                    [&](const UrdfJoint& j) { return j.name == called; });
    return found == joints.end() ? nullptr : &*found;
}
void UrdfRobot::put_base(const Pose<double>& root_pose, const Twist<double>& V)
{
    check(base == UrdfBase::floating || (norm(V.v) == 0 && norm(V.omega) == 0),
          "a fixed base does not move");
    const UrdfFrame& frame = *of(links, root).frame;
    const Pose<double> now =
        frame.body == world ? frame.pose : of(description.bodies, frame.body).pose * frame.pose;
    const Pose<double> carry = root_pose * inverse(now);
    if (base == UrdfBase::fixed) { // frames of the world
        for (Joint& joint : description.joints)
            if (joint.a == world)
                joint.frame_a = carry * joint.frame_a;
        for (UrdfLink& link : links)
            if (link.frame && link.frame->body == world)
                link.frame->pose = carry * link.frame->pose;
    }
    for (Body& body : description.bodies) {
        body.pose = carry * body.pose;
        body.pose.q = normalised(body.pose.q);
        const Vec3<double> arm =
            poinsot::place(body.pose, body.mass_properties.center) - root_pose.x;
        body.velocity = V.v + cross(V.omega, arm);
        body.angular_velocity = V.omega;
    }
}
std::string UrdfRobot::why_no_start(const UrdfJoint& called) const
{
    if (!facts_of(called.type).one_coordinate)
        return text_of("a ", facts_of(called.type).name, " joint has no single coordinate");
    if (called.locked)
        return called.why;
    if (called.joint == UrdfJoint::none)
        return "it moves nothing that has mass";
    for (const Gear& gear : description.gears)
        if (gear.joint_1 == called.joint)
            return text_of("it mimics '", called.mimic->joint, "' and starts where that one says");
    return "";
}
void UrdfRobot::start_at(const UrdfJoint& called, double q, double speed)
{
    check(why_no_start(called).empty(), "a joint that can start elsewhere");
    struct Start {
        int joint;
        double q, speed;
    };
    std::vector<Start> asked{{called.joint, q, speed}};
    for (std::size_t i = 0; i < asked.size(); ++i) { // it grows: chains of mimics
        const Start now = asked[i];
        Joint& made = of(description.joints, now.joint);
        made.start = {now.q};
        made.start_speed = {now.speed};
        for (UrdfJoint& joint : joints)
            if (joint.joint == now.joint)
                joint.start = now.q;
        for (const Gear& gear : description.gears)
            if (gear.joint_2 == now.joint)
                for (const UrdfJoint& joint : joints)
                    if (joint.joint == gear.joint_1)
                        asked.push_back({gear.joint_1, gear.ratio * now.q + joint.mimic->offset,
                                         gear.ratio * now.speed});
    }
}
int UrdfRobot::degrees_of_freedom() const
{
    int n = base == UrdfBase::floating ? 6 : 0;
    for (const Joint& j : description.joints) // a joint takes its rows from the six of its body
        n += 6 - poinsot::facts_of(j.kind).rows;
    return n - static_cast<int>(description.gears.size());
}

bool is_urdf(const std::filesystem::path& file)
{
    std::string extension = file.extension().string();
    for (char& c : extension)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return extension == ".urdf";
}

Result<UrdfRobot> read_urdf(const std::filesystem::path& path, const UrdfOptions& options)
{
    const auto text = read_text(path, largest_xml, "a URDF file");
    if (!text)
        return text.problems();
    return read_urdf_text(*text, path.string(), options);
}

Result<UrdfRobot> read_urdf_text(const std::string& text, const std::string& file,
                                 const UrdfOptions& options)
{
    const auto root = parse_xml(text, file);
    if (!root)
        return root.problems();
    return Reader(text, file, options).read(*root);
}

} // namespace poinsot
