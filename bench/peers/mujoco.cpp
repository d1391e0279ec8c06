// SPDX-License-Identifier: MIT
#ifdef WITH_MUJOCO
#include "../measure.hpp"
#include "peers.hpp"

#include <mujoco/mujoco.h>

#include <cmath>
#include <cstdio>

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

} // namespace poinsot
#endif
