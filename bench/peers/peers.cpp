// SPDX-License-Identifier: MIT
#include "peers.hpp"

namespace poinsot {

std::vector<Peer> peers()
{
    return {
#ifdef WITH_MUJOCO
        {"MuJoCo", run_mujoco},
#else
        {"MuJoCo", nullptr},
#endif
#ifdef WITH_BULLET
        {"Bullet f64", run_bullet},
#else
        {"Bullet f64", nullptr},
#endif
#ifdef WITH_SIMBODY
        {"Simbody", run_simbody},
#else
        {"Simbody", nullptr},
#endif
    };
}

} // namespace poinsot
