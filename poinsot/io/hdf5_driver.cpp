// SPDX-License-Identifier: MIT
#include "poinsot/io/hdf5_driver.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace poinsot {

namespace {

// The superblock of version 2 and 3 [HDF5 File Format Specification 3.0, II.A]: eight bytes of
// signature, version, sizes, the mark (byte 11), four addresses of eight bytes, and a checksum of
// all before it.
constexpr std::array<unsigned char, 8> signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
constexpr std::size_t mark_at = 11, checksum_at = 44, superblock_size = 48;

constexpr std::uint32_t rotated(std::uint32_t a, int by)
{
    return (a << by) | (a >> (32 - by));
}

/// Bob Jenkins's lookup3 (hashlittle), which HDF5 uses for its checksums.
std::uint32_t lookup3(const unsigned char* k, std::size_t length)
{
    std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(length), b = a, c = a;
    const auto word = [&](std::size_t at) {
        std::uint32_t w = 0;
        for (std::size_t i = 0; i < 4 && at + i < length; ++i)
            w |= static_cast<std::uint32_t>(k[at + i]) << (8 * i);
        return w;
    };
    std::size_t at = 0;
    for (; length - at > 12; at += 12) {
        a += word(at), b += word(at + 4), c += word(at + 8);
        a -= c, a ^= rotated(c, 4), c += b;
        b -= a, b ^= rotated(a, 6), a += c;
        c -= b, c ^= rotated(b, 8), b += a;
        a -= c, a ^= rotated(c, 16), c += b;
        b -= a, b ^= rotated(a, 19), a += c;
        c -= b, c ^= rotated(b, 4), b += a;
    }
    if (at == length)
        return c;
    a += word(at), b += word(at + 4), c += word(at + 8);
    c ^= b, c -= rotated(b, 14);
    a ^= c, a -= rotated(c, 11);
    b ^= a, b -= rotated(a, 25);
    c ^= b, c -= rotated(b, 16);
    a ^= c, a -= rotated(c, 4);
    b ^= a, b -= rotated(a, 14);
    c ^= b, c -= rotated(b, 24);
    return c;
}

struct LastingFile {
    H5FD_t base; // HDF5's part; must come first
    int file;
    haddr_t allocated, length;
    std::shared_ptr<WriteFault> fault;
};
LastingFile& of(H5FD_t* f)
{
    return *reinterpret_cast<LastingFile*>(f);
}
const LastingFile& of(const H5FD_t* f)
{
    return *reinterpret_cast<const LastingFile*>(f);
}
void remember(LastingFile& f)
{
    if (f.fault->error == 0)
        f.fault->error = errno ? errno : EIO;
}

struct AccessInfo {
    const std::shared_ptr<WriteFault>* fault; // read while the file is opened
};

H5FD_t* open_file(const char* name, unsigned flags, hid_t access, haddr_t)
{
    const auto* info = static_cast<const AccessInfo*>(H5Pget_driver_info(access));
    if (!info)
        return nullptr;
    const int how = (flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY) |
                    (flags & H5F_ACC_TRUNC ? O_TRUNC : 0) | (flags & H5F_ACC_CREAT ? O_CREAT : 0) |
                    (flags & H5F_ACC_EXCL ? O_EXCL : 0) | O_CLOEXEC;
    const int file = ::open(name, how, 0666);
    struct stat status = {};
    if (file < 0 || ::fstat(file, &status) != 0) {
        (*info->fault)->error = errno;
        return nullptr;
    }
    auto* made = new LastingFile{};
    made->file = file;
    made->length = static_cast<haddr_t>(status.st_size);
    made->fault = *info->fault;
    return &made->base;
}
bool set_length(LastingFile& file, haddr_t length)
{
    if (::ftruncate(file.file, static_cast<off_t>(length)) != 0)
        return false;
    file.length = length;
    return true;
}
herr_t close_file(H5FD_t* f)
{
    LastingFile& file = of(f);
    const bool trimmed =
        file.fault->error != 0 || file.length <= file.allocated || set_length(file, file.allocated);
    const int result = ::close(file.file);
    delete &file;
    return trimmed && result == 0 ? 0 : -1;
}
herr_t query(const H5FD_t*, unsigned long* flags)
{
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA |
             H5FD_FEAT_SUPPORTS_SWMR_IO;
    return 0;
}
haddr_t get_eoa(const H5FD_t* f, H5FD_mem_t)
{
    return of(f).allocated;
}
herr_t set_eoa(H5FD_t* f, H5FD_mem_t, haddr_t end)
{
    of(f).allocated = end;
    return 0;
}
haddr_t get_eof(const H5FD_t* f, H5FD_mem_t)
{
    return of(f).length;
}
herr_t read_file(H5FD_t* f, H5FD_mem_t, hid_t, haddr_t at, size_t size, void* buffer)
{
    LastingFile& file = of(f);
    auto* into = static_cast<unsigned char*>(buffer);
    while (size > 0) {
        const ssize_t n = ::pread(file.file, into, size, static_cast<off_t>(at));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            remember(file);
            return -1;
        }
        if (n == 0) { // beyond the end of the file there are zeros
            std::memset(into, 0, size);
            return 0;
        }
        into += n;
        at += static_cast<haddr_t>(n);
        size -= static_cast<size_t>(n);
    }
    return 0;
}
void put(LastingFile& file, haddr_t at, size_t size, const unsigned char* from)
{
    while (size > 0 && file.fault->error == 0) {
        const ssize_t n = ::pwrite(file.file, from, size, static_cast<off_t>(at));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return remember(file);
        from += n;
        at += static_cast<haddr_t>(n);
        size -= static_cast<size_t>(n);
        file.length = std::max(file.length, at);
    }
}
/// Makes the file as long as the superblock is about to say, and longer: a reader asks for the
/// length first and reads the superblock later, and what was added between must fit. The rest is a
/// hole that takes no room on the disk and is cut off when the file is closed.
void extend(LastingFile& file)
{
    constexpr haddr_t ahead = haddr_t{32} << 20;
    if (file.fault->error != 0 || file.length >= file.allocated + ahead)
        return;
    if (set_length(file, file.allocated + 2 * ahead) || file.length >= file.allocated)
        return;
    if (!set_length(file, file.allocated))
        remember(file);
}
herr_t write_file(H5FD_t* f, H5FD_mem_t, hid_t, haddr_t at, size_t size, const void* buffer)
{
    LastingFile& file = of(f);
    const auto* from = static_cast<const unsigned char*>(buffer);
    std::array<unsigned char, superblock_size> clean;
    if (at == 0 && size >= superblock_size &&
        std::equal(signature.begin(), signature.end(), from) && (from[8] == 2 || from[8] == 3)) {
        std::copy_n(from, superblock_size, clean.begin());
        clean[mark_at] = 0;
        const std::uint32_t sum = lookup3(clean.data(), checksum_at);
        for (std::size_t i = 0; i < 4; ++i)
            clean[checksum_at + i] = static_cast<unsigned char>(sum >> (8 * i));
        extend(file);
        put(file, 0, superblock_size, clean.data());
        at += superblock_size, from += superblock_size, size -= superblock_size;
    }
    put(file, at, size, from);
    return 0;
}
herr_t truncate_file(H5FD_t* f, hid_t, hbool_t closing)
{
    if (!closing) // else the superblock comes after, and then `close_file`
        extend(of(f));
    return 0;
}

hid_t driver()
{
    static const H5FD_class_t kind = [] {
        H5FD_class_t k = {};
        k.name = "poinsot_lasting";
        k.maxaddr = static_cast<haddr_t>(INT64_MAX);
        k.fc_degree = H5F_CLOSE_STRONG;
        k.fapl_size = sizeof(AccessInfo);
        k.open = open_file;
        k.close = close_file;
        k.query = query;
        k.get_eoa = get_eoa;
        k.set_eoa = set_eoa;
        k.get_eof = get_eof;
        k.read = read_file;
        k.write = write_file;
        k.truncate = truncate_file;
        constexpr H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
        std::copy(std::begin(map), std::end(map), std::begin(k.fl_map));
        return k;
    }();
    static const hid_t id = H5FDregister(&kind);
    return id;
}

} // namespace

hid_t lasting_access(const std::shared_ptr<WriteFault>& fault)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    const AccessInfo info{&fault};
    H5Pset_driver(access, driver(), &info);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110); // what SWMR needs, and no newer
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    return access;
}

} // namespace poinsot
