// SPDX-License-Identifier: MIT
#include "inputs/failure_inputs.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "inputs/input_texts.hpp"
#include "study/keys/key_names.hpp"

namespace palstudy {

const FailureTable& FailureInputs::table(const std::string& written) {
  return memoize(tables_, written, [&] {
    return read_failure_table(
        files_.table(keys::failure_model, written, {"jobs/failures", "failures", "philly", "docs/failures.md"}));
  });
}

const FailureWorld* FailureInputs::of(const RunPlan& run) {
  const FailureKeys& keys = run.failures;
  if (keys.model.empty()) return nullptr;
  const FailureOptions& o = keys.options;
  const std::string places = fmt::format("{} {} {}", static_cast<int>(keys.faults), keys.slow,
                                         keys.faults == Faults::job ? "" : cluster_text(run));
  const std::string kills = o.kill_exponent == 0 ? "" : shortest(o.kill_exponent) + workload_text(run);
  const std::string text = fmt::format(
      "{}\n{} {} {} {} {} {} {} {} {}\n{}\n{}", keys.model, o.retries, shortest(o.repeat), shortest(o.checkpoint_s),
      shortest(o.scale), shortest(o.validate_s), o.adaptive_retry, o.kills_within, o.late_fails, o.seed, places, kills);
  return &memoize(worlds_, text, [&] {
    AttemptModel model(table(keys.model), o);
    if (o.kill_exponent != 0) model.weigh_kills(workloads_.workload(run).jobs);
    return FailureWorld{std::move(model),
                        FaultyPlaces(clusters_.topology(run), clusters_.truth(run), keys.faults, keys.slow, o.seed)};
  });
}

}  // namespace palstudy
