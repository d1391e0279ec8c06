// SPDX-License-Identifier: MIT
#include "geometry/pairs.hpp"

using namespace poinsot;

namespace {

/// One of the kinds of pairs.hpp, by name.
NamedShape one_of(Dice& dice, std::initializer_list<const char*> kinds)
{
    const auto& names = shape_names();
    const auto name = *(kinds.begin() + dice.whole(0, static_cast<int>(kinds.size()) - 1));
    const auto at = std::find_if(names.begin(), names.end(),
                                 [&](const char* known) { return std::string(known) == name; });
    return random_shape(dice, static_cast<std::size_t>(at - names.begin()));
}

/// Calls visit(A, pose, B, pose, gap) for pairs that stand apart.
template <class Visit>
void each_pair_apart(std::initializer_list<const char*> a, std::initializer_list<const char*> b,
                     Visit visit)
{
    Dice dice(7);
    for (int trial = 0; trial < 2000; ++trial) {
        const NamedShape A = one_of(dice, a), B = one_of(dice, b);
        const Pose<double> pa{dice.vec(1), dice.turn()}, pb{dice.vec(3), dice.turn()};
        if (const Gap gap = gap_between(A.shape, pa, B.shape, pb); gap.distance > 0)
            visit(A, pa, B, pb, gap);
    }
}

} // namespace

TEST_CASE("Touch: what is moved along the normal keeps its normal and its point, through contact")
{
    // Only convex, and round where they meet or on a face: there the direction is one and the same
    // apart, touching and inside. Before features met to rounding, it was off by up to 4e-5.
    int met = 0;
    each_pair_apart({"ellipsoid", "capsule", "ball"},
                    {"ellipsoid", "cylinder", "cone", "box", "triangle"},
                    [&](const NamedShape& A, const Pose<double>& pa, const NamedShape& B,
                        Pose<double> pb, const Gap& apart) {
                        if (flat_faced(A.shape) && flat_faced(B.shape))
                            return; // an exact search of its own
                        INFO(A.name, " and ", B.name);
                        const Vec3<double> n = apart.normal;
                        for (const double to : {1e-3, 1e-6, 1e-13, -1e-6}) {
                            pb.x = pb.x - (gap_between(A.shape, pa, B.shape, pb).distance - to) * n;
                            const Gap gap = gap_between(A.shape, pa, B.shape, pb);
                            CHECK(std::abs(gap.distance - to) <
                                  1e-14); // rounding of shapes of size 1, five apart
                            CHECK(norm(gap.normal - n) < 1e-12); // the same over the least radius
                            CHECK(norm(gap.on_a - apart.on_a) < 1e-11);
                            ++met;
                        }
                    });
    CHECK(met > 2000);
}

TEST_CASE("Touch: the normal of contact is that of an ellipsoid's surface where it is touched")
{
    // n ∥ ∂/∂r (x²/a² + y²/b² + z²/c²), at a depth of up to a part of the size.
    each_pair_apart(
        {"ellipsoid"}, {"ellipsoid", "cylinder", "cone", "box", "capsule"},
        [&](const NamedShape& A, const Pose<double>& pa, const NamedShape& B, Pose<double> pb,
            const Gap& apart) {
            INFO(A.name, " and ", B.name);
            for (const double to : {1e-9, -1e-9, -1e-3}) {
                pb.x = pb.x - (gap_between(A.shape, pa, B.shape, pb).distance - to) * apart.normal;
                const Gap gap = gap_between(A.shape, pa, B.shape, pb);
                const Vec3<double> r = rotate(conjugate(pa.q), gap.on_a - pa.x), s = A.shape.size;
                const Vec3<double> gradient{r.x / (s.x * s.x), r.y / (s.y * s.y),
                                            r.z / (s.z * s.z)};
                const Vec3<double> n = rotate(pa.q, (1 / norm(gradient)) * gradient);
                CHECK(norm(n - gap.normal) < 1e-11); // rounding, times up to ten of curvature
            }
        });
}
