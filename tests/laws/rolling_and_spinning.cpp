// SPDX-License-Identifier: MIT
// Discs that roll, tops on a ball joint and blocks with a point in common, in both formulations.

#include "formulations.hpp"

using namespace poinsot;

namespace {

/// The disc of an item, its axis along x of the body, on the plane z = 0.
Builder rolling_disc(const nlohmann::json& r)
{
    Builder b;
    b.gravity.uniform = {0, 0, -r.at("g").get<double>()};
    const double I = r.at("I_dia");
    const V3 omega = vec(r.at("omega0_world")), x = vec(r.at("centre")[0]);
    Body disc = body_with("disc", r.at("m"), diagonal<double>(r.at("I_axis"), I, I),
                          cross(omega, x - vec(r.at("contact0"))), omega);
    disc.pose = {x, normalised(quat(r.at("q0_wxyz")))};
    b.add(disc);
    Joint roll;
    roll.name = "roll";
    roll.kind = JointKind::rolling;
    roll.b = 0;
    roll.frame_b.q = exp_quat(V3{0, 0.5 * M_PI, 0}); // z along x of the body
    roll.radius = r.at("r");
    b.add(roll);
    return b;
}

Joint at_origin(JointKind kind)
{
    Joint joint;
    joint.name = "tip";
    joint.kind = kind;
    joint.b = 0;
    return joint;
}

} // namespace

TEST_CASE("A coin and Euler's disc roll as their series, and press on the plane as they should")
{
    const auto items = reference_items("rolling_disc.json");
    for (const auto& which :
         {std::pair("rolling_coin", "rolling coin"), {"euler_disc_steady", "Euler's disc"}}) {
        const auto& r = items.at(which.first);
        const char* const name = which.second;
        INFO(std::string(name));
        const auto model = built(rolling_disc(r));
        const double check = r.at("check").at("methods"), radius = r.at("r");
        const double weight = r.at("m").get<double>() * r.at("g").get<double>();
        for (const Formulation f : both) {
            INFO(name_of(f));
            const RunSettings run = tight(f, 1e-3, r.at("t").back(), 1e-13);
            double turn = 0, force = 0, speed = 0;
            const Followed place =
                worst_of(model, run, r.at("t"), [&](const Placed& placed, std::size_t k) {
                    const PlacedBody& disc = placed.bodies[0];
                    turn =
                        std::max(turn, angle_between(quat_of(disc.R), quat(r.at("quat_wxyz")[k])));
                    speed = std::max(speed, norm(disc.omega - vec(r.at("omega_world")[k])));
                    const V3 contact = disc.x + rolling_arm(disc.R * V3{1, 0, 0}, radius);
                    const Moment now(*model, placed);
                    force = std::max(
                        force, norm(now.reaction(0, contact).F - vec(r.at("force_on_disc")[k])));
                    return std::max(norm(disc.x - vec(r.at("centre")[k])),
                                    norm(contact - vec(r.at("contact")[k])));
                });
            place.measured(name, run, "m");
            CHECK(place.error < 10 * check);
            CHECK(turn < 10 * check);
            CHECK(speed < 10 * check * norm(vec(r.at("omega0_world"))));
            CHECK(force < 10 * check * weight);
            CHECK(place.energy < 1e-10 * r.at("energy").get<double>());
        }
    }
}

TEST_CASE("A rolling disc stays upright above the speed of the books, and falls below it")
{
    const auto r =
        reference_items("rolling_disc.json").at("rolling_disc_stability").at("examples")[0];
    const double radius = r.at("r"), g = r.at("g");
    for (const bool hoop : {false, true}) {
        INFO(hoop);
        const double critical = r.at(hoop ? "v_crit_hoop" : "v_crit_disc");
        for (const Formulation f : both) {
            INFO(name_of(f));
            const auto tilt = [&](double v) {
                Builder b;
                b.gravity.uniform = {0, 0, -g};
                // upright to 1e-6; it rolls along y, its axis along x
                const double m = 1, I = m * radius * radius * (hoop ? 1 : 0.5);
                const double lean = 1e-6;
                const V3 omega{-v / radius, 0, 0};
                Body disc = body_with("disc", m, diagonal(I, 0.5 * I, 0.5 * I), zero3<double>(),
                                      rotate(exp_quat(V3{0, lean, 0}), omega));
                disc.pose.q = exp_quat(V3{0, lean, 0});
                const V3 arm = rolling_arm(rotate(disc.pose.q, V3{1, 0, 0}), radius);
                disc.pose.x = -arm;
                disc.velocity = -cross(disc.angular_velocity, arm);
                b.add(disc);
                Joint roll = at_origin(JointKind::rolling);
                roll.frame_b.q = exp_quat(V3{0, 0.5 * M_PI, 0});
                roll.radius = radius;
                b.add(roll);
                double worst = 0;
                auto sim = Simulation::start(built(b), run_in(f, Method::runge_kutta4, 5e-3, 5));
                REQUIRE(sim);
                while (!sim->done() && worst < 0.1) {
                    REQUIRE_FALSE(sim->step());
                    worst = std::max(worst, std::abs((sim->placed().bodies[0].R * V3{1, 0, 0}).z));
                }
                return worst;
            };
            const double above = tilt(1.05 * critical), below = tilt(0.9 * critical);
            CHECK(above < 1e-4);
            CHECK(below > 0.01);
        }
    }
}

TEST_CASE("Tops on a ball joint follow their series in both formulations" *
          doctest::test_suite("slow"))
{
    const auto items = reference_items("tops.json");
    struct Top {
        const char *item, *name;
        bool shows_order;
    };
    for (const Top& which : {Top{"heavy_top_bruls", "heavy top", false},
                             {"cuspidal", "top with cusps", true},
                             {"looping", "top with loops", true}}) {
        const auto& r = items.at(which.item);
        const char* const name = which.name;
        INFO(std::string(name));
        Builder b;
        Body top;
        if (r.contains("com_body")) {
            const V3 I = vec(r.at("I_cm"));
            const V3 omega = vec(r.at("omega0_body")), c = vec(r.at("com_body"));
            top = body_with("top", r.at("m"), diagonal(I.x, I.y, I.z), cross(omega, c), omega);
            top.mass_properties.center = c;
        } else {
            const double m = r.at("m"), l = r.at("l"), I3 = r.at("I3"),
                         I1 = r.at("I1_pivot").get<double>() - m * l * l,
                         theta = r.at("theta0_deg").get<double>() * M_PI / 180;
            top.pose.q = exp_quat(V3{0, theta, 0});
            const V3 axis = rotate(top.pose.q, V3{0, 0, 1});
            const V3 omega =
                r.at("phidot0").get<double>() * V3{0, 0, 1} + r.at("psidot0").get<double>() * axis;
            const Quat<double> q = top.pose.q;
            top = body_with("top", m, diagonal(I1, I1, I3), cross(omega, l * axis), omega);
            top.pose.q = q;
            top.mass_properties.center = {0, 0, l};
        }
        b.add(top);
        b.gravity.uniform = {0, 0, -r.at("g").get<double>()};
        b.add(at_origin(JointKind::ball));
        const auto model = built(b);
        const auto center = [&](const Placed& placed, std::size_t k) {
            return norm(placed.bodies[0].x - vec(r.at("com_world")[k]));
        };
        double check = 0;
        for (const auto& c : r.at("check"))
            check = std::max(check, c.get<double>());
        for (const Formulation f : both) {
            INFO(name_of(f));
            const RunSettings run = tight(f, 0.01, r.at("t").back(), 1e-13);
            double turn = 0;
            const Followed whole =
                worst_of(model, run, r.at("t"), [&](const Placed& placed, std::size_t k) {
                    const PlacedBody& body = placed.bodies[0];
                    if (r.contains("quat_wxyz"))
                        turn = std::max(turn,
                                        angle_between(quat_of(body.R), quat(r.at("quat_wxyz")[k])));
                    return center(placed, k);
                });
            whole.measured(name, run, "m");
            CHECK(whole.error < 10 * check);
            CHECK(turn < 10 * check);
        }
        const auto error = [&](double h) {
            return worst_of(model, run_in(Formulation::reduced, Method::gauss, h, 0.5), r.at("t"),
                            center)
                .error;
        };
        // The order shows where a step is short against a turn of the spin. The error is then five
        // to fifty times what the series is good to, which may add 1 to 8 or take it away; that of
        // the heavy top is below its series, good to 5e-13, even when it turns by 2 rad in a step.
        const double rest = error(2.5e-3), coarse = error(1.25e-2), fine = error(1e-2);
        CAPTURE(rest);
        CAPTURE(coarse);
        CAPTURE(fine);
        if (which.shows_order)
            CHECK(near(std::log(coarse / fine) / std::log(1.25), 8, 1.0 / 8));
        else
            CHECK(coarse < 1.1 * rest);
    }
}

TEST_CASE("Two blocks with a point in common follow their series for two seconds")
{
    const auto r = reference_items("seed_examples.json").at("two_blocks");
    const auto model_with = [&](JointKind kind) {
        Builder b;
        b.gravity.uniform = vec(r.at("g"));
        for (const char* which : {"1", "2"}) {
            const std::string w = which;
            const V3 I = vec(r.at("I" + w));
            Body body = body_with(("block " + w).c_str(), r.at("m" + w), diagonal(I.x, I.y, I.z),
                                  vec(r.at("v" + w)), vec(r.at("w" + w)));
            body.pose.x = vec(r.at("p" + w));
            b.add(body);
        }
        Joint joint;
        joint.name = "pin";
        joint.kind = kind;
        joint.a = 0;
        joint.b = 1;
        joint.frame_a.x = vec(r.at("r1"));
        joint.frame_b.x = vec(r.at("r2"));
        b.add(joint);
        return built(b);
    };
    // As a row between two that float, and as a joint of the tree.
    for (const JointKind kind : {JointKind::point, JointKind::ball})
        for (const Formulation f : both) {
            INFO(facts_of(kind).name, " ", name_of(f));
            const auto model = model_with(kind);
            const RunSettings run = tight(f, 0.01, 2, 1e-13);
            double motion = 0, opened = 0;
            const Followed place =
                worst_of(model, run, r.at("t"), [&](const Placed& placed, std::size_t k) {
                    double off = 0;
                    for (std::size_t i = 0; i < 2; ++i) {
                        const auto& s = r.at("state_p_q_v_w_per_body")[k];
                        const auto n = [&](std::size_t j) { return s[13 * i + j].get<double>(); };
                        const PlacedBody& body = placed.bodies[i];
                        off = std::max(off, norm(body.x - V3{n(0), n(1), n(2)}));
                        motion = std::max({motion,
                                           angle_between(quat_of(body.R), {n(3), n(4), n(5), n(6)}),
                                           norm(body.v - V3{n(7), n(8), n(9)}),
                                           norm(body.omega - V3{n(10), n(11), n(12)})});
                    }
                    opened = std::max(opened, gap(*model, placed));
                    return off;
                });
            if (kind == JointKind::ball)
                place.measured("two blocks", run, "m");
            const double allowed_error = 10 * r.at("check").at("tol").get<double>();
            CHECK(place.error < allowed_error);
            CHECK(motion < allowed_error);
            CHECK(opened < 4 * place_rounding * 20); // they fall twenty metres
        }
}
