// SPDX-License-Identifier: MIT
#pragma once

// Numbers from text, strictly and the same in every locale: what a user typed is either a finite
// number or named as what it is.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poinsot {

/// Without the blanks at either end.
std::string_view trimmed(std::string_view text, std::string_view blanks = " ");

struct ParsedNumber {
    std::optional<double> value;
    std::string problem; // "is not a finite number"; empty where there is a value
};

/// A decimal number, all of the text: 12, -0.5, +1e-3. No hexadecimal, no underscores, no units.
ParsedNumber parse_number(std::string_view text);
/// A number in radians, or one followed by `deg` or `rad`.
ParsedNumber parse_angle(std::string_view text);

/// The shortest text that reads back to the same bits.
std::string exact(double value);

/// The one of `known` nearest to a misspelt word, by the number of letters to change; empty if none
/// is near.
std::string nearest_word(std::string_view word, const std::vector<std::string_view>& known);

} // namespace poinsot
