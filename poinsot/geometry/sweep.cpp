// SPDX-License-Identifier: MIT
#include "poinsot/geometry/sweep.hpp"

#include <algorithm>

namespace poinsot {

namespace {

constexpr double last_digit = std::numeric_limits<double>::epsilon();

// One side of a sweep. `at` places the shape; `reach` is from the centre it turns about.
struct Mover {
    const Passage& course;
    Pose<double> in_body;
    double reach;

    Pose<double> at(double t) const { return pose_at(course, t) * in_body; }
    /// What the rounding of a pose may move a point by: sums and turns of these lengths.
    double blur(double t) const
    {
        const Vec3<double>& x = course.start.x;
        const Vec3<double> far = mul_add(t, course.velocity, x);
        return 16 * last_digit *
               (max(abs(x.x), max(abs(x.y), abs(x.z))) +
                max(abs(far.x), max(abs(far.y), abs(far.z))) + 2 * reach + norm(course.centre));
    }
};

Mover mover_of(const Passage& course, const Collider::Part& part)
{
    // The centre as the part sees it
    const Vec3<double> centre = place(inverse(part.pose), course.centre);
    return {course, part.pose, reach_of(part.convex, centre)};
}

// gap(t) gives distance, normal from a to b, and error at a time. Shapes that are in each other by
// no more than `depth` do not count as touching.
template <class GapAt>
FirstTouch advance(const Mover& a, const Mover& b, double duration, double tolerance, double depth,
                   GapAt&& gap)
{
    FirstTouch found;
    const Vec3<double> v = a.course.velocity - b.course.velocity;
    // Points are off the course by ½ k t².
    const double k = a.reach * a.course.wobble + b.reach * b.course.wobble;
    double t = 0;
    for (found.steps = 1;; ++found.steps) {
        const Gap now = gap(t);
        // Rounding of both poses, now and wherever the touch may be.
        const double blur = a.blur(duration) + b.blur(duration);
        const double left = now.distance + depth - 0.5 * k * t * t;
        const double clear = left - now.error - blur;
        const double enough = max(tolerance, 2 * blur);
        found.time = t;
        if (left <= enough || clear <= 0) {
            found.touch = true;
            found.gap = now.distance;
            found.at = now;
            return found;
        }
        const Vec3<double>& n = now.proof; // in which `clear` is proven, whatever the normal is
        const double mu = dot(n, v) + a.reach * norm(cross(n, a.course.angular_velocity)) +
                          b.reach * norm(cross(n, b.course.angular_velocity));
        // The speed rounded up, the time down.
        const double speed = mu + 8 * last_digit *
                                      (norm(v) + a.reach * norm(a.course.angular_velocity) +
                                       b.reach * norm(b.course.angular_velocity));
        if (!((speed + 0.5 * k * (t + duration)) * (duration - t) >= clear)) {
            found.time = duration;
            found.gap = clear;
            return found;
        }
        // Until  speed Δ + ½ k ((t + Δ)² − t²) = clear
        const double rate = speed + k * t;
        const double wait =
            k > 0 ? 2 * clear / (rate + sqrt(mul_add(rate, rate, 2 * k * clear))) : clear / speed;
        const double next = t + wait * (1 - 4 * last_digit);
        if (found.steps >= sweep_steps || !(next > t)) {
            found.touch = true;
            found.resolved = !(next > t);
            found.gap = now.distance;
            found.at = now;
            return found;
        }
        t = next;
    }
}

double touch_tolerance(double asked, double reach_a, double reach_b)
{
    return asked > 0 ? asked : 1e-9 * min(reach_a, reach_b);
}

} // namespace

Pose<double> pose_at(const Passage& course, double t)
{
    const Quat<double> q = normalised(exp_quat(t * course.angular_velocity) * course.start.q);
    if (course.centre == zero3<double>())
        return {mul_add(t, course.velocity, course.start.x), q};
    const Vec3<double> c = mul_add(t, course.velocity, place(course.start, course.centre));
    return {c - rotate(q, course.centre), q};
}

FirstTouch first_touch(const Convex& a, const Passage& course_a, const Convex& b,
                       const Passage& course_b, double duration, DepthSearch& search,
                       double tolerance)
{
    const Mover in_a = mover_of(course_a, {a, identity_pose<double>()});
    const Mover in_b = mover_of(course_b, {b, identity_pose<double>()});
    SearchCache cache;
    return advance(
        in_a, in_b, duration, touch_tolerance(tolerance, in_a.reach, in_b.reach), 0,
        [&](double t) { return gap_between(a, in_a.at(t), b, in_b.at(t), search, cache); });
}

Bounds swept_bounds(const Convex& shape, const Pose<double>& in_body, const Passage& course,
                    double duration)
{
    const Mover mover = mover_of(course, {shape, in_body});
    const Vec3<double> from = place(course.start, course.centre),
                       to = mul_add(duration, course.velocity, from);
    // Without turning, the boxes at both ends; else the ball about the centre.
    if (course.angular_velocity == zero3<double>())
        return joined(bounds_of(shape, mover.at(0)), bounds_of(shape, mover.at(duration)));
    Bounds line{from, from};
    line.include(to);
    return grown(line, mover.reach + mover.blur(duration));
}

namespace {

// Pairs of parts whose swept boxes overlap. A collider of many parts that does not turn is asked by
// its tree, in its own frame, for the boxes that others sweep as it sees them.
void swept_parts(const Collider& a, const Passage& course_a, const Collider& b,
                 const Passage& course_b, double duration, std::vector<std::pair<int, int>>& pairs)
{
    pairs.clear();
    const int count_a = a.bounded() ? static_cast<int>(a.parts().size()) : 1;
    const int count_b = b.bounded() ? static_cast<int>(b.parts().size()) : 1;
    const bool both = a.bounded() && b.bounded();
    const bool a_many = count_a >= count_b;
    const Collider &many = a_many ? a : b, &few = a_many ? b : a;
    const Passage &base = a_many ? course_a : course_b, &mover = a_many ? course_b : course_a;
    if (both && many.parts().size() > 1 && base.angular_velocity == zero3<double>()) {
        Passage relative = mover;
        relative.velocity -= base.velocity;
        for (std::size_t i = 0; i < few.parts().size(); ++i) {
            const Collider::Part& part = few.parts()[i];
            const Bounds swept = swept_bounds(part.convex, part.pose, relative, duration);
            Convex box;
            box.core = Core::box;
            box.size = 0.5 * swept.size();
            const Pose<double> seen =
                inverse(base.start) * Pose<double>{swept.middle(), identity_quat<double>()};
            // What the velocities' difference and the frames have rounded off.
            const double blur = 64 * last_digit *
                                (norm(swept.lo) + norm(swept.hi) + norm(base.start.x) +
                                 duration * (norm(base.velocity) + norm(mover.velocity)));
            many.tree().each_overlap(grown(bounds_of(box, seen), blur), [&](int j) {
                pairs.push_back(a_many ? std::pair{j, static_cast<int>(i)}
                                       : std::pair{static_cast<int>(i), j});
                return true;
            });
        }
        std::sort(pairs.begin(), pairs.end());
        return;
    }
    for (int i = 0; i < count_a; ++i)
        for (int j = 0; j < count_b; ++j) {
            if (both) {
                const Collider::Part &in_a = a.parts()[static_cast<std::size_t>(i)],
                                     &in_b = b.parts()[static_cast<std::size_t>(j)];
                if (!overlap(swept_bounds(in_a.convex, in_a.pose, course_a, duration),
                             swept_bounds(in_b.convex, in_b.pose, course_b, duration)))
                    continue;
            }
            pairs.push_back({i, j});
        }
}

} // namespace

namespace {

/// The smallest side of a part; of a face, what lies on it.
double thickness_of(const Collider::Part& part)
{
    if (part.convex.core == Core::triangle)
        return 2 * part.convex.radius;
    const Vec3<double> side = bounds_of(part.convex, identity_pose<double>()).size();
    return min(side.x, min(side.y, side.z));
}

FirstTouch first_of_parts(const Collider& a, const Passage& course_a, const Collider& b,
                          const Passage& course_b, double duration, PartWorkspace& w,
                          double tolerance, bool sinking)
{
    FirstTouch first;
    first.time = duration;
    if (!a.bounded() && !b.bounded())
        return first;
    if ((!a.bounded() && course_a.angular_velocity != zero3<double>()) ||
        (!b.bounded() && course_b.angular_velocity != zero3<double>())) {
        // The far end of a turning plane has no bound on its speed: touch is not excluded.
        first.touch = true;
        first.resolved = false;
        first.time = 0;
        return first;
    }
    const Collider::Part plane{};
    const auto part_at = [&](const Collider& c, int i) -> const Collider::Part& {
        return c.bounded() ? c.parts()[static_cast<std::size_t>(i)] : plane;
    };
    swept_parts(a, course_a, b, course_b, duration, w.pairs);
    for (const auto& pair : w.pairs) {
        const int i = pair.first, j = pair.second;
        const Mover in_a = mover_of(course_a, part_at(a, i)),
                    in_b = mover_of(course_b, part_at(b, j));
        SearchCache cache;
        const double reach_a = a.bounded() ? in_a.reach : in_b.reach;
        const double reach_b = b.bounded() ? in_b.reach : in_a.reach;
        const auto gap = [&](double t) {
            return gap_of_parts(a, pose_at(course_a, t), i, b, pose_at(course_b, t), j, w, cache);
        };
        double depth = 0;
        if (sinking) {
            depth = 0.125 * ((a.bounded() ? thickness_of(part_at(a, i)) : 0) +
                             (b.bounded() ? thickness_of(part_at(b, j)) : 0));
            if (!(depth > 0)) // two faces of meshes have no inside
                continue;
            depth = max(depth, 0.125 * depth - gap(0).distance);
        }
        FirstTouch here = advance(in_a, in_b, first.time,
                                  touch_tolerance(tolerance, reach_a, reach_b), depth, gap);
        here.steps += first.steps;
        if (here.touch && (!first.touch || here.time < first.time)) {
            here.part_a = i;
            here.part_b = j;
            first = here;
        } else {
            first.steps = here.steps;
        }
    }
    return first;
}

} // namespace

FirstTouch first_touch(const Collider& a, const Passage& course_a, const Collider& b,
                       const Passage& course_b, double duration, PartWorkspace& w, double tolerance)
{
    return first_of_parts(a, course_a, b, course_b, duration, w, tolerance, false);
}
FirstTouch first_sinking(const Collider& a, const Passage& course_a, const Collider& b,
                         const Passage& course_b, double duration, PartWorkspace& w,
                         double tolerance)
{
    return first_of_parts(a, course_a, b, course_b, duration, w, tolerance, true);
}

} // namespace poinsot
