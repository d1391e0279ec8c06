// SPDX-License-Identifier: MIT
// Laws of impact: closed forms, Kane's rod, who makes energy and who does not.

#include "solve/impacts.hpp"

#include <rapidcheck.h>

using namespace poinsot;

namespace {

Touching balls_in_line(const nlohmann::json& item)
{
    Touching made;
    for (std::size_t i = 0; i < item.at("m").size(); ++i) {
        const double m = item["m"][i], at = static_cast<double>(i);
        made.add(m, diagonal(0.1 * m, 0.1 * m, 0.1 * m), {at, 0, 0},
                 {V3{item["v0"][i].get<double>(), 0, 0}, zero3<double>()});
        if (i > 0)
            made.touch(static_cast<int>(i) - 1, static_cast<int>(i), {at - 0.5, 0, 0}, {1, 0, 0},
                       0);
    }
    return made;
}

/// Two rods of length and mass 1 hang one from the other; the tip strikes the ground. In joint
/// angles from the vertical; u_n is up, u_t along the ground.
struct KanesRod {
    double M11 = 4.0 / 3, M12, M22 = 1.0 / 3;
    double n[2], t[2];
    double omega[2] = {-0.1, -0.2};

    KanesRod(double a, double b)
        : M12(0.5 * std::cos(a - b)), n{std::sin(a), std::sin(b)}, t{std::cos(a), std::cos(b)}
    {
    }
    double inv_M(const double* x, const double* y) const
    {
        const double det = M11 * M22 - M12 * M12;
        return (M22 * x[0] * y[0] - M12 * (x[0] * y[1] + x[1] * y[0]) + M11 * x[1] * y[1]) / det;
    }
    ContactProblem problem(double mu) const
    {
        ContactProblem made;
        made.W.resize(2, 2);
        made.W(0, 0) = inv_M(n, n);
        made.W(0, 1) = made.W(1, 0) = inv_M(n, t);
        made.W(1, 1) = inv_M(t, t);
        made.q.resize(2);
        made.q(0) = n[0] * omega[0] + n[1] * omega[1];
        made.q(1) = t[0] * omega[0] + t[1] * omega[1];
        made.blocks = {contact_rows(0, mu, 1)};
        return made;
    }
    double energy() const
    {
        return 0.5 * (M11 * omega[0] * omega[0] + M22 * omega[1] * omega[1]) +
               M12 * omega[0] * omega[1];
    }
};
/// The same as two free rods with hinges.
struct KanesRodInSpace {
    Rows rows;
    std::vector<MovingMass> masses;
    ContactProblem problem;
    Eigen::VectorXd u_before;

    KanesRodInSpace(double a, double b, double mu)
    {
        const double I = 1.0 / 12;
        const V3 end_a{std::sin(a), 0, -std::cos(a)}, end_b{std::sin(b), 0, -std::cos(b)};
        Touching world;
        const double wa = -0.1, wb = -0.2;
        // The rods turn about −y: x = sin θ, z = −cos θ.
        const V3 turn_a{0, -wa, 0}, turn_b{0, -wb, 0};
        const V3 v_a = cross(turn_a, 0.5 * end_a);
        const V3 v_b = cross(turn_a, end_a) + cross(turn_b, 0.5 * end_b);
        world.add(1, diagonal(I, I, I), 0.5 * end_a, {v_a, turn_a});
        world.add(1, diagonal(I, I, I), end_a + 0.5 * end_b, {v_b, turn_b});
        // Contact first; hinges by three rows each along the axes.
        world.touch(-1, 1, end_a + end_b, {0, 0, 1}, mu);
        world.touch(-1, 0, zero3<double>(), {0, 0, 1}, 0);
        world.touch(0, 1, end_a, {0, 0, 1}, 0);
        rows = world.rows;
        masses = world.masses;
        problem = world.problem();
        problem.rows = &rows;
        problem.masses = masses;
        problem.blocks[1] = free_rows(3, 3);
        problem.blocks[2] = free_rows(6, 3);
        u_before = problem.q;
    }
};

} // namespace

TEST_CASE("Work below the rounding of what reactions and speeds do is no gain")
{
    // A contact that bears a load and moves by rounding: 1e-20 J of 1 J.
    ContactProblem problem;
    problem.W = Eigen::MatrixXd::Identity(1, 1);
    problem.q = Eigen::VectorXd::Constant(1, -1);
    problem.blocks = {contact_rows(0, 0, 0)};
    const Eigen::VectorXd before = Eigen::VectorXd::Constant(1, 1e-20);
    ImpactAnswer answer;
    answer.contact.r = Eigen::VectorXd::Constant(1, 1);
    answer.contact.u = before;
    const double tiny = work_of(problem.blocks[0], before, answer);
    CHECK(tiny > 0);
    CHECK(tiny < work_rounding(problem, before, answer));
    answer.contact.u = Eigen::VectorXd::Constant(1, 1e-6); // and this is one
    CHECK(work_of(problem.blocks[0], before, answer) > work_rounding(problem, before, answer));
}

TEST_CASE("Impact: the impulse of one contact is that of the notes, j = −(1 + e) v_rel/c")
{
    const auto item = closed_form("impact_blocks");
    const auto tensor = [](const nlohmann::json& I) {
        return diagonal(I[0][0].get<double>(), I[1][1].get<double>(), I[2][2].get<double>());
    };
    Touching world;
    const int A = world.add(item["mA"], tensor(item["IA"]), -vec(item["rA"]),
                            {vec(item["vA"]), vec(item["wA"])});
    const int B = world.add(item["mB"], tensor(item["IB"]), -vec(item["rB"]),
                            {vec(item["vB"]), vec(item["wB"])});
    world.touch(B, A, zero3<double>(), vec(item["N"]), 0);
    const ContactProblem problem = world.problem();
    CHECK(near(problem.q(0), item["vrel_minus"], 1e-14));
    CHECK(near(delassus_of(problem)(0, 0), item["c"], 1e-14));
    for (const ImpactLaw law : all_laws)
        for (const ImpactOrder order : {ImpactOrder::together, ImpactOrder::in_sequence}) {
            CAPTURE(name_of(law));
            const ImpactAnswer answer = hit(problem, item["e"].get<double>(), by(law, order));
            CHECK(answer.contact.solved);
            const Eigen::VectorXd& r = answer.contact.r;
            CHECK(near(r(0), item["j"], 1e-14));
            CHECK(near(answer.restored(0), r(0) * 0.6 / 1.6, 1e-14));
            CHECK(near_vec(world.motion(A, r).v, vec(item["vA_plus"]), 2e-14));
            CHECK(near_vec(world.motion(A, r).omega, vec(item["wA_plus"]), 2e-14));
            CHECK(near_vec(world.motion(B, r).v, vec(item["vB_plus"]), 2e-14));
            CHECK(near_vec(world.motion(B, r).omega, vec(item["wB_plus"]), 2e-14));
            CHECK(near(-answer.work, item["energy_loss"], 1e-13));
            CHECK(answer.gaining.empty());
        }
}

TEST_CASE("Impact: a ball on the ground slips or sticks as the closed forms say")
{
    for (const char* name : {"sphere_oblique_slip", "sphere_oblique_stick"}) {
        CAPTURE(name);
        const auto item = closed_form(name);
        const double R = item["R"], I = 0.4 * R * R;
        Touching world;
        world.add(1, diagonal(I, I, I), {0, 0, R}, {vec(item["v"]), vec(item["w"])});
        world.touch(-1, 0, zero3<double>(), {0, 0, 1}, item["mu"]);
        for (const ImpactLaw law : all_laws) {
            CAPTURE(name_of(law));
            const ImpactAnswer answer = hit(world.problem(), item["e"].get<double>(), by(law));
            CHECK(answer.contact.solved);
            CHECK(near(answer.contact.r(0), item["jn_per_m"], 1e-14));
            // Moreau's stick is u_t⁺ = −e u_t⁻: friction bounces too.
            if (law == ImpactLaw::moreau && item["mode"] == "stick") {
                CHECK(near(answer.contact.u(1), -0.7 * world.problem().q(1), 1e-13, 1));
                CHECK(near(answer.contact.u(2), -0.7 * world.problem().q(2), 1e-13, 1));
                continue;
            }
            CHECK(near_vec(world.motion(0, answer.contact.r).v, vec(item["v_plus"]), 1e-13));
            CHECK(near_vec(world.motion(0, answer.contact.r).omega, vec(item["w_plus"]), 1e-12));
        }
    }
}

TEST_CASE("Newton's cradle: balls struck in sequence, as the closed forms say")
{
    for (const char* name : {"cradle_e1", "cradle_2balls", "cradle_masses", "cradle_e09"}) {
        CAPTURE(name);
        const auto item = closed_form(name);
        const Touching world = balls_in_line(item);
        for (const ImpactLaw law : all_laws) {
            CAPTURE(name_of(law));
            const ImpactAnswer answer =
                hit(world.problem(), item["e"].get<double>(), by(law, ImpactOrder::in_sequence));
            CHECK(answer.contact.solved);
            CHECK_FALSE(answer.cut_short);
            CHECK(answer.rounds >= 1);
            for (std::size_t i = 0; i < item["m"].size(); ++i)
                CHECK(near(world.motion(static_cast<int>(i), answer.contact.r).v.x,
                           item["v_final"][i], 1e-14, 1));
        }
    }
}

TEST_CASE("Three balls struck together part with −1/3, 2/3, 2/3")
{
    const nlohmann::json item = {{"m", {1, 1, 1}}, {"v0", {1, 0, 0}}};
    const Touching world = balls_in_line(item);
    for (const ImpactLaw law : all_laws) {
        CAPTURE(name_of(law));
        const ImpactAnswer answer = hit(world.problem(), 1, by(law));
        const auto speed = [&](int i) { return world.motion(i, answer.contact.r).v.x; };
        CHECK(near(speed(0), -1.0 / 3, 1e-13));
        CHECK(near(speed(1), 2.0 / 3, 1e-13));
        CHECK(near(speed(2), 2.0 / 3, 1e-13));
        CHECK(near(answer.work, 0, 1e-13, 1));
        CHECK(answer.gaining.empty());
        // The second contact was at rest: its e says nothing, and its impulse is half restitution.
        if (law == ImpactLaw::poisson)
            continue;
        const ImpactAnswer same = hit(world.problem(), {1, 0}, by(law));
        CHECK(largest_difference(same.contact.r, answer.contact.r) <= 1e-13);
        CHECK(near(same.restored(3), same.contact.r(3) / 2, 1e-12));
        CHECK_FALSE(same.eased);
    }
}

TEST_CASE("Kane's rod: Newton's law makes energy, and is named; the default does not")
{
    const double deg = std::acos(-1.0) / 180;
    const KanesRod rod(20 * deg, 30 * deg);
    const ContactProblem problem = rod.problem(0.5);
    const double e = 0.5, before = rod.energy();

    const ImpactAnswer newton = hit(problem, e, by(ImpactLaw::newton));
    CHECK(newton.contact.solved);
    CHECK(near(newton.contact.u(0), -e * problem.q(0), 1e-12));
    CHECK(newton.work > 0.01 * before);
    CHECK(newton.gaining == std::vector<int>{0});

    const ImpactAnswer stronge = hit(problem, e);
    CHECK(stronge.work < 0);
    CHECK(stronge.gaining.empty());
    const ImpactAnswer moreau = hit(problem, e, by(ImpactLaw::moreau));
    CHECK(moreau.work < 0);
    CHECK(moreau.gaining.empty());
    MESSAGE("energy of Kane's rod: ", before, " J; made by Newton's law ", newton.work,
            " J, by Poisson's ", hit(problem, e, by(ImpactLaw::poisson)).work,
            " J, by the energetic ", stronge.work, " J, by Moreau's ", moreau.work, " J");

    // Two free rods and their hinges are the same rod.
    const KanesRodInSpace space(20 * deg, 30 * deg, 0.5);
    for (const ImpactLaw law : all_laws) {
        CAPTURE(name_of(law));
        const ImpactAnswer flat = hit(problem, e, by(law));
        const ImpactAnswer full = hit(space.problem, e, by(law));
        CHECK(full.contact.solved);
        CHECK(near(full.contact.r(0), flat.contact.r(0), 1e-11));
        CHECK(near(full.contact.u(0), flat.contact.u(0), 1e-11));
        CHECK(near(full.work, flat.work, 1e-10));
        CHECK(full.gaining == flat.gaining);
        for (int i = 3; i < 9; ++i)
            CHECK(near(full.contact.u(i), 0, 1e-12, 1));
        const ImpactAnswer after = hit(space.problem, e, by(law, ImpactOrder::in_sequence));
        CHECK(near(after.contact.r(0), flat.contact.r(0), 1e-11));
    }
}

TEST_CASE("Impact: the default never makes energy, in random collisions")
{
    double worst = -infinity;
    int eased = 0, several = 0, asked = 0, solved = 0;
    CHECK(rc::check([&](unsigned seed) {
        Dice dice(seed);
        const int contacts =
            dice.uniform(0, 1) < 0.5 ? 1 : 2 + static_cast<int>(dice.uniform(0, 3));
        Touching world = some_collision(dice, contacts, 2);
        ContactProblem problem = world.problem();
        let_approach(problem, world);
        std::vector<double> e;
        for (int i = 0; i < contacts; ++i)
            e.push_back(dice.uniform(-0.2, 1.2));
        for (double& x : e)
            x = std::clamp(x, 0.0, 1.0);
        for (const ImpactOrder order : {ImpactOrder::together, ImpactOrder::in_sequence}) {
            const auto answer =
                solve_impact(problem, problem.q, e, by(ImpactLaw::energetic, order));
            RC_ASSERT(bool(answer));
            RC_ASSERT(answer->gaining.empty());
            ++asked;
            solved += answer->contact.solved;
            RC_ASSERT(answer->contact.solved || contacts > 1); // one blow always ends
            // What is told is that of what was not solved.
            RC_ASSERT(answer->contact.solved == (answer->contact.residual <= 1e-10));
            const auto [before, after] = energies(world, answer->contact.r);
            // Cones are solved to 1e-10 of q; rounding is far below. What was not solved makes none
            // either.
            worst = std::max(worst, (after - before) / before);
            RC_ASSERT(after - before <= 1e-10 * before);
            if (!answer->contact.solved)
                continue;
            several += contacts > 1;
            eased += answer->eased;
            // The work of reactions is the change of energy.
            RC_ASSERT(std::abs(after - before - answer->work) <= 1e-11 * before);
            for (int i = 0; i < contacts; ++i) {
                const double r_n = answer->contact.r(3 * i);
                const double r_t =
                    std::sqrt(answer->contact.r(3 * i + 1) * answer->contact.r(3 * i + 1) +
                              answer->contact.r(3 * i + 2) * answer->contact.r(3 * i + 2));
                RC_ASSERT(r_n >= 0);
                RC_ASSERT(r_t <= problem.blocks[static_cast<std::size_t>(i)].mu * r_n + 1e-12);
                RC_ASSERT(answer->restored(3 * i) >= 0);
                RC_ASSERT(answer->restored(3 * i) <= r_n + 1e-15);
            }
        }
    }));
    CHECK(solved >= 0.98 * asked); // cones of μ up to 2 need not have an answer
    MESSAGE("largest relative change of energy ", worst, "; eased ", eased, " of ", several,
            "; solved ", solved, " of ", asked);
}

// Some of the contacts are open: 0 ≤ r ⊥ u⁺ + max(gap/h, u⁻) ≥ 0 for these, whatever the law and
// what the others do, so that none of them makes energy.
TEST_CASE("Impact: what is held before it touches takes energy and gives none")
{
    int held = 0;
    CHECK(rc::check([&](unsigned seed) {
        Dice dice(seed);
        const int contacts = 1 + static_cast<int>(dice.uniform(0, 4));
        Touching world = some_collision(dice, contacts, 0);
        ContactProblem problem = world.problem();
        const Eigen::VectorXd before = problem.q;
        std::vector<double> e, ahead;
        for (int i = 0; i < contacts; ++i) {
            problem.q(3 * i) -= dice.uniform(0, 2); // loads
            e.push_back(dice.uniform(0, 1));
            ahead.push_back(std::max(0.0, dice.uniform(-0.5, 1)));
        }
        for (const ImpactLaw law : all_laws)
            for (const ImpactOrder order : {ImpactOrder::together, ImpactOrder::in_sequence}) {
                const auto answer = solve_impact(problem, before, e, by(law, order), {}, ahead);
                RC_ASSERT(bool(answer));
                if (!answer->contact.solved)
                    continue;
                const double small = 1e-8 * (1 + answer->contact.r.cwiseAbs().maxCoeff());
                for (int i = 0; i < contacts; ++i) {
                    const auto b = static_cast<std::size_t>(i);
                    const double r = answer->contact.r(3 * i), u = answer->contact.u(3 * i);
                    if (ahead[b] == 0)
                        continue;
                    RC_ASSERT(r >= 0);
                    RC_ASSERT(answer->restored(3 * i) == 0);
                    RC_ASSERT(work_of(problem.blocks[b], before, *answer) <= small);
                    if (r > small)
                        RC_ASSERT(u <= -std::max(ahead[b], before(3 * i)) + small);
                    held += r > small;
                }
            }
    }));
    CHECK(held > 100);
}

namespace {

// Two rods whose hinges have come off their course: in the answer they are back, which moves the
// tip as a load does.
KanesRodInSpace rods_off_course(unsigned seed, Dice& dice)
{
    const double mu = seed % 3 == 0 ? 0 : dice.uniform(0, 1);
    KanesRodInSpace rods(dice.uniform(0.1, 1.4), dice.uniform(0.1, 1.4), mu);
    rods.u_before(0) = -dice.uniform(0, 1);
    for (int i = 3; i < 9; ++i)
        rods.u_before(i) = dice.uniform(-1, 1);
    return rods;
}

} // namespace

TEST_CASE("Impact: one blow makes no energy where joints take back what they lost in the same step")
{
    int struck = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        Dice dice(seed);
        KanesRodInSpace rods = rods_off_course(seed, dice);
        const Eigen::VectorXd& before = rods.u_before;
        rods.problem.q = before;
        for (int i = 0; i < 3; ++i)
            rods.problem.q(i) += dice.uniform(-0.5, 0.5);
        const std::array<double, 3> e{dice.uniform(0, 1), 0, 0};
        const auto answer = solve_impact(rods.problem, before, e, by(ImpactLaw::energetic));
        REQUIRE(answer);
        CHECK(answer->contact.solved);
        CHECK(answer->gaining.empty());
        struck += answer->contact.r(0) > 0;
    }
    CHECK(struck > 100);
}

TEST_CASE("Impact: blows in sequence make no energy where joints take back what they lost")
{
    int struck = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        Dice dice(seed);
        KanesRodInSpace rods = rods_off_course(seed, dice);
        const Eigen::VectorXd& before = rods.u_before;
        rods.problem.q = before; // no loads: what acts is what joints take back
        const std::array<double, 3> e{dice.uniform(0, 1), 0, 0};
        for (const ImpactLaw law : {ImpactLaw::energetic, ImpactLaw::moreau}) {
            ImpactSettings how = by(law);
            how.order = ImpactOrder::in_sequence;
            const auto answer = solve_impact(rods.problem, before, e, how);
            REQUIRE(answer);
            CAPTURE(seed);
            CHECK(answer->contact.solved);
            CHECK(answer->gaining.empty());
            struck += answer->contact.r(0) > 0;
        }
    }
    CHECK(struck > 200);
}

TEST_CASE("Impact: energy that a law makes is seen and its contacts are named")
{
    // Planted: reactions of the default law, half as large again.
    Dice dice(3);
    Touching world = some_collision(dice, 1, 0);
    ContactProblem problem = world.problem();
    let_approach(problem, world);
    ImpactAnswer answer = hit(problem, 1);
    CHECK(answer.gaining.empty());
    for (Eigen::Index i = 0; i < 3; ++i)
        answer.contact.r(i) *= 1.5;
    answer.contact.u = speeds_of(problem, answer.contact.r);
    judge_energy(problem, problem.q, answer);
    const auto [before, after] = energies(world, answer.contact.r);
    CHECK(after > before);
    CHECK(near(answer.work, after - before, 1e-12));
    CHECK(answer.gaining == std::vector<int>{0});

    // Newton's does it in some random collisions, Poisson's in few; whenever they do it is said.
    int made[4] = {};
    for (unsigned seed = 0; seed < 300; ++seed) {
        Dice more(seed);
        Touching bodies = some_collision(more, 2, 1.5);
        ContactProblem touching = bodies.problem();
        let_approach(touching, bodies);
        const std::vector<double> e{more.uniform(0, 1), more.uniform(0, 1)};
        for (const ImpactLaw law : all_laws) {
            const auto tried = hit(touching, e, by(law));
            if (!tried.contact.solved)
                continue;
            const auto [first, last] = energies(bodies, tried.contact.r);
            CHECK((last - first > 1e-9 * first) == !tried.gaining.empty());
            made[static_cast<int>(law)] += !tried.gaining.empty();
        }
    }
    CHECK(made[static_cast<int>(ImpactLaw::energetic)] == 0);
    CHECK(made[static_cast<int>(ImpactLaw::moreau)] == 0);
    CHECK(made[static_cast<int>(ImpactLaw::newton)] > 0);
    MESSAGE("of 300 collisions Newton's law made energy in ",
            made[static_cast<int>(ImpactLaw::newton)], ", Poisson's in ",
            made[static_cast<int>(ImpactLaw::poisson)]);
}

TEST_CASE("Impact: Poisson's law makes energy where a rough wall is dead and a smooth one springs")
{
    // One body strikes both at once, with a tip each. What the rough one takes up of the slip, the
    // smooth one gives back as if it had been its own.
    Touching wedge;
    const Sym3<double> inertia{0.829, 0.795, 0.341, -0.033, 0.1, 0.164};
    const int body = wedge.add(1.16, inertia, zero3<double>(),
                               {{0.285, -1.032, -1.397}, {-0.774, 0.293, 0.442}});
    const auto leans = [](const V3& axis, double angle) {
        return rotate(exp_quat((angle / norm(axis)) * axis), V3{0, 0, 1});
    };
    wedge.touch(-1, body, {0.935, 0.006, 1.354}, leans({0.115, 0.803, 0}, 0.947), 0.93);
    wedge.touch(-1, body, {0.243, -1.11, 1.289}, leans({0.525, -0.542, 0}, 2.286), 0);
    const std::vector<double> e{0.2, 0.87};
    for (const ImpactLaw law : all_laws) {
        const ContactProblem problem = wedge.problem();
        const auto answer = hit(problem, e, by(law));
        REQUIRE(answer.contact.solved);
        const auto [before, after] = energies(wedge, answer.contact.r);
        if (law == ImpactLaw::poisson) {
            CHECK(after > 1.1 * before);
            CHECK(answer.gaining == std::vector<int>{1});
        } else if (law != ImpactLaw::newton) {
            CHECK(after < before);
            CHECK(answer.gaining.empty());
        }
    }
}

TEST_CASE("Moreau's law with several restitutions may make energy: then the smallest is taken")
{
    int eased = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
        Dice dice(seed);
        Touching world = some_collision(dice, 3, 1);
        ContactProblem problem = world.problem();
        let_approach(problem, world);
        const std::vector<double> e{1, 0, dice.uniform(0, 1)};
        const ImpactAnswer answer = hit(problem, e, by(ImpactLaw::moreau));
        if (!answer.contact.solved)
            continue;
        const auto [before, after] = energies(world, answer.contact.r);
        CHECK(after <= before * (1 + 1e-10));
        eased += answer.eased;
        if (!answer.eased)
            continue;
        double least = 1;
        for (int i = 0; i < 3; ++i)
            if (problem.q(3 * i) < 0)
                least = std::min(least, e[static_cast<std::size_t>(i)]);
        ContactProblem one = problem; // without loads u⁻ is q
        for (Eigen::Index i = 0; i < one.q.size(); ++i)
            one.q(i) *= 1 + least;
        const Eigen::VectorXd& r = answer.contact.r;
        CHECK(natural_residual(one, r, speeds_of(one, r)) <= 1e-9);
    }
    CHECK(eased > 0);
    MESSAGE("eased in ", eased, " of 400");
}

TEST_CASE("Impact: without friction all laws agree for one contact, and the loss is ½(1 − e²)u²/W")
{
    Dice dice(8);
    for (int k = 0; k < 50; ++k) {
        Touching world = some_collision(dice, 1, 0);
        ContactProblem problem = world.problem();
        let_approach(problem, world);
        const double e = dice.uniform(0, 1), W = delassus_of(problem)(0, 0), u = problem.q(0);
        for (const ImpactLaw law : all_laws) {
            CAPTURE(name_of(law));
            const ImpactAnswer answer = hit(problem, e, by(law));
            CHECK(near(answer.contact.r(0), -(1 + e) * u / W, 1e-13));
            CHECK(near(answer.contact.u(0), -e * u, 1e-12, std::abs(u)));
            CHECK(near(answer.work, -0.5 * (1 - e * e) * u * u / W, 1e-12, u * u / W));
            CHECK(near(answer.restored(0), -e * u / W, 1e-12));
        }
    }
}

TEST_CASE("Impact: Poisson's, Newton's and the energetic law agree where the contact is central")
{
    Dice dice(9);
    for (int k = 0; k < 50; ++k) {
        const double R = dice.uniform(0.1, 2), I = dice.uniform(0.1, 1), mu = dice.uniform(0, 1);
        Touching world;
        world.add(1, diagonal(I, I, I), {0, 0, R},
                  {V3{dice.uniform(-1, 1), dice.uniform(-1, 1), -1}, dice.vector(2)});
        world.touch(-1, 0, zero3<double>(), {0, 0, 1}, mu);
        const double e = dice.uniform(0, 1);
        const ImpactAnswer energetic = hit(world.problem(), e);
        for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson}) {
            CAPTURE(name_of(law));
            const ImpactAnswer answer = hit(world.problem(), e, by(law));
            CHECK(largest_difference(answer.contact.r, energetic.contact.r) <= 1e-12);
            CHECK(near(answer.restored(0), energetic.restored(0), 1e-12));
        }
    }
}

TEST_CASE("Impact: without restitution the laws of the cone are left")
{
    Dice dice(10);
    for (int k = 0; k < 40; ++k) {
        ContactProblem problem = some_contacts(dice, 1 + k % 4, 3 + 3 * (1 + k % 4), 0.8);
        const auto cone = solve_cones(problem);
        ContactProblem flies = problem; // what leaves and is turned back is in flight meanwhile
        for (const ContactBlock& block : problem.blocks)
            flies.q(block.first) += std::max(0.0, problem.q(block.first));
        const auto in_flight = solve_cones(flies);
        for (const ImpactLaw law : all_laws) {
            CAPTURE(name_of(law));
            if (law == ImpactLaw::energetic && problem.blocks.size() == 1)
                continue; // slip that turns within the blow is not the cone's
            const ImpactAnswer answer = hit(problem, 0, by(law));
            const auto& expected = law == ImpactLaw::energetic ? in_flight : cone;
            CHECK(largest_difference(answer.contact.r, expected->r) <= 1e-10);
            CHECK(answer.restored.size() == problem.q.size());
            for (Eigen::Index i = 0; i < answer.restored.size(); ++i)
                CHECK(answer.restored(i) == 0);
        }
    }
}

TEST_CASE("Impact: loads make no restitution")
{
    // A ball that rests under gravity, and one that arrives: g h is not part of the blow.
    const double load = -0.0981, e = 0.8;
    for (const double v : {0.0, -2.0}) {
        Touching ball;
        ball.add(1, diagonal(0.1, 0.1, 0.1), {0, 0, 0.5}, {V3{0, 0, v + load}, zero3<double>()});
        ball.touch(-1, 0, zero3<double>(), {0, 0, 1}, 0.3);
        Eigen::VectorXd before = Eigen::VectorXd::Zero(3);
        before(0) = v;
        for (const ImpactLaw law : all_laws)
            for (const ImpactOrder order : {ImpactOrder::together, ImpactOrder::in_sequence}) {
                CAPTURE(name_of(law));
                const double given[] = {e};
                const auto answer = solve_impact(ball.problem(), before, given, by(law, order));
                REQUIRE(answer);
                CHECK(answer->gaining.empty());
                const bool phases = law == ImpactLaw::energetic || law == ImpactLaw::poisson ||
                                    order == ImpactOrder::in_sequence;
                // The energetic blow in the middle of the load; other phases before it. Else
                // u⁺ = −e u⁻ at the end of the step.
                const double part =
                    law == ImpactLaw::energetic && order == ImpactOrder::together ? 0.5 : 0;
                const double arrives = v == 0 ? 0 : v + part * load;
                CHECK(near(answer->contact.u(0),
                           v == 0 ? 0 : -e * arrives + (phases ? (1 - part) * load : 0), 1e-13, 1));
                CHECK(near(answer->restored(0), -e * arrives, 1e-12));
            }
    }
}

TEST_CASE("Impact: sweeps give the answer of cones, with joints and stops in the same problem")
{
    Dice dice(12);
    for (int k = 0; k < 30; ++k) {
        CAPTURE(k);
        const int contacts = 1 + k % 3, n = 4 + 3 * contacts;
        const SomeRows some(dice, n, n + 4);
        ContactProblem problem;
        problem.W = some.W;
        problem.q = some.q;
        problem.q(0) = problem.q(1) = 0;
        problem.blocks = {free_rows(0, 2), bounded_row(2, -0.1, 0.1), bounded_row(3, 0, infinity)};
        for (int i = 0; i < contacts; ++i)
            problem.blocks.push_back(contact_rows(4 + 3 * i, dice.uniform(0, 0.5)));
        for (const ImpactLaw law : all_laws)
            for (const ImpactOrder order : {ImpactOrder::together, ImpactOrder::in_sequence}) {
                CAPTURE(name_of(law));
                ImpactSettings swept = by(law, order);
                swept.exact = false;
                swept.sweeps.sweeps = 20000;
                swept.sweeps.tolerance = 1e-13;
                const ImpactAnswer one = hit(problem, 0.5, by(law, order));
                const ImpactAnswer two = hit(problem, 0.5, swept);
                CHECK(one.contact.solved);
                double size = 1;
                for (Eigen::Index i = 0; i < n; ++i)
                    size = std::max(size, std::abs(one.contact.r(i)));
                CHECK(largest_difference(one.contact.r, two.contact.r) <= 1e-8 * size);
                CHECK(near(one.contact.u(0), 0, 1e-9, 1));
                CHECK(near(one.contact.u(1), 0, 1e-9, 1));
                CHECK(one.contact.r(2) <= 0.1 + 1e-12);
            }
    }
}

TEST_CASE("Impact in sequence: what does not end is cut short, and that is said")
{
    // A ball between two walls that come closer: each blow leaves another one to come.
    Touching ball;
    ball.add(1, diagonal(0.1, 0.1, 0.1), {0, 0, 0}, {V3{1, 0, 0}, zero3<double>()});
    ball.touch(-1, 0, {-1, 0, 0}, {1, 0, 0}, 0);
    ball.touch(-1, 0, {1, 0, 0}, {-1, 0, 0}, 0);
    for (const ImpactLaw law : all_laws) {
        CAPTURE(name_of(law));
        ImpactSettings settings = by(law, ImpactOrder::in_sequence);
        settings.rounds = 50;
        const ImpactAnswer answer = hit(ball.problem(), 1, settings);
        CHECK(answer.cut_short);
        CHECK(answer.rounds == 50);
        CHECK(near(answer.contact.u(0), 0, 1e-12, 1)); // the rest together, e = 0
        CHECK(near(answer.contact.u(3), 0, 1e-12, 1));
        // With e < 1 it is over when rounding cannot see the speed any more.
        const ImpactAnswer ends = hit(ball.problem(), 0.7, settings);
        CHECK_FALSE(ends.cut_short);
        CHECK(ends.rounds > 10);
    }
}

TEST_CASE("Impact: wrong input is named")
{
    ContactProblem problem;
    problem.W = Eigen::MatrixXd::Identity(4, 4);
    problem.q = Eigen::VectorXd::Constant(4, -1);
    problem.blocks = {contact_rows(0, 0.5), bounded_row(3, 0, infinity)};
    const auto says = [&](const Eigen::VectorXd& u, const std::vector<double>& e,
                          const char* what) {
        const auto made = solve_impact(problem, u, e);
        REQUIRE_FALSE(made);
        const std::string text = made.problems().text();
        CAPTURE(text);
        CHECK(text.find(what) != std::string::npos);
    };
    const double nan = std::nan("");
    const Eigen::VectorXd u = problem.q;
    says(Eigen::VectorXd::Zero(3), {0, 0}, "u_before: must have 4 speeds, has 3");
    Eigen::VectorXd broken = u;
    broken(2) = nan;
    says(broken, {0, 0}, "u_before, row 2: must be a number, is nan");
    says(u, {0}, "restitution: must be given for each of 2 blocks, is given for 1");
    says(u, {1.1, 0}, "restitution, block 0: must be between 0 and 1, is 1.1");
    says(u, {-0.1, 0}, "restitution, block 0: must be between 0 and 1, is -0.1");
    says(u, {nan, 0}, "restitution, block 0: must be between 0 and 1, is nan");
    says(u, {1, 0.5}, "restitution, block 1: must be 0");
    ImpactSettings none;
    none.rounds = 0;
    const double e[] = {0, 0};
    CHECK_FALSE(solve_impact(problem, u, e, none));
    problem.q(1) = nan;
    says(u, {1, 0}, "q, row 1");
}

TEST_CASE("Impact: laws and orders have names")
{
    for (const ImpactLaw law : all_laws)
        CHECK(impact_law_named(name_of(law)) == law);
    for (const ImpactOrder order : {ImpactOrder::together, ImpactOrder::in_sequence})
        CHECK(impact_order_named(name_of(order)) == order);
    CHECK(name_of(ImpactLaw::energetic) == "energetic");
    CHECK(name_of(ImpactOrder::in_sequence) == "in_sequence");
    CHECK_FALSE(impact_law_named("newtons"));
    CHECK_FALSE(impact_order_named(""));
}
