// SPDX-License-Identifier: MIT
#include "poinsot/constraints/stabilise.hpp"

namespace poinsot {

void baumgarte_pull(const Rows& rows, const Baumgarte& by, std::vector<double>& b)
{
    b.resize(rows.rows.size());
    for (std::size_t r = 0; r < b.size(); ++r)
        b[r] = -2 * by.alpha * rows.rows[r].g_dot - by.beta * by.beta * rows.rows[r].g;
}

double place_error(const Rows& rows)
{
    // A point at the origin has terms as small as its error; what it can be put right to is the
    // rounding of its neighbours.
    double largest = 0, worst = 0;
    for (const Row& row : rows.rows)
        largest = row.scale <= largest ? largest : row.scale;
    for (const Row& row : rows.rows) {
        const double scale = row.scale > 1e-3 * largest ? row.scale : 1e-3 * largest;
        const double error = row.g == 0 ? 0 : abs(row.g) / scale; // all terms may be zero
        worst = error <= worst ? worst : error;                   // a NaN stays
    }
    return worst;
}

void place_lacks(const Rows& rows, std::vector<double>& b)
{
    b.resize(rows.rows.size());
    for (std::size_t r = 0; r < b.size(); ++r)
        b[r] = -rows.rows[r].g;
}
void speed_lacks(const Rows& rows, std::vector<double>& b)
{
    b.resize(rows.rows.size());
    for (std::size_t r = 0; r < b.size(); ++r)
        b[r] = -rows.rows[r].g_dot;
}

void displace(PlacedBody& body, const Twist<double>& by, Projection& noted)
{
    const Quat<double> turn = exp_quat(by.omega);
    body.x += by.v;
    body.R = matrix_of(turn) * body.R;
    set_motion(body, body.p, body.L);
    noted.dx += by.v;
    noted.turn = turn * noted.turn;
}

} // namespace poinsot
