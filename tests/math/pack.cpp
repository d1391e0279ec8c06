// SPDX-License-Identifier: MIT
#include "poinsot/math/pack.hpp"
#include "math/kernels.hpp"

using namespace poinsot;

namespace {

/// Runs a kernel on W random tapes at once, and on each alone.
template <class P>
bool lanes_have_the_bits_of_the_plain_number(std::size_t kernel, Dice& dice)
{
    using T = Real<P>;
    // As many arguments as the kernel takes; half of the trials have edges in them.
    const std::size_t count = arguments(kernel, dice).size();
    const bool wild = dice.whole(0, 1) == 0;
    std::vector<std::vector<T>> alone;
    std::vector<P> together(count, P(T(0)));
    for (int lane = 0; lane < P::width; ++lane) {
        std::vector<T> tape;
        if (wild)
            while (tape.size() < count)
                tape.push_back(dice.edge<T>());
        else
            for (const double a : arguments(kernel, dice))
                tape.push_back(static_cast<T>(a));
        for (std::size_t i = 0; i < count; ++i)
            together[i].set(lane, tape[i]);
        alone.push_back(run(kernel, tape));
    }
    const std::vector<P> packed = run(kernel, together);
    for (std::size_t lane = 0; lane < P::width; ++lane)
        for (std::size_t i = 0; i < packed.size(); ++i)
            if (const T a = packed[i][static_cast<int>(lane)], b = alone[lane][i];
                !same_bits(a, b)) {
                MESSAGE(name_of(kernel) << ": result " << i << " in lane " << lane << " is " << a
                                        << ", alone it is " << b);
                return false;
            }
    return true;
}

template <class P>
void check_lanes()
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        for (std::size_t kernel = 0; kernel < kernel_count(); ++kernel)
            for (int i = 0; i < 5; ++i)
                RC_ASSERT(lanes_have_the_bits_of_the_plain_number<P>(kernel, dice));
    }));
}

} // namespace

TEST_CASE("Pack: four doubles have in each lane the bits of the plain number, in every kernel")
{
    check_lanes<Pack<double, 4>>();
}

TEST_CASE("Pack: eight doubles have in each lane the bits of the plain number, in every kernel")
{
    check_lanes<Pack<double, 8>>();
}

TEST_CASE("Pack: eight floats have in each lane the bits of the plain number, in every kernel")
{
    check_lanes<Pack<float, 8>>();
}

TEST_CASE("Pack: two doubles have in each lane the bits of the plain number, in every kernel")
{
    check_lanes<Pack<double, 2>>();
}

TEST_CASE("ArrayPack: the oracle has in each lane the bits of the plain number, in every kernel")
{
    check_lanes<ArrayPack<double, 4>>();
    check_lanes<ArrayPack<float, 8>>();
}

TEST_CASE("Pack: any and all look at every lane")
{
    const auto look = []<class P>(P) {
        for (int holds = 0; holds < 16; ++holds) {
            P a(0.0);
            for (int lane = 0; lane < 4; ++lane)
                a.set(lane, holds >> lane & 1 ? 1.0 : 0.0);
            const auto mask = a > P(0.5);
            CHECK(any(mask) == (holds != 0));
            CHECK(all(mask) == (holds == 15));
            for (int lane = 0; lane < 4; ++lane) {
                CHECK(mask[lane] == (a[lane] == 1.0));
                CHECK((!mask)[lane] != mask[lane]);
            }
        }
    };
    look(Pack<double, 4>(0.0));
    look(ArrayPack<double, 4>(0.0));
}

TEST_CASE("Pack: one number fills all lanes, sign of zero and infinity included")
{
    for (const double a : {0.0, -0.0, 1.5, -0x1p-1074, std::numeric_limits<double>::infinity()}) {
        const Pack<double, 8> pack(a);
        for (int lane = 0; lane < 8; ++lane)
            CHECK(same_bits(pack[lane], a));
    }
    Pack<double, 4> sum(2.0);
    sum += 3.0;
    sum -= 1.0;
    sum *= 2.0;
    CHECK(all(sum == Pack<double, 4>(8.0)));
}

TEST_CASE("Pack: a NaN stays in its lane")
{
    Vec3<Pack<double, 4>> u{0.1, 0.2, 0.3};
    u.y.set(2, std::numeric_limits<double>::quiet_NaN());
    const auto q = exp_quat(u);
    for (int lane = 0; lane < 4; ++lane)
        CHECK(std::isnan(q.w[lane]) == (lane == 2));
}
