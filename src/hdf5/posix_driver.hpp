// SPDX-License-Identifier: MIT
#pragma once

// Included by .cpp files of this room alone.
#include <hdf5.h>

namespace palstudy::hdf5 {

/// A file on a disk that HDF5 writes, and the first thing that went wrong there (an errno).
struct Disk {
  int descriptor = -1;
  int error = 0;
};

/// Lets files that are opened with `access` be written to `disk`, which must outlive them. HDF5's own driver reports a
/// full disk to the library, which then holds data that it can never write, cannot close the file, and tries again at
/// exit. This one records the error in `Disk`, lets the library close, and the caller checks the disk afterwards.
/// Returns a negative number if the library refuses.
[[nodiscard]] herr_t write_to(hid_t access, Disk& disk);

}  // namespace palstudy::hdf5
