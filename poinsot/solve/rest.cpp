// SPDX-License-Identifier: MIT
#include "poinsot/solve/rest.hpp"

#include "poinsot/solve/cone.hpp"
#include "poinsot/solve/lcp.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

/// The unknowns that are left when what slides is put in: which row each is, and what of other rows
/// follows from it.
struct Unknowns {
    struct Follows {
        int row, unknown;
        double times;
    };
    std::vector<int> row;
    std::vector<Follows> follows;
    std::vector<ContactBlock> blocks;
    bool cones = false; // some group stands
};

Unknowns unknowns_of(Eigen::Index rows, std::span<const RestingContact> contacts)
{
    Unknowns made;
    std::vector<bool> in_contact(static_cast<std::size_t>(rows), false);
    for (const RestingContact& contact : contacts) {
        in_contact[static_cast<std::size_t>(contact.normal)] = true;
        for (const RestingContact::Group& group : contact.groups)
            for (int k = 0; k < group.rows; ++k)
                in_contact[static_cast<std::size_t>(group.first + k)] = true;
    }
    for (std::size_t r = 0; r < in_contact.size(); ++r)
        if (!in_contact[r]) {
            made.blocks.push_back(free_rows(static_cast<int>(made.row.size()), 1));
            made.row.push_back(static_cast<int>(r));
        }
    for (const RestingContact& contact : contacts) {
        ContactBlock block = contact_rows(static_cast<int>(made.row.size()), 0, 0);
        made.row.push_back(contact.normal);
        const std::array<std::pair<int*, double*>, 3> of_block{{{&block.tangents, &block.mu},
                                                                {&block.twists, &block.twist},
                                                                {&block.rolls, &block.roll}}};
        for (std::size_t g = 0; g < contact.groups.size(); ++g) {
            const RestingContact::Group& group = contact.groups[g];
            if (group.slides || group.rows == 0)
                continue;
            *of_block[g].first = group.rows;
            *of_block[g].second = group.bound;
            block.rows += group.rows;
            for (int k = 0; k < group.rows; ++k)
                made.row.push_back(group.first + k);
            made.cones = true;
        }
        made.blocks.push_back(block);
    }
    for (std::size_t c = 0, k = made.blocks.size() - contacts.size(); c < contacts.size(); ++c)
        for (const RestingContact::Group& group : contacts[c].groups)
            for (int i = 0; i < group.rows && group.slides; ++i)
                made.follows.push_back(
                    {group.first + i, made.blocks[k + c].first,
                     -group.bound * group.direction[static_cast<std::size_t>(i)]});
    return made;
}

} // namespace

RestAnswer solve_rest(const Eigen::MatrixXd& W, const Eigen::VectorXd& b,
                      std::span<const RestingContact> contacts, double tolerance,
                      const Eigen::VectorXd& start, StopFlag stop)
{
    const Eigen::Index rows = b.size();
    const Unknowns of = unknowns_of(rows, contacts);
    const auto n = static_cast<Eigen::Index>(of.row.size());
    ContactProblem problem;
    problem.W.resize(n, n);
    problem.q.resize(n);
    problem.blocks = of.blocks;
    std::vector<bool> free(of.row.size(), false);
    for (Eigen::Index i = 0; i < n; ++i) {
        const int row = of.row[static_cast<std::size_t>(i)];
        problem.q(i) = b(row);
        for (Eigen::Index j = 0; j < n; ++j)
            problem.W(i, j) = W(row, of.row[static_cast<std::size_t>(j)]);
        for (const Unknowns::Follows& one : of.follows)
            problem.W(i, one.unknown) += one.times * W(row, one.row);
    }
    for (const ContactBlock& block : of.blocks)
        if (block.law == ContactBlock::Law::free)
            free[static_cast<std::size_t>(block.first)] = true;

    RestAnswer answer;
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
    if (!of.cones) {
        LcpSettings how;
        how.tolerance = tolerance;
        how.stop = stop;
        if (const auto pivoted = solve_lcp(problem.W, problem.q, free, how)) {
            answer.residual = pivoted->residual;
            answer.end = pivoted->solved()                      ? RestAnswer::End::solved
                         : pivoted->end == LcpAnswer::End::none ? RestAnswer::End::none
                                                                : RestAnswer::End::lost;
            x = pivoted->f;
        }
    }
    if (of.cones || answer.end == RestAnswer::End::lost) {
        ConeSettings how;
        how.tolerance = tolerance;
        how.stop = stop;
        how.rounds = 2;
        how.eased = 8;
        Eigen::VectorXd begin;
        if (start.size() == rows) {
            begin.resize(n);
            for (Eigen::Index i = 0; i < n; ++i)
                begin(i) = start(of.row[static_cast<std::size_t>(i)]);
        }
        // Rows that nothing moves are no problem of cones.
        if (const auto found = solve_cones(problem, how, begin)) {
            // Where rows repeat each other and some slide the last digits may be out of reach; what
            // is missing is put back by whoever asks.
            const bool enough = found->solved || found->residual <= RestAnswer::enough;
            answer.end = enough ? RestAnswer::End::solved : RestAnswer::End::lost;
            x = found->r;
            answer.residual = found->residual;
        }
    }
    answer.f = Eigen::VectorXd::Zero(rows);
    for (Eigen::Index j = 0; j < n; ++j)
        answer.f(of.row[static_cast<std::size_t>(j)]) = x(j);
    for (const Unknowns::Follows& one : of.follows)
        answer.f(one.row) = one.times * x(one.unknown);
    answer.a = b;
    for (Eigen::Index j = 0; j < rows; ++j)
        for (Eigen::Index i = 0; i < rows; ++i)
            answer.a(i) += W(i, j) * answer.f(j);
    return answer;
}

double until_open(const RestingContact& contact, const Eigen::MatrixXd& W, const RestAnswer& at)
{
    const int n = contact.normal;
    return at.f(n) - at.a(n) / W(n, n);
}

double until_slip(const RestingContact& contact, const RestingContact::Group& group,
                  const Eigen::MatrixXd& W, const RestAnswer& at)
{
    double square = 0, stiffest = 0;
    for (int k = 0; k < group.rows; ++k)
        stiffest = std::max(stiffest, W(group.first + k, group.first + k));
    for (int k = 0; k < group.rows; ++k) {
        const double own = at.f(group.first + k) - at.a(group.first + k) / stiffest;
        square += own * own;
    }
    return group.bound * at.f(contact.normal) - std::sqrt(square);
}

} // namespace poinsot
