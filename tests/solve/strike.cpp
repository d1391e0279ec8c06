// SPDX-License-Identifier: MIT
// The blow of one contact, followed through its impulse: slip that turns, ends and begins again.

#include "poinsot/solve/strike.hpp"
#include "solve/impacts.hpp"

using namespace poinsot;

namespace {

/// The blow of one contact by Runge and Kutta's method, in the time ds = |u_t| dτ, until slip is
/// 1e-13 of what it was; from there the direction is found by halving angles, and pieces are by
/// hand.
struct BlowBySteps {
    Eigen::VectorXd r = Eigen::VectorXd::Zero(3);
    bool stopped = false, restarted = false, ended = true;

    BlowBySteps(const Eigen::MatrixXd& W, const Eigen::VectorXd& u0, double mu, double e, int steps)
    {
        // r, work of the normal impulse, and u with its own last digits: slip decays by 1e-13.
        using Seven = std::array<double, 7>;
        const auto u = [](const Seven& x, int i) { return x[static_cast<std::size_t>(4 + i)]; };
        const auto slip = [&](const Seven& x) {
            return std::sqrt(u(x, 1) * u(x, 1) + u(x, 2) * u(x, 2));
        };
        const auto rate = [&](const Seven& x) {
            const double rho = slip(x), t = -mu * u(x, 1), s = -mu * u(x, 2);
            Seven made{rho, t, s, u(x, 0) * rho};
            for (int i = 0; i < 3; ++i)
                made[static_cast<std::size_t>(4 + i)] = W(i, 0) * rho + W(i, 1) * t + W(i, 2) * s;
            return made;
        };
        const auto next = [&](const Seven& x, double h) {
            const auto add = [](Seven y, const Seven& f, double part) {
                for (std::size_t i = 0; i < 7; ++i)
                    y[i] += part * f[i];
                return y;
            };
            const Seven k1 = rate(x), k2 = rate(add(x, k1, h / 2)), k3 = rate(add(x, k2, h / 2)),
                        k4 = rate(add(x, k3, h));
            return add(add(add(add(x, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
        };
        Seven x{0, 0, 0, 0, u0(0), u0(1), u0(2)};
        const double begun = slip(x), h = 1 / ((1 + mu) * (W(0, 0) + W(1, 1) + W(2, 2)) * steps);
        double stored = -1; // not yet known
        const auto left = [&](const Seven& y) {
            return stored < 0 ? -u(y, 0) : e * e * stored - (y[3] + stored);
        };
        const auto slide = [&] { // to the next event; false: slip has ended
            for (int i = 0; i < 150000; ++i) {
                if (slip(x) <= 1e-13 * begun)
                    return false;
                const Seven y = next(x, h);
                if (left(y) > 0) {
                    x = y;
                    continue;
                }
                double low = 0, high = h;
                for (int k = 0; k < 60; ++k) {
                    const double middle = 0.5 * (low + high);
                    (left(next(x, middle)) > 0 ? low : high) = middle;
                }
                x = next(x, high);
                return true;
            }
            ended = false; // it decays too slowly to wait for
            return true;
        };
        stopped = !slide();
        if (!stopped) {
            stored = -x[3];
            stopped = !slide();
        }
        if (stopped) {
            const double det = W(1, 1) * W(2, 2) - W(1, 2) * W(1, 2);
            double d[2] = {-(W(2, 2) * W(1, 0) - W(1, 2) * W(2, 0)) / det,
                           -(W(1, 1) * W(2, 0) - W(1, 2) * W(1, 0)) / det};
            restarted = std::sqrt(d[0] * d[0] + d[1] * d[1]) > mu;
            if (restarted) {
                // Slip along (cos, sin): its acceleration is along it too, and forwards.
                const auto accelerated = [&](double angle, double along) {
                    const double c = std::cos(angle), s = std::sin(angle);
                    const double a = W(1, 0) - mu * (W(1, 1) * c + W(1, 2) * s);
                    const double b = W(2, 0) - mu * (W(1, 2) * c + W(2, 2) * s);
                    return along > 0 ? a * c + b * s : c * b - s * a;
                };
                for (int i = 0; i < 3600; ++i) {
                    double low = i * 6.283185307179586 / 3600,
                           high = low + 6.283185307179586 / 3600;
                    const double sign = accelerated(low, 0);
                    if (sign * accelerated(high, 0) > 0 || accelerated(low, 1) < 0)
                        continue;
                    for (int k = 0; k < 60; ++k) {
                        const double middle = 0.5 * (low + high);
                        (sign * accelerated(middle, 0) > 0 ? low : high) = middle;
                    }
                    d[0] = -mu * std::cos(low);
                    d[1] = -mu * std::sin(low);
                }
            }
            const double a = W(0, 0) + W(0, 1) * d[0] + W(0, 2) * d[1];
            const auto go = [&](double s) {
                x[3] += s * (u(x, 0) + 0.5 * a * s);
                x[1] += s * d[0];
                x[2] += s * d[1];
                x[0] += s;
                x[4] += s * a;
            };
            if (stored < 0) {
                go(-u(x, 0) / a);
                stored = -x[3];
            }
            const double v = u(x, 0), rest = std::max(0.0, e * e * stored - (x[3] + stored));
            go((-v + std::sqrt(v * v + 2 * a * rest)) / a);
        }
        for (int i = 0; i < 3; ++i)
            r(i) = x[static_cast<std::size_t>(i)];
    }
};

} // namespace

TEST_SUITE("slow")
{
    TEST_CASE("Strike: slip that turns, stops, sticks and starts again, by another road")
    {
        int ended = 0, stopped = 0, restarted = 0;
        double worst = 0;
        for (unsigned seed = 0; seed < 300; ++seed) {
            CAPTURE(seed);
            Dice dice(seed);
            Touching world = some_collision(dice, 1, 1);
            ContactProblem problem = world.problem();
            let_approach(problem, world);
            const Eigen::MatrixXd W = delassus_of(problem);
            const double e = dice.uniform(0, 1), mu = problem.blocks[0].mu;
            Eigen::VectorXd u = problem.q; // slow slip, that it may stop
            u(1) *= 0.2;
            u(2) *= 0.2;
            const StrikeEnd end = strike(problem.blocks[0], W, u, e);
            CHECK(end.finished);
            const BlowBySteps other(W, u, mu, e, 300);
            if (!other.ended)
                continue;
            ++ended;
            stopped += other.stopped;
            restarted += other.restarted;
            worst = std::max(worst, largest_difference(other.r, end.r) / other.r(0));
            // 300 steps where the fastest rate is 1: (1/300)⁴/120 for each unit of τ, some.
            CHECK(largest_difference(other.r, end.r) <= 1e-11 * other.r(0));
        }
        CHECK(ended > 200);
        CHECK(stopped > 20);
        CHECK(restarted >= 3);
        MESSAGE("slip stopped in ", stopped, " of ", ended, " and started again in ", restarted,
                "; largest difference ", worst);
    }
}

TEST_CASE("Strike: slip that ends, in closed form")
{
    // Planar, W = (a b; b c): slides to rest at s₁, then sticks or turns round.
    const auto by_hand = [](double a, double b, double c, double u_n, double u_t, double mu,
                            double e) {
        // First compression, in two pieces.
        const double way = u_t > 0 ? 1 : -1;
        const double a1 = a - mu * way * b, c1 = b - mu * way * c; // du_n/ds, du_t/ds
        const double s1 = -u_t / c1;
        const double stuck = -b / c;
        const double d2 = std::abs(stuck) <= mu ? stuck : (b > 0 ? -mu : mu);
        const double a2 = a + b * d2;
        const double at1 = u_n + a1 * s1;
        const double s2 = -at1 / a2; // to the end of compression
        const double stored = -(u_n + at1) * s1 / 2 - at1 * s2 / 2;
        const double s3 = e * std::sqrt(2 * stored / a2);
        return std::array<double, 2>{s1 + s2 + s3, -mu * way * s1 + d2 * (s2 + s3)};
    };
    struct Case {
        double a, b, c, u_n, u_t, mu, e;
    };
    for (const Case& k : {Case{2, 0.5, 1, -1, 0.1, 0.8, 0.6}, // sticks
                          Case{2, 0.9, 1, -1, 0.1, 0.3, 0.6}, // turns round
                          Case{2, 0.9, 1, -1, 0.1, 0.3, 1.0}, Case{2, 0.9, 1, -1, 0.1, 0.3, 0.0},
                          Case{1, 1.5, 4, -1, 0.2, 0.9, 0.5}}) { // u_n falls while it slides
        Eigen::MatrixXd W(2, 2);
        W << k.a, k.b, k.b, k.c;
        Eigen::VectorXd u(2);
        u << k.u_n, k.u_t;
        const StrikeEnd end = strike(contact_rows(0, k.mu, 1), W, u, k.e);
        const auto r = by_hand(k.a, k.b, k.c, k.u_n, k.u_t, k.mu, k.e);
        CHECK(near(end.r(0), r[0], 1e-14));
        CHECK(near(end.r(1), r[1], 1e-14, r[0]));
        // In space, the line of slip anywhere in the plane.
        for (const double angle : {0.0, 0.7, 2.0}) {
            const double cs = std::cos(angle), sn = std::sin(angle), other = 0.8 * k.c;
            Eigen::MatrixXd W3(3, 3);
            W3 << k.a, k.b * cs, k.b * sn, k.b * cs, k.c * cs * cs + other * sn * sn,
                (k.c - other) * cs * sn, k.b * sn, (k.c - other) * cs * sn,
                k.c * sn * sn + other * cs * cs;
            Eigen::VectorXd u3(3);
            u3 << k.u_n, k.u_t * cs, k.u_t * sn;
            const StrikeEnd turned = strike(contact_rows(0, k.mu), W3, u3, k.e);
            CHECK(near(turned.r(0), r[0], 1e-12));
            CHECK(near(turned.r(1), r[1] * cs, 1e-12, r[0]));
            CHECK(near(turned.r(2), r[1] * sn, 1e-12, r[0]));
        }
    }
}

TEST_CASE("Strike: the blow does not depend on units, nor on how the plane of contact is turned")
{
    int stops = 0;
    double worst = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        Dice dice(seed);
        Touching world = some_collision(dice, 1, 2);
        ContactProblem problem = world.problem();
        let_approach(problem, world);
        const Eigen::MatrixXd W = delassus_of(problem);
        const double e = dice.uniform(0, 1);
        const StrikeEnd end = strike(problem.blocks[0], W, problem.q, e);
        REQUIRE(end.finished);
        CHECK_FALSE(end.wedged);
        const Eigen::VectorXd u = speeds_of(problem, end.r);
        CHECK(u(0) >= -1e-12);
        const double slip = std::sqrt(u(1) * u(1) + u(2) * u(2));
        stops += slip < 1e-12;

        const double angle = dice.uniform(0, 6), cs = std::cos(angle), sn = std::sin(angle);
        const double T[3][3] = {{1, 0, 0}, {0, cs, sn}, {0, -sn, cs}};
        Eigen::MatrixXd turned = Eigen::MatrixXd::Zero(3, 3);
        Eigen::VectorXd seen = Eigen::VectorXd::Zero(3), r = seen;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                seen(i) += 1e3 * T[i][j] * problem.q(j);
                r(i) += 1e-2 * T[i][j] * end.r(j);
                for (int k = 0; k < 3; ++k)
                    for (int l = 0; l < 3; ++l)
                        turned(i, k) += 1e5 * T[i][j] * W(j, l) * T[k][l];
            }
        const StrikeEnd again = strike(problem.blocks[0], turned, seen, e);
        worst = std::max(worst, largest_difference(again.r, r) / r(0));
    }
    CHECK(worst <= 1e-12);
    CHECK(stops > 20);
    MESSAGE("slip ended in ", stops, " of 300; turned and scaled differs by ", worst);
}

TEST_CASE("Strike: torsion and rolling take part in the blow, and make no energy")
{
    for (unsigned seed = 0; seed < 100; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        Touching world;
        world.add(1, dice.inertia(), dice.vector(1), {dice.vector(1), dice.vector(3)});
        world.touch(-1, 0, zero3<double>(), {0, 0, 1}, dice.uniform(0, 1), dice.uniform(0, 0.3),
                    dice.uniform(0, 0.3));
        ContactProblem problem = world.problem();
        let_approach(problem, world);
        const ImpactAnswer answer = hit(problem, dice.uniform(0, 1));
        CHECK(answer.contact.solved);
        CHECK(answer.gaining.empty());
        const auto [before, after] = energies(world, answer.contact.r);
        CHECK(after <= before * (1 + 1e-12));
        CHECK(near(after - before, answer.work, 1e-12, before));
        Eigen::VectorXd allowed = answer.contact.r;
        make_admissible(problem.blocks, allowed);
        CHECK(largest_difference(allowed, answer.contact.r) <= 1e-12 * answer.contact.r(0));
    }
    // A ball dropped with spin about the normal: the torque is at its bound until the spin is gone.
    for (const double c : {0.001, 1.0}) {
        Touching ball;
        ball.add(1, diagonal(0.004, 0.004, 0.004), {0, 0, 0.1}, {V3{0, 0, -1}, V3{0, 0, 2}});
        ball.touch(-1, 0, zero3<double>(), {0, 0, 1}, 0.5, c, 0.01);
        const ImpactAnswer answer = hit(ball.problem(), 0.5);
        CHECK(near(answer.contact.r(0), 1.5, 1e-14));
        CHECK(near(answer.contact.r(3), -std::min(1.5 * c, 0.008), 1e-13));
    }
}

// Bodies whose inertia is from like that of their size to a hundredth of it: of the last, speeds of
// contact are sums of terms far larger than they are.
TEST_CASE("Strike: every blow with friction, torsion and rolling ends, and makes no energy")
{
    int stopped = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        Dice dice(seed);
        const double slender = seed % 2 ? 0.01 : 1;
        Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, 6);
        const V3 r = dice.vector(1);
        const std::array<V3, 3> axes{V3{0, 0, 1}, V3{1, 0, 0}, V3{0, 1, 0}};
        Eigen::VectorXd inverse(6), u(6);
        for (int k = 0; k < 3; ++k) {
            const V3 e = axes[static_cast<std::size_t>(k)], lever = cross(r, e);
            for (int i = 0; i < 3; ++i) {
                const double turn = i == 0 ? lever.x : i == 1 ? lever.y : lever.z;
                const double along = i == 0 ? e.x : i == 1 ? e.y : e.z;
                J(k, i) = J(k + 3, i + 3) = along;
                J(k, i + 3) = turn;
            }
            inverse(k) = 1;
            inverse(k + 3) = 1 / (slender * dice.uniform(0.05, 1));
        }
        const Eigen::MatrixXd W = J * inverse.asDiagonal() * J.transpose();
        for (int i = 0; i < 6; ++i)
            u(i) = dice.uniform(-1, 1);
        u(0) = -std::abs(u(0)) - 0.01;
        ContactBlock block = contact_rows(0, dice.uniform(0, 1.5));
        block.rows = 6;
        block.twists = 1;
        block.rolls = 2;
        block.twist = dice.uniform(0, 0.5);
        block.roll = dice.uniform(0, 0.5);
        const StrikeEnd end = strike(block, W, u, dice.uniform(0, 1));
        CHECK(end.finished);
        const Eigen::VectorXd after = u + W * end.r;
        const Eigen::VectorXd sizes = end.r.cwiseAbs();
        const double terms = sizes.dot(W.cwiseAbs() * sizes); // of the work
        CHECK(after(0) >= -1e-12);
        CHECK(0.5 * end.r.dot(u + after) <= 1e-13 * terms);
        stopped += std::hypot(after(1), after(2)) < 1e-12 * std::sqrt(W(1, 1) + W(2, 2));
    }
    CHECK(stopped > 50);
}

// All of friction just holds this contact: slip neither ends nor grows, and turns faster than it
// lets the blow go on.
TEST_CASE("Strike: slip that hovers is taken for none in the end, and how much it was is told")
{
    Eigen::Matrix3d W;
    W << 3.6666416730174825, -0.069192362267528951, -1.9987893054380645,  //
        -0.069192362267528951, 5.1634438483815188, -0.092201010128700245, //
        -1.9987893054380645, -0.092201010128700245, 2.5031856452744483;
    const Eigen::Vector3d u(-0.022629035972983439, -1.0204773372504694e-07, 3.7299052041417369e-09);
    const StrikeEnd end = strike(contact_rows(0, 0.8), W, u, 0);
    CHECK(end.finished);
    CHECK(end.off > 1e-9);
    CHECK(end.off < 1e-6);
    const Eigen::VectorXd after = u + W * end.r;
    CHECK(std::abs(after(0)) < 1e-15); // without restitution the blow ends where approach does
    CHECK(std::hypot(end.r(1), end.r(2)) <= 0.8 * end.r(0) * (1 + 1e-6));
    CHECK(0.5 * end.r.dot(u + after) < 0);

    ContactProblem problem;
    problem.W = W;
    problem.q = u;
    problem.blocks = {contact_rows(0, 0.8)};
    const double e[] = {0};
    for (const ImpactOrder order : {ImpactOrder::together, ImpactOrder::in_sequence}) {
        ImpactSettings how;
        how.order = order;
        const auto answer = solve_impact(problem, problem.q, e, how);
        REQUIRE(answer);
        CHECK_FALSE(answer->contact.solved);
        CHECK(answer->contact.residual == end.off); // that of what was not solved
    }
}

TEST_CASE("Strike: a tip that a pin holds inside its cone stays, and what it stored stays with it")
{
    // One freedom: u = j ω, W = j jᵀ/I. tan of the rod's angle below μ: it cannot leave.
    const auto pinned = [](double n, double t, double mu, double e) {
        Eigen::MatrixXd W(3, 3);
        W << n * n, n * t, 0, n * t, t * t, 0, 0, 0, 1;
        Eigen::VectorXd u(3);
        u << -n, -t, 0;
        return strike(contact_rows(0, mu), W, u, e);
    };
    const StrikeEnd held = pinned(0.3, 1, 0.5, 0.8);
    CHECK(held.finished);
    CHECK(held.wedged);
    CHECK(held.restored == 0);
    // j·r stops it: 0.3 s + μ s = 1.
    CHECK(near(held.r(0), 1 / 0.8, 1e-13));
    const StrikeEnd thrown = pinned(0.9, 1, 0.5, 0.8);
    CHECK(thrown.finished);
    CHECK_FALSE(thrown.wedged);
    CHECK(thrown.restored > 0);
}
