// SPDX-License-Identifier: MIT
#include "poinsot/forces/bushing_force.hpp"

namespace poinsot {

namespace {

/// One end: where its frame is and how it moves.
struct BushingEnd {
    Vec3<double> x, center;
    Mat3<double> R;
    Vec3<double> v, omega; // of the centre of mass, of the body

    Vec3<double> velocity_at(const Vec3<double>& point) const
    {
        return v + cross(omega, point - center);
    }
};
BushingEnd end_of(int body, const Pose<double>& frame, const Placed& placed)
{
    if (body == world)
        return {frame.x, zero3<double>(), matrix_of(frame.q), zero3<double>(), zero3<double>()};
    const PlacedBody& at = placed.bodies[static_cast<std::size_t>(body)];
    return {at.x + at.lever(frame.x), at.x, at.R * matrix_of(frame.q), at.v, at.omega};
}

Blocks6<double> blocks_of(const Six& six)
{
    return {six.push, six.mixed, six.turn};
}

struct PlacedBushing {
    Mat3<double> R_a;
    Vec3<double> x_b;
    Bent<double> bent;
};
PlacedBushing placed_bushing(const Bushing& bushing, const Placed& placed)
{
    const BushingEnd a = end_of(bushing.a, bushing.frame_a, placed);
    const BushingEnd b = end_of(bushing.b, bushing.frame_b, placed);
    const auto in_a = [&](const Vec3<double>& r) { return transpose_times(a.R, r); };
    const Twist<double> V{in_a(b.velocity_at(b.x) - a.velocity_at(b.x)), in_a(b.omega - a.omega)};
    return {a.R, b.x, bent(in_a(b.x - a.x), log_matrix(transpose(a.R) * b.R), V)};
}
Wrench<double> in_world(const Mat3<double>& R, const Wrench<double>& W)
{
    return {R * W.F, R * W.tau};
}

} // namespace

void add_bushings(const Model& model, const Placed& placed, Loads& out)
{
    for (std::size_t i = 0; i < model.bushings().size(); ++i) {
        if (!placed.whole(i))
            continue;
        const Bushing& bushing = model.bushings()[i];
        const PlacedBushing at = placed_bushing(bushing, placed);
        const auto push = [&](Cause cause, const Six& six, const SixVector<double>& s) {
            const Wrench<double> W =
                in_world(at.R_a, bushing_wrench(blocks_of(six), s, at.bent.xi.turn));
            const auto on = [&](int body, const Vec3<double>& F, const Vec3<double>& tau) {
                if (body == world)
                    return;
                const Vec3<double> r = at.x_b - placed.bodies[static_cast<std::size_t>(body)].x;
                out.add(body, cause, {F, tau + cross(r, F)}, r);
            };
            on(bushing.a, -W.F, -W.tau);
            on(bushing.b, W.F, W.tau);
            if (out.keep_points && i >= model.described_bushings())
                out.along.push_back({static_cast<std::size_t>(
                                         model.turned_joints()[i - model.described_bushings()]),
                                     W});
        };
        if (!bushing.stiffness.none())
            push(Cause::spring, bushing.stiffness, at.bent.xi);
        if (!bushing.damping.none())
            push(Cause::damper, bushing.damping, at.bent.xi_dot);
    }
}

double bushing_store(const Model& model, const Placed& placed)
{
    double store = 0;
    for (std::size_t i = 0; i < model.bushings().size(); ++i)
        if (placed.whole(i)) {
            const Bushing& bushing = model.bushings()[i];
            store += bushing_energy(blocks_of(bushing.stiffness),
                                    placed_bushing(bushing, placed).bent.xi);
        }
    return store;
}

BushingLoad bushing_load(const Bushing& bushing, const Placed& placed)
{
    const PlacedBushing at = placed_bushing(bushing, placed);
    const Wrench<double> held =
        bushing_wrench(blocks_of(bushing.stiffness), at.bent.xi, at.bent.xi.turn);
    const Wrench<double> damped =
        bushing_wrench(blocks_of(bushing.damping), at.bent.xi_dot, at.bent.xi.turn);
    return {in_world(at.R_a, held + damped), at.x_b, at.R_a};
}

} // namespace poinsot
