// SPDX-License-Identifier: MIT
#pragma once

// The assertion for promises between functions. A broken promise is a bug of this library or of
// the program that calls it, never of a user's file: it stops at once and says where. Wrong input
// comes back as Problems instead (result.hpp).

namespace poinsot {

[[noreturn]] void broken_promise(const char* what, const char* file, int line);

/// Stops the program, naming the place, unless the promise holds. Active in every build.
/// (clang 14 has no std::source_location with this standard library; the builtins serve both.)
inline void check(bool holds, const char* what, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE())
{
    if (!holds) [[unlikely]]
        broken_promise(what, file, line);
}

} // namespace poinsot
