// SPDX-License-Identifier: MIT
#include "inputs/power_world.hpp"

#include <algorithm>
#include <functional>

#include "core/error.hpp"
#include "core/random.hpp"
#include "stats/descriptive.hpp"

namespace palstudy {
namespace {

double believed_slowdown(const Bins& believed, ClassId cls, std::size_t gpu) {
  const ClassBins& bins = believed.of(cls);
  return bins.values[bins.of_gpu[gpu]];
}

/// The largest of `value(gpu)` over the GPUs of a node.
double largest(const Topology& topology, NodeId node, const auto& value) {
  const std::size_t first = topology.first_gpu(node).index();
  double most = value(first);
  for (std::size_t gpu = first + 1; gpu < first + topology.gpus_of(node); ++gpu) most = std::max(most, value(gpu));
  return most;
}

/// J per GPU-second of ideal work of a class, where one job holds all GPUs of a node.
class JoulesPerWork {
 public:
  explicit JoulesPerWork(const OffOrderInputs& in) : in_(in), energy_(*in.energy) {
    for (std::size_t c = 0; c < in.believed.classes(); ++c) {
      std::vector<double> all;
      for (std::size_t gpu = 0; gpu < in.topology.gpus(); ++gpu) {
        all.push_back(believed_slowdown(in.believed, ClassId(c), gpu));
      }
      of_median_gpu_.push_back(median(std::move(all)));
    }
  }
  [[nodiscard]] double operator()(ClassId cls, NodeId node) const {
    const std::size_t first = in_.topology.first_gpu(node).index(), gpus = in_.topology.gpus_of(node);
    const double slowest = largest(in_.topology, node, [&](std::size_t gpu) { return slowdown(cls, gpu); });
    double watts = energy_.base_w;
    for (std::size_t gpu = first; gpu < first + gpus; ++gpu) {
      const double busy_w = energy_.busy_w(cls, energy_.leaky ? slowdown(*energy_.leaky, gpu) : 1);
      watts += energy_.gpu_w(cls, slowdown(cls, gpu) / slowest, busy_w);
    }
    return watts * slowest / static_cast<double>(gpus);
  }

 private:
  /// The values of bins are relative to the median bin.
  [[nodiscard]] double slowdown(ClassId cls, std::size_t gpu) const {
    return believed_slowdown(in_.believed, cls, gpu) / of_median_gpu_[cls.index()];
  }

  const OffOrderInputs& in_;
  const EnergyModel& energy_;
  std::vector<double> of_median_gpu_;  // by class
};

/// By class and node; of the nodes the one with the largest mean over the classes goes off first.
using NodeValue = std::function<double(ClassId, NodeId)>;

NodeValue value_by(const std::string& order, const OffOrderInputs& in) {
  if (order == "joules") return JoulesPerWork(in);
  if (order == "hottest") {
    return [&in](ClassId cls, NodeId node) {
      const std::size_t begin = cls.index() * in.topology.gpus();
      return largest(in.topology, node, [&](std::size_t gpu) { return (*in.temperatures_c)[begin + gpu]; });
    };
  }
  if (order != "slowest") throw fault("unknown power.off_order " + order);
  return [&in](ClassId cls, NodeId node) {
    return largest(in.topology, node, [&](std::size_t gpu) { return believed_slowdown(in.believed, cls, gpu); });
  };
}

/// By node.
std::vector<double> means_over_classes(const std::string& order, const OffOrderInputs& in) {
  const NodeValue value = value_by(order, in);
  std::vector<double> means;
  for (std::uint32_t n = 0; n < in.topology.nodes(); ++n) {
    double sum = 0;
    for (std::size_t c = 0; c < in.believed.classes(); ++c) sum += value(ClassId(c), NodeId(n));
    means.push_back(sum / static_cast<double>(in.believed.classes()));
  }
  return means;
}

}  // namespace

std::optional<PowerWorld> power_world(const RunPlan& run, const OffOrderInputs& inputs) {
  if (!run.power.on()) return std::nullopt;
  const std::string& order = run.power.off_order;
  if (order != "index" && order != "random") return PowerWorld{run.power, means_over_classes(order, inputs)};
  PowerWorld power{run.power, {}};
  for (std::uint32_t n = 0; n < inputs.topology.nodes(); ++n) {
    power.off_first.push_back(order == "index" ? n : RandomStream(run.policy.seed, Purpose::off_order, n).uniform());
  }
  return power;
}

}  // namespace palstudy
