// SPDX-License-Identifier: MIT
#pragma once

// A file driver for HDF5 that leaves a readable file whenever the writer dies.
//
// HDF5 in single-writer mode (SWMR) orders its writes so that a reader can open the file between any two
// of them. It also marks the file as being written, and after a crash that mark makes a plain reader
// refuse the file until it is cleared by hand. This driver writes like HDF5's own (pwrite at an address)
// but for two things: the mark never reaches the disk, and the file is as long as the superblock says
// before the superblock says so. It also remembers why a write failed: a full disk has a name.

#include <hdf5.h>

namespace poinsot {

/// What stands in the way of writing; errno of the first write that failed.
struct WriteFault {
    int error = 0;
    bool abandoned = false; // from now on writes are dropped, so that HDF5 can let go of the file
};

/// Access properties for creating a file with this driver; to be closed with H5Pclose. The fault must
/// live as long as the file.
hid_t lasting_access(WriteFault& fault);

} // namespace poinsot
