// SPDX-License-Identifier: MIT
#include "poinsot/solve/contact_problem.hpp"

#include "poinsot/math/dense.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

ContactBlock free_rows(int first, int rows)
{
    ContactBlock made;
    made.first = first;
    made.rows = rows;
    return made;
}
ContactBlock bounded_row(int first, double lower, double upper)
{
    ContactBlock made;
    made.law = ContactBlock::Law::bounded;
    made.first = first;
    made.lower = lower;
    made.upper = upper;
    return made;
}
ContactBlock contact_rows(int first, double mu, int tangents)
{
    ContactBlock made;
    made.law = ContactBlock::Law::contact;
    made.first = first;
    made.rows = 1 + tangents;
    made.tangents = tangents;
    made.mu = mu;
    return made;
}

std::array<FrictionGroup, 3> groups_of(const ContactBlock& block)
{
    const int twist = 1 + block.tangents, roll = twist + block.twists;
    return {FrictionGroup{1, block.tangents, block.mu},
            FrictionGroup{twist, block.twists, block.twist},
            FrictionGroup{roll, block.rolls, block.roll}};
}

namespace {

void add_block_faults(const ContactBlock& block, std::size_t number, Problems& found)
{
    using Law = ContactBlock::Law;
    const auto sound = [](double bound) { return bound >= 0 && !std::isinf(bound); };
    if (block.law == Law::contact && block.rows == 1 + block.tangents && block.tangents >= 0 &&
        block.tangents <= 2 && block.twists == 0 && block.rolls == 0 && sound(block.mu) &&
        sound(block.twist) && sound(block.roll))
        return; // most are
    const std::string place = text_of("block ", number);
    if (block.law == Law::bounded && !(block.lower <= block.upper))
        found.add_at(place, "lower", "must not exceed the upper bound ", block.upper, ", is ",
                     block.lower);
    if (block.law == Law::bounded && (block.lower == std::numeric_limits<double>::infinity() ||
                                      block.upper == -std::numeric_limits<double>::infinity()))
        found.add(place, "no reaction is between ", block.lower, " and ", block.upper);
    if (block.law != Law::contact)
        return;
    if (block.tangents < 0 || block.tangents > 2 || block.twists < 0 || block.twists > 1 ||
        block.rolls < 0 || block.rolls > 2)
        found.add(place,
                  "a contact has up to two tangential rows, one torsional and two of rolling");
    if (block.rows != 1 + block.tangents + block.twists + block.rolls)
        found.add_at(place, "rows",
                     "must count the normal, tangential, torsional and rolling ones: ",
                     1 + block.tangents + block.twists + block.rolls, ", is ", block.rows);
    const std::pair<const char*, double> bounds[] = {
        {"mu", block.mu}, {"twist", block.twist}, {"roll", block.roll}};
    for (const auto& [key, bound] : bounds)
        if (!(bound >= 0) || std::isinf(bound))
            found.add_at(place, key, "must be a number, zero or positive, is ", bound);
}

Eigen::VectorXd diagonal_of(const ContactProblem& problem)
{
    if (!problem.rows)
        return problem.W.diagonal();
    const Rows& rows = *problem.rows;
    Eigen::VectorXd made(rows.count());
    for (const Block& block : rows.blocks)
        for (int k = 0; k < block.rows; ++k) {
            double& own = made(block.first_row + k);
            own = rows.row(block, k).softness;
            for (int i = 0; i < block.bodies; ++i) {
                const Wrench<double>& J = rows.J_of(block, k, i);
                const auto body = static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)]);
                own += power(J, problem.masses[body].inverse_times(J));
            }
        }
    return made;
}

} // namespace

Problems faults_of(const ContactProblem& problem)
{
    Problems found;
    const int n = problem.count();
    const bool dense = problem.rows == nullptr;
    if (dense && (problem.W.rows() != n || problem.W.cols() != n))
        found.add("W", "must have ", n, " rows and columns, as many as q, has ", problem.W.rows(),
                  " and ", problem.W.cols());
    if (!dense && problem.W.size() != 0)
        found.add("W", "stands beside rows that make it: give one of them");
    if (!dense && problem.rows->count() != n)
        found.add("rows", "must be ", n, ", as many as q has, are ", problem.rows->count());
    if (!dense)
        for (const Block& block : problem.rows->blocks)
            for (int i = 0; i < block.bodies; ++i)
                if (block.body[static_cast<std::size_t>(i)] < 0 ||
                    block.body[static_cast<std::size_t>(i)] >=
                        static_cast<int>(problem.masses.size()))
                    found.add("rows", "touch body ", block.body[static_cast<std::size_t>(i)],
                              " of ", problem.masses.size());
    for (int i = 0; i < n; ++i)
        if (!std::isfinite(problem.q(i)))
            found.add(text_of("q, row ", i), "must be a number, is ", problem.q(i));

    std::vector<int> covered(static_cast<std::size_t>(n), 0);
    for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
        const ContactBlock& block = problem.blocks[b];
        add_block_faults(block, b, found);
        if (block.first < 0 || block.rows < 1 || block.rows > ContactBlock::most_rows ||
            block.first > n - block.rows) {
            found.add(text_of("block ", b), "rows ", block.first, " and ", block.rows - 1,
                      " more: they must be up to six of the ", n, " there are");
            continue;
        }
        for (int i = 0; i < block.rows; ++i)
            ++covered[static_cast<std::size_t>(block.first + i)];
    }
    for (int i = 0; i < n; ++i)
        if (covered[static_cast<std::size_t>(i)] != 1)
            found.add(text_of("row ", i), "must be in one block, is in ",
                      covered[static_cast<std::size_t>(i)]);
    if (found.any())
        return found;

    for (int j = 0; j < n && dense; ++j)
        for (int i = 0; i < n; ++i)
            if (!std::isfinite(problem.W(i, j)))
                found.add(text_of("W, row ", i, ", column ", j), "must be a number, is ",
                          problem.W(i, j));
    const Eigen::VectorXd diagonal = diagonal_of(problem);
    for (int i = 0; i < n; ++i)
        if (!dense && !std::isfinite(diagonal(i)))
            found.add(text_of("W, row ", i, ", column ", i), "must be a number, is ", diagonal(i));
        else if (diagonal(i) <= 0)
            found.add(text_of("W, row ", i),
                      "nothing moves this row: its diagonal must be positive, is ", diagonal(i));
    return found;
}
Problems faults_of(const ContactProblem& problem, const Eigen::VectorXd& start)
{
    Problems found = faults_of(problem);
    if (start.size() != 0 && start.size() != problem.q.size())
        found.add("start", "must have ", problem.q.size(), " reactions, has ", start.size());
    for (Eigen::Index i = 0; i < start.size(); ++i)
        if (!std::isfinite(start(i)))
            found.add(text_of("start, row ", i), "must be a number, is ", start(i));
    return found;
}

Eigen::MatrixXd delassus_of(const ContactProblem& problem)
{
    if (!problem.rows)
        return problem.W;
    const Rows& rows = *problem.rows;
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(rows.count(), rows.count());
    for (const Block& a : rows.blocks)
        for (const Block& b : rows.blocks)
            for (int i = 0; i < a.bodies; ++i)
                for (int j = 0; j < b.bodies; ++j) {
                    const int body = a.body[static_cast<std::size_t>(i)];
                    if (body != b.body[static_cast<std::size_t>(j)])
                        continue;
                    const MovingMass& mass = problem.masses[static_cast<std::size_t>(body)];
                    for (int l = 0; l < b.rows; ++l) {
                        const Twist<double> moved = mass.inverse_times(rows.J_of(b, l, j));
                        for (int k = 0; k < a.rows; ++k)
                            W(a.first_row + k, b.first_row + l) += power(rows.J_of(a, k, i), moved);
                    }
                }
    for (int i = 0; i < rows.count(); ++i)
        W(i, i) += rows.rows[static_cast<std::size_t>(i)].softness;
    return W;
}

Eigen::VectorXd speeds_of(const ContactProblem& problem, const Eigen::VectorXd& r)
{
    Eigen::VectorXd u = problem.q;
    if (!problem.rows) {
        for (Eigen::Index j = 0; j < u.size(); ++j)
            for (Eigen::Index i = 0; i < u.size(); ++i)
                u(i) += problem.W(i, j) * r(j);
        return u;
    }
    const Rows& rows = *problem.rows;
    std::vector<Wrench<double>> f(problem.masses.size(), {zero3<double>(), zero3<double>()});
    add_multipliers(rows, {r.data(), static_cast<std::size_t>(r.size())}, f);
    for (const Block& block : rows.blocks)
        for (int k = 0; k < block.rows; ++k) {
            double& row = u(block.first_row + k);
            for (int i = 0; i < block.bodies; ++i) {
                const auto body = static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)]);
                row += power(rows.J_of(block, k, i), problem.masses[body].inverse_times(f[body]));
            }
            row += rows.row(block, k).softness * r(block.first_row + k);
        }
    return u;
}

namespace {

double length_of_rows(std::span<const double> t)
{
    double square = 0;
    for (const double x : t)
        square += x * x;
    return std::sqrt(square);
}
void project_on_ball(double radius, std::span<double> t)
{
    const double length = length_of_rows(t);
    if (length > radius)
        for (double& x : t)
            x *= radius / length;
}

} // namespace

void project_on_cone(double mu, double& n, std::span<double> t)
{
    const double length = length_of_rows(t);
    if (n >= 0 && length <= mu * n)
        return;
    const double nearest = mu * length <= -n ? 0 : (n + mu * length) / (1 + mu * mu);
    n = nearest;
    for (double& x : t)
        x *= length > 0 ? mu * nearest / length : 0;
}

void make_admissible(std::span<const ContactBlock> blocks, Eigen::VectorXd& r)
{
    for (const ContactBlock& block : blocks) {
        double* const own = r.data() + block.first;
        if (block.law == ContactBlock::Law::bounded)
            for (int i = 0; i < block.rows; ++i)
                own[i] = std::clamp(own[i], block.lower, block.upper);
        if (block.law != ContactBlock::Law::contact)
            continue;
        project_on_cone(block.mu, own[0], {own + 1, static_cast<std::size_t>(block.tangents)});
        for (const FrictionGroup& group : groups_of(block))
            if (group.first > block.tangents)
                project_on_ball(group.bound * own[0],
                                {own + group.first, static_cast<std::size_t>(group.rows)});
    }
}

void add_natural_lack(const ContactBlock& block, const double* r, const double* u, double& lack)
{
    std::array<double, ContactBlock::most_rows> next{};
    const auto rows = static_cast<std::size_t>(block.rows);
    for (std::size_t i = 0; i < rows; ++i)
        next[i] = r[i] - u[i];
    if (block.law == ContactBlock::Law::bounded)
        for (std::size_t i = 0; i < rows; ++i)
            next[i] = std::clamp(next[i], block.lower, block.upper);
    if (block.law == ContactBlock::Law::contact) {
        const auto tangents = static_cast<std::size_t>(block.tangents);
        next[0] -= block.mu * length_of_rows({u + 1, tangents});
        project_on_cone(block.mu, next[0], {next.data() + 1, tangents});
        for (const FrictionGroup& group : groups_of(block))
            if (group.first > block.tangents)
                project_on_ball(group.bound * std::max(0.0, r[0]),
                                {next.data() + group.first, static_cast<std::size_t>(group.rows)});
    }
    for (std::size_t i = 0; i < rows; ++i) {
        const double off = r[i] - next[i];
        lack += off * off;
    }
}
double size_of_lack(const ContactProblem& problem, double lack)
{
    double size = 0;
    for (Eigen::Index i = 0; i < problem.q.size(); ++i)
        size += problem.q(i) * problem.q(i);
    return size > 0 ? std::sqrt(lack / size) : std::sqrt(lack);
}

double natural_residual(const ContactProblem& problem, const Eigen::VectorXd& r,
                        const Eigen::VectorXd& u)
{
    double lack = 0;
    for (const ContactBlock& block : problem.blocks)
        add_natural_lack(block, r.data() + block.first, u.data() + block.first, lack);
    return size_of_lack(problem, lack);
}

double natural_rounding(const ContactProblem& problem, const Eigen::VectorXd& r)
{
    const auto sizes = [](const Vec3<double>& a) {
        return Vec3<double>{std::abs(a.x), std::abs(a.y), std::abs(a.z)};
    };
    Eigen::VectorXd terms(r.size());
    for (Eigen::Index i = 0; i < r.size(); ++i)
        terms(i) = std::abs(problem.q(i)) + std::abs(r(i));
    if (!problem.rows) {
        for (Eigen::Index j = 0; j < r.size(); ++j)
            for (Eigen::Index i = 0; i < r.size(); ++i)
                terms(i) += std::abs(problem.W(i, j) * r(j));
    } else {
        const Rows& rows = *problem.rows;
        std::vector<Wrench<double>> f(problem.masses.size(), {zero3<double>(), zero3<double>()});
        for (const Block& block : rows.blocks)
            for (int k = 0; k < block.rows; ++k)
                for (int i = 0; i < block.bodies; ++i) {
                    const Wrench<double>& J = rows.J_of(block, k, i);
                    const double by = std::abs(r(block.first_row + k));
                    auto& on = f[static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)])];
                    on = on + by * Wrench<double>{sizes(J.F), sizes(J.tau)};
                }
        for (const Block& block : rows.blocks)
            for (int k = 0; k < block.rows; ++k)
                for (int i = 0; i < block.bodies; ++i) {
                    const Wrench<double>& J = rows.J_of(block, k, i);
                    const auto body =
                        static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)]);
                    const Twist<double> moved = problem.masses[body].inverse_times(f[body]);
                    terms(block.first_row + k) +=
                        power(Wrench<double>{sizes(J.F), sizes(J.tau)},
                              Twist<double>{sizes(moved.v), sizes(moved.omega)});
                }
    }
    double size = 0, sum = 0;
    for (Eigen::Index i = 0; i < r.size(); ++i) {
        size += problem.q(i) * problem.q(i);
        sum += terms(i) * terms(i);
    }
    const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::sqrt(sum);
    return size > 0 ? rounding / std::sqrt(size) : rounding;
}

ContactAnswer judged(const ContactProblem& problem, Eigen::VectorXd r)
{
    ContactAnswer made;
    made.r = std::move(r);
    make_admissible(problem.blocks, made.r);
    made.u = speeds_of(problem, made.r);
    made.residual = natural_residual(problem, made.r, made.u);
    return made;
}

void keep_nearer(ContactAnswer& best, ContactAnswer made)
{
    if (!(made.residual < best.residual))
        return;
    made.sweeps = best.sweeps;
    made.steps = best.steps;
    best = std::move(made);
}

} // namespace poinsot
