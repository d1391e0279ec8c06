// SPDX-License-Identifier: MIT
#include "poinsot/step/linearise.hpp"

#include "poinsot/dynamics/derivatives.hpp"
#include "poinsot/integrate/joint_system.hpp"
#include "poinsot/math/dense.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace poinsot {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The largest component. (By hand, as all here that is easy to say: an expression of Eigen's takes
/// a compiler a quarter of a second.)
double largest_of(const Vector& x)
{
    double made = 0;
    for (Index i = 0; i < x.size(); ++i)
        made = std::max(made, std::abs(x(i)));
    return made;
}

constexpr int points = 8, fewer_points = 6; // on each side

/// c_k of the header, k from 1.
std::array<double, points + 1> stencil(int m)
{
    std::array<double, points + 1> c{};
    double ratio = 1; // m!²/((m − k)! (m + k)!)
    for (int k = 1; k <= m; ++k) {
        ratio *= static_cast<double>(m - k + 1) / (m + k);
        c[static_cast<std::size_t>(k)] = (k % 2 == 1 ? ratio : -ratio) / k;
    }
    return c;
}

struct Derivative {
    Vector value;
    double error = INFINITY;
};

/// d/ds at 0 of f, which tells by a list without numbers that it cannot go there.
template <class Path>
Derivative derivative(const Path& f)
{
    static const auto full = stencil(points), less = stencil(fewer_points);
    Derivative best;
    int worse = 0;
    for (double reach = 1; reach > 1e-7 && worse < 3; reach /= 4) {
        const double h = reach / points;
        Vector value, check;
        bool reached = true;
        for (int k = points; k > 0 && reached; --k) {
            const Vector ahead = f(k * h), behind = f(-k * h);
            reached = ahead.size() > 0 && behind.size() > 0;
            if (!reached)
                break;
            if (value.size() == 0)
                value = check = Vector::Zero(ahead.size());
            for (Index i = 0; i < value.size(); ++i) {
                const double difference = ahead(i) - behind(i);
                value(i) += full[static_cast<std::size_t>(k)] / h * difference;
                check(i) += less[static_cast<std::size_t>(k)] / h * difference;
            }
        }
        if (!reached)
            continue;
        double error = 0;
        for (Index i = 0; i < value.size(); ++i)
            error = std::max(error, std::abs(value(i) - check(i)));
        if (error < best.error) {
            best = {value, error};
            worse = 0;
        } else {
            ++worse;
        }
    }
    return best;
}

/// Takes columns out of G, the one of the most effect first, until nothing of G is left; those
/// `before` go first. The rank is how many there are.
std::vector<int> dependent_columns(Matrix G, std::vector<int> before)
{
    // Each row against its own size: a metre, a radian and a gear's ratio are not compared.
    for (Index r = 0; r < G.rows(); ++r)
        if (const double size = norm_of(G, r, 0, 1, G.cols()); size > 0)
            for (Index c = 0; c < G.cols(); ++c)
                G(r, c) /= size;
    constexpr double rank_tolerance = 1e-6; // of a column; the multipliers' is its square
    const auto size_of = [&](Index column) { return norm_of(G, 0, column, G.rows(), 1); };
    std::vector<int> taken;
    const auto take = [&](Index column) {
        Vector direction = G.col(column);
        if (const double size = size_of(column); size > 0)
            direction /= size;
        for (int twice = 0; twice < 2; ++twice)
            for (Index c = 0; c < G.cols(); ++c) {
                double along = 0;
                for (Index r = 0; r < G.rows(); ++r)
                    along += direction(r) * G(r, c);
                for (Index r = 0; r < G.rows(); ++r)
                    G(r, c) -= along * direction(r);
            }
        for (Index r = 0; r < G.rows(); ++r)
            G(r, column) = 0;
        taken.push_back(static_cast<int>(column));
    };
    for (const int column : before)
        take(column);
    while (G.size() > 0) {
        Index column = 0;
        for (Index c = 1; c < G.cols(); ++c)
            if (size_of(c) > size_of(column))
                column = c;
        if (!(size_of(column) > rank_tolerance))
            break;
        take(column);
    }
    return taken;
}
std::vector<int> left_of(int n, const std::vector<int>& taken)
{
    std::vector<int> left;
    for (int i = 0; i < n; ++i)
        if (std::find(taken.begin(), taken.end(), i) == taken.end())
            left.push_back(i);
    return left;
}
Matrix columns_of(const Matrix& G, const std::vector<int>& which)
{
    Matrix out(G.rows(), static_cast<Index>(which.size()));
    for (std::size_t i = 0; i < which.size(); ++i)
        out.col(static_cast<Index>(i)) = G.col(which[i]);
    return out;
}
/// The least-squares answer of equations that may repeat each other.
Vector answer_of(const Matrix& G, const Vector& b)
{
    return PivotedQr(G).solve(b);
}

/// A linkage and the equations between its coordinates, asked at one place after another.
class Surroundings {
  public:
    Surroundings(const Model& model, const Input& input, const State& state, double t)
        : world(model, input), system(world), n(system.linkage.nv), t_(t)
    {
        world.active_at = t;
        world.joint_coordinates = state.joint_coordinates;
        world.start_rotors(state.rotors, t);
        world.start_tanks(state.tanks, state.flowing, t);
        world.start_joints(state.released);
        system.weigh(t);
    }

    /// What binds at (q, v). Rows of velocities are all; those of places come first among them.
    void bind(std::span<const double> q, std::span<const double> v)
    {
        system.place(q, v);
        bind_loops(world.model, world.placed, t_, rows_);
        joint_jacobian(system.linkage, rows_, world.placed.bodies, jacobian_, system.space);
        Index places = 0, all = 0;
        for (const bool place : {true, false}) {
            for (const Block& block : rows_.blocks)
                for (int k = 0; k < block.rows; ++k)
                    if (block.origin != Block::Origin::armature &&
                        binds_place(world.model, block, k) == place)
                        copy(rows_.row(block, k), block.first_row + k, all++);
            if (place)
                places = all;
        }
        J.conservativeResize(all, n);
        g_dot.conservativeResize(all);
        G = J.topRows(places);
        g.conservativeResize(places);
    }

    /// The accelerations at (q, v); empty if there are none.
    Vector accelerations(std::span<const double> q, std::span<const double> v)
    {
        std::vector<double> v_dot(static_cast<std::size_t>(n));
        system.evaluate(q, v, t_, v_dot, false);
        const Vector made = Eigen::Map<const Vector>(v_dot.data(), n);
        return made.allFinite() ? made : Vector();
    }

    System world;
    JointSystem system;
    const Index n;
    Matrix G, J;     // of the equations of places; of velocities
    Vector g, g_dot; // how far they are off

  private:
    void copy(const Row& row, int from, Index to)
    {
        if (J.rows() <= to || J.cols() != n)
            J.conservativeResize(std::max<Index>(to + 1, rows_.count()), n);
        if (g.size() <= to)
            g.conservativeResize(std::max<Index>(to + 1, rows_.count()));
        if (g_dot.size() <= to)
            g_dot.conservativeResize(std::max<Index>(to + 1, rows_.count()));
        J.row(to) = Eigen::Map<const Eigen::RowVectorXd>(
            jacobian_.data() + static_cast<std::ptrdiff_t>(from) * n, n);
        g(to) = row.g;
        g_dot(to) = row.g_dot;
    }
    double t_;
    Rows rows_;
    std::vector<double> jacobian_;
};

/// One linearisation in the making: what the motions do that run beside one motion.
class Neighbourhood {
  public:
    Neighbourhood(Surroundings& at, const JointMotion& motion) : at_(at), q_(motion.q), v_(motion.v)
    {
        at.bind(q_, v_);
        const int n = static_cast<int>(at.n);
        tied_places = dependent_columns(at.G, {});
        tied_speeds = dependent_columns(at.J, tied_places);
        places = left_of(n, tied_places);
        speeds = left_of(n, tied_speeds);
        along_place_ = tangents(at.G, tied_places, places);
        along_speed_ = tangents(at.J, tied_speeds, speeds);
    }

    /// How u, w and v̇ change with independent place or speed number i.
    struct Change {
        Vector u, w, v_dot;
        double error;
    };
    Change by_place(std::size_t i)
    {
        const Vector u = along_place_.col(static_cast<Index>(i));
        const Derivative d = derivative([&](double s) { return motion_at(u, s); });
        if (d.value.size() == 0)
            return {u, {}, {}, INFINITY};
        return {u, d.value.head(at_.n), d.value.tail(at_.n), d.error};
    }
    Change by_speed(std::size_t i)
    {
        const Vector w = along_speed_.col(static_cast<Index>(i));
        const Derivative d = derivative([&](double s) {
            std::vector<double> v = v_;
            for (std::size_t k = 0; k < v.size(); ++k)
                v[k] += s * w(static_cast<Index>(k));
            return at_.accelerations(q_, v);
        });
        return {Vector::Zero(at_.n), w, d.value, d.error};
    }
    /// The same for trees under gravity alone.
    Change by_place(std::size_t i, const ForwardDerivatives<double>& exact) const
    {
        const Vector u = along_place_.col(static_cast<Index>(i));
        return {u, Vector::Zero(at_.n), column(exact.by_q, places[i]), 0};
    }
    Change by_speed(std::size_t i, const ForwardDerivatives<double>& exact) const
    {
        const Vector w = along_speed_.col(static_cast<Index>(i));
        return {Vector::Zero(at_.n), w, column(exact.by_v, speeds[i]), 0};
    }

    /// Axes that turn against a floating body, so that its velocities are constant in them.
    void choose_axes(const Vector& v_dot)
    {
        for (const Link& link : at_.system.linkage.links) {
            if (link.op != LinkOp::free)
                continue;
            Matrix cross(6, 3);
            for (int k = 0; k < 3; ++k) {
                const Vec3<double> e{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
                put_at(cross.col(k).data(), poinsot::cross(e, own(link.v)));
                put_at(cross.col(k).data() + 3, poinsot::cross(e, own(link.v + 3)));
            }
            const Vector turns = v_dot.segment(link.v, 6);
            const PivotedQr qr(cross);
            if (qr.rank(1e-6) < 3 || norm_of(turns) == 0)
                continue;
            const Vector nu = qr.solve(turns);
            Vector left = turns;
            for (Index r = 0; r < 6; ++r)
                for (Index c = 0; c < 3; ++c)
                    left(r) -= cross(r, c) * nu(c);
            if (norm_of(left) < 1e-9 * norm_of(turns))
                axes_.push_back({link.v, vector_at(nu.data())});
        }
    }
    /// The rate of vectors of a linkage's freedoms, seen from those axes.
    Vector in_axes(Vector rate, const Vector& of) const
    {
        for (const auto& [first, nu] : axes_)
            for (const int i : {first, first + 3})
                put_at(rate.data() + i,
                       vector_at(rate.data() + i) - cross(nu, vector_at(of.data() + i)));
        return rate;
    }

    /// u̇ of the motion that runs beside at (u, w), in the body's own axes.
    Vector rate_of_place(const Vector& u, const Vector& w) const
    {
        Vector rate = w;
        for (const Link& link : at_.system.linkage.links) {
            const auto turning = [&](int i) {
                put_at(rate.data() + i,
                       vector_at(w.data() + i) - cross(own(i), vector_at(u.data() + i)));
            };
            if (link.op == LinkOp::ball)
                turning(link.v);
            if (link.op == LinkOp::free) {
                const int x = link.v, turn = link.v + 3;
                put_at(rate.data() + x, vector_at(w.data() + x) +
                                            cross(vector_at(u.data() + turn), own(x)) -
                                            cross(own(turn), vector_at(u.data() + x)));
                turning(turn);
            }
        }
        return rate;
    }

    std::vector<int> places, speeds, tied_places, tied_speeds;

  private:
    /// What moves when one independent coordinate does: a column for each.
    static Matrix tangents(const Matrix& G, const std::vector<int>& tied,
                           const std::vector<int>& free)
    {
        Matrix along = Matrix::Zero(G.cols(), static_cast<Index>(free.size()));
        const Matrix tied_columns = columns_of(G, tied);
        for (std::size_t i = 0; i < free.size(); ++i) {
            along(free[i], static_cast<Index>(i)) = 1;
            if (tied.empty())
                continue;
            const Vector follow = answer_of(tied_columns, -G.col(free[i]));
            for (std::size_t k = 0; k < tied.size(); ++k)
                along(tied[k], static_cast<Index>(i)) = follow(static_cast<Index>(k));
        }
        return along;
    }
    Vec3<double> own(int i) const { return vector_at(v_.data() + i); }
    Vector column(const std::vector<double>& rows, int i) const
    {
        return Eigen::Map<const RowMajor>(rows.data(), at_.n, at_.n).col(i);
    }

    /// Velocities and accelerations s along a direction of places, where the equations hold: the
    /// tied coordinates are those that give way, in place and in speed.
    Vector motion_at(const Vector& direction, double s)
    {
        std::vector<double> q(q_.size()), v = v_, u(v_.size());
        for (std::size_t k = 0; k < u.size(); ++k)
            u[k] = s * direction(static_cast<Index>(k));
        displace<double>(at_.system.linkage, q_, std::span<const double>(u), q);
        double last = INFINITY;
        for (int iteration = 0; !tied_places.empty(); ++iteration) {
            at_.bind(q, v);
            const double off = largest_of(at_.g);
            if (!(off < 1e6) || iteration == 30)
                return {};
            if (off == 0 || (off < 1e-10 && off >= 0.5 * last))
                break;
            last = off;
            const Vector give = answer_of(columns_of(at_.G, tied_places), -at_.g);
            std::fill(u.begin(), u.end(), 0.0);
            for (std::size_t k = 0; k < tied_places.size(); ++k)
                u[static_cast<std::size_t>(tied_places[k])] = give(static_cast<Index>(k));
            displace<double>(at_.system.linkage, q, std::span<const double>(u), q);
        }
        for (int twice = 0; twice < 2 && !tied_speeds.empty(); ++twice) {
            at_.bind(q, v);
            const Vector give = answer_of(columns_of(at_.J, tied_speeds), -at_.g_dot);
            for (std::size_t k = 0; k < tied_speeds.size(); ++k)
                v[static_cast<std::size_t>(tied_speeds[k])] += give(static_cast<Index>(k));
        }
        const Vector v_dot = at_.accelerations(q, v);
        if (v_dot.size() == 0)
            return {};
        Vector made(2 * at_.n);
        std::copy(v.begin(), v.end(), made.data());
        std::copy(v_dot.begin(), v_dot.end(), made.data() + at_.n);
        return made;
    }

    Surroundings& at_;
    const std::vector<double>&q_, &v_;
    Matrix along_place_, along_speed_;
    struct Axes {
        int first; // velocity of its link
        Vec3<double> nu;
    };
    std::vector<Axes> axes_;
};

/// ∂v̇/∂τ where the equations hold, a column for each freedom.
Matrix answer_to_forces(JointSystem& system, const Model& model, const JointMotion& y, double t)
{
    const Linkage& linkage = system.linkage;
    const auto n = static_cast<std::size_t>(linkage.nv);
    system.place(y.q, y.v);
    Rows rows;
    bind_loops(model, system.world.placed, t, rows);
    factor_inertia<double>(linkage, system.inertias, system.space);
    JointRows solver;
    std::vector<double> J, lambda(rows.rows.size()), lack(rows.rows.size());
    joint_jacobian(linkage, rows, system.world.placed.bodies, J, system.space);
    if (!rows.rows.empty())
        solver.factorise(linkage, rows, system.world.placed.bodies, system.space);
    Matrix made(linkage.nv, linkage.nv);
    std::vector<double> force(n), x(n);
    for (std::size_t i = 0; i < n; ++i) {
        std::fill(force.begin(), force.end(), 0.0);
        force[i] = 1;
        solve_inertia<double>(linkage, force, x, system.space);
        if (!rows.rows.empty()) {
            std::fill(lambda.begin(), lambda.end(), 0.0);
            for (int twice = 0; twice < 2; ++twice) { // the second time for the first's rounding
                for (std::size_t r = 0; r < lack.size(); ++r) {
                    lack[r] = -rows.rows[r].softness * lambda[r];
                    for (std::size_t k = 0; k < n; ++k)
                        lack[r] -= J[r * n + k] * x[k];
                }
                solver.reply(lack, lambda, x);
            }
        }
        std::copy(x.begin(), x.end(), made.col(static_cast<Index>(i)).data());
    }
    return made;
}

std::vector<std::string> names_of_freedoms(const Linkage& linkage, const Model& model)
{
    constexpr std::array moves{"x", "y", "z"}, turns{"turn_x", "turn_y", "turn_z"};
    std::vector<std::string> names(static_cast<std::size_t>(linkage.nv));
    const auto floating = [&](int link) {
        for (std::size_t i = 0; i < linkage.bodies.size(); ++i)
            if (linkage.bodies[i].link == link && model.tree().carrier[i] == Tree::none)
                return model.bodies()[i].name;
        return std::string();
    };
    for (std::size_t i = 0; i < linkage.size(); ++i) {
        const Link& link = linkage.links[i];
        const Joint* joint = link.joint == Tree::none
                                 ? nullptr
                                 : &model.joints()[static_cast<std::size_t>(link.joint)];
        const std::string name = joint ? joint->name : floating(static_cast<int>(i));
        const auto put = [&](int first, const std::array<const char*, 3>& parts) {
            for (std::size_t k = 0; k < 3; ++k)
                names[static_cast<std::size_t>(first) + k] = text_of(name, ".", parts[k]);
        };
        if (link.op == LinkOp::free || link.op == LinkOp::translate)
            put(link.v, moves);
        if (link.op == LinkOp::free || link.op == LinkOp::ball)
            put(link.v + (link.op == LinkOp::free ? 3 : 0), turns);
        if (freedoms_of(link.op) == 1)
            names[static_cast<std::size_t>(link.v)] = facts_of(joint->kind).coordinates > 1
                                                          ? text_of(name, "[", link.coordinate, "]")
                                                          : name;
    }
    return names;
}

/// The motion of a state in joint coordinates, wherever it is kept.
JointMotion motion_of(const Linkage& linkage, const Model& model, const State& state)
{
    if (!state.joints.q.empty())
        return state.joints;
    std::vector<double> turns(static_cast<std::size_t>(linkage.nq));
    for (const Link& link : linkage.links)
        if (link.joint != Tree::none && freedoms_of(link.op) == 1)
            turns[static_cast<std::size_t>(link.q)] =
                state.joint_coordinates[static_cast<std::size_t>(
                    model.first_coordinate(static_cast<std::size_t>(link.joint)) +
                    link.coordinate)];
    const Coordinates made = coordinates_from_poses(linkage, model, place(model, state), turns);
    return {made.q, made.v, {}};
}

} // namespace

double Linearisation::unsteadiness() const
{
    double rate = 0, largest = 0;
    for (const double a : A)
        rate = std::max(rate, std::abs(a));
    for (const double a : v_dot)
        largest = std::max(largest, std::abs(a));
    return largest > 0 ? largest / std::max(rate, 1e-300) : 0;
}

Result<Linearisation> linearise(const Model& model, const State& state, double t,
                                const Input& input)
{
    Problems found;
    for (const Body& body : model.bodies())
        if (body.held)
            found.add_at(body.name, "held",
                         "a body that is held has no joint: replace held by a ball joint with the "
                         "world");
    for (const Stop& stop : state.standing)
        found.add_at(model.joints()[static_cast<std::size_t>(stop.joint)].name, "limits",
                     "stands at its limit, where motion is one-sided and no matrix describes it");
    if (!std::isfinite(t))
        found.add("time", "must be finite, is ", t);
    if (found.any())
        return found;

    Surroundings at(model, input, state, t);
    JointSystem& system = at.system;
    JointMotion motion = motion_of(system.linkage, model, state);
    Postings none(Postings::Detail::off);
    if (const char* reason = system.project(motion, t, none)) {
        found.add("loops", reason);
        return found;
    }

    Linearisation made;
    made.q = motion.q;
    made.v = motion.v;
    made.freedoms = names_of_freedoms(system.linkage, model);
    const Vector v_dot = at.accelerations(motion.q, motion.v);
    if (v_dot.size() == 0) {
        found.add("accelerations", "are not numbers at this state");
        return found;
    }

    Neighbourhood near(at, motion);
    near.choose_axes(v_dot);
    const Vector seen = near.in_axes(v_dot, Eigen::Map<const Vector>(motion.v.data(), at.n));
    made.v_dot.assign(seen.begin(), seen.end());
    made.places = near.places;
    made.speeds = near.speeds;
    made.place_equations = static_cast<int>(near.tied_places.size());
    made.speed_equations = static_cast<int>(near.tied_speeds.size());

    const bool exact = !system.has_rows() && system.only_gravity();
    ForwardDifferentiator differentiator(system.linkage);
    const ForwardDerivatives<double>* closed =
        exact ? &differentiator.at(system.linkage, system.inertias, motion.q, motion.v,
                                   std::vector<double>(made.v.size()), {}, system.gravity())
              : nullptr;
    const auto n_q = static_cast<Index>(near.places.size()),
               n_v = static_cast<Index>(near.speeds.size());
    Matrix A(n_q + n_v, n_q + n_v), E = Matrix::Zero(n_q + n_v, n_q + n_v);
    for (Index c = 0; c < n_q + n_v; ++c) {
        const bool place = c < n_q;
        const auto i = static_cast<std::size_t>(place ? c : c - n_q);
        const Neighbourhood::Change change =
            closed  ? (place ? near.by_place(i, *closed) : near.by_speed(i, *closed))
            : place ? near.by_place(i)
                    : near.by_speed(i);
        if (change.v_dot.size() == 0) {
            found.add(
                made.freedoms[static_cast<std::size_t>(place ? near.places[i] : near.speeds[i])],
                "the motion has no derivative along it: loops cannot be closed nearby, or a "
                "force is not a number there");
            return found;
        }
        const Vector rate = near.in_axes(near.rate_of_place(change.u, change.w), change.u);
        const Vector speed_rate = near.in_axes(change.v_dot, change.w);
        for (Index r = 0; r < n_q; ++r)
            A(r, c) = rate(near.places[static_cast<std::size_t>(r)]);
        for (Index r = 0; r < n_v; ++r)
            A(n_q + r, c) = speed_rate(near.speeds[static_cast<std::size_t>(r)]);
        for (Index r = 0; r < n_v; ++r)
            E(n_q + r, c) = change.error;
    }
    const double rate = natural_rate(A, n_q);
    const double size = norm_of(in_natural_time(A, n_q, rate));
    made.error = size > 0 ? norm_of(in_natural_time(E, n_q, rate)) / size : 0;
    made.error += 1e-15;

    const Matrix by_force = answer_to_forces(system, model, motion, t);
    const auto n = static_cast<std::size_t>(n_q + n_v);
    made.A.resize(n * n);
    Eigen::Map<RowMajor>(made.A.data(), n_q + n_v, n_q + n_v) = A;
    made.B.assign(n * made.freedoms.size(), 0.0);
    Eigen::Map<RowMajor> B(made.B.data(), n_q + n_v, at.n);
    for (Index r = 0; r < n_v; ++r)
        B.row(n_q + r) = by_force.row(near.speeds[static_cast<std::size_t>(r)]);
    made.spectrum = spectrum_of(made.A, n, near.places.size(), made.error);
    return made;
}

} // namespace poinsot
