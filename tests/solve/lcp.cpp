// SPDX-License-Identifier: MIT
// Complementarity by pivoting, and the quadratic programme that must agree with it.

#include "poinsot/solve/lcp.hpp"
#include "contacts.hpp"
#include "measured.hpp"
#include "poinsot/solve/cone.hpp"
#include "poinsot/solve/qp.hpp"

using namespace poinsot;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Of a free row w, else min(f, w), over the largest |b|: independent of the solver's own measure.
double worst_lack(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::VectorXd& f,
                  const std::vector<bool>& free = {})
{
    double most = 0, size = 0;
    for (Eigen::Index i = 0; i < b.size(); ++i) {
        double w = b(i);
        for (Eigen::Index j = 0; j < b.size(); ++j)
            w += A(i, j) * f(j);
        const bool loose = !free.empty() && free[static_cast<std::size_t>(i)];
        most = std::max(most, std::abs(loose ? w : std::min(f(i), w)));
        size = std::max(size, std::abs(b(i)));
    }
    return most / size;
}

} // namespace

TEST_CASE("Complementarity: published problems are solved to rounding, with ray and enumeration")
{
    const auto file = outside("lcp.json");
    if (!file)
        SKIP_TEST("outside/lcp.json is not beside the checkout");
    const auto items = read_json(*file)["items"];
    int by_combination = 0;
    for (const auto& entry : items.items()) {
        const std::string name = entry.key(); // clang 14 captures no structured bindings
        const auto& item = entry.value();
        CAPTURE(name);
        const Eigen::MatrixXd A = matrix_from(item["M"]);
        const Eigen::VectorXd b = vector_from(item["q"]);
        const auto answer = solve_lcp(A, b);
        REQUIRE(answer);
        CHECK(answer->solved());
        CHECK(answer->residual <= 1e-14);
        CHECK(worst_lack(A, b, answer->f) <= 1e-12); // mmc: f 1e-4 of terms 1e5
        by_combination += answer->combinations > 0;
        measured_truth("lcp", name, answer->combinations > 0 ? "enumeration" : "pivoting",
                       worst_lack(A, b, answer->f), "of the largest q");
        // One of the solutions that are known, where they are.
        double nearest = item["basic_solutions"].empty() ? 0 : infinity;
        for (const auto& known : item["basic_solutions"])
            nearest = std::min(nearest, largest_difference(answer->f, vector_from(known)));
        CHECK(nearest <= 2e-14 * 92); // printed by solves that lose two digits of 92
        if (item["symmetric"].get<bool>() && item["min_eig_sym_part"].get<double>() >= 0) {
            const auto programme = solve_qp(A, b);
            REQUIRE(programme);
            CHECK(programme->solved());
            CHECK(largest_difference(programme->w, answer->w) <= 1e-12);
        }
    }
    CHECK(by_combination == 1); // CPS_3, where Lemke's path ends on a ray
}

TEST_CASE("Complementarity and quadratic programme agree, redundant contacts and joints included")
{
    Dice dice(3);
    for (const int n : {1, 2, 3, 6, 12, 25, 50})
        for (const int freedom : {n + 2, n, std::max(1, n / 2)})
            for (int k = 0; k < 20; ++k) {
                CAPTURE(n);
                CAPTURE(freedom);
                CAPTURE(k);
                SomeRows some(dice, n, freedom);
                std::vector<bool> free(static_cast<std::size_t>(n), false);
                Eigen::VectorXd lower = Eigen::VectorXd::Zero(n);
                for (int i = 0; k % 2 == 1 && i < std::min(n, freedom) / 3; ++i) {
                    free[static_cast<std::size_t>(i)] = true;
                    lower(i) = -infinity;
                }
                if (n >= 6 && k % 4 == 3) { // the second joint repeats the first
                    for (int i = 0; i < n; ++i)
                        some.W(1, i) = some.W(0, i);
                    for (int i = 0; i < n; ++i)
                        some.W(i, 1) = some.W(i, 0);
                    some.q(1) = some.q(0);
                }
                const auto lcp = solve_lcp(some.W, some.q, free);
                const auto qp = solve_qp(some.W, some.q, lower);
                REQUIRE(lcp);
                REQUIRE(qp);
                CHECK(lcp->solved());
                CHECK(qp->solved());
                CHECK(worst_lack(some.W, some.q, lcp->f, free) <= 1e-11);
                CHECK(worst_lack(some.W, some.q, qp->f, free) <= 1e-11);
                // Speeds are unique; their error is the residual times the condition of the part of
                // W that pushes, which square and half-redundant random rows make large.
                CHECK(largest_difference(lcp->w, qp->w) <= (freedom > n ? 1e-12 : 1e-8));
            }
}

TEST_CASE("Complementarity: Painleve's rod has no solution where friction digs it in, and says so")
{
    for (const char* name : {"painleve_ok", "painleve_paradox"}) {
        const auto item = closed_form(name);
        const double theta = item["theta_deg"].get<double>() * M_PI / 180, mu = item["mu"];
        // Normal acceleration of the tip of a rod of 1 kg that slides: A N − g.
        const double A = 1 + 3 * std::cos(theta) * (std::cos(theta) - mu * std::sin(theta));
        CHECK(near(A, item["A_times_m"], 1e-12));
        const auto rod =
            solve_lcp(Eigen::MatrixXd::Constant(1, 1, A), Eigen::VectorXd::Constant(1, -9.81));
        REQUIRE(rod);
        CHECK(rod->solved() == !item["paradox"].get<bool>());
        if (rod->solved())
            CHECK(near(rod->f(0), 9.81 / A, 1e-14));
        else {
            CHECK(rod->end == LcpAnswer::End::none);
            CHECK(std::string(name_of(rod->end)) == "there is no solution");
        }
    }
    // Where it takes off, the same matrix has two solutions; pivoting finds one.
    const auto two = solve_lcp(Eigen::MatrixXd::Constant(1, 1, -0.2), Eigen::VectorXd::Ones(1));
    CHECK(two->solved());
}

TEST_CASE("A body between walls that close has no solution, and every solver says so")
{
    ContactProblem squeezed;
    squeezed.W.resize(2, 2);
    squeezed.W << 1, -1, -1, 1;
    squeezed.q = Eigen::VectorXd::Constant(2, -1);
    squeezed.blocks = {contact_rows(0, 0, 0), contact_rows(1, 0, 0)};
    CHECK(solve_lcp(squeezed.W, squeezed.q)->end == LcpAnswer::End::none);
    LcpSettings hurried;
    hurried.most_combined = 0;
    CHECK(solve_lcp(squeezed.W, squeezed.q, {}, hurried)->end == LcpAnswer::End::ray);
    CHECK(solve_qp(squeezed.W, squeezed.q)->end == QpAnswer::End::unbounded);
    const auto cone = solve_cones(squeezed);
    CHECK_FALSE(cone->solved);
    CHECK(cone->residual > 0.1);
}

TEST_CASE("Complementarity: a path with every tie there can be comes to an end")
{
    // Twelve equal contacts: every ratio is a tie, at every pivot.
    const int n = 12;
    const auto answer = solve_lcp(Eigen::MatrixXd::Ones(n, n), Eigen::VectorXd::Constant(n, -1));
    CHECK(answer->solved());
    CHECK(answer->residual == 0);
    CHECK(answer->combinations == 0);
    CHECK(solve_qp(Eigen::MatrixXd::Ones(n, n), Eigen::VectorXd::Constant(n, -1))->residual == 0);
}

TEST_CASE("Quadratic programme: the example of the notes, 5x² + 3y² at its least within two bounds")
{
    // min ½ zᵀ H z with C z ≥ d has multipliers f ≥ 0 ⊥ A f − d ≥ 0, A = C H⁻¹ Cᵀ, z = H⁻¹ Cᵀ f.
    const double C[2][2] = {{2, 1}, {-3, -2}}, H[2] = {10, 6};
    Eigen::VectorXd b(2);
    b << -3, 2;
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2, 2);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            for (int k = 0; k < 2; ++k)
                A(i, j) += C[i][k] * C[j][k] / H[k];
    const auto programme = solve_qp(A, b);
    const auto pivots = solve_lcp(A, b);
    REQUIRE(programme);
    REQUIRE(pivots);
    for (const Eigen::VectorXd& f : {programme->f, pivots->f}) {
        CHECK(near(f(0), 170, 1e-12));
        CHECK(near(f(1), 100, 1e-12));
        const double x = (C[0][0] * f(0) + C[1][0] * f(1)) / H[0],
                     y = (C[0][1] * f(0) + C[1][1] * f(1)) / H[1];
        CHECK(near(x, 4, 1e-11));
        CHECK(near(y, -5, 1e-11));
        CHECK(near(5 * x * x + 3 * y * y, 155, 1e-11));
    }
    // As a maximum, as the notes have it, it has no bound: along (1, −1.6) both stay met.
    for (const double t : {1.0, 1e3, 1e6}) {
        const double x = 4 + t, y = -5 - 1.6 * t;
        CHECK(2 * x + y >= 3);
        CHECK(-3 * x - 2 * y >= -2);
        CHECK(5 * x * x + 3 * y * y > 155 + 5 * t * t);
    }
}

TEST_CASE("Quadratic programme: motors push up to their force and no further")
{
    // One mass, a motor that wants speed 1 with a force of at most 0.25, a stop behind: A = 1.
    Eigen::MatrixXd A(2, 2);
    A << 1, 1, 1, 1;
    Eigen::VectorXd b(2), lower(2), upper(2);
    b << -1, 2; // speed wanted is 1 from 0; the stop allows −2
    lower << -0.25, 0;
    upper << 0.25, infinity;
    auto answer = solve_qp(A, b, lower, upper);
    CHECK(near(answer->f(0), 0.25, 1e-15));
    CHECK(near(answer->w(0), -0.75, 1e-15));
    CHECK(answer->f(1) == 0);
    lower(0) = -infinity;
    upper(0) = infinity;
    answer = solve_qp(A, b, lower, upper);
    CHECK(near(answer->f(0), 1, 1e-15));
    CHECK(answer->solved());

    Dice dice(8);
    for (int k = 0; k < 100; ++k) { // any bounds
        const int n = 1 + k % 15;
        const SomeRows some(dice, n, n + 1);
        Eigen::VectorXd low(n), high(n);
        for (int i = 0; i < n; ++i) {
            low(i) = dice.uniform(-0.5, 0.2);
            high(i) = low(i) + dice.uniform(0, 0.5);
        }
        const auto found = solve_qp(some.W, some.q, low, high);
        CHECK(found->solved());
        CHECK(found->residual <= 1e-13);
        ContactProblem same;
        same.W = some.W;
        same.q = some.q;
        for (int i = 0; i < n; ++i)
            same.blocks.push_back(bounded_row(i, low(i), high(i)));
        const auto cone = solve_cones(same);
        CHECK(cone->solved);
        CHECK(largest_difference(cone->u, found->w) <= 1e-12);
    }
}

TEST_CASE("Pyramids: in the plane they are the cone, and with many edges they approach it")
{
    Dice dice(5);
    for (int k = 0; k < 100; ++k) {
        CAPTURE(k);
        ContactProblem planar;
        const int contacts = 1 + k % 5;
        const SomeRows rows(dice, 2 * contacts + 1, 2 * contacts + 3);
        planar.W = rows.W;
        planar.q = rows.q;
        planar.blocks.push_back(free_rows(2 * contacts, 1));
        for (int i = 0; i < contacts; ++i)
            planar.blocks.push_back(contact_rows(2 * i, dice.uniform(0, 0.5), 1));
        const auto pyramid = solve_pyramids(planar, 2), cone = solve_cones(planar);
        CHECK(pyramid->solved);
        CHECK(cone->solved);
        CHECK(pyramid->residual <= 1e-12);
        obeys(planar, *pyramid, 1e-12);
    }
    // The error of a pyramid falls with the square of the number of edges.
    ContactProblem slides;
    slides.W = Eigen::MatrixXd::Identity(3, 3);
    slides.q.resize(3);
    slides.q << -1, 0.7, 0.9;
    slides.blocks = {contact_rows(0, 0.3)};
    const auto cone = solve_cones(slides);
    double before = 1;
    for (const int edges : {4, 16, 64}) {
        const auto pyramid = solve_pyramids(slides, edges);
        CHECK(pyramid->solved);
        const double off = largest_difference(pyramid->r, cone->r);
        CHECK(off <= 0.3 * 2 * M_PI / edges);
        CHECK(off <= before);
        before = off;
    }
}

TEST_CASE("Complementarity and programme: wrong input is named, all of it")
{
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(2, 2);
    const Eigen::VectorXd b = Eigen::VectorXd::Ones(2);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(solve_lcp(Eigen::MatrixXd::Ones(2, 3), b).problems().text() ==
          "A: must have 2 rows and columns, as many as b, has 2 and 3\n");
    CHECK(solve_lcp(one, Eigen::VectorXd::Constant(2, nan)).problems().list().size() == 2);
    CHECK_FALSE(solve_lcp(nan * one, b));
    CHECK_FALSE(solve_lcp(one, b, {true}));
    CHECK_FALSE(solve_qp(Eigen::MatrixXd::Ones(2, 3), b));
    CHECK_FALSE(solve_qp(one, nan * b));
    CHECK_FALSE(solve_qp(nan * one, b));
    CHECK_FALSE(solve_qp(-one, b));
    CHECK_FALSE(solve_qp(one, b, b, -b));
    CHECK_FALSE(solve_qp(one, b, nan * b, b));
    CHECK_FALSE(solve_qp(one, b, Eigen::VectorXd::Ones(3)));
    Eigen::MatrixXd skew = one;
    skew(0, 1) = 0.5;
    CHECK_FALSE(solve_qp(skew, b));
    ContactProblem problem;
    problem.W = one;
    problem.q = b;
    problem.blocks = {bounded_row(0, -1, 1), contact_rows(1, 0.1, 0)};
    CHECK_FALSE(solve_pyramids(problem));
    CHECK_FALSE(solve_pyramids(problem, 3));
    CHECK(solve_lcp(Eigen::MatrixXd(0, 0), Eigen::VectorXd(0))->solved());
    CHECK(solve_qp(Eigen::MatrixXd(0, 0), Eigen::VectorXd(0))->solved());
}
