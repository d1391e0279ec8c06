// SPDX-License-Identifier: MIT
// Robots from their published URDF files: mass matrix, bias, gravity, inverse and forward dynamics
// and momentum against a computation by world-frame Jacobians, without any recursion.

#include "formulations.hpp"
#include "poinsot/dynamics/aba.hpp"
#include "poinsot/dynamics/crba.hpp"
#include "poinsot/dynamics/momentum.hpp"
#include "poinsot/io/urdf.hpp"

using namespace poinsot;

namespace {

using Numbers = std::vector<double>;

/// A robot at the state of the reference, and the way from its velocities to ours.
///
/// The reference moves a floating base by the velocity of the base link's origin and its angular
/// velocity, both in world axes, then the joints in breadth-first order. A link here moves by the
/// velocity of its own origin, in its axes: with d from there to the base link's origin
///
///     v = T u,  v̇ = T u̇ + Ṫ u:      v₁ = Rᵀ(u₁ − ω × d),  ω = Rᵀ u₂,  (Ṫ u)₁ = −Rᵀ(ω × u₁)
struct Robot {
    std::shared_ptr<const Model> model;
    Linkage linkage;
    std::vector<LinkInertia<double>> inertias;
    LinkageSpace<double> w;
    Coordinates at;
    std::vector<Numbers> T; // by columns
    Numbers bias;           // Ṫ u

    /// `base` is where the base link's origin is, on a body that floats.
    Robot(const nlohmann::json& item, const Builder& description, const UrdfFrame& base_link = {})
        : model(built(description)), linkage(linkage_of(*model)),
          inertias(link_inertias(linkage, *model)), w(linkage),
          at(start_coordinates(linkage, *model)), bias(nv(), 0.0)
    {
        const Numbers u = item.at("v");
        REQUIRE(u.size() == nv());
        T.assign(nv(), Numbers(nv(), 0.0));
        const auto& order = item.at("joint_order");
        const std::size_t base = item.value("floating", false) ? 6 : 0;
        for (const Link& link : linkage.links) {
            const auto first = static_cast<std::size_t>(link.v);
            if (link.joint != Tree::none) {
                const auto& name = model->joints()[static_cast<std::size_t>(link.joint)].name;
                const auto found = std::find(order.begin(), order.end(), name);
                REQUIRE(found != order.end());
                T[base + static_cast<std::size_t>(found - order.begin())][first] = 1;
                continue;
            }
            const LinkedBody& body = linkage.bodies[static_cast<std::size_t>(base_link.body)];
            const V3 d = body.x + body.R * base_link.pose.x; // in link axes
            const double* const q = at.q.data() + link.q;
            const Mat3<double> R = matrix_of(Quat<double>{q[3], q[4], q[5], q[6]});
            const auto put = [&](Numbers& to, std::size_t from, const V3& a) {
                to[from] = a.x, to[from + 1] = a.y, to[from + 2] = a.z;
            };
            for (std::size_t k = 0; k < 3; ++k) {
                const V3 e{k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0};
                const V3 own = transpose_times(R, e);
                put(T[k], first, own);
                put(T[3 + k], first, -cross(own, d));
                put(T[3 + k], first + 3, own);
            }
            put(bias, first,
                -transpose_times(R, cross(V3{u[3], u[4], u[5]}, V3{u[0], u[1], u[2]})));
        }
    }
    std::size_t nv() const { return static_cast<std::size_t>(linkage.nv); }

    Numbers ours(const Numbers& u) const
    {
        Numbers v(nv(), 0.0);
        for (std::size_t i = 0; i < nv(); ++i)
            for (std::size_t k = 0; k < nv(); ++k)
                v[k] += T[i][k] * u[i];
        return v;
    }
    Numbers ours_with_bias(const Numbers& u) const
    {
        Numbers v = ours(u);
        for (std::size_t k = 0; k < nv(); ++k)
            v[k] += bias[k];
        return v;
    }
    /// Forces along the reference's velocities: Tᵀ τ.
    Numbers theirs(const Numbers& tau) const
    {
        Numbers f(nv(), 0.0);
        for (std::size_t i = 0; i < nv(); ++i)
            for (std::size_t k = 0; k < nv(); ++k)
                f[i] += T[i][k] * tau[k];
        return f;
    }
};

double largest(const Numbers& a)
{
    double most = 0;
    for (const double x : a)
        most = std::max(most, std::abs(x));
    return most;
}
/// The largest difference against the largest number.
double apart(const Numbers& a, const Numbers& b)
{
    REQUIRE(a.size() == b.size());
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (const double d = std::abs(a[i] - b[i]); !(d <= most))
            most = d;
    return most / largest(b);
}

/// Every robot of the reference, its coordinates and base as the reference has them.
template <class Look>
bool each_robot(Look look)
{
    const auto items = reference_items("robots.json");
    for (const auto& entry : items.items()) {
        const std::string name = entry.key();
        const nlohmann::json& item = entry.value();
        const auto path =
            outside("urdf/" + (name == "ur5" ? std::string("ur5_robot") : name) + ".urdf");
        if (!path)
            return false;
        INFO(std::string(name));
        const bool floats = item.at("floating");
        UrdfOptions options(floats ? UrdfBase::floating : UrdfBase::fixed);
        options.ignore_mimic = true; // as the numbers of the file are
        auto robot = read_urdf(*path, options);
        if (!robot)
            FAIL(robot.problems().text());
        const auto& order = item.at("joint_order");
        for (std::size_t k = 0; k < order.size(); ++k)
            for (Joint& joint : robot->description.joints)
                if (joint.name == order[k].get<std::string>()) {
                    joint.start = {item.at("q")[k].get<double>()};
                    joint.start_speed = {item.at("v")[k + (floats ? 6 : 0)].get<double>()};
                    joint.laws.clear(); // damping, friction and limits are not in the reference
                }
        if (floats) {
            const auto& v = item.at("v");
            robot->put_base({vec(item.at("base_pos")), normalised(quat(item.at("base_quat_wxyz")))},
                            {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}});
        }
        robot->description.gravity.uniform = vec(item.at("gravity"));
        look(name, item, *robot);
    }
    return true;
}

UrdfFrame base_of(const UrdfRobot& robot)
{
    return *robot.links[static_cast<std::size_t>(robot.root)].frame;
}

/// M, bias, gravity and inverse dynamics, against the largest number of each.
void check_dynamics(const std::string& name, const nlohmann::json& item, Robot& robot,
                    double tolerance)
{
    const std::size_t nv = robot.nv();
    const V3 g = vec(item.at("gravity"));
    CHECK(apart(robot.at.v, robot.ours(item.at("v"))) < tolerance);

    Numbers M(nv * nv), tau(nv);
    place_links<double>(robot.linkage, robot.at.q, robot.w);
    joint_inertia<double>(robot.linkage, robot.inertias, M, robot.w);
    Numbers made, truth;
    for (std::size_t i = 0; i < nv; ++i) {
        Numbers column(nv, 0.0);
        for (std::size_t r = 0; r < nv; ++r)
            for (std::size_t k = 0; k < nv; ++k)
                column[r] += M[r * nv + k] * robot.T[i][k];
        const Numbers row = robot.theirs(column);
        made.insert(made.end(), row.begin(), row.end());
        for (std::size_t k = 0; k < nv; ++k)
            truth.push_back(item.at("M")[i][k]);
    }
    const double off_M = apart(made, truth);

    const auto inverse = [&](const Numbers& v_dot) {
        inverse_dynamics<double>(robot.linkage, robot.inertias, robot.at.q, robot.at.v, v_dot, {},
                                 g, tau, robot.w);
        return robot.theirs(tau);
    };
    const double off_bias = apart(inverse(robot.bias), item.at("nle")),
                 off_inverse = apart(inverse(robot.ours_with_bias(item.at("a"))),
                                     item.at("tau_inverse_dynamics"));
    gravity_forces<double>(robot.linkage, robot.inertias, robot.at.q, g, tau, robot.w);
    const double off_gravity = apart(robot.theirs(tau), item.at("gravity_term"));
    measured({{"table", "robots"},
              {"case", name},
              {"M", off_M},
              {"bias", off_bias},
              {"gravity", off_gravity},
              {"inverse", off_inverse}});
    CHECK(off_M < tolerance);
    CHECK(off_bias < tolerance);
    CHECK(off_inverse < tolerance);
    CHECK(off_gravity < tolerance);
}

/// Forward dynamics to accelerations that are known: by articulated bodies, and by rows between
/// free bodies, where the accelerations of every body are those that the joints' make.
void check_forward(const std::string& name, Robot& robot, const V3& g, const Numbers& tau,
                   const Numbers& truth, double tolerance)
{
    Numbers v_dot(robot.nv());
    forward_dynamics<double>(robot.linkage, robot.inertias, robot.at.q, robot.at.v, tau, {}, g,
                             v_dot, robot.w);
    const double reduced = apart(v_dot, truth);
    const Placed placed = place(*robot.model, start_of(*robot.model, FormKind::momentum));
    const Moment now(*robot.model, placed);
    place_links<double>(robot.linkage, robot.at.q, robot.w);
    place_links_in_world<double>(robot.linkage, robot.w);
    link_accelerations<double>(robot.linkage, robot.at.v, truth, robot.w);
    double worst = 0, size = 0;
    for (std::size_t i = 0; i < placed.bodies.size(); ++i) {
        const Twist<double> a =
            point_acceleration(robot.linkage.bodies[i].link, placed.bodies[i].x, robot.w);
        const Twist<double>& b = now.acceleration(i);
        worst = std::max({worst, norm(a.v - b.v), norm(a.omega - b.omega)});
        size = std::max({size, norm(a.v), norm(a.omega)});
    }
    measured({{"table", "robots"},
              {"case", name},
              {"forward, reduced", reduced},
              {"forward, maximal", worst / size}});
    CHECK(reduced < tolerance);
    CHECK(worst < tolerance * size);
}

/// KUKA's iiwa 14 with the dimensions and masses of the benchmark of MotionGenesis in Drake
/// [multibody/benchmarks/kuka_iiwa_robot]: every link turns about its own z.
Builder kuka(const nlohmann::json& item)
{
    struct Arm {
        V3 x, rpy; // of the joint in the link before
        double m;
        V3 center, I;
    };
    const double r = M_PI / 2, t = M_PI;
    const std::array<Arm, 7> arms{
        {{{0, 0, 0.1575}, {0, 0, 0}, 5.76, {0, -0.03, 0.12}, {0.033, 0.0333, 0.0123}},
         {{0, 0, 0.2025}, {r, 0, t}, 6.35, {0.0003, 0.059, 0.042}, {0.0305, 0.0304, 0.011}},
         {{0, 0.2045, 0}, {r, 0, t}, 3.5, {0, 0.03, 0.13}, {0.025, 0.0238, 0.0076}},
         {{0, 0, 0.2155}, {r, 0, 0}, 3.5, {0, 0.067, 0.034}, {0.017, 0.0164, 0.006}},
         {{0, 0.1845, 0}, {-r, t, 0}, 3.5, {0.0001, 0.021, 0.076}, {0.01, 0.0087, 0.00449}},
         {{0, 0, 0.2155}, {r, 0, 0}, 1.8, {0, 0.0006, 0.0004}, {0.0049, 0.0047, 0.0036}},
         {{0, 0.081, 0}, {-r, t, 0}, 1.2, {0, 0, 0.02}, {0.001, 0.001, 0.001}}}};
    Builder b;
    b.gravity.uniform = vec(item.at("gravity"));
    for (std::size_t i = 0; i < arms.size(); ++i) {
        const Arm& arm = arms[i];
        Body link =
            body_with(text_of("link ", i + 1).c_str(), arm.m, diagonal(arm.I.x, arm.I.y, arm.I.z),
                      zero3<double>(), zero3<double>());
        link.mass_properties.center = arm.center;
        const int body = b.add(link);
        Joint joint = hinge(text_of("joint ", i + 1), body - 1, arm.x, body, zero3<double>());
        joint.frame_a.q = exp_quat(V3{0, 0, arm.rpy.z}) * exp_quat(V3{0, arm.rpy.y, 0}) *
                          exp_quat(V3{arm.rpy.x, 0, 0});
        joint.start = {item.at("q_deg")[i].get<double>() * M_PI / 180};
        joint.start_speed = {item.at("v")[i].get<double>()};
        joint.laws.resize(1); // as motors, so that both formulations find the forces in the model
        joint.laws[0].motor = Motor{Motor::Kind::force, {item.at("tau_inverse_dynamics")[i]}};
        b.add(joint);
    }
    return b;
}

} // namespace

TEST_CASE("Robots: mass matrix, bias, gravity and inverse dynamics are those of world Jacobians")
{
    const bool here = each_robot(
        [](const std::string& name, const nlohmann::json& item, const UrdfRobot& described) {
            Robot robot(item, described.description, base_of(described));
            check_dynamics(name, item, robot, 1e-14); // 15 digits in the file; measured: 2e-15
        });
    if (!here)
        SKIP_TEST("the URDF files of published robots are not here");
}

TEST_CASE("Robots: forward dynamics, by articulated bodies and by rows between free bodies")
{
    const bool here =
        each_robot([](const std::string& name, const nlohmann::json& item, UrdfRobot& described) {
            // The joint forces as motors, so that both formulations find them in the model.
            const Numbers applied = item.at("tau_applied");
            const auto& order = item.at("joint_order");
            const std::size_t base = item.at("floating") ? 6 : 0;
            for (std::size_t k = 0; k < order.size(); ++k)
                for (Joint& joint : described.description.joints)
                    if (joint.name == order[k].get<std::string>()) {
                        joint.laws.resize(1);
                        joint.laws[0].motor = Motor{Motor::Kind::force, {applied[base + k]}};
                    }
            Robot robot(item, described.description, base_of(described));
            Numbers tau(robot.nv());
            // Tᵀ τ = applied, and the base has none: joint by joint.
            for (std::size_t i = base; i < robot.nv(); ++i)
                for (std::size_t k = 0; k < robot.nv(); ++k)
                    if (robot.T[i][k] != 0)
                        tau[k] = applied[i];
            // measured 3e-15
            check_forward(name, robot, vec(item.at("gravity")), tau,
                          robot.ours_with_bias(item.at("qdd_forward_dynamics")), 2e-14);
        });
    if (!here)
        SKIP_TEST("the URDF files of published robots are not here");
}

TEST_CASE("Robots: momentum and energy, of the bodies, of the coordinates, and by one matrix")
{
    const bool here =
        each_robot([](const std::string&, const nlohmann::json& item, const UrdfRobot& described) {
            Robot robot(item, described.description, base_of(described));
            constexpr double tolerance = 1e-13;
            const V3 p = vec(item.at("linear_momentum")), L = vec(item.at("ang_momentum_com"));
            const double size = norm(p) + norm(L);
            const auto same = [&](const char* what, const Momentum<double>& made) {
                INFO(what);
                CHECK(near(norm(made.p - p), 0, tolerance, size));
                CHECK(near(norm(made.L - L), 0, tolerance, size));
            };
            const Placed placed = place(*robot.model, start_of(*robot.model, FormKind::momentum));
            same("bodies", centroidal_momentum(placed.bodies));
            LinkageSpace<Dual<double>> along(robot.linkage);
            same("coordinates", momentum_in_coordinates(robot.linkage, masses_of(*robot.model),
                                                        robot.at.q, robot.at.v, along));
            place_links<double>(robot.linkage, robot.at.q, robot.w);
            place_links_in_world<double>(robot.linkage, robot.w);
            compose<double>(robot.linkage, robot.inertias, robot.w);
            Numbers A(6 * robot.nv()), h(6, 0.0);
            // of everything: a base that is fixed counts too
            const V3 center = system_center_of(placed.bodies).x;
            centroidal_matrix<double>(robot.linkage, center, A, robot.w);
            for (std::size_t r = 0; r < 6; ++r)
                for (std::size_t k = 0; k < robot.nv(); ++k)
                    h[r] += A[r * robot.nv() + k] * robot.at.v[k];
            same("matrix", {{h[0], h[1], h[2]}, {h[3], h[4], h[5]}});
            CHECK(near(kinetic_energy(placed.bodies), item.at("kinetic_energy"), tolerance, size));
            CHECK(near(potential_energy(placed.bodies, vec(item.at("gravity"))),
                       item.at("potential_energy"), tolerance, 100));
        });
    if (!here)
        SKIP_TEST("the URDF files of published robots are not here");
}

TEST_CASE("Robots: KUKA's arm stands, moves and resists as its published pose and numbers say")
{
    const auto file = outside("robot_kuka_motiongenesis.json");
    if (!file)
        SKIP_TEST("robot_kuka_motiongenesis.json is not here");
    nlohmann::json item = read_json(*file).at("items").at("kuka_iiwa");
    for (int i = 1; i <= 7; ++i)
        item["joint_order"].push_back(text_of("joint ", i));
    Robot robot(item, kuka(item));
    // 15 digits in the file, of which seven turns in a row leave 14.
    constexpr double tolerance = 1e-14;
    check_dynamics("kuka_iiwa", item, robot, tolerance);

    // The pose in both formulations, and against the published digits too.
    for (const Formulation f : both) {
        INFO(name_of(f));
        const Placed at = place(*robot.model, start_of(*robot.model, FormKind::momentum, f));
        const PlacedBody& tip = at.bodies.back();
        const V3 r = tip.R * V3{0, 0, 0.02}; // from the link's origin to its centre of mass
        for (const char* which : {"", "_published"}) {
            const std::string published(which);
            CHECK(norm(tip.x - r - vec(item.at("tip_pos" + published))) < tolerance);
            const auto& R = item.at("tip_R" + published);
            const Mat3<double> d = tip.R - Mat3<double>{vec(R[0]), vec(R[1]), vec(R[2])};
            CHECK(std::max({norm(d.r0), norm(d.r1), norm(d.r2)}) < tolerance);
        }
        CHECK(norm(tip.omega - vec(item.at("tip_ang_vel"))) < tolerance);
        CHECK(norm(tip.v - cross(tip.omega, r) - vec(item.at("tip_lin_vel"))) < tolerance);
    }

    // The forces that make the accelerations, forward again.
    // Forces of 30 N m with 15 digits move a hand of 1e-3 kg m²; measured: 1.6e-13 and 9e-14.
    check_forward("kuka_iiwa", robot, vec(item.at("gravity")), item.at("tau_inverse_dynamics"),
                  item.at("a"), 1e-12);
    const Twist<double> a = point_acceleration(static_cast<int>(robot.linkage.size()) - 1,
                                               vec(item.at("tip_pos")), robot.w);
    CHECK(norm(a.omega - vec(item.at("tip_ang_acc"))) < tolerance);
    CHECK(norm(a.v - vec(item.at("tip_lin_acc"))) < tolerance);
}
