// SPDX-License-Identifier: MIT
// What does a digit of attitude cost? A free body of moments (1, 2, 3) tumbles for 100 s; every
// method here and every peer that is installed runs it with several steps. Printed is the error of
// the attitude at the end against CPU time.
//
// The truth is a Taylor series in quadruple precision, which shares no code with any method.

#include "poinsot/integrate/free_rotation.hpp"
#include "measure.hpp"
#include "peers/peers.hpp"
#include "poinsot/model/builder.hpp"
#include "poinsot/step/simulate.hpp"

#include <cmath>
#include <cstdio>
#include <functional>
#include <string>

using namespace poinsot;

namespace {

const Vec3<double> moments{1, 2, 3}, omega0{0.5, 2, 0.7};
constexpr double duration = 100;

using Quad = __float128;

/// Attitude at the end by Taylor series of order 24 in steps of 1/16 s: the term left out is below
/// 1e-28.
Quat<double> truth()
{
    constexpr int order = 24;
    const Quad I[3] = {1, 2, 3};
    Quad w[3] = {Quad(omega0.x), Quad(omega0.y), Quad(omega0.z)}, q[4] = {1, 0, 0, 0};
    const Quad h = Quad(1) / 16;
    for (int step = 0; step < static_cast<int>(duration * 16); ++step) {
        Quad W[3][order + 1], Q[4][order + 1];
        for (int i = 0; i < 3; ++i)
            W[i][0] = w[i];
        for (int i = 0; i < 4; ++i)
            Q[i][0] = q[i];
        for (int n = 0; n < order; ++n) {
            // I₁ ω̇₁ = (I₂ − I₃) ω₂ ω₃ and cyclic;  q̇ = ½ q (0; ω)
            Quad s[3] = {0, 0, 0}, r[4] = {0, 0, 0, 0};
            for (int k = 0; k <= n; ++k) {
                const int m = n - k;
                for (int i = 0; i < 3; ++i)
                    s[i] += W[(i + 1) % 3][k] * W[(i + 2) % 3][m];
                r[0] -= Q[1][k] * W[0][m] + Q[2][k] * W[1][m] + Q[3][k] * W[2][m];
                r[1] += Q[0][k] * W[0][m] + Q[2][k] * W[2][m] - Q[3][k] * W[1][m];
                r[2] += Q[0][k] * W[1][m] + Q[3][k] * W[0][m] - Q[1][k] * W[2][m];
                r[3] += Q[0][k] * W[2][m] + Q[1][k] * W[1][m] - Q[2][k] * W[0][m];
            }
            for (int i = 0; i < 3; ++i)
                W[i][n + 1] = (I[(i + 1) % 3] - I[(i + 2) % 3]) / I[i] * s[i] / (n + 1);
            for (int i = 0; i < 4; ++i)
                Q[i][n + 1] = r[i] / (2 * (n + 1));
        }
        const auto sum = [&](const Quad* c) {
            Quad total = 0;
            for (int n = order; n >= 0; --n)
                total = total * h + c[n];
            return total;
        };
        for (int i = 0; i < 3; ++i)
            w[i] = sum(W[i]);
        for (int i = 0; i < 4; ++i)
            q[i] = sum(Q[i]);
    }
    return normalised(Quat<double>{static_cast<double>(q[0]), static_cast<double>(q[1]),
                                   static_cast<double>(q[2]), static_cast<double>(q[3])});
}

struct Point {
    std::string engine, method;
    double step, cpu, error;
    bool ours;
};
std::vector<Point> points;
Quat<double> exact;

void report(const char* engine, const std::string& method, double step, double cpu,
            const Quat<double>& q, bool ours)
{
    const double error = norm(log_quat(normalised(q * conjugate(exact))));
    points.push_back({engine, method, step, cpu, error, ours});
    std::printf("%s,%s,%g,%.3e,%.3e\n", engine, method.c_str(), step, cpu, error);
}

void run_ours()
{
    Builder b;
    Body body;
    body.name = "body";
    body.mass_properties = {1, zero3<double>(), diagonal(moments.x, moments.y, moments.z)};
    body.angular_velocity = omega0;
    b.add(body);
    const auto model = std::make_shared<const Model>(*b.build());
    for (const MethodFacts& facts : methods)
        for (const double h : {10.0, 1.0, 0.1, 0.01, 0.001}) {
            if (h > 0.5 && facts.method != Method::splitting && facts.method != Method::adaptive &&
                facts.method != Method::adams)
                continue; // a quarter turn per step is no step for the others
            if (h < 0.005 && facts.method != Method::gauss && (facts.order > 4 || facts.order == 0))
                continue; // these choose their own steps; h is only how often they are asked
            RunSettings run;
            run.step.h = h;
            run.step.method = facts.method;
            run.step.formulation = facts.in_maximal ? Formulation::maximal : Formulation::reduced;
            run.step.form =
                facts.method == Method::body_frame ? FormKind::velocity : FormKind::momentum;
            run.step.tolerance = {1e-12, 1e-14, 10000000};
            run.until = duration;
            run.ledger.detail = Postings::Detail::off;
            Quat<double> q = identity_quat<double>();
            const double cpu = least_of_runs([&] {
                auto sim = Simulation::start(model, run);
                bool good = true; // explicit methods may blow up at long steps
                while (good && !sim->done())
                    good = !sim->step();
                q = std::visit(
                    [](const auto& bodies) { return quat_of(matrix_of(bodies[0].attitude)); },
                    sim->state().bodies);
            });
            report("poinsot", std::string(facts.name), h, cpu, q, true);
        }
    // the exact motion in one step, without a simulation around it
    const Vec3<double> L{moments.x * omega0.x, moments.y * omega0.y, moments.z * omega0.z};
    Quat<double> q = identity_quat<double>();
    const double cpu =
        least_of_runs([&] { q = turned_freely(moments, identity_quat<double>(), L, duration); });
    report("poinsot", "exact", duration, cpu, q, true);
}

/// Every peer that was built in, with its own choice of methods and steps.
void run_peers()
{
    const FreeBodyProblem problem{
        {moments.x, moments.y, moments.z}, {omega0.x, omega0.y, omega0.z}, duration};
    for (const Peer& peer : peers()) {
        if (!peer.run)
            std::printf("# %s is not installed: left out\n", peer.name);
        else
            peer.run(problem, [&](const PeerRun& r) {
                report(peer.name, r.method, r.step, r.cpu, {r.q[0], r.q[1], r.q[2], r.q[3]}, false);
            });
    }
}

} // namespace

int main()
{
    exact = truth();
    std::printf("engine,method,step_s,cpu_s,attitude_error_rad\n");
    run_ours();
    run_peers();

    // Is there, for every point of a peer, one of ours that is at least as cheap and as accurate?
    bool ahead = true;
    double longest = 0; // the longest step of a peer that reaches 1e-6
    for (const Point& peer : points)
        if (!peer.ours) {
            bool beaten = false;
            for (const Point& mine : points)
                beaten = beaten || (mine.ours && mine.cpu <= peer.cpu && mine.error <= peer.error);
            ahead = ahead && beaten;
            if (peer.error <= 1e-6)
                longest = std::max(longest, peer.step);
        }
    const Point& one = *std::find_if(points.begin(), points.end(),
                                     [](const Point& p) { return p.method == "exact"; });
    std::printf("# at every CPU time no peer is more accurate: %s\n", ahead ? "yes" : "NO");
    std::printf("# exact: one step of %g s, error %.1e; the longest step with which a peer reaches "
                "1e-6: %g s\n",
                one.step, one.error, longest);
    return ahead ? 0 : 2;
}
