// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>

namespace palstudy {

struct RunExport {
  std::filesystem::path archive;  ///< or a bundle, whose archive it is then
  std::int64_t run = 0;
  std::filesystem::path trace;  ///< the CSV to write; the study is written beside it
  bool force = false;           ///< replaces what is there
};

/// Where the study of an exported run goes: jobs.toml beside jobs.csv.
[[nodiscard]] std::filesystem::path study_beside(const std::filesystem::path& trace);

/// Writes the jobs of an archived run as a native trace, and beside it the study that runs it again. Its events are the
/// same then, to the bit. An archive has not all that a job is, so that the jobs are made again from the study in it
/// and its inputs. Both files are there in the end, or neither is new.
/// Errors: usage (no such run; a file is there, or is read here), data (an input is missing or has changed; the study
/// gives other runs than the archive has; names that CSV cannot hold).
void export_run(const RunExport& what);

}  // namespace palstudy
