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

struct Drift {
    double energy, L_z;
};
Drift drift_of(const Builder& builder, double h, double until)
{
    RunSettings run;
    run.step.h = h;
    run.step.method = Method::gauss;
    run.step.formulation = Formulation::reduced;
    run.until = until;
    run.ledger.detail = Postings::Detail::off;
    auto sim = Simulation::start(built(builder), run);
    REQUIRE(sim);
    double E0 = 0, L0 = 0, most_T = 0, most_L = 0, off_E = 0, off_L = 0;
    for (bool first = true; first || !sim->done(); first = false) {
        if (!first)
            REQUIRE_FALSE(sim->step());
        const Placed at = sim->placed();
        const double T = kinetic_energy(at.bodies);
        const double E = T + stores_of(sim->model(), at).total();
        double L = 0;
        for (const PlacedBody& body : at.bodies)
            L += body.L.z + cross(body.x, body.p).z;
        if (first) {
            E0 = E;
            L0 = L;
        }
        most_T = std::max(most_T, T);
        most_L = std::max(most_L, std::abs(L));
        off_E = std::max(off_E, std::abs(E - E0));
        off_L = std::max(off_L, std::abs(L - L0));
    }
    return {off_E / most_T, off_L / most_L};
}

// Rounding of 10⁴ steps leaves 1e-13 to 1e-12 of drift; a hundred times that, and a hundredth of
// what is asked for, is allowed.
constexpr double rounding = 1e-11;

} // namespace

TEST_CASE("The long run: a double pendulum from 90 and 90 degrees keeps its energy")
{
    const double quarter = std::acos(0.0);
    const Builder b = chain(2, 1, 1, 1e-3, JointKind::revolute, {quarter, quarter}, 0);
    CHECK(drift_of(b, 1e-3, 10).energy < rounding);
    CHECK(drift_of(b, 1e-2, 10).energy < 1e-7);
}

TEST_CASE("The long run: a free body about its middle axis keeps energy and angular momentum")
{
    Builder b;
    b.add(body_with("body", 1, diagonal(1.0, 2.0, 3.0), {}, {0.01, 2, 0.01}));
    for (const double h : {1e-3, 1e-2}) {
        const Drift drift = drift_of(b, h, 10);
        CHECK(drift.energy < rounding);
        CHECK(drift.L_z < 1e-9); // of which L_z has 1/130 of |L|
    }
}

TEST_CASE("The long run: a chain of ten hinges keeps its energy")
{
    const Builder b = chain(10, 0.2, 0.5, 1e-4, JointKind::revolute, {1, 0}, 0);
    CHECK(drift_of(b, 1e-3, 10).energy < rounding);
    CHECK(drift_of(b, 1e-2, 10).energy < 1e-5); // bounded: the quickest motion is hardly resolved
}

TEST_CASE("The long run: a spinning chain of ten balls keeps energy and L about the vertical")
{
    const Builder b = chain(10, 0.2, 0.5, 1e-4, JointKind::ball, {1, 0}, 0.5);
    const Drift fine = drift_of(b, 1e-3, 10), coarse = drift_of(b, 1e-2, 10);
    CHECK(fine.energy < rounding);
    CHECK(fine.L_z < rounding);
    CHECK(coarse.energy < 1e-5);
    CHECK(coarse.L_z < 1e-8);
}
