// SPDX-License-Identifier: MIT
#include "poinsot/io/mesh_digits.hpp"

#include "poinsot/io/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <sstream>
#include <string_view>

namespace poinsot {

namespace {

using Words = std::vector<std::string_view>;

void split(std::string_view line, Words& words)
{
    words.clear();
    constexpr std::string_view blanks = " \t\r\v\f";
    for (std::size_t i = line.find_first_not_of(blanks); i != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(blanks, i), line.size());
        words.push_back(line.substr(i, end - i));
        i = line.find_first_not_of(blanks, end);
    }
}

/// Numbers as programs print them: 1, -0.5, +1e-3, 007; a tiny one may be nought.
bool read_number(std::string_view word, double& into)
{
    if (word.starts_with('+') && !word.starts_with("+-"))
        word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), into);
    return error == std::errc() && end == word.data() + word.size() && std::isfinite(into);
}
bool read_numbers(std::span<const std::string_view> words, std::span<double> into)
{
    for (std::size_t i = 0; i < into.size(); ++i)
        if (i >= words.size() || !read_number(words[i], into[i]))
            return false;
    return true;
}

// ---- PLY ----------------------------------------------------------------------------------------

/// The table of vertices, which programs write first: its rows and the numbers of each.
struct PlyTable {
    std::string format;
    std::uint64_t rows = 0;
    std::vector<std::string> types;
    std::array<std::size_t, 3> axes{}; // which of the numbers are x, y and z, counted from one
};

/// None where something else comes first, or a row has a list in it.
std::optional<PlyTable> read_header(std::istream& in)
{
    PlyTable table;
    std::string line, word, type, name;
    int elements = 0;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        word.clear();
        words >> word;
        if (word == "end_header") {
            const auto& [x, y, z] = table.axes;
            return x > 0 && y > 0 && z > 0 ? std::optional(table) : std::nullopt;
        }
        if (word == "format")
            words >> table.format;
        if (word == "element" && ++elements == 1 &&
            (!(words >> name >> table.rows) || name != "vertex"))
            return std::nullopt;
        if (word == "property" && elements == 1) {
            if (!(words >> type >> name) || type == "list")
                return std::nullopt;
            table.types.push_back(type);
            if (name.size() == 1 && name[0] >= 'x' && name[0] <= 'z')
                table.axes[static_cast<std::size_t>(name[0] - 'x')] = table.types.size();
        }
    }
    return std::nullopt;
}

/// Numbers of a binary file, in either order of bytes.
class BinaryNumbers {
  public:
    BinaryNumbers(std::istream& in, bool little)
        : in_(in), swapped_(little != (std::endian::native == std::endian::little))
    {
    }
    std::optional<double> next(const std::string& type)
    {
        if (type == "char" || type == "int8")
            return as<std::int8_t>();
        if (type == "uchar" || type == "uint8")
            return as<std::uint8_t>();
        if (type == "short" || type == "int16")
            return as<std::int16_t>();
        if (type == "ushort" || type == "uint16")
            return as<std::uint16_t>();
        if (type == "int" || type == "int32")
            return as<std::int32_t>();
        if (type == "uint" || type == "uint32")
            return as<std::uint32_t>();
        if (type == "float" || type == "float32")
            return as<float>();
        if (type == "double" || type == "float64")
            return as<double>();
        return std::nullopt;
    }

  private:
    std::istream& in_;
    bool swapped_;

    template <class Number>
    std::optional<double> as()
    {
        char bytes[sizeof(Number)];
        if (!in_.read(bytes, sizeof bytes))
            return std::nullopt;
        if (swapped_)
            std::reverse(std::begin(bytes), std::end(bytes));
        Number number;
        std::memcpy(&number, bytes, sizeof number);
        return static_cast<double>(number);
    }
};

} // namespace

std::optional<FileVertices> vertices_of_ply(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    const auto table = read_header(in);
    if (!table)
        return std::nullopt;
    const bool text = table->format == "ascii";
    BinaryNumbers bytes(in, table->format == "binary_little_endian");
    FileVertices found;
    std::vector<double> row(table->types.size());
    std::string line;
    Words words;
    while (found.at.size() < table->rows) {
        if (text) {
            if (!std::getline(in, line))
                return std::nullopt;
            split(line, words);
            if (words.empty())
                continue;
            if (!read_numbers(words, row))
                return std::nullopt;
        } else
            for (std::size_t i = 0; i < row.size(); ++i) {
                const auto number = bytes.next(table->types[i]);
                if (!number)
                    return std::nullopt;
                row[i] = *number;
            }
        const auto& [x, y, z] = table->axes;
        found.at.push_back({row[x - 1], row[y - 1], row[z - 1]});
    }
    return found;
}

// ---- OBJ ----------------------------------------------------------------------------------------

std::optional<FileVertices> vertices_of_obj(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    FileVertices found;
    std::string line;
    Words words;
    bool goes_on = false; // the line before ended with a backslash
    while (std::getline(in, line)) {
        const std::string_view said = std::string_view(line).substr(0, line.find('#'));
        const bool vertex = !goes_on && (said.starts_with("v ") || said.starts_with("v\t"));
        goes_on = trimmed(line, " \t\r").ends_with('\\');
        if (!vertex) {
            found.numbered += line;
            found.numbered += '\n';
            continue;
        }
        // v x y z, with a weight that divides all three, or with a colour
        double r[4] = {0, 0, 0, 1};
        split(said, words);
        const std::size_t numbers = words.size() - 1;
        if (goes_on || (numbers != 3 && numbers != 4 && numbers != 6) ||
            !read_numbers(std::span(words).subspan(1), std::span(r, numbers == 4 ? 4 : 3)) ||
            r[3] == 0)
            return std::nullopt;
        const std::size_t k = found.at.size();
        const Vec3<double> at{r[0] / r[3], r[1] / r[3], r[2] / r[3]};
        fmt::format_to(std::back_inserter(found.numbered), "v {:.9g} {:.9g} {:.9g} {} {} 0\n", at.x,
                       at.y, at.z, k / vertices_to_a_red, k % vertices_to_a_red);
        found.at.push_back(at);
    }
    return found;
}

// ---- STL ----------------------------------------------------------------------------------------

bool is_binary_stl(const std::filesystem::path& file)
{
    constexpr std::uintmax_t head = 80, triangle = 50;
    std::ifstream in(file, std::ios::binary);
    std::uint32_t count = 0;
    in.seekg(head);
    in.read(reinterpret_cast<char*>(&count), sizeof count);
    std::error_code error;
    return in && std::filesystem::file_size(file, error) == head + sizeof count + triangle * count;
}

std::optional<FileVertices> vertices_of_ascii_stl(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    FileVertices found;
    std::string line;
    Words words;
    while (std::getline(in, line)) {
        split(line, words);
        if (words.empty() || words[0] != "vertex")
            continue;
        double r[3];
        if (words.size() != 4 || !read_numbers(std::span(words).subspan(1), r))
            return std::nullopt;
        found.at.push_back({r[0], r[1], r[2]});
    }
    return found;
}

} // namespace poinsot
