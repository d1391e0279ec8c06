// SPDX-License-Identifier: MIT
// Falling chains in joint coordinates, against a reference made with two other formulations.

#include "linkages.hpp"
#include "poinsot/dynamics/aba.hpp"

using namespace poinsot;

namespace {

/// n rods, each hinged at its end to the one before; at zero all hang straight down. Turning about
/// z, gravity along −y.
Builder chain(int n, double length, double mass, double I_cm)
{
    Builder b;
    for (int i = 0; i < n; ++i) {
        Body rod;
        rod.name = text_of("rod", i);
        rod.mass_properties = {mass, {0, -0.5 * length, 0}, diagonal(I_cm, 0.1 * I_cm, I_cm)};
        rod.pose.x = {0, -length * i, 0};
        b.add(rod);
        Joint hinge;
        hinge.name = text_of("hinge", i);
        hinge.a = i - 1;
        hinge.b = i;
        hinge.frame_a.x = i == 0 ? zero3<double>() : V3{0, -length, 0};
        b.add(hinge);
    }
    return b;
}

} // namespace

TEST_CASE("Chains of 2 and 5 rods fall from the horizontal as the reference says")
{
    const auto items = reference_items("chains.json");
    for (const char* which : {"double_pendulum", "chain5"}) {
        INFO(std::string(which));
        const auto& r = items.at(which);
        const int n = r.at("N");
        Rig rig(chain(n, r.at("link_length"), r.at("link_mass"), r.at("I_cm")), 1);
        const std::size_t nv = rig.nv();
        REQUIRE(nv == static_cast<std::size_t>(n));
        const V3 g{0, -r.at("g").get<double>(), 0};
        // absolute angles in the reference, relative ones in the joints
        std::vector<double> y(2 * nv, 0.0), tau(nv, 0.0);
        y[0] = r.at("theta0_from_down_rad")[0];
        const auto rate = [&](const std::vector<double>& at) {
            std::vector<double> out(2 * nv);
            std::copy(at.begin() + n, at.end(), out.begin());
            forward_dynamics<double>(rig.linkage, rig.inertias, {at.data(), nv},
                                     {at.data() + nv, nv}, tau, {}, g, {out.data() + nv, nv},
                                     rig.w);
            return out;
        };
        const auto plus = [](std::vector<double> a, double h, const std::vector<double>& b) {
            for (std::size_t i = 0; i < a.size(); ++i)
                a[i] += h * b[i];
            return a;
        };
        // The first second and a half: later the motion magnifies the last digits of either side.
        const int per_sample = 400;
        const double h = 0.1 / per_sample;
        for (std::size_t sample = 0; sample <= 15; ++sample) {
            double angle = 0, omega = 0;
            for (std::size_t i = 0; i < nv; ++i) {
                angle += y[i];
                omega += y[nv + i];
                // fourth order at h = 2.5e-4, and the reference's own 5e-11
                CHECK(near(angle, r.at("theta")[sample][i], 1e-9, 1));
                CHECK(near(omega, r.at("omega")[sample][i], 1e-8, 1));
            }
            for (int k = 0; k < per_sample; ++k) {
                const auto a = rate(y), b = rate(plus(y, h / 2, a)), c = rate(plus(y, h / 2, b)),
                           d = rate(plus(y, h, c));
                for (std::size_t i = 0; i < y.size(); ++i)
                    y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
            }
        }
    }
}
