// SPDX-License-Identifier: MIT
#pragma once

// Datasets of a trajectory file that grow together: accounts of the ledger, what cuts carry,
// where controls stand, events. For .cpp files of io only.

#include "poinsot/io/hdf5_write.hpp"
#include "poinsot/ledger/ledger.hpp"
#include "poinsot/step/cut_watch.hpp"
#include "poinsot/step/simulate.hpp"

#include <span>

namespace poinsot::hdf5 {

inline constexpr std::size_t text_size =
    512; // of an event or a verdict; HDF5's growing files hold fixed texts
inline constexpr std::size_t name_size = 128, word_size = 32;

inline void push(std::vector<double>& row, const Vec3<double>& a)
{
    row.insert(row.end(), {a.x, a.y, a.z});
}

/// The numbers of one account, per frame: of the whole system, or of all bodies in a row.
class AccountSeries {
  public:
    AccountSeries(hid_t at, const Extent& who)
        : mass_(at, "mass", H5T_NATIVE_DOUBLE, who, "kg"),
          p_(at, "p", H5T_NATIVE_DOUBLE, with(who, {3}), "kg m/s"),
          L_(at, "L", H5T_NATIVE_DOUBLE, with(who, {3}), "kg m^2/s"),
          spin_(at, "spin", H5T_NATIVE_DOUBLE, with(who, {3}), "kg m^2/s"),
          T_(at, "kinetic_energy", H5T_NATIVE_DOUBLE, who, "J"),
          moving_(at, "moving_point", H5T_NATIVE_DOUBLE, with(who, {3}), "kg m^2/s"),
          impulse_(at, "impulse", H5T_NATIVE_DOUBLE, with(who, {cause_count, 3}), "N s"),
          angular_(at, "angular_impulse", H5T_NATIVE_DOUBLE, with(who, {cause_count, 3}), "N m s"),
          spun_(at, "spin_impulse", H5T_NATIVE_DOUBLE, with(who, {cause_count, 3}), "N m s"),
          work_(at, "work", H5T_NATIVE_DOUBLE, with(who, {cause_count}), "J"),
          residual_mass_(at, "residual_mass", H5T_NATIVE_DOUBLE, who, "kg"),
          residual_p_(at, "residual_p", H5T_NATIVE_DOUBLE, with(who, {3}), "kg m/s"),
          residual_L_(at, "residual_L", H5T_NATIVE_DOUBLE, with(who, {3}), "kg m^2/s"),
          residual_spin_(at, "residual_spin", H5T_NATIVE_DOUBLE, with(who, {3}), "kg m^2/s"),
          residual_T_(at, "residual_kinetic_energy", H5T_NATIVE_DOUBLE, who, "J")
    {
    }
    void add(std::span<const Account> accounts)
    {
        const auto each = [&](Series& series, auto&& put) {
            row_.clear();
            for (const Account& a : accounts)
                put(a);
            series.add(row_.data());
        };
        each(mass_, [&](const Account& a) { row_.push_back(a.closing.mass); });
        each(p_, [&](const Account& a) { push(row_, a.closing.p); });
        each(L_, [&](const Account& a) { push(row_, a.closing.L); });
        each(spin_, [&](const Account& a) { push(row_, a.closing.spin); });
        each(T_, [&](const Account& a) { row_.push_back(a.closing.T); });
        each(moving_, [&](const Account& a) { push(row_, a.moving_point); });
        const auto causes = [&](Series& series, auto&& put) {
            each(series, [&](const Account& a) {
                for (const Posting& posted : a.posted)
                    put(posted);
            });
        };
        causes(impulse_, [&](const Posting& p) { push(row_, p.J); });
        causes(angular_, [&](const Posting& p) { push(row_, p.K + p.S); });
        causes(spun_, [&](const Posting& p) { push(row_, p.S); });
        causes(work_, [&](const Posting& p) { row_.push_back(p.work); });
        each(residual_mass_, [&](const Account& a) { row_.push_back(a.residual.mass); });
        each(residual_p_, [&](const Account& a) { push(row_, a.residual.p); });
        each(residual_L_, [&](const Account& a) { push(row_, a.residual.L); });
        each(residual_spin_, [&](const Account& a) { push(row_, a.residual.spin); });
        each(residual_T_, [&](const Account& a) { row_.push_back(a.residual.T); });
    }
    template <class F>
    void each_series(F&& f)
    {
        for (Series* s :
             {&mass_, &p_, &L_, &spin_, &T_, &moving_, &impulse_, &angular_, &spun_, &work_,
              &residual_mass_, &residual_p_, &residual_L_, &residual_spin_, &residual_T_})
            f(*s);
    }

  private:
    static Extent with(Extent who, const Extent& more)
    {
        who.insert(who.end(), more.begin(), more.end());
        return who;
    }
    Series mass_, p_, L_, spin_, T_, moving_, impulse_, angular_, spun_, work_;
    Series residual_mass_, residual_p_, residual_L_, residual_spin_, residual_T_;
    std::vector<double> row_;
};

/// /cuts: where the sections are, what they may carry, and what they carry in each frame.
class CutSeries {
  public:
    CutSeries(hid_t file, const Model& model);
    void add(std::span<const CutRecord> records);
    void append();

  private:
    CutSeries(const Handle& group, hsize_t cuts);
    Series force_, moment_, utilisation_, largest_, gone_;
    std::vector<double> row_;
    std::vector<std::int8_t> flags_;
};

/// /controls: where each stands in each frame, by its schedule or by the input of the step.
class ControlSeries {
  public:
    ControlSeries(hid_t file, const Model& model);
    void add(const Simulation& run);
    void append() { value_.append(); }

  private:
    ControlSeries(const Handle& group, hsize_t controls);
    Series value_;
    std::vector<double> row_;
};

/// /events, a row for each.
class EventSeries {
  public:
    explicit EventSeries(hid_t file);

    struct Row {
        double time = 0;
        std::int64_t step = 0;
        std::string_view kind, text;
        std::string_view name = {}, load = {}; // of what, and which load passed its limit
        double utilisation = 0;                // where a limit was passed
    };
    void add(const Row& row);
    void append();

  private:
    explicit EventSeries(const Handle& group);
    Series time_, step_, kind_, text_, name_, load_, utilisation_;
};

} // namespace poinsot::hdf5
