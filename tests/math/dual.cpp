// SPDX-License-Identifier: MIT
#include "poinsot/math/dual.hpp"
#include "math/kernels.hpp"

#include <functional>
#include <string_view>

using namespace poinsot;

namespace {

// Fourth-order central difference. The step balances truncation, h⁴ f⁽⁵⁾/30 ≈ 1e-12 where a
// quotient has f⁽⁵⁾ ≈ 5!·2⁶, against rounding, 2⁻⁵²/h ≈ 1e-12.
constexpr double h = 3e-4;

using Function = std::function<std::vector<double>(const std::vector<double>&)>;

std::vector<double> difference_quotient(const Function& f, const std::vector<double>& at,
                                        const std::vector<double>& along)
{
    const auto moved = [&](double by) {
        std::vector<double> tape = at;
        for (std::size_t i = 0; i < tape.size(); ++i)
            tape[i] += by * along[i];
        return f(tape);
    };
    const auto a = moved(-2 * h), b = moved(-h), c = moved(h), d = moved(2 * h);
    std::vector<double> quotient;
    for (std::size_t i = 0; i < a.size(); ++i)
        quotient.push_back((8 * (c[i] - b[i]) - (d[i] - a[i])) / (12 * h));
    return quotient;
}

std::vector<double> direction(std::size_t size, Dice& dice)
{
    std::vector<double> along;
    while (along.size() < size)
        along.push_back(dice.in(-1, 1));
    return along;
}
template <class T>
std::vector<Dual<T>> duals(const std::vector<T>& at, const std::vector<T>& along)
{
    std::vector<Dual<T>> tape;
    for (std::size_t i = 0; i < at.size(); ++i)
        tape.push_back({at[i], along[i]});
    return tape;
}
double size_of(const std::vector<double>& values)
{
    double size = 1;
    for (const double a : values)
        size = std::max(size, std::abs(a));
    return size;
}

/// True if the derivatives are the difference quotients, and the values those of a double.
bool agrees(const std::string& name, const Function& f, const std::vector<Dual<double>>& dual,
            const std::vector<double>& at, const std::vector<double>& along)
{
    const auto plain = f(at), slope = difference_quotient(f, at, along);
    const double scale = std::max(size_of(plain), size_of(slope));
    bool good = true;
    for (std::size_t i = 0; i < dual.size(); ++i) {
        // 1e-9: a thousand times the error of the quotient, for products of many such factors
        const Nearness derivative = near(dual[i].d, slope[i], 1e-9, scale);
        if (!derivative || !same_bits(dual[i].v, plain[i]))
            MESSAGE(name << ": result " << i << ": value " << dual[i].v << " and " << plain[i]
                         << ", derivative " << derivative);
        good = good && derivative && same_bits(dual[i].v, plain[i]);
    }
    return good;
}
bool kernel_agrees(std::size_t kernel, const std::vector<double>& at,
                   const std::vector<double>& along)
{
    const auto plain = [=](const std::vector<double>& tape) { return run(kernel, tape); };
    return agrees(name_of(kernel), plain, run(kernel, duals(at, along)), at, along);
}
std::size_t kernel_named(std::string_view name)
{
    for (std::size_t kernel = 0; kernel < kernel_count(); ++kernel)
        if (name_of(kernel) == name)
            return kernel;
    FAIL("no kernel has this name: " << name);
    return 0;
}

template <class T>
void check_values_at_edges()
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        for (std::size_t kernel = 0; kernel < kernel_count(); ++kernel) {
            std::vector<T> at(arguments(kernel, dice).size()), along;
            for (T& a : at)
                a = dice.edge<T>();
            for (const double a : direction(at.size(), dice))
                along.push_back(static_cast<T>(a));
            const auto plain = run(kernel, at);
            const auto dual = run(kernel, duals(at, along));
            for (std::size_t i = 0; i < plain.size(); ++i)
                if (!same_bits(plain[i], dual[i].v))
                    RC_FAIL(name_of(kernel));
        }
    }));
}

} // namespace

TEST_CASE("Dual: the derivative of every smooth kernel is its difference quotient")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        for (std::size_t kernel = 0; kernel < kernel_count(); ++kernel)
            if (is_smooth(kernel)) {
                const auto at = arguments(kernel, dice);
                RC_ASSERT(kernel_agrees(kernel, at, direction(at.size(), dice)));
            }
    }));
}

TEST_CASE("Dual: the value of every kernel has the bits of the plain number, edges included")
{
    check_values_at_edges<double>();
    check_values_at_edges<float>();
}

TEST_CASE("Dual: a dual of packs has in each lane the bits of one dual, value and derivative")
{
    using P = Pack<double, 4>;
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        for (std::size_t kernel = 0; kernel < kernel_count(); ++kernel) {
            const std::size_t count = arguments(kernel, dice).size();
            std::vector<std::vector<Dual<double>>> alone;
            std::vector<P> at(count, P(0.0)), along(count, P(0.0));
            for (int lane = 0; lane < P::width; ++lane) {
                const auto one = arguments(kernel, dice);
                const auto way = direction(count, dice);
                alone.push_back(run(kernel, duals(one, way)));
                for (std::size_t i = 0; i < count; ++i)
                    at[i].set(lane, one[i]), along[i].set(lane, way[i]);
            }
            const auto packed = run(kernel, duals(at, along));
            for (std::size_t lane = 0; lane < P::width; ++lane)
                for (std::size_t i = 0; i < packed.size(); ++i) {
                    const int l = static_cast<int>(lane);
                    if (!same_bits(packed[i].v[l], alone[lane][i].v) ||
                        !same_bits(packed[i].d[l], alone[lane][i].d))
                        RC_FAIL(name_of(kernel));
                }
        }
    }));
}

TEST_CASE("Dual: exp, log and the rate of a rotation vector are smooth at zero and where the "
          "series ends")
{
    Dice dice(1);
    const std::size_t exp = kernel_named("exp_quat"), log = kernel_named("log_quat"),
                      rate = kernel_named("rotation_vector_rate");
    // |u|: nothing, inside the series, on both sides of its end, outside
    for (const double size : {0.0, 1e-160, 1e-8, 1.9999e-4, 2e-4, 2.0001e-4, 1e-2, 0.0999, 0.1001})
        for (int i = 0; i < 20; ++i) {
            const Vec3<double> u = size * dice.unit(), omega = dice.vec();
            const Quat<double> q = exp_quat(u);
            CHECK(kernel_agrees(exp, {u.x, u.y, u.z}, direction(3, dice)));
            CHECK(kernel_agrees(log, {q.w, q.x, q.y, q.z}, direction(4, dice)));
            CHECK(kernel_agrees(rate, {u.x, u.y, u.z, omega.x, omega.y, omega.z},
                                direction(6, dice)));
        }
}

TEST_CASE("Dual: at zero rotation exp(ε u) = (1; ε u/2) and log(1; ε v) = 2 ε v, exactly")
{
    using D = Dual<double>;
    const Quat<D> q = exp_quat(Vec3<D>{{0, 1}, {0, -2}, {0, 4}});
    CHECK((q.w.v == 1 && q.x.v == 0 && q.y.v == 0 && q.z.v == 0));
    CHECK((q.w.d == 0 && q.x.d == 0.5 && q.y.d == -1 && q.z.d == 2));
    const Vec3<D> u = log_quat(q);
    CHECK((u.x.v == 0 && u.y.v == 0 && u.z.v == 0));
    CHECK((u.x.d == 1 && u.y.d == -2 && u.z.d == 4));
}

TEST_CASE("Dual: the derivative of a turned point is ω × r")
{
    Dice dice(2);
    for (int i = 0; i < 100; ++i) {
        const Vec3<double> r = dice.vec(), omega = dice.vec();
        const Quat<double> q = dice.turn();
        // q(t) = exp(t ω) q at t = 0
        using D = Dual<double>;
        const Vec3<D> u{{0, omega.x}, {0, omega.y}, {0, omega.z}};
        const Quat<D> turned = exp_quat(u) * Quat<D>{q.w, q.x, q.y, q.z};
        const Vec3<D> moved = rotate(turned, Vec3<D>{r.x, r.y, r.z});
        const Vec3<double> speed{moved.x.d, moved.y.d, moved.z.d};
        CHECK(distance(speed, cross(omega, rotate(q, r))) <= 10 * eps); // a dozen roundings
    }
}

TEST_CASE("Dual: a dual of a dual holds the second derivative")
{
    using D = Dual<double>;
    using DD = Dual<D>;
    for (const double x : {-2.0, 0.3, 1.0, 7.0}) {
        const DD t{{x, 1}, {1, 0}};
        const auto [s, c] = sin_cos(t);
        const auto plain = sin_cos(x);
        CHECK(s.d.d == -plain.sin);
        CHECK(c.d.d == -plain.cos);
        CHECK(near((t * t * t).d.d, 6 * x, 1e-15));
        CHECK(near((DD(1.0) / t).d.d, 2 / (x * x * x), 4 * eps));
        CHECK(near(sqrt(t * t * t * t).d.d, 2, 8 * eps));
    }
}

TEST_CASE("Dual: steps have slope zero, kinks the slope of the side they are on")
{
    using D = Dual<double>;
    CHECK(nearest(D{2.4, 1}).v == 2);
    CHECK(nearest(D{2.4, 1}).d == 0);
    CHECK(abs(D{-3, 2}).d == -2);
    CHECK(abs(D{3, 2}).d == 2);
    CHECK(min(D{1, 5}, D{2, 7}).d == 5);
    CHECK(max(D{1, 5}, D{2, 7}).d == 7);
    CHECK(select(D{1, 0} < D{2, 0}, D{1, 5}, D{2, 7}).d == 5);
}
