// SPDX-License-Identifier: MIT
#include "poinsot/model/flight.hpp"

#include "worlds.hpp"

using namespace poinsot;

namespace {

Builder glider()
{
    Builder b;
    b.add(body_with("glider", 1, diagonal(1.0, 1.0, 1.0), zero3<double>(), zero3<double>()));
    b.air.kind = Air::Kind::standard;
    Aerodynamics a;
    a.name = "wing";
    a.area = 1;
    a.drag.constant = 0.1;
    b.aerodynamics.push_back(a);
    return b;
}
/// The one problem of a description, as "place.key: what".
std::string only_problem(const Builder& b)
{
    const auto made = b.build();
    if (made)
        return "none";
    const auto& list = made.problems().list();
    if (list.size() != 1)
        return made.problems().text();
    return list[0].place + "." + list[0].key + ": " + list[0].what;
}
/// The glider changed has one problem, and it begins so. The text is made before the check: what a
/// message makes late is made while doctest holds its lock.
template <class Change>
void says(Change change, const std::string& begin)
{
    Builder b = glider();
    change(b);
    const std::string problem = only_problem(b);
    CHECK_MESSAGE(problem.find(begin) == 0, problem, " should begin ", begin);
}
/// A flap that is let down further than its table goes.
void let_flap_down(Builder& b, Beyond beyond)
{
    b.controls.push_back({"flap", 0, 1, {0, 3}, {0, 0.6}});
    Coefficient& lift = b.aerodynamics[0].lift;
    lift.over = {Coefficient::Over::control};
    lift.over_controls = {0};
    lift.table = {{{0, 0.5}}, {1, 2}, beyond};
}
#define SAYS(change, text) says([](Builder& b) { change; }, text)

} // namespace

TEST_CASE("A planet that cannot be is refused, and the remedy told")
{
    CHECK(only_problem(glider()) == "none");
    SAYS(b.planet = wgs84, "none");
    SAYS(b.planet.rotation = 1, "planet.rotation: a flat planet has no rotation");
    SAYS(b.planet.mu = 1, "planet.mu: a flat planet has no mu");
    SAYS(b.planet = wgs84; b.planet.radius = -1, "planet.radius: radius must be finite and pos");
    SAYS(b.planet = wgs84; b.planet.flattening = 0.5, "planet.flattening: flattening must be betw");
    SAYS(b.planet = wgs84;
         b.planet.rotation = std::nan(""), "planet.rotation: rotation must be fi");
    SAYS(b.planet = wgs84; b.planet.mu = -1, "planet.mu: mu must be finite and not negative");
    SAYS(b.planet = wgs84; b.planet.J2 = HUGE_VAL, "planet.J2: J2 must be finite");
    SAYS(b.planet = wgs84; b.planet.mu = 0, "planet.J2: J2 shapes a gravitation that is zero");
    SAYS(b.planet = wgs84; b.planet.J2_radius = 0, "planet.J2_radius: J2_radius must be finite");
    SAYS(b.planet = wgs84; b.gravity.uniform = (V3{0, 0, -1}), "gravity.uniform: a round planet");
}

TEST_CASE("Air and wind that cannot be are refused")
{
    SAYS(b.air.kind = Air::Kind::uniform;
         b.air.density = -1, "air.density: density must be finite");
    SAYS(b.air.kind = Air::Kind::uniform; b.air.speed_of_sound = 0, "air.speed_of_sound: speed_of");
    SAYS(b.air.wind.x = std::nan(""), "air.wind: wind must be finite");
    SAYS(b.air.profile.altitude = {0};
         b.air.profile.velocity = {{}}, "air.profile: altitudes of th");
    SAYS(b.air.profile.altitude = (std::vector<double>{1, 0});
         b.air.profile.velocity.resize(2, zero3<double>()),
         "air.profile: altitudes of the wind: an");
    SAYS(b.air.profile.altitude = (std::vector<double>{0, 1});
         b.air.profile.velocity.resize(3, zero3<double>()),
         "air.profile: a wind profile needs one");
    SAYS(b.air.profile.altitude = (std::vector<double>{0, 1});
         b.air.profile.velocity.resize(2, V3{HUGE_VAL, 0, 0}), "air.profile: the velocities");
    SAYS(b.air.gusts.push_back({"g", zero3<double>(), 0, 0}), "g.duration: duration must be finit");
    SAYS(b.air.gusts.push_back({"g", V3{HUGE_VAL, 0, 0}, 0, 1}), "g.peak: the peak of a gust");
    SAYS(b.air.gusts.push_back({"g", zero3<double>(), HUGE_VAL, 1}),
         "g.start: the start of a gust");
}

TEST_CASE("Aerodynamics that cannot be are refused")
{
    SAYS(b.air.kind = Air::Kind::none, "wing.body: there is no air");
    SAYS(b.aerodynamics[0].body = 3, "wing.body: acts on a body that does not exist");
    SAYS(b.aerodynamics[0].area = 0, "wing.area: area must be finite and positive");
    SAYS(b.aerodynamics[0].span = -1, "wing.span: span must be finite and not negative");
    SAYS(b.aerodynamics[0].chord = HUGE_VAL, "wing.chord: chord must be finite");
    SAYS(b.aerodynamics[0].frame.x.x = HUGE_VAL, "wing.at: the point it acts at");
    SAYS(b.aerodynamics[0].frame.q.w = 2, "wing.orientation: orientation must be a unit quat");
    SAYS(b.aerodynamics[0].lift.alpha = std::nan(""), "wing.lift: the numbers of a coefficient");
    SAYS(b.aerodynamics[0].roll.constant = 1, "wing.span: roll, yaw and what grows with p or r");
    SAYS(b.aerodynamics[0].lift.q = 1, "wing.chord: pitch and what grows with q need a chord");
    SAYS(b.aerodynamics[0].lift.table.values = {1}, "wing.lift: a table has one, two");
    SAYS(b.aerodynamics[0].lift.table = (Table{{{0, 1}}, {1, 2}}),
         "wing.lift: a table needs one of");
    SAYS(b.aerodynamics[0].lift.over.assign(2, Coefficient::Over::mach);
         b.aerodynamics[0].lift.table = (Table{{{0, 1}, {0, 1}}, {1, 2, 3, 4}}),
         "wing.lift: two axes of a table are the same quantity");
    SAYS(b.aerodynamics[0].lift.over = {Coefficient::Over::mach};
         b.aerodynamics[0].lift.table = (Table{{{1, 0}}, {1, 2}}),
         "wing.lift: an axis must increase");
    SAYS(let_flap_down(b, Beyond::refuse),
         "wing.lift: its table over a control ends at 0 and 0.5, and the "
         "schedule leads to 0.6 at t = 3 s; add nodes");
    SAYS(let_flap_down(b, Beyond::hold), "none");
}

TEST_CASE("The air drags a particle, and nothing else")
{
    const auto on_particle = [](auto change) {
        Builder b = glider();
        b.bodies.clear();
        b.add_particle("dust", 1, zero3<double>(), zero3<double>());
        change(b.aerodynamics[0]);
        return only_problem(b);
    };
    CHECK(on_particle([](Aerodynamics&) {}) == "none");
    CHECK(on_particle([](Aerodynamics& a) {
              a.drag.over = {Coefficient::Over::mach};
              a.drag.table = {{{0, 1}}, {1, 2}};
          }) == "none");
    CHECK(on_particle([](Aerodynamics& a) { a.drag.alpha = 1; }).find("wing.drag: a particle") ==
          0);
    CHECK(on_particle([](Aerodynamics& a) { a.lift.constant = 1; }).find("wing.lift: a part") == 0);
    CHECK(on_particle([](Aerodynamics& a) { a.frame.x.x = 1; }).find("wing.at: a particle") == 0);
}
