// SPDX-License-Identifier: MIT
// What do the books cost in an ordinary simulation? Off nothing; totals at most 40 % on free
// bodies. Measured in turns, the least of 15.

#include "measure.hpp"
#include "poinsot/model/builder.hpp"
#include "poinsot/step/simulate.hpp"

#include <cstdio>
#include <string>

using namespace poinsot;

namespace {

std::shared_ptr<const Model> free_bodies(int count, bool springs)
{
    Builder b;
    for (int i = 0; i < count; ++i) {
        Body body;
        body.name = "b" + std::to_string(i);
        body.mass_properties = {1, zero3<double>(), diagonal(1.0, 1.5 + 0.001 * i, 2.0)};
        body.pose.x = {2.0 * i, 0, 0};
        body.angular_velocity = {0.3, 1, 0.2};
        b.add(body);
        if (springs && i > 0)
            b.springs.push_back({"s", {i - 1, {0.5, 0, 0}}, {i, {-0.5, 0, 0}}, 10, 0, 1});
    }
    return std::make_shared<const Model>(*b.build());
}

Simulation started(const std::shared_ptr<const Model>& model, Method method,
                   Postings::Detail detail, int every)
{
    RunSettings run;
    run.step.method = method;
    run.until = 1e6;
    run.ledger.detail = detail;
    run.ledger_every = every;
    return std::move(*Simulation::start(model, run));
}

} // namespace

int main()
{
    std::printf("scene,method,us_per_body_and_step_off,totals_percent,totals_every_10_percent,"
                "bodies_percent\n");
    for (const bool springs : {false, true})
        for (const Method method : {Method::splitting, Method::runge_kutta4, Method::midpoint}) {
            const int count = 1000;
            const auto model = free_bodies(count, springs);
            Simulation off = started(model, method, Postings::Detail::off, 1);
            Simulation totals = started(model, method, Postings::Detail::totals, 1);
            Simulation tenth = started(model, method, Postings::Detail::totals, 10);
            Simulation bodies = started(model, method, Postings::Detail::bodies, 1);
            const auto ten = [](Simulation& sim) {
                return [&sim] {
                    for (int i = 0; i < 10; ++i)
                        sim.step();
                };
            };
            const auto t = least_in_turns(15, ten(off), ten(totals), ten(tenth), ten(bodies));
            const auto percent = [&](double time) { return 100 * (time / t[0] - 1); };
            std::printf("%s,%s,%.3f,%.1f,%.1f,%.1f\n", springs ? "spring chain" : "free",
                        std::string(facts_of(method).name).c_str(), 1e6 * t[0] / 10 / count,
                        percent(t[1]), percent(t[2]), percent(t[3]));
        }
}
