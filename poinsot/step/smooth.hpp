// SPDX-License-Identifier: MIT
#pragma once

// A step: by accelerations, for motion without impact, with any integrator and in any form of the
// state; or by impulses (impulsive.hpp).

#include "poinsot/contacts/press_law.hpp"
#include "poinsot/integrate/runge_kutta.hpp"
#include "poinsot/ledger/ledger.hpp"
#include "poinsot/solve/impact_law.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string_view>

namespace poinsot {

struct Linkage;

enum class Method {
    explicit_euler,
    symplectic_euler,
    second_order,
    body_frame,
    midpoint,
    runge_kutta4,
    adaptive,
    splitting,
    gauss,
    adams,
    bdf,
    impulsive,
};
/// How joints are kept: every body with six freedoms and joints as rows, or joint coordinates.
enum class Formulation { maximal, reduced };
enum class FormKind { momentum, velocity, matrix };

/// What a user should know of a method before choosing it.
struct MethodFacts {
    Method method;
    std::string_view name;
    int order;
    bool promises_momentum; // p and L about each centre of mass close to rounding (momentum state)
    bool promises_L;        // and so does L about O or any other point
    bool in_maximal, in_reduced;
    std::string_view story;
};
inline constexpr std::array<MethodFacts, 12> methods{{
    {Method::explicit_euler, "explicit_euler", 1, true, false, true, true,
     "the textbook's first; gains energy"},
    {Method::symplectic_euler, "symplectic_euler", 1, true, true, true, true,
     "motion first, then place"},
    {Method::second_order, "second_order", 1, true, false, true, false,
     "explicit Euler with x + h v + h²a/2"},
    {Method::body_frame, "body_frame", 1, false, false, true, false,
     "ω in body axes (velocity form only)"},
    {Method::midpoint, "midpoint", 2, true, true, true, true,
     "implicit; keeps |L| and energy of free rotation"},
    {Method::runge_kutta4, "runge_kutta4", 4, true, false, true, true,
     "classical, on the rotation group"},
    {Method::adaptive, "adaptive", 5, true, false, true, true,
     "Dormand-Prince 5(4) to a tolerance"},
    {Method::splitting, "splitting", 2, true, true, true, false, "exact free flight between kicks"},
    {Method::gauss, "gauss", 8, false, false, false, true,
     "implicit, symplectic; energy without drift (reduced coordinates)"},
    {Method::adams, "adams", 0, false, false, true, true,
     "SUNDIALS CVODE, variable order, not stiff"},
    {Method::bdf, "bdf", 0, false, false, true, true, "SUNDIALS CVODE, variable order, stiff"},
    {Method::impulsive, "impulsive", 2, true, true, true, true,
     "time stepping with contact, friction and restitution in one solve"},
}};
const MethodFacts& facts_of(Method method);
/// Does it take the steps that it is given, and none of its own between?
constexpr bool steps_of_h(Method method)
{
    return method != Method::adaptive && method != Method::adams && method != Method::bdf;
}
std::optional<Method> method_named(std::string_view name);
std::optional<FormKind> form_named(std::string_view name);
std::string_view name_of(FormKind form);
std::optional<Formulation> formulation_named(std::string_view name);
std::string_view name_of(Formulation formulation);

/// What keeps joints together that drift apart by rounding and by the error of the method.
enum class Stabilisation {
    none,
    baumgarte,  // a pull while the step is taken
    projection, // put back after every step
};
std::optional<Stabilisation> stabilisation_named(std::string_view name);
std::string_view name_of(Stabilisation stabilisation);

/// Who answers touch: impulses of an impulsive step, or forces of springs in any.
enum class ContactResponse { impulsive, penalty };

/// How touch is answered.
struct ContactSettings {
    ContactResponse response = ContactResponse::impulsive;
    PressSettings press = {}; // where the response is penalty; the rest is for impulses
    ImpactLaw law = ImpactLaw::energetic;
    ImpactOrder order = ImpactOrder::together;
    bool exact = true;        // to the last digit by Newton's method; else by sweeps
    int sweeps = 1000;        // at most
    double tolerance = 1e-10; // natural residual (solve/contact_problem.hpp)
    bool continuous = true;   // hits between the looks are found, where something is fast
    bool ahead = true;        // what is about to touch, and slowly, is held (impulsive_ahead.cpp)
    double within = 0;        // a gap that counts as touch, m; 0: a millionth of the smallest skin
    bool keep_overlaps = false; // nothing is ever moved out of anything
};

struct StepSettings {
    double h = 1e-3;
    Method method = Method::splitting;
    FormKind form = FormKind::momentum;
    Formulation formulation = Formulation::maximal;
    Tolerance tolerance = {};
    bool renormalise = true;
    Stabilisation stabilisation = Stabilisation::projection;
    double baumgarte_time = 0;    // s, in which errors die away; 0: twenty steps
    double baumgarte_damping = 1; // 1: critical; below errors swing, above they creep back
    ContactSettings contact = {};

    Baumgarte baumgarte() const
    {
        return Baumgarte::within(baumgarte_time > 0 ? baumgarte_time : 20 * h, baumgarte_damping);
    }
};

class JointSystem;   // integrate/joint_system.hpp: many headers, which few need
class Stops;         // stops.hpp
class Impulsive;     // impulsive.hpp
class ContactEvents; // contact_events.hpp
class Declared;      // declared.hpp

/// Scratch for steps of one model; droppable between any two steps.
class Workspace {
  public:
    Workspace(const Model& model, const Input& input, Postings::Detail detail);
    ~Workspace();

    System system;
    std::unique_ptr<JointSystem> joints;   // made by the first step in reduced coordinates
    std::unique_ptr<Stops> stops;          // of a model with limits
    std::unique_ptr<Impulsive> impulsive;  // made by the first step by impulses
    std::unique_ptr<ContactEvents> events; // of a model with skins, by the first step that needs it
    std::unique_ptr<Declared> declared;    // of a model with moments of its own
    Postings postings;                     // of the step just taken
    const bool closes;                     // has rows that joint coordinates leave
    const bool repeats;                    // some of which say what others do
    std::vector<Vec3<double>> held_at;
    std::vector<Projection> projections;
    State next;                 // where the step goes, before it is known to be good
    bool placed_at_end = false; // does system.placed have all that follows from where it went?
};

/// Why a step ends that would take a larger dense matrix than most_dense_rows.
inline constexpr const char* too_many_rows =
    "what binds and touches has more than 4000 rows together, too many for one dense matrix; use "
    "integrator impulsive in maximal coordinates, which needs none (with law energetic, moreau or "
    "newton, together), or let fewer things touch at once";

/// One step of length h; w.postings then holds what each cause did. On failure the state is what it
/// was, and the report says why.
StepReport smooth_step(State& state, const StepSettings& settings, Workspace& w);

/// The part of a step from t over h, with all that limits and touches; the settings are those of
/// the step, which a `smooth_step` with this workspace has taken before.
StepReport part_of_step(State& next, const StepSettings& settings, double t, double h,
                        Workspace& w);

/// The part of a step from t over h, without a look at what limits: the coordinates that stand at a
/// stop stay there, the others pass through. w.postings has what each cause did. On failure `next`
/// is of no use.
StepReport flow(State& next, const StepSettings& settings, double t, double h, Workspace& w);
/// The same where the flows that the state has on stay on.
StepReport flow_steadily(State& next, const StepSettings& settings, double t, double h,
                         Workspace& w);
/// Placement and motion of the bodies, as reduced coordinates put them.
void follow_bodies(const std::vector<PlacedBody>& placed, State& state);

/// The state a model starts from in the form and formulation that the settings ask for.
State start_of(const Model& model, FormKind form, Formulation formulation = Formulation::maximal);
/// The state at coordinates and velocities of the linkage of the model, at time zero.
State state_at(const Model& model, const Linkage& linkage, FormKind form, Formulation formulation,
               std::span<const double> q, std::span<const double> v);

/// Gives the system its penalty contact where the settings want it; true if anything changed.
bool make_press(System& system, const StepSettings& settings);

/// Does this model run with these settings? Every reason why not.
Problems unfit(const Model& model, const StepSettings& settings);
/// Where none is named: that of the settings if they fit it, else the other one if they fit that.
/// If they fit neither, the one with fewer reasons why not.
Formulation formulation_for(const Model& model, StepSettings settings);
/// Where none is named: this one, unless it does not work there.
Method unnamed_method_in(Formulation formulation, Method method);

} // namespace poinsot
