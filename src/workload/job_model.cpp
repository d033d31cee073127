// SPDX-License-Identifier: MIT
#include "workload/job_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace palstudy {

std::string misfit(const JobModel& model, std::uint32_t gpus) {
  if (model.kind != JobModelKind::pipelined) return "";
  if (gpus % model.replica_gpus() != 0) {
    return fmt::format("{} GPUs are not whole replicas of {} x {}", gpus, model.tensor, model.pipeline);
  }
  const std::uint32_t replicas = gpus / model.replica_gpus();
  if (model.microbatches % replicas == 0) return "";
  return fmt::format("{} microbatches are not shared evenly by {} replicas", model.microbatches, replicas);
}

void PipelineTime::begin(const JobModel& model, std::uint32_t gpus) {
  model_ = &model;
  const std::uint32_t replicas = gpus / model.replica_gpus();
  replicas_.assign(replicas, Replica{});
  microbatches_ = static_cast<double>(model.microbatches) / replicas;
  next_ = 0;
}

void PipelineTime::group(double slowdown) {
  Replica& replica = replicas_[next_];
  replica.sum += slowdown;
  replica.max = std::max(replica.max, slowdown);
  next_ = next_ + 1 == replicas_.size() ? 0 : next_ + 1;
}

/// Time of the slowest replica over that at slowdown 1 and penalty 1. tau is linear in s, so sums and maxima of s do.
double PipelineTime::pipeline(double within) const {
  const double computing = 1 - model_->tensor_share, talking = model_->tensor_share * within;
  const double stages = model_->pipeline, chunks = model_->interleave;
  double slowest = 0;
  for (const Replica& replica : replicas_) {
    const double max = computing * replica.max + talking, sum = computing * replica.sum + talking * stages;
    slowest = std::max(slowest, microbatches_ * max + (sum - max) / chunks);
  }
  return slowest / (microbatches_ + (stages - 1) / chunks);
}

SlowdownAndPenalty PipelineTime::factors(double within, double widest) const {
  const double inside = 1 - model_->exchange_share;
  const double slowdown = inside * pipeline(1) + model_->exchange_share;
  return {slowdown, (inside * pipeline(within) + model_->exchange_share * widest) / slowdown};
}

double comm_share(const JobModel& model, std::uint32_t gpus, std::size_t nodes) {
  if (gpus == 1 || model.comm.empty()) return 0;
  const auto many = static_cast<double>(nodes);
  const auto above = std::ranges::find_if(model.comm, [&](const auto& at) { return at.nodes > many; });
  if (above == model.comm.begin()) return model.comm.front().share;
  const CommShare& below = *(above - 1);
  if (above == model.comm.end()) return below.share;
  const double part = std::log(many / below.nodes) / std::log(above->nodes / below.nodes);
  return below.share + part * (above->share - below.share);
}

SlowdownAndPenalty bulk_time(const JobModel& model, std::uint32_t gpus, std::size_t nodes, double slowdown,
                             double penalty) {
  const double phi = comm_share(model, gpus, nodes);
  const double alone = (1 - phi) * slowdown + phi;
  return {alone, ((1 - phi) * slowdown + phi * penalty) / alone};
}

}  // namespace palstudy
