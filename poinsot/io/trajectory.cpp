// SPDX-License-Identifier: MIT
#include "poinsot/io/trajectory.hpp"

#include "poinsot/forces/control_now.hpp"
#include "poinsot/io/number.hpp"
#include "poinsot/io/safe_file.hpp"
#include "poinsot/io/signals.hpp"
#include "poinsot/io/trajectory_hdf5.hpp"
#include "poinsot/step/cut_watch.hpp"

#include <fmt/format.h>

namespace poinsot {

namespace {

/// One line per frame: time, then place, attitude and velocities of every body, then energies.
class CsvWriter : public TrajectoryWriter {
  public:
    CsvWriter(const std::filesystem::path& file, const Simulation& run)
        : out_(file), matrix_(run.settings().step.form == FormKind::matrix)
    {
        out_.keep_partial = true; // a run that is killed leaves what it had in FILE.part
        std::string head = "time [s]";
        for (const Body& body : run.model().bodies()) {
            const auto columns = [&](const char* unit, std::initializer_list<const char*> names) {
                for (const char* name : names)
                    head += fmt::format(",{}", csv_column(body.name + "." + name + unit));
            };
            columns(" [m]", {"x", "y", "z"});
            if (matrix_)
                columns("", {"Rxx", "Rxy", "Rxz", "Ryx", "Ryy", "Ryz", "Rzx", "Rzy", "Rzz"});
            else
                columns("", {"qw", "qx", "qy", "qz"});
            columns(" [m/s]", {"vx", "vy", "vz"});
            columns(" [rad/s]", {"wx", "wy", "wz"});
        }
        head += ",kinetic_energy [J]";
        for (const auto& [cause, energy] : own_stores)
            head += fmt::format(",{}_store [J]", name_of(cause));
        for (const Cut& cut : run.model().cuts())
            for (const char* name : {"tension [N]", "shear_x [N]", "shear_y [N]", "bending_x [N m]",
                                     "bending_y [N m]", "torsion [N m]", "utilisation"})
                head += fmt::format(",{}", csv_column(cut.name + "." + name));
        for (const Control& control : run.model().controls())
            head += fmt::format(",{}", csv_column(control.name + ".setting"));
        out_.write(head + "\n");
        out_.flush();
    }

    std::optional<std::string> write(const Simulation& run) override
    {
        const Placed placed = run.placed();
        line_ = exact(run.time());
        double T = 0;
        for (std::size_t i = 0; i < placed.bodies.size(); ++i) {
            const PlacedBody& body = placed.bodies[i];
            put(body.x);
            if (matrix_)
                put(body.R.r0), put(body.R.r1), put(body.R.r2);
            else {
                const Quat<double> q = attitude(run.state(), i);
                put(q.w), put(q.x), put(q.y), put(q.z);
            }
            put(body.v);
            put(body.omega);
            T += body.kinetic_energy();
        }
        const Stores stores = stores_of(run.model(), placed);
        put(T);
        for (const auto& [cause, energy] : own_stores)
            put(stores.*energy);
        for (const CutRecord& cut : run.cuts()) {
            const SectionLoad& load = cut.load;
            put(load.tension), put(load.shear_x), put(load.shear_y);
            put(load.bending_x), put(load.bending_y), put(load.torsion);
            put(cut.utilisation);
        }
        const ControlsNow controls{&run.model().controls(), &run.input(), run.time()};
        for (std::size_t i = 0; i < run.model().controls().size(); ++i)
            put(controls[static_cast<int>(i)]);
        out_.write(line_ + "\n");
        return out_.problem();
    }
    std::optional<std::string> event(const Simulation&, std::string_view, std::string_view) override
    {
        return out_.problem();
    }
    std::optional<std::string> finish(const Simulation&, std::string_view,
                                      const std::optional<RunCost>&) override
    {
        out_.finish();
        return out_.problem();
    }
    std::optional<std::string> flush() override
    {
        out_.flush();
        return out_.problem();
    }

  private:
    void put(double value)
    {
        line_ += ',';
        line_ += exact(value);
    }
    void put(const Vec3<double>& a) { put(a.x), put(a.y), put(a.z); }

    SafeFile out_;
    bool matrix_;
    std::string line_;
};

} // namespace

Quat<double> attitude(const State& state, std::size_t body)
{
    return std::visit(
        [&](const auto& bodies) {
            const auto& a = bodies[body].attitude;
            if constexpr (std::same_as<std::decay_t<decltype(a)>, Quat<double>>)
                return a;
            else
                return quat_of(a);
        },
        state.bodies);
}

Result<std::unique_ptr<TrajectoryWriter>> TrajectoryWriter::open(const std::filesystem::path& file,
                                                                 const Scene& scene,
                                                                 const Simulation& run,
                                                                 const TrajectoryOptions& options)
{
    const std::string kind = file.extension().string();
    if (kind == ".h5" || kind == ".hdf5")
        return open_hdf5(file, scene, run, options);
    Problems found;
    std::error_code error;
    if (kind == ".csv" || std::filesystem::is_character_file(file, error) ||
        std::filesystem::is_fifo(file, error)) {
        auto writer = std::make_unique<CsvWriter>(file, run);
        if (const auto problem = writer->flush()) {
            const std::size_t colon = problem->find(": ");
            found.add(problem->substr(0, colon), problem->substr(colon + 2));
            return found;
        }
        return std::unique_ptr<TrajectoryWriter>(std::move(writer));
    }
    found.add(file.string(), "how should this be written? Name it FILE.h5 or FILE.csv");
    return found;
}

} // namespace poinsot
