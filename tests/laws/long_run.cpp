// SPDX-License-Identifier: MIT
// The long run: energy, and the angular momentum that gravity keeps, after thousands of steps. The
// largest |E − E₀| of a run is measured against the largest kinetic energy. bench/drift.cpp has the
// same systems for longer, beside another engine.

#include "poinsot/dynamics/momentum.hpp"
#include "worlds.hpp"

using namespace poinsot;

namespace {

/// Rods that hang on each other along −z of their frames, the first ones turned about y; all
/// together spin about the vertical.
Builder chain(int links, double length, double mass, double axial, JointKind kind,
              std::array<double, 2> angles, double spin)
{
    Builder b;
    b.gravity.uniform = {0, 0, -9.81};
    const V3 down{0, 0, -length}, omega{0, 0, spin};
    const double across = mass * length * length / 12, quarter = std::acos(0.0);
    Pose<double> at = identity_pose<double>();
    for (int i = 0; i < links; ++i) {
        if (i < 2)
            at.q = exp_quat(V3{0, angles[static_cast<std::size_t>(i)], 0}) * at.q;
        Body rod = body_with("", mass, diagonal(across, across, axial), {}, omega);
        rod.name = text_of("link ", i);
        rod.pose = {place(at, 0.5 * down), at.q};
        rod.velocity = cross(omega, rod.pose.x);
        b.add(rod);
        Joint joint;
        joint.name = text_of("joint ", i);
        joint.kind = kind;
        joint.a = i - 1;
        joint.b = i;
        if (kind == JointKind::revolute) // z of the joint along y
            joint.frame_a.q = joint.frame_b.q = exp_quat(V3{-quarter, 0, 0});
        if (i > 0)
            joint.frame_a.x = 0.5 * down;
        joint.frame_b.x = -0.5 * down;
        b.add(joint);
        at.x = place(at, down);
    }
    return b;
}

struct Problem {
    const char* name;
    Builder builder;
    V3 kept;                   // of L, the components that nothing changes
    double coarse_E, coarse_L; // what a step of 10 ms may lose
};
/// Links turn by up to 0.3 rad in 10 ms, and the end of a chain cracks within a few of them: such
/// steps lose energy each time, but not more and more.
std::vector<Problem> problems()
{
    const double quarter = std::acos(0.0);
    Builder body;
    body.add(body_with("body", 1, diagonal(1.0, 2.0, 3.0), {}, {0.01, 2, 0.01}));
    return {
        {"double pendulum", chain(2, 0.2, 0.5, 1e-4, JointKind::revolute, {quarter, quarter}, 0),
         V3{}, 1e-4, 0},
        {"free body about its middle axis", body, V3{1, 1, 1}, 1e-11, 1e-11},
        {"ten hinges", chain(10, 0.2, 0.5, 1e-4, JointKind::revolute, {1, 0}, 0), V3{}, 1e-4, 0},
        {"ten balls", chain(10, 0.2, 0.5, 1e-4, JointKind::ball, {1, 0}, 0.5), V3{0, 0, 1}, 1e-4,
         1e-8}};
}

struct Drift {
    double energy, L;
};
Drift drift_of(const Problem& problem, double h, double until)
{
    RunSettings run;
    run.step.h = h;
    run.step.method = Method::gauss;
    run.step.formulation = Formulation::reduced;
    run.until = until;
    run.ledger.detail = Postings::Detail::off;
    auto sim = Simulation::start(built(problem.builder), run);
    REQUIRE(sim);
    double E0 = 0, most_T = 0, off_E = 0, off_L = 0;
    V3 L0 = zero3<double>();
    Placed at;
    for (bool first = true; first || !sim->done(); first = false) {
        if (!first)
            REQUIRE_FALSE(sim->step());
        place(sim->model(), sim->state(), at);
        const double T = kinetic_energy(at.bodies);
        const double E = T + stores_of(sim->model(), at).total();
        V3 L = zero3<double>();
        for (const PlacedBody& one : at.bodies)
            L += one.L + cross(one.x, one.p);
        L = {problem.kept.x * L.x, problem.kept.y * L.y, problem.kept.z * L.z};
        if (first) {
            E0 = E;
            L0 = L;
        }
        most_T = std::max(most_T, T);
        off_E = std::max(off_E, std::abs(E - E0));
        off_L = std::max(off_L, norm(L - L0));
    }
    return {off_E / most_T, off_L > 0 ? off_L / norm(L0) : 0};
}

void check(double until)
{
    for (const Problem& problem : problems()) {
        CAPTURE(problem.name);
        const Drift fine = drift_of(problem, 1e-3, until), coarse = drift_of(problem, 1e-2, until);
        // Rounding leaves 1e-13 to 1e-12, and as much again whenever there are four times as many
        // steps; ten times that, and a hundredth of what is asked for, is allowed.
        CHECK(fine.energy < 1e-11);
        CHECK(fine.L < 1e-11);
        CHECK(coarse.energy < problem.coarse_E);
        CHECK(coarse.L <= problem.coarse_L);
    }
}

} // namespace

TEST_CASE("The long run: pendulums, a free body and chains keep energy and L, at 10 ms bounded")
{
    check(10);
}

TEST_SUITE("slow")
{
    TEST_CASE("The long run: the same for 100 s, with the same bounds")
    {
        check(100);
    }
}
