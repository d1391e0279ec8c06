// SPDX-License-Identifier: MIT
#pragma once

// What of the bodies and the world touches, and what the surfaces are made of.
//
// A skin is a collider (geometry/collider.hpp) fixed to a body or to the world, made of one
// material. Two surfaces meet with
//
//     friction = √(μ_a μ_b),  static friction likewise,  the larger restitution, rolling, torsion
//
// unless the pair of materials has a law of its own.

#include "poinsot/geometry/collider.hpp"
#include "poinsot/model/force.hpp"

#include <optional>

namespace poinsot {

/// How two surfaces answer touch.
struct ContactLaw {
    double friction = 0.5;        // of what slides: |F_t| / F_n
    double static_friction = 0.5; // of what does not, yet; not below `friction`
    double restitution = 0;       // 0: it stays, 1: it comes back as fast
    double rolling = 0;           // moment across the normal over F_n, m
    double torsion = 0;           // moment about the normal over F_n, m
};

struct Material {
    std::string name;
    ContactLaw law = {};
    // What penalty contact by Hertz's law asks for (contacts/penalty.hpp).
    double young_modulus = 0; // Pa; 0: not given
    double poisson_ratio = 0.3;
    double contact_radius = 0; // m, of edges and of what is no ball; 0: not given
};
/// Where the mean would be wrong.
struct MaterialPair {
    int a = 0, b = 0; // materials
    ContactLaw law = {};
};

struct Skin {
    std::string name;
    int body = world;
    Collider collider = {};
    Pose<double> pose = identity_pose<double>(); // in the body frame, or in the world
    int material = 0;
    Filter filter = {};
};

/// Two bodies that never meet. Two that a joint connects never do, nor do skins of one body.
struct Apart {
    int a, b;
};

/// What two materials do that have no law of their own.
ContactLaw mean_of(const ContactLaw& a, const ContactLaw& b);

/// Every problem of the skins, materials and pairs of a description with so many bodies.
struct Body;
void inspect_contact(const std::vector<Body>& bodies, const std::vector<Skin>& skins,
                     const std::vector<Material>& materials, const std::vector<MaterialPair>& pairs,
                     const std::vector<Apart>& apart, Problems& found);

} // namespace poinsot
