// SPDX-License-Identifier: MIT
// No #pragma once: each instruction set includes this once, inside its own namespace.
//
// Flies blocks of eight bodies with registers of W doubles. Block is Flock::Block, Sums is LaneSums;
// both are plain arrays, the same for every instruction set.

template <int W, class Block>
FreeBody<Pack<double, W>> load(const Block& block, int first)
{
    using P = Pack<double, W>;
    const auto lanes = [&](const double* from) {
        P pack;
        __builtin_memcpy(&pack.v, from + first, sizeof pack.v);
        return pack;
    };
    return {{lanes(block.x[0]), lanes(block.x[1]), lanes(block.x[2])},
            {lanes(block.q[0]), lanes(block.q[1]), lanes(block.q[2]), lanes(block.q[3])},
            {lanes(block.p[0]), lanes(block.p[1]), lanes(block.p[2])},
            {lanes(block.L[0]), lanes(block.L[1]), lanes(block.L[2])},
            lanes(block.inv_m),
            {lanes(block.inv_I[0]), lanes(block.inv_I[1]), lanes(block.inv_I[2])}};
}

template <int W>
void store(double* to, int first, const Pack<double, W>& pack)
{
    __builtin_memcpy(to + first, &pack.v, sizeof pack.v);
}

template <int W>
void add(double* to, int first, const Pack<double, W>& term)
{
    Pack<double, W> sum;
    __builtin_memcpy(&sum.v, to + first, sizeof sum.v);
    store(to, first, sum + term);
}

/// p, x × p + L and T of the bodies at the start of the step, onto the sums of their lanes.
template <int W, class Sums>
void add_totals(Sums& sums, int first, const FreeBody<Pack<double, W>>& body,
                const Vec3<Pack<double, W>>& omega_b)
{
    using P = Pack<double, W>;
    const Vec3<P> L = cross(body.x, body.p) + body.L;
    const P half = constant<P>(0.5), one = constant<P>(1.0);
    // T = ½ (p²/m + Σ ω_b² I)
    const Vec3<P> I{one / body.inv_I.x, one / body.inv_I.y, one / body.inv_I.z};
    const P turning = dot(Vec3<P>{I.x * omega_b.x, I.y * omega_b.y, I.z * omega_b.z}, omega_b);
    add(sums.p[0], first, body.p.x);
    add(sums.p[1], first, body.p.y);
    add(sums.p[2], first, body.p.z);
    add(sums.L[0], first, L.x);
    add(sums.L[1], first, L.y);
    add(sums.L[2], first, L.z);
    add(sums.T, first, half * mul_add(body.inv_m, norm2(body.p), turning));
}

template <int W, class Block, class Sums>
void fly(Block* blocks, std::size_t count, double h, Sums* sums)
{
    for (std::size_t b = 0; b < count; ++b)
        for (int first = 0; first < 8; first += W) {
            FreeBody<Pack<double, W>> body = load<W>(blocks[b], first);
            const FreeBody<Pack<double, W>> start = body;
            const auto omega_b = fly_freely(body, Pack<double, W>(h));
            if (sums)
                add_totals<W>(*sums, first, start, omega_b);
            store(blocks[b].x[0], first, body.x.x);
            store(blocks[b].x[1], first, body.x.y);
            store(blocks[b].x[2], first, body.x.z);
            store(blocks[b].q[0], first, body.q.w);
            store(blocks[b].q[1], first, body.q.x);
            store(blocks[b].q[2], first, body.q.y);
            store(blocks[b].q[3], first, body.q.z);
        }
}
