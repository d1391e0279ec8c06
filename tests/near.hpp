// SPDX-License-Identifier: MIT
#pragma once

// What all tests share: comparing numbers, finding reference data, skipping with a reason.

#include <doctest/doctest.h>
#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <sstream>

namespace poinsot {

/// The outcome of a comparison; a failed CHECK prints its numbers.
struct Nearness {
    double a, b, allowed;

    explicit operator bool() const
    {
        return a == b || std::abs(a - b) <= allowed; // false for NaN
    }
};

inline std::ostream& operator<<(std::ostream& out, const Nearness& n)
{
    std::ostringstream text;
    text.precision(17);
    text << n.a << " and " << n.b;
    text.precision(3);
    text << " differ by " << std::abs(n.a - n.b) << ", allowed " << n.allowed;
    return out << text.str();
}

/// |a − b| ≤ relative · max(|a|, |b|, scale). The scale is the size of the terms that were summed
/// to make a and b: without it a sum that cancels to zero can never be near zero.
inline Nearness near(double a, double b, double relative, double scale = 0)
{
    return {a, b, relative * std::max({std::abs(a), std::abs(b), scale})};
}

/// Where the tests are; only one object knows, so that the others are the same in every checkout.
std::filesystem::path tests_folder();

/// A file of tests/reference.
inline std::filesystem::path reference(const std::filesystem::path& file)
{
    return tests_folder() / "reference" / file;
}

/// What a file holds, which must be there.
nlohmann::json read_json(const std::filesystem::path& file);

/// A file of outside truth that is not kept with the code: in the folder that the environment
/// variable POINSOT_REFERENCE names, else beside the checkout. Empty when it is not there.
inline std::optional<std::filesystem::path> outside(const std::filesystem::path& file)
{
    const char* named = std::getenv("POINSOT_REFERENCE");
    const std::filesystem::path found =
        (named ? std::filesystem::path(named) : tests_folder() / "../../shared/reference/outside") /
        file;
    if (std::filesystem::exists(found))
        return found;
    return std::nullopt;
}

} // namespace poinsot

/// Leaves the test case and says why. Checks that failed before still count as failed.
#define SKIP_TEST(reason)                                                                          \
    do {                                                                                           \
        std::cout << "SKIPPED: " << (reason) << std::endl;                                         \
        return;                                                                                    \
    } while (false)
