// SPDX-License-Identifier: MIT
#include "poinsot/io/hdf5_write.hpp"

#include <algorithm>
#include <limits>

namespace poinsot::hdf5 {

namespace {

template <class Number>
hid_t type_of();
template <>
hid_t type_of<double>()
{
    return H5T_NATIVE_DOUBLE;
}
template <>
hid_t type_of<std::int64_t>()
{
    return H5T_NATIVE_INT64;
}
template <>
hid_t type_of<std::int8_t>()
{
    return H5T_NATIVE_INT8;
}

} // namespace

Handle text_type()
{
    Handle type = need(H5Tcopy(H5T_C_S1), H5Tclose);
    need(H5Tset_size(type, H5T_VARIABLE));
    need(H5Tset_cset(type, H5T_CSET_UTF8));
    return type;
}
Handle fixed_text_type(std::size_t size)
{
    Handle type = need(H5Tcopy(H5T_C_S1), H5Tclose);
    need(H5Tset_size(type, size));
    need(H5Tset_cset(type, H5T_CSET_UTF8));
    return type;
}
std::string fitted(std::string_view text, std::size_t size)
{
    std::string out(text.substr(0, size - 1));
    while (out.size() < text.size() && !out.empty() &&
           (static_cast<unsigned char>(text[out.size()]) & 0xc0) == 0x80)
        out.pop_back();
    out.resize(size, '\0');
    return out;
}

void text_attribute(hid_t at, const char* name, const std::string& value)
{
    const Handle type = text_type();
    const Handle space = need(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle made = need(H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const char* text = value.c_str();
    need(H5Awrite(made, type, &text));
}
template <class Number>
void attribute(hid_t at, const char* name, const std::vector<Number>& values)
{
    const hsize_t n = values.size();
    const Handle space = n == 1 ? need(H5Screate(H5S_SCALAR), H5Sclose)
                                : need(H5Screate_simple(1, &n, nullptr), H5Sclose);
    const Handle made =
        need(H5Acreate2(at, name, type_of<Number>(), space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    need(H5Awrite(made, type_of<Number>(), values.data()));
}
Handle group(hid_t at, const char* name, const char* about)
{
    Handle made = need(H5Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    if (about)
        text_attribute(made, "about", about);
    return made;
}

template <class Number>
void fixed(hid_t at, const char* name, const Extent& shape, const std::vector<Number>& values,
           const char* unit)
{
    const Handle space =
        shape.empty()
            ? need(H5Screate(H5S_SCALAR), H5Sclose)
            : need(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                   H5Sclose);
    const Handle made =
        need(H5Dcreate2(at, name, type_of<Number>(), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
             H5Dclose);
    if (!values.empty())
        need(H5Dwrite(made, type_of<Number>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    if (*unit)
        text_attribute(made, "unit", unit);
}
void fixed_texts(hid_t at, const char* name, const std::vector<std::string>& texts)
{
    const Handle type = text_type();
    const hsize_t n = texts.size();
    const Handle space = need(H5Screate_simple(1, &n, nullptr), H5Sclose);
    const Handle made =
        need(H5Dcreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    std::vector<const char*> pointers;
    for (const std::string& text : texts)
        pointers.push_back(text.c_str());
    if (n > 0)
        need(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()));
}

template void attribute(hid_t, const char*, const std::vector<double>&);
template void attribute(hid_t, const char*, const std::vector<std::int64_t>&);
template void fixed(hid_t, const char*, const Extent&, const std::vector<double>&, const char*);
template void fixed(hid_t, const char*, const Extent&, const std::vector<std::int64_t>&,
                    const char*);
template void fixed(hid_t, const char*, const Extent&, const std::vector<std::int8_t>&,
                    const char*);

Series::Series(hid_t at, const char* name, hid_t type, const Extent& row, const char* unit)
    : type_(need(H5Tcopy(type), H5Tclose)), size_(H5Tget_size(type)), shape_{0},
      set_(made(at, name, row))
{
    shape_.insert(shape_.end(), row.begin(), row.end());
    for (const hsize_t n : row)
        size_ *= n;
    if (*unit)
        text_attribute(set_, "unit", unit);
}

void Series::add(const void* row)
{
    const auto* bytes = static_cast<const char*>(row);
    rows_.insert(rows_.end(), bytes, bytes + size_);
    ++waiting_;
}

void Series::append()
{
    if (waiting_ == 0 || size_ == 0)
        return;
    Extent start(shape_.size(), 0), count = shape_;
    start[0] = shape_[0];
    count[0] = waiting_;
    shape_[0] += waiting_;
    need(H5Dset_extent(set_, shape_.data()));
    const int rank = static_cast<int>(shape_.size());
    const Handle file = need(H5Dget_space(set_), H5Sclose);
    need(H5Sselect_hyperslab(file, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr));
    const Handle memory = need(H5Screate_simple(rank, count.data(), nullptr), H5Sclose);
    need(H5Dwrite(set_, type_, memory, file, H5P_DEFAULT, rows_.data()));
    rows_.clear();
    waiting_ = 0;
}

Handle Series::made(hid_t at, const char* name, const Extent& row) const
{
    std::size_t bytes = H5Tget_size(type_);
    Extent now{0}, most{H5S_UNLIMITED}, chunk{0};
    for (const hsize_t n : row) {
        now.push_back(n);
        most.push_back(n);
        chunk.push_back(std::max<hsize_t>(n, 1));
        bytes *= n;
    }
    chunk[0] =
        std::clamp<hsize_t>((std::size_t{1} << 16) / std::max<std::size_t>(bytes, 1), 1, 4096);
    const Handle space =
        need(H5Screate_simple(static_cast<int>(now.size()), now.data(), most.data()), H5Sclose);
    const Handle how = need(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    need(H5Pset_chunk(how, static_cast<int>(chunk.size()), chunk.data()));
    need(H5Pset_obj_track_times(how, false));
    return need(H5Dcreate2(at, name, type_, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose);
}

namespace {

/// A dataset of one thing whose place in the file is there from the start: writing it later moves
/// nothing.
Handle made_at_once(hid_t at, const char* name, hid_t type)
{
    const Handle space = need(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle how = need(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    need(H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY));
    need(H5Pset_obj_track_times(how, false));
    return need(H5Dcreate2(at, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose);
}

} // namespace

Slot::Slot(hid_t at, const char* name, std::size_t size, std::string_view text)
    : size_(size), type_(fixed_text_type(size)), set_(made(at, name))
{
    write(text);
}
void Slot::write(std::string_view text)
{
    const std::string fit = fitted(text, size_);
    need(H5Dwrite(set_, type_, H5S_ALL, H5S_ALL, H5P_DEFAULT, fit.data()));
}

Handle Slot::made(hid_t at, const char* name) const
{
    return made_at_once(at, name, type_);
}

NumberSlot::NumberSlot(hid_t at, const char* name, const char* unit)
    : set_(made_at_once(at, name, H5T_NATIVE_DOUBLE))
{
    if (*unit)
        text_attribute(set_, "unit", unit);
    write(std::numeric_limits<double>::quiet_NaN());
}
void NumberSlot::write(double value)
{
    need(H5Dwrite(set_, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value));
}

} // namespace poinsot::hdf5
