// SPDX-License-Identifier: MIT
#include "poinsot/mass/inertia.hpp"

#include "poinsot/mass/principal.hpp"

namespace poinsot {

// The joining formulas solved for b, with e = c_part − c_whole and m = m_whole − m_part:
//
//     c = c_whole − (m_part/m) e
//     I = I_whole − I_part − (m_whole m_part/m) (e·e 1 − e eᵀ)
Result<MassProperties> without(const MassProperties& whole, const MassProperties& part,
                               const std::string& place)
{
    Problems found;
    const double m = whole.mass - part.mass;
    if (!(m > 0)) { // catches NaN as well
        found.add(place, "nothing is left: the part has mass ", part.mass, ", the whole ",
                  whole.mass);
        return found;
    }
    const Vec3<double> e = part.center - whole.center;
    const Sym3<double> I =
        about_displaced(whole.inertia - part.inertia, -whole.mass * (part.mass / m), e);

    // I is a difference, so what rounding may do to it is measured by what it was made from.
    const double terms =
        trace(whole.inertia) + trace(part.inertia) + whole.mass * (part.mass / m) * norm2(e);
    const std::string why = why_cannot_exist(I, 1e-12 * terms);
    if (!why.empty()) {
        found.add(place, "the part does not fit into the whole: ", why);
        return found;
    }
    return MassProperties{m, mul_add(-part.mass / m, e, whole.center), I};
}

} // namespace poinsot
