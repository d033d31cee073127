// SPDX-License-Identifier: MIT
#include "cli/tables/profile_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cli/tables/text_table.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "inputs/profile/profile_files.hpp"
#include "variability/profile/profile_coverage.hpp"
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

namespace {

constexpr std::size_t most_columns = 8;  // sessions that have a column of their own
constexpr std::size_t most_lines = 20;   // GPUs that are listed

Figure count(std::size_t value) { return {static_cast<double>(value), 0, false}; }

FigureTable by_session(const Profile& profile, const ProfileCoverage& cover) {
  FigureTable table{{"node", "GPUs"}, {}};
  for (const auto& session : profile.sessions) table.header.push_back(session.id);
  for (const NodeCoverage& node : cover.nodes) {
    auto& row = table.rows.emplace_back();
    row.emplace_back(node.host.empty() ? "not known" : node.host);
    row.emplace_back(count(node.gpus));
    for (const std::size_t gpus : node.gpus_in_session) row.emplace_back(count(gpus));
  }
  return table;
}

FigureTable in_short(const ProfileCoverage& cover) {
  FigureTable table{{"node", "GPUs", "sessions with all", "sessions with some"}, {}};
  for (const NodeCoverage& node : cover.nodes) {
    const auto& sessions = node.gpus_in_session;
    const auto all = std::ranges::count(sessions, node.gpus);
    const auto none = std::ranges::count(sessions, std::size_t{0});
    table.rows.push_back({node.host.empty() ? "not known" : node.host, count(node.gpus),
                          count(static_cast<std::size_t>(all)),
                          count(sessions.size() - static_cast<std::size_t>(none + all))});
  }
  return table;
}

/// For programs: the id of a session is a value, not a key.
FigureTable by_node_and_session(const Profile& profile, const ProfileCoverage& cover) {
  FigureTable table{{"node", "session", "gpus", "measured"}, {}};
  for (const NodeCoverage& node : cover.nodes) {
    for (std::size_t s = 0; s < profile.sessions.size(); ++s) {
      table.rows.push_back({node.host, profile.sessions[s].id, count(node.gpus), count(node.gpus_in_session[s])});
    }
  }
  return table;
}

std::string shortfall_text(const ProfileCoverage& cover) {
  if (cover.shortfalls.empty()) return "";
  std::string text = fmt::format("\nGPUs with fewer sessions than the {} that others have: {}\n", cover.most_sessions,
                                 cover.shortfalls.size());
  for (std::size_t i = 0; i < std::min(most_lines, cover.shortfalls.size()); ++i) {
    const GpuShortfall& gpu = cover.shortfalls[i];
    text += fmt::format("  {}{}: {}\n", gpu.uuid, gpu.host.empty() ? "" : " on " + gpu.host, gpu.sessions);
  }
  if (cover.shortfalls.size() > most_lines)
    text += fmt::format("  and {} more\n", cover.shortfalls.size() - most_lines);
  return text;
}

}  // namespace

std::string coverage_text(const Profile& profile) {
  const ProfileCoverage cover = coverage(profile);
  const auto known =
      static_cast<std::size_t>(std::ranges::count_if(cover.nodes, [](const auto& node) { return !node.host.empty(); }));
  std::string text = fmt::format("{} on {}, {}, {}, {}\n", counted(profile.gpus.size(), "GPU"), counted(known, "node"),
                                 counted(profile.kernels.size(), "kernel"), counted(profile.sessions.size(), "session"),
                                 counted(profile.repeats.size(), "repeat"));
  for (const auto& use : profile.utilization) {
    text +=
        fmt::format("utilisation of {}: {} of DRAM, {} of the busiest pipe, over {:.3g} s\n", use.application,
                    fmt::format("{:.1f} %", 100 * use.u_dram), fmt::format("{:.1f} %", 100 * use.u_fu), use.duration_s);
  }
  if (profile.gpus.empty()) return text;
  const bool wide = profile.sessions.size() <= most_columns;
  return text + "\n" + figures_text(wide ? by_session(profile, cover) : in_short(cover)) + shortfall_text(cover);
}

std::string coverage_json(const Profile& profile) {
  const ProfileCoverage cover = coverage(profile);
  FigureTable shortfalls{{"gpu", "node", "sessions"}, {}};
  for (const GpuShortfall& gpu : cover.shortfalls) {
    shortfalls.rows.push_back({gpu.uuid, gpu.host, count(gpu.sessions)});
  }
  return fmt::format(
      "{{\"gpus\": {}, \"kernels\": {}, \"sessions\": {}, \"repeats\": {}, \"applications\": {},\n\"coverage\": {},\n"
      "\"fewer_sessions\": {}}}\n",
      profile.gpus.size(), profile.kernels.size(), profile.sessions.size(), profile.repeats.size(),
      profile.utilization.size(), figures_json(by_node_and_session(profile, cover)), figures_json(shortfalls));
}

FigureTable link_table(const LocalityModel& links) {
  FigureTable table{{"level", "measured", "by", "path", "alpha us", "beta GB per s", "deviation", "points"}, {}};
  for (const Level level : {Level::node, Level::cabinet, Level::cluster}) {
    const LevelLink& link = links.at(level);
    const double beta = link.seconds_per_byte > 0 ? 1e-9 / link.seconds_per_byte : 0;
    table.rows.push_back({level_name(level), link.points > 0 ? "yes" : "no: as " + level_name(link.from), link.kernel,
                          link.path, Figure{1e6 * link.alpha_s, 2}, Figure{beta, 2}, Figure{link.residual, 1, true},
                          Figure{static_cast<double>(link.points), 0}});
  }
  return table;
}

FigureTable penalty_table(const LocalityModel& links, const ModelTable& models, std::uint32_t gpus, double overlap) {
  FigureTable table{{"model", "GPUs", "gradient MB", "iteration s", "node", "cabinet", "cluster"}, {}};
  for (const auto& [name, model] : models.models) {
    if (!(model.gradient_bytes > 0)) continue;
    const LocalityPenalty penalty = measured_penalty(links, {model.gradient_bytes, model.iteration_s}, gpus, overlap);
    table.rows.push_back({name, Figure{static_cast<double>(gpus), 0}, Figure{1e-6 * model.gradient_bytes, 1},
                          Figure{model.iteration_s}, Figure{penalty.node}, Figure{penalty.cabinet},
                          Figure{penalty.cluster}});
  }
  return table;
}

}  // namespace palstudy
