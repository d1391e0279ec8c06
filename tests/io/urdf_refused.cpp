// SPDX-License-Identifier: MIT
// What is wrong with the file of a robot, unlikely, or of no use, is told; and no file is too much.
#include "urdf_texts.hpp"

#include <rapidcheck.h>

#include <clocale>
#include <fstream>

#include <unistd.h>

using namespace poinsot;
using namespace poinsot::urdf_texts;

TEST_CASE("URDF: nothing is ignored in silence")
{
    const UrdfRobot made =
        robot_of(part("a", inertial(1) + "\n<contact/>\n<visual><material name='m'/>"
                                         "<geometry><cone/></geometry></visual>\n") +
                 part("b") +
                 joint("j", "revolute", "a", "b",
                       z_axis + limits +
                           "\n<safety_controller k_velocity='1'/>\n"
                           "<dynamics damping='1' mu='3'/>") +
                 "<gazebo reference='a'/>\n<transmission name='t'/>\nwords\n");
    CHECK(has(made.not_used, 3, "link 'a'", "<contact>"));
    CHECK(has(made.not_used, 4, "link 'a'", "<material>"));
    CHECK(has(made.not_used, 4, "link 'a'", "<cone>"));
    CHECK(has(made.not_used, 8, "joint 'j'", "<safety_controller>"));
    CHECK(has(made.not_used, 9, "joint 'j'", "<dynamics mu=\"3\">"));
    CHECK(has(made.not_used, 10, "robot 'r'", "<gazebo>"));
    CHECK(has(made.not_used, 11, "robot 'r'", "<transmission>"));
    CHECK(has(made.not_used, 1, "robot 'r'", "the text 'words'"));
    CHECK(has(made.not_used, 7, "joint 'j'", "<limit effort= velocity=>"));
    CHECK(made.not_used.size() == 9);
}

TEST_CASE("URDF: what can be and is rarely meant is a warning")
{
    const UrdfRobot made = robot_of(
        part("a", inertial(1, 1)) +
        part("b", inertial(1) + "<collision><geometry><sphere radius='0.04'/></geometry>"
                                "</collision>") +
        part("c", inertial(1) + "<collision><geometry><sphere radius='0.1'/></geometry>"
                                "</collision>") +
        joint("i", "revolute", "a", "b", z_axis + "<limit lower='0.1' upper='1' effort='1'/>") +
        joint("j", "continuous", "a", "c"));
    CHECK(has(made.warnings, 2, "link 'a'", "1 kg m² about every axis"));
    CHECK(has(made.warnings, 3, "link 'b'",
              "its largest moment is 0.01 kg m²; a body of this "
              "mass inside its collision shapes has 0.0016"));
    CHECK(has(made.warnings, 5, "joint 'i'", "no limit of velocity"));
    CHECK(has(made.warnings, 5, "joint 'i'", "starts at 0, outside of its limits 0.1 to 1"));
    CHECK(has(made.warnings, 6, "joint 'j'", "no axis is given"));
    CHECK(made.warnings.size() == 5);
}

TEST_CASE("URDF: every mistake is named with its place and a remedy")
{
    const std::string two = part("a") + part("b");
    const auto j = [](const std::string& inside, const std::string& type = "revolute") {
        return joint("j", type, "a", "b", inside);
    };
    const std::string good = z_axis + limits;
    struct Case {
        std::string inside, place, what;
    };
    const Case cases[] = {
        {"", "1:1", "there is no <link>"},
        {"<link>" + inertial(1) + "</link>", "2:1", "this link needs a name"},
        {"<link name=''>" + inertial(1) + "</link>", "2:7", "this link needs a name"},
        {"<link name='a&#27;b'>" + inertial(1) + "</link>", "2:7", "control character"},
        {part(std::string(300, 'x')), "2:7", "more than 200 characters"},
        {part("a") + part("a"), "3:1", "there is a link of this name in line 2"},
        {part("a", ""), "1:1", "no link has mass"},
        {two + j(good, "hinge"), "4:17", "there is no type 'hinge'"},
        {two + j(good, "revolut"), "4:17", "did you mean 'revolute'?"},
        {two + "<joint name='j'><parent link='a'/><child link='b'/></joint>", "4:1",
         "it needs a type"},
        {two + "<joint name='j' type='fixed'><child link='b'/></joint>", "4:1",
         "it needs a <parent link=\"...\"/>"},
        {two + "<joint name='j' type='fixed'><parent link='a'/><child/></joint>", "4:48",
         "it needs a <child link=\"...\"/>"},
        {part("a") + part("hand") + joint("j", "fixed", "a", "hnad"), "4:55",
         "there is no link 'hnad' to be its child; did you mean 'hand'?"},
        {two + joint("j", "fixed", "a", "a"), "4:1", "joins link 'a' to itself"},
        {two + joint("j", "fixed", "a", "b") + part("c") + joint("j", "fixed", "a", "c"), "6:1",
         "there is a joint of this name in line 4"},
        {two + part("c") + joint("i", "fixed", "a", "b") + joint("j", "fixed", "c", "b"), "6:55",
         "link 'b' is the child of joint 'i' (line 5) already"},
        {two + joint("i", "fixed", "a", "b") + joint("j", "fixed", "b", "a"), "",
         "there is no root: links carry each other in a circle"},
        {two + part("c") + joint("i", "fixed", "c", "b") + joint("j", "fixed", "b", "c"), "",
         "links carry each other in a circle"},
        {two, "3:1", "link 'b' has no parent, and nor has 'a'"},
        {two + j("<origin xyz='0 nan 0'/>" + good), "4:76", "'nan' in xyz"},
        {two + j("<origin rpy='0 inf 0'/>" + good), "4:76", "is infinite"},
        {two + j("<origin xyz='0 0'/>" + good), "4:76", "needs 3 numbers"},
        {two + j("<origin xyz='0 0,5 0'/>" + good), "4:76", "comma"},
        {two + j("<origin xyz='0 1e999 0'/>" + good), "4:76", "beyond what a double can hold"},
        {two + j("<axis xyz='0 0 0'/>" + limits), "4:68", "the axis has no direction"},
        {two + j(z_axis), "4:1", "a revolute joint needs a <limit"},
        {two + j(z_axis, "prismatic"), "4:1", "a prismatic joint needs a <limit"},
        {two + j(z_axis + "<limit lower='1' upper='-1' effort='1' velocity='1'/>"), "4:87",
         "limits are the wrong way round"},
        {two + j(z_axis + "<limit effort='1' velocity='1'/>"), "4:1", "limits leave no room"},
        {two + j(good + "<dynamics damping='-1'/>"), "", "damping must not be negative"},
        {two + j(good + good), "", "a second <axis>"},
        {part("a", inertial(-1)), "2:26", "mass must not be negative, is -1"},
        {part("a", inertial(0, 1)), "2:43", "an inertia but no mass"},
        {part("a", "<inertial><mass value='1'/></inertial>"), "2:16", "needs an <inertia"},
        {part("a", "<inertial/>"), "2:16", "needs a <mass"},
        {part("a", "<inertial><mass/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"
                   "</inertial>"),
         "2:26", "<mass> needs value"},
        {part("a", "<inertial><mass value='1'/><inertia ixx='1'/></inertial>"), "2:43",
         "<inertia> needs izz"},
        {part("a", inertial(1) + "<collision><geometry><sphere radius='-1'/></geometry>"
                                 "</collision>"),
         "", "the radius of a sphere must be positive"},
        {part("a", inertial(1) + "<visual><geometry><box size='1 x 1'/></geometry></visual>"), "",
         "'x' in size=\"1 x 1\" is not a number"},
        {part("a") + "<xacro:macro name='m'/>", "3:1", "write one with `xacro FILE"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.inside);
        const Problems found = problems_of(robot(c.inside));
        REQUIRE(found.any());
        const bool named =
            std::any_of(found.list().begin(), found.list().end(), [&](const Problem& p) {
                return (c.place.empty() || p.place == "r.urdf:" + c.place) && says(p.what, c.what);
            });
        CHECK_MESSAGE(named, found.text());
    }
    // All at once, and none the echo of another.
    const Problems many = problems_of(robot(part("a", inertial(-1)) + part("b", "<inertial/>") +
                                            j("<axis xyz='0 0 0'/>") + part("b")));
    CHECK(many.list().size() == 6);

    CHECK(
        says(problems_of("<sdf/>").text(), "of a URDF file is <robot>; this is a file of another"));
    CHECK(says(problems_of("<robot name='r'>\n<link name='a'>\n</robot>").text(), "r.urdf:3:"));
    CHECK(says(problems_of("<robot name='r' version='2'/>").text(), "version 1.0 is read"));
    const auto missing = read_urdf("no/such.urdf", fixed);
    REQUIRE(!missing);
    CHECK(says(missing.problems().text(), "no/such.urdf: there is no such file"));
}

TEST_CASE("URDF: names may hold markup, numbers do not follow the locale")
{
    const UrdfRobot made = robot_of(part("&lt;b&gt;&amp;&quot;ä", inertial(1.5)));
    CHECK(made.links[0].name == "<b>&\"ä");
    CHECK(made.description.bodies[0].name == "<b>&\"ä");
    const std::string before = std::setlocale(LC_ALL, nullptr);
    std::setlocale(LC_ALL, "de_DE.UTF-8"); // where it is installed
    CHECK(robot_of(part("a", inertial(1.5))).links[0].own.mass == 1.5);
    std::setlocale(LC_ALL, before.c_str());
}

TEST_CASE("URDF: long chains and crowds are read without recursion and in good time")
{
    constexpr int n = 20'000;
    std::string chain, points;
    for (int i = 0; i < n; ++i) {
        chain += part(text_of("l", i));
        points += part(text_of("l", i), i == 0 ? inertial(1) : inertial(0.001, 0));
        if (i > 0) {
            chain +=
                joint(text_of("j", i), "continuous", text_of("l", i - 1), text_of("l", i), z_axis);
            points += joint(text_of("j", i), "fixed", text_of("l", i - 1), text_of("l", i));
        }
    }
    CHECK(robot_of(chain).degrees_of_freedom() == n - 1);
    const UrdfRobot whole = robot_of(points);
    CHECK(whole.description.bodies.size() == 1);
    CHECK(near(whole.description.bodies[0].mass_properties.mass, 1 + 0.001 * (n - 1), 1e-11));
    // A name of a megabyte is not said a thousand times.
    std::string crowd = "<link name='" + std::string(1 << 20, 'x') + "'>";
    for (int i = 0; i < 1000; ++i)
        crowd += "<a/>";
    CHECK(problems_of(robot(crowd + "</link>")).any());
}

TEST_CASE("URDF: no text crashes the reader: it is a robot or has problems with places")
{
    const std::string text =
        robot(part("a") +
              part("b", inertial(1) + "<visual><origin xyz='1 2 3'/><geometry><box "
                                      "size='1 2 3'/></geometry></visual>") +
              part("c", "") + joint("j", "revolute", "a", "b", z_axis + limits) +
              joint("k", "fixed", "b", "c"));
    rc::check([&] {
        std::string changed = text;
        const int times = *rc::gen::inRange(1, 6);
        for (int i = 0; i < times && !changed.empty(); ++i) {
            const auto at = *rc::gen::inRange<std::size_t>(0, changed.size());
            const int how = *rc::gen::inRange(0, 4);
            if (how == 0)
                changed.erase(at, *rc::gen::inRange<std::size_t>(1, 40));
            else if (how == 1)
                changed.insert(
                    at, changed.substr(*rc::gen::inRange<std::size_t>(0, changed.size()), 60));
            else if (how == 2)
                changed[at] = *rc::gen::arbitrary<char>();
            else
                changed.insert(at, *rc::gen::element<std::string>("<", ">", "'", "&", "-", "<link",
                                                                  "1e999", "]]>", "<!--", "\0"));
        }
        const auto made =
            read_urdf_text(changed, "r.urdf", *rc::gen::arbitrary<bool>() ? fixed : floating);
        if (made) {
            RC_ASSERT(bool(made->description.build()));
        } else {
            for (const Problem& p : made.problems().list())
                RC_ASSERT(p.place.starts_with("r.urdf:"));
        }
    });
}
