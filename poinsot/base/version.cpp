// SPDX-License-Identifier: MIT
#include "poinsot/base/version.hpp"

namespace poinsot {

const char* version()
{
    return POINSOT_VERSION;
}

} // namespace poinsot
