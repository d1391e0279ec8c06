// SPDX-License-Identifier: MIT
// Resting contact without friction: forces between bodies at rest, against the accelerations that
// these bodies then have.

#include "poinsot/solve/rest.hpp"
#include "contacts.hpp"
#include "poinsot/solve/lcp.hpp"
#include "poinsot/solve/qp.hpp"

using namespace poinsot;

TEST_CASE("Resting contact: relative accelerations are A f + b, none digs in, no force pulls, and "
          "what parts is let go")
{
    Dice dice(7);
    int part = 0, bear = 0;
    for (int trial = 0; trial < 100; ++trial) {
        CAPTURE(trial);
        // Boxes at rest on each other, four contacts each; what accelerates them without contact.
        Touching pile;
        const int boxes = 1 + trial % 4;
        for (int i = 0; i < boxes; ++i) {
            const double m = dice.uniform(0.5, 3);
            pile.add(m, box_inertia(m, 1, 1, 1), {0, 0, 0.5 + i},
                     {dice.vector(6) - V3{0, 0, 3}, dice.vector(20)});
            for (const double x : {-0.5, 0.5})
                for (const double y : {-0.4, 0.4})
                    pile.touch(i - 1, i, {x, y, static_cast<double>(i)}, {0, 0, 1}, 0);
        }
        const ContactProblem problem = pile.problem();
        const Eigen::MatrixXd all = delassus_of(problem);
        const int contacts = 4 * boxes;
        Eigen::MatrixXd A(contacts, contacts); // of the normal rows, the first of three
        Eigen::VectorXd b(contacts);
        std::vector<RestingContact> resting(static_cast<std::size_t>(contacts));
        for (int i = 0; i < contacts; ++i) {
            b(i) = problem.q(3 * i);
            resting[static_cast<std::size_t>(i)].normal = i;
            for (int j = 0; j < contacts; ++j)
                A(i, j) = all(3 * i, 3 * j);
        }
        const RestAnswer rest = solve_rest(A, b, resting, 1e-12);
        REQUIRE(rest.end == RestAnswer::End::solved);
        Eigen::VectorXd forces = Eigen::VectorXd::Zero(3 * contacts);
        for (int i = 0; i < contacts; ++i)
            forces(3 * i) = rest.f(i);

        // Rounding of accelerations and forces of some ten, a dozen terms each: at most 2e-14.
        const double small = 2e-13;
        int i = 0;
        for (int box = 0; box < boxes; ++box)
            for (const double x : {-0.5, 0.5})
                for (const double y : {-0.4, 0.4}) {
                    const V3 P{x, y, static_cast<double>(box)};
                    const auto acceleration = [&](int body) { // of what is at P, at rest
                        return body < 0 ? zero3<double>()
                                        : shift(pile.motion(body, forces),
                                                P - pile.x[static_cast<std::size_t>(body)])
                                              .v;
                    };
                    const double v_dot_rel = (acceleration(box) - acceleration(box - 1)).z;
                    CHECK(near(rest.a(i), v_dot_rel, small, 1));
                    CHECK(v_dot_rel >= -small);
                    CHECK(rest.f(i) >= 0);
                    CHECK(std::abs(rest.f(i) * v_dot_rel) <= 10 * small);
                    part += v_dot_rel > 1e-3;
                    bear += rest.f(i) > 1e-3;
                    ++i;
                }
        // f repeats itself on four feet; accelerations do not, and all solvers have the same
        const auto lcp = solve_lcp(A, b);
        const auto qp = solve_qp(A, b);
        REQUIRE(lcp);
        REQUIRE(qp);
        CHECK((lcp->w - rest.a).cwiseAbs().maxCoeff() <= small);
        CHECK((qp->w - rest.a).cwiseAbs().maxCoeff() <= small);
        CHECK(std::abs(rest.f.dot(A * rest.f + b)) <= 100 * small);
    }
    CHECK(part > 100); // both happen
    CHECK(bear > 100);
}
