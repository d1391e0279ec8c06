// SPDX-License-Identifier: MIT
#include "poinsot/io/trajectory.hpp"

#include "near.hpp"

#include <fstream>
#include <unistd.h>

using namespace poinsot;

namespace {

struct TemporaryFolder {
    std::filesystem::path path = std::filesystem::temp_directory_path() /
                                 ("poinsot_trajectory_" + std::to_string(::getpid()));
    TemporaryFolder() { std::filesystem::create_directories(path); }
    ~TemporaryFolder() { std::filesystem::remove_all(path); }
};

Scene one_particle()
{
    auto scene = read_scene_text("particles: [{name: 'a, \"b\"', mass: 1, velocity: [1, 0, 0]}]\n"
                                 "run: {until: 1, step: 0.25}\n",
                                 "test.yaml");
    REQUIRE(scene);
    return std::move(*scene);
}

void write_all(const std::filesystem::path& path)
{
    const Scene scene = one_particle();
    auto run = Simulation::start(scene.model, scene.run);
    auto out = TrajectoryWriter::open(path, scene, *run);
    REQUIRE_MESSAGE(out, (out ? "" : out.problems().text()));
    CHECK(!(*out)->write(*run));
    while (!run->done()) {
        run->step();
        CHECK(!(*out)->write(*run));
    }
    CHECK(!(*out)->finish(*run, "done"));
}

} // namespace

TEST_CASE("CSV has a line per frame, and names that cannot break it")
{
    const TemporaryFolder folder;
    write_all(folder.path / "a.csv");
    std::ifstream in(folder.path / "a.csv");
    std::string line;
    std::vector<std::string> lines;
    while (std::getline(in, line))
        lines.push_back(line);
    REQUIRE(lines.size() == 6);
    CHECK(lines[0].starts_with("time [s],\"a, \"\"b\"\".x [m]\""));
    CHECK(lines[5].starts_with("1.0,1.0,0.0,0.0,1.0,"));
    CHECK(!std::filesystem::exists(folder.path / "a.csv.part"));
}

TEST_CASE(
    "An HDF5 file begins with its signature and leaves no part behind; a second run replaces it")
{
    const TemporaryFolder folder;
    for (int i = 0; i < 2; ++i) {
        write_all(folder.path / "a.h5");
        std::ifstream in(folder.path / "a.h5", std::ios::binary);
        std::string head(12, '\0');
        in.read(head.data(), 12);
        CHECK(head.substr(1, 3) == "HDF");
        CHECK(head[11] == 0); // no mark that it is open for writing
        CHECK(!std::filesystem::exists(folder.path / "a.h5.part"));
    }
}

TEST_CASE("The mark of a writer never reaches the disk")
{
    const TemporaryFolder folder;
    const Scene scene = one_particle();
    auto run = Simulation::start(scene.model, scene.run);
    auto out = TrajectoryWriter::open(folder.path / "a.h5", scene, *run);
    REQUIRE(out);
    for (int i = 0; i < 3; ++i) {
        CHECK(!(*out)->write(*run));
        CHECK(!(*out)->flush());
        std::ifstream in(folder.path / "a.h5", std::ios::binary);
        in.seekg(11);
        CHECK(in.get() == 0);
    }
}

TEST_CASE("An output of unknown kind or in no folder is refused")
{
    const TemporaryFolder folder;
    const Scene scene = one_particle();
    const auto run = Simulation::start(scene.model, scene.run);
    for (const char* name : {"a.txt", "a", "none/a.csv", "none/a.h5"})
        CHECK(!TrajectoryWriter::open(folder.path / name, scene, *run));
    CHECK(std::filesystem::is_empty(folder.path));
}
