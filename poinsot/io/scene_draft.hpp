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

class SceneDraft {
  public:
    SceneDraft(SceneText& text, const YamlNode& root) : text(text), root(text, root, "the scene") {}

    SceneText& text;
    const Value root;
    Scene scene;

    // Where things stand: those of the description in its order, and the settings where given.
    std::vector<Value> bodies, springs, drags, loads;
    std::optional<Value> gravity, run, ledger;
    std::optional<Value> tolerance; // where it has to have a use
    bool chose_integrator = false;

    /// An item of a list by its name, or by its number where it has none: "spring 'strut'",
    /// "spring 2".
    Value item(const YamlNode& node, std::string_view kind, std::size_t number) const;
    /// The name of an item, which nothing else has. One that needs none is given one, so that
    /// problems and files can speak of it. Empty after a problem.
    std::string name_of(Fields& item, const char* kind, bool needed);

    void keep_body(const Value& at, Body body);
    /// The index of a body; `world` after a problem.
    int body_named(const Value& name) const;
    Vec3<double> center_of(int body) const; // in its frame; zero of the world

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
};

void read_gravity(SceneDraft& draft, const Value& value);
void read_body(SceneDraft& draft, const YamlNode& node);
void read_mass(Fields& body_fields, Body& body);
void read_particle(SceneDraft& draft, const YamlNode& node);
void read_spring(SceneDraft& draft, const YamlNode& node);
void read_drag(SceneDraft& draft, const YamlNode& node);
void read_load(SceneDraft& draft, const YamlNode& node);
void read_run(SceneDraft& draft, const Value& value);
void read_ledger(SceneDraft& draft, const Value& value);
void read_output(SceneDraft& draft, const Value& value);

/// Do the settings fit each other and the model? Without one they are tried with another.
void check_settings(SceneDraft& draft);

} // namespace poinsot
