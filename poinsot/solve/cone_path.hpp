// SPDX-License-Identifier: MIT
#pragma once

// Newton's method for the zeros of Φ (cone_map.hpp), wherever W comes from.
//
// Rows are scaled. Where contacts repeat each other W is singular; so each problem has a proximal
// term, r₀ being the answer of the one before:
//
//     u = W r + q + α (r − r₀),    Φ(r, u) = 0,    dΦ = A dr + B du
//
// The answers for r₀, r₁, … come to one of the problem itself, by a factor α/(α + λ) each, λ the
// least eigenvalue of W that is not zero; what repeats keeps the share that it had. α is small near
// the answer and grows where Newton's method fails.
//
// Where all this fails, a path of problems with rounded corners (smooth_cone_map) leads from the
// middle of the cones to the neighbourhood of an answer, and Newton's method begins there. Where
// |Φ| has valleys there too, steps that let it rise walk out of them.

#include "poinsot/solve/cone.hpp"
#include "poinsot/solve/cone_map.hpp"

namespace poinsot {

/// Scaled rows and Newton's method on them. How W makes speeds, and how a step is solved for, is
/// said by who knows W: cone_bodies.cpp through masses, cone_full.cpp by its numbers.
class ConeNewton {
  public:
    virtual ~ConeNewton() = default;

    Eigen::VectorXd scaled(const Eigen::VectorXd& r) const { return r.cwiseQuotient(d_); }
    Eigen::VectorXd unscaled(const Eigen::VectorXd& r) const { return r.cwiseProduct(d_); }
    /// The solution x for r₀ = x as it is given, to |Φ| = `enough` of |q| or as near as rounding
    /// lets it come; false where |Φ| did not fall to almost nothing.
    bool ease(Eigen::VectorXd& x, double alpha, double enough, int steps, int& taken);

    /// From x along the path of rounded corners, as far as it goes.
    void follow(Eigen::VectorXd& x, double alpha, const ConeSettings& settings, int& taken);

    /// A part of Newton's step from x for r₀ = x, whether |Φ| falls or not; false: there is none.
    bool walk(Eigen::VectorXd& x, double alpha, double part);

    /// Can a step be solved for where α is none?
    virtual bool plain() const { return false; }

  protected:
    explicit ConeNewton(StopFlag stop) : stop_(stop) {}

    /// u ← W x + q.
    virtual void speeds(const Eigen::VectorXd& x) = 0;
    /// Newton's step from where `evaluate` was last; false where there is none.
    virtual bool step(const Eigen::VectorXd& x, double alpha, Eigen::VectorXd& by) = 0;

    /// Φ of a block, and its slopes.
    void map(std::size_t b, const Eigen::VectorXd& x, ConeSlopes* slopes = nullptr)
    {
        if (epsilon_ > 0)
            smooth_cone_map(blocks_[b], epsilon_, held_.empty() ? nullptr : &held_[b], x, u_, phi_,
                            slopes);
        else
            cone_map(blocks_[b], x, u_, phi_, slopes);
    }

    std::vector<ContactBlock> blocks_;
    Eigen::VectorXd d_, q_, u_, phi_;
    double size_ = 0; // |q|²

  private:
    /// u = W x + q + α (x − r₀) and Φ; returns |Φ|².
    double evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& r_0, double alpha);
    /// Newton's steps from x for r₀ = x, shortened until |Φ| falls; returns |Φ|² where it ends: at
    /// `enough`, or where |Φ| does not fall.
    double descend(Eigen::VectorXd& x, double alpha, double enough, int steps, int& taken);
    /// The same, and whether it was enough.
    bool reach(Eigen::VectorXd& x, double alpha, int steps, int& taken)
    {
        const double enough = 0.01 * epsilon_ * epsilon_ * static_cast<double>(x.size());
        return descend(x, alpha, enough, steps, taken) <= enough;
    }

    StopFlag stop_ = nullptr;
    double epsilon_ = 0;       // how round corners are
    std::vector<double> held_; // by block: the slip where it is held
};

/// Not solved in so many rounds of `settings.steps` steps or so: the best that was found. `last`:
/// nothing else will be tried, so all that may help is.
ContactAnswer solve_along_path(ConeNewton& rows, const ContactProblem& problem,
                               const ConeSettings& settings, const Eigen::VectorXd& start,
                               int rounds, bool last);

} // namespace poinsot
