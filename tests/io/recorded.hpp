// SPDX-License-Identifier: MIT
#pragma once

// Runs recorded to files, for tests of what reads them.

#include "poinsot/io/report.hpp"
#include "poinsot/io/trajectory.hpp"
#include "poinsot/io/trajectory_read.hpp"
#include "refused.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace poinsot {

/// A folder of its own, gone with the test.
struct RecordFolder {
    std::filesystem::path path;
    explicit RecordFolder(const std::string& name)
        : path(std::filesystem::temp_directory_path() /
               text_of("poinsot_", name, "_", static_cast<long>(::getpid())))
    {
        std::filesystem::create_directories(path);
    }
    ~RecordFolder() { std::filesystem::remove_all(path); }
};

/// Runs a scene into a file, a frame every so many steps, the last one too.
inline void record(const std::filesystem::path& path, const std::string& text,
                   Formulation formulation = Formulation::maximal, int every = 1,
                   const TrajectoryOptions& options = {})
{
    Scene scene = scene_from(text);
    scene.run.step.formulation = formulation;
    auto run = Simulation::start(scene.model, scene.run);
    REQUIRE_MESSAGE(run, (run ? "" : run.problems().text()));
    auto out = TrajectoryWriter::open(path, scene, *run, options);
    REQUIRE_MESSAGE(out, (out ? "" : out.problems().text()));
    CHECK(!(*out)->write(*run));
    while (!run->done()) {
        const auto ended = run->step();
        REQUIRE_MESSAGE(!ended, ended.value_or(""));
        if (run->state().step % every == 0 || run->done())
            CHECK(!(*out)->write(*run));
    }
    CHECK(!(*out)->finish(*run, "done"));
}

inline TrajectoryReader opened(const std::filesystem::path& path)
{
    auto run = TrajectoryReader::open(path);
    if (!run)
        FAIL(run.problems().text());
    return std::move(*run);
}

/// All rows of a series.
inline std::vector<double> series_of(const TrajectoryReader& run, const std::string& series)
{
    REQUIRE(run.has(series));
    std::vector<double> rows(run.frames() * run.row_size(series));
    REQUIRE(!run.read(series, 0, run.frames(), rows.data()).any());
    return rows;
}
inline Vec3<double> vec_from(const std::vector<double>& rows, std::size_t i)
{
    return {rows.at(3 * i), rows.at(3 * i + 1), rows.at(3 * i + 2)};
}

inline std::string contents(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// What the page of a run says of it, beside the numbers; the page is written to `path`.
inline nlohmann::json page_of(const TrajectoryReader& run, const std::filesystem::path& path)
{
    const auto made = write_report(run, "<title>Poinsot</title><!--poinsot:data-->", path, {});
    REQUIRE_MESSAGE(made, (made ? "" : made.problems().text()));
    const std::string page = contents(path);
    const std::string mark = "id=\"poinsot-run\">";
    const std::size_t from = page.find(mark) + mark.size();
    return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

inline bool has_words(const std::string& text, std::string_view part)
{
    INFO(text);
    CHECK_MESSAGE(text.find(part) != std::string::npos, part);
    return text.find(part) != std::string::npos;
}

} // namespace poinsot
