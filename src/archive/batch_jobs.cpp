// SPDX-License-Identifier: MIT
#include "archive/batch_jobs.hpp"

#include <fmt/chrono.h>

#include <cmath>
#include <ctime>
#include <functional>

#include "hdf5/hdf5.hpp"

namespace palstudy {
namespace {

std::string utc(double unix_s) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(std::floor(unix_s))));
}

template <class T, class Get>
void write_column(hdf5::File& file, const std::string& name, const hdf5::Label& label,
                  const std::vector<BatchJob>& jobs, Get get) {
  std::vector<T> values;
  for (const BatchJob& job : jobs) values.push_back(std::invoke(get, job));
  file.write(host_jobs_group + "/" + name, std::span<const T>(values), label);
}

}  // namespace

void write_batch_jobs(hdf5::File& file, const std::vector<BatchJob>& jobs) {
  if (jobs.empty()) return;
  file.group(host_jobs_group);
  write_column<std::string>(file, "job", {"1", "Slurm's id of the job that computed; empty without Slurm."}, jobs,
                            &BatchJob::job);
  write_column<std::string>(file, "launcher", {"1", "srun, mpirun or mpiexec; empty for a single process."}, jobs,
                            &BatchJob::launcher);
  write_column<std::int64_t>(file, "nodes", {"1", "Nodes of the job."}, jobs, &BatchJob::nodes);
  write_column<std::int64_t>(file, "ranks", {"1", "Processes that shared the runs."}, jobs, &BatchJob::ranks);
  write_column<std::int64_t>(file, "cores", {"1", "Cores of the job, as Slurm counts them; without Slurm its ranks."},
                             jobs, &BatchJob::cores);
  write_column<std::string>(file, "start", {"1", "When it began to work, in UTC."}, jobs,
                            [](const BatchJob& job) { return utc(job.start_s); });
  write_column<std::string>(file, "end",
                            {"1", "When its last run had ended, or was last heard of where it was killed, in UTC."},
                            jobs, [](const BatchJob& job) { return utc(job.end_s); });
  write_column<double>(file, "core_hours", {"h", "Its cores times the time from start to end."}, jobs,
                       &BatchJob::core_hours);
  const std::vector<std::string> columns = {"job", "launcher", "nodes", "ranks", "cores", "start", "end", "core_hours"};
  file.attribute(host_jobs_group, "columns", columns);
  std::vector<std::string> paths;
  for (const std::string& column : columns) paths.push_back(fmt::format("{}/{}", host_jobs_group, column));
  file.share_rows(host_jobs_group + "/row", paths);
}

}  // namespace palstudy
