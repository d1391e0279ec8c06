// SPDX-License-Identifier: MIT
#pragma once

// The books: opening, posted and closing balance of mass, p, L and energy, step by step.
//
//     p' − p = Σ J + residual_p              L' − L = Σ (K + S) + residual_L        about O
//     T' − T = Σ W + residual_T              store' − store = −W of its cause + shift + residual
//
// and m' − m is the mass that came. The shift is what stabilisation did to a store by moving bodies
// (m g · Δx), and what mass took with it that left.
//
// About a point A that moves from A to A' in the step, with Ā and p̄ the means of both ends,
//
//     L_A' − L_A = Σ (K + S − Ā × J) − (A' − A) × p̄ + residual
//
// holds to the same residual, since a'×b' − a×b = ā×(b' − b) + (a' − a)×b̄ for any vectors. The
// second term is the v_A × p of a moving point; it has a line of its own.
//
// Postings are what the causes did. The residual is what the numerics lost or made; it is reported
// and never spread over other accounts.

#include "poinsot/forces/postings.hpp"

#include <functional>
#include <optional>

namespace poinsot {

/// What a body, or all bodies together, has at one moment.
struct Balance {
    double mass = 0;
    Vec3<double> p = zero3<double>();
    Vec3<double> L = zero3<double>();    // about the point of the book
    Vec3<double> spin = zero3<double>(); // the sum of L about each body's own centre of mass
    double T = 0;
};

/// What could not be accounted for. All are sums over the steps, with the sign they have.
struct Residual {
    double mass = 0;
    Vec3<double> p = zero3<double>(), L = zero3<double>(), spin = zero3<double>();
    double T = 0;
    Stores stores;
    double E() const { return T + stores.total(); }
};

/// One account: opening and closing balance, what each cause posted, and what is missing.
struct Account {
    Balance opening, closing;
    PostingsByCause posted{};
    Vec3<double> moving_point = zero3<double>(); // −Σ ΔA × p̄
    Residual residual;
};

/// The point a book is kept about: where it is at a state.
using BookPoint = std::function<Vec3<double>(const Placed&)>;
/// The centre of mass of everything.
Vec3<double> system_center(const Placed& placed);

/// All numbers of a ledger: a value, part of every checkpoint.
struct Books {
    Account total;
    std::vector<Account> bodies; // with Detail::bodies
    Stores opening_stores, closing_stores;
    Stores shifted; // by stabilisation and by mass that came or went, without a cause working
    Vec3<double> A = zero3<double>(); // where the point of the book was at the last closing

    // Sizes to compare residuals with: the largest balance or posting so far.
    double scale_p = 0, scale_L = 0, scale_spin = 0, scale_E = 0;
    // The largest residual of one booking so far, relative to these.
    double worst_p = 0, worst_L = 0, worst_spin = 0, worst_E = 0;
};

class Ledger {
  public:
    struct Settings {
        Postings::Detail detail = Postings::Detail::totals;
        BookPoint about = {};                        // none: the world origin
        bool promises_momentum = true;               // p closes to rounding
        bool promises_spin = true;                   // and so does L about each centre of mass
        bool promises_L = true;                      // L about O or any other point closes too
        std::optional<double> energy_tolerance = {}; // relative; none: reported, not judged
    };
    Ledger() = default;
    Ledger(Settings settings, const Model& model, const Placed& start);

    const Settings& settings() const { return settings_; }
    bool off() const { return settings_.detail == Postings::Detail::off; }
    const Books& books() const { return books_; }
    void restore(Books books) { books_ = std::move(books); }

    /// Books what was posted since the last closing, and where it ended.
    void book(const Model& model, const Postings& postings, const Placed& end);

    /// Mass, p and L within 1e-9 of the largest term where the integrator promises it; energy
    /// within the tolerance where one was given. Never of books that were not kept.
    bool balanced() const { return !off() && verdict().empty(); }
    /// Are books kept, and do not balance?
    bool unbalanced() const { return !off() && !balanced(); }
    /// In words, what does not balance, or that the books were not kept; empty when all does.
    std::string verdict() const;

  private:
    Settings settings_;
    Books books_;
};

} // namespace poinsot
