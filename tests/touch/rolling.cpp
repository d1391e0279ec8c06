// SPDX-License-Identifier: MIT
// A coin, Euler's disc and a rattleback that roll by contact with friction, not by a joint.
#include "poinsot/contacts/touch.hpp"

#include "touching.hpp"

using namespace poinsot;

namespace {

/// What rolls, as an item has it, with its skin; friction enough that nothing slips.
TouchingWorld rolls(const nlohmann::json& item, const Sym3<double>& I, const V3& x, const V3& omega,
                    const Quat<double>& q, const Shape& shape, const Pose<double>& skin_at)
{
    TouchingWorld w(10, 0);
    w.builder.gravity.uniform = {0, 0, -item.at("g").get<double>()};
    w.ground();
    Body body;
    body.name = "body";
    body.mass_properties = {item.at("m"), zero3<double>(), I};
    body.pose = {x, q};
    body.velocity = cross(omega, x); // its lowest point touches the ground at the origin, and rests
    body.angular_velocity = omega;
    const int index = w.builder.add(body);
    w.skin("body", index, collider_of(shape), skin_at);
    return w;
}

/// A disc whose circle of contact goes round its centre: the rim of a flat cylinder that lies above
/// that circle. `up`: which way of its axis is up.
TouchingWorld disc(const nlohmann::json& item, double up)
{
    const double r = item.at("r"), height = 0.2 * r, I = item.at("I_dia");
    return rolls(item, diagonal<double>(item.at("I_axis"), I, I), vec(item.at("centre")[0]),
                 vec(item.at("omega0_world")), normalised(quat(item.at("q0_wxyz"))),
                 Cylinder{r, height}, {{0.5 * up * height, 0, 0}, exp_quat(V3{0, 0.5 * M_PI, 0})});
}

TouchingWorld rattleback(const nlohmann::json& item)
{
    const auto& I = item.at("I_com_body");
    Sym3<double> made = diagonal<double>(I[0][0], I[1][1], I[2][2]);
    made.xy = I[0][1];
    return rolls(item, made, vec(item.at("com")[0]), vec(item.at("omega_world")[0]),
                 normalised(quat(item.at("quat_wxyz")[0])),
                 Ellipsoid{{item.at("a"), item.at("b"), item.at("c")}},
                 {{0, 0, item.at("com_offset_below_centre")}, identity_quat<double>()});
}

/// How far a run is from an item: centre and contact, m, and angular velocity, rad/s; and of its
/// component about z until a time.
struct Rolled {
    double place = 0, omega = 0, omega_z = 0, energy = 0, seconds = 0;
    double turns_back = 0; // s: when the spin about z first changes its sign
    std::int64_t by_impulses = 0;
};
Rolled rolled(const nlohmann::json& item, TouchingWorld w, Method method, Formulation formulation,
              double h, double until)
{
    w.method = method;
    Simulation run = w.start(h, until, {}, formulation);
    const bool has_contact = item.contains("contact");
    const auto& centres = item.at(has_contact ? "centre" : "com");
    const double begin_energy = energy_of(run);
    const std::clock_t begin = std::clock();
    Rolled made;
    double spin = run.placed().bodies[0].omega.z;
    for (std::size_t k = 1; k < centres.size() && item.at("t")[k] < until + 1e-9; ++k) {
        const double t = item.at("t")[k];
        while (run.time() < t - 1e-9) {
            take_step(run);
            const double now = run.placed().bodies[0].omega.z;
            if (made.turns_back == 0 && spin * now < 0)
                made.turns_back = run.time();
            spin = now;
        }
        const PlacedBody body = run.placed().bodies[0];
        REQUIRE(run.touches().size() == 1);
        made.place = std::max(made.place, norm(body.x - vec(centres[k])));
        if (has_contact)
            made.place =
                std::max(made.place, norm(run.touches()[0].point - vec(item.at("contact")[k])));
        const V3 off = body.omega - vec(item.at("omega_world")[k]);
        made.omega = std::max(made.omega, norm(off));
        made.omega_z = std::max(made.omega_z, std::abs(off.z));
    }
    run.close_books();
    CHECK(run.ledger().balanced());
    made.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    made.energy = std::abs(energy_of(run) - begin_energy);
    made.by_impulses = run.steps_by_impulses();
    return made;
}

void tell(const char* name, Method method, Formulation formulation, double h, double until,
          double error, const char* unit, const Rolled& made)
{
    measured({{"table", "motion"},
              {"case", name},
              {"formulation", name_of(formulation)},
              {"method", text_of(facts_of(method).name, " by contact")},
              {"step", h},
              {"until", until},
              {"error", error},
              {"unit", unit},
              {"energy", made.energy},
              {"seconds", made.seconds}});
}

struct RollingDisc {
    const char *item, *name;
    double up;
};
constexpr std::array<RollingDisc, 2> rolling_discs{
    {{"rolling_coin", "rolling coin", -1.0}, {"euler_disc_steady", "Euler's disc", 1.0}}};

} // namespace

TEST_CASE("Rolling by contact: a coin and Euler's disc follow their series, with the order of the "
          "method")
{
    const auto items = reference_items("rolling_disc.json");
    for (const RollingDisc& which : rolling_discs) {
        const auto& r = items.at(which.item);
        const double until = r.at("t").back(), check = r.at("check").at("methods");
        for (const Formulation f : {Formulation::maximal, Formulation::reduced}) {
            INFO(std::string(which.name), " ", name_of(f));
            const auto run = [&](double h) {
                return rolled(r, disc(r, which.up), Method::runge_kutta4, f, h, until);
            };
            const Rolled coarse = run(1e-3), fine = run(5e-4), finest = run(2.5e-4);
            CHECK(std::log2(coarse.omega / fine.omega) > 3.8);
            // What the file allows: ten times the difference of its two methods.
            CHECK(finest.place < 10 * check);
            CHECK(finest.omega < 10 * check * norm(vec(r.at("omega0_world"))));
            CHECK(finest.energy < 1e-9 * r.at("energy").get<double>()); // h⁵ of the method
            CHECK(coarse.by_impulses + fine.by_impulses + finest.by_impulses == 0);
            tell(which.name, Method::runge_kutta4, f, 2.5e-4, until, finest.place, "m", finest);
        }
        const auto run = [&](double h) {
            return rolled(r, disc(r, which.up), Method::splitting, Formulation::maximal, h, until);
        };
        INFO(std::string(which.name));
        CHECK(std::log2(run(5e-4).omega / run(2.5e-4).omega) > 1.9);
    }
}

TEST_CASE(
    "Euler's disc by contact: with Omega^2 sin(alpha) = 4 g/a its centre rests, whatever alpha")
{
    const auto of = reference_items("contact_closed_forms.json").at("euler_disc");
    const double a = of.at("a"), g = of.at("g");
    for (const auto& sample : of.at("samples")) {
        const double alpha = sample.at("alpha_deg").get<double>() * M_PI / 180;
        const double Omega = sample.at("Omega");
        INFO("alpha = ", alpha);
        // The disc turns about the line from its point of contact to its centre, at Ω sin α.
        const V3 line{-std::cos(alpha), 0, std::sin(alpha)}, omega = Omega * std::sin(alpha) * line;
        const double half = 0.25 * M_PI - 0.5 * alpha;
        const nlohmann::json item{{"m", 1.0},
                                  {"r", a},
                                  {"I_axis", a * a / 2},
                                  {"I_dia", a * a / 4},
                                  {"g", g},
                                  {"centre", {{a * line.x, 0.0, a * line.z}}},
                                  {"omega0_world", {omega.x, 0.0, omega.z}},
                                  {"q0_wxyz", {std::cos(half), 0.0, -std::sin(half), 0.0}}};
        TouchingWorld w = disc(item, 1);
        w.method = Method::runge_kutta4;
        const double until = 0.05;
        const auto error = [&](double h) {
            Simulation run = w.start(h, until, {}, Formulation::maximal);
            run_to_end(run);
            CHECK(run.steps_by_impulses() == 0);
            const PlacedBody body = run.placed().bodies[0];
            const double turned = Omega * run.time();
            const V3 there{omega.x * std::cos(turned), omega.x * std::sin(turned), omega.z};
            return std::max(norm(body.x - a * line) / a, norm(body.omega - there) / norm(omega));
        };
        const double h = 0.005 / Omega, coarse = error(2 * h), fine = error(h);
        MESSAGE("Euler's disc at " << alpha << ": " << coarse << ", " << fine);
        // Of the method (Ω h)⁵/120 in a step. How the lowest point runs is measured by differences
        // (step/surfaces.hpp) over 1e-3 of the size, of what changes within the tilt α: the fifth
        // derivative leaves (1e-3/α)⁴ of the acceleration, for a step, since speeds are put right
        // at its end.
        const double by_differences = std::pow(1e-3 / alpha, 4);
        CHECK(fine < Omega * until * (std::pow(Omega * h, 4) / 120 + Omega * h * by_differences));
        measured_truth("contact_closed_forms", "euler_disc",
                       text_of("runge_kutta4, at ", sample.at("alpha_deg").get<double>(),
                               "°, step 0.005/Ω, 0.05 s"),
                       fine, "of radius and rate");
    }
}

TEST_CASE("Rolling by contact in steps by impulses is of first order")
{
    // The point of contact runs round the rim at Ω r, and by impulses it is where it was in the
    // middle of a step: it rolls along chords of the circle, and loses energy in proportion to h.
    const auto r = reference_items("rolling_disc.json").at("euler_disc_steady");
    for (const Formulation f : {Formulation::maximal, Formulation::reduced}) {
        INFO(name_of(f));
        const auto run = [&](double h) {
            return rolled(r, disc(r, 1), Method::impulsive, f, h, r.at("t").back());
        };
        const Rolled coarse = run(2.5e-4), fine = run(1.25e-4);
        CHECK(std::abs(std::log2(coarse.omega / fine.omega) - 1) < 0.1);
        CHECK(std::abs(std::log2(coarse.place / fine.place) - 1) < 0.1);
        tell("Euler's disc", Method::impulsive, f, 1.25e-4, r.at("t").back(), fine.place, "m",
             fine);
    }
}

TEST_CASE("Rolling by contact: a rattleback turns back if it is spun one way, not the other" *
          doctest::test_suite("slow"))
{
    const auto items = reference_items("rattleback.json");
    // The file allows 1e-2 of ω_z before the reversal and 0.1 s for its time.
    const auto& back = items.at("kane_levinson");
    const double before = back.at("spin_reversal_between")[0][0];
    const double after = back.at("spin_reversal_between")[0][1];
    for (const Formulation f : {Formulation::maximal, Formulation::reduced}) {
        INFO(name_of(f));
        const Rolled made = rolled(back, rattleback(back), Method::runge_kutta4, f, 5e-4, before);
        CHECK(made.omega_z < 1e-2);
        CHECK(made.by_impulses == 0);
        CHECK(made.energy < 1e-4 * back.at("energy").get<double>());
        tell("rattleback", Method::runge_kutta4, f, 5e-4, before, made.omega_z, "rad/s", made);
    }
    const auto until = [&](const nlohmann::json& item, double end) {
        return rolled(item, rattleback(item), Method::runge_kutta4, Formulation::maximal, 1e-3,
                      end);
    };
    const Rolled turned = until(back, 3.0);
    CHECK(turned.turns_back > before - 0.1);
    CHECK(turned.turns_back < after + 0.1);
    const Rolled goes_on = until(items.at("kane_levinson_other_spin"), 5);
    CHECK(goes_on.turns_back == 0);
    CHECK(goes_on.omega_z < 1e-2);
    const auto& other = items.at("kane_levinson_other_spin");
    const double coarse = until(other, 1).omega;
    const double fine =
        rolled(other, rattleback(other), Method::runge_kutta4, Formulation::maximal, 5e-4, 1).omega;
    CHECK(std::log2(coarse / fine) > 3.8);
}
