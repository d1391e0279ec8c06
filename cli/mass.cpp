// SPDX-License-Identifier: MIT
// poinsot mass FILE --density D | --mass M [--method exact|sampled|box|all] [--samples N] [--json]
#include "cli/mass.hpp"

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "poinsot/io/mesh.hpp"
#include "poinsot/mass/principal.hpp"
#include "poinsot/mass/sampled.hpp"
#include "poinsot/mass/surface.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

namespace poinsot {

namespace {

struct Request {
    std::string file;
    std::optional<double> density, mass; // exactly one of them
    std::string method = "exact";
    std::int64_t samples = 100000;
    bool json = false;
};

// What one method found, of the material that was asked for.
struct Answer {
    std::string method;
    double volume;
    MassProperties body;
    PrincipalAxes principal;
    double seconds;
    std::optional<Sampled> errors; // of random points, one standard error each
};

// File names need not be valid UTF-8, JSON must be.
constexpr auto replace = nlohmann::ordered_json::error_handler_t::replace;

Problems wrong_numbers(const Request& request)
{
    Problems found;
    const auto positive = [&](const char* option, const std::optional<double>& number) {
        if (number && !(*number > 0 && std::isfinite(*number)))
            found.add(option, "must be positive and finite, is ", *number);
    };
    positive("--density", request.density);
    positive("--mass", request.mass);
    return found;
}

// A body of density one, made of the material that was asked for.
MassProperties of_material(const MassProperties& body, const Request& request)
{
    return request.mass ? with_mass(body, *request.mass) : rescaled(body, *request.density, 1);
}

// Why the numbers of a body cannot be trusted, or nothing. Sizes enter with the fifth power, so
// that coordinates and a density may be finite while the inertia is not.
std::string beyond_numbers(const MassProperties& body)
{
    using limits = std::numeric_limits<double>;
    const double size = trace(body.inertia);
    const Vec3<double>& C = body.center;
    if (!std::isfinite(body.mass) || !std::isfinite(size) || !std::isfinite(C.x + C.y + C.z))
        return text_of("too large for this mesh: mass or inertia exceeds ", limits::max(),
                       ". Is the mesh in metres?");
    if (!(size > limits::min() / limits::epsilon()))
        return text_of("too small for this mesh: the inertia is ", size,
                       " kg m2, too little for numbers of 16 digits. Is the mesh in metres?");
    return {};
}

// The errors of a sampling with density one, for the material that was asked for: a mass that is
// given has none.
Sampled errors_of_material(Sampled errors, const Request& request)
{
    const double factor = request.mass ? *request.mass : *request.density;
    errors.mass_error = request.mass ? 0 : factor * errors.volume_error;
    errors.inertia_error =
        factor * (request.mass ? errors.inertia_per_mass_error : errors.inertia_error);
    return errors;
}

template <class Method>
Result<Answer> timed(const char* name, const Request& request, const Method& method)
{
    const auto start = std::chrono::steady_clock::now();
    Result<Sampled> found = method();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    if (!found)
        return found.problems();
    const MassProperties body = of_material(found->body, request);
    if (const std::string why = beyond_numbers(body); !why.empty()) {
        Problems problems;
        problems.add(request.mass ? "--mass" : "--density", why);
        return problems;
    }
    Answer answer{name, found->volume, body, principal_axes(body.inertia), spent.count(), {}};
    if (found->samples > 0)
        answer.errors = errors_of_material(*found, request);
    return answer;
}

// A result without sampling errors, in the same form.
Sampled plain(const MassProperties& body)
{
    return {body, body.mass, 0, 0, zero3<double>(), {}, {}, 0, 0};
}

Result<std::vector<Answer>> answers(const Request& request, const Surface& given,
                                    const Surface& surface)
{
    std::vector<Answer> all;
    Problems found;
    const auto take = [&](const char* name, const auto& method) {
        if (request.method != name && request.method != "all")
            return;
        const auto answer = timed(name, request, method);
        if (answer)
            all.push_back(*answer);
        else if (found.text().find(answer.problems().text()) == std::string::npos) // said once
            found.add(answer.problems());
    };
    // Each method's time includes what it needs to know about the surface; that it is closed was
    // found out before, for all of them.
    take("exact", [&]() -> Result<Sampled> {
        const SurfaceIntegrals of = integrals_of(surface);
        return plain({of.volume, of.center, inertia_of_second_moments(of.second_moments)});
    });
    take("sampled", [&] {
        return sample_random(InsideSurface(surface), bounds_of(surface.vertices), 1,
                             request.samples, 1, "--samples");
    });
    take("box", [&]() -> Result<Sampled> {
        const auto box = bounding_box_estimate(bounds_of(given.vertices), 1, request.file);
        if (!box)
            return box.problems();
        return plain(*box);
    });
    if (found.any())
        return found;
    return all;
}

// ---- for machines -------------------------------------------------------------------------------

nlohmann::ordered_json json_of(const Mat3<double>& m)
{
    return {json_of(m.r0), json_of(m.r1), json_of(m.r2)};
}
nlohmann::ordered_json json_of(const Answer& answer)
{
    nlohmann::ordered_json j{{"method", answer.method},
                             {"volume", answer.volume},
                             {"mass", answer.body.mass},
                             {"center", json_of(answer.body.center)},
                             {"inertia", json_of(full(answer.body.inertia))},
                             {"principal_moments", json_of(answer.principal.moments)},
                             {"principal_axes", json_of(transpose(answer.principal.axes))},
                             {"seconds", answer.seconds}};
    if (answer.errors)
        j["standard_error"] = {{"samples", answer.errors->samples},
                               {"inside", answer.errors->inside},
                               {"volume", answer.errors->volume_error},
                               {"mass", answer.errors->mass_error},
                               {"center", json_of(answer.errors->center_error)},
                               {"inertia", json_of(full(answer.errors->inertia_error))}};
    return j;
}

// ---- for people ---------------------------------------------------------------------------------

// A number that is rounding beside others of its kind is shown as zero.
double shown(double number, double scale)
{
    return std::abs(number) <= 1e-15 * scale ? 0 : number;
}

void print_vector(const char* name, const Vec3<double>& v, double scale)
{
    say("{:<12}{:>18.10g}{:>18.10g}{:>18.10g}\n", name, shown(v.x, scale), shown(v.y, scale),
        shown(v.z, scale));
}

// Three lines: each moment, and the direction it is about.
void print_principal(const Answer& answer)
{
    const Mat3<double> axes = transpose(answer.principal.axes);
    const auto& [I1, I2, I3] = answer.principal.moments;
    for (const auto& [moment, axis] : {std::pair{I1, axes.r0}, {I2, axes.r1}, {I3, axes.r2}})
        say("{:>18.10g}   along ({:.8f}, {:.8f}, {:.8f})\n", moment, shown(axis.x, 1) + 0.0,
            shown(axis.y, 1) + 0.0, shown(axis.z, 1) + 0.0);
}

void print_one(const Answer& answer)
{
    const MassProperties& body = answer.body;
    const double length = std::sqrt(trace(body.inertia) / body.mass), size = trace(body.inertia);
    say("{:<12}{:>18.10g} m3\n", "volume", answer.volume);
    say("{:<12}{:>18.10g} kg\n", "mass", body.mass);
    print_vector("centre, m", body.center, length);
    say("\ninertia about the centre of mass, kg m2\n");
    const Mat3<double> I = full(body.inertia);
    print_vector("  x", I.r0, size);
    print_vector("  y", I.r1, size);
    print_vector("  z", I.r2, size);
    say("\nprincipal moments, kg m2, and their axes\n");
    print_principal(answer);
    if (answer.errors)
        say("\nfrom {} random points, {} of them inside; one standard error: volume {:.2g}, "
            "mass {:.2g}, centre {:.2g}, moments {:.2g}\n",
            answer.errors->samples, answer.errors->inside, answer.errors->volume_error,
            answer.errors->mass_error, norm(answer.errors->center_error),
            std::max({answer.errors->inertia_error.xx, answer.errors->inertia_error.yy,
                      answer.errors->inertia_error.zz}));
    if (answer.method == "box")
        say("\nfor a solid block of the mesh's bounds: an estimate, not the body\n");
}

// One row of the comparison, and under what measure its differences are given.
struct Row {
    const char* name;
    double (*number)(const Answer&);
    double (*scale)(const Answer&);
};

void print_side_by_side(const std::vector<Answer>& all)
{
    const auto volume = [](const Answer& a) { return a.volume; };
    const auto mass = [](const Answer& a) { return a.body.mass; };
    const auto length = [](const Answer& a) {
        return std::sqrt(trace(a.body.inertia) / a.body.mass);
    };
    const auto size = [](const Answer& a) { return trace(a.body.inertia); };
    const Row rows[] = {
        {"volume", volume, volume},
        {"mass", mass, mass},
        {"centre x", [](const Answer& a) { return a.body.center.x; }, length},
        {"centre y", [](const Answer& a) { return a.body.center.y; }, length},
        {"centre z", [](const Answer& a) { return a.body.center.z; }, length},
        {"inertia xx", [](const Answer& a) { return a.body.inertia.xx; }, size},
        {"inertia yy", [](const Answer& a) { return a.body.inertia.yy; }, size},
        {"inertia zz", [](const Answer& a) { return a.body.inertia.zz; }, size},
        {"inertia xy", [](const Answer& a) { return a.body.inertia.xy; }, size},
        {"inertia xz", [](const Answer& a) { return a.body.inertia.xz; }, size},
        {"inertia yz", [](const Answer& a) { return a.body.inertia.yz; }, size},
        {"principal 1", [](const Answer& a) { return a.principal.moments.x; }, size},
        {"principal 2", [](const Answer& a) { return a.principal.moments.y; }, size},
        {"principal 3", [](const Answer& a) { return a.principal.moments.z; }, size},
    };
    const Answer& exact = all.front();
    say("{:<12}{:>16}", "", exact.method);
    for (std::size_t i = 1; i < all.size(); ++i)
        say("{:>16}{:>11}", all[i].method, "difference");
    say("\n");
    std::vector<double> worst(all.size(), 0);
    for (const Row& row : rows) {
        const double truth = row.number(exact), scale = row.scale(exact);
        say("{:<12}{:>16.8g}", row.name, shown(truth, scale));
        for (std::size_t i = 1; i < all.size(); ++i) {
            const double number = row.number(all[i]), off = (number - truth) / scale;
            worst[i] = std::max(worst[i], std::abs(off));
            say("{:>16.8g}{:>11.1e}", shown(number, scale), shown(off, 1));
        }
        say("\n");
    }
    say("{:<12}{:>16}", "largest", "");
    for (std::size_t i = 1; i < all.size(); ++i)
        say("{:>16}{:>11.1e}", "", worst[i]);
    say("\n{:<12}{:>16.2e}", "time, s", exact.seconds);
    for (std::size_t i = 1; i < all.size(); ++i)
        say("{:>16.2e}{:>10.2g}x", all[i].seconds, all[i].seconds / exact.seconds);
    say("\n\nDifferences from the exact one: volume and mass as fractions, the centre in radii of\n"
        "gyration, inertia and principal moments in parts of the trace.\n");
    for (const Answer& answer : all) {
        say("\nprincipal moments, kg m2, and their axes: {}\n", answer.method);
        print_principal(answer);
    }
    say("\n");
    for (const Answer& answer : all)
        if (answer.errors)
            say("{} random points, {} inside; one standard error of the volume is {:.2g} "
                "({:.1e}).\n",
                answer.errors->samples, answer.errors->inside, answer.errors->volume_error,
                answer.errors->volume_error / answer.volume);
}

// -------------------------------------------------------------------------------------------------

int mass(const Request& request, Problems found)
{
    if (!found.any()) // what is empty is no number
        found = wrong_numbers(request);
    const auto mesh = read_mesh(request.file);
    if (!mesh)
        found.add(mesh.problems());
    if (found.any())
        return refuse(found, request.json);

    // The box needs no closed surface, only coordinates that are numbers.
    const SurfaceReport report = inspect(mesh->surface);
    found = report.problems(request.file);
    const bool box_only = request.method == "box";
    if (found.any() && (!box_only || !report.not_finite.empty()))
        return refuse(found, request.json);
    std::vector<std::string> remarks = mesh->remarks;
    for (const Problem& problem : found.list())
        remarks.push_back(problem.what);

    const auto all = answers(request, mesh->surface, report.as_welded.surface);
    if (!all)
        return refuse(all.problems(), request.json);

    const int corners = report.vertices - report.merged;
    if (request.json) {
        nlohmann::ordered_json out{{"file", request.file},
                                   {"faces", report.faces},
                                   {"vertices", corners},
                                   {"welded", report.merged},
                                   {"shells", report.shells.size()},
                                   {"remarks", remarks},
                                   {"results", nlohmann::ordered_json::array()}};
        for (const Answer& answer : *all)
            out["results"].push_back(json_of(answer));
        say("{}\n",
            out.dump(2, ' ', false,
                     replace)); // shortest digits that read back to the same number, at most 17
        return done;
    }
    say("{}: {} faces, {} vertices after welding {}, {} shell{}\n", request.file, report.faces,
        corners, report.merged, report.shells.size(), report.shells.size() == 1 ? "" : "s");
    for (const std::string& remark : remarks)
        say("note: {}\n", remark);
    say("\n");
    if (request.method == "all")
        print_side_by_side(*all);
    else
        print_one(all->front());
    return done;
}

} // namespace

void add_mass_command(CLI::App& app, int& exit_status)
{
    const auto request = std::make_shared<Request>();
    CLI::App* command = app.add_subcommand("mass", "Mass, centre and inertia of a closed mesh");
    command->add_option("FILE", request->file, "a mesh: STL, OBJ, PLY, DAE, glTF or GLB, in metres")
        ->required();
    CLI::Option_group* material = command->add_option_group("material", "one of the two");
    material->add_option("--density", request->density, "of the material, in kg/m3");
    material->add_option("--mass", request->mass, "of the whole body, in kg");
    material->require_option(1);
    command
        ->add_option(
            "--method", request->method,
            "exact: divergence theorem. sampled: random points inside. box: a block of the same "
            "bounds. all: side by side, with their differences and times")
        ->check(CLI::IsMember({"exact", "sampled", "box", "all"}))
        ->capture_default_str();
    CLI::Option* samples =
        command->add_option("--samples", request->samples, "number of random points")
            ->capture_default_str();
    command->add_flag("--json", request->json, "for machines: all digits");
    command->footer(
        "A mesh that is open, inside out or inconsistent is refused, with what is wrong where.\n"
        "\n"
        "Example, an aluminium part:\n"
        "  poinsot mass bracket.stl --density 2700 --method all\n");
    command->callback([=, &exit_status] {
        Problems wrong = empty_options(*command);
        wrong.add(empty_options(*material));
        if (samples->count() > 0 && (request->method == "exact" || request->method == "box"))
            wrong.add("--samples", "has no effect with --method ", request->method,
                      "; add --method sampled or all, or leave it out");
        exit_status = mass(*request, std::move(wrong));
    });
}

} // namespace poinsot
