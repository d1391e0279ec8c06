// SPDX-License-Identifier: MIT
// What cuts carry, and what happened, in files: as written, as read, and as a page has it.

#include "poinsot/io/report.hpp"
#include "poinsot/io/signals.hpp"
#include "poinsot/step/happening.hpp"
#include "recorded.hpp"
#include "resumed.hpp"

#include <hdf5.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <sstream>

using namespace poinsot;

namespace {

// Two blocks on one glue, the farther one pulled from half a second on: what the near one needs
// goes through the glue, 30/35 of 70 N, and its strength is 50 N. A hook lets go by itself.
const std::string pulled =
    "bodies:\n  - {name: near, box: [1, 1, 3], mass: 30}\n"
    "  - {name: far, box: [1, 1, 1], mass: 5, position: [0, 0, 2]}\n"
    "  - {name: left, box: [1, 1, 1], mass: 1, position: [9, 0, 0]}\n"
    "  - {name: right, box: [1, 1, 1], mass: 1, position: [10, 0, 0]}\n"
    "joints:\n  - {name: glue, type: weld, bodies: [near, far], at: [0, 0, 1.5]}\n"
    "  - {name: hook, type: weld, bodies: [left, right], at: [9.5, 0, 0]}\n"
    "loads: [{name: pull, body: far, force: [0, 0, 70], from: 0.5}]\n"
    "cuts:\n  - {name: seam, joint: glue, tension: 50, shear: 9}\n"
    "  - {name: middle, body: near, at: [0, 0, 0], axis: [0, 0, 1]}\n"
    "events:\n  - {name: snap, when_over: seam, release: glue}\n"
    "  - {name: unhooked, at: 0.7325, release: hook}\n"
    "run: {until: 1, step: 0.01}\n";

/// What is said of a good file of it that was changed by HDF5's own means; nothing: it opens.
std::string refused(const std::filesystem::path& path, const std::function<void(hid_t)>& change)
{
    record(path, pulled);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    REQUIRE(file >= 0);
    change(file);
    REQUIRE(H5Fclose(file) >= 0);
    const auto run = TrajectoryReader::open(path);
    return run ? "" : run.problems().text();
}

template <class Number>
void put_numbers(hid_t file, const char* name, hid_t type, const std::vector<hsize_t>& shape,
                 const std::vector<Number>& values)
{
    REQUIRE(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    REQUIRE(set >= 0);
    REQUIRE(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    H5Dclose(set);
    H5Sclose(space);
}

} // namespace

TEST_CASE("Six loads and the utilisation of every cut are in every frame, until it is gone")
{
    const RecordFolder folder("cuts");
    for (const Formulation f : {Formulation::maximal, Formulation::reduced}) {
        record(folder.path / "a.h5", pulled, f);
        const TrajectoryReader run = opened(folder.path / "a.h5");
        REQUIRE(run.head().cuts.size() == 2);
        const auto& seam = run.head().cuts[0];
        CHECK(seam.name == "seam");
        CHECK(seam.of == "joint");
        CHECK(seam.body == 1);
        CHECK(near(seam.position[2], -0.5, 1e-15)); // in the frame of the far block
        CHECK(seam.limits[0] == 50);
        CHECK(std::isinf(seam.limits[1]));
        CHECK(seam.limits[2] == 9);
        CHECK(run.head().cuts[1].of == "body");
        const auto F = series_of(run, "cuts/force"), M = series_of(run, "cuts/moment"),
                   used = series_of(run, "cuts/utilisation"),
                   most = series_of(run, "cuts/largest_utilisation"),
                   gone = series_of(run, "cuts/gone");
        REQUIRE(run.frames() == 101);
        for (std::size_t i = 0; i < run.frames(); ++i) {
            CAPTURE(i);
            // On at the state in which the load begins; gone from the step after that on.
            const double pull = i == 50 ? 70 : 0;
            CHECK(near(F[6 * i + 2], pull * 30 / 35, 1e-12, 70));
            CHECK(near(used[2 * i], pull * 30 / 35 / 50, 1e-12, 1));
            CHECK(near(most[2 * i], i < 50 ? 0 : 1.2, 1e-12, 1));
            CHECK(gone[2 * i] == (i > 50 ? 1 : 0));
            CHECK(near(F[6 * i + 5], pull * 15 / 35, 1e-12, 70)); // half of the near block
            CHECK(used[2 * i + 1] == 0);                          // no limits
            CHECK(gone[2 * i + 1] == 0);
            for (const std::size_t k : {0u, 1u, 3u, 4u})
                CHECK(near(F[6 * i + k], 0, 1e-12, 70));
            for (std::size_t k = 0; k < 6; ++k)
                CHECK(near(M[6 * i + k], 0, 1e-12, 70));
        }
    }
}

TEST_CASE("An overload, a break and a release are events with name, load, utilisation and moment")
{
    const RecordFolder folder("cut_events");
    record(folder.path / "a.h5", pulled, Formulation::maximal, 7); // between frames too
    const auto run = opened(folder.path / "a.h5");
    const auto& events = run.head().events;
    REQUIRE(events.size() == 3);
    CHECK(events[0].kind == "overload");
    CHECK(events[0].name == "seam");
    CHECK(events[0].load == "tension");
    CHECK(near(events[0].utilisation, 1.2, 1e-12));
    CHECK(near(events[0].time, 0.5, 1e-15));
    CHECK(has_words(events[0].text, "cut 'seam' carries 1.2 of its strength, by tension"));
    CHECK(events[1].kind == "break");
    CHECK(events[1].name == "snap");
    CHECK(events[1].load == "tension");
    CHECK(near(events[1].time, 0.5, 1e-15));
    CHECK(has_words(events[1].text, "joint 'glue' breaks: cut 'seam' carried 1.2"));
    CHECK(events[2].kind == "release");
    CHECK(events[2].name == "unhooked");
    CHECK(events[2].load.empty());
    CHECK(near(events[2].time, 0.7325, 1e-9)); // within a step
    CHECK(has_words(events[2].text, "joint 'hook' lets go"));
}

TEST_CASE(
    "A run that goes on from a checkpoint tells what happened before it, and the most of cuts")
{
    const RecordFolder folder("told_again");
    for (const Formulation f : {Formulation::maximal, Formulation::reduced}) {
        Scene scene = scene_from(pulled);
        scene.run.step.formulation = f;
        const auto same = [&](const Simulation& a, const Simulation& b) {
            REQUIRE(a.happenings().list().size() == b.happenings().list().size());
            for (std::size_t i = 0; i < a.happenings().list().size(); ++i) {
                const Happening &x = a.happenings().list()[i], &y = b.happenings().list()[i];
                CHECK(sentence(a.model(), x) == sentence(b.model(), y));
                CHECK(x.time == y.time);
                CHECK(x.step == y.step);
            }
            CHECK(a.happenings().left_out() == b.happenings().left_out());
            for (std::size_t i = 0; i < a.cuts().size(); ++i) {
                CHECK(a.cuts()[i].most == b.cuts()[i].most);
                CHECK(a.cuts()[i].at == b.cuts()[i].at);
                CHECK(std::string(a.cuts()[i].by) == b.cuts()[i].by);
                CHECK(a.cuts()[i].load.tension == b.cuts()[i].load.tension);
                CHECK(a.cuts()[i].gone == b.cuts()[i].gone);
            }
        };
        for (const int steps : {20, 60, 90}) {
            const Resumed runs = resumed_after(steps, scene, folder.path / "a.checkpoint");
            REQUIRE(runs.whole.happenings().list().size() == 3);
            CHECK(runs.whole.cuts()[0].most >= 1);
            same(runs.whole, runs.second);
        }
        // Who only looks at the books changes nothing.
        auto seen = Simulation::start(scene.model, scene.run);
        auto unseen = Simulation::start(scene.model, scene.run);
        REQUIRE((seen && unseen));
        while (!seen->done()) {
            REQUIRE(!seen->step());
            REQUIRE(!unseen->step());
            CHECK(seen->ledger_now().balanced());
        }
        CHECK(seen->ledger_now().books().total.closing.p ==
              unseen->ledger().books().total.closing.p);
        same(*seen, *unseen);
    }
}

TEST_CASE(
    "A checkpoint that tells of what the scene does not have is refused, an older one is read")
{
    const RecordFolder folder("told_wrongly");
    const Scene scene = scene_from(pulled);
    auto run = Simulation::start(scene.model, scene.run);
    REQUIRE(run);
    for (int i = 0; i < 90; ++i)
        REQUIRE(!run->step());
    Checkpoint wrong = run->checkpoint();
    wrong.cuts.pop_back();
    is_refused(wrong, scene, folder.path / "a.checkpoint", "another number of cuts");
    wrong = run->checkpoint();
    wrong.happenings.add({.kind = Happening::Kind::broken, .index = 1});
    is_refused(wrong, scene, folder.path / "a.checkpoint", "the scene does not have");
    Checkpoint older = run->checkpoint();
    older.cuts.clear();
    older.happenings = {};
    REQUIRE(!write_checkpoint(folder.path / "a.checkpoint", scene, older));
    auto back = read_checkpoint(folder.path / "a.checkpoint", scene);
    REQUIRE(back);
    run->resume(std::move(*back));
    CHECK(run->happenings().list().empty());
    CHECK(run->cuts()[0].gone);
}

TEST_CASE("An impact that is located in time is an event at its moment")
{
    // A gap of 1.03968 m = g t²/2 closes at t.
    const double t = 0.456;
    const RecordFolder folder("impact_events");
    record(
        folder.path / "a.h5",
        "gravity: [0, 0, -10]\n"
        "bodies: [{name: ball, ball: 0.5, mass: 2, position: [0, 0, 1.53968], material: steel}]\n"
        "surfaces: [{name: ground, half_space: true}]\n"
        "materials: [{name: steel, restitution: 0.5}]\n"
        "contact: {}\nrun: {until: 0.8, step: 0.01, integrator: runge_kutta4}\n",
        Formulation::maximal, 10);
    const auto run = opened(folder.path / "a.h5");
    const auto& events = run.head().events;
    REQUIRE(events.size() == 1);
    CHECK(events[0].kind == "impact");
    CHECK(events[0].name == "ball, ground");
    CHECK(near(events[0].time, t, 1e-11)); // found to 1e-12 of a step, and places to rounding
    CHECK(has_words(events[0].text, "strike each other with 13.68 N s")); // m g t (1 + e)
}

TEST_CASE("What is left out of the list of events is counted")
{
    Happenings all;
    for (int i = 0; i < Happenings::most_of_a_kind + 7; ++i)
        all.add({.kind = Happening::Kind::impact, .time = i * 1.0, .other = 0});
    all.add({.kind = Happening::Kind::broken, .time = 5000});
    CHECK(all.list().size() == Happenings::most_of_a_kind + 1);
    CHECK(all.left_out() == 7);
    CHECK(all.list().back().kind == Happening::Kind::broken);
}

TEST_CASE("Loads of cuts are signals with units, and columns of CSV")
{
    const RecordFolder folder("cut_signals");
    record(folder.path / "a.h5", pulled);
    const TrajectoryReader run = opened(folder.path / "a.h5");
    const RunSignals signals(run);
    const auto chosen = signals.chosen({"seam / tension, middle / tension, seam / bending x, seam "
                                        "/ utilisation, seam / largest utilisation"});
    REQUIRE_MESSAGE(chosen, (chosen ? "" : chosen.problems().text()));
    REQUIRE(!signals.write_csv(*chosen, folder.path / "a.csv").any());
    std::istringstream in(contents(folder.path / "a.csv"));
    std::string line;
    std::getline(in, line);
    CHECK(line == "time [s],seam / tension [N],middle / tension [N],seam / bending x [N m],"
                  "seam / utilisation [1],seam / largest utilisation [1]");
    const auto row_of = [&](int frame, std::istringstream& from) {
        for (int i = 0; i <= frame; ++i)
            REQUIRE(std::getline(from, line));
        std::vector<double> row;
        std::istringstream numbers(line);
        for (std::string number; std::getline(numbers, number, ',');)
            row.push_back(std::stod(number));
        return row;
    };
    const auto row = row_of(50, in);
    CHECK(near(row[1], 60, 1e-12));
    CHECK(near(row[2], 30, 1e-12));
    CHECK(near(row[4], 1.2, 1e-12));
    CHECK(near(row[5], 1.2, 1e-12));

    record(folder.path / "b.csv", pulled);
    std::istringstream direct(contents(folder.path / "b.csv"));
    std::getline(direct, line);
    CHECK(
        line.ends_with("middle.tension [N],middle.shear_x [N],middle.shear_y [N],middle.bending_x "
                       "[N m],middle.bending_y [N m],middle.torsion [N m],middle.utilisation"));
    const auto columns = row_of(50, direct);
    CHECK(near(columns[columns.size() - 14], 60, 1e-12));
    CHECK(near(columns[columns.size() - 8], 1.2, 1e-12));
    CHECK(near(columns[columns.size() - 7], 30, 1e-12));
}

TEST_CASE("A page has cuts, their limits, when joints let go, and what passed")
{
    const RecordFolder folder("cut_page");
    record(folder.path / "a.h5", pulled);
    const TrajectoryReader run = opened(folder.path / "a.h5");
    const auto shown = page_of(run, folder.path / "a.html")["runs"][0];
    REQUIRE(shown["cuts"].size() == 2);
    CHECK(shown["cuts"][0]["limits"] == nlohmann::json{{"tension", 50.0}, {"shear", 9.0}});
    CHECK(shown["cuts"][1]["limits"] == nlohmann::json::object());
    CHECK(shown["cuts"][0]["utilisation"]["shape"] == nlohmann::json::array({101, 1}));
    CHECK(shown["cuts"][0]["gone"]["shape"] == nlohmann::json::array({101}));
    CHECK(near(shown["joints"][0]["until"].get<double>(), 0.5, 1e-15));
    CHECK(near(shown["joints"][1]["until"].get<double>(), 0.7325, 1e-9));
    REQUIRE(shown["events"].size() == 3);
    CHECK(shown["events"][1]["name"] == "snap");
    CHECK(shown["events"][1]["load"] == "tension");
    CHECK(near(shown["events"][1]["utilisation"].get<double>(), 1.2, 1e-12));
    CHECK(!shown["events"][2].contains("utilisation"));
}

TEST_CASE("A file of a layout before cuts is read as one without them")
{
    const RecordFolder folder("cuts_old");
    CHECK(refused(folder.path / "a.h5", [](hid_t file) {
              for (const char* name : {"cuts", "events/name", "events/load", "events/utilisation"})
                  REQUIRE(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
              const hid_t version = H5Aopen(file, "layout_version", H5P_DEFAULT);
              const std::int64_t numbers[2] = {1, 4};
              REQUIRE(H5Awrite(version, H5T_NATIVE_INT64, numbers) >= 0);
              H5Aclose(version);
          }).empty());
    const TrajectoryReader run = opened(folder.path / "a.h5");
    CHECK(run.head().layout_minor == 4);
    CHECK(run.head().cuts.empty());
    CHECK(!run.has("cuts/force"));
    REQUIRE(run.head().events.size() == 3);
    CHECK(run.head().events[1].kind == "break");
    CHECK(run.head().events[1].name.empty());
    const RunSignals signals(run);
    CHECK(!signals.chosen({"seam / tension"}));
}

TEST_CASE("A file whose cuts or events are damaged is refused with the place")
{
    const RecordFolder folder("cuts_bad");
    const auto says = [&](const std::function<void(hid_t)>& change, const char* place,
                          const char* what) {
        const std::string why = refused(folder.path / "a.h5", change);
        CHECK(has_words(why, place));
        CHECK(has_words(why, what));
    };
    says(
        [](hid_t f) {
            put_numbers<std::int64_t>(f, "cuts/body", H5T_NATIVE_INT64, {2}, {1, 4});
        },
        "/cuts/body", "there is no body 4");
    says(
        [](hid_t f) {
            put_numbers<double>(f, "cuts/orientation", H5T_NATIVE_DOUBLE, {2, 4},
                                {1, 0, 0, 0, 0, 0, 0, 0});
        },
        "/cuts/orientation", "'middle' is no unit quaternion");
    says(
        [](hid_t f) {
            put_numbers<double>(f, "cuts/limits", H5T_NATIVE_DOUBLE, {2, 5},
                                {1, 1, 1, 1, 0, 1, 1, 1, 1, 1});
        },
        "/cuts/limits", "a limit that is 0");
    says(
        [](hid_t f) {
            put_numbers<double>(f, "cuts/position", H5T_NATIVE_DOUBLE, {2, 3},
                                {0, 0, 0, 0, 0, std::nan("")});
        },
        "/cuts/position", "nan");
    says(
        [](hid_t f) {
            put_numbers<double>(f, "cuts/utilisation", H5T_NATIVE_DOUBLE, {3, 2},
                                {0, 0, 0, 0, 0, 0});
        },
        "/cuts/utilisation", "has 3 frames, but /time has 101");
    says(
        [](hid_t f) {
            put_numbers<double>(f, "cuts/gone", H5T_NATIVE_DOUBLE, {101, 2},
                                std::vector<double>(202, 0.0));
        },
        "/cuts/gone", "");
    says([](hid_t f) { REQUIRE(H5Ldelete(f, "cuts/force", H5P_DEFAULT) >= 0); }, "/cuts/force", "");
    says(
        [](hid_t f) {
            put_numbers<std::int64_t>(f, "events/utilisation", H5T_NATIVE_INT64, {3}, {1, 1, 1});
        },
        "/events/utilisation", "");
}
