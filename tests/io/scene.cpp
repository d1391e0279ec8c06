// SPDX-License-Identifier: MIT
#include "poinsot/io/scene.hpp"

#include "near.hpp"

#include <fstream>
#include <random>
#include <sstream>

using namespace poinsot;

namespace {

std::vector<std::filesystem::path> scenes()
{
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(tests_folder() / "../scenes"))
        if (entry.path().extension() == ".yaml")
            found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

std::string text_of_file(const std::filesystem::path& path)
{
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

Scene read(const std::string& text, const std::string& name = "test.yaml")
{
    auto scene = read_scene_text(text, name);
    REQUIRE_MESSAGE(scene, (scene ? "" : scene.problems().text()));
    return std::move(*scene);
}
Body body(const std::string& lines)
{
    return read("bodies:\n  - {name: b, " + lines + "}\n").model->bodies()[0];
}

} // namespace

TEST_CASE("A scene that is written and read again has the same bits")
{
    for (const auto& path : scenes()) {
        const auto scene = read_scene(path);
        REQUIRE(scene);
        const std::string written = write_scene(*scene);
        const Scene again = read(written, path.string()); // meshes are beside it
        CHECK(write_scene(again) == written);
        CHECK(identity_of(again) == identity_of(*scene));
        CHECK(again.title == scene->title);
        for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix})
            CHECK(hash_of(start_of(*again.model, form)) == hash_of(start_of(*scene->model, form)));
    }
}

TEST_CASE("Names and titles may hold anything, but for control characters")
{
    Scene scene = read("title: 'a \"b\" \\ : # {'\nparticles: [{name: \"x: [1]\", mass: 1}]\n");
    CHECK(scene.title == "a \"b\" \\ : # {");
    const Scene again = read(write_scene(scene));
    CHECK(again.title == scene.title);
    CHECK(again.model->bodies()[0].name == "x: [1]");
    for (const char* bad : {"\\n", "\\t", "\\e", "\\x7f", "\\x85"})
        CHECK(!read_scene_text(std::string("particles: [{name: \"a") + bad + "b\", mass: 1}]\n",
                               "test.yaml"));
}

TEST_CASE("Orientations written in four ways are one rotation")
{
    const Quat<double> q =
        body("box: [1, 2, 3], mass: 1, orientation: {axis: [0, 0, 2], angle: 90 deg}").pose.q;
    const auto same = [&](const char* text) {
        const Quat<double> r =
            body(std::string("box: [1, 2, 3], mass: 1, orientation: ") + text).pose.q;
        CHECK(near(q.w * r.w + q.x * r.x + q.y * r.y + q.z * r.z, 1, 1e-15));
    };
    same("[0.70710678118654752, 0, 0, 0.70710678118654752]");
    same("[[0, -1, 0], [1, 0, 0], [0, 0, 1]]");
    same("{euler: [90 deg, 0, 0], sequence: zyx}");
    same("{euler: [0.5 rad, 0, 1.0707963267948966], sequence: zxz}");
    // Turns about the axes of the body: z first, then the new y, then the new x.
    const Quat<double> yaw_pitch_roll =
        body("box: [1, 2, 3], mass: 1, orientation: {euler: [0.1, 0.2, 0.3], sequence: zyx}")
            .pose.q;
    const Quat<double> product = exp_quat(Vec3<double>{0, 0, 0.1}) *
                                 exp_quat(Vec3<double>{0, 0.2, 0}) *
                                 exp_quat(Vec3<double>{0.3, 0, 0});
    CHECK(near(yaw_pitch_roll.x, product.x, 1e-15));
    CHECK(near(yaw_pitch_roll.y, product.y, 1e-15));
}

TEST_CASE("Mass, density and inertia describe one body")
{
    const MassProperties by_mass = body("box: [1, 2, 3], mass: 12").mass_properties;
    const MassProperties by_density = body("box: [1, 2, 3], density: 2").mass_properties;
    CHECK(by_mass.mass == 12);
    CHECK(near(by_density.mass, 12, 1e-15));
    CHECK(near(by_mass.inertia.xx, 13, 1e-15));
    CHECK(near(by_density.inertia.zz, 5, 1e-15));
    const MassProperties given =
        body("mass: 12, inertia: {xx: 13, yy: 10, zz: 5, xy: 0.5}, center_of_mass: [1, 2, 3]")
            .mass_properties;
    CHECK(given.inertia.xy == 0.5);
    CHECK(given.center.z == 3);
    const MassProperties rows =
        body("mass: 1, inertia: [[13, 0.5, 0], [0.5, 10, 0], [0, 0, 5]]").mass_properties;
    CHECK(rows.inertia == given.inertia);
    const MassProperties cone = body("cone: {radius: 1, height: 4}, mass: 1").mass_properties;
    CHECK(near(cone.center.z, 1, 1e-15)); // a quarter of the height above the base
}

TEST_CASE("A load or a spring without a point acts at the centre of mass")
{
    const Scene scene = read("bodies: [{name: c, cone: {radius: 1, height: 4}, mass: 1}]\n"
                             "loads: [{body: c, force: [1, 0, 0]}]\n"
                             "springs: [{from: {world: [0, 0, 0]}, to: c, stiffness: 1}]\n");
    CHECK(near(scene.model->loads()[0].point.z, 1, 1e-15));
    CHECK(near(scene.model->springs()[0].b.point.z, 1, 1e-15));
}

TEST_CASE("Angular velocity may be given in body axes")
{
    const Vec3<double> omega = body("ball: 1, mass: 1, orientation: {axis: [0, 0, 1], angle: 90 "
                                    "deg}, angular_velocity_body: [1, 0, 0]")
                                   .angular_velocity;
    CHECK(near(omega.y, 1, 1e-15));
    CHECK(near(omega.x, 0, 1e-15, 1));
}

TEST_CASE("The ledger may be kept about the origin, the centre of mass, a point or a body")
{
    const std::string two = "particles:\n  - {name: a, mass: 1, position: [1, 0, 0]}\n"
                            "  - {name: b, mass: 3, position: [5, 0, 0]}\nledger: {about: ";
    const auto about = [&](const char* text) {
        const Scene scene = read(two + text + "}\n");
        const Placed placed = place(*scene.model, start_of(*scene.model, FormKind::momentum));
        return scene.run.ledger.about ? scene.run.ledger.about(placed).x : 0.0;
    };
    CHECK(about("origin") == 0);
    CHECK(about("center_of_mass") == 4);
    CHECK(about("[7, 0, 0]") == 7);
    CHECK(about("b") == 5);
    CHECK(about("{body: b}") == 5);
}

TEST_CASE("The books close about a point that is fixed in a body, in both formulations")
{
    // A body with its centre of mass beside its origin, on a joint that is on another such body.
    const std::string text =
        "bodies:\n"
        "  - {name: a, box: [0.2, 0.3, 0.5], mass: 2, center_of_mass: [0.1, 0, 0.05], inertia: [2, "
        "3, 4], velocity: [1, 0, 2], angular_velocity: [0.3, 2, 1]}\n"
        "  - {name: b, box: [0.1, 0.1, 0.6], mass: 1, position: [0, 0, 1], relative_to: a}\n"
        "joints: [{name: j, type: revolute, bodies: [a, b], at: [0, 0, 0.5], axis: [0, 1, 0], "
        "damping: 0.1}]\n"
        "gravity: [0, 0, -9.81]\nrun: {until: 1, step: 0.001, integrator: runge_kutta4, "
        "formulation: ";
    const Vec3<double> at{1, -0.5, 0.25};
    for (const std::string formulation : {"maximal", "reduced"}) {
        INFO(formulation);
        const std::string head = text + formulation + "}\nledger: {detail: totals, about: ";
        const Scene scene = read(head + "{body: a, at: [1, -0.5, 0.25]}}\n");
        const Scene again = read(write_scene(scene));
        CHECK(identity_of(again) == identity_of(scene));
        CHECK(identity_of(read(head + "a}\n")) != identity_of(scene));
        CHECK(identity_of(read(head + "{body: a}}\n")) == identity_of(read(head + "a}\n")));

        // as a program asks for it, by hand
        RunSettings by_hand = scene.run;
        by_hand.ledger.about = [&](const Placed& placed) {
            const PlacedBody& a = placed.bodies[0];
            return a.x + a.R * (at - Vec3<double>{0.1, 0, 0.05});
        };
        const auto ran = [](const Scene& of, const RunSettings& run) {
            auto sim = Simulation::start(of.model, run);
            REQUIRE(sim);
            while (!sim->done())
                REQUIRE(!sim->step());
            sim->close_books();
            return std::move(*sim);
        };
        const Simulation sim = ran(again, again.run), other = ran(scene, by_hand);
        const Account &told = sim.ledger().books().total, &truth = other.ledger().books().total;
        CHECK(norm(told.opening.L - truth.opening.L) <= 1e-14 * norm(truth.opening.L));
        CHECK(norm(told.closing.L - truth.closing.L) <= 1e-14 * norm(truth.closing.L));
        CHECK(norm(told.moving_point - truth.moving_point) <= 1e-12 * norm(truth.moving_point));
        CHECK(norm(told.moving_point) > 1);
        // L' − L = Σ (K + S) − Σ ΔA × p̄ to what RK4 leaves of L about any point, 1e-10 at this step
        Posting sum;
        for (const Posting& posting : told.posted)
            sum += posting;
        CHECK(norm(told.opening.L + sum.K + sum.S + told.moving_point - told.closing.L) <=
              1e-9 * sim.ledger().books().scale_L);
    }
}

TEST_CASE("The identity of a scene is its physics, not its words")
{
    const std::string text = "particles: [{name: a, mass: 1}]\nrun: {until: 1, step: 0.1}\n";
    const auto identity = identity_of(read(text));
    CHECK(identity_of(read("title: x\n# y\n" + text)) == identity);
    CHECK(identity_of(read("particles: [{name: a, mass: 1.0}]\nrun: {until: 9, step: 1.0e-1}\n")) ==
          identity);
    CHECK(identity_of(read("particles: [{name: a, mass: 2}]\nrun: {until: 1, step: 0.1}\n")) !=
          identity);
    CHECK(identity_of(read("particles: [{name: a, mass: 1}]\nrun: {until: 1, step: 0.2}\n")) !=
          identity);
}

namespace {

/// The places and first lines of all that is wrong with a text.
std::vector<std::string> wrong(const std::string& text)
{
    std::vector<std::string> found;
    const auto scene = read_scene_text(text, "f");
    if (!scene)
        for (const Problem& p : scene.problems().list())
            found.push_back(p.place + ": " + p.what.substr(0, p.what.find('\n')));
    return found;
}
bool one(const std::vector<std::string>& found, const char* begin)
{
    return found.size() == 1 && found[0].starts_with(begin);
}

} // namespace

TEST_CASE("What is asked of books that are not kept is refused, each where it stands")
{
    const std::string text = "particles: [{name: a, mass: 1}]\n";
    const auto found = wrong(text + "run: {until: 1, step: 0.1, energy_tolerance: 1e-6}\n"
                                    "ledger: {detail: off, every: 5, about: a}\n");
    REQUIRE(found.size() == 3);
    const std::string rest = " has no effect: with detail: off no books are kept; remove it, or "
                             "choose detail: totals";
    CHECK(found[0] == "f:3:30: every of ledger" + rest);
    CHECK(found[1] == "f:3:40: about of ledger" + rest);
    CHECK(found[2] == "f:2:46: energy_tolerance of run" + rest);
    CHECK(wrong(text + "ledger: {detail: off}\n").empty());

    // The command line can turn off what a scene asks for; what is written then is a scene still.
    Scene scene = read(text + "run: {energy_tolerance: 1e-6}\nledger: {every: 5, about: a}\n");
    scene.run.ledger.detail = Postings::Detail::off;
    CHECK(wrong(write_scene(scene)).empty());
}

TEST_CASE("The point that books are kept about is named when it is none")
{
    const std::string text = "particles: [{name: a, mass: 1}]\nledger: {about: ";
    CHECK(one(wrong(text + "{at: [1, 0, 0]}}\n"), "f:2:17: about of ledger needs 'body'"));
    CHECK(one(wrong(text + "{body: a, at: 3}}\n"), "f:2:31: at of about of ledger must be a list"));
    CHECK(one(wrong(text + "{body: x}}\n"), "f:2:24: body of about of ledger: there is no body "
                                            "'x'. Bodies here: a"));
    CHECK(wrong(text + "{world: [0, 0, 0]}}\n")[0].starts_with(
        "f:2:18: unknown key 'world' in about"));
}

TEST_CASE("A wrong value is named for what is wrong with it")
{
    const auto turned = [](const char* orientation) {
        return wrong(std::string("bodies: [{name: a, box: [1, 1, 1], mass: 1, orientation: ") +
                     orientation + "}]\n");
    };
    CHECK(one(turned("{axis: [0, 0, 1], angle: 1e300}"),
              "f:1:83: angle of orientation of body 'a' must be at most 100000000000 rad"));
    CHECK(one(turned("{euler: [0, 1e300, 0], sequence: zyx}"), "f:1:"));
    CHECK(turned("{axis: [0, 0, 1], angle: 1e6}").empty());

    const std::string body = "bodies: [{name: a, box: [1, 1, 1], mass: 1}]\n";
    CHECK(one(wrong(body + "gravity: -9.81\n"),
              "f:2:10: gravity must be [x, y, z] in m/s², such as "
              "[0, 0, -9.81], or a map with uniform: or G:"));
    CHECK(one(wrong("bodies: {name: a, box: [1, 1, 1], mass: 1}\n"),
              "f:1:9: 'bodies' must be a list"));
    CHECK(one(wrong("particles: {name: a, mass: 1}\n"), "f:1:12: 'particles' must be a list"));
    CHECK(one(wrong("title: x\n"), "f:1:1: model: there is no body and no"));
    CHECK(one(wrong(body + "loads: [{body: b, force: [1, 0, 0]}]\n"),
              "f:2:16: body of load 1: there is no body 'b'. Bodies here: a"));
    CHECK(wrong(body + "run: {integrator: gauss}\n").empty()); // in joint coordinates, as it can
    const auto gauss = wrong(body + "run: {formulation: maximal, integrator: gauss}\n");
    CHECK(one(gauss, "f:2:41: integrator gauss does not work in maximal coordinates: use one of "));
    CHECK((gauss.size() == 1 && gauss[0].find(", or formulation reduced") != std::string::npos));
    const auto held =
        wrong("bodies: [{name: a, box: [1, 1, 1], mass: 1, held: {point: [0, 0, 0]}}]\n"
              "run: {integrator: gauss}\n");
    REQUIRE(held.size() == 1);
    CHECK(held[0].find("formulation reduced") == std::string::npos); // it would not work there
}

TEST_CASE("Problems of the builder come back with line and column of the key they are about")
{
    CHECK(one(wrong("bodies:\n  - name: a\n    mass: 1\n    inertia: [1, 1, 9]\n"),
              "f:4:14: body 'a': no body has this inertia"));
    const std::string ball = "bodies:\n  - {name: a, ball: 1, mass: 1}\n";
    const std::string held = "bodies:\n  - {name: a, ball: 1, mass: 1, ";
    CHECK(one(wrong(held + "held: {point: [0, 0, 0], along: [0, 0, 0]}}\n"), "f:2:65: body 'a': "));
    CHECK(one(wrong(held + "held: {point: [0, 0, 0]}, velocity: [1, 0, 0]}\n"),
              "f:2:69: body 'a': velocity must leave"));
    // A key that is not written: the thing itself.
    CHECK(one(wrong(held + "held: {point: [0, 0, 1]}, angular_velocity: [1, 0, 0]}\n"),
              "f:2:5: body 'a': velocity must leave"));
    CHECK(one(wrong(ball + "drag: [{name: air, body: a, linear: 1, quadratic: -1}]\n"),
              "f:3:51: drag 'air': quadratic drag"));
    CHECK(one(wrong(ball + "loads: [{body: a, force: [1, 0, 0], from: 2, until: 1}]\n"),
              "f:3:43: load 1: must begin"));
    CHECK(one(wrong(ball + "gravity: {G: -1}\n"), "f:3:14: gravity: G must"));
    CHECK(one(wrong(ball + "run: {step: 1, until: 1, integrator: adaptive, "
                           "tolerance: {relative: 1, absolute: -1}}\n"),
              "f:3:83: tolerance must be positive"));
    CHECK(one(wrong("particles: [{name: a, mass: 0}]\n"), "f:1:29: particle 'a': mass must"));
}

TEST_CASE("What the reader found wrong is not told again by the builder")
{
    CHECK(one(wrong("title: none\n"), "f:1:1: model: there is no body"));
    CHECK(wrong("drag: [{body: b, linear: 1}]\n").size() == 2); // the name, and that there is none
    CHECK(wrong("drag: [{linear: 1}]\n").size() == 2);
    CHECK(wrong("loads: [a]\n").size() == 2);
    CHECK(wrong("springs: [{from: b, to: {body: c}, stiffness: 1}]\n").size() == 3);
    // But a second mistake is told, wherever the first is.
    CHECK(wrong("drag: [{body: b, linear: -1}]\n").size() == 3);
    CHECK(wrong("bodies:\n  - {nam: a, ball: 1, mass: 1, held: {point: [0, 0, 1]}, "
                "angular_velocity: [1, 0, 0]}\n")
              .size() == 3);
}

TEST_CASE("No text crashes the reader: it is a scene or has problems with places")
{
    // Every scene, with bytes changed, cut out, doubled and exchanged: 4000 texts, always the same.
    std::mt19937 dice(20261115);
    const auto below = [&](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(dice);
    };
    const std::string letters = "[]{}:,-#&*!|>'\"%@`\n\t 0123456789.eE+xnaif~";
    std::vector<std::string> seeds;
    for (const auto& path : scenes())
        seeds.push_back(text_of_file(path));
    // Where the scenes are, so that robots are found.
    const std::string fuzz = (scenes().front().parent_path() / "fuzz").string();
    int refused = 0, read_well = 0;
    for (int i = 0; i < 4000; ++i) {
        std::string text = seeds[below(seeds.size())];
        for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
            const std::size_t at = below(text.size()),
                              length = below(std::min<std::size_t>(40, text.size() - at) + 1);
            switch (below(4)) {
            case 0:
                text[at] = letters[below(letters.size())];
                break;
            case 1:
                text.erase(at, length);
                break;
            case 2:
                text.insert(below(text.size()), text.substr(at, length));
                break;
            default:
                text.insert(at, 1, letters[below(letters.size())]);
            }
            if (text.empty())
                text.assign(1, 'a');
        }
        const auto scene = read_scene_text(text, fuzz);
        scene ? ++read_well : ++refused;
        if (!scene)
            for (const Problem& p : scene.problems().list())
                CHECK_MESSAGE(p.place.starts_with(fuzz + ":"), text);
    }
    CHECK(refused > 1000);
    CHECK(read_well > 100);
}
