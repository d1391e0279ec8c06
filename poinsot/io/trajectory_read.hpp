// SPDX-License-Identifier: MIT
#pragma once

// Trajectory files read back. Layout: docs/trajectory-format.md.
//
// A file may be damaged, cut short, another program's, of a later layout, or its writer may have
// died: what is wrong is said with the file and the place in it. Frames that were not finished are
// not there: a file has as many as /time has entries.
//
// HDF5 crashes on some damaged files. All of a file is therefore read once in a child process with
// limits (guarded.hpp, decision 7), and here only when that came to its end.

#include "poinsot/base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poinsot {

/// All of a trajectory file but what there is for each frame.
struct TrajectoryHead {
    int layout_major = 0, layout_minor = 0;
    std::string title;

    std::string program, compiler, scene_file, scene_identity, integrator, state_form;
    std::string scene_as_read;
    double step = 0, until = 0;

    // Per body; particles last.
    std::vector<std::string> names, shapes, meshes;
    std::vector<double> particle, mass, center_of_mass, inertia,
        shape_size; // n times 1, 1, 3, 9, 3

    std::vector<double> time, step_of_frame;

    // Since layout 1.2, where forces were recorded: the series forces/force and forces/torque have
    // a column for each of these causes, joints/reaction_force and joints/reaction_torque for each
    // joint.
    std::vector<std::string> force_causes;
    struct JointRow {
        std::string name, kind; // kind as in scenes, or "held": a point of body b is held
        int a, b;               // −1: the world
        bool unique;            // the equations alone say what it carries
    };
    std::vector<JointRow> joints;
    // Since layout 1.3: the series rotors/momentum and rotors/spin have a column for each.
    std::vector<std::string> rotors;
    // Since layout 1.4: the series tanks/content and tanks/level have a column for each.
    std::vector<std::string> tanks;
    std::vector<std::size_t> tank_bodies; // whose mass has what is in the tank
    // Since layout 1.6: the series controls/value has a column for each.
    std::vector<std::string> controls;

    // Since layout 1.3, where forces were recorded of a model that touches: surfaces by name, the
    // body of each (−1: the world), and where the contacts of each frame end in the list of all.
    std::vector<std::string> surfaces;
    std::vector<int> surface_body;
    std::vector<std::size_t> contacts_end;

    // Since layout 1.5: the series cuts/force (shear x, shear y, tension), cuts/moment (bending x,
    // bending y, torsion), cuts/utilisation, cuts/largest_utilisation and cuts/gone have a column
    // for each.
    struct CutRow {
        std::string name, of;            // "body", "joint" or "bushing"
        int body;                        // in whose frame the section is; −1: the world
        std::vector<double> position;    // 3
        std::vector<double> orientation; // w x y z; z across the cut
        std::vector<double> limits;      // tension, compression, shear, bending, torsion
    };
    std::vector<CutRow> cuts;

    struct Event {
        double time;
        std::string kind, text;
        std::string name, load; // since layout 1.5: of what, and which load passed its limit
        double utilisation = 0;
    };
    std::vector<Event> events;

    // With detail "off" there are no books: no opening, and none of the series of /ledger.
    std::string ledger_detail, L_about;
    std::int64_t ledger_every = 1;
    std::vector<std::string> causes;
    struct Opening {
        std::string name;           // "mass", "p", "gravity_store"
        std::vector<double> values; // 1 or 3
    };
    std::vector<Opening> opening;

    std::string ended, state_hash, balanced, verdict;
    // Since layout 1.6, of a run that came to its end: what it took.
    struct Cost {
        double processor_seconds, wall_seconds, steps;
    };
    std::optional<Cost> cost;
};

class TrajectoryReader {
  public:
    static Result<TrajectoryReader> open(const std::filesystem::path& file);
    TrajectoryReader(TrajectoryReader&&) noexcept;
    TrajectoryReader& operator=(TrajectoryReader&&) noexcept;
    ~TrajectoryReader();

    const std::filesystem::path& file() const;
    const TrajectoryHead& head() const;
    std::size_t frames() const { return head().time.size(); }
    std::size_t bodies() const { return head().names.size(); }

    // A series has a row of numbers for each frame: "bodies/position", "ledger/impulse".

    bool has(std::string_view series) const;
    /// The shape of one row: {n, 3}.
    const std::vector<std::size_t>& row_shape(std::string_view series) const;
    std::size_t row_size(std::string_view series) const;
    /// Rows from `first` on, as many as fit, one after another; or what stands in the way.
    Problems read(std::string_view series, std::size_t first, std::size_t count,
                  double* rows) const;

    /// Of all contacts of all frames from `first` on: "a" and "b" (surfaces), "point", "normal" and
    /// "force" (three each), "gap".
    std::size_t contacts() const
    {
        return head().contacts_end.empty() ? 0 : head().contacts_end.back();
    }
    Problems read_contacts(std::string_view what, std::size_t first, std::size_t count,
                           double* rows) const;

  private:
    struct Impl;
    explicit TrajectoryReader(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace poinsot
