// SPDX-License-Identifier: MIT
// How does a hanging chain scale? Articulated bodies and sparse multipliers as n, dense ones as n³.
//
// Per evaluation and link: rows, factors, answer; with the backward error of the answer.

#include "measure.hpp"
#include "poinsot/dynamics/aba.hpp"
#include "poinsot/dynamics/kinematics.hpp"
#include "poinsot/model/builder.hpp"
#include "poinsot/solve/bonds.hpp"
#include "poinsot/solve/direct.hpp"

#include <cmath>
#include <cstdio>
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

/// Nanoseconds per link, and the error of the accelerations.
struct Cost {
    double rows = 0, factors = 0, answer = 0, error = 0;
    double all() const { return rows + factors + answer; }
};

template <class Solver>
Cost multipliers(int links, int repeats)
{
    const Model model = hanging_chain(links);
    const Placed placed = place(model, start_of<MomentumForm<double>>(model));
    Loads loads;
    gather_loads(model, placed, {}, 0, 0, loads);
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
        b.clear();
        for (const Row& row : rows.rows)
            b.push_back(-row.gamma);
    };
    const auto factorise = [&] { solver.factorise(rows, masses); };
    const auto solve = [&] { solver.solve(f, b, answer); };
    const auto often = [&](auto& work) {
        return [&] {
            for (int i = 0; i < repeats; ++i)
                work();
        };
    };
    bind();
    factorise();
    solve();
    const auto times = least_in_turns(9, often(bind), often(factorise), often(solve));
    const double each = 1e9 / (static_cast<double>(repeats) * links);
    return {each * times[0], each * times[1], each * times[2], answer.residual};
}

/// The same chain in joint coordinates.
Cost articulated(int links, int repeats)
{
    const Model model = hanging_chain(links);
    const Linkage linkage = linkage_of(model);
    const auto inertias = link_inertias(linkage, model);
    const Coordinates at = start_coordinates(linkage, model);
    LinkageSpace<double> w(linkage);
    const std::vector<double> tau(at.v.size(), 0.0);
    std::vector<double> v_dot(at.v.size()), back(at.v.size());
    const Vec3<double> g = model.gravity().uniform;
    const auto forward = [&] {
        for (int i = 0; i < repeats; ++i)
            forward_dynamics<double>(linkage, inertias, at.q, at.v, tau, {}, g, v_dot, w);
    };
    const double time = least_in_turns(9, forward)[0];
    // The forces that these accelerations need are none, against those that gravity alone needs.
    inverse_dynamics<double>(linkage, inertias, at.q, at.v, v_dot, {}, g, back, w);
    double error = 0, size = 0;
    for (const double x : back)
        error = std::max(error, std::abs(x));
    inverse_dynamics<double>(linkage, inertias, at.q, at.v, {}, {}, g, back, w);
    for (const double x : back)
        size = std::max(size, std::abs(x));
    return {0, 0, 1e9 * time / (static_cast<double>(repeats) * links), error / size};
}

void print(const char* name, int links, const Cost& cost, double aba)
{
    std::printf("%s,%d,%.0f,%.0f,%.0f,%.0f,%.2f,%.1e\n", name, links, cost.rows, cost.factors,
                cost.answer, cost.all(), cost.all() / aba, cost.error);
}

/// p in cost per link ~ linksᵖ: zero where the cost is linear.
double exponent(int few, double cost_of_few, int many, double cost_of_many)
{
    return std::log(cost_of_many / cost_of_few) / std::log(static_cast<double>(many) / few);
}

} // namespace

int main()
{
    std::printf("method,links,ns_rows_per_link,ns_factors_per_link,ns_answer_per_link,ns_per_link,"
                "times_aba,error\n");
    std::map<int, double> aba, sparse, dense;
    for (const int links : {5, 10, 20, 50, 100, 200, 500, 1000}) {
        const Cost own = articulated(links, 100000 / links);
        aba[links] = own.all();
        print("aba", links, own, own.all());
        const Cost rows = multipliers<TreeDirect>(links, 20000 / links);
        sparse[links] = rows.all();
        print("sparse", links, rows, own.all());
        if (links > 200)
            continue;
        const Cost full = multipliers<Direct>(links, 1 + 100 / links);
        dense[links] = full.all();
        print("dense", links, full, own.all());
    }
    const auto tell = [](const char* name, const std::map<int, double>& cost, int few, int many) {
        std::printf("# %s: cost per link grows as links^%.2f from %d to %d\n", name,
                    exponent(few, cost.at(few), many, cost.at(many)), few, many);
    };
    tell("aba", aba, 50, 1000);
    tell("sparse", sparse, 50, 1000);
    tell("dense", dense, 50, 200);
    double worst = 0;
    for (const auto& [links, cost] : sparse)
        worst = std::max(worst, cost / aba.at(links));
    std::printf("# sparse multipliers cost at most %.2f times the articulated bodies\n", worst);
}
