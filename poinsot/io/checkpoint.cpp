// SPDX-License-Identifier: MIT
#include "poinsot/io/checkpoint.hpp"

#include "poinsot/base/version.hpp"
#include "poinsot/io/safe_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

namespace poinsot {

namespace {

using nlohmann::ordered_json;

// One list of members per type serves both ways: `each` calls f with every number in a fixed order.

template <class F>
void each(F& f, double& a)
{
    f(a);
}
template <class F>
void each(F& f, Vec3<double>& a)
{
    f(a.x), f(a.y), f(a.z);
}
template <class F>
void each(F& f, Quat<double>& q)
{
    f(q.w), f(q.x), f(q.y), f(q.z);
}
template <class F>
void each(F& f, Mat3<double>& m)
{
    each(f, m.r0), each(f, m.r1), each(f, m.r2);
}
template <class F>
void each(F& f, MomentumForm<double>& y)
{
    each(f, y.x), each(f, y.attitude), each(f, y.p), each(f, y.L);
}
template <class F>
void each(F& f, VelocityForm<double>& y)
{
    each(f, y.x), each(f, y.attitude), each(f, y.v), each(f, y.omega);
}
template <class F>
void each(F& f, MatrixForm<double>& y)
{
    each(f, y.x), each(f, y.attitude), each(f, y.p), each(f, y.L);
}
template <class F>
void each(F& f, std::vector<double>& list)
{
    for (double& a : list)
        f(a);
}
template <class F>
void each(F& f, Balance& b)
{
    each(f, b.mass), each(f, b.p), each(f, b.L), each(f, b.spin), each(f, b.T);
}
template <class F>
void each(F& f, Stores& s)
{
    each(f, s.gravity), each(f, s.spring), each(f, s.rotor);
}
template <class F>
void each(F& f, Residual& r)
{
    each(f, r.mass), each(f, r.p), each(f, r.L), each(f, r.spin), each(f, r.T);
    each(f, r.stores);
}
template <class F>
void each(F& f, Posting& p)
{
    each(f, p.J), each(f, p.S), each(f, p.K), each(f, p.work), each(f, p.mass);
}
template <class F>
void each(F& f, PostingSizes& s)
{
    each(f, s.J), each(f, s.S), each(f, s.K), each(f, s.work);
}
template <class F>
void each(F& f, PostingsByCause& posted)
{
    for (Posting& p : posted)
        each(f, p);
}
template <class F>
void each(F& f, Account& a)
{
    each(f, a.opening), each(f, a.closing), each(f, a.posted), each(f, a.moving_point);
    each(f, a.residual);
}
/// All of the books but the accounts of bodies.
template <class F>
void each(F& f, Books& b)
{
    each(f, b.total), each(f, b.opening_stores), each(f, b.closing_stores);
    each(f, b.shifted), each(f, b.A);
    for (double* value : {&b.scale_p, &b.scale_L, &b.scale_spin, &b.scale_E, &b.worst_p, &b.worst_L,
                          &b.worst_spin, &b.worst_E})
        each(f, *value);
}
// A field added to these must be added above: these sizes say when.
static_assert(sizeof(Balance) == 11 * sizeof(double) && sizeof(Residual) == 14 * sizeof(double));
static_assert(sizeof(Posting) == 11 * sizeof(double) && sizeof(Stores) == 3 * sizeof(double));
static_assert(sizeof(Account) == 2 * sizeof(Balance) + sizeof(PostingsByCause) + sizeof(Residual) +
                                     3 * sizeof(double));
static_assert(sizeof(Books) == sizeof(Account) + sizeof(std::vector<Account>) + 3 * sizeof(Stores) +
                                   11 * sizeof(double));

template <class Thing>
ordered_json numbers_of(Thing thing)
{
    ordered_json list = ordered_json::array();
    const auto put = [&](double value) {
        // JSON has no NaN and no infinity; books may hold one where a run has failed.
        if (std::isfinite(value))
            list.push_back(value);
        else
            list.push_back(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    };
    each(put, thing);
    return list;
}
template <class Thing>
Thing from_numbers(const ordered_json& list)
{
    Thing thing{};
    if constexpr (std::same_as<Thing, std::vector<double>>)
        thing.resize(list.size());
    std::size_t i = 0;
    const auto take = [&](double& value) {
        const ordered_json& item = list.at(i++);
        if (item.is_string()) {
            const auto word = item.get<std::string>();
            value = word == "nan" ? std::nan("") : word == "inf" ? HUGE_VAL : -HUGE_VAL;
        } else
            value = item.get<double>();
    };
    each(take, thing);
    if (i != list.size())
        throw std::runtime_error("a list of numbers has the wrong length");
    return thing;
}
template <class Thing>
ordered_json lists_of(const std::vector<Thing>& things)
{
    ordered_json lists = ordered_json::array();
    for (const Thing& thing : things)
        lists.push_back(numbers_of(thing));
    return lists;
}
template <class Thing>
std::vector<Thing> from_lists(const ordered_json& lists)
{
    std::vector<Thing> things;
    for (const ordered_json& list : lists)
        things.push_back(from_numbers<Thing>(list));
    return things;
}

/// Stops as [joint, coordinate, side], the side 0 for lower and 1 for upper.
ordered_json stops_of(const std::vector<Stop>& stops)
{
    ordered_json lists = ordered_json::array();
    for (const Stop& stop : stops)
        lists.push_back({stop.joint, stop.coordinate, stop.upper ? 1 : 0});
    return lists;
}
std::vector<Stop> from_stops(const ordered_json& lists)
{
    std::vector<Stop> stops;
    for (const ordered_json& list : lists)
        stops.push_back({list.at(0).get<int>(), list.at(1).get<int>(), list.at(2).get<int>() == 1});
    return stops;
}

/// Points of touch as lists of numbers.
ordered_json touches_of(const std::vector<Touched>& touched)
{
    ordered_json lists = ordered_json::array();
    for (const Touched& t : touched) {
        const auto &x = t.point, &F = t.friction, &M = t.rolling;
        lists.push_back({t.pair[0], t.pair[1], t.pair[2], t.pair[3], t.slides ? 1 : 0, t.normal,
                         t.torsion, x.x, x.y, x.z, F.x, F.y, F.z, M.x, M.y, M.z});
    }
    return lists;
}
std::vector<Touched> from_touches(const ordered_json& lists)
{
    std::vector<Touched> touched;
    for (const ordered_json& list : lists) {
        Touched t;
        for (std::size_t i = 0; i < 4; ++i)
            t.pair[i] = list.at(i).get<int>();
        t.slides = list.at(4).get<int>() == 1;
        const auto number = [&](std::size_t i) { return list.at(i).get<double>(); };
        const auto vector = [&](std::size_t i) {
            return Vec3<double>{number(i), number(i + 1), number(i + 2)};
        };
        t.normal = number(5);
        t.torsion = number(6);
        t.point = vector(7);
        t.friction = vector(10);
        t.rolling = vector(13);
        touched.push_back(t);
    }
    return touched;
}

/// Points of penalty contact likewise.
ordered_json presses_of(const std::vector<Pressed>& pressed)
{
    ordered_json lists = ordered_json::array();
    for (const Pressed& p : pressed) {
        const auto &x = p.point, &s = p.stretch;
        lists.push_back({p.pair[0], p.pair[1], p.pair[2], p.pair[3], p.slides ? 1 : 0, p.mass,
                         p.slip_mass, x.x, x.y, x.z, s.x, s.y, s.z});
    }
    return lists;
}
std::vector<Pressed> from_presses(const ordered_json& lists)
{
    std::vector<Pressed> pressed;
    for (const ordered_json& list : lists) {
        Pressed p;
        for (std::size_t i = 0; i < 4; ++i)
            p.pair[i] = list.at(i).get<int>();
        p.slides = list.at(4).get<int>() == 1;
        const auto number = [&](std::size_t i) { return list.at(i).get<double>(); };
        p.mass = number(5);
        p.slip_mass = number(6);
        p.point = {number(7), number(8), number(9)};
        p.stretch = {number(10), number(11), number(12)};
        pressed.push_back(p);
    }
    return pressed;
}

/// Which limit of a section: one of the words that `utmost` says.
const char* limit_named(const std::string& word)
{
    for (const char* limit : {"tension", "compression", "shear", "bending", "torsion"})
        if (word == limit)
            return limit;
    return "";
}

/// What each cut carries and carried at most.
ordered_json cuts_of(const std::vector<CutRecord>& records)
{
    ordered_json lists = ordered_json::array();
    for (const CutRecord& r : records) {
        const SectionLoad& l = r.load;
        lists.push_back(
            {numbers_of(std::vector<double>{l.tension, l.shear_x, l.shear_y, l.bending_x,
                                            l.bending_y, l.torsion, r.utilisation, r.most, r.at}),
             r.by, r.gone ? 1 : 0, r.over ? 1 : 0});
    }
    return lists;
}
std::vector<CutRecord> from_cuts(const ordered_json& lists)
{
    std::vector<CutRecord> records;
    for (const ordered_json& list : lists) {
        const auto n = from_numbers<std::vector<double>>(list.at(0));
        CutRecord r;
        r.load = {n.at(0), n.at(1), n.at(2), n.at(3), n.at(4), n.at(5)};
        r.utilisation = n.at(6);
        r.most = n.at(7);
        r.at = n.at(8);
        r.by = limit_named(list.at(1).get<std::string>());
        r.gone = list.at(2).get<int>() == 1;
        r.over = list.at(3).get<int>() == 1;
        records.push_back(r);
    }
    return records;
}

/// What happened, and how many of each kind.
ordered_json happenings_of(const Happenings& happenings)
{
    ordered_json lists = ordered_json::array();
    for (const Happening& one : happenings.list())
        lists.push_back(
            {static_cast<int>(one.kind), one.step, one.index, one.other,
             (one.upper ? 1 : 0) + (one.unsolved ? 2 : 0), one.by,
             numbers_of(std::vector<double>{one.time, one.utilisation, one.impulse, one.energy})});
    const auto counts = happenings.counts();
    return {std::vector<std::int64_t>(counts.begin(), counts.end()), lists};
}
/// Does a model have what a happening speaks of?
bool is_of(const Model& model, const Happening& one)
{
    const auto has = [](const auto& things, int i) {
        return i >= 0 && static_cast<std::size_t>(i) < things.size();
    };
    switch (one.kind) {
    case Happening::Kind::overload:
        return has(model.cuts(), one.index);
    case Happening::Kind::broken:
        return has(model.releases(), one.index) &&
               has(model.cuts(), model.releases()[static_cast<std::size_t>(one.index)].when_over);
    case Happening::Kind::release:
        return has(model.releases(), one.index);
    case Happening::Kind::stop:
    case Happening::Kind::gain_at_stop:
        return has(model.joints(), one.index) &&
               has(model.joints()[static_cast<std::size_t>(one.index)].laws, one.other);
    case Happening::Kind::impact:
    case Happening::Kind::gain:
        break;
    }
    return has(model.skins(), one.index) && has(model.skins(), one.other);
}
Happenings from_happenings(const Model& model, const ordered_json& told)
{
    std::array<std::int64_t, Happening::kinds> counts{};
    for (std::size_t i = 0; i < counts.size(); ++i)
        counts[i] = told.at(0).at(i).get<std::int64_t>();
    std::vector<Happening> kept;
    for (const ordered_json& list : told.at(1)) {
        const int kind = list.at(0).get<int>();
        const auto n = from_numbers<std::vector<double>>(list.at(6));
        Happening one;
        one.kind = static_cast<Happening::Kind>(kind);
        one.step = list.at(1).get<std::int64_t>();
        one.index = list.at(2).get<int>();
        one.other = list.at(3).get<int>();
        one.upper = (list.at(4).get<int>() & 1) != 0;
        one.unsolved = (list.at(4).get<int>() & 2) != 0;
        one.by = limit_named(list.at(5).get<std::string>());
        one.time = n.at(0);
        one.utilisation = n.at(1);
        one.impulse = n.at(2);
        one.energy = n.at(3);
        if (kind < 0 || kind >= static_cast<int>(Happening::kinds) || !is_of(model, one))
            throw std::runtime_error("it tells of something that the scene does not have");
        kept.push_back(one);
    }
    Happenings happenings;
    happenings.restore(std::move(kept), counts);
    return happenings;
}

bool is_limit_of(const Model& model, const Stop& stop)
{
    const auto& joints = model.joints();
    const auto j = static_cast<std::size_t>(stop.joint),
               k = static_cast<std::size_t>(stop.coordinate);
    return j < joints.size() && k < joints[j].laws.size() &&
           std::isfinite(stop.upper ? joints[j].laws[k].upper : joints[j].laws[k].lower);
}

std::string checksum(const std::string& text)
{
    std::uint64_t h = 14695981039346656037ull; // FNV-1a
    for (const char c : text)
        h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    return fmt::format("{:016x}", h);
}

constexpr std::uintmax_t largest = std::uintmax_t{1} << 30; // to read

} // namespace

std::optional<std::string> write_checkpoint(const std::filesystem::path& file, const Scene& scene,
                                            const Checkpoint& checkpoint)
{
    const State& state = checkpoint.state;
    ordered_json content{{"step", state.step}, {"substep", state.substep}};
    std::visit(
        [&](const auto& bodies) {
            content["form"] = std::decay_t<decltype(bodies)>::value_type::name;
            content["bodies"] = lists_of(bodies);
        },
        state.bodies);
    content["joint_coordinates"] = numbers_of(state.joint_coordinates);
    content["q"] = numbers_of(state.joints.q);
    content["v"] = numbers_of(state.joints.v);
    content["stages"] = numbers_of(state.joints.stages);
    content["standing"] = stops_of(state.standing);
    content["touched"] = touches_of(state.touched);
    if (!state.pressed.empty())
        content["pressed"] = presses_of(state.pressed);
    if (!state.rotors.empty())
        content["rotors"] = numbers_of(state.rotors);
    if (!state.tanks.empty()) {
        content["tanks"] = numbers_of(state.tanks);
        content["flowing"] = std::vector<int>(state.flowing.begin(), state.flowing.end());
    }
    if (!state.shares.empty()) {
        std::vector<double> now, rates;
        for (const FlowShare& share : state.shares) {
            now.push_back(share.now);
            rates.push_back(share.rate);
        }
        content["shares"] = {numbers_of(now), numbers_of(rates)};
    }
    if (!state.released.empty())
        content["released"] = std::vector<int>(state.released.begin(), state.released.end());
    if (!checkpoint.cuts.empty())
        content["cuts"] = cuts_of(checkpoint.cuts);
    if (!checkpoint.happenings.list().empty())
        content["happenings"] = happenings_of(checkpoint.happenings);
    content["books"] = numbers_of(checkpoint.books);
    content["accounts"] = lists_of(checkpoint.books.bodies);
    content["pending"] = numbers_of(checkpoint.pending.totals());
    content["pending_shift"] = numbers_of(checkpoint.pending.shifted());
    content["pending_sizes"] = numbers_of(checkpoint.pending.sizes());
    content["pending_bodies"] = lists_of(checkpoint.pending.bodies());
    content["detail"] = static_cast<int>(checkpoint.pending.detail());

    const std::string text = content.dump();
    ordered_json names = ordered_json::array();
    for (const Body& body : scene.model->bodies())
        names.push_back(body.name);
    const ordered_json head{{"poinsot_checkpoint", checkpoint_version},
                            {"version", version()},
                            {"scene", scene.file},
                            {"title", scene.title},
                            {"time", static_cast<double>(state.step) * scene.run.step.h},
                            {"state_hash", fmt::format("{:016x}", hash_of(state))},
                            {"identity", fmt::format("{:016x}", identity_of(scene))},
                            {"names", names},
                            {"checksum", checksum(text)}};
    std::string whole = head.dump(1, ' ', false, ordered_json::error_handler_t::replace);
    whole.resize(whole.rfind('}')); // the content goes in as the text that was summed
    while (whole.back() == '\n' || whole.back() == ' ')
        whole.pop_back();
    SafeFile out(file);
    out.write(whole + ",\n \"content\": " + text + "\n}\n");
    out.finish();
    return out.problem();
}

Result<Checkpoint> read_checkpoint(const std::filesystem::path& file, const Scene& scene)
{
    Problems found;
    const auto refuse = [&](const std::string& why) {
        found.add(file.string(), why);
        return found;
    };
    std::error_code error;
    if (std::filesystem::is_directory(file, error))
        return refuse("is a directory; name a checkpoint file in it");
    if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error))
        return refuse("is not a file but a device or a pipe; name a file");
    if (const auto size = std::filesystem::file_size(file, error); !error && size > largest)
        return refuse(fmt::format("is larger than {} MB: this is not a checkpoint", largest >> 20));
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf()))
        return refuse(fmt::format("cannot be read: {}; --checkpoint FILE writes one",
                                  std::strerror(errno ? errno : EIO)));
    try {
        const auto json = ordered_json::parse(text.str());
        if (!json.is_object() || !json.contains("poinsot_checkpoint"))
            return refuse("is not a checkpoint of Poinsot");
        if (json.at("poinsot_checkpoint") != checkpoint_version)
            return refuse(
                fmt::format("is a checkpoint of version {}, this program reads version {}",
                            json.at("poinsot_checkpoint").dump(), checkpoint_version));
        const ordered_json& content = json.at("content");
        if (json.at("checksum") != checksum(content.dump()))
            return refuse("is damaged: its numbers do not match its checksum");
        if (json.at("identity") != fmt::format("{:016x}", identity_of(scene)))
            return refuse(fmt::format(
                "belongs to another scene or other settings ({}, '{}'); resume with the scene, "
                "--step, --integrator, --state-form, --ledger and --ledger-every it was made with",
                json.at("scene").get<std::string>(), json.at("title").get<std::string>()));

        Checkpoint made;
        made.state.step = content.at("step").get<std::int64_t>();
        made.state.substep = content.at("substep").get<double>();
        const auto form = form_named(content.at("form").get<std::string>());
        const ordered_json& bodies = content.at("bodies");
        if (!form || bodies.size() != scene.model->bodies().size())
            return refuse("does not fit the scene: another form or number of bodies");
        switch (*form) {
        case FormKind::momentum:
            made.state.bodies = from_lists<MomentumForm<double>>(bodies);
            break;
        case FormKind::velocity:
            made.state.bodies = from_lists<VelocityForm<double>>(bodies);
            break;
        case FormKind::matrix:
            made.state.bodies = from_lists<MatrixForm<double>>(bodies);
            break;
        }
        const auto list = [&](const char* key) {
            return from_numbers<std::vector<double>>(content.at(key));
        };
        made.state.joint_coordinates = list("joint_coordinates");
        made.state.joints = {list("q"), list("v"), list("stages")};
        made.state.standing = from_stops(content.at("standing"));
        if (content.contains("rotors"))
            made.state.rotors = list("rotors");
        if (made.state.rotors.size() != scene.model->rotors().size())
            return refuse("does not fit the scene: another number of rotors");
        if (content.contains("tanks")) {
            made.state.tanks = list("tanks");
            for (const int on : content.at("flowing").get<std::vector<int>>())
                made.state.flowing.push_back(on != 0);
        }
        if (content.contains("shares")) {
            const auto now = from_numbers<std::vector<double>>(content.at("shares").at(0)),
                       rates = from_numbers<std::vector<double>>(content.at("shares").at(1));
            for (std::size_t i = 0; i < now.size(); ++i)
                made.state.shares.push_back({now[i], i < rates.size() ? rates[i] : 0});
        }
        const auto& flows = scene.model->flows();
        const bool throttled = std::any_of(flows.begin(), flows.end(),
                                           [](const Flow& flow) { return flow.control >= 0; });
        if (made.state.tanks.size() != scene.model->tanks().size() ||
            made.state.flowing.size() != flows.size() ||
            made.state.shares.size() != (throttled ? flows.size() : 0))
            return refuse("does not fit the scene: another number of tanks or flows");
        if (content.contains("released"))
            for (const int gone : content.at("released").get<std::vector<int>>())
                made.state.released.push_back(gone != 0);
        if (made.state.released.size() != scene.model->releases().size())
            return refuse("does not fit the scene: another number of joints that let go");
        for (const Stop& stop : made.state.standing)
            if (!is_limit_of(*scene.model, stop))
                return refuse("does not fit the scene: a joint stands at a limit it does not have");
        made.state.touched = from_touches(content.at("touched"));
        if (content.contains("pressed"))
            made.state.pressed = from_presses(content.at("pressed"));
        if (content.contains("cuts")) // older files have neither
            made.cuts = from_cuts(content.at("cuts"));
        if (!made.cuts.empty() && made.cuts.size() != scene.model->cuts().size())
            return refuse("does not fit the scene: another number of cuts");
        if (content.contains("happenings"))
            made.happenings = from_happenings(*scene.model, content.at("happenings"));
        made.books = from_numbers<Books>(content.at("books"));
        made.books.bodies = from_lists<Account>(content.at("accounts"));
        made.pending = Postings(scene.run.ledger.detail);
        if (content.at("detail") != static_cast<int>(scene.run.ledger.detail))
            return refuse("was made with another detail of the ledger");
        made.pending.restore(from_numbers<PostingsByCause>(content.at("pending")),
                             from_lists<PostingsByCause>(content.at("pending_bodies")),
                             from_numbers<Stores>(content.at("pending_shift")),
                             from_numbers<PostingSizes>(content.at("pending_sizes")));
        if (json.at("state_hash") != fmt::format("{:016x}", hash_of(made.state)))
            return refuse("is damaged: its state does not have the hash it should");
        return made;
    } catch (const std::exception& e) {
        return refuse(fmt::format("is not a checkpoint of Poinsot, or is damaged: {}", e.what()));
    }
}

} // namespace poinsot
