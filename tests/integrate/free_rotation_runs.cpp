// SPDX-License-Identifier: MIT
// Free rotation as a simulation steps through it, with every form of the state.
#include "free_rotation.hpp"
#include "worlds.hpp"

using namespace poinsot;
using namespace poinsot::free_rotation_tests;

namespace {

/// What a body does in so many steps of `splitting`, from the attitude of its principal axes.
Rotated run_in_steps(const V& I, const V& omega, double t, int steps, FormKind form)
{
    Builder b;
    b.add(body_with("body", 2, diagonal(I.x, I.y, I.z), {0.3, -0.2, 0.1}, omega));
    RunSettings run = run_with(Method::splitting, t / steps, t, form);
    run.ledger.detail = Postings::Detail::off;
    const Simulation sim = ran(built(b), run);
    CHECK(sim.state().step == steps);
    const PlacedBody body = sim.placed().bodies[0];
    return {quat_of(body.R), transpose_times(body.R, body.L)};
}

} // namespace

TEST_CASE("Free rotation by splitting: 1000 revolutions in 1, 100 and 10000 steps to 1e-10, in "
          "every form of the state")
{
    // those of the reference that are well-conditioned
    const Reference tumble("tumble_123"), box("boxes_simple");
    const V about_x = Reference::vec3(box.item["omega0"]);
    for (const FormKind form : {FormKind::momentum, FormKind::velocity, FormKind::matrix})
        for (const int steps : {1, 100, 10000}) {
            CAPTURE(name_of(form));
            CAPTURE(steps);
            // From ω to L and back, or from a matrix to a quaternion, is one more rounding in every
            // step: 10000 of them come to 1.2e-10.
            const bool rounds = form != FormKind::momentum && steps == 10000;
            for (std::size_t i = 0; i < tumble.item["long_t"].size(); ++i)
                tumble.check(
                    "long_", i,
                    run_in_steps(tumble.I, tumble.omega, tumble.item["long_t"][i], steps, form),
                    rounds ? 2e-10 : 1e-10);
            // ½ |ω| t = 1000 π about a principal axis
            const double t = 2000 * std::numbers::pi / norm(about_x);
            const Rotated y = run_in_steps(box.I, about_x, t, steps, form);
            CHECK(near(apart(y.q, no_turn), 0, 1e-10, 1));
            CHECK(near(norm(rates(box.I, y.L_b) - about_x), 0, 1e-10, norm(about_x)));
        }
}
