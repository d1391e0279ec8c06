// SPDX-License-Identifier: MIT
#pragma once

// What `report`, `compare` and `run --report` share.

#include "cli/commands.hpp"
#include "poinsot/io/compare.hpp"
#include "poinsot/io/report.hpp"

#include <string_view>

namespace poinsot {

/// The page of viewer/ without data; empty where it was not built.
std::string_view viewer_page();

/// Why this program can write no page there, as a problem of an option; or nothing.
Problems no_page(const std::string& option, const std::filesystem::path& to);

/// Thrown where Ctrl-C is heard while a page is made; nothing is left of the page then.
struct PageStopped {};

/// Listens for Ctrl-C from now on: the first ends what is being made in order, the second ends the
/// program. A full disk or a closed pipe comes back as an error of the write, with a message.
class PageStop {
  public:
    PageStop();
    void go_on() const; // or throws PageStopped
};

/// Was it heard? Then a page that was asked for is not there.
bool page_is_stopped();
/// What makes a page, with its being stopped as a problem like others: for those who go on.
template <class Make>
Result<ReportMade> or_stopped(Make&& make)
{
    try {
        return make();
    } catch (const PageStopped&) {
        Problems found;
        found.add("--report", "stopped; no page was written");
        return found;
    }
}

/// The page of a trajectory, perhaps with a second run as its ghost.
Result<ReportMade> write_page(const TrajectoryReader& run, const std::filesystem::path& to,
                              bool show_progress, std::vector<ReportFact> facts,
                              const PageStop* stop, const TrajectoryReader* ghost = nullptr,
                              const Comparison* comparison = nullptr);
/// The same of a file.
Result<ReportMade> write_page(const std::filesystem::path& trajectory,
                              const std::filesystem::path& to, bool show_progress,
                              std::vector<ReportFact> facts, const PageStop& stop);

/// What a comparison says, for the page of its first run.
std::vector<ReportFact> facts_of(const Comparison& made, const std::string& second);

/// One line: where it is, its size, how exact it is. Remarks before it.
void tell_page(const std::filesystem::path& to, const ReportMade& made);

/// The same file, by whatever name; it need not exist.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

} // namespace poinsot
