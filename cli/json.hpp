// SPDX-License-Identifier: MIT
#pragma once

// What the commands say to machines alike.

#include "poinsot/model/model.hpp"

#include <nlohmann/json.hpp>

namespace poinsot {

inline nlohmann::ordered_json json_of(const Vec3<double>& a)
{
    return {a.x, a.y, a.z};
}

inline std::string body_name(const Model& model, int body)
{
    return body == world ? "world" : model.bodies()[static_cast<std::size_t>(body)].name;
}

} // namespace poinsot
