// SPDX-License-Identifier: MIT
#pragma once

// The stages of an implicit step of a linkage, side by side in one pack, and the sweep that brings
// them closer to Hamilton's equations.
//
//     u_i = h Σ_j a_ij u̇_j         P_i = P₀ + h Σ_j a_ij Ṗ_j          one lane, one stage
//
// The unknowns of a stage are (u, v); its momenta P = M v follow. A sweep is
//
//     r = P₀ + h Σ a Ṗ(u, v) − P(u, v)        inwards: momenta and their rates, link by link
//     v ← v + M⁻¹ r                           articulated inertias, in and out
//     u ← h Σ a u̇(u, v)                       outwards: the links stand and move anew
//
// The sums mix the lanes of one number and nothing else, so all stages together cost what forward
// dynamics of one pack does. M need not be factored again where u hardly moves: that r vanishes is
// what makes the answer, and M⁻¹ only leads there.
//
// Which coordinates. Links with one freedom have their own. A ball has the attitude of its link in
// the world, not against its parent, in the coordinates of swing_twist.hpp with z where the link is
// thinnest. Its momentum is then that of turning this link while all that hangs on it keeps its
// attitude, and the part along a thin axis is a number by itself: what the link spins with. In
// coordinates against the parent that number would be a difference between the momenta of two whole
// branches, seen in axes that the iteration still moves, and v has it divided by a small moment:
// with ten rods of length 0.2 m, mass 0.5 kg and axial moment 1e-4 kg m² the sweep then multiplies
// errors of the twist by 4 (at steps of 1 ms), and here by 0.001, however thin the rods.
//
//     H = I V + Σ H_child            p and L of what a link carries; of a ball on it p alone
//     π = sᵀ H                       π̇ = sᵀ (W + D),  D = (p × ω, p × v + L × ω)
//     W = loads + Σ W_child          F and τ; of a ball on it F, and v × p for τ
//
// since a turn of the link moves a ball's branch as its joint goes: by e × r, not by e × (all of
// its points). v × p is what the rate of that r adds.

#include "poinsot/dynamics/aba.hpp"
#include "poinsot/dynamics/linkage.hpp"
#include "poinsot/integrate/swing_twist.hpp"
#include "poinsot/integrate/tableau.hpp"

namespace poinsot {

class StageSweep {
  public:
    using Lanes = LinkPack;

    StageSweep(const Linkage& linkage, std::span<const LinkInertia<double>> inertias);

    /// What the links weigh in one lane, where that varies; every lane has its own moment.
    void set_inertias(int lane, std::span<const LinkInertia<double>> inertias);

    /// The momenta π that a linkage has at (q, v), joint by joint.
    void momenta_of(std::span<const double> q, std::span<const double> v, std::span<double> own);

    /// The method, of at most four stages, and the length of the step.
    template <std::size_t S>
    void set_method(const Tableau<S>& method, double h);
    /// A step begins at the place q with momenta π.
    void start(std::span<const double> q, std::span<const double> own);

    std::vector<Lanes> u, v; // the unknowns
    /// v of a linkage that goes on as it is, at the start of the step.
    void go_on(std::span<const double> speeds);
    /// u of v.
    void integrate_places();
    /// Where the links stand and how they move at (u, v), under a uniform gravity.
    void place(const Vec3<double>& gravity);
    /// Coordinates and velocities of the linkage in one lane.
    void read(int lane, std::span<double> q, std::span<double> speeds);
    /// Loads on the links in one lane, about their origins and in their axes; after each `place`
    /// and `sweep`. Where mass varies, `rates` has how fast inertias change in those axes: to
    /// d(I V)/dt that adds İ V.
    void add_loads(int lane, std::span<const Wrench<double>> loads,
                   std::span<const LinkInertia<double>> rates = {});

    /// What a sweep found: the largest of r and of P, lengths measured by the size of the links.
    struct Residual {
        double off, size;
    };
    Residual sweep(bool factor);

    /// Leaves the stages and goes where the step ends: then `read` gives it in every lane.
    void finish();
    void read_momenta(std::span<double> own) const;

  private:
    struct Moving {
        Twist<Lanes> V;     // of the link at its origin
        Wrench<Lanes> H, W; // p and L of what it carries, and the load on it
    };
    /// A ball or a floating link. Its axes here are those of the linkage turned by C.
    struct Turning {
        SwingTwist<Lanes> at;
        Quat<double> q0; // attitude at the start: of a ball in the world, else as in q
        Quat<double> to_link;
        Mat3<double> C;
    };
    static constexpr int none = -1;

    Lanes mixed(const Lanes& rate) const
    {
        const auto all = [&](auto lane) {
            constexpr int k = decltype(lane)::value;
            return Lanes::of(__builtin_shufflevector(rate.v, rate.v, k, k, k, k));
        };
        Lanes sum = weight_[3] * all(std::integral_constant<int, 3>());
        sum = mul_add(weight_[2], all(std::integral_constant<int, 2>()), sum);
        sum = mul_add(weight_[1], all(std::integral_constant<int, 1>()), sum);
        return mul_add(weight_[0], all(std::integral_constant<int, 0>()), sum);
    }
    Vec3<Lanes> mixed(const Vec3<Lanes>& rate) const
    {
        return {mixed(rate.x), mixed(rate.y), mixed(rate.z)};
    }
    double summed(const Lanes& rate) const
    {
        const auto& b = end_weight_;
        return mul_add(b[0], rate[0],
                       mul_add(b[1], rate[1], mul_add(b[2], rate[2], b[3] * rate[3])));
    }

    // each for one link, in the order of a sweep
    void find_residual(int i, Lanes& off, Lanes& size);
    void hand_down(int i);
    void take_in(int i);
    void give_back(int i);
    void displace(int i);
    void place_link(int i);
    void move_link(int i);

    void start_at(std::span<const double> q);
    /// The frame in which a joint places its link, in the world.
    Quat<double> attitude_below(int i) const;

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    Turning& turning(int i) { return turning_[at(turning_of_[at(i)])]; }
    const Turning& turning(int i) const { return turning_[at(turning_of_[at(i)])]; }

    Linkage linkage_; // with axes of its own for links that turn freely
    std::vector<LinkInertia<Lanes>> inertias_;
    double length_ = 0; // size of a link
    std::vector<int> turning_of_;
    std::vector<Turning> turning_;
    std::vector<bool> asked_;         // has the link a ball on it, or on what hangs on it?
    std::vector<Quat<double>> fixed_; // link.R

    std::array<Lanes, 4> weight_;
    std::array<double, 4> end_weight_;
    std::vector<double> q0_;
    std::vector<Lanes> P0_, P_dot_, u_dot_;
    std::vector<Lanes> own_; // what M⁻¹ is applied to, in joint axes

    LinkageSpace<Lanes> space_;
    std::vector<Moving> moving_;        // the world first
    std::vector<Mat3<Lanes>> attitude_; // in the world, of links that are asked
    std::vector<Quat<double>> attitude_now_;
};

} // namespace poinsot
