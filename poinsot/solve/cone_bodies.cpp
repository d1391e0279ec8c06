// SPDX-License-Identifier: MIT
#include "poinsot/solve/cone_bodies.hpp"

#include "poinsot/math/block_lu.hpp"
#include "poinsot/math/wide.hpp"
#include "poinsot/solve/cone_path.hpp"
#include "poinsot/solve/unit_scale.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

using Six = BlockLu::Six;
using ConeSquare = ConeSlopes::Square;

/// C X = (B, b) of a few rows, rows exchanged for the largest pivot; false where C has no inverse.
bool solve_few(ConeSquare C, std::size_t n, ConeSquare& B, std::array<double, 6>& b)
{
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t best = k;
        for (std::size_t i = k + 1; i < n; ++i)
            best = std::abs(C[i][k]) > std::abs(C[best][k]) ? i : best;
        std::swap(C[k], C[best]);
        std::swap(B[k], B[best]);
        std::swap(b[k], b[best]);
        if (!(std::abs(C[k][k]) > 0))
            return false;
        for (std::size_t i = k + 1; i < n; ++i) {
            const double part = C[i][k] / C[k][k];
            if (part == 0)
                continue;
            for (std::size_t j = k + 1; j < n; ++j)
                C[i][j] -= part * C[k][j];
            for (std::size_t j = 0; j < n; ++j)
                B[i][j] -= part * B[k][j];
            b[i] -= part * b[k];
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) {
            for (std::size_t j = 0; j < n; ++j)
                B[i][j] -= C[i][k] * B[k][j];
            b[i] -= C[i][k] * b[k];
        }
        for (std::size_t j = 0; j < n; ++j)
            B[i][j] /= C[i][i];
        b[i] /= C[i][i];
    }
    return true;
}

/// Scaled rows on scaled bodies.
class RowsOnBodies final : public ConeNewton {
  public:
    RowsOnBodies(const ContactProblem& problem, StopFlag stop);

  private:
    struct Span { // the bodies of a block, and J of each of its rows for each of them
        std::size_t first_node = 0, nodes = 0, first_J = 0;
    };
    const Six& J(const Span& own, std::size_t row, std::size_t node) const
    {
        return J_[own.first_J + row * own.nodes + node];
    }
    std::size_t node(const Span& own, std::size_t k) const { return nodes_[own.first_node + k]; }
    double along(const Span& own, std::size_t row, const std::vector<Six>& motion) const
    {
        double sum = 0;
        for (std::size_t k = 0; k < own.nodes; ++k) {
            const Six &a = J(own, row, k), &v = motion[node(own, k)];
            sum += ((a[0] * v[0] + a[1] * v[1]) + a[2] * v[2]) +
                   ((a[3] * v[3] + a[4] * v[4]) + a[5] * v[5]);
        }
        return sum;
    }
    void push(const Span& own, std::size_t row, double by, std::vector<Six>& f) const
    {
        for (std::size_t k = 0; k < own.nodes; ++k) {
            const Six& a = J(own, row, k);
            Six& on = f[node(own, k)];
            mul_add(by, Wide(a), Wide(on)).store(on);
        }
    }
    void speeds(const Eigen::VectorXd& x) override;
    bool step(const Eigen::VectorXd& x, double alpha, Eigen::VectorXd& by) override;

    std::vector<Span> spans_;         // by block
    std::vector<std::size_t> nodes_;  // of the spans
    std::vector<Six> J_;              // of the spans
    std::vector<BlockLu::Part> mass_; // by node
    std::vector<BlockLu::Part> inverse_;
    Eigen::VectorXd softness_;
    std::vector<Six> f_, motion_;
    std::vector<ConeSquare> springs_;          // C⁻¹ B by block
    std::vector<std::array<double, 6>> loads_; // C⁻¹ Φ
    BlockLu lu_;
};

RowsOnBodies::RowsOnBodies(const ContactProblem& problem, StopFlag stop) : ConeNewton(stop)
{
    q_ = problem.q;
    const Rows& rows = *problem.rows;
    const Eigen::Index n = q_.size();
    std::vector<const Block*> block_of(static_cast<std::size_t>(n));
    for (const Block& block : rows.blocks)
        for (int k = 0; k < block.rows; ++k)
            block_of[static_cast<std::size_t>(block.first_row + k)] = &block;

    Eigen::VectorXd diagonal(n);
    softness_.resize(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const Block& block = *block_of[static_cast<std::size_t>(i)];
        softness_(i) = rows.rows[static_cast<std::size_t>(i)].softness;
        diagonal(i) = softness_(i);
        for (int k = 0; k < block.bodies; ++k) {
            const Wrench<double>& J = rows.J_of(block, static_cast<int>(i) - block.first_row, k);
            const auto body = static_cast<std::size_t>(block.body[static_cast<std::size_t>(k)]);
            diagonal(i) += power(J, problem.masses[body].inverse_times(J));
        }
    }
    d_ = cone_scales(problem.blocks, diagonal);
    blocks_ = scaled_blocks(problem.blocks, d_);
    for (Eigen::Index i = 0; i < n; ++i) {
        q_(i) *= d_(i);
        softness_(i) *= d_(i) * d_(i);
    }
    size_ = sum_of_squares(q_);

    // Bodies by the units of their mass and inertia: all numbers of M near one.
    std::vector<std::size_t> node_of(problem.masses.size(), problem.masses.size());
    std::vector<Six> unit;
    const auto node_for = [&](std::size_t body) {
        std::size_t& node = node_of[body];
        if (node < node_of.size())
            return node;
        node = unit.size();
        const MovingMass& mass = problem.masses[body];
        const double s = unit_scale(mass.m);
        const bool turns = !mass.particle();
        const double t =
            turns ? unit_scale((mass.I.xx + mass.I.yy + mass.I.zz) / 3) : 0; // 0: J of torque is
        unit.push_back({s, s, s, t, t, t});
        BlockLu::Part M{}, inverse{};
        const double one = turns ? 0 : 1;
        const std::array<std::array<double, 3>, 3> I{{{mass.I.xx, mass.I.xy, mass.I.xz},
                                                      {mass.I.xy, mass.I.yy, mass.I.yz},
                                                      {mass.I.xz, mass.I.yz, mass.I.zz}}};
        const std::array<std::array<double, 3>, 3> inv{
            {{mass.inv_I.xx, mass.inv_I.xy, mass.inv_I.xz},
             {mass.inv_I.xy, mass.inv_I.yy, mass.inv_I.yz},
             {mass.inv_I.xz, mass.inv_I.yz, mass.inv_I.zz}}};
        for (std::size_t i = 0; i < 3; ++i) {
            M[i][i] = mass.m * s * s;
            inverse[i][i] = mass.inv_m / (s * s);
            for (std::size_t j = 0; j < 3; ++j) {
                M[3 + i][3 + j] = turns ? I[i][j] * t * t : (i == j ? one : 0);
                inverse[3 + i][3 + j] = turns ? inv[i][j] / (t * t) : 0;
            }
        }
        mass_.push_back(M);
        inverse_.push_back(inverse);
        return node;
    };

    std::vector<std::pair<int, int>> pairs;
    for (const ContactBlock& block : blocks_) {
        Span own;
        own.first_node = nodes_.size();
        own.first_J = J_.size();
        for (int i = 0; i < block.rows; ++i) {
            const Block& source = *block_of[static_cast<std::size_t>(block.first + i)];
            for (int k = 0; k < source.bodies; ++k) {
                const std::size_t at =
                    node_for(static_cast<std::size_t>(source.body[static_cast<std::size_t>(k)]));
                const auto begin = nodes_.begin() + static_cast<std::ptrdiff_t>(own.first_node);
                if (std::find(begin, nodes_.end(), at) == nodes_.end())
                    nodes_.push_back(at);
            }
        }
        own.nodes = nodes_.size() - own.first_node;
        J_.resize(J_.size() + static_cast<std::size_t>(block.rows) * own.nodes, Six{});
        for (int i = 0; i < block.rows; ++i) {
            const int row = block.first + i;
            const Block& source = *block_of[static_cast<std::size_t>(row)];
            for (int k = 0; k < source.bodies; ++k) {
                const Wrench<double>& given = rows.J_of(source, row - source.first_row, k);
                const std::size_t at =
                    node_for(static_cast<std::size_t>(source.body[static_cast<std::size_t>(k)]));
                std::size_t place = 0;
                while (node(own, place) != at)
                    ++place;
                Six& J = J_[own.first_J + static_cast<std::size_t>(i) * own.nodes + place];
                const Six plain{given.F.x,   given.F.y,   given.F.z,
                                given.tau.x, given.tau.y, given.tau.z};
                for (std::size_t j = 0; j < 6; ++j)
                    J[j] += d_(row) * unit[at][j] * plain[j];
            }
        }
        for (std::size_t a = 0; a < own.nodes; ++a)
            for (std::size_t b = a + 1; b < own.nodes; ++b)
                pairs.emplace_back(static_cast<int>(node(own, a)), static_cast<int>(node(own, b)));
        spans_.push_back(own);
    }
    lu_.analyse(static_cast<int>(unit.size()), pairs);
    springs_.resize(blocks_.size());
    loads_.resize(blocks_.size());
    u_.resize(n);
    phi_.resize(n);
}

void RowsOnBodies::speeds(const Eigen::VectorXd& x)
{
    f_.assign(mass_.size(), Six{});
    motion_.assign(mass_.size(), Six{});
    for (std::size_t b = 0; b < blocks_.size(); ++b)
        for (int i = 0; i < blocks_[b].rows; ++i)
            push(spans_[b], static_cast<std::size_t>(i), x(blocks_[b].first + i), f_);
    for (std::size_t k = 0; k < mass_.size(); ++k)
        for (std::size_t i = 0; i < 6; ++i)
            for (std::size_t j = 0; j < 6; ++j)
                motion_[k][i] += inverse_[k][i][j] * f_[k][j];
    for (std::size_t b = 0; b < blocks_.size(); ++b)
        for (int i = 0; i < blocks_[b].rows; ++i) {
            const int row = blocks_[b].first + i;
            u_(row) = q_(row) + along(spans_[b], static_cast<std::size_t>(i), motion_) +
                      softness_(row) * x(row);
        }
}

bool RowsOnBodies::step(const Eigen::VectorXd& x, double alpha, Eigen::VectorXd& by)
{
    lu_.begin();
    for (std::size_t k = 0; k < mass_.size(); ++k)
        lu_.part(static_cast<int>(k), static_cast<int>(k)) = mass_[k];
    f_.assign(mass_.size(), Six{});
    std::vector<Six> pulled; // C⁻¹ B J
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const ContactBlock& block = blocks_[b];
        const Span& own = spans_[b];
        const auto rows = static_cast<std::size_t>(block.rows);
        ConeSlopes slopes;
        map(b, x, &slopes);
        ConeSquare C = slopes.A;
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t k = 0; k < rows; ++k)
                C[i][k] += slopes.B[i][k] * (alpha + softness_(block.first + static_cast<int>(k)));
            loads_[b][i] = phi_(block.first + static_cast<int>(i));
        }
        springs_[b] = slopes.B;
        if (!solve_few(C, rows, springs_[b], loads_[b]))
            return false;

        // K += Jᵀ C⁻¹ B J
        pulled.assign(rows * own.nodes, Six{});
        bool any = false;
        for (std::size_t i = 0; i < rows; ++i) {
            push(own, i, -loads_[b][i], f_);
            for (std::size_t k = 0; k < rows; ++k) {
                const double S = springs_[b][i][k];
                if (S == 0)
                    continue;
                any = true;
                for (std::size_t a = 0; a < own.nodes; ++a) {
                    Six& sum = pulled[i * own.nodes + a];
                    mul_add(S, Wide(J(own, k, a)), Wide(sum)).store(sum);
                }
            }
        }
        for (std::size_t a = 0; any && a < own.nodes; ++a)
            for (std::size_t c = 0; c < own.nodes; ++c) {
                BlockLu::Part& K =
                    lu_.part(static_cast<int>(node(own, a)), static_cast<int>(node(own, c)));
                for (std::size_t j = 0; j < 6; ++j) {
                    Wide row(K[j]);
                    for (std::size_t i = 0; i < rows; ++i)
                        row = mul_add(J(own, i, a)[j], Wide(pulled[i * own.nodes + c]), row);
                    row.store(K[j]);
                }
            }
    }
    if (!lu_.factorise())
        return false;
    lu_.solve(f_); // now y
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const auto rows = static_cast<std::size_t>(blocks_[b].rows);
        std::array<double, 6> moved{};
        for (std::size_t k = 0; k < rows; ++k)
            moved[k] = along(spans_[b], k, f_);
        for (std::size_t i = 0; i < rows; ++i) {
            double sum = loads_[b][i];
            for (std::size_t k = 0; k < rows; ++k)
                sum += springs_[b][i][k] * moved[k];
            by(blocks_[b].first + static_cast<int>(i)) = -sum;
            if (!std::isfinite(sum))
                return false;
        }
    }
    return true;
}

} // namespace

ContactAnswer solve_through_bodies(const ContactProblem& problem, const ConeSettings& settings,
                                   const Eigen::VectorXd& start)
{
    RowsOnBodies rows(problem, settings.stop);
    const bool last = problem.count() > settings.dense_rows; // else the dense matrix comes next
    return solve_along_path(rows, problem, settings, start, last ? settings.rounds : 1, last);
}

} // namespace poinsot
