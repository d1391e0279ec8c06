// SPDX-License-Identifier: MIT
// Dense multipliers: the two blocks of the notes, reactions of bodies at rest and in motion, and
// rows that repeat each other.

#include "poinsot/solve/direct.hpp"
#include "joined.hpp"
#include "poinsot/constraints/reaction.hpp"

#include <Eigen/Dense>

using namespace poinsot;

namespace {

struct Solved : Bound {
    std::vector<MovingMass> masses;
    std::vector<Wrench<double>> f;
    std::vector<double> b;
    Direct solver;
    Answer answer;

    explicit Solved(std::shared_ptr<const Model> given) : Bound(std::move(given))
    {
        Loads loads;
        gather_loads(*model, placed, {}, 0, 0, loads);
        masses_of(placed, masses);
        unbound_forces(placed, loads.total, f);
        for (const Row& row : rows.rows)
            b.push_back(-row.gamma);
        solver.factorise(rows, masses);
        solver.solve(f, b, answer);
    }
};

bool close(const V3& a, const V3& b, double tolerance)
{
    return norm(a - b) <= tolerance * (norm(a) + norm(b));
}

Builder two_blocks(const nlohmann::json& r)
{
    Builder builder;
    builder.gravity.uniform = vec(r.at("g"));
    for (const char* which : {"1", "2"}) {
        const std::string w = which;
        const V3 I = vec(r.at("I" + w));
        Body body = body_with(("block " + w).c_str(), r.at("m" + w), diagonal(I.x, I.y, I.z),
                              vec(r.at("v" + w)), vec(r.at("w" + w)));
        body.pose.x = vec(r.at("p" + w));
        builder.add(body);
    }
    Joint joint;
    joint.name = "pin";
    joint.kind = JointKind::point;
    joint.a = 0;
    joint.b = 1;
    joint.frame_a.x = vec(r.at("r1"));
    joint.frame_b.x = vec(r.at("r2"));
    builder.add(joint);
    return builder;
}

} // namespace

TEST_CASE("Two blocks with a point in common: accelerations and force of the notes")
{
    const auto r = reference_items("seed_examples.json").at("two_blocks");
    const Solved at(built(two_blocks(r)));
    const auto& now = r.at("acc0");
    CHECK(close(at.answer.u[0].v, vec(now.at("p1dd")), 1e-14));
    CHECK(close(at.answer.u[0].omega, vec(now.at("w1d")), 1e-14));
    CHECK(close(at.answer.u[1].v, vec(now.at("p2dd")), 1e-14));
    CHECK(close(at.answer.u[1].omega, vec(now.at("w2d")), 1e-14));
    Wrench<double> on_1 = reaction_on(at.rows, at.rows.blocks[0], at.answer.lambda, 0);
    if (at.rows.blocks[0].body[0] != 0)
        on_1 = reaction_on(at.rows, at.rows.blocks[0], at.answer.lambda, 1);
    CHECK(close(on_1.F, vec(now.at("Fc_on_block1")), 1e-14));
    CHECK(at.answer.residual < 1e-15);
    CHECK(at.solver.rank() == 3);
}

TEST_CASE("The 15 equations of the two blocks, solved as one system, give the same")
{
    const auto r = reference_items("seed_examples.json").at("two_blocks");
    const Solved at(built(two_blocks(r)));
    // [M −Jᵀ; J 0] (u, λ) = (f, b), unknowns p1'' w1' p2'' w2' F_c
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(15, 15);
    Eigen::VectorXd right(15);
    const auto numbers = [](const V3& a, const V3& c) {
        Eigen::VectorXd made(6);
        made << a.x, a.y, a.z, c.x, c.y, c.z;
        return made;
    };
    for (int i = 0; i < 2; ++i) {
        const MovingMass& mass = at.masses[static_cast<std::size_t>(i)];
        for (int d = 0; d < 6; ++d) {
            const V3 e{d % 3 == 0 ? 1.0 : 0, d % 3 == 1 ? 1.0 : 0, d % 3 == 2 ? 1.0 : 0};
            const V3 o = zero3<double>();
            const Wrench<double> column = mass.times({d < 3 ? e : o, d < 3 ? o : e});
            K.block<6, 1>(6 * i, 6 * i + d) = numbers(column.F, column.tau);
        }
        const Wrench<double>& f = at.f[static_cast<std::size_t>(i)];
        right.segment<6>(6 * i) = numbers(f.F, f.tau);
    }
    const Block& block = at.rows.blocks[0];
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 2; ++i) {
            const Wrench<double>& J = at.rows.J_of(block, k, i);
            const int c = 6 * block.body[static_cast<std::size_t>(i)];
            K.block<1, 6>(12 + k, c) = numbers(J.F, J.tau).transpose();
            K.block<6, 1>(c, 12 + k) = -numbers(J.F, J.tau);
        }
        right[12 + k] = at.b[static_cast<std::size_t>(k)];
    }
    const Eigen::VectorXd x = K.fullPivLu().solve(right);
    for (int i = 0; i < 2; ++i) {
        const Twist<double>& u = at.answer.u[static_cast<std::size_t>(i)];
        CHECK((x.segment<6>(6 * i) - numbers(u.v, u.omega)).norm() < 1e-14 * x.norm());
    }
    for (int k = 0; k < 3; ++k)
        CHECK(near(x[12 + k], at.answer.lambda[static_cast<std::size_t>(k)], 1e-14, x.norm()));
}

TEST_CASE("An armature is an inertia that its coordinate alone feels")
{
    // A wheel of moment I about its axle with an armature A and a torque Q: q̈ = Q/(I + A).
    Builder builder;
    builder.add(body_with("wheel", 1, diagonal(0.2, 0.2, 0.3), zero3<double>(), zero3<double>()));
    Joint axle;
    axle.name = "axle";
    axle.b = 0;
    axle.laws.resize(1);
    axle.laws[0].armature = 0.5;
    axle.laws[0].motor = Motor{Motor::Kind::force, {2.0}};
    builder.add(axle);
    const Solved at(built(builder));
    CHECK(near(at.answer.u[0].omega.z, 2.0 / 0.8, 1e-15));
    CHECK(near(at.answer.lambda.back(), -0.5 * 2.0 / 0.8, 1e-15));
}

TEST_CASE("A door on two hinges: its motion is right, what each hinge carries along is not unique")
{
    const auto door = [](int hinges) {
        Builder builder;
        builder.gravity.uniform = {0, 0, -9.81};
        Body body =
            body_with("door", 20, diagonal(3.0, 2.0, 1.5), zero3<double>(), zero3<double>());
        body.mass_properties.center = {0.4, 0, 1};
        builder.add(body);
        for (const double z : {0.2, 1.8}) {
            Joint hinge;
            hinge.name = text_of("hinge at ", z);
            hinge.b = 0;
            hinge.frame_a.x = hinge.frame_b.x = {0, 0, z};
            if (static_cast<int>(builder.joints.size()) < hinges)
                builder.add(hinge);
        }
        builder.loads.push_back({"push", 0, {0, 3, 0}, zero3<double>(), {0.8, 0, 1}});
        return built(builder);
    };
    const Solved two(door(2)), one(door(1));
    CHECK(two.rows.count() == 10);
    CHECK(two.solver.rank() == 5);
    CHECK(one.solver.rank() == 5);
    CHECK(norm(two.answer.u[0].v - one.answer.u[0].v) < 1e-14);
    CHECK(norm(two.answer.u[0].omega - one.answer.u[0].omega) < 1e-14);
    CHECK(two.answer.residual < 1e-14);
    // No multiplier of two equal hinges is unique; each takes half of what is along.
    for (std::size_t r = 0; r < 10; ++r)
        CHECK_FALSE(two.solver.unique()[r]);
    const V3 O = zero3<double>();
    const double up_1 = reaction_of(*two.model, two.rows, 0, two.answer.lambda, two.placed, O).F.z;
    const double up_2 = reaction_of(*two.model, two.rows, 1, two.answer.lambda, two.placed, O).F.z;
    CHECK(near(up_1 + up_2, 20 * 9.81, 1e-14));
    for (std::size_t r = 0; r < 5; ++r)
        CHECK(one.solver.unique()[r]);
}

TEST_CASE("Reactions: a rod at its lowest point, a rod at release, and a pendulum's tension")
{
    const auto r = reference_items("structural_loads.json");
    const V3 O = zero3<double>();
    const auto rod = [&](double m, double L, double g, double from_down, double rate) {
        Builder builder;
        builder.gravity.uniform = {0, 0, -g};
        const double I = m * L * L / 12;
        Body body = body_with("rod", m, diagonal(I, I, 1e-3 * I), zero3<double>(), zero3<double>());
        builder.add(body);
        Joint hinge; // axis along y; the rod hangs along −z of its body
        hinge.name = "hinge";
        hinge.b = 0;
        hinge.frame_a.q = hinge.frame_b.q = exp_quat(V3{-M_PI / 2, 0, 0});
        hinge.frame_b.x = {0, 0, L / 2};
        hinge.start = {from_down};
        hinge.start_speed = {rate};
        builder.add(hinge);
        return built(builder);
    };
    {
        const auto& c = r.at("rod_pendulum_reaction");
        const double m = c.at("m"), L = c.at("L"), g = c.at("g");
        // From rest when level: ω² = 3 g/L at the bottom.
        const Solved bottom(rod(m, L, g, 0, std::sqrt(3 * g / L)));
        const auto W =
            reaction_of(*bottom.model, bottom.rows, 0, bottom.answer.lambda, bottom.placed, O);
        CHECK(near(W.F.z, c.at("bottom"), 1e-14));
        CHECK(std::abs(W.F.x) < 1e-14 * W.F.z);
        CHECK(norm(W.tau) < 1e-13);
        const Solved release(rod(m, L, g, M_PI / 2, 0));
        CHECK(near(
            reaction_of(*release.model, release.rows, 0, release.answer.lambda, release.placed, O)
                .F.z,
            c.at("release"), 1e-14));
    }
    const auto& c = r.at("pendulum_tension");
    for (const auto& sample : c.at("samples")) {
        const double theta = sample.at("theta_deg").get<double>() * M_PI / 180;
        const double m = c.at("m"), g = c.at("g"), l = 1.3;
        Builder builder;
        builder.gravity.uniform = {0, 0, -g};
        const double speed = std::sqrt(2 * g * l * std::max(0.0, std::cos(theta)));
        builder.add_particle("bob", m, {l * std::sin(theta), 0, -l * std::cos(theta)},
                             {speed * std::cos(theta), 0, speed * std::sin(theta)});
        Joint string;
        string.name = "string";
        string.kind = JointKind::distance;
        string.b = 0;
        string.length = l;
        builder.add(string);
        const Solved at(built(builder));
        // A tension pulls the bob inwards: the opposite of the row's direction.
        CHECK(near(-at.answer.lambda[0], sample.at("T"), 1e-14, m * g));
    }
}

TEST_CASE("Welded boxes that spin freely: the wrench in the glue")
{
    const auto c = reference_items("structural_loads.json").at("weld_two_boxes");
    const V3 size_1 = vec(c.at("box1")), size_2 = vec(c.at("box2")),
             omega = vec(c.at("omega_body"));
    const auto box = [](const char* name, double m, const V3& s, const V3& x) {
        Body body = body_with(name, m,
                              (m / 12) * diagonal(s.y * s.y + s.z * s.z, s.x * s.x + s.z * s.z,
                                                  s.x * s.x + s.y * s.y),
                              zero3<double>(), zero3<double>());
        body.pose.x = x;
        return body;
    };
    Builder builder;
    builder.add(box("box 1", c.at("m1"), size_1, zero3<double>()));
    builder.add(box("box 2", c.at("m2"), size_2, {0.5 * (size_1.x + size_2.x), 0, 0}));
    for (Body& body : builder.bodies) {
        body.angular_velocity = omega;
        body.velocity = cross(omega, body.pose.x);
    }
    Joint weld;
    weld.name = "weld";
    weld.kind = JointKind::weld;
    weld.a = 0;
    weld.b = 1;
    weld.frame_a.x = {0.5 * size_1.x, 0, 0};
    weld.frame_b.x = {-0.5 * size_2.x, 0, 0};
    builder.add(weld);
    const Solved at(built(builder));
    CHECK(close(at.answer.u[0].omega, vec(c.at("alpha")), 1e-14));
    const auto W = reaction_of(*at.model, at.rows, 0, at.answer.lambda, at.placed, weld.frame_a.x);
    CHECK(close(W.F, vec(c.at("force_on_box2_body_axes")), 2e-14));
    CHECK(close(W.tau, vec(c.at("moment_on_box2_at_interface_centre")), 2e-13));
}
