// SPDX-License-Identifier: MIT
#include "poinsot/io/mesh.hpp"

#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <limits>
#include <string_view>
#include <type_traits>

namespace poinsot {

namespace {

constexpr std::uintmax_t largest_file = std::uintmax_t(1) << 31;
constexpr std::string_view formats[] = {".stl", ".obj", ".ply", ".dae", ".gltf", ".glb"};

std::string lower_extension(const std::filesystem::path& file)
{
    std::string extension = file.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

// Why it cannot even be opened, or nothing.
std::string why_unreadable(const std::filesystem::path& file)
{
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (!fs::exists(status))
        return "no such file";
    if (fs::is_directory(status))
        return "this is a folder, not a mesh file";
    const std::string extension = lower_extension(file);
    if (std::find(std::begin(formats), std::end(formats), extension) == std::end(formats))
        return "cannot tell the format from the name; it must end in .stl, .obj, .ply, .dae, .gltf "
               "or .glb";
    if (!std::ifstream(file))
        return "cannot be opened for reading";
    const std::uintmax_t size = fs::is_regular_file(status) ? fs::file_size(file, error) : 0;
    if (size == 0)
        return "the file is empty";
    if (size > largest_file)
        return text_of("the file has ", size, " bytes, more than the ", largest_file,
                       " that are read; reduce the mesh");
    return {};
}

// A node's placement, r → A r + t, in double whatever Assimp uses.
struct Affine {
    Mat3<double> A;
    Vec3<double> t;

    explicit Affine(const aiMatrix4x4& m)
        : A{{m.a1, m.a2, m.a3}, {m.b1, m.b2, m.b3}, {m.c1, m.c2, m.c3}}, t{m.a4, m.b4, m.c4}
    {
    }
    Affine(const Mat3<double>& linear, const Vec3<double>& shift) : A(linear), t(shift) {}
    friend Affine operator*(const Affine& a, const Affine& b)
    {
        return {a.A * b.A, a.A * b.t + a.t};
    }
};

// Adds a mesh to the surface; gives the number of its points and lines, which have no area.
std::size_t append(Surface& surface, const aiMesh& mesh, const Affine& placed)
{
    const auto first = static_cast<unsigned>(surface.vertices.size());
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
        const aiVector3D& v = mesh.mVertices[i];
        surface.vertices.push_back(placed.A * Vec3<double>{v.x, v.y, v.z} + placed.t);
    }
    const bool mirrored = determinant(placed.A) < 0;
    std::size_t left_out = 0;
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
        const aiFace& face = mesh.mFaces[i];
        if (face.mNumIndices != 3) {
            ++left_out;
            continue;
        }
        const auto corner = [&](unsigned k) { return static_cast<int>(first + face.mIndices[k]); };
        surface.faces.push_back({corner(0), corner(mirrored ? 2 : 1), corner(mirrored ? 1 : 2)});
    }
    return left_out;
}

} // namespace

Result<MeshFile> read_mesh(const std::filesystem::path& file)
{
    Problems found;
    const std::string place = file.string();
    if (const std::string why = why_unreadable(file); !why.empty()) {
        found.add(place, why);
        return found;
    }

    Assimp::Importer importer;
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
    const aiScene* scene = importer.ReadFile(place, aiProcess_Triangulate);
    if (!scene || !scene->mRootNode) {
        found.add(place, "cannot be read as a mesh: ", importer.GetErrorString());
        return found;
    }

    // Every node in the order of the file, each with its parents' placements applied.
    MeshFile mesh;
    std::size_t left_out = 0;
    struct Visit {
        const aiNode* node;
        Affine placed;
    };
    std::vector<Visit> waiting{{scene->mRootNode, Affine(scene->mRootNode->mTransformation)}};
    while (!waiting.empty()) {
        const Visit visit = waiting.back();
        waiting.pop_back();
        for (unsigned i = 0; i < visit.node->mNumMeshes; ++i) {
            const aiMesh& part = *scene->mMeshes[visit.node->mMeshes[i]];
            if (mesh.surface.vertices.size() + part.mNumVertices >
                static_cast<std::size_t>(std::numeric_limits<int>::max())) {
                found.add(place, "the mesh has more vertices than can be counted; reduce it");
                return found;
            }
            left_out += append(mesh.surface, part, visit.placed);
        }
        for (unsigned i = visit.node->mNumChildren; i > 0; --i) {
            const aiNode* child = visit.node->mChildren[i - 1];
            waiting.push_back({child, visit.placed * Affine(child->mTransformation)});
        }
    }
    if (mesh.surface.faces.empty()) {
        found.add(place, "there are no triangles in this file");
        return found;
    }

    if (left_out > 0)
        mesh.remarks.push_back(
            text_of("left out ", left_out, " points and lines, which have no volume"));
    const std::string extension = lower_extension(file);
    if (std::is_same_v<ai_real, float> &&
        (extension == ".obj" || extension == ".ply" || extension == ".dae"))
        mesh.remarks.push_back("coordinates were read in single precision (7 digits)");
    return mesh;
}

} // namespace poinsot
