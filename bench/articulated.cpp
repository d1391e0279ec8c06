// SPDX-License-Identifier: MIT
// What do the kernels of an arm, a quadruped and a humanoid cost, one world and many?
//
// Three tables: microseconds per call of one world beside other engines; evaluations per second of
// many worlds, transposition counted and shown; the error against the reference robots. An engine
// is timed where its answer is ours. Our own answers are compared with a second road to them.
//
// Built by g++, whose one-world and packed kernels take a tenth less time here than those of clang.

#include "measure.hpp"
#include "peers/trees.hpp"
#include "poinsot/dynamics/derivatives.hpp"
#include "poinsot/dynamics/momentum.hpp"
#include "poinsot/io/urdf.hpp"
#include "poinsot/math/dual.hpp"
#include "poinsot/math/pack.hpp"
#include "poinsot/step/ensemble.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <thread>

using namespace poinsot;

namespace {

using Numbers = std::vector<double>;
namespace fs = std::filesystem;

struct Case {
    const char *name, *file;
    UrdfBase base;
    std::vector<UrdfLock> locks;
};
const std::vector<Case>& cases()
{
    static const std::vector<Case> all{
        {"arm", "panda", UrdfBase::fixed, {{"panda_finger_joint1", 0}, {"panda_finger_joint2", 0}}},
        {"quadruped", "anymal_b", UrdfBase::floating, {}},
        {"humanoid", "simple_humanoid", UrdfBase::floating, {}}};
    return all;
}

/// What others have reached: microseconds per call of one world, one thread, double, clang 14 for
/// the processor it ran on, recorded on an Intel machine with AVX-512. Debian's engines ran
/// there too, and say how that machine compares with this one.
struct Mark {
    const char *engine, *quantity;
    double us[3];
};
constexpr Mark marks[] = {
    {"Pinocchio 3.7", quantity::kinematics, {0.20, 0.37, 0.97}},
    {"Pinocchio 3.7", quantity::inverse, {0.49, 0.97, 2.49}},
    {"RBDL", quantity::inverse, {0.46, 0.89, 2.29}},
    {"Pinocchio 3.7", quantity::inertia, {0.33, 0.64, 2.00}},
    {"Pinocchio 3.7", quantity::forward, {1.09, 2.52, 5.92}},
    {"RBDL", quantity::forward, {1.03, 2.16, 5.42}},
    {"MuJoCo 3.12 by hand", quantity::forward, {0.94, 2.19, 5.96}},
    {"Pinocchio 3.7", quantity::momentum, {0.43, 0.81, 2.07}},
    {"Pinocchio 3.7", quantity::derivatives, {2.96, 7.41, 24.9}},
};
constexpr Mark yardsticks[] = {
    {"MuJoCo", quantity::forward, {1.93, 4.22, 11.06}},
    {"Bullet f64", quantity::forward, {2.44, 4.31, 11.4}},
    {"DART", quantity::forward, {6.83, 15.2, 37.8}},
    {"Simbody", quantity::forward, {11.9, 19.9, 39.3}},
};
constexpr double pinocchio_per_second[3] = {9.0e5, 3.8e5, 1.6e5}; // forward dynamics, one core
constexpr double freedoms_recorded[3] = {7, 18, 38};              // another humanoid: per freedom

fs::path reference(const char* file)
{
    const char* named = std::getenv("POINSOT_REFERENCE");
    return (named ? fs::path(named)
                  : fs::path(POINSOT_BENCH_FOLDER) / "../../shared/reference/outside") /
           file;
}

std::optional<UrdfRobot> described(const Case& which, bool with_locks)
{
    const fs::path path = reference("urdf") / (std::string(which.file) + ".urdf");
    if (!fs::exists(path)) {
        std::printf("# %s: %s is not here\n", which.name, path.filename().c_str());
        return std::nullopt;
    }
    UrdfOptions options(which.base);
    options.ignore_mimic = true;
    if (with_locks)
        options.locks = which.locks;
    auto robot = read_urdf(path, options);
    if (!robot) {
        std::printf("# %s: %s", which.name, robot.problems().text().c_str());
        return std::nullopt;
    }
    for (Joint& joint : robot->description.joints)
        joint.laws.clear(); // peers are asked for rigid bodies alone
    robot->description.gravity.uniform = {0, 0, -9.81};
    return *robot;
}

struct Robot {
    Model model;
    Linkage linkage;
    std::vector<LinkInertia<double>> inertias;
    LinkageSpace<double> w;
    Coordinates at;
    Numbers tau, v_dot;
    Vec3<double> gravity;

    explicit Robot(const Builder& b)
        : model(*b.build()), linkage(linkage_of(model)), inertias(link_inertias(linkage, model)),
          w(linkage), at(start_coordinates(linkage, model)), tau(nv(), 0.0), v_dot(nv(), 0.0),
          gravity(model.gravity().uniform)
    {
    }
    std::size_t nv() const { return static_cast<std::size_t>(linkage.nv); }
    void forward()
    {
        forward_dynamics<double>(linkage, inertias, at.q, at.v, tau, {}, gravity, v_dot, w);
    }
};

/// Hinges here and there, some of them fast; a base that floats moves at the origin.
TreeProblem problem_of(Robot& robot)
{
    TreeProblem p;
    const Vec3<double> g = robot.gravity;
    p.gravity[0] = g.x, p.gravity[1] = g.y, p.gravity[2] = g.z;
    const double base[6] = {0.3, -0.2, 0.1, 0.4, 0.7, -0.5};
    for (std::size_t i = 0; i < robot.linkage.size(); ++i) {
        const Link& link = robot.linkage.links[i];
        check(link.op == LinkOp::revolute || (i == 0 && link.op == LinkOp::free),
              "these robots have hinges only");
        TreeLink out{};
        out.parent = link.parent;
        out.floats = link.op == LinkOp::free;
        const Vec3<double> rows[3] = {link.R.r0, link.R.r1, link.R.r2};
        for (int k = 0; k < 3; ++k) {
            out.R[3 * k] = rows[k].x;
            out.R[3 * k + 1] = rows[k].y;
            out.R[3 * k + 2] = rows[k].z;
        }
        out.r[0] = link.r.x, out.r[1] = link.r.y, out.r[2] = link.r.z;
        const LinkInertia<double>& I = robot.inertias[i];
        const Vec3<double> c = (1 / I.m) * vec_of(I.mc);
        const Sym3<double> O = sym3_of(I.I), S = square(c);
        // I_C = I_O − m (c² 1 − c cᵀ)
        const double c2 = norm2(c);
        out.m = I.m;
        out.c[0] = c.x, out.c[1] = c.y, out.c[2] = c.z;
        out.I[0] = O.xx - I.m * (c2 - S.xx);
        out.I[1] = O.yy - I.m * (c2 - S.yy);
        out.I[2] = O.zz - I.m * (c2 - S.zz);
        out.I[3] = O.xy + I.m * S.xy;
        out.I[4] = O.xz + I.m * S.xz;
        out.I[5] = O.yz + I.m * S.yz;
        const auto q = static_cast<std::size_t>(link.q), v = static_cast<std::size_t>(link.v);
        const double phase = static_cast<double>(i);
        if (out.floats) {
            const double place[7] = {0, 0, 0, 1, 0, 0, 0};
            std::copy_n(place, 7, robot.at.q.begin() + link.q);
            std::copy_n(base, 6, robot.at.v.begin() + link.v);
            std::copy_n(base, 3, p.base_v);
            std::copy_n(base + 3, 3, p.base_omega);
        } else {
            robot.at.q[q] = std::sin(1.7 * phase);
            robot.at.v[v] = 2 * std::cos(2.3 * phase);
            robot.tau[v] = 3 * std::sin(0.9 * phase + 1);
            p.q.push_back(robot.at.q[q]);
            p.v.push_back(robot.at.v[v]);
            p.tau.push_back(robot.tau[v]);
        }
        p.links.push_back(out);
    }
    return p;
}

Numbers hinges_of(const Linkage& linkage, std::span<const double> a)
{
    Numbers out;
    for (const Link& link : linkage.links)
        if (freedoms_of(link.op) == 1)
            out.push_back(a[static_cast<std::size_t>(link.v)]);
    return out;
}

/// The largest difference, against the largest number.
double apart(const Numbers& a, const Numbers& b)
{
    double most = 0, size = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        size = std::max(size, std::abs(b[i]));
        most = std::max(most, i < a.size() ? std::abs(a[i] - b[i]) : INFINITY);
    }
    return most / size;
}

/// Where links stand, by quaternions.
double kinematics_error(const Robot& r)
{
    std::vector<Pose<double>> at;
    Numbers made, truth;
    for (const Link& link : r.linkage.links) {
        const double* const q = r.at.q.data() + link.q;
        const double half = 0.5 * q[0];
        const Pose<double> joint =
            link.op == LinkOp::free
                ? Pose<double>{{q[0], q[1], q[2]}, Quat<double>{q[3], q[4], q[5], q[6]}}
                : Pose<double>{zero3<double>(), {std::cos(half), 0, 0, std::sin(half)}};
        const Pose<double> parent = link.parent == world
                                        ? identity_pose<double>()
                                        : at[static_cast<std::size_t>(link.parent)];
        const Vec3<double> want = r.w.world_place[at.size()].x;
        at.push_back(parent * Pose<double>{link.r, quat_of(link.R)} * joint);
        const Vec3<double> x = at.back().x;
        made.insert(made.end(), {x.x, x.y, x.z});
        truth.insert(truth.end(), {want.x, want.y, want.z});
    }
    return apart(made, truth);
}

/// Derivatives, by dual numbers through the forward dynamics.
double derivatives_error(const Robot& r, const ForwardDerivatives& made)
{
    using D = Dual<double>;
    const std::size_t nv = r.nv();
    LinkageSpace<D> w(r.linkage);
    const auto inertias = link_inertias<D>(r.linkage, r.model);
    const Vec3<D> g{D(r.gravity.x), D(r.gravity.y), D(r.gravity.z)};
    const std::vector<D> q(r.at.q.begin(), r.at.q.end()), v(r.at.v.begin(), r.at.v.end()),
        tau(r.tau.begin(), r.tau.end());
    std::vector<D> v_dot(nv), there(q.size()), faster;
    Numbers by_q(nv * nv), by_v(nv * nv);
    for (std::size_t k = 0; k < nv; ++k) {
        std::vector<D> by(nv, D(0.0));
        by[k] = D(0.0, 1.0);
        displace<D>(r.linkage, q, std::span<const D>(by), there);
        forward_dynamics<D>(r.linkage, inertias, there, v, tau, {}, g, v_dot, w);
        for (std::size_t i = 0; i < nv; ++i)
            by_q[i * nv + k] = v_dot[i].d;
        faster = v;
        faster[k] = faster[k] + by[k];
        forward_dynamics<D>(r.linkage, inertias, q, faster, tau, {}, g, v_dot, w);
        for (std::size_t i = 0; i < nv; ++i)
            by_v[i * nv + k] = v_dot[i].d;
    }
    return std::max(apart(made.by_q, by_q), apart(made.by_v, by_v));
}

/// Our own answers, each with its error against a second road.
struct OwnAnswer : TreeAnswer {
    double error;
};
std::vector<OwnAnswer> own_answers(Robot& r, Stopwatch seconds)
{
    const std::size_t nv = r.nv();
    Numbers M(nv * nv), A(6 * nv), back(nv);
    std::vector<OwnAnswer> out;
    const auto tell = [&](const char* quantity, double time, Numbers numbers, double error) {
        out.push_back({{"poinsot", quantity, time, std::move(numbers)}, error});
    };
    const auto place = [&] { place_links<double>(r.linkage, r.at.q, r.w); };
    double time = seconds([&] {
        place();
        place_links_in_world<double>(r.linkage, r.w);
    });
    const LinkPlace<double>& last = r.w.world_place[r.linkage.size() - 1];
    const LinkInertia<double>& mass = r.inertias.back();
    const Vec3<double> tip = last.x + last.R * ((1 / mass.m) * vec_of(mass.mc));
    tell(quantity::kinematics, time, {tip.x, tip.y, tip.z}, kinematics_error(r));

    const double forward_time = seconds([&] { r.forward(); });
    const double inverse_time = seconds([&] {
        inverse_dynamics<double>(r.linkage, r.inertias, r.at.q, r.at.v, r.v_dot, {}, r.gravity,
                                 back, r.w);
    });
    const double there_and_back = apart(back, r.tau); // the forces come back
    tell(quantity::forward, forward_time, hinges_of(r.linkage, r.v_dot), there_and_back);
    tell(quantity::inverse, inverse_time, hinges_of(r.linkage, back), there_and_back);

    const double inertia_time = seconds([&] {
        place();
        joint_inertia<double>(r.linkage, r.inertias, M, r.w);
    });
    const double momentum_time = seconds([&] {
        place();
        place_links_in_world<double>(r.linkage, r.w);
        compose<double>(r.linkage, r.inertias, r.w);
        centroidal_matrix<double>(r.linkage, moving_mass<double>(r.linkage, r.inertias, r.w).center,
                                  A, r.w);
    });
    const Vec3<double> center = moving_mass<double>(r.linkage, r.inertias, r.w).center;
    Numbers P(6);
    for (std::size_t k = 0; k < 6; ++k)
        for (std::size_t i = 0; i < nv; ++i)
            P[k] += A[k * nv + i] * r.at.v[i];
    Placed placed;
    place_bodies(r.linkage, r.model, r.at.q, r.at.v, placed, r.w);
    const Momentum<double> of_bodies = momentum_about(placed.bodies, center);
    tell(quantity::momentum, momentum_time, {P[0], P[1], P[2]},
         apart(P, {of_bodies.p.x, of_bodies.p.y, of_bodies.p.z, of_bodies.L.x, of_bodies.L.y,
                   of_bodies.L.z}));

    ForwardDifferentiator slope(r.linkage);
    const ForwardDerivatives* made = nullptr;
    const double slope_time = seconds(
        [&] { made = &slope.at(r.linkage, r.inertias, r.at.q, r.at.v, r.tau, {}, r.gravity); });
    double off = 0; // M⁻¹ M = 1
    for (std::size_t i = 0; i < nv; ++i)
        for (std::size_t k = 0; k < nv; ++k) {
            double sum = i == k ? -1 : 0;
            for (std::size_t j = 0; j < nv; ++j)
                sum += made->by_tau[i * nv + j] * M[j * nv + k];
            off = std::max(off, std::abs(sum));
        }
    const auto block = [&](const Numbers& all) {
        Numbers numbers;
        for (const Link& row : r.linkage.links)
            for (const Link& column : r.linkage.links)
                if (freedoms_of(row.op) == 1 && freedoms_of(column.op) == 1)
                    numbers.push_back(all[static_cast<std::size_t>(row.v) * nv +
                                          static_cast<std::size_t>(column.v)]);
        return numbers;
    };
    tell(quantity::inertia, inertia_time, block(M), off);
    tell(quantity::derivatives, slope_time, block(made->by_v), derivatives_error(r, *made));
    return out;
}

/// The table of one robot.
class Costs {
  public:
    void add(const TreeAnswer& answer, double error)
    {
        for (Row& row : rows_)
            if (row.engine == answer.engine && row.quantity == answer.quantity) {
                row.us = std::min(row.us, 1e6 * answer.seconds);
                return;
            }
        rows_.push_back({answer.engine, answer.quantity, 1e6 * answer.seconds, error});
    }
    double us(const std::string& engine, const std::string& quantity) const
    {
        for (const Row& row : rows_)
            if (row.engine == engine && row.quantity == quantity)
                return row.us;
        return NAN;
    }
    void print(const char* robot, std::size_t which, double slower, double share) const
    {
        for (const char* quantity :
             {quantity::kinematics, quantity::inverse, quantity::inertia, quantity::forward,
              quantity::momentum, quantity::derivatives}) {
            const double own = us("poinsot", quantity);
            double best_here = INFINITY, best_mark = INFINITY;
            for (const Row& row : rows_)
                if (row.quantity == quantity) {
                    std::printf("%s,%s,%s,%.3f,%.2f,%.1e\n", robot, quantity, row.engine.c_str(),
                                row.us, row.us / own, row.error);
                    if (row.engine != "poinsot")
                        best_here = std::min(best_here, row.us);
                }
            for (const Mark& mark : marks)
                if (std::string(mark.quantity) == quantity) {
                    const double us = slower * share * mark.us[which];
                    std::printf("%s,%s,recorded: %s,%.3f,%.2f,\n", robot, quantity, mark.engine, us,
                                us / own);
                    best_mark = std::min(best_mark, us);
                }
            std::printf("# %s, %s:", robot, quantity);
            if (std::isfinite(best_here))
                std::printf(" the best engine here takes %.2f times as long,", best_here / own);
            std::printf(" the best record %.2f times\n", best_mark / own);
        }
    }

  private:
    struct Row {
        std::string engine, quantity;
        double us, error;
    };
    std::vector<Row> rows_;
};

/// Other engines keep principal axes and quaternions, MuJoCo to 1e-8; its differences are of 1e-6.
constexpr double agreement = 1e-7, agreement_of_differences = 1e-5;

/// One world: all engines in turns. How much slower this machine is comes back; false: an engine
/// has another answer.
bool one_world(std::size_t which, Robot& r, const TreeProblem& problem, double& slower)
{
    const char* const name = cases()[which].name;
    const auto own = own_answers(r, only_once);
    const auto error_of = [&](const TreeAnswer& answer) {
        for (const TreeAnswer& o : own)
            if (std::string(o.quantity) == answer.quantity)
                return apart(answer.numbers, o.numbers);
        return double(INFINITY);
    };
    const auto agrees = [&](const TreeAnswer& answer) {
        return error_of(answer) < (std::string(answer.quantity) == quantity::derivatives
                                       ? agreement_of_differences
                                       : agreement);
    };
    bool all_agree = true;
    std::vector<TreePeer> peers;
    for (const TreePeer& peer : tree_peers()) {
        if (!peer.run) {
            std::printf("# %s is not installed\n", peer.name);
            continue;
        }
        bool same = true;
        for (const TreeAnswer& answer : peer.run(problem, only_once))
            if (!agrees(answer)) {
                std::printf("# %s: %s answers %s otherwise, by %.1e: it is not timed\n", name,
                            answer.engine.c_str(), answer.quantity, error_of(answer));
                same = false;
            }
        all_agree = all_agree && same;
        if (same)
            peers.push_back(peer);
    }
    Costs costs;
    for (int turn = 0; turn < 5; ++turn) {
        for (const OwnAnswer& answer : own_answers(r, seconds_per_call))
            costs.add(answer, answer.error);
        for (const TreePeer& peer : peers)
            for (const TreeAnswer& answer : peer.run(problem, seconds_per_call))
                costs.add(answer, error_of(answer));
    }
    const double share = static_cast<double>(r.linkage.nv) / freedoms_recorded[which];
    double log_sum = 0;
    int found = 0;
    for (const Mark& stick : yardsticks) {
        const double here = costs.us(stick.engine, stick.quantity);
        if (std::isfinite(here)) {
            const double times = here / (share * stick.us[which]);
            std::printf("# %s: %s takes %.2f times as long as where records were made\n", name,
                        stick.engine, times);
            log_sum += std::log(times);
            ++found;
        }
    }
    slower = found > 0 ? std::exp(log_sum / found) : 1;
    std::printf("# %s: records are multiplied by %.2f%s\n", name, slower * share,
                share == 1 ? "" : ", freedoms counted");
    costs.print(name, which, slower, share);
    r.forward();
    return all_agree;
}

double wall_seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}
/// How much sooner `two` ends than `one`, by the clock on the wall, in turns.
template <class One, class Two>
double times_sooner(const One& one, const Two& two)
{
    double first = INFINITY, second = INFINITY;
    for (int i = 0; i < 100; ++i) {
        double start = wall_seconds();
        one();
        first = std::min(first, wall_seconds() - start);
        start = wall_seconds();
        two();
        second = std::min(second, wall_seconds() - start);
    }
    return first / second;
}

/// What two threads can give on this machine at all: arithmetic in registers, as many independent
/// sums as hide the time of one.
double two_threads_at_best()
{
    const auto sums = [](long turns) {
        std::array<Pack<double, 4>, 12> sum{};
        for (auto& s : sum)
            s = Pack<double, 4>(1.0);
        for (long i = 0; i < turns; ++i)
            for (auto& s : sum)
                s = mul_add(s, Pack<double, 4>(0.999), Pack<double, 4>(1e-3));
        volatile double seen = 0;
        for (auto& s : sum)
            seen = seen + s[0];
    };
    constexpr long turns = 2'000'000; // some milliseconds: a thread starts in a hundredth of that
    return times_sooner([&] { sums(turns); },
                        [&] {
                            std::jthread other([&] { sums(turns / 2); });
                            sums(turns / 2);
                        });
}

/// Many worlds. False: a world has other bits than alone.
bool many_worlds(const char* name, Robot& r, double record, double slower)
{
    const std::size_t worlds = 1024, nq = r.at.q.size(), nv = r.nv();
    Numbers q, v, tau, alone, out(worlds * nv), back(worlds * nv);
    Numbers by(nv), there(nq), one_world(nv);
    for (std::size_t i = 0; i < worlds; ++i) {
        for (std::size_t j = 0; j < nv; ++j) {
            by[j] = 0.3 * std::sin(static_cast<double>(i) + 1.1 * static_cast<double>(j));
            v.push_back(r.at.v[j] + by[j]);
            tau.push_back(r.tau[j] - by[j]);
        }
        displace<double>(r.linkage, r.at.q, std::span<const double>(by), there);
        q.insert(q.end(), there.begin(), there.end());
        forward_dynamics<double>(r.linkage, r.inertias, there, std::span(v).subspan(i * nv, nv),
                                 std::span(tau).subspan(i * nv, nv), {}, r.gravity, one_world, r.w);
        alone.insert(alone.end(), one_world.begin(), one_world.end());
    }
    bool same = true;
    for (const EnsembleKernels* kernels : Ensemble::kernels()) {
        Ensemble one(r.linkage, r.inertias, r.gravity, 1, *kernels);
        Ensemble two(r.linkage, r.inertias, r.gravity, 2, *kernels);
        const auto forward = [&](Ensemble& e) { e.forward_dynamics(q, v, tau, out); };
        const auto steps_of = [&](double h, std::size_t steps) {
            Numbers q_now = q, v_now = v;
            one.advance({h}, steps, q_now, v_now, tau);
            return v_now;
        };
        struct {
            double transpose = INFINITY, forward = INFINITY, inverse = INFINITY, step = INFINITY;
        } each;
        const auto least = [&](double& best, double calls, const std::function<void()>& work) {
            best = std::min(best, seconds_per_call(work) / (calls * static_cast<double>(worlds)));
        };
        Numbers q_now(q), v_now(v);
        for (int turn = 0; turn < 4; ++turn) {
            least(each.transpose, 1, [&] { one.only_transpose(q, v, tau, back); });
            least(each.forward, 1, [&] { forward(one); });
            least(each.inverse, 1, [&] { one.inverse_dynamics(q, v, out, back); });
            least(each.step, 10, [&] {
                q_now = q;
                v_now = v;
                one.advance({1e-3}, 10, q_now, v_now, tau);
            });
        }
        const bool bits = out == alone;
        same = same && bits;
        const auto tell = [&](const char* quantity, double seconds, double transposing, bool ratio,
                              double error) {
            std::printf("%s,%s,%s,%.2e,%.3f,%.1f,", name, quantity, one.kernel(), 1 / seconds,
                        1e6 * seconds, 100 * transposing);
            if (ratio)
                std::printf("%.1f,%.1f", 1 / (seconds * record), slower / (seconds * record));
            else
                std::printf(",");
            std::printf(",%.1e\n", error);
        };
        const double error = apart(back, tau); // the forces come back
        tell("forward", each.forward, each.transpose / each.forward, true, error);
        tell("inverse", each.inverse, each.transpose / each.inverse, false, error);
        // ten steps transpose once; their error is against steps of half the length
        tell("step of Runge-Kutta", each.step, each.transpose / (10 * each.step), false,
             apart(steps_of(1e-3, 10), steps_of(0.5e-3, 20)));
        std::printf("# %s, %s: every world has the bits it has alone: %s\n", name, one.kernel(),
                    bits ? "yes" : "NO");
        // Threads are for many worlds: here sixteen times as many, some milliseconds a call.
        Numbers many_q, many_v, many_tau, many_out(16 * out.size());
        for (int i = 0; i < 16; ++i) {
            many_q.insert(many_q.end(), q.begin(), q.end());
            many_v.insert(many_v.end(), v.begin(), v.end());
            many_tau.insert(many_tau.end(), tau.begin(), tau.end());
        }
        const auto forward_many = [&](Ensemble& e) {
            e.forward_dynamics(many_q, many_v, many_tau, many_out);
        };
        const auto steps_many = [&](Ensemble& e) {
            e.advance({1e-6}, 10, many_q, many_v, many_tau);
        };
        std::printf("# %s, %s: two threads are %.2f times as fast as one, in steps %.2f times; "
                    "arithmetic without memory %.2f times\n",
                    name, one.kernel(),
                    times_sooner([&] { forward_many(one); }, [&] { forward_many(two); }),
                    times_sooner([&] { steps_many(one); }, [&] { steps_many(two); }),
                    two_threads_at_best());
    }
    return same;
}

Vec3<double> vec(const nlohmann::json& a)
{
    return {a[0].get<double>(), a[1].get<double>(), a[2].get<double>()};
}

/// The numbers of the reference that do not depend on what a base's velocities are called.
void reference_errors(const Case& which)
{
    std::ifstream in(fs::path(POINSOT_BENCH_FOLDER) / "../tests/reference/robots.json");
    const auto items = nlohmann::json::parse(in).at("items");
    if (!items.contains(which.file)) {
        std::printf("# %s: no reference\n", which.name);
        return;
    }
    const auto& item = items.at(which.file);
    auto robot = described(which, false);
    if (!robot)
        return;
    const std::size_t base = item.at("floating") ? 6 : 0;
    std::vector<std::string> order = item.at("joint_order");
    for (Joint& joint : robot->description.joints)
        for (std::size_t k = 0; k < order.size(); ++k)
            if (joint.name == order[k]) {
                joint.start = {item.at("q")[k].get<double>()};
                joint.start_speed = {item.at("v")[base + k].get<double>()};
            }
    if (base > 0) {
        const auto& quat = item.at("base_quat_wxyz");
        const auto& v = item.at("v");
        robot->put_base({vec(item.at("base_pos")),
                         normalised(Quat<double>{quat[0], quat[1], quat[2], quat[3]})},
                        {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}});
    }
    Robot r(robot->description);
    const std::size_t nv = r.nv();
    std::vector<std::size_t> at(nv, 0); // where the reference has a hinge of ours
    std::vector<std::size_t> hinges;
    for (const Link& link : r.linkage.links)
        if (freedoms_of(link.op) == 1) {
            const auto v = static_cast<std::size_t>(link.v);
            const std::string& joint = r.model.joints()[static_cast<std::size_t>(link.joint)].name;
            at[v] = base + static_cast<std::size_t>(std::find(order.begin(), order.end(), joint) -
                                                    order.begin());
            r.tau[v] = item.at("tau_applied")[at[v]];
            hinges.push_back(v);
        }
    Numbers M(nv * nv), A(6 * nv), made, truth;
    const auto tell = [&](const char* quantity) {
        std::printf("%s,%s,%.1e\n", which.name, quantity, apart(made, truth));
        made.clear();
        truth.clear();
    };
    r.forward();
    for (const std::size_t i : hinges) {
        made.push_back(r.v_dot[i]);
        truth.push_back(item.at("qdd_forward_dynamics")[at[i]]);
    }
    tell("forward");
    place_links<double>(r.linkage, r.at.q, r.w);
    joint_inertia<double>(r.linkage, r.inertias, M, r.w);
    for (const std::size_t i : hinges)
        for (const std::size_t k : hinges) {
            made.push_back(M[i * nv + k]);
            truth.push_back(item.at("M")[at[i]][at[k]]);
        }
    tell("inertia");
    if (base == 0) {
        Numbers a(nv), tau(nv);
        for (const std::size_t i : hinges)
            a[i] = item.at("a")[at[i]];
        inverse_dynamics<double>(r.linkage, r.inertias, r.at.q, r.at.v, a, {}, r.gravity, tau, r.w);
        for (const std::size_t i : hinges) {
            made.push_back(tau[i]);
            truth.push_back(item.at("tau_inverse_dynamics")[at[i]]);
        }
        tell("inverse");
    }
    Placed placed;
    place_bodies(r.linkage, r.model, r.at.q, r.at.v, placed, r.w);
    const UrdfFrame tip = *robot->link(item.at("tip_link").get<std::string>())->frame;
    const PlacedBody& body = placed.bodies[static_cast<std::size_t>(tip.body)];
    const Vec3<double> x = body.x + body.lever(tip.pose.x), want = vec(item.at("tip_pos"));
    made = {x.x, x.y, x.z};
    truth = {want.x, want.y, want.z};
    tell("kinematics");
    compose<double>(r.linkage, r.inertias, r.w);
    // about the centre of mass of all bodies, those that stand still too
    centroidal_matrix<double>(r.linkage, system_center_of(placed.bodies).x, A, r.w);
    for (std::size_t k = 0; k < 6; ++k) {
        double sum = 0;
        for (std::size_t i = 0; i < nv; ++i)
            sum += A[k * nv + i] * r.at.v[i];
        made.push_back(sum);
        truth.push_back(k < 3 ? item.at("linear_momentum")[k] : item.at("ang_momentum_com")[k - 3]);
    }
    tell(quantity::momentum);
}

} // namespace

int main()
{
    bool well = true;
    std::printf("# poinsot is built by " POINSOT_COMPILER "\n");
    std::printf("robot,quantity,engine,us_per_call,times_poinsot,error\n");
    std::vector<std::optional<Robot>> robots;
    double slower[3] = {1, 1, 1};
    for (std::size_t i = 0; i < cases().size(); ++i) {
        const Case& which = cases()[i];
        const auto robot = described(which, true);
        if (!robot) {
            robots.emplace_back();
            continue;
        }
        Robot& r = robots.emplace_back(robot->description).value();
        const TreeProblem problem = problem_of(r);
        well = one_world(i, r, problem, slower[i]) && well;
    }
    if (!Ensemble::widest().needs_avx512)
        std::printf("# this machine has no AVX-512: packs of eight are not timed\n");
    std::printf("robot,quantity,kernel,per_second_and_core,us,transposing_percent,"
                "times_pinocchio_record,times_record_at_this_speed,error\n");
    for (std::size_t i = 0; i < robots.size(); ++i)
        if (robots[i]) {
            Robot& r = *robots[i];
            const double share = freedoms_recorded[i] / static_cast<double>(r.linkage.nv);
            well =
                many_worlds(cases()[i].name, r, share * pinocchio_per_second[i], slower[i]) && well;
        }
    std::printf("robot,quantity,error_against_reference\n");
    for (const Case& which : cases())
        reference_errors(which);
    return well ? 0 : 1;
}
