// SPDX-License-Identifier: MIT
// Block LDLᵀ against a dense solution, on random patterns and orders, with rows that repeat others.

#include "poinsot/math/block_sparse.hpp"
#include "math/kernels.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <numeric>

using namespace poinsot;

namespace {

using Block6 = Eigen::Matrix<double, 6, 6>;

void give(Mat6<double>& to, const Eigen::MatrixXd& K, int i, int j)
{
    for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c)
            to[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)] = K(6 * i + r, 6 * j + c);
}

struct System6 {
    std::vector<int> order;
    std::vector<std::array<int, 2>> pairs;
    Eigen::MatrixXd K;
};
/// Some definite matrix whose blocks couple some of the nodes, eliminated in some order.
System6 some_system(int nodes, double sign, Dice& dice)
{
    System6 made;
    made.K = Eigen::MatrixXd::Zero(6 * nodes, 6 * nodes);
    for (int i = 0; i < nodes; ++i)
        for (int j = 0; j < i; ++j)
            if (dice.in(0, 1) < 0.3) {
                made.pairs.push_back({i, j});
                Block6 B;
                for (int k = 0; k < 36; ++k)
                    B(k / 6, k % 6) = dice.in(-1, 1);
                made.K.block<6, 6>(6 * i, 6 * j) = B;
                made.K.block<6, 6>(6 * j, 6 * i) = B.transpose();
            }
    for (int i = 0; i < 6 * nodes; ++i) // more than the sum of all others
        made.K(i, i) = sign * (1 + made.K.row(i).cwiseAbs().sum());
    made.order.resize(static_cast<std::size_t>(nodes));
    std::iota(made.order.begin(), made.order.end(), 0);
    for (std::size_t i = made.order.size(); i-- > 1;)
        std::swap(made.order[i],
                  made.order[static_cast<std::size_t>(dice.in(0, static_cast<double>(i)))]);
    return made;
}

void load(BlockSparse& sparse, const System6& from)
{
    sparse.begin();
    for (const int i : from.order)
        give(sparse.pivot(i), from.K, i, i);
    for (const auto& pair : from.pairs) {
        const int i = pair[0], j = pair[1];
        if (sparse.before(i, j))
            give(sparse.block(sparse.slot(i, j)), from.K, i, j);
        else
            give(sparse.block(sparse.slot(j, i)), from.K, j, i);
    }
}

} // namespace

TEST_CASE("Block LDLᵀ solves what a dense solver solves, in any order, of either sign")
{
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        Dice dice(seed);
        const int nodes = 1 + static_cast<int>(dice.in(0, 12));
        const System6 system = some_system(nodes, seed % 2 == 0 ? 1 : -1, dice);
        BlockSparse sparse(system.order, system.pairs);
        std::vector<Vec6> x(static_cast<std::size_t>(nodes));
        Eigen::VectorXd b(6 * nodes);
        for (int twice = 0; twice < 2; ++twice) { // the same memory serves again
            load(sparse, system);
            sparse.factorise();
            for (int i = 0; i < 6 * nodes; ++i)
                b[i] = x[static_cast<std::size_t>(i / 6)][static_cast<std::size_t>(i % 6)] =
                    dice.in(-1, 1);
            sparse.solve(x);
            const Eigen::VectorXd dense = system.K.fullPivLu().solve(b);
            for (int i = 0; i < 6 * nodes; ++i)
                CHECK(near(x[static_cast<std::size_t>(i / 6)][static_cast<std::size_t>(i % 6)],
                           dense[i], 1e-14, dense.cwiseAbs().maxCoeff()));
        }
    }
}

TEST_CASE("Block LDLᵀ of nodes of one to six unknowns, with blocks given by rows or by columns")
{
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        Dice dice(seed);
        const int nodes = 2 + static_cast<int>(dice.in(0, 10));
        System6 system = some_system(nodes, seed % 2 == 0 ? 1 : -1, dice);
        std::vector<int> sizes;
        for (int i = 0; i < nodes; ++i)
            sizes.push_back(1 + static_cast<int>(dice.in(0, 6)));
        const auto there = [&](int i) { return i % 6 < sizes[static_cast<std::size_t>(i / 6)]; };
        for (int i = 0; i < 6 * nodes; ++i)
            for (int j = 0; j < 6 * nodes; ++j)
                if (!there(i) || !there(j))
                    system.K(i, j) = i == j ? 1 : 0;
        BlockSparse sparse(system.order, system.pairs, sizes);
        load(sparse, system);
        std::vector<std::array<Wrench<double>, 6>> given(system.pairs.size());
        for (std::size_t p = 0; p < system.pairs.size(); ++p) {
            int i = system.pairs[p][0], j = system.pairs[p][1];
            if (!sparse.before(i, j))
                std::swap(i, j);
            // Columns are those of a node whose partner has all six rows, as a body has.
            const bool columns = sizes[static_cast<std::size_t>(i)] == 6 && p % 2 == 0;
            for (int r = 0; r < 6; ++r) {
                Vec6 numbers;
                for (int c = 0; c < 6; ++c)
                    numbers[static_cast<std::size_t>(c)] =
                        columns ? system.K(6 * i + c, 6 * j + r) : system.K(6 * i + r, 6 * j + c);
                Wide(numbers).store(given[p][static_cast<std::size_t>(r)]);
            }
            if (columns)
                sparse.give_columns(sparse.slot(i, j), given[p].data(), 1);
            else
                sparse.give_rows(sparse.slot(i, j), given[p].data(), 1);
        }
        sparse.begin(); // what was written where blocks fill is gone: it is given now
        sparse.factorise();
        std::vector<Vec6> x(static_cast<std::size_t>(nodes));
        Eigen::VectorXd b(6 * nodes);
        for (int i = 0; i < 6 * nodes; ++i)
            b[i] = x[static_cast<std::size_t>(i / 6)][static_cast<std::size_t>(i % 6)] =
                there(i) ? dice.in(-1, 1) : 0;
        sparse.solve(x);
        const Eigen::VectorXd dense = system.K.fullPivLu().solve(b);
        for (int i = 0; i < 6 * nodes; ++i)
            CHECK(near(x[static_cast<std::size_t>(i / 6)][static_cast<std::size_t>(i % 6)],
                       dense[i], 1e-14, dense.cwiseAbs().maxCoeff()));
    }
}

TEST_CASE("Block LDLᵀ of a heavy mass on a light one loses what rounding loses, not its square")
{
    // K = 1 + M n nᵀ for the six unknowns of a node, and b = K u.
    for (const double M : {1e3, 1e6, 1e9}) {
        Dice dice(7);
        Eigen::VectorXd n(6), u(6);
        for (int k = 0; k < 6; ++k) {
            n[k] = dice.in(0.5, 1);
            u[k] = dice.in(-1, 1);
        }
        const Eigen::MatrixXd K = Eigen::MatrixXd::Identity(6, 6) + M * n * n.transpose();
        const Eigen::VectorXd b = K * u;
        const int node = 0;
        BlockSparse sparse(std::span(&node, 1), {});
        sparse.begin();
        give(sparse.pivot(0), K, 0, 0);
        sparse.factorise();
        std::vector<Vec6> x(1);
        for (int k = 0; k < 6; ++k)
            x[0][static_cast<std::size_t>(k)] = b[k];
        sparse.solve(x);
        Eigen::VectorXd found(6);
        for (int k = 0; k < 6; ++k)
            found[k] = x[0][static_cast<std::size_t>(k)];
        CHECK((K * found - b).norm() < 1e-15 * K.norm() * found.norm());
    }
}

TEST_CASE("Block LDLᵀ leaves out a pivot that vanishes, wherever in its node it stands")
{
    for (int zero = 0; zero < 6; ++zero) {
        Dice dice(static_cast<unsigned long>(zero + 1));
        System6 system = some_system(1, 1, dice);
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j)
                system.K(i, j) = i == zero || j == zero ? 0 : 1.0 / (1 + std::abs(i - j));
        BlockSparse sparse(system.order, system.pairs);
        load(sparse, system);
        sparse.factorise();
        std::vector<Vec6> x{{1, 1, 1, 1, 1, 1}};
        sparse.solve(x);
        Eigen::VectorXd found(6);
        for (std::size_t k = 0; k < 6; ++k) {
            CHECK(sparse.left_out(0, k) == (static_cast<int>(k) == zero));
            found[static_cast<int>(k)] = x[0][k];
        }
        CHECK(found[zero] == 0);
        const Eigen::VectorXd b = system.K * found;
        for (int k = 0; k < 6; ++k)
            CHECK(near(b[k], k == zero ? 0 : 1, 1e-14, 1));
    }
}

TEST_CASE("Block LDLᵀ of a tree from its leaves keeps no block that the matrix does not have")
{
    const int nodes = 1000;
    std::vector<std::array<int, 2>> pairs;
    std::vector<int> order;
    Dice dice(1);
    for (int i = nodes - 1; i >= 0; --i) {
        order.push_back(i);
        if (i > 0)
            pairs.push_back({i, static_cast<int>(dice.in(0, i))});
    }
    CHECK(BlockSparse(order, pairs).blocks() == 2 * nodes - 1);
    std::reverse(order.begin(), order.end()); // from the root: it fills
    CHECK(BlockSparse(order, pairs).blocks() > 3 * nodes);
}

TEST_CASE("Block LDLᵀ leaves out rows that repeat others, and solves the rest")
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        // K = A Aᵀ of rank four; b in its range
        Dice dice(seed);
        Eigen::Matrix<double, 6, 4> A;
        for (int k = 0; k < 24; ++k)
            A(k / 4, k % 4) = dice.in(-1, 1);
        const Eigen::MatrixXd K = A * A.transpose();
        const int node = 0;
        BlockSparse sparse(std::span(&node, 1), {});
        sparse.begin();
        give(sparse.pivot(0), K, 0, 0);
        Vec6 least;
        for (std::size_t k = 0; k < 6; ++k)
            least[k] = 1e-12 * K(static_cast<int>(k), static_cast<int>(k));
        sparse.set_threshold(0, least);
        sparse.factorise();
        Eigen::VectorXd u(6);
        for (int k = 0; k < 6; ++k)
            u[k] = dice.in(-1, 1);
        const Eigen::VectorXd b = K * u;
        std::vector<Vec6> x(1);
        for (int k = 0; k < 6; ++k)
            x[0][static_cast<std::size_t>(k)] = b[k];
        sparse.solve(x);
        int left_out = 0;
        Eigen::VectorXd found(6);
        for (std::size_t k = 0; k < 6; ++k) {
            found[static_cast<int>(k)] = x[0][k];
            if (sparse.left_out(0, k)) {
                ++left_out;
                CHECK(x[0][k] == 0);
            }
        }
        CHECK(left_out == 2);
        CHECK((K * found - b).norm() < 1e-13 * b.norm());
    }
}
