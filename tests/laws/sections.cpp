// SPDX-License-Identifier: MIT What sections of rigid bodies, joints and bushings carry:
// against references, against the same body cut and glued again, and in both formulations.

#include "formulations.hpp"
#include "poinsot/mass/solids.hpp"
#include "poinsot/model/beam.hpp"
#include "poinsot/step/cut_loads.hpp"

using namespace poinsot;

namespace {

/// What the cuts of a model carry where it starts.
std::vector<SectionLoad> carried(const Builder& b, Formulation f)
{
    const auto model = built(b);
    StepSettings settings;
    settings.method = Method::runge_kutta4;
    settings.formulation = f;
    const Input input;
    CutLoads cuts(*model, settings, input);
    cuts.look(start_of(*model, FormKind::momentum, f));
    return {cuts.loads().begin(), cuts.loads().end()};
}
double far_apart(const SectionLoad& a, const SectionLoad& b)
{
    return std::abs(a.tension - b.tension) + std::abs(a.shear_x - b.shear_x) +
           std::abs(a.shear_y - b.shear_y) + std::abs(a.bending_x - b.bending_x) +
           std::abs(a.bending_y - b.bending_y) + std::abs(a.torsion - b.torsion);
}

/// A slender rod along z from the origin, and what of it lies beyond a place.
Body thin_rod(double m, double L)
{
    const double I = m * L * L / 12;
    Body body = body_with("rod", m, diagonal(I, I, 1e-3 * I), zero3<double>(), zero3<double>());
    body.mass_properties.center = {0, 0, 0.5 * L};
    return body;
}
Cut across(double m, double L, double at)
{
    const double part = m * (L - at) / L, I = part * (L - at) * (L - at) / 12;
    Cut cut;
    cut.name = "section";
    cut.frame.x = {0, 0, at};
    cut.beyond = {part, {0, 0, 0.5 * (at + L)}, diagonal(I, I, 1e-3 * I)};
    return cut;
}

} // namespace

TEST_CASE("Sections of one rigid body: a falling chimney carries what the reference says")
{
    const auto c = reference_items("structural_loads.json").at("falling_chimney");
    const double m = c.at("m"), L = c.at("L"), g = c.at("g"),
                 theta = c.at("theta_from_vertical_deg").get<double>() * M_PI / 180;
    Builder b;
    b.gravity.uniform = {0, 0, -g};
    b.add(thin_rod(m, L));
    Joint pin = hinge("pin", world, zero3<double>(), 0, zero3<double>());
    pin.frame_a.q = pin.frame_b.q = exp_quat(V3{-M_PI / 2, 0, 0});
    pin.start = {theta};
    pin.start_speed = {c.at("omega").get<double>()};
    b.add(pin);
    for (const auto& section : c.at("sections"))
        b.cuts.push_back(across(m, L, section.at("x")));
    for (const Formulation f : both) {
        const auto loads = carried(b, f);
        for (std::size_t i = 0; i < loads.size(); ++i) {
            const auto& truth = c.at("sections")[i];
            const double size = m * g; // the reference has fifteen digits
            CHECK(near(loads[i].tension, truth.at("axial_tension"), 2e-14, size));
            CHECK(near(-loads[i].shear_x, truth.at("shear"), 2e-14, size));
            CHECK(near(loads[i].bending_y, truth.at("bending"), 2e-14, size * L));
            CHECK(std::abs(loads[i].torsion) < 1e-14 * size * L);
        }
    }
}

TEST_CASE("Sections of one rigid body: a spinning rod pulls itself apart with the square")
{
    const auto c = reference_items("structural_loads.json").at("spinning_rod_tension");
    const double m = c.at("m"), L = c.at("L"), w = c.at("w");
    Builder b;
    Body rod = thin_rod(m, 2 * L);
    rod.angular_velocity = {0, w, 0};
    b.add(rod);
    for (const auto& sample : c.at("samples"))
        b.cuts.push_back(across(m, 2 * L, L + sample.at("r").get<double>()));
    for (const Formulation f : both) {
        const auto loads = carried(b, f);
        for (std::size_t i = 0; i < loads.size(); ++i)
            CHECK(near(loads[i].tension, c.at("samples")[i].at("N"), 2e-14));
    }
}

TEST_CASE("Two boxes that tumble: all six loads between them, in the weld and in one body")
{
    const auto c = reference_items("structural_loads.json").at("weld_two_boxes");
    const auto vec = [](const nlohmann::json& j) { return V3{j[0], j[1], j[2]}; };
    const V3 size_1 = vec(c.at("box1")), size_2 = vec(c.at("box2")),
             omega = vec(c.at("omega_body"));
    const double m_1 = c.at("m1"), m_2 = c.at("m2");
    MassProperties one = with_mass(solid_box(size_1, 1), m_1),
                   two = with_mass(solid_box(size_2, 1), m_2);
    const V3 glue{0.5 * size_1.x, 0, 0}, middle{glue.x + 0.5 * size_2.x, 0, 0};
    const Pose<double> along{glue, quat_of(Mat3<double>{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}})};
    REQUIRE(norm(rotate(along.q, V3{0, 0, 1}) - V3{1, 0, 0}) < 1e-15); // z along x, x along y
    Builder welded;
    const auto box = [&](Builder& b, const char* name, const MassProperties& mass, const V3& at) {
        Body body;
        body.name = name;
        body.mass_properties = mass;
        body.pose.x = at;
        body.angular_velocity = omega;
        body.velocity = cross(omega, at + mass.center);
        b.add(body);
    };
    box(welded, "one", one, zero3<double>());
    box(welded, "two", two, middle);
    Joint weld;
    weld.name = "glue";
    weld.kind = JointKind::weld;
    weld.a = 0;
    weld.b = 1;
    weld.frame_a = along;
    weld.frame_b = {glue - middle, along.q};
    Cut cut;
    cut.name = "cut";
    cut.of = Cut::Of::joint;
    cut.index = welded.add(weld);
    welded.cuts.push_back(cut);
    Builder whole;
    box(whole, "both", joined(one, moved(two, middle)), zero3<double>());
    cut.of = Cut::Of::body;
    cut.index = 0;
    cut.frame = along;
    cut.beyond = moved(two, middle);
    whole.cuts.push_back(cut);

    const V3 F = vec(c.at("force_on_box2_body_axes")),
             tau = vec(c.at("moment_on_box2_at_interface_centre"));
    const SectionLoad truth{-F.x, F.y, F.z, tau.y, tau.z, tau.x};
    for (const Builder* b : {&welded, &whole})
        for (const Formulation f : both) {
            INFO(b->bodies[0].name, " ", name_of(f));
            const SectionLoad load = carried(*b, f)[0];
            // The reference has fifteen digits, of 21 N.
            CHECK(far_apart(load, truth) < 2e-13 * norm(F));
        }
}

TEST_CASE("A section carries what the weld of the same body, cut and glued again, carries")
{
    // A box that tumbles, with a spring, a load and a drag of its own, and hangs on a ball
    // joint and on another body by a driven hinge.
    Dice dice(17);
    for (int trial = 0; trial < 20; ++trial) {
        const V3 size{dice.uniform(0.5, 1), dice.uniform(0.5, 1), dice.uniform(1, 2)};
        const double at = dice.uniform(-0.3, 0.3) * size.z, density = 300;
        const V3 spin = dice.vector(3);
        const Pose<double> pose{dice.vector(1), dice.rotation()};
        const V3 pivot{0.2, 0.1, -0.45 * size.z}, hook{0.1, -0.2, 0.45 * size.z};
        const auto describe = [&](bool glued) {
            Builder b;
            b.gravity.uniform = {0, 0, -9.81};
            const auto box = [&](const char* name, double from, double to) {
                Body body;
                body.name = name;
                body.mass_properties = solid_box({size.x, size.y, to - from}, density);
                body.pose = pose;
                // The whole box has its frame in its middle; parts have their own.
                body.pose.x = place(pose, V3{0, 0, 0.5 * (from + to)});
                body.shape = Box{{size.x, size.y, to - from}};
                body.angular_velocity = spin;
                body.velocity = cross(spin, body.pose.x - place(pose, pivot));
                return b.add(body);
            };
            const double half = 0.5 * size.z;
            const auto in_part = [&](const V3& r, double from, double to) {
                return r - V3{0, 0, 0.5 * (from + to)};
            };
            double low_to = half, top_from = -half;
            int top = 0;
            if (glued) {
                low_to = top_from = at;
                box("low", -half, at);
                top = box("top", at, half);
                Joint weld = hinge("weld", 0, in_part({0, 0, at}, -half, at), 1,
                                   in_part({0, 0, at}, at, half));
                weld.kind = JointKind::weld;
                b.add(weld);
                Cut cut;
                cut.name = "cut";
                cut.of = Cut::Of::joint;
                b.cuts.push_back(cut);
            } else {
                box("low", -half, half);
                Cut cut;
                cut.name = "cut";
                cut.frame.x = {0, 0, at};
                cut.beyond = *part_beyond(b.bodies[0], cut.frame);
                b.cuts.push_back(cut);
            }
            Joint ball = hinge("ball", world, place(pose, pivot), 0, in_part(pivot, -half, low_to));
            ball.kind = JointKind::ball;
            b.add(ball);
            Body arm = body_with("arm", 20, diagonal(1.0, 2.0, 2.5), zero3<double>(), spin);
            arm.pose = {place(pose, hook), pose.q};
            arm.velocity = cross(spin, arm.pose.x - place(pose, pivot));
            const int other = b.add(arm);
            Joint driven =
                hinge("driven", top, in_part(hook, top_from, half), other, zero3<double>());
            CoordinateLaw law;
            law.stiffness = 30;
            law.rest = 0.4;
            driven.laws = {law};
            b.add(driven);
            Spring spring;
            spring.name = "spring";
            spring.a = {world, {2, 1, 0}};
            spring.b = {top, in_part({0.3, 0.2, half}, top_from, half)};
            spring.stiffness = 200;
            b.springs.push_back(spring);
            AppliedLoad load;
            load.name = "load";
            load.body = top;
            load.force = {10, 20, -30};
            load.torque = {3, 2, 1};
            load.point = in_part({-0.2, 0.1, 0.4 * size.z}, top_from, half);
            b.loads.push_back(load);
            return b;
        };
        for (const Formulation f : both) {
            const SectionLoad whole = carried(describe(false), f)[0],
                              glued = carried(describe(true), f)[0];
            const double much = std::abs(glued.tension) + std::abs(glued.bending_x) + 1000;
            CHECK(far_apart(whole, glued) < 1e-11 * much); // rounding of a few hundred operations
        }
    }
}

TEST_CASE("A cut of a joint carries what acts along it: it is the section just beyond the joint")
{
    // A shaft on a bearing in the world, or a body on a slide, along z; cut where it is joined, and
    // just beyond through the shaft.
    const double L = 1, m = 2;
    const auto describe = [&](JointKind kind, const CoordinateLaw& law) {
        Builder b;
        b.gravity.uniform = {1, -2, -9.81};
        b.add(thin_rod(m, L));
        Joint bearing = hinge("bearing", world, zero3<double>(), 0, zero3<double>());
        bearing.kind = kind;
        bearing.laws = {law};
        bearing.start = {0.4};
        bearing.start_speed = {law.prescribed ? law.prescribed->rate_at(0) : 3};
        b.add(bearing);
        Cut at_joint;
        at_joint.name = "joint";
        at_joint.of = Cut::Of::joint;
        if (kind == JointKind::revolute)
            at_joint.strength.torsion = 5;
        else
            at_joint.strength.tension = at_joint.strength.compression = 5;
        b.cuts.push_back(at_joint);
        const double tiny = 1e-13; // of it is left on the near side
        b.cuts.push_back(across(m, L, tiny));
        return b;
    };
    const auto law_with = [](auto change) {
        CoordinateLaw law;
        change(law);
        return law;
    };
    struct Case {
        const char* what;
        CoordinateLaw law;
        double along; // N or N m on the shaft; NaN: whatever the motion needs
    };
    const double needs = std::nan("");
    const std::vector<Case> cases{
        {"motor", law_with([](CoordinateLaw& l) {
             l.motor = Motor{};
             l.motor->kind = Motor::Kind::force;
             l.motor->target.value = 10;
         }),
         10},
        {"spring", law_with([](CoordinateLaw& l) { l.stiffness = 25, l.rest = 0.8; }), 10},
        {"damper", law_with([](CoordinateLaw& l) { l.damping = 2; }), -6},
        {"friction", law_with([](CoordinateLaw& l) { l.friction = 7; }), -7},
        {"armature", law_with([](CoordinateLaw& l) { l.armature = 0.3, l.damping = 2; }), needs},
        {"prescribed", law_with([](CoordinateLaw& l) {
             l.prescribed = Course{.value = 0.4, .rate = 3, .amplitude = 0.2, .frequency = 1};
         }),
         needs}};
    for (const JointKind kind : {JointKind::revolute, JointKind::prismatic})
        for (const Case& c : cases)
            for (const Formulation f : both) {
                INFO(std::string(c.what), " ", name_of(f));
                const Builder b = describe(kind, c.law);
                const auto loads = carried(b, f);
                // Of the section 1e-13 of the shaft is missing, which weighs that much less.
                CHECK(far_apart(loads[0], loads[1]) < 1e-11 * (m * 9.81 + 10));
                const double along =
                    kind == JointKind::revolute ? loads[0].torsion : -loads[0].tension;
                if (!std::isnan(c.along)) {
                    CHECK(near(along, c.along, 1e-6)); // friction is made smooth
                    CHECK(near(utilisation(loads[0], b.cuts[0].strength), std::abs(c.along) / 5,
                               1e-6));
                }
            }
}

TEST_CASE("A stop that holds a shaft is in the torsion of its cut")
{
    Builder b;
    b.add(thin_rod(2, 1));
    Joint bearing = hinge("bearing", world, zero3<double>(), 0, zero3<double>());
    CoordinateLaw law;
    law.upper = 0;
    bearing.laws = {law};
    b.add(bearing);
    AppliedLoad twist;
    twist.name = "twist";
    twist.torque = {0, 0, 4};
    b.loads.push_back(twist);
    Cut cut;
    cut.name = "joint";
    cut.of = Cut::Of::joint;
    b.cuts.push_back(cut);
    for (const Formulation f : both) {
        const auto model = built(b);
        auto sim = Simulation::start(model, run_in(f, Method::runge_kutta4, 0.01, 0.05));
        REQUIRE(sim);
        while (!sim->done())
            REQUIRE(!sim->step());
        CHECK(near(sim->cuts()[0].load.torsion, -4, 1e-12));
    }
}

TEST_CASE(
    "What of a box lies beyond a plane: both sides make the whole, and a slanted half is half")
{
    Dice dice(23);
    Body box;
    box.name = "box";
    box.shape = Box{{1, 2, 3}};
    box.mass_properties = solid_box({1, 2, 3}, 2.5);
    for (int trial = 0; trial < 100; ++trial) {
        const Pose<double> frame{dice.vector(0.8), dice.rotation()};
        Pose<double> other = frame;
        other.q = frame.q * Quat<double>{0, 1, 0, 0}; // half a turn about x
        const MassProperties up = *part_beyond(box, frame), down = *part_beyond(box, other);
        const MassProperties all = up.mass == 0 ? down : down.mass == 0 ? up : joined(up, down);
        CHECK(near(all.mass, 15, 1e-13));
        CHECK(norm(all.center) < 1e-13);
        CHECK(near(trace(all.inertia), trace(box.mass_properties.inertia), 1e-13));
        CHECK(std::abs(all.inertia.xy) + std::abs(all.inertia.yz) + std::abs(all.inertia.xz) <
              1e-12);
        // Through the middle, however it is turned.
        CHECK(near(part_beyond(box, {zero3<double>(), frame.q})->mass, 7.5, 1e-13));
    }
    Body round;
    round.shape = Cylinder{0.5, 4};
    round.mass_properties = solid_cylinder(0.5, 4, 100);
    const auto top = part_beyond(round, {{0, 0, 1}, identity_quat<double>()});
    REQUIRE(top);
    CHECK(near(top->mass, round.mass_properties.mass / 4, 1e-14));
    CHECK(near(top->center.z, 1.5, 1e-15));
    CHECK(!part_beyond(round, {{0, 0, 1}, exp_quat(V3{0.1, 0, 0})})); // it would not be a cylinder
    box.mass_properties.inertia.xx *= 1.1;                            // not that of an even box
    CHECK(!part_beyond(box, {{0, 0, 1}, identity_quat<double>()}));
}

TEST_CASE("A bushing at the root of a beam carries the beam's weight and its moment")
{
    Builder b;
    b.gravity.uniform = {0, -9.81, 0};
    Beam beam;
    beam.name = "beam";
    beam.segments = 5;
    beam.section = disc(0.05);
    beam.young_modulus = 2e11;
    beam.shear_modulus = 8e10;
    beam.density = 7800;
    beam.root = world;
    REQUIRE(!add(b, beam).any());
    // Let it sag to where it rests: with friction, in a second.
    for (Bushing& seam : b.bushings)
        seam.damping = six_of(std::array<double, 6>{2e5, 2e5, 2e5, 2e3, 2e3, 2e3});
    Cut cut;
    cut.name = "root";
    cut.of = Cut::Of::bushing;
    cut.strength.bending = 400;
    b.cuts.push_back(cut);
    const auto model = built(b);
    for (const Formulation f : both) {
        RunSettings run = run_in(f, Method::bdf, 0.05, 1);
        run.step.tolerance = {1e-10, 1e-10, 1000000};
        auto sim = Simulation::start(model, run);
        REQUIRE(sim);
        while (!sim->done())
            REQUIRE(!sim->step());
        const Input input;
        CutLoads cuts(*model, run.step, input);
        cuts.look(sim->state());
        const SectionLoad& load = cuts.loads()[0];
        const double weight = beam.density * beam.section.area * 9.81,
                     lever = 0.5 - 0.05;         // of the middle
        CHECK(near(load.shear_y, weight, 1e-6)); // what is left of the sagging after a second
        CHECK(near(std::abs(load.bending_x), weight * lever, 1e-4)); // it hangs: levers are shorter
        CHECK(near(utilisation(load, cut.strength), weight * lever / 400, 1e-4));
        CHECK(std::string(utmost(load, cut.strength)) == "bending");
    }
}

TEST_CASE("Cuts that are wrong are named")
{
    Builder b;
    b.add(thin_rod(2, 1));
    b.add_particle("dot", 1, {5, 0, 0}, zero3<double>());
    Cut cut = across(2, 1, 0.5);
    const auto told = [&](const Cut& wrong) {
        Builder c = b;
        c.cuts = {wrong};
        const auto model = c.build();
        return model ? std::string("nothing") : model.problems().text();
    };
    CHECK(told(cut) == "nothing");
    const auto names = [&](const char* words, auto change) {
        Cut wrong = cut;
        change(wrong);
        CHECK_MESSAGE(told(wrong).find(words) != std::string::npos, told(wrong));
    };
    names("body that does not exist", [](Cut& c) { c.index = 7; });
    names("joint that does not exist", [](Cut& c) { c.of = Cut::Of::joint; });
    names("bushing that does not exist", [](Cut& c) { c.of = Cut::Of::bushing; });
    names("no inside to cut", [](Cut& c) { c.index = 1; });
    names("it must be a part of it", [](Cut& c) { c.beyond.mass = 3; });
    names("it must be a part of it", [](Cut& c) { c.beyond.mass = 0; });
    names("no part has this inertia", [](Cut& c) { c.beyond.inertia.xx = 9; });
    names("is not beyond the cut", [](Cut& c) { c.beyond.center.z = 0.4; });
    names("is not beyond the cut", [](Cut& c) { c.frame.q = {0, 1, 0, 0}; });
    names("does not fit into the whole", [](Cut& c) { c.beyond.inertia = diagonal(9., 9., 9.); });
    names("does not fit into the whole", [](Cut& c) { c.beyond.center.z = 20; });
    names("bending must be greater than zero", [](Cut& c) { c.strength.bending = 0; });
    names("tension must be greater than zero", [](Cut& c) { c.strength.tension = std::nan(""); });
    names("finite place", [](Cut& c) { c.frame.x.x = std::nan(""); });
}
