// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace palstudy::hdf5 {
class File;
}

namespace palstudy {

/// A job of the machine's own scheduler that worked on a campaign, or a start of the program where there is none. Not
/// to be taken for the jobs that are simulated.
struct BatchJob {
  std::string job;       ///< Slurm's id, "12" or "12_3" of an array; "" without Slurm
  std::string launcher;  ///< "srun", "mpirun", "mpiexec", or "" for a single process
  std::int64_t nodes = 1, ranks = 1;
  std::int64_t cores = 1;         ///< what Slurm counts for the job; without Slurm one a rank
  double start_s = 0, end_s = 0;  ///< Unix time
  std::string binding = {};       ///< processors of each rank by host, as binding_text; "" where it is not known
  [[nodiscard]] double core_hours() const { return static_cast<double>(cores) * (end_s - start_s) / 3600; }
};

/// Where an archive keeps them.
inline const std::string batch_jobs_group = "/provenance/jobs";

/// Writes /provenance/jobs, a row a job; nothing for none.
void write_batch_jobs(hdf5::File& file, const std::vector<BatchJob>& jobs);

/// The jobs that worked on an archive, for one that grows from it: times to the second, as they are stored, core-hours
/// as they were. None where an older program wrote none. Errors (data): damaged.
[[nodiscard]] std::vector<BatchJob> archived_jobs(const std::filesystem::path& archive);

}  // namespace palstudy
