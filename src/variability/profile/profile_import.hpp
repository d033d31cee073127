// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "variability/profile/profile.hpp"

namespace palstudy {

/// Whether a text is what `ncu --csv` prints: some line begins with the column ID.
[[nodiscard]] bool is_ncu_csv(const std::string& text);

/// Whether a text of `ncu --csv` has metrics of pipes, and so says how an application uses a GPU.
[[nodiscard]] bool counts_pipes(const std::string& text);

/// A kernel as Nsight Compute timed it.
struct NcuLaunch {
  std::string device, kernel;
  std::string shape;  ///< "grid (1024, 1, 1), block (256, 1, 1)"; "" where the file lacks them
  double seconds = 0;
  std::string where;  ///< file:line:column
};
/// The durations of all launches in what `ncu --csv` prints, of its page of details or, of `--page raw`, of
/// gpu__time_duration.sum. Errors (data, file:line:column): none, an unknown unit, a number that is none.
[[nodiscard]] std::vector<NcuLaunch> ncu_launches(const std::string& text, const std::string& file);

/// A CSV with a row a GPU and, beside it, `runs/` with a row a run (read_measurements) as a profile of one kernel, the
/// file's name without .csv, and one session of the backend "import": a run is a repeat of one batch of one launch.
/// `cabinet`, and of runs `power_w`, `temp_c`, `sm_mhz` and a `run` that is a UNIX second, are kept where they are
/// there. Errors (data, file:line:column): as read_measurements; a number that is none.
[[nodiscard]] Profile import_measurements(const std::filesystem::path& path, const std::string& session);

/// The output of `ncu --csv`, a row a metric or, of `--page raw`, a row a launch, as the utilisation of one
/// application, the file's name without its ending. Metrics: gpu__time_duration.sum; dram__throughput (or
/// gpu__dram_throughput), and sm__inst_executed_pipe_*, sm__pipe_*_cycles_active (or smsp__), as
/// .avg.pct_of_peak_sustained_elapsed. Each launch is weighted by its own duration; of several metrics of one pipe the
/// largest counts. Errors (data, file:line:column): a launch without a duration or without a metric that others have,
/// an unknown unit, a share over 110 %; no duration, no DRAM or no pipe at all, with the metrics to ask ncu for.
[[nodiscard]] Profile import_ncu(const std::string& text, const std::string& file);

}  // namespace palstudy
