// SPDX-License-Identifier: MIT
#include "poinsot/io/trajectory_read.hpp"

#include "poinsot/io/guarded.hpp"
#include "poinsot/io/hdf5_read.hpp"
#include "poinsot/io/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <span>

namespace poinsot {

using hdf5::Lengths, hdf5::OpenFile, hdf5::Unreadable;

struct TrajectoryReader::Impl {
    static constexpr std::size_t slab_bytes = std::size_t{8} << 20;

    /// A dataset with one row per frame.
    struct SeriesRead {
        OpenFile::Set set;
        Lengths row;
        std::size_t row_size;
    };

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

        head.step_of_frame = file.numbers("step", H5T_INTEGER, {OpenFile::any});
        if (head.step_of_frame.size() < head.time.size())
            throw Unreadable{"/step", fmt::format("has {} frames, but /time has {}",
                                                  head.step_of_frame.size(), head.time.size())};
        head.step_of_frame.resize(head.time.size());

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

        if (file.there("forces/causes")) // since 1.2, where they were asked for
            head.force_causes = file.texts("forces/causes", {OpenFile::any});
        if (file.there("joints/names"))
            read_joints();
        if (file.there("contacts/end"))
            read_contacts();
        if (file.there("rotors/names")) // since 1.3, where there are some
            head.rotors = file.texts("rotors/names", {OpenFile::any});
        if (file.there("tanks/names")) // since 1.4, where there are some
            read_tanks();
        if (file.there("controls/names")) // since 1.6, where there are some
            head.controls = file.texts("controls/names", {OpenFile::any});
        if (file.there("cuts/names")) // since 1.5, where there are some
            read_cuts();

        const auto when = file.numbers("events/time", {OpenFile::any});
        const auto kinds = file.texts("events/kind", {OpenFile::any});
        const auto texts = file.texts("events/text", {OpenFile::any});
        const bool named = file.there("events/name"); // since 1.5
        std::vector<std::string> names(texts.size()), loads(texts.size());
        std::vector<double> used(texts.size(), 0);
        if (named) {
            names = file.texts("events/name", {OpenFile::any});
            loads = file.texts("events/load", {OpenFile::any});
            used = file.numbers("events/utilisation", {OpenFile::any});
        }
        // One that was not finished is shorter somewhere.
        const std::size_t whole = std::min(
            {when.size(), kinds.size(), texts.size(), names.size(), loads.size(), used.size()});
        for (std::size_t i = 0; i < whole; ++i)
            if (std::isfinite(when[i]) && !std::isnan(used[i]))
                head.events.push_back({when[i], kinds[i], texts[i], names[i], loads[i], used[i]});

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
        if (file.there("final/processor_seconds")) { // since 1.6; of a killed run no numbers
            const double processor = file.numbers("final/processor_seconds", {}).at(0),
                         wall = file.numbers("final/wall_seconds", {}).at(0),
                         steps = file.numbers("final/steps", {}).at(0);
            if (processor >= 0 && wall >= 0 && steps >= 0 &&
                std::isfinite(processor + wall + steps))
                head.cost = {processor, wall, steps};
        }
    }

    /// Since 1.3.
    void read_contacts()
    {
        head.surfaces = file.texts("contacts/surfaces", {OpenFile::any});
        for (const double body :
             file.numbers("contacts/body", H5T_INTEGER, {head.surfaces.size()})) {
            if (!(body >= -1 && body < static_cast<double>(head.names.size())))
                throw Unreadable{"/contacts/body", fmt::format("there is no body {}", body)};
            head.surface_body.push_back(static_cast<int>(body));
        }
        const auto ends = file.numbers("contacts/end", H5T_INTEGER, {OpenFile::any});
        if (ends.size() < head.time.size())
            throw Unreadable{"/contacts/end", fmt::format("has {} frames, but /time has {}",
                                                          ends.size(), head.time.size())};
        double before = 0;
        for (std::size_t i = 0; i < head.time.size(); before = ends[i++]) {
            if (!(ends[i] >= before && ends[i] <= 1e15))
                throw Unreadable{"/contacts/end",
                                 fmt::format("does not rise: entry {} is {}", i, ends[i])};
            head.contacts_end.push_back(static_cast<std::size_t>(ends[i]));
        }
        for (const char* name : {"a", "b"})
            add_contact(name, H5T_INTEGER, {});
        for (const char* name : {"point", "normal", "force"})
            add_contact(name, H5T_FLOAT, {3});
        add_contact("gap", H5T_FLOAT, {});
    }
    void add_contact(const char* name, H5T_class_t kind, const Lengths& row)
    {
        const std::string path = text_of("contacts/", name);
        Lengths shape{OpenFile::any};
        shape.insert(shape.end(), row.begin(), row.end());
        OpenFile::Set set = file.set(path, kind, shape);
        if (set.shape[0] < head.contacts_end.back())
            throw Unreadable{"/" + path, fmt::format("has {} contacts, but /contacts/end speaks "
                                                     "of {}",
                                                     set.shape[0], head.contacts_end.back())};
        contact_series.emplace(name,
                               SeriesRead{std::move(set), row, row.empty() ? std::size_t{1} : 3});
    }

    /// Since 1.4.
    void read_tanks()
    {
        head.tanks = file.texts("tanks/names", {OpenFile::any});
        for (const double body : file.numbers("tanks/body", H5T_INTEGER, {head.tanks.size()})) {
            if (!(body >= 0 && body < static_cast<double>(head.names.size())))
                throw Unreadable{"/tanks/body", fmt::format("there is no body {}", body)};
            head.tank_bodies.push_back(static_cast<std::size_t>(body));
        }
    }

    /// Since 1.5.
    void read_cuts()
    {
        const std::vector<std::string> names = file.texts("cuts/names", {OpenFile::any});
        const std::size_t c = names.size();
        const std::vector<std::string> of = file.texts("cuts/of", {c});
        const std::vector<double> body = file.numbers("cuts/body", H5T_INTEGER, {c}),
                                  position = file.numbers("cuts/position", {c, 3}),
                                  orientation = file.numbers("cuts/orientation", {c, 4}),
                                  limits = file.numbers("cuts/limits", {c, 5});
        const auto part = [](const std::vector<double>& all, std::size_t i, std::size_t wide) {
            const auto first = all.begin() + static_cast<std::ptrdiff_t>(i * wide);
            return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(wide));
        };
        for (std::size_t i = 0; i < c; ++i) {
            if (!(body[i] >= -1 && body[i] < static_cast<double>(head.names.size())))
                throw Unreadable{"/cuts/body", fmt::format("there is no body {}", body[i])};
            head.cuts.push_back({names[i], of[i], static_cast<int>(body[i]), part(position, i, 3),
                                 part(orientation, i, 4), part(limits, i, 5)});
            double turned = 0;
            for (const double k : head.cuts.back().orientation)
                turned += k * k;
            if (!(std::abs(turned - 1) < 1e-3)) // catches NaN as well; digits are 16
                throw Unreadable{"/cuts/orientation",
                                 fmt::format("of cut '{}' is no unit quaternion", names[i])};
            for (const double x : head.cuts.back().position)
                if (!std::isfinite(x))
                    throw Unreadable{"/cuts/position", fmt::format("has a number that is {}", x)};
            for (const double x : head.cuts.back().limits)
                if (!(x > 0))
                    throw Unreadable{"/cuts/limits", fmt::format("has a limit that is {}", x)};
        }
    }

    /// Since 1.2.
    void read_joints()
    {
        const std::vector<std::string> names = file.texts("joints/names", {OpenFile::any});
        const std::size_t j = names.size();
        const std::vector<std::string> kinds = file.texts("joints/kind", {j});
        const std::vector<double> a = file.numbers("joints/a", H5T_INTEGER, {j}),
                                  b = file.numbers("joints/b", H5T_INTEGER, {j}),
                                  unique = file.numbers("joints/unique", H5T_INTEGER, {j});
        const auto body = [&](const char* place, double number) {
            if (!(number >= -1 && number < static_cast<double>(head.names.size())))
                throw Unreadable{place, fmt::format("there is no body {}", number)};
            return static_cast<int>(number);
        };
        for (std::size_t i = 0; i < j; ++i)
            head.joints.push_back({names[i], kinds[i], body("/joints/a", a[i]),
                                   body("/joints/b", b[i]), unique[i] != 0});
    }

    void find_series()
    {
        const std::size_t n = head.names.size(), c = head.causes.size();
        for (const char* name :
             {"position", "velocity", "angular_velocity", "momentum", "angular_momentum"})
            add(text_of("bodies/", name), {n, 3});
        add("bodies/orientation", {n, 4});
        if (!head.force_causes.empty())
            for (const char* name : {"forces/force", "forces/torque"})
                add(name, {n, head.force_causes.size(), 3});
        if (!head.joints.empty() && file.there("joints/reaction_force"))
            for (const char* name : {"joints/reaction_force", "joints/reaction_torque"})
                add(name, {head.joints.size(), 3});
        if (!head.rotors.empty())
            for (const char* name : {"rotors/momentum", "rotors/spin"})
                add(name, {head.rotors.size()});
        if (!head.tanks.empty())
            for (const char* name : {"tanks/content", "tanks/level"})
                add(name, {head.tanks.size()});
        if (!head.controls.empty())
            add("controls/value", {head.controls.size()});
        if (const std::size_t c = head.cuts.size(); c > 0) {
            add("cuts/force", {c, 3});
            add("cuts/moment", {c, 3});
            add("cuts/utilisation", {c});
            add("cuts/largest_utilisation", {c});
            add("cuts/gone", {c}, H5T_INTEGER);
        }
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
    void add(const std::string& path, const Lengths& row, H5T_class_t kind = H5T_FLOAT)
    {
        Lengths shape{OpenFile::any};
        shape.insert(shape.end(), row.begin(), row.end());
        OpenFile::Set set = file.set(path, kind, shape);
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
        for (const auto& [name, from] : series)
            read_through(from, "/" + name, head.time.size(), [](std::span<const double>) {});
        const std::size_t contacts = head.contacts_end.empty() ? 0 : head.contacts_end.back();
        for (const auto& [name, from] : contact_series) {
            const std::string place = "/contacts/" + name;
            const bool number = name == "a" || name == "b";
            read_through(from, place, contacts, [&](std::span<const double> values) {
                for (const double x : values)
                    if (number && !(x >= 0 && x < static_cast<double>(head.surfaces.size())))
                        throw Unreadable{place, fmt::format("there is no surface {}", x)};
            });
        }
    }
    template <class Use>
    void read_through(const SeriesRead& from, const std::string& place, std::size_t all,
                      Use&& use) const
    {
        std::vector<double> rows;
        const std::size_t most =
            std::max<std::size_t>(1, slab_bytes / (8 * std::max<std::size_t>(from.row_size, 1)));
        for (std::size_t i = 0; i < all; i += most) {
            const std::size_t count = std::min(most, all - i);
            rows.resize(count * from.row_size);
            read(from, place, i, count, rows.data());
            use(std::span<const double>(rows));
        }
    }

    std::filesystem::path path;
    OpenFile file;
    TrajectoryHead head;
    std::map<std::string, SeriesRead, std::less<>> series;         // a row for each frame
    std::map<std::string, SeriesRead, std::less<>> contact_series; // a row for each contact
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

Problems TrajectoryReader::read_contacts(std::string_view what, std::size_t first,
                                         std::size_t count, double* rows) const
{
    Problems found;
    const auto from = impl_->contact_series.find(what);
    check(from != impl_->contact_series.end() && first + count <= contacts(),
          "contacts that are there");
    try {
        impl_->read(from->second, "/contacts/" + from->first, first, count, rows);
    } catch (const Unreadable& u) {
        const Problem p = problem_of(impl_->path, u);
        found.add(p.place, p.what);
    }
    return found;
}

} // namespace poinsot
