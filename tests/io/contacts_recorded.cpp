// SPDX-License-Identifier: MIT
#include "poinsot/io/report.hpp"
#include "poinsot/step/impulsive.hpp"
#include "recorded.hpp"

#include <nlohmann/json.hpp>

using namespace poinsot;

namespace {

const std::string resting =
    "gravity: [0, 0, -10]\n"
    "bodies: [{name: box, box: [1, 2, 0.5], mass: 3, position: [0, 0, 0.25]},\n"
    "         {name: ball, ball: 0.5, mass: 2, position: [4, 0, 0.75]}]\n"
    "surfaces: [{name: ground, half_space: true}]\n"
    "materials: [{name: m, friction: 0.25}]\n"
    "contact: {material: m}\n"
    "run: {until: 0.5, step: 0.01}\n";

std::vector<double> contacts_of(const TrajectoryReader& run, const char* what, std::size_t wide)
{
    std::vector<double> rows(run.contacts() * wide);
    REQUIRE(!run.read_contacts(what, 0, run.contacts(), rows.data()).any());
    return rows;
}

} // namespace

TEST_CASE("Contacts are recorded however many bodies there are, up to a bound that is told")
{
    const RecordFolder folder("contacts_many");
    std::string many = "gravity: [0, 0, -10]\nsurfaces: [{name: ground, half_space: true}]\n"
                       "contact: {}\nrun: {until: 0.03, step: 0.01}\nbodies:\n";
    const std::size_t count = TrajectoryOptions::forces_up_to + 1;
    for (std::size_t i = 0; i < count; ++i)
        many +=
            text_of("  - {name: b", i, ", ball: 0.5, mass: 1, position: [", 2 * i, ", 0, 0.5]}\n");
    record(folder.path / "a.h5", many);
    const TrajectoryReader run = opened(folder.path / "a.h5");
    CHECK(!run.has("forces/force"));
    CHECK(run.contacts() == 3 * count);

    TrajectoryOptions few;
    few.most_points = static_cast<std::int64_t>(count) + 1;
    record(folder.path / "b.h5", many, Formulation::maximal, 1, few);
    const TrajectoryReader cut = opened(folder.path / "b.h5");
    CHECK(cut.contacts() == count);
    REQUIRE(cut.head().events.size() == 1);
    CHECK(cut.head().events[0].kind == "left_out");
    CHECK(near(cut.head().events[0].time, 0.02, 1e-12));
    CHECK(has_words(cut.head().events[0].text, "contacts are not recorded"));
}

TEST_CASE("Contacts recorded in each frame carry the weight of what rests")
{
    const RecordFolder folder("contacts_rest");
    record(folder.path / "a.h5", resting);
    const TrajectoryReader run = opened(folder.path / "a.h5");
    const TrajectoryHead& head = run.head();
    CHECK(head.surfaces == std::vector<std::string>{"box", "ball", "ground"});
    CHECK(head.surface_body == std::vector<int>{0, 1, -1});
    REQUIRE(head.contacts_end.size() == run.frames());
    CHECK(head.contacts_end[0] == 0); // no step ends there
    const auto a = contacts_of(run, "a", 1), b = contacts_of(run, "b", 1);
    const auto point = contacts_of(run, "point", 3), normal = contacts_of(run, "normal", 3),
               force = contacts_of(run, "force", 3), gap = contacts_of(run, "gap", 1);
    bool landed = false;
    for (std::size_t frame = 1; frame < run.frames(); ++frame) {
        CAPTURE(frame);
        Vec3<double> on_box = zero3<double>();
        std::size_t of_box = 0;
        for (std::size_t i = head.contacts_end[frame - 1]; i < head.contacts_end[frame]; ++i) {
            CHECK(a[i] < b[i]);
            CHECK(head.surfaces[static_cast<std::size_t>(b[i])] == "ground");
            CHECK(near(vec_from(normal, i).z, -1, 1e-12));  // from a to b
            CHECK(std::abs(vec_from(point, i).z) < 1.5e-2); // the ball falls 22 mm in a step
            CHECK(std::abs(gap[i]) < 3e-2);
            if (a[i] == 0) {
                on_box = on_box - vec_from(force, i);
                ++of_box;
            } else
                landed = true;
        }
        CHECK(of_box == 4);
        CHECK(norm(on_box - Vec3<double>{0, 0, 30}) < 1e-9 * 30); // to the tolerance of the solver
    }
    CHECK(landed);
}

TEST_CASE("A file of a run in which nothing touches, or without forces, has no contacts")
{
    const RecordFolder folder("contacts_none");
    record(folder.path / "a.h5",
           "particles: [{name: p, mass: 1}]\nrun: {until: 0.1, step: 0.01}\n");
    CHECK(opened(folder.path / "a.h5").contacts() == 0);
    TrajectoryOptions off;
    off.forces = false;
    record(folder.path / "b.h5", resting, Formulation::maximal, 1, off);
    CHECK(opened(folder.path / "b.h5").contacts() == 0);
    CHECK(opened(folder.path / "b.h5").head().surfaces.empty());
}

TEST_CASE("A page has the contacts of a run and the ground it stands on")
{
    const RecordFolder folder("contacts_page");
    record(folder.path / "a.h5", resting);
    const TrajectoryReader run = opened(folder.path / "a.h5");
    const auto described = page_of(run, folder.path / "a.html");
    const auto& shown = described["runs"][0];
    CHECK(shown["ground"]["normal"] == nlohmann::json::array({0.0, 0.0, 1.0}));
    const std::size_t k = run.contacts();
    REQUIRE(k > 0);
    CHECK(shown["contacts"]["start"]["shape"] == nlohmann::json::array({run.frames() + 1}));
    for (const char* key : {"a", "b", "friction"})
        CHECK(shown["contacts"][key]["shape"] == nlohmann::json::array({k}));
    for (const char* key : {"point", "normal", "force"})
        CHECK(shown["contacts"][key]["shape"] == nlohmann::json::array({k, 3}));
}
