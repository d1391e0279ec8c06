// SPDX-License-Identifier: MIT
#include "poinsot/ledger/ledger.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

constexpr double allowed = 1e-9; // of the largest term, over a whole run

Balance balance_of(const PlacedBody& body, const Vec3<double>& A)
{
    return {body.mass.m, body.p, body.L + cross(body.x - A, body.p), body.L, body.kinetic_energy()};
}
/// The balance of all bodies, and the largest of them.
struct Tally {
    Balance sum;
    double heaviest = 0, p2 = 0, L2 = 0, spin2 = 0; // masses; squares of lengths
};
/// Sums run in body order: the last digit must not depend on who adds.
Tally tally_of(const Placed& placed, const Vec3<double>& A)
{
    Tally tally;
    Balance& sum = tally.sum;
    for (const PlacedBody& body : placed.bodies) {
        const Vec3<double> d = body.x - A;
        const double p2 = norm2(body.p), spin2 = norm2(body.L);
        sum.mass += body.mass.m;
        sum.p += body.p;
        sum.L += body.L + cross(d, body.p);
        sum.spin += body.L;
        sum.T += body.kinetic_energy();
        tally.heaviest = max(tally.heaviest, body.mass.m);
        tally.p2 = max(tally.p2, p2);
        tally.L2 = max(tally.L2, max(norm2(d) * p2, spin2));
        tally.spin2 = max(tally.spin2, spin2);
    }
    return tally;
}

void add(Residual& sum, const Residual& of_step)
{
    sum.mass += of_step.mass;
    sum.p += of_step.p;
    sum.L += of_step.L;
    sum.spin += of_step.spin;
    sum.T += of_step.T;
    sum.stores += of_step.stores;
}

double relative(double value, double scale)
{
    return scale > 0 ? value / scale : value;
}

} // namespace

Vec3<double> system_center(const Placed& placed)
{
    double m = 0;
    Vec3<double> sum = zero3<double>();
    for (const PlacedBody& body : placed.bodies) {
        m += body.mass.m;
        sum += body.mass.m * body.x;
    }
    return sum / m;
}

namespace {

/// Books one account and returns what it could not account for in this booking.
Residual book_account(Account& account, const Postings& postings, const PostingsByCause& posted,
                      const Balance& end, const Vec3<double>& A_mean, const Vec3<double>& A_change)
{
    Posting sum;
    postings.for_causes([&](std::size_t c) {
        Posting about_A = posted[c];
        about_A.K -= cross(A_mean, about_A.J); // the lever part, about the point of the book
        account.posted[c] += about_A;
        sum += about_A;
    });
    const Balance& begin = account.closing;
    const Vec3<double> moving = -cross(A_change, 0.5 * (begin.p + end.p));
    Residual missing;
    missing.mass = (end.mass - begin.mass) - sum.mass;
    missing.p = (end.p - begin.p) - sum.J;
    missing.L = (end.L - begin.L) - (sum.K + sum.S + moving);
    missing.spin = (end.spin - begin.spin) - sum.S;
    missing.T = (end.T - begin.T) - sum.work;
    account.moving_point += moving;
    account.closing = end;
    return missing;
}

/// Lets the scales grow to the largest terms of this booking.
void grow_scales(Books& books, const Postings& postings, const Tally& now)
{
    const auto grow = [](double& scale, double value) { scale = std::max(scale, std::abs(value)); };
    // Of all lengths the largest is wanted: one root of the largest square.
    double p2 = now.p2, L2 = now.L2, spin2 = now.spin2;
    for (const Balance* b : std::array<const Balance*, 2>{&books.total.closing, &now.sum}) {
        p2 = max(p2, norm2(b->p));
        L2 = max(L2, norm2(b->L));
        spin2 = max(spin2, norm2(b->spin));
        grow(books.scale_E, b->T);
    }
    postings.for_causes([&](std::size_t c) {
        const Posting& posting = postings.totals()[c];
        const double S2 = norm2(posting.S);
        p2 = max(p2, norm2(posting.J));
        L2 = max(L2, max(norm2(posting.K), S2));
        spin2 = max(spin2, S2);
        grow(books.scale_E, posting.work);
    });
    grow(books.scale_p, std::sqrt(p2));
    grow(books.scale_L, std::sqrt(L2));
    grow(books.scale_spin, std::sqrt(spin2));
    const PostingSizes& sizes = postings.sizes(); // single ones: their sum may cancel
    grow(books.scale_p, sizes.J);
    grow(books.scale_L, std::max(sizes.K, sizes.S));
    grow(books.scale_spin, sizes.S);
    grow(books.scale_E, sizes.work);
    // What rests does no work, and rounding is not to be measured by itself: the least that the
    // largest impulse would give to a body, J²/2m.
    if (now.heaviest > 0)
        grow(books.scale_E, 0.5 * sizes.J * sizes.J / now.heaviest);
}

} // namespace

Ledger::Ledger(Settings settings, const Model& model, const Placed& start)
    : settings_(std::move(settings))
{
    if (off())
        return;
    books_.A = settings_.about ? settings_.about(start) : zero3<double>();
    books_.total.opening = books_.total.closing = tally_of(start, books_.A).sum;
    if (settings_.detail == Postings::Detail::bodies)
        for (const PlacedBody& body : start.bodies) {
            Account account;
            account.opening = account.closing = balance_of(body, books_.A);
            books_.bodies.push_back(account);
        }
    books_.opening_stores = books_.closing_stores = stores_of(model, start);
}

void Ledger::book(const Model& model, const Postings& postings, const Placed& end)
{
    if (off())
        return;
    const Vec3<double> A = settings_.about ? settings_.about(end) : zero3<double>();
    const Vec3<double> A_mean = 0.5 * (books_.A + A), A_change = A - books_.A;
    const Tally tally = tally_of(end, A);
    const Balance& now = tally.sum;
    grow_scales(books_, postings, tally);

    Residual missing =
        book_account(books_.total, postings, postings.totals(), now, A_mean, A_change);
    const Stores stores = stores_of(model, end);
    const auto worked = [&](Cause cause) { return postings.totals()[index_of(cause)].work; };
    const Stores& before = books_.closing_stores;
    const Stores& shifted = postings.shifted();
    for (const auto& [cause, energy] : own_stores)
        missing.stores.*energy =
            (stores.*energy - before.*energy) + worked(cause) - shifted.*energy;
    books_.shifted += shifted;
    add(books_.total.residual, missing);
    books_.scale_E = std::max({books_.scale_E, stores.spring, stores.rotor,
                               std::abs(stores.gravity - books_.opening_stores.gravity)});
    books_.closing_stores = stores;
    books_.A = A;

    const auto worse = [](double& worst, double value, double scale) {
        worst = std::max(worst, relative(value, scale));
    };
    worse(books_.worst_p, norm(missing.p), books_.scale_p);
    worse(books_.worst_L, norm(missing.L), books_.scale_L);
    worse(books_.worst_spin, norm(missing.spin), books_.scale_spin);
    worse(books_.worst_E, std::abs(missing.E()), books_.scale_E);

    for (std::size_t i = 0; i < books_.bodies.size(); ++i)
        add(books_.bodies[i].residual,
            book_account(books_.bodies[i], postings, postings.bodies()[i],
                         balance_of(end.bodies[i], A), A_mean, A_change));
}

std::string Ledger::verdict() const
{
    if (off())
        return settings_.energy_tolerance ? text_of("not kept; the energy tolerance ",
                                                    *settings_.energy_tolerance, " was not checked")
                                          : std::string("not kept");
    std::string found;
    const Residual& r = books_.total.residual;
    const auto judge = [&](const char* what, double size, double scale, double limit) {
        const char* also = found.empty() ? "" : "; ";
        // An overflow would compare as infinity with infinity, and NaN as nothing at all.
        if (!std::isfinite(size) || !std::isfinite(scale))
            found += text_of(also, what, " is not a finite number");
        else if (!(size <= limit * scale))
            found += text_of(also, what, " is off by ", relative(size, scale),
                             " of its largest term, allowed is ", limit);
    };
    judge("mass", std::abs(r.mass), books_.total.opening.mass, allowed);
    if (settings_.promises_momentum)
        judge("momentum p", norm(r.p), books_.scale_p, allowed);
    if (settings_.promises_spin)
        judge("angular momentum about the centres of mass", norm(r.spin), books_.scale_spin,
              allowed);
    if (settings_.promises_L)
        judge("angular momentum L", norm(r.L), books_.scale_L, allowed);
    if (settings_.energy_tolerance)
        judge("energy", std::abs(r.E()), books_.scale_E, *settings_.energy_tolerance);
    else if (!std::isfinite(r.E())) // not judged against a tolerance, but a number it must be
        judge("energy", r.E(), books_.scale_E, allowed);
    return found;
}

} // namespace poinsot
