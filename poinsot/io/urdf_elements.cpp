// SPDX-License-Identifier: MIT
// Links and joints of a URDF file as they are written.
#include "poinsot/io/number.hpp"
#include "poinsot/io/urdf_reader.hpp"

#include <algorithm>

namespace poinsot::urdf {

std::string near_name(std::string_view name, const std::vector<std::string_view>& known)
{
    if (name.size() > longest_name || known.size() > 1000)
        return {};
    return nearest_word(name, known);
}

// ---- elements and attributes --------------------------------------------------------------------

namespace {

bool is_among(std::initializer_list<std::string_view> names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

void Reader::only(const XmlNode& node, const std::string& owner, Names attributes, Names children)
{
    for (const XmlAttribute& a : node.attributes)
        if (!is_among(attributes, a.name) && !a.name.starts_with("xmlns"))
            robot_.not_used.push_back(
                {a.line, a.column, owner,
                 "<" + node.name + " " + a.name + "=\"" + a.value.substr(0, 40) + "\">"});
    for (const XmlNode& c : node.children) {
        if (c.name.starts_with("xacro:"))
            problem(at(c), owner, ": <", c.name,
                    "> is a macro, and this file is the source of a URDF file; write one with "
                    "`xacro FILE > robot.urdf`");
        else if (!is_among(children, c.name))
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

} // namespace poinsot::urdf
