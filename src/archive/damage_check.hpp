// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace palstudy {

/// Refuses a damaged archive, by all checks of `verify`. Errors (data): the
/// first finding, and how many there are; NotAnArchive.
void require_intact(const std::filesystem::path& archive);

/// A check of an archive that reads at most so many values: the digest of all
/// runs against theirs in /runs, then the checksums of dataset after dataset, small ones first.
struct QuickCheck {
  std::string damage;  ///< "" if nothing was found
  bool whole = true;   ///< every dataset was read
};
[[nodiscard]] QuickCheck check_quickly(const std::filesystem::path& archive, std::uint64_t most_values);

}  // namespace palstudy
