// SPDX-License-Identifier: MIT
#include "poinsot/integrate/stage_sweep.hpp"

#include "poinsot/base/flatten.hpp"
#include "poinsot/integrate/joint_chart.hpp"
#include "poinsot/mass/principal.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

using Lanes = StageSweep::Lanes;

Vec3<double> lane_of(const Vec3<Lanes>& a, int lane)
{
    return {a.x[lane], a.y[lane], a.z[lane]};
}
Quat<double> lane_of(const Quat<Lanes>& q, int lane)
{
    return {q.w[lane], q.x[lane], q.y[lane], q.z[lane]};
}
void add_in_lane(Vec3<Lanes>& to, int lane, const Vec3<double>& a)
{
    to.x.set(lane, to.x[lane] + a.x);
    to.y.set(lane, to.y[lane] + a.y);
    to.z.set(lane, to.z[lane] + a.z);
}
Quat<Lanes> in_lanes(const Quat<double>& q)
{
    return {Lanes(q.w), Lanes(q.x), Lanes(q.y), Lanes(q.z)};
}
Lanes largest(const Vec3<Lanes>& a)
{
    return max(abs(a.x), max(abs(a.y), abs(a.z)));
}
double largest(const Lanes& a)
{
    return std::max({a[0], a[1], a[2], a[3]});
}
bool turns_freely(LinkOp op)
{
    return op == LinkOp::ball || op == LinkOp::free;
}
/// Where the velocities of a turn stand among those of the link.
int first_turn(LinkOp op)
{
    return op == LinkOp::free ? 3 : 0;
}

/// What a turn of each link feels, about its joint or, where it floats, its centre: its own inertia
/// and, as points, the branches on it. In whichever direction this is small, the link is thin.
std::vector<Sym3<double>> felt_by_turns(const Linkage& linkage,
                                        std::span<const LinkInertia<double>> inertias)
{
    const std::size_t n = linkage.size();
    const auto point = [](double m, const Vec3<double>& r) {
        return about_displaced(diagonal(0.0, 0.0, 0.0), m, r);
    };
    const auto pivot = [&](std::size_t i) -> Vec3<double> {
        return linkage.links[i].op == LinkOp::free && inertias[i].m > 0
                   ? vec_of(inertias[i].mc) / inertias[i].m
                   : zero3<double>();
    };
    std::vector<double> carried(n);
    std::vector<Sym3<double>> felt(n);
    for (std::size_t i = 0; i < n; ++i) {
        carried[i] = inertias[i].m;
        felt[i] = sym3_of(inertias[i].I) - point(inertias[i].m, pivot(i));
    }
    for (std::size_t i = n; i-- > 0;) {
        const Link& link = linkage.links[i];
        if (link.parent == world)
            continue;
        const auto parent = static_cast<std::size_t>(link.parent);
        carried[parent] += carried[i];
        felt[parent] = felt[parent] + point(carried[i], link.r - pivot(parent));
    }
    return felt;
}

/// Principal axes as columns, z where the tensor is smallest.
Mat3<double> thin_along_z(const Sym3<double>& I)
{
    const Mat3<double> rows = transpose(principal_axes(I).axes); // ascending
    return transpose(Mat3<double>{rows.r1, rows.r2, rows.r0});
}

} // namespace

StageSweep::StageSweep(const Linkage& linkage, std::span<const LinkInertia<double>> inertias)
    : u(static_cast<std::size_t>(linkage.nv), Lanes(0.0)), v(u), linkage_(linkage),
      inertias_(linkage.size()), turning_of_(linkage.size(), none), asked_(linkage.size(), false),
      fixed_(linkage.size()), q0_(static_cast<std::size_t>(linkage.nq)), P0_(u), P_dot_(u),
      u_dot_(u), own_(u), space_(linkage), moving_(linkage.size() + 1), attitude_(linkage.size()),
      attitude_now_(linkage.size())
{
    const std::size_t n = linkage.size();
    for (std::size_t i = n; i-- > 0;) {
        const Link& link = linkage.links[i];
        if (link.parent != world && (link.op == LinkOp::ball || asked_[i]))
            asked_[at(link.parent)] = true;
        length_ = std::max(length_, norm(link.r));
        if (inertias[i].m > 0)
            length_ = std::max(length_, norm(vec_of(inertias[i].mc)) / inertias[i].m);
    }
    if (length_ == 0)
        length_ = 1;

    const std::vector<Sym3<double>> felt = felt_by_turns(linkage, inertias);
    std::vector<Mat3<double>> axes(n, identity3<double>());
    for (std::size_t i = 0; i < n; ++i) {
        Link& link = linkage_.links[i];
        if (link.parent != world) {
            const Mat3<double>& C = axes[at(link.parent)];
            link.R = transpose(C) * link.R;
            link.r = transpose_times(C, link.r);
            link.turn = turn_of(link.R);
            link.shift = triple_of(link.r);
        }
        fixed_[i] = quat_of(link.R);
        LinkInertia<double> I = inertias[i];
        if (turns_freely(link.op)) {
            axes[i] = thin_along_z(felt[i]);
            turning_of_[i] = static_cast<int>(turning_.size());
            turning_.push_back({SwingTwist<Lanes>(zero3<Lanes>()), identity_quat<double>(),
                                quat_of(axes[i]), axes[i]});
            I = {I.m, triple_of(transpose_times(axes[i], vec_of(I.mc))),
                 sym_triple_of(congruent(transpose(axes[i]), sym3_of(I.I)))};
        }
        inertias_[i] = {
            Lanes(I.m), in_scalar<Lanes>(I.mc), {in_scalar<Lanes>(I.I.d), in_scalar<Lanes>(I.I.o)}};
    }
    moving_[0] = {no_motion<Lanes>(), no_load<Lanes>(), no_load<Lanes>()};
}

void StageSweep::set_inertias(int lane, std::span<const LinkInertia<double>> inertias)
{
    for (std::size_t i = 0; i < inertias.size(); ++i) {
        LinkInertia<double> I = inertias[i];
        if (turning_of_[i] != none) {
            const Mat3<double>& C = turning_[at(turning_of_[i])].C;
            I = {I.m, triple_of(transpose_times(C, vec_of(I.mc))),
                 sym_triple_of(congruent(transpose(C), sym3_of(I.I)))};
        }
        const Vec3<double> mc = vec_of(I.mc);
        const Sym3<double> J = sym3_of(I.I);
        LinkInertia<Lanes>& to = inertias_[i];
        Vec3<Lanes> mc_to = vec_of(to.mc);
        Sym3<Lanes> J_to = sym3_of(to.I);
        to.m.set(lane, I.m);
        mc_to.x.set(lane, mc.x);
        mc_to.y.set(lane, mc.y);
        mc_to.z.set(lane, mc.z);
        J_to.xx.set(lane, J.xx);
        J_to.yy.set(lane, J.yy);
        J_to.zz.set(lane, J.zz);
        J_to.xy.set(lane, J.xy);
        J_to.xz.set(lane, J.xz);
        J_to.yz.set(lane, J.yz);
        to.mc = triple_of(mc_to);
        to.I = sym_triple_of(J_to);
    }
}

template <std::size_t S>
void StageSweep::set_method(const Tableau<S>& method, double h)
{
    static_assert(S <= 4, "one lane, one stage");
    for (std::size_t j = 0; j < 4; ++j) {
        weight_[j] = Lanes(0.0);
        end_weight_[j] = j < S ? h * method.b[j] : 0;
        if (j < S)
            for (std::size_t i = 0; i < 4; ++i) // lanes to spare repeat the last stage
                weight_[j].set(static_cast<int>(i), h * method.a[std::min(i, S - 1)][j]);
    }
}
template void StageSweep::set_method(const Tableau<1>&, double);
template void StageSweep::set_method(const Tableau<4>&, double);

// ---- the start of a step ------------------------------------------------------------------------

Quat<double> StageSweep::attitude_below(int i) const
{
    const int parent = linkage_.links[at(i)].parent;
    return parent == world ? fixed_[at(i)] : attitude_now_[at(parent)] * fixed_[at(i)];
}

void StageSweep::start_at(std::span<const double> q)
{
    std::copy(q.begin(), q.end(), q0_.begin());
    for (int i = 0; i < static_cast<int>(linkage_.size()); ++i) {
        const Link& link = linkage_.links[at(i)];
        const double* const from = q.data() + link.q;
        if (link.op == LinkOp::free)
            turning(i).q0 = normalised(quat_at(from + 3) * turning(i).to_link);
        if (link.op != LinkOp::ball && !asked_[at(i)])
            continue;
        const Quat<double> below = attitude_below(i);
        Quat<double>& now = attitude_now_[at(i)];
        switch (link.op) {
        case LinkOp::ball:
            now = normalised(below * quat_at(from) * turning(i).to_link);
            turning(i).q0 = now;
            break;
        case LinkOp::free:
            now = below * turning(i).q0;
            break;
        case LinkOp::revolute:
        case LinkOp::screw:
            now = below * exp_quat(Vec3<double>{0, 0, from[0]});
            break;
        default:
            now = below;
        }
    }
}

void StageSweep::start(std::span<const double> q, std::span<const double> own)
{
    start_at(q);
    for (std::size_t i = 0; i < own.size(); ++i)
        P0_[i] = Lanes(own[i]); // at u = 0 momenta of turns are the joint's own
    for (int i = 0; i < static_cast<int>(linkage_.size()); ++i)
        if (linkage_.links[at(i)].op == LinkOp::free) {
            const auto first = at(linkage_.links[at(i)].v);
            put_at(&P0_[first],
                   in_scalar<Lanes>(rotate(turning(i).q0, vector_at(own.data() + first))));
        }
}

void StageSweep::go_on(std::span<const double> speeds)
{
    std::fill(u.begin(), u.end(), Lanes(0.0));
    for (int i = 0; i < static_cast<int>(linkage_.size()); ++i) {
        place_link(i);
        const Link& link = linkage_.links[at(i)];
        Lanes* const to = v.data() + link.v;
        for (int k = 0; k < freedoms_of(link.op); ++k)
            to[k] = Lanes(speeds[at(link.v + k)]);
        if (turns_freely(link.op))
            for (int k = 0; k < freedoms_of(link.op); k += 3)
                put_at(to + k, transpose_times(in_scalar<Lanes>(turning(i).C), vector_at(to + k)));
        Twist<Lanes>& V = moving_[at(i + 1)].V;
        V = with_own(link, to, carried(space_[i], moving_[at(link.parent + 1)].V));
        if (link.op == LinkOp::ball)
            put_at(to, V.omega);
    }
}

void StageSweep::momenta_of(std::span<const double> q, std::span<const double> speeds,
                            std::span<double> own)
{
    start_at(q);
    go_on(speeds);
    place(zero3<double>());
    for (int i = static_cast<int>(linkage_.size()); i-- > 0;) {
        const Link& link = linkage_.links[at(i)];
        std::array<Lanes, 6> along;
        along_joint(link, moving_[at(i + 1)].H, along.data());
        if (link.armature != 0)
            along[0] = mul_add(Lanes(link.armature), v[at(link.v)], along[0]);
        for (int k = 0; k < freedoms_of(link.op); ++k)
            own[at(link.v + k)] = along[at(k)][0];
        hand_down(i);
    }
}

void StageSweep::integrate_places()
{
    // u̇ of a turn depends on u: each time takes the error to one more power of the step.
    constexpr int times = 4;
    std::fill(u.begin(), u.end(), Lanes(0.0));
    for (int time = 0; time < times; ++time)
        for (int i = 0; i < static_cast<int>(linkage_.size()); ++i)
            if (turns_freely(linkage_.links[at(i)].op)) {
                const int first = linkage_.links[at(i)].v + first_turn(linkage_.links[at(i)].op);
                turning(i).at = SwingTwist<Lanes>(vector_at(&u[at(first)]));
                put_at(&u[at(first)], mixed(turning(i).at.rate(vector_at(&v[at(first)]))));
            }
    for (int i = 0; i < static_cast<int>(linkage_.size()); ++i)
        if (linkage_.links[at(i)].op != LinkOp::ball)
            displace(i);
}

// ---- a sweep ------------------------------------------------------------------------------------

inline void StageSweep::place_link(int i)
{
    const Link& link = linkage_.links[at(i)];
    LinkWork<Lanes>& k = space_[i];
    const Lanes* const by = u.data() + link.v;
    const double* const from = q0_.data() + link.q;
    switch (link.op) {
    case LinkOp::revolute:
        turn_about_z(link.turn, sin_cos(Lanes(from[0]) + by[0]), k.R);
        k.r = in_scalar<Lanes>(link.shift);
        break;
    case LinkOp::prismatic:
        k.R = in_scalar<Lanes>(link.turn);
        k.r = mul_add(Lanes(from[0]) + by[0], k.R.c2(), in_scalar<Lanes>(link.shift));
        break;
    case LinkOp::screw: {
        const Lanes q = Lanes(from[0]) + by[0];
        turn_about_z(link.turn, sin_cos(q), k.R);
        k.r = mul_add(Lanes(link.pitch) * q, k.R.c2(), in_scalar<Lanes>(link.shift));
        break;
    }
    case LinkOp::ball: {
        Turning& turn = turning(i);
        turn.at = SwingTwist<Lanes>(vector_at(by));
        const Mat3<Lanes> R = matrix_of(in_lanes(turn.q0), turn.at);
        attitude_[at(i)] = R;
        k.R = turn_of(link.parent == world ? R : transpose(attitude_[at(link.parent)]) * R);
        k.r = in_scalar<Lanes>(link.shift);
        return;
    }
    case LinkOp::free: {
        Turning& turn = turning(i);
        turn.at = SwingTwist<Lanes>(vector_at(by + 3));
        const Mat3<Lanes> fixed = in_scalar<Lanes>(link.R);
        k.R = turn_of(fixed * matrix_of(in_lanes(turn.q0), turn.at));
        k.r = in_scalar<Lanes>(link.shift) +
              triple_of(fixed * (in_scalar<Lanes>(vector_at(from)) + vector_at(by)));
        break;
    }
    case LinkOp::translate:
        k.R = in_scalar<Lanes>(link.turn);
        k.r = in_scalar<Lanes>(link.shift) +
              k.R * triple_of(in_scalar<Lanes>(vector_at(from)) + vector_at(by));
        break;
    }
    if (asked_[at(i)])
        attitude_[at(i)] =
            link.parent == world ? k.R.matrix() : attitude_[at(link.parent)] * k.R.matrix();
}

/// The motion of a link, its momentum and its weight.
inline void StageSweep::move_link(int i)
{
    const Link& link = linkage_.links[at(i)];
    const LinkInertia<Lanes>& I = inertias_[at(i)];
    LinkWork<Lanes>& k = space_[i];
    Moving& m = moving_[at(i + 1)];
    const Lanes* const own = v.data() + link.v;
    Twist<Lanes> V =
        link.parent == world ? no_motion<Lanes>() : carried(k, moving_[at(link.parent + 1)].V);
    if (link.op == LinkOp::ball)
        V.omega = vector_at(own);
    else
        V = with_own(link, own, V);
    m.V = V;
    k.a = back(k.R, space_[link.parent].a);
    m.H = I * V;
    m.W = {I.m * k.a, cross(vec_of(I.mc), k.a)};
}

/// r of a link; what the joint's axes make of it is left for M⁻¹.
inline void StageSweep::find_residual(int i, Lanes& off, Lanes& size)
{
    const Link& link = linkage_.links[at(i)];
    const Moving& m = moving_[at(i + 1)];
    const Vec3<Lanes>&p = m.H.F, &L = m.H.tau;
    Lanes *const own = own_.data() + link.v, *const P_dot = P_dot_.data() + link.v;
    const Lanes *const P0 = P0_.data() + link.v, *const speed = v.data() + link.v;
    const auto force = [&] { return cross_add(p, m.V.omega, m.W.F); };
    const auto torque = [&] { return cross_add(p, m.V.v, cross_add(L, m.V.omega, m.W.tau)); };
    const Lanes one(1.0), length(length_);
    const auto number = [&](const Lanes& rate, const Lanes& was, const Lanes& scale) {
        const Lanes P = P0[0] + mixed(rate);
        P_dot[0] = rate;
        own[0] = P - mul_add(Lanes(link.armature), speed[0], was);
        off = max(off, scale * abs(own[0]));
        size = max(size, scale * abs(P));
    };
    const auto vector = [&](int k, const Vec3<Lanes>& rate, const Vec3<Lanes>& was,
                            const Lanes& scale) {
        const Vec3<Lanes> P = vector_at(P0 + k) + mixed(rate), r = P - was;
        put_at(P_dot + k, rate);
        off = max(off, scale * largest(r));
        size = max(size, scale * largest(P));
        return r;
    };
    switch (link.op) {
    case LinkOp::revolute:
        return number(torque().z, L.z, one);
    case LinkOp::prismatic:
        return number(force().z, p.z, length);
    case LinkOp::screw: {
        const Lanes pitch(link.pitch);
        return number(mul_add(pitch, force().z, torque().z), mul_add(pitch, p.z, L.z), one);
    }
    case LinkOp::ball: {
        const SwingTwist<Lanes>& turn = turning(i).at;
        put_at(own, turn.own_momentum(vector(0, turn.momentum_rate(m.V.omega, L, torque()),
                                             turn.momentum(L), one)));
        return;
    }
    case LinkOp::free: {
        const SwingTwist<Lanes>& turn = turning(i).at;
        const Vec3<Lanes> omega = vector_at(speed + 3); // against the parent, as the coordinates
        const Mat3<Lanes> R = matrix_of(in_lanes(turning(i).q0), turn);
        put_at(own, transpose_times(R, vector(0, R * cross_add(omega, p, force()), R * p, length)));
        put_at(own + 3, turn.own_momentum(vector(3, turn.momentum_rate(omega, L, torque()),
                                                 turn.momentum(L), one)));
        return;
    }
    case LinkOp::translate:
        put_at(own, vector(0, force(), p, length));
        return;
    }
}

/// Momentum and load of a link go to its parent.
inline void StageSweep::hand_down(int i)
{
    const Link& link = linkage_.links[at(i)];
    if (link.parent == world)
        return;
    const LinkWork<Lanes>& k = space_[i];
    const Moving& m = moving_[at(i + 1)];
    Moving& below = moving_[at(link.parent + 1)];
    if (link.op == LinkOp::ball) {
        const Vec3<Lanes> r = vec_of(k.r), p = k.R * m.H.F, F = k.R * m.W.F;
        below.H = {below.H.F + p, cross_add(r, p, below.H.tau)};
        below.W = {below.W.F + F, cross_add(r, F, below.W.tau + k.R * cross(m.V.v, m.H.F))};
        return;
    }
    poinsot::hand_down(k, m.H, below.H);
    poinsot::hand_down(k, m.W, below.W);
}

/// M⁻¹ on its way in. Of a ball it differs from `give_way` in that the joint's torque, which goes
/// with the attitude in the world, is no business of the parent.
inline void StageSweep::take_in(int i)
{
    const Link& link = linkage_.links[at(i)];
    LinkWork<Lanes>& k = space_[i];
    const Lanes* const own = own_.data() + link.v;
    if (link.op != LinkOp::ball)
        return give_way(link, own, k, k, space_[link.parent].f, space_);
    const Vec3<Lanes> left = vector_at(own) - k.f.tau;
    put_at(k.u.data(), left);
    if (link.parent == world)
        return;
    const BallWork<Lanes>& ball = space_.balls[at(link.block)];
    std::array<Lanes, 3> x{left.x, left.y, left.z};
    ball.D.solve(x);
    const Vec3<Lanes> F = k.R * (k.f.F + ball.H * vector_at(x.data()));
    Wrench<Lanes>& below = space_[link.parent].f;
    below = {below.F + F, cross_add(vec_of(k.r), F, below.tau)};
}

/// M⁻¹ on its way out, on top of v.
inline void StageSweep::give_back(int i)
{
    const Link& link = linkage_.links[at(i)];
    LinkWork<Lanes>& k = space_[i];
    Lanes* const speed = v.data() + link.v;
    if (link.op != LinkOp::ball) {
        std::array<Lanes, 6> more;
        accelerate(link, more.data(), k, k, space_[link.parent].delta, space_);
        for (int j = 0; j < freedoms_of(link.op); ++j)
            speed[j] += more[at(j)];
        return;
    }
    const BallWork<Lanes>& ball = space_.balls[at(link.block)];
    k.delta.v = link.parent == world ? zero3<Lanes>() : carried(k, space_[link.parent].delta).v;
    std::array<Lanes, 3> x;
    put_at(x.data(), vector_at(k.u.data()) - transpose_times(ball.H, k.delta.v));
    ball.D.solve(x);
    k.delta.omega = vector_at(x.data());
    put_at(speed, vector_at(speed) + k.delta.omega);
}

/// u of a link from v.
inline void StageSweep::displace(int i)
{
    const Link& link = linkage_.links[at(i)];
    const Lanes* const speed = v.data() + link.v;
    Lanes *const to = u.data() + link.v, *const rate = u_dot_.data() + link.v;
    const auto vector = [&](int k, const Vec3<Lanes>& made) {
        put_at(rate + k, made);
        put_at(to + k, mixed(made));
    };
    switch (link.op) {
    case LinkOp::ball:
        return vector(0, turning(i).at.rate(vector_at(speed)));
    case LinkOp::free: {
        const SwingTwist<Lanes>& turn = turning(i).at;
        vector(0, matrix_of(in_lanes(turning(i).q0), turn) * vector_at(speed));
        return vector(3, turn.rate(vector_at(speed + 3)));
    }
    case LinkOp::translate:
        return vector(0, vector_at(speed));
    default:
        rate[0] = speed[0];
        to[0] = mixed(speed[0]);
    }
}

POINSOT_FLATTEN void StageSweep::place(const Vec3<double>& gravity)
{
    space_[world].a = in_scalar<Lanes>(gravity);
    const int n = static_cast<int>(linkage_.size());
    for (int i = 0; i < n; ++i)
        place_link(i);
    for (int i = 0; i < n; ++i)
        move_link(i);
}

// Loops of their own for what does not wait for its neighbour: the processor then has several links
// in work at a time.
POINSOT_FLATTEN StageSweep::Residual StageSweep::sweep(bool factor)
{
    const int n = static_cast<int>(linkage_.size());
    Lanes off(0.0), size(0.0);
    for (int i = n; i-- > 0;) {
        find_residual(i, off, size);
        hand_down(i);
    }
    if (factor)
        factor_inertia<Lanes>(linkage_, inertias_, space_);
    for (int i = 0; i < n; ++i)
        space_[i].f = no_load<Lanes>();
    for (int i = n; i-- > 0;)
        take_in(i);
    for (int i = 0; i < n; ++i)
        give_back(i);
    for (int i = 0; i < n; ++i) {
        displace(i);
        place_link(i);
    }
    for (int i = 0; i < n; ++i)
        move_link(i);
    // A maximum does not see what is not a number; a sum does.
    Lanes sum(0.0);
    for (const Lanes& speed : v)
        sum += speed;
    const bool finite = std::isfinite((sum[0] + sum[1]) + (sum[2] + sum[3]));
    return {finite ? largest(off) : INFINITY, largest(size)};
}

POINSOT_FLATTEN void StageSweep::finish()
{
    const int n = static_cast<int>(linkage_.size());
    for (std::size_t i = 0; i < u.size(); ++i) {
        u[i] = Lanes(summed(u_dot_[i]));
        own_[i] = P0_[i] + Lanes(summed(P_dot_[i]));
        v[i] = Lanes(0.0);
    }
    for (int i = 0; i < n; ++i) {
        place_link(i);
        space_[i].f = no_load<Lanes>();
        if (!turns_freely(linkage_.links[at(i)].op))
            continue;
        const Turning& turn = turning(i);
        const LinkOp op = linkage_.links[at(i)].op;
        Lanes* const own = &own_[at(linkage_.links[at(i)].v)];
        if (op == LinkOp::free)
            put_at(own, transpose_times(matrix_of(in_lanes(turn.q0), turn.at), vector_at(own)));
        put_at(own + first_turn(op), turn.at.own_momentum(vector_at(own + first_turn(op))));
    }
    factor_inertia<Lanes>(linkage_, inertias_, space_);
    for (int i = n; i-- > 0;)
        take_in(i);
    for (int i = 0; i < n; ++i)
        give_back(i);
    for (int i = 0; i < n; ++i)
        move_link(i);
}

// ---- what comes of it ---------------------------------------------------------------------------

void StageSweep::add_loads(int lane, std::span<const Wrench<double>> loads,
                           std::span<const LinkInertia<double>> rates)
{
    for (int i = 0; i < static_cast<int>(linkage_.size()); ++i) {
        Wrench<double> W = loads[at(i)];
        if (!rates.empty()) {
            const Twist<Lanes>& now = moving_[at(i + 1)].V;
            Twist<double> V{lane_of(now.v, lane), lane_of(now.omega, lane)};
            if (turns_freely(linkage_.links[at(i)].op))
                V = {turning(i).C * V.v, turning(i).C * V.omega};
            W = W + rates[at(i)] * V;
        }
        if (turns_freely(linkage_.links[at(i)].op)) {
            const Mat3<double>& C = turning(i).C;
            W = {transpose_times(C, W.F), transpose_times(C, W.tau)};
        }
        add_in_lane(moving_[at(i + 1)].W.F, lane, W.F);
        add_in_lane(moving_[at(i + 1)].W.tau, lane, W.tau);
    }
}

void StageSweep::read(int lane, std::span<double> q, std::span<double> speeds)
{
    for (int i = 0; i < static_cast<int>(linkage_.size()); ++i) {
        const Link& link = linkage_.links[at(i)];
        const double* const from = q0_.data() + link.q;
        double *const to = q.data() + link.q, *const speed = speeds.data() + link.v;
        Quat<double>& now = attitude_now_[at(i)];
        const auto turned = [&] {
            return normalised(turning(i).q0 * lane_of(turning(i).at.quaternion(), lane));
        };
        if (link.op == LinkOp::ball) {
            now = turned();
            put_at(to,
                   normalised(conjugate(attitude_below(i)) * now * conjugate(turning(i).to_link)));
            Vec3<Lanes> omega = moving_[at(i + 1)].V.omega;
            if (link.parent != world)
                omega -= back(space_[i].R, moving_[at(link.parent + 1)].V.omega);
            put_at(speed, turning(i).C * lane_of(omega, lane));
            continue;
        }
        const int places = link.op == LinkOp::free ? 3 : freedoms_of(link.op);
        for (int k = 0; k < places; ++k)
            to[k] = from[k] + u[at(link.v + k)][lane];
        for (int k = 0; k < freedoms_of(link.op); ++k)
            speed[k] = v[at(link.v + k)][lane];
        if (link.op == LinkOp::free) {
            put_at(to + 3, normalised(turned() * conjugate(turning(i).to_link)));
            put_at(speed, turning(i).C * vector_at(speed));
            put_at(speed + 3, turning(i).C * vector_at(speed + 3));
        }
        if (!asked_[at(i)])
            continue;
        now = attitude_below(i);
        if (link.op == LinkOp::free)
            now = now * turned();
        else if (link.op == LinkOp::revolute || link.op == LinkOp::screw)
            now = now * exp_quat(Vec3<double>{0, 0, to[0]});
    }
}

void StageSweep::read_momenta(std::span<double> own) const
{
    for (std::size_t i = 0; i < own.size(); ++i)
        own[i] = own_[i][0];
}

} // namespace poinsot
