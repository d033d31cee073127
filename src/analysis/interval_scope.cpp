// SPDX-License-Identifier: MIT
#include "analysis/interval_scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "core/error.hpp"
#include "core/ids.hpp"
#include "core/text.hpp"
#include "inputs/input_files.hpp"
#include "inputs/inputs.hpp"
#include "study/axes.hpp"
#include "study/keys/key_names.hpp"
#include "study/study.hpp"
#include "topology/topology.hpp"
#include "variability/slowdowns.hpp"
#include "workload/synthetic/resample.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

/// A number for each distinct text, by row.
Codes coded(std::size_t rows, const std::function<std::string(std::size_t)>& text) {
  std::map<std::string, std::uint32_t> numbers;
  Codes codes(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    codes[row] = numbers.try_emplace(text(row), static_cast<std::uint32_t>(numbers.size())).first->second;
  }
  return codes;
}

/// The rows at whose point some other of these rows has another value.
std::vector<std::size_t> changed(const std::vector<std::size_t>& rows, const Codes& points, const Codes& values) {
  std::map<std::uint32_t, std::set<std::uint32_t>> seen;
  for (const std::size_t row : rows) seen[points[row]].insert(values[row]);
  std::vector<std::size_t> result;
  for (const std::size_t row : rows) {
    if (seen[points[row]].size() > 1) result.push_back(row);
  }
  return result;
}

std::size_t distinct(const std::vector<std::size_t>& rows, const Codes& values) {
  std::set<std::uint32_t> seen;
  for (const std::size_t row : rows) seen.insert(values[row]);
  return seen.size();
}

/// The one text that all rows have, or `several`.
std::string common(const std::vector<std::size_t>& rows, const std::string& several,
                   const std::function<std::string(std::size_t)>& text) {
  std::set<std::string> all;
  for (const std::size_t row : rows) all.insert(text(row));
  return all.size() == 1 ? *all.begin() : several;
}

/// For each class the nodes of a cluster as lists of slowdowns, sorted: equal for clusters that have the same nodes in
/// other places.
using NodesByClass = std::vector<std::vector<std::vector<double>>>;

NodesByClass nodes_of(const Slowdowns& cluster, const std::vector<NodeGroup>& groups) {
  NodesByClass classes(cluster.classes());
  for (std::size_t c = 0; c < cluster.classes(); ++c) {
    const auto values = cluster.of(ClassId(static_cast<std::uint32_t>(c)));
    auto next = values.begin();
    for (const NodeGroup& group : groups) {
      for (std::uint32_t i = 0; i < group.count; ++i, next += group.gpus) {
        classes[c].emplace_back(next, next + group.gpus);
      }
    }
    std::ranges::sort(classes[c]);
  }
  return classes;
}

std::string scope_text(ClusterScope scope) {
  switch (scope) {
    case ClusterScope::measured_nodes:
      return "clusters of nodes drawn from those measured";
    case ClusterScope::generated_nodes:
      return "clusters generated from the measured nodes";
    case ClusterScope::single_runs:
      return "clusters of measured runs drawn GPU by GPU";
    case ClusterScope::clusters:
      break;
  }
  return "clusters";
}

std::string workload_source_text(const WorkloadOptions& from) {
  if (from.trace.empty()) return "workloads of generator " + from.generator;
  if (from.resampling != Resampling::none) {
    return fmt::format("resamples of the trace ({})", name_of(from.resampling));
  }
  if (readers().at(from.reader).make.draws_models) return "draws of the models that the jobs of the trace have";
  const double copies = from.copies.copies;
  if (copies > std::floor(copies)) return "draws of the part of a copy of the trace";
  return "draws of the users' estimates";
}

/// What runs do that make a claim, where others make none for these reasons.
const char* kept(const std::set<NoClaim>& why) {
  if (why.size() != 1) return "make one";
  if (*why.begin() == NoClaim::unstable) return "do not overload";
  if (*why.begin() == NoClaim::unfinished) return "end in time";
  return *why.begin() == NoClaim::failed ? "do not fail" : "make one";
}

}  // namespace

IntervalScope::IntervalScope(const ArchiveReader& archive, const RunValues& runs) : archive_(archive), runs_(runs) {
  if (runs_.study() == nullptr) return;
  const auto& numbers = std::get<std::vector<std::int64_t>>(runs.values("run"));
  for (std::size_t row = 0; row < runs.rows(); ++row) {
    const auto number = static_cast<std::size_t>(numbers[runs.run_of(row)]);
    if (number >= runs.needed_study().runs.size()) {
      throw data_error(fmt::format("run {} is not in the study that the archive holds", number), "/runs/run",
                       "run palstudy verify, which lists the damage");
    }
    plan_of_.push_back(number);
  }
  std::vector<Codes> all;
  for (const auto& key : runs.axes()) {
    if (!is_seed_key(key)) all.push_back(runs.codes(key));
  }
  point_ = combined(all, runs.rows());
  const auto by = [&](auto text) { return coded(runs.rows(), [&](std::size_t row) { return text(plan(row)); }); };
  cluster_ = by(cluster_text);
  workload_ = by(workload_text);
  failures_ = by([](const RunPlan& run) {
    return run.failures.model.empty() ? std::string() : std::to_string(run.failures.options.seed);
  });
  beliefs_ = by(belief_text);
  predictions_ = by(prediction_text);
  policies_ = by([](const RunPlan& run) { return std::to_string(run.policy.seed); });
}

std::set<std::string> IntervalScope::classes_of_jobs() const {
  if (!archive_.has_column(TableId::jobs, "class")) return {};
  const auto classes = std::get<TextColumn>(archive_.column(TableId::jobs, "class"));
  std::set<std::string> used;
  for (const std::int32_t code : std::set<std::int32_t>(classes.codes.begin(), classes.codes.end())) {
    used.insert(classes.names[static_cast<std::size_t>(code)]);
  }
  return used;
}

IntervalScope::DrawnNodes IntervalScope::drawn_nodes(const std::vector<std::size_t>& rows) const {
  const std::set<std::string> used = classes_of_jobs();
  const Inputs inputs(runs_.needed_study());
  std::map<std::string, Slowdowns> archived;
  for (auto& cluster : archive_.clusters()) archived.emplace(cluster.key, std::move(cluster.slowdowns));
  std::map<std::uint32_t, NodesByClass> first;                                // by point
  std::map<std::string, std::set<NodesByClass::value_type::value_type>> all;  // by class
  std::set<std::uint32_t> seen;
  DrawnNodes drawn{true, 0, {}};
  for (const std::size_t row : rows) {
    if (!seen.insert(cluster_[row]).second) continue;
    const auto found = archived.find(inputs.cluster_key(plan(row)));
    if (found == archived.end() || found->second.gpus() == 0) return {};
    auto nodes = nodes_of(found->second, plan(row).cluster.nodes);
    const auto& names = found->second.class_names();
    for (std::size_t c = 0; c < nodes.size(); ++c) {
      if (!used.empty() && !used.contains(names[c])) nodes[c].clear();  // nothing runs at these slowdowns
    }
    if (first.try_emplace(point_[row], nodes).first->second != nodes) drawn.same = false;
    for (std::size_t c = 0; c < nodes.size(); ++c) {
      if (nodes[c].empty()) continue;
      all[names[c]].insert(nodes[c].begin(), nodes[c].end());
      drawn.each = nodes[c].size();
    }
  }
  if (first.size() != 1) drawn.each = 0;  // clusters of several sizes
  if (drawn.each == 0) return drawn;
  for (const auto& [name, nodes] : all) drawn.all[name] = nodes.size();
  return drawn;
}

// Classes that are drawn jointly have the same nodes, so that the most that one of them tells apart is their number.
// Drawn apart, one class may have hardly more nodes than a cluster takes, and another many.
std::string IntervalScope::DrawnNodes::alike() const {
  std::map<std::size_t, std::vector<std::string>> classes;  // by the number of nodes; none where most differ
  std::size_t most = 0;
  for (const auto& [name, nodes] : all) {
    most = std::max(most, nodes);
    if (2 * each > nodes) classes[nodes].push_back(name);
  }
  if (classes.empty()) return "";
  if (2 * each > most) return each < most ? fmt::format(" ({} of the same {} each)", each, most) : "";
  std::vector<std::string> parts;
  for (const auto& [nodes, names] : classes) {
    parts.push_back(
        fmt::format("{} of the same {} each in class{} {}", each, nodes, names.size() > 1 ? "es" : "", join(names)));
  }
  return " (" + join(parts, "; ") + ")";
}

std::string IntervalScope::clusters_drawn(const std::vector<std::size_t>& rows) const {
  if (rows.empty()) return "";
  const auto scope_of = [&](std::size_t row) { return source_of(plan(row).cluster).scope; };
  const bool same = std::ranges::all_of(rows, [&](std::size_t row) { return scope_of(row) == scope_of(rows.front()); });
  const ClusterScope scope = same ? scope_of(rows.front()) : ClusterScope::clusters;
  const std::string source = scope_text(scope);
  if (scope != ClusterScope::measured_nodes) return source;
  const DrawnNodes drawn = drawn_nodes(rows);
  if (drawn.same) return other_placements;
  return source + drawn.alike();
}

std::string IntervalScope::workloads_drawn(const std::vector<std::size_t>& rows) const {
  if (rows.empty()) return "";
  return common(rows, "workloads", [&](std::size_t row) { return workload_source_text(plan(row).workload); });
}

GroupScope IntervalScope::of(const std::vector<std::size_t>& rows) const {
  GroupScope scope;
  const auto& axes = runs_.axes();
  if (std::ranges::find(axes, trace_key) != axes.end()) {
    scope.traces = distinct(rows, runs_.codes(trace_key));
  }
  if (runs_.study() == nullptr) return scope;
  scope.known = true;
  scope.clusters = clusters_drawn(changed(rows, point_, cluster_));
  scope.workloads = workloads_drawn(changed(rows, point_, workload_));
  const auto add = [&](const Codes& codes, const char* name) {
    if (changed(rows, point_, codes).empty()) return;
    scope.rest += (scope.rest.empty() ? "" : " and ") + std::string(name);
  };
  add(failures_, "failures");
  add(beliefs_, "what the policies believe");
  add(predictions_, "the errors of predictions");
  const bool others = !scope.clusters.empty() || !scope.workloads.empty() || !scope.rest.empty();
  if (!others) add(policies_, "the policies' own random choices");
  scope.choices_alone = !others && !scope.rest.empty();
  const std::size_t clusters = distinct(rows, cluster_);
  if (scope.clusters.empty()) {
    scope.stays = clusters == 1 ? " on this one cluster" : fmt::format(" on {} clusters", clusters);
  }
  const WorkloadOptions& workload = plan(rows.front()).workload;
  scope.trace = !workload.trace.empty();
  scope.resampled = workload.resampling != Resampling::none;
  return scope;
}

std::string IntervalScope::given_donors() const {
  if (archive_.attribute("profile.origin").empty()) return "";
  const auto measured = [&](std::size_t row) {
    return cluster_sources().at(runs_.text(keys::source, row)).make.uses("profile");
  };
  bool drawn = !runs_.has(keys::source);
  for (std::size_t row = 0; !drawn && row < runs_.rows(); ++row) drawn = measured(row);
  std::vector<std::size_t> all(runs_.rows());
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (!drawn || of(all).clusters == other_placements) return "";
  return "given these donors: the clusters are drawn from the same measured nodes, so the intervals are for other "
         "draws from them, not for other machines";
}

std::string GroupScope::under(const ReplicationCount& count) const {
  if (workloads.empty() || count.by == Replicated::clusters) {
    if (!trace) return " under this one workload";
    return traces == 1 ? " under this one trace" : fmt::format(" under these {} traces", traces);
  }
  if (traces > 1) return fmt::format(" of each of {} traces", traces);
  return resampled ? ", for other traces of its kind" : "";
}

std::string GroupScope::clause(const ReplicationCount& count) const {
  const bool crossed = count.by == Replicated::crossed;
  if (!known && crossed)
    return fmt::format("over {} cluster seeds x {} workload seeds", count.clusters, count.workloads);
  if (!known) return "over " + counted(count.replications, "seed");
  const std::string same = stays + under(count) + (choices_alone ? ": nothing about others" : "");
  if (crossed) {
    return fmt::format("over {} {} x {} {}{}{}", count.clusters, clusters.empty() ? "cluster seeds" : clusters,
                       count.workloads, workloads.empty() ? "workload seeds" : workloads,
                       rest.empty() ? "" : ", with " + rest, same);
  }
  std::vector<std::string> parts;
  if (!clusters.empty() && count.by != Replicated::workloads) parts.push_back(clusters);
  if (!workloads.empty() && count.by != Replicated::clusters) parts.push_back(workloads);
  if (!rest.empty()) parts.push_back((parts.empty() ? "draws of " : "") + rest);
  if (parts.empty()) return "over " + counted(count.replications, "seed") + same;
  if (parts.size() == 1) return fmt::format("over {} {}{}", count.replications, parts.front(), same);
  const bool moved = parts.front() == other_placements;  // which are no new ones
  if (moved && !workloads.empty()) parts[1] = "new " + parts[1];
  return fmt::format("over {} seeds, each with {}{}{}", count.replications, moved ? "" : "new ", join(parts, " and "),
                     same);
}

void Survivors::add_left_out(Seeds seeds, NoClaim policy, NoClaim baseline) {
  lost_.insert(seeds);
  for (const NoClaim why : {policy, baseline}) {
    if (why != NoClaim::none) why_.insert(why);
  }
  if (policy == NoClaim::none && baseline == NoClaim::none) why_.insert(NoClaim::none);  // alone each would make one
}

std::string Survivors::clause() const {
  if (lost_.empty()) return "";
  const auto partly =
      static_cast<std::size_t>(std::ranges::count_if(lost_, [&](const Seeds& seeds) { return used_.contains(seeds); }));
  const std::size_t lost = lost_.size() - partly;
  const std::string others =
                        fmt::format("the other {} of {} make no claim", grouped(lost), grouped(used_.size() + lost)),
                    parts = fmt::format("at {} only some pairs make a claim", counted(partly, "seed"));
  const std::string said = partly == 0 ? others : lost == 0 ? parts : others + ", " + parts;
  return fmt::format(" ({}, so it is for such as {})", said, kept(why_));
}

namespace {

using Runs = std::vector<const RunPlan*>;

/// The runs of each point of the axes that are no seeds.
std::vector<Runs> runs_at_points(const Study& study) {
  std::vector<Runs> all;
  for (const auto& point : points_of(study)) {
    Runs& runs = all.emplace_back();
    for (const std::size_t run : point) runs.push_back(&study.runs[run]);
  }
  return all;
}

template <class Text>
bool differ(const std::vector<Runs>& points, Text text) {
  return std::ranges::any_of(points, [&](const Runs& runs) {
    return std::ranges::any_of(runs, [&](const RunPlan* run) { return text(*run) != text(*runs.front()); });
  });
}

/// The seeds of what a run draws beside its cluster and its workload: failures, and what policies believe.
std::string other_draws(const RunPlan& run) {
  return (run.failures.model.empty() ? "" : std::to_string(run.failures.options.seed)) + " " + belief_text(run) + " " +
         prediction_text(run);
}

bool same_nodes(const Runs& runs, Inputs& inputs) {
  std::set<std::string> seen;
  NodesByClass first;
  for (const RunPlan* run : runs) {
    if (source_of(run->cluster).scope != ClusterScope::measured_nodes) return false;
    if (!seen.insert(cluster_text(*run)).second) continue;
    NodesByClass nodes = nodes_of(inputs.load_cluster(*run).truth, run->cluster.nodes);
    if (seen.size() == 1)
      first = std::move(nodes);
    else if (nodes != first)
      return false;
  }
  return true;
}

}  // namespace

std::string idle_seeds_line(const Study& study, Inputs& inputs) {
  const std::vector<Runs> points = runs_at_points(study);
  if (std::ranges::all_of(points, [](const Runs& runs) { return runs.size() == 1; })) return "";
  if (differ(points, other_draws) || differ(points, workload_text)) {
    return "";
  }
  if (!differ(points, cluster_text)) {
    return "the seeds change nothing but random choices of the policies, so there is no interval; draw clusters "
           "(cluster.source) or workloads (workload.resample, a generator)";
  }
  if (!std::ranges::all_of(points, [&](const Runs& runs) { return same_nodes(runs, inputs); })) return "";
  return "the seeds only put the same nodes in other places, so intervals are over other placements of these GPUs, not "
         "over other machines; give fewer nodes than were measured, or draw workloads (workload.resample)";
}

}  // namespace palstudy
