// SPDX-License-Identifier: MIT
// A wrong description is named, all of it at once; a right one becomes a model.

#include "worlds.hpp"

using namespace poinsot;

namespace {

Body good(const char* name = "body")
{
    return body_with(name, 1, diagonal(1.0, 1.5, 2.0), zero3<double>(), zero3<double>());
}
/// The problems of a model with this one body.
std::string problems_of(const Body& body)
{
    Builder b;
    b.add(body);
    const auto made = b.build();
    return made ? "" : made.problems().text();
}
bool names(const std::string& text, const char* what)
{
    INFO(text);
    return text.find(what) != std::string::npos;
}

} // namespace

TEST_CASE("A body that cannot be is named with the reason")
{
    CHECK(problems_of(good()).empty());
    for (const double mass : {0.0, -1.0, std::nan(""), double(INFINITY)}) {
        Body body = good();
        body.mass_properties.mass = mass;
        CHECK(names(problems_of(body), "mass must be positive"));
    }
    Body body = good();
    body.mass_properties.inertia = diagonal(1.0, 1.0, 5.0);
    CHECK(names(problems_of(body), "no body has this inertia"));
    body.mass_properties.inertia =
        diagonal(0.0, 1.0, 1.0); // a line: nothing to turn about its axis
    CHECK(names(problems_of(body), "about one axis is zero"));
    body.mass_properties.inertia = diagonal(1.0, 1.0, 1e-12);
    CHECK(
        names(problems_of(body), "about one axis is less than 1e-12 of the others (1e-12 kg m²)"));
    body = good();
    body.pose.q = {1, 1, 0, 0};
    CHECK(names(problems_of(body), "unit quaternion"));
    body = good();
    body.velocity.x = std::nan("");
    CHECK(names(problems_of(body), "velocity must be finite"));
    body = good();
    body.particle = true;
    CHECK(names(problems_of(body), "a particle has no extent"));
}

TEST_CASE("What acts along a line is refused where it begins without one")
{
    const V3 o = zero3<double>();
    const auto problems = [](const Builder& b) {
        const auto made = b.build();
        return made ? std::string() : made.problems().text();
    };
    Builder b;
    Body at = good("a");
    at.pose = {{1, 2, 3}, exp_quat(V3{0.3, 0.2, 0.1})};
    b.add(at);
    const V3 end{0.1, 0.7, -0.3};
    const V3 there = place(at.pose, end);
    b.springs.push_back({"strut", {world, there}, {0, end}, 100, 0, 1});
    CHECK(names(problems(b), "strut: both ends are in one place at the start"));
    b.springs[0].rest_length = 0; // needs no direction
    CHECK(problems(b).empty());
    b.springs[0].rest_length = 1;
    b.springs[0].stiffness = 0; // a damper acts along the motion
    CHECK(problems(b).empty());
    b.springs[0].stiffness = 100;
    b.springs[0].a.point.x += 1e-6;
    CHECK(problems(b).empty());
    b.springs.clear();

    b.gravity.G = 1;
    b.add_particle("p", 1, {1, 2, 3}, o);
    CHECK(names(problems(b), "p: is where 'a' is, and masses in one place attract"));
    b.gravity.G = 0;
    CHECK(problems(b).empty());
    b.gravity.G = 1;
    b.bodies[1].pose.x.z += 1e-6;
    CHECK(problems(b).empty());
    // rings about one centre, which joints hold there
    b.bodies.pop_back();
    Body ring = at;
    ring.name = "ring";
    b.add(ring);
    CHECK(names(problems(b), "ring: is where 'a' is"));
    Joint pin;
    pin.name = "pin";
    pin.a = 0, pin.b = 1;
    pin.kind = JointKind::revolute;
    b.add(pin);
    CHECK(problems(b).empty());
}

TEST_CASE("A held body must start as its hold allows")
{
    Body body = good();
    body.held = Held{{0, 0, -1}, {}};
    CHECK(problems_of(body).empty());
    body.velocity = {0.5, 0, 0};
    CHECK(names(problems_of(body), "held point"));
    body.angular_velocity = {0, 0.5, 0}; // now the point stands still: v + ω × r = 0
    CHECK(problems_of(body).empty());
    body.held->along = V3{1, 0, 0};
    body.velocity = {7, 0, 0};
    CHECK(problems_of(body).empty()); // along the line it may go
    body.velocity = {7, 1, 0};
    CHECK(names(problems_of(body), "held point"));
    body.held->along = zero3<double>();
    CHECK(names(problems_of(body), "direction"));
}

TEST_CASE("All problems of a description are found at once")
{
    Builder b;
    b.add(good("twin"));
    b.add(good("twin"));
    b.add_particle("", -1, zero3<double>(), zero3<double>());
    b.springs.push_back({"to nobody", {0, zero3<double>()}, {9, zero3<double>()}, 1, 0, 0});
    b.springs.push_back({"to itself", {0, zero3<double>()}, {0, {1, 0, 0}}, 1, 0, 0});
    b.springs.push_back({"of air", {world, zero3<double>()}, {world, {1, 0, 0}}, 1, 0, 0});
    b.springs.push_back({"weak", {0, zero3<double>()}, {1, zero3<double>()}, -1, -1, -1});
    b.drags.push_back({"drag", 17, 0, -1});
    b.loads.push_back({"late", 0, zero3<double>(), zero3<double>(), zero3<double>(), false, 2, 1});
    b.loads.push_back({"twist", 2, zero3<double>(), {0, 0, 1}});
    b.gravity.G = -1;
    const auto made = b.build();
    REQUIRE_FALSE(made);
    const std::string text = made.problems().text();
    for (const char* what : {"two bodies have this name", "needs a name", "mass must be positive",
                             "a body that does not exist", "both ends are on the same body",
                             "both ends are fixed to the world", "stiffness must", "damping must",
                             "rest length must", "quadratic drag coefficient",
                             "must begin before it ends", "a particle feels no torque", "G must"})
        CHECK(names(text, what));
}

TEST_CASE("A problem names the key it is about")
{
    Builder b;
    Body body = good("bad");
    body.mass_properties.mass = -1;
    body.pose.q = {2, 0, 0, 0};
    body.held = Held{zero3<double>(), zero3<double>()};
    b.add(body);
    b.springs.push_back({"spring", {world, zero3<double>()}, {7, zero3<double>()}, 1, -1, 0});
    b.drags.push_back({"drag", 0, -1, -1});
    b.loads.push_back({"load", 9, zero3<double>(), zero3<double>(), zero3<double>(), false, 2, 1});
    b.gravity.G = -1;
    const auto made = b.build();
    REQUIRE_FALSE(made);
    std::vector<std::string> found;
    for (const Problem& p : made.problems().list())
        found.push_back(p.place + " " + p.key);
    CHECK(found == std::vector<std::string>{"bad mass", "bad orientation", "bad held.along",
                                            "gravity G", "spring to", "spring damping",
                                            "drag linear", "drag quadratic", "load body",
                                            "load from"});
}

TEST_CASE("A particle is called a particle")
{
    const Vec3<double> o = zero3<double>();
    Builder b;
    b.add(good("one"));
    b.add_particle("one", 1, o, o);
    b.add_particle("two", 1, o, o);
    b.add_particle("two", 1, o, o);
    b.add_particle("two", 1, o, o);
    b.add_particle("", 1, o, o);
    b.springs.push_back({"loop", {2, o}, {2, o}, 1, 0, 0});
    const auto made = b.build();
    REQUIRE_FALSE(made);
    CHECK(made.problems().text() ==
          "one: a body and a particle have this name; names must be unique\n"
          "two: two particles have this name; names must be unique\n"
          "particle 5: needs a name\n"
          "loop: both ends are on the same particle; fix one end to another, or to the world\n");
}

TEST_CASE("An empty model is refused")
{
    const auto made = Builder{}.build();
    REQUIRE_FALSE(made);
    CHECK(names(made.problems().text(), "no body"));
}

TEST_CASE(
    "A model keeps what was described, with the attitude made unit and the inverse inertia ready")
{
    Builder b;
    Body body = good();
    body.pose.q = {1 + 1e-8, 0, 0, 0};
    b.add(body);
    const auto model = built(b);
    CHECK(near(norm2(model->bodies()[0].pose.q), 1, 1e-15));
    const Sym3<double>&I = model->masses()[0].I_b, &inv = model->masses()[0].inv_I_b;
    const Mat3<double> one = full(I) * full(inv);
    CHECK(near(trace(one), 3, 1e-15));
    CHECK(model->masses()[0].principal == V3{1, 1.5, 2});
    CHECK_FALSE(model->velocity_dependent());
}
