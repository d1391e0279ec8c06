// SPDX-License-Identifier: MIT
// A body with several cuts breaks at each of them, in whatever order that is said.

#include "formulations.hpp"
#include "poinsot/mass/inertia.hpp"
#include "poinsot/mass/solids.hpp"
#include "poinsot/model/breaking.hpp"
#include "poinsot/step/cut_watch.hpp"
#include "poinsot/step/happening.hpp"
#include "section_loads.hpp"

using namespace poinsot;

namespace {

constexpr double beam_mass = 6, beam_length = 2;
const V3 beam_box{0.1, 0.12, beam_length};

/// A beam along z that tumbles and falls, with four cuts; the first and the last look downwards. A
/// torque at its foot grows.
Builder ruled_beam()
{
    Builder b;
    Body beam =
        body_with("beam", beam_mass, diagonal(1.0, 1.0, 1.0), {0.5, 1, -2}, {0.7, 0.3, -0.4});
    beam.shape = Box{beam_box};
    beam.mass_properties = with_mass(solid_box(beam_box, 1), beam_mass);
    beam.pose = {{3, 0, 1}, exp_quat(V3{0.2, -0.5, 0.3})};
    b.add(beam);
    b.gravity.uniform = {0, 0, -9.81};
    Control ramp;
    ramp.name = "ramp";
    ramp.times = {0, 10};
    ramp.values = {0, 400};
    b.controls.push_back(ramp);
    AppliedLoad twist;
    twist.name = "twist";
    twist.torque = {1, 0, 0};
    twist.point = {0, 0, -0.9};
    twist.control = 0;
    b.loads.push_back(twist);
    const double at[] = {-0.6, 0.1, 0.7, 0.4};
    for (int i = 0; i < 4; ++i) {
        Cut cut;
        cut.name = text_of("cut ", i);
        cut.frame.x = {0.01, 0, at[i]};
        if (i == 0 || i == 3)
            cut.frame.q = exp_quat(V3{M_PI, 0, 0});
        cut.beyond = *part_beyond(b.bodies[0], cut.frame);
        cut.strength.bending = 1e9;
        b.cuts.push_back(cut);
    }
    return b;
}

/// Breaks it at these cuts, one after the other.
Builder broken(const Builder& whole, std::initializer_list<std::size_t> order)
{
    Builder b = whole;
    for (const std::size_t cut : order) {
        const Problems wrong = break_at(b, cut, text_of("part ", cut));
        REQUIRE_MESSAGE(!wrong.any(), wrong.text());
    }
    return b;
}

/// The parts as they stand in the world, along the beam.
std::vector<MassProperties> parts_along(const Builder& b)
{
    std::vector<MassProperties> made;
    for (const Body& body : b.bodies)
        made.push_back(moved(body.mass_properties, body.pose));
    const V3 z = rotate(b.bodies[0].pose.q, V3{0, 0, 1});
    std::sort(made.begin(), made.end(),
              [&](const auto& a, const auto& c) { return dot(a.center, z) < dot(c.center, z); });
    return made;
}

} // namespace

TEST_CASE("Parts of a body that breaks at several cuts are the same in whatever order it is cut")
{
    const Builder whole = ruled_beam();
    const Body& beam = whole.bodies[0];
    const double ends[] = {-1, -0.6, 0.1, 0.7, 1};
    for (const auto& order : {std::initializer_list<std::size_t>{0, 1, 2},
                              {2, 1, 0},
                              {1, 0, 2},
                              {1, 2, 0},
                              {2, 0, 1}}) {
        const auto parts = parts_along(broken(whole, order));
        REQUIRE(parts.size() == 4);
        for (std::size_t i = 0; i < 4; ++i) {
            const double l = ends[i + 1] - ends[i];
            const MassProperties box =
                with_mass(solid_box({beam_box.x, beam_box.y, l}, 1), beam_mass * l / beam_length);
            const V3 at = place(beam.pose, V3{0, 0, 0.5 * (ends[i] + ends[i + 1])});
            CHECK(near(parts[i].mass, box.mass, 1e-14));
            CHECK(norm(parts[i].center - at) < 1e-14);
            CHECK(near(trace(parts[i].inertia), trace(box.inertia), 1e-13));
        }
    }
}

TEST_CASE("Welds of parts carry what the sections of the whole do, and so does a cut that stays")
{
    const Builder whole = ruled_beam();
    for (const auto& order : {std::initializer_list<std::size_t>{0, 1, 2}, {2, 1, 0}}) {
        const Builder parts = broken(whole, order);
        CHECK(parts.cuts[3].of == Cut::Of::body); // between two of the others
        for (const Formulation f : both) {
            INFO(name_of(f));
            const RunSettings run = tight(f, 1e-3, 0.2);
            const Simulation one = ran(built(whole), run), two = ran(built(parts), run);
            for (std::size_t i = 0; i < 4; ++i) {
                const SectionLoad a = one.cuts()[i].load, b = two.cuts()[i].load;
                const double much = std::abs(a.tension) + std::abs(a.bending_x);
                CHECK(much > 0.1);
                // The tolerance of the method, and rounding of loads of 10 N.
                CHECK_MESSAGE(far_apart(a, b) < 1e-8 * (1 + much), i, " ", far_apart(a, b));
            }
        }
    }
    // A cut whose part beyond was not taken off is seen.
    Builder wrong = broken(whole, {0, 1, 2});
    const auto of_whole = std::find_if(wrong.cuts.begin(), wrong.cuts.end(),
                                       [](const Cut& cut) { return cut.of == Cut::Of::body; });
    of_whole->beyond.mass *= 1.01;
    const RunSettings run = tight(Formulation::maximal, 1e-3, 0.2);
    CHECK(far_apart(ran(built(whole), run).cuts()[3].load, ran(built(wrong), run).cuts()[3].load) >
          1e-4);
}

TEST_CASE("A beam that breaks at two cuts, one after the other, has p and L on the books")
{
    Builder whole = ruled_beam();
    whole.cuts[1].strength.bending = 3;
    whole.cuts[2].strength.bending = 0.3; // first: what is near the end carries a seventh
    const auto model = built(broken(whole, {1, 2}));
    for (const Formulation f : both) {
        INFO(name_of(f));
        const bool maximal = f == Formulation::maximal;
        const Simulation sim =
            ran(model, maximal ? run_in(f, Method::runge_kutta4, 1e-3, 1.5) : tight(f, 1e-3, 1.5));
        REQUIRE(sim.state().released == std::vector<char>{1, 1});
        double moments[2] = {0, 0};
        for (const Happening& one : sim.happenings().list())
            if (one.kind == Happening::Kind::broken)
                moments[one.index] = one.time;
        CHECK(moments[1] > 1e-3);
        CHECK(moments[0] > moments[1] + 1e-3);
        const Books& books = sim.ledger().books();
        CHECK(sim.ledger().balanced());
        CHECK(norm(books.total.residual.p) < (maximal ? 1e-13 : 1e-10) * books.scale_p);
        CHECK(norm(books.total.residual.spin) < (maximal ? 1e-12 : 1e-10) * books.scale_spin);
        CHECK(norm(books.total.residual.L) < (maximal ? 1e-11 : 1e-10) * books.scale_L);
    }
}
