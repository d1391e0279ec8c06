// SPDX-License-Identifier: MIT
// Motors and friction of joints in a step by impulses: what is guessed, and what is solved for.
#include "poinsot/solve/impact.hpp"
#include "poinsot/step/impulsive_parts.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

/// Guesses of what drives do, by row; false: they do nothing.
bool Impulsive::guess_drives()
{
    Parts& p = *parts_;
    p.guessed.setZero(rows_.count());
    const bool any = drives_.guess(span_of(p.freely));
    for (const Drive& drive : drives_.all())
        p.guessed(drive.row) = drive.guess;
    return any;
}

/// A motor that pushes with all it has may lack a thousand times the speeds that are there, and
/// residuals are counted in all of them. It is said to lack no more; if it then pushes with less
/// than all, what it lacks is asked for in full.
Result<ImpactAnswer> Impulsive::answer_of(Island& island, const ImpactSettings& how)
{
    double fastest = 0;
    for (Eigen::Index i = 0; i < island.before.size(); ++i)
        fastest = std::max({fastest, std::abs(island.before(i)), std::abs(island.problem.q(i))});
    const auto solved = [&] {
        return solve_impact(island.problem, island.before, island.restitution, how, island.start,
                            island.ahead);
    };
    double far = 1e3 * fastest;
    const auto lack_at_most = [&] {
        for (const auto& [row, drive] : island.drives)
            island.problem.q(row) =
                std::clamp(drives_.all()[static_cast<std::size_t>(drive)].lack, -far, far);
    };
    lack_at_most();
    auto answer = solved();
    for (const auto& [row, drive] : island.drives) {
        const double lack = drives_.all()[static_cast<std::size_t>(drive)].lack;
        if (!answer || std::abs(lack) <= far || answer->contact.u(row) * lack > 0)
            continue;
        far = std::numeric_limits<double>::infinity();
        lack_at_most();
        return solved();
    }
    return answer;
}

} // namespace poinsot
