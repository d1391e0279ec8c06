// SPDX-License-Identifier: MIT
#include "poinsot/io/trajectory_hdf5.hpp"

#include "poinsot/base/version.hpp"
#include "poinsot/forces/gyrostat.hpp"
#include "poinsot/io/hdf5_driver.hpp"
#include "poinsot/io/ledger_text.hpp"
#include "poinsot/io/trajectory_series.hpp"
#include "poinsot/step/acting.hpp"
#include "poinsot/step/impulsive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <unistd.h>

namespace poinsot {

namespace {

using Clock = std::chrono::steady_clock;
using hdf5::attribute, hdf5::Extent, hdf5::fitted, hdf5::fixed, hdf5::fixed_text_type,
    hdf5::fixed_texts, hdf5::group, hdf5::Series, hdf5::Slot, hdf5::text_attribute,
    hdf5::AccountSeries, hdf5::ControlSeries, hdf5::CutSeries, hdf5::EventSeries;

using hdf5::push, hdf5::text_size, hdf5::word_size;

std::string_view kind_of(const Shape& shape)
{
    constexpr std::array<std::string_view, 8> names{"none",     "box",     "ball", "ellipsoid",
                                                    "cylinder", "capsule", "cone", "mesh"};
    static_assert(std::variant_size_v<Shape> == names.size());
    return names[shape.index()];
}
/// Three numbers that describe a shape: its sides, half axes, or radius and height.
Vec3<double> size_of(const Shape& shape)
{
    struct Size {
        Vec3<double> operator()(std::monostate) const { return zero3<double>(); }
        Vec3<double> operator()(const Box& s) const { return s.size; }
        Vec3<double> operator()(const Ball& s) const { return {s.radius, s.radius, s.radius}; }
        Vec3<double> operator()(const Ellipsoid& s) const { return s.semi_axes; }
        Vec3<double> operator()(const Cylinder& s) const { return {s.radius, s.height, 0}; }
        Vec3<double> operator()(const Capsule& s) const { return {s.radius, s.height, 0}; }
        Vec3<double> operator()(const Cone& s) const { return {s.radius, s.height, 0}; }
        Vec3<double> operator()(const MeshShape&) const { return zero3<double>(); }
    };
    return std::visit(Size{}, shape);
}

class Hdf5Writer : public TrajectoryWriter {
  public:
    explicit Hdf5Writer(std::filesystem::path path) : path_(std::move(path)) {}
    ~Hdf5Writer() override
    {
        if (file_ < 0)
            return;
        close_sets();
        H5Fclose(file_);
    }

    std::optional<std::string> begin(const Scene& scene, const Simulation& run,
                                     const TrajectoryOptions& options)
    {
        return guarded([&] {
            // Under another name until a reader can open it: no half file in place of a good one.
            std::filesystem::path temporary = path_;
            temporary += ".part";
            const Handle access = need(lasting_access(fault_), H5Pclose);
            file_ = H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
            need(static_cast<herr_t>(file_ < 0 ? -1 : 0));
            created_ = true;
            describe(scene, run);
            describe_bodies(run);
            describe_rotors(run.model());
            describe_tanks(run.model());
            if (!run.model().cuts().empty())
                cuts_.emplace(file_, run.model());
            if (!run.model().controls().empty())
                controls_.emplace(file_, run.model());
            if (options.forces.value_or(run.model().bodies().size() <=
                                        TrajectoryOptions::forces_up_to)) {
                describe_forces(run);
                describe_contacts(run.model());
            }
            describe_ledger(scene, run);
            need(H5Fflush(file_, H5F_SCOPE_GLOBAL));
            need(H5Fstart_swmr_write(file_));
            if (fault_->error != 0)
                throw Failed{};
            if (::rename(temporary.c_str(), path_.c_str()) != 0) {
                fault_->error = errno;
                throw Failed{};
            }
            named_ = true;
        });
    }
    void remove_partial()
    {
        if (!named_ && created_)
            ::unlink((path_.string() + ".part").c_str());
    }

    std::optional<std::string> write(const Simulation& run) override
    {
        return guarded([&] {
            add_frame(run);
            add_happenings(run);
            std::size_t waiting = 0;
            for (const Series& s : series_)
                waiting += s.bytes();
            if (waiting > (std::size_t{4} << 20) ||
                Clock::now() - flushed_ > std::chrono::seconds(1))
                append();
        });
    }
    std::optional<std::string> event(const Simulation& run, std::string_view kind,
                                     std::string_view text) override
    {
        return guarded([&] {
            add_happenings(run);
            events_->add(
                {.time = run.time(), .step = run.state().step, .kind = kind, .text = text});
        });
    }
    std::optional<std::string> flush() override
    {
        return guarded([&] { append(); });
    }
    std::optional<std::string> finish(const Simulation& run, std::string_view ended,
                                      const std::optional<RunCost>& cost) override
    {
        const auto problem = guarded([&] {
            add_happenings(run);
            if (const std::int64_t more = run.happenings().left_out(); more > 0)
                events_->add({.time = run.time(),
                              .step = run.state().step,
                              .kind = "left_out",
                              .text = fmt::format("{} more events are not listed", more)});
            append();
            slots_.at(0).write(fmt::format("{:016x}", hash_of(run.state())));
            slots_.at(2).write(run.ledger().off()        ? "not kept"
                               : run.ledger().balanced() ? "yes"
                                                         : "no");
            slots_.at(3).write(run.ledger().verdict());
            if (cost) {
                numbers_.at(0).write(cost->processor_seconds);
                numbers_.at(1).write(cost->wall_seconds);
                numbers_.at(2).write(static_cast<double>(cost->steps));
            }
            need(H5Fflush(file_, H5F_SCOPE_GLOBAL));
            slots_.at(1).write(ended);
            need(H5Fflush(file_, H5F_SCOPE_GLOBAL));
        });
        if (problem)
            return problem;
        return guarded([&] {
            close_sets();
            const hid_t file = file_;
            file_ = -1;
            need(H5Fclose(file));
        });
    }

  private:
    /// Runs what may fail. After a failure the file stays as it is on the disk.
    template <class F>
    std::optional<std::string> guarded(F&& f)
    {
        try {
            f();
            if (fault_->error != 0)
                throw Failed{};
            return std::nullopt;
        } catch (const Failed&) {
            std::string why =
                fmt::format("{}: cannot be written: {}", path_.string(),
                            fault_->error ? std::strerror(fault_->error) : "HDF5 refused");
            if (fault_->error == ENOSPC || fault_->error == EDQUOT)
                why += "; make room, or write elsewhere";
            else if (fault_->error == EFBIG)
                why += "; the limit on file sizes is reached (ulimit -f)";
            else if (fault_->error == ENOENT)
                why += "; does its folder exist?";
            if (named_)
                why += "; what was written before is readable";
            return why;
        }
    }

    Series& series(hid_t at, const char* name, hid_t type, const Extent& row, const char* unit = "")
    {
        return series_.emplace_back(at, name, type, row, unit);
    }

    void describe(const Scene& scene, const Simulation& run)
    {
        const RunSettings& s = run.settings();
        text_attribute(file_, "format", "poinsot trajectory");
        attribute<std::int64_t>(file_, "layout_version", {layout_major, layout_minor});
        text_attribute(file_, "title", scene.title);
        const Handle g = group(file_, "provenance", "what made this file");
        text_attribute(g, "program", fmt::format("poinsot {}", version()));
        text_attribute(g, "compiler",
#if defined(__clang__)
                       fmt::format("clang++ {}.{}", __clang_major__, __clang_minor__)
#else
                       fmt::format("g++ {}.{}", __GNUC__, __GNUC_MINOR__)
#endif
        );
        text_attribute(g, "scene_file", scene.file);
        text_attribute(g, "scene_identity", fmt::format("{:016x}", identity_of(scene)));
        text_attribute(g, "integrator", std::string(facts_of(s.step.method).name));
        text_attribute(g, "state_form", std::string(name_of(s.step.form)));
        attribute<double>(g, "step", {s.step.h});
        attribute<double>(g, "until", {s.until});
        attribute<std::int64_t>(g, "output_every", {scene.output_every});
        attribute<std::int64_t>(g, "first_step", {run.state().step});
        fixed_texts(g, "scene_text", {scene.text});
        fixed_texts(g, "scene_as_read", {write_scene(scene)});

        series(file_, "time", H5T_NATIVE_DOUBLE, {}, "s");
        series(file_, "step", H5T_NATIVE_INT64, {});

        group(file_, "joints", "what they bind, and what they carry in each frame");
        group(file_, "contacts", "where bodies touch, and with what force, in each frame");
        // Room for what later versions record; readers find the group and nothing in it.
        group(file_, "inputs", "what the user did, per frame");
        events_.emplace(file_);

        const Handle final = group(file_, "final", "how the run ended");
        slots_.emplace_back(final, "state_hash", word_size, "");
        slots_.emplace_back(final, "ended", word_size, "running");
        slots_.emplace_back(final, "balanced", word_size, "");
        slots_.emplace_back(final, "verdict", text_size, "");
        numbers_.emplace_back(final, "processor_seconds", "s");
        numbers_.emplace_back(final, "wall_seconds", "s");
        numbers_.emplace_back(final, "steps");
    }

    void describe_bodies(const Simulation& run)
    {
        const Model& model = run.model();
        const hsize_t n = model.bodies().size();
        std::vector<std::string> names, shapes, meshes;
        std::vector<double> mass, center, inertia, sizes;
        std::vector<std::int8_t> particle;
        for (std::size_t i = 0; i < n; ++i) {
            const Body& body = model.bodies()[i];
            const BodyMass& m = model.masses()[i];
            names.push_back(body.name);
            shapes.emplace_back(kind_of(body.shape));
            const auto* mesh = std::get_if<MeshShape>(&body.shape);
            meshes.push_back(mesh ? mesh->path : "");
            particle.push_back(body.particle ? 1 : 0);
            mass.push_back(m.m);
            push(center, m.center);
            push(sizes, size_of(body.shape));
            const Sym3<double>& I = m.I_b;
            inertia.insert(inertia.end(), {I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz});
        }
        const Handle g = group(file_, "bodies", "what they are, and where they are in each frame");
        fixed_texts(g, "names", names);
        fixed(g, "particle", {n}, particle);
        fixed(g, "mass", {n}, mass, "kg");
        fixed(g, "center_of_mass", {n, 3}, center, "m");
        fixed(g, "inertia", {n, 3, 3}, inertia, "kg m^2");
        fixed_texts(g, "shape", shapes);
        fixed(g, "shape_size", {n, 3}, sizes, "m");
        fixed_texts(g, "shape_mesh", meshes);
        const hid_t real = H5T_NATIVE_DOUBLE;
        position_ = &series(g, "position", real, {n, 3}, "m");
        orientation_ = &series(g, "orientation", real, {n, 4});
        velocity_ = &series(g, "velocity", real, {n, 3}, "m/s");
        angular_velocity_ = &series(g, "angular_velocity", real, {n, 3}, "rad/s");
        momentum_ = &series(g, "momentum", real, {n, 3}, "kg m/s");
        angular_momentum_ = &series(g, "angular_momentum", real, {n, 3}, "kg m^2/s");
        if (run.settings().step.form == FormKind::matrix)
            rotation_ = &series(g, "rotation", real, {n, 3, 3});
    }

    void describe_rotors(const Model& model)
    {
        const hsize_t n = model.rotors().size();
        if (n == 0)
            return;
        std::vector<std::string> names;
        std::vector<std::int64_t> body;
        std::vector<double> axis, inertia;
        for (const Rotor& rotor : model.rotors()) {
            names.push_back(rotor.name);
            body.push_back(rotor.body);
            push(axis, rotor.axis);
            inertia.push_back(rotor.inertia);
        }
        const Handle g = group(file_, "rotors", "what spins in bodies, and how fast in each frame");
        fixed_texts(g, "names", names);
        fixed(g, "body", {n}, body);
        fixed(g, "axis", {n, 3}, axis);
        fixed(g, "inertia", {n}, inertia, "kg m^2");
        rotor_momentum_ = &series(g, "momentum", H5T_NATIVE_DOUBLE, {n}, "kg m^2/s");
        rotor_spin_ = &series(g, "spin", H5T_NATIVE_DOUBLE, {n}, "rad/s");
    }

    void describe_tanks(const Model& model)
    {
        const hsize_t n = model.tanks().size();
        if (n == 0)
            return;
        std::vector<std::string> names;
        std::vector<std::int64_t> body;
        std::vector<double> capacity;
        for (const Tank& tank : model.tanks()) {
            names.push_back(tank.name);
            body.push_back(tank.body);
            capacity.push_back(tank.capacity);
        }
        const Handle g = group(file_, "tanks", "what is in tanks of bodies in each frame");
        fixed_texts(g, "names", names);
        fixed(g, "body", {n}, body);
        fixed(g, "capacity", {n}, capacity, "kg");
        tank_content_ = &series(g, "content", H5T_NATIVE_DOUBLE, {n}, "kg");
        tank_level_ = &series(g, "level", H5T_NATIVE_DOUBLE, {n}, "m");
    }

    /// What acts by cause, and what joints carry; bodies that are held stand after the joints.
    void describe_forces(const Simulation& run)
    {
        const Model& model = run.model();
        acting_.emplace(model, run.settings().step, run.input());
        force_causes_ = causes_of(model, run.settings().step, run.input());
        const hsize_t n = model.bodies().size(), c = force_causes_.size();
        const hid_t real = H5T_NATIVE_DOUBLE;
        if (c > 0) {
            std::vector<std::string> names;
            for (const Cause cause : force_causes_)
                names.emplace_back(name_of(cause));
            const Handle g = group(file_, "forces", "what acts on each body in each frame");
            fixed_texts(g, "causes", names);
            force_ = &series(g, "force", real, {n, c, 3}, "N");
            torque_ = &series(g, "torque", real, {n, c, 3}, "N m");
        }
        std::vector<std::string> names, kinds;
        std::vector<std::int64_t> a, b;
        std::vector<std::int8_t> unique;
        const std::vector<bool> is_unique = reactions_unique(model);
        for (std::size_t j = 0; j < model.joints().size(); ++j) {
            const Joint& joint = model.joints()[j];
            names.push_back(joint.name);
            kinds.emplace_back(facts_of(joint.kind).name);
            a.push_back(joint.a);
            b.push_back(joint.b);
            unique.push_back(is_unique[j]);
        }
        for (std::size_t i = 0; i < n; ++i)
            if (model.bodies()[i].held) {
                names.push_back(model.bodies()[i].name);
                kinds.emplace_back("held");
                a.push_back(world);
                b.push_back(static_cast<std::int64_t>(i));
                unique.push_back(true);
            }
        const hsize_t rows = names.size();
        if (rows == 0)
            return;
        const Handle g = need(H5Gopen2(file_, "joints", H5P_DEFAULT), H5Gclose);
        fixed_texts(g, "names", names);
        fixed_texts(g, "kind", kinds);
        fixed(g, "a", {rows}, a);
        fixed(g, "b", {rows}, b);
        fixed(g, "unique", {rows}, unique);
        reaction_force_ = &series(g, "reaction_force", real, {rows, 3}, "N");
        reaction_torque_ = &series(g, "reaction_torque", real, {rows, 3}, "N m");
    }

    void add_forces(const Simulation& run)
    {
        acting_->look(run.state(), run.touches());
        const Model& model = run.model();
        const std::size_t n = model.bodies().size();
        row_.clear();
        torques_.clear();
        for (std::size_t i = 0; i < n; ++i)
            for (const Cause cause : force_causes_) {
                const Wrench<double>& W = acting_->on(i, cause);
                push(row_, W.F);
                push(torques_, W.tau);
            }
        if (force_) {
            force_->add(row_.data());
            torque_->add(torques_.data());
        }
        if (!reaction_force_)
            return;
        row_.clear();
        torques_.clear();
        for (std::size_t j = 0; j < model.joints().size(); ++j) {
            push(row_, acting_->joint(j).F);
            push(torques_, acting_->joint(j).tau);
        }
        for (std::size_t i = 0; i < n; ++i)
            if (model.bodies()[i].held) {
                push(row_, acting_->held(i));
                push(torques_, zero3<double>());
            }
        reaction_force_->add(row_.data());
        reaction_torque_->add(torques_.data());
    }

    /// Points of contact, those of all frames in one list; `end` says where those of a frame end.
    void describe_contacts(const Model& model)
    {
        if (model.skins().empty())
            return;
        std::vector<std::string> names;
        std::vector<std::int64_t> bodies;
        for (const Skin& skin : model.skins()) {
            names.push_back(skin.name);
            bodies.push_back(skin.body);
        }
        const Handle g = need(H5Gopen2(file_, "contacts", H5P_DEFAULT), H5Gclose);
        fixed_texts(g, "surfaces", names);
        fixed(g, "body", {names.size()}, bodies);
        const hid_t real = H5T_NATIVE_DOUBLE, whole = H5T_NATIVE_INT64;
        contact_a_ = &series(g, "a", whole, {});
        contact_b_ = &series(g, "b", whole, {});
        contact_point_ = &series(g, "point", real, {3}, "m");
        contact_normal_ = &series(g, "normal", real, {3});
        contact_gap_ = &series(g, "gap", real, {}, "m");
        contact_force_ = &series(g, "force", real, {3}, "N");
        contact_end_ = &series(g, "end", whole, {});
    }

    void add_contacts(const Simulation& run)
    {
        const double h = run.settings().step.h;
        for (const TouchRecord& touch : run.touches()) {
            const std::int64_t a = touch.a, b = touch.b;
            contact_a_->add(&a);
            contact_b_->add(&b);
            contact_point_->add({touch.point.x, touch.point.y, touch.point.z});
            contact_normal_->add({touch.normal.x, touch.normal.y, touch.normal.z});
            contact_gap_->add({touch.gap});
            const Vec3<double> F = (1 / h) * touch.impulse;
            contact_force_->add({F.x, F.y, F.z});
            ++contacts_;
        }
        contact_end_->add(&contacts_);
    }

    void describe_ledger(const Scene& scene, const Simulation& run)
    {
        const Books& books = run.ledger().books();
        const Handle g = group(file_, "ledger", "the books, as last closed, in each frame");
        text_attribute(g, "detail", std::string(name_of(run.settings().ledger.detail)));
        text_attribute(g, "L_about", name_of(scene.about));
        attribute<std::int64_t>(g, "every", {run.settings().ledger_every});
        std::vector<std::string> causes;
        for (const std::string_view cause : cause_names)
            causes.emplace_back(cause);
        fixed_texts(g, "causes", causes);
        if (run.ledger().off())
            return;
        const Balance& o = books.total.opening;
        const Handle opening = group(g, "opening", "balances at the start of the run");
        fixed<double>(opening, "mass", {}, {o.mass}, "kg");
        fixed<double>(opening, "p", {3}, {o.p.x, o.p.y, o.p.z}, "kg m/s");
        fixed<double>(opening, "L", {3}, {o.L.x, o.L.y, o.L.z}, "kg m^2/s");
        fixed<double>(opening, "spin", {3}, {o.spin.x, o.spin.y, o.spin.z}, "kg m^2/s");
        fixed<double>(opening, "kinetic_energy", {}, {o.T}, "J");
        for (const auto& [cause, energy] : own_stores)
            fixed<double>(opening, fmt::format("{}_store", name_of(cause)).c_str(), {},
                          {books.opening_stores.*energy}, "J");

        ledger_.emplace_back(g, Extent{});
        const hid_t real = H5T_NATIVE_DOUBLE;
        for (std::size_t i = 0; i < own_stores.size(); ++i) {
            const std::string name = fmt::format("{}_store", name_of(own_stores[i].cause));
            store_[i] = &series(g, name.c_str(), real, {}, "J");
            residual_store_[i] = &series(g, ("residual_" + name).c_str(), real, {}, "J");
        }
        if (run.settings().ledger.detail == Postings::Detail::bodies) {
            const Handle each = group(g, "bodies", "the same for every body");
            ledger_.emplace_back(each, Extent{run.model().bodies().size()});
        }
    }

    void add_frame(const Simulation& run)
    {
        time_.push_back(run.time());
        step_.push_back(run.state().step);
        const Placed placed = run.placed();
        const auto each = [&](Series& series, auto&& put) {
            row_.clear();
            for (std::size_t i = 0; i < placed.bodies.size(); ++i)
                put(i, placed.bodies[i]);
            series.add(row_.data());
        };
        each(*position_, [&](std::size_t, const PlacedBody& b) { push(row_, b.x); });
        each(*orientation_, [&](std::size_t i, const PlacedBody&) {
            const Quat<double> q = attitude(run.state(), i);
            row_.insert(row_.end(), {q.w, q.x, q.y, q.z});
        });
        each(*velocity_, [&](std::size_t, const PlacedBody& b) { push(row_, b.v); });
        each(*angular_velocity_, [&](std::size_t, const PlacedBody& b) { push(row_, b.omega); });
        each(*momentum_, [&](std::size_t, const PlacedBody& b) { push(row_, b.p); });
        each(*angular_momentum_, [&](std::size_t, const PlacedBody& b) { push(row_, b.L); });
        if (rotation_)
            each(*rotation_, [&](std::size_t, const PlacedBody& b) {
                push(row_, b.R.r0), push(row_, b.R.r1), push(row_, b.R.r2);
            });
        if (rotor_momentum_) {
            rotor_momentum_->add(placed.rotors.data());
            row_.clear();
            for (std::size_t i = 0; i < placed.rotors.size(); ++i) {
                const Rotor& rotor = run.model().rotors()[i];
                row_.push_back(rotor_spin(rotor, placed.rotors[i],
                                          placed.bodies[static_cast<std::size_t>(rotor.body)]));
            }
            rotor_spin_->add(row_.data());
        }
        if (tank_content_) {
            const std::vector<double>& contents = run.state().tanks;
            tank_content_->add(contents.data());
            row_.clear();
            for (std::size_t i = 0; i < contents.size(); ++i)
                row_.push_back(level_of(run.model().tanks()[i], contents[i]));
            tank_level_->add(row_.data());
        }
        if (cuts_)
            cuts_->add(run.cuts());
        if (controls_)
            controls_->add(run);
        if (acting_)
            add_forces(run);
        if (contact_end_)
            add_contacts(run);
        if (ledger_.empty())
            return;
        const Books& books = run.ledger().books();
        ledger_[0].add({&books.total, 1});
        if (ledger_.size() > 1)
            ledger_[1].add(books.bodies);
        for (std::size_t i = 0; i < own_stores.size(); ++i) {
            store_[i]->add({books.closing_stores.*own_stores[i].energy});
            residual_store_[i]->add({books.total.residual.stores.*own_stores[i].energy});
        }
    }

    /// What happened since this was last asked.
    void add_happenings(const Simulation& run)
    {
        const auto all = run.happenings().list();
        for (; told_ < all.size(); ++told_) {
            const Happening& one = all[told_];
            events_->add({.time = one.time,
                          .step = one.step,
                          .kind = name_of(one.kind),
                          .text = sentence(run.model(), one),
                          .name = name_of(run.model(), one),
                          .load = one.by,
                          .utilisation = one.utilisation});
        }
    }

    void close_sets()
    {
        series_.clear();
        ledger_.clear();
        cuts_.reset();
        controls_.reset();
        events_.reset();
        slots_.clear();
        numbers_.clear();
    }

    /// Time goes last, after all else is on its way: a file has as many frames as times.
    void append()
    {
        for (std::size_t i = 2; i < series_.size(); ++i)
            series_[i].append();
        for (AccountSeries& account : ledger_)
            account.each_series([](Series& s) { s.append(); });
        if (cuts_)
            cuts_->append();
        if (controls_)
            controls_->append();
        events_->append();
        need(H5Fflush(file_, H5F_SCOPE_GLOBAL));
        for (std::size_t i = 0; i < time_.size(); ++i) {
            series_[0].add(&time_[i]);
            series_[1].add(&step_[i]);
        }
        time_.clear();
        step_.clear();
        series_[1].append();
        need(H5Dflush(series_[1].set()));
        series_[0].append();
        need(H5Fflush(file_, H5F_SCOPE_GLOBAL));
        flushed_ = Clock::now();
    }

    std::filesystem::path path_;
    std::shared_ptr<WriteFault> fault_ = std::make_shared<WriteFault>();
    hid_t file_ = -1;
    bool created_ = false, named_ = false;
    std::deque<Series> series_; // time and step first; addresses stay
    std::deque<AccountSeries> ledger_;
    std::optional<CutSeries> cuts_;
    std::optional<ControlSeries> controls_;
    std::optional<EventSeries> events_;
    std::size_t told_ = 0;                 // happenings of the run that are written
    std::deque<Slot> slots_;               // state_hash, ended, balanced, verdict
    std::deque<hdf5::NumberSlot> numbers_; // what it cost
    Series *position_ = nullptr, *orientation_ = nullptr, *velocity_ = nullptr,
           *angular_velocity_ = nullptr, *momentum_ = nullptr, *angular_momentum_ = nullptr,
           *rotation_ = nullptr;
    Series *rotor_momentum_ = nullptr, *rotor_spin_ = nullptr;
    Series *tank_content_ = nullptr, *tank_level_ = nullptr;
    std::optional<Acting> acting_; // where forces are recorded
    std::vector<Cause> force_causes_;
    Series *force_ = nullptr, *torque_ = nullptr, *reaction_force_ = nullptr,
           *reaction_torque_ = nullptr;
    Series *contact_a_ = nullptr, *contact_b_ = nullptr, *contact_point_ = nullptr,
           *contact_normal_ = nullptr, *contact_gap_ = nullptr, *contact_force_ = nullptr,
           *contact_end_ = nullptr;
    std::int64_t contacts_ = 0; // so far
    std::array<Series*, own_stores.size()> store_{}, residual_store_{};
    std::vector<double> time_, row_, torques_;
    std::vector<std::int64_t> step_;
    Clock::time_point flushed_ = Clock::now();
};

} // namespace

Result<std::unique_ptr<TrajectoryWriter>> open_hdf5(const std::filesystem::path& file,
                                                    const Scene& scene, const Simulation& run,
                                                    const TrajectoryOptions& options)
{
    Problems found;
    std::error_code error;
    const auto kind = std::filesystem::status(file, error).type();
    if (kind != std::filesystem::file_type::not_found &&
        kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::none) {
        found.add(file.string(), "is not a regular file; an HDF5 file needs one");
        return found;
    }
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // problems are ours to tell
    auto writer = std::make_unique<Hdf5Writer>(file);
    if (const auto problem = writer->begin(scene, run, options)) {
        writer->remove_partial();
        const std::size_t colon = problem->find(": ");
        found.add(problem->substr(0, colon), problem->substr(colon + 2));
        return found;
    }
    return std::unique_ptr<TrajectoryWriter>(std::move(writer));
}

} // namespace poinsot
