// SPDX-License-Identifier: MIT
#include "sim/observers/energy.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "core/numbers.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {

Energy::Energy(const PartitionState& state)
    : state_(state),
      model_(*state.world.energy),
      busy_w_(model_.classes.size()),
      stays_(state.topology().nodes()),
      sums_(model_.classes.size()) {
  stays_.reserve(
      std::min(model_.stays_at_once, state.world.workload.jobs.size() / state.world.partitioning.partitions()));
  if (!model_.leaky) return;
  const auto leaks =
      state.world.truth.of(*model_.leaky).subspan(state.resources.first_gpu.index(), state.topology().gpus());
  for (std::uint32_t c = 0; c < busy_w_.size(); ++c) {
    if (model_.classes[c].exponent == 0) continue;
    for (const double leak : leaks) busy_w_[c].push_back(model_.busy_w(ClassId(c), leak));
  }
}

/// What the GPUs of a job on one node draw. `slowest`: of the job's GPUs; 0: it has but one.
double Energy::watts(std::uint32_t cls, const NodeGpus& part, double slowest) const {
  const auto slowdowns = state_.world.truth.of(ClassId(cls)).subspan(state_.resources.first_gpu.index());
  const std::vector<double>& busy_w = busy_w_[cls];
  double sum = 0;
  for_each_gpu(state_.topology(), part, [&](std::uint32_t gpu) {
    const double own_w = busy_w.empty() ? model_.classes[cls].busy_w : busy_w[gpu];
    const double share = slowest > 0 ? slowdowns[gpu] / slowest : 1;
    sum += model_.gpu_w(ClassId(cls), share, own_w);
  });
  return sum;
}

/// The largest slowdown of a job's GPUs; 0: it has but one, which waits for none.
double Energy::slowest_of(std::uint32_t cls, const GpuSet& gpus) const {
  if (gpus.size() == 1 && std::has_single_bit(gpus.front().mask)) return 0;
  const auto slowdowns = state_.world.truth.of(ClassId(cls)).subspan(state_.resources.first_gpu.index());
  double slowest = 0;
  for_each_gpu(state_.topology(), gpus, [&](std::uint32_t gpu) { slowest = std::max(slowest, slowdowns[gpu]); });
  return slowest;
}

Energy::Holder Energy::in_slot(std::uint32_t slot) const {
  const std::uint32_t cls = state_.running.demand[slot].cls.value;
  return {state_.running.job[slot], cls, slowest_of(cls, state_.running.allocation[slot].gpus)};
}

Energy::Holder Energy::of_part(const HeldPart& part) const {
  return {part.job, state_.job(part.job).cls.value, part.slowest};
}

/// Adds what a job has computed since `begin_s` and is not shared yet.
void Energy::add_stays(const Holder& holder, const GpuSet& gpus, double begin_s, double end_s) {
  begin_s = std::max(begin_s, shared_s_);
  end_s = std::min(end_s, model_.horizon_s);
  if (end_s <= begin_s) return;
  const auto& [job, cls, slowest] = holder;
  for (const NodeGpus& part : gpus) {
    const auto width = static_cast<std::uint16_t>(std::popcount(part.mask));
    stays_.add({begin_s, end_s, watts(cls, part, slowest) * (end_s - begin_s), part.node, job, width,
                static_cast<std::uint16_t>(cls)});
  }
}

/// Adds the work that was done in an interval, as far as it is within the horizon, of the GPUs that are here.
void Energy::add_work(std::uint32_t cls, const EndedInterval& interval, const GpuSet& gpus, double iteration_s) {
  const double length_s = std::min(interval.end_s, model_.horizon_s) - interval.begin_s;
  if (length_s <= 0) return;
  const double work_s =
      (interval.work - interval.work_before) * iteration_s * (length_s / (interval.end_s - interval.begin_s));
  std::uint32_t width = 0;
  for (const NodeGpus& part : gpus) width += static_cast<std::uint32_t>(std::popcount(part.mask));
  sums_.work_s[cls] += width * work_s;
}

/// The ends of jobs on several partitions are told after those of this one, so that only here nothing is on its way.
void Energy::instant() {
  if (!state_.wide_parts.empty()) make_room();
}

void Energy::ran(const EndedInterval& interval, const GpuSet& gpus, bool /*slowed*/) {
  if (interval.end_s > ended_s_ && state_.wide_parts.empty()) make_room();
  ended_s_ = interval.end_s;
  const Holder holder = in_slot(interval.slot);
  add_stays(holder, gpus, interval.begin_s, interval.end_s);
  add_work(holder.cls, interval, gpus, state_.running.progress[interval.slot].iteration_s);
}

void Energy::part_ran(const EndedInterval& interval, const HeldPart& part) {
  ended_s_ = std::max(ended_s_, interval.end_s);
  const Holder holder = of_part(part);
  add_stays(holder, part.gpus, interval.begin_s, interval.end_s);
  add_work(holder.cls, interval, part.gpus, state_.job(interval.job).iteration_s);
}

/// Shares what was computed up to the last instant, before any interval of a later one ends, so that a long run needs
/// no more memory than a short one.
void Energy::make_room() {
  if (stays_.size() < model_.stays_at_once) return;
  const RunningSet& running = state_.running;
  for (std::uint32_t slot = 0; slot < running.size(); ++slot) {
    add_stays(in_slot(slot), running.allocation[slot].gpus, running.progress[slot].launched_s, ended_s_);
  }
  for (const HeldPart& part : state_.wide_parts) add_stays(of_part(part), part.gpus, part.since_s, ended_s_);
  share_stays();
  shared_s_ = ended_s_;
}

void Energy::share_stays() {
  if (sums_.job_j.empty()) sums_.job_j.assign(state_.world.workload.jobs.size(), nan);
  NodeShare share(model_, sums_);
  stays_.sort();
  for (std::uint32_t n = 0; n < state_.topology().nodes(); ++n) {
    share.add(state_.topology().gpus_of(NodeId(n)), stays_.of(NodeId(n)));
  }
  stays_.clear();
}

namespace {

PowerState state_of(NodeState state) {
  return state == NodeState::stopping ? PowerState::stopping
         : state == NodeState::off    ? PowerState::off
                                      : PowerState::booting;
}

}  // namespace

void Energy::add_pauses(EnergySums& sums) {
  std::sort(pauses_.begin(), pauses_.end(), [](const NodeInterval& a, const NodeInterval& b) {
    return std::tie(a.node, a.from_s, a.to_s) < std::tie(b.node, b.from_s, b.to_s);
  });
  for (const auto& [node, from_s, to_s, state] : pauses_) {
    const double length_s = std::max(0.0, std::min(to_s, model_.horizon_s) - from_s);
    const auto s = static_cast<std::size_t>(state_of(state));
    sums.pause_node_s[s] += length_s;
    sums.pause_gpu_s[s] += state_.topology().gpus_of(node) * length_s;
  }
}

void Energy::close(PartitionRecord& record, double /*end_s*/) {
  share_stays();
  add_pauses(sums_);
  record.power = rows(sums_);
  const auto& job_j = sums_.job_j;
  const auto ran = static_cast<std::size_t>(
      std::count_if(job_j.begin(), job_j.end(), [](double joules) { return !std::isnan(joules); }));
  record.energy_job.reserve(ran);
  record.job_energy_j.reserve(ran);
  for (std::uint32_t job = 0; job < job_j.size(); ++job) {
    if (std::isnan(job_j[job])) continue;
    record.energy_job.push_back(JobId(job));
    record.job_energy_j.push_back(job_j[job]);
  }
}

PowerRows Energy::rows(const EnergySums& sums) const {
  PowerRows rows;
  for (std::size_t c = 0; c < model_.classes.size(); ++c) {
    rows.push_back(PowerState::busy, static_cast<std::int32_t>(c), sums.node_s[c], sums.gpu_s[c], sums.work_s[c],
                   model_.pue * (sums.gpu_j[c] + model_.base_w * sums.node_s[c]));
  }
  rows.push_back(PowerState::busy, -1, 0, sums.unused_gpu_s, 0, model_.pue * model_.idle_w * sums.unused_gpu_s);
  const Topology& nodes = state_.topology();
  auto node_s = sums.pause_node_s, gpu_s = sums.pause_gpu_s;
  double& idle_node_s = node_s[static_cast<std::size_t>(PowerState::idle)];
  double& idle_gpu_s = gpu_s[static_cast<std::size_t>(PowerState::idle)];
  idle_node_s = nodes.nodes() * model_.horizon_s - sums.busy_node_s;
  idle_gpu_s = nodes.gpus() * model_.horizon_s - sums.unused_gpu_s;
  for (const double of_class : sums.gpu_s) idle_gpu_s -= of_class;
  for (const PowerState state : {PowerState::stopping, PowerState::off, PowerState::booting}) {
    idle_node_s -= node_s[static_cast<std::size_t>(state)];
    idle_gpu_s -= gpu_s[static_cast<std::size_t>(state)];
  }
  for (const PowerState state : {PowerState::idle, PowerState::stopping, PowerState::off, PowerState::booting}) {
    const auto s = static_cast<std::size_t>(state);
    const double joules =
        state == PowerState::off ? model_.off_w * node_s[s] : model_.base_w * node_s[s] + model_.idle_w * gpu_s[s];
    rows.push_back(state, -1, node_s[s], gpu_s[s], 0, model_.pue * joules);
  }
  return rows;
}

}  // namespace palstudy
