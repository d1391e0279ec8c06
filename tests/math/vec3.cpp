// SPDX-License-Identifier: MIT
#include "poinsot/math/vec3.hpp"
#include "math/kernels.hpp"

using namespace poinsot;

namespace {

using V = Vec3<double>;
using M = Mat3<double>;

constexpr double rounding = 16 * eps; // a dozen operations on numbers of size one, three components

const M one = identity3<double>();

M minus(const M& a)
{
    return -1.0 * a;
}
/// A property of three vectors of size one.
template <class Property>
bool holds_for_vectors(const Property& property)
{
    return rc::check([&](unsigned seed) {
        Dice dice(seed);
        const V a = dice.vec(), b = dice.vec(), c = dice.vec();
        RC_ASSERT(property(a, b, c));
    });
}

} // namespace

TEST_CASE("Cross product: a × a = 0 and a × b = −(b × a), to the bit")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const double size = std::exp2(dice.in(-300, 300));
        const V a = dice.vec(size), b = dice.vec(1 / size);
        RC_ASSERT((cross(a, a) == V{0, 0, 0}));
        RC_ASSERT(cross(a, b) == -cross(b, a));
    }));
}

TEST_CASE("Cross product: it is across both factors, right-handed, and as long as their area")
{
    CHECK((cross(V{1, 0, 0}, V{0, 1, 0}) == V{0, 0, 1}));
    CHECK((cross(V{0, 1, 0}, V{0, 0, 1}) == V{1, 0, 0}));
    CHECK((cross(V{0, 0, 1}, V{1, 0, 0}) == V{0, 1, 0}));
    CHECK(holds_for_vectors([](const V& a, const V& b, const V&) {
        const V n = cross(a, b);
        const double area2 = norm2(a) * norm2(b) - dot(a, b) * dot(a, b); // Lagrange
        return near(dot(n, a), 0, rounding, 1) && near(dot(n, b), 0, rounding, 1) &&
               near(norm2(n), area2, rounding, 4);
    }));
}

TEST_CASE("Jacobi: a × (b × c) + b × (c × a) + c × (a × b) = 0")
{
    CHECK(holds_for_vectors([](const V& a, const V& b, const V& c) {
        const V sum = cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b));
        return norm(sum) <= rounding;
    }));
}

TEST_CASE("Triple products: a × (b × c) = b (a·c) − c (a·b), and a·(b × c) turns in a circle")
{
    CHECK(holds_for_vectors([](const V& a, const V& b, const V& c) {
        const double volume = dot(a, cross(b, c));
        return distance(cross(a, cross(b, c)), dot(a, c) * b - dot(a, b) * c) <= rounding &&
               near(volume, dot(b, cross(c, a)), rounding, 4) &&
               near(volume, dot(c, cross(a, b)), rounding, 4) &&
               near(volume, determinant(M{a, b, c}), rounding, 4);
    }));
}

TEST_CASE("Triple products of the documents: v × (ω × (ω × v)) = −ω × (v × (v × ω))")
{
    CHECK(holds_for_vectors([](const V& v, const V& w, const V& c) {
        // the step from the point masses to the inertia: both are (v × ω)(v·ω)
        const V left = cross(v, cross(w, cross(w, v)));
        const bool swapped = distance(left, -cross(w, cross(v, cross(v, w)))) <= 2 * rounding &&
                             distance(left, dot(v, w) * cross(v, w)) <= 2 * rounding;
        // r × (ω × r) = (r·r 1 − r rᵀ) ω
        const Sym3<double> I = norm2(c) * diagonal(1.0, 1.0, 1.0) - square(c);
        const bool inertia = distance(cross(c, cross(w, c)), I * w) <= rounding;
        // c × (ω × v) + v × (c × ω) + ω × (v × c) = 0, about an arbitrary point
        const V sum = cross(c, cross(w, v)) + cross(v, cross(c, w)) + cross(w, cross(v, c));
        return swapped && inertia && norm(sum) <= rounding;
    }));
}

TEST_CASE("Skew: [a×] b = a × b, [a×]ᵀ = −[a×], [a×][a×] = a aᵀ − a·a 1")
{
    CHECK(holds_for_vectors([](const V& a, const V& b, const V& c) {
        const M A = skew(a), B = skew(b);
        return distance(A * c, cross(a, c)) <= rounding && transpose(A) == minus(A) &&
               distance(A * A, outer(a, a) - norm2(a) * one) <= rounding &&
               distance(A * B - B * A, skew(cross(a, b))) <= rounding && // the commutator
               trace(A) == 0;
    }));
}

TEST_CASE("cr: cr(a bᵀ) = a × b to the bit, and cr([a×]) = −2a")
{
    CHECK(holds_for_vectors([](const V& a, const V& b, const V& c) {
        return cr(outer(a, b)) == cross(a, b) && cr(skew(a)) == -2.0 * a &&
               cr(full(square(c))) == V{0, 0, 0} && // a symmetric matrix hides nothing
               distance(cr(outer(a, b) + outer(b, c)), cross(a, b) + cross(b, c)) <= rounding;
    }));
}

TEST_CASE("Matrices: products associate, transposes reverse, determinants multiply")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const M A = dice.matrix(), B = dice.matrix(), C = dice.matrix();
        const V v = dice.vec();
        RC_ASSERT(distance((A * B) * C, A * (B * C)) <= 4 * rounding);
        RC_ASSERT(distance((A * B) * v, A * (B * v)) <= 4 * rounding);
        RC_ASSERT(distance(transpose(A * B), transpose(B) * transpose(A)) <= rounding);
        RC_ASSERT(transpose_times(A, v) == transpose(A) * v);
        RC_ASSERT(near(determinant(A * B), determinant(A) * determinant(B), rounding, 36));
        RC_ASSERT(near(determinant(transpose(A)), determinant(A), rounding, 6));
        RC_ASSERT(near(trace(A * B), trace(B * A), rounding, 9));
        RC_ASSERT(A * one == A);
        RC_ASSERT(one * A == A);
        RC_ASSERT(distance(A, full(symmetric(A)) - 0.5 * skew(cr(A))) <=
                  rounding); // A = sym + skew
    }));
}

TEST_CASE("Symmetric matrices: they act as their full form")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Sym3<double> S = dice.positive();
        const V v = dice.vec();
        RC_ASSERT(S * v == full(S) * v);
        RC_ASSERT(symmetric(full(S)) == S);
        RC_ASSERT(square(v) == symmetric(outer(v, v)));
        RC_ASSERT(trace(S) == trace(full(S)));
        RC_ASSERT(determinant(S) == determinant(full(S)));
    }));
}

TEST_CASE("Symmetric matrices: the inverse undoes, whatever the unit")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const double unit = std::exp2(dice.in(-100, 100)); // det is unit³: far from overflow
        const Sym3<double> S = dice.positive(unit), inv = inverse(S);
        // the condition is at most 4
        RC_ASSERT(distance(full(S) * full(inv), one) <= 4 * rounding);
        const V v = dice.vec();
        RC_ASSERT(distance(inv * (S * v), v) <= 4 * rounding);
        RC_ASSERT(near(determinant(inv) * determinant(S), 1, 4 * rounding));
    }));
    CHECK(inverse(diagonal(2.0, 4.0, 8.0)) == diagonal(0.5, 0.25, 0.125));
}

TEST_CASE("Symmetric matrices: from other axes, A S Aᵀ; a turn keeps trace, determinant and form")
{
    CHECK(rc::check([](unsigned seed) {
        Dice dice(seed);
        const Sym3<double> S = dice.positive();
        const M A = dice.matrix(), R = matrix_of(dice.turn());
        RC_ASSERT(distance(full(congruent(A, S)), A * full(S) * transpose(A)) <= 8 * rounding);
        const Sym3<double> turned = congruent(R, S);
        RC_ASSERT(near(trace(turned), trace(S), rounding));
        RC_ASSERT(near(determinant(turned), determinant(S), 4 * rounding));
        const V v = dice.vec();
        RC_ASSERT(near(dot(R * v, turned * (R * v)), dot(v, S * v), 4 * rounding));
        RC_ASSERT(distance(full(congruent(transpose(R), turned)), full(S)) <= 4 * rounding);
        RC_ASSERT(distance(full(inverse(turned)), full(congruent(R, inverse(S)))) <= 4 * rounding);
        RC_ASSERT(distance(R * skew(v) * transpose(R), skew(R * v)) <= rounding);
    }));
}

TEST_CASE("Vectors: length is homogeneous and obeys the triangle")
{
    CHECK(holds_for_vectors([](const V& a, const V& b, const V& c) {
        const double s = c.x;
        return near(norm(s * a), std::abs(s) * norm(a), 4 * eps) &&
               norm(a + b) <= (norm(a) + norm(b)) * (1 + 4 * eps) &&
               near(norm(normalised(a)), 1, 4 * eps) &&
               distance(mul_add(s, a, b), s * a + b) <= 4 * eps;
    }));
}
