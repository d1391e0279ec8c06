// SPDX-License-Identifier: MIT
#pragma once

// One wrench per body, each part labelled by its cause.
//
// The total of a body is the sum of its parts in the order they were added, so the books, which
// read the parts, and the motion, which reads the total, speak of the same numbers.

#include "poinsot/model/cause.hpp"
#include "poinsot/model/input.hpp"
#include "poinsot/state/placed.hpp"

#include <optional>

namespace poinsot {

struct LoadPart {
    int body;
    Cause cause;
    Wrench<double> wrench; // about the body's centre of mass
};

/// What a drive gives to a rotor of a body: to the store, without a part for the body.
struct DrivePart {
    int body;
    double power;
};

/// What acts along a coordinate of a joint: on its body b, about the origin of b's frame.
struct AlongPart {
    std::size_t joint;
    Wrench<double> on_b;
};

/// What a change of mass does to the books of a body while its momenta stay, per second
/// (forces/thrust.hpp).
struct MassChange {
    int body;
    double mass;
    Vec3<double> K; // of L about the origin
    double power;   // of kinetic energy
    double gravity; // of its store
};

struct Loads {
    std::vector<LoadPart> parts;
    std::vector<DrivePart> drives;
    std::vector<LoadPart> carried;   // momentum that goes with mass, and accelerates nothing
    std::vector<MassChange> changes; // where anyone keeps books
    bool booked = true;
    /// How momentum that goes with mass is kept: as parts of its own, which `carry` adds to the
    /// totals; with what accelerates, where nothing asks for accelerations; or not at all.
    enum class Carried : unsigned char { apart, joined, left_out };
    Carried carries = Carried::apart;
    bool drives_bind = false; // motors that follow something, and dry friction, are rows elsewhere
    std::vector<Wrench<double>> total; // what accelerates, until `carry`
    /// Where each part acts, as a lever from the centre of mass: for those who cut bodies open, and
    /// only if they ask. A reaction of joints is none's: who wants to know asks the joint.
    bool keep_points = false;
    std::vector<std::optional<Vec3<double>>> points;
    std::vector<AlongPart> along; // what of it acts along joints, for those who cut joints open

    /// Adds to the totals what mass carries off: they are then rates of momenta.
    void carry();
    void clear(std::size_t bodies);
    /// Momentum that goes with mass.
    [[gnu::always_inline]] void add_carried(int body, Cause cause, const Wrench<double>& rate)
    {
        set(carried.emplace_back(), body, cause, rate);
    }
    /// A wrench about the centre of mass of the body, which acts at a lever r from there.
    [[gnu::always_inline]] void add(int body, Cause cause, const Wrench<double>& wrench,
                                    const Vec3<double>& r = zero3<double>())
    {
        put(body, cause, wrench);
        if (keep_points)
            points.emplace_back(r);
    }
    /// A force that acts at a lever r from the centre of mass of the body.
    [[gnu::always_inline]] void add_force(int body, Cause cause, const Vec3<double>& r,
                                          const Vec3<double>& F)
    {
        add(body, cause, force_at(r, F), r);
    }
    /// What binds bodies, of which the joints know where it acts.
    void add_reaction(int body, Cause cause, const Wrench<double>& wrench);

  private:
    [[gnu::always_inline]] static void set(LoadPart& part, int body, Cause cause,
                                           const Wrench<double>& wrench)
    {
        part.body = body;
        part.cause = cause;
        part.wrench = wrench;
    }
    // Written number by number and where it stays: a part that is made elsewhere first is read back
    // in pieces that are wider than they were written, for which processors wait.
    [[gnu::always_inline]] void put(int body, Cause cause, const Wrench<double>& wrench)
    {
        Wrench<double>& sum = total[static_cast<std::size_t>(body)];
        sum = sum + wrench;
        set(parts.emplace_back(), body, cause, wrench);
    }
};

/// What acts on it? Everything but the reactions of what binds it. Loads with a beginning and an
/// end are on or off by `active_at`, the middle of a step or of a part of one: what is taken at
/// once sees one of the two.
void gather_loads(const Model& model, const Placed& placed, const Input& input, double t,
                  double active_at, Loads& out);

/// Q along coordinate k of joint j: on b, and the opposite on a at the same point.
void add_along(const Model& model, const Placed& placed, std::size_t j, int k, Cause cause,
               double Q, Loads& out);

/// What the conservative causes hold in store, by cause: potential energy, elastic energy, and the
/// energy of what turns with no body: ½ A q̇² of drives' armatures, h²/2J of rotors.
struct Stores {
    double gravity = 0, spring = 0, rotor = 0;
    double total() const { return gravity + spring + rotor; }
    Stores& operator+=(const Stores& b)
    {
        gravity += b.gravity;
        spring += b.spring;
        rotor += b.rotor;
        return *this;
    }
    friend Stores operator-(const Stores& a, const Stores& b)
    {
        return {a.gravity - b.gravity, a.spring - b.spring, a.rotor - b.rotor};
    }
};
/// Which cause owns which.
struct OwnStore {
    Cause cause;
    double Stores::*energy;
};
inline constexpr std::array<OwnStore, 3> own_stores{{{Cause::gravity, &Stores::gravity},
                                                     {Cause::spring, &Stores::spring},
                                                     {Cause::rotor, &Stores::rotor}}};
Stores stores_of(const Model& model, const Placed& placed);

} // namespace poinsot
