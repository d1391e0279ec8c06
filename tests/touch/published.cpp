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
                          {"method", text_of("impulsive, ", name_of(formulation))},
                          {"error", error},
                          {"seconds", seconds_since(begin)}});
            CHECK(touched);
            CHECK(run->ledger().balanced());
            return error;
        };
        CHECK(off_by(Formulation::maximal, 1e-3) < 1e-25); // rounding
        // In joint coordinates p is kept in the state, with what is rounded off beside it: what is
        // left is rounding of the velocities that say it. The best that was published is 1.3e-27.
        CHECK(off_by(Formulation::reduced, 1e-3) < 1.3e-27);
    }
}

namespace {

/// Mass, centre and inertia of a part of the left fore leg, xx yy zz xy xz yz, in its frame.
struct LegPart {
    const char *name, *joint;
    V3 at, axis; // of its joint, in the part before it
    double mass;
    V3 center;
    Sym3<double> I;
};
// The robot of SimBenchmark's energy problem, an older ANYmal than that of the URDF beside the
// checkout: shanks and feet weigh half as much again and turn at 7 rad/s, not at 20. Lengths and
// masses are those of its file. The foot is fixed to the shank, turned by 0.323 and 0.549 rad.
constexpr double trunk_mass = 21.39;
constexpr Sym3<double> trunk_inertia{0.268388530624,    0.884235660795,   0.829158678306,
                                     0.000775392455422, -0.0151848534451, -0.000989297489507};
const std::array<LegPart, 4> fore_leg{{{"hip",
                                        "HAA",
                                        {0.2629, 0.115, 0},
                                        {1, 0, 0},
                                        1.1064,
                                        {0.0542, -0.0136, 0},
                                        {0.00123301508523, 0.000993231183395, 0.00142160349098,
                                         -6.4285329973e-05, 6.9990104e-08, 2.327401345e-06}},
                                       {"thigh",
                                        "HFE",
                                        {0.0585, 0.0315, 0},
                                        {0, 1, 0},
                                        1.51,
                                        {0.0008, 0.0545, -0.1975},
                                        {0.0147571628275, 0.0144188925719, 0.00178449075964,
                                         -1.7996507882e-05, 0.000205877679383, -0.00181291342366}},
                                       {"shank",
                                        "KFE",
                                        {0, 0.111, -0.25},
                                        {0, 1, 0},
                                        0.318,
                                        {0.016355414056, -0.00562219106, -0.064350437219},
                                        {0.0037693717909, 0.00400446467635, 0.000418471691904,
                                         -7.7334500762e-05, -0.000152069372983, -0.0003218356083}},
                                       {"foot",
                                        "ankle",
                                        {0, -0.016, -0.31},
                                        {0, 0, 0},
                                        0.1922685,
                                        {-5.552058e-06, 7.1133124e-05, -0.021388647779},
                                        {8.3086410294e-05, 8.2860209667e-05, 8.1948124086e-05,
                                         4.16901601e-07, 3.99054799e-07, -3.45712252e-07}}}};

/// The same on four legs, as mirrors have them: HAA ±0.03, HFE ±0.4, KFE ∓0.8 rad.
Builder older_anymal(double height)
{
    Builder made;
    made.gravity.uniform = {0, 0, -9.81};
    Body trunk;
    trunk.name = "trunk";
    trunk.mass_properties = {trunk_mass, zero3<double>(), trunk_inertia};
    trunk.pose.x = {0, 0, height};
    made.add(trunk);
    for (const double fore : {1.0, -1.0})
        for (const double left : {1.0, -1.0}) {
            int before = 0;
            for (const LegPart& part : fore_leg) {
                const auto mirrored = [&](const V3& a) { return V3{fore * a.x, left * a.y, a.z}; };
                const std::string leg = text_of(left > 0 ? "L" : "R", fore > 0 ? "F_" : "H_");
                const Sym3<double>& I = part.I;
                const MassProperties mass{
                    part.mass,
                    mirrored(part.center),
                    {I.xx, I.yy, I.zz, fore * left * I.xy, fore * I.xz, left * I.yz}};
                if (norm(part.axis) == 0) { // fixed to the part before it
                    const Pose<double> at{mirrored(part.at), exp_quat(V3{0, fore * 0.549, 0}) *
                                                                 exp_quat(V3{left * 0.323, 0, 0})};
                    MassProperties& shank = made.bodies.back().mass_properties;
                    shank = joined(shank, moved(mass, at));
                    continue;
                }
                Body body;
                body.name = leg + part.name;
                body.mass_properties = mass;
                Joint joint;
                joint.name = leg + part.joint;
                joint.kind = JointKind::revolute;
                joint.a = before;
                joint.b = before = made.add(body);
                const bool roll = part.axis.x == 1;
                joint.frame_a = {mirrored(part.at), roll ? exp_quat(V3{0, 0.5 * M_PI, 0})
                                                         : exp_quat(V3{-0.5 * M_PI, 0, 0})};
                joint.frame_b.q = joint.frame_a.q;
                joint.start = {roll                                    ? 0.03 * left
                               : part.joint == std::string_view("HFE") ? 0.4 * fore
                                                                       : -0.8 * fore};
                joint.start_speed = {0};
                made.add(joint);
            }
        }
    return made;
}

} // namespace

TEST_CASE("SimBenchmark, ANYmal energy: a robot that was thrown keeps its energy")
{
    Builder thrown = older_anymal(2);
    double mass = 0;
    for (const Body& body : thrown.bodies)
        mass += body.mass_properties.mass;
    AppliedLoad lift;
    lift.name = "lift";
    lift.body = 0;
    lift.force = {0, 0, 2 * mass * 9.81};
    lift.until = 1;
    thrown.loads.push_back(lift);
    const auto model = built(thrown);
    // Best of those that were published for each order: RaiSim's, and MuJoCo's by Runge-Kutta.
    using enum Formulation;
    for (const auto& [method, formulation, bound] : {std::tuple(Method::impulsive, maximal, 0.0118),
                                                     {Method::impulsive, reduced, 0.0118},
                                                     {Method::runge_kutta4, maximal, 1.6e-17},
                                                     {Method::runge_kutta4, reduced, 1.6e-17},
                                                     {Method::gauss, reduced, 1.6e-17}}) {
        RunSettings settings;
        settings.until = 3;
        settings.step.h = 1e-3;
        settings.step.method = method;
        settings.step.formulation = formulation;
        const std::clock_t begin = std::clock();
        auto run = Simulation::start(model, settings);
        if (!run)
            FAIL(run.problems().text());
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
                  {"method", text_of(facts_of(method).name, ", ", name_of(formulation))},
                  {"error", error},
                  {"seconds", seconds_since(begin)}});
        CHECK(error < bound);
    }
}

namespace {

/// A box of 0.1 × 0.4 × 0.9 m in free flight for 10 s: the largest errors of place, L and energy.
void fly_box(const std::string& flight, const V3& g, const V3& v, const V3& omega,
             double most_place, double most)
{
    Builder builder;
    builder.gravity.uniform = g;
    builder.add(body_with("box", 10, diagonal(0.80833333, 0.68333333, 0.14166667), v, omega));
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
            place = std::max(place, norm(at.x - (t * v + (0.5 * t * t) * g)));
            spin = std::max(spin, norm(at.L - L) / norm(L));
            energy = std::max(energy, std::abs(energy_of(*run) / E - 1));
        }
        measured({{"table", "boxes"},
                  {"flight", flight},
                  {"case", facts_of(method).name},
                  {"place", place},
                  {"L", spin},
                  {"energy", energy},
                  {"ratio", seconds_since(begin) / 10}});
        CHECK(place < most_place);
        CHECK(spin < 1e-12);
        CHECK(energy < most);
    }
}

} // namespace

TEST_CASE("Gazebo's boxes: a tumbling box keeps place, L and energy to rounding")
{
    // Rounding of 10⁴ steps: of a place 410 m away, and of its potential, which is a hundred
    // times the energy.
    fly_box("tumbling", {0, 0, -9.8}, {-2, 2, 8}, {0.1, 5, 0.1}, 1e-9, 1e-9);
}

TEST_CASE("Gazebo's boxes: a box that spins about an axis, without gravity, flies straight")
{
    // Rounding of 10⁴ steps of a place up to 10 m away, at worst all of one sign. The best that was
    // published is 1.7e-12 m, the same for three engines: that of x + h v, summed.
    fly_box("simple", {0, 0, 0}, {-0.9, 0.4, 0.1}, {0.5, 0, 0}, 1e4 * 0x1p-50, 1e-12);
}
