// SPDX-License-Identifier: MIT
#include "poinsot/step/linearise.hpp"

#include "joined.hpp"
#include "measured.hpp"
#include "poinsot/step/smooth.hpp"

using namespace poinsot;

namespace {

constexpr double g = 9.81;

Linearisation about(const Model& model, const Input& input = {})
{
    const State start = start_of(model, FormKind::momentum, Formulation::reduced);
    auto made = linearise(model, start, 0, input);
    if (!made)
        FAIL(made.problems().text());
    return *made;
}

/// The freedom of a name.
int freedom(const Linearisation& of, const std::string& name)
{
    const auto at = std::find(of.freedoms.begin(), of.freedoms.end(), name);
    REQUIRE(at != of.freedoms.end());
    return static_cast<int>(at - of.freedoms.begin());
}
/// Where an independent coordinate stands in a list.
std::size_t column(const Linearisation& of, const std::vector<int>& among, const std::string& name)
{
    const auto at = std::find(among.begin(), among.end(), freedom(of, name));
    REQUIRE(at != among.end());
    return static_cast<std::size_t>(at - among.begin());
}

using Two = std::array<std::array<double, 2>, 2>;
Two product(const Two& a, const Two& b, double factor)
{
    Two made{};
    for (std::size_t r = 0; r < 2; ++r)
        for (std::size_t c = 0; c < 2; ++c)
            made[r][c] = factor * (a[r][0] * b[0][c] + a[r][1] * b[1][c]);
    return made;
}
Two sum(const Two& a, double factor, const Two& b, double other)
{
    Two made{};
    for (std::size_t r = 0; r < 2; ++r)
        for (std::size_t c = 0; c < 2; ++c)
            made[r][c] = factor * a[r][c] + other * b[r][c];
    return made;
}
Two inverse(const Two& a)
{
    const double d = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    return {{{a[1][1] / d, -a[0][1] / d}, {-a[1][0] / d, a[0][0] / d}}};
}

/// Accelerations of two coordinates by their places, their speeds and forces along them.
struct Parts {
    Two K{}, C{}, F{};
};
Parts parts(const Linearisation& of, const std::array<std::string, 2>& names)
{
    Parts made;
    const std::size_t n = of.order(), places = of.places.size();
    for (std::size_t r = 0; r < 2; ++r) {
        const std::size_t row = places + column(of, of.speeds, names[r]);
        for (std::size_t c = 0; c < 2; ++c) {
            made.K[r][c] = of.A[row * n + column(of, of.places, names[c])];
            made.C[r][c] = of.A[row * n + places + column(of, of.speeds, names[c])];
            made.F[r][c] =
                of.B[row * of.freedoms.size() + static_cast<std::size_t>(freedom(of, names[c]))];
        }
    }
    return made;
}

/// A chain of uniform rods of one metre and one kilogram that hangs down −y from the origin.
Builder hanging_rods(int count)
{
    Builder b;
    b.gravity.uniform = {0, -g, 0};
    for (int i = 0; i < count; ++i) {
        Body rod = body_with(text_of("rod ", i).c_str(), 1, diagonal(1.0 / 12, 1e-3, 1.0 / 12),
                             zero3<double>(), zero3<double>());
        rod.pose.x = {0, -0.5 - i, 0};
        Joint hinge;
        hinge.name = text_of("hinge ", i);
        hinge.a = i - 1;
        hinge.b = b.add(rod);
        if (i > 0)
            hinge.frame_a.x = {0, -0.5, 0};
        hinge.frame_b.x = {0, 0.5, 0};
        b.add(hinge);
    }
    return b;
}

/// Whipple's bicycle in the axes of the benchmark: x forward, y to the right, z down.
Builder bicycle(const nlohmann::json& p, double speed)
{
    const auto number = [&](const char* key) { return p.at(key).get<double>(); };
    Builder b;
    b.gravity.uniform = {0, 0, number("g")};
    const double w = number("w"), r_R = number("rR"), r_F = number("rF"), tilt = number("lam_rad");
    const auto add = [&](const char* name, const char* letter, const V3& x, double I_zz,
                         double I_xz, double turning) {
        const std::string of(letter);
        const Sym3<double> I{
            number(("I" + of + "xx").c_str()), number(("I" + of + "yy").c_str()), I_zz, 0, I_xz, 0};
        Body body = body_with(name, number(("m" + of).c_str()), I, {speed, 0, 0}, {0, turning, 0});
        body.pose.x = x;
        return b.add(body);
    };
    const V3 rear{0, 0, -r_R}, front{w, 0, -r_F};
    const V3 frame_center{number("xB"), 0, number("zB")},
        fork_center{number("xH"), 0, number("zH")};
    const int frame = add("frame", "B", frame_center, number("IBzz"), number("IBxz"), 0);
    const int fork = add("fork", "H", fork_center, number("IHzz"), number("IHxz"), 0);
    const int rear_wheel = add("rear wheel", "R", rear, number("IRxx"), 0, -speed / r_R);
    const int front_wheel = add("front wheel", "F", front, number("IFxx"), 0, -speed / r_F);
    const auto hinge = [&](const char* name, int a, const V3& center_a, int b_, const V3& center_b,
                           const V3& at, const Quat<double>& axis) {
        Joint joint;
        joint.name = name;
        joint.a = a;
        joint.b = b_;
        joint.frame_a = {at - center_a, axis};
        joint.frame_b = {at - center_b, axis};
        b.add(joint);
    };
    const Quat<double> sideways = exp_quat(V3{-M_PI / 2, 0, 0}); // z of the frame along y
    hinge("steer", frame, frame_center, fork, fork_center, {w + number("c"), 0, 0},
          exp_quat(V3{0, tilt, 0}));
    hinge("rear axle", frame, frame_center, rear_wheel, rear, rear, sideways);
    hinge("front axle", fork, fork_center, front_wheel, front, front, sideways);
    for (const bool back : {true, false}) {
        Joint rolls;
        rolls.name = back ? "rear tyre" : "front tyre";
        rolls.kind = JointKind::rolling;
        rolls.b = back ? rear_wheel : front_wheel;
        rolls.radius = back ? r_R : r_F;
        rolls.frame_a.q = exp_quat(V3{M_PI, 0, 0}); // the ground's normal is up
        rolls.frame_b.q = sideways;
        b.add(rolls);
    }
    return b;
}

nlohmann::json bicycle_reference()
{
    return read_json(reference("iftomm_bicycle.json"));
}

} // namespace

TEST_CASE("Bicycle: eigenvalues at every speed of the benchmark, to the last digit printed")
{
    const auto truth = bicycle_reference();
    double worst = 0;
    for (const auto& item : truth.at("items").at("bicycle").at("eigs")) {
        const double speed = item.at("v").get<double>();
        CAPTURE(speed);
        const Linearisation made = about(*built(bicycle(truth.at("parameters"), speed)));
        CHECK(made.place_equations == 2);
        CHECK(made.speed_equations == 6);
        CHECK(made.unsteadiness() < 1e-13);
        // Nothing depends on where it is, where it heads, how the wheels are turned, or, if it runs
        // straight on, how fast.
        CHECK(made.order() == 10);
        CHECK(made.spectrum.neutral == 6);
        REQUIRE(made.spectrum.eigenvalues.size() == 4);
        for (std::size_t i = 0; i < 4; ++i) {
            const Eigenvalue& found = made.spectrum.eigenvalues[i];
            const double re = item.at("re").at(i).get<double>(),
                         im = item.at("im").at(i).get<double>();
            const double off = std::hypot(found.re - re, found.im - im);
            CAPTURE(found.re);
            CAPTURE(found.im);
            CHECK(off < 1e-12 * std::hypot(re, im) + 1e-12);
            CHECK(off < 10 * found.error);
            worst = std::max(worst, off / std::max(1.0, std::hypot(re, im)));
        }
    }
    measured({{"table", "steady"},
              {"case", "bicycle: eigenvalues at all speeds of the benchmark"},
              {"formulation", name_of(Formulation::reduced)},
              {"error", worst}});
}

TEST_CASE("Bicycle: M, C1, K0 and K2 of the benchmark, from motions at two speeds")
{
    const auto truth = bicycle_reference();
    const auto& item = truth.at("items").at("bicycle");
    const auto at = [&](double speed) {
        return parts(about(*built(bicycle(truth.at("parameters"), speed))),
                     {"frame.turn_x", "steer"});
    };
    // M q̈ + v C1 q̇ + (g K0 + v² K2) q = f, with lean and steer for q
    const double v = 5;
    const Parts still = at(0), moving = at(v);
    const Two M = inverse(moving.F);
    const Two K0 = product(M, still.K, -1 / g);
    const Two K2 = sum(product(M, moving.K, -1), 1 / (v * v), K0, -g / (v * v));
    const auto close = [&](const char* name, const Two& found) {
        CAPTURE(std::string(name));
        double size = 0, off = 0;
        for (std::size_t r = 0; r < 2; ++r)
            for (std::size_t c = 0; c < 2; ++c) {
                const double want = item.at(name)[r][c].get<double>();
                size = std::max(size, std::abs(want));
                off = std::max(off, std::abs(found[r][c] - want));
            }
        CAPTURE(off / size);
        CHECK(off < 1e-12 * size);
        measured({{"table", "steady"},
                  {"case", text_of("bicycle: ", name)},
                  {"formulation", name_of(Formulation::reduced)},
                  {"error", off / size}});
    };
    close("M", M);
    close("C1", product(M, moving.C, -1 / v));
    close("K0", K0);
    close("K2", K2);
}

TEST_CASE("Pendulum: a damped one has λ² + 2ζω λ + ω² = 0, an inverted one ± its ω")
{
    // A rod about its end: I = 1/3, with a damper c at the hinge.
    const double I = 1.0 / 3, c = 0.4, torque = g / 2;
    Builder b = hanging_rods(1);
    b.joints[0].laws.resize(1);
    b.joints[0].laws[0].damping = c;
    const Linearisation hanging = about(*built(b));
    REQUIRE(hanging.spectrum.eigenvalues.size() == 2);
    const double omega = std::sqrt(torque / I), zeta = c / (2 * I * omega);
    const Eigenvalue& one = hanging.spectrum.eigenvalues[1];
    CHECK(near(one.re, -zeta * omega, 1e-14));
    CHECK(near(one.im, omega * std::sqrt(1 - zeta * zeta), 1e-14));
    CHECK(near(one.damping_ratio(), zeta, 1e-14));
    CHECK(near(2 * M_PI * one.frequency(), one.im, 1e-15));
    CHECK(near(hanging.B[1], 1 / I, 1e-14));
    CHECK(hanging.unsteadiness() < 1e-15);

    b.gravity.uniform = {0, g, 0};
    b.joints[0].laws.clear();
    const Linearisation upright = about(*built(b));
    REQUIRE(upright.spectrum.eigenvalues.size() == 2);
    CHECK(near(upright.spectrum.eigenvalues[0].re, -omega, 1e-14));
    CHECK(near(upright.spectrum.eigenvalues[1].re, omega, 1e-14));

    // Let go from the side it falls: these numbers are those of a moment.
    b.joints[0].start = {1.0};
    CHECK(about(*built(b)).unsteadiness() > 0.1);
}

TEST_CASE("Cart and pole: A = (0 1; M⁻¹K −M⁻¹C), B = (0; M⁻¹) with the M, K and C of the textbooks")
{
    // A pole of mass m, I about its centre at l above a hinge on a cart of mass M; x along the
    // rail, θ from upright to −x:
    //
    //     (M + m) ẍ − m l θ̈ = F − c ẋ            (I + m l²) θ̈ − m l ẍ = τ − d θ̇ + m g l θ
    const double M = 3, m = 0.8, l = 0.6, I = 0.11;
    for (const bool damped : {false, true}) { // closed forms, and differences
        CAPTURE(damped);
        const double c = damped ? 0.7 : 0, d = damped ? 0.2 : 0;
        Builder b;
        b.gravity.uniform = {0, -g, 0};
        const V3 rest = zero3<double>();
        const int cart = b.add(body_with("cart", M, diagonal(1.0, 1.0, 1.0), rest, rest));
        Body up = body_with("pole", m, diagonal(1.0, 1.0, I), rest, rest);
        up.pose.x = {0, l, 0};
        const int pole = b.add(up);
        Joint rail;
        rail.name = "rail";
        rail.kind = JointKind::prismatic;
        rail.b = cart;
        rail.frame_a.q = rail.frame_b.q = exp_quat(V3{0, M_PI / 2, 0}); // z along x
        Joint hinge;
        hinge.name = "hinge";
        hinge.a = cart;
        hinge.b = pole;
        hinge.frame_b.x = {0, -l, 0};
        for (auto& [joint, by] : {std::pair(&rail, c), {&hinge, d}}) {
            joint->laws.resize(1);
            joint->laws[0].damping = by;
            b.add(*joint);
        }
        const Linearisation found = about(*built(b));
        REQUIRE(found.order() == 4);
        const Two by_force = inverse({{{M + m, -m * l}, {-m * l, I + m * l * l}}});
        const Two by_place = product(by_force, {{{0, 0}, {0, m * g * l}}}, 1);
        const Two by_speed = product(by_force, {{{-c, 0}, {0, -d}}}, 1);
        const Parts lower = parts(found, {"rail", "hinge"});
        const double exact = damped ? 1e-12 : 1e-14; // differences lose a few digits
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t k = 0; k < 2; ++k) {
                CHECK(near(lower.K[i][k], by_place[i][k], exact, by_place[1][1]));
                CHECK(near(lower.C[i][k], by_speed[i][k], exact, by_place[1][1]));
                CHECK(near(lower.F[i][k], by_force[i][k], 1e-14, by_force[1][1]));
                // and u̇ = w, whatever forces do
                CHECK(near(found.A[i * 4 + k], 0, exact, 1));
                CHECK(near(found.A[i * 4 + 2 + k], i == k ? 1 : 0, exact, 1));
                CHECK(found.B[i * 2 + k] == 0);
            }
    }
}

TEST_CASE("Double pendulum of two rods: ω² = 3 (1 ± 2/√7) g/l")
{
    const Linearisation made = about(*built(hanging_rods(2)));
    REQUIRE(made.spectrum.eigenvalues.size() == 4);
    for (const double sign : {-1.0, 1.0}) {
        const double omega = std::sqrt(3 * (1 + sign * 2 / std::sqrt(7.0)) * g);
        const Eigenvalue& found = made.spectrum.eigenvalues[sign < 0 ? 2 : 3];
        CAPTURE(found.im);
        CHECK(std::any_of(made.spectrum.eigenvalues.begin(), made.spectrum.eigenvalues.end(),
                          [&](const Eigenvalue& e) {
                              return std::abs(e.im - omega) < 1e-13 * omega &&
                                     std::abs(e.re) < 1e-13 * omega;
                          }));
    }
    CHECK(made.spectrum.neutral == 0);
}

TEST_CASE("Hanging string of beads: ω² = x g/l with Laguerre's L_n(x) = 0, in both planes")
{
    // Equal beads at equal distances (Daniel Bernoulli): particles and cords, all of it equations.
    for (const int n : {1, 2, 5}) {
        CAPTURE(n);
        Builder b;
        b.gravity.uniform = {0, 0, -g};
        const double l = 0.7;
        for (int i = 0; i < n; ++i) {
            const int bead =
                b.add_particle(text_of("bead ", i), 0.3, {0, 0, -l * (i + 1)}, zero3<double>());
            Joint cord;
            cord.name = text_of("cord ", i);
            cord.kind = JointKind::distance;
            cord.a = bead - 1; // the world first
            cord.b = bead;
            cord.length = l;
            b.add(cord);
        }
        const Linearisation made = about(*built(b));
        CHECK(made.place_equations == n);
        REQUIRE(made.spectrum.eigenvalues.size() == static_cast<std::size_t>(4 * n));
        for (const Eigenvalue& found : made.spectrum.eigenvalues) {
            CHECK(std::abs(found.re) < 1e-11);
            const double x = found.im * found.im * l / g;
            double last = 0, value = 1; // L_(k−1), L_k
            for (int k = 0; k < n; ++k) {
                const double next = ((2 * k + 1 - x) * value - k * last) / (k + 1);
                last = value;
                value = next;
            }
            // x L_n'(x) = n (L_n − L_(n−1)): the error of x from that of L_n
            CHECK(std::abs(value / (n * (value - last))) < 1e-11);
        }
    }
}

TEST_CASE("A parallelogram of redundant hinges swings with ω² = 6g/5l")
{
    // Two rods hang one metre apart, a third joins their ends: (2/3 + 1) m l² θ̈ = −2 m g l θ.
    Builder b;
    b.gravity.uniform = {0, -g, 0};
    const auto rod = [&](const char* name, const Sym3<double>& I, const V3& x) {
        Body body = body_with(name, 1, I, zero3<double>(), zero3<double>());
        body.pose.x = x;
        b.add(body);
    };
    rod("left", diagonal(1.0 / 12, 1e-3, 1.0 / 12), {0, -0.5, 0});
    rod("right", diagonal(1.0 / 12, 1e-3, 1.0 / 12), {1, -0.5, 0});
    rod("below", diagonal(1e-3, 1.0 / 12, 1.0 / 12), {0.5, -1, 0});
    b.add(hinge("A", world, {0, 0, 0}, 0, {0, 0.5, 0}));
    b.add(hinge("B", world, {1, 0, 0}, 1, {0, 0.5, 0}));
    b.add(hinge("C", 0, {0, -0.5, 0}, 2, {-0.5, 0, 0}));
    b.add(hinge("D", 1, {0, -0.5, 0}, 2, {0.5, 0, 0}));
    // In whatever plane: there, rows that say nothing new are zero to rounding only.
    for (const V3& by : {zero3<double>(), V3{0, 0.785, 0}, V3{0.3, -1.1, 0.7}}) {
        CAPTURE(norm(by));
        const Linearisation made = about(*built(turned(b, exp_quat(by))));
        CHECK(made.place_equations == 2); // of the five rows of the hinge that closes the loop
        CHECK(made.order() == 2);
        REQUIRE(made.spectrum.eigenvalues.size() == 2);
        CHECK(near(made.spectrum.eigenvalues[1].im, std::sqrt(1.2 * g), 1e-13));
        CHECK(std::abs(made.spectrum.eigenvalues[1].re) < 1e-13);
        CHECK(made.unsteadiness() < 1e-14);
    }
}

TEST_CASE("Rolling disc: upright it leans with 2.4 Ω² − 0.8 g/r, stable beyond Ω² = g/3r")
{
    const double r = 0.3, m = 2;
    const auto disc = [&](double Omega) {
        Builder b;
        b.gravity.uniform = {0, 0, -g};
        Body body =
            body_with("disc", m, diagonal(0.25 * m * r * r, 0.5 * m * r * r, 0.25 * m * r * r),
                      {Omega * r, 0, 0}, {0, Omega, 0});
        body.pose.x = {0, 0, r};
        Joint rolls;
        rolls.name = "rolls";
        rolls.kind = JointKind::rolling;
        rolls.b = b.add(body);
        rolls.radius = r;
        rolls.frame_b.q = exp_quat(V3{-M_PI / 2, 0, 0});
        b.add(rolls);
        return about(*built(b));
    };
    for (const double Omega : {0.5, 3.0, 3.4, 20.0}) {
        CAPTURE(Omega);
        const Linearisation made = disc(Omega);
        const double squared = 2.4 * Omega * Omega - 0.8 * g / r;
        CHECK(made.place_equations == 1);
        CHECK(made.speed_equations == 3);
        CHECK(made.unsteadiness() < 1e-14);
        REQUIRE(made.spectrum.eigenvalues.size() == 2);
        const Eigenvalue& found = made.spectrum.eigenvalues[1];
        CAPTURE(found.re);
        CAPTURE(found.im);
        CHECK(near(squared > 0 ? found.im : found.re, std::sqrt(std::abs(squared)), 1e-12));
        CHECK(std::abs(squared > 0 ? found.re : found.im) < 1e-11);
    }
}

TEST_CASE("Rolling disc in a circle: seen from the turn, a neighbour's place goes round with ± iΩ")
{
    // Leaning by φ it turns with Ω when A Ω² sin φ cos φ − m g r sin φ = (C + m r²) Ω cos φ ω_a,
    // ω_a its angular velocity along its own axis a.
    const double r = 0.3, m = 2, phi = 0.3, Omega = -1.7;
    const double A = 0.25 * m * r * r, C = 0.5 * m * r * r;
    const double omega_a =
        (A * Omega * Omega * std::sin(phi) * std::cos(phi) - m * g * r * std::sin(phi)) /
        ((C + m * r * r) * Omega * std::cos(phi));
    const auto at = [&](double heading, double spin) {
        const Quat<double> yaw = exp_quat(V3{0, 0, heading}), lean = exp_quat(V3{phi, 0, 0});
        const V3 x = rotate(yaw, {1, 0, 0}), a = rotate(yaw * lean, {0, 1, 0}),
                 up = rotate(yaw * lean, {0, 0, 1});
        Builder b;
        b.gravity.uniform = {0, 0, -g};
        Body body = body_with("disc", m, diagonal(A, C, A), (r * omega_a) * x,
                              omega_a * a + (Omega * std::cos(phi)) * up);
        body.pose = {r * up, yaw * lean * exp_quat(V3{0, spin, 0})};
        body.pose.x.x = body.pose.x.y = 0;
        Joint rolls;
        rolls.name = "rolls";
        rolls.kind = JointKind::rolling;
        rolls.b = b.add(body);
        rolls.radius = r;
        rolls.frame_b.q = exp_quat(V3{-M_PI / 2, 0, 0});
        b.add(rolls);
        return about(*built(b));
    };
    const Linearisation one = at(0, 0), two = at(0.8, 2.3);
    for (const Linearisation* made : {&one, &two}) {
        CHECK(made->unsteadiness() < 1e-14);
        CHECK(made->spectrum.neutral == 4); // heading, spin, and two ways to another circle
        REQUIRE(made->spectrum.eigenvalues.size() == 4);
        CHECK(std::any_of(
            made->spectrum.eigenvalues.begin(), made->spectrum.eigenvalues.end(),
            [&](const Eigenvalue& e) { return std::hypot(e.re, e.im - std::abs(Omega)) < 1e-12; }));
    }
    double largest[2] = {0, 0};
    for (int k = 0; k < 2; ++k)
        for (const Eigenvalue& e : (k == 0 ? one : two).spectrum.eigenvalues)
            largest[k] = std::max(largest[k], std::hypot(e.re, e.im));
    CHECK(largest[0] > 2 * std::abs(Omega));
    CHECK(near(largest[0], largest[1], 1e-12));
}

TEST_CASE("Linearised: closed forms and differences are two roads to one matrix")
{
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
        CAPTURE(seed);
        const Builder tree = some_tree(5, seed);
        const auto model = built(tree);
        // The same gravity, as a user's own force: nothing is known of it.
        Builder weightless = tree;
        weightless.gravity.uniform = zero3<double>();
        Input input;
        input.user_force = [&](const Placed& placed, double, Loads& loads) {
            for (std::size_t i = 0; i < placed.bodies.size(); ++i)
                loads.add(static_cast<int>(i), Cause::applied,
                          {placed.bodies[i].mass.m * tree.gravity.uniform, zero3<double>()});
        };
        const Linearisation closed = about(*model), differences = about(*built(weightless), input);
        REQUIRE(closed.A.size() == differences.A.size());
        double size = 0, off = 0;
        for (std::size_t i = 0; i < closed.A.size(); ++i) {
            size = std::max(size, std::abs(closed.A[i]));
            off = std::max(off, std::abs(closed.A[i] - differences.A[i]));
        }
        CAPTURE(off / size);
        CAPTURE(differences.error);
        CHECK(closed.error < 2e-15);
        CHECK(differences.error < 1e-11);
        CHECK(off < 1e-11 * size);
        CHECK(closed.B == differences.B);
    }
}

TEST_CASE("Spectrum: a chain of zeros is counted, and does not stir the others")
{
    // A place, its speed, and an oscillator it drives: x' = v, v' = 0, y' = w, w' = −4 y + v.
    const std::vector<double> A{0, 0,  1, 0, //
                                0, 0,  0, 1, //
                                0, 0,  0, 0, //
                                0, -4, 1, 0};
    const Spectrum made = spectrum_of(A, 4, 2, 1e-15);
    CHECK(made.neutral == 2);
    REQUIRE(made.eigenvalues.size() == 2);
    CHECK(near(made.eigenvalues[1].im, 2, 1e-14));
    CHECK(std::abs(made.eigenvalues[1].re) < 1e-14);
    CHECK(spectrum_of(std::vector<double>{0, 1, 0, 0}, 2, 1, 1e-15).neutral == 2);
    CHECK(spectrum_of({}, 0, 0, 1e-15).neutral == 0);
}

TEST_CASE(
    "Linearised: a loop that has no neighbours, a held body and a force that is none are named")
{
    const auto problems = [](const Builder& b, const Input& input = {}) {
        const auto model = built(b);
        const auto made =
            linearise(*model, start_of(*model, FormKind::momentum, Formulation::reduced), 0, input);
        REQUIRE_FALSE(made);
        return made.problems().text();
    };
    Builder held;
    Body body = body_with("top", 1, diagonal(1.0, 1.0, 1.0), zero3<double>(), zero3<double>());
    body.held = Held{};
    held.add(body);
    {
        const auto model = built(held);
        const auto made = linearise(*model, start_of(*model, FormKind::momentum), 0);
        REQUIRE_FALSE(made);
        CHECK(made.problems().text().find("replace held by a ball joint") != std::string::npos);
    }
    Input bad;
    bad.user_force = [](const Placed&, double, Loads& loads) {
        loads.add(0, Cause::applied, {{NAN, 0, 0}, {0, 0, 0}});
    };
    CHECK(problems(hanging_rods(1), bad).find("not numbers") != std::string::npos);
    const auto model = built(hanging_rods(1));
    CHECK_FALSE(linearise(*model, start_of(*model, FormKind::momentum), NAN));
}
