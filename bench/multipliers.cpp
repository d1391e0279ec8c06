// SPDX-License-Identifier: MIT
// How does a hanging chain scale? Dense multipliers as n³, sparse ones as n. Per evaluation and
// body: rows, factors, answer; with the backward error of the answer.

#include "measure.hpp"
#include "poinsot/model/builder.hpp"
#include "poinsot/solve/bonds.hpp"
#include "poinsot/solve/direct.hpp"

#include <cstdio>

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

template <class Solver>
void report(const char* name, int links, int repeats)
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
    std::printf("%s,%d,%.0f,%.0f,%.0f,%.1e\n", name, links, each * times[0], each * times[1],
                each * times[2], answer.residual);
}

} // namespace

int main()
{
    std::printf("solver,links,ns_rows_per_body,ns_factors_per_body,ns_answer_per_body,residual\n");
    for (const int links : {5, 10, 20, 50, 100, 200, 500, 1000})
        report<TreeDirect>("sparse", links, 20000 / links);
    for (const int links : {5, 10, 20, 50})
        report<Direct>("dense", links, 1 + 100 / links);
}
