// SPDX-License-Identifier: MIT
// How does a hanging chain scale? Articulated bodies and sparse multipliers as n, dense ones as n³.
// And a ladder, which has a loop for every window? Sparse multipliers nearly as n.
//
// Nanoseconds per evaluation and link, from a state to accelerations: placing (where bodies and
// joints are and what acts; articulated bodies do so as they go), rows, factors, answer. Errors are
// those of the accelerations of all bodies against the articulated ones, and of these the forces
// that must come back as zero.

#include "measure.hpp"
#include "poinsot/dynamics/aba.hpp"
#include "poinsot/dynamics/kinematics.hpp"
#include "poinsot/model/builder.hpp"
#include "poinsot/solve/bonds.hpp"
#include "poinsot/solve/direct.hpp"

#include <cmath>
#include <cstdio>
#include <malloc.h>
#include <map>
#include <tuple>

using namespace poinsot;

namespace {

Model hanging_chain(int links)
{
    Builder b;
    b.gravity.uniform = {0, -9.81, 0};
    for (int i = 0; i < links; ++i) {
        Body body;
        body.name = text_of("link ", i);
        body.mass_properties = {1, zero3<double>(), diagonal(0.1, 0.01, 0.1)};
        b.add(body);
        Joint hinge;
        hinge.name = text_of("hinge ", i);
        hinge.a = i - 1;
        hinge.b = i;
        if (i > 0)
            hinge.frame_a.x = {0, -0.5, 0};
        hinge.frame_b.x = {0, 0.5, 0};
        hinge.start = {0.1};
        hinge.start_speed = {0.3};
        b.add(hinge);
    }
    return *b.build();
}

/// Upright cranks on the world, each joined to the next by a bar.
Model ladder(int windows)
{
    Builder b;
    b.gravity.uniform = {0, -9.81, 0};
    const auto rod = [&](const std::string& name, const Vec3<double>& x, double v, double omega) {
        Body body;
        body.name = name;
        body.mass_properties = {1, zero3<double>(), diagonal(0.08, 0.08, 0.08)};
        body.pose.x = x;
        body.velocity = {v, 0, 0};
        body.angular_velocity = {0, 0, omega};
        return b.add(body);
    };
    const auto hinge = [&](int one, const Vec3<double>& in_one, int other,
                           const Vec3<double>& in_other) {
        Joint joint;
        joint.name = text_of("hinge ", b.joints.size());
        joint.a = one;
        joint.b = other;
        joint.frame_a.x = in_one;
        joint.frame_b.x = in_other;
        b.add(joint);
    };
    int before = world;
    for (int i = 0; i <= windows; ++i) {
        const int crank = rod(text_of("crank ", i), {1.0 * i, 0.5, 0}, 0.5, -1);
        hinge(world, {1.0 * i, 0, 0}, crank, {0, -0.5, 0});
        if (i > 0) {
            const int bar = rod(text_of("bar ", i), {i - 0.5, 1, 0}, 1, 0);
            hinge(before, {0, 0.5, 0}, bar, {-0.5, 0, 0});
            hinge(bar, {0.5, 0, 0}, crank, {0, 0.5, 0});
        }
        before = crank;
    }
    return *b.build();
}

double bytes_in_use()
{
    const struct mallinfo2 now = mallinfo2();
    return static_cast<double>(now.uordblks + now.hblkhd);
}

struct Cost {
    double placing = 0, rows = 0, factors = 0, answer = 0; // nanoseconds per link
    double bytes = 0;                                      // of scratch, per link
    double error = 0;
    double all() const { return placing + rows + factors + answer; }
};

/// Repeats a piece of work.
template <class Work>
auto often(int repeats, Work& work)
{
    return [repeats, &work] {
        for (int i = 0; i < repeats; ++i)
            work();
    };
}

using Accelerations = std::vector<Twist<double>>; // of the bodies, world axes

double apart(const Accelerations& a, const Accelerations& b)
{
    double most = 0, size = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        most = std::max({most, norm(a[i].v - b[i].v), norm(a[i].omega - b[i].omega)});
        size = std::max({size, norm(b[i].v), norm(b[i].omega)});
    }
    return most / size;
}

/// The chain in joint coordinates.
class Articulated {
  public:
    explicit Articulated(int links)
        : model_(hanging_chain(links)), linkage_(linkage_of(model_)),
          inertias_(link_inertias(linkage_, model_)), at_(start_coordinates(linkage_, model_)),
          before_(bytes_in_use()), w_(linkage_), tau_(at_.v.size(), 0.0), v_dot_(at_.v.size()),
          back_(at_.v.size()), bytes_((bytes_in_use() - before_) / links)
    {
    }
    void forward()
    {
        forward_dynamics<double>(linkage_, inertias_, at_.q, at_.v, tau_, {}, gravity(), v_dot_,
                                 w_);
    }
    double bytes_per_link() const { return bytes_; }
    /// Of the forces that these accelerations need, which are none, against those that none need.
    double error() { return largest(v_dot_) / largest({}); }
    Accelerations accelerations()
    {
        place_links_in_world(linkage_, w_);
        link_accelerations<double>(linkage_, at_.v, v_dot_, w_);
        const Placed placed = place(model_, start_of<MomentumForm<double>>(model_));
        Accelerations made;
        for (std::size_t i = 0; i < placed.bodies.size(); ++i)
            made.push_back(point_acceleration(linkage_.bodies[i].link, placed.bodies[i].x, w_));
        return made;
    }

  private:
    const Vec3<double>& gravity() const { return model_.gravity().uniform; }
    double largest(std::span<const double> accelerations)
    {
        inverse_dynamics<double>(linkage_, inertias_, at_.q, at_.v, accelerations, {}, gravity(),
                                 back_, w_);
        double most = 0;
        for (const double x : back_)
            most = std::max(most, std::abs(x));
        return most;
    }

    Model model_;
    Linkage linkage_;
    std::vector<LinkInertia<double>> inertias_;
    Coordinates at_;
    double before_;
    LinkageSpace<double> w_;
    std::vector<double> tau_, v_dot_, back_;
    double bytes_;
};

/// A model at its start, its rows and what answers them.
template <class Solver>
struct Bound {
    Model model;
    State state = start_of<MomentumForm<double>>(model);
    Placed placed = {};
    Loads loads = {};
    double before = 0; // bytes
    Rows rows = {};
    std::vector<MovingMass> masses = {};
    std::vector<Wrench<double>> f = {};
    std::vector<double> b = {};
    Answer answer = {};
    Solver solver = {};

    explicit Bound(Model given) : model(std::move(given))
    {
        locate();
        before = bytes_in_use();
        bind();
        factorise();
        solve();
    }
    void locate()
    {
        place<MomentumForm<double>>(model, bodies(), placed);
        place_joints_in_stage(model, state.joint_coordinates, placed);
        gather_loads(model, placed, {}, 0, 0, loads);
    }
    std::span<const MomentumForm<double>> bodies() const
    {
        return std::get<std::vector<MomentumForm<double>>>(state.bodies);
    }
    void bind()
    {
        bind_joints(model, placed, 0, rows);
        masses_of(placed, masses);
        unbound_forces(placed, loads.total, f);
        b.resize(rows.rows.size());
        for (std::size_t r = 0; r < b.size(); ++r)
            b[r] = -rows.rows[r].gamma;
    }
    void factorise() { solver.factorise(rows, masses); }
    void solve() { solver.solve(f, b, answer); }
};

/// Multipliers and, in the same turns, articulated bodies.
template <class Solver>
std::pair<Cost, Cost> beside_articulated(int links, int repeats, int turns)
{
    Articulated articulated(links);
    articulated.forward();
    const Accelerations truth = articulated.accelerations();

    Bound<Solver> bound(hanging_chain(links));
    const double bytes = (bytes_in_use() - bound.before) / links;
    const auto locate = [&] { bound.locate(); };
    const auto bind = [&] { bound.bind(); };
    const auto factorise = [&] { bound.factorise(); };
    const auto solve = [&] { bound.solve(); };
    const auto forward = [&] { articulated.forward(); };
    const auto times =
        least_in_turns(turns, often(repeats, locate), often(repeats, bind),
                       often(repeats, factorise), often(repeats, solve), often(repeats, forward));
    const double each = 1e9 / (static_cast<double>(repeats) * links);
    return {{each * times[0], each * times[1], each * times[2], each * times[3], bytes,
             apart(bound.answer.u, truth)},
            {0, 0, 0, each * times[4], articulated.bytes_per_link(), articulated.error()}};
}

/// Sparse multipliers of a ladder, per window; errors against dense ones where these are quick.
Cost of_ladder(int windows, int repeats, int turns)
{
    Bound<TreeDirect> bound(ladder(windows));
    const double bytes = (bytes_in_use() - bound.before) / windows;
    const auto locate = [&] { bound.locate(); };
    const auto bind = [&] { bound.bind(); };
    const auto factorise = [&] { bound.factorise(); };
    const auto solve = [&] { bound.solve(); };
    const auto times = least_in_turns(turns, often(repeats, locate), often(repeats, bind),
                                      often(repeats, factorise), often(repeats, solve));
    const double each = 1e9 / (static_cast<double>(repeats) * windows);
    const double error = windows > 50
                             ? std::nan("")
                             : apart(bound.answer.u, Bound<Direct>(ladder(windows)).answer.u);
    return {each * times[0], each * times[1], each * times[2], each * times[3], bytes, error};
}

/// Costs of one method by the number of links.
using Costs = std::map<int, Cost>;

/// p in cost ~ linksᵖ.
double exponent(const Costs& costs, int few, int many)
{
    return 1 + std::log(costs.at(many).all() / costs.at(few).all()) /
                   std::log(static_cast<double>(many) / few);
}
double growth_of_bytes(const Costs& costs, int few, int many)
{
    return 1 + std::log(costs.at(many).bytes / costs.at(few).bytes) /
                   std::log(static_cast<double>(many) / few);
}

} // namespace

int main()
{
    std::printf("method,links,ns_placing_per_link,ns_rows_per_link,ns_factors_per_link,"
                "ns_answer_per_link,ns_per_link,times_aba,bytes_per_link,error\n");
    Costs aba, sparse, dense;
    const auto print = [&](const char* name, int links, const Cost& cost) {
        std::printf("%s,%d,%.0f,%.0f,%.0f,%.0f,%.0f,%.2f,%.0f,%.1e\n", name, links, cost.placing,
                    cost.rows, cost.factors, cost.answer, cost.all(),
                    cost.all() / aba.at(links).all(), cost.bytes, cost.error);
    };
    for (const int links : {5, 10, 20, 50, 100, 200, 500, 1000}) {
        std::tie(sparse[links], aba[links]) =
            beside_articulated<TreeDirect>(links, 20000 / links, 31);
        print("aba", links, aba[links]);
        print("sparse", links, sparse[links]);
        if (links <= 200) {
            dense[links] =
                beside_articulated<Direct>(links, 1 + 100 / links, links > 50 ? 2 : 9).first;
            print("dense", links, dense[links]);
        }
    }
    const auto tell = [](const char* name, const Costs& costs, int few, int many) {
        std::printf("# %s: from n = %d to %d cost grows as n^%.2f, memory as n^%.2f\n", name, few,
                    many, exponent(costs, few, many), growth_of_bytes(costs, few, many));
    };
    tell("aba", aba, 50, 1000);
    tell("sparse", sparse, 50, 1000);
    tell("dense, left out where it takes minutes", dense, 50, 200);
    Costs ladders;
    for (const int windows : {25, 50, 100, 200}) {
        const Cost& cost = ladders[windows] = of_ladder(windows, 5000 / windows, 31);
        std::printf("sparse ladder,%d,%.0f,%.0f,%.0f,%.0f,%.0f,,%.0f,%.1e\n", windows, cost.placing,
                    cost.rows, cost.factors, cost.answer, cost.all(), cost.bytes, cost.error);
    }
    tell("sparse with a loop for every window of a ladder", ladders, 25, 200);
    double worst = 0;
    for (const auto& [links, cost] : sparse)
        worst = std::max(worst, cost.all() / aba.at(links).all());
    std::printf("# sparse multipliers take at most %.2f times as long as articulated bodies\n",
                worst);
}
