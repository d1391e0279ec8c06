// SPDX-License-Identifier: MIT
#include "poinsot/mass/solids.hpp"
#include "poinsot/state/weighed.hpp"
#include "worlds.hpp"

using namespace poinsot;

namespace {

Tank some_tank(Tank::Room room, Tank::Filling filling, std::uint64_t seed)
{
    Dice dice(seed);
    Tank tank;
    tank.name = "tank";
    tank.room = room;
    tank.filling = filling;
    tank.capacity = 4;
    tank.content = 1.3;
    tank.frame = {dice.vector(1), dice.rotation()};
    tank.size = {0.3, 0.5, 0.8};
    tank.radius = 0.4;
    tank.height = 0.9;
    return tank;
}
double largest(const Sym3<double>& a)
{
    return std::max({std::abs(a.xx), std::abs(a.yy), std::abs(a.zz), std::abs(a.xy), std::abs(a.xz),
                     std::abs(a.yz)});
}

} // namespace

TEST_CASE("Contents of a tank are the solid that they are")
{
    const double m = 1.3;
    const Tank box = some_tank(Tank::Room::box, Tank::Filling::from_bottom, 1);
    const Tank cylinder = some_tank(Tank::Room::cylinder, Tank::Filling::from_bottom, 2);
    const Tank thin = some_tank(Tank::Room::cylinder, Tank::Filling::in_place, 3);
    const auto check_solid = [&](const Tank& tank, const MassProperties& centred, double middle) {
        const MassProperties solid =
            moved(with_mass(moved(centred, V3{0, 0, middle}), m), tank.frame);
        const TankShape shape = shape_of(tank);
        CHECK(norm(shape.center(m) - solid.center) < 1e-15);
        CHECK(largest(shape.inertia(m) - solid.inertia) < 1e-15);
    };
    const double level = 0.9 * m / 4, depth = 0.8 * m / 4;
    CHECK(near(level_of(cylinder, m), level, 1e-15));
    CHECK(level_of(thin, m) == 0);
    check_solid(box, solid_box({0.3, 0.5, depth}, 1), 0.5 * depth);
    check_solid(cylinder, solid_cylinder(0.4, level, 1), 0.5 * level);
    check_solid(thin, solid_cylinder(0.4, 0.9, 1), 0);
}

TEST_CASE("Mass is taken from the surface: first and second moments change by the layer there")
{
    for (const auto room : {Tank::Room::point, Tank::Room::box, Tank::Room::cylinder})
        for (const auto filling : {Tank::Filling::from_bottom, Tank::Filling::in_place}) {
            const TankShape shape = shape_of(some_tank(room, filling, 5));
            const double m = 1.7, d = 1e-5;
            const auto moments = [&](double at) {
                return about_displaced(shape.inertia(at), at, shape.center(at));
            };
            const V3 first =
                (0.5 / d) * ((m + d) * shape.center(m + d) - (m - d) * shape.center(m - d));
            CHECK(norm(first - shape.surface(m)) < 1e-9); // central difference: rounding over d
            const Sym3<double> second = (0.5 / d) * (moments(m + d) - moments(m - d));
            CHECK(largest(second - about_displaced(shape.G, 1.0, shape.surface(m))) < 1e-9);
        }
}

TEST_CASE("A body with tanks weighs as body and contents joined, and rates are what they say")
{
    Builder b;
    Dice dice(9);
    Body body = body_with("hull", 3, dice.inertia(), zero3<double>(), zero3<double>());
    body.mass_properties.center = {0.2, -0.1, 0.4};
    b.add(body);
    b.tanks = {some_tank(Tank::Room::box, Tank::Filling::from_bottom, 1),
               some_tank(Tank::Room::cylinder, Tank::Filling::from_bottom, 2),
               some_tank(Tank::Room::cylinder, Tank::Filling::in_place, 3)};
    const auto flow = [&](Flow::Kind kind, std::vector<int> sources, int target, double rate) {
        Flow made;
        made.name = text_of("flow ", b.flows.size());
        made.kind = kind;
        made.sources = std::move(sources);
        made.target = target;
        made.mass_flow = rate;
        made.point = dice.vector(1);
        made.direction = {0, 0, 1};
        made.exhaust_speed = 1;
        b.flows.push_back(made);
    };
    flow(Flow::Kind::thruster, {0, 2}, -1, 0.3);
    flow(Flow::Kind::pump, {1}, 0, 0.2);
    flow(Flow::Kind::inlet, {}, 1, 0.1);
    b.flows[1].until = b.flows[2].until = 1;
    const auto model = built(b);
    const std::vector<double> contents{1.1, 0.7, 1.9};
    const std::vector<char> on{1, 1, 1};
    // Two of the flows follow controls that move; what is half or twice given is what it was.
    const std::vector<FlowShare> shares{{0.5, 0.7}, {2, -0.3}, {1, 0}};
    Weighed now;
    weigh(*model, contents, on, shares, now);
    MassProperties whole = body.mass_properties;
    for (std::size_t i = 0; i < 3; ++i) {
        const TankShape& shape = model->tank_shapes()[i];
        whole = joined(whole, {contents[i], shape.center(contents[i]), shape.inertia(contents[i])});
    }
    const BodyMass& mass = now.masses[0];
    CHECK(near(mass.m, whole.mass, 1e-15));
    CHECK(norm(mass.center - whole.center) < 1e-15);
    CHECK(largest(mass.I_b - whole.inertia) < 1e-14);

    // m c' = p_flow − Σ μ (e − c): what flows inside, less what leaves.
    const Flow &out = model->flows()[0], &in = model->flows()[2];
    const V3 leaves = 0.15 * (out.point - mass.center) - 0.1 * (in.point - mass.center);
    CHECK(norm(mass.m * mass.center_rate - (mass.flow_p - leaves)) < 1e-14);
    CHECK(near(now.rates[0].m, -0.05, 1e-15, 1));

    // All rates, by differences.
    const double d = 1e-6;
    const auto later = [&](double t) {
        std::vector<double> moved = contents;
        for (std::size_t i = 0; i < 3; ++i)
            moved[i] += t * now.flowing.rates[i];
        std::vector<FlowShare> turned = shares;
        for (FlowShare& share : turned)
            share.now += t * share.rate;
        Weighed made;
        weigh(*model, moved, on, turned, made);
        return made.masses[0];
    };
    const BodyMass after = later(d), before = later(-d);
    const double tolerance = 1e-8; // rounding over d
    CHECK(norm((0.5 / d) * (after.center - before.center) - mass.center_rate) < tolerance);
    CHECK(largest((0.5 / d) * (after.I_b - before.I_b) - sym3_of(now.rates[0].I)) < tolerance);
    CHECK(norm((0.5 / d) * (after.flow_p - before.flow_p) - vec_of(now.rates[0].flow_p)) <
          tolerance);
    CHECK(norm((0.5 / d) * (after.flow_L - before.flow_L) - vec_of(now.rates[0].flow_L)) <
          tolerance);
}

TEST_CASE("Flows close when what they draw on is empty, and those that hang on them too")
{
    std::vector<Tank> tanks(2);
    tanks[0].capacity = 5;
    std::vector<Flow> flows(2);
    flows[0].kind = Flow::Kind::pump; // feeds the second from the first
    flows[0].sources = {0};
    flows[0].target = 1;
    flows[0].mass_flow = 1;
    flows[1].sources = {1};
    flows[1].mass_flow = 1;
    flows[1].from = 2;
    Flowing flowing;
    open_valves(tanks, flows, std::vector<double>{1, 0}, 3, 1e-9, flowing);
    CHECK(flowing.on == std::vector<char>{1, 1}); // fed as fast as it is drawn upon
    CHECK(flowing.rates == std::vector<double>{-1, 0});
    CHECK(time_to_change(tanks, flows, flowing, std::vector<double>{1, 0}, 3, 1e-9) == 1);
    open_valves(tanks, flows, std::vector<double>{0, 0}, 3, 1e-9, flowing);
    CHECK(flowing.on == std::vector<char>{0, 0});
    CHECK(std::isinf(time_to_change(tanks, flows, flowing, std::vector<double>{0, 0}, 3, 1e-9)));
    open_valves(tanks, flows, std::vector<double>{1, 1}, 1, 1e-9, flowing);
    CHECK(flowing.on == std::vector<char>{1, 0}); // the second has not begun
    CHECK(time_to_change(tanks, flows, flowing, std::vector<double>{3, 1}, 1, 1e-9) == 1);
}
