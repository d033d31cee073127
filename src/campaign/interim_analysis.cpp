// SPDX-License-Identifier: MIT
#include "campaign/interim_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <ranges>

#include "analysis/compared_metrics.hpp"
#include "analysis/comparison.hpp"
#include "campaign/campaign_info.hpp"
#include "campaign/merged_records.hpp"
#include "core/error.hpp"
#include "stats/paired.hpp"
#include "study/keys/key_names.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

// The plan that `merge` writes, beside the shards, for the slices that come after it.
constexpr auto plan_file = "next-look.json", plan_format = "palstudy-next-look-1";

double number_at(const TableData& table, const std::string& name, std::size_t row) {
  const ColumnValues* values = table.find(name);
  if (values == nullptr) throw data_error("there is no column " + name, "/runs");
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(values)) {
    return static_cast<double>((*integers)[row]);
  }
  return std::get<std::vector<double>>(*values)[row];
}

RunOutcome outcome(const TableData& runs, std::size_t row, const std::string& metric) {
  const bool done = std::get<TextColumn>(*runs.find("status")).at(row) == "done";
  const RunEnd end{done, number_at(runs, "jobs_unfinished", row), number_at(runs, "stable", row) != 0};
  return {true, number_at(runs, metric, row), no_claim(end, true)};
}

/// The runs of a study by policy, and the place of each among those that differ in the policy alone.
class Pairing {
 public:
  explicit Pairing(const Study& study) : study_(study) {
    const auto place = [&](const std::string& key) {
      const auto same = [&](const Axis& axis) { return axis.key == key; };
      return static_cast<std::size_t>(std::ranges::find_if(study.axes, same) - study.axes.begin());
    };
    policy_ = place(keys::placement);
  }

  [[nodiscard]] const std::string& policy_of(const RunPlan& run) const {
    return std::get<std::string>(run.values[policy_]);
  }
  [[nodiscard]] std::vector<AxisValue> point_of(const RunPlan& run) const {
    auto point = run.values;
    point[policy_] = std::int64_t{0};
    return point;
  }

  /// As `compare` has them: the seed of a cluster or a workload is a direction of its own, `seed` is both at once.
  [[nodiscard]] Pair pair(std::size_t run, double ours, double theirs) const {
    const std::size_t seed = run / (study_.runs.size() / study_.stop->looks.back().seeds);
    const std::string& key = study_.stop->seed_key;
    return {ours, theirs, key == keys::workload_seed.name ? 0 : seed,
            key == keys::workload_seed.name || key == keys::seed.name ? seed : 0};
  }

 private:
  const Study& study_;
  std::size_t policy_ = 0;
};

struct Verdict {
  bool narrow = false;
  LookFinding why;
};

LookFinding finding_of(const std::string& policy, const std::string& baseline, const Improvement& gain) {
  LookFinding found{LookResult::no_interval, policy, baseline};
  found.no_interval = gain.no_interval;
  if (!gain.ratio_low) return found;
  found.what = LookResult::interval;
  found.half_width = std::sqrt(*gain.ratio_high / *gain.ratio_low) - 1;
  return found;
}

/// All comparisons of a look; the reason names the first that is too wide, or the widest.
Verdict verdict(const Study& study, const Outcomes& outcomes, std::size_t runs) {
  const auto makes_none = [&](std::size_t i) { return outcomes[i].no_claim != NoClaim::none; };
  const auto numbers = std::views::iota(std::size_t{0}, runs);
  if (const auto none = std::ranges::count_if(numbers, makes_none); none > 0) {
    const std::size_t first = *std::ranges::find_if(numbers, makes_none);
    return {false, {LookResult::no_claim, {}, {}, first, outcomes[first].no_claim, static_cast<std::size_t>(none - 1)}};
  }
  const Pairing pairing(study);
  std::map<std::string, std::vector<std::size_t>> runs_of;  // by policy
  std::map<std::pair<std::string, std::vector<AxisValue>>, std::size_t> run_at;
  for (std::size_t i = 0; i < runs; ++i) {
    runs_of[pairing.policy_of(study.runs[i])].push_back(i);
    run_at.emplace(std::pair(pairing.policy_of(study.runs[i]), pairing.point_of(study.runs[i])), i);
  }
  const ComparedMetric& metric = compared_metric(study.stop->metric, keys::stop_metric);
  Verdict widest{true, {}};
  double most = -1;
  for (const auto& baseline : study.baselines) {
    for (const auto& [policy, own] : runs_of) {
      if (policy == baseline) continue;
      std::vector<Pair> pairs;
      for (const std::size_t i : own) {
        const double ours = outcomes[i].value;
        const double theirs = outcomes[run_at.at({baseline, pairing.point_of(study.runs[i])})].value;
        if (!comparable(ours, theirs)) return {false, {LookResult::no_ratio, policy, baseline, i}};
        pairs.push_back(pairing.pair(i, ours, theirs));
      }
      const Improvement gain = improvement(pairs, metric.how());
      const LookFinding why = finding_of(policy, baseline, gain);
      if (!narrow_enough(gain, study.stop->relative_half_width)) return {false, why};
      const double width = gain.ratio_low ? std::log(*gain.ratio_high / *gain.ratio_low) : 0;
      if (width > most) widest.why = why;
      most = std::max(most, width);
    }
  }
  return widest;
}

}  // namespace

Outcomes outcomes_of(const Study& study, const TableData& runs) {
  Outcomes outcomes(study.runs.size());
  std::map<std::string, std::size_t> place_of;
  for (std::size_t i = 0; i < study.runs.size(); ++i) place_of.emplace(study.runs[i].id, i);
  const auto& ids = std::get<TextColumn>(*runs.find("id"));
  for (std::size_t row = 0; row < ids.codes.size(); ++row) {
    const auto place = place_of.find(ids.at(row));
    if (place != place_of.end()) outcomes[place->second] = outcome(runs, row, study.stop->metric);
  }
  return outcomes;
}

Outcomes outcomes_of(const Study& study, const std::filesystem::path& parts,
                     const std::optional<ExistingArchive>& existing) {
  Outcomes outcomes(study.runs.size());
  MergedRecords records(study, index_shards(parts), existing);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const RunRecord& record = records.record(i);
    outcomes[static_cast<std::size_t>(record.run)] = outcome(record.runs, 0, study.stop->metric);
  }
  return outcomes;
}

LookState look_at(const Study& study, const Outcomes& outcomes) {
  const auto& looks = study.stop->looks;
  LookState state;
  for (;; ++state.look) {
    const auto end = outcomes.begin() + static_cast<std::ptrdiff_t>(looks[state.look].runs);
    state.ended =
        static_cast<std::size_t>(std::count_if(outcomes.begin(), end, [](const RunOutcome& one) { return one.ended; }));
    if (state.ended < looks[state.look].runs) return state;
    const Verdict now = verdict(study, outcomes, looks[state.look].runs);
    state.why = now.why;
    state.narrow = now.narrow;
    state.ends = now.narrow || state.look + 1 == looks.size();
    if (state.ends) return state;
  }
}

Study part_of(const Study& study, std::size_t look) {
  Study part = study;
  if (!study.stop) return part;
  part.runs.resize(study.stop->looks.at(look).runs);
  part.resolved = study.stop->looks.at(look).resolved;
  return part;
}

std::size_t runs_at(const Study& study, std::size_t look) {
  return study.stop ? study.stop->looks.at(look).runs : study.runs.size();
}

std::string name_of_look(const Study& study, std::size_t look) {
  return fmt::format("look {} of {}, at {} seeds", look + 1, study.stop->looks.size(),
                     study.stop->looks.at(look).seeds);
}

LooksTaken looks_taken(const Study& study, const LookState& state) {
  const StopRule& rule = *study.stop;
  LooksTaken taken{{}, rule.looks.back().seeds, rule.metric, rule.relative_half_width, state.narrow, state.why};
  for (std::size_t i = 0; i <= state.look; ++i) taken.seeds.push_back(rule.looks[i].seeds);
  return taken;
}

std::size_t planned_look(const Study& study, const std::filesystem::path& parts) {
  const auto path = parts / plan_file;
  if (!std::filesystem::exists(path)) return 0;
  std::ifstream file(path, std::ios::binary);
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (!json.is_object() || json.value("format", nlohmann::json()) != plan_format) {
    throw data_error("is not what palstudy merge writes", path.string(),
                     "remove this file and go on with palstudy merge, which writes it again");
  }
  const auto seeds = json.value("seeds", nlohmann::json());
  for (std::size_t i = 0; i < study.stop->looks.size(); ++i) {
    if (seeds == study.stop->looks[i].seeds) return i;
  }
  return 0;  // a plan of other looks is ignored: merge determines the look again
}

void write_plan(const Study& study, std::size_t look, const std::filesystem::path& parts) {
  const nlohmann::json json = {{"format", plan_format}, {"seeds", study.stop->looks.at(look).seeds}};
  write_text_file(parts / plan_file, json.dump(2) + "\n");
}

}  // namespace palstudy
