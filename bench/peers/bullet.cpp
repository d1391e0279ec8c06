// SPDX-License-Identifier: MIT
#ifdef WITH_BULLET
#include "../measure.hpp"
#include "peers.hpp"

#include <btBulletDynamicsCommon.h>

#include <cmath>

namespace poinsot {

namespace {

std::array<double, 4> tumbled(const FreeBodyProblem& problem, int flags, double h)
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld around(&dispatcher, &broadphase, &solver, &configuration);
    around.setGravity(btVector3(0, 0, 0));
    btSphereShape shape(0.1);
    btRigidBody body(1, nullptr, &shape,
                     btVector3(problem.moments[0], problem.moments[1], problem.moments[2]));
    body.setFlags(flags);
    body.setAngularVelocity(btVector3(problem.omega[0], problem.omega[1], problem.omega[2]));
    body.setActivationState(DISABLE_DEACTIVATION);
    around.addRigidBody(&body);
    const long steps = std::lround(problem.duration / h);
    for (long i = 0; i < steps; ++i)
        around.stepSimulation(h, 0);
    const btQuaternion q = body.getOrientation();
    around.removeRigidBody(&body);
    return {q.w(), q.x(), q.y(), q.z()};
}

} // namespace

void run_bullet(const FreeBodyProblem& problem, const Report& report)
{
    struct Kind {
        const char* name;
        int flags;
    };
    for (const Kind& kind :
         {Kind{"gyro_explicit", BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT},
          Kind{"gyro_implicit_body", BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY},
          Kind{"gyro_implicit_world", BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD}})
        for (const double h : peer_steps) {
            std::array<double, 4> q{};
            const double cpu = least_of_runs([&] { q = tumbled(problem, kind.flags, h); });
            report({kind.name, h, cpu, q});
        }
}

} // namespace poinsot
#endif
