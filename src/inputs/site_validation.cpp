// SPDX-License-Identifier: MIT
#include "inputs/site_validation.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/sha256.hpp"
#include "inputs/input_files.hpp"
#include "policy/backfill_policy.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "sim/state/scheduler.hpp"
#include "study/fingerprint.hpp"
#include "study/keys/key_names.hpp"

namespace palstudy {
namespace {

const NoteKind validated("validated", Severity::info), rejected_model("rejected-model", Severity::care),
    not_validated("not-validated", Severity::info);

/// Whether a run has this value of the axis.
bool is_at(const Study& study, const RunPlan& run, const std::string& key, const std::string& value) {
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis) {
    if (study.axes[axis].key == key) return run.values[axis] == AxisValue(value);
  }
  return false;
}

bool has_axis(const Study& study, const std::string& key) {
  return std::ranges::any_of(study.axes, [&](const Axis& axis) { return axis.key == key; });
}

/// What the scheduler decides by, as text. Of files their contents count.
std::string scheduler_text(const Study& study, const RunPlan& run) {
  std::string text = topology_text(run);
  for (const char* section : {policy_section, workload_section, "engine", slurm_section, "tenants"}) {
    text += "\n" + section_text(run, section);
  }
  const PolicyOptions& policy = run.policy;
  text += params_text(schedulers().at(policy.scheduler).params, policy.scheduler_params);
  text += params_text(orders().at(policy.order).params, policy.order_params);
  text += params_text(placements().at(policy.placement).params, policy.placement_params);
  text += params_text(backfills().at(policy.backfill).params, policy.backfill_params);
  text += "\n" + value_text(run, keys::partitions);
  for (const std::string& file : {run.cluster.weights, run.cluster.outages, run.slurm.queues, run.slurm.accounts,
                                  run.workload.class_of, run.tenants.quotas}) {
    text += "\n" + (file.empty() ? "" : sha256_file(study.resolve(file)));
  }
  return text;
}

}  // namespace

const RunPlan& site_run(const Study& study) {
  for (const std::string& key : {std::string(keys::system), std::string(keys::placement)}) {
    if (!has_axis(study, key)) continue;
    for (const std::string& baseline : study.baselines) {
      const auto run =
          std::ranges::find_if(study.runs, [&](const RunPlan& one) { return is_at(study, one, key, baseline); });
      if (run != study.runs.end()) return *run;
    }
  }
  return study.runs.front();
}

RunPlan as_the_site_ran(const Study& study) {
  RunPlan run = site_run(study);
  run.workload.resampling = Resampling::none;
  run.workload.copies = {};
  run.measure = {.first = std::numeric_limits<std::int64_t>::min(), .last = std::numeric_limits<std::int64_t>::max()};
  run.engine.kills_overruns = false;
  run.failures = {};
  run.interference = {};
  run.power = {};
  run.energy = {};
  run.output = {.jobs = true, .events = false, .rounds = false};
  return run;
}

bool has_recorded_starts(const Workload& workload) { return !workload.recorded.empty(); }

void require_recorded_starts(const Workload& workload, const RunPlan& run) {
  if (has_recorded_starts(workload)) return;
  throw data_error("does not say when jobs started", jobs_of(run),
                   "give sacct's Start, or name the column of starts in workload.columns; generated jobs have none");
}

ValidatedFor validated_for(const Study& study, const RunPlan& run) {
  return {sha256_file(study.resolve(run.workload.trace)), sha256_hex(scheduler_text(study, run))};
}

std::filesystem::path validation_file(const Study& study) {
  std::filesystem::path file = study.file;
  return file.replace_extension(".validated.json");
}

std::optional<KeptVerdict> kept_verdict(const std::filesystem::path& file) {
  if (std::error_code none; !std::filesystem::exists(file, none)) return std::nullopt;
  const auto json = nlohmann::json::parse(read_text_file(file), nullptr, false);
  try {
    return KeptVerdict{{json.at("trace_sha256"), json.at("scheduler_sha256")},
                       json.at("verdict"),
                       json.at("wait").at("recorded_s"),
                       json.at("wait").at("simulated_s"),
                       json.at("jobs")};
  } catch (const nlohmann::json::exception&) {
    throw data_error("is not what palstudy validate writes", file.string(), "remove it, or validate again");
  }
}

Note validation_note(const Study& study, const RunPlan& run) {
  const auto kept = kept_verdict(validation_file(study));
  const bool known = kept && kept->of == validated_for(study, run);
  if (!known) return not_validated({{"changed", kept.has_value()}}, run.workload.trace);
  const ValueRecord figures = {{"verdict", kept->verdict},
                               {"jobs", kept->jobs},
                               {"recorded_wait_s", kept->recorded_wait_s},
                               {"simulated_wait_s", kept->simulated_wait_s}};
  if (kept->verdict == "too-few-jobs") return not_validated({{"changed", false}}, run.workload.trace);
  return (kept->verdict == "accepted" ? validated : rejected_model)(figures, run.workload.trace);
}

bool is_of_validation(const Note& note) {
  return note.id == validated.id() || note.id == rejected_model.id() || note.id == not_validated.id();
}

}  // namespace palstudy
