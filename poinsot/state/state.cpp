// SPDX-License-Identifier: MIT
#include "poinsot/state/state.hpp"

#include <bit>

namespace poinsot {

namespace {

struct Fnv {
    std::uint64_t h = 14695981039346656037ull;
    void add(std::uint64_t bits)
    {
        for (int i = 0; i < 8; ++i) {
            h = (h ^ (bits & 0xff)) * 1099511628211ull;
            bits >>= 8;
        }
    }
    void add(double a) { add(std::bit_cast<std::uint64_t>(a)); }
    void add(const Vec3<double>& a)
    {
        add(a.x);
        add(a.y);
        add(a.z);
    }
    void add(const Quat<double>& q)
    {
        add(q.w);
        add(Vec3<double>{q.x, q.y, q.z});
    }
    void add(const Mat3<double>& m)
    {
        add(m.r0);
        add(m.r1);
        add(m.r2);
    }
    void add(const MomentumForm<double>& y) { add(y.x), add(y.attitude), add(y.p), add(y.L); }
    void add(const VelocityForm<double>& y) { add(y.x), add(y.attitude), add(y.v), add(y.omega); }
    void add(const MatrixForm<double>& y) { add(y.x), add(y.attitude), add(y.p), add(y.L); }
};

} // namespace

std::uint64_t hash_of(const State& state)
{
    Fnv fnv;
    fnv.add(static_cast<std::uint64_t>(state.step));
    fnv.add(state.substep);
    std::visit(
        [&](const auto& bodies) {
            for (const auto& body : bodies)
                fnv.add(body);
        },
        state.bodies);
    for (const std::vector<double>* list :
         {&state.joint_coordinates, &state.joints.q, &state.joints.v, &state.joints.stages})
        for (const double value : *list)
            fnv.add(value);
    for (const Stop& stop : state.standing)
        for (const int value : {stop.joint, stop.coordinate, stop.upper ? 1 : 0})
            fnv.add(static_cast<std::uint64_t>(value));
    for (const Touched& touch : state.touched) {
        for (const int value : touch.pair)
            fnv.add(static_cast<std::uint64_t>(value));
        fnv.add(static_cast<std::uint64_t>(touch.slides ? 1 : 0));
        for (const double value : {touch.normal, touch.torsion})
            fnv.add(value);
        for (const Vec3<double>& value : {touch.point, touch.friction, touch.rolling})
            fnv.add(value);
    }
    for (const double h : state.rotors)
        fnv.add(h);
    for (const double content : state.tanks)
        fnv.add(content);
    for (const FlowShare& share : state.shares)
        for (const double value : {share.now, share.rate})
            fnv.add(value);
    for (const std::vector<char>* flags : {&state.flowing, &state.released})
        for (const char on : *flags)
            fnv.add(static_cast<std::uint64_t>(on ? 1 : 0));
    for (const Pressed& press : state.pressed) {
        for (const int value : press.pair)
            fnv.add(static_cast<std::uint64_t>(value));
        fnv.add(static_cast<std::uint64_t>(press.slides ? 1 : 0));
        for (const double value : {press.mass, press.slip_mass})
            fnv.add(value);
        for (const Vec3<double>& value : {press.point, press.stretch})
            fnv.add(value);
    }
    return fnv.h;
}

} // namespace poinsot
