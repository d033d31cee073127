// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace palstudy {

/// Refuses an archive that does not hold what it says: all that `verify` looks at is looked at. Errors (data): the
/// first finding, and how many there are; NotAnArchive.
void require_intact(const std::filesystem::path& archive);

/// What is found wrong with an archive by looking no longer than it takes to read so many values: the digest of all
/// runs against theirs in /runs, then the checksums of dataset after dataset, small ones first.
struct QuickLook {
  std::string damage;  ///< "" if nothing was found
  bool whole = true;   ///< every dataset was read
};
[[nodiscard]] QuickLook look_for_damage(const std::filesystem::path& archive, std::uint64_t most_values);

}  // namespace palstudy
