// SPDX-License-Identifier: MIT
#pragma once

// A value, or all the problems that prevented it.
//
// A user who made five mistakes in a file is told of five, each with its place and a remedy, not
// of one at a time.

#include "poinsot/base/check.hpp"

#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace poinsot {

/// One thing that is wrong: where, and what to do about it.
struct Problem {
    std::string place;    // "scene.yaml:12:5", or the name of a body
    std::string what;     // "mass must be positive, is -1"
    std::string key = {}; // what of the place it is about, if one thing: "mass", "held.along"
};

/// Text of several parts; numbers with twelve digits, enough to recognise them.
template <class... Parts>
std::string text_of(const Parts&... parts)
{
    std::ostringstream out;
    out.precision(12);
    (out << ... << parts);
    return out.str();
}

class Problems {
  public:
    template <class... Parts>
    void add(std::string place, const Parts&... parts)
    {
        list_.push_back({std::move(place), text_of(parts...)});
    }
    /// A problem with one key of a place, by which others can find where it was written.
    template <class... Parts>
    void add_at(std::string place, std::string key, const Parts&... parts)
    {
        list_.push_back({std::move(place), text_of(parts...), std::move(key)});
    }
    void add(const Problems& more)
    {
        list_.insert(list_.end(), more.list_.begin(), more.list_.end());
    }

    bool any() const { return !list_.empty(); }
    const std::vector<Problem>& list() const { return list_; }

    /// One line per problem: "place: what".
    std::string text() const
    {
        std::string all;
        for (const Problem& p : list_)
            all += p.place + ": " + p.what + "\n";
        return all;
    }

  private:
    std::vector<Problem> list_;
};

template <class Value>
class [[nodiscard]] Result {
  public:
    Result(Value value) : held_(std::in_place_index<0>, std::move(value)) {}
    Result(Problems problems) : held_(std::in_place_index<1>, std::move(problems))
    {
        check(std::get<1>(held_).any(), "a Result without a value must say why");
    }

    explicit operator bool() const { return held_.index() == 0; }
    const Value& operator*() const { return value(); }
    Value& operator*() { return const_cast<Value&>(value()); }
    const Value* operator->() const { return &value(); }
    Value* operator->() { return &**this; }

    const Problems& problems() const
    {
        check(held_.index() == 1, "problems() of a Result that has a value");
        return std::get<1>(held_);
    }

  private:
    const Value& value() const
    {
        check(held_.index() == 0, "the value of a Result that has problems");
        return std::get<0>(held_);
    }
    std::variant<Value, Problems> held_;
};

} // namespace poinsot
