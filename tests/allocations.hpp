// SPDX-License-Identifier: MIT
#pragma once

// Counts every allocation of a test program. One file of a program includes it.

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> allocations{0};
}

[[gnu::noinline]] void* operator new(std::size_t size)
{
    ++allocations;
    if (void* memory = std::malloc(size))
        return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept
{
    ++allocations;
    return std::malloc(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept
{
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
// Packs are aligned beyond what malloc promises.
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t align)
{
    ++allocations;
    const auto to = static_cast<std::size_t>(align);
    if (void* memory = std::aligned_alloc(to, (size + to - 1) / to * to))
        return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept
{
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept
{
    std::free(memory);
}
