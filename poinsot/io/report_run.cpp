// SPDX-License-Identifier: MIT
#include "poinsot/io/report_run.hpp"

#include "poinsot/io/report_forces.hpp"
#include "poinsot/io/report_ledger.hpp"
#include "poinsot/io/report_poses.hpp"
#include "poinsot/mass/principal.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>

namespace poinsot {

namespace {

class RunOnPage {
  public:
    RunOnPage(const TrajectoryReader& run, const std::vector<ReportFact>& facts,
              std::uint64_t small, const std::function<void(double)>& progress, PageData& data,
              ReportMade& made)
        : run_(run), head_(run.head()), n_(run.bodies()), facts_(facts), small_(small),
          progress_(progress), data_(data), made_(made), scene_(scene_of(run))
    {
        if (!scene_.scene)
            remark("joints, springs and gravity are left out: {}", scene_.why_not);
    }

    PageJson described()
    {
        time_ = data_.f64({run_.frames()}, head_.time);
        PageJson bodies = described_bodies();
        PageJson frames{{"time", described_poses(bodies)}};
        described_motion(bodies);
        PageJson shapes = described_shapes(bodies);

        const std::optional<Scene>& scene = scene_.scene;
        PageJson run{{"title", head_.title}};
        if (scene && !scene->story.empty())
            run["story"] = scene->story;
        run["facts"] = facts();
        run["outcome"] = {
            {"ended", head_.ended}, {"balanced", head_.balanced}, {"verdict", head_.verdict}};
        if (scene && norm2(scene->model->gravity().uniform) > 0)
            run["gravity"] = page_json(scene->model->gravity().uniform);
        if (scene)
            if (auto ground = described_ground(*scene->model))
                run["ground"] = std::move(*ground);
        run["frames"] = std::move(frames);
        run["samples"] = {{"time", time_},
                          {"step", data_.f64({run_.frames()}, head_.step_of_frame)}};
        run["bodies"] = std::move(bodies);
        if (scene)
            if (PageJson surfaces = described_surfaces(*scene, shapes); !surfaces.empty())
                run["surfaces"] = std::move(surfaces);
        run["shapes"] = std::move(shapes);
        if (scene) {
            run["joints"] = described_joints(*scene->model, run_, data_);
            run["springs"] = described_springs(*scene->model);
            if (n_ < few_bodies)
                run["signals"] = described_coordinates(*scene->model, run_, data_);
        }
        describe_parts(run["signals"]);
        if (run_.has("forces/force")) {
            if (2 * bytes_of(run_, "forces/force") < few_bytes / 4)
                run["forces"] = described_forces(run_, data_);
            else
                remark("forces are left out: they are too large");
        }
        if (48 * std::uint64_t{run_.contacts()} > few_bytes)
            remark("contacts are left out: they are too large");
        else if (auto contacts =
                     described_contacts(scene ? scene->model.get() : nullptr, run_, data_))
            run["contacts"] = std::move(*contacts);
        if (!head_.cuts.empty()) {
            if (bytes_of(run_, "cuts/force") < few_bytes / 4)
                run["cuts"] = described_cuts(run_, data_);
            else
                remark("cuts are left out: they are too large");
        }
        PageJson events = PageJson::array();
        for (const TrajectoryHead::Event& e : head_.events) {
            events.push_back({{"time", e.time}, {"kind", e.kind}, {"text", e.text}});
            if (!e.name.empty())
                events.back()["name"] = e.name;
            if (!e.load.empty()) {
                events.back()["load"] = e.load;
                if (std::isfinite(e.utilisation))
                    events.back()["utilisation"] = e.utilisation;
            }
        }
        run["events"] = std::move(events);
        if (head_.ledger_detail != "off")
            run["ledger"] = described_ledger(run_, data_, made_.remarks);
        return run;
    }

  private:
    template <class... Parts>
    void remark(fmt::format_string<Parts...> form, Parts&&... parts)
    {
        made_.remarks.push_back(fmt::format(form, std::forward<Parts>(parts)...));
    }

    PageJson facts() const
    {
        PageJson all = PageJson::array();
        const auto fact = [&](std::string_view name, std::string_view value) {
            if (!value.empty())
                all.push_back({{"name", name}, {"value", value}});
        };
        fact("scene", head_.scene_file);
        fact("identity", head_.scene_identity);
        fact("integrator", head_.integrator);
        if (scene_.scene)
            fact("formulation", name_of(scene_.scene->run.step.formulation));
        fact("state form", head_.state_form);
        fact("step", fmt::format("{} s", head_.step));
        fact("until", fmt::format("{} s", head_.until));
        fact("program", head_.program);
        fact("compiler", head_.compiler);
        fact("state hash", head_.state_hash);
        for (const ReportFact& more : facts_)
            fact(more.name, more.value);
        return all;
    }

    PageJson described_bodies()
    {
        std::vector<std::uint8_t> particle;
        std::vector<double> moments, principal;
        for (std::size_t i = 0; i < n_; ++i) {
            particle.push_back(head_.particle[i] != 0);
            const double* I = head_.inertia.data() + 9 * i;
            const PrincipalAxes axes = principal_axes({I[0], I[4], I[8], I[1], I[2], I[5]});
            const Quat<double> q = axes.rotation();
            moments.insert(moments.end(), {axes.moments.x, axes.moments.y, axes.moments.z});
            principal.insert(principal.end(), {q.w, q.x, q.y, q.z});
            if (head_.mass[i] > 0)
                gyration_.push_back(std::sqrt(axes.moments.z / head_.mass[i]));
        }
        PageJson bodies{{"names", head_.names}};
        bodies["particle"] = data_.put("u8", {n_}, std::move(particle));
        bodies["mass"] = data_.f64({n_}, head_.mass);
        bodies["center_of_mass"] = data_.f64({n_, 3}, head_.center_of_mass);
        bodies["moments"] = data_.f64({n_, 3}, std::move(moments));
        bodies["principal"] = data_.f64({n_, 4}, std::move(principal));
        return bodies;
    }

    /// Position and orientation; gives the block of the times of the frames.
    PageJson described_poses(PageJson& bodies)
    {
        PoseRounding rounding;
        bool first = true;
        in_slabs(run_, "bodies/position", [&](std::size_t at, std::size_t count, const double* x) {
            for (std::size_t i = 0; i < count * n_; ++i, first = false) {
                const Vec3<double> r = row_vec(x + 3 * i);
                if (!std::isfinite(norm2(r))) {
                    Problems found;
                    found.add(run_.file().string() + ": /bodies/position", "frame ", at + i / n_,
                              ", body '", head_.names[i % n_], "': too far away, or no number");
                    throw NotMade{std::move(found)};
                }
                rounding.low = first ? r
                                     : Vec3<double>{std::min(rounding.low.x, r.x),
                                                    std::min(rounding.low.y, r.y),
                                                    std::min(rounding.low.z, r.z)};
                rounding.high = first ? r
                                      : Vec3<double>{std::max(rounding.high.x, r.x),
                                                     std::max(rounding.high.y, r.y),
                                                     std::max(rounding.high.z, r.z)};
            }
        });
        const double diagonal = std::sqrt(norm2(rounding.high - rounding.low));
        const double large =
            gyration_.empty() ? 0 : *std::max_element(gyration_.begin(), gyration_.end());
        // Small bodies that fly far would tremble on a grid over all of their flight.
        double small = std::numeric_limits<double>::infinity();
        for (const double r : gyration_)
            if (r > 0)
                small = std::min(small, r);
        const std::uint64_t poses = std::uint64_t{run_.frames()} * n_;
        rounding.exact_positions =
            diagonal / 131070 > shown_within_body * small && 24 * poses < few_bytes / 4;

        if (12 * poses > most_page_data)
            refuse_as_too_long(run_, 12 * poses);
        ShownPoses shown = chosen_frames(
            run_, rounding, std::min(shown_within * (diagonal + large), shown_within_body * small),
            12 * poses > small_, progress_);
        made_.frames += run_.frames();
        made_.frames_shown += shown.frames.size();
        const double position_error = std::sqrt(shown.error2), angle_error = angle_of(shown.sine2);
        made_.position_error = std::max(made_.position_error, position_error);
        made_.angle_error = std::max(made_.angle_error, angle_error);

        const BlockShape shape{shown.frames.size(), n_, 3};
        PageJson position{{"values", rounding.exact_positions
                                         ? data_.f64(shape, std::move(shown.x64))
                                         : data_.differences(shape, std::move(shown.x16))}};
        if (!rounding.exact_positions) {
            position["low"] = page_json(rounding.low);
            position["high"] = page_json(rounding.high);
        }
        position["error"] = position_error;
        bodies["position"] = std::move(position);
        bodies["orientation"] = {{"values", data_.differences(shape, std::move(shown.q16))},
                                 {"error", angle_error}};
        if (shown.frames.size() == run_.frames())
            return time_;
        std::vector<double> times;
        for (const std::size_t i : shown.frames)
            times.push_back(head_.time[i]);
        return data_.f64({shown.frames.size()}, std::move(times));
    }

    /// Rotors, tanks and controls, as signals.
    void describe_parts(PageJson& signals)
    {
        if (signals.is_null())
            signals = PageJson::array();
        const auto add = [&](const std::vector<std::string>& names, const char* series,
                             const char* what, const char* unit) {
            for (std::size_t i = 0; i < names.size() && bytes_of(run_, series) < few_bytes / 4; ++i)
                signals.push_back({{"name", text_of(names[i], " / ", what)},
                                   {"unit", unit},
                                   {"values", copied_part(data_, run_, series, i, 1)}});
        };
        add(head_.rotors, "rotors/spin", "spin", "rad/s");
        add(head_.rotors, "rotors/momentum", "axial momentum", "kg m²/s");
        add(head_.tanks, "tanks/content", "content", "kg");
        add(head_.tanks, "tanks/level", "level", "m");
        add(head_.controls, "controls/value", "setting", "1");
    }

    void described_motion(PageJson& bodies)
    {
        if (n_ >= few_bodies || bytes_of(run_, "bodies/velocity") > few_bytes / 4) {
            remark("velocities are left out: the page takes differences of poses");
            return;
        }
        for (const char* name : {"velocity", "angular_velocity", "angular_momentum"})
            bodies[name] = copied(data_, run_, text_of("bodies/", name));
    }

    PageJson described_shapes(PageJson& bodies)
    {
        PageJson shapes = PageJson::array();
        std::map<std::string, std::uint32_t> known; // the same shape is there once
        std::vector<std::uint32_t> numbers;
        for (std::size_t i = 0; i < n_; ++i) {
            const double* size = head_.shape_size.data() + 3 * i;
            const std::string key = fmt::format("{} {} {} {} {}", head_.shapes[i], size[0], size[1],
                                                size[2], head_.meshes[i]);
            const auto [at, added] = known.emplace(key, static_cast<std::uint32_t>(shapes.size()));
            if (added)
                shapes.push_back(described_shape(i));
            numbers.push_back(at->second);
        }
        if (shapes.empty())
            shapes.push_back({{"kind", "none"}});
        bodies["shape"] = data_.put("u32", {n_}, std::move(numbers));
        return shapes;
    }
    PageJson described_shape(std::size_t i)
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
            return {{"kind", kind}, {"sides", page_json(row_vec(size))}};
        if (good && kind == "ellipsoid")
            return {{"kind", kind}, {"half_axes", page_json(row_vec(size))}};
        if (good && kind == "ball")
            return {{"kind", kind}, {"radius", size[0]}};
        if (good && round)
            return {{"kind", kind}, {"radius", size[0]}, {"height", size[1]}};
        if (kind == "mesh")
            return described_mesh(head_.meshes[i]);
        return {{"kind", "none"}};
    }
    /// Shapes that stand in the world, beside its ground.
    PageJson described_surfaces(const Scene& scene, PageJson& shapes)
    {
        PageJson surfaces = PageJson::array();
        const std::vector<Skin>& skins = scene.model->skins();
        for (std::size_t i = 0; i < std::min(skins.size(), scene.skins.size()); ++i) {
            const Scene::SkinSource& source = scene.skins[i];
            if (skins[i].body != world || !skins[i].collider.bounded() ||
                std::holds_alternative<std::monostate>(source.shape))
                continue;
            PageJson surface{{"name", skins[i].name}, {"shape", shapes.size()}};
            surface.update(page_json(skins[i].pose));
            if (source.scale != Vec3<double>{1, 1, 1})
                surface["scale"] = page_json(source.scale);
            surfaces.push_back(std::move(surface));
            shapes.push_back(std::visit([&](const auto& s) { return json_of(s); }, source.shape));
        }
        return surfaces;
    }
    static PageJson json_of(std::monostate) { return {{"kind", "none"}}; }
    static PageJson json_of(const Box& s)
    {
        return {{"kind", "box"}, {"sides", page_json(s.size)}};
    }
    static PageJson json_of(const Ball& s) { return {{"kind", "ball"}, {"radius", s.radius}}; }
    static PageJson json_of(const Ellipsoid& s)
    {
        return {{"kind", "ellipsoid"}, {"half_axes", page_json(s.semi_axes)}};
    }
    template <class Round>
    static PageJson round_json(const char* kind, const Round& s)
    {
        return {{"kind", kind}, {"radius", s.radius}, {"height", s.height}};
    }
    static PageJson json_of(const Cylinder& s) { return round_json("cylinder", s); }
    static PageJson json_of(const Capsule& s) { return round_json("capsule", s); }
    static PageJson json_of(const Cone& s) { return round_json("cone", s); }
    PageJson json_of(const MeshShape& s) { return described_mesh(s.path); }

    PageJson described_mesh(const std::string& path)
    {
        const Result<Surface> surface = mesh_of(scene_, path);
        if (!surface) {
            remark("the mesh '{}' is shown as a box of the same inertia: {}", path,
                   surface.problems().list().front().what);
            return {{"kind", "none"}};
        }
        std::vector<float> vertices;
        std::vector<std::uint32_t> triangles;
        for (const Vec3<double>& v : surface->vertices)
            vertices.insert(vertices.end(), {static_cast<float>(v.x), static_cast<float>(v.y),
                                             static_cast<float>(v.z)});
        for (const auto& face : surface->faces)
            for (const int corner : face)
                triangles.push_back(static_cast<std::uint32_t>(corner));
        const std::size_t v = vertices.size() / 3, t = triangles.size() / 3;
        return {{"kind", "mesh"},
                {"vertices", data_.put("f32", {v, 3}, std::move(vertices))},
                {"triangles", data_.put("u32", {t, 3}, std::move(triangles))}};
    }

    const TrajectoryReader& run_;
    const TrajectoryHead& head_;
    std::size_t n_;
    const std::vector<ReportFact>& facts_;
    std::uint64_t small_;
    const std::function<void(double)>& progress_;
    PageData& data_;
    ReportMade& made_;
    const RunScene scene_;
    PageJson time_;
    std::vector<double> gyration_; // radii, of all that has mass
};

} // namespace

PageJson described_run(const TrajectoryReader& run, const std::vector<ReportFact>& facts,
                       std::uint64_t small, const std::function<void(double)>& progress,
                       PageData& data, ReportMade& made)
{
    return RunOnPage(run, facts, small, progress, data, made).described();
}

void refuse_as_too_long(const TrajectoryReader& run, std::uint64_t bytes)
{
    Problems found;
    found.add(run.file().string(), "is too long for a page: ", bytes >> 20, " MiB, more than the ",
              most_page_data >> 20,
              " that a browser takes; keep fewer frames (poinsot run --every 10)");
    throw NotMade{std::move(found)};
}

} // namespace poinsot
