// SPDX-License-Identifier: MIT
#include "sim/state/rate_model.hpp"

#include <algorithm>
#include <bit>

#include "core/large_array.hpp"

namespace palstudy {
namespace {

/// Jobs that are not pipelined. `slowest` is of all GPUs, `penalty` of the widest level.
SlowdownAndPenalty factors_of_slowest(const JobModel* model, std::uint32_t gpus, std::size_t nodes, double slowest,
                                      double penalty) {
  if (model == nullptr) return {slowest, penalty};
  return bulk_time(*model, gpus, nodes, slowest, penalty);
}

bool pipelined(const JobModel* model) { return model != nullptr && model->kind == JobModelKind::pipelined; }

}  // namespace

RateModel::RateModel(const World& world, const Topology& partition, GpuId first_gpu)
    : world_(world),
      topology_(partition),
      first_gpu_(first_gpu),
      slowest_of_node_(world.truth.classes() * partition.nodes()),
      all_plain_(std::all_of(world.job_models.begin(), world.job_models.end(),
                             [](const JobModel& model) { return model.kind == JobModelKind::plain; })) {
  for (std::size_t c = 0; c < world.truth.classes(); ++c) {
    for (std::uint32_t node = 0; node < partition.nodes(); ++node) {
      slowest_of_node_[c * partition.nodes() + node] =
          slowest_of_some(ClassId(c), {NodeId(node), partition.full(NodeId(node))});
    }
  }
}

double RateModel::slowest_of_some(ClassId cls, const NodeGpus& gpus) const {
  double slowdown = 0;
  const std::uint32_t first = first_gpu_.value + topology_.first_gpu(gpus.node).value;
  for (GpuMask rest = gpus.mask; rest != 0; rest &= rest - 1) {
    const auto gpu = GpuId(first + static_cast<std::uint32_t>(std::countr_zero(rest)));
    slowdown = std::max(slowdown, world_.truth.at(cls, gpu));
  }
  return slowdown;
}

double RateModel::slowest(ClassId cls, const NodeGpus& gpus) const {
  if (gpus.mask != topology_.full(gpus.node)) return slowest_of_some(cls, gpus);
  return slowest_of_node_[cls.index() * topology_.nodes() + gpus.node.index()];
}

double RateModel::slowest(ClassId cls, const GpuSet& gpus) const {
  double slowdown = 0;
  for (const NodeGpus& part : gpus) slowdown = std::max(slowdown, slowest(cls, part));
  return slowdown;
}

void RateModel::prefetch_slowdowns(ClassId cls, const GpuSet& gpus) const {
  const double* const slowdowns = world_.truth.of(cls).data() + first_gpu_.index();
  for (const NodeGpus& part : gpus) {
    const double* const first = slowdowns + topology_.first_gpu(part.node).index();
    prefetch(first[std::countr_zero(part.mask)]);
    prefetch(first[std::bit_width(part.mask) - 1]);
  }
}

/// Hands the slowest GPU of each tensor group to `take`, in the order of the GPUs.
template <class Take>
void RateModel::for_each_group(std::uint32_t tensor, ClassId cls, const GpuSet& gpus, Take take) const {
  for (const NodeGpus& part : gpus) {
    for (GpuMask rest = part.mask; rest != 0;) {
      const GpuMask group = lowest(rest, tensor);
      take(slowest(cls, NodeGpus{part.node, group}));
      rest &= ~group;
    }
  }
}

SlowdownAndPenalty RateModel::factors(JobId id, ClassId cls, const GpuSet& gpus) {
  const JobModel* model = uncommon_model(id);
  if (model != nullptr) return factors_of_model(model, id, cls, gpus);
  return factors_of_slowest(nullptr, 0, 0, slowest(cls, gpus), world_.penalty.of(id).at(topology_.level(gpus)));
}

/// Apart, so that `factors` of plain jobs, which runs ask for most, saves no registers.
[[gnu::noinline]] SlowdownAndPenalty RateModel::factors_of_model(const JobModel* model, JobId id, ClassId cls,
                                                                 const GpuSet& gpus) {
  const LocalityPenalty& penalty = world_.penalty.of(id);
  const double widest = penalty.at(topology_.level(gpus));
  const Job& job = world_.workload.jobs[id.index()];
  if (!pipelined(model)) return factors_of_slowest(model, job.gpus, gpus.size(), slowest(cls, gpus), widest);
  pipeline_.begin(*model, job.gpus);
  for_each_group(model->tensor, cls, gpus, [this](double slowdown) { pipeline_.group(slowdown); });
  return pipeline_.factors(penalty.node, widest);
}

const JobModel* uncommon_model(const World& world, JobId job) {
  if (world.job_models.empty()) return nullptr;
  const JobModel& model = world.job_models[world.workload.jobs[job.index()].model];
  return model.kind == JobModelKind::plain ? nullptr : &model;
}

}  // namespace palstudy
