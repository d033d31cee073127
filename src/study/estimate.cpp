// SPDX-License-Identifier: MIT
#include "study/estimate.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <vector>

#include "core/error.hpp"

namespace palstudy {
namespace {

constexpr double mib = 1024.0 * 1024.0;

// Bytes of a row in a shard: 8 a number, 4 a text code.
constexpr double job_bytes = 190, event_bytes = 36, round_bytes = 48, node_bytes = 60, run_bytes = 2500;

// Jobs that arrive before the last measured one; those that arrive while it runs come on top.
std::vector<const Job*> surely_arriving(const MeasureOptions& measure, const Workload& workload) {
  double until_s = measure.warmup_s + measure.window_s;
  if (!measure.by_window) {
    until_s = 0;
    for (const Job& job : workload.jobs) {
      if (job.id >= measure.first && job.id <= measure.last) until_s = std::max(until_s, job.submit_s);
    }
  }
  std::vector<const Job*> jobs;
  for (const Job& job : workload.jobs) {
    if (job.submit_s <= std::min(until_s, measure.end_s)) jobs.push_back(&job);
  }
  return jobs;
}

double run_disk_bytes(const RunPlan& run, const Inputs::Loaded& inputs, const std::vector<const Job*>& arriving) {
  double gpus = 0;
  for (const Job* job : arriving) gpus += job->gpus;
  const auto jobs = static_cast<double>(arriving.size());
  double bytes = run_bytes + node_bytes * inputs.topology.nodes();
  if (run.output.jobs) bytes += job_bytes * jobs;
  // Every job is launched and finishes; non-sticky policies have more events, so this errs to the low side.
  if (run.output.events) bytes += 2 * event_bytes * jobs + 2 * 8 * gpus;
  if (run.output.rounds) bytes += 2 * round_bytes * jobs;
  return bytes;
}

std::filesystem::path nearest_folder(const std::filesystem::path& output) {
  auto folder = std::filesystem::absolute(output).parent_path();
  while (!std::filesystem::exists(folder) && folder.has_relative_path()) folder = folder.parent_path();
  return folder;
}

}  // namespace

RunEstimate estimate(const RunPlan& run, const Inputs::Loaded& inputs) {
  const auto arriving = surely_arriving(run.measure, inputs.workload);
  const auto all = static_cast<double>(inputs.workload.jobs.size()), jobs = static_cast<double>(arriving.size());
  const auto gpus = static_cast<double>(inputs.topology.gpus());
  RunEstimate result;
  // From 0.1 to 0.25 ms of engine time for 160 jobs on 64 GPUs, about 3 ms with reading and writing.
  result.core_s = 0.001 + jobs * 1e-5 * (1.0 + gpus / 4096.0);
  result.least_disk_mib = run_disk_bytes(run, inputs, arriving) / mib;
  result.disk_mib = 2 * result.least_disk_mib;
  result.memory_mib = 20.0 + (all * 400.0 + gpus * 200.0) / mib + 2.0 * result.disk_mib;
  return result;
}

void check_room(const std::filesystem::path& output, double disk_mib) {
  const auto folder = nearest_folder(output);
  struct statvfs space = {};
  if (statvfs(folder.c_str(), &space) == 0 && space.f_blocks > 0) {
    const double free_mib = static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize) / mib;
    if (free_mib < disk_mib) {
      throw data_error(
          fmt::format("the disk is full: {:.3g} MiB are free, about {:.3g} MiB are needed", free_mib, disk_mib),
          output.string(), "make room, or write elsewhere with -o");
    }
  }
  struct rlimit limit = {};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      static_cast<double>(limit.rlim_cur) / mib < disk_mib) {
    throw data_error(
        fmt::format("files may not grow beyond {} bytes here, about {:.3g} MiB are needed", limit.rlim_cur, disk_mib),
        output.string(), "raise the limit with ulimit -f");
  }
}

}  // namespace palstudy
