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

Stores CutWatch::look(State& state, double t, std::span<const TouchRecord> touches,
                      Happenings& told)
{
    loads_.look(state, touches);
    for (std::size_t i = 0; i < records_.size(); ++i) {
        const Cut& cut = model_.cuts()[i];
        CutRecord& record = records_[i];
        record.gone = gone(cut, state);
        record.load = record.gone ? SectionLoad{} : loads_.loads()[i];
        record.utilisation = utilisation(record.load, cut.strength);
        if (record.utilisation > record.most) {
            record.most = record.utilisation;
            record.at = t;
            record.by = utmost(record.load, cut.strength);
        }
        const bool over = record.utilisation >= 1;
        if (over && !record.over)
            told.add({.kind = Happening::Kind::overload,
                      .time = t,
                      .step = state.step,
                      .index = static_cast<int>(i),
                      .by = utmost(record.load, cut.strength),
                      .utilisation = record.utilisation});
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
        state.released[i] = 1;
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
