// SPDX-License-Identifier: MIT
#include "slurm_machine.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "default_params.hpp"

namespace palstudy::replay {
namespace {

ParamValues backfill_params(const SlurmRecording& recording) {
  ParamValues params = default_params(backfills().at("slurm").params);
  for (const char* name : {"bf_resolution", "cred_expire"}) {
    params.set(name, recording.setting(std::string("slurm.") + name, params.number(name)));
  }
  return params;
}

}  // namespace

SlurmMachine::SlurmMachine(const SlurmRecording& recording)
    : recording_(recording),
      alike_(Slowdowns::flat({"A"}, recording.topology.gpus())),
      bins_(alike_, {}),
      placement_(placements().at("slurm").make(
          {recording.topology, bins_, LocalityPenalty{1, 1, 1}, 1, nullptr, recording.weights}, {})),
      backfill_(backfills().at("slurm").make(backfill_params(recording))),
      free_(recording.topology, bins_, placement_->needs()),
      gone_(recording.topology.nodes()) {
  for (const QueueRule& queue : recording.queues) queue_nodes_.push_back(queue.nodes);
  gpus = &free_;
  queues = queue_nodes_;
}

std::deque<SlurmMachine::Held>::iterator SlurmMachine::find(std::size_t attempt) {
  return std::find_if(held_.begin(), held_.end(), [&](const Held& one) { return one.attempt == attempt; });
}

bool SlurmMachine::holds(std::size_t attempt) const {
  return std::any_of(held_.begin(), held_.end(), [&](const Held& one) { return one.attempt == attempt; });
}

void SlurmMachine::take(std::size_t attempt, const GpuSet& gpus, Millis start) {
  for (const NodeGpus& part : gpus) {
    if ((free_.mask(part.node) & part.mask) != part.mask && !free_.withdrawn(part.node)) {
      throw data_error("a GPU is held twice", "job " + std::to_string(recording_.attempts[attempt].id));
    }
    free_.take(part);
  }
  held_.push_back({attempt, gpus, start});
}

void SlurmMachine::give_back(std::size_t attempt) {
  const auto held = find(attempt);
  for (const NodeGpus& part : held->gpus) free_.give(part);
  held_.erase(held);
}

void SlurmMachine::complete(std::size_t attempt) { find(attempt)->over = true; }

void SlurmMachine::change_nodes(const SlurmOutage& outage) {
  outage.nodes.for_each([&](NodeId node) {
    if (outage.gone == gone_.contains(node)) return;
    outage.gone ? free_.withdraw(node) : free_.restore(node);
    outage.gone ? gone_.insert(node) : gone_.erase(node);
  });
}

std::vector<SlurmDecision> SlurmMachine::pass(bool backfill, Millis now, const std::vector<std::size_t>& in_order) {
  constexpr double second = 1000;
  now_ = now;
  now_s = static_cast<double>(now) / second;
  jobs_.clear(), running.clear(), decisions_.clear();
  for (const std::size_t attempt : in_order) {
    const SlurmAttempt& job = recording_.attempts[attempt];
    jobs_.push_back({JobId(static_cast<std::uint32_t>(attempt)), job.gpus, job.limit_s, job.queue,
                     placement_->demand({JobId(static_cast<std::uint32_t>(attempt)), ClassId(0), job.gpus, now_s},
                                        recording_.topology.widest_node())});
  }
  waiting = jobs_;
  for (const Held& one : held_) {
    running.push_back({JobId(static_cast<std::uint32_t>(one.attempt)), static_cast<double>(one.start) / second,
                       recording_.attempts[one.attempt].limit_s, one.over, &one.gpus});
  }
  main_pass = !backfill, backfill_pass = backfill;
  backfill_->decide(*this);
  return decisions_;
}

const GpuSet* SlurmMachine::would_get(const WaitingJob& job) {
  chosen_.clear();
  const bool fits = placement_->choose({job.job, ClassId(0), job.gpus, now_s}, free_, chosen_);
  return fits ? &chosen_ : nullptr;
}

bool SlurmMachine::array_full(const WaitingJob& job) const {
  const SlurmAttempt& task = recording_.attempts[job.job.index()];
  const auto running = std::count_if(held_.begin(), held_.end(), [&](const Held& one) {
    return !one.over && recording_.attempts[one.attempt].record == task.record;
  });
  return task.at_once > 0 && running >= task.at_once;
}

StartedJob SlurmMachine::start(const WaitingJob& job) {
  if (would_get(job) == nullptr) return {};
  decisions_.push_back({job.job.index(), true, 0, 0, nodes_of(chosen_)});
  take(job.job.index(), chosen_, now_);
  running.push_back({job.job, now_s, job.length_s, false, &held_.back().gpus});
  return {true, now_s + job.length_s, job.gpus};
}

void SlurmMachine::undo() { throw fault("Slurm takes no start back"); }

std::uint32_t SlurmMachine::keep(const WaitingJob&, double) { throw fault("Slurm counts no GPUs"); }

void SlurmMachine::promise(const Promise& made) {
  decisions_.push_back({made.job.index(), false, static_cast<std::int64_t>(made.start_s),
                        static_cast<std::int64_t>(made.end_s), nodes_of(*made.gpus)});
}

NodeSet SlurmMachine::nodes_of(const GpuSet& gpus) const {
  NodeSet nodes(recording_.topology.nodes());
  for (const NodeGpus& part : gpus) nodes.insert(part.node);
  return nodes;
}

}  // namespace palstudy::replay
