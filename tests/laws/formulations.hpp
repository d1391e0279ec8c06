// SPDX-License-Identifier: MIT
#pragma once

// One model in each formulation, looked at where a reference has its times.

#include "joined.hpp"
#include "poinsot/constraints/reaction.hpp"
#include "poinsot/dynamics/momentum.hpp"
#include "poinsot/integrate/joint_system.hpp"
#include "poinsot/io/scene.hpp"
#include "poinsot/solve/bonds.hpp"

#include <ctime>

namespace poinsot {

inline constexpr std::array both{Formulation::maximal, Formulation::reduced};

/// What a file of scenes/ describes.
Builder scene_description(const std::string& name);
std::shared_ptr<const Model> scene(const std::string& name);

RunSettings run_in(Formulation formulation, Method method, double h, double until);
/// Dormand-Prince to a tolerance that no reference here is better than. Rows are put back after
/// every h.
RunSettings tight(Formulation formulation, double h, double until, double tolerance = 1e-12);

/// A line of docs/validation.md: scripts/validation reads it.
void measured(const nlohmann::json& line);

struct Followed {
    double error = 0, energy = 0, seconds = 0;

    /// For the page: of a case, in its unit.
    void measured(const char* name, const RunSettings& run, const char* unit) const
    {
        const bool to_tolerance = chooses_its_steps(run.step.method);
        poinsot::measured({{"table", "motion"},
                           {"case", name},
                           {"formulation", name_of(run.step.formulation)},
                           {"method", facts_of(run.step.method).name},
                           {to_tolerance ? "tolerance" : "step",
                            to_tolerance ? run.step.tolerance.relative : run.step.h},
                           {"until", run.until},
                           {"error", error},
                           {"unit", unit},
                           {"energy", energy},
                           {"seconds", seconds}});
    }
};
/// Runs through the times of a reference: the largest of what error(placed, sample) says at each,
/// the largest change of energy where uniform gravity alone does work (NaN elsewhere), and the
/// processor's seconds that the steps took.
template <class Error>
Followed worst_of(const std::shared_ptr<const Model>& model, const RunSettings& run,
                  const nlohmann::json& times, Error error)
{
    auto sim = Simulation::start(model, run);
    if (!sim)
        FAIL(sim.problems().text());
    const auto energy = [&](const Placed& placed) {
        return kinetic_energy(placed.bodies) +
               potential_energy(placed.bodies, model->gravity().uniform);
    };
    const double start = energy(sim->placed());
    Followed worst;
    for (std::size_t sample = 0; sample < times.size(); ++sample) {
        const double t = times[sample];
        if (t > run.until + 1e-9)
            break;
        const std::clock_t before = std::clock();
        while (sim->time() < t - 1e-9)
            if (const auto ended = sim->step())
                FAIL(*ended);
        worst.seconds += static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
        REQUIRE(near(sim->time(), t, 1e-12));
        const Placed placed = sim->placed();
        worst.error = std::max(worst.error, error(placed, sample));
        worst.energy = std::max(worst.energy, std::abs(energy(placed) - start));
    }
    if (!model->springs().empty() || !model->loads().empty())
        worst.energy = std::nan("");
    return worst;
}

/// The largest distance of the two origins over all joints that keep them together.
double gap(const Model& model, const Placed& placed);

/// What joints do at one moment, in maximal coordinates.
struct Moment {
    Loads loads;
    Bonds bonds;
    const Model& model;
    const Placed placed;

    explicit Moment(const Model& given, Placed at, double t = 0)
        : model(given), placed(std::move(at))
    {
        gather_loads(model, placed, {}, t, t, loads);
        bonds.reply(model, placed, t, std::nullopt, loads);
    }
    Wrench<double> reaction(int joint, const V3& about) const
    {
        return reaction_of(model, bonds.rows, joint, bonds.answer.lambda, placed, about);
    }
    /// Accelerations of body i.
    const Twist<double>& acceleration(std::size_t i) const { return bonds.answer.u[i]; }
};

/// What acts at one state, reactions among it, as each formulation finds it.
class JointLoads {
  public:
    JointLoads(const Model& model, Formulation f, const State& state, const Input& input = {},
               double t = 0)
        : input_(input), system_(model, input_)
    {
        system_.active_at = t;
        system_.joint_coordinates = state.joint_coordinates;
        if (f == Formulation::maximal) {
            system_.placed = place(model, state);
            system_.evaluate_placed(t);
        } else {
            joints_.emplace(system_);
            std::vector<double> v_dot(joints_->freedoms());
            joints_->evaluate(state.joints.q, state.joints.v, t, v_dot, true);
        }
    }
    /// At the start.
    JointLoads(const Model& model, Formulation f)
        : JointLoads(model, f, start_of(model, FormKind::momentum, f))
    {
    }
    const Placed& placed() const { return system_.placed; }
    /// All of one cause on a body, about a point.
    Wrench<double> on(int body, Cause cause, const V3& about) const
    {
        Wrench<double> sum{zero3<double>(), zero3<double>()};
        for (const LoadPart& part : system_.loads.parts)
            if (part.body == body && part.cause == cause)
                sum = sum + part.wrench;
        return shift(sum, about - placed().bodies[static_cast<std::size_t>(body)].x);
    }
    /// What a joint does to its body b, about a point.
    Wrench<double> reaction(int joint, const V3& about) const
    {
        const Bonds& bonds = system_.bonds;
        return joints_ ? joints_->reaction_of(joint, about)
                       : reaction_of(system_.model, bonds.rows, joint, bonds.answer.lambda,
                                     placed(), about);
    }

  private:
    Input input_;
    System system_;
    std::optional<JointSystem> joints_;
};

} // namespace poinsot
