// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "archive/batch_jobs.hpp"
#include "parallel/mpi.hpp"

namespace palstudy {

/// Collective. The job that these ranks run in, as from now; all fields on rank 0, which prints the binding of several
/// ranks: a line, and a warning where ranks have to share a core.
[[nodiscard]] BatchJob this_batch_job(Mpi& mpi);

/// What rank 0 leaves beside the shards of a start of the program: `<start>.job.json`. The merge makes /provenance/jobs
/// of them.
class BatchJobFile {
 public:
  /// Errors (data): it cannot be written.
  BatchJobFile(const std::filesystem::path& parts, const std::string& start, const BatchJob& job);
  /// Writes the time of the end, now. A disk that is full by then costs a warning and no run.
  void end();

 private:
  std::filesystem::path file_;
  BatchJob job_;
};

/// The jobs of all starts in this folder, by start time. A start that was killed ended when its last shard was written.
/// Damaged files are skipped with a warning.
[[nodiscard]] std::vector<BatchJob> read_batch_jobs(const std::filesystem::path& parts);

}  // namespace palstudy
