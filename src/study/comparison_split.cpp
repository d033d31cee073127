// SPDX-License-Identifier: MIT
#include "study/comparison_split.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"
#include "study/comparison.hpp"

namespace palstudy {
namespace {

std::optional<double> threshold(const std::string& text, std::size_t greater) {
  if (greater == std::string::npos) return std::nullopt;
  auto number = text.substr(greater + 1);
  number.erase(0, number.find_first_not_of(' '));
  const auto value = parse_double(number);
  if (!value) throw usage_error("\"" + number + "\" is no number", "--by " + text, "write KEY>NUMBER");
  return value;
}

std::vector<std::string> known_keys(const RunValues& runs, const std::string& compared) {
  auto known = runs.axes();
  std::erase(known, compared);
  known.insert(known.end(), {straggler_key, by_class, by_size});
  return known;
}

}  // namespace

Split parse_split(const RunValues& runs, const std::string& text, const std::string& compared) {
  const auto greater = text.find('>');
  Split split{text.substr(0, greater), "", threshold(text, greater)};
  while (!split.key.empty() && split.key.back() == ' ') split.key.pop_back();
  const auto known = known_keys(runs, compared);
  split.column = split.key == straggler_key ? "slowdown_max" : split.key;
  if (split.key == compared) {
    const std::string what = compared == compared_key ? "placements are" : "values of " + compared + " are";
    throw usage_error(what + " what is compared, so they cannot be in blocks of their own", "--by " + text,
                      "leave it out, or name one of: " + join(known));
  }
  if (std::find(known.begin(), known.end(), split.key) == known.end() || !runs.has(split.column)) {
    throw usage_error("the archive has no axis \"" + split.key + "\"", "--by " + text, "known: " + join(known));
  }
  if (split.key == straggler_key && !split.above) {
    throw usage_error("this key is split at a number", "--by " + text,
                      "write for instance --by \"cluster.slowdown_max>2\"");
  }
  return split;
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
      blocks.labels.push_back(fmt::format("{} {} {}", split.key, above ? ">" : "<=", shortest(*split.above)));
    } else {
      blocks.labels.push_back(split.key + " = " + runs.text(split.column, row));
    }
  }
  return blocks;
}

}  // namespace palstudy
