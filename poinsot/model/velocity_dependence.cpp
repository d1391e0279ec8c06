// SPDX-License-Identifier: MIT
#include "poinsot/model/velocity_dependence.hpp"

#include <algorithm>

namespace poinsot {

bool depends_on_velocity(const Model& model, bool drives_bind)
{
    const auto damps = [](const Spring& spring) { return spring.damping > 0; };
    const auto yields = [](const Bushing& bushing) { return !bushing.damping.none(); };
    const auto depends = [&](const CoordinateLaw& law) {
        return law.damping > 0 || (law.friction > 0 && !(drives_bind && rubs_as_row(law))) ||
               (law.motor && law.motor->kind != Motor::Kind::force &&
                !(drives_bind && drives_as_row(law)));
    };
    return model.any_held() || !model.drags().empty() || !model.aerodynamics().empty() ||
           !model.rotors().empty() || !model.flows().empty() ||
           std::any_of(model.springs().begin(), model.springs().end(), damps) ||
           std::any_of(model.bushings().begin(), model.bushings().end(), yields) ||
           std::any_of(model.joints().begin(), model.joints().end(), [&](const Joint& joint) {
               return std::any_of(joint.laws.begin(), joint.laws.end(), depends);
           });
}

} // namespace poinsot
