// SPDX-License-Identifier: MIT
#pragma once

// Contact problems that several tests solve, and the laws their answers obey.

#include "poinsot/solve/contact_problem.hpp"
#include "worlds.hpp"

namespace poinsot {

/// W = J Jᵀ and q = J v, J of `rows` × `freedom`: what masses of 1 make. Singular where rows repeat
/// each other, and never without a solution to the frictionless problem: some f has f ≥ 0 there.
struct SomeRows {
    Eigen::MatrixXd W;
    Eigen::VectorXd q;

    SomeRows(Dice& dice, int rows, int freedom)
        : W(Eigen::MatrixXd::Zero(rows, rows)), q(Eigen::VectorXd::Zero(rows))
    {
        std::vector<double> J(static_cast<std::size_t>(rows * freedom));
        for (double& x : J)
            x = dice.uniform(-1, 1);
        const auto at = [&](int i, int k) { return J[static_cast<std::size_t>(i * freedom + k)]; };
        for (int k = 0; k < freedom; ++k) {
            const double v = dice.uniform(-1, 1);
            for (int i = 0; i < rows; ++i) {
                q(i) += at(i, k) * v;
                for (int j = 0; j < rows; ++j)
                    W(i, j) += at(i, k) * at(j, k);
            }
        }
    }
};

/// Contacts with up to `mu`, each with a normal and two tangential rows.
inline ContactProblem some_contacts(Dice& dice, int contacts, int freedom, double mu)
{
    ContactProblem made;
    const SomeRows rows(dice, 3 * contacts, freedom);
    made.W = rows.W;
    made.q = rows.q;
    for (int i = 0; i < contacts; ++i)
        made.blocks.push_back(contact_rows(3 * i, dice.uniform(0, mu)));
    return made;
}

/// Bodies that touch, as rows and masses; q follows from what would move without contact.
struct Touching {
    Rows rows;
    std::vector<MovingMass> masses;
    std::vector<V3> x;
    std::vector<Twist<double>> free_motion; // without contact, after the step
    std::vector<ContactBlock> blocks;

    int add(double mass, const Sym3<double>& inertia, const V3& at, const Twist<double>& motion)
    {
        masses.push_back({mass, 1 / mass, inertia, inverse(inertia)});
        x.push_back(at);
        free_motion.push_back(motion);
        return static_cast<int>(x.size()) - 1;
    }
    /// Contact of a (−1: the world) and b at P, n from a to b; more axes for torsion and rolling.
    void touch(int a, int b, const V3& P, const V3& n, double mu, double twist = -1,
               double roll = -1)
    {
        const V3 other = std::abs(n.x) < 0.9 ? V3{1, 0, 0} : V3{0, 1, 0};
        const V3 across = cross(n, other), t = (1 / norm(across)) * across, s = cross(n, t);
        std::vector<PairRow<double>> pairs;
        const auto row = [&](const V3& F, const V3& tau) { pairs.push_back({P, F, tau, 0, 0, 1}); };
        const V3 none = zero3<double>();
        for (const V3& axis : {n, t, s})
            row(axis, none);
        ContactBlock made = contact_rows(rows.count(), mu);
        if (twist >= 0) {
            row(none, n);
            made.twists = 1;
            made.twist = twist;
        }
        if (roll >= 0) {
            row(none, t);
            row(none, s);
            made.rolls = 2;
            made.roll = roll;
        }
        made.rows = static_cast<int>(pairs.size());
        blocks.push_back(made);

        Block block;
        block.bodies = a < 0 ? 1 : 2;
        block.body = {b, a < 0 ? 0 : a, 0, 0};
        block.rows = made.rows;
        block.first_row = made.first;
        block.first_J = static_cast<int>(rows.J.size());
        rows.blocks.push_back(block);
        for (const PairRow<double>& pair : pairs) {
            rows.rows.emplace_back();
            rows.J.push_back(wrench_on(pair, x[static_cast<std::size_t>(b)]));
            if (a >= 0) {
                const Wrench<double> J = wrench_on(pair, x[static_cast<std::size_t>(a)]);
                rows.J.push_back({-J.F, -J.tau});
            }
        }
    }
    /// The problem refers to this.
    ContactProblem problem() const
    {
        ContactProblem made;
        made.rows = &rows;
        made.masses = masses;
        made.blocks = blocks;
        made.q = Eigen::VectorXd::Zero(rows.count());
        for (const Block& block : rows.blocks)
            for (int k = 0; k < block.rows; ++k)
                for (int i = 0; i < block.bodies; ++i)
                    made.q(block.first_row + k) += power(
                        rows.J_of(block, k, i), free_motion[static_cast<std::size_t>(
                                                    block.body[static_cast<std::size_t>(i)])]);
        return made;
    }
    /// Motion of a body after the reactions.
    Twist<double> motion(int body, const Eigen::VectorXd& r) const
    {
        std::vector<Wrench<double>> f(masses.size(), {zero3<double>(), zero3<double>()});
        add_multipliers(rows, {r.data(), static_cast<std::size_t>(r.size())}, f);
        const auto at = static_cast<std::size_t>(body);
        const Twist<double> more = masses[at].inverse_times(f[at]);
        return {free_motion[at].v + more.v, free_motion[at].omega + more.omega};
    }
};

inline Sym3<double> box_inertia(double mass, double a, double b, double c)
{
    return diagonal(mass * (b * b + c * c) / 12, mass * (a * a + c * c) / 12,
                    mass * (a * a + b * b) / 12);
}

/// Boxes of 1 m and 1 kg one above the other on the ground, four contacts each, one of them pushed
/// sideways: what a step of h = 10 ms finds. Twelve reactions for six freedoms: redundant.
inline Touching pile(int boxes, double mu, double push = 2)
{
    Touching made;
    const double h = 0.01, g = 9.81;
    for (int i = 0; i < boxes; ++i) {
        const double side = i == boxes / 2 ? push : 0;
        made.add(1, box_inertia(1, 1, 1, 1), {0, 0, 0.5 + i},
                 {V3{h * side, 0, -h * g}, V3{0, 0, 0}});
        for (const double px : {-0.5, 0.5})
            for (const double py : {-0.5, 0.5})
                made.touch(i - 1, i, {px, py, static_cast<double>(i)}, {0, 0, 1}, mu);
    }
    return made;
}

/// How far an answer is from the laws of its blocks, each over the size of q: signs,
/// complementarity, the cone, dissipation and that no other friction would dissipate more.
struct Breaches {
    double sign = 0, product = 0, cone = 0, drives = 0, not_most = 0, free = 0;
};
inline Breaches breaches_of(const ContactProblem& problem, const ContactAnswer& answer)
{
    Breaches made;
    double size = 0;
    for (Eigen::Index i = 0; i < problem.q.size(); ++i)
        size = std::max(size, std::abs(problem.q(i)));
    const auto worse = [](double& most, double x) { most = std::max(most, x); };
    for (const ContactBlock& block : problem.blocks) {
        const auto r = [&](int i) { return answer.r(block.first + i); };
        const auto u = [&](int i) { return answer.u(block.first + i) / size; };
        if (block.law == ContactBlock::Law::free)
            for (int i = 0; i < block.rows; ++i)
                worse(made.free, std::abs(u(i)));
        if (block.law == ContactBlock::Law::bounded) {
            worse(made.cone, std::max(block.lower - r(0), r(0) - block.upper));
            // On a bound to rounding: Newton's last step ends beside it.
            const bool low = r(0) <= block.lower + 1e-14, high = r(0) >= block.upper - 1e-14;
            worse(made.free, low && high ? 0 : low ? -u(0) : high ? u(0) : std::abs(u(0)));
        }
        if (block.law != ContactBlock::Law::contact)
            continue;
        worse(made.sign, std::max(-r(0), -u(0)));
        worse(made.product, std::abs(r(0) * u(0)));
        for (const FrictionGroup& group : groups_of(block)) {
            double rr = 0, uu = 0, ru = 0;
            for (int i = group.first; i < group.first + group.rows; ++i) {
                rr += r(i) * r(i);
                uu += u(i) * u(i);
                ru += r(i) * u(i);
            }
            worse(made.cone, std::sqrt(rr) - group.bound * r(0));
            worse(made.drives, ru);
            worse(made.not_most, std::abs(ru + group.bound * r(0) * std::sqrt(uu)));
        }
    }
    return made;
}
inline void obeys(const ContactProblem& problem, const ContactAnswer& answer, double allowed)
{
    const Breaches breaches = breaches_of(problem, answer);
    CHECK(breaches.sign <= allowed);
    CHECK(breaches.product <= allowed);
    CHECK(breaches.cone <= allowed);
    CHECK(breaches.drives <= allowed);
    CHECK(breaches.not_most <= allowed);
    CHECK(breaches.free <= allowed);
}

inline double largest_difference(const Eigen::VectorXd& a, const Eigen::VectorXd& b)
{
    double most = 0;
    for (Eigen::Index i = 0; i < a.size(); ++i)
        most = std::max(most, std::abs(a(i) - b(i)));
    return most;
}

inline Eigen::MatrixXd matrix_from(const nlohmann::json& rows)
{
    const auto n = static_cast<Eigen::Index>(rows.size());
    Eigen::MatrixXd made(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < n; ++j)
            made(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    return made;
}
inline Eigen::VectorXd vector_from(const nlohmann::json& list)
{
    Eigen::VectorXd made(static_cast<Eigen::Index>(list.size()));
    for (std::size_t i = 0; i < list.size(); ++i)
        made(static_cast<Eigen::Index>(i)) = list[i];
    return made;
}
inline nlohmann::json closed_form(const char* name)
{
    return reference_items("contact_closed_forms.json").at(name);
}

} // namespace poinsot
