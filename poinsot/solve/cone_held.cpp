// SPDX-License-Identifier: MIT
#include "poinsot/solve/cone_held.hpp"

#include "poinsot/solve/redundancy.hpp"
#include "poinsot/solve/tree_direct.hpp"

#include <cmath>

namespace poinsot {

namespace {

std::size_t held_index(int i)
{
    return static_cast<std::size_t>(i);
}

/// The bodies of a problem as their joints hold them.
class HeldBodies {
  public:
    explicit HeldBodies(const ContactProblem& problem);

    /// Rows of the problem that are no joint's, in order.
    const std::vector<int>& others() const { return others_; }
    /// H, and q_h.
    Eigen::MatrixXd responses();
    Eigen::VectorXd speeds();
    /// All reactions, from those of the others.
    Eigen::VectorXd reactions(const Eigen::VectorXd& r_others);

  private:
    void take(const Block& block, const Rows& rows, bool joint);
    void pull(int other, double by);
    double along(int other) const;

    const ContactProblem& problem_;
    std::vector<int> local_; // by body of the problem; −1: no row touches it
    std::vector<MovingMass> masses_;
    Rows joints_, touching_;               // bodies numbered as in masses_
    std::vector<int> joint_rows_, others_; // their rows in the problem
    std::vector<const Block*> block_of_;   // by row of touching_
    TreeDirect tree_;
    std::vector<Wrench<double>> f_;
    std::vector<double> b_;
    Answer answer_;
};

HeldBodies::HeldBodies(const ContactProblem& problem)
    : problem_(problem), local_(problem.masses.size(), -1)
{
    std::vector<bool> joint(problem.rows->rows.size(), false);
    for (const ContactBlock& block : problem.blocks)
        for (int i = 0; block.law == ContactBlock::Law::free && i < block.rows; ++i)
            joint[held_index(block.first + i)] = true;
    for (const Block& block : problem.rows->blocks)
        take(block, *problem.rows, joint[held_index(block.first_row)]);
    for (const Block& block : touching_.blocks)
        block_of_.insert(block_of_.end(), held_index(block.rows), &block);
    tree_.factorise(joints_, masses_);
    f_.assign(masses_.size(), {zero3<double>(), zero3<double>()});
    b_.assign(joint_rows_.size(), 0);
}

void HeldBodies::take(const Block& block, const Rows& rows, bool joint)
{
    Rows& to = joint ? joints_ : touching_;
    Block copy = block;
    copy.first_row = to.count();
    copy.first_J = static_cast<int>(to.J.size());
    for (int i = 0; i < block.bodies; ++i) {
        int& local = local_[held_index(block.body[held_index(i)])];
        if (local < 0) {
            local = static_cast<int>(masses_.size());
            masses_.push_back(problem_.masses[held_index(block.body[held_index(i)])]);
        }
        copy.body[held_index(i)] = local;
    }
    to.blocks.push_back(copy);
    for (int k = 0; k < block.rows; ++k) {
        to.rows.push_back(rows.row(block, k));
        (joint ? joint_rows_ : others_).push_back(block.first_row + k);
        for (int i = 0; i < block.bodies; ++i)
            to.J.push_back(rows.J_of(block, k, i));
    }
}

void HeldBodies::pull(int other, double by)
{
    const Block& block = *block_of_[held_index(other)];
    for (int i = 0; i < block.bodies; ++i) {
        Wrench<double>& f = f_[held_index(block.body[held_index(i)])];
        f = f + by * touching_.J_of(block, other - block.first_row, i);
    }
}

/// How fast that row moves in the last answer.
double HeldBodies::along(int other) const
{
    const Block& block = *block_of_[held_index(other)];
    double sum = 0;
    for (int i = 0; i < block.bodies; ++i)
        sum += power(touching_.J_of(block, other - block.first_row, i),
                     answer_.u[held_index(block.body[held_index(i)])]);
    return sum;
}

Eigen::MatrixXd HeldBodies::responses()
{
    const auto n = static_cast<int>(others_.size());
    Eigen::MatrixXd H(n, n);
    Eigen::VectorXd unheld(n);
    for (int j = 0; j < n; ++j) {
        pull(j, 1);
        tree_.solve(f_, b_, answer_);
        for (int i = 0; i < n; ++i)
            H(i, j) = along(i);
        unheld(j) = 0;
        const Block& block = *block_of_[held_index(j)];
        for (int i = 0; i < block.bodies; ++i) {
            const std::size_t body = held_index(block.body[held_index(i)]);
            unheld(j) += power(touching_.J_of(block, j - block.first_row, i),
                               masses_[body].inverse_times(f_[body]));
            f_[body] = {zero3<double>(), zero3<double>()};
        }
    }
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < j; ++i)
            H(i, j) = H(j, i) = 0.5 * (H(i, j) + H(j, i));
        // A row that joints hold fast keeps a trace by rounding; it has no part in what moves.
        if (!(H(j, j) > TreeDirect::repeat_tolerance * unheld(j))) {
            for (int i = 0; i < n; ++i)
                H(i, j) = H(j, i) = 0;
            H(j, j) = unheld(j);
        }
    }
    for (int j = 0; j < n; ++j)
        H(j, j) += touching_.rows[held_index(j)].softness;
    return H;
}

Eigen::VectorXd HeldBodies::speeds()
{
    for (std::size_t k = 0; k < b_.size(); ++k)
        b_[k] = -problem_.q(joint_rows_[k]);
    tree_.solve(f_, b_, answer_);
    Eigen::VectorXd q(static_cast<Eigen::Index>(others_.size()));
    for (int i = 0; i < static_cast<int>(others_.size()); ++i)
        q(i) = problem_.q(others_[held_index(i)]) + along(i);
    b_.assign(b_.size(), 0);
    return q;
}

Eigen::VectorXd HeldBodies::reactions(const Eigen::VectorXd& r_others)
{
    Eigen::VectorXd r(problem_.q.size());
    for (int i = 0; i < static_cast<int>(others_.size()); ++i) {
        r(others_[held_index(i)]) = r_others(i);
        pull(i, r_others(i));
    }
    for (std::size_t k = 0; k < b_.size(); ++k)
        b_[k] = -problem_.q(joint_rows_[k]);
    tree_.solve(f_, b_, answer_);
    if (tree_.rank() < joints_.count())
        share_least(joints_, masses_, tree_, answer_.lambda);
    for (std::size_t k = 0; k < b_.size(); ++k)
        r(joint_rows_[k]) = answer_.lambda[k];
    return r;
}

} // namespace

bool joints_hold(const ContactProblem& problem, int most_others)
{
    int free = 0;
    for (const ContactBlock& block : problem.blocks)
        free += block.law == ContactBlock::Law::free ? block.rows : 0;
    return free > 0 && problem.count() - free <= most_others;
}

ContactAnswer solve_held(const ContactProblem& problem, const ConeSettings& settings,
                         const Eigen::VectorXd& start)
{
    HeldBodies bodies(problem);
    const std::vector<int>& others = bodies.others();
    const auto n = static_cast<Eigen::Index>(others.size());
    ContactAnswer touch;
    touch.r.resize(n);
    if (n > 0) {
        std::vector<int> local(static_cast<std::size_t>(problem.count()), -1);
        for (std::size_t i = 0; i < others.size(); ++i)
            local[held_index(others[i])] = static_cast<int>(i);
        ContactProblem left;
        left.q = bodies.speeds();
        left.W = bodies.responses();
        for (ContactBlock block : problem.blocks)
            if (block.law != ContactBlock::Law::free) {
                block.first = local[held_index(block.first)];
                left.blocks.push_back(block);
            }
        Eigen::VectorXd begin(start.size() != 0 ? n : 0);
        for (Eigen::Index i = 0; i < begin.size(); ++i)
            begin(i) = start(others[static_cast<std::size_t>(i)]);
        if (const auto made = solve_cones(left, settings, begin))
            touch = *made;
        else
            touch.r.setZero();
    }
    ContactAnswer made = judged(problem, bodies.reactions(touch.r));
    made.steps = touch.steps;
    made.sweeps = touch.sweeps;
    made.solved = made.residual <= settings.tolerance;
    return made;
}

} // namespace poinsot
