// SPDX-License-Identifier: MIT
#ifdef WITH_MUJOCO
#include "trees.hpp"

#include <mujoco/mujoco.h>

#include <cstdio>
#include <sstream>

namespace poinsot {

namespace {

void write_body(const TreeProblem& problem, std::size_t i, std::ostream& out)
{
    const TreeLink& link = problem.links[i];
    out << "<body pos='" << link.r[0] << ' ' << link.r[1] << ' ' << link.r[2] << "' xyaxes='"
        << link.R[0] << ' ' << link.R[3] << ' ' << link.R[6] << ' ' << link.R[1] << ' ' << link.R[4]
        << ' ' << link.R[7] << "'>"
        << (link.floats ? "<freejoint/>" : "<joint type='hinge' axis='0 0 1'/>")
        << "<inertial mass='" << link.m << "' pos='" << link.c[0] << ' ' << link.c[1] << ' '
        << link.c[2] << "' fullinertia='";
    for (const double x : link.I)
        out << x << ' ';
    out << "'/>";
    for (std::size_t k = i + 1; k < problem.links.size(); ++k)
        if (problem.links[k].parent == static_cast<int>(i))
            write_body(problem, k, out);
    out << "</body>\n";
}

} // namespace

std::vector<TreeAnswer> mujoco_on_tree(const TreeProblem& problem, Stopwatch seconds)
{
    const char* file = "bench_articulated.xml"; // its own library reads it
    std::ostringstream text;
    text.precision(17);
    text << "<mujoco><compiler angle='radian' balanceinertia='false' boundmass='0' "
            "boundinertia='0'/><option gravity='"
         << problem.gravity[0] << ' ' << problem.gravity[1] << ' ' << problem.gravity[2]
         << "'/><worldbody>";
    for (std::size_t i = 0; i < problem.links.size(); ++i)
        if (problem.links[i].parent < 0)
            write_body(problem, i, text);
    text << "</worldbody></mujoco>";
    if (std::FILE* out = std::fopen(file, "w")) {
        std::fputs(text.str().c_str(), out);
        std::fclose(out);
    }
    char error[300] = "";
    mjModel* m = mj_loadXML(file, nullptr, error, sizeof error);
    std::remove(file);
    if (!m) {
        std::fprintf(stderr, "MuJoCo: %s\n", error);
        return {};
    }
    mjData* d = mj_makeData(m);
    // Bodies come depth first; so do the links of the problem, branch after branch.
    const bool floats = problem.links[0].floats;
    const int nq = floats ? 7 : 0, nv = floats ? 6 : 0;
    if (floats)
        for (int k = 0; k < 3; ++k) {
            d->qvel[k] = problem.base_v[k];
            d->qvel[3 + k] = problem.base_omega[k];
        }
    std::vector<mjtNum> tau(static_cast<std::size_t>(m->nv), 0.0), made(tau);
    for (std::size_t i = 0; i < problem.q.size(); ++i) {
        d->qpos[nq + static_cast<int>(i)] = problem.q[i];
        d->qvel[nv + static_cast<int>(i)] = problem.v[i];
        tau[static_cast<std::size_t>(nv) + i] = problem.tau[i];
    }
    mju_copy(d->qfrc_applied, tau.data(), m->nv);

    std::vector<TreeAnswer> out;
    const auto tell = [&](const char* engine, const char* quantity, double time,
                          std::vector<double> numbers) {
        out.push_back({engine, quantity, time, std::move(numbers)});
    };
    const auto of_hinges = [&](const mjtNum* all) {
        return std::vector<double>(all + nv, all + m->nv);
    };
    const auto block_of_hinges = [&](const std::vector<mjtNum>& all, int stride, int row,
                                     int column) {
        std::vector<double> numbers;
        for (int i = nv; i < m->nv; ++i)
            for (int k = nv; k < m->nv; ++k)
                numbers.push_back(all[static_cast<std::size_t>((row + i) * stride + column + k)]);
        return numbers;
    };
    const auto place = [&] {
        mj_kinematics(m, d);
        mj_comPos(m, d);
    };
    double time = seconds([&] { mj_kinematics(m, d); });
    const mjtNum* const tip = d->xipos + 3 * (m->nbody - 1);
    tell("MuJoCo", quantity::kinematics, time, {tip[0], tip[1], tip[2]});
    time = seconds([&] {
        place();
        mj_crb(m, d);
    });
    std::vector<mjtNum> M(static_cast<std::size_t>(m->nv * m->nv));
    mj_fullM(m, M.data(), d->qM);
    tell("MuJoCo", quantity::inertia, time, block_of_hinges(M, m->nv, 0, 0));
    time = seconds([&] {
        place();
        mj_crb(m, d);
        mj_factorM(m, d);
        mj_comVel(m, d);
        mj_rne(m, d, 0, d->qfrc_bias);
        mju_sub(made.data(), tau.data(), d->qfrc_bias, m->nv);
        mj_solveM(m, d, d->qacc, made.data(), 1);
    });
    tell("MuJoCo by hand", quantity::forward, time, of_hinges(d->qacc));
    time = seconds([&] { mj_forward(m, d); });
    tell("MuJoCo", quantity::forward, time, of_hinges(d->qacc));
    time = seconds([&] {
        place();
        mj_comVel(m, d);
        mj_rne(m, d, 1, made.data());
    });
    tell("MuJoCo by hand", quantity::inverse, time, of_hinges(made.data()));

    const auto columns = static_cast<std::size_t>(m->nv);
    std::vector<mjtNum> J(3 * columns);
    time = seconds([&] {
        place();
        mj_jacSubtreeCom(m, d, J.data(), 1);
    });
    std::vector<double> p(3);
    for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t i = 0; i < columns; ++i)
            p[k] += J[k * columns + i] * d->qvel[i];
        p[k] *= m->body_subtreemass[1];
    }
    tell("MuJoCo Jacobian of the centre", quantity::momentum, time, p);

    // Differences of whole steps: v' = v + h v̇.
    std::vector<mjtNum> A(4 * columns * columns);
    time = seconds([&] { mjd_transitionFD(m, d, 1e-6, 0, A.data(), nullptr, nullptr, nullptr); });
    std::vector<double> by_v = block_of_hinges(A, 2 * m->nv, m->nv, m->nv);
    for (std::size_t i = 0, n = problem.q.size(); i < n; ++i)
        for (std::size_t k = 0; k < n; ++k)
            by_v[i * n + k] = (by_v[i * n + k] - (i == k ? 1 : 0)) / m->opt.timestep;
    tell("MuJoCo differences", quantity::derivatives, time, by_v);
    mj_deleteData(d);
    mj_deleteModel(m);
    return out;
}

} // namespace poinsot
#endif
