// SPDX-License-Identifier: MIT
#pragma once

// What a writer of HDF5 files needs: groups, attributes, datasets that are written once and those
// that grow by rows. For .cpp files of io only.

#include "poinsot/io/hdf5_handle.hpp"

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace poinsot::hdf5 {

using Extent = std::vector<hsize_t>;

Handle text_type();
Handle fixed_text_type(std::size_t size);
/// Text cut to fit, not inside a character.
std::string fitted(std::string_view text, std::size_t size);

Handle group(hid_t at, const char* name, const char* about = nullptr);
void text_attribute(hid_t at, const char* name, const std::string& value);
template <class Number>
void attribute(hid_t at, const char* name, const std::vector<Number>& values);

/// A dataset that is written once; for double, std::int64_t and std::int8_t, as attributes.
template <class Number>
void fixed(hid_t at, const char* name, const Extent& shape, const std::vector<Number>& values,
           const char* unit = "");
void fixed_texts(hid_t at, const char* name, const std::vector<std::string>& texts);

/// A dataset with one row per frame (or event), rows kept in memory until they are appended
/// together.
class Series {
  public:
    /// `row` is the shape of one row.
    Series(hid_t at, const char* name, hid_t type, const Extent& row, const char* unit = "");

    void add(const void* row);
    void add(std::initializer_list<double> row) { add(row.begin()); }
    std::size_t bytes() const { return rows_.size(); }
    void append();
    hid_t set() const { return set_; }

  private:
    Handle made(hid_t at, const char* name, const Extent& row) const;

    Handle type_;
    std::size_t size_; // of a row
    Extent shape_;     // rows so far, and their shape
    Handle set_;
    std::vector<char> rows_;
    hsize_t waiting_ = 0;
};

/// A dataset of one text of fixed size, overwritten in place at the end.
class Slot {
  public:
    Slot(hid_t at, const char* name, std::size_t size, std::string_view text);
    void write(std::string_view text);

  private:
    Handle made(hid_t at, const char* name) const;
    std::size_t size_;
    Handle type_, set_;
};

/// A dataset of one number, overwritten in place at the end; not a number until then.
class NumberSlot {
  public:
    NumberSlot(hid_t at, const char* name, const char* unit = "");
    void write(double value);

  private:
    Handle set_;
};

} // namespace poinsot::hdf5
