// SPDX-License-Identifier: MIT
// Jacobians and their rates against the derivative of the places themselves.

#include "linkages.hpp"

using namespace poinsot;

TEST_CASE("A Jacobian times v is the velocity of the point, and its rate the rest of the "
          "acceleration")
{
    using D = Dual<double>;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        INFO(seed);
        Rig rig(random_tree(seed, 3 + static_cast<int>(seed % 7)), seed);
        const std::size_t nv = rig.nv();
        LinkageSpace<D> w(rig.linkage);
        std::vector<double> q_dot(rig.q.size());
        coordinate_rates<double>(rig.linkage, rig.q, rig.v, q_dot);
        std::vector<D> q;
        for (std::size_t i = 0; i < rig.q.size(); ++i)
            q.push_back({rig.q[i], q_dot[i]});
        place_links<D>(rig.linkage, q, w);
        place_links_in_world(rig.linkage, w);
        place_links<double>(rig.linkage, rig.q, rig.w);
        place_links_in_world(rig.linkage, rig.w);
        link_twists<double>(rig.linkage, rig.v, rig.w);
        link_accelerations<double>(rig.linkage, rig.v, rig.v_dot, rig.w);
        for (int link = 0; link < static_cast<int>(rig.linkage.size()); ++link) {
            const V3 point{0.3, -0.2, 0.5};
            const V3 P = point_in_world(link, point, rig.w);
            const Vec3<D> moving = point_in_world(link, in_scalar<D>(point), w);
            std::vector<double> J(6 * nv);
            jacobian<double>(rig.linkage, link, P, J, rig.w);
            std::vector<D> J_moving(6 * nv);
            jacobian<D>(rig.linkage, link, moving, J_moving, w);
            double v[6], a[6];
            for (std::size_t row = 0; row < 6; ++row) {
                v[row] = a[row] = 0;
                for (std::size_t i = 0; i < nv; ++i) {
                    v[row] += J[row * nv + i] * rig.v[i];
                    a[row] += J[row * nv + i] * rig.v_dot[i] + J_moving[row * nv + i].d * rig.v[i];
                }
            }
            CHECK(near(v[0], moving.x.d, 1e-13, 20));
            CHECK(near(v[1], moving.y.d, 1e-13, 20));
            CHECK(near(v[2], moving.z.d, 1e-13, 20));
            const LinkPlace<double>& at = rig.w.world_place[static_cast<std::size_t>(link)];
            const Twist<double>& V = rig.w.twist[static_cast<std::size_t>(link)];
            CHECK(norm(V3{v[0], v[1], v[2]} - at.R * shift(V, point).v) < 1e-13 * 20);
            CHECK(norm(V3{v[3], v[4], v[5]} - at.R * V.omega) < 1e-13 * 20);
            const Twist<double> A = point_acceleration(link, P, rig.w);
            CHECK(norm(A.v - V3{a[0], a[1], a[2]}) < 1e-12 * 100);
            CHECK(norm(A.omega - V3{a[3], a[4], a[5]}) < 1e-12 * 100);
        }
    }
}

TEST_CASE("Displacing q by small steps along v is what its rate says")
{
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Rig rig(random_tree(seed, 8), seed);
        std::vector<double> rate(rig.q.size()), there(rig.q.size()), small(rig.v);
        coordinate_rates<double>(rig.linkage, rig.q, rig.v, rate);
        const double h = 1e-6;
        for (double& a : small)
            a *= h;
        displace<double>(rig.linkage, rig.q, small, there);
        for (std::size_t i = 0; i < there.size(); ++i) // h²/2 of a second derivative below 10
            CHECK(std::abs(there[i] - rig.q[i] - h * rate[i]) < 5e-12 + 1e-15);
    }
}

TEST_CASE("Loads on bodies and the same loads on their links do the same work")
{
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Rig rig(random_tree(seed, 8), seed);
        const Placed placed = rig.bodies();
        Dice dice(seed + 77);
        std::vector<Wrench<double>> on_bodies, on_links(rig.linkage.size());
        double by_bodies = 0, by_links = 0;
        for (const PlacedBody& body : placed.bodies) {
            on_bodies.push_back({dice.vector(3), dice.vector(3)});
            by_bodies += power(on_bodies.back(), body.twist());
        }
        link_loads(rig.linkage, placed.bodies, on_bodies, on_links, rig.w);
        for (std::size_t i = 0; i < on_links.size(); ++i)
            by_links += power(on_links[i], rig.w.twist[i]);
        CHECK(near(by_bodies, by_links, 1e-13, 100));
    }
}
