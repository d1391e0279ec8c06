// SPDX-License-Identifier: MIT
#pragma once

// What the tests of the mathematics share: random numbers with their edges, exact comparison, and
// the list of every kernel of the module, written once and run for each kind of scalar.

#include "near.hpp"
#include "poinsot/math/pack.hpp"
#include "poinsot/math/pose.hpp"
#include "poinsot/math/spatial.hpp"

#include <rapidcheck.h>

#include <cstdlib>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace poinsot {

/// RapidCheck's seed, the same in every run, unless the environment asks for another: a failure on
/// one machine is a failure on all. (The year of Poinsot's "Théorie nouvelle de la rotation".)
inline const bool seed_is_fixed = setenv("RC_PARAMS", "seed=1834", 0) == 0;

constexpr double eps = 0x1p-52; // distance from 1 to the next double
constexpr double pi = std::numbers::pi;

/// Equal to the last bit. All NaN are one: their signs follow the order in which a compiler
/// names the operands of a product.
template <std::floating_point T>
bool same_bits(T a, T b)
{
    return (a == b && std::signbit(a) == std::signbit(b)) || (std::isnan(a) && std::isnan(b));
}
/// Distance of two numbers of size one.
inline double distance(const Vec3<double>& a, const Vec3<double>& b)
{
    return norm(a - b);
}
inline double distance(const Mat3<double>& a, const Mat3<double>& b)
{
    const Mat3<double> d = a - b;
    return std::sqrt(norm2(d.r0) + norm2(d.r1) + norm2(d.r2));
}
inline double distance(const Quat<double>& a, const Quat<double>& b)
{
    return std::sqrt(norm2(a + -1.0 * b));
}
/// The angle between two attitudes.
inline double angle_between(const Quat<double>& a, const Quat<double>& b)
{
    return norm(log_quat(normalised(a * conjugate(b))));
}

/// Numbers from one seed, which RapidCheck chooses and prints when a property fails.
class Dice {
  public:
    explicit Dice(unsigned long seed) : engine_(seed) {}

    double in(double lo, double hi)
    {
        return lo + (hi - lo) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
    }
    int whole(int lo, int hi) { return lo + static_cast<int>(in(0, 1) * (hi - lo + 1)); }
    double sign() { return whole(0, 1) ? 1 : -1; }
    Vec3<double> vec(double size = 1)
    {
        const double x = in(-size, size), y = in(-size, size);
        return {x, y, in(-size, size)};
    }
    /// A direction, evenly spread.
    Vec3<double> unit()
    {
        for (;;) {
            const Vec3<double> a = vec();
            if (norm2(a) > 0.01 && norm2(a) < 1)
                return normalised(a);
        }
    }
    /// An attitude, evenly spread.
    Quat<double> turn()
    {
        for (;;) {
            const double w = in(-1, 1);
            const Vec3<double> v = vec();
            const Quat<double> q{w, v.x, v.y, v.z};
            if (norm2(q) > 0.01 && norm2(q) < 1)
                return normalised(q);
        }
    }
    /// A symmetric matrix with eigenvalues between 1 and 4 times `size`.
    Sym3<double> positive(double size = 1)
    {
        const double a = in(1, 4), b = in(1, 4);
        return congruent(matrix_of(turn()), size * diagonal(a, b, in(1, 4)));
    }
    Mat3<double> matrix() // the order in which arguments are evaluated is the compiler's choice
    {
        const Vec3<double> a = vec(), b = vec();
        return {a, b, vec()};
    }
    /// Zero of either sign, tiny, huge, not a number, a special angle, or any size between.
    template <std::floating_point T>
    T edge()
    {
        using Limit = std::numeric_limits<T>;
        static const std::vector<T> edges{T(0),
                                          Limit::denorm_min(),
                                          Limit::min(),
                                          Limit::epsilon(),
                                          T(1e-4),
                                          T(0.1),
                                          T(0.5),
                                          T(1),
                                          T(2),
                                          T(pi / 4),
                                          T(pi / 2),
                                          T(pi),
                                          T(2 * pi),
                                          T(0x1p22),
                                          T(0x1p30),
                                          std::sqrt(Limit::max()),
                                          Limit::max(),
                                          Limit::infinity(),
                                          Limit::quiet_NaN()};
        switch (whole(0, 4)) {
        case 0:
            return T(sign()) * edges[static_cast<std::size_t>(whole(0, int(edges.size()) - 1))];
        case 1:
            return T(sign() * 0.0); // often: two zeros of different sign are equal, and are not
        case 2:
            return T(sign() * std::exp2(in(-30, 30)));
        default:
            return T(in(-2, 2));
        }
    }

  private:
    std::mt19937_64 engine_;
};

// ---- a kernel reads its arguments from a tape and writes its results to one ---------------------

/// Draws arguments on which every kernel is smooth and well conditioned, and keeps them: numbers
/// between 0.5 and 2, unit quaternions away from half a turn, rotation matrices, inertias.
class Draw {
  public:
    explicit Draw(Dice& dice) : dice_(dice) {}
    std::vector<double> tape;

    double number() { return put(dice_.sign() * dice_.in(0.5, 2)); }
    Vec3<double> vec()
    {
        const double x = number(), y = number();
        return {x, y, number()};
    }
    Quat<double> quat()
    {
        const Quat<double> q = settled();
        put(q.w), put(q.x), put(q.y), put(q.z);
        return q;
    }
    Mat3<double> turn()
    {
        const Mat3<double> m = matrix_of(settled());
        put(m.r0), put(m.r1), put(m.r2);
        return m;
    }
    Sym3<double> sym()
    {
        const Sym3<double> s = dice_.positive();
        put(s.xx), put(s.yy), put(s.zz), put(s.xy), put(s.xz), put(s.yz);
        return s;
    }

  private:
    double put(double a)
    {
        tape.push_back(a);
        return a;
    }
    void put(const Vec3<double>& a) { put(a.x), put(a.y), put(a.z); }
    /// log changes sign where w does, and quat_of its divisor where the largest component changes.
    Quat<double> settled()
    {
        for (;;) {
            const Quat<double> q = dice_.turn();
            double size[] = {std::abs(q.w), std::abs(q.x), std::abs(q.y), std::abs(q.z)};
            const double w = size[0];
            std::sort(size, size + 4);
            if (w > 0.1 && size[3] > size[2] + 0.1)
                return q;
        }
    }
    Dice& dice_;
};

template <Scalar T>
class Replay {
  public:
    explicit Replay(const std::vector<T>& tape) : tape_(tape) {}

    T number() { return tape_[at_++]; }
    Vec3<T> vec()
    {
        const T x = number(), y = number();
        return {x, y, number()};
    }
    Quat<T> quat()
    {
        const T w = number();
        const Vec3<T> v = vec();
        return {w, v.x, v.y, v.z};
    }
    Mat3<T> turn()
    {
        const Vec3<T> r0 = vec(), r1 = vec();
        return {r0, r1, vec()};
    }
    Sym3<T> sym()
    {
        const Vec3<T> d = vec(), o = vec();
        return {d.x, d.y, d.z, o.x, o.y, o.z};
    }

  private:
    const std::vector<T>& tape_;
    std::size_t at_ = 0;
};

template <Scalar T>
struct Results {
    std::vector<T> values;

    void put(const T& a) { values.push_back(a); }
    void put(const Vec3<T>& a) { put(a.x), put(a.y), put(a.z); }
    void put(const Quat<T>& a) { put(a.w), put(a.x), put(a.y), put(a.z); }
    void put(const Mat3<T>& a) { put(a.r0), put(a.r1), put(a.r2); }
    void put(const Sym3<T>& a) { put(a.xx), put(a.yy), put(a.zz), put(a.xy), put(a.xz), put(a.yz); }
    void put(const Pose<T>& a) { put(a.x), put(a.q); }
    void put(const Twist<T>& a) { put(a.v), put(a.omega); }
    void put(const Wrench<T>& a) { put(a.F), put(a.tau); }
    void put(const Momentum<T>& a) { put(a.p), put(a.L); }
    void put(const SinCos<T>& a) { put(a.sin), put(a.cos); }
    void put(const SpatialInertia<T>& a) { put(a.m), put(a.c), put(a.I_C); }
    void put(const Mat6<T>& a)
    {
        for (const auto& row : a)
            for (const T& entry : row)
                put(entry);
    }
};

template <class In>
auto twist_from(In& in)
{
    const auto v = in.vec();
    return Twist<decltype(v.x)>{v, in.vec()};
}
template <class In>
auto wrench_from(In& in)
{
    const auto F = in.vec();
    return Wrench<decltype(F.x)>{F, in.vec()};
}
template <class In>
auto momentum_from(In& in)
{
    const auto p = in.vec();
    return Momentum<decltype(p.x)>{p, in.vec()};
}
template <class In>
auto inertia_from(In& in)
{
    const auto m = in.number();
    const auto c = in.vec();
    return SpatialInertia<decltype(c.x)>{m, c, in.sym()};
}
template <class In>
auto pose_from(In& in)
{
    const auto x = in.vec();
    return Pose<decltype(x.x)>{x, in.quat()};
}

/// One kernel for one kind of scalar.
template <class In, Scalar T>
struct Kernel {
    const char* name;
    bool smooth; // no steps or kinks where Draw draws
    void (*call)(In&, Results<T>&);
};

/// Every kernel of the module. The list has the same order for every kind of scalar.
template <class In, Scalar T>
const std::vector<Kernel<In, T>>& kernel_list()
{
    using Out = Results<T>;
    static const auto list = [] {
        std::vector<Kernel<In, T>> all;
        bool smooth = true;
        const auto add = [&](const char* name, void (*call)(In&, Out&)) {
            all.push_back({name, smooth, call});
        };

        // scalar.hpp
        add("+ - * /", [](In& in, Out& out) {
            const auto a = in.number(), b = in.number();
            out.put(a + b), out.put(a - b), out.put(a * b), out.put(a / b), out.put(-a);
        });
        add("mul_add", [](In& in, Out& out) {
            const auto a = in.number(), b = in.number();
            out.put(mul_add(a, b, in.number()));
        });
        add("sqrt", [](In& in, Out& out) {
            const auto a = in.number();
            out.put(sqrt(abs(a)));
        });
        add("min, max, abs", [](In& in, Out& out) {
            const auto a = in.number(), b = in.number();
            out.put(min(a, b)), out.put(max(a, b)), out.put(abs(a));
        });

        // trig.hpp
        add("sin_cos", [](In& in, Out& out) { out.put(sin_cos(in.number())); });
        add("atan2", [](In& in, Out& out) {
            const auto y = in.number();
            out.put(atan2(y, in.number()));
        });

        // vec3.hpp
        add("vectors", [](In& in, Out& out) {
            const auto a = in.vec(), b = in.vec();
            const auto s = in.number();
            out.put(a + b), out.put(a - b), out.put(-a), out.put(s * a), out.put(a / s);
            out.put(mul_add(s, a, b)), out.put(select(s < s + s, a, b));
        });
        add("dot, cross, norm", [](In& in, Out& out) {
            const auto a = in.vec(), b = in.vec();
            out.put(dot(a, b)), out.put(cross(a, b)), out.put(norm2(a)), out.put(norm(a));
            out.put(normalised(a));
        });
        add("matrices", [](In& in, Out& out) {
            const auto a = in.turn(), b = in.turn();
            const auto v = in.vec();
            out.put(a + b), out.put(a - b), out.put(v.x * a), out.put(a * v), out.put(a * b);
            out.put(transpose(a)), out.put(transpose_times(a, v)), out.put(determinant(a));
            out.put(trace(a)), out.put(cr(a)), out.put(symmetric(a));
        });
        add("skew, outer, square", [](In& in, Out& out) {
            const auto a = in.vec(), b = in.vec();
            out.put(skew(a)), out.put(outer(a, b)), out.put(square(a));
            out.put(diagonal(a.x, a.y, a.z));
        });
        add("symmetric matrices", [](In& in, Out& out) {
            const auto a = in.sym(), b = in.sym();
            const auto v = in.vec();
            out.put(a + b), out.put(a - b), out.put(v.x * a), out.put(a * v), out.put(trace(a));
            out.put(full(a)), out.put(determinant(a));
        });
        add("inverse(Sym3)", [](In& in, Out& out) { out.put(inverse(in.sym())); });
        add("congruent", [](In& in, Out& out) {
            const auto a = in.turn();
            out.put(congruent(a, in.sym()));
        });

        // rotation.hpp
        add("quaternions", [](In& in, Out& out) {
            const auto a = in.quat(), b = in.quat();
            out.put(a * b), out.put(a + b), out.put(a.w * b), out.put(conjugate(a)),
                out.put(norm2(a));
            out.put(normalised(a));
        });
        add("rotate", [](In& in, Out& out) {
            const auto q = in.quat();
            out.put(rotate(q, in.vec()));
        });
        add("exp_quat", [](In& in, Out& out) { out.put(exp_quat(in.vec())); });
        add("log_quat", [](In& in, Out& out) { out.put(log_quat(in.quat())); });
        add("matrix_of", [](In& in, Out& out) { out.put(matrix_of(in.quat())); });
        add("exp_matrix", [](In& in, Out& out) { out.put(exp_matrix(in.vec())); });
        add("quat_of", [](In& in, Out& out) { out.put(quat_of(in.turn())); });
        add("log_matrix", [](In& in, Out& out) { out.put(log_matrix(in.turn())); });
        add("orthonormalised", [](In& in, Out& out) { out.put(orthonormalised(in.turn())); });
        add("turned", [](In& in, Out& out) {
            const auto q = in.quat();
            const auto R = in.turn();
            const auto u = in.vec();
            out.put(turned(q, u)), out.put(turned(R, u));
            out.put(turned_body(q, u)), out.put(turned_body(R, u));
        });
        add("rotation_vector_rate", [](In& in, Out& out) {
            const auto u = in.vec();
            out.put(rotation_vector_rate(u, in.vec()));
        });

        // pose.hpp
        add("poses", [](In& in, Out& out) {
            const auto a = pose_from(in), b = pose_from(in);
            out.put(a * b), out.put(inverse(a)), out.put(place(a, b.x));
        });

        // spatial.hpp
        add("twists", [](In& in, Out& out) {
            const auto a = twist_from(in), b = twist_from(in);
            out.put(a + b), out.put(a - b), out.put(a.v.x * a), out.put(shift(a, b.v));
        });
        add("wrenches", [](In& in, Out& out) {
            const auto a = wrench_from(in), b = wrench_from(in);
            out.put(a + b), out.put(a - b), out.put(-a), out.put(a.F.x * a), out.put(shift(a, b.F));
            out.put(force_at(a.F, b.F));
        });
        add("momenta", [](In& in, Out& out) {
            const auto a = momentum_from(in), b = momentum_from(in);
            out.put(a + b), out.put(a - b), out.put(shift(a, b.p));
        });
        add("power", [](In& in, Out& out) {
            const auto W = wrench_from(in);
            out.put(power(W, twist_from(in)));
        });
        add("spatial inertia", [](In& in, Out& out) {
            const auto I = inertia_from(in);
            const auto V = twist_from(in);
            out.put(I * V), out.put(kinetic_energy(I, V)), out.put(matrix_of(I));
            out.put(about_displaced(I.I_C, I.m, I.c)), out.put(shift(I, V.v));
        });

        smooth = false;
        add("select", [](In& in, Out& out) {
            const auto a = in.number(), b = in.number(), c = in.number();
            out.put(select(a < b, a, c)), out.put(select(a <= b, a, c)),
                out.put(select(a > b, a, c));
            out.put(select(a >= b, a, c)), out.put(select(a < b && b < c, a, c));
            out.put(select(a < b || b < c, a, c)), out.put(select(!(a < b), a, c));
            out.put(select(a == b, a, c));
        });
        add("nearest", [](In& in, Out& out) { out.put(nearest(in.number())); });
        add("orthonormality_error", // the root of zero, where the matrix is a rotation
            [](In& in, Out& out) { out.put(orthonormality_error(in.turn())); });
        return all;
    }();
    return list;
}

inline std::size_t kernel_count()
{
    return kernel_list<Draw, double>().size();
}
inline std::string name_of(std::size_t kernel)
{
    return kernel_list<Draw, double>()[kernel].name;
}
inline bool is_smooth(std::size_t kernel)
{
    return kernel_list<Draw, double>()[kernel].smooth;
}
/// Arguments for a kernel on which it is smooth.
inline std::vector<double> arguments(std::size_t kernel, Dice& dice)
{
    Draw in(dice);
    Results<double> out;
    kernel_list<Draw, double>()[kernel].call(in, out);
    return in.tape;
}
template <Scalar T>
std::vector<T> run(std::size_t kernel, const std::vector<T>& tape)
{
    Replay<T> in(tape);
    Results<T> out;
    kernel_list<Replay<T>, T>()[kernel].call(in, out);
    return out.values;
}

} // namespace poinsot
