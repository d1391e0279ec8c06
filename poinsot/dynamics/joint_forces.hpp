// SPDX-License-Identifier: MIT
#pragma once

// Forces along all velocities of a linkage, as the input of a step.
//
// A joint with named coordinates takes them as they are. The force of a ball or of a body that
// floats is a load in the axes of its link, which turn while the step is taken:
//
//     ball        torque R τ on the link, −R τ on what carries it
//     free        force R F at the link's origin and torque R τ; the opposite on what carries it
//     translate   force F

#include "poinsot/dynamics/linkage.hpp"
#include "poinsot/forces/gather.hpp"

#include <memory>

namespace poinsot {

class JointForces {
  public:
    JointForces(const Linkage& linkage);

    /// The input that applies tau (nv numbers) from now on. None: no forces.
    Input input_of(std::span<const double> tau) const;

  private:
    struct Turning { // a link whose force is a load
        LinkOp op;
        int v;
        int body, carrier; // the world may carry
        LinkedBody at;     // of the body, in the link's frame
        Mat3<double> R;    // translate: its axes, fixed in the world
    };
    struct Named {
        int joint, coordinate, v;
    };
    std::vector<Named> named_;
    std::shared_ptr<const std::vector<Turning>> turning_;
};

} // namespace poinsot
