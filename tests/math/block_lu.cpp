// SPDX-License-Identifier: MIT
// Block LU against a dense solution, on random patterns, neither symmetric nor definite block by
// block.

#include "poinsot/math/block_lu.hpp"
#include "math/kernels.hpp"

#include <Eigen/Dense>

using namespace poinsot;

namespace {

struct Coupled {
    std::vector<std::pair<int, int>> pairs;
    Eigen::MatrixXd K;
};
Coupled some_coupled(int nodes, double part, Dice& dice)
{
    Coupled made;
    made.K = Eigen::MatrixXd::Zero(6 * nodes, 6 * nodes);
    const auto fill = [&](int i, int j) {
        for (int k = 0; k < 36; ++k)
            made.K(6 * i + k / 6, 6 * j + k % 6) = dice.in(-1, 1);
    };
    for (int i = 0; i < nodes; ++i)
        for (int j = 0; j < i; ++j)
            if (dice.in(0, 1) < part) {
                made.pairs.emplace_back(i, j);
                fill(i, j);
                fill(j, i);
            }
    for (int i = 0; i < nodes; ++i) {
        fill(i, i);
        // A diagonal that is large, but not on the diagonal: rows of a pivot must be exchanged.
        for (int k = 0; k < 6; ++k)
            made.K(6 * i + (k + 1) % 6, 6 * i + k) += 6.0 * nodes;
    }
    return made;
}

void load(BlockLu& lu, const Coupled& from)
{
    const auto give = [&](int i, int j) {
        for (std::size_t r = 0; r < 6; ++r)
            for (std::size_t c = 0; c < 6; ++c)
                lu.part(i, j)[r][c] +=
                    from.K(6 * i + static_cast<int>(r), 6 * j + static_cast<int>(c));
    };
    lu.begin();
    for (int i = 0; i < lu.nodes(); ++i)
        give(i, i);
    for (const auto& [i, j] : from.pairs) {
        give(i, j);
        give(j, i);
    }
}

} // namespace

TEST_CASE("Block LU solves what a dense solver solves, symmetric or not")
{
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        Dice dice(seed);
        const int nodes = 1 + static_cast<int>(dice.in(0, 12));
        BlockLu lu;
        for (int twice = 0; twice < 2; ++twice) { // the same memory serves again
            const Coupled system = some_coupled(nodes, 0.3, dice);
            lu.analyse(nodes, system.pairs);
            load(lu, system);
            REQUIRE(lu.factorise());
            std::vector<BlockLu::Six> x(static_cast<std::size_t>(nodes));
            Eigen::VectorXd b(6 * nodes);
            for (int i = 0; i < 6 * nodes; ++i)
                b(i) = x[static_cast<std::size_t>(i / 6)][static_cast<std::size_t>(i % 6)] =
                    dice.in(-1, 1);
            lu.solve(x);
            const Eigen::VectorXd dense = system.K.partialPivLu().solve(b);
            for (int i = 0; i < 6 * nodes; ++i) // diagonally dominant but for a permutation
                CHECK(near(x[static_cast<std::size_t>(i / 6)][static_cast<std::size_t>(i % 6)],
                           dense(i), 1e-12, dense.cwiseAbs().maxCoeff()));
        }
    }
}

TEST_CASE("Block LU keeps a chain a chain, and says where there is no answer")
{
    BlockLu lu;
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i + 1 < 50; ++i)
        pairs.emplace_back(i, i + 1);
    lu.analyse(50, pairs);
    CHECK(lu.blocks() == 50 + 2 * 49); // ends first: nothing fills
    lu.begin();
    CHECK_FALSE(lu.factorise()); // all zero
}
