// SPDX-License-Identifier: MIT
// Each sentence about the books is a test.

#include "worlds.hpp"

using namespace poinsot;

namespace {

constexpr double rounding = 1e-13; // of the largest term: a few hundred roundings of one step

const std::vector<Method> fixed_step{
    Method::explicit_euler, Method::symplectic_euler, Method::second_order, Method::midpoint,
    Method::runge_kutta4,   Method::splitting,        Method::impulsive};

std::shared_ptr<const Model> all_causes()
{
    Builder b = tied_bodies();
    b.springs[0].damping = 0.6;
    b.drags.push_back({"air", 1, 0.2, 0.1});
    b.loads.push_back({"jet", 0, {0.4, 0, 0.1}, {0, 0.2, 0}, {0.1, 0.2, 0}, true});
    b.gravity.G = 0.3;
    return built(b);
}

Books books_of(Method method, double h, std::shared_ptr<const Model> model = all_causes(),
               BookPoint about = {})
{
    RunSettings run = run_with(method, h, 0.5);
    run.ledger.about = std::move(about);
    return ran(std::move(model), run).ledger().books();
}

/// The order with which a residual of the run falls between h and h/2.
template <class Part>
double order(Method method, double h, Part part)
{
    return std::log2(part(books_of(method, h)) / part(books_of(method, h / 2)));
}

} // namespace

TEST_CASE("Books that are not kept neither balance nor fail to")
{
    RunSettings run = run_with(Method::explicit_euler, 0.01, 0.5);
    run.ledger.energy_tolerance = 1e-9;
    const Simulation kept = ran(all_causes(), run);
    CHECK(kept.ledger().unbalanced());
    run.ledger.detail = Postings::Detail::off;
    const Simulation off = ran(all_causes(), run);
    CHECK(!off.ledger().balanced());
    CHECK(!off.ledger().unbalanced());
    CHECK(off.ledger().verdict() == "not kept; the energy tolerance 1e-09 was not checked");
}

TEST_CASE("p and L about each centre of mass close to rounding with every fixed-step method")
{
    for (const Method method : fixed_step)
        for (const FormKind form : {FormKind::momentum, FormKind::matrix}) {
            if (method == Method::impulsive && form == FormKind::matrix)
                continue; // it keeps momenta
            INFO(facts_of(method).name);
            const Simulation sim = ran(all_causes(), run_with(method, 0.01, 0.5, form));
            const Books& books = sim.ledger().books();
            CHECK(books.worst_p < rounding);
            CHECK(books.worst_spin < rounding);
            for (const Account& body : books.bodies) { // 50 steps of it, body by body
                CHECK(norm(body.residual.p) < 50 * rounding * books.scale_p);
                CHECK(norm(body.residual.spin) < 50 * rounding * books.scale_spin);
            }
        }
}

TEST_CASE("The adaptive method closes p and L about the centres of mass to rounding as well")
{
    const Books books = books_of(Method::adaptive, 0.1);
    CHECK(books.worst_p < rounding);
    CHECK(books.worst_spin < rounding);
}

TEST_CASE("L about the origin closes to rounding where the position update keeps it")
{
    for (const Method method :
         {Method::symplectic_euler, Method::midpoint, Method::splitting, Method::impulsive}) {
        INFO(facts_of(method).name);
        CHECK(facts_of(method).promises_L);
        CHECK(books_of(method, 0.01).worst_L < rounding);
    }
}

TEST_CASE(
    "The residual of L about the origin falls with the order of explicit Euler and Runge-Kutta")
{
    const auto L = [](const Books& books) { return norm(books.total.residual.L); };
    CHECK(near(order(Method::explicit_euler, 1.0 / 1024, L), 1, 0.03));
    CHECK(near(order(Method::runge_kutta4, 1.0 / 256, L), 4, 0.03));
}

TEST_CASE("The kinetic book closes to rounding under loads with midpoint and splitting")
{
    for (const Method method : {Method::midpoint, Method::splitting}) {
        INFO(facts_of(method).name);
        const Books books = books_of(method, 0.01);
        CHECK(std::abs(books.total.residual.T) < 50 * rounding * books.scale_E);
        for (const Account& body : books.bodies)
            CHECK(std::abs(body.residual.T) < 50 * rounding * books.scale_E);
    }
}

TEST_CASE("The residuals of kinetic energy and of the stores fall with the order of the method")
{
    const auto T = [](const Books& books) { return std::abs(books.total.residual.T); };
    const auto spring = [](const Books& books) {
        return std::abs(books.total.residual.stores.spring);
    };
    const auto gravity = [](const Books& books) {
        return std::abs(books.total.residual.stores.gravity);
    };
    CHECK(near(order(Method::explicit_euler, 1.0 / 1024, T), 1, 0.05));
    CHECK(order(Method::runge_kutta4, 1.0 / 256, T) > 3.9); // the h⁴ term happens to be small here
    for (const Method method : {Method::midpoint, Method::splitting}) {
        CHECK(near(order(method, 1.0 / 128, spring), 2, 0.05));
        CHECK(near(order(method, 1.0 / 128, gravity), 2, 0.05));
    }
    CHECK(near(order(Method::runge_kutta4, 1.0 / 256, gravity), 4, 0.03));
}

TEST_CASE("Total energy is kinetic plus stores, and its residual is the sum of all residuals")
{
    // Without anything that takes energy away, what is missing from the total is the residual.
    const Books books = books_of(Method::runge_kutta4, 0.02, built(tied_bodies()));
    const Account& total = books.total;
    const double E0 = total.opening.T + books.opening_stores.total();
    const double E1 = total.closing.T + books.closing_stores.total();
    CHECK(near(E1 - E0, total.residual.E(), 1e-12, books.scale_E));
    CHECK(std::abs(total.residual.E()) > 1e-12 * books.scale_E); // and it is not nothing
}

TEST_CASE("Opening, postings and residual make the closing, of all bodies and of each, to rounding")
{
    for (const MethodFacts& method : methods) {
        if (!method.in_maximal || method.method == Method::body_frame)
            continue;
        INFO(std::string(method.name));
        RunSettings run = run_with(method.method, 0.01, 0.5);
        run.ledger.detail = Postings::Detail::bodies;
        const Simulation sim = ran(all_causes(), run);
        const Books& books = sim.ledger().books();
        std::vector<Account> accounts = books.bodies;
        REQUIRE(accounts.size() == 3);
        accounts.push_back(books.total);
        for (const Account& account : accounts) {
            Posting sum;
            for (const Posting& posting : account.posted)
                sum += posting;
            const Balance &from = account.opening, &to = account.closing;
            const Residual& r = account.residual;
            const double many = 50 * rounding; // 50 bookings
            CHECK(near(to.mass, from.mass + sum.mass + r.mass, 1e-15));
            CHECK(norm(to.p - (from.p + sum.J + r.p)) < many * books.scale_p);
            CHECK(norm(to.L - (from.L + sum.K + sum.S + r.L)) < many * books.scale_L);
            CHECK(norm(to.spin - (from.spin + sum.S + r.spin)) < many * books.scale_spin);
            CHECK(near(to.T, from.T + sum.work + r.T, many, books.scale_E));
        }
        // and a store: minus the work of its cause, and its own residual
        for (const auto& [cause, energy] : own_stores) {
            const double work = books.total.posted[index_of(cause)].work;
            const double made = books.total.residual.stores.*energy;
            CHECK(near(books.closing_stores.*energy, books.opening_stores.*energy - work + made,
                       50 * rounding, books.scale_E));
        }
        // the balances are those of the bodies as they are
        double T = 0;
        V3 p = zero3<double>(), L = zero3<double>();
        for (const PlacedBody& body : sim.placed().bodies) {
            p += body.p;
            L += body.L + cross(body.x, body.p);
            T += body.kinetic_energy();
        }
        CHECK(books.total.closing.p == p);
        CHECK(books.total.closing.L == L);
        CHECK(books.total.closing.T == T);
    }
}

TEST_CASE("Every cause that may post has a line of its own")
{
    for (const char* name :
         {"gravity", "applied", "spring", "damper", "drag", "thrust", "rotor", "joint", "motor",
          "limit", "contact_normal", "contact_friction", "contact_speculative", "stabilisation"}) {
        INFO(std::string(name));
        std::size_t lines = 0;
        for (std::size_t c = 0; c < cause_count; ++c)
            lines += name_of(static_cast<Cause>(c)) == name;
        CHECK(lines == 1);
    }
}

TEST_CASE("A store gives what its cause takes: work of gravity and springs is minus their change")
{
    const Books books = books_of(Method::splitting, 0.001);
    const auto work = [&](Cause cause) { return books.total.posted[index_of(cause)].work; };
    CHECK(near(-work(Cause::gravity), books.closing_stores.gravity - books.opening_stores.gravity,
               1e-5, books.scale_E)); // second order in h = 1e-3
    CHECK(near(-work(Cause::spring), books.closing_stores.spring - books.opening_stores.spring,
               1e-5, books.scale_E));
    CHECK(work(Cause::damper) < 0);
    CHECK(work(Cause::drag) < 0);
}

TEST_CASE("Newton's third law is visible: internal causes sum to zero over the system")
{
    Builder b = tied_bodies();
    b.springs.pop_back(); // the one to the wall
    b.springs[0].damping = 0.5;
    b.gravity = {zero3<double>(), 0.4};
    for (const Method method : fixed_step) {
        INFO(facts_of(method).name);
        const Books books = books_of(method, 0.01, built(b));
        for (const Cause cause : {Cause::spring, Cause::damper, Cause::gravity}) {
            const Posting& sum = books.total.posted[index_of(cause)];
            double largest = 0; // what a single body got of it
            for (const Account& body : books.bodies)
                largest = std::max(largest, norm(body.posted[index_of(cause)].J));
            CHECK(largest > 0.01);
            CHECK(norm(sum.J) < 1e-13 * largest);
            CHECK(norm(sum.K + sum.S) < 1e-12 * largest);
        }
        // so p of the whole is what it was, and L too where the method keeps it
        CHECK(norm(books.total.closing.p - books.total.opening.p) < 1e-13 * books.scale_p);
        if (facts_of(method).promises_L)
            CHECK(norm(books.total.closing.L - books.total.opening.L) < 1e-13 * books.scale_L);
    }
}

namespace {

/// Takes one step and books it with the postings of one cause times a factor: what that leaves is
/// the residual, and the verdict names it.
void check_lost(const std::shared_ptr<const Model>& model, const RunSettings& run, Cause cause,
                double factor, const char* named)
{
    INFO(name_of(run.step.formulation), ": ", name_of(cause), " times ", factor);
    const auto sim = Simulation::start(model, run);
    REQUIRE(sim);
    const Ledger::Settings settings = sim->ledger().settings(); // with what the method promises
    const Input nothing;
    State state = sim->state();
    Workspace w(*model, nothing, Postings::Detail::bodies);
    Ledger ledger(settings, *model, place(*model, state)), right = ledger;
    REQUIRE_FALSE(smooth_step(state, run.step, w).failure);
    const std::size_t bodies = model->bodies().size();
    Postings wrong(Postings::Detail::bodies);
    wrong.clear(bodies);
    wrong.shift_stores(w.postings.shifted());
    for (std::size_t i = 0; i < bodies; ++i)
        for (std::size_t c = 0; c < cause_count; ++c) {
            const Posting& p = w.postings.bodies()[i][c];
            const double f = c == index_of(cause) ? factor : 1;
            wrong.post(static_cast<int>(i), static_cast<Cause>(c),
                       {f * p.J, f * p.S, f * p.K, f * p.work});
        }
    ledger.book(*model, wrong, place(*model, state));
    right.book(*model, w.postings, place(*model, state));
    const Posting& lost = w.postings.totals()[index_of(cause)];
    const Residual &r = ledger.books().total.residual, &r0 = right.books().total.residual;
    CHECK(norm(r.p - r0.p - (1 - factor) * lost.J) < 1e-13 * ledger.books().scale_p);
    CHECK(norm(r.L - r0.L - (1 - factor) * (lost.K + lost.S)) < 1e-13 * ledger.books().scale_L);
    CHECK(near(r.T - r0.T, (1 - factor) * lost.work, 1e-10, ledger.books().scale_E));
    CHECK(right.verdict() == "");
    INFO(ledger.verdict());
    CHECK(ledger.verdict().find(named) != std::string::npos);
}

/// An arm on a hinge that rubs and is driven, and strikes its stop within the first step of 10 ms.
std::shared_ptr<const Model> arm_that_strikes()
{
    Builder b;
    b.gravity.uniform = {0, -9.81, 0};
    Joint joint;
    joint.name = "hinge";
    joint.b = b.add(body_with("arm", 2, diagonal(0.1, 0.2, 0.3), zero3<double>(), zero3<double>()));
    joint.frame_b.x = {-0.5, 0, 0};
    joint.start = {0};
    joint.start_speed = {1};
    CoordinateLaw& law = joint.laws.emplace_back();
    law.friction = 0.5;
    law.motor.emplace().target.value = 3;
    law.upper = 0.005;
    law.restitution = 0.5;
    b.add(joint);
    return built(b);
}

} // namespace

TEST_CASE("A dropped posting shows as the residual it leaves, a flipped sign as twice that")
{
    for (const double factor : {0.0, -1.0}) {
        const RunSettings loads = run_with(Method::splitting, 0.01, 1);
        for (const Cause cause : {Cause::gravity, Cause::spring, Cause::drag, Cause::applied})
            check_lost(all_causes(), loads, cause, factor, "momentum");
        const RunSettings maximal = run_with(Method::symplectic_euler, 0.01, 1);
        for (const Cause cause :
             {Cause::joint, Cause::motor, Cause::damper, Cause::limit, Cause::stabilisation})
            check_lost(arm_that_strikes(), maximal, cause, factor, "momentum");
        // In joint coordinates p and L are derived, and nobody promises them: energy tells.
        RunSettings reduced = run_with(Method::runge_kutta4, 0.01, 1);
        reduced.step.formulation = Formulation::reduced;
        reduced.ledger.energy_tolerance = 1e-6;
        for (const Cause cause : {Cause::motor, Cause::damper, Cause::limit})
            check_lost(arm_that_strikes(), reduced, cause, factor, "energy");
    }
}

TEST_CASE("At a frozen configuration the change of kinetic energy is the sum of J · (u + u')/2")
{
    // One symplectic step of zero length in place: all causes kick at once.
    const auto model = all_causes();
    const Input nothing;
    const RunSettings run = run_with(Method::symplectic_euler, 0.05, 1);
    State state = start_of(*model, FormKind::momentum);
    Workspace w(*model, nothing, Postings::Detail::totals);
    const Placed before = place(*model, state);
    smooth_step(state, run.step, w);
    Placed kicked = before; // new momenta at the old places
    const Placed after = place(*model, state);
    double T0 = 0, T1 = 0, work = 0;
    for (std::size_t i = 0; i < before.bodies.size(); ++i) {
        set_motion(kicked.bodies[i], after.bodies[i].p, after.bodies[i].L);
        T0 += before.bodies[i].kinetic_energy();
        T1 += kicked.bodies[i].kinetic_energy();
    }
    for (const Posting& posting : w.postings.totals())
        work += posting.work;
    CHECK(near(T1 - T0, work, 1e-13, T1));
    CHECK(std::abs(work) > 1e-3 * T1);
}

TEST_CASE(
    "The books close about any point: fixed, on a body, the centre of mass, or moving at will")
{
    const auto fixed = [](const Placed&) { return V3{3, -2, 5}; };
    const auto riding = [](const Placed& p) {
        return p.bodies[1].x + p.bodies[1].R * V3{0.3, 0.2, 1};
    };
    // moving as the user prescribes: its place is read off a clock, here the particle's fall
    const auto wild = [](const Placed& p) { return V3{p.bodies[2].x.z * 4, 1, p.bodies[2].v.x}; };
    for (const BookPoint& about :
         {BookPoint(fixed), BookPoint(riding), BookPoint(system_center), BookPoint(wild)}) {
        const Books books = books_of(Method::splitting, 0.01, all_causes(), about);
        CHECK(books.worst_L < rounding);
        const Account& total = books.total;
        Posting sum;
        for (const Posting& posting : total.posted)
            sum += posting;
        // opening + causes + the line of the moving point = closing
        CHECK(norm(total.opening.L + sum.K + sum.S + total.moving_point - total.closing.L) <
              50 * rounding * books.scale_L);
    }
    // The v_A × p line is zero for a fixed point and for the centre of mass, and only there.
    CHECK(norm(books_of(Method::splitting, 0.01, all_causes(), fixed).total.moving_point) == 0);
    // (midpoint moves the centre along the mean momentum exactly; splitting to second order)
    const Books center = books_of(Method::midpoint, 0.01, all_causes(), system_center);
    CHECK(norm(center.total.moving_point) < 1e-13 * center.scale_L);
    CHECK(norm(books_of(Method::splitting, 0.01, all_causes(), riding).total.moving_point) > 0.01);
}

TEST_CASE("About a moving point the residual is what it is about the origin, no more")
{
    const auto riding = [](const Placed& p) { return p.bodies[1].x; };
    const Books about_O = books_of(Method::runge_kutta4, 0.05);
    const Books moving = books_of(Method::runge_kutta4, 0.05, all_causes(), riding);
    CHECK(norm(about_O.total.residual.L - moving.total.residual.L) < 1e-13 * about_O.scale_L);
    CHECK(norm(about_O.total.residual.L) > 1e-9 * about_O.scale_L);
}

TEST_CASE("The books of all bodies add up to the total")
{
    const Books books = books_of(Method::splitting, 0.01);
    for (std::size_t c = 0; c < cause_count; ++c) {
        Posting sum;
        for (const Account& body : books.bodies)
            sum += body.posted[c];
        CHECK(norm(sum.J - books.total.posted[c].J) < 1e-13 * books.scale_p);
        CHECK(norm(sum.K + sum.S - books.total.posted[c].K - books.total.posted[c].S) <
              1e-12 * books.scale_L);
        CHECK(near(sum.work, books.total.posted[c].work, 1e-12, books.scale_E));
    }
}

TEST_CASE("SUNDIALS: postings are quadratures and the books close to its tolerance")
{
    for (const Method method : {Method::adams, Method::bdf}) {
        RunSettings run = run_with(method, 0.1, 0.5);
        run.step.tolerance = {1e-9, 1e-11, 100000};
        const Simulation sim = ran(all_causes(), run);
        CHECK(sim.ledger().books().worst_p < 1e-6); // local errors of 1e-9 in some hundred steps
        CHECK(sim.ledger().books().worst_L < 1e-6);
        CHECK(sim.ledger().books().worst_p > 0);
    }
}

TEST_CASE("Booking every N steps gives the same totals as booking every step")
{
    RunSettings run = run_with(Method::runge_kutta4, 0.01, 0.5);
    const Books every = ran(all_causes(), run).ledger().books();
    run.ledger_every = 7; // 50 is no multiple: the last booking is a short one
    const Books seventh = ran(all_causes(), run).ledger().books();
    CHECK(norm(every.total.closing.p - seventh.total.closing.p) == 0);
    CHECK(norm(every.total.residual.L - seventh.total.residual.L) < 1e-13 * every.scale_L);
    for (std::size_t c = 0; c < cause_count; ++c)
        CHECK(near(every.total.posted[c].work, seventh.total.posted[c].work, 1e-13, every.scale_E));
}

TEST_CASE("Keeping the books does not change the motion")
{
    for (const Method method : fixed_step) {
        RunSettings run = run_with(method, 0.01, 0.2);
        const std::uint64_t with = hash_of(ran(all_causes(), run).state());
        run.ledger.detail = Postings::Detail::off;
        CHECK(hash_of(ran(all_causes(), run).state()) == with);
        run.ledger.detail = Postings::Detail::totals;
        CHECK(hash_of(ran(all_causes(), run).state()) == with);
    }
}

namespace {

/// Whether anything at all was posted: `post` adds up whatever it is given, also where nobody wants
/// to know.
bool posted_anything(const Postings& postings)
{
    const PostingSizes& sizes = postings.sizes();
    const Stores& shifted = postings.shifted();
    bool any = sizes.J != 0 || sizes.S != 0 || sizes.K != 0 || sizes.work != 0 ||
               shifted.gravity != 0 || shifted.spring != 0 || shifted.rotor != 0;
    for (const Posting& posting : postings.totals())
        any = any || posting.mass != 0 || posting.work != 0 || norm(posting.J) != 0;
    return any || !postings.bodies().empty();
}

struct Cost {
    bool posted = false, booked = false;
    std::int64_t evaluations = 0;
};
Cost cost_of(const std::shared_ptr<const Model>& model, RunSettings run, Postings::Detail detail)
{
    Cost cost;
    run.ledger.detail = detail;
    const Input nothing;
    State state = start_of(*model, run.step.form, run.step.formulation);
    Workspace w(*model, nothing, detail);
    Ledger ledger(run.ledger, *model, place(*model, state));
    for (int i = 0; i < 20; ++i) {
        const StepReport report = smooth_step(state, run.step, w);
        REQUIRE_FALSE(report.failure);
        cost.evaluations += report.evaluations;
        cost.posted = cost.posted || posted_anything(w.postings);
        ledger.book(*model, w.postings, place(*model, state));
    }
    const Books& books = ledger.books();
    cost.booked = books.total.closing.mass != 0 || !books.bodies.empty() || books.scale_p != 0 ||
                  books.closing_stores.total() != 0;
    return cost;
}

} // namespace

TEST_CASE("A ledger that is off costs nothing: no posting is made, none is booked, no load is "
          "evaluated for it")
{
    Builder chain; // joints, limits, motors and touch
    chain.gravity.uniform = {0, 0, -9.81};
    for (int i = 0; i < 3; ++i) {
        Body body = body_with(i == 0   ? "a"
                              : i == 1 ? "b"
                                       : "c",
                              1, diagonal(0.1, 0.1, 0.1), zero3<double>(), zero3<double>());
        body.pose.x = {i + 0.5, 0, 1};
        chain.add(body);
        Joint hinge;
        hinge.name = text_of("hinge", i);
        hinge.kind = JointKind::revolute;
        hinge.a = i - 1;
        hinge.b = i;
        const Quat<double> about_y = exp_quat(V3{-M_PI / 2, 0, 0});
        hinge.frame_a = {i == 0 ? V3{0, 0, 1} : V3{0.5, 0, 0}, about_y};
        hinge.frame_b = {{-0.5, 0, 0}, about_y};
        chain.add(hinge);
    }
    const auto hinged = built(chain);
    for (const MethodFacts& method : methods)
        for (const Formulation formulation : {Formulation::maximal, Formulation::reduced})
            for (const auto& model : {all_causes(), hinged}) {
                RunSettings run = run_with(method.method, 0.01, 1);
                run.step.formulation = formulation;
                if (method.method == Method::body_frame)
                    run.step.form = FormKind::velocity;
                if (unfit(*model, run.step).any())
                    continue;
                INFO(std::string(method.name), " ", std::string(name_of(formulation)));
                const Cost off = cost_of(model, run, Postings::Detail::off);
                CHECK_FALSE(off.posted);
                CHECK_FALSE(off.booked);
                const Cost totals = cost_of(model, run, Postings::Detail::totals);
                CHECK(totals.posted); // what would be seen if it were made
                CHECK(totals.booked);
                CHECK(off.evaluations == totals.evaluations);
                CHECK(off.evaluations > 0);
            }
}

TEST_CASE("The verdict: mass, p and L may be off by 1e-9 of their largest term, and by no more")
{
    Builder b;
    b.add(body_with("b", 1, diagonal(1.0, 1.0, 1.0), {1, 0, 0}, {0, 0, 1}));
    const auto model = built(b); // p = 1, L = 1, T = 1, mass 1
    const Placed stays = place(*model, start_of(*model, FormKind::momentum));
    struct Fault {
        const char* names;
        void (*of)(Posting& posting, double off);
        double limit;
    };
    const Fault faults[] = {
        {"mass", [](Posting& p, double off) { p.mass = off; }, 1e-9},
        {"momentum p", [](Posting& p, double off) { p.J.y = off; }, 1e-9},
        {"angular momentum L", [](Posting& p, double off) { p.K.x = off; }, 1e-9},
        {"about the centres of mass", [](Posting& p, double off) { p.S.y = off, p.K.y = -off; },
         1e-9},
        {"energy", [](Posting& p, double off) { p.work = off; }, 1e-6},
    };
    for (const Fault& fault : faults)
        for (const double sign : {1.0, -1.0})
            for (const double part : {0.0, 0.999, 1.001}) {
                INFO(std::string(fault.names), " ", part);
                Ledger::Settings settings;
                settings.energy_tolerance = 1e-6;
                Ledger ledger(settings, *model, stays);
                Postings postings;
                postings.clear(1);
                Posting wrong;
                fault.of(wrong, sign * part * fault.limit);
                postings.post(0, Cause::applied, wrong); // and yet nothing moved
                ledger.book(*model, postings, stays);
                CHECK(ledger.balanced() == (part < 1));
                if (part > 1) { // that alone
                    CHECK(ledger.verdict().find(fault.names) != std::string::npos);
                    CHECK(ledger.verdict().find(';') == std::string::npos);
                }
                // two bookings within the limit are beyond it together
                if (part > 0) {
                    ledger.book(*model, postings, stays);
                    CHECK_FALSE(ledger.balanced());
                }
            }
}

TEST_CASE("The verdict: who does not promise p, L or spin is not judged by it")
{
    Builder b;
    b.add(body_with("b", 1, diagonal(1.0, 1.0, 1.0), {1, 0, 0}, {0, 0, 1}));
    const auto model = built(b);
    const Placed stays = place(*model, start_of(*model, FormKind::momentum));
    Ledger::Settings settings;
    settings.promises_momentum = settings.promises_spin = settings.promises_L = false;
    Postings postings;
    postings.clear(1);
    postings.post(0, Cause::applied, Posting{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, 0});
    Ledger ledger(settings, *model, stays);
    ledger.book(*model, postings, stays);
    CHECK(ledger.balanced());
    CHECK(norm(ledger.books().total.residual.p) == 1); // reported all the same
    // mass everybody keeps
    Posting lost;
    lost.mass = 0.1;
    postings.post(0, Cause::thrust, lost);
    ledger.book(*model, postings, stays);
    CHECK_FALSE(ledger.balanced());
}

TEST_CASE("The verdict: energy is judged only against a tolerance that was given")
{
    RunSettings run = run_with(Method::explicit_euler, 0.01, 0.5);
    CHECK(ran(all_causes(), run).ledger().balanced());
    run.ledger.energy_tolerance = 1e-6;
    const Simulation sim = ran(all_causes(), run);
    CHECK_FALSE(sim.ledger().balanced());
    CHECK(sim.ledger().verdict().find("energy") != std::string::npos);
}

TEST_CASE("Books with a number that is none or infinite do not balance")
{
    Builder b;
    b.add_particle("p", 1, zero3<double>(), zero3<double>());
    const auto model = built(b);
    const Placed start = place(*model, start_of(*model, FormKind::momentum));
    for (const double bad : {double(INFINITY), std::nan("")}) {
        Ledger in_p({}, *model, start), in_T({}, *model, start);
        Postings postings;
        postings.clear(1);
        postings.post(0, Cause::applied, Posting{{bad, 0, 0}, zero3<double>(), zero3<double>(), 0});
        in_p.book(*model, postings, start);
        CHECK_FALSE(in_p.balanced());
        postings.clear(1);
        postings.post(0, Cause::applied,
                      Posting{zero3<double>(), zero3<double>(), zero3<double>(), bad});
        in_T.book(*model, postings, start);
        CHECK_FALSE(in_T.balanced());
    }
}
