// SPDX-License-Identifier: MIT
#include "poinsot/solve/redundancy.hpp"

#include "poinsot/constraints/bind.hpp"
#include "poinsot/math/dense.hpp"

#include <algorithm>

namespace poinsot {

namespace {

/// A_ii: what a multiplier of 1 makes along its own row.
double compliance(const Rows& rows, std::span<const MovingMass> masses, const Block& block, int k)
{
    double sum = rows.row(block, k).softness;
    for (int i = 0; i < block.bodies; ++i) {
        const Wrench<double>& J = rows.J_of(block, k, i);
        const auto body = static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)]);
        sum += power(J, masses[body].inverse_times(J));
    }
    return sum;
}
std::vector<double> compliances(const Rows& rows, std::span<const MovingMass> masses)
{
    std::vector<double> all;
    for (const Block& block : rows.blocks)
        for (int k = 0; k < block.rows; ++k)
            all.push_back(compliance(rows, masses, block, k));
    return all;
}

const std::string& name_of(const Model& model, const Block& block)
{
    const auto i = static_cast<std::size_t>(block.index);
    return block.origin == Block::Origin::gear ? model.gears()[i].name : model.joints()[i].name;
}

} // namespace

std::vector<std::vector<double>> idle_multipliers(const Rows& rows, TreeDirect& solver)
{
    std::vector<std::vector<double>> idle;
    std::vector<Wrench<double>> pull;
    const std::vector<double> zero(rows.rows.size(), 0.0);
    Answer answer;
    for (const Block& block : rows.blocks)
        for (int k = 0; k < block.rows; ++k) {
            const auto r = static_cast<std::size_t>(block.first_row + k);
            if (!solver.repeats()[r])
                continue;
            // The row pulls with 1; the others hold everything in place: J_rᵀ + Jᵀ λ = 0.
            pull.assign(solver.bodies(), {zero3<double>(), zero3<double>()});
            for (int i = 0; i < block.bodies; ++i)
                pull[static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)])] =
                    rows.J_of(block, k, i);
            solver.solve(pull, zero, answer);
            answer.lambda[r] = 1;
            idle.push_back(answer.lambda);
        }
    return idle;
}

void share_least(const Rows& rows, std::span<const MovingMass> masses, TreeDirect& solver,
                 std::vector<double>& lambda)
{
    const auto idle = idle_multipliers(rows, solver);
    if (idle.empty())
        return;
    const std::vector<double> A = compliances(rows, masses);
    const auto m = static_cast<Eigen::Index>(lambda.size());
    // With √A as weights: the least-squares fit of λ by idle multipliers is taken away from it.
    Eigen::MatrixXd N(m, static_cast<Eigen::Index>(idle.size()));
    Eigen::VectorXd weighted(m);
    for (Eigen::Index r = 0; r < m; ++r) {
        const double root = std::sqrt(A[static_cast<std::size_t>(r)]);
        weighted[r] = root * lambda[static_cast<std::size_t>(r)];
        for (std::size_t c = 0; c < idle.size(); ++c)
            N(r, static_cast<Eigen::Index>(c)) = root * idle[c][static_cast<std::size_t>(r)];
    }
    const Eigen::VectorXd share = PivotedQr(N).solve(weighted);
    for (std::size_t c = 0; c < idle.size(); ++c)
        for (std::size_t r = 0; r < lambda.size(); ++r)
            lambda[r] -= share[static_cast<Eigen::Index>(c)] * idle[c][r];
}

std::string Redundancy::Repeat::text() const
{
    std::string what;
    switch (origin) {
    case Block::Origin::joint:
        what = text_of("joint '", name, "'");
        break;
    case Block::Origin::gear:
        what = text_of("gear '", name, "'");
        break;
    case Block::Origin::limit:
        what = text_of("the stop of joint '", name, "'");
        break;
    case Block::Origin::prescribed:
    case Block::Origin::armature:
        what = text_of("the prescribed motion of joint '", name, "'");
        break;
    case Block::Origin::motor:
    case Block::Origin::friction:
    case Block::Origin::contact: // they have bounds, and are not asked
        break;
    }
    std::string with;
    for (const std::string& other : others)
        with += (with.empty() ? " (" : ", ") + other;
    if (!with.empty())
        with += ")";
    return text_of(what, " repeats what the others", with, " already say: ", repeated, " of its ",
                   rows, rows == 1 ? " row" : " rows");
}

namespace {

/// The rows of all joints, and what they hold, where a model starts.
struct RowsAtStart {
    explicit RowsAtStart(const Model& model)
        : placed(place(model, start_of<MomentumForm<double>>(model)))
    {
        bind_joints(model, placed, 0, rows);
        masses_of(placed, masses);
    }
    Placed placed;
    Rows rows;
    std::vector<MovingMass> masses;
};

} // namespace

bool rows_repeat(const Model& model)
{
    if (!has_loops(model))
        return false;
    const RowsAtStart start(model);
    TreeDirect solver;
    solver.decide(start.rows, start.masses, TreeDirect::drift_tolerance);
    return !solver.decided().empty();
}

Redundancy redundancy_of(const Model& model)
{
    const RowsAtStart start(model);
    const Rows& rows = start.rows;
    const std::vector<MovingMass>& masses = start.masses;
    TreeDirect solver;
    solver.factorise(rows, masses);

    Redundancy found;
    for (const MovingMass& mass : masses)
        found.freedom += mass.particle() ? 3 : 6;
    for (const Body& body : model.bodies()) // a point that is held is no row
        if (body.held)
            found.freedom -= body.held->along ? 2 : 3;
    found.rank = solver.rank();
    for (const Row& row : rows.rows)
        if (row.softness > 0)
            --found.rank;
        else
            ++found.rows;
    found.freedom -= found.rank;

    const auto idle = idle_multipliers(rows, solver);
    const std::vector<double> A = compliances(rows, masses);
    std::size_t next = 0; // of the idle lists, which come in the order of the rows
    for (const Block& block : rows.blocks) {
        Redundancy::Repeat repeat{name_of(model, block), block.origin, 0, block.rows, {}};
        for (int k = 0; k < block.rows; ++k) {
            const auto r = static_cast<std::size_t>(block.first_row + k);
            if (!solver.repeats()[r])
                continue;
            ++repeat.repeated;
            const std::vector<double>& pulls = idle[next++];
            for (const Block& other : rows.blocks) {
                const std::string& name = name_of(model, other);
                bool takes_part = false;
                for (int l = 0; l < other.rows; ++l) {
                    const auto q = static_cast<std::size_t>(other.first_row + l);
                    // against the row that pulls; the rest is rounding
                    takes_part = takes_part || pulls[q] * pulls[q] * A[q] > 1e-16 * A[r];
                }
                if (takes_part && &other != &block &&
                    std::find(repeat.others.begin(), repeat.others.end(), name) ==
                        repeat.others.end())
                    repeat.others.push_back(name);
            }
        }
        if (repeat.repeated > 0)
            found.repeats.push_back(std::move(repeat));
    }
    return found;
}

} // namespace poinsot
