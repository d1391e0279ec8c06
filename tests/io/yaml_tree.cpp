// SPDX-License-Identifier: MIT
#include "poinsot/io/yaml_tree.hpp"

#include "near.hpp"

using namespace poinsot;

TEST_CASE("Every node knows its line and column")
{
    const auto tree = parse_yaml("a: 1\nb:\n  - x\n  - {c: 'two words'}\n", "f");
    REQUIRE(tree);
    REQUIRE(tree->is_map());
    const YamlNode& list = tree->items[1];
    CHECK(tree->keys[1].text == "b");
    CHECK(tree->keys[1].line == 2);
    CHECK(list.items[0].line == 3);
    CHECK(list.items[0].column == 5);
    const YamlNode& words = list.items[1].items[0];
    CHECK(words.text == "two words");
    CHECK(words.quoted);
    CHECK(words.line == 4);
    CHECK(words.column == 9);
}

TEST_CASE("An empty item of a list stands at its dash")
{
    const auto place = [](const std::string& text, std::size_t item) {
        const auto tree = parse_yaml(text, "f");
        REQUIRE(tree);
        REQUIRE(tree->items[0].items.size() > item);
        const YamlNode& node = tree->items[0].items[item];
        CHECK(node.kind == YamlNode::Kind::null);
        return std::pair(node.line, node.column);
    };
    using Place = std::pair<int, int>;
    CHECK(place("a:\n  - 1\n  -\n  - 2\n", 1) == Place(3, 3));
    CHECK(place("a:\n  - 1\n  - # a - # b\n\n  # - c\n  - 2\n", 1) == Place(3, 3));
    CHECK(place("a:\n  - 1\n  -\nnext: 2\n", 1) == Place(3, 3));
    CHECK(place("a:\n  - 1\n  -", 1) == Place(3, 3));
    CHECK(place("a:\n  - 1\n  - \n\n\n", 1) == Place(3, 3));
    CHECK(place("a:\r\n  -\r\n  - 2\r\n", 0) == Place(2, 3));
    CHECK(place("\xef\xbb\xbf"
                "ä:\n  -\n  - 2\n",
                0) == Place(2, 3));
    // Those that are written out stand where they are.
    CHECK(place("a:\n  - 1\n  - ~\n", 1) == Place(3, 5));
    CHECK(place("a:\n  - 1\n  - null\n", 1) == Place(3, 5));
    CHECK(place("a: [-1, ~]\n", 1) == Place(1, 9));
    const auto nested = parse_yaml("a:\n  - - 1\n    -\n  - -\n  - 2\n", "f");
    REQUIRE(nested);
    const YamlNode &inner = nested->items[0].items[0].items[1],
                   &only = nested->items[0].items[1].items[0];
    CHECK(inner.line == 3);
    CHECK(inner.column == 5);
    CHECK(only.line == 4);
    CHECK(only.column == 5);
}

TEST_CASE("Duplicate keys are kept for the reader to see")
{
    const auto tree = parse_yaml("a: 1\na: 2\n", "f");
    REQUIRE(tree);
    CHECK(tree->keys.size() == 2);
}

TEST_CASE("An alias stands for what it names, up to a limit")
{
    const auto tree = parse_yaml("a: &x [1, 2]\nb: *x\n", "f");
    REQUIRE(tree);
    CHECK(tree->items[1].items.size() == 2);
    CHECK(tree->items[1].line == 2);
    CHECK(!parse_yaml("a: &x [*x]\n", "f"));
}

TEST_CASE("The tree is 64 levels deep and no more")
{
    const auto nested = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
    CHECK(parse_yaml(nested(64), "f"));
    const auto deep = parse_yaml(nested(65), "f");
    REQUIRE(!deep);
    CHECK(deep.problems().list()[0].place == "f:1:65");
    CHECK(!parse_yaml(std::string(10'000'000, '['), "f"));
    CHECK(!parse_yaml(std::string(10'000'000, '{'), "f"));
}

TEST_CASE("Text that is not UTF-8 is refused where it begins not to be")
{
    CHECK(parse_yaml("a: \"Brüls, ω, 🎯\"\n", "f"));
    for (const std::string bad : {"\x80", "\xc0\xaf", "\xff\xfe", "\xe2\x82", "\x01", "\x7f"}) {
        const auto tree = parse_yaml("a: b\nc: " + bad, "f");
        REQUIRE(!tree);
        CHECK(tree.problems().list()[0].place == "f:2:4");
    }
}

TEST_CASE("a quote is closed in its line")
{
    for (const char* open : {"a: \"b\nc: d\n", "a: 'b\nc: d\n", "a: &x 'b\n\n  c'\n"}) {
        const auto tree = parse_yaml(open, "f");
        REQUIRE(!tree);
        CHECK(tree.problems().list()[0].place == "f:1:4");
    }
    for (const char* closed : {"a: \"b\\\"\"\n", "a: 'b''c'\n", "a: |\n  'b\n",
                               "\xef\xbb\xbf"
                               "a: 'b'\n"})
        CHECK(parse_yaml(closed, "f"));
}

TEST_CASE("control characters are shown, not obeyed")
{
    CHECK(visible("a\x1b[0m\n") == "a\\x1b[0m\\x0a");
    CHECK(visible("\xc2\x9b") == "\\x9b");
    CHECK(visible("é m²") == "é m²");
}

TEST_CASE("A problem quotes its line, and a window of a long one")
{
    CHECK(quoted_line("a: 1\nbb: 2\n", 2, 5) == "  2 | bb: 2\n    |     ^");
    CHECK(quoted_line("a: 1\n", 7, 1).empty());
    CHECK(quoted_line("a: 1\n", 1, 70).empty());
    const std::string long_line(100000, 'x');
    CHECK(quoted_line(long_line, 1, 50000).size() < 200);
}
