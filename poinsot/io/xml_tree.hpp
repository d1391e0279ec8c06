// SPDX-License-Identifier: MIT
#pragma once

// An XML text as a tree that knows where everything stands, through pugixml. Only what a data file
// needs: UTF-8, one root, the five entities of XML itself, nothing nested deeper than 64 levels. A
// document type with declarations of its own is refused, so that no entity stands unexpanded where
// a number should be, and none is expanded.

#include "poinsot/base/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace poinsot {

struct XmlAttribute {
    std::string name, value;
    int line = 1, column = 1; // of its name
};

struct XmlNode {
    std::string name; // of the element; prefix:name where it has a prefix
    int line = 1, column = 1;
    std::vector<XmlAttribute> attributes; // in the order of the file
    std::vector<XmlNode> children;        // elements
    std::string text;                     // what stands between them, blanks at both ends removed

    const XmlAttribute* attribute(std::string_view called) const;
};

/// Files larger than this are refused: no model is.
inline constexpr std::size_t largest_xml = std::size_t{16} << 20;

/// The text of a file, or why it cannot be read: missing, a folder, not allowed, more than
/// `largest` bytes. `kind` says what it should be: "a URDF file".
Result<std::string> read_text(const std::filesystem::path& path, std::size_t largest,
                              std::string_view kind);

/// The root of a text, or what is wrong with it. What pugixml finds is the first fault only;
/// attributes given twice are all named.
Result<XmlNode> parse_xml(const std::string& text, const std::string& file);

} // namespace poinsot
