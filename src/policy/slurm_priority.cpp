// SPDX-License-Identifier: MIT
#include "policy/slurm_priority.hpp"

#include "core/error.hpp"
#include "core/numbers.hpp"

namespace palstudy {

PriorityOptions priority_options(const ParamValues& params) {
  const PriorityOptions options{
      params.number("PriorityWeightAge"),
      params.number("PriorityWeightFairshare"),
      params.number("PriorityWeightJobSize"),
      params.number("PriorityMaxAge") * minute_s,
      params.number("PriorityFavorSmall") != 0,
      params.number("PriorityDecayHalfLife") * minute_s,
      params.number("PriorityCalcPeriod") * minute_s,
      params.text("PriorityFlags") == "NO_FAIR_TREE" ? FairShareRule::classic : FairShareRule::fair_tree};
  if (options.age_weight > 0 || options.fair_share_weight > 0 || options.size_weight > 0) return options;
  throw usage_error(
      "multifactor has no weight", "policy.order",
      "give slurm.PriorityWeightAge, PriorityWeightFairshare or PriorityWeightJobSize, as slurm.conf has them");
}

}  // namespace palstudy
