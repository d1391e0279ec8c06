// SPDX-License-Identifier: MIT
#include "poinsot/io/report.hpp"

#include "poinsot/io/report_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

/// The record `compare`: numbers of bodies and samples are those of the first run.
PageJson described_comparison(const Comparison& made, const TrajectoryReader& first, PageData& data)
{
    PageJson record{
        {"tolerance", {{"position", made.tolerance_position}, {"angle", made.tolerance}}},
        {"first_part", nullptr}};
    const std::vector<std::string>& names = first.head().names;
    if (made.parting)
        record["first_part"] = {
            {"time", made.parting->time},
            {"body", std::find(names.begin(), names.end(), made.parting->body) - names.begin()},
            {"distance", made.parting->distance},
            {"angle", made.parting->angle}};
    if (made.times_of_second) // the page finds the differences at the samples of the first
        return record;
    const std::size_t samples = first.head().time.size();
    std::vector<double> distance(samples, NAN), angle(samples, NAN);
    for (const Comparison::Apart& at : made.apart) {
        distance[at.frame] = at.distance;
        angle[at.frame] = at.angle;
    }
    record["signals"] = {{{"name", "difference / largest distance"},
                          {"unit", "m"},
                          {"values", data.f64({samples}, std::move(distance))}},
                         {{"name", "difference / largest angle"},
                          {"unit", "rad"},
                          {"values", data.f64({samples}, std::move(angle))}}};
    return record;
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
                *options.ghost, {}, options.small,
                [&](double part) { options.progress(share * (1 + part)); }, data, made));
        PageJson comparison;
        if (options.ghost && options.comparison)
            comparison = described_comparison(*options.comparison, run, data);
        const std::uint64_t bytes = data.bytes();
        if (bytes > most_page_data)
            refuse_as_too_long(run, bytes);
        PageJson all{{"format", "poinsot page"},
                     {"version", {1, 3}},
                     {"data",
                      {{"bytes", bytes},
                       {"chunk_bytes", page_chunk_bytes},
                       {"chunks", (bytes + page_chunk_bytes - 1) / page_chunk_bytes},
                       {"compression", "deflate"}}},
                     {"runs", std::move(runs)}};
        if (!comparison.is_null())
            all["compare"] = std::move(comparison);
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
