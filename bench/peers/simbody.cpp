// SPDX-License-Identifier: MIT
#ifdef WITH_SIMBODY
#include "../measure.hpp"
#include "peers.hpp"

#include <Simbody.h>

namespace poinsot {

void run_simbody(const FreeBodyProblem& problem, const Report& report)
{
    using namespace SimTK;
    const Vec3 omega(problem.omega[0], problem.omega[1], problem.omega[2]);
    for (const double accuracy : {1e-3, 1e-5, 1e-7, 1e-9, 1e-11}) {
        MultibodySystem system;
        SimbodyMatterSubsystem matter(system);
        const Body::Rigid part(MassProperties(
            1, Vec3(0), Inertia(problem.moments[0], problem.moments[1], problem.moments[2])));
        MobilizedBody::Free body(matter.Ground(), part);
        State state = system.realizeTopology();
        body.setUToFitAngularVelocity(state, omega);
        Vec4 q;
        double steps = 1;
        const double cpu = least_of_runs([&] {
            RungeKuttaMersonIntegrator integrator(system);
            integrator.setAccuracy(accuracy);
            integrator.setFinalTime(problem.duration);
            integrator.initialize(state);
            while (integrator.getTime() < problem.duration)
                integrator.stepTo(problem.duration);
            q = body.getBodyRotation(integrator.getState()).convertRotationToQuaternion().asVec4();
            steps = integrator.getNumStepsTaken();
        });
        char method[24];
        std::snprintf(method, sizeof method, "merson_%.0e", accuracy);
        report({method, problem.duration / steps, cpu, {q[0], q[1], q[2], q[3]}});
    }
}

} // namespace poinsot
#endif
