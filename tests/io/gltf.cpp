// SPDX-License-Identifier: MIT
// Animated glTF, read back with Assimp.
#include "poinsot/io/gltf.hpp"

#include "recorded.hpp"

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

using namespace poinsot;

namespace {

constexpr const char* shapes = R"(title: All shapes
bodies:
  - name: a <b>box</b>
    box: [1, 2, 3]
    mass: 2
    inertia: [3, 2, 1.5]
    center_of_mass: [0.1, 0, 0]
    angular_velocity: [3, 0.1, 2]
    velocity: [1, 0, 0]
  - {name: ball, ball: 0.5, mass: 1, position: [5, 0, 0], angular_velocity: [0, 0, 9]}
  - {name: egg, ellipsoid: [0.2, 0.3, 0.4], mass: 1, position: [7, 0, 0]}
  - {name: tin, cylinder: {radius: 0.3, height: 1}, mass: 1, position: [9, 0, 0]}
  - {name: pill, capsule: {radius: 0.3, height: 1}, mass: 1, position: [11, 0, 0]}
  - {name: hat, cone: {radius: 0.3, height: 1}, mass: 1, position: [13, 0, 0]}
  - {name: bare, mass: 6, inertia: [10, 5, 13], position: [15, 0, 0]}
particles:
  - {name: point, mass: 1, position: [0, 0, 3]}
gravity: [0, 0, -9.81]
run: {until: 4, step: 0.0625, state_form: matrix}
)";

struct Read {
    Assimp::Importer importer;
    const aiScene* scene;
    explicit Read(const std::filesystem::path& file)
        : scene(importer.ReadFile(file.string(), aiProcess_ValidateDataStructure))
    {
        REQUIRE_MESSAGE(scene, importer.GetErrorString());
    }
    const aiMesh& mesh(const char* node) const
    {
        const aiNode* at = scene->mRootNode->FindNode(node);
        REQUIRE(at);
        REQUIRE(at->mNumMeshes == 1);
        return *scene->mMeshes[at->mMeshes[0]];
    }
};

/// Volume by the divergence theorem, of a surface that is closed and faces outwards.
double volume_of(const aiMesh& mesh)
{
    double sum = 0;
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
        REQUIRE(mesh.mFaces[f].mNumIndices == 3);
        Vec3<double> v[3];
        for (unsigned k = 0; k < 3; ++k) {
            const aiVector3D& a = mesh.mVertices[mesh.mFaces[f].mIndices[k]];
            v[k] = {a.x, a.y, a.z};
        }
        sum += dot(v[0], cross(v[1], v[2])) / 6;
    }
    return sum;
}

} // namespace

TEST_CASE("A run as glTF has every body by name, with its shape and its poses in every frame")
{
    if (!POINSOT_WITH_GLTF)
        SKIP_TEST("built without glTF");
    const RecordFolder folder("gltf");
    record(folder.path / "a.h5", shapes);
    const TrajectoryReader run = opened(folder.path / "a.h5");
    const auto made = write_gltf(run, folder.path / "a.glb");
    REQUIRE_MESSAGE(made, (made ? "" : made.problems().text()));
    CHECK(made->remarks.empty());
    CHECK(made->frames_written == 65);
    CHECK(made->bytes == std::filesystem::file_size(folder.path / "a.glb"));
    const Read read(folder.path / "a.glb");
    REQUIRE(read.scene->mNumAnimations == 1);
    const aiAnimation& motion = *read.scene->mAnimations[0];
    REQUIRE(motion.mNumChannels == run.bodies());
    const auto x = series_of(run, "bodies/position"), q = series_of(run, "bodies/orientation");
    const std::size_t n = run.bodies();
    double far = 0, turned = 0;
    bool flipped = false;
    for (unsigned c = 0; c < motion.mNumChannels; ++c) {
        const aiNodeAnim& channel = *motion.mChannels[c];
        const auto& names = run.head().names;
        const auto body = static_cast<std::size_t>(
            std::find(names.begin(), names.end(), channel.mNodeName.C_Str()) - names.begin());
        REQUIRE(body < n);
        REQUIRE(channel.mNumPositionKeys == 65);
        REQUIRE(channel.mNumRotationKeys == 65);
        const Vec3<double> center = vec_from(run.head().center_of_mass, body);
        for (unsigned i = 0; i < 65; ++i) {
            const aiVector3D& p = channel.mPositionKeys[i].mValue;
            const aiQuaternion& r = channel.mRotationKeys[i].mValue;
            const double* const a = q.data() + 4 * (i * n + body);
            const Quat<double> truth{a[0], a[1], a[2], a[3]}, shown{r.w, r.x, r.y, r.z};
            far = std::max(far, norm(Vec3<double>{p.x, p.y, p.z} + rotate(truth, center) -
                                     vec_from(x, i * n + body)));
            const double cosine =
                shown.w * truth.w + shown.x * truth.x + shown.y * truth.y + shown.z * truth.z;
            turned = std::max(turned, 1 - std::abs(cosine));
            flipped = flipped || cosine < 0;
            if (i > 0) { // the shortest arc is the one meant
                const aiQuaternion& last = channel.mRotationKeys[i - 1].mValue;
                CHECK(r.w * last.w + r.x * last.x + r.y * last.y + r.z * last.z > 0);
                CHECK(channel.mPositionKeys[i].mTime > channel.mPositionKeys[i - 1].mTime);
            }
        }
        // Assimp counts glTF's seconds in thousandths.
        CHECK(near(channel.mPositionKeys[64].mTime, 4000, 1e-6));
    }
    CHECK(far < 100 * 6e-8);  // half an ulp of floats at 80 m, three axes
    CHECK(turned < 4 * 6e-8); // and of numbers up to 1
    CHECK(flipped);           // attitudes from matrices have any sign: there was something to do
    // Circles of 32 corners hold sin(2π/32)·32/(2π) of their area, less for balls.
    CHECK(near(volume_of(read.mesh("a <b>box</b>")), 6, 1e-6));
    CHECK(near(volume_of(read.mesh("ball")), 4 * M_PI / 3 * 0.125, 0.02));
    CHECK(near(volume_of(read.mesh("egg")), 4 * M_PI / 3 * 0.024, 0.02));
    CHECK(near(volume_of(read.mesh("tin")), M_PI * 0.09, 0.007));
    CHECK(near(volume_of(read.mesh("pill")), M_PI * 0.09 + 4 * M_PI / 3 * 0.027, 0.02));
    CHECK(near(volume_of(read.mesh("hat")), M_PI * 0.03, 0.007));
    // s² = 6 (I_y + I_z − I_x)/m for each side.
    CHECK(near(volume_of(read.mesh("bare")), std::sqrt(8. * 18. * 2.), 1e-6));
    CHECK(volume_of(read.mesh("point")) > 0);
    // z, against gravity, is up: glTF's y.
    const aiVector3D up = aiMatrix3x3(read.scene->mRootNode->FindNode("Poinsot")->mTransformation) *
                          aiVector3D(0, 0, 1);
    CHECK(near(up.y, 1, 1e-6));
}

TEST_CASE("glTF of one frame stands still; a mesh that is gone is a box, with a word")
{
    if (!POINSOT_WITH_GLTF)
        SKIP_TEST("built without glTF");
    const RecordFolder folder("gltf_still");
    auto scene = read_scene_text("bodies: [{name: block, box: [1, 1, 1], mass: 1}]\n", "test.yaml");
    auto run = Simulation::start(scene->model, scene->run);
    auto out = TrajectoryWriter::open(folder.path / "a.h5", *scene, *run);
    CHECK(!(*out)->write(*run));
    CHECK(!(*out)->finish(*run, "done"));
    const TrajectoryReader still = opened(folder.path / "a.h5");
    REQUIRE(write_gltf(still, folder.path / "a.glb"));
    const Read read(folder.path / "a.glb");
    CHECK(read.scene->mNumAnimations == 0);
    CHECK(near(volume_of(read.mesh("block")), 1, 1e-6));

    const auto nowhere = write_gltf(still, folder.path / "none" / "a.glb");
    REQUIRE(!nowhere);
    CHECK(has_words(nowhere.problems().text(), "does its folder exist?"));
}

TEST_CASE("Times that a float cannot tell apart are left out of glTF, with a word")
{
    if (!POINSOT_WITH_GLTF)
        SKIP_TEST("built without glTF");
    const RecordFolder folder("gltf_times");
    // Steps of 1e-8 s: from half a second on floats are 6e-8 s apart. The run leaps there.
    auto scene = read_scene_text("particles: [{name: p, mass: 1, velocity: [1, 0, 0]}]\n"
                                 "run: {until: 1, step: 1.0e-8}\n",
                                 "test.yaml");
    REQUIRE(scene);
    auto run = Simulation::start(scene->model, scene->run);
    auto out = TrajectoryWriter::open(folder.path / "a.h5", *scene, *run);
    CHECK(!(*out)->write(*run));
    Checkpoint late = run->checkpoint();
    late.state.step = 50000000;
    run->resume(late);
    for (int i = 0; i < 40; ++i) {
        REQUIRE(!run->step());
        CHECK(!(*out)->write(*run));
    }
    CHECK(!(*out)->finish(*run, "done"));
    const TrajectoryReader fine = opened(folder.path / "a.h5");
    const auto made = write_gltf(fine, folder.path / "a.glb");
    REQUIRE(made);
    CHECK(made->frames == 41);
    CHECK(made->frames_written < 12);
    REQUIRE(made->remarks.size() == 1);
    CHECK(has_words(made->remarks[0], "frames are left out"));
    const Read read(folder.path / "a.glb"); // times rise, as the format wants
}
