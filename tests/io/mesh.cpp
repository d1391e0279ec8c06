// SPDX-License-Identifier: MIT
#include "poinsot/io/mesh.hpp"
#include "mass/bodies.hpp"
#include "poinsot/io/guarded.hpp"
#include "poinsot/io/number.hpp"
#include "poinsot/mass/solids.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <new>
#include <stdexcept>
#include <thread>

using namespace poinsot;
namespace fs = std::filesystem;

namespace {

// A folder of its own that goes away with the test.
struct Folder {
    fs::path path = fs::temp_directory_path() / ("poinsot-mesh-" + std::to_string(getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() { fs::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    fs::path write(const std::string& name, const std::string& text) const
    {
        std::ofstream(path / name, std::ios::binary) << text;
        return path / name;
    }
};

template <class Number>
void put(std::string& out, Number number)
{
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string text_of_vertex(const Surface& s, int i)
{
    const Vec3<double>& v = s.vertices[static_cast<std::size_t>(i)];
    return exact(v.x) + " " + exact(v.y) + " " + exact(v.z);
}
std::string ascii_stl(const Surface& s)
{
    std::string out = "solid test\n";
    for (const auto& face : s.faces) {
        out += "facet normal 0 0 0\nouter loop\n";
        for (const int i : face)
            out += "vertex " + text_of_vertex(s, i) + "\n";
        out += "endloop\nendfacet\n";
    }
    return out + "endsolid test\n";
}
std::string binary_stl(const Surface& s)
{
    std::string out(80, ' ');
    put(out, static_cast<std::uint32_t>(s.faces.size()));
    for (const auto& face : s.faces) {
        for (int k = 0; k < 3; ++k)
            put(out, 0.0f);
        for (const int i : face) {
            const Vec3<double>& v = s.vertices[static_cast<std::size_t>(i)];
            for (const double c : {v.x, v.y, v.z})
                put(out, static_cast<float>(c));
        }
        put(out, std::uint16_t(0));
    }
    return out;
}
std::string obj(const Surface& s)
{
    std::string out;
    for (int i = 0; i < static_cast<int>(s.vertices.size()); ++i)
        out += "v " + text_of_vertex(s, i) + "\n";
    for (const auto& [a, b, c] : s.faces)
        out += text_of("f ", a + 1, " ", b + 1, " ", c + 1, "\n");
    return out;
}
// A byte of colour stands beside the numbers.
std::string binary_ply(const Surface& s, bool little)
{
    std::string out = text_of("ply\nformat binary_", little ? "little" : "big",
                              "_endian 1.0\ncomment x\n", "element vertex ", s.vertices.size(),
                              "\nproperty uchar red\nproperty double x\nproperty double y\n",
                              "property double z\nelement face ", s.faces.size(),
                              "\nproperty list uchar int vertex_indices\nend_header\n");
    const auto add = [&](auto number) {
        std::string bytes;
        put(bytes, number);
        if (!little)
            std::reverse(bytes.begin(), bytes.end());
        out += bytes;
    };
    for (const Vec3<double>& v : s.vertices) {
        add(static_cast<unsigned char>(7));
        for (const double c : {v.x, v.y, v.z})
            add(c);
    }
    for (const auto& face : s.faces) {
        add(static_cast<unsigned char>(3));
        for (const int i : face)
            add(std::int32_t(i));
    }
    return out;
}
std::string ply(const Surface& s)
{
    std::string out =
        text_of("ply\nformat ascii 1.0\nelement vertex ", s.vertices.size(),
                "\nproperty double x\nproperty double y\nproperty double z\n"
                "element face ",
                s.faces.size(), "\nproperty list uchar int vertex_indices\nend_header\n");
    for (int i = 0; i < static_cast<int>(s.vertices.size()); ++i)
        out += text_of_vertex(s, i) + "\n";
    for (const auto& [a, b, c] : s.faces)
        out += text_of("3 ", a, " ", b, " ", c, "\n");
    return out;
}
// In centimetres, z up, its node turned a quarter about z and shifted, a second node mirrored.
std::string dae(const Surface& s)
{
    std::string numbers, indices;
    for (int i = 0; i < static_cast<int>(s.vertices.size()); ++i)
        numbers += text_of_vertex(s, i) + " ";
    for (const auto& [a, b, c] : s.faces)
        indices += text_of(a, " ", b, " ", c, " ");
    return text_of(
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
        "version=\"1.4.1\"><asset><unit name=\"centimeter\" meter=\"0.01\"/>"
        "<up_axis>Z_UP</up_axis></asset><library_geometries><geometry id=\"g\"><mesh>"
        "<source id=\"p\"><float_array id=\"a\" count=\"",
        3 * s.vertices.size(), "\">", numbers,
        "</float_array><technique_common><accessor source=\"#a\" count=\"", s.vertices.size(),
        "\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
        "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"
        "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
        "<triangles count=\"",
        s.faces.size(), "\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>", indices,
        "</p></triangles></mesh></geometry></library_geometries><library_visual_scenes>"
        "<visual_scene id=\"s\"><node id=\"n\"><matrix>0 -1 0 300  1 0 0 0  0 0 1 100  0 0 0 1"
        "</matrix><instance_geometry url=\"#g\"/></node><node id=\"m\"><matrix>-1 0 0 0  0 1 0 0  "
        "0 0 1 0  0 0 0 1</matrix><instance_geometry url=\"#g\"/></node></visual_scene>"
        "</library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>\n");
}
std::string base64(const std::string& bytes)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k)
            word =
                word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            out += i + k <= bytes.size() ? letters[word >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}
// Its node moved by (3, 0, 1) and twice the size.
std::string gltf(const Surface& s)
{
    std::string data;
    for (const Vec3<double>& v : s.vertices)
        for (const double c : {v.x, v.y, v.z})
            put(data, static_cast<float>(c));
    const std::size_t positions = data.size();
    for (const auto& face : s.faces)
        for (const int i : face)
            put(data, static_cast<std::uint32_t>(i));
    const Bounds box = bounds_of(s.vertices);
    return text_of(
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{"
        "\"mesh\":0,\"translation\":[3,0,1],\"scale\":[2,2,2]}],\"meshes\":[{\"primitives\":[{"
        "\"attributes\":{\"POSITION\":0},\"indices\":1}]}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,\"count\":",
        s.vertices.size(), ",\"type\":\"VEC3\",\"min\":[", box.lo.x, ",", box.lo.y, ",", box.lo.z,
        "],\"max\":[", box.hi.x, ",", box.hi.y, ",", box.hi.z,
        "]},{\"bufferView\":1,\"componentType\":5125,\"count\":", 3 * s.faces.size(),
        ",\"type\":\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":",
        positions, "},{\"buffer\":0,\"byteOffset\":", positions,
        ",\"byteLength\":", data.size() - positions,
        "}],\"buffers\":[{\"byteLength\":", data.size(),
        ",\"uri\":\"data:application/octet-stream;base64,", base64(data), "\"}]}\n");
}

MassProperties mass_of_file(const fs::path& file)
{
    const auto mesh = read_mesh(file);
    REQUIRE_MESSAGE(bool(mesh), mesh.problems().text());
    const auto body = mass_of_surface(mesh->surface, 1, file.string());
    REQUIRE_MESSAGE(bool(body), body.problems().text());
    return *body;
}
std::string complaint(const fs::path& file)
{
    const auto mesh = read_mesh(file);
    return mesh ? std::string("accepted") : mesh.problems().text();
}
bool says(const std::string& text, const std::string& what)
{
    return text.find(what) != std::string::npos;
}

} // namespace

TEST_CASE("Mesh files: the same body in STL, OBJ, PLY, DAE and glTF")
{
    const Folder folder;
    // eighths and quarters are exact in single precision
    const Surface wedge = together(
        box_surface({0, 0, 0}, {1, 2, 0.5}),
        moved(box_surface({0, 0, 0}, {0.25, 0.5, 0.125}), {{3, 0, 0}, identity_quat<double>()}));
    const MassProperties truth = *mass_of_surface(wedge, 1);
    CHECK(difference(mass_of_file(folder.write("a.stl", ascii_stl(wedge))), truth) <= 1e-15);
    CHECK(difference(mass_of_file(folder.write("b.STL", binary_stl(wedge))), truth) <= 1e-15);
    CHECK(difference(mass_of_file(folder.write("c.obj", obj(wedge))), truth) <= 1e-15);
    CHECK(difference(mass_of_file(folder.write("d.ply", ply(wedge))), truth) <= 1e-15);
    CHECK(difference(mass_of_file(folder.write("e.gltf", gltf(wedge))),
                     moved(enlarged(truth, 2), Vec3<double>{3, 0, 1})) <= 1e-15);

    // z stays up, centimetres become metres (0.01 in single precision: 2e-8), the mirror image does
    // not face inwards
    const double quarter = std::sqrt(0.5);
    const MassProperties turned =
        moved(truth, Pose<double>{{300, 0, 100}, {quarter, 0, 0, quarter}});
    const MassProperties mirrored{truth.mass,
                                  {-truth.center.x, truth.center.y, truth.center.z},
                                  {truth.inertia.xx, truth.inertia.yy, truth.inertia.zz,
                                   -truth.inertia.xy, -truth.inertia.xz, truth.inertia.yz}};
    const MassProperties both = enlarged(joined(turned, mirrored), 0.01);
    CHECK(difference(mass_of_file(folder.write("f.dae", dae(wedge))), both) <= 3e-7);
}

TEST_CASE("Mesh files: polygons become triangles, and the file's own order is outside")
{
    const Folder folder;
    const auto file = folder.write("cube.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n"
                                               "v 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
                                               "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\n"
                                               "f 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
    CHECK(difference(mass_of_file(file),
                     moved(solid_box({1, 1, 1}, 1), Vec3<double>{0.5, 0.5, 0.5})) <= 1e-15);
}

TEST_CASE("Mesh files: OBJ, PLY and ASCII STL keep all digits of their coordinates")
{
    const Folder folder;
    Dice dice(5);
    // no coordinate is a number of 24 bits
    const Surface ball = moved(stretched(ball_surface(1.0 / 3, 8), {1, 0.7, 1.1}),
                               Pose<double>{{0.1, -0.2, 0.3}, dice.turn()});
    const MassProperties truth = *mass_of_surface(ball, 1);
    for (const auto& file :
         {folder.write("a.obj", obj(ball)), folder.write("b.ply", ply(ball)),
          folder.write("c.ply", binary_ply(ball, true)),
          folder.write("d.ply", binary_ply(ball, false)), folder.write("e.stl", ascii_stl(ball))}) {
        INFO(file.string());
        const auto mesh = read_mesh(file);
        REQUIRE(bool(mesh));
        CHECK(mesh->remarks.empty());
        CHECK(difference(*mass_of_surface(mesh->surface, 1), truth) <= 1e-14); // sums of 1000
    }
    const auto dae_file = read_mesh(folder.write("f.dae", dae(ball)));
    REQUIRE(bool(dae_file));
    REQUIRE(dae_file->remarks.size() == 1);
    CHECK(says(dae_file->remarks[0], "single precision"));
}

TEST_CASE("Mesh files: vertices of an OBJ are found by number in any order of its parts")
{
    const Folder folder;
    // parts in turns, a vertex that no face names, a weight, colours, faces from the end, blanks
    const std::string text = "mtllib none.mtl\n# a comment\nv 9 9 9\ng one\n"
                             "v 0 0 0 1\nv\t0.1 0  0 # a third of the way\r\nv 0 0.1 0 0.5 0.5 1\n"
                             "usemtl red\nf 2/1 4/1 3/1\nv 0 0 1e-1\nvn 0 0 1\nvt 0 0\n"
                             "usemtl blue\nf -4//1 -3//1 -1//1\nv 0.2 0.2 0.2 2\ng two\n"
                             "usemtl red\nf 3 4 5\ng one\nf 4 \\\n2 5\n";
    const auto mesh = read_mesh(folder.write("parts.obj", text));
    REQUIRE_MESSAGE(bool(mesh), mesh.problems().text());
    CHECK(mesh->remarks.empty());
    const auto body = mass_of_surface(mesh->surface, 1);
    REQUIRE_MESSAGE(bool(body), body.problems().text());
    CHECK(near(body->mass, 0.001 / 6, 1e-15));
}

TEST_CASE("Mesh files: a table of vertices that is not understood is left to Assimp, with a remark")
{
    const Folder folder;
    const Surface cube = box_surface({0, 0, 0}, {1.0 / 3, 1, 1});
    std::string broken = obj(cube);
    broken.replace(0, 2, "v \\\n"); // a line that goes on
    const auto mesh = read_mesh(folder.write("broken.obj", broken));
    REQUIRE_MESSAGE(bool(mesh), mesh.problems().text());
    REQUIRE(mesh->remarks.size() == 1);
    CHECK(says(mesh->remarks[0], "single precision"));
    CHECK(near(mass_of_surface(mesh->surface, 1)->mass, 1.0 / 3, 6e-8)); // half a unit of 24 bits
}

TEST_CASE("Outside truth: meshes of trimesh to 1e-10 through files")
{
    const auto mesh_file = outside("meshes.json"), mass_file = outside("mass_of_meshes.json");
    if (!mesh_file || !mass_file)
        SKIP_TEST("outside reference not found (meshes.json, mass_of_meshes.json)");
    const Folder folder;
    const auto meshes = read_json(*mesh_file)["items"],
               truths = read_json(*mass_file)["items"]["meshes"];
    int compared = 0;
    for (const auto& [key, truth] : truths.items()) {
        const std::string name = key; // clang 14 captures no structured bindings
        const auto surface = outside_mesh(meshes, name);
        if (!surface)
            continue;
        const MassProperties expected{truth["volume"], vec3_of(truth["com"]),
                                      sym3_of(truth["inertia_com_density1"])};
        for (const auto& file :
             {folder.write("a.obj", obj(*surface)), folder.write("b.ply", ply(*surface)),
              folder.write("c.ply", binary_ply(*surface, true)),
              folder.write("d.ply", binary_ply(*surface, false)),
              folder.write("e.stl", ascii_stl(*surface))}) {
            INFO(name << " as " << file.filename().string());
            CHECK(difference(mass_of_file(file), expected) <= 1e-10);
        }
        ++compared;
    }
    CHECK(compared == 5);
}

TEST_CASE("Mesh files: an open mesh is read, and then refused by its mass")
{
    const Folder folder;
    Surface open = box_surface({0, 0, 0}, {1, 1, 1});
    open.faces.pop_back();
    const auto mesh = read_mesh(folder.write("open.stl", ascii_stl(open)));
    REQUIRE(bool(mesh));
    const auto body = mass_of_surface(mesh->surface, 1, "open.stl");
    REQUIRE(!body);
    CHECK(says(body.problems().text(), "open.stl: the surface is open: 3 edges"));
}

TEST_CASE("Mesh files: missing, unknown, empty, garbled and absurd ones are refused by name")
{
    const Folder folder;
    CHECK(says(complaint(folder.path / "nothing.stl"), "nothing.stl: no such file"));
    CHECK(says(complaint(folder.path), "this is a folder"));
    CHECK(says(complaint(folder.write("a.txt", "hello")), "it must end in .stl, .obj"));
    CHECK(says(complaint(folder.write("b.stl", "")), "the file is empty"));
    CHECK(says(complaint(folder.write("c.stl", "this is no mesh at all, but it is long enough\n")),
               "c.stl: "));
    CHECK(says(complaint(folder.write("d.obj", "v 0 0 0\nv 1 0 0\n")), "d.obj: "));
    CHECK(says(complaint(folder.write("e.gltf", "{\"asset\":")), "cannot be read as a mesh"));
    CHECK(
        says(complaint(folder.write("f.dae", "<COLLADA><unclosed>")), "cannot be read as a mesh"));
    CHECK(says(complaint(folder.write("g.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2 3\n")),
               "no triangles"));

    const auto huge = folder.write("h.stl", "solid");
    fs::resize_file(huge, (std::uintmax_t(1) << 31) + 1); // a hole on disk, not bytes
    CHECK(says(complaint(huge), "reduce the mesh"));

    std::string cut = binary_stl(box_surface({0, 0, 0}, {1, 1, 1}));
    cut.resize(cut.size() / 2);
    const auto half = read_mesh(folder.write("i.stl", cut));
    const bool refused = !half || !mass_of_surface(half->surface, 1);
    CHECK(refused);

    if (geteuid() != 0) { // root reads everything
        const auto secret = folder.write("j.stl", "solid");
        fs::permissions(secret, fs::perms::none);
        CHECK(says(complaint(secret), "cannot be opened for reading"));
    }
}

// ---- files that break the importer --------------------------------------------------------------

TEST_CASE("Damaged mesh files: those that crash Assimp are refused, and we live on")
{
    const Folder folder;
    // a node that contains itself: endless recursion
    const auto snake = folder.write(
        "snake.dae",
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
        "version=\"1.4.1\"><library_nodes><node id=\"n\"><instance_node url=\"#n\"/></node>"
        "</library_nodes><library_visual_scenes><visual_scene id=\"s\"><node id=\"m\">"
        "<instance_node url=\"#n\"/></node></visual_scene></library_visual_scenes><scene>"
        "<instance_visual_scene url=\"#s\"/></scene></COLLADA>");
    CHECK(says(complaint(snake), "snake.dae: the importer crashed on this file (signal SEGV)"));
    CHECK(says(complaint(snake), "best as binary STL"));
    const auto deep = folder.write("deep.gltf", std::string(200000, '['));
    CHECK(says(complaint(deep), "deep.gltf: the importer crashed on this file (signal SEGV)"));
    const Surface cube = box_surface({0, 0, 0}, {1, 1, 1});
    CHECK(near(mass_of_file(folder.write("good.stl", binary_stl(cube))).mass, 1, 1e-15));
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1); // no child is left over
}

TEST_CASE("Damaged mesh files: what is shorter than it says is refused before it is believed")
{
    const Folder folder;
    const std::string header = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
                               "property float y\nproperty float z\nelement face 1\n"
                               "property list uchar int vertex_indices\nend_header\n";
    CHECK(says(complaint(folder.write("rows.ply", header + "0 0 0\n")),
               "it declares 4 rows of vertices and faces, but 1 follow"));
    CHECK(bool(read_mesh(folder.write("all.ply", header + "0 0 0\r\n1 0 0\n\n0 1 0\n3 0 1 2"))));
    CHECK(says(complaint(folder.write("head.ply", "ply\nformat ascii 1.0\n")), "end_header"));
    CHECK(says(complaint(folder.write("long.ply", "ply\n" + std::string(3 << 20, 'x'))),
               "end_header"));
    CHECK(says(complaint(folder.write("many.ply", "ply\nformat binary_little_endian 1.0\nelement "
                                                  "vertex 4000000000\nproperty float x\n"
                                                  "end_header\n")),
               "cannot hold what it declares: element vertex 4000000000"));

    using namespace std::string_literals;
    const std::string ff(4, '\xff');
    CHECK(says(complaint(folder.write("a.glb", "glTF\2\0\0\0"s + ff + ff + "JSON")),
               "by its header it has 4294967315 bytes or more, but there are 20"));
    CHECK(says(complaint(folder.write("b.glb", "glTF\2\0\0\0\x14\0\0\0"s + ff + "JSON")),
               "cut short or damaged"));
    CHECK(says(complaint(folder.write("c.glb", "glTF\2\0\0\0"s)), "cut short or damaged"));

    const fs::path pipe = folder.path / "pipe.stl"; // would be waited for
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(says(complaint(pipe), "no regular file"));
}

TEST_CASE("In a child: bytes come back whole, every kind of end is named")
{
    const Allowance plenty{std::uint64_t(1) << 30, 20};
    std::string bytes(10000000, 'a');
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<char>(i * i >> 3);
    const FromChild whole = in_a_child([&] { return bytes; }, plenty);
    CHECK(whole.why.empty());
    CHECK(whole.bytes == bytes);
    const FromChild nothing = in_a_child([] { return std::string(); }, plenty);
    CHECK(nothing.why.empty());
    CHECK(nothing.bytes.empty());

    const auto end_of = [&](const std::function<void()>& work, const Allowance& allowed) {
        return in_a_child([&] { return work(), std::string("here"); }, allowed).why;
    };
    CHECK(end_of([] { std::raise(SIGSEGV); }, plenty) == "crashed on this file (signal SEGV)");
    CHECK(end_of([] { std::abort(); }, plenty) == "crashed on this file (signal ABRT)");
    CHECK(end_of([] { ::_exit(9); }, plenty) == "crashed on this file (exit status 9)");
    CHECK(says(end_of([] { throw std::runtime_error("x"); }, plenty), "crashed on this file"));
    const auto spin = [] {
        const volatile bool forever = true;
        while (forever) {
        }
    };
    CHECK(says(end_of(spin, {plenty.memory, 1}), "took longer than "));
    CHECK(end_of([] { ::pause(); }, {plenty.memory, 1}) == "took longer than 3 s"); // by the clock
    if (memory_is_limited) {
        std::atomic<char*> taken = nullptr;
        CHECK(end_of([&] { taken = new char[std::size_t(3) << 30]; }, plenty) ==
              "asked for more memory than 1024 MiB");
        CHECK(end_of([&] { taken = new char[std::size_t(1) << 28]; }, plenty).empty());
    }
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
}

TEST_CASE("In a child: threads that read at the same time get each their own")
{
    if (!memory_is_limited)
        SKIP_TEST("sanitizers do not follow a fork beside other threads");
    const Folder folder;
    std::vector<std::thread> threads;
    std::atomic<int> right = 0;
    for (int i = 1; i <= 4; ++i) {
        const double side = i;
        const auto file = folder.write(text_of(i, ".stl"),
                                       binary_stl(box_surface({0, 0, 0}, {side, side, side})));
        threads.emplace_back([file, side, &right] {
            for (int k = 0; k < 5; ++k) {
                const auto mesh = read_mesh(file);
                right += mesh && near(bounds_of(mesh->surface.vertices).hi.x, side, 1e-15);
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    CHECK(right == 20);
}
