// SPDX-License-Identifier: MIT
#pragma once

// A file driver for HDF5 that leaves a readable file whenever the writer dies.
//
// HDF5 in single-writer mode (SWMR) orders its writes so that a reader can open the file between
// any two of them. It also marks the file as being written, and after a crash that mark makes a
// plain reader refuse the file until it is cleared by hand. This driver writes like HDF5's own
// (pwrite at an address) but for two things: the mark never reaches the disk, and the file is as
// long as the superblock says before the superblock says so. It also remembers why a write
// failed: a full disk has a name.

#include <hdf5.h>

#include <memory>

namespace poinsot {

/// What stands in the way of writing: errno of the first write that failed. HDF5 itself is not
/// told, since it cannot close what it failed to write (1.10 crashes at exit); later writes are
/// dropped, so the file stays as it was. Whoever writes must look here after every call.
struct WriteFault {
    int error = 0;
};

/// Access properties for creating a file with this driver; to be closed with H5Pclose. The file
/// keeps the fault alive: HDF5 may let go of a file it failed to close only when the program
/// ends.
hid_t lasting_access(const std::shared_ptr<WriteFault>& fault);

} // namespace poinsot
