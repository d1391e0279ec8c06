// SPDX-License-Identifier: MIT
#ifdef WITH_MUJOCO
#include "../measure.hpp"
#include "peers.hpp"

#include <mujoco/mujoco.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace poinsot {

void run_mujoco(const FreeBodyProblem& problem, const Report& report)
{
    mju_user_warning = [](const char*) {};        // that it diverges is in the table
    const char* file = "bench_free_rotation.xml"; // its own library reads it
    for (const char* method : {"Euler", "implicit", "RK4"})
        for (const double h : peer_steps) {
            std::FILE* out = std::fopen(file, "w");
            if (!out)
                return;
            std::fprintf(out,
                         "<mujoco><option gravity='0 0 0' timestep='%.17g' integrator='%s'/>"
                         "<worldbody><body><freejoint/><inertial pos='0 0 0' mass='1' "
                         "diaginertia='%.17g %.17g %.17g'/></body></worldbody></mujoco>",
                         h, method, problem.moments[0], problem.moments[1], problem.moments[2]);
            std::fclose(out);
            char error[300] = "";
            mjModel* model = mj_loadXML(file, nullptr, error, sizeof error);
            if (!model) {
                std::fprintf(stderr, "MuJoCo: %s\n", error);
                return;
            }
            mjData* data = mj_makeData(model);
            const double cpu = least_of_runs([&] {
                mj_resetData(model, data);
                for (int i = 0; i < 3; ++i)
                    data->qvel[3 + i] = problem.omega[static_cast<std::size_t>(i)];
                const long steps = std::lround(problem.duration / h);
                for (long i = 0; i < steps; ++i)
                    mj_step(model, data);
            });
            report({method, h, cpu, {data->qpos[3], data->qpos[4], data->qpos[5], data->qpos[6]}});
            mj_deleteData(data);
            mj_deleteModel(model);
        }
    std::remove(file);
}

namespace {

mjModel* load(const std::string& text)
{
    const char* file = "bench_drift.xml"; // its own library reads it
    std::FILE* out = std::fopen(file, "w");
    if (!out)
        return nullptr;
    std::fputs(text.c_str(), out);
    std::fclose(out);
    char error[300] = "";
    mjModel* model = mj_loadXML(file, nullptr, error, sizeof error);
    if (!model)
        std::fprintf(stderr, "MuJoCo: %s\n", error);
    std::remove(file);
    return model;
}
std::string described(const DriftProblem& problem, double h, bool measure)
{
    char part[400];
    std::snprintf(part, sizeof part,
                  "<mujoco><option gravity='0 0 %s' timestep='%.17g' integrator='RK4'>"
                  "<flag energy='%s'/></option><worldbody>",
                  problem.links > 0 ? "-9.81" : "0", h, measure ? "enable" : "disable");
    std::string text = part;
    if (problem.links == 0) {
        std::snprintf(part, sizeof part,
                      "<body><freejoint/><inertial pos='0 0 0' mass='1' "
                      "diaginertia='%.17g %.17g %.17g'/></body>",
                      problem.moments[0], problem.moments[1], problem.moments[2]);
        text += part;
    }
    for (int i = 0; i < problem.links; ++i) {
        const double across = problem.mass * problem.length * problem.length / 12;
        std::snprintf(part, sizeof part,
                      "<body pos='0 0 %.17g'><joint type='%s' axis='0 1 0'/>"
                      "<inertial pos='0 0 %.17g' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>",
                      i == 0 ? 0 : -problem.length, problem.balls ? "ball" : "hinge",
                      -0.5 * problem.length, problem.mass, across, across, problem.axial);
        text += part;
    }
    for (int i = 0; i < problem.links; ++i)
        text += "</body>";
    return text + "</worldbody></mujoco>";
}
void start(const DriftProblem& problem, const mjModel* model, mjData* data)
{
    mj_resetData(model, data);
    if (problem.links == 0)
        for (int i = 0; i < 3; ++i)
            data->qvel[3 + i] = problem.omega[static_cast<std::size_t>(i)];
    else
        for (int i = 0; i < 2; ++i) {
            const double angle = problem.angles[static_cast<std::size_t>(i)];
            if (problem.balls) {
                data->qpos[4 * i] = std::cos(angle / 2);
                data->qpos[4 * i + 2] = std::sin(angle / 2);
            } else
                data->qpos[i] = angle;
        }
    if (problem.balls) { // the vertical, seen in the axes of the first link
        data->qvel[0] = -problem.spin * std::sin(problem.angles[0]);
        data->qvel[2] = problem.spin * std::cos(problem.angles[0]);
    }
}

} // namespace

DriftRun drift_of_mujoco(const DriftProblem& problem, double h, double duration)
{
    mju_user_warning = [](const char*) {}; // that it diverges is in the table
    const long steps = std::lround(duration / h);
    DriftRun run{NAN, NAN, NAN};
    for (const bool measure : {true, false}) {
        mjModel* model = load(described(problem, h, measure));
        if (!model)
            return run;
        mjData* data = mj_makeData(model);
        start(problem, model, data);
        if (measure) {
            double E0 = 0, L0[3] = {}, most_T = 0, off_E = 0, off_L = 0;
            for (long i = 0; i <= steps; ++i) {
                mj_forward(model, data); // a step leaves marks of its last stage
                mj_subtreeVel(model, data);
                const double E = data->energy[0] + data->energy[1];
                const mjtNum *x = data->subtree_com + 3, *v = data->subtree_linvel + 3;
                double off2 = 0;
                for (int k = problem.links > 0 ? 2 : 0; k < 3; ++k) {
                    const int a = (k + 1) % 3, b = (k + 2) % 3;
                    const double L = data->subtree_angmom[3 + k] +
                                     model->body_subtreemass[1] * (x[a] * v[b] - x[b] * v[a]);
                    if (i == 0)
                        L0[k] = L;
                    off2 += (L - L0[k]) * (L - L0[k]);
                }
                if (i == 0)
                    E0 = E;
                most_T = std::fmax(most_T, data->energy[1]);
                off_E = std::fmax(off_E, std::fabs(E - E0));
                off_L = std::fmax(off_L, std::sqrt(off2));
                mj_step(model, data);
            }
            bool diverged = false; // it then begins again from rest, and says so here
            for (const int bad : {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC})
                diverged = diverged || data->warning[bad].number > 0;
            if (!diverged)
                run.energy = off_E / most_T;
            if (!diverged && keeps_L(problem))
                run.L = off_L / std::sqrt(L0[0] * L0[0] + L0[1] * L0[1] + L0[2] * L0[2]);
        } else
            for (int turn = 0; turn < 3; ++turn) {
                start(problem, model, data);
                run.cpu = std::fmin(run.cpu, time_of([&] { // fmin leaves out what is no number
                                        for (long i = 0; i < steps; ++i)
                                            mj_step(model, data);
                                    }));
            }
        mj_deleteData(data);
        mj_deleteModel(model);
    }
    return run;
}

} // namespace poinsot
#else
#include "peers.hpp"

#include <cmath>

namespace poinsot {

DriftRun drift_of_mujoco(const DriftProblem&, double, double)
{
    return {NAN, NAN, NAN};
}

} // namespace poinsot
#endif
