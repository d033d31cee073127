// SPDX-License-Identifier: MIT
#include "analysis/started_jobs.hpp"

#include <cmath>

#include "analysis/job_groups.hpp"
#include "core/numbers.hpp"

namespace palstudy {

std::map<std::string, std::vector<double>> metrics_of_started_jobs(const ArchiveReader& archive,
                                                                   const RunValues& runs) {
  const auto measured = job_column<std::int64_t>(archive, "measured");
  const auto submit_s = job_column<double>(archive, "submit_s"), start_s = job_column<double>(archive, "start_s");
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
