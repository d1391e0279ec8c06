// SPDX-License-Identifier: MIT
#ifdef WITH_DART
#include "trees.hpp"

#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>

namespace poinsot {

std::vector<TreeAnswer> dart_on_tree(const TreeProblem& problem, Stopwatch seconds)
{
    using namespace dart::dynamics;
    SkeletonPtr robot = Skeleton::create("robot");
    robot->setGravity(Eigen::Vector3d(problem.gravity));
    std::vector<BodyNode*> bodies;
    const auto map = [](const double* a) { return Eigen::Vector3d(a[0], a[1], a[2]); };
    for (std::size_t i = 0; i < problem.links.size(); ++i) {
        const TreeLink& link = problem.links[i];
        BodyNode::Properties body;
        body.mName = "body " + std::to_string(i);
        Eigen::Matrix3d I;
        I << link.I[0], link.I[3], link.I[4], link.I[3], link.I[1], link.I[5], link.I[4], link.I[5],
            link.I[2];
        body.mInertia = Inertia(link.m, map(link.c), I);
        BodyNode* const parent =
            link.parent < 0 ? nullptr : bodies[static_cast<std::size_t>(link.parent)];
        Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
        X.linear() = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(link.R);
        X.translation() = map(link.r);
        if (link.floats) {
            FreeJoint::Properties joint;
            joint.mT_ParentBodyToJoint = X;
            bodies.push_back(
                robot->createJointAndBodyNodePair<FreeJoint>(parent, joint, body).second);
        } else {
            RevoluteJoint::Properties joint;
            joint.mName = "joint " + std::to_string(i);
            joint.mAxis = Eigen::Vector3d::UnitZ();
            joint.mT_ParentBodyToJoint = X;
            bodies.push_back(
                robot->createJointAndBodyNodePair<RevoluteJoint>(parent, joint, body).second);
        }
    }
    const auto dofs = static_cast<Eigen::Index>(robot->getNumDofs());
    Eigen::VectorXd q = Eigen::VectorXd::Zero(dofs), v = q, tau = q;
    std::vector<Eigen::Index> hinges;
    std::size_t hinge = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const auto at =
            static_cast<Eigen::Index>(bodies[i]->getParentJoint()->getIndexInSkeleton(0));
        if (problem.links[i].floats) { // angular before linear, in body axes
            v.segment<3>(at) = map(problem.base_omega);
            v.segment<3>(at + 3) = map(problem.base_v);
            continue;
        }
        hinges.push_back(at);
        q[at] = problem.q[hinge];
        v[at] = problem.v[hinge];
        tau[at] = problem.tau[hinge++];
    }
    // At the same numbers it would remember the answer.
    const Eigen::VectorXd elsewhere = q + 1e-9 * Eigen::VectorXd::Ones(dofs);
    const auto move = [&] {
        robot->setPositions(elsewhere);
        robot->setPositions(q);
    };
    robot->setVelocities(v);
    robot->setForces(tau);
    std::vector<TreeAnswer> out;
    const auto tell = [&](const char* quantity, double time, std::vector<double> numbers,
                          const char* engine = "DART") {
        out.push_back({engine, quantity, time, std::move(numbers)});
    };
    const auto of_hinges = [&](const Eigen::VectorXd& all) {
        std::vector<double> numbers;
        for (const Eigen::Index at : hinges)
            numbers.push_back(all[at]);
        return numbers;
    };
    double sum = 0;
    double time = seconds([&] {
        move();
        for (const BodyNode* body : bodies)
            sum += body->getWorldTransform()(0, 0);
    });
    const Eigen::Vector3d tip = bodies.back()->getCOM();
    tell(quantity::kinematics, time, {tip.x(), tip.y(), tip.z()});
    time = seconds([&] {
        move();
        robot->computeForwardDynamics();
    });
    tell(quantity::forward, time, of_hinges(robot->getAccelerations()));
    time = seconds([&] {
        move();
        robot->computeInverseDynamics();
    });
    tell(quantity::inverse, time, of_hinges(robot->getForces()));
    time = seconds([&] {
        move();
        sum += robot->getMassMatrix()(0, 0);
    });
    const Eigen::MatrixXd& M = robot->getMassMatrix();
    std::vector<double> numbers;
    for (const Eigen::Index i : hinges)
        for (const Eigen::Index k : hinges)
            numbers.push_back(M(i, k));
    tell(quantity::inertia, time, numbers);
    dart::math::Jacobian J;
    time = seconds([&] {
        move();
        J = robot->getCOMJacobian();
    });
    const Eigen::Vector3d p = robot->getMass() * (J.bottomRows<3>() * v);
    tell(quantity::momentum, time, {p.x(), p.y(), p.z()}, "DART Jacobian of the centre");
    return out;
}

} // namespace poinsot
#endif
