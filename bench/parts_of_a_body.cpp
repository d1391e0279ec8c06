// SPDX-License-Identifier: MIT
// What do a rotor and a tank cost, as a part of what a body costs? In steps of a hundred free
// bodies that tumble under gravity; measured in turns, the least of 15.

#include "measure.hpp"
#include "poinsot/model/builder.hpp"
#include "poinsot/step/simulate.hpp"

#include <cstdio>
#include <string>

using namespace poinsot;

namespace {

constexpr int count = 100;

Builder bodies(int n)
{
    Builder b;
    b.gravity.uniform = {0, 0, -9.81};
    for (int i = 0; i < n; ++i) {
        Body body;
        body.name = text_of("b", i);
        body.mass_properties = {2, zero3<double>(), diagonal(1.0, 1.2, 1.4)};
        body.pose.x = {3.0 * i, 0, 0};
        body.angular_velocity = {0.3, 1, -0.2};
        b.add(body);
    }
    return b;
}
Builder with_rotors()
{
    Builder b = bodies(count);
    for (int i = 0; i < count; ++i) {
        Rotor rotor;
        rotor.name = text_of("r", i);
        rotor.body = i;
        rotor.inertia = 0.1;
        rotor.spin = 20;
        b.rotors.push_back(rotor);
    }
    return b;
}
Builder with_tanks(bool burning)
{
    Builder b = bodies(count);
    for (int i = 0; i < count; ++i) {
        Tank tank;
        tank.name = text_of("t", i);
        tank.body = i;
        tank.content = 1;
        tank.frame.x = {0, 0, 0.3};
        b.tanks.push_back(tank);
        Flow flow;
        flow.name = text_of("f", i);
        flow.sources = {i};
        flow.point = {0, 0, -1};
        flow.direction = {0, 0, -1};
        flow.exhaust_speed = 10;
        flow.mass_flow = 1e-6;
        if (burning)
            b.flows.push_back(flow);
    }
    return b;
}

Simulation started(const Builder& b, Method method, Formulation formulation)
{
    RunSettings run;
    run.step.method = method;
    run.step.formulation = formulation;
    run.until = 1e6;
    run.ledger.detail = Postings::Detail::off;
    return std::move(*Simulation::start(std::make_shared<const Model>(*b.build()), run));
}

} // namespace

int main()
{
    std::printf("method,formulation,us_per_body_and_step,rotor_percent,still_tank_percent,"
                "burning_tank_percent\n");
    for (const Method method : {Method::runge_kutta4, Method::midpoint, Method::splitting})
        for (const Formulation f : {Formulation::maximal, Formulation::reduced}) {
            if (method == Method::splitting && f == Formulation::reduced)
                continue; // which it does not work in
            Simulation one = started(bodies(count), method, f),
                       two = started(bodies(2 * count), method, f),
                       rotors = started(with_rotors(), method, f),
                       still = started(with_tanks(false), method, f),
                       burning = started(with_tanks(true), method, f);
            const auto ten = [](Simulation& sim) {
                return [&sim] {
                    for (int i = 0; i < 10; ++i)
                        sim.step();
                };
            };
            const auto t =
                least_in_turns(15, ten(one), ten(two), ten(rotors), ten(still), ten(burning));
            const double body = t[1] - t[0];
            const auto percent = [&](double time) { return 100 * (time - t[0]) / body; };
            std::printf("%s,%s,%.3f,%.1f,%.1f,%.1f\n", std::string(facts_of(method).name).c_str(),
                        std::string(name_of(f)).c_str(), 1e6 * body / 10 / count, percent(t[2]),
                        percent(t[3]), percent(t[4]));
        }
}
