// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/tables.hpp"

namespace palstudy {

/// Hex digest of a run: SHA-256 over the digested columns of its digested tables, and over nothing else, so that it can
/// be computed again from an archive; hdf5-schemas/digest.md lists the bytes that enter.
[[nodiscard]] std::string run_digest(const RunRecord& record);

/// Computes the digest of a run and writes it into the record and into its row of /runs.
void set_digest(RunRecord& record);

/// Hex digest of an archive from its run digests: runs, statuses and digests, taken in run order whatever the order
/// given. Errors (data): a digest that is not 64 hex digits. Errors (fault): arrays of different lengths.
[[nodiscard]] std::string archive_digest(const std::vector<std::int64_t>& runs, const std::vector<RunStatus>& statuses,
                                         const std::vector<std::string>& digests);

}  // namespace palstudy
