// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "study/study.hpp"
#include "variability/profile/locality.hpp"
#include "variability/sources/knowledge.hpp"
#include "variability/sources/measurements.hpp"
#include "workload/model_table.hpp"
#include "workload/synthetic/generator.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {

/// Clusters so large are drawn and binned for seconds; what is going on is said.
inline constexpr std::uint32_t gpus_that_take_long = 1U << 20;

/// What the runs of a study are made of, each distinct thing once, by a text that says all that it depends on.
class InputCache {
 public:
  explicit InputCache(const Study& study) : study_(study) {}

  const Topology& topology(const RunPlan& run);
  const Slowdowns& truth(const RunPlan& run);
  const Bins& believed(const RunPlan& run);
  /// With its classes those of `truth`.
  const Workload& workload(const RunPlan& run);
  /// What the trace of a run with `workload.resample` has to draw from.
  TraceBlocks trace_blocks(const RunPlan& run);
  /// How they run, by model of `workload`.
  const std::vector<JobModel>& job_models(const RunPlan& run);
  /// How attempts fail; null where none does.
  const FailureWorld* failures(const RunPlan& run);
  /// Of every job of `workload`, by its model and its number of GPUs.
  const Penalties& measured_penalties(const RunPlan& run);
  /// Whether `workload` lacks jobs of tenants without a quota.
  [[nodiscard]] bool dropped_some(const RunPlan& run) const { return dropped_.contains(workload_text(run)); }
  /// Of the tenants of `workload`; none where the study has no tenants.
  std::optional<TenantRules> tenant_rules(const RunPlan& run);

  /// What stands for each class of a cluster that is drawn.
  ClassMeasurements class_measurements(const ClusterOptions& cluster);
  /// Those of bundled machines, then those of profile files, by name.
  [[nodiscard]] std::vector<const Measurements*> measurements() const;
  /// "imported" if any of these is, "bundled-kernels" if there are others, "" if there are none.
  [[nodiscard]] std::string profile_origin() const;

  [[nodiscard]] static std::string cluster_text(const RunPlan& run);
  [[nodiscard]] static std::string workload_text(const RunPlan& run);

  /// Every file read so far, by its path as written; bundled ones by their path in the program's data.
  [[nodiscard]] const std::map<std::string, std::filesystem::path>& files() const { return files_; }
  /// What was said while reading, in order, each sentence once.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  void note(const std::string& sentence);

 private:
  template <class Thing>
  using ByText = std::map<std::string, std::unique_ptr<Thing>>;

  /// The path of a file that the study names. Errors (data): it cannot be read, with who names it.
  [[nodiscard]] std::filesystem::path named_file(const std::string& key, const std::string& written) const;
  const ModelTable& models(const std::string& written);
  void note_uncalibrated(const RunPlan& run, const Workload& made);
  const Measurements& measurements(const std::string& name);
  /// A file of `palstudy measure`, `profile merge` or `profile import`, its kernels by name.
  struct ProfileSource {
    std::string origin;
    std::map<std::string, Measurements> kernels;
    std::map<std::string, std::string> too_little;  ///< by kernel: why no nodes can be drawn from it; "" if they can
  };
  const ProfileSource& profile_file(const std::string& written);
  const std::map<std::string, std::string>& class_table(const std::string& written);
  ClassMeasurements classes_of_machine(const ClusterOptions& cluster);
  ClassMeasurements classes_of_file(const ClusterOptions& cluster);
  /// Notes, once for the same classes, that the measurements of some hardly repeat.
  void warn_once(const ClassMeasurements& classes);
  Slowdowns draw_cluster(const RunPlan& run, RunsUsed runs);
  Slowdowns make_truth(const RunPlan& run);
  /// What the policies take the slowdowns to be where that is not the truth, and all that this depends on besides the
  /// cluster.
  Slowdowns belief(const RunPlan& run);
  /// By class, confirmed_outliers_from of its measurements; empty where GPUs are not drawn as they were measured.
  std::vector<double> outliers_from(const RunPlan& run);
  [[nodiscard]] static std::string belief_text(const RunPlan& run);
  std::vector<ClassSpread> spreads(const RunPlan& run);
  Workload make_workload(const RunPlan& run);
  std::map<std::string, double> quotas(const RunPlan& run);
  /// With `tenants.unlisted = "drop"`: leaves their jobs out, and what that depends on.
  void drop_unlisted(const RunPlan& run, Workload& workload);
  [[nodiscard]] static std::string dropped_text(const RunPlan& run);
  Workload generate(const RunPlan& run);
  /// With `workload.resample`: draws new blocks of the trace.
  void resample_jobs(const RunPlan& run, Workload& workload);
  /// With `workload.copies`: lays the trace over itself.
  void copy_jobs(const RunPlan& run, Workload& workload);
  const FailureTable& failure_table(const std::string& written);
  const LocalityModel& links(const std::string& profile);

  const Study& study_;
  ByText<Topology> topologies_;
  ByText<Slowdowns> truths_;
  ByText<Bins> bins_;
  ByText<Workload> workloads_;
  ByText<Workload> traces_;                    ///< as they were read, where they are resampled
  std::map<std::string, TraceBlocks> blocks_;  ///< of these, by text of the workload
  ByText<ModelTable> models_;
  ByText<std::vector<JobModel>> job_models_;
  ByText<FailureTable> failure_tables_;
  ByText<FailureWorld> failures_;
  ByText<Penalties> penalties_;
  ByText<LocalityModel> links_;
  ByText<Measurements> measurements_;
  ByText<ProfileSource> profiles_;
  ByText<std::map<std::string, std::string>> class_tables_;
  GeneratorFiles generator_files_;
  std::map<std::string, std::filesystem::path> files_;
  std::vector<std::string> notes_;
  std::set<std::string> warned_;
  std::set<std::string> dropped_;  ///< texts of workloads from which drop_unlisted took jobs
};

}  // namespace palstudy
