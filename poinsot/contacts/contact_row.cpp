// SPDX-License-Identifier: MIT
#include "poinsot/contacts/contact_row.hpp"

namespace poinsot {

namespace {

/// The bodies of a manifold: world does not count.
struct Ends {
    std::array<int, 2> body{};
    std::array<double, 2> sign{};
    int count = 0;

    void add(int which, double s)
    {
        if (which == world)
            return;
        body[static_cast<std::size_t>(count)] = which;
        sign[static_cast<std::size_t>(count++)] = s;
    }
};

/// Begins a block whose rows are added next.
void begin_block(const Ends& ends, Cause cause, int manifold, Rows& out)
{
    Block block;
    block.origin = Block::Origin::contact;
    block.cause = cause;
    block.index = manifold;
    block.bodies = ends.count;
    for (int i = 0; i < ends.count; ++i)
        block.body[static_cast<std::size_t>(i)] = ends.body[static_cast<std::size_t>(i)];
    block.first_row = out.count();
    block.first_J = static_cast<int>(out.J.size());
    out.blocks.push_back(block);
}

/// A row of the last block: force F at P and torque tau on b, the opposite on a.
void add_row(const Ends& ends, const Placed& placed, const PairRow<double>& pair, Rows& out)
{
    Row row;
    row.g = pair.g;
    row.scale = pair.scale;
    for (std::size_t i = 0; i < static_cast<std::size_t>(ends.count); ++i) {
        const PlacedBody& body = placed.bodies[static_cast<std::size_t>(ends.body[i])];
        const Wrench<double> J = ends.sign[i] * wrench_on(pair, body.x);
        out.J.push_back(J);
        row.g_dot += power(J, body.twist());
    }
    out.rows.push_back(row);
    ++out.blocks.back().rows;
}

} // namespace

void place_skins(const Model& model, const Placed& placed, std::vector<Pose<double>>& out)
{
    const auto& skins = model.skins();
    out.resize(skins.size());
    for (std::size_t i = 0; i < skins.size(); ++i) {
        out[i] = skins[i].pose;
        if (skins[i].body == world)
            continue;
        const PlacedBody& body = placed.bodies[static_cast<std::size_t>(skins[i].body)];
        const Pose<double> frame{body.x - body.R * body.mass.center, quat_of(body.R)};
        out[i] = frame * skins[i].pose;
    }
}

int most_rows_of(const ContactLaw& law)
{
    return 1 + 2 * (law.static_friction > 0) + (law.torsion > 0) + 2 * (law.rolling > 0);
}

void bind_contacts(const Model& model, const Placed& placed, std::span<const Manifold> manifolds,
                   Rows& out, std::vector<TouchRows>& points)
{
    points.clear();
    for (std::size_t k = 0; k < manifolds.size(); ++k) {
        const Manifold& m = manifolds[k];
        Ends ends;
        ends.add(model.skins()[static_cast<std::size_t>(m.a)].body, -1);
        ends.add(model.skins()[static_cast<std::size_t>(m.b)].body, 1);
        bool turns = false; // does a torque move either?
        for (std::size_t i = 0; i < static_cast<std::size_t>(ends.count); ++i)
            turns =
                turns || placed.bodies[static_cast<std::size_t>(ends.body[i])].mass.inv_I_b.xx > 0;
        const ContactLaw& law = model.contact_law(m.a, m.b);
        const Vec3<double> n = m.normal, t_1 = m.tangent, t_2 = cross(n, t_1),
                           none = zero3<double>();
        double height = 0; // of the points along n, on average
        for (int p = 0; p < m.count; ++p) {
            const ContactPoint& at = m.point[static_cast<std::size_t>(p)];
            height += dot(n, 0.5 * (at.on_a + at.on_b)) / m.count;
        }
        for (int p = 0; p < m.count; ++p) {
            const ContactPoint& at = m.point[static_cast<std::size_t>(p)];
            TouchRows rows{static_cast<int>(k), p, law, out.count()};
            Vec3<double> P = 0.5 * (at.on_a + at.on_b);
            if (m.count > 1)
                P += (height - dot(n, P)) * n;
            const auto push = [&](const Vec3<double>& e, double gap) {
                add_row(ends, placed, {P, e, none, gap, 0, 1}, out);
            };
            const auto twist = [&](const Vec3<double>& e) {
                add_row(ends, placed, {P, none, e, 0, 0, 1}, out);
            };
            begin_block(ends, Cause::contact_normal, rows.manifold, out);
            push(n, at.gap);
            const bool slides = law.static_friction > 0;
            if (slides || (turns && (law.torsion > 0 || law.rolling > 0)))
                begin_block(ends, Cause::contact_friction, rows.manifold, out);
            if (slides) {
                push(t_1, 0);
                push(t_2, 0);
                rows.tangents = 2;
            }
            if (turns && law.torsion > 0) {
                twist(n);
                rows.twists = 1;
            }
            if (turns && law.rolling > 0) {
                twist(t_1);
                twist(t_2);
                rows.rolls = 2;
            }
            points.push_back(rows);
        }
    }
}

} // namespace poinsot
