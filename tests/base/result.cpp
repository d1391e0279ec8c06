// SPDX-License-Identifier: MIT
#include "poinsot/base/result.hpp"
#include "near.hpp"

#include <memory>

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

TEST_CASE("Result: a NaN is a problem like any other")
{
    const auto nothing = root_of(std::nan(""));
    REQUIRE(!nothing);
    CHECK(nothing.problems().text() == "a: must not be negative, is nan\n");
}
