// SPDX-License-Identifier: MIT
#include "poinsot/model/breaking.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

Shape shape_in_two(const Collider& collider)
{
    if (!collider.bounded() || collider.parts().size() != 1)
        return {};
    const Convex& one = collider.parts()[0].convex;
    return one.core == Core::box        ? Shape(Box{2 * one.size})
           : one.core == Core::cylinder ? Shape(Cylinder{one.size.x, 2 * one.size.z})
                                        : Shape{};
}

namespace {

/// A part of a shape that is cut square to one of its axes, and where its middle is.
struct PartShape {
    Shape shape = {};
    Vec3<double> middle = zero3<double>();
};
struct Halves {
    PartShape near, beyond;
    bool none() const { return std::holds_alternative<std::monostate>(near.shape); }
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

/// On which side of a plane a collider is that is placed in the same frame.
CutSide side_of(const Collider& collider, const Pose<double>& pose, const Pose<double>& plane)
{
    const auto box = bounds_of(collider, inverse(plane) * pose);
    if (!box)
        return CutSide::both;
    const double slip = 1e-9 * norm(box->size()); // of a surface that is typed to end in the plane
    return box->lo.z >= -slip ? CutSide::beyond : box->hi.z <= slip ? CutSide::near : CutSide::both;
}

/// The shapes of the parts of a body: halves, or the whole on its side.
Halves parts_of(const Shape& shape, const Pose<double>& plane)
{
    const Halves halves = halves_of(shape, plane);
    const auto collider = collider_of(shape);
    if (!collider || std::holds_alternative<std::monostate>(shape))
        return halves;
    switch (side_of(*collider, identity_pose<double>(), plane)) {
    case CutSide::near:
        return {{shape}, {}};
    case CutSide::beyond:
        return {{}, {shape}};
    case CutSide::both:
        break;
    }
    return halves;
}

Halves halves_of(const Skin& skin, const Pose<double>& plane)
{
    return halves_of(shape_in_two(skin.collider), inverse(skin.pose) * plane);
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
    if (!d.cuts[cut].strength.any())
        wrong("nothing breaks it: give it a limit, such as bending");
    const Vec3<double> across = rotate(d.cuts[cut].frame.q, Vec3<double>{0, 0, 1});
    for (std::size_t i = 0; i < d.cuts.size(); ++i) {
        const Cut& other = d.cuts[i];
        if (i == cut || other.of != Cut::Of::body || other.index != body)
            continue;
        constexpr double typed = 1e-9;
        const Vec3<double> n = rotate(other.frame.q, Vec3<double>{0, 0, 1});
        const Vec3<double> from = other.frame.x - d.cuts[cut].frame.x;
        if (norm(cross(n, across)) > typed)
            wrong("its plane meets that of cut '", other.name,
                  "' of the same body; cuts of a body that breaks must be parallel: turn one, or "
                  "make it of more bodies");
        else if (std::abs(dot(from, across)) <= typed * norm(from))
            wrong("cut '", other.name,
                  "' of the same body lies in its plane; leave one of them "
                  "out");
    }
    for (const Drag& drag : d.drags)
        if (drag.body == body && !drag.point)
            wrong("it does not say which part drag '", drag.name,
                  "' acts on: give the drag a place, such as at: [0, 0, 0]");
    for (const Rotor& rotor : d.rotors)
        if (rotor.body == body && !rotor.at)
            wrong("it does not say which part rotor '", rotor.name,
                  "' is in: give the rotor a place, such as at: [0, 0, 0]");
    inspect_sides(d.cuts[cut], d.tanks, d.flows, "breaks", found);
    for (const Skin& skin : d.skins)
        if (skin.body == body &&
            side_of(skin.collider, skin.pose, d.cuts[cut].frame) == CutSide::both &&
            halves_of(skin, d.cuts[cut].frame).none())
            wrong(
                "it goes through surface '", skin.name,
                "', which is no box or cylinder that is cut square to its axis; make two surfaces "
                "of it, or of the body two with a weld");
    if (d.bodies[static_cast<std::size_t>(body)].held)
        wrong("a body that is held at a point does not break; replace held by a joint with the "
              "world");
}

/// Cuts of a body that breaks at another are of the part that they go through. What one has beyond
/// it is less by the other part, where that lies beyond it.
Problems share_cuts(std::vector<Cut>& cuts, std::size_t broken, const MassProperties& rest,
                    int other, const Halves& halves)
{
    const Cut by = cuts[broken];
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        Cut& cut = cuts[i];
        if (i == broken || cut.of != Cut::Of::body || cut.index != by.index)
            continue;
        const bool far = lies_beyond(cut.frame.x, by.frame);
        if (lies_beyond(by.frame.x, cut.frame)) {
            const auto left = without(cut.beyond, far ? rest : by.beyond, cut.name);
            if (!left)
                return left.problems();
            cut.beyond = *left;
        }
        const Vec3<double> middle = (far ? halves.beyond : halves.near).middle;
        cut.index = far ? other : cut.index;
        cut.frame.x -= middle;
        cut.beyond = moved(cut.beyond, -middle);
    }
    return {};
}

/// What never meets the whole never meets a part of it: what is declared so and, of a body that
/// touches others, what a joint or a bushing connects with it.
void keep_apart(Builder& d, int body, int other)
{
    const auto also = [&](int a, int b) {
        if (a == body || b == body)
            d.apart.push_back({other, a == body ? b : a});
    };
    for (std::size_t i = 0, n = d.apart.size(); i < n; ++i)
        also(d.apart[i].a, d.apart[i].b);
    if (std::none_of(d.skins.begin(), d.skins.end(),
                     [&](const Skin& skin) { return skin.body == body; }))
        return;
    const auto joined = [&](int a, int b) {
        if (a == world || b == world)
            return;
        also(a, b);
        if (a == body || b == body)
            d.apart.push_back({a, b}); // the joint may go with the other part
    };
    for (const Joint& joint : d.joints)
        joined(joint.a, joint.b);
    for (const Bushing& bushing : d.bushings)
        joined(bushing.a, bushing.b);
}

/// Skins go with the part that they are on, and those on both are cut in two.
void share_skins(Builder& d, const Cut& cut, int other, const std::string& beyond,
                 const Halves& halves, std::vector<std::size_t>& halved)
{
    const std::size_t before = d.skins.size();
    for (std::size_t i = 0; i < before; ++i) {
        if (d.skins[i].body != cut.index)
            continue;
        const Skin whole = d.skins[i];
        const auto put = [&](Skin& skin, bool far, const PartShape& part) {
            if (!std::holds_alternative<std::monostate>(part.shape))
                skin.collider = *collider_of(part.shape, whole.collider.margin());
            skin.body = far ? other : cut.index;
            skin.pose.x =
                place(whole.pose, part.middle) - (far ? halves.beyond : halves.near).middle;
        };
        const CutSide side = side_of(whole.collider, whole.pose, cut.frame);
        const Halves of_skin = side == CutSide::both ? halves_of(whole, cut.frame) : Halves{};
        put(d.skins[i], side == CutSide::beyond, of_skin.near);
        if (side != CutSide::both)
            continue;
        halved.push_back(i);
        Skin far = whole;
        far.name = whole.name == d.bodies[static_cast<std::size_t>(cut.index)].name
                       ? beyond
                       : whole.name + "/" + beyond;
        put(far, true, of_skin.beyond);
        d.add(std::move(far));
    }
}

} // namespace

Problems break_at(Builder& d, std::size_t cut_index, const std::string& beyond,
                  std::vector<std::size_t>* halved)
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
    const Halves halves = parts_of(body.shape, cut.frame);
    const int other = static_cast<int>(d.bodies.size());
    std::vector<Cut> cuts = d.cuts;
    if (Problems wrong = share_cuts(cuts, cut_index, *rest, other, halves); wrong.any())
        return wrong;
    d.cuts = std::move(cuts);
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
    keep_apart(d, cut.index, other);
    std::vector<std::size_t> in_two;
    share_skins(d, cut, other, beyond, halves, halved ? *halved : in_two);
    each_place(d, [&](int& on, Vec3<double>& x, const Tank* tank) {
        if (on != cut.index)
            return;
        const bool far =
            tank ? side_of(*tank, cut.frame) == CutSide::beyond : lies_beyond(x, cut.frame);
        on = far ? other : on;
        x -= far ? halves.beyond.middle : halves.near.middle;
    });
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
