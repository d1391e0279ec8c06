// SPDX-License-Identifier: MIT
#pragma once

// Penalty contact as loads: what presses on what, and how hard, where the bodies are at a moment
// (penalty.hpp has the laws). Every point of touch has a pair of forces at one world point P,
// halfway between the surfaces: F n along the normal, from a to b, and friction across it.
//
// Forces depend on place and motion alone, so that any method that takes loads can step through a
// contact. What friction remembers, the stretch s₀ of its spring when the step began, is a number
// of the State; within the step
//
//     s = s₀ + Δ_b − Δ_a      Δ = x − x₀ + φ × ½ (r + r₀)       in the plane of contact
//
// with x the centre of mass, φ the rotation vector since the step began and r = P − x: the path of
// what slips, exact for balls that roll, else with an error of the third power of the step. Where
// the step ends, s is cut to what the cone allows and kept: once per step.
//
// The law `spring` takes its stiffness from the step h and from the mass that a point has to stop:
//
//     m = min(1/(J M⁻¹ Jᵀ), m̄/N)      m̄ = m_a m_b/(m_a + m_b),  N points between the two bodies
//
// of the bodies as if no joint held them, so that it is the same in all coordinates, and as it was
// when the point was new, so that a contact is one spring from beginning to end. A body flat on the
// ground is carried by N springs of m̄ ω²/N.
//
// The laws of Hertz take it from the materials, which may be too stiff for the step: a contact of
// fewer than eight steps ends the run and says which step would do. Friction is Mindlin's there:
//
//     k_t = 8 G* √(R x)      1/G* = (2 − ν₁)/G₁ + (2 − ν₂)/G₂,  G = E/2(1 + ν)
//
// and the damper of what sticks is critical.

#include "poinsot/contacts/broadphase.hpp"
#include "poinsot/contacts/manifold.hpp"
#include "poinsot/contacts/penalty.hpp"
#include "poinsot/contacts/press_law.hpp"
#include "poinsot/contacts/touch.hpp"
#include "poinsot/forces/gather.hpp"

#include <string>

namespace poinsot {

class Press {
  public:
    /// `steps_of_h`: the method takes steps of h, and none that it chooses itself.
    Press(const Model& model, const PressSettings& settings, double h, bool steps_of_h);

    /// A step begins at a place, with what its start remembers.
    void begin(const Placed& start, const std::vector<Pressed>& kept);
    /// What presses where the bodies are now.
    void add_loads(const Placed& placed, Loads& loads);
    /// The step has ended at a place: what the next begins with.
    void end(const Placed& placed, std::vector<Pressed>& kept);

    /// What presses at the end of the last step; impulses are its forces times h.
    std::span<const TouchRecord> touches() const { return records_; }
    /// Why the step that ended is of no use: materials too stiff for it. None: it is good.
    const char* too_stiff() const { return too_stiff_.empty() ? nullptr : too_stiff_.c_str(); }

    const PressSettings& settings() const { return settings_; }
    double h() const { return h_; }

  private:
    /// Of two materials: over the masses for springs, with units of their own for Hertz.
    struct Pair {
        double k = 0, c = 0, slip_k = 0, slip_c = 0; // 1/s², 1/s
        double modulus = 0, shear = 0, alpha = 0;    // Pa, Pa, s/m
    };
    struct Point { // of touch, while it is looked at
        const Manifold* manifold;
        const ContactPoint* at;
        const Pressed* old; // what is remembered of it
    };
    struct Reply {
        Vec3<double> P, normal, friction; // forces on b
        Pressed next;
        double slip;
    };

    void find(const Placed& placed);
    void match();
    Reply reply(const Point& point, const Placed& placed);
    Vec3<double> stretch_of(const Point& point, const Vec3<double>& P, const Placed& placed) const;
    void weigh(const Point& point, const Vec3<double>& P, const Placed& placed, Pressed& out) const;
    void check_step(const Manifold& m, double stiffness, double mass);
    int owner(int skin) const { return model_.skins()[static_cast<std::size_t>(skin)].body; }

    const Model& model_;
    PressSettings settings_;
    double h_;
    bool steps_of_h_;
    std::vector<Pair> pairs_;    // of materials
    std::vector<double> radius_; // of skins: of curvature, m

    std::vector<const Collider*> shapes_;
    std::vector<Filter> filters_;
    std::vector<int> owners_; // bodies
    std::vector<Pose<double>> poses_;
    std::vector<std::pair<int, int>> near_;
    Broadphase broadphase_;
    Contacts contacts_;
    std::vector<Point> points_;
    std::vector<std::pair<int, int>> bodies_; // of the points, ascending: how many share them

    std::vector<PlacedBody> start_;
    std::vector<Pressed> kept_;
    std::vector<TouchRecord> records_;
    std::string too_stiff_;
};

/// Every reason why the surfaces of a model cannot press by this law with steps of h.
void inspect_press(const Model& model, const PressSettings& settings, double h, bool steps_of_h,
                   Problems& found);

} // namespace poinsot
