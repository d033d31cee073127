// SPDX-License-Identifier: MIT
#include "variability/sources/class_kernels.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "stats/descriptive.hpp"

namespace palstudy {
namespace {

const NoteKind joint_classes("joint-classes", Severity::info), split_classes("split-classes", Severity::care);

double median_of(const Measurements::Gpu& gpu, RunsUsed runs) {
  if (runs == RunsUsed::all || gpu.times_ms.size() < 2) return gpu.median;
  std::vector<double> half;
  for (std::size_t i = runs == RunsUsed::even ? 0 : 1; i < gpu.times_ms.size(); i += 2) half.push_back(gpu.times_ms[i]);
  return median(std::move(half));
}

}  // namespace

std::vector<double> measured_gpu_slowdowns(const Measurements& measured, RunsUsed runs) {
  std::vector<double> slowdowns;
  slowdowns.reserve(measured.gpus.size());
  for (const auto& gpu : measured.gpus) slowdowns.push_back(median_of(gpu, runs));
  const double middle = median(slowdowns);
  for (double& slowdown : slowdowns) slowdown /= middle;
  return slowdowns;
}

std::vector<Kernel> distinct_kernels(const ClassMeasurements& classes, RunsUsed runs) {
  std::map<std::string, const Measurements*> by_name;
  for (const auto& [cls, measured] : classes) by_name.emplace(measured->name, measured);
  std::vector<Kernel> kernels;
  for (const auto& [name, measured] : by_name) {
    kernels.push_back({name, measured, measured_gpu_slowdowns(*measured, runs)});
  }
  return kernels;
}

std::vector<std::size_t> kernel_of_class(const ClassMeasurements& classes, const std::vector<Kernel>& kernels) {
  std::vector<std::size_t> places;
  for (const auto& stands_for : classes) {
    const std::string& name = stands_for.second->name;
    const auto at = std::ranges::find_if(kernels, [&](const Kernel& kernel) { return kernel.name == name; });
    places.push_back(static_cast<std::size_t>(at - kernels.begin()));
  }
  return places;
}

Note joint_note(const std::vector<Kernel>& kernels, bool joint, std::size_t common, std::uint32_t gpus_per_node) {
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels) names.push_back(kernel.name);
  const NoteKind& kind = joint ? joint_classes : split_classes;
  return kind({{"kernels", names}, {"nodes", common}, {"gpus", gpus_per_node}, {"need", least_joint_nodes}});
}

}  // namespace palstudy
