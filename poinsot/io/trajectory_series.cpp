// SPDX-License-Identifier: MIT
#include "poinsot/io/trajectory_series.hpp"

#include "poinsot/forces/control_now.hpp"

namespace poinsot::hdf5 {

namespace {

/// The group with all that is the same in every frame.
Handle described_cuts(hid_t file, const Model& model)
{
    std::vector<std::string> names, of;
    std::vector<std::int64_t> index, body;
    std::vector<double> position, orientation, limits;
    for (const Cut& cut : model.cuts()) {
        const auto i = static_cast<std::size_t>(cut.index);
        names.push_back(cut.name);
        index.push_back(cut.index);
        Pose<double> frame = cut.frame;
        switch (cut.of) {
        case Cut::Of::body:
            of.emplace_back("body");
            body.push_back(cut.index);
            break;
        case Cut::Of::joint:
            of.emplace_back("joint");
            body.push_back(model.joints()[i].b);
            frame = model.joints()[i].frame_b;
            break;
        case Cut::Of::bushing:
            of.emplace_back("bushing");
            body.push_back(model.bushings()[i].b);
            frame = model.bushings()[i].frame_b;
            break;
        }
        push(position, frame.x);
        orientation.insert(orientation.end(), {frame.q.w, frame.q.x, frame.q.y, frame.q.z});
        const Strength& s = cut.strength;
        limits.insert(limits.end(), {s.tension, s.compression, s.shear, s.bending, s.torsion});
    }
    const hsize_t c = names.size();
    Handle g = group(file, "cuts", "where structures are looked into, and what they carry there");
    fixed_texts(g, "names", names);
    fixed_texts(g, "of", of);
    fixed(g, "index", {c}, index);
    fixed(g, "body", {c}, body);
    fixed(g, "position", {c, 3}, position, "m");
    fixed(g, "orientation", {c, 4}, orientation);
    fixed(g, "limits", {c, 5}, limits, "N, N, N, N m, N m");
    return g;
}

Handle described_controls(hid_t file, const Model& model)
{
    std::vector<std::string> names;
    std::vector<double> limits;
    for (const Control& control : model.controls()) {
        names.push_back(control.name);
        limits.insert(limits.end(), {control.lower, control.upper});
    }
    Handle g = group(file, "controls", "what the pilot sets, in each frame");
    fixed_texts(g, "names", names);
    fixed(g, "limits", {names.size(), 2}, limits);
    return g;
}

} // namespace

ControlSeries::ControlSeries(hid_t file, const Model& model)
    : ControlSeries(described_controls(file, model), model.controls().size())
{
}
ControlSeries::ControlSeries(const Handle& group, hsize_t controls)
    : value_(group, "value", H5T_NATIVE_DOUBLE, {controls})
{
}

void ControlSeries::add(const Simulation& run)
{
    const ControlsNow now{&run.model().controls(), &run.input(), run.time()};
    row_.clear();
    for (std::size_t i = 0; i < run.model().controls().size(); ++i)
        row_.push_back(now[static_cast<int>(i)]);
    value_.add(row_.data());
}

CutSeries::CutSeries(hid_t file, const Model& model)
    : CutSeries(described_cuts(file, model), model.cuts().size())
{
}
CutSeries::CutSeries(const Handle& group, hsize_t cuts)
    : force_(group, "force", H5T_NATIVE_DOUBLE, {cuts, 3}, "N"),
      moment_(group, "moment", H5T_NATIVE_DOUBLE, {cuts, 3}, "N m"),
      utilisation_(group, "utilisation", H5T_NATIVE_DOUBLE, {cuts}, "1"),
      largest_(group, "largest_utilisation", H5T_NATIVE_DOUBLE, {cuts}, "1"),
      gone_(group, "gone", H5T_NATIVE_INT8, {cuts})
{
}

void CutSeries::add(std::span<const CutRecord> records)
{
    const auto each = [&](Series& series, auto&& put) {
        row_.clear();
        for (const CutRecord& record : records)
            put(record);
        series.add(row_.data());
    };
    each(force_, [&](const CutRecord& r) {
        push(row_, {r.load.shear_x, r.load.shear_y, r.load.tension});
    });
    each(moment_, [&](const CutRecord& r) {
        push(row_, {r.load.bending_x, r.load.bending_y, r.load.torsion});
    });
    each(utilisation_, [&](const CutRecord& r) { row_.push_back(r.utilisation); });
    each(largest_, [&](const CutRecord& r) { row_.push_back(r.most); });
    flags_.clear();
    for (const CutRecord& record : records)
        flags_.push_back(record.gone);
    gone_.add(flags_.data());
}

void CutSeries::append()
{
    for (Series* s : {&force_, &moment_, &utilisation_, &largest_, &gone_})
        s->append();
}

EventSeries::EventSeries(hid_t file)
    : EventSeries(group(file, "events", "what happened, in order of time"))
{
}
EventSeries::EventSeries(const Handle& group)
    : time_(group, "time", H5T_NATIVE_DOUBLE, {}, "s"), step_(group, "step", H5T_NATIVE_INT64, {}),
      kind_(group, "kind", fixed_text_type(word_size), {}),
      text_(group, "text", fixed_text_type(text_size), {}),
      name_(group, "name", fixed_text_type(name_size), {}),
      load_(group, "load", fixed_text_type(word_size), {}),
      utilisation_(group, "utilisation", H5T_NATIVE_DOUBLE, {}, "1")
{
}

void EventSeries::add(const Row& row)
{
    time_.add({row.time});
    step_.add(&row.step);
    kind_.add(fitted(row.kind, word_size).data());
    text_.add(fitted(row.text, text_size).data());
    name_.add(fitted(row.name, name_size).data());
    load_.add(fitted(row.load, word_size).data());
    utilisation_.add({row.utilisation});
}

void EventSeries::append()
{
    for (Series* s : {&time_, &step_, &kind_, &text_, &name_, &load_, &utilisation_})
        s->append();
}

} // namespace poinsot::hdf5
