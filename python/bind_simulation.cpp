// SPDX-License-Identifier: MIT
#include "python/bind_shapes.hpp"

#include "poinsot/constraints/bind.hpp"
#include "poinsot/dynamics/joint_forces.hpp"
#include "poinsot/forces/control_now.hpp"
#include "poinsot/forces/gyrostat.hpp"
#include "python/loops.hpp"
#include "python/rollout.hpp"

#include "poinsot/io/contact_text.hpp"
#include "poinsot/io/ledger_text.hpp"
#include "poinsot/step/acting.hpp"
#include "poinsot/step/cut_watch.hpp"
#include "poinsot/step/trim.hpp"

#include <pybind11/stl.h>

#include <chrono>
#include <cmath>
#include <map>
#include <optional>

namespace poinsot {

namespace {

using Clock = std::chrono::steady_clock;
using Ptr = std::shared_ptr<Described>;

std::vector<std::string_view> method_names()
{
    std::vector<std::string_view> names;
    for (const MethodFacts& method : methods)
        names.push_back(method.name);
    return names;
}

/// What a checkpoint must have in common with the run that takes it up.
bool same_way(const RunSettings& a, const RunSettings& b)
{
    const StepSettings &s = a.step, &t = b.step;
    return s.h == t.h && s.method == t.method && s.form == t.form &&
           s.formulation == t.formulation && s.stabilisation == t.stabilisation &&
           s.renormalise == t.renormalise && s.baumgarte_time == t.baumgarte_time &&
           s.baumgarte_damping == t.baumgarte_damping &&
           s.tolerance.relative == t.tolerance.relative &&
           s.tolerance.absolute == t.tolerance.absolute && a.ledger.detail == b.ledger.detail &&
           a.ledger_every == b.ledger_every;
}

struct SavedRun {
    std::shared_ptr<const Model> model;
    RunSettings settings;
    Checkpoint checkpoint;

    double time() const { return static_cast<double>(checkpoint.state.step) * settings.step.h; }
};

std::string hash_text(const State& state)
{
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash_of(state)));
    return text;
}

/// What every joint does to its body b, about a point of the world or about its own place.
Array reactions_of(const Simulation& run, const py::object& about)
{
    Acting acting(run.model(), run.settings().step, run.input());
    acting.look(run.state(), run.answered());
    const std::size_t joints = run.model().joints().size();
    std::vector<double> rows;
    for (std::size_t j = 0; j < joints; ++j) {
        const Vec3<double>& x = acting.placed().joints[j].x_b;
        const Vec3<double> point = about.is_none() ? x : vector_in(about, "about");
        const Wrench<double> W = shift(acting.joint(j), point - x);
        rows.insert(rows.end(), {W.F.x, W.F.y, W.F.z, W.tau.x, W.tau.y, W.tau.z});
    }
    return array_of(rows, {static_cast<py::ssize_t>(joints), 6});
}

template <class Thing>
int number_of(const std::vector<Thing>& things, const std::string& name, const char* kind)
{
    std::vector<std::string_view> known;
    for (std::size_t i = 0; i < things.size(); ++i) {
        if (things[i].name == name)
            return static_cast<int>(i);
        known.push_back(things[i].name);
    }
    throw py::key_error(text_of("there is no ", kind, " '", name, "'", did_you_mean(name, known)));
}

/// A run, and the promise that one thread of Python's at a time is in it.
class Run {
  public:
    Run(Ptr model, const RunSettings& settings, const py::object& q, const py::object& v)
        : described_(std::move(model)), forces_(described_->linkage),
          simulation_(started(*described_, settings))
    {
        if (q.is_none() && v.is_none())
            return;
        const Coordinates start = start_coordinates(described_->linkage, described_->model());
        const Array q0 = q.is_none() ? array_of(start.q) : coordinates_in(*described_, q);
        const Array v0 = v.is_none() ? array_of(start.v) : velocities_in(*described_, v, "v");
        const RunSettings& s = simulation_.settings();
        State state = state_at(described_->model(), described_->linkage, s.step.form,
                               s.step.formulation, span_of(q0), span_of(v0));
        if (const std::string broken = broken_bond(described_->model(), state); !broken.empty())
            throw py::value_error(broken);
        const Ledger opened(s.ledger, described_->model(), place(described_->model(), state));
        Postings pending(s.ledger.detail);
        pending.clear(described_->model().bodies().size());
        simulation_.resume({std::move(state), opened.books(), std::move(pending)});
    }

    /// The simulation, for a thread that holds the GIL all the while.
    Simulation& idle()
    {
        if (busy_)
            throw std::runtime_error("this simulation is stepping in another thread");
        return simulation_;
    }
    const Ptr& described() const { return described_; }

    void step(std::int64_t n)
    {
        if (n < 0)
            throw py::value_error(text_of("n must not be negative, is ", n));
        idle();
        const Busy busy(*this);
        while (n > 0) {
            std::optional<std::string> failure;
            {
                const py::gil_scoped_release free;
                const auto begin = Clock::now();
                while (n > 0 && !failure && Clock::now() - begin < std::chrono::milliseconds(50)) {
                    failure = simulation_.step();
                    --n;
                }
            }
            if (failure)
                throw CannotStep(*failure);
            if (PyErr_CheckSignals() != 0) // Ctrl-C, between two steps
                throw py::error_already_set();
        }
    }

    /// The coordinates of the linkage, read from the bodies where these are what moves.
    Coordinates coordinates()
    {
        const Simulation& run = idle();
        if (run.settings().step.formulation == Formulation::reduced)
            return {run.state().joints.q, run.state().joints.v};
        std::vector<double> turns(described_->nq(), 0.0);
        for (const Link& link : described_->linkage.links)
            if (link.joint != Tree::none && freedoms_of(link.op) == 1)
                turns[static_cast<std::size_t>(link.q)] =
                    run.state().joint_coordinates[static_cast<std::size_t>(
                        described_->model().first_coordinate(static_cast<std::size_t>(link.joint)) +
                        link.coordinate)];
        return coordinates_from_poses(described_->linkage, described_->model(), run.placed(),
                                      turns);
    }

    void set_joint_forces(const py::object& tau)
    {
        Simulation& run = idle();
        Input input;
        if (!tau.is_none()) {
            const Array given = velocities_in(*described_, tau, "tau");
            input = forces_.input_of(span_of(given));
        }
        input.controls = run.input().controls;
        run.set_input(std::move(input));
    }

    /// By name, in place of their schedules; those that are not named follow theirs.
    void set_controls(const std::optional<std::map<std::string, double>>& values)
    {
        Simulation& run = idle();
        const std::vector<Control>& known = described_->model().controls();
        Input input = run.input();
        input.controls.clear();
        if (values)
            for (const auto& [name, value] : *values) {
                const int i = number_of(known, name, "control");
                const Control& one = known[static_cast<std::size_t>(i)];
                if (!one.within_limits(value) || !std::isfinite(value))
                    throw py::value_error(text_of("control '", name, "' is ", value,
                                                  ", outside its limits ", one.lower, " to ",
                                                  one.upper));
                input.controls.push_back({i, value});
            }
        run.set_input(std::move(input));
    }

    /// By name, as long as they are set; what the model drives rotors with goes on beside it.
    void set_rotor_torques(const std::optional<std::map<std::string, double>>& values)
    {
        Simulation& run = idle();
        const std::vector<Rotor>& known = described_->model().rotors();
        Input input = run.input();
        input.rotor_torques.clear();
        if (values)
            for (const auto& [name, value] : *values) {
                const int i = number_of(known, name, "rotor");
                if (known[static_cast<std::size_t>(i)].prescribed())
                    throw py::value_error(
                        text_of("rotor '", name, "' keeps a speed: no torque changes it"));
                if (!std::isfinite(value))
                    throw py::value_error(text_of("the torque of rotor '", name, "' is ", value));
                input.rotor_torques.push_back({i, value});
            }
        run.set_input(std::move(input));
    }
    /// Against their bodies.
    std::vector<double> spins()
    {
        const Placed placed = idle().placed();
        const std::vector<Rotor>& rotors = described_->model().rotors();
        std::vector<double> made;
        for (std::size_t i = 0; i < rotors.size(); ++i)
            made.push_back(rotor_spin(rotors[i], placed.rotors[i],
                                      placed.bodies[static_cast<std::size_t>(rotors[i].body)]));
        return made;
    }

    /// How high tanks are filled.
    std::vector<double> levels()
    {
        const State& state = idle().state();
        const std::vector<Tank>& tanks = described_->model().tanks();
        std::vector<double> made;
        for (std::size_t i = 0; i < tanks.size(); ++i)
            made.push_back(level_of(tanks[i], state.tanks[i]));
        return made;
    }
    /// What flows at the end of the step that was taken, kg/s.
    std::map<std::string, double> flows()
    {
        const State& state = idle().state();
        const std::vector<Flow>& all = described_->model().flows();
        std::map<std::string, double> made;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const double share = state.shares.empty() ? 1 : state.shares[i].now;
            made[all[i].name] = state.flowing[i] ? share * all[i].mass_flow : 0;
        }
        return made;
    }

    /// Looking at the books must not change when they are closed: the run goes on as if unseen.
    py::dict ledger()
    {
        const Ledger now = idle().ledger_now();
        const std::string text = ledger_json(now, described_->model(), described_->scene.about);
        const std::string verdict = now.verdict();
        py::dict made = py::module_::import("json").attr("loads")(text);
        made["balanced"] =
            now.off() ? py::object(py::none()) : py::object(py::bool_(now.balanced()));
        made["verdict"] = verdict.empty() ? "the books balance" : verdict;
        return made;
    }

    SavedRun checkpoint()
    {
        const Simulation& run = idle();
        return {described_->scene.model, run.settings(), run.checkpoint()};
    }
    void resume(const SavedRun& saved)
    {
        Simulation& run = idle();
        if (saved.model != described_->scene.model)
            throw py::value_error("this checkpoint is of another model");
        if (!same_way(saved.settings, run.settings()))
            throw py::value_error("this checkpoint is of a run with another step, integrator, "
                                  "formulation, state form or ledger");
        run.resume(saved.checkpoint);
    }

  private:
    struct Busy {
        explicit Busy(Run& run) : run(run) { run.busy_ = true; }
        ~Busy() { run.busy_ = false; }
        Run& run;
    };
    static Simulation started(const Described& d, const RunSettings& settings)
    {
        auto run = Simulation::start(d.scene.model, settings);
        if (!run)
            throw py::value_error(run.problems().text());
        return std::move(*run);
    }

    Ptr described_;
    JointForces forces_;
    Simulation simulation_;
    bool busy_ = false; // read and written under the GIL
};

std::unique_ptr<Run> start_run(const py::object& model, std::optional<double> step,
                               const std::optional<std::string>& integrator,
                               const std::optional<std::string>& formulation,
                               const std::optional<std::string>& state_form,
                               std::optional<double> until,
                               const std::optional<std::string>& ledger,
                               std::optional<int> ledger_every, const py::object& q,
                               const py::object& v)
{
    const Ptr described =
        py::isinstance<Described>(model) ? model.cast<Ptr>() : load(path_in(model), {});
    if (described->scene.without_air.any() && q.is_none() && v.is_none())
        throw py::value_error(described->scene.without_air.text());
    RunSettings settings = described->scene.run;
    if (step)
        settings.step.h = *step;
    if (integrator)
        settings.step.method = chosen(*integrator, "integrator", method_named, method_names());
    if (formulation)
        settings.step.formulation =
            chosen(*formulation, "formulation", formulation_named, {"maximal", "reduced"});
    else if (!described->scene.names_formulation)
        settings.step.formulation = formulation_for(described->model(), settings.step);
    if (!integrator && !described->scene.names_integrator)
        settings.step.method = unnamed_method_in(settings.step.formulation, settings.step.method);
    if (state_form)
        settings.step.form =
            chosen(*state_form, "state_form", form_named, {"momentum", "velocity", "matrix"});
    if (ledger)
        settings.ledger.detail =
            chosen(*ledger, "ledger", detail_named, {"off", "totals", "bodies"});
    if (ledger_every)
        settings.ledger_every = *ledger_every;
    if (until)
        settings.until = *until;
    else if (step && std::isfinite(*step))
        settings.until = std::max(settings.until, *step);
    return std::make_unique<Run>(described, settings, q, v);
}

/// W rows of n numbers, one per world.
Array rows_in(const py::handle& given, const char* name, const Extents& shape, const char* expected,
              const std::function<std::string(std::size_t)>& whose)
{
    Array rows = numbers_in(given, name, shape, expected);
    want_finite(rows, name, whose);
    return rows;
}

py::list cuts_of(const Simulation& run)
{
    py::list all;
    for (std::size_t i = 0; i < run.cuts().size(); ++i) {
        const CutRecord& cut = run.cuts()[i];
        const SectionLoad& load = cut.load;
        py::dict one;
        one["name"] = run.model().cuts()[i].name;
        one["tension"] = load.tension;
        one["shear"] = py::make_tuple(load.shear_x, load.shear_y);
        one["bending"] = py::make_tuple(load.bending_x, load.bending_y);
        one["torsion"] = load.torsion;
        one["utilisation"] = cut.utilisation;
        one["largest_utilisation"] = cut.most;
        one["gone"] = cut.gone;
        all.append(one);
    }
    return all;
}

/// Steady flight, as the command has it.
/// What is asked of a steady flight.
Result<Trim> steady_flight(const Ptr& d, std::optional<double> speed,
                           std::optional<double> altitude, std::optional<double> climb_angle,
                           double turn_rate, const std::optional<std::string>& body,
                           const std::vector<std::string>& keep)
{
    const Model& model = d->model();
    TrimRequest request;
    request.speed = speed;
    request.altitude = altitude;
    request.climb_angle = climb_angle;
    request.turn_rate = turn_rate;
    if (body)
        request.body = number_of(model.bodies(), *body, "body");
    for (const std::string& name : keep)
        request.kept.push_back(number_of(model.controls(), name, "control"));
    const py::gil_scoped_release free;
    return trim(model, request);
}

/// The model as it is described, but in steady flight.
Ptr trimmed_model(const Ptr& d, std::optional<double> speed, std::optional<double> altitude,
                  std::optional<double> climb_angle, double turn_rate,
                  const std::optional<std::string>& body, const std::vector<std::string>& keep)
{
    const auto made = steady_flight(d, speed, altitude, climb_angle, turn_rate, body, keep);
    if (!made)
        throw py::value_error(made.problems().text());
    if (!made->found)
        throw py::value_error(made->why);
    auto description = trimmed(d->scene.description, *made);
    if (!description)
        throw py::value_error(description.problems().text());
    Scene scene = d->scene;
    scene.description = std::move(*description);
    auto model = scene.description.build();
    if (!model)
        throw py::value_error(model.problems().text());
    scene.model = std::make_shared<const Model>(std::move(*model));
    return std::make_shared<Described>(std::move(scene));
}

py::dict trim_of(const Ptr& d, std::optional<double> speed, std::optional<double> altitude,
                 std::optional<double> climb_angle, double turn_rate,
                 const std::optional<std::string>& body, const std::vector<std::string>& keep)
{
    const Model& model = d->model();
    const auto made = steady_flight(d, speed, altitude, climb_angle, turn_rate, body, keep);
    if (!made)
        throw py::value_error(made.problems().text());
    py::dict controls;
    py::list saturated;
    for (std::size_t i = 0; i < made->controls.size(); ++i) {
        controls[py::str(model.controls()[i].name)] = made->controls[i];
        if (made->saturated[i])
            saturated.append(model.controls()[i].name);
    }
    using namespace py::literals;
    return py::dict("found"_a = made->found, "why"_a = made->why,
                    "body"_a = model.bodies()[static_cast<std::size_t>(made->body)].name,
                    "speed"_a = made->speed, "altitude"_a = made->altitude,
                    "climb_angle"_a = made->climb_angle, "turn_rate"_a = made->turn_rate,
                    "alpha"_a = made->alpha, "beta"_a = made->beta, "pitch"_a = made->pitch,
                    "bank"_a = made->bank, "thrust"_a = made->thrust, "controls"_a = controls,
                    "saturated"_a = saturated, "residual"_a = made->residual,
                    "residual_of"_a = made->residual_of, "tolerance"_a = made->tolerance,
                    "iterations"_a = made->iterations);
}

py::dict contact_quality_of(const Simulation& run)
{
    py::dict made = py::module_::import("json").attr("loads")(contact_quality_json(run));
    made["steps_by_impulses"] = run.steps_by_impulses();
    return made;
}

py::list events_of(const Simulation& run)
{
    py::list all;
    for (const Happening& happened : run.happenings().list()) {
        py::dict one;
        one["time"] = happened.time;
        one["kind"] = name_of(happened.kind);
        one["name"] = name_of(run.model(), happened);
        one["text"] = sentence(run.model(), happened);
        if (*happened.by) {
            one["load"] = happened.by;
            one["utilisation"] = happened.utilisation;
        }
        all.append(one);
    }
    return all;
}

/// Armatures of worlds that no drive has, by the name of the joint.
void refuse_armatures(const Described& d, std::span<const double> armatures)
{
    const std::size_t nv = d.nv();
    std::vector<char> single(nv, 0);
    for (const Link& link : d.linkage.links)
        if (link.joint != Tree::none && freedoms_of(link.op) == 1)
            single[static_cast<std::size_t>(link.v)] = 1;
    for (std::size_t i = 0; i < armatures.size(); ++i) {
        const double A = armatures[i];
        const auto wrong = [&](const auto&... parts) {
            throw py::value_error(
                text_of("world ", i / nv, ": the armature of ", d.owner_of_v(i), parts...));
        };
        if (!(A >= 0))
            wrong(" must not be negative, is ", A);
        if (A > 0 && !single[i % nv])
            wrong(" must be 0: a drive turns or slides along one coordinate");
        if ((A > 0) != (armatures[i % nv] > 0))
            wrong(" is ", A, ", and that of world 0 is ", armatures[i % nv],
                  ": a joint has a drive in every world or in none");
    }
}

py::tuple rollout(const Ptr& model, const py::object& q0_given, const py::object& v0_given,
                  const py::object& tau_given, double step, std::optional<py::ssize_t> steps,
                  const std::string& integrator, int threads, const py::object& masses_given,
                  const py::object& tanks_given, const py::object& armatures_given)
{
    const Described& d = *model;
    const auto nq = static_cast<py::ssize_t>(d.nq()), nv = static_cast<py::ssize_t>(d.nv());
    StepSettings settings = d.scene.run.step;
    settings.formulation = Formulation::reduced;
    settings.h = step;
    settings.method = chosen(integrator, "integrator", method_named, method_names());
    const Problems found = unfit(d.model(), settings);
    if (found.any())
        throw py::value_error(found.text());
    if (threads < 0)
        throw py::value_error(text_of("threads must not be negative, is ", threads));

    // How many worlds and steps there are is what q0 and tau (or steps) have.
    const py::array first = py::array::ensure(q0_given);
    if (!first || first.ndim() != 2) {
        PyErr_Clear();
        throw py::value_error(text_of("q0 must have shape (worlds, nq) with nq = ", nq));
    }
    const py::ssize_t worlds = first.shape(0);
    const auto whose_q = [&](std::size_t i) { return d.owner_of_q(i); };
    const auto whose_v = [&](std::size_t i) { return d.owner_of_v(i); };
    const Array q0 = rows_in(first, "q0", {worlds, nq}, "(worlds, nq)", whose_q);
    const Array v0 = rows_in(v0_given, "v0", {worlds, nv}, "(worlds, nv)", whose_v);
    for (py::ssize_t i = 0; i < worlds; ++i) {
        const std::string bad =
            d.bad_quaternion(span_of(q0).subspan(static_cast<std::size_t>(i) * d.nq(), d.nq()));
        if (!bad.empty())
            throw py::value_error(text_of("world ", i, ": ", bad));
    }
    if (has_loops(d.model()))
        for (std::size_t i = 0; i < static_cast<std::size_t>(worlds); ++i) {
            const std::string broken = broken_bond(
                d.model(), state_at(d.model(), d.linkage, settings.form, settings.formulation,
                                    span_of(q0).subspan(i * d.nq(), d.nq()),
                                    span_of(v0).subspan(i * d.nv(), d.nv())));
            if (!broken.empty())
                throw py::value_error(text_of("world ", i, ": ", broken));
        }
    Array tau;
    if (!tau_given.is_none()) {
        const py::array any = py::array::ensure(tau_given);
        if (!any || any.ndim() != 3) {
            PyErr_Clear();
            throw py::value_error(
                text_of("tau must have shape (worlds, steps, nv) with nv = ", nv));
        }
        if (steps && *steps != any.shape(1))
            throw py::value_error(
                text_of("tau has forces for ", any.shape(1), " steps, but steps is ", *steps));
        steps = any.shape(1);
        tau = rows_in(any, "tau", {worlds, *steps, nv}, "(worlds, steps, nv)", whose_v);
    }
    if (!steps)
        throw py::value_error("without tau, steps must say how many steps to take");
    if (*steps < 0)
        throw py::value_error(text_of("steps must not be negative, is ", *steps));

    Array masses;
    if (!masses_given.is_none()) {
        const auto bodies = static_cast<py::ssize_t>(d.model().bodies().size());
        const auto whose = [&](std::size_t i) {
            return text_of("body '", d.model().bodies()[i % static_cast<std::size_t>(bodies)].name,
                           "'");
        };
        masses = rows_in(masses_given, "masses", {worlds, bodies}, "(worlds, bodies)", whose);
        for (std::size_t i = 0; const double m : span_of(masses)) {
            if (!(m > 0))
                throw py::value_error(text_of("world ", i / static_cast<std::size_t>(bodies),
                                              ": the mass of ", whose(i), " must be positive, is ",
                                              m));
            ++i;
        }
    }

    Array contents;
    if (!tanks_given.is_none()) {
        const auto& tanks = d.model().tanks();
        const auto whose = [&](std::size_t i) {
            return text_of("tank '", tanks[i % tanks.size()].name, "'");
        };
        if (tanks.empty())
            throw py::value_error("this model has no tanks whose contents could differ");
        contents = rows_in(tanks_given, "tanks", {worlds, static_cast<py::ssize_t>(tanks.size())},
                           "(worlds, tanks)", whose);
    }

    Array armatures;
    if (!armatures_given.is_none()) {
        armatures = rows_in(armatures_given, "armatures", {worlds, nv}, "(worlds, nv)", whose_v);
        refuse_armatures(d, span_of(armatures));
    }

    Array q({worlds, *steps + 1, nq}), v({worlds, *steps + 1, nv});
    std::string failure;
    bool stopped = false;
    {
        const std::span<double> q_into = span_in(q), v_into = span_in(v);
        const std::span<const double> forces =
            tau_given.is_none() ? std::span<const double>{} : span_of(tau);
        const auto given = [](const py::object& object, const Array& numbers) {
            return object.is_none() ? std::span<const double>{} : span_of(numbers);
        };
        const OwnNumbers own{given(masses_given, masses), given(tanks_given, contents),
                             given(armatures_given, armatures)};
        const auto stop = [&stopped] {
            const py::gil_scoped_acquire hold;
            return stopped = stopped || PyErr_CheckSignals() != 0;
        };
        const py::gil_scoped_release free;
        failure = roll_out(d, settings,
                           {static_cast<std::size_t>(worlds), static_cast<std::size_t>(*steps)},
                           span_of(q0), span_of(v0), forces, own, q_into, v_into, threads, stop);
    }
    if (stopped)
        throw py::error_already_set();
    if (!failure.empty())
        throw CannotStep(failure);
    return py::make_tuple(q, v);
}

} // namespace

void bind_simulation(py::module_& module)
{
    using py::arg;
    const auto none = py::none();
    py::class_<SavedRun>(module, "Checkpoint")
        .def_property_readonly("time", &SavedRun::time)
        .def_property_readonly("state_hash",
                               [](const SavedRun& s) { return hash_text(s.checkpoint.state); });
    py::class_<Run>(module, "Simulation")
        .def(py::init(&start_run), arg("model"), py::kw_only(), arg("step") = none,
             arg("integrator") = none, arg("formulation") = none, arg("state_form") = none,
             arg("until") = none, arg("ledger") = none, arg("ledger_every") = none, arg("q") = none,
             arg("v") = none)
        .def("step", &Run::step, arg("n") = 1)
        .def("run",
             [](Run& r) {
                 const Simulation& run = r.idle();
                 r.step(std::max<std::int64_t>(0, run.steps_in_all() - run.state().step));
             })
        .def("set_joint_forces", &Run::set_joint_forces, arg("tau"))
        .def("set_controls", &Run::set_controls, arg("values"))
        .def("set_rotor_torques", &Run::set_rotor_torques, arg("torques"))
        .def("checkpoint", &Run::checkpoint)
        .def("resume", &Run::resume, arg("checkpoint"))
        .def_property_readonly("model", [](const Run& r) { return r.described(); })
        .def_property_readonly("time", [](Run& r) { return r.idle().time(); })
        .def_property_readonly("steps", [](Run& r) { return r.idle().state().step; })
        .def_property_readonly("done", [](Run& r) { return r.idle().done(); })
        .def_property_readonly("q", [](Run& r) { return array_of(r.coordinates().q); })
        .def_property_readonly("v", [](Run& r) { return array_of(r.coordinates().v); })
        .def_property_readonly("bodies", [](Run& r) { return arrays_of(r.idle().placed()); })
        .def(
            "flight",
            [](Run& r, const std::string& body) {
                const Simulation& run = r.idle();
                return flight_dict(run.model(), run.placed(), r.described()->body(body),
                                   run.time());
            },
            arg("body"))
        .def_property_readonly("tanks", [](Run& r) { return array_of(r.idle().state().tanks); })
        .def_property_readonly("levels", [](Run& r) { return array_of(r.levels()); })
        .def_property_readonly("flows", [](Run& r) { return r.flows(); })
        .def_property_readonly("rotors", [](Run& r) { return array_of(r.spins()); })
        .def_property_readonly("controls",
                               [](Run& r) {
                                   const Simulation& run = r.idle();
                                   const auto& all = run.model().controls();
                                   const ControlsNow now{&all, &run.input(), run.time()};
                                   std::map<std::string, double> values;
                                   for (std::size_t i = 0; i < all.size(); ++i)
                                       values[all[i].name] = now[static_cast<int>(i)];
                                   return values;
                               })
        .def_property_readonly("shapes",
                               [](Run& r) { return shapes_of(r.described(), r.idle().placed()); })
        .def_property_readonly("contacts",
                               [](Run& r) {
                                   const Simulation& run = r.idle();
                                   return contacts_of(run.model(), run.touches());
                               })
        .def(
            "joint_reactions",
            [](Run& r, const py::object& about) { return reactions_of(r.idle(), about); },
            arg("about") = none, "What each joint does to its body b.")
        .def_property_readonly("ledger", &Run::ledger)
        .def_property_readonly("balanced",
                               [](Run& r) { return py::object(r.ledger()["balanced"]); })
        .def_property_readonly("cuts", [](Run& r) { return cuts_of(r.idle()); })
        .def_property_readonly("contact_quality",
                               [](Run& r) { return contact_quality_of(r.idle()); })
        .def_property_readonly("events", [](Run& r) { return events_of(r.idle()); })
        .def_property_readonly("state_hash", [](Run& r) { return hash_text(r.idle().state()); });
    module.def("rollout", &rollout, arg("model"), arg("q0"), arg("v0"), arg("tau"), arg("step"),
               arg("steps") = none, arg("integrator") = "runge_kutta4", arg("threads") = 0,
               arg("masses") = none, arg("tanks") = none, arg("armatures") = none,
               "Many worlds of one model, each from its own start.");
    module.def("trim", &trim_of, arg("model"), py::kw_only(), arg("speed") = none,
               arg("altitude") = none, arg("climb_angle") = 0.0, arg("turn_rate") = 0.0,
               arg("body") = none, arg("keep") = std::vector<std::string>{},
               "Attitude and controls of steady flight.");
    module.def("trimmed", &trimmed_model, arg("model"), py::kw_only(), arg("speed") = none,
               arg("altitude") = none, arg("climb_angle") = 0.0, arg("turn_rate") = 0.0,
               arg("body") = none, arg("keep") = std::vector<std::string>{},
               "The model in steady flight.");
}

} // namespace poinsot
