// SPDX-License-Identifier: MIT
#pragma once

// What a step by impulses works on between its kicks.

#include "poinsot/step/floating.hpp"
#include "poinsot/step/impulsive.hpp"
#include "poinsot/step/islands.hpp"

#include <tuple>

namespace poinsot {

/// What comes by no more than so many times what loads give in a step was not thrown: it rests, or
/// was held up by others a step ago.
inline constexpr double slow = 2;

inline std::span<const double> span_of(const Eigen::VectorXd& x)
{
    return {x.data(), static_cast<std::size_t>(x.size())};
}

/// Where a part of a step began.
struct Impulsive::Kept {
    std::vector<PlacedBody> bodies;
    Postings postings;
    std::vector<Touched> touched;
    std::size_t records = 0, driven = 0, struck = 0;
    std::vector<ContactGain> gains;
    double residual = 0;
    int unsolved = 0;
};

/// Loads without the drives, which are rows here, as long as it lives.
class WithoutDrives {
  public:
    explicit WithoutDrives(Loads& loads) : loads_(loads) { loads_.drives_bind = true; }
    WithoutDrives(const WithoutDrives&) = delete;
    WithoutDrives& operator=(const WithoutDrives&) = delete;
    ~WithoutDrives() { loads_.drives_bind = false; }

  private:
    Loads& loads_;
};

struct Impulsive::Parts {
    Kept kept;
    std::tuple<std::vector<MomentumForm<double>>, std::vector<VelocityForm<double>>,
               std::vector<MatrixForm<double>>, JointMotion>
        begin;
    template <class Motion>
    Motion& begin_of()
    {
        return std::get<Motion>(begin);
    }
    bool unsettled = false;                    // what turns turned too far in a kick
    Eigen::VectorXd before, freely;            // u⁻ and q of all rows
    Eigen::VectorXd aim;                       // u⁺ that rows of joints are to have
    std::vector<std::array<double, 3>> speeds; // of coordinates where a part begins
    Eigen::VectorXd r, restored, after, start;
    Eigen::VectorXd guessed; // of drives, by row
    Eigen::VectorXd apart;   // pushes that take away overlaps
    JointRows linkage;       // reduced coordinates: M⁻¹ Jᵀ
    std::unique_ptr<Floating> floating;
    std::vector<char> floating_without; // joints that had let go
    std::vector<double> v_dot, v, u, felt;
    std::vector<Wrench<double>> guesses; // of drives, on bodies
    std::vector<Twist<double>> moves;    // of bodies put apart
    PartWorkspace search;
    std::vector<StopLaw> stops; // of the limits that are looked at
    std::vector<Island> islands;
    std::size_t used = 0; // of them

    // Of the first answer, for what depends on velocity.
    std::vector<Wrench<double>> replies;                  // on bodies
    std::vector<std::array<double, 3>> after_kick, bends; // speeds, and what they gain in flight
    std::vector<MomentumForm<double>> flown;
    std::vector<TouchRows> points_then;
    std::vector<StopLaw> stops_then;
};

} // namespace poinsot
