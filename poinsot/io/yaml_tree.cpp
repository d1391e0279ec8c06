// SPDX-License-Identifier: MIT
#include "poinsot/io/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <sstream>

namespace poinsot {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t deepest_value = 64;
constexpr std::size_t most_values = 5'000'000; // of a file, aliases written out

struct Refused {
    YAML::Mark mark;
    std::string why;
};

/// Builds the tree from the events of the parser. Thrown out of the parser's recursion before it
/// gets deep, since its stack ends with a crash.
class YamlMaker : public YAML::EventHandler {
  public:
    explicit YamlMaker(std::string_view text) : text_(text) {}

    YamlNode root;
    bool any = false;

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override
    {
        YamlNode node = made(mark, YamlNode::Kind::null);
        if (!anchor && !stack_.empty() && stack_.back().node.is_list())
            move_to_dash(node, mark);
        keep(std::move(node), anchor);
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override
    {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end())
            throw Refused{mark, "an alias cannot stand inside what it is an alias of"};
        count(size_of(found->second), mark);
        YamlNode copy = found->second;
        copy.line = mark.line + 1;
        copy.column = mark.column + 1;
        keep(std::move(copy), 0);
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override
    {
        refuse_tag(mark, tag);
        if (tag == "!")
            refuse_open_quote(mark);
        YamlNode node = made(mark, YamlNode::Kind::scalar);
        node.quoted = tag == "!";
        node.text = value;
        keep(std::move(node), anchor);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override
    {
        open(mark, tag, anchor, YamlNode::Kind::list);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override
    {
        open(mark, tag, anchor, YamlNode::Kind::map);
    }
    void OnMapEnd() override { close(); }

  private:
    struct Open {
        YamlNode node;
        YAML::anchor_t anchor;
    };

    static YamlNode made(const YAML::Mark& mark, YamlNode::Kind kind)
    {
        YamlNode node;
        node.kind = kind;
        node.line = mark.line + 1;
        node.column = mark.column + 1;
        return node;
    }
    static std::size_t size_of(const YamlNode& node)
    {
        std::size_t n = 1;
        for (const YamlNode& item : node.items)
            n += size_of(item);
        for (const YamlNode& key : node.keys)
            n += size_of(key);
        return n;
    }
    void count(std::size_t more, const YAML::Mark& mark)
    {
        values_ += more;
        if (values_ > most_values)
            throw Refused{mark, fmt::format("more than {} values, aliases written out: this is not "
                                            "a scene",
                                            most_values)};
    }
    void refuse_tag(const YAML::Mark& mark, const std::string& tag)
    {
        if (!tag.empty() && tag != "?" && tag != "!")
            throw Refused{mark, fmt::format("tag '{}' is not read; remove it", tag)};
    }
    /// A quote that is not closed would swallow what follows, up to the next one or to the end of
    /// the file, where the parser is content with none.
    void refuse_open_quote(const YAML::Mark& mark)
    {
        std::string_view rest = text_.substr(position(mark));
        while (rest.starts_with('&') || rest.starts_with('!')) { // anchors and tags stand before
            rest.remove_prefix(std::min(rest.find_first_of(" \t\r\n"), rest.size()));
            rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
        }
        if (!rest.starts_with('"') && !rest.starts_with('\''))
            return; // a block of text after '|' or '>'
        const char quote = rest.front();
        for (std::size_t i = 1; i < rest.size() && rest[i] != '\n'; ++i) {
            const bool doubled = quote == '\'' && rest.substr(i).starts_with("''");
            if (doubled || (quote == '"' && rest[i] == '\\' && rest.substr(i + 1, 1) != "\n"))
                ++i;
            else if (rest[i] == quote)
                return;
        }
        throw Refused{mark, "a quote that opens here is not closed in this line"};
    }
    /// The parser finds that an item is empty at whatever follows it. The item stands at the last
    /// dash before, with nothing but blanks and comments between.
    void move_to_dash(YamlNode& node, const YAML::Mark& mark)
    {
        const std::size_t at = position(mark);
        for (const std::string_view word : {"~", "null", "Null", "NULL"})
            if (const std::string_view rest = text_.substr(at);
                rest.starts_with(word) &&
                " \t\r\n,]"sv.find(rest.substr(word.size(), 1)) != std::string_view::npos)
                return; // written out
        std::size_t end = at;
        for (int line = mark.line + 1; line > 0; --line) {
            const std::size_t before = text_.substr(0, end).rfind('\n');
            const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
            const std::string_view shown = text_.substr(begin, end - begin);
            const std::size_t first = shown.find_first_not_of(" \t\r");
            if (first != std::string_view::npos && shown[first] != '#') {
                for (std::size_t i = first; i < shown.size(); ++i) {
                    const std::size_t next = shown.find_first_not_of(" \t\r", i + 1);
                    const bool nothing =
                        next == std::string_view::npos || (shown[next] == '#' && next > i + 1);
                    if (shown[i] == '-' && nothing) {
                        node.line = line;
                        node.column = static_cast<int>(i) + 1;
                        return;
                    }
                }
                return; // not an item of a list with dashes
            }
            if (begin == 0)
                return;
            end = begin - 1;
        }
    }
    /// Where the parser is in the text; it does not count a byte order mark.
    std::size_t position(const YAML::Mark& mark) const
    {
        const std::size_t bom = text_.starts_with("\xef\xbb\xbf") ? 3 : 0;
        return std::min(static_cast<std::size_t>(std::max(mark.pos, 0)) + bom, text_.size());
    }
    void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
              YamlNode::Kind kind)
    {
        refuse_tag(mark, tag);
        if (stack_.size() >= deepest_value)
            throw Refused{mark,
                          fmt::format("nested deeper than {} levels: no scene is", deepest_value)};
        stack_.push_back({made(mark, kind), anchor});
    }
    void close()
    {
        Open done = std::move(stack_.back());
        stack_.pop_back();
        keep(std::move(done.node), done.anchor);
    }
    void keep(YamlNode node, YAML::anchor_t anchor)
    {
        count(1, {});
        if (anchor)
            anchors_[anchor] = node;
        if (stack_.empty()) {
            root = std::move(node);
            any = true;
            return;
        }
        YamlNode& parent = stack_.back().node;
        if (parent.is_map() && parent.keys.size() == parent.items.size())
            parent.keys.push_back(std::move(node));
        else {
            // The parser finds that a value is missing at whatever follows it.
            if (parent.is_map() && node.kind == YamlNode::Kind::null) {
                node.line = parent.keys.back().line;
                node.column = parent.keys.back().column;
            }
            parent.items.push_back(std::move(node));
        }
    }

    std::string_view text_;
    std::vector<Open> stack_;
    std::map<YAML::anchor_t, YamlNode> anchors_;
    std::size_t values_ = 0;
};

/// Is a line of a text indented with a tab, which an editor shows as blanks and YAML does not take?
bool indented_by_tab(std::string_view text, int line)
{
    for (; line > 1 && !text.empty(); --line)
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    const std::string_view indent = text.substr(0, text.find_first_not_of(" \t"));
    return indent.find('\t') != std::string_view::npos;
}

/// What the parser's terse messages mean to someone who wrote a file.
std::string remedy_of(const std::string& message)
{
    static constexpr std::array<std::array<const char*, 2>, 9> remedies{{
        {"illegal map value", "a ':' where no value can begin; check the indentation, and quote "
                              "text that contains ': '"},
        {"end of map not found", "is a key indented differently from its neighbours, or a '}' "
                                 "missing?"},
        {"end of sequence not found", "is a list item indented differently, or a ']' missing?"},
        {"end of map flow not found", "a '}' is missing"},
        {"end of sequence flow not found", "a ']' is missing"},
        {"illegal flow end", "a ']' or '}' that was never opened"},
        {"illegal block entry", "a '-' where no list item can begin; check the indentation"},
        {"tab", "indent with spaces, not with tabs"},
        {"the referenced anchor is not defined", "name an anchor that stands above with '&'"},
    }};
    for (const auto& [part, remedy] : remedies)
        if (message.find(part) != std::string::npos)
            return remedy;
    return "check indentation, quotes and brackets";
}

} // namespace

std::optional<std::size_t> first_bad_byte(const std::string& text)
{
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c < 0x80) {
            if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
                return i;
            ++i;
            continue;
        }
        const std::size_t more = c >= 0xf0 && c < 0xf5   ? 3
                                 : c >= 0xe0 && c < 0xf0 ? 2
                                 : c >= 0xc2 && c < 0xe0 ? 1
                                                         : 0;
        if (more == 0 || i + more >= text.size())
            return i;
        for (std::size_t k = 1; k <= more; ++k)
            if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80)
                return i;
        if (c == 0xc2 && static_cast<unsigned char>(text[i + 1]) < 0xa0)
            return i; // control characters beyond ASCII, which terminals obey too
        i += more + 1;
    }
    return std::nullopt;
}

std::string place_of(std::string_view file, int line, int column)
{
    return fmt::format("{}:{}:{}", file, line, column);
}

std::string quoted_line(std::string_view text, int line, int column)
{
    return Lines(text).quoted(line, column);
}

Lines::Lines(std::string_view text) : text_(text), begins_{0}
{
    for (std::size_t i = 0; (i = text.find('\n', i)) != std::string_view::npos;)
        begins_.push_back(++i);
}

std::string Lines::quoted(int line, int column) const
{
    const auto index = static_cast<std::size_t>(std::max(line, 1) - 1);
    if (index >= begins_.size())
        return "";
    const std::size_t end = index + 1 < begins_.size() ? begins_[index + 1] - 1 : text_.size();
    std::string_view shown = text_.substr(begins_[index], end - begins_[index]);
    auto mark = static_cast<std::size_t>(std::max(column, 1) - 1);
    if (shown.empty() || mark > shown.size())
        return "";
    if (mark > 60) { // a window of a long line
        shown.remove_prefix(mark - 40);
        mark = 40;
    }
    std::string line_text(shown.substr(0, 90));
    std::replace(line_text.begin(), line_text.end(), '\t', ' ');
    std::replace(line_text.begin(), line_text.end(), '\r', ' ');
    const std::string number = std::to_string(line);
    return fmt::format("  {} | {}\n  {:{}} | {:{}}^", number, line_text, "", number.size(), "",
                       mark);
}

std::string visible(std::string_view text)
{
    std::string shown;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
        if (c < 0x20 || c == 0x7f)
            shown += fmt::format("\\x{:02x}", c);
        else if (c == 0xc2 && next >= 0x80 && next < 0xa0) { // U+0080 to U+009F, in UTF-8
            shown += fmt::format("\\x{:02x}", next);
            ++i;
        } else
            shown += text[i];
    }
    return shown;
}

Result<YamlNode> parse_yaml(const std::string& text, const std::string& file)
{
    Problems found;
    const auto refuse = [&](int line, int column, const std::string& why) {
        const std::string quote = quoted_line(text, line, column);
        found.add(place_of(file, line, column), why, quote.empty() ? "" : "\n", quote);
    };
    if (const auto bad = first_bad_byte(text)) {
        const std::string before = text.substr(0, *bad);
        const auto line = 1 + std::count(before.begin(), before.end(), '\n');
        const std::size_t begin =
            before.rfind('\n') == std::string::npos ? 0 : before.rfind('\n') + 1;
        found.add(place_of(file, static_cast<int>(line), static_cast<int>(*bad - begin) + 1),
                  fmt::format("byte 0x{:02x} is not text in UTF-8; a scene is a YAML or JSON file",
                              static_cast<unsigned char>(text[*bad])));
        return found;
    }
    YamlMaker maker(text);
    try {
        std::istringstream in(text);
        YAML::Parser parser(in);
        parser.HandleNextDocument(maker);
        const bool one = maker.any;
        YamlMaker second(text);
        if (parser.HandleNextDocument(second) && second.any &&
            second.root.kind != YamlNode::Kind::null)
            refuse(second.root.line, second.root.column,
                   "a second document begins here; a scene is one document: remove the '---'");
        else if (!one || maker.root.kind == YamlNode::Kind::null)
            found.add(place_of(file, 1, 1), "there is nothing in this file; a scene has at least "
                                            "'bodies:' or 'particles:'");
    } catch (const Refused& refused) {
        if (refused.mark.is_null() || refused.mark.line < 0)
            found.add(place_of(file, 1, 1), refused.why);
        else
            refuse(refused.mark.line + 1, refused.mark.column + 1, refused.why);
    } catch (const YAML::Exception& e) {
        const int line = std::max(e.mark.line, 0) + 1;
        const bool tab = indented_by_tab(text, line) || indented_by_tab(text, line - 1);
        refuse(line, std::max(e.mark.column, 0) + 1,
               "not valid YAML: " + e.msg + "; " + remedy_of(tab ? "tab" : e.msg));
    }
    if (found.any())
        return found;
    return std::move(maker.root);
}

} // namespace poinsot
