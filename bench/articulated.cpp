// SPDX-License-Identifier: MIT
// What do the kernels of an arm, a quadruped and a humanoid cost, one world and many?
//
// Three tables: microseconds per call of one world beside other engines; evaluations per second of
// many worlds, transposition counted and shown; the error against the reference robots. An engine
// is timed where its answer is ours. Our own answers are compared with a second road to them.
//
// Built by g++, whose one-world and packed kernels take a tenth less time here than those of clang.

#include "articulated_robots.hpp"
#include "pinned.hpp"
#include "poinsot/base/parallel.hpp"
#include "poinsot/math/pack.hpp"
#include "poinsot/step/ensemble.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>

using namespace poinsot;
using namespace poinsot::measured_robots;

namespace {

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
    constexpr std::size_t pieces = 64;
    const auto all = [&](Threads& threads) {
        threads.run(pieces, 1, [&](std::size_t, std::size_t, std::size_t) { sums(50'000); });
    };
    const Pinned pinned;
    Threads one(1), two(2);
    return times_sooner([&] { all(one); }, [&] { all(two); });
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
        // Threads are for many worlds: here sixteen times as many, some milliseconds a call. Each
        // has arrays of its own, as who calls it again and again: from the cache of the other core,
        // where the call before has left them, numbers come slower than from memory.
        struct Many {
            Numbers q, v, tau, out;
        };
        Many of_one, of_two;
        for (Many* many : {&of_one, &of_two}) {
            for (int i = 0; i < 16; ++i) {
                many->q.insert(many->q.end(), q.begin(), q.end());
                many->v.insert(many->v.end(), v.begin(), v.end());
                many->tau.insert(many->tau.end(), tau.begin(), tau.end());
            }
            many->out.resize(16 * out.size());
        }
        const auto forward_many = [](Ensemble& e, Many& many) {
            e.forward_dynamics(many.q, many.v, many.tau, many.out);
        };
        const auto steps_many = [](Ensemble& e, Many& many) {
            e.advance({1e-6}, 10, many.q, many.v, many.tau);
        };
        double sooner[2];
        {
            const Pinned pinned;
            sooner[0] = times_sooner([&] { forward_many(one, of_one); },
                                     [&] { forward_many(two, of_two); });
            sooner[1] =
                times_sooner([&] { steps_many(one, of_one); }, [&] { steps_many(two, of_two); });
        }
        std::printf("# %s, %s: two threads, each on its core, are %.2f times as fast as one, in "
                    "steps %.2f times; arithmetic without memory %.2f times\n",
                    name, one.kernel(), sooner[0], sooner[1], two_threads_at_best());
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
