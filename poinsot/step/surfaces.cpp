// SPDX-License-Identifier: MIT
#include "poinsot/step/surfaces.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

constexpr double part_of_size = 5e-4; // by which γ looks ahead and behind: ε^(1/5)
// On a rim that lies almost flat the lowest point runs much faster than anything moves: γ looks
// less far then, so that none is seen farther away than this part of the size.
constexpr double runs_far = 8 * part_of_size;
constexpr int most_nearer = 6; // looks, each ten times as near at most

std::size_t index_at(int i)
{
    return static_cast<std::size_t>(i);
}
Vec3<double> velocity_at(const Vec3<double>& P, const Vec3<double>& x, const Vec3<double>& v,
                         const Vec3<double>& omega)
{
    return v + cross(omega, P - x);
}

} // namespace

int same_point(std::span<const Manifold> points, const Manifold& at, double near)
{
    int found = -1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (key_of(points[i]) != key_of(at))
            continue;
        const double far = norm(place_of(points[i]) - place_of(at));
        if (points[i].point[0].feature == at.point[0].feature && far < near)
            return static_cast<int>(i);
        if (far < least) {
            least = far;
            found = static_cast<int>(i);
        }
    }
    return found;
}

Surfaces::Surfaces(const Model& model) : model_(model)
{
    double smallest = std::numeric_limits<double>::infinity();
    for (const Skin& skin : model.skins()) {
        shapes_.push_back(&skin.collider);
        filters_.push_back(skin.filter);
        owners_.push_back(skin.body);
        const auto& parts = skin.collider.parts();
        rims_.push_back(std::any_of(parts.begin(), parts.end(), [](const Collider::Part& part) {
            return part.convex.core == Core::cylinder || part.convex.core == Core::cone;
        }));
        if (skin.collider.bounded()) {
            const double size = norm(skin.collider.bounds().size());
            smallest = std::min(smallest, size);
            largest_ = std::max(largest_, size);
        }
    }
    smallest_ = std::isfinite(smallest) ? smallest : 0;
    poses_.resize(shapes_.size());
    for (const auto& [a, b] : model.skins_apart())
        broadphase_.never(a, b);
}

void Surfaces::place(const Placed& placed)
{
    place_skins(model_, placed, poses_);
}

void Surfaces::find(double margin, std::vector<Manifold>& out)
{
    pairs_.clear();
    for (const auto& pair : broadphase_.pairs(shapes_, poses_, filters_, margin))
        if (owners_[index_at(pair.first)] != owners_[index_at(pair.second)])
            pairs_.push_back(pair);
    find(pairs_, margin, out);
}

void Surfaces::find(std::span<const std::pair<int, int>> pairs, double margin,
                    std::vector<Manifold>& out)
{
    out.clear();
    contacts_.clear();
    for (const Manifold& m : contacts_.find(pairs, shapes_, poses_, margin, owners_))
        for (int k = 0; k < m.count; ++k) {
            Manifold one = m;
            one.count = 1;
            one.point[0] = m.point[index_at(k)];
            out.push_back(one);
        }
}

Surfaces::Mover Surfaces::mover_of(int skin, const Placed& placed) const
{
    const int body = owners_[index_at(skin)];
    if (body == world)
        return {zero3<double>(), zero3<double>(), zero3<double>()};
    const PlacedBody& at = placed.bodies[index_at(body)];
    return {at.x, at.v, at.omega};
}

double Surfaces::approach(const Manifold& at, const Placed& placed) const
{
    const Mover a = mover_of(at.a, placed), b = mover_of(at.b, placed);
    const Vec3<double> P = place_of(at);
    return dot(at.normal, velocity_at(P, b.x, b.v, b.omega) - velocity_at(P, a.x, a.v, a.omega));
}

double Surfaces::reach(std::size_t skin, const Placed& placed) const
{
    const Mover mover = mover_of(static_cast<int>(skin), placed);
    const Bounds& box = shapes_[skin]->bounds();
    const Vec3<double> middle = poinsot::place(poses_[skin], 0.5 * (box.lo + box.hi));
    return norm(middle - mover.x) + 0.5 * norm(box.size());
}

double Surfaces::fastest(const Placed& placed) const
{
    double most = 0;
    for (std::size_t i = 0; i < shapes_.size(); ++i)
        if (owners_[i] != world && shapes_[i]->bounded()) {
            const PlacedBody& body = placed.bodies[index_at(owners_[i])];
            most = std::max(most, norm(body.v) + norm(body.omega) * reach(i, placed));
        }
    return most;
}

double Surfaces::farthest_look(std::span<const Manifold> at) const
{
    double farthest = 0;
    for (const std::vector<Manifold>& look : looks_)
        for (const Manifold& m : at)
            if (const int j = same_point(look, m);
                j >= 0 && look[index_at(j)].point[0].feature == m.point[0].feature)
                farthest = std::max(farthest, norm(place_of(look[index_at(j)]) - place_of(m)));
    return farthest;
}

void Surfaces::measure_gamma(const Placed& placed, std::span<const Manifold> at,
                             std::span<const TouchRows> points, Rows& rows)
{
    for (std::size_t k = 0; k < at.size();) {
        std::size_t end = k; // of the points of one pair
        while (end < at.size() && at[end].a == at[k].a && at[end].b == at[k].b)
            ++end;
        const int a = at[k].a, b = at[k].b;
        const Mover of_a = mover_of(a, placed), of_b = mover_of(b, placed);
        const Vec3<double> v = of_b.v - of_a.v; // as the centre of a sees it
        const double reach_a = shapes_[index_at(a)]->bounded() ? reach(index_at(a), placed) : 0,
                     reach_b = shapes_[index_at(b)]->bounded() ? reach(index_at(b), placed) : 0;
        const double speed = norm(v) + norm(of_a.omega) * reach_a + norm(of_b.omega) * reach_b;
        double e = speed > 0 ? part_of_size * smallest_ / speed : 0; // s
        if (!(e > 0) || !std::isfinite(e)) {
            k = end;
            continue;
        }
        const Pose<double> pose_a = poses_[index_at(a)], pose_b = poses_[index_at(b)];
        const auto look = [&](double t, std::vector<Manifold>& out) {
            const auto moved = [&](const Pose<double>& pose, const Mover& by,
                                   const Vec3<double>& velocity) {
                const Quat<double> turn = exp_quat(t * by.omega);
                return Pose<double>{by.x + t * velocity + rotate(turn, pose.x - by.x),
                                    normalised(turn * pose.q)};
            };
            poses_[index_at(a)] = moved(pose_a, of_a, zero3<double>());
            poses_[index_at(b)] = moved(pose_b, of_b, v);
            const std::pair<int, int> pair{a, b};
            find({&pair, 1}, 8 * part_of_size * smallest_, out);
        };
        constexpr std::array<double, 4> when{-2, -1, 1, 2};
        for (int nearer = 0;; ++nearer) {
            for (std::size_t i = 0; i < when.size(); ++i)
                look(when[i] * e, looks_[i]);
            const double ran = farthest_look(at.subspan(k, end - k)) / (runs_far * smallest_);
            const bool round = rims_[index_at(a)] || rims_[index_at(b)];
            if (!(ran > 1) || !round || nearer == most_nearer)
                break;
            e *= max(0.1, 0.5 / ran);
        }
        poses_[index_at(a)] = pose_a;
        poses_[index_at(b)] = pose_b;

        const Vec3<double> spin = of_b.omega - of_a.omega;
        const auto relative = [&](const Manifold& m, double t) {
            const Vec3<double> P = place_of(m);
            return velocity_at(P, of_b.x + t * v, v, of_b.omega) -
                   velocity_at(P, of_a.x, zero3<double>(), of_a.omega);
        };
        for (; k < end; ++k) {
            // A point that is not seen at all four is seen at two, or at one and here.
            std::array<const Manifold*, 4> seen{};
            for (std::size_t i = 0; i < when.size(); ++i)
                if (const int j = same_point(looks_[i], at[k]); j >= 0)
                    seen[i] = &looks_[i][index_at(j)];
            std::array<double, 4> weights{1, -8, 8, -1};
            double per = 1 / (12 * e), here = 0;
            if (!seen[0] || !seen[3]) {
                weights = {0, -1, 1, 0};
                per = 1 / (2 * e);
            }
            if (!seen[1] || !seen[2]) {
                if (!seen[1] && !seen[2])
                    continue;
                weights = {0, seen[1] ? -1.0 : 0, seen[2] ? 1.0 : 0, 0};
                here = seen[1] ? 1 : -1;
                per = 1 / e;
            }
            const Vec3<double> u = relative(at[k], 0);
            double rate = here * dot(at[k].normal, u);
            Vec3<double> u_dot = here * u, n_dot = here * at[k].normal;
            for (std::size_t i = 0; i < when.size(); ++i)
                if (weights[i] != 0) {
                    const Vec3<double> then = relative(*seen[i], when[i] * e);
                    rate += weights[i] * dot(seen[i]->normal, then);
                    u_dot += weights[i] * then;
                    n_dot += weights[i] * seen[i]->normal;
                }
            u_dot = per * u_dot;
            n_dot = per * n_dot;
            const TouchRows& touch = points[k];
            const Vec3<double> t_a = at[k].tangent, t_b = cross(at[k].normal, t_a);
            int r = touch.first;
            const auto set = [&](double gamma) { rows.rows[index_at(r++)].gamma = gamma; };
            set(per * rate);
            if (touch.tangents > 0) {
                set(dot(t_a, u_dot));
                set(dot(t_b, u_dot));
            }
            if (touch.twists > 0)
                set(dot(n_dot, spin));
            // What rolls has the directions of the world: nothing is left.
        }
    }
}

double Surfaces::until_inside(const Placed& placed, std::span<const Manifold> near, double duration,
                              double within)
{
    double quarter = duration;
    courses_of(placed, owners_, poses_, duration, courses_);
    for (std::size_t i = 0; i < poses_.size(); ++i) {
        if (owners_[i] == world || !shapes_[i]->bounded())
            continue;
        const PlacedBody& body = placed.bodies[index_at(owners_[i])];
        const Vec3<double> side = shapes_[i]->bounds().size();
        const double speed = norm(body.v) + norm(body.omega) * reach(i, placed);
        quarter = std::min(quarter, 0.25 * min(side.x, min(side.y, side.z)) / speed);
    }
    if (!(quarter < duration))
        return duration;
    double hit =
        first_hit_
            .find(shapes_, courses_, filters_, owners_, model_.skins_apart(), duration, within)
            .value_or(duration);
    for (const Manifold& m : near) // what touches already is for us to look after
        if (const double speed = approach(m, placed); speed < 0 && m.point[0].gap > 0)
            hit = std::min(hit, -m.point[0].gap / speed);
    return std::min(duration, hit + quarter);
}

} // namespace poinsot
