// SPDX-License-Identifier: MIT
#include "poinsot/io/report_forces.hpp"

#include "poinsot/io/flight_signals.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace poinsot {

namespace {

/// What row j of the recorded joints carries.
PageJson reaction_json(const TrajectoryReader& run, PageData& data, std::size_t j)
{
    PageJson reaction{
        {"force", copied_part(data, run, "joints/reaction_force", 3 * j, 3)},
        {"torque", copied_part(data, run, "joints/reaction_torque", 3 * j, 3)},
    };
    if (!run.head().joints[j].unique)
        reaction["unique"] = false;
    return reaction;
}

/// When something that is declared let go or broke; none: it did not.
std::optional<double> let_go(const TrajectoryReader& run, const std::string& release)
{
    for (const TrajectoryHead::Event& event : run.head().events)
        if ((event.kind == "release" || event.kind == "break") && event.name == release)
            return event.time;
    return std::nullopt;
}

} // namespace

PageJson described_joints(const Model& model, const TrajectoryReader& run, PageData& data)
{
    PageJson joints = PageJson::array();
    const auto& recorded = run.head().joints;
    const bool reactions = run.has("joints/reaction_force") &&
                           2 * bytes_of(run, "joints/reaction_force") < few_bytes / 4;
    for (std::size_t j = 0; j < model.joints().size(); ++j) {
        const Joint& joint = model.joints()[j];
        joints.push_back({{"name", joint.name},
                          {"kind", facts_of(joint.kind).name},
                          {"a", joint.a},
                          {"b", joint.b},
                          {"frame_a", page_json(joint.frame_a)},
                          {"frame_b", page_json(joint.frame_b)}});
        if ((joint.turn && norm(joint.turn->stiffness) > 0) ||
            std::any_of(joint.laws.begin(), joint.laws.end(),
                        [](const CoordinateLaw& law) { return law.stiffness > 0; }))
            joints.back()["elastic"] = true;
        if (joint.kind == JointKind::rolling)
            joints.back()["radius"] = joint.radius;
        if (reactions && j < recorded.size() && recorded[j].name == joint.name)
            joints.back()["reaction"] = reaction_json(run, data, j);
        for (const Release& release : model.releases())
            if (release.joint == static_cast<int>(j))
                if (const auto when = let_go(run, release.name))
                    joints.back()["until"] = *when;
    }
    for (std::size_t i = 0; i < model.bodies().size(); ++i) {
        const Body& body = model.bodies()[i];
        if (!body.held || body.held->along)
            continue;
        // A point held fixed is a ball joint to the world.
        const Pose<double> at{place(body.pose, body.held->point), identity_quat<double>()},
            in_body{body.held->point, identity_quat<double>()};
        joints.push_back({{"name", body.name + ", held"},
                          {"kind", "ball"},
                          {"a", world},
                          {"b", i},
                          {"frame_a", page_json(at)},
                          {"frame_b", page_json(in_body)}});
        for (std::size_t j = model.joints().size(); reactions && j < recorded.size(); ++j)
            if (recorded[j].kind == "held" && recorded[j].b == static_cast<int>(i))
                joints.back()["reaction"] = reaction_json(run, data, j);
    }
    return joints;
}

PageJson described_springs(const Model& model)
{
    PageJson springs = PageJson::array();
    for (const Spring& s : model.springs())
        springs.push_back({{"name", s.name},
                           {"a", s.a.body},
                           {"b", s.b.body},
                           {"at_a", page_json(s.a.point)},
                           {"at_b", page_json(s.b.point)},
                           {"stiffness", s.stiffness},
                           {"damping", s.damping}});
    return springs;
}

PageJson described_bushings(const Model& model, const TrajectoryReader& run)
{
    PageJson bushings = PageJson::array();
    for (std::size_t i = 0; i < model.described_bushings(); ++i) {
        const Bushing& bushing = model.bushings()[i];
        bushings.push_back({{"name", bushing.name},
                            {"a", bushing.a},
                            {"b", bushing.b},
                            {"frame_a", page_json(bushing.frame_a)},
                            {"frame_b", page_json(bushing.frame_b)}});
        for (const Release& release : model.releases())
            if (release.bushing == static_cast<int>(i))
                if (const auto when = let_go(run, release.name))
                    bushings.back()["until"] = *when;
    }
    return bushings;
}

PageJson described_forces(const TrajectoryReader& run, PageData& data)
{
    const std::vector<std::string>& causes = run.head().force_causes;
    const std::size_t c = causes.size(), pairs = run.bodies() * c;
    std::vector<bool> pushes(pairs, false), turns(pairs, false);
    for (auto [series, found] :
         {std::pair("forces/force", &pushes), std::pair("forces/torque", &turns)})
        in_slabs(run, series,
                 [&found = *found, pairs](std::size_t, std::size_t count, const double* rows) {
                     for (std::size_t i = 0; i < 3 * pairs * count; ++i)
                         if (rows[i] != 0)
                             found[i / 3 % pairs] = true;
                 });
    PageJson forces = PageJson::array();
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        if (!pushes[pair] && !turns[pair])
            continue;
        forces.push_back({{"cause", causes[pair % c]},
                          {"body", pair / c},
                          {"force", copied_part(data, run, "forces/force", 3 * pair, 3)}});
        if (turns[pair])
            forces.back()["torque"] = copied_part(data, run, "forces/torque", 3 * pair, 3);
    }
    return forces;
}

std::optional<PageJson> described_contacts(const Model* model, const TrajectoryReader& run,
                                           PageData& data)
{
    const TrajectoryHead& head = run.head();
    const std::size_t k = run.contacts();
    if (head.contacts_end.empty() || k == 0)
        return std::nullopt;
    const auto read = [&](const char* what, std::size_t wide) {
        std::vector<double> rows(k * wide);
        if (Problems found = run.read_contacts(what, 0, k, rows.data()); found.any())
            throw NotMade{std::move(found)};
        return rows;
    };
    const auto floats = [&](const char* what) {
        const std::vector<double> rows = read(what, 3);
        return data.put("f32", {k, 3}, std::vector<float>(rows.begin(), rows.end()));
    };
    std::vector<std::uint32_t> start{0};
    for (const std::size_t end : head.contacts_end)
        start.push_back(static_cast<std::uint32_t>(end));
    const std::vector<double> a = read("a", 1), b = read("b", 1);
    std::vector<std::int32_t> body_a, body_b;
    std::vector<float> friction;
    const bool known = model && model->skins().size() == head.surfaces.size();
    for (std::size_t i = 0; i < k; ++i) {
        body_a.push_back(head.surface_body[static_cast<std::size_t>(a[i])]);
        body_b.push_back(head.surface_body[static_cast<std::size_t>(b[i])]);
        if (known)
            friction.push_back(static_cast<float>(
                model->contact_law(static_cast<int>(a[i]), static_cast<int>(b[i])).friction));
    }
    PageJson contacts{{"start", data.put("u32", {run.frames() + 1}, std::move(start))},
                      {"a", data.put("i32", {k}, std::move(body_a))},
                      {"b", data.put("i32", {k}, std::move(body_b))},
                      {"point", floats("point")},
                      {"normal", floats("normal")},
                      {"force", floats("force")}};
    if (known)
        contacts["friction"] = data.put("f32", {k}, std::move(friction));
    return contacts;
}

PageJson described_cuts(const TrajectoryReader& run, PageData& data)
{
    constexpr std::array<const char*, 5> names{"tension", "compression", "shear", "bending",
                                               "torsion"};
    PageJson cuts = PageJson::array();
    const auto& all = run.head().cuts;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const TrajectoryHead::CutRow& cut = all[i];
        PageJson limits = PageJson::object();
        for (std::size_t k = 0; k < names.size(); ++k)
            if (std::isfinite(cut.limits[k]))
                limits[names[k]] = cut.limits[k];
        std::vector<std::uint8_t> gone;
        in_slabs(run, "cuts/gone", [&](std::size_t, std::size_t count, const double* rows) {
            for (std::size_t frame = 0; frame < count; ++frame)
                gone.push_back(rows[frame * all.size() + i] != 0);
        });
        cuts.push_back({{"name", cut.name},
                        {"of", cut.of},
                        {"body", cut.body},
                        {"frame", {{"position", cut.position}, {"orientation", cut.orientation}}},
                        {"limits", std::move(limits)},
                        {"force", copied_part(data, run, "cuts/force", 3 * i, 3)},
                        {"moment", copied_part(data, run, "cuts/moment", 3 * i, 3)},
                        {"utilisation", copied_part(data, run, "cuts/utilisation", i, 1)},
                        {"largest", copied_part(data, run, "cuts/largest_utilisation", i, 1)},
                        {"gone", data.put("u8", {run.frames()}, std::move(gone))}});
    }
    return cuts;
}

namespace {

/// A block for each name, of `now(frame)`, unless they are too many.
template <class Now>
void put_signals(PageJson& signals, const std::vector<CoordinateSignals::Named>& names,
                 const TrajectoryReader& run, PageData& data, const Now& now)
{
    if (names.empty() || 8 * std::uint64_t{run.frames()} * names.size() > few_bytes / 4)
        return;
    std::vector<std::vector<double>> values(names.size());
    for (std::size_t frame = 0; frame < run.frames(); ++frame) {
        const std::vector<double>& row = now(frame);
        for (std::size_t i = 0; i < row.size(); ++i)
            values[i].push_back(row[i]);
    }
    for (std::size_t i = 0; i < names.size(); ++i)
        signals.push_back({{"name", names[i].name},
                           {"unit", names[i].unit},
                           {"values", data.f64({run.frames()}, std::move(values[i]))}});
}

} // namespace

PageJson described_coordinates(const Model& model, const TrajectoryReader& run, PageData& data)
{
    PageJson signals = PageJson::array();
    CoordinateSignals coordinates(model, run);
    PoseWindow window(run, 64);
    put_signals(signals, coordinates.names(), run, data,
                [&](std::size_t frame) -> const std::vector<double>& {
                    return coordinates.at(window.frame(frame, frame));
                });
    FlightSignals flight(model, run);
    put_signals(signals, flight.names(), run, data,
                [&](std::size_t frame) -> const std::vector<double>& { return flight.at(frame); });
    return signals;
}

} // namespace poinsot
