// SPDX-License-Identifier: MIT
#include "poinsot/io/safe_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace poinsot {

SafeFile::SafeFile(std::filesystem::path path) : path_(std::move(path))
{
    std::error_code error;
    const auto kind = std::filesystem::status(path_, error).type();
    if (kind == std::filesystem::file_type::directory) {
        problem_ = fmt::format("{}: is a directory; name a file in it", path_.string());
        return;
    }
    const bool device = kind != std::filesystem::file_type::not_found &&
                        kind != std::filesystem::file_type::regular &&
                        kind != std::filesystem::file_type::none;
    temporary_ = path_;
    if (!device)
        temporary_ += ".part";
    file_ = ::open(temporary_.c_str(),
                   device ? O_WRONLY | O_CLOEXEC : O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0)
        fail("cannot be opened for writing");
}

SafeFile::~SafeFile()
{
    if (file_ >= 0) {
        if (keep_partial && !problem_)
            flush();
        ::close(file_);
        if (!finished_ && !keep_partial && temporary_ != path_)
            ::unlink(temporary_.c_str());
    }
}

void SafeFile::fail(const char* did)
{
    const int reason = errno;
    if (problem_)
        return;
    problem_ = fmt::format("{}: {}: {}", path_.string(), did, std::strerror(reason));
    if (reason == ENOSPC || reason == EDQUOT)
        *problem_ += "; make room, or write elsewhere";
    else if (reason == EFBIG)
        *problem_ += "; the limit on file sizes is reached (ulimit -f)";
    else if (reason == ENOENT)
        *problem_ += "; does its folder exist?";
    if (keep_partial && file_ >= 0 && temporary_ != path_)
        *problem_ += fmt::format("; what there was room for is in {}", temporary_.string());
}

Problems SafeFile::problems() const
{
    Problems found;
    const std::string place = path_.string() + ": ";
    if (problem_)
        found.add(path_.string(),
                  problem_->starts_with(place) ? problem_->substr(place.size()) : *problem_);
    return found;
}

void SafeFile::write(std::string_view text)
{
    if (problem_)
        return;
    buffer_ += text;
    if (buffer_.size() > (1u << 20))
        flush();
}

void SafeFile::flush()
{
    std::string_view left = buffer_;
    while (!problem_ && !left.empty()) {
        const ssize_t n = ::write(file_, left.data(), left.size());
        if (n >= 0)
            left.remove_prefix(static_cast<std::size_t>(n));
        else if (errno != EINTR)
            fail("cannot be written");
    }
    buffer_.clear();
}

void SafeFile::finish()
{
    flush();
    if (problem_)
        return;
    if (::fsync(file_) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP)
        return fail("cannot be brought to the disk");
    if (temporary_ == path_) {
        finished_ = true;
        return;
    }
    if (::rename(temporary_.c_str(), path_.c_str()) != 0)
        return fail("cannot take its name");
    finished_ = true;
    // The rename itself is only on the disk when its folder is.
    const auto folder =
        path_.parent_path().empty() ? std::filesystem::path(".") : path_.parent_path();
    const int at = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (at >= 0) {
        ::fsync(at);
        ::close(at);
    }
}

} // namespace poinsot
