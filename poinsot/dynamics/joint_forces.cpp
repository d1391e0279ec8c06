// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/joint_forces.hpp"

#include "poinsot/dynamics/link_space.hpp"

namespace poinsot {

JointForces::JointForces(const Linkage& linkage)
{
    const auto body_on = [&](int link) {
        for (std::size_t b = 0; b < linkage.bodies.size(); ++b)
            if (link != world && linkage.bodies[b].link == link)
                return static_cast<int>(b);
        return world;
    };
    std::vector<Turning> turning;
    for (std::size_t i = 0; i < linkage.size(); ++i) {
        const Link& link = linkage.links[i];
        if (freedoms_of(link.op) == 1) {
            named_.push_back({link.joint, link.coordinate, link.v});
            continue;
        }
        const int body = body_on(static_cast<int>(i));
        check(body != world, "a link with several freedoms has a body");
        turning.push_back({link.op, link.v, body, body_on(link.parent),
                           linkage.bodies[static_cast<std::size_t>(body)], link.R});
    }
    turning_ = std::make_shared<const std::vector<Turning>>(std::move(turning));
}

Input JointForces::input_of(std::span<const double> tau) const
{
    Input input;
    if (tau.empty())
        return input;
    input.tau.assign(tau.begin(), tau.end());
    input.joint_forces.reserve(named_.size());
    for (const Named& one : named_)
        input.joint_forces.push_back(
            {one.joint, one.coordinate, tau[static_cast<std::size_t>(one.v)]});
    if (turning_->empty())
        return input;
    input.user_force = [links = turning_, forces = std::vector<double>(tau.begin(), tau.end())](
                           const Placed& placed, double, Loads& loads) {
        for (const Turning& link : *links) {
            const double* const f = forces.data() + link.v;
            const PlacedBody& body = placed.bodies[static_cast<std::size_t>(link.body)];
            if (link.op == LinkOp::translate) {
                loads.add_force(link.body, Cause::motor, zero3<double>(), link.R * vector_at(f));
                continue;
            }
            const Mat3<double> R = body.R * transpose(link.at.R); // link axes to world
            const bool pushes = link.op == LinkOp::free;
            const Wrench<double> about_link{pushes ? R * vector_at(f) : zero3<double>(),
                                            R * vector_at(pushes ? f + 3 : f)};
            const Vec3<double> origin = body.x - R * link.at.center;
            loads.add(link.body, Cause::motor, shift(about_link, body.x - origin), origin - body.x);
            if (link.carrier == world)
                continue;
            const PlacedBody& other = placed.bodies[static_cast<std::size_t>(link.carrier)];
            loads.add(link.carrier, Cause::motor, -shift(about_link, other.x - origin),
                      origin - other.x);
        }
    };
    return input;
}

} // namespace poinsot
