// SPDX-License-Identifier: MIT
#include "poinsot/step/both.hpp"

#include "poinsot/forces/gather.hpp"

#include <algorithm>

namespace poinsot {

namespace {

void note(Difference& worst, double size, double time, int body)
{
    if (!(size > worst.largest))
        return;
    worst = {size, time, body};
}

struct Whole {
    double energy = 0;
    Vec3<double> p = zero3<double>(), L = zero3<double>();
};
Whole whole_of(const Model& model, const Placed& placed)
{
    Whole all;
    all.energy = stores_of(model, placed).total();
    for (const PlacedBody& body : placed.bodies) {
        all.energy += body.kinetic_energy();
        all.p += body.p;
        all.L += body.L + cross(body.x, body.p);
    }
    return all;
}

bool has(const Problems& problems, const Problem& one)
{
    return std::any_of(problems.list().begin(), problems.list().end(), [&](const Problem& p) {
        return p.place == one.place && p.key == one.key && p.what == one.what;
    });
}

} // namespace

void Differences::note(const Model& model, const Placed& one, const Placed& other, double time)
{
    using poinsot::note;
    for (std::size_t i = 0; i < one.bodies.size(); ++i) {
        const PlacedBody &a = one.bodies[i], &b = other.bodies[i];
        const int body = static_cast<int>(i);
        note(position, norm(a.x - b.x), time, body);
        note(velocity, norm(a.v - b.v), time, body);
        if (model.bodies()[i].particle)
            continue;
        note(attitude, norm(log_matrix(transpose(a.R) * b.R)), time, body);
        note(angular_velocity, norm(a.omega - b.omega), time, body);
    }
    const Whole a = whole_of(model, one), b = whole_of(model, other);
    note(energy, std::abs(a.energy - b.energy), time, Difference::whole);
    note(p, norm(a.p - b.p), time, Difference::whole);
    note(L, norm(a.L - b.L), time, Difference::whole);
}

Method method_in(Formulation formulation, Method method)
{
    const MethodFacts& facts = facts_of(method);
    if (formulation == Formulation::maximal ? facts.in_maximal : facts.in_reduced)
        return method;
    switch (method) {
    case Method::splitting:
        return Method::gauss;
    case Method::second_order:
    case Method::body_frame:
        return Method::explicit_euler;
    default: // gauss
        return Method::runge_kutta4;
    }
}

Result<SideBySide> SideBySide::start(std::shared_ptr<const Model> model, RunSettings settings)
{
    Problems found;
    RunSettings in_maximal = settings, in_reduced = settings;
    for (auto [run, formulation] :
         {std::pair(&in_maximal, Formulation::maximal), {&in_reduced, Formulation::reduced}}) {
        run->step.formulation = formulation;
        run->step.method = method_in(formulation, settings.step.method);
        if (run->step.method != settings.step.method && run->step.method == Method::gauss &&
            unfit(*model, run->step).any())
            run->step.method = Method::runge_kutta4;
    }
    auto maximal = Simulation::start(model, std::move(in_maximal));
    auto reduced = Simulation::start(std::move(model), std::move(in_reduced));
    for (const auto* one : {&maximal, &reduced})
        if (!*one)
            for (const Problem& p : one->problems().list())
                if (!has(found, p))
                    found.add_at(p.place, p.key, p.what);
    if (found.any())
        return found;
    return SideBySide(std::move(*maximal), std::move(*reduced));
}

void SideBySide::compare()
{
    differences_.note(maximal_.model(), maximal_.placed(), reduced_.placed(), maximal_.time());
}

std::optional<std::string> SideBySide::step()
{
    if (const auto ended = maximal_.step())
        return "in maximal coordinates: " + *ended;
    if (const auto ended = reduced_.step())
        return "in reduced coordinates: " + *ended;
    compare();
    return std::nullopt;
}

void SideBySide::close_books()
{
    maximal_.close_books();
    reduced_.close_books();
}

void SideBySide::interrupt_by(const std::atomic<bool>* stop)
{
    maximal_.interrupt_by(stop);
    reduced_.interrupt_by(stop);
}

std::string SideBySide::verdict() const
{
    if (off())
        return maximal_.ledger().verdict();
    std::string all;
    for (const Simulation* one : {&maximal_, &reduced_})
        if (const std::string verdict = one->ledger().verdict(); !verdict.empty())
            all += text_of(all.empty() ? "" : "; ", "in ",
                           name_of(one->settings().step.formulation), " coordinates: ", verdict);
    return all;
}

} // namespace poinsot
