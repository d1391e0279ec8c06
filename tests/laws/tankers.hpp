// SPDX-License-Identifier: MIT
#pragma once

// Bodies with tanks, and what flows in and out of them.

#include "formulations.hpp"

namespace poinsot {

inline double number(const nlohmann::json& j)
{
    return j.is_string() ? std::stod(j.get<std::string>()) : j.get<double>();
}

inline Tank point_tank(const char* name, int body, const V3& at, double content)
{
    Tank tank;
    tank.name = name;
    tank.body = body;
    tank.frame.x = at;
    tank.content = content;
    return tank;
}
inline Tank cylinder_tank(const char* name, int body, const V3& at, double content, double capacity,
                          double radius, double height)
{
    Tank tank = point_tank(name, body, at, content);
    tank.capacity = capacity;
    tank.room = Tank::Room::cylinder;
    tank.filling = Tank::Filling::from_bottom;
    tank.radius = radius;
    tank.height = height;
    return tank;
}
inline Flow thruster(const char* name, int tank, const V3& at, const V3& direction, double speed,
                     double mass_flow)
{
    Flow flow;
    flow.name = name;
    flow.sources = {tank};
    flow.point = at;
    flow.direction = direction;
    flow.exhaust_speed = speed;
    flow.mass_flow = mass_flow;
    return flow;
}
inline Flow dump(const char* name, int tank, const V3& at, double mass_flow)
{
    Flow flow = thruster(name, tank, at, zero3<double>(), 0, mass_flow);
    flow.kind = Flow::Kind::dump;
    return flow;
}
inline Flow pump(const char* name, int source, int target, double mass_flow)
{
    Flow flow;
    flow.name = name;
    flow.kind = Flow::Kind::pump;
    flow.sources = {source};
    flow.target = target;
    flow.mass_flow = mass_flow;
    return flow;
}
inline Flow inlet(const char* name, int tank, const V3& at, const V3& velocity, double mass_flow)
{
    Flow flow;
    flow.name = name;
    flow.kind = Flow::Kind::inlet;
    flow.target = tank;
    flow.point = at;
    flow.velocity = velocity;
    flow.mass_flow = mass_flow;
    return flow;
}

/// A body that tumbles while it burns, dumps, pumps and takes in, nothing of it symmetric; two
/// tanks have a level, and one thruster runs dry.
inline Builder tanker()
{
    Builder b;
    Dice dice(31);
    Body body = body_with("tanker", 4, dice.inertia(), {0.2, -0.1, 0.3}, {0.4, 0.8, -0.3});
    body.mass_properties.center = {0.1, 0.2, -0.1};
    body.pose = {{0.4, -0.3, 1.2}, dice.rotation()};
    b.add(body);
    b.tanks = {point_tank("a", 0, {0.4, -0.2, 0.3}, 0.5),
               cylinder_tank("b", 0, {-0.3, 0.1, -0.4}, 1.0, 2.0, 0.2, 0.9),
               cylinder_tank("c", 0, {0.1, 0.5, -0.2}, 0.3, 1.5, 0.3, 0.5)};
    b.tanks[2].frame.q = dice.rotation();
    b.flows = {thruster("engine", 0, {-0.2, 0.4, -0.9}, {0.2, -0.3, -1}, 3, 0.7),
               thruster("jet", 1, {0.6, 0.1, 0.2}, {1, 0.5, 0}, 2, 0.2), pump("pump", 1, 2, 0.25),
               dump("drain", 2, {0.3, -0.4, -0.5}, 0.1),
               inlet("rain", 1, {-0.1, 0.2, 0.8}, {0.5, 0.2, -1.5}, 0.15)};
    b.flows[0].radius = 0.15;
    b.flows[1].from = 0.2;
    b.flows[2].until = 0.9;
    b.flows[4].from = 0.33;
    b.flows[4].until = 5;
    b.gravity.uniform = {0, 0, -1.5};
    return b;
}

/// The tanker with an arm on a ball joint, which has a tank too, and a wheel.
inline Builder tanker_with_arm()
{
    Builder b = tanker();
    Dice dice(5);
    b.add(some_body("arm", dice));
    Joint ball;
    ball.name = "shoulder";
    ball.kind = JointKind::ball;
    ball.a = 0;
    ball.b = 1;
    ball.frame_a = some_pose(dice);
    ball.frame_b = some_pose(dice);
    put(b, ball, allowed(ball, dice));
    b.add(ball);
    b.add(some_body("hand", dice));
    Joint wrist;
    wrist.name = "wrist";
    wrist.a = 1;
    wrist.b = 2;
    wrist.frame_a = some_pose(dice);
    wrist.frame_b = some_pose(dice);
    put(b, wrist, allowed(wrist, dice));
    b.add(wrist);
    b.tanks.push_back(point_tank("d", 2, {0.2, 0.1, -0.3}, 0.4));
    b.flows.push_back(thruster("finger", 3, {0.3, 0.3, 0.1}, {0, 1, 0.3}, 1.5, 0.3));
    return b;
}

inline double p_residual(const Simulation& sim)
{
    const Books& books = sim.ledger().books();
    return norm(books.total.residual.p) / books.scale_p;
}

} // namespace poinsot
