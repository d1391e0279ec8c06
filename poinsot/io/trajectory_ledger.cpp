// SPDX-License-Identifier: MIT
// The books in a trajectory, as they were last closed in each frame.
#include "poinsot/io/trajectory_parts.hpp"

#include "poinsot/io/ledger_text.hpp"
#include "poinsot/io/trajectory_series.hpp"
#include "poinsot/ledger/ledger.hpp"

#include <fmt/format.h>

#include <span>

namespace poinsot::hdf5 {

namespace {

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

class LedgerPart : public FramePart {
  public:
    LedgerPart(hid_t file, const Scene& scene, const Simulation& run)
    {
        const Books& books = run.ledger().books();
        const Handle g = group(file, "ledger", "the books, as last closed, in each frame");
        text_attribute(g, "detail", std::string(name_of(run.settings().ledger.detail)));
        text_attribute(g, "L_about", name_of(scene.about));
        attribute<std::int64_t>(g, "every", {run.settings().ledger_every});
        std::vector<std::string> causes;
        for (const std::string_view cause : cause_names)
            causes.emplace_back(cause);
        fixed_texts(g, "causes", causes);
        if (run.ledger().off())
            return;
        const Balance& o = books.total.opening;
        const Handle opening = group(g, "opening", "balances at the start of the run");
        fixed<double>(opening, "mass", {}, {o.mass}, "kg");
        fixed<double>(opening, "p", {3}, {o.p.x, o.p.y, o.p.z}, "kg m/s");
        fixed<double>(opening, "L", {3}, {o.L.x, o.L.y, o.L.z}, "kg m^2/s");
        fixed<double>(opening, "spin", {3}, {o.spin.x, o.spin.y, o.spin.z}, "kg m^2/s");
        fixed<double>(opening, "kinetic_energy", {}, {o.T}, "J");
        for (const auto& [cause, energy] : own_stores)
            fixed<double>(opening, fmt::format("{}_store", name_of(cause)).c_str(), {},
                          {books.opening_stores.*energy}, "J");

        accounts_.emplace_back(g, Extent{});
        const hid_t real = H5T_NATIVE_DOUBLE;
        for (std::size_t i = 0; i < own_stores.size(); ++i) {
            const std::string name = fmt::format("{}_store", name_of(own_stores[i].cause));
            store_[i] = &series(g, name.c_str(), real, {}, "J");
            residual_store_[i] = &series(g, ("residual_" + name).c_str(), real, {}, "J");
        }
        if (run.settings().ledger.detail == Postings::Detail::bodies) {
            const Handle each = group(g, "bodies", "the same for every body");
            accounts_.emplace_back(each, Extent{run.model().bodies().size()});
        }
    }
    void add(const Simulation& run, const Placed&) override
    {
        if (accounts_.empty())
            return;
        const Books& books = run.ledger().books();
        accounts_[0].add({&books.total, 1});
        if (accounts_.size() > 1)
            accounts_[1].add(books.bodies);
        for (std::size_t i = 0; i < own_stores.size(); ++i) {
            store_[i]->add({books.closing_stores.*own_stores[i].energy});
            residual_store_[i]->add({books.total.residual.stores.*own_stores[i].energy});
        }
    }
    void append() override
    {
        FramePart::append();
        for (AccountSeries& account : accounts_)
            account.each_series([](Series& s) { s.append(); });
    }

  private:
    std::deque<AccountSeries> accounts_; // of the whole; of each body
    std::array<Series*, own_stores.size()> store_{}, residual_store_{};
};

} // namespace

std::unique_ptr<FramePart> ledger_part(hid_t file, const Scene& scene, const Simulation& run)
{
    return std::make_unique<LedgerPart>(file, scene, run);
}

} // namespace poinsot::hdf5
