// SPDX-License-Identifier: MIT
#include "campaign/run_checkpoints.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace palstudy {
namespace {

constexpr double longest_s = 1e9;  // beyond it a time is never, and would not fit the clock

}  // namespace

RunCheckpoints::RunCheckpoints(const RunPlan& run, const InputSums& files, const std::filesystem::path& parts,
                               double every_s, bool leads, bool may_exist, RunControl& control,
                               const StopSignals& signals)
    : run_(run),
      files_(files),
      path_(checkpoint_path(parts, run.id)),
      every_s_(every_s),
      leads_(leads),
      may_exist_(may_exist),
      control_(control),
      signals_(signals),
      saves_seen_(signals.saves()) {
  control_.measured_left = -1;
  save_next_after(Clock::now());
}

void RunCheckpoints::save_next_after(Clock::time_point now) {
  if (!leads_ || every_s_ >= longest_s) return;
  due_ = now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(every_s_));
}

void RunCheckpoints::instant_ended(const StepReport& report) {
  control_.time_s.store(report.time_s, std::memory_order_relaxed);
  control_.measured_left.store(report.measured_left, std::memory_order_relaxed);
}

CheckpointRequest RunCheckpoints::request() {
  if (control_.stop.load(std::memory_order_relaxed)) return CheckpointRequest::stop;
  const int saves = signals_.saves();
  if (saves != saves_seen_) {
    saves_seen_ = saves;
    return CheckpointRequest::save;
  }
  return leads_ && every_s_ < longest_s && Clock::now() >= due_ ? CheckpointRequest::save : CheckpointRequest::none;
}

void RunCheckpoints::save(const RunState& state) {
  const auto begin = Clock::now();
  may_exist_ = true;
  try {
    const std::uint64_t bytes = write_checkpoint(path_, key(), state);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    control_.saving_s = std::max(control_.saving_s.load(), seconds);
    spdlog::info("run {}: checkpoint at {} s of simulated time, {:.3g} MB in {:.2g} s", run_.number, state.time_s,
                 1e-6 * static_cast<double>(bytes), seconds);
  } catch (const std::exception& error) {
    spdlog::warn("run {}: the checkpoint at {} s of simulated time could not be written: {}", run_.number, state.time_s,
                 error.what());
  }
  save_next_after(Clock::now());
}

std::optional<std::vector<double>> RunCheckpoints::saved_costs() {
  if (!may_exist_) return std::nullopt;
  try {
    CheckpointHead head;
    const std::string wrong = check_checkpoint(path_, key(), head);
    if (!wrong.empty()) {
      unusable(wrong);
      return std::nullopt;
    }
    spdlog::info("run {} goes on from its checkpoint at {} s of simulated time", run_.number, head.time_s);
    std::vector<double> cost;
    for (const CheckpointFrame& frame : head.frames) cost.push_back(frame.cost_s);
    cost.erase(cost.begin());  // of the shared frame
    return cost;
  } catch (const std::exception& error) {
    unusable(error.what());
    return std::nullopt;
  }
}

RunState RunCheckpoints::read(const std::vector<PartitionId>& partitions) { return read_checkpoint(path_, partitions); }

void RunCheckpoints::unusable(const std::string& why) {
  spdlog::warn("{} {}; run {} starts again", path_.string(), why, run_.number);
}

void remove_checkpoint(const std::filesystem::path& parts, const std::string& run) {
  std::error_code ignored;
  const auto path = checkpoint_path(parts, run);
  std::filesystem::remove(path, ignored);
  std::filesystem::remove(path.string() + ".part", ignored);
}

}  // namespace palstudy
