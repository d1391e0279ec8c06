// SPDX-License-Identifier: MIT
#pragma once

// A run, and one that was stopped on the way and resumed from a checkpoint.

#include "poinsot/io/checkpoint.hpp"
#include "recorded.hpp"

namespace poinsot {

struct Resumed {
    Simulation whole, second;
};
/// Both at their ends, seen to have the same bits.
inline Resumed resumed_after(int steps, const Scene& scene, const std::filesystem::path& file)
{
    auto whole = Simulation::start(scene.model, scene.run);
    REQUIRE(whole);
    for (int i = 0; i < steps; ++i)
        REQUIRE(!whole->step());
    REQUIRE(!write_checkpoint(file, scene, whole->checkpoint()));
    auto back = read_checkpoint(file, scene);
    REQUIRE(back);
    CHECK(back->state == whole->state());
    auto second = Simulation::start(scene.model, scene.run);
    REQUIRE(second);
    second->resume(std::move(*back));
    while (!whole->done()) {
        REQUIRE(!whole->step());
        REQUIRE(!second->step());
    }
    CHECK(second->state() == whole->state());
    CHECK(hash_of(second->state()) == hash_of(whole->state()));
    return {std::move(*whole), std::move(*second)};
}
/// A checkpoint that does not fit the scene is refused with these words.
inline void is_refused(const Checkpoint& wrong, const Scene& scene,
                       const std::filesystem::path& file, const std::string& words)
{
    REQUIRE(!write_checkpoint(file, scene, wrong));
    const auto none = read_checkpoint(file, scene);
    REQUIRE(!none);
    CHECK(none.problems().text().find(words) != std::string::npos);
}

} // namespace poinsot
