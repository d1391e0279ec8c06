// SPDX-License-Identifier: MIT
#include "poinsot/step/drives.hpp"

#include "poinsot/constraints/bind.hpp"
#include "poinsot/model/velocity_dependence.hpp"

namespace poinsot {

Drives::Drives(const Model& model) : model_(model)
{
    for (std::size_t j = 0; j < model.joints().size(); ++j)
        for (std::size_t k = 0; k < model.joints()[j].laws.size(); ++k) {
            const CoordinateLaw& law = model.joints()[j].laws[k];
            Drive made;
            made.joint = static_cast<int>(j);
            made.coordinate = static_cast<int>(k);
            if (drives_as_row(law))
                described_.push_back(made);
            made.origin = Block::Origin::friction;
            if (rubs_as_row(law))
                described_.push_back(made);
        }
}

void Drives::bind(const Placed& placed, Rows& rows)
{
    all_.clear();
    for (Drive drive : described_) {
        if (!placed.holds(static_cast<std::size_t>(drive.joint)))
            continue;
        const bool motor = drive.origin == Block::Origin::motor;
        drive.row = rows.count();
        add_coordinate(model_, placed, drive.joint, drive.coordinate, drive.origin,
                       motor ? Cause::motor : Cause::damper, rows);
        all_.push_back(drive);
    }
}

void Drives::follow(std::span<const double> before, std::span<const MovingMass> masses, double t,
                    double h, Rows& rows)
{
    count_.assign(masses.size(), 0);
    const auto of_drive = [](const Block& block) {
        return block.origin == Block::Origin::motor || block.origin == Block::Origin::friction;
    };
    for (const Block& block : rows.blocks)
        for (int i = 0; of_drive(block) && i < block.bodies; ++i)
            ++count_[static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)])];
    std::size_t next = 0; // their blocks stand in this order
    for (const Block& block : rows.blocks) {
        if (!of_drive(block))
            continue;
        Drive& drive = all_[next++];
        Row& row = rows.row(block, 0);
        double w = 0;
        for (int i = 0; i < block.bodies; ++i) {
            const auto body = static_cast<std::size_t>(block.body[static_cast<std::size_t>(i)]);
            const Wrench<double>& J = rows.J_of(block, 0, i);
            w += count_[body] * power(J, masses[body].inverse_times(J));
        }
        drive.inverse_mass = w;
        const CoordinateLaw& law = model_.joints()[static_cast<std::size_t>(drive.joint)]
                                       .laws[static_cast<std::size_t>(drive.coordinate)];
        drive.softness = drive.wanted = 0;
        if (drive.origin == Block::Origin::friction) {
            drive.upper = h * law.friction;
            drive.lower = -drive.upper;
            continue;
        }
        const Motor& motor = *law.motor;
        const bool place = motor.kind == Motor::Kind::position;
        const double k = place ? motor.gain : 0, c = place ? motor.damping : motor.gain;
        const double x = h * c * w, y = h * h * k * w;
        const double theta = (1 + x) / (2 + x), a = (x + y) / (2 + 2 * x + y);
        const double then = t + (theta - 0.5) * h;
        const double speed = place ? motor.target.rate_at(then) : motor.target.at(then);
        const double off = place ? motor.target.at(t + a * h) - row.g : 0;
        drive.upper = h * motor.most;
        drive.lower = -drive.upper;
        drive.wanted =
            h * (k * off + c * (speed - (1 - theta) * before[static_cast<std::size_t>(drive.row)]));
        drive.softness = row.softness = 1 / (h * (k * a * h + c * theta));
    }
}

// g = (c − u)/(s + w), and then s g − c = −s (u + w c/s)/(s + w), without the difference of large
// numbers that a weak motor has there.
bool Drives::guess(std::span<const double> freely)
{
    bool any = false;
    for (Drive& drive : all_) {
        const double s = drive.softness, w = drive.inverse_mass,
                     u = freely[static_cast<std::size_t>(drive.row)];
        const double kept = s / (s + w), alone = kept * drive.wanted - u / (s + w);
        drive.guess = std::clamp(alone, drive.lower, drive.upper);
        drive.lack = alone == drive.guess ? -kept * (u + w * drive.wanted)
                                          : s * (drive.guess - drive.wanted);
        any = any || drive.guess != 0;
    }
    return any;
}

void Drives::measure(std::span<const double> freely)
{
    for (Drive& drive : all_)
        drive.lack += freely[static_cast<std::size_t>(drive.row)];
}

} // namespace poinsot
