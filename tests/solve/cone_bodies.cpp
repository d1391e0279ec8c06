// SPDX-License-Identifier: MIT
// Newton's method through the bodies, against Newton's method on the whole matrix and against
// sweeps.

#include "poinsot/solve/cone_bodies.hpp"
#include "poinsot/solve/cone_map.hpp"
#include "poinsot/solve/gauss_seidel.hpp"

#include "solve/contacts.hpp"

#include <nlohmann/json.hpp>

#include <iostream>

using namespace poinsot;

namespace {

ContactProblem as_matrix(const ContactProblem& of_rows)
{
    ContactProblem made;
    made.W = delassus_of(of_rows);
    made.q = of_rows.q;
    made.blocks = of_rows.blocks;
    return made;
}

double farthest(const Eigen::VectorXd& a, const Eigen::VectorXd& b)
{
    return (a - b).cwiseAbs().maxCoeff();
}

/// Boxes thrown on each other, some off their support: they stick, slide and take off.
Touching heap(Dice& dice, int boxes)
{
    Touching made;
    for (int i = 0; i < boxes; ++i) {
        const double m = dice.uniform(0.5, 4);
        const V3 at{dice.uniform(-0.2, 0.2), dice.uniform(-0.2, 0.2), i + 0.5};
        const V3 v{dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 0.3)};
        const V3 omega{dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1)};
        made.add(m, box_inertia(m, 1, 1, 1), at, {v, omega});
        for (const double x : {-0.4, 0.4})
            for (const double y : {-0.4, 0.4})
                made.touch(i - 1, i, {x, y, static_cast<double>(i)}, {0, 0, 1},
                           dice.uniform(0, 0.8));
    }
    return made;
}

} // namespace

TEST_CASE("Cones through bodies and cones of the matrix they make: the same motion")
{
    for (const int boxes : {1, 3, 6}) {
        CAPTURE(boxes);
        const Touching touching = pile(boxes, 0.5);
        const ContactProblem problem = touching.problem();
        const ContactAnswer through = solve_through_bodies(problem, {}, {});
        const auto dense = solve_cones(as_matrix(problem));
        CHECK(through.solved);
        CHECK(through.residual <= 1e-13);
        CHECK(dense->solved);
        CHECK(farthest(through.u, dense->u) <= 1e-12);
    }
}

TEST_CASE("Cones through bodies: what sticks, slides and takes off in heaps is solved, and said")
{
    int solved = 0, tried = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        Dice dice(seed);
        const Touching touching = heap(dice, 1 + static_cast<int>(dice.uniform(0, 6)));
        const ContactProblem problem = touching.problem();
        const ContactAnswer through = solve_through_bodies(problem, {}, {});
        CHECK(through.residual == natural_residual(problem, through.r, through.u));
        CHECK(farthest(through.u, speeds_of(problem, through.r)) == 0);
        CHECK(through.solved == (through.residual <= 1e-10));
        solved += through.solved;
        ++tried;
    }
    CHECK(solved == tried);
}

TEST_CASE("Cones through bodies: a box whose four feet miss each other by little stands on three")
{
    // A fourth foot that asks for a speed of its own cannot be had with the others: it opens, and
    // the weight is on three. Which is far from the even share that iterations begin with.
    for (const double little : {1e-9, 1e-7, 1e-5}) {
        CAPTURE(little);
        const Touching touching = pile(1, 0.6);
        ContactProblem problem = touching.problem();
        problem.q(problem.blocks[2].first) += little;
        const ContactAnswer through = solve_through_bodies(problem, {}, {});
        CHECK(through.residual <= 1e-13);
        CHECK(through.steps <= 100);
        int open = 0;
        for (const ContactBlock& block : problem.blocks)
            open += through.r(block.first) == 0 && through.u(block.first) > 0;
        CHECK(open >= 1);
    }
}

TEST_SUITE("slow") // with sanitizers the matrices of its largest towers take minutes
{
    TEST_CASE("Cones through bodies: towers of up to twenty boxes thrown on each other")
    {
        int solved = 0, tried = 0;
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            Dice dice(seed);
            const Touching touching = heap(dice, 1 + static_cast<int>(dice.uniform(0, 20)));
            const ContactProblem problem = touching.problem();
            CAPTURE(seed);
            solved += solve_through_bodies(problem, {}, {}).solved;
            ++tried;
            // With the matrix where bodies do not do.
            CHECK(solve_cones(problem)->residual <= 1e-10);
        }
        MESSAGE(solved << " of " << tried << " through the bodies alone");
        CHECK(solved == tried);
    }

    TEST_CASE("Cones through bodies: towers of up to a hundred boxes thrown on each other")
    {
        int solved = 0, tried = 0;
        std::vector<std::uint64_t> seeds{50, 93}; // with 14, those of 120 at which |Φ| has valleys
        for (std::uint64_t seed = 1; seed <= 20; ++seed)
            seeds.push_back(seed);
        for (const std::uint64_t seed : seeds) {
            ++tried;
            Dice dice(seed);
            const Touching touching = heap(dice, 35 + static_cast<int>(dice.uniform(0, 65)));
            CAPTURE(seed);
            solved += solve_through_bodies(touching.problem(), {}, {}).solved;
        }
        MESSAGE(solved << " of " << tried);
        CHECK(solved == tried);
    }
}

TEST_CASE("Rounded corners: the derivative is that of differences, and corners come back")
{
    Dice dice(5);
    for (const double mu : {0.0, 0.05, 0.6, 2.0})
        for (const int tangents : {0, 1, 2})
            for (const double epsilon : {1.0, 0.1, 1e-3}) {
                const ContactBlock block = contact_rows(0, mu, tangents);
                Eigen::VectorXd r(block.rows), u(block.rows), phi(block.rows), above = phi,
                                                                               below = phi;
                for (int i = 0; i < block.rows; ++i) {
                    r(i) = dice.uniform(-1, 1);
                    u(i) = dice.uniform(-1, 1);
                }
                ConeSlopes slopes;
                const double slip = dice.uniform(0, 1), *const held = dice.uniform(0, 1) < 0.5
                                                                          ? &slip
                                                                          : nullptr;
                smooth_cone_map(block, epsilon, held, r, u, phi, &slopes);
                const double d = 1e-6 * epsilon;
                for (int k = 0; k < block.rows; ++k)
                    for (const bool of_r : {true, false}) {
                        Eigen::VectorXd& moved = of_r ? r : u;
                        const double kept = moved(k);
                        moved(k) = kept + d;
                        smooth_cone_map(block, epsilon, held, r, u, above);
                        moved(k) = kept - d;
                        smooth_cone_map(block, epsilon, held, r, u, below);
                        moved(k) = kept;
                        for (int i = 0; i < block.rows; ++i) {
                            const auto a = static_cast<std::size_t>(i),
                                       b = static_cast<std::size_t>(k);
                            const double slope = (of_r ? slopes.A : slopes.B)[a][b];
                            // of third derivatives d²/ε² and of rounding 2⁻⁵³/d, over μ
                            CHECK(near((above(i) - below(i)) / (2 * d), slope, 1e-6,
                                       1 + std::abs(slope)));
                        }
                    }
            }
    // As ε falls its zero comes to one of the law itself: a contact that slides.
    const double mu = 0.5;
    Eigen::VectorXd r(3), u(3), phi(3);
    r << 2, -1, 0; // on the cone
    u << 0, 3, 0;  // away from friction
    const ContactBlock block = contact_rows(0, mu);
    double last = 1;
    for (const double epsilon : {1e-1, 1e-2, 1e-3, 1e-4}) {
        smooth_cone_map(block, epsilon, nullptr, r, u, phi);
        CHECK(phi.norm() < 0.2 * last);
        CHECK(phi.norm() < epsilon); // the slip is ε less than it will be
        last = phi.norm();
    }
}

TEST_CASE("Cones through bodies: from the answer of a step ago a pile needs a step or two")
{
    const Touching before = pile(12, 0.5), now = pile(12, 0.5, 2 + 1e-6);
    const auto first = solve_cones(before.problem());
    REQUIRE(first->solved);
    const auto again = solve_cones(before.problem(), {}, first->r);
    CHECK(again->steps == 0);
    CHECK(again->sweeps == 0);
    CHECK(again->r == first->r);
    const auto next = solve_cones(now.problem(), {}, first->r);
    CHECK(next->solved);
    CHECK(next->sweeps == 0);
    CHECK(next->steps <= 8);
    CHECK(next->steps < first->steps);
    // A start that is no answer is not taken for one.
    Eigen::VectorXd wrong = first->r;
    wrong(0) *= 1 + 1e-9;
    CHECK(solve_cones(before.problem(), {}, wrong)->steps > 0);
}

TEST_CASE("What rounding leaves of the laws is told apart from what is wrong")
{
    const Touching touching = pile(5, 0.5);
    const ContactProblem problem = touching.problem();
    const auto answer = solve_cones(problem);
    const double rounding = natural_rounding(problem, answer->r);
    CHECK(answer->residual <= rounding);
    CHECK(rounding < 1e-12);
    CHECK(near(natural_rounding(as_matrix(problem), answer->r), rounding, 0.9)); // the same terms
}

// scripts/sweeps.py draws these lines.
TEST_CASE("Sweeps converge to the exact answer as they grow in number")
{
    for (const int boxes : {1, 2, 5}) {
        const Touching touching = pile(boxes, 0.5);
        const ContactProblem problem = touching.problem();
        const auto exact = solve_cones(problem);
        REQUIRE(exact->solved);
        nlohmann::json residuals, errors, counts;
        double first = 0, last = 0;
        for (int sweeps = 1; sweeps <= 8192; sweeps *= 2) {
            const auto swept = gauss_seidel(problem, {sweeps, 0, false});
            double error = 0;
            for (int i = 0; i < boxes; ++i) {
                const Twist<double> a = touching.motion(i, exact->r),
                                    b = touching.motion(i, swept->r);
                error = std::max({error, norm(a.v - b.v), norm(a.omega - b.omega)});
            }
            first = sweeps == 1 ? error : first;
            last = error;
            counts.push_back(sweeps);
            residuals.push_back(swept->residual);
            errors.push_back(error);
        }
        CHECK(last < 1e-8 * first);
        std::cout << "measured: "
                  << nlohmann::json{{"table", "sweeps"},
                                    {"boxes", boxes},
                                    {"sweeps", counts},
                                    {"residual", residuals},
                                    {"error", errors}}
                         .dump()
                  << std::endl;
    }
}
