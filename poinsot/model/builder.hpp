// SPDX-License-Identifier: MIT
#pragma once

// The one way to make a model. It takes any description and reports every problem it finds.

#include "poinsot/base/result.hpp"
#include "poinsot/model/model.hpp"

namespace poinsot {

class Builder {
  public:
    std::vector<Body> bodies;
    Gravity gravity;
    std::vector<Spring> springs;
    std::vector<Bushing> bushings;
    std::vector<Drag> drags;
    std::vector<AppliedLoad> loads;
    Planet planet;
    Air air;
    std::vector<Aerodynamics> aerodynamics;
    std::vector<Control> controls;
    std::vector<Tank> tanks;
    std::vector<Flow> flows;
    std::vector<Release> releases;
    std::vector<Rotor> rotors;
    std::vector<Cut> cuts;
    std::vector<Joint> joints;
    std::vector<Gear> gears;
    std::vector<Material> materials; // the first is that of skins which say nothing else
    std::vector<MaterialPair> material_pairs;
    std::vector<Skin> skins;
    std::vector<Apart> apart;

    /// Adds a body and returns its index. (A beam: model/beam.hpp.)
    int add(Body body);
    int add(Joint joint);
    int add(Material material);
    int add(Skin skin);
    /// A point mass at x moving with v.
    int add_particle(std::string name, double mass, const Vec3<double>& x, const Vec3<double>& v);

    Result<Model> build() const;

  private:
    /// Those that let go are rows in either formulation.
    std::vector<Joint> joints_as_bound() const;
    void load_tanks(Model& model) const;
};

} // namespace poinsot
