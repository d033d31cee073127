// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/record.hpp"

namespace palstudy {

/// Hex digest of a run: SHA-256 over its tables runs, jobs, events (with /events/gpu), rounds, delays. It looks at the
/// tables alone, so that it can be had again from an archive; hdf5-schemas/digest.md says which bytes enter. A table
/// without rows of this run contributes nothing, and columns that are not `digested` are left out.
[[nodiscard]] std::string run_digest(const RunRecord& record);

/// Hex digest of an archive from its run digests: runs, statuses and digests, taken in run order whatever the order
/// given. Errors (data): a digest that is not 64 hex digits. Errors (fault): arrays of different lengths.
[[nodiscard]] std::string archive_digest(const std::vector<std::int64_t>& runs, const std::vector<RunStatus>& statuses,
                                         const std::vector<std::string>& digests);

}  // namespace palstudy
