// SPDX-License-Identifier: MIT
#include "poinsot/io/trajectory_read.hpp"

#include "poinsot/io/report.hpp"
#include "poinsot/io/trajectory.hpp"

#include "near.hpp"

#include <hdf5.h>

#include <fstream>
#include <functional>
#include <random>
#include <unistd.h>

using namespace poinsot;

// The sanitizers ask for this. HDF5 1.10 forgets some memory (424 bytes) of a damaged file that it
// fails to open; what we forget to close it frees itself when the program ends.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions()
{
    return "leak:libhdf5";
}

namespace {

struct TemporaryFolder {
    std::filesystem::path path = std::filesystem::temp_directory_path() /
                                 ("poinsot_trajectory_read_" + std::to_string(::getpid()));
    TemporaryFolder() { std::filesystem::create_directories(path); }
    ~TemporaryFolder() { std::filesystem::remove_all(path); }
};

constexpr const char* hinged = R"(title: A hinge & <b>more</b>
bodies:
  - {name: rod, box: [1, 0.1, 0.1], mass: 2, position: [0.5, 0, 0]}
particles:
  - {name: "<img src=x>", mass: 1, position: [0, 0, 3], velocity: [1, 0, 0]}
joints:
  - {name: hinge, type: revolute, bodies: [world, rod], at: [0, 0, 0], axis: [0, 0, 1]}
gravity: [0, -9.81, 0]
run: {until: 1, step: 0.0625}
ledger: {detail: bodies}
)";
constexpr const char* free_pair = R"(title: Two
bodies:
  - {name: block, box: [1, 2, 3], mass: 2, angular_velocity: [1, 0.1, 0.2]}
particles:
  - {name: point, mass: 1, position: [0, 0, 3], velocity: [1, 0, 0]}
gravity: [0, 0, -9.81]
run: {until: 1, step: 0.0625}
)";

/// Runs a scene into a file and gives the positions of all frames, as they were computed.
std::vector<Vec3<double>> write_run(const std::filesystem::path& path, const char* text,
                                    bool to_the_end = true)
{
    auto scene = read_scene_text(text, "test.yaml");
    REQUIRE_MESSAGE(scene, (scene ? "" : scene.problems().text()));
    auto run = Simulation::start(scene->model, scene->run);
    REQUIRE(run);
    auto out = TrajectoryWriter::open(path, *scene, *run);
    REQUIRE_MESSAGE(out, (out ? "" : out.problems().text()));
    std::vector<Vec3<double>> positions;
    const auto frame = [&] {
        CHECK(!(*out)->write(*run));
        for (const PlacedBody& body : run->placed().bodies)
            positions.push_back(body.x);
    };
    frame();
    while (to_the_end && !run->done()) {
        REQUIRE(!run->step());
        frame();
    }
    CHECK(!(*out)->event(*run, "stopped", "by a test"));
    CHECK(!(*out)->finish(*run, "done"));
    return positions;
}

std::string bytes_of(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
void put_bytes(const std::filesystem::path& path, std::string_view bytes)
{
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// What opening says; empty where it opens.
std::string refusal(const std::filesystem::path& path)
{
    const auto run = TrajectoryReader::open(path);
    return run ? "" : run.problems().text();
}

/// Changes a good file by HDF5's own means.
std::string refusal_after(const std::filesystem::path& path,
                          const std::function<void(hid_t)>& change)
{
    write_run(path, free_pair);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    REQUIRE(file >= 0);
    change(file);
    REQUIRE(H5Fclose(file) >= 0);
    return refusal(path);
}
void put_set(hid_t file, const char* name, const std::vector<hsize_t>& shape, hid_t type)
{
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(set >= 0);
    H5Dclose(set);
    H5Sclose(space);
}
bool says(const std::string& text, std::string_view part)
{
    INFO(text);
    CHECK_MESSAGE(text.find(part) != std::string::npos, part);
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("A trajectory read back is the one that was written, to the bit, in slabs of any size")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "a.h5";
    const auto written = write_run(file, hinged);
    const auto run = TrajectoryReader::open(file);
    REQUIRE_MESSAGE(run, (run ? "" : run.problems().text()));
    CHECK(run->frames() == 17);
    CHECK(run->bodies() == 2);
    const TrajectoryHead& head = run->head();
    CHECK(head.title == "A hinge & <b>more</b>");
    CHECK(head.names == std::vector<std::string>{"rod", "<img src=x>"});
    CHECK(head.shapes == std::vector<std::string>{"box", "none"});
    CHECK(head.mass == std::vector<double>{2, 1});
    CHECK(head.ended == "done");
    CHECK(head.time.back() == 1.0);
    CHECK(head.events.size() == 1);
    CHECK(head.events[0].text == "by a test");
    CHECK(head.ledger_detail == "bodies");
    CHECK(run->has("ledger/bodies/work"));
    CHECK(run->row_shape("ledger/bodies/impulse") ==
          std::vector<std::size_t>{2, head.causes.size(), 3});
    for (const std::size_t slab : {1u, 5u, 17u})
        for (std::size_t i = 0; i < 17; i += slab) {
            const std::size_t count = std::min<std::size_t>(slab, 17 - i);
            std::vector<double> x(6 * count);
            REQUIRE(!run->read("bodies/position", i, count, x.data()).any());
            for (std::size_t k = 0; k < 2 * count; ++k)
                CHECK(Vec3<double>{x[3 * k], x[3 * k + 1], x[3 * k + 2]} == written[2 * i + k]);
        }
}

TEST_CASE("A run of no steps has one frame")
{
    const TemporaryFolder folder;
    write_run(folder.path / "a.h5", free_pair, false);
    const auto run = TrajectoryReader::open(folder.path / "a.h5");
    REQUIRE(run);
    CHECK(run->frames() == 1);
}

TEST_CASE("What is no trajectory is refused by name")
{
    const TemporaryFolder folder;
    CHECK(says(refusal(folder.path / "none.h5"), "none.h5: no such file"));
    CHECK(says(refusal(folder.path), "folder"));
    put_bytes(folder.path / "empty.h5", "");
    CHECK(says(refusal(folder.path / "empty.h5"), "empty.h5: the file is empty"));
    put_bytes(folder.path / "text.h5", std::string(5000, 'x'));
    CHECK(says(refusal(folder.path / "text.h5"), "text.h5: is no HDF5 file"));
    const hid_t foreign =
        H5Fcreate((folder.path / "foreign.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(foreign);
    CHECK(says(refusal(folder.path / "foreign.h5"), "no trajectory of Poinsot"));
}

TEST_CASE("What is missing, of another layout or misshapen is named with its place")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "a.h5";
    const auto after = [&](const std::function<void(hid_t)>& change) {
        return refusal_after(file, change);
    };
    CHECK(after([](hid_t) {}) == "");
    CHECK(says(after([](hid_t f) {
                   const hid_t layout = H5Aopen(f, "layout_version", H5P_DEFAULT);
                   const std::int64_t later[2] = {2, 0};
                   H5Awrite(layout, H5T_NATIVE_INT64, later);
                   H5Aclose(layout);
               }),
               "a.h5: has the layout 2.0; this program reads 1.x"));
    CHECK(says(after([](hid_t f) { H5Ldelete(f, "bodies/position", H5P_DEFAULT); }),
               "a.h5: /bodies/position: is missing"));
    CHECK(says(after([](hid_t f) { H5Ldelete(f, "ledger", H5P_DEFAULT); }), "/ledger: is missing"));
    CHECK(says(after([](hid_t f) { H5Adelete(f, "title"); }), "attribute 'title': is missing"));
    CHECK(says(after([](hid_t f) {
                   put_set(f, "bodies/position", {17, 2, 4}, H5T_NATIVE_DOUBLE);
               }),
               "/bodies/position: has the shape (17, 2, 4), should have (any, 2, 3)"));
    CHECK(says(after([](hid_t f) {
                   put_set(f, "bodies/velocity", {16, 2, 3}, H5T_NATIVE_DOUBLE);
               }),
               "/bodies/velocity: has 16 frames, but /time has 17"));
    CHECK(says(after([](hid_t f) {
                   put_set(f, "bodies/velocity", {17, 2, 3}, H5T_C_S1);
               }),
               "/bodies/velocity: does not hold numbers"));
    CHECK(says(after([](hid_t f) { put_set(f, "time", {17}, H5T_NATIVE_DOUBLE); }),
               "/time: does not rise: entry 1 is 0"));
    CHECK(says(after([](hid_t f) { put_set(f, "time", {0}, H5T_NATIVE_DOUBLE); }),
               "/time: has no entries"));
    CHECK(says(after([](hid_t f) { put_set(f, "time", {hsize_t{1} << 40}, H5T_NATIVE_DOUBLE); }),
               "bytes, but the file has"));
    CHECK(says(after([](hid_t f) {
                   H5Ldelete(f, "bodies/position", H5P_DEFAULT);
                   H5Lcreate_external("other.h5", "/x", f, "bodies/position", H5P_DEFAULT,
                                      H5P_DEFAULT);
               }),
               "/bodies/position: is a link to somewhere else"));
    // Frames that were not finished are cut, and what a later minor version adds is passed over.
    CHECK(after([](hid_t f) {
              put_set(f, "bodies/velocity", {20, 2, 3}, H5T_NATIVE_DOUBLE);
          }) == "");
    CHECK(after([](hid_t f) { put_set(f, "bodies/novel", {1}, H5T_NATIVE_DOUBLE); }) == "");
}

TEST_CASE("A file cut short anywhere, or with damaged bytes, is read or refused by name")
{
    const TemporaryFolder folder;
    const auto good = folder.path / "good.h5", bad = folder.path / "bad.h5";
    write_run(good, free_pair);
    // A file ends in room that was never used, which no reader needs.
    std::string used = bytes_of(good);
    const std::size_t whole = used.size();
    used.resize(used.find_last_not_of('\0') + 1);
    REQUIRE(refusal(good) == "");
    std::mt19937 dice(7);
    for (int i = 0; i < 40; ++i) {
        const std::size_t size = dice() % (i % 2 ? used.size() : 8192);
        put_bytes(bad, std::string_view(used).substr(0, size));
        INFO(size);
        CHECK(says(refusal(bad), "bad.h5"));
    }
    int read = 0, refused = 0;
    for (int i = 0; i < 120; ++i) { // each second one in a single byte: that may be one of a number
        std::string damaged = used;
        for (int k = i % 2 == 0 ? 0 : 3; k < 4;) { // where there is something
            char& byte = damaged[dice() % damaged.size()];
            k += byte != 0;
            byte = byte != 0 ? static_cast<char>(dice()) : byte;
        }
        put_bytes(bad, damaged);
        std::filesystem::resize_file(bad, whole);
        const std::string what = refusal(bad);
        if (!what.empty())
            CHECK(says(what, "bad.h5"));
        ++(what.empty() ? read : refused);
    }
    MESSAGE(read << " damaged files were read, " << refused << " refused");
    CHECK(read > 0);
    CHECK(refused > 0);
}

TEST_CASE("A page holds its data once, escapes what it quotes, and is there whole or not at all")
{
    const TemporaryFolder folder;
    write_run(folder.path / "a.h5", hinged);
    const auto run = TrajectoryReader::open(folder.path / "a.h5");
    REQUIRE(run);
    const std::string page = "<html><title>Poinsot</title><body><!--poinsot:data--></body></html>";
    const auto to = folder.path / "a.html";
    const auto made = write_report(*run, page, to);
    REQUIRE_MESSAGE(made, (made ? "" : made.problems().text()));
    CHECK(made->frames_shown == 17);
    CHECK(made->remarks.empty());
    CHECK(made->bytes == std::filesystem::file_size(to));
    const std::string text = bytes_of(to);
    CHECK(says(text, "<title>A hinge &amp; &lt;b&gt;more&lt;/b&gt; · Poinsot</title>"));
    CHECK(says(text, R"("names":["rod","\u003cimg src=x>"])"));
    CHECK(text.find("<img") == std::string::npos);
    CHECK(text.ends_with("</script></body></html>"));

    const auto twice = write_report(*run, page + "<!--poinsot:data-->", to);
    CHECK(!twice);
    const auto nowhere = write_report(*run, page, folder.path / "none" / "a.html");
    REQUIRE(!nowhere);
    CHECK(says(nowhere.problems().text(), "does its folder exist?"));
    CHECK(bytes_of(to) == text);
    CHECK(!std::filesystem::exists(folder.path / "a.html.part"));
}

TEST_CASE("Frames that a line and an arc show as well are left out, within the error stated")
{
    const TemporaryFolder folder;
    // Uniform motion and uniform spin: all between first and last frame could go, up to a quarter
    // turn of the block; the page keeps one in 64 at least.
    const char* uniform = R"(title: Two
bodies:
  - {name: ball, ball: 1, mass: 2, angular_velocity: [0, 0, 1], velocity: [1, 2, 3]}
run: {until: 10, step: 0.01}
)";
    write_run(folder.path / "a.h5", uniform);
    const auto run = TrajectoryReader::open(folder.path / "a.h5");
    REQUIRE(run);
    ReportOptions options;
    options.small = 0;
    const auto made = write_report(*run, "<!--poinsot:data-->", folder.path / "a.html", options);
    REQUIRE(made);
    CHECK(made->frames == 1001);
    CHECK(made->frames_shown <= 1 + 16);
    CHECK(made->frames_shown >= 2);
    CHECK(made->angle_error <= shown_within_angle);
    CHECK(made->angle_error > 1e-6); // it was rounded
    // Rounding of both ends: half the diagonal of a cell.
    CHECK(made->position_error <= std::sqrt(14.0) * 10 / 131070 * (1 + 1e-9));
}
