// SPDX-License-Identifier: MIT
#include "poinsot/base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace poinsot {

void broken_promise(const char* what, const char* file, int line)
{
    std::fprintf(stderr, "%s:%d: broken promise: %s\n", file, line, what);
    std::abort();
}

} // namespace poinsot
