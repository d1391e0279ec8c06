// SPDX-License-Identifier: MIT
#pragma once

// The four systems of the long run, and what is watched while they go.
//
//     drift = largest |E − E₀| over the run / largest kinetic energy
//
// L is the angular momentum where something keeps it: of the free body, and of the balls about the
// vertical.

#include "peers/peers.hpp"
#include "poinsot/dynamics/momentum.hpp"
#include "poinsot/model/builder.hpp"
#include "poinsot/step/simulate.hpp"

#include <cmath>
#include <cstdio>

namespace poinsot {

inline constexpr double quarter = 1.57079632679489661923;
inline const DriftProblem problems[] = {
    {"double_pendulum", 2, 0.2, 0.5, 1e-4, false, {quarter, quarter}, 0},
    {"free_body", 0, 0, 0, 0, false, {}, 0, {1, 2, 3}, {0.01, 2, 0.01}},
    {"planar_chain", 10, 0.2, 0.5, 1e-4, false, {1, 0}, 0},
    {"ball_chain", 10, 0.2, 0.5, 1e-4, true, {1, 0}, 0.5},
};

inline std::shared_ptr<const Model> model_of(const DriftProblem& problem)
{
    Builder b;
    if (problem.links == 0) {
        Body body;
        body.name = "body";
        body.mass_properties = {
            1, zero3<double>(),
            diagonal(problem.moments[0], problem.moments[1], problem.moments[2])};
        body.angular_velocity = {problem.omega[0], problem.omega[1], problem.omega[2]};
        b.add(body);
        return std::make_shared<const Model>(*b.build());
    }
    b.gravity.uniform = {0, 0, -9.81};
    const double across = problem.mass * problem.length * problem.length / 12;
    const Vec3<double> spin{0, 0, problem.spin}, down{0, 0, -problem.length};
    Pose<double> at{zero3<double>(), identity_quat<double>()}; // of the joint at work
    for (int i = 0; i < problem.links; ++i) {
        if (i < 2)
            at.q = exp_quat(Vec3<double>{0, problem.angles[static_cast<std::size_t>(i)], 0}) * at.q;
        Body rod; // its frame stands at its centre
        rod.name = text_of("link ", i);
        rod.mass_properties = {problem.mass, zero3<double>(),
                               diagonal(across, across, problem.axial)};
        rod.pose = {place(at, 0.5 * down), at.q};
        rod.angular_velocity = spin;
        rod.velocity = cross(spin, rod.pose.x);
        b.add(rod);
        Joint joint;
        joint.name = text_of("joint ", i);
        joint.kind = problem.balls ? JointKind::ball : JointKind::revolute;
        joint.a = i - 1;
        joint.b = i;
        const Quat<double> z_to_y = exp_quat(Vec3<double>{-quarter, 0, 0});
        joint.frame_a.q = joint.frame_b.q = problem.balls ? identity_quat<double>() : z_to_y;
        if (i > 0)
            joint.frame_a.x = 0.5 * down;
        joint.frame_b.x = -0.5 * down;
        b.add(joint);
        at.x = place(at, down);
    }
    const auto made = b.build();
    if (!made)
        for (const Problem& one : made.problems().list())
            std::fprintf(stderr, "%s: %s\n", one.place.c_str(), one.what.c_str());
    return std::make_shared<const Model>(*made);
}

struct Way {
    const char* name;
    Method method;
    Formulation formulation;
};
inline Simulation started(const DriftProblem& problem, const Way& way, double h, double duration)
{
    RunSettings run;
    run.step.h = h;
    run.step.method = way.method;
    run.step.formulation = way.formulation;
    run.until = duration;
    run.ledger.detail = Postings::Detail::off;
    return std::move(*Simulation::start(model_of(problem), run));
}

/// Energies and L as they come.
class Watch {
  public:
    explicit Watch(const DriftProblem& problem) : problem_(problem) {}

    void see(const Simulation& sim)
    {
        place(sim.model(), sim.state(), placed_);
        const double T = kinetic_energy(placed_.bodies);
        const double E = T + stores_of(sim.model(), placed_).total();
        Vec3<double> L = zero3<double>();
        for (const PlacedBody& body : placed_.bodies)
            L += body.L + cross(body.x, body.p);
        if (problem_.links > 0)
            L.x = L.y = 0;
        if (first_) {
            E0_ = E;
            L0_ = L;
            first_ = false;
        }
        most_T_ = std::fmax(most_T_, T);
        off_E_ = std::fmax(off_E_, std::fabs(E - E0_));
        off_L_ = std::fmax(off_L_, norm(L - L0_));
    }
    double energy() const { return off_E_ / most_T_; }
    double L() const { return keeps_L(problem_) ? off_L_ / norm(L0_) : NAN; }
    void next_window() { off_E_ = off_L_ = 0; }

  private:
    const DriftProblem& problem_;
    Placed placed_;
    bool first_ = true;
    double E0_ = 0, most_T_ = 0, off_E_ = 0, off_L_ = 0;
    Vec3<double> L0_{};
};

/// True if it came to the end.
inline bool ran_on(Simulation& sim, std::int64_t steps, Watch* watch)
{
    for (std::int64_t i = 0; i < steps; ++i) {
        if (const auto ended = sim.step()) {
            std::fprintf(stderr, "%s\n", ended->c_str());
            return false;
        }
        if (watch)
            watch->see(sim);
    }
    return true;
}

} // namespace poinsot
