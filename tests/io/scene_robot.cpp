// SPDX-License-Identifier: MIT
// Robots in scene files: where they stand, how they start, what they are called, what is refused.

#include "near.hpp"
#include "poinsot/io/scene.hpp"
#include "poinsot/io/urdf.hpp"

#include <fstream>

#include <unistd.h>

using namespace poinsot;

namespace {

using V3 = Vec3<double>;

const std::filesystem::path scenes = tests_folder() / "../scenes";

Scene read(const std::string& text, const std::filesystem::path& folder = scenes)
{
    auto scene = read_scene_text(text, (folder / "test.yaml").string());
    REQUIRE_MESSAGE(scene, (scene ? "" : scene.problems().text()));
    return std::move(*scene);
}
std::string arm(const std::string& keys)
{
    return "robots:\n  - {name: r, file: robots/arm.urdf, " + keys + "}\n";
}
const Body& body(const Scene& scene, const std::string& name)
{
    for (const Body& one : scene.model->bodies())
        if (one.name == name)
            return one;
    FAIL(name);
    return scene.model->bodies().front();
}
const Joint& joint(const Scene& scene, const std::string& name)
{
    for (const Joint& one : scene.description.joints)
        if (one.name == name)
            return one;
    FAIL(name);
    return scene.description.joints.front();
}

/// Is there one problem, at this line and column of the scene and with these words?
bool refused(const std::string& text, const std::string& at, const char* words)
{
    const auto scene = read_scene_text(text, (scenes / "f").string());
    if (scene)
        return false;
    const std::string told = scene.problems().text();
    const bool as_expected = scene.problems().list().size() == 1 &&
                             told.find("f:" + at + ": ") != std::string::npos &&
                             told.find(words) != std::string::npos;
    if (!as_expected)
        MESSAGE(told);
    return as_expected;
}

/// A folder with one robot, gone at the end.
struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / text_of("poinsot_robot_", ::getpid());
    explicit Folder(const std::string& robot)
    {
        std::filesystem::create_directories(path);
        std::ofstream(path / "r.urdf") << robot;
    }
    ~Folder() { std::filesystem::remove_all(path); }
};

} // namespace

TEST_CASE("A robot stands where it is put and starts where its joints say")
{
    // A quarter turn about z, and the shoulder level: the arm of 0.4 m points along the world's y.
    const Scene scene =
        read(arm("base: fixed, position: [1, 2, 3], orientation: {axis: [0, 0, 1], "
                 "angle: 90 deg}, joints: {shoulder: {start: 90 deg, speed: 2.0}}"));
    const V3 shoulder{1, 2, 3.3};
    CHECK(near(norm(body(scene, "r/upper_arm").pose.x - shoulder), 0, 1e-15, 4));
    CHECK(near(norm(body(scene, "r/forearm").pose.x - (shoulder + V3{0, 0.4, 0})), 0, 1e-15, 4));
    CHECK(near(norm(body(scene, "r/foot").pose.x - V3{1, 2, 3}), 0, 1e-15, 4));
    // The arm turns about the joint's y, which is −x of the world, at 2 rad/s.
    CHECK(near(norm(body(scene, "r/forearm").angular_velocity - V3{-2, 0, 0}), 0, 1e-15, 2));
    CHECK(scene.run.step.formulation == Formulation::reduced);
    CHECK(scene.robots.size() == 1);
    CHECK(scene.robots[0].name == "r");
}

TEST_CASE("What mimics a joint starts with it")
{
    const Scene scene = read(arm("base: fixed, joints: {grip: {start: 0.03, speed: 0.1}}"));
    CHECK(joint(scene, "r/other_grip").start == std::vector{0.03});
    CHECK(joint(scene, "r/other_grip").start_speed == std::vector{0.1});
    REQUIRE(scene.description.gears.size() == 1);
    const Gear& gear = scene.description.gears[0];
    CHECK(gear.name == "r/mimic of other_grip");
    const auto of = [&](int j) { return scene.description.joints[static_cast<std::size_t>(j)]; };
    CHECK(of(gear.joint_1).name == "r/other_grip");
    CHECK(of(gear.joint_2).name == "r/grip");
}

TEST_CASE("A floating robot moves as one body where its joints have no speed")
{
    const Scene scene = read(arm("base: floating, position: [0, 0, 1], velocity: [1, 0, 0], "
                                 "angular_velocity: [0, 0, 2], joints: {elbow: {start: 1.0}}"));
    for (const Body& one : scene.model->bodies()) {
        INFO(one.name);
        CHECK(near(norm(one.angular_velocity - V3{0, 0, 2}), 0, 1e-14, 2));
        const V3 center = place(one.pose, one.mass_properties.center);
        CHECK(near(norm(one.velocity - (V3{1, 0, 0} + cross(V3{0, 0, 2}, center - V3{0, 0, 1}))), 0,
                   1e-14, 2));
    }
}

TEST_CASE("What a scene says of a robot's joint replaces what the file says")
{
    const Scene scene = read(arm("base: fixed, joints: {elbow: {limits: [~, 3.0], damping: 0.7, "
                                 "armature: 0.1, motor: {type: force, target: 2.0}}}"));
    const CoordinateLaw& elbow = joint(scene, "r/elbow").laws.at(0);
    CHECK(elbow.lower == -std::numeric_limits<double>::infinity());
    CHECK(elbow.upper == 3.0);
    CHECK(elbow.damping == 0.7);
    CHECK(elbow.armature == 0.1);
    CHECK(elbow.motor->target.value == 2.0);
    const CoordinateLaw& shoulder = joint(scene, "r/shoulder").laws.at(0);
    CHECK(shoulder.lower == -2.6);
    CHECK(shoulder.damping == 0.5);
}

TEST_CASE("Robots stand beside other things, which find their parts by name")
{
    const std::string text =
        "bodies: [{name: box, box: [1, 1, 1], mass: 2, position: [5, 0, 0]}]\n"
        "robots:\n"
        "  - {name: a, file: robots/arm.urdf, base: fixed}\n"
        "  - {name: b, file: robots/arm.urdf, base: floating, position: [2, 0, "
        "0]}\n"
        "particles: [{name: dot, mass: 1, position: [0, 9, 0]}]\n"
        "springs: [{from: a/forearm, to: b/forearm, stiffness: 10, "
        "rest_length: 1}]\n"
        "loads: [{body: b/foot, force: [0, 0, 1]}]\n"
        "joints: [{type: ball, bodies: [b/left_finger, box], at: [4.5, 0, 0]}]\n"
        "gears: [{joints: [a/turn, b/turn], ratio: 2.0}]\n"
        "ledger: {about: a/foot}\n";
    const Scene scene = read(text);
    CHECK(scene.model->bodies().size() == 14);
    CHECK(scene.description.joints.size() == 12); // a is welded to the world
    CHECK(scene.description.gears.size() == 3);
    // As written by its parts it is the same scene, to the bit.
    const Scene again = read(write_scene(scene));
    CHECK(identity_of(again) == identity_of(scene));
    CHECK(again.robots.empty());
    for (std::size_t i = 0; i < scene.model->bodies().size(); ++i)
        CHECK(scene.model->bodies()[i].pose.x == again.model->bodies()[i].pose.x);
}

TEST_CASE("A joint that has the name of a link has another one in a scene")
{
    const std::string mass = "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' "
                             "iyz='0' izz='1'/></inertial>";
    const Folder folder("<robot name='r'><link name='a'>" + mass + "</link><link name='wrist'>" +
                        mass + "</link><joint name='wrist' type='continuous'><parent link='a'/>" +
                        "<child link='wrist'/></joint></robot>");
    const Scene scene =
        read("robots: [{name: r, file: r.urdf, base: fixed, joints: {wrist: {start: 1.0}}}]\n",
             folder.path);
    CHECK(joint(scene, "r/wrist joint").start == std::vector{1.0});
    CHECK(identity_of(read(write_scene(scene))) == identity_of(scene));
    auto alone = read_urdf(folder.path / "r.urdf", UrdfOptions(UrdfBase::fixed));
    REQUIRE(alone);
    const auto whole = scene_of(*alone);
    REQUIRE(whole);
    CHECK(joint(*whole, "wrist joint").start == std::vector{0.0});
    CHECK(identity_of(read(whole->text)) == identity_of(*whole));
}

TEST_CASE("A robot alone is a scene under gravity, unless it starts where it cannot be")
{
    auto robot = read_urdf(scenes / "robots/arm.urdf", UrdfOptions(UrdfBase::fixed));
    REQUIRE(robot);
    const auto scene = scene_of(*robot);
    REQUIRE(scene);
    CHECK(scene->model->gravity().uniform == V3{0, 0, -9.81});
    CHECK(scene->title == "arm");
    robot->start_at(*robot->joint("elbow"), 3, 0);
    const auto outside = scene_of(*robot);
    REQUIRE_FALSE(outside);
    CHECK(outside.problems().text().find("elbow") != std::string::npos);
}

TEST_CASE("What is wrong with a robot is told where it is written")
{
    const std::string fixed = "base: fixed, ";
    CHECK(refused("robots: [{name: r, base: fixed}]\n", "1:10", "needs 'file'"));
    CHECK(refused("robots: [{file: robots/arm.urdf, base: fixed}]\n", "1:10", "name"));
    CHECK(refused(arm("position: [0, 0, 0]"), "2:5", "base"));
    CHECK(refused(arm("base: loose"), "2:44", "Known are: fixed, floating"));
    CHECK(refused("robots: [{name: r, file: none.urdf, base: fixed}]\n", "1:26",
                  "there is no file '"));
    CHECK(refused(arm(fixed + "velocity: [1, 0, 0]"), "2:61", "the base is fixed"));
    CHECK(refused(arm(fixed + "angular_velocity: [1, 0, 0]"), "2:69", "the base is fixed"));
    CHECK(refused(arm(fixed + "orientation: [2, 0, 0, 0]"), "2:64", "its norm is 2"));
    CHECK(refused(arm(fixed + "colour: red"), "2:51", "colour"));
    CHECK(refused(arm(fixed + "joints: [elbow]"), "2:59", "must be a map of joints"));
    CHECK(refused(arm(fixed + "joints: {elbwo: {start: 1}}"), "2:60", "did you mean 'elbow'?"));
    CHECK(refused(arm(fixed + "joints: {elbow: {strat: 1}}"), "2:68", "strat"));
    CHECK(refused(arm(fixed + "joints: {elbow: {start: far}}"), "2:75", "start"));
    CHECK(refused(arm(fixed + "joints: {elbow: {start: 3.0}}"), "2:67",
                  "joint 'r/elbow': starts at 3, outside"));
    CHECK(refused(arm(fixed + "joints: {elbow: {motor: {type: velocity, target: 1, gain: -1}}}"),
                  "2:109", "joint 'r/elbow': motor gain"));
    CHECK(refused(arm(fixed + "joints: {tool_frame: {start: 1}}"), "2:72", "no single coordinate"));
    CHECK(refused(arm(fixed + "joints: {other_grip: {start: 0.01}}"), "2:80", "mimics 'grip'"));
    CHECK(refused(arm(fixed + "joints: {elbow: {start: 1}, elbow: {start: 2}}"), "2:79",
                  "duplicate"));
    CHECK(refused(arm(fixed) + "  - {name: r, file: robots/arm.urdf, base: fixed}\n", "3:12",
                  "duplicate name 'r'"));
    CHECK(refused("robots: [{name: r, file: none.urdf, base: fixed}]\n"
                  "loads: [{body: r/foot, force: [0, 0, 1]}]\n",
                  "1:26", "there is no file '"));
    CHECK(refused(arm(fixed) + "loads: [{body: r/fot, force: [0, 0, 1]}]\n", "3:16",
                  "did you mean 'r/foot'?"));
    CHECK(refused(arm(fixed) + "particles: [{name: r, mass: 1}]\n", "3:20", "duplicate name 'r'"));
    CHECK(refused("bodies: [{name: r/foot, box: [1, 1, 1], mass: 1}]\n" + arm(fixed), "3:5",
                  "its body would have the name 'r/foot' of the body in line 1"));
    CHECK(refused(arm(fixed) + "joints: [{name: r/elbow, type: ball, bodies: [world, r/forearm], "
                               "at: [0, 0, 0.7], closes_loop: true}]\n",
                  "3:17", "duplicate name 'r/elbow'"));
}

TEST_CASE("What is wrong with the file of a robot is told of that file")
{
    const Folder folder("<robot name='r'><link name='a'><inertial><mass value='-1'/></inertial>"
                        "</link></robot>");
    const auto scene = read_scene_text("robots: [{name: r, file: r.urdf, base: fixed}]\n",
                                       (folder.path / "s.yaml").string());
    REQUIRE_FALSE(scene);
    for (const Problem& p : scene.problems().list())
        CHECK(p.place.find("r.urdf:1:") != std::string::npos);
    // A folder is no robot, a scene is none, and neither is a file of itself.
    for (const char* name : {".", "s.yaml"}) {
        std::ofstream(folder.path / "s.yaml") << "robots: [{name: r, file: s.yaml, base: fixed}]\n";
        const auto other =
            read_scene_text(text_of("robots: [{name: r, file: ", name, ", base: fixed}]\n"),
                            (folder.path / "s.yaml").string());
        CHECK_FALSE(other);
    }
}
