// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "archive/findings.hpp"
#include "hdf5/hdf5.hpp"

namespace palstudy {

/// The second number of the file's schema version, such as 4 of "1.4.0"; 0 if it has none.
[[nodiscard]] int minor_version(const hdf5::File& file);

/// Every dataset is read whole, which checks its fletcher32 sums, and says what it holds. Whether all could be read.
bool check_datasets(const hdf5::File& file, const char* advice, Findings& findings);

/// Since the second schema of each kind every dataset is a dimension scale or has one. The references between them lie
/// in a part of the file that HDF5 keeps no checksum of, so both ways are held against each other.
void check_scales(const hdf5::File& file, const char* advice, Findings& findings);

[[nodiscard]] bool has_checksum(const hdf5::File& file);
/// Holds the checksum of a file against its content and names the parts that differ. `due`: the file's schema has one.
/// Of a file without other findings: see hdf5::File::checksum.
void check_checksum(const hdf5::File& file, bool due, const char* advice, Findings& findings);

/// What `check` finds, in a child process: see found_by_child. A file whose schema is not known but that bears a
/// checksum of this program, which does not hold, is no other program's file but one that was altered: a finding.
/// Errors: NotAnArchive, as `check` throws it.
[[nodiscard]] Findings findings_in(const std::filesystem::path& file, const char* advice,
                                   const std::function<void(Findings&)>& check);

/// Bytes behind the end of the HDF5 file, which belong to nothing.
void check_file_end(const hdf5::File& file, const char* advice, Findings& findings);

}  // namespace palstudy
