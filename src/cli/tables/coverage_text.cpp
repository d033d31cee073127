// SPDX-License-Identifier: MIT
#include "cli/tables/coverage_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/tables/figure_table.hpp"
#include "core/text.hpp"
#include "variability/profile/profile_coverage.hpp"

namespace palstudy {
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
    const auto all = std::count(sessions.begin(), sessions.end(), node.gpus);
    const auto none = std::count(sessions.begin(), sessions.end(), std::size_t{0});
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
  std::string text =
      fmt::format("{} on {}, {}, {}, {}\n", counted(profile.gpus.size(), "GPU"), counted(cover.nodes.size(), "node"),
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

}  // namespace palstudy
