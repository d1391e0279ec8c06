// SPDX-License-Identifier: MIT
#include "poinsot/base/result.hpp"
#include "near.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <sstream>

using namespace poinsot;

namespace {

Result<double> root_of(double a)
{
    Problems found;
    if (!(a >= 0))
        found.add("a", "must not be negative, is ", a);
    if (found.any())
        return found;
    return std::sqrt(a);
}

} // namespace

TEST_CASE("Result: it holds a value, which can be read, changed and moved out")
{
    auto root = root_of(9);
    REQUIRE(root);
    CHECK(*root == 3);
    *root += 1;
    CHECK(*root == 4);

    Result<std::unique_ptr<int>> owner(std::make_unique<int>(7));
    const std::unique_ptr<int> taken = std::move(*owner);
    CHECK(*taken == 7);

    const Result<std::string> word(std::string("axis"));
    CHECK(word->size() == 4);
}

TEST_CASE("Result: it holds every problem, in the order in which they were found")
{
    Problems found;
    CHECK(!found.any());
    CHECK(found.text().empty());
    found.add("scene.yaml:3:5", "mass must be positive, is ", -1.0);
    found.add("wheel", "no body is called ", std::string("weel"), "; nearest is ", "wheel");
    Problems more;
    more.add("h", "step is ", 0, ", must be positive");
    found.add(more);

    const Result<int> broken(found);
    REQUIRE(!broken);
    CHECK(broken.problems().list().size() == 3);
    CHECK(broken.problems().list()[1].place == "wheel");
    CHECK(broken.problems().text() == "scene.yaml:3:5: mass must be positive, is -1\n"
                                      "wheel: no body is called weel; nearest is wheel\n"
                                      "h: step is 0, must be positive\n");
}

TEST_CASE("Result: text of several parts is what a stream with twelve digits makes of them")
{
    const auto same = [](const auto&... parts) {
        std::ostringstream out;
        out.precision(12);
        (out << ... << parts);
        CHECK(text_of(parts...) == out.str());
    };
    const double infinity = std::numeric_limits<double>::infinity();
    for (double x : {0.0, 1.0, 0.1, 1.0 / 3, 2e12 / 3, 2e13 / 3, 1e100, 4.9e-324, 1e-5, 1e5, 1e12})
        same(x, " ", -x, ' ');
    same(0.1f, -3e30f, 1e-30f);
    same(infinity, -infinity, std::numeric_limits<double>::quiet_NaN(),
         std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest());
    same(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(),
         std::numeric_limits<std::uint64_t>::max(), std::int16_t{-3}, 7u, true, false);
    same("word", std::string("a\0b", 3), std::string_view("view"), "x"[0], "");
    CHECK(text_of().empty());
}

TEST_CASE("Result: a NaN is a problem like any other")
{
    const auto nothing = root_of(std::nan(""));
    REQUIRE(!nothing);
    CHECK(nothing.problems().text() == "a: must not be negative, is nan\n");
}
