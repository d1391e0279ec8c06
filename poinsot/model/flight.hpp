// SPDX-License-Identifier: MIT
#pragma once

// Planet, air, and what air does to a body, as described. What they do is in forces/.

#include "poinsot/math/table.hpp"
#include "poinsot/model/body.hpp"
#include "poinsot/model/control.hpp"
#include "poinsot/model/force.hpp"
#include "poinsot/model/tank.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace poinsot {

/// Shape, rotation and gravitation of what lies below.
///
/// Flat: x east, y north, z up, the ground at z = 0; weight is the model's uniform gravity.
/// Round: the world frame is inertial with its origin in the centre, z along the axis of rotation;
/// planet-fixed axes coincide with it at t = 0, and longitude zero is on x.
struct Planet {
    bool flat = true;
    double radius = 0;     // m; of the equator
    double flattening = 0; // 1 − polar/equatorial radius; 0: a sphere
    double rotation = 0;   // rad/s, about z; 0: at rest
    double mu = 0;         // m³/s²; 0: it does not attract
    double J2 = 0;         // oblateness of its gravitation; 0: inverse square
    double J2_radius = 0;  // m; the length that J2 is given with
};

/// WGS 84 [NIMA TR8350.2], with the J2 of its gravitation.
inline constexpr Planet wgs84{false,          6378137.0,     1 / 298.257223563, 7.292115e-5,
                              3.986004418e14, 0.00108262982, 6378137.0};
/// A sphere of the same surface as the Earth, attracting by the inverse square.
inline constexpr Planet round_earth{false, 6371007.1809, 0, 7.292115e-5, 3.986004418e14, 0, 0};

/// Wind at levels of altitude, linear between them. North, east, down; where the air goes to.
struct WindProfile {
    std::vector<double> altitude; // m, strictly increasing
    std::vector<Vec3<double>> velocity;
    Beyond beyond = Beyond::refuse;
};
/// w(t) = ½ W (1 − cos 2π (t − start)/duration) while it lasts, everywhere at once.
struct Gust {
    std::string name;
    Vec3<double> peak = zero3<double>(); // north, east, down
    double start = 0, duration = 0;      // s
};

struct Air {
    enum class Kind : unsigned char { none, uniform, standard };
    Kind kind = Kind::none;
    double density = 1.225;              // uniform: kg/m³
    double speed_of_sound = 340.294;     // uniform: m/s
    Vec3<double> wind = zero3<double>(); // steady; north, east, down
    WindProfile profile = {};            // added to the steady wind
    std::vector<Gust> gusts = {};        // added to both
    bool vacuum_above = false;           // standard: above its 86 km there is nothing
};

/// A table over how a body meets the air, and over controls. Without axes it is none.
struct Tabled {
    enum class Over : unsigned char { alpha, beta, mach, control };
    std::vector<Over> over = {};         // what the axes of the table are
    std::vector<int> over_controls = {}; // of those that are controls, in the same order: which
    Table table = {};

    /// Which control axis i of the table is; −1 if it is none.
    int control_of(std::size_t i) const
    {
        if (over[i] != Over::control)
            return -1;
        const auto nth = static_cast<std::size_t>(
            std::count(over.begin(), over.begin() + static_cast<std::ptrdiff_t>(i), Over::control));
        return nth < over_controls.size() ? over_controls[nth] : -1;
    }
};

/// One coefficient: a constant, what grows with angles, rates and controls, and a table.
///
///     C = constant + alpha α + beta β + p p̂ + q q̂ + r r̂ + Σ slope control + table(…)
///
/// p̂ = p b/2V, q̂ = q c/2V, r̂ = r b/2V with span b and chord c. What the rates are multiplied by
/// may have tables of its own, which are added to the numbers.
struct Coefficient : Tabled {
    double constant = 0, alpha = 0, beta = 0; // the slopes: per radian
    double p = 0, q = 0, r = 0;
    struct Slope {
        int control;
        double slope; // per unit of the control: per radian, or per whole throttle
    };
    std::vector<Slope> controls = {};
    Tabled p_table = {}, q_table = {}, r_table = {};

    bool grows_with_p() const { return p != 0 || !p_table.over.empty(); }
    bool grows_with_q() const { return q != 0 || !q_table.over.empty(); }
    bool grows_with_r() const { return r != 0 || !r_table.over.empty(); }
    /// All its tables, those of the rates last.
    std::array<const Tabled*, 4> tables() const { return {this, &p_table, &q_table, &r_table}; }
};

/// What the air does to a body that moves through it.
///
/// In the frame of its coefficients x points forward, y right and z down; α = atan2(w, u) and
/// β = asin(v/V) for the velocity (u, v, w) against the air of the frame's origin, which is where
/// the forces act.
struct Aerodynamics {
    std::string name;
    int body = 0;
    Pose<double> frame = identity_pose<double>(); // in the body frame
    double area = 0, span = 0, chord = 0;         // m², m, m
    Coefficient drag, side, lift;                 // forces along −V, to the right, and up
    Coefficient roll, pitch, yaw;                 // torques about x (span), y (chord), z (span)
};

/// Names what is wrong with them, for the Builder.
void inspect_flight(const std::vector<Body>& bodies, const Gravity& gravity, const Planet& planet,
                    const Air& air, const std::vector<Aerodynamics>& aerodynamics,
                    const std::vector<Control>& controls, Problems& found);
/// Which controls some coefficient, load or flow follows.
std::vector<char> controls_used(std::size_t controls, const std::vector<Aerodynamics>& aerodynamics,
                                const std::vector<AppliedLoad>& loads,
                                const std::vector<Flow>& flows);

} // namespace poinsot
