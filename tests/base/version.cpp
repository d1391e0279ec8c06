// SPDX-License-Identifier: MIT
#include "poinsot/base/version.hpp"
#include "near.hpp"

#include <cstdio>

TEST_CASE("Version: three numbers with dots between them")
{
    int major = -1, minor = -1, patch = -1, length = 0;
    REQUIRE(std::sscanf(poinsot::version(), "%d.%d.%d%n", &major, &minor, &patch, &length) == 3);
    CHECK(poinsot::version()[length] == '\0');
    CHECK((major >= 0 && minor >= 0 && patch >= 0));
}
