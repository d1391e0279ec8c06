// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/linkage_sums.hpp"

#include <algorithm>
#include <utility>

namespace poinsot {

namespace {

bool slides(LinkOp op)
{
    return op != LinkOp::revolute && op != LinkOp::ball;
}

} // namespace

LinkageSums::LinkageSums(const Linkage& linkage, const Model& model)
    : linkage_(linkage), inertias_(link_inertias<Lanes>(linkage, model)),
      mass_(linkage.size(), 0.0), space_(linkage), sums_(linkage.size())
{
    std::vector<SymTriple<double>> inertia(linkage.size(),
                                           {zero_triple<double>(), zero_triple<double>()});
    for (std::size_t i = 0; i < linkage.bodies.size(); ++i) {
        const LinkedBody& at = linkage.bodies[i];
        if (at.link == world)
            continue;
        const auto link = static_cast<std::size_t>(at.link);
        inertia[link] = inertia[link] + sym_triple_of(congruent(at.R, model.masses()[i].I_b));
        mass_[link] += model.masses()[i].m;
    }
    for (const SymTriple<double>& I : inertia)
        spin_inertia_.push_back(
            sym3_of(SymTriple<Lanes>{in_scalar<Lanes>(I.d), in_scalar<Lanes>(I.o)}));
    for (std::size_t i = linkage.size(); i-- > 0;)
        if (const int parent = linkage.links[i].parent; parent != world)
            mass_[static_cast<std::size_t>(parent)] += mass_[i];
    q_.resize(static_cast<std::size_t>(linkage.nq));
    const auto nv = static_cast<std::size_t>(linkage.nv);
    v_.resize(nv);
    v_dot_.resize(nv);
    moving_.resize(nv);
    tau_.assign(nv, Lanes(0.0));
    const std::vector<double> freedoms(nv);
    stages_.fill({std::vector<double>(q_.size()), freedoms, freedoms, freedoms, 0});
}

void LinkageSums::add(std::span<const double> q, std::span<const double> v,
                      std::span<const double> v_dot, std::span<const double> moving, double weight)
{
    falls_ = false;
    gravity_ = zero3<Lanes>();
    put(q, v, v_dot, moving, weight);
}

void LinkageSums::add_falling(std::span<const double> q, std::span<const double> v,
                              std::span<const double> v_dot, double weight,
                              const Vec3<double>& gravity)
{
    falls_ = true;
    gravity_ = in_scalar<Lanes>(gravity);
    put(q, v, v_dot, {}, weight);
}

void LinkageSums::put(std::span<const double> q, std::span<const double> v,
                      std::span<const double> v_dot, std::span<const double> moving, double weight)
{
    Stage& stage = stages_[waiting_++];
    std::copy(q.begin(), q.end(), stage.q.begin());
    std::copy(v.begin(), v.end(), stage.v.begin());
    std::copy(v_dot.begin(), v_dot.end(), stage.v_dot.begin());
    std::copy(moving.begin(), moving.end(), stage.moving.begin());
    stage.weight = weight;
    finds_ = v_dot.empty();
    if (waiting_ == stages_.size())
        settle();
}

LinkageSum LinkageSums::take()
{
    if (waiting_ > 0)
        settle();
    const LinkageSum sum = sum_;
    sum_ = {};
    return sum;
}

/// A lane per stage; where fewer wait the first stands in, with no weight.
void LinkageSums::side_by_side()
{
    const std::size_t count = std::exchange(waiting_, 0);
    const auto stage = [&](std::size_t lane) -> const Stage& {
        return stages_[lane < count ? lane : 0];
    };
    const auto pack = [&](const auto& of, std::vector<Lanes>& to) {
        const double *const a = of(stage(0)), *const b = of(stage(1)), *const c = of(stage(2)),
                            *const d = of(stage(3));
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = Lanes::of(Lanes::Vector{a[i], b[i], c[i], d[i]});
    };
    pack([](const Stage& one) { return one.q.data(); }, q_);
    pack([](const Stage& one) { return one.v.data(); }, v_);
    pack([](const Stage& one) { return one.v_dot.data(); }, v_dot_);
    if (!falls_)
        pack([](const Stage& one) { return one.moving.data(); }, moving_);
    for (std::size_t lane = 0; lane < weight_.size(); ++lane)
        weight_[lane] = lane < count ? stages_[lane].weight : 0;
}

double LinkageSums::weighted(const Lanes& of) const
{
    double sum = weight_[0] * of[0];
    for (std::size_t lane = 1; lane < weight_.size(); ++lane)
        sum = mul_add(weight_[lane], of[static_cast<int>(lane)], sum);
    return sum;
}
Vec3<double> LinkageSums::weighted(const Vec3<Lanes>& of) const
{
    return {weighted(of.x), weighted(of.y), weighted(of.z)};
}

POINSOT_FLATTEN void LinkageSums::fall()
{
    forward_dynamics<Lanes>(linkage_, inertias_, q_, v_, tau_, {}, gravity_, v_dot_, space_);
}

POINSOT_FLATTEN void LinkageSums::settle()
{
    side_by_side();
    if (finds_)
        fall();
    const Links linkage = linkage_;
    place_links<Lanes>(linkage, q_, space_);
    start_from_world(space_, gravity_);
    const int n = static_cast<int>(linkage.size());
    for (int i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Link& link = linkage.links[at];
        LinkWork<Lanes>& k = space_[i];
        move_link(link, space_[link.parent], k, v_.data() + link.v, v_dot_.data() + link.v);
        k.f = load_of_motion(inertias_[at], k);
        const Vec3<Lanes> mc = vec_of(inertias_[at].mc);
        const Sym3<Lanes>& I = spin_inertia_[at];
        sums_[at].sigma = cross_add(k.omega, I * k.omega, I * k.alpha);
        if (falls_) {
            sums_[at].c = mc;
            sums_[at].p = cross(k.omega, mc);
        }
    }
    const Vec3<Lanes> none = zero3<Lanes>();
    Sum all{none, none, none};
    Wrench<Lanes> load = no_load<Lanes>();
    Lanes power(0.0);
    for (int i = n; i-- > 0;) {
        const auto at = static_cast<std::size_t>(i);
        const Link& link = linkage.links[at];
        const LinkWork<Lanes>& k = space_[i];
        const bool rooted = link.parent == world;
        Sum& sum = sums_[at];
        Sum& parent = rooted ? all : sums_[static_cast<std::size_t>(link.parent)];
        parent.sigma += k.R * sum.sigma;
        if (falls_) {
            const Lanes m(mass_[at]);
            const Vec3<Lanes> mr = m * vec_of(k.r);
            if (slides(link.op))
                sum.p += m * with_own(link, v_.data() + link.v, no_motion<Lanes>()).v;
            parent.c += k.R * sum.c + mr;
            parent.p += k.R * sum.p;
            if (!rooted)
                parent.p = cross_add(space_[link.parent].omega, mr, parent.p);
        } else {
            std::array<Lanes, 6> Q;
            along_joint(link, k.f, Q.data());
            for (int freedom = 0; freedom < freedoms_of(link.op); ++freedom)
                power = mul_add(Q[static_cast<std::size_t>(freedom)],
                                moving_[static_cast<std::size_t>(link.v + freedom)], power);
        }
        if (!rooted)
            hand_down(k, k.f, space_[link.parent].f);
        else if (link.joint != Tree::none) // what floats asks nothing of the world
            hand_down(k, k.f, load);
    }
    sum_.spin_dot += weighted(all.sigma);
    sum_.load = sum_.load + Wrench<double>{weighted(load.F), weighted(load.tau)};
    if (falls_) {
        sum_.mx += weighted(all.c);
        sum_.p += weighted(all.p);
    } else
        sum_.power += weighted(power);
}

} // namespace poinsot
