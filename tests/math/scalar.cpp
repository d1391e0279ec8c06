// SPDX-License-Identifier: MIT
#include "poinsot/math/scalar.hpp"
#include "math/kernels.hpp"
#include "poinsot/base/result.hpp"

#include <type_traits>

using namespace poinsot;

static_assert(std::is_same_v<Real<double>, double>);
static_assert(std::is_same_v<Real<Pack<float, 8>>, float>);
static_assert(std::is_same_v<Real<ArrayPack<double, 4>>, double>);
static_assert(std::is_same_v<Real<Dual<Pack<double, 4>>>, double>);
static_assert(Scalar<Pack<double, 8>> && Scalar<ArrayPack<float, 8>> && Scalar<Dual<float>> &&
              Scalar<Dual<Pack<double, 4>>> && Scalar<Dual<Dual<double>>>);
static_assert(!Scalar<int> && !Scalar<bool> && !Scalar<Vec3<double>>);

TEST_CASE("Scalar: a float gives the answer of a double, to its own digits, in every kernel")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        for (std::size_t kernel = 0; kernel < kernel_count(); ++kernel) {
            std::vector<float> narrow;
            for (const double a : arguments(kernel, dice))
                narrow.push_back(static_cast<float>(a));
            const std::vector<double> wide(narrow.begin(), narrow.end()); // the same numbers
            const auto in_float = run(kernel, narrow);
            const auto in_double = run(kernel, wide);
            double scale = 1;
            for (const double a : in_double)
                scale = std::max(scale, std::abs(a));
            for (std::size_t i = 0; i < in_double.size(); ++i) {
                // 2⁻²³ for each of up to a hundred operations
                const Nearness same = near(in_float[i], in_double[i], 100 * 0x1p-23, scale);
                if (!same)
                    RC_FAIL(text_of(name_of(kernel), ": ", doctest::toString(same).c_str()));
            }
        }
    }));
}

TEST_CASE("Scalar: mul_add rounds once")
{
    // (1 + ε)² − (1 + 2ε) = ε², which a rounded product loses
    CHECK(mul_add(1 + eps, 1 + eps, -(1 + 2 * eps)) == eps * eps);
    CHECK(mul_add(1 + 0x1p-23f, 1 + 0x1p-23f, -(1 + 0x1p-22f)) == 0x1p-46f);
    const Pack<double, 4> a(1 + eps), b(-(1 + 2 * eps));
    CHECK(mul_add(a, a, b)[3] == eps * eps);
}

TEST_CASE("Scalar: products and sums are not fused behind our back")
{
    // volatile: the compiler must not know the numbers
    volatile double a = 1 + eps, c = -(1 + 2 * eps);
    const double x = a, z = c;
    CHECK(x * x + z == 0);
}

TEST_CASE("Scalar: nearest takes halves to even, and is exact for every whole number below 2^51")
{
    CHECK(nearest(0.5) == 0);
    CHECK(nearest(1.5) == 2);
    CHECK(nearest(2.5) == 2);
    CHECK(nearest(-2.5) == -2);
    CHECK(nearest(-0.4) == 0);
    CHECK(nearest(0x1p51 - 1) == 0x1p51 - 1);
    CHECK(nearest(-0x1p51 + 1) == -0x1p51 + 1);
    CHECK(nearest(2.5f) == 2);
    CHECK(nearest(0x1p22f - 1) == 0x1p22f - 1);
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const double a = dice.in(-1, 1) * std::exp2(dice.in(0, 50));
        RC_ASSERT(nearest(a) == std::nearbyint(a));
    }));
}

TEST_CASE("Scalar: min, max, abs and select are what their names say")
{
    CHECK(poinsot::min(2.0, -3.0) == -3);
    CHECK(poinsot::max(2.0, -3.0) == 2);
    CHECK(same_bits(poinsot::abs(-0.0), 0.0));
    CHECK(poinsot::abs(-2.5) == 2.5);
    CHECK(poinsot::select(true, 1.0, 2.0) == 1);
    CHECK(poinsot::select(false, 1.0, 2.0) == 2);
    CHECK(std::isnan(poinsot::abs(std::nan(""))));
    CHECK((any(true) && !any(false) && all(true) && !all(false)));
}
