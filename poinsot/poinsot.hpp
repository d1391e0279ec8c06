// SPDX-License-Identifier: MIT
#pragma once

// Everything a user needs, in reading order: describe a model, run it, read its books.

// Numbers, rotations, twists and wrenches
#include "poinsot/math/dual.hpp"
#include "poinsot/math/pack.hpp"
#include "poinsot/math/pose.hpp"
#include "poinsot/math/spatial.hpp"

// What touches what
#include "poinsot/contacts/broadphase.hpp"
#include "poinsot/contacts/manifold.hpp"
#include "poinsot/contacts/penalty.hpp"
#include "poinsot/contacts/skin_set.hpp"
#include "poinsot/geometry/linear_sweep.hpp"
#include "poinsot/geometry/query.hpp"

// What things weigh
#include "poinsot/mass/points.hpp"
#include "poinsot/mass/principal.hpp"
#include "poinsot/mass/sampled.hpp"
#include "poinsot/mass/solids.hpp"
#include "poinsot/mass/surface.hpp"

// The model, and how it moves
#include "poinsot/dynamics/newton_euler.hpp"
#include "poinsot/forces/aero.hpp"
#include "poinsot/forces/bushing_force.hpp"
#include "poinsot/forces/gyrostat.hpp"
#include "poinsot/forces/instruments.hpp"
#include "poinsot/forces/thrust.hpp"
#include "poinsot/integrate/event.hpp"
#include "poinsot/integrate/free_rotation.hpp"
#include "poinsot/model/beam.hpp"
#include "poinsot/model/breaking.hpp"
#include "poinsot/model/builder.hpp"

// Many bodies: linkages and their algorithms, rows and who solves them
#include "poinsot/constraints/reaction.hpp"
#include "poinsot/dynamics/crba.hpp"
#include "poinsot/dynamics/derivatives.hpp"
#include "poinsot/dynamics/hamilton.hpp"
#include "poinsot/dynamics/kinematics.hpp"
#include "poinsot/dynamics/momentum.hpp"
#include "poinsot/solve/cone.hpp"
#include "poinsot/solve/direct.hpp"
#include "poinsot/solve/gauss_seidel.hpp"
#include "poinsot/solve/impact.hpp"
#include "poinsot/solve/lcp.hpp"
#include "poinsot/solve/qp.hpp"
#include "poinsot/solve/tree_direct.hpp"

// Runs and their books
#include "poinsot/step/acting.hpp"
#include "poinsot/step/both.hpp"
#include "poinsot/step/cut_loads.hpp"
#include "poinsot/step/ensemble.hpp"
#include "poinsot/step/flock.hpp"
#include "poinsot/step/linearise.hpp"
#include "poinsot/step/simulate.hpp"
#include "poinsot/step/trim.hpp"
