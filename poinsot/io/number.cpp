// SPDX-License-Identifier: MIT
#include "poinsot/io/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <numeric>

namespace poinsot {

namespace {

std::string lower(std::string_view text)
{
    std::string small(text);
    for (char& c : small)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return small;
}
bool digit(char c)
{
    return c >= '0' && c <= '9';
}

/// Why text is no decimal number; what a user most likely meant comes first.
std::string why_no_number(std::string_view text)
{
    std::string plain = lower(text);
    if (!plain.empty() && (plain.front() == '-' || plain.front() == '+'))
        plain.erase(0, 1);
    if (plain == ".nan" || plain == "nan")
        return "is not a number; give a finite one";
    if (plain == ".inf" || plain == "inf" || plain == "infinity")
        return "is infinite; give a finite number";
    if (plain.starts_with("0x") || plain.starts_with("0o") || plain.starts_with("0b"))
        return "is not a decimal number; write it in decimal digits";
    const bool numeric = !plain.empty() && (digit(plain.front()) || plain.front() == '.');
    if (numeric && plain.find('_') != std::string::npos)
        return "has an underscore in it; write the digits together";
    if (numeric && plain.find(',') != std::string::npos)
        return "has a comma in it; write a decimal point, and digits together";
    if (numeric && plain.find_first_not_of("0123456789.e+-") != std::string::npos)
        return "is not a plain number; leave units and formulas out: lengths are m, masses kg, "
               "times s";
    return "is not a number";
}

} // namespace

std::string_view trimmed(std::string_view text, std::string_view blanks)
{
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

ParsedNumber parse_number(std::string_view text)
{
    std::string_view digits = text;
    if (!digits.empty() && digits.front() == '+')
        digits.remove_prefix(1);
    // from_chars takes words (inf, nan) and a second sign too: only digits and a point may begin.
    const std::string_view bare =
        !digits.empty() && digits.front() == '-' && digits.size() == text.size() ? digits.substr(1)
                                                                                 : digits;
    if (bare.empty() || !(digit(bare.front()) || bare.front() == '.'))
        return {std::nullopt, why_no_number(text)};
    if (bare.size() > 1 && bare[0] == '0' && digit(bare[1]))
        return {std::nullopt, "begins with a zero, which some read as octal; leave the zero out"};
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (end != digits.data() + digits.size() || error == std::errc::invalid_argument)
        return {std::nullopt, why_no_number(text)};
    if (error == std::errc::result_out_of_range)
        return {std::nullopt, "is beyond what a double can hold (1e-308 to 1.7e308)"};
    if (!std::isfinite(value))
        return {std::nullopt, "is not finite"};
    return {value, ""};
}

ParsedNumber parse_angle(std::string_view text)
{
    text = trimmed(text);
    double unit = 1;
    if (text.ends_with("deg") || text.ends_with("rad")) {
        unit = text.ends_with("deg") ? std::numbers::pi / 180 : 1;
        text = trimmed(text.substr(0, text.size() - 3));
    }
    ParsedNumber parsed = parse_number(text);
    if (parsed.value)
        *parsed.value *= unit;
    else if (!text.empty() && digit(text.front()))
        parsed.problem = "is not an angle; write radians, or degrees as '30 deg'";
    return parsed;
}

std::string exact(double value)
{
    std::string text = fmt::format("{}", value);
    // A mark that it is a real number, so that every reader keeps it one.
    if (text.find_first_not_of("-0123456789") == std::string::npos)
        text += ".0";
    return text;
}

std::string nearest_word(std::string_view word, const std::vector<std::string_view>& known)
{
    // Levenshtein's distance, neighbouring letters exchanged counting once.
    const auto distance = [](std::string_view a, std::string_view b) {
        std::vector<std::vector<std::size_t>> d(a.size() + 1,
                                                std::vector<std::size_t>(b.size() + 1));
        for (std::size_t i = 0; i <= a.size(); ++i)
            d[i][0] = i;
        std::iota(d[0].begin(), d[0].end(), 0u);
        for (std::size_t i = 1; i <= a.size(); ++i)
            for (std::size_t j = 1; j <= b.size(); ++j) {
                d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1,
                                    d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                    d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
            }
        return d[a.size()][b.size()];
    };
    const std::string small = lower(word.substr(0, 64)); // the cost grows with the square
    std::string best;
    std::size_t least = std::max<std::size_t>(2, small.size() / 2) + 1;
    for (const std::string_view candidate : known) {
        const std::size_t d = distance(small, lower(candidate.substr(0, 64)));
        if (d < least && d < candidate.size()) {
            least = d;
            best = candidate;
        }
    }
    return best;
}

} // namespace poinsot
