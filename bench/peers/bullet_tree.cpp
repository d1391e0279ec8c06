// SPDX-License-Identifier: MIT
#ifdef WITH_BULLET
#include "trees.hpp"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <Eigen/Dense>

namespace poinsot {

namespace {

btVector3 vector(const Eigen::Vector3d& a)
{
    return {a.x(), a.y(), a.z()};
}
btQuaternion quaternion(const Eigen::Matrix3d& R)
{
    const Eigen::Quaterniond q(R);
    return {q.x(), q.y(), q.z(), q.w()};
}

} // namespace

std::vector<TreeAnswer> bullet_on_tree(const TreeProblem& problem, Stopwatch seconds)
{
    using Eigen::Matrix3d, Eigen::Vector3d;
    // Its links have their frames at the centre of mass, along the principal axes: P of each link.
    struct Own {
        Matrix3d P;
        Vector3d c, moments;
    };
    std::vector<Own> own;
    for (const TreeLink& link : problem.links) {
        Matrix3d I;
        I << link.I[0], link.I[3], link.I[4], link.I[3], link.I[1], link.I[5], link.I[4], link.I[5],
            link.I[2];
        const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(I);
        Matrix3d P = axes.eigenvectors();
        if (P.determinant() < 0)
            P.col(0) = -P.col(0);
        own.push_back({P, Vector3d(link.c), axes.eigenvalues()});
    }
    const bool floats = problem.links[0].floats;
    const int first = floats ? 1 : 0;
    const int hinges = static_cast<int>(problem.links.size()) - first;
    const Own ground{Matrix3d::Identity(), Vector3d::Zero(), Vector3d::Ones()};
    const Own& base = floats ? own[0] : ground;
    btMultiBody body(hinges, floats ? problem.links[0].m : 0, vector(base.moments), !floats, false);
    body.setBasePos(vector(base.c));
    body.setWorldToBaseRot(quaternion(base.P.transpose()));
    body.setLinearDamping(0);
    body.setAngularDamping(0);
    for (int i = 0; i < hinges; ++i) {
        const TreeLink& link = problem.links[static_cast<std::size_t>(first + i)];
        const Own& here = own[static_cast<std::size_t>(first + i)];
        const Own& parent = link.parent < 0 ? ground : own[static_cast<std::size_t>(link.parent)];
        const Matrix3d R = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(link.R);
        body.setupRevolute(i, link.m, vector(here.moments), link.parent - first,
                           quaternion(here.P.transpose() * R.transpose() * parent.P),
                           vector(here.P.transpose() * Vector3d::UnitZ()),
                           vector(parent.P.transpose() * (Vector3d(link.r) - parent.c)),
                           vector(here.P.transpose() * here.c), true);
    }
    body.finalizeMultiDof();
    body.useGlobalVelocities(false);
    btAlignedObjectArray<btScalar> numbers;
    btAlignedObjectArray<btVector3> vectors;
    btAlignedObjectArray<btMatrix3x3> matrices;
    if (floats) {
        body.setBaseVel(vector(Vector3d(problem.base_v)));
        body.setBaseOmega(vector(Vector3d(problem.base_omega)));
    }
    for (int i = 0; i < hinges; ++i) {
        body.setJointPos(i, problem.q[static_cast<std::size_t>(i)]);
        body.setJointVel(i, problem.v[static_cast<std::size_t>(i)]);
    }
    const btVector3 g = vector(Vector3d(problem.gravity));
    body.clearForcesAndTorques();
    if (floats)
        body.addBaseForce(problem.links[0].m * g);
    for (int i = 0; i < hinges; ++i) {
        body.addLinkForce(i, problem.links[static_cast<std::size_t>(first + i)].m * g);
        body.addJointTorque(i, problem.tau[static_cast<std::size_t>(i)]);
    }
    std::vector<TreeAnswer> out;
    const auto tell = [&](const char* quantity, double time, std::vector<double> numbers) {
        out.push_back({"Bullet f64", quantity, time, std::move(numbers)});
    };
    btAlignedObjectArray<btQuaternion> turns;
    btAlignedObjectArray<btVector3> places;
    const auto place = [&] {
        for (int i = 0; i < hinges; ++i)
            body.setJointPos(i, problem.q[static_cast<std::size_t>(i)]); // renews its caches
    };
    double time = seconds([&] {
        place();
        body.forwardKinematics(turns, places);
    });
    const btVector3 tip = body.getLink(hinges - 1).m_cachedWorldTransform.getOrigin();
    tell(quantity::kinematics, time, {tip.x(), tip.y(), tip.z()});
    time = seconds([&] {
        place();
        // A step of no length: it adds nothing to the velocities.
        body.computeAccelerationsArticulatedBodyAlgorithmMultiDof(0, numbers, vectors, matrices,
                                                                  false, false, false);
    });
    std::vector<double> v_dot;
    for (int i = 0; i < hinges; ++i)
        v_dot.push_back(numbers[hinges + 6 + i]); // after its scratch and the base
    tell(quantity::forward, time, v_dot);
    return out;
}

} // namespace poinsot
#endif
