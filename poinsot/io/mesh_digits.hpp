// SPDX-License-Identifier: MIT
#pragma once

// The vertices of OBJ, PLY and ASCII STL files with all the digits that these hold.
//
// Debian's Assimp holds coordinates in single precision, a relative error of 6e-8. What it is good
// for, the faces, is left to it; where each vertex is, is read here once more, in double precision.
// A vertex of the importer is found in the table by its place in the file, PLY and STL, or by a
// colour that tells its number, OBJ, whose importer puts vertices in an order of its own.

#include "poinsot/math/vec3.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace poinsot {

struct FileVertices {
    std::vector<Vec3<double>> at; // in the order of the file
    std::string numbered;         // OBJ: the text of the file with the colours
};

/// The number of an OBJ vertex as two colours that single precision holds: k = 2²⁰ red + green.
constexpr std::size_t vertices_to_a_red = std::size_t(1) << 20;

/// None where the table is not as expected: the importer's own numbers have to do then.
std::optional<FileVertices> vertices_of_obj(const std::filesystem::path& file);
std::optional<FileVertices> vertices_of_ply(const std::filesystem::path& file);
std::optional<FileVertices> vertices_of_ascii_stl(const std::filesystem::path& file);

/// Whether an STL file is as long as its number of binary triangles says: 84 + 50 n bytes.
bool is_binary_stl(const std::filesystem::path& file);

} // namespace poinsot
