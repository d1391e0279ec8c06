// SPDX-License-Identifier: MIT
// Sparse multipliers: two roads agree, on trees and with loops, and the cost is linear.

#include "poinsot/solve/tree_direct.hpp"
#include "joined.hpp"
#include "poinsot/solve/direct.hpp"

#include <Eigen/Dense>

using namespace poinsot;

namespace {

struct Posed : Bound {
    std::vector<MovingMass> masses;
    std::vector<Wrench<double>> f;
    std::vector<double> b;

    explicit Posed(std::shared_ptr<const Model> given) : Bound(std::move(given))
    {
        Loads loads;
        gather_loads(*model, placed, {}, 0, 0, loads);
        masses_of(placed, masses);
        unbound_forces(placed, loads.total, f);
        for (const Row& row : rows.rows)
            b.push_back(-row.gamma);
    }
};

/// Forces and row values of which the latter can be met: b = J u for some u.
void pose_some(Posed& at, std::uint64_t seed)
{
    Dice dice(seed);
    std::vector<Twist<double>> u;
    for (Wrench<double>& f : at.f) {
        f = {dice.vector(10), dice.vector(10)};
        u.push_back({dice.vector(10), dice.vector(10)});
    }
    for (const Block& block : at.rows.blocks)
        for (int k = 0; k < block.rows; ++k) {
            double& b = at.b[static_cast<std::size_t>(block.first_row + k)];
            b = 0;
            for (int i = 0; i < block.bodies; ++i)
                b += power(at.rows.J_of(block, k, i),
                           u[static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)])]);
        }
}

/// The equations [M −Jᵀ; J s] [u; λ] = [f; b] as one dense matrix.
struct Equations {
    Eigen::MatrixXd K;
    Eigen::VectorXd right;

    explicit Equations(const Posed& at)
    {
        const auto n = static_cast<Eigen::Index>(6 * at.masses.size());
        const auto m = static_cast<Eigen::Index>(at.b.size());
        K.setZero(n + m, n + m);
        right.resize(n + m);
        const auto put = [](auto&& six, const V3& a, const V3& b) {
            six << a.x, a.y, a.z, b.x, b.y, b.z;
        };
        constexpr std::array axes{V3{1, 0, 0}, V3{0, 1, 0}, V3{0, 0, 1}};
        for (std::size_t i = 0; i < at.masses.size(); ++i) {
            const auto at_i = static_cast<Eigen::Index>(6 * i);
            for (Eigen::Index k = 0; k < 3; ++k) {
                const V3& e = axes[static_cast<std::size_t>(k)];
                put(K.block<6, 1>(at_i, at_i + k), at.masses[i].m * e, zero3<double>());
                put(K.block<6, 1>(at_i, at_i + 3 + k), zero3<double>(), at.masses[i].I * e);
            }
            put(right.segment<6>(at_i), at.f[i].F, at.f[i].tau);
        }
        for (const Block& block : at.rows.blocks)
            for (int k = 0; k < block.rows; ++k) {
                const auto row = static_cast<std::size_t>(block.first_row + k);
                const Eigen::Index r = n + block.first_row + k;
                for (int i = 0; i < block.bodies; ++i) {
                    const Wrench<double> J = at.rows.J_of(block, k, i);
                    put(K.block<1, 6>(r, 6 * block.body[static_cast<std::size_t>(i)]), J.F, J.tau);
                }
                K(r, r) = at.rows.rows[row].softness;
                right(r) = at.b[row];
            }
        K.topRightCorner(n, m) = -K.bottomLeftCorner(m, n).transpose();
    }
    /// By what part of itself each number of the matrix and of the right side would have to change
    /// for the answer to be exact: max |right − K x| / (|K| |x| + |right|), component by component.
    double backward_error(const Answer& answer) const
    {
        Eigen::VectorXd x(right.size());
        Eigen::Index i = 0;
        for (const Twist<double>& u : answer.u)
            for (const double c : {u.v.x, u.v.y, u.v.z, u.omega.x, u.omega.y, u.omega.z})
                x(i++) = c;
        for (const double c : answer.lambda)
            x(i++) = c;
        const Eigen::ArrayXd lack = (right - K * x).cwiseAbs();
        const Eigen::ArrayXd terms = K.cwiseAbs() * x.cwiseAbs() + right.cwiseAbs();
        return (terms > 0).select(lack / terms, lack).maxCoeff();
    }
};

void check_agreement(std::initializer_list<int> sizes, std::uint64_t seeds)
{
    for (const int bodies : sizes)
        for (std::uint64_t seed = 1; seed <= seeds; ++seed)
            for (const int loops : {0, bodies / 10 + 1}) {
                INFO(bodies, " bodies, ", loops, " loops, seed ", seed);
                Posed at(built(some_loops(bodies, loops, seed)));
                pose_some(at, seed);
                TreeDirect sparse;
                Direct dense;
                Answer a, d;
                sparse.factorise(at.rows, at.masses);
                sparse.solve(at.f, at.b, a);
                dense.factorise(at.rows, at.masses);
                dense.solve(at.f, at.b, d);
                CHECK(a.residual < 1e-13);
                CHECK(d.residual < 1e-13);
                const Equations equations(at); // of which the solvers know nothing
                CHECK(equations.backward_error(a) < 1e-13);
                CHECK(equations.backward_error(d) < 1e-13);
                CHECK(sparse.rank() == dense.rank());
                if (loops == 0) // nothing appears that was not there
                    CHECK(sparse.blocks() <= static_cast<std::size_t>(4 * bodies));
                double apart = 0, size = 0;
                for (std::size_t i = 0; i < a.u.size(); ++i) {
                    apart = std::max(
                        {apart, norm(a.u[i].v - d.u[i].v), norm(a.u[i].omega - d.u[i].omega)});
                    size = std::max({size, norm(a.u[i].v), norm(a.u[i].omega)});
                }
                double apart_lambda = 0, size_lambda = 0;
                for (std::size_t r = 0; r < a.lambda.size(); ++r)
                    if (dense.unique()[r]) {
                        apart_lambda = std::max(apart_lambda, std::abs(a.lambda[r] - d.lambda[r]));
                        size_lambda = std::max(size_lambda, std::abs(a.lambda[r]));
                    }
                const double condition = condition_of(dense);
                CHECK(condition < 1e8); // else agreement to 1e-14 of it says little; measured: 3e5
                CHECK(apart <= 1e-14 * condition * size);
                CHECK(apart_lambda <= 1e-14 * condition * size_lambda);
            }
}

} // namespace

TEST_CASE("Sparse and dense multipliers agree, on trees and with loops")
{
    check_agreement({2, 5, 20, 50}, 5);
}

TEST_SUITE("slow")
{
    TEST_CASE("Sparse and dense multipliers agree up to two hundred bodies")
    {
        check_agreement({20, 50}, 10);
        check_agreement({100}, 10);
        check_agreement({200}, 5);
    }
}

TEST_CASE("An answer that is not a number has no small residual")
{
    Posed at(built(some_tree(8, 3)));
    TreeDirect sparse;
    Answer a;
    sparse.factorise(at.rows, at.masses);
    for (const std::size_t i : {std::size_t{0}, at.f.size() / 2, at.f.size() - 1}) {
        std::vector<Wrench<double>> f = at.f;
        f[i].F.y = std::numeric_limits<double>::quiet_NaN();
        sparse.solve(f, at.b, a);
        CHECK_FALSE(a.residual < 1);
    }
    std::vector<double> b = at.b;
    b.front() = std::numeric_limits<double>::infinity();
    sparse.solve(at.f, b, a);
    CHECK_FALSE(a.residual < 1);
}

TEST_CASE("The answer to a second moment in the same scratch is that of fresh scratch, to the bit")
{
    const Posed first(built(some_loops(12, 3, 1))), other(built(some_loops(12, 3, 1)));
    TreeDirect used, fresh;
    Answer a, b;
    for (int twice = 0; twice < 3; ++twice) {
        used.factorise(first.rows, first.masses);
        used.solve(first.f, first.b, a);
    }
    fresh.factorise(other.rows, other.masses);
    fresh.solve(other.f, other.b, b);
    for (std::size_t i = 0; i < a.u.size(); ++i) {
        CHECK(a.u[i].v == b.u[i].v);
        CHECK(a.u[i].omega == b.u[i].omega);
    }
    CHECK(a.lambda == b.lambda);
}

TEST_CASE("A block that many bodies share costs no more than its rows: a hub with a hundred arms")
{
    Builder builder;
    Dice dice(2);
    builder.add(some_body("hub", dice));
    for (int i = 0; i < 100; ++i) {
        Joint joint;
        joint.name = text_of("arm ", i);
        joint.a = 0;
        joint.b = builder.add(some_body(text_of("arm body ", i), dice));
        joint.frame_a = some_pose(dice);
        joint.frame_b = some_pose(dice);
        put(builder, joint, allowed(joint, dice));
        builder.add(joint);
    }
    const Posed at(built(builder));
    TreeDirect sparse;
    Answer a;
    sparse.factorise(at.rows, at.masses);
    sparse.solve(at.f, at.b, a);
    CHECK(sparse.blocks() == 101 + 100 + 200);
    CHECK(a.residual < 1e-14);
}

TEST_CASE("With loops sparse multipliers are near-linear: ladders of 25 to 200 windows")
{
    struct Size {
        double blocks, products;
    };
    const auto size = [](int windows) {
        const Posed at(built(four_bar(windows)));
        TreeDirect sparse;
        Answer a;
        sparse.factorise(at.rows, at.masses);
        sparse.solve(at.f, at.b, a);
        CHECK(a.residual < 1e-13);
        CHECK(sparse.rank() == 10 * windows + 5 + 2 * windows); // of five rows that close, two
        return Size{static_cast<double>(sparse.blocks()), static_cast<double>(sparse.products())};
    };
    std::array<Size, 4> sizes;
    for (std::size_t i = 0; i < 4; ++i)
        sizes[i] = size(25 << i);
    const auto exponent = [&](double Size::*of) {
        double most = 0;
        for (std::size_t i = 1; i < 4; ++i)
            most = std::max(most, std::log2(sizes[i].*of / sizes[i - 1].*of));
        return most;
    };
    CAPTURE(exponent(&Size::blocks));
    CAPTURE(exponent(&Size::products));
    CHECK(exponent(&Size::blocks) < 1.2);
    CHECK(exponent(&Size::products) < 1.2);
    // Two bodies and three blocks of rows to a window, each with a few others: no constant hides
    // a power.
    CHECK(sizes[3].blocks < 30 * 200);
}

TEST_CASE("Gears, drives and armatures: the sparse solver agrees with the dense one")
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        INFO(seed);
        Builder builder = some_tree(15, seed);
        Dice dice(seed);
        const auto starts = built(builder)->joint_starts();
        std::vector<std::pair<int, int>> coordinates;
        for (std::size_t j = 0; j < builder.joints.size(); ++j) {
            Joint& joint = builder.joints[j];
            joint.laws.resize(static_cast<std::size_t>(facts_of(joint.kind).coordinates));
            for (std::size_t k = 0; k < joint.laws.size(); ++k) {
                if (dice.uniform(0, 1) < 0.5)
                    joint.laws[k].armature = dice.uniform(0.1, 2);
                if (dice.uniform(0, 1) < 0.2)
                    joint.laws[k].prescribed = course_from(starts[j].q[k], starts[j].speed[k]);
                else
                    coordinates.emplace_back(static_cast<int>(j), static_cast<int>(k));
            }
        }
        const auto speed = [&](std::size_t i) {
            return starts[static_cast<std::size_t>(coordinates[i].first)]
                .speed[static_cast<std::size_t>(coordinates[i].second)];
        };
        for (std::size_t i = 0; i + 1 < coordinates.size(); i += 2) {
            const double ratio = speed(i) / speed(i + 1); // the one that they start with
            if (std::abs(ratio) > 0.2 && std::abs(ratio) < 5)
                builder.gears.push_back({text_of("gear ", i), coordinates[i].first,
                                         coordinates[i].second, coordinates[i + 1].first,
                                         coordinates[i + 1].second, ratio});
        }
        const Posed at(built(builder));
        TreeDirect sparse;
        Direct dense;
        Answer a, d;
        sparse.factorise(at.rows, at.masses);
        sparse.solve(at.f, at.b, a);
        dense.factorise(at.rows, at.masses);
        dense.solve(at.f, at.b, d);
        CHECK(a.residual < 1e-13);
        CHECK(d.residual < 1e-13);
        CHECK(dense.rank() == at.rows.count());
        CHECK(sparse.rank() == at.rows.count());
        double apart = 0, size = 0;
        for (std::size_t r = 0; r < a.lambda.size(); ++r) {
            apart = std::max(apart, std::abs(a.lambda[r] - d.lambda[r]));
            size = std::max(size, std::abs(a.lambda[r]));
        }
        CHECK(apart <= 1e-14 * condition_of(dense) * size);
    }
}
