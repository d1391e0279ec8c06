// SPDX-License-Identifier: MIT
#include "poinsot/mass/surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace poinsot {

namespace {

std::size_t index_in_mesh(int i)
{
    return static_cast<std::size_t>(i);
}

bool is_finite(const Vec3<double>& r)
{
    return std::isfinite(r.x) && std::isfinite(r.y) && std::isfinite(r.z);
}

// A sum that carries what each addition rounded away [Neumaier 1974]: its error does not grow with
// the number of faces.
struct Sum {
    double high = 0, low = 0;

    void add(double x)
    {
        const double sum = high + x;
        low += std::abs(high) >= std::abs(x) ? (high - sum) + x : (x - sum) + high;
        high = sum;
    }
    double value() const { return high + low; }
};

using Faces = std::vector<std::array<int, 3>>;

struct Corners {
    Vec3<double> a, b, c;
};

// The corners of a face, from o.
Corners corners(const std::vector<Vec3<double>>& vertices, const std::array<int, 3>& face,
                const Vec3<double>& o)
{
    return {vertices[index_in_mesh(face[0])] - o, vertices[index_in_mesh(face[1])] - o,
            vertices[index_in_mesh(face[2])] - o};
}

// The mean of the vertices, taken from the first so that it keeps its digits.
Vec3<double> middle_of(const std::vector<Vec3<double>>& vertices)
{
    const Vec3<double> from = vertices.front();
    Vec3<double> sum = zero3<double>();
    for (const Vec3<double>& r : vertices)
        sum += r - from;
    return from + sum / static_cast<double>(vertices.size());
}

struct FirstMoments {
    double volume;
    Vec3<double> center; // from o
};

FirstMoments first_moments(const Surface& surface, const Vec3<double>& o)
{
    Sum V, x, y, z;
    for (const auto& face : surface.faces) {
        const auto [a, b, c] = corners(surface.vertices, face, o);
        const double six_v = dot(a, cross(b, c));
        const Vec3<double> s = six_v * (a + b + c);
        V.add(six_v);
        x.add(s.x);
        y.add(s.y);
        z.add(s.z);
    }
    const double six_v = V.value();
    return {six_v / 6, Vec3<double>{x.value(), y.value(), z.value()} / (4 * six_v)};
}

} // namespace

SurfaceIntegrals integrals_of(const Surface& surface)
{
    check(!surface.vertices.empty() && !surface.faces.empty(), "integrals of an empty surface");
    const Vec3<double> o = middle_of(surface.vertices);
    const Vec3<double> C = o + first_moments(surface, o).center;

    Sum V, area, xx, yy, zz, xy, xz, yz;
    for (const auto& face : surface.faces) {
        const auto [a, b, c] = corners(surface.vertices, face, C);
        const double six_v = dot(a, cross(b, c));
        const Sym3<double> S = six_v * (square(a) + square(b) + square(c) + square(a + b + c));
        V.add(six_v);
        area.add(norm(cross(b - a, c - a)));
        xx.add(S.xx);
        yy.add(S.yy);
        zz.add(S.zz);
        xy.add(S.xy);
        xz.add(S.xz);
        yz.add(S.yz);
    }
    const Sym3<double> S{xx.value(), yy.value(), zz.value(), xy.value(), xz.value(), yz.value()};
    return {V.value() / 6, area.value() / 2, C, 1.0 / 120 * S};
}

namespace {

// The solid angle Ω of a face seen from the point, a, b, c from it:
//
//     tan Ω/2 = a · (b × c) / (|a||b||c| + (a·b)|c| + (a·c)|b| + (b·c)|a|)
double winding_number(const std::vector<Vec3<double>>& vertices, const Faces& faces,
                      const Vec3<double>& point)
{
    Sum half_angles;
    for (const auto& face : faces) {
        const auto [a, b, c] = corners(vertices, face, point);
        const double A = norm(a), B = norm(b), C = norm(c), six_v = dot(a, cross(b, c));
        if (six_v != 0) // in the plane of the face it sees neither side of it
            half_angles.add(
                std::atan2(six_v, A * B * C + dot(a, b) * C + dot(a, c) * B + dot(b, c) * A));
    }
    return half_angles.value() / (2 * std::numbers::pi);
}

} // namespace

double winding_number(const Surface& surface, const Vec3<double>& point)
{
    return winding_number(surface.vertices, surface.faces, point);
}

// ---- welding ------------------------------------------------------------------------------------

// The vertices that stay are filed in cells of 16 tolerances, so that most vertices look into one
// cell and none into more than eight: linear time.
Welded welded(const Surface& surface, double tolerance)
{
    const Bounds box = bounds_of(surface.vertices);
    const double reach = tolerance * norm(box.size());
    const double cell = 16 * reach;
    if (!(reach > 0) || !std::isfinite(reach)) // nothing to tell vertices apart by
        return {surface, 0};

    struct Cell {
        std::int64_t x, y, z;
        bool operator==(const Cell&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Cell& c) const
        {
            std::uint64_t h = 0;
            for (const std::int64_t i : {c.x, c.y, c.z}) {
                h = (h ^ static_cast<std::uint64_t>(i)) * 0x9E3779B97F4A7C15u;
                h ^= h >> 29;
            }
            return static_cast<std::size_t>(h);
        }
    };
    const auto index = [&](double x, double from) {
        return static_cast<std::int64_t>(std::floor((x - from) / cell));
    };

    Welded result;
    std::vector<Vec3<double>>& kept = result.surface.vertices;
    std::vector<int> becomes(surface.vertices.size());
    std::unordered_multimap<Cell, int, Hash> filed;
    filed.reserve(surface.vertices.size());
    for (std::size_t i = 0; i < surface.vertices.size(); ++i) {
        const Vec3<double>& r = surface.vertices[i];
        int same = -1;
        for (auto x = index(r.x - reach, box.lo.x); x <= index(r.x + reach, box.lo.x); ++x)
            for (auto y = index(r.y - reach, box.lo.y); y <= index(r.y + reach, box.lo.y); ++y)
                for (auto z = index(r.z - reach, box.lo.z); z <= index(r.z + reach, box.lo.z);
                     ++z) {
                    const auto [first, last] = filed.equal_range({x, y, z});
                    for (auto entry = first; entry != last; ++entry)
                        if (norm(kept[index_in_mesh(entry->second)] - r) <= reach &&
                            (same < 0 || entry->second < same))
                            same = entry->second;
                }
        if (same < 0) {
            same = static_cast<int>(kept.size());
            kept.push_back(r);
            filed.emplace(Cell{index(r.x, box.lo.x), index(r.y, box.lo.y), index(r.z, box.lo.z)},
                          same);
        }
        becomes[i] = same;
    }
    result.merged = static_cast<int>(surface.vertices.size() - kept.size());
    result.surface.faces.reserve(surface.faces.size());
    for (const auto& [a, b, c] : surface.faces)
        result.surface.faces.push_back(
            {becomes[index_in_mesh(a)], becomes[index_in_mesh(b)], becomes[index_in_mesh(c)]});
    return result;
}

// ---- inspection ---------------------------------------------------------------------------------

namespace {

bool collapsed(const std::array<int, 3>& face)
{
    return face[0] == face[1] || face[1] == face[2] || face[2] == face[0];
}

// One side of one face: the edge from the lower vertex to the higher, and whether it is run that
// way.
struct Side {
    int low, high, face;
    bool upward;
};

// The sides of all faces that did not collapse, those of one edge next to each other.
std::vector<Side> sorted_sides(const Surface& surface)
{
    std::vector<Side> sides;
    sides.reserve(3 * surface.faces.size());
    for (std::size_t f = 0; f < surface.faces.size(); ++f) {
        const auto& face = surface.faces[f];
        if (collapsed(face))
            continue;
        for (std::size_t k = 0; k < 3; ++k) {
            const int from = face[k], to = face[(k + 1) % 3];
            sides.push_back(
                {std::min(from, to), std::max(from, to), static_cast<int>(f), from < to});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::tie(a.low, a.high, a.face, a.upward) <
               std::tie(b.low, b.high, b.face, b.upward);
    });
    return sides;
}

// Which faces hang together: a forest in which each face points towards the first of its part.
struct Parts {
    std::vector<int> parent;

    explicit Parts(std::size_t faces) : parent(faces)
    {
        std::iota(parent.begin(), parent.end(), 0);
    }
    int first(int face)
    {
        while (parent[index_in_mesh(face)] != face) {
            parent[index_in_mesh(face)] = parent[index_in_mesh(parent[index_in_mesh(face)])];
            face = parent[index_in_mesh(face)];
        }
        return face;
    }
    void join(int a, int b)
    {
        a = first(a);
        b = first(b);
        parent[index_in_mesh(std::max(a, b))] = std::min(a, b);
    }
};

// Faces without area that have three corners: thinner than rounding can tell.
bool flat(const Surface& surface, const std::array<int, 3>& face)
{
    const auto [a, b, c] =
        corners(surface.vertices, face, surface.vertices[index_in_mesh(face[0])]);
    const double longest = std::max({norm2(b), norm2(c), norm2(c - b)});
    return !(norm(cross(b, c)) > 4 * std::numeric_limits<double>::epsilon() * longest);
}

void find_twins(const Surface& surface, SurfaceReport& report)
{
    struct Triple {
        std::array<int, 3> corners; // ascending
        bool odd;                   // the face runs through them the other way
        int face;
    };
    std::vector<Triple> triples;
    triples.reserve(surface.faces.size());
    for (std::size_t f = 0; f < surface.faces.size(); ++f) {
        auto sorted = surface.faces[f];
        if (collapsed(sorted))
            continue;
        const auto& [a, b, c] = surface.faces[f];
        const bool odd = ((a > b) + (b > c) + (c > a)) == 2; // two descents: c b a and its turns
        std::sort(sorted.begin(), sorted.end());
        triples.push_back({sorted, odd, static_cast<int>(f)});
    }
    std::sort(triples.begin(), triples.end(), [](const Triple& a, const Triple& b) {
        return std::tie(a.corners, a.odd, a.face) < std::tie(b.corners, b.odd, b.face);
    });
    for (std::size_t i = 1; i < triples.size(); ++i) {
        const Triple &one = triples[i - 1], &other = triples[i];
        if (one.corners != other.corners)
            continue;
        report.twins.push_back({one.face, other.face});
        if (one.odd == other.odd && !flat(surface, surface.faces[index_in_mesh(one.face)]))
            report.repeated.push_back({one.face, other.face});
    }
    std::sort(report.repeated.begin(), report.repeated.end());
}

// A shell that faces inwards is a cavity where the others hold it, and a mistake elsewhere. A shell
// that faces outwards inside another one's material would count twice.
void judge_shells(const Surface& surface, const std::vector<Faces>& shells, SurfaceReport& report)
{
    std::vector<Bounds> boxes;
    for (const Faces& shell : shells) {
        Bounds box{surface.vertices[index_in_mesh(shell[0][0])],
                   surface.vertices[index_in_mesh(shell[0][0])]};
        for (const auto& face : shell)
            for (const int i : face)
                box.include(surface.vertices[index_in_mesh(i)]);
        boxes.push_back(box);
    }
    // Several faces are asked, and the one farthest out speaks: shells may touch somewhere.
    constexpr std::size_t asked = 8;
    for (std::size_t i = 0; i < shells.size(); ++i) {
        double around = std::numeric_limits<double>::infinity();
        const std::size_t stride = shells[i].size() / asked + 1;
        for (std::size_t f = 0; f < shells[i].size(); f += stride) {
            const auto [a, b, c] = corners(surface.vertices, shells[i][f], zero3<double>());
            const Vec3<double> probe = (a + b + c) / 3.0;
            double winding = 0;
            for (std::size_t k = 0; k < shells.size(); ++k)
                if (k != i && boxes[k].contains(probe))
                    winding += winding_number(surface.vertices, shells[k], probe);
            around = std::min(around, winding);
        }
        if (report.shells[i] < 0 && around < 0.1)
            report.inside_out.push_back(static_cast<int>(i));
        if (report.shells[i] > 0 && around > 0.9)
            report.doubled.push_back(static_cast<int>(i));
    }
}

} // namespace

SurfaceReport inspect(const Surface& given)
{
    SurfaceReport report;
    report.vertices = static_cast<int>(given.vertices.size());
    report.faces = static_cast<int>(given.faces.size());
    for (int i = 0; i < report.vertices; ++i)
        if (!is_finite(given.vertices[index_in_mesh(i)]))
            report.not_finite.push_back(i);
    for (int f = 0; f < report.faces; ++f)
        for (const int i : given.faces[index_in_mesh(f)])
            if (i < 0 || i >= report.vertices) {
                report.out_of_range.push_back(f);
                break;
            }
    if (!report.not_finite.empty() || !report.out_of_range.empty() || report.faces == 0)
        return report; // there is no surface to look at

    report.as_welded = welded(given);
    report.merged = report.as_welded.merged;
    const Surface& surface = report.as_welded.surface;
    for (int f = 0; f < report.faces; ++f)
        if (collapsed(surface.faces[index_in_mesh(f)]) ||
            flat(surface, surface.faces[index_in_mesh(f)]))
            report.degenerate.push_back(f);
    find_twins(surface, report);

    // Edge by edge: who meets here, and who runs which way?
    Parts parts(surface.faces.size());
    const std::vector<Side> sides = sorted_sides(surface);
    for (auto first = sides.begin(); first != sides.end();) {
        const auto last = std::find_if(first, sides.end(), [&](const Side& side) {
            return side.low != first->low || side.high != first->high;
        });
        const auto count = last - first;
        const auto upward =
            std::count_if(first, last, [](const Side& side) { return side.upward; });
        const auto edge = [&] {
            SurfaceReport::Edge e{surface.vertices[index_in_mesh(first->low)],
                                  surface.vertices[index_in_mesh(first->high)],
                                  {}};
            for (auto side = first; side != last; ++side)
                e.faces.push_back(side->face);
            return e;
        };
        for (auto side = first; side != last; ++side)
            parts.join(first->face, side->face);
        if (count == 1)
            report.open.push_back(edge());
        else if (count == 2 && upward != 1)
            report.reversed.push_back(edge());
        else if (count > 2) {
            report.crowded.push_back(edge());
            if (2 * upward != count)
                report.unbalanced.push_back(edge());
        }
        first = last;
    }

    // Shell by shell, in the order of their first faces. Its own middle is not needed: a closed
    // shell has the same volume from any point, and one that is not closed has none.
    std::vector<Faces> shells;
    std::unordered_map<int, std::size_t> number;
    for (int f = 0; f < report.faces; ++f) {
        if (collapsed(surface.faces[index_in_mesh(f)]))
            continue;
        const auto [entry, fresh] = number.emplace(parts.first(f), shells.size());
        if (fresh)
            shells.emplace_back();
        shells[entry->second].push_back(surface.faces[index_in_mesh(f)]);
    }
    const Vec3<double> o = middle_of(surface.vertices);
    for (const Faces& shell : shells) {
        Sum six_v;
        for (const auto& face : shell) {
            const auto [a, b, c] = corners(surface.vertices, face, o);
            six_v.add(dot(a, cross(b, c)));
        }
        report.shells.push_back(six_v.value() / 6);
    }
    if (report.closed())
        judge_shells(surface, shells, report);
    return report;
}

bool SurfaceReport::closed() const
{
    return not_finite.empty() && out_of_range.empty() && !shells.empty() && open.empty() &&
           reversed.empty() && unbalanced.empty();
}

double SurfaceReport::volume() const
{
    return std::accumulate(shells.begin(), shells.end(), 0.0);
}

// ---- the report in words ------------------------------------------------------------------------

namespace {

constexpr std::size_t few = 3; // how many places a message names

std::string count_of(std::size_t n, const char* one, const char* many)
{
    return text_of(n, " ", n == 1 ? one : many);
}

std::string text_of_point(const Vec3<double>& r)
{
    return text_of("(", r.x, ", ", r.y, ", ", r.z, ")");
}

std::string text_of_list(const std::vector<int>& numbers)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(numbers.size(), 2 * few); ++i)
        text += (i ? ", " : "") + std::to_string(numbers[i]);
    return text + (numbers.size() > 2 * few ? ", …" : "");
}

std::string text_of_pairs(const std::vector<std::array<int, 2>>& pairs)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(pairs.size(), 2 * few); ++i)
        text += text_of(i ? "; " : "", pairs[i][0], " and ", pairs[i][1]);
    return text + (pairs.size() > 2 * few ? "; …" : "");
}

std::string text_of_edges(const std::vector<SurfaceReport::Edge>& edges)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(edges.size(), few); ++i)
        text += (i ? "; " : "") + text_of_point(edges[i].a) + " to " + text_of_point(edges[i].b) +
                (edges[i].faces.size() == 1 ? " of face " : " of faces ") +
                text_of_list(edges[i].faces);
    return text + (edges.size() > few ? "; …" : "");
}

// Faces that disagree with all three of their neighbours.
std::vector<int> flipped_faces(const std::vector<SurfaceReport::Edge>& reversed)
{
    std::unordered_map<int, int> disagreements;
    for (const auto& edge : reversed)
        for (const int f : edge.faces)
            ++disagreements[f];
    std::vector<int> flipped;
    for (const auto& [face, count] : disagreements)
        if (count == 3)
            flipped.push_back(face);
    std::sort(flipped.begin(), flipped.end());
    return flipped;
}

} // namespace

Problems SurfaceReport::problems(const std::string& place) const
{
    Problems found;
    if (faces == 0)
        found.add(place, "the surface is empty: it has no faces");
    if (!not_finite.empty())
        found.add(place, count_of(not_finite.size(), "vertex has", "vertices have"),
                  " a coordinate that is not a finite number: ", text_of_list(not_finite));
    if (!out_of_range.empty())
        found.add(place, count_of(out_of_range.size(), "face names", "faces name"),
                  " a vertex that is not there (the surface has ", vertices,
                  "): ", text_of_list(out_of_range));
    if (found.any())
        return found;

    if (shells.empty())
        found.add(place, "all ", faces, " faces have collapsed to lines or points");
    if (!open.empty())
        found.add(place, "the surface is open: ", count_of(open.size(), "edge has", "edges have"),
                  " a face on one side only, at ", text_of_edges(open),
                  ". Close it, or give mass and inertia yourself");
    if (!reversed.empty()) {
        const std::vector<int> flipped = flipped_faces(reversed);
        found.add(place, "neighbouring faces disagree which side is out at ",
                  count_of(reversed.size(), "edge", "edges"), ", at ", text_of_edges(reversed),
                  flipped.empty() ? std::string(". Make the orientation consistent")
                                  : (flipped.size() == 1 ? ". Reverse face " : ". Reverse faces ") +
                                        text_of_list(flipped));
    }
    if (!unbalanced.empty())
        found.add(place, count_of(unbalanced.size(), "edge has", "edges have"),
                  " more than two faces, and they do not pair up, at ", text_of_edges(unbalanced),
                  ". Remove the inner or doubled faces");
    if (!repeated.empty())
        found.add(place, count_of(repeated.size(), "pair", "pairs"),
                  " of doubled faces, with the same three corners and the same side out: ",
                  text_of_pairs(repeated), ". Remove one of each");
    else if (!twins.empty() && !closed()) {
        const auto& [a, b] = twins.front();
        found.add(place, count_of(twins.size(), "pair", "pairs"),
                  " of faces with the same three corners, the first are ", a, " and ", b,
                  ". Remove one of each");
    }
    if (!inside_out.empty() && shells.size() == 1)
        found.add(place, "the surface is inside out: it encloses the volume ", volume(),
                  ". Reverse all faces");
    else if (!inside_out.empty())
        found.add(place, count_of(inside_out.size(), "shell is", "shells are"), " inside out (of ",
                  shells.size(), "): ", text_of_list(inside_out), ", the first with volume ",
                  shells[index_in_mesh(inside_out.front())], ". Reverse the faces there");
    if (!doubled.empty())
        found.add(place, count_of(doubled.size(), "shell lies", "shells lie"),
                  " inside the material of another and would count twice (of ", shells.size(),
                  "): ", text_of_list(doubled),
                  ". Reverse the faces of a cavity, remove what is double");
    if (!found.any() && !(volume() > 0))
        found.add(place, "the surface encloses no volume");
    return found;
}

Result<MassProperties> mass_of_surface(const Surface& surface, double density,
                                       const std::string& place)
{
    const SurfaceReport report = inspect(surface);
    Problems found = report.problems(place);
    if (!(density > 0) || !std::isfinite(density))
        found.add(place, "density must be positive and finite, is ", density);
    if (found.any())
        return found;
    const SurfaceIntegrals of = integrals_of(report.as_welded.surface);
    return MassProperties{density * of.volume, of.center,
                          density * inertia_of_second_moments(of.second_moments)};
}

} // namespace poinsot
