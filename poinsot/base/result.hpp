// SPDX-License-Identifier: MIT
#pragma once

// A value, or all the problems that prevented it.
//
// A user who made five mistakes in a file is told of five, each with its place and a remedy, not
// of one at a time.

#include "poinsot/base/check.hpp"

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
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

/// One part of a text: words, or a number, which has twelve digits, enough to recognise it.
class TextPart {
  public:
    TextPart(std::string_view words) : kind_(Kind::words), words_(words) {}
    TextPart(const std::string& words) : TextPart(std::string_view(words)) {}
    TextPart(const char* words) : TextPart(std::string_view(words)) {}
    TextPart(const char& letter) : TextPart(std::string_view(&letter, 1)) {}
    TextPart(std::signed_integral auto whole) : kind_(Kind::whole), whole_(whole) {}
    TextPart(std::unsigned_integral auto natural) : kind_(Kind::natural), natural_(natural) {}
    TextPart(std::floating_point auto number) : kind_(Kind::number), number_(number) {}

    void append_to(std::string& text) const;

  private:
    enum class Kind { words, whole, natural, number } kind_;
    union {
        std::string_view words_;
        std::int64_t whole_;
        std::uint64_t natural_;
        double number_;
    };
};

std::string joined(std::initializer_list<TextPart> parts);

/// Text of several parts.
template <class... Parts>
std::string text_of(const Parts&... parts)
{
    return joined({TextPart(parts)...});
}

class Problems {
  public:
    // Compiled once: whoever returns a Result has them.
    Problems();
    Problems(const Problems&);
    Problems(Problems&&) noexcept;
    Problems& operator=(const Problems&);
    Problems& operator=(Problems&&) noexcept;
    ~Problems();

    template <class... Parts>
    void add(std::string_view place, const Parts&... parts)
    {
        put(place, {}, {TextPart(parts)...});
    }
    /// A problem with one key of a place, by which others can find where it was written.
    template <class... Parts>
    void add_at(std::string_view place, std::string_view key, const Parts&... parts)
    {
        put(place, key, {TextPart(parts)...});
    }
    void add(const Problems& more);

    bool any() const { return !list_.empty(); }
    const std::vector<Problem>& list() const { return list_; }

    /// One line per problem: "place: what".
    std::string text() const;

  private:
    void put(std::string_view place, std::string_view key, std::initializer_list<TextPart> what);

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
