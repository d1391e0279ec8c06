// SPDX-License-Identifier: MIT
#include "cli/page.hpp"

#include "poinsot/io/yaml_tree.hpp"

#include <unistd.h>

#include <chrono>

// POINSOT_PAGE is the file of the page, where the viewer is built; it may be empty, where building
// it failed.
#ifdef POINSOT_PAGE
__asm__(".pushsection .rodata\n"
        ".global poinsot_page_begin\n.hidden poinsot_page_begin\n"
        ".global poinsot_page_end\n.hidden poinsot_page_end\n"
        "poinsot_page_begin:\n.incbin \"" POINSOT_PAGE "\"\npoinsot_page_end:\n.byte 0\n"
        ".popsection\n");
extern "C" const char poinsot_page_begin[], poinsot_page_end[];
#endif

namespace poinsot {

std::string_view viewer_page()
{
#ifdef POINSOT_PAGE
    return {poinsot_page_begin, static_cast<std::size_t>(poinsot_page_end - poinsot_page_begin)};
#else
    return {};
#endif
}

Problems no_page(const std::string& option, const std::filesystem::path& to)
{
    Problems found;
    std::error_code error;
    if (viewer_page().empty())
        found.add(option, "built without the viewer: install nodejs and npm and build again, with "
                          "a network at hand");
    const auto kind = std::filesystem::status(to, error).type();
    if (kind != std::filesystem::file_type::not_found &&
        kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::none)
        found.add(option, "'", to.string(), "' is not a regular file; a page needs one");
    return found;
}

Result<ReportMade> write_page(const std::filesystem::path& trajectory,
                              const std::filesystem::path& to, bool show_progress,
                              std::vector<ReportFact> facts, const std::atomic<bool>* stop)
{
    const bool shown = show_progress && ::isatty(STDERR_FILENO);
    const auto line = [shown](std::string_view text) {
        if (shown)
            put(stderr, fmt::format("\r\x1b[K{}", text));
    };
    line("Reading the trajectory");
    auto run = TrajectoryReader::open(trajectory);
    const auto go_on = [&] {
        if (!stop || !*stop)
            return;
        line("");
        throw PageStopped{};
    };
    go_on();
    if (!run) {
        line("");
        return run.problems();
    }
    ReportOptions options;
    options.facts = std::move(facts);
    using Clock = std::chrono::steady_clock;
    auto last = Clock::now();
    options.progress = [&](double part) {
        go_on();
        if (Clock::now() - last < std::chrono::milliseconds(100))
            return;
        last = Clock::now();
        line(fmt::format("The page: {:.0f} %", 100 * part));
    };
    auto made = write_report(*run, viewer_page(), to, options);
    line("");
    return made;
}

void tell_page(const std::filesystem::path& to, const ReportMade& made)
{
    for (const std::string& remark : made.remarks)
        say("Note: {}\n", visible(remark));
    const double size = static_cast<double>(made.bytes);
    say("The page is in {}: {}, {} of {} frames, poses within {:.2g} m and {:.2g} rad\n",
        visible(to.string()),
        size < 1e6 ? fmt::format("{:.0f} kB", size / 1e3) : fmt::format("{:.1f} MB", size / 1e6),
        made.frames_shown, made.frames, made.position_error, made.angle_error);
}

bool same_file(const std::filesystem::path& a, const std::filesystem::path& b)
{
    std::error_code error;
    if (std::filesystem::equivalent(a, b, error))
        return true;
    const auto one = std::filesystem::weakly_canonical(std::filesystem::absolute(a), error);
    if (error)
        return false;
    const auto other = std::filesystem::weakly_canonical(std::filesystem::absolute(b), error);
    return !error && one == other;
}

} // namespace poinsot
