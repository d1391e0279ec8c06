// SPDX-License-Identifier: MIT
// What does an aircraft of 1, 5 and 15 bodies cost in either formulation? Is it the same flight?
//
// The glider of the scenes pulls up: with rigid wings, with two segments to a wing and with seven.
// All take the step that the finest needs. Formulations are measured in turns, the least of 15; a
// row tells how far the two end from each other and from the scene as it is written, the most that
// the wings carry in weights, and the height at the end. Status 1 where any two fly apart.
//
// A second table: what a propeller and a tank that burns cost the same aircraft, as a part of what
// one of its bodies costs. Without them rotor and fuel are mass of the fuselage that does nothing.
//
// usage: bench_aircraft [BODIES PARTS FORMULATION STEPS]
//
// With arguments it takes so many steps of the aircraft of 1, 5 or 15 bodies with parts (0: none,
// 1: propeller, 2: tank, 3: both) and measures nothing: for `valgrind --tool=callgrind`, which
// counts instructions. The difference of two runs is that of their steps (`bench/parts_counted`).

#include "measure.hpp"
#include "poinsot/io/scene.hpp"
#include "poinsot/mass/inertia.hpp"
#include "poinsot/step/simulate.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>

using namespace poinsot;

namespace {

constexpr double h = 1e-4, until = 2.2; // those of the finest

Scene described(const char* name)
{
    const auto scene = read_scene(std::filesystem::path(POINSOT_BENCH_FOLDER) / "../scenes" / name);
    if (!scene) {
        std::fprintf(stderr, "%s\n", scene.problems().text().c_str());
        std::exit(1);
    }
    return std::move(*scene);
}

/// All bodies as one, in the frame of the first; the air acts on it where it acted on them.
Builder rigid(const Builder& d)
{
    Builder made;
    made.gravity = d.gravity;
    made.air = d.air;
    made.loads = d.loads; // on the first
    const auto seen = [&](std::size_t i) { return inverse(d.bodies[0].pose) * d.bodies[i].pose; };
    Body whole = d.bodies[0];
    for (std::size_t i = 1; i < d.bodies.size(); ++i) {
        const MassProperties& part = d.bodies[i].mass_properties;
        const Pose<double> at = seen(i);
        whole.mass_properties =
            joined(whole.mass_properties,
                   {part.mass, place(at, part.center), congruent(matrix_of(at.q), part.inertia)});
    }
    made.add(whole);
    for (Aerodynamics a : d.aerodynamics) {
        a.frame = seen(static_cast<std::size_t>(a.body)) * a.frame;
        a.body = 0;
        made.aerodynamics.push_back(a);
    }
    return made;
}

enum Part { none = 0, propeller = 1, tank = 2, both = 3 };

/// The aircraft with an engine in its fuselage, the parts of which are there or dead weight.
std::shared_ptr<const Model> powered(Builder b, int parts)
{
    Tank fuel;
    fuel.name = "fuel";
    fuel.content = 40;
    fuel.capacity = 60;
    fuel.room = Tank::Room::box;
    fuel.filling = Tank::Filling::from_bottom;
    fuel.frame.x = {0.1, 0, 0.1};
    fuel.size = {0.5, 0.8, 0.3};
    Flow engine;
    engine.name = "engine";
    engine.sources = {0};
    engine.mass_flow = 0.006;
    engine.point = {2.6, 0, -0.4};
    engine.direction = {-1, 0, 0};
    engine.exhaust_speed = 100;
    if (parts & tank) {
        b.tanks.push_back(fuel);
        b.flows.push_back(engine);
    } else {
        const TankShape still = shape_of(fuel);
        MassProperties& whole = b.bodies[0].mass_properties;
        whole =
            joined(whole, {fuel.content, still.center(fuel.content), still.inertia(fuel.content)});
    }
    if (parts & propeller) {
        Rotor rotor;
        rotor.name = "propeller";
        rotor.axis = {1, 0, 0};
        rotor.inertia = 1.6;
        rotor.speed = Course{250};
        b.rotors.push_back(rotor);
    }
    return std::make_shared<const Model>(*b.build());
}

StepSettings in(Formulation formulation)
{
    StepSettings step;
    step.method = Method::runge_kutta4;
    step.formulation = formulation;
    step.h = h;
    return step;
}
Simulation started(const std::shared_ptr<const Model>& model, const StepSettings& step)
{
    RunSettings run;
    run.step = step;
    run.until = until;
    run.ledger.detail = Postings::Detail::off;
    return std::move(*Simulation::start(model, run));
}

struct Flight {
    double height; // of the fuselage
    double weights;
    Vec3<double> end;
};
Flight flown(const std::shared_ptr<const Model>& model, const StepSettings& step)
{
    Simulation sim = started(model, step);
    const auto momentum = [&](double& mass) {
        double p = mass = 0;
        for (const PlacedBody& body : sim.placed().bodies) {
            p += body.p.z;
            mass += body.mass.m;
        }
        return p;
    };
    double mass = 0, p = momentum(mass), most = 0;
    const double g = -model->gravity().uniform.z;
    constexpr int every = 100; // steps of a mean that the ringing of wings is not seen in
    for (int i = 1; !sim.done(); ++i) {
        if (const auto ended = sim.step()) {
            std::fprintf(stderr, "%s\n", ended->c_str());
            std::exit(1);
        }
        if (i % every == 0) {
            const double next = momentum(mass);
            most = std::max(most, (next - p) / (every * step.h * mass * g) + 1);
            p = next;
        }
    }
    const PlacedBody fuselage = sim.placed().bodies[0];
    const Vec3<double> x = fuselage.x - fuselage.R * fuselage.mass.center; // of its frame
    return {x.z, most, x};
}

/// What rotor, tank and both of them cost, in percent of a body of the aircraft.
void print_parts(const Builder& d, Formulation formulation)
{
    Simulation without = started(powered(d, none), in(formulation)),
               rotor = started(powered(d, propeller), in(formulation)),
               burning = started(powered(d, tank), in(formulation)),
               all = started(powered(d, both), in(formulation));
    const auto twenty = [](Simulation& sim) {
        return [&sim] {
            for (int i = 0; i < 20; ++i)
                sim.step();
        };
    };
    const auto t =
        least_in_turns(301, twenty(without), twenty(rotor), twenty(burning), twenty(all));
    const auto n = static_cast<double>(d.bodies.size());
    const auto percent = [&](double time) { return 100 * (time - t[0]) / (t[0] / n); };
    std::printf("%.0f,%s,%.3f,%.1f,%.1f,%.1f\n", n, std::string(name_of(formulation)).c_str(),
                1e6 * t[0] / 20 / n, percent(t[1]), percent(t[2]), percent(t[3]));
}

} // namespace

int main(int argc, char** argv)
{
    const Scene five = described("glider.yaml"), fifteen = described("glider_fine.yaml");
    Scene one = five;
    one.description = rigid(five.description);
    if (argc == 5) {
        const int bodies = std::atoi(argv[1]);
        const Builder& d = (bodies == 1 ? one : bodies == 5 ? five : fifteen).description;
        Simulation sim = started(powered(d, std::atoi(argv[2])), in(*formulation_named(argv[3])));
        for (int i = 0; i < std::atoi(argv[4]); ++i)
            sim.step();
        return 0;
    }
    std::printf("bodies,formulation,steps_per_second,us_per_body_and_step,step_over_that_of_one,"
                "apart_m,from_scene_m,most_weights,height_m\n");
    std::vector<double> alone(2, 0.0), heights;
    bool same = true;
    for (const Scene* scene : std::initializer_list<const Scene*>{&one, &five, &fifteen}) {
        const Builder& d = scene->description;
        const auto model = std::make_shared<const Model>(*d.build());
        const Flight maximal = flown(model, in(Formulation::maximal)),
                     reduced = flown(model, in(Formulation::reduced)),
                     written = flown(model, scene->run.step);
        const double apart = norm(maximal.end - reduced.end);
        const double off = norm(maximal.end - written.end);
        // Coordinates make no difference but to rounding and to the error of the method, which is
        // of fourth order: measured were 6e-12 m. The scenes take a method of second order, and the
        // coarser one twice the step: 5e-7 m.
        same = same && apart < 1e-9 && off < 1e-6;
        heights.push_back(maximal.height);
        Simulation a = started(model, in(Formulation::maximal)),
                   b = started(model, in(Formulation::reduced));
        const auto hundred = [](Simulation& sim) {
            return [&sim] {
                for (int i = 0; i < 100; ++i)
                    sim.step();
            };
        };
        const auto t = least_in_turns(15, hundred(a), hundred(b));
        const std::size_t n = d.bodies.size();
        for (std::size_t f = 0; f < 2; ++f) {
            const double step = t[f] / 100;
            if (n == 1)
                alone[f] = step;
            const Flight& flight = f == 0 ? maximal : reduced;
            std::printf("%zu,%s,%.0f,%.3f,%.2f,%.1e,%.1e,%.3f,%.3f\n", n,
                        f == 0 ? "maximal" : "reduced", 1 / step,
                        1e6 * step / static_cast<double>(n), step / alone[f], apart, off,
                        flight.weights, flight.height);
        }
    }
    std::printf("\nbodies,formulation,us_per_body_and_step,rotor_percent_of_a_body,"
                "burning_tank_percent_of_a_body,both_percent_of_a_body\n");
    for (const Scene* scene : std::initializer_list<const Scene*>{&one, &five, &fifteen})
        for (const Formulation f : {Formulation::maximal, Formulation::reduced})
            print_parts(scene->description, f);
    // What bending takes of the climb, two segments to a wing have to a tenth.
    same = same && std::abs(heights[1] - heights[2]) < 0.1 * std::abs(heights[0] - heights[2]);
    return same ? 0 : 1;
}
