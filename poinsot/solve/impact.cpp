// SPDX-License-Identifier: MIT
#include "poinsot/solve/impact.hpp"

namespace poinsot {

Result<ImpactAnswer> solve_impact(const ContactProblem& given, const Eigen::VectorXd& u_before,
                                  std::span<const double> restitution,
                                  const ImpactSettings& settings, const Eigen::VectorXd& start)
{
    ContactProblem problem = given;
    ImpactAnswer made;
    made.restored.setZero(given.q.size());
    for (std::size_t b = 0; b < given.blocks.size(); ++b)
        if (given.blocks[b].law == ContactBlock::Law::contact)
            for (int k = 0; k < given.blocks[b].rows; ++k)
                problem.q(given.blocks[b].first + k) +=
                    restitution[b] * u_before(given.blocks[b].first + k);
    const auto answer = settings.exact ? solve_cones(problem, settings.cone, start)
                                       : gauss_seidel(problem, settings.sweeps, start);
    if (!answer)
        return answer.problems();
    made.contact = *answer;
    made.contact.u = speeds_of(given, made.contact.r);
    for (std::size_t b = 0; b < given.blocks.size(); ++b)
        if (given.blocks[b].law == ContactBlock::Law::contact)
            made.restored(given.blocks[b].first) =
                restitution[b] / (1 + restitution[b]) * made.contact.r(given.blocks[b].first);
    return made;
}

} // namespace poinsot
