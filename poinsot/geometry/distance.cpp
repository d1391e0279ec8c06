// SPDX-License-Identifier: MIT
#include "poinsot/geometry/distance.hpp"

namespace poinsot {

CorePair::CorePair(const Convex& first, const Pose<double>& pose_a, const Convex& second,
                   const Pose<double>& pose_b)
    : a(first), b(second), R(matrix_of(conjugate(pose_a.q) * pose_b.q)),
      x(rotate(conjugate(pose_a.q), pose_b.x - pose_a.x))
{
}

Corner CorePair::farthest(const Vec3<double>& d, int hint_a, int hint_b) const
{
    const Extreme in_a = support(a, d, hint_a);
    const Extreme in_b = support(b, -transpose_times(R, d), hint_b);
    const Vec3<double> r_b = x + R * in_b.r;
    return {in_a.r - r_b, in_a.r, r_b, in_a.corner, in_b.corner};
}

CoreDistance core_distance(const CorePair& pair, SearchCache& cache, double limit)
{
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    CoreDistance answer{};
    answer.lower = -std::numeric_limits<double>::infinity();
    answer.upper = std::numeric_limits<double>::infinity();
    Simplex& simplex = answer.simplex;

    Vec3<double> v = cache.axis;
    if (!(norm2(v) > 0) || !finite(v))
        v = middle_of(pair.a) - (pair.x + pair.R * middle_of(pair.b));
    if (!(norm2(v) > 0))
        v = {1, 0, 0};
    int hint_a = cache.corner_a, hint_b = cache.corner_b;
    bool first = true;

    for (answer.steps = 1; answer.steps <= distance_steps; ++answer.steps) {
        const Corner next = pair.farthest(-v, hint_a, hint_b);
        hint_a = next.corner_a;
        hint_b = next.corner_b;
        const double size = norm(v);
        answer.scale = max(answer.scale, max(norm(next.a), norm(next.b)));
        // A point of M is right to the rounding of three products and of a sum: 4 ε of its terms.
        const double rounded = 4 * epsilon * answer.scale;
        // Every plane across v bounds the distance from below, whatever v is.
        if (const double apart = dot(v, next.w) / size - rounded; apart > answer.lower) {
            answer.lower = apart;
            answer.axis = v / size;
        }
        if (answer.lower > limit) {
            answer.beyond = true;
            answer.v = v;
            break;
        }
        if (!first && answer.upper - answer.lower <= 4 * epsilon * answer.upper + 2 * rounded)
            break;
        bool known = false;
        for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.count); ++i)
            known = known || simplex.corner[i].w == next.w;
        if (known)
            break; // nothing nearer than what the simplex has

        const Simplex before = simplex;
        simplex.corner[static_cast<std::size_t>(simplex.count++)] = next;
        const Vec3<double> nearer = reduce_to_nearest(simplex);
        const double distance = norm(nearer);
        if (simplex.count == 4 || distance <= rounded) {
            answer.touch = true;
            answer.upper = distance;
            answer.v = nearer;
            break;
        }
        if (!(distance < answer.upper)) { // rounding
            simplex = before;
            break;
        }
        answer.upper = distance;
        answer.v = v = nearer;
        first = false;
    }
    answer.lower = max(0.0, answer.lower);
    if (norm2(v) > 0)
        cache.axis = v;
    cache.corner_a = hint_a;
    cache.corner_b = hint_b;
    return answer;
}

} // namespace poinsot
