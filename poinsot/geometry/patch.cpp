// SPDX-License-Identifier: MIT
#include "poinsot/geometry/patch.hpp"

#include <algorithm>

namespace poinsot {

namespace {

constexpr std::uint16_t side_of_reference = 0x8000;
constexpr std::uint32_t witness = 0xffffffff;
constexpr double all_but_flat = 1e-5; // of the size: how far a round face rises that lies
constexpr double ran_by = 0.8;        // of the radius: corners nearer to the lowest point

// A polygon whose edges have labels: edge i leaves corner i.
struct Outline {
    struct End {
        Vec3<double> r;
        std::uint16_t leaving;
    };
    std::array<End, 48> end;
    std::size_t count = 0;

    void put(const Vec3<double>& r, std::uint16_t leaving)
    {
        if (count < end.size())
            end[count++] = {r, leaving};
    }
};

// Sutherland and Hodgman: what is left of an outline on the inner side of s(r) = m · r − offset ≤
// 0. What is beyond it by no more than `off` is on it: an edge along the plane is not cut where
// rounding says, but keeps its corners.
Outline clipped(const Outline& whole, const Vec3<double>& m, double offset, double off,
                std::uint16_t label)
{
    Outline left;
    for (std::size_t i = 0; i < whole.count; ++i) {
        const auto& from = whole.end[i];
        const auto& to = whole.end[(i + 1) % whole.count];
        const double s0 = dot(m, from.r) - offset, s1 = dot(m, to.r) - offset;
        if (s0 <= off)
            left.put(from.r, from.leaving);
        if ((s0 <= off) != (s1 <= off)) {
            const double t = max(0.0, min(1.0, s0 / (s0 - s1)));
            const Vec3<double> cut = mul_add(t, to.r - from.r, from.r);
            left.put(cut, s0 <= off ? label : from.leaving);
        }
    }
    return left;
}

// The stretch [t0, t1] of an edge between planes, with the labels of what ends it.
struct Stretch {
    double t0 = 0, t1 = 1;
    std::uint16_t label0, label1;

    void clip(double s0, double s1, std::uint16_t label)
    {
        if (s0 > 0 && s1 > 0) {
            t1 = t0 - 1; // nothing
        } else if (s0 > 0) {
            if (const double t = s0 / (s0 - s1); t > t0) {
                t0 = t;
                label0 = label;
            }
        } else if (s1 > 0) {
            if (const double t = s0 / (s0 - s1); t < t1) {
                t1 = t;
                label1 = label;
            }
        }
    }
    bool any() const { return t0 <= t1; }
};

std::uint32_t joined_labels(std::uint16_t a, std::uint16_t b)
{
    return static_cast<std::uint32_t>(a) << 16 | b;
}

// The candidates of one patch, all in the frame of the first shape.
class Candidates {
  public:
    void put(const Vec3<double>& on_a, const Vec3<double>& on_b, double gap, std::uint32_t feature)
    {
        if (count_ < list_.size())
            list_[count_++] = {on_a, on_b, gap, feature};
    }
    /// All that are nearer to a point of the second shape.
    void drop_near(const Vec3<double>& on_b, double distance)
    {
        const auto end =
            std::remove_if(list_.begin(), list_.begin() + static_cast<long>(count_),
                           [&](const Spot& s) { return norm(s.on_b - on_b) < distance; });
        count_ = static_cast<std::size_t>(end - list_.begin());
    }
    std::size_t count() const { return count_; }
    std::span<const Spot> all() const { return {list_.data(), count_}; }
    double least_gap() const
    {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < count_; ++i)
            least = min(least, list_[i].gap);
        return least;
    }

    // The deepest, the one farthest from it, and on either side of their line the one farthest off.
    void choose(Patch& patch, const Vec3<double>& n) const
    {
        if (count_ <= patch.spot.size()) {
            for (std::size_t i = 0; i < count_; ++i)
                patch.spot[i] = list_[i];
            patch.count = static_cast<int>(count_);
            return;
        }
        const auto best = [&](auto&& score) {
            std::size_t found = 0;
            double most = score(list_[0]);
            for (std::size_t i = 1; i < count_; ++i)
                if (const double s = score(list_[i]);
                    s > most || (s == most && list_[i].feature < list_[found].feature)) {
                    most = s;
                    found = i;
                }
            return found;
        };
        const std::size_t first = best([](const Spot& s) { return -s.gap; });
        const Vec3<double> r0 = list_[first].on_b;
        const std::size_t second = best([&](const Spot& s) { return norm2(s.on_b - r0); });
        const Vec3<double> side = cross(n, list_[second].on_b - r0);
        const std::size_t third = best([&](const Spot& s) { return dot(side, s.on_b - r0); });
        const std::size_t fourth = best([&](const Spot& s) { return -dot(side, s.on_b - r0); });
        for (const std::size_t i : {first, second, third, fourth}) {
            bool taken = false;
            for (int k = 0; k < patch.count; ++k)
                taken =
                    taken || patch.spot[static_cast<std::size_t>(k)].feature == list_[i].feature;
            if (!taken)
                patch.spot[static_cast<std::size_t>(patch.count++)] = list_[i];
        }
    }

  private:
    std::array<Spot, 48> list_;
    std::size_t count_ = 0;
};

// What faces the other shape, in the frame of the first.
struct Facing {
    Facet facet;
    std::array<Vec3<double>, 16> r; // on the surface: the radius is added along the normal
    Vec3<double> normal;            // of a face
};

Facing facing(const Convex& shape, const Mat3<double>& R, const Vec3<double>& x,
              const Vec3<double>& n)
{
    Facing made{facet_towards(shape, transpose_times(R, n)), {}, zero3<double>()};
    for (std::size_t i = 0; i < static_cast<std::size_t>(made.facet.count); ++i)
        made.r[i] = x + R * made.facet.r[i] + shape.radius * n;
    made.normal = R * made.facet.normal;
    return made;
}

// Clips what faces the reference at its sides; every corner left is moved along the normal onto the
// plane of the reference.
void clip_at_face(const Facing& reference, const Facing& other, const Vec3<double>& n,
                  bool reference_is_a, double margin, Candidates& found)
{
    const auto sides = static_cast<std::size_t>(reference.facet.count);
    const auto corners = static_cast<std::size_t>(other.facet.count);
    const Vec3<double>& m = reference.normal;
    const double along = dot(n, m); // ±1 within 3°
    // Sides stand along the normal of contact, so that what is moved along it stays on the face.
    const Vec3<double> side_along = reference_is_a ? n : -n;
    const auto put = [&](const Vec3<double>& r, std::uint32_t feature) {
        const double s = dot(m, reference.r[0] - r) / along;
        const Vec3<double> onto = mul_add(s, n, r);
        // n goes from a to b: the gap is how far b's point is along it from a's.
        const double gap = reference_is_a ? -s : s;
        if (gap <= margin)
            found.put(reference_is_a ? onto : r, reference_is_a ? r : onto, gap, feature);
    };
    const auto plane_of = [&](std::size_t k) {
        const Vec3<double>& from = reference.r[k];
        const Vec3<double> outwards = cross(reference.r[(k + 1) % sides] - from, side_along);
        return std::pair{outwards, dot(outwards, from)};
    };
    const auto label_of = [&](std::size_t k) {
        return static_cast<std::uint16_t>(side_of_reference | reference.facet.number[k]);
    };
    if (corners >= 3) {
        Outline outline;
        double size = 0; // rounding is some 1e-16 of it
        for (std::size_t i = 0; i < corners; ++i) {
            outline.put(other.r[i], other.facet.number[i]);
            size = max(size, norm(other.r[i]));
        }
        for (std::size_t k = 0; k < sides && outline.count > 0; ++k) {
            const auto [outwards, offset] = plane_of(k);
            const double off = 1e-12 * norm(outwards) * (size + norm(reference.r[k]));
            outline = clipped(outline, outwards, offset, off, label_of(k));
        }
        for (std::size_t i = 0; i < outline.count; ++i)
            put(outline.end[i].r,
                joined_labels(outline.end[(i + outline.count - 1) % outline.count].leaving,
                              outline.end[i].leaving));
        return;
    }
    Stretch stretch{0, 1, other.facet.number[0], other.facet.number[1]};
    for (std::size_t k = 0; k < sides; ++k) {
        const auto [outwards, offset] = plane_of(k);
        stretch.clip(dot(outwards, other.r[0]) - offset, dot(outwards, other.r[1]) - offset,
                     label_of(k));
    }
    if (!stretch.any())
        return;
    // which end it is: number 0 or 1 of the edge
    const Vec3<double> e = other.r[1] - other.r[0];
    put(mul_add(stretch.t0, e, other.r[0]), joined_labels(stretch.label0, other.facet.number[1]));
    put(mul_add(stretch.t1, e, other.r[0]), joined_labels(stretch.label1, other.facet.number[0]));
}

// Two edges side by side touch along what they have in common.
void clip_at_edge(const Facing& a, const Facing& b, const Vec3<double>& n, double margin,
                  Candidates& found)
{
    const Vec3<double> e = a.r[1] - a.r[0], f = b.r[1] - b.r[0];
    const double ee = norm2(e);
    // 3° again: sin² of it
    if (!(norm2(cross(e, f)) <= 0.0027390523 * ee * norm2(f)) || !(ee > 0))
        return;
    Stretch stretch{0, 1, b.facet.number[0], b.facet.number[1]};
    const double u0 = dot(b.r[0] - a.r[0], e), u1 = dot(b.r[1] - a.r[0], e);
    stretch.clip(-u0, -u1, static_cast<std::uint16_t>(side_of_reference | a.facet.number[0]));
    stretch.clip(u0 - ee, u1 - ee,
                 static_cast<std::uint16_t>(side_of_reference | a.facet.number[1]));
    if (!stretch.any())
        return;
    const auto put = [&](double t, std::uint16_t label, std::uint16_t other) {
        const Vec3<double> r = mul_add(t, f, b.r[0]);
        const Vec3<double> on_edge = mul_add(dot(r - a.r[0], e) / ee, e, a.r[0]);
        const double gap = dot(n, r - on_edge);
        // both points on the line along n through the middle of what they are apart across it
        const Vec3<double> middle = 0.5 * (r + on_edge);
        if (gap <= margin)
            found.put(mul_add(-0.5 * gap, n, middle), mul_add(0.5 * gap, n, middle), gap,
                      joined_labels(label, other));
    };
    put(stretch.t0, stretch.label0, b.facet.number[1]);
    put(stretch.t1, stretch.label1, b.facet.number[0]);
}

/// The corners of what the features that face each other have in common.
void clip_features(const Facing& a, const Facing& b, const Vec3<double>& n, double margin,
                   Candidates& found)
{
    const int count_a = a.facet.count, count_b = b.facet.count;
    if (count_a < 2 || count_b < 2)
        return;
    if (count_a == 2 && count_b == 2) {
        clip_at_edge(a, b, n, margin, found);
        return;
    }
    // of two faces as square as each other always the same one
    const bool a_leads =
        count_b < 3 || (count_a >= 3 && dot(a.normal, n) + 1e-4 >= -dot(b.normal, n));
    clip_at_face(a_leads ? a : b, a_leads ? b : a, n, a_leads, margin, found);
}

// A round face that is tilted touches with the lowest point of its rim, which runs along it.
// Corners that it comes by are not to take its place: they do not run, and are left behind. One
// that is all but flat touches with its corners: a point that runs at 1e5 times the speed of the
// face is none that a step could follow.
enum class Round : std::uint8_t { none, lies, runs };
Round round_face(const Convex& shape, const Facing& face, const Vec3<double>& n)
{
    if ((shape.core != Core::cylinder && shape.core != Core::cone) || face.facet.count < 3)
        return Round::none;
    const double rise = 2 * shape.size.x * norm(cross(n, face.normal));
    return rise > all_but_flat * reach_of(shape, zero3<double>()) ? Round::runs : Round::lies;
}

/// The best of the candidates as a patch of the world; they and the normal n are in the frame of a.
Patch chosen(const Candidates& found, const Vec3<double>& n, const Pose<double>& pose_a,
             const Vec3<double>& normal)
{
    Patch patch;
    found.choose(patch, n);
    patch.normal = normal;
    for (std::size_t i = 0; i < static_cast<std::size_t>(patch.count); ++i) {
        patch.spot[i].on_a = place(pose_a, patch.spot[i].on_a);
        patch.spot[i].on_b = place(pose_a, patch.spot[i].on_b);
    }
    return patch;
}

} // namespace

Patch patch_between(const Convex& a, const Pose<double>& pose_a, const Convex& b,
                    const Pose<double>& pose_b, const Gap& gap, double margin)
{
    if (gap.beyond || !(gap.distance <= margin))
        return {};
    const CorePair pair(a, pose_a, b, pose_b);
    const Vec3<double> n = rotate(conjugate(pose_a.q), gap.normal);
    const Facing face_a = facing(a, identity3<double>(), zero3<double>(), n);
    const Facing face_b = facing(b, pair.R, pair.x, -n);

    Candidates found;
    clip_features(face_a, face_b, n, margin, found);
    // The deepest point itself, where it is none of those: between the corners of an octagon, at a
    // corner, or where two edges cross.
    const double off = 1e-9 * (norm(pair.x) + reach_of(a, zero3<double>()));
    const Quat<double> back = conjugate(pose_a.q);
    const Vec3<double> on_a = rotate(back, gap.on_a - pose_a.x),
                       on_b = rotate(back, gap.on_b - pose_a.x);
    const Round of_a = round_face(a, face_a, n), of_b = round_face(b, face_b, n);
    const bool runs = of_a == Round::runs || of_b == Round::runs;
    if (runs)
        found.drop_near(on_b, max(of_a == Round::runs ? ran_by * a.size.x : 0,
                                  of_b == Round::runs ? ran_by * b.size.x : 0));
    const bool lies = !runs && (of_a == Round::lies || of_b == Round::lies);
    if (found.count() == 0 || (!lies && found.least_gap() > gap.distance + off)) {
        const bool corners = face_a.facet.count == 1 && face_b.facet.count == 1;
        found.put(on_a, on_b, gap.distance,
                  corners ? joined_labels(face_a.facet.number[0], face_b.facet.number[0])
                          : witness);
    }
    return chosen(found, n, pose_a, gap.normal);
}

void corners_along(const Convex& a, const Pose<double>& pose_a, const Convex& b,
                   const Pose<double>& pose_b, const Vec3<double>& normal, double margin,
                   std::vector<Spot>& out)
{
    const CorePair pair(a, pose_a, b, pose_b);
    const Vec3<double> n = rotate(conjugate(pose_a.q), normal);
    Candidates found;
    clip_features(facing(a, identity3<double>(), zero3<double>(), n), facing(b, pair.R, pair.x, -n),
                  n, margin, found);
    for (const Spot& s : found.all())
        out.push_back({place(pose_a, s.on_a), place(pose_a, s.on_b), s.gap, s.feature});
}

namespace {

// The corners of the hull of points in a plane, by the one farthest off each line, and then off the
// two lines to it [Eddy 1977]. What is off by no more than `off` is on it.
class OutermostSpots {
  public:
    OutermostSpots(std::span<const Spot> spots, const Vec3<double>& n, Candidates& corners)
        : spots_(spots), n_(n), corners_(corners)
    {
        Vec3<double> middle = zero3<double>();
        for (const Spot& s : spots)
            middle += s.on_b;
        middle = (1.0 / static_cast<double>(spots.size())) * middle;
        const auto first = farthest([&](const Vec3<double>& r) { return norm2(r - middle); });
        const Vec3<double> r0 = spots_[first].on_b;
        const auto second = farthest([&](const Vec3<double>& r) { return norm2(r - r0); });
        size_ = norm(spots_[second].on_b - r0);
        off_ = 1e-9 * size_ + 1e-14 * norm(r0);
        visits_ = 2 * spots.size() + 2; // no hull has more corners
        keep(first);
        if (!(size_ > off_))
            return;
        beyond(first, second);
        keep(second);
        beyond(second, first);
    }

  private:
    template <class Score>
    std::size_t farthest(Score score) const
    {
        std::size_t found = 0;
        double most = score(spots_[0].on_b);
        for (std::size_t i = 1; i < spots_.size(); ++i)
            if (const double s = score(spots_[i].on_b); s > most) {
                most = s;
                found = i;
            }
        return found;
    }
    // Of several in one place that of the lowest feature, whichever was found.
    void keep(std::size_t i)
    {
        const Spot* kept = &spots_[i];
        for (const Spot& s : spots_)
            if (s.feature < kept->feature && norm(s.on_b - spots_[i].on_b) <= off_)
                kept = &s;
        corners_.put(kept->on_a, kept->on_b, kept->gap, kept->feature);
    }
    // Those to the right of the line from one to another, in order.
    void beyond(std::size_t from, std::size_t to)
    {
        const Vec3<double> r0 = spots_[from].on_b, along = spots_[to].on_b - r0;
        const double length = norm(along);
        if (!(length > off_) || visits_ == 0)
            return;
        --visits_;
        const Vec3<double> e = (1 / length) * along, right = cross(e, n_);
        // Two that are off by rounding say little of where a line through them leads.
        double most = off_ * max(1.0, size_ / length), last = 0;
        std::size_t found = spots_.size();
        for (std::size_t i = 0; i < spots_.size(); ++i) {
            const Vec3<double> r = spots_[i].on_b - r0;
            const double away = dot(right, r), ahead = dot(e, r);
            // Of a side along the line its end.
            if (away > most + off_ ||
                (found < spots_.size() && away > most - off_ && ahead > last)) {
                most = max(most, away);
                last = ahead;
                found = i;
            }
        }
        if (found == spots_.size())
            return;
        beyond(from, found);
        keep(found);
        beyond(found, to);
    }

    std::span<const Spot> spots_;
    Vec3<double> n_;
    Candidates& corners_;
    double off_ = 0, size_ = 0;
    std::size_t visits_ = 0;
};

} // namespace

Patch outermost(std::span<const Spot> spots, const Vec3<double>& normal)
{
    Patch patch;
    patch.normal = normal;
    if (spots.empty())
        return patch;
    Candidates found;
    const OutermostSpots search(spots, normal, found);
    found.choose(patch, normal);
    return patch;
}

Gap gap_to_plane(Collider::Kind kind, const Convex& a, const Pose<double>& pose_a,
                 const Pose<double>& plane, double plane_margin)
{
    // In the frame of the plane: how low and how high does the shape reach?
    const Quat<double> back = conjugate(plane.q);
    const Vec3<double> x = rotate(back, pose_a.x - plane.x);
    const Mat3<double> R = matrix_of(back * pose_a.q);
    const Vec3<double> up = transpose_times(R, {0, 0, 1});
    const Extreme low = support(a, -up), high = support(a, up);
    const double lowest = x.z + dot(up, low.r) - a.radius - plane_margin;
    const double highest = x.z + dot(up, high.r) + a.radius + plane_margin;
    const bool above = kind == Collider::Kind::half_space || lowest + highest >= 0;

    Gap gap;
    gap.steps = 1;
    gap.distance = above ? lowest : -highest;
    const Vec3<double> n{0, 0, above ? -1.0 : 1.0};
    const Extreme& end = above ? low : high;
    const Vec3<double> on_a = mul_add(a.radius, n, x + R * end.r);
    gap.normal = gap.proof = rotate(plane.q, n);
    gap.on_a = place(plane, on_a);
    gap.on_b = place(plane, mul_add(gap.distance, n, on_a));
    gap.features.count_a = 1;
    gap.features.corner_a[0] = end.corner;
    return gap;
}

Patch patch_on_plane(const Convex& a, const Pose<double>& pose_a, const Gap& gap, double margin)
{
    if (!(gap.distance <= margin))
        return {};
    const Vec3<double> n = rotate(conjugate(pose_a.q), gap.normal);
    const Facing face = facing(a, identity3<double>(), zero3<double>(), n);
    const Vec3<double> deepest = rotate(conjugate(pose_a.q), gap.on_a - pose_a.x);
    const auto corners = static_cast<std::size_t>(face.facet.count);
    Candidates found;
    for (std::size_t i = 0; i < corners; ++i)
        if (const double here = gap.distance + dot(n, deepest - face.r[i]); here <= margin)
            found.put(face.r[i], mul_add(here, n, face.r[i]), here,
                      joined_labels(face.facet.number[i], 0xffff));
    const Round round = round_face(a, face, n);
    if (round == Round::runs)
        found.drop_near(mul_add(gap.distance, n, deepest), ran_by * a.size.x);
    const double same = 1e-9 * reach_of(a, zero3<double>());
    if (found.count() == 0 || (round != Round::lies && found.least_gap() > gap.distance + same))
        found.put(deepest, mul_add(gap.distance, n, deepest), gap.distance,
                  round == Round::runs ? joined_labels(rim_at(a, deepest), 0xffff) : witness);
    return chosen(found, n, pose_a, gap.normal);
}

Gap reversed(const Gap& gap)
{
    Gap other = gap;
    other.normal = -gap.normal;
    other.proof = -gap.proof;
    std::swap(other.on_a, other.on_b);
    std::swap(other.features.count_a, other.features.count_b);
    std::swap(other.features.corner_a, other.features.corner_b);
    return other;
}

Patch reversed(const Patch& patch)
{
    Patch other = patch;
    other.normal = -patch.normal;
    for (Spot& s : other.spot)
        std::swap(s.on_a, s.on_b);
    return other;
}

} // namespace poinsot
