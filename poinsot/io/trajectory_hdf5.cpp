// SPDX-License-Identifier: MIT
#include "poinsot/io/trajectory_hdf5.hpp"

#include "poinsot/base/version.hpp"
#include "poinsot/io/hdf5_driver.hpp"
#include "poinsot/io/trajectory_parts.hpp"
#include "poinsot/io/trajectory_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <unistd.h>

namespace poinsot {

namespace {

using Clock = std::chrono::steady_clock;
using hdf5::attribute, hdf5::Extent, hdf5::fixed_texts, hdf5::group, hdf5::Series, hdf5::Slot,
    hdf5::text_attribute, hdf5::ControlSeries, hdf5::CutSeries, hdf5::EventSeries, hdf5::text_size,
    hdf5::word_size;

class Hdf5Writer : public TrajectoryWriter {
  public:
    explicit Hdf5Writer(std::filesystem::path path) : path_(std::move(path)) {}
    ~Hdf5Writer() override
    {
        if (file_ < 0)
            return;
        close_sets();
        H5Fclose(file_);
    }

    std::optional<std::string> begin(const Scene& scene, const Simulation& run,
                                     const TrajectoryOptions& options)
    {
        return guarded([&] {
            // Under another name until a reader can open it: no half file in place of a good one.
            std::filesystem::path temporary = path_;
            temporary += ".part";
            const Handle access = need(lasting_access(fault_), H5Pclose);
            file_ = H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
            need(static_cast<herr_t>(file_ < 0 ? -1 : 0));
            created_ = true;
            describe(scene, run);
            add_part(hdf5::body_part(file_, run));
            add_part(hdf5::rotor_part(file_, run));
            add_part(hdf5::tank_part(file_, run));
            if (!run.model().cuts().empty())
                cuts_.emplace(file_, run.model());
            if (!run.model().controls().empty())
                controls_.emplace(file_, run.model());
            if (options.forces.value_or(run.model().bodies().size() <=
                                        TrajectoryOptions::forces_up_to)) {
                add_part(hdf5::force_part(file_, run));
            }
            if (options.forces.value_or(true))
                add_part(hdf5::contact_part(file_, run, options.most_points));
            add_part(hdf5::ledger_part(file_, scene, run));
            if (run.state().step > 0) // it goes on: what happened before was told then
                told_ = run.happenings().list().size();
            const Handle ended = need(H5Dopen2(file_, "final/ended", H5P_DEFAULT), H5Dclose);
            ended_at_ = H5Dget_offset(ended);
            need(H5Fflush(file_, H5F_SCOPE_GLOBAL));
            need(H5Fstart_swmr_write(file_));
            if (fault_->error != 0)
                throw Failed{};
            if (::rename(temporary.c_str(), path_.c_str()) != 0) {
                fault_->error = errno;
                throw Failed{};
            }
            named_ = true;
        });
    }
    void remove_partial()
    {
        if (!named_ && created_)
            ::unlink((path_.string() + ".part").c_str());
    }

    std::optional<std::string> write(const Simulation& run) override
    {
        return guarded([&] {
            add_frame(run);
            add_happenings(run);
            std::size_t waiting = 0;
            for (const auto& part : parts_)
                waiting += part->bytes();
            if (waiting > most_waiting_ || Clock::now() - flushed_ > std::chrono::seconds(1)) {
                append();
                most_waiting_ = std::min(2 * most_waiting_, std::size_t{4} << 20);
            }
        });
    }
    std::optional<std::string> event(const Simulation& run, std::string_view kind,
                                     std::string_view text) override
    {
        return guarded([&] {
            add_happenings(run);
            events_->add(
                {.time = run.time(), .step = run.state().step, .kind = kind, .text = text});
        });
    }
    std::optional<std::string> flush() override
    {
        return guarded([&] { append(); });
    }
    std::optional<std::string> finish(const Simulation& run, std::string_view ended,
                                      const std::optional<RunCost>& cost) override
    {
        const auto problem = guarded([&] {
            add_happenings(run);
            if (const std::int64_t more = run.happenings().left_out(); more > 0)
                events_->add({.time = run.time(),
                              .step = run.state().step,
                              .kind = "left_out",
                              .text = fmt::format("{} more events are not listed", more)});
            append();
            slots_.at(0).write(fmt::format("{:016x}", hash_of(run.state())));
            slots_.at(2).write(run.ledger().off()        ? "not kept"
                               : run.ledger().balanced() ? "yes"
                                                         : "no");
            slots_.at(3).write(run.ledger().verdict());
            if (cost) {
                numbers_.at(0).write(cost->processor_seconds);
                numbers_.at(1).write(cost->wall_seconds);
                numbers_.at(2).write(static_cast<double>(cost->steps));
            }
            need(H5Fflush(file_, H5F_SCOPE_GLOBAL));
            slots_.at(1).write(ended);
            need(H5Fflush(file_, H5F_SCOPE_GLOBAL));
        });
        if (problem)
            return problem;
        return guarded([&] {
            close_sets();
            const hid_t file = file_;
            file_ = -1;
            need(H5Fclose(file));
        });
    }

  private:
    /// Runs what may fail. After a failure the file stays as it is on the disk.
    template <class F>
    std::optional<std::string> guarded(F&& f)
    {
        try {
            f();
            if (fault_->error != 0)
                throw Failed{};
            return std::nullopt;
        } catch (const Failed&) {
            std::string why =
                fmt::format("{}: cannot be written: {}", path_.string(),
                            fault_->error ? std::strerror(fault_->error) : "HDF5 refused");
            if (fault_->error == ENOSPC || fault_->error == EDQUOT)
                why += "; make room, or write elsewhere";
            else if (fault_->error == EFBIG)
                why += "; the limit on file sizes is reached (ulimit -f)";
            else if (fault_->error == ENOENT)
                why += "; does its folder exist?";
            if (named_) {
                say_failed();
                why += "; what was written before is readable";
            }
            return why;
        }
    }
    /// HDF5 writes no more, but that the run failed fits where `running` stands.
    void say_failed() const
    {
        const int file =
            ended_at_ == HADDR_UNDEF ? -1 : ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
        if (file < 0)
            return;
        std::array<char, word_size> word{"failed"};
        [[maybe_unused]] const ssize_t written =
            ::pwrite(file, word.data(), word.size(), static_cast<off_t>(ended_at_));
        ::close(file);
    }

    void add_part(std::unique_ptr<hdf5::FramePart> part)
    {
        if (part)
            parts_.push_back(std::move(part));
    }

    void describe(const Scene& scene, const Simulation& run)
    {
        const RunSettings& s = run.settings();
        text_attribute(file_, "format", "poinsot trajectory");
        attribute<std::int64_t>(file_, "layout_version", {layout_major, layout_minor});
        text_attribute(file_, "title", scene.title);
        const Handle g = group(file_, "provenance", "what made this file");
        text_attribute(g, "program", fmt::format("poinsot {}", version()));
        text_attribute(g, "compiler",
#if defined(__clang__)
                       fmt::format("clang++ {}.{}", __clang_major__, __clang_minor__)
#else
                       fmt::format("g++ {}.{}", __GNUC__, __GNUC_MINOR__)
#endif
        );
        text_attribute(g, "scene_file", scene.file);
        text_attribute(g, "scene_identity", fmt::format("{:016x}", identity_of(scene)));
        text_attribute(g, "integrator", std::string(facts_of(s.step.method).name));
        text_attribute(g, "state_form", std::string(name_of(s.step.form)));
        attribute<double>(g, "step", {s.step.h});
        attribute<double>(g, "until", {s.until});
        attribute<std::int64_t>(g, "output_every", {scene.output_every});
        attribute<std::int64_t>(g, "first_step", {run.state().step});
        fixed_texts(g, "scene_text", {scene.text});
        fixed_texts(g, "scene_as_read", {write_scene(scene)});

        time_series_.emplace(file_, "time", H5T_NATIVE_DOUBLE, Extent{}, "s");
        step_series_.emplace(file_, "step", H5T_NATIVE_INT64, Extent{}, "");

        group(file_, "joints", "what they bind, and what they carry in each frame");
        group(file_, "contacts", "where bodies touch, and with what force, in each frame");
        // Room for what later versions record; readers find the group and nothing in it.
        group(file_, "inputs", "what the user did, per frame");
        events_.emplace(file_);

        const Handle final = group(file_, "final", "how the run ended");
        slots_.emplace_back(final, "state_hash", word_size, "");
        slots_.emplace_back(final, "ended", word_size, "running");
        slots_.emplace_back(final, "balanced", word_size, "");
        slots_.emplace_back(final, "verdict", text_size, "");
        numbers_.emplace_back(final, "processor_seconds", "s");
        numbers_.emplace_back(final, "wall_seconds", "s");
        numbers_.emplace_back(final, "steps");
    }

    void add_frame(const Simulation& run)
    {
        time_.push_back(run.time());
        step_.push_back(run.state().step);
        const Placed placed = run.placed();
        for (const auto& part : parts_) {
            part->add(run, placed);
            if (const std::string said = part->remark(); !said.empty())
                events_->add({.time = run.time(),
                              .step = run.state().step,
                              .kind = "left_out",
                              .text = said});
        }
        if (cuts_)
            cuts_->add(run.cuts());
        if (controls_)
            controls_->add(run);
    }

    /// What happened since this was last asked.
    void add_happenings(const Simulation& run)
    {
        const auto all = run.happenings().list();
        for (; told_ < all.size(); ++told_) {
            const Happening& one = all[told_];
            events_->add({.time = one.time,
                          .step = one.step,
                          .kind = name_of(one.kind),
                          .text = sentence(run.model(), one),
                          .name = name_of(run.model(), one),
                          .load = one.by,
                          .utilisation = one.utilisation});
        }
    }

    void close_sets()
    {
        time_series_.reset();
        step_series_.reset();
        parts_.clear();
        cuts_.reset();
        controls_.reset();
        events_.reset();
        slots_.clear();
        numbers_.clear();
    }

    /// Time goes last, after all else is on its way: a file has as many frames as times.
    void append()
    {
        for (const auto& part : parts_)
            part->append();
        if (cuts_)
            cuts_->append();
        if (controls_)
            controls_->append();
        events_->append();
        need(H5Fflush(file_, H5F_SCOPE_GLOBAL));
        for (std::size_t i = 0; i < time_.size(); ++i) {
            time_series_->add(&time_[i]);
            step_series_->add(&step_[i]);
        }
        time_.clear();
        step_.clear();
        step_series_->append();
        need(H5Dflush(step_series_->set()));
        time_series_->append();
        need(H5Fflush(file_, H5F_SCOPE_GLOBAL));
        flushed_ = Clock::now();
    }

    std::filesystem::path path_;
    std::shared_ptr<WriteFault> fault_ = std::make_shared<WriteFault>();
    hid_t file_ = -1;
    bool created_ = false, named_ = false;
    haddr_t ended_at_ = HADDR_UNDEF; // where in the file `final/ended` stands
    std::optional<Series> time_series_, step_series_;
    std::vector<std::unique_ptr<hdf5::FramePart>> parts_;
    std::optional<CutSeries> cuts_;
    std::optional<ControlSeries> controls_;
    std::optional<EventSeries> events_;
    std::size_t told_ = 0;                 // happenings of the run that are written
    std::deque<Slot> slots_;               // state_hash, ended, balanced, verdict
    std::deque<hdf5::NumberSlot> numbers_; // what it cost
    std::vector<double> time_;             // of frames that wait
    std::vector<std::int64_t> step_;
    Clock::time_point flushed_ = Clock::now();
    // Little at first: where the disk fills up soon, or the run ends, something is there.
    std::size_t most_waiting_ = std::size_t{1} << 17;
};

} // namespace

Result<std::unique_ptr<TrajectoryWriter>> open_hdf5(const std::filesystem::path& file,
                                                    const Scene& scene, const Simulation& run,
                                                    const TrajectoryOptions& options)
{
    Problems found;
    std::error_code error;
    const auto kind = std::filesystem::status(file, error).type();
    if (kind != std::filesystem::file_type::not_found &&
        kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::none) {
        found.add(file.string(), "is not a regular file; an HDF5 file needs one");
        return found;
    }
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // problems are ours to tell
    auto writer = std::make_unique<Hdf5Writer>(file);
    if (const auto problem = writer->begin(scene, run, options)) {
        writer->remove_partial();
        const std::size_t colon = problem->find(": ");
        found.add(problem->substr(0, colon), problem->substr(colon + 2));
        return found;
    }
    return std::unique_ptr<TrajectoryWriter>(std::move(writer));
}

} // namespace poinsot
