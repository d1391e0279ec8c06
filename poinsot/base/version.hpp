// SPDX-License-Identifier: MIT
#pragma once

namespace poinsot {

/// The version of the library that is linked, as "major.minor.patch".
const char* version();

} // namespace poinsot
