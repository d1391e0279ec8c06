// SPDX-License-Identifier: MIT
#include "poinsot/io/report.hpp"

#include "poinsot/io/report_run.hpp"

#include <fmt/format.h>

namespace poinsot {

namespace {

constexpr std::string_view mark = "<!--poinsot:data-->", plain_title = "<title>Poinsot</title>";

std::string markup_escaped(std::string_view text)
{
    std::string out;
    for (const char c : text)
        out += c == '&'   ? std::string("&amp;")
               : c == '<' ? std::string("&lt;")
               : c == '>' ? std::string("&gt;")
                          : std::string(1, c);
    return out;
}

/// What a run is called where it has no title: by its scene, or its file.
std::string title_of(const TrajectoryReader& run)
{
    const TrajectoryHead& head = run.head();
    if (!head.title.empty())
        return head.title;
    return head.scene_file.empty() ? run.file().filename().string()
                                   : std::filesystem::path(head.scene_file).filename().string();
}

} // namespace

Result<ReportMade> write_report(const TrajectoryReader& run, std::string_view page,
                                const std::filesystem::path& to, const ReportOptions& options)
{
    Problems found;
    const std::size_t at = page.find(mark);
    if (at == std::string_view::npos || page.find(mark, at + 1) != std::string_view::npos) {
        found.add("the page of the viewer", "has not its one mark ", mark, "; build it again");
        return found;
    }
    SafeFile out(to);
    if (out.problem())
        return out.problems();
    try {
        ReportMade made;
        PageData data;
        PageJson runs = PageJson::array();
        const double share = options.ghost ? 0.25 : 0.5; // the rest of the work is compressing
        runs.push_back(described_run(
            run, options.facts, options.small, [&](double part) { options.progress(share * part); },
            data, made));
        if (options.ghost)
            runs.push_back(described_run(
                *options.ghost, options.ghost_facts, options.small,
                [&](double part) { options.progress(share * (1 + part)); }, data, made));
        const std::uint64_t bytes = data.bytes();
        if (bytes > most_page_data)
            refuse_as_too_long(run, bytes);
        const PageJson all{{"format", "poinsot page"},
                           {"version", {1, 0}},
                           {"data",
                            {{"bytes", bytes},
                             {"chunk_bytes", page_chunk_bytes},
                             {"chunks", (bytes + page_chunk_bytes - 1) / page_chunk_bytes},
                             {"compression", "deflate"}}},
                           {"runs", std::move(runs)}};
        const std::string text = all.dump(-1, ' ', false, PageJson::error_handler_t::replace);

        std::string before(page.substr(0, at));
        if (const std::size_t title = before.find(plain_title); title != std::string::npos)
            before.replace(
                title, plain_title.size(),
                fmt::format("<title>{} · Poinsot</title>", markup_escaped(title_of(run))));
        out.write(before);
        out.write("<script type=\"application/json\" id=\"poinsot-run\">");
        for (std::size_t i = 0; i < text.size();) { // `<` stands in texts only
            const std::size_t end = std::min(text.find('<', i), text.size());
            out.write(std::string_view(text).substr(i, end - i));
            if (end < text.size())
                out.write("\\u003c");
            i = end + 1;
        }
        out.write("</script>");
        PagePacker packer(out, [&](std::uint64_t done) {
            options.progress(0.5 + 0.5 * static_cast<double>(done) / static_cast<double>(bytes));
        });
        data.write(packer);
        out.write(page.substr(at + mark.size()));
        out.finish();
        if (!out.problem()) {
            std::error_code error;
            const auto size = std::filesystem::file_size(to, error);
            made.bytes = error ? 0 : size;
            return made;
        }
    } catch (const NotMade& no) {
        found = no.problems;
    }
    found.add(out.problems());
    return found;
}

} // namespace poinsot
