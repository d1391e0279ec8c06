// SPDX-License-Identifier: MIT
#include "poinsot/geometry/ray.hpp"
#include "poinsot/geometry/penetration.hpp"

namespace poinsot {

namespace {

using Met = std::optional<RayHit>;

// The roots of a t² + 2 b t + c in ascending order, without cancellation; none if there is no real
// one. a > 0.
std::optional<std::pair<double, double>> roots_of(double a, double b, double c)
{
    // b² − a c with the rounding of the products made good by mul_add
    const double ac = a * c, low = mul_add(a, c, -ac), b2 = b * b, low2 = mul_add(b, b, -b2);
    const double D = (b2 - ac) + (low2 - low);
    if (!(D >= 0) || !(a > 0))
        return std::nullopt;
    const double q = -(b + (b >= 0 ? sqrt(D) : -sqrt(D)));
    if (q == 0)
        return std::pair{0.0, 0.0};
    const double t0 = q / a, t1 = c / q;
    return std::pair{min(t0, t1), max(t0, t1)};
}

// A convex body as an interval of the ray: where it goes in and out, and the normal of going in.
struct Through {
    double in = -std::numeric_limits<double>::infinity();
    double out = std::numeric_limits<double>::infinity();
    Vec3<double> normal = zero3<double>();
    bool missed = false;

    // The half-space m · r ≤ offset
    void cut(const Vec3<double>& m, double offset, const Vec3<double>& from, const Vec3<double>& d)
    {
        const double s = offset - dot(m, from), rate = dot(m, d);
        if (rate == 0) {
            missed = missed || s < 0;
        } else if (const double t = s / rate; rate < 0) {
            if (t > in) {
                in = t;
                normal = m;
            }
        } else {
            out = min(out, t);
        }
    }
    void round(const std::optional<std::pair<double, double>>& roots)
    {
        missed = missed || !roots;
        if (roots) {
            if (roots->first > in) {
                in = roots->first;
                normal = zero3<double>(); // to be found at the point
            }
            out = min(out, roots->second);
        }
    }
    bool any(double until) const { return !missed && in <= out && out >= 0 && in <= until; }
};

Met ball_met(const Vec3<double>& centre, double radius, const Ray& ray)
{
    const Vec3<double> f = ray.from - centre;
    const auto roots = roots_of(norm2(ray.d), dot(f, ray.d), norm2(f) - radius * radius);
    if (!roots || roots->second < 0 || roots->first > ray.until)
        return std::nullopt;
    const double t = max(0.0, roots->first);
    const Vec3<double> r = mul_add(t, ray.d, ray.from);
    const Vec3<double> out = t > 0 ? r - centre : -ray.d;
    return RayHit{t, r, normalised(out)};
}

Met nearer(const Met& a, const Met& b)
{
    return !a || (b && b->t < a->t) ? b : a;
}

Met entered(const Through& through, const Ray& ray, const Vec3<double>& normal)
{
    if (!through.any(ray.until))
        return std::nullopt;
    if (through.in <= 0)
        return RayHit{0, ray.from, -normalised(ray.d)};
    return RayHit{through.in, mul_add(through.in, ray.d, ray.from), normalised(normal)};
}

// An upright cylinder between two heights.
Met cylinder_met(double radius, double low, double high, const Ray& ray)
{
    const Vec3<double>&f = ray.from, &d = ray.d;
    Through through;
    const double a = d.x * d.x + d.y * d.y;
    if (a > 0)
        through.round(roots_of(a, f.x * d.x + f.y * d.y, f.x * f.x + f.y * f.y - radius * radius));
    else
        through.missed = f.x * f.x + f.y * f.y > radius * radius;
    through.cut({0, 0, 1}, high, f, d);
    through.cut({0, 0, -1}, -low, f, d);
    Vec3<double> n = through.normal;
    if (n == zero3<double>() && through.any(ray.until)) {
        const Vec3<double> r = mul_add(through.in, d, f);
        n = {r.x, r.y, 0};
    }
    return entered(through, ray, n);
}

Met cone_met(double radius, double height, const Ray& ray)
{
    // x² + y² = k² (h − z)², k = r/h, for z ≤ h: the quadratic has both nappes, so its roots are
    // sorted by height.
    const double k = radius / height, k2 = k * k;
    const Vec3<double>& d = ray.d;
    const Vec3<double> f{ray.from.x, ray.from.y, ray.from.z - height};
    const auto inside = [&](const Vec3<double>& r) {
        return r.z >= 0 && r.z <= height &&
               r.x * r.x + r.y * r.y <= k2 * (height - r.z) * (height - r.z);
    };
    if (inside(ray.from))
        return RayHit{0, ray.from, -normalised(d)};
    Met best;
    const auto offer = [&](double t, bool side) {
        if (!(t >= 0) || t > ray.until || (best && best->t <= t))
            return;
        const Vec3<double> r = mul_add(t, d, ray.from);
        if (side) {
            if (r.z < 0 || r.z > height)
                return;
            const double across = sqrt(r.x * r.x + r.y * r.y);
            const Vec3<double> n =
                across > 0 ? Vec3<double>{r.x / across, r.y / across, k} : Vec3<double>{0, 0, 1};
            best = RayHit{t, r, normalised(n)};
        } else if (r.x * r.x + r.y * r.y <= radius * radius) {
            best = RayHit{t, {r.x, r.y, 0}, {0, 0, -1}};
        }
    };
    if (d.z != 0)
        offer(-ray.from.z / d.z, false);
    double a = d.x * d.x + d.y * d.y - k2 * d.z * d.z;
    double b = f.x * d.x + f.y * d.y - k2 * f.z * d.z;
    double c = f.x * f.x + f.y * f.y - k2 * f.z * f.z;
    if (a < 0) {
        a = -a;
        b = -b;
        c = -c;
    }
    if (a > 0) {
        if (const auto roots = roots_of(a, b, c)) {
            offer(roots->first, true);
            offer(roots->second, true);
        }
    } else if (b != 0) { // along a line of the side
        offer(-c / (2 * b), true);
    }
    return best;
}

Met triangle_met(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c,
                 const Ray& ray)
{
    const Vec3<double> n = cross(b - a, c - a);
    const double rate = dot(n, ray.d);
    if (rate == 0)
        return std::nullopt;
    const double t = dot(n, a - ray.from) / rate;
    if (!(t >= 0) || t > ray.until)
        return std::nullopt;
    // Which side of each edge the line passes: volumes with the ray's own direction, so that two
    // triangles with a common edge cannot both be missed.
    const Vec3<double> A = a - ray.from, B = b - ray.from, C = c - ray.from;
    const double s0 = dot(ray.d, cross(A, B)), s1 = dot(ray.d, cross(B, C)),
                 s2 = dot(ray.d, cross(C, A));
    if (!((s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0)))
        return std::nullopt;
    return RayHit{t, mul_add(t, ray.d, ray.from), normalised(rate < 0 ? n : -n)};
}

// A point that moves along the ray, by conservative advancement: the gap cannot close before
// gap/(speed along it).
Met advanced(const Ray& ray, const Convex& shape)
{
    thread_local DepthSearch search;
    SearchCache cache;
    const Convex point;
    const double size = reach_of(shape, zero3<double>());
    double t = 0;
    for (int i = 0; i < 200; ++i) {
        const Vec3<double> r = mul_add(t, ray.d, ray.from);
        const Gap gap = gap_between(shape, identity_pose<double>(), point,
                                    {r, identity_quat<double>()}, search, cache);
        if (gap.distance <= 1e-12 * (size + norm(r)))
            return RayHit{t, r, t > 0 ? gap.normal : -normalised(ray.d)};
        const double closing = -dot(gap.normal, ray.d);
        if (!(closing > 0))
            return std::nullopt;
        t += gap.distance / closing;
        if (!(t <= ray.until))
            return std::nullopt;
    }
    return std::nullopt; // along the surface, without coming nearer
}

Met met_in_own_frame(const Ray& ray, const Convex& shape)
{
    const Vec3<double>& s = shape.size;
    switch (shape.core) {
    case Core::point:
        return ball_met(zero3<double>(), shape.radius, ray);
    case Core::segment: {
        const double h = norm(s);
        if (!(s.x == 0 && s.y == 0) || !(h > 0))
            return advanced(ray, shape);
        return nearer(cylinder_met(shape.radius, -h, h, ray),
                      nearer(ball_met({0, 0, h}, shape.radius, ray),
                             ball_met({0, 0, -h}, shape.radius, ray)));
    }
    default:
        break;
    }
    if (shape.radius > 0)
        return advanced(ray, shape);
    Through through;
    switch (shape.core) {
    case Core::triangle:
        return triangle_met(s, shape.b, shape.c, ray);
    case Core::box:
        for (const double sign : {1.0, -1.0}) {
            through.cut({sign, 0, 0}, s.x, ray.from, ray.d);
            through.cut({0, sign, 0}, s.y, ray.from, ray.d);
            through.cut({0, 0, sign}, s.z, ray.from, ray.d);
        }
        return entered(through, ray, through.normal);
    case Core::polytope:
        for (const Polytope::Face& face : shape.polytope->faces)
            through.cut(face.normal, face.offset, ray.from, ray.d);
        return entered(through, ray, through.normal);
    case Core::ellipsoid: {
        // A ball in coordinates divided by the half axes; normals by them once more.
        const auto scaled = [&](const Vec3<double>& r) {
            return Vec3<double>{r.x / s.x, r.y / s.y, r.z / s.z};
        };
        auto hit = ball_met(zero3<double>(), 1, {scaled(ray.from), scaled(ray.d), ray.until});
        if (hit) {
            hit->point = mul_add(hit->t, ray.d, ray.from);
            hit->normal = hit->t > 0 ? normalised(scaled(scaled(hit->point))) : -normalised(ray.d);
        }
        return hit;
    }
    case Core::cylinder:
        return cylinder_met(s.x, -s.z, s.z, ray);
    case Core::cone:
        return cone_met(s.x, s.z, ray);
    default:
        return std::nullopt;
    }
}

Ray seen_from(const Ray& ray, const Pose<double>& pose)
{
    const Quat<double> back = conjugate(pose.q);
    return {rotate(back, ray.from - pose.x), rotate(back, ray.d), ray.until};
}

Met placed_again(Met hit, const Ray& ray, const Pose<double>& pose)
{
    if (hit) {
        hit->point = mul_add(hit->t, ray.d, ray.from);
        hit->normal = rotate(pose.q, hit->normal);
    }
    return hit;
}

} // namespace

std::optional<RayHit> meet(const Ray& ray, const Convex& shape, const Pose<double>& pose)
{
    if (!(norm2(ray.d) > 0) || !finite(ray.d) || !finite(ray.from))
        return std::nullopt;
    return placed_again(met_in_own_frame(seen_from(ray, pose), shape), ray, pose);
}

std::optional<RayHit> meet(const Ray& ray, const Collider& shape, const Pose<double>& pose)
{
    if (!(norm2(ray.d) > 0) || !finite(ray.d) || !finite(ray.from))
        return std::nullopt;
    Ray own = seen_from(ray, pose);
    if (!shape.bounded()) {
        const bool sheet = shape.kind() == Collider::Kind::plane;
        const double side = sheet && own.from.z < 0 ? -1 : 1;
        const double height = side * own.from.z - shape.margin(), rate = side * own.d.z;
        if (height <= 0)
            return placed_again(RayHit{0, own.from, -normalised(own.d)}, ray, pose);
        if (!(rate < 0) || !(height <= -rate * ray.until))
            return std::nullopt;
        return placed_again(RayHit{-height / rate, zero3<double>(), {0, 0, side}}, ray, pose);
    }
    Met best;
    const auto look = [&](int i) {
        auto hit = meet(own, shape.parts()[static_cast<std::size_t>(i)].convex,
                        shape.parts()[static_cast<std::size_t>(i)].pose);
        if (hit && (!best || hit->t < best->t || (hit->t == best->t && i < best->part))) {
            hit->part = i;
            best = hit;
            own.until = hit->t;
        }
    };
    if (shape.parts().size() == 1)
        look(0);
    else
        shape.tree().each_on_line(own.from, own.d, own.until, zero3<double>(), look);
    return placed_again(best, ray, pose);
}

} // namespace poinsot
