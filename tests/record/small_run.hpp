// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <limits>
#include <string>

#include "record/record.hpp"

namespace palstudy::test {

/// A run of three jobs on three nodes of two GPUs, written down by hand: job 70 ran and finished, job 50 runs, job 60
/// waits. Ids of the trace are neither in order nor places, so that mixing the two up shows.
struct SmallRun {
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Topology topology{std::array{NodeGroup{3, 2}}, 2};
  Slowdowns truth{{"A", "B"}, 6, {1, 3, 1, 1, 2, 2, 1, 1, 1.5, 1.5, 1, 1}};
  Workload workload;
  RunResult result;
  RunLabel label;

  SmallRun() {
    workload.classes = {"A", "B"};
    workload.models = {"", "resnet50"};
    workload.tenants = {""};
    workload.model_use = {{nan, nan}, {0.9, 0.6}};
    workload.jobs = {Job{70, 10, 100, 2, 2, ClassId(0), 1, 0}, Job{50, 20, 1000, 1, 1, ClassId(1), 0, 0},
                     Job{60, 30, 5, 1, 8, ClassId(0), 1, 0}};
    JobRows& jobs = result.jobs;
    jobs.job = {JobId(0), JobId(1), JobId(2)};
    jobs.partition = {0, 0, 0};
    jobs.start_s = {360, 360, nan};
    jobs.finish_s = {960, nan, nan};
    jobs.exec_s = {600, 720, 0};
    jobs.finished = {1, 0, 0};
    jobs.measured = {1, 1, 0};
    jobs.attempts = {1, 1, 0};
    jobs.slowdown_mean = {2, 1.5, nan};
    jobs.penalty_mean = {1.5, 1, nan};
    jobs.preemptions = {0, 1, 0};
    jobs.migrations = {1, 0, 0};
    // The GPUs lie in another order than the events, as the engine may have them.
    EventRows& events = result.events;
    events.time_s = {360, 360, 1080};
    events.kind = {EventKind::launch, EventKind::launch, EventKind::finish};
    events.job = {JobId(0), JobId(1), JobId(0)};
    events.gpu_begin = {1, 0, 3};
    events.gpu_count = {2, 1, 2};
    events.gpus = {4, 0, 1, 0, 1};
    result.rounds.time_s = {0, 360};
    result.rounds.queued = {2, 1};
    result.rounds.running = {0, 2};
    result.rounds.free_gpus = {6, 3};
    result.rounds.demand_gpus = {3, 11};
    result.node_busy_s = {1200, 0, 720};
    result.metrics.fill(-0.0);
    result.metrics[0] = 950;
    label.run = 7;
    label.id = "0123456789abcdef";
    label.seed = 3;
    label.axes = {{"engine.round_s", ColumnType::real},
                  {"policy.placement", ColumnType::text},
                  {"seed", ColumnType::integer},
                  {"workload.seed", ColumnType::integer}};
    label.values = {AxisValue{std::int64_t{360}}, AxisValue{std::string("pal")}, AxisValue{std::int64_t{3}},
                    AxisValue{std::int64_t{-5}}};
    label.wall_s = 0.25;
  }
  [[nodiscard]] RunRecord record(const OutputTables& tables = {true, true, true}) const {
    return make_record(label, result, workload, truth, topology, Partitioning(topology, 1), tables);
  }
};

/// The small run under another number, or the record of one that failed.
inline RunRecord numbered_record(std::int64_t run, bool failed = false) {
  SmallRun small;
  small.label.run = run;
  small.label.id = "run-" + std::to_string(run);
  return failed ? make_failed_record(small.label, "why") : small.record();
}

/// A folder of its own that goes when the test ends.
class TempDir {
 public:
  TempDir() {
    std::string name = (std::filesystem::temp_directory_path() / "palstudy-archive-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TempDir() { std::filesystem::remove_all(path_); }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace palstudy::test
