// SPDX-License-Identifier: MIT
#include "poinsot/io/ledger_text.hpp"

#include "poinsot/io/number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

using nlohmann::ordered_json;

double relative(double value, double scale)
{
    return scale > 0 ? value / scale : value;
}

/// A number, or in words why there is none.
std::string size(double value, int width, int digits)
{
    if (std::isnan(value))
        return fmt::format("{:>{}}", "undefined", width);
    if (std::isinf(value))
        return fmt::format("{:>{}}", "overflow", width);
    return fmt::format("{:>{}.{}g}", value, width, digits);
}
/// "-0" is a zero whose sign tells nothing.
std::string cell(double value)
{
    return size(value == 0 ? 0.0 : value, 12, 5);
}
std::string cells(const Vec3<double>& a)
{
    return cell(a.x) + cell(a.y) + cell(a.z);
}
std::string row(std::size_t width, std::string_view label, const Vec3<double>& p,
                const Vec3<double>& L, double T)
{
    return fmt::format("  {:<{}}{} {} {}\n", label, width, cells(p), cells(L), cell(T));
}

bool silent(const Posting& posting)
{
    return norm(posting.J) == 0 && norm(posting.S) == 0 && norm(posting.K) == 0 &&
           posting.work == 0 && posting.mass == 0;
}

/// A first column as wide as the longest name in it, with its sign before it.
std::size_t label_width(const Books& books)
{
    std::size_t width = 15;
    const auto widen = [&](const Account& account) {
        for (std::size_t c = 0; c < cause_count; ++c)
            if (!silent(account.posted[c]))
                width = std::max(width, cause_names[c].size() + 2);
    };
    widen(books.total);
    for (const Account& body : books.bodies)
        widen(body);
    return width;
}

std::string account_rows(const Account& account, std::size_t width)
{
    std::string out =
        row(width, "opening", account.opening.p, account.opening.L, account.opening.T);
    for (std::size_t c = 0; c < cause_count; ++c) {
        const Posting& posted = account.posted[c];
        if (!silent(posted))
            out += row(width, fmt::format("+ {}", cause_names[c]), posted.J, posted.K + posted.S,
                       posted.work);
    }
    if (norm(account.moving_point) > 0)
        out += row(width, "+ moving point", zero3<double>(), account.moving_point, 0);
    out += row(width, "+ residual", account.residual.p, account.residual.L, account.residual.T);
    out += row(width, "= closing", account.closing.p, account.closing.L, account.closing.T);
    return out;
}

ordered_json json_of(const Vec3<double>& a)
{
    return {a.x, a.y, a.z};
}
ordered_json json_of(const Balance& b)
{
    return {{"mass", b.mass},
            {"p", json_of(b.p)},
            {"L", json_of(b.L)},
            {"spin", json_of(b.spin)},
            {"kinetic_energy", b.T}};
}
ordered_json json_of(const Account& account)
{
    ordered_json posted = ordered_json::object();
    for (std::size_t c = 0; c < cause_count; ++c) {
        const Posting& p = account.posted[c];
        if (!silent(p))
            posted[std::string(cause_names[c])] = {{"impulse", json_of(p.J)},
                                                   {"angular_impulse", json_of(p.K + p.S)},
                                                   {"spin_impulse", json_of(p.S)},
                                                   {"work", p.work}};
        if (p.mass != 0)
            posted[std::string(cause_names[c])]["mass"] = p.mass;
    }
    const Residual& r = account.residual;
    return {{"opening", json_of(account.opening)},
            {"posted", posted},
            {"moving_point", json_of(account.moving_point)},
            {"residual",
             {{"mass", r.mass},
              {"p", json_of(r.p)},
              {"L", json_of(r.L)},
              {"spin", json_of(r.spin)},
              {"kinetic_energy", r.T},
              {"gravity_store", r.stores.gravity},
              {"spring_store", r.stores.spring},
              {"rotor_store", r.stores.rotor},
              {"energy", r.E()}}},
            {"closing", json_of(account.closing)}};
}

/// The quantities whose closing balance is the opening one, to what a run of rounding leaves.
std::string conserved(const Ledger& ledger)
{
    const Books& b = ledger.books();
    std::vector<std::string> kept;
    const auto judge = [&](const char* what, double change, double scale) {
        if (scale > 0 && std::isfinite(scale) && change <= 1e-9 * scale)
            kept.push_back(what);
    };
    const Balance &from = b.total.opening, &to = b.total.closing;
    judge("mass", std::abs(to.mass - from.mass), from.mass);
    judge("momentum p", norm(to.p - from.p), b.scale_p);
    judge("angular momentum L", norm(to.L - from.L), b.scale_L);
    judge("kinetic energy", std::abs(to.T - from.T), b.scale_E);
    judge("kinetic energy and stores together",
          std::abs((to.T + b.closing_stores.total()) - (from.T + b.opening_stores.total())),
          b.closing_stores.total() != 0 || b.opening_stores.total() != 0 ? b.scale_E : 0);
    return kept.empty() ? "nothing" : fmt::format("{}", fmt::join(kept, ", "));
}

} // namespace

std::string_view name_of(Postings::Detail detail)
{
    switch (detail) {
    case Postings::Detail::off:
        return "off";
    case Postings::Detail::totals:
        return "totals";
    case Postings::Detail::bodies:
        return "bodies";
    }
    return "";
}
std::optional<Postings::Detail> detail_named(std::string_view name)
{
    for (const auto detail :
         {Postings::Detail::off, Postings::Detail::totals, Postings::Detail::bodies})
        if (name_of(detail) == name)
            return detail;
    return std::nullopt;
}

std::string name_of(const LedgerAbout& about)
{
    if (std::holds_alternative<AboutCenterOfMass>(about))
        return "the centre of mass of everything";
    if (const auto* at = std::get_if<AboutPoint>(&about))
        return fmt::format("the point ({}, {}, {})", at->point.x, at->point.y, at->point.z);
    if (const auto* body = std::get_if<AboutBody>(&about); body && body->at)
        return fmt::format("the point ({}, {}, {}) of '{}'", body->at->x, body->at->y, body->at->z,
                           body->name);
    if (const auto* body = std::get_if<AboutBody>(&about))
        return "the centre of mass of '" + body->name + "'";
    return "the world origin";
}

std::string ledger_table(const Ledger& ledger, const Model& model, const LedgerAbout& about,
                         bool finished)
{
    if (ledger.off())
        return text_of("The ledger was off: the books were ", ledger.verdict(), ".\n",
                       finished ? "" : "THE RUN DID NOT FINISH.\n");
    const Books& b = ledger.books();
    const Residual& r = b.total.residual;
    std::string out = fmt::format("The books; L about {}\n", name_of(about));
    const std::size_t width = label_width(b);
    const std::string heads =
        fmt::format("  {:<{}}{:>36} {:>36} {:>12}\n", "", width, "p  kg m/s", "L  kg m²/s", "T  J");
    out += heads + account_rows(b.total, width);
    for (std::size_t i = 0; i < b.bodies.size(); ++i)
        out +=
            fmt::format("body '{}'\n", model.bodies()[i].name) + account_rows(b.bodies[i], width);

    if (const double came = b.total.posted[index_of(Cause::thrust)].mass; came != 0)
        out += fmt::format("Mass, kg: {:.6g} at the opening, {:.6g} {}, {:.6g} at the closing\n",
                           b.total.opening.mass, std::abs(came), came < 0 ? "left" : "came",
                           b.total.closing.mass);

    const Stores &opening = b.opening_stores, &closing = b.closing_stores;
    const auto& posted = b.total.posted;
    const auto worked = [&](Cause cause) { return posted[index_of(cause)].work; };
    const auto used = [&](const OwnStore& s) {
        return opening.*s.energy != 0 || closing.*s.energy != 0 || worked(s.cause) != 0;
    };
    if (std::any_of(own_stores.begin(), own_stores.end(), used)) {
        // Stabilisation moves bodies and so shifts the stores, and so does mass that comes and
        // goes or a bushing that lets go; most runs have none of them.
        const bool shifts = std::any_of(own_stores.begin(), own_stores.end(),
                                        [&](const auto& s) { return b.shifted.*s.energy != 0; });
        const auto shift = [&](double by) { return shifts ? cell(by) : std::string(); };
        out += fmt::format(
            "Stores, J\n  {:<15}{:>12}{:>12}{}{:>12}{:>12}\n", "", "opening", "- work",
            shifts ? fmt::format("{:>12}", model.tanks().empty() && model.bushings().empty()
                                               ? "stabilised"
                                               : "shifted")
                   : "",
            "residual", "closing");
        for (const OwnStore& s : own_stores)
            if (used(s))
                out +=
                    fmt::format("  {:<15}{}{}{}{}{}\n", name_of(s.cause), cell(opening.*s.energy),
                                cell(-worked(s.cause)), shift(b.shifted.*s.energy),
                                cell(r.stores.*s.energy), cell(closing.*s.energy));
    }

    out += fmt::format("Conserved to 1e-9 of the largest term: {}\n", conserved(ledger));
    out += fmt::format("What the numerics lost or made\n  {:<30}{:>12}{:>17}{:>16}   {}\n", "",
                       "residual", "of the largest", "worst booking", "allowed");
    const auto& s = ledger.settings();
    const auto missing = [&](const char* what, double lost, double scale, double worst,
                             bool promised, double limit) {
        out += fmt::format("  {:<30}{}{}{}   {}\n", what, size(lost, 12, 3),
                           size(relative(lost, scale), 17, 2), size(worst, 16, 2),
                           promised ? fmt::format("{:.0e}", limit) : "not promised");
    };
    missing("mass, kg", std::abs(r.mass), b.total.opening.mass, 0, true, 1e-9);
    missing("momentum p, kg m/s", norm(r.p), b.scale_p, b.worst_p, s.promises_momentum, 1e-9);
    missing("L about each centre, kg m²/s", norm(r.spin), b.scale_spin, b.worst_spin,
            s.promises_spin, 1e-9);
    missing("L about the point, kg m²/s", norm(r.L), b.scale_L, b.worst_L, s.promises_L, 1e-9);
    missing("energy, J", std::abs(r.E()), b.scale_E, b.worst_E, s.energy_tolerance.has_value(),
            s.energy_tolerance.value_or(0));
    if (ledger.unbalanced())
        out += "THE BOOKS DO NOT BALANCE: " + ledger.verdict() + "\n";
    else if (finished)
        out += "The books balance.\n";
    if (!finished)
        out += "THE RUN DID NOT FINISH: these are the books up to its last good state.\n";
    return out;
}

std::string ledger_json(const Ledger& ledger, const Model& model, const LedgerAbout& about)
{
    const Books& b = ledger.books();
    ordered_json json{{"detail", name_of(ledger.settings().detail)}};
    if (!ledger.off()) {
        json["about"] = name_of(about);
        json["total"] = json_of(b.total);
        const auto json_of_stores = [](const Stores& stores) {
            ordered_json made;
            for (const auto& [cause, energy] : own_stores)
                made[std::string(name_of(cause))] = stores.*energy;
            return made;
        };
        json["stores"] = {{"opening", json_of_stores(b.opening_stores)},
                          {"closing", json_of_stores(b.closing_stores)},
                          {"stabilised", json_of_stores(b.shifted)}};
        json["relative_residual"] = {
            {"p", relative(norm(b.total.residual.p), b.scale_p)},
            {"L", relative(norm(b.total.residual.L), b.scale_L)},
            {"spin", relative(norm(b.total.residual.spin), b.scale_spin)},
            {"energy", relative(std::abs(b.total.residual.E()), b.scale_E)}};
        json["worst_booking"] = {
            {"p", b.worst_p}, {"L", b.worst_L}, {"spin", b.worst_spin}, {"energy", b.worst_E}};
        ordered_json bodies = ordered_json::object();
        for (std::size_t i = 0; i < b.bodies.size(); ++i)
            bodies[model.bodies()[i].name] = json_of(b.bodies[i]);
        if (!bodies.empty())
            json["bodies"] = bodies;
    }
    return json.dump();
}

std::string residual_so_far(const Ledger& ledger)
{
    if (ledger.off())
        return "ledger off";
    const Books& b = ledger.books();
    const Residual& r = b.total.residual;
    return fmt::format("residual p {:.0e} L {:.0e} E {:.0e}", relative(norm(r.p), b.scale_p),
                       relative(norm(r.L), b.scale_L), relative(std::abs(r.E()), b.scale_E));
}

} // namespace poinsot
