// SPDX-License-Identifier: MIT
#include "poinsot/io/scene.hpp"
#include "poinsot/step/impulsive.hpp"
#include "poinsot/step/overlaps.hpp"

#include "near.hpp"

#include <atomic>
#include <chrono>
#include <ctime>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace poinsot;

namespace {

Scene read(const std::string& text, const std::string& file = "test.yaml")
{
    auto scene = read_scene_text(text, file);
    REQUIRE_MESSAGE(scene, (scene ? "" : scene.problems().text()));
    return std::move(*scene);
}
/// What is said to a text, one problem to a line.
std::string complaint(const std::string& text, const std::string& file = "test.yaml")
{
    const auto scene = read_scene_text(text, file);
    return scene ? "" : scene.problems().text();
}
std::size_t problems_of(const std::string& text)
{
    const auto scene = read_scene_text(text, "test.yaml");
    return scene ? 0 : scene.problems().list().size();
}
std::string boxes_in_one_place(int count)
{
    std::string text = "gravity: [0, 0, -10]\ncontact: {overlaps: separate}\nbodies:\n";
    for (int i = 0; i < count; ++i)
        text += text_of("  - {name: b", i, ", box: [1, 1, 1], mass: 1}\n");
    return text;
}
bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}
/// Problems name a place, and contain some words.
bool refused(const std::string& text, const std::string& place, const std::string& words)
{
    const std::string said = complaint(text);
    const bool told = has(said, "test.yaml:" + place + ":") && has(said, words);
    if (!told)
        MESSAGE(said);
    return told;
}

const std::string one_ball = "bodies: [{name: ball, ball: 0.1, mass: 1, position: [0, 0, 1]}]\n";
const std::string floor_below = "surfaces: [{name: ground, half_space: true}]\n";

/// A folder that goes away, with a tetrahedron in it, a cube with and without its top, a sheet and
/// meshes with a flat face and with a corner that is no number.
struct Folder {
    std::filesystem::path path;
    Folder()
    {
        path = std::filesystem::temp_directory_path() /
               ("poinsot_scene_contact_" + std::to_string(::getpid()));
        std::filesystem::create_directories(path);
        std::ofstream(path / "tetrahedron.obj")
            << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
        std::ofstream(path / "sheet.obj")
            << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";
        std::ofstream(path / "flat.obj")
            << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nf 1 2 3\nf 1 2 4\n";
        std::ofstream(path / "nan.obj")
            << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv nan 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
        const std::string open = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\n"
                                 "v -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
                                 "f 1 3 2\nf 1 4 3\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\n"
                                 "f 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n";
        std::ofstream(path / "open.obj") << open;
        std::ofstream(path / "closed.obj") << open << "f 5 6 7\nf 5 7 8\n";
        std::ofstream(path / "walker.urdf") <<
            R"(<robot name="walker"><link name="foot">
<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><origin xyz="0 0 0.1"/><geometry><box size="0.2 0.2 0.2"/></geometry></collision>
<collision><origin xyz="1 0 0"/>
<geometry><mesh filename="tetrahedron.obj" scale="2 2 2"/></geometry></collision></link></robot>)";
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string scene() const { return (path / "scene.yaml").string(); }
};

} // namespace

TEST_CASE("With contact every shape touches, and what says otherwise does not")
{
    const std::string bodies =
        "bodies:\n"
        "  - {name: a, ball: 0.1, mass: 1, position: [0, 0, 1]}\n"
        "  - {name: b, box: [1, 1, 1], mass: 1, position: [0, 0, 3], collides: false}\n"
        "  - {name: c, mass: 1, inertia: [1, 1, 1]}\n"
        "particles: [{name: p, mass: 1, position: [5, 0, 1]},\n"
        "            {name: q, mass: 1, position: [6, 0, 1], radius: 0.25}]\n";
    const Scene without = read("bodies: [{name: a, ball: 0.1, mass: 1}]\n");
    CHECK(without.model->skins().empty());
    CHECK(without.run.step.method == Method::splitting);
    const Scene scene = read(bodies + floor_below + "contact: {}\n");
    CHECK(scene.run.step.method == Method::impulsive);
    REQUIRE(scene.model->skins().size() == 3);
    CHECK(scene.model->skins()[0].name == "a");
    CHECK(scene.model->skins()[1].name == "q");
    CHECK(near(scene.model->skins()[1].collider.bounds().hi.x, 0.25, 1e-12)); // and rounding
    CHECK(scene.model->skins()[2].name == "ground");
    CHECK(scene.model->skins()[2].body == world);
    const ContactLaw& law = scene.model->contact_law(0, 2);
    CHECK(law.friction == 0.5);
    CHECK(law.static_friction == 0.5);
    CHECK(law.restitution == 0);
}

TEST_CASE("Materials meet with the mean of the two, and a pair with its own law")
{
    const Scene scene =
        read("bodies: [{name: a, ball: 0.1, mass: 1, material: rubber, position: [0, 0, 1]},\n"
             "         {name: b, ball: 0.1, mass: 1, position: [0, 0, 2]}]\n" +
             floor_below +
             "contact: {material: ice}\n"
             "materials: [{name: rubber, friction: 0.9, static_friction: 1.0, restitution: 0.8},\n"
             "            {name: ice, friction: 0.1, rolling: 0.01}]\n"
             "material_pairs: [{materials: [ice, ice], friction: 0.02}]\n");
    const ContactLaw& mean = scene.model->contact_law(0, 2);
    CHECK(near(mean.friction, 0.3, 1e-15));
    CHECK(near(mean.static_friction, std::sqrt(0.1), 1e-15));
    CHECK(mean.restitution == 0.8);
    CHECK(mean.rolling == 0.01);
    const ContactLaw& own = scene.model->contact_law(1, 2);
    CHECK(own.friction == 0.02);
    CHECK(own.static_friction == 0.1); // of the mean
    CHECK(own.rolling == 0.01);
}

TEST_CASE("Groups meet whom they name")
{
    const Scene scene =
        read("bodies: [{name: a, ball: 0.1, mass: 1, groups: [wheels], meets: [track, default]},\n"
             "         {name: b, ball: 0.1, mass: 1, position: [1, 0, 0], groups: [track]},\n"
             "         {name: c, ball: 0.1, mass: 1, position: [2, 0, 0]},\n"
             "         {name: d, ball: 0.1, mass: 1, position: [3, 0, 0], groups: [wheels]}]\n"
             "contact: {}\n");
    const auto& skins = scene.model->skins();
    CHECK(may_touch(skins[0].filter, skins[1].filter));
    CHECK(may_touch(skins[0].filter, skins[2].filter));
    CHECK(!may_touch(skins[0].filter, skins[3].filter));
    CHECK(may_touch(skins[1].filter, skins[3].filter));
}

TEST_CASE("A scene with contact that is written and read again has the same model")
{
    const Folder folder;
    const Scene scene = read(
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  - {name: a, ball: 0.1, mass: 1, material: rubber, groups: [x, y], meets: [z, default]}\n"
        "  - {name: b, box: [1, 1, 1], mass: 1, position: [0, 0, 3], collides: false}\n"
        "  - {name: m, mesh: tetrahedron.obj, mass: 1, position: [0, 9, 3], collides: hull}\n"
        "  - {name: n, mesh: tetrahedron.obj, mass: 1, position: [0, 5, 3]}\n"
        "robots: [{name: r, file: walker.urdf, base: floating, position: [0, -9, 4]}]\n"
        "particles: [{name: q, mass: 1, position: [6, 0, 1], radius: 0.25, groups: [z]}]\n"
        "materials: [{name: rubber, friction: 0.9, restitution: 0.5, torsion: 0.01}]\n"
        "material_pairs: [{materials: [rubber, rubber], restitution: 0.25}]\n"
        "surfaces:\n"
        "  - {half_space: true, position: [0, 0, -1], material: rubber}\n"
        "  - {name: wall, plane: true, position: [-5, 0, 0],\n"
        "     orientation: {axis: [0, 1, 0], angle: 90 deg}, margin: 0.125}\n"
        "  - {name: bump, body: a, mesh: sheet.obj, scale: [0.01, 0.02, 1]}\n"
        "  - {name: ramp, mesh: tetrahedron.obj, hull: true, position: [20, 0, 0]}\n"
        "apart: [[a, b], [q, r/foot]]\n"
        "contact: {law: moreau, order: in_sequence, solver: sweeps, sweeps: 77, tolerance: 1e-7,\n"
        "          within: 1e-5, overlaps: separate}\n"
        "run: {until: 1, step: 0.01}\n",
        folder.scene());
    const std::string written = write_scene(scene);
    const Scene again = read(written, folder.scene());
    CHECK(write_scene(again) == written);
    CHECK(identity_of(again) == identity_of(scene));
    const auto &one = scene.model->skins(), &two = again.model->skins();
    REQUIRE(one.size() == two.size());
    CHECK(one.size() == 10); // a, m, n, q, two of the robot, four surfaces
    for (std::size_t i = 0; i < one.size(); ++i) {
        CAPTURE(one[i].name);
        CHECK(one[i].name == two[i].name);
        CHECK(one[i].body == two[i].body);
        CHECK(one[i].material == two[i].material);
        CHECK(one[i].filter.groups == two[i].filter.groups);
        CHECK(one[i].filter.meets == two[i].filter.meets);
        CHECK(one[i].collider.kind() == two[i].collider.kind());
        CHECK(one[i].collider.margin() == two[i].collider.margin());
        CHECK(one[i].collider.parts().size() == two[i].collider.parts().size());
        CHECK(one[i].collider.bounds().hi == two[i].collider.bounds().hi);
        CHECK(one[i].pose.x == two[i].pose.x);
    }
    CHECK(scene.model->skins_apart() == again.model->skins_apart());
    for (int a = 0; a < 10; ++a)
        for (int b = 0; b < 10; ++b)
            CHECK(scene.model->contact_law(a, b).restitution ==
                  again.model->contact_law(a, b).restitution);
    const ContactSettings &c = scene.run.step.contact, &e = again.run.step.contact;
    CHECK(c.law == ImpactLaw::moreau);
    CHECK(e.law == c.law);
    CHECK(e.order == ImpactOrder::in_sequence);
    CHECK(!e.exact);
    CHECK(e.sweeps == 77);
    CHECK(e.tolerance == 1e-7);
    CHECK(e.within == 1e-5);
    CHECK(again.overlaps == Scene::Overlaps::separate);
}

TEST_CASE("A mesh touches with its triangles or with its hull")
{
    const Folder folder;
    const auto skin = [&](const std::string& collides) {
        return read("bodies: [{name: m, mesh: tetrahedron.obj, mass: 1, collides: " + collides +
                        "}]\ncontact: {}\n",
                    folder.scene())
            .model->skins()[0];
    };
    CHECK(skin("true").collider.parts().size() == 4);
    CHECK(skin("hull").collider.parts().size() == 1);
}

TEST_CASE("The collision geometry of a robot touches where the links are")
{
    const Folder folder;
    const std::string robot = "robots: [{name: r, file: walker.urdf, base: floating}]\n";
    CHECK(read(robot, folder.scene()).model->skins().empty());
    const Scene scene = read(robot + "contact: {}\n", folder.scene());
    const auto& skins = scene.model->skins();
    REQUIRE(skins.size() == 2);
    CHECK(skins[0].name == "r/foot collision");
    CHECK(skins[1].name == "r/foot collision 2");
    CHECK(skins[0].body == 0);
    CHECK(near(skins[0].pose.x.z, 0.1, 1e-15));
    CHECK(near(skins[1].collider.bounds().hi.x, 2, 1e-12)); // by its scale
    const std::string off = "robots: [{name: r, file: walker.urdf, base: floating, ";
    CHECK(read(off + "collides: false}]\ncontact: {}\n", folder.scene()).model->skins().empty());
    CHECK(read(off + "collides: hull}]\ncontact: {}\n", folder.scene())
              .model->skins()[1]
              .collider.parts()
              .size() == 1);
}

TEST_CASE("Wrong materials, surfaces and settings of contact are named where they stand")
{
    const std::string on = one_ball + floor_below + "contact: {}\n";
    const auto material = [&](const std::string& keys) {
        return on + "materials: [{name: m, " + keys + "}]\n";
    };
    CHECK(read(on).contact);
    CHECK(refused(material("friction: -1"), "4:33", "friction must be between 0 and 1000000"));
    CHECK(refused(material("restitution: 1.5"), "4:36", "between 0 and 1"));
    CHECK(
        refused(material("friction: 0.5, static_friction: 0.4"), "4:55", "not be below friction"));
    CHECK(refused(material("rolling: -1"), "4:32", "rolling must be between 0 and 1000000"));
    CHECK(refused(on + "materials: [{name: m}, {name: m}]\n", "4:31", "duplicate name 'm'"));
    CHECK(refused(on + "materials: [{friction: 1}]\n", "4:13", "needs 'name'"));
    CHECK(refused(one_ball + floor_below + "contact: {material: jelly}\n", "3:21",
                  "there is no material 'jelly'"));
    CHECK(refused(on + "materials: [{name: jelly}]\n"
                       "material_pairs: [{materials: [jelly, jely]}]\n",
                  "5:38", "did you mean 'jelly'?"));
    CHECK(refused(on + "material_pairs: [{materials: [default]}]\n", "4:30", "two materials"));
    CHECK(refused(on + "materials: [{name: m}]\nmaterial_pairs: [{materials: [m, default]}, "
                       "{materials: [default, m]}]\n",
                  "5:45", "another pair"));
    CHECK(refused(one_ball + "surfaces: [{half_space: true, material: iron}]\ncontact: {}\n",
                  "2:41", "there is no material 'iron'"));

    const auto surface = [&](const std::string& keys) {
        return one_ball + "surfaces: [{" + keys + "}]\ncontact: {}\n";
    };
    CHECK(refused(surface("box: [1, 0, 1]"), "2:18", "greater than zero"));
    CHECK(refused(surface("ball: -1"), "2:19", "radius of the ball"));
    CHECK(refused(surface("cone: {radius: 1, height: 1e-40}"), "2:19", "between 1e-30 and 1e+30"));
    CHECK(refused(surface("name: s"), "2:12", "needs a shape"));
    CHECK(refused(surface("ball: 1, plane: true"), "2:12", "two shapes"));
    CHECK(refused(surface("ball: 1, box: [1, 1, 1]"), "2:19", "two shapes"));
    CHECK(refused(surface("half_space: false"), "2:25", "leave it out"));
    CHECK(refused(surface("half_space: true, body: ball"), "2:37", "no end"));
    CHECK(refused(surface("half_space: true, body: bal"), "2:37", "did you mean 'ball'?"));
    CHECK(refused(surface("ball: 1, margin: -1"), "2:30", "zero or more"));
    CHECK(refused(surface("ball: 1, scale: [1, 1, 1]"), "2:29", "for a mesh"));
    CHECK(refused(surface("ball: 1, hull: true"), "2:28", "for a mesh"));
    CHECK(refused(surface("ball: 1, orientation: [1, 1, 0, 0]"), "2:35", "unit quaternion"));
    CHECK(refused(surface("ball: 1, name: ball"), "2:28", "duplicate name 'ball'"));
    CHECK(refused(surface("ball: 1, groups: []"), "2:30", "list of names of groups"));

    const auto contact = [&](const std::string& keys) {
        return one_ball + floor_below + "contact: {" + keys + "}\n";
    };
    CHECK(refused(contact("law: none"), "3:16", "Known are: energetic, moreau, newton, poisson"));
    CHECK(refused(contact("order: none"), "3:18", "Known are: together, in_sequence"));
    CHECK(refused(contact("solver: none"), "3:19", "Known are: exact, sweeps"));
    CHECK(refused(contact("overlaps: none"), "3:21", "Known are: refuse, separate, keep"));
    CHECK(refused(contact("sweeps: 10"), "3:19", "no effect with solver exact"));
    CHECK(refused(contact("tolerance: 0"), "3:22", "tolerance must be positive"));
    CHECK(refused(contact("within: -1"), "3:19", "within must be finite and not negative"));
    CHECK(refused(one_ball + floor_below + "contact: true\n", "3:10", "must be a map"));
    CHECK(refused(on + "run: {integrator: midpoint}\n", "4:19", "use impulsive"));
    CHECK(refused(on + "apart: [[ball, bowl]]\n", "4:16", "there is no body 'bowl'"));
    CHECK(refused(on + "apart: [[ball, ball]]\n", "4:9", "one body twice"));
    CHECK(refused(on + "apart: [ball]\n", "4:9", "list of two bodies"));
}

TEST_CASE("What bodies say of touch is told where it has no effect or no meaning")
{
    const auto body = [](const std::string& keys) {
        return "bodies: [{name: b, mass: 1, " + keys + "}]\n";
    };
    CHECK(refused(body("ball: 1, collides: false"), "1:48", "add 'contact: {}'"));
    CHECK(refused(one_ball + "materials: [{name: m}]\n", "2:12", "no effect"));
    CHECK(
        refused(body("ball: 1, collides: maybe") + "contact: {}\n", "1:48", "true, false or hull"));
    CHECK(refused(body("ball: 1, collides: hull") + "contact: {}\n", "1:48", "only a mesh"));
    CHECK(refused(body("ball: 1, collides: false, groups: [a]") + "contact: {}\n", "1:63",
                  "it does not collide"));
    CHECK(refused(body("inertia: [1, 1, 1], collides: true") + "contact: {}\n", "1:59",
                  "has no shape"));
    CHECK(refused("particles: [{name: p, mass: 1, groups: [a]}]\ncontact: {}\n", "1:40",
                  "without 'radius'"));
    CHECK(refused("particles: [{name: p, mass: 1, radius: 0}]\ncontact: {}\n", "1:40",
                  "greater than zero"));
    CHECK(refused("particles: [{name: p, mass: 1, radius: 1}]\n"
                  "surfaces: [{ball: 1, body: p}]\ncontact: {}\n",
                  "2:28", "no extent"));
    std::string many = "contact: {}\nbodies:\n";
    for (int i = 0; i < 40; ++i)
        many += text_of("  - {name: b", i, ", ball: 1, mass: 1, position: [", 3 * i,
                        ", 0, 0], groups: [g", i, "]}\n");
    CHECK(refused(many, "34:66", "one group too many"));
    CHECK(problems_of(many) == 1);
}

TEST_CASE("A mesh that cannot touch says why")
{
    const Folder folder;
    const auto said = [&](const std::string& keys) {
        return complaint(one_ball + "surfaces: [{" + keys + "}]\ncontact: {}\n", folder.scene());
    };
    CHECK(said("mesh: sheet.obj").empty());
    CHECK(has(said("mesh: flat.obj"), "scene.yaml:2:19: surface 1: 1 face has no area"));
    CHECK(has(said("mesh: none.obj"), "no such file"));
    for (const char* keys : {"mesh: nan.obj", "mesh: nan.obj, hull: true"}) {
        CHECK(has(said(keys), "number"));
        CHECK(!has(said(keys), "no area"));
    }
    CHECK(has(said("mesh: sheet.obj, hull: true"), "one plane"));
    CHECK(has(said("mesh: sheet.obj, scale: [1, 0, 1]"), "other than zero"));
}

TEST_CASE(
    "A body wholly inside a closed mesh is named, though no surfaces meet; in an open one not")
{
    const Folder folder;
    const auto said = [&](const char* mesh, const char* at) {
        return complaint(text_of("bodies: [{name: ball, ball: 0.1, mass: 1, position: ", at,
                                 "}]\nsurfaces: [{name: shell, mesh: ", mesh, "}]\ncontact: {}\n"),
                         folder.scene());
    };
    CHECK(
        has(said("closed.obj", "[0.1, 0, 0.2]"), "one is wholly inside the other, a closed mesh"));
    CHECK(said("closed.obj", "[3, 0, 0.2]").empty());
    CHECK(said("open.obj", "[0.1, 0, 0.2]").empty());
    CHECK(has(said("closed.obj", "[0.95, 0, 0.2]"), "overlap by"));
}

TEST_CASE("Coefficients that no surface has are refused with their range")
{
    const auto said = [](const char* law) {
        return complaint(
            text_of("materials: [{name: m, ", law, "}]\n", one_ball, "contact: {material: m}\n"));
    };
    CHECK(has(said("friction: 1e308"), "must be between 0 and 1000000"));
    CHECK(has(said("static_friction: 1e7"), "must be between 0 and 1000000"));
    CHECK(has(said("rolling: 1e7"), "must be between 0 and 1000000"));
    CHECK(said("friction: 1e3").empty());
}

TEST_CASE("What overlaps at the start is named, and with `separate` moved apart")
{
    const std::string two = "bodies: [{name: a, ball: 0.5, mass: 1, position: [0, 0, 1]},\n"
                            "         {name: b, ball: 0.5, mass: 1, position: [0.9, 0, 1]}]\n";
    CHECK(refused(two + "contact: {}\n", "2:10", "'a' and 'b' overlap by 0.1 m"));
    CHECK(read(two + "contact: {}\napart: [[a, b]]\n").contact);
    CHECK(read(two + "contact: {within: 0.11}\n").contact);
    const Scene scene =
        read(two + "contact: {overlaps: separate}\nrun: {until: 0.1, step: 0.01}\n");
    auto run = Simulation::start(scene.model, scene.run);
    REQUIRE(run);
    while (!run->done())
        REQUIRE(!run->step());
    const Placed placed = run->placed();
    // By the allowed depth, a millionth of the box around a ball.
    CHECK(norm(placed.bodies[1].x - placed.bodies[0].x) >= 1 - 2e-6);
    CHECK(run->ledger().balanced());
}

TEST_CASE("What overlaps at the start and is kept gets no deeper, and is not moved out")
{
    // A ball stands 0.1 m deep in the ground, another is pressed into it from above.
    const std::string deep = "gravity: [0, 0, -10]\n"
                             "bodies: [{name: a, ball: 0.5, mass: 1, position: [0, 0, 0.4]},\n"
                             "         {name: b, ball: 0.5, mass: 1, position: [0, 0, 1.2]}]\n"
                             "surfaces: [{name: ground, half_space: true}]\n";
    CHECK(has(complaint(deep + "contact: {}\n"), "'overlaps: keep'"));
    for (const char* integrator : {"impulsive", "runge_kutta4"}) {
        const Scene scene =
            read(deep + text_of("contact: {overlaps: keep}\nrun: {until: 0.1, step: 0.01, "
                                "integrator: ",
                                integrator, "}\n"));
        CHECK(write_scene(scene).find("overlaps: keep") != std::string::npos);
        auto run = Simulation::start(scene.model, scene.run);
        REQUIRE(run);
        while (!run->done())
            REQUIRE(!run->step());
        const Placed placed = run->placed();
        CHECK(near(placed.bodies[0].x.z, 0.4, 1e-10));
        CHECK(near(placed.bodies[1].x.z, 1.2, 1e-10));
        CHECK(run->ledger().balanced());
    }
}

TEST_CASE("More pairs that overlap than can be solved for in a step are refused, not begun")
{
    const auto balls = [](int count) {
        std::string text = "bodies:\n";
        for (int i = 0; i < count; ++i)
            text += text_of("  - {name: b", i, ", ball: 1, mass: 1}\n");
        return text;
    };
    for (const char* how : {"separate", "keep"})
        CHECK(has(complaint(balls(1000) + text_of("contact: {overlaps: ", how, "}\n")),
                  "more than 5000 pairs overlap at the start"));
    const char* springs = "contact: {response: penalty, overlaps: separate}\n";
    CHECK(has(complaint(balls(1000) + springs), "more than 100000 pairs overlap at the start"));
    CHECK(read(balls(400) + springs).contact);
}

TEST_CASE("How much may overlap goes by the rows that one dense matrix of the method takes")
{
    const char* reduced = "run: {until: 1, step: 0.001, formulation: reduced}\n";
    CHECK(has(complaint(boxes_in_one_place(12) + reduced), "more than 400 rows together"));
    CHECK(has(complaint(boxes_in_one_place(12) + reduced), "in maximal coordinates"));
    CHECK(read(boxes_in_one_place(6) + reduced).contact);
    const char* events = "run: {until: 1, step: 0.001, integrator: runge_kutta4}\n";
    CHECK(has(complaint(boxes_in_one_place(40) + events), "more than 3000 rows together"));
    CHECK(read(boxes_in_one_place(12) + events).contact);
    CHECK(read(boxes_in_one_place(40) + "run: {until: 1, step: 0.001}\n").contact);
}

TEST_CASE("More rows than a dense matrix takes end a run with a sentence, not with its memory")
{
    const Scene scene = read(boxes_in_one_place(40) + "run: {until: 1, step: 0.001}\n");
    RunSettings reduced = scene.run, events = scene.run;
    reduced.step.formulation = Formulation::reduced;
    events.step.method = Method::runge_kutta4;
    for (const RunSettings& settings : {reduced, events}) {
        auto run = Simulation::start(scene.model, settings);
        REQUIRE(run);
        const auto ended = run->step();
        REQUIRE(ended);
        CHECK(has(*ended, "step 1: what binds and touches has more than 4000 rows together"));
        CHECK(run->time() == 0);
    }
}

TEST_CASE("A long solution within one step ends when it is asked to, and the state is the last one")
{
    const Scene scene = read(boxes_in_one_place(12) + "run: {until: 1, step: 0.001}\n");
    RunSettings settings = scene.run;
    settings.step.formulation = Formulation::reduced; // 792 rows by Newton's method: 0.3 s
    auto run = Simulation::start(scene.model, settings);
    REQUIRE(run);
    std::atomic<bool> stop = false;
    run->interrupt_by(&stop);
    const std::clock_t began = std::clock();
    std::thread signal([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        stop = true;
    });
    const auto ended = run->step();
    signal.join();
    REQUIRE(ended);
    CHECK(has(*ended, "interrupted"));
    CHECK(run->interrupted());
    CHECK(run->time() == 0);
    CHECK(std::clock() - began < 15 * CLOCKS_PER_SEC); // a step of Newton's takes two seconds
}

TEST_CASE("A thousand bodies in one place are told in a few lines and soon")
{
    std::string text = "contact: {}\nbodies:\n";
    for (int i = 0; i < 1000; ++i)
        text += text_of("  - {name: b", i, ", box: [1, 1, 1], mass: 1}\n");
    const std::clock_t began = std::clock();
    const std::string said = complaint(text);
    CHECK(std::clock() - began < 10 * CLOCKS_PER_SEC);
    CHECK(problems_of(text) == 11);
    CHECK(has(said, "'b0' and 'b1' overlap by 1 m"));
    CHECK(has(said, "more than 990 other pairs overlap at the start"));
}

TEST_CASE("Ten thousand bodies side by side are read without delay")
{
    std::string text = "contact: {}\nbodies:\n";
    for (int i = 0; i < 10000; ++i)
        text += text_of("  - {name: b", i, ", box: [1, 1, 1], mass: 1, position: [", i % 100, ", ",
                        i / 100, ", 0]}\n");
    const std::clock_t began = std::clock();
    const Scene scene = read(text); // faces touch, and nothing overlaps
    CHECK(std::clock() - began < 10 * CLOCKS_PER_SEC);
    CHECK(scene.model->skins().size() == 10000);
    const std::clock_t looked = std::clock();
    CHECK(overlaps_at_start(*scene.model, 1e-6).count == 0);
    CHECK(std::clock() - looked < 2 * CLOCKS_PER_SEC);
}

TEST_CASE("What touched in the last step is known to those who ask")
{
    const Scene scene = read("gravity: [0, 0, -10]\n"
                             "bodies: [{name: ball, ball: 0.5, mass: 2, position: [0, 0, 0.5]}]\n" +
                             floor_below + "contact: {}\nrun: {until: 1, step: 0.01}\n");
    auto run = Simulation::start(scene.model, scene.run);
    REQUIRE(run);
    CHECK(run->touches().empty());
    for (int i = 0; i < 5; ++i)
        REQUIRE(!run->step());
    REQUIRE(run->touches().size() == 1);
    const TouchRecord& touch = run->touches()[0];
    // The weight for a step, on b, which the normal points to.
    const double up =
        scene.model->skins()[static_cast<std::size_t>(touch.b)].body == world ? -1 : 1;
    CHECK(near(up * touch.impulse.z, 0.2, 1e-12));
}

TEST_CASE("Penalty contact is read, written and read again")
{
    const std::string stuff = "materials: [{name: default, restitution: 0.5, young_modulus: 2e6, "
                              "poisson_ratio: 0.4, contact_radius: 0.01}]\n";
    const Scene hertz = read(one_ball + floor_below + stuff +
                             "contact: {response: penalty, law: hunt_crossley, impact_speed: 2}\n");
    const ContactSettings& contact = hertz.run.step.contact;
    CHECK(contact.response == ContactResponse::penalty);
    CHECK(contact.press == PressSettings{PressLaw::hunt_crossley, 20, 2});
    CHECK(hertz.description.materials[0].young_modulus == 2e6);
    CHECK(hertz.description.materials[0].poisson_ratio == 0.4);
    CHECK(hertz.description.materials[0].contact_radius == 0.01);
    CHECK(hertz.run.step.method == Method::splitting);
    const Scene again = read(write_scene(hertz));
    CHECK(write_scene(again) == write_scene(hertz));
    CHECK(again.run.step.contact.press == contact.press);
    CHECK(again.description.materials[0].contact_radius == 0.01);
    for (const char* text :
         {"{response: penalty, steps: 12}", "{response: penalty, law: spring}"}) {
        const Scene spring = read(one_ball + floor_below + "contact: " + text + "\n");
        CHECK(write_scene(read(write_scene(spring))) == write_scene(spring));
    }
    // Where it is left out nothing has changed.
    CHECK(read(one_ball + "contact: {}\n").run.step.method == Method::impulsive);
}

TEST_CASE("What penalty contact does not know is told where it stands")
{
    const std::string scene = one_ball + floor_below;
    const auto with = [&](const std::string& contact, const std::string& material = "") {
        return scene + "contact: {response: " + contact + "}\n" +
               (material.empty() ? "" : "materials: [{name: default, " + material + "}]\n");
    };
    CHECK(refused(with("springs"), "3:21", "Known are: impulsive, penalty"));
    CHECK(refused(with("penalty, law: energetic"), "3:35", "Known are: spring, hertz"));
    CHECK(refused(with("impulsive, law: hertz"), "3:37", "Known are: energetic"));
    CHECK(refused(with("impulsive, steps: 9"), "3:39", "no effect with response impulsive"));
    for (const char* key : {"order: together", "solver: exact", "sweeps: 9", "tolerance: 1",
                            "continuous: true", "ahead: true", "within: 1"})
        CHECK(
            refused(with(std::string("penalty, ") + key), "3", "no effect with response penalty"));
    CHECK(refused(with("penalty, impact_speed: 9"), "3:44", "no effect with law spring"));
    CHECK(refused(with("penalty, law: hertz, steps: 9", "young_modulus: 1e9"), "3:49",
                  "no effect with law hertz"));
    CHECK(refused(with("penalty, steps: 2"), "3:37", "4 steps or more"));
    CHECK(refused(with("penalty, steps: 5"), "3:37", "let them last 10 or more"));
    CHECK(
        refused(with("penalty, law: hertz"), "3:35", "needs young_modulus of material 'default'"));
    CHECK(refused(with("penalty, law: hunt_crossley", "young_modulus: 1e9"), "3:35",
                  "restitution above 0"));
    CHECK(refused(
        with("penalty, law: hunt_crossley, impact_speed: 0", "young_modulus: 1e9, restitution: 1"),
        "3:64", "impact_speed must be positive"));
    CHECK(refused(with("penalty", "rolling: 0.1"), "4:38", "no effect with response penalty"));
    CHECK(refused(with("penalty", "young_modulus: 1e9"), "4:44", "no effect with law spring"));
    CHECK(refused(with("impulsive", "young_modulus: 1e9"), "4:44",
                  "no effect with response impulsive"));
    CHECK(refused(with("penalty, law: hertz", "young_modulus: 1e9, restitution: 1"), "4:62",
                  "no effect with law hertz"));
    CHECK(refused(with("penalty, law: hertz", "young_modulus: 0"), "4:44", "greater than zero"));
    CHECK(refused(with("penalty, law: hertz", "young_modulus: 1e9, poisson_ratio: 0.6"), "4:64",
                  "at most 0.5"));
    CHECK(refused("bodies: [{name: box, box: [1, 1, 1], mass: 1, position: [0, 0, 1]}]\n" +
                      floor_below +
                      "contact: {response: penalty, law: hertz}\n"
                      "materials: [{name: default, young_modulus: 1e9}]\n",
                  "3:35", "'box' and 'ground' meet flat on flat"));
    for (const char* method : {"explicit_euler", "midpoint"})
        CHECK(refused(with("penalty") + "run: {integrator: " + method + "}\n", "4:19",
                      "use symplectic_euler, splitting"));
}
