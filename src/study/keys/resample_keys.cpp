// SPDX-License-Identifier: MIT
#include "study/keys/resample_keys.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "study/keys/key_spec.hpp"

namespace palstudy {

KeySpec resample_key() {
  KeySpec spec = key_spec::choice(
      resample_name, "",
      "Blocks of the trace that workload.seed draws with replacement, so that intervals speak of the workload too.",
      {"none", "days", "weeks", "users"});
  spec.derived = "\"none\"";
  return spec;
}

void complete_resample(Point& point) {
  const auto key = point.find(resample_name);
  if (key == point.end()) return;
  if (key->second.text == "none") {
    point.erase(key);
    return;
  }
  if (!point.contains("workload.trace")) {
    throw usage_error("workload.resample is given, but there is no trace to draw from", key->second.where,
                      "a generator makes another workload for each workload.seed already; leave it out");
  }
  if (const auto jobs = point.find("measure.jobs.first"); jobs != point.end()) {
    const auto& first = jobs->second.where;
    const std::string& where = first.empty() ? point.at("measure.jobs.last").where : first;
    throw usage_error("measure.jobs names jobs of the trace, and workload.resample gives them other numbers",
                      where.empty() ? key->second.where : where,
                      "leave measure.jobs out, which measures all jobs, or give measure.window_s");
  }
}

Resampling resampling_of(const Point& point) {
  const auto key = point.find(resample_name);
  return key == point.end() ? Resampling::none : resampling_named(key->second.text);
}

}  // namespace palstudy
