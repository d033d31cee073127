// SPDX-License-Identifier: MIT
#include "analysis/interval_scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

#include "analysis/comparison.hpp"
#include "core/error.hpp"
#include "core/ids.hpp"
#include "inputs/input_files.hpp"
#include "inputs/inputs.hpp"
#include "study/axes.hpp"
#include "study/keys/key_names.hpp"
#include "study/study.hpp"
#include "topology/topology.hpp"
#include "variability/slowdowns.hpp"
#include "variability/sources/cluster_source.hpp"
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

DrawnClusters drawn_from(const ClusterOptions& cluster) {
  switch (source_of(cluster).scope) {
    case ClusterScope::measured_nodes:
      return DrawnClusters::measured;
    case ClusterScope::generated_nodes:
      return DrawnClusters::block;
    case ClusterScope::single_runs:
      return DrawnClusters::bootstrap;
    case ClusterScope::clusters:
      break;
  }
  return DrawnClusters::any;
}

DrawnWorkloads drawn_by(const WorkloadOptions& from) {
  if (from.trace.empty()) return DrawnWorkloads::generated;
  if (from.resampling != Resampling::none) return DrawnWorkloads::resamples;
  if (readers().at(from.reader).make.draws(from.columns)) return DrawnWorkloads::models;
  const double copies = from.copies.copies;
  return copies > std::floor(copies) ? DrawnWorkloads::part_of_copy : DrawnWorkloads::estimates;
}

const NoteKind donors_note("donors", Severity::care), idle_seeds_note("idle-seeds", Severity::care),
    same_nodes_note("same-nodes", Severity::care);

}  // namespace

const char* name_of(Coverage known) {
  return std::array{"not-resampled", "simulated", "other-metric", "few-blocks"}[static_cast<std::size_t>(known)];
}

const char* name_of(DrawnClusters drawn) {
  return std::array{"none", "any", "measured", "block", "bootstrap", "placements"}[static_cast<std::size_t>(drawn)];
}

const char* name_of(DrawnWorkloads drawn) {
  return std::array{
      "none", "any", "generated", "resamples", "models", "part-of-copy", "estimates"}[static_cast<std::size_t>(drawn)];
}

const char* name_of(OtherDraws drawn) {
  return std::array{"failures", "beliefs", "predictions", "choices"}[static_cast<std::size_t>(drawn)];
}

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
std::vector<SameNodes> IntervalScope::DrawnNodes::alike() const {
  std::map<std::size_t, std::vector<std::string>> classes;  // by the number of nodes; none where most differ
  std::size_t most = 0;
  for (const auto& [name, nodes] : all) {
    most = std::max(most, nodes);
    if (2 * each > nodes) classes[nodes].push_back(name);
  }
  if (classes.empty()) return {};
  if (2 * each > most) return each < most ? std::vector<SameNodes>{{each, most}} : std::vector<SameNodes>();
  std::vector<SameNodes> some;
  for (const auto& [nodes, names] : classes) some.push_back({each, nodes, names});
  return some;
}

void IntervalScope::add_clusters(const std::vector<std::size_t>& rows, GroupScope& to) const {
  if (rows.empty()) return;
  const auto of = [&](std::size_t row) { return drawn_from(plan(row).cluster); };
  const auto alike = [&](std::size_t row) { return of(row) == of(rows.front()); };
  to.clusters = std::ranges::all_of(rows, alike) ? of(rows.front()) : DrawnClusters::any;
  if (to.clusters != DrawnClusters::measured) return;
  const DrawnNodes drawn = drawn_nodes(rows);
  if (drawn.same)
    to.clusters = DrawnClusters::placements;
  else
    to.alike = drawn.alike();
}

void IntervalScope::add_workloads(const std::vector<std::size_t>& rows, GroupScope& to) const {
  if (rows.empty()) return;
  const auto of = [&](std::size_t row) {
    const WorkloadOptions& workload = plan(row).workload;
    return std::tuple(drawn_by(workload), workload.generator, workload.resampling);
  };
  const auto alike = [&](std::size_t row) { return of(row) == of(rows.front()); };
  to.workloads = std::ranges::all_of(rows, alike) ? drawn_by(plan(rows.front()).workload) : DrawnWorkloads::any;
  to.generator = plan(rows.front()).workload.generator;
}

GroupScope IntervalScope::of(const std::vector<std::size_t>& rows) const {
  GroupScope scope;
  const auto& axes = runs_.axes();
  if (std::ranges::find(axes, trace_key) != axes.end()) {
    scope.traces = distinct(rows, runs_.codes(trace_key));
  }
  if (runs_.study() == nullptr) return scope;
  scope.known = true;
  add_clusters(changed(rows, point_, cluster_), scope);
  add_workloads(changed(rows, point_, workload_), scope);
  const auto add = [&](const Codes& codes, OtherDraws what) {
    if (!changed(rows, point_, codes).empty()) scope.others.push_back(what);
  };
  add(failures_, OtherDraws::failures);
  add(beliefs_, OtherDraws::beliefs);
  add(predictions_, OtherDraws::predictions);
  const bool none = scope.clusters == DrawnClusters::none && scope.workloads == DrawnWorkloads::none;
  if (none && scope.others.empty()) add(policies_, OtherDraws::choices);
  if (scope.clusters == DrawnClusters::none) scope.fixed_clusters = distinct(rows, cluster_);
  const WorkloadOptions& workload = plan(rows.front()).workload;
  scope.trace = !workload.trace.empty();
  scope.resampling = workload.resampling;
  return scope;
}

std::optional<Note> IntervalScope::donors() const {
  if (archive_.attribute("profile.origin").empty()) return std::nullopt;
  const auto measured = [&](std::size_t row) {
    return cluster_sources().at(runs_.text(keys::source, row)).make.uses("profile");
  };
  bool drawn = !runs_.has(keys::source);
  for (std::size_t row = 0; !drawn && row < runs_.rows(); ++row) drawn = measured(row);
  std::vector<std::size_t> all(runs_.rows());
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (!drawn || of(all).clusters == DrawnClusters::placements) return std::nullopt;
  std::set<std::string> profiles;
  for (std::size_t row = 0; row < plan_of_.size(); ++row) {
    if (source_of(plan(row).cluster).uses("profile")) profiles.insert(plan(row).cluster.profile);
  }
  return donors_note({{"profiles", std::vector<std::string>(profiles.begin(), profiles.end())}});
}

void Survivors::add_left_out(Seeds seeds, NoClaim policy, NoClaim baseline) {
  lost_.insert(seeds);
  for (const NoClaim why : {policy, baseline}) {
    if (why != NoClaim::none) why_.insert(why);
  }
  if (policy == NoClaim::none && baseline == NoClaim::none) why_.insert(NoClaim::none);  // alone each would make one
}

SeedsLeftOut Survivors::counted() const {
  const auto partly =
      static_cast<std::size_t>(std::ranges::count_if(lost_, [&](const Seeds& seeds) { return used_.contains(seeds); }));
  return {used_.size(), lost_.size() - partly, partly, why_};
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

std::optional<Note> idle_seeds(const Study& study, Inputs& inputs) {
  const std::vector<Runs> points = runs_at_points(study);
  if (std::ranges::all_of(points, [](const Runs& runs) { return runs.size() == 1; })) return std::nullopt;
  if (differ(points, other_draws) || differ(points, workload_text)) return std::nullopt;
  if (!differ(points, cluster_text)) return idle_seeds_note({});
  if (!std::ranges::all_of(points, [&](const Runs& runs) { return same_nodes(runs, inputs); })) return std::nullopt;
  return same_nodes_note({});
}

}  // namespace palstudy
