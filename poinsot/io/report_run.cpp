// SPDX-License-Identifier: MIT
#include "poinsot/io/report_run.hpp"

#include "poinsot/forces/planet.hpp"
#include "poinsot/io/report_forces.hpp"
#include "poinsot/io/report_ledger.hpp"
#include "poinsot/io/report_poses.hpp"
#include "poinsot/io/report_shapes.hpp"
#include "poinsot/mass/principal.hpp"

#include <fmt/format.h>

#include <limits>

namespace poinsot {

namespace {

/// Seconds of processor and of the wall, steps, and how fast time went by.
std::string cost_in_words(const TrajectoryHead::Cost& cost, double h)
{
    std::string text = fmt::format("{:.3g} s of processor, {:.3g} s by the clock, {:.0f} steps",
                                   cost.processor_seconds, cost.wall_seconds, cost.steps);
    if (cost.steps > 0 && cost.wall_seconds > 0)
        text +=
            fmt::format(", {:.3g} µs a step, {:.3g} times real time",
                        1e6 * cost.wall_seconds / cost.steps, cost.steps * h / cost.wall_seconds);
    return text;
}

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
        ShapesOnPage shapes(run_, scene_, data_, made_.remarks);
        bodies["shape"] = data_.put("u32", {n_}, shapes.of_bodies());

        const std::optional<Scene>& scene = scene_.scene;
        PageJson run{{"title", head_.title}};
        if (scene && !scene->story.empty())
            run["story"] = scene->story;
        run["facts"] = facts();
        run["outcome"] = {
            {"ended", head_.ended}, {"balanced", head_.balanced}, {"verdict", head_.verdict}};
        if (scene && norm2(scene->model->gravity().uniform) > 0)
            run["gravity"] = page_json(scene->model->gravity().uniform);
        if (const auto g = scene ? gravity_below(*scene->model) : std::nullopt) {
            run["gravity"] = page_json(*g);
            run["round"] = true;
        }
        if (scene)
            if (const auto ground = ground_of(*scene->model))
                run["ground"] = described_plane(scene->model->skins()[*ground]);
        run["frames"] = std::move(frames);
        run["samples"] = {{"time", time_},
                          {"step", data_.f64({run_.frames()}, head_.step_of_frame)}};
        run["bodies"] = std::move(bodies);
        if (scene) {
            if (PageJson surfaces = shapes.surfaces(); !surfaces.empty())
                run["surfaces"] = std::move(surfaces);
            if (PageJson planes = shapes.planes(); !planes.empty())
                run["planes"] = std::move(planes);
        }
        run["shapes"] = std::move(shapes).list();
        if (scene) {
            run["joints"] = described_joints(*scene->model, run_, data_);
            run["springs"] = described_springs(*scene->model);
            run["bushings"] = described_bushings(*scene->model, run_);
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
        // Since layout 1.6 all impacts are events, each at its moment.
        run["impacts_listed"] = head_.layout_minor >= 6;
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
        if (head_.cost)
            fact("cost", cost_in_words(*head_.cost, head_.step));
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
        if (PageJson moves = moving_centers(); !moves.empty())
            bodies["center_moves"] = std::move(moves);
        bodies["moments"] = data_.f64({n_, 3}, std::move(moments));
        bodies["principal"] = data_.f64({n_, 4}, std::move(principal));
        return bodies;
    }

    /// Over a round planet: which way is down for all of the run, where it stays within a
    /// twentieth of a turn of the place where it starts.
    std::optional<Vec3<double>> gravity_below(const Model& model) const
    {
        const Planet& planet = model.planet();
        if (planet.flat || !(planet.mu > 0) || n_ == 0)
            return std::nullopt;
        std::optional<Vec3<double>> start;
        bool stays = true;
        in_slabs(run_, "bodies/position", [&](std::size_t, std::size_t count, const double* x) {
            for (std::size_t i = 0; i < count; ++i) {
                const Vec3<double> at = row_vec(x + 3 * n_ * i);
                if (!start)
                    start = at;
                stays = stays && dot(at, *start) > 0.95 * norm(at) * norm(*start);
            }
        });
        if (!stays || !start)
            return std::nullopt;
        return gravitation(planet, *start);
    }

    /// Of bodies with tanks: where their centres of mass are in them, sample by sample. Contents
    /// are in the file, and how they fill their tanks in the scene.
    PageJson moving_centers()
    {
        PageJson moves = PageJson::array();
        if (!scene_.scene || !run_.has("tanks/content") ||
            3 * bytes_of(run_, "tanks/content") > few_bytes / 4)
            return moves;
        const Model& model = *scene_.scene->model;
        const std::size_t tanks = model.tanks().size();
        if (run_.row_size("tanks/content") != tanks)
            return moves;
        std::vector<std::vector<double>> centers(model.vessels().size());
        in_slabs(run_, "tanks/content", [&](std::size_t, std::size_t count, const double* rows) {
            for (std::size_t i = 0; i < count; ++i)
                for (std::size_t k = 0; k < centers.size(); ++k) {
                    const LoadedMass now(model.vessels()[k].dry, model.vessels()[k].fills,
                                         {rows + i * tanks, tanks});
                    const Vec3<double> c = vec_of(now.center);
                    centers[k].insert(centers[k].end(), {c.x, c.y, c.z});
                }
        });
        for (std::size_t k = 0; k < centers.size(); ++k) {
            const std::vector<double>& c = centers[k];
            bool moved = false;
            for (std::size_t i = 3; i < c.size(); ++i)
                moved = moved || c[i] != c[i - 3];
            if (moved)
                moves.push_back({{"body", model.vessels()[k].body},
                                 {"values", data_.f64({run_.frames(), 3}, c)}});
        }
        return moves;
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
        const std::size_t first = signals.size();
        add(head_.tanks, "tanks/content", "content", "kg");
        for (std::size_t i = first; i < signals.size(); ++i)
            signals[i]["mass_of"] = head_.tank_bodies[i - first];
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
