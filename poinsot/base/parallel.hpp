// SPDX-License-Identifier: MIT
#pragma once

// A range of work on the threads the caller lends. The pieces are the same for every number of
// threads, so work that keeps to its piece gives the same bits on one thread and on many.

#include <cstddef>
#include <functional>
#include <memory>

namespace poinsot {

class Threads {
  public:
    /// 0: as many as the machine has.
    explicit Threads(int count = 1);
    ~Threads();
    Threads(Threads&&) noexcept;
    Threads& operator=(Threads&&) noexcept;

    int count() const { return count_; }

    /// Calls work(first, last, worker) for [0, n) in pieces of `piece`. Workers are numbered from 0
    /// to count() − 1; two calls at the same time never have the same number.
    void run(std::size_t n, std::size_t piece,
             const std::function<void(std::size_t, std::size_t, std::size_t)>& work);

  private:
    struct Arena;
    int count_;
    std::unique_ptr<Arena> arena_; // none for one thread
};

} // namespace poinsot
