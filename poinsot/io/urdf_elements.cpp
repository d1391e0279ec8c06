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
    const std::string owner = begin(node, "link", link_index_, robot_.links, link);
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

} // namespace poinsot::urdf
