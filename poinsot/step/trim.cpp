// SPDX-License-Identifier: MIT
#include "poinsot/step/trim.hpp"

#include "poinsot/forces/aero.hpp"
#include "poinsot/integrate/joint_system.hpp"
#include "poinsot/math/dense.hpp"
#include "poinsot/math/trig.hpp"
#include "poinsot/step/smooth.hpp"

#include <algorithm>
#include <cmath>

namespace poinsot {

namespace {

using TrimMatrix = Eigen::MatrixXd;
using TrimVector = Eigen::VectorXd;

constexpr Vec3<double> vertical{0, 0, 1};
constexpr std::size_t most_freedoms = 1200; // whose dense equations take seconds

/// The model in the air, asked for what it lacks of steady flight at one place after another.
class Aloft {
  public:
    Aloft(const Model& model, const TrimRequest& request, int body)
        : model_(model), world_(model, input_), system_(world_), body_(body)
    {
        const auto at = std::find_if(model.aerodynamics().begin(), model.aerodynamics().end(),
                                     [&](const Aerodynamics& a) { return a.body == body; });
        air_ = &*at;
        const State state = start_of(model, FormKind::momentum, Formulation::reduced);
        flowing_.shares = state.shares;
        open_valves(model.tanks(), model.flows(), state.tanks, 0, 0, flowing_);
        contents_ = state.tanks;
        world_.active_at = 0;
        world_.joint_coordinates = state.joint_coordinates;
        world_.start_tanks(contents_, flowing_.on, 0);
        world_.start_joints(state.released);
        rotors = state.rotors;
        system_.weigh(0);
        q = state.joints.q;
        v_.assign(state.joints.v.size(), 0.0);
        v_dot_.assign(v_.size(), 0.0);
        for (std::size_t i = 0; i < model.controls().size(); ++i) {
            controls.push_back(model.controls()[i].at(0));
            const bool kept = std::find(request.kept.begin(), request.kept.end(),
                                        static_cast<int>(i)) != request.kept.end();
            pinned.push_back(kept);
        }
        root_ = system_.linkage.bodies[static_cast<std::size_t>(body)].link;
        while (root_ != world &&
               system_.linkage.links[static_cast<std::size_t>(root_)].parent != world)
            root_ = system_.linkage.links[static_cast<std::size_t>(root_)].parent;
        system_.place(q, state.joints.v);
        const PlacedBody& start = world_.placed.bodies[static_cast<std::size_t>(body)];
        const Vec3<double> v = start.v - air_at_place(start.x);
        const Vec3<double> forward = start.R * rotate(air_->frame.q, Vec3<double>{1, 0, 0});
        speed = request.speed.value_or(norm(v));
        climb = request.climb_angle.value_or(0);
        climb_is_free = !request.climb_angle;
        turn_rate = request.turn_rate;
        Vec3<double> track = v - v.z * vertical;
        if (norm(track) < 1e-6 * (1 + norm(v)))
            track = forward - forward.z * vertical;
        track_ = norm(track) > 0 ? normalised(track) : Vec3<double>{1, 0, 0};
        level(request.altitude.value_or(start.x.z));
    }

    /// What a joint or the world binds beside the tree.
    void refuse(Problems& found) const
    {
        for (const Body& body : model_.bodies())
            if (body.held)
                found.add_at(body.name, "held", "a body that is held cannot fly; leave held out");
        const std::string& name = model_.bodies()[static_cast<std::size_t>(body_)].name;
        if (root_ == world)
            found.add("--body", "body '", name, "' is welded to the world and cannot fly");
        if (v_.size() > most_freedoms)
            found.add("trim", "the model has ", v_.size(), " freedoms, trim takes at most ",
                      most_freedoms, "; let fewer segments bend");
        refuse_rows(found);
        for (const Link& link : system_.linkage.links) {
            if (link.parent != world)
                continue;
            const bool floats = link.joint == Tree::none &&
                                (link.op == LinkOp::free || link.op == LinkOp::translate);
            if (!floats)
                found.add_at(link.joint == Tree::none
                                 ? "trim"
                                 : model_.joints()[static_cast<std::size_t>(link.joint)].name,
                             "bodies", "a joint with the world keeps it from flying; leave it out");
        }
    }

    /// Unknowns: three turns of the whole, the freedoms of all links but the first, the controls
    /// that are not pinned, and the climb where it is free.
    std::size_t unknowns() const
    {
        std::size_t n = 3 + v_.size() - 6 + (climb_is_free ? 1 : 0);
        for (const char kept : pinned)
            n += kept ? 0 : 1;
        return n;
    }
    std::size_t equations(bool straight) const { return v_.size() + (straight ? 1 : 0); }

    /// Moves by unknowns x: the attitude is turned about the axes of the coefficients.
    void move(const TrimVector& x)
    {
        std::vector<double> u(v_.size(), 0.0);
        Eigen::Index at = 3;
        const Link& first = root();
        for (std::size_t i = 0; i < u.size(); ++i)
            if (static_cast<int>(i) < first.v || static_cast<int>(i) >= first.v + 6)
                u[i] = x(at++);
        displace<double>(system_.linkage, q, std::span<const double>(u), q);
        system_.place(q, v_);
        turn(exp_quat(axes() * Vec3<double>{x(0), x(1), x(2)}));
        for (std::size_t i = 0; i < controls.size(); ++i)
            if (!pinned[i])
                controls[i] += x(at++);
        if (climb_is_free)
            climb += x(at++);
    }
    /// How large the numbers are that an unknown is added to.
    TrimVector sizes() const
    {
        TrimVector made = TrimVector::Ones(static_cast<Eigen::Index>(unknowns()));
        const Link& first = root();
        Eigen::Index at = 3;
        for (std::size_t l = 0; l < system_.linkage.size(); ++l) {
            const Link& link = system_.linkage.links[l];
            if (link.v == first.v)
                continue;
            for (int k = 0; k < freedoms_of(link.op); ++k, ++at)
                if (k < 3 && (link.op == LinkOp::free || link.op == LinkOp::translate))
                    made(at) = 1 + norm(vector_at(q.data() + link.q));
        }
        return made;
    }

    /// F of the header; the last equation is the sideslip, where it is asked for, times 10 m/s².
    TrimVector lacks(bool straight)
    {
        system_.place(q, v_);
        const std::vector<PlacedBody>& bodies = world_.placed.bodies;
        const Vec3<double> x_C = bodies[static_cast<std::size_t>(body_)].x;
        const Vec3<double> omega = turn_rate * vertical;
        const SinCos<double> up = sin_cos(climb);
        const Vec3<double> wind = air_at_place(x_C);
        const Vec3<double> v_C = wind + speed * (up.cos * track_ + up.sin * vertical);
        for (std::size_t l = 0; l < system_.linkage.size(); ++l) {
            const Link& link = system_.linkage.links[l];
            if (link.parent != world)
                continue;
            const LinkPlace<double>& at = system_.space.world_place[l];
            const Vec3<double> v = v_C + cross(omega, at.x - x_C);
            if (link.op == LinkOp::free) {
                put_at(v_.data() + link.v, transpose_times(at.R, v));
                put_at(v_.data() + link.v + 3, transpose_times(at.R, omega));
            } else
                put_at(v_.data() + link.v, v);
        }
        input_.controls.clear();
        for (std::size_t i = 0; i < controls.size(); ++i)
            input_.controls.push_back({static_cast<int>(i), controls[i]});
        if (!flowing_.shares.empty()) // flows follow the controls
            world_.start_tanks(contents_, flowing_.on, 0);
        std::vector<double> momenta = rotors;
        for (std::size_t r = 0; r < momenta.size(); ++r) {
            const Rotor& rotor = model_.rotors()[r];
            const PlacedBody& body = bodies[static_cast<std::size_t>(rotor.body)];
            if (!rotor.prescribed())
                momenta[r] = rotor.inertia * (rotor.spin + dot(body.R * rotor.axis, omega));
        }
        world_.start_rotors(momenta, 0);
        system_.evaluate(q, v_, 0, v_dot_, false);
        for (std::size_t l = 0; l < system_.linkage.size(); ++l) {
            const Link& link = system_.linkage.links[l];
            if (link.parent != world)
                continue;
            double* const a = v_dot_.data() + link.v;
            if (link.op == LinkOp::free) { // whose axes turn: of v̇ they leave ω × v
                const Mat3<double>& R = system_.space.world_place[l].R;
                put_at(a, vector_at(a) + transpose_times(R, cross(omega, wind)));
            } else
                put_at(a, vector_at(a) - cross(omega, vector_at(v_.data() + link.v) - wind));
        }
        TrimVector F(static_cast<Eigen::Index>(equations(straight)));
        for (std::size_t i = 0; i < v_dot_.size(); ++i)
            F(static_cast<Eigen::Index>(i)) = v_dot_[i];
        if (straight)
            F(F.size() - 1) = 10 * flow().beta;
        return F;
    }

    /// What the air meets, and all else that is told of a trim; `lacks` was asked last.
    void tell(Trim& out) const
    {
        const Mat3<double> A = axes();
        out.alpha = flow().alpha;
        out.beta = flow().beta;
        out.pitch = poinsot::atan2(A.r2.x, std::hypot(A.r0.x, A.r1.x));
        out.bank = poinsot::atan2(-A.r2.y, -A.r2.z);
        out.speed = speed;
        out.climb_angle = climb;
        out.turn_rate = turn_rate;
        out.body = body_;
        out.altitude = world_.placed.bodies[static_cast<std::size_t>(body_)].x.z;
        out.controls = controls;
        out.bodies = world_.placed.bodies;
        out.coordinates.assign(static_cast<std::size_t>(model_.coordinates()), 0.0);
        system_.named_coordinates(q, out.coordinates);
        Vec3<double> F = zero3<double>();
        for (const LoadPart& part : world_.loads.parts)
            if (part.cause == Cause::applied || part.cause == Cause::thrust)
                F += part.wrench.F;
        out.thrust = dot(F, A * Vec3<double>{1, 0, 0});
    }
    std::string name_of_equation(std::size_t i) const
    {
        constexpr std::array parts{"x", "y", "z", "turn about x", "turn about y", "turn about z"};
        for (std::size_t l = 0; l < system_.linkage.size(); ++l) {
            const Link& link = system_.linkage.links[l];
            const int k = static_cast<int>(i) - link.v;
            if (k < 0 || k >= freedoms_of(link.op))
                continue;
            if (link.joint != Tree::none)
                return text_of("joint '",
                               model_.joints()[static_cast<std::size_t>(link.joint)].name, "'");
            for (std::size_t b = 0; b < system_.linkage.bodies.size(); ++b)
                if (system_.linkage.bodies[b].link == static_cast<int>(l))
                    return text_of("body '", model_.bodies()[b].name, "', ",
                                   parts[static_cast<std::size_t>(k)]);
        }
        return "the sideslip";
    }

    /// All that moves while a trim is looked for.
    struct Spot {
        std::vector<double> q, controls;
        double climb;
    };
    Spot spot() const { return {q, controls, climb}; }
    void put(const Spot& at)
    {
        q = at.q;
        controls = at.controls;
        climb = at.climb;
        system_.place(q, v_);
    }

    std::vector<double> q, controls, rotors;
    std::vector<char> pinned; // per control
    double speed = 0, climb = 0, turn_rate = 0;
    bool climb_is_free = false;

    /// Where a load of the air is no number: which, and why.
    std::string why_no_forces() const
    {
        for (const Aerodynamics& a : model_.aerodynamics())
            if (const std::string why =
                    why_no_load(a, model_.planet(), model_.air(),
                                world_.placed.bodies[static_cast<std::size_t>(a.body)], 0,
                                {&model_.controls(), &input_, 0});
                !why.empty())
                return text_of("the air has no forces on body '",
                               model_.bodies()[static_cast<std::size_t>(a.body)].name, "': ", why);
        return "the forces are not numbers there";
    }

  private:
    void refuse_rows(Problems& found) const
    {
        const auto wrong = [&](const char* kind, const std::string& name, const char* why) {
            found.add("trim", kind, " '", name, "' ", why);
        };
        for (const int j : model_.tree().rows)
            if (const Joint& joint = model_.joints()[static_cast<std::size_t>(j)];
                facts_of(joint.kind).rows > 0)
                wrong("joint", joint.name,
                      joint.motion ? "moves as told, which is not trimmed; leave its motion out"
                                   : "closes a loop, which is not trimmed; leave it out");
        for (const Joint& joint : model_.joints())
            if (std::any_of(joint.laws.begin(), joint.laws.end(),
                            [](const CoordinateLaw& law) { return law.prescribed.has_value(); }))
                wrong("joint", joint.name,
                      "follows a prescribed motion, which is not trimmed; make it a weld");
        for (const Gear& gear : model_.gears())
            wrong("gear", gear.name, "is not trimmed; leave it out");
    }
    const Link& root() const { return system_.linkage.links[static_cast<std::size_t>(root_)]; }
    Vec3<double> air_at_place(const Vec3<double>& x) const
    {
        return air_velocity(model_.planet(), model_.air(), x, horizon(model_.planet(), x), 0);
    }
    Airflow<double> flow() const
    {
        return airflow_at(*air_, model_.planet(), model_.air(),
                          world_.placed.bodies[static_cast<std::size_t>(body_)], 0);
    }
    /// Forward, right and down of the coefficients as columns.
    Mat3<double> axes() const
    {
        return world_.placed.bodies[static_cast<std::size_t>(body_)].R * matrix_of(air_->frame.q);
    }
    /// Turns everything about the body's centre of mass, and lifts it.
    void turn(const Quat<double>& by, const Vec3<double>& lift = zero3<double>())
    {
        const Vec3<double> x_C = world_.placed.bodies[static_cast<std::size_t>(body_)].x;
        for (const Link& link : system_.linkage.links) {
            if (link.parent != world)
                continue;
            double* const at = q.data() + link.q;
            put_at(at, x_C + rotate(by, vector_at(at) - x_C) + lift);
            if (link.op == LinkOp::free) {
                const Quat<double> made = normalised(by * Quat<double>{at[3], at[4], at[5], at[6]});
                at[3] = made.w, at[4] = made.x, at[5] = made.y, at[6] = made.z;
            }
        }
        system_.place(q, v_);
    }
    /// A place to begin at: the path's attitude, banked as a turn is, the nose up by a few degrees.
    void level(double altitude)
    {
        const double g = norm(model_.gravity().uniform);
        const double bank = g > 0 ? poinsot::atan2(-turn_rate * speed, g) : 0;
        const Vec3<double> right = cross(track_, vertical), down = -vertical;
        const Mat3<double> path{
            {track_.x, right.x, down.x}, {track_.y, right.y, down.y}, {track_.z, right.z, down.z}};
        const Mat3<double> wanted = path * matrix_of(exp_quat(Vec3<double>{bank, 0, 0})) *
                                    matrix_of(exp_quat(Vec3<double>{0, climb + 0.05, 0}));
        const Vec3<double> x = world_.placed.bodies[static_cast<std::size_t>(body_)].x;
        turn(quat_of(wanted * transpose(axes())), (altitude - x.z) * vertical);
    }

    const Model& model_;
    Input input_;
    System world_;
    JointSystem system_;
    int body_;
    const Aerodynamics* air_ = nullptr;
    int root_ = world;
    Vec3<double> track_{1, 0, 0}; // along the ground
    std::vector<double> v_, v_dot_, contents_;
    Flowing flowing_; // at the start
};

double largest_of_trim(const TrimVector& F)
{
    double made = 0;
    for (Eigen::Index i = 0; i < F.size(); ++i)
        made = std::isfinite(F(i)) ? std::max(made, std::abs(F(i))) : INFINITY;
    return made;
}
/// Σ x², or infinity where one is not a number.
double size_of_trim(const TrimVector& F)
{
    double sum = 0;
    for (Eigen::Index i = 0; i < F.size(); ++i)
        sum += F(i) * F(i);
    return std::isfinite(sum) ? sum : INFINITY;
}

struct Newton {
    bool converged = false;
    double residual = INFINITY, tolerance = 0;
    std::size_t worst = 0;
    int iterations = 0;
};

/// ∂F/∂x at the place of `at`.
TrimMatrix slopes_of(Aloft& at, bool straight, const TrimVector& sizes)
{
    const Aloft::Spot here = at.spot();
    const auto n = static_cast<Eigen::Index>(at.unknowns());
    TrimMatrix J(static_cast<Eigen::Index>(at.equations(straight)), n);
    for (Eigen::Index c = 0; c < n; ++c) {
        constexpr double h = 1e-6; // the third root of ε, in m and rad
        TrimVector x = TrimVector::Zero(n);
        const double reach = h * std::sqrt(sizes(c)); // far places have larger last digits
        x(c) = reach;
        const auto asked = [&](double sign) {
            at.put(here);
            at.move(sign * x);
            return at.lacks(straight);
        };
        const TrimVector up = asked(1), down = asked(-1);
        for (Eigen::Index r = 0; r < J.rows(); ++r)
            J(r, c) = (up(r) - down(r)) / (2 * reach);
    }
    at.put(here);
    return J;
}

/// A step counts as nearer where what Newton would still correct has become less, not what is left
/// of forces: those of stiff parts grow at first when a wing bends far.
Newton newton(Aloft& at, bool straight, double g)
{
    Newton made;
    TrimVector F = at.lacks(straight);
    for (; made.iterations < 60; ++made.iterations) {
        const TrimVector sizes = at.sizes();
        TrimMatrix J = slopes_of(at, straight, sizes);
        made.residual = largest_of_trim(F);
        made.tolerance = 1e-9 * g;
        double rounding = 0;
        for (Eigen::Index r = 0; r < J.rows(); ++r) {
            double sum = 0;
            for (Eigen::Index c = 0; c < J.cols(); ++c)
                sum += std::abs(J(r, c)) * sizes(c);
            rounding = std::max(rounding, sum);
            if (std::abs(F(r)) == made.residual)
                made.worst = static_cast<std::size_t>(r);
        }
        made.tolerance += 32 * 2.220446049250313e-16 * rounding;
        if (!std::isfinite(made.residual) || !J.allFinite())
            return made;
        TrimVector scale(J.cols());
        for (Eigen::Index c = 0; c < J.cols(); ++c) {
            double sum = 0;
            for (Eigen::Index r = 0; r < J.rows(); ++r)
                sum += J(r, c) * J(r, c);
            scale(c) = sum > 0 ? 1 / std::sqrt(sum) : 1;
            for (Eigen::Index r = 0; r < J.rows(); ++r)
                J(r, c) *= scale(c);
        }
        CompleteOrthogonal solver;
        solver.factorise(J, 1e-11);
        const auto correction = [&](const TrimVector& lack) {
            TrimVector x = solver.solve(-lack);
            for (Eigen::Index c = 0; c < x.size(); ++c)
                x(c) *= scale(c);
            return x;
        };
        const TrimVector x = correction(F);
        double turns = 0;
        for (Eigen::Index c = 0; c < 3; ++c)
            turns = std::max(turns, std::abs(x(c)));
        double part = turns > 0.3 ? 0.3 / turns : 1;
        const Aloft::Spot here = at.spot();
        const double before = size_of_trim(x);
        double after = INFINITY;
        bool nearer = false;
        TrimVector ahead;
        for (int halved = 0; halved < 12 && !nearer; ++halved, part /= 2) {
            at.put(here);
            at.move(part * x);
            ahead = at.lacks(straight);
            after = ahead.allFinite() ? size_of_trim(correction(ahead)) : INFINITY;
            nearer = after < (1 - 0.25 * part) * before;
        }
        if (!nearer) { // as good as it gets
            at.put(here);
            F = at.lacks(straight);
            break;
        }
        F = ahead;
        if (largest_of_trim(F) <= made.tolerance && after > 1e-4 * before)
            break; // what is left is rounding
    }
    made.residual = largest_of_trim(F);
    made.converged = made.residual <= made.tolerance;
    return made;
}

/// Finds a trim with the controls that are not pinned; without sideslip if that can be.
Newton settle(Aloft& at, double g)
{
    const Aloft::Spot here = at.spot();
    Newton made;
    for (const bool straight : {true, false}) {
        at.put(here);
        const int before = made.iterations;
        made = newton(at, straight, g);
        made.iterations += before;
        if (made.converged)
            break;
    }
    return made;
}

int heaviest_in_air(const Model& model)
{
    int found = -1;
    for (const Aerodynamics& a : model.aerodynamics())
        if (found < 0 || model.masses()[static_cast<std::size_t>(a.body)].m >
                             model.masses()[static_cast<std::size_t>(found)].m)
            found = a.body;
    return found;
}

} // namespace

Result<Trim> trim(const Model& described, const TrimRequest& request)
{
    const Model model = described.held_together(); // in steady flight nothing lets go
    Problems found;
    const Vec3<double> g = model.gravity().uniform;
    if (!model.planet().flat)
        found.add("trim", "steady flight is over a flat planet; leave planet out");
    if (!(g.z < 0) || g.x != 0 || g.y != 0)
        found.add("trim", "needs gravity along -z, such as gravity: [0, 0, -9.81]");
    if (!model.air().gusts.empty())
        found.add("trim", "no flight through gusts is steady; leave gusts out");
    if (!model.air().profile.altitude.empty() &&
        (!request.climb_angle || *request.climb_angle != 0 || request.turn_rate != 0))
        found.add("trim", "in wind that changes with altitude only level flight straight ahead is "
                          "steady; give wind in place of a profile to climb, glide or turn");
    const int body = request.body >= 0 ? request.body : heaviest_in_air(model);
    if (body < 0)
        found.add("trim", "the air acts on nothing; add aerodynamics");
    else if (std::none_of(model.aerodynamics().begin(), model.aerodynamics().end(),
                          [&](const Aerodynamics& a) { return a.body == body; }))
        found.add("--body", "the air does not act on body '",
                  model.bodies()[static_cast<std::size_t>(body)].name,
                  "', so it has no axes of flight; name one that has aerodynamics");
    else if (model.bodies()[static_cast<std::size_t>(body)].particle)
        found.add("--body", "a particle has no attitude; name a body");
    if (found.any())
        return found;
    Aloft at(model, request, body);
    at.refuse(found);
    if (!(at.speed > 0) || !std::isfinite(at.speed))
        found.add("--speed", "must be positive and finite, is ", at.speed, "; give it in m/s");
    if (!(std::abs(at.climb) < 1.5))
        found.add("--climb-angle", "must be between -1.5 and 1.5 rad, is ", at.climb);
    if (!std::isfinite(at.turn_rate))
        found.add("--turn-rate", "must be finite, is ", at.turn_rate);
    if (request.altitude && !std::isfinite(*request.altitude))
        found.add("--altitude", "must be finite, is ", *request.altitude);
    if (found.any())
        return found;

    Trim made;
    made.saturated.assign(model.controls().size(), 0);
    std::string beyond;
    Newton last;
    for (bool again = true; again;) {
        again = false;
        const int before = last.iterations;
        last = settle(at, norm(g));
        last.iterations += before;
        if (!last.converged)
            break;
        for (std::size_t i = 0; i < at.controls.size(); ++i) {
            const Control& c = model.controls()[i];
            if (at.pinned[i] || c.within_limits(at.controls[i]))
                continue;
            beyond += text_of(beyond.empty() ? "" : "; ", "control '", c.name,
                              "' saturates: ", at.controls[i], " is needed, its limits are ",
                              c.lower, " to ", c.upper);
            at.controls[i] = std::clamp(at.controls[i], c.lower, c.upper);
            at.pinned[i] = made.saturated[i] = 1;
            again = true;
        }
    }
    at.lacks(false);
    at.tell(made);
    made.found = last.converged;
    made.residual = last.residual;
    made.tolerance = last.tolerance;
    made.iterations = last.iterations;
    made.residual_of = at.name_of_equation(last.worst);
    if (!made.found) {
        made.why = beyond;
        if (!made.why.empty())
            made.why += "; held at its limit, ";
        made.why += std::isfinite(last.residual)
                        ? text_of("no attitude and no controls make the flight steady: what is "
                                  "left is ",
                                  last.residual, " m/s² or rad/s² of ", made.residual_of)
                        : at.why_no_forces();
        if (model.controls().empty())
            made.why += "; the scene has no controls";
    }
    return made;
}

} // namespace poinsot
