// SPDX-License-Identifier: MIT
// Six numbers in two registers do what six numbers do.

#include "poinsot/math/wide.hpp"
#include "math/kernels.hpp"

using namespace poinsot;

namespace {

Vec6 some_six(Dice& dice)
{
    Vec6 made;
    for (double& x : made)
        x = dice.in(-1, 1);
    return made;
}
Vec6 numbers_of(const Wide& a)
{
    Vec6 made;
    a.store(made);
    return made;
}

} // namespace

TEST_CASE("Six numbers side by side: sums, products and signs are those of each, to the bit")
{
    Dice dice(1);
    for (int round = 0; round < 20; ++round) {
        const Vec6 a = some_six(dice), b = some_six(dice), c = some_six(dice);
        const double s = dice.in(-1, 1);
        const Wide x(a), y(b), z(c);
        const Vec6 sum = numbers_of(x + y), difference = numbers_of(x - y),
                   product = numbers_of(x * y), multiple = numbers_of(s * x),
                   fused = numbers_of(mul_add(x, y, z)), along = numbers_of(mul_add(s, y, z)),
                   most = numbers_of(max(x, y)), size = numbers_of(abs(x));
        for (std::size_t i = 0; i < 6; ++i) {
            CHECK(sum[i] == a[i] + b[i]);
            CHECK(difference[i] == a[i] - b[i]);
            CHECK(product[i] == a[i] * b[i]);
            CHECK(multiple[i] == s * a[i]);
            CHECK(fused[i] == std::fma(a[i], b[i], c[i]));
            CHECK(along[i] == std::fma(s, b[i], c[i]));
            CHECK(most[i] == std::max(a[i], b[i]));
            CHECK(size[i] == std::abs(a[i]));
        }
        const auto in_order = [](const Vec6& u) {
            return (u[2] + u[4] + u[0]) + (u[3] + u[5] + u[1]);
        };
        CHECK(sums(x, y)[0] == in_order(a));
        CHECK(sums(x, y)[1] == in_order(b));
        CHECK(dots(x, y, z)[0] == in_order(numbers_of(x * z)));
        CHECK(dots(x, y, z)[1] == in_order(numbers_of(y * z)));
    }
}

TEST_CASE("Six numbers side by side: a wrench comes back, three and three, two and two and two")
{
    const Wrench<double> W{{1, 2, 3}, {4, 5, 6}};
    Wrench<double> back{zero3<double>(), zero3<double>()};
    Wide(W).store(back);
    CHECK(back.F == W.F);
    CHECK(back.tau == W.tau);
    const Vec6 halves = numbers_of(Wide(W.F, W.tau));
    const auto two = [](double a, double b) {
        Pack<double, 2> made(a);
        made.set(1, b);
        return made;
    };
    const Vec6 thirds = numbers_of(Wide(two(1, 2), two(3, 4), two(5, 6)));
    for (std::size_t i = 0; i < 6; ++i) {
        CHECK(halves[i] == static_cast<double>(i + 1));
        CHECK(thirds[i] == static_cast<double>(i + 1));
    }
}

TEST_CASE("Six rows of six become six columns")
{
    Dice dice(2);
    std::array<Vec6, 6> given;
    std::array<Wide, 6> rows;
    for (std::size_t i = 0; i < 6; ++i)
        rows[i] = Wide(given[i] = some_six(dice));
    const std::array<Wide, 6> columns = transpose(rows);
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j)
            CHECK(numbers_of(columns[j])[i] == given[i][j]);
}
