// SPDX-License-Identifier: MIT
#include "poinsot/step/impulsive.hpp"

#include "poinsot/integrate/kick.hpp"
#include "poinsot/solve/impact.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace poinsot {

namespace {

std::size_t at(int i)
{
    return static_cast<std::size_t>(i);
}

/// J · V of row r, which is the k-th of its block.
double speed_of(const Rows& rows, const Block& block, int k, const Placed& placed)
{
    double speed = rows.row(block, k).rate_t;
    for (int i = 0; i < block.bodies; ++i)
        speed += power(rows.J_of(block, k, i), placed.bodies[at(block.body[at(i)])].twist());
    return speed;
}
void speeds_of(const Rows& rows, const Placed& placed, Eigen::VectorXd& out)
{
    out.resize(rows.count());
    for (const Block& block : rows.blocks)
        for (int k = 0; k < block.rows; ++k)
            out(block.first_row + k) = speed_of(rows, block, k, placed);
}

/// Which bodies hang together: each points to another of its group, at last to the lowest.
class Groups {
  public:
    explicit Groups(std::size_t count) : next_(count) { std::iota(next_.begin(), next_.end(), 0); }
    int root(int i)
    {
        while (next_[at(i)] != i)
            i = next_[at(i)] = next_[at(next_[at(i)])];
        return i;
    }
    void join(int a, int b)
    {
        a = root(a);
        b = root(b);
        next_[at(std::max(a, b))] = std::min(a, b);
    }

  private:
    std::vector<int> next_;
};

} // namespace

/// Rows that share bodies, with their laws.
struct Island {
    Rows rows;
    std::vector<int> row;            // of all rows, for each of these
    std::vector<double> restitution; // per block of the problem
    ContactProblem problem;
    Eigen::VectorXd before, start;
};

struct Impulsive::Parts {
    Eigen::VectorXd before, freely; // u⁻ and q of all rows
    Eigen::VectorXd r, restored, after, start;
    std::vector<Island> islands;
    std::size_t used = 0; // of them
};

Impulsive::Impulsive(const Model& model) : model_(model), parts_(std::make_unique<Parts>())
{
    double smallest = std::numeric_limits<double>::infinity();
    for (const Skin& skin : model.skins()) {
        shapes_.push_back(&skin.collider);
        filters_.push_back(skin.filter);
        if (skin.collider.bounded()) {
            const Bounds& box = skin.collider.bounds();
            smallest = std::min(smallest, norm(box.hi - box.lo));
        }
    }
    poses_.resize(shapes_.size());
    for (const auto& [a, b] : model.skins_apart())
        broadphase_.never(a, b);
    usual_within_ = std::isfinite(smallest) ? 1e-6 * smallest : 0;
}
Impulsive::~Impulsive() = default;

void Impulsive::find_contacts(const Placed& placed, double within)
{
    const auto& skins = model_.skins();
    for (std::size_t i = 0; i < skins.size(); ++i) {
        poses_[i] = skins[i].pose;
        if (skins[i].body == world)
            continue;
        const PlacedBody& body = placed.bodies[at(skins[i].body)];
        const Pose<double> frame{body.x - body.R * body.mass.center, quat_of(body.R)};
        poses_[i] = frame * skins[i].pose;
    }
    pairs_.clear();
    for (const auto& pair : broadphase_.pairs(shapes_, poses_, filters_, within))
        if (skins[at(pair.first)].body != skins[at(pair.second)].body)
            pairs_.push_back(pair);
    contacts_.clear(); // nothing but the state may say how the next step goes
    contacts_.find(pairs_, shapes_, poses_, within);
}

// ---- a kick -------------------------------------------------------------------------------------

/// What acts for a time h; what depends on velocity, at mid-kick.
void Impulsive::gather(System& system, double t, double h)
{
    place_joints(model_, system.joint_coordinates, system.placed);
    gather_loads(model_, system.placed, system.input, t, system.active_at, system.loads);
    if (!model_.velocity_dependent() && !system.input.user_force)
        return;
    auto& bodies = system.placed.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        push(bodies[i], system.loads.total[i], 0.5 * h);
    place_joints(model_, system.joint_coordinates, system.placed);
    gather_loads(model_, system.placed, system.input, t, system.active_at, system.loads);
    bodies = system.before;
    place_joints(model_, system.joint_coordinates, system.placed);
}

/// Rows of joints, of the limits that are reached, and of what touches; their speeds before and
/// after the loads; what was solved there before.
void Impulsive::bind(const State& state, System& system, double t)
{
    stops_.clear();
    for (std::size_t j = 0; j < model_.joints().size(); ++j)
        for (std::size_t k = 0; k < model_.joints()[j].laws.size(); ++k) {
            const CoordinateLaw& law = model_.joints()[j].laws[k];
            const double q = system.placed.joints[j].q[k];
            if (!law.prescribed && (q <= law.lower || q >= law.upper))
                stops_.push_back({static_cast<int>(j), static_cast<int>(k), q >= law.upper});
        }
    bind_joints(model_, system.placed, t, rows_, stops_);
    bind_contacts(model_, system.placed, contacts_.manifolds(),
                  std::numeric_limits<double>::infinity(), rows_, points_);
    Parts& p = *parts_;
    speeds_of(rows_, system.placed, p.before);
    p.start.setZero(rows_.count());
    for (TouchRows& rows : points_) {
        const Manifold& m = contacts_.manifolds()[at(rows.manifold)];
        const Vec3<double> t_1 = m.tangent, t_2 = cross(m.normal, t_1);
        Touched key;
        key.pair = key_of(m);
        key.feature = m.point[at(rows.point)].feature;
        const auto known = std::lower_bound(
            state.touched.begin(), state.touched.end(), key, [](const auto& a, const auto& b) {
                return std::tie(a.pair, a.feature) < std::tie(b.pair, b.feature);
            });
        const bool old = known != state.touched.end() && known->pair == key.pair &&
                         known->feature == key.feature;
        rows.law.friction = old && !known->slides ? rows.law.static_friction : rows.law.friction;
        if (!old)
            continue;
        int r = rows.first;
        p.start(r++) = known->normal;
        if (rows.tangents > 0) {
            p.start(r++) = dot(known->friction, t_1);
            p.start(r++) = dot(known->friction, t_2);
        }
        if (rows.twists > 0)
            p.start(r++) = known->torsion;
        if (rows.rolls > 0) {
            p.start(r++) = dot(known->rolling, t_1);
            p.start(r++) = dot(known->rolling, t_2);
        }
    }
}

/// All rows with their laws, in groups that share no body.
void divide(const Model& model, const Rows& rows, std::span<const TouchRows> points,
            std::size_t bodies, std::vector<Island>& islands, std::size_t& used)
{
    Groups groups(bodies);
    for (const Block& block : rows.blocks)
        for (int i = 1; i < block.bodies; ++i)
            groups.join(block.body[0], block.body[at(i)]);
    std::vector<int> island_of(bodies, -1);
    used = 0;
    std::size_t point = 0;
    for (std::size_t k = 0; k < rows.blocks.size(); ++k) {
        const Block& block = rows.blocks[k];
        int& number = island_of[at(groups.root(block.body[0]))];
        if (number < 0) {
            number = static_cast<int>(used++);
            if (islands.size() < used)
                islands.emplace_back();
            Island& fresh = islands[at(number)];
            fresh.rows.clear();
            fresh.row.clear();
            fresh.restitution.clear();
            fresh.problem.blocks.clear();
        }
        Island& island = islands[at(number)];
        const int first = island.rows.count();
        if (block.origin != Block::Origin::contact) {
            const bool stop = block.origin == Block::Origin::limit;
            island.problem.blocks.push_back(stop ? contact_rows(first, 0, 0)
                                                 : free_rows(first, block.rows));
            island.restitution.push_back(
                stop ? model.joints()[at(block.index)].laws[at(block.coordinate)].restitution : 0);
        } else if (block.cause == Cause::contact_normal) {
            const TouchRows& touch = points[point++];
            ContactBlock made = contact_rows(first, touch.law.friction, touch.tangents);
            made.rows = touch.rows();
            made.twists = touch.twists;
            made.twist = touch.law.torsion;
            made.rolls = touch.rolls;
            made.roll = touch.law.rolling;
            island.problem.blocks.push_back(made);
            island.restitution.push_back(touch.law.restitution);
        }
        Block copy = block;
        copy.first_row = first;
        copy.first_J = static_cast<int>(island.rows.J.size());
        island.rows.blocks.push_back(copy);
        for (int r = 0; r < block.rows; ++r) {
            island.rows.rows.push_back(rows.row(block, r));
            island.row.push_back(block.first_row + r);
            for (int i = 0; i < block.bodies; ++i)
                island.rows.J.push_back(rows.J_of(block, r, i));
        }
    }
}

/// How do the bonds reply? Reactions of every island. Returns why there are none.
const char* Impulsive::reply(const StepSettings& settings, const System& system)
{
    Parts& p = *parts_;
    masses_of(system.placed, masses_);
    p.r.setZero(rows_.count());
    p.restored.setZero(rows_.count());
    p.after = p.freely;
    residual_ = 0;
    unsolved_ = 0;
    ImpactSettings how;
    how.law = settings.contact.law;
    how.order = settings.contact.order;
    how.exact = settings.contact.exact;
    how.cone.tolerance = how.sweeps.tolerance = settings.contact.tolerance;
    how.sweeps.sweeps = settings.contact.sweeps;
    divide(model_, rows_, points_, system.placed.bodies.size(), p.islands, p.used);
    for (std::size_t k = 0; k < p.used; ++k) {
        Island& island = p.islands[k];
        const Eigen::Index n = island.rows.count();
        island.problem.rows = &island.rows;
        island.problem.masses = masses_;
        island.problem.q.resize(n);
        island.before.resize(n);
        island.start.resize(n);
        for (Eigen::Index i = 0; i < n; ++i) {
            const int r = island.row[static_cast<std::size_t>(i)];
            island.problem.q(i) = p.freely(r);
            island.before(i) = p.before(r);
            island.start(i) = p.start(r);
        }
        const auto answer =
            solve_impact(island.problem, island.before, island.restitution, how, island.start);
        if (!answer)
            return "what touches makes no sense: a number is none, or nothing moves";
        residual_ = std::max(residual_, answer->contact.residual);
        unsolved_ += !answer->contact.solved;
        for (Eigen::Index i = 0; i < n; ++i) {
            const int r = island.row[static_cast<std::size_t>(i)];
            p.r(r) = answer->contact.r(i);
            p.restored(r) = answer->restored(i);
            p.after(r) = answer->contact.u(i);
        }
    }
    return nullptr;
}

/// The replies as loads for a time h. What throws back is known from what holds.
void Impulsive::add_replies(System& system, double h)
{
    const Parts& p = *parts_;
    for (const Block& block : rows_.blocks) {
        const bool normal = block.cause == Cause::contact_normal;
        for (int i = 0; i < block.bodies; ++i) {
            Wrench<double> held{zero3<double>(), zero3<double>()}, thrown = held;
            for (int k = 0; k < block.rows; ++k) {
                const int r = block.first_row + k;
                const Wrench<double>& J = rows_.J_of(block, k, i);
                held = held + ((p.r(r) - p.restored(r)) / h) * J;
                thrown = thrown + (p.restored(r) / h) * J;
            }
            system.loads.add(block.body[at(i)], block.cause, held);
            if (normal && p.restored(block.first_row) != 0)
                system.loads.add(block.body[at(i)], Cause::contact_restitution, thrown);
        }
    }
}

/// For the next step, and for those who look.
void Impulsive::remember(State& state)
{
    const Parts& p = *parts_;
    records_.clear();
    state.touched.clear();
    for (const TouchRows& rows : points_) {
        const Manifold& m = contacts_.manifolds()[at(rows.manifold)];
        const ContactPoint& point = m.point[at(rows.point)];
        const Vec3<double> t_1 = m.tangent, t_2 = cross(m.normal, t_1);
        Touched made;
        made.pair = key_of(m);
        made.feature = point.feature;
        int r = rows.first;
        made.normal = p.r(r++);
        double slip = 0;
        if (rows.tangents > 0) {
            slip = std::hypot(p.after(r), p.after(r + 1));
            // Within a cone by more than rounding it does not slide.
            made.slides =
                std::hypot(p.r(r), p.r(r + 1)) >= (1 - 1e-9) * rows.law.friction * made.normal;
            made.friction = p.r(r) * t_1 + p.r(r + 1) * t_2;
            r += 2;
        }
        if (rows.twists > 0)
            made.torsion = p.r(r++);
        if (rows.rolls > 0)
            made.rolling = p.r(r) * t_1 + p.r(r + 1) * t_2;
        state.touched.push_back(made);
        records_.push_back({m.a, m.b, 0.5 * (point.on_a + point.on_b), m.normal, point.gap,
                            made.normal * m.normal + made.friction, slip});
    }
    std::sort(state.touched.begin(), state.touched.end(), [](const auto& a, const auto& b) {
        return std::tie(a.pair, a.feature) < std::tie(b.pair, b.feature);
    });
}

const char* Impulsive::kick(State& state, const StepSettings& settings, double t, double h,
                            Workspace& w)
{
    System& system = w.system;
    auto& bodies = system.placed.bodies;
    Parts& p = *parts_;
    system.before = bodies;
    gather(system, t, h);                           // what acts?
    find_contacts(system.placed, within(settings)); // what touches?
    bind(state, system, t);                         // what binds?
    for (std::size_t i = 0; i < bodies.size(); ++i)
        push(bodies[i], system.loads.total[i], h);
    speeds_of(rows_, system.placed, p.freely);
    bodies = system.before;
    for (const Block& block : rows_.blocks) // a drive's inertia answers the change alone
        for (int k = 0; k < block.rows; ++k)
            if (rows_.row(block, k).softness > 0)
                p.freely(block.first_row + k) -= p.before(block.first_row + k);
    if (const char* failure = reply(settings, system)) // how do the bonds reply?
        return failure;
    add_replies(system, h);
    remember(state);
    poinsot::kick(system, h, w.postings);
    return nullptr;
}

// ---- overlaps -----------------------------------------------------------------------------------

bool Impulsive::overlaps(const StepSettings& settings, const System& system, double h)
{
    Parts& p = *parts_;
    const double allowed = within(settings);
    moves_.assign(system.placed.bodies.size(), {zero3<double>(), zero3<double>()});
    bool any = false;
    for (std::size_t k = 0; k < p.used; ++k) {
        Island& island = p.islands[k];
        // Gaps at the end of the step, by the speeds of the kick; of joints none is asked for.
        bool deep = false;
        island.problem.q.setZero(island.rows.count());
        for (const Block& block : island.rows.blocks) {
            const bool one_sided =
                block.cause == Cause::contact_normal || block.origin == Block::Origin::limit;
            if (one_sided) {
                const double speed = p.after(island.row[at(block.first_row)]);
                const double gap = island.rows.row(block, 0).g + 0.5 * h * speed;
                const bool leaves = gap + h * speed > 0;
                island.problem.q(block.first_row) = leaves ? std::max(gap, 0.0) : gap;
                deep = deep || (!leaves && gap < -allowed);
            }
        }
        if (!deep)
            continue;
        for (ContactBlock& block : island.problem.blocks)
            block.mu = block.twist = block.roll = 0; // nothing rubs while bodies are put apart
        ConeSettings cone;
        SweepSettings sweeps;
        cone.tolerance = sweeps.tolerance = 1e-9;
        const auto answer = settings.contact.exact ? solve_cones(island.problem, cone)
                                                   : gauss_seidel(island.problem, sweeps);
        if (!answer)
            continue;
        any = true;
        for (const Block& block : island.rows.blocks)
            for (int r = 0; r < block.rows; ++r)
                for (int i = 0; i < block.bodies; ++i) {
                    const int body = block.body[at(i)];
                    const Wrench<double> push =
                        answer->r(block.first_row + r) * island.rows.J_of(block, r, i);
                    moves_[at(body)] = moves_[at(body)] + masses_[at(body)].inverse_times(push);
                }
    }
    return any;
}

// ---- the step -----------------------------------------------------------------------------------

template <class Form>
StepReport Impulsive::pass(std::vector<Form>& bodies, State& state, const StepSettings& settings,
                           double t, double h, Workspace& w)
{
    System& system = w.system;
    auto& placed = system.placed.bodies;
    place(model_, std::span<const Form>(bodies), system.placed);
    fly(bodies, placed, 0.5 * h);
    if (const char* failure = kick(state, settings, t + 0.5 * h, h, w))
        return {1, failure};
    fly(bodies, placed, 0.5 * h);
    if (overlaps(settings, system, h)) {
        const Stores stored = w.postings.off() ? Stores{} : stores_of(model_, system.placed);
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (moves_[i].v == zero3<double>() && moves_[i].omega == zero3<double>())
                continue;
            const PlacedBody before = placed[i];
            bodies[i].x += moves_[i].v;
            bodies[i].attitude = turned(bodies[i].attitude, moves_[i].omega);
            placed[i].x = bodies[i].x;
            placed[i].R = matrix_of(bodies[i].attitude);
            set_motion(placed[i], before.p, before.L);
            if (!w.postings.off())
                w.postings.post(static_cast<int>(i), Cause::stabilisation,
                                {zero3<double>(), zero3<double>(),
                                 cross(placed[i].x - before.x, before.p),
                                 placed[i].kinetic_energy() - before.kinetic_energy()});
        }
        if (!w.postings.off())
            w.postings.shift_stores(stores_of(model_, system.placed) - stored);
    }
    keep_motion(placed, bodies);
    return {1, nullptr};
}

template StepReport Impulsive::pass(std::vector<MomentumForm<double>>&, State&, const StepSettings&,
                                    double, double, Workspace&);
template StepReport Impulsive::pass(std::vector<VelocityForm<double>>&, State&, const StepSettings&,
                                    double, double, Workspace&);
template StepReport Impulsive::pass(std::vector<MatrixForm<double>>&, State&, const StepSettings&,
                                    double, double, Workspace&);

} // namespace poinsot
