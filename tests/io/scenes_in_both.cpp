// SPDX-License-Identifier: MIT
// Every scene with joints moves alike in maximal and in reduced coordinates, with the integrator,
// step and horizon that it states. For each of position, attitude, velocity, angular velocity,
// energy, p and L, the largest over the whole run of
//
//     apart(h)  = |maximal(h) − reduced(h)|
//     own_f(h)  = |f(h) − f(h/2)|              the error of a formulation, by step halving
//     grown_f   = |f(h) − f'(h)|               f' starts an ulp beside f
//
// obeys
//
//     apart(h)   ≤ 10 (own_maximal + own_reduced) + floor
//     apart(h/2) ≤ apart(h) / 2^(order − 1/2) + floor
//
//     floor = 10 (grown_maximal + grown_reduced)
//
// A scene to a tolerance has no step to halve. There h/2 stands for a tenth of the tolerance, to
// which errors are proportional: a fall by ten, and √10 is asked for.
//
// Own errors are taken as they are measured. With Richardson's factor 2^order/(2^order − 1) they
// would be larger, by a fifteenth for RK4: without it the rule is the stricter one.
//
// The scene makes every rounding grow as it does the first one, which is an ulp of each number of
// the state. Ten is for those of all the other steps, which cancel for the most part: the scenes
// here need up to seven.
//
// Integrators that work in one formulation only have a counterpart in the other (step/both.hpp):
// the scene's own runs in the formulation that has it, the counterpart in the other, and the order
// is the lower of the two.

#include "joined.hpp"
#include "poinsot/io/scene.hpp"
#include "poinsot/step/both.hpp"

using namespace poinsot;

namespace {

/// Scenes with joints, by name; every file of scenes/ is read.
std::vector<Scene> jointed_scenes()
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
        if (!scene->model->joints().empty())
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

struct Quantity {
    const char* name;
    Difference Differences::*of;
};
constexpr std::array<Quantity, 7> quantities{{
    {"position", &Differences::position},
    {"attitude", &Differences::attitude},
    {"velocity", &Differences::velocity},
    {"angular velocity", &Differences::angular_velocity},
    {"energy", &Differences::energy},
    {"p", &Differences::p},
    {"L", &Differences::L},
}};

/// Runs one scene in maximal and the other in reduced coordinates: a line for each breach of the
/// rule.
std::vector<std::string> breaches(const Scene& in_maximal, const Scene& in_reduced)
{
    Road maximal(in_maximal, Formulation::maximal), reduced(in_reduced, Formulation::reduced);
    const Model& model = *in_maximal.model;
    Differences apart, apart_halved;
    while (!maximal.done()) {
        maximal.step();
        reduced.step();
        apart.note(model, maximal.whole, reduced.whole, maximal.time());
        apart_halved.note(model, maximal.halved, reduced.halved, maximal.time());
    }
    const double falls = std::min(maximal.falls(), reduced.falls());
    std::vector<std::string> found;
    for (const Quantity& quantity : quantities) {
        const auto largest = [&](const Differences& d) { return (d.*quantity.of).largest; };
        const double own = largest(maximal.own) + largest(reduced.own);
        const double floor = 10 * (largest(maximal.grown) + largest(reduced.grown));
        const double far = largest(apart), near = largest(apart_halved);
        if (!(far <= 10 * own + floor))
            found.push_back(text_of(quantity.name, ": apart by ", far, ", own errors ", own,
                                    ", rounding ", floor));
        if (!(near <= far / falls + floor))
            found.push_back(text_of(quantity.name, ": apart by ", far, ", with half the step by ",
                                    near, ", rounding ", floor));
    }
    return found;
}

} // namespace

TEST_CASE("Formulations of two different motions are told apart")
{
    Scene scene = std::move(jointed_scenes().front());
    scene.run.until = 100 * scene.run.step.h;
    CHECK(breaches(scene, scene).empty());
    Scene other = scene;
    other.description.bodies.front().mass_properties.mass *= 1.001;
    other.model = built(other.description);
    // All seven quantities but perhaps a momentum that both keep; neither halving helps.
    CHECK(breaches(scene, other).size() > 7);
}

TEST_SUITE("slow")
{
    TEST_CASE("Every scene with joints moves alike in both formulations, as it is run")
    {
        const std::vector<Scene> scenes = jointed_scenes();
        REQUIRE(scenes.size() > 1);
        for (const Scene& scene : scenes) {
            INFO(scene.file);
            for (const std::string& breach : breaches(scene, scene))
                FAIL_CHECK(breach);
        }
    }
}
