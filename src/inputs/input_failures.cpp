// SPDX-License-Identifier: MIT
// Tables of failures: the bundled ones by name, others by path.
#include <fmt/format.h>

#include <fstream>

#include "core/error.hpp"
#include "core/text.hpp"
#include "inputs/input_cache.hpp"
#include "inputs/memoize.hpp"
#include "study/data_dir.hpp"
#include "study/key_names.hpp"

namespace palstudy {

const FailureTable& InputCache::failure_table(const std::string& written) {
  return once(failure_tables_, written, [&] {
    const bool own_path = written.ends_with(".csv");
    const std::string name = own_path ? written : "jobs/failures/" + written + ".csv";
    const auto path = own_path ? named_file(keys::failure_model, written) : data_dir() / name;
    if (!own_path && !std::ifstream(path)) {
      throw usage_error(fmt::format("no table of failures is called \"{}\"", written),
                        study_.place_of(keys::failure_model, written),
                        "it is \"philly\", or a path that ends in .csv (docs/failures.md)");
    }
    FailureTable table = read_failure_table(path);
    files_[name] = path;
    return table;
  });
}

const FailureWorld* InputCache::failures(const RunPlan& run) {
  const FailureKeys& keys = run.failures;
  if (keys.model.empty()) return nullptr;
  const FailureOptions& o = keys.options;
  const std::string places = fmt::format("{} {} {}", static_cast<int>(keys.faults), keys.slow,
                                         keys.faults == Faults::job ? "" : cluster_text(run));
  const std::string kills = o.kill_exponent == 0 ? "" : shortest(o.kill_exponent) + workload_text(run);
  const std::string text = fmt::format(
      "{}\n{} {} {} {} {} {} {} {} {}\n{}\n{}", keys.model, o.retries, shortest(o.repeat), shortest(o.checkpoint_s),
      shortest(o.scale), shortest(o.validate_s), o.adaptive_retry, o.kills_within, o.late_fails, o.seed, places, kills);
  return &once(failures_, text, [&] {
    AttemptModel model(failure_table(keys.model), o);
    if (o.kill_exponent != 0) model.weigh_kills(workload(run).jobs);
    return FailureWorld{std::move(model), FaultyPlaces(topology(run), truth(run), keys.faults, keys.slow, o.seed)};
  });
}

}  // namespace palstudy
