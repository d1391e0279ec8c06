// SPDX-License-Identifier: MIT
#include "poinsot/model/release.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

/// A drive that turns with the joint would have to go on turning by itself.
bool has_drive(const CoordinateLaw& law)
{
    return law.armature > 0;
}

void inspect(const Release& release, const std::vector<Joint>& joints,
             const std::vector<Gear>& gears, const std::vector<Tank>& tanks,
             const std::vector<Flow>& flows, std::size_t bushings, std::size_t cuts,
             Problems& found)
{
    const auto wrong = [&](const char* key, const auto&... parts) {
        found.add_at(release.name, key, parts...);
    };
    if (release.bushing >= 0) {
        if (static_cast<std::size_t>(release.bushing) >= bushings)
            wrong("release", "lets go of a bushing that does not exist");
        if (release.joint >= 0)
            wrong("release", "lets go of a joint and of a bushing; make two of it");
    } else if (release.joint < 0 || release.joint >= static_cast<int>(joints.size()))
        wrong("release", "lets go of a joint that does not exist");
    else {
        const Joint& joint = joints[static_cast<std::size_t>(release.joint)];
        if (joint.kind == JointKind::free)
            wrong("release", "a free joint holds nothing that it could let go of");
        if (std::any_of(joint.laws.begin(), joint.laws.end(), has_drive))
            wrong("release", "a joint that lets go has no armature, whose momentum would be left "
                             "to nobody; give it to a rotor of a body, or leave out the release");
        if (std::any_of(gears.begin(), gears.end(), [&](const Gear& gear) {
                return gear.joint_1 == release.joint || gear.joint_2 == release.joint;
            }))
            wrong("release", "a gear holds on to this joint; leave the gear out, or the release");
    }
    if (release.when_over >= 0) {
        if (static_cast<std::size_t>(release.when_over) >= cuts)
            wrong("when_over", "waits for a cut that does not exist");
    } else if (release.when_empty < 0) {
        if (!(release.at >= 0) || !std::isfinite(release.at))
            wrong("at", "must be a time that is not before the start, is ", release.at,
                  "; give it in s");
    } else if (release.when_empty >= static_cast<int>(tanks.size()))
        wrong("when_empty", "waits for a tank that does not exist");
    else if (!(tanks[static_cast<std::size_t>(release.when_empty)].content > 0))
        wrong("when_empty", "waits for a tank that is empty from the start; give a time, at: 0");
    else if (std::none_of(flows.begin(), flows.end(), [&](const Flow& flow) {
                 return std::find(flow.sources.begin(), flow.sources.end(), release.when_empty) !=
                        flow.sources.end();
             }))
        wrong("when_empty", "waits for a tank that nothing is taken from, which never is empty; "
                            "let something flow out of it, or give a time");
}

} // namespace

void inspect_releases(const std::vector<Joint>& joints, const std::vector<Gear>& gears,
                      const std::vector<Tank>& tanks, const std::vector<Flow>& flows,
                      std::size_t bushings, std::size_t cuts, const std::vector<Release>& releases,
                      Problems& found)
{
    for (std::size_t i = 0; i < releases.size(); ++i) {
        inspect(releases[i], joints, gears, tanks, flows, bushings, cuts, found);
        for (std::size_t k = 0; k < i; ++k)
            if (releases[k].joint == releases[i].joint &&
                releases[k].bushing == releases[i].bushing) {
                found.add_at(releases[i].name, "release", "this ",
                             releases[i].joint < 0 ? "bushing" : "joint",
                             " is let go twice; keep one of the two");
                break;
            }
    }
}

} // namespace poinsot
