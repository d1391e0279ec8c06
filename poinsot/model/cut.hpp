// SPDX-License-Identifier: MIT
#pragma once

// Where a structure is looked into: a plane through a rigid body, a joint or a bushing, and what it
// may carry there. What it does carry is in step/cut_loads.hpp.

#include "poinsot/base/result.hpp"
#include "poinsot/model/body.hpp"
#include "poinsot/model/tank.hpp"

#include <limits>
#include <vector>

namespace poinsot {

/// Six loads of a section, seen in its axes: z across the cut, towards the part beyond.
struct SectionLoad {
    double tension = 0;                  // N; negative: compression
    double shear_x = 0, shear_y = 0;     // N, from the near part on the one beyond
    double bending_x = 0, bending_y = 0; // N m, likewise
    double torsion = 0;                  // N m
};

/// What a section may carry.
struct Strength {
    double tension = std::numeric_limits<double>::infinity();     // N
    double compression = std::numeric_limits<double>::infinity(); // N
    double shear = std::numeric_limits<double>::infinity();       // N
    double bending = std::numeric_limits<double>::infinity();     // N m
    double torsion = std::numeric_limits<double>::infinity();     // N m

    bool any() const;
};

/// Load over limit, the largest of the five; 1 and more is too much.
///
///     max( N/N₊ or −N/N₋,  √(V_x² + V_y²)/V,  √(M_x² + M_y²)/M,  |T|/T )
double utilisation(const SectionLoad& load, const Strength& strength);
/// Which of the five that is: "tension", "shear", …
const char* utmost(const SectionLoad& load, const Strength& strength);

struct Cut {
    enum class Of : unsigned char { body, joint, bushing };

    std::string name;
    Of of = Of::body;
    int index = 0; // of the body, joint or bushing
    /// Of a body: where it is cut, z across, in its frame; and what lies at z > 0.
    Pose<double> frame = identity_pose<double>();
    MassProperties beyond{0, zero3<double>(), diagonal(0.0, 0.0, 0.0)};
    Strength strength = {};
};

/// Does a point of a body lie beyond a plane, at z > 0 of its frame?
bool lies_beyond(const Vec3<double>& point, const Pose<double>& plane);
/// On which side of a plane a tank is, whatever it holds.
enum class CutSide : unsigned char { near, beyond, both };
CutSide side_of(const Tank& tank, const Pose<double>& plane);
/// Names tanks of a body, and flows, that a plane goes through, as problems of a cut.
void inspect_sides(const Cut& cut, const std::vector<Tank>& tanks, const std::vector<Flow>& flows,
                   const char* key, Problems& found);

/// What of a body lies beyond a plane, z > 0 of the frame: of a box whatever the plane, of a
/// cylinder if the plane is square to its axis. `none` where the shape does not say.
std::optional<MassProperties> part_beyond(const Body& body, const Pose<double>& frame);

/// Names what is wrong with them, for the Builder.
void inspect_cuts(const std::vector<Body>& bodies, const std::vector<Tank>& tanks,
                  const std::vector<Flow>& flows, std::size_t joints, std::size_t bushings,
                  const std::vector<Cut>& cuts, Problems& found);

} // namespace poinsot
