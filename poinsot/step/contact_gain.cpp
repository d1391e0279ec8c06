// SPDX-License-Identifier: MIT
#include "poinsot/step/contact_gain.hpp"

namespace poinsot {

void add_gain(std::vector<ContactGain>& gains, const ContactGain& one)
{
    for (ContactGain& known : gains)
        if (known.a == one.a && known.b == one.b && known.stop == one.stop &&
            known.unsolved == one.unsolved) {
            known.energy += one.energy;
            return;
        }
    gains.push_back(one);
}

} // namespace poinsot
