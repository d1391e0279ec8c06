// SPDX-License-Identifier: MIT
#pragma once

// A YAML or JSON text as a tree that knows where everything stands. Only what a data file needs:
// no tags, one document, aliases written out (up to a limit), nothing nested deeper than 64 levels.

#include "poinsot/base/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poinsot {

struct YamlNode {
    enum class Kind { null, scalar, list, map };
    Kind kind = Kind::null;
    int line = 1, column = 1;
    bool quoted = false;         // a scalar in quotes is text, whatever it looks like
    std::string text;            // of a scalar
    std::vector<YamlNode> items; // of a list; the values of a map
    std::vector<YamlNode> keys;  // of a map, in the order of `items`, duplicates kept

    bool is_map() const { return kind == Kind::map; }
    bool is_list() const { return kind == Kind::list; }
    bool is_scalar() const { return kind == Kind::scalar; }
};

/// "scene.yaml:12:5".
std::string place_of(std::string_view file, int line, int column);
/// The line of a text that a problem speaks of, with a mark under the column; empty if there is
/// none.
std::string quoted_line(std::string_view text, int line, int column);

/// The same for many problems of one text, which need not be searched from its beginning each time.
class Lines {
  public:
    explicit Lines(std::string_view text);
    std::string quoted(int line, int column) const;

  private:
    std::string_view text_;
    std::vector<std::size_t> begins_; // of each line
};

/// Where text stops being text: a control character, or bytes that are not UTF-8.
std::optional<std::size_t> first_bad_byte(const std::string& text);

/// Text with its control characters written as escapes, so that a terminal shows and does not obey
/// them.
std::string visible(std::string_view text);

/// The only document of a text, or the first thing wrong with it.
Result<YamlNode> parse_yaml(const std::string& text, const std::string& file);

} // namespace poinsot
