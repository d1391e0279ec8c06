// SPDX-License-Identifier: MIT
// The shape of a body in a scene, and its mass properties: from shape and mass or density, or as
// given.
#include "poinsot/io/mesh.hpp"
#include "poinsot/io/scene_draft.hpp"
#include "poinsot/mass/solids.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace poinsot {

namespace {

// What a problem leaves behind, so that it is the only one.
constexpr MassProperties some_mass{1, zero3<double>(), diagonal(1.0, 1.0, 1.0)};

Vec3<double> read_sides(const Value& value)
{
    const auto v = value.vector({1, 1, 1});
    if (v.x > 0 && v.y > 0 && v.z > 0)
        return v;
    value.must("be three lengths greater than zero");
    return {1, 1, 1};
}

/// Radius and height.
std::array<double, 2> read_round(const Value& value)
{
    Fields f(value, "round");
    const auto radius = f.need("radius", "0.1"), height = f.need("height", "0.5");
    return {radius ? radius->positive() : 1, height ? height->positive() : 1};
}

MassProperties read_mesh_mass(const Value& value, const std::string& path, double density)
{
    if (path.empty())
        return some_mass;
    const auto beside = std::filesystem::path(value.text().file()).parent_path() / path;
    const auto mesh = read_mesh(beside);
    const auto mass = mesh ? mass_of_surface(mesh->surface, density, beside.string())
                           : Result<MassProperties>(mesh.problems());
    if (mass)
        return *mass;
    for (const Problem& p : mass.problems().list())
        value.problem(value.what(), ": ", p.place, ": ", p.what);
    return some_mass;
}

/// The mass properties of a solid of this shape.
struct SolidOf {
    double density;
    const Value& at;

    MassProperties operator()(std::monostate) const { return some_mass; }
    MassProperties operator()(const Box& s) const { return solid_box(s.size, density); }
    MassProperties operator()(const Ball& s) const { return solid_ball(s.radius, density); }
    MassProperties operator()(const Ellipsoid& s) const
    {
        return solid_ellipsoid(s.semi_axes, density);
    }
    MassProperties operator()(const Cylinder& s) const
    {
        return solid_cylinder(s.radius, s.height, density);
    }
    MassProperties operator()(const Capsule& s) const
    {
        return solid_capsule(s.radius, s.height, density);
    }
    MassProperties operator()(const Cone& s) const
    {
        return solid_cone(s.radius, s.height, density);
    }
    MassProperties operator()(const MeshShape& s) const
    {
        return read_mesh_mass(at, s.path, density);
    }
};

} // namespace

Sym3<double> read_inertia(const Value& value)
{
    if (value.is_rows()) {
        const auto m = value.rows();
        if (!m)
            return some_mass.inertia;
        const double largest = std::max({std::abs(m->r0.x), std::abs(m->r1.y), std::abs(m->r2.z)});
        const double apart = std::max({std::abs(m->r0.y - m->r1.x), std::abs(m->r0.z - m->r2.x),
                                       std::abs(m->r1.z - m->r2.y)});
        if (!(apart <= 1e-9 * largest)) {
            value.must("be symmetric; entries across the diagonal differ by ", apart);
            return some_mass.inertia;
        }
        return {m->r0.x, m->r1.y, m->r2.z, m->r0.y, m->r0.z, m->r1.z};
    }
    if (value.node().is_list()) {
        const Vec3<double> d = value.vector({1, 1, 1});
        return diagonal(d.x, d.y, d.z);
    }
    if (value.node().is_map()) {
        Fields f(value, "inertia");
        const auto needed = [&](std::string_view key) {
            const auto moment = f.need(key, "1.0");
            return moment ? moment->number(1) : 1;
        };
        Sym3<double> I{needed("xx"), needed("yy"), needed("zz"), 0, 0, 0};
        f.read("xy", I.xy);
        f.read("xz", I.xz);
        f.read("yz", I.yz);
        return I;
    }
    value.must("be [Ixx, Iyy, Izz], three rows, or {xx: …, yy: …, zz: …}, is ", value.shown());
    return some_mass.inertia;
}

namespace {

} // namespace

std::optional<GivenShape> read_shape(Fields& f)
{
    std::optional<GivenShape> made;
    std::string first;
    const auto take = [&](std::string_view key, const auto& read) {
        const auto value = f.find(key);
        if (!value)
            return;
        if (made)
            value->problem(f.what(), " has two shapes, ", first, " and ", key, "; keep one");
        else {
            made = GivenShape{read(*value), *value};
            first = key;
        }
    };
    const auto round = [](const Value& value, auto shape) -> Shape {
        const auto [r, h] = read_round(value);
        shape.radius = r;
        shape.height = h;
        return shape;
    };
    take("box", [](const Value& v) -> Shape { return Box{read_sides(v)}; });
    take("ball", [](const Value& v) -> Shape {
        return Ball{v.named("radius of the ball, " + v.what()).positive()};
    });
    take("ellipsoid", [](const Value& v) -> Shape { return Ellipsoid{read_sides(v)}; });
    take("cylinder", [&](const Value& v) { return round(v, Cylinder{}); });
    take("capsule", [&](const Value& v) { return round(v, Capsule{}); });
    take("cone", [&](const Value& v) { return round(v, Cone{}); });
    take("mesh", [](const Value& v) -> Shape { return MeshShape{v.word()}; });
    return made;
}

void read_mass(Fields& f, Body& body)
{
    const auto mass = f.find("mass"), density = f.find("density"), inertia = f.find("inertia"),
               center = f.find("center_of_mass");
    const double m = mass ? mass->number(1) : 1;
    const double rho = density ? density->positive() : 1;
    const auto given = read_shape(f);
    std::optional<MassProperties> solid;
    if (given) {
        body.shape = given->shape;
        solid = std::visit(SolidOf{rho, given->at}, given->shape);
    }
    MassProperties& made = body.mass_properties;
    made = some_mass;

    if (mass && density)
        density->problem(f.what(), " has both mass and density; keep one");
    if (!inertia && center)
        center->problem(center->what(), " is given without inertia; ",
                        solid ? "the shape has a centre of its own: leave it out, or give inertia "
                                "as well"
                              : "give inertia as well");
    if (inertia) {
        if (density)
            density->problem(f.what(), " has both inertia and density; with inertia, give mass");
        else if (!mass)
            f.need("mass", "1.0");
        made = {m, solid ? solid->center : zero3<double>(), read_inertia(*inertia)};
        if (center)
            made.center = center->vector();
        else if (solid && norm(solid->center) > 0)
            inertia->problem(f.what(),
                             " has its own inertia: give center_of_mass as well, since that of its "
                             "shape is not at the origin of the body frame");
    } else if (solid) {
        if (!mass && !density && f.ok())
            f.problem(f.what(), " needs 'mass' or 'density' beside its shape");
        // The distribution is that of the solid, whatever the mass is; a wrong mass is the
        // builder's to find.
        made = mass && solid->mass > 0 ? rescaled(*solid, m / solid->mass, 1) : *solid;
        if (mass)
            made.mass = m;
        if (mass && !(m > 0))
            made.inertia = some_mass.inertia;
    } else if (f.ok()) {
        made.mass = m;
        f.problem(f.what(),
                  " needs an extent: a shape (box, ball, ellipsoid, cylinder, capsule, cone or "
                  "mesh) with mass or density, or mass and inertia; a point mass goes to "
                  "'particles'");
    }
}

} // namespace poinsot
