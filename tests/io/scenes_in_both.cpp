// SPDX-License-Identifier: MIT
// Every scene of several bodies moves alike in maximal and in reduced coordinates, with the
// integrator and step that it states, to the end or as far as `horizons` says. For each of
// position, attitude, velocity, angular velocity, energy, p and L, the largest over the run of
//
//     apart(h)  = |maximal(h) − reduced(h)|
//     own_f(h)  = |f(h) − f(h/2)|              the error of a formulation, by step halving
//     grown_f   = |f(h) − f'(h)|               f' starts an ulp beside f
//     size                                     how large the quantity itself is
//
// obeys
//
//     apart(h)   ≤ 10 own + 100 ulp size √steps         own   = own_maximal + own_reduced
//     apart(h/2) ≤ apart(h) / 2^(order − 1/2) + floor   floor = 10 (grown_maximal + grown_reduced)
//
// where floor is no more than 1e-4 max(size, 1), and for position and attitude own ≤ size/20. Two
// formulations of a scene whose motion is not unique go their own ways, and so do half the step and
// an ulp beside: without these two bounds any difference would be allowed there. Velocities have
// none for their own error: of an impact that comes a step later, all lies between the two.
//
// The roundings of a step are up to a hundred ulp, since that many terms are summed in it; those of
// many steps add up like a walk. As yet every scene obeys the first line without them.
//
// A scene to a tolerance has no step to halve. There h/2 stands for a tenth of the tolerance, to
// which errors are proportional: a fall by ten, and √10 is asked for.
//
// Own errors are taken as they are measured. With Richardson's factor 2^order/(2^order − 1) they
// would be larger, by a fifteenth for RK4: without it the rule is the stricter one.
//
// The scene makes every rounding grow as it does the first one, which is an ulp of each number of
// the state. Ten is for those of all the other steps, which cancel for the most part: the scenes
// here need up to nine.
//
// Integrators that work in one formulation only have a counterpart in the other (step/both.hpp):
// the scene's own runs in the formulation that has it, the counterpart in the other, and the order
// is the lower of the two.
//
// Left out are free bodies that touch: how a heap falls apart hangs on the last digit.

#include "joined.hpp"
#include "poinsot/io/scene.hpp"
#include "poinsot/step/both.hpp"

using namespace poinsot;

namespace {

/// How far some scenes are followed, s, and why no farther.
struct Horizon {
    std::string_view name;
    double until;
};
constexpr std::array horizons{
    // The wing is gone at 1.62 s. From 1.652 s on both wings turn through the nodes of the tables
    // of their drag and lift, several to a turn, and a step over a kink is of second order, by
    // where in it the kink falls. Without kinks the rule is obeyed to the end: see below.
    Horizon{"small_aircraft_breaks", 1.65}};

/// Scenes of several bodies, by name; every file of scenes/ is read.
std::vector<Scene> scenes_of_several()
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(tests_folder() / "../scenes"))
        if (entry.path().extension() == ".yaml")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<Scene> found;
    for (const auto& file : files) {
        auto scene = read_scene(file);
        if (!scene)
            FAIL(scene.problems().text());
        const bool joined = !scene->model->joints().empty();
        if (!joined && (scene->model->bodies().size() < 2 || scene->contact))
            continue;
        for (const Horizon& horizon : horizons)
            if (file.stem() == horizon.name)
                scene->run.until = horizon.until;
        found.push_back(std::move(*scene));
    }
    return found;
}

/// Moves numbers by one ulp of the largest of them, up and down by turns: a zero has no digits of
/// its own, and is what sums of that size round to. Where all are zero it is an ulp of 1.
class Nudge {
  public:
    void operator()(std::span<double> numbers)
    {
        double largest = 0;
        for (const double x : numbers)
            largest = std::max(largest, std::abs(x));
        if (largest == 0)
            largest = 1;
        const double ulp = std::nextafter(largest, 2 * largest) - largest;
        for (double& x : numbers)
            x += (sign_ = -sign_) * ulp;
    }
    void operator()(State& state)
    {
        if (!state.joints.q.empty()) {
            (*this)(std::span(state.joints.q));
            (*this)(std::span(state.joints.v));
            return;
        }
        std::visit(
            [&](auto& bodies) {
                for (auto& y : bodies) {
                    for (V3* u : {&y.x, &first(y), &second(y)}) {
                        std::array<double, 3> a{u->x, u->y, u->z};
                        (*this)(a);
                        *u = {a[0], a[1], a[2]};
                    }
                    const V3 turn = std::numeric_limits<double>::epsilon() * V3{1, -1, 1};
                    if constexpr (requires { y.attitude.w; })
                        y.attitude = normalised(exp_quat(turn) * y.attitude);
                    else
                        y.attitude = exp_matrix(turn) * y.attitude;
                }
            },
            state.bodies);
    }

  private:
    double sign_ = 1;
};

/// A scene in one formulation: as it is, at half the step or a tenth of the tolerance, and an ulp
/// beside itself.
class Road {
  public:
    Road(const Scene& scene, Formulation formulation)
        : to_tolerance(chooses_its_steps(scene.run.step.method)),
          order(facts_of(method_in(formulation, scene.run.step.method)).order)
    {
        RunSettings run = scene.run;
        run.step.formulation = formulation;
        run.step.method = method_in(formulation, run.step.method);
        run.ledger.detail = Postings::Detail::off;
        whole_.emplace(started(scene, run));
        nudged_.emplace(started(scene, run));
        Checkpoint beside = nudged_->checkpoint();
        Nudge()(beside.state);
        nudged_->resume(std::move(beside));
        if (to_tolerance) {
            run.step.tolerance.relative /= 10;
            run.step.tolerance.absolute /= 10;
        } else
            run.step.h /= 2;
        halved_.emplace(started(scene, run));
        note();
    }
    void step()
    {
        const auto step = [](Simulation& sim) {
            if (const auto ended = sim.step())
                FAIL(*ended);
        };
        step(*whole_);
        step(*nudged_);
        step(*halved_);
        if (!to_tolerance)
            step(*halved_);
        note();
    }
    /// By how much errors fall at least from `whole` to `halved`.
    double falls() const { return to_tolerance ? std::sqrt(10.0) : std::exp2(order - 0.5); }
    bool done() const { return whole_->done(); }
    double time() const { return whole_->time(); }

    bool to_tolerance;
    int order;
    Differences own, grown;
    Placed whole, halved;

  private:
    static Simulation started(const Scene& scene, const RunSettings& run)
    {
        auto sim = Simulation::start(scene.model, run);
        if (!sim)
            FAIL(sim.problems().text());
        return std::move(*sim);
    }
    void note()
    {
        whole = whole_->placed();
        halved = halved_->placed();
        own.note(whole_->model(), whole, halved, time());
        grown.note(whole_->model(), whole, nudged_->placed(), time());
    }

    std::optional<Simulation> whole_, halved_, nudged_;
};

/// A table of one axis, an angle, rounded off: its mean over 1.5 degrees on either side, three
/// times over, has three derivatives. Its nodes are so close that their own kinks are nothing.
Table without_kinks(const Table& kinked)
{
    constexpr double degree = M_PI / 180, apart = 0.02 * degree;
    constexpr int half = 75; // nodes on either side
    Table made;
    made.beyond = kinked.beyond;
    std::vector<double>& nodes = made.axes.emplace_back();
    for (int i = -2000; i <= 2000; ++i) {
        nodes.push_back(i * apart);
        made.values.push_back(kinked.at(std::span(&nodes.back(), 1)));
    }
    for (int pass = 0; pass < 3; ++pass) {
        const std::vector<double> before = made.values;
        const auto last = static_cast<int>(before.size()) - 1;
        for (int i = 0; i <= last; ++i) {
            double sum = 0;
            for (int k = i - half; k <= i + half; ++k)
                sum += before[static_cast<std::size_t>(std::clamp(k, 0, last))];
            made.values[static_cast<std::size_t>(i)] = sum / (2 * half + 1);
        }
    }
    return made;
}

struct Quantity {
    const char* name;
    Difference Differences::*of;
    bool of_place = false;
};
constexpr std::array<Quantity, 7> quantities{{
    {"position", &Differences::position, true},
    {"attitude", &Differences::attitude, true},
    {"velocity", &Differences::velocity},
    {"angular velocity", &Differences::angular_velocity},
    {"energy", &Differences::energy},
    {"p", &Differences::p},
    {"L", &Differences::L},
}};

/// Takes up how large each quantity is; of an attitude a radian.
void note_sizes(const Model& model, const Placed& placed, Differences& sizes)
{
    const auto note = [](Difference& size, double x) { size.largest = std::max(size.largest, x); };
    double p = 0, L = 0;
    for (const PlacedBody& body : placed.bodies) {
        note(sizes.position, norm(body.x));
        note(sizes.velocity, norm(body.v));
        note(sizes.angular_velocity, norm(body.omega));
        p += norm(body.p);
        L += norm(body.L) + norm(body.x) * norm(body.p);
    }
    note(sizes.attitude, 1);
    note(sizes.energy, kinetic_energy(placed.bodies) + std::abs(stores_of(model, placed).total()));
    note(sizes.p, p);
    note(sizes.L, L);
}

/// Runs one scene in maximal and the other in reduced coordinates: a line for each breach of the
/// rule.
std::vector<std::string> breaches(const Scene& in_maximal, const Scene& in_reduced)
{
    Road maximal(in_maximal, Formulation::maximal), reduced(in_reduced, Formulation::reduced);
    const Model& model = *in_maximal.model;
    Differences apart, apart_halved, sizes;
    double steps = 0;
    for (; !maximal.done(); ++steps) {
        maximal.step();
        reduced.step();
        apart.note(model, maximal.whole, reduced.whole, maximal.time());
        apart_halved.note(model, maximal.halved, reduced.halved, maximal.time());
        note_sizes(model, maximal.whole, sizes);
    }
    const double falls = std::min(maximal.falls(), reduced.falls());
    const double rounding = 100 * std::numeric_limits<double>::epsilon() * std::sqrt(steps);
    std::vector<std::string> found;
    for (const Quantity& quantity : quantities) {
        const auto largest = [&](const Differences& d) { return (d.*quantity.of).largest; };
        const double own = largest(maximal.own) + largest(reduced.own), size = largest(sizes);
        const double floor = std::min(10 * (largest(maximal.grown) + largest(reduced.grown)),
                                      1e-4 * std::max(size, 1.0));
        const double far = largest(apart), near = largest(apart_halved);
        if (!(far <= 10 * own + rounding * size))
            found.push_back(text_of(quantity.name, ": apart by ", far, ", own errors ", own,
                                    ", rounding ", rounding * size));
        if (!(near <= far / falls + floor))
            found.push_back(text_of(quantity.name, ": apart by ", far, ", with half the step by ",
                                    near, ", rounding ", floor));
        if (quantity.of_place && !(own <= size / 20))
            found.push_back(text_of(quantity.name, ": own errors ", own, " of ", size));
    }
    return found;
}

} // namespace

TEST_CASE("Formulations of two different motions are told apart")
{
    Scene scene = std::move(scenes_of_several().front());
    scene.run.until = 100 * scene.run.step.h;
    CHECK(breaches(scene, scene).empty());
    Scene other = scene;
    other.description.bodies.front().mass_properties.mass *= 1.001;
    other.model = built(other.description);
    // All seven quantities but perhaps a momentum that both keep; neither halving helps.
    CHECK(breaches(scene, other).size() > 7);
}

TEST_CASE("A scene whose motion is not unique is told apart: a chain that stands upright")
{
    auto scene = read_scene(tests_folder() / "../scenes/five_link_chain.yaml");
    REQUIRE(scene);
    scene->description.joints.front().start = {M_PI / 2};
    scene->model = built(scene->description);
    scene->run.until = 5; // roundings decide how it falls
    CHECK(breaches(*scene, *scene).size() > 7);
}

TEST_SUITE("slow")
{
    TEST_CASE("Every scene of several bodies moves alike in both formulations, as it is run")
    {
        const std::vector<Scene> scenes = scenes_of_several();
        const auto without_joints = std::count_if(
            scenes.begin(), scenes.end(), [](const Scene& s) { return s.model->joints().empty(); });
        REQUIRE(without_joints > 5);
        REQUIRE(static_cast<std::ptrdiff_t>(scenes.size()) > without_joints + 5);
        for (const Scene& scene : scenes) {
            INFO(scene.file);
            for (const std::string& breach : breaches(scene, scene))
                FAIL_CHECK(breach);
        }
    }

    TEST_CASE("An aircraft that breaks moves alike in both to its end where tables have no kinks")
    {
        auto read = read_scene(tests_folder() / "../scenes/small_aircraft_breaks.yaml");
        REQUIRE(read);
        Scene& scene = *read;
        int rounded = 0;
        for (Aerodynamics& one : scene.description.aerodynamics)
            for (Coefficient* C : {&one.lift, &one.drag})
                if (C->over.size() == 1) {
                    C->table = without_kinks(C->table);
                    ++rounded;
                }
        CHECK(rounded == 4);
        scene.model = built(scene.description);
        for (const std::string& breach : breaches(scene, scene))
            FAIL_CHECK(breach);
    }
}
