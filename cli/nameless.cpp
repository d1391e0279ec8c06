// SPDX-License-Identifier: MIT
#include "cli/nameless.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace poinsot {

NamelessTrajectory::~NamelessTrajectory()
{
    remove();
    if (file_ >= 0)
        ::close(file_);
}

std::string NamelessTrajectory::make_beside(const std::filesystem::path& file)
{
    std::string name = file.string() + ".XXXXXX";
    if (!::mkdtemp(name.data()))
        return fmt::format("no folder can be made beside {}: {}", file.string(),
                           std::strerror(errno));
    folder_ = name;
    path_ = folder_ / "run.h5";
    return {};
}

std::string NamelessTrajectory::take_name()
{
    file_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0)
        return fmt::format("{}: cannot be opened: {}", path_.string(), std::strerror(errno));
    remove();
    path_ = fmt::format("/proc/self/fd/{}", file_); // leads to the file itself
    return {};
}

void NamelessTrajectory::remove()
{
    std::error_code error;
    if (!folder_.empty())
        std::filesystem::remove_all(folder_, error);
    folder_.clear();
}

} // namespace poinsot
