// SPDX-License-Identifier: MIT
#include "variability/sources/reliability.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "core/numbers.hpp"
#include "core/random.hpp"
#include "stats/descriptive.hpp"

namespace palstudy {
namespace {

const NoteKind unrepeatable("unrepeatable", Severity::care);

constexpr std::uint64_t reliability_seed = 1;  // the figures are properties of the data, not of a study

std::vector<double> log_times(const Measurements::Gpu& gpu) {
  std::vector<double> logs;
  for (const double time : gpu.times_ms) logs.push_back(std::log(time));
  return logs;
}

std::vector<double> log_medians(const Measurements& measured) {
  std::vector<double> logs;
  for (const auto& gpu : measured.gpus) logs.push_back(std::log(gpu.median));
  return logs;
}

void shuffle(std::vector<double>& values, RandomStream& random) {
  for (std::size_t left = values.size(); left > 1; --left) {
    std::swap(values[left - 1], values[random.below(static_cast<std::uint32_t>(left))]);
  }
}

// The medians of the halves of each GPU's runs, split at random; the middle one of an odd number goes to the second.
double correlation_of_one_split(const Measurements& measured, std::uint32_t split) {
  std::vector<double> first, second;
  for (std::size_t g = 0; g < measured.gpus.size(); ++g) {
    std::vector<double> runs = measured.gpus[g].times_ms;
    if (runs.size() < 2) continue;
    RandomStream random(reliability_seed, Purpose::reliability, (std::uint64_t{split} << 32) | g);
    shuffle(runs, random);
    const auto half = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
    first.push_back(median({runs.begin(), half}));
    second.push_back(median({half, runs.end()}));
  }
  return rank_correlation(first, second);
}

/// The medians of each session of a GPU, in their order.
std::vector<double> session_medians(const Measurements::Gpu& gpu) {
  std::map<std::int32_t, std::vector<double>> sessions;
  for (std::size_t i = 0; i < gpu.session_of_run.size(); ++i) {
    sessions[gpu.session_of_run[i]].push_back(gpu.times_ms.at(i));
  }
  std::vector<double> medians;
  for (auto& [session, times] : sessions) medians.push_back(median(std::move(times)));
  return medians;
}

void add_sessions(const Measurements& measured, Reliability& to) {
  Measurements by_session;
  for (const auto& gpu : measured.gpus) {
    by_session.gpus.push_back(gpu);
    by_session.gpus.back().times_ms = session_medians(gpu);
    to.sessions = std::max(to.sessions, by_session.gpus.back().times_ms.size());
  }
  to.between_sessions = split_half_correlation(by_session);
}

/// Log runs about the log of their GPU's median; GPUs of one run are left out.
std::vector<double> residuals(const Measurements& measured) {
  std::vector<double> all;
  for (const auto& gpu : measured.gpus) {
    if (gpu.times_ms.size() < 2) continue;
    for (const double time : gpu.times_ms) all.push_back(std::log(time / gpu.median));
  }
  return all;
}

using Groups = std::vector<std::vector<double>>;

/// `values` of the GPUs, by host; those of no known host are left out.
Groups by_node(const Measurements& measured, const std::vector<double>& values) {
  std::map<std::string, std::vector<double>> hosts;
  for (std::size_t g = 0; g < values.size(); ++g) {
    if (!measured.gpus[g].host.empty()) hosts[measured.gpus[g].host].push_back(values[g]);
  }
  Groups groups;
  for (auto& [host, group] : hosts) groups.push_back(std::move(group));
  return groups;
}

std::pair<double, double> resampled_interval(const Groups& nodes) {
  constexpr std::uint64_t stream = std::uint64_t{1} << 63;  // apart from the splits
  std::vector<double> results;
  for (std::uint32_t i = 0; i < node_resamples; ++i) {
    RandomStream random(reliability_seed, Purpose::reliability, stream | i);
    Groups drawn;
    drawn.reserve(nodes.size());
    while (drawn.size() < nodes.size()) drawn.push_back(nodes[random.below(static_cast<std::uint32_t>(nodes.size()))]);
    const double result = within_group_correlation(drawn);
    if (!std::isnan(result)) results.push_back(result);
  }
  if (results.empty()) return {nan, nan};
  std::ranges::sort(results);
  return {sorted_quantile(results, 0.025), sorted_quantile(results, 0.975)};
}

void add_nodes(const Measurements& measured, const std::vector<double>& medians, Reliability& to) {
  const Groups nodes = by_node(measured, medians);
  to.nodes = nodes.size();
  to.node_icc = within_group_correlation(nodes);
  to.node_icc_of_ranks = within_group_correlation(by_node(measured, mean_ranks(medians)));
  std::tie(to.node_icc_low, to.node_icc_high) =
      std::isnan(to.node_icc) ? std::pair(nan, nan) : resampled_interval(nodes);
}

}  // namespace

double split_half_correlation(const Measurements& measured) {
  double sum = 0;
  for (std::uint32_t split = 0; split < half_splits; ++split) sum += correlation_of_one_split(measured, split);
  return sum / half_splits;
}

double run_spread(const Measurements& measured) {
  const auto all = residuals(measured);
  return all.empty() ? 0 : robust_sd(all);
}

double gpu_spread(const Measurements& measured) { return robust_sd(log_medians(measured)); }

Reliability measure_reliability(const Measurements& measured) {
  Reliability to;
  const auto medians = log_medians(measured);
  to.gpus = measured.gpus.size();
  to.runs = measured.runs();
  std::vector<double> counts;
  Groups runs;
  for (const auto& gpu : measured.gpus) {
    counts.push_back(static_cast<double>(gpu.times_ms.size()));
    runs.push_back(log_times(gpu));
  }
  to.runs_per_gpu = median(counts);
  to.gpu_sd = robust_sd(medians);
  const auto noise = residuals(measured);
  to.run_sd = noise.empty() ? nan : robust_sd(noise);
  to.run_excess_p99 = noise.empty() ? nan : sorted_quantile(sorted(noise), 0.99);
  to.gpu_share = within_group_correlation(runs);
  to.split_half = split_half_correlation(measured);
  add_sessions(measured, to);
  to.spearman_brown = to.split_half < 0 ? 0 : 2 * to.split_half / (1 + to.split_half);
  add_nodes(measured, medians, to);
  return to;
}

namespace {

/// Of those whose halves correlate too little, with the classes that stand on each.
std::optional<Note> note_on(const std::vector<std::pair<const Measurements*, std::vector<std::string>>>& all) {
  ValueList weak;
  for (const auto& [measured, classes] : all) {
    const double r = split_half_correlation(*measured);
    if (r >= least_split_half) continue;
    weak.emplace_back(ValueRecord{{"kernel", measured->name}, {"r", r}, {"classes", classes}});
  }
  if (weak.empty()) return std::nullopt;
  return unrepeatable({{"kernels", std::move(weak)}, {"least", least_split_half}});
}

}  // namespace

std::optional<Note> reliability_note(const Measurements& measured) { return note_on({{&measured, {}}}); }

std::optional<Note> reliability_note(const ClassMeasurements& classes) {
  std::vector<std::pair<const Measurements*, std::vector<std::string>>> all;  // in the order of their first classes
  for (const auto& [name, measured] : classes) {
    auto found = std::ranges::find_if(all, [&](const auto& one) { return one.first == measured; });
    if (found == all.end()) found = all.insert(all.end(), {measured, {}});
    found->second.push_back(name);
  }
  return note_on(all);
}

}  // namespace palstudy
