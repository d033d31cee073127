// SPDX-License-Identifier: MIT
#include "study/started_jobs.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "study/job_groups.hpp"

namespace palstudy {
namespace {

template <class Value>
std::vector<Value> column(const ArchiveReader& archive, const char* name) {
  return std::get<std::vector<Value>>(archive.column(TableId::jobs, name));
}

}  // namespace

std::map<std::string, std::vector<double>> metrics_of_started_jobs(const ArchiveReader& archive,
                                                                   const RunValues& runs) {
  if (!archive.has(TableId::jobs)) {
    throw data_error("the archive has no /jobs, which metrics of the jobs that started are made from", "/jobs",
                     "Run the study with output.jobs = true.");
  }
  const auto measured = column<std::int64_t>(archive, "measured");
  const auto submit_s = column<double>(archive, "submit_s"), start_s = column<double>(archive, "start_s");
  std::vector<double> waits, shares;
  for (const auto& [begin, end] : job_rows(runs, measured.size())) {
    double all = 0, started = 0, wait_s = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (measured[i] == 0) continue;
      ++all;
      if (std::isnan(start_s[i])) continue;
      ++started;
      wait_s += start_s[i] - submit_s[i];
    }
    waits.push_back(started > 0 ? wait_s / started : nan);
    shares.push_back(all > 0 ? started / all : nan);
  }
  return {{wait_started_mean, std::move(waits)}, {jobs_started, std::move(shares)}};
}

}  // namespace palstudy
