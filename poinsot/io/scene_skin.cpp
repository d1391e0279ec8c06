// SPDX-License-Identifier: MIT
// The skins of a scene: what of bodies, robots and surfaces touches, and with which shape.
#include "poinsot/io/mesh.hpp"
#include "poinsot/io/scene_contact.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

/// Where the shape of a body is written.
const YamlNode* shape_node(const YamlNode& body)
{
    for (const char* key : {"box", "ball", "ellipsoid", "cylinder", "capsule", "cone", "mesh"})
        if (const YamlNode* at = value_of(body, key))
            return at;
    return nullptr;
}

/// How many faces have no area: their corners lie on a line, to the rounding of their products.
std::pair<std::size_t, std::size_t> flat_faces(const Surface& mesh)
{
    std::size_t count = 0, first = 0;
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        const auto corner = [&](std::size_t k) {
            return mesh.vertices[static_cast<std::size_t>(mesh.faces[f][k])];
        };
        const auto ab = corner(1) - corner(0), ac = corner(2) - corner(0);
        // A corner that is no number has no area either, but that is told by itself.
        if (!(norm(cross(ab, ac)) <= 1e-12 * (dot(ab, ab) + dot(ac, ac))))
            continue;
        if (count++ == 0)
            first = f;
    }
    return {count, first};
}

} // namespace

const Surface* ContactReader::mesh_of(const Value& at, const std::string& path)
{
    const auto [known, fresh] = meshes_.try_emplace(path);
    if (fresh && !path.empty()) {
        const auto beside = std::filesystem::path(draft_.text.file()).parent_path() / path;
        if (auto mesh = read_mesh(beside))
            known->second = std::move(mesh->surface);
        else
            for (const Problem& p : mesh.problems().list())
                at.problem(at.what(), ": ", p.place, ": ", p.what);
    }
    return known->second ? &*known->second : nullptr;
}

std::optional<Collider> ContactReader::collider_of_source(const Value& at, const Source& source,
                                                          double margin)
{
    const auto made = [&]() -> Result<Collider> {
        if (source.kind == Source::Kind::half_space)
            return half_space(margin);
        if (source.kind == Source::Kind::plane)
            return plane(margin);
        const auto* mesh = std::get_if<MeshShape>(&source.shape);
        if (!mesh)
            return collider_of(source.shape, margin);
        const Surface* read = mesh_of(at, mesh->path);
        if (!read)
            return collider_of(Ball{1}); // told: one problem is enough
        Surface scaled = *read;
        const Vec3<double>& s = source.scale;
        for (Vec3<double>& r : scaled.vertices)
            r = {s.x * r.x, s.y * r.y, s.z * r.z};
        if (source.kind == Source::Kind::hull)
            return collider_of_hull(scaled.vertices, margin, mesh->path);
        if (const auto [flat, first] = flat_faces(scaled); flat > 0) {
            Problems found;
            found.add(mesh->path, flat, flat == 1 ? " face has" : " faces have",
                      " no area, the first is face ", first + 1,
                      "; repair the mesh, or let its hull touch");
            return found;
        }
        return collider_of_mesh(scaled, margin, mesh->path);
    }();
    if (made)
        return *made;
    for (const Problem& p : made.problems().list())
        at.problem(at.what(), ": ", p.what);
    return std::nullopt;
}

void ContactReader::keep(const Value& at, Skin skin, Source source)
{
    d_.add(std::move(skin));
    scene_.skins.push_back(std::move(source));
    draft_.skins.push_back(at);
}

void ContactReader::read_bodies()
{
    for (std::size_t i = 0; i < d_.bodies.size(); ++i) {
        const Body& body = d_.bodies[i];
        const TouchKeys& keys = draft_.touch[i];
        const Value& at = draft_.bodies[i];
        const YamlNode* shape = body.particle ? nullptr : shape_node(at.node());
        if (!shape && !std::holds_alternative<std::monostate>(body.shape))
            shape = value_of(at.node(), "section"); // a segment of a beam
        Source source;
        source.of_body = true;
        source.shape = body.shape;
        if (body.particle) {
            if (!keys.radius) {
                no_effect(keys, "a particle without 'radius' touches nothing");
                continue;
            }
            source.shape = Ball{keys.radius->named("radius of " + at.what()).positive()};
        } else {
            const Collides how = collides_of(keys.collides);
            if (!shape) {
                if (keys.collides && how.at_all)
                    keys.collides->problem(at.what(), " has no shape and touches nothing; give it "
                                                      "one, or a surface under 'surfaces'");
                no_effect(keys, "it has no shape, so it touches nothing");
                continue;
            }
            if (!how.at_all) {
                no_effect(keys, "it does not collide");
                continue;
            }
            if (how.hull && !std::holds_alternative<MeshShape>(body.shape))
                keys.collides->problem(keys.collides->what(),
                                       ": only a mesh has a hull of its own; write true");
            else if (how.hull)
                source.kind = Source::Kind::hull;
        }
        Skin skin;
        skin.name = body.name;
        skin.body = static_cast<int>(i);
        skin.material = material_of(keys.material);
        skin.filter = filter_of(keys);
        const Value where = shape ? at.part(*shape, at.what()) : at;
        if (shape && draft_.text.told_in(*shape))
            continue;
        if (const auto collider = collider_of_source(where, source, 0)) {
            skin.collider = *collider;
            keep(at, std::move(skin), std::move(source));
        }
    }
}

void ContactReader::read_robots()
{
    // What a robot says holds for all that it brings along.
    struct Said {
        Collides collides;
        int material;
        Filter filter;
        bool understood;
    };
    std::map<const YamlNode*, Said> said;
    for (const RobotSkin& from : draft_.robot_skins) {
        const auto [robot, fresh] = said.try_emplace(&from.at.node());
        Said& how = robot->second;
        if (fresh) {
            const std::size_t before = draft_.text.problems();
            how.collides = collides_of(from.keys.collides);
            if (how.collides.at_all) {
                how.material = material_of(from.keys.material);
                how.filter = filter_of(from.keys);
            } else
                no_effect(from.keys, "it does not collide");
            how.understood = draft_.text.problems() == before;
        }
        if (!how.collides.at_all || !how.understood)
            continue;
        Source source;
        source.shape = from.shape;
        source.scale = from.scale;
        if (how.collides.hull && std::holds_alternative<MeshShape>(from.shape))
            source.kind = Source::Kind::hull;
        Skin skin;
        skin.name = from.name;
        skin.body = from.body;
        skin.pose = from.pose;
        skin.material = how.material;
        skin.filter = how.filter;
        if (const auto collider = collider_of_source(
                from.at.named(text_of(from.at.what(), ", '", from.name, "'")), source, 0)) {
            skin.collider = *collider;
            keep(from.at, std::move(skin), std::move(source));
        }
    }
}

void ContactReader::read_surface(const YamlNode& node)
{
    Fields f(draft_.item(node, "surface", ++surfaces_), "surface");
    Skin skin;
    Source source;
    skin.name = draft_.name_of(f, "surface", false);
    if (const auto body = f.find("body")) {
        skin.body = draft_.body_or_world(*body).value_or(world);
        if (skin.body != world && d_.bodies[static_cast<std::size_t>(skin.body)].particle)
            body->problem(body->what(), ": a particle has no extent that a surface could be fixed "
                                        "to; give it a radius");
    }
    const auto shape = read_shape(f);
    const auto scale = f.find("scale"), hull = f.find("hull"), below = f.find("half_space"),
               sheet = f.find("plane");
    const bool is_mesh = shape && std::holds_alternative<MeshShape>(shape->shape);
    const auto said = [](const std::optional<Value>& value) {
        if (value && !value->truth(true))
            value->must("be true where it is given; leave it out");
        return value.has_value();
    };
    const bool is_half_space = said(below), is_plane = said(sheet);
    if (shape)
        source.shape = shape->shape;
    if (is_half_space)
        source.kind = Source::Kind::half_space;
    if (is_plane)
        source.kind = Source::Kind::plane;
    const int kinds = int(shape.has_value()) + int(is_half_space) + int(is_plane);
    if (f.ok() && kinds == 0)
        f.problem(f.what(), " needs a shape: box, ball, ellipsoid, cylinder, capsule, cone, mesh, "
                            "half_space: true or plane: true");
    else if (kinds > 1)
        f.problem(f.what(), " has two shapes; keep one of shape, half_space and plane");
    if (scale && !is_mesh)
        scale->problem(scale->what(), " is for a mesh; remove it");
    else if (scale) {
        source.scale = scale->vector({1, 1, 1});
        if (source.scale.x == 0 || source.scale.y == 0 || source.scale.z == 0) {
            scale->must("be three factors other than zero");
            source.scale = {1, 1, 1};
        }
    }
    if (hull && !is_mesh)
        hull->problem(hull->what(), " is for a mesh; remove it");
    else if (hull && hull->truth(false))
        source.kind = Source::Kind::hull;
    f.read("position", skin.pose.x);
    if (const auto q = f.find("orientation"))
        skin.pose.q = read_orientation(*q);
    double margin = 0;
    if (const auto given = f.find("margin")) {
        margin = given->number();
        if (!(margin >= 0)) {
            given->must("be a length in m, zero or more, is ", margin);
            margin = 0;
        }
    }
    const TouchKeys keys = touch_keys(f);
    skin.material = material_of(keys.material);
    skin.filter = filter_of(keys);
    if (!f.ok() || kinds != 1 || (shape && draft_.text.told_in(shape->at.node())))
        return;
    if (const auto collider =
            collider_of_source(shape ? shape->at.named(f.what()) : f.value(), source, margin)) {
        skin.collider = *collider;
        keep(f.value(), std::move(skin), std::move(source));
    }
}

void ContactReader::read_apart(const YamlNode& node)
{
    const Value pair(draft_.text, node, text_of("pair ", ++apart_, " of apart"));
    if (!node.is_list() || node.items.size() != 2) {
        pair.must("be a list of two bodies, as in [left, right], is ", pair.shown());
        return;
    }
    const int a = draft_.body_named(pair.part(node.items[0], pair.what())),
              b = draft_.body_named(pair.part(node.items[1], pair.what()));
    if (a == world || b == world)
        return;
    if (a == b)
        pair.problem(pair.what(), " names one body twice; no body meets itself");
    else
        d_.apart.push_back({a, b});
}

} // namespace poinsot
