// SPDX-License-Identifier: MIT
#include "cli/page.hpp"

#include "poinsot/io/yaml_tree.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>

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

namespace {

std::atomic<bool> page_stop = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

/// One line on a terminal, rewritten.
class ProgressLine {
  public:
    explicit ProgressLine(bool wanted) : shown_(wanted && ::isatty(STDERR_FILENO)) {}
    ~ProgressLine() { tell(""); }
    void tell(std::string_view text) const
    {
        if (shown_)
            put(stderr, fmt::format("\r\x1b[K{}", text));
    }

  private:
    bool shown_;
};

} // namespace

PageStop::PageStop()
{
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
    struct sigaction act = {};
    act.sa_handler = [](int) { page_stop = true; };
    act.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &act, nullptr);
    ::sigaction(SIGTERM, &act, nullptr);
}

void PageStop::go_on() const
{
    if (page_stop)
        throw PageStopped{};
}

bool page_is_stopped()
{
    return page_stop;
}

Result<ReportMade> write_page(const TrajectoryReader& run, const std::filesystem::path& to,
                              bool show_progress, std::vector<ReportFact> facts,
                              const PageStop* stop, const TrajectoryReader* ghost,
                              const Comparison* comparison)
{
    const ProgressLine line(show_progress);
    ReportOptions options;
    options.facts = std::move(facts);
    options.ghost = ghost;
    options.comparison = comparison;
    using Clock = std::chrono::steady_clock;
    auto last = Clock::now();
    options.progress = [&](double part) {
        if (stop)
            stop->go_on();
        if (Clock::now() - last < std::chrono::milliseconds(100))
            return;
        last = Clock::now();
        line.tell(fmt::format("The page: {:.0f} %", 100 * part));
    };
    return write_report(run, viewer_page(), to, options);
}

Result<ReportMade> write_page(const std::filesystem::path& trajectory,
                              const std::filesystem::path& to, bool show_progress,
                              std::vector<ReportFact> facts, const PageStop& stop)
{
    const ProgressLine line(show_progress);
    line.tell("Reading the trajectory");
    const auto run = TrajectoryReader::open(trajectory);
    stop.go_on();
    if (!run)
        return run.problems();
    return write_page(*run, to, show_progress, std::move(facts), &stop);
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
