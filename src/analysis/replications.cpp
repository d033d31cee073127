// SPDX-License-Identifier: MIT
#include "analysis/replications.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

/// As tests/benchmarks/resample.sh measures it (docs/metrics.md).
struct Simulated {
  const char *held, *so;
  std::size_t blocks;  ///< of the traces that were simulated; fewer were not tested
};
Simulated simulated(Resampling how) {
  if (how == Resampling::days) return {"98 to 100 %", ", so they are wider than they need be", 56};
  return how == Resampling::weeks ? Simulated{"95 to 96 %", "", 12}
                                  : Simulated{"86 to 90 %", ", so they are too narrow", 60};
}

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

std::optional<TraceSample> resampled_trace(const ArchiveReader& archive) {
  const std::string how = archive.attribute("resample");
  if (how.empty()) return std::nullopt;
  const auto number = [&](const std::string& key) {
    const auto value = parse_integer(archive.attribute("resample." + key));
    if (!value || *value < 0) throw data_error("is not a number", "/resample." + key);
    return static_cast<std::size_t>(*value);
  };
  TraceBlocks of{resampling_named(how), number("blocks"), number("groups"), number("tail_days")};
  if (!archive.attribute("resample.empty").empty()) of.empty = number("empty");
  const auto [held, so, blocks] = simulated(of.how);
  const bool tested = of.used() >= blocks;
  const std::string coverage =
      tested ? fmt::format("by {} intervals held the truth in {} of simulated trials{}", name_of(of.how), held, so)
             : fmt::format("not tested at {}: the traces that were simulated had {}", of.text(), blocks);
  return TraceSample{of.text(), of.blocks, of.degrees(), of.widening(), tested ? held : not_tested, coverage};
}

std::optional<MeanOverSeeds> mean_over_seeds(const std::vector<Observation>& seen,
                                             const std::optional<TraceSample>& resampled) {
  if (seen.empty()) return std::nullopt;
  const Grid grid = make_grid(seen);
  MeanOverSeeds result;
  for (const auto& cell : grid.cells) result.mean += cell.value / static_cast<double>(grid.cells.size());
  const bool refused = !no_interval(grid).empty() || (resampled && !no_resampled_interval(seen, *resampled).empty());
  if (!refused) {
    const auto interval = student_interval(resampled ? resampled_estimate(seen, *resampled) : estimate(grid));
    result.half_width = (interval.high - interval.low) / 2;
  }
  return result;
}

}  // namespace palstudy
