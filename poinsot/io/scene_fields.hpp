// SPDX-License-Identifier: MIT
#pragma once

// The typed reading of a scene file: a number, a vector, a word, or a problem at its place.
//
//     SceneText   the text, and all that is wrong with it
//     Value       one value: where it stands, and how problems name it ("mass of body 'nut'")
//     Fields      a map that may have the keys of one place in the table of scene_keys.cpp, and
//                 whose every known key is asked for

#include "poinsot/io/number.hpp"
#include "poinsot/io/yaml_tree.hpp"
#include "poinsot/math/vec3.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <utility>

namespace poinsot {

class SceneText {
  public:
    SceneText(const std::string& text, std::string file) : lines_(text), file_(std::move(file)) {}
    SceneText(const SceneText&) = delete;

    template <class... Parts>
    void problem(const YamlNode& at, const Parts&... parts)
    {
        tell(at, text_of(parts...));
    }

    /// A problem of this value that does not make the scene wrong: for a list of its own.
    void put(Problems& into, const YamlNode& at, const std::string& what) const;

    /// Takes over what another file, which a value names, has found wrong with itself.
    void problems_of(const YamlNode& named_at, const Problems& problems)
    {
        found_.add(problems);
        leave(named_at);
    }
    /// Nothing more is told of a value: what is wrong with it follows from something told.
    void leave(const YamlNode& value) { told_.insert(&value); }

    const std::string& file() const { return file_; }
    const Problems& found() const { return found_; }
    std::size_t problems() const { return found_.list().size(); }
    /// Was a problem found in this value or in a part of it?
    bool told_in(const YamlNode& value) const;
    /// Was it found that a map needs this key?
    bool needed(const YamlNode& map, std::string_view key) const
    {
        return needed_.contains({&map, std::string(key)});
    }
    void need(const YamlNode& map, std::string_view key) { needed_.emplace(&map, key); }

  private:
    void tell(const YamlNode& at, const std::string& what);

    const Lines lines_;
    std::string file_;
    Problems found_;
    std::set<const YamlNode*> told_;
    std::set<std::pair<const YamlNode*, std::string>> needed_;
};

/// The value of a key in a map; none if it is not there.
const YamlNode* value_of(const YamlNode& map, std::string_view key);

class Value {
  public:
    Value(SceneText& text, const YamlNode& node, std::string what)
        : text_(&text), node_(&node), what_(std::move(what))
    {
    }

    SceneText& text() const { return *text_; }
    const YamlNode& node() const { return *node_; }
    const std::string& what() const { return what_; }
    /// Its kind and size or text, for the end of a sentence: "a list of 2".
    std::string shown() const;

    /// A part of it, and itself under another name.
    Value part(const YamlNode& node, std::string what) const
    {
        return {*text_, node, std::move(what)};
    }
    Value named(std::string what) const { return part(*node_, std::move(what)); }

    template <class... Parts>
    void problem(const Parts&... parts) const
    {
        text_->problem(*node_, parts...);
    }
    /// A problem that begins with what this is: "mass of body 'nut' must be …".
    template <class... Parts>
    void must(const Parts&... parts) const
    {
        problem(what_, " must ", parts...);
    }

    // Each gives `otherwise` after a problem.
    double number(double otherwise = 0) const;
    double positive(double otherwise = 1) const;
    double angle(double otherwise = 0) const;
    int count(int otherwise = 1, int most = 1000000000) const; // at least 1
    bool truth(bool otherwise) const;
    std::string word() const;                         // empty after a problem
    std::vector<double> numbers(std::size_t n) const; // empty after a problem
    Vec3<double> vector(const Vec3<double>& otherwise = zero3<double>()) const;
    bool is_rows() const; // a list of three lists
    std::optional<Mat3<double>> rows() const;

    /// One of several words; `named` finds what a word stands for, as an optional. `kind` is what
    /// it is one of.
    template <class Named>
    auto choice(std::string_view kind, const Named& named,
                const std::vector<std::string_view>& known) const
    {
        const std::string name = word();
        const auto chosen = named(name);
        if (!chosen && !name.empty())
            unknown_word(kind, name, known);
        return chosen;
    }

  private:
    void unknown_word(std::string_view kind, const std::string& name,
                      const std::vector<std::string_view>& known) const;

    SceneText* text_;
    const YamlNode* node_;
    std::string what_;
};

class Fields {
  public:
    Fields(Value map, std::string_view place);
    ~Fields();
    Fields(const Fields&) = delete;

    const Value& value() const { return map_; }
    const std::string& what() const { return map_.what(); }
    bool ok() const { return map_.node().is_map(); }
    std::string of(std::string_view key) const { return fmt::format("{} of {}", key, what()); }

    std::optional<Value> find(std::string_view key);
    /// The value, or a problem that says it is needed and how it may look.
    std::optional<Value> need(std::string_view key, std::string_view example);

    // Each reads the value of a key and tells whether there is one. Where there is none, or a wrong
    // one, `into` stays what it was.
    bool read(std::string_view key, double& into);
    bool read(std::string_view key, Vec3<double>& into);
    bool read(std::string_view key, int& into); // at least 1
    bool read(std::string_view key, bool& into);
    bool read(std::string_view key, std::string& into);

    /// The items of a list, or a problem; none where the key is not given.
    const std::vector<YamlNode>& items(std::string_view key);

    template <class... Parts>
    void problem(const Parts&... parts) const
    {
        map_.problem(parts...);
    }

  private:
    Value map_;
    std::string_view place_;
    std::set<std::string_view> asked_;
};

} // namespace poinsot
