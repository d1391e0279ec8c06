// SPDX-License-Identifier: MIT
#include "poinsot/io/report_shapes.hpp"

#include "poinsot/geometry/polytope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

constexpr std::size_t most_fixed = 2000; // surfaces fixed to bodies, each drawn by itself

/// Six times the volume that triangles enclose.
double enclosed(const std::vector<Vec3<double>>& vertices, int a, int b, int c)
{
    const auto at = [&](int i) -> const Vec3<double>& {
        return vertices[static_cast<std::size_t>(i)];
    };
    return dot(at(a), cross(at(b), at(c)));
}
double enclosed(const Polytope& hull)
{
    double sum = 0;
    for (const Polytope::Face& face : hull.faces) {
        const auto corners = hull.corners(face);
        for (std::size_t k = 2; k < corners.size(); ++k)
            sum += enclosed(hull.vertices, corners[0], corners[k - 1], corners[k]);
    }
    return sum;
}
double enclosed(const Surface& mesh)
{
    double sum = 0;
    for (const auto& face : mesh.faces)
        sum += enclosed(mesh.vertices, face[0], face[1], face[2]);
    return sum;
}

PageJson round_json(const char* kind, double radius, double height)
{
    return {{"kind", kind}, {"radius", radius}, {"height", height}};
}

} // namespace

std::optional<std::size_t> ground_of(const Model& model)
{
    const Vec3<double>& g = model.gravity().uniform;
    const Vec3<double> up = norm2(g) > 0 ? (-1 / norm(g)) * g : Vec3<double>{0, 0, 1};
    std::optional<std::size_t> best;
    double most = 0;
    for (std::size_t i = 0; i < model.skins().size(); ++i) {
        const Skin& skin = model.skins()[i];
        if (skin.body != world || skin.collider.bounded())
            continue;
        const double upward = dot(rotate(skin.pose.q, Vec3<double>{0, 0, 1}), up);
        if (!best || upward > most + 1e-9) { // of rounding, none
            best = i;
            most = upward;
        }
    }
    return best;
}

PageJson described_plane(const Skin& skin)
{
    const Vec3<double> n = rotate(skin.pose.q, Vec3<double>{0, 0, 1});
    return {{"name", skin.name},
            {"point", page_json(skin.pose.x + skin.collider.margin() * n)},
            {"normal", page_json(n)}};
}

ShapesOnPage::ShapesOnPage(const TrajectoryReader& run, const RunScene& scene, PageData& data,
                           std::vector<std::string>& remarks)
    : head_(run.head()), scene_(scene), data_(data), remarks_(remarks)
{
    if (!scene_.scene)
        return;
    const std::vector<Skin>& skins = scene_.scene->model->skins();
    const auto& sources = scene_.scene->skins;
    for (std::size_t i = 0; i < std::min(skins.size(), sources.size()); ++i)
        if (const auto* ball = std::get_if<Ball>(&sources[i].shape);
            sources[i].of_body && ball && skins[i].body != world)
            if (const auto body = static_cast<std::size_t>(skins[i].body);
                body < head_.particle.size() && head_.particle[body] != 0)
                touching_.emplace(body, ball->radius);
}

std::uint32_t ShapesOnPage::number_of(const std::string& key, const std::function<PageJson()>& make)
{
    const auto [at, added] = known_.emplace(key, static_cast<std::uint32_t>(list_.size()));
    if (added)
        list_.push_back(make());
    return at->second;
}

std::vector<std::uint32_t> ShapesOnPage::of_bodies()
{
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < head_.names.size(); ++i) {
        const double* size = head_.shape_size.data() + 3 * i;
        if (const auto ball = touching_.find(i); ball != touching_.end()) {
            const double radius = ball->second;
            numbers.push_back(number_of(fmt::format("particle {}", radius),
                                        [&] { return json_of(Ball{radius}); }));
        } else
            numbers.push_back(number_of(fmt::format("{} {} {} {} {}", head_.shapes[i], size[0],
                                                    size[1], size[2], head_.meshes[i]),
                                        [&] { return of_body(i); }));
    }
    return numbers;
}

PageJson ShapesOnPage::of_body(std::size_t i)
{
    const std::string& kind = head_.shapes[i];
    const double* size = head_.shape_size.data() + 3 * i;
    const bool round = kind == "cylinder" || kind == "capsule" || kind == "cone";
    const std::size_t lengths = kind == "box" || kind == "ellipsoid" ? 3
                                : round                              ? 2
                                : kind == "ball"                     ? 1
                                                                     : 0;
    const bool good = std::all_of(size, size + lengths, [](double s) { return s > 0; });
    if (good && kind == "box")
        return json_of(Box{row_vec(size)});
    if (good && kind == "ellipsoid")
        return json_of(Ellipsoid{row_vec(size)});
    if (good && kind == "ball")
        return json_of(Ball{size[0]});
    if (good && round)
        return round_json(kind.c_str(), size[0], size[1]);
    if (kind == "mesh")
        return of_mesh(head_.meshes[i]);
    return {{"kind", "none"}};
}

PageJson ShapesOnPage::surfaces()
{
    PageJson surfaces = PageJson::array();
    const std::vector<Skin>& skins = scene_.scene->model->skins();
    const auto& sources = scene_.scene->skins;
    std::size_t fixed = 0, left_out = 0;
    for (std::size_t i = 0; i < std::min(skins.size(), sources.size()); ++i) {
        const Skin& skin = skins[i];
        const Scene::SkinSource& source = sources[i];
        const bool hull = source.kind == Scene::SkinSource::Kind::hull;
        if ((source.of_body && !hull) || !skin.collider.bounded() ||
            std::holds_alternative<std::monostate>(source.shape))
            continue;
        if (skin.body != world && ++fixed > most_fixed) {
            ++left_out;
            continue;
        }
        const auto& parts = skin.collider.parts();
        const Polytope* outside =
            hull && parts.size() == 1 ? parts.front().convex.polytope : nullptr;
        if (source.of_body && outside && is_its_own_hull(source.shape, *outside))
            continue;
        PageJson surface{{"name", skin.name}, {"shape", list_.size()}};
        surface.update(page_json(skin.pose));
        if (skin.body != world)
            surface["body"] = skin.body;
        if (!outside && source.scale != Vec3<double>{1, 1, 1})
            surface["scale"] = page_json(source.scale);
        surfaces.push_back(std::move(surface));
        list_.push_back(outside
                            ? of_hull(*outside)
                            : std::visit([&](const auto& s) { return json_of(s); }, source.shape));
    }
    if (left_out > 0)
        remarks_.push_back(fmt::format("{} surfaces fixed to bodies are left out: more than {}",
                                       left_out, most_fixed));
    return surfaces;
}

/// A mesh is convex where it encloses as much as its hull; vertices of files have seven digits.
bool ShapesOnPage::is_its_own_hull(const Shape& shape, const Polytope& hull) const
{
    const auto* mesh = std::get_if<MeshShape>(&shape);
    if (!mesh)
        return false;
    const auto [known, fresh] = own_hull_.try_emplace(mesh->path, false);
    if (fresh)
        if (const Result<Surface> surface = mesh_of(scene_, mesh->path)) {
            const double whole = enclosed(hull);
            known->second = std::abs(enclosed(*surface) - whole) < 1e-6 * std::abs(whole);
        }
    return known->second;
}

PageJson ShapesOnPage::planes() const
{
    PageJson planes = PageJson::array();
    const Model& model = *scene_.scene->model;
    const auto ground = ground_of(model);
    for (std::size_t i = 0; i < model.skins().size(); ++i)
        if (const Skin& skin = model.skins()[i];
            skin.body == world && !skin.collider.bounded() && i != ground)
            planes.push_back(described_plane(skin));
    return planes;
}

PageJson ShapesOnPage::list() &&
{
    if (list_.empty())
        list_.push_back({{"kind", "none"}});
    return std::move(list_);
}

PageJson ShapesOnPage::json_of(const Box& s) const
{
    return {{"kind", "box"}, {"sides", page_json(s.size)}};
}
PageJson ShapesOnPage::json_of(const Ball& s) const
{
    return {{"kind", "ball"}, {"radius", s.radius}};
}
PageJson ShapesOnPage::json_of(const Ellipsoid& s) const
{
    return {{"kind", "ellipsoid"}, {"half_axes", page_json(s.semi_axes)}};
}
PageJson ShapesOnPage::json_of(const Cylinder& s) const
{
    return round_json("cylinder", s.radius, s.height);
}
PageJson ShapesOnPage::json_of(const Capsule& s) const
{
    return round_json("capsule", s.radius, s.height);
}
PageJson ShapesOnPage::json_of(const Cone& s) const
{
    return round_json("cone", s.radius, s.height);
}

PageJson ShapesOnPage::of_mesh(const std::string& path)
{
    const Result<Surface> surface = mesh_of(scene_, path);
    if (!surface) {
        remarks_.push_back(fmt::format("the mesh '{}' is shown as a box of the same inertia: {}",
                                       path, surface.problems().list().front().what));
        return {{"kind", "none"}};
    }
    std::vector<std::uint32_t> triangles;
    for (const auto& face : surface->faces)
        for (const int corner : face)
            triangles.push_back(static_cast<std::uint32_t>(corner));
    return of_triangles(surface->vertices, std::move(triangles));
}

PageJson ShapesOnPage::of_hull(const Polytope& hull)
{
    std::vector<std::uint32_t> triangles;
    for (const Polytope::Face& face : hull.faces) {
        const auto corners = hull.corners(face);
        for (std::size_t k = 2; k < corners.size(); ++k)
            for (const int corner : {corners[0], corners[k - 1], corners[k]})
                triangles.push_back(static_cast<std::uint32_t>(corner));
    }
    return of_triangles(hull.vertices, std::move(triangles));
}

PageJson ShapesOnPage::of_triangles(const std::vector<Vec3<double>>& vertices,
                                    std::vector<std::uint32_t> triangles)
{
    std::vector<float> places;
    for (const Vec3<double>& v : vertices)
        places.insert(places.end(),
                      {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
    const std::size_t v = vertices.size(), t = triangles.size() / 3;
    return {{"kind", "mesh"},
            {"vertices", data_.put("f32", {v, 3}, std::move(places))},
            {"triangles", data_.put("u32", {t, 3}, std::move(triangles))}};
}

} // namespace poinsot
