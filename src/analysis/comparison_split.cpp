// SPDX-License-Identifier: MIT
#include "analysis/comparison_split.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/replications.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "study/axes.hpp"
#include "study/keys/key_names.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

std::optional<double> threshold(const std::string& text, std::size_t greater) {
  if (greater == std::string::npos) return std::nullopt;
  auto number = text.substr(greater + 1);
  number.erase(0, number.find_first_not_of(' '));
  const auto value = parse_double(number);
  if (!value || std::isnan(*value))
    throw usage_error("\"" + number + "\" is no number", "--by " + text, "write KEY>NUMBER");
  return value;
}

std::vector<std::string> known_keys(const RunValues& runs, const std::string& compared) {
  auto known = runs.axes();
  std::erase(known, compared);
  known.emplace_back(straggler_key);
  known.insert(known.end(), job_parts.begin(), job_parts.end());
  return known;
}

/// Those that change more than which of the replications a run is.
std::vector<std::string> poolable(const RunValues& runs, const std::string& compared) {
  auto axes = runs.axes();
  std::erase_if(axes, [&](const auto& key) { return key == compared || key == trace_key || is_seed_key(key); });
  return axes;
}

std::size_t count_values(const RunValues& runs, const std::vector<std::size_t>& rows, const std::string& key) {
  const Codes codes = runs.codes(key);
  std::set<std::uint32_t> seen;
  for (const std::size_t row : rows) seen.insert(codes[row]);
  return seen.size();
}

/// Every axis that has several values, or none where that would be too many groups.
std::vector<std::string> default_keys(const RunValues& runs, const std::string& compared) {
  std::vector<std::string> keys;
  std::vector<Codes> codes;
  for (const auto& key : poolable(runs, compared)) {
    codes.push_back(runs.codes(key));
    const auto several = [&](std::uint32_t code) { return code != codes.back().front(); };
    if (std::ranges::any_of(codes.back(), several)) keys.push_back(key);
  }
  const Codes groups = combined(codes, runs.rows());
  const bool few = std::set<std::uint32_t>(groups.begin(), groups.end()).size() <= most_default_groups;
  return few ? keys : std::vector<std::string>();
}

Split parse_split(const RunValues& runs, const std::string& text, const std::string& compared) {
  const auto greater = text.find('>');
  Split split{text.substr(0, greater), "", threshold(text, greater)};
  while (!split.key.empty() && split.key.back() == ' ') split.key.pop_back();
  const auto known = known_keys(runs, compared);
  split.column = split.key == straggler_key ? "slowdown_max" : split.key;
  if (split.key == compared) {
    const std::string what = compared == keys::placement.name ? "placements are" : "values of " + compared + " are";
    throw usage_error(what + " what is compared, so they cannot be in blocks of their own", "--by " + text,
                      "leave it out, or name one of: " + join(known));
  }
  if (is_seed_key(split.key)) {
    throw usage_error("seeds are replications, of which a block has all", "--by " + text, "known: " + join(known));
  }
  if (std::ranges::find(known, split.key) == known.end() || !runs.has(split.column)) {
    const std::string what = split.above ? "only axes and cluster.slowdown_max are split at a number"
                                         : "the archive has no axis \"" + split.key + "\"";
    throw usage_error(what, "--by " + text, "known: " + join(known));
  }
  if (split.key == straggler_key && !split.above) {
    throw usage_error("this key is split at a number", "--by " + text,
                      "write for instance --by \"cluster.slowdown_max>2\"");
  }
  return split;
}

}  // namespace

std::pair<std::string, std::string> parse_against(const RunValues& runs, const std::string& text) {
  const auto equals = text.find('=');
  const auto where = "--against " + text;
  if (equals == std::string::npos || equals + 1 == text.size()) {
    throw usage_error("no value is given", where, "write KEY=VALUE");
  }
  const std::string key = text.substr(0, equals);
  auto known = runs.axes();
  std::erase_if(known, is_seed_key);
  if (std::ranges::find(known, key) == known.end()) {
    throw usage_error("the archive has no axis \"" + key + "\" to compare (seeds are paired)", where,
                      "known: " + join(known));
  }
  return {key, text.substr(equals + 1)};
}

std::vector<Split> splits_of(const RunValues& runs, const std::vector<std::string>& asked,
                             const std::string& compared) {
  auto keys = asked.empty() ? default_keys(runs, compared) : asked;
  if (asked == std::vector<std::string>{by_none}) keys.clear();
  if (asked.size() > 1 && std::ranges::find(asked, by_none) != asked.end()) {
    throw usage_error("one block of all has no blocks", "--by none", "leave out none, or the others");
  }
  if (runs.has(keys::resampling) && std::ranges::find(keys, keys::resampling.name) == keys.end()) {
    keys.emplace_back(keys::resampling);
  }
  std::vector<Split> splits;
  for (const auto& key : keys) {
    const Split split = parse_split(runs, key, compared);
    if (std::ranges::find(splits, split) == splits.end()) splits.push_back(split);
  }
  return splits;
}

std::vector<AxisCount> pooled_axes(const RunValues& runs, const std::vector<std::size_t>& rows,
                                   const std::string& compared) {
  std::vector<AxisCount> pooled;
  for (const auto& key : poolable(runs, compared)) {
    if (const std::size_t values = count_values(runs, rows, key); values > 1) pooled.push_back({key, values});
  }
  return pooled;
}

Blocks blocks_of(const RunValues& runs, const Split& split) {
  Blocks blocks;
  if (split.above) {
    const auto side = [&](std::size_t row) { return runs.number(split.column, row) > *split.above; };
    for (std::size_t row = 0; row < runs.rows(); ++row) blocks.of_row.push_back(side(row) == side(0) ? 0 : 1);
  } else {
    blocks.of_row = runs.codes(split.column);
  }
  for (std::size_t row = 0; row < runs.rows(); ++row) {
    if (blocks.of_row[row] != blocks.labels.size()) continue;
    if (split.above) {
      const bool above = runs.number(split.column, row) > *split.above;
      blocks.labels.push_back({split.key, above ? ">" : "<=", shortest(*split.above)});
    } else {
      blocks.labels.push_back({split.key, "=", runs.text(split.column, row)});
    }
  }
  return blocks;
}

std::vector<AxisCount> axes_of(const RunValues& runs) {
  auto keys = runs.axes();
  if (std::ranges::none_of(keys, is_seed_key)) keys.emplace_back(keys::seed);  // a column that every archive has
  std::vector<AxisCount> axes;
  for (const std::string& key : keys) {
    const Codes codes = runs.codes(key);
    axes.push_back({key, *std::ranges::max_element(codes) + std::size_t{1}});
  }
  return axes;
}

std::pair<std::size_t, std::size_t> gpus_of(const Study& study) {
  std::size_t least = SIZE_MAX, most = 0;
  for (const RunPlan& run : study.runs) {
    std::size_t gpus = 0;
    for (const auto& [count, each] : run.cluster.nodes) gpus += std::size_t{count} * each;
    least = std::min(least, gpus), most = std::max(most, gpus);
  }
  return {least, most};
}

std::size_t policy_named(const Comparison& comparison, const std::string& name, const std::string& option) {
  const auto& all = comparison.policies;
  const auto called = [&](const std::string& one) {
    if (one == name || comparison.compared != trace_key) return one == name;
    return comparison.trace_names.at(one) == name;
  };
  const auto found = std::ranges::find_if(all, called);
  if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
  const std::string what = comparison.compared == keys::placement.name ? "placement" : comparison.compared;
  throw usage_error("the archive has no " + what + " \"" + name + "\"", option, "it has " + join(all));
}

}  // namespace palstudy
