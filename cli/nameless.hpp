// SPDX-License-Identifier: MIT
#pragma once

// A trajectory for the time of one process: made beside a file, so that it has the same room, and
// without a name as soon as it is open. However the process ends, nothing is left of it.

#include <filesystem>
#include <string>

namespace poinsot {

class NamelessTrajectory {
  public:
    NamelessTrajectory() = default;
    ~NamelessTrajectory();
    NamelessTrajectory(const NamelessTrajectory&) = delete;
    NamelessTrajectory& operator=(const NamelessTrajectory&) = delete;

    /// Makes a place beside a file; tells what prevented it.
    std::string make_beside(const std::filesystem::path& file);
    /// To be called when a writer has opened `path()`: takes the name away. Readers open `path()`
    /// as before.
    std::string take_name();
    const std::filesystem::path& path() const { return path_; }

  private:
    void remove();

    std::filesystem::path folder_, path_;
    int file_ = -1;
};

} // namespace poinsot
