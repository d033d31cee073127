// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "analysis/advice.hpp"
#include "inputs/inputs.hpp"
#include "study/study.hpp"

namespace palstudy {

/// The site as it is, or with one thing otherwise.
struct TrialSetting {
  std::vector<std::string> overrides = {};                     ///< as of --set
  double load = 1;                                             ///< factor on the work of jobs
  double penalty_part = 1;                                     ///< of what the penalties add to 1
  bool backfill = true;                                        ///< as the study has it; else none
  std::size_t most = std::numeric_limits<std::size_t>::max();  ///< replications
};

/// Simulates what a site can do, each action on the same replications: the seeds of the study; without seeds its
/// traces, if it has eight or more; else draws of the days of its trace, or the trace once if it cannot be drawn from,
/// which `measure.jobs` forbids. Draws go on until they measure 20,000 jobs; they are 16 to 64. Doing nothing is
/// `site_run`.
class ActionTrials {
 public:
  /// `overrides` are those of --set. Errors: those of read_study and Inputs::check; (usage) systems are an axis.
  ActionTrials(std::filesystem::path file, std::vector<std::string> overrides);

  /// The study with doing nothing alone, a run a replication.
  [[nodiscard]] const Study& site() const { return site_; }
  [[nodiscard]] Inputs& inputs() { return inputs_; }
  /// The slowest first.
  [[nodiscard]] const std::vector<RankedNode>& nodes() const { return nodes_; }
  [[nodiscard]] std::size_t replications() const { return site_.runs.size(); }

  /// All that can be tried by itself, doing nothing first: weights if the placement knows them and some node is slow,
  /// drains of 1, 2, 3, 4, 6, 9, ... nodes up to a tenth of them (one at least), and `pal-sticky`.
  [[nodiscard]] std::vector<Action> actions() const;
  /// One outcome a replication; `done` is called after each. A drain that leaves some job too few GPUs has no outcome.
  [[nodiscard]] Trial trial(const Action& action, const TrialSetting& setting = {},
                            const std::function<void()>& done = {});
  /// The slowest GPU out of service, and its node's others kept. None if the node has no other, or a job needs it.
  [[nodiscard]] std::optional<Trial> without_slowest_gpu();
  /// The share of the cluster's GPUs that an action takes out of service.
  [[nodiscard]] double capacity(const Action& action) const;

 private:
  [[nodiscard]] std::vector<RunPlan> runs_of(const TrialSetting& setting, bool places) const;
  [[nodiscard]] std::vector<RankedNode> nodes_of(const RunPlan& run);
  [[nodiscard]] TrialOutcome simulated(const Action& action, RunPlan run, const std::vector<RankedNode>& nodes,
                                       double load);

  std::filesystem::path file_;
  std::vector<std::string> overrides_;
  Study site_;
  Inputs inputs_;
  std::vector<RankedNode> nodes_;
};

}  // namespace palstudy
