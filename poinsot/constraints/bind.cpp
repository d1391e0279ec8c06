// SPDX-License-Identifier: MIT
#include "poinsot/constraints/bind.hpp"

#include "poinsot/constraints/axis_row.hpp"
#include "poinsot/constraints/distance_row.hpp"
#include "poinsot/constraints/rolling_row.hpp"

namespace poinsot {

namespace {

/// Axes of a frame in the world.
Vec3<double> x_of(const Mat3<double>& R)
{
    return {R.r0.x, R.r1.x, R.r2.x};
}
Vec3<double> y_of(const Mat3<double>& R)
{
    return {R.r0.y, R.r1.y, R.r2.y};
}
Vec3<double> z_of(const Mat3<double>& R)
{
    return {R.r0.z, R.r1.z, R.r2.z};
}

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
    /// With frame a where its motion has it, and the ground there moving along.
    Site(const Model& model, const Placed& placed, std::size_t j, const PlacedJoint& moved,
         const Twist<double>& ground)
        : joint(model.joints()[j]), at(moved), body_a(nullptr),
          body_b(body_of(placed, joint.b)), a{moved.x_a, ground.v, ground.omega}, b(end_of(body_b))
    {
    }

    /// The one point at which a pair of forces acts: where the particle is, if there is one, for it
    /// takes no torque; else the middle.
    Vec3<double> middle() const
    {
        if (is_particle(body_a) != is_particle(body_b)) {
            if (is_particle(body_a))
                return at.x_a;
            return at.x_b;
        }
        return 0.5 * (at.x_a + at.x_b);
    }
    PairRow<double> plane(const Vec3<double>& n) const
    {
        return plane_row(n, at.x_a, at.x_b, a, b);
    }
    /// q̇ and q̈ of coordinate k; its g is q itself.
    PairRow<double> coordinate(int k) const
    {
        const CoordinateAxis axis = coordinate_axis(joint.kind, at, k);
        const double q = at.q[static_cast<std::size_t>(k)];
        PairRow<double> row = measured(axis, q, k);
        row.g = q;
        row.scale += abs(q);
        return row;
    }
    PairRow<double> measured(const CoordinateAxis& axis, double q, int k) const
    {
        if (joint.kind == JointKind::strut) {
            PairRow<double> row = distance_row(0.0, at.x_a, at.x_b, a, b);
            if (!(row.g > 0)) // no direction, and none that turns
                row.F = axis.n, row.gamma = 0;
            return row;
        }
        const Vec3<double> z_a = z_of(at.R_a), z_b = z_of(at.R_b);
        if (joint.kind == JointKind::swing)
            return k == 0 ? swing_row(axis.n, z_a, z_b, q, at.x_b, a, b)
                          : twist_row(axis.n, z_a, z_b, q, at.x_b, a, b);
        const bool in_b = joint.kind == JointKind::universal && k == 1;
        return axis.turns ? turn_row(axis.n, in_b ? b.omega : a.omega, q, at.x_b, a, b)
                          : plane(axis.n);
    }
    PairRow<double> screw() const
    {
        const PairRow<double> slide = plane(z_of(at.R_a)), turn = coordinate(0);
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

/// What a row does to a body: a particle takes no torque.
Wrench<double> wrench_on(const PairRow<double>& pair, const PlacedBody& body)
{
    if (is_particle(&body))
        return {pair.F, zero3<double>()};
    return wrench_on(pair, body.x);
}

/// ġ of the rows of a block.
void measure_speeds(const Placed& placed, const Block& block, Rows& rows)
{
    for (int k = 0; k < block.rows; ++k) {
        Row& row = rows.row(block, k);
        if (row.softness > 0)
            continue;
        row.g_dot = row.rate_t;
        for (int i = 0; i < block.bodies; ++i)
            row.g_dot += power(
                rows.J_of(block, k, i),
                placed.bodies[static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)])]
                    .twist());
    }
}

/// The bodies of a block, the world left out.
struct BodiesTouched {
    int count = 0;
    std::array<int, Block::most_bodies> body{};

    void add(int touched)
    {
        bool known = touched == world;
        for (int i = 0; i < count; ++i)
            known = known || body[static_cast<std::size_t>(i)] == touched;
        if (!known)
            body[static_cast<std::size_t>(count++)] = touched;
    }
    /// Of a joint, which never joins a body to itself.
    static BodiesTouched of(const Joint& joint)
    {
        if (joint.a == world || joint.b == world)
            return {1, {joint.a == world ? joint.b : joint.a}};
        return {2, {joint.a, joint.b}};
    }
};

/// Writes blocks one after another over those of the moment before: their sizes are the same, and
/// nothing is cleared that is written anyway.
class Binder {
  public:
    explicit Binder(Rows& out) : out_(out) {}
    /// Behind those that are there.
    Binder(Rows& out, std::size_t blocks)
        : out_(out), blocks_(blocks), rows_(out.rows.size()), wrenches_(out.J.size())
    {
    }
    Binder(const Binder&) = delete;
    Binder& operator=(const Binder&) = delete;
    ~Binder()
    {
        out_.blocks.resize(blocks_);
        out_.rows.resize(rows_);
        out_.J.resize(wrenches_);
    }

    /// A new block of so many rows. All its rows and wrenches are to be written.
    [[gnu::always_inline]] Block& begin(Block::Origin origin, Cause cause, std::size_t index,
                                        int coordinate, int rows, const BodiesTouched& bodies)
    {
        if (blocks_ == out_.blocks.size())
            out_.blocks.emplace_back();
        Block& block = out_.blocks[blocks_++];
        block.origin = origin;
        block.cause = cause;
        block.index = static_cast<int>(index);
        block.coordinate = coordinate;
        block.bodies = bodies.count;
        block.body = bodies.body;
        block.rows = rows;
        block.first_row = static_cast<int>(rows_);
        block.first_J = static_cast<int>(wrenches_);
        rows_ += static_cast<std::size_t>(rows);
        wrenches_ += static_cast<std::size_t>(rows * block.bodies);
        if (rows_ > out_.rows.size())
            out_.rows.resize(rows_);
        if (wrenches_ > out_.J.size())
            out_.J.resize(wrenches_);
        return block;
    }
    Rows& out() { return out_; }

  private:
    Rows& out_;
    std::size_t blocks_ = 0, rows_ = 0, wrenches_ = 0;
};

/// Writes what a pair does to both bodies, a before b; returns its ġ.
double write_wrenches(const PairRow<double>& pair, const PlacedBody* a, const PlacedBody* b,
                      Wrench<double>* J)
{
    double g_dot = 0;
    if (a) {
        *J = -wrench_on(pair, *a);
        g_dot += power(*J++, a->twist());
    }
    if (b) {
        *J = wrench_on(pair, *b);
        g_dot += power(*J, b->twist());
    }
    return g_dot;
}

/// The rows of one joint, or of one of its coordinates, one after another. Its parts are compiled
/// into the one place that uses them: what they have in common is then computed once.
class RowWriter {
  public:
    RowWriter(const Site& site, const Block& block, Rows& out)
        : s_(site), row_(out.rows.data() + block.first_row), J_(out.J.data() + block.first_J)
    {
    }

    Row& add(const PairRow<double>& pair)
    {
        const double g_dot = write_wrenches(pair, s_.body_a, s_.body_b, J_);
        J_ += (s_.body_a != nullptr) + (s_.body_b != nullptr);
        return write(pair.g, g_dot, pair.gamma, pair.scale);
    }
    /// Three points along the axes of the world.
    [[gnu::always_inline]] void add_points()
    {
        const Vec3<double> P = s_.middle();
        const Vec3<double> s_a = lever(P, s_.body_a, s_.a.x), s_b = lever(P, s_.body_b, s_.b.x);
        const PointRows<double> rows = point_rows(s_.at.x_a, s_.at.x_b, s_a, s_b, s_.a, s_.b);
        const auto on_a = unit_forces_at(s_a), on_b = unit_forces_at(s_b);
        for (std::size_t k = 0; k < 3; ++k) {
            if (s_.body_a)
                *J_++ = -on_a[k];
            if (s_.body_b)
                *J_++ = on_b[k];
        }
        write(rows.g.x, rows.g_dot.x, rows.gamma.x, rows.scale);
        write(rows.g.y, rows.g_dot.y, rows.gamma.y, rows.scale);
        write(rows.g.z, rows.g_dot.z, rows.gamma.z, rows.scale);
    }
    /// Two axes stay square: a torque alone.
    [[gnu::always_inline]] void add_square(const Vec3<double>& e_a, const CarriedAxis<double>& e_b)
    {
        const AxisRow<double> row = axis_row(e_a, e_b);
        const Vec3<double> o = zero3<double>();
        if (s_.body_a)
            *J_++ = {o, (is_particle(s_.body_a) ? 0.0 : -1.0) * row.n};
        if (s_.body_b)
            *J_++ = {o, (is_particle(s_.body_b) ? 0.0 : 1.0) * row.n};
        write(row.g, row.g_dot, row.gamma, 1);
    }
    [[gnu::always_inline]] void add_square(const Vec3<double>& e_a, const Vec3<double>& e_b)
    {
        add_square(e_a, CarriedAxis<double>(e_b, s_.a, s_.b));
    }
    /// The z axes stay parallel: x_a · z_b and y_a · z_b.
    [[gnu::always_inline]] void add_parallel()
    {
        const CarriedAxis<double> z_b(z_of(s_.at.R_b), s_.a, s_.b);
        add_square(x_of(s_.at.R_a), z_b);
        add_square(y_of(s_.at.R_a), z_b);
    }

  private:
    static Vec3<double> lever(const Vec3<double>& P, const PlacedBody* body, const Vec3<double>& x)
    {
        return (body && !is_particle(body) ? 1.0 : 0.0) * (P - x);
    }
    Row& write(double g, double g_dot, double gamma, double scale)
    {
        *row_ = {gamma, 0, g, g_dot, 0, scale};
        return *row_++;
    }

    const Site& s_;
    Row* row_;
    Wrench<double>* J_;
};

/// Is this one of these kinds?
constexpr bool is_of(JointKind kind, std::initializer_list<JointKind> kinds)
{
    for (const JointKind each : kinds)
        if (each == kind)
            return true;
    return false;
}

/// The rows of a joint, in the order of the table in bind.hpp.
void bind(const Site& s, const Block& block, Rows& out)
{
    using enum JointKind;
    const JointKind kind = s.joint.kind;
    const Mat3<double>&R_a = s.at.R_a, &R_b = s.at.R_b;
    RowWriter to(s, block, out);
    if (is_of(kind, {weld, revolute, ball, point, universal}))
        to.add_points();
    if (is_of(kind, {prismatic, cylindrical, screw})) {
        to.add(s.plane(x_of(R_a)));
        to.add(s.plane(y_of(R_a)));
    }
    if (kind == planar)
        to.add(s.plane(z_of(R_a)));
    if (is_of(kind, {weld, revolute, prismatic, cylindrical, planar, screw, parallel}))
        to.add_parallel();
    if (is_of(kind, {weld, prismatic}))
        to.add_square(x_of(R_a), y_of(R_b));
    if (kind == universal)
        to.add_square(z_of(R_a), x_of(R_b));
    if (kind == screw)
        to.add(s.screw());
    if (kind == distance)
        to.add(distance_row(s.joint.length, s.at.x_a, s.at.x_b, s.a, s.b));
    if (kind == rolling) {
        const auto contact =
            rolling_contact(z_of(R_a), z_of(R_b), s.joint.radius, s.at.x_b, s.a, s.b);
        to.add(rolling_row(z_of(R_a), contact, s.at.x_a, s.a, s.b));
        for (const Vec3<double>& e : {x_of(R_a), y_of(R_a)}) {
            PairRow<double> slip = rolling_row(e, contact, s.at.x_a, s.a, s.b);
            slip.g = 0;
            to.add(slip);
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
    BodiesTouched bodies = BodiesTouched::of(s_1.joint);
    bodies.add(s_2.joint.a);
    bodies.add(s_2.joint.b);
    const Block& block = to.begin(Block::Origin::gear, Cause::joint, index, 0, 1, bodies);
    Rows& out = to.out();
    Row& row = out.row(block, 0);
    row = {};
    row.g = one.g - start(j_1, gear.coordinate_1) -
            gear.ratio * (two.g - start(j_2, gear.coordinate_2));
    row.gamma = one.gamma - gear.ratio * two.gamma;
    row.scale = one.scale + abs(gear.ratio) * two.scale;
    for (int i = 0; i < block.bodies; ++i) {
        const int body = block.body[static_cast<std::size_t>(i)];
        Wrench<double> J{zero3<double>(), zero3<double>()};
        const auto act = [&](const PairRow<double>& pair, const Site& site, double factor) {
            if (site.joint.b == body)
                J = J + factor * wrench_on(pair, *site.body_b);
            if (site.joint.a == body)
                J = J + -factor * wrench_on(pair, *site.body_a);
        };
        act(one, s_1, 1);
        act(two, s_2, -gear.ratio);
        out.J_of(block, 0, i) = J;
    }
    measure_speeds(placed, block, out);
}

/// A joint whose frame a moves as told. Its rows are those of a joint to a body at that place with
/// that motion, which is known: with V and V̇ of the moving ground at the centre of mass of b,
///
///     ∂g/∂t = −J · V        γ ← γ − J · V̇
void bind_moving(const Model& model, const Placed& placed, double t, std::size_t j, Binder& to)
{
    const Joint& joint = model.joints()[j];
    const Pose<double> frame = joint.motion->pose_at(t, joint.frame_a);
    const Twist<double> V = joint.motion->twist_at(t), A = joint.motion->acceleration_at(t);
    PlacedJoint at = placed.joints[j];
    at.x_a = frame.x;
    at.R_a = matrix_of(frame.q);
    const Site s(model, placed, j, at, V);
    const Block& block = to.begin(Block::Origin::joint, Cause::motor, j, 0,
                                  facts_of(joint.kind).rows, BodiesTouched::of(joint));
    bind(s, block, to.out());
    const Vec3<double> d = s.b.x - frame.x;
    for (int k = 0; k < block.rows; ++k) {
        Row& row = to.out().row(block, k);
        const Wrench<double>& J = to.out().J_of(block, k, 0);
        row.rate_t = -power(J, shift(V, d));
        row.gamma -= power(J, shift(A, d));
        row.g_dot = row.rate_t + power(J, s.body_b->twist());
    }
}

void bind_joint(const Model& model, const Placed& placed, double t, std::size_t j, Binder& to)
{
    if (model.joints()[j].motion)
        return bind_moving(model, placed, t, j, to);
    const Site s(model, placed, j);
    const JointFacts& facts = facts_of(s.joint.kind);
    if (facts.rows == 0)
        return;
    const Block& block =
        to.begin(Block::Origin::joint, Cause::joint, j, 0, facts.rows, BodiesTouched::of(s.joint));
    bind(s, block, to.out());
}

void bind_laws(const Model& model, const Placed& placed, double t, Block::Origin origin,
               std::size_t j, Binder& to)
{
    for (std::size_t k = 0; k < model.joints()[j].laws.size() && placed.holds(j); ++k) {
        const CoordinateLaw& law = model.joints()[j].laws[k];
        const bool prescribed = origin == Block::Origin::prescribed;
        if (prescribed ? !law.prescribed : !(law.armature > 0))
            continue;
        const Site s(model, placed, j);
        const PairRow<double> pair = s.coordinate(static_cast<int>(k));
        const Block& block = to.begin(origin, prescribed ? Cause::motor : Cause::rotor, j,
                                      static_cast<int>(k), 1, BodiesTouched::of(s.joint));
        Row& row = RowWriter(s, block, to.out()).add(pair);
        if (prescribed) {
            const double target = law.prescribed->at(t);
            row.g = pair.g - target;
            row.rate_t = -law.prescribed->rate_at(t);
            row.g_dot += row.rate_t;
            row.gamma = pair.gamma - law.prescribed->acceleration_at(t);
            row.scale += abs(target);
        } else {
            row.g = row.g_dot = 0; // an inertia has no place of its own
            row.softness = 1 / law.armature;
        }
    }
}

void bind_stop(const Model& model, const Placed& placed, const Stop& stop, Binder& to)
{
    const Site s(model, placed, static_cast<std::size_t>(stop.joint));
    const CoordinateLaw& law = s.joint.laws[static_cast<std::size_t>(stop.coordinate)];
    const double at = stop.upper ? law.upper : law.lower, sign = stop.upper ? -1 : 1;
    const PairRow<double> pair = s.coordinate(stop.coordinate);
    const Block& block =
        to.begin(Block::Origin::limit, Cause::limit, static_cast<std::size_t>(stop.joint),
                 stop.coordinate, 1, BodiesTouched::of(s.joint));
    Row& row = RowWriter(s, block, to.out()).add(pair);
    row.g = sign * (pair.g - at);
    row.g_dot *= sign;
    row.gamma = sign * pair.gamma;
    row.scale += abs(at);
    for (int i = 0; i < block.bodies; ++i) {
        Wrench<double>& J = to.out().J_of(block, 0, i);
        J = sign * J;
    }
}

} // namespace

void measure_speeds(const Placed& placed, Rows& rows)
{
    for (const Block& block : rows.blocks)
        measure_speeds(placed, block, rows);
}

void bind_joints(const Model& model, const Placed& placed, double t, Rows& out,
                 std::span<const Stop> standing)
{
    Binder to(out);
    const std::size_t joints = model.joints().size();
    bool any_laws = false;
    for (std::size_t j = 0; j < joints; ++j) {
        if (placed.holds(j))
            bind_joint(model, placed, t, j, to);
        any_laws = any_laws || !model.joints()[j].laws.empty();
    }
    for (std::size_t i = 0; i < model.gears().size(); ++i)
        bind_gear(model, placed, i, to);
    if (!any_laws)
        return;
    for (const Block::Origin origin : {Block::Origin::prescribed, Block::Origin::armature})
        for (std::size_t j = 0; j < joints; ++j)
            bind_laws(model, placed, t, origin, j, to);
    for (const Stop& stop : standing)
        bind_stop(model, placed, stop, to);
}

void bind_loops(const Model& model, const Placed& placed, double t, Rows& out,
                std::span<const Stop> standing)
{
    Binder to(out);
    for (const int j : model.tree().rows)
        if (placed.holds(static_cast<std::size_t>(j)))
            bind_joint(model, placed, t, static_cast<std::size_t>(j), to);
    for (std::size_t i = 0; i < model.gears().size(); ++i)
        bind_gear(model, placed, i, to);
    for (std::size_t j = 0; j < model.joints().size(); ++j)
        bind_laws(model, placed, t, Block::Origin::prescribed, j, to);
    for (const int j : model.tree().rows)
        bind_laws(model, placed, t, Block::Origin::armature, static_cast<std::size_t>(j), to);
    for (const Stop& stop : standing)
        bind_stop(model, placed, stop, to);
}

void bind_stops(const Model& model, const Placed& placed, std::span<const Stop> stops, Rows& out)
{
    Binder to(out);
    for (const Stop& stop : stops)
        bind_stop(model, placed, stop, to);
}

void add_coordinate(const Model& model, const Placed& placed, int j, int k, Block::Origin origin,
                    Cause cause, Rows& out)
{
    Binder to(out, out.blocks.size());
    const Site s(model, placed, static_cast<std::size_t>(j));
    const Block& block =
        to.begin(origin, cause, static_cast<std::size_t>(j), k, 1, BodiesTouched::of(s.joint));
    RowWriter(s, block, out).add(s.coordinate(k));
}

void leave_out(std::span<const char> marked, Rows& rows)
{
    if (marked.empty())
        return;
    std::size_t blocks = 0, to = 0, J = 0;
    for (const Block& from : rows.blocks) {
        Block block = from;
        block.rows = 0;
        block.first_row = static_cast<int>(to);
        block.first_J = static_cast<int>(J);
        for (int k = 0; k < from.rows; ++k) {
            const auto r = static_cast<std::size_t>(from.first_row + k);
            if (r < marked.size() && marked[r])
                continue;
            rows.rows[to++] = rows.rows[r];
            for (int i = 0; i < from.bodies; ++i)
                rows.J[J++] = rows.J_of(from, k, i);
            ++block.rows;
        }
        if (block.rows > 0)
            rows.blocks[blocks++] = block;
    }
    rows.blocks.resize(blocks);
    rows.rows.resize(to);
    rows.J.resize(J);
}

bool has_loops(const Model& model)
{
    for (const int j : model.tree().rows) {
        const Joint& joint = model.joints()[static_cast<std::size_t>(j)];
        if (facts_of(joint.kind).rows > 0)
            return true;
        for (const CoordinateLaw& law : joint.laws)
            if (law.armature > 0)
                return true;
    }
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

void free_velocities(const Model& model, Rows& rows)
{
    for (const Block& block : rows.blocks)
        for (int k = 0; k < block.rows; ++k)
            if (Row& row = rows.row(block, k); row.softness == 0 && !binds_place(model, block, k))
                row.softness = 1e30;
}

} // namespace poinsot
