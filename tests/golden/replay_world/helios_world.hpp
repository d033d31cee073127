// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/csv.hpp"
#include "workload/job.hpp"
#include "workload/predict/predictor.hpp"

namespace palstudy::replay {

/// What became of a job.
struct HeliosRow {
  double start_s = 0;  ///< the first start
  double end_s = 0;
  double queue_s = 0;  ///< all waiting, after preemptions too
  std::uint32_t preemptions = 0;
  double key = -1;             ///< GPU time that it was ordered by; -1: none was needed
  bool no_name_match = false;  ///< no known name was like its own when the key was fixed
  std::string nodes;           ///< "node:gpus;..." by ascending node; of the last run
};

/// The jobs and nodes of a recorded folder. A VC is a cluster of its own.
struct HeliosInputs {
  explicit HeliosInputs(const std::filesystem::path& folder);

  struct Vc {
    std::uint32_t nodes = 0;
    Workload workload;            ///< in the order of the file; Job::id is the row in it
    std::vector<double> model_s;  ///< by job; 0: none; empty where there is no such column
  };
  std::vector<std::string> job_ids;  ///< by row
  std::map<std::string, Vc> vcs;
  std::uint32_t gpus_per_node = 8;
  /// Jobs that had ended before, of all VCs, with their durations as `iterations`.
  std::vector<Job> history;
};

/// A VC under the artifact's simulator (HeliosArtifact, QSSF Service): a clock of whole seconds, each with ends, then
/// arrivals, then jobs started in the order of the queue until one does not fit. Runs last as long as the trace says.
/// Orders, placement and predictors are the program's.
class HeliosWorld {
 public:
  /// `predictor`: a registered one; "combined": rolling and the model's predictions, weighed as published.
  HeliosWorld(const HeliosInputs& inputs, const HeliosInputs::Vc& vc, const std::string& order,
              const std::string& predictor = "exact");
  ~HeliosWorld();

  /// What became of the jobs, in the order of the VC's workload.
  [[nodiscard]] std::vector<HeliosRow> run();
  /// The key of a job with what is known now.
  [[nodiscard]] double key(const Job& job) const;
  /// The known names that are most like a name.
  [[nodiscard]] std::vector<std::string> close(const std::string& name) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The same in which running jobs are stopped for shorter ones: the artifact's SRTF, with order `srtf`.
[[nodiscard]] std::vector<HeliosRow> run_srtf(const HeliosInputs& inputs, const HeliosInputs::Vc& vc);

/// The VC as a whole run of the engine, with one-second rounds.
[[nodiscard]] std::vector<HeliosRow> run_engine(const HeliosInputs& inputs, const HeliosInputs::Vc& vc,
                                                const std::string& order, const std::string& predictor);

}  // namespace palstudy::replay
