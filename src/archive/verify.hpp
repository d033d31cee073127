// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "archive/file_checks.hpp"
#include "record/table.hpp"

namespace palstudy {

/// Checks schema, checksums, digests, metrics against rows. Empty if all holds; a file that is
/// damaged so far that it cannot be opened is a finding too. Errors (data): NotAnArchive.
[[nodiscard]] Found verify_archive(const std::filesystem::path& path);

/// The metrics of /runs that follow from the rows of /jobs of one run (`metrics_of_jobs`), by name. `to_come`: measured
/// jobs that had not arrived when the run ended, which have no row.
[[nodiscard]] std::map<std::string, double> recomputed_metrics(const TableData& jobs, std::size_t to_come = 0);

/// The names of the metrics of /runs that follow neither from /jobs nor from /power.
[[nodiscard]] std::vector<std::string> metrics_not_recomputed();

}  // namespace palstudy
