// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/note.hpp"
#include "stats/paired.hpp"

namespace palstudy {

/// What a site can do about slow GPUs, the cheapest first.
enum class ActionKind : std::uint8_t { nothing, prefer, drain, place, both };
[[nodiscard]] const char* name_of(ActionKind kind);

/// An action under trial: `drain` and `both` take the `drained` slowest nodes out of service.
struct Action {
  ActionKind kind = ActionKind::nothing;
  std::uint32_t drained = 0;  ///< nodes
  friend bool operator==(const Action&, const Action&) = default;
};
/// Whether `a` costs less than `b`: by kind, then by nodes that are drained.
[[nodiscard]] bool cheaper(const Action& a, const Action& b);

/// What the jobs of one replication took.
struct TrialOutcome {
  double jct_mean_s = 0;  ///< of measured jobs; NaN where some did not finish
  double job_h = 0;       ///< their completion times, summed
  double gpu_h = 0;       ///< GPU hours that they held
  double wait_h = 0;      ///< their waits, summed
  double wait_mean_s = 0;
};

/// An action, replication by replication: the i-th is that of the i-th of all others.
struct Trial {
  Action action;
  std::vector<TrialOutcome> outcomes;
};

/// What an action changed, beside doing nothing.
struct ActionGain {
  Action action;
  std::optional<Improvement> jct = {};  ///< of mean completion time; none where jobs were left unfinished
  double job_h_saved = 0;               ///< means over replications; less than 0: they took longer
  double gpu_h_saved = 0;
  double wait_h_saved = 0;
  double capacity_share = 0;              ///< of the cluster's GPUs that are out of service
  bool helps = false;                     ///< gains beyond doubt: see `advice_of` and `confirm`
  std::optional<double> other_half = {};  ///< its mean gain by `confirm`; none where that was not asked
};

/// What to do. `actions` has all that were tried, doing nothing first, the cheapest first.
struct Advice {
  Action action;  ///< what is advised
  std::vector<ActionGain> actions;
  std::size_t replications = 0;
  double jct_mean_s = 0, wait_mean_s = 0;  ///< of doing nothing, means over replications
  std::optional<NoInterval> no_interval;   ///< why there is none, where there is none

  [[nodiscard]] const ActionGain& advised() const;
};

/// The drain with the largest mean gain, whether or not it helps; null if none was tried to its end.
[[nodiscard]] const ActionGain* best_drain(const Advice& advice);

/// Gains up to this share below the best one count as most of it.
inline constexpr double as_good_as_best = 0.005;

/// Compares the trials with the first, which does nothing. An action helps if its interval, one of as many as there are
/// actions that hold together, is above 0; or, where no interval can be had, if every replication gains and all
/// together by half a percent. Of those that help the advised one is the cheapest whose gain is within half a
/// percentage point of the best; if none helps, nothing. `capacity` is the share of GPUs out of service, by trial.
[[nodiscard]] Advice advice_of(const std::vector<Trial>& trials, const std::vector<double>& capacity,
                               const Comparing& how);

/// Asks whether the advised action stands. `gain` is its mean gain where policies believe one half of the measured runs
/// and the other half is true. Differences that do not repeat gain nothing there, although an action that is chosen and
/// tried by the same measurements seems to gain by them. Under half a percent it does not help, and the advice is what
/// is left. Returns whether it stands. Errors (fault): nothing is advised.
[[nodiscard]] bool confirm(Advice& advice, double gain);

/// A node, and how slow its slowest GPU is.
struct RankedNode {
  std::uint32_t node = 0;
  std::string host = {};  ///< "" where the study does not know it
  bool measured = true;   ///< else it is taken to be as fast as the median
  std::string cls = {};   ///< the class that feels it most
  double slowdown = 1;    ///< of its slowest GPU, for that class
  double cost = 1;        ///< the same over all classes, weighted by the GPU hours of their jobs
  std::uint32_t gpus = 0;
  std::int64_t weight = 1;  ///< that prefers fast nodes: those of weight 1 come first
};

/// What the gain of the advised action becomes where one thing is otherwise.
struct OtherSetting {
  enum class What : std::uint8_t { penalty, load, backfill, knowledge };
  What what = What::penalty;
  std::string value;  ///< "1.35", "x 1.2", "none", "other-half"
  ActionGain gain;
};

/// All that `palstudy advise` found.
struct AdviceFound {
  Advice advice;
  std::vector<RankedNode> nodes;  ///< the slowest first
  /// The slowest GPU alone out of service, with its node's other GPUs kept: beside `drain 1`. None if the node has one.
  std::optional<ActionGain> slowest_gpu_alone;
  std::vector<OtherSetting> settings;  ///< none where nothing is advised
  std::vector<Note> notes;             ///< on the inputs, validation in them
  std::string title;                   ///< of the study
  std::size_t jobs = 0;                ///< measured, of a replication on average
  double span_s = 0;                   ///< from the first submission to the last
  std::uint32_t gpus = 0;
  std::filesystem::path slurm_conf = {};  ///< that names the nodes; "" where none does
};

}  // namespace palstudy
