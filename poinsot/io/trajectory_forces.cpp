// SPDX-License-Identifier: MIT
// Forces in a trajectory: what acts by cause, what joints carry, and where bodies touch.
#include "poinsot/io/trajectory_parts.hpp"

#include "poinsot/io/trajectory_series.hpp"
#include "poinsot/step/acting.hpp"
#include "poinsot/step/impulsive.hpp"

namespace poinsot::hdf5 {

namespace {

/// Bodies that are held stand after the joints.
class ForcePart : public FramePart {
  public:
    ForcePart(hid_t file, const Simulation& run)
        : acting_(run.model(), run.settings().step, run.input())
    {
        const Model& model = run.model();
        causes_ = causes_of(model, run.settings().step, run.input());
        const hsize_t n = model.bodies().size(), c = causes_.size();
        const hid_t real = H5T_NATIVE_DOUBLE;
        if (c > 0) {
            std::vector<std::string> names;
            for (const Cause cause : causes_)
                names.emplace_back(name_of(cause));
            const Handle g = group(file, "forces", "what acts on each body in each frame");
            fixed_texts(g, "causes", names);
            force_ = &series(g, "force", real, {n, c, 3}, "N");
            torque_ = &series(g, "torque", real, {n, c, 3}, "N m");
        }
        std::vector<std::string> names, kinds;
        std::vector<std::int64_t> a, b;
        std::vector<std::int8_t> unique;
        const std::vector<bool> is_unique = reactions_unique(model);
        for (std::size_t j = 0; j < model.joints().size(); ++j) {
            const Joint& joint = model.joints()[j];
            names.push_back(joint.name);
            kinds.emplace_back(facts_of(joint.kind).name);
            a.push_back(joint.a);
            b.push_back(joint.b);
            unique.push_back(is_unique[j]);
        }
        for (std::size_t i = 0; i < n; ++i)
            if (model.bodies()[i].held) {
                names.push_back(model.bodies()[i].name);
                kinds.emplace_back("held");
                a.push_back(world);
                b.push_back(static_cast<std::int64_t>(i));
                unique.push_back(true);
            }
        const hsize_t rows = names.size();
        if (rows == 0)
            return;
        const Handle g = need(H5Gopen2(file, "joints", H5P_DEFAULT), H5Gclose);
        fixed_texts(g, "names", names);
        fixed_texts(g, "kind", kinds);
        fixed(g, "a", {rows}, a);
        fixed(g, "b", {rows}, b);
        fixed(g, "unique", {rows}, unique);
        reaction_force_ = &series(g, "reaction_force", real, {rows, 3}, "N");
        reaction_torque_ = &series(g, "reaction_torque", real, {rows, 3}, "N m");
    }
    void add(const Simulation& run, const Placed&) override
    {
        acting_.look(run.state(), run.answered());
        const Model& model = run.model();
        const std::size_t n = model.bodies().size();
        row_.clear();
        torques_.clear();
        for (std::size_t i = 0; i < n; ++i)
            for (const Cause cause : causes_) {
                const Wrench<double>& W = acting_.on(i, cause);
                push(row_, W.F);
                push(torques_, W.tau);
            }
        if (force_) {
            force_->add(row_.data());
            torque_->add(torques_.data());
        }
        if (!reaction_force_)
            return;
        row_.clear();
        torques_.clear();
        for (std::size_t j = 0; j < model.joints().size(); ++j) {
            push(row_, acting_.joint(j).F);
            push(torques_, acting_.joint(j).tau);
        }
        for (std::size_t i = 0; i < n; ++i)
            if (model.bodies()[i].held) {
                push(row_, acting_.held(i));
                push(torques_, zero3<double>());
            }
        reaction_force_->add(row_.data());
        reaction_torque_->add(torques_.data());
    }

  private:
    Acting acting_;
    std::vector<Cause> causes_;
    Series *force_ = nullptr, *torque_ = nullptr, *reaction_force_ = nullptr,
           *reaction_torque_ = nullptr;
    std::vector<double> row_, torques_;
};

/// Points of contact, those of all frames in one list; `end` says where those of a frame end.
class ContactPart : public FramePart {
  public:
    ContactPart(hid_t file, const Model& model, std::int64_t most) : most_(most)
    {
        std::vector<std::string> names;
        std::vector<std::int64_t> bodies;
        for (const Skin& skin : model.skins()) {
            names.push_back(skin.name);
            bodies.push_back(skin.body);
        }
        const Handle g = need(H5Gopen2(file, "contacts", H5P_DEFAULT), H5Gclose);
        fixed_texts(g, "surfaces", names);
        fixed(g, "body", {names.size()}, bodies);
        const hid_t real = H5T_NATIVE_DOUBLE, whole = H5T_NATIVE_INT64;
        a_ = &series(g, "a", whole, {});
        b_ = &series(g, "b", whole, {});
        point_ = &series(g, "point", real, {3}, "m");
        normal_ = &series(g, "normal", real, {3});
        gap_ = &series(g, "gap", real, {}, "m");
        force_ = &series(g, "force", real, {3}, "N");
        end_ = &series(g, "end", whole, {});
    }
    void add(const Simulation& run, const Placed&) override
    {
        const double h = run.settings().step.h;
        const auto touches = run.touches();
        full_ = full_ || so_far_ + static_cast<std::int64_t>(touches.size()) > most_;
        for (const TouchRecord& touch : touches) {
            if (full_)
                break;
            const std::int64_t a = touch.a, b = touch.b;
            a_->add(&a);
            b_->add(&b);
            point_->add({touch.point.x, touch.point.y, touch.point.z});
            normal_->add({touch.normal.x, touch.normal.y, touch.normal.z});
            gap_->add({touch.gap});
            const Vec3<double> F = (1 / h) * touch.impulse;
            force_->add({F.x, F.y, F.z});
            ++so_far_;
        }
        end_->add(&so_far_);
    }
    std::string remark() override
    {
        if (!full_ || told_)
            return {};
        told_ = true;
        return text_of("from here on contacts are not recorded: there are more than ", most_,
                       "; a larger 'every' leaves room");
    }

  private:
    std::int64_t most_;
    bool full_ = false, told_ = false;
    Series *a_ = nullptr, *b_ = nullptr, *point_ = nullptr, *normal_ = nullptr, *gap_ = nullptr,
           *force_ = nullptr, *end_ = nullptr;
    std::int64_t so_far_ = 0;
};

} // namespace

std::unique_ptr<FramePart> force_part(hid_t file, const Simulation& run)
{
    return std::make_unique<ForcePart>(file, run);
}
std::unique_ptr<FramePart> contact_part(hid_t file, const Simulation& run, std::int64_t most_points)
{
    if (run.model().skins().empty())
        return nullptr;
    return std::make_unique<ContactPart>(file, run.model(), most_points);
}

} // namespace poinsot::hdf5
