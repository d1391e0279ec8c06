// SPDX-License-Identifier: MIT
#include "poinsot/model/bushing.hpp"

#include "poinsot/math/dense.hpp"

#include <cmath>

namespace poinsot {

bool Six::none() const
{
    return *this == Six{};
}

Six six_of(const std::array<double, 6>& d)
{
    Six six;
    six.push = diagonal(d[0], d[1], d[2]);
    six.turn = diagonal(d[3], d[4], d[5]);
    return six;
}

std::array<std::array<double, 6>, 6> rows_of(const Six& six)
{
    const Sym3<double>&p = six.push, &t = six.turn;
    const Mat3<double>& m = six.mixed;
    return {{{p.xx, p.xy, p.xz, m.r0.x, m.r0.y, m.r0.z},
             {p.xy, p.yy, p.yz, m.r1.x, m.r1.y, m.r1.z},
             {p.xz, p.yz, p.zz, m.r2.x, m.r2.y, m.r2.z},
             {m.r0.x, m.r1.x, m.r2.x, t.xx, t.xy, t.xz},
             {m.r0.y, m.r1.y, m.r2.y, t.xy, t.yy, t.yz},
             {m.r0.z, m.r1.z, m.r2.z, t.xz, t.yz, t.zz}}};
}

std::optional<Six> six_of(const std::array<std::array<double, 6>, 6>& r)
{
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (r[i][j] != r[j][i])
                return std::nullopt;
    Six six;
    six.push = {r[0][0], r[1][1], r[2][2], r[0][1], r[0][2], r[1][2]};
    six.turn = {r[3][3], r[4][4], r[5][5], r[3][4], r[3][5], r[4][5]};
    six.mixed = {
        {r[0][3], r[0][4], r[0][5]}, {r[1][3], r[1][4], r[1][5]}, {r[2][3], r[2][4], r[2][5]}};
    return six;
}

Bushing bushing_of(const Joint& joint, const TurnLaw& law)
{
    Bushing made{joint.name, joint.a, joint.b, joint.frame_a, joint.frame_b};
    // exp φ = R_aᵀ (R_b R_restᵀ)
    made.frame_b.q = joint.frame_b.q * conjugate(law.rest);
    made.stiffness.turn = diagonal(law.stiffness.x, law.stiffness.y, law.stiffness.z);
    made.damping.turn = diagonal(law.damping.x, law.damping.y, law.damping.z);
    return made;
}

namespace {

bool finite_six(const Six& six)
{
    for (const auto& row : rows_of(six))
        for (const double value : row)
            if (!std::isfinite(value))
                return false;
    return true;
}

/// Does it hold energy, or lose it, whichever way it is moved? Rows and columns are first scaled to
/// a diagonal of ones, so that newtons beside newton-metres do not matter.
bool never_negative(const Six& six)
{
    const auto rows = rows_of(six);
    Eigen::MatrixXd scaled(6, 6);
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j) {
            const double size = std::sqrt(rows[i][i]) * std::sqrt(rows[j][j]);
            if (!(rows[i][i] >= 0) || (size == 0 && rows[i][j] != 0))
                return false;
            scaled(static_cast<int>(i), static_cast<int>(j)) = size > 0 ? rows[i][j] / size : 0;
        }
    SymmetricEigen eigen;
    eigen.factorise(scaled);
    return eigen.values()(0) >= -1e-12; // rounding of six products
}

void inspect_bushing(const Bushing& bushing, const std::vector<Body>& bodies, Problems& found)
{
    const auto wrong = [&](const char* key, const auto&... parts) {
        found.add_at(bushing.name, key, parts...);
    };
    const int count = static_cast<int>(bodies.size());
    for (const int body : {bushing.a, bushing.b}) {
        if (body != world && !(body >= 0 && body < count))
            wrong("bodies", "is fixed to a body that does not exist");
        else if (body != world && bodies[static_cast<std::size_t>(body)].particle)
            wrong("bodies", "a particle has no attitude to hold; use springs, or make it a body");
    }
    if (bushing.a == bushing.b)
        wrong("bodies", "both ends are on the same body; name another, or the world");
    for (const auto& [key, frame] :
         {std::pair("frame_a", &bushing.frame_a), std::pair("frame_b", &bushing.frame_b)}) {
        if (!finite(frame->x))
            wrong(key, "position must be finite");
        const double n = std::sqrt(norm2(frame->q));
        if (!(std::abs(n - 1) <= 1e-6)) // seven digits typed
            wrong(key, "orientation must be a unit quaternion, its norm is ", n,
                  "; divide by its norm");
    }
    for (const auto& [key, six] :
         {std::pair("stiffness", &bushing.stiffness), std::pair("damping", &bushing.damping)}) {
        if (!finite_six(*six))
            wrong(key, key, " must be finite");
        else if (!never_negative(*six))
            wrong(key, key,
                  " must take energy whichever way it is moved: a matrix without negative "
                  "eigenvalues, or six numbers that are not negative");
    }
    if (bushing.stiffness.none() && bushing.damping.none())
        wrong("stiffness", "has neither stiffness nor damping, and does nothing; give one of them");
}

} // namespace

void inspect_bushings(const std::vector<Body>& bodies, const std::vector<Bushing>& bushings,
                      Problems& found)
{
    for (const Bushing& bushing : bushings)
        inspect_bushing(bushing, bodies, found);
}

} // namespace poinsot
