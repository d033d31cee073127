// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "archive/file_checks.hpp"
#include "archive/provenance.hpp"
#include "variability/profile/profile.hpp"

namespace palstudy {

/// Checks schema, checksums, digest, summaries against batches. Empty if all holds; a file
/// damaged so far that it cannot be read is a finding too. Errors (data): NotAnArchive.
[[nodiscard]] Found verify_profile(const std::filesystem::path& path);
/// Refuses a profile in which `verify_profile` finds anything. Errors (data): the first finding, and how many there
/// are; NotAnArchive.
void require_intact_profile(const std::filesystem::path& profile);

/// Hex digest of the content, provenance and what follows from other columns left out: hdf5-schemas/digest.md. That of
/// `in_order` of a profile is that of its file.
[[nodiscard]] std::string profile_digest(const Profile& profile);

/// Writes a profile in the order of profile.hpp: `path.part`, fsync, rename. Byte for byte the same for the same
/// content and provenance, whatever order the content comes in; Profile::origin goes before the provenance's.
/// hdf5-schemas/profile.md describes it.
/// Errors (data): a profile that check_profile refuses; a full disk, an unwritable directory; nothing is left behind.
void write_profile(const std::filesystem::path& path, const Profile& profile, const Provenance& provenance);

/// Errors (data, at file:/dataset): damaged, or refused by check_profile; NotAnArchive: no HDF5 file, no
/// profile, another major schema version.
[[nodiscard]] Profile read_profile(const std::filesystem::path& path);

/// `profile_digest` as the file has it. Errors: as read_profile.
[[nodiscard]] std::string stored_profile_digest(const std::filesystem::path& path);

/// Whether it is an HDF5 file with the schema of a profile, of any version; false for a file that cannot be read.
[[nodiscard]] bool is_profile_file(const std::filesystem::path& path);

}  // namespace palstudy
