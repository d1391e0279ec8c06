// SPDX-License-Identifier: MIT
// Momentum of a whole linkage: by second moments, by inertias, by matrices, about any point.

#include "poinsot/dynamics/momentum.hpp"
#include "linkages.hpp"
#include "poinsot/dynamics/aba.hpp"

using namespace poinsot;

TEST_CASE("Liu (13) and (15): momentum in joint coordinates is that of the bodies, for any linkage")
{
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        INFO(seed);
        Rig rig(random_tree(seed, 3 + static_cast<int>(seed % 9)), seed);
        const Placed placed = rig.bodies();
        LinkageSpace<Dual<double>> along(rig.linkage);
        const std::vector<MassProperties> masses = masses_of(*rig.model);
        const Momentum<double> by_13 =
            momentum_in_coordinates(rig.linkage, masses, rig.q, rig.v, along);
        const Momentum<double> by_15 = centroidal_momentum(placed.bodies);
        double size = 1; // of the terms that (13) sums and subtracts
        for (const PlacedBody& body : placed.bodies)
            size += norm(body.x) * norm(body.p) + norm(body.L);
        CHECK(norm(by_13.p - by_15.p) < 1e-14 * size);
        CHECK(norm(by_13.L - by_15.L) < 1e-14 * size);

        // about a point that moves, with velocities against the world and against it
        Dice dice(seed);
        const V3 A = dice.vector(2), v_A = dice.vector(2);
        const SystemCenter center = system_center_of(placed.bodies);
        const Momentum<double> still = momentum_about(placed.bodies, A);
        const Momentum<double> riding = relative_momentum_about(placed.bodies, A, v_A);
        CHECK(norm(riding.L - (still.L - cross(center.m * (center.x - A), v_A))) < 1e-13 * size);
        CHECK(norm(still.L - (by_15.L + cross(center.x - A, still.p))) < 1e-13 * size);
    }
}

TEST_CASE("Three bodies of the reference: (13), (15), any moving point and the energy")
{
    const auto r = reference_items("seed_examples.json").at("angmom_3bodies");
    Builder b;
    for (const auto& one : r.at("bodies")) {
        Body body;
        body.name = text_of("body", b.bodies.size());
        const double m = one.at("m");
        const V3 side = vec(one.at("box"));
        const V3 s{side.x * side.x, side.y * side.y, side.z * side.z};
        body.mass_properties = {
            m, vec(one.at("com_local")),
            diagonal(m / 12 * (s.y + s.z), m / 12 * (s.x + s.z), m / 12 * (s.x + s.y))};
        const auto R = one.at("R");
        const V3 omega = vec(one.at("omega"));
        body.pose = {vec(one.at("r")), quat_of(Mat3<double>{vec(R[0]), vec(R[1]), vec(R[2])})};
        body.angular_velocity = omega;
        body.velocity =
            vec(one.at("rdot")) + cross(omega, rotate(body.pose.q, body.mass_properties.center));
        b.add(body);
    }
    const auto model = built(b);
    const Linkage linkage = linkage_of(*model);
    const Coordinates start = start_coordinates(linkage, *model);
    LinkageSpace<double> w(linkage);
    LinkageSpace<Dual<double>> along(linkage);
    Placed placed;
    place_bodies(linkage, *model, start.q, start.v, placed, w);
    const auto same = [](const V3& a, const V3& b) { return norm(a - b) < 2e-13 * (norm(b) + 1); };
    // The reference has 15 digits, and terms of size 20 cancel.
    const std::vector<MassProperties> masses = masses_of(*model);
    const Momentum<double> by_13 =
        momentum_in_coordinates(linkage, masses, start.q, start.v, along);
    CHECK(same(by_13.L, vec(r.at("L_com"))));
    CHECK(same(by_13.p, vec(r.at("linear_momentum"))));
    CHECK(same(centroidal_momentum(placed.bodies).L, vec(r.at("L_com"))));
    const V3 A = vec(r.at("point_A")), v_A = vec(r.at("vel_A"));
    CHECK(same(momentum_about(placed.bodies, A).L, vec(r.at("L_A_absolute"))));
    CHECK(same(relative_momentum_about(placed.bodies, A, v_A).L, vec(r.at("L_A_relative"))));
    const SystemCenter center = system_center_of(placed.bodies);
    CHECK(same(center.x, vec(r.at("com"))));
    CHECK(same(center.v, vec(r.at("com_vel"))));
    CHECK(same(cross(v_A, center.m * center.v), vec(r.at("vA_cross_P"))));
    CHECK(near(kinetic_energy(placed.bodies), r.at("kinetic_energy"), 1e-13));
}

TEST_CASE("Centroidal momentum is a matrix times v, and its rate is what acts from outside")
{
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        INFO(seed);
        Builder b = random_tree(seed, 3 + static_cast<int>(seed % 9));
        Rig rig(b, seed);
        const Placed placed = rig.bodies();
        const std::size_t nv = rig.nv();
        compose<double>(rig.linkage, rig.inertias, rig.w);
        const LinkageMass<double> mass = moving_mass<double>(rig.linkage, rig.inertias, rig.w);
        std::vector<double> A(6 * nv);
        centroidal_matrix<double>(rig.linkage, mass.center, A, rig.w);
        // the moving bodies alone: those welded to the world have no momentum
        std::vector<PlacedBody> moving;
        for (std::size_t i = 0; i < placed.bodies.size(); ++i)
            if (rig.linkage.bodies[i].link != world)
                moving.push_back(placed.bodies[i]);
        const Momentum<double> sum = momentum_about(moving, mass.center);
        CHECK(norm(system_center_of(moving).x - mass.center) < 1e-14 * 10);
        double h[6], rate[6];
        for (std::size_t row = 0; row < 6; ++row) {
            h[row] = rate[row] = 0;
            for (std::size_t i = 0; i < nv; ++i) {
                h[row] += A[row * nv + i] * rig.v[i];
                rate[row] += A[row * nv + i] * rig.v_dot[i];
            }
        }
        CHECK(norm(sum.p - V3{h[0], h[1], h[2]}) < 1e-13 * 100);
        CHECK(norm(sum.L - V3{h[3], h[4], h[5]}) < 1e-13 * 100);

        // A v̇ + Ȧ v against the inertial loads of all links at v̇
        link_accelerations<double>(rig.linkage, rig.v, {}, rig.w);
        const Wrench<double> bias =
            centroidal_bias<double>(rig.linkage, rig.inertias, mass.center, rig.w);
        link_accelerations<double>(rig.linkage, rig.v, rig.v_dot, rig.w);
        const Wrench<double> all =
            centroidal_bias<double>(rig.linkage, rig.inertias, mass.center, rig.w);
        CHECK(norm(all.F - bias.F - V3{rate[0], rate[1], rate[2]}) < 1e-13 * 1000);
        CHECK(norm(all.tau - bias.tau - V3{rate[3], rate[4], rate[5]}) < 1e-13 * 1000);

        // and Ȧ v against the derivative of A along the motion
        using D = Dual<double>;
        LinkageSpace<D> w(rig.linkage);
        std::vector<double> q_dot(rig.q.size());
        coordinate_rates<double>(rig.linkage, rig.q, rig.v, q_dot);
        std::vector<D> q, A_moving(6 * nv);
        for (std::size_t i = 0; i < rig.q.size(); ++i)
            q.push_back({rig.q[i], q_dot[i]});
        const auto inertias = link_inertias<D>(rig.linkage, *rig.model);
        place_links<D>(rig.linkage, q, w);
        place_links_in_world(rig.linkage, w);
        compose<D>(rig.linkage, inertias, w);
        const LinkageMass<D> moved = moving_mass<D>(rig.linkage, inertias, w);
        centroidal_matrix<D>(rig.linkage, moved.center, A_moving, w);
        double A_dot_v[6];
        for (std::size_t row = 0; row < 6; ++row) {
            A_dot_v[row] = 0;
            for (std::size_t i = 0; i < nv; ++i)
                A_dot_v[row] += A_moving[row * nv + i].d * rig.v[i];
        }
        CHECK(norm(bias.F - V3{A_dot_v[0], A_dot_v[1], A_dot_v[2]}) < 1e-13 * 1000);
        CHECK(norm(bias.tau - V3{A_dot_v[3], A_dot_v[4], A_dot_v[5]}) < 1e-13 * 1000);
    }
}

TEST_CASE("A floating tree that only its own joints drive keeps p and L")
{
    Dice dice(5);
    Builder b;
    for (int i = 0; i < 6; ++i)
        b.add(random_body(dice, text_of("body", i)));
    const JointKind kinds[] = {JointKind::revolute, JointKind::ball, JointKind::prismatic,
                               JointKind::universal, JointKind::screw};
    for (int i = 1; i < 6; ++i)
        hang(b, dice, kinds[i - 1], (i - 1) / 2, i, i % 2 == 0);
    Rig rig(b, 9);
    for (std::size_t k = 0; k < 6; ++k)
        rig.tau[k] = 0; // nothing from outside on the free link
    std::vector<double> v_dot(rig.nv());
    rig.bodies();
    forward_dynamics<double>(rig.linkage, rig.inertias, rig.q, rig.v, rig.tau, {}, zero3<double>(),
                             v_dot, rig.w);
    link_accelerations<double>(rig.linkage, rig.v, v_dot, rig.w);
    const LinkageMass<double> mass = moving_mass<double>(rig.linkage, rig.inertias, rig.w);
    const Wrench<double> rate =
        centroidal_bias<double>(rig.linkage, rig.inertias, mass.center, rig.w);
    CHECK(norm(rate.F) < 1e-12 * largest(v_dot));
    CHECK(norm(rate.tau) < 1e-12 * largest(v_dot));
}
