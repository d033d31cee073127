// SPDX-License-Identifier: MIT
#include "analysis/simultaneous_gains.hpp"

#include <utility>

#include "stats/paired.hpp"

namespace palstudy {

void correct_for_comparisons(std::vector<ComparisonGroup>& groups, const std::string& metric,
                             const std::vector<ComparedPairs>& made_from) {
  std::vector<std::pair<PolicyGain*, const ComparedPairs*>> family;
  std::vector<double> p_values;
  std::size_t place = 0;
  for (auto& group : groups) {
    for (auto& one : group.gains) {
      const ComparedPairs& own = made_from[place++];
      if (one.metric != metric || !one.gain || !one.gain->p_value) continue;
      family.emplace_back(&one, &own);
      p_values.push_back(*one.gain->p_value);
    }
  }
  const auto corrected = holm(p_values);
  for (std::size_t i = 0; i < family.size(); ++i) {
    const auto& [one, own] = family[i];
    Comparing how = own->how;
    how.comparisons = one->comparisons = family.size();
    one->p_adjusted = corrected[i];
    one->simultaneous = family.size() == 1 ? *one->gain : improvement(own->pairs, how);
  }
}

}  // namespace palstudy
