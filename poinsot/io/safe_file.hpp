// SPDX-License-Identifier: MIT
#pragma once

// Files that are there whole or not at all: written under a temporary name beside their place,
// brought to the disk, and renamed onto it. A device or a pipe is written directly.

#include "poinsot/base/result.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace poinsot {

class SafeFile {
  public:
    /// Opens for writing; `problem()` tells if that failed.
    explicit SafeFile(std::filesystem::path path);
    ~SafeFile(); // what was not finished stays under the temporary name only if `keep_partial`
    SafeFile(const SafeFile&) = delete;
    SafeFile& operator=(const SafeFile&) = delete;

    void write(std::string_view text);
    /// Hands what was written so far to the system: a killed process loses nothing of it.
    void flush();
    /// All is written: the file takes its name.
    void finish();

    /// What went wrong first, with the file and the reason.
    const std::optional<std::string>& problem() const { return problem_; }
    /// The same with the file as its place; none if all went well.
    Problems problems() const;
    /// Where the text is until it is finished.
    const std::filesystem::path& temporary() const { return temporary_; }

    bool keep_partial = false;

  private:
    void fail(const char* did);

    std::filesystem::path path_, temporary_;
    int file_ = -1;
    bool finished_ = false;
    std::string buffer_;
    std::optional<std::string> problem_;
};

} // namespace poinsot
