// SPDX-License-Identifier: MIT
#include "variability/profile/profile_summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "stats/descriptive.hpp"
#include "variability/sources/class_kernels.hpp"

namespace palstudy {
namespace {

const NoteKind binned_outliers("binned-outliers", Severity::care);

}  // namespace

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
    nodes.push_back(
        {host, gpus.size(), median(gpus), *std::ranges::min_element(gpus), *std::ranges::max_element(gpus)});
  }
  std::ranges::stable_sort(nodes, [](const NodeSummary& a, const NodeSummary& b) { return a.median > b.median; });
  return nodes;
}

namespace {

/// How many robust SDs each value lies from the median; 0 where values do not scatter.
std::vector<double> deviations(const std::vector<double>& logs) {
  const double middle = median(logs), scatter = robust_sd(logs);
  std::vector<double> off;
  for (const double log : logs) off.push_back(scatter > 0 ? (log - middle) / scatter : 0);
  return off;
}

std::map<std::int32_t, std::vector<double>> times_by_session(const Measurements::Gpu& gpu) {
  std::map<std::int32_t, std::vector<double>> times;
  for (std::size_t i = 0; i < gpu.session_of_run.size(); ++i) {
    times[gpu.session_of_run[i]].push_back(gpu.times_ms.at(i));
  }
  return times;
}

/// By session, then by GPU that was measured in it, how far off it was.
std::map<std::int32_t, std::map<std::size_t, double>> deviations_by_session(const Measurements& measured) {
  std::map<std::int32_t, std::pair<std::vector<std::size_t>, std::vector<double>>> sessions;
  for (std::size_t g = 0; g < measured.gpus.size(); ++g) {
    for (auto& [session, times] : times_by_session(measured.gpus[g])) {
      sessions[session].first.push_back(g);
      sessions[session].second.push_back(std::log(median(std::move(times))));
    }
  }
  std::map<std::int32_t, std::map<std::size_t, double>> all;
  for (const auto& [session, measures] : sessions) {
    const auto off = deviations(measures.second);
    for (std::size_t i = 0; i < off.size(); ++i) all[session][measures.first[i]] = off[i];
  }
  return all;
}

bool off_to(double side, double deviation) {
  return std::abs(deviation) > outlier_deviations && (deviation > 0) == (side > 0);
}

}  // namespace

std::vector<Outlier> find_outliers(const Measurements& measured) {
  const auto slowdowns = measured_gpu_slowdowns(measured, RunsUsed::all);
  std::vector<double> logs;
  for (const double slowdown : slowdowns) logs.push_back(std::log(slowdown));
  const auto off = deviations(logs);
  const auto by_session = deviations_by_session(measured);
  std::vector<Outlier> outliers;
  for (std::size_t g = 0; g < off.size(); ++g) {
    if (std::abs(off[g]) <= outlier_deviations) continue;
    const auto& gpu = measured.gpus[g];
    Outlier outlier{gpu.id, gpu.host, gpu.local, slowdowns[g], off[g]};
    outlier.gpu = g;
    for (const auto& [session, gpus] : by_session) {
      const auto own = gpus.find(g);
      if (own == gpus.end()) continue;
      ++outlier.sessions;
      if (off_to(off[g], own->second)) ++outlier.sessions_off;
    }
    outliers.push_back(std::move(outlier));
  }
  std::ranges::stable_sort(
      outliers, [](const Outlier& a, const Outlier& b) { return std::abs(a.deviations) > std::abs(b.deviations); });
  return outliers;
}

double confirmed_outliers_from(const Measurements& measured) {
  double least = std::numeric_limits<double>::infinity();
  for (const Outlier& outlier : find_outliers(measured)) {
    if (outlier.confirmed() && outlier.deviations > 0) least = std::min(least, outlier.slowdown);
  }
  return least;
}

std::vector<MissedOutlier> outliers_in_bins(const Measurements& measured, const std::vector<std::uint16_t>& of_gpu) {
  const auto slowdowns = measured_gpu_slowdowns(measured, RunsUsed::all);
  std::vector<double> logs;
  for (const double slowdown : slowdowns) logs.push_back(std::log(slowdown));
  const double scatter = robust_sd(logs);
  std::map<std::uint16_t, std::vector<double>> members, usual;  // logs by bin; `usual` without outliers
  const auto off = deviations(logs);
  for (std::size_t g = 0; g < logs.size(); ++g) {
    members[of_gpu[g]].push_back(logs[g]);
    if (std::abs(off[g]) <= outlier_deviations) usual[of_gpu[g]].push_back(logs[g]);
  }
  std::vector<MissedOutlier> found;
  for (Outlier& outlier : find_outliers(measured)) {
    const std::uint16_t bin = of_gpu[outlier.gpu];
    const double middle = median(members.at(bin));
    if (!usual.contains(bin) || std::abs(logs[outlier.gpu] - middle) <= outlier_deviations * scatter) continue;
    found.push_back({std::move(outlier), bin, std::exp(middle)});
  }
  return found;
}

std::optional<Note> note_on_bins(const Measurements& measured, const BinRule& rule) {
  const ClassBins bins =
      bin_class(measured_gpu_slowdowns(measured, RunsUsed::all), rule, confirmed_outliers_from(measured));
  ValueList gpus;
  for (const auto& [outlier, bin, bin_slowdown] : outliers_in_bins(measured, bins.of_gpu)) {
    gpus.push_back(ValueRecord{{"gpu", outlier.id},
                               {"slowdown", outlier.slowdown},
                               {"deviations", outlier.deviations},
                               {"bin", bin},
                               {"bin_slowdown", bin_slowdown},
                               {"sessions", outlier.sessions},
                               {"sessions_off", outlier.sessions_off}});
  }
  if (gpus.empty()) return std::nullopt;
  return binned_outliers({{"gpus", std::move(gpus)}}, measured.name);
}

std::vector<HistogramBar> histogram(const Measurements& measured, std::size_t bars) {
  const auto slowdowns = sorted(measured_gpu_slowdowns(measured, RunsUsed::all));
  const double least = sorted_quantile(slowdowns, 0.01), most = sorted_quantile(slowdowns, 0.99);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const auto count = [&](double from, double to) {
    const auto begin = std::lower_bound(slowdowns.begin(), slowdowns.end(), from);
    return static_cast<std::size_t>(std::lower_bound(begin, slowdowns.end(), to) - begin);
  };
  std::vector<double> edges{least};
  for (std::size_t i = 1; i < bars && most > least; ++i) {
    edges.push_back(least + (most - least) * static_cast<double>(i) / static_cast<double>(bars));
  }
  edges.push_back(std::nextafter(most, infinite));  // the last bar has its end
  std::vector<HistogramBar> all;
  if (slowdowns.front() < least) all.push_back({slowdowns.front(), least, count(-infinite, least)});
  for (std::size_t i = 0; i + 1 < edges.size(); ++i)
    all.push_back({edges[i], edges[i + 1], count(edges[i], edges[i + 1])});
  if (slowdowns.back() > most) all.push_back({edges.back(), slowdowns.back(), count(edges.back(), infinite)});
  return all;
}

}  // namespace palstudy
