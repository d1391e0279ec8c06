// SPDX-License-Identifier: MIT
#pragma once

// A joint as described: two bodies, a frame in each, a kind.
//
// Frame a is fixed in body a (or in the world), frame b in body b. Every kind has its axis along z
// of its frames; a coordinate is measured from a to b and is zero where the frames coincide.
//
//     kind         b may, seen from a                             coordinates       rows
//     weld         do nothing                                                        6
//     revolute     turn about z                                   angle              5
//     prismatic    slide along z                                  slide              5
//     cylindrical  turn about z and slide along z                 angle, slide       4
//     universal    turn about z of a, then about x of b           angle, angle       4
//     ball         turn any way                                                      3
//     planar       slide along x and y, turn about z              x, y, angle        3
//     screw        turn about z and slide by pitch per radian     angle              5
//     free         anything                                                          0
//     point        turn any way; never part of the tree                              3
//     distance     keep the distance of the two origins                              1
//     parallel     anything that keeps the z axes parallel                           2
//     rolling      a disc of body b, axis z, rolls without slip
//                  on the plane z = 0 of frame a                                     3
//     strut        anything; measures from origin to origin    length             0
//     swing        anything; measures how far the z axes are   angle between them,
//                  apart, and the turn about them              twist              0
//
// `point`, `distance`, `parallel` and `rolling` are rows in either formulation, and so is every
// joint that closes a loop. A strut and a swing bind nothing: they are for what acts along their
// coordinates, as a rope, a cylinder or the cone of a shoulder does. A weld to the world whose
// frame moves prescribes the motion of a body.

#include "poinsot/math/pose.hpp"
#include "poinsot/math/spatial.hpp"
#include "poinsot/math/trig.hpp"
#include "poinsot/model/force.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace poinsot {

enum class JointKind : unsigned char {
    weld,
    revolute,
    prismatic,
    cylindrical,
    universal,
    ball,
    planar,
    screw,
    free,
    point,
    distance,
    parallel,
    rolling,
    strut,
    swing,
};

struct JointFacts {
    JointKind kind;
    std::string_view name;
    int coordinates; // that have a name and may have a spring, a motor, a limit
    int rows;        // independent equations it takes from two free bodies
    bool carries;    // may be a joint of the tree: b's place follows from a's and coordinates
};
inline constexpr std::array<JointFacts, 15> joint_kinds{{
    {JointKind::weld, "weld", 0, 6, true},
    {JointKind::revolute, "revolute", 1, 5, true},
    {JointKind::prismatic, "prismatic", 1, 5, true},
    {JointKind::cylindrical, "cylindrical", 2, 4, true},
    {JointKind::universal, "universal", 2, 4, true},
    {JointKind::ball, "ball", 0, 3, true},
    {JointKind::planar, "planar", 3, 3, true},
    {JointKind::screw, "screw", 1, 5, true},
    {JointKind::free, "free", 0, 0, true},
    {JointKind::point, "point", 0, 3, false},
    {JointKind::distance, "distance", 0, 1, false},
    {JointKind::parallel, "parallel", 0, 2, false},
    {JointKind::rolling, "rolling", 0, 3, false},
    {JointKind::strut, "strut", 1, 0, false},
    {JointKind::swing, "swing", 2, 0, false},
}};
constexpr const JointFacts& facts_of(JointKind kind)
{
    return joint_kinds[static_cast<std::size_t>(kind)];
}
/// Does it let b turn any way about a point, and say nothing of how it stands?
constexpr bool turns_any_way(JointKind kind)
{
    return kind == JointKind::ball || kind == JointKind::point;
}
/// Does it measure alone, and leave its bodies free of each other?
constexpr bool only_measures(JointKind kind)
{
    return kind == JointKind::strut || kind == JointKind::swing;
}
/// Is coordinate k of this kind an angle? The others are lengths.
constexpr bool is_angle(JointKind kind, int k)
{
    switch (kind) {
    case JointKind::prismatic:
    case JointKind::strut:
        return false;
    case JointKind::cylindrical:
        return k == 0;
    case JointKind::planar:
        return k == 2;
    default:
        return true;
    }
}

/// A number as a function of time: value + rate t + amplitude sin(2π frequency t + phase).
struct Course {
    double value = 0;
    double rate = 0;
    double amplitude = 0;
    double frequency = 0; // Hz
    double phase = 0;

    double at(double t) const;
    double rate_at(double t) const;
    double acceleration_at(double t) const;
    /// Its integral over time.
    double sum(double from, double to) const;
};
bool finite(const Course& course);

/// How a frame of the world moves, known in advance. From where it was described it is shifted
/// along the axes of the world, and turned about a fixed direction through its origin:
///
///     x(t) = x + s(t)        R(t) = exp(n φ(t)) R        v = s′, ω = n φ′
struct FrameMotion {
    std::array<Course, 3> shift = {};
    Vec3<double> axis{0, 0, 1}; // n, of unit length in a model
    Course turn = {};           // φ

    Pose<double> pose_at(double t, const Pose<double>& described) const;
    Twist<double> twist_at(double t) const;        // of the frame's origin
    Twist<double> acceleration_at(double t) const; // the rates of both
};
bool finite(const FrameMotion& motion);

/// What drives a coordinate, as a force law bounded by `most`.
///
///     force      Q = target(t)
///     velocity   Q = gain (target(t) − q̇)
///     position   Q = gain (target(t) − q) + damping (target'(t) − q̇)
struct Motor {
    enum class Kind : unsigned char { force, velocity, position };
    Kind kind = Kind::force;
    Course target = {};
    double gain = 0;
    double damping = 0;
    double most = std::numeric_limits<double>::infinity(); // |Q| never exceeds it
};

/// What acts along one coordinate of a joint.
struct CoordinateLaw {
    double stiffness = 0; // Q = −stiffness (q − rest)
    double rest = 0;
    double damping = 0; // Q = −damping q̇
    double friction = 0; // Q = −friction x/√(1 + x²), x = q̇/slip_speed: dry friction made smooth
    double slip_speed = 1e-3;
    double armature = 0; // inertia of a geared drive, felt by this coordinate alone
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
    double restitution = 0; // at either limit the speed comes back turned round, times this
    std::optional<Motor> motor = {};
    std::optional<Course> prescribed = {}; // the coordinate follows this, whatever it takes
};

/// What acts on the turn of b against a where a joint lets it turn any way: a ball or a point. It
/// is a bushing that feels turns alone (forces/bushing_force.hpp), in the axes of frame a:
///
///     exp φ = R_aᵀ R_b R_restᵀ        V = ½ φᵀ K φ        what the damper takes is φ̇ᵀ C φ̇
struct TurnLaw {
    Vec3<double> stiffness = zero3<double>();    // K, N m/rad about x, y, z
    Vec3<double> damping = zero3<double>();      // C, N m s/rad
    Quat<double> rest = identity_quat<double>(); // of frame b in frame a where the spring is slack
};

/// One of the two limits of a coordinate.
struct Stop {
    int joint = 0, coordinate = 0;
    bool upper = false;

    friend bool operator==(const Stop&, const Stop&) = default;
};

struct Joint {
    std::string name;
    JointKind kind = JointKind::revolute;
    int a = world, b = world;
    Pose<double> frame_a = identity_pose<double>(); // in the frame of body a, or in the world
    Pose<double> frame_b = identity_pose<double>(); // in the frame of body b, or in the world
    double pitch = 0;                               // screw: metres per radian
    double length = 0;                              // distance
    double radius = 0;                              // rolling
    bool closes_loop = false;             // rows in either formulation, though its kind could carry
    std::vector<CoordinateLaw> laws = {}; // one per coordinate, or none at all
    std::optional<TurnLaw> turn = {};     // of a ball or a point
    /// Of frame a in the world, for a weld or a point: body b, or a point of it, moves as told,
    /// whatever it takes. Rows in either formulation.
    std::optional<FrameMotion> motion = {};
    /// Where the coordinates start, and how fast. Given for a joint of the tree, body b (or the one
    /// that follows) is put there; else the poses of the bodies say it.
    std::vector<double> start = {}, start_speed = {};
};

/// What places a joint in every evaluation, side by side: of a Joint the rest is read seldom.
struct JointMount {
    JointKind kind;
    int a, b, coordinates;
    bool asked;            // does what acts or binds go by its coordinates?
    Vec3<double> x_a, x_b; // origins of the frames
    Mat3<double> R_a, R_b; // frame to body
};
JointMount mount_of(const Joint& joint);

/// Two coordinates in a fixed ratio: a gear pair, or with a slide a rack and its pinion.
///
///     q₁ − q₁(0) = ratio (q₂ − q₂(0))
struct Gear {
    std::string name;
    int joint_1 = 0, coordinate_1 = 0;
    int joint_2 = 0, coordinate_2 = 0;
    double ratio = 1;
};

/// All coordinates of all joints stand in one list; this is where the list of each joint begins.
/// One entry more than joints: the last is the length of the list.
std::vector<int> coordinate_offsets(const std::vector<Joint>& joints);

/// Which joint carries each body, for those who walk from the ground up. Made with the model.
struct Tree {
    static constexpr int none = -1;
    std::vector<int> order;     // all bodies, each after the one that carries it
    std::vector<int> carrier;   // per body: its joint; none: it floats
    std::vector<int> parent;    // per body: the body it hangs on; world too if it floats
    std::vector<bool> reversed; // per body: it is body a of its carrier
    std::vector<int> rows;      // the joints that are rows in either formulation
};

Tree tree_of(int bodies, const std::vector<Joint>& joints);

/// The pose of frame b in frame a at coordinates q (a kind without coordinates: the identity).
Pose<double> joint_pose(const Joint& joint, const std::vector<double>& q);
/// The motion of frame b seen from frame a: of its origin, in axes of a.
Twist<double> joint_twist(const Joint& joint, const std::vector<double>& q,
                          const std::vector<double>& speed);

/// The other way: the coordinates nearest to a pose of frame b in frame a, angles in (−π, π], and
/// the speeds nearest to a motion.
inline std::array<double, 3> coordinates_of(JointKind kind, const Vec3<double>& x,
                                            const Mat3<double>& R)
{
    const auto about_z = [&] { return atan2(R.r1.x - R.r0.y, R.r0.x + R.r1.y); };
    switch (kind) {
    case JointKind::revolute:
    case JointKind::screw:
        return {about_z(), 0, 0};
    case JointKind::prismatic:
        return {x.z, 0, 0};
    case JointKind::cylindrical:
        return {about_z(), x.z, 0};
    case JointKind::universal:
        return {atan2(R.r1.x, R.r0.x), atan2(R.r2.y, R.r2.z), 0};
    case JointKind::planar:
        return {x.x, x.y, about_z()};
    case JointKind::strut:
        return {norm(x), 0, 0};
    case JointKind::swing: {
        const Vec3<double> z{R.r0.z, R.r1.z, R.r2.z}; // of b
        return {atan2(sqrt(z.x * z.x + z.y * z.y), z.z), about_z(), 0};
    }
    default:
        return {0, 0, 0};
    }
}
/// What coordinate k of a strut or a swing grows along, from the way d between the origins and axes
/// of the frames: the rate of a length is n · ḋ, that of an angle n · ω,
///
///     length   d/|d|       swing   (z_a × z_b)/sin θ       twist   (z_a + z_b)/(1 + cos θ)
///
/// Where z_a and z_b lie along each other any direction across them will do, and at length zero any
/// at all; where they point against each other there is no twist.
inline Vec3<double> measured_along(JointKind kind, int k, const Vec3<double>& d,
                                   const Vec3<double>& x_a, const Vec3<double>& z_a,
                                   const Vec3<double>& z_b)
{
    if (kind == JointKind::strut) {
        const double length = norm(d);
        return length > 0 ? d / length : z_a;
    }
    if (k == 1) {
        const double whole = 1 + dot(z_a, z_b);
        return whole > 0 ? (z_a + z_b) / whole : zero3<double>();
    }
    const Vec3<double> across = cross(z_a, z_b);
    const double sine = norm(across);
    return sine > 0 ? across / sine : x_a;
}
std::vector<double> coordinates_of(JointKind kind, const Pose<double>& relative);
std::vector<double> speeds_of(JointKind kind, const std::vector<double>& q, const Twist<double>& V);

} // namespace poinsot
