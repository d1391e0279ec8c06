// SPDX-License-Identifier: MIT
#pragma once

// The parts of a trajectory file that have a row in each frame: each is a group with what is the
// same in all frames, and datasets that grow together. For .cpp files of io only.

#include "poinsot/io/hdf5_write.hpp"
#include "poinsot/io/scene.hpp"
#include "poinsot/step/simulate.hpp"

#include <deque>
#include <memory>

namespace poinsot::hdf5 {

class FramePart {
  public:
    FramePart() = default;
    FramePart(const FramePart&) = delete;
    FramePart& operator=(const FramePart&) = delete;
    virtual ~FramePart() = default;

    /// The frame of this moment; the bodies are where `placed` says.
    virtual void add(const Simulation& run, const Placed& placed) = 0;
    /// What readers should know of the frame just added, once.
    virtual std::string remark() { return {}; }
    /// Hands over what was added to HDF5.
    virtual void append()
    {
        for (Series& s : series_)
            s.append();
    }
    /// What was added and not handed over.
    std::size_t bytes() const
    {
        std::size_t sum = 0;
        for (const Series& s : series_)
            sum += s.bytes();
        return sum;
    }

  protected:
    Series& series(hid_t at, const char* name, hid_t type, const Extent& row, const char* unit = "")
    {
        return series_.emplace_back(at, name, type, row, unit);
    }

  private:
    std::deque<Series> series_; // addresses stay
};

// Each makes its group; rotors, tanks and contacts: none where the model has none of them.
std::unique_ptr<FramePart> body_part(hid_t file, const Simulation& run);
std::unique_ptr<FramePart> rotor_part(hid_t file, const Simulation& run);
std::unique_ptr<FramePart> tank_part(hid_t file, const Simulation& run);
/// What acts by cause, and what joints carry.
std::unique_ptr<FramePart> force_part(hid_t file, const Simulation& run);
/// No more points than that, in all frames together.
std::unique_ptr<FramePart> contact_part(hid_t file, const Simulation& run,
                                        std::int64_t most_points);
std::unique_ptr<FramePart> ledger_part(hid_t file, const Scene& scene, const Simulation& run);

} // namespace poinsot::hdf5
