// SPDX-License-Identifier: MIT
// From the axes to the runs: every combination of the keys that matter to others is completed and planned once, and the
// runs that differ from it in free keys alone are copies of it.
#include "study/expand_runs.hpp"

#include <algorithm>

#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "study/axes.hpp"
#include "study/resolve.hpp"
#include "study/seed_variants.hpp"
#include "study/seeds.hpp"
#include "workload/synthetic/generator.hpp"

namespace palstudy {
namespace {

struct AxisWalk {
  std::size_t at;  ///< among the sorted axes
  const std::string* key;
  const std::vector<TomlValue>* values;
  std::size_t stride;  ///< from a value to the next, in numbers of runs
};

/// Slowest first; the numbers are those of `point_of`.
std::vector<AxisWalk> walks_of(const Draft& draft) {
  std::vector<AxisWalk> walks;
  std::size_t stride = 1;
  for (const bool seeds : {false, true}) {
    std::size_t at = draft.axes.size();
    for (auto axis = draft.axes.rbegin(); axis != draft.axes.rend(); ++axis) {
      --at;
      if (is_seed_key(axis->first) != seeds) continue;
      walks.push_back({at, &axis->first, &axis->second.values, stride});
      stride *= axis->second.values.size();
    }
  }
  std::reverse(walks.begin(), walks.end());
  return walks;
}

/// Goes over all combinations of some axes, the last one fastest, so that the numbers rise.
template <class See>
void for_each_combination(const std::vector<AxisWalk>& walks, std::vector<std::size_t>& places, const See& see) {
  std::size_t count = 1;
  for (const AxisWalk& walk : walks) count *= walk.values->size();
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i, number = 0;
    for (auto walk = walks.rbegin(); walk != walks.rend(); ++walk) {
      places[walk->at] = rest % walk->values->size();
      number += places[walk->at] * walk->stride;
      rest /= walk->values->size();
    }
    see(number);
  }
}

/// Which keys follow which of the free axes.
std::map<std::string, std::size_t> followers(const Draft& draft, const std::vector<AxisWalk>& free) {
  std::map<std::string, std::size_t> all;
  for (std::size_t i = 0; i < free.size(); ++i) {
    all.emplace(*free[i].key, i);
    if (*free[i].key != "seed") continue;
    const auto follows = [&](const char* key) {
      if (!is_given(draft, key)) all.emplace(key, i);
    };
    std::for_each(keys_like_seed.begin(), keys_like_seed.end(), follows);
    follows("failures.seed");  // of the runs that have it
  }
  return all;
}

void note_params(const RunPlan& plan, std::set<std::string>& used) {
  for (const auto& param : orders().at(plan.policy.order).params) used.insert("policy." + param.name);
  for (const auto& param : placements().at(plan.policy.placement).params) used.insert("policy." + param.name);
  if (plan.workload.generator.empty()) return;
  for (const auto& param : generators().at(plan.workload.generator).params) used.insert("workload." + param.name);
}

}  // namespace

void expand_runs(const Draft& draft, Study& study, std::set<std::string>& used) {
  study.runs.resize(count_runs(draft));
  std::vector<AxisWalk> shaping, free;
  for (const AxisWalk& walk : walks_of(draft)) (is_free_key(*walk.key) ? free : shaping).push_back(walk);
  const auto varied = followers(draft, free);
  std::vector<const DraftAxis*> axes;
  for (const auto& [key, axis] : draft.axes) axes.push_back(&axis);
  std::vector<std::size_t> places(axes.size()), ignored;
  std::vector<const TomlValue*> values(free.size());
  for_each_combination(shaping, places, [&](std::size_t first) {
    const RunFamily family(complete(point_of(draft, first, ignored), study.file.string()), varied);
    note_params(family.first(), used);
    for_each_combination(free, places, [&](std::size_t beside) {
      for (std::size_t i = 0; i < free.size(); ++i) values[i] = &(*free[i].values)[places[free[i].at]];
      RunPlan& plan = study.runs[first + beside];
      plan = family.member(values);
      plan.number = static_cast<std::int64_t>(first + beside);
      plan.values.reserve(axes.size());
      for (std::size_t at = 0; at < axes.size(); ++at) {
        plan.values.push_back(axis_value(axes[at]->values[places[at]], study.axes[at].type));
      }
    });
  });
}

}  // namespace palstudy
