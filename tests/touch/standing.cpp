// SPDX-License-Identifier: MIT
// What stands, stands: for a minute, within a millimetre.
#include "poinsot/geometry/hull.hpp"
#include "poinsot/mass/surface.hpp"
#include "poinsot/step/impulsive.hpp"

#include "touching.hpp"

#include <chrono>

using namespace poinsot;

namespace {

/// The farthest that a centre has been from its start, and the most that a body was turned, looked
/// at every 0.1 s and at the end.
struct Drift {
    double far = 0, turned = 0; // m, rad
};
Drift drift_of(const TouchingWorld& w, double h, double until,
               Formulation formulation = Formulation::maximal)
{
    Simulation run = w.start(h, until, {}, formulation);
    const Placed begin = run.placed();
    const auto clock = std::chrono::steady_clock::now();
    Drift most;
    while (!run.done()) {
        take_step(run);
        if (run.state().step % 10 != 0 && !run.done())
            continue;
        const Placed now = run.placed();
        for (std::size_t i = 0; i < now.bodies.size(); ++i) {
            const PlacedBody &a = begin.bodies[i], &b = now.bodies[i];
            most.far = std::max(most.far, norm(b.x - a.x));
            for (const V3& axis : {V3{1, 0, 0}, V3{0, 1, 0}}) // two of them tell the third
                most.turned = std::max(most.turned, norm(b.R * axis - a.R * axis));
        }
    }
    run.close_books();
    MESSAGE(name_of(formulation)
            << ": drift " << most.far << " m and " << most.turned << " rad in " << until << " s; "
            << std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count()
            << " s of computing");
    CHECK(run.ledger().balanced());
    CHECK(run.contact_quality().unsolved == 0);
    return most;
}
void stands(const TouchingWorld& w, double until, double within,
            Formulation formulation = Formulation::maximal)
{
    const Drift most = drift_of(w, 0.01, until, formulation);
    CHECK(most.far < within);
    CHECK(most.turned < within); // times the arm of a metre: what edges have gone
}

/// Stones between two half circles, on two abutments of the world.
TouchingWorld arch(int stones)
{
    TouchingWorld w(0.7);
    w.ground();
    const double inner = 1, outer = 1.3, half = 0.15, each = M_PI / stones;
    for (int i = 0; i < stones; ++i) {
        std::vector<V3> corners;
        for (const double angle : {i * each, (i + 1) * each})
            for (const double r : {inner, outer})
                for (const double y : {-half, half})
                    corners.push_back({r * std::cos(angle), y, r * std::sin(angle)});
        const auto hull = convex_hull(corners);
        REQUIRE(hull);
        const auto mass = mass_of_surface(*hull, 2000);
        REQUIRE(mass);
        Body stone;
        stone.name = text_of("stone ", i);
        stone.mass_properties = *mass;
        const int body = w.builder.add(stone);
        w.skin(stone.name, body, collider_of_hull(corners));
    }
    // The ground takes the thrust of the lowest stones by friction, as they stand on it.
    return w;
}

/// Pairs of cards that lean against each other, with a card across two of them.
TouchingWorld card_house(int storeys)
{
    TouchingWorld w(0.7);
    w.ground();
    const double length = 0.088, thick = 0.001, wide = 0.063, lean = 0.35, mass = 1.8e-3;
    const double height = length * std::cos(lean) + thick * std::sin(lean);
    const double foot = length * std::sin(lean) + thick * std::cos(lean); // of half a tent
    for (int i = 0; i < storeys; ++i) {
        const double z = i * (height + thick);
        const int tents = storeys - i;
        for (int k = 0; k < tents; ++k) {
            const double x = (2 * k - tents + 1) * foot;
            for (const int side : {-1, 1}) {
                const Quat<double> q = exp_quat(V3{0, -side * lean, 0});
                w.box(text_of("card ", i, k, side), {thick, wide, length}, mass,
                      {{x + side * 0.5 * foot, 0, z + 0.5 * height}, q});
            }
        }
        for (int k = 0; k + 1 < tents; ++k)
            w.box(text_of("floor ", i, k), {2 * foot, wide, thick}, mass,
                  {{(2 * k - tents + 2) * foot, 0, z + height + 0.5 * thick},
                   identity_quat<double>()});
    }
    return w;
}

TouchingWorld tower()
{
    TouchingWorld w(0.5);
    w.ground();
    for (int i = 0; i < 10; ++i)
        w.box(text_of("box ", i), {0.2, 0.2, 0.2}, i == 9 ? 100 : 1,
              {{0, 0, 0.1 + 0.2 * i}, identity_quat<double>()});
    return w;
}

/// Bricks, every other row a quarter of a brick further.
TouchingWorld wall(int rows, int columns)
{
    TouchingWorld w(0.6);
    w.ground();
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < columns; ++k)
            w.box(text_of("brick ", i, " ", k), {0.4, 0.2, 0.2}, 4,
                  {{0.41 * k + (i % 2 == 0 ? 0 : 0.1), 0, 0.1 + 0.2 * i}, identity_quat<double>()});
    return w;
}

TouchingWorld pyramid(int rows)
{
    TouchingWorld w(0.6);
    w.ground();
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < rows - i; ++k)
            w.box(text_of("box ", i, " ", k), {0.4, 0.4, 0.4}, 4,
                  {{0.42 * k + 0.21 * i, 0, 0.2 + 0.4 * i}, identity_quat<double>()});
    return w;
}

/// On a slope of 20°, whose tangent is less than its friction.
TouchingWorld block_on_slope()
{
    const double slope = M_PI / 9;
    TouchingWorld w(0.5);
    w.ground(slope);
    const Quat<double> q = exp_quat(V3{0, slope, 0});
    w.box("block", {0.4, 0.3, 0.2}, 2, {rotate(q, V3{0, 0, 0.1}), q});
    return w;
}
/// How far it has gone after some seconds, and after all of them.
std::array<double, 2> gone(const ContactSettings& contact, double first, double until)
{
    Simulation run = block_on_slope().start(0.01, until, contact);
    const V3 begin = run.placed().bodies[0].x;
    const auto far = [&] { return norm(run.placed().bodies[0].x - begin); };
    while (run.time() < first)
        take_step(run);
    const double early = far();
    run_to_end(run);
    MESSAGE("gone " << early << " m after " << first << " s, " << far() << " m after " << until
                    << " s");
    return {early, far()};
}
ContactSettings swept(int sweeps, double tolerance)
{
    ContactSettings made;
    made.exact = false;
    made.sweeps = sweeps;
    made.tolerance = tolerance;
    return made;
}

} // namespace

TEST_CASE("What stands does not begin to move: a tower, a house of cards, an arch")
{
    for (const Formulation formulation : either_form) {
        stands(tower(), 3, 1e-9, formulation);
        stands(card_house(2), 3, 1e-9, formulation);
        stands(arch(7), 3, 1e-9, formulation);
    }
}

TEST_CASE("What stands does not begin to move: a wall of 200 boxes, a pyramid of 20 rows")
{
    stands(wall(20, 10), 0.05, 1e-9);
    stands(pyramid(20), 0.05, 1e-9);
}

TEST_CASE("A block on a slope below the critical angle stays where it is")
{
    CHECK(gone({}, 10, 60)[1] < 1e-10);
    CHECK(gone(swept(1000, 1e-13), 10, 60)[1] < 1e-10);
    // Ten sweeps of each step go on from those of the step before: it creeps, and stops.
    const auto [early, all] = gone(swept(10, 1e-300), 10, 60);
    CHECK(std::abs(all - early) < 1e-10);
    CHECK(all < 1e-3);
}

TEST_SUITE("slow")
{
    TEST_CASE("A block on a slope below the critical angle stays where it is for an hour")
    {
        CHECK(gone({}, 10, 3600)[1] < 1e-9);
        CHECK(gone(swept(1000, 1e-13), 10, 3600)[1] < 1e-9);
        const auto [early, all] = gone(swept(10, 1e-300), 10, 3600);
        CHECK(std::abs(all - early) < 1e-9);
    }
    TEST_CASE("A wall of 200 boxes stands")
    {
        stands(wall(20, 10), 60, 1e-3);
    }
    TEST_CASE("A pyramid of 20 rows stands")
    {
        stands(pyramid(20), 60, 1e-3);
    }
    TEST_CASE("A tower of ten boxes with the heaviest on top stands")
    {
        stands(tower(), 60, 1e-3);
    }
    TEST_CASE("A house of cards stands")
    {
        stands(card_house(3), 60, 1e-3);
    }
    TEST_CASE("An arch without mortar stands")
    {
        stands(arch(11), 60, 1e-3);
    }
}
