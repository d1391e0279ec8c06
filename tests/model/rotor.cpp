// SPDX-License-Identifier: MIT
#include "poinsot/model/rotor.hpp"

#include "worlds.hpp"

using namespace poinsot;

namespace {

Builder satellite()
{
    Builder b;
    b.add(body_with("hull", 5, diagonal(1.0, 1.5, 2.0), zero3<double>(), {0.1, 0.2, 0.3}));
    Rotor wheel;
    wheel.name = "wheel";
    wheel.axis = {0, 0, 2};
    wheel.inertia = 0.5;
    wheel.spin = 10;
    b.rotors.push_back(wheel);
    return b;
}

/// The satellite changed has one problem, and it begins so.
template <class Change>
void says(Change change, const std::string& begin)
{
    Builder b = satellite();
    change(b, b.rotors[0]);
    const auto made = b.build();
    std::string told = "none";
    if (!made) {
        const auto& list = made.problems().list();
        told = list.size() == 1 ? list[0].place + "." + list[0].key + ": " + list[0].what
                                : made.problems().text();
    }
    CHECK_MESSAGE(told.find(begin) == 0, told, " should begin ", begin);
}
#define SAYS(change, text)                                                                         \
    says([]([[maybe_unused]] Builder& b, [[maybe_unused]] Rotor& r) { change; }, text)

} // namespace

TEST_CASE("Rotors that cannot be are refused, and the remedy told")
{
    SAYS(, "none");
    SAYS(r.body = 1, "wheel.body: spins in a body that does not exist");
    SAYS(r.body = -1, "wheel.body: spins in a body that does not exist");
    SAYS(b.add_particle("dust", 1, zero3<double>(), zero3<double>());
         r.body = 1, "wheel.body: a particle has no attitude");
    SAYS(r.axis = zero3<double>(), "wheel.axis: axis must have a direction");
    SAYS(r.axis.x = std::nan(""), "wheel.axis: axis must have a direction");
    SAYS(r.inertia = 0, "wheel.inertia: inertia must be finite and positive, is 0");
    SAYS(r.inertia = HUGE_VAL, "wheel.inertia: inertia must be finite and positive");
    SAYS(r.spin = std::nan(""), "wheel.spin: spin must be finite");
    SAYS(r.torque.rate = HUGE_VAL, "wheel.torque: torque must be finite");
    SAYS(r.from = 2; r.until = 2, "wheel.from: must begin before it ends");
    SAYS(r.speed = Course{}, "wheel.spin: a rotor that keeps a speed starts with it");
    SAYS(r.spin = 0; r.speed = Course{std::nan("")}, "wheel.speed: speed must be finite");
    SAYS(r.spin = 0; r.speed = Course{1};
         r.torque.amplitude = 1, "wheel.torque: a rotor that keeps a speed has the torque");
    SAYS(r.spin = 0; r.speed = Course{1}; r.until = 3, "wheel.until: a rotor that keeps a speed");
    SAYS(r.spin = 0; r.speed = Course{1}; r.from = 3, "wheel.from: a rotor that keeps a speed");
}

TEST_CASE("Rotors are part of their body: what they take of its inertia must be there")
{
    // 1, 1.5 and 2 less J about z: the middle one must not exceed the others together.
    SAYS(r.inertia = 1.49, "none");
    SAYS(r.inertia = 1.51, "wheel.inertia: the rotors of a body are part of it");
    // About one axis they add up, and are told once.
    SAYS(r.inertia = 0.8;
         b.rotors.push_back(b.rotors[0]), "wheel.inertia: the rotors of a body are part");
    SAYS(r.axis = (V3{0, 1, 0}); r.inertia = 1.5, "wheel.inertia: the rotors of a body are part");
    SAYS(r.axis = (V3{1, 0, 0}); r.inertia = 0.8, "wheel.inertia: the rotors of a body are part");
    // A rotor whose speed is kept goes with the body, which has no more than 2 about that axis.
    SAYS(r.inertia = 2; r.spin = 0; r.speed = Course{1}, "none");
    SAYS(r.inertia = 2.01; r.spin = 0; r.speed = Course{1}, "wheel.inertia: the rotors of a body");
}

TEST_CASE("A model has axes of unit length, and bodies without the inertia that spins freely")
{
    const auto model = built(satellite());
    CHECK(model->rotors()[0].axis == V3{0, 0, 1});
    CHECK(model->masses()[0].I_b == diagonal(1.0, 1.5, 1.5));
    CHECK(model->bodies()[0].mass_properties.inertia == diagonal(1.0, 1.5, 2.0));
    CHECK(model->velocity_dependent());
    const State start = start_of(*model, FormKind::velocity);
    REQUIRE(start.rotors.size() == 1);
    CHECK(near(start.rotors[0], 0.5 * (10 + 0.3), 1e-15));
    State other = start;
    CHECK(hash_of(other) == hash_of(start));
    other.rotors[0] += 1e-15;
    CHECK(hash_of(other) != hash_of(start));

    Builder kept = satellite();
    kept.rotors[0].spin = 0;
    kept.rotors[0].speed = Course{20, 1};
    CHECK(built(kept)->masses()[0].I_b == diagonal(1.0, 1.5, 2.0));
    CHECK(start_of(*built(kept), FormKind::momentum).rotors[0] == 10);
}

TEST_CASE("The integral of a course is what small steps add up to")
{
    for (const Course& c : {Course{2, 0, 0, 0, 0}, Course{1, -3, 0, 0, 0},
                            Course{0.5, 0.2, 2, 1.5, 0.3}, Course{0, 0, 2, 0, 0.7}}) {
        const double from = 0.3, to = 1.9;
        const int n = 2000; // midpoint rule: (0.0008 · 2π 1.5)²/24 of the wave
        double sum = 0;
        for (int i = 0; i < n; ++i)
            sum += c.at(from + (to - from) * (i + 0.5) / n) * (to - from) / n;
        CHECK(near(c.sum(from, to), sum, 1e-5));
        CHECK(near(c.sum(from, 1) + c.sum(1, to), c.sum(from, to), 1e-14, 10));
        CHECK(c.sum(to, to) == 0);
    }
}
