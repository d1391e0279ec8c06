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
    Whole all{joined(placed), {}};
    const Sym3<double>& I = all.mass.inertia;
    // a sum with an infinity or a NaN in it is none
    if (std::isfinite(norm(all.mass.center)) &&
        std::isfinite(I.xx + I.yy + I.zz + I.xy + I.xz + I.yz))
        all.moments = principal_axes(I).moments;
    return all;
}

} // namespace poinsot
