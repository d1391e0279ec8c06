// SPDX-License-Identifier: MIT
#include "poinsot/io/gltf.hpp"

#if POINSOT_WITH_GLTF

#include "poinsot/base/version.hpp"
#include "poinsot/io/drawn.hpp"
#include "poinsot/io/run_scene.hpp"
#include "poinsot/io/safe_file.hpp"
#include "poinsot/mass/principal.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tiny_gltf.h>

#include <cmath>
#include <map>
#include <sstream>

namespace poinsot {

namespace {

constexpr std::uint64_t most_gltf_bytes = std::uint64_t{2} << 30; // lengths in the file: 32 bits

/// Text that is valid in JSON whatever its bytes are.
std::string valid_text(const std::string& text)
{
    using json =
        nlohmann::ordered_json; // as elsewhere: of another kind all would be compiled again
    return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace))
        .get<std::string>();
}

std::vector<double> numbers_of(const Quat<double>& q)
{
    return {q.x, q.y, q.z, q.w}; // the order of glTF
}

class GltfWriter {
  public:
    GltfWriter(const TrajectoryReader& run, const GltfOptions& options)
        : run_(run), head_(run.head()), n_(run.bodies()), options_(options), scene_(scene_of(run))
    {
        if (!scene_.scene)
            made_.remarks.push_back(
                fmt::format("up is z, and meshes are left out: {}", scene_.why_not));
    }

    std::string bytes()
    {
        choose_frames();
        const std::uint64_t poses = std::uint64_t{frames_.size()} * n_;
        if (28 * poses > most_gltf_bytes) {
            Problems found;
            found.add(run_.file().string(), "is too long for glTF: ", (28 * poses) >> 20,
                      " MiB of poses, more than ", most_gltf_bytes >> 20,
                      "; keep fewer frames (poinsot run --every 10)");
            throw NotMade{std::move(found)};
        }
        read_poses();
        model_.asset.version = "2.0";
        model_.asset.generator = fmt::format("Poinsot {}", version());
        model_.buffers.resize(1);
        tinygltf::Scene scene;
        scene.name = valid_text(head_.title);
        scene.nodes = {0};
        add_root();
        add_materials();
        for (std::size_t i = 0; i < n_; ++i)
            add_body(i);
        if (frames_.size() > 1)
            add_animation();
        finish_views();
        model_.scenes.push_back(std::move(scene));
        model_.defaultScene = 0;
        std::ostringstream out;
        if (!tinygltf::TinyGLTF().WriteGltfSceneToStream(&model_, out, false, true)) {
            Problems found;
            found.add(run_.file().string(), "tinygltf could not write this run");
            throw NotMade{std::move(found)};
        }
        made_.bodies = n_;
        made_.frames = run_.frames();
        made_.frames_written = frames_.size();
        return std::move(out).str();
    }
    const GltfMade& made() const { return made_; }

  private:
    /// Those whose times differ as floats.
    void choose_frames()
    {
        for (std::size_t i = 0; i < run_.frames(); ++i) {
            const auto t = static_cast<float>(head_.time[i] - head_.time.front());
            if (!times_.empty() && !(t > times_.back()))
                continue;
            times_.push_back(t);
            frames_.push_back(i);
        }
        if (frames_.size() < run_.frames())
            made_.remarks.push_back(
                fmt::format("{} frames are left out: as floats their times are equal to others",
                            run_.frames() - frames_.size()));
    }

    /// Of the body frames; attitudes of one sign.
    void read_poses()
    {
        places_.resize(3 * n_ * frames_.size());
        attitudes_.resize(4 * n_ * frames_.size());
        PoseWindow window(run_, 64);
        for (std::size_t f = 0; f < frames_.size(); ++f) {
            for (std::size_t skipped = f > 0 ? frames_[f - 1] + 1 : 0; skipped < frames_[f];
                 ++skipped)
                window.frame(skipped, skipped);
            const PoseRow row = window.frame(frames_[f], frames_[f]);
            for (std::size_t i = 0; i < n_; ++i) {
                Quat<double> q = row_quat(row.q + 4 * i);
                const Vec3<double> c = row_vec(head_.center_of_mass.data() + 3 * i),
                                   x = row_vec(row.x + 3 * i) - rotate(q, c);
                const auto at = static_cast<std::ptrdiff_t>(i * frames_.size() + f);
                float* const a = attitudes_.data() + 4 * at;
                if (f > 0 && q.x * a[-4] + q.y * a[-3] + q.z * a[-2] + q.w * a[-1] < 0)
                    q = -1.0 * q;
                const double here[3] = {x.x, x.y, x.z}, turn[4] = {q.x, q.y, q.z, q.w};
                for (int k = 0; k < 3; ++k) {
                    if (!(std::abs(here[k]) < 1e38)) // beyond what a float holds, or no number
                        refuse_pose(frames_[f], i);
                    places_[static_cast<std::size_t>(3 * at + k)] = static_cast<float>(here[k]);
                }
                for (int k = 0; k < 4; ++k)
                    a[k] = static_cast<float>(turn[k]);
            }
            if (f % 64 == 0)
                options_.progress(static_cast<double>(f) / static_cast<double>(frames_.size()));
        }
    }
    [[noreturn]] void refuse_pose(std::size_t frame, std::size_t body) const
    {
        Problems found;
        found.add(run_.file().string() + ": /bodies/position", "frame ", frame, ", body '",
                  head_.names[body], "': too far away, or no number");
        throw NotMade{std::move(found)};
    }

    void add_root()
    {
        Vec3<double> up{0, 0, 1};
        if (scene_.scene)
            if (const Vec3<double> g = scene_.scene->model->gravity().uniform; norm2(g) > 0)
                up = (-1 / norm(g)) * g;
        tinygltf::Node root;
        root.name = "Poinsot";
        root.rotation = numbers_of(turned_from_z({0, 1, 0}) * conjugate(turned_from_z(up)));
        for (std::size_t i = 0; i < n_; ++i)
            root.children.push_back(static_cast<int>(1 + i));
        model_.nodes.push_back(std::move(root));
    }

    static constexpr std::size_t colours = 6;
    void add_materials()
    {
        constexpr double palette[colours][3] = {{0.12, 0.35, 0.68}, {0.80, 0.36, 0.08},
                                                {0.15, 0.50, 0.25}, {0.55, 0.20, 0.50},
                                                {0.62, 0.50, 0.10}, {0.35, 0.38, 0.42}};
        for (std::size_t i = 0; i < std::min(n_, colours); ++i) {
            const auto& colour = palette[i];
            tinygltf::Material material;
            material.pbrMetallicRoughness.baseColorFactor = {colour[0], colour[1], colour[2], 1};
            material.pbrMetallicRoughness.metallicFactor = 0.1;
            material.pbrMetallicRoughness.roughnessFactor = 0.7;
            material.doubleSided = true; // meshes may be open
            model_.materials.push_back(std::move(material));
        }
    }

    void add_body(std::size_t i)
    {
        tinygltf::Node node;
        node.name = valid_text(head_.names[i]);
        const std::size_t first = i * frames_.size();
        for (std::size_t k = 0; k < 3; ++k)
            node.translation.push_back(places_[3 * first + k]);
        for (std::size_t k = 0; k < 4; ++k)
            node.rotation.push_back(attitudes_[4 * first + k]);
        node.mesh = mesh_of_body(i);
        model_.nodes.push_back(std::move(node));
    }

    /// Bodies of one shape share its numbers, those of one colour too the mesh.
    int mesh_of_body(std::size_t i)
    {
        const double* size = head_.shape_size.data() + 3 * i;
        const bool own = head_.shapes[i] == "none" || head_.particle[i] != 0;
        const std::string key = own ? fmt::format("body {}", i)
                                    : fmt::format("{} {} {} {} {}", head_.shapes[i], size[0],
                                                  size[1], size[2], head_.meshes[i]);
        const auto known = shapes_.find(key);
        const Geometry geometry =
            known != shapes_.end()
                ? known->second
                : shapes_.emplace(key, add_geometry(drawn_body(i))).first->second;
        const std::size_t colour = i % colours;
        const auto [mesh, added] =
            meshes_.emplace(std::pair(key, colour), static_cast<int>(model_.meshes.size()));
        if (added) {
            tinygltf::Primitive primitive;
            primitive.attributes["POSITION"] = geometry.positions;
            if (geometry.normals >= 0)
                primitive.attributes["NORMAL"] = geometry.normals;
            primitive.indices = geometry.triangles;
            primitive.material = static_cast<int>(colour);
            primitive.mode = TINYGLTF_MODE_TRIANGLES;
            tinygltf::Mesh made;
            made.name = own ? valid_text(head_.names[i]) : valid_text(head_.shapes[i]);
            made.primitives.push_back(std::move(primitive));
            model_.meshes.push_back(std::move(made));
        }
        return mesh->second;
    }

    Drawn drawn_body(std::size_t i)
    {
        if (head_.particle[i] != 0)
            return drawn_shape("ball", particle_radius() * Vec3<double>{1, 1, 1});
        const Vec3<double> size = row_vec(head_.shape_size.data() + 3 * i);
        Drawn drawn;
        if (head_.shapes[i] == "mesh") {
            const Result<Surface> surface = mesh_of(scene_, head_.meshes[i]);
            if (surface && !surface->faces.empty())
                return drawn_surface(*surface);
            made_.remarks.push_back(fmt::format(
                "the mesh '{}' is shown as a box of the same inertia: {}", head_.meshes[i],
                surface ? "it is empty" : surface.problems().list().front().what));
        } else
            drawn = drawn_shape(head_.shapes[i], size);
        return drawn.triangles.empty() ? drawn_inertia(i) : drawn;
    }

    /// The box of equal mass and inertia: s_x² = 6 (I_y + I_z − I_x)/m.
    Drawn drawn_inertia(std::size_t i) const
    {
        const double* I = head_.inertia.data() + 9 * i;
        const PrincipalAxes axes = principal_axes({I[0], I[4], I[8], I[1], I[2], I[5]});
        const Vec3<double> m = axes.moments;
        const double least = 0.1 * particle_radius(), per_mass = 6 / head_.mass[i];
        const auto side = [&](double twice) {
            return std::max(least, std::sqrt(std::max(0.0, per_mass * twice)));
        };
        return drawn_box({side(m.y + m.z - m.x), side(m.z + m.x - m.y), side(m.x + m.y - m.z)},
                         {row_vec(head_.center_of_mass.data() + 3 * i), axes.rotation()});
    }

    /// A hundredth of the size of the motion.
    double particle_radius() const
    {
        if (radius_ > 0)
            return radius_;
        Vec3<double> low{1e38, 1e38, 1e38}, high{-1e38, -1e38, -1e38};
        for (std::size_t i = 0; i < places_.size(); i += 3) {
            const Vec3<double> x{places_[i], places_[i + 1], places_[i + 2]};
            low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
            high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
        }
        const double size = places_.empty() ? 0 : norm(high - low);
        radius_ = size > 0 ? 0.01 * size : 0.05;
        return radius_;
    }

    // ---- numbers ----

    struct Geometry {
        int positions, normals, triangles; // accessors
    };
    /// One view of the buffer for each use; several accessors lie in it.
    enum View { vertices, indices, animation, views };

    template <class Number>
    int add_numbers(View view, const std::vector<Number>& numbers, int component, int type,
                    std::size_t count)
    {
        std::vector<unsigned char>& bytes = parts_[view];
        tinygltf::Accessor accessor;
        accessor.bufferView = view;
        accessor.byteOffset = bytes.size();
        accessor.componentType = component;
        accessor.type = type;
        accessor.count = count;
        const auto* from = reinterpret_cast<const unsigned char*>(numbers.data());
        bytes.insert(bytes.end(), from, from + numbers.size() * sizeof(Number));
        model_.accessors.push_back(std::move(accessor));
        return static_cast<int>(model_.accessors.size()) - 1;
    }

    Geometry add_geometry(const Drawn& drawn)
    {
        const auto vectors = [&](const std::vector<float>& numbers) {
            return add_numbers(vertices, numbers, TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_TYPE_VEC3,
                               numbers.size() / 3);
        };
        const int positions = vectors(drawn.positions);
        tinygltf::Accessor& box = model_.accessors.back();
        for (std::size_t k = 0; k < 3; ++k) {
            float low = drawn.positions[k], high = low;
            for (std::size_t i = k; i < drawn.positions.size(); i += 3) {
                low = std::min(low, drawn.positions[i]);
                high = std::max(high, drawn.positions[i]);
            }
            box.minValues.push_back(low);
            box.maxValues.push_back(high);
        }
        const int normals = drawn.normals.empty() ? -1 : vectors(drawn.normals);
        const int triangles =
            add_numbers(indices, drawn.triangles, TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT,
                        TINYGLTF_TYPE_SCALAR, drawn.triangles.size());
        return {positions, normals, triangles};
    }

    void add_animation()
    {
        tinygltf::Animation all;
        all.name = "motion";
        const int times = add_numbers(animation, times_, TINYGLTF_COMPONENT_TYPE_FLOAT,
                                      TINYGLTF_TYPE_SCALAR, times_.size());
        model_.accessors.back().minValues = {times_.front()};
        model_.accessors.back().maxValues = {times_.back()};
        const auto channel = [&](std::size_t body, const char* path,
                                 const std::vector<float>& all_of, std::size_t wide, int type) {
            const std::size_t first = body * frames_.size() * wide;
            const std::vector<float> values(
                all_of.begin() + static_cast<std::ptrdiff_t>(first),
                all_of.begin() + static_cast<std::ptrdiff_t>(first + frames_.size() * wide));
            tinygltf::AnimationSampler sampler;
            sampler.input = times;
            sampler.output =
                add_numbers(animation, values, TINYGLTF_COMPONENT_TYPE_FLOAT, type, frames_.size());
            sampler.interpolation = "LINEAR";
            tinygltf::AnimationChannel to;
            to.sampler = static_cast<int>(all.samplers.size());
            to.target_node = static_cast<int>(1 + body);
            to.target_path = path;
            all.samplers.push_back(std::move(sampler));
            all.channels.push_back(std::move(to));
        };
        for (std::size_t i = 0; i < n_; ++i) {
            channel(i, "translation", places_, 3, TINYGLTF_TYPE_VEC3);
            channel(i, "rotation", attitudes_, 4, TINYGLTF_TYPE_VEC4);
        }
        model_.animations.push_back(std::move(all));
    }

    void finish_views()
    {
        std::vector<unsigned char>& data = model_.buffers[0].data;
        std::array<int, views> number{};
        for (int view = 0; view < views; ++view) {
            std::vector<unsigned char>& bytes = parts_[static_cast<std::size_t>(view)];
            if (bytes.empty())
                continue; // glTF has no empty views
            number[static_cast<std::size_t>(view)] = static_cast<int>(model_.bufferViews.size());
            tinygltf::BufferView made;
            made.buffer = 0;
            made.byteOffset = data.size();
            made.byteLength = bytes.size();
            if (view == vertices) {
                made.byteStride = 12;
                made.target = TINYGLTF_TARGET_ARRAY_BUFFER;
            } else if (view == indices)
                made.target = TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER;
            data.insert(data.end(), bytes.begin(), bytes.end());
            bytes.clear();
            bytes.shrink_to_fit();
            model_.bufferViews.push_back(std::move(made));
        }
        for (tinygltf::Accessor& accessor : model_.accessors)
            accessor.bufferView = number[static_cast<std::size_t>(accessor.bufferView)];
        if (data.empty())
            model_.buffers.clear();
    }

    const TrajectoryReader& run_;
    const TrajectoryHead& head_;
    std::size_t n_;
    const GltfOptions& options_;
    const RunScene scene_;
    GltfMade made_;
    tinygltf::Model model_;
    std::vector<std::size_t> frames_;
    std::vector<float> times_, places_, attitudes_; // of each body all frames in a row
    std::map<std::string, Geometry> shapes_;
    std::map<std::pair<std::string, std::size_t>, int> meshes_;
    std::array<std::vector<unsigned char>, views> parts_;
    mutable double radius_ = 0;
};

} // namespace

Result<GltfMade> write_gltf(const TrajectoryReader& run, const std::filesystem::path& to,
                            const GltfOptions& options)
{
    SafeFile out(to);
    try {
        if (!out.problem()) {
            GltfWriter writer(run, options);
            const std::string bytes = writer.bytes();
            out.write(bytes);
            options.progress(1);
            out.finish();
            GltfMade made = writer.made();
            made.bytes = bytes.size();
            if (!out.problem())
                return made;
        }
    } catch (NotMade& no) {
        return std::move(no.problems);
    }
    return out.problems();
}

} // namespace poinsot

#else

namespace poinsot {

Result<GltfMade> write_gltf(const TrajectoryReader&, const std::filesystem::path& to,
                            const GltfOptions&)
{
    Problems found;
    found.add(to.string(), "built without glTF: install libtinygltf-dev and build again");
    return found;
}

} // namespace poinsot

#endif
