// SPDX-License-Identifier: MIT
#include "study/seeds.hpp"

#include <map>
#include <utility>

#include "study/keys/key_names.hpp"

namespace palstudy {

bool is_seed_key(const std::string& key) { return key == keys::seed.name || key.ends_with(".seed"); }

std::vector<std::vector<std::size_t>> points_of(const Study& study) {
  std::map<std::vector<AxisValue>, std::size_t> numbers;
  std::vector<std::vector<std::size_t>> points;
  for (std::size_t i = 0; i < study.runs.size(); ++i) {
    std::vector<AxisValue> values;
    for (std::size_t a = 0; a < study.axes.size(); ++a) {
      if (!is_seed_key(study.axes[a].key)) values.push_back(study.runs[i].values[a]);
    }
    const auto [place, fresh] = numbers.try_emplace(std::move(values), points.size());
    if (fresh) points.emplace_back();
    points[place->second].push_back(i);
  }
  return points;
}

}  // namespace palstudy
