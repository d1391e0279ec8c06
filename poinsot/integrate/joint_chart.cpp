// SPDX-License-Identifier: MIT
#include "poinsot/integrate/joint_chart.hpp"

namespace poinsot {

void at_chart(const Links& linkage, std::span<const double> q0, std::span<const double> u,
              std::span<double> q)
{
    at_chart<double>(linkage, q0, u, q);
}
void chart_rates(const Links& linkage, std::span<const double> q, std::span<const double> u,
                 std::span<const double> v, std::span<double> u_dot)
{
    chart_rates<double>(linkage, q, u, v, u_dot);
}
void renormalise(const Links& linkage, std::span<double> q)
{
    renormalise<double>(linkage, q);
}

} // namespace poinsot
