// SPDX-License-Identifier: MIT
#pragma once

// A scene while it is read: what is known of it so far, and where each of its things stands in the
// file. The readers of the parts fill it, each in a file of its own; scene.cpp calls them and
// builds.
//
// Another kind of thing needs its keys in scene_keys.cpp, a reader here that names every item by
// `item` and keeps it beside the description, and its list in `build` of scene.cpp.

#include "poinsot/io/scene.hpp"
#include "poinsot/io/scene_fields.hpp"

#include <map>

namespace poinsot {

/// What a body, a particle or a robot says of touch, as far as it says anything.
struct TouchKeys {
    std::optional<Value> collides, radius, material, groups, meets;
};

/// Those that all of them may have.
inline TouchKeys touch_keys(Fields& f)
{
    return {{}, {}, f.find("material"), f.find("groups"), f.find("meets")};
}

/// Collision geometry that a robot brings along.
struct RobotSkin {
    std::string name;
    Value at; // the robot
    TouchKeys keys;
    int body;
    Pose<double> pose; // in its frame, or in the world
    Shape shape;       // the path of a mesh is from the folder of the scene
    Vec3<double> scale;
};

class SceneDraft {
  public:
    SceneDraft(SceneText& text, const YamlNode& root) : text(text), root(text, root, "the scene") {}

    SceneText& text;
    const Value root;
    Scene scene;

    // Where things stand: those of the description in its order, and the settings where given.
    std::vector<Value> bodies, robots, springs, beams, bushings, drags, loads, gusts, aerodynamics,
        controls, rotors, tanks, flows, joints, gears, cuts, events;
    std::vector<TouchKeys> touch; // per body
    std::vector<Value> skins, materials, pairs;
    std::vector<RobotSkin> robot_skins;
    bool touches = false;              // the scene has `contact`
    std::vector<TouchKeys> idle_touch; // of robots in a scene without
    std::optional<Value> gravity, planet, air, run, ledger, contact;
    std::optional<Value> energy_tolerance;
    std::optional<Value> tolerance; // where it has to have a use
    std::optional<Value> stabilisation, baumgarte_time, baumgarte_damping;
    std::vector<bool> kind_known;        // per joint: is it a joint at all?
    std::vector<std::size_t> unmeasured; // distance joints as long as they are at the start
    std::vector<std::pair<std::size_t, std::string>>
        breaking; // cuts of bodies, and what breaks off

    /// An item of a list by its name, or by its number where it has none: "spring 'strut'",
    /// "spring 2".
    Value item(const YamlNode& node, std::string_view kind, std::size_t number) const;
    /// The name of an item, which nothing else has. One that needs none is given one, so that
    /// problems and files can speak of it. Empty after a problem.
    std::string name_of(Fields& item, const char* kind, bool needed);

    /// Takes up a name that comes from another file; a problem if something here has it.
    void take_name(const Value& at, const char* kind, const std::string& name);
    /// A robot that could not be read: what speaks of its parts is not told that there are none.
    void doubt(const std::string& robot) { doubtful_.insert(robot); }

    void keep_body(const Value& at, Body body, TouchKeys keys = {});
    /// The index of a body; `world` after a problem.
    int body_named(const Value& name) const;
    Vec3<double> center_of(int body) const; // in its frame; zero of the world
    /// The index of a body, or `world` by that name; none after a problem.
    std::optional<int> body_or_world(const Value& name) const;
    void keep_joint(const Value& at, Joint joint, bool known);
    /// The index of a bushing or a cut; none after a problem.
    std::optional<int> bushing_named(const Value& name) const;
    std::optional<int> cut_named(const Value& name) const;
    std::optional<int> control_named(const Value& name) const;
    /// The index of a joint; none after a problem.
    std::optional<int> joint_named(const Value& name) const;

    void keep_tank(const Value& at, Tank tank);
    /// A tank or control that could not be kept: what speaks of it is not told that there is none.
    void doubt_tank(const std::string& name) { doubtful_.insert(name); }
    /// The index of a tank; none after a problem.
    std::optional<int> tank_named(const Value& name) const;

    /// Problems of what the file describes, each told where its thing and key are written. `places`
    /// has the things by the name that problems give them. What the reader found wrong itself is
    /// not told again.
    void tell(const Problems& problems, const std::map<std::string, Value>& places);

  private:
    struct Named {
        std::string kind; // "body", "spring", …
        int line;
    };
    std::map<std::string, Named> names_; // of everything that has one
    std::map<std::string, int> given_;   // how many names were given to a kind that has none
    std::map<std::string, int> index_;   // of bodies, by name
    std::map<std::string, int> joint_index_, tank_index_;

    std::set<std::string> doubtful_; // robots, tanks and controls

    std::optional<int> look_up(const std::map<std::string, int>& index, const Value& name,
                               const char* one, const char* many) const;
};

/// How something starts: the pose of its frame, the velocity of a point of it, world axes.
struct Start {
    Pose<double> pose = identity_pose<double>();
    Vec3<double> velocity = zero3<double>(), angular_velocity = velocity;
};
/// By position, orientation and velocities, in the world or `relative_to` a body, or by a `flight`
/// over the planet. `center` is the point in its frame whose velocity is told.
Start read_start(SceneDraft& draft, Fields& f, const Vec3<double>& center, bool turns);
/// None after a problem with the planet; `spun`: an angular velocity is told beside it.
std::optional<Start> read_flight(SceneDraft& draft, const Value& value, const Vec3<double>& center,
                                 bool turns, bool spun);
void read_gravity(SceneDraft& draft, const Value& value);
void read_body(SceneDraft& draft, const YamlNode& node);
void read_mass(Fields& body_fields, Body& body);
/// The one shape that a thing has, and where it is written.
struct GivenShape {
    Shape shape;
    Value at;
};
std::optional<GivenShape> read_shape(Fields& f);
Quat<double> read_orientation(const Value& value);
void read_robot(SceneDraft& draft, const YamlNode& node);
void read_particle(SceneDraft& draft, const YamlNode& node);
void read_spring(SceneDraft& draft, const YamlNode& node);
void read_drag(SceneDraft& draft, const YamlNode& node);
void read_load(SceneDraft& draft, const YamlNode& node);
void read_planet(SceneDraft& draft, const Value& value);
void read_air(SceneDraft& draft, const Value& value);
void read_aerodynamics(SceneDraft& draft, const YamlNode& node);
/// What a pilot sets, and the slopes of a coefficient by it.
void read_control(SceneDraft& draft, const YamlNode& node);
void read_slopes(const SceneDraft& draft, const Value& value, Coefficient& c);
void read_rotor(SceneDraft& draft, const YamlNode& node);
/// Axes of the world: z along `axis`, x along `second_axis` if there is one.
Quat<double> read_axes(const std::optional<Value>& axis, const std::optional<Value>& second_axis);
Pose<double> read_frame(const Value& value);
/// A frame of the world, given in a body.
Pose<double> seen_from(const SceneDraft& draft, int body, const Pose<double>& frame);
void read_beam(SceneDraft& draft, const YamlNode& node);
void read_bushing(SceneDraft& draft, const YamlNode& node);
void read_tank(SceneDraft& draft, const YamlNode& node);
/// Thrusters, dumps, pumps and inlets.
void read_flows(SceneDraft& draft, Fields& scene);
void read_joint(SceneDraft& draft, const YamlNode& node);
void read_gear(SceneDraft& draft, const YamlNode& node);
void read_cut(SceneDraft& draft, const YamlNode& node);
/// Makes two of each body that breaks, where all else is well.
void break_bodies(SceneDraft& draft);
Sym3<double> read_inertia(const Value& value);
void read_event(SceneDraft& draft, const YamlNode& node);
/// What acts along one coordinate; the first key that is given, if any.
std::optional<Value> read_law(Fields& f, bool angle, CoordinateLaw& law);
/// An angle in radians or degrees, or a length.
double read_amount(const Value& value, bool angle, double otherwise = 0);
/// A number, or a function of time, of such amounts.
Course read_course(const Value& value, bool angle);
/// Gives distance joints without a length the one they have when the joints of the tree are where
/// they start.
void measure_lengths(SceneDraft& draft);
/// What touches: materials, surfaces, and what the bodies say of it.
void read_contact(SceneDraft& draft, Fields& scene);
/// Finds what is inside something else at the start, where the scene does not allow it.
void check_overlaps(SceneDraft& draft);
void read_run(SceneDraft& draft, const Value& value);
void read_ledger(SceneDraft& draft, const Value& value);
void read_output(SceneDraft& draft, const Value& value);

/// Do the settings fit each other and the model? Without one they are tried with another.
void check_settings(SceneDraft& draft);

} // namespace poinsot
