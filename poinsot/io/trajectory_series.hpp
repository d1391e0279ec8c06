// SPDX-License-Identifier: MIT
#pragma once

// Datasets of a trajectory file that grow together: what cuts carry, where controls stand, events.
// For .cpp files of io only.

#include "poinsot/io/hdf5_write.hpp"
#include "poinsot/step/cut_watch.hpp"
#include "poinsot/step/simulate.hpp"

#include <span>

namespace poinsot::hdf5 {

inline constexpr std::size_t text_size =
    512; // of an event or a verdict; HDF5's growing files hold fixed texts
inline constexpr std::size_t name_size = 128, word_size = 32;

inline void push(std::vector<double>& row, const Vec3<double>& a)
{
    row.insert(row.end(), {a.x, a.y, a.z});
}

/// /cuts: where the sections are, what they may carry, and what they carry in each frame.
class CutSeries {
  public:
    CutSeries(hid_t file, const Model& model);
    void add(std::span<const CutRecord> records);
    void append();

  private:
    CutSeries(const Handle& group, hsize_t cuts);
    Series force_, moment_, utilisation_, largest_, gone_;
    std::vector<double> row_;
    std::vector<std::int8_t> flags_;
};

/// /controls: where each stands in each frame, by its schedule or by the input of the step.
class ControlSeries {
  public:
    ControlSeries(hid_t file, const Model& model);
    void add(const Simulation& run);
    void append() { value_.append(); }

  private:
    ControlSeries(const Handle& group, hsize_t controls);
    Series value_;
    std::vector<double> row_;
};

/// /events, a row for each.
class EventSeries {
  public:
    explicit EventSeries(hid_t file);

    struct Row {
        double time = 0;
        std::int64_t step = 0;
        std::string_view kind, text;
        std::string_view name = {}, load = {}; // of what, and which load passed its limit
        double utilisation = 0;                // where a limit was passed
    };
    void add(const Row& row);
    void append();

  private:
    explicit EventSeries(const Handle& group);
    Series time_, step_, kind_, text_, name_, load_, utilisation_;
};

} // namespace poinsot::hdf5
