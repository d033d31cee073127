// SPDX-License-Identifier: MIT
#include "cli/tables/profile_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/numbers.hpp"
#include "inputs/profile/profile_files.hpp"
#include "variability/profile/profile_summary.hpp"
#include "variability/sources/class_kernels.hpp"
#include "variability/sources/reliability.hpp"

namespace palstudy {
namespace {

template <class Integer>
Figure count(Integer value) {
  return {static_cast<double>(value), 0, false};
}
constexpr double unknown = nan;

Figure share(double value) { return {value, 2, true}; }

}  // namespace

FigureTable distribution_table(const std::vector<Measurements>& profile) {
  FigureTable table{{"measurement", "GPUs", "nodes", "runs", "median ms", "least", "p1", "p5", "p95", "p99", "largest",
                     "over 1.05", "over 1.10", "classes"},
                    {}};
  const auto classes = classes_of_measurements();
  for (const Measurements& measured : profile) {
    const KernelSummary s = summarize(measured);
    const auto own = classes.find(s.name);
    table.rows.push_back({s.name, count(s.gpus), count(s.nodes), count(s.runs), Figure{s.median_ms, 1}, Figure{s.least},
                          Figure{s.p1}, Figure{s.p5}, Figure{s.p95}, Figure{s.p99}, Figure{s.largest},
                          count(s.over_5_percent), count(s.over_10_percent), own == classes.end() ? "" : own->second});
  }
  return table;
}

FigureTable node_table(const std::vector<Measurements>& profile, std::size_t nodes) {
  FigureTable table{{"measurement", "node", "GPUs", "median", "least", "largest"}, {}};
  for (const Measurements& measured : profile) {
    const auto all = summarize_nodes(measured);
    for (std::size_t i = 0; i < std::min(nodes, all.size()); ++i) {
      const NodeSummary& node = all[i];
      table.rows.push_back(
          {measured.name, node.host, count(node.gpus), Figure{node.median}, Figure{node.least}, Figure{node.largest}});
    }
  }
  return table;
}

FigureTable reliability_table(const std::vector<Measurements>& profile) {
  FigureTable table{{"measurement", "GPUs", "runs per GPU", "between GPUs", "between runs", "share of GPU",
                     "split half", "Spearman Brown", "sessions", "between sessions", "within node", "within node low",
                     "within node high", "within node by ranks"},
                    {}};
  for (const Measurements& measured : profile) {
    const Reliability r = measure_reliability(measured);
    table.rows.push_back({measured.name, count(r.gpus), Figure{r.runs_per_gpu, 1}, share(r.gpu_sd), share(r.run_sd),
                          Figure{r.gpu_share, 2}, Figure{r.split_half, 3}, Figure{r.spearman_brown, 3},
                          r.sessions == 0 ? Figure{unknown} : count(r.sessions), Figure{r.between_sessions, 3},
                          Figure{r.node_icc, 2}, Figure{r.node_icc_low, 2}, Figure{r.node_icc_high, 2},
                          Figure{r.node_icc_of_ranks, 2}});
  }
  return table;
}

FigureTable outlier_table(const std::vector<Measurements>& profile, std::size_t gpus) {
  FigureTable table{
      {"measurement", "GPU", "node", "local", "slowdown", "robust SDs", "sessions", "of them off", "confirmed"}, {}};
  for (const Measurements& measured : profile) {
    const auto all = find_outliers(measured);
    for (std::size_t i = 0; i < std::min(gpus, all.size()); ++i) {
      const Outlier& o = all[i];
      const bool known = o.sessions > 0;
      table.rows.push_back({measured.name, o.id, o.host, o.local < 0 ? Figure{unknown} : count(o.local),
                            Figure{o.slowdown}, Figure{o.deviations, 1}, known ? count(o.sessions) : Figure{unknown},
                            known ? count(o.sessions_off) : Figure{unknown},
                            !known          ? "not known"
                            : o.confirmed() ? "yes"
                                            : "no"});
    }
  }
  return table;
}

FigureTable histogram_table(const std::vector<Measurements>& profile) {
  FigureTable table{{"measurement", "from", "to", "GPUs"}, {}};
  for (const Measurements& measured : profile) {
    for (const HistogramBar& bar : histogram(measured)) {
      table.rows.push_back({measured.name, Figure{bar.from}, Figure{bar.to}, count(bar.gpus)});
    }
  }
  return table;
}

std::string histogram_text(const std::vector<Measurements>& profile) {
  constexpr std::size_t longest = 50;
  std::string text;
  for (const Measurements& measured : profile) {
    const auto bars = histogram(measured);
    std::size_t most = 1;
    for (const HistogramBar& bar : bars) most = std::max(most, bar.gpus);
    text += fmt::format("{}{}: GPUs by slowdown\n", text.empty() ? "" : "\n", measured.name);
    for (const HistogramBar& bar : bars) {
      const std::size_t length = (bar.gpus * longest + most - 1) / most;  // what is there shows
      text += fmt::format("  {:.4f} to {:.4f} {:>6} {}\n", bar.from, bar.to, bar.gpus, std::string(length, '#'));
    }
  }
  return text;
}

FigureTable bin_table(const std::vector<Measurements>& profile, const BinRule& rule) {
  FigureTable table{{"measurement", "bin", "value", "GPUs", "least", "largest"}, {}};
  for (const Measurements& measured : profile) {
    const auto slowdowns = measured_gpu_slowdowns(measured, RunsUsed::all);
    const ClassBins bins = bin_class(slowdowns, rule, confirmed_outliers_from(measured));
    for (std::size_t b = 0; b < bins.values.size(); ++b) {
      double least = std::numeric_limits<double>::infinity(), largest = 0, gpus = 0;
      for (std::size_t g = 0; g < slowdowns.size(); ++g) {
        if (bins.of_gpu[g] != b) continue;
        gpus += 1;
        least = std::min(least, slowdowns[g]);
        largest = std::max(largest, slowdowns[g]);
      }
      table.rows.push_back(
          {measured.name, count(b), Figure{bins.values[b]}, count(gpus), Figure{least}, Figure{largest}});
    }
  }
  return table;
}

}  // namespace palstudy
