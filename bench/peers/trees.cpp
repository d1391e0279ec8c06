// SPDX-License-Identifier: MIT
#include "trees.hpp"

#include "../measure.hpp"

namespace poinsot {

double seconds_per_call(const std::function<void()>& call)
{
    call();
    int calls = 1;
    const auto some = [&] {
        for (int i = 0; i < calls; ++i)
            call();
    };
    while (time_of(some) < 1e-3)
        calls *= 2;
    double best = time_of(some);
    for (int i = 0; i < 15; ++i)
        best = std::min(best, time_of(some));
    return best / calls;
}
double only_once(const std::function<void()>& call)
{
    call();
    return 0;
}

std::vector<TreePeer> tree_peers()
{
    return {
#ifdef WITH_MUJOCO
        {"MuJoCo", mujoco_on_tree},
#else
        {"MuJoCo", nullptr},
#endif
#ifdef WITH_DART
        {"DART", dart_on_tree},
#else
        {"DART", nullptr},
#endif
#ifdef WITH_SIMBODY
        {"Simbody", simbody_on_tree},
#else
        {"Simbody", nullptr},
#endif
#ifdef WITH_BULLET
        {"Bullet f64", bullet_on_tree},
#else
        {"Bullet f64", nullptr},
#endif
    };
}

} // namespace poinsot
