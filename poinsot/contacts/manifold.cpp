// SPDX-License-Identifier: MIT
#include "poinsot/contacts/manifold.hpp"

#include "poinsot/contacts/seams.hpp"

namespace poinsot {

Vec3<double> tangent_of(const Vec3<double>& n)
{
    // Duff et al. 2017: one of two formulas, by the sign of z, neither near its pole.
    const double sign = n.z >= 0 ? 1.0 : -1.0;
    const double a = -1 / (sign + n.z);
    return normalised(Vec3<double>{1 + sign * n.x * n.x * a, sign * n.x * n.y * a, -sign * n.x});
}

void set_points(Manifold& m, const Patch& patch)
{
    m.count = patch.count;
    for (std::size_t i = 0; i < static_cast<std::size_t>(patch.count); ++i) {
        const Spot& s = patch.spot[i];
        m.point[i] = {s.on_a, s.on_b, s.gap, s.feature, false, {}};
    }
}

void carry_over(std::span<const Manifold> before, std::span<Manifold> now)
{
    std::size_t k = 0;
    for (Manifold& m : now) {
        while (k < before.size() && key_of(before[k]) < key_of(m))
            ++k;
        if (k == before.size() || key_of(before[k]) != key_of(m))
            continue;
        const Manifold& old = before[k];
        const Vec3<double> second = cross(m.normal, m.tangent);
        const Vec3<double> old_second = cross(old.normal, old.tangent);
        for (int i = 0; i < m.count; ++i) {
            ContactPoint& p = m.point[static_cast<std::size_t>(i)];
            for (int j = 0; j < old.count; ++j) {
                const ContactPoint& q = old.point[static_cast<std::size_t>(j)];
                if (q.feature != p.feature)
                    continue;
                // The friction impulse is a vector of the world; the tangents have turned.
                const Vec3<double> friction =
                    q.impulse[1] * old.tangent + q.impulse[2] * old_second;
                p.impulse = {q.impulse[0], dot(friction, m.tangent), dot(friction, second)};
                p.old = true;
                break;
            }
        }
    }
}

std::span<Manifold> Contacts::find(std::span<const std::pair<int, int>> pairs,
                                   std::span<const Collider* const> shapes,
                                   std::span<const Pose<double>> poses, double margin,
                                   std::span<const int> owners)
{
    std::swap(now_, before_);
    now_.clear();
    std::size_t k = 0;
    for (const auto& [a, b] : pairs) {
        const Collider& in_a = *shapes[static_cast<std::size_t>(a)];
        const Collider& in_b = *shapes[static_cast<std::size_t>(b)];
        const Pose<double>& pose_a = poses[static_cast<std::size_t>(a)];
        const Pose<double>& pose_b = poses[static_cast<std::size_t>(b)];
        near_parts(in_a, pose_a, in_b, pose_b, margin, work_.pairs);
        seams_.parts.clear();
        for (const auto& [part_a, part_b] : work_.pairs) {
            const std::array<int, 4> key{a, b, part_a, part_b};
            while (k < before_.size() && key_of(before_[k]) < key)
                ++k;
            SearchCache cache;
            if (k < before_.size() && key_of(before_[k]) == key)
                cache = before_[k].cache;
            const Gap gap =
                gap_of_parts(in_a, pose_a, part_a, in_b, pose_b, part_b, work_, cache, margin);
            if (gap.beyond || !(gap.distance <= margin))
                continue;
            const Patch patch =
                patch_of_parts(in_a, pose_a, part_a, in_b, pose_b, part_b, gap, margin);
            Manifold m{a, b, part_a, part_b, patch.normal, tangent_of(patch.normal), 0, {}, cache};
            set_points(m, patch);
            seams_.parts.push_back(m);
        }
        unite_faces(in_a, pose_a, in_b, pose_b, margin, seams_, now_);
    }
    leave_out_hidden(shapes, poses, owners, seams_, now_);
    carry_over(before_, now_);
    return now_;
}

} // namespace poinsot
