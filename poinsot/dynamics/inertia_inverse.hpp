// SPDX-License-Identifier: MIT
#pragma once

// M⁻¹ itself, from inertias that forward dynamics has factored.
//
// A column is M⁻¹ of a unit force. On the way in it is felt between its joint and the ground alone.
// On the way out only rows from its own on are asked for: the others are those of columns that are
// done. Of one world four columns are made at a time; worlds in a pack have one at a time each.

#include "poinsot/dynamics/aba.hpp"

#include <algorithm>
#include <concepts>

namespace poinsot {

template <Scalar T = double>
class InertiaInverse {
  public:
    explicit InertiaInverse(const Links& linkage)
        : sides_(linkage), x_(static_cast<std::size_t>(linkage.nv)), parts_(linkage.size())
    {
    }
    /// All nv² numbers, for the q of the last `factor_inertia` or `forward_dynamics` in w.
    void at(const Links& linkage, const LinkageSpace<T>& w, Out<T> out);

  private:
    static constexpr bool by_four = std::same_as<T, double>;
    using Side = std::conditional_t<by_four, LinkPack, T>;
    static void put(Side& into, [[maybe_unused]] std::size_t lane, const T& value)
    {
        if constexpr (by_four)
            into.set(static_cast<int>(lane), value);
        else
            into = value;
    }
    static T read(const Side& from, [[maybe_unused]] std::size_t lane)
    {
        if constexpr (by_four)
            return from[static_cast<int>(lane)];
        else
            return from;
    }

    enum class Part : unsigned char { none, moves, pushed }; // pushed: it moves too
    LinkageSides<Side> sides_;
    std::vector<Side> x_;
    std::vector<Part> parts_; // per link
};

template <Scalar T>
POINSOT_FLATTEN void InertiaInverse<T>::at(const Links& linkage, const LinkageSpace<T>& w,
                                           Out<T> out)
{
    const auto nv = static_cast<std::size_t>(linkage.nv);
    const int n = static_cast<int>(linkage.size());
    check(out.size() == nv * nv, "M⁻¹ has nv rows and columns");
    const auto link_at = [&](int i) -> const Link& {
        return linkage.links[static_cast<std::size_t>(i)];
    };
    const auto part = [&](int i) -> Part& { return parts_[static_cast<std::size_t>(i)]; };
    constexpr std::size_t width = by_four ? 4 : 1;
    const Side zero = constant<Side>(0.0);
    int first = 0; // the link whose velocity is the first of these columns
    for (std::size_t column = 0; column < nv; column += width) {
        const std::size_t lanes = std::min(width, nv - column);
        const auto end = static_cast<int>(column + lanes);
        while (link_at(first).v + freedoms_of(link_at(first).op) <= static_cast<int>(column))
            ++first;
        for (int i = 0; i < n; ++i)
            part(i) = i < first ? Part::none : link_at(i).v < end ? Part::pushed : Part::moves;
        for (int i = n; i-- > 0;)
            if (const int parent = link_at(i).parent; parent != world)
                part(parent) = std::max(part(parent), part(i));

        std::fill(x_.begin(), x_.end(), zero);
        for (std::size_t lane = 0; lane < lanes; ++lane)
            put(x_[column + lane], lane, constant<T>(1.0));
        for (int i = 0; i < n; ++i)
            if (part(i) == Part::pushed)
                sides_[i].f = no_load<Side>();
            else
                sides_[i].u.fill(zero);
        for (int i = n; i-- > 0;)
            if (part(i) == Part::pushed)
                give_way<T, Side>(link_at(i), x_.data() + link_at(i).v, w[i], sides_[i],
                                  sides_[link_at(i).parent].f, w);
        for (int i = 0; i < n; ++i)
            if (part(i) != Part::none)
                accelerate<T, Side>(link_at(i), x_.data() + link_at(i).v, w[i], sides_[i],
                                    sides_[link_at(i).parent].delta, w);
        for (std::size_t row = column; row < nv; ++row)
            for (std::size_t lane = 0; lane < lanes && column + lane <= row; ++lane)
                out[row * nv + column + lane] = out[(column + lane) * nv + row] =
                    read(x_[row], lane);
    }
}

extern template class InertiaInverse<double>;

} // namespace poinsot
