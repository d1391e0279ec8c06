// SPDX-License-Identifier: MIT
// How does a hanging chain scale? Articulated bodies and sparse multipliers as n, dense ones as n³.
//
// Nanoseconds per evaluation and link: rows, factors, answer. Errors are those of the accelerations
// of all bodies against the articulated ones, and of these the forces that must come back as zero.

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

double bytes_in_use()
{
    const struct mallinfo2 now = mallinfo2();
    return static_cast<double>(now.uordblks + now.hblkhd);
}

struct Cost {
    double rows = 0, factors = 0, answer = 0; // nanoseconds per link
    double bytes = 0;                         // of scratch, per link
    double error = 0;
    double all() const { return rows + factors + answer; }
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

template <class Solver>
Cost multipliers(int links, int repeats, int turns, const Accelerations& truth)
{
    const Model model = hanging_chain(links);
    const Placed placed = place(model, start_of<MomentumForm<double>>(model));
    Loads loads;
    gather_loads(model, placed, {}, 0, 0, loads);
    const double before = bytes_in_use();
    Rows rows;
    std::vector<MovingMass> masses;
    std::vector<Wrench<double>> f;
    std::vector<double> b;
    Answer answer;
    Solver solver;
    const auto bind = [&] {
        bind_joints(model, placed, 0, rows);
        masses_of(placed, masses);
        unbound_forces(placed, loads.total, f);
        b.resize(rows.rows.size());
        for (std::size_t r = 0; r < b.size(); ++r)
            b[r] = -rows.rows[r].gamma;
    };
    const auto factorise = [&] { solver.factorise(rows, masses); };
    const auto solve = [&] { solver.solve(f, b, answer); };
    bind();
    factorise();
    solve();
    const double bytes = (bytes_in_use() - before) / links;
    const auto times = least_in_turns(turns, often(repeats, bind), often(repeats, factorise),
                                      often(repeats, solve));
    const double each = 1e9 / (static_cast<double>(repeats) * links);
    return {each * times[0], each * times[1], each * times[2], bytes, apart(answer.u, truth)};
}

/// The same chain in joint coordinates.
Cost articulated(int links, int repeats, Accelerations& out)
{
    const Model model = hanging_chain(links);
    const Linkage linkage = linkage_of(model);
    const auto inertias = link_inertias(linkage, model);
    const Coordinates at = start_coordinates(linkage, model);
    const double before = bytes_in_use();
    LinkageSpace<double> w(linkage);
    const std::vector<double> tau(at.v.size(), 0.0);
    std::vector<double> v_dot(at.v.size()), back(at.v.size());
    const double bytes = (bytes_in_use() - before) / links;
    const Vec3<double> g = model.gravity().uniform;
    const auto forward = [&] {
        forward_dynamics<double>(linkage, inertias, at.q, at.v, tau, {}, g, v_dot, w);
    };
    const double time = least_in_turns(31, often(repeats, forward))[0];
    // The forces that these accelerations need are none, against those that none need.
    const auto largest = [&](std::span<const double> accelerations) {
        inverse_dynamics<double>(linkage, inertias, at.q, at.v, accelerations, {}, g, back, w);
        double most = 0;
        for (const double x : back)
            most = std::max(most, std::abs(x));
        return most;
    };
    const double error = largest(v_dot) / largest({});
    place_links_in_world(linkage, w);
    link_accelerations<double>(linkage, at.v, v_dot, w);
    const Placed placed = place(model, start_of<MomentumForm<double>>(model));
    out.clear();
    for (std::size_t i = 0; i < placed.bodies.size(); ++i)
        out.push_back(point_acceleration(linkage.bodies[i].link, placed.bodies[i].x, w));
    return {0, 0, 1e9 * time / (static_cast<double>(repeats) * links), bytes, error};
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
    std::printf("method,links,ns_rows_per_link,ns_factors_per_link,ns_answer_per_link,ns_per_link,"
                "times_aba,bytes_per_link,error\n");
    Costs aba, sparse, dense;
    const auto print = [&](const char* name, int links, const Cost& cost) {
        std::printf("%s,%d,%.0f,%.0f,%.0f,%.0f,%.2f,%.0f,%.1e\n", name, links, cost.rows,
                    cost.factors, cost.answer, cost.all(), cost.all() / aba.at(links).all(),
                    cost.bytes, cost.error);
    };
    for (const int links : {5, 10, 20, 50, 100, 200, 500, 1000}) {
        Accelerations truth;
        aba[links] = articulated(links, 100000 / links, truth);
        print("aba", links, aba[links]);
        sparse[links] = multipliers<TreeDirect>(links, 20000 / links, 31, truth);
        print("sparse", links, sparse[links]);
        if (links <= 200) {
            dense[links] = multipliers<Direct>(links, 1 + 100 / links, links > 50 ? 2 : 9, truth);
            print("dense", links, dense[links]);
        }
    }
    const auto tell = [](const char* name, const Costs& costs, int few, int many) {
        std::printf("# %s: from %d to %d links cost grows as links^%.2f, memory as links^%.2f\n",
                    name, few, many, exponent(costs, few, many), growth_of_bytes(costs, few, many));
    };
    tell("aba", aba, 50, 1000);
    tell("sparse", sparse, 50, 1000);
    tell("dense, left out where it takes minutes", dense, 50, 200);
    double worst = 0;
    for (const auto& [links, cost] : sparse)
        worst = std::max(worst, cost.all() / aba.at(links).all());
    std::printf("# sparse multipliers take at most %.2f times as long as articulated bodies\n",
                worst);
}
