// SPDX-License-Identifier: MIT
// Robots from URDF: joints, masses, bases, welds, mimics and geometry mean what the file says.
#include "urdf_texts.hpp"

#include <rapidcheck.h>

#include <fstream>

#include <unistd.h>

using namespace poinsot;
using namespace poinsot::urdf_texts;

TEST_CASE("URDF: a coordinate turns or slides the child by it along the axis of the file")
{
    rc::check([] {
        const auto number = [] { return *rc::gen::inRange(-3000, 3001) / 1000.0; };
        Vec3<double> axis{number(), number(), number()};
        RC_PRE(norm(axis) > 0.01);
        const Vec3<double> xyz{number(), number(), number()}, rpy{number(), number(), number()};
        const double q = number();
        const bool slides = *rc::gen::arbitrary<bool>();
        const auto words = [](const Vec3<double>& a) { return text_of(a.x, " ", a.y, " ", a.z); };
        // Twelve digits are what text_of writes of a number: read it back as the file has it.
        UrdfRobot made = robot_of(
            part("a") + part("b") +
            joint("j", slides ? "prismatic" : "revolute", "a", "b",
                  "<origin xyz='" + words(xyz) + "' rpy='" + words(rpy) + "'/><axis xyz='" +
                      words(axis) + "'/><limit lower='-9' upper='9' effort='1' velocity='1'/>"));
        axis = 1 / norm(axis) * axis;
        const auto turn = [](double angle, const Vec3<double>& about) {
            return exp_matrix(angle * about);
        };
        const Mat3<double> R_0 =
            turn(rpy.z, {0, 0, 1}) * turn(rpy.y, {0, 1, 0}) * turn(rpy.x, {1, 0, 0});
        made.description.joints.back().start = {q};
        const auto model = made.description.build();
        RC_ASSERT(bool(model));
        const Pose<double> X = pose_of(*made.link("b"), *model);
        const Mat3<double> R = slides ? R_0 : R_0 * turn(q, axis);
        const Vec3<double> x = slides ? xyz + R_0 * (q * axis) : xyz;
        const Mat3<double> off = matrix_of(X.q) - R;
        // A dozen products of numbers of size one.
        RC_ASSERT(norm(off.r0) + norm(off.r1) + norm(off.r2) < 1e-14);
        RC_ASSERT(norm(X.x - x) < 1e-14);
    });
}

TEST_CASE("URDF: every type of joint has its kind, coordinates, laws and place")
{
    const UrdfRobot made =
        robot_of(part("a") + part("b") + part("c") + part("d") + part("e") + part("f") +
                 joint("turn", "continuous", "a", "b",
                       "<axis xyz='0 -2 0'/><dynamics damping='0.5' friction='0.25'/>") +
                 joint("slide", "prismatic", "b", "c",
                       z_axis + "<limit lower='-0.1' upper='0.2' effort='5' velocity='2'/>") +
                 joint("still", "fixed", "c", "d", "<origin xyz='0 0 1'/>") +
                 joint("plane", "planar", "d", "e", z_axis) +
                 joint("loose", "floating", "e", "f", "<origin xyz='1 2 3'/>"));
    const std::vector<Joint>& j = made.description.joints;
    REQUIRE(j.size() == 6);
    CHECK(j[0].name == "world to a");
    CHECK(j[0].kind == JointKind::weld);
    CHECK(j[1].kind == JointKind::revolute);
    CHECK(j[1].laws[0].damping == 0.5);
    CHECK(j[1].laws[0].friction == 0.25);
    CHECK(std::isinf(j[1].laws[0].upper));
    CHECK(j[2].kind == JointKind::prismatic);
    CHECK(j[2].laws[0].lower == -0.1);
    CHECK(j[2].laws[0].upper == 0.2);
    CHECK(j[3].kind == JointKind::weld);
    CHECK(j[4].kind == JointKind::planar);
    CHECK(j[4].start.size() == 3);
    CHECK(j[5].kind == JointKind::free);
    CHECK(made.degrees_of_freedom() == 1 + 1 + 3 + 6);
    CHECK(made.joint("slide")->effort == 5.0);
    CHECK(made.joint("slide")->velocity == 2.0);
    CHECK(made.description.bodies[5].pose.x == Vec3<double>{1, 2, 4});
    CHECK(has(made.warnings, 8, "joint 'turn'", "its axis has length 2"));
    CHECK(made.joint("turn")->axis == Vec3<double>{0, -1, 0});
}

TEST_CASE("URDF: the inertia is turned from its own axes into those of the link")
{
    const UrdfRobot made =
        robot_of(part("a", "<inertial><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>"
                           "<mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='2' iyz='0' "
                           "izz='2.5'/></inertial>"));
    const MassProperties& m = made.description.bodies[0].mass_properties;
    CHECK(m.mass == 2);
    CHECK(m.center == Vec3<double>{1, 2, 3});
    CHECK(near(m.inertia.xx, 2, 1e-15));
    CHECK(near(m.inertia.yy, 1, 1e-15));
    CHECK(near(m.inertia.zz, 2.5, 1e-15));
    CHECK(near(m.inertia.xy, 0, 1e-15, 1));
}

TEST_CASE("URDF: a fixed base is welded to the world, a floating one is not")
{
    const std::string heavy = part("a") + part("b") + joint("j", "continuous", "a", "b", z_axis);
    CHECK(robot_of(heavy, fixed).description.joints.size() == 2);
    CHECK(robot_of(heavy, fixed).degrees_of_freedom() == 1);
    CHECK(robot_of(heavy, floating).description.joints.size() == 1);
    CHECK(robot_of(heavy, floating).degrees_of_freedom() == 7);

    // A root without mass is the world itself.
    const std::string light =
        part("a", "") + part("b") + joint("j", "continuous", "a", "b", z_axis);
    const UrdfRobot grounded = robot_of(light, fixed);
    REQUIRE(grounded.description.joints.size() == 1);
    CHECK(grounded.description.joints[0].a == world);
    CHECK(grounded.link("a")->fate == UrdfLink::Fate::frame);
    CHECK(grounded.link("a")->frame->body == world);
    const std::string why = problems_of(robot(light), floating).text();
    CHECK(says(why, "r.urdf:2:1: link 'a' has no mass"));
    CHECK(says(why, "floats and carries links that have mass"));

    // Fixed to something with mass it is a frame of that, and may float.
    const std::string dressed =
        part("a", "") + part("b") + joint("j", "fixed", "a", "b", "<origin xyz='0 0 2'/>");
    const UrdfRobot floats = robot_of(dressed, floating);
    CHECK(floats.description.joints.empty());
    CHECK(floats.link("a")->frame->body == 0);
    CHECK(floats.link("a")->frame->pose.x == Vec3<double>{0, 0, -2});
    CHECK(floats.description.bodies[0].pose.x == Vec3<double>{0, 0, 2});
}

TEST_CASE("URDF: links without mass are frames, are left out, or are a problem")
{
    const UrdfRobot made = robot_of(
        part("a") + part("hand", "") + part("b") + part("tip", inertial(0, 0)) + part("flag", "") +
        part("pole", "") + joint("wrist", "continuous", "a", "hand", z_axis) +
        joint("grip", "fixed", "hand", "b", "<origin xyz='0 0 1'/>") +
        joint("end", "fixed", "b", "tip", "<origin xyz='0 1 0'/>") +
        joint("spin", "continuous", "b", "pole", z_axis) + joint("hoist", "fixed", "pole", "flag"));
    CHECK(made.description.bodies.size() == 2);
    // The joint moves b, whose frame is a metre above that of the link without mass.
    const Joint& wrist = made.description.joints.back();
    CHECK(wrist.name == "wrist");
    CHECK(wrist.b == 1);
    CHECK(wrist.frame_b.x == Vec3<double>{0, 0, -1});
    CHECK(made.link("hand")->frame->pose.x == Vec3<double>{0, 0, -1});
    CHECK(made.link("tip")->frame->body == 1);
    CHECK(made.link("tip")->frame->pose.x == Vec3<double>{0, 1, 0});
    CHECK(says(made.link("tip")->why, "its mass is 0; a frame fixed to 'b'"));
    CHECK(made.link("pole")->fate == UrdfLink::Fate::left_out);
    CHECK(says(made.link("pole")->why, "moves nothing that has mass"));
    CHECK(made.link("flag")->fate == UrdfLink::Fate::left_out);
    CHECK(made.joint("spin")->joint == UrdfJoint::none);
    CHECK(says(made.joint("spin")->why, "left out: it moves nothing that has mass"));

    const std::string why = problems_of(robot(part("a") + part("gimbal", "") + part("b") +
                                              joint("j", "continuous", "a", "gimbal", z_axis) +
                                              joint("k", "continuous", "gimbal", "b", z_axis)))
                                .text();
    CHECK(says(why, "r.urdf:3:1: link 'gimbal' has no mass (it has no <inertial>), moves by joint "
                    "'j' and carries links that have mass"));
    CHECK(says(why, "or make the joint fixed"));
}

TEST_CASE("URDF: an inertia that no body has is joined with what it is fixed to, else refused")
{
    // A placeholder at the root, a point mass at the end.
    const std::string placeholder =
        "<inertial><mass value='1e-6'/><inertia ixx='1e-6' ixy='1e-6' ixz='1e-6' iyy='1e-6' "
        "iyz='1e-6' izz='1e-6'/></inertial>";
    const std::string parts = part("base", placeholder) + part("trunk", inertial(5, 1)) +
                              part("weight", inertial(2, 0)) + part("lamp", inertial(1, 0.5)) +
                              joint("i", "fixed", "base", "trunk") +
                              joint("j", "fixed", "trunk", "weight", "<origin xyz='0 0 1'/>") +
                              joint("k", "fixed", "trunk", "lamp", "<origin xyz='0 1 0'/>");
    const UrdfRobot made = robot_of(parts, floating);
    REQUIRE(made.description.bodies.size() == 2);
    const MassProperties& m = made.description.bodies[0].mass_properties;
    CHECK(made.description.bodies[0].name == "base");
    CHECK(near(m.mass, 7.000001, 1e-15));
    CHECK(near(m.center.z, 2 / 7.000001, 1e-15));
    // Two bodies as one: their own, and (5 · 2/7) d² across the line between them.
    CHECK(near(m.inertia.xx, 1 + 10.0 / 7, 1e-5)); // 1e-6 of 7 kg is the placeholder
    CHECK(near(m.inertia.zz, 1, 1e-5));
    CHECK(made.link("trunk")->fate == UrdfLink::Fate::joined);
    CHECK(made.link("weight")->fate == UrdfLink::Fate::joined);
    CHECK(made.link("weight")->frame->pose.x == Vec3<double>{0, 0, 1});
    CHECK(made.description.joints.size() == 1);
    CHECK(has(made.warnings, 2, "link 'base'", "no body has its inertia"));
    CHECK(has(made.warnings, 4, "link 'weight'", "it is a point"));
    CHECK(has(made.warnings, 2, "link 'base'", "placeholder?"));

    const std::string alone =
        problems_of(robot(part("a") + part("b", inertial(1, 0)) +
                          joint("j", "continuous", "a", "b", z_axis) +
                          part("c", "\n<inertial><mass value='1'/><inertia ixx='1' ixy='0' "
                                    "ixz='0' iyy='1' iyz='0' izz='3'/></inertial>") +
                          joint("k", "continuous", "a", "c", z_axis)))
            .text();
    CHECK(says(alone, "r.urdf:3:16: link 'b': it is a point: its inertia is zero; give it the"));
    CHECK(says(alone, "r.urdf:6:1: link 'c': no body has its inertia: principal moments 1, 1, 3"));
}

TEST_CASE("URDF: welded, merged and locked robots weigh and stand alike")
{
    const std::string parts =
        part("a", inertial(3)) + part("b", inertial(2)) + part("c", inertial(1)) + part("f", "") +
        joint("i", "fixed", "a", "b", "<origin xyz='1 0 0' rpy='0.1 0.2 0.3'/>") +
        joint("elbow", "revolute", "b", "c", "<origin xyz='0 1 0'/>" + z_axis + limits) +
        joint("k", "fixed", "c", "f", "<origin xyz='0 0 1'/>");
    const UrdfRobot welded = robot_of(parts, floating);
    UrdfOptions merge = floating, lock = floating, both = floating;
    merge.merge_fixed = both.merge_fixed = true;
    lock.locks = both.locks = {{"elbow", 0.5}};
    const UrdfRobot merged = robot_of(parts, merge), locked = robot_of(parts, lock),
                    one = robot_of(parts, both);
    CHECK(welded.description.bodies.size() == 3);
    CHECK(welded.degrees_of_freedom() == 7);
    CHECK(merged.description.bodies.size() == 2);
    CHECK(merged.degrees_of_freedom() == 7);
    CHECK(locked.description.bodies.size() == 3);
    CHECK(locked.description.joints.back().kind == JointKind::weld);
    CHECK(locked.degrees_of_freedom() == 6);
    CHECK(one.description.bodies.size() == 1);
    CHECK(one.description.joints.empty());
    CHECK(says(merged.link("b")->why, "joined with it, as asked"));
    CHECK(says(locked.joint("elbow")->why, "locked at 0.5"));

    Builder moved_there = welded.description;
    moved_there.joints.back().start = {0.5};
    const auto truth = moved_there.build();
    REQUIRE(truth);
    const Pose<double> tip = pose_of(*welded.link("f"), *truth);
    for (const UrdfRobot* other : {&locked, &one}) {
        const auto model = other->description.build();
        REQUIRE(model);
        check_near(whole_of(*model).center, whole_of(*truth).center, 1e-15, 1);
        CHECK(whole_of(*model).m == 6);
        const Pose<double> X = pose_of(*other->link("f"), *model);
        check_near(X.x, tip.x, 1e-15, 2);
        check_near(matrix_of(X.q), matrix_of(tip.q), 1e-15);
    }
    const auto wrong = [&](const UrdfLock& l) {
        UrdfOptions options = floating;
        options.locks = {l};
        return problems_of(robot(parts), options).text();
    };
    CHECK(says(wrong({"i", 0}), "lock 'i': this joint is fixed in the file"));
    CHECK(says(wrong({"elbw", 0}),
               "lock 'elbw': there is no joint of this name; did you mean 'elbow'?"));
    CHECK(says(wrong({"elbow", std::nan("")}), "finite"));
}

TEST_CASE("URDF: what is welded goes with a joint that is put, and with the base")
{
    UrdfRobot made = robot_of(part("a") + part("b") + part("c") + part("d") +
                                  joint("turn", "continuous", "a", "b", z_axis) +
                                  joint("stick", "fixed", "b", "c", "<origin xyz='1 0 0'/>") +
                                  joint("hold", "fixed", "a", "d", "<origin xyz='0 1 0'/>"),
                              floating);
    const double quarter = 1.5707963267948966;
    made.description.joints[0].start = {quarter};
    made.description.joints[0].start_speed = {3.0};
    made.put_base({{0, 0, 5}, exp_quat(Vec3<double>{0, 0, quarter})}, {{1, 0, 0}, {0, 0, 2}});
    const auto model = made.description.build();
    REQUIRE(model);
    // Half a turn in all, five radians a second in all.
    check_near(pose_of(*made.link("c"), *model).x, {-1, 0, 5}, 1e-15, 1);
    check_near(twist_of(*made.link("c"), *model).v, {1, -5, 0}, 1e-15, 5);
    check_near(pose_of(*made.link("d"), *model).x, {-1, 0, 5}, 1e-15, 1);
    check_near(twist_of(*made.link("d"), *model).v, {1, -2, 0}, 1e-15, 5);

    // A weld that nothing puts elsewhere must fit as the bodies stand.
    Builder astray = made.description;
    astray.bodies[static_cast<std::size_t>(made.link("d")->frame->body)].pose.x.z += 1;
    const auto refused = astray.build();
    REQUIRE(!refused);
    CHECK(says(refused.problems().text(), "hold: is not assembled"));
}

TEST_CASE("URDF: a mimic is a gear that starts where its offset puts it")
{
    const auto hand = [](const std::string& mimic) {
        return part("a") + part("b") + part("c") + part("d") +
               joint("lead", "revolute", "a", "b", z_axis + limits) +
               joint("follow", "revolute", "a", "c", z_axis + limits + mimic) +
               joint("last", "continuous", "a", "d",
                     z_axis + "<mimic joint='follow' multiplier='-1' offset='0.1'/>");
    };
    const std::string mimic = "<mimic joint='lead' multiplier='2' offset='0.25'/>";
    const UrdfRobot geared = robot_of(hand(mimic));
    REQUIRE(geared.description.gears.size() == 2);
    CHECK(geared.description.gears[0].ratio == 2);
    CHECK(geared.description.gears[0].joint_1 == geared.joint("follow")->joint);
    CHECK(geared.description.gears[0].joint_2 == geared.joint("lead")->joint);
    CHECK(geared.description.joints[2].start[0] == 0.25);
    CHECK(geared.description.joints[3].start[0] == -0.25 + 0.1);
    CHECK(geared.degrees_of_freedom() == 1);
    CHECK(says(geared.joint("follow")->why, "q = 2 q('lead') + 0.25"));

    UrdfOptions ignore = fixed;
    ignore.ignore_mimic = true;
    const UrdfRobot free = robot_of(hand(mimic), ignore);
    CHECK(free.description.gears.empty());
    CHECK(free.degrees_of_freedom() == 3);
    CHECK(free.description.joints[2].start[0] == 0);
    CHECK(says(free.joint("follow")->why, "ignored, as asked"));

    UrdfOptions lock = fixed;
    lock.locks = {{"lead", 0.1}};
    const UrdfRobot locked = robot_of(hand(mimic), lock);
    CHECK(locked.degrees_of_freedom() == 0);
    CHECK(near(*locked.joint("follow")->locked, 0.45, 1e-15));
    CHECK(near(*locked.joint("last")->locked, -0.35, 1e-15));
    CHECK(robot_of(hand("<mimic joint='lead' multiplier='0' offset='0.5'/>"))
              .joint("follow")
              ->locked == 0.5);

    const auto wrong = [&](const std::string& m) { return problems_of(robot(hand(m))).text(); };
    CHECK(says(wrong("<mimic joint='laed'/>"), "no such joint; did you mean 'lead'?"));
    CHECK(says(wrong("<mimic joint='last'/>"), "mimics itself by way of others"));
    CHECK(says(wrong("<mimic joint='follow'/>"), "it mimics itself; name another"));
    CHECK(says(wrong("<mimic/>"), "<mimic> needs joint"));
    CHECK(says(wrong("<mimic joint='lead' multiplier='x'/>"), "multiplier 'x' is not a number"));
    CHECK(says(problems_of(robot(part("a") + part("b") + part("c") + joint("f", "fixed", "a", "b") +
                                 joint("m", "continuous", "a", "c", z_axis + "<mimic joint='f'/>")))
                   .text(),
               "which has no single coordinate to follow"));
}

TEST_CASE("URDF: geometry is kept with its pose; meshes are found in packages")
{
    const auto folder = std::filesystem::temp_directory_path() / text_of("poinsot-urdf-", getpid());
    std::filesystem::create_directories(folder / "arm/meshes");
    std::filesystem::create_directories(folder / "arm/urdf");
    std::filesystem::create_directories(folder / "elsewhere/meshes");
    std::ofstream(folder / "arm/meshes/a.stl") << "solid";
    std::ofstream(folder / "elsewhere/meshes/b.stl") << "solid";
    const auto mesh = [](const std::string& name) {
        return "<visual><geometry><mesh filename='" + name + "'/></geometry></visual>\n";
    };
    std::ofstream(folder / "arm/urdf/arm.urdf") << robot(
        part("a", inertial(1) + mesh("package://arm/meshes/a.stl") + mesh("../meshes/a.stl") +
                      mesh("package://other/meshes/b.stl") + mesh("http://a.b/c.stl") +
                      "<collision name='c'><origin xyz='1 2 3'/><geometry><cylinder radius='0.1' "
                      "length='2'/></geometry></collision><collision><geometry><sphere "
                      "radius='3'/></geometry></collision><collision><geometry><box "
                      "size='1 2 3'/></geometry></collision>"));
    const auto read_with = [&](const std::vector<std::string>& packages) {
        UrdfOptions options = fixed;
        options.package_paths = packages;
        const auto made = read_urdf(folder / "arm/urdf/arm.urdf", options);
        REQUIRE(made);
        return *made;
    };
    const UrdfRobot bare = read_with({});
    const std::vector<UrdfGeometry>& seen = bare.links[0].visual;
    REQUIRE(seen.size() == 4);
    CHECK(!seen[0].missing);
    CHECK(std::filesystem::equivalent(std::get<MeshShape>(seen[0].shape).path,
                                      folder / "arm/meshes/a.stl"));
    CHECK(!seen[1].missing);
    CHECK(seen[2].missing);
    CHECK(std::get<MeshShape>(seen[2].shape).path == "package://other/meshes/b.stl");
    CHECK(seen[3].missing);
    CHECK(has(bare.warnings, 4, "link 'a'", "meshes of package 'other' were not found"));
    CHECK(has(bare.warnings, 5, "link 'a'", "there is no mesh file 'http://a.b/c.stl'"));
    CHECK(!read_with({"other=" + (folder / "elsewhere").string()}).links[0].visual[2].missing);
    std::filesystem::rename(folder / "elsewhere", folder / "other");
    CHECK(!read_with({folder.string()}).links[0].visual[2].missing);
    std::filesystem::remove_all(folder);

    const std::vector<UrdfGeometry>& touched = bare.links[0].collision;
    REQUIRE(touched.size() == 3);
    CHECK(touched[0].name == "c");
    CHECK(touched[0].pose.x == Vec3<double>{1, 2, 3});
    CHECK(std::get<Cylinder>(touched[0].shape).height == 2);
    CHECK(std::get<Ball>(touched[1].shape).radius == 3);
    CHECK(std::get<Box>(touched[2].shape).size == Vec3<double>{1, 2, 3});
}
