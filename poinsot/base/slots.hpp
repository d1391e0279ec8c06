// SPDX-License-Identifier: MIT
#pragma once

// A fixed number of things side by side, made once and zero at first. Kernels keep their scratch in
// it, not in std::vector: a kernel that is compiled once per instruction set must not instantiate a
// function that other files have under the same name.

#include <cstddef>

namespace poinsot {

template <class T>
class Slots {
  public:
    explicit Slots(std::size_t count) : at_(count > 0 ? new T[count]() : nullptr), count_(count) {}
    Slots(const Slots& other) : Slots(other.count_)
    {
        for (std::size_t i = 0; i < count_; ++i)
            at_[i] = other.at_[i];
    }
    Slots(Slots&& other) noexcept : at_(other.at_), count_(other.count_)
    {
        other.at_ = nullptr;
        other.count_ = 0;
    }
    Slots& operator=(Slots other) noexcept
    {
        T* const at = at_;
        const std::size_t count = count_;
        at_ = other.at_;
        count_ = other.count_;
        other.at_ = at;
        other.count_ = count;
        return *this;
    }
    ~Slots() { delete[] at_; }

    T& operator[](std::size_t i) { return at_[i]; }
    const T& operator[](std::size_t i) const { return at_[i]; }
    std::size_t size() const { return count_; }
    T* data() { return at_; }
    const T* data() const { return at_; }
    T* begin() { return at_; }
    T* end() { return at_ + count_; }
    const T* begin() const { return at_; }
    const T* end() const { return at_ + count_; }

  private:
    T* at_;
    std::size_t count_;
};

} // namespace poinsot
