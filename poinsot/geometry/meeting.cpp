// SPDX-License-Identifier: MIT
#include "poinsot/geometry/meeting.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

constexpr double near_by = 1e-3;          // rad: how far off a search may have found the direction
constexpr int most_rounds = 12;           // which double the digits
constexpr double meeting_settled = 1e-12; // rad: the next round is rounding
constexpr double beyond_end = 1e-9;       // of a line, as part of it
constexpr double lies_within = 1e-8;      // rad: what is tilted by less lies
constexpr double meeting_rounding = 64 * std::numeric_limits<double>::epsilon();

// What may bear along a direction, in the frame of its core.
struct Feature {
    enum class Kind : std::uint8_t { corner, line, face, rim, side, slope, ellipsoid };
    Kind kind;
    Vec3<double> at = zero3<double>();    // a corner; an end of a line; the middle of a rim
    Vec3<double> along = zero3<double>(); // a line, to its other end; the normal of a face
};

struct Features {
    std::array<Feature, 8> list;
    std::size_t count = 0;

    void put(const Feature& feature)
    {
        if (count < list.size())
            list[count++] = feature;
    }
};

bool straight(const Feature& f)
{
    return f.kind == Feature::Kind::line || f.kind == Feature::Kind::side ||
           f.kind == Feature::Kind::slope;
}

void put_line(Features& made, const Vec3<double>& from, const Vec3<double>& to,
              const Vec3<double>& d)
{
    const Vec3<double> along = to - from;
    if (abs(dot(d, along)) <= near_by * norm(along))
        made.put({Feature::Kind::line, from, along});
}
void put_face(Features& made, const Vec3<double>& normal, const Vec3<double>& d)
{
    if (norm(d - normal) <= near_by)
        made.put({Feature::Kind::face, zero3<double>(), normal});
}

/// Those that may bear along the unit d, faces before lines before what ends them.
Features features_near(const Convex& shape, const Vec3<double>& d)
{
    Features made;
    const Vec3<double>& s = shape.size;
    const Vec3<double> top = support(shape, d).r;
    switch (shape.core) {
    case Core::point:
        break;
    case Core::segment:
        put_line(made, -s, s, d);
        break;
    case Core::triangle: {
        const Vec3<double> across = cross(shape.b - s, shape.c - s);
        if (const double size = norm(across); size > 0)
            put_face(made, (dot(d, across) < 0 ? -1 : 1) / size * across, d);
        put_line(made, s, shape.b, d);
        put_line(made, shape.b, shape.c, d);
        put_line(made, shape.c, s, d);
        break;
    }
    case Core::box:
        for (const Vec3<double>& m : {Vec3<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
            put_face(made, (dot(d, m) < 0 ? -1.0 : 1.0) * m, d);
        for (const Vec3<double>& m : {Vec3<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
            put_line(made, top, top - 2 * dot(top, m) * m, d);
        break;
    case Core::ellipsoid:
        made.put({Feature::Kind::ellipsoid});
        return made;
    case Core::cylinder:
        put_face(made, {0, 0, d.z < 0 ? -1.0 : 1.0}, d);
        if (abs(d.z) <= near_by)
            made.put({Feature::Kind::side});
        made.put({Feature::Kind::rim, {0, 0, d.z < 0 ? -s.z : s.z}});
        if (abs(d.z) <= near_by)
            made.put({Feature::Kind::rim, {0, 0, d.z < 0 ? s.z : -s.z}});
        return made;
    case Core::cone: {
        put_face(made, {0, 0, -1}, d);
        const double lean = s.x / sqrt(mul_add(s.x, s.x, s.z * s.z));
        if (abs(d.z - lean) <= near_by)
            made.put({Feature::Kind::slope});
        if (d.z <= lean + near_by)
            made.put({Feature::Kind::rim});
        made.put({Feature::Kind::corner, {0, 0, s.z}});
        return made;
    }
    case Core::polytope: {
        const Polytope& p = *shape.polytope;
        for (const Polytope::Face& face : p.faces)
            put_face(made, face.normal, d);
        const Extreme end = support(shape, d);
        for (const int i : p.neighbours(end.corner))
            put_line(made, top, p.vertices[static_cast<std::size_t>(i)], d);
        break;
    }
    }
    made.put({Feature::Kind::corner, top});
    return made;
}

// A core where it stands, and which way it looks along n: 1 for the first, −1 for the second.
struct Stand {
    const Convex& shape;
    Mat3<double> R;
    Vec3<double> x;
    double sign;

    Vec3<double> seen(const Vec3<double>& n) const { return sign * transpose_times(R, n); }
};

// Where a feature bears along n, and how that moves as n turns by dn; in the common frame.
struct Bearing {
    Vec3<double> at, along; // straight: from an end to the other
    double off = 0;         // what n lacks of being across it
};

class Bears {
  public:
    Bears(const Stand& stand, const Feature& feature, const Vec3<double>& n)
        : stand_(stand), f_(feature), d_(stand.seen(n))
    {
        across_ = sqrt(mul_add(d_.x, d_.x, d_.y * d_.y));
        outwards_ =
            across_ > 0 ? Vec3<double>{d_.x / across_, d_.y / across_, 0} : Vec3<double>{1, 0, 0};
        const Vec3<double>& s = stand.shape.size;
        stretched_ = {s.x * d_.x, s.y * d_.y, s.z * d_.z};
    }

    Bearing now() const
    {
        const Vec3<double>& s = stand_.shape.size;
        Vec3<double> at = f_.at, along = zero3<double>();
        double off = 0;
        switch (f_.kind) {
        case Feature::Kind::corner:
        case Feature::Kind::face:
            break;
        case Feature::Kind::line:
            along = f_.along;
            off = dot(d_, along) / norm(along);
            break;
        case Feature::Kind::rim:
            at = mul_add(s.x, outwards_, f_.at);
            break;
        case Feature::Kind::side:
            at = mul_add(s.x, outwards_, Vec3<double>{0, 0, -s.z});
            along = {0, 0, 2 * s.z};
            off = d_.z;
            break;
        case Feature::Kind::slope:
            at = s.x * outwards_;
            along = Vec3<double>{0, 0, s.z} - at;
            off = d_.z - s.x / sqrt(mul_add(s.x, s.x, s.z * s.z));
            break;
        case Feature::Kind::ellipsoid: {
            const Vec3<double> e = (1 / norm(stretched_)) * stretched_;
            at = {s.x * e.x, s.y * e.y, s.z * e.z};
            break;
        }
        }
        return {stand_.x + stand_.R * at, stand_.R * along, off};
    }

    Bearing turned(const Vec3<double>& dn) const
    {
        const Vec3<double>& s = stand_.shape.size;
        const Vec3<double> dd = stand_.seen(dn);
        const Vec3<double> flat{dd.x, dd.y, 0};
        const Vec3<double> round = across_ > 0
                                       ? (s.x / across_) * (flat - dot(outwards_, flat) * outwards_)
                                       : zero3<double>();
        Vec3<double> at = zero3<double>(), along = zero3<double>();
        double off = 0;
        switch (f_.kind) {
        case Feature::Kind::corner:
        case Feature::Kind::face:
            break;
        case Feature::Kind::line:
            off = dot(dd, f_.along) / norm(f_.along);
            break;
        case Feature::Kind::rim:
            at = round;
            break;
        case Feature::Kind::side:
            at = round;
            off = dd.z;
            break;
        case Feature::Kind::slope:
            at = round;
            along = -round;
            off = dd.z;
            break;
        case Feature::Kind::ellipsoid: {
            // p = D e with e = D d/|D d|
            const double size = norm(stretched_);
            const Vec3<double> e = (1 / size) * stretched_;
            const Vec3<double> de{s.x * dd.x / size, s.y * dd.y / size, s.z * dd.z / size};
            const Vec3<double> left = de - dot(e, de) * e;
            at = {s.x * left.x, s.y * left.y, s.z * left.z};
            break;
        }
        }
        return {stand_.R * at, stand_.R * along, off};
    }

  private:
    const Stand& stand_;
    const Feature& f_;
    Vec3<double> d_, outwards_, stretched_;
    double across_;
};

// Gauss with pivots: of n equations, the last column is the right side. False: none.
bool solve_small(std::array<std::array<double, 5>, 4>& A, std::size_t n, std::array<double, 4>& x)
{
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t best = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (abs(A[i][k]) > abs(A[best][k]))
                best = i;
        std::swap(A[k], A[best]);
        if (!(abs(A[k][k]) > 0))
            return false;
        for (std::size_t i = k + 1; i < n; ++i) {
            const double part = A[i][k] / A[k][k];
            for (std::size_t j = k; j <= n; ++j)
                A[i][j] -= part * A[k][j];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        x[k] = A[k][n];
        for (std::size_t j = k + 1; j < n; ++j)
            x[k] -= A[k][j] * x[j];
        x[k] /= A[k][k];
    }
    return true;
}

class Search {
  public:
    Search(const CorePair& pair, const Meeting& found, double accuracy)
        : pair_(pair), found_(found),
          accuracy_(accuracy), first_{pair.a, identity3<double>(), zero3<double>(), 1},
          second_{pair.b, pair.R, pair.x, -1}
    {
        size_ =
            reach_of(pair.a, zero3<double>()) + norm(pair.x) + reach_of(pair.b, zero3<double>());
    }

    std::optional<Meeting> run() const
    {
        const Features a = features_near(pair_.a, first_.seen(found_.n));
        const Features b = features_near(pair_.b, second_.seen(found_.n));
        for (std::size_t i = 0; i < a.count; ++i)
            for (std::size_t j = 0; j < b.count; ++j)
                if (const auto met = meeting_of(a.list[i], b.list[j]))
                    return met;
        return std::nullopt;
    }

  private:
    std::optional<Meeting> meeting_of(const Feature& a, const Feature& b) const
    {
        const bool face_a = a.kind == Feature::Kind::face, face_b = b.kind == Feature::Kind::face;
        if (face_a || face_b)
            return face_a ? at_face(first_, a, second_, b) : at_face(second_, b, first_, a);
        // Corners and edges among themselves are what flat cores have: their search is exact.
        const auto sharp = [](const Feature& f) {
            return f.kind == Feature::Kind::corner || f.kind == Feature::Kind::line;
        };
        if (sharp(a) && sharp(b))
            return std::nullopt;
        Vec3<double> n = found_.n;
        std::array<double, 2> s{0.5, 0.5};
        const std::size_t lines = std::size_t{straight(a)} + std::size_t{straight(b)};
        for (int round = 0; round < most_rounds; ++round) {
            const Bears on_a(first_, a, n), on_b(second_, b, n);
            const Bearing at_a = on_a.now(), at_b = on_b.now();
            const Vec3<double> w = at_a.at + s[0] * at_a.along - at_b.at - s[1] * at_b.along;
            const Vec3<double> t_1 = across(n), t_2 = cross(n, t_1);
            const double depth = dot(n, w);
            std::array<std::array<double, 5>, 4> A{};
            const std::array<Vec3<double>, 2> t{t_1, t_2};
            for (std::size_t j = 0; j < 2; ++j) {
                const Bearing da = on_a.turned(t[j]), db = on_b.turned(t[j]);
                const Vec3<double> dw = da.at + s[0] * da.along - db.at - s[1] * db.along;
                for (std::size_t i = 0; i < 2; ++i)
                    A[i][j] = dot(t[i], dw) - (i == j ? depth : 0);
                std::size_t row = 2;
                if (straight(a))
                    A[row++][j] = da.off;
                if (straight(b))
                    A[row][j] = db.off;
            }
            for (std::size_t i = 0; i < 2; ++i) {
                std::size_t column = 2;
                if (straight(a))
                    A[i][column++] = dot(t[i], at_a.along);
                if (straight(b))
                    A[i][column] = -dot(t[i], at_b.along);
                A[i][2 + lines] = -dot(t[i], w);
            }
            std::size_t row = 2;
            if (straight(a))
                A[row++][2 + lines] = -at_a.off;
            if (straight(b))
                A[row][2 + lines] = -at_b.off;
            std::array<double, 4> x{};
            if (!solve_small(A, 2 + lines, x))
                return std::nullopt;
            n = normalised(n + x[0] * t_1 + x[1] * t_2);
            std::size_t k = 2;
            if (straight(a))
                s[0] += x[k++];
            if (straight(b))
                s[1] += x[k];
            if (!(norm(n - found_.n) <= near_by))
                return std::nullopt;
            if (max(abs(x[0]), abs(x[1])) <= meeting_settled) {
                const Bearing end_a = Bears(first_, a, n).now(), end_b = Bears(second_, b, n).now();
                for (const double part : s)
                    if (!(part >= -beyond_end && part <= 1 + beyond_end))
                        return std::nullopt;
                return checked(n, end_a.at + s[0] * end_a.along, end_b.at + s[1] * end_b.along);
            }
        }
        return std::nullopt;
    }

    static Vec3<double> across(const Vec3<double>& n)
    {
        const Vec3<double> e = abs(n.x) <= abs(n.y) && abs(n.x) <= abs(n.z) ? Vec3<double>{1, 0, 0}
                               : abs(n.y) <= abs(n.z)                       ? Vec3<double>{0, 1, 0}
                                                                            : Vec3<double>{0, 0, 1};
        return normalised(cross(n, e));
    }

    /// A face has one normal. What lies on it does so where it was found, what stands on it at a
    /// point of its own.
    std::optional<Meeting> at_face(const Stand& of, const Feature& face, const Stand& other,
                                   const Feature& on) const
    {
        const Vec3<double> n = of.sign * (of.R * face.along);
        const Bearing bears = Bears(other, on, n).now();
        const bool lies = on.kind == Feature::Kind::face || straight(on);
        const double tilt =
            on.kind == Feature::Kind::face ? norm(cross(other.seen(n), on.along)) : abs(bears.off);
        if (lies && tilt > lies_within)
            return std::nullopt;
        const Corner top = pair_.farthest(n, 0, 0);
        const double h = dot(n, top.w);
        const Vec3<double> point = !lies ? bears.at : of.sign > 0 ? found_.b : found_.a;
        const double outermost = dot(n, of.sign > 0 ? top.b : top.a);
        const Vec3<double> here = mul_add(outermost - dot(n, point), n, point);
        if (!lies && !(norm(here - point) <= meeting_rounding * size_)) // another bears
            return std::nullopt;
        const Vec3<double> foot = mul_add(of.sign * h, n, here);
        return of.sign > 0 ? checked(n, foot, here) : checked(n, here, foot);
    }

    /// If it bears all that stands along n, and is where it was found.
    std::optional<Meeting> checked(const Vec3<double>& n, const Vec3<double>& a,
                                   const Vec3<double>& b) const
    {
        const double h = dot(n, pair_.farthest(n, 0, 0).w), depth = dot(n, a - b);
        if (!(abs(h - depth) <= meeting_rounding * size_) || !(h <= -found_.between + accuracy_))
            return std::nullopt;
        const Vec3<double> middle = 0.5 * (a + b);
        return Meeting{n, mul_add(0.5 * h, n, middle), mul_add(-0.5 * h, n, middle), -h};
    }

    const CorePair& pair_;
    const Meeting& found_;
    double accuracy_, size_ = 0;
    Stand first_, second_;
};

} // namespace

std::optional<Meeting> meeting_near(const CorePair& pair, const Meeting& found, double accuracy)
{
    return Search(pair, found, accuracy).run();
}

} // namespace poinsot
