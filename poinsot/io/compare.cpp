// SPDX-License-Identifier: MIT
#include "poinsot/io/compare.hpp"

#include "poinsot/io/run_frames.hpp"

#include <array>
#include <cmath>
#include <map>

namespace poinsot {

namespace {

/// How one body moves at one moment.
struct BodyMotion {
    Vec3<double> x, v, omega, p, L;
    Quat<double> q;
};
struct MotionOfAll {
    std::vector<BodyMotion> bodies;
    double stores = 0;

    double energy() const
    {
        double sum = stores;
        for (const BodyMotion& b : bodies)
            sum += 0.5 * (dot(b.p, b.v) + dot(b.L, b.omega));
        return sum;
    }
    Vec3<double> p() const
    {
        Vec3<double> sum = zero3<double>();
        for (const BodyMotion& b : bodies)
            sum += b.p;
        return sum;
    }
    Vec3<double> L() const // about the origin
    {
        Vec3<double> sum = zero3<double>();
        for (const BodyMotion& b : bodies)
            sum += b.L + cross(b.x, b.p);
        return sum;
    }
};

/// Weights of up to four neighbouring frames, for the polynomial through them.
struct Neighbours {
    std::size_t first = 0, count = 1;
    std::array<double, 4> weight{1, 0, 0, 0};
    std::size_t left = 0; // the frame before the moment, which is `part` of the way to the next
    double part = 0, length = 0;
};
Neighbours neighbours_of(const std::vector<double>& time, double t, std::size_t from)
{
    Neighbours n;
    n.left = from;
    const auto here = [&](std::size_t i) { // to the rounding of steps times h
        return std::abs(time[i] - t) <= 1e-12 * std::max(std::abs(t), std::abs(time.front()));
    };
    while (n.left + 1 < time.size() && (time[n.left + 1] <= t || here(n.left + 1)))
        ++n.left;
    if (n.left + 1 == time.size() || here(n.left)) {
        n.first = n.left;
        return n;
    }
    n.length = time[n.left + 1] - time[n.left];
    n.part = (t - time[n.left]) / n.length;
    n.count = std::min<std::size_t>(4, time.size());
    n.first = std::min(n.left > 0 ? n.left - 1 : 0, time.size() - n.count);
    for (std::size_t i = 0; i < n.count; ++i) {
        n.weight[i] = 1;
        for (std::size_t k = 0; k < n.count; ++k)
            if (k != i)
                n.weight[i] *= (t - time[n.first + k]) / (time[n.first + i] - time[n.first + k]);
    }
    return n;
}

/// The cubic on [0, 1] with given ends and slopes there.
template <class V>
V hermite(const V& a, const V& b, const V& slope_a, const V& slope_b, double s)
{
    return ((1 + 2 * s) * (1 - s) * (1 - s)) * a + (s * s * (3 - 2 * s)) * b +
           (s * (1 - s) * (1 - s)) * slope_a - (s * s * (1 - s)) * slope_b;
}

/// A run as it is read for comparing: some bodies of it, at rising times.
class RunMotion {
  public:
    RunMotion(const TrajectoryReader& run, std::vector<std::size_t> bodies, bool with_stores)
        : run_(run), bodies_(std::move(bodies))
    {
        for (const char* name : {"position", "orientation", "velocity", "angular_velocity",
                                 "momentum", "angular_momentum"})
            series_.emplace_back(run, text_of("bodies/", name));
        for (const char* name : {"gravity_store", "spring_store", "rotor_store"})
            if (const std::string series = text_of("ledger/", name); with_stores && run.has(series))
                stores_.emplace_back(run, series);
        made_.bodies.resize(bodies_.size());
    }

    /// Was the motion of the last call between frames?
    bool between_frames() const { return between_; }

    /// At a time not before that of the last call, within the run.
    const MotionOfAll& at(double t)
    {
        const Neighbours n = neighbours_of(run_.head().time, t, left_);
        left_ = n.left;
        between_ = n.part != 0;
        for (RowWindow& series : series_)
            series.row(n.first + n.count - 1); // all before it are at hand
        const auto smooth = [&](std::size_t series, std::size_t body) {
            Vec3<double> sum = zero3<double>();
            for (std::size_t i = 0; i < n.count; ++i)
                sum += n.weight[i] * row_vec(series_[series].row(n.first + i) + 3 * body);
            return sum;
        };
        for (std::size_t k = 0; k < bodies_.size(); ++k) {
            const std::size_t body = bodies_[k];
            BodyMotion& made = made_.bodies[k];
            const auto vec = [&](std::size_t series, std::size_t frame) {
                return row_vec(series_[series].row(frame) + 3 * body);
            };
            const Quat<double> q = normalised(row_quat(series_[1].row(n.left) + 4 * body));
            if (n.part == 0) {
                made.x = vec(0, n.left);
                made.q = q;
            } else {
                const double h = n.length;
                made.x = hermite(vec(0, n.left), vec(0, n.left + 1), h * vec(2, n.left),
                                 h * vec(2, n.left + 1), n.part);
                // R(s) = exp(u(s)) R_left, and u̇ = J⁻¹(u) ω.
                const Quat<double> next =
                    normalised(row_quat(series_[1].row(n.left + 1) + 4 * body));
                const Quat<double> turn = next * conjugate(q);
                const Vec3<double> u = log_quat(turn.w < 0 ? -1.0 * turn : turn);
                made.q =
                    turned(q, hermite(zero3<double>(), u, h * vec(3, n.left),
                                      h * rotation_vector_rate(u, vec(3, n.left + 1)), n.part));
            }
            made.v = smooth(2, body);
            made.omega = smooth(3, body);
            made.p = smooth(4, body);
            made.L = smooth(5, body);
        }
        made_.stores = 0;
        for (RowWindow& store : stores_) {
            store.row(n.first + n.count - 1);
            for (std::size_t i = 0; i < n.count; ++i)
                made_.stores += n.weight[i] * *store.row(n.first + i);
        }
        return made_;
    }

  private:
    const TrajectoryReader& run_;
    std::vector<std::size_t> bodies_;
    std::vector<RowWindow> series_; // in the order above
    std::vector<RowWindow> stores_;
    std::size_t left_ = 0;
    bool between_ = false;
    MotionOfAll made_;
};

/// How large the motion is: what differences are measured by.
struct MotionScale {
    Vec3<double> low = zero3<double>(), high = zero3<double>();
    bool any = false;
    double speed = 0, turn = 0, radius = 0;

    void take(const TrajectoryReader& run, const std::vector<std::size_t>& bodies)
    {
        const std::size_t n = run.bodies();
        const auto each = [&](const char* series, auto&& use) {
            in_slabs(run, series, [&](std::size_t, std::size_t count, const double* rows) {
                for (std::size_t i = 0; i < count; ++i)
                    for (const std::size_t body : bodies)
                        use(row_vec(rows + 3 * (i * n + body)));
            });
        };
        each("bodies/position", [&](const Vec3<double>& x) {
            low =
                any ? Vec3<double>{std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)}
                    : x;
            high = any ? Vec3<double>{std::max(high.x, x.x), std::max(high.y, x.y),
                                      std::max(high.z, x.z)}
                       : x;
            any = true;
        });
        each("bodies/velocity", [&](const Vec3<double>& v) { speed = std::max(speed, norm(v)); });
        each("bodies/angular_velocity",
             [&](const Vec3<double>& omega) { turn = std::max(turn, norm(omega)); });
        const TrajectoryHead& head = run.head();
        for (const std::size_t i : bodies) {
            const double* I = head.inertia.data() + 9 * i;
            if (head.mass[i] > 0)
                radius =
                    std::max(radius, std::sqrt(std::max(0.0, I[0] + I[4] + I[8]) / head.mass[i]));
        }
    }
    double length() const { return norm(high - low) + radius; }
};

/// How far interpolation is off, by the fourth differences of frames, each h⁴ times the fourth
/// derivative: a 384th of them for the cubic with slopes at both ends, a 24th for the cubic through
/// four frames in its last third. Twice that, as the derivative may be largest between frames.
InterpolationError interpolation_error(const TrajectoryReader& run,
                                       const std::vector<std::size_t>& bodies)
{
    InterpolationError worst;
    if (run.frames() < 5)
        return worst;
    const auto fourth = [&](const char* series, std::size_t wide, double factor) {
        RowWindow rows(run, series);
        double largest = 0;
        for (std::size_t i = 4; i < run.frames(); ++i) {
            rows.row(i);
            for (const std::size_t body : bodies) {
                double sign = 1, sum = 0;
                std::array<double, 4> difference{};
                for (std::size_t k = 0; k < 5; ++k) {
                    constexpr double binomial[5] = {1, -4, 6, -4, 1};
                    const double *row = rows.row(i - k) + wide * body,
                                 *last = rows.row(i - (k > 0 ? k - 1 : 0)) + wide * body;
                    double same = 0;
                    for (std::size_t c = 0; c < wide; ++c)
                        same += row[c] * last[c];
                    if (wide == 4 && same < 0) // q and −q are one attitude
                        sign = -sign;
                    for (std::size_t c = 0; c < wide; ++c)
                        difference[c] += binomial[k] * sign * row[c];
                }
                for (const double d : difference)
                    sum += d * d;
                largest = std::max(largest, std::sqrt(sum));
            }
        }
        return factor * largest;
    };
    worst.position = fourth("bodies/position", 3, 2.0 / 384);
    worst.attitude = fourth("bodies/orientation", 4, 4.0 / 384); // half the angle, in q
    worst.velocity = fourth("bodies/velocity", 3, 2.0 / 24);
    worst.angular_velocity = fourth("bodies/angular_velocity", 3, 2.0 / 24);
    return worst;
}

void take_largest(Difference& worst, double size, double time, int body)
{
    if (size > worst.largest)
        worst = {size, time, body};
}

/// What is used of the strength of cuts, at rising times.
class CutsUsed {
  public:
    explicit CutsUsed(const TrajectoryReader& run) : run_(run), rows_(run, "cuts/utilisation") {}
    /// Of all cuts, at a time not before that of the last call, within the run.
    const std::vector<double>& at(double t)
    {
        const Neighbours n = neighbours_of(run_.head().time, t, left_);
        left_ = n.left;
        const std::size_t cuts = run_.head().cuts.size(), next = n.left + (n.part != 0);
        rows_.row(next);
        used_.resize(cuts);
        for (std::size_t i = 0; i < cuts; ++i)
            used_[i] = (1 - n.part) * rows_.row(n.left)[i] + n.part * rows_.row(next)[i];
        return used_;
    }

  private:
    const TrajectoryReader& run_;
    RowWindow rows_;
    std::size_t left_ = 0;
    std::vector<double> used_;
};

/// Cuts are matched by name.
void compare_cuts(const TrajectoryReader& first, const TrajectoryReader& second,
                  const std::vector<std::size_t>& frames, const TrajectoryHead& base,
                  Comparison& made)
{
    const TrajectoryHead &a = first.head(), &b = second.head();
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < a.cuts.size(); ++i)
        for (std::size_t k = 0; k < b.cuts.size(); ++k)
            if (a.cuts[i].name == b.cuts[k].name) {
                pairs.emplace_back(i, k);
                made.cuts.push_back({a.cuts[i].name});
                break;
            }
    if (pairs.empty())
        return;
    CutsUsed one(first), other(second);
    for (const std::size_t frame : frames) {
        const double t = base.time[frame];
        const auto& x = one.at(std::clamp(t, a.time.front(), a.time.back()));
        const auto& y = other.at(std::clamp(t, b.time.front(), b.time.back()));
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const double u = x[pairs[i].first], v = y[pairs[i].second];
            if (std::abs(u - v) > made.cuts[i].largest)
                made.cuts[i] = {made.cuts[i].name, std::abs(u - v), t, u, v};
        }
    }
}

/// The frames of a run within the time that both have.
std::vector<std::size_t> frames_within(const TrajectoryHead& head, double from, double until)
{
    const double rounding = 1e-12 * std::max(std::abs(from), std::abs(until));
    std::vector<std::size_t> frames;
    for (std::size_t i = 0; i < head.time.size(); ++i)
        if (head.time[i] >= from - rounding && head.time[i] <= until + rounding)
            frames.push_back(i);
    return frames;
}

Comparison compared(const TrajectoryReader& first, const TrajectoryReader& second,
                    const CompareOptions& options)
{
    const TrajectoryHead &a = first.head(), &b = second.head();
    Comparison made;
    made.tolerance = options.tolerance;
    std::map<std::string_view, std::size_t> in_second;
    for (std::size_t i = 0; i < b.names.size(); ++i)
        in_second.emplace(b.names[i], i);
    std::vector<std::size_t> of_first, of_second;
    for (std::size_t i = 0; i < a.names.size(); ++i) {
        const auto found = in_second.find(a.names[i]);
        if (found == in_second.end()) {
            made.only_first.push_back(a.names[i]);
            continue;
        }
        made.bodies.push_back(a.names[i]);
        of_first.push_back(i);
        of_second.push_back(found->second);
        in_second.erase(found);
    }
    for (std::size_t i = 0; i < b.names.size(); ++i)
        if (in_second.count(b.names[i]) > 0)
            made.only_second.push_back(b.names[i]);
    Problems wrong;
    if (made.bodies.empty())
        wrong.add(second.file().string(), "has no body in common with ", first.file().string(),
                  "; bodies are matched by name",
                  a.names.empty() || b.names.empty()
                      ? std::string()
                      : text_of(" ('", a.names.front(), "', '", b.names.front(), "', ...)"));
    const double from = std::max(a.time.front(), b.time.front()),
                 until = std::min(a.time.back(), b.time.back());
    const std::vector<std::size_t> in_a = frames_within(a, from, until),
                                   in_b = frames_within(b, from, until);
    // The run with more frames is the one that is interpolated.
    made.times_of_second = in_a.empty() || (in_b.size() < in_a.size() && !in_b.empty());
    const TrajectoryHead& base = made.times_of_second ? b : a;
    const std::vector<std::size_t>& frames = made.times_of_second ? in_b : in_a;
    if (frames.empty())
        wrong.add(second.file().string(), "has no time in common with ", first.file().string(),
                  ": ", b.time.front(), " to ", b.time.back(), " s, and ", a.time.front(), " to ",
                  a.time.back(), " s");
    if (wrong.any())
        throw NotMade{std::move(wrong)};
    made.from = base.time[frames.front()];
    made.until = base.time[frames.back()];
    made.times = frames.size();
    // Books that are not closed in every frame hold the stores of another moment.
    made.with_stores = a.ledger_detail != "off" && b.ledger_detail != "off" &&
                       a.ledger_every == 1 && b.ledger_every == 1 && made.only_first.empty() &&
                       made.only_second.empty();

    MotionScale scale;
    scale.take(first, of_first);
    scale.take(second, of_second);
    if (made.until > made.from) { // what hardly moves is not judged by how little it does
        const double duration = made.until - made.from;
        scale.speed = std::max(scale.speed, scale.length() / duration);
        scale.turn = std::max(scale.turn, 1 / duration);
    }
    RunMotion one(first, of_first, made.with_stores), other(second, of_second, made.with_stores);
    Differences& d = made.differences;
    const double tolerance = options.tolerance;
    made.tolerance_position = tolerance * scale.length();
    std::size_t done = 0;
    for (const std::size_t frame : frames) {
        const double t = base.time[frame];
        const MotionOfAll& x = one.at(std::clamp(t, a.time.front(), a.time.back()));
        const MotionOfAll& y = other.at(std::clamp(t, b.time.front(), b.time.back()));
        const bool between = one.between_frames() || other.between_frames();
        if (between && !made.interpolated) {
            made.interpolated = true;
            made.interpolation = made.times_of_second ? interpolation_error(first, of_first)
                                                      : interpolation_error(second, of_second);
        }
        const InterpolationError off = between ? made.interpolation : InterpolationError{};
        Comparison::Apart apart{frame};
        for (std::size_t i = 0; i < x.bodies.size(); ++i) {
            const BodyMotion &m = x.bodies[i], &n = y.bodies[i];
            const int body = static_cast<int>(i);
            const bool particle = a.particle[of_first[i]] != 0 || b.particle[of_second[i]] != 0;
            const Quat<double> turn = n.q * conjugate(m.q);
            const double distance = norm(m.x - n.x);
            const double angle =
                particle
                    ? 0
                    : 2 * std::atan2(norm(Vec3<double>{turn.x, turn.y, turn.z}), std::abs(turn.w));
            apart.distance = std::max(apart.distance, distance);
            apart.angle = std::max(apart.angle, angle);
            const auto note = [&](Difference& worst, const char* quantity, const char* unit,
                                  double size, double allowed) {
                if (!std::isfinite(size)) {
                    Problems found;
                    found.add(text_of("body '", made.bodies[i], "'"), "its ", quantity,
                              " at t = ", t, " s is no number in one of the two runs");
                    throw NotMade{std::move(found)};
                }
                take_largest(worst, size, t, body);
                if (!made.parting && size > allowed)
                    made.parting = {t,
                                    base.step_of_frame[frame],
                                    made.bodies[i],
                                    quantity,
                                    unit,
                                    size,
                                    allowed,
                                    distance,
                                    angle};
            };
            note(d.position, "position", "m", distance, tolerance * scale.length() + off.position);
            note(d.velocity, "velocity", "m/s", norm(m.v - n.v),
                 tolerance * scale.speed + off.velocity);
            if (particle)
                continue;
            note(d.attitude, "attitude", "rad", angle, tolerance + off.attitude);
            note(d.angular_velocity, "angular velocity", "rad/s", norm(m.omega - n.omega),
                 tolerance * scale.turn + off.angular_velocity);
        }
        made.apart.push_back(apart);
        take_largest(d.energy, std::abs(x.energy() - y.energy()), t, Difference::whole);
        take_largest(d.p, norm(x.p() - y.p()), t, Difference::whole);
        take_largest(d.L, norm(x.L() - y.L()), t, Difference::whole);
        if (++done % 64 == 0)
            options.progress(static_cast<double>(done) / static_cast<double>(made.times));
    }
    compare_cuts(first, second, frames, base, made);
    return made;
}

} // namespace

Result<Comparison> compare_runs(const TrajectoryReader& first, const TrajectoryReader& second,
                                const CompareOptions& options)
{
    try {
        return compared(first, second, options);
    } catch (NotMade& no) {
        return std::move(no.problems);
    }
}

} // namespace poinsot
