// SPDX-License-Identifier: MIT
#include "poinsot/io/trajectory_read.hpp"

#include "poinsot/io/guarded.hpp"
#include "poinsot/io/hdf5_handle.hpp"
#include "poinsot/io/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

namespace poinsot {

namespace trajectory_file { // not unnamed: a reader has them as members

using Lengths = std::vector<std::size_t>;

/// Thrown where a file is not as it should be.
struct Unreadable {
    std::string place, what; // place within the file: "/bodies/mass"
};

constexpr std::size_t slab_bytes = std::size_t{8} << 20;

/// A file open for reading, and the ways to look into it that never follow a link out of it.
class OpenFile {
  public:
    explicit OpenFile(const std::filesystem::path& path)
        : bytes_(std::filesystem::file_size(path)), file_(opened(path))
    {
    }

    /// The object at a path such as "ledger/opening"; only links within the file are followed.
    bool there(const std::string& path) const
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

    /// A dataset with the lengths of its axes. The first number of `shape` may be `any`.
    struct Set {
        Handle set;
        Lengths shape;
        std::size_t numbers;
    };
    static constexpr std::size_t any = static_cast<std::size_t>(-1);

    Set set(const std::string& path, H5T_class_t kind, const Lengths& shape) const
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
                throw Unreadable{place,
                                 fmt::format("has the shape {}, should have {}",
                                             text_of_shape(made.shape), text_of_shape(shape))};
            // No filter packs a thousand to one, and what was never written needs no room here.
            const double most = 1100.0 * static_cast<double>(bytes_) + 64e6;
            double size = static_cast<double>(H5Tget_size(type));
            for (const std::size_t n : made.shape)
                size *= static_cast<double>(n);
            if (size > most)
                throw Unreadable{place, fmt::format("says it has {:.3g} bytes, but the file has {}",
                                                    size, bytes_)};
            for (const std::size_t n : made.shape)
                made.numbers *= n;
            return made;
        });
    }

    std::vector<double> numbers(const std::string& path, H5T_class_t kind,
                                const Lengths& shape) const
    {
        const Set from = set(path, kind, shape);
        std::vector<double> values(from.numbers);
        if (!values.empty())
            at("/" + path, [&] {
                need(H5Dread(from.set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                             values.data()));
            });
        return values;
    }
    std::vector<double> numbers(const std::string& path, const Lengths& shape) const
    {
        return numbers(path, H5T_FLOAT, shape);
    }

    std::vector<std::string> texts(const std::string& path, const Lengths& shape) const
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
    std::string text(const std::string& path, const Lengths& shape = {}) const
    {
        const std::vector<std::string> all = texts(path, shape);
        return all.empty() ? "" : all.front();
    }

    // Attributes: of the group at `path`, or of the root where that is empty.

    std::string text_attribute_of(const std::string& path, const char* name) const
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
    std::vector<double> number_attribute_of(const std::string& path, const char* name,
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
    static Handle opened(const std::filesystem::path& path)
    {
        return at("", [&] {
            const Handle access = need(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
#if H5_VERSION_GE(1, 10, 7)
            need(H5Pset_file_locking(access, false, true)); // it may still be written
#endif
            return need(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
        });
    }
    static std::string place_of(const std::string& path, const char* name)
    {
        return fmt::format("/{}: attribute '{}'", path, name);
    }
    Handle attribute_of(const std::string& path, const char* name) const
    {
        if (!path.empty() && !there(path))
            throw Unreadable{"/" + path, "is missing"};
        const Handle group =
            need(H5Oopen(file_, path.empty() ? "/" : path.c_str(), H5P_DEFAULT), H5Oclose);
        if (H5Aexists(group, name) <= 0)
            throw Unreadable{place_of(path, name), "is missing"};
        return need(H5Aopen(group, name, H5P_DEFAULT), H5Aclose);
    }
    static std::string text_of_shape(const Lengths& shape)
    {
        std::vector<std::string> parts;
        for (const std::size_t n : shape)
            parts.push_back(n == any ? "any" : fmt::format("{}", n));
        return fmt::format("({})", fmt::join(parts, ", "));
    }
    template <class Read>
    static std::vector<std::string> texts_of(hid_t type, hid_t space, std::size_t count,
                                             Read&& read)
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

    std::uintmax_t bytes_;
    Handle file_;
};

/// A dataset with one row per frame.
struct SeriesRead {
    OpenFile::Set set;
    Lengths row;
    std::size_t row_size;
};

} // namespace trajectory_file

using trajectory_file::Lengths, trajectory_file::OpenFile, trajectory_file::SeriesRead,
    trajectory_file::Unreadable;

struct TrajectoryReader::Impl {
    explicit Impl(std::filesystem::path path) : path(std::move(path)), file(this->path)
    {
        read_head();
        find_series();
    }

    void read_head()
    {
        if (!file.has_attribute("format") ||
            file.text_attribute_of("", "format") != "poinsot trajectory")
            throw Unreadable{"", "is an HDF5 file, but no trajectory of Poinsot: the attribute "
                                 "'format' does not say so"};
        const auto layout = file.number_attribute_of("", "layout_version", 2);
        if (layout[0] != layout_major)
            throw Unreadable{"", fmt::format("has the layout {}.{}; this program reads {}.x. Use "
                                             "a Poinsot of the same time as the file",
                                             layout[0], layout[1], layout_major)};
        head.layout_major = layout_major;
        head.layout_minor = static_cast<int>(std::clamp(layout[1], 0.0, 1e6));
        head.title = file.text_attribute_of("", "title");
        for (const auto& [name, into] : {std::pair("program", &head.program),
                                         {"compiler", &head.compiler},
                                         {"scene_file", &head.scene_file},
                                         {"scene_identity", &head.scene_identity},
                                         {"integrator", &head.integrator},
                                         {"state_form", &head.state_form}})
            *into = file.text_attribute_of("provenance", name);
        head.step = file.number_attribute_of("provenance", "step", 1)[0];
        head.until = file.number_attribute_of("provenance", "until", 1)[0];
        head.scene_as_read = file.text("provenance/scene_as_read", {1});

        head.time = file.numbers("time", {OpenFile::any});
        if (head.time.empty())
            throw Unreadable{"/time", "has no entries: the writer of this file died before the "
                                      "first frame was kept"};
        for (std::size_t i = 0; i < head.time.size(); ++i)
            if (!std::isfinite(head.time[i]) || (i > 0 && !(head.time[i] > head.time[i - 1])))
                throw Unreadable{"/time",
                                 fmt::format("does not rise: entry {} is {}", i, head.time[i])};

        head.names = file.texts("bodies/names", {OpenFile::any});
        const std::size_t n = head.names.size();
        head.shapes = file.texts("bodies/shape", {n});
        head.meshes = file.texts("bodies/shape_mesh", {n});
        head.particle = file.numbers("bodies/particle", H5T_INTEGER, {n});
        const auto finite = [&](const char* path, const Lengths& shape) {
            std::vector<double> values = file.numbers(path, shape);
            for (const double x : values)
                if (!std::isfinite(x))
                    throw Unreadable{text_of("/", path), fmt::format("has a number that is {}", x)};
            return values;
        };
        head.mass = finite("bodies/mass", {n});
        head.center_of_mass = finite("bodies/center_of_mass", {n, 3});
        head.inertia = finite("bodies/inertia", {n, 3, 3});
        head.shape_size = finite("bodies/shape_size", {n, 3});

        const auto when = file.numbers("events/time", {OpenFile::any});
        const auto kinds = file.texts("events/kind", {OpenFile::any});
        const auto texts = file.texts("events/text", {OpenFile::any});
        // One that was not finished is shorter somewhere.
        for (std::size_t i = 0; i < std::min({when.size(), kinds.size(), texts.size()}); ++i)
            if (std::isfinite(when[i]))
                head.events.push_back({when[i], kinds[i], texts[i]});

        head.ledger_detail = file.text_attribute_of("ledger", "detail");
        head.L_about = file.text_attribute_of("ledger", "L_about");
        head.ledger_every = static_cast<std::int64_t>(
            std::clamp(file.number_attribute_of("ledger", "every", 1)[0], 1.0, 1e15));
        head.causes = file.texts("ledger/causes", {OpenFile::any});
        if (head.ledger_detail != "off") {
            for (const char* name : {"mass", "kinetic_energy", "gravity_store", "spring_store"})
                head.opening.push_back(
                    {name, finite(text_of("ledger/opening/", name).c_str(), {})});
            if (file.there("ledger/opening/rotor_store")) // since 1.1
                head.opening.push_back({"rotor_store", finite("ledger/opening/rotor_store", {})});
            for (const char* name : {"p", "L", "spin"})
                head.opening.push_back(
                    {name, finite(text_of("ledger/opening/", name).c_str(), {3})});
        }
        head.ended = file.text("final/ended");
        head.state_hash = file.text("final/state_hash");
        head.balanced = file.text("final/balanced");
        head.verdict = file.text("final/verdict");
    }

    void find_series()
    {
        const std::size_t n = head.names.size(), c = head.causes.size();
        for (const char* name :
             {"position", "velocity", "angular_velocity", "momentum", "angular_momentum"})
            add(text_of("bodies/", name), {n, 3});
        add("bodies/orientation", {n, 4});
        if (head.ledger_detail == "off")
            return;
        for (const char* name : {"gravity_store", "spring_store", "rotor_store"})
            if (name != std::string_view("rotor_store") || file.there("ledger/rotor_store")) {
                add(text_of("ledger/", name), {});
                add(text_of("ledger/residual_", name), {});
            }
        accounts("ledger/", {}, c);
        if (head.ledger_detail == "bodies")
            accounts("ledger/bodies/", {n}, c);
    }
    void accounts(const std::string& at, const Lengths& who, std::size_t c)
    {
        const auto with = [&](const Lengths& more) {
            Lengths all = who;
            all.insert(all.end(), more.begin(), more.end());
            return all;
        };
        for (const char* name :
             {"mass", "kinetic_energy", "residual_mass", "residual_kinetic_energy"})
            add(at + name, who);
        for (const char* name :
             {"p", "L", "spin", "moving_point", "residual_p", "residual_L", "residual_spin"})
            add(at + name, with({3}));
        for (const char* name : {"impulse", "angular_impulse", "spin_impulse"})
            add(at + name, with({c, 3}));
        add(at + "work", with({c}));
    }
    void add(const std::string& path, const Lengths& row)
    {
        Lengths shape{OpenFile::any};
        shape.insert(shape.end(), row.begin(), row.end());
        OpenFile::Set set = file.set(path, H5T_FLOAT, shape);
        std::size_t size = 1;
        for (const std::size_t k : row)
            size *= k;
        if (size > 0 && set.shape[0] < head.time.size())
            throw Unreadable{"/" + path, fmt::format("has {} frames, but /time has {}",
                                                     set.shape[0], head.time.size())};
        series.emplace(path, SeriesRead{std::move(set), row, size});
    }

    void read(const SeriesRead& from, const std::string& place, std::size_t first,
              std::size_t count, double* rows) const
    {
        if (count == 0 || from.row_size == 0)
            return;
        OpenFile::at(place, [&] {
            std::vector<hsize_t> start(from.row.size() + 1, 0),
                length(from.row.begin(), from.row.end());
            start[0] = first;
            length.insert(length.begin(), count);
            const Handle space = need(H5Dget_space(from.set.set), H5Sclose);
            need(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, length.data(),
                                     nullptr));
            const Handle memory =
                need(H5Screate_simple(static_cast<int>(length.size()), length.data(), nullptr),
                     H5Sclose);
            need(H5Dread(from.set.set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, rows));
        });
    }

    /// Everything once, to see that it can be.
    void read_all() const
    {
        std::vector<double> rows;
        for (const auto& [name, from] : series) {
            const std::size_t most = std::max<std::size_t>(
                1, trajectory_file::slab_bytes / (8 * std::max<std::size_t>(from.row_size, 1)));
            for (std::size_t i = 0; i < head.time.size(); i += most) {
                const std::size_t count = std::min(most, head.time.size() - i);
                rows.resize(count * from.row_size);
                read(from, "/" + name, i, count, rows.data());
            }
        }
    }

    std::filesystem::path path;
    OpenFile file;
    TrajectoryHead head;
    std::map<std::string, SeriesRead, std::less<>> series;
};

namespace {

std::string why_not_opened(const std::filesystem::path& file)
{
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (!fs::exists(status))
        return "no such file";
    if (fs::is_directory(status))
        return "this is a folder, not a trajectory file";
    if (!fs::is_regular_file(status)) // opening a pipe would wait for its other end
        return "this is no regular file; a trajectory is one that `poinsot run --out FILE.h5` "
               "wrote";
    if (!std::ifstream(file))
        return "cannot be opened for reading";
    if (fs::file_size(file, error) == 0 || error)
        return "the file is empty";
    return {};
}

Problem problem_of(const std::filesystem::path& file, const Unreadable& wrong)
{
    return {wrong.place.empty() ? file.string() : text_of(file.string(), ": ", wrong.place),
            wrong.what};
}

} // namespace

Result<TrajectoryReader> TrajectoryReader::open(const std::filesystem::path& file)
{
    Problems found;
    if (const std::string why = why_not_opened(file); !why.empty()) {
        found.add(file.string(), why);
        return found;
    }
    const auto bytes = std::filesystem::file_size(file);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // problems are ours to tell

    // In the child: nothing, or the place and what is wrong with it.
    const auto rehearsal = [&]() -> std::string {
        const auto wrong = [](const Problem& p) { return p.place + '\0' + p.what; };
        if (H5Fis_hdf5(file.c_str()) <= 0)
            return wrong({file.string(), "is no HDF5 file; a trajectory is one that `poinsot run "
                                         "--out FILE.h5` wrote"});
        try {
            Impl(file).read_all();
            return {};
        } catch (const Unreadable& u) {
            Problem p = problem_of(file, u);
            if (u.place.empty() && p.what.find("truncated file") != std::string::npos)
                p.what = "is cut short; copy it again (" + p.what + ")";
            return wrong(p);
        }
    };
    // Generous: a limit that is met means a damaged file.
    const FromChild child = in_a_child(
        rehearsal, {(std::uint64_t{2} << 30) + bytes, static_cast<int>(60 + (bytes >> 24))});
    if (!child.why.empty())
        found.add(file.string(), "is damaged: HDF5 ", child.why);
    else if (const std::size_t split = child.bytes.find('\0'); split != std::string::npos)
        found.add(child.bytes.substr(0, split), child.bytes.substr(split + 1));
    if (found.any())
        return found;
    try {
        return TrajectoryReader(std::make_unique<Impl>(file));
    } catch (const Unreadable& u) { // it changed since
        const Problem p = problem_of(file, u);
        found.add(p.place, p.what);
        return found;
    }
}

TrajectoryReader::TrajectoryReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TrajectoryReader::TrajectoryReader(TrajectoryReader&&) noexcept = default;
TrajectoryReader& TrajectoryReader::operator=(TrajectoryReader&&) noexcept = default;
TrajectoryReader::~TrajectoryReader() = default;

const std::filesystem::path& TrajectoryReader::file() const
{
    return impl_->path;
}
const TrajectoryHead& TrajectoryReader::head() const
{
    return impl_->head;
}
bool TrajectoryReader::has(std::string_view series) const
{
    return impl_->series.find(series) != impl_->series.end();
}
const std::vector<std::size_t>& TrajectoryReader::row_shape(std::string_view series) const
{
    const auto found = impl_->series.find(series);
    check(found != impl_->series.end(), "the shape of a series that is there");
    return found->second.row;
}
std::size_t TrajectoryReader::row_size(std::string_view series) const
{
    const auto found = impl_->series.find(series);
    check(found != impl_->series.end(), "the size of a series that is there");
    return found->second.row_size;
}
Problems TrajectoryReader::read(std::string_view series, std::size_t first, std::size_t count,
                                double* rows) const
{
    Problems found;
    const auto from = impl_->series.find(series);
    check(from != impl_->series.end() && first + count <= frames(), "rows that are there");
    try {
        impl_->read(from->second, "/" + from->first, first, count, rows);
    } catch (const Unreadable& u) {
        const Problem p = problem_of(impl_->path, u);
        found.add(p.place, p.what);
    }
    return found;
}

} // namespace poinsot
