// SPDX-License-Identifier: MIT
#include "poinsot/io/mesh.hpp"

#include "poinsot/io/guarded.hpp"
#include "poinsot/io/mesh_digits.hpp"

#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
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
    if (!fs::is_regular_file(status)) // opening a pipe would wait for its other end
        return "this is no regular file; write the mesh to one";
    if (!std::ifstream(file))
        return "cannot be opened for reading";
    const std::uintmax_t size = fs::file_size(file, error);
    if (size == 0 || error)
        return "the file is empty";
    if (size > largest_file)
        return text_of("the file has ", size, " bytes, more than the ", largest_file,
                       " that are read; reduce the mesh");
    return {};
}

// ---- cut short? ---------------------------------------------------------------------------------

// Where a file says how long it should be, it is asked first: the importer believes it.

std::string glb_cut_short(std::ifstream& in, std::uintmax_t size)
{
    // Magic, version, length of all; then length and kind of the first chunk, and the chunk. All
    // little endian, as is every machine we know.
    constexpr std::uintmax_t head = 20;
    struct {
        char magic[4];
        std::uint32_t version, length, chunk;
        char kind[4];
    } says = {};
    static_assert(sizeof says == head);
    in.read(reinterpret_cast<char*>(&says), sizeof says);
    if (std::string_view(says.magic, 4) != "glTF")
        return {};
    if (!in || says.length > size || says.chunk > size - head)
        return text_of("the file is cut short or damaged: by its header it has ",
                       in ? std::max<std::uintmax_t>(says.length, head + says.chunk) : head,
                       " bytes or more, but there are ", size, ". Export the mesh again");
    return {};
}

std::string ply_cut_short(std::ifstream& in, std::uintmax_t size)
{
    constexpr std::streamoff longest_header = 1 << 20;
    const auto damaged = [](const auto&... what) {
        return text_of("the file is cut short or damaged: ", what..., ". Export the mesh again");
    };
    std::uintmax_t rows = 0;
    bool ascii = false, ended = false;
    std::string line, word, name;
    while (!ended && in.tellg() < longest_header && std::getline(in, line)) {
        std::istringstream words(line);
        words >> word;
        if (word == "format")
            ascii = words >> word && word == "ascii";
        std::uintmax_t count = 0;
        if (word == "element") {
            if (!(words >> name >> count) || count > size) // a row has a byte at least
                return damaged("a file of ", size, " bytes cannot hold what it declares: ", line);
            rows += count;
        }
        ended = word == "end_header";
        word.clear();
    }
    if (!ended)
        return damaged("the header of a PLY file must end with end_header");
    if (!ascii)
        return {};
    std::uintmax_t found = 0;
    while (found < rows && std::getline(in, line))
        found += line.find_first_not_of(" \t\r") != std::string::npos;
    if (found < rows)
        return damaged("it declares ", rows, " rows of vertices and faces, but ", found, " follow");
    return {};
}

std::string why_cut_short(const std::filesystem::path& file)
{
    const std::string extension = lower_extension(file);
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    std::ifstream in(file, std::ios::binary);
    if (extension == ".glb" || extension == ".gltf")
        return glb_cut_short(in, size);
    if (extension == ".ply")
        return ply_cut_short(in, size);
    return {};
}

// ---- in the child: by Assimp --------------------------------------------------------------------

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

// Where the vertices of all parts are, one after the other: by the file's own digits where these
// are known, else as the importer rounded them.
class Positions {
  public:
    explicit Positions(const std::optional<FileVertices>& known) : known_(known)
    {
        if (known)
            for (const Vec3<double>& r : known->at)
                size_ = std::max({size_, std::abs(r.x), std::abs(r.y), std::abs(r.z)});
    }
    Vec3<double> next(const aiMesh& mesh, unsigned i)
    {
        const aiVector3D& v = mesh.mVertices[i];
        const Vec3<double> rounded{v.x, v.y, v.z};
        if (!known_)
            return rounded;
        std::size_t k = taken_++;
        if (!known_->numbered.empty()) {
            if (!mesh.HasVertexColors(0))
                return agree_ = false, rounded;
            const aiColor4D& number = mesh.mColors[0][i];
            k = static_cast<std::size_t>(number.r) * vertices_to_a_red +
                static_cast<std::size_t>(number.g);
        }
        // The importer rounds to 24 bits, and errs by a few of them where it reads decimals.
        constexpr double rounding = 1e-6;
        if (k >= known_->at.size() || !(norm(known_->at[k] - rounded) <= rounding * size_))
            return agree_ = false, rounded;
        return known_->at[k];
    }
    /// Each vertex was found in the table, near where the importer has it.
    bool agree() const
    {
        const bool in_turn = known_ && known_->numbered.empty();
        return agree_ && (!in_turn || taken_ == known_->at.size());
    }

  private:
    const std::optional<FileVertices>& known_;
    double size_ = 0;
    std::size_t taken_ = 0;
    bool agree_ = true;
};

// Adds a mesh to the surface; gives the number of its points and lines, which have no area.
std::size_t append(Surface& surface, const aiMesh& mesh, const Affine& placed, Positions& positions)
{
    const auto first = static_cast<unsigned>(surface.vertices.size());
    for (unsigned i = 0; i < mesh.mNumVertices; ++i)
        surface.vertices.push_back(placed.A * positions.next(mesh, i) + placed.t);
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

// The file's own digits, of the formats that may hold more than Assimp keeps.
std::optional<FileVertices> digits_of(const std::filesystem::path& file)
{
    const std::string extension = lower_extension(file);
    if (extension == ".obj")
        return vertices_of_obj(file);
    if (extension == ".ply")
        return vertices_of_ply(file);
    if (extension == ".stl" && !is_binary_stl(file))
        return vertices_of_ascii_stl(file);
    return std::nullopt;
}

// Whether a file may hold more than single precision.
bool has_more_digits(const std::filesystem::path& file)
{
    const std::string extension = lower_extension(file);
    return extension == ".obj" || extension == ".ply" || extension == ".dae" ||
           (extension == ".stl" && !is_binary_stl(file));
}

// With the file's own digits, if there are any; nothing where they do not fit what was imported.
std::optional<Result<MeshFile>> imported(const std::filesystem::path& file,
                                         const std::optional<FileVertices>& digits)
{
    Problems found;
    const std::string place = file.string();
    Assimp::Importer importer;
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
    const aiScene* scene =
        digits && !digits->numbered.empty()
            ? importer.ReadFileFromMemory(digits->numbered.data(), digits->numbered.size(),
                                          aiProcess_Triangulate, "obj")
            : importer.ReadFile(place, aiProcess_Triangulate);
    if (digits && (!scene || !scene->mRootNode))
        return std::nullopt;
    if (!scene || !scene->mRootNode) {
        found.add(place, "cannot be read as a mesh: ", importer.GetErrorString());
        return found;
    }

    // Every node in the order of the file, each with its parents' placements applied.
    MeshFile mesh;
    Positions positions(digits);
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
            left_out += append(mesh.surface, part, visit.placed, positions);
        }
        for (unsigned i = visit.node->mNumChildren; i > 0; --i) {
            const aiNode* child = visit.node->mChildren[i - 1];
            waiting.push_back({child, visit.placed * Affine(child->mTransformation)});
        }
    }
    if (!positions.agree())
        return std::nullopt;
    if (mesh.surface.faces.empty()) {
        found.add(place, "there are no triangles in this file");
        return found;
    }

    if (left_out > 0)
        mesh.remarks.push_back(
            text_of("left out ", left_out, " points and lines, which have no volume"));
    if (std::is_same_v<ai_real, float> && !digits && has_more_digits(file))
        mesh.remarks.push_back("coordinates were read in single precision (7 digits)");
    return mesh;
}
Result<MeshFile> imported(const std::filesystem::path& file)
{
    if (const auto digits = digits_of(file))
        if (auto mesh = imported(file, digits))
            return *mesh;
    return *imported(file, std::nullopt);
}

// ---- through the pipe ---------------------------------------------------------------------------

// Each list as its length and its memory: child and parent are one program on one machine.
template <class Items>
void put(std::string& bytes, const Items& items)
{
    static_assert(std::is_trivially_copyable_v<typename Items::value_type>);
    const std::uint64_t count = items.size();
    bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
    bytes.append(reinterpret_cast<const char*>(items.data()),
                 count * sizeof(typename Items::value_type));
}
template <class Items>
bool take(std::string_view& bytes, Items& items)
{
    using Item = typename Items::value_type;
    std::uint64_t count = 0;
    if (bytes.size() < sizeof count)
        return false;
    std::memcpy(&count, bytes.data(), sizeof count);
    bytes.remove_prefix(sizeof count);
    if (count > bytes.size() / sizeof(Item)) // written by a process that may have gone astray
        return false;
    items.resize(count);
    if (count > 0)
        std::memcpy(items.data(), bytes.data(), count * sizeof(Item));
    bytes.remove_prefix(count * sizeof(Item));
    return true;
}

// What is wrong, or else the surface and the remarks.
std::string packed(const Result<MeshFile>& mesh)
{
    std::string bytes;
    put(bytes, mesh ? std::string() : mesh.problems().list().front().what);
    if (mesh) {
        put(bytes, mesh->surface.vertices);
        put(bytes, mesh->surface.faces);
        for (const std::string& remark : mesh->remarks)
            put(bytes, remark);
    }
    return bytes;
}
Result<MeshFile> unpacked(std::string_view bytes, const std::string& place)
{
    Problems found;
    MeshFile mesh;
    std::string what;
    bool good = take(bytes, what);
    if (good && what.empty()) {
        good = take(bytes, mesh.surface.vertices) && take(bytes, mesh.surface.faces);
        while (good && !bytes.empty())
            good = take(bytes, mesh.remarks.emplace_back());
    }
    if (!good)
        what = "the importer went astray on this file";
    if (what.empty())
        return mesh;
    found.add(place, what);
    return found;
}

// Generous guesses, not measurements: a limit that is met means a damaged file.
Allowance allowance_for(std::uintmax_t file_size)
{
    constexpr std::uintmax_t GiB = std::uintmax_t(1) << 30;
    return {std::min(2 * GiB + 64 * file_size, 64 * GiB), static_cast<int>(20 + (file_size >> 20))};
}

} // namespace

Result<MeshFile> read_mesh(const std::filesystem::path& file)
{
    Problems found;
    const std::string place = file.string();
    std::string why = why_unreadable(file);
    if (why.empty())
        why = why_cut_short(file);
    if (!why.empty()) {
        found.add(place, why);
        return found;
    }
    std::error_code error;
    const FromChild child = in_a_child([&] { return packed(imported(file)); },
                                       allowance_for(std::filesystem::file_size(file, error)));
    if (!child.why.empty()) {
        found.add(place, "the importer ", child.why,
                  ". Export the mesh again, best as binary STL, and reduce it if it is large");
        return found;
    }
    return unpacked(child.bytes, place);
}

} // namespace poinsot
