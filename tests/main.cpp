// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT
#include "near.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>

namespace poinsot {

std::filesystem::path tests_folder()
{
    return POINSOT_TESTS_FOLDER;
}

nlohmann::json read_json(const std::filesystem::path& file)
{
    std::ifstream in(file);
    REQUIRE_MESSAGE(in.good(), file);
    return nlohmann::json::parse(in);
}

} // namespace poinsot

int main(int argc, char** argv)
{
    setenv("RC_PARAMS", "seed=1834", 0); // RapidCheck's dice fall alike in every run, unless told
    return doctest::Context(argc, argv).run();
}
