// SPDX-License-Identifier: MIT
#include "poinsot/io/report.hpp"

#include "poinsot/io/mesh.hpp"
#include "poinsot/io/number.hpp"
#include "poinsot/io/safe_file.hpp"
#include "poinsot/io/scene.hpp"
#include "poinsot/mass/principal.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <span>

namespace poinsot {

namespace {

static_assert(std::endian::native == std::endian::little, "the data of a page are little-endian");

using Json = nlohmann::ordered_json;

constexpr std::size_t chunk_bytes = std::size_t{8} << 20;
constexpr std::uint64_t most_data = std::uint64_t{2} << 30; // a browser holds no more
constexpr std::size_t few_bodies = 200;                     // have their motion in full
constexpr std::uint64_t few_bytes = std::uint64_t{256} << 20;
constexpr std::string_view mark = "<!--poinsot:data-->", plain_title = "<title>Poinsot</title>";

/// Thrown where the page cannot be made.
struct NoPage {
    Problems problems;
};

// ---- the data of a page -------------------------------------------------------------------------

std::string base64_of(std::span<const unsigned char> bytes)
{
    constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t here = std::min<std::size_t>(3, bytes.size() - i);
        const unsigned word = unsigned(bytes[i]) << 16 |
                              (here > 1 ? unsigned(bytes[i + 1]) << 8 : 0u) |
                              (here > 2 ? unsigned(bytes[i + 2]) : 0u);
        out += letters[word >> 18];
        out += letters[word >> 12 & 63];
        out += here > 1 ? letters[word >> 6 & 63] : '=';
        out += here > 2 ? letters[word & 63] : '=';
    }
    return out;
}

/// Takes the data in order and writes them in chunks, each compressed by itself.
class Packer {
  public:
    Packer(SafeFile& out, std::function<void(std::uint64_t)> told)
        : out_(out), told_(std::move(told))
    {
    }
    void put(const void* bytes, std::size_t size)
    {
        const auto* from = static_cast<const unsigned char*>(bytes);
        while (size > 0) {
            const std::size_t n = std::min(size, chunk_bytes - waiting_.size());
            waiting_.insert(waiting_.end(), from, from + n);
            from += n;
            size -= n;
            if (waiting_.size() == chunk_bytes)
                flush();
        }
    }
    void align()
    {
        constexpr char zeros[8] = {};
        put(zeros, (8 - put_ % 8 - waiting_.size() % 8) % 8);
    }
    void flush()
    {
        if (waiting_.empty())
            return;
        uLongf size = compressBound(static_cast<uLong>(waiting_.size()));
        std::vector<unsigned char> packed(size);
        const int result = compress2(packed.data(), &size, waiting_.data(),
                                     static_cast<uLong>(waiting_.size()), 6);
        check(result == Z_OK, "compressing into a buffer that is large enough");
        out_.write(fmt::format(
            "\n<script type=\"application/octet-stream;base64\" id=\"poinsot-data-{}\">",
            chunk_++));
        out_.write(base64_of({packed.data(), size}));
        out_.write("</script>");
        if (out_.problem())
            throw NoPage{}; // the file knows why
        put_ += waiting_.size();
        waiting_.clear();
        told_(put_);
    }

  private:
    SafeFile& out_;
    std::function<void(std::uint64_t)> told_;
    std::vector<unsigned char> waiting_;
    std::uint64_t put_ = 0;
    std::size_t chunk_ = 0;
};

using Shaped = std::vector<std::size_t>;

std::uint64_t count_of(const Shaped& shape)
{
    std::uint64_t count = 1;
    for (const std::size_t n : shape)
        count *= n;
    return count;
}

/// Blocks one after another: described at once, written later.
class PageData {
  public:
    /// A block whose numbers `write` puts, as many as the shape says.
    Json add(const char* type, const Shaped& shape, std::size_t number_bytes,
             std::function<void(Packer&)> write)
    {
        Json block{{"type", type}, {"shape", shape}, {"offset", bytes_}};
        bytes_ += (count_of(shape) * number_bytes + 7) / 8 * 8;
        writers_.push_back(std::move(write));
        return block;
    }
    template <class Number>
    Json put(const char* type, const Shaped& shape, std::vector<Number> values)
    {
        check(values.size() == count_of(shape), "a block has the numbers of its shape");
        return add(type, shape, sizeof(Number), [values = std::move(values)](Packer& to) {
            to.put(values.data(), values.size() * sizeof(Number));
        });
    }
    Json f64(const Shaped& shape, std::vector<double> values)
    {
        return put("f64", shape, std::move(values));
    }

    /// u16 by second differences along the first axis, low bytes first: FORMAT.md.
    Json differences(const Shaped& shape, std::vector<std::uint16_t> k)
    {
        check(k.size() == count_of(shape), "a block has the numbers of its shape");
        const std::size_t row = shape[0] > 0 ? k.size() / shape[0] : 0;
        Json block = add("u16", shape, 2, [k = std::move(k), row](Packer& to) {
            std::vector<unsigned char> bytes;
            for (const unsigned shift : {0u, 8u})
                for (std::size_t i = 0; i < k.size(); i += row) {
                    bytes.resize(row);
                    for (std::size_t j = 0; j < row; ++j) {
                        const int before = i >= row ? k[i + j - row] : 0;
                        const int before_that = i >= 2 * row ? k[i + j - 2 * row] : 0;
                        const auto d = static_cast<std::int16_t>(
                            static_cast<std::uint16_t>(k[i + j] - 2 * before + before_that));
                        const auto z = static_cast<std::uint16_t>(static_cast<unsigned>(d) << 1 ^
                                                                  static_cast<unsigned>(d >> 15));
                        bytes[j] = static_cast<unsigned char>(z >> shift);
                    }
                    to.put(bytes.data(), row);
                }
        });
        block["filter"] = "second_difference";
        return block;
    }

    std::uint64_t bytes() const { return bytes_; }
    void write(Packer& to) const
    {
        for (const auto& writer : writers_) {
            writer(to);
            to.align();
        }
        to.flush();
    }

  private:
    std::uint64_t bytes_ = 0;
    std::vector<std::function<void(Packer&)>> writers_;
};

// ---- series of the trajectory -------------------------------------------------------------------

/// Calls `use(first, count, rows)` for all frames of a series in slabs.
template <class Use>
void in_slabs(const TrajectoryReader& run, std::string_view series, Use&& use)
{
    const std::size_t row = run.row_size(series), f = run.frames();
    if (row == 0)
        return;
    const std::size_t most = std::max<std::size_t>(1, chunk_bytes / (8 * row));
    std::vector<double> rows(std::min(most, f) * row);
    for (std::size_t i = 0; i < f; i += most) {
        const std::size_t count = std::min(most, f - i);
        if (Problems found = run.read(series, i, count, rows.data()); found.any())
            throw NoPage{std::move(found)};
        use(i, count, rows.data());
    }
}

std::uint64_t bytes_of(const TrajectoryReader& run, std::string_view series)
{
    return 8 * std::uint64_t{run.frames()} * run.row_size(series);
}

/// A series as it is, in f64.
Json copied(PageData& data, const TrajectoryReader& run, const std::string& series)
{
    Shaped shape = run.row_shape(series);
    shape.insert(shape.begin(), run.frames());
    return data.add("f64", shape, 8, [&run, series](Packer& to) {
        const std::size_t row = run.row_size(series);
        in_slabs(run, series, [&](std::size_t, std::size_t count, const double* rows) {
            to.put(rows, 8 * count * row);
        });
    });
}

// ---- poses --------------------------------------------------------------------------------------

/// Poses of all bodies in one frame: x y z and w x y z.
struct PoseRow {
    const double *x, *q;
};

Quat<double> quat_at(const double* q)
{
    return {q[0], q[1], q[2], q[3]};
}
Vec3<double> vec_at(const double* x)
{
    return {x[0], x[1], x[2]};
}

/// Frames of a run for one that goes forward and looks a little ahead.
class PoseWindow {
  public:
    PoseWindow(const TrajectoryReader& run, std::size_t ahead)
        : run_(run), rows_(std::min(2 * ahead + 2, run.frames())), nx_(3 * run.bodies()),
          nq_(4 * run.bodies()), x_(rows_ * nx_), q_(rows_ * nq_)
    {
    }
    /// A frame; those before `keep` will not be asked for again.
    PoseRow frame(std::size_t i, std::size_t keep)
    {
        if (i >= end_)
            slide(keep);
        return {x_.data() + (i - begin_) * nx_, q_.data() + (i - begin_) * nq_};
    }

  private:
    void slide(std::size_t keep)
    {
        keep = std::min(keep, end_);
        const std::size_t kept = end_ - keep, from = keep - begin_;
        std::copy_n(x_.begin() + static_cast<std::ptrdiff_t>(from * nx_), kept * nx_, x_.begin());
        std::copy_n(q_.begin() + static_cast<std::ptrdiff_t>(from * nq_), kept * nq_, q_.begin());
        begin_ = keep;
        const std::size_t more = std::min(rows_ - kept, run_.frames() - end_);
        double *x = x_.data() + kept * nx_, *q = q_.data() + kept * nq_;
        Problems found = run_.read("bodies/position", end_, more, x);
        found.add(run_.read("bodies/orientation", end_, more, q));
        for (std::size_t i = 0; i < more * run_.bodies() && !found.any(); ++i) {
            const double length = std::sqrt(norm2(quat_at(q + 4 * i)));
            if (!(length > 0.5 && length < 2)) // no rotation, however it drifted
                found.add(run_.file().string() + ": /bodies/orientation", "frame ",
                          end_ + i / run_.bodies(), ", body '",
                          run_.head().names[i % run_.bodies()], "': no unit quaternion");
            for (std::size_t k = 0; k < 4; ++k)
                q[4 * i + k] /= length;
        }
        if (found.any())
            throw NoPage{std::move(found)};
        end_ += more;
    }

    const TrajectoryReader& run_;
    std::size_t rows_, nx_, nq_;
    std::vector<double> x_, q_;
    std::size_t begin_ = 0, end_ = 0;
};

/// How positions and orientations are rounded, and what a page shows for them.
struct Rounding {
    Vec3<double> low = zero3<double>(), high = zero3<double>();
    bool exact_positions = false;

    static std::uint16_t word(double x, double low, double high)
    {
        return high > low ? static_cast<std::uint16_t>(std::clamp(
                                std::round((x - low) / (high - low) * 65535), 0., 65535.))
                          : std::uint16_t{0};
    }
    std::array<std::uint16_t, 3> words(const Vec3<double>& x) const
    {
        return {word(x.x, low.x, high.x), word(x.y, low.y, high.y), word(x.z, low.z, high.z)};
    }
    Vec3<double> shown(const std::array<std::uint16_t, 3>& k) const
    {
        return {low.x + (high.x - low.x) * k[0] / 65535, low.y + (high.y - low.y) * k[1] / 65535,
                low.z + (high.z - low.z) * k[2] / 65535};
    }
    Vec3<double> shown(const Vec3<double>& x) const
    {
        return exact_positions ? x : shown(words(x));
    }

    // Smallest three in 3 × 15 bits: FORMAT.md.
    static std::array<std::uint16_t, 3> words(const Quat<double>& q)
    {
        const std::array<double, 4> c{q.w, q.x, q.y, q.z};
        std::size_t m = 0;
        for (std::size_t i = 1; i < 4; ++i)
            if (std::abs(c[i]) > std::abs(c[m]))
                m = i;
        std::array<std::uint16_t, 3> words{};
        for (std::size_t i = 0, w = 0; i < 4; ++i)
            if (i != m) {
                const double a = c[m] < 0 ? -c[i] : c[i];
                words[w++] = static_cast<std::uint16_t>(
                    std::clamp(std::round((std::numbers::sqrt2 * a + 1) * 16383), 0., 32766.));
            }
        words[0] = static_cast<std::uint16_t>(words[0] | (m >> 1) << 15);
        words[1] = static_cast<std::uint16_t>(words[1] | (m & 1) << 15);
        return words;
    }
    static Quat<double> shown(const Quat<double>& q)
    {
        const auto words = Rounding::words(q);
        const std::size_t m = std::size_t(words[0] >> 15) * 2 + std::size_t(words[1] >> 15);
        std::array<double, 4> c{};
        double rest = 1;
        for (std::size_t i = 0, w = 0; i < 4; ++i)
            if (i != m) {
                c[i] = ((words[w++] & 0x7fff) / 16383.0 - 1) / std::numbers::sqrt2;
                rest -= c[i] * c[i];
            }
        c[m] = std::sqrt(std::max(rest, 0.0));
        return {c[0], c[1], c[2], c[3]};
    }
};

double dot_of(const Quat<double>& a, const Quat<double>& b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}
/// The square of the sine of half the angle between two attitudes.
double apart2(const Quat<double>& a, const Quat<double>& b)
{
    const double d = dot_of(a, b);
    return std::max(0.0, 1 - d * d);
}
double angle_of(double sine2)
{
    return 2 * std::asin(std::sqrt(std::min(sine2, 1.0)));
}

/// A pose shown between two frames: along a line and the shortest arc.
struct Between {
    Vec3<double> xa, xb;
    Quat<double> qa, qb;
    double angle, inv_sine; // of half the turn from a to b

    Between(const Vec3<double>& xa, const Vec3<double>& xb, const Quat<double>& qa,
            const Quat<double>& to)
        : xa(xa), xb(xb), qa(qa), qb(dot_of(qa, to) < 0 ? -1.0 * to : to),
          angle(std::acos(std::min(1.0, dot_of(qa, qb)))),
          inv_sine(angle > 1e-6 ? 1 / std::sin(angle) : 0)
    {
    }
    Vec3<double> x(double u) const { return (1 - u) * xa + u * xb; }
    Quat<double> q(double u) const
    {
        if (inv_sine == 0)
            return normalised((1 - u) * qa + u * qb);
        return (std::sin((1 - u) * angle) * inv_sine) * qa + (std::sin(u * angle) * inv_sine) * qb;
    }
};

struct Shown {
    std::vector<std::size_t> frames;     // those that are in the page
    std::vector<std::uint16_t> x16, q16; // their poses
    std::vector<double> x64;             // or positions as computed
    double error2 = 0, sine2 = 0;        // largest distance², and sine² of half an angle
};

/// Chooses the frames of a page and rounds their poses.
class FrameChoice {
  public:
    FrameChoice(const TrajectoryReader& run, const Rounding& rounding, double within, bool drop)
        : run_(run), rounding_(rounding),
          ahead_(drop ? std::clamp<std::size_t>((std::size_t{64} << 20) /
                                                    (56 * std::max<std::size_t>(run.bodies(), 1)),
                                                1, 64)
                      : 1),
          window_(run, ahead_), within2_(square(within)),
          within_sine2_(square(std::sin(shown_within_angle / 2)))
    {
    }

    Shown made(const std::function<void(double)>& progress)
    {
        const std::size_t f = run_.frames();
        Shown out;
        keep(out, 0, 0);
        measure(out, 0, 0);
        for (std::size_t a = 0; a + 1 < f;) {
            const std::size_t b = next(a);
            measure(out, a, b);
            keep(out, b, a);
            a = b;
            if (b % 64 < ahead_)
                progress(static_cast<double>(b) / static_cast<double>(f));
        }
        return out;
    }

  private:
    static double square(double x) { return x * x; }

    /// The last frame b, of those tried, such that the page shows all between a and b well enough:
    /// twice as far while it does, then halving.
    std::size_t next(std::size_t a)
    {
        const std::size_t most = std::min(ahead_, run_.frames() - 1 - a);
        std::size_t good = 1, bad = most + 1;
        for (std::size_t d = 2; d <= most && bad > most; d *= 2)
            (fits(a, a + d) ? good : bad) = d;
        while (bad - good > 1) {
            const std::size_t d = good + (bad - good) / 2;
            (fits(a, a + d) ? good : bad) = d;
        }
        return a + good;
    }

    Between between(const PoseRow& from, const PoseRow& to, std::size_t i) const
    {
        return {rounding_.shown(vec_at(from.x + 3 * i)), rounding_.shown(vec_at(to.x + 3 * i)),
                Rounding::shown(quat_at(from.q + 4 * i)), Rounding::shown(quat_at(to.q + 4 * i))};
    }
    double part(std::size_t a, std::size_t i, std::size_t b) const
    {
        const auto& t = run_.head().time;
        return b > a ? (t[i] - t[a]) / (t[b] - t[a]) : 0;
    }

    bool fits(std::size_t a, std::size_t b)
    {
        window_.frame(b, a); // brings all from a on
        const PoseRow from = window_.frame(a, a), to = window_.frame(b, a);
        for (std::size_t i = 0; i < run_.bodies(); ++i) {
            const Between shown = between(from, to, i);
            if (shown.angle > std::numbers::pi / 4) // a quarter turn, halved as in quaternions
                return false;
            for (std::size_t k = a + 1; k < b; ++k) {
                const PoseRow row = window_.frame(k, a);
                const double u = part(a, k, b);
                if (!(norm2(shown.x(u) - vec_at(row.x + 3 * i)) <= within2_ &&
                      apart2(shown.q(u), quat_at(row.q + 4 * i)) <= within_sine2_))
                    return false;
            }
        }
        return true;
    }
    void measure(Shown& out, std::size_t a, std::size_t b)
    {
        window_.frame(b, a);
        const PoseRow from = window_.frame(a, a), to = window_.frame(b, a);
        for (std::size_t i = 0; i < run_.bodies(); ++i) {
            const Between shown = between(from, to, i);
            for (std::size_t k = std::min(a + 1, b); k <= b; ++k) {
                const PoseRow row = window_.frame(k, a);
                const double u = part(a, k, b);
                out.error2 = std::max(out.error2, norm2(shown.x(u) - vec_at(row.x + 3 * i)));
                out.sine2 = std::max(out.sine2, apart2(shown.q(u), quat_at(row.q + 4 * i)));
            }
        }
    }
    void keep(Shown& out, std::size_t frame, std::size_t from)
    {
        out.frames.push_back(frame);
        const PoseRow row = window_.frame(frame, from);
        for (std::size_t i = 0; i < run_.bodies(); ++i) {
            if (rounding_.exact_positions) {
                out.x64.insert(out.x64.end(), row.x + 3 * i, row.x + 3 * i + 3);
            } else {
                const auto x = rounding_.words(vec_at(row.x + 3 * i));
                out.x16.insert(out.x16.end(), x.begin(), x.end());
            }
            const auto q = Rounding::words(quat_at(row.q + 4 * i));
            out.q16.insert(out.q16.end(), q.begin(), q.end());
        }
    }

    const TrajectoryReader& run_;
    const Rounding& rounding_;
    std::size_t ahead_;
    PoseWindow window_;
    double within2_, within_sine2_;
};

// ---- the page -----------------------------------------------------------------------------------

Json page_json(const Vec3<double>& a)
{
    return Json::array({a.x, a.y, a.z});
}
Json page_json(const Pose<double>& pose)
{
    return {{"position", page_json(pose.x)},
            {"orientation", Json::array({pose.q.w, pose.q.x, pose.q.y, pose.q.z})}};
}

std::string markup_escaped(std::string_view text)
{
    std::string out;
    for (const char c : text)
        out += c == '&'   ? std::string("&amp;")
               : c == '<' ? std::string("&lt;")
               : c == '>' ? std::string("&gt;")
                          : std::string(1, c);
    return out;
}

class Report {
  public:
    Report(const TrajectoryReader& run, const ReportOptions& options)
        : run_(run), head_(run.head()), n_(run.bodies()), options_(options)
    {
        read_model();
    }

    Json described(ReportMade& made)
    {
        time_ = data_.f64({run_.frames()}, head_.time);
        Json bodies = described_bodies();
        Json frames{{"time", described_poses(bodies, made)}};
        described_motion(bodies);
        Json shapes = described_shapes(bodies);

        Json run{{"title", head_.title}};
        if (scene_ && !scene_->story.empty())
            run["story"] = scene_->story;
        run["facts"] = facts();
        run["outcome"] = {
            {"ended", head_.ended}, {"balanced", head_.balanced}, {"verdict", head_.verdict}};
        if (scene_ && norm2(scene_->model->gravity().uniform) > 0)
            run["gravity"] = page_json(scene_->model->gravity().uniform);
        run["frames"] = std::move(frames);
        run["samples"] = {{"time", time_}};
        run["bodies"] = std::move(bodies);
        run["shapes"] = std::move(shapes);
        if (scene_)
            add_joints(run);
        Json events = Json::array();
        for (const TrajectoryHead::Event& e : head_.events)
            events.push_back({{"time", e.time}, {"kind", e.kind}, {"text", e.text}});
        run["events"] = std::move(events);
        if (head_.ledger_detail != "off")
            run["ledger"] = described_ledger();
        made.remarks = remarks_;
        return run;
    }
    const PageData& data() const { return data_; }

  private:
    /// The scene that the file carries, if it is still a scene and has the same bodies.
    void read_model()
    {
        std::filesystem::path beside = head_.scene_file;
        std::error_code error;
        if (!std::filesystem::exists(beside, error)) // meshes are looked for beside the scene
            beside = run_.file();
        Result<Scene> read = read_scene_text(head_.scene_as_read, beside.string());
        if (!read) {
            remarks_.push_back(fmt::format(
                "joints, springs and gravity are left out: the scene in the file cannot be read "
                "any more ({})",
                read.problems().list().front().what));
            return;
        }
        const std::vector<Body>& bodies = read->model->bodies();
        bool same = bodies.size() == n_;
        for (std::size_t i = 0; same && i < n_; ++i)
            same = bodies[i].name == head_.names[i];
        if (same)
            scene_ = std::move(*read);
        else
            remarks_.push_back("joints, springs and gravity are left out: the scene in the file "
                               "has other bodies than its frames");
    }

    Json facts() const
    {
        Json all = Json::array();
        const auto fact = [&](std::string_view name, std::string_view value) {
            if (!value.empty())
                all.push_back({{"name", name}, {"value", value}});
        };
        fact("scene", head_.scene_file);
        fact("identity", head_.scene_identity);
        fact("integrator", head_.integrator);
        if (scene_)
            fact("formulation", name_of(scene_->run.step.formulation));
        fact("state form", head_.state_form);
        fact("step", fmt::format("{} s", head_.step));
        fact("until", fmt::format("{} s", head_.until));
        fact("program", head_.program);
        fact("compiler", head_.compiler);
        fact("state hash", head_.state_hash);
        for (const ReportFact& more : options_.facts)
            fact(more.name, more.value);
        return all;
    }

    Json described_bodies()
    {
        std::vector<std::uint8_t> particle;
        std::vector<double> moments, principal;
        for (std::size_t i = 0; i < n_; ++i) {
            particle.push_back(head_.particle[i] != 0);
            const double* I = head_.inertia.data() + 9 * i;
            const PrincipalAxes axes = principal_axes({I[0], I[4], I[8], I[1], I[2], I[5]});
            const Quat<double> q = axes.rotation();
            moments.insert(moments.end(), {axes.moments.x, axes.moments.y, axes.moments.z});
            principal.insert(principal.end(), {q.w, q.x, q.y, q.z});
            if (head_.mass[i] > 0)
                gyration_.push_back(std::sqrt(axes.moments.z / head_.mass[i]));
        }
        Json bodies{{"names", head_.names}};
        bodies["particle"] = data_.put("u8", {n_}, std::move(particle));
        bodies["mass"] = data_.f64({n_}, head_.mass);
        bodies["center_of_mass"] = data_.f64({n_, 3}, head_.center_of_mass);
        bodies["moments"] = data_.f64({n_, 3}, std::move(moments));
        bodies["principal"] = data_.f64({n_, 4}, std::move(principal));
        return bodies;
    }

    /// Position and orientation; gives the block of the times of the frames.
    Json described_poses(Json& bodies, ReportMade& made)
    {
        Rounding rounding;
        bool first = true;
        in_slabs(run_, "bodies/position", [&](std::size_t at, std::size_t count, const double* x) {
            for (std::size_t i = 0; i < count * n_; ++i, first = false) {
                const Vec3<double> r = vec_at(x + 3 * i);
                if (!std::isfinite(norm2(r))) {
                    Problems found;
                    found.add(run_.file().string() + ": /bodies/position", "frame ", at + i / n_,
                              ", body '", head_.names[i % n_], "': too far away, or no number");
                    throw NoPage{std::move(found)};
                }
                rounding.low = first ? r
                                     : Vec3<double>{std::min(rounding.low.x, r.x),
                                                    std::min(rounding.low.y, r.y),
                                                    std::min(rounding.low.z, r.z)};
                rounding.high = first ? r
                                      : Vec3<double>{std::max(rounding.high.x, r.x),
                                                     std::max(rounding.high.y, r.y),
                                                     std::max(rounding.high.z, r.z)};
            }
        });
        const double diagonal = std::sqrt(norm2(rounding.high - rounding.low));
        const double large =
            gyration_.empty() ? 0 : *std::max_element(gyration_.begin(), gyration_.end());
        // Small bodies that fly far would tremble on a grid over all of their flight.
        double small = std::numeric_limits<double>::infinity();
        for (const double r : gyration_)
            if (r > 0)
                small = std::min(small, r);
        const std::uint64_t poses = std::uint64_t{run_.frames()} * n_;
        rounding.exact_positions =
            diagonal / 131070 > shown_within_body * small && 24 * poses < few_bytes / 4;

        if (12 * poses > most_data)
            refuse(12 * poses);
        FrameChoice choice(run_, rounding,
                           std::min(shown_within * (diagonal + large), shown_within_body * small),
                           12 * poses > options_.small);
        Shown shown = choice.made([&](double part) { options_.progress(0.5 * part); });
        made.frames = run_.frames();
        made.frames_shown = shown.frames.size();
        made.position_error = std::sqrt(shown.error2);
        made.angle_error = angle_of(shown.sine2);

        const Shaped shape{shown.frames.size(), n_, 3};
        Json position{{"values", rounding.exact_positions
                                     ? data_.f64(shape, std::move(shown.x64))
                                     : data_.differences(shape, std::move(shown.x16))}};
        if (!rounding.exact_positions) {
            position["low"] = page_json(rounding.low);
            position["high"] = page_json(rounding.high);
        }
        position["error"] = made.position_error;
        bodies["position"] = std::move(position);
        bodies["orientation"] = {{"values", data_.differences(shape, std::move(shown.q16))},
                                 {"error", made.angle_error}};
        if (shown.frames.size() == run_.frames())
            return time_;
        std::vector<double> times;
        for (const std::size_t i : shown.frames)
            times.push_back(head_.time[i]);
        return data_.f64({shown.frames.size()}, std::move(times));
    }

    void described_motion(Json& bodies)
    {
        if (n_ >= few_bodies || bytes_of(run_, "bodies/velocity") > few_bytes / 4) {
            remarks_.push_back("velocities are left out: the page takes differences of poses");
            return;
        }
        for (const char* name : {"velocity", "angular_velocity", "angular_momentum"})
            bodies[name] = copied(data_, run_, text_of("bodies/", name));
    }

    Json described_shapes(Json& bodies)
    {
        Json shapes = Json::array();
        std::map<std::string, std::uint32_t> known; // the same shape is there once
        std::vector<std::uint32_t> numbers;
        for (std::size_t i = 0; i < n_; ++i) {
            const double* size = head_.shape_size.data() + 3 * i;
            const std::string key = fmt::format("{} {} {} {} {}", head_.shapes[i], size[0], size[1],
                                                size[2], head_.meshes[i]);
            const auto [at, added] = known.emplace(key, static_cast<std::uint32_t>(shapes.size()));
            if (added)
                shapes.push_back(described_shape(i));
            numbers.push_back(at->second);
        }
        if (shapes.empty())
            shapes.push_back({{"kind", "none"}});
        bodies["shape"] = data_.put("u32", {n_}, std::move(numbers));
        return shapes;
    }
    Json described_shape(std::size_t i)
    {
        const std::string& kind = head_.shapes[i];
        const double* size = head_.shape_size.data() + 3 * i;
        const bool round = kind == "cylinder" || kind == "capsule" || kind == "cone";
        const std::size_t lengths = kind == "box" || kind == "ellipsoid" ? 3
                                    : round                              ? 2
                                    : kind == "ball"                     ? 1
                                                                         : 0;
        const bool good = std::all_of(size, size + lengths, [](double s) { return s > 0; });
        if (good && kind == "box")
            return {{"kind", kind}, {"sides", page_json(vec_at(size))}};
        if (good && kind == "ellipsoid")
            return {{"kind", kind}, {"half_axes", page_json(vec_at(size))}};
        if (good && kind == "ball")
            return {{"kind", kind}, {"radius", size[0]}};
        if (good && round)
            return {{"kind", kind}, {"radius", size[0]}, {"height", size[1]}};
        if (kind == "mesh")
            return described_mesh(head_.meshes[i]);
        return {{"kind", "none"}};
    }
    Json described_mesh(const std::string& path)
    {
        // Only where the scene could be read with it: a file alone opens no others.
        const auto beside =
            std::filesystem::path(scene_ ? scene_->file : head_.scene_file).parent_path() / path;
        auto mesh = scene_ ? read_mesh(beside) : Result<MeshFile>(Problems(missing_mesh()));
        if (!mesh) {
            remarks_.push_back(
                fmt::format("the mesh '{}' is shown as a box of the same inertia: {}", path,
                            mesh.problems().list().front().what));
            return {{"kind", "none"}};
        }
        std::vector<float> vertices;
        std::vector<std::uint32_t> triangles;
        for (const Vec3<double>& v : mesh->surface.vertices)
            vertices.insert(vertices.end(), {static_cast<float>(v.x), static_cast<float>(v.y),
                                             static_cast<float>(v.z)});
        for (const auto& face : mesh->surface.faces)
            for (const int corner : face)
                triangles.push_back(static_cast<std::uint32_t>(corner));
        const std::size_t v = vertices.size() / 3, t = triangles.size() / 3;
        return {{"kind", "mesh"},
                {"vertices", data_.put("f32", {v, 3}, std::move(vertices))},
                {"triangles", data_.put("u32", {t, 3}, std::move(triangles))}};
    }
    static Problems missing_mesh()
    {
        Problems found;
        found.add("mesh", "its scene cannot be read");
        return found;
    }

    void add_joints(Json& run)
    {
        const Model& model = *scene_->model;
        Json joints = Json::array(), springs = Json::array();
        for (const Joint& j : model.joints())
            joints.push_back({{"name", j.name},
                              {"kind", facts_of(j.kind).name},
                              {"a", j.a},
                              {"b", j.b},
                              {"frame_a", page_json(j.frame_a)},
                              {"frame_b", page_json(j.frame_b)}});
        for (std::size_t i = 0; i < n_; ++i) // a point held fixed is a ball joint to the world
            if (const auto& held = model.bodies()[i].held; held && !held->along) {
                const Pose<double> at{held->point, identity_quat<double>()};
                joints.push_back(
                    {{"name", model.bodies()[i].name + ", held"},
                     {"kind", "ball"},
                     {"a", world},
                     {"b", i},
                     {"frame_a", page_json(Pose<double>{place(model.bodies()[i].pose, held->point),
                                                        identity_quat<double>()})},
                     {"frame_b", page_json(at)}});
            }
        for (const Spring& s : model.springs())
            springs.push_back({{"name", s.name},
                               {"a", s.a.body},
                               {"b", s.b.body},
                               {"at_a", page_json(s.a.point)},
                               {"at_b", page_json(s.b.point)}});
        run["joints"] = std::move(joints);
        run["springs"] = std::move(springs);
        if (n_ < few_bodies)
            add_coordinates(run);
    }

    /// Coordinates of joints and lengths of springs, from the poses in every frame.
    void add_coordinates(Json& run)
    {
        const Model& model = *scene_->model;
        std::vector<std::vector<double>> values;
        Json signals = Json::array();
        const auto signal = [&](std::string name, const char* unit) {
            while (std::any_of(signals.begin(), signals.end(),
                               [&](const Json& s) { return s["name"] == name; }))
                name += " again";
            signals.push_back({{"name", std::move(name)}, {"unit", unit}});
            values.emplace_back();
        };
        for (const Joint& j : model.joints())
            for (int k = 0; k < facts_of(j.kind).coordinates; ++k) {
                const bool angle = is_angle(j.kind, k);
                signal(
                    fmt::format("{} / {}{}", j.name, angle ? "angle" : "slide",
                                facts_of(j.kind).coordinates > 1 ? fmt::format(" {}", k + 1) : ""),
                    angle ? "rad" : "m");
            }
        for (const Spring& s : model.springs())
            signal(s.name + " / length", "m");
        if (values.empty() || 8 * std::uint64_t{run_.frames()} * values.size() > few_bytes / 4)
            return;
        PoseWindow window(run_, 64);
        for (std::size_t frame = 0; frame < run_.frames(); ++frame) {
            const PoseRow row = window.frame(frame, frame);
            const auto pose_of = [&](int body) {
                if (body == world)
                    return identity_pose<double>();
                const auto i = static_cast<std::size_t>(body);
                const Quat<double> q = quat_at(row.q + 4 * i);
                const Vec3<double> center = vec_at(head_.center_of_mass.data() + 3 * i);
                return Pose<double>{vec_at(row.x + 3 * i) - rotate(q, center), q};
            };
            std::size_t at = 0;
            for (const Joint& j : model.joints()) {
                const auto q = coordinates_of(j.kind, inverse(pose_of(j.a) * j.frame_a) *
                                                          (pose_of(j.b) * j.frame_b));
                for (std::size_t k = 0; k < q.size(); ++k, ++at) {
                    double value = q[k];
                    if (is_angle(j.kind, static_cast<int>(k)) && !values[at].empty())
                        value += 2 * std::numbers::pi *
                                 std::round((values[at].back() - value) / (2 * std::numbers::pi));
                    values[at].push_back(value);
                }
            }
            for (const Spring& s : model.springs())
                values[at++].push_back(std::sqrt(norm2(place(pose_of(s.a.body), s.a.point) -
                                                       place(pose_of(s.b.body), s.b.point))));
        }
        for (std::size_t i = 0; i < values.size(); ++i)
            signals[i]["values"] = data_.f64({run_.frames()}, std::move(values[i]));
        run["signals"] = std::move(signals);
    }

    Json described_ledger()
    {
        const bool each = head_.ledger_detail == "bodies" && n_ < few_bodies &&
                          bytes_of(run_, "ledger/bodies/impulse") < few_bytes;
        if (head_.ledger_detail == "bodies" && !each)
            remarks_.push_back("the accounts of single bodies are left out: they are too large");
        const std::vector<bool> posted = who_posted(each);
        Json ledger{{"about", about()}, {"every", head_.ledger_every}};
        Json causes = Json::array();
        for (std::size_t c = 0; c < posted.size(); ++c)
            if (posted[c])
                causes.push_back(head_.causes[c]);
        ledger["causes"] = std::move(causes);
        Json opening;
        for (const TrajectoryHead::Opening& o : head_.opening)
            opening[o.name] = o.values.size() == 1 ? Json(o.values[0]) : Json(o.values);
        ledger["opening"] = std::move(opening);
        ledger["total"] = accounts("ledger/", posted);
        for (const char* store : {"gravity_store", "spring_store", "rotor_store"})
            for (const std::string& name : {std::string(store), text_of("residual_", store)})
                if (run_.has("ledger/" + name))
                    ledger["total"][name] = copied(data_, run_, "ledger/" + name);
        if (each)
            ledger["bodies"] = accounts("ledger/bodies/", posted);
        return ledger;
    }
    static constexpr std::array<std::string_view, 4> by_cause{"impulse", "angular_impulse",
                                                              "spin_impulse", "work"};

    /// Which causes have an entry that is not zero anywhere.
    std::vector<bool> who_posted(bool each) const
    {
        const std::size_t c = head_.causes.size();
        std::vector<bool> posted(c, false);
        for (const char* at : {"ledger/", "ledger/bodies/"})
            for (const std::string_view name : by_cause) {
                if (c == 0 || (at == std::string_view("ledger/bodies/") && !each))
                    continue;
                const std::string series = text_of(at, name);
                const std::size_t row = run_.row_size(series), wide = name == "work" ? 1 : 3;
                in_slabs(run_, series, [&](std::size_t, std::size_t count, const double* rows) {
                    for (std::size_t i = 0; i < count * row; ++i)
                        if (rows[i] != 0)
                            posted[i / wide % c] = true;
                });
            }
        return posted;
    }
    Json accounts(const std::string& at, const std::vector<bool>& posted)
    {
        Json all;
        for (const char* name :
             {"mass", "p", "L", "spin", "kinetic_energy", "moving_point", "residual_mass",
              "residual_p", "residual_L", "residual_spin", "residual_kinetic_energy"})
            all[name] = copied(data_, run_, at + name);
        const auto c = static_cast<std::size_t>(std::count(posted.begin(), posted.end(), true));
        for (const std::string_view name : by_cause) {
            const std::string series = text_of(at, name);
            const std::size_t wide = name == "work" ? 1 : 3;
            Shaped shape = run_.row_shape(series);
            shape[shape.size() - (wide == 1 ? 1 : 2)] = c;
            shape.insert(shape.begin(), run_.frames());
            all[std::string(name)] =
                data_.add("f64", shape, 8, [this, series, wide, posted](Packer& to) {
                    const std::size_t row = run_.row_size(series);
                    in_slabs(run_, series, [&](std::size_t, std::size_t count, const double* rows) {
                        for (std::size_t i = 0; i < count * row; i += wide)
                            if (posted[i / wide % posted.size()])
                                to.put(rows + i, 8 * wide);
                    });
                });
        }
        return all;
    }

    /// From the words of `name_of(LedgerAbout)`.
    Json about() const
    {
        constexpr std::string_view begin = "the point (";
        std::vector<double> point;
        if (head_.L_about == "the world origin")
            point = {0, 0, 0};
        if (head_.L_about.starts_with(begin) && head_.L_about.ends_with(")")) {
            std::string_view rest = std::string_view(head_.L_about).substr(begin.size());
            rest.remove_suffix(1);
            for (std::size_t end = 0; end != std::string_view::npos;) {
                end = rest.find(',');
                if (const auto x = parse_number(trimmed(rest.substr(0, end))).value)
                    point.push_back(*x);
                rest.remove_prefix(std::min(rest.size(), end) + (end < rest.size()));
            }
        }
        if (point.size() == 3)
            return {{"kind", "point"}, {"point", point}};
        return {{"kind", "moving"}, {"text", head_.L_about}};
    }

    [[noreturn]] void refuse(std::uint64_t bytes) const
    {
        Problems found;
        found.add(run_.file().string(), "is too long for a page: ", bytes >> 20,
                  " MiB, more than the ", most_data >> 20,
                  " that a browser takes; keep fewer frames (poinsot run --every 10)");
        throw NoPage{std::move(found)};
    }

    const TrajectoryReader& run_;
    const TrajectoryHead& head_;
    std::size_t n_;
    const ReportOptions& options_;
    std::optional<Scene> scene_;
    PageData data_;
    Json time_;
    std::vector<double> gyration_; // radii, of all that has mass
    std::vector<std::string> remarks_;

  public:
    void refuse_if_too_long() const
    {
        if (data_.bytes() > most_data)
            refuse(data_.bytes());
    }
};

void add_file_problem(Problems& found, const std::filesystem::path& to, const std::string& problem)
{
    const std::string place = to.string() + ": ";
    found.add(to.string(), problem.starts_with(place) ? problem.substr(place.size()) : problem);
}

} // namespace

Result<ReportMade> write_report(const TrajectoryReader& run, std::string_view page,
                                const std::filesystem::path& to, const ReportOptions& options)
{
    Problems found;
    const std::size_t at = page.find(mark);
    if (at == std::string_view::npos || page.find(mark, at + 1) != std::string_view::npos) {
        found.add("the page of the viewer", "has not its one mark ", mark, "; build it again");
        return found;
    }
    SafeFile out(to);
    if (out.problem()) {
        add_file_problem(found, to, *out.problem());
        return found;
    }
    try {
        ReportMade made;
        Report report(run, options);
        Json described = report.described(made);
        report.refuse_if_too_long();
        const std::uint64_t bytes = report.data().bytes();
        const Json all{{"format", "poinsot page"},
                       {"version", {1, 0}},
                       {"data",
                        {{"bytes", bytes},
                         {"chunk_bytes", chunk_bytes},
                         {"chunks", (bytes + chunk_bytes - 1) / chunk_bytes},
                         {"compression", "deflate"}}},
                       {"runs", Json::array({std::move(described)})}};
        const std::string text = all.dump(-1, ' ', false, Json::error_handler_t::replace);

        std::string before(page.substr(0, at));
        if (const std::size_t title = before.find(plain_title); title != std::string::npos)
            before.replace(
                title, plain_title.size(),
                fmt::format("<title>{} · Poinsot</title>",
                            markup_escaped(run.head().title.empty() ? run.file().filename().string()
                                                                    : run.head().title)));
        out.write(before);
        out.write("<script type=\"application/json\" id=\"poinsot-run\">");
        for (std::size_t i = 0; i < text.size();) { // `<` stands in texts only
            const std::size_t end = std::min(text.find('<', i), text.size());
            out.write(std::string_view(text).substr(i, end - i));
            if (end < text.size())
                out.write("\\u003c");
            i = end + 1;
        }
        out.write("</script>");
        Packer packer(out, [&](std::uint64_t done) {
            options.progress(0.5 + 0.5 * static_cast<double>(done) / static_cast<double>(bytes));
        });
        report.data().write(packer);
        out.write(page.substr(at + mark.size()));
        out.finish();
        if (!out.problem()) {
            std::error_code error;
            const auto size = std::filesystem::file_size(to, error);
            made.bytes = error ? 0 : size;
            return made;
        }
    } catch (const NoPage& no) {
        found = no.problems;
    }
    if (out.problem())
        add_file_problem(found, to, *out.problem());
    return found;
}

} // namespace poinsot
