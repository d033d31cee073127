// SPDX-License-Identifier: MIT
#include "variability/profile/profile_summary.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "stats/descriptive.hpp"
#include "stats/median.hpp"
#include "stats/quantile.hpp"
#include "variability/sources/class_kernels.hpp"

namespace palstudy {

KernelSummary summarize(const Measurements& measured) {
  KernelSummary summary;
  std::vector<double> medians;
  std::set<std::string> hosts;
  for (const auto& gpu : measured.gpus) {
    medians.push_back(gpu.median);
    if (!gpu.host.empty()) hosts.insert(gpu.host);
  }
  const auto slowdowns = sorted(measured_gpu_slowdowns(measured, RunsUsed::all));
  summary.name = measured.name;
  summary.gpus = measured.gpus.size();
  summary.nodes = hosts.size();
  summary.runs = measured.runs();
  summary.median_ms = median(medians);
  summary.least = slowdowns.front();
  summary.p1 = sorted_quantile(slowdowns, 0.01);
  summary.p5 = sorted_quantile(slowdowns, 0.05);
  summary.p95 = sorted_quantile(slowdowns, 0.95);
  summary.p99 = sorted_quantile(slowdowns, 0.99);
  summary.largest = slowdowns.back();
  const auto over = [&](double value) {
    return static_cast<std::size_t>(slowdowns.end() - std::upper_bound(slowdowns.begin(), slowdowns.end(), value));
  };
  summary.over_5_percent = over(1.05);
  summary.over_10_percent = over(1.10);
  return summary;
}

std::vector<NodeSummary> summarize_nodes(const Measurements& measured) {
  const auto slowdowns = measured_gpu_slowdowns(measured, RunsUsed::all);
  std::map<std::string, std::vector<double>> hosts;
  for (std::size_t g = 0; g < slowdowns.size(); ++g) {
    if (!measured.gpus[g].host.empty()) hosts[measured.gpus[g].host].push_back(slowdowns[g]);
  }
  std::vector<NodeSummary> nodes;
  for (const auto& [host, gpus] : hosts) {
    nodes.push_back({host, gpus.size(), median(gpus), *std::min_element(gpus.begin(), gpus.end()),
                     *std::max_element(gpus.begin(), gpus.end())});
  }
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const NodeSummary& a, const NodeSummary& b) { return a.median > b.median; });
  return nodes;
}

}  // namespace palstudy
