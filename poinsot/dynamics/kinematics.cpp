// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/kinematics.hpp"

namespace poinsot {

namespace {

/// A frame in the world and the motion of the body it is fixed to, at its origin.
struct MovingFrame {
    Mat3<double> R;
    Vec3<double> x;
    Twist<double> V;
};
const MovingFrame the_world{
    identity3<double>(), zero3<double>(), {zero3<double>(), zero3<double>()}};

/// A frame fixed to another at (R, x).
MovingFrame fixed_to(const MovingFrame& frame, const Mat3<double>& R, const Vec3<double>& x)
{
    const Vec3<double> d = frame.R * x;
    return {frame.R * R, frame.x + d, shift(frame.V, d)};
}
MovingFrame frame_of(const PlacedBody& body)
{
    // the body frame, whose origin is −center away from the centre of mass
    return fixed_to({body.R, body.x, body.twist()}, identity3<double>(), -body.mass.center);
}
/// Frame b in frame a, and the motion of b's origin seen from a, in axes of a.
MovingFrame seen_from(const MovingFrame& a, const MovingFrame& b)
{
    const Twist<double> V = b.V - shift(a.V, b.x - a.x);
    return {transpose(a.R) * b.R,
            transpose_times(a.R, b.x - a.x),
            {transpose_times(a.R, V.v), transpose_times(a.R, V.omega)}};
}
MovingFrame frame_in(const MovingFrame& body, const Pose<double>& frame)
{
    return fixed_to(body, matrix_of(frame.q), frame.x);
}

void put(double* q, const Quat<double>& a)
{
    q[0] = a.w, q[1] = a.x, q[2] = a.y, q[3] = a.z;
}

} // namespace

Coordinates start_coordinates(const Linkage& linkage, const Model& model)
{
    Placed placed;
    for (std::size_t i = 0; i < model.bodies().size(); ++i) {
        const Body& body = model.bodies()[i];
        const BodyMass& mass = model.masses()[i];
        placed.bodies.push_back(
            poinsot::placed(VelocityForm<double>{place(body.pose, mass.center), body.pose.q,
                                                 body.velocity, body.angular_velocity},
                            mass));
    }
    Coordinates made = coordinates_from_poses(linkage, model, placed);
    // Named coordinates start at the numbers that were given, not at what poses give back.
    for (const Link& link : linkage.links)
        if (link.joint != Tree::none && freedoms_of(link.op) == 1) {
            const JointStart& start = model.joint_starts()[static_cast<std::size_t>(link.joint)];
            made.q[static_cast<std::size_t>(link.q)] =
                start.q[static_cast<std::size_t>(link.coordinate)];
            made.v[static_cast<std::size_t>(link.v)] =
                start.speed[static_cast<std::size_t>(link.coordinate)];
        }
    return made;
}

Coordinates coordinates_from_poses(const Linkage& linkage, const Model& model, const Placed& placed,
                                   std::span<const double> turns)
{
    Coordinates made{std::vector<double>(static_cast<std::size_t>(linkage.nq)),
                     std::vector<double>(static_cast<std::size_t>(linkage.nv))};
    // One body says where each link is; those between are read from the joint as a whole.
    std::vector<MovingFrame> links(linkage.size());
    for (std::size_t i = 0; i < linkage.bodies.size(); ++i) {
        const LinkedBody& body = linkage.bodies[i];
        if (body.link != world)
            links[static_cast<std::size_t>(body.link)] = fixed_to(
                frame_of(placed.bodies[i]), transpose(body.R), -transpose_times(body.R, body.x));
    }
    const auto frame_of_body = [&](int body) {
        return body == world ? the_world : frame_of(placed.bodies[static_cast<std::size_t>(body)]);
    };
    for (std::size_t i = 0; i < linkage.size(); ++i) {
        const Link& link = linkage.links[i];
        double* const q = made.q.data() + link.q;
        double* const v = made.v.data() + link.v;
        if (freedoms_of(link.op) == 1) {
            const Joint& joint = model.joints()[static_cast<std::size_t>(link.joint)];
            const auto k = static_cast<std::size_t>(link.coordinate);
            const MovingFrame b = seen_from(frame_in(frame_of_body(joint.a), joint.frame_a),
                                            frame_in(frame_of_body(joint.b), joint.frame_b));
            const std::vector<double> all =
                coordinates_of(joint.kind, Pose<double>{b.x, quat_of(b.R)});
            v[0] = speeds_of(joint.kind, all, b.V)[k];
            q[0] = all[k];
            if (is_angle(joint.kind, link.coordinate)) {
                const double near =
                    turns.empty() ? model.joint_starts()[static_cast<std::size_t>(link.joint)].q[k]
                                  : turns[static_cast<std::size_t>(link.q)];
                q[0] = mul_add(two_pi, nearest((near - q[0]) / two_pi), q[0]);
            }
            continue;
        }
        const MovingFrame parent =
            link.parent == world ? the_world : links[static_cast<std::size_t>(link.parent)];
        const MovingFrame here = seen_from(fixed_to(parent, link.R, link.r), links[i]);
        // Seen from the joint's frame; velocities are wanted in the link's own axes.
        const Twist<double> V{transpose_times(here.R, here.V.v),
                              transpose_times(here.R, here.V.omega)};
        switch (link.op) {
        case LinkOp::ball:
            put(q, quat_of(here.R));
            put_at(v, V.omega);
            break;
        case LinkOp::free:
            put_at(q, here.x);
            put(q + 3, quat_of(here.R));
            put_at(v, V.v);
            put_at(v + 3, V.omega);
            break;
        default:
            put_at(q, here.x);
            put_at(v, here.V.v);
        }
    }
    return made;
}

void read_bodies(const Linkage& linkage, const LinkageSpace<double>& w,
                 std::vector<PlacedBody>& bodies)
{
    for (std::size_t i = 0; i < linkage.bodies.size(); ++i) {
        const LinkedBody& at = linkage.bodies[i];
        PlacedBody& body = bodies[i];
        const Vec3<double> center = center_in_link(at, body.mass);
        if (at.link == world) {
            body.x = center;
            body.R = at.R;
            body.v = body.omega = body.p = body.L = zero3<double>();
            continue;
        }
        const LinkPlace<double>& link = w.world_place[static_cast<std::size_t>(at.link)];
        const Twist<double> V =
            shift(w.twist[static_cast<std::size_t>(at.link)], center); // link axes
        body.x = link.x + link.R * center;
        body.R = link.R * at.R;
        body.v = link.R * V.v;
        body.omega = link.R * V.omega;
        body.p = body.mass.m * body.v;
        Vec3<double> L_b = body.mass.I_b * transpose_times(body.R, body.omega);
        if (body.mass.flows) {
            body.p += body.R * body.mass.flow_p;
            L_b += body.mass.flow_L;
        }
        body.L = body.R * L_b;
    }
}

void place_bodies(const Linkage& linkage, const Model& model, std::span<const double> q,
                  std::span<const double> v, Placed& out, LinkageSpace<double>& w)
{
    if (out.bodies.empty()) {
        out.bodies.resize(linkage.bodies.size());
        for (std::size_t i = 0; i < out.bodies.size(); ++i)
            out.bodies[i].mass = model.masses()[i];
    }
    place_links(linkage, q, w);
    place_links_in_world(linkage, w);
    link_twists(linkage, v, w);
    read_bodies(linkage, w, out.bodies);
}

void link_loads(const Linkage& linkage, std::span<const PlacedBody> bodies,
                std::span<const Wrench<double>> loads, std::span<Wrench<double>> out,
                const LinkageSpace<double>& w)
{
    std::fill(out.begin(), out.end(), Wrench<double>{zero3<double>(), zero3<double>()});
    for (std::size_t i = 0; i < linkage.bodies.size(); ++i) {
        const int at = linkage.bodies[i].link;
        if (at == world)
            continue;
        const auto link = static_cast<std::size_t>(at);
        const LinkPlace<double>& frame = w.world_place[link];
        const Wrench<double> W = shift(loads[i], frame.x - bodies[i].x);
        out[link] = out[link] +
                    Wrench<double>{transpose_times(frame.R, W.F), transpose_times(frame.R, W.tau)};
    }
}

} // namespace poinsot
