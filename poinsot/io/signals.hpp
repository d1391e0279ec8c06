// SPDX-License-Identifier: MIT
#pragma once

// Everything in a trajectory that is one number in each frame, by name, and chosen ones as CSV. The
// names are those of the page's plots:
//
//     rod / position x        rod / velocity size      rod / attitude w
//     rod / gravity force y   hinge / angle            hinge / reaction force size
//     energy / total          residual / p             ledger / joint work
//     root / bending x        root / utilisation       fuel / content
//     elevator / setting      ball and ground / normal force
//     capsule / latitude      capsule / heading        whole / load factor

#include "poinsot/io/trajectory_read.hpp"

#include <functional>
#include <map>
#include <memory>

namespace poinsot {

class RunSignals {
  public:
    /// The run must outlive them.
    explicit RunSignals(const TrajectoryReader& run);
    ~RunSignals();

    struct Signal {
        std::string name, unit;
    };
    const std::vector<Signal>& list() const { return signals_; }

    /// Numbers of signals by their names; of one that is unknown, a near one is offered.
    Result<std::vector<std::size_t>> named(const std::vector<std::string>& names) const;
    /// The same for texts in which several names may stand, with commas between them: a text that
    /// is a name itself is that one.
    Result<std::vector<std::size_t>> chosen(const std::vector<std::string>& texts) const;

    /// A line of names and units, then one for each frame: time, then these signals, in the
    /// shortest digits that read back to the same bits. The file is there whole or not at all.
    Problems write_csv(
        const std::vector<std::size_t>& chosen, const std::filesystem::path& to,
        const std::function<void(double)>& progress = [](double) {}) const;

  private:
    /// Where a signal comes from: `wide` neighbours in a row of a series, of which it is the size;
    /// or all of `series` added.
    struct Source {
        std::vector<std::string> series;
        std::size_t first = 0, wide = 1;
        int pair =
            -1; // of surfaces: of all their points, the normal forces (first = 0) or friction
        int flight = -1; // of what pilots read
    };
    void add(std::string name, std::string unit, Source source);
    void add_vector(const std::string& name, const std::string& unit, const std::string& series,
                    std::size_t first);
    void add_ledger();
    void add_body(std::size_t body);
    void add_forces();
    void add_contacts();
    void add_cuts();
    void add_parts();
    void add_coordinates();
    void add_flight();

    struct Model; // what is computed from poses
    const TrajectoryReader& run_;
    std::vector<Signal> signals_;
    std::vector<Source> sources_; // without series: coordinates, which come first, or flight
    std::map<std::string, std::size_t, std::less<>> numbers_;
    std::vector<std::pair<int, int>> pairs_; // of surfaces that touch in some frame
    std::unique_ptr<Model> model_;
};

/// A column name of CSV, in quotes where a comma or a quote would break the line.
std::string csv_column(const std::string& name);

} // namespace poinsot
