// SPDX-License-Identifier: MIT
#pragma once

// The frozen description, shared by all worlds and threads. Only a Builder makes one.

#include "poinsot/model/assemble.hpp"
#include "poinsot/model/body_mass.hpp"
#include "poinsot/model/bushing.hpp"
#include "poinsot/model/contact.hpp"
#include "poinsot/model/cut.hpp"
#include "poinsot/model/flight.hpp"
#include "poinsot/model/release.hpp"
#include "poinsot/model/rotor.hpp"
#include "poinsot/model/tank.hpp"

#include <vector>

namespace poinsot {

class Model {
  public:
    const std::vector<Body>& bodies() const { return bodies_; }
    /// As the bodies weigh at the start, with what is in their tanks.
    const std::vector<BodyMass>& masses() const { return masses_; }
    const Gravity& gravity() const { return gravity_; }
    const std::vector<Spring>& springs() const { return springs_; }
    /// As described, then those that act on the turn of a joint.
    const std::vector<Bushing>& bushings() const { return bushings_; }
    std::size_t described_bushings() const { return bushings_.size() - turned_joints_.size(); }
    /// The joints that the last bushings belong to, in their order.
    const std::vector<int>& turned_joints() const { return turned_joints_; }
    const std::vector<Drag>& drags() const { return drags_; }
    const std::vector<AppliedLoad>& loads() const { return loads_; }
    const Planet& planet() const { return planet_; }
    const Air& air() const { return air_; }
    const std::vector<Aerodynamics>& aerodynamics() const { return aerodynamics_; }
    const std::vector<Control>& controls() const { return controls_; }
    const std::vector<Rotor>& rotors() const { return rotors_; }
    const std::vector<Cut>& cuts() const { return cuts_; }
    const std::vector<Tank>& tanks() const { return tanks_; }
    const std::vector<TankShape>& tank_shapes() const { return tank_shapes_; }
    const std::vector<Flow>& flows() const { return flows_; }
    /// The bodies with tanks, ascending.
    const std::vector<Vessel>& vessels() const { return vessels_; }
    const std::vector<Release>& releases() const { return releases_; }
    /// The same where nothing lets go: joints that may are of the tree, where they can.
    Model held_together() const;
    /// The moments after the start at which a load, a drive or a gust begins or ends, or a schedule
    /// bends, ascending.
    const std::vector<double>& edges() const { return edges_; }
    const std::vector<Joint>& joints() const { return joints_; }
    const std::vector<JointMount>& joint_mounts() const { return joint_mounts_; }
    const std::vector<Gear>& gears() const { return gears_; }
    /// Where the coordinates of joint j begin in a list of all coordinates.
    int first_coordinate(std::size_t j) const { return offsets_[j]; }
    int coordinates() const { return offsets_.back(); }
    const Tree& tree() const { return tree_; }
    /// Where every joint starts, with whole turns.
    const std::vector<JointStart>& joint_starts() const { return joint_starts_; }

    const std::vector<Skin>& skins() const { return skins_; }
    const std::vector<Material>& materials() const { return materials_; }
    /// What the surfaces of two skins do where they touch.
    const ContactLaw& contact_law(int skin_a, int skin_b) const
    {
        const auto a = static_cast<std::size_t>(skins_[static_cast<std::size_t>(skin_a)].material);
        const auto b = static_cast<std::size_t>(skins_[static_cast<std::size_t>(skin_b)].material);
        return laws_[a * materials_.size() + b];
    }
    /// The same of two materials.
    const ContactLaw& material_law(int a, int b) const
    {
        return laws_[static_cast<std::size_t>(a) * materials_.size() + static_cast<std::size_t>(b)];
    }
    /// Pairs of skins of different bodies that never meet, ascending: those of bodies that a joint
    /// binds to each other, and declared ones. A joint with the world does not keep its body from
    /// touching it.
    const std::vector<std::pair<int, int>>& skins_apart() const { return skins_apart_; }

    /// Does anything that acts depend on velocity? Kicks then take two evaluations to keep order.
    bool velocity_dependent() const { return velocity_dependent_; }
    bool any_held() const { return any_held_; }

  private:
    friend class Builder;
    Model() = default;
    std::vector<Body> bodies_;
    std::vector<BodyMass> masses_;
    Gravity gravity_;
    std::vector<Spring> springs_;
    std::vector<Bushing> bushings_;
    std::vector<int> turned_joints_;
    std::vector<Drag> drags_;
    std::vector<AppliedLoad> loads_;
    Planet planet_;
    Air air_;
    std::vector<Aerodynamics> aerodynamics_;
    std::vector<Control> controls_;
    std::vector<Rotor> rotors_;
    std::vector<Cut> cuts_;
    std::vector<Tank> tanks_;
    std::vector<TankShape> tank_shapes_;
    std::vector<Flow> flows_;
    std::vector<Vessel> vessels_;
    std::vector<Release> releases_;
    std::vector<double> edges_;
    std::vector<Joint> joints_;
    std::vector<JointMount> joint_mounts_; // likewise
    std::vector<Gear> gears_;
    std::vector<int> offsets_{0};
    Tree tree_;
    std::vector<JointStart> joint_starts_;
    std::vector<Skin> skins_;
    std::vector<Material> materials_;
    std::vector<ContactLaw> laws_; // of every two materials
    std::vector<std::pair<int, int>> skins_apart_;
    bool velocity_dependent_ = false;
    bool any_held_ = false;
};

} // namespace poinsot
