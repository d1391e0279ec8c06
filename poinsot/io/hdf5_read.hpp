// SPDX-License-Identifier: MIT
#pragma once

// HDF5 files that may be damaged or another's, read with a name for every place that is wrong. For
// .cpp files of io only.

#include "poinsot/io/hdf5_handle.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace poinsot::hdf5 {

using Lengths = std::vector<std::size_t>;

/// Thrown where a file is not as it should be.
struct Unreadable {
    std::string place, what; // place within the file: "/bodies/mass"
};

/// A file open for reading, and the ways to look into it that never follow a link out of it.
class OpenFile {
  public:
    explicit OpenFile(const std::filesystem::path& path);

    /// Is there an object at a path such as "ledger/opening"? Only links within the file are
    /// followed.
    bool there(const std::string& path) const;

    /// A dataset with the lengths of its axes. The first number of `shape` may be `any`.
    struct Set {
        Handle set;
        Lengths shape;
        std::size_t numbers;
    };
    static constexpr std::size_t any = static_cast<std::size_t>(-1);

    Set set(const std::string& path, H5T_class_t kind, const Lengths& shape) const;
    std::vector<double> numbers(const std::string& path, H5T_class_t kind,
                                const Lengths& shape) const;
    std::vector<double> numbers(const std::string& path, const Lengths& shape) const
    {
        return numbers(path, H5T_FLOAT, shape);
    }
    std::vector<std::string> texts(const std::string& path, const Lengths& shape) const;
    std::string text(const std::string& path, const Lengths& shape = {}) const
    {
        const std::vector<std::string> all = texts(path, shape);
        return all.empty() ? "" : all.front();
    }

    // Attributes: of the group at `path`, or of the root where that is empty.

    std::string text_attribute_of(const std::string& path, const char* name) const;
    std::vector<double> number_attribute_of(const std::string& path, const char* name,
                                            std::size_t count) const;
    bool has_attribute(const char* name) const { return H5Aexists(file_, name) > 0; }

    /// What HDF5 refuses in here is a problem of this place.
    template <class F>
    static auto at(const std::string& place, F&& f) -> decltype(f())
    {
        try {
            return f();
        } catch (const Failed& failed) {
            throw Unreadable{place, "cannot be read: " + failed.why};
        }
    }

  private:
    Handle attribute_of(const std::string& path, const char* name) const;

    std::uintmax_t bytes_;
    Handle file_;
};

} // namespace poinsot::hdf5
