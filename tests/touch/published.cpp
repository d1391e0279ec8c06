// SPDX-License-Identifier: MIT
// Problems whose errors other engines have published, at their step of 1 ms: the rest of
// SimBenchmark, and Gazebo's boxes. docs/validation.md has the figures beside each other.
#include "poinsot/contacts/touch.hpp"
#include "poinsot/io/scene.hpp"

#include "touching.hpp"

using namespace poinsot;

namespace {

/// Six layers of six by six balls of 0.1 m and 10 kg, 0.21 m apart, nudged by up to 1 mm.
TouchingWorld heap(double restitution, double height)
{
    TouchingWorld w(0, restitution);
    w.ground();
    Dice dice(42);
    for (int k = 0; k < 6; ++k)
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j) {
                const double dx = dice.uniform(-1e-3, 1e-3), dy = dice.uniform(-1e-3, 1e-3);
                w.ball(text_of("ball ", i, j, k), 0.1, 10,
                       {0.21 * i + dx, 0.21 * j + dy, height + 0.21 * k});
            }
    return w;
}

/// The sum of squared depths, of all pairs and of the ground.
double squared_depths(const Placed& at)
{
    double sum = 0;
    const auto take = [&](double gap) { sum += gap < 0 ? gap * gap : 0; };
    for (std::size_t i = 0; i < at.bodies.size(); ++i) {
        const V3& x = at.bodies[i].x;
        take(x.z - 0.1);
        for (std::size_t j = 0; j < i; ++j) {
            const V3 d = x - at.bodies[j].x;
            if (std::abs(d.z) < 0.2 && dot(d, d) < 0.04)
                take(norm(d) - 0.2);
        }
    }
    return sum;
}

double seconds_since(std::clock_t begin)
{
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// SimBenchmark's robot at a height of 2 m, in a scene.
std::optional<Scene> anymal(const std::string& keys, const std::string& rest)
{
    const auto file = outside("urdf/anymal_b.urdf");
    if (!file)
        return std::nullopt;
    const std::string text =
        text_of("robots: [{name: robot, file: \"", std::filesystem::absolute(*file).string(),
                "\", base: floating, position: [0, 0, 2]", keys, "}]\n", rest);
    auto scene = read_scene_text(text, "anymal.yaml");
    if (!scene)
        FAIL(scene.problems().text());
    return std::move(*scene);
}

} // namespace

TEST_SUITE("slow")
{
    TEST_CASE("SimBenchmark, 666: a heap of balls that falls apart does not overlap")
    {
        const TouchingWorld w = heap(0, 0.101);
        ContactSettings contact;
        contact.exact = false;
        contact.tolerance = 1e-8;
        const std::clock_t begin = std::clock();
        Simulation run = w.start(1e-3, 10, contact);
        double sum = 0;
        while (!run.done()) {
            take_step(run);
            sum += squared_depths(run.placed());
        }
        run.close_books();
        const double error = sum / 10000;
        measured({{"table", "contact"},
                  {"case", "666"},
                  {"error", error},
                  {"seconds", seconds_since(begin)}});
        CHECK(error < 1.3534e-4); // the best that was published
        CHECK(run.ledger().balanced());
    }

    TEST_CASE("SimBenchmark, elastic 666: energy of a heap of elastic balls stays")
    {
        const TouchingWorld w = heap(1, 1.101);
        ContactSettings contact;
        contact.exact = false;
        contact.tolerance = 1e-10;
        const std::clock_t begin = std::clock();
        Simulation run = w.start(1e-3, 10, contact);
        const double E = energy_of(run);
        double sum = 0;
        while (!run.done()) {
            take_step(run);
            const double off = energy_of(run) - E;
            sum += off * off;
        }
        run.close_books();
        const double error = sum / 10000;
        measured({{"table", "contact"},
                  {"case", "elastic 666"},
                  {"error", error},
                  {"seconds", seconds_since(begin)}});
        CHECK(error < 8.36); // the best that was published
        CHECK(run.ledger().balanced());
    }

    TEST_CASE("SimBenchmark, ANYmal momentum: a ball strikes a robot that floats, p stays")
    {
        const auto scene = anymal(", groups: [robot], meets: [default]", R"(
bodies: [{name: ball, ball: 0.2, mass: 10, position: [0, -5, 2], velocity: [0, 5, 0]}]
contact: {}
run: {until: 10, step: 0.001}
)");
        if (!scene)
            SKIP_TEST("anymal_b.urdf is not beside the checkout");
        const auto off_by = [&](Formulation formulation, double h) {
            RunSettings settings = scene->run;
            settings.step.formulation = formulation;
            settings.step.h = h;
            const bool maximal = formulation == Formulation::maximal;
            if (maximal)
                settings.until = 2; // struck at 0.9 s; a step of 5 ms of computing
            const std::clock_t begin = std::clock();
            auto run = Simulation::start(scene->model, settings);
            REQUIRE(run);
            double sum = 0;
            bool touched = false;
            while (!run->done()) {
                take_step(*run);
                touched = touched || !run->touches().empty();
                V3 off{0, -50, 0};
                for (const PlacedBody& body : run->placed().bodies)
                    off += body.p;
                sum += dot(off, off);
            }
            run->close_books();
            const double error = sum / static_cast<double>(run->state().step);
            if (h == 1e-3)
                measured({{"table", "contact"},
                          {"case", "ANYmal momentum"},
                          {"method",
                           text_of("impulsive, ", name_of(formulation), maximal ? ", 2 s" : "")},
                          {"error", error},
                          {"seconds", seconds_since(begin)}});
            CHECK(touched);
            CHECK(run->ledger().balanced());
            return error;
        };
        CHECK(off_by(Formulation::maximal, 1e-3) < 1e-25); // rounding
        // In joint coordinates p is made up from velocities anew in each of 10⁴ steps, and each
        // rounds it at 1e-14 of 50 kg m/s: together √10⁴ times that.
        CHECK(off_by(Formulation::reduced, 1e-3) < 1e-22);
    }
}

TEST_CASE("SimBenchmark, ANYmal energy: a robot that was thrown keeps its energy")
{
    const auto scene = anymal("", "gravity: [0, 0, -9.81]\nrun: {until: 3, step: 0.001}\n");
    if (!scene)
        SKIP_TEST("anymal_b.urdf is not beside the checkout");
    double mass = 0;
    std::size_t base = 0;
    for (std::size_t i = 0; i < scene->model->bodies().size(); ++i) {
        mass += scene->model->masses()[i].m;
        if (scene->model->masses()[i].m > scene->model->masses()[base].m)
            base = i;
    }
    Builder thrown = scene->description;
    AppliedLoad lift;
    lift.name = "lift";
    lift.body = static_cast<int>(base);
    lift.force = {0, 0, 2 * mass * 9.81};
    lift.until = 1;
    thrown.loads.push_back(lift);
    for (Joint& joint : thrown.joints) // a stop would take energy
        for (CoordinateLaw& law : joint.laws) {
            law.lower = -std::numeric_limits<double>::infinity();
            law.upper = std::numeric_limits<double>::infinity();
        }
    const auto model = built(thrown);
    for (const auto& [method, bound] : {std::pair(Method::impulsive, 0.0118),
                                        {Method::runge_kutta4, 1e-13},
                                        {Method::gauss, 1e-17}}) {
        RunSettings settings = scene->run;
        settings.step.method = method;
        settings.step.formulation = Formulation::reduced;
        const std::clock_t begin = std::clock();
        auto run = Simulation::start(model, settings);
        REQUIRE(run);
        while (run->time() < 1 - 1e-9)
            take_step(*run);
        const double E = energy_of(*run);
        double sum = 0;
        while (!run->done()) {
            take_step(*run);
            const double off = energy_of(*run) - E;
            sum += off * off;
        }
        const double error = sum / 2000;
        measured({{"table", "contact"},
                  {"case", "ANYmal energy"},
                  {"method", facts_of(method).name},
                  {"error", error},
                  {"seconds", seconds_since(begin)}});
        CHECK(error < bound);
    }
}

TEST_CASE("Gazebo's boxes: a tumbling box keeps place, L and energy to rounding")
{
    Builder builder;
    builder.gravity.uniform = {0, 0, -9.8};
    Body box = body_with("box", 10, diagonal(0.80833333, 0.68333333, 0.14166667), {-2, 2, 8},
                         {0.1, 5, 0.1});
    builder.add(box);
    for (const Method method : {Method::splitting, Method::impulsive}) {
        const std::clock_t begin = std::clock();
        auto run = Simulation::start(built(builder), run_with(method, 1e-3, 10));
        REQUIRE(run);
        const V3 L = run->placed().bodies[0].L;
        const double E = energy_of(*run);
        double place = 0, spin = 0, energy = 0;
        while (!run->done()) {
            take_step(*run);
            const PlacedBody at = run->placed().bodies[0];
            const double t = run->time();
            place = std::max(place, norm(at.x - (t * V3{-2, 2, 8} - V3{0, 0, 4.9 * t * t})));
            spin = std::max(spin, norm(at.L - L) / norm(L));
            energy = std::max(energy, std::abs(energy_of(*run) / E - 1));
        }
        measured({{"table", "boxes"},
                  {"case", facts_of(method).name},
                  {"place", place},
                  {"L", spin},
                  {"energy", energy},
                  {"ratio", seconds_since(begin) / 10}});
        // Rounding of 10⁴ steps: of a place 410 m away, and of its potential, which is a hundred
        // times the energy.
        CHECK(place < 1e-9);
        CHECK(spin < 1e-12);
        CHECK(energy < 1e-9);
    }
}
