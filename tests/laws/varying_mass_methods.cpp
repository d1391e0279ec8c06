// SPDX-License-Identifier: MIT
// Mass that varies, with every method: what it keeps on the books, and its order.

#include "poinsot/integrate/stiff.hpp"
#include "tankers.hpp"

using namespace poinsot;

TEST_CASE("Vehicle plus exhaust: mass, p and L are conserved to rounding")
{
    for (const Builder& b : {tanker(), tanker_with_arm()}) {
        const auto model = built(b);
        const bool joined = !b.joints.empty();
        for (const FormKind form : {FormKind::momentum, FormKind::matrix})
            for (const Method method :
                 {Method::explicit_euler, Method::symplectic_euler, Method::runge_kutta4,
                  Method::adaptive, Method::midpoint, Method::splitting}) {
                const Simulation sim = ran(model, run_with(method, 0.01, 1.5, form));
                const Books& books = sim.ledger().books();
                const std::string_view name = facts_of(method).name;
                CHECK_MESSAGE(std::abs(books.total.residual.mass) < 1e-13, name);
                CHECK_MESSAGE(p_residual(sim) < 1e-13, name, " ", p_residual(sim));
                CHECK_MESSAGE(norm(books.total.residual.spin) < 1e-12 * books.scale_spin, name, " ",
                              norm(books.total.residual.spin) / books.scale_spin);
                if (facts_of(method).promises_L)
                    CHECK_MESSAGE(norm(books.total.residual.L) < 1e-12 * books.scale_L, name, " ",
                                  norm(books.total.residual.L) / books.scale_L);
                CHECK_MESSAGE(sim.ledger().balanced(), sim.ledger().verdict());
                // What left, in all, is what the thrust has posted.
                CHECK(near(books.total.posted[index_of(Cause::thrust)].mass,
                           books.total.closing.mass - books.total.opening.mass, 1e-13));
                if (joined) // pairs cancel
                    CHECK(norm(books.total.posted[index_of(Cause::joint)].J) < 1e-11);
            }
    }
}

TEST_CASE(
    "Vehicle plus exhaust in joint coordinates: gauss closes p and L to rounding, others with "
    "the order they have")
{
    for (const Builder& b : {tanker(), tanker_with_arm()}) {
        const auto model = built(b);
        struct Missing {
            double p, spin, L;
        };
        const auto missing = [&](Method method, double h) {
            const Simulation sim = ran(model, run_in(Formulation::reduced, method, h, 1.5));
            const Books& books = sim.ledger().books();
            const Residual& r = books.total.residual;
            INFO(facts_of(method).name);
            CHECK(std::abs(r.mass) < 1e-13);
            CHECK(near(books.total.posted[index_of(Cause::thrust)].mass,
                       books.total.closing.mass - books.total.opening.mass, 1e-13));
            CHECK_MESSAGE(sim.ledger().balanced(), sim.ledger().verdict());
            return Missing{norm(r.p) / books.scale_p, norm(r.spin) / books.scale_spin,
                           norm(r.L) / books.scale_L};
        };
        // Of what it integrates gauss keeps p; the momentum of what flows inside changes with the
        // attitude, to eighth order.
        const Missing kept = missing(Method::gauss, 0.01);
        CHECK(kept.p < 1e-13);
        CHECK(kept.spin < 1e-12);
        CHECK(kept.L < 1e-12);
        const Missing within = missing(Method::adaptive, 0.01); // a tolerance of 1e-11
        CHECK(std::max({within.p, within.spin, within.L}) < 1e-11);
        for (const Method method : {Method::explicit_euler, Method::symplectic_euler,
                                    Method::midpoint, Method::runge_kutta4}) {
            const int order = facts_of(method).order;
            const double h = order == 1 ? 0.005 : 0.01;
            const Missing coarse = missing(method, h), fine = missing(method, 0.5 * h);
            for (double Missing::*what : {&Missing::p, &Missing::spin, &Missing::L}) {
                const double found = std::log2(coarse.*what / fine.*what);
                CHECK_MESSAGE(std::abs(found - order) < 0.1, facts_of(method).name, " ", found);
            }
        }
    }
}

TEST_CASE("A dropped posting of thrust shows in the residual")
{
    // The books of a run in which thrust is posted and one in which it is not differ by it.
    const auto model = built(tanker());
    for (const Formulation f : both) {
        RunSettings run = run_in(f, Method::runge_kutta4, 0.01, 1);
        run.ledger.detail = Postings::Detail::bodies;
        const Simulation sim = ran(model, run);
        const Posting& thrust = sim.ledger().books().total.posted[index_of(Cause::thrust)];
        CHECK(norm(thrust.J) > 0.1);
        CHECK(norm(thrust.S) > 0.01);
        CHECK(thrust.mass < -0.5);
        Ledger books(sim.ledger().settings(), *model,
                     place(*model, start_of(*model, FormKind::momentum, f)));
        Postings none(Postings::Detail::bodies);
        none.clear(1);
        books.book(*model, none, sim.placed());
        CHECK(!books.balanced());
        CHECK(books.verdict().find("mass") != std::string::npos);
        CHECK(near(books.books().total.residual.mass, thrust.mass, 1e-12));
        CHECK(norm(books.books().total.residual.p) > 0.1);
    }
}

TEST_CASE("Varying mass: every method keeps its order through the end of a burn")
{
    // Flows begin and end inside steps of every length used here.
    for (const Builder& b : {tanker(), tanker_with_arm()}) {
        const auto model = built(b);
        const double until = 1.44;
        const Placed exact = ran(model, tight(Formulation::maximal, 0.06, until, 1e-13)).placed();
        const auto error = [&](Method method, Formulation f, FormKind form, double h) {
            RunSettings run = run_in(f, method, h, until);
            run.step.form = form;
            return difference(ran(model, run).placed(), exact);
        };
        struct Case {
            Method method;
            double h;
            int order;
        };
        for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix})
            for (const Case& c :
                 {Case{Method::explicit_euler, 0.002, 1}, Case{Method::symplectic_euler, 0.002, 1},
                  Case{Method::body_frame, 0.002, 1}, Case{Method::midpoint, 0.02, 2},
                  Case{Method::splitting, 0.02, 2}, Case{Method::runge_kutta4, 0.04, 4}}) {
                if (c.method == Method::body_frame && form != FormKind::velocity)
                    continue;
                const double order =
                    std::log2(error(c.method, Formulation::maximal, form, c.h) /
                              error(c.method, Formulation::maximal, form, 0.5 * c.h));
                CHECK_MESSAGE(std::abs(order - c.order) < 0.25, facts_of(c.method).name, " ",
                              name_of(form), " ", order);
            }
        for (const Case& c :
             {Case{Method::explicit_euler, 0.002, 1}, Case{Method::symplectic_euler, 0.002, 1},
              Case{Method::midpoint, 0.02, 2}, Case{Method::runge_kutta4, 0.04, 4}}) {
            const double order =
                std::log2(error(c.method, Formulation::reduced, FormKind::momentum, c.h) /
                          error(c.method, Formulation::reduced, FormKind::momentum, 0.5 * c.h));
            CHECK_MESSAGE(std::abs(order - c.order) < 0.25, facts_of(c.method).name, " reduced ",
                          order);
        }
        CHECK(error(Method::adaptive, Formulation::reduced, FormKind::momentum, 0.06) < 1e-9);
        CHECK(error(Method::gauss, Formulation::reduced, FormKind::momentum, 0.06) < 1e-11);
        if (stiff_available())
            for (const Method method : {Method::adams, Method::bdf}) {
                for (const FormKind form :
                     {FormKind::momentum, FormKind::velocity, FormKind::matrix})
                    CHECK_MESSAGE(error(method, Formulation::maximal, form, 0.06) < 1e-7,
                                  facts_of(method).name, " ",
                                  error(method, Formulation::maximal, form, 0.06));
                CHECK(error(method, Formulation::reduced, FormKind::momentum, 0.06) < 1e-7);
            }
    }
}

TEST_CASE("Varying mass: gauss is of eighth order while it burns")
{
    // Nothing begins or ends: steps that are cut are as short as the cuts are apart.
    for (Builder b : {tanker(), tanker_with_arm()}) {
        for (Flow& flow : b.flows) {
            flow.from = 0;
            flow.until = 1;
        }
        b.tanks[0].content = 5;
        const auto model = built(b);
        const double until = 0.96;
        const Placed exact = ran(model, tight(Formulation::maximal, 0.06, until, 1e-13)).placed();
        const auto error = [&](double h) {
            return difference(
                ran(model, run_in(Formulation::reduced, Method::gauss, h, until)).placed(), exact);
        };
        const double order = std::log2(error(0.48) / error(0.24));
        CHECK_MESSAGE(std::abs(order - 8) < 0.5, order, " ", error(0.48), " ", error(0.24), " ",
                      error(0.12), " ", error(0.06));
        CHECK(error(0.06) < 1e-11);
    }
}

TEST_CASE("Varying mass: kinetic energy and the store of gravity close as the method's error falls")
{
    for (const Builder& b : {tanker(), tanker_with_arm()}) {
        const auto model = built(b);
        const auto missing = [&](Formulation f, Method method, double h) {
            const Simulation sim = ran(model, run_in(f, method, h, 1.44));
            const Residual& r = sim.ledger().books().total.residual;
            return std::abs(r.T) + std::abs(r.stores.gravity);
        };
        for (const Formulation f : both) {
            const double coarse = missing(f, Method::runge_kutta4, 0.01);
            const double fine = missing(f, Method::runge_kutta4, 0.005);
            CHECK_MESSAGE(std::log2(coarse / fine) > 3.5, coarse, " ", fine);
            CHECK(missing(f, Method::adaptive, 0.06) < 1e-9);
        }
        CHECK(missing(Formulation::reduced, Method::gauss, 0.06) < 1e-9);
        if (stiff_available())
            for (const Method method : {Method::adams, Method::bdf})
                for (const Formulation f : both) {
                    CHECK_MESSAGE(missing(f, method, 0.06) < 1e-7, facts_of(method).name, " ",
                                  missing(f, method, 0.06));
                    const Simulation sim = ran(model, run_in(f, method, 0.06, 1.44));
                    const Residual& r = sim.ledger().books().total.residual;
                    CHECK(std::abs(r.mass) < 1e-12);
                    CHECK(norm(r.p) + norm(r.L) < 1e-7);
                }
        struct Way {
            Formulation formulation;
            Method method;
        };
        for (const Way& way : {Way{Formulation::maximal, Method::midpoint},
                               {Formulation::maximal, Method::splitting},
                               {Formulation::reduced, Method::midpoint}}) {
            const double coarse = missing(way.formulation, way.method, 0.02);
            const double fine = missing(way.formulation, way.method, 0.01);
            CHECK_MESSAGE(std::log2(coarse / fine) > 1.7, facts_of(way.method).name, " ",
                          name_of(way.formulation), " ", coarse, " ", fine);
        }
    }
}
