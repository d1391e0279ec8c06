// SPDX-License-Identifier: MIT
#include "poinsot/base/version.hpp"
#include "near.hpp"

#include <regex>
#include <string>

TEST_CASE("Version: three numbers with dots between them")
{
    CHECK(
        std::regex_match(std::string(poinsot::version()), std::regex("[0-9]+[.][0-9]+[.][0-9]+")));
}
