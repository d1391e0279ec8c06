// SPDX-License-Identifier: MIT
#pragma once

// A step by impulses, for what touches: time stepping on velocities, in which loads, joints,
// limits, motors (drives.hpp) and contacts answer together.
//
//     fly ½h        freely and exactly
//     kick h        at that place, frozen: loads for a time h, and one reply of all that binds
//     fly ½h
//
// This is Moreau's midpoint scheme [Moreau 1988] with exact flight. A point is in touch where its
// gap, at that place, is closed. Speeds u = J V of all rows go from u⁻ = J V⁻ to u⁺ = W r + q with
// q = J (V⁻ + h M⁻¹ F), and r obeys the laws of solve/contact_problem.hpp and solve/impact.hpp.
//
//     p, L   every reaction is a pair at one point, and flight keeps both: to rounding; so do trees
//            that float in joint coordinates (floating.hpp)
//     T      T⁺ − T⁻ = Σ impulses · (u⁻ + u⁺)/2 at the frozen place, to rounding
//     order  2 between events, with joints too: what leaves its joint with u⁻ comes back with −u⁻,
//            and dampers know of it (impulsive_middle.cpp);
//            1 in time across an impact, which is found to within a step
//
// An open point that may close before the next look, and slowly, is held at u⁺ ≥ −gap/h: what rests
// stays at rest, however long the step (impulsive_ahead.cpp). That has an account, speculative.
//
// Joint coordinates have velocities in axes that turn, which loads depend on: those of mid-kick, as
// it comes out. What turns so far that they are not found takes the step in parts.
//
// In uniform gravity flight and kick give the parabola exactly. Where all comes back (e = 1) and
// nothing rubs, the step in which a body strikes is its own mirror image: energy is kept to
// rounding, whatever the step.
//
// What is fast is looked for between the looks (contacts/first_hit.hpp): where it would hit in
// mid-flight the step is taken in parts, so that one has its kick at that moment. After the kick it
// is looked for again, and where another hit follows before the part ends, the part is taken back
// and a shorter one instead. No time is lost, and every part is its own mirror image.
//
// What was inside another by more than `within` when the step ends, and does not leave by itself,
// is moved out:  min ½ Δᵀ M Δ  with  gap + J Δ ≥ 0, unless stabilisation is not projection or
// overlaps are to be kept. That has an account, contact_correction; where limits of joints
// alone are passed, stabilisation.

#include "poinsot/contacts/broadphase.hpp"
#include "poinsot/contacts/contact_row.hpp"
#include "poinsot/contacts/first_hit.hpp"
#include "poinsot/contacts/touch.hpp"
#include "poinsot/solve/joint_rows.hpp"
#include "poinsot/step/contact_gain.hpp"
#include "poinsot/step/drives.hpp"
#include "poinsot/step/smooth.hpp"

#include <optional>
#include <string>

namespace poinsot {

struct ImpactAnswer;
struct ImpactSettings;
struct Island;

class Impulsive {
  public:
    explicit Impulsive(const Model& model);
    ~Impulsive();

    /// Begins the records of a step, which may have several passes: one ends where a joint lets go.
    void begin_step();
    /// Takes bodies and what the state knows of touch from t over a time h.
    template <class Form>
    StepReport pass(std::vector<Form>& bodies, State& state, const StepSettings& settings, double t,
                    double h, Workspace& w);
    /// The same for a linkage, whose joints are coordinates: it flies along them, and J, M and the
    /// loads are those of the linkage.
    StepReport pass(JointMotion& y, State& state, const StepSettings& settings, double t, double h,
                    Workspace& w);

    /// What touched in the last step.
    std::span<const TouchRecord> touches() const { return records_; }
    /// What motors and friction of joints did in it.
    std::span<const DriveRecord> drives() const { return driven_; }
    /// What was struck in it: it came near faster than twice what weight and other loads give in
    /// the kick; what rests comes by no more than these. Points of the same two skins are one.
    struct Struck {
        int a = -1, b = -1;       // skins, or none:
        std::optional<Stop> stop; // a limit of a joint
        double impulse = 0;       // along the normals, summed, N s; of a stop N s or N m s
    };
    std::span<const Struck> struck() const { return struck_; }
    /// Contacts of it whose law made energy; they have no time.
    std::span<const ContactGain> gains() const { return gains_; }
    /// The largest natural residual of its problems, and how many were not solved to tolerance.
    double residual() const { return residual_; }
    int unsolved() const { return unsolved_; }
    /// Parts of a pass of the last step, at most: more than one where something fast was hit.
    int parts() const { return most_taken_; }
    /// Were there so many that the rest of it was taken without looking? What is fast may then have
    /// passed through something.
    bool unlooked() const { return unlooked_; }

  private:
    struct Parts;
    struct Kept;

    /// Points of contact at the place of `placed`, and those that may become some in a step.
    void find_contacts(const System& system, const StepSettings& settings, double h);
    /// How far may loads alone take something in a step that looks ahead?
    double reach_ahead(const System& system, const StepSettings& settings, double h) const;
    /// Which open points and limits are held, and which bounces are over.
    void look_ahead(const Placed& placed, const StepSettings& settings, double h);
    double passes_by(const Manifold& m, const Placed& placed, double straight, double closed,
                     double h);
    /// How much of a step of length h to take at once: all, or so much that the first hit of
    /// something fast falls on the kick.
    double part_of_step(const StepSettings& settings, const Placed& placed, double h);
    /// After the kick, what was struck flies otherwise, and another may hit: how much of the step
    /// to take instead, so that it falls on a kick of its own.
    double part_that_fits(const StepSettings& settings, const Placed& placed, double part);
    std::optional<double> next_hit(const StepSettings& settings, const Placed& placed,
                                   double duration);
    int most_parts() const { return 64 + 16 * static_cast<int>(shapes_.size()); }
    /// What a part changes but for the bodies themselves, kept where it may have to be taken back.
    void keep(const State& state, const Workspace& w);
    void take_back(State& state, Workspace& w);
    template <class Motion, class Fly, class Kick>
    const char* reach_kick(Motion& y, State& state, const StepSettings& settings, double& part,
                           Workspace& w, const Fly& fly, const Kick& kick);
    /// One kick at a frozen place; returns why there is none.
    const char* kick(State& state, const StepSettings& settings, double t, double h, Workspace& w);
    const char* kick(JointMotion& y, State& state, const StepSettings& settings, double t, double h,
                     Workspace& w);
    template <class Coast>
    bool settle(const JointMotion& y, double h, const Coast& coast);
    bool depends(const System& system) const; // on velocity, in this step
    void gather(System& system, double t, double h);
    void bind(const State& state, System& system, double t, double h);
    const char* foresee(const StepSettings& settings, System& system, double t, double h);
    void foresee_bends(System& system, double h);
    void gather_at_middle(System& system, double t, double h);
    const char* answer(const StepSettings& settings, System& system, double h);
    void find_stops(const System& system, const StepSettings& settings, double h);
    void begin_at(const State& state, const Placed& placed);
    void begin_part(System& system);
    void aim();
    const char* reply(const StepSettings& settings, std::size_t bodies, const JointRows* linkage);
    Result<ImpactAnswer> answer_of(Island& island, const ImpactSettings& how);
    bool presses_too_much(const Island& island, const ImpactAnswer& answer);
    bool guess_drives();
    void add_replies(System& system, double h);
    void remember(State& state);
    void record_blows(double h);
    void record_gains(const Island& island, const ImpactAnswer& answer);
    /// Pushes, by row, that take away what overlaps at the end of the step; false: nothing does.
    bool overlaps(const StepSettings& settings, double h);
    template <class Form>
    void part_overlaps(std::vector<Form>& bodies, Workspace& w);
    void part_overlaps(JointMotion& y, Workspace& w);
    Cause cause_of_parting() const;

    double within(const StepSettings& settings) const
    {
        return settings.contact.within > 0 ? settings.contact.within : usual_within_;
    }

    const Model& model_;
    double usual_within_ = 0, largest_ = 0; // of skins
    std::vector<const Collider*> shapes_;
    std::vector<Filter> filters_;
    std::vector<Pose<double>> poses_;
    std::vector<std::pair<int, int>> pairs_;
    Broadphase broadphase_;
    FirstHit first_hit_;
    std::vector<int> owners_; // of skins: bodies
    std::vector<Passage> courses_;
    Contacts contacts_;

    std::vector<Stop> stops_;
    Drives drives_;
    bool drives_weigh_ = false;     // some have an inertia
    bool loads_depend_ = false;     // on velocity, but for drives
    bool foresees_ = false;         // is this reply for what depends on velocity alone?
    Rows rows_;                     // of all that binds, joints first
    std::vector<TouchRows> points_; // whose rows are where
    std::vector<MovingMass> masses_;
    std::vector<TouchRecord> records_;
    std::vector<DriveRecord> driven_;
    std::vector<Struck> struck_;
    std::vector<ContactGain> gains_;
    std::string pressed_; // what is pressed against what, where nothing gives way
    double residual_ = 0;
    int unsolved_ = 0, taken_ = 0, most_taken_ = 0;
    bool unlooked_ = false;
    bool looks_ = false, hits_ = false; // in this part: something is fast; it hits at the kick
    const std::atomic<bool>* stop_ = nullptr; // of the system
    std::unique_ptr<Parts> parts_;
};

} // namespace poinsot
