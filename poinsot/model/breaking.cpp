// SPDX-License-Identifier: MIT
#include "poinsot/model/breaking.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

/// A part of a shape that is cut square to one of its axes, and where its middle is.
struct PartShape {
    Shape shape = {};
    Vec3<double> middle = zero3<double>();
};
struct Halves {
    PartShape near, beyond;
};
Halves halves_of(const Shape& shape, const Pose<double>& frame)
{
    constexpr double square = 1e-12; // of an axis that is typed
    const Vec3<double> n = rotate(frame.q, Vec3<double>{0, 0, 1});
    const auto part = [&](double Vec3<double>::*axis, double length, auto shape_of) {
        const double at = frame.x.*axis, half = 0.5 * length;
        const auto from_to = [&](double from, double to) {
            PartShape made{shape_of(to - from)};
            made.middle.*axis = 0.5 * (from + to);
            return made;
        };
        const PartShape low = from_to(-half, at), high = from_to(at, half);
        return n.*axis > 0 ? Halves{low, high} : Halves{high, low};
    };
    if (const Box* box = std::get_if<Box>(&shape)) {
        for (double Vec3<double>::*axis : {&Vec3<double>::x, &Vec3<double>::y, &Vec3<double>::z})
            if (std::abs(std::abs(n.*axis) - 1) < square)
                return part(axis, box->size.*axis, [&](double length) {
                    Box of = *box;
                    of.size.*axis = length;
                    return Shape(of);
                });
    } else if (const Cylinder* round = std::get_if<Cylinder>(&shape);
               round && std::abs(std::abs(n.z) - 1) < square)
        return part(&Vec3<double>::z, round->height, [&](double length) {
            return Shape(Cylinder{round->radius, length});
        });
    return {};
}

/// What is fixed to a body in one place: its body, and the place in that body's frame; of tanks and
/// what flows out of them also the tank.
template <class Change>
void each_place(Builder& d, Change change)
{
    const Tank* const none = nullptr;
    for (Spring& s : d.springs) {
        change(s.a.body, s.a.point, none);
        change(s.b.body, s.b.point, none);
    }
    for (Bushing& bushing : d.bushings) {
        change(bushing.a, bushing.frame_a.x, none);
        change(bushing.b, bushing.frame_b.x, none);
    }
    for (Joint& joint : d.joints) {
        change(joint.a, joint.frame_a.x, none);
        change(joint.b, joint.frame_b.x, none);
    }
    for (AppliedLoad& load : d.loads)
        change(load.body, load.point, none);
    for (Aerodynamics& a : d.aerodynamics)
        change(a.body, a.frame.x, none);
    for (Drag& drag : d.drags)
        if (drag.point)
            change(drag.body, *drag.point, none);
    for (Rotor& rotor : d.rotors)
        if (rotor.at)
            change(rotor.body, *rotor.at, none);
    for (Flow& flow : d.flows) { // which goes with its tanks
        const int tank = flow.sources.empty() ? flow.target : flow.sources[0];
        const Tank& of = d.tanks[static_cast<std::size_t>(tank)];
        int body = of.body;
        change(body, flow.point, &of);
    }
    for (Tank& tank : d.tanks) {
        const Tank as_was = tank;
        change(tank.body, tank.frame.x, &as_was);
    }
}

/// What of a description cannot be shared out between two parts.
void inspect_parts(const Builder& d, std::size_t cut, Problems& found)
{
    const int body = d.cuts[cut].index;
    const auto wrong = [&](const auto&... parts) {
        found.add_at(d.cuts[cut].name, "breaks", parts...);
    };
    const auto any_of = [&](const auto& things) {
        return std::any_of(things.begin(), things.end(),
                           [&](const auto& thing) { return thing.body == body; });
    };
    if (!d.cuts[cut].strength.any())
        wrong("nothing breaks it: give it a limit, such as bending");
    for (std::size_t i = 0; i < d.cuts.size(); ++i)
        if (i != cut && d.cuts[i].of == Cut::Of::body && d.cuts[i].index == body)
            wrong("a body that breaks has one cut, and this one has more; make it of more bodies");
    for (const Drag& drag : d.drags)
        if (drag.body == body && !drag.point)
            wrong("it does not say which part drag '", drag.name,
                  "' acts on: give the drag a place, such as at: [0, 0, 0]");
    for (const Rotor& rotor : d.rotors)
        if (rotor.body == body && !rotor.at)
            wrong("it does not say which part rotor '", rotor.name,
                  "' is in: give the rotor a place, such as at: [0, 0, 0]");
    inspect_sides(d.cuts[cut], d.tanks, d.flows, "breaks", found);
    if (any_of(d.skins))
        wrong("surfaces of a body that breaks cannot be shared out; make it of two bodies with a "
              "weld");
    if (d.bodies[static_cast<std::size_t>(body)].held)
        wrong("a body that is held at a point does not break; replace held by a joint with the "
              "world");
}

} // namespace

Problems break_at(Builder& d, std::size_t cut_index, const std::string& beyond)
{
    Problems found;
    const Cut cut = d.cuts[cut_index];
    const auto at = static_cast<std::size_t>(cut.index);
    inspect_parts(d, cut_index, found);
    // Where joints put the body at the start, and with which speed, the part goes with it.
    const Result<Model> whole = d.build();
    if (!whole)
        found.add(whole.problems());
    if (found.any())
        return found;
    const Body& body = whole->bodies()[at];
    const auto rest = without(body.mass_properties, cut.beyond, cut.name);
    if (!rest)
        return rest.problems();
    const Halves halves = halves_of(body.shape, cut.frame);
    // A model has the velocity of the centre of all, a description that of the body without what is
    // in its tanks.
    const Vec3<double> loaded = whole->masses()[at].center;
    const auto part = [&](const std::string& name, const MassProperties& mass,
                          const PartShape& shape) {
        Body made = body;
        made.name = name;
        made.mass_properties = moved(mass, -shape.middle);
        made.shape = shape.shape;
        made.pose.x = place(body.pose, shape.middle);
        made.velocity =
            body.velocity + cross(body.angular_velocity, rotate(body.pose.q, mass.center - loaded));
        return made;
    };
    const int other = static_cast<int>(d.bodies.size());
    each_place(d, [&](int& on, Vec3<double>& x, const Tank* tank) {
        if (on != cut.index)
            return;
        const bool far =
            tank ? side_of(*tank, cut.frame) == CutSide::beyond : lies_beyond(x, cut.frame);
        on = far ? other : on;
        x -= far ? halves.beyond.middle : halves.near.middle;
    });
    for (std::size_t i = 0, n = d.apart.size(); i < n; ++i) {
        const Apart pair = d.apart[i];
        if (pair.a == cut.index || pair.b == cut.index)
            d.apart.push_back({other, pair.a == cut.index ? pair.b : pair.a});
    }
    d.bodies[at] = part(d.bodies[at].name, *rest, halves.near);
    d.add(part(beyond, cut.beyond, halves.beyond));

    Joint weld;
    weld.name = beyond + "/root";
    weld.kind = JointKind::weld;
    weld.a = cut.index;
    weld.b = other;
    weld.frame_a = {cut.frame.x - halves.near.middle, cut.frame.q};
    weld.frame_b = {cut.frame.x - halves.beyond.middle, cut.frame.q};
    Cut of_weld;
    of_weld.name = cut.name;
    of_weld.of = Cut::Of::joint;
    of_weld.index = d.add(weld);
    of_weld.strength = cut.strength;
    d.cuts[cut_index] = of_weld;
    Release release;
    release.name = beyond + "/breaks";
    release.joint = of_weld.index;
    release.when_over = static_cast<int>(cut_index);
    d.releases.push_back(release);
    return found;
}

} // namespace poinsot
