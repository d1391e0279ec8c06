// SPDX-License-Identifier: MIT
#include "poinsot/geometry/penetration.hpp"

#include "poinsot/geometry/meeting.hpp"

#include <algorithm>

namespace poinsot {

namespace {

constexpr double unit_rounding = std::numeric_limits<double>::epsilon();

Vec3<double> across_to(const Vec3<double>& n)
{
    const Vec3<double> e = abs(n.x) <= abs(n.y) && abs(n.x) <= abs(n.z) ? Vec3<double>{1, 0, 0}
                           : abs(n.y) <= abs(n.z)                       ? Vec3<double>{0, 1, 0}
                                                                        : Vec3<double>{0, 0, 1};
    return normalised(cross(n, e));
}

// In the frame of the first shape.
struct WayOut {
    double depth, lower;
    Vec3<double> normal, on_a, on_b;
    int steps = 0;
    std::array<Corner, 3> corner = {};
    int count = 0;
};

class Expansion {
  public:
    Expansion(const CorePair& pair, DepthSearch& memory, double scale)
        : pair_(pair), m_(memory), scale_(scale)
    {
        best_.depth = std::numeric_limits<double>::infinity();
        m_.corners.clear();
        m_.faces.clear();
    }

    WayOut run(const Vec3<double>& start)
    {
        if (!begin(start))
            return flat();
        // Planes are through points that are right to 4 ε of the scale; a few of those add up.
        const double width = 32 * unit_rounding * scale_;
        const double enough = flat_faced(pair_.a) && flat_faced(pair_.b)
                                  ? width
                                  : max(width, depth_accuracy * scale_);
        double lower = -std::numeric_limits<double>::infinity();
        while (static_cast<int>(m_.corners.size()) < DepthSearch::most_corners) {
            const int face = nearest_face();
            if (face < 0)
                break;
            const DepthSearch::Face& f = m_.faces[at(face)];
            lower = max(lower, f.distance);
            const Corner next = farthest(f.normal);
            ++best_.steps;
            const double h = dot(f.normal, next.w);
            if (h < best_.depth)
                take(f, h);
            if (best_.depth - lower <= enough || h - f.distance <= enough)
                break;
            if (!grow(face, next, width))
                break;
        }
        best_.lower = min(lower, best_.depth);
        if (best_.depth - best_.lower > 2 * enough)
            descend();
        return best_;
    }

  private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    Corner farthest(const Vec3<double>& n)
    {
        const Corner next = pair_.farthest(n, hint_a_, hint_b_);
        hint_a_ = next.corner_a;
        hint_b_ = next.corner_b;
        return next;
    }

    // Four points of M that are not in one plane. False: M has no volume, and `normal_` is across.
    bool begin(const Vec3<double>& start)
    {
        const Vec3<double> d = norm2(start) > 0 ? normalised(start) : Vec3<double>{1, 0, 0};
        const double thin = 64 * unit_rounding * scale_;
        Corner c[4];
        c[0] = farthest(d);
        c[1] = farthest(-d);
        double longest = norm(c[1].w - c[0].w);
        for (const Vec3<double>& e :
             {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}})
            for (const double sign : {1.0, -1.0}) {
                const Corner other = farthest(sign * e);
                if (const double length = norm(other.w - c[0].w); length > 2 * longest) {
                    longest = length;
                    c[1] = other;
                }
            }
        if (!(longest > thin)) { // a point: every way is as short
            normal_ = d;
            return false;
        }
        const Vec3<double> line = (c[1].w - c[0].w) / longest;
        const auto off_line = [&](const Corner& p) {
            const Vec3<double> r = p.w - c[0].w;
            return norm(r - dot(r, line) * line);
        };
        double widest = 0;
        const Vec3<double> u = across_to(line), w = cross(line, u);
        for (const Vec3<double>& e : {u, w, -u, -w}) {
            const Corner other = farthest(e);
            if (const double off = off_line(other); off > widest) {
                widest = off;
                c[2] = other;
            }
        }
        if (!(widest > thin)) {
            normal_ = across(line, d);
            return false;
        }
        Vec3<double> n = normalised(cross(c[1].w - c[0].w, c[2].w - c[0].w));
        const Corner above = farthest(n), below = farthest(-n);
        const double up = dot(n, above.w - c[0].w), down = dot(n, c[0].w - below.w);
        if (!(max(up, down) > thin)) {
            normal_ = n;
            return false;
        }
        c[3] = up >= down ? above : below;
        if (up >= down)
            std::swap(c[1], c[2]); // so that the first three face away from the fourth
        m_.corners.assign(c, c + 4);
        const int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
        const int beyond[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
        for (int f = 0; f < 4; ++f)
            if (!add({corner[f][0], corner[f][1], corner[f][2]},
                     {beyond[f][0], beyond[f][1], beyond[f][2]})) {
                normal_ = n;
                return false;
            }
        return true;
    }

    // A direction across the line, as near as may be to d.
    static Vec3<double> across(const Vec3<double>& line, const Vec3<double>& d)
    {
        const Vec3<double> e = d - dot(d, line) * line;
        return norm2(e) > 1e-6 ? normalised(e) : across_to(line);
    }

    bool add(const std::array<int, 3>& corner, const std::array<int, 3>& across)
    {
        const Vec3<double>&a = m_.corners[at(corner[0])].w, &b = m_.corners[at(corner[1])].w,
              &c = m_.corners[at(corner[2])].w;
        // From the corner across from the longest edge, as in simplex.cpp.
        const double ab = norm2(b - a), bc = norm2(c - b), ca = norm2(a - c);
        const bool at_b = ca > bc && ca >= ab, at_c = !at_b && ab > bc;
        const Vec3<double>& base = at_b ? b : at_c ? c : a;
        const Vec3<double> n = at_b   ? cross(c - b, a - b)
                               : at_c ? cross(a - c, b - c)
                                      : cross(b - a, c - a);
        const double size = norm(n);
        if (!(size > 0))
            return false;
        const Vec3<double> unit = n / size;
        m_.faces.push_back({corner, across, unit, dot(unit, base), true});
        return true;
    }

    int nearest_face() const
    {
        int best = -1;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t f = 0; f < m_.faces.size(); ++f)
            if (m_.faces[f].alive && m_.faces[f].distance < least) {
                least = m_.faces[f].distance;
                best = static_cast<int>(f);
            }
        return best;
    }

    void take(const DepthSearch::Face& f, double h)
    {
        best_.depth = h;
        best_.normal = f.normal;
        best_.count = 3;
        for (std::size_t i = 0; i < 3; ++i)
            best_.corner[i] = m_.corners[at(f.corner[i])];
    }

    // Takes the faces away that the new point sees, or is in the plane of, and closes the hole with
    // a fan. Faces in the plane go too: the fan then never has a triangle without area.
    bool grow(int seen, const Corner& next, double width)
    {
        m_.visible.assign(1, seen);
        m_.horizon_face.clear();
        m_.horizon_edge.clear();
        m_.faces[at(seen)].alive = false;
        walk(seen, 0, 3, next, width);
        const std::size_t edges = m_.horizon_face.size();
        if (edges < 3 || m_.faces.size() + edges > at(4 * DepthSearch::most_faces))
            return false;

        const int apex = static_cast<int>(m_.corners.size());
        m_.corners.push_back(next);
        const int first = static_cast<int>(m_.faces.size()), count = static_cast<int>(edges);
        for (int k = 0; k < count; ++k) {
            const int outer = m_.horizon_face[at(k)], edge = m_.horizon_edge[at(k)];
            DepthSearch::Face& o = m_.faces[at(outer)];
            const int from = o.corner[at((edge + 1) % 3)], to = o.corner[at(edge)];
            // The loop must be one, end to end.
            const int next_outer = m_.horizon_face[at((k + 1) % count)];
            const int next_edge = m_.horizon_edge[at((k + 1) % count)];
            if (m_.faces[at(next_outer)].corner[at((next_edge + 1) % 3)] != to)
                return false;
            o.across[at(edge)] = first + k;
            if (!add({from, to, apex},
                     {outer, first + (k + 1) % count, first + (k + count - 1) % count}))
                return false;
        }
        return true;
    }

    // Depth first around the visible patch, so that the horizon comes in order. Without recursion:
    // a stack of (face, edge to look at next, edges left).
    void walk(int face, int edge, int edges, const Corner& next, double width)
    {
        struct Visit {
            int face, edge, left;
        };
        std::array<Visit, 4 * DepthSearch::most_faces + 4> stack;
        std::size_t depth = 0;
        stack[depth++] = {face, edge, edges};
        while (depth > 0) {
            Visit& top = stack[depth - 1];
            if (top.left == 0) {
                --depth;
                continue;
            }
            const int e = top.edge % 3;
            ++top.edge;
            --top.left;
            const int over = m_.faces[at(top.face)].across[at(e)];
            DepthSearch::Face& o = m_.faces[at(over)];
            if (!o.alive)
                continue;
            int back = 0;
            for (int i = 0; i < 3; ++i)
                if (o.across[at(i)] == top.face &&
                    o.corner[at(i)] == m_.faces[at(top.face)].corner[at((e + 1) % 3)])
                    back = i;
            if (dot(o.normal, next.w) - o.distance > -width) {
                o.alive = false;
                m_.visible.push_back(over);
                stack[depth++] = {over, back + 1, 2};
            } else {
                m_.horizon_face.push_back(over);
                m_.horizon_edge.push_back(back);
            }
        }
    }

    WayOut flat()
    {
        for (const double sign : {1.0, -1.0}) {
            const Corner top = farthest(sign * normal_);
            if (const double h = dot(sign * normal_, top.w); h < best_.depth) {
                best_.depth = h;
                best_.normal = sign * normal_;
                best_.corner[0] = top;
                best_.count = 1;
            }
        }
        best_.lower = min(0.0, best_.depth);
        return best_;
    }

    // Downhill on the sphere: the gradient of h at n is its point w, less what is along n. Only for
    // curved shapes whose polytope is full.
    void descend()
    {
        Vec3<double> n = best_.normal;
        Corner c = farthest(n);
        double h = dot(n, c.w), length = 1;
        for (int i = 0; i < 100; ++i) {
            const Vec3<double> slope = c.w - dot(n, c.w) * n;
            const double size = norm(slope);
            if (size <= 1e-9 * scale_ || length < 1e-9)
                break;
            const Vec3<double> tried = normalised(n - (length / scale_) * slope);
            const Corner there = farthest(tried);
            ++best_.steps;
            if (const double lower = dot(tried, there.w); lower < h) {
                n = tried;
                c = there;
                h = lower;
                length *= 1.5;
            } else {
                length *= 0.5;
            }
        }
        if (h < best_.depth) {
            best_.depth = h;
            best_.normal = n;
            best_.corner[0] = c;
            best_.count = 1;
        }
    }

    const CorePair& pair_;
    DepthSearch& m_;
    double scale_;
    int hint_a_ = 0, hint_b_ = 0;
    Vec3<double> normal_ = {1, 0, 0};
    WayOut best_{};
};

FeaturePair features_of(const Corner* corner, int count)
{
    FeaturePair f;
    const auto put = [](int& n, std::array<int, 3>& list, int id) {
        for (int i = 0; i < n; ++i)
            if (list[static_cast<std::size_t>(i)] == id && id >= 0)
                return;
        if (n < 3)
            list[static_cast<std::size_t>(n++)] = id;
    };
    for (int i = 0; i < count; ++i) {
        put(f.count_a, f.corner_a, corner[i].corner_a);
        put(f.count_b, f.corner_b, corner[i].corner_b);
    }
    return f;
}

} // namespace

DepthSearch::DepthSearch()
{
    corners.reserve(most_corners + 1);
    faces.reserve(4 * most_faces + most_corners);
    visible.reserve(4 * most_faces);
    horizon_face.reserve(4 * most_faces);
    horizon_edge.reserve(4 * most_faces);
}

Gap gap_between(const Convex& a, const Pose<double>& pose_a, const Convex& b,
                const Pose<double>& pose_b, DepthSearch& search, SearchCache& cache, double limit)
{
    const CorePair pair(a, pose_a, b, pose_b);
    const double radii = a.radius + b.radius;
    const CoreDistance core = core_distance(pair, cache, limit + radii);

    Gap gap;
    gap.steps = core.steps;
    if (core.beyond) {
        gap.beyond = true;
        gap.distance = core.lower - radii;
        gap.normal = gap.proof = rotate(pose_a.q, -core.axis);
        return gap;
    }
    Vec3<double> n, r_a, r_b;
    double between;
    // The direction of v is as good as rounding over |v|. Below this share of the size the plane of
    // a face says more.
    constexpr double telling = 0x1p-36;
    if (!core.touch && core.upper > telling * core.scale) {
        n = -(core.v / core.upper);
        between = core.upper;
        // The points stand opposite each other: what thin simplices lose along the face is shared.
        const Vec3<double> middle = 0.5 * (core.simplex.point_a() + core.simplex.point_b());
        r_a = mul_add(-0.5 * between, n, middle);
        r_b = mul_add(0.5 * between, n, middle);
        gap.error = core.upper - core.lower;
        gap.features = features_of(core.simplex.corner.data(), core.simplex.count);
    } else {
        const double scale = max(core.scale, norm(pair.x));
        WayOut out = Expansion(pair, search, scale).run(core.touch ? cache.axis : -core.v);
        gap.steps += out.steps;
        n = out.normal;
        between = -out.depth;
        gap.error = out.depth - out.lower;
        Simplex face;
        face.count = out.count;
        for (std::size_t i = 0; i < static_cast<std::size_t>(out.count); ++i) {
            // Seen from the point of the plane below the origin: λ of the point nearest to it.
            face.corner[i] = out.corner[i];
            face.corner[i].w = face.corner[i].w - dot(n, face.corner[i].w) * n;
        }
        reduce_to_nearest(face);
        const Vec3<double> p = face.point_a(), q = face.point_b();
        const Vec3<double> middle = 0.5 * (p + q);
        r_a = mul_add(-0.5 * between, n, middle);
        r_b = mul_add(0.5 * between, n, middle);
        gap.features = features_of(face.corner.data(), face.count);
        if (!core.touch && core.upper > 0 && between < core.upper) {
            // Apart by less than the direction needs: the distance is still the search's own.
            between = core.upper;
            gap.error = core.upper - core.lower;
            r_a = mul_add(-0.5 * between, n, middle);
            r_b = mul_add(0.5 * between, n, middle);
        }
    }
    if (!flat_faced(a) || !flat_faced(b)) {
        const double accuracy = depth_accuracy * max(core.scale, norm(pair.x));
        if (const auto met = meeting_near(pair, {n, r_a, r_b, between}, accuracy)) {
            gap.error = max(0.0, gap.error + met->between - between);
            n = met->n;
            r_a = met->a;
            r_b = met->b;
            between = met->between;
        }
    }
    gap.distance = between - radii;
    gap.normal = rotate(pose_a.q, n);
    gap.proof = core.touch ? gap.normal : rotate(pose_a.q, -core.axis);
    gap.on_a = place(pose_a, mul_add(a.radius, n, r_a));
    gap.on_b = place(pose_a, mul_add(-b.radius, n, r_b));
    return gap;
}

Gap gap_between(const Convex& a, const Pose<double>& pose_a, const Convex& b,
                const Pose<double>& pose_b)
{
    thread_local DepthSearch search;
    SearchCache cache;
    return gap_between(a, pose_a, b, pose_b, search, cache);
}

} // namespace poinsot
