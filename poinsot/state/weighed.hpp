// SPDX-License-Identifier: MIT
#pragma once

// What bodies with tanks weigh at one moment, and how that changes.
//
// All in the body frame. A tank with contents m_t that change with the rate ṁ_t has its surface at
// s_t (model/tank.hpp). A flow μ goes straight from a point a to a point b; what of it leaves, does
// so at e with the rate μ_e, which is negative for what comes in. Continuity says
//
//     m = m_dry + Σ m_t                         ṁ   = Σ ṁ_t = −Σ μ_e
//     m c = m_dry c_dry + Σ m_t c_t             m ċ = Σ ṁ_t (s_t − c) = p_flow − Σ μ_e (e − c)
//     p_flow = Σ μ (b − a)                      momentum of what flows, against the body
//     L_flow = Σ μ (a − c) × (b − c)            and about the centre of mass
//     İ = Σ ṁ_t (G_t + d·d 1 − d dᵀ),           d = s_t − c
//
// ṗ_flow and L̇_flow have the motion of surfaces, and μ̇ where a control changes the flow.
//
// What leaves (forces/thrust.hpp) takes momenta that are linear in v and ω as long as it does so
// with a speed that is fixed in the body, w along n. With ρ = e − c and the spread G_e of one
//
//     ṗ = ṁ v + F_e + ω × Q                 F_e = −Σ μ_e w n        Q = −Σ μ_e ρ = m ċ − p_flow
//     L̇ = τ_e − E ω                         τ_e = −Σ μ_e ρ × (w n − ċ)
//                                           E   = Σ μ_e (ρ·ρ 1 − ρ ρᵀ + G_e)
//
// and so is what the shell feels,
//
//     F_s = F_0 − 2 ω × p_flow              F_0 = F_e − ṗ_flow
//     τ_s = τ_0 − B ω − ω × L_flow          τ_0 = τ_e − L̇_flow      B = İ + E
//
// so it is found here, once for all that move with this mass. Of ċ both τ_e and L̇_flow have
// p_flow × ċ, since Q × ċ = −p_flow × ċ; the rest of L̇_flow is the motion of surfaces.
//
// p_flow does not depend on how fast the stuff is: in a narrow pipe little of it is fast. Nothing
// is left out of p; of L the swirl inside tanks is.

#include "poinsot/math/triple.hpp"
#include "poinsot/model/model.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace poinsot {

// Short lists, number by number: calls and packed loops take longer to begin than this takes.
template <class T>
[[gnu::always_inline]] inline bool same_list(std::span<const T> a, const std::vector<T>& b)
{
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(a[i] == b[i]))
            return false;
    return true;
}
template <class T>
[[gnu::always_inline]] inline void copy_list(std::span<const T> from, std::vector<T>& to)
{
    if (to.size() != from.size())
        to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        to[i] = from[i];
        asm volatile(""); // keeps the loop from being packed
    }
}

/// What of the rates is found: that of momenta alone, what the shell feels, or all.
enum class RatesOf : unsigned char { all, momenta, shell };

/// How the mass of a vessel changes, and what it feels of that. Body axes.
struct MassRate {
    double m = 0;
    // Of momenta: F_e, τ_e, Q and E. Flows that are steered are here as if what passes had the
    // velocity of its opening.
    Triple<double> leaves_F = zero_triple<double>(), leaves_tau = leaves_F, Q = leaves_F;
    SymTriple<double> E{leaves_F, leaves_F};
    // What the shell feels: F_0, τ_0, B, 2 p_flow and L_flow.
    Triple<double> push_F = leaves_F, push_tau = leaves_F;
    SymTriple<double> damping{leaves_F, leaves_F};
    Triple<double> coriolis = leaves_F, L = leaves_F;
    // The rest: ṗ_flow, L̇_flow, and İ about the centre of mass, which moves.
    Triple<double> flow_p = leaves_F, flow_L = leaves_F;
    SymTriple<double> I{leaves_F, leaves_F};

    /// m ċ + p_flow
    Triple<double> drifts() const { return Q + coriolis; }
};

struct Weighed {
    /// Whose moment this is, if it was found for one: whoever asks for it again need not compare.
    struct Moment {
        const void* of = nullptr;
        std::uint64_t term = 0; // in which nothing but time goes on
        double t = 0;
        friend bool operator==(const Moment&, const Moment&) = default;
    } moment;
    std::vector<BodyMass> masses; // of all bodies
    std::vector<MassRate> rates;  // per vessel
    RatesOf asked = RatesOf::all; // which of them are found
    Flowing flowing;              // per flow and per tank
    std::vector<double> contents; // per tank, kg
    std::vector<char> turned;     // per vessel: are the principal axes those of its mass?

    /// From now on these rates are found; what was is found again.
    void ask(RatesOf rates_of)
    {
        if (asked == rates_of)
            return;
        asked = rates_of;
        moment = {};
        contents.clear();
    }
};

/// What everything weighs with these contents of tanks and these flows. A vessel that is as `out`
/// has it already is not weighed again, and where all are, the moment stays. Without shares, flows
/// have the whole of their mass flow.
void weigh(const Model& model, std::span<const double> contents, std::span<const char> on,
           std::span<const FlowShare> shares, Weighed& out);
/// Contents of tanks some time after a moment, with the rates of then; a step ends where a tank
/// does, and what is less than nothing is rounding.
struct ContentsAfter {
    const double* began;
    const double* rates;
    const double* changes; // of the rates; none where they are steady
    double passed;

    double operator[](int tank) const
    {
        const double rate = changes ? rates[tank] + 0.5 * changes[tank] * passed : rates[tank];
        return max(0.0, began[tank] + rate * passed);
    }
};
/// The same with the flows that `out` has, all of which are steady: for contents some time ago.
void weigh_again(const Model& model, const double* began, double passed, Weighed& out);
/// A part of a body with some of its tanks and flows.
void weigh_part(const Vessel& part, std::span<const double> contents, const Flowing& flowing,
                BodyMass& mass, MassRate& rate);
/// Finds the principal axes of bodies with tanks, which `weigh` leaves alone.
void find_principal(const Model& model, Weighed& out);

} // namespace poinsot
