// SPDX-License-Identifier: MIT
#include "study/keys/copies_keys.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace palstudy {
namespace {

constexpr double most_copies = 1000;
constexpr double latest_s = 1e10;
constexpr const char* key_copies = "workload.copies";
constexpr const char* key_first = "workload.copies_first_s";
constexpr const char* key_length = "workload.copies_length_s";

}  // namespace

std::vector<KeySpec> copies_keys() {
  return {{.key = key_copies,
           .type = KeyType::number,
           .unit = "1",
           .derived = "1",
           .summary = "How often the jobs of the trace come, each copy shifted by whole days within a window; of 2.5 "
                      "copies the third has half of the jobs.",
           .least = 1,
           .most = most_copies},
          {.key = key_first,
           .type = KeyType::number,
           .unit = "s",
           .derived = "measure.warmup_s, where workload.copies is given",
           .summary = "Where the window begins whose jobs are copied.",
           .least = 0,
           .most = latest_s},
          {.key = key_length,
           .type = KeyType::number,
           .unit = "s",
           .derived = "measure.window_s, where workload.copies is given",
           .summary = "How long it is.",
           .least = 0,
           .most = latest_s,
           .above_least = true}};
}

void complete_copies(Point& point) {
  const auto copies = point.find(key_copies);
  if (copies == point.end()) {
    for (const char* key : {key_first, key_length}) {
      const auto given = point.find(key);
      if (given == point.end()) continue;
      throw usage_error(fmt::format("{} is given, but {} is not", key, key_copies), given->second.where, "give both");
    }
    return;
  }
  if (!point.contains("workload.trace")) {
    throw usage_error("workload.copies is given, but there is no trace to copy", copies->second.where,
                      "a generator is given a load instead, by workload.rho");
  }
  const bool window = point.contains("measure.window_s");
  if (!window && !point.contains(key_length)) {
    throw usage_error("workload.copies is given, but no window to copy", copies->second.where,
                      fmt::format("give {} and {}, or measure.window_s", key_first, key_length));
  }
  point.try_emplace(key_first, window ? point.at("measure.warmup_s") : TomlValue::of(0.0));
  if (window) point.try_emplace(key_length, point.at("measure.window_s"));
}

Superposition copies_of(const Point& point) {
  if (!point.contains(key_copies)) return {};
  return {point.at(key_copies).as_real(), point.at(key_first).as_real(), point.at(key_length).as_real(), 1};
}

}  // namespace palstudy
