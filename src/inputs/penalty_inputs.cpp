// SPDX-License-Identifier: MIT
#include "inputs/penalty_inputs.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <set>
#include <utility>

#include "archive/profile/profile_file.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "inputs/input_files.hpp"
#include "study/fingerprint.hpp"
#include "study/keys/key_names.hpp"

namespace palstudy {
namespace {

const NoteKind no_gradients("no-gradients", Severity::care);

/// The distinct penalties, and the index of each job's penalty.
class PenaltyList {
 public:
  void add(const LocalityPenalty& penalty) {
    const std::array<double, 3> key = {penalty.node, penalty.cabinet, penalty.cluster};
    const auto [place, is_new] = places_.emplace(key, distinct_.size());
    if (is_new) distinct_.push_back(penalty);
    if (distinct_.size() > std::numeric_limits<std::uint16_t>::max()) {
      throw data_error("the jobs have more than 65535 distinct penalties", keys::penalty,
                       "give a table of penalties instead");
    }
    of_job_.push_back(static_cast<std::uint16_t>(place->second));
  }
  [[nodiscard]] Penalties take() { return {std::move(distinct_), std::move(of_job_)}; }

 private:
  std::map<std::array<double, 3>, std::size_t> places_;
  std::vector<LocalityPenalty> distinct_;
  std::vector<std::uint16_t> of_job_;
};

/// The steps of an iteration by model of the workload; no bytes where they are not known.
std::vector<ModelStep> steps_of(const Workload& workload, const ModelTable& table) {
  std::vector<ModelStep> steps;
  for (const std::string& name : workload.models) {
    const auto model = table.models.find(name);
    steps.push_back(model == table.models.end() ? ModelStep{}
                                                : ModelStep{model->second.gradient_bytes, model->second.iteration_s});
  }
  return steps;
}

/// The models of jobs of several GPUs whose exchange is not known.
std::vector<std::string> unknown_models(const Workload& workload, const std::vector<ModelStep>& steps,
                                        bool& any_known) {
  std::set<std::string> names;
  for (const Job& job : workload.jobs) {
    if (job.gpus < 2) continue;
    const bool known = steps[job.model].gradient_bytes > 0;
    any_known = any_known || known;
    const std::string& name = workload.models[job.model];
    if (!known) names.insert(name.empty() ? "jobs without a model" : name);
  }
  return {names.begin(), names.end()};
}

}  // namespace

const LocalityModel& PenaltyInputs::links(const std::string& written) {
  auto& made = links_[written];
  if (made) return *made;
  std::error_code none;
  if (!std::filesystem::exists(files_.study().resolve(written), none)) {
    throw data_error(fmt::format("a measured penalty needs the transfers of a profile, and \"{}\" is no file", written),
                     files_.study().place_of(keys::network_profile, written),
                     "name one that `palstudy measure` or `palstudy profile merge` wrote: network.profile = \"p.h5\"");
  }
  const auto path = files_.named(keys::network_profile, written);
  made = std::make_unique<LocalityModel>(fit_locality(read_profile(path), written));
  files_.add(written, path);
  files_.note(made->notes, written);
  return *made;
}

const Penalties& PenaltyInputs::of(const RunPlan& run) {
  auto& made = penalties_[workload_text(run) + section_text(run, "network")];
  if (made) return *made;
  const LocalityModel& transfers = links(run.network.profile);
  const Workload& jobs = workloads_.workload(run);
  const auto steps = steps_of(jobs, files_.models(run.workload.models));
  bool any_known = false;
  const auto unknown = unknown_models(jobs, steps, any_known);
  const std::string table = run.workload.models.empty() ? "jobs/models.toml" : run.workload.models;
  if (!unknown.empty() && !any_known) {
    throw data_error("no model of the jobs has gradient_bytes, so no penalty can be told: " + join(unknown), table,
                     "give gradient_bytes there, or a table of penalties under network.penalty");
  }
  if (!unknown.empty()) files_.note(no_gradients({{"models", unknown}}, table));
  PenaltyList list;
  for (const Job& job : jobs.jobs)
    list.add(measured_penalty(transfers, steps[job.model], job.gpus, run.network.overlap));
  made = std::make_unique<Penalties>(list.take());
  return *made;
}

}  // namespace palstudy
