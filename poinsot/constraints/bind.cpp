// SPDX-License-Identifier: MIT
#include "poinsot/constraints/bind.hpp"

#include "poinsot/constraints/axis_row.hpp"
#include "poinsot/constraints/distance_row.hpp"
#include "poinsot/constraints/rolling_row.hpp"

namespace poinsot {

namespace {

constexpr Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

const PlacedBody* body_of(const Placed& placed, int body)
{
    return body == world ? nullptr : &placed.bodies[static_cast<std::size_t>(body)];
}
End<double> end_of(const PlacedBody* body)
{
    return body ? End<double>{body->x, body->v, body->omega} : ground<double>();
}
bool is_particle(const PlacedBody* body)
{
    return body && body->mass.inv_I_b.xx == 0;
}

/// One joint where it is.
struct Site {
    const Joint& joint;
    const PlacedJoint& at;
    const PlacedBody *body_a, *body_b;
    End<double> a, b;

    Site(const Model& model, const Placed& placed, std::size_t j)
        : joint(model.joints()[j]), at(placed.joints[j]), body_a(body_of(placed, joint.a)),
          body_b(body_of(placed, joint.b)), a(end_of(body_a)), b(end_of(body_b))
    {
    }

    /// The one point at which a pair of forces acts: where the particle is, if there is one, for it
    /// takes no torque; else the middle.
    Vec3<double> middle() const
    {
        if (is_particle(body_a) != is_particle(body_b))
            return is_particle(body_a) ? at.x_a : at.x_b;
        return 0.5 * (at.x_a + at.x_b);
    }
    PairRow<double> point(const Vec3<double>& n) const
    {
        return point_row(n, at.x_a, at.x_b, middle(), a, b);
    }
    PairRow<double> plane(const Vec3<double>& n) const
    {
        return plane_row(n, at.x_a, at.x_b, a, b);
    }
    PairRow<double> square_axes(const Vec3<double>& e_a, const Vec3<double>& e_b) const
    {
        return axis_row(at.axis_a(e_a), at.axis_b(e_b), at.x_b, a, b);
    }
    /// q̇ and q̈ of coordinate k; its g is q itself.
    PairRow<double> coordinate(int k) const
    {
        const CoordinateAxis axis = coordinate_axis(joint.kind, at, k);
        const double q = at.q[static_cast<std::size_t>(k)];
        const bool in_b = joint.kind == JointKind::universal && k == 1;
        PairRow<double> row = axis.turns
                                  ? turn_row(axis.n, in_b ? b.omega : a.omega, q, at.x_b, a, b)
                                  : plane(axis.n);
        row.g = q;
        row.scale += abs(q);
        return row;
    }
    PairRow<double> screw() const
    {
        const PairRow<double> slide = plane(at.axis_a(z)), turn = coordinate(0);
        // The thread cannot tell whole turns apart: of all angles that differ by them, the one
        // nearest to the slide.
        double angle = turn.g;
        if (joint.pitch != 0)
            angle += two_pi * nearest((slide.g / joint.pitch - angle) / two_pi);
        return {slide.P,
                slide.F,
                -joint.pitch * turn.tau,
                slide.g - joint.pitch * angle,
                slide.gamma - joint.pitch * turn.gamma,
                slide.scale + abs(joint.pitch * angle)};
    }
};

class Binder {
  public:
    explicit Binder(Rows& out) : out_(out) {}

    /// A new block of so many rows, which touches these bodies (the world left out).
    void begin(Block::Origin origin, Cause cause, std::size_t index, int coordinate, int rows,
               std::initializer_list<int> bodies)
    {
        Block block;
        block.origin = origin;
        block.cause = cause;
        block.index = static_cast<int>(index);
        block.coordinate = coordinate;
        for (const int body : bodies) {
            bool known = body == world;
            for (int i = 0; i < block.bodies; ++i)
                known = known || block.body[static_cast<std::size_t>(i)] == body;
            if (!known)
                block.body[static_cast<std::size_t>(block.bodies++)] = body;
        }
        block.rows = rows;
        block.first_row = static_cast<int>(out_.rows.size());
        block.first_J = static_cast<int>(out_.J.size());
        out_.blocks.push_back(block);
        const auto wrenches = static_cast<std::size_t>(rows * block.bodies);
        out_.J.resize(out_.J.size() + wrenches, {zero3<double>(), zero3<double>()});
    }
    Row& row(const PairRow<double>& pair)
    {
        Row made;
        made.g = pair.g;
        made.gamma = pair.gamma;
        made.scale = pair.scale;
        out_.rows.push_back(made);
        return out_.rows.back();
    }
    /// Adds a multiple of a pair to the wrenches of the last row.
    void act(const PairRow<double>& pair, const Site& site, double factor = 1)
    {
        put(site.joint.b, site.body_b, pair, factor);
        put(site.joint.a, site.body_a, pair, -factor);
    }
    void add(const PairRow<double>& pair, const Site& site)
    {
        row(pair);
        act(pair, site);
    }

  private:
    void put(int index, const PlacedBody* body, const PairRow<double>& pair, double factor)
    {
        if (!body)
            return;
        const Block& block = out_.blocks.back();
        int i = 0;
        while (block.body[static_cast<std::size_t>(i)] != index)
            ++i;
        const int k = static_cast<int>(out_.rows.size()) - 1 - block.first_row;
        Wrench<double>& J = out_.J_of(block, k, i);
        const Wrench<double> W =
            is_particle(body) ? Wrench<double>{pair.F, zero3<double>()} : wrench_on(pair, body->x);
        J = J + factor * W;
    }
    Rows& out_;
};

void bind(const Site& s, Binder& to)
{
    const auto points = [&] {
        for (const Vec3<double>& e : {x, y, z})
            to.add(s.point(e), s);
    };
    const auto planes = [&](std::initializer_list<Vec3<double>> axes) {
        for (const Vec3<double>& e : axes)
            to.add(s.plane(s.at.axis_a(e)), s);
    };
    const auto parallel_axes = [&] {
        to.add(s.square_axes(x, z), s);
        to.add(s.square_axes(y, z), s);
    };
    switch (s.joint.kind) {
    case JointKind::weld:
        points();
        parallel_axes();
        to.add(s.square_axes(x, y), s);
        return;
    case JointKind::revolute:
        points();
        parallel_axes();
        return;
    case JointKind::prismatic:
        planes({x, y});
        parallel_axes();
        to.add(s.square_axes(x, y), s);
        return;
    case JointKind::cylindrical:
        planes({x, y});
        parallel_axes();
        return;
    case JointKind::universal:
        points();
        to.add(s.square_axes(z, x), s);
        return;
    case JointKind::ball:
    case JointKind::point:
        points();
        return;
    case JointKind::planar:
        planes({z});
        parallel_axes();
        return;
    case JointKind::screw:
        planes({x, y});
        parallel_axes();
        to.add(s.screw(), s);
        return;
    case JointKind::free:
        return;
    case JointKind::distance:
        to.add(distance_row(s.joint.length, s.at.x_a, s.at.x_b, s.a, s.b), s);
        return;
    case JointKind::parallel:
        parallel_axes();
        return;
    case JointKind::rolling: {
        const auto contact =
            rolling_contact(s.at.axis_a(z), s.at.axis_b(z), s.joint.radius, s.at.x_b, s.a, s.b);
        to.add(rolling_row(s.at.axis_a(z), contact, s.at.x_a, s.a, s.b), s);
        for (const Vec3<double>& e : {x, y}) {
            PairRow<double> slip = rolling_row(s.at.axis_a(e), contact, s.at.x_a, s.a, s.b);
            slip.g = 0;
            to.add(slip, s);
        }
        return;
    }
    }
}

void bind_gear(const Model& model, const Placed& placed, std::size_t index, Binder& to)
{
    const Gear& gear = model.gears()[index];
    const auto j_1 = static_cast<std::size_t>(gear.joint_1),
               j_2 = static_cast<std::size_t>(gear.joint_2);
    const Site s_1(model, placed, j_1), s_2(model, placed, j_2);
    const auto start = [&](std::size_t j, int k) {
        return model.joint_starts()[j].q[static_cast<std::size_t>(k)];
    };
    const PairRow<double> one = s_1.coordinate(gear.coordinate_1),
                          two = s_2.coordinate(gear.coordinate_2);
    to.begin(Block::Origin::gear, Cause::joint, index, 0, 1,
             {s_1.joint.a, s_1.joint.b, s_2.joint.a, s_2.joint.b});
    Row& row = to.row(one);
    row.g = one.g - start(j_1, gear.coordinate_1) -
            gear.ratio * (two.g - start(j_2, gear.coordinate_2));
    row.gamma = one.gamma - gear.ratio * two.gamma;
    row.scale = one.scale + abs(gear.ratio) * two.scale;
    to.act(one, s_1);
    to.act(two, s_2, -gear.ratio);
}

void bind_joint(const Model& model, const Placed& placed, std::size_t j, Binder& to)
{
    const Site s(model, placed, j);
    const JointFacts& facts = facts_of(s.joint.kind);
    if (facts.rows == 0)
        return;
    to.begin(Block::Origin::joint, Cause::joint, j, 0, facts.rows, {s.joint.a, s.joint.b});
    bind(s, to);
}

void bind_laws(const Model& model, const Placed& placed, double t, Block::Origin origin,
               std::size_t j, Binder& to)
{
    for (std::size_t k = 0; k < model.joints()[j].laws.size(); ++k) {
        const CoordinateLaw& law = model.joints()[j].laws[k];
        const bool prescribed = origin == Block::Origin::prescribed;
        if (prescribed ? !law.prescribed : !(law.armature > 0))
            continue;
        const Site s(model, placed, j);
        const PairRow<double> pair = s.coordinate(static_cast<int>(k));
        to.begin(origin, prescribed ? Cause::motor : Cause::rotor, j, static_cast<int>(k), 1,
                 {s.joint.a, s.joint.b});
        Row& row = to.row(pair);
        if (prescribed) {
            const double target = law.prescribed->at(t);
            row.g = pair.g - target;
            row.rate_t = -law.prescribed->rate_at(t);
            row.gamma = pair.gamma - law.prescribed->acceleration_at(t);
            row.scale += abs(target);
        } else {
            row.g = 0; // an inertia has no place of its own
            row.softness = 1 / law.armature;
        }
        to.act(pair, s);
    }
}

void bind_stop(const Model& model, const Placed& placed, const Stop& stop, Binder& to)
{
    const Site s(model, placed, static_cast<std::size_t>(stop.joint));
    const CoordinateLaw& law = s.joint.laws[static_cast<std::size_t>(stop.coordinate)];
    const double at = stop.upper ? law.upper : law.lower, sign = stop.upper ? -1 : 1;
    const PairRow<double> pair = s.coordinate(stop.coordinate);
    to.begin(Block::Origin::limit, Cause::limit, static_cast<std::size_t>(stop.joint),
             stop.coordinate, 1, {s.joint.a, s.joint.b});
    Row& row = to.row(pair);
    row.g = sign * (pair.g - at);
    row.gamma = sign * pair.gamma;
    row.scale += abs(at);
    to.act(pair, s, sign);
}

} // namespace

void measure_speeds(const Placed& placed, Rows& out)
{
    for (const Block& block : out.blocks)
        for (int k = 0; k < block.rows; ++k) {
            Row& row = out.row(block, k);
            if (row.softness > 0)
                continue;
            row.g_dot = row.rate_t;
            for (int i = 0; i < block.bodies; ++i)
                row.g_dot += power(
                    out.J_of(block, k, i),
                    placed.bodies[static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)])]
                        .twist());
        }
}

void bind_joints(const Model& model, const Placed& placed, double t, Rows& out,
                 std::span<const Stop> standing)
{
    out.clear();
    Binder to(out);
    const std::size_t joints = model.joints().size();
    for (std::size_t j = 0; j < joints; ++j)
        bind_joint(model, placed, j, to);
    for (std::size_t i = 0; i < model.gears().size(); ++i)
        bind_gear(model, placed, i, to);
    for (const Block::Origin origin : {Block::Origin::prescribed, Block::Origin::armature})
        for (std::size_t j = 0; j < joints; ++j)
            bind_laws(model, placed, t, origin, j, to);
    for (const Stop& stop : standing)
        bind_stop(model, placed, stop, to);
    measure_speeds(placed, out);
}

void bind_loops(const Model& model, const Placed& placed, double t, Rows& out,
                std::span<const Stop> standing)
{
    out.clear();
    Binder to(out);
    for (const int j : model.tree().rows)
        bind_joint(model, placed, static_cast<std::size_t>(j), to);
    for (std::size_t i = 0; i < model.gears().size(); ++i)
        bind_gear(model, placed, i, to);
    for (std::size_t j = 0; j < model.joints().size(); ++j)
        bind_laws(model, placed, t, Block::Origin::prescribed, j, to);
    for (const int j : model.tree().rows)
        bind_laws(model, placed, t, Block::Origin::armature, static_cast<std::size_t>(j), to);
    for (const Stop& stop : standing)
        bind_stop(model, placed, stop, to);
    measure_speeds(placed, out);
}

void bind_stops(const Model& model, const Placed& placed, std::span<const Stop> stops, Rows& out)
{
    out.clear();
    Binder to(out);
    for (const Stop& stop : stops)
        bind_stop(model, placed, stop, to);
    measure_speeds(placed, out);
}

bool has_loops(const Model& model)
{
    for (const int j : model.tree().rows)
        if (facts_of(model.joints()[static_cast<std::size_t>(j)].kind).rows > 0)
            return true;
    for (const Joint& joint : model.joints())
        for (const CoordinateLaw& law : joint.laws)
            if (law.prescribed)
                return true;
    return !model.gears().empty();
}

bool binds_place(const Model& model, const Block& block, int k)
{
    if (block.origin == Block::Origin::armature)
        return false;
    const bool slip =
        block.origin == Block::Origin::joint && k > 0 &&
        model.joints()[static_cast<std::size_t>(block.index)].kind == JointKind::rolling;
    return !slip;
}

} // namespace poinsot
