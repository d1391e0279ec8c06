// SPDX-License-Identifier: MIT
// The model of a robot, and what can be in its file but is rarely meant.
#include "poinsot/io/urdf_reader.hpp"
#include "poinsot/mass/principal.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace poinsot::urdf {

// ---- the model ----------------------------------------------------------------------------------

void Reader::add_bodies()
{
    // Where the links are at the start.
    std::vector<Pose<double>> X(robot_.links.size(), identity_pose<double>());
    for (const int i : order_) {
        const auto here = static_cast<std::size_t>(i);
        if (carrier_[here] != none) {
            const UrdfJoint& joint = of(robot_.joints, carrier_[here]);
            X[here] = of(X, joint.parent) * child_pose(joint, joint.start);
            X[here].q = normalised(X[here].q);
        }
        const UrdfLink& link = robot_.links[here];
        if (link.fate != Fate::body)
            continue;
        Body body;
        body.name = link.name;
        body.mass_properties = whole_[here];
        body.pose = X[here];
        robot_.description.add(std::move(body));
    }
}

void Reader::add_movable(UrdfJoint& joint)
{
    const UrdfLink& parent = of(robot_.links, joint.parent);
    const UrdfLink& child = of(robot_.links, joint.child);
    if (!child.frame || !parent.frame) {
        joint.why = "left out: it moves nothing that has mass";
        return;
    }
    const TypeFacts& facts = facts_of(joint.type);
    const Pose<double> A{zero3<double>(),
                         facts.has_axis ? turned_from_z(joint.axis) : identity_quat<double>()};
    Joint made;
    made.name = joint.name;
    made.kind = facts.kind;
    made.a = parent.frame->body;
    made.b = child.frame->body;
    made.frame_a = parent.frame->pose * joint.origin * A;
    made.frame_b = child.frame->pose * A;
    const auto coordinates = static_cast<std::size_t>(poinsot::facts_of(made.kind).coordinates);
    made.start.assign(coordinates, 0.0);
    if (facts.one_coordinate) {
        made.start.front() = joint.start;
        CoordinateLaw law;
        law.damping = joint.damping;
        law.friction = joint.friction;
        if (facts.needs_limits) {
            law.lower = joint.lower.value_or(0.0);
            law.upper = joint.upper.value_or(0.0);
            if (!(law.lower < law.upper))
                problem(at(joint), "joint '", joint.name, "': its limits leave no room: lower ",
                        law.lower, ", upper ", law.upper,
                        " (one that is missing is 0); widen them, make it fixed, or lock it");
            if (!(law.lower <= joint.start && joint.start <= law.upper))
                warn(at(joint), "joint '" + joint.name + "'", "it starts at ", joint.start,
                     ", outside of its limits ", law.lower, " to ", law.upper);
        }
        made.laws = {law};
    }
    joint.joint = robot_.description.add(std::move(made));
}

void Reader::add_joints()
{
    Builder& builder = robot_.description;
    // A weld is added where it holds together what no other weld does.
    std::vector<int> held(builder.bodies.size() + 1); // the last is the world
    std::iota(held.begin(), held.end(), 0);
    const auto leader = [&](int body) {
        auto i = body == world ? held.size() - 1 : static_cast<std::size_t>(body);
        while (static_cast<std::size_t>(held[i]) != i) {
            held[i] = of(held, held[i]);
            i = static_cast<std::size_t>(held[i]);
        }
        return static_cast<int>(i);
    };
    const UrdfLink& root = of(robot_.links, robot_.root);
    if (options_.base == UrdfBase::fixed && root.frame && root.frame->body != world) {
        Joint weld;
        weld.kind = JointKind::weld;
        weld.name = "world to " + root.name;
        while (joint_index_.contains(weld.name))
            weld.name += "'";
        weld.b = root.frame->body;
        weld.frame_b = root.frame->pose;
        of(held, leader(weld.b)) = leader(world);
        builder.add(std::move(weld));
    }
    for (const int i : order_) {
        const int above = of(carrier_, i);
        if (above == none)
            continue;
        UrdfJoint& joint = of(robot_.joints, above);
        if (!rigid(joint)) {
            add_movable(joint);
            continue;
        }
        const auto& a = of(robot_.links, joint.parent).frame;
        const auto& b = of(robot_.links, joint.child).frame;
        const std::string locked = joint.locked ? joint.why + "; " : std::string();
        if (!a || !b) {
            joint.why = locked + "left out: it carries nothing that has mass";
        } else if (leader(a->body) == leader(b->body)) {
            joint.why = locked + "both its links are parts of one body, or of the world";
        } else {
            Joint weld;
            weld.kind = JointKind::weld;
            weld.name = joint.name;
            weld.a = a->body;
            weld.b = b->body;
            weld.frame_a = a->pose * child_pose(joint, joint.locked.value_or(0.0));
            weld.frame_b = b->pose;
            of(held, leader(weld.b)) = leader(weld.a);
            joint.joint = builder.add(std::move(weld));
        }
    }
}

void Reader::add_gears()
{
    for (UrdfJoint& joint : robot_.joints) {
        if (!joint.mimic || options_.ignore_mimic || joint.locked || joint.joint == none)
            continue;
        const auto found = joint_index_.find(joint.mimic->joint);
        if (found == joint_index_.end())
            continue;
        const UrdfJoint& leader = of(robot_.joints, found->second);
        if (leader.joint == none) {
            joint.why = "moves freely: it mimics '" + leader.name + "', which is left out";
            continue;
        }
        robot_.description.gears.push_back(
            {"mimic of " + joint.name, joint.joint, 0, leader.joint, 0, joint.mimic->multiplier});
        joint.why = text_of("q = ", joint.mimic->multiplier, " q('", leader.name, "') + ",
                            joint.mimic->offset);
    }
}

// ---- what can be, and is rarely meant -----------------------------------------------------------

namespace {

/// A bound of the distance from a point to any point of a shape; none for a mesh.
std::optional<double> reach(const UrdfGeometry& geometry, const Vec3<double>& from)
{
    const double away = norm(geometry.pose.x - from);
    if (const auto* box = std::get_if<Box>(&geometry.shape))
        return away + 0.5 * norm(box->size);
    if (const auto* ball = std::get_if<Ball>(&geometry.shape))
        return away + ball->radius;
    if (const auto* cylinder = std::get_if<Cylinder>(&geometry.shape))
        return away + std::hypot(cylinder->radius, 0.5 * cylinder->height);
    if (const auto* capsule = std::get_if<Capsule>(&geometry.shape))
        return away + capsule->radius + 0.5 * capsule->height;
    return std::nullopt;
}

} // namespace

void Reader::look_for_the_unlikely()
{
    // Nearly every joint of nearly every file has these: one line for all.
    const UrdfJoint* first = nullptr;
    std::size_t others = 0;
    for (const UrdfJoint& joint : robot_.joints)
        if (joint.effort.value_or(0) > 0 || joint.velocity.value_or(0) > 0)
            first ? void(++others) : void(first = &joint);
    if (first)
        robot_.not_used.push_back(
            {first->line, first->column,
             text_of("joint '", first->name, "'",
                     others > 0 ? text_of(" and ", others, " more") : ""),
             "<limit effort= velocity=>, which bounds no motor; give motors their `most`"});
    double total = 0;
    for (const UrdfLink& link : robot_.links)
        total += link.own.mass;
    for (const UrdfLink& link : robot_.links) {
        const std::string owner = "link '" + link.name + "'";
        for (const auto* list : {&link.visual, &link.collision})
            for (const UrdfGeometry& g : *list)
                if (g.missing) {
                    const std::string& path = std::get<MeshShape>(g.shape).path;
                    const std::size_t scheme = path.find("://");
                    if (path.starts_with("package://") || path.starts_with("model://"))
                        warn(at(g), owner, "meshes of package '",
                             path.substr(scheme + 3, path.find('/', scheme + 3) - scheme - 3),
                             "' were not found; say where it is");
                    else
                        warn(at(g), owner, "there is no mesh file '", path, "'");
                }
        if (!(link.own.mass > 0))
            continue;
        const At here = inertial_of(link);
        const MassProperties& own = link.own;
        if (own.mass < 1e-6 * total)
            warn(here, owner, "its mass of ", own.mass,
                 " kg is less than a millionth of all: a "
                 "placeholder?");
        if (own.inertia == diagonal(1.0, 1.0, 1.0))
            warn(here, owner, "its inertia is 1 kg m² about every axis: a placeholder?");
        // No part of a body is farther from its centre of mass than ρ, so no moment exceeds m ρ².
        // Collision shapes are simplified: one that is half as large as the part is let pass.
        double rho = 0;
        bool bounded = !link.collision.empty();
        for (const UrdfGeometry& g : link.collision) {
            const auto far = reach(g, own.center);
            bounded = bounded && far.has_value();
            rho = std::max(rho, far.value_or(0.0));
        }
        const double most = own.mass * rho * rho;
        const double largest = principal_axes(own.inertia).moments.z;
        if (bounded && largest > 4 * most)
            warn(here, owner, "its largest moment is ", largest,
                 " kg m²; a body of this mass inside its collision shapes has ", most, " at most");
    }
}

} // namespace poinsot::urdf
