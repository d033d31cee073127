// SPDX-License-Identifier: MIT
#include "variability/sources/cluster_check.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers.hpp"
#include "core/text.hpp"
#include "stats/descriptive.hpp"
#include "variability/sources/class_kernels.hpp"
#include "variability/sources/source_nodes.hpp"

namespace palstudy {
namespace {

constexpr double slow = 1.05;
constexpr double tails[] = {0.001, 0.01, 0.05, 0.5, 0.95, 0.99, 0.999};
constexpr std::uint32_t first_k = 4, last_k = 256;

std::vector<double> flat(const SourceNodes& nodes) {
  std::vector<double> all;
  for (const auto& node : nodes) all.insert(all.end(), node.begin(), node.end());
  return all;
}

double share_over(std::span<const double> ascending, double value) {
  const auto above = ascending.end() - std::upper_bound(ascending.begin(), ascending.end(), value);
  return static_cast<double>(above) / static_cast<double>(ascending.size());
}

/// GPUs of each simulated node, in groups of the size of a measured one or of what a smaller node has.
SourceNodes cut(std::span<const double> gpus, const Topology& topology, std::size_t size) {
  SourceNodes nodes;
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
    const std::size_t first = topology.first_gpu(NodeId(n)).index(), end = first + topology.gpus_of(NodeId(n));
    const std::size_t group = std::min(size, end - first);
    for (std::size_t begin = first; begin + group <= end; begin += group) {
      const auto of_group = gpus.subspan(begin, group);
      nodes.emplace_back(of_group.begin(), of_group.end());
    }
  }
  return nodes;
}

std::uint32_t usual_node_size(const Topology& topology) {
  std::vector<std::uint32_t> nodes(topology.widest_node() + 1);
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) ++nodes[topology.gpus_of(NodeId(n))];
  return static_cast<std::uint32_t>(std::ranges::max_element(nodes) - nodes.begin());
}

/// The largest of `taken` GPUs from a slot on, going round, for every node and slot.
std::vector<double> largest_of_part(const SourceNodes& source, std::size_t taken) {
  std::vector<double> largest;
  for (const auto& node : source) {
    for (std::size_t slot = 0; slot < node.size(); ++slot) {
      double most = 0;
      for (std::size_t i = 0; i < taken; ++i) most = std::max(most, node[(slot + i) % node.size()]);
      largest.push_back(most);
    }
  }
  return largest;
}

double share_up_to(const std::vector<double>& ascending, double value) { return 1 - share_over(ascending, value); }

}  // namespace

SourceNodes source_nodes(const Measurements& measured, std::uint32_t node_size) {
  const auto slowdowns = measured_gpu_slowdowns(measured, RunsUsed::all);
  std::uint32_t size = 0;
  SourceNodes nodes;
  for (const auto& [host, donor] : block_donors(measured, node_size, size)) {
    nodes.emplace_back();
    for (const std::size_t gpu : donor.gpus) nodes.back().push_back(slowdowns[gpu]);
  }
  return nodes;
}

double expected_max_of_source(const SourceNodes& source, std::uint32_t k) {
  const std::size_t size = source.front().size();
  const std::size_t whole = k / size, part = k % size;
  const auto of_node = sorted(largest_of_part(source, size));
  const auto of_part = part == 0 ? std::vector<double>{0} : sorted(largest_of_part(source, part));
  auto values = of_node;
  values.insert(values.end(), of_part.begin(), of_part.end());
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  double mean = 0, below = 0;
  for (const double value : values) {
    const double up_to =
        std::pow(share_up_to(of_node, value), static_cast<double>(whole)) * share_up_to(of_part, value);
    mean += value * (up_to - below);
    below = up_to;
  }
  return mean;
}

double expected_max(std::span<const double> gpus, std::uint32_t k) {
  if (gpus.size() < k) return nan;
  double sum = 0;
  std::size_t groups = 0;
  for (std::size_t begin = 0; begin + k <= gpus.size(); begin += k, ++groups) {
    sum += *std::max_element(gpus.begin() + static_cast<std::ptrdiff_t>(begin),
                             gpus.begin() + static_cast<std::ptrdiff_t>(begin + k));
  }
  return sum / static_cast<double>(groups);
}

ClassCheck check_class(std::span<const double> generated, const Topology& topology, const SourceNodes& source) {
  const auto measured = sorted(flat(source));
  const auto made = sorted(generated);
  ClassCheck check;
  check.source_gpus = measured.size();
  check.source_nodes = source.size();
  check.ks = ks_distance(generated, measured);
  check.figures.push_back({"least", made.front(), measured.front()});
  for (const double p : tails) {
    check.figures.push_back({"p" + shortest(p * 100), sorted_quantile(made, p), sorted_quantile(measured, p)});
  }
  check.figures.push_back({"largest", made.back(), measured.back()});
  check.figures.push_back({"share over 1.05", share_over(made, slow), share_over(measured, slow)});
  check.figures.push_back({"correlation within nodes",
                           within_group_correlation(cut(generated, topology, source.front().size())),
                           within_group_correlation(source)});
  for (std::uint32_t k = first_k; k <= last_k; k *= 2) {
    check.expected_max.push_back({std::to_string(k), expected_max(generated, k), expected_max_of_source(source, k)});
  }
  return check;
}

std::vector<ClassCheck> check_cluster(const Slowdowns& generated, const Topology& topology,
                                      const ClassMeasurements& classes) {
  std::vector<ClassCheck> checks;
  std::size_t c = 0;
  for (const auto& [name, measured] : classes) {
    checks.push_back(
        check_class(generated.of(ClassId(c++)), topology, source_nodes(*measured, usual_node_size(topology))));
    checks.back().class_name = name;
    checks.back().kernel = measured->name;
  }
  return checks;
}

}  // namespace palstudy
