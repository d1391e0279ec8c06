// SPDX-License-Identifier: MIT
// Motions beside a motion: what a linearisation says of them against runs of them.
#include "joined.hpp"
#include "poinsot/dynamics/kinematics.hpp"
#include "poinsot/integrate/joint_system.hpp"
#include "poinsot/model/assemble.hpp"
#include "poinsot/step/linearise.hpp"
#include "poinsot/step/simulate.hpp"
#include "poinsot/step/smooth.hpp"

using namespace poinsot;

namespace {

constexpr double g = 9.81;

/// A floating body that carries another on a ball, both turning.
Builder floating_pair()
{
    Dice dice(3);
    Builder b;
    b.gravity.uniform = {0, 0, -g};
    b.add(some_body("free", dice));
    Joint ball;
    ball.name = "ball";
    ball.kind = JointKind::ball;
    ball.b = b.add(some_body("swinging", dice));
    ball.frame_a = {{0.2, 0.1, 0}, dice.rotation()};
    ball.frame_b.x = {0, 0.3, 0.2};
    ball.a = 0;
    put(b, ball, allowed(ball, dice));
    b.add(ball);
    return b;
}
/// Two uprights of one metre on the ground, one metre apart, and a bar across that joins them: the
/// crank turns with 1 rad/s.
Builder four_bar()
{
    Builder b;
    b.gravity.uniform = {0, -g, 0};
    const auto rod = [&](const char* name, const V3& center, double mass, const V3& v, double w) {
        Body body = body_with(name, mass, diagonal(mass / 12, mass / 12, mass / 12), v, {0, 0, w});
        body.pose.x = center;
        return b.add(body);
    };
    const int left = rod("left", {0, 0.5, 0}, 1, {-0.5, 0, 0}, 1),
              right = rod("right", {1, 0.5, 0}, 2, {-0.5, 0, 0}, 1),
              across = rod("across", {0.5, 1, 0}, 1.5, {-1, 0, 0}, 0);
    const auto hinge = [&](const char* name, int a, const V3& in_a, int c, const V3& in_c) {
        Joint joint;
        joint.name = name;
        joint.a = a;
        joint.b = c;
        joint.frame_a.x = in_a;
        joint.frame_b.x = in_c;
        b.add(joint);
    };
    hinge("left foot", world, {0, 0, 0}, left, {0, -0.5, 0});
    hinge("right foot", world, {1, 0, 0}, right, {0, -0.5, 0});
    hinge("left top", left, {0, 0.5, 0}, across, {-0.5, 0, 0});
    hinge("right top", right, {0, 0.5, 0}, across, {0.5, 0, 0});
    return b;
}
/// A disc that rolls, leans and falls over.
Builder rolling_disc()
{
    Builder b;
    b.gravity.uniform = {0, 0, -g};
    const double radius = 0.4;
    const Quat<double> lean = exp_quat(V3{1.1, 0, 0});
    const V3 axis = rotate(lean, {0, 0, 1}), down = rolling_arm(axis, radius);
    const V3 omega = 3.0 * axis + V3{0.4, 0.2, 0.3};
    Body disc = body_with("disc", 1.3, diagonal(0.05, 0.05, 0.1), -cross(omega, down), omega);
    disc.pose = {{0, 0, -down.z}, lean};
    Joint rolls;
    rolls.name = "rolls";
    rolls.kind = JointKind::rolling;
    rolls.b = b.add(disc);
    rolls.radius = radius;
    b.add(rolls);
    return b;
}

/// Motions of a model in joint coordinates, and how far neighbours are from one of them.
class Neighbours {
  public:
    explicit Neighbours(const Model& model)
        : model_(model), linkage_(linkage_of(model)), system_(model, none_), joints_(system_)
    {
    }
    /// The nearest to a place displaced by u and a motion faster by w that keeps all equations.
    JointMotion beside(const State& start, std::span<const double> u, std::span<const double> w)
    {
        JointMotion y = start.joints;
        displace<double>(linkage_, start.joints.q, u, y.q);
        for (std::size_t i = 0; i < w.size(); ++i)
            y.v[i] += w[i];
        Postings postings(Postings::Detail::off);
        system_.joint_coordinates = start.joint_coordinates;
        joints_.weigh(0);
        REQUIRE(joints_.project(y, 0, postings) == nullptr);
        return y;
    }
    JointMotion after(const State& start, const JointMotion& from, double t) const
    {
        Workspace work(model_, none_, Postings::Detail::off);
        StepSettings settings;
        settings.h = t;
        settings.method = Method::runge_kutta4;
        settings.formulation = Formulation::reduced;
        State state = start;
        state.joints = from;
        REQUIRE_FALSE(smooth_step(state, settings, work).failure);
        return state.joints;
    }
    /// x of the pair of neighbours, half of what is between them, at a motion: the small u, w that
    /// are independent. Places are one to one with u near the motion, so u follows from columns of
    /// differences; those of a place and of an attitude are square to each other.
    std::vector<double> x(const Linearisation& made, const JointMotion& motion,
                          const JointMotion& ahead, const JointMotion& behind) const
    {
        const std::size_t nv = motion.v.size(), nq = motion.q.size();
        std::vector<double> found, plus(nq), minus(nq), u(nv);
        for (const int place : made.places) {
            const auto i = static_cast<std::size_t>(place);
            const double d = 1e-6;
            u[i] = d;
            displace<double>(linkage_, motion.q, std::span<const double>(u), plus);
            u[i] = -d;
            displace<double>(linkage_, motion.q, std::span<const double>(u), minus);
            u[i] = 0;
            double along = 0, size = 0;
            for (std::size_t k = 0; k < nq; ++k) {
                const double column = (plus[k] - minus[k]) / (2 * d);
                along += column * (ahead.q[k] - behind.q[k]) / 2;
                size += column * column;
            }
            found.push_back(along / size);
        }
        for (const int speed : made.speeds)
            found.push_back((ahead.v[static_cast<std::size_t>(speed)] -
                             behind.v[static_cast<std::size_t>(speed)]) /
                            2);
        return found;
    }

  private:
    const Model& model_;
    const Linkage linkage_;
    const Input none_;
    System system_;
    JointSystem joints_;
};

} // namespace

TEST_CASE("Linearised: neighbours of a motion move apart as A says")
{
    // Of a four-bar, a floating body with another on a ball, a rolling disc. Runs from neighbours
    // on either side, less a run of the motion itself, at 0, t and 2t:
    //
    //     ẋ = (4 x(t) − x(2t) − 3 x(0))/2t + O(|A|³ t² x)
    //
    // On either side cancels what is of second order in the distance.
    const double t = 1e-4, small = 1e-4;
    struct Case {
        Builder model;
        std::size_t places, speeds;
    };
    for (const auto& [builder, places, speeds] :
         {Case{floating_pair(), 9, 9}, {four_bar(), 1, 1}, {rolling_disc(), 5, 3}}) {
        const auto model = built(builder);
        // Into the motion, so that nothing is as it was typed.
        RunSettings run;
        run.until = 0.1;
        run.step.method = Method::runge_kutta4;
        run.step.formulation = Formulation::reduced;
        run.step.h = 1e-3;
        auto sim = Simulation::start(model, run);
        REQUIRE(sim);
        while (!sim->done())
            REQUIRE_FALSE(sim->step());
        const State start = sim->state();
        const auto linearised = linearise(*model, start, 0);
        REQUIRE(linearised);
        const Linearisation& made = *linearised;
        CHECK(made.places.size() == places);
        CHECK(made.speeds.size() == speeds);
        const std::size_t n = made.order(), nv = start.joints.v.size();
        double largest = 0;
        for (const double a : made.A)
            largest = std::max(largest, std::abs(a));
        Neighbours near_by(*model);
        std::array<JointMotion, 3> motion;
        for (std::size_t k = 0; k < 3; ++k)
            motion[k] = k == 0 ? start.joints
                               : near_by.after(start, start.joints, static_cast<double>(k) * t);
        double off = 0;
        for (std::size_t c = 0; c < n; ++c) {
            std::array<std::vector<double>, 3> x;
            std::array<JointMotion, 2> from;
            for (std::size_t side = 0; side < 2; ++side) {
                std::vector<double> u(nv), w(nv);
                const auto freedom =
                    static_cast<std::size_t>(c < places ? made.places[c] : made.speeds[c - places]);
                (c < places ? u : w)[freedom] = side == 0 ? small : -small;
                from[side] = near_by.beside(start, u, w);
            }
            for (std::size_t k = 0; k < 3; ++k) {
                const auto reached = [&](std::size_t side) {
                    return k == 0 ? from[side]
                                  : near_by.after(start, from[side], static_cast<double>(k) * t);
                };
                x[k] = near_by.x(made, motion[k], reached(0), reached(1));
            }
            for (std::size_t r = 0; r < n; ++r) {
                double want = 0;
                for (std::size_t k = 0; k < n; ++k)
                    want += made.A[r * n + k] * x[0][k];
                const double rate = (4 * x[1][r] - x[2][r] - 3 * x[0][r]) / (2 * t);
                off = std::max(off, std::abs(rate - want) / (largest * small));
            }
        }
        CAPTURE(model->joints().front().name);
        CAPTURE(off);
        CAPTURE(largest);
        CHECK(off < 1e-6); // |A|² t², for |A| of 9 to 16
    }
}
