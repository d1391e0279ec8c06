// SPDX-License-Identifier: MIT
#pragma once

// What an integrator asks of a linkage: the accelerations of (q, v), the loads that make them, and
// the reactions that carry them.
//
// Loads come from the same `gather_loads` as in maximal coordinates, one wrench per body; the
// articulated-body algorithm turns them into accelerations. Where uniform gravity and forces along
// the joints are all there is, it takes these as they are. The reaction of the joint that carries
// body i is what its motion needs, less what acts on it, plus what it hands on:
//
//     W_i = (ṗ_i, L̇_i) − loads_i + Σ W_j               over the bodies j that hang on i
//
// and acts, turned round, on the body it hangs on. A body that floats has none. Joints that close
// loops, gears and prescribed coordinates are rows, solved after the tree (solve/joint_rows.hpp).

#include "poinsot/constraints/reaction.hpp"
#include "poinsot/dynamics/kinematics.hpp"
#include "poinsot/dynamics/linkage_sums.hpp"
#include "poinsot/integrate/anderson.hpp"
#include "poinsot/integrate/stage_sweep.hpp"
#include "poinsot/integrate/system.hpp"
#include "poinsot/solve/joint_rows.hpp"

#include <memory>

namespace poinsot {

/// Do uniform gravity and the input bring everything that acts, and does a tree of joints bring
/// everything that binds?
bool falls_freely(const Model& model);

class JointSystem {
  public:
    explicit JointSystem(System& world);

    /// Where is everything, what acts on it, how does it answer? Fills the bodies, joints and loads
    /// of the world and the accelerations; the reactions too if they are asked for.
    void evaluate(std::span<const double> q, std::span<const double> v, double t,
                  std::span<double> v_dot, bool reactions);
    /// The same, and posts what every cause does, with its weight in the step. Where nobody asks
    /// body by body, joints are posted as one sum, with all stages, by `post_stages`.
    void evaluate_and_post(std::span<const double> q, std::span<const double> v, double t,
                           std::span<double> v_dot, double weight, Postings& postings);
    /// Does a stage need no more than its place, for the books of gravity and joints? Then this
    /// takes it, and finds the accelerations if none are given.
    bool posts_falling(const Postings& postings) const;
    void post_falling(std::span<const double> q, std::span<const double> v,
                      std::span<const double> v_dot, double weight);
    /// Posts what is left of the stages of a step.
    void post_stages(Postings& postings);
    /// Posts the loads of the world, and what the joints of the tree carry for accelerations v_dot
    /// at the place q of the links and velocities v, in which axes turn. Work is that along the
    /// velocities `moving`, which are those of the bodies: v, or those of a kick that v is only in
    /// the middle of.
    void post_reactions(std::span<const double> q, std::span<const double> v,
                        std::span<const double> v_dot, std::span<const double> moving,
                        double weight, Postings& postings);

    /// Which rows repeat others? As of `System`.
    void decide_rows(std::span<const double> q, std::span<const double> v, double t);
    void forget_rows() { solver_.forget(); }
    /// Per row: is it left out of this step? Empty if none is.
    std::span<const char> rows_left_out() const { return solver_.decided(); }

    /// The accelerations of the tree alone, whatever else binds it; loads of the world are filled.
    void evaluate_tree(std::span<const double> q, std::span<const double> v, double t,
                       std::span<double> v_dot);
    /// Adds what the joints of the tree carry to the loads of the world, for accelerations v_dot at
    /// the place and velocities v of the links.
    void add_tree_reactions(std::span<const double> v, std::span<const double> v_dot);

    /// The velocities after an impact at (q, v), where the bodies and joints of the world are: the
    /// k-th standing stop changes its speed by jump[k], what else binds by nothing.
    void strike(std::span<const double> v, double t, std::span<const double> jump,
                std::span<double> v_after);
    /// The impulses of that impact, as loads of the world, which is as it was before it; `after` is
    /// how the bodies move then, `v_change` what it did to the velocities.
    void impulses_of_strike(std::span<const PlacedBody> after, std::span<const double> v_change);
    /// Multipliers of the rows, and how each body accelerates, since they were last evaluated.
    std::span<const double> multipliers() const { return lambda_; }
    Twist<double> acceleration_of(std::size_t body) const;
    /// What joint j does to its body b, about a world point, since reactions were last evaluated.
    Wrench<double> reaction_of(int j, const Vec3<double>& about,
                               ReactionOf what = ReactionOf::joint) const;

    /// Puts a linkage with loops back where they close at time t, and its motion too; posts what
    /// that did as stabilisation. Returns why it could not.
    const char* project(JointMotion& y, double t, Postings& postings);

    /// What everything weighs at time t; or as the world has been weighed.
    void weigh(double t);
    void take_masses();
    /// How fast the inertias of the links change, as the world has been weighed, about their
    /// origins and in their axes; empty where nothing flows.
    std::span<const LinkInertia<double>> inertia_rates();
    /// The velocities after impulses on the bodies, about their centres of mass, at q and time t.
    void push(std::span<const double> q, std::span<const Wrench<double>> impulses, double t,
              std::span<double> v);

    /// Bodies of the world at (q, v), and joints too.
    void place_bodies(std::span<const double> q, std::span<const double> v);
    void place(std::span<const double> q, std::span<const double> v);

    /// Is uniform gravity all that acts?
    bool only_gravity() const;
    /// The same of this step: a tank from which nothing flows is mass.
    bool only_weight() const;
    /// What kernels are to add by themselves: nothing where loads bring it.
    Vec3<double> gravity() const;
    /// Loads per link at (q, v) and time t, about its origin and in its axes.
    std::span<const Wrench<double>> loads_of(std::span<const double> q, std::span<const double> v,
                                             double t);

    /// The joints' named coordinates, which in a tree are numbers of q.
    void named_coordinates(std::span<const double> q, std::span<double> out) const;

    System& world;
    const Linkage linkage;
    std::vector<LinkInertia<double>> inertias;
    LinkageSpace<double> space;

    /// Does anything bind that joint coordinates leave?
    bool has_rows() const { return has_loops_ || !world.standing.empty(); }
    std::size_t freedoms() const { return static_cast<std::size_t>(linkage.nv); }

    // Scratch of the integrators, kept so that nothing allocates once it is warm.
    std::vector<std::vector<double>> u_dot, v_dot; // per stage
    std::vector<double> u, v, q, x;
    std::unique_ptr<StageSweep> stages; // of implicit methods
    Anderson anderson;
    NewtonKrylov newton;
    std::vector<double> at, made;

  private:
    /// Accelerations, and in any case the loads if they are asked for.
    void answer(std::span<const double> q, std::span<const double> v, double t,
                std::span<double> v_dot, bool gathers);
    /// Are joints posted as one sum?
    bool posts_sums(const Postings& postings) const;
    /// Posts the loads of the world, and joints body by body, or keeps what their sum asks for.
    void post_acting(std::span<const double> q, std::span<const double> v,
                     std::span<const double> v_dot, std::span<const double> moving, double weight,
                     Postings& postings);
    /// What acts; of what mass carries off no more than the books ask for.
    void gather(double t);
    /// The forces of the input along the velocities; none where they are loads of another kind.
    std::optional<std::span<const double>> forces_along_joints();
    /// Σ h a of the rotors in every link, in link axes; empty where there are none.
    std::span<const Vec3<double>> spin_of_links();
    /// What every link feels of what flows in it; empty where nothing does.
    std::span<const OwnLoad<double>> flows_of_links() const;
    void take_contents();
    void take_flows();
    void close_loops(std::span<const double> v, double t, std::span<double> v_dot);
    /// What bodies feel of the armatures of the tree, which the mass matrix has: −A q̈, or −A Δq̇.
    void add_armatures(std::span<const double> v_change);
    /// Adds what joints of the tree carry, from what each body lacks (in carried_).
    void hand_down();
    /// What the rows still lack of accelerations that the bonds allow.
    void lack_of_acceleration(std::span<const double> v, std::span<const double> v_dot);

    bool has_loops_, has_armatures_, floats_;
    /// Σ w (…) of the stages that wait for `post_stages`.
    struct Unposted {
        int stages = 0;
        bool falls = false, ideal = false; // ideal: the joints of a tree do no work
        double weight = 0;
        Wrench<double> load = no_load<double>(); // about the origin, on what does not float
        Vec3<double> tau = zero3<double>();      // about each body's centre of mass
        double power = 0;
    };
    LinkageSums sums_;
    Unposted unposted_;
    bool carries_ = false;          // does any joint of the tree carry a body?
    std::vector<char> floating_;    // per body
    double m_ = 0, m_on_world_ = 0; // of all bodies, and of those that are welded to the world
    Vec3<double> mx_on_world_;      // Σ m x
    Rows rows_;
    JointRows solver_;
    std::vector<double> lambda_, lack_;

    bool only_gravity_;         // uniform, and nothing else acts
    bool gravity_and_parts_;    // nor does anything but rotors and tanks
    bool steered_ = false;      // does a velocity of what leaves or comes in ask for more than ω?
    std::vector<int> velocity_; // of every coordinate of the joints
    std::vector<double> tau_;
    std::vector<double> no_forces_;
    std::vector<Wrench<double>> external_;
    std::vector<Wrench<double>> carried_; // per body, about its centre of mass
    /// A body of a link that carries one with tanks.
    struct InVessel {
        std::size_t body;
        bool aligned; // are its axes those of the link?
        bool first;   // of its link
    };
    std::vector<InVessel> in_vessels_;
    std::vector<LinkInertia<double>> inertia_rates_;
    Weighed::Moment taken_moment_;
    std::vector<double> taken_contents_; // of the tanks, for which `inertias` are
    std::vector<char> taken_flows_;
    std::vector<FlowShare> taken_shares_;
    std::vector<double> taken_rotors_; // their momenta, for which spin_ is
    std::vector<Vec3<double>> spin_;
    std::vector<OwnLoad<double>> flows_; // as taken
};

} // namespace poinsot
