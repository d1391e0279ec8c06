// SPDX-License-Identifier: MIT
#pragma once

// Other people's code on other people's files, at arm's length: it runs in a child process that has
// limits, and what it makes comes back as bytes through a pipe. Whatever a damaged file does to it
// (a crash, an endless loop, all the memory there is), the caller gets a sentence.

#include <cstdint>
#include <functional>
#include <string>

namespace poinsot {

struct Allowance {
    std::uint64_t memory; // bytes, beyond what this process has already
    int seconds;          // of computing; three times that by the clock, as machines are busy
};

struct FromChild {
    std::string bytes; // all that the work made
    std::string why;   // or "crashed on this file (signal SEGV)"; empty if it came to its end
};

/// The child is a copy of this process with one thread, the calling one. It inherits locks that
/// other threads hold: glibc frees those of malloc, and the work should wait for no others. Its
/// standard streams lead nowhere, and nothing it changes is seen here.
FromChild in_a_child(const std::function<std::string()>& work, const Allowance& allowed);

/// Sanitizers reserve terabytes of addresses, so that nothing is left to limit.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool memory_is_limited = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
inline constexpr bool memory_is_limited = false;
#else
inline constexpr bool memory_is_limited = true;
#endif
#else
inline constexpr bool memory_is_limited = true;
#endif

} // namespace poinsot
