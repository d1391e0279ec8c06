// SPDX-License-Identifier: MIT
#include "poinsot/io/checkpoint.hpp"

#include "near.hpp"

#include <fstream>
#include <random>
#include <sstream>
#include <unistd.h>

using namespace poinsot;

namespace {

Scene scene_of(const std::string& settings)
{
    auto scene = read_scene_text(
        "gravity: {uniform: [0, 0, -9.81], G: 0.1}\n"
        "bodies:\n"
        "  - {name: a, box: [1, 2, 3], mass: 2, angular_velocity: [1, 5, 0.1]}\n"
        "particles:\n"
        "  - {name: b, mass: 1, position: [4, 0, 0], velocity: [0, 1, 0]}\n"
        "springs: [{from: {body: a, at: [0.5, 1, 1.5]}, to: b, stiffness: 3, damping: 0.1}]\n" +
            settings,
        "test.yaml");
    REQUIRE_MESSAGE(scene, (scene ? "" : scene.problems().text()));
    return std::move(*scene);
}

/// A file name of our own that is removed at the end.
struct TemporaryFile {
    std::filesystem::path path = std::filesystem::temp_directory_path() /
                                 ("poinsot_checkpoint_" + std::to_string(::getpid()) + ".json");
    ~TemporaryFile() { std::filesystem::remove(path); }
};

std::vector<double> numbers(const Books& b)
{
    std::vector<double> all{b.scale_p,
                            b.scale_L,
                            b.scale_spin,
                            b.scale_E,
                            b.worst_p,
                            b.worst_L,
                            b.worst_spin,
                            b.worst_E,
                            b.closing_stores.gravity,
                            b.closing_stores.spring,
                            b.A.x,
                            b.A.y,
                            b.A.z};
    const auto add = [&](const Account& a) {
        for (const Posting& p : a.posted)
            all.insert(all.end(),
                       {p.J.x, p.J.y, p.J.z, p.S.x, p.S.y, p.S.z, p.K.x, p.K.y, p.K.z, p.work});
        const Residual& r = a.residual;
        all.insert(all.end(), {r.mass, r.p.x, r.p.y, r.p.z, r.L.x, r.L.y, r.L.z, r.spin.x, r.T,
                               r.stores.gravity, r.stores.spring, a.closing.T, a.closing.L.x,
                               a.opening.T, a.moving_point.y});
    };
    add(b.total);
    for (const Account& a : b.bodies)
        add(a);
    return all;
}

} // namespace

TEST_CASE("A checkpoint that is written and read goes on with the same bits, at random instants")
{
    const TemporaryFile file;
    std::mt19937 dice(3);
    for (const char* settings :
         {"run: {until: 1, step: 0.01}\nledger: {detail: bodies, every: 7, about: "
          "center_of_mass}\n",
          "run: {until: 1, step: 0.01, integrator: midpoint, state_form: velocity}\nledger: "
          "{every: 3}\n",
          "run: {until: 1, step: 0.01, integrator: adaptive, state_form: matrix}\nledger: {about: "
          "b}\n",
          "run: {until: 1, step: 0.01, integrator: runge_kutta4}\nledger: {about: {body: a, at: "
          "[1, 2, 3]}}\n",
          "run: {until: 1, step: 0.01, integrator: runge_kutta4}\nledger: {detail: off}\n"}) {
        const Scene scene = scene_of(settings);
        auto whole = Simulation::start(scene.model, scene.run);
        REQUIRE(whole);
        while (!whole->done())
            REQUIRE(!whole->step());
        for (int trial = 0; trial < 5; ++trial) {
            const int instant = std::uniform_int_distribution<int>(0, 99)(dice);
            auto first = Simulation::start(scene.model, scene.run);
            for (int i = 0; i < instant; ++i)
                first->step();
            REQUIRE(!write_checkpoint(file.path, scene, first->checkpoint()));
            auto back = read_checkpoint(file.path, scene);
            REQUIRE(back);
            CHECK(back->state == first->state());
            auto second = Simulation::start(scene.model, scene.run);
            second->resume(std::move(*back));
            while (!second->done())
                second->step();
            CHECK(second->state() == whole->state());
            CHECK(numbers(second->ledger().books()) == numbers(whole->ledger().books()));
        }
    }
}

TEST_CASE("A checkpoint knows where joints stand at their limits")
{
    const TemporaryFile file;
    for (const char* formulation : {"maximal", "reduced"}) {
        const Scene scene = scene_of(
            std::string("joints: [{name: rail, type: prismatic, bodies: [world, a], axis: [0, 0, "
                        "1], speed: 0, limits: [-0.3, ~], restitution: 0.4}]\n"
                        "run: {until: 1.5, step: 0.01, formulation: ") +
            formulation + "}\n");
        auto first = Simulation::start(scene.model, scene.run);
        REQUIRE(first);
        while (first->state().standing.empty())
            REQUIRE(!first->step());
        REQUIRE(!write_checkpoint(file.path, scene, first->checkpoint()));
        auto back = read_checkpoint(file.path, scene);
        REQUIRE(back);
        CHECK(back->state == first->state());
        auto second = Simulation::start(scene.model, scene.run);
        second->resume(std::move(*back));
        while (!first->done()) {
            REQUIRE(!first->step());
            REQUIRE(!second->step());
        }
        CHECK(second->state() == first->state());
        CHECK(numbers(second->ledger().books()) == numbers(first->ledger().books()));
        // A stop that the model does not have is refused.
        Checkpoint wrong = first->checkpoint();
        wrong.state.standing = {{0, 0, true}};
        REQUIRE(!write_checkpoint(file.path, scene, wrong));
        const auto refused = read_checkpoint(file.path, scene);
        REQUIRE_FALSE(refused);
        CHECK(refused.problems().text().find("a limit it does not have") != std::string::npos);
    }
}

TEST_CASE("A checkpoint of another scene, or damaged, is refused")
{
    const TemporaryFile file;
    const Scene scene = scene_of("run: {until: 1, step: 0.01}\n");
    const auto run = Simulation::start(scene.model, scene.run);
    REQUIRE(!write_checkpoint(file.path, scene, run->checkpoint()));
    CHECK(read_checkpoint(file.path, scene));
    CHECK(!read_checkpoint(file.path, scene_of("run: {until: 1, step: 0.02}\n")));
    CHECK(!read_checkpoint(file.path.string() + ".none", scene));
    // Any single digit changed is noticed.
    std::stringstream text;
    text << std::ifstream(file.path).rdbuf();
    const std::string good = text.str();
    int tried = 0;
    const std::size_t content = good.find("\"content\"");
    for (std::size_t at = good.find_first_of("123456789", content);
         at != std::string::npos && tried < 40;
         at = good.find_first_of("123456789", at + 7), ++tried) {
        std::string bad = good;
        bad[at] = bad[at] == '5' ? '6' : '5';
        std::ofstream(file.path) << bad;
        CHECK(!read_checkpoint(file.path, scene));
    }
    CHECK(tried > 10);
}
