// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/run_claims.hpp"
#include "analysis/run_values.hpp"
#include "core/note.hpp"
#include "inputs/inputs.hpp"
#include "stats/grid.hpp"
#include "study/study.hpp"
#include "workload/synthetic/resample.hpp"

namespace palstudy {

/// Whether it is known how often intervals over resamples of such a trace hold the truth: they were simulated, but of
/// other metrics or of longer traces.
enum class Coverage { not_resampled, simulated, other_metric, few_blocks };
[[nodiscard]] const char* name_of(Coverage known);

/// How many replications an interval has, and of what.
struct ReplicationCount {
  Replicated by = Replicated::together;
  std::size_t replications = 0;
  std::size_t clusters = 0, workloads = 0;  ///< if they are crossed
};

/// What the seeds draw of the clusters: nothing, clusters of several sources or of tables, or those of one source;
/// `placements`: all clusters have the same nodes in other places.
enum class DrawnClusters { none, any, measured, block, bootstrap, placements };
[[nodiscard]] const char* name_of(DrawnClusters drawn);
/// What they draw of the workloads: nothing, several of the following, or one.
enum class DrawnWorkloads { none, any, generated, resamples, models, part_of_copy, estimates };
[[nodiscard]] const char* name_of(DrawnWorkloads drawn);
enum class OtherDraws { failures, beliefs, predictions, choices };
[[nodiscard]] const char* name_of(OtherDraws drawn);

/// Clusters are nearly alike: each takes `each` of the same `of` measured nodes.
struct SameNodes {
  std::size_t each = 0, of = 0;
  std::vector<std::string> classes = {};  ///< none for all of them
  friend bool operator==(const SameNodes&, const SameNodes&) = default;
};

/// What each seed draws in the runs of a group, and what is the same in all of them.
struct GroupScope {
  bool known = false;  ///< whether the archive keeps its study
  DrawnClusters clusters = DrawnClusters::none;
  std::vector<SameNodes> alike = {};
  DrawnWorkloads workloads = DrawnWorkloads::none;
  std::string generator = {};                ///< of workloads that are generated
  Resampling resampling = Resampling::none;  ///< of the first workload
  std::vector<OtherDraws> others = {};       ///< `choices`, those of policies, where nothing else is drawn
  std::size_t fixed_clusters = 0;            ///< how many there are, where none is drawn
  std::size_t traces = 1;                    ///< that are pooled
  bool trace = false;                        ///< workloads are read, not generated

  /// The seeds draw nothing but random choices of the policies.
  [[nodiscard]] bool choices_alone() const { return !others.empty() && others.front() == OtherDraws::choices; }
};

/// How many replications an interval is over where others make no claim: those that are left are no draw of all.
struct SeedsLeftOut {
  std::size_t used = 0, lost = 0;  ///< replications
  std::size_t partly = 0;          ///< of those used: at which only some pairs make a claim
  std::set<NoClaim> why = {};      ///< `none`: two runs that alone would make one
};

/// Over what an interval is.
struct IntervalOver {
  GroupScope group;
  ReplicationCount count;
  SeedsLeftOut left_out;
};

/// Counts the replications that are left.
class Survivors {
 public:
  using Seeds = std::pair<std::size_t, std::size_t>;  ///< of cluster and workload
  /// A pair of runs that the interval is over.
  void add(Seeds seeds) { used_.insert(seeds); }
  /// A pair that makes no claim, and why each of its runs makes none.
  void add_left_out(Seeds seeds, NoClaim policy, NoClaim baseline);
  [[nodiscard]] SeedsLeftOut counted() const;

 private:
  std::set<Seeds> used_, lost_;  ///< both where some pairs of a replication make a claim
  std::set<NoClaim> why_;
};

/// What the intervals of an archive generalise to.
class IntervalScope {
 public:
  IntervalScope(const ArchiveReader& archive, const RunValues& runs);
  /// The scope of the runs in these rows.
  [[nodiscard]] GroupScope of(const std::vector<std::size_t>& rows) const;
  /// "donors": what all intervals take as given where clusters are drawn from measured nodes.
  [[nodiscard]] std::optional<Note> donors() const;

 private:
  void add_clusters(const std::vector<std::size_t>& rows, GroupScope& to) const;
  void add_workloads(const std::vector<std::size_t>& rows, GroupScope& to) const;
  [[nodiscard]] const RunPlan& plan(std::size_t row) const { return runs_.needed_study().runs[plan_of_[row]]; }
  struct DrawnNodes {
    bool same = false;                       ///< all clusters have the same nodes in other places
    std::size_t each = 0;                    ///< nodes of a cluster; 0 if not known
    std::map<std::string, std::size_t> all;  ///< by class, nodes that some cluster has
    /// Where clusters are nearly alike, in all classes or in some.
    [[nodiscard]] std::vector<SameNodes> alike() const;
  };
  /// The classes that some job has; empty where the archive keeps no rows of jobs.
  [[nodiscard]] std::set<std::string> classes_of_jobs() const;
  [[nodiscard]] DrawnNodes drawn_nodes(const std::vector<std::size_t>& rows) const;

  const ArchiveReader& archive_;
  const RunValues& runs_;
  std::vector<std::size_t> plan_of_;
  /// By row; a point is all but the seeds.
  Codes point_, cluster_, workload_, failures_, beliefs_, predictions_, policies_;
};

/// What is to be known before seeds are run that draw nothing: "idle-seeds", which change nothing but the random
/// choices of the policies, or "same-nodes", which only stand in other places. Nothing where they draw clusters,
/// workloads, failures or beliefs, and where there is one seed. `inputs` has checked the study.
[[nodiscard]] std::optional<Note> idle_seeds(const Study& study, Inputs& inputs);

}  // namespace palstudy
