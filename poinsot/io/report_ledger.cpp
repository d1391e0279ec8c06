// SPDX-License-Identifier: MIT
#include "poinsot/io/report_ledger.hpp"

#include "poinsot/io/number.hpp"

#include <algorithm>
#include <array>

namespace poinsot {

namespace {

constexpr std::array<std::string_view, 4> by_cause{"impulse", "angular_impulse", "spin_impulse",
                                                   "work"};

/// Which causes have an entry that is not zero anywhere.
std::vector<bool> who_posted(const TrajectoryReader& run, bool each)
{
    const std::size_t c = run.head().causes.size();
    std::vector<bool> posted(c, false);
    for (const char* at : {"ledger/", "ledger/bodies/"})
        for (const std::string_view name : by_cause) {
            if (c == 0 || (at == std::string_view("ledger/bodies/") && !each))
                continue;
            const std::string series = text_of(at, name);
            const std::size_t row = run.row_size(series), wide = name == "work" ? 1 : 3;
            in_slabs(run, series, [&](std::size_t, std::size_t count, const double* rows) {
                for (std::size_t i = 0; i < count * row; ++i)
                    if (rows[i] != 0)
                        posted[i / wide % c] = true;
            });
        }
    return posted;
}
PageJson accounts_of(const TrajectoryReader& run, PageData& data, const std::string& at,
                     const std::vector<bool>& posted)
{
    PageJson all;
    for (const char* name :
         {"mass", "p", "L", "spin", "kinetic_energy", "moving_point", "residual_mass", "residual_p",
          "residual_L", "residual_spin", "residual_kinetic_energy"})
        all[name] = copied(data, run, at + name);
    const auto c = static_cast<std::size_t>(std::count(posted.begin(), posted.end(), true));
    for (const std::string_view name : by_cause) {
        const std::string series = text_of(at, name);
        const std::size_t wide = name == "work" ? 1 : 3;
        BlockShape shape = run.row_shape(series);
        shape[shape.size() - (wide == 1 ? 1 : 2)] = c;
        shape.insert(shape.begin(), run.frames());
        all[std::string(name)] =
            data.add("f64", shape, 8, [&run, series, wide, posted](PagePacker& to) {
                const std::size_t row = run.row_size(series);
                in_slabs(run, series, [&](std::size_t, std::size_t count, const double* rows) {
                    for (std::size_t i = 0; i < count * row; i += wide)
                        if (posted[i / wide % posted.size()])
                            to.put(rows + i, 8 * wide);
                });
            });
    }
    return all;
}

/// From the words of `name_of(LedgerAbout)`.
PageJson about_of(std::string_view L_about)
{
    constexpr std::string_view begin = "the point (";
    std::vector<double> point;
    if (L_about == "the world origin")
        point = {0, 0, 0};
    if (L_about.starts_with(begin) && L_about.ends_with(")")) {
        std::string_view rest = L_about.substr(begin.size());
        rest.remove_suffix(1);
        for (std::size_t end = 0; end != std::string_view::npos;) {
            end = rest.find(',');
            if (const auto x = parse_number(trimmed(rest.substr(0, end))).value)
                point.push_back(*x);
            rest.remove_prefix(std::min(rest.size(), end) + (end < rest.size()));
        }
    }
    if (point.size() == 3)
        return {{"kind", "point"}, {"point", point}};
    return {{"kind", "moving"}, {"text", L_about}};
}

} // namespace

PageJson described_ledger(const TrajectoryReader& run, PageData& data,
                          std::vector<std::string>& remarks)
{
    const bool each = run.head().ledger_detail == "bodies" && run.bodies() < few_bodies &&
                      bytes_of(run, "ledger/bodies/impulse") < few_bytes;
    if (run.head().ledger_detail == "bodies" && !each)
        remarks.push_back("the accounts of single bodies are left out: they are too large");
    const std::vector<bool> posted = who_posted(run, each);
    PageJson ledger{{"about", about_of(run.head().L_about)}, {"every", run.head().ledger_every}};
    PageJson causes = PageJson::array();
    for (std::size_t c = 0; c < posted.size(); ++c)
        if (posted[c])
            causes.push_back(run.head().causes[c]);
    ledger["causes"] = std::move(causes);
    PageJson opening;
    for (const TrajectoryHead::Opening& o : run.head().opening)
        opening[o.name] = o.values.size() == 1 ? PageJson(o.values[0]) : PageJson(o.values);
    ledger["opening"] = std::move(opening);
    ledger["total"] = accounts_of(run, data, "ledger/", posted);
    for (const char* store : {"gravity_store", "spring_store", "rotor_store"})
        for (const std::string& name : {std::string(store), text_of("residual_", store)})
            if (run.has("ledger/" + name))
                ledger["total"][name] = copied(data, run, "ledger/" + name);
    if (each)
        ledger["bodies"] = accounts_of(run, data, "ledger/bodies/", posted);
    return ledger;
}

} // namespace poinsot
