// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>

#include "archive/file_checks.hpp"

namespace palstudy {

/// What `check` finds, run by a child process: HDF5 1.10 believes lengths in a damaged file and may crash on them,
/// which is then a finding like any other. A process that has started MPI runs `check` itself, since it must not fork.
/// Errors: NotAnArchive, as `check` throws it.
[[nodiscard]] Findings found_by_child(const std::filesystem::path& file, const std::function<Findings()>& check);

}  // namespace palstudy
