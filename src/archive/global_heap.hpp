// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace palstudy::hdf5 {

/// Looks at the global heaps of a file, where HDF5 keeps the references of columns to their dimension scales, without
/// any checksum: each object in them has to be one reference and each heap has to be full of them and of free space.
/// The library (1.10) believes the lengths there and crashes on wrong ones, so whoever reads such references asks here
/// first. (HDF5 File Format Specification 3.0, III.E.) Errors (data): damaged, cannot be read.
void check_global_heaps(const std::filesystem::path& file);

}  // namespace palstudy::hdf5
