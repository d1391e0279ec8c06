// SPDX-License-Identifier: MIT
#include "poinsot/math/table.hpp"

#include "math/kernels.hpp"

using namespace poinsot;

namespace {

double at(const Table& table, std::initializer_list<double> x)
{
    return table.at({x.begin(), x.size()});
}
std::string wrong_with(const Table& table)
{
    Problems found;
    inspect(table, "wing", "lift", found);
    return found.text();
}
bool says(const std::string& text, const char* part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("A table is exact for what is linear along each axis, in one, two and three dimensions")
{
    // f = (1 + 2x)(3 − y)(2 + z/2): its restriction to a line along any axis is linear.
    const auto f = [](double x, double y, double z) {
        return (1 + 2 * x) * (3 - y) * (2 + 0.5 * z);
    };
    const std::vector<double> xs{-1, 0.5, 0.75, 4}, ys{0, 1}, zs{-3, -1, 2};
    Table one{{xs}, {}}, two{{xs, ys}, {}}, three{{xs, ys, zs}, {}};
    for (const double x : xs) {
        one.values.push_back(f(x, 0, 0));
        for (const double y : ys) {
            two.values.push_back(f(x, y, 0));
            for (const double z : zs)
                three.values.push_back(f(x, y, z));
        }
    }
    CHECK(wrong_with(one).empty());
    CHECK(wrong_with(two).empty());
    CHECK(wrong_with(three).empty());
    Dice dice(4);
    for (int i = 0; i < 1000; ++i) {
        const double x = dice.in(-1, 4), y = dice.in(0, 1), z = dice.in(-3, 2);
        // Rounding of a dozen operations on terms as large as f at the corner.
        CHECK(near(at(one, {x}), f(x, 0, 0), 1e-14, f(4, 0, 0)));
        CHECK(near(at(two, {x, y}), f(x, y, 0), 1e-14, f(4, 0, 0)));
        CHECK(near(at(three, {x, y, z}), f(x, y, z), 1e-14, f(4, 0, 2)));
    }
    for (std::size_t i = 0; i < xs.size(); ++i) // a node gives its own value, to the bit
        CHECK(at(one, {xs[i]}) == one.values[i]);
}

TEST_CASE("Beyond its ends a table holds or refuses, as it was told, and never goes on")
{
    Table table{{{0, 1, 3}}, {5, 7, 1}};
    CHECK(std::isnan(at(table, {-1e-9})));
    CHECK(std::isnan(at(table, {3.0000001})));
    CHECK(at(table, {0}) == 5);
    CHECK(at(table, {3}) == 1);
    table.beyond = Beyond::hold;
    CHECK(at(table, {-100}) == 5);
    CHECK(at(table, {100}) == 1);
    CHECK(std::isnan(at(table, {std::nan("")})));

    Table grid{{{0, 1}, {0, 1}}, {1, 2, 3, 4}, Beyond::hold};
    CHECK(at(grid, {-5, 9}) == 2);
    CHECK(at(grid, {0.5, 9}) == 3);
    grid.beyond = Beyond::refuse;
    CHECK(std::isnan(at(grid, {0.5, 9})));
}

TEST_CASE("A bad table is refused and told why")
{
    CHECK(says(wrong_with({{}, {1}}), "one, two or three axes, this has 0"));
    CHECK(says(wrong_with({{{0, 1}, {0, 1}, {0, 1}, {0, 1}}, {}}), "this has 4"));
    CHECK(says(wrong_with({{{0}}, {1}}), "at least two nodes, has 1"));
    CHECK(says(wrong_with({{{0, 1, 1}}, {1, 2, 3}}), "node 3 is 1 after 1"));
    CHECK(says(wrong_with({{{0, 2, 1}}, {1, 2, 3}}), "node 3 is 1 after 2"));
    CHECK(says(wrong_with({{{0, std::nan("")}}, {1, 2}}), "must be finite"));
    CHECK(says(wrong_with({{{0, 1}}, {1, 2, 3}}), "each of its 2 nodes, has 3"));
    CHECK(says(wrong_with({{{0, 1}}, {1, HUGE_VAL}}), "values of a table must be finite"));
    CHECK(wrong_with({{{0, 1}}, {1, 2}}).empty());
}
