// SPDX-License-Identifier: MIT
#include "poinsot/step/cut_watch.hpp"

namespace poinsot {

CutWatch::CutWatch(const Model& model, const StepSettings& settings, const Input& input)
    : model_(model), loads_(model, settings, input), records_(model.cuts().size())
{
}

bool CutWatch::gone(const Cut& cut, const State& state) const
{
    for (std::size_t i = 0; i < state.released.size(); ++i) {
        const Release& release = model_.releases()[i];
        const bool same = (cut.of == Cut::Of::joint && release.joint == cut.index) ||
                          (cut.of == Cut::Of::bushing && release.bushing == cut.index);
        if (same && state.released[i])
            return true;
    }
    return false;
}

std::span<const double> CutWatch::measure(const State& state, double t, double active_at,
                                          const Answered& answered)
{
    loads_.look_at(state, t, active_at, answered);
    measured_.clear();
    for (std::size_t i = 0; i < records_.size(); ++i) {
        const Cut& cut = model_.cuts()[i];
        measured_.push_back(gone(cut, state) ? 0 : utilisation(loads_.loads()[i], cut.strength));
    }
    return measured_;
}

bool CutWatch::breaks(std::size_t cut, const State& state) const
{
    for (std::size_t i = 0; i < state.released.size(); ++i)
        if (!state.released[i] && model_.releases()[i].when_over == static_cast<int>(cut))
            return true;
    return false;
}

void CutWatch::put_down(std::size_t cut, double t, const SectionLoad& load)
{
    const Strength& strength = model_.cuts()[cut].strength;
    CutRecord& record = records_[cut];
    record.load = load;
    record.utilisation = utilisation(load, strength);
    if (record.utilisation > record.most) {
        record.most = record.utilisation;
        record.at = t;
        record.by = utmost(load, strength);
    }
}

void CutWatch::pass(std::size_t cut, double t, std::int64_t step, Happenings& told)
{
    CutRecord& record = records_[cut];
    put_down(cut, t, loads_.loads()[cut]);
    record.over = true;
    told.add({.kind = Happening::Kind::overload,
              .time = t,
              .step = step,
              .index = static_cast<int>(cut),
              .by = utmost(record.load, model_.cuts()[cut].strength),
              .utilisation = record.utilisation});
}

bool CutWatch::passes() const
{
    for (std::size_t i = 0; i < measured_.size(); ++i)
        if (passes(i))
            return true;
    return false;
}

Stores CutWatch::judge(State& state, double t, Happenings& told)
{
    for (std::size_t i = 0; i < records_.size(); ++i) {
        CutRecord& record = records_[i];
        record.gone = gone(model_.cuts()[i], state);
        put_down(i, t, record.gone ? SectionLoad{} : loads_.loads()[i]);
        const bool over = record.utilisation >= 1;
        if (over && !record.over)
            pass(i, t, state.step, told);
        record.over = over;
    }

    bool any = false;
    const std::vector<char> held = state.released;
    for (std::size_t i = 0; i < state.released.size(); ++i) {
        const int cut = model_.releases()[i].when_over;
        if (state.released[i] || cut < 0)
            continue;
        const CutRecord& record = records_[static_cast<std::size_t>(cut)];
        if (!record.over)
            continue;
        let_go(model_, i, state);
        any = true;
        told.add({.kind = Happening::Kind::broken,
                  .time = t,
                  .step = state.step,
                  .index = static_cast<int>(i),
                  .by = utmost(record.load, model_.cuts()[static_cast<std::size_t>(cut)].strength),
                  .utilisation = record.utilisation});
    }
    if (!any)
        return {};
    place(model_, state, after_);
    before_ = after_;
    mark_released(model_, held, before_);
    return stores_of(model_, after_) - stores_of(model_, before_);
}

} // namespace poinsot
