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

InertiaInverse::InertiaInverse(const Links& linkage)
    : sides_(linkage), x_(static_cast<std::size_t>(linkage.nv)), parts_(linkage.size())
{
}

POINSOT_FLATTEN void InertiaInverse::at(const Links& linkage, const LinkageSpace<double>& w,
                                        std::span<double> out)
{
    const auto nv = static_cast<std::size_t>(linkage.nv);
    const int n = static_cast<int>(linkage.size());
    check(out.size() == nv * nv, "M⁻¹ has nv rows and columns");
    const auto link_at = [&](int i) -> const Link& {
        return linkage.links[static_cast<std::size_t>(i)];
    };
    const auto part = [&](int i) -> Part& { return parts_[static_cast<std::size_t>(i)]; };
    int first = 0; // the link whose velocity is the first of the four columns
    for (std::size_t column = 0; column < nv; column += 4) {
        const std::size_t lanes = std::min<std::size_t>(4, nv - column);
        const auto end = static_cast<int>(column + lanes);
        while (link_at(first).v + freedoms_of(link_at(first).op) <= static_cast<int>(column))
            ++first;
        for (int i = 0; i < n; ++i)
            part(i) = i < first ? Part::none : link_at(i).v < end ? Part::pushed : Part::moves;
        for (int i = n; i-- > 0;)
            if (const int parent = link_at(i).parent; parent != world)
                part(parent) = std::max(part(parent), part(i));

        std::fill(x_.begin(), x_.end(), LinkPack(0.0));
        for (std::size_t lane = 0; lane < lanes; ++lane)
            x_[column + lane].set(static_cast<int>(lane), 1.0);
        for (int i = 0; i < n; ++i)
            if (part(i) == Part::pushed)
                sides_[i].f = no_load<LinkPack>();
            else
                sides_[i].u.fill(LinkPack(0.0));
        for (int i = n; i-- > 0;)
            if (part(i) == Part::pushed)
                give_way<double, LinkPack>(link_at(i), x_.data() + link_at(i).v, w[i], sides_[i],
                                           sides_[link_at(i).parent].f, w);
        for (int i = 0; i < n; ++i)
            if (part(i) != Part::none)
                accelerate<double, LinkPack>(link_at(i), x_.data() + link_at(i).v, w[i], sides_[i],
                                             sides_[link_at(i).parent].delta, w);
        for (std::size_t row = column; row < nv; ++row)
            for (std::size_t lane = 0; lane < lanes && column + lane <= row; ++lane)
                out[row * nv + column + lane] = out[(column + lane) * nv + row] =
                    x_[row][static_cast<int>(lane)];
    }
}

} // namespace poinsot
