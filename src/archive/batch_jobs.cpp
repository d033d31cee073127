// SPDX-License-Identifier: MIT
#include "archive/batch_jobs.hpp"

#include <fmt/chrono.h>

#include <cmath>
#include <ctime>
#include <functional>

#include "core/error.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"

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
  write_dataset(file, batch_jobs_group + "/" + name, values, label);
}

double unix_s(const std::string& text) {
  std::tm parts{};
  const char* end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (end == nullptr || *end != '\0') {
    throw data_error("\"" + text + "\" is no time", batch_jobs_group + "/start",
                     "restore the archive from a copy or run the study again");
  }
  return static_cast<double>(timegm(&parts));
}

}  // namespace

void write_batch_jobs(hdf5::File& file, const std::vector<BatchJob>& jobs) {
  if (jobs.empty()) return;
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
  write_column<std::string>(file, "binding",
                            {"1", "Processors that each rank may run on, by host; ranks are between bars."}, jobs,
                            &BatchJob::binding);
  const std::vector<std::string> columns = {"job",   "launcher", "nodes",      "ranks",  "cores",
                                            "start", "end",      "core_hours", "binding"};
  write_attribute(file, batch_jobs_group, "columns", columns);
  std::vector<std::string> paths;
  for (const std::string& column : columns) paths.push_back(fmt::format("{}/{}", batch_jobs_group, column));
  share_rows(file, batch_jobs_group + "/row", paths);
}

std::vector<BatchJob> archived_jobs(const std::filesystem::path& archive) {
  const auto file = hdf5::File::open(archive);
  std::vector<BatchJob> jobs;
  if (!file.exists(batch_jobs_group)) return jobs;
  const auto ids = read_texts(file, batch_jobs_group + "/job"),
             launchers = read_texts(file, batch_jobs_group + "/launcher"),
             starts = read_texts(file, batch_jobs_group + "/start");
  const auto nodes = read_integers(file, batch_jobs_group + "/nodes"),
             ranks = read_integers(file, batch_jobs_group + "/ranks"),
             cores = read_integers(file, batch_jobs_group + "/cores");
  const auto hours = read_reals(file, batch_jobs_group + "/core_hours");
  const std::string binding_path = batch_jobs_group + "/binding";  // since 1.6
  const auto bindings =
      file.exists(binding_path) ? read_texts(file, binding_path) : std::vector<std::string>(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    BatchJob job{ids[i],      launchers.at(i),      nodes.at(i), ranks.at(i),
                 cores.at(i), unix_s(starts.at(i)), 0,           bindings.at(i)};
    // The end as stored is rounded, the core-hours are not.
    job.end_s = job.start_s + (job.cores > 0 ? hours.at(i) * 3600 / static_cast<double>(job.cores) : 0);
    jobs.push_back(job);
  }
  return jobs;
}

}  // namespace palstudy
