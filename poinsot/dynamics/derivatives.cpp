// SPDX-License-Identifier: MIT
#include "poinsot/dynamics/derivatives.hpp"

#include <Eigen/Core>

namespace poinsot {

ForwardDifferentiator::ForwardDifferentiator(const Linkage& linkage)
    : w_(linkage), sides_(linkage), scratch_(static_cast<std::size_t>(linkage.nv)), d_(linkage),
      v_dot_(static_cast<std::size_t>(linkage.nv)), tau_q_(v_dot_.size() * v_dot_.size()),
      tau_v_(tau_q_.size()), out_{tau_q_, tau_q_, tau_q_}
{
}

const ForwardDerivatives&
ForwardDifferentiator::at(const Linkage& linkage, std::span<const LinkInertia<double>> inertias,
                          std::span<const double> q, std::span<const double> v,
                          std::span<const double> tau, std::span<const Wrench<double>> external,
                          const Vec3<double>& gravity)
{
    forward_dynamics(linkage, inertias, q, v, tau, external, gravity, v_dot_, w_);
    inverse_dynamics_derivatives(linkage, inertias, v, v_dot_, external, gravity, tau_q_, tau_v_,
                                 w_, d_);
    // M⁻¹: its own rows are its columns.
    const auto nv = static_cast<std::size_t>(linkage.nv);
    std::fill(out_.by_tau.begin(), out_.by_tau.end(), 0.0);
    for (std::size_t i = 0; i < nv; ++i)
        out_.by_tau[i * nv + i] = 1;
    solve_inertia_rows(linkage, out_.by_tau, out_.by_tau, w_, sides_, scratch_);
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Index n = linkage.nv;
    const Eigen::Map<const Rows> inverse(out_.by_tau.data(), n, n);
    const auto through = [&](const std::vector<double>& tau_x, std::vector<double>& out) {
        Eigen::Map<Rows>(out.data(), n, n).noalias() =
            -inverse * Eigen::Map<const Rows>(tau_x.data(), n, n);
    };
    through(tau_q_, out_.by_q);
    through(tau_v_, out_.by_v);
    return out_;
}

} // namespace poinsot
