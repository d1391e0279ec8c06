// SPDX-License-Identifier: MIT
#pragma once

// The data of a page: blocks of numbers, described at once and written later, in chunks that are
// compressed each by itself (viewer/FORMAT.md). For .cpp files of io only.

#include "poinsot/io/run_frames.hpp"
#include "poinsot/io/safe_file.hpp"
#include "poinsot/math/pose.hpp"

#include <nlohmann/json.hpp>

#include <functional>

namespace poinsot {

using PageJson = nlohmann::ordered_json;

inline constexpr std::size_t page_chunk_bytes = std::size_t{8} << 20;
inline constexpr std::uint64_t most_page_data = std::uint64_t{2} << 30; // a browser holds no more
inline constexpr std::size_t few_bodies = 200;                          // have their motion in full
inline constexpr std::uint64_t few_bytes = std::uint64_t{256} << 20;

/// Takes the data in order and writes them in chunks.
class PagePacker {
  public:
    PagePacker(SafeFile& out, std::function<void(std::uint64_t)> told)
        : out_(out), told_(std::move(told))
    {
    }
    void put(const void* bytes, std::size_t size);
    void align();
    void flush();

  private:
    SafeFile& out_;
    std::function<void(std::uint64_t)> told_;
    std::vector<unsigned char> waiting_;
    std::uint64_t put_ = 0;
    std::size_t chunk_ = 0;
};

using BlockShape = std::vector<std::size_t>;

inline std::uint64_t count_of(const BlockShape& shape)
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
    PageJson add(const char* type, const BlockShape& shape, std::size_t number_bytes,
                 std::function<void(PagePacker&)> write)
    {
        PageJson block{{"type", type}, {"shape", shape}, {"offset", bytes_}};
        bytes_ += (count_of(shape) * number_bytes + 7) / 8 * 8;
        writers_.push_back(std::move(write));
        return block;
    }
    template <class Number>
    PageJson put(const char* type, const BlockShape& shape, std::vector<Number> values)
    {
        check(values.size() == count_of(shape), "a block has the numbers of its shape");
        return add(type, shape, sizeof(Number), [values = std::move(values)](PagePacker& to) {
            to.put(values.data(), values.size() * sizeof(Number));
        });
    }
    PageJson f64(const BlockShape& shape, std::vector<double> values)
    {
        return put("f64", shape, std::move(values));
    }

    /// u16 by second differences along the first axis, low bytes first.
    PageJson differences(const BlockShape& shape, std::vector<std::uint16_t> k);

    std::uint64_t bytes() const { return bytes_; }
    void write(PagePacker& to) const;

  private:
    std::uint64_t bytes_ = 0;
    std::vector<std::function<void(PagePacker&)>> writers_;
};

std::uint64_t bytes_of(const TrajectoryReader& run, std::string_view series);

/// A series as it is, in f64.
PageJson copied(PageData& data, const TrajectoryReader& run, const std::string& series);

/// Of every row of a series `wide` numbers from `first` on.
PageJson copied_part(PageData& data, const TrajectoryReader& run, const std::string& series,
                     std::size_t first, std::size_t wide);

PageJson page_json(const Vec3<double>& a);
PageJson page_json(const Pose<double>& pose);

} // namespace poinsot
