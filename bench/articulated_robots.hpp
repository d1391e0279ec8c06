// SPDX-License-Identifier: MIT
#pragma once

// The robots that bench/articulated.cpp measures, what they are compared with, and our answers,
// each with a second road to it.

#include "measure.hpp"
#include "peers/trees.hpp"
#include "poinsot/dynamics/derivatives.hpp"
#include "poinsot/dynamics/momentum.hpp"
#include "poinsot/io/urdf.hpp"
#include "poinsot/math/dual.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace poinsot::measured_robots {

using Numbers = std::vector<double>;
namespace fs = std::filesystem;

struct Case {
    const char *name, *file;
    UrdfBase base;
    std::vector<UrdfLock> locks;
};
inline const std::vector<Case>& cases()
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
inline constexpr Mark marks[] = {
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
inline constexpr Mark yardsticks[] = {
    {"MuJoCo", quantity::forward, {1.93, 4.22, 11.06}},
    {"Bullet f64", quantity::forward, {2.44, 4.31, 11.4}},
    {"DART", quantity::forward, {6.83, 15.2, 37.8}},
    {"Simbody", quantity::forward, {11.9, 19.9, 39.3}},
};
// forward dynamics, one core
inline constexpr double pinocchio_per_second[3] = {9.0e5, 3.8e5, 1.6e5};
inline constexpr double freedoms_recorded[3] = {7, 18, 38}; // another humanoid: per freedom

inline fs::path reference(const char* file)
{
    const char* named = std::getenv("POINSOT_REFERENCE");
    return (named ? fs::path(named)
                  : fs::path(POINSOT_BENCH_FOLDER) / "../../shared/reference/outside") /
           file;
}

inline std::optional<UrdfRobot> described(const Case& which, bool with_locks)
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
inline TreeProblem problem_of(Robot& robot)
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

inline Numbers hinges_of(const Linkage& linkage, std::span<const double> a)
{
    Numbers out;
    for (const Link& link : linkage.links)
        if (freedoms_of(link.op) == 1)
            out.push_back(a[static_cast<std::size_t>(link.v)]);
    return out;
}

/// The largest difference, against the largest number.
inline double apart(const Numbers& a, const Numbers& b)
{
    double most = 0, size = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        size = std::max(size, std::abs(b[i]));
        most = std::max(most, i < a.size() ? std::abs(a[i] - b[i]) : INFINITY);
    }
    return most / size;
}

/// Where links stand, by quaternions.
inline double kinematics_error(const Robot& r)
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
inline double derivatives_error(const Robot& r, const ForwardDerivatives<double>& made)
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
inline std::vector<OwnAnswer> own_answers(Robot& r, Stopwatch seconds)
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
    const ForwardDerivatives<double>* made = nullptr;
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

} // namespace poinsot::measured_robots
