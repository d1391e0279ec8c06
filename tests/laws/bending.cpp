// SPDX-License-Identifier: MIT
// Bodies joined by springs in six directions, and beams made of them.

#include "formulations.hpp"
#include "poinsot/forces/bushing_force.hpp"
#include "poinsot/math/dual.hpp"
#include "poinsot/model/beam.hpp"
#include "poinsot/step/linearise.hpp"

#include <Eigen/Dense>

#include <numbers>

using namespace poinsot;

namespace {

/// A matrix that takes energy whichever way it is moved: Σ c cᵀ.
Six some_six(Dice& dice, double size)
{
    std::array<std::array<double, 6>, 6> rows{};
    for (int k = 0; k < 6; ++k) {
        std::array<double, 6> c;
        for (double& x : c)
            x = dice.uniform(-1, 1);
        for (std::size_t i = 0; i < 6; ++i)
            for (std::size_t j = 0; j < 6; ++j)
                rows[i][j] += size * (c[i] * c[j]);
    }
    return *six_of(rows);
}

using D = Dual<double>;
Vec3<D> moving(const V3& at, const V3& rate)
{
    return {{at.x, rate.x}, {at.y, rate.y}, {at.z, rate.z}};
}
Blocks6<D> dual_blocks(const Six& six)
{
    const auto sym = [](const Sym3<double>& s) {
        return Sym3<D>{s.xx, s.yy, s.zz, s.xy, s.xz, s.yz};
    };
    const auto row = [](const V3& r) { return Vec3<D>{r.x, r.y, r.z}; };
    return {
        sym(six.push), {row(six.mixed.r0), row(six.mixed.r1), row(six.mixed.r2)}, sym(six.turn)};
}

/// A steel strip along z, clamped to the world: 1 m long, 50 mm wide, weak about x.
Beam strip(int segments, double thickness)
{
    Beam beam;
    beam.name = "strip";
    beam.length = 1;
    beam.segments = segments;
    beam.section = rectangle(0.05, thickness);
    beam.young_modulus = 2.1e11;
    beam.shear_modulus = 8e10;
    beam.density = 7850;
    beam.root = world;
    return beam;
}
Builder built_of(const Beam& beam)
{
    Builder b;
    const Problems found = add(b, beam);
    if (found.any())
        FAIL(found.text());
    return b;
}

/// Where the segments of a beam go under small forces on them, by its own stiffness: the slope of
/// what the bushings do when each body is moved a little, and the wrench to balance.
std::vector<Twist<double>> sag(const Model& model, const std::vector<Wrench<double>>& forces)
{
    const std::size_t n = model.bodies().size();
    const auto pushed = [&](std::size_t body, int k, double by) {
        Placed placed = place(model, start_of(model, FormKind::momentum));
        if (k >= 0) {
            const V3 e{k % 3 == 0 ? by : 0, k % 3 == 1 ? by : 0, k % 3 == 2 ? by : 0};
            PlacedBody& at = placed.bodies[body];
            if (k < 3)
                at.x += e;
            else
                at.R = exp_matrix(e) * at.R;
        }
        Loads loads;
        gather_loads(model, placed, {}, 0, 0, loads);
        return loads.total;
    };
    const int rows = static_cast<int>(6 * n);
    const auto flat = [&](const std::vector<Wrench<double>>& W) {
        Eigen::VectorXd out(rows);
        for (std::size_t i = 0; i < n; ++i)
            out.segment<6>(static_cast<int>(6 * i)) << W[i].F.x, W[i].F.y, W[i].F.z, W[i].tau.x,
                W[i].tau.y, W[i].tau.z;
        return out;
    };
    Eigen::MatrixXd K(rows, rows);
    // Central differences: a turn by e shortens by e²/2, which 12 (length/thickness)² makes 1e-8.
    const double by = 1e-6;
    for (int j = 0; j < rows; ++j)
        K.col(j) = (flat(pushed(static_cast<std::size_t>(j / 6), j % 6, -by)) -
                    flat(pushed(static_cast<std::size_t>(j / 6), j % 6, by))) /
                   (2 * by);
    const Eigen::VectorXd u = K.fullPivLu().solve(flat(forces));
    std::vector<Twist<double>> moved;
    for (int i = 0; i < rows; i += 6)
        moved.push_back({{u(i), u(i + 1), u(i + 2)}, {u(i + 3), u(i + 4), u(i + 5)}});
    return moved;
}

} // namespace

TEST_CASE("A bushing pushes with the slope of its energy, however far it is bent")
{
    Dice dice(3);
    for (int trial = 0; trial < 200; ++trial) {
        const Six K = some_six(dice, 10);
        const V3 d = dice.vector(0.5), theta = dice.vector(1.7);
        const Twist<double> V{dice.vector(1), dice.vector(1)};
        // exp(t ω) exp(θ), d + t v, and what their energy does at t = 0
        const Quat<double> q = exp_quat(theta);
        const Quat<D> turned =
            exp_quat(moving(zero3<double>(), V.omega)) * Quat<D>{q.w, q.x, q.y, q.z};
        const D energy = bushing_energy(dual_blocks(K), {moving(d, V.v), log_quat(turned)});
        const Blocks6<double> blocks{K.push, K.mixed, K.turn};
        const Bent<double> at = bent(d, theta, V);
        const Wrench<double> W = bushing_wrench(blocks, at.xi, theta);
        CHECK(near(power(W, V), -energy.d, 1e-12, 100)); // rounding of a power of some tens
        CHECK(near(bushing_energy(blocks, at.xi), energy.v, 1e-13, 100));
        // and a damper with the same matrix takes what it says
        const Wrench<double> damped = bushing_wrench(blocks, at.xi_dot, theta);
        CHECK(near(power(damped, V), -2 * bushing_energy(blocks, at.xi_dot), 1e-12, 100));
    }
}

TEST_CASE("Bodies that bushings join: p and L stay to rounding, energy goes to the damper alone")
{
    Dice dice(5);
    Builder b;
    for (const char* name : {"one", "two", "three"}) {
        Body body =
            body_with(name, dice.uniform(1, 2), dice.inertia(), dice.vector(1), dice.vector(1));
        body.pose = {dice.vector(1), dice.rotation()};
        b.add(body);
    }
    for (int i = 0; i < 3; ++i) {
        Bushing bushing;
        bushing.name = "bushing " + std::to_string(i);
        bushing.a = i;
        bushing.b = (i + 1) % 3;
        bushing.frame_a = {dice.vector(0.5), dice.rotation()};
        // At rest a little from where they start.
        const Pose<double> start = inverse(b.bodies[static_cast<std::size_t>(bushing.b)].pose) *
                                   b.bodies[static_cast<std::size_t>(i)].pose * bushing.frame_a;
        bushing.frame_b = start * Pose<double>{dice.vector(0.1), exp_quat(dice.vector(0.3))};
        bushing.stiffness = some_six(dice, 20);
        bushing.damping = some_six(dice, 0.1);
        b.bushings.push_back(bushing);
    }
    const auto model = built(b);
    std::array<Placed, 2> ends;
    for (const Formulation f : both) {
        RunSettings run = run_in(f, Method::runge_kutta4, 1e-3, 2);
        auto sim = Simulation::start(model, run);
        REQUIRE(sim);
        while (!sim->done())
            REQUIRE(!sim->step());
        sim->close_books();
        ends[f == Formulation::reduced] = sim->placed();
        const Account& total = sim->ledger().books().total;
        if (f == Formulation::maximal) {
            CHECK(norm(total.residual.p) < 1e-13 * sim->ledger().books().scale_p);
            CHECK(sim->ledger().balanced());
        }
        // Energy of RK4 at 1 ms and 10 rad/s: (ωh)⁴ of what moves about.
        CHECK(std::abs(total.residual.E()) < 1e-8 * total.opening.T);
        CHECK(total.posted[index_of(Cause::damper)].work < -0.1 * total.opening.T);
        // Internal causes come in pairs.
        CHECK(norm(total.posted[index_of(Cause::spring)].J) <
              1e-12 * sim->ledger().books().scale_p);
    }
    const Simulation kept = ran(model, run_in(Formulation::reduced, Method::gauss, 1e-3, 2));
    const Books& books = kept.ledger().books();
    CHECK(norm(books.total.residual.p) < 1e-13 * books.scale_p);
    CHECK(norm(books.total.residual.L) < 1e-12 * books.scale_L);
    CHECK(std::abs(books.total.residual.E()) < 1e-8 * books.total.opening.T);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(norm(ends[0].bodies[i].x - ends[1].bodies[i].x) < 1e-9); // two orders of error h⁴
}

TEST_CASE("Euler and Bernoulli: the tip of a cantilever sags by F L³/3EI, off by (1/2n)³")
{
    const double F = 1e-3;
    for (const int n : {2, 4, 8}) {
        const Beam beam = strip(n, 0.03);
        const Model model = *built_of(beam).build();
        const double l = beam.length / n;
        const auto tip_under = [&](const V3& force, const V3& torque) {
            std::vector<Wrench<double>> W(static_cast<std::size_t>(n),
                                          {zero3<double>(), zero3<double>()});
            W.back() = {force, torque + cross(V3{0, 0, l / 2}, force)};
            const Twist<double> last = sag(model, W).back();
            return Twist<double>{last.v + cross(last.omega, V3{0, 0, l / 2}), last.omega};
        };
        const Section& s = beam.section;
        const double E = beam.young_modulus, L = beam.length;
        // A force bends all of the beam but the last half segment, which is rigid: (ℓ/2)³/3EI less.
        const double rigid = 1.0 / (8.0 * n * n * n);
        const V3 zero = zero3<double>();
        CHECK(near(tip_under({0, F, 0}, zero).v.y, F * L * L * L / (3 * E * s.I_x) * (1 - rigid),
                   1e-7));
        CHECK(near(tip_under({F, 0, 0}, zero).v.x, F * L * L * L / (3 * E * s.I_y) * (1 - rigid),
                   1e-7));
        const double half = 1 - 0.5 / n; // what is not rigid
        CHECK(near(tip_under({0, 0, F}, zero).v.z, F * L / (E * s.area) * half, 1e-7));
        CHECK(near(tip_under(zero, {0, 0, F}).omega.z,
                   F * L / (beam.shear_modulus * s.torsion) * half, 1e-7));
        CHECK(near(tip_under(zero, {F, 0, 0}).omega.x, F * L / (E * s.I_x) * half, 1e-7));
    }
}

TEST_CASE(
    "Euler and Bernoulli: a cantilever sags under its weight by q L⁴/8EI, with an error as 1/n²")
{
    std::vector<double> errors;
    for (const int n : {4, 8, 16}) {
        const Beam beam = strip(n, 0.03);
        const Model model = *built_of(beam).build();
        const double q = 1e-3; // N/m
        const std::vector<Wrench<double>> W(static_cast<std::size_t>(n),
                                            {{0, q * beam.length / n, 0}, zero3<double>()});
        const Twist<double> last = sag(model, W).back();
        const double tip = (last.v + cross(last.omega, V3{0, 0, 0.5 * beam.length / n})).y;
        const double exact = q / (8 * beam.young_modulus * beam.section.I_x);
        errors.push_back(tip / exact - 1);
    }
    CHECK(std::abs(errors[2]) < 3e-3);
    CHECK(std::log2(errors[0] / errors[1]) == doctest::Approx(2).epsilon(0.05));
    CHECK(std::log2(errors[1] / errors[2]) == doctest::Approx(2).epsilon(0.02));
}

TEST_CASE("A cantilever that is put where it sags to rests there, in both formulations")
{
    const int n = 8;
    const Beam beam = strip(n, 0.03);
    Builder b = built_of(beam);
    const double w = 0.1; // N on each segment: slopes of 1e-5, of which squares push along the beam
    const std::vector<Twist<double>> moved =
        sag(*built(b), std::vector<Wrench<double>>(n, {{0, w, 0}, zero3<double>()}));
    for (int i = 0; i < n; ++i) {
        AppliedLoad load;
        load.name = text_of("load ", i);
        load.body = i;
        load.force = {0, w, 0};
        b.loads.push_back(load);
    }
    const double h = 1e-7;
    const auto fastest = [&](Formulation f) { // across, against that of the load alone
        double v = 0;
        const Simulation sim = ran(built(b), run_in(f, Method::runge_kutta4, h, h));
        for (const PlacedBody& body : sim.placed().bodies)
            v = std::max({v, std::abs(body.v.y), std::abs(body.omega.x) * beam.length / n});
        return v / (w / b.bodies[0].mass_properties.mass * h);
    };
    for (const Formulation f : both)
        CHECK(near(fastest(f), 1, 1e-12)); // straight, it begins to fall
    for (std::size_t i = 0; i < n; ++i) {
        b.bodies[i].pose.x += moved[i].v;
        b.bodies[i].pose.q = exp_quat(moved[i].omega) * b.bodies[i].pose.q;
    }
    for (const Formulation f : both)
        CHECK_MESSAGE(fastest(f) < 2e-6, fastest(f)); // 1e-16 m of 1.5e9 N/m, against 0.1 N
}

TEST_CASE("Euler and Bernoulli: three frequencies of a cantilever, with errors as 1/n²")
{
    // cos βL cosh βL = −1
    const double roots[] = {1.8751040687119611, 4.6940911329741746, 7.8547574382376126};
    std::array<std::vector<double>, 3> errors;
    for (const int n : {8, 16}) {
        // So thin that the inertia of its sections, which the two left out, lowers the
        // frequencies by less than 1e-6.
        const Beam beam = strip(n, 0.002);
        const Model model = *built_of(beam).build();
        const auto small =
            linearise(model, start_of(model, FormKind::momentum, Formulation::reduced), 0);
        REQUIRE(small);
        for (std::size_t k = 0; k < 3; ++k) {
            const double EI = beam.young_modulus * beam.section.I_x;
            const double omega =
                roots[k] * roots[k] * std::sqrt(EI / (beam.density * beam.section.area));
            double nearest = 1e300;
            for (const Eigenvalue& e : small->spectrum.eigenvalues)
                if (std::abs(e.im - omega) < std::abs(nearest - omega))
                    nearest = e.im;
            errors[k].push_back(nearest / omega - 1);
        }
    }
    for (std::size_t k = 0; k < 3; ++k) {
        INFO("mode ", k + 1, ": ", errors[k][0], " ", errors[k][1]);
        CHECK(std::abs(errors[k][1]) < 0.01);
        CHECK(std::log2(errors[k][0] / errors[k][1]) == doctest::Approx(2).epsilon(0.02));
    }
}

TEST_CASE(
    "The springboard swings as Euler and Bernoulli's modes under a load that is there at once")
{
    // Σ over modes of (1 − cos ω t) times what the mode has of F L³/3EI and of w L⁴/8EI; βL of the
    // first four, of which the last is a thousandth.
    const auto model = scene("springboard");
    const double L = 1.5, EI = 3e9 * 0.3 * 0.03 * 0.03 * 0.03 / 12, mass = 1150 * 0.3 * 0.03;
    const double F = 150, w = 9.81 * mass;
    const auto tip = [&](double t) {
        double sum = 0, sign = -1;
        for (const double x :
             {1.8751040687119611, 4.6940911329741746, 7.8547574382376126, 10.995540734875466}) {
            const double omega = x * x * std::sqrt(EI / mass) / (L * L);
            const double whole = (std::sinh(x) - std::sin(x)) / (std::cosh(x) + std::cos(x));
            const double share = F * L * L * L - sign * whole / x * w * L * L * L * L;
            sum -= 4 * share / (EI * x * x * x * x) * (1 - std::cos(omega * t));
            sign = -sign;
        }
        return sum;
    };
    std::array<double, 2> ends{};
    for (const Formulation f : both) {
        RunSettings run = run_in(f, Method::runge_kutta4, 5e-5, 0.287); // a period
        run.ledger.detail = Postings::Detail::off;
        auto sim = Simulation::start(model, run);
        REQUIRE(sim);
        double off = 0, least = 0;
        while (!sim->done()) {
            REQUIRE(!sim->step());
            const PlacedBody last = sim->placed().bodies.back();
            const double z = (last.x + last.R * V3{0, 0, 0.125}).z - 1;
            off = std::max(off, std::abs(z - tip(sim->time())));
            least = std::min(least, z);
            ends[f == Formulation::reduced] = z;
        }
        CHECK(near(least, -0.230, 0.03));
        // Bent by a seventh of its length it is stiffer, by a part of that squared, and six
        // segments swing slower by 0.1 %: measured 5 mm.
        CHECK(off < 0.03 * 0.230);
    }
    CHECK(std::abs(ends[0] - ends[1]) < 1e-9);
}

TEST_CASE("Saint-Venant: torsion of rectangles, square and thin")
{
    // 0.140577… a⁴ [Timoshenko and Goodier]; a thin strip tends to a b³/3 (1 − 0.630 b/a)
    CHECK(near(rectangle(2, 2).torsion, 0.1405770149 * 16, 1e-9));
    CHECK(near(rectangle(1, 0.001).torsion, 1e-9 / 3 * (1 - 0.630249e-3), 1e-8));
    CHECK(near(rectangle(0.3, 0.1).torsion, rectangle(0.1, 0.3).torsion, 0));
    CHECK(near(tube(0.2, 0.1).torsion, std::numbers::pi / 2 * (0.0016 - 0.0001), 1e-14));
}

TEST_CASE("A beam that is wrong is told all that is wrong, and adds nothing")
{
    Builder b;
    b.add_particle("dot", 1, zero3<double>(), zero3<double>());
    Beam beam = strip(0, 0.01);
    beam.length = -1;
    beam.density = std::nan("");
    beam.young_modulus = 0;
    beam.root = 0;
    beam.tip = 7;
    beam.damping_time = -1;
    const std::string told = add(b, beam).text();
    for (const char* word :
         {"length must be", "density must be", "Young's modulus must be", "1 to 10000 segments",
          "a particle has no attitude", "does not exist", "damping time must be"})
        CHECK(told.find(word) != std::string::npos);
    CHECK(b.bodies.size() == 1);
    CHECK(b.bushings.empty());

    b = built_of(strip(1, 0.01));
    b.bushings[0].stiffness = six_of(std::array<double, 6>{1, 1, -1, 1, 1, 1});
    Bushing nothing;
    nothing.name = "nothing";
    nothing.b = 0;
    b.bushings.push_back(nothing);
    nothing.name = "far";
    nothing.a = nothing.b = 3;
    nothing.frame_a.q = {2, 0, 0, 0};
    nothing.damping.push.xx = std::nan("");
    b.bushings.push_back(nothing);
    const auto model = b.build();
    REQUIRE(!model);
    for (const char* word : {"take energy", "does nothing", "does not exist", "same body",
                             "unit quaternion", "damping must be finite"})
        CHECK_MESSAGE(model.problems().text().find(word) != std::string::npos,
                      model.problems().text());
}

TEST_CASE("A lattice of point masses on stiff springs flies and spins as the rigid body that it "
          "almost is, by an implicit method" *
          doctest::test_suite("slow"))
{
    // Twelve masses of 10 g, 0.1 m apart, and springs of 10⁷ N/m, damped, between all that are
    // near: they swing with more than 30000 rad/s, which an explicit method has to follow.
    const V3 drift{0.3, -0.1, 0.2}, omega{0, 0, 2};
    constexpr double m = 0.01, k = 1e7, damping = 100, side = 0.1;
    Builder b;
    std::vector<V3> at;
    for (const int x : {-1, 1})
        for (const int y : {-1, 1})
            for (const int z : {-1, 0, 1})
                at.push_back({0.5 * side * x, 0.5 * side * y, side * z});
    for (std::size_t i = 0; i < at.size(); ++i) {
        b.add_particle(text_of("m", i), m, at[i], drift + cross(omega, at[i]));
        for (std::size_t j = 0; j < i; ++j)
            if (const double length = norm(at[i] - at[j]); length < 1.8 * side)
                b.springs.push_back({text_of("s", i, " ", j),
                                     {static_cast<int>(j), zero3<double>()},
                                     {static_cast<int>(i), zero3<double>()},
                                     k,
                                     damping,
                                     length});
    }
    for (const Formulation f : both) {
        RunSettings run = run_in(f, Method::bdf, 0.1, 1);
        run.step.tolerance = {1e-10, 1e-12, 100000};
        const Simulation sim = ran(built(b), run);
        const Placed placed = sim.placed();
        V3 p = zero3<double>(), L = p, L_start = p;
        double off = 0, strain = 0;
        for (std::size_t i = 0; i < at.size(); ++i) {
            const PlacedBody& body = placed.bodies[i];
            p += body.p;
            L += cross(body.x - drift, body.p - m * drift);
            L_start += m * cross(at[i], cross(omega, at[i]));
            off = std::max(off, norm(body.x - drift - exp_matrix(omega) * at[i]));
        }
        for (const Spring& s : b.springs) {
            const V3 d = placed.bodies[static_cast<std::size_t>(s.b.body)].x -
                         placed.bodies[static_cast<std::size_t>(s.a.body)].x;
            strain = std::max(strain, std::abs(norm(d) / s.rest_length - 1));
        }
        CHECK(norm(p - 12 * m * drift) < 1e-9);
        // Local errors of the tolerance add up; smaller tolerances gave smaller ones. Measured were
        // 4e-6 and 3e-7 m; the strain is that of spinning, m ω² r/k, with room.
        CHECK(norm(L - L_start) < 1e-5 * norm(L_start));
        CHECK(off < 1e-6);
        CHECK(strain < 1e-6);
        // An explicit one is bound to steps of 3/ω_max, however little swings.
        run.step.method = Method::adaptive;
        run.until = 0.1;
        const Simulation explicit_one = ran(built(b), run);
        CHECK(sim.evaluations() < explicit_one.evaluations()); // for ten times the way
    }
}
