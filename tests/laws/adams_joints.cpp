// SPDX-License-Identifier: MIT
// One body on one joint or spring to the ground, against a commercial code and an independent
// recomputation: motion in both formulations, and what the joint carries.

#include "formulations.hpp"

using namespace poinsot;

namespace {

using nlohmann::json;

struct Case {
    Builder b;
    V3 at{}; // where reactions are taken
    bool spring = false;
};

Quat<double> attitude_of(const json& desc)
{
    const std::string frame = desc.value("frame", "rotX(-pi/2)"); // of the rotational spring
    const V3 x{1, 0, 0};
    if (frame == "identity")
        return identity_quat<double>();
    if (frame == "rotX(-pi/2)")
        return exp_quat(-0.5 * M_PI * x);
    if (frame == "rotX(pi/2)")
        return exp_quat(0.5 * M_PI * x);
    REQUIRE(frame == "rotX(-pi/4)");
    return exp_quat(-0.25 * M_PI * x);
}

/// The world of a case; none if the library has no such element.
std::optional<Case> world_of(const std::string& name, const json& desc)
{
    Case made;
    Builder& b = made.b;
    b.gravity.uniform = {0, 0, -9.80665};
    const V3 I = vec(desc.at("I_body"));
    Body body = body_with("body", 1, diagonal(I.x, I.y, I.z), zero3<double>(), zero3<double>());
    const auto begins = [&](const char* with) { return name.rfind(with, 0) == 0; };
    if (desc.contains("ground_point")) {
        made.at = vec(desc.at("ground_point"));
        body.pose.x = vec(desc.at("body_cg"));
        const V3 point = vec(desc.at("body_point_world")), on_body = point - body.pose.x;
        if (begins("TranSpringCB"))
            return std::nullopt; // its stiffness varies
        if (begins("TranSpring")) {
            b.add(body);
            b.springs.push_back({"spring",
                                 {world, made.at},
                                 {0, on_body},
                                 desc.at("k"),
                                 desc.at("c"),
                                 norm(point - made.at)});
            made.spring = true;
            return made;
        }
        if (begins("RevSpherical")) {
            // A link without mass is the limit of a light one: 1e-10 of the body's mass moves the
            // answer by about as much.
            const V3 along = point - made.at;
            Body link = body_with("link", 1e-10, diagonal(1e-10, 1e-10, 1e-10), zero3<double>(),
                                  zero3<double>());
            link.pose.x = made.at;
            b.add(link);
            b.add(body);
            Joint pin = hinge("pin", world, made.at, 0, zero3<double>()), ball;
            ball.name = "ball";
            ball.kind = JointKind::ball;
            ball.a = 0;
            ball.b = 1;
            ball.frame_a.x = along;
            ball.frame_b.x = on_body;
            b.add(pin);
            b.add(ball);
            return made;
        }
        b.add(body);
        Joint rod;
        rod.name = "rod";
        rod.kind = JointKind::distance;
        rod.b = 0;
        rod.frame_a.x = made.at;
        rod.frame_b.x = on_body;
        rod.length = norm(point - made.at);
        b.add(rod);
        return made;
    }
    const Quat<double> q = attitude_of(desc);
    made.at = desc.contains("location") ? vec(desc.at("location")) : zero3<double>();
    const bool universal = begins("Universal");
    body.pose = {made.at + rotate(q, universal ? V3{0, 0, -2} : V3{2, 0, 0}), q};
    b.add(body);
    Joint joint;
    joint.name = "joint";
    joint.b = 0;
    joint.kind = begins("Revolute") || begins("RotSpring") ? JointKind::revolute
                 : begins("Spherical")                     ? JointKind::ball
                 : begins("Prismatic")                     ? JointKind::prismatic
                 : begins("Cylindrical")                   ? JointKind::cylindrical
                                                           : JointKind::universal;
    // Universal: the source has its axes along x and y of the frame, we along z of a and x of b.
    const Quat<double> turn = universal ? quat_of(Mat3<double>{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}})
                                        : identity_quat<double>();
    joint.frame_a = {made.at, q * turn};
    joint.frame_b = inverse(body.pose) * joint.frame_a;
    if (begins("RotSpring")) {
        joint.laws.resize(1);
        joint.laws[0].stiffness = desc.at("k");
        joint.laws[0].damping = desc.at("c");
    }
    b.add(joint);
    return made;
}

struct Apart {
    double pos = 0, quat = 0, vel = 0, angvel = 0;
    void see(const Placed& placed, std::size_t i, const V3& x, const Quat<double>& q, const V3& v,
             const V3& omega)
    {
        const PlacedBody& body = placed.bodies[i];
        pos = std::max(pos, norm(body.x - x));
        quat = std::max(quat, angle_between(quat_of(body.R), q));
        vel = std::max(vel, norm(body.v - v));
        angvel = std::max(angvel, norm(body.omega - omega));
    }
};

} // namespace

TEST_CASE("One body on one joint moves as a commercial code and a second solver have it")
{
    const auto file = outside("adams_joints.json");
    if (!file)
        SKIP_TEST("adams_joints.json is not here");
    const json items = json::parse(std::ifstream(*file)).at("items");
    int seen = 0;
    for (const auto& entry : items.items()) {
        const std::string name = entry.key();
        const json& item = entry.value();
        INFO(name);
        const auto made = world_of(name, item.at("desc"));
        if (!made)
            continue;
        ++seen;
        const auto model = built(made->b);
        const std::size_t body = model->bodies().size() - 1;
        const bool light = body > 0; // a link that should have no mass
        for (const Formulation f : both) {
            INFO(name_of(f));
            RunSettings run = tight(f, 0.01, 5, 1e-12);
            run.step.tolerance.absolute = 1e-18; // momenta of the light link count too
            const json& adams = item.at("adams");
            Apart theirs, again;
            double force = 0, torque = 0, size = 1;
            follow(model, run, adams.at("t"), [&](std::size_t k, const Simulation& at) {
                const Placed placed = at.placed();
                theirs.see(placed, body, vec(adams.at("pos")[k]),
                           normalised(quat(adams.at("quat_wxyz")[k])), vec(adams.at("vel")[k]),
                           vec(adams.at("angvel_world")[k]));
                if (!adams.contains("Rforce"))
                    return;
                // On the ground, about the joint's place: the opposite of what acts on the body.
                V3 F, tau;
                if (made->spring) {
                    Loads loads;
                    gather_loads(*model, placed, {}, at.time(), at.time(), loads);
                    F = tau = zero3<double>();
                    for (const LoadPart& part : loads.parts)
                        if (part.cause == Cause::spring || part.cause == Cause::damper)
                            F -= part.wrench.F;
                } else {
                    const Moment now(*model, placed, at.time());
                    const auto W = now.reaction(0, made->at);
                    F = -W.F;
                    tau = -W.tau;
                    for (const CoordinateLaw& law : model->joints()[0].laws)
                        tau += (law.stiffness * placed.joints[0].q[0] +
                                law.damping * placed.joints[0].speed[0]) *
                               placed.joints[0].axis_a({0, 0, 1});
                }
                const V3 F_theirs = vec(adams.at("Rforce")[k]),
                         tau_theirs = vec(adams.at("Rtorque")[k]);
                size = std::max({size, norm(F_theirs), norm(tau_theirs)});
                force = std::max(force, norm(F - F_theirs));
                torque = std::max(torque, norm(tau - tau_theirs));
            });
            const json& state = item.at("recomputed").at("state");
            follow(model, run, item.at("recomputed").at("t"),
                   [&](std::size_t k, const Simulation& at) {
                       const json& s = state[k];
                       again.see(at.placed(), body, {s[0], s[1], s[2]},
                                 normalised(Quat<double>{s[3], s[4], s[5], s[6]}),
                                 {s[7], s[8], s[9]}, {s[10], s[11], s[12]});
                   });
            // The series has six digits; `diff` is how far it is from the recomputation. Here its
            // components are taken together, and at more times.
            const json& diff = item.at("diff");
            const auto within = [&](const char* what, double apart) {
                INFO(std::string(what));
                CHECK(apart < 4 * diff.at(what).get<double>() + 1e-13);
            };
            within("pos", theirs.pos - (light ? 1e-8 : 0));
            within("quat", theirs.quat - (light ? 1e-8 : 0));
            within("vel", theirs.vel - (light ? 1e-8 : 0));
            within("angvel", theirs.angvel - (light ? 1e-8 : 0));
            // The recomputation: 12 digits from a tolerance of 1e-11. Where the motion tumbles both
            // formulations differ from it by the same 4e-8 rad/s: its own error.
            const double allowed = name == "Distance_Case02" ? 5e-8 : light ? 1e-8 : 1e-9;
            MESSAGE(name << " again " << again.pos << " " << again.quat << " " << again.vel << " "
                         << again.angvel << " R " << force / size << " " << torque / size);
            CHECK(again.pos < allowed);
            CHECK(again.quat < allowed);
            CHECK(again.vel < allowed);
            CHECK(again.angvel < allowed);
            // The code keeps places, and its forces are an order worse; where its motion is off by
            // more than print, so are they.
            const double loads = diff.at("angvel").get<double>() > 1e-4 ? 1e-3 : 5e-5;
            CHECK(force < loads * size);
            CHECK(torque < loads * size);
        }
    }
    CHECK(seen == 13);
}
