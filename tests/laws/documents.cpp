// SPDX-License-Identifier: MIT
// Equations of the documents that no other file tests: each against the sum over the particles of
// a body, which is where all of them come from.

#include "poinsot/forces/gravity.hpp"
#include "poinsot/forces/spring.hpp"
#include "poinsot/mass/points.hpp"
#include "poinsot/mass/sampled.hpp"
#include "poinsot/mass/solids.hpp"
#include "worlds.hpp"

using namespace poinsot;

namespace {

/// A body made of particles: what is fixed in its own frame, and how that frame moves.
struct Cloud {
    std::vector<double> m;
    std::vector<V3> local;
    V3 r, r_dot, omega; // of the frame's origin; world axes
    Mat3<double> R;

    explicit Cloud(Dice& dice, int n = 7)
    {
        for (int i = 0; i < n; ++i) {
            m.push_back(dice.uniform(0.2, 2));
            local.push_back(dice.vector(1));
        }
        r = dice.vector(2);
        r_dot = dice.vector(2);
        omega = dice.vector(2);
        R = matrix_of(dice.rotation());
    }
    /// Where the particles are and how they move.
    std::vector<PointMass> points() const
    {
        std::vector<PointMass> made;
        for (std::size_t i = 0; i < m.size(); ++i)
            made.push_back({m[i], r + R * local[i], r_dot + cross(omega, R * local[i])});
        return made;
    }
    /// In the body's own frame.
    MassProperties body() const
    {
        std::vector<PointMass> made;
        for (std::size_t i = 0; i < m.size(); ++i)
            made.push_back({m[i], local[i], zero3<double>()});
        return mass_properties(made);
    }
};

/// Sums of some dozen terms of size ten.
constexpr double rounding = 1e-12;

double gap(const V3& a, const V3& b)
{
    return norm(a - b);
}

} // namespace

TEST_CASE(
    "L of several bodies about their centre of mass is that about the origin less m c x c_dot")
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Dice dice(seed);
        std::vector<PointMass> all;
        std::vector<MassProperties> bodies; // in world axes
        std::vector<V3> velocities;
        for (int k = 0; k < 4; ++k) {
            const Cloud cloud(dice);
            const auto points = cloud.points();
            all.insert(all.end(), points.begin(), points.end());
            bodies.push_back(mass_properties(points));
            velocities.push_back(velocity_of_center(points));
        }
        const V3 c = center_of_mass(all), c_dot = velocity_of_center(all);
        const double m = total_mass(all);
        V3 first = zero3<double>(), second = first, third = first, fourth = first;
        for (const PointMass& i : all) {
            first += cross(i.x, i.m * i.v);
            second -= cross(i.m * i.x, c_dot);
            third -= cross(c, i.m * i.v);
            fourth += i.m * cross(c, c_dot);
        }
        const V3 product = m * cross(c, c_dot);
        const V3 L = angular_momentum(all, c, c_dot);
        CHECK(gap(L, first + second + third + fourth) < rounding); // (2) and (3)
        CHECK(gap(second, -product) < rounding);                   // (4)
        CHECK(gap(third, -product) < rounding);                    // (5)
        CHECK(gap(third, -cross(c, linear_momentum(all))) < rounding);
        CHECK(gap(fourth, product) < rounding);             // (6)
        CHECK(gap(L, first - product) < rounding);          // (7)
        CHECK(gap(L, angular_momentum(all, c)) < rounding); // (1) agrees at this pivot
        // and the sums of (4) and (5) by bodies
        V3 by_place = zero3<double>(), by_velocity = zero3<double>();
        for (std::size_t k = 0; k < bodies.size(); ++k) {
            by_place += bodies[k].mass * bodies[k].center;
            by_velocity += bodies[k].mass * velocities[k];
        }
        CHECK(gap(by_place, m * c) < rounding);
        CHECK(gap(by_velocity, m * c_dot) < rounding);
    }
}

TEST_CASE("L of several bodies: by particles, by second moments, by inertias and by the ledger")
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Dice dice(seed);
        Builder b;
        std::vector<PointMass> all;
        V3 by_cr = zero3<double>(), by_moments = by_cr, by_integral = by_cr, by_inertia = by_cr;
        std::vector<MassProperties> bodies;
        std::vector<V3> centers, velocities, spins;
        for (int k = 0; k < 3; ++k) {
            const Cloud cloud(dice);
            const auto points = cloud.points();
            all.insert(all.end(), points.begin(), points.end());
            for (const PointMass& i : points)
                by_cr += i.m * cr(outer(i.x, i.v)); // (10)

            const MassProperties body = cloud.body();
            const Mat3<double> R_dot = skew(cloud.omega) * cloud.R;
            const auto formula = [&](const Mat3<double>& M) { // (11), (13)
                return body.mass * cr(cloud.R * M * transpose(R_dot) +
                                      outer(cloud.R * body.center, cloud.r_dot) +
                                      outer(cloud.r, body.center) * transpose(R_dot) +
                                      outer(cloud.r, cloud.r_dot));
            };
            by_moments += formula(full(mean_second_moments(body)));
            by_integral += formula(full(second_moments_about(body, zero3<double>())));
            const V3 c_i = center_of_mass(points), c_i_dot = velocity_of_center(points);
            const V3 spin = congruent(cloud.R, body.inertia) * cloud.omega;
            by_inertia += body.mass * cross(c_i, c_i_dot) + spin; // (15)
            centers.push_back(c_i);
            velocities.push_back(c_i_dot);
            spins.push_back(spin);
            bodies.push_back(body);

            Body made;
            made.name = text_of("body", k);
            made.mass_properties = body;
            made.pose = {cloud.r, quat_of(cloud.R)};
            made.velocity = c_i_dot;
            made.angular_velocity = cloud.omega;
            b.add(made);
        }
        const V3 c = center_of_mass(all), c_dot = velocity_of_center(all);
        const V3 product = total_mass(all) * cross(c, c_dot);
        const V3 L = angular_momentum(all, c, c_dot);
        V3 about_c = zero3<double>(); // (14)
        for (std::size_t k = 0; k < bodies.size(); ++k)
            about_c += bodies[k].mass * cross(centers[k] - c, velocities[k] - c_dot) + spins[k];
        CHECK(gap(L, by_cr - product) < rounding);
        CHECK(gap(L, by_moments - product) < rounding);
        CHECK(gap(L, about_c) < rounding);
        CHECK(gap(L, by_inertia - product) < rounding);
        CHECK(gap(L, by_integral - product) > 0.01); // (12) as printed, without the 1/m

        const auto model = built(b);
        RunSettings run = run_with(Method::splitting, 0.1, 1);
        run.ledger.about = system_center;
        const auto sim = Simulation::start(model, run);
        REQUIRE(sim);
        CHECK(gap(L, sim->ledger().books().total.opening.L) < rounding);
    }
}

TEST_CASE("Momentum, torque and velocity of a body about two points, by particles and by shifting")
{
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        Dice dice(seed);
        const Cloud cloud(dice);
        const auto points = cloud.points();
        const MassProperties body = mass_properties(points); // world axes
        const V3 C = body.center, A = dice.vector(3);
        const V3 v_C = velocity_of_center(points);
        const Twist<double> V{v_C, cloud.omega};

        V3 sum = zero3<double>();
        for (const PointMass& i : points) {
            sum += i.m * (i.x - C); // the centre of mass: this sum is nothing
            CHECK(gap(shift(V, i.x - C).v, i.v) < rounding);
        }
        CHECK(norm(sum) < rounding);
        CHECK(gap(center_of_mass(points), C) == 0);

        const Momentum<double> about_C = spatial_inertia(moved(body, -C)) * V;
        CHECK(gap(about_C.p, body.mass * v_C) < rounding); // p = m v_C
        CHECK(gap(about_C.p, linear_momentum(points)) < rounding);
        CHECK(gap(about_C.L, inertia_by_components(points, C) * cloud.omega) < rounding);
        CHECK(gap(about_C.L, angular_momentum(points, C)) < rounding); // L_C = I_C ω
        CHECK(gap(about_C.L + cross(C - A, about_C.p), angular_momentum(points, A)) < rounding);
        CHECK(gap(shift(about_C, A - C).L, angular_momentum(points, A)) < rounding);
        const Momentum<double> about_A = spatial_inertia(moved(body, -A)) * shift(V, A - C);
        CHECK(gap(about_A.L, angular_momentum(points, A)) < rounding);

        std::vector<V3> E;
        for (std::size_t i = 0; i < points.size(); ++i)
            E.push_back(dice.vector(5));
        const Wrench<double> W{total_force(E), total_torque(points, E, C)};
        CHECK(gap(shift(W, A - C).tau, total_torque(points, E, A)) < 10 * rounding);
        CHECK(gap(W.tau + cross(C - A, W.F), total_torque(points, E, A)) < 10 * rounding);
        Wrench<double> one_by_one{zero3<double>(), zero3<double>()};
        for (std::size_t i = 0; i < points.size(); ++i)
            one_by_one = one_by_one + force_at(points[i].x - C, E[i]);
        CHECK(gap(one_by_one.F, W.F) < 10 * rounding);
        CHECK(gap(one_by_one.tau, W.tau) < 10 * rounding);
    }
}

TEST_CASE("A body is its particles: r_i = x + R r_0i, v_i = v + w x (r_i - x), and their sums")
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
        for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix}) {
            Dice dice(seed);
            const Cloud cloud(dice); // its centre of mass is not where its frame has the origin
            const auto points = cloud.points();
            Body made;
            made.name = "body";
            made.mass_properties = cloud.body();
            made.pose = {cloud.r, quat_of(cloud.R)};
            made.velocity = velocity_of_center(points);
            made.angular_velocity = cloud.omega;
            Builder b;
            b.add(made);
            const auto model = built(b);
            const PlacedBody at = place(*model, start_of(*model, form)).bodies[0];

            const V3 C = center_of_mass(points);
            CHECK(gap(at.x, C) < rounding); // x(t) is the centre of mass
            CHECK(gap(at.p, linear_momentum(points)) < rounding);
            CHECK(gap(at.v, at.p / total_mass(points)) < rounding);
            CHECK(gap(at.L, angular_momentum(points, C)) < rounding);
            CHECK(gap(at.omega, cloud.omega) < 10 * rounding); // a small moment divides L
            const Mat3<double> off = full(at.inertia() - inertia(points, C)); // R I_body Rᵀ
            CHECK(norm(off.r0) + norm(off.r1) + norm(off.r2) < rounding);
            CHECK(near(at.kinetic_energy(), kinetic_energy(points), 1e-13));

            for (std::size_t i = 0; i < points.size(); ++i) {
                const V3 r = at.lever(cloud.local[i]);
                CHECK(gap(at.x + r, points[i].x) < rounding);
                CHECK(gap(place(made.pose, cloud.local[i]), points[i].x) < rounding);
                CHECK(gap(shift(at.twist(), r).v, points[i].v) < 10 * rounding);
            }
            const Mat3<double> columns = transpose(at.R); // the axes of the body
            CHECK(gap(columns.r0, rotate(made.pose.q, V3{1, 0, 0})) < rounding);
            CHECK(gap(columns.r1, rotate(made.pose.q, V3{0, 1, 0})) < rounding);
            CHECK(gap(columns.r2, rotate(made.pose.q, V3{0, 0, 1})) < rounding);
        }
}

TEST_CASE("Loads at points of a body: F = m g + R F_1 + F_2, and each turns it by its lever")
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Dice dice(seed);
        const Cloud cloud(dice);
        Body made;
        made.name = "body";
        made.mass_properties = cloud.body();
        made.pose = {cloud.r, quat_of(cloud.R)};
        Builder b;
        b.add(made);
        b.gravity.uniform = dice.vector(9);
        const V3 F_1 = dice.vector(5), at_1 = dice.vector(1), F_2 = dice.vector(5),
                 at_2 = dice.vector(1), couple = dice.vector(2);
        b.loads.push_back({"turns with it", 0, F_1, couple, at_1, true});
        b.loads.push_back({"does not", 0, F_2, zero3<double>(), at_2, false});
        const auto model = built(b);
        Loads loads;
        gather_loads(*model, place(*model, start_of(*model, FormKind::momentum)), {}, 0, 0, loads);

        const auto points = cloud.points();
        const V3 C = center_of_mass(points), F_1w = cloud.R * F_1;
        const V3 r_1w = cloud.r + cloud.R * at_1 - C, r_2w = cloud.r + cloud.R * at_2 - C;
        CHECK(gap(loads.total[0].F, total_mass(points) * b.gravity.uniform + F_1w + F_2) <
              10 * rounding);
        CHECK(gap(loads.total[0].tau, cross(r_1w, F_1w) + cloud.R * couple + cross(r_2w, F_2)) <
              10 * rounding);
    }
}

TEST_CASE("Definition 3.3: moving every mass with its velocity moves the centre with the average")
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Dice dice(seed);
        std::vector<PointMass> points;
        V3 sum = zero3<double>();
        double m = 0;
        for (int i = 0; i < 6; ++i) {
            points.push_back({dice.uniform(0.1, 3), dice.vector(2), dice.vector(2)});
            sum += points.back().m * points.back().v;
            m += points.back().m;
        }
        CHECK(total_mass(points) == m);
        CHECK(gap(velocity_of_center(points), sum / m) < 1e-15 * 10);
        std::vector<V3> forces;
        V3 all = zero3<double>();
        for (int i = 0; i < 6; ++i)
            all += forces.emplace_back(dice.vector(4));
        CHECK(gap(total_force(forces), all) < 1e-15 * 10);
        const V3 before = center_of_mass(points), v = velocity_of_center(points);
        for (PointMass& i : points)
            i.x += 0.25 * i.v;
        CHECK(gap(center_of_mass(points), before + 0.25 * v) < 1e-15 * 10);
    }
}

TEST_CASE("Definition 3.2: what two masses do to each other is opposite, and along their line")
{
    Dice dice(9);
    for (int k = 0; k < 30; ++k) {
        Builder b;
        b.add_particle("i", dice.uniform(0.5, 3), dice.vector(2), dice.vector(2));
        b.add_particle("j", dice.uniform(0.5, 3), dice.vector(2), dice.vector(2));
        b.springs.push_back({"s", {0, zero3<double>()}, {1, zero3<double>()}, 7, 2, 0.5});
        b.gravity.G = 0.8;
        const auto model = built(b);
        const Placed at = place(*model, start_of(*model, FormKind::velocity));
        Loads loads;
        gather_loads(*model, at, {}, 0, 0, loads);
        const V3 on_i = loads.total[0].F, on_j = loads.total[1].F;
        CHECK(on_i == -on_j); // to the bit
        const V3 d = at.bodies[1].x - at.bodies[0].x;
        CHECK(norm(cross(on_i, d)) < 1e-14 * norm(on_i) * norm(d) * 10);
        const SpringForce<double> pull =
            spring_force(7.0, 2.0, 0.5, d, at.bodies[1].v - at.bodies[0].v);
        const V3 fall = attraction(0.8, at.bodies[0].mass.m, at.bodies[1].mass.m, d);
        CHECK(gap(on_i, pull.elastic + pull.viscous + fall) < 1e-14 * norm(on_i) * 10);
        CHECK(loads.parts.size() == 6); // attraction, spring and damper, two each: none on itself
        // the equation of motion (1): x' = v, v' = F/m
        const auto rate = rate_of<VelocityForm<double>>(at.bodies[0], loads.total[0]);
        CHECK(rate.x_dot == at.bodies[0].v);
        CHECK(gap(rate.a, on_i / at.bodies[0].mass.m) < 1e-14 * norm(on_i));
    }
    Builder b; // and a mass that pulls itself is refused
    b.add_particle("i", 1, zero3<double>(), zero3<double>());
    b.springs.push_back({"s", {0, zero3<double>()}, {0, zero3<double>()}, 7, 2, 0.5});
    CHECK_FALSE(b.build());
}

namespace {

/// How a body moves at an instant: the speed function about the origin, and its rates.
struct Moving {
    std::vector<PointMass> points;
    MassProperties body; // world axes
    Twist<double> V;     // of the body at the origin
    V3 v_dot, alpha;     // rates of the speed function V(x) = v + ω × x

    explicit Moving(std::uint64_t seed)
    {
        Dice dice(seed);
        const Cloud cloud(dice);
        points = cloud.points();
        body = mass_properties(points);
        V = shift(Twist<double>{cloud.r_dot, cloud.omega}, -cloud.r);
        v_dot = dice.vector(4);
        alpha = dice.vector(4);
    }
    /// The acceleration of the particle at x, from the definition.
    V3 acceleration(const V3& x) const
    {
        const double h = 1e-5;
        const auto speed = [&](double t, const V3& at) {
            return V.v + t * v_dot + cross(V.omega + t * alpha, at);
        };
        return (1 / (2 * h)) * (speed(h, x + h * speed(0, x)) - speed(-h, x - h * speed(0, x)));
    }
};

} // namespace

TEST_CASE("A particle of a rigid body accelerates by v' + w' x r + w x (v + w x r)")
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Moving now(seed);
        const SpatialAcceleration<double> at_O{now.v_dot, now.alpha};
        for (const PointMass& i : now.points) {
            const V3 formula = now.v_dot + cross(now.alpha, i.x) +
                               cross(now.V.omega, now.V.v + cross(now.V.omega, i.x));
            CHECK(gap(material(shift(at_O, i.x), shift(now.V, i.x)), formula) < rounding);
            CHECK(gap(now.acceleration(i.x), formula) < 1e-7); // h² of the difference, and rounding
        }
        // between two particles: a_B = a_A + α × r + ω × (ω × r)
        const V3 A = now.points[0].x, B = now.points[1].x, r = B - A;
        const V3 a_A = material(shift(at_O, A), shift(now.V, A));
        const V3 a_B = material(shift(at_O, B), shift(now.V, B));
        const V3 omega = now.V.omega;
        CHECK(gap(a_B, a_A + cross(now.alpha, r) + cross(omega, cross(omega, r))) < rounding);
    }
}

TEST_CASE("The load about the origin is the sum of m a and of x x m a over the particles")
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Moving now(seed);
        const SpatialAcceleration<double> at_O{now.v_dot, now.alpha};
        V3 F = zero3<double>(), tau = zero3<double>();
        for (const PointMass& i : now.points) {
            const V3 ma = i.m * material(shift(at_O, i.x), shift(now.V, i.x)); // (5)
            F += ma;
            tau += cross(i.x, ma);
        }
        const V3 C = now.body.center, v = now.V.v, omega = now.V.omega;
        const double m = now.body.mass;
        const Sym3<double> I_O = inertia_about(now.body, zero3<double>());
        const V3 tau_6 =
            m * cross(C, now.v_dot + cross(omega, v)) + I_O * now.alpha + cross(omega, I_O * omega);
        const V3 F_7 = m * (now.v_dot + cross(now.alpha, C) + cross(omega, v + cross(omega, C)));
        const Wrench<double> W = load_about(spatial_inertia(now.body), now.V, at_O);
        CHECK(gap(tau, tau_6) < 100 * rounding);
        CHECK(gap(F, F_7) < 100 * rounding);
        CHECK(gap(W.F, F) < 100 * rounding);
        CHECK(gap(W.tau, tau) < 100 * rounding);

        // (8): with the origin at the centre of mass, the rates of the speed function
        const SpatialInertia<double> at_C{m, zero3<double>(), now.body.inertia};
        const Twist<double> V_C = shift(now.V, C);
        const auto A = acceleration_about(at_C, V_C, W);
        CHECK(gap(A.a_star, W.F / m - cross(omega, V_C.v)) < 100 * rounding);
        const V3 gyroscopic = cross(omega, now.body.inertia * omega);
        CHECK(gap(A.alpha, inverse(now.body.inertia) * (W.tau - gyroscopic)) < 100 * rounding);
    }
}

TEST_CASE(
    "Rates of p and of L about a particle of the body, with material and spatial acceleration")
{
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        Dice dice(seed);
        const double m = dice.uniform(0.5, 3);
        const V3 c = dice.vector(1), v_A = dice.vector(2), omega = dice.vector(2);
        const V3 a_A = dice.vector(5), alpha = dice.vector(5);
        const SpatialInertia<double> I{m, c, dice.inertia()};
        const Twist<double> V{v_A, omega};
        const SpatialAcceleration<double> A{a_A - cross(omega, v_A), alpha};
        const Momentum<double> M = I * V;
        const Sym3<double> I_A = about_displaced(I.I_C, m, c);
        const V3 v_C = shift(V, c).v;
        CHECK(gap(material(A, V), a_A) < rounding);
        CHECK(gap(M.L, m * cross(c, v_A) + I_A * omega) < rounding);

        const V3 p_17 = m * a_A + m * cross(alpha, c) + m * cross(omega, v_C - v_A);
        const V3 p_21 = m * A.a_star + m * cross(alpha, c) + cross(omega, M.p);
        const V3 L_18 =
            I_A * alpha + m * cross(c, a_A) + cross(M.p, v_A) + cross(omega, I_A * omega);
        const V3 L_22 = I_A * alpha + m * cross(c, A.a_star) + cross(omega, M.L);
        const Wrench<double> W = load_about(I, V, A);
        CHECK(gap(W.F, p_17) < 10 * rounding);
        CHECK(gap(W.F, p_21) < 10 * rounding);
        CHECK(gap(angular_momentum_rate(W.tau, v_A, M.p), L_18) < 10 * rounding);
        CHECK(gap(angular_momentum_rate(W.tau, v_A, M.p), L_22) < 10 * rounding);
    }
}

TEST_CASE("The rate of a rotation matrix is [w x] R, column by column")
{
    Dice dice(4);
    for (int k = 0; k < 20; ++k) {
        const V3 omega = dice.vector(3);
        const Quat<double> q = dice.rotation();
        // the matrix a moment later, as a value and its rate
        using D = Dual<double>;
        const Vec3<D> turn{D(0, omega.x), D(0, omega.y), D(0, omega.z)};
        const Mat3<D> R = matrix_of(turned(Quat<D>{D(q.w), D(q.x), D(q.y), D(q.z)}, turn));
        const auto rate = [](const Vec3<D>& r) { return V3{r.x.d, r.y.d, r.z.d}; };
        const Mat3<double> expected = skew(omega) * matrix_of(q);
        CHECK(gap(rate(R.r0), expected.r0) < 1e-14 * 10);
        CHECK(gap(rate(R.r1), expected.r1) < 1e-14 * 10);
        CHECK(gap(rate(R.r2), expected.r2) < 1e-14 * 10);
        const Mat3<double> columns = transpose(matrix_of(q)), rates = transpose(expected);
        CHECK(gap(rates.r0, cross(omega, columns.r0)) < 1e-14 * 10);
        CHECK(gap(rates.r1, cross(omega, columns.r1)) < 1e-14 * 10);
        CHECK(gap(rates.r2, cross(omega, columns.r2)) < 1e-14 * 10);
    }
}

TEST_CASE("dL/dt of a turning body is I_dot w + I w_dot, from the accelerations of its particles")
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Moving now(seed);
        const V3 C = now.body.center, omega = now.V.omega;
        const SpatialAcceleration<double> at_O{now.v_dot, now.alpha};
        Mat3<double> I = full(diagonal(0.0, 0.0, 0.0)), I_dot = I;
        V3 tau = zero3<double>();
        for (const PointMass& i : now.points) {
            const V3 r = i.x - C, r_dot = cross(omega, r);
            tau += cross(r, i.m * material(shift(at_O, i.x), shift(now.V, i.x)));
            I = I - i.m * (skew(r) * skew(r));
            I_dot = I_dot - i.m * (skew(r_dot) * skew(r) + skew(r) * skew(r_dot));
        }
        CHECK(gap(I_dot * omega + I * now.alpha, tau) < 100 * rounding);
        // the same solved for ω̇, and as the load that it takes
        const Sym3<double>& I_C = now.body.inertia;
        const V3 alpha = angular_acceleration(identity3<double>(), I_C, inverse(I_C), omega, tau);
        CHECK(gap(alpha, now.alpha) < 100 * rounding);
        const SpatialInertia<double> at_C{now.body.mass, zero3<double>(), I_C};
        CHECK(gap(load_about(at_C, shift(now.V, C), shift(at_O, C)).tau, tau) < 100 * rounding);
        CHECK(gap(I_dot * omega, cross(omega, I * omega)) < 100 * rounding);
        const Mat3<double> W = skew(omega);
        CHECK(gap(I_dot.r0, (W * I - I * W).r0) < 10 * rounding); // İ = [ω×] I − I [ω×]
    }
}

TEST_CASE("A velocity kept in body axes has the term - w x v that one in world axes has not")
{
    Dice dice(6);
    const V3 v = dice.vector(2), F{1, -2, 0.5}, omega = dice.vector(2);
    const double m = 2;
    const Quat<double> q = dice.rotation();
    const auto error = [&](double h) { // of one step of the body-axes velocity, against Rᵀ v
        const Mat3<double> R = matrix_of(q), after = matrix_of(turned(q, h * omega));
        const V3 v_b = transpose_times(R, v), omega_b = transpose_times(R, omega);
        const V3 step = v_b + h * (transpose_times(R, F) / m - cross(omega_b, v_b));
        return gap(step, transpose_times(after, v + (h / m) * F));
    };
    CHECK(near(std::log2(error(1e-3) / error(5e-4)), 2, 0.01)); // the rate is right: h² is left
    // and x' is R v_b, not v_b
    CHECK(gap(matrix_of(q) * transpose_times(matrix_of(q), v), v) < 1e-15 * 10);
}

TEST_CASE("The block of the slides: M/12 (b^2 + c^2), in closed form and by its own particles")
{
    const double a = 6, b = 2, c = 4, M = 3;
    const MassProperties block = with_mass(solid_box({a, b, c}, 1), M);
    CHECK(near(block.inertia.xx, M / 12 * (b * b + c * c), 1e-15));
    CHECK(near(block.inertia.yy, M / 12 * (a * a + c * c), 1e-15));
    CHECK(near(block.inertia.zz, M / 12 * (a * a + b * b), 1e-15));
    // Two points of Gauss along each side integrate the squares of the coordinates exactly.
    std::vector<PointMass> corners;
    const double g = 0.5 / std::sqrt(3.0);
    for (const double x : {-g, g})
        for (const double y : {-g, g})
            for (const double z : {-g, g})
                corners.push_back({M / 8, {a * x, b * y, c * z}, zero3<double>()});
    const MassProperties sum = mass_properties(corners);
    CHECK(near(sum.inertia.xx, block.inertia.xx, 1e-14));
    CHECK(near(sum.inertia.yy, block.inertia.yy, 1e-14));
    CHECK(near(sum.inertia.zz, block.inertia.zz, 1e-14));
    CHECK(std::abs(sum.inertia.xy) < 1e-14);
}

TEST_CASE("The bounding box as an estimate: right for a block, 5/3 too much for a ball of its mass")
{
    const double r = 0.7, density = 2;
    const auto box = bounding_box_estimate({{-r, -r, -r}, {r, r, r}}, density);
    REQUIRE(bool(box));
    const MassProperties ball = solid_ball(r, density);
    CHECK(near(box->mass / ball.mass, 6 / M_PI, 1e-14));
    CHECK(near((box->inertia.xx / box->mass) / (ball.inertia.xx / ball.mass), 5.0 / 3, 1e-14));
    const MassProperties block = moved(solid_box({6, 2, 4}, density), V3{1, 2, 3});
    const auto same = bounding_box_estimate({{-2, 1, 1}, {4, 3, 5}}, density);
    REQUIRE(bool(same));
    CHECK(near(same->mass, block.mass, 1e-15));
    CHECK(gap(same->center, block.center) < 1e-15 * 10);
    CHECK(near(same->inertia.yy, block.inertia.yy, 1e-14));
}
