// SPDX-License-Identifier: MIT
#include "poinsot/io/flight_signals.hpp"

#include "poinsot/forces/instruments.hpp"

#include <algorithm>

namespace poinsot {

namespace {

bool joined_to_world(const Model& model)
{
    for (const Joint& joint : model.joints())
        if (joint.a == world || joint.b == world)
            return true;
    return model.any_held();
}

} // namespace

FlightSignals::FlightSignals(const Model& model, const TrajectoryReader& run)
    : model_(model), run_(run), airy_(model.air().kind != Air::Kind::none),
      x_(run, "bodies/position"), q_(run, "bodies/orientation"), v_(run, "bodies/velocity"),
      omega_(run, "bodies/angular_velocity")
{
    const bool round = !model.planet().flat;
    const auto of = [&](const std::string& name) {
        return [&, name](const char* what, const char* unit) {
            names_.push_back({text_of(name, " / ", what), unit});
        };
    };
    const auto add_airflow = [](const auto& add, bool turns) {
        add("airspeed", "m/s");
        add("Mach", "1");
        if (turns) {
            add("angle of attack", "rad");
            add("sideslip", "rad");
        }
    };
    for (std::size_t i = 0; i < model.bodies().size(); ++i) {
        const auto body = static_cast<int>(i);
        const bool flown = std::any_of(model.aerodynamics().begin(), model.aerodynamics().end(),
                                       [&](const Aerodynamics& a) { return a.body == body; });
        if (!round && !flown)
            continue;
        bodies_.push_back(
            {i, flight_axes(model.aerodynamics(), body), run.head().particle[i] == 0});
        const auto add = of(run.head().names[i]);
        if (round) {
            add("latitude", "rad");
            add("longitude", "rad");
        }
        add("altitude", "m");
        for (const char* way : {"velocity north", "velocity east", "velocity down"})
            add(way, "m/s");
        if (bodies_.back().turns)
            for (const char* angle : {"heading", "pitch", "roll"})
                add(angle, "rad");
        if (airy_)
            add_airflow(add, bodies_.back().turns);
    }
    for (const Aerodynamics& surface : model.aerodynamics())
        add_airflow(of(surface.name), true);
    if (run.has("tanks/content") && run.row_size("tanks/content") == model.tanks().size())
        content_.emplace(run, "tanks/content");
    if (run.has("forces/force"))
        force_.emplace(run, "forces/force");
    for (std::size_t c = 0; c < run.head().force_causes.size(); ++c)
        if (run.head().force_causes[c] != "gravity")
            causes_felt_.push_back(c);
    const bool weight = round ? model.planet().mu > 0 : norm(model.gravity().uniform) > 0;
    const auto whole = of("whole");
    height_ = round || weight;
    felt_ = weight && force_ && !causes_felt_.empty() && !joined_to_world(model);
    if (height_)
        whole("height", "m");
    whole("speed", "m/s");
    if (felt_)
        whole("load factor", "1");
}

PlacedBody FlightSignals::placed(std::size_t body, std::size_t frame)
{
    PlacedBody made{};
    made.x = row_vec(x_.row(frame) + 3 * body);
    made.R = matrix_of(row_quat(q_.row(frame) + 4 * body));
    made.v = row_vec(v_.row(frame) + 3 * body);
    made.omega = row_vec(omega_.row(frame) + 3 * body);
    made.mass.m = run_.head().mass[body];
    made.mass.center = row_vec(run_.head().center_of_mass.data() + 3 * body);
    if (content_)
        for (std::size_t k = 0; k < model_.vessels().size(); ++k)
            if (model_.vessels()[k].body == static_cast<int>(body)) {
                const LoadedMass now(model_.vessels()[k].dry, model_.vessels()[k].fills,
                                     {content_->row(frame), model_.tanks().size()});
                made.mass.m = now.m;
                made.mass.center = vec_of(now.center);
            }
    return made;
}

/// n = |Σ F|/(m g) over all forces but gravity, with g where the centre of mass is. What a joint
/// with the world carries is not among the forces, so with one there is no n.
void FlightSignals::read_whole(std::size_t frame)
{
    double m = 0;
    Vec3<double> x = zero3<double>(), p = zero3<double>(), F = zero3<double>();
    for (std::size_t i = 0; i < run_.bodies(); ++i) {
        const PlacedBody body = placed(i, frame);
        m += body.mass.m;
        x += body.mass.m * body.x;
        p += body.mass.m * body.v;
        for (const std::size_t c : causes_felt_)
            if (felt_)
                F += row_vec(force_->row(frame) + 3 * (i * run_.head().force_causes.size() + c));
    }
    x = (1 / m) * x;
    const Planet& planet = model_.planet();
    const Vec3<double> g = planet.flat ? model_.gravity().uniform : gravitation(planet, x);
    if (height_)
        values_.push_back(planet.flat ? -dot(g, x) / norm(g) : horizon(planet, x).altitude);
    values_.push_back(norm((1 / m) * p - carried_velocity(planet, x)));
    if (felt_)
        values_.push_back(norm(F) / (m * norm(g)));
}

const std::vector<double>& FlightSignals::at(std::size_t frame)
{
    const double t = run_.head().time[frame];
    const Planet& planet = model_.planet();
    const auto push_airflow = [&](const Airflow<double>& air, bool turns) {
        values_.insert(values_.end(), {air.speed, air.mach});
        if (turns)
            values_.insert(values_.end(), {air.alpha, air.beta});
    };
    values_.clear();
    for (const Reading& reading : bodies_) {
        const Instruments read =
            instruments_of(planet, model_.air(), reading.axes, placed(reading.body, frame), t);
        if (!planet.flat)
            values_.insert(values_.end(), {read.at.latitude, read.at.longitude});
        values_.insert(values_.end(),
                       {read.at.altitude, read.velocity.x, read.velocity.y, read.velocity.z});
        if (reading.turns)
            values_.insert(values_.end(), {read.yaw, read.pitch, read.roll});
        if (airy_)
            push_airflow(read.air, reading.turns);
    }
    for (const Aerodynamics& surface : model_.aerodynamics())
        push_airflow(airflow_at(surface, planet, model_.air(),
                                placed(static_cast<std::size_t>(surface.body), frame), t),
                     true);
    read_whole(frame);
    return values_;
}

} // namespace poinsot
