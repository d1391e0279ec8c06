// SPDX-License-Identifier: MIT
// Chains in both formulations: falling ones against their series, a hanging one against its shape
// and its pull.

#include "formulations.hpp"

using namespace poinsot;

namespace {

/// A chain of rods in the x–y plane, hinged at the origin, angles from straight down.
Builder falling_chain(const nlohmann::json& r)
{
    Builder builder;
    builder.gravity.uniform = {0, -r.at("g").get<double>(), 0};
    const double l = r.at("link_length"), I = r.at("I_cm");
    double before = 0;
    for (std::size_t i = 0; i < r.at("theta0_from_down_rad").size(); ++i) {
        const double angle = r.at("theta0_from_down_rad")[i];
        // A rod lies along −y of its body.
        const int body =
            builder.add(body_with(text_of("link ", i).c_str(), r.at("link_mass"),
                                  diagonal(I, 0.01 * I, I), zero3<double>(), zero3<double>()));
        Joint joint = hinge(text_of("hinge ", i), body - 1,
                            i > 0 ? V3{0, -l / 2, 0} : zero3<double>(), body, {0, l / 2, 0});
        joint.start = {angle - before};
        before = angle;
        builder.add(joint);
    }
    return builder;
}

/// The largest error of the directions of a chain, of their rates, and of the place of its end.
double chain_error(const nlohmann::json& r, const Placed& placed, std::size_t sample)
{
    double worst = 0;
    for (std::size_t i = 0; i < placed.bodies.size(); ++i) {
        const PlacedBody& body = placed.bodies[i];
        const double theta = r.at("theta")[sample][i], omega = r.at("omega")[sample][i];
        worst =
            std::max({worst, norm(body.R * V3{0, -1, 0} - V3{std::sin(theta), -std::cos(theta), 0}),
                      std::abs(body.omega.z - omega)});
    }
    const PlacedBody& last = placed.bodies.back();
    const V3 tip = last.x + last.R * V3{0, -0.5 * r.at("link_length").get<double>(), 0};
    const auto& at = r.at("tip")[sample];
    return std::max(worst, norm(tip - V3{at[0], at[1], 0}));
}

/// The hanging chain in its shape of rest, hinged to the world at both ends.
Builder hanging_chain(const nlohmann::json& r)
{
    Builder b;
    b.gravity.uniform = {0, -r.at("g").get<double>(), 0};
    const auto& points = r.at("points");
    const double l = r.at("link_length"), m = r.at("link_mass"), I = m * l * l / 12;
    const auto point = [&](std::size_t i) { return V3{points[i][0], points[i][1], 0}; };
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const V3 along = point(i + 1) - point(i);
        Body body = body_with(text_of("link ", i).c_str(), m, diagonal(0.01 * I, I, I),
                              zero3<double>(), zero3<double>());
        body.pose = {0.5 * (point(i) + point(i + 1)),
                     exp_quat(V3{0, 0, std::atan2(along.y, along.x)})};
        const int at = b.add(body);
        b.add(hinge(text_of("hinge ", i), at - 1, at > 0 ? V3{l / 2, 0, 0} : point(0), at,
                    {-l / 2, 0, 0}));
    }
    const int last = static_cast<int>(points.size()) - 2;
    b.add(hinge("end", last, {l / 2, 0, 0}, world, point(points.size() - 1)));
    return b;
}

} // namespace

TEST_CASE("Falling chains follow their series in both formulations, as far as the series goes")
{
    const auto items = reference_items("chains.json");
    for (const auto& which :
         {std::pair("double_pendulum", "double pendulum"), {"chain5", "chain of five rods"}}) {
        const auto& r = items.at(which.first);
        const char* const name = which.second;
        INFO(std::string(name));
        const double check = std::max(r.at("check").at("tol").get<double>(),
                                      r.at("check").at("min_vs_max").get<double>());
        const auto model = built(falling_chain(r));
        const auto error = [&](const RunSettings& run) {
            return worst_of(model, run, r.at("t"), [&](const Placed& placed, std::size_t k) {
                return chain_error(r, placed, k);
            });
        };
        for (const Formulation f : both) {
            INFO(name_of(f));
            const RunSettings run = tight(f, 0.01, r.at("t").back());
            const Followed whole = error(run);
            whole.measured(name, run, "m, rad/s");
            CHECK(whole.error < 10 * check);
            CHECK(whole.energy < 1e-10); // of some ten joules, from a tolerance of 1e-12

            const double coarse = error(run_in(f, Method::runge_kutta4, 4e-3, 1)).error,
                         fine = error(run_in(f, Method::runge_kutta4, 2e-3, 1)).error;
            CHECK(std::log2(coarse / fine) > 3.7);
        }
        const double coarse = error(run_in(Formulation::reduced, Method::gauss, 2e-2, 1)).error,
                     fine = error(run_in(Formulation::reduced, Method::gauss, 1e-2, 1)).error;
        CHECK(std::log2(coarse / fine) > 5.5);
    }
}

TEST_CASE("A hanging chain in its shape of rest stays, and pulls at its ends as statics says")
{
    const auto r = reference_items("chains.json").at("hanging_chain20");
    const auto model = built(hanging_chain(r));
    const double g = r.at("g");
    // The shape is stationary to 1.2e-9 of its forces: ten times that.
    const double allowed = 10 * r.at("check").at("stationarity").get<double>();
    const Placed at = place(*model, start_of(*model, FormKind::momentum));
    const Moment now(*model, at);
    double worst = 0;
    for (std::size_t i = 0; i < at.bodies.size(); ++i)
        worst = std::max(worst, norm(now.acceleration(i).v));
    CHECK(worst < allowed * g * 20);
    // What the world does to the first link, and the last link to the world.
    const V3 left = now.reaction(0, at.joints.front().x_a).F;
    const V3 right = -now.reaction(static_cast<int>(at.joints.size()) - 1, at.joints.back().x_b).F;
    CHECK(near(left.x, -r.at("H").get<double>(), allowed));
    CHECK(near(left.y, r.at("V_left"), allowed));
    CHECK(near(right.x, r.at("H"), allowed));
    CHECK(near(right.y, r.at("V_right"), allowed));
    const double pull = std::hypot(r.at("H").get<double>(), r.at("V_left").get<double>());
    const V3 off = left - V3{-r.at("H").get<double>(), r.at("V_left").get<double>(), left.z};
    measured({{"table", "steady"},
              {"case", "hanging chain: pull at its end, of itself"},
              {"formulation", name_of(Formulation::maximal)},
              {"error", norm(off) / pull}});

    const Input none;
    System system(*model, none);
    JointSystem joints(system);
    const State start = start_of(*model, FormKind::momentum, Formulation::reduced);
    std::vector<double> v_dot(joints.freedoms());
    system.joint_coordinates = start.joint_coordinates;
    joints.evaluate(start.joints.q, start.joints.v, 0, v_dot, true);
    worst = 0;
    for (const double a : v_dot)
        worst = std::max(worst, std::abs(a));
    CHECK(worst < allowed * g * 20 / r.at("link_length").get<double>());

    // It stays through two of its swings.
    for (const Formulation f : both) {
        const Simulation sim = ran(model, run_in(f, Method::runge_kutta4, 0.01, 3));
        const Placed later = sim.placed();
        double moved = 0;
        for (std::size_t i = 0; i < at.bodies.size(); ++i)
            moved = std::max(moved, norm(later.bodies[i].x - at.bodies[i].x));
        CHECK(moved < allowed);
        measured({{"table", "steady"},
                  {"case", "hanging chain: moved in 3 s, m"},
                  {"formulation", name_of(f)},
                  {"error", moved}});
    }
}
