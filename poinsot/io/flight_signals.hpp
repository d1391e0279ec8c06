// SPDX-License-Identifier: MIT
#pragma once

// What pilots read, frame by frame of a trajectory: place, attitude and airflow of bodies, airflow
// of what the air acts on, and height, speed and load factor of the whole. For .cpp files of io
// only.
//
//     capsule / latitude     capsule / heading          capsule / airspeed     capsule / Mach
//     tail / sideslip        tail / angle of attack     whole / load factor

#include "poinsot/io/run_scene.hpp"
#include "poinsot/state/placed.hpp"

namespace poinsot {

class FlightSignals {
  public:
    /// Of all bodies over a round planet; over a flat one with air, of those the air acts on.
    FlightSignals(const Model& model, const TrajectoryReader& run);

    const std::vector<CoordinateSignals::Named>& names() const { return names_; }
    /// All of them in one frame; frames are asked for in order.
    const std::vector<double>& at(std::size_t frame);

  private:
    struct Reading {
        std::size_t body;
        Quat<double> axes;
        bool turns;
    };
    PlacedBody placed(std::size_t body, std::size_t frame);
    void read_whole(std::size_t frame);

    const Model& model_;
    const TrajectoryReader& run_;
    const bool airy_;
    std::vector<CoordinateSignals::Named> names_;
    std::vector<double> values_;
    std::vector<Reading> bodies_;
    bool height_ = false, felt_ = false; // of the whole
    RowWindow x_, q_, v_, omega_;
    std::optional<RowWindow> content_, force_;
    std::vector<std::size_t> causes_felt_; // all but gravity
};

} // namespace poinsot
