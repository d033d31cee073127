// SPDX-License-Identifier: MIT
// How fast a job goes on the GPUs that it is given: the true slowdowns, and what they make of an iteration.
#include <algorithm>
#include <bit>

#include "core/prefetch.hpp"
#include "sim/partition.hpp"

namespace palstudy {

/// So that a job on whole nodes needs no look at each GPU.
void Partition::find_slowest_of_nodes() {
  slowest_of_node_.resize(world_.truth.classes() * site_.topology.nodes());
  for (std::size_t c = 0; c < world_.truth.classes(); ++c) {
    for (std::uint32_t node = 0; node < site_.topology.nodes(); ++node) {
      slowest_of_node_[c * site_.topology.nodes() + node] =
          slowest_of_some(ClassId(c), {NodeId(node), site_.topology.full(NodeId(node))});
    }
  }
}

/// Whether a choice changes anything, and what an iteration takes there. Asked in the midst of a walk that goes class
/// by class, it finds the slowdowns of the class still at hand.
void Partition::weigh(Choice& choice, ClassId cls) {
  choice.weighed = true;
  choice.stays = choice.slot != RunningSet::no_slot && running_.holds[choice.slot].gpus == choice.gpus;
  if (!choice.stays) choice.factors = factors(choice.job, cls, choice.gpus);
}

/// The largest true, unbinned slowdown of the GPUs.
double Partition::slowest_of_some(ClassId cls, const NodeGpus& gpus) const {
  double slowdown = 0;
  const std::uint32_t first = site_.first_gpu.value + site_.topology.first_gpu(gpus.node).value;
  for (GpuMask rest = gpus.mask; rest != 0; rest &= rest - 1) {
    const auto gpu = GpuId(first + static_cast<std::uint32_t>(std::countr_zero(rest)));
    slowdown = std::max(slowdown, world_.truth.at(cls, gpu));
  }
  return slowdown;
}

/// The same; of a whole node it is known.
double Partition::slowest(ClassId cls, const NodeGpus& gpus) const {
  if (gpus.mask != site_.topology.full(gpus.node)) return slowest_of_some(cls, gpus);
  return slowest_of_node_[cls.index() * site_.topology.nodes() + gpus.node.index()];
}

double Partition::slowest(ClassId cls, const GpuSet& gpus) const {
  double slowdown = 0;
  for (const NodeGpus& part : gpus) slowdown = std::max(slowdown, slowest(cls, part));
  return slowdown;
}

/// Asks for what `slowest` will look at.
void Partition::fetch_slowdowns(ClassId cls, const GpuSet& gpus) const {
  const double* const slowdowns = world_.truth.of(cls).data() + site_.first_gpu.index();
  for (const NodeGpus& part : gpus) {
    const double* const first = slowdowns + site_.topology.first_gpu(part.node).index();
    prefetch(first[std::countr_zero(part.mask)]);
    prefetch(first[std::bit_width(part.mask) - 1]);
  }
}

/// Null for the plain one, which nearly all jobs have.
const JobModel* Partition::uncommon_model(JobId job) const {
  if (all_plain_) return nullptr;
  const JobModel& model = world_.job_models[world_.workload.jobs[job.index()].model];
  return model.kind == JobModelKind::plain ? nullptr : &model;
}

/// What a job's iteration takes on these GPUs; no memory is asked for once the widest pipelined job has been here.
Factors Partition::factors(JobId id, ClassId cls, const GpuSet& gpus) {
  const LocalityPenalty& penalty = world_.penalty.of(id);
  const double widest = penalty.at(site_.topology.level(gpus));
  const JobModel* model = uncommon_model(id);
  if (model == nullptr) return {slowest(cls, gpus), widest};
  const Job& job = world_.workload.jobs[id.index()];
  if (model->kind == JobModelKind::bulk) {
    return bulk_time(*model, job.gpus, gpus.size(), slowest(cls, gpus), widest);
  }
  pipeline_.begin(*model, job.gpus);
  for (const NodeGpus& part : gpus) {
    for (GpuMask rest = part.mask; rest != 0;) {
      const GpuMask group = lowest(rest, model->tensor);
      pipeline_.group(slowest(cls, NodeGpus{part.node, group}));
      rest &= ~group;
    }
  }
  return pipeline_.factors(penalty.node, widest);
}

}  // namespace palstudy
