// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/replications.hpp"
#include "analysis/run_claims.hpp"
#include "analysis/run_values.hpp"
#include "inputs/inputs.hpp"
#include "stats/grid.hpp"
#include "study/study.hpp"

namespace palstudy {

/// Where the clusters of all seeds have the same nodes in other places.
inline constexpr const char* other_placements = "other placements of these GPUs";

/// How many replications an interval has, and of what.
struct ReplicationCount {
  Replicated by = Replicated::together;
  std::size_t replications = 0;
  std::size_t clusters = 0, workloads = 0;  ///< if they are crossed
};

/// What each seed draws in the runs of a group, and what is the same in all of them.
struct GroupScope {
  bool known = false;          ///< whether the archive keeps its study
  std::string clusters = {};   ///< what is drawn of them, in the plural; "" where the seeds change none
  std::string workloads = {};  ///< what their workloads are draws of
  std::string rest = {};       ///< what else is drawn
  std::string stays = {};      ///< " on this one cluster"
  bool choices_alone = false;  ///< the seeds draw nothing but random choices of the policies
  std::size_t traces = 1;      ///< that are pooled
  bool trace = false, resampled = false;

  /// The clause that stands after "95 % interval": "over 10 other placements of these GPUs under this one trace".
  [[nodiscard]] std::string clause(const ReplicationCount& count) const;

 private:
  [[nodiscard]] std::string under(const ReplicationCount& count) const;
};

/// Which replications an interval is over where others make no claim: those that are left are no draw of all, so the
/// interval is for such as do not overload, or end in time, whichever kept the others out.
class Survivors {
 public:
  using Seeds = std::pair<std::size_t, std::size_t>;  ///< of cluster and workload
  /// A pair of runs that the interval is over.
  void add(Seeds seeds) { used_.insert(seeds); }
  /// A pair that makes no claim, and why each of its runs makes none.
  void add_left_out(Seeds seeds, NoClaim policy, NoClaim baseline);
  /// " (the other 11 of 20 make no claim, so it is for such as do not overload)"; "" if none is left out.
  [[nodiscard]] std::string clause() const;

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
  /// What all intervals take as given where clusters are drawn from measured nodes; "" for nothing.
  [[nodiscard]] std::string given_donors() const;

 private:
  [[nodiscard]] std::string clusters_drawn(const std::vector<std::size_t>& rows) const;
  [[nodiscard]] std::string workloads_drawn(const std::vector<std::size_t>& rows) const;
  [[nodiscard]] const RunPlan& plan(std::size_t row) const { return runs_.needed_study().runs[plan_of_[row]]; }
  struct DrawnNodes {
    bool same = false;                       ///< all clusters have the same nodes in other places
    std::size_t each = 0;                    ///< nodes of a cluster; 0 if not known
    std::map<std::string, std::size_t> all;  ///< by class, nodes that some cluster has
    /// " (40 of the same 42 each)" where clusters are nearly alike, in all classes or in some; "" elsewhere.
    [[nodiscard]] std::string alike() const;
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

/// What is to be known before seeds are run that draw nothing: that they change nothing but the random choices of the
/// policies, or only put the same nodes in other places. "" where they draw clusters, workloads, failures or beliefs,
/// and where there is one seed. `inputs` has checked the study.
[[nodiscard]] std::string idle_seeds_line(const Study& study, Inputs& inputs);

}  // namespace palstudy
