// SPDX-License-Identifier: MIT
#include "poinsot/io/number.hpp"

#include "near.hpp"

#include <bit>
#include <clocale>
#include <cstdint>
#include <random>

using namespace poinsot;

TEST_CASE("A number is written so that it reads back to the same bits")
{
    std::mt19937_64 dice(1);
    for (int i = 0; i < 20000; ++i) {
        const double value = std::bit_cast<double>(dice());
        if (!std::isfinite(value))
            continue;
        const ParsedNumber back = parse_number(exact(value));
        REQUIRE(back.value);
        CHECK(std::bit_cast<std::uint64_t>(*back.value) == std::bit_cast<std::uint64_t>(value));
    }
    CHECK(exact(1) == "1.0"); // a real number stays one for every reader
    CHECK(std::signbit(*parse_number(exact(-0.0)).value));
}

TEST_CASE("A number is decimal, finite and alone")
{
    for (const char* good :
         {"0", "1", "-1", "+1", "1.5", ".5", "5.", "1e3", "1E-3", "-0.0", "1e308"})
        CHECK_MESSAGE(parse_number(good).value.has_value(), good);
    for (const char* bad :
         {"",      " 1",     "1 ",     "0x10", "0b1", "1_000", "1,5",    "nan", ".nan", "-inf",
          "1e400", "-1e400", "1e-400", "1e",   "--1", "+-1",   "-+1",    "01",  "-007", "1f",
          "1.2.3", "e5",     ".",      "-",    "+",   "1 2",   "30 deg", "1\n"}) {
        const ParsedNumber parsed = parse_number(bad);
        CHECK_MESSAGE(!parsed.value.has_value(), bad);
        CHECK_MESSAGE(!parsed.problem.empty(), bad);
    }
    CHECK(parse_number("1e400").problem.find("double can hold") != std::string::npos);
}

TEST_CASE("Numbers do not depend on the locale")
{
    const char* before = std::setlocale(LC_ALL, nullptr);
    const std::string kept = before ? before : "C";
    for (const char* other : {"de_DE.UTF-8", "fr_FR.UTF-8"}) // where they exist
        std::setlocale(LC_ALL, other);
    CHECK(*parse_number("1.5").value == 1.5);
    CHECK(exact(1.5) == "1.5");
    std::setlocale(LC_ALL, kept.c_str());
}

TEST_CASE("An angle is in radians unless it says deg")
{
    CHECK(*parse_angle("0.5").value == 0.5);
    CHECK(*parse_angle("0.5 rad").value == 0.5);
    CHECK(near(*parse_angle("180 deg").value, 3.14159265358979323846, 1e-16));
    CHECK(near(*parse_angle("-90deg").value, -1.57079632679489661923, 1e-16));
    for (const char* bad : {"deg", "30 degrees", "30 grad", "", "x deg"})
        CHECK_MESSAGE(!parse_angle(bad).value.has_value(), bad);
}

TEST_CASE("A misspelt word is told its nearest neighbour")
{
    const std::vector<std::string_view> known{"mass", "inertia", "position", "velocity",
                                              "center_of_mass"};
    CHECK(nearest_word("mas", known) == "mass");
    CHECK(nearest_word("mss", known) == "mass");
    CHECK(nearest_word("posiiton", known) == "position"); // neighbours exchanged
    CHECK(nearest_word("Velocity", known) == "velocity");
    CHECK(nearest_word("centre_of_mass", known) == "center_of_mass");
    CHECK(nearest_word("zzzzzz", known) == "");
    CHECK(nearest_word(std::string(100000, 'a'), known) == "");
}
