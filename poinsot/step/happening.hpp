// SPDX-License-Identifier: MIT
#pragma once

// What happens in a run at one moment: a cut is loaded beyond its strength, something breaks by it,
// a joint or a bushing lets go as declared, surfaces strike each other, a joint strikes its limit,
// a law of impact makes energy.
//
// All have their moments within steps, but for those of steps by impulses: what these strike, and
// what is overloaded or breaks in them, is known at the end of the step.

#include "poinsot/model/model.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace poinsot {

struct Happening {
    enum class Kind : unsigned char { overload, broken, release, impact, stop, gain, gain_at_stop };
    static constexpr std::size_t kinds = 7;

    Kind kind = Kind::overload;
    double time = 0;        // s
    std::int64_t step = 0;  // at whose end it was known
    int index = 0;          // of the cut, the release, the first skin or the joint
    int other = -1;         // of the second skin, or of the joint's coordinate
    bool upper = false;     // which limit of the joint
    const char* by = "";    // which load passed its limit: "bending"
    double utilisation = 0; // of the cut, at that moment
    double impulse = 0;     // N s, of an impact; N m s where a joint turns
    double energy = 0;      // J, of a gain
    bool unsolved = false;  // a gain of what was not solved, not of a law
};

/// As it stands in files: "overload", "break", "release", "impact", also of a joint at its limit;
/// "gain".
std::string_view name_of(Happening::Kind kind);
/// Of the cut, the release or the joint, or of both surfaces: "ball, ground".
std::string name_of(const Model& model, const Happening& one);
/// A sentence about it.
std::string sentence(const Model& model, const Happening& one);

/// Those of a run, in order of time: of each kind the first thousand, and how many there were more.
class Happenings {
  public:
    static constexpr int most_of_a_kind = 1000;

    void add(const Happening& one);
    /// Those of one step, added since there were `first`, in order of time.
    void sort_from(std::size_t first);
    std::span<const Happening> list() const { return list_; }
    std::int64_t left_out() const { return left_out_; }

    /// How many there were of each kind, and to go on from there with the list that had been kept.
    std::span<const std::int64_t, Happening::kinds> counts() const { return count_; }
    void restore(std::vector<Happening> list,
                 const std::array<std::int64_t, Happening::kinds>& counts);

  private:
    std::vector<Happening> list_;
    std::array<std::int64_t, Happening::kinds> count_{};
    std::int64_t left_out_ = 0;
};

} // namespace poinsot
