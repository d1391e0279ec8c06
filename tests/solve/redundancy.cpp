// SPDX-License-Identifier: MIT
// Mechanisms whose joints repeat each other: Bricard's, a planar four-bar, a door on two hinges.

#include "poinsot/solve/redundancy.hpp"
#include "joined.hpp"
#include "poinsot/solve/bonds.hpp"
#include "poinsot/solve/direct.hpp"

using namespace poinsot;

namespace {

Quat<double> z_towards(const V3& axis)
{
    const V3 z{0, 0, 1}, turn = cross(z, axis);
    return norm(turn) > 0 ? exp_quat((M_PI / 2) * turn) : identity_quat<double>(); // unit axes
}

/// Rods from corner to corner, a revolute with the axis given at every corner; the first and the
/// last are joined to the world. Rods are bodies with their frames in the world's axes.
Builder polygon(const std::vector<V3>& corners, const std::vector<V3>& axes)
{
    Builder builder;
    for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
        const V3 along = corners[i + 1] - corners[i];
        const double l2 = norm2(along), w2 = 0.01;
        // a rod of 1 × 0.1 × 0.1 m and 1 kg
        const auto moment = [&](double part) { return (part * w2 + (l2 - part * l2) + w2) / 12; };
        const double x = along.x * along.x / l2, y = along.y * along.y / l2,
                     z = along.z * along.z / l2;
        builder.add(body_with(text_of("rod ", i).c_str(), 1,
                              diagonal(moment(x), moment(y), moment(z)), zero3<double>(),
                              zero3<double>()));
        builder.bodies.back().pose.x = 0.5 * (corners[i] + corners[i + 1]);
    }
    for (std::size_t i = 0; i < corners.size(); ++i) {
        Joint joint;
        joint.name = text_of("corner ", i);
        joint.a = i == 0 ? world : static_cast<int>(i) - 1;
        joint.b = i + 1 == corners.size() ? world : static_cast<int>(i);
        const auto frame = [&](int body) {
            const V3 o = body == world ? zero3<double>()
                                       : builder.bodies[static_cast<std::size_t>(body)].pose.x;
            return Pose<double>{corners[i] - o, z_towards(axes[i])};
        };
        joint.frame_a = frame(joint.a);
        joint.frame_b = frame(joint.b);
        builder.add(joint);
    }
    builder.gravity.uniform = {0, -9.81, 0};
    return builder;
}
Builder bricard()
{
    const V3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    return polygon({{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}},
                   {y, z, x, y, z, x});
}
Builder four_bar()
{
    const V3 z{0, 0, 1};
    return polygon({{0, 0, 0}, {0.3, 1, 0}, {2, 1.2, 0}, {2.5, 0, 0}}, {z, z, z, z});
}

} // namespace

TEST_CASE("Bricard's mechanism: thirty rows, of which one repeats the others, and one way to move")
{
    const Redundancy found = redundancy_of(*built(bricard()));
    CHECK(found.rows == 30);
    CHECK(found.rank == 29);
    CHECK(found.freedom == 1);
    REQUIRE(found.repeats.size() == 1);
    CHECK(found.repeats[0].repeated == 1);
    CHECK(found.repeats[0].rows == 5);
    CHECK(found.repeats[0].others.size() == 5); // the whole loop
    CHECK(found.repeats[0].text().find("joint 'corner ") == 0);
    CHECK(found.repeats[0].text().find("already say: 1 of its 5 rows") != std::string::npos);
}

TEST_CASE("Bricard's mechanism moves as its reference does")
{
    const auto r = reference_items("iftomm_A04_bricard.json").at("A04");
    auto sim = Simulation::start(built(bricard()), run_with(Method::runge_kutta4, 2e-3, 1));
    REQUIRE(sim);
    double worst = 0;
    for (std::size_t sample = 1; sample <= 10; ++sample) {
        while (sim->time() < r.at("t")[sample].get<double>() - 1e-9)
            REQUIRE_FALSE(sim->step());
        const PlacedBody rod = sim->placed().bodies[1];
        const V3 corner = rod.x + rod.R * V3{0, -0.5, 0};
        worst = std::max(worst, norm(corner - vec(r.at("P_start_1_m1_0")[sample])));
    }
    CHECK(worst < 1e-9); // RK4 at 2 ms; the reference is good to 6e-11 here
    sim->close_books();
    CHECK(sim->ledger().balanced());
    CHECK(std::abs(sim->ledger().books().total.residual.E()) <
          1e-9 * sim->ledger().books().scale_E);
}

TEST_CASE("A planar four-bar of revolutes is bound three times over")
{
    const auto model = built(four_bar());
    const Redundancy found = redundancy_of(*model);
    CHECK(found.rows == 20);
    CHECK(found.rank == 17);
    CHECK(found.freedom == 1);
    REQUIRE(found.repeats.size() == 1);
    CHECK(found.repeats[0].repeated == 3);
    const Simulation sim = ran(model, run_with(Method::runge_kutta4, 1e-3, 0.5));
    CHECK(sim.ledger().balanced());
    CHECK(std::abs(sim.ledger().books().total.residual.E()) < 1e-9 * sim.ledger().books().scale_E);
    for (const PlacedBody& body : sim.placed().bodies) {
        CHECK(std::abs(body.x.z) < 1e-14); // it stays in its plane
        CHECK(norm(body.v) > 0.01);
    }
}

TEST_CASE("A door on two hinges repeats five rows; a gear told twice repeats one")
{
    Builder builder;
    Dice dice(1);
    builder.add(some_body("door", dice));
    builder.bodies[0].velocity = builder.bodies[0].angular_velocity = zero3<double>();
    builder.bodies[0].pose = identity_pose<double>();
    for (const char* name : {"upper", "lower"}) {
        Joint hinge;
        hinge.name = name;
        hinge.b = 0;
        hinge.frame_a.x.z = hinge.frame_b.x.z = static_cast<double>(builder.joints.size());
        builder.add(hinge);
    }
    const Redundancy door = redundancy_of(*built(builder));
    CHECK(door.rank == 5);
    CHECK(door.freedom == 1);
    REQUIRE(door.repeats.size() == 1);
    CHECK(door.repeats[0].text() ==
          "joint 'lower' repeats what the others (upper) already say: 5 of its 5 rows");

    builder.joints.pop_back();
    Joint axle;
    axle.name = "axle";
    axle.b = builder.add(some_body("wheel", dice));
    builder.bodies[1].velocity = builder.bodies[1].angular_velocity = zero3<double>();
    axle.start = {0.0};
    builder.add(axle);
    builder.gears.push_back({"chain", 0, 0, 1, 0, 2});
    CHECK(redundancy_of(*built(builder)).repeats.empty());
    CHECK(redundancy_of(*built(builder)).freedom == 1);
    builder.gears.push_back({"chain again", 1, 0, 0, 0, 0.5});
    const Redundancy gears = redundancy_of(*built(builder));
    CHECK(gears.freedom == 1);
    REQUIRE(gears.repeats.size() == 1);
    CHECK(gears.repeats[0].origin == Block::Origin::gear);
    CHECK(gears.repeats[0].text().find("1 of its 1 row") != std::string::npos);
}

TEST_CASE("Loads that joints share: the sparse solver's least share is the dense solver's")
{
    for (Builder builder : {bricard(), four_bar()}) {
        builder.gravity.uniform = {1, -9.81, 3}; // out of the plane too
        const Bound at(built(builder));
        std::vector<MovingMass> masses;
        std::vector<Wrench<double>> f;
        std::vector<double> b;
        Loads loads;
        gather_loads(*at.model, at.placed, {}, 0, 0, loads);
        masses_of(at.placed, masses);
        unbound_forces(at.placed, loads.total, f);
        for (const Row& row : at.rows.rows)
            b.push_back(-row.gamma);
        TreeDirect sparse;
        Direct dense;
        Answer a, d;
        sparse.factorise(at.rows, masses);
        sparse.solve(f, b, a);
        dense.factorise(at.rows, masses);
        dense.solve(f, b, d);
        CHECK(sparse.rank() == dense.rank());
        const auto norm_of = [](const std::vector<double>& x, const std::vector<double>& y) {
            double sum = 0;
            for (std::size_t i = 0; i < x.size(); ++i)
                sum += (x[i] - y[i]) * (x[i] - y[i]);
            return std::sqrt(sum);
        };
        const double size = norm_of(d.lambda, std::vector<double>(d.lambda.size(), 0.0));
        CHECK(norm_of(a.lambda, d.lambda) > 0.01 * size);
        // Idle multipliers move nothing.
        for (const auto& idle : idle_multipliers(at.rows, sparse)) {
            std::vector<Wrench<double>> sum(masses.size(), {zero3<double>(), zero3<double>()});
            add_multipliers(at.rows, idle, sum);
            for (const Wrench<double>& W : sum)
                CHECK(norm(W.F) + norm(W.tau) < 1e-13);
        }
        share_least(at.rows, masses, sparse, a.lambda);
        CHECK(norm_of(a.lambda, d.lambda) < 1e-12 * size);
    }
}
