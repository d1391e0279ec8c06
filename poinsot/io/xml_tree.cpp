// SPDX-License-Identifier: MIT
#include "poinsot/io/xml_tree.hpp"

#include "poinsot/io/number.hpp"

#include "poinsot/io/yaml_tree.hpp"

#include <fmt/format.h>
#include <pugixml.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>

namespace poinsot {

namespace {

constexpr int deepest_element = 64;
constexpr std::size_t most_elements = 1'000'000;
constexpr std::string_view blanks = " \t\r\n";

std::string why_malformed(pugi::xml_parse_status status)
{
    switch (status) {
    case pugi::status_end_element_mismatch:
        return "an element is closed that was not opened, or one is left open; close every "
               "<element> with </element> or />";
    case pugi::status_bad_attribute:
    case pugi::status_bad_start_element:
        return "an element does not go on as it must; write attributes as name=\"value\"";
    case pugi::status_no_document_element:
        return "there is no element in this file";
    case pugi::status_bad_comment:
        return "a comment is not closed; end it with -->";
    case pugi::status_bad_doctype:
        return "a document type is not closed; leave it out";
    case pugi::status_unrecognized_tag:
        return "'<' does not begin an element here; write &lt; for the sign itself";
    case pugi::status_out_of_memory:
        return "there is not enough memory to read it";
    default:
        return "the text does not go on as it must; check for a tag that is not closed";
    }
}

class XmlMaker {
  public:
    XmlMaker(const std::string& text, const std::string& file)
        : text_(text), file_(file), lines_(text)
    {
        begins_.push_back(0);
        for (std::size_t i = 0; i < text.size(); ++i)
            if (text[i] == '\n')
                begins_.push_back(i + 1);
    }

    Result<XmlNode> make();

  private:
    struct Place {
        int line, column;
    };
    Place place(std::size_t offset) const
    {
        const auto next = std::upper_bound(begins_.begin(), begins_.end(), offset);
        return {static_cast<int>(next - begins_.begin()),
                static_cast<int>(offset - *(next - 1)) + 1};
    }
    template <class... Parts>
    void problem(std::size_t offset, const Parts&... parts)
    {
        tell(place(std::min(offset, text_.size())), text_of(parts...));
    }
    void tell(const Place& at, const std::string& what)
    {
        const std::string quote = lines_.quoted(at.line, at.column);
        found_.add(place_of(file_, at.line, at.column), visible(what), quote.empty() ? "" : "\n",
                   quote);
    }

    /// Where a node begins in the text; pugixml knows where its name does.
    static std::size_t offset_of(const pugi::xml_node& node)
    {
        const std::ptrdiff_t at = node.offset_debug();
        return at > 0 ? static_cast<std::size_t>(at) - (node.type() == pugi::node_element) : 0;
    }
    void read_attributes(const pugi::xml_node& from, XmlNode& node);
    void read_element(const pugi::xml_node& from, XmlNode& node, int depth);
    void look_at_top(const pugi::xml_document& document);

    const std::string& text_;
    const std::string& file_;
    Lines lines_;
    std::vector<std::size_t> begins_; // of each line
    Problems found_;
    std::size_t elements_ = 0;
    bool refused_ = false; // too deep or too many: said once
};

// pugixml does not keep where attributes stand. In a tag it has accepted they follow one another as
// name = "value", so one walk along it finds them all.
void XmlMaker::read_attributes(const pugi::xml_node& from, XmlNode& node)
{
    std::set<std::string_view> seen;
    const std::string_view text = text_;
    std::size_t at = offset_of(from) + 1 + std::strlen(from.name());
    for (const pugi::xml_attribute& a : from.attributes()) {
        at = std::min(text.find_first_not_of(blanks, at), text.size());
        const Place here = place(at);
        if (!seen.insert(a.name()).second)
            problem(at, "attribute '", a.name(), "' stands twice in <", from.name(),
                    ">; leave one out");
        else
            node.attributes.push_back({a.name(), a.value(), here.line, here.column});
        const std::size_t opens = text.find_first_of("\"'", at);
        const std::size_t closes =
            opens < text.size() ? text.find(text[opens], opens + 1) : std::string_view::npos;
        at = closes < text.size() ? closes + 1 : text.size();
    }
}

void XmlMaker::read_element(const pugi::xml_node& from, XmlNode& node, int depth)
{
    const Place here = place(offset_of(from));
    node.name = from.name();
    node.line = here.line;
    node.column = here.column;
    if (++elements_ > most_elements || depth > deepest_element) {
        if (!refused_)
            problem(offset_of(from),
                    depth > deepest_element
                        ? text_of("nested deeper than ", deepest_element, " levels")
                        : text_of("more than ", most_elements, " elements"),
                    ": no model is");
        refused_ = true;
    }
    if (refused_)
        return;
    read_attributes(from, node);
    for (const pugi::xml_node& child : from.children()) {
        if (child.type() == pugi::node_element)
            read_element(child, node.children.emplace_back(), depth + 1);
        else if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
            node.text += child.value();
    }
    node.text = trimmed(node.text, blanks);
}

void XmlMaker::look_at_top(const pugi::xml_document& document)
{
    bool root_seen = false;
    for (const pugi::xml_node& child : document.children()) {
        const std::size_t at = offset_of(child);
        if (child.type() == pugi::node_declaration) {
            std::string encoding = child.attribute("encoding").value();
            std::transform(encoding.begin(), encoding.end(), encoding.begin(), [](char c) {
                return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
            });
            if (!encoding.empty() && encoding != "utf-8" && encoding != "us-ascii" &&
                encoding != "ascii")
                problem(at, "the encoding is '", encoding,
                        "'; only UTF-8 is read: save the file as that, and say so here");
        } else if (child.type() == pugi::node_doctype) {
            if (std::strchr(child.value(), '[') != nullptr)
                problem(at, "a document type with declarations of its own is not read, and no "
                            "entity is expanded; write its entities out and leave it out");
        } else if (child.type() == pugi::node_element) {
            if (root_seen)
                problem(at, "a second root <", child.name(), "> begins here; a file has one");
            root_seen = true;
        }
    }
}

Result<XmlNode> XmlMaker::make()
{
    if (const auto bad = first_bad_byte(text_)) {
        const Place at = place(*bad);
        found_.add(place_of(file_, at.line, at.column),
                   fmt::format("byte 0x{:02x} is not text in UTF-8; this must be an XML file",
                               static_cast<unsigned char>(text_[*bad])));
        return found_;
    }
    pugi::xml_document document;
    constexpr unsigned how = pugi::parse_default | pugi::parse_declaration | pugi::parse_doctype;
    const pugi::xml_parse_result parsed =
        document.load_buffer(text_.data(), text_.size(), how, pugi::encoding_utf8);
    if (!parsed) {
        problem(static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0)),
                "not valid XML: ", why_malformed(parsed.status));
        return found_;
    }
    look_at_top(document);
    XmlNode root;
    read_element(document.document_element(), root, 1);
    if (found_.any())
        return found_;
    return root;
}

} // namespace

const XmlAttribute* XmlNode::attribute(std::string_view called) const
{
    for (const XmlAttribute& a : attributes)
        if (a.name == called)
            return &a;
    return nullptr;
}

Result<std::string> read_text(const std::filesystem::path& path, std::size_t largest,
                              std::string_view kind)
{
    Problems found;
    const auto refuse = [&](const auto&... why) {
        found.add(visible(path.string()), why...);
        return found;
    };
    std::error_code error;
    const auto type = std::filesystem::status(path, error).type();
    if (type == std::filesystem::file_type::not_found)
        return refuse("there is no such file; check the path");
    if (type == std::filesystem::file_type::directory)
        return refuse("is a directory; name ", kind, " in it");
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    std::string text, part(1 << 16, '\0');
    while (in && text.size() <= largest) { // a device may have no end
        in.read(part.data(), static_cast<std::streamsize>(part.size()));
        text.append(part.data(), static_cast<std::size_t>(in.gcount()));
    }
    if (!in && !in.eof())
        return refuse("cannot be read: ", std::strerror(errno ? errno : EIO),
                      "; check that you may read it");
    if (text.size() > largest)
        return refuse("has more than ", largest, " bytes: ", kind, " has not");
    return text;
}

Result<XmlNode> parse_xml(const std::string& text, const std::string& file)
{
    if (text.starts_with("\xef\xbb\xbf")) // a mark of UTF-8 that some editors put first
        return parse_xml(text.substr(3), file);
    return XmlMaker(text, file).make();
}

} // namespace poinsot
