// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/linkage_sums.hpp"

namespace poinsot {

namespace {

/// The part of a joint's own motion that slides the origin of its link, in link axes.
Vec3<double> slide_of(const Link& link, const double* v)
{
    return with_own(link, v, no_motion<double>()).v;
}
bool slides(LinkOp op)
{
    return op != LinkOp::revolute && op != LinkOp::ball;
}

} // namespace

LinkageSums::LinkageSums(const Linkage& linkage, std::span<const BodyMass> masses)
    : spin_inertia_(linkage.size(), {zero_triple<double>(), zero_triple<double>()}),
      mass_(linkage.size(), 0.0), sums_(linkage.size())
{
    for (std::size_t i = 0; i < linkage.bodies.size(); ++i) {
        const LinkedBody& at = linkage.bodies[i];
        if (at.link == world)
            continue;
        const auto link = static_cast<std::size_t>(at.link);
        spin_inertia_[link] = spin_inertia_[link] + sym_triple_of(congruent(at.R, masses[i].I_b));
        mass_[link] += masses[i].m;
    }
    for (std::size_t i = linkage.size(); i-- > 0;)
        if (const int parent = linkage.links[i].parent; parent != world)
            mass_[static_cast<std::size_t>(parent)] += mass_[i];
}

POINSOT_FLATTEN LinkageSum LinkageSums::of(const Links& linkage,
                                           std::span<const LinkInertia<double>> inertias,
                                           std::span<const double> v, const LinkageSpace<double>& w)
{
    const Triple<double> none = zero_triple<double>();
    Sum all{none, none, none};
    Wrench<double> from_world = no_load<double>();
    for (int i = static_cast<int>(linkage.size()); i-- > 0;) {
        const auto at = static_cast<std::size_t>(i);
        const Link& link = linkage.links[at];
        const LinkWork<double>& k = w[i];
        const Triple<double> omega = triple_of(k.omega), mc = inertias[at].mc;
        const Triple<double> alpha = triple_of(k.alpha + k.delta.omega);
        const SymTriple<double>& I = spin_inertia_[at];
        Sum sum{mc, cross(omega, mc), cross_add(omega, I * omega, I * alpha)};
        if (!link.leaf) {
            const Sum& on = sums_[at];
            sum = {sum.c + on.c, sum.p + on.p, sum.sigma + on.sigma};
        }
        const Triple<double> m = same_of(mass_[at]);
        if (slides(link.op))
            sum.p = mul_add(m, triple_of(slide_of(link, v.data() + link.v)), sum.p);
        const Triple<double> mr = m * k.r;
        sum = {k.R * sum.c + mr, k.R * sum.p, k.R * sum.sigma};
        if (link.parent == world) {
            all = {all.c + sum.c, all.p + sum.p, all.sigma + sum.sigma};
            if (link.joint == Tree::none) // it floats
                continue;
            const Articulated<double> A =
                link.leaf ? articulated(inertias[at]) : articulated(inertias[at], k.sum);
            from_world = handed_down(k, k.f + A * k.delta, from_world);
            continue;
        }
        sum.p = cross_add(triple_of(w[link.parent].omega), mr, sum.p);
        Sum& parent = sums_[static_cast<std::size_t>(link.parent)];
        if (link.arrives_first)
            parent = sum;
        else
            parent = {parent.c + sum.c, parent.p + sum.p, parent.sigma + sum.sigma};
    }
    return {vec_of(all.c), vec_of(all.p), vec_of(all.sigma), from_world};
}

POINSOT_FLATTEN LinkageSums::Needs LinkageSums::needs(const Links& linkage,
                                                      std::span<const LinkInertia<double>> inertias,
                                                      const LinkageSpace<double>& w) const
{
    Needs sum{no_load<double>(), zero3<double>(), 0};
    for (std::size_t i = 0; i < linkage.size(); ++i) {
        const LinkWork<double>& k = w[static_cast<int>(i)];
        const LinkPlace<double>& at = w.world_place[i];
        const Triple<double> omega = triple_of(k.omega), alpha = triple_of(k.alpha);
        const Triple<double> a = triple_of(k.a), mc = inertias[i].mc;
        const SymTriple<double>&I = inertias[i].I, &I_S = spin_inertia_[i];
        // load_of_motion, and that of turning alone
        const Triple<double> F_link =
            cross_add(omega, cross(omega, mc), cross_add(alpha, mc, same_of(inertias[i].m) * a));
        const Triple<double> tau = cross_add(mc, a, cross_add(omega, I * omega, I * alpha));
        const Triple<double> spin = cross_add(omega, I_S * omega, I_S * alpha);
        const Wrench<double> W{vec_of(F_link), vec_of(tau)};
        const Vec3<double> F = at.R * W.F;
        sum.load.F += F;
        sum.load.tau = cross_add(at.x, F, sum.load.tau + at.R * W.tau);
        sum.power += power(W, w.twist[i]);
        sum.spin_dot += at.R * vec_of(spin);
    }
    return sum;
}

} // namespace poinsot
