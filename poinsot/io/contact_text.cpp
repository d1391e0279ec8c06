// SPDX-License-Identifier: MIT
#include "poinsot/io/contact_text.hpp"

#include <nlohmann/json.hpp>

namespace poinsot {

std::string name_of_gain(const Model& model, const ContactGain& one)
{
    const auto skin = [&](int i) { return model.skins()[static_cast<std::size_t>(i)].name; };
    return one.stop ? model.joints()[static_cast<std::size_t>(one.stop->joint)].name
                    : skin(one.a) + ", " + skin(one.b);
}

std::string contact_quality_json(const Simulation& run)
{
    const ContactQuality& quality = run.contact_quality();
    auto gains = nlohmann::ordered_json::array();
    for (const ContactGain& one : quality.gains)
        gains.push_back({{"name", name_of_gain(run.model(), one)},
                         {"energy", one.energy},
                         {"first", one.time},
                         {"by", one.unsolved ? "unsolved" : "law"}});
    auto by_impulses = nlohmann::ordered_json::array();
    const auto add = [&](const char* why, const ByImpulsesTold& one) {
        if (one.steps == 0)
            return;
        by_impulses.push_back({{"why", why}, {"steps", one.steps}, {"first", one.time}});
        ContactGain pair;
        pair.a = one.a;
        pair.b = one.b;
        if (one.a >= 0)
            by_impulses.back()["name"] = name_of_gain(run.model(), pair);
    };
    add("no forces", quality.no_forces);
    add("none found", quality.none_found);
    add("endless events", quality.endless);
    const nlohmann::ordered_json json{{"residual", quality.residual},
                                      {"unsolved_steps", quality.unsolved},
                                      {"divided_steps", quality.divided},
                                      {"unlooked_steps", quality.unlooked},
                                      {"gains", gains},
                                      {"by_impulses", by_impulses},
                                      {"sunk_in",
                                       {{"depth", quality.sunk.depth},
                                        {"part", quality.sunk.part()},
                                        {"time", quality.sunk.time}}},
                                      {"strayed",
                                       {{"energy", quality.strayed},
                                        {"part", quality.strayed_part},
                                        {"time", quality.strayed_at}}}};
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace poinsot
