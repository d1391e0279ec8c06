// SPDX-License-Identifier: MIT
#include "poinsot/solve/impact.hpp"

#include "poinsot/solve/held_rows.hpp"
#include "poinsot/solve/strike.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace poinsot {

namespace {

template <class Named, std::size_t n>
std::optional<Named> found_among(const std::array<std::string_view, n>& names,
                                 std::string_view name)
{
    for (std::size_t i = 0; i < n; ++i)
        if (names[i] == name)
            return static_cast<Named>(i);
    return std::nullopt;
}

bool is_joint(const ContactBlock& block)
{
    return block.law == ContactBlock::Law::free;
}
bool is_contact(const ContactBlock& block)
{
    return block.law == ContactBlock::Law::contact;
}

Eigen::VectorXd rows_of_block(const Eigen::VectorXd& x, const ContactBlock& block)
{
    Eigen::VectorXd part(block.rows);
    for (int i = 0; i < block.rows; ++i)
        part(i) = x(block.first + i);
    return part;
}

double size_of_impact(const Eigen::VectorXd& x)
{
    double square = 0;
    for (Eigen::Index i = 0; i < x.size(); ++i)
        square += x(i) * x(i);
    return std::sqrt(square);
}

// Problem, speeds and restitution of one call, and the ways to answer them.
class ImpactCase {
  public:
    ImpactCase(const ContactProblem& problem, const Eigen::VectorXd& u_before,
               std::span<const double> restitution, const ImpactSettings& settings,
               const Eigen::VectorXd& start, std::span<const double> ahead)
        : problem_(problem), u_before_(u_before), settings_(settings), start_(start), ahead_(ahead),
          e_(restitution.begin(), restitution.end())
    {
    }

    ImpactAnswer answer()
    {
        int contacts = 0;
        for (std::size_t b = 0; b < e_.size(); ++b)
            contacts += touches(b);
        if (settings_.order == ImpactOrder::in_sequence)
            return in_sequence();
        if (settings_.law == ImpactLaw::poisson)
            return poisson();
        if (settings_.law == ImpactLaw::newton)
            return shifted();
        if (settings_.law == ImpactLaw::energetic && contacts == 1)
            return energetic();

        ImpactAnswer made = shifted();
        judge_energy(problem_, u_before_, made);
        if (made.gaining.empty())
            return made;
        double least = 1;
        for (std::size_t b = 0; b < e_.size(); ++b)
            if (is_contact(problem_.blocks[b]) && u_before_(problem_.blocks[b].first) < 0)
                least = std::min(least, e_[b]);
        for (std::size_t b = 0; b < e_.size(); ++b) // Moreau's bound is for what touches
            if (open(b) && made.contact.r(problem_.blocks[b].first) > 0)
                least = 0;
        for (std::size_t b = 0; b < e_.size(); ++b)
            if (is_contact(problem_.blocks[b]))
                e_[b] = least;
        one_for_all_ = true;
        made = shifted();
        made.eased = true;
        return made;
    }

  private:
    ContactAnswer cones(const ContactProblem& problem, const Eigen::VectorXd& start,
                        bool thorough = true) const
    {
        ConeSettings cone = settings_.cone;
        cone.thorough = thorough;
        const auto made = settings_.exact ? solve_cones(problem, cone, start)
                                          : gauss_seidel(problem, settings_.sweeps, start);
        check(static_cast<bool>(made), "a problem that was checked is one of cones");
        return *made;
    }

    double tolerance() const
    {
        return settings_.exact ? settings_.cone.tolerance : settings_.sweeps.tolerance;
    }
    // An answer is no better than what it was made of.
    static void also(ContactAnswer& answer, double residual, bool solved)
    {
        answer.residual = std::max(answer.residual, residual);
        answer.solved = answer.solved && solved;
    }

    bool open(std::size_t b) const { return !ahead_.empty() && ahead_[b] > 0; }
    bool touches(std::size_t b) const { return is_contact(problem_.blocks[b]) && !open(b); }

    // What comes back from a row of u⁻: see the top of the header.
    double returned(std::size_t b, int row) const
    {
        const ContactBlock& block = problem_.blocks[b];
        const double u_n = u_before_(block.first);
        const bool flies = u_n > 0 && !(at_rest_ && e_[b] == 0);
        if (open(b))
            return row == block.first ? std::max(ahead_[b], flies ? u_n : 0) : 0;
        if (settings_.law == ImpactLaw::newton)
            return row == block.first ? e_[b] * u_n : 0;
        if (settings_.law == ImpactLaw::moreau || one_for_all_ || strikes(block))
            return e_[b] * u_before_(row);
        return row == block.first && flies ? u_n : 0;
    }
    // Does it approach by more than the rounding of one that rests?
    bool strikes(const ContactBlock& block) const
    {
        const double u_n = u_before_(block.first);
        return u_n < 0 && -u_n > 1e-6 * std::abs(problem_.q(block.first) - u_n);
    }

    bool resting_is_a_choice() const
    {
        return settings_.law == ImpactLaw::energetic && !one_for_all_ && !at_rest_;
    }

    // Moreau's law and Newton's: the cone's for u⁺ + e u⁻.
    ImpactAnswer shifted()
    {
        ContactProblem moved = problem_;
        bool any = false, thrown = false, flown = false;
        double one_e = -1;
        bool same = true;
        for (std::size_t b = 0; b < e_.size(); ++b) {
            const ContactBlock& block = problem_.blocks[b];
            if (!is_contact(block))
                continue;
            bool moves = false;
            for (int i = block.first; i < block.first + block.rows; ++i) {
                const double back = returned(b, i);
                moves = moves || u_before_(i) != 0;
                same = same && back == e_[b] * u_before_(i);
                any = any || back != 0;
                thrown = thrown || (back != 0 && !open(b) && strikes(block));
                flown = flown || (back > 0 && u_before_(i) > 0 && e_[b] == 0);
                moved.q(i) += back;
            }
            same = same && (!moves || one_e < 0 || one_e == e_[b]);
            one_e = moves ? e_[b] : one_e;
        }
        ImpactAnswer made;
        // Flights that contradict each other are not looked for long.
        const bool may_rest = flown && !thrown && settings_.exact && resting_is_a_choice();
        made.contact = cones(moved, start_, !may_rest);
        if (may_rest && !made.contact.solved) {
            at_rest_ = true;
            return shifted();
        }
        if (any) // elsewhere u is that of the problem itself
            made.contact.u = speeds_of(problem_, made.contact.r);
        made.restored = Eigen::VectorXd::Zero(problem_.q.size());
        if (!thrown)
            return made;
        // All of q scaled by 1 + e scales r: without loads this is known.
        double loads = 0;
        for (Eigen::Index i = 0; i < u_before_.size(); ++i)
            loads = std::max(loads, std::abs(problem_.q(i) - u_before_(i)));
        const bool known = same && loads <= 1e-15 * size_of_impact(u_before_);
        const Eigen::VectorXd at_rest = known ? Eigen::VectorXd() : cones(problem_, start_).r;
        for (std::size_t b = 0; b < e_.size(); ++b) {
            const ContactBlock& block = problem_.blocks[b];
            if (!touches(b))
                continue;
            const double r_n = made.contact.r(block.first);
            made.restored(block.first) = known ? r_n * one_e / (1 + one_e)
                                               : std::clamp(r_n - at_rest(block.first), 0.0, r_n);
        }
        return made;
    }

    // After a blow of impulses r: loads, motors and stops, e = 0. The sum of two reactions in a
    // cone is in it.
    ImpactAnswer rest_after(const Eigen::VectorXd& r, const Eigen::VectorXd& restored,
                            bool blow) const
    {
        ContactProblem left = problem_;
        left.q = speeds_of(problem_, r);
        const Eigen::VectorXd after_blow = left.q;
        bool any_open = false;
        for (std::size_t b = 0; b < e_.size(); ++b)
            if (open(b)) { // it neither gains from the blow nor from what acts
                const int n = problem_.blocks[b].first;
                const double u_blow = after_blow(n) - problem_.q(n) + u_before_(n);
                left.q(n) += std::max({ahead_[b], u_before_(n), u_blow});
                any_open = true;
            }
        ImpactAnswer made;
        made.restored = restored;
        const Eigen::VectorXd none = Eigen::VectorXd::Zero(r.size());
        made.contact.r = none;
        made.contact.u = after_blow;
        made.contact.residual = natural_residual(left, none, left.q);
        made.contact.solved = made.contact.residual <= 1e-15;
        if (!made.contact.solved)
            made.contact = cones(left, blow ? Eigen::VectorXd() : start_);
        for (Eigen::Index i = 0; i < r.size(); ++i)
            made.contact.r(i) += r(i);
        if (any_open)
            made.contact.u = speeds_of(problem_, made.contact.r);
        return made;
    }

    /// What joints and loads change speeds by. Of joints all: what they do not hold yet is a load.
    Eigen::VectorXd loads() const
    {
        Eigen::VectorXd made = problem_.q;
        for (const ContactBlock& block : problem_.blocks)
            for (int i = block.first; !is_joint(block) && i < block.first + block.rows; ++i)
                made(i) -= u_before_(i);
        return made;
    }
    /// The part of it that joints do which have come off their course.
    Eigen::VectorXd taken_back() const
    {
        Eigen::VectorXd made = Eigen::VectorXd::Zero(problem_.q.size());
        for (const ContactBlock& block : problem_.blocks)
            for (int i = block.first; is_joint(block) && i < block.first + block.rows; ++i)
                made(i) = u_before_(i);
        return made;
    }

    ImpactAnswer energetic()
    {
        Eigen::VectorXd r = Eigen::VectorXd::Zero(problem_.q.size()), restored = r;
        double off = 0;
        bool blow = false;
        for (std::size_t b = 0; b < e_.size(); ++b) {
            const ContactBlock& block = problem_.blocks[b];
            if (!touches(b))
                continue;
            if (!strikes(block))
                return shifted();
            const HeldRows held(problem_);
            const Eigen::VectorXd u = u_before_ + 0.5 * held.held(loads());
            const StrikeEnd end = strike(block, held.own(block), rows_of_block(u, block), e_[b]);
            blow = true;
            off = end.off;
            for (int i = 0; i < block.rows; ++i)
                r(block.first + i) = end.r(i);
            restored(block.first) = end.restored;
            held.add_reply(r);
        }
        ImpactAnswer made = rest_after(r, restored, blow);
        also(made.contact, off, off <= tolerance());
        return made;
    }

    // Compression without loads, motors and stops, then expansion.
    //
    // In expansion x = r_n − e r_c ≥ 0 ⊥ u_n ≥ 0 and |r_t| ≤ μ (e r_c + x). That ball is the sum of
    // two: |r_t'| ≤ μ x, a contact as any other, and |r_t''| ≤ μ e r_c, which is a contact too if
    // its normal row is a dummy that moves nothing else and is pressed with e r_c.
    ImpactAnswer poisson() const
    {
        ContactProblem blow;
        blow.W = delassus_of(problem_);
        blow.q = u_before_;
        blow.blocks = problem_.blocks;
        for (std::size_t b = 0; b < e_.size(); ++b) {
            const ContactBlock& block = problem_.blocks[b];
            if (block.law == ContactBlock::Law::bounded)
                blow.blocks[b].lower = blow.blocks[b].upper = 0;
            if (!open(b))
                continue;
            blow.blocks[b] = bounded_row(block.first, 0, 0); // it is not struck
            for (int i = 1; i < block.rows; ++i)
                blow.blocks.push_back(bounded_row(block.first + i, 0, 0));
        }
        const ContactAnswer compressed = cones(blow, {});

        const Eigen::Index n = problem_.q.size();
        std::vector<Eigen::Index> copied; // rows that are there twice; −1 for a dummy
        ContactProblem expansion = blow;
        Eigen::VectorXd pressed = Eigen::VectorXd::Zero(n); // e r_c
        for (std::size_t b = 0; b < e_.size(); ++b) {
            const ContactBlock& block = problem_.blocks[b];
            if (!is_contact(block) || !(e_[b] * compressed.r(block.first) > 0))
                continue;
            pressed(block.first) = e_[b] * compressed.r(block.first);
            ContactBlock twin = block;
            twin.first = static_cast<int>(n) + static_cast<int>(copied.size());
            expansion.blocks.push_back(twin);
            copied.push_back(-1 - block.first);
            for (int i = 1; i < block.rows; ++i)
                copied.push_back(block.first + i);
        }
        ImpactAnswer made;
        Eigen::VectorXd r = compressed.r, restored = Eigen::VectorXd::Zero(n);
        bool solved = compressed.solved;
        double residual = compressed.residual;
        if (!copied.empty()) {
            const Eigen::Index all = n + static_cast<Eigen::Index>(copied.size());
            const auto source = [&](Eigen::Index i) {
                return i < n ? i : copied[static_cast<std::size_t>(i - n)];
            };
            expansion.W.setZero(all, all);
            expansion.q.setZero(all);
            for (Eigen::Index j = 0; j < all; ++j)
                for (Eigen::Index i = 0; i < all; ++i)
                    if (source(i) >= 0 && source(j) >= 0)
                        expansion.W(i, j) = blow.W(source(i), source(j));
            // e r_c acts from the beginning.
            Eigen::VectorXd begun = compressed.r;
            for (Eigen::Index i = 0; i < n; ++i)
                begun(i) += pressed(i);
            const Eigen::VectorXd u = speeds_of(blow, begun);
            for (Eigen::Index i = 0; i < all; ++i) {
                if (source(i) >= 0) {
                    expansion.q(i) = u(source(i));
                    continue;
                }
                const Eigen::Index normal = -1 - source(i);
                expansion.W(i, i) = blow.W(normal, normal);
                expansion.q(i) = -expansion.W(i, i) * pressed(normal);
            }
            const ContactAnswer expanded = cones(expansion, {});
            solved = solved && expanded.solved;
            residual = std::max(residual, expanded.residual);
            for (Eigen::Index i = 0; i < all; ++i)
                if (source(i) >= 0)
                    r(source(i)) += expanded.r(i);
            for (Eigen::Index i = 0; i < n; ++i)
                r(i) += pressed(i);
            for (const ContactBlock& block : problem_.blocks)
                if (is_contact(block))
                    restored(block.first) = r(block.first) - compressed.r(block.first);
        }
        made = rest_after(r, restored, size_of_impact(r) > 0);
        also(made.contact, residual, solved);
        return made;
    }

    ImpactAnswer in_sequence() const
    {
        const Eigen::Index n = problem_.q.size();
        const HeldRows held(problem_);
        Eigen::VectorXd r = Eigen::VectorXd::Zero(n), restored = r;
        Eigen::VectorXd u = u_before_ + 0.5 * held.held(taken_back());
        double size = 0;
        for (Eigen::Index i = 0; i < n; ++i)
            size = std::max(size, std::abs(u(i)));
        ImpactSettings one = settings_;
        one.order = ImpactOrder::together;
        int rounds = 0;
        double residual = 0;
        bool approach = true, solved = true;
        while (approach && rounds < settings_.rounds) {
            approach = false;
            for (std::size_t b = 0; b < e_.size(); ++b) {
                const ContactBlock& block = problem_.blocks[b];
                if (!touches(b) || !(u(block.first) < -1e-14 * size))
                    continue;
                approach = true;
                ContactProblem alone;
                alone.W = held.own(block);
                alone.q = rows_of_block(u, block);
                alone.blocks = {block};
                alone.blocks[0].first = 0;
                const double e[] = {e_[b]};
                const ImpactAnswer hit = ImpactCase(alone, alone.q, e, one, {}, {}).answer();
                solved = solved && hit.contact.solved;
                residual = std::max(residual, hit.contact.residual);
                restored(block.first) += hit.restored(0);
                for (int j = 0; j < block.rows; ++j) {
                    const double by = hit.contact.r(j);
                    r(block.first + j) += by;
                    for (int i = 0; i < n; ++i)
                        u(i) += held.between(i, block.first + j) * by;
                }
            }
            rounds += approach;
        }
        const bool blow = rounds > 0;
        held.add_reply(r);
        ImpactAnswer made = rest_after(r, restored, blow);
        also(made.contact, residual, solved);
        made.rounds = rounds;
        made.cut_short = approach;
        return made;
    }

    const ContactProblem& problem_;
    const Eigen::VectorXd& u_before_;
    const ImpactSettings& settings_;
    const Eigen::VectorXd& start_;
    std::span<const double> ahead_;
    std::vector<double> e_;
    bool at_rest_ = false;     // what leaves without restitution rests at once
    bool one_for_all_ = false; // Moreau's law to the letter, which is the one with the proof
};

} // namespace

std::optional<ImpactLaw> impact_law_named(std::string_view name)
{
    return found_among<ImpactLaw>(impact_law_names, name);
}
std::optional<ImpactOrder> impact_order_named(std::string_view name)
{
    return found_among<ImpactOrder>(impact_order_names, name);
}
std::string_view name_of(ImpactLaw law)
{
    return impact_law_names[static_cast<std::size_t>(law)];
}
std::string_view name_of(ImpactOrder order)
{
    return impact_order_names[static_cast<std::size_t>(order)];
}

double work_of(const ContactBlock& block, const Eigen::VectorXd& u_before,
               const ImpactAnswer& answer)
{
    double work = 0;
    for (int i = block.first; i < block.first + block.rows; ++i)
        work += 0.5 * answer.contact.r(i) * (answer.contact.u(i) + u_before(i));
    return work;
}

double work_rounding(const ContactProblem& problem, const Eigen::VectorXd& u_before,
                     const ImpactAnswer& answer)
{
    double terms = 0;
    for (const ContactBlock& block : problem.blocks)
        for (int i = block.first; is_contact(block) && i < block.first + block.rows; ++i)
            terms +=
                std::abs(answer.contact.r(i)) *
                (std::abs(problem.q(i)) + std::abs(u_before(i)) + std::abs(answer.contact.u(i)));
    return 1e-12 * terms;
}

void judge_energy(const ContactProblem& problem, const Eigen::VectorXd& u_before,
                  ImpactAnswer& answer)
{
    const Eigen::VectorXd& r = answer.contact.r;
    const Eigen::VectorXd& u = answer.contact.u;
    answer.gaining.clear();
    answer.work = 0;
    // Rounding, and what a residual admits.
    const double off = std::min(answer.contact.residual, 1e-10) * size_of_impact(problem.q);
    double allowed = 0, after = 0; // r·u⁺
    std::vector<double> own(problem.blocks.size(), 0);
    for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
        const ContactBlock& block = problem.blocks[b];
        for (int i = block.first; is_contact(block) && i < block.first + block.rows; ++i) {
            own[b] += 0.5 * r(i) * (u(i) + u_before(i));
            after += r(i) * u(i);
            const double speeds = std::abs(u(i)) + std::abs(u_before(i));
            allowed += 1e-12 * std::abs(r(i)) * speeds + off * (std::abs(r(i)) + speeds);
        }
        answer.work += own[b];
    }
    // With loads first: r·(u⁺ − ½ W r), joints eliminated, which is no more than r·u⁺.
    if (!(answer.work > allowed) || !(after > allowed))
        return;
    double first = 0;
    if (std::none_of(problem.blocks.begin(), problem.blocks.end(), is_joint)) {
        Eigen::VectorXd pressed = Eigen::VectorXd::Zero(r.size());
        for (const ContactBlock& block : problem.blocks)
            for (int i = block.first; is_contact(block) && i < block.first + block.rows; ++i)
                pressed(i) = r(i);
        const Eigen::VectorXd made = speeds_of(problem, pressed); // W r + q
        for (Eigen::Index i = 0; i < r.size(); ++i)
            first += pressed(i) * (u(i) - 0.5 * (made(i) - problem.q(i)));
    } else {
        const HeldRows held(problem);
        for (const ContactBlock& a : problem.blocks)
            for (int i = a.first; is_contact(a) && i < a.first + a.rows; ++i) {
                first += r(i) * u(i);
                for (const ContactBlock& b : problem.blocks)
                    for (int j = b.first; is_contact(b) && j < b.first + b.rows; ++j)
                        first -= 0.5 * r(i) * held.between(i, j) * r(j);
            }
    }
    if (!(first > allowed))
        return;
    for (std::size_t b = 0; b < own.size(); ++b)
        if (own[b] > 0)
            answer.gaining.push_back(static_cast<int>(b));
}

Result<ImpactAnswer> solve_impact(const ContactProblem& problem, const Eigen::VectorXd& u_before,
                                  std::span<const double> restitution,
                                  const ImpactSettings& settings, const Eigen::VectorXd& start,
                                  std::span<const double> ahead)
{
    Problems found = faults_of(problem, start);
    if (!ahead.empty() && ahead.size() != problem.blocks.size())
        found.add("ahead", "must be given for each of ", problem.blocks.size(),
                  " blocks, is given for ", ahead.size());
    for (std::size_t b = 0; b < ahead.size(); ++b)
        if (!(ahead[b] >= 0 && std::isfinite(ahead[b])))
            found.add(text_of("ahead, block ", b), "must not be negative, is ", ahead[b]);
    if (u_before.size() != problem.q.size())
        found.add("u_before", "must have ", problem.q.size(), " speeds, has ", u_before.size());
    for (Eigen::Index i = 0; i < u_before.size(); ++i)
        if (!std::isfinite(u_before(i)))
            found.add(text_of("u_before, row ", i), "must be a number, is ", u_before(i));
    if (restitution.size() != problem.blocks.size())
        found.add("restitution", "must be given for each of ", problem.blocks.size(),
                  " blocks, is given for ", restitution.size());
    for (std::size_t b = 0; b < restitution.size(); ++b) {
        const double e = restitution[b];
        if (!(e >= 0 && e <= 1))
            found.add(text_of("restitution, block ", b), "must be between 0 and 1, is ", e);
        else if (e > 0 && b < problem.blocks.size() && !is_contact(problem.blocks[b]))
            found.add(text_of("restitution, block ", b),
                      "must be 0, only contacts bounce; a stop that does is a contact without "
                      "tangents; is ",
                      e);
    }
    if (settings.rounds < 1)
        found.add("rounds", "must be positive, is ", settings.rounds);
    if (found.any())
        return found;

    ImpactAnswer made = ImpactCase(problem, u_before, restitution, settings, start, ahead).answer();
    judge_energy(problem, u_before, made);
    return made;
}

} // namespace poinsot
