// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/note.hpp"
#include "study/run_plan.hpp"

namespace palstudy {

/// `[stop]`: seeds are added at fixed looks until every comparison that the study names is narrow enough. Runs are
/// numbered seeds slowest, so that the runs of a look are a prefix of all runs.
struct StopRule {
  struct Look {
    std::size_t seeds = 0;
    std::size_t runs = 0;  ///< how many runs have these seeds; they are the first of the study
    std::string resolved;  ///< the study with these seeds alone, and with the rule: run again it ends here again
  };
  std::string metric;
  double relative_half_width = 0;  ///< of the ratio's 95 % interval, to either side on the scale of logarithms
  std::string seed_key;            ///< the axis that is grown
  std::vector<Look> looks;         ///< rising; the last one's seeds are those of the study
};

/// The inputs of a study that lies in a bundle; empty for others.
struct BundledInputs {
  std::map<std::string, std::filesystem::path> files;  ///< the file in the bundle for each path as written
  std::map<std::string, std::string> sha256;           ///< of every input, by its path as written
  /// For an anonymous bundle, whose paths were replaced: the id that a run keeps, by its id from the text of the study.
  std::map<std::string, std::string> renamed_ids;
};

/// file:line:column of every text that a key was given, by key and text, for messages about a missing or wrong input.
using KeyPlaces = std::map<std::pair<std::string, std::string>, std::string>;

/// A study file, read, checked and resolved. (More than 15 members: what the rooms above ask of a study.)
struct Study {
  std::filesystem::path file;  ///< paths in it are relative to its folder
  std::string name, title, question;
  std::string license, creator;  ///< "" where they are not stated
  std::vector<Axis> axes;        ///< keys sorted
  std::vector<RunPlan> runs;
  std::vector<std::pair<std::string, std::string>> systems;  ///< of policy.system: names, and the keys that each sets
  std::vector<std::string> baselines;                        ///< compare.baseline
  std::string compare_metric = "jct_mean_s";
  std::vector<Note> notes;  ///< e.g. keys that were given and change nothing
  std::optional<StopRule> stop;
  bool by_estimates = false;  ///< some run has a backfill with reservations, or kills jobs that outlive their estimates
  double checkpoint_s = 600;  ///< `engine.checkpoint_s`: seconds of real time between two checkpoints of a run
  std::string resolved;       ///< TOML that runs again and gives the same digest
  BundledInputs bundled;
  KeyPlaces places;

  /// The path of an input from its path as written.
  [[nodiscard]] std::filesystem::path resolve(const std::string& path) const;
  /// "study.toml:7:9: cluster.table": where the key was given this text; without the numbers if it is a default.
  [[nodiscard]] std::string place_of(const std::string& key, const std::string& text) const;
  /// The same for any of its values.
  [[nodiscard]] std::string place_of(const std::string& key) const;
};

/// Reads and checks a study, or the study of a bundle by its folder; `overrides` are KEY=VALUE of --set. Errors
/// (usage): with file:line:column, naming the nearest known key.
[[nodiscard]] Study read_study(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

/// The same for a text, such as the resolved study in an archive; `name` stands for its file.
[[nodiscard]] Study parse_study(const std::string& text, const std::string& name);

/// The numbers of the runs at each point of the axes other than seeds, ascending; points in the order of their first
/// run.
[[nodiscard]] std::vector<std::vector<std::size_t>> points_of(const Study& study);

}  // namespace palstudy
