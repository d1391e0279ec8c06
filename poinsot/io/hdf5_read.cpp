// SPDX-License-Identifier: MIT
#include "poinsot/io/hdf5_read.hpp"

#include <fmt/format.h>

namespace poinsot::hdf5 {

namespace {

Handle opened(const std::filesystem::path& path)
{
    return OpenFile::at("", [&] {
        const Handle access = need(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
        // A file whose name was taken away and that is open still; HDF5's other driver asks for
        // the name behind /proc/self/fd.
        if (std::error_code none; std::filesystem::canonical(path, none).empty())
            need(H5Pset_fapl_stdio(access));
#if H5_VERSION_GE(1, 10, 7)
        need(H5Pset_file_locking(access, false, true)); // it may still be written
#endif
        return need(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
    });
}
std::string place_of(const std::string& path, const char* name)
{
    return fmt::format("/{}: attribute '{}'", path, name);
}
std::string text_of_shape(const Lengths& shape)
{
    std::vector<std::string> parts;
    for (const std::size_t n : shape)
        parts.push_back(n == OpenFile::any ? "any" : fmt::format("{}", n));
    return fmt::format("({})", fmt::join(parts, ", "));
}
template <class Read>
std::vector<std::string> texts_of(hid_t type, hid_t space, std::size_t count, Read&& read)
{
    std::vector<std::string> all;
    const Handle memory = need(H5Tcopy(H5T_C_S1), H5Tclose);
    need(H5Tset_cset(memory, H5Tget_cset(type)));
    if (H5Tis_variable_str(type) > 0) {
        need(H5Tset_size(memory, H5T_VARIABLE));
        std::vector<char*> pointers(count, nullptr);
        if (count > 0)
            need(read(memory, pointers.data()));
        for (const char* text : pointers)
            all.emplace_back(text ? text : "");
        if (count > 0)
            H5Dvlen_reclaim(memory, space, H5P_DEFAULT, pointers.data());
    } else {
        const std::size_t size = H5Tget_size(type);
        need(H5Tset_size(memory, size));
        std::string bytes(count * size, '\0');
        if (count > 0)
            need(read(memory, bytes.data()));
        for (std::size_t i = 0; i < count; ++i) {
            const std::string_view one = std::string_view(bytes).substr(i * size, size);
            all.emplace_back(one.substr(0, one.find('\0')));
        }
    }
    return all;
}

} // namespace

OpenFile::OpenFile(const std::filesystem::path& path)
    : bytes_(std::filesystem::file_size(path)), file_(opened(path))
{
}

bool OpenFile::there(const std::string& path) const
{
    for (std::size_t end = 0; end != std::string::npos;) {
        end = path.find('/', end + 1);
        const std::string part = path.substr(0, end);
        H5L_info_t link;
        if (H5Lexists(file_, part.c_str(), H5P_DEFAULT) <= 0 ||
            H5Lget_info(file_, part.c_str(), &link, H5P_DEFAULT) < 0)
            return false;
        if (link.type != H5L_TYPE_HARD)
            throw Unreadable{"/" + part, "is a link to somewhere else; trajectory files have "
                                         "none"};
    }
    return true;
}

OpenFile::Set OpenFile::set(const std::string& path, H5T_class_t kind, const Lengths& shape) const
{
    const std::string place = "/" + path;
    if (!there(path))
        throw Unreadable{place, "is missing"};
    return at(place, [&] {
        H5O_info_t object;
        need(H5Oget_info_by_name(file_, path.c_str(), &object, H5P_DEFAULT));
        if (object.type != H5O_TYPE_DATASET)
            throw Unreadable{place, "is no dataset"};
        Set made{need(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose), {}, 1};
        const Handle how = need(H5Dget_create_plist(made.set), H5Pclose);
        if (H5Pget_external_count(how) != 0 || H5Pget_layout(how) == H5D_VIRTUAL)
            throw Unreadable{place, "keeps its numbers in another file; trajectory files do "
                                    "not"};
        const Handle type = need(H5Dget_type(made.set), H5Tclose);
        if (H5Tget_class(type) != kind ||
            (kind != H5T_STRING && H5Tget_size(type) > sizeof(double)))
            throw Unreadable{place, kind == H5T_STRING    ? "does not hold texts"
                                    : kind == H5T_INTEGER ? "does not hold whole numbers"
                                                          : "does not hold numbers"};
        const Handle space = need(H5Dget_space(made.set), H5Sclose);
        const int rank = H5Sget_simple_extent_ndims(space);
        need(static_cast<herr_t>(rank));
        std::vector<hsize_t> lengths(static_cast<std::size_t>(rank));
        need(static_cast<herr_t>(
            H5Sget_simple_extent_dims(space, lengths.data(), nullptr) < 0 ? -1 : 0));
        made.shape.assign(lengths.begin(), lengths.end());
        bool same = made.shape.size() == shape.size();
        for (std::size_t i = 0; same && i < shape.size(); ++i)
            same = made.shape[i] == shape[i] || (i == 0 && shape[i] == any);
        if (!same)
            throw Unreadable{place, fmt::format("has the shape {}, should have {}",
                                                text_of_shape(made.shape), text_of_shape(shape))};
        // No filter packs a thousand to one, and what was never written needs no room here.
        const double most = 1100.0 * static_cast<double>(bytes_) + 64e6;
        double size = static_cast<double>(H5Tget_size(type));
        for (const std::size_t n : made.shape)
            size *= static_cast<double>(n);
        if (size > most)
            throw Unreadable{
                place, fmt::format("says it has {:.3g} bytes, but the file has {}", size, bytes_)};
        for (const std::size_t n : made.shape)
            made.numbers *= n;
        return made;
    });
}

std::vector<double> OpenFile::numbers(const std::string& path, H5T_class_t kind,
                                      const Lengths& shape) const
{
    const Set from = set(path, kind, shape);
    std::vector<double> values(from.numbers);
    if (!values.empty())
        at("/" + path, [&] {
            need(
                H5Dread(from.set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
        });
    return values;
}

std::vector<std::string> OpenFile::texts(const std::string& path, const Lengths& shape) const
{
    const Set from = set(path, H5T_STRING, shape);
    return at("/" + path, [&] {
        const Handle type = need(H5Dget_type(from.set), H5Tclose);
        const Handle space = need(H5Dget_space(from.set), H5Sclose);
        return texts_of(type, space, from.numbers, [&](hid_t memory, void* into) {
            return H5Dread(from.set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, into);
        });
    });
}

std::string OpenFile::text_attribute_of(const std::string& path, const char* name) const
{
    return at(place_of(path, name), [&] {
        const Handle made = attribute_of(path, name);
        const Handle type = need(H5Aget_type(made), H5Tclose);
        const Handle space = need(H5Aget_space(made), H5Sclose);
        if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1)
            throw Unreadable{place_of(path, name), "is no text"};
        return texts_of(type, space, 1,
                        [&](hid_t memory, void* into) { return H5Aread(made, memory, into); })
            .front();
    });
}
std::vector<double> OpenFile::number_attribute_of(const std::string& path, const char* name,
                                                  std::size_t count) const
{
    return at(place_of(path, name), [&] {
        const Handle made = attribute_of(path, name);
        const Handle type = need(H5Aget_type(made), H5Tclose);
        const Handle space = need(H5Aget_space(made), H5Sclose);
        const H5T_class_t kind = H5Tget_class(type);
        if ((kind != H5T_FLOAT && kind != H5T_INTEGER) ||
            H5Sget_simple_extent_npoints(space) != static_cast<hssize_t>(count))
            throw Unreadable{place_of(path, name),
                             count == 1 ? "is no number" : "has not the numbers it should"};
        std::vector<double> values(count);
        need(H5Aread(made, H5T_NATIVE_DOUBLE, values.data()));
        return values;
    });
}

Handle OpenFile::attribute_of(const std::string& path, const char* name) const
{
    if (!path.empty() && !there(path))
        throw Unreadable{"/" + path, "is missing"};
    const Handle group =
        need(H5Oopen(file_, path.empty() ? "/" : path.c_str(), H5P_DEFAULT), H5Oclose);
    if (H5Aexists(group, name) <= 0)
        throw Unreadable{place_of(path, name), "is missing"};
    return need(H5Aopen(group, name, H5P_DEFAULT), H5Aclose);
}

} // namespace poinsot::hdf5
