// SPDX-License-Identifier: MIT
#include "poinsot/model/cut.hpp"

#include "poinsot/mass/principal.hpp"
#include "poinsot/mass/solids.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

struct Share {
    double of;
    const char* name;
};
Share largest_share(const SectionLoad& load, const Strength& s)
{
    const Share shares[] = {
        {load.tension / s.tension, "tension"},
        {-load.tension / s.compression, "compression"},
        {std::sqrt(load.shear_x * load.shear_x + load.shear_y * load.shear_y) / s.shear, "shear"},
        {std::sqrt(load.bending_x * load.bending_x + load.bending_y * load.bending_y) / s.bending,
         "bending"},
        {std::abs(load.torsion) / s.torsion, "torsion"}};
    return *std::max_element(std::begin(shares), std::end(shares),
                             [](const Share& a, const Share& b) { return a.of < b.of; });
}

/// Is the mass of a body that of its shape, full and even?
bool is_even(const MassProperties& given, MassProperties full)
{
    const double scale = given.mass / full.mass, size = trace(given.inertia);
    const Sym3<double> d = given.inertia - scale * full.inertia;
    const double off = std::abs(d.xx) + std::abs(d.yy) + std::abs(d.zz) + std::abs(d.xy) +
                       std::abs(d.xz) + std::abs(d.yz);
    return norm(given.center) == 0 && off <= 1e-9 * size; // typed digits, not another body
}

/// What of a box lies at z > 0 of a frame. Its faces are cut there, and tetrahedra from the
/// origin of the frame, which is in the plane of the cut, need no lid:
///
///     V = Σ a·(b × c)/6    m₁ = Σ V (a + b + c)/4    ∫ r rᵀ = Σ V/20 (a aᵀ + b bᵀ + c cᵀ + s sᵀ)
MassProperties box_beyond(const Vec3<double>& size, double density, const Pose<double>& frame)
{
    double volume = 0;
    Vec3<double> first = zero3<double>();
    Sym3<double> second = diagonal(0.0, 0.0, 0.0);
    const auto tetrahedron = [&](const Vec3<double>& a, const Vec3<double>& b,
                                 const Vec3<double>& c) {
        const double V = dot(a, cross(b, c)) / 6;
        const Vec3<double> s = a + b + c;
        volume += V;
        first += (0.25 * V) * s;
        for (const Vec3<double>& v : {a, b, c, s})
            second = second + (V / 20) * Sym3<double>{v.x * v.x, v.y * v.y, v.z * v.z,
                                                      v.x * v.y, v.x * v.z, v.y * v.z};
    };
    const Pose<double> to_frame = inverse(frame);
    for (int axis = 0; axis < 3; ++axis)
        for (const double side : {-0.5, 0.5}) {
            // The corners of a face, anticlockwise seen from outside.
            std::vector<Vec3<double>> corners, kept;
            for (int k = 0; k < 4; ++k) {
                const double u = k == 1 || k == 2 ? 0.5 : -0.5, v = k >= 2 ? 0.5 : -0.5;
                double r[3];
                r[axis] = side;
                r[(axis + 1) % 3] = side > 0 ? u : v;
                r[(axis + 2) % 3] = side > 0 ? v : u;
                corners.push_back(
                    place(to_frame, Vec3<double>{r[0] * size.x, r[1] * size.y, r[2] * size.z}));
            }
            for (std::size_t k = 0; k < 4; ++k) {
                const Vec3<double>&p = corners[k], &q = corners[(k + 1) % 4];
                if (p.z > 0)
                    kept.push_back(p);
                if ((p.z > 0) != (q.z > 0))
                    kept.push_back(p + (p.z / (p.z - q.z)) * (q - p));
            }
            for (std::size_t k = 2; k < kept.size(); ++k)
                tetrahedron(kept[0], kept[k - 1], kept[k]);
        }
    if (!(volume > 0))
        return {0, zero3<double>(), diagonal(0.0, 0.0, 0.0)};
    const Vec3<double> c = (1 / volume) * first;
    const Sym3<double> S = second - volume * Sym3<double>{c.x * c.x, c.y * c.y, c.z * c.z,
                                                          c.x * c.y, c.x * c.z, c.y * c.z};
    const double t = trace(S);
    const Sym3<double> I = density * (diagonal(t, t, t) - S);
    return {density * volume, place(frame, c), congruent(matrix_of(frame.q), I)};
}

} // namespace

bool Strength::any() const
{
    for (const double limit : {tension, compression, shear, bending, torsion})
        if (std::isfinite(limit))
            return true;
    return false;
}

double utilisation(const SectionLoad& load, const Strength& strength)
{
    return std::max(0.0, largest_share(load, strength).of);
}
const char* utmost(const SectionLoad& load, const Strength& strength)
{
    return largest_share(load, strength).name;
}

std::optional<MassProperties> part_beyond(const Body& body, const Pose<double>& frame)
{
    const MassProperties& mass = body.mass_properties;
    if (const Box* box = std::get_if<Box>(&body.shape)) {
        if (!is_even(mass, solid_box(box->size, 1)))
            return std::nullopt;
        return box_beyond(box->size, mass.mass / (box->size.x * box->size.y * box->size.z), frame);
    }
    if (const Cylinder* round = std::get_if<Cylinder>(&body.shape)) {
        const double along = rotate(frame.q, Vec3<double>{0, 0, 1}).z;
        if (!is_even(mass, solid_cylinder(round->radius, round->height, 1)) ||
            !(std::abs(std::abs(along) - 1) < 1e-12))
            return std::nullopt;
        const double half = 0.5 * round->height;
        const double from = along > 0 ? std::clamp(frame.x.z, -half, half) : -half;
        const double to = along > 0 ? half : std::clamp(frame.x.z, -half, half);
        const double density = mass.mass / solid_cylinder(round->radius, round->height, 1).mass;
        if (!(to > from))
            return MassProperties{0, zero3<double>(), diagonal(0.0, 0.0, 0.0)};
        MassProperties part = solid_cylinder(round->radius, to - from, density);
        part.center = {0, 0, 0.5 * (from + to)};
        return part;
    }
    return std::nullopt;
}

bool lies_beyond(const Vec3<double>& point, const Pose<double>& plane)
{
    return dot(point - plane.x, rotate(plane.q, Vec3<double>{0, 0, 1})) > 0;
}

CutSide side_of(const Tank& tank, const Pose<double>& plane)
{
    const Vec3<double> across = rotate(normalised(plane.q), Vec3<double>{0, 0, 1});
    const Vec3<double> n =
        transpose_times(matrix_of(normalised(tank.frame.q)), across); // in the axes of the room
    // How far the room reaches across the plane, to either side of its middle.
    const bool box = tank.room == Tank::Room::box, round = tank.room == Tank::Room::cylinder;
    const double height = box ? tank.size.z : round ? tank.height : 0;
    const double reach = 0.5 * height * std::abs(n.z) +
                         (box ? 0.5 * (tank.size.x * std::abs(n.x) + tank.size.y * std::abs(n.y))
                          : round ? tank.radius * std::sqrt(n.x * n.x + n.y * n.y)
                                  : 0);
    Vec3<double> middle = tank.frame.x;
    if (tank.filling == Tank::Filling::from_bottom)
        middle += rotate(normalised(tank.frame.q), Vec3<double>{0, 0, 0.5 * height});
    const double at = dot(middle - plane.x, across);
    const double slip = 1e-9 * reach; // of a room that is typed to end in the plane
    return at >= reach - slip && at > 0 ? CutSide::beyond
           : at <= slip - reach         ? CutSide::near
                                        : CutSide::both;
}

void inspect_sides(const Cut& cut, const std::vector<Tank>& tanks, const std::vector<Flow>& flows,
                   const char* key, Problems& found)
{
    const auto wrong = [&](const auto&... parts) { found.add_at(cut.name, key, parts...); };
    const auto tank_of = [&](int i) -> const Tank& { return tanks[static_cast<std::size_t>(i)]; };
    bool straddles = false;
    for (const Tank& tank : tanks)
        if (tank.body == cut.index && side_of(tank, cut.frame) == CutSide::both) {
            straddles = true;
            wrong("it goes through tank '", tank.name, "' at (", tank.frame.x.x, ", ",
                  tank.frame.x.y, ", ", tank.frame.x.z, "); move the cut, or make two tanks of it");
        }
    if (straddles)
        return;
    for (const Flow& flow : flows) {
        std::vector<CutSide> sides;
        const auto add = [&](int tank) {
            if (tank >= 0 && tank < static_cast<int>(tanks.size()) &&
                tank_of(tank).body == cut.index)
                sides.push_back(side_of(tank_of(tank), cut.frame));
        };
        for (const int source : flow.sources)
            add(source);
        add(flow.target);
        if (!sides.empty() && flow.kind != Flow::Kind::pump)
            sides.push_back(lies_beyond(flow.point, cut.frame) ? CutSide::beyond : CutSide::near);
        if (!sides.empty() &&
            std::any_of(sides.begin(), sides.end(), [&](CutSide one) { return one != sides[0]; }))
            wrong("what '", flow.name,
                  "' moves goes through it: its tanks and its opening must lie on one side");
    }
}

void inspect_cuts(const std::vector<Body>& bodies, const std::vector<Tank>& tanks,
                  const std::vector<Flow>& flows, std::size_t joints, std::size_t bushings,
                  const std::vector<Cut>& cuts, Problems& found)
{
    for (const Cut& cut : cuts) {
        const auto wrong = [&](const char* key, const auto&... parts) {
            found.add_at(cut.name, key, parts...);
        };
        const auto there = [&](std::size_t count) {
            return cut.index >= 0 && static_cast<std::size_t>(cut.index) < count;
        };
        if (cut.of == Cut::Of::joint && !there(joints))
            wrong("joint", "is a cut through a joint that does not exist");
        if (cut.of == Cut::Of::bushing && !there(bushings))
            wrong("bushing", "is a cut through a bushing that does not exist");
        for (const auto& [key, limit] :
             {std::pair("tension", cut.strength.tension),
              std::pair("compression", cut.strength.compression),
              std::pair("shear", cut.strength.shear), std::pair("bending", cut.strength.bending),
              std::pair("torsion", cut.strength.torsion)})
            if (!(limit > 0)) // catches NaN as well
                wrong(key, key, " must be greater than zero, is ", limit,
                      "; leave it out where there is no limit");
        if (cut.of != Cut::Of::body)
            continue;
        if (!there(bodies.size())) {
            wrong("body", "is a cut through a body that does not exist");
            continue;
        }
        const Body& body = bodies[static_cast<std::size_t>(cut.index)];
        if (body.particle)
            wrong("body", "a particle has no inside to cut");
        const bool placed =
            finite(cut.frame.x) && std::abs(std::sqrt(norm2(cut.frame.q)) - 1) <= 1e-6;
        if (!placed)
            wrong("at", "the cut needs a finite place and a unit quaternion");
        else {
            inspect_sides(cut, tanks, flows, "at", found);
            for (const Flow& flow : flows)
                for (const int tank :
                     flow.sources.empty() ? std::vector{flow.target} : flow.sources)
                    if (flow.steered() && tank >= 0 && tank < static_cast<int>(tanks.size()) &&
                        tanks[static_cast<std::size_t>(tank)].body == cut.index) {
                        wrong("body", "what '", flow.name,
                              "' moves has a speed that is not fixed in the body, so the cut "
                              "cannot be told; make it of two bodies with a weld, and cut that");
                        break;
                    }
        }
        const MassProperties& part = cut.beyond;
        if (!(part.mass > 0) || !(part.mass < body.mass_properties.mass))
            wrong("beyond", "what lies beyond has ", part.mass, " kg of the body's ",
                  body.mass_properties.mass,
                  "; it must be a part of it: move the cut, turn its axis round, or give mass, "
                  "center_of_mass and inertia of that part");
        else if (const std::string why = why_cannot_exist(part.inertia); !why.empty())
            wrong("beyond", "no part has this inertia: ", why);
        else if (placed && !lies_beyond(part.center, cut.frame))
            wrong("beyond", "its centre of mass (", part.center.x, ", ", part.center.y, ", ",
                  part.center.z,
                  ") is not beyond the cut, on the side its axis points to: turn the axis round, "
                  "or correct center_of_mass, which is in the body frame");
        else if (const auto rest = without(body.mass_properties, part); !rest)
            wrong("beyond", rest.problems().list()[0].what,
                  "; what is near the cut is the body without it: correct mass, center_of_mass or "
                  "inertia");
    }
}

} // namespace poinsot
