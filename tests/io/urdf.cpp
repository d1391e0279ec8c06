// SPDX-License-Identifier: MIT
#include "poinsot/io/urdf.hpp"
#include "near.hpp"
#include "poinsot/io/xml_tree.hpp"

#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#if POINSOT_URDFDOM
#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>
#endif

#include <clocale>
#include <fstream>

#include <unistd.h>

using namespace poinsot;

namespace {

const UrdfOptions fixed(UrdfBase::fixed), floating(UrdfBase::floating);

bool says(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}
std::string inertial(double mass, double moment = 0.01)
{
    return text_of("<inertial><mass value='", mass, "'/><inertia ixx='", moment,
                   "' ixy='0' ixz='0'", " iyy='", moment, "' iyz='0' izz='", moment,
                   "'/></inertial>");
}
std::string part(const std::string& name, const std::string& inside = inertial(1))
{
    return "<link name='" + name + "'>" + inside + "</link>\n";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& inside = "")
{
    return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
           "'/><child link='" + child + "'/>" + inside + "</joint>\n";
}
const std::string z_axis = "<axis xyz='0 0 1'/>";
const std::string limits = "<limit lower='-1' upper='1' effort='1' velocity='1'/>";
std::string robot(const std::string& inside)
{
    return "<robot name='r'>\n" + inside + "</robot>\n";
}
UrdfRobot robot_of(const std::string& inside, const UrdfOptions& options = fixed)
{
    const auto made = read_urdf_text(robot(inside), "r.urdf", options);
    if (!made)
        FAIL(made.problems().text());
    return *made;
}
Problems problems_of(const std::string& text, const UrdfOptions& options = fixed)
{
    const auto made = read_urdf_text(text, "r.urdf", options);
    return made ? Problems() : made.problems();
}
bool has(const std::vector<UrdfRemark>& remarks, int line, const std::string& about,
         const std::string& what)
{
    return std::any_of(remarks.begin(), remarks.end(), [&](const UrdfRemark& r) {
        return r.line == line && says(r.about, about) && says(r.what, what);
    });
}

/// Where a link is in a model built from a robot.
Pose<double> pose_of(const UrdfLink& link, const Model& model)
{
    if (link.frame->body == world)
        return link.frame->pose;
    return model.bodies()[static_cast<std::size_t>(link.frame->body)].pose * link.frame->pose;
}
/// How it moves there: its origin, world axes.
Twist<double> twist_of(const UrdfLink& link, const Model& model)
{
    if (link.frame->body == world)
        return {zero3<double>(), zero3<double>()};
    const Body& body = model.bodies()[static_cast<std::size_t>(link.frame->body)];
    return shift(Twist<double>{body.velocity, body.angular_velocity},
                 pose_of(link, model).x - place(body.pose, body.mass_properties.center));
}

struct Whole {
    double m = 0, energy = 0;
    Vec3<double> center = zero3<double>(), p = zero3<double>(), L_C = zero3<double>();
};
Whole whole_of(const Model& model)
{
    Whole w;
    for (const Body& b : model.bodies()) {
        const MassProperties& mass = b.mass_properties;
        w.m += mass.mass;
        w.center += mass.mass * place(b.pose, mass.center);
        w.p += mass.mass * b.velocity;
    }
    w.center = w.center / w.m;
    for (const Body& b : model.bodies()) {
        const MassProperties& mass = b.mass_properties;
        const Vec3<double> L = congruent(matrix_of(b.pose.q), mass.inertia) * b.angular_velocity;
        w.L_C += L + mass.mass * cross(place(b.pose, mass.center) - w.center, b.velocity);
        w.energy += 0.5 * (mass.mass * norm2(b.velocity) + dot(b.angular_velocity, L));
    }
    return w;
}

Vec3<double> vector_of(const nlohmann::json& a)
{
    return {a.at(0), a.at(1), a.at(2)};
}
void check_near(const Vec3<double>& a, const Vec3<double>& b, double relative, double scale)
{
    CHECK(near(a.x, b.x, relative, scale));
    CHECK(near(a.y, b.y, relative, scale));
    CHECK(near(a.z, b.z, relative, scale));
}
void check_near(const Mat3<double>& a, const Mat3<double>& b, double tolerance)
{
    check_near(a.r0, b.r0, tolerance, 1);
    check_near(a.r1, b.r1, tolerance, 1);
    check_near(a.r2, b.r2, tolerance, 1);
}

constexpr const char* published[] = {"anymal_b", "panda", "simple_humanoid", "ur5_robot"};

/// The robot of the file put where it says, moving as it says.
Model at_the_state(const nlohmann::json& item, UrdfRobot& robot)
{
    std::vector<std::string> moving;
    for (const Joint& j : robot.description.joints)
        if (j.kind != JointKind::weld)
            moving.push_back(j.name);
    CHECK(moving == item["joint_order"].get<std::vector<std::string>>());

    const bool floats = item["floating"];
    std::size_t k = 0;
    for (Joint& j : robot.description.joints)
        if (j.kind != JointKind::weld) {
            j.start = {item["q"][k].get<double>()};
            j.start_speed = {item["v"][k + (floats ? 6 : 0)].get<double>()};
            ++k;
        }
    if (floats) {
        const auto& q = item["base_quat_wxyz"];
        const auto& v = item["v"];
        robot.put_base(
            {vector_of(item["base_pos"]), normalised(Quat<double>{q[0], q[1], q[2], q[3]})},
            {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}});
    }
    const auto model = robot.description.build();
    if (!model)
        FAIL(model.problems().text());
    return *model;
}

} // namespace

TEST_CASE("URDF: published robots stand and move as a computation without recursion has them")
{
    const nlohmann::json data = nlohmann::json::parse(std::ifstream(reference("robots.json")));
    for (const auto& entry : data["items"].items()) {
        const std::string name = entry.key();
        const nlohmann::json& item = entry.value();
        CAPTURE(name);
        const std::string file = name == "ur5" ? "ur5_robot" : name;
        const auto path = outside("urdf/" + file + ".urdf");
        if (!path)
            SKIP_TEST("the URDF files of published robots are not here");
        for (const bool merged : {false, true}) {
            CAPTURE(merged);
            UrdfOptions options(item["floating"] ? UrdfBase::floating : UrdfBase::fixed);
            options.ignore_mimic = true; // as the numbers of the file are
            options.merge_fixed = merged;
            auto robot = read_urdf(*path, options);
            REQUIRE(robot);
            const Model model = at_the_state(item, *robot);
            CHECK(robot->degrees_of_freedom() == static_cast<int>(item["v"].size()));

            // The numbers of the file have 15 digits; sums over some twenty bodies lose two.
            constexpr double tolerance = 1e-13;
            const Whole whole = whole_of(model);
            CHECK(near(whole.m, item["total_mass"], tolerance));
            check_near(whole.center, vector_of(item["com"]), tolerance, 1);
            check_near(whole.p, vector_of(item["linear_momentum"]), tolerance, 10);
            check_near(whole.L_C, vector_of(item["ang_momentum_com"]), tolerance, 10);
            CHECK(near(whole.energy, item["kinetic_energy"], tolerance, 10));
            CHECK(near(9.81 * whole.m * whole.center.z, item["potential_energy"], tolerance, 100));

            const UrdfLink* tip = robot->link(item["tip_link"].get<std::string>());
            REQUIRE(tip);
            const Pose<double> X = pose_of(*tip, model);
            const Twist<double> V = twist_of(*tip, model);
            check_near(X.x, vector_of(item["tip_pos"]), tolerance, 1);
            const auto& R = item["tip_R"];
            check_near(matrix_of(X.q), {vector_of(R[0]), vector_of(R[1]), vector_of(R[2])},
                       tolerance);
            check_near(V.v, vector_of(item["tip_lin_vel"]), tolerance, 1);
            check_near(V.omega, vector_of(item["tip_ang_vel"]), tolerance, 1);
        }
    }
}

TEST_CASE("URDF: urdfdom reads the same links, masses, joints, axes and origins")
{
#if POINSOT_URDFDOM
    for (const char* name : published) {
        CAPTURE(name);
        const auto path = outside(std::string("urdf/") + name + ".urdf");
        if (!path)
            SKIP_TEST("the URDF files of published robots are not here");
        const auto robot = read_urdf(*path, fixed);
        REQUIRE(robot);
        const auto oracle = urdf::parseURDFFile(path->string());
        REQUIRE(oracle);
        CHECK(robot->name == oracle->getName());
        CHECK(robot->links[static_cast<std::size_t>(robot->root)].name == oracle->getRoot()->name);
        CHECK(robot->links.size() == oracle->links_.size());
        CHECK(robot->joints.size() == oracle->joints_.size());
        const auto pose = [](const urdf::Pose& p) {
            Pose<double> made{{p.position.x, p.position.y, p.position.z}, {}};
            p.rotation.getQuaternion(made.q.x, made.q.y, made.q.z, made.q.w);
            return made;
        };
        const auto same = [](const Pose<double>& a, const Pose<double>& b) {
            check_near(a.x, b.x, 0, 0);
            check_near(matrix_of(a.q), matrix_of(b.q), 1e-15); // two ways to round sines
        };
        for (const UrdfLink& mine : robot->links) {
            CAPTURE(mine.name);
            const auto theirs = oracle->getLink(mine.name);
            REQUIRE(theirs);
            CHECK(mine.visual.size() == theirs->visual_array.size());
            CHECK(mine.collision.size() == theirs->collision_array.size());
            for (std::size_t i = 0; i < mine.collision.size(); ++i)
                same(mine.collision[i].pose, pose(theirs->collision_array[i]->origin));
            CHECK(mine.own.mass == (theirs->inertial ? theirs->inertial->mass : 0));
            if (!theirs->inertial)
                continue;
            const urdf::Inertial& I = *theirs->inertial;
            const MassProperties turned =
                moved({I.mass, zero3<double>(), {I.ixx, I.iyy, I.izz, I.ixy, I.ixz, I.iyz}},
                      pose(I.origin));
            check_near(mine.own.center, turned.center, 0, 0);
            const Mat3<double> a = full(mine.own.inertia), b = full(turned.inertia);
            const double size = trace(turned.inertia);
            check_near(a.r0, b.r0, 1e-15, size);
            check_near(a.r1, b.r1, 1e-15, size);
            check_near(a.r2, b.r2, 1e-15, size);
        }
        for (const UrdfJoint& mine : robot->joints) {
            CAPTURE(mine.name);
            const auto theirs = oracle->getJoint(mine.name);
            REQUIRE(theirs);
            const auto type = mine.type == UrdfJoint::Type::revolute    ? urdf::Joint::REVOLUTE
                              : mine.type == UrdfJoint::Type::prismatic ? urdf::Joint::PRISMATIC
                                                                        : urdf::Joint::FIXED;
            CHECK(theirs->type == type);
            CHECK(robot->links[static_cast<std::size_t>(mine.parent)].name ==
                  theirs->parent_link_name);
            CHECK(robot->links[static_cast<std::size_t>(mine.child)].name ==
                  theirs->child_link_name);
            same(mine.origin, pose(theirs->parent_to_joint_origin_transform));
            if (type == urdf::Joint::FIXED)
                continue;
            check_near(mine.axis, {theirs->axis.x, theirs->axis.y, theirs->axis.z}, 0, 0);
            CHECK(mine.lower == theirs->limits->lower);
            CHECK(mine.upper == theirs->limits->upper);
            CHECK(mine.effort == theirs->limits->effort);
            CHECK(mine.velocity == theirs->limits->velocity);
            CHECK(mine.damping == (theirs->dynamics ? theirs->dynamics->damping : 0));
            CHECK(mine.friction == (theirs->dynamics ? theirs->dynamics->friction : 0));
            CHECK(mine.mimic.has_value() == (theirs->mimic != nullptr));
            if (mine.mimic) {
                CHECK(mine.mimic->joint == theirs->mimic->joint_name);
                CHECK(mine.mimic->multiplier == theirs->mimic->multiplier);
                CHECK(mine.mimic->offset == theirs->mimic->offset);
            }
        }
    }
#else
    SKIP_TEST("urdfdom is not installed");
#endif
}

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
    CHECK(made.not_used.size() == 8);
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
