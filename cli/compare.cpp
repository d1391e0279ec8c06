// SPDX-License-Identifier: MIT
// poinsot compare a.h5 b.h5 [--tolerance 1e-6] [--report both.html]
#include "cli/differences.hpp"
#include "cli/page.hpp"
#include "poinsot/io/number.hpp"
#include "poinsot/io/yaml_tree.hpp"

#include <algorithm>

namespace poinsot {

namespace {

struct CompareArguments {
    std::string first, second, report, tolerance;
    bool json = false, quiet = false;
};

std::string some_of(const std::vector<std::string>& names)
{
    constexpr std::size_t most = 5;
    std::string all;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
        all += fmt::format("{}'{}'", i > 0 ? ", " : "", visible(names[i]));
    return names.size() > most ? fmt::format("{} and {} more", all, names.size() - most) : all;
}

/// Of cuts that both have the one whose use of its strength differs most; none: no cuts.
const Comparison::CutApart* most_apart(const std::vector<Comparison::CutApart>& cuts)
{
    const auto most = std::max_element(cuts.begin(), cuts.end(), [](const auto& a, const auto& b) {
        return a.largest < b.largest;
    });
    return most == cuts.end() ? nullptr : &*most;
}

std::string in_words(const Comparison& made)
{
    std::string out =
        fmt::format("{} bodies in common, compared at {} times from {:.6g} to {:.6g} s\n",
                    made.bodies.size(), made.times, made.from, made.until);
    for (const auto& [names, which] :
         {std::pair(&made.only_first, "first"), {&made.only_second, "second"}})
        if (!names->empty())
            out += fmt::format("Only in the {}: {}\n", which, some_of(*names));
    if (made.interpolated)
        out += fmt::format(
            "Their frames are at other times: the {} is interpolated at those of the "
            "{}, off by about {:.1g} m, {:.1g} rad, {:.1g} m/s, {:.1g} rad/s\n",
            made.times_of_second ? "first" : "second", made.times_of_second ? "second" : "first",
            made.interpolation.position, made.interpolation.attitude, made.interpolation.velocity,
            made.interpolation.angular_velocity);
    if (!made.with_stores)
        out += "Energy is kinetic energy: the books of both do not say what is stored\n";
    out += fmt::format("\n{}", table(made.differences, made.bodies));
    if (const Comparison::CutApart* cut = most_apart(made.cuts))
        out += fmt::format(
            "Cuts: at most {:.3g} of the strength apart, '{}' at t = {:.6g} s: {:.4g} "
            "and {:.4g}; {} in common\n",
            cut->largest, visible(cut->name), cut->time, cut->first, cut->second, made.cuts.size());
    if (made.parting) {
        const Comparison::Parting& p = *made.parting;
        out += fmt::format("They part at t = {:.6g} s, step {:.0f}: {} of body '{}' differs by "
                           "{:.3g} {}, more than {:.3g} (tolerance {})\n",
                           p.time, p.step, p.quantity, visible(p.body), p.difference, p.unit,
                           p.allowed, made.tolerance);
    } else
        out += fmt::format("They agree within a tolerance of {}\n", made.tolerance);
    return out;
}

nlohmann::ordered_json json_of(const Comparison& made)
{
    nlohmann::ordered_json json{{"bodies", made.bodies},
                                {"only_first", made.only_first},
                                {"only_second", made.only_second},
                                {"from", made.from},
                                {"until", made.until},
                                {"times", made.times},
                                {"times_of", made.times_of_second ? "second" : "first"},
                                {"interpolated", made.interpolated},
                                {"energy_with_stores", made.with_stores},
                                {"differences", json_of(made.differences, made.bodies)},
                                {"tolerance", made.tolerance},
                                {"agree", !made.parting}};
    if (made.interpolated)
        json["interpolation_error"] = {{"position", made.interpolation.position},
                                       {"attitude", made.interpolation.attitude},
                                       {"velocity", made.interpolation.velocity},
                                       {"angular_velocity", made.interpolation.angular_velocity}};
    for (const Comparison::CutApart& cut : made.cuts)
        json["cuts"].push_back({{"name", cut.name},
                                {"largest_difference_of_utilisation", cut.largest},
                                {"time", cut.time},
                                {"first", cut.first},
                                {"second", cut.second}});
    if (const auto& p = made.parting)
        json["parting"] = {{"time", p->time},
                           {"step", static_cast<std::int64_t>(p->step)},
                           {"body", p->body},
                           {"quantity", p->quantity},
                           {"difference", p->difference},
                           {"allowed", p->allowed}};
    return json;
}

int compare(const CompareArguments& args)
{
    Problems wrong;
    CompareOptions options;
    if (!args.tolerance.empty()) {
        const ParsedNumber parsed = parse_number(args.tolerance);
        if (!parsed.value)
            wrong.add("--tolerance", "'", args.tolerance, "' ", parsed.problem);
        else if (!(*parsed.value >= 0))
            wrong.add("--tolerance", "must not be negative, is ", *parsed.value);
        else
            options.tolerance = *parsed.value;
    }
    if (!args.report.empty()) {
        wrong.add(no_page("--report", args.report));
        for (const std::string& read : {args.first, args.second})
            for (const std::string& written : {args.report, args.report + ".part"})
                if (same_file(written, read))
                    wrong.add("--report", "would overwrite the trajectory, '", read,
                              "'; name another file");
    }
    if (wrong.any())
        return refuse(wrong, args.json);
    const PageStop stop;
    auto first = TrajectoryReader::open(args.first), second = TrajectoryReader::open(args.second);
    stop.go_on();
    for (const auto* one : {&first, &second})
        if (!*one)
            wrong.add(one->problems());
    if (wrong.any())
        return refuse(wrong, args.json);
    options.progress = [&](double) { stop.go_on(); };
    const auto made = compare_runs(*first, *second, options);
    if (!made)
        return refuse(made.problems(), args.json);

    std::optional<ReportMade> page;
    const bool talk = !args.json && !args.quiet;
    if (!args.report.empty()) {
        auto written = write_page(*first, args.report, talk, facts_of(*made, args.second), &stop,
                                  &*second, &*made);
        if (!written)
            return refuse(written.problems(), args.json);
        page = std::move(*written);
    }
    if (args.json) {
        nlohmann::ordered_json json{{"first", args.first}, {"second", args.second}};
        json.update(json_of(*made));
        if (page)
            json["report"] = {{"page", args.report}, {"bytes", page->bytes}};
        say("{}\n", json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    } else if (talk) {
        say("{}", in_words(*made));
        if (page)
            tell_page(args.report, *page);
    }
    return done;
}

} // namespace

std::vector<ReportFact> facts_of(const Comparison& made, const std::string& second)
{
    const Differences& d = made.differences;
    std::vector<ReportFact> facts{
        {"compared with", second},
        {"largest differences",
         fmt::format("{:.3g} m, {:.3g} rad, {:.3g} m/s, {:.3g} rad/s, {:.3g} J", d.position.largest,
                     d.attitude.largest, d.velocity.largest, d.angular_velocity.largest,
                     d.energy.largest)}};
    if (const Comparison::CutApart* cut = most_apart(made.cuts))
        facts.push_back(
            {"cuts", fmt::format("at most {:.3g} of the strength apart, {} at t = {:.6g} s",
                                 cut->largest, cut->name, cut->time)});
    if (made.parting)
        facts.push_back(
            {"they part", fmt::format("at t = {:.6g} s, body {}, by {}", made.parting->time,
                                      made.parting->body, made.parting->quantity)});
    return facts;
}

void add_compare_command(CLI::App& app, int& status)
{
    static CompareArguments args;
    CLI::App* command = app.add_subcommand("compare", "Two recorded runs over each other");
    command->footer(
        "Example: poinsot run double_pendulum --out fine.h5\n"
        "         poinsot run double_pendulum --step 0.004 --out coarse.h5\n"
        "         poinsot compare fine.h5 coarse.h5 --report both.html\n"
        "Bodies are matched by name. The two are compared at the frames of the one that has "
        "fewer;\n"
        "where the other has none it is interpolated, and the error of that is told. Exit status "
        "1\n"
        "if a file cannot be read, the two have nothing in common, or the page cannot be written.");
    command->add_option("first", args.first, "A trajectory")->required();
    command->add_option("second", args.second, "The one it is compared with")->required();
    command->add_option("--tolerance", args.tolerance,
                        "Where they part: a part of the size of the motion and of its largest "
                        "speeds, and rad (default 1e-6)");
    command->add_option("--report", args.report,
                        "Write both as one page, the second as a ghost, FILE.html");
    command->add_flag("--json", args.json, "One JSON object instead of text");
    command->add_flag("--quiet", args.quiet, "Say only what is wrong");
    command->callback([&status, command] {
        const Problems wrong = empty_options(*command);
        try {
            status = wrong.any() ? refuse(wrong, args.json) : compare(args);
        } catch (const PageStopped&) {
            complain("Stopped; no page was written");
            status = interrupted;
        }
    });
}

} // namespace poinsot
