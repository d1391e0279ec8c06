// SPDX-License-Identifier: MIT
#include "poinsot/io/signals.hpp"

#include "poinsot/io/flight_signals.hpp"
#include "poinsot/io/number.hpp"
#include "poinsot/io/run_scene.hpp"
#include "poinsot/io/safe_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace poinsot {

struct RunSignals::Model {
    RunScene scene;
};

namespace {

constexpr std::array<const char*, 3> axis_names{"x", "y", "z"};

/// Σ n (n·F) over the points of a pair, and Σ F − n (n·F), as sizes: what presses, what rubs.
struct PairForces {
    Vec3<double> normal = zero3<double>(), friction = zero3<double>();
};
using ForcesOfPairs = std::map<std::pair<int, int>, PairForces>;

std::vector<double> contact_rows(const TrajectoryReader& run, const char* what, std::size_t first,
                                 std::size_t count, std::size_t wide)
{
    std::vector<double> rows(count * wide);
    if (Problems found = run.read_contacts(what, first, count, rows.data()); found.any())
        throw NotMade{std::move(found)};
    return rows;
}

ForcesOfPairs forces_of_pairs(const TrajectoryReader& run, std::size_t frame)
{
    const auto& ends = run.head().contacts_end;
    const std::size_t first = frame == 0 ? 0 : ends[frame - 1], count = ends[frame] - first;
    ForcesOfPairs made;
    if (count == 0)
        return made;
    const auto a = contact_rows(run, "a", first, count, 1),
               b = contact_rows(run, "b", first, count, 1),
               n = contact_rows(run, "normal", first, count, 3),
               F = contact_rows(run, "force", first, count, 3);
    for (std::size_t i = 0; i < count; ++i) {
        PairForces& of = made[{static_cast<int>(a[i]), static_cast<int>(b[i])}];
        const Vec3<double> normal = row_vec(&n[3 * i]), force = row_vec(&F[3 * i]);
        of.normal += dot(normal, force) * normal;
        of.friction += force - dot(normal, force) * normal;
    }
    return made;
}

} // namespace

RunSignals::RunSignals(const TrajectoryReader& run)
    : run_(run), model_(std::make_unique<Model>(Model{scene_of(run)}))
{
    add_coordinates();
    add_flight();
    add_forces();
    add_contacts();
    add_cuts();
    add_parts();
    if (run.head().ledger_detail != "off")
        add_ledger();
    for (std::size_t body = 0; body < run.bodies(); ++body)
        add_body(body);
}
RunSignals::~RunSignals() = default;

void RunSignals::add(std::string name, std::string unit, Source source)
{
    while (numbers_.count(name) > 0)
        name += " again";
    numbers_.emplace(name, signals_.size());
    signals_.push_back({std::move(name), std::move(unit)});
    sources_.push_back(std::move(source));
}
void RunSignals::add_vector(const std::string& name, const std::string& unit,
                            const std::string& series, std::size_t first)
{
    for (std::size_t k = 0; k < 3; ++k)
        add(text_of(name, " ", axis_names[k]), unit, {{series}, first + k, 1});
    add(name + " size", unit, {{series}, first, 3});
}

void RunSignals::add_coordinates()
{
    if (!model_->scene.scene)
        return;
    const CoordinateSignals coordinates(*model_->scene.scene->model, run_);
    for (const CoordinateSignals::Named& one : coordinates.names())
        add(one.name, one.unit, {});
}

void RunSignals::add_flight()
{
    if (!model_->scene.scene)
        return;
    const FlightSignals flight(*model_->scene.scene->model, run_);
    for (std::size_t i = 0; i < flight.names().size(); ++i)
        add(flight.names()[i].name, flight.names()[i].unit, {{}, 0, 1, -1, static_cast<int>(i)});
}

void RunSignals::add_forces()
{
    const TrajectoryHead& head = run_.head();
    if (run_.has("joints/reaction_force"))
        for (std::size_t j = 0; j < head.joints.size(); ++j) {
            add_vector(head.joints[j].name + " / reaction force", "N", "joints/reaction_force",
                       3 * j);
            add_vector(head.joints[j].name + " / reaction torque", "N m", "joints/reaction_torque",
                       3 * j);
        }
    const std::size_t c = head.force_causes.size();
    for (std::size_t i = 0; i < run_.bodies() * c; ++i) {
        const std::string name = text_of(head.names[i / c], " / ", head.force_causes[i % c]);
        add_vector(name + " force", "N", "forces/force", 3 * i);
        add_vector(name + " torque", "N m", "forces/torque", 3 * i);
    }
}

void RunSignals::add_contacts()
{
    constexpr std::size_t at_once = 100'000;
    if (run_.head().contacts_end.empty())
        return;
    std::set<std::pair<int, int>> found;
    for (std::size_t first = 0; first < run_.contacts(); first += at_once) {
        const std::size_t count = std::min(at_once, run_.contacts() - first);
        std::vector<double> a(count), b(count);
        if (run_.read_contacts("a", first, count, a.data()).any() ||
            run_.read_contacts("b", first, count, b.data()).any())
            return; // a file that breaks off has none of these
        for (std::size_t i = 0; i < count; ++i)
            found.emplace(static_cast<int>(a[i]), static_cast<int>(b[i]));
    }
    pairs_.assign(found.begin(), found.end());
    const auto name = [&](int i) { return run_.head().surfaces[static_cast<std::size_t>(i)]; };
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const std::string both = text_of(name(pairs_[k].first), " and ", name(pairs_[k].second));
        add(both + " / normal force", "N", {{"contacts"}, 0, 1, static_cast<int>(k)});
        add(both + " / friction force", "N", {{"contacts"}, 1, 1, static_cast<int>(k)});
    }
}

void RunSignals::add_cuts()
{
    const auto& cuts = run_.head().cuts;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        const auto named = [&](const char* what) { return text_of(cuts[i].name, " / ", what); };
        add(named("tension"), "N", {{"cuts/force"}, 3 * i + 2});
        add(named("shear x"), "N", {{"cuts/force"}, 3 * i});
        add(named("shear y"), "N", {{"cuts/force"}, 3 * i + 1});
        add(named("bending x"), "N m", {{"cuts/moment"}, 3 * i});
        add(named("bending y"), "N m", {{"cuts/moment"}, 3 * i + 1});
        add(named("torsion"), "N m", {{"cuts/moment"}, 3 * i + 2});
        add(named("utilisation"), "1", {{"cuts/utilisation"}, i});
        add(named("largest utilisation"), "1", {{"cuts/largest_utilisation"}, i});
    }
}

void RunSignals::add_parts()
{
    const auto& rotors = run_.head().rotors;
    for (std::size_t i = 0; i < rotors.size(); ++i) {
        add(rotors[i] + " / spin", "rad/s", {{"rotors/spin"}, i});
        add(rotors[i] + " / axial momentum", "kg m^2/s", {{"rotors/momentum"}, i});
    }
    const auto& tanks = run_.head().tanks;
    for (std::size_t i = 0; i < tanks.size(); ++i) {
        add(tanks[i] + " / content", "kg", {{"tanks/content"}, i});
        add(tanks[i] + " / level", "m", {{"tanks/level"}, i});
    }
    const auto& controls = run_.head().controls;
    for (std::size_t i = 0; i < controls.size(); ++i)
        add(controls[i] + " / setting", "1", {{"controls/value"}, i});
}

void RunSignals::add_ledger()
{
    std::vector<std::string> energies{"ledger/kinetic_energy"},
        residuals{"ledger/residual_kinetic_energy"};
    for (const char* store : {"gravity", "spring", "rotor"})
        if (run_.has(text_of("ledger/", store, "_store"))) {
            energies.push_back(text_of("ledger/", store, "_store"));
            residuals.push_back(text_of("ledger/residual_", store, "_store"));
            add(text_of("energy / ", store, " store"), "J", {{energies.back()}});
        }
    add("energy / kinetic", "J", {{energies.front()}});
    add("energy / total", "J", {energies});
    add("residual / energy", "J", {residuals});
    add("residual / kinetic", "J", {{residuals.front()}});
    add("residual / p", "kg m/s", {{"ledger/residual_p"}, 0, 3});
    add("residual / L", "kg m^2/s", {{"ledger/residual_L"}, 0, 3});
    add_vector("ledger / p", "kg m/s", "ledger/p", 0);
    add_vector("ledger / L", "kg m^2/s", "ledger/L", 0);
    const std::vector<std::string>& causes = run_.head().causes;
    for (std::size_t c = 0; c < causes.size(); ++c) {
        add_vector(text_of("ledger / ", causes[c], " impulse"), "N s", "ledger/impulse", 3 * c);
        add_vector(text_of("ledger / ", causes[c], " angular impulse"), "N m s",
                   "ledger/angular_impulse", 3 * c);
        add(text_of("ledger / ", causes[c], " work"), "J", {{"ledger/work"}, c, 1});
    }
}

void RunSignals::add_body(std::size_t body)
{
    const std::string& name = run_.head().names[body];
    add_vector(name + " / position", "m", "bodies/position", 3 * body);
    add_vector(name + " / velocity", "m/s", "bodies/velocity", 3 * body);
    add_vector(name + " / p", "kg m/s", "bodies/momentum", 3 * body);
    if (run_.head().particle[body] != 0)
        return;
    for (std::size_t k = 0; k < 4; ++k)
        add(text_of(name, " / attitude ", "wxyz"[k]), "1", {{"bodies/orientation"}, 4 * body + k});
    add_vector(name + " / angular velocity", "rad/s", "bodies/angular_velocity", 3 * body);
    add_vector(name + " / L about its centre", "kg m^2/s", "bodies/angular_momentum", 3 * body);
}

Result<std::vector<std::size_t>> RunSignals::named(const std::vector<std::string>& names) const
{
    Problems found;
    std::vector<std::size_t> all;
    for (const std::string& name : names) {
        if (const auto known = numbers_.find(name); known != numbers_.end()) {
            all.push_back(known->second);
            continue;
        }
        std::vector<std::string_view> known;
        for (const Signal& signal : signals_)
            known.push_back(signal.name);
        const std::string near = nearest_word(name, known);
        found.add(run_.file().string(), "has no signal '", name, "'",
                  near.empty() ? std::string() : text_of("; did you mean '", near, "'?"),
                  " `poinsot export RUN.h5 --list` lists them all");
    }
    if (found.any())
        return found;
    return all;
}

Result<std::vector<std::size_t>> RunSignals::chosen(const std::vector<std::string>& texts) const
{
    std::vector<std::string> names;
    for (const std::string& text : texts) {
        if (numbers_.count(text) > 0) {
            names.push_back(text);
            continue;
        }
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            names.emplace_back(trimmed(std::string_view(text).substr(begin, end - begin)));
            begin = end + 1;
        }
    }
    return named(names);
}

Problems RunSignals::write_csv(const std::vector<std::size_t>& chosen,
                               const std::filesystem::path& to,
                               const std::function<void(double)>& progress) const
{
    SafeFile out(to);
    if (out.problem())
        return out.problems();
    std::map<std::string, RowWindow, std::less<>> rows;
    bool from_poses = false, from_contacts = false, from_flight = false;
    std::string line = "time [s]";
    for (const std::size_t i : chosen) {
        for (const std::string& series : sources_[i].series)
            if (sources_[i].pair < 0)
                rows.try_emplace(series, run_, series);
        from_contacts = from_contacts || sources_[i].pair >= 0;
        from_flight = from_flight || sources_[i].flight >= 0;
        from_poses = from_poses || (sources_[i].series.empty() && sources_[i].flight < 0);
        line += "," + csv_column(text_of(signals_[i].name, " [", signals_[i].unit, "]"));
    }
    out.write(line + "\n");
    try {
        std::optional<CoordinateSignals> coordinates;
        if (from_poses)
            coordinates.emplace(*model_->scene.scene->model, run_);
        std::optional<FlightSignals> flight;
        if (from_flight)
            flight.emplace(*model_->scene.scene->model, run_);
        PoseWindow window(run_, 64);
        for (std::size_t frame = 0; frame < run_.frames() && !out.problem(); ++frame) {
            const auto row = [&](const std::string& series) {
                return rows.find(series)->second.row(frame);
            };
            const std::vector<double>* const q =
                coordinates ? &coordinates->at(window.frame(frame, frame)) : nullptr;
            const std::vector<double>* const read = flight ? &flight->at(frame) : nullptr;
            const ForcesOfPairs touch =
                from_contacts ? forces_of_pairs(run_, frame) : ForcesOfPairs();
            line = exact(run_.head().time[frame]);
            for (const std::size_t i : chosen) {
                const Source& source = sources_[i];
                double value = 0;
                if (source.flight >= 0)
                    value = (*read)[static_cast<std::size_t>(source.flight)];
                else if (source.series.empty())
                    value = (*q)[i]; // coordinates are the first signals
                else if (source.pair >= 0) {
                    const auto of = touch.find(pairs_[static_cast<std::size_t>(source.pair)]);
                    value = of == touch.end()   ? 0
                            : source.first == 0 ? norm(of->second.normal)
                                                : norm(of->second.friction);
                } else if (source.wide == 3)
                    value = norm(row_vec(row(source.series[0]) + source.first));
                else
                    for (const std::string& series : source.series)
                        value += row(series)[source.first];
                line += "," + exact(value);
            }
            out.write(line + "\n");
            if (frame % 256 == 0)
                progress(static_cast<double>(frame) / static_cast<double>(run_.frames()));
        }
    } catch (NotMade& no) {
        return std::move(no.problems);
    }
    out.finish();
    return out.problems();
}

std::string csv_column(const std::string& name)
{
    if (name.find_first_of(",\"\r\n") == std::string::npos)
        return name;
    std::string out = "\"";
    for (const char c : name)
        out += c == '"'                 ? std::string("\"\"")
               : c == '\n' || c == '\r' ? std::string(" ")
                                        : std::string(1, c);
    return out + "\"";
}

} // namespace poinsot
