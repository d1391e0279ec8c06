// SPDX-License-Identifier: MIT
#include "poinsot/forces/aero.hpp"

namespace poinsot {

namespace {

/// What the air is to a body at the point its coefficients are about.
struct Encounter {
    Vec3<double> r;    // from the centre of mass, world axes
    Mat3<double> axes; // of the coefficients, to world
    Horizon<double> at;
    AirState air;
    Vec3<double> v, omega; // against the air, axes of the coefficients
    Airflow<double> flow;
};
Encounter encounter_of(const Aerodynamics& described, const Planet& planet, const Air& air,
                       const PlacedBody& body, double t)
{
    Encounter e{};
    e.r = body.lever(described.frame.x);
    e.axes = body.R * matrix_of(described.frame.q);
    const Vec3<double> x = body.x + e.r;
    e.at = horizon(planet, x);
    e.air = air_at(air, e.at.altitude);
    const Vec3<double> v = body.v + cross(body.omega, e.r);
    e.v = transpose_times(e.axes, v - air_velocity(planet, air, x, e.at, t));
    e.omega = transpose_times(e.axes, body.omega - rotation_of(planet));
    e.flow = airflow_of(e.v, e.air.speed_of_sound);
    if (e.air.speed_of_sound == 0) // where there is nothing, nothing is fast or slow
        e.flow.mach = 0;
    return e;
}

std::array<double, 3> table_place(const Tabled& c, const Airflow<double>& flow,
                                  const ControlsNow& controls)
{
    std::array<double, 3> x{};
    std::size_t control = 0;
    for (std::size_t i = 0; i < c.over.size(); ++i)
        switch (c.over[i]) {
        case Tabled::Over::alpha:
            x[i] = flow.alpha;
            break;
        case Tabled::Over::beta:
            x[i] = flow.beta;
            break;
        case Tabled::Over::mach:
            x[i] = flow.mach;
            break;
        case Tabled::Over::control:
            x[i] = controls[c.over_controls[control++]];
            break;
        }
    return x;
}

double table_value(const Tabled& c, const Airflow<double>& flow, const ControlsNow& controls)
{
    const std::array<double, 3> x = table_place(c, flow, controls);
    return c.table.at({x.data(), c.over.size()});
}

} // namespace

CoefficientsNow<double> coefficients_of(const Aerodynamics& described, const Airflow<double>& flow,
                                        const Vec3<double>& omega, const ControlsNow& controls)
{
    const auto now = [&](const Coefficient& c) -> CoefficientNow<double> {
        double still = c.constant + c.alpha * flow.alpha + c.beta * flow.beta;
        for (const Coefficient::Slope& s : c.controls)
            still += s.slope * controls[s.control];
        if (!c.over.empty())
            still += table_value(c, flow, controls);
        const auto rate = [&](double number, const Tabled& tabled) {
            return tabled.over.empty() ? number : number + table_value(tabled, flow, controls);
        };
        return {still, rate(c.p, c.p_table) * omega.x * described.span +
                           rate(c.q, c.q_table) * omega.y * described.chord +
                           rate(c.r, c.r_table) * omega.z * described.span};
    };
    return {now(described.drag), now(described.side),  now(described.lift),
            now(described.roll), now(described.pitch), now(described.yaw)};
}

Airflow<double> airflow_at(const Aerodynamics& described, const Planet& planet, const Air& air,
                           const PlacedBody& body, double t)
{
    return encounter_of(described, planet, air, body, t).flow;
}

Wrench<double> aerodynamic_load(const Aerodynamics& described, const Planet& planet, const Air& air,
                                const PlacedBody& body, double t, const ControlsNow& controls)
{
    const Encounter e = encounter_of(described, planet, air, body, t);
    const Wrench<double> W =
        aerodynamic_wrench(coefficients_of(described, e.flow, e.omega, controls), e.air.density,
                           e.v, described.area, described.span, described.chord);
    const Vec3<double> F = e.axes * W.F;
    return {F, e.axes * W.tau + cross(e.r, F)};
}

std::string why_no_load(const Aerodynamics& described, const Planet& planet, const Air& air,
                        const PlacedBody& body, double t, const ControlsNow& controls)
{
    const Encounter e = encounter_of(described, planet, air, body, t);
    if (!finite(body.x) || !std::isfinite(e.at.altitude))
        return "";
    if (air.kind == Air::Kind::standard && !is_vacuum(air, e.at.altitude))
        if (const auto standard = standard_atmosphere(e.at.altitude); !standard)
            return standard.problems().list().front().what;
    if (!finite(wind_at(air, e.at.altitude, t)))
        return text_of("the wind profile ends at ", air.profile.altitude.front(), " m and ",
                       air.profile.altitude.back(), " m of altitude, asked for was ", e.at.altitude,
                       " m; add levels, or hold it beyond its ends");
    constexpr std::array names{"alpha", "beta", "mach"};
    const auto axis_name = [&](const Tabled& c, std::size_t i) -> std::string {
        if (c.over[i] != Tabled::Over::control)
            return names[static_cast<std::size_t>(c.over[i])];
        const auto control = static_cast<std::size_t>(c.control_of(i));
        return text_of("control '", (*controls.controls)[control].name, "'");
    };
    const auto beyond_its_ends = [&](const Tabled& c) -> std::string {
        const std::array<double, 3> x = table_place(c, e.flow, controls);
        for (std::size_t i = 0; i < c.over.size(); ++i) {
            const std::vector<double>& axis = c.table.axes[i];
            if (c.table.beyond == Beyond::refuse && !(x[i] >= axis.front() && x[i] <= axis.back()))
                return text_of("a table of ", described.name, " ends at ", axis_name(c, i), " ",
                               axis.front(), " and ", axis.back(), ", asked for was ", x[i],
                               "; add nodes, or hold it beyond its ends");
        }
        return "";
    };
    for (const Coefficient* c : {&described.drag, &described.side, &described.lift, &described.roll,
                                 &described.pitch, &described.yaw})
        for (const Tabled* tabled : c->tables())
            if (std::string why = beyond_its_ends(*tabled); !why.empty())
                return why;
    return "";
}

} // namespace poinsot
