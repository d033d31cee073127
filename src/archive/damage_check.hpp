// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "archive/file_checks.hpp"

namespace palstudy {

/// Refuses a damaged archive, by all checks of `verify`. Errors (data): the
/// first finding, and how many there are; NotAnArchive.
void require_intact(const std::filesystem::path& archive);

/// A check of an archive that reads at most so many values: the digest of all
/// runs against theirs in /runs, then the checksums of dataset after dataset, small ones first.
struct QuickCheck {
  std::optional<ErrorParts> damage;  ///< none if nothing was found
  bool whole = true;                 ///< every dataset was read
};
[[nodiscard]] QuickCheck check_quickly(const std::filesystem::path& archive, std::uint64_t most_values);

/// What `check` finds, run by a child process: HDF5 1.10 believes lengths in a damaged file and may crash on them,
/// which is then a finding like any other. A process that has started MPI runs `check` itself, since it must not fork.
/// Errors: NotAnArchive, as `check` throws it.
[[nodiscard]] Found found_by_child(const std::filesystem::path& file, const std::function<Found()>& check);

}  // namespace palstudy
