// SPDX-License-Identifier: MIT
#ifdef WITH_SIMBODY
#include "trees.hpp"

#include <Simbody.h>

namespace poinsot {

std::vector<TreeAnswer> simbody_on_tree(const TreeProblem& problem, Stopwatch seconds)
{
    using namespace SimTK;
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    const Vec3 g(problem.gravity[0], problem.gravity[1], problem.gravity[2]);
    Force::UniformGravity(forces, matter, g);
    Force::DiscreteForces torques(forces, matter);
    std::vector<MobilizedBody> bodies;
    for (const TreeLink& link : problem.links) {
        const Vec3 c(link.c[0], link.c[1], link.c[2]);
        const Inertia about_c(link.I[0], link.I[1], link.I[2], link.I[3], link.I[4], link.I[5]);
        const Body::Rigid body(MassProperties(link.m, c, about_c.shiftFromMassCenter(c, link.m)));
        Mat33 R;
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                R(i, k) = link.R[3 * i + k];
        const Transform X(Rotation(R, false), Vec3(link.r[0], link.r[1], link.r[2]));
        MobilizedBody parent = matter.Ground();
        if (link.parent >= 0)
            parent = bodies[static_cast<std::size_t>(link.parent)];
        if (link.floats)
            bodies.push_back(MobilizedBody::Free(parent, X, body, Transform()));
        else
            bodies.push_back(MobilizedBody::Pin(parent, X, body, Transform()));
    }
    State state = system.realizeTopology();
    std::size_t hinge = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (problem.links[i].floats) {
            const Vec3 v(problem.base_v[0], problem.base_v[1], problem.base_v[2]),
                omega(problem.base_omega[0], problem.base_omega[1], problem.base_omega[2]);
            bodies[i].setUToFitVelocity(state, SpatialVec(omega, v));
            continue;
        }
        bodies[i].setOneQ(state, 0, problem.q[hinge]);
        bodies[i].setOneU(state, 0, problem.v[hinge]);
        torques.setOneMobilityForce(state, bodies[i], MobilizerUIndex(0), problem.tau[hinge++]);
    }
    std::vector<TreeAnswer> out;
    const auto tell = [&](const char* quantity, double time, std::vector<double> numbers) {
        out.push_back({"Simbody", quantity, time, std::move(numbers)});
    };
    const auto of_hinges = [&](const Vector& all) {
        std::vector<double> numbers;
        for (std::size_t i = 0; i < bodies.size(); ++i)
            if (!problem.links[i].floats)
                numbers.push_back(all[bodies[i].getFirstUIndex(state)]);
        return numbers;
    };
    double time = seconds([&] {
        state.updQ();
        system.realize(state, Stage::Position);
    });
    const Vec3 tip = bodies.back().findMassCenterLocationInGround(state);
    tell(quantity::kinematics, time, {tip[0], tip[1], tip[2]});
    time = seconds([&] {
        state.updQ();
        system.realize(state, Stage::Acceleration);
    });
    const Vector made = state.getUDot();
    tell(quantity::forward, time, of_hinges(made));
    Vector residual;
    time = seconds([&] {
        state.updQ();
        system.realize(state, Stage::Dynamics);
        matter.calcResidualForceIgnoringConstraints(
            state, Vector(), system.getRigidBodyForces(state, Stage::Dynamics), made, residual);
    });
    tell(quantity::inverse, time, of_hinges(residual));
    Matrix M;
    time = seconds([&] {
        state.updQ();
        system.realize(state, Stage::Position);
        matter.calcM(state, M);
    });
    std::vector<double> numbers;
    const int first = problem.links[0].floats ? 6 : 0; // its bodies are numbered as they were added
    for (int i = first; i < M.nrow(); ++i)
        for (int k = first; k < M.ncol(); ++k)
            numbers.push_back(M(i, k));
    tell(quantity::inertia, time, numbers);
    return out;
}

} // namespace poinsot
#endif
