// SPDX-License-Identifier: MIT
// Cuts in scene files, and what lets go by them.

#include "refused.hpp"

using namespace poinsot;

namespace {

const std::string mast =
    "bodies:\n  - {name: mast, box: [0.1, 0.1, 3], mass: 30}\n"
    "  - {name: top, box: [1, 1, 1], mass: 5, position: [0, 0, 2]}\n"
    "joints: [{name: glue, type: weld, bodies: [mast, top], at: [0, 0, 1.5]}]\n";
std::string cut(const std::string& keys)
{
    return mast + "cuts: [{name: seam, " + keys + "}]\n";
}

} // namespace

TEST_CASE("Cuts are read as written, and written and read again to the same bits")
{
    const Scene scene = scene_from(
        mast + "cuts:\n  - {name: seam, joint: glue, tension: 5, bending: 7}\n"
               "  - {name: middle, body: mast, at: [0, 0, 0.5], axis: [0, 0, 1], shear: 9}\n"
               "events: [{name: snap, when_over: seam, release: glue}]\n");
    const auto& cuts = scene.model->cuts();
    REQUIRE(cuts.size() == 2);
    CHECK(cuts[0].of == Cut::Of::joint);
    CHECK(cuts[0].strength.tension == 5);
    CHECK(cuts[0].strength.bending == 7);
    CHECK(std::isinf(cuts[0].strength.shear));
    CHECK(near(cuts[1].beyond.mass, 10, 1e-13)); // a third of the mast
    CHECK(near(cuts[1].beyond.center.z, 1, 1e-13));
    REQUIRE(scene.model->releases().size() == 1);
    CHECK(scene.model->releases()[0].when_over == 0);
    const Scene again = scene_from(write_scene(scene));
    CHECK(identity_of(again) == identity_of(scene));
    CHECK(again.model->cuts()[1].beyond == cuts[1].beyond);
}

TEST_CASE("A body that breaks is two bodies, a weld and what lets it go, and is written as these")
{
    const Scene scene = scene_from(
        cut("body: mast, at: [0, 0, 0.5], axis: [0, 0, 1], bending: 7, breaks: upper") +
        "springs: [{name: stay, from: {body: mast, at: [0, 0, 1.4]}, to: {world: [3, 0, 0]}, "
        "stiffness: 10}]\n");
    const Model& model = *scene.model;
    REQUIRE(model.bodies().size() == 3);
    CHECK(model.bodies()[2].name == "upper");
    CHECK(near(model.bodies()[0].mass_properties.mass, 20, 1e-14));
    CHECK(near(model.bodies()[2].mass_properties.mass, 10, 1e-13));
    CHECK(near(std::get<Box>(model.bodies()[2].shape).size.z, 1, 1e-14));
    CHECK(near(model.bodies()[2].pose.x.z, 1, 1e-14));
    CHECK(model.springs()[0].a.body == 2);
    CHECK(near(model.springs()[0].a.point.z, 0.4, 1e-13));
    CHECK(model.joints()[0].a == 2); // the top is glued to what breaks off
    REQUIRE(model.joints().size() == 2);
    CHECK(model.joints()[1].name == "upper/root");
    REQUIRE(model.releases().size() == 1);
    CHECK(model.releases()[0].name == "upper/breaks");
    CHECK(model.cuts()[0].of == Cut::Of::joint);
    const Scene again = scene_from(write_scene(scene));
    CHECK(identity_of(again) == identity_of(scene));

    const std::string here = "body: mast, at: [0, 0, 0.5], axis: [0, 0, 1], ";
    is_refused(cut(here + "breaks: upper"), "f:5", "give it a limit");
    is_refused(cut(here + "bending: 1, breaks: top"), "f:5", "names must be unique");
    is_refused(cut("joint: glue, bending: 1, breaks: upper"), "f:5", "is for a body");
    is_refused(cut(here + "bending: 1, breaks: upper") + "drag: [{body: mast, linear: 1}]\n", "f:5",
               "which part drag");
    is_refused(cut(here + "bending: 1, breaks: upper") +
                   "rotors: [{name: fan, body: mast, axis: [0, 0, 1], inertia: 0.01}]\n",
               "f:5", "which part rotor 'fan'");
    is_refused(cut(here + "bending: 1, breaks: upper") +
                   "tanks: [{name: fuel, body: mast, content: 1, capacity: 2, at: [0, 0, 0.2], "
                   "box: [0.05, 0.05, 0.5]}]\n",
               "f:5", "goes through tank 'fuel' at");
    is_refused(cut(here + "shear: 9") +
                   "tanks: [{name: fuel, body: mast, content: 1, capacity: 2, at: [0, 0, 0.2], "
                   "box: [0.05, 0.05, 0.5]}]\n",
               "f:5", "goes through tank 'fuel' at");
}

TEST_CASE("Tanks, rotors and drag of a body that breaks go with the part that they are in")
{
    const Scene scene = scene_from(
        cut("body: mast, at: [0, 0, 0.5], axis: [0, 0, 1], bending: 7, breaks: upper") +
        "drag: [{name: flag, body: mast, linear: 1, at: [0, 0, 1.2]}]\n"
        "rotors: [{name: fan, body: mast, axis: [0, 0, 1], inertia: 0.001, spin: 9, at: [0, 0, "
        "1]}]\n"
        "tanks:\n"
        "  - {name: low, body: mast, content: 1, at: [0, 0, -1]}\n"
        "  - {name: high, body: mast, content: 1, at: [0, 0, 1.4]}\n"
        "thrusters:\n"
        "  - {name: jet, tank: high, at: [0, 0.05, 1.2], direction: [0, 1, 0], exhaust_speed: 5, "
        "mass_flow: 0.1}\n"
        "dumps: [{name: drain, tank: low, at: [0, 0, -1.5], mass_flow: 0.1}]\n");
    const Model& model = *scene.model;
    REQUIRE(model.bodies().size() == 3);
    CHECK(model.drags()[0].body == 2);
    CHECK(near(model.drags()[0].point->z, 0.2, 1e-13)); // the middle of the upper part is at 1 m
    CHECK(model.rotors()[0].body == 2);
    CHECK(near(model.rotors()[0].at->z, 0, 1e-13, 1));
    CHECK(model.tanks()[0].body == 0);
    CHECK(near(model.tanks()[0].frame.x.z, -0.5, 1e-13)); // of the lower at -0.5 m
    CHECK(model.tanks()[1].body == 2);
    CHECK(near(model.tanks()[1].frame.x.z, 0.4, 1e-13));
    CHECK(near(model.flows()[0].point.z, 0.2, 1e-13));
    CHECK(near(model.flows()[1].point.z, -1, 1e-13));
    const Scene again = scene_from(write_scene(scene));
    CHECK(identity_of(again) == identity_of(scene));
}

TEST_CASE("Surfaces of a body that breaks are shared out, and what touches is written as read")
{
    const std::string touching = "contact: {}\n"
                                 "materials: [{name: steel, friction: 0.3}]\n"
                                 "surfaces:\n"
                                 "  - {name: ground, half_space: true, position: [0, 0, -2]}\n"
                                 "  - {name: shoe, body: mast, box: [0.3, 0.3, 0.1], material: "
                                 "steel, position: [0, 0, -1.4]}\n"
                                 "  - {name: sleeve, body: mast, cylinder: {radius: 0.1, height: "
                                 "1}, position: [0, 0, 0.6]}\n";
    const std::string breaks =
        cut("body: mast, at: [0, 0, 0.5], axis: [0, 0, 1], bending: 7, breaks: upper");
    const Scene scene = scene_from(breaks + touching);
    const auto& skins = scene.model->skins();
    std::vector<std::string> names;
    for (const Skin& skin : skins)
        names.push_back(skin.name);
    CHECK(names == std::vector<std::string>{"mast", "top", "upper", "ground", "shoe", "sleeve",
                                            "sleeve/upper"});
    CHECK(skins[0].body == 0);
    CHECK(near(skins[0].collider.bounds().size().z, 2, 1e-12));
    CHECK(skins[2].body == 2);
    CHECK(near(skins[2].collider.bounds().size().z, 1, 1e-12));
    CHECK(skins[4].body == 0);
    CHECK(near(skins[4].pose.x.z, -0.9, 1e-12)); // the middle of the lower part is at -0.5 m
    CHECK(skins[5].body == 0);
    CHECK(near(skins[5].collider.bounds().size().z, 0.4, 1e-12));
    CHECK(skins[6].body == 2);
    CHECK(near(skins[6].pose.x.z, -0.2, 1e-12));
    const Scene again = scene_from(write_scene(scene));
    CHECK(identity_of(again) == identity_of(scene));
    // What was joined to the whole, and its parts, stay apart: nothing overlaps at the start.
    CHECK(scene.model->skins_apart().size() >= 3);

    // Where there are no others, nothing stands behind what lies beyond.
    const Scene bare = scene_from(breaks + "contact: {}\n");
    names.clear();
    for (const Skin& skin : bare.model->skins())
        names.push_back(skin.name);
    CHECK(names == std::vector<std::string>{"mast", "top", "upper"});
    CHECK(bare.skins.size() == 3);
    CHECK(near(bare.model->skins()[2].collider.bounds().size().z, 1, 1e-12));
    CHECK(identity_of(scene_from(write_scene(bare))) == identity_of(bare));
    const Scene twice = scene_from(
        mast + "cuts:\n"
               "  - {name: low, body: mast, at: [0, 0, -0.5], axis: [0, 0, 1], bending: 7, breaks: "
               "middle}\n"
               "  - {name: seam, body: mast, at: [0, 0, 0.5], axis: [0, 0, 1], bending: 7, breaks: "
               "upper}\n"
               "contact: {}\nsurfaces: [{name: ground, half_space: true, position: [0, 0, -2]}]\n");
    names.clear();
    for (const Skin& skin : twice.model->skins())
        names.push_back(skin.name);
    CHECK(names == std::vector<std::string>{"mast", "top", "middle", "upper", "ground"});
    CHECK(identity_of(scene_from(write_scene(twice))) == identity_of(twice));

    is_refused(breaks + "contact: {}\nsurfaces: [{name: knob, body: mast, ball: 0.2, position: [0, "
                        "0, 0.5]}]\n",
               "f:5", "goes through surface 'knob'");
}

TEST_CASE("A body with several cuts breaks at each, and is written and read again")
{
    const std::string cuts =
        mast + "cuts:\n"
               "  - {name: low, body: mast, at: [0, 0, -0.5], axis: [0, 0, 1], bending: 9, breaks: "
               "rest}\n"
               "  - {name: high, body: mast, at: [0, 0, 1], axis: [0, 0, 1], shear: 5, breaks: "
               "tip}\n"
               "  - {name: seen, body: mast, at: [0, 0, 0.5], axis: [0, 0, -1]}\n";
    const Scene scene = scene_from(cuts);
    const Model& model = *scene.model;
    REQUIRE(model.bodies().size() == 4);
    const double masses[] = {10, 5, 15, 5};
    for (std::size_t i = 0; i < 4; ++i)
        CHECK(near(model.bodies()[i].mass_properties.mass, masses[i], 1e-12));
    CHECK(model.bodies()[2].name == "rest");
    CHECK(model.bodies()[3].name == "tip");
    CHECK(model.joints()[0].a == 3); // the top
    CHECK(model.cuts()[2].index == 2);
    CHECK(near(model.cuts()[2].beyond.mass, 10, 1e-12)); // down to where the mast breaks
    CHECK(model.releases().size() == 2);
    CHECK(identity_of(scene_from(write_scene(scene))) == identity_of(scene));
    is_refused(mast + "cuts:\n"
                      "  - {name: low, body: mast, at: [0, 0, -0.5], axis: [0, 0, 1], bending: 9, "
                      "breaks: rest}\n"
                      "  - {name: askew, body: mast, at: [0, 0, 1], axis: [0, 0.1, 1]}\n",
               "f:6", "meets that of cut 'askew'");
}

TEST_CASE("Cuts that are wrong are named with their place and a remedy")
{
    is_refused(cut("joint: glue, bending: 0"), "f:5", "bending must be greater than zero");
    is_refused(cut("body: mast, at: [0, 0, 5], axis: [0, 0, 1]"), "f:5", "must be a part of it");
    is_refused(cut("body: mist, at: [0, 0, 1], axis: [0, 0, 1]"), "f:5", "no body 'mist'");
    is_refused(cut("joint: glue, at: [0, 0, 1]"), "f:5", "has no effect");
    is_refused(cut("joint: nothing"), "f:5", "there is no joint 'nothing'");
    is_refused(cut("shear: 2"), "f:5", "one thing to cut");
    is_refused(cut("joint: glue, body: mast"), "f:5", "one thing to cut");
    is_refused(cut("joint: glue") + "events: [{when_over: stem, release: glue}]\n", "f:6",
               "there is no cut 'stem'");
    is_refused(cut("joint: glue") + "events: [{at: 1, when_over: seam, release: glue}]\n", "f:6",
               "needs a moment");
}
