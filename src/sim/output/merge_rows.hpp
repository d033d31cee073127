// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "sim/result.hpp"

namespace palstudy {

/// The rows of a run, from those of its partitions in their order. Events: by time, kind and job; the GPUs of a job's
/// parts are joined.
[[nodiscard]] EventRows merged(std::vector<EventRows> parts);
/// The sums over all partitions, where they differ from the row before.
[[nodiscard]] RoundRows merged(const std::vector<RoundRows>& parts);
/// A job that has waited in the queues of several partitions has delays in each.
[[nodiscard]] DelayRows merged(const std::vector<DelayRows>& parts);
[[nodiscard]] PowerRows merged(const std::vector<PowerRows>& parts);

/// Rows that have a `place` in the run: in that order.
template <class Rows>
requires requires(const Rows& rows) { rows.place(0); }
[[nodiscard]] Rows merged(const std::vector<Rows>& parts) {
  std::vector<std::pair<decltype(parts[0].place(0)), std::pair<std::size_t, std::size_t>>> places;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (std::size_t row = 0; row < parts[part].size(); ++row) places.push_back({parts[part].place(row), {part, row}});
  }
  std::sort(places.begin(), places.end());
  Rows all;
  for (const auto& [place, from] : places) all.append(parts[from.first], from.second);
  return all;
}

}  // namespace palstudy
