// SPDX-License-Identifier: MIT
// Contact with Coulomb's cone: published problems, closed forms, laws on random ones; and sweeps.

#include "poinsot/solve/cone.hpp"
#include "contacts.hpp"
#include "measured.hpp"
#include "poinsot/solve/gauss_seidel.hpp"
#include "poinsot/solve/lcp.hpp"
#include "poinsot/solve/qp.hpp"

#include <rapidcheck.h>

#include <atomic>

using namespace poinsot;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A ball of radius R and 1 kg that touches the ground z = 0, moving so after the step without it.
Touching ball_on_ground(double R, const V3& v, const V3& omega, double mu, double twist = -1,
                        double roll = -1)
{
    Touching made;
    const double I = 0.4 * R * R;
    made.add(1, diagonal(I, I, I), {0, 0, R}, {v, omega});
    made.touch(-1, 0, zero3<double>(), {0, 0, 1}, mu, twist, roll);
    return made;
}

} // namespace

TEST_CASE("Cones: published problems are solved to rounding, by Newton and by sweeps")
{
    const auto file = outside("friction_contact.json");
    if (!file)
        SKIP_TEST("outside/friction_contact.json is not beside the checkout");
    const auto items = read_json(*file)["items"];
    for (const auto& entry : items.items()) {
        const std::string name = entry.key(); // clang 14 captures no structured bindings
        const auto& item = entry.value();
        CAPTURE(name);
        ContactProblem problem;
        problem.W = matrix_from(item["W"]);
        problem.q = vector_from(item["q"]);
        for (std::size_t i = 0; i < item["mu"].size(); ++i)
            problem.blocks.push_back(contact_rows(3 * static_cast<int>(i), item["mu"][i]));
        const auto answer = solve_cones(problem);
        REQUIRE(answer);
        CHECK(answer->solved);
        CHECK(answer->residual <= 2e-14); // Rover1039: r of 100 times the size of q
        CHECK(answer->steps <= 10);
        obeys(problem, *answer, 1e-12);
        const Eigen::VectorXd r = vector_from(item["reference_r"]);
        double size = 0;
        for (Eigen::Index i = 0; i < r.size(); ++i)
            size = std::max(size, std::abs(r(i)));
        if (item["unique_r"].get<bool>())
            CHECK(largest_difference(answer->r, r) <=
                  1e-12 * size + 100 * item["natural_map_error"].get<double>());
        SweepSettings sweeps;
        sweeps.sweeps = 3000;
        const auto swept = gauss_seidel(problem, sweeps);
        CHECK(swept->solved);
        measured_truth("friction_contact", name, "exact", answer->residual, "natural residual");
        measured_truth("friction_contact", name, "the reference's sweeps",
                       item["natural_map_error"], "natural residual");
        measured_truth("friction_contact", name, text_of(swept->sweeps, " sweeps"), swept->residual,
                       "natural residual");
        // Sweeps take the same W, q and end at 1e-10 of q; u of a redundant problem may differ.
        if (item["unique_r"].get<bool>())
            CHECK(largest_difference(swept->r, answer->r) <= 1e-7 * size);
    }
}

TEST_CASE("Cones: an answer to random contacts obeys every law, or the residual says it does not")
{
    int solved = 0, asked = 0;
    CHECK(rc::check([&](unsigned seed) {
        Dice dice(seed);
        const int contacts = 1 + static_cast<int>(dice.uniform(0, 12));
        // More freedom than rows, or half as much: then reactions are not unique.
        const bool redundant = dice.uniform(0, 1) < 0.5;
        const int freedom = redundant ? 2 + 3 * contacts / 2 : 3 * contacts + 3;
        ContactProblem problem = some_contacts(dice, contacts, freedom, 1.2);
        const auto answer = solve_cones(problem);
        RC_ASSERT(bool(answer));
        ++asked;
        solved += answer->solved;
        RC_ASSERT(answer->solved == (answer->residual <= 1e-10));
        if (!answer->solved)
            return;
        const Breaches breaches = breaches_of(problem, *answer);
        // The residual is over the norm of q, and products carry the size of r.
        double size = 1;
        for (Eigen::Index i = 0; i < answer->r.size(); ++i)
            size = std::max(size, std::abs(answer->r(i)));
        const double allowed = 1e-9 * size;
        RC_ASSERT(breaches.sign <= allowed);
        RC_ASSERT(breaches.product <= allowed);
        RC_ASSERT(breaches.cone <= 1e-14 * size); // admissible to rounding, always
        RC_ASSERT(breaches.drives <= allowed);
        RC_ASSERT(breaches.not_most <= allowed);
    }));
    CHECK(solved == asked);
}

TEST_CASE(
    "Cones: whoever is asked to stop before the beginning has an answer that keeps to its cones")
{
    Dice dice(5);
    const ContactProblem problem = some_contacts(dice, 6, 12, 1.2);
    const std::atomic<bool> stop = true;
    ConeSettings settings;
    settings.stop = &stop;
    const auto answer = solve_cones(problem, settings);
    REQUIRE(answer);
    CHECK(answer->r.size() == problem.q.size());
    CHECK_FALSE(answer->solved);
    CHECK(breaches_of(problem, *answer).cone <= 1e-14);
}

TEST_CASE("Cones without friction are the complementarity problem and the quadratic programme")
{
    Dice dice(21);
    for (int k = 0; k < 100; ++k) {
        CAPTURE(k);
        const int n = 1 + k % 20;
        const SomeRows some(dice, n, n + 3);
        ContactProblem problem;
        problem.W = some.W;
        problem.q = some.q;
        for (int i = 0; i < n; ++i)
            problem.blocks.push_back(contact_rows(i, 0, 0));
        const auto cone = solve_cones(problem);
        const auto lcp = solve_lcp(some.W, some.q);
        const auto qp = solve_qp(some.W, some.q);
        const auto swept = gauss_seidel(problem, {100000, 1e-15, false});
        CHECK(cone->solved);
        double size = 1;
        for (int i = 0; i < n; ++i)
            size = std::max(size, std::abs(lcp->f(i)));
        CHECK(largest_difference(cone->r, lcp->f) <= 1e-12 * size);
        CHECK(largest_difference(cone->u, lcp->w) <= 1e-12);
        CHECK(largest_difference(qp->w, lcp->w) <= 1e-12);
        CHECK(largest_difference(swept->u, lcp->w) <= 1e-10);
    }
}

TEST_CASE("Joints, motors, stops, contacts and resistances stand in one solve")
{
    Dice dice(4);
    for (int k = 0; k < 60; ++k) {
        CAPTURE(k);
        const int contacts = 1 + k % 4, n = 4 + 6 * contacts;
        const SomeRows some(dice, n, n + 4);
        ContactProblem problem;
        problem.W = some.W;
        problem.q = some.q;
        problem.blocks = {free_rows(0, 2), bounded_row(2, -0.1, 0.1), bounded_row(3, 0, infinity)};
        for (int i = 0; i < contacts; ++i) {
            ContactBlock block = contact_rows(4 + 6 * i, dice.uniform(0, 0.5));
            block.rows = 6;
            block.twists = 1;
            block.twist = dice.uniform(0, 0.1);
            block.rolls = 2;
            block.roll = dice.uniform(0, 0.1);
            problem.blocks.push_back(block);
        }
        const auto answer = solve_cones(problem);
        CHECK(answer->solved);
        CHECK(answer->residual <= 1e-13);
        obeys(problem, *answer, 1e-11);
        const auto swept = gauss_seidel(problem, {20000, 1e-12, false});
        CHECK(swept->solved);
        CHECK(largest_difference(swept->u, answer->u) <= 1e-9);
    }
}

TEST_CASE("A ball that hits the ground obliquely slips or sticks as Routh says")
{
    for (const char* name : {"sphere_oblique_slip", "sphere_oblique_stick"}) {
        CAPTURE(name);
        const auto item = closed_form(name);
        const V3 v = vec(item["v"]);
        const Touching ball = ball_on_ground(item["R"], v, vec(item["w"]), item["mu"]);
        ContactProblem problem = ball.problem();
        problem.q(0) += item["e"].get<double>() * v.z; // Newton's law of restitution
        double far = 0;
        for (const auto& answer : {solve_cones(problem), gauss_seidel(problem)}) {
            const Twist<double> after = ball.motion(0, answer->r);
            const V3 v_plus = vec(item["v_plus"]), w_plus = vec(item["w_plus"]);
            CHECK(norm(after.v - v_plus) <= 2e-14 * norm(v_plus)); // printed to 15 digits
            CHECK(norm(after.omega - w_plus) <= 2e-14 * norm(w_plus));
            CHECK(near(answer->r(0), item["jn_per_m"], 2e-15));
            far = std::max({far, norm(after.v - v_plus) / norm(v_plus),
                            norm(after.omega - w_plus) / norm(w_plus)});
        }
        measured_truth("contact_closed_forms", name, "exact, and by sweeps", far, "of the motion");
    }
}

TEST_CASE("Two bodies that collide without friction exchange the impulse of the textbook")
{
    const auto item = closed_form("impact_blocks");
    const auto inertia = [&](const char* key) {
        const auto& I = item[key];
        return diagonal(I[0][0].get<double>(), I[1][1].get<double>(), I[2][2].get<double>());
    };
    Touching blocks; // the contact at the origin, the centres of mass around it
    blocks.add(item["mA"], inertia("IA"), -vec(item["rA"]), {vec(item["vA"]), vec(item["wA"])});
    blocks.add(item["mB"], inertia("IB"), -vec(item["rB"]), {vec(item["vB"]), vec(item["wB"])});
    // N is the direction in which A is pushed.
    blocks.touch(1, 0, zero3<double>(), vec(item["N"]), 0);
    ContactProblem problem = blocks.problem();
    CHECK(near(problem.q(0), item["vrel_minus"], 1e-14));
    problem.q(0) *= 1 + item["e"].get<double>();
    const auto answer = solve_cones(problem);
    CHECK(near(answer->r(0), item["j"], 1e-14));
    const double j = item["j"];
    measured_truth("contact_closed_forms", "impact_blocks", "exact", std::abs(answer->r(0) - j) / j,
                   "of the impulse");
    CHECK(norm(blocks.motion(0, answer->r).v - vec(item["vA_plus"])) <= 1e-14);
    CHECK(norm(blocks.motion(0, answer->r).omega - vec(item["wA_plus"])) <= 1e-14);
    CHECK(norm(blocks.motion(1, answer->r).v - vec(item["vB_plus"])) <= 1e-14);
    CHECK(norm(blocks.motion(1, answer->r).omega - vec(item["wB_plus"])) <= 1e-14);
}

TEST_CASE("A block on a slope slides with g (sin - mu cos), or stays")
{
    for (const char* name : {"block_slides", "block_sticks"}) {
        const auto item = closed_form(name);
        const double theta = item["theta_deg"].get<double>() * M_PI / 180, g = item["g"], h = 0.01;
        Touching block;
        block.add(2, box_inertia(2, 1, 1, 0.2), {0, 0, 0.1},
                  {V3{h * g * std::sin(theta), 0, -h * g * std::cos(theta)}, V3{0, 0, 0}});
        for (const double x : {-0.5, 0.5})
            for (const double y : {-0.5, 0.5})
                block.touch(-1, 0, {x, y, 0}, {0, 0, 1}, item["mu"]);
        const auto answer = solve_cones(block.problem());
        CHECK(answer->solved);
        const Twist<double> after = block.motion(0, answer->r);
        CHECK(near(after.v.x / h, item["accel"], 1e-12, g));
        CHECK(norm(after.omega) <= 1e-14);
    }
}

TEST_CASE("Resistance to rolling and spinning slows a ball as c g/(R (1 + 2/5)) and c N/I")
{
    const double R = 0.1, c = 0.002, g = 9.81, h = 1e-3, v = 1.5, I = 0.4 * R * R;
    const Touching rolls = ball_on_ground(R, {v, 0, -h * g}, {0, v / R, 0}, 0.5, 0, c);
    for (const auto& answer : {solve_cones(rolls.problem()), gauss_seidel(rolls.problem())}) {
        CHECK(answer->solved);
        CHECK(near((v - rolls.motion(0, answer->r).v.x) / h, c * g / (R * 1.4), 1e-10));
        CHECK(near(rolls.motion(0, answer->r).omega.y * R, rolls.motion(0, answer->r).v.x, 1e-12));
    }
    const Touching spins = ball_on_ground(R, {0, 0, -h * g}, {0, 0, 20}, 0.5, c, 0);
    const auto answer = solve_cones(spins.problem());
    CHECK(near((20 - spins.motion(0, answer->r).omega.z) / h, c * g / I, 1e-11));
    // Slow enough, it is held.
    const Touching held = ball_on_ground(R, {1e-6, 0, -h * g}, {0, 1e-6 / R, 1e-6}, 0.5, c, c);
    const auto stops = solve_cones(held.problem());
    CHECK(norm(held.motion(0, stops->r).v) <= 1e-16);
    CHECK(norm(held.motion(0, stops->r).omega) <= 1e-15);
}

TEST_CASE("Twenty-five balls on a box that is pulled: box and balls accelerate as computed by hand")
{
    const auto item = closed_form("simbenchmark_rolling");
    const double h = item["dt"], g = item["g"], force = item["force"], mass = item["box"]["mass"];
    const auto& along = item["force_dir_xy"];
    const V3 direction{along[0], along[1], 0};
    Touching scene;
    const int box = scene.add(mass, box_inertia(mass, 20, 20, 1), {0, 0, 0.5},
                              {(h * force / mass) * direction + V3{0, 0, -h * g}, V3{0, 0, 0}});
    for (const double x : {-10.0, 10.0})
        for (const double y : {-10.0, 10.0})
            scene.touch(-1, box, {x, y, 0}, {0, 0, 1}, item["mu_ground_box"]);
    for (int i = -2; i <= 2; ++i)
        for (int k = -2; k <= 2; ++k) {
            const int ball = scene.add(1, diagonal(0.1, 0.1, 0.1), {2.0 * i, 2.0 * k, 1.5},
                                       {V3{0, 0, -h * g}, V3{0, 0, 0}});
            scene.touch(box, ball, {2.0 * i, 2.0 * k, 1}, {0, 0, 1}, item["mu_ball_box"]);
        }
    const auto answer = solve_cones(scene.problem());
    CHECK(answer->solved);
    obeys(scene.problem(), *answer, 1e-10);
    CHECK(near(norm(scene.motion(box, answer->r).v) / h, item["box_accel"], 1e-9));
    CHECK(near(norm(scene.motion(box + 12, answer->r).v) / h, item["ball_accel"], 1e-9));
}

TEST_CASE("Sweeps approach the cones' answer geometrically, more slowly the taller the pile")
{
    int needed_before = 0;
    for (const int boxes : {1, 2, 3, 4}) {
        CAPTURE(boxes);
        const Touching boxes_touch = pile(boxes, 0.5);
        const ContactProblem problem = boxes_touch.problem();
        const auto exact = solve_cones(problem);
        REQUIRE(exact);
        CHECK(exact->solved);
        SweepSettings settings;
        settings.sweeps = 20000;
        settings.keep_history = true;
        const auto swept = gauss_seidel(problem, settings);
        CHECK(swept->solved);
        CHECK(static_cast<int>(swept->history.size()) == swept->sweeps);
        CHECK(swept->sweeps >= needed_before);
        needed_before = swept->sweeps;
        // Motions are unique though reactions are not: they share the load among four corners.
        for (int i = 0; i < boxes; ++i) {
            const Twist<double> a = boxes_touch.motion(i, exact->r),
                                b = boxes_touch.motion(i, swept->r);
            CHECK(norm(a.v - b.v) <= 1e-8);
            CHECK(norm(a.omega - b.omega) <= 1e-8);
        }
        const auto at = [&](double part) {
            return swept->history[static_cast<std::size_t>(part * (swept->sweeps - 1))];
        };
        if (swept->sweeps > 20) {
            CHECK(at(0.5) < 0.5 * at(0.1));
            CHECK(at(1) < 0.5 * at(0.5));
        }
        // From its own answer no sweep is needed; from that of a slightly different push, fewer.
        CHECK(gauss_seidel(problem, settings, swept->r)->sweeps == 0);
        const Touching later = pile(boxes, 0.5, 2.002);
        CHECK(gauss_seidel(later.problem(), settings, swept->r)->sweeps <= swept->sweeps);
        MESSAGE(boxes << " boxes: sweeps " << swept->sweeps << ", Newton steps " << exact->steps
                      << ", residuals " << swept->residual << " and " << exact->residual);
    }
}

TEST_CASE("Sweeps on bodies and sweeps on the matrix they make are the same to rounding")
{
    const Touching touching = pile(3, 0.4);
    const ContactProblem of_rows = touching.problem();
    ContactProblem dense;
    dense.W = delassus_of(of_rows);
    dense.q = of_rows.q;
    dense.blocks = of_rows.blocks;
    const SweepSettings ten{10, 0, false};
    const auto a = gauss_seidel(of_rows, ten), b = gauss_seidel(dense, ten);
    CHECK(a->sweeps == 10);
    CHECK(largest_difference(a->r, b->r) <= 1e-14);
    CHECK(largest_difference(speeds_of(of_rows, a->r), speeds_of(dense, a->r)) <= 1e-15);
    // Reactions are not unique, speeds are.
    CHECK(largest_difference(solve_cones(of_rows)->u, solve_cones(dense)->u) <= 1e-13);
}

TEST_CASE("One contact alone: what takes off, sticks and slides fills all of space")
{
    Dice dice(11);
    int off = 0, stuck = 0, slid = 0;
    for (int k = 0; k < 3000; ++k) {
        CAPTURE(k);
        const double mu = dice.uniform(0, 1.5);
        const SomeRows some(dice, 3, 3 + k % 3);
        ContactProblem problem;
        problem.W = some.W;
        problem.q = some.q;
        problem.blocks = {contact_rows(0, mu)};
        ContactAnswer answer;
        answer.r = one_contact(some.W, some.q, mu);
        answer.u = speeds_of(problem, answer.r);
        double size = 1, speed = 0;
        for (int i = 0; i < 3; ++i) {
            size = std::max(size, std::abs(answer.r(i)));
            speed = std::max(speed, std::abs(answer.u(i)));
        }
        // Rounding of W r, and what W_tt − W_tn W_nt/W_nn loses where W is nearly singular.
        CHECK(natural_residual(problem, answer.r, answer.u) <= 1e-12 * size);
        off += answer.r(0) == 0;
        stuck += answer.r(0) > 0 && speed <= 1e-13 * size;
        slid += answer.r(0) > 0 && speed > 1e-13 * size;
    }
    CHECK(off > 1000);
    CHECK(stuck > 100);
    CHECK(slid > 300);
}

TEST_CASE("Contact problems: wrong input is named, all of it")
{
    Dice dice(1);
    const ContactProblem good = some_contacts(dice, 2, 8, 0.5);
    CHECK_FALSE(faults_of(good).any());
    const auto complaint = [&](auto&& spoil) {
        ContactProblem bad = good;
        spoil(bad);
        const Problems found = faults_of(bad);
        const auto cone = solve_cones(bad), swept = gauss_seidel(bad);
        CHECK_FALSE(cone);
        CHECK_FALSE(swept);
        return found.text();
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    using P = ContactProblem;
    CHECK(complaint([](P& p) { p.blocks[1].mu = -0.1; }) ==
          "block 1: must be a number, zero or positive, is -0.1\n");
    CHECK(complaint([&](P& p) { p.blocks[1].mu = nan; }).find("block 1") == 0);
    CHECK(complaint([&](P& p) { p.blocks[0].roll = infinity; }).find("block 0") == 0);
    CHECK(complaint([&](P& p) { p.q(2) = nan; }) == "q, row 2: must be a number, is nan\n");
    CHECK(complaint([&](P& p) { p.W(1, 4) = nan; }).find("W, row 1, column 4") == 0);
    CHECK(complaint([](P& p) { p.W.resize(5, 6); }).find("W: must have 6 rows and columns") == 0);
    CHECK(complaint([](P& p) { p.W(3, 3) = 0; }).find("W, row 3: nothing moves") == 0);
    CHECK(complaint([](P& p) {
              p.blocks.pop_back();
          }).find("row 3: must be in one block, is in 0") == 0);
    CHECK(complaint([](P& p) {
              p.blocks[1].first = 2;
          }).find("row 2: must be in one block, is in 2") == 0);
    CHECK(complaint([](P& p) { p.blocks[1].first = 4; }).find("block 1: rows 4") == 0);
    CHECK(complaint([](P& p) { p.blocks[1].rows = 2; }).find("must count the normal") !=
          std::string::npos);
    CHECK(complaint([](P& p) { p.blocks[1].tangents = 3; }).find("block 1: a contact has") == 0);
    CHECK(complaint([](P& p) {
              p.blocks = {contact_rows(0, 0.1), bounded_row(3, 1, -1), free_rows(4, 2)};
          }).find("must not exceed") != std::string::npos);
    CHECK(
        complaint([&](P& p) {
            p.blocks = {contact_rows(0, 0.1), bounded_row(3, infinity, infinity), free_rows(4, 2)};
        }).find("no reaction is between") != std::string::npos);
    const Touching touching = pile(1, 0.5);
    CHECK(complaint([&](P& p) { p.rows = &touching.rows; }).find("give one of them") !=
          std::string::npos);
    ContactProblem bodiless = touching.problem();
    bodiless.masses = {};
    CHECK(faults_of(bodiless).text().find("touch body 0 of 0") != std::string::npos);
    CHECK_FALSE(solve_cones(good, {}, Eigen::VectorXd::Ones(5)));
    CHECK_FALSE(gauss_seidel(good, {}, Eigen::VectorXd::Constant(6, nan)));
    CHECK(solve_cones(ContactProblem{})->solved); // nothing touches
    CHECK(gauss_seidel(ContactProblem{})->solved);
}
