// SPDX-License-Identifier: MIT
#include "poinsot/io/report_data.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <span>

namespace poinsot {

namespace {

static_assert(std::endian::native == std::endian::little, "the data of a page are little-endian");

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

} // namespace

void PagePacker::put(const void* bytes, std::size_t size)
{
    const auto* from = static_cast<const unsigned char*>(bytes);
    while (size > 0) {
        const std::size_t n = std::min(size, page_chunk_bytes - waiting_.size());
        waiting_.insert(waiting_.end(), from, from + n);
        from += n;
        size -= n;
        if (waiting_.size() == page_chunk_bytes)
            flush();
    }
}

void PagePacker::align()
{
    constexpr char zeros[8] = {};
    put(zeros, (8 - put_ % 8 - waiting_.size() % 8) % 8);
}

void PagePacker::flush()
{
    if (waiting_.empty())
        return;
    uLongf size = compressBound(static_cast<uLong>(waiting_.size()));
    std::vector<unsigned char> packed(size);
    const int result =
        compress2(packed.data(), &size, waiting_.data(), static_cast<uLong>(waiting_.size()), 6);
    check(result == Z_OK, "compressing into a buffer that is large enough");
    out_.write(fmt::format(
        "\n<script type=\"application/octet-stream;base64\" id=\"poinsot-data-{}\">", chunk_++));
    out_.write(base64_of({packed.data(), size}));
    out_.write("</script>");
    if (out_.problem())
        throw NotMade{}; // the file knows why
    put_ += waiting_.size();
    waiting_.clear();
    told_(put_);
}

// z of FORMAT.md: second differences modulo 2¹⁶, the sign in the lowest bit.
PageJson PageData::differences(const BlockShape& shape, std::vector<std::uint16_t> k)
{
    check(k.size() == count_of(shape), "a block has the numbers of its shape");
    const std::size_t row = shape[0] > 0 ? k.size() / shape[0] : 0;
    PageJson block = add("u16", shape, 2, [k = std::move(k), row](PagePacker& to) {
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

void PageData::write(PagePacker& to) const
{
    for (const auto& writer : writers_) {
        writer(to);
        to.align();
    }
    to.flush();
}

std::uint64_t bytes_of(const TrajectoryReader& run, std::string_view series)
{
    return 8 * std::uint64_t{run.frames()} * run.row_size(series);
}

PageJson copied(PageData& data, const TrajectoryReader& run, const std::string& series)
{
    BlockShape shape = run.row_shape(series);
    shape.insert(shape.begin(), run.frames());
    return data.add("f64", shape, 8, [&run, series](PagePacker& to) {
        const std::size_t row = run.row_size(series);
        in_slabs(run, series, [&](std::size_t, std::size_t count, const double* rows) {
            to.put(rows, 8 * count * row);
        });
    });
}

PageJson copied_part(PageData& data, const TrajectoryReader& run, const std::string& series,
                     std::size_t first, std::size_t wide)
{
    return data.add("f64", {run.frames(), wide}, 8, [&run, series, first, wide](PagePacker& to) {
        const std::size_t row = run.row_size(series);
        in_slabs(run, series, [&](std::size_t, std::size_t count, const double* rows) {
            for (std::size_t i = 0; i < count; ++i)
                to.put(rows + i * row + first, 8 * wide);
        });
    });
}

PageJson page_json(const Vec3<double>& a)
{
    return PageJson::array({a.x, a.y, a.z});
}
PageJson page_json(const Pose<double>& pose)
{
    return {{"position", page_json(pose.x)},
            {"orientation", PageJson::array({pose.q.w, pose.q.x, pose.q.y, pose.q.z})}};
}

} // namespace poinsot
