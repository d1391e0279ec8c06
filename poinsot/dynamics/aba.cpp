// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/aba.hpp"

#include <algorithm>

namespace poinsot {

POINSOT_ABA_FOR(, double);

void solve_inertia(const Links& linkage, std::span<const LinkPack> x, std::span<LinkPack> out,
                   const LinkageSpace<double>& w, LinkageSides<LinkPack>& sides)
{
    sweep<double, LinkPack>(linkage, x.data(), out.data(), w, sides);
}

POINSOT_FLATTEN void solve_inertia_of(const Links& linkage, int first, int last,
                                      std::span<const double> x, std::span<double> out,
                                      LinkageSpace<double>& w)
{
    for (int i = first; i < last; ++i)
        w[i].f = no_load<double>();
    for (int i = last; i-- > first;) {
        const Link& link = linkage.links[static_cast<std::size_t>(i)];
        give_way<double, double>(link, x.data() + link.v, w[i], w[i], w[link.parent].f, w);
    }
    for (int i = first; i < last; ++i) {
        const Link& link = linkage.links[static_cast<std::size_t>(i)];
        accelerate<double, double>(link, out.data() + link.v, w[i], w[i], w[link.parent].delta, w);
    }
}

void solve_inertia_rows(const Links& linkage, std::span<const double> rows, std::span<double> out,
                        const LinkageSpace<double>& w, LinkageSides<LinkPack>& sides,
                        std::vector<LinkPack>& scratch)
{
    const auto nv = static_cast<std::size_t>(linkage.nv);
    check(nv > 0 && rows.size() % nv == 0 && out.size() == rows.size(), "rows of nv numbers");
    const std::size_t count = rows.size() / nv;
    scratch.resize(nv);
    for (std::size_t first = 0; first < count; first += 4) {
        const std::size_t lanes = std::min<std::size_t>(4, count - first);
        for (std::size_t i = 0; i < nv; ++i) {
            LinkPack x(0.0);
            for (std::size_t lane = 0; lane < lanes; ++lane)
                x.set(static_cast<int>(lane), rows[(first + lane) * nv + i]);
            scratch[i] = x;
        }
        solve_inertia(linkage, scratch, scratch, w, sides);
        for (std::size_t i = 0; i < nv; ++i)
            for (std::size_t lane = 0; lane < lanes; ++lane)
                out[(first + lane) * nv + i] = scratch[i][static_cast<int>(lane)];
    }
}

} // namespace poinsot
