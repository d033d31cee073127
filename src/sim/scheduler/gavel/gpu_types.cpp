// SPDX-License-Identifier: MIT
#include "sim/scheduler/gavel/gpu_types.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace palstudy {
namespace {

double variance_of_log(const ClassBins& bins) {
  double sum = 0, squares = 0;
  for (const std::uint16_t bin : bins.of_gpu) {
    const double value = std::log(bins.values[bin]);
    sum += value;
    squares += value * value;
  }
  const auto n = static_cast<double>(bins.of_gpu.size());
  return squares / n - sum / n * (sum / n);
}

/// The bins of one GPU by which its type is told: of the class with the widest spread, or of all.
std::vector<std::size_t> deciding_classes(const Bins& bins, TypeRule rule) {
  std::vector<std::size_t> all;
  std::size_t widest = 0;
  for (std::size_t c = 0; c < bins.classes(); ++c) {
    all.push_back(c);
    const auto spread = [&](std::size_t cls) {
      return variance_of_log(bins.of(ClassId(static_cast<std::uint32_t>(cls))));
    };
    if (spread(c) > spread(widest)) widest = c;
  }
  return rule == TypeRule::joint ? all : std::vector<std::size_t>{widest};
}

/// Mean of 1 / the slowest of `gang` GPUs over all choices among these. The i-th slowest of n, counted from 1 at the
/// fastest, is the slowest of a choice with probability C(i-1, gang-1) / C(n, gang).
double speed_of_gang(std::vector<double> slowdowns, std::uint32_t gang) {
  std::sort(slowdowns.begin(), slowdowns.end());
  const std::size_t n = slowdowns.size();
  if (gang >= n) return 1 / slowdowns.back();
  double probability = static_cast<double>(gang) / static_cast<double>(n), speed = 0;
  for (std::size_t i = n; i >= gang; --i) {
    speed += probability / slowdowns[i - 1];
    if (i > 1) probability *= static_cast<double>(i - gang) / static_cast<double>(i - 1);
  }
  return speed;
}

}  // namespace

GpuTypes::GpuTypes(const Topology& topology, const Bins& bins, TypeRule rule, bool nested)
    : bins_(bins), nested_(nested) {
  // By the sum of the logarithms of the slowdowns, which is the order of the bins where one class decides.
  std::map<std::pair<double, std::vector<std::uint16_t>>, std::vector<std::uint32_t>> types;
  const auto classes = deciding_classes(bins, rule);
  for (std::uint32_t gpu = 0; gpu < topology.gpus(); ++gpu) {
    double slowness = 0;
    std::vector<std::uint16_t> in;
    for (const std::size_t c : classes) {
      const ClassBins& of = bins.of(ClassId(static_cast<std::uint32_t>(c)));
      in.push_back(of.of_gpu[gpu]);
      slowness += std::log(of.values[in.back()]);
    }
    types[{slowness, in}].push_back(gpu);
  }
  for (const auto& type : types) gpus_.push_back(type.second);
  members_.assign(size(), std::vector<GpuMask>(topology.nodes()));
  allowed_ = members_;
  for (std::size_t type = 0; type < size(); ++type) {
    for (const std::uint32_t gpu : gpus_[type]) {
      const NodeId node = topology.node_of(GpuId(gpu));
      members_[type][node.index()] |= GpuMask{1} << (gpu - topology.first_gpu(node).value);
    }
    allowed_[type] = members_[type];
    for (std::size_t node = 0; nested && type > 0 && node < topology.nodes(); ++node) {
      allowed_[type][node] |= allowed_[type - 1][node];
    }
  }
}

std::uint32_t GpuTypes::widest() const {
  std::size_t most = 0, all = 0;
  for (const auto& gpus : gpus_) {
    most = std::max(most, gpus.size());
    all += gpus.size();
  }
  return static_cast<std::uint32_t>(nested_ ? all : most);
}

GpuSet GpuTypes::take_slowest(std::uint32_t gpus, std::uint32_t group, std::span<GpuMask> available) const {
  const auto size_of = [](GpuMask mask) { return static_cast<std::uint32_t>(std::popcount(mask)); };
  std::vector<GpuMask> taken(available.size());
  std::vector<GpuMask> passed(available.size());  // of slower types, too few for a group by themselves
  for (std::size_t type = size(); type-- > 0;) {
    for (std::size_t node = 0; node < available.size(); ++node) {
      const GpuMask here = members_[type][node] & available[node];
      const std::uint32_t whole = size_of(passed[node] | here) / group * group;
      const std::uint32_t count = std::min(whole, gpus / group * group);
      const GpuMask slower = lowest(passed[node], count);
      const GpuMask more = slower | lowest(here, count - size_of(slower));
      taken[node] |= more;
      passed[node] = (passed[node] | here) & ~more;
      gpus -= count;
    }
  }
  GpuSet set;
  for (std::uint32_t node = 0; gpus == 0 && node < taken.size(); ++node) {
    if (taken[node] != 0) set.push_back({NodeId(node), taken[node]});
    available[node] &= ~taken[node];
  }
  return set;
}

std::vector<std::uint32_t> GpuTypes::count(std::span<const GpuMask> available) const {
  std::vector<std::uint32_t> counts(size());
  for (std::size_t type = 0; type < size(); ++type) {
    for (std::size_t node = 0; node < available.size(); ++node) {
      counts[type] += static_cast<std::uint32_t>(std::popcount(members_[type][node] & available[node]));
    }
  }
  return counts;
}

std::vector<double> GpuTypes::speeds(ClassId cls, std::uint32_t gang) const {
  const ClassBins& bins = bins_.of(cls);
  std::vector<double> speeds;
  for (const auto& gpus : gpus_) {
    std::vector<double> slowdowns;
    for (const std::uint32_t gpu : gpus) slowdowns.push_back(bins.values[bins.of_gpu[gpu]]);
    speeds.push_back(speed_of_gang(std::move(slowdowns), nested_ ? 1 : gang));
  }
  return speeds;
}

}  // namespace palstudy
