// SPDX-License-Identifier: MIT
#pragma once

// Scenes from text: what they are, or that they are refused and how.

#include "near.hpp"
#include "poinsot/io/scene.hpp"

#include <string>

namespace poinsot {

inline Scene scene_from(const std::string& text)
{
    auto scene = read_scene_text(text, "test.yaml");
    REQUIRE_MESSAGE(scene, (scene ? "" : scene.problems().text()));
    return std::move(*scene);
}
/// Is it refused with exactly this, and nothing else?
inline void is_refused(const std::string& text, const std::string& place, const std::string& words)
{
    const auto scene = read_scene_text(text, "f");
    std::string told = "nothing";
    if (!scene) {
        const auto& list = scene.problems().list();
        told = list.size() == 1 ? list[0].place + ": " + list[0].what : scene.problems().text();
    }
    CHECK_MESSAGE((told.starts_with(place) && told.find(words) != std::string::npos), told,
                  " should be at ", place, " and say: ", words);
}

} // namespace poinsot
