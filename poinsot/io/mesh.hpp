// SPDX-License-Identifier: MIT
#pragma once

// Surfaces from mesh files: STL, OBJ, PLY, DAE (Collada) and glTF, through Assimp.
//
// Polygons become triangles, the parts of a file become one surface, each where the file's nodes
// put it (a mirrored part is turned right side out again). Coordinates are those of the file: a DAE
// file is brought to metres but its up axis is left alone, and glTF has y up by its own rules.
// Nothing is welded or repaired here: `inspect` (surface.hpp) does the first and refuses what needs
// the second.
//
// Debian's Assimp holds coordinates in single precision. Binary STL and glTF files hold no more.
// The vertices of OBJ, PLY and ASCII STL files are read beside it in double precision
// (mesh_digits.hpp) and put in the place of its own. Those of DAE files, and of a file whose table
// of vertices is not understood, are rounded to 24 bits, a relative error of 6e-8, and a remark
// says so.
//
// Assimp crashes, loops or eats all memory on some damaged files. It therefore runs in a child
// process with limits (guarded.hpp, decision 7): 2 GiB and 64 times the size of the file, 20 s and
// one more for each MiB. A file beyond them is refused by name.

#include "poinsot/base/result.hpp"
#include "poinsot/geometry/surface_mesh.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace poinsot {

struct MeshFile {
    Surface surface;
    std::vector<std::string> remarks; // what a user should know about how it was read
};

/// Refuses what is missing, is no mesh, is cut short, has no triangles, is larger than 2 GiB or
/// makes the importer crash. The surface may still be open or inside out.
Result<MeshFile> read_mesh(const std::filesystem::path& file);

} // namespace poinsot
