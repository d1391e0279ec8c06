// SPDX-License-Identifier: MIT
#pragma once

// Two recorded runs over each other: bodies matched by name, at the times that both have.
//
// They are compared at the frames of the one that has fewer. Where the other has none it is
// interpolated: places and attitudes by the cubic through both ends with the velocities there, all
// else by the cubic through four frames. Both are off by the fourth power of the distance of
// frames, which is estimated and is no reason to part; over an impact by more.

#include "poinsot/io/trajectory_read.hpp"
#include "poinsot/step/both.hpp"

#include <functional>

namespace poinsot {

struct CompareOptions {
    /// Two runs part where a body of one is farther from that of the other than this part of the
    /// size of the motion, or turned by more than this in rad, or is faster by more than this part
    /// of the largest speed, or turns faster by more than this part of the largest angular speed.
    /// Speeds that are less than the size of the motion, or a radian, in the whole time count as
    /// that.
    double tolerance = 1e-6;
    /// Told now and then how much is done, from 0 to 1.
    std::function<void(double)> progress = [](double) {};
};

/// By how much interpolation may be off, estimated; zero where a run has too few frames to tell.
struct InterpolationError {
    double position = 0, attitude = 0, velocity = 0, angular_velocity = 0;
};

struct Comparison {
    std::vector<std::string> bodies; // of both, in the order of the first
    std::vector<std::string> only_first, only_second;
    double from = 0, until = 0;   // the time that both have
    std::size_t times = 0;        // at which they were compared
    bool times_of_second = false; // its frames are the fewer
    bool interpolated = false;    // the other, at some of these times
    InterpolationError interpolation;
    bool with_stores = false; // energy is kinetic and stored; else kinetic

    /// Bodies are numbers in `bodies`; p, L and kinetic energy are of these together.
    Differences differences;

    struct Parting {
        double time = 0, step = 0; // of the run whose times these are
        std::string body, quantity, unit;
        double difference = 0, allowed = 0;
        double distance = 0, angle = 0; // of the two, of this body at this time; m, rad
    };
    double tolerance = 0;
    double tolerance_position = 0;  // the same as a length, m
    std::optional<Parting> parting; // the first; none: they agree

    /// At each of the times, over all bodies: the frame whose time it is, m and rad.
    struct Apart {
        std::size_t frame;
        double distance = 0, angle = 0;
    };
    std::vector<Apart> apart;

    /// Cuts that both have, by name, in the order of the first: how far what is used of their
    /// strength is apart, at most, at these times. Between frames it is taken on a straight line.
    struct CutApart {
        std::string name;
        double largest = 0, time = 0; // of utilisation
        double first = 0, second = 0; // what each used then
    };
    std::vector<CutApart> cuts;
};

Result<Comparison> compare_runs(const TrajectoryReader& first, const TrajectoryReader& second,
                                const CompareOptions& options = {});

} // namespace poinsot
