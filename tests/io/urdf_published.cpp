// SPDX-License-Identifier: MIT
// Published robots: against a computation without recursion, and as another reader has them.
#include "urdf_texts.hpp"

#include <nlohmann/json.hpp>

#if POINSOT_URDFDOM
#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>
#endif

#include <fstream>

using namespace poinsot;
using namespace poinsot::urdf_texts;

namespace {

Vec3<double> vector_of(const nlohmann::json& a)
{
    return {a.at(0), a.at(1), a.at(2)};
}

#if POINSOT_URDFDOM
constexpr const char* published[] = {"anymal_b", "panda", "simple_humanoid", "ur5_robot"};
#endif

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
    const nlohmann::json data = read_json(reference("robots.json"));
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
