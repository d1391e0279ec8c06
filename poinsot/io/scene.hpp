// SPDX-License-Identifier: MIT
#pragma once

// YAML to builder and back. A scene file describes bodies, what acts on them, how to run them and
// what to keep; docs/scenes.md explains every key, schema/scene.schema.json is for editors.
//
// Everything that is wrong with a file is reported at once: file:line:column, the thing, the
// remedy, and the line itself. Nothing in a file is ignored: unknown and duplicate keys are
// problems.

#include "poinsot/model/builder.hpp"
#include "poinsot/step/simulate.hpp"

#include <filesystem>
#include <span>

namespace poinsot {

/// The point that the book of L is kept about.
struct AboutOrigin {};
struct AboutCenterOfMass {}; // of everything
struct AboutPoint {
    Vec3<double> point;
};
struct AboutBody {
    std::string name;
    std::optional<Vec3<double>> at = {}; // in its frame; none: its centre of mass
};
using LedgerAbout = std::variant<AboutOrigin, AboutCenterOfMass, AboutPoint, AboutBody>;

struct Scene {
    std::string title;
    std::string story; // one line
    Builder description;
    std::shared_ptr<const Model> model; // what the description builds
    RunSettings run;
    bool names_integrator = false;  // else it is the one that suits what there is
    bool names_formulation = false; // else it is the one that the other settings fit
    /// Where bodies start the air cannot say what it does to them: from there nothing flies.
    Problems without_air;
    LedgerAbout about;    // run.ledger.about follows from it
    int output_every = 1; // steps to a frame of the trajectory

    std::string text; // as read, for the provenance of what comes out of it
    std::string file;

    /// A robot that the scene takes from a file. Its bodies and joints are part of the description.
    struct Robot {
        std::string name, file;
        std::size_t warnings = 0, not_used = 0; // `poinsot check` on the file tells them
    };
    std::vector<Robot> robots;

    /// Does anything touch? Without it the description has no skins.
    bool contact = false;
    std::string contact_material = "default"; // of what names none
    /// What is done with bodies that are inside one another at the start: the scene is refused, or
    /// the step moves them apart.
    enum class Overlaps : unsigned char { refuse, separate, keep };
    Overlaps overlaps = Overlaps::refuse;
    std::vector<std::string> groups{"default"}; // by their bit in a Filter
    /// How a skin of the description is written: a collider does not tell what it was made of.
    struct SkinSource {
        enum class Kind : unsigned char { shape, hull, half_space, plane };
        bool of_body = false; // the shape of the body itself, not a surface
        Kind kind = Kind::shape;
        Shape shape = {};
        Vec3<double> scale = {1, 1, 1}; // of a mesh
    };
    std::vector<SkinSource> skins; // as many as the description has
};

/// Files larger than this are refused: no scene is.
inline constexpr std::size_t largest_scene = std::size_t{64} << 20;

Result<Scene> read_scene(const std::filesystem::path& path);
/// `file` is the name that problems begin with; meshes are looked for beside it.
Result<Scene> read_scene_text(const std::string& text, const std::string& file);

struct UrdfRobot; // io/urdf.hpp

/// A robot alone, as a scene: gravity 9.81 m/s² along −z, ten seconds in steps of a millisecond by
/// RK4 in reduced coordinates, no motors. Or why its coordinates cannot be where they start.
Result<Scene> scene_of(const UrdfRobot& robot);

/// A scene as YAML. Reading it gives the same model and settings, bit for bit.
std::string write_scene(const Scene& scene);

/// Whether a method goes by a tolerance and not by the step alone.
bool chooses_its_steps(Method method);

/// The words of scenes for how touch is answered.
std::string_view word_of(Scene::Overlaps overlaps);

/// Where the book is kept about, as the ledger asks for it.
BookPoint book_point(const LedgerAbout& about, const Model& model);

/// A hash of all that decides how the motion goes on from a state: the description, the step, the
/// method, and how the books are kept. Titles, comments and durations are not part of it.
std::uint64_t identity_of(const Scene& scene);

/// Every key that a scene file may have, by the place it stands in ("scene", "body", "spring" …).
struct SceneKey {
    std::string_view place, key;
};
std::span<const SceneKey> scene_keys();

} // namespace poinsot
