// SPDX-License-Identifier: MIT
// Not part of the suite: the cases that tests/guards/discovery.py must find, with their outcomes.
#include "near.hpp"

#include <limits>

using poinsot::near;

TEST_CASE("passes: commas, colons: and semicolons; too")
{
    CHECK(near(1, 1 + 1e-15, 1e-14));
    CHECK(near(1e-20, 0, 1e-15, 1));
    CHECK_FALSE(near(1e-20, 0, 1e-15));
    CHECK_FALSE(near(std::numeric_limits<double>::quiet_NaN(), 0, 1, 1));
}
TEST_CASE("passes: \"quotes\", 'single', ${x} $y [z] ]] \\ # ( < & ω × d ]")
{
    CHECK(true);
}
TEST_CASE("fails: numbers, that differ")
{
    CHECK(near(1, 2, 1e-12));
}
TEST_CASE("fails: before it would be skipped")
{
    CHECK(false);
    SKIP_TEST("too late");
}
TEST_CASE("skipped: for lack of a file")
{
    if (!poinsot::outside("no/such/file"))
        SKIP_TEST("no such file");
    CHECK(false);
}
TEST_SUITE_BEGIN("slow");
TEST_CASE("passes: slowly")
{
    CHECK(true);
}
TEST_SUITE_END();
