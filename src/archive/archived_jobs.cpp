// SPDX-License-Identifier: MIT
#include "archive/archived_jobs.hpp"

#include <ctime>

#include "core/error.hpp"
#include "hdf5/hdf5.hpp"

namespace palstudy {
namespace {

double unix_s(const std::string& text) {
  std::tm parts{};
  const char* end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (end == nullptr || *end != '\0') {
    throw data_error("\"" + text + "\" is no time", host_jobs_group + "/start", "The archive is damaged or not ours.");
  }
  return static_cast<double>(timegm(&parts));
}

}  // namespace

std::vector<BatchJob> archived_jobs(const std::filesystem::path& archive) {
  const auto file = hdf5::File::open(archive);
  std::vector<BatchJob> jobs;
  if (!file.exists(host_jobs_group)) return jobs;
  const auto ids = file.texts(host_jobs_group + "/job"), launchers = file.texts(host_jobs_group + "/launcher"),
             starts = file.texts(host_jobs_group + "/start");
  const auto nodes = file.integers(host_jobs_group + "/nodes"), ranks = file.integers(host_jobs_group + "/ranks"),
             cores = file.integers(host_jobs_group + "/cores");
  const auto hours = file.reals(host_jobs_group + "/core_hours");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    BatchJob job{ids[i], launchers.at(i), nodes.at(i), ranks.at(i), cores.at(i), unix_s(starts.at(i)), 0};
    // The end as stored is rounded, the core-hours are not.
    job.end_s = job.start_s + (job.cores > 0 ? hours.at(i) * 3600 / static_cast<double>(job.cores) : 0);
    jobs.push_back(job);
  }
  return jobs;
}

}  // namespace palstudy
