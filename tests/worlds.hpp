// SPDX-License-Identifier: MIT
#pragma once

// Small worlds that several tests run, and how to run them; compiled once, in worlds.cpp.

#include "near.hpp"
#include "poinsot/model/builder.hpp"
#include "poinsot/step/simulate.hpp"

#include <nlohmann/json.hpp>

namespace poinsot {

using V3 = Vec3<double>;

V3 vec(const nlohmann::json& j);
Quat<double> quat(const nlohmann::json& j);
nlohmann::json reference_items(const char* file);

/// Numbers that are the same on every machine: a plain linear congruence, not a library's choice.
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : s_(seed * 2862933555777941757ull + 3037000493ull) {}
    double uniform(double low, double high)
    {
        s_ = s_ * 6364136223846793005ull + 1442695040888963407ull;
        return low + (high - low) * static_cast<double>(s_ >> 11) * 0x1p-53;
    }
    V3 vector(double size)
    {
        return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
    }
    Quat<double> rotation() { return exp_quat(vector(3)); }
    /// The inertia of some body: second moments first, so that it can exist.
    Sym3<double> inertia()
    {
        const double a = uniform(0.1, 1), b = uniform(0.1, 1), c = uniform(0.1, 1);
        return congruent(matrix_of(rotation()), diagonal(b + c, a + c, a + b));
    }

  private:
    std::uint64_t s_;
};

Body body_with(const char* name, double mass, const Sym3<double>& inertia, const V3& v,
               const V3& omega);

std::shared_ptr<const Model> built(const Builder& builder);

/// A free body of moments (1, 2, 3) that tumbles.
std::shared_ptr<const Model> tumbler();

/// Two tumbling bodies and a particle, tied by springs, under gravity and an applied load: every
/// conservative cause, and levers that matter.
Builder tied_bodies();

RunSettings run_with(Method method, double h, double until, FormKind form = FormKind::momentum);

/// Runs to the end; the books are closed.
Simulation ran(std::shared_ptr<const Model> model, const RunSettings& settings, Input input = {});

/// The largest difference of two worlds: places, attitudes (as matrices), velocities.
double difference(const Placed& a, const Placed& b);

/// The angle between two attitudes.
double angle_between(const Quat<double>& a, const Quat<double>& b);

} // namespace poinsot
