// SPDX-License-Identifier: MIT
#include "words/comparison_words.hpp"

#include <fmt/format.h>

#include <array>

#include "analysis/replications.hpp"
#include "core/text.hpp"
#include "study/keys/key_names.hpp"
#include "words/looks_text.hpp"
#include "words/measured_text.hpp"

namespace palstudy {

std::string label_text(const GroupLabel& label, const std::map<std::string, std::string>& trace_names) {
  const auto name = label.key == keys::trace.name ? trace_names.find(label.value) : trace_names.end();
  return fmt::format("{} {} {}", label.key, label.relation, name == trace_names.end() ? label.value : name->second);
}

std::string no_claim_text(NoClaim why, double jobs_unfinished, double growth_per_h) {
  if (why == NoClaim::failed) return "failed";
  if (why == NoClaim::unfinished) return counted(static_cast<std::size_t>(jobs_unfinished), "job") + " unfinished";
  return fmt::format("unstable, the queue grows by {:.3g} jobs/h", growth_per_h);
}

std::string left_out_text(const LeftOutRun& run, const std::map<std::string, std::string>& trace_names) {
  std::vector<std::string> where;
  for (const auto& [key, value] : run.point) where.push_back(label_text({key, "=", value}, trace_names));
  return fmt::format("run {} ({}): {}", run.run, join(where),
                     no_claim_text(run.why, run.jobs_unfinished, run.growth_per_h));
}

namespace {

std::string clusters_text(const GroupScope& scope) {
  switch (scope.clusters) {
    case DrawnClusters::none:
      return "";
    case DrawnClusters::any:
      return "clusters";
    case DrawnClusters::measured:
      break;
    case DrawnClusters::block:
      return "clusters generated from the measured nodes";
    case DrawnClusters::bootstrap:
      return "clusters of measured runs drawn GPU by GPU";
    case DrawnClusters::placements:
      return "other placements of these GPUs";
  }
  std::vector<std::string> alike;
  for (const SameNodes& one : scope.alike) {
    const char* classes = one.classes.size() > 1 ? "es" : "";
    const std::string of = one.classes.empty() ? "" : fmt::format(" in class{} {}", classes, join(one.classes));
    alike.push_back(fmt::format("{} of the same {} each{}", one.each, one.of, of));
  }
  return "clusters of nodes drawn from those measured" + (alike.empty() ? "" : " (" + join(alike, "; ") + ")");
}

std::string workloads_text(const GroupScope& scope) {
  switch (scope.workloads) {
    case DrawnWorkloads::none:
      return "";
    case DrawnWorkloads::any:
      break;
    case DrawnWorkloads::generated:
      return "workloads of generator " + scope.generator;
    case DrawnWorkloads::resamples:
      return fmt::format("resamples of the trace ({})", name_of(scope.resampling));
    case DrawnWorkloads::models:
      return "draws of the models that the jobs of the trace have";
    case DrawnWorkloads::part_of_copy:
      return "draws of the part of a copy of the trace";
    case DrawnWorkloads::estimates:
      return "draws of the users' estimates";
  }
  return "workloads";
}

std::string others_text(const GroupScope& scope) {
  constexpr std::array texts = {"failures", "what the policies believe", "the errors of predictions",
                                "the policies' own random choices"};
  std::vector<std::string> parts;
  for (const OtherDraws one : scope.others) parts.emplace_back(texts[static_cast<std::size_t>(one)]);
  return join(parts, " and ");
}

std::string under(const GroupScope& scope, const ReplicationCount& count) {
  if (scope.workloads == DrawnWorkloads::none || count.by == Replicated::clusters) {
    if (!scope.trace) return " under this one workload";
    return scope.traces == 1 ? " under this one trace" : fmt::format(" under these {} traces", scope.traces);
  }
  if (scope.traces > 1) return fmt::format(" of each of {} traces", scope.traces);
  return scope.resampling == Resampling::none ? "" : ", for other traces of its kind";
}

/// What is the same in all runs.
std::string fixed_text(const GroupScope& scope, const ReplicationCount& count) {
  const std::size_t clusters = scope.fixed_clusters;
  const std::string stays = clusters == 0   ? ""
                            : clusters == 1 ? " on this one cluster"
                                            : fmt::format(" on {} clusters", clusters);
  return stays + under(scope, count) + (scope.choices_alone() ? ": nothing about others" : "");
}

std::string drawn_text(const GroupScope& scope, const ReplicationCount& count) {
  const bool crossed = count.by == Replicated::crossed;
  if (!scope.known && crossed) {
    return fmt::format("over {} cluster seeds x {} workload seeds", count.clusters, count.workloads);
  }
  if (!scope.known) return "over " + counted(count.replications, "seed");
  const std::string clusters = clusters_text(scope), workloads = workloads_text(scope), others = others_text(scope),
                    same = fixed_text(scope, count);
  if (crossed) {
    return fmt::format("over {} {} x {} {}{}{}", count.clusters, clusters.empty() ? "cluster seeds" : clusters,
                       count.workloads, workloads.empty() ? "workload seeds" : workloads,
                       others.empty() ? "" : ", with " + others, same);
  }
  std::vector<std::string> parts;
  if (!clusters.empty() && count.by != Replicated::workloads) parts.push_back(clusters);
  if (!workloads.empty() && count.by != Replicated::clusters) parts.push_back(workloads);
  if (!others.empty()) parts.push_back((parts.empty() ? "draws of " : "") + others);
  if (parts.empty()) return "over " + counted(count.replications, "seed") + same;
  if (parts.size() == 1) return fmt::format("over {} {}{}", count.replications, parts.front(), same);
  const bool moved = scope.clusters == DrawnClusters::placements && count.by != Replicated::workloads;  // no new ones
  if (moved && !workloads.empty()) parts[1] = "new " + parts[1];
  return fmt::format("over {} seeds, each with {}{}{}", count.replications, moved ? "" : "new ", join(parts, " and "),
                     same);
}

/// What runs do that make a claim, where others make none for these reasons.
const char* kept(const std::set<NoClaim>& why) {
  if (why.size() != 1 || *why.begin() == NoClaim::none) return "make one";
  return std::array{"", "do not fail", "end in time", "do not overload"}[static_cast<std::size_t>(*why.begin())];
}

std::string seeds_left_text(const SeedsLeftOut& seeds) {
  const auto [used, lost, partly, why] = seeds;
  if (lost + partly == 0) return "";
  const std::string others = fmt::format("the other {} of {} make no claim", grouped(lost), grouped(used + lost)),
                    parts = fmt::format("at {} only some pairs make a claim", counted(partly, "seed"));
  const std::string said = partly == 0 ? others : lost == 0 ? parts : others + ", " + parts;
  return fmt::format(" ({}, so it is for such as {})", said, kept(why));
}

}  // namespace

std::string scope_text(const IntervalOver& over) {
  return drawn_text(over.group, over.count) + seeds_left_text(over.left_out);
}

std::string no_interval_text(const NoInterval& missing, const std::optional<TraceBlocks>& blocks) {
  const auto of_least = [&](const char* what) {
    return fmt::format("{} of at least {} {}", missing.have, missing.need, what);
  };
  switch (missing.why) {
    case Missing::nothing:
      return "";
    case Missing::no_change:
      return "the seeds change nothing";
    case Missing::few_replications:
      return of_least("replications (combinations of seeds)");
    case Missing::few_clusters:
      return of_least("cluster seeds");
    case Missing::few_workloads:
      return of_least("workload seeds");
    case Missing::few_blocks:
      return fmt::format("the trace has {} to draw from (workload.resample), and an interval needs {}",
                         blocks ? blocks->text() : std::to_string(missing.have), missing.need);
    case Missing::few_resamples:
      return of_least("workload seeds, each of which is a resample of the trace");
    case Missing::no_spread:
      return "hardly any resample has a spread";
    case Missing::few_decide:
      break;
  }
  return "few replications decide it: its ends would be over a factor of 10,000 apart";
}

std::string held_text(Coverage known, const std::optional<TraceBlocks>& blocks) {
  if (known == Coverage::not_resampled || !blocks) return "";
  if (known != Coverage::simulated) return "not tested";
  const auto [least, most, of] = simulated_coverage(blocks->how);
  return fmt::format("{:.0f} to {:.0f} %", 100 * least, 100 * most);
}

std::string coverage_text(Coverage known, const std::optional<TraceBlocks>& blocks) {
  if (known == Coverage::not_resampled || !blocks) return "";
  if (known == Coverage::other_metric) return "not tested for this metric";
  const auto [least, most, of] = simulated_coverage(blocks->how);
  if (known == Coverage::few_blocks) {
    return fmt::format("not tested at {}: the traces that were simulated had {}", blocks->text(), of);
  }
  const char* so = least > confidence  ? ", so they are wider than they need be"
                   : most < confidence ? ", so they are too narrow"
                                       : "";
  return fmt::format("by {} intervals held the truth in {} of simulated trials{}", name_of(blocks->how),
                     held_text(known, blocks), so);
}

std::string method_text(const PolicyGain& gain, const std::optional<TraceBlocks>& blocks) {
  const std::string seeds = fmt::format(" of the log-ratios, {} cluster x {} workload seeds taken as crossed",
                                        gain.gain->clusters, gain.gain->workloads);
  switch (gain.gain->method) {
    case IntervalMethod::none:
      return "";
    case IntervalMethod::student:
      return "Student's t of the log-ratios";
    case IntervalMethod::bootstrap:
      return "bootstrap-t of the log-ratios";
    case IntervalMethod::crossed_student:
      return "Student's t with the two-way random-effects variance" + seeds;
    case IntervalMethod::crossed_bootstrap:
      return "two-way bootstrap-t" + seeds;
    case IntervalMethod::of_resamples:
      break;
  }
  // Whether it was tested on the metric is said beside it.
  const bool known = blocks && coverage_of(*blocks, "jct_mean_s") == Coverage::simulated;
  return fmt::format(
      "Student's t of the log-ratios with the variance between resamples of the trace, drawn from its {}: for other "
      "traces of its kind; more workload seeds do not narrow it{}",
      blocks ? blocks->text() : "blocks",
      known ? "; simulated trials in which such intervals held the truth: " + held_text(Coverage::simulated, blocks)
            : "");
}

std::string measured_text(const Comparison& comparison) {
  const std::string text =
      comparison.measured.empty() ? comparison.earlier.measured : measured_line(comparison.measured);
  if (text.empty() || comparison.from_empty == 0) return text;
  const char* where = comparison.from_empty == comparison.loaded ? "" : "in some runs ";
  return text + "; " + where + "the cluster is empty when the first of them arrives";
}

std::string offered_text(const Comparison& comparison) {
  return comparison.measured.empty() ? comparison.earlier.load : load_text(comparison.measured);
}

std::string stop_text(const Comparison& comparison) {
  const std::string text = comparison.looks ? looks_text(*comparison.looks) : comparison.earlier.looks;
  if (text.empty()) return text;
  return text +
         ". Looked at so often, a 95 % interval holds the truth in 91 to 95 % of studies, in 88 to 91 % where ratios "
         "are as skewed as an exponential law (docs/concepts/reading.md)";
}

}  // namespace palstudy
