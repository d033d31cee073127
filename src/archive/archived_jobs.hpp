// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "archive/batch_jobs.hpp"

namespace palstudy {

/// What worked on an archive, for one that grows from it: times to the second, as they are stored, core-hours as they
/// were. None where an older program wrote none. Errors (data): damaged.
[[nodiscard]] std::vector<BatchJob> archived_jobs(const std::filesystem::path& archive);

}  // namespace palstudy
