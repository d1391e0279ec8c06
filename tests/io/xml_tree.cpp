// SPDX-License-Identifier: MIT
#include "poinsot/io/xml_tree.hpp"
#include "near.hpp"

#include <fstream>

#include <unistd.h>

using namespace poinsot;

namespace {

std::string first_problem(const std::string& text)
{
    const auto read = parse_xml(text, "f.xml");
    return read ? std::string() : read.problems().text();
}
bool says(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("XML: elements and attributes know their line and column")
{
    const auto root = parse_xml("<?xml version='1.0'?>\n<a x=\"1\">\n  <b\n    y = '2 &lt; 3'\n"
                                "    z=\"4\"/>  some\n text <!--- no --> </a>\n",
                                "f.xml");
    REQUIRE(root);
    CHECK(root->name == "a");
    CHECK(root->line == 2);
    CHECK(root->column == 1);
    CHECK(root->attribute("x")->column == 4);
    CHECK(root->text == "some\n text");
    REQUIRE(root->children.size() == 1);
    const XmlNode& b = root->children[0];
    CHECK(b.line == 3);
    CHECK(b.column == 3);
    REQUIRE(b.attribute("y"));
    CHECK(b.attribute("y")->value == "2 < 3");
    CHECK(b.attribute("y")->line == 4);
    CHECK(b.attribute("z")->line == 5);
    CHECK(b.attribute("z")->column == 5);
    CHECK(!b.attribute("x"));
}

TEST_CASE("XML: a mark of UTF-8 at the beginning moves no place")
{
    const auto root = parse_xml("\xef\xbb\xbf<a><b/></a>", "f.xml");
    REQUIRE(root);
    CHECK(root->column == 1);
    CHECK(root->children[0].column == 4);
}

TEST_CASE("XML: what is malformed is named with line, column and remedy")
{
    CHECK(says(first_problem("<a>\n  <b>\n</a>"), "f.xml:3:"));
    CHECK(says(first_problem("<a>\n  <b x=1/>\n</a>"), "f.xml:2:"));
    CHECK(says(first_problem("<a><!-- open"), "comment is not closed"));
    CHECK(says(first_problem("<a>\n<b x='1' y='2' x='3'/></a>"),
               "f.xml:2:16: attribute 'x' stands twice"));
    CHECK(says(first_problem("<a/>\n<b/>"), "f.xml:2:1: a second root"));
    CHECK(says(first_problem(""), "no element"));
    CHECK(says(first_problem("just words"), "no element"));
    CHECK(says(first_problem(std::string("<a>\0</a>", 8)), "f.xml:1:4: byte 0x00"));
    CHECK(says(first_problem("<a>\xff</a>"), "byte 0xff"));
    CHECK(says(first_problem("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a/>"), "only UTF-8"));
    CHECK(first_problem("<?xml version=\"1.0\" encoding=\"utf-8\"?><a/>").empty());
    CHECK(first_problem("<!DOCTYPE a SYSTEM 'a.dtd'><a/>").empty());
}

TEST_CASE("XML: an entity bomb is refused and does not explode")
{
    std::string bomb = "<?xml version='1.0'?>\n<!DOCTYPE r [\n<!ENTITY e0 'ha'>\n";
    for (int i = 1; i < 30; ++i)
        bomb += text_of("<!ENTITY e", i, " '&e", i - 1, ";&e", i - 1, ";'>\n");
    CHECK(says(first_problem(bomb + "]>\n<r>&e29;</r>"), "no entity is expanded"));
    CHECK(says(first_problem("<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/hostname'>]>"
                             "<r>&x;</r>"),
               "no entity is expanded"));
}

TEST_CASE("XML: deep and crowded files are refused without a crash")
{
    std::string deep, crowded = "<r>";
    for (int i = 0; i < 1'000'000; ++i)
        deep += "<a>";
    CHECK(says(first_problem(deep), "f.xml:1:")); // never closed
    for (int i = 0; i < 1'000'000; ++i)
        deep += "</a>";
    CHECK(says(first_problem(deep), "nested deeper than 64 levels"));
    for (int i = 0; i < 1'000'001; ++i)
        crowded += "<a/>";
    CHECK(says(first_problem(crowded + "</r>"), "more than 1000000 elements"));
}

TEST_CASE("Text files: missing, folders, secrets and endless ones are refused by name")
{
    const auto why = [](const std::filesystem::path& path, std::size_t largest) {
        const auto text = read_text(path, largest, "an XML file");
        return text ? std::string() : text.problems().text();
    };
    const auto folder = std::filesystem::temp_directory_path();
    CHECK(says(why(folder / "poinsot-none.xml", 10), "there is no such file"));
    CHECK(says(why(folder, 10), "is a directory; name an XML file in it"));
    CHECK(says(why("/dev/zero", 1 << 20), "more than 1048576 bytes"));
    const auto file = folder / text_of("poinsot-text-", getpid());
    std::ofstream(file) << "0123456789";
    CHECK(why(file, 10).empty());
    CHECK(says(why(file, 9), "more than 9 bytes"));
    std::filesystem::permissions(file, std::filesystem::perms::none);
    if (geteuid() != 0)
        CHECK(says(why(file, 10), "cannot be read"));
    std::filesystem::remove(file);
}
