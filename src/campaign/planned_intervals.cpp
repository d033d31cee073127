// SPDX-License-Identifier: MIT
#include "campaign/planned_intervals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <set>
#include <vector>

#include "inputs/input_texts.hpp"
#include "inputs/inputs.hpp"
#include "stats/paired.hpp"
#include "stats/resampled.hpp"
#include "study/keys/key_names.hpp"
#include "study/seeds.hpp"

namespace palstudy {
namespace {

/// The number of each thing, in the order in which they are first seen.
template <class Thing>
class Numbered {
 public:
  std::size_t operator()(const Thing& thing) { return numbers_.emplace(thing, numbers_.size()).first->second; }

 private:
  std::map<Thing, std::size_t> numbers_;
};

/// The value of a run on the axis of such seeds, or on that of `seed`; 0 where there is neither.
std::int64_t seed_on_axis(const Study& study, const RunPlan& run, const std::string& key) {
  for (const std::string& name : {key, std::string(keys::seed.name)}) {
    for (std::size_t axis = 0; axis < study.axes.size(); ++axis) {
      const auto* value = study.axes[axis].key == name ? std::get_if<std::int64_t>(&run.values[axis]) : nullptr;
      if (value != nullptr) return *value;
    }
  }
  return 0;
}

/// The runs of a point as their metrics may come out: seeds that draw another cluster or another workload change them.
std::vector<Observation> expected(const Study& study, const std::vector<std::size_t>& runs) {
  Numbered<std::int64_t> clusters, workloads;
  Numbered<std::string> drawn_clusters, drawn_workloads;
  std::vector<Observation> seen;
  for (const std::size_t number : runs) {
    const RunPlan& run = study.runs[number];
    const std::size_t cluster = clusters(seed_on_axis(study, run, keys::cluster_seed.name));
    const std::size_t workload = workloads(seed_on_axis(study, run, keys::workload_seed.name));
    // Of no use but to be equal where the same is simulated again.
    const auto value = static_cast<double>(drawn_clusters(cluster_text(run))) +
                       std::numbers::sqrt2 * static_cast<double>(drawn_workloads(workload_text(run)));
    seen.push_back({value, cluster, workload});
  }
  return seen;
}

std::string why_none(std::vector<Observation> seen, const TraceBlocks& blocks) {
  Grid grid = make_grid(seen);
  if (grid.constant()) {  // what else the seeds may draw, such as failures: each as if it changed the metrics
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i].value = static_cast<double>(i);
    grid = make_grid(seen);
  }
  const std::string why = no_interval(grid);
  if (!why.empty() || blocks.how == Resampling::none) return why;
  return no_resampled_interval(seen, {blocks.text(), blocks.blocks});
}

}  // namespace

std::string no_interval_line(const Study& study, Inputs& inputs) {
  const auto points = points_of(study);
  if (points.size() < 2) return "";
  const TraceBlocks blocks = inputs.trace_blocks();
  std::set<std::string> reasons;
  for (const auto& runs : points) reasons.insert(why_none(expected(study, runs), blocks));
  reasons.erase("");
  if (reasons.empty()) return "";
  return fmt::format("no interval can be told of a gain: {}", *reasons.begin());
}

}  // namespace palstudy
