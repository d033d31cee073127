// SPDX-License-Identifier: MIT
#include "analysis/replications.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

bool varies(const Codes& codes) {
  return std::ranges::any_of(codes, [](std::uint32_t code) { return code != 0; });
}

}  // namespace

Replications replications_of(const RunValues& runs) {
  const auto& axes = runs.axes();
  const auto seeds = [&](const std::string& key) {
    return runs.codes(std::ranges::find(axes, key) != axes.end() ? key : keys::seed.name);
  };
  Replications result{seeds(keys::cluster_seed), seeds(keys::workload_seed), false};
  result.clusters_vary = varies(result.cluster);
  if (!result.clusters_vary && !varies(result.workload)) result.cluster = seeds(keys::policy_seed);
  return result;
}

SimulatedCoverage simulated_coverage(Resampling how) {
  if (how == Resampling::days) return {0.98, 1, 56};
  return how == Resampling::weeks ? SimulatedCoverage{0.95, 0.96, 12} : SimulatedCoverage{0.86, 0.9, 60};
}

Coverage coverage_of(const TraceBlocks& blocks, const std::string& metric) {
  if (metric != "jct_mean_s") return Coverage::other_metric;  // the one that was simulated
  return blocks.used() >= simulated_coverage(blocks.how).blocks ? Coverage::simulated : Coverage::few_blocks;
}

std::optional<TraceBlocks> resampled_trace(const ArchiveReader& archive) {
  const std::string how = archive.attribute("resample");
  if (how.empty()) return std::nullopt;
  const auto number = [&](const std::string& key) {
    const auto value = parse_integer(archive.attribute("resample." + key));
    if (!value || *value < 0) throw data_error("is not a number", "/resample." + key);
    return static_cast<std::size_t>(*value);
  };
  TraceBlocks of{resampling_named(how), number("blocks"), number("groups"), number("tail_days")};
  if (!archive.attribute("resample.empty").empty()) of.empty = number("empty");
  return of;
}

TraceSample sample_of(const TraceBlocks& blocks) { return {blocks.blocks, blocks.degrees(), blocks.widening()}; }

std::optional<MeanOverSeeds> mean_over_seeds(const std::vector<Observation>& seen,
                                             const std::optional<TraceSample>& resampled) {
  if (seen.empty()) return std::nullopt;
  const Grid grid = make_grid(seen);
  MeanOverSeeds result;
  for (const auto& cell : grid.cells) result.mean += cell.value / static_cast<double>(grid.cells.size());
  const bool refused = no_interval(grid) || (resampled && no_resampled_interval(seen, *resampled));
  if (!refused) {
    const auto interval = student_interval(resampled ? resampled_estimate(seen, *resampled) : estimate(grid));
    result.half_width = (interval.high - interval.low) / 2;
  }
  return result;
}

}  // namespace palstudy
