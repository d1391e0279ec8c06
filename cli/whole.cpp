// SPDX-License-Identifier: MIT
#include "cli/whole.hpp"

#include "poinsot/mass/principal.hpp"

#include <cmath>

namespace poinsot {

Whole whole_of(const Model& model)
{
    std::vector<MassProperties> placed;
    for (const Body& body : model.bodies())
        placed.push_back(moved(body.mass_properties, body.pose));
    for (std::size_t i = 0; i < model.tanks().size(); ++i) { // and what is in them
        const Tank& tank = model.tanks()[i];
        const TankShape& shape = model.tank_shapes()[i];
        if (tank.content > 0)
            placed.push_back(
                moved({tank.content, shape.center(tank.content), shape.inertia(tank.content)},
                      model.bodies()[static_cast<std::size_t>(tank.body)].pose));
    }
    Whole all{joined(placed), {}};
    const Sym3<double>& I = all.mass.inertia;
    // a sum with an infinity or a NaN in it is none
    if (std::isfinite(norm(all.mass.center)) &&
        std::isfinite(I.xx + I.yy + I.zz + I.xy + I.xz + I.yz))
        all.moments = principal_axes(I).moments;
    return all;
}

} // namespace poinsot
