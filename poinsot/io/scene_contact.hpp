// SPDX-License-Identifier: MIT
#pragma once

// Reads what of a scene touches: how it is answered, materials and who meets whom
// (scene_contact.cpp), and the skins of bodies, robots and surfaces (scene_skin.cpp).

#include "poinsot/io/scene_draft.hpp"

#include <map>

namespace poinsot {

class ContactReader {
  public:
    explicit ContactReader(SceneDraft& draft)
        : draft_(draft), scene_(draft.scene), d_(draft.scene.description)
    {
        group_["default"] = 0;
    }

    void read_settings(const Value& value);
    void read_material(const YamlNode& node);
    void choose_default(); // after the materials
    void read_pair(const YamlNode& node);
    void read_bodies();
    void read_robots();
    void read_surface(const YamlNode& node);
    void read_apart(const YamlNode& node);

  private:
    using Source = Scene::SkinSource;

    void read_press(Fields& f, PressSettings& press) const;
    void read_law(Fields& f, ContactLaw& law) const;
    void read_elasticity(Fields& f, Material& material) const;
    /// A key that says nothing with the chosen response or law.
    void idle(Fields& f, const char* key, std::string_view with) const;
    /// The material that a thing names, or else the one of what names none; after a problem, any.
    int material_of(const std::optional<Value>& name);
    int undeclared_material();
    std::optional<int> material_named(const Value& name);
    std::uint32_t groups_of(const Value& list);
    Filter filter_of(const TouchKeys& keys);
    /// true, false, or the hull.
    struct Collides {
        bool at_all, hull;
    };
    Collides collides_of(const std::optional<Value>& value) const;
    void no_effect(const TouchKeys& keys, const std::string& why) const;

    /// A mesh file beside the scene, read once; none after a problem.
    const Surface* mesh_of(const Value& at, const std::string& path);
    std::optional<Collider> collider_of_source(const Value& at, const Source& source,
                                               double margin);
    void keep(const Value& at, Skin skin, Source source);

    SceneDraft& draft_;
    Scene& scene_;
    Builder& d_;
    std::map<std::string, int> material_;
    std::map<std::string, int> group_;
    bool too_many_groups_ = false;
    std::optional<Value> default_material_;
    std::optional<int> default_; // none: the one that need not be declared
    std::map<std::string, std::optional<Surface>> meshes_;
    std::size_t pairs_ = 0, surfaces_ = 0, apart_ = 0; // so far
};

} // namespace poinsot
