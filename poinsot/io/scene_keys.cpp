// SPDX-License-Identifier: MIT
#include "poinsot/io/scene.hpp"

namespace poinsot {

namespace {

// The one table of keys. A key that is not here is unknown to the reader; one that is here and
// never asked for stops at a check. schema/scene.schema.json is compared with it by
// tests/cli/schema.py.
constexpr SceneKey keys[] = {
    {"scene", "title"},
    {"scene", "story"},
    {"scene", "gravity"},
    {"scene", "bodies"},
    {"scene", "particles"},
    {"scene", "springs"},
    {"scene", "drag"},
    {"scene", "loads"},
    {"scene", "run"},
    {"scene", "ledger"},
    {"scene", "output"},
    {"gravity", "uniform"},
    {"gravity", "G"},
    {"body", "name"},
    {"body", "box"},
    {"body", "ball"},
    {"body", "ellipsoid"},
    {"body", "cylinder"},
    {"body", "capsule"},
    {"body", "cone"},
    {"body", "mesh"},
    {"body", "mass"},
    {"body", "density"},
    {"body", "inertia"},
    {"body", "center_of_mass"},
    {"body", "position"},
    {"body", "orientation"},
    {"body", "velocity"},
    {"body", "angular_velocity"},
    {"body", "angular_velocity_body"},
    {"body", "held"},
    {"round", "radius"},
    {"round", "height"},
    {"inertia", "xx"},
    {"inertia", "yy"},
    {"inertia", "zz"},
    {"inertia", "xy"},
    {"inertia", "xz"},
    {"inertia", "yz"},
    {"orientation", "axis"},
    {"orientation", "angle"},
    {"orientation", "euler"},
    {"orientation", "sequence"},
    {"held", "point"},
    {"held", "along"},
    {"particle", "name"},
    {"particle", "mass"},
    {"particle", "position"},
    {"particle", "velocity"},
    {"spring", "name"},
    {"spring", "from"},
    {"spring", "to"},
    {"spring", "stiffness"},
    {"spring", "damping"},
    {"spring", "rest_length"},
    {"end", "body"},
    {"end", "at"},
    {"end", "world"},
    {"drag", "name"},
    {"drag", "body"},
    {"drag", "linear"},
    {"drag", "quadratic"},
    {"load", "name"},
    {"load", "body"},
    {"load", "force"},
    {"load", "torque"},
    {"load", "at"},
    {"load", "axes"},
    {"load", "from"},
    {"load", "until"},
    {"run", "until"},
    {"run", "step"},
    {"run", "integrator"},
    {"run", "state_form"},
    {"run", "renormalise"},
    {"run", "tolerance"},
    {"run", "energy_tolerance"},
    {"tolerance", "relative"},
    {"tolerance", "absolute"},
    {"tolerance", "most_substeps"},
    {"ledger", "detail"},
    {"ledger", "about"},
    {"ledger", "every"},
    {"output", "every"},
};

} // namespace

std::span<const SceneKey> scene_keys()
{
    return keys;
}

} // namespace poinsot
