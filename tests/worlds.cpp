// SPDX-License-Identifier: MIT
#include "worlds.hpp"

namespace poinsot {

V3 vec(const nlohmann::json& j)
{
    return {j.at(0).get<double>(), j.at(1).get<double>(), j.at(2).get<double>()};
}

Quat<double> quat(const nlohmann::json& j)
{
    return {j.at(0).get<double>(), j.at(1).get<double>(), j.at(2).get<double>(),
            j.at(3).get<double>()};
}

nlohmann::json reference_items(const char* file)
{
    return read_json(reference(file)).at("items");
}

Body body_with(const char* name, double mass, const Sym3<double>& inertia, const V3& v,
               const V3& omega)
{
    Body body;
    body.name = name;
    body.mass_properties = {mass, zero3<double>(), inertia};
    body.velocity = v;
    body.angular_velocity = omega;
    return body;
}

std::shared_ptr<const Model> built(const Builder& builder)
{
    auto made = builder.build();
    if (!made)
        FAIL(made.problems().text());
    return std::make_shared<const Model>(*made);
}

std::shared_ptr<const Model> tumbler()
{
    Builder b;
    b.add(body_with("tumbler", 2, diagonal(1.0, 2.0, 3.0), {0.3, -0.2, 0.1}, {0.5, 2, 0.7}));
    return built(b);
}

Builder tied_bodies()
{
    Builder b;
    Dice dice(7);
    Body one = body_with("one", 2, dice.inertia(), {0.3, -0.2, 0.1}, {0.5, 2, 0.7});
    one.mass_properties.center = {0.05, -0.02, 0.1};
    Body two = body_with("two", 1.5, dice.inertia(), {-0.4, 0.1, 0.2}, {-1, 0.3, 0.4});
    two.pose = {{1.5, 0.2, -0.3}, dice.rotation()};
    b.add(one);
    b.add(two);
    b.add_particle("three", 0.7, {0.5, 1.5, 0.4}, {0.1, 0, -0.3});
    b.springs.push_back({"s", {0, {0.3, 0.1, 0}}, {1, {-0.2, 0.1, 0.3}}, 20, 0, 1});
    b.springs.push_back({"t", {1, {0.1, 0.4, 0}}, {2, zero3<double>()}, 12, 0, 0.8});
    b.springs.push_back({"wall", {world, {-1, 0, 0}}, {0, {-0.3, 0, 0.1}}, 8, 0, 0.5});
    b.gravity.uniform = {0, 0, -1.5};
    return b;
}

RunSettings run_with(Method method, double h, double until, FormKind form)
{
    RunSettings run;
    run.step.method = method;
    run.step.h = h;
    run.step.form = form;
    run.step.tolerance = {1e-11, 1e-13, 1000000};
    run.until = until;
    run.ledger.detail = Postings::Detail::bodies;
    return run;
}

Simulation ran(std::shared_ptr<const Model> model, const RunSettings& settings, Input input)
{
    auto sim = Simulation::start(std::move(model), settings, std::move(input));
    if (!sim)
        FAIL(sim.problems().text());
    while (!sim->done()) {
        const auto ended = sim->step();
        if (ended)
            FAIL(*ended);
    }
    sim->close_books();
    return std::move(*sim);
}

double difference(const Placed& a, const Placed& b)
{
    double worst = 0;
    for (std::size_t i = 0; i < a.bodies.size(); ++i) {
        const PlacedBody &p = a.bodies[i], &q = b.bodies[i];
        const Mat3<double> d = p.R - q.R;
        worst = std::max({worst, norm(p.x - q.x), norm(p.v - q.v), norm(p.omega - q.omega),
                          norm(d.r0), norm(d.r1), norm(d.r2)});
    }
    return worst;
}

double angle_between(const Quat<double>& a, const Quat<double>& b)
{
    return norm(log_quat(normalised(a * conjugate(b))));
}

} // namespace poinsot
